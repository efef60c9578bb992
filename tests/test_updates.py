"""What learners of values learn from games that chance made: the updates of textbooks, written here once more.

They are on plain lists, share nothing with the kernel, and see a game as [(position, move, explored)]. All numbers of
the settings differ, and so do the values to begin with, so that no mix-up of two of them stays unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from bench import Seated, of_preset, raw_numbers, watch
from bench import learned as bits

from menace.games.positions import Positions

PAID = {"win": 1.5, "draw": 0.25, "loss": -0.75}
NUMBERS = PAID | {"alpha": 0.3, "epsilon": 0.6}
OF_MOVES = NUMBERS | {"gamma": 0.8}
Turns = list[tuple[int, int, int]]


class Textbook:
    """The lists of a learner, and what it learns of a game."""

    def __init__(self, machine: Seated) -> None:
        self.settings: Any = machine.settings
        self.positions, self.side = machine.positions, machine.side
        self.value = machine.learned.amount.tolist()
        self.other = list(self.value)  # Double Q-learning's second values
        self.count = [0] * len(self.value)

    def result(self, game: Turns) -> int:
        """Return 1 if it has won, 0 for a draw, -1 if it has lost: nobody resigns."""
        outcome = int(self.positions.outcome[self.after(game[-1])])
        return outcome if self.side == 0 else -outcome

    def paid(self, game: Turns) -> float:
        return float(getattr(self.settings, ("draw", "win", "loss")[self.result(game)]))

    def after(self, turn: tuple[int, int, int]) -> int:
        return int(self.positions.next_position[turn[1]])

    def step(self, place: int, target: float) -> None:
        self.value[place] += self.settings.alpha * (target - self.value[place])
        self.count[place] += 1

    def values_at(self, position: int) -> list[float]:
        return [self.value[move] for move in self.positions.moves_of(position)]


def td_all(book: Textbook, game: Turns) -> None:
    for ply in reversed(range(len(game))):
        position, _, explored = game[ply]
        if book.settings.from_exploration or not (explored and ply % 2 == book.side):
            book.step(position, book.value[book.after(game[ply])])


def td_afterstates(book: Textbook, game: Turns) -> None:
    own = game[book.side :: 2]
    for before, turn in pairwise(own):
        if book.settings.from_exploration or not turn[2]:
            book.step(book.after(before), book.value[book.after(turn)])
    if own and own[-1] != game[-1]:
        other_drew = book.result(game) == 0
        book.step(book.after(own[-1]), book.settings.drawn_by_other if other_drew else book.settings.loss)


def td_lambda(book: Textbook, game: Turns) -> None:
    trace: dict[int, float] = {}

    def shared(place: int, target: float) -> None:
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
                shared(book.after(turn), book.settings.drawn_by_other if other_drew else book.settings.loss)
        elif after[2] and not book.settings.from_exploration:
            trace = {}
        else:
            shared(book.after(turn), book.value[book.after(after)])


def one_step(book: Textbook, game: Turns) -> None:
    settings, own = book.settings, game[book.side :: 2]
    order = list(range(len(own)))
    order = {"forward": order, "backward": order[::-1], "end-first": order[-1:] + order[:-1]}[settings.order]
    for turn in order:
        move = own[turn][1]
        if turn == len(own) - 1:
            if settings.final == "set" and own[turn] == game[-1]:
                book.value[move], book.count[move] = book.paid(game), book.count[move] + 1
            else:
                book.step(move, book.paid(game))
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


def double_q(book: Textbook, game: Turns) -> None:
    own = game[book.side :: 2]
    for turn, (_, move, _) in enumerate(own):
        learning, judging = (book.value, book.other)[:: 1 if book.count[move] % 2 == 0 else -1]
        target = book.paid(game)
        if turn + 1 < len(own):
            best = max(book.positions.moves_of(own[turn + 1][0]), key=learning.__getitem__)
            target = book.settings.gamma * judging[best]
        learning[move] += book.settings.alpha * (target - learning[move])
        book.count[move] += 1


def returns(book: Textbook, game: Turns) -> None:
    own = [move for _, move, _ in game[book.side :: 2]]
    steps = getattr(book.settings, "steps", len(own))
    for turn, move in enumerate(own):
        if turn + steps < len(own):
            book.step(move, book.settings.gamma**steps * book.value[own[turn + steps]])
        else:
            book.step(move, book.settings.gamma ** (len(own) - 1 - turn) * book.paid(game))


ORDERS: list[dict[str, Any]] = [
    {"order": "forward", "final": "set"},
    {"order": "backward"},
    {"order": "end-first", "final": "set"},
]
TDS: list[dict[str, Any]] = [NUMBERS | {"drawn_by_other": 0.625, "from_exploration": also} for also in (False, True)]
CASES: list[tuple[str, dict[str, Any], Callable[[Textbook, Turns], None]]] = [
    *(("td", {"backup": "all"} | changes, td_all) for changes in TDS),
    *(("td", {"backup": "afterstates"} | changes, td_afterstates) for changes in TDS),
    *(("td-lambda", {"trace_decay": 0.7} | changes, td_lambda) for changes in TDS),
    *((name, OF_MOVES | order, one_step) for name in ("sarsa", "q-learning", "expected-sarsa") for order in ORDERS),
    ("double-q-learning", OF_MOVES, double_q),
    ("monte-carlo", OF_MOVES, returns),
    *(("n-step-sarsa", OF_MOVES | {"steps": steps}, returns) for steps in (1, 2, 3)),
]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("name", "changes", "learn"), CASES)
def test_a_learner_learns_what_the_textbook_says(
    positions: Positions, side: int, name: str, changes: dict[str, Any], learn: Callable[[Textbook, Turns], None]
) -> None:
    players = [of_preset(positions, name, seat, **changes) for seat in (0, 1)]  # the other one explores, too
    machine = players[side]
    learned, random = machine.learned, np.random.default_rng(1)
    learned.amount[learned.kept] = random.uniform(-1, 1, len(learned.amount))[learned.kept]
    book = Textbook(machine)
    if learned.half_difference.size:
        half = random.uniform(-1, 1, len(learned.amount)) * learned.kept
        learned.half_difference[:] = half
        book.value, book.other = (learned.amount + half).tolist(), (learned.amount - half).tolist()
    told, results = machine.copy(), set()
    for game in watch(positions, *players, raw_numbers(2, 9 * 60), 60):
        learn(book, game)
        results.add(book.result(game))
        outcome = int(positions.outcome[book.after(game[-1])])
        told.learn_path([turn[:2] for turn in game], outcome, [explored for _, _, explored in game])
    assert bits(told) == bits(machine)
    assert results == {1, 0, -1}
    assert learned.count.tolist() == book.count
    first = learned.amount + learned.half_difference if learned.half_difference.size else learned.amount
    assert first == pytest.approx(np.array(book.value), rel=0, abs=1e-12)
    if learned.half_difference.size:
        assert learned.amount - learned.half_difference == pytest.approx(np.array(book.other), rel=0, abs=1e-12)
