"""Prepare the page on which visitors query a copy of the database with SQLite, compiled to WebAssembly."""

from __future__ import annotations

import base64
import gzip
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from menace.games.positions import Positions
from menace.ledger.queries import named_queries
from menace.ledger.store.database import Published
from menace.ledger.store.sqlite import sql_file
from menace.site.play_tables import FIRST_PIECE

MAX_SIZE = 1_600_000  # in bytes; larger pages load slowly on phones
ENGINE, MODULE = "sql-wasm-browser.js.gz", "sql-wasm-browser.wasm.gz"  # from tools/release/update_sql_js.py


def sql_content(published: Published, positions: Positions, explore: str) -> dict[str, Any]:
    """Return the values that the page's template needs.

    Args:
        published: The published copy of the database.
        positions: The positions of its game.
        explore: The name of the page to which boards in query results link.
    """
    folder = resources.files("menace").joinpath("site", "sql_js")
    packed = {
        "engine": folder.joinpath(ENGINE).read_bytes(),
        "module": folder.joinpath(MODULE).read_bytes(),
        "database": gzip.compress(published.content, mtime=0),
    }
    kinds: dict[str, int] = {}
    pieces = (piece for board in positions.boards for piece in positions.game.pieces(board))
    return {
        "replaced": published.replaced,
        "source": tomllib.loads(folder.joinpath("source.toml").read_text("utf-8")),
        "licence": folder.joinpath("LICENSE.txt").read_text("utf-8"),
        "schema": _schema(sql_file("schema.sql")) + _schema(sql_file("views.sql")),
        "packed": {name: base64.b64encode(content).decode() for name, content in packed.items()},
        "data": {
            "questions": [{"name": named.name, **_explained(named.sql)} for named in named_queries()],
            "explore": explore,
            "file": Path(published.path).name,
            "shape": positions.game.shape,
            "boards": list(positions.boards),
            "pieces": "".join(chr(FIRST_PIECE + kinds.setdefault(piece, len(kinds))) for piece in pieces),
            "kinds": list(kinds),
        },
    }


def _explained(text: str) -> dict[str, str]:
    r"""Split a named query into its title, its explanation and its SQL.

    >>> _explained("-- A title?\n-- One line,\n-- and another.\nSELECT 1;\n")
    {'title': 'A title?', 'why': 'One line, and another.', 'sql': 'SELECT 1;'}
    """
    comment, sql = re.fullmatch(r"((?:--[^\n]*\n)*)(.*)", text.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
    title, *why = (line.removeprefix("--").strip() for line in comment.splitlines())
    return {"title": title, "why": " ".join(why), "sql": sql}


def _schema(text: str) -> list[tuple[str, str, str]]:
    r"""Return the name, the description and the SQL of each table and view in a script.

    >>> _schema("-- Below.\nCREATE VIEW one AS\nSELECT 1;\n")
    [('one', 'Below.', 'CREATE VIEW one AS\nSELECT 1;')]
    """
    statement = r"(?ms)^((?:--[^\n]*\n)*)(CREATE (?:TABLE|VIEW) (\w+)(?: \(\s*-- ([^\n]*))?.*?;)$"
    found = re.findall(statement, text)
    about = [inside or " ".join(re.sub("(?m)^--", "", above).split()) for above, _, _, inside in found]
    return [(name, text.replace("`", ""), sql) for text, (_, sql, name, _) in zip(about, found, strict=True)]
