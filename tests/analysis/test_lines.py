"""Tests that lines of play and neighbouring boards follow the rules on every board of small games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from kernel_games import outcomes_by_position

from menace.analysis.board_report import (
    boards_before,
    images,
    line_through,
    line_to,
    principal_variation,
    refutation,
    ways_to_continue,
)
from menace.arena.exact_strength import most_likely_refutation
from menace.errors import IllegalMove
from menace.games import get_game
from menace.games.base import Board
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy

GAMES = {"tictactoe": "2x3x2", "hexapawn": "3x3", "nim": "1-2-3", "connect": "2x3x2"}


@pytest.fixture(scope="module", params=GAMES)
def positions(request: pytest.FixtureRequest) -> Positions:
    return enumerate_positions(get_game(request.param, GAMES[request.param]))


def boards_of(positions: Positions) -> Iterator[Board]:
    """Yield every image of every position."""
    for board in positions.boards:
        yield from images(positions, board)


def test_boards_before_match_moves(positions: Positions) -> None:
    game, before = positions.game, defaultdict(set)
    for board in boards_of(positions):
        for action in game.actions(board):
            before[game.play(board, action)].add(board)
    for board in boards_of(positions):
        boards = boards_before(positions, board)
        assert set(boards) == before[board]
        assert len(boards) == len(set(boards))


def test_line_to_reaches_every_board(positions: Positions) -> None:
    for board in boards_of(positions):
        way = line_to(positions, board)
        assert way.boards[-1] == board
        assert positions.number_of(way.boards[0]) == 0
        for here, action, after in zip(way.boards, way.actions, way.boards[1:], strict=False):
            assert positions.game.play(here, action) == after


def test_principal_variation_matches_minimax(positions: Positions) -> None:
    for board in boards_of(positions):
        number, way = positions.number_of(board), principal_variation(positions, board)
        assert way.boards[0] == board
        assert line_through(positions, way.boards).boards == way.boards
        assert len(way.actions) == positions.plies_to_end[number]
        end = positions.number_of(way.boards[-1])
        assert positions.outcome[end] == positions.minimax[number]


def test_unconnected_boards_are_refused() -> None:
    positions = enumerate_positions(get_game())
    with pytest.raises(IllegalMove, match=r"no legal move leads from X\.{8} to XX\.{7}"):
        line_through(positions, ("X........", "XX......."))


@cache
def at_random(game: Any, board: Board) -> tuple[Fraction, ...]:
    outcome = game.outcome(board)
    if outcome is not None:
        return tuple(Fraction(outcome == result) for result in ("X", "draw", "O"))
    after = [at_random(game, game.play(board, action)) for action in game.actions(board)]
    return tuple(sum(column, Fraction(0)) / len(after) for column in zip(*after, strict=True))


@cache
def games_from(game: Any, board: Board) -> int:
    actions = game.actions(board)
    return sum(games_from(game, game.play(board, action)) for action in actions) if actions else 1


def test_outcomes_and_continuations_match_rules(positions: Positions) -> None:
    x, o = (fixed_policy("random", positions, side) for side in (0, 1))
    exact, ways = outcomes_by_position(x, o), ways_to_continue(positions)
    game: Any = positions.game
    for number, board in enumerate(positions.boards):
        assert exact[number] == pytest.approx([float(probability) for probability in at_random(game, board)], abs=1e-12)
        assert ways[number] == games_from(game, board)


def test_refutation_probability_is_correct() -> None:
    machine = Machine("menace", "X")
    policy, positions = machine.policy(), machine.positions
    whole = most_likely_refutation(policy)
    assert whole is not None
    for board in ("X...O....", "XO.......", ".X..O..X."):
        line = refutation(machine, board)
        assert line is not None
        assert line.way.boards[0] == board
        chance = 1.0
        for here, action in zip(line.way.boards, line.way.actions, strict=False):
            if positions.game.to_move(here) == "X":
                move = positions.move_of(positions.number_of(here), positions.to_canonical(here, action))
                chance *= policy.probability[move]
        assert line.probability == pytest.approx(chance)
        assert positions.game.outcome(line.way.boards[-1]) == "O"
    assert refutation(machine, "XXXOO....") is None
