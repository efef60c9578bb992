"""Tests that compare updates with textbook implementations and with weights calculated by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from by_hand import DRAWN, LOST, WON, Board, S
from kernel_games import SeatedMachine, learned_bytes as bits, machine_of_preset, raw_numbers, watch_games

from menace.games.positions import Positions
from menace.learners.algorithms.odds import OddsSettings, multipliers

REWARDS = {"win": 1.5, "draw": 0.25, "loss": -0.75}
NUMBERS = REWARDS | {"alpha": 0.3, "epsilon": 0.6}
NUMBERS_WITH_GAMMA = NUMBERS | {"gamma": 0.8}
Turns = list[tuple[int, int, int]]


class Textbook:
    """A learner's values and counts, stored as lists and updated as in the textbook."""

    def __init__(self, machine: SeatedMachine) -> None:
        self.settings: Any = machine.settings
        self.positions, self.side = machine.positions, machine.side
        self.value = machine.learned.amount.tolist()
        self.other = list(self.value)  # Double Q-learning's second values
        self.count = [0] * len(self.value)
        self.mean, self.weights = 0.0, 1.0  # the mean of past results, which only Michie's sliding origin uses

    def result(self, game: Turns) -> int:
        """Return 1 if the learner won, 0 if it drew and -1 if it lost. In these games, neither side resigns."""
        outcome = int(self.positions.outcome[self.after(game[-1])])
        return outcome if self.side == 0 else -outcome

    def reward(self, game: Turns) -> float:
        return float(getattr(self.settings, ("draw", "win", "loss")[self.result(game)]))

    def after(self, turn: tuple[int, int, int]) -> int:
        return int(self.positions.next_position[turn[1]])

    def step(self, place: int, target: float) -> None:
        self.value[place] += self.settings.alpha * (target - self.value[place])
        self.count[place] += 1

    def values_at(self, position: int) -> list[float]:
        return [self.value[move] for move in self.positions.moves_of(position)]


def update_td_all(book: Textbook, game: Turns) -> None:
    for ply in reversed(range(len(game))):
        position, _, explored = game[ply]
        if book.settings.from_exploration or not (explored and ply % 2 == book.side):
            book.step(position, book.value[book.after(game[ply])])


def update_td_afterstates(book: Textbook, game: Turns) -> None:
    own = game[book.side :: 2]
    for before, turn in pairwise(own):
        if book.settings.from_exploration or not turn[2]:
            book.step(book.after(before), book.value[book.after(turn)])
    if own and own[-1] != game[-1]:
        other_drew = book.result(game) == 0
        book.step(book.after(own[-1]), book.settings.drawn_by_other if other_drew else book.settings.loss)


def update_td_lambda(book: Textbook, game: Turns) -> None:
    trace: dict[int, float] = {}

    def update_traced(place: int, target: float) -> None:
        error = target - book.value[place]
        book.count[place] += 1
        for visited, eligible in trace.items():
            book.value[visited] += book.settings.alpha * eligible * error

    own = game[book.side :: 2]
    for turn, after in zip(own, [*own[1:], None], strict=True):
        trace = {place: eligible * book.settings.trace_decay for place, eligible in trace.items()}
        trace[book.after(turn)] = 1.0
        if after is None:
            if turn != game[-1]:
                other_drew = book.result(game) == 0
                update_traced(book.after(turn), book.settings.drawn_by_other if other_drew else book.settings.loss)
        elif after[2] and not book.settings.from_exploration:
            trace = {}
        else:
            update_traced(book.after(turn), book.value[book.after(after)])


def update_one_step(book: Textbook, game: Turns) -> None:
    settings, own = book.settings, game[book.side :: 2]
    order = list(range(len(own)))
    order = {"forward": order, "backward": order[::-1], "end-first": order[-1:] + order[:-1]}[settings.order]
    for turn in order:
        move = own[turn][1]
        if turn == len(own) - 1:
            if settings.final == "set" and own[turn] == game[-1]:
                book.value[move], book.count[move] = book.reward(game), book.count[move] + 1
            else:
                book.step(move, book.reward(game))
            continue
        position, made, _ = own[turn + 1]
        values, times = book.values_at(position), book.positions.multiplicity[list(book.positions.moves_of(position))]
        epsilon = int(settings.epsilon * 2**32) / 2**32
        worth = {
            "made": book.value[made],
            "best": max(values),
            "mean": epsilon * float(np.average(values, weights=times)) + (1 - epsilon) * max(values),
        }[settings.worth]
        book.step(move, settings.gamma * worth)


