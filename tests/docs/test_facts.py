"""Tests that recompute every fact about tic-tac-toe in docs/facts.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import mean

import numpy as np
import pytest
from checkout import ROOT
from oracle import TICTACTOE

from menace.arena.exact_strength import against, exact_outcomes
from menace.arena.play import play_games
from menace.games.base import ONGOING
from menace.games.positions import Positions
from menace.learners.algorithms.beads import MenaceSettings
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy

FACTS = ROOT / "docs" / "facts.md"
OPENINGS = ("X........", ".X.......", "....X....")
Tables = dict[str, Positions]


def read_table() -> dict[str, str]:
    """Return a dictionary from the name of each fact in the page's first table to its value."""
    text = FACTS.read_text(encoding="utf-8").split("\n## ")[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {fact: value for fact, value, _ in rows[2:]}


def numbers_in(text: str) -> list[Fraction]:
    return [Fraction(number.replace(",", "")) for number in re.findall(r"\d+(?:,\d{3})*(?:/\d+)?", text)]


def append_sum(numbers: Sequence[int]) -> list[int]:
    return [*numbers, sum(numbers)]


def weights_by_outcome(outcomes: np.ndarray, weights: Sequence[int]) -> list[int]:
    """Return the total weight of all games, and the weights of X's wins, O's wins and draws."""
    parts = [sum(w for w, outcome in zip(weights, outcomes.tolist(), strict=True) if outcome == o) for o in (1, -1, 0)]
    return [sum(parts), *parts]


def count_paths(positions: Positions) -> list[int]:
    """Return the number of paths that lead to each position."""
    result = [1] + [0] * (len(positions) - 1)
    for move, position in enumerate(positions.position_of_move.tolist()):
        result[positions.next_position[move]] += result[position]
    return result


def boxes_by_move(positions: Positions, side: int, which: str) -> list[int]:
    """Return the number of boxes that a machine has for each of its first four moves."""
    kept = MenaceSettings(boxes=which).fresh(positions, side).kept  # type: ignore[arg-type]
    boxed = np.unique(positions.position_of_move[kept])
    return np.bincount(positions.ply[boxed] // 2).tolist()


def games_by_length() -> list[int]:
    """Return the numbers of games that end after 5, 6, 7, 8 and 9 moves, counted from their final boards."""
    reached, ended = Counter([TICTACTOE.empty]), Counter[int]()
    for plies, boards in enumerate(TICTACTOE.by_ply()):
        for board in boards:
            reached.update(dict.fromkeys(TICTACTOE.children(board).values(), reached[board]))
            ended[plies] += reached[board] * (TICTACTOE.outcome(board) is not None)
    return [ended[plies] for plies in range(5, 10)]


def wins_against_random(board: str, pick: Callable[[list[Fraction]], Fraction]) -> Fraction:
    """Return X's probability of winning against random play.

    `pick` combines the probabilities for X's best moves, for example by taking their mean.
    """
    if TICTACTOE.outcome(board):
        return Fraction(TICTACTOE.outcome(board) == "X")
    children = list(TICTACTOE.children(board).values())
    if TICTACTOE.to_move(board) == "O":
        return mean([wins_against_random(child, pick) for child in children])
    best = max(map(TICTACTOE.minimax, children))
    return pick([wins_against_random(child, pick) for child in children if TICTACTOE.minimax(child) == best])


@pytest.fixture(scope="module")
def computed_facts(by_symmetry: Tables) -> dict[str, list[int] | list[Fraction]]:
    full, none = by_symmetry["full"], by_symmetry["none"]
    over = full.outcome != ONGOING
    beads = MenaceSettings().fresh(full, 0)
    random = [fixed_policy("random", full, side) for side in (0, 1)]
    games = weights_by_outcome(none.outcome, count_paths(none))
    x_boxes = boxes_by_move(full, 0, "choices")
    michie = sum(boxes_by_move(full, 0, "michie"))
    drawn = [board for board in TICTACTOE.by_ply()[9] if TICTACTOE.outcome(board) == "draw"]
    sizes = sorted(Counter(map(TICTACTOE.canonical, drawn)).values(), reverse=True)
    return {
        "reachable boards, by ply": append_sum(np.bincount(none.ply).tolist()),
        "positions, by ply": append_sum(np.bincount(full.ply).tolist()),
        "positions in which the game is over": weights_by_outcome(full.outcome, over.astype(int).tolist()),
        "moves between positions": [full.move_count],
        "complete games": games,
        "complete games, as paths through the positions": [weights_by_outcome(full.outcome, count_paths(full))[0]],
        "boxes of a machine for X, by its move": append_sum(x_boxes),
        "boxes of a machine for X, including the forced last move": [sum(boxes_by_move(full, 0, "all"))],
        "boxes of a machine for O, by its move": append_sum(boxes_by_move(full, 1, "choices")),
        "boxes of Michie's own machine": [michie, sum(x_boxes), sum(x_boxes) - michie],
        "colours of beads in the 304 boxes": [int(beads.kept.sum())],
        "beads in them when new, with 4, 3, 2, 1 of a colour": [int(beads.amount[beads.kept].sum())],
        "positions that X wins, that O wins, and that are drawn under perfect play": [
            int((full.minimax == value).sum()) for value in (1, -1, 0)
        ],
        "random against random: X wins, drawn, O wins": list(exact_outcomes(*random)),
        "complete games, by length, 5 to 9 moves": games_by_length(),
        "full boards without a row, with five X and four O": [len(drawn), len(sizes), *sizes],
        "wins of a perfect X that chooses equally among the best moves, against random play, if it opens in the corner, at an edge, in the centre": [  # noqa: E501 - the text of the page
            wins_against_random(board, mean) for board in OPENINGS
        ],
        "highest share of wins of a perfect X against random play, with the same openings": [
            wins_against_random(board, max) for board in OPENINGS
        ],
    }


@pytest.mark.parametrize("fact", read_table())
def test_fact_is_correct(computed_facts: dict[str, list[Fraction]], fact: str) -> None:
    assert numbers_in(read_table()[fact]) == computed_facts[fact]


def test_percentages_of_openings_match_the_table() -> None:
    text = " ".join(FACTS.read_text(encoding="utf-8").split())
    for fact in ("wins of a perfect X", "highest share of wins of a perfect X"):
        row = next(value for name, value in read_table().items() if name.startswith(fact))
        corner, edge, centre = (f"{float(100 * share):.1f}" for share in numbers_in(row))
        assert re.search(rf"\b{corner}\D+\b{centre}\D+\b{edge}\b", text)


def test_page_and_test_have_the_same_facts(computed_facts: dict[str, list[Fraction]]) -> None:
    assert read_table().keys() == computed_facts.keys()


LEARNERS = ROOT / "docs" / "learners.md"


@pytest.mark.parametrize("teacher", ["optimal", "random", "defensive"])
def test_restocked_machines_draw_optimal_as_often_as_the_page_says(positions: Positions, teacher: str) -> None:
    """The mean over ten machines is above 99.9% or close to the page's mean over 200 machines.

    Close means within four standard errors.
    """
    draws = []
    for seed in range(1, 11):
        machine = Machine("menace", "X")
        play_games(machine, teacher, games=10_000, seed=seed)
        draws.append(against(machine.policy(), fixed_policy("optimal", positions, 1)).draw)
    row = next(line for line in LEARNERS.read_text(encoding="utf-8").splitlines() if f"| `{teacher}`" in line)
    wanted = float(re.findall(r"([0-9.]+)%", row)[0]) / 100
    if "more than" in row:
        assert np.mean(draws) > wanted
    else:
        assert abs(np.mean(draws) - wanted) < 4 * np.std(draws, ddof=1) / np.sqrt(len(draws))
