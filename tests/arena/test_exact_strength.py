"""Tests that the exact strength of machines matches brute force, and tests of random numbers and seeds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from kernel_games import (
    Player,
    load_uncompiled_kernel,
    new_machine,
    outcomes_by_position,
    policy_of,
    train_machine,
)
from numpy.typing import NDArray
from oracle import TICTACTOE, Chooser

from menace.arena import exact_strength, exact_strength as best_responses, exact_strength as strength_of_many, play
from menace.arena.exact_strength import (
    Outcomes,
    RefutingLine,
    Strength,
    StrengthMeter,
    Strengths,
    against,
    best_response,
    exact_outcomes,
    exploitability,
    game_value,
    most_likely_refutation,
    outcomes,
    strength_against_best_response,
)
from menace.arena.play import Arena, check_seed, new_seed, pick_uniformly, play_games, raw_numbers
from menace.errors import InvalidRun
from menace.games import get_game
from menace.games.base import ONGOING, Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners import policy as policies
from menace.learners.algorithms import beads as matchboxes
from menace.learners.algorithms.beads import MENACE, WHEN_EMPTY, MenaceSettings, boxed_positions, initial_beads
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy, PolicyName
from menace.learners.registry import LEARNERS as ALGORITHMS, PRESETS

CLOSE = 1e-12


def chooser(
    positions: Positions, position_of: dict[str, int], policy: Policy, probability: Sequence[Any] = ()
) -> Chooser:
    """Return a player that takes actual boards instead of canonical ones.

    The player divides each move's probability equally among the cells that lead to the same position.
    """
    probability = probability or policy.probability.tolist()

    def choose(board: str) -> dict[int, Any]:
        cells = TICTACTOE.cells_by_next(board)
        probabilities = {}
        for move in positions.moves_of(position_of[TICTACTOE.canonical(board)]):
            position = int(positions.next_position[move])
            same = next(here for name, here in cells.items() if position_of[name] == position)
            probabilities |= dict.fromkeys(same, probability[move] / len(same))
        return probabilities

    return choose


@pytest.fixture(scope="module")
def players(positions: Positions) -> tuple[dict[str, Player], dict[str, Player]]:
    """Return fixed players, new machines, trained machines, and machines with empty boxes, each for X and for O."""
    seats: tuple[dict[str, Player], dict[str, Player]] = ({}, {})
    for side, named in enumerate(seats):
        for name in ("random", "optimal", "perfect", "imperfect:0.3"):
            named[name] = name
        named["fresh"] = new_machine(positions, side)
        named["unmerged"] = new_machine(positions, side, MenaceSettings(merged=False))
        for when_empty in ("resign", "restock", "random"):
            # these settings quickly empty the boxes
            settings = MenaceSettings(beads=(2, 1), loss=-2, draw=-1, when_empty=when_empty)
            named[f"trained, {when_empty}"] = train_machine(positions, side, settings, "imperfect:0.3", 400)
        for name in ("scroggs", *OTHERS):
            preset = PRESETS[name]
            named[name] = train_machine(positions, side, preset.settings, "random", 500, ALGORITHMS[preset.algorithm])
    return seats


FIXED = ("random", "optimal", "perfect", "imperfect:0.3")
LEARNERS = ("fresh", "unmerged", "trained, resign", "trained, restock", "trained, random", "scroggs")
OTHERS = ("zhang", "q-table", "michie-1963", "article-code")
NAMES = FIXED + LEARNERS + OTHERS
PAIRS = list(zip(NAMES, NAMES[5:] + NAMES[:5], strict=True))  # each player plays both sides
# The test alternates between the two policies, because the same code computes the best response to both.
POLICIES = [
    (name, side, ("behaviour", "greedy")[(number + side) % 2]) for number, name in enumerate(NAMES) for side in (0, 1)
]


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_outcomes_match_brute_force_over_all_boards(
    positions: Positions, position_of: dict[str, int], players: tuple, x: str, o: str, kind: str
) -> None:
    policies = [policy_of(positions, players[side][name], side, kind) for side, name in enumerate((x, o))]
    wanted = TICTACTOE.play_out(*(chooser(positions, position_of, policy) for policy in policies))
    exact = outcomes(*policies)
    assert isinstance(exact, Outcomes)
    assert exact == pytest.approx([float(share) for share in wanted], rel=0, abs=CLOSE)
    assert sum(exact) == pytest.approx(1, rel=0, abs=CLOSE)
    wanted = TICTACTOE.play_out(*(chooser(positions, position_of, policy, policy.fractions()) for policy in policies))
    assert exact_outcomes(*policies) == wanted
    assert against(*policies) == Strength(*exact)
    assert against(*policies[::-1]) == Strength(*exact[::-1])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "side", "kind"), POLICIES)
def test_best_response_is_optimal_against_policy(
    positions: Positions, position_of: dict[str, int], players: tuple, name: str, side: int, kind: str
) -> None:
    policy = policy_of(positions, players[side][name], side, kind)
    value, wins = TICTACTOE.best_response_value(chooser(positions, position_of, policy, policy.fractions()), "XO"[side])
    response = best_response(policy)
    result = against(response, policy)
    assert result.value == pytest.approx(float(value), rel=0, abs=CLOSE)
    # of the responses with the same value, the best is the one that wins more often
    assert result.win == pytest.approx(float(wins), rel=0, abs=CLOSE)
    worst = strength_against_best_response(policy)
    assert worst == pytest.approx(against(policy, response), rel=0, abs=CLOSE)
    assert worst == pytest.approx(result[::-1], rel=0, abs=CLOSE)
    assert worst.value == pytest.approx(-float(value), rel=0, abs=CLOSE)
    assert exploitability(policy) == pytest.approx(float(value), rel=0, abs=CLOSE)  # the game is a draw


def test_best_response_is_deterministic(positions: Positions) -> None:
    for side in (0, 1):
        response = best_response(fixed_policy("random", positions, side))
        own = positions.moved_by(1 - side)
        assert set(response.probability.tolist()) == {0.0, 1.0}
        assert positions.sum_over_moves(response.probability).tolist() == own.astype(float).tolist()
        assert not response.resigns.any()


def test_best_response_breaks_ties_by_wins_then_lowest_action(positions: Positions) -> None:
    """Against a perfect O, every opening leads to a draw.

    X opens on an edge only if O then resigns in half of the games.
    """
    response = best_response(fixed_policy("perfect", positions, 1))
    assert response.probability[:3].tolist() == [1, 0, 0]
    policy = fixed_policy("perfect", positions, 1)
    resigns = 0.5 * (np.arange(len(positions)) == 2)
    assert best_response(Policy(positions, 1, policy.parts, resigns)).probability[:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize("side", [0, 1])
def test_best_response_uses_tiny_advantages(positions: Positions, side: int) -> None:
    """The player is perfect except that it occasionally resigns at one position.

    The best response leads the player to that position.
    """
    perfect = fixed_policy("perfect", positions, side)
    for where in np.flatnonzero((positions.ply == 2 - side) & (positions.minimax == 0)).tolist():
        (last,) = np.flatnonzero(positions.next_position == where)
        opening = np.flatnonzero(positions.next_position == positions.position_of_move[last])
        met = 1.0 if side == 1 else float(perfect.probability[opening].sum())
        for chance in (0.5, 1e-3, 1e-6, 1e-9, 1e-11):
            policy = Policy(positions, side, perfect.parts, chance * (np.arange(len(positions)) == where))
            assert best_response(policy).probability[last] == 1
            assert strength_against_best_response(policy).loss == pytest.approx(met * chance, rel=1e-3, abs=0)


def test_best_response_ignores_rounding_errors(positions: Positions) -> None:
    perfect = fixed_policy("perfect", positions, 1)
    for chance in (2.0**-52, 1e-14):
        policy = Policy(positions, 1, perfect.parts, chance * (np.arange(len(positions)) == 2))
        assert best_response(policy).probability[:3].tolist() == [1, 0, 0]


def beating_lines(positions: Positions, policy: Policy, side: int, position: int = 0) -> Iterator[RefutingLine]:
    """Yield every line of play, starting at a position, in which the policy loses or resigns."""
    if positions.outcome[position] != ONGOING:
        if positions.outcome[position] == (-1 if side == 0 else 1):
            yield RefutingLine(1.0, (), False)
        return
    its_own = positions.ply[position] % 2 == side
    if its_own and policy.resigns[position]:
        yield RefutingLine(float(policy.resigns[position]), (), True)
    for move in positions.moves_of(position):
        chance = float(policy.probability[move]) if its_own else 1.0
        if chance:
            for line in beating_lines(positions, policy, side, int(positions.next_position[move])):
                yield RefutingLine(chance * line.probability, (move, *line.moves), line.resigns)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", ["random", "fresh", "unmerged", "trained, resign", "scroggs"])
def test_refutation_is_most_likely_then_shortest_then_lowest(
    positions: Positions, players: tuple, name: str, side: int
) -> None:
    policy = policy_of(positions, players[side][name], side)
    lines = beating_lines(positions, policy, side)
    assert most_likely_refutation(policy) == min(
        lines, key=lambda line: (-line.probability, len(line.moves), line.moves)
    )


def test_unbeatable_policy_has_no_refutation_and_no_exploitability(positions: Positions) -> None:
    for side in (0, 1):
        perfect = fixed_policy("perfect", positions, side)
        assert most_likely_refutation(perfect) is None
        assert next(beating_lines(positions, perfect, side), None) is None
        assert exploitability(perfect) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize(("variant", "value"), [("3x3x3", 0), ("2x2x2", 1), ("1x3x3", 0), ("3x4x3", 1)])
def test_game_values_of_both_sides_sum_to_zero(variant: str, value: int) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    assert [game_value(positions, side) for side in (0, 1)] == [value, -value]
    for side in (0, 1):
        assert exploitability(fixed_policy("perfect", positions, side)) == pytest.approx(0, abs=CLOSE)


SMALL = (("tictactoe",), ("tictactoe", "3x3x3-misere"), ("hexapawn", "3x3"), ("nim", "3-4-5"), ("connect", "3x3x3"))


def machine_with_random_beads(
    positions: Positions, side: int, seed: int, most: int, when_empty: str = "restock"
) -> Policy:
    """Return a machine with a random number of beads, from 0 to `most`, in each pile."""
    machine = Machine.fresh(MENACE, MenaceSettings(when_empty=when_empty), positions, side)  # type: ignore[arg-type]
    beads = np.random.default_rng(seed).integers(0, most + 1, positions.move_count)
    machine.learned.amount[:] = np.where(machine.learned.kept, beads, machine.learned.amount)
    return machine.policy()


def random_resigning_policy(positions: Positions, side: int) -> Policy:
    """Return a policy with random probabilities that resigns at every position with the same fixed probability."""
    resigns = np.random.default_rng(side).uniform(0, 0.5, len(positions)) * positions.moved_by(side)
    return Policy(positions, side, ((1.0, positions.multiplicity.astype(np.float64)),), resigns)


@pytest.mark.parametrize("which", SMALL, ids=" ".join)
def test_kernel_strength_matches_backward_numpy_pass(which: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    positions = enumerate_positions(get_game(*which))
    xs, os = (
        [
            fixed_policy("random", positions, side),
            fixed_policy("optimal", positions, side),
            *(machine_with_random_beads(positions, side, seed, 9) for seed in range(3)),
            machine_with_random_beads(positions, side, 3, 1, "resign"),
            random_resigning_policy(positions, side),
        ]
        for side in (0, 1)
    )
    assert any(policy.ever_resigns for policy in (*xs, *os))
    compiled = [outcomes(x, o) for x in xs for o in os]
    expected = [outcomes_by_position(x, o)[0] for x in xs for o in os]
    np.testing.assert_allclose(compiled, expected, rtol=0, atol=1e-12)
    everywhere = [outcomes(xs[-3], os[-2], position) for position in range(len(positions))]
    np.testing.assert_allclose(everywhere, outcomes_by_position(xs[-3], os[-2]), rtol=0, atol=1e-12)
    for policy in (xs[-1], os[-1]):
        np.testing.assert_allclose([*map(float, policy.fractions())], policy.probability, rtol=0, atol=1e-12)
    worst = [strength_against_best_response(policy) for policy in (*xs, *os)]
    replies = [best_response(policy) for policy in (*xs, *os)]
    met = [against(policy, reply) for policy, reply in zip((*xs, *os), replies, strict=True)]
    np.testing.assert_allclose(worst, met, rtol=0, atol=1e-12)
    assert all(0 <= share <= 1 for strength in worst for share in strength)
    engine = load_uncompiled_kernel()
    for module in (exact_strength, best_responses, policies):
        monkeypatch.setattr(module, "kernel", engine)
    again = enumerate_positions(get_game(*which))
    again.__dict__["graph"] = engine.Graph(again)
    alike = [Policy(again, policy.side, policy.parts, policy.resigns) for policy in (*xs, *os)]
    assert [policy.probability.tolist() for policy in alike] == [p.probability.tolist() for p in (*xs, *os)]
    x_again, o_again = alike[: len(xs)], alike[len(xs) :]
    assert [outcomes(x, o) for x in x_again for o in o_again] == compiled
    assert [strength_against_best_response(policy) for policy in alike] == worst
    assert [best_response(p).probability.tolist() for p in alike] == [reply.probability.tolist() for reply in replies]


@pytest.mark.parametrize("side", [0, 1])
def test_best_response_achieves_its_value_from_every_position(side: int) -> None:
    for positions in (enumerate_positions(get_game(*which)) for which in SMALL):
        policy = random_resigning_policy(positions, side)
        value, wins, chosen = np.empty(len(positions)), np.empty(len(positions)), np.zeros(positions.move_count)
        arrays = map(kernel.view, (policy.probability, policy.resigns, value, wins, chosen))
        kernel.respond(positions.graph, side, 1e-12, *arrays)
        response = Policy.deterministic(positions, Side.of_number(1 - side), chosen)
        seats = (policy, response) if side == 0 else (response, policy)
        shares = outcomes_by_position(*seats)  # columns: X wins, draw, O wins
        np.testing.assert_allclose(wins, shares[:, 2 * (1 - side)], rtol=0, atol=1e-12)
        np.testing.assert_allclose(value, wins - shares[:, 2 * side], rtol=0, atol=1e-12)


ONE_OF_EACH = ("menace", "michie-1961", "zhang", "q-table", "sala", "article-code", "michie-1963")
KINDS: tuple[PolicyName, PolicyName] = ("behaviour", "greedy")


def machines_of(positions: Positions, side: int) -> list[Machine]:
    """Return a trained machine for each algorithm, and a machine that resigns at empty boxes."""
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
def test_single_pass_matches_one_pass_per_opponent(
    which: tuple[str, ...], side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = enumerate_positions(get_game(*which))
    machines, measured = machines_of(positions, side), StrengthMeter(positions, side)
    seats = list(itertools.product(machines, KINDS))
    strengths = [measured.measure(machine, kind) for machine, kind in seats]
    opponents = [fixed_policy(name, positions, 1 - side) for name in ("random", "optimal")]
    for (machine, kind), strength in zip(seats, strengths, strict=True):
        policy = machine.policy(kind)
        right = Strengths(
            *(against(policy, opponent) for opponent in opponents), strength_against_best_response(policy)
        )
        np.testing.assert_allclose(strength, right, rtol=0, atol=CLOSE)
        assert all(0.0 <= share <= 1.0 for shares in strength for share in shares)
        assert all(sum(shares) == pytest.approx(1.0, abs=CLOSE) for shares in strength)
    engine = load_uncompiled_kernel()
    for module in (strength_of_many, matchboxes, policies):
        monkeypatch.setattr(module, "kernel", engine)
    graph = engine.Graph(positions)
    monkeypatch.setitem(positions.__dict__, "graph", graph)
    again = StrengthMeter(positions, side)
    assert [again.measure(machine, kind) for machine, kind in seats] == strengths


def numpy_weights(machine: Machine, greedy: bool) -> NDArray[np.float64]:
    """Return the weight of each move of a machine with beads, computed with NumPy.

    The weights are 0 at positions where the machine resigns.
    """
    positions, settings, weight = machine.positions, machine.settings, machine.learned.amount
    position = positions.position_of_move
    boxed = boxed_positions(settings, positions, machine.side)
    empty = (boxed & (positions.sum_over_moves(weight) == 0))[position]
    any_move = settings.when_empty == "random"
    if settings.when_empty != "resign":
        weight = np.where(empty, positions.multiplicity if any_move else initial_beads(settings, positions), weight)
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
def test_machine_weights_match_numpy(boxes: str, when_empty: str, kind: PolicyName) -> None:
    for merged, side in itertools.product((True, False), (0, 1) if boxes != "michie" else (0,)):
        settings = MenaceSettings(boxes=boxes, when_empty=when_empty, merged=merged)  # type: ignore[arg-type]
        machine = Machine.fresh(matchboxes.MENACE, settings, tictactoe(), side)
        beads = np.random.default_rng(1).integers(0, 3, tictactoe().move_count)
        machine.learned.amount[:] = np.where(machine.learned.kept, beads, machine.learned.amount)
        policy, wanted = machine.policy(kind), numpy_weights(machine, kind == "greedy")
        assert policy.weights.tolist() == wanted.tolist()
        empty = tictactoe().moved_by(side) & (tictactoe().sum_over_moves(wanted) == 0)
        assert policy.resigns.tolist() == empty.astype(float).tolist()
        assert empty.any() == (when_empty == "resign")
        sums = tictactoe().sum_over_moves(policy.probability) + policy.resigns
        assert np.allclose(sums, tictactoe().moved_by(side), rtol=0, atol=1e-12)


def expected(seed: int, number: int, count: int) -> list[int]:
    """Return `count` raw numbers from NumPy's generator with the given seed, starting at index `number`."""
    return np.random.PCG64(seed).advance(number).random_raw(count).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 1961, 2**62 + 12_345])
