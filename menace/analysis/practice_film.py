"""Train a machine in memory, and record its boxes and strength after increasing numbers of games."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from menace.arena.exact_strength import strength_meter
from menace.arena.play import Arena, raw_numbers
from menace.arena.run_schedule import Marks
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.registry import DEFAULT_PRESET

GAMES = 10_000
SEED = 1
FRAMES = Marks.parse("log:12")


@dataclass(frozen=True)
class Frame:
    """The machine after a number of games, and its probability at that time of losing to a random player."""

    games: int
    machine: Machine
    loss: float


@lru_cache(maxsize=4)
def practice_film(positions: Positions) -> tuple[Frame, ...]:
    """Return the frames for a new machine that plays the side that can learn to win.

    >>> from menace.games.enumeration import tictactoe
    >>> film = practice_film(tictactoe())
    >>> film[0].games, film[-1].games, round(film[0].loss, 2), film[-1].loss < 0.1
    (0, 10000, 0.27, True)
    """
    return film_of(Machine(DEFAULT_PRESET, positions.winner or Side.X, positions))


def film_of(original: Machine) -> tuple[Frame, ...]:
    """Return the frames for a copy of a machine, which plays against a new machine that also learns."""
    positions, machine = original.positions, original.copy()
    arena, stream = Arena(positions), raw_numbers(SEED, 0)
    pair = machine.plays.x_and_o(machine, Machine(DEFAULT_PRESET, machine.plays.other, positions))
    meter = strength_meter(positions, machine.side)
    frames: list[Frame] = []
    for mark in FRAMES.list_up_to(GAMES):
        games = mark - (frames[-1].games if frames else 0)
        if games:
            x, o = (arena.kernel_player(player) for player in pair)
            arena.play(x, o, stream, games, math.inf)
            for player in pair:
                player.learned.games += games
        frames.append(Frame(mark, machine.copy(), meter.measure(machine).random.loss))
    return tuple(frames)
