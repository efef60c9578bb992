"""Tests of how the kernel picks moves, what it learns, and which moves receive credit."""

from __future__ import annotations

import dataclasses
import inspect
import random
from functools import cache
from types import ModuleType

import numpy as np
import pytest
from database_templates import Case, positions_for
from kernel_games import (
    SeatedMachine,
    arena,
    learned_bytes,
    load_uncompiled_kernel,
    new_machine,
    play,
    raw_numbers,
)
from oracle import TICTACTOE, Rules
from reference import Fixed, Matchboxes, play_games
from trial_games import brute_force

from menace.arena.exact_strength import outcomes
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithms.beads import MenaceSettings
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.registry import PRESETS

RULES = ("resign", "restock", "random", "restock-colour")
HARD = MenaceSettings(beads=(2, 1), win=1, draw=0, loss=-1)  # these settings quickly empty the boxes
Players = tuple[MenaceSettings | str, MenaceSettings | str]


CASES: list[Players] = [
    (MenaceSettings(), MenaceSettings()),
    (dataclasses.replace(HARD, when_empty="resign"), "perfect"),
    (dataclasses.replace(HARD, when_empty="random"), "optimal"),
    (dataclasses.replace(HARD, when_empty="restock"), "imperfect:0.25"),
    ("random", dataclasses.replace(HARD, when_empty="resign")),
    ("imperfect:0.9", dataclasses.replace(HARD, when_empty="random", loss=-3)),
    ("optimal", dataclasses.replace(HARD, when_empty="restock", boxes="all")),
    (dataclasses.replace(HARD, when_empty="restock-colour", merged=False), "optimal"),
    (MenaceSettings(boxes="michie", floor=1), "imperfect:0.5"),
    (MenaceSettings(boxes="all", merged=False), dataclasses.replace(HARD, merged=False, when_empty="resign")),
    (MenaceSettings(beads=(3, 2), win=2, draw=-2, loss=-4, floor=2), MenaceSettings(win=0, draw=0, loss=0)),
]


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_kernel_matches_reference_program(by_symmetry: dict[str, Positions], symmetry: str, case: Players) -> None:
    positions = by_symmetry[symmetry]
    games, numbers = 600, raw_numbers(2**63 - 1, 5400)
    players = [who if isinstance(who, str) else new_machine(positions, side, who) for side, who in enumerate(case)]
    played = play(positions, *players, numbers, games)
    described = [
        Fixed(who) if isinstance(who, str) else Matchboxes(*dataclasses.astuple(who)) for who in case
    ]  # both classes have the same fields in the same order
    counts, used = play_games(*described, numbers.tolist(), games, symmetry == "full")
    assert (played.games, played.numbers, played.outcomes) == (games, used, counts)
    for player, matchboxes in zip(players, described, strict=True):
        if isinstance(player, SeatedMachine):
            assert_matchboxes_match(player, matchboxes, positions, symmetry == "full")


def assert_matchboxes_match(
    player: SeatedMachine, matchboxes: Matchboxes, positions: Positions, symmetry: bool
) -> None:
    for position in np.flatnonzero(positions.moved_by(player.side)):
        board, moves = positions.boards[position], positions.moves_of(position)
        assert matchboxes.has_box(board) == all(player.learned.kept[m] for m in moves)
        if not matchboxes.has_box(board):
            continue
        beads = {int(positions.action[m]): int(player.learned.amount[m]) for m in moves}
        drawn = {int(positions.action[m]): int(player.learned.count[m]) for m in moves}
        assert beads == matchboxes.beads.get(board, matchboxes.first_beads(board, symmetry))
        assert drawn == {action: matchboxes.picked.get((board, action), 0) for action in beads}


