"""Positions: a game with its symmetry, enumerated and solved, as arrays that the kernel and all other folders use.

A *position* is a class of boards that symmetries of the game map to each other. It is represented by its canonical
board, the image whose text sorts last. Its ply is the length of the longest path to it, in moves. Positions are
numbered from 0 by ply, then by canonical board in descending text order. So the positions of a ply are a slice, as are
their moves. Every move leads to a higher ply, though not always to the next one.

With symmetry `none` every reachable board is a position of its own.
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
NAMES_KEPT = 100_000  # maximum number of positions of a game whose names of moves are kept in memory


class TextBoards(tuple[Board, ...]):
    """A sequence of boards stored as texts; `index` uses a dictionary that is built on first use.

    >>> TextBoards(("....", "X...")).index("X...")
    1
    """

    @cached_property
    def _numbers(self) -> dict[object, int]:
        return {board: number for number, board in enumerate(self)}

    def index(self, board: object, *_: SupportsIndex) -> int:
        """Return the index of a board.

        Raises:
            ValueError: if there is no such board.
        """
        if board not in self._numbers:
            raise ValueError(f"{board} is not among the boards")
        return self._numbers[board]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Positions(SymmetricGame):
    """All reachable positions of a game and all moves between them, in parallel arrays. Do not modify them.

    `enumerate_positions` computes positions, and a database stores them. The arrays are not checked here;
    `games/enumeration.py` can check them.

    Attributes:
        boards: [positions], the canonical boards; `index` finds a board without a linear search.
        ply: int32 [positions], the length of the longest path to the position, in moves; ascending. A game may have
            reached it in fewer moves.
        to_move: int8 [positions], 0 (X), 1 (O) or -1 (the game is over).
        outcome: int8 [positions], 1 (X has won), 0 (draw), -1 (O has won) or 2 (the game is not over).
        images: int32 [positions], the number of distinct images of the board.
        minimax: int32 [positions], the value under perfect play from X's point of view: 1, 0 or -1.
        plies_to_end: int32 [positions], moves to the end under perfect play; the winner hurries, the loser delays, and
            both delay in a draw.
        first_move: int32 [positions + 1]; the moves of position p have the indices from `first_move[p]` up to, but not
            including, `first_move[p + 1]`.
        action: int32 [moves], ascending within a position; the lowest action represents equivalent ones.
        next_position: int32 [moves], the position after the move.
        multiplicity: int32 [moves], the number of actions on the canonical board that lead to that next position.

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
        # the graph and the names are rebuilt on first use
        return {
            name: value for name, value in self.__dict__.items() if name not in {"graph", "_names", "_descriptions"}
        }

    def __deepcopy__(self, _copies: dict[int, Any]) -> Self:
        return self  # positions are never modified

    def __repr__(self) -> str:
        size = f"{counted(len(self), 'position')}, {counted(self.move_count, 'move')}"
        return f"<{self.title}: {size} (symmetry {self.symmetry})>"

    @property
    def move_count(self) -> int:
        """The number of moves."""
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
        """[moves], the position in which each move is made."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_move))

    @cached_property
    def action_count(self) -> int:
        """One more than the highest action on any board, canonical or not; 9 in tic-tac-toe."""
        # The array contains only the lowest of equivalent actions.
        joined = np.unique(self.position_of_move[self.multiplicity > 1])
        actions = set(self.action.tolist()).union(*(self.game.actions(self.boards[at]) for at in joined.tolist()))
        return 1 + max(symmetry.action(action) for symmetry in self.symmetries for action in actions)

    @cached_property
    def piece_kinds(self) -> tuple[str, ...]:
        """The texts of all pieces that occur on boards, X and O first, without empty cells and gaps.

        This examines every board, which takes seconds for a million boards.
        """
        # one board for each kind of piece
        boards = {piece: board for board in self.boards for piece in self.game.pieces(board)}
        images = {symmetry.board(board) for board in set(boards.values()) for symmetry in self.symmetries}
        kinds = {piece for board in images for piece in self.game.pieces(board)} - {"", GAP}
        return tuple(sorted(kinds, key=lambda kind: (kind != "X", kind != "O", kind)))

    def action_mask(self, board: Board) -> NDArray[np.int8]:
        """Return int8 [action_count], 1 for each action that is legal on a board, as other libraries expect.

        The board is not checked to be valid.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().action_mask("XO..X....").tolist()
        [0, 0, 1, 1, 0, 1, 1, 1, 1]
        """
        mask = np.zeros(self.action_count, np.int8)
        mask[list(self.game.actions(board))] = 1
        return mask

    @cached_property
    def cells(self) -> IntArray:
        """[positions], the number of actions: moves counted with their multiplicities."""
        return self.sum_over_moves(self.multiplicity).astype(np.int32)

    @cached_property
    def optimal(self) -> NDArray[np.bool_]:
        """[moves], whether the move keeps the minimax value of its position."""
        keeps: NDArray[np.bool_] = self.minimax[self.next_position] == self.minimax[self.position_of_move]
        return keeps

    @cached_property
    def plies(self) -> tuple[tuple[slice, slice], ...]:
        """For each ply but the last, the slice of its positions and the slice of their moves, which is never empty."""
        starts = np.searchsorted(self.ply, np.arange(self.longest + 2))
        return tuple(
            (slice(start, end), slice(int(self.first_move[start]), int(self.first_move[end])))
            for start, end in zip(starts[:-2].tolist(), starts[1:-1].tolist(), strict=True)
        )

    @cached_property
    def movers(self) -> tuple[int, ...]:
        """For each entry of `plies`, the side (0 for X, 1 for O) to move on all of its unfinished boards."""
        return tuple(int(self.to_move[positions].max()) for positions, _ in self.plies)

    @cached_property
    def next_or_end(self) -> NDArray[np.int32]:
        """[moves], the next position, or -2 minus the outcome (-1 to -3) if the move ends the game.

        With this table, the hot loop of the kernel reads one number for each move instead of two.
        """
        outcome = self.outcome[self.next_position].astype(np.int32)
        return np.where(outcome == ONGOING, self.next_position, -2 - outcome)

    @cached_property
    def graph(self) -> kernel.Graph:
        """The game as a graph for the kernel."""
        return kernel.Graph(self)

    def sum_over_moves(self, amounts: NDArray[Any]) -> NDArray[np.float64]:
        """Return [positions], the sum of `amounts` ([moves]) over the moves of each position; exact below 2^53."""
        sums = np.bincount(self.position_of_move, amounts, minlength=len(self))
        return sums.astype(np.float64, copy=False)

    def moved_by(self, side: int) -> NDArray[np.bool_]:
        """Return [positions], whether the given side (0 for X, 1 for O) is to move."""
        moved: NDArray[np.bool_] = self.to_move == side
        return moved

    def moves_of(self, position_id: int) -> range:
        """Return the range of indices of a position's moves."""
        return range(int(self.first_move[position_id]), int(self.first_move[position_id + 1]))

    def move_of(self, position_id: int, action: int) -> int:
        """Return the index of the move of a position with the given action.

        Raises:
            LookupError: if the position has no such action.
        """
        for move in self.moves_of(position_id):
            if self.action[move] == action:
                return move
        raise LookupError(f"position {position_id} has no action {action}")

    def number_of(self, board: Board) -> int:
        """Return the number of the position that a board belongs to.

        Raises:
            LookupError: if no game reaches the board.
        """
        canonical = self.canonical(board)
        try:
            return self.boards.index(canonical)
        except ValueError:
            raise LookupError(f"{self.title} has no position {board}") from None

    def find(self, text: Board) -> tuple[Board, int]:
        """Parse a board as people write it, and return it with the number of its position.

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
        """Return the index of the move that corresponds to each action on a board, in ascending order of actions.

        Raises:
            LookupError: if no game reaches the board.

        >>> from menace.games.enumeration import tictactoe
        >>> tictactoe().moves_by_action("....X....")  # all corners are equivalent, and so are all edges
        {0: 13, 1: 14, 2: 13, 3: 14, 5: 14, 6: 13, 7: 14, 8: 13}
        """
        move_to = self._moves_to(self.number_of(board))
        play = self.game.play
        return {action: move_to[self.number_of(play(board, action))] for action in self.game.actions(board)}

    def _moves_to(self, position: int) -> dict[int, int]:
        """Return the moves of a position, keyed by the next position, which differs for each move."""
        moves = self.moves_of(position)
        return dict(zip(self.next_position[moves.start : moves.stop].tolist(), moves, strict=True))

    @cached_property
    def _names(self) -> dict[int, dict[str, int]]:
        return {}

    @cached_property
    def _descriptions(self) -> dict[int, tuple[Board, tuple[str, ...]]]:
        return {}

    def moves_by_name(self, position: int) -> dict[str, int]:
        """Return the index of the move that corresponds to each action on a position's board, by the action's name.

        The dictionary is shared: do not change it.

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
        """Return the canonical board on which a move is made, and the names of the actions that it represents.

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
        """Return (position, move) for each ply of a game given by its actions on the actual boards.

        Raises:
            IllegalMove: if an action is not legal where it is played.
        """
        board, position, path = self.game.initial, 0, []
        for action in actions:
            board = self.game.play(board, action)
            after = self.number_of(board)
            path.append((position, self._moves_to(position)[after]))
            position = after
        return path


def check_same_game(positions: Positions, *others: Positions) -> None:
    """Raise InvalidGame unless all positions belong to the same game with the same symmetry.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> check_same_game(enumerate_positions(get_game()), enumerate_positions(get_game(), "none"))
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: a player for 5,478 positions cannot play a game of 765; use players for one game
    """
    for other in others:
        if (len(other), other.move_count) != (len(positions), positions.move_count):
            raise InvalidGame(
                f"a player for {counted(len(other), 'position')} cannot play a game of {len(positions):,};"
                " use players for one game"
            )
