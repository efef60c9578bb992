"""Tests of games between a person and a machine: recording them, learning from them and replaying them."""

from __future__ import annotations

import contextlib
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from database_templates import fresh_database
from kernel_games import COVERING_PRESETS, TICTACTOE_PRESETS
from playing import play_out, play_to_the_end
from runs import boxes_of, reached_state, train

import menace
from menace.analysis.history import box_history, recorded_draws, recorded_games, replay_game
from menace.analysis.position import show
from menace.errors import IllegalMove, InvalidPlayer
from menace.games.base import Side
from menace.games.symmetry import SYMMETRY_USES
from menace.learners.registry import LEARNERS, PRESETS
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.blocks import read_log, wrong_record
from menace.ledger.log.recorded_game import RecordedGame
from menace.ledger.log.verification import verify
from menace.ledger.store import GameRow, Store
from menace.people.game import Chance
from menace.people.physical import CountDifference, PhysicalSession, record_count
from menace.people.session import Session

EXPLORING = [name for name, row in PRESETS.items() if getattr(row.settings, "epsilon", 0.0) > 0]
SEATS = [(name, side) for name, preset in TICTACTOE_PRESETS.items() for side in preset.plays]

# Without symmetry, a game takes five times as long, so only one learner for each algorithm plays without symmetry.
ALGORITHMS = {preset.algorithm: name for name, preset in PRESETS.items() if name != "michie-1961"}
EVERYWHERE = [
    (*seat, symmetry)
    for seat in SEATS
    for symmetry in SYMMETRY_USES
    if seat[0] in (COVERING_PRESETS if symmetry == "full" else ALGORITHMS.values())
]