@pytest.mark.parametrize("when_empty", RULES)
def test_two_machines_match_one_machine_playing_both_sides(positions: Positions, when_empty: str) -> None:
    settings, games = dataclasses.replace(HARD, when_empty=when_empty), 600
    numbers = raw_numbers(5, 5400)
    pair = [new_machine(positions, side, settings) for side in (0, 1)]
    played = play(positions, *pair, numbers, games)
    both = Matchboxes(*dataclasses.astuple(settings))
    assert play_games(both, both, numbers.tolist(), games, symmetry=True) == (played.outcomes, played.numbers)
    for machine in pair:
        assert_matchboxes_match(machine, both, positions, symmetry=True)


# A game calculated by hand. The number `low` selects bead number r = low * total / 2^32, rounded down.


def raw_number(low: int) -> int:
    """Return a raw number whose lower half has the given value.

    MENACE does not use the upper half, so all bits of that half are 1.
    """
    return 0xFFFFFFFF << 32 | low


def beads_in_box(machine: SeatedMachine, positions: Positions, position: int) -> dict[int, int]:
    return {int(positions.action[m]): int(machine.learned.amount[m]) for m in positions.moves_of(position)}


def count_picks(machine: SeatedMachine, positions: Positions) -> dict[tuple[int, int], int]:
    moves = np.flatnonzero(machine.learned.count)
    return {
        (int(positions.position_of_move[m]), int(positions.action[m])): int(machine.learned.count[m]) for m in moves
    }


# X takes the centre (piles of 4, 4 and 4 beads; r = 8). O takes an edge (two moves, for 4 cells each; r = 4). X takes
# cell 0 (piles of 3, 3, 3 and 3 beads; r = 0). O takes cell 2 (the first of six cells; r = 0). X wins by taking cell 8,
# the last of five empty cells (2 beads each; r = 8).
BY_HAND = [raw_number(low) for low in (2863311531, 2147483648, 0, 715827882, 3435973837)]


def test_kernel_matches_game_worked_by_hand(positions: Positions, position_of: dict[str, int]) -> None:
    machine = new_machine(positions, 0)
    numbers = np.array([*BY_HAND, *[0] * 9], np.uint64)
    played = play(positions, machine, "random", numbers, 1)
    assert dataclasses.astuple(played) == (1, 5, [1, 0, 0])
    opened = {".........": (4, 7), ".O..X....": (0, 6), "XOO.X....": (8, 5)}
    for board, (action, pile) in opened.items():
        assert beads_in_box(machine, positions, position_of[board])[action] == pile
    assert count_picks(machine, positions) == {(position_of[board], action): 1 for board, (action, _) in opened.items()}
    assert machine.learned.amount.sum() == new_machine(positions, 0).learned.amount.sum() + 9


@pytest.mark.parametrize(("place", "board", "action"), [(0, ".........", 1), (4, "XOO.X....", 7)])
def test_random_number_reduced_by_one_picks_previous_move(
    positions: Positions, position_of: dict[str, int], place: int, board: str, action: int
) -> None:
    numbers = list(BY_HAND)
    numbers[place] -= 1
    machine = new_machine(positions, 0)
    play(positions, machine, "random", np.array([*numbers, *[0] * 9], np.uint64), 1)
    assert count_picks(machine, positions)[position_of[board], action] == 1


def machine_with_empty_box(positions: Positions, position: int, when_empty: str) -> SeatedMachine:
    """Return a new machine for X whose box for `position` is empty."""
    machine = new_machine(positions, 0, MenaceSettings(when_empty=when_empty))  # type: ignore[arg-type]
    machine.learned.amount[list(positions.moves_of(position))] = 0
    return machine


