"""Tests that games against people can be undone, that learners can be deleted, and that the log contains both."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from commands import Run, ok, refused
from database_templates import fresh_database, trained_bytes
from kernel_games import COVERING_PRESETS, TICTACTOE_PRESETS
from playing import play_out
from runs import boxes_of, reached_state, train

import menace
from menace.analysis.history import box_history, recorded_draws, recorded_games, replay_game
from menace.analysis.learning_curves import outcome_steps, strengths_of
from menace.analysis.matchups import comparison
from menace.analysis.position import show
from menace.analysis.replayed_learners import openings_of, trace_learners
from menace.cli import cli
from menace.errors import InvalidPlayer, InvalidRun, MenaceError, StoreError, UnknownLearner, VerificationFailed
from menace.learners.registry import MAX_NAME_LENGTH
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import delete_learner, new_learner
from menace.ledger.log import blocks
from menace.ledger.log.blocks import list_lessons, read_log
from menace.ledger.log.replay import forget, last_lesson
from menace.ledger.log.verification import verify
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import Training, abandon, copy_learner, order
from menace.ledger.store import BlockRow, Store
from menace.people.physical import CountDifference, record_count
from menace.people.session import Session

pytestmark = pytest.mark.slow

LEARNS_FROM_X = [name for name in COVERING_PRESETS if "X" in TICTACTOE_PRESETS[name].plays]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a database with trained learners menace-x and menace-o."""
    (tmp_path / "menace.db").write_bytes(trained_bytes(100))
    with open_database(tmp_path / "menace.db") as opened:
        yield opened


def play(store: Store, name: str = "menace-x", seed: int = 1) -> int:
    return play_out(Session(store, name, seed=seed), random.Random(seed)).game_id


def count(store: Store, beads: int, name: str = "menace-x") -> None:
    first = boxes_of(store, name)[0]
    record_count(store, name, [CountDifference(first, first.moves[0].action, first.moves[0].beads, beads)])


def state(store: Store) -> dict[str, object]:
    """Return the state of all learners."""
    contents = reached_state(store)
    return {key: contents[key] for key in ("learners", "states", "boxes")}


def take_back(store: Store, name: str | None = None) -> int:
    return forget(store, last_lesson(store, name))


def test_lesson_entries_use_boards_of_game(store: Store) -> None:
    games = []
    for seed in range(4):
        game_id = play(store, "menace-o", seed)
        boards = [ply.board for ply in replay_game(store, game_id).plies]
        shown = [(board, actions) for board, actions, _, _ in last_lesson(store, "menace-o").entries]
        assert {board for board, _ in shown} <= {*boards}
        drawn = {ply.board: ply.action for ply in replay_game(store, game_id).plies}
        assert all(drawn[board] in actions for board, actions in shown)
        games += boards
    assert any(board != show(store, board).canonical for board in games)  # otherwise, the test would not check anything