@pytest.fixture
def store(empty: dict[str, Path], tmp_path: Path) -> Store:
    with open_database(shutil.copy(empty["full"], tmp_path)) as opened:
        new_learner(opened, "adam", "X")
        new_learner(opened, "eva", "O")
        yield opened


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return database files without learners, one for each type of symmetry.

    Tests copy these files, because creating one takes a second.
    """
    paths = {symmetry: tmp_path_factory.mktemp("empty") / f"{symmetry}.db" for symmetry in SYMMETRY_USES}
    for symmetry, path in paths.items():
        fresh_database(path, symmetry=symmetry).close()
    return paths


@pytest.mark.parametrize(("preset", "side"), [seat for seat in SEATS if seat[0] in ALGORITHMS.values()])
@pytest.mark.slow
def test_every_learner_learns_from_people_and_verifies(preset: str, side: str, store: Store) -> None:
    new_learner(store, "pupil", side, preset, seed=5 if preset == "zhang-random" else None)
    train(store, "pupil", "random", games=200, seed=1)
    session = Session(store, "pupil", seed=2)
    chance = random.Random(3)
    before = reached_state(store)
    for _ in range(6):
        play_out(session, chance)
        session.begin()
    after = reached_state(store)
    assert after["boxes"]["pupil"] != before["boxes"]["pupil"]
    assert dict(after["learners"])["pupil"] == 206
    assert verify(store).games == 206
    assert len(store.games()) == 6
    assert [run.games_played for run in store.runs()] == [200, 6]


@pytest.mark.parametrize(("preset", "side", "symmetry"), EVERYWHERE)
@pytest.mark.slow
def test_games_with_person_teach_same_as_machine_games(
    preset: str, side: str, symmetry: str, empty: dict[str, Path], tmp_path: Path
) -> None:
    """In the session, the person repeats the moves that `random` makes in a run with the same random numbers."""
    games = 2 if symmetry == "full" else 1  # computing the exact strength after every game is slow
    often = {"epsilon": "0.5"} if preset in EXPLORING else {}
    with open_database(shutil.copy(empty[symmetry], tmp_path)) as store:
        for name in ("taught", "pupil"):
            new_learner(store, name, side, preset, often, seed=1 if preset == "zhang-random" else None)
        compare_with_training(store, side, games)


@pytest.mark.parametrize("when_empty", ["restock", "restock-colour", "random", "resign"])
@pytest.mark.parametrize("side", Side)
def test_empty_boxes_behave_the_same_with_people(side: str, when_empty: str, store: Store) -> None:
    """Every box is empty, so the machine restocks its boxes, skips them or resigns."""
    for name in ("taught", "pupil"):
        row = new_learner(store, name, side, "menace", {"when_empty": when_empty})
        with store.transaction():
            boxes = store.learned_rows("matchbox", row.learner_id)
            store.update_learned_rows("matchbox", row.learner_id, [(*box[:2], 0, 0) for box in boxes])
    compare_with_training(store, side, 8)


def compare_with_training(store: Store, side: str, games: int) -> None:
    """Train `taught` against random play, let `pupil` play a person who makes the same moves, and compare them."""
    # a person also continues when a box is empty
    train(store, "taught", "random", games=games, seed=7, continue_when_ruined=True)
    session = Session(store, "pupil", seed=7)
    opponent = Session(store, "random", side, seed=7)
    used = 0  # a run uses one random number per ply, whereas a session uses one random number per machine move
    for _ in range(games):
        while session.game.outcome is None:
            persons = session.game.persons_turn
            player = (opponent if persons else session).game
            player.plies = list(session.game.plies)
            player.chance = Chance(7, used + len(player.plies) - player.numbers)
            ply = player.make_machine_move()
            if persons:
                assert ply is not None
                session.game.make_person_move(ply.action)
        used += len(session.game.plies)
        session.finish()
        session.begin()
    contents = reached_state(store)
    assert contents["boxes"]["pupil"] == contents["boxes"]["taught"]
    assert contents["states"]["pupil"] == contents["states"]["taught"]
    assert contents["outcomes"][0] == contents["outcomes"][1]


@pytest.mark.parametrize("opponent", ["adam", "eva", "perfect"])
def test_session_moves_match_game_and_records_first(opponent: str, store: Store) -> None:
    by_itself, by_hand = (Session(store, opponent, seed=3) for _ in range(2))
    by_itself.answer()
    play_out(by_hand, random.Random(1))
    with pytest.raises(IllegalMove, match="not moved yet"):
        by_itself.undo()
    for ply in by_hand.game.plies:
        if not ply.by_machine:
            rules, board = by_itself.game.rules, by_itself.game.board
            by_itself.move(rules.name_of(board, rules.actions(board)[-1]))
            by_itself.undo()
            assert by_itself.game.board == board
            by_itself.move(rules.name_of(board, ply.action))
    assert by_itself.game.recorded() == by_hand.game.recorded()
    with pytest.raises(IllegalMove, match="is over"):
        by_itself.move("0")
    assert (by_itself.is_under_way, by_itself.finished, by_itself.score) == (True, None, [0])
    by_itself.next_game()
    points = {by_itself.plays.outcome: 3, "draw": 1}.get(by_hand.game.outcome or "", -1)
    assert (by_itself.score, by_itself.finished, len(store.games())) == ([0, points], None, 2)
    assert by_itself.game.persons_turn
    with pytest.raises(IllegalMove, match="recorded, so its moves cannot be undone"):
        by_hand.undo()


def test_unfinished_game_changes_nothing(store: Store) -> None:
    before = Path(store.path).read_bytes()
    session = Session(store, "adam", seed=1)
    session.game.make_machine_move()
    session.game.make_person_move(session.game.rules.actions(session.game.board)[0])
    session.game.make_machine_move()
    with pytest.raises(IllegalMove, match="not finished"):
        session.finish()
    store.close()
    assert Path(store.path).read_bytes() == before


def test_machine_moves_use_seed_and_undo_restores_numbers(store: Store) -> None:
    lines = []
    for undone in (False, True):
        session = Session(store, "adam", seed=11)
        while session.game.outcome is None:
            if session.game.persons_turn:
                if undone:
                    session.game.make_person_move(session.game.rules.actions(session.game.board)[-1])
                    if session.game.outcome is None:
                        session.game.make_machine_move()
                    session.game.undo()
                session.game.make_person_move(session.game.rules.actions(session.game.board)[0])
            else:
                session.game.make_machine_move()
        lines.append(session.game.recorded())
    assert lines[0] == lines[1]


def test_undo_removes_one_move_and_reply(store: Store) -> None:
    session = Session(store, "adam", seed=1)
    with pytest.raises(IllegalMove, match="not moved yet"):
        session.game.undo()
    session.game.make_machine_move()
    board = session.game.board
    with pytest.raises(IllegalMove, match="not moved yet"):
        session.game.undo()
    for _ in range(2):
        session.game.make_person_move(session.game.rules.actions(board)[1])
        session.game.make_machine_move()
        session.game.undo()
        assert session.game.board == board
    assert session.game.persons_turn


def test_undone_moves_do_not_affect_learning(store: Store) -> None:
    """An empty box that is restocked during an undone move is empty again afterwards."""
    with store.transaction():
        learner_id = store.learner("eva").learner_id
        for position in (1, 2, 3):
            rows = [(position, move["action"], 0, 0) for move in store.moves(position)]
            store.update_learned_rows("matchbox", learner_id, rows)
    before = reached_state(store)["boxes"]["eva"]
    session = Session(store, "eva", seed=1)
    session.game.make_person_move(0)
    ply = session.game.make_machine_move()
    assert ply is not None
    assert ply.saw is not None
    assert ply.saw.box.beads > 0  # the box was restocked
    session.game.undo()
    session.game.make_person_move(4)
    play_out(session)
    after = {row[:2]: row[2:] for row in reached_state(store)["boxes"]["eva"]}
    empty = {row[:2]: row[2:] for row in before if row[0] == 1}
    assert {key: after[key] for key in empty} == empty
    assert sum(beads for key, (beads, _) in after.items() if key[0] == 3) > 0  # this box stays restocked


def test_game_without_learning_is_only_recorded(store: Store) -> None:
    before = reached_state(store)
    session = Session(store, "eva", seed=1, learns=False)
    finished = play_out(session, random.Random(1))
    after = reached_state(store)
    assert finished.changes == ()
    assert after["boxes"] == before["boxes"]
    assert after["learners"] == before["learners"]
    assert after["strength"] == set()
    assert len(store.games()) == 1
    verify(store)


@pytest.mark.parametrize("opponent", ["random", "perfect", "imperfect:0.5"])
def test_fixed_opponent_game_is_recorded(opponent: str, store: Store) -> None:
    session = Session(store, opponent, "O", seed=4)
    for seed in range(3):
        play_out(session, random.Random(seed))
        session.begin()
    (run,) = store.runs()
    assert (run.x_player, run.o_player, run.games_played, run.x_learns, run.o_learns) == (opponent, "human", 3, 0, 0)
    verify(store)


def test_perfect_never_loses_to_a_person(store: Store) -> None:
    for seed in range(40):
        session = Session(store, "perfect", Side.after(seed), seed=seed)
        assert play_out(session, random.Random(seed)).outcome in {"draw", Side.after(seed).other}


def test_machine_with_empty_box_resigns_and_is_punished(store: Store) -> None:
    new_learner(store, "michie", "X", "michie-1961")
    learner_id = store.learner("michie").learner_id
    session = Session(store, "michie", seed=1)
    session.game.make_machine_move()
    session.game.make_person_move(session.game.rules.actions(session.game.board)[0])
    with store.transaction():
        rows = [(session.game.position, move["action"], 0, 0) for move in store.moves(session.game.position)]
        store.update_learned_rows("matchbox", learner_id, rows)
    again = Session(store, "michie", seed=1)
    for ply in session.game.plies:
        if ply.by_machine:
            again.game.make_machine_move()
        else:
            again.game.make_person_move(ply.action)
    assert again.game.make_machine_move() is None
    assert again.game.outcome == "O"
    finished = again.finish()
    assert store.games()[0].ended_by == "resignation"
    assert [(change.ply, change.after - change.before) for change in finished.changes] == [(0, -1)]


@pytest.fixture(scope="module")
def opening_counts(empty: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    """Return how many times a new machine opens at each cell in 1,200 games with different seeds."""
    counts = [0] * 9
    with open_database(shutil.copy(empty["full"], tmp_path_factory.mktemp("first"))) as store:
        new_learner(store, "adam", "X")
        session = Session(store, "adam")
        for seed in range(1200):
            session.game.chance, session.game.plies = Chance(seed), []
            ply = session.game.make_machine_move()
            assert ply is not None
            counts[ply.action] += 1
    return counts


@pytest.mark.slow
def test_equivalent_cells_are_equally_likely(opening_counts: list[int]) -> None:
    """Chi-squared tests compare the four corners with one another, and the four edges.

    With correct code, each of these comparisons fails for 1 of 10,000 seeds.
    """
    for cells in ((0, 2, 6, 8), (1, 3, 5, 7)):
        expected = sum(opening_counts[cell] for cell in cells) / 4
        assert expected > 60
        assert sum((opening_counts[cell] - expected) ** 2 / expected for cell in cells) < 21.1


def test_machine_opens_according_to_shares(opening_counts: list[int]) -> None:
    """A new box opens in a corner, on an edge and in the centre equally often.

    With correct code, the test fails for 1 of 10,000 seeds.
    """
    counts = (sum(opening_counts[cell] for cell in cells) for cells in ((0, 2, 6, 8), (1, 3, 5, 7), (4,)))
    assert sum((count - 400) ** 2 / 400 for count in counts) < 18.5


def test_changes_match_database_and_actual_board(store: Store) -> None:
    session = Session(store, "adam", seed=3)
    before = {(row[0], row[1]): row[2] for row in reached_state(store)["boxes"]["adam"]}
    finished = play_out(session, random.Random(2))
    after = {(row[0], row[1]): row[2] for row in reached_state(store)["boxes"]["adam"]}
    moved = {key: (before[key], after[key]) for key in after if before[key] != after[key]}
    assert {(c.position_id, c.action): (c.before, c.after) for c in finished.changes} == moved
    for change in finished.changes:
        view = show(store, change.board, "adam")
        assert view.position_id == change.position_id
        assert session.game.plies[change.ply].action in change.cells


def test_game_is_learned_on_top_of_concurrent_training(store: Store) -> None:
    session = Session(store, "adam", seed=3)
    session.game.make_machine_move()
    with open_database(store.path) as second_store:
        train(second_store, "adam", "perfect", games=300, seed=1)
    finished = play_out(session, random.Random(1))
    assert finished.taught_meanwhile
    assert store.learner("adam").games == 301
    verify(store)


def test_finished_game_is_unchanged_by_next(store: Store) -> None:
    session = Session(store, "adam", seed=3)
    finished, first = play_out(session, random.Random(1)), session.game
    board, chance = first.board, first.chance_after
    session.begin()
    assert (session.finished, session.game.plies, session.game.chance) == (None, [], chance)
    session.game.make_machine_move()
    assert (first.board, first.outcome, first.machine.learned.games) == (board, finished.outcome, 0)
    assert session.game.machine.learned.games == 1


def test_concurrent_sessions_both_count(store: Store) -> None:
    sessions = [Session(store, "adam", seed=seed) for seed in (1, 2)]
    for number in range(4):
        finished = play_out(sessions[number % 2], random.Random(number))
        sessions[number % 2].begin()
        assert finished.game_id == number + 1
    assert store.learner("adam").games == 4
    verify(store)


def test_taken_side_and_unknown_opponent_are_refused(store: Store) -> None:
    with pytest.raises(InvalidPlayer, match="plays X; play O"):
        Session(store, "adam", "X")
    with pytest.raises(menace.MenaceError, match="no machine is called 'nobody'"):
        Session(store, "nobody")
    new_learner(store, "zhang", "O", "zhang")
    with pytest.raises(InvalidPlayer, match="does not draw beads"):
        PhysicalSession(store, "zhang")


def test_illegal_move_changes_nothing(store: Store) -> None:
    session = Session(store, "adam", seed=1)
    ply = session.game.make_machine_move()
    assert ply is not None
    for cell in (ply.action, 9, -1):
        with pytest.raises(IllegalMove):
            session.game.make_person_move(cell)
    assert len(session.game.plies) == 1


PLAY_O = {row.algorithm: name for name, row in TICTACTOE_PRESETS.items() if Side.O in row.plays}


@pytest.mark.parametrize("preset", sorted(PLAY_O.values()))
def test_resignation_of_person_is_learned(store: Store, preset: str) -> None:
    new_learner(store, "one", "O", preset)
    session = Session(store, "one", seed=1)
    with pytest.raises(IllegalMove, match="no move has been made yet"):
        session.game.resign_person()
    session.game.make_person_move(4)
    with pytest.raises(IllegalMove, match="it is the machine's turn"):
        session.game.resign_person()
    session.game.make_machine_move()
    session.game.resign_person()
    assert session.game.outcome == "O"
    finished = session.finish()
    assert (finished.outcome, store.game(finished.game_id).ended_by) == ("O", "resignation")
    assert finished.changes
    assert replay_game(store, finished.game_id).plies[-1].action is None
    verify(store)


@pytest.mark.parametrize(
    ("recorded", "wrong"),
    [
        (RecordedGame((4,), (0,), (1,), "resignation", "X"), None),  # the person resigned
        (RecordedGame((4, 0), (0, 0), (1, 1), "resignation", "O"), None),
        (RecordedGame((), (), (), "resignation", "O"), None),  # the machine's first box was empty
        (RecordedGame((4, 0), (0, 0), (1, 1), "resignation", "X"), "cannot end"),
        (RecordedGame((4, 0), (0, 0), (1, 1), "board", "draw"), "cannot end"),
        (RecordedGame((4, 4), (0, 0), (1, 1), "board", "draw"), "is not legal"),
        (RecordedGame((0, 3, 1, 4, 2), (0,) * 5, (1,) * 5, "board", "X"), None),
        (RecordedGame((0, 3, 1, 4, 2), (0,) * 4, (1,) * 5, "board", "X"), "must have a flag, 0 or 1, for each move"),
        (RecordedGame((0, 3, 1, 4, 2), (2,) * 5, (1,) * 5, "board", "X"), "must have a flag, 0 or 1, for each move"),
        (RecordedGame((0, 3, 1, 4, 2, 5), (0,) * 6, (1,) * 6, "board", "X"), "is not legal"),
    ],
)
def test_record_must_follow_rules(recorded: RecordedGame, wrong: str | None, store: Store) -> None:
    play_out(Session(store, "adam", seed=1), random.Random(1))
    message = wrong_record(read_log(store), store.runs()[0], recorded)
    assert (message is None) == (wrong is None)
    assert wrong is None or wrong in str(message)
    assert RecordedGame.from_row(GameRow(1, 1, 1, **recorded.columns())) == recorded


def test_cell_of_each_machine_move_follows_from_seed(store: Store) -> None:
    """The machine's move k in the session uses number k of the jumped generator (db/README.md)."""
    session, turn = Session(store, "adam", seed=8), 0
    jumped = np.random.PCG64(8).jumped()
    for seed in range(4):
        play_out(session, random.Random(seed))
        for ply in session.game.plies:
            if ply.by_machine:
                (cells,) = (move.cells for move in ply.saw.moves if ply.action in move.cells)
                low = int(jumped.random_raw()) & 0xFFFFFFFF
                assert ply.action == cells[low * len(cells) >> 32]
                turn += 1
        session.begin()
    assert turn > 12


