"""Write db/datasette.yaml, with which Datasette explains a database and offers the named questions.

    python tools/make_datasette.py           write it anew
    python tools/make_datasette.py --check   change nothing; exit 1 with a diff where it is out of date

Everything in it comes from the data dictionary in db/README.md and from the files of db/queries.
"""

from __future__ import annotations

import argparse
import difflib
import html
import re
import sys
from pathlib import Path
from typing import Any

import yaml  # Datasette brings it

DB = Path(__file__).parents[1] / "db"
FILE = DB / "datasette.yaml"
DATABASE = "menace"  # Datasette knows a database by the name of its file: menace.db, where nobody says otherwise
WIDTH = 118
LONG = 88  # a text that stands on lines of its own

HEADER = f"""\
# Written by tools/make_datasette.py from README.md and queries/ in this folder: change those, and run it again.
#
#   datasette menace.db --metadata datasette.yaml                             Datasette 0.65
#   datasette menace.db --metadata datasette.yaml --config datasette.yaml     Datasette 1.0
#
# For a database of another name, school.db for example, write `school:` for `{DATABASE}:` in a copy of this file.
"""
TITLE = "A matchbox machine"
SITE = "Machines that learn a game by playing it, bead by bead, and everything that they have learned."
# Boards are read cell by cell: characters of one width. Datasette needs an address; this one needs no other file.
STYLE = "data:text/css,.rows-and-columns%20td{font-family:monospace}"
INTRODUCTION = """\
Here is a game in full (every position, every move, its value under perfect play), the machines with everything that
they have learned, and the log of the runs that taught them. The queries below are questions, each with its answer;
the views show names and boards where the tables have numbers. What a column means stands on top of the page of its
table or view.
"""
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


def one_line(text: str) -> str:
    """Return a paragraph of the dictionary on one line."""
    return " ".join(text.split())


def quoted(text: str) -> str:
    """Return prose on one line, without marks: Datasette shows it as it stands. What was code is in quotes."""
    return re.sub(r"`([^`]*)`", r'"\1"', one_line(text))


def unmarked(text: str) -> str:
    """Return the description of a column, without marks: names and values stand alone there, and need no quotes."""
    return one_line(text).replace("`", "")


def as_html(text: str) -> str:
    """Return a paragraph with its marks, bold, emphasis and code, as HTML."""
    text = html.escape(one_line(text), quote=False)
    for mark, tag in ((r"\*\*", "strong"), (r"\*", "em"), ("`", "code")):
        text = re.sub(rf"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text


def words(readme: str) -> str:
    """Return the words that come back everywhere, and how times and shares are written, as HTML."""
    text = readme.partition("These words are used throughout:\n\n")[2].partition("\n\n## ")[0]
    bullets, _, rest = text.partition("\n\n")
    items = [f"<li>{as_html(item)}</li>" for item in re.split(r"^- ", bullets, flags=re.MULTILINE)[1:]]
    return "\n".join(['<ul class="bullets">', *items, "</ul>", f"<p>{as_html(rest)}</p>"])


def tables(readme: str) -> dict[str, dict[str, Any]]:
    """Return what there is to say of each table and view, by name."""
    described: dict[str, dict[str, Any]] = {}
    for name, text, rows in SECTION.findall(readme):
        columns = {column: unmarked(meaning) for column, meaning in COLUMN.findall(rows)}
        described[name] = {"description": quoted(text), "columns": columns}
    return {name: described.get(name, {}) | LOOKS.get(name, {}) for name in [*described, *(LOOKS.keys() - described)]}


def query(sql: str) -> dict[str, object]:
    """Return a named question: its title and its description, from the comments on top, and the SQL beneath them.

    The SQL is a click away: a page shows the answer first.
    """
    lines = sql.splitlines()
    count = next(number for number, line in enumerate(lines) if not line.startswith("--"))
    title, *description = (line.removeprefix("--").strip() for line in lines[:count])
    sql = "\n".join(lines[count:]).rstrip(";")
    return {"title": title, "description": quoted(" ".join(description)), "hide_sql": True, "sql": sql}


def content() -> dict[str, Any]:
    """Return the configuration of Datasette."""
    readme = (DB / "README.md").read_text(encoding="utf-8")
    database = {
        "description_html": f"<p>{one_line(INTRODUCTION)}</p>\n{words(readme)}\n",
        "queries": {
            file.stem: query(file.read_text(encoding="utf-8")) for file in sorted((DB / "queries").glob("*.sql"))
        },
        "tables": tables(readme),
    }
    return {"title": TITLE, "description": SITE, "extra_css_urls": [STYLE], "databases": {DATABASE: database}}


class Dumper(yaml.SafeDumper):
    """Writes texts as people do: lines as a block, long ones folded."""


def text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Return how a text is written."""
    style = "|" if "\n" in text else ">" if len(text) > LONG else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Dumper.add_representer(str, text_node)


def file_text() -> str:
    """Return db/datasette.yaml as it should be."""
    text = yaml.dump(content(), Dumper=Dumper, sort_keys=False, width=WIDTH)
    # A blank line before each question and each table.
    return HEADER + re.sub(r"^(?= {6}[\w-]+:$)", "\n", text, flags=re.MULTILINE)


def main() -> int:
    """Write or check db/datasette.yaml."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where it is out of date")
    arguments = parser.parse_args()
    new = file_text()
    if not arguments.check:
        FILE.write_text(new, encoding="utf-8")
        return 0
    old = FILE.read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), "db/datasette.yaml", "what it should be", lineterm=""
    )
    print("\n".join(lines), end="")
    return 0 if old == new else 1


if __name__ == "__main__":
    sys.exit(main())
