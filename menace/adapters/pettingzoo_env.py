"""PettingZoo environments with the AEC interface for all games.

Importing this module registers each of menace's games, such as `menace/tictactoe-v0`.

Source: Terry et al.,
"PettingZoo: Gym for Multi-Agent Reinforcement Learning", NeurIPS 2021; https://pettingzoo.farama.org/api/aec/.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from menace.adapters.board_states import BoardStates
from menace.files.optional_libraries import need_extra
from menace.games import DEFAULT_GAME, GAMES
from menace.games.base import Game, Side
from menace.games.positions import Positions

need_extra("pettingzoo", "rl")

import pettingzoo  # noqa: E402 - imported after the check that it is installed
from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

AGENTS = ("player_1", "player_2")  # PettingZoo's own games use these names
# Strings are faster dictionary keys than enum members.
SIDE_OF = dict(zip(AGENTS, (side.value for side in Side), strict=True))


class GameEnv(pettingzoo.AECEnv):
    """A game without PettingZoo's wrappers.

    An illegal move raises IllegalMove; in an environment returned by `env`, an agent that makes an illegal move loses
    the game.

    `player_1` is X and `player_2` is O. An agent's observation is a dictionary. The entry `observation` is an int8
    array [rows, columns, kinds of pieces], with the agent's own pieces first. The entry `action_mask` contains only
    zeros while it is the other agent's turn. The winner's reward is 1, and the loser's is -1.

    Args:
        game: the game's name, its rules, or its positions.
        variant: the variant of the game; None selects the game's default.
        render_mode: `ansi` to render boards as text, or None.

    Raises:
        InvalidGame: if there is no such game.
        MissingExtra: on import, if PettingZoo is not installed.
    """

    metadata = {"name": "menace_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - required

    def __init__(
        self,
        game: str | Game | Positions = DEFAULT_GAME,
        variant: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.states, self.render_mode = BoardStates.of_game(game, variant), render_mode
        self.possible_agents = list(AGENTS)
        count = self.states.positions.action_count
        self.action_spaces = {agent: Discrete(count) for agent in AGENTS}
        self.observation_spaces = {
            agent: Dict(
                {"observation": Box(0, 1, self.states.shape, np.int8), "action_mask": Box(0, 1, (count,), np.int8)}
            )
            for agent in AGENTS
        }
        self._nothing = np.zeros(count, np.int8)
        self.state_of_board = self.states.initial

    @property
    def board(self) -> str:
        """The current board."""
        return self.state_of_board.board

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's view of the board and the mask of its legal actions."""
        mask = self.state_of_board.mask if agent == self.agent_selection else self._nothing
        return {"observation": self.state_of_board.seen_by[SIDE_OF[agent]].copy(), "action_mask": mask.copy()}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game. The seed has no effect, because the environment uses no random numbers."""
        self.state_of_board = self.states.initial
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]

    def step(self, action: int | None) -> None:
        """Make a move, or pass None to remove an agent whose game is over.

        Raises:
            IllegalMove: if the action is not legal on the board.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.state_of_board = self.states.after(self.state_of_board, int(action))
        outcome = self.state_of_board.outcome
        if outcome is not None:
            if outcome != "draw":
                self.rewards = {agent: 1.0 if side == outcome else -1.0 for agent, side in SIDE_OF.items()}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = AGENTS[self.agent_selection == AGENTS[0]]

    def render(self) -> str | None:
        """Return the board as text, or None if the environment was made without a render mode."""
        return self.states.game.draw(self.board) if self.render_mode == "ansi" else None


def env(
    game: str | Game | Positions = DEFAULT_GAME, variant: str | None = None, render_mode: str | None = None
) -> pettingzoo.AECEnv:
    """Return a game with PettingZoo's usual wrappers, which end the game with reward -1 after an illegal move.

    The arguments are the same as for `GameEnv`.

    >>> game = env("hexapawn")
    >>> game.reset()
    >>> game.agent_selection, game.observe("player_1")["observation"].shape
    ('player_1', (3, 3, 2))
    """
    bare = GameEnv(game, variant, render_mode)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1))
    )


for _name in GAMES:
    pettingzoo.register("aec", id=f"menace/{_name}-v0", entry_point=f"{__name__}:env", kwargs={"game": _name})
