"""Draw boards in the cells of Datasette's tables, and provide the SQL function `board_svg`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from menace.errors import MenaceError
from menace.explorer.server import ROOT
from menace.explorer.server.served_databases import menace_path
from menace.games.base import Game

if TYPE_CHECKING:
    from markupsafe import Markup

COLUMNS = {"board", "next_board"}
MAX_BOARD_LENGTH = 200  # characters
OF_BOARD = re.compile(r'<svg [^>]*aria-label="([^"<>&]*)">')


def board_svg(path: Path, text: object) -> str | None:
    """Draw a board of a database's game as a small SVG; return None if the text is not a board.

    Args:
        path: the path of a menace database.
        text: the board, in the notation that the database uses.
    """
    from menace.explorer.content.board_inputs import small_svg

    if not isinstance(text, str) or len(text) > MAX_BOARD_LENGTH:
        return None
    try:
        state = path.stat()
        game = _game(str(path), state.st_ino, state.st_mtime_ns)
        return None if game is None else small_svg(game, game.parse(text))
    except (MenaceError, OSError):
        return None


@lru_cache(maxsize=16)
def _game(path: str, *_state: int) -> Game | None:
    from menace.ledger.rules import rules_of
    from menace.ledger.store import Store

    try:
        with Store.open(path) as store:
            return rules_of(store).game
    except MenaceError:
        return None


def cell_html(value: object, column: str, database: str, datasette: Any) -> Markup | None:
    """Draw the board in a table cell as a link to the board's page; return None if the cell does not contain a board.

    A picture made by `board_svg` is shown in any column, but only if redrawing the board from the picture's label gives
    the same SVG.
    """
    from datasette.utils import tilde_encode
    from markupsafe import Markup

    path = _path(datasette, database)
    if not isinstance(value, str) or path is None:
        return None
    label = OF_BOARD.match(value)
    if label is None and column not in COLUMNS:
        return None
    drawn = board_svg(path, label[1] if label else value)
    if drawn is None:
        return None
    if label is not None:
        return Markup(drawn) if drawn == value else None  # noqa: S704 - it equals the picture drawn above
    address = datasette.urls.path(f"{ROOT}/{tilde_encode(database)}/explore/{quote(value, safe='')}")
    return Markup('<a href="{}">{}</a> {}').format(address, Markup(drawn), value)  # noqa: S704


def add_board_svg(connection: Any, database: str, datasette: Any) -> None:
    """Register the SQL function `board_svg(board)` on a Datasette connection to a menace database."""
    path = _path(datasette, database)
    if path is not None:
        connection.create_function("board_svg", 1, lambda text: board_svg(path, text))


def _path(datasette: Any, database: str) -> Path | None:
    """Return the path of a Datasette database if it is a menace database, or None otherwise."""
    served = datasette.databases.get(database)
    return None if served is None else menace_path(served)
