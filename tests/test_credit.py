"""Credit assignment: `credit=all` and `credit=last`, in games whose lines have different lengths."""

from __future__ import annotations

import dataclasses
import itertools
from functools import cache
from types import ModuleType

import numpy as np
import pytest
from bench import learned, new_machine, play, raw_numbers, scripted, uncompiled_kernel, watch
from oracle import TICTACTOE, Rules
from reference import Fixed, Matchboxes, play_games
from templates import Case, positions_for
from trial_games import Brute, brute

from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.kernel import loop as kernel
from menace.learners.algorithms.beads import MenaceSettings, first_beads
from menace.learners.registry import PRESETS

CASES = [("tictactoe", "3x3x3"), ("hexapawn", "3x3"), ("hexapawn", "4x3"), ("nim", "2-3"), ("nim", "10-take3-misere")]
HER = PRESETS["gardner-1962"].settings
RULES = ("resign", "restock", "random")
# Boxes that are soon empty; the stages differ, and so do the games' ways to them.
HARD = MenaceSettings(beads=(3, 2, 1), win=1, draw=0, loss=-1)
KINDS = (
    HER,
    dataclasses.replace(HER, win=1, boxes="choices"),
    dataclasses.replace(HARD, credit="last", loss=-2),
    dataclasses.replace(HARD, credit="last", floor=1, merged=False, boxes="all"),
    HARD,
)


@cache
def rules_of(case: Case) -> Rules:
    return TICTACTOE if case[0] == "tictactoe" else brute(case)


def described(settings: MenaceSettings, rules: Rules) -> Matchboxes:
    return Matchboxes(*dataclasses.astuple(settings), rules)


def engines() -> list[ModuleType]:
    return [kernel, uncompiled_kernel()] if kernel.COMPILED else [kernel]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("case", CASES)
def test_the_kernel_credits_as_the_description_does(case: Case, rule: str) -> None:
    rules, games = rules_of(case), 60
    for settings in KINDS[:2] if case[0] == "tictactoe" else KINDS:
        symmetry = "none" if settings.win and case[0] == "hexapawn" else "full"
        positions = positions_for(case, symmetry)
        own = dataclasses.replace(settings, when_empty=rule)
        numbers = raw_numbers(5, games * positions.longest)
        for side in (0, 1):
            oracle = described(own, rules)
            seats = [Fixed("random", rules), Fixed("random", rules)]
            seats[side] = oracle
            counts, used = play_games(*seats, numbers.tolist(), games, symmetry == "full", rules)
            for engine in engines():
                machine = new_machine(positions, side, own)
                players = [machine if seat == side else "random" for seat in (0, 1)]
                played = play(positions, *players, numbers, games, engine)
                assert (played.games, played.numbers, played.outcomes) == (games, used, counts)
                for move in np.flatnonzero(machine.learned.kept).tolist():
                    board, action = positions.boards[positions.position_of_move[move]], int(positions.action[move])
                    piles = oracle.beads.get(board) or oracle.first_beads(board, symmetry == "full")
                    assert machine.learned.amount[move] == piles[action], (board, action)
                    assert machine.learned.count[move] == oracle.picked.get((board, action), 0)


@pytest.mark.parametrize("case", CASES)
def test_at_most_one_pile_changes_in_a_game_and_it_is_the_last_that_was_drawn_from(case: Case) -> None:
    positions, resigned = positions_for(case), 0
    for side, kind in itertools.product((0, 1), (HER, dataclasses.replace(HER, boxes="choices", win=1))):
        machine = new_machine(positions, side, kind)
        players = [machine if seat == side else "random" for seat in (0, 1)]
        kept = machine.learned.kept
        before = machine.learned.copy()
        for game in watch(positions, *players, raw_numbers(3, 200 * positions.longest), 200):
            own = [move for _, move, _ in game[side::2] if kept[move]]
            changed = np.flatnonzero(machine.learned.count != before.count).tolist()
            assert changed == own[-1:]
            assert set(np.flatnonzero(machine.learned.amount != before.amount).tolist()) <= set(own[-1:])
            end = int(positions.next_position[game[-1][1]]) if game else 0
            resigned += positions.to_move[end] == side
            before = machine.learned.copy()
    assert resigned > 0 or case[0] != "nim"


