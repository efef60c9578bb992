"""Plays that Michie printed in 1963, and when a play's outcome becomes certain, by brute force."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest
from oracle import TICTACTOE

from menace.games.positions import Positions

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
pytest.importorskip("matplotlib")

from reproductions.common import Bench
from reproductions.michie_plays import EMERGED, certain, digits_of, mistakes, path_of


@functools.cache
def ends(board: str) -> frozenset[str]:
    """The outcomes that are still possible."""
    outcome = TICTACTOE.outcome(board)
    if outcome is not None:
        return frozenset({outcome})
    return frozenset().union(*(ends(TICTACTOE.canonical(child)) for child in TICTACTOE.children(board).values()))


def test_an_outcome_is_certain_where_every_way_to_go_on_has_it(positions: Positions, boards: list[str]) -> None:
    assert list(certain(positions)) == [len(ends(TICTACTOE.canonical(board))) == 1 for board in boards]


def test_both_printed_plays_end_where_their_draw_is_certain_and_no_sooner() -> None:
    bench = Bench()
    for digits in EMERGED:
        path = path_of(bench, digits)
        draws = [certain(bench.positions)[position] for position in path]
        assert draws == [False] * (len(digits) - 1) + [True]
        assert ends(bench.positions.boards[path[-1]]) == {"draw"}
        assert mistakes(bench, path) == 0
        assert path_of(bench, digits_of(bench, path)) == path  # squares that are alike have other numbers there
    # Squares 1 2 3 / 8 0 4 / 7 6 5: Nought to the centre, Cross to an edge, which gives the game away.
    path = path_of(bench, "02")
    assert [bench.positions.boards[position] for position in path] == [
        TICTACTOE.canonical(board) for board in ("....X....", ".O..X....")
    ]
    assert mistakes(bench, path) == 1
