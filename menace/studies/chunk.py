"""A chunk of a study: some machines of one setting, played and measured in whatever process it is sent to.

It is a pure function of plain values: the same chunk has the same result to the bit, wherever it is played.
"""

from __future__ import annotations

import json
import platform
import threading
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace import __version__, kernel
from menace.arena.exploration_phases import parse_phases, phase_at
from menace.arena.play_loop import Arena, alike_until
from menace.arena.randomness import raw_numbers
from menace.arena.strength_of_many import measuring
from menace.errors import InvalidPlayer
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.learners.algorithm import ARRAYS
from menace.learners.machine import Machine
from menace.learners.policy import Policy, PolicyName
from menace.learners.registry import preset_settings

MEASURES = 6  # wins and losses against random play, optimal play, and the best reply
SETTINGS_KEPT = 16  # of which a thread keeps the machines


@dataclass(frozen=True)
class Chunk:
    """Some machines of a setting that are to be played.

    Attributes:
        setting_id: of the setting, in the study's file.
        definition: of the setting, as JSON (studies/design.py).
        weights: int32 [moves], the opponent's, as bytes; empty if its name or its settings say how it plays.
        games: that each machine learns from.
        marks: ascending numbers of games after which it is measured.
        policies: which of its policies are measured.
        seeds: one for each machine.
    """

    setting_id: int
    definition: str
    weights: bytes
    games: int
    marks: tuple[int, ...]
    policies: tuple[PolicyName, ...]
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class ChunkResult:
    """What became known of the machines of a chunk.

    Attributes:
        strengths: float64 [machines, marks, policies, MEASURES].
        seconds: of a processor that it took.
        host: the computer's name.
        versions: of menace, numpy and Python.
    """

    strengths: NDArray[np.float64]
    seconds: float
    host: str
    versions: str


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Play and measure the machines of a chunk."""
    started = time.thread_time()
    setting = _kept.setting(chunk.definition, chunk.weights, chunk.games)
    shares = array("d")  # lists of tuples would be garbage to collect
    for seed in chunk.seeds:
        for strengths in setting.strengths(seed, chunk.marks, chunk.policies):
            shares.extend(strengths)
    shape = (len(chunk.seeds), len(chunk.marks), len(chunk.policies), MEASURES)
    versions = f"menace {__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    return ChunkResult(
        np.clip(np.frombuffer(shares).reshape(shape), 0.0, 1.0), time.thread_time() - started, platform.node(), versions
    )


def machine_after(definition: str, weights: bytes, games: int, seed: int) -> Machine:
    """Return the machine of a setting and a seed after so many games."""
    setting = _kept.setting(definition, weights, games)
    for _ in setting.strengths(seed, (games,), ()):
        pass
    machine = setting.machine.copy()
    machine.learned.games = games
    return machine


@lru_cache(maxsize=4)
def positions_of(game: str, variant: str | None, symmetry: SymmetryUse) -> Positions:
    """Return the positions of a game by its name, made once a process."""
    return enumerate_positions(get_game(game, variant), symmetry)


def machines_of(definition: dict[str, Any], weights: bytes, seed: int) -> tuple[Machine, Machine | Policy | str]:
    """Return a setting's machine before its first game, and its opponent.

    Args:
        definition: of the setting.
        weights: of an opponent that has no name, as in `Chunk`.
        seed: of a random start.
    """
    positions = positions_of(definition["game"], definition["variant"], definition["symmetry"])
    plays, against = Side(definition["plays"]), definition["against"]
    machine = _machine(definition["preset"], plays, positions, seed, definition["settings"])
    if isinstance(against, str):
        return machine, against
    if "preset" in against:
        return machine, _machine(against["preset"], plays.other, positions, seed, against["settings"])
    array = np.frombuffer(weights, "<i4")
    if len(array) != positions.move_count:
        raise InvalidPlayer(f"how {against['name']} plays is in no file; pass it itself as `against`, in Python")
    return machine, Policy.of_weights(positions, plays.other.number, array, against["name"])


def _machine(preset: str, plays: Side, positions: Positions, seed: int, settings: dict[str, Any]) -> Machine:
    preset_settings(preset, plays, settings)  # a name that is no setting could be an argument of Machine
    return Machine(preset, plays, positions, seed, **settings)


class _Setting:
    """All that the machines of a setting share: they are played one after the other in the same arrays.

    To make a machine anew takes five times as long as to play 220 games with it.
    """

    def __init__(self, definition: str, weights: bytes, games: int) -> None:
        self.definition, self.weights, self.games = json.loads(definition), weights, games
        self.machine, self.opponent = machines_of(self.definition, weights, 0)
        self.arena = Arena(self.machine.positions)
        self.measuring = measuring(self.machine.positions, self.machine.side)
        self.learning = [player for player in (self.machine, self.opponent) if isinstance(player, Machine)]
        self.fresh = [machine.learned.copy() for machine in self.learning]
        self.counts = kernel.view(np.zeros(3, np.int64))
        self.stages = tuple(self._stages())

    def strengths(
        self, seed: int, marks: tuple[int, ...], policies: tuple[PolicyName, ...]
    ) -> Iterator[tuple[float, ...]]:
        """Play the machine of a seed, and yield its strength [MEASURES] at each mark by each policy."""
        self._begin(seed)
        graph, record, counts = self.arena.graph, self.arena.record, self.counts
        machine, shares_of = self.machine, self.measuring.shares_of
        numbers, played, stages, end = raw_numbers(seed, 0), 0, iter(self.stages), 0
        for mark in marks:
            while played < mark:
                if played == end:
                    end, pair = next(stages)
                    for player in pair:
                        kernel.restart(player)
                until = min(end, mark)
                kernel.play_games(graph, *pair, record, numbers, until - played, counts)
                played = until
            for policy in policies:
                yield shares_of(machine.policy(policy))

    def _stages(self) -> Iterator[tuple[int, tuple[kernel.FixedPlayer, kernel.FixedPlayer]]]:
        """Yield X and O as the kernel plays them, with the number of games until which they play so."""
        text, played = self.definition.get("phases", ""), 0
        phases = parse_phases(text, self.games) if text else ()
        players = self.machine.plays.x_and_o(self.machine, self.opponent)
        while played < self.games:
            end, (x_epsilon, o_epsilon) = phase_at(phases, played)
            end = alike_until(players, played, self.games if end is None else end)
            x, o = players
            yield (
                end,
                (
                    self.arena.kernel_player(x, played + 1, x_epsilon),
                    self.arena.kernel_player(o, played + 1, o_epsilon),
                ),
            )
            played = end

    def _begin(self, seed: int) -> None:
        """Put back what the machines begin with."""
        for machine, fresh in zip(self.learning, self.fresh, strict=True):
            begin = machine.settings.fresh(machine.positions, machine.side, seed) if machine.settings.seeded else fresh
            for name in ARRAYS:
                np.copyto(getattr(machine.learned, name), getattr(begin, name))


class _Kept(threading.local):
    """The settings that were played last. Each thread has its own, since machines are played in the same arrays."""

    def __init__(self) -> None:
        self.setting = lru_cache(maxsize=SETTINGS_KEPT)(_Setting)


_kept = _Kept()
