"""Players in Python files: functions of the board, each named as `./my_player.py:novice`.

Only who types a command, or writes a program, names such a file, and has it run: no database does, and no page.
"""

from __future__ import annotations

from menace.errors import InvalidGame, InvalidPlayer, MenaceError
from menace.games.base import Side, SideText
from menace.games.plugins import is_file
from menace.games.positions import Positions
from menace.games.python_files import callable_in_file, plugin_fault
from menace.learners.opponents.tabulated_policies import TabulatedPolicy, tabulate
from menace.learners.policy import Policy

EXAMPLE = "./my_player.py:novice"


def named_by_tables(text: str, plays: SideText, positions: Positions) -> str:
    """Return a player's text with the names of tables for functions in files, each of which is run for a side.

    Args:
        text: a function, such as `./my_player.py:novice`, or a curriculum with some.
        plays: the side.
        positions: the game.

    Raises:
        InvalidPlayer: as `tabulate_file`.
    """
    parts = []
    for part in text.split(","):
        name, colon, games = part.rpartition(":")
        if not games.isdecimal():  # the last part of a curriculum, or the only one
            name, colon, games = part, "", ""
        parts.append((tabulate_file(name, Side(plays), positions).name if is_file(name) else name) + colon + games)
    return ",".join(parts)


def tabulate_file(reference: str, plays: Side, positions: Positions) -> TabulatedPolicy:
    """Run a Python file, ask its function for a move in each position that a side moves in, and return the table.

    Args:
        reference: the file and the function, such as `./my_player.py:novice`.
        plays: the side.
        positions: the game.

    Raises:
        InvalidPlayer: if there is no such file or function, or one of them fails, or the function returns no move.
    """
    try:
        function = callable_in_file(reference, "function", EXAMPLE)
    except InvalidGame as error:
        raise InvalidPlayer(str(error)) from None
    try:
        return tabulate(Policy.from_function(function, plays, positions))
    except (MenaceError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - any error of foreign code is reported in a line
        fault = plugin_fault(error) or f"{reference} fails: {type(error).__name__}: {error}"
        notes = "; ".join(getattr(error, "__notes__", []))
        raise InvalidPlayer(" ".join(f"{fault}; {notes}".split())) from None
