"""Games worked out on paper for learners of weights: Michie's odds, and beads with the fullest colour taken.

The games are those of by_hand.py, without symmetry.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench import Seated, of_preset, watch
from by_hand import DRAWN, LOST, LOST_5, WON, Board, S

from menace.games.positions import Positions
from menace.learners.algorithms.odds import OddsSettings, multipliers

MOVES = [(S[0], 0), (S[2], 1), (S[4], 2)]
O_MOVES = [(S[1], 3), (S[3], 4)]


@pytest.fixture(scope="module")
def board(by_symmetry: dict[str, Positions]) -> Board:
    return Board(by_symmetry["none"])


# Odds.


def test_the_multipliers_are_squares_of_each_other() -> None:
    m = multipliers(OddsSettings(), 9)
    assert m[8] == 1.025
    assert m[7] == 1.025 * 1.025
    for n in range(2, 8):
        assert m[n] == m[n + 1] * m[n + 1]
        assert m[n] == pytest.approx(1.025 ** (2 ** (8 - n)), rel=1e-12)
    assert m[2] == pytest.approx(4.8565, abs=1e-4)  # 1.025 ^ 64, as figure 6 has it
    assert m[1] == 2.0**40
    assert m[9] == math.sqrt(1.025)
    capped = multipliers(OddsSettings(growth=2.0, last=100.0), 9)
    assert capped[1:9].tolist() == [100, 100, 100, 100, 100, 16, 4, 2]  # 2, 4, 16, 256, ...
    assert multipliers(OddsSettings(growth=2.0), 5).tolist()[1:] == [2.0**40, 2.0**40, 2.0**32, 65536, 256]


@pytest.mark.parametrize("steepness", [1.0, 1.3, 1.5, 2.0, 2.75, 3.0])
@pytest.mark.parametrize("growth", [1.0, 1.005, 1.1])
def test_the_multipliers_follow_figure_6_for_other_a_and_b(growth: float, steepness: float) -> None:
    m = multipliers(OddsSettings(growth=growth, steepness=steepness), 12).tolist()
    for n in range(2, 13):  # M_n = A ^ (B ^ (8 - n))
        assert m[n] == pytest.approx(min(growth ** (steepness ** (8 - n)), 2.0**40), rel=1e-11)


def weights(board: Board, machine: Seated, where: str) -> dict[int, float]:
    moves = board.positions.moves_of(board.position[where])
    return {int(board.positions.action[m]): float(machine.learned.amount[m]) for m in moves}


def multiplied(before: dict[int, float], cell: int, new: float) -> dict[int, float]:
    """Give the move its new weight, divide by the sum, in the order of the moves, and raise to 2^-40."""
    changed = before | {cell: new}
    total = 0.0
    for weight in changed.values():
        total += weight
    return {cell: max(weight / total, 2.0**-40) for cell, weight in changed.items()}


def test_odds_are_multiplied_after_a_win_and_divided_after_a_loss(board: Board) -> None:
    x, o = board.learner("michie-1963"), board.learner("michie-1963", 1)
    before = [weights(board, who, where) for who, where in ((x, S[0]), (o, S[1]), (x, S[2]), (o, S[3]), (x, S[4]))]
    assert [set(chances.values()) for chances in before] == [{1 / n} for n in (9, 8, 7, 6, 5)]
    assert board.play(x, o, WON) == [1, 0, 0]
    # L = 5: the moves of X have n = 5, 3, 1, those of O n = 4, 2; M_5 = 1.025^8, M_4 = 1.025^16, M_2 = 1.025^64.
    m = multipliers(OddsSettings(), 9).tolist()
    assert weights(board, x, S[0]) == multiplied(before[0], 0, 1 / 9 * m[5])
    assert weights(board, o, S[1]) == multiplied(before[1], 3, 1 / 8 / m[4])
    assert weights(board, x, S[2]) == multiplied(before[2], 1, 1 / 7 * m[3])
    assert weights(board, o, S[3]) == multiplied(before[3], 4, 1 / 6 / m[2])
    # As odds: 1 to 8 becomes M_5 to 8, so the share is M_5 / (M_5 + 8); 1 to 5 becomes 1 / M_2 to 5.
    assert weights(board, x, S[0])[0] == pytest.approx(1.025**8 / (1.025**8 + 8), rel=1e-12)
    assert weights(board, o, S[3])[4] == pytest.approx(1 / (1 + 5 * 1.025**64), rel=1e-12)
    assert x.learned.count.sum() == 3
    assert board.q(x, (S[0], 1)) == [pytest.approx(1 / (1.025**8 + 8), rel=1e-12)]


def test_no_weight_falls_below_2_to_the_minus_40(board: Board) -> None:
    x, o = board.learner("michie-1963"), board.learner("michie-1963", 1)
    board.play(x, o, WON)
    # The winning move at n = 1: 0.2 * 2^40 of 0.2 * 2^40 + 0.8; the other four would be 1 / (2^40 + 4).
    shares = weights(board, x, S[4])
    assert shares[2] == 0.2 * 2.0**40 / (0.2 * 2.0**40 + 0.2 + 0.2 + 0.2 + 0.2)
    assert [shares[cell] for cell in (5, 6, 7, 8)] == [2.0**-40] * 4
    # So are the weights of the moves that were not made.
    o.learned.amount[board.move(S[3], 4)] = 2.0**-60
    assert board.play(x, o, (*WON[:3], 5, 2)) == [1, 0, 0]
    assert weights(board, o, S[3])[4] == 2.0**-40


def test_a_number_on_the_edge_of_a_share_picks_the_next_move(board: Board) -> None:
    x = board.learner("michie-1963")
    moves = list(board.positions.moves_of(0))
    x.learned.amount[moves] = [0.5, 0.25, 0.25, *[0.0] * 6]
    for low, cell in ((0, 0), (2**31 - 1, 0), (2**31, 1), (3 * 2**30 - 1, 1), (3 * 2**30, 2), (2**32 - 1, 2)):
        numbers = np.array([low, *[0] * 9], np.uint64)
        assert next(watch(board.positions, x.copy(), "random", numbers, 1))[0][1] == moves[cell]


def test_a_draw_leaves_odds_as_they_are(board: Board) -> None:
    x = board.learner("michie-1963")
    before = weights(board, x, S[0])
    assert board.play(x, "random", DRAWN) == [0, 1, 0]
    assert weights(board, x, S[0]) == pytest.approx(before, rel=1e-15)
    assert x.learned.count.sum() == 4  # the last cell was no choice


@pytest.mark.parametrize("forced", [False, True])
def test_a_draw_is_a_little_loss_to_a_sliding_origin_above_it(board: Board, forced: bool) -> None:
    x = board.learner("michie-1963-sliding", counts_forced=forced)
    x.learned.state[1] = 0.25
    before = weights(board, x, S[0])
    assert board.play(x, "random", DRAWN) == [0, 1, 0]
    # M_n ^ (0 - 0.25): of nine plies eight count, so n = 8 at the first and 2 at the seventh; or nine, 9 and 3.
    m = multipliers(OddsSettings(), 9).tolist()
    assert weights(board, x, S[0]) == multiplied(before, 0, 1 / 9 * m[8 + forced] ** (0 - 0.25))
    board_at_6 = "XO..O.OXX"  # after 0 4 8 1 7 6
    assert weights(board, x, board_at_6) == multiplied(
        {2: 1 / 3, 3: 1 / 3, 5: 1 / 3}, 2, 1 / 3 * m[2 + forced] ** -0.25
    )
    assert x.learned.outcome_mean == 0.25 + (0 - 0.25) / (1 + 0.98)


# X 0 4 5 6 8 wins by the diagonal with the last cell, which is forced.
WON_BY_THE_NINTH = (0, 1, 4, 2, 5, 3, 6, 7, 8)


def test_the_forced_ninth_move_is_not_counted_or_it_is(board: Board) -> None:
    m = multipliers(OddsSettings(), 9).tolist()
    for forced in (False, True):
        x, o = (board.learner("michie-1963", side, counts_forced=forced) for side in (0, 1))
        assert board.play(x, o, WON_BY_THE_NINTH) == [1, 0, 0]
        # Of eight plies n is 8 at X's first and 1 at O's last, which is as good as forbidden since; or 9 and 2.
        assert weights(board, x, S[0]) == multiplied(dict.fromkeys(range(9), 1 / 9), 0, 1 / 9 * m[8 + forced])
        last = {7: 0.5, 8: 0.5}
        assert weights(board, o, "XOOOXXX..") == multiplied(last, 7, 0.5 / m[1 + forced])
        assert x.learned.count.sum() == o.learned.count.sum() == 4
    # A ninth-ply loser's odds would be 1 to 4.9 if it counted; so they are 1 to 2^40.
    assert weights(board, o, "XOOOXXX..")[7] == pytest.approx(1 / (1 + 1.025**64), rel=1e-12)


def test_a_last_move_with_a_choice_is_counted(board: Board) -> None:
    o = board.learner("michie-1963", 1)
    assert board.play("random", o, LOST) == [0, 0, 1]
    m = multipliers(OddsSettings(), 9).tolist()
    assert weights(board, o, LOST_5) == multiplied(dict.fromkeys((2, 5, 6, 7), 0.25), 5, 0.25 * m[1])
    assert weights(board, o, S[1]) == multiplied(dict.fromkeys(range(1, 9), 1 / 8), 3, 1 / 8 * m[5])


def test_the_sliding_origin_moves_after_the_game(board: Board) -> None:
    x, o = board.learner("michie-1963-sliding"), board.learner("michie-1963-sliding", 1)
    m = multipliers(OddsSettings(), 9).tolist()
    assert (x.learned.outcome_mean, x.learned.epsilon) == (0.0, None)
    before = weights(board, x, S[0]), weights(board, o, S[1])
    board.play(x, o, WON)
    # Exponents 1 - 0 and -1 - 0; then the means (0.98 * 1 + 0.98^2 * 0) / (0.98 + 0.98^2) = 1 / 1.98, and -1 / 1.98
    assert weights(board, x, S[0]) == multiplied(before[0], 0, 1 / 9 * m[5])
    assert weights(board, o, S[1]) == multiplied(before[1], 3, 1 / 8 * m[4] ** -1.0)
    mean = 1 / 1.98
    assert [x.learned.outcome_mean, o.learned.outcome_mean] == [mean, -mean]
    before = weights(board, x, S[0]), weights(board, o, S[1])
    assert board.play(x, o, (0, 3, 8, 4, 1, 5)) == [0, 0, 1]
    # L = 6: n = 6 for X's first move, exponent -1 - mean; n = 5 for O's first, exponent 1 + mean
    assert weights(board, x, S[0]) == multiplied(before[0], 0, before[0][0] * m[6] ** (-1 - mean))
    assert weights(board, o, S[1]) == multiplied(before[1], 3, before[1][3] * m[5] ** (1 + mean))
    # (1 * 0.98^2 - 1 * 0.98) / (0.98 + 0.98^2 + 0.98^3)
    assert x.learned.outcome_mean == pytest.approx((0.98**2 - 0.98) / (0.98 + 0.98**2 + 0.98**3), rel=1e-14)
    assert x.learned.outcome_mean == pytest.approx(-0.02 / 2.9404, rel=1e-14)


def table_3(d: float, outcomes: list[float]) -> float:
    """Michie's formula after the jth play, as printed: V_0 = 0, V_i the outcome of the ith play."""
    j, v = len(outcomes), [0.0, *outcomes]
    return (1 - d) / (d - d ** (j + 2)) * sum(d ** (j - i + 1) * v[i] for i in range(j + 1))


