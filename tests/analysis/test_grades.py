"""Grades of players: compared with brute force on boards, what they show, and their use in tests of other projects."""

from __future__ import annotations

import os
from functools import cache

import pytest
from exact_oracle import GAMES, OracleGrade, Player, Solved, random_player

import menace
from menace.analysis.grades import Grade, grade
from menace.games.base import SideText
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame

# The number of players of each game, and an eighth of them for the largest one. MENACE_GRADED_PLAYERS=1408 checks
# 10,032 players, which takes some minutes.
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
    if not graded.symmetric:  # else a line stands for several
        assert (graded.line.probability if graded.line else 0.0) == pytest.approx(expected.refuted, abs=ROUNDING)
    assert {min(GAMES[game].images(mistake.board)) for mistake in graded.mistakes} == expected.erring
    for opponent, cost in expected.costs.items():
        assert sum(getattr(m, f"cost_{opponent}") for m in graded.mistakes) == pytest.approx(cost, abs=ROUNDING)
    if graded.contradictions is not None:
        assert graded.boards_asked == len(expected.answers)
        assert {solved(game).kind[found.board] for found in graded.contradictions} == expected.contradicting
        assert all(rules.canonical(found.board) == rules.canonical(found.image) for found in graded.contradictions)
