"""Python functions and files as players: each function is called for every position and kept as a table."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidGame, InvalidPlayer, MenaceError
from menace.games.base import Side, SideText
from menace.games.plugins import callable_in_file, is_file, plugin_fault
from menace.games.positions import Positions
from menace.learners.policy import Policy
from menace.text.wording import counted

DIGITS = 12  # of the hash, in a name: 48 bits
LONGEST = 40  # characters of a name before the digits
NAMED = re.compile(rf"[^\s@,:]{{1,{LONGEST}}}@[0-9a-f]{{{DIGITS}}}\b")
SUM_MOST = 2**31 - 1  # of a position's weights, in the kernel

_tables: dict[str, TabulatedPolicy] = {}  # that this process has met, by name


@dataclass(frozen=True, eq=False)
class TabulatedPolicy:
    """A player as a table of its weights.

    Attributes:
        name: that runs have, with the first digits of the hash.
        plays: its side.
        game: the title of its game, and how that joins boards to positions, such as `tictactoe 3x3x3 full`.
        weights: int32 [moves]; those of the other side are the multiplicities.
    """

    name: str
    plays: Side
    game: str
    weights: NDArray[np.int32]

    @property
    def hash(self) -> str:
        """The SHA-256 of its game, side and weights, in hexadecimal digits."""
        return _hash(self.game, self.plays, self.weights)


def is_tabulated(text: str) -> bool:
    """Say whether a text names a table (whether or not this process has met it).

    >>> is_tabulated("novice@1a2b3c4d5e6f"), is_tabulated("random"), is_tabulated("random:9,novice@1a2b3c4d5e6f")
    (True, False, False)
    """
    return NAMED.fullmatch(text) is not None


def names_within(text: str) -> Iterator[str]:
    """Yield the names of tables that a player's text has: it may be such a name, or a curriculum with some.

    >>> list(names_within("random:100,novice@1a2b3c4d5e6f:50,perfect"))
    ['novice@1a2b3c4d5e6f']
    """
    return (match[0] for match in NAMED.finditer(text))


def tabulate(policy: Policy) -> TabulatedPolicy:
    """Return the table of a policy, which this process knows by its name from now on.

    Raises:
        InvalidPlayer: if the policy may resign, or its weights cannot be brought to whole numbers.

    >>> novice = tabulate(Policy.from_function(lambda board, moves: moves[0], plays="O"))
    >>> novice.name, tabulated(novice.name) is novice
    ('lambda@d9da4ba60e96', True)
    """
    game, weights = game_of(policy.positions), policy.whole_weights
    if not _are_playable(weights, policy.positions):
        raise InvalidPlayer(f"the weights of {policy.name} cannot be brought to whole numbers; take smaller ones")
    word = re.sub(r"[\s@,:<>]+", "_", policy.name).strip("_")[:LONGEST] or "policy"
    name = f"{word}@{_hash(game, policy.plays, weights)[:DIGITS]}"
    return _tables.setdefault(name, TabulatedPolicy(name, policy.plays, game, weights))


def restore(name: str, plays: Side, digest: str, content: bytes, positions: Positions) -> None:
    """Let this process know a table that was kept.

    Args:
        name: that runs have.
        plays: its side.
        digest: its hash.
        content: the weights, four bytes each, lowest first.
        positions: of its game.

    Raises:
        ValueError: if these do not belong together, or are no table of this game.
    """
    if len(content) != 4 * positions.move_count:
        raise ValueError(f"policy {name} has {counted(len(content), 'byte')}, not four for each move of the game")
    weights = np.frombuffer(content, "<i4").astype(np.int32)
    table = TabulatedPolicy(name, plays, game_of(positions), weights)
    if not is_tabulated(name) or table.hash != digest or not name.endswith(f"@{digest[:DIGITS]}"):
        raise ValueError(f"policy {name} does not have the table that its hash says")
    if not _are_playable(weights, positions):
        raise ValueError(f"policy {name} has weights that cannot be picked by")
    _tables.setdefault(name, table)


def tabulated(name: str) -> TabulatedPolicy:
    """Return a table that this process knows: it was made here, or a database that is in use has it.

    Raises:
        InvalidPlayer: if there is none of this name.
    """
    if name not in _tables:
        raise InvalidPlayer(
            f"no function is kept here as {name!r}; name its file and itself, as in ./my_player.py:novice"
        )
    return _tables[name]


def line_of(plays: Side) -> str:
    """Return how such a player plays, in a line.

    >>> line_of(Side.O)
    'a function that plays O, as a table'
    """
    return f"a function that plays {plays}, as a table"


def game_of(positions: Positions) -> str:
    """Return the title of a game, with how it joins boards.

    >>> from menace.games.enumeration import tictactoe
    >>> game_of(tictactoe())
    'tictactoe 3x3x3 full'
    """
    return f"{positions.title} {positions.symmetry}"


def _hash(game: str, plays: Side, weights: NDArray[np.int32]) -> str:
    return hashlib.sha256(f"{game} {plays}\n".encode() + weights.astype("<i4").tobytes()).hexdigest()


def _are_playable(weights: NDArray[np.int32], positions: Positions) -> bool:
    """Say whether the kernel can pick by these weights."""
    sums = positions.sum_over_moves(weights)[positions.position_of_move]
    return bool((weights >= 0).all() and (sums >= 1).all() and (sums <= SUM_MOST).all())


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