def test_full_pile_stops_growing_and_box_still_picks_correctly(by_symmetry: dict[str, Positions]) -> None:
    most = 2**26 - 1
    machine = new_machine(by_symmetry["none"], 0)
    machine.learned.amount[0] = most - 1
    zeros = np.zeros(7, np.uint64)  # X takes 0, 2, 4, 6 and wins
    numbers = np.concatenate((zeros, zeros, [raw_number(2**32 - 1)], np.zeros(8, np.uint64))).astype(np.uint64)
    assert play(by_symmetry["none"], machine, "random", numbers, 2).outcomes == [2, 0, 0]
    assert beads_in_box(machine, by_symmetry["none"], 0) == {0: most} | dict.fromkeys(range(1, 9), 4)
    machine.learned.amount[0] = most - 1
    play(by_symmetry["none"], machine, "random", numbers, 3)
    assert count_picks(machine, by_symmetry["none"])[0, 8] == 1  # the largest possible number selects the last colour


@pytest.mark.parametrize("rule", RULES)
def test_empty_box_is_restocked_before_learning_from_given_game(positions: Positions, rule: str) -> None:
    fresh = new_machine(positions, 0).learned.amount[:3].tolist()
    machine = machine_with_empty_box(positions, 0, rule)
    kernel.refill(machine.kernel_player(positions.graph), 0)
    refilled = machine.learned.amount[:3].tolist()
    assert refilled == (fresh if rule.startswith("restock") else [0, 0, 0])
    machine = machine_with_empty_box(positions, 0, rule)
    machine.learn(["0", "1", "4", "2", "8"])  # the corner is the first move of the box
    assert machine.learned.amount[:3].tolist() == [refilled[0] + 3, *refilled[1:]]
    before = machine.learned.amount.tolist()
    kernel.refill(machine.kernel_player(positions.graph), 0)
    assert machine.learned.amount.tolist() == before  # the box is no longer empty


def test_resigning_returns_no_move_despite_earlier_record(positions: Positions) -> None:
    where, numbers = arena(positions, "random", "random"), kernel.RawNumbers(np.random.PCG64(1))
    where.games(numbers, 1)
    player = machine_with_empty_box(positions, 0, "resign").kernel_player(where.graph)
    assert kernel.make_move(where.graph, player, where.record, 0, 0, numbers) == -1


def test_results_do_not_depend_on_kernel_call_boundaries(positions: Positions) -> None:
    dice, games, numbers = random.Random(9), 1500, raw_numbers(3, 13_500)
    for when_empty in RULES:
        results = []
        settings = dataclasses.replace(HARD, when_empty=when_empty)
        for calls in (0, 10, 700):
            players = [new_machine(positions, side, settings) for side in (0, 1)]
            stops = sorted(dice.choices(range(games), k=calls))
            played = play(positions, *players, numbers, games, stops=stops)
            results.append((dataclasses.astuple(played), learned_bytes(*players)))
        assert results[0][0][0] == games
        assert results[0] == results[1] == results[2]


# With correct code, |count - np| exceeds 5.5 sqrt(np(1-p)) in about one of 2.6e7 counts. One of the 12 comparisons
# would therefore fail for about one seed in two million. The seed is fixed, so the test never fails by chance.


@pytest.mark.parametrize(
    ("x", "o"), [("random", "random"), ("fresh", "random"), ("random", "fresh"), ("fresh", "fresh")]
)
def test_outcome_frequencies_match_exact_strength(positions: Positions, x: str, o: str) -> None:
    games = 200_000 if kernel.COMPILED else 10_000
    players, policies = [], []
    for side, name in enumerate((x, o)):
        machine = dataclasses.replace(new_machine(positions, side), learns=False)
        players.append(machine if name == "fresh" else name)
        policies.append(machine.policy() if name == "fresh" else fixed_policy(name, positions, side))
    played = play(positions, *players, np.random.PCG64(2026), games)
    exact = (737 / 1260, 8 / 63, 121 / 420) if (x, o) == ("random", "random") else outcomes(*policies)
    assert played.games == sum(played.outcomes) == games
    for count, share in zip(played.outcomes, exact, strict=True):
        assert abs(count - games * share) < 5.5 * (games * share * (1 - share)) ** 0.5
    assert learned_bytes(*players) == learned_bytes(
        *(new_machine(positions, s) for s, name in enumerate((x, o)) if name == "fresh")
    )


