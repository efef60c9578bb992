"""Tests that grades match a brute-force calculation, and tests of how grades are printed and used in other projects."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest
from exact_oracle import GAMES, OracleGrade, Player, Solved, random_player
from playing import novice

import menace
from menace.analysis.grades import Grade, grade
from menace.games import enumeration
from menace.games.base import Side, SideText
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.testing import assert_grade, assert_unbeatable

# The number of players graded per game; in the largest game, only one eighth as many are graded.
# MENACE_GRADED_PLAYERS=1408 checks 10,032 players, which takes a few minutes.
PLAYERS = int(os.environ.get("MENACE_GRADED_PLAYERS", "32"))
LARGEST = "tictactoe 3x3x3"
ROUNDING = 1e-12


@cache
def solved(game: str) -> Solved:
    return Solved(GAMES[game])


@cache
def positions_of(game: str) -> Positions:
    return menace.enumerate_positions(menace.get_game(*game.split()))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("symmetric", [False, True], ids=["any player", "symmetric player"])
def test_grades_equal_brute_force_on_boards(game: str, symmetric: bool) -> None:
    for seed in range(PLAYERS // 2 // (8 if game == LARGEST else 1)):
        player = random_player(solved(game), seed, symmetric)
        side: SideText = "X" if seed % 4 < 2 else "O"
        graded = grade(player, side, positions_of(game))
        _check(game, graded, player, side)
        if symmetric:
            assert graded.contradictions == ()
            _check(game, grade(player, side, positions_of(game), symmetric=True), player, side)


def _check(game: str, graded: Grade, player: Player, side: SideText) -> None:
    expected, rules = OracleGrade(solved(game), player, side), SymmetricGame(positions_of(game).game)
    for opponent, results in expected.against.items():
        assert tuple(graded.against[opponent]) == pytest.approx(results, abs=ROUNDING)
    best = expected.against["best_response"]
    value = solved(game).value[solved(game).game.start] * (1 if side == "X" else -1)
    assert (graded.value, graded.unbeatable) == (value, expected.refuted == 0)
    assert graded.exploitability == pytest.approx(value - best[0] + best[2], abs=ROUNDING)
    if not graded.symmetric:  # otherwise, one line represents several
        assert (graded.line.probability if graded.line else 0.0) == pytest.approx(expected.refuted, abs=ROUNDING)
    assert {min(GAMES[game].images(mistake.board)) for mistake in graded.mistakes} == expected.erring
    for opponent, cost in expected.costs.items():
        assert sum(getattr(m, f"cost_{opponent}") for m in graded.mistakes) == pytest.approx(cost, abs=ROUNDING)
    if graded.contradictions is not None:
        assert graded.boards_asked == len(expected.answers)
        assert {solved(game).kind[found.board] for found in graded.contradictions} == expected.contradicting
        assert all(rules.canonical(found.board) == rules.canonical(found.image) for found in graded.contradictions)


# The following tests check the contents of a grade.


def test_novice_is_graded_on_every_board_unless_symmetry_is_declared() -> None:
    exact, assumed = grade(novice, "O"), grade(novice, "O", symmetric=True)
    assert exact.against["random"].loss == pytest.approx(1 / 63, abs=ROUNDING)  # as by brute force
    assert assumed.against["random"].loss == pytest.approx(2 / 105, abs=ROUNDING)
    assert len(exact.contradictions or ()) == 20
    assert assumed.contradictions is None
    assert "assumed to treat mirrored and rotated boards alike" in str(assumed)
    assert "on 20 of these boards, the answer contradicts" in str(exact)
    assert menace.evaluate("random", novice).outcomes.x_wins == pytest.approx(exact.against["random"].loss, abs=1e-12)
    pairs = menace.compare(["random", novice])
    assert pairs["random", "novice"] == menace.evaluate("random", novice).outcomes
    assert pairs["random", "random"] == pytest.approx(tuple(menace.evaluate("random", "random").outcomes), abs=1e-12)


def test_strength_and_mistakes_are_views_of_a_grade() -> None:
    for player in (novice, menace.Machine("menace", "O"), menace.Policy.from_function(novice, "O")):
        graded = grade(player, "O")
        strength, mistakes = menace.strength(player, plays="O"), menace.mistakes(player, plays="O")
        assert (strength.against, strength.line, strength.moves) == (graded.against, graded.line, graded.moves)
        assert tuple(mistakes) == graded.mistakes
        assert strength == mistakes == graded
        assert hash(strength) == hash(graded)


def test_own_players_have_the_same_grade_on_every_board() -> None:
    for player in ("random-distinct", "imperfect:0.3", "johnson-2013"):
        policy = menace.policy_of(player, "O")
        whole, unfolded = grade(policy), grade(policy.on_every_board())
        for opponent, strength in whole.against.items():
            assert tuple(unfolded.against[opponent]) == pytest.approx(tuple(strength), abs=ROUNDING)
        costs = [[mistake.cost_optimal for mistake in graded.mistakes] for graded in (whole, unfolded)]
        assert sum(costs[0]) == pytest.approx(sum(costs[1]), abs=ROUNDING)
        assert len(costs[0]) == len(costs[1])


def test_symmetry_is_assumed_in_games_with_too_many_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST_BOARDS", 100)
    positions = menace.enumerate_positions(menace.get_game("tictactoe", "3x3x3-misere"))
    graded = grade(novice, "O", positions)  # no other test caches this game's boards
    assert graded.symmetric
    assert "assumed to treat mirrored" in str(graded)
    assert graded.against == grade(novice, "O", positions, symmetric=True).against
    loss = menace.evaluate("random", novice, positions=positions).outcomes.x_wins
    assert loss == pytest.approx(graded.against["random"].loss, abs=ROUNDING)


def test_tables_of_all_players_have_the_same_columns() -> None:
    players = ("perfect", "random", novice)  # unbeatable, beatable and self-contradictory
    assert len({tuple(grade(player, "O").table().columns) for player in players}) == 1


def test_time_is_neither_compared_nor_exported() -> None:
    one, other = grade(novice, "O"), grade(novice, "O")
    assert one.seconds_per_move != other.seconds_per_move
    assert one == other
    assert one != grade(novice, "X")
    assert "seconds" not in json.dumps(one.to_dict())
    assert "seconds_per_move" not in one.table().columns
    assert json.loads(json.dumps(one.to_dict())) == one.to_dict()


@pytest.mark.parametrize("game", GAMES)
def test_grades_of_all_games_are_shown(game: str) -> None:
    for side in Side:
        graded = grade(lambda _board, moves: moves[0], side, *game.split())
        assert graded.game == game
        ET.fromstring(f"<div>{graded._repr_html_()}</div>")
        assert len(graded.drawings()) == min(len(graded.mistakes), 3)
        assert all(drawing.startswith("<svg") for drawing in graded.drawings())
        assert graded.table().records()[0]["mistakes"] == len(graded.mistakes)
        assert f"plays {side}" in str(graded)


def test_function_that_makes_random_choices_is_reported() -> None:
    chance = random.Random(1)

    def dice(_board: str, moves: list[str]) -> str:
        return chance.choice(moves)

    graded = grade(dice, "O")
    assert graded.varies is not None
    assert "note: dice makes random choices, for example on board" in str(graded)
    assert grade(novice, "O").varies is None


# The following tests grade other people's code.

TEST_FILE = """
from menace.testing import assert_grade, assert_unbeatable