def update_double_q(book: Textbook, game: Turns) -> None:
    own = game[book.side :: 2]
    for turn, (_, move, _) in enumerate(own):
        learning, judging = (book.value, book.other)[:: 1 if book.count[move] % 2 == 0 else -1]
        target = book.reward(game)
        if turn + 1 < len(own):
            best = max(book.positions.moves_of(own[turn + 1][0]), key=learning.__getitem__)
            target = book.settings.gamma * judging[best]
        learning[move] += book.settings.alpha * (target - learning[move])
        book.count[move] += 1


def update_n_step(book: Textbook, game: Turns) -> None:
    own = [move for _, move, _ in game[book.side :: 2]]
    steps = getattr(book.settings, "steps", len(own))
    for turn, move in enumerate(own):
        if turn + steps < len(own):
            book.step(move, book.settings.gamma**steps * book.value[own[turn + steps]])
        else:
            book.step(move, book.settings.gamma ** (len(own) - 1 - turn) * book.reward(game))


def update_average(book: Textbook, game: Turns) -> None:
    own = [move for _, move, _ in game[book.side :: 2]]
    for turn, move in enumerate(own):
        book.count[move] += 1
        target = getattr(book.settings, "gamma", 1.0) ** (len(own) - 1 - turn) * book.reward(game)
        book.value[move] += (1 / book.count[move]) * (target - book.value[move])


def update_odds(book: Textbook, game: Turns) -> None:
    factors = multipliers(book.settings, 9).tolist()
    plies = len(game) if book.settings.counts_forced else min(len(game), 8)  # the ninth move is forced
    for ply in range(book.side, len(game), 2):
        position, move, _ = game[ply]
        if len(book.values_at(position)) > 1:
            book.value[move] *= factors[plies - ply] ** (book.result(game) - book.mean)
            total = sum(book.values_at(position))
            for each in book.positions.moves_of(position):
                book.value[each] = max(book.value[each] / total, 2.0**-40)
            book.count[move] += 1
    if book.settings.origin == "sliding":
        book.weights = 1 + book.settings.memory * book.weights
        book.mean += (book.result(game) - book.mean) / book.weights


ORDERS: list[dict[str, Any]] = [
    {"order": "forward", "final": "set"},
    {"order": "backward"},
    {"order": "end-first", "final": "set"},
]
TDS: list[dict[str, Any]] = [NUMBERS | {"drawn_by_other": 0.625, "from_exploration": also} for also in (False, True)]
ODDS = [("fixed", False), ("fixed", True), ("sliding", False), ("sliding", True)]
CASES: list[tuple[str, dict[str, Any], Callable[[Textbook, Turns], None]]] = [
    *(("td", {"backup": "all"} | changes, update_td_all) for changes in TDS),
    *(("td", {"backup": "afterstates"} | changes, update_td_afterstates) for changes in TDS),
    *(
        ("td-lambda", {"trace_decay": decay} | changes, update_td_lambda)
        for decay in (0.0, 0.7, 1.0)
        for changes in TDS
    ),
    *(
        (name, NUMBERS_WITH_GAMMA | order, update_one_step)
        for name in ("sarsa", "q-learning", "expected-sarsa")
        for order in ORDERS
    ),
    ("double-q-learning", NUMBERS_WITH_GAMMA, update_double_q),
    ("monte-carlo", NUMBERS_WITH_GAMMA, update_n_step),
    ("monte-carlo", NUMBERS_WITH_GAMMA | {"average": True, "gamma": 1.0}, update_average),
    ("ucb1", REWARDS, update_average),
    *(("michie-1963", {"origin": origin, "counts_forced": forced}, update_odds) for origin, forced in ODDS),
    *(("n-step-sarsa", NUMBERS_WITH_GAMMA | {"steps": steps}, update_n_step) for steps in (1, 2, 3)),
]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("name", "changes", "learn"), CASES)
def test_updates_match_textbook(
    positions: Positions, side: int, name: str, changes: dict[str, Any], learn: Callable[[Textbook, Turns], None]
) -> None:
    players = [machine_of_preset(positions, name, seat, **changes) for seat in (0, 1)]  # the opponent also explores
    machine = players[side]
    learned, random = machine.learned, np.random.default_rng(1)
    lowest = 0 if machine.algorithm.by_share else -1
    learned.amount[learned.kept] = random.uniform(lowest, 1, len(learned.amount))[learned.kept]
    book = Textbook(machine)
    if learned.half_difference.size:
        half = random.uniform(-1, 1, len(learned.amount)) * learned.kept
        learned.half_difference[:] = half
        book.value, book.other = (learned.amount + half).tolist(), (learned.amount - half).tolist()
    recorded, results = machine.copy(), set()
    for game in watch_games(positions, *players, raw_numbers(2, 9 * 60), 60):
        learn(book, game)
        results.add(book.result(game))
        outcome = int(positions.outcome[book.after(game[-1])])
        recorded.learn_path([turn[:2] for turn in game], outcome, [explored for _, _, explored in game])
    assert bits(recorded) == bits(machine)
    assert results == {1, 0, -1}
    assert learned.count.tolist() == book.count
    assert (learned.outcome_mean or 0.0) == pytest.approx(book.mean, abs=1e-14)
    first = learned.amount + learned.half_difference if learned.half_difference.size else learned.amount
    exact = learn is update_average or name in {"td", "sarsa", "q-learning", "expected-sarsa"}
    tolerance = 0 if exact else 1e-12
    assert first == pytest.approx(np.array(book.value), rel=0, abs=tolerance)
    if learned.half_difference.size:
        assert learned.amount - learned.half_difference == pytest.approx(np.array(book.other), rel=0, abs=tolerance)


