"""Make menace's games and players available to OpenSpiel, whose algorithms can then evaluate menace's machines.

Importing this module registers each of menace's games, such as `menace_tictactoe(variant=4x4x3)`. Quote variants that
look like numbers, as in `menace_nim(variant='3-4-5')`.

Source: Lanctot et al., "OpenSpiel: A Framework for
Reinforcement Learning in Games", 2019, https://arxiv.org/abs/1908.09453.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from menace.adapters.board_states import BoardPolicy, BoardStates
from menace.errors import InvalidPlayer
from menace.files.optional_libraries import need_extra
from menace.games import GAMES, get_game
from menace.games.base import Side, SideText
from menace.games.positions import Positions
from menace.learners.player_to_policy import Player, policy_of

need_extra("pyspiel", "rl")

import pyspiel  # noqa: E402 - imported after the check that it is installed
from open_spiel.python.policy import Policy  # noqa: E402

_PLAYERS = {"X": 0, "O": 1, None: int(pyspiel.PlayerId.TERMINAL)}


class GameState(pyspiel.State):
    """The state of a game in progress. Player 0 is X, player 1 is O, and the information state is the board."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.states = game.states
        self.of_board = game.states.initial

    @property
    def board(self) -> str:
        """The board as text."""
        return self.of_board.board

    def current_player(self) -> int:
        """Return the number of the player to move."""
        return _PLAYERS[self.of_board.to_move]

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return list(self.of_board.actions)

    def _apply_action(self, action: int) -> None:
        self.of_board = self.states.after(self.of_board, action)

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return self.states.game.name_of(self.board, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.of_board.to_move is None

    def returns(self) -> list[float]:
        """Return the results for X and O: 1 for the winner and -1 for the loser, or 0 for both if nobody has won."""
        outcome = self.of_board.outcome
        return [0.0, 0.0] if outcome in (None, "draw") else [1.0, -1.0] if outcome == Side.X else [-1.0, 1.0]

    def __str__(self) -> str:
        return self.board


class BoardObserver:
    """An observer that returns a board as text or as a tensor.

    The tensor has the shape [rows, columns, kinds of pieces], with the player's own pieces first.
    """

    def __init__(self, states: BoardStates) -> None:
        self.tensor = np.zeros(int(np.prod(states.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(states.shape)}

    def set_from(self, state: GameState, player: int) -> None:
        """Write a player's observation of the board to `tensor`."""
        self.dict["observation"][:] = state.of_board.seen_by[Side.of_number(player).value]

    def string_from(self, state: GameState, player: int) -> str:  # noqa: ARG002 - every player sees the whole board
        """Return the board as text."""
        return state.board


class SpielGame(pyspiel.Game):
    """The base class of the games that OpenSpiel loads. `_register` creates a subclass for each game."""

    name: str
    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        variant = (params or {}).get("variant", self.game_type.parameter_specification["variant"])
        self.states = BoardStates.of_game(self.name, variant.strip("'"))
        positions = self.states.positions
        info = pyspiel.GameInfo(
            num_distinct_actions=positions.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=positions.longest,
        )
        super().__init__(self.game_type, info, {"variant": _in_quotes(positions.game.variant)})

    def new_initial_state(self) -> GameState:
        """Return the board before the first move."""
        return GameState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> BoardObserver:  # noqa: ARG002
        """Return the board observer, which is the same for all observation types."""
        return BoardObserver(self.states)


def _in_quotes(variant: str) -> str:
    """Return a variant as a parameter, quoted if OpenSpiel would read the variant as a number (as with 3-4-5)."""
    return f"'{variant}'" if variant.replace("-", "").isdigit() else variant


def _register(name: str) -> None:
    """Register a game as `menace_NAME` with the parameter `variant`."""
    game_type = pyspiel.GameType(
        short_name=f"menace_{name}",
        long_name=f"menace {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"variant": _in_quotes(get_game(name).variant)},
    )
    pyspiel.register_game(game_type, type(f"SpielGame_{name}", (SpielGame,), {"name": name, "game_type": game_type}))


class PlayerBot(pyspiel.Bot):
    """A menace player wrapped as an OpenSpiel bot. Instead of resigning, the bot picks a move uniformly at random.

    Args:
        player: any player that `policy_of` accepts, such as a machine in its current state, the name of a fixed
            opponent, or a function.
        plays: the bot's side, `X` (player 0) or `O` (player 1).
        positions: the game; None selects the machine's own game, or tic-tac-toe.
        seed: the seed for the bot's random choices.

    Raises:
        InvalidPlayer, InvalidGame: if the player cannot play that side or that game.
    """

    def __init__(self, player: Player, plays: SideText, positions: Positions | None = None, seed: int = 0) -> None:
        super().__init__()
        self.policy = BoardPolicy(policy_of(player, plays, positions))
        self._random = np.random.default_rng(seed)

    def restart_at(self, state: GameState) -> None:
        """Do nothing, because the bot does not need to remember moves."""

    def provides_policy(self) -> bool:
        """Return True, because the bot provides the probabilities of its moves."""
        return True

    def get_policy(self, state: GameState) -> list[tuple[int, float]]:
        """Return the probability of each of the bot's moves."""
        return list(_odds(self.policy, state).items())

    def step(self, state: GameState) -> int:
        """Return the bot's move."""
        action = self.policy.choose(state.board, self._random)
        return int(self._random.choice(state.legal_actions())) if action is None else action

    def step_with_policy(self, state: GameState) -> tuple[list[tuple[int, float]], int]:
        """Return the probability of each of the bot's moves, and the move that the bot chooses."""
        return self.get_policy(state), self.step(state)


class PlayerPolicy(Policy):  # the base class has no type annotations
    """A pair of menace players as a single policy, so that OpenSpiel algorithms such as `nash_conv` can evaluate it.

    Args:
        game: a game that OpenSpiel loaded.
        x: the player of X, in any form that `policy_of` accepts.
        o: the player of O, in any form that `policy_of` accepts.

    Raises:
        InvalidPlayer, InvalidGame: if a player cannot play its side or that game.
    """

    def __init__(self, game: pyspiel.Game, x: Player, o: Player) -> None:
        super().__init__(game, [0, 1])
        if not isinstance(game, SpielGame):
            raise InvalidPlayer(f"{game} is not one of menace's games; load one of them, such as menace_tictactoe()")
        positions = game.states.positions
        sides = zip((x, o), Side, strict=True)
        self._of_sides = [BoardPolicy(policy_of(player, side, positions)) for player, side in sides]

    def action_probabilities(self, state: GameState, player_id: int | None = None) -> dict[int, float]:
        """Return the probability of each legal move of the player to move."""
        return _odds(self._of_sides[state.current_player() if player_id is None else player_id], state)


def _odds(policy: BoardPolicy, state: GameState) -> dict[int, float]:
    """Return the probability of each action. The probability of resigning is divided equally among all legal moves."""
    odds = policy.odds(state.board)
    rest = max(0.0, 1.0 - sum(odds.values())) / len(odds)
    return {action: share + rest for action, share in odds.items()}


for _name in GAMES:
    _register(_name)
