"""A Gymnasium environment for one side of a game, with any menace player on the other side.

Importing this module registers each of menace's games, such as `menace/tictactoe-v0`.
`gymnasium.make("menace.adapters.gymnasium_env:menace/tictactoe-v0")` imports the module automatically. The ID must
include the module's name because Gymnasium 1.0 removed entry points for third-party environments.

Source: Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments", 2024;
https://gymnasium.farama.org/api/env/.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace.adapters.board_states import BoardPolicy, BoardStates
from menace.files.optional_libraries import need_extra
from menace.games import DEFAULT_GAME, GAMES
from menace.games.base import Game, Side, SideText
from menace.games.positions import Positions
from menace.learners.player_to_policy import Player, policy_of

need_extra("gymnasium", "rl")

import gymnasium  # noqa: E402 - imported after the check that it is installed
from gymnasium.spaces import Box, Discrete  # noqa: E402

Observation = NDArray[np.int8]
Info = dict[str, Any]


class SideEnv(gymnasium.Env[Observation, np.int64]):
    """An environment for one side of a game, with reward 1 for a win, -1 for a loss and 0 for a draw.

    An observation is an int8 array [rows, columns, kinds of pieces], with the side's own pieces first. `info` contains
    `action_mask` (int8, 1 for each legal action) and `board` (text). A player that chooses an illegal action loses the
    game.

    Args:
        plays: the side, `X` or `O`.
        opponent: a machine in its current state, the name of a fixed opponent, a policy, a function of the board, a
            table, or weights.
        game: the game's name, its rules, or its positions.
        variant: the variant of the game; None selects the game's default.
        render_mode: `ansi` to render boards as text, or None.

    Raises:
        InvalidGame, InvalidPlayer: if there is no such game, or the opponent cannot play the other side.
        MissingExtra: on import, if Gymnasium is not installed.

    >>> env = SideEnv(opponent="perfect")
    >>> _, info = env.reset(seed=1)
    >>> env.step(0)[-1]["board"], env.step(0)[1]
    ('X...O....', -1.0)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - required

    def __init__(
        self,
        plays: SideText = "X",
        opponent: Player = "random",
        game: str | Game | Positions = DEFAULT_GAME,
        variant: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.side, self.render_mode = Side(plays), render_mode
        # Strings are faster dictionary keys than enum members.
        self._own, self._others = self.side.value, self.side.other.value
        self.states = BoardStates.of_game(game, variant)
        self.opponent = BoardPolicy(policy_of(opponent, self.side.other, self.states.positions))
        self.observation_space = Box(0, 1, self.states.shape, np.int8)
        self.action_space = Discrete(self.states.positions.action_count)
        self._state = self.states.initial
        self._over = True

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Start a new game and, if the opponent plays X, make the opponent's first move."""
        super().reset(seed=seed, options=options)
        self._state, self._over = self.states.initial, False
        self._answer()
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Make a move and then the opponent's reply.

        Raises:
            gymnasium.error.ResetNeeded: if the game is over.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over; call reset() to start another game")
        winner: str | None = self._others
        number = int(action)
        if number in self._state.actions:
            self._state = self.states.after(self._state, number)
            winner = self._own if self._answer() else self._state.outcome
        self._over = winner is not None
        reward = 1.0 if winner == self._own else -1.0 if winner == self._others else 0.0
        observation, info = self._seen()
        return observation, reward, self._over, False, info

    def _answer(self) -> bool:
        """If it is the opponent's turn, make the opponent's move; return whether the opponent resigned."""
        if self._state.to_move != self._others:
            return False
        action = self.opponent.choose(self._state.board, self.np_random)
        if action is not None:
            self._state = self.states.after(self._state, action)
        return action is None

    def _seen(self) -> tuple[Observation, Info]:
        return self._state.seen_by[self._own].copy(), {
            "action_mask": self._state.mask.copy(),
            "board": self._state.board,
        }

    def render(self) -> str | None:  # type: ignore[override]
        """Return the board as text, or None if the environment was made without a render mode."""
        return self.states.game.draw(self._state.board) if self.render_mode == "ansi" else None


for _name in GAMES:
    gymnasium.register(f"menace/{_name}-v0", f"{__name__}:SideEnv", kwargs={"game": _name})
