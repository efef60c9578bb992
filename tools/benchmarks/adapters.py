#!/usr/bin/env python3
"""Compare the speed of menace's environments with that of PettingZoo's own tic-tac-toe, in steps per second.

    .venv/bin/python tools/benchmarks/adapters.py

The environments run alternately in one process. A step consists of an observation and a random legal move. Before the
timed games, untimed games fill the caches of boards. Times are processor times. The program requires the `test` extra.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from statistics import median
from types import ModuleType
from typing import Any

import numpy as np

warnings.simplefilter("ignore")  # PettingZoo warns if tictactoe is imported in this way
sys.modules.setdefault("pygame", ModuleType("pygame"))  # PettingZoo uses pygame only for drawing

ROUNDS = 7
WARM_UP_GAMES = 5_000  # after this many games, new boards are rare


def play_both_sides(env: Any, games: int) -> int:
    """Play random games, choosing the moves of both sides, and return the number of moves."""
    random, steps = np.random.default_rng(1), 0
    for _ in range(games):
        env.reset()
        for _agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                mask = np.flatnonzero(seen["action_mask"])
                env.step(int(mask[int(random.random() * len(mask))]))
                steps += 1
    return steps


def play_one_side(env: Any, games: int) -> int:
    """Play random games against the environment's opponent, and return the number of moves made by this side."""
    random, steps = np.random.default_rng(1), 0
    for _ in range(games):
        _, info = env.reset()
        over = False
        while not over:
            mask = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(mask[int(random.random() * len(mask))]))
            steps += 1
    return steps


def steps_per_second(play: Callable[[Any, int], int], env: Any, games: int) -> float:
    """Return the number of steps per second of processor time."""
    start = time.process_time()
    return play(env, games) / (time.process_time() - start)


def print_throughput(games: int) -> None:
    """Print each environment's steps per second, and its ratio to PettingZoo's own environment in the same wrappers."""
    import gymnasium
    from pettingzoo.classic.tictactoe import tictactoe

    import menace
    from menace.adapters import gymnasium_env, pettingzoo_env

    machine = menace.Machine("menace", "O")
    made = gymnasium.make(f"{gymnasium_env.__name__}:menace/tictactoe-v0", opponent=machine)
    timed = {
        "PettingZoo's own": (play_both_sides, tictactoe.env()),
        "menace in PettingZoo": (play_both_sides, pettingzoo_env.env()),
        "menace in Gymnasium": (play_one_side, made),
        "PettingZoo's own, bare": (play_both_sides, tictactoe.raw_env()),
        "menace in PettingZoo, bare": (play_both_sides, pettingzoo_env.GameEnv()),
        "menace in Gymnasium, bare": (play_one_side, made.unwrapped),
    }
    rates: dict[str, list[float]] = {name: [] for name in timed}
    for play, env in timed.values():
        play(env, WARM_UP_GAMES)
    for _ in range(ROUNDS):
        for name, (play, env) in timed.items():
            rates[name].append(steps_per_second(play, env, games))
    for name, values in rates.items():
        base = rates["PettingZoo's own, bare" if name.endswith("bare") else "PettingZoo's own"]
        ratio = median(values) / median(base)
        print(f"{name:27} {median(values):9,.0f} steps per second, {ratio:5.2f} times PettingZoo's")


def main() -> None:
    """Run the comparison with the given command-line options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000, help="games per round (default 1,000)")
    print_throughput(parser.parse_args().games)


if __name__ == "__main__":
    main()
