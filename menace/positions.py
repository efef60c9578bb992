"""Canonical boards, and the enumeration of every reachable position of a game.

A *position* is one class of boards that the game's symmetries carry into each other; its name is its canonical
board, the image whose text sorts last. Positions are numbered from 0 by ply, then by canonical board in descending
text order, so that children always have larger numbers than their parents.

With symmetry `none` every reachable board is a position of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from menace.errors import IllegalMove, InvalidGame
from menace.games.base import ONGOING, OUTCOME_OF_NUMBER, SIDES, Board, Game, Outcome, Side, Symmetry

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


@dataclass(frozen=True)
class Positions:
    """Every reachable position of a game and every move between them, as arrays.

    Attributes:
        codes: uint64 [positions], the canonical boards as codes of the game.
        ply: int8 [positions], moves made so far.
        outcome: int8 [positions], `X_WINS`, `DRAW`, `O_WINS` or `ONGOING`.
        images: int8 [positions], how many different boards the position stands for.
        first_move: int64 [positions + 1]; the moves of position p are `first_move[p]` up to `first_move[p + 1]`.
        action: int8 [moves], ascending within a position.
        next_position: int32 [moves].
        multiplicity: int8 [moves], how many actions of the canonical board lead to that next position.
    """

    game: Game
    symmetry: SymmetryUse
    codes: NDArray[np.uint64]
    ply: NDArray[np.int8]
    outcome: NDArray[np.int8]
    images: NDArray[np.int8]
    first_move: NDArray[np.int64]
    action: NDArray[np.int8]
    next_position: NDArray[np.int32]
    multiplicity: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.codes)

    def board(self, position_id: int) -> Board:
        """Return the canonical board of a position."""
        return self.game.decode(int(self.codes[position_id]))

    def to_move(self, position_id: int) -> Side | None:
        """Return whose move it is, or None when the game is over."""
        over = self.outcome[position_id] != ONGOING
        return None if over else SIDES[int(self.ply[position_id]) % 2]

    def outcome_text(self, position_id: int) -> Outcome | None:
        """Return `X`, `O` or `draw`, or None while the game goes on."""
        return OUTCOME_OF_NUMBER[int(self.outcome[position_id])]


def enumerate_positions(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """Find every reachable position, ply by ply.

    Args:
        game: the rules.
        symmetry: `full` joins all images of a board to one position; `none` keeps each board apart.
        limit: the most positions to find, or None for as many as there are.

    Raises:
        InvalidGame: if there are more than `limit`, or `symmetry` is unknown.

    >>> from menace.games import get_game
    >>> len(enumerate_positions(get_game()))
    765
    """
    import numpy as np

    plies: list[tuple[NDArray[Any], ...]] = []
    branches: list[tuple[NDArray[Any], ...]] = []
    codes = _canonical_codes(game, np.array([game.encode(game.initial)], np.uint64), symmetry)
    found = 0
    while codes.size:
        if limit is not None and found + codes.size > limit:
            raise InvalidGame(f"{game.name} {game.variant} has more than {limit:,} positions, the most that fit here")
        outcome = game.outcomes(codes)
        images = _count_images(game, codes, symmetry)
        branch, children = _branch(game, codes, outcome, symmetry, first_child=found + codes.size)
        plies.append((codes, np.full(codes.size, len(plies), np.int8), outcome, images))
        branches.append(branch)
        found += codes.size
        codes = children
    codes, ply, outcome, images = (np.concatenate(column) for column in zip(*plies, strict=True))
    counts, action, next_position, multiplicity = (np.concatenate(column) for column in zip(*branches, strict=True))
    first_move = np.concatenate(([0], np.cumsum(counts)))
    return Positions(game, symmetry, codes, ply, outcome, images, first_move, action, next_position, multiplicity)


def _branch(
    game: Game, codes: NDArray[np.uint64], outcome: NDArray[np.int8], symmetry: SymmetryUse, first_child: int
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.uint64]]:
    """Return the moves of one ply and the positions they lead to.

    The moves are columns: how many from each position; action, next position and multiplicity of each.
    """
    import numpy as np

    ongoing = np.flatnonzero(outcome == ONGOING)
    moves = game.successors(codes[ongoing])
    children, rank = np.unique(_canonical_codes(game, moves.code, symmetry), return_inverse=True)
    rank = children.size - 1 - rank  # descending
    # Moves that lead from one position to the same next one are equivalent; the first has the lowest action.
    _, first, multiplicity = np.unique(moves.parent * children.size + rank, return_index=True, return_counts=True)
    order = np.argsort(first)
    first, multiplicity = first[order], multiplicity[order]
    counts = np.bincount(ongoing[moves.parent[first]], minlength=codes.size)
    next_position = (first_child + rank[first]).astype(np.int32)
    parts = (counts, moves.action[first].astype(np.int8), next_position, multiplicity.astype(np.int8))
    return parts, children[::-1]


def _canonical_codes(game: Game, codes: NDArray[np.uint64], symmetry: SymmetryUse) -> NDArray[np.uint64]:
    if len(symmetries_in_use(game, symmetry)) == 1:
        return codes
    canonical: NDArray[np.uint64] = game.images(codes).max(axis=0)
    return canonical


def _count_images(game: Game, codes: NDArray[np.uint64], symmetry: SymmetryUse) -> NDArray[np.int8]:
    """Count the different images of each board: the group's order over that of the board's stabiliser."""
    import numpy as np

    if len(symmetries_in_use(game, symmetry)) == 1:
        return np.ones(codes.size, np.int8)
    images = game.images(codes)
    # On a board one cell wide some symmetries do the same; their number divides out.
    stabiliser: NDArray[np.int64] = (images == codes).sum(axis=0)
    return (len(game.symmetries) // stabiliser).astype(np.int8)