# The rest of this file checks Michie's multipliers and his mean of results, and calculates games by hand for a learner
# that takes the colour with the most beads. The games are those in by_hand.py, which do not use symmetry.

MOVES = [(S[0], 0), (S[2], 1), (S[4], 2)]
O_MOVES = [(S[1], 3), (S[3], 4)]


@pytest.fixture(scope="module")
def board(by_symmetry: dict[str, Positions]) -> Board:
    return Board(by_symmetry["none"])


def test_each_multiplier_is_square_of_next() -> None:
    m = multipliers(OddsSettings(), 9)
    assert m[8] == 1.025
    assert m[7] == 1.025 * 1.025
    for n in range(2, 8):
        assert m[n] == m[n + 1] * m[n + 1]
        assert m[n] == pytest.approx(1.025 ** (2 ** (8 - n)), rel=1e-12)
    assert m[2] == pytest.approx(4.8565, abs=1e-4)  # 1.025 ^ 64, the value in figure 6
    assert m[1] == 2.0**40
    assert m[9] == math.sqrt(1.025)
    capped = multipliers(OddsSettings(growth=2.0, last=100.0), 9)
    assert capped[1:9].tolist() == [100, 100, 100, 100, 100, 16, 4, 2]  # 2, 4, 16, 256, ...
    assert multipliers(OddsSettings(growth=2.0), 5).tolist()[1:] == [2.0**40, 2.0**40, 2.0**32, 65536, 256]


@pytest.mark.parametrize("steepness", [1.0, 1.3, 1.5, 2.0, 2.75, 3.0])
@pytest.mark.parametrize("growth", [1.0, 1.005, 1.1])
def test_multipliers_follow_formula_of_figure_6(growth: float, steepness: float) -> None:
    m = multipliers(OddsSettings(growth=growth, steepness=steepness), 12).tolist()
    for n in range(2, 13):  # M_n = A ^ (B ^ (8 - n))
        assert m[n] == pytest.approx(min(growth ** (steepness ** (8 - n)), 2.0**40), rel=1e-11)


def test_random_number_on_boundary_selects_next_move(board: Board) -> None:
    x = board.learner("michie-1963")
    moves = list(board.positions.moves_of(0))
    x.learned.amount[moves] = [0.5, 0.25, 0.25, *[0.0] * 6]
    for low, cell in ((0, 0), (2**31 - 1, 0), (2**31, 1), (3 * 2**30 - 1, 1), (3 * 2**30, 2), (2**32 - 1, 2)):
        numbers = np.array([low, *[0] * 9], np.uint64)
        assert next(watch_games(board.positions, x.copy(), "random", numbers, 1))[0][1] == moves[cell]


def mean_of_table_3(d: float, outcomes: list[float]) -> float:
    """Return the mean after play j, computed by Michie's printed formula.

    V_0 is 0, and V_i is the outcome of play i.
    """
    j, v = len(outcomes), [0.0, *outcomes]
    return (1 - d) / (d - d ** (j + 2)) * sum(d ** (j - i + 1) * v[i] for i in range(j + 1))


