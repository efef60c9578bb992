#!/usr/bin/env python3
"""Steps a second of menace's environments beside PettingZoo's own tic-tac-toe, in turns in one run.

    .venv/bin/python tools/benchmarks/adapters.py

A step is a random legal move, with what was seen before it; boards are known from games that are not timed. Seconds
are of the processor. Needs the extra `test`.
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

warnings.simplefilter("ignore")  # PettingZoo's tictactoe is loaded in a way that it warns of
sys.modules.setdefault("pygame", ModuleType("pygame"))  # it would draw with it alone, and nothing is drawn

ROUNDS = 7
WARMING = 5_000  # games, after which few boards are new


def aec_steps(env: Any, games: int) -> int:
    """Play random games of both sides, and return how many moves were made."""
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


def side_steps(env: Any, games: int) -> int:
    """Play random games of one side, and return how many moves it made; each is answered by the opponent."""
    random, steps = np.random.default_rng(1), 0
    for _ in range(games):
        _, info = env.reset()
        over = False
        while not over:
            mask = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(mask[int(random.random() * len(mask))]))
            steps += 1
    return steps


def steps_a_second(play: Callable[[Any, int], int], env: Any, games: int) -> float:
    """Return how many steps a second of the processor is enough for."""
    start = time.process_time()
    return play(env, games) / (time.process_time() - start)


def throughput(games: int) -> None:
    """Print a line for each environment: steps a second, and how many times PettingZoo's own in the same wrappers."""
    import gymnasium
    from pettingzoo.classic.tictactoe import tictactoe

    import menace
    from menace.adapters import gymnasium_env, pettingzoo_env

    machine = menace.Machine("menace", "O")
    made = gymnasium.make(f"{gymnasium_env.__name__}:menace/tictactoe-v0", opponent=machine)
    timed = {
        "PettingZoo's own": (aec_steps, tictactoe.env()),
        "menace in PettingZoo": (aec_steps, pettingzoo_env.env()),
        "menace in Gymnasium": (side_steps, made),
        "PettingZoo's own, bare": (aec_steps, tictactoe.raw_env()),
        "menace in PettingZoo, bare": (aec_steps, pettingzoo_env.GameEnv()),
        "menace in Gymnasium, bare": (side_steps, made.unwrapped),
    }
    rates: dict[str, list[float]] = {name: [] for name in timed}
    for play, env in timed.values():
        play(env, WARMING)
    for _ in range(ROUNDS):
        for name, (play, env) in timed.items():
            rates[name].append(steps_a_second(play, env, games))
    for name, values in rates.items():
        base = rates["PettingZoo's own, bare" if name.endswith("bare") else "PettingZoo's own"]
        print(f"{name:27} {median(values):9,.0f} steps a second, {median(values) / median(base):5.2f} times as many")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000, help="a round (1,000)")
    throughput(parser.parse_args().games)


if __name__ == "__main__":
    main()
