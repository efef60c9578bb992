"""Tests of short games, calculated by hand, for each algorithm that learns values of positions or moves.

The games do not use symmetry, so actions are cells. In WON, X takes the top row:

    S0 .........  X0  S1 X........  O3  S2 X..O.....  X1  S3 XX.O.....  O4  S4 XX.OO....  X2  S5 XXXOO....

In LOST, X takes 0, 1 and 8, and O completes the middle row: S5 is XX.OO...X, and S6 is XX.OOO..X. In DRAWN, X fills the
last cell. Expected values are computed as v + alpha * (target - v), in the documented order of operations, and must
match exactly. `near` compares with decimals calculated by hand.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from bench import (
    PLAIN_PRESETS,
    SeatedMachine,
    learned_bytes,
    load_uncompiled_kernel,
    machine_of_preset,
    new_machine,
    play,
    raw_numbers,
    watch_games,
)
from by_hand import DRAWN, LOST, LOST_5, WON, Board, S, near, step

from menace.games.base import ONGOING
from menace.games.positions import Positions
from menace.learners.algorithms.action_values import root_tables, table_index
from menace.learners.algorithms.beads import MenaceSettings


@pytest.fixture(scope="module")
def board(by_symmetry: dict[str, Positions]) -> Board:
    return Board(by_symmetry["none"])


def test_restock_colour_refills_only_empty_pile(board: Board) -> None:
    # Piles contain 1, 2, 3 and 1 beads at the machine's first to fourth move. A loss removes two beads. S0, cell 0: 1 -
    # 2 < 0, so it is restocked to 1. S2, cell 1: 2 - 2 = 0, so it is restocked to 2. S4, cell 8: 3 - 2 = 1.
    machine = board.learner("menace", beads=(1, 2, 3, 1), loss=-2, draw=-1, when_empty="restock-colour")
    lost = (S[0], 0), (S[2], 1), (S[4], 8)
    assert board.play(machine, "random", LOST) == [0, 0, 1]
    assert board.q(machine, *lost) == [1, 2, 1]
    assert board.play(machine, "random", LOST) == [0, 0, 1]  # S4: 1 - 2 < 0, so it is restocked to 3
    assert board.q(machine, *lost) == [1, 2, 3]
    assert board.q(machine, (S[0], 1), (S[2], 2), (S[4], 2)) == [1, 2, 3]  # other piles are unchanged
    # If whole boxes are restocked instead, S0 keeps the eight other beads and loses the bead of this colour.
    machine = board.learner("menace", beads=(1, 2, 3, 1), loss=-2, draw=-1)
    board.play(machine, "random", LOST)
    assert board.q(machine, *lost) == [0, 0, 1]


def test_loss_can_add_beads(board: Board) -> None:
    machine = board.learner("menace", beads=(1, 2, 3, 1), win=3, draw=2, loss=1)
    assert board.play(machine, "random", LOST) == [0, 0, 1]
    assert board.q(machine, (S[0], 0), (S[2], 1), (S[4], 8)) == [2, 3, 4]


@pytest.mark.parametrize("name", PLAIN_PRESETS)
def test_ties_setting_selects_first_or_random_move(positions: Positions, name: str) -> None:
    for ties, ninths in (("first", [0] * 9), ("random", [0] * 4 + [1] * 4 + [2])):  # corners, edges and the centre
        x = machine_of_preset(positions, name, 0, ties=ties, epsilon=0.0)
        lows = [-(-k * 2**32 // 9) for k in range(9)]
        games = [
            next(watch_games(positions, x.copy(), "random", np.array([low, *[0] * 9], np.uint64), 1)) for low in lows
        ]
        assert [game[0] for game in games] == [(0, move, 0) for move in ninths]
        assert x.policy("greedy").probability[:3].tolist() == [ninths.count(move) / 9 for move in range(3)]


def test_zhang_updates_every_position_backwards(board: Board) -> None:
    x, o = board.learner("zhang"), board.learner("zhang", 1)
    assert board.play(x, o, WON) == [1, 0, 0]
    # backup() in tic_tac_toe.py goes backwards from the second-to-last position: V[i] += 0.1 * (greedy[i] * (V[i+1] -
    # V[i])). X, from S4 backwards: 0.5 + 0.1 (1 - 0.5) = 0.55, 0.5 + 0.1 (0.55 - 0.5) = 0.505, 0.5005, 0.50005,
    # 0.500005
    s4 = 0.5 + 0.1 * (1.0 - 0.5)
    s3 = 0.5 + 0.1 * (s4 - 0.5)
    s2 = 0.5 + 0.1 * (s3 - 0.5)
    s1 = 0.5 + 0.1 * (s2 - 0.5)
    s0 = 0.5 + 0.1 * (s1 - 0.5)
    assert board.values(x, *S) == [s0, s1, s2, s3, s4, 1.0] == near(0.500005, 0.50005, 0.5005, 0.505, 0.55, 1)
    assert board.counts(x, *S) == [1, 1, 1, 1, 1, 0]
    # O's loss has the value 0, so the values are 0.45, 0.495, 0.4995, 0.49995 and 0.499995
    assert board.values(o, *S) == near(0.499995, 0.49995, 0.4995, 0.495, 0.45, 0)
    assert int(x.learned.count.sum()) == int(o.learned.count.sum()) == 5


def test_zhang_and_zhang_no_ties_value_draws_differently(board: Board) -> None:
    # The value of the position before the last move starts at 0.5 and changes towards 0.5 or 0.
    for name, last in (("zhang", 0.5), ("zhang-no-ties", 0.5 + 0.1 * (0.0 - 0.5))):
        for side in (0, 1):
            learner = board.learner(name, side)
            seats = (learner, "random") if side == 0 else ("random", learner)
            assert board.play(*seats, DRAWN) == [0, 1, 0]
            assert board.values(learner, "XOX.OOOXX") == [last]


def test_zhang_presets_have_stated_initial_values(board: Board) -> None:
    # X wins from S4 with perfect play. For O, the values are reversed.
    assert board.values(board.learner("zhang"), S[0], S[4], S[5]) == [0.5, 0.5, 1.0]
    assert board.values(board.learner("zhang-minimax"), S[0], S[4], S[5], "XX.OOO..X") == [0.5, 1.0, 1.0, 0.0]
    assert board.values(board.learner("zhang-minimax", 1), S[0], S[4], S[5], "XX.OOO..X") == [0.5, 0.0, 0.0, 1.0]
    # the seed is 1, and the first random number belongs to position 0
    drawn = np.random.PCG64(1).random_raw(len(board.positions))
    wanted = [int(number >> 11) / 2**53 for number in drawn.tolist()]
    over = board.positions.outcome != ONGOING
    o = board.learner("zhang-random", 1)
    assert o.learned.amount.tolist() == wanted  # as in Sekeres' program, final positions start with random values, too
    assert o.learned.kept.tolist() == (~over).tolist()
    assert board.play("random", o, WON, exploring=[1, 3]) == [1, 0, 0]
    assert o.learned.amount[over].tolist() == [wanted[end] for end in np.flatnonzero(over)]  # they never change
    s4, s5 = (wanted[board.position[place]] for place in S[4:])
    assert board.values(o, S[4], S[5]) == [step(s4, 0.1, s5), s5]
    x = board.learner("zhang-random", initial="uniform")
    assert x.learned.amount[~over].tolist() == [wanted[place] for place in np.flatnonzero(~over)]
    assert board.values(x, S[5], "XX.OOO..X", "XOXXOOOXX") == [1.0, 0.0, 0.5]


def resigning_machine(board: Board, where: str) -> SeatedMachine:
    """Return a MENACE machine for O that resigns at the given board."""
    o = new_machine(board.positions, 1, MenaceSettings(when_empty="resign"))
    o.learned.amount[list(board.positions.moves_of(board.position[where]))] = 0
    return o


def test_resignation_of_opponent_counts_as_win(board: Board) -> None:
    numbers = np.full(18, 0xFFFFFFFF << 32, np.uint64)  # X takes cell 0, and O resigns
    for name, values in (("zhang", (0.505, 0.55)), ("value-function", (0.0, 0.2)), ("td-lambda", (0.0, 0.1))):
        x = board.learner(name)
        assert play(board.positions, x, resigning_machine(board, S[1]), numbers, 1).outcomes == [1, 0, 0]
        # zhang: S1 = 0.5 + 0.1 (1 - 0.5), S0 = 0.5 + 0.1 (0.55 - 0.5); the others: S1 = 0 + 0.2 (1 - 0), or 0.1
        assert board.values(x, S[0], S[1]) == near(*values)
        assert board.counts(x, S[1]) == [1]
    x = board.learner("sala", epsilon=0.0, epsilon_least=0.0)
    play(board.positions, x, resigning_machine(board, S[1]), numbers, 1)
    assert board.q(x, (S[0], 0)) == [0.0 + 0.1 * (1.0 - 0.0)]
    # only moves that end the game are set to a fixed value; this move becomes 0 + 0.2 (1 - 0)
    x = board.learner("q-table", epsilon=0.0)
    play(board.positions, x, resigning_machine(board, S[1]), numbers, 1)
    assert board.q(x, (S[0], 0)) == [0.2]


@pytest.mark.parametrize("name", PLAIN_PRESETS)
def test_immediate_resignation_of_opponent_updates_no_move(board: Board, name: str) -> None:
    x = new_machine(board.positions, 0, MenaceSettings(when_empty="resign"))
    x.learned.amount[list(board.positions.moves_of(0))] = 0
    o = board.learner(name, 1)
    before = learned_bytes(o)
    assert play(board.positions, x, o, np.zeros(0, np.uint64), 1).outcomes == [0, 0, 1]
    changed = {board.position[S[0]]: 1} if name == "td" else {}  # the position at which O resigned
    assert {int(place): int(o.learned.count[place]) for place in np.flatnonzero(o.learned.count)} == changed
    assert changed or learned_bytes(o) == before


def test_value_function_values_draw_by_opponent_slightly_lower(board: Board) -> None:
    x, o = board.learner("value-function"), board.learner("value-function", 1)
    before_last = "XOX.OOOXX"
    assert board.play(x, o, DRAWN) == [0, 1, 0]
    # O's last afterstate becomes 0 + 0.2 (-0.1 - 0) = -0.02. X's own move led to the draw, so its previous afterstate
    # changes towards 0.
    assert board.values(o, before_last) == [0.0 + 0.2 * (-0.1 - 0.0)] == near(-0.02)
    assert board.values(x, "XOX.O.OXX", "XOXXOOOXX") == [0.0, 0.0]
    assert board.counts(x, "XOX.O.OXX") == [1]
    assert int(x.learned.count.sum()) == int(o.learned.count.sum()) == 4


def test_sutton_barto_initial_values_and_draws_after_exploration(board: Board) -> None:
    fresh = board.learner("sutton-barto", 1)
    assert board.values(fresh, S[2], S[4], S[5], "XX.OOO..X", "XOXXOOOXX") == [0.5, 0.5, 0.0, 1.0, 0.0]
    assert board.play("random", fresh, DRAWN, exploring=[1, 3, 5, 7]) == [0, 1, 0]
    assert board.values(fresh, "XOX.OOOXX") == [0.25]  # X's move led to a draw: 0.5 + 0.5 (0 - 0.5)
    x = board.learner("sutton-barto")
    assert board.play(x, "random", DRAWN, exploring=[0, 2, 4, 6]) == [0, 1, 0]
    assert board.values(x, "XOX.O.OXX") == [0.25]  # the learner's own move led to the draw


def test_td_lambda_updates_earlier_afterstates(board: Board) -> None:
    x = board.learner("td-lambda", alpha=0.5, trace_decay=0.5, epsilon=0.9, from_exploration=True)
    # In game 1, S1 has the target 0 and does not change. S3 increases by 1/2 towards 1, and S1 by half of that. In game
    # 2, S1 increases by 1/8 towards 1/2, to 3/8. S3 increases by 1/4 towards 1, and S1 by half of that.
    for values in ([1 / 4, 1 / 2], [1 / 2, 3 / 4]):
        assert board.play(x, "random", WON, exploring=[0, 2, 4]) == [1, 0, 0]
        assert board.values(x, S[1], S[3]) == values
    assert board.counts(x, *S) == [0, 2, 0, 2, 0, 0]
    # The learner explores at its second move, so S1 keeps its value and its trace ends. S3 is updated towards 0, and
    # the last afterstate decreases by 1/2 towards -1.
    x = board.learner("td-lambda", alpha=0.5, trace_decay=0.5, epsilon=0.5)
    make_best_move(board, x, S[0], 0)
    make_best_move(board, x, S[4], 8)
    assert board.play(x, "random", LOST, exploring=[2]) == [0, 0, 1]
    assert board.values(x, S[1], S[3], LOST_5) == [0, -1 / 4, -1 / 2]


def make_best_move(board: Board, machine: SeatedMachine, before: str, cell: int) -> None:
    """Lower the values of all other moves, so that a machine with position values prefers the given move."""
    for move in set(board.positions.moves_of(board.position[before])) - {board.move(before, cell)}:
        machine.learned.amount[board.positions.next_position[move]] = -2.0


MOVES = [(S[0], 0), (S[2], 1), (S[4], 2)]
LOST_MOVES = [(S[0], 0), (S[2], 1), (S[4], 8)]


def test_q_table_sets_final_value_and_updates_forward(board: Board) -> None:
    x = board.learner("q-table", epsilon=0.5)  # the machine explores only where the test requires it
    assert board.play(x, "random", LOST, exploring=[4]) == [0, 0, 1]
    # O won, so the last move gets 0 + 0.2 (-1 - 0) = -0.2. The first move gets 0 + 0.2 (0 - 0) = 0, and the second move
    # 0 + 0.2 (-0.2 - 0) = -0.04.
    assert board.q(x, *LOST_MOVES) == near(0, -0.04, -0.2)
    assert board.play(x, "random", WON, exploring=[0, 2]) == [1, 0, 0]
    # The last move is set to 1. The first move gets 0 + 0.2 (-0.04 - 0) = -0.008, and the second move -0.04 + 0.2 (1 +
    # 0.04) = 0.168.
    second = step(0.0, 0.2, step(0.0, 0.2, -1.0))
    assert board.q(x, *MOVES) == [step(0.0, 0.2, second), step(second, 0.2, 1.0), 1.0] == near(-0.008, 0.168, 1)
    x.learned.amount[board.move("XOX.OOOXX", 3)] = 0.75
    assert board.play(x, "random", DRAWN, exploring=[0, 2, 4, 6]) == [0, 1, 0]
    assert board.q(x, ("XOX.OOOXX", 3)) == [0.0]  # set to the value of a draw
    assert x.learned.epsilon == 0.5 * 0.9999 * 0.9999 * 0.9999


# These are the games with their outcomes for X.
GAMES = [(WON, 1), (LOST, -1), (DRAWN, 0), (LOST, -1), (WON, 1)]


def test_expected_sarsa_target_is_mean_under_epsilon_greedy_policy(board: Board) -> None:
    x = board.learner("expected-sarsa", alpha=0.5, gamma=0.5, epsilon=0.25)
    x.learned.amount[[board.move(S[2], 1), board.move(S[2], 8)]] = 0.75, -0.5
    assert board.play(x, "random", WON, exploring=[0, 4]) == [1, 0, 0]
    # At S2, the best of the seven cells has the value 3/4, which has the weight 3/4. The mean, (3/4 - 1/2) / 7, has the
    # weight 1/4. Alpha and gamma each halve the result.
    worth = 0.25 * (0.25 / 7) + 0.75 * 0.75
    assert board.q(x, *MOVES) == [0.5 * (0.5 * worth), 0.75 + 0.5 * (0.0 - 0.75), 0.5]


def test_n_step_sarsa_target_is_old_value_n_turns_later(board: Board) -> None:
    x = board.learner("n-step-sarsa", alpha=0.5, gamma=0.5, epsilon=0.9)
    # In game 1, the targets are 1/4 of 0, then 1/2 and 1. In game 2, the first target is 1/4 of 1/2, the value before
    # its update.
    for values in ([0, 1 / 4, 1 / 2], [1 / 16, 3 / 8, 3 / 4]):
        assert board.play(x, "random", WON, exploring=[0, 2, 4]) == [1, 0, 0]
        assert board.q(x, *MOVES) == values


def test_double_q_learning_uses_other_value_for_target(board: Board) -> None:
    x = board.learner("double-q-learning", alpha=0.5, gamma=0.5, epsilon=0.9)
    two = [(S[2], 1), (S[2], 5)]  # the first values are 1 and 1/2, and the second values are 0 and 3/4
    moves = [board.move(*move) for move in two]
    x.learned.amount[moves], x.learned.half_difference[moves] = [1 / 2, 5 / 8], [1 / 2, -1 / 8]

    def values(*wanted: tuple[str, int]) -> list[tuple[float, float]]:
        """Return the first and the second value of each move."""
        halves = [float(x.learned.half_difference[board.move(*move)]) for move in wanted]
        return [(mean + half, mean - half) for mean, half in zip(board.q(x, *wanted), halves, strict=True)]

    assert values(*two) == [(1, 0), (1 / 2, 3 / 4)]
    assert board.play(x, "random", WON, exploring=[0, 2, 4]) == [1, 0, 0]
    # First values: at S2, the best is cell 1, whose second value is 0. The target of cell 1 is half the value of S4, 0.
    assert values(*MOVES, two[1]) == [(0, 0), (1 / 2, 0), (1 / 2, 0), (1 / 2, 3 / 4)]
    assert board.play(x, "random", WON, exploring=[0, 2, 4]) == [1, 0, 0]
    # Second values: at S2, the best is cell 5, whose first value is 1/2, so the target is half of that. At S4, all
    # first values are 0, so the first best move is cell 2. The first value of cell 2 is 1/2, so the target is 1/4.
    assert values(*MOVES) == [(0, 1 / 8), (1 / 2, 1 / 8), (1 / 2, 1 / 2)]


def test_ucb1_tries_every_move_then_takes_highest_bound(board: Board) -> None:
    x = board.learner("ucb1")
    first = list(board.positions.moves_of(0))
    play(board.positions, x, "random", np.random.PCG64(5), 9)
    assert x.learned.count[first].tolist() == [1] * 9
    x.learned.count[first[0]], x.learned.amount[first] = 4, [0.5, *[0.0] * 8]
    # For N = 12, the bound of cell 0 is 1/2 + c sqrt(ln 12 / 4) = 1/2 + 0.788 c, and the bound of the others is 1.576
    # c. They are equal at c = 0.634.
    for c, wanted in ((0.63, [1.0, *[0.0] * 8]), (0.64, [0.0, *[1 / 8] * 8])):
        machine = board.learner("ucb1", exploration=c)
        machine.learned = x.learned.copy()
        assert machine.policy().probability[first].tolist() == wanted
        before = machine.learned.count[first[0]]
        play(board.positions, machine, "random", np.random.PCG64(6), 1)
        assert machine.learned.count[first[0]] - before == wanted[0]


def test_ucb1_follows_policy_with_large_counts(positions: Positions) -> None:
    x = machine_of_preset(positions, "ucb1", 0)
    play(positions, x, "random", np.random.PCG64(7), 20_000)
    assert x.learned.count.max() > 4096
    counts = np.array([0, 1, 2047, 2048, 4095, 4096, 123_456_789, 2**43 - 1])
    entries = [load_uncompiled_kernel().BoundPlayer.rank(None, count) for count in counts.tolist()]
    assert entries == table_index(counts).tolist()
    assert root_tables()[1][entries[1:]] == pytest.approx(np.sqrt(counts[1:]), rel=1 / 2048)
    assert root_tables()[0][entries[2:]] == pytest.approx(np.sqrt(np.log(counts[2:])), rel=1 / 2048)
    for seed in range(50):
        bounds = x.policy().probability[:3]
        before = x.learned.count[:3].copy()
        play(positions, x, "random", np.random.PCG64(seed), 1)
        assert bounds[np.flatnonzero(x.learned.count[:3] - before)[0]] > 0


@pytest.mark.parametrize("side", [0, 1])
def test_ucb1_follows_policy_at_every_position(positions: Positions, side: int) -> None:
    made = 0
    for seed in range(5):
        machine = dataclasses.replace(machine_of_preset(positions, "ucb1", side), learns=False)
        learned, random = machine.learned, np.random.default_rng(seed)
        learned.amount[learned.kept] = random.uniform(-1, 1, len(learned.amount))[learned.kept]
        learned.count[learned.kept] = random.integers(1, 4, len(learned.amount))[learned.kept]
        probability = machine.policy().probability
        seats = (machine, "random") if side == 0 else ("random", machine)
        games = watch_games(positions, *seats, raw_numbers(4, 9 * 60), 60)
        moves = {move for game in games for _, move, _ in game[side::2]}
        assert probability[list(moves)].min() == 1
        made += len(moves)
    assert made > 100


def test_ucb1_breaks_ties_in_proportion_to_cells(positions: Positions) -> None:
    fresh = machine_of_preset(positions, "ucb1", 0)
    ninths = [np.array([-(-k * 2**32 // 9), *[0] * 9], np.uint64) for k in range(9)]
    picked = [next(watch_games(positions, fresh.copy(), "random", numbers, 1))[0][1] for numbers in ninths]
    assert picked == [0] * 4 + [1] * 4 + [2]  # four corners, then four edges, then the centre


def test_monte_carlo_updates_every_move_towards_return(board: Board) -> None:
    x = board.learner("monte-carlo", alpha=0.5, gamma=0.5, epsilon=0.9)
    assert board.play(x, "random", WON, exploring=[0, 2, 4]) == [1, 0, 0]
    # The returns are 1/4, 1/2 and 1 from the first move on. Alpha halves the changes.
    assert board.q(x, *MOVES) == [1 / 8, 1 / 4, 1 / 2]
    assert board.play(x, "random", LOST, exploring=[0, 2, 4]) == [0, 0, 1]
    # The returns are -1/4, -1/2 and -1: 1/8 + (-1/4 - 1/8) / 2, 1/4 + (-1/2 - 1/4) / 2, 0 + (-1 - 0) / 2.
    assert board.q(x, *LOST_MOVES) == [-1 / 16, -1 / 8, -1 / 2]
    o = board.learner("monte-carlo", 1, alpha=1.0, epsilon=0.9)
    for cells, paid in ((WON, -1), (LOST, 1)):  # with alpha 1, a value is the reward of the last game
        board.play("random", o, cells, exploring=[1, 3, 5])
        assert board.q(o, (S[1], 3), (S[3], 4)) == [paid, paid]


def test_monte_carlo_averages_returns(board: Board) -> None:
    x = board.learner("monte-carlo", average=True, alpha=0.9, initial_value=0.0, epsilon=0.9)
    value, returns = 0.0, []
    for cells, paid in GAMES:
        board.play(x, "random", cells, exploring=range(0, len(cells), 2))
        returns.append(paid)
        value = step(value, 1 / len(returns), paid)
        assert board.q(x, (S[0], 0)) == [value] == near(sum(returns) / len(returns))
    assert board.q(x, MOVES[1]) == near((1 - 1 - 1 + 1) / 4)  # this move was not made in the drawn game


def test_q_learning_target_is_best_move(board: Board) -> None:
    for name, second in (("sala", 0.08), ("q-table", 0.0)):
        x = board.learner(name, alpha=0.1, epsilon=0.9, epsilon_decay=1.0, epsilon_least=0.0, order="forward")
        x.learned.amount[board.move(S[4], 5)] = 0.8
        board.play(x, "random", WON, exploring=[0, 2, 4])
        # Q(S0, 0) = 0. Q(S2, 1) = 0 + 0.1 (0.8 - 0) = 0.08, or 0 if the target is the move made. The last value is
        # 0 + 0.1 (1 - 0) = 0.1.
        assert board.q(x, *MOVES[:2]) == near(0, second)
        assert board.q(x, MOVES[2], (S[4], 5)) == near(0.1 if name == "sala" else 1, 0.8)
    o = board.learner("sala", 1, epsilon=0.9, epsilon_least=0.0)
    o.learned.amount[board.move(S[3], 8)] = 0.5
    board.play("random", o, WON, exploring=[1, 3])
    # O lost. Q(S1, 3) = 0 + 0.1 (0.5 - 0) = 0.05 is updated first, then Q(S3, 4) = 0 + 0.1 (-1 - 0) = -0.1.
    assert board.q(o, (S[1], 3), (S[3], 4)) == [0.0 + 0.1 * (0.5 - 0.0), 0.0 + 0.1 * (-1.0 - 0.0)] == near(0.05, -0.1)
