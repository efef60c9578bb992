"""Cache board data for the environments of other libraries."""

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

KEPT = 100_000  # maximum number of cached boards, about 1 kB each; a full cache is cleared

IntArray = NDArray[np.int8]


class BoardState(NamedTuple):
    """A board, together with the data that other libraries need. Callers must copy the arrays before passing them on.

    Attributes:
        board: the board.
        to_move: the side to move, as a string; None once the game is over.
        outcome: the outcome of the game; None until the game is over.
        actions: the legal actions.
        mask: int8 [actions of the game], 1 for each legal action.
        seen_by: for X and for O, the observation as int8 [rows, columns, kinds] (see `BoardStates.observation`).
        after: the next state, for each action that has been played from this board so far.
    """

    board: Board
    to_move: str | None
    outcome: Outcome | None
    actions: tuple[int, ...]
    mask: IntArray
    seen_by: dict[str, IntArray]
    after: dict[int, BoardState]

    def __deepcopy__(self, memo: dict[int, object]) -> BoardState:
        return self  # OpenSpiel copies a state for each move that it examines; all copies can share this object


@dataclass(eq=False)
class BoardStates:
    """The cached states of a game's boards.

    Attributes:
        positions: the game.
        states: the cached states by board.
    """

    positions: Positions
    states: dict[Board, BoardState] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, object]) -> BoardStates:
        return self

    @classmethod
    def of_game(cls, game: str | Game | Positions = DEFAULT_GAME, variant: str | None = None) -> BoardStates:
        """Return the cached states of a game's boards.

        If the game is given by name, every call returns the same object.

        Raises:
            InvalidGame: for the same reasons as in `get_game`.

        >>> BoardStates.of_game("nim", "1-2").positions
        <nim 1-2: 7 positions, 8 moves (symmetry full)>
        """
        if isinstance(game, str):
            return _states_by_name(game, variant)
        return cls(game if isinstance(game, Positions) else enumerate_positions(get_game(game, variant)))

    @property
    def game(self) -> Game:
        """The rules of the game."""
        return self.positions.game

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of an observation: rows, columns and kinds of pieces."""
        return *self.game.shape, len(self.positions.piece_kinds)

    @property
    def initial(self) -> BoardState:
        """The board before the first move."""
        return self.of(self.game.initial)

    def of(self, board: Board) -> BoardState:
        """Return the state of a board. The caller must ensure that the board is valid in this game.

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
            state.after.clear()  # without this line, boards that are still in use would keep their successors in memory
        self.states.clear()

    def after(self, state: BoardState, action: int) -> BoardState:
        """Return the state after an action.

        Raises:
            IllegalMove: if the action is not legal on the board.
        """
        following = state.after.get(action)
        if following is None:
            following = state.after[action] = self.of(self.game.play(state.board, action))
        return following

    def observation(self, board: Board, side: Side) -> IntArray:
        """Return the pieces on a board from one side's point of view, as int8 [rows, columns, kinds].

        The kinds follow the order of `piece_kinds`, except that the side's own kind comes first if both X and O are
        kinds.

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
    """A player's policy for boards in any orientation, with a cache of the probabilities for each board.

    Attributes:
        policy: the player's policy.
        odds_of: for each board, the probability of each action.
        sums_of: for each board, the actions and the cumulative sums of the actions' probabilities.
    """

    policy: Policy
    odds_of: dict[Board, dict[int, float]] = field(default_factory=dict)
    sums_of: dict[Board, tuple[list[int], list[float]]] = field(default_factory=dict)

    def odds(self, board: Board) -> dict[int, float]:
        """Return the probability of each action on a board.

        The probabilities sum to 1 minus the probability that the player resigns.

        Raises:
            UnreachableBoard, InvalidPlayer: for the same reasons as in `Policy.odds`.

        >>> from menace.learners.player_to_policy import policy_of
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
        """Return the player's action, chosen with a single draw from `random`, or None if the player resigns.

        Raises:
            UnreachableBoard, InvalidPlayer: for the same reasons as in `Policy.odds`.
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
        # Rounding may leave the sum of the probabilities slightly below 1.
        return None if resigns else max(actions, key=self.odds(board).__getitem__)
