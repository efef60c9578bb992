"""Enumerates every reachable position of a game and every move between them, and solves the game.

By the rules on arrays, a ply at a time, if the game has them; else by the rules on text.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from menace.games import get_game
from menace.games.base import NO_SIDE, ONGOING, ArrayRules, Board, Game, Side
from menace.games.positions import Positions, TextBoards
from menace.games.solution import solve
from menace.games.symmetry import SymmetricGame, SymmetryUse
from menace.games.walk_positions import longest_ways, over_limit, walk

if TYPE_CHECKING:
    from numpy.typing import NDArray


BOARDS_AT_ONCE = 10_000  # that are decoded
ACTION_BITS = 6  # a code of 64 bits has no room for a board of more than 32 cells
LAST_ACTION = 2**ACTION_BITS - 1
CODES_AT_ONCE = 2**14  # whose images are made


class CodedBoards(Sequence[Board]):
    """Boards kept as codes, eight bytes each, and decoded on access.

    >>> game = get_game()
    >>> boards = CodedBoards(game, np.array([game.encode("XO......."), game.encode("X...O....")], np.uint64))
    >>> boards[1], len(boards), boards.index("X...O....")
    ('X...O....', 2, 1)
    """

    def __init__(self, rules: ArrayRules, codes: NDArray[np.uint64]) -> None:
        self._rules, self._codes = rules, codes

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Board]: ...
    def __getitem__(self, index: int | slice) -> Board | Sequence[Board]:
        if isinstance(index, slice):
            return self._rules.decode(self._codes[index])
        return self._rules.decode(self._codes[[index]])[0]

    def __iter__(self) -> Iterator[Board]:
        for start in range(0, len(self), BOARDS_AT_ONCE):
            yield from self[start : start + BOARDS_AT_ONCE]

    def __len__(self) -> int:
        return len(self._codes)

    @functools.cached_property
    def _ascending(self) -> NDArray[np.intp]:
        return np.argsort(self._codes)

    def index(self, board: object, *_: SupportsIndex) -> int:
        """Return the number of a board. Raises ValueError if there is no such board."""
        code = np.uint64(self._rules.encode(str(board)))
        rank = np.searchsorted(self._codes, code, sorter=self._ascending)
        number = int(self._ascending[rank % len(self)])
        if self._codes[number] != code:
            raise ValueError(f"{board} is not among the boards")
        return number


def enumerate_positions(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """Find every reachable position, by the rules on arrays if the game brings them, else by the rules on text.

    Args:
        game: the rules.
        symmetry: `full` joins all images of a board to one position; `none` keeps each board apart.
        limit: the most positions to find, or None for as many as there are.

    Raises:
        InvalidGame: if there are more than `limit`, `symmetry` is unknown, or the game is not one that can be played
            here: a board can come up twice in it, or the turn does not pass with each move.

    >>> from menace.games import get_game
    >>> len(enumerate_positions(get_game()))
    765
    """
    if isinstance(game, ArrayRules):
        return _enumerate_codes(game, game, symmetry, limit)
    return enumerate_by_text(game, symmetry, limit)


@functools.cache
def tictactoe() -> Positions:
    """Return the positions of tic-tac-toe, with symmetry: the same each time. Do not write into them.

    >>> positions = tictactoe()
    >>> positions.boards[:4]
    ['.........', 'X........', '.X.......', '....X....']
    """
    return enumerate_positions(get_game())


def enumerate_by_text(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """As `enumerate_positions`, by the rules on text alone: for any game, and slower.

    >>> positions = enumerate_by_text(get_game(variant="2x2x2"))
    >>> positions.boards, int(positions.minimax[0])  # two in a row: X wins
    (('....', 'X...', 'XO..', 'X..O', 'XXO.', 'XO.X'), 1)
    """
    walked = walk(SymmetricGame(game, symmetry), limit)
    ply = longest_ways(game, walked)
    order = sorted(range(len(ply)), key=walked.boards.__getitem__, reverse=True)
    order.sort(key=ply.__getitem__)
    number = np.empty(len(ply), np.int32)
    number[order] = np.arange(len(ply), dtype=np.int32)
    moves = np.array([move for old in order for move in walked.moves[old]], np.int32).reshape(-1, 3)
    return _solved(
        Positions(
            game,
            symmetry,
            boards=TextBoards(walked.boards[old] for old in order),
            ply=np.array(ply, np.int32)[order],
            to_move=np.array(walked.to_move, np.int8)[order],
            outcome=np.array(walked.outcome, np.int8)[order],
            images=np.array(walked.images, np.int32)[order],
            minimax=np.empty(len(ply), np.int32),
            plies_to_end=np.empty(len(ply), np.int32),
            first_move=np.cumsum([0, *(len(walked.moves[old]) for old in order)], dtype=np.int32),
            action=moves[:, 0].copy(),
            next_position=number[moves[:, 1]],
            multiplicity=moves[:, 2].copy(),
        )
    )


def _solved(positions: Positions) -> Positions:
    solve(positions)
    return positions


def _enumerate_codes(game: Game, rules: ArrayRules, symmetry: SymmetryUse, limit: int | None) -> Positions:
    """Find the positions ply by ply, since every way to a board takes equally many moves."""
    plies: list[tuple[NDArray[Any], ...]] = []
    branches: list[tuple[NDArray[Any], ...]] = []
    symmetries = len(SymmetricGame(game, symmetry).symmetries)
    codes = _canonical_codes(rules, np.array([rules.encode(game.initial)], np.uint64), symmetries)
    count = 0
    while codes.size:
        if limit is not None and count + codes.size > limit:
            raise over_limit(game, limit, count + codes.size)
        outcome = rules.outcomes(codes)
        ply = np.full(codes.size, len(plies), np.int32)
        to_move = _to_move(game, rules, codes, outcome)
        branch, children = _branch(rules, codes, outcome, symmetries, first_child=count + codes.size)
        plies.append((codes, ply, to_move, outcome, _count_images(rules, codes, symmetries)))
        branches.append(branch)
        count += codes.size
        codes = children
    codes, ply, to_move, outcome, images = _joined(plies)
    counts, action, next_position, multiplicity = _joined(branches)
    first_move = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    action, multiplicity = action.astype(np.int32), multiplicity.astype(np.int32)
    return _solved(
        Positions(
            game,
            symmetry,
            boards=CodedBoards(rules, codes),
            ply=ply,
            to_move=to_move,
            outcome=outcome,
            images=images,
            minimax=np.empty(count, np.int32),
            plies_to_end=np.empty(count, np.int32),
            first_move=first_move,
            action=action,
            next_position=next_position,
            multiplicity=multiplicity,
        )
    )


def _joined(parts: list[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """Return the columns of all parts; takes the parts away as it goes, so that no column is there twice for long."""
    columns = [list(column) for column in reversed(list(zip(*parts, strict=True)))]
    parts.clear()
    return [np.concatenate(columns.pop()) for _ in range(len(columns))]


def _to_move(game: Game, rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return who is to move on the boards of one ply: on all that are not over the one who moves on the first."""
    to_move = np.full(codes.size, NO_SIDE, np.int8)
    ongoing = outcome == ONGOING
    if ongoing.any():
        to_move[ongoing] = Side(game.to_move(rules.decode(codes[ongoing][:1])[0])).number
    return to_move