def test_game_and_lesson_are_committed_atomically(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(store, "adam", seed=1)
    play_to_the_end(session.game)
    before = Path(store.path).read_bytes()
    for last in ("extend_run", "add_evaluations", "add_game", "update_learner", "add_block"):
        with monkeypatch.context() as patch:
            patch.setattr(Store, last, broken)
            with pytest.raises(OSError, match="broken"):
                session.finish()
        assert Path(store.path).read_bytes() == before
    assert session.finish().game_id == 1
    verify(store)


def broken(*_arguments: object, **_columns: object) -> None:
    raise OSError("broken")


@pytest.fixture(scope="module")
def recorded(empty: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Return a database with two recorded games and a recount, and the position at which a session begins."""
    path = tmp_path_factory.mktemp("recorded") / "menace.db"
    with open_database(shutil.copy(empty["full"], path)) as store:
        new_learner(store, "adam", "X")
        new_learner(store, "eva", "O")
        for learns in (True, False):
            play_out(Session(store, "adam", seed=1, learns=learns), random.Random(1))
        first = boxes_of(store, "adam")[0]
        beads = {move.action: move.beads for move in first.moves}
        record_count(store, "adam", [CountDifference(first, 4, beads[4], 70)])
        verify(store)
        return path, Session(store, "adam", seed=1).game.position


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "run SET options = '[]'",
        "run SET options = '{\"phases\": []}' WHERE kind = 'play'",
        "run SET o_player = 'random' WHERE kind = 'play'",
        "run SET o_player = 'nobody' WHERE kind = 'play'",
        "run SET o_learner_id = 2 WHERE kind = 'play'",
        "run SET games_wanted = 9 WHERE kind = 'play'",
        "run SET games_wanted = 1 WHERE kind = 'recount'",
        "run SET seed = 1 WHERE kind = 'recount'",
        "run SET o_learner_id = 2 WHERE kind = 'recount'",
        "block SET kind = 'recount' WHERE games = 0 AND kind = 'human'",
        "block SET numbers = 1 WHERE kind = 'recount'",
        "block SET numbers = numbers + 1 WHERE games = 1",
        "block SET x_wins = draws, draws = o_wins, o_wins = x_wins WHERE games = 1",
        "block SET kind = 'recount' WHERE games = 1",
        "block SET kind = 'games' WHERE games = 1",
        *(
            f"game SET {change} WHERE game_id = {game_id}"
            for change in (
                *("actions = '0,1,2,3,4'", "outcome = iif(outcome = 'O', 'X', 'O')"),
                *("ended_by = 'resignation'", "learned = '11'", "number = 3"),
            )
            for game_id in (1, 2)  # with learning, and without
        ),
        "game SET explored = replace(explored, '0', '1')",
        "game SET learned = replace(learned, '1', '0')",
        "game SET actions = replace(actions, ',', ', ')",
        "game SET actions = 'x'",
        "game SET outcome = 'draw', ended_by = 'resignation'",
        "change SET after = after + 1",
        "change SET before = before - 0.5",
        "change SET put_back = put_back + 1",
        "change SET ply = ply + 1",
        "change SET learner_id = 2",
        "run SET x_learns = 0 WHERE kind = 'play'",
        "adjustment SET action = 2",
        "adjustment SET position_id = 700",
        "adjustment SET beads_after = beads_after + 1",
        "adjustment SET beads_before = 1",
    ],
)
def test_verify_detects_edits_of_recorded_games(change: str, recorded: tuple[Path, int], tmp_path: Path) -> None:
    path, position = recorded
    with open_database(shutil.copy(path, tmp_path)) as store:
        store.database.execute("PRAGMA foreign_keys = OFF")
        store.database.execute("PRAGMA ignore_check_constraints = ON")
        with store.transaction():
            store.database.execute(f"UPDATE {change}")
        with pytest.raises(menace.MenaceError):
            verify(store)
        for ask in (
            lambda: Session(store, "adam", seed=1),
            lambda: box_history(store, ".........", "adam"),
            lambda: recorded_draws(store, store.learner("adam").learner_id, position),
            lambda: replay_game(store, 1),
            lambda: recorded_games(store),
        ):
            with contextlib.suppress(menace.MenaceError):
                ask()


def test_every_learner_kind_is_covered() -> None:
    assert {PRESETS[name].algorithm for name, _ in SEATS} == set(LEARNERS)
