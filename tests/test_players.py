"""Laws of the fixed players, for every position and exactly: their weights are whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from oracle import TICTACTOE

from menace.errors import InvalidPlayer
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.fixed import FIXED_PLAYERS, fixed_policy, fixed_weights, is_fixed, is_reserved

IMPERFECT = ["imperfect:0", "imperfect:1", "imperfect:0.1", "imperfect:0.5", "imperfect:1e-3", "imperfect:0.000001"]
NAMES = [*FIXED_PLAYERS, *IMPERFECT]


def shares(positions: Positions, name: str) -> list[dict[int, Fraction]]:
    """The probabilities of a player's moves, by position."""
    weight = fixed_weights(name, positions)
    found = []
    for position in range(len(positions)):
        moves = positions.moves_of(position)
        total = sum(int(weight[move]) for move in moves)
        found.append({int(positions.action[move]): Fraction(int(weight[move]), total) for move in moves})
    return found


@pytest.mark.parametrize("name", ["random", "optimal", "perfect"])
def test_a_fixed_player_moves_as_brute_force_says(positions: Positions, boards: list[str], name: str) -> None:
    cells = {"random": TICTACTOE.empties, "optimal": TICTACTOE.best_cells, "perfect": TICTACTOE.perfect_cells}[name]
    for board, found in zip(boards, shares(positions, name), strict=True):
        children = TICTACTOE.children(board)
        wanted = dict.fromkeys(found, Fraction(0))
        for cell in cells(board):
            same = [c for c in children if TICTACTOE.canonical(children[c]) == TICTACTOE.canonical(children[cell])]
            wanted[min(same)] += Fraction(1, len(cells(board)))
        assert found == wanted


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["3x3x3", "2x2x2", "3x3x2", "2x4x3"])
def test_weights_are_whole_and_their_sums_positive_and_small(name: str, variant: str) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    weight = fixed_weights(name, positions)
    assert weight.dtype == np.int32
    assert (weight >= 0).all()
    sums = positions.sum_over_moves(weight)
    moved = positions.moved_by(0) | positions.moved_by(1)
    assert sums[moved].min() > 0
    assert sums.max() < 2**31
    for side in (0, 1):
        policy = fixed_policy(name, positions, side)
        own = positions.moved_by(side)
        assert np.allclose(positions.sum_over_moves(policy.probability), own, rtol=0, atol=1e-12)
        mine = own[positions.position_of_move]
        assert np.allclose(policy.probability[mine], (weight / np.maximum(sums, 1)[positions.position_of_move])[mine])
        assert not policy.resigns.any()


@pytest.mark.parametrize("name", IMPERFECT)
@pytest.mark.slow
def test_imperfect_is_exactly_the_mixture_of_random_and_perfect(by_symmetry: dict[str, Positions], name: str) -> None:
    probability = Fraction(round(65536 * float(name.split(":")[1])), 65536)
    for positions in by_symmetry.values():
        for mixed, random, perfect in zip(
            shares(positions, name), shares(positions, "random"), shares(positions, "perfect"), strict=True
        ):
            assert mixed == {a: probability * random[a] + (1 - probability) * perfect[a] for a in mixed}


def test_imperfect_0_is_perfect_and_imperfect_1_is_random(positions: Positions) -> None:
    assert shares(positions, "imperfect:0") == shares(positions, "perfect")
    assert shares(positions, "imperfect:1") == shares(positions, "random")
    assert shares(positions, "imperfect:0.5") not in (shares(positions, "random"), shares(positions, "perfect"))


def test_perfect_wins_soonest_and_loses_latest_and_optimal_only_keeps_the_value(
    positions: Positions, position_of: dict[str, int]
) -> None:
    wins, loses = position_of["OX..XO..."], position_of["XO..X...."]  # X to move wins on 7; O to move can but block 8
    perfect, optimal = shares(positions, "perfect"), shares(positions, "optimal")
    assert {action for action, share in perfect[wins].items() if share} == {7}
    assert {action for action, share in optimal[wins].items() if share} == {2, 6, 7}
    assert {action for action, share in perfect[loses].items() if share} == {8}
    assert all(optimal[loses].values())


@pytest.mark.parametrize(
    "text",
    ["imperfect:", "imperfect:-0.1", "imperfect:1.1", "imperfect:nan", "imperfect:inf", "imperfect:x", "imperfect:0,5"],
)
def test_a_probability_out_of_range_is_refused(positions: Positions, text: str) -> None:
    assert is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"player '{text}' needs a probability from 0 to 1"):
        fixed_weights(text, positions)
    with pytest.raises(InvalidPlayer, match="needs a probability"):
        fixed_policy(text, positions, 0)


@pytest.mark.parametrize("text", ["", "Random", "imperfect", "best", "human", "menace-x", "perfect "])
def test_who_is_no_fixed_player_is_refused(positions: Positions, text: str) -> None:
    assert not is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"no fixed opponent is called '{text}'; choose one of random, optimal"):
        fixed_weights(text, positions)


def test_names_of_players_are_no_names_for_learners() -> None:
    for name in ("random", "optimal", "perfect", "imperfect", "imperfect:0.1", "imperfect:", "best", "human"):
        assert is_reserved(name), name
    for name in ("menace-x", "randomly", "Anna", "imperfection"):
        assert not is_reserved(name), name
    assert all(is_fixed(name) for name in NAMES)
