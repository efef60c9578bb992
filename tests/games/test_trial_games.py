"""Tests of the whole program with games in which a board can occur after different numbers of moves."""

from __future__ import annotations

import dataclasses
import itertools
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import notakto
import pytest
from database_templates import Case, positions_for
from kernel_games import (
    COVERING_PRESETS,
    SEATS,
    learned_bytes,
    load_uncompiled_kernel,
    machine_of_preset,
    play,
    raw_numbers,
)
from playing import play_out
from runs import boxes_of, reached_state, selfplay, train
from trial_games import TableGame, brute_force

from menace.analysis.grades import strength_of
from menace.analysis.history import replay_game
from menace.analysis.replayed_learners import openings_of
from menace.arena import exact_strength
from menace.errors import InvalidGame, InvalidSetting
from menace.games import get_game
from menace.games.enumeration import HIGHEST_ACTION, enumerate_positions
from menace.kernel import loop as kernel
from menace.learners.opponents.fixed import fixed_policy
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.queries import query
from menace.ledger.store import Store
from menace.people.session import Session

pytestmark = pytest.mark.slow

SMALL = [
    ("nim", "2-3"),
    ("nim", "3-4-5"),
    ("nim", "21-take3"),
    ("nim", "9-take4-misere"),
    ("hexapawn", "3x3"),
    ("hexapawn", "4x3"),
    ("tictactoe", "3x3x3"),
    ("tictactoe", "2x3x2-misere"),
    ("tictactoe", "1x5x3-wild-misere"),
    ("connect", "3x3x3"),
    notakto.ONE,
]
STORED_GAMES = [("nim", "21-take3"), ("nim", "3-4-5"), ("hexapawn", "4x3")]
# The cases combine one game with every algorithm, and every game with MENACE.
ALGORITHMS = ("zhang", "value-function", "q-table", "sala", "michie-1963", "scroggs")
LEARNER_CASES = [
    *zip(ALGORITHMS, itertools.cycle(STORED_GAMES), strict=False),
    *(("menace", case) for case in STORED_GAMES),
]


TAIL = {f"{n}:{'OX'[n % 2]}": (f"{n + 1}:{'OX'[(n + 1) % 2]}",) for n in range(3, 9)}


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ({"1:X": ("2:O",), "2:O": ("3:X",), "3:X": ("4:O", "9:O"), "4:O": ("3:X",)}, r"return to board (3:X|4:O), but"),
        ({"1:X": ("2:O", "5:O"), "2:O": ("1:X",)}, r"return to board (1:X|2:O), but"),
        ({"1:X": ("2:O",), "2:O": ("3:X", "1:X"), **TAIL}, r"made 1 can return to board (1:X|2:O), but"),
        ({"1:X": ("1:X",)}, r"board 1:X of made 1, X moves to board 1:X, where X is to move again"),
        (
            {"1:X": ("2:O", "3:X"), "2:O": ("4:X",), "3:X": ("5:O",)},
            r"board 1:X of made 1, X moves to .* 3:X, where X is to move again",
        ),
        ({"1:O": ("2:X",)}, r"made 1 does not begin with a move by X"),
        ({"1:X": ("2:O",), "2:O": ()}, r"board 2:O of made 1, O has no legal move, but the game is not over"),
        ({"1:X": tuple(f"{n}:O" for n in range(2, 34))}, r"there are 32 actions and 32 moves; .* 180 and 31"),
        ({"1:X": ("2:O",) * 181}, r"there are 181 actions and 1 move; the limits are 180 and 31"),
    ],
)
def test_unsupported_game_is_refused_in_one_line(tree: dict, reason: str) -> None:
    with pytest.raises(InvalidGame, match=reason) as refused:
        enumerate_positions(TableGame(tree))
    assert "made 1" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("action", [-1, HIGHEST_ACTION + 1])
def test_action_outside_allowed_range_is_refused(action: int) -> None:
    game = TableGame({"1:X": ("2:O",)})
    game.children = lambda _: {action: "2:O"}  # type: ignore[method-assign]
    with pytest.raises(
        InvalidGame, match=f"actions range from {action} to {action}; the allowed range is 0 to {HIGHEST_ACTION}"
    ):
        enumerate_positions(game)
    game.children = lambda _: {0: "2:O", HIGHEST_ACTION: "3:O"}  # type: ignore[method-assign]
    assert enumerate_positions(game).action.tolist() == [0, HIGHEST_ACTION]


@pytest.mark.parametrize("case", SMALL)
def test_fixed_player_outcomes_match_brute_force(case: Case) -> None:
    rules, positions = brute_force(case), positions_for(case)
    cells = {"random": rules.empties, "optimal": rules.best_cells, "perfect": rules.perfect_cells}
    for names in (("random", "random"), ("optimal", "random"), ("random", "perfect"), ("perfect", "optimal")):
        wanted = rules.play_out(*(rules.uniform(cells[name]) for name in names))
        policies = [fixed_policy(name, positions, side) for side, name in enumerate(names)]
        assert exact_strength.exact_outcomes(*policies) == wanted
        assert exact_strength.outcomes(*policies) == pytest.approx(list(map(float, wanted)), abs=1e-12)