def first(board, moves):
    return moves[0]


def test_fixture(exact_grade):
    assert exact_grade(first, plays="O").unbeatable


def test_assertion():
    assert_unbeatable(first, plays="O")


def test_perfect(exact_grade):
    assert assert_unbeatable("perfect", plays="O") == exact_grade("perfect", plays="O")
"""


def test_failing_assertions_name_the_board_and_the_move() -> None:
    with pytest.raises(AssertionError, match=r"novice can be beaten: \d at [XO.]{9} loses instead of draws"):
        assert_unbeatable(novice, plays="O")
    with pytest.raises(AssertionError, match=r"boards on which it errs: 6, more than 5\n(?s:.)*to blame: \d at"):
        assert_grade(novice, plays="O", at_most_erring=5)
    with pytest.raises(AssertionError, match=r"losses against random play: 0\.015873, more than 0.01"):
        assert_grade(novice, plays="O", at_most_losing={"random": 0.01})
    assert_grade(novice, plays="O", at_most_erring=6, at_most_losing={"random": 1 / 63})


def test_move_blamed_by_a_grade_loses_value() -> None:
    graded = grade(novice, "O")
    move, _, rest = graded.blame.partition(" at ")
    board = rest.split()[0]
    assert novice(board, [str(cell) for cell, piece in enumerate(board) if piece == "."]) == move
    positions = menace.enumerate_positions(menace.get_game(), "none")
    after = positions.game.play(board, int(move))
    assert [int(positions.minimax[positions.number_of(text)]) for text in (board, after)] == [0, 1]
    assert grade("perfect", "O").blame == "nothing; O cannot force more"


@pytest.mark.slow
def test_pytest_finds_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(TEST_FILE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 failed, 1 passed" in run.stdout
    assert "AssertionError: first can be beaten: " in run.stdout
    code = "import sys, menace.adapters.pytest_exact_grade; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    own = {"menace", "menace.adapters", "menace.adapters.pytest_exact_grade"}
    assert {name for name in loaded if name.startswith("menace")} == own
    assert "numpy" not in loaded