@pytest.mark.parametrize("preset", LEARNS_FROM_X)
def test_undo_restores_every_learner(preset: str, tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        new_learner(store, "pupil", "X", preset, seed=9 if preset == "zhang-random" else None)
        train(store, "pupil", "random", games=5, seed=1)
        before = [state(store)]
        for seed in range(3):
            play(store, "pupil", seed)
            before.append(state(store))
        for expected in before[-2::-1]:
            take_back(store, "pupil")
            assert state(store) == expected
        train(store, "pupil", "random", games=5, seed=2)
        assert verify(store).games == 13


def test_undo_works_in_reverse_order(store: Store) -> None:
    states = [state(store)]
    for teach in (lambda: play(store), lambda: count(store, 500), lambda: play(store, seed=2)):
        teach()
        states.append(state(store))
    for expected, what in zip(states[-2::-1], ["game 2", "beads counted again", "game 1"], strict=True):
        assert what in last_lesson(store).what
        take_back(store)
        assert state(store) == expected
    assert [row[-2] for row in query(store, "recounts").rows] == [1]
    with pytest.raises(InvalidRun, match=r"no machine has learned from .* that was not already undone"):
        last_lesson(store)
    play(store, seed=3)
    verify(store)
    verify(store, since=store.blocks()[-2].block_id)


def test_undo_without_name_selects_last_taught_learner(store: Store) -> None:
    play(store, "menace-x")
    play(store, "menace-o")
    assert last_lesson(store).learner.name == "menace-o"
    assert last_lesson(store, "menace-x").what == "game 1, with a person"


def test_only_last_lesson_can_be_undone(store: Store) -> None:
    for name in (None, "menace-x"):
        with pytest.raises(InvalidRun, match=r"not learned from a game with a person|no machine has learned"):
            last_lesson(store, name)
    play_out(Session(store, "menace-x", seed=1, learns=False), random.Random(1))
    with pytest.raises(InvalidRun, match="nothing to undo"):
        last_lesson(store, "menace-x")
    play(store)
    train(store, "menace-x", "random", games=3, seed=1)
    with pytest.raises(InvalidRun, match=r"has learned since game 2, with a person \(run \d+: train, game 3\)"):
        last_lesson(store, "menace-x")
    with pytest.raises(menace.MenaceError, match="no machine is called 'nobody'"):
        last_lesson(store, "nobody")


def test_last_lessons_match_all_lessons_before_a_block(store: Store) -> None:
    for number in range(12):
        name = ("menace-x", "menace-o", "twin")[number % 3]
        if number == 2:
            copy_learner(store, "menace-x", "twin")
        play(store, name, seed=number)
        if number % 4:
            play(store, name, seed=100 + number)
            take_back(store, name)
        if number % 5 == 1:
            count(store, 3 + number)
            take_back(store, "menace-x")
        take_back(store, name)
        if number % 2:
            train(store, name, games=10, against="random", seed=number)
            play(store, name, seed=200 + number)
    log = read_log(store)
    undone = 0
    for block in log.blocks:
        earlier = replace(log, blocks=[past for past in log.blocks if past.block_id < block.block_id])
        if block.kind == "forget":
            undone += 1
            (learner_id,) = log.runs[block.run_id].taught
            last = list_lessons(earlier, learner_id)[-1]
            assert log.last_lessons[block.block_id, learner_id] == last
            assert last.block_id == log.runs[block.run_id].options.takes_back
    assert undone == len(log.last_lessons) > 20


def test_stale_lesson_is_refused(store: Store) -> None:
    play(store)
    lesson = last_lesson(store)
    take_back(store)
    before = Path(store.path).read_bytes()
    with pytest.raises(InvalidRun, match="has changed since then, so nothing was undone"):
        forget(store, lesson)
    assert Path(store.path).read_bytes() == before
    play(store)
    lesson = last_lesson(store)
    play(store, seed=2)
    with pytest.raises(InvalidRun, match="has changed since then, so nothing was undone"):
        forget(store, lesson)


EDITED = {
    "menace-x": (
        "matchbox SET beads = beads + 1 WHERE learner_id = 1 AND position_id = 0 AND action = 0",
        "matchbox SET picked = picked + 1 WHERE learner_id = 1 AND position_id = 0 AND action = 0",
        "learner SET games = games + 1 WHERE learner_id = 1",
    ),
    "td-x": (
        "state_value SET value = value + 0.125 WHERE position_id = 1",
        "state_value SET updates = updates + 1 WHERE position_id = 1",
        "learner SET epsilon = epsilon / 2 WHERE epsilon > 0",
    ),
}


@pytest.mark.parametrize(("name", "edit"), [(name, edit) for name, edits in EDITED.items() for edit in edits])
def test_undo_refuses_edited_learner(store: Store, name: str, edit: str) -> None:
    """The check compares amounts, counts, numbers of games and all other state."""
    if name == "td-x":
        new_learner(store, name, "X", "value-function")
    play(store, name)
    lesson = last_lesson(store, name)
    with store.transaction():
        assert store.database.execute(f"UPDATE {edit}").rowcount == 1
    edited = state(store)
    with pytest.raises(StoreError, match="differs from its state"):
        last_lesson(store, name)
    with pytest.raises(InvalidRun, match="has changed since then, so nothing was undone"):
        forget(store, lesson)
    assert state(store) == edited


def test_undo_restores_bead_counts(store: Store, tmp_path: Path) -> None:
    play(store)
    with store.copied() as copy:
        copy.backup(tmp_path / "never.db")
    play(store, seed=2)
    take_back(store)
    with open_database(tmp_path / "never.db") as never:
        assert state(store) == state(never)
        for row in (*store.learners(), *never.learners()):
            assert sum(picked for *_, picked in store.learned_rows("matchbox", row.learner_id)) > row.games > 100 - 1
        train(store, "menace-x", "random", games=20, seed=3)
        train(never, "menace-x", "random", games=20, seed=3)
        assert state(store) == state(never)


def test_copy_keeps_lessons_undone_in_original(store: Store) -> None:
    play(store)
    copy_learner(store, "menace-x", "twin")
    taught = store.learned_rows("matchbox", store.learner("twin").learner_id)
    with pytest.raises(InvalidRun, match="twin has not learned from a game"):
        last_lesson(store, "twin")
    take_back(store, "menace-x")
    assert store.learned_rows("matchbox", store.learner("twin").learner_id) == taught
    assert [len(recorded_draws(store, store.learner(name).learner_id, 0)) for name in ("menace-x", "twin")] == [0, 1]
    verify(store)


def test_listings_mark_undone_games(store: Store) -> None:
    game_id = play(store)
    assert [row.taken_back for row in recorded_games(store)] == [False]
    take_back(store)
    play(store, seed=2)
    assert [row.taken_back for row in recorded_games(store)] == [True, False]
    assert replay_game(store, game_id).taken_back
    whats = [moment.what for moment in box_history(store, ".........", "menace-x")]
    last_run = store.runs()[-2].run_id
    assert whats[-3:] == [
        "game 1, with a person, undone later",
        f"run {last_run}: took back game 1, with a person",
        "game 2, with a person",
    ]


@pytest.mark.parametrize(
    "change",
    [
        "run SET options = '{}' WHERE kind = 'forget'",
        "run SET options = '{\"takes_back\": \"x\"}' WHERE kind = 'forget'",
        "run SET options = '{\"takes_back\": 2}' WHERE kind = 'forget'",
        "run SET options = '{\"takes_back\": 99}' WHERE kind = 'forget'",
        "run SET kind = 'recount' WHERE kind = 'forget'",
        "run SET x_learns = 0 WHERE kind = 'forget'",
        "run SET o_learner_id = 2, o_learns = 1 WHERE kind = 'forget'",
        "block SET kind = 'recount' WHERE kind = 'forget'",
        "block SET numbers = 1 WHERE kind = 'forget'",
        "evaluation SET learner_games = learner_games + 1 WHERE block_id = (SELECT max(block_id) FROM block)",
        "learner SET games = games + 1 WHERE learner_id = 1",
        "change SET after = after + 1",
    ],
)
def test_verify_detects_edits_of_undone_lesson(change: str, store: Store) -> None:
    game_id = play(store)
    take_back(store)
    verify(store)
    store.database.execute("PRAGMA foreign_keys = OFF")
    with store.transaction():
        store.database.execute(f"UPDATE {change}")
    with pytest.raises(VerificationFailed):
        verify(store)
    for ask in (lambda: last_lesson(store), lambda: replay_game(store, game_id), lambda: recorded_games(store)):
        try:
            ask()
        except MenaceError:
            continue


def test_verify_detects_undone_training(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_people(block: BlockRow) -> blocks.BlockType:
        return replace(blocks.BLOCK_TYPES[block.kind], by_people=True)

    with monkeypatch.context() as patch:
        patch.setattr(blocks, "block_type", by_people)
        take_back(store, "menace-x")
    with pytest.raises(VerificationFailed, match="but a block can be undone only if a person played it"):
        verify(store)


def test_undone_game_is_excluded_everywhere(store: Store) -> None:
    """Plots, curves and queries show no trace of the undone game, except for blocks and times."""

    def all_answers() -> list[object]:
        db = menace.Database(store.path)
        answers = [
            query(store, "results").rows,
            query(store, "people").rows,
            query(store, "SELECT learner, games, policy, opponent, win, draw FROM learning_curve").rows,
        ]
        answers_now: list[object] = [{*rows} for rows in answers]
        answers_now += [db["menace-x"].curve(kind).rows() for kind in ("behaviour", "greedy")]
        traces = [trace_learners(store, ["menace-x"], what)[0] for what in ("score", "first-box")]
        answers_now += [(trace.games, trace.values) for trace in traces]
        answers_now += [outcome_steps(store, ["menace-x"]), openings_of(store, ["menace-x"])]
        answers_now += [[curve.points for curve in strengths_of(store, ["menace-x"], "greedy")]]
        db.close()
        return answers_now

    play(store)
    before = all_answers()
    play(store, seed=2)
    assert all(answer != answer_before for answer, answer_before in zip(all_answers(), before, strict=True))
    take_back(store, "menace-x")
    assert all_answers() == before


def test_forget_command_shows_changes_and_asks(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    db = menace.Database("menace.db")
    play(db.store)
    games = db["menace-x"].games
    monkeypatch.setattr("builtins.input", lambda _question: "n")
    out = ok(trained("forget"))
    assert out.startswith("menace-x learned last from game 1, with a person, 20")
    assert f"games: {games} now, {games - 1} after the undo" in out
    assert out.endswith("nothing was undone\n")
    assert db["menace-x"].games == games
    assert "undone; the log records this as block " in ok(trained("forget", "menace-x", "--yes"))
    assert db["menace-x"].games == games - 1
    assert "taken back" in ok(trained("games"))
    assert [game["taken_back"] for game in json.loads(ok(trained("games", "--json")))] == [1]
    assert "learned from it, but this was undone later:" in ok(trained("replay", "1"))
    refused(trained("forget", "menace-x", "--yes"), "there is nothing to undo")
    play(db.store)
    assert db["menace-x"].forget() == db.store.blocks()[-1].block_id


ABOUT_THE_LOG = {"blocks", "runs", "people", "recounts", "results"}  # these queries also name deleted learners


@pytest.fixture
def three_learners(tmp_path: Path) -> Iterator[Store]:
    """Return a database with adam, who learned from eva, a person and random play, and twin, a copy of adam."""
    with fresh_database(tmp_path / "menace.db") as opened:
        new_learner(opened, "adam", "X")
        new_learner(opened, "eva", "O")
        train(opened, "adam", "eva", games=30, seed=1)
        play_out(Session(opened, "adam", seed=1), random.Random(1))
        copy_learner(opened, "adam", "twin")
        train(opened, "twin", "eva", games=10, seed=2)
        yield opened


@pytest.mark.parametrize("gone", [["adam"], ["eva"], ["twin"], ["twin", "adam"], ["adam", "eva", "twin"]])
def test_log_with_deleted_learner_is_replayed(gone: list[str], three_learners: Store) -> None:
    before = verify(three_learners)
    for name in gone:
        delete_learner(three_learners, name)
    assert verify(three_learners) == before
    assert verify(three_learners, since=three_learners.blocks()[-2].block_id).games > 0
    assert three_learners.damage() == []
    for name in {"adam", "eva", "twin"} - set(gone):
        train(three_learners, name, "random", games=5, seed=3)
    verify(three_learners)


def test_verify_checks_deleted_learners(three_learners: Store) -> None:
    delete_learner(three_learners, "adam")
    with three_learners.transaction():
        three_learners.database.execute(
            "UPDATE matchbox SET beads = beads + 1 WHERE learner_id = 1 AND position_id = 0"
        )
    with pytest.raises(VerificationFailed, match=r"adam \(deleted 1\)"):
        verify(three_learners)


def test_deleted_learner_is_hidden_and_name_is_free(three_learners: Store) -> None:
    delete_learner(three_learners, "adam")
    assert [row.name for row in three_learners.learners()] == ["eva", "twin"]
    assert list(comparison(three_learners)) == [("twin", "eva")]
    for named in named_queries():
        columns, rows = three_learners.query(named.sql, 10)
        if named.name not in ABOUT_THE_LOG:
            assert not [cell for row in rows for cell in row if str(cell).startswith("adam")], (named.name, columns)
    assert {row[0] for row in query(three_learners, "results").rows} == {"eva", "twin"}
    assert query(three_learners, "SELECT count(*) FROM boxes WHERE learner LIKE 'adam%'").rows == [(0,)]
    for name in ("adam", "adam (deleted 1)"):
        with pytest.raises(UnknownLearner):
            three_learners.learner(name)
    new = new_learner(three_learners, "adam", "X")
    assert new.games == 0
    assert train(three_learners, "adam", "eva", games=5, seed=3).x_learner_id == new.learner_id
    delete_learner(three_learners, "adam")
    assert [row.name for row in three_learners.learners_and_deleted()][::3] == [
        "adam (deleted 1)",
        f"adam (deleted {new.learner_id})",
    ]
    verify(three_learners)


def test_games_and_runs_still_name_deleted_players(three_learners: Store) -> None:
    delete_learner(three_learners, "adam")
    (row,) = recorded_games(three_learners)
    assert "adam (deleted 1)" in row.players
    assert replay_game(three_learners, row.game_id).changes
    assert "adam (deleted 1)" in {cell for answer in query(three_learners, "runs").rows for cell in answer}
    with pytest.raises(InvalidRun, match="no machine has learned"):
        last_lesson(three_learners)  # adam's game cannot be undone


def test_unlogged_learner_is_removed_and_id_not_reused(three_learners: Store) -> None:
    counts = three_learners.learned_row_counts()
    made = new_learner(three_learners, "nobody yet", "X", "zhang")
    assert delete_learner(three_learners, "nobody yet")
    assert three_learners.learned_row_counts() == counts
    assert made.learner_id not in {row.learner_id for row in three_learners.learners_and_deleted()}
    assert new_learner(three_learners, "another", "X").learner_id > made.learner_id
    verify(three_learners)


def test_delete_requires_finished_runs(three_learners: Store) -> None:
    run = order(three_learners, Training("twin", "eva", games=50, seed=1))
    for name in ("twin", "eva"):
        with pytest.raises(InvalidRun, match=f"run {run.run_id} of {name} is unfinished; `menace resume {run.run_id}`"):
            delete_learner(three_learners, name)
    abandon(three_learners, run.run_id)
    assert not delete_learner(three_learners, "twin")
    verify(three_learners)


def test_long_name_of_deleted_learner_fits(three_learners: Store) -> None:
    new_learner(three_learners, "n" * MAX_NAME_LENGTH, "X")
    train(three_learners, "n" * MAX_NAME_LENGTH, "random", games=1, seed=1)
    delete_learner(three_learners, "n" * MAX_NAME_LENGTH)
    name = three_learners.learners_and_deleted()[-1].name
    assert len(name) == MAX_NAME_LENGTH
    with pytest.raises(InvalidPlayer):
        new_learner(three_learners, name, "X")


def test_game_against_deleted_learner_teaches_nobody(three_learners: Store) -> None:
    new_learner(three_learners, "new", "X")
    session = Session(three_learners, "new", seed=1)
    delete_learner(three_learners, "new")
    new_learner(three_learners, "other", "X")
    before = Path(three_learners.path).read_bytes()
    with pytest.raises(UnknownLearner, match="has been deleted"):
        play_out(session, random.Random(1))
    assert Path(three_learners.path).read_bytes() == before


def test_delete_command_requires_yes_for_trained_learner(trained: Run) -> None:
    ok(trained("new", "eva", "--plays", "O"))
    assert ok(trained("delete", "eva")) == "eva was deleted\n"
    refused(trained("delete", "menace-x"), "menace-x has learned from 500 games, which cannot be recovered; `--yes`")
    assert ok(trained("delete", "menace-x", "--yes")) == "menace-x was deleted; the log keeps its runs and games\n"
    refused(trained("show", ".........", "--learner", "menace-x"), "no machine is called 'menace-x'")
    assert "menace-x" not in ok(trained("learners"))
    assert "menace-x (deleted 1)" in ok(trained("runs"))
    completions = ShellComplete(cli, {}, "menace", "_MENACE_COMPLETE").get_completions(["strength"], "")
    assert [item.value for item in completions] == ["menace-o"]
    ok(trained("verify"))


def test_python_api_deletes_learners(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db") as db:
        db.selfplay(games=10, seed=1)
        kept = db["menace-x"]
        db["menace-x"].delete()
        db["menace-o"].delete()
        assert list(db) == []
        with pytest.raises(UnknownLearner, match="has been deleted"):
            kept.games  # noqa: B018
