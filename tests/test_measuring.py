"""One pass measures what passes by opponent do; what machines pick by is what NumPy makes of their boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bench import uncompiled_kernel
from numpy.typing import NDArray

from menace.arena import strength as strength_of_many
from menace.arena.play import play_games
from menace.arena.strength import Measuring, Strengths, against, worst_case
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.learners import policy as policies
from menace.learners.algorithms import beads as matchboxes
from menace.learners.algorithms.beads import WHEN_EMPTY, MenaceSettings, boxed_positions, first_beads
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import PolicyName
from menace.learners.registry import PRESETS

CLOSE = 1e-12
SMALL = (("tictactoe",), ("tictactoe", "3x3x3-misere"), ("hexapawn", "3x3"), ("nim", "3-4-5"), ("connect", "3x3x3"))
ONE_OF_EACH = ("menace", "michie-1961", "zhang", "q-table", "sala", "article-code", "michie-1963")
KINDS: tuple[PolicyName, PolicyName] = ("behaviour", "greedy")


def machines_of(positions: Positions, side: int) -> list[Machine]:
    """Return one of each algorithm, after some games, and one that resigns at its empty boxes."""
    plays = Side.of_number(side)
    fitting = [name for name in ONE_OF_EACH if PRESETS[name].is_for(positions.title) and plays in PRESETS[name].plays]
    machines = [Machine(name, plays, positions) for name in fitting]
    for number, machine in enumerate(machines):
        play_games(*machine.plays.x_and_o(machine, "random"), games=200, seed=number)
    settings = MenaceSettings(when_empty="resign")
    machines.append(Machine.fresh(matchboxes.MENACE, settings, positions, side))
    few = np.random.default_rng(side).integers(0, 2, positions.move_count)
    machines[-1].learned.amount[machines[-1].learned.kept] = few[machines[-1].learned.kept]
    return machines


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("which", SMALL, ids=" ".join)
def test_one_pass_measures_what_passes_by_opponent_do_and_the_same_uncompiled(
    which: tuple[str, ...], side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = enumerate_positions(get_game(*which))
    machines, measured = machines_of(positions, side), Measuring(positions, side)
    seats = list(itertools.product(machines, KINDS))
    strengths = [measured.of(machine, kind) for machine, kind in seats]
    opponents = [fixed_policy(name, positions, 1 - side) for name in ("random", "optimal")]
    for (machine, kind), strength in zip(seats, strengths, strict=True):
        policy = machine.policy(kind)
        right = Strengths(*(against(policy, opponent) for opponent in opponents), worst_case(policy))
        np.testing.assert_allclose(strength, right, rtol=0, atol=CLOSE)
        assert all(0.0 <= share <= 1.0 for shares in strength for share in shares)
        assert all(sum(shares) == pytest.approx(1.0, abs=CLOSE) for shares in strength)
    engine = uncompiled_kernel()
    for module in (strength_of_many, matchboxes, policies):
        monkeypatch.setattr(module, "kernel", engine)
    graph = engine.Graph(positions)
    monkeypatch.setitem(positions.__dict__, "graph", graph)
    again = Measuring(positions, side)
    assert [again.of(machine, kind) for machine, kind in seats] == strengths


def test_a_position_is_measured_as_the_first_time_whatever_was_measured_between() -> None:
    first, second = Machine("menace", "X"), Machine("zhang", "X")
    measured = Measuring(first.positions, 0)
    before = measured.of(first)
    assert measured.of(second) != before
    assert measured.of(first) == before


def numpy_weights(machine: Machine, greedy: bool) -> NDArray[np.float64]:
    """Return what a machine of matchboxes picks by [moves], made by NumPy from all boxes; 0 where it resigns."""
    positions, settings, weight = machine.positions, machine.settings, machine.learned.amount
    position = positions.position_of_move
    boxed = boxed_positions(settings, positions, machine.side)
    empty = (boxed & (positions.sum_over_moves(weight) == 0))[position]
    any_move = settings.when_empty == "random"
    if settings.when_empty != "resign":
        weight = np.where(empty, positions.multiplicity if any_move else first_beads(settings, positions), weight)
    if greedy:
        most = np.zeros(len(positions))
        np.maximum.at(most, position, weight)
        chosen = (weight > 0) & (weight == most[position]) & machine.learned.kept
        alike = ~machine.learned.kept | (empty & any_move)
        weight = np.where(alike, weight, chosen * positions.multiplicity)
    return np.where(positions.moved_by(machine.side)[position], weight, 0).astype(np.float64)


@pytest.mark.parametrize("boxes", ["choices", "all", "michie"])
@pytest.mark.parametrize("when_empty", WHEN_EMPTY)
@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_picks_by_what_numpy_makes_of_its_boxes(boxes: str, when_empty: str, kind: PolicyName) -> None:
    settings = MenaceSettings(boxes=boxes, when_empty=when_empty, merged=False)  # type: ignore[arg-type]
    machine = Machine.fresh(matchboxes.MENACE, settings, tictactoe(), 0)
    beads = np.random.default_rng(1).integers(0, 3, tictactoe().move_count)
    machine.learned.amount[:] = np.where(machine.learned.kept, beads, machine.learned.amount)
    policy, wanted = machine.policy(kind), numpy_weights(machine, kind == "greedy")
    assert policy.weights.tolist() == wanted.tolist()
    empty = tictactoe().moved_by(0) & (tictactoe().sum_over_moves(wanted) == 0)
    assert policy.resigns.tolist() == empty.astype(float).tolist()
    assert empty.any() == (when_empty == "resign")
