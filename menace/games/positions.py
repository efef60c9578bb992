"""Canonical boards, and the enumeration of every reachable position of a game.

A *position* is one class of boards that the game's symmetries carry into each other; its name is its canonical
board, the image whose text sorts last. Its ply is the most moves that can have been made when it is reached. Positions
are numbered from 0 by ply, then by canonical board in descending text order, so that children always have larger
numbers than their parents.

With symmetry `none` every reachable board is a position of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from menace.errors import IllegalMove, InvalidGame
from menace.games.base import (
    NO_SIDE,
    NUMBER_OF_SIDE,
    ONGOING,
    OUTCOME_OF_NUMBER,
    SIDES,
    ArrayRules,
    Board,
    Game,
    Outcome,
    Side,
    Symmetry,
)
from menace.games.walk import longest_ways, over_limit, walk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SymmetryUse: TypeAlias = Literal["full", "none"]
SYMMETRY_USES: tuple[SymmetryUse, SymmetryUse] = ("full", "none")


def symmetries_in_use(game: Game, symmetry: SymmetryUse) -> tuple[Symmetry, ...]:
    """Return the symmetries that join boards to one position: all of the game's, or the identity alone.

    Raises:
        InvalidGame: if `symmetry` is neither `full` nor `none`.
    """
    if symmetry not in SYMMETRY_USES:
        raise InvalidGame(f"symmetry {symmetry!r} is neither 'full' nor 'none'")
    return game.symmetries if symmetry == "full" else game.symmetries[:1]


def canonical_symmetry(game: Game, board: Board, symmetry: SymmetryUse = "full") -> Symmetry:
    """Return a symmetry that carries `board` to its canonical board (the first in the game's order that does)."""
    return max(symmetries_in_use(game, symmetry), key=lambda s: s.board(board))


def canonical(game: Game, board: Board, symmetry: SymmetryUse = "full") -> Board:
    """Return the canonical board of a board: of all its images, the one whose text sorts last.

    >>> from menace.games import get_game
    >>> canonical(get_game(), "....O...X")
    'X...O....'
    """
    return canonical_symmetry(game, board, symmetry).board(board)


def equivalent_actions(game: Game, board: Board, action: int, symmetry: SymmetryUse = "full") -> tuple[int, ...]:
    """Return every action on `board` that leads to the same position as `action` does, in ascending order.

    Raises:
        IllegalMove: if `action` is not legal on `board`.
    """
    wanted = canonical(game, game.play(board, action), symmetry)
    return tuple(a for a in game.actions(board) if canonical(game, game.play(board, a), symmetry) == wanted)


def canonical_action(game: Game, board: Board, action: int, symmetry: SymmetryUse = "full") -> int:
    """Return the action, on the canonical board of `board`, that stands for `action`: the lowest of its equals.

    Raises:
        IllegalMove: if `action` is not legal on `board`.
    """
    if action not in game.actions(board):
        raise IllegalMove(f"action {action} is not legal on {board}; legal: {game.actions(board)}")
    carry = canonical_symmetry(game, board, symmetry)
    return equivalent_actions(game, carry.board(board), carry.action(action), symmetry)[0]


def actual_actions(game: Game, board: Board, action: int, symmetry: SymmetryUse = "full") -> tuple[int, ...]:
    """Return the actions on `board` for which `action` stands on its canonical board, in ascending order.

    Raises:
        IllegalMove: if `action` is not legal on the canonical board.
    """
    back = canonical_symmetry(game, board, symmetry).inverse()
    return equivalent_actions(game, board, back.action(action), symmetry)


class CodedBoards(Sequence[Board]):
    """Boards kept as codes, eight bytes each, and decoded when they are asked for."""

    def __init__(self, rules: ArrayRules, codes: NDArray[np.uint64]) -> None:
        self._rules, self._codes = rules, codes

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Board]: ...
    def __getitem__(self, index: int | slice) -> Board | Sequence[Board]:
        if isinstance(index, slice):
            return CodedBoards(self._rules, self._codes[index])
        return self._rules.decode(int(self._codes[index]))

    def __len__(self) -> int:
        return len(self._codes)


@dataclass(frozen=True, eq=False)
class Positions:
    """Every reachable position of a game and every move between them, as arrays. Read only.

    Attributes:
        boards: [positions], the canonical boards.
        ply: int32 [positions], the most moves that can have been made; ascending.
        to_move: int8 [positions], 0 (X), 1 (O) or -1 (the game is over), as the rules say.
        outcome: int8 [positions], `X_WINS`, `DRAW`, `O_WINS` or `ONGOING`.
        images: int32 [positions], how many different images the board has.
        first_move: int32 [positions + 1]; the moves of position p are `first_move[p]` up to `first_move[p + 1]`.
        action: int32 [moves], ascending within a position.
        next_position: int32 [moves].
        multiplicity: int32 [moves], how many actions of the canonical board lead to that next position.
    """

    game: Game
    symmetry: SymmetryUse
    boards: Sequence[Board]
    ply: NDArray[np.int32]
    to_move: NDArray[np.int8]
    outcome: NDArray[np.int8]
    images: NDArray[np.int32]
    first_move: NDArray[np.int32]
    action: NDArray[np.int32]
    next_position: NDArray[np.int32]
    multiplicity: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.boards)

    def board(self, position_id: int) -> Board:
        """Return the canonical board of a position."""
        return self.boards[position_id]

    def to_move_text(self, position_id: int) -> Side | None:
        """Return whose move it is, or None when the game is over."""
        side = int(self.to_move[position_id])
        return None if side == NO_SIDE else SIDES[side]

    def outcome_text(self, position_id: int) -> Outcome | None:
        """Return `X`, `O` or `draw`, or None while the game goes on."""
        return OUTCOME_OF_NUMBER[int(self.outcome[position_id])]


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


