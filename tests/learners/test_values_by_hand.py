"""Tests of hand-calculated values in rare cases: resignations, ties, initial values, and the bounds of UCB1.

In test_updates.py, all other updates are compared with textbook implementations.

The games do not use symmetry, so actions are cells. In WON, X takes the top row:

    S0 .........  X0  S1 X........  O3  S2 X..O.....  X1  S3 XX.O.....  O4  S4 XX.OO....  X2  S5 XXXOO....

In LOST, X takes 0, 1 and 8, and O completes the middle row: S5 is XX.OO...X, and S6 is XX.OOO..X. In DRAWN, X fills the
last cell. Expected values are computed as v + alpha * (target - v), in the documented order of operations, and must
match exactly. `near` compares values with decimal numbers calculated by hand.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from by_hand import DRAWN, LOST, WON, Board, S, near, step
from kernel_games import (
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

from menace.games.base import ONGOING
from menace.games.positions import Positions
from menace.learners.algorithms.action_values import root_tables, table_index
from menace.learners.algorithms.beads import MenaceSettings


@pytest.fixture(scope="module")
def board(by_symmetry: dict[str, Positions]) -> Board:
    return Board(by_symmetry["none"])


def test_restock_colour_refills_only_empty_pile(board: Board) -> None:
    # The piles contain 1, 2, 3 and 1 beads at the machine's first to fourth move. A loss removes two beads. S0, cell 0:
    # 1 - 2 < 0, so the pile is restocked to 1. S2, cell 1: 2 - 2 = 0, so the pile is restocked to 2. S4, cell 8: 3 - 2
    # = 1.
    machine = board.learner("menace", beads=(1, 2, 3, 1), loss=-2, draw=-1, when_empty="restock-colour")
    lost = (S[0], 0), (S[2], 1), (S[4], 8)
    assert board.play(machine, "random", LOST) == [0, 0, 1]
    assert board.q(machine, *lost) == [1, 2, 1]
    assert board.play(machine, "random", LOST) == [0, 0, 1]  # S4: 1 - 2 < 0, so it is restocked to 3
    assert board.q(machine, *lost) == [1, 2, 3]
    assert board.q(machine, (S[0], 1), (S[2], 2), (S[4], 2)) == [1, 2, 3]  # other piles are unchanged
    # If whole boxes were restocked instead, S0 would keep the eight other beads and lose the bead of this colour.
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


def test_zhang_presets_have_stated_initial_values(board: Board) -> None:
    # X wins from S4 with perfect play. For O, the values have the opposite sign.
    assert board.values(board.learner("zhang"), S[0], S[4], S[5]) == [0.5, 0.5, 1.0]
    assert board.values(board.learner("zhang-minimax"), S[0], S[4], S[5], "XX.OOO..X") == [0.5, 1.0, 1.0, 0.0]
    assert board.values(board.learner("zhang-minimax", 1), S[0], S[4], S[5], "XX.OOO..X") == [0.5, 0.0, 0.0, 1.0]
    # the seed is 1, and the first random number is the value of position 0
    drawn = np.random.PCG64(1).random_raw(len(board.positions))
    wanted = [int(number >> 11) / 2**53 for number in drawn.tolist()]
    over = board.positions.outcome != ONGOING
    o = board.learner("zhang-random", 1)
    assert o.learned.amount.tolist() == wanted  # as in Sekeres' program, final positions also start with random values
    assert o.learned.kept.tolist() == (~over).tolist()
    assert board.play("random", o, WON, exploring=[1, 3]) == [1, 0, 0]
    assert o.learned.amount[over].tolist() == [wanted[end] for end in np.flatnonzero(over)]  # they never change
    s4, s5 = (wanted[board.position[place]] for place in S[4:])
    assert board.values(o, S[4], S[5]) == [step(s4, 0.1, s5), s5]
    x = board.learner("zhang-random", initial="uniform")
    assert x.learned.amount[~over].tolist() == [wanted[place] for place in np.flatnonzero(~over)]
    assert board.values(x, S[5], "XX.OOO..X", "XOXXOOOXX") == [1.0, 0.0, 0.5]


def resigning_machine(board: Board, where: str) -> SeatedMachine:
    """Return a MENACE machine for O that resigns on the given board."""
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
    # only moves that end the game receive a fixed value; the value of this move becomes 0 + 0.2 (1 - 0)
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


def test_sutton_barto_initial_values_and_draws_after_exploration(board: Board) -> None:
    fresh = board.learner("sutton-barto", 1)
    assert board.values(fresh, S[2], S[4], S[5], "XX.OOO..X", "XOXXOOOXX") == [0.5, 0.5, 0.0, 1.0, 0.0]
    assert board.play("random", fresh, DRAWN, exploring=[1, 3, 5, 7]) == [0, 1, 0]
    assert board.values(fresh, "XOX.OOOXX") == [0.25]  # X's move led to a draw: 0.5 + 0.5 (0 - 0.5)
    x = board.learner("sutton-barto")
    assert board.play(x, "random", DRAWN, exploring=[0, 2, 4, 6]) == [0, 1, 0]
    assert board.values(x, "XOX.O.OXX") == [0.25]  # the learner's own move led to the draw


def test_ucb1_tries_every_move_then_takes_highest_bound(board: Board) -> None:
    x = board.learner("ucb1")
    first = list(board.positions.moves_of(0))
    play(board.positions, x, "random", np.random.PCG64(5), 9)
    assert x.learned.count[first].tolist() == [1] * 9
    x.learned.count[first[0]], x.learned.amount[first] = 4, [0.5, *[0.0] * 8]
    # For N = 12, the bound of cell 0 is 1/2 + c sqrt(ln 12 / 4) = 1/2 + 0.788 c, and the bound of the others is 1.576
    # c. The two bounds are equal at c = 0.634.
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
    assert picked == [0] * 4 + [1] * 4 + [2]  # four corners, then four edges, and finally the centre
