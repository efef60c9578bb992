"""Exact strength over positions equals brute force over all boards of the real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from bench import Player, Seated, new_machine, outcomes_everywhere, policy_of, trained, uncompiled_kernel
from oracle import TICTACTOE, Chooser

from menace.arena import strength as best_responses
from menace.arena import strength as exact_strength
from menace.arena.strength import (
    Measuring,
    Outcomes,
    RefutingLine,
    Strength,
    against,
    best_response,
    exploitability,
    game_value,
    most_likely_refutation,
    outcomes,
    worst_case,
)
from menace.errors import InvalidGame
from menace.games import get_game
from menace.games.base import ONGOING, Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners import policy as policies
from menace.learners.algorithms.beads import MENACE, MenaceSettings
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy
from menace.learners.registry import PRESETS

RANDOM = (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
CLOSE = 1e-12


def fraction(probability: float) -> Fraction:
    """Return the fraction that a probability stands for: beads and weights are few. So ties are exact."""
    return Fraction(probability).limit_denominator(10**7)


@cache
def cells_by_next(board: str) -> dict[str, list[int]]:
    """Return the cells that lead to each canonical board."""
    cells: dict[str, list[int]] = {}
    for cell, child in TICTACTOE.children(board).items():
        cells.setdefault(TICTACTOE.canonical(child), []).append(cell)
    return cells


def chooser(
    positions: Positions, position_of: dict[str, int], policy: Policy, number: Callable[[float], Any] = float
) -> Chooser:
    """Play the real board: the probability of a move is spread over the cells that lead to the same position."""
    probability = [number(p) for p in policy.probability.tolist()]

    def choose(board: str) -> dict[int, Any]:
        cells = cells_by_next(board)
        probabilities = {}
        for move in positions.moves_of(position_of[TICTACTOE.canonical(board)]):
            position = int(positions.next_position[move])
            same = next(here for name, here in cells.items() if position_of[name] == position)
            probabilities |= dict.fromkeys(same, probability[move] / len(same))
        return probabilities

    return choose


@pytest.fixture(scope="module")
def players(positions: Positions) -> tuple[dict[str, Player], dict[str, Player]]:
    """Players for X and for O: fixed ones, fresh machines, trained ones, and ones with empty boxes."""
    seats: tuple[dict[str, Player], dict[str, Player]] = ({}, {})
    for side, named in enumerate(seats):
        for name in ("random", "optimal", "perfect", "imperfect:0.3"):
            named[name] = name
        named["fresh"] = new_machine(positions, side)
        named["unmerged"] = new_machine(positions, side, MenaceSettings(merged=False))
        for when_empty in ("resign", "restock", "random"):
            settings = MenaceSettings(beads=(2, 1), loss=-2, draw=-1, when_empty=when_empty)  # boxes become empty soon
            named[f"trained, {when_empty}"] = trained(positions, side, settings, "imperfect:0.3", 400)
        named["scroggs"] = trained(positions, side, PRESETS["scroggs"].settings, "random", 500)
    return seats


FIXED = ("random", "optimal", "perfect", "imperfect:0.3")
LEARNERS = ("fresh", "unmerged", "trained, resign", "trained, restock", "trained, random", "scroggs")
PAIRS = [
    *((x, o) for x in FIXED for o in LEARNERS[2:4]),
    *((x, o) for x in LEARNERS for o in ("random", "scroggs")),
    *zip(LEARNERS[2:], LEARNERS[-2:1:-1], strict=False),
]


def test_random_against_random_has_the_published_outcomes(by_symmetry: dict[str, Positions]) -> None:
    assert TICTACTOE.play_out(TICTACTOE.uniform(TICTACTOE.empties), TICTACTOE.uniform(TICTACTOE.empties)) == RANDOM
    for positions in by_symmetry.values():
        exact = outcomes(*(fixed_policy("random", positions, side) for side in (0, 1)))
        assert exact == pytest.approx([float(share) for share in RANDOM], rel=0, abs=CLOSE)


@pytest.mark.parametrize("names", [("optimal", "random"), ("random", "optimal"), ("perfect", "random")])
def test_fixed_players_have_the_outcomes_of_brute_force_in_fractions(
    by_symmetry: dict[str, Positions], names: tuple[str, str]
) -> None:
    cells = {"random": TICTACTOE.empties, "optimal": TICTACTOE.best_cells, "perfect": TICTACTOE.perfect_cells}
    wanted = TICTACTOE.play_out(*(TICTACTOE.uniform(cells[name]) for name in names))
    for positions in by_symmetry.values():
        exact = outcomes(*(fixed_policy(name, positions, side) for side, name in enumerate(names)))
        assert exact == pytest.approx([float(share) for share in wanted], rel=0, abs=CLOSE)


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_outcomes_are_those_of_brute_force_over_all_boards(
    positions: Positions, position_of: dict[str, int], players: tuple, x: str, o: str, kind: str
) -> None:
    policies = [policy_of(positions, players[side][name], side, kind) for side, name in enumerate((x, o))]
    wanted = TICTACTOE.play_out(*(chooser(positions, position_of, policy) for policy in policies))
    exact = outcomes(*policies)
    assert isinstance(exact, Outcomes)
    assert exact == pytest.approx([float(share) for share in wanted], rel=0, abs=CLOSE)
    assert sum(exact) == pytest.approx(1, rel=0, abs=CLOSE)
    assert against(*policies) == Strength(*exact)
    assert against(*policies[::-1]) == Strength(*exact[::-1])


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("name", "kind"), [*((n, "behaviour") for n in FIXED + LEARNERS), *((n, "greedy") for n in LEARNERS)]
)
def test_no_player_does_better_against_a_policy_than_its_best_response(
    positions: Positions, position_of: dict[str, int], players: tuple, name: str, side: int, kind: str
) -> None:
    policy = policy_of(positions, players[side][name], side, kind)
    value, wins = TICTACTOE.best_against(chooser(positions, position_of, policy, fraction), "XO"[side])
    response = best_response(policy)
    result = against(response, policy)
    assert result.value == pytest.approx(float(value), rel=0, abs=CLOSE)
    assert result.win == pytest.approx(float(wins), rel=0, abs=CLOSE)  # of equal values, the one that wins more often
    worst = worst_case(policy)
    assert worst == pytest.approx(against(policy, response), rel=0, abs=CLOSE)
    assert worst == pytest.approx(result[::-1], rel=0, abs=CLOSE)
    assert worst.value == pytest.approx(-float(value), rel=0, abs=CLOSE)


def test_a_best_response_is_a_player_without_chance(positions: Positions) -> None:
    for side in (0, 1):
        response = best_response(fixed_policy("random", positions, side))
        own = positions.moved_by(1 - side)
        assert set(response.probability.tolist()) == {0.0, 1.0}
        assert positions.sum_over_moves(response.probability).tolist() == own.astype(float).tolist()
        assert not response.resigns.any()


def test_between_equal_moves_a_best_response_wins_more_often_and_then_plays_the_lowest(positions: Positions) -> None:
    """Against a perfect O every opening draws, unless O resigns every other game that opens on the edge."""
    response = best_response(fixed_policy("perfect", positions, 1))
    assert response.probability[:3].tolist() == [1, 0, 0]
    policy = fixed_policy("perfect", positions, 1)
    resigns = 0.5 * (np.arange(len(positions)) == 2)
    assert best_response(Policy(positions, 1, policy.parts, resigns)).probability[:3].tolist() == [
        0,
        1,
        0,
    ]


@pytest.mark.parametrize("side", [0, 1])
def test_a_best_response_takes_what_is_better_by_however_little(positions: Positions, side: int) -> None:
    """A perfect player draws, but at one position it now and then resigns: the response leads it there."""
    perfect = fixed_policy("perfect", positions, side)
    for where in np.flatnonzero((positions.ply == 2 - side) & (positions.minimax == 0)).tolist():
        (last,) = np.flatnonzero(positions.next_position == where)
        opening = np.flatnonzero(positions.next_position == positions.position_of_move[last])
        met = 1.0 if side == 1 else float(perfect.probability[opening].sum())
        for chance in (0.5, 1e-3, 1e-6, 1e-9, 1e-11):
            policy = Policy(positions, side, perfect.parts, chance * (np.arange(len(positions)) == where))
            assert best_response(policy).probability[last] == 1
            assert worst_case(policy).loss == pytest.approx(met * chance, rel=1e-3, abs=0)


def test_a_best_response_takes_rounding_for_no_difference(positions: Positions) -> None:
    perfect = fixed_policy("perfect", positions, 1)
    for chance in (2.0**-52, 1e-14):
        policy = Policy(positions, 1, perfect.parts, chance * (np.arange(len(positions)) == 2))
        assert best_response(policy).probability[:3].tolist() == [1, 0, 0]


def test_that_the_other_resigns_is_worth_a_win(positions: Positions) -> None:
    random = fixed_policy("random", positions, 1)
    resigns = 1.0 * (np.arange(len(positions)) == 2)  # O resigns whenever X opens on the edge
    policy = Policy(positions, 1, random.parts, resigns)
    assert best_response(random).probability[:3].tolist() != [0, 1, 0]
    assert best_response(policy).probability[:3].tolist() == [0, 1, 0]
    assert worst_case(policy) == (0, 0, 1)


@pytest.mark.parametrize("name", ["optimal", "perfect", "imperfect:0"])
@pytest.mark.parametrize("side", [0, 1])
def test_who_keeps_the_value_draws_in_the_worst_case(positions: Positions, name: str, side: int) -> None:
    worst = worst_case(fixed_policy(name, positions, side))
    assert worst == pytest.approx((0, 1, 0), rel=0, abs=CLOSE)
    assert worst_case(fixed_policy("random", positions, side)).value < -0.9


def beating_lines(positions: Positions, policy: Policy, side: int, position: int = 0) -> Iterator[RefutingLine]:
    """Yield every line of play from a position at whose end the policy has lost, or resigns."""
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
def test_of_all_lines_the_surest_is_found_and_of_these_the_shortest_then_the_lowest(
    positions: Positions, players: tuple, name: str, side: int
) -> None:
    policy = policy_of(positions, players[side][name], side)
    lines = beating_lines(positions, policy, side)
    assert most_likely_refutation(policy) == min(
        lines, key=lambda line: (-line.probability, len(line.moves), line.moves)
    )


def test_who_cannot_be_beaten_has_no_such_line_and_is_not_exploitable(positions: Positions) -> None:
    for side in (0, 1):
        perfect = fixed_policy("perfect", positions, side)
        assert most_likely_refutation(perfect) is None
        assert next(beating_lines(positions, perfect, side), None) is None
        assert exploitability(perfect) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize(("variant", "value"), [("3x3x3", 0), ("2x2x2", 1), ("1x3x3", 0), ("3x4x3", 1)])
def test_a_game_is_worth_to_one_side_what_it_costs_the_other(variant: str, value: int) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    assert [game_value(positions, side) for side in (0, 1)] == [value, -value]
    for side in (0, 1):
        assert exploitability(fixed_policy("perfect", positions, side)) == pytest.approx(0, abs=CLOSE)


def emptied(positions: Positions, side: int, position: int) -> Seated:
    """A fresh machine that resigns at a box which is empty."""
    machine = new_machine(positions, side, MenaceSettings(when_empty="resign"))
    machine.learned.amount[list(positions.moves_of(position))] = 0
    return machine


def test_a_machine_whose_first_box_is_empty_loses_every_game(positions: Positions) -> None:
    policy = emptied(positions, 0, 0).policy()
    assert outcomes(policy, fixed_policy("random", positions, 1)) == (0.0, 0.0, 1.0)
    assert worst_case(policy) == (0.0, 0.0, 1.0)


def test_a_machine_loses_the_games_that_reach_an_empty_box(positions: Positions, position_of: dict[str, int]) -> None:
    """O resigns if a random X opens on a corner, 4 times in 9; X loses if it opens on the centre and O on an edge."""
    random = [fixed_policy("random", positions, side) for side in (0, 1)]
    fresh = outcomes(random[0], new_machine(positions, 1).policy())
    emptied_outcomes = outcomes(random[0], emptied(positions, 1, position_of["X........"]).policy())
    assert emptied_outcomes.x_wins > fresh.x_wins
    assert emptied_outcomes.x_wins >= 4 / 9
    assert emptied_outcomes.draw < fresh.draw
    later = emptied(positions, 0, position_of[".O..X...."]).policy()
    assert later.resigns[position_of[".O..X...."]] == 1
    fresh = outcomes(new_machine(positions, 0).policy(), random[1])
    emptied_outcomes = outcomes(later, random[1])
    resigned = 1 / 3 * 4 / 8  # a third of the first beads are the centre's; four of O's eight cells are edges
    assert emptied_outcomes.o_wins >= resigned
    assert fresh.o_wins < emptied_outcomes.o_wins <= fresh.o_wins + resigned
    assert emptied_outcomes.x_wins + emptied_outcomes.draw <= 1 - resigned
    assert worst_case(later).loss >= 1 / 3


SMALL = (("tictactoe",), ("tictactoe", "3x3x3-misere"), ("hexapawn", "3x3"), ("nim", "3-4-5"), ("connect", "3x3x3"))


def of_random_beads(positions: Positions, side: int, seed: int, most: int, when_empty: str = "restock") -> Policy:
    """A machine with 0 to `most` beads in each pile: where none is left, it resigns or has its first beads back."""
    machine = Machine.fresh(MENACE, MenaceSettings(when_empty=when_empty), positions, side)  # type: ignore[arg-type]
    beads = np.random.default_rng(seed).integers(0, most + 1, positions.move_count)
    machine.learned.amount[:] = np.where(machine.learned.kept, beads, machine.learned.amount)
    return machine.policy()


def half_hearted(positions: Positions, side: int) -> Policy:
    """A player that gives up at each position with a probability of its own, and otherwise plays at random."""
    resigns = np.random.default_rng(side).uniform(0, 0.5, len(positions)) * positions.moved_by(side)
    return Policy(positions, side, ((1.0, positions.multiplicity.astype(np.float64)),), resigns)


@pytest.mark.parametrize("which", SMALL, ids=" ".join)
def test_the_kernel_has_the_strength_that_numpy_has_backwards_and_the_same_uncompiled(
    which: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = enumerate_positions(get_game(*which))
    xs, os = (
        [
            fixed_policy("random", positions, side),
            fixed_policy("optimal", positions, side),
            *(of_random_beads(positions, side, seed, 9) for seed in range(3)),
            of_random_beads(positions, side, 3, 1, "resign"),
            half_hearted(positions, side),
        ]
        for side in (0, 1)
    )
    assert any(policy.can_resign for policy in (*xs, *os))
    compiled = [outcomes(x, o) for x in xs for o in os]
    expected = [outcomes_everywhere(x, o)[0] for x in xs for o in os]
    np.testing.assert_allclose(compiled, expected, rtol=0, atol=1e-12)
    everywhere = [outcomes(xs[-3], os[-2], position) for position in range(len(positions))]
    np.testing.assert_allclose(everywhere, outcomes_everywhere(xs[-3], os[-2]), rtol=0, atol=1e-12)
    passes = [Measuring(positions, policy.side).of_policy(policy) for policy in (xs[-1], os[-1])]
    wanted = [against(policy, fixed_policy("random", positions, 1 - policy.side)) for policy in (xs[-1], os[-1])]
    np.testing.assert_allclose([strengths.random for strengths in passes], wanted, rtol=0, atol=1e-12)
    wanted = [worst_case(policy) for policy in (xs[-1], os[-1])]
    np.testing.assert_allclose([strengths.best for strengths in passes], wanted, rtol=0, atol=1e-12)
    worst = [worst_case(policy) for policy in (*xs, *os)]
    replies = [best_response(policy) for policy in (*xs, *os)]
    met = [against(policy, reply) for policy, reply in zip((*xs, *os), replies, strict=True)]
    np.testing.assert_allclose(worst, met, rtol=0, atol=1e-12)
    assert all(0 <= share <= 1 for strength in worst for share in strength)
    engine = uncompiled_kernel()
    for module in (exact_strength, best_responses, policies):
        monkeypatch.setattr(module, "kernel", engine)
    again = enumerate_positions(get_game(*which))
    again.__dict__["graph"] = engine.Graph(again)
    alike = [Policy(again, policy.side, policy.parts, policy.resigns) for policy in (*xs, *os)]
    assert [policy.probability.tolist() for policy in alike] == [p.probability.tolist() for p in (*xs, *os)]
    x_again, o_again = alike[: len(xs)], alike[len(xs) :]
    assert [outcomes(x, o) for x in x_again for o in o_again] == compiled
    assert [worst_case(policy) for policy in alike] == worst
    assert [best_response(p).probability.tolist() for p in alike] == [reply.probability.tolist() for reply in replies]


@pytest.mark.parametrize("side", [0, 1])
def test_a_best_response_achieves_what_was_summed_up_for_it_from_every_position(side: int) -> None:
    for positions in (enumerate_positions(get_game(*which)) for which in SMALL):
        policy = half_hearted(positions, side)
        value, wins, chosen = np.empty(len(positions)), np.empty(len(positions)), np.zeros(positions.move_count)
        arrays = map(kernel.view, (policy.probability, policy.resigns, value, wins, chosen))
        kernel.respond(positions.graph, side, 1e-12, *arrays)
        response = Policy.deterministic(positions, Side.of_number(1 - side), chosen)
        seats = (policy, response) if side == 0 else (response, policy)
        shares = outcomes_everywhere(*seats)  # X has won, draw, O has won
        np.testing.assert_allclose(wins, shares[:, 2 * (1 - side)], rtol=0, atol=1e-12)
        np.testing.assert_allclose(value, wins - shares[:, 2 * side], rtol=0, atol=1e-12)


def test_who_is_of_another_game_is_refused() -> None:
    small = enumerate_positions(get_game("tictactoe", "2x2x2"))
    with pytest.raises(InvalidGame, match="take players of one game"):
        outcomes(fixed_policy("random", small, 0), fixed_policy("random", tictactoe(), 1))
