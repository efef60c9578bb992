"""Programs that use OpenSpiel's games, bots, Q-learner and best responses."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


def loops(text: str) -> Do:
    """Return a function that plays random games in a Python loop over C++ states."""
    import pyspiel

    game = pyspiel.load_game(text)

    def do(count: int) -> int:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(random.random() * len(legal))])  # noqa: S311
        return count

    return do


def bots(text: str) -> Do:
    """Return a function that plays random games with OpenSpiel's C++ bots, using one call per game."""
    import pyspiel

    game = pyspiel.load_game(text)
    both = [pyspiel.make_uniform_random_bot(player, player) for player in (0, 1)]

    def do(count: int) -> int:
        for _ in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), both, random.getrandbits(31))
        return count

    return do


def q_learning(text: str, epsilon: float = 0.1) -> Do:
    """Return a function that trains two of OpenSpiel's tabular Q-learners as in OpenSpiel's own example."""
    from open_spiel.python import rl_environment, rl_tools
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    env = rl_environment.Environment(text)
    actions = env.action_spec()["num_actions"]
    agents = [QLearner(player, actions, 0.1, rl_tools.ConstantSchedule(epsilon)) for player in (0, 1)]

    def do(count: int) -> int:
        for _ in range(count):
            step = env.reset()
            while not step.last():
                step = env.step([agents[step.observations["current_player"]].step(step).action])
            for agent in agents:
                agent.step(step)
        return count

    return do


def nash_conv(text: str) -> Do:
    """Return a function that computes the NashConv of uniform play with C++ best responses."""
    import pyspiel

    game = pyspiel.load_game(text)

    def do(count: int) -> int:
        for _ in range(count):
            pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True)
        return count

    return do


def nash_conv_in_python(text: str) -> Do:
    """Return a function that computes the NashConv of uniform play with OpenSpiel's Python algorithm."""
    import pyspiel
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game(text)

    def do(count: int) -> int:
        for _ in range(count):
            exploitability.nash_conv(game, UniformRandomPolicy(game))
        return count

    return do
