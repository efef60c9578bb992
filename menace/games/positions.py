"""Represent an enumerated and solved game as arrays of positions and moves.

The kernel and most other folders use these arrays.

A *position* is a set of boards that the symmetries of the game map to each other. The canonical board, which is the
image whose text sorts last, represents the position. The ply of a position is the number of moves on the longest path
from the initial position. Positions are numbered from 0, first by ply and then by canonical board in descending text
order. The positions of a ply are therefore contiguous, and so are their moves. Every move leads to a higher ply,
although not always to the next one.

With symmetry `none`, every reachable board is a separate position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidGame, UnreachableBoard
from menace.games.base import DRAW, GAP, ONGOING, Board, Side, board_text
from menace.games.symmetry import SymmetricGame
from menace.kernel import loop as kernel
from menace.text.wording import counted

IntArray = NDArray[np.int32]
NAMES_KEPT = 100_000  # maximum number of positions for which the names of moves are kept in memory


class TextBoards(tuple[Board, ...]):
    """A sequence of boards stored as strings. `index` uses a dictionary that is built on first use.

    >>> TextBoards(("....", "X...")).index("X...")
    1
    """

    @cached_property
    def _number_by_board(self) -> dict[object, int]:
        return {board: number for number, board in enumerate(self)}

    def index(self, board: object, *_: SupportsIndex) -> int:
        """Return the index of a board.

        Raises:
            ValueError: if the board is not in the sequence.
        """
        if board not in self._number_by_board:
            raise ValueError(f"{board} is not among the boards")
        return self._number_by_board[board]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Positions(SymmetricGame):
    """All reachable positions of a game and all moves between them, in parallel arrays that must not be modified.

    `enumerate_positions` computes these arrays, and databases store them. This class does not check the arrays; use
    `check_sound` in games/enumeration.py to check them.

    Attributes:
        boards: [positions], the canonical boards. The `index` method of this sequence avoids a linear search.
        ply: int32 [positions], the length in moves of the longest path to the position, in ascending order. Other paths
            to the position may be shorter.
        to_move: int8 [positions], 0 (X), 1 (O) or -1 (the game is over).
        outcome: int8 [positions], 1 (X has won), 0 (draw), -1 (O has won) or 2 (the game is not over).
        images: int32 [positions], the number of distinct images of the board.
        minimax: int32 [positions], the value under perfect play from X's point of view: 1, 0 or -1.
        plies_to_end: int32 [positions], the number of moves to the end under perfect play, in which the winner shortens
            the game, the loser prolongs it, and both prolong a draw.
        first_move: int32 [positions + 1]. The moves of position p have the indices from `first_move[p]` up to, but not
            including, `first_move[p + 1]`.
        action: int32 [moves], the action of each move, ascending within a position. The lowest action represents all
            equivalent actions.
        next_position: int32 [moves], the position after the move.
        multiplicity: int32 [moves], the number of actions on the canonical board that lead to the same next position.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> positions = enumerate_positions(get_game())
    >>> len(positions), positions.move_count, positions.number_of("....O...X")
    (765, 2096, 6)
    """

    boards: Sequence[Board]
    ply: IntArray
    to_move: NDArray[np.int8]
    outcome: NDArray[np.int8]
    images: IntArray
    minimax: IntArray
    plies_to_end: IntArray
    first_move: IntArray
    action: IntArray
    next_position: IntArray
    multiplicity: IntArray

    def __len__(self) -> int:
        return len(self.ply)

    def __getstate__(self) -> dict[str, Any]:
        # A pickled copy rebuilds its graph and its names on first use.
        return {
            name: value for name, value in self.__dict__.items() if name not in {"graph", "_names", "_descriptions"}
        }

    def __deepcopy__(self, _copies: dict[int, Any]) -> Self:
        return self  # no copy is needed because positions are never modified

    def __repr__(self) -> str:
        size = f"{counted(len(self), 'position')}, {counted(self.move_count, 'move')}"
        return f"<{self.title}: {size} (symmetry {self.symmetry})>"

    @property
    def move_count(self) -> int:
        """The number of moves from all positions."""
        return len(self.action)

    @cached_property
    def has_draws(self) -> bool:
        """Whether a game can end in a draw."""
        return bool((self.outcome == DRAW).any())

    @property
    def winner(self) -> Side | None:
        """The side that wins under perfect play, or None if the game is a draw."""
        return {1: Side.X, -1: Side.O}.get(int(self.minimax[0]))

    @cached_property
    def longest(self) -> int:
        """The length of the longest game, in moves."""
        return int(self.ply[-1])

    @cached_property
    def position_of_move(self) -> IntArray:
        """An array [moves] that contains, for each move, the position in which it is made."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_move))

    @cached_property
    def action_count(self) -> int:
        """One more than the highest action on any board. For tic-tac-toe, this is 9."""
        # The array `action` contains only one action, the lowest, from each set of equivalent actions.
        joined = np.unique(self.position_of_move[self.multiplicity > 1])
        actions = set(self.action.tolist()).union(*(self.game.actions(self.boards[at]) for at in joined.tolist()))
        return 1 + max(symmetry.action(action) for symmetry in self.symmetries for action in actions)

    @cached_property
    def piece_kinds(self) -> tuple[str, ...]:
        """All pieces that can appear on a board, starting with X and O. Empty cells and gaps are excluded.

        Examining a million boards takes several seconds.
        """
        # maps each combination of characters to one board that contains them
        boards = {piece: board for board in self.boards for piece in self.game.pieces(board)}
        images = {symmetry.board(board) for board in set(boards.values()) for symmetry in self.symmetries}
        kinds = {piece for board in images for piece in self.game.pieces(board)} - {"", GAP}
        return tuple(sorted(kinds, key=lambda kind: (kind != "X", kind != "O", kind)))

    def action_mask(self, board: Board) -> NDArray[np.int8]:
        """Return an action mask for other libraries: an int8 array [action_count] with 1 for each legal action.

        The caller must ensure that the board is valid.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().action_mask("XO..X....").tolist()
        [0, 0, 1, 1, 0, 1, 1, 1, 1]
        """
        mask = np.zeros(self.action_count, np.int8)
        mask[list(self.game.actions(board))] = 1
        return mask

    @cached_property
    def action_counts(self) -> IntArray:
        """An array [positions] of the number of actions on each canonical board."""
        return self.sum_over_moves(self.multiplicity).astype(np.int32)

    @cached_property
    def optimal(self) -> NDArray[np.bool_]:
        """A boolean array [moves] that is true for moves that preserve the minimax value of their position."""
        keeps: NDArray[np.bool_] = self.minimax[self.next_position] == self.minimax[self.position_of_move]
        return keeps

    @cached_property
    def plies(self) -> tuple[tuple[slice, slice], ...]:
        """The slice of positions and the slice of moves for each ply except the last."""
        starts = np.searchsorted(self.ply, np.arange(self.longest + 2))
        return tuple(
            (slice(start, end), slice(int(self.first_move[start]), int(self.first_move[end])))
            for start, end in zip(starts[:-2].tolist(), starts[1:-1].tolist(), strict=True)
        )

    @cached_property
    def movers(self) -> tuple[int, ...]:
        """For each entry in `plies`, the side to move on the unfinished boards of that ply (0 for X, 1 for O)."""
        return tuple(int(self.to_move[positions].max()) for positions, _ in self.plies)

    @cached_property
    def next_or_end(self) -> NDArray[np.int32]:
        """An array [moves] of the next position after each move, or -2 minus the outcome if the move ends the game.

        This array allows the kernel's hot loop to read one number per move instead of two.
        """
        outcome = self.outcome[self.next_position].astype(np.int32)
        return np.where(outcome == ONGOING, self.next_position, -2 - outcome)

    @cached_property
    def graph(self) -> kernel.Graph:
        """The game graph in the form that the kernel uses."""
        return kernel.Graph(self)

    def sum_over_moves(self, amounts: NDArray[Any]) -> NDArray[np.float64]:
        """Return, for each position, the sum of `amounts` over the position's moves. Sums below 2^53 are exact."""
        sums = np.bincount(self.position_of_move, amounts, minlength=len(self))
        return sums.astype(np.float64, copy=False)

    def moved_by(self, side: int) -> NDArray[np.bool_]:
        """Return a boolean array [positions] that is true where the given side (0 for X, 1 for O) is to move."""
        moved: NDArray[np.bool_] = self.to_move == side
        return moved

    def moves_of(self, position_id: int) -> range:
        """Return the range of indices of a position's moves."""
        return range(int(self.first_move[position_id]), int(self.first_move[position_id + 1]))

    def move_of(self, position_id: int, action: int) -> int:
        """Return the index of the move with the given action in a position.

        Raises:
            LookupError: if the position has no such action.
        """
        for move in self.moves_of(position_id):
            if self.action[move] == action:
                return move
        raise LookupError(f"position {position_id} has no action {action}")

    def number_of(self, board: Board) -> int:
        """Return the number of the position that contains a board.

        Raises:
            LookupError: if no game reaches the board.
        """
        canonical = self.canonical(board)
        try:
            return self.boards.index(canonical)
        except ValueError:
            raise LookupError(f"{self.title} has no position {board}") from None

    def find(self, text: Board) -> tuple[Board, int]:
        """Parse a board in any notation that people may use, and return the board and the number of its position.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().find("..x .o. ...")
        ('..X.O....', 6)
        """
        board = self.game.parse(board_text(text))
        try:
            return board, self.number_of(board)
        except LookupError:
            raise UnreachableBoard(f"no game of {self.title} reaches board {board}") from None

    def moves_by_action(self, board: Board) -> dict[int, int]:
        """Return a dictionary that maps each action on a board, in ascending order, to the index of its move.

        Raises:
            LookupError: if no game reaches the board.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().moves_by_action("....X....")  # all corners are equivalent, and so are all edges
        {0: 13, 1: 14, 2: 13, 3: 14, 5: 14, 6: 13, 7: 14, 8: 13}
        """
        move_to = self._moves_to(self.number_of(board))
        return {action: move_to[self.number_of(after)] for action, after in self.canonical_after(board).items()}

    def _moves_to(self, position: int) -> dict[int, int]:
        """Return a dictionary that maps each position after `position` to the move that leads there."""
        moves = self.moves_of(position)
        return dict(zip(self.next_position[moves.start : moves.stop].tolist(), moves, strict=True))

    @cached_property
    def _names(self) -> dict[int, dict[str, int]]:
        return {}

    @cached_property
    def _descriptions(self) -> dict[int, tuple[Board, tuple[str, ...]]]:
        return {}

    def moves_by_name(self, position: int) -> dict[str, int]:
        """Return a dictionary that maps the name of each action on a canonical board to the index of the move.

        Callers must not change this shared dictionary.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().moves_by_name(3)  # ....X....
        {'0': 13, '1': 14, '2': 13, '3': 14, '5': 14, '6': 13, '7': 14, '8': 13}
        """
        if position in self._names:
            return self._names[position]
        board, moves = self.boards[position], self.moves_of(position)
        actions = self.action[moves.start : moves.stop].tolist()
        alone = int(self.multiplicity[moves.start : moves.stop].sum()) == len(moves)  # no two actions are equivalent
        by_action = dict(zip(actions, moves, strict=True)) if alone else self.moves_by_action(board)
        named = {self.game.name_of(board, action): move for action, move in by_action.items()}
        if len(self) <= NAMES_KEPT:
            self._names[position] = named
        return named

    def board_and_names(self, move: int) -> tuple[Board, tuple[str, ...]]:
        """Return the canonical board before a move, and the names of all actions that the move represents.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().board_and_names(13)
        ('....X....', ('0', '2', '6', '8'))
        """
        if move in self._descriptions:
            return self._descriptions[move]
        position = int(self.position_of_move[move])
        names = tuple(name for name, made in self.moves_by_name(position).items() if made == move)
        described = self.boards[position], names
        if len(self) <= NAMES_KEPT:
            self._descriptions[move] = described
        return described

    def path(self, actions: Sequence[int]) -> list[tuple[int, int]]:
        """Return a pair (position, move) for each ply of a game, given the game's actions.

        Raises:
            IllegalMove: if an action is not legal on its board.
        """
        board, position, path = self.game.initial, 0, []
        for action in actions:
            board = self.game.play(board, action)
            after = self.number_of(board)
            path.append((position, self._moves_to(position)[after]))
            position = after
        return path


def check_same_game(positions: Positions, *others: Positions) -> None:
    """Raise InvalidGame unless all arguments belong to the same game with the same symmetry.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> check_same_game(enumerate_positions(get_game()), enumerate_positions(get_game(), "none"))
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: a player for 5,478 positions cannot play a game with 765; use players for the same game
    """
    for other in others:
        if (len(other), other.move_count) != (len(positions), positions.move_count):
            raise InvalidGame(
                f"a player for {counted(len(other), 'position')} cannot play a game with {len(positions):,}; "
                "use players for the same game"
            )
