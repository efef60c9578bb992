"""Tests that machines in memory play without a database, and that changing a copy does not change the original."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from kernel_games import SEATS, TICTACTOE_PRESETS, machine_of_preset

import menace
from menace.arena.play import Arena, raw_numbers
from menace.errors import IllegalMove, InvalidPlayer
from menace.games import get_game
from menace.games.base import Side, SideText
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.algorithm import OWN
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS

GAMES = 200


def outcomes_against_random(
    arena: Arena, side: int, machine: Machine, epsilon: float = OWN, learns: bool = True
) -> list[int]:
    """Let a machine play against random play, and return the numbers of X wins, draws and O wins."""
    players = [arena.fixed_player("random"), arena.fixed_player("random")]
    players[side] = machine.kernel_player(arena.graph, learns=learns, epsilon=epsilon)
    return list(arena.play(*players, raw_numbers(1, 0), GAMES, math.inf).outcomes)


def bits(machine: Machine) -> list[bytes]:
    return [array.tobytes() for array in (machine.learned.amount, machine.learned.count, machine.learned.state)]


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_playing_machine_learns_and_copy_is_unchanged(positions: Positions, name: str, side: int) -> None:
    machine = machine_of_preset(positions, name, side)
    kept, before = machine.copy(), bits(machine)
    outcomes_against_random(Arena(positions), side, machine)
    assert bits(kept) == before != bits(machine)
    assert type(kept) is type(machine)
    twin = kept.copy()
    outcomes_against_random(Arena(positions), side, twin)
    assert bits(twin) == bits(machine)


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_session_epsilon_equals_constant_epsilon(positions: Positions, name: str, side: int) -> None:
    machine, arena = machine_of_preset(positions, name, side), Arena(positions)
    own = machine.learned.epsilon
    if own is None:  # this machine does not explore, so epsilon has no effect
        twin, epsilon = machine.copy(), 1.0
    else:
        names = {field.name for field in dataclasses.fields(machine.settings)}
        always = {"epsilon": 0.5, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": False}
        changes = {key: value for key, value in always.items() if key in names}
        twin, epsilon = machine_of_preset(positions, name, side, **changes), 0.5
    assert outcomes_against_random(arena, side, machine, epsilon) == outcomes_against_random(arena, side, twin)
    assert bits(machine)[:2] == bits(twin)[:2]
    assert machine.learned.epsilon == own


@pytest.mark.parametrize("name", TICTACTOE_PRESETS)
def test_bead_properties_match_algorithm(positions: Positions, name: str) -> None:
    preset = PRESETS[name]
    machine = Machine.fresh(LEARNERS[preset.algorithm], preset.settings, positions, 0, 1)
    assert machine.has_beads == (preset.algorithm in {"menace", "favourite"})
    assert machine.draws_beads == (preset.algorithm == "menace")
    assert np.array_equal(machine.policy().probability, machine.policy("behaviour").probability)


@pytest.mark.parametrize(("game", "plays"), [("tictactoe", "X"), ("hexapawn", "O"), ("nim", "X")])
def test_learning_from_recorded_moves_equals_learning_by_playing(game: str, plays: SideText) -> None:
    positions = enumerate_positions(get_game(game))
    playing, reading, watching = (Machine("menace", plays, positions) for _ in range(3))
    arena = Arena(positions)
    seats = Side(plays).x_and_o(playing.kernel_player(arena.graph), arena.fixed_player("random"))
    numbers = raw_numbers(7, 0)
    for _ in range(60):
        outcomes = arena.play(*seats, numbers, 1, math.inf).outcomes
        board, moves = positions.game.initial, []
        boards = [board]
        for move in arena.plies[1].tolist():
            if positions.game.outcome(board) is not None:
                break
            action = positions.actions_for(board, int(positions.action[move]))[-1]  # one of several equivalent actions
            moves.append(positions.game.name_of(board, action))
            boards.append(board := positions.game.play(board, action))
        assert reading.learn(moves) == watching.learn(boards) == ("X", "draw", "O")[outcomes.index(1)]
    assert bits(reading) == bits(watching) == bits(playing)
    assert reading.learned.games == 60


def test_odds_and_choices_agree_on_every_image_of_board() -> None:
    machine = Machine("menace", "X")
    menace.play_games(machine, "random", games=500, seed=1)
    for symmetry in machine.positions.symmetries:
        board = symmetry.board("XO.......")
        odds = machine.odds(board)
        assert sum(odds.values()) == pytest.approx(1)
        assert sorted(odds.values()) == pytest.approx(sorted(machine.odds("XO.......").values()))
        assert odds[machine.choose(board, np.random.default_rng(2))] > 0
        numbers = ((np.arange(100) + 0.5) / 100).tolist()  # evenly spaced
        evenly: Any = SimpleNamespace(random=numbers.pop)
        counts = Counter(machine.choose(board, evenly) for _ in range(100))
        assert all(abs(counts[name] / 100 - share) < 0.0101 for name, share in odds.items())
    with pytest.raises(InvalidPlayer, match="menace plays X, but it is not X's turn on board X"):
        machine.odds("X........")
    with pytest.raises(InvalidPlayer, match=r"1 is not a random generator; pass `numpy\.random\.default_rng\(1\)`"):
        machine.choose(".........", 1)  # type: ignore[arg-type]


def test_resigning_machine_chooses_none_and_invalid_games_are_refused() -> None:
    machine = Machine("michie-1961", "X")
    machine.learned.amount[:3] = 0
    assert machine.choose(".........") is None
    before = machine.learned.amount.copy()
    for moves, outcome, words in (
        (["4"], None, "is not the end of a game"),
        (["4", "4"], None, "cell 4 is not legal"),
        (["4", "1", "0", "8", "6", "2", "3"], "O", "has the outcome X"),
        (["4", "1"], "win", "outcome 'win' is not X, O or draw"),
        ([".........", "....X....", "OX..X...."], "X", "no legal move leads from board ....X.... to OX..X...."),
    ):
        with pytest.raises(IllegalMove, match=words):
            machine.learn(moves, outcome)  # type: ignore[arg-type]
    assert machine.learned.amount.tolist() == before.tolist()
    assert machine.learn([], "O") == "O"  # the machine resigns before its first move, so the opponent wins