def enumerate_by_text(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """As `enumerate_positions`, by the rules on text alone: for any game, and slower."""
    import numpy as np

    found = walk(game, symmetries_in_use(game, symmetry), limit)
    ply = longest_ways(game, found)
    order = sorted(range(len(ply)), key=found.boards.__getitem__, reverse=True)
    order.sort(key=ply.__getitem__)
    number = np.empty(len(ply), np.int32)
    number[order] = np.arange(len(ply), dtype=np.int32)
    moves = np.array([move for old in order for move in found.moves[old]], np.int32).reshape(-1, 3)
    return Positions(
        game,
        symmetry,
        tuple(found.boards[old] for old in order),
        np.array(ply, np.int32)[order],
        np.array(found.to_move, np.int8)[order],
        np.array(found.outcome, np.int8)[order],
        np.array(found.images, np.int32)[order],
        np.cumsum([0, *(len(found.moves[old]) for old in order)], dtype=np.int32),
        moves[:, 0].copy(),
        number[moves[:, 1]],
        moves[:, 2].copy(),
    )


def _enumerate_codes(game: Game, rules: ArrayRules, symmetry: SymmetryUse, limit: int | None) -> Positions:
    """Find the positions ply by ply, since every way to a board takes equally many moves."""
    import numpy as np

    plies: list[tuple[NDArray[Any], ...]] = []
    branches: list[tuple[NDArray[Any], ...]] = []
    symmetries = len(symmetries_in_use(game, symmetry))
    codes = _canonical_codes(rules, np.array([rules.encode(game.initial)], np.uint64), symmetries)
    found = 0
    while codes.size:
        if limit is not None and found + codes.size > limit:
            raise over_limit(game, limit, found + codes.size)
        outcome = rules.outcomes(codes)
        ply = np.full(codes.size, len(plies), np.int32)
        to_move = _to_move(game, rules, codes, outcome)
        branch, children = _branch(rules, codes, outcome, symmetries, first_child=found + codes.size)
        plies.append((codes, ply, to_move, outcome, _count_images(rules, codes, symmetries)))
        branches.append(branch)
        found += codes.size
        codes = children
    codes, ply, to_move, outcome, images = _joined(plies)
    counts, action, next_position, multiplicity = _joined(branches)
    first_move = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    action, multiplicity = action.astype(np.int32), multiplicity.astype(np.int32)
    boards = CodedBoards(rules, codes)
    return Positions(
        game, symmetry, boards, ply, to_move, outcome, images, first_move, action, next_position, multiplicity
    )


def _joined(parts: list[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """Return the columns of all parts; takes the parts away as it goes, so that no column is there twice for long."""
    import numpy as np

    columns = [list(column) for column in reversed(list(zip(*parts, strict=True)))]
    parts.clear()
    return [np.concatenate(columns.pop()) for _ in range(len(columns))]


def _to_move(game: Game, rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return who is to move on the boards of one ply: on all that are not over the one who moves on the first."""
    import numpy as np

    to_move = np.full(codes.size, NO_SIDE, np.int8)
    ongoing = outcome == ONGOING
    if ongoing.any():
        to_move[ongoing] = NUMBER_OF_SIDE[game.to_move(rules.decode(int(codes[ongoing][0])))]
    return to_move


def _branch(
    rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8], symmetries: int, first_child: int
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.uint64]]:
    """Return the moves of one ply and the positions they lead to.

    The moves are columns: how many from each position; action, next position and multiplicity of each.
    """
    import numpy as np

    ongoing = np.flatnonzero(outcome == ONGOING)
    parent, action, code = rules.successors(codes[ongoing])
    children, rank = np.unique(_canonical_codes(rules, code, symmetries), return_inverse=True)
    del code  # millions of them, and memory is short here
    rank = children.size - 1 - rank  # descending
    # Moves that lead from one position to the same next one are equivalent; the first has the lowest action.
    first, multiplicity = np.unique(parent * children.size + rank, return_index=True, return_counts=True)[1:]
    order = np.argsort(first)
    first, multiplicity = first[order], multiplicity[order]
    counts = np.bincount(ongoing[parent[first]], minlength=codes.size)
    next_position = (first_child + rank[first]).astype(np.int32)
    # A code of 64 bits has no room for a board with more actions than 16 bits can number.
    return (counts, action[first].astype(np.int16), next_position, multiplicity.astype(np.int16)), children[::-1]


def _canonical_codes(rules: ArrayRules, codes: NDArray[np.uint64], symmetries: int) -> NDArray[np.uint64]:
    if symmetries == 1:
        return codes
    canonical: NDArray[np.uint64] = rules.images(codes).max(axis=0)
    return canonical


def _count_images(rules: ArrayRules, codes: NDArray[np.uint64], symmetries: int) -> NDArray[np.int32]:
    """Count the different images of each board: the group's order over that of the board's stabiliser."""
    import numpy as np

    if symmetries == 1:
        return np.ones(codes.size, np.int32)
    # On a board one cell wide some symmetries do the same; their number divides out.
    stabiliser: NDArray[np.int64] = (rules.images(codes) == codes).sum(axis=0)
    return (symmetries // stabiliser).astype(np.int32)
