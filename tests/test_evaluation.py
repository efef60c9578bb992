"""Exact strength: what the package says over positions, brute force says over all boards of the real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from bench import Player, Seated, new_machine, policy_of, trained
from oracle import TICTACTOE, Chooser

from menace.arena import evaluation
from menace.arena.evaluation import (
    Line,
    Outcomes,
    Strength,
    against,
    best_response,
    best_responses,
    exploitability,
    game_value,
    outcomes,
    outcomes_of,
    surest_line,
    worst_case,
)
from menace.games import get_game
from menace.games.base import ONGOING
from menace.games.positions import enumerate_positions
from menace.games.table import TransitionTable
from menace.learners import PRESETS
from menace.learners.base import Policy
from menace.learners.fixed import fixed_policy
from menace.learners.menace import MenaceSettings

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
    table: TransitionTable, position_of: dict[str, int], policy: Policy, number: Callable[[float], Any] = float
) -> Chooser:
    """Play the real board: the probability of a move is spread over the cells that lead to the same position."""
    probability = [number(p) for p in policy.probability.tolist()]

    def choose(board: str) -> dict[int, Any]:
        cells = cells_by_next(board)
        found = {}
        for move in table.moves_of(position_of[TICTACTOE.canonical(board)]):
            position = int(table.next_position[move])
            same = next(here for name, here in cells.items() if position_of[name] == position)
            found |= dict.fromkeys(same, probability[move] / len(same))
        return found

    return choose


@pytest.fixture(scope="module")
def players(table: TransitionTable) -> tuple[dict[str, Player], dict[str, Player]]:
    """Players for X and for O: fixed ones, fresh machines, trained ones, and ones with empty boxes."""
    seats: tuple[dict[str, Player], dict[str, Player]] = ({}, {})
    for side, found in enumerate(seats):
        for name in ("random", "optimal", "perfect", "imperfect:0.3"):
            found[name] = name
        found["fresh"] = new_machine(table, side)
        found["unmerged"] = new_machine(table, side, MenaceSettings(merged=False))
        for when_empty in ("resign", "restock", "random"):
            settings = MenaceSettings(beads=(2, 1), loss=-2, draw=-1, when_empty=when_empty)  # boxes become empty soon
            found[f"trained, {when_empty}"] = trained(table, side, settings, "imperfect:0.3", 400)
        found["scroggs"] = trained(table, side, PRESETS["scroggs"].settings, "random", 500)
    return seats


FIXED = ("random", "optimal", "perfect", "imperfect:0.3")
LEARNERS = ("fresh", "unmerged", "trained, resign", "trained, restock", "trained, random", "scroggs")
PAIRS = [
    *((x, o) for x in FIXED for o in LEARNERS[2:4]),
    *((x, o) for x in LEARNERS for o in ("random", "scroggs")),
    *zip(LEARNERS[2:], LEARNERS[-2:1:-1], strict=False),
]


def test_random_against_random_has_the_published_outcomes(tables: dict[str, TransitionTable]) -> None:
    assert TICTACTOE.play_out(TICTACTOE.uniform(TICTACTOE.empties), TICTACTOE.uniform(TICTACTOE.empties)) == RANDOM
    for table in tables.values():
        found = outcomes(table, *(fixed_policy("random", table, side) for side in (0, 1)))
        assert found == pytest.approx([float(share) for share in RANDOM], rel=0, abs=CLOSE)


@pytest.mark.parametrize("names", [("optimal", "random"), ("random", "optimal"), ("perfect", "random")])
def test_fixed_players_have_the_outcomes_of_brute_force_in_fractions(
    tables: dict[str, TransitionTable], names: tuple[str, str]
) -> None:
    cells = {"random": TICTACTOE.empties, "optimal": TICTACTOE.best_cells, "perfect": TICTACTOE.perfect_cells}
    wanted = TICTACTOE.play_out(*(TICTACTOE.uniform(cells[name]) for name in names))
    for table in tables.values():
        found = outcomes(table, *(fixed_policy(name, table, side) for side, name in enumerate(names)))
        assert found == pytest.approx([float(share) for share in wanted], rel=0, abs=CLOSE)


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_outcomes_are_those_of_brute_force_over_all_boards(
    table: TransitionTable, position_of: dict[str, int], players: tuple, x: str, o: str, kind: str
) -> None:
    policies = [policy_of(table, players[side][name], side, kind) for side, name in enumerate((x, o))]
    wanted = TICTACTOE.play_out(*(chooser(table, position_of, policy) for policy in policies))
    found = outcomes(table, *policies)
    assert isinstance(found, Outcomes)
    assert found == pytest.approx([float(share) for share in wanted], rel=0, abs=CLOSE)
    assert sum(found) == pytest.approx(1, rel=0, abs=CLOSE)
    assert against(table, *policies, 0) == Strength(*found)
    assert against(table, *policies[::-1], 1) == Strength(*found[::-1])


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("name", "kind"), [*((n, "behaviour") for n in FIXED + LEARNERS), *((n, "greedy") for n in LEARNERS)]
)
def test_nobody_does_better_against_a_policy_than_its_best_response(
    table: TransitionTable, position_of: dict[str, int], players: tuple, name: str, side: int, kind: str
) -> None:
    policy = policy_of(table, players[side][name], side, kind)
    value, wins = TICTACTOE.best_against(chooser(table, position_of, policy, fraction), "XO"[side])
    response = best_response(table, policy, side)
    found = against(table, response, policy, 1 - side)
    assert found.value == pytest.approx(float(value), rel=0, abs=CLOSE)
    assert found.win == pytest.approx(float(wins), rel=0, abs=CLOSE)  # of equal values, the one that wins more often
    worst = worst_case(table, policy, side)
    assert worst == against(table, policy, response, side)
    assert worst == pytest.approx(found[::-1], rel=0, abs=CLOSE)
    assert worst.value == pytest.approx(-float(value), rel=0, abs=CLOSE)


def test_a_best_response_is_a_player_without_chance(table: TransitionTable) -> None:
    for side in (0, 1):
        response = best_response(table, fixed_policy("random", table, side), side)
        own = table.moved_by(1 - side)
        assert set(response.probability.tolist()) == {0.0, 1.0}
        assert table.sum_over_moves(response.probability).tolist() == own.astype(float).tolist()
        assert not response.resigns.any()


def test_between_equal_moves_a_best_response_wins_more_often_and_then_plays_the_lowest(table: TransitionTable) -> None:
    """Against a perfect O every opening draws, unless O resigns every other game that opens on the edge."""
    response = best_response(table, fixed_policy("perfect", table, 1), 1)
    assert response.probability[:3].tolist() == [1, 0, 0]
    policy = fixed_policy("perfect", table, 1)
    resigns = 0.5 * (np.arange(table.positions) == 2)
    assert best_response(table, Policy(table, 1, policy.parts, resigns), 1).probability[:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize("side", [0, 1])
def test_a_best_response_takes_what_is_better_by_however_little(table: TransitionTable, side: int) -> None:
    """A perfect player draws, but at one position it now and then gives up: the response leads it there."""
    perfect = fixed_policy("perfect", table, side)
    for where in np.flatnonzero((table.ply == 2 - side) & (table.minimax == 0)).tolist():
        (last,) = np.flatnonzero(table.next_position == where)
        opening = np.flatnonzero(table.next_position == table.position_of_move[last])
        met = 1.0 if side == 1 else float(perfect.probability[opening].sum())
        for chance in (0.5, 1e-3, 1e-6, 1e-9, 1e-11):
            policy = Policy(table, side, perfect.parts, chance * (np.arange(table.positions) == where))
            assert best_response(table, policy, side).probability[last] == 1
            assert worst_case(table, policy, side).loss == pytest.approx(met * chance, rel=1e-3, abs=0)


def test_a_best_response_takes_rounding_for_no_difference(table: TransitionTable) -> None:
    perfect = fixed_policy("perfect", table, 1)
    for chance in (2.0**-52, 1e-14):
        policy = Policy(table, 1, perfect.parts, chance * (np.arange(table.positions) == 2))
        assert best_response(table, policy, 1).probability[:3].tolist() == [1, 0, 0]


def test_that_the_other_resigns_is_worth_a_win(table: TransitionTable) -> None:
    random = fixed_policy("random", table, 1)
    resigns = 1.0 * (np.arange(table.positions) == 2)  # O resigns whenever X opens on the edge
    policy = Policy(table, 1, random.parts, resigns)
    assert best_response(table, random, 1).probability[:3].tolist() != [0, 1, 0]
    assert best_response(table, policy, 1).probability[:3].tolist() == [0, 1, 0]
    assert worst_case(table, policy, 1) == (0, 0, 1)


@pytest.mark.parametrize("name", ["optimal", "perfect", "imperfect:0"])
@pytest.mark.parametrize("side", [0, 1])
def test_who_keeps_the_value_draws_in_the_worst_case(table: TransitionTable, name: str, side: int) -> None:
    found = worst_case(table, fixed_policy(name, table, side), side)
    assert found == pytest.approx((0, 1, 0), rel=0, abs=CLOSE)
    assert worst_case(table, fixed_policy("random", table, side), side).value < -0.9


def beating_lines(table: TransitionTable, policy: Policy, side: int, position: int = 0) -> Iterator[Line]:
    """Yield every line of play from a position at whose end the policy has lost, or gives up."""
    if table.outcome[position] != ONGOING:
        if table.outcome[position] == (-1 if side == 0 else 1):
            yield Line(1.0, (), False)
        return
    its_own = table.ply[position] % 2 == side
    if its_own and policy.resigns[position]:
        yield Line(float(policy.resigns[position]), (), True)
    for move in table.moves_of(position):
        chance = float(policy.probability[move]) if its_own else 1.0
        if chance:
            for line in beating_lines(table, policy, side, int(table.next_position[move])):
                yield Line(chance * line.probability, (move, *line.moves), line.resigns)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", ["random", "fresh", "unmerged", "trained, resign", "scroggs"])
def test_of_all_lines_the_surest_is_found_and_of_these_the_shortest_then_the_lowest(
    table: TransitionTable, players: tuple, name: str, side: int
) -> None:
    policy = policy_of(table, players[side][name], side)
    lines = beating_lines(table, policy, side)
    assert surest_line(table, policy, side) == min(
        lines, key=lambda line: (-line.probability, len(line.moves), line.moves)
    )


def test_who_cannot_be_beaten_has_no_such_line_and_is_not_exploitable(table: TransitionTable) -> None:
    for side in (0, 1):
        perfect = fixed_policy("perfect", table, side)
        assert surest_line(table, perfect, side) is None
        assert next(beating_lines(table, perfect, side), None) is None
        assert exploitability(table, perfect, side) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize(("variant", "value"), [("3x3x3", 0), ("2x2x2", 1), ("1x3x3", 0), ("3x4x3", 1)])
def test_a_game_is_worth_to_one_side_what_it_costs_the_other(variant: str, value: int) -> None:
    table = TransitionTable.from_positions(enumerate_positions(get_game("tictactoe", variant)))
    assert [game_value(table, side) for side in (0, 1)] == [value, -value]
    for side in (0, 1):
        assert exploitability(table, fixed_policy("perfect", table, side), side) == pytest.approx(0, abs=CLOSE)


def emptied(table: TransitionTable, side: int, position: int) -> Seated:
    """A fresh machine that resigns at a box which is empty."""
    machine = new_machine(table, side, MenaceSettings(when_empty="resign"))
    machine.learned.amount[list(table.moves_of(position))] = 0
    return machine


def test_a_machine_whose_first_box_is_empty_loses_every_game(table: TransitionTable) -> None:
    policy = emptied(table, 0, 0).policy()
    assert outcomes(table, policy, fixed_policy("random", table, 1)) == (0.0, 0.0, 1.0)
    assert worst_case(table, policy, 0) == (0.0, 0.0, 1.0)


def test_a_machine_loses_the_games_that_reach_an_empty_box(table: TransitionTable, position_of: dict[str, int]) -> None:
    """O resigns if a random X opens on a corner, 4 times in 9; X loses if it opens on the centre and O on an edge."""
    random = [fixed_policy("random", table, side) for side in (0, 1)]
    fresh = outcomes(table, random[0], new_machine(table, 1).policy())
    found = outcomes(table, random[0], emptied(table, 1, position_of["X........"]).policy())
    assert found.x_wins > fresh.x_wins
    assert found.x_wins >= 4 / 9
    assert found.draw < fresh.draw
    later = emptied(table, 0, position_of[".O..X...."]).policy()
    assert later.resigns[position_of[".O..X...."]] == 1
    fresh = outcomes(table, new_machine(table, 0).policy(), random[1])
    found = outcomes(table, later, random[1])
    resigned = 1 / 3 * 4 / 8  # a third of the first beads are the centre's; four of O's eight cells are edges
    assert found.o_wins >= resigned
    assert fresh.o_wins < found.o_wins <= fresh.o_wins + resigned
    assert found.x_wins + found.draw <= 1 - resigned
    assert worst_case(table, later, 0).loss >= 1 / 3


def test_pairs_computed_side_by_side_have_the_bits_of_pairs_computed_alone(
    table: TransitionTable, players: tuple[dict[str, Player], dict[str, Player]], monkeypatch: pytest.MonkeyPatch
) -> None:
    x, o = ([policy_of(table, seat[name], side) for name in LEARNERS] for side, seat in enumerate(players))
    assert any(policy.can_resign for policy in x)
    found = []
    for together in (1, 3 * table.moves, 10**9):
        monkeypatch.setattr(evaluation, "TOGETHER", together)
        replies = [best_responses(table, policies, side) for side, policies in enumerate((x, o))]
        pairs = [*zip(x, o, strict=True), *zip(x, replies[0], strict=True), *zip(replies[1], o, strict=True)]
        found.append([*outcomes_of(table, pairs), *(reply.probability.tolist() for side in replies for reply in side)])
    assert found[0] == found[1] == found[2]
    assert found[0][: len(x)] == [outcomes(table, *pair) for pair in zip(x, o, strict=True)]