def test_learning_players_are_created_from_keyword_arguments() -> None:
    classes = vars(load_uncompiled_kernel()).values()
    fixed = load_uncompiled_kernel().FixedPlayer
    learning = [
        player for player in classes if isinstance(player, type) and issubclass(player, fixed) and player is not fixed
    ]
    assert {player.__name__ for player in learning} >= {"BeadPlayer", "GreedyPlayer", "OddsPlayer"}
    for player in learning:
        _, graph, *parameters = inspect.signature(player.__init__).parameters.values()
        assert graph.name == "graph"
        assert {parameter.kind for parameter in parameters} <= {
            inspect.Parameter.KEYWORD_ONLY,
            inspect.Parameter.VAR_KEYWORD,
        }
        # If a player had these attributes, a second step would be needed to make it follow its settings.
        assert not {"rules", "explore"} & set(dir(player))


CREDIT_GAMES = [
    ("tictactoe", "3x3x3"),
    ("hexapawn", "3x3"),
    ("hexapawn", "4x3"),
    ("nim", "2-3"),
    ("nim", "10-take3-misere"),
]
HER = PRESETS["gardner-1962"].settings
RULES_WITHOUT_COLOURS = ("resign", "restock", "random")
# The boxes quickly become empty. The number of beads of each colour depends on the stage of the box.
SOON_EMPTY = MenaceSettings(beads=(3, 2, 1), win=1, draw=0, loss=-1)
KINDS = (
    HER,
    dataclasses.replace(HER, win=1, boxes="choices"),
    dataclasses.replace(SOON_EMPTY, credit="last", loss=-2),
    dataclasses.replace(SOON_EMPTY, credit="last", floor=1, merged=False, boxes="all"),
    SOON_EMPTY,
)


@cache
def rules_for(case: Case) -> Rules:
    return TICTACTOE if case[0] == "tictactoe" else brute_force(case)


def reference_matchboxes(settings: MenaceSettings, rules: Rules) -> Matchboxes:
    return Matchboxes(*dataclasses.astuple(settings), rules)


def installed_kernels() -> list[ModuleType]:
    return [kernel, load_uncompiled_kernel()] if kernel.COMPILED else [kernel]


@pytest.mark.parametrize("rule", RULES_WITHOUT_COLOURS)
@pytest.mark.parametrize("case", CREDIT_GAMES)
def test_credit_assignment_matches_reference_program(case: Case, rule: str) -> None:
    rules, games = rules_for(case), 60
    for settings in KINDS[:2] if case[0] == "tictactoe" else KINDS:
        symmetry = "none" if settings.win and case[0] == "hexapawn" else "full"
        positions = positions_for(case, symmetry)
        own = dataclasses.replace(settings, when_empty=rule)
        numbers = raw_numbers(5, games * positions.longest)
        for side in (0, 1):
            oracle = reference_matchboxes(own, rules)
            seats = [Fixed("random", rules), Fixed("random", rules)]
            seats[side] = oracle
            counts, used = play_games(*seats, numbers.tolist(), games, symmetry == "full", rules)
            for engine in installed_kernels():
                machine = new_machine(positions, side, own)
                players = [machine if seat == side else "random" for seat in (0, 1)]
                played = play(positions, *players, numbers, games, engine)
                assert (played.games, played.numbers, played.outcomes) == (games, used, counts)
                for move in np.flatnonzero(machine.learned.kept).tolist():
                    board, action = positions.boards[positions.position_of_move[move]], int(positions.action[move])
                    piles = oracle.beads.get(board) or oracle.first_beads(board, symmetry == "full")
                    assert machine.learned.amount[move] == piles[action], (board, action)
                    assert machine.learned.count[move] == oracle.picked.get((board, action), 0)
