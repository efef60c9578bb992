"""What the environments of other libraries tell of a board, worked out once for each board and kept."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.games import DEFAULT_GAME, get_game
from menace.games.base import Board, Game, Outcome, Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.policy import Policy

KEPT = 100_000  # boards that are remembered, of a kilobyte each; then they begin anew

IntArray = NDArray[np.int8]


class BoardState(NamedTuple):
    """A board, and what a library asks of it. Whoever hands an array on hands on a copy.

    Attributes:
        board: itself.
        to_move: the side that moves there, as text; None once the game is over.
        outcome: of the game; None while it goes on.
        actions: that are legal there.
        mask: int8 [actions of the game], 1 where one is legal.
        seen_by: for X and for O int8 [rows, columns, kinds], as `BoardStates.observation` says.
        after: for each action that was taken there so far the next board's state.
    """

    board: Board
    to_move: str | None
    outcome: Outcome | None
    actions: tuple[int, ...]
    mask: IntArray
    seen_by: dict[str, IntArray]
    after: dict[int, BoardState]

    def __deepcopy__(self, memo: dict[int, object]) -> BoardState:
        return self  # a state of OpenSpiel's is copied for each move that is looked at; what is known is shared


@dataclass(eq=False)
class BoardStates:
    """A game, and what is known of its boards.

    Attributes:
        positions: the game.
        states: by board.
    """

    positions: Positions
    states: dict[Board, BoardState] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, object]) -> BoardStates:
        return self

    @classmethod
    def of_game(cls, game: str | Game | Positions = DEFAULT_GAME, variant: str | None = None) -> BoardStates:
        """Return those of a game: by its name the same each time.

        Raises:
            InvalidGame: as `get_game`.

        >>> BoardStates.of_game("nim", "1-2").positions
        <nim 1-2: 7 positions, 8 moves (symmetry full)>
        """
        if isinstance(game, str):
            return _states_by_name(game, variant)
        return cls(game if isinstance(game, Positions) else enumerate_positions(get_game(game, variant)))

    @property
    def game(self) -> Game:
        """The rules."""
        return self.positions.game

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of an observation: rows, columns, kinds of pieces."""
        return *self.game.shape, len(self.positions.piece_kinds)

    @property
    def initial(self) -> BoardState:
        """The board before the first move."""
        return self.of(self.game.initial)

    def of(self, board: Board) -> BoardState:
        """Return the state of a board. Not checked: that it is one.

        >>> state = BoardStates.of_game().of("XO.......")
        >>> state.to_move, state.outcome, state.mask.tolist()
        ('X', None, [0, 0, 1, 1, 1, 1, 1, 1, 1])
        """
        state = self.states.get(board)
        if state is None:
            if len(self.states) >= KEPT:
                self._forget()
            outcome = self.game.outcome(board)
            to_move = None if outcome else Side(self.game.to_move(board)).value
            mask, actions = self.positions.action_mask(board), self.game.actions(board)
            seen_by = {side.value: self.observation(board, side) for side in Side}
            state = self.states[board] = BoardState(board, to_move, outcome, actions, mask, seen_by, {})
        return state

    def _forget(self) -> None:
        for state in self.states.values():
            state.after.clear()  # else the boards that are played on now keep all others
        self.states.clear()

    def after(self, state: BoardState, action: int) -> BoardState:
        """Return the state after an action.

        Raises:
            IllegalMove: if it is not legal there.
        """
        following = state.after.get(action)
        if following is None:
            following = state.after[action] = self.of(self.game.play(state.board, action))
        return following

    def observation(self, board: Board, side: Side) -> IntArray:
        """Return int8 [rows, columns, kinds]: where a piece of each kind stands, as a side sees it.

        The kinds are those of `piece_kinds`, but where X and O both are kinds, a side's own come first.

        >>> BoardStates.of_game("tictactoe", "2x2x2").observation("XO..", Side.O)[0].tolist()  # of X, and of O
        [[0, 1], [1, 0]]
        """
        kinds = list(self.positions.piece_kinds)
        if side is Side.O and kinds[:2] == ["X", "O"]:
            kinds[:2] = ["O", "X"]
        pieces = self.game.pieces(board)
        planes = [[piece == kind for kind in kinds] for piece in pieces]
        return np.array(planes, np.int8).reshape(self.shape)


@lru_cache(maxsize=8)
def _states_by_name(game: str, variant: str | None) -> BoardStates:
    return BoardStates(enumerate_positions(get_game(game, variant)))


@dataclass(eq=False)
class BoardPolicy:
    """A policy by action on the board that is played, each board's odds worked out once.

    Attributes:
        policy: the player's.
        odds_of: by board, how likely each action is.
        sums_of: by board, the actions and the running sums of their odds.
    """

    policy: Policy
    odds_of: dict[Board, dict[int, float]] = field(default_factory=dict)
    sums_of: dict[Board, tuple[list[int], list[float]]] = field(default_factory=dict)

    def odds(self, board: Board) -> dict[int, float]:
        """Return how likely each action is; they sum to 1 less the probability that the player resigns.

        Raises:
            UnreachableBoard, InvalidPlayer: as `Policy.odds`.

        >>> from menace.learners.player import policy_of
        >>> BoardPolicy(policy_of("perfect", "O")).odds("X...O...X")
        {1: 0.25, 2: 0.0, 3: 0.25, 5: 0.25, 6: 0.0, 7: 0.25}
        """
        if board not in self.odds_of:
            if len(self.odds_of) >= KEPT:
                self.odds_of.clear()
            game = self.policy.positions.game
            self.odds_of[board] = {
                game.parse_action(board, name): share for name, share in self.policy.odds(board).items()
            }
        return self.odds_of[board]

    def choose(self, board: Board, random: np.random.Generator) -> int | None:
        """Return the action that the player takes, by one number of `random`; None if it resigns.

        Raises:
            UnreachableBoard, InvalidPlayer: as `Policy.odds`.
        """
        if board not in self.sums_of:
            if len(self.sums_of) >= KEPT:
                self.sums_of.clear()
            odds = self.odds(board)
            self.sums_of[board] = list(odds), list(accumulate(odds.values()))
        actions, sums = self.sums_of[board]
        number = bisect_right(sums, random.random())
        if number < len(actions):
            return actions[number]
        resigns = self.policy.resigns[self.policy.positions.find(board)[1]] > 0
        return None if resigns else max(actions, key=self.odds(board).__getitem__)  # what rounding left