def test_the_mean_is_that_of_table_3(board: Board) -> None:
    x = board.learner("michie-1963-sliding")
    means = []
    for _ in range(50):
        assert board.play(x, "random", WON) == [1, 0, 0]
        means.append(x.learned.outcome_mean)
    assert [round(means[wins - 1], 3) for wins in (1, 10, 50)] == [0.505, 0.918, 0.989]
    assert means == pytest.approx([table_3(0.98, [1.0] * wins) for wins in range(1, 51)], rel=1e-12)


UNTAUGHT: dict[str, float] = {"growth": 1.0, "last": 1.0}  # the odds stay, so that any game can be played again


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9, 1.0])
def test_the_mean_is_that_of_table_3_whatever_comes(board: Board, memory: float) -> None:
    x = board.learner("michie-1963-sliding", memory=memory, **UNTAUGHT)
    results = [1, -1, 0, 1, 1, 0, -1]
    for result in results:
        board.play(x, "random", {1: WON, 0: DRAWN, -1: LOST}[result])
    d = {0.0: 1e-9, 1.0: 1 - 1e-9}.get(memory, memory)  # the formula has no value there, only a limit
    assert x.learned.outcome_mean == pytest.approx(table_3(d, results), abs=1e-7)


def test_a_set_of_plays_enters_the_mean_as_its_average(board: Board) -> None:
    x = board.learner("michie-1963-sliding", set_size=4, **UNTAUGHT)
    sets = ([WON, WON, LOST, DRAWN], [LOST, LOST, LOST, DRAWN], [WON, WON])
    averages = [(1 + 1 - 1 + 0) / 4, -3 / 4]
    means = []
    for games in sets:
        for game in games:
            board.play(x, "random", game)
            means.append(x.learned.outcome_mean)
    first, second = table_3(0.98, averages[:1]), table_3(0.98, averages)
    assert means == pytest.approx([0] * 3 + [first] * 4 + [second] * 3, rel=1e-14)
    assert x.learned.moving == {
        "epsilon": None,
        "outcome_mean": means[-1],
        "outcome_weight": pytest.approx(1 + 0.98 + 0.98**2),
        "set_sum": 2.0,
        "set_games": 2.0,
    }


