"""Convert Python functions to players. A function is called once for every position, and its answers are stored."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidGame, InvalidPlayer, MenaceError
from menace.games.base import Board, Side, SideText
from menace.games.plugins import callable_in_file, is_file, plugin_fault
from menace.games.positions import Positions
from menace.learners.policy import Choice, Policy, PolicyFunction, ask, changed_answer
from menace.text.wording import counted

DIGITS = 12  # number of hexadecimal digits of the hash in a name (48 bits)
LONGEST = 40  # maximum length of the part of a name that precedes the digits
NAMED = re.compile(rf"[^\s@,:]{{1,{LONGEST}}}@[0-9a-f]{{{DIGITS}}}\b")
MAX_SUM = 2**31 - 1  # maximum sum of a position's weights in the kernel

_tables: dict[str, TabulatedPolicy] = {}  # all tables that this process knows, by name


@dataclass(frozen=True, eq=False)
class TabulatedPolicy:
    """A player that is stored as a table of weights.

    Attributes:
        name: the name that runs use, which ends with the first digits of the hash.
        plays: the player's side.
        game: the title and symmetry of the game, such as `tictactoe 3x3x3 full`.
        weights: the weights as int32 [moves]. For the other side's moves, these are the multiplicities.
    """

    name: str
    plays: Side
    game: str
    weights: NDArray[np.int32]

    @property
    def hash(self) -> str:
        """The SHA-256 hash of the game, the side and the weights, in hexadecimal."""
        return _hash(self.game, self.plays, self.weights)


def is_tabulated(text: str) -> bool:
    """Return whether a string has the form of a table's name, even if this process knows no table of that name.

    >>> is_tabulated("novice@1a2b3c4d5e6f"), is_tabulated("random"), is_tabulated("random:9,novice@1a2b3c4d5e6f")
    (True, False, False)
    """
    return NAMED.fullmatch(text) is not None


def tabulated_names(text: str) -> Iterator[str]:
    """Yield the names of the tables in a player's text, which may be the name of a table or a curriculum.

    >>> list(tabulated_names("random:100,novice@1a2b3c4d5e6f:50,perfect"))
    ['novice@1a2b3c4d5e6f']
    """
    return (match[0] for match in NAMED.finditer(text))


def tabulate(policy: Policy) -> TabulatedPolicy:
    """Convert a policy to a table, register the table by name in this process, and return the table.

    Raises:
        InvalidPlayer: if the policy may resign, or its weights cannot be scaled to integers.

    >>> novice = tabulate(Policy.from_function(lambda board, moves: moves[0], plays="O"))
    >>> novice.name, tabulated(novice.name) is novice
    ('lambda@d9da4ba60e96', True)
    """
    game, weights = game_and_symmetry(policy.positions), policy.integer_weights
    if not _are_playable(weights, policy.positions):
        raise InvalidPlayer(f"the weights of {policy.name} cannot be scaled to integers; use smaller weights")
    word = re.sub(r"[\s@,:<>]+", "_", policy.name).strip("_")[:LONGEST] or "policy"
    name = f"{word}@{_hash(game, policy.plays, weights)[:DIGITS]}"
    return _tables.setdefault(name, TabulatedPolicy(name, policy.plays, game, weights))


def restore(name: str, plays: Side, digest: str, content: bytes, positions: Positions) -> None:
    """Register a stored table in this process.

    Args:
        name: the name that runs use.
        plays: the player's side.
        digest: the hash of the table.
        content: the weights as little-endian 32-bit integers.
        positions: the positions of the table's game.

    Raises:
        ValueError: if the arguments do not match each other or do not form a table for this game.
    """
    if len(content) != 4 * positions.move_count:
        raise ValueError(
            f"policy {name} has {counted(len(content), 'byte')} instead of four bytes for each move of the game"
        )
    weights = np.frombuffer(content, "<i4").astype(np.int32)
    table = TabulatedPolicy(name, plays, game_and_symmetry(positions), weights)
    if not is_tabulated(name) or table.hash != digest or not name.endswith(f"@{digest[:DIGITS]}"):
        raise ValueError(f"policy {name} has a table that does not match its hash")
    if not _are_playable(weights, positions):
        raise ValueError(f"policy {name} has invalid weights")
    _tables.setdefault(name, table)


def tabulated(name: str) -> TabulatedPolicy:
    """Return a table that this process created or loaded from an open database.

    Raises:
        InvalidPlayer: if there is no such table.
    """
    if name not in _tables:
        raise InvalidPlayer(
            f"no stored function is called {name!r}; give the file and the function, as in ./my_player.py:novice"
        )
    return _tables[name]


def description_of_table(plays: Side) -> str:
    """Return a one-line description of a player that is stored as a table.

    >>> description_of_table(Side.O)
    'a function that plays O, as a table'
    """
    return f"a function that plays {plays}, as a table"


def game_and_symmetry(positions: Positions) -> str:
    """Return a string that contains a game's title and tells whether the positions use symmetry.

    >>> from menace.games.enumeration import tictactoe
    >>> game_and_symmetry(tictactoe())
    'tictactoe 3x3x3 full'
    """
    return f"{positions.title} {positions.symmetry}"


def _hash(game: str, plays: Side, weights: NDArray[np.int32]) -> str:
    return hashlib.sha256(f"{game} {plays}\n".encode() + weights.astype("<i4").tobytes()).hexdigest()


def _are_playable(weights: NDArray[np.int32], positions: Positions) -> bool:
    """Return whether the kernel can draw moves according to the given weights."""
    sums = positions.sum_over_moves(weights)[positions.position_of_move]
    return bool((weights >= 0).all() and (sums >= 1).all() and (sums <= MAX_SUM).all())


EXAMPLE = "./my_player.py:novice"
varying: dict[str, Board] = {}  # maps a player's name to a board for which the function gave two different answers
_guarded: dict[tuple[str, int], PolicyFunction] = {}  # ensures that each function in a file is wrapped only once


def tabulate_functions(text: str, plays: SideText, positions: Positions) -> str:
    """Return a player's text with each function in a file replaced with the name of the function's table.

    Args:
        text: a function, such as `./my_player.py:novice`, or a curriculum that may contain functions.
        plays: the side that each function plays.
        positions: the game.

    Raises:
        InvalidPlayer: for the same reasons as in `tabulate_file`.
    """
    parts = []
    for part in text.split(","):
        name, colon, games = part.rpartition(":")
        if not games.isdecimal():  # only the last part of a curriculum has no number of games
            name, colon, games = part, "", ""
        parts.append((tabulate_file(name, Side(plays), positions).name if is_file(name) else name) + colon + games)
    return ",".join(parts)


def tabulate_file(reference: str, plays: Side, positions: Positions) -> TabulatedPolicy:
    """Run a Python file, call the function for every position in which the side is to move, and return the table.

    Args:
        reference: the file and the function, such as `./my_player.py:novice`.
        plays: the side.
        positions: the game.

    Raises:
        InvalidPlayer: if the file or function does not exist, the code fails, or the function returns an illegal move.
    """
    function = function_in_file(reference)
    asked = ask(function, plays, positions)
    table, board = tabulate(asked.policy), changed_answer(function, asked)
    if board is not None:
        varying[table.name] = board
    return table


def note_on_chance(name: str, board: Board) -> str:
    """Return a note to print if a player's answers for a board vary."""
    return (
        f"note: {name} makes random choices, for example on board {board}, but only its first answer on each board is"
        " used; return weights, or measure the function with `menace exam --player FILE:FUNCTION --repeats N`"
    )


def function_in_file(reference: str) -> PolicyFunction:
    """Run a Python file, and return its function, wrapped so that any exception becomes a one-line InvalidPlayer error.

    Args:
        reference: the file and the function, such as `./my_player.py:novice`.

    Raises:
        InvalidPlayer: if the file or function does not exist, or the code fails.
    """
    try:
        function = callable_in_file(reference, "function", EXAMPLE)
    except InvalidGame as error:
        raise InvalidPlayer(str(error)) from None

    if (reference, id(function)) in _guarded:
        return _guarded[reference, id(function)]

    @functools.wraps(function)
    def guarded(board: Board, *moves: list[str]) -> Choice:
        try:
            choice: Choice = function(board, *moves)
        except (MenaceError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - any error in external code is reported on one line
            fault = plugin_fault(error) or f"{reference} fails: {type(error).__name__}: {error}"
            asked = f"{guarded.__name__} was asked for a move on board {board}"
            raise InvalidPlayer(" ".join(f"{fault}; {asked}".split())) from None
        return choice

    guarded.__name__ = getattr(function, "__name__", type(function).__name__)
    return _guarded.setdefault((reference, id(function)), guarded)