@pytest.mark.parametrize("before", [0, 1, 10**6 + 7, 2**40])
def test_raw_numbers_continue_the_generator_stream(seed: int, before: int) -> None:
    """A game between fixed players uses one number per move, and the next game continues with the next number."""
    arena = Arena(tictactoe())
    x, o = arena.fixed_player("random"), arena.fixed_player("random")
    numbers = raw_numbers(seed, before)
    for _ in range(50):
        before += arena.play(x, o, numbers, 3, math.inf).numbers
        assert numbers.generator.state == np.random.PCG64(seed).advance(before).state


def test_seeds_outside_the_range_are_refused() -> None:
    for seed in (0, 1, 2**63 - 1):
        assert check_seed(seed) == seed
        assert raw_numbers(seed, 0).generator.random_raw() == expected(seed, 0, 1)[0]
    for seed in (-1, 2**63, 2**64, -(2**63)):
        with pytest.raises(InvalidRun, match=f"seed {seed} is not an integer from 0 to"):
            check_seed(seed)


def test_new_seeds_are_distinct_and_in_range(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = {check_seed(new_seed()) for _ in range(100)}
    assert len(seeds) == 100  # the probability that two of the 100 random seeds are equal is about 1 in 2e15
    bits_asked: list[int] = []
    monkeypatch.setattr(play.secrets, "randbits", lambda bits: bits_asked.append(bits) or 2**bits - 1)
    assert new_seed() == 2**63 - 1
    assert bits_asked == [63]


@pytest.mark.parametrize("seed", [0, 1961, 2**63 - 1])
def test_equivalent_cells_use_lower_half_of_separate_numbers(seed: int) -> None:
    stream = np.random.PCG64(seed).jumped().random_raw(50).tolist()
    for index, number in enumerate(stream):
        low = number % 2**32
        assert pick_uniformly(seed, index, 2**32) == low
        for count in (1, 2, 4, 8, 1000):
            assert pick_uniformly(seed, index, count) == low * count // 2**32
    assert {pick_uniformly(seed, index, 4) for index in range(50)} == {0, 1, 2, 3}
    assert not set(stream) & set(expected(seed, 0, 50))