# The article's program: (10 - (L + 1)) // 2 + (9 - ((L + 1) - i - 2)) // 2 beads for the move at index i of L moves.


@pytest.mark.parametrize("beads", [2, 20])
def test_article_code_gives_more_for_later_moves_of_shorter_games(board: Board, beads: int) -> None:
    x, o = board.learner("article-code", beads=(beads,)), board.learner("article-code", 1, beads=(beads,))
    assert board.play(x, o, WON) == [1, 0, 0]
    # L = 5: (10 - 6) // 2 = 2; i = 0: 2 + 5 // 2 = 4; i = 2: 2 + 7 // 2 = 5; i = 4: 2 + 9 // 2 = 6
    assert board.q(x, *MOVES) == [beads + 4, beads + 5, beads + 6]
    # The loser: i = 1: 2 + 6 // 2 = 5; i = 3: 2 + 8 // 2 = 6; never below one bead
    assert board.q(o, *O_MOVES) == [max(beads - 5, 1), max(beads - 6, 1)]


def test_article_code_after_a_longer_game_and_a_draw(board: Board) -> None:
    x, o = board.learner("article-code", beads=(20,)), board.learner("article-code", 1, beads=(20,))
    assert board.play(x, o, LOST) == [0, 0, 1]
    # L = 6: (10 - 7) // 2 = 1; i = 0: 1 + 4 // 2 = 3, i = 1: 1 + 5 // 2 = 3, i = 2: 1 + 6 // 2 = 4, i = 3: 1 + 7 // 2
    # = 4, i = 4: 1 + 8 // 2 = 5, i = 5: 1 + 9 // 2 = 5
    assert board.q(x, *MOVES[:2], (S[4], 8)) == [17, 16, 15]
    assert board.q(o, *O_MOVES, ("XX.OO...X", 5)) == [23, 24, 25]
    x, o = board.learner("article-code"), board.learner("article-code", 1)
    assert board.play(x, o, DRAWN) == [0, 1, 0]
    for learner in (x, o):
        assert set(learner.learned.amount[learner.learned.kept].tolist()) == {2.0}