def test_a_box_that_is_empty_costs_the_bead_of_the_move_before() -> None:
    """One heap of five, take 1 or 2, who takes the last wins: where O's box for 2 is empty, its box for 4 pays."""
    positions = enumerate_positions(get_game("nim", "5-take2"))
    o = new_machine(positions, 1, HER)
    number = {board: position for position, board in enumerate(positions.boards)}

    def pile(board: str, action: int) -> int:
        moves = positions.moves_of(number[board])
        return next(int(o.learned.amount[m]) for m in moves if positions.action[m] == action)

    # Each takes 1: O at 4 leaves 3, at 2 leaves 1, and X takes the last.
    lost = scripted(positions, "random", o, (0, 0, 0, 0, 0))
    assert play(positions, "random", o, lost, 1).outcomes == [1, 0, 0]
    assert (pile("2:O", 0), pile("2:O", 1), pile("4:O", 0)) == (0, 1, 1)
    move = next(m for m in positions.moves_of(number["2:O"]) if positions.action[m] == 1)
    o.learned.amount[move] = 0  # its other bead is gone, too
    up_to_there = scripted(positions, "random", o, (0, 0, 0))
    assert play(positions, "random", o, up_to_there, 1).outcomes == [1, 0, 0]
    assert (pile("2:O", 0), pile("2:O", 1), pile("4:O", 0), pile("4:O", 1)) == (0, 0, 0, 1)


def test_who_draws_no_bead_in_a_game_learns_nothing() -> None:
    positions = positions_for(("hexapawn", "3x3"))
    machine = new_machine(positions, 1, HER)
    machine.learned.amount[machine.learned.kept] = 0
    before = learned(machine)
    played = play(positions, "random", machine, raw_numbers(1, 100), 10)
    assert played.outcomes == [10, 0, 0]
    assert learned(machine) == before


def test_all_is_what_there_was_before() -> None:
    """Where a learner makes one move at most in a game, the last bead is all of them."""
    positions = enumerate_positions(get_game("nim", "2-take1"))
    for side in (0, 1):
        pairs = [new_machine(positions, side, dataclasses.replace(HER, credit=credit)) for credit in ("all", "last")]
        for machine in pairs:
            play(positions, *[machine if seat == side else "random" for seat in (0, 1)], raw_numbers(1, 60), 20)
        assert learned(pairs[0]) == learned(pairs[1])


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", CASES[1:])  # tic-tac-toe has one way to each
def test_beads_are_by_its_own_moves_and_where_a_position_comes_at_several_by_the_latest(
    case: Case, symmetry: str
) -> None:
    rules, positions = rules_of(case), positions_for(case, symmetry)
    assert isinstance(rules, Brute)
    beads = (8, 4, 2, 1)
    first = first_beads(MenaceSettings(beads=beads), positions)
    latest: dict[str, int] = {}
    for board, ways in rules.ways.items():
        name = rules.canonical(board) if symmetry == "full" else board
        for moves in ways:
            own = len([ply for ply in range(moves) if "XO"[ply % 2] == board[-1]])  # that the mover has made
            latest[name] = max(latest.get(name, 0), own)
    for position, board in enumerate(positions.boards):
        moves = slice(*positions.first_move[position : position + 2])
        assert set(first[moves].tolist()) <= {beads[min(latest[board], 3)]}
    if case in {("hexapawn", "4x3"), ("nim", "2-3"), ("nim", "10-take3-misere")}:
        stages = {len({moves // 2 for moves in ways}) for ways in rules.ways.values()}
        assert max(stages) > 1  # so that it matters which is taken
