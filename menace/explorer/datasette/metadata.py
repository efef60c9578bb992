"""What Datasette's own pages say of a menace database: the data dictionary, named questions, links to the explorer.

All of it comes from db/README.md and db/queries. What a user's metadata or configuration says comes first.
"""

from __future__ import annotations

import copy
import html
import importlib.resources
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from menace.explorer.server.root_path import ROOT
from menace.ledger.queries import NamedQuery, named_queries

INTRODUCTION = """\
Here is a game in full (every position, every move, its value under perfect play), the machines with everything that
they have learned, and the log of the runs that taught them. The queries below are questions, each with its answer;
the views show names and boards where the tables have numbers. What a column means stands on top of the page of its
table or view.
"""
EXPLORER = '<p><a href="{root}">Matchboxes</a>: machines to play against, to train and to look into.</p>\n'
MACHINES = '<p><a href="{root}/{name}/machines">The machines of this database</a>: play, train, look.</p>\n'
# What is shown in place of a number that points to a row, what stands on top, and what is SQLite's own.
LOOKS: dict[str, dict[str, object]] = {
    "position": {"label_column": "board"},
    "learner": {"label_column": "name"},
    "run": {"sort_desc": "run_id"},
    "block": {"sort_desc": "block_id"},
    "game": {"sort_desc": "game_id"},
    "sqlite_sequence": {"hidden": True},
}

SECTION = re.compile(r"^### `(\w+)`\n\n(.*?)\n\n\| column .*?\n\|---.*?\n(.*?)\n(?!\|)", re.DOTALL | re.MULTILINE)
COLUMN = re.compile(r"^\| `(\w+)` \| \w+ \| (.+) \|$", re.MULTILINE)


def describe(datasette: Any, names: Mapping[str, str]) -> None:
    """Describe databases in the metadata of a Datasette, and in its configuration, where 1.0 looks for queries.

    Args:
        datasette: whose hooks are being called for the first time.
        names: of menace databases, as Datasette has named them, by the names that they are served under.
    """
    if not names:
        return
    root = html.escape(datasette.urls.path(ROOT))
    for attribute in ("_metadata_local", "config"):
        given = getattr(datasette, attribute, None)
        if given is None:
            continue
        databases = dict(given.get("databases") or {})
        for name, before in names.items():
            ours = copy.deepcopy(description())  # Datasette writes into its metadata
            databases[name] = _below(
                _linked(MACHINES.format(root=root, name=name), databases.get(before) or {}, ours), ours
            )
        setattr(datasette, attribute, _linked(EXPLORER.format(root=root), given, {}) | {"databases": databases})


def _linked(line: str, given: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata with a line on top of its description, or of ours."""
    text = given.get("description_html")
    if text is None and given.get("description"):
        text = f"<p>{html.escape(given['description'])}</p>"
    return {**given, "description_html": line + (text or ours.get("description_html", ""))}


def _below(given: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given, and below it what is ours."""
    merged = dict(ours)
    for key, value in given.items():
        if value is None:  # an empty key of YAML
            continue
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _below(value, merged[key]) if both else value
    return merged


@cache
def description() -> dict[str, Any]:
    """Return what there is to say of a database: the words that it uses, named questions, tables with their columns.

    >>> description()["queries"]["runs"]["title"], description()["tables"]["rules"]["columns"]["variant"][:20]
    ('Which runs were there, and how did they go?', 'which member of its ')
    """
    readme = importlib.resources.files("menace.db").joinpath("README.md").read_text(encoding="utf-8")
    return {
        "description_html": f"<p>{_one_line(INTRODUCTION)}</p>\n{_words(readme)}\n",
        "queries": {named.name: _query(named) for named in named_queries()},
        "tables": _tables(readme),
    }


def _query(named: NamedQuery) -> dict[str, object]:
    """Return a named question with its description from the comments on top. The SQL is a click away."""
    lines = named.sql.splitlines()
    count = next(number for number, line in enumerate(lines) if not line.startswith("--"))
    description = " ".join(line.removeprefix("--").strip() for line in lines[1:count])
    sql = "\n".join(lines[count:]).rstrip(";")
    return {"title": named.title, "description": _quoted(description), "hide_sql": True, "sql": sql}


def _tables(readme: str) -> dict[str, dict[str, Any]]:
    """Return what there is to say of each table and view, by name."""
    described: dict[str, dict[str, Any]] = {}
    for name, text, rows in SECTION.findall(readme):
        # Names and values stand alone in the description of a column, and need no quotes.
        columns = {column: _one_line(meaning).replace("`", "") for column, meaning in COLUMN.findall(rows)}
        described[name] = {"description": _quoted(text), "columns": columns}
    return {name: described.get(name, {}) | LOOKS.get(name, {}) for name in [*described, *(LOOKS.keys() - described)]}


def _words(readme: str) -> str:
    """Return the words that come back everywhere, and how times and shares are written, as HTML."""
    text = readme.partition("These words are used throughout:\n\n")[2].partition("\n\n## ")[0]
    bullets, _, rest = text.partition("\n\n")
    items = [f"<li>{_as_html(item)}</li>" for item in re.split(r"^- ", bullets, flags=re.MULTILINE)[1:]]
    return "\n".join(['<ul class="bullets">', *items, "</ul>", f"<p>{_as_html(rest)}</p>"])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """Return prose on one line, without marks: Datasette shows it as it stands. What was code is in quotes."""
    return re.sub(r"`([^`]*)`", r'"\1"', _one_line(text))


def _as_html(text: str) -> str:
    """Return a paragraph with its marks, bold, emphasis and code, as HTML."""
    text = html.escape(_one_line(text), quote=False)
    for mark, tag in ((r"\*\*", "strong"), (r"\*", "em"), ("`", "code")):
        text = re.sub(rf"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text