def test_article_code_in_a_game_of_nine_moves(board: Board) -> None:
    # X 0 4 5 6 8 wins by the diagonal with the last cell: L = 9: (10 - 10) // 2 = 0; i = 0: 0 // 2 = 1 // 2 = 0,
    # i = 2: (9 - 6) // 2 = 1, i = 4: (9 - 4) // 2 = 2, i = 6: (9 - 2) // 2 = 3, i = 8 had no box.
    x, o = board.learner("article-code", beads=(20,)), board.learner("article-code", 1, beads=(20,))
    assert board.play(x, o, (0, 1, 4, 2, 5, 3, 6, 7, 8)) == [1, 0, 0]
    assert board.q(x, (S[0], 0), ("XO.......", 4), ("XOO.X....", 5), ("XOOOXX...", 6)) == [20, 21, 22, 23]
    # i = 1: (9 - 7) // 2 = 1, i = 3: (9 - 5) // 2 = 2, i = 5: (9 - 3) // 2 = 3, i = 7: (9 - 1) // 2 = 4
    assert board.q(o, (S[1], 1), ("XO..X....", 2), ("XOO.XX...", 3), ("XOOOXXX..", 7)) == [19, 18, 17, 16]
    assert x.learned.count.sum() == o.learned.count.sum() == 4


def test_the_fullest_colour_is_taken(board: Board) -> None:
    x = board.learner("article-code")
    x.learned.amount[board.move(S[0], 7)] = 3.0
    assert board.play(x, "random", (7, 0, 8, 1, 6)) == [1, 0, 0]
    with pytest.raises(AssertionError, match="no number makes the move at ply 0 to be 4"):
        board.play(x, "random", (4, 0))


def test_article_code_explores_colours_alike_not_cells(positions: Positions) -> None:
    x = of_preset(positions, "article-code", 0, epsilon=0.5)
    for low, colour in ((0, 0), (2**32 // 3, 0), (2**32 // 3 + 1, 1), (2**33 // 3 + 1, 2), (2**32 - 1, 2)):
        game = next(watch(positions, x.copy(), "random", np.array([low, *[0] * 9], np.uint64), 1))
        assert game[0] == (0, colour, 1)  # corner, edge or centre; its upper half is 0, so it explores