@pytest.mark.parametrize("case", SMALL)
def test_best_response_matches_brute_force(case: Case) -> None:
    rules, positions = brute_force(case), positions_for(case)
    for side, name in itertools.product((0, 1), ("random", "optimal")):
        chooser = rules.uniform({"random": rules.empties, "optimal": rules.best_cells}[name])
        result, wins = rules.best_response_value(chooser, "XO"[side])
        worst = exact_strength.strength_against_best_response(fixed_policy(name, positions, side))
        assert (-worst.value, worst.loss) == pytest.approx((float(result), float(wins)), abs=1e-12)
        line = exact_strength.most_likely_refutation(fixed_policy(name, positions, side))
        assert (line is None) == (wins == 0)
        assert line is None or 0 < line.probability <= float(wins) + 1e-12


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to compare with")
@pytest.mark.parametrize(("name", "side"), [seat for seat in SEATS if seat[0] in {*COVERING_PRESETS} - {"michie-1961"}])
def test_compiled_and_uncompiled_kernels_agree_on_other_games(name: str, side: int) -> None:
    for case in (("nim", "3-4-5"), ("hexapawn", "4x3")):
        results = []
        for engine in (kernel, load_uncompiled_kernel()):
            try:
                own, rival = (
                    machine_of_preset(positions_for(case), name, side),
                    machine_of_preset(positions_for(case), "menace", 1 - side),
                )
            except InvalidSetting:
                pytest.skip(f"{name} is for other games")
            x, o = (own, rival) if side == 0 else (rival, own)
            played = play(positions_for(case), x, o, raw_numbers(11, 1200), 100, engine)
            results.append((dataclasses.astuple(played), learned_bytes(own, rival)))
        assert results[0] == results[1]
        assert results[0][1] != learned_bytes(machine_of_preset(positions_for(case), name, side), rival)


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Path]:
    """Return the path of a database without learners for each game."""
    folder = tmp_path_factory.mktemp("games")
    paths = {case: folder / f"{'-'.join(case)}.db" for case in STORED_GAMES}
    for case, path in paths.items():
        create_database(path, *case).close()
    return paths


@pytest.fixture(params=STORED_GAMES, ids="-".join)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture
def store(case: Case, databases: dict[Case, Path], tmp_path: Path) -> Iterator[Store]:
    with open_database(shutil.copy(databases[case], tmp_path)) as opened:
        yield opened


@pytest.mark.parametrize(("preset", "case"), LEARNER_CASES, indirect=["case"])
def test_learners_learn_from_machines_and_people_and_log_replays(preset: str, case: Case, store: Store) -> None:
    for side in "XO":
        new_learner(store, f"pupil-{side}", side, preset)
    before = reached_state(store)["boxes"]
    selfplay(store, "pupil-X", "pupil-O", games=50, seed=1)
    train(store, "pupil-O", "imperfect:0.5", games=20, seed=2)
    chance = random.Random(3)
    for side in "XO":
        session = Session(store, f"pupil-{side}", seed=4)
        for _ in range(4):
            finished = play_out(session, chance)
            for change in finished.changes:
                assert change.board == (
                    session.game.plies[change.ply].board if change.ply < len(session.game.plies) else session.game.board
                )
                if change.cells is not None:
                    # Michie's program also divides the weights of the position's other moves.
                    assert session.game.plies[change.ply].action in change.cells or preset == "michie-1963"
                    assert set(change.cells) <= set(session.game.rules.actions(change.board))
                assert session.game.positions.number_of(change.board) == change.position_id
            session.begin()
        report = strength_of(store, f"pupil-{side}")
        assert len(report.boards) == len(report.actions) + 1
    after = reached_state(store)["boxes"]
    assert all(after[name] != before[name] for name in before)
    assert verify(store).games == 50 + 20 + 8
    for number in range(1, 9):
        replayed = replay_game(store, number)
        assert replayed.plies[0].board == get_game(*case).initial
        assert [ply.side for ply in replayed.plies] == list(
            itertools.islice(itertools.cycle("XO"), len(replayed.plies))
        )
        assert all((ply.saw is None) == (ply.player == "human") for ply in replayed.plies)


def test_openings_list_first_decisions_of_each_side(case: Case, store: Store) -> None:
    selfplay(store, games=20, seed=1)
    rules = brute_force(case)
    openings = {rules.canonical(board) for board in rules.children(rules.empty).values()}
    wanted = {board for board in openings if len({rules.canonical(b) for b in rules.children(board).values()}) > 1}
    assert {opening.board for opening in openings_of(store, ["menace-o"])} == wanted
    assert {opening.board for opening in openings_of(store, ["menace-x"])} == {rules.canonical(rules.empty)}
    answers = query(store, "replies")
    boards = {row[answers.columns.index("opening")] for row in answers.rows}
    assert boards == {board for board in openings if len(rules.children(board)) > 1}


def test_boxes_are_ordered_by_longest_path_and_staged_by_own_moves(case: Case, store: Store) -> None:
    positions = positions_of(store)
    for side, name in enumerate("XO"):
        new_learner(store, name, name)
        boxes = boxes_of(store, name)
        assert [box.ply for box in boxes] == sorted(box.ply for box in boxes)
        for box in boxes:
            # the number of plies that the side has made before the box on the longest path to it
            own = [ply for ply in range(box.ply) if ply % 2 == side]
            assert box.stage == len(own) + 1
            assert positions.to_move[box.position_id] == side
