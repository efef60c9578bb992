"""Machines in memory: they play in any arena of their game without a database, and copies are independent."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from bench import FOR_TICTACTOE, SEATS, of_preset

from menace.analysis.position import DRAWING
from menace.arena.play_loop import Arena
from menace.arena.randomness import raw_numbers
from menace.games.positions import Positions
from menace.learners.algorithm import OWN
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS

GAMES = 200


def games_of(arena: Arena, side: int, machine: Machine, epsilon: float = OWN, learns: bool = True) -> list[int]:
    """Let a machine play the random player; return what came of it."""
    players = [arena.fixed_player("random"), arena.fixed_player("random")]
    players[side] = machine.kernel_player(arena.graph, learns=learns, epsilon=epsilon)
    return list(arena.play(*players, raw_numbers(1, 0), GAMES, math.inf).outcomes)


def bits(machine: Machine) -> list[bytes]:
    return [array.tobytes() for array in (machine.learned.amount, machine.learned.count, machine.learned.state)]


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_who_sits_down_learns_and_a_copy_stays_as_it_was(positions: Positions, name: str, side: int) -> None:
    machine = of_preset(positions, name, side)
    kept, before = machine.copy(), bits(machine)
    games_of(Arena(positions), side, machine)
    assert bits(kept) == before != bits(machine)
    assert type(kept) is type(machine)
    twin = kept.copy()
    games_of(Arena(positions), side, twin)
    assert bits(twin) == bits(machine)


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_an_epsilon_for_a_session_is_that_of_a_machine_which_always_has_it(
    positions: Positions, name: str, side: int
) -> None:
    machine, arena = of_preset(positions, name, side), Arena(positions)
    own = machine.learned.epsilon
    if own is None:  # it does not explore, so nobody can make it
        twin, epsilon = machine.copy(), 1.0
    else:
        names = {field.name for field in dataclasses.fields(machine.settings)}
        always = {"epsilon": 0.5, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": False}
        changes = {key: value for key, value in always.items() if key in names}
        twin, epsilon = of_preset(positions, name, side, **changes), 0.5
    assert games_of(arena, side, machine, epsilon) == games_of(arena, side, twin)
    assert bits(machine)[:2] == bits(twin)[:2]
    assert machine.learned.epsilon == own


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_who_is_kept_from_learning_plays_and_learns_nothing(positions: Positions, name: str, side: int) -> None:
    machine = of_preset(positions, name, side)
    before = bits(machine)
    assert sum(games_of(Arena(positions), side, machine, learns=False)) == GAMES
    assert bits(machine) == before


@pytest.mark.parametrize("name", FOR_TICTACTOE)
def test_a_machine_keeps_beads_or_values(positions: Positions, name: str) -> None:
    preset = PRESETS[name]
    machine = Machine.fresh(LEARNERS[preset.algorithm], preset.settings, positions, 0, 1)
    assert machine.has_beads == (preset.algorithm in {"menace", "favourite"})
    assert machine.draws_beads == (preset.algorithm == "menace") == (preset.algorithm in DRAWING)
    assert np.array_equal(machine.policy().probability, machine.policy("behaviour").probability)