def _branch(
    rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8], symmetries: int, first_child: int
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.uint64]]:
    """Return the moves of one ply and the positions they lead to.

    The moves are columns: how many from each position; action, next position and multiplicity of each.
    """
    ongoing = np.flatnonzero(outcome == ONGOING)
    parent, action, code = rules.successors(codes[ongoing])
    children, rank = np.unique(_canonical_codes(rules, code, symmetries), return_inverse=True)
    del code  # millions of them, and memory is short here
    rank = children.size - 1 - rank  # descending
    parent, action, rank, multiplicity = _joined_moves(parent, action, rank)
    counts = np.bincount(ongoing[parent], minlength=codes.size)
    next_position = (first_child + rank).astype(np.int32)
    # A code of 64 bits has no room for a board with more actions than 16 bits can number.
    return (counts, action.astype(np.int16), next_position, multiplicity.astype(np.int16)), children[::-1]


def _joined_moves(
    parent: NDArray[np.int64], action: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Join moves that lead from one position to the same next one: the lowest action stands for all, and is counted.

    Each move is packed into a number of 64 bits, since numbers are sorted in a fraction of the time of their order.

    Returns:
        parent, action, rank, multiplicity: [joined moves], by parent, then by action.
    """
    ranks = int(rank.max()).bit_length() if rank.size else 0
    moves = np.sort((parent << ranks | rank) << ACTION_BITS | action)
    starts = np.flatnonzero(np.diff(moves >> ACTION_BITS, prepend=-1))
    multiplicity = np.diff(starts, append=moves.size)
    moves = moves[starts]
    parent, rank, action = moves >> ranks + ACTION_BITS, moves >> ACTION_BITS & (1 << ranks) - 1, moves & LAST_ACTION
    moves = np.sort(((parent << ACTION_BITS | action) << ranks | rank) << ACTION_BITS | multiplicity)
    multiplicity, moves = moves & LAST_ACTION, moves >> ACTION_BITS
    rank, moves = moves & (1 << ranks) - 1, moves >> ranks
    return moves >> ACTION_BITS, moves & LAST_ACTION, rank, multiplicity


def _canonical_codes(rules: ArrayRules, codes: NDArray[np.uint64], symmetries: int) -> NDArray[np.uint64]:
    if symmetries == 1:
        return codes
    canonical = np.empty_like(codes)
    for here in _blocks(codes):
        rules.images(codes[here]).max(axis=0, out=canonical[here])
    return canonical


def _blocks(codes: NDArray[np.uint64]) -> Iterator[slice]:
    """Yield slices of so few codes that all their images stay in the processor's cache."""
    for start in range(0, codes.size, CODES_AT_ONCE):
        yield slice(start, start + CODES_AT_ONCE)


def _count_images(rules: ArrayRules, codes: NDArray[np.uint64], symmetries: int) -> NDArray[np.int32]:
    """Count the different images of each board: the group's order over that of the board's stabiliser."""
    if symmetries == 1:
        return np.ones(codes.size, np.int32)
    images = np.empty(codes.size, np.int32)
    for here in _blocks(codes):
        # On a board one cell wide some symmetries do the same; their number divides out.
        images[here] = symmetries // (rules.images(codes[here]) == codes[here]).sum(axis=0)
    return images