def test_outcome_mean_matches_table_3_after_wins(board: Board) -> None:
    x = board.learner("michie-1963-sliding")
    means = []
    for _ in range(50):
        assert board.play(x, "random", WON) == [1, 0, 0]
        means.append(x.learned.outcome_mean)
    assert [round(means[wins - 1], 3) for wins in (1, 10, 50)] == [0.505, 0.918, 0.989]
    assert means == pytest.approx([mean_of_table_3(0.98, [1.0] * wins) for wins in range(1, 51)], rel=1e-12)


CONSTANT_ODDS: dict[str, float] = {"growth": 1.0, "last": 1.0}  # the odds do not change, so every game can be repeated


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9, 1.0])
def test_outcome_mean_matches_table_3_for_all_memories(board: Board, memory: float) -> None:
    x = board.learner("michie-1963-sliding", memory=memory, **CONSTANT_ODDS)
    results = [1, -1, 0, 1, 1, 0, -1]
    for result in results:
        board.play(x, "random", {1: WON, 0: DRAWN, -1: LOST}[result])
    d = {0.0: 1e-9, 1.0: 1 - 1e-9}.get(memory, memory)  # at 0 and 1, the formula is defined only as a limit
    assert x.learned.outcome_mean == pytest.approx(mean_of_table_3(d, results), abs=1e-7)


def test_outcome_mean_uses_average_of_each_set(board: Board) -> None:
    x = board.learner("michie-1963-sliding", set_size=4, **CONSTANT_ODDS)
    sets = ([WON, WON, LOST, DRAWN], [LOST, LOST, LOST, DRAWN], [WON, WON])
    averages = [(1 + 1 - 1 + 0) / 4, -3 / 4]
    means = []
    for games in sets:
        for game in games:
            board.play(x, "random", game)
            means.append(x.learned.outcome_mean)
    first, second = mean_of_table_3(0.98, averages[:1]), mean_of_table_3(0.98, averages)
    assert means == pytest.approx([0] * 3 + [first] * 4 + [second] * 3, rel=1e-14)
    assert x.learned.moving == {
        "epsilon": None,
        "outcome_mean": means[-1],
        "outcome_weight": pytest.approx(1 + 0.98 + 0.98**2),
        "set_sum": 2.0,
        "set_games": 2.0,
    }


# In the article's program, the move with index i in a game of L moves changes by (10 - (L + 1)) // 2 + (9 - ((L + 1) -
# i - 2)) // 2 beads.


@pytest.mark.parametrize("beads", [2, 20])
def test_article_code_rewards_later_moves_and_shorter_games_more(board: Board, beads: int) -> None:
    x, o = board.learner("article-code", beads=(beads,)), board.learner("article-code", 1, beads=(beads,))
    assert board.play(x, o, WON) == [1, 0, 0]
    # L = 5: (10 - 6) // 2 = 2; i = 0: 2 + 5 // 2 = 4; i = 2: 2 + 7 // 2 = 5; i = 4: 2 + 9 // 2 = 6
    assert board.q(x, *MOVES) == [beads + 4, beads + 5, beads + 6]
    # For the loser, i = 1 gives 2 + 6 // 2 = 5, and i = 3 gives 2 + 8 // 2 = 6. At least one bead remains.
    assert board.q(o, *O_MOVES) == [max(beads - 5, 1), max(beads - 6, 1)]


def test_article_code_takes_fullest_pile(board: Board) -> None:
    x = board.learner("article-code")
    x.learned.amount[board.move(S[0], 7)] = 3.0
    assert board.play(x, "random", (7, 0, 8, 1, 6)) == [1, 0, 0]
    with pytest.raises(AssertionError, match="no number leads to the move 4 at ply 0"):
        board.play(x, "random", (4, 0))


def test_article_code_explores_piles_uniformly(positions: Positions) -> None:
    x = machine_of_preset(positions, "article-code", 0, epsilon=0.5)
    for low, colour in ((0, 0), (2**32 // 3, 0), (2**32 // 3 + 1, 1), (2**33 // 3 + 1, 2), (2**32 - 1, 2)):
        game = next(watch_games(positions, x.copy(), "random", np.array([low, *[0] * 9], np.uint64), 1))
        assert game[0] == (0, colour, 1)  # the upper half of the number is 0, so the machine explores
