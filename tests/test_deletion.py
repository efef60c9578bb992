"""Deleting learners: they are listed no more, their names are free, and the log still verifies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from commands import Run, ok, refused
from ledger import train
from playing import play_out
from templates import fresh_database

import menace
from menace.analysis.history import recorded_games, replay_game
from menace.analysis.strength import comparison
from menace.cli import cli
from menace.errors import InvalidPlayer, InvalidRun, UnknownLearner, VerificationFailed
from menace.learners.registry import NAME_MOST
from menace.ledger.learners import delete_learner, new_learner
from menace.ledger.log.undo import last_lesson
from menace.ledger.log.verification import verify
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import Training, abandon, copy_learner, order
from menace.ledger.store import Store
from menace.people.session import Session

ABOUT_THE_LOG = {"blocks", "runs", "people", "recounts", "results"}  # which name all who were there


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a database in which adam learned from eva, from a person and at random; twin was copied from him."""
    with fresh_database(tmp_path / "menace.db") as opened:
        new_learner(opened, "adam", "X")
        new_learner(opened, "eva", "O")
        train(opened, "adam", "eva", games=30, seed=1)
        play_out(Session(opened, "adam", seed=1), random.Random(1))
        copy_learner(opened, "adam", "twin")
        train(opened, "twin", "eva", games=10, seed=2)
        yield opened


@pytest.mark.parametrize("gone", [["adam"], ["eva"], ["twin"], ["twin", "adam"], ["adam", "eva", "twin"]])
def test_the_log_is_replayed_as_before(gone: list[str], store: Store) -> None:
    before = verify(store)
    for name in gone:
        delete_learner(store, name)
    assert verify(store) == before
    assert verify(store, since=store.blocks()[-2].block_id).games > 0
    assert store.damage() == []
    for name in {"adam", "eva", "twin"} - set(gone):
        train(store, name, "random", games=5, seed=3)
    verify(store)


def test_what_a_deleted_learner_learned_is_compared_still(store: Store) -> None:
    delete_learner(store, "adam")
    with store.transaction():
        store.database.execute("UPDATE matchbox SET beads = beads + 1 WHERE learner_id = 1 AND position_id = 0")
    with pytest.raises(VerificationFailed, match=r"adam \(deleted 1\)"):
        verify(store)


def test_it_is_nowhere_and_its_name_is_free(store: Store) -> None:
    delete_learner(store, "adam")
    assert [row.name for row in store.learners()] == ["eva", "twin"]
    assert list(comparison(store)) == [("twin", "eva")]
    for named in named_queries():
        columns, rows = store.query(named.sql, 10)
        if named.name not in ABOUT_THE_LOG:
            assert not [cell for row in rows for cell in row if str(cell).startswith("adam")], (named.name, columns)
    assert {row[0] for row in query(store, "results").rows} == {"eva", "twin"}
    assert query(store, "SELECT count(*) FROM boxes WHERE learner LIKE 'adam%'").rows == [(0,)]
    for name in ("adam", "adam (deleted 1)"):
        with pytest.raises(UnknownLearner):
            store.learner(name)
    new = new_learner(store, "adam", "X")
    assert new.games == 0
    assert train(store, "adam", "eva", games=5, seed=3).x_learner_id == new.learner_id
    delete_learner(store, "adam")
    assert [row.name for row in store.learners_ever()][::3] == ["adam (deleted 1)", f"adam (deleted {new.learner_id})"]
    verify(store)


def test_games_and_runs_still_say_who_played(store: Store) -> None:
    delete_learner(store, "adam")
    (row,) = recorded_games(store)
    assert "adam (deleted 1)" in row.players
    assert replay_game(store, row.game_id).changes
    assert "adam (deleted 1)" in {cell for answer in query(store, "runs").rows for cell in answer}
    with pytest.raises(InvalidRun, match="no machine has learned"):
        last_lesson(store)  # adam's game cannot be taken back


def test_a_learner_that_the_log_does_not_name_is_gone_and_its_number_is_not_given_again(store: Store) -> None:
    counts = store.learned_row_counts()
    made = new_learner(store, "nobody yet", "X", "zhang")
    assert delete_learner(store, "nobody yet")
    assert store.learned_row_counts() == counts
    assert made.learner_id not in {row.learner_id for row in store.learners_ever()}
    assert new_learner(store, "another", "X").learner_id > made.learner_id
    verify(store)


def test_an_unfinished_run_is_ended_first(store: Store) -> None:
    run = order(store, Training("twin", "eva", games=50, seed=1))
    for name in ("twin", "eva"):
        with pytest.raises(InvalidRun, match=f"run {run.run_id} of {name} is unfinished; `menace resume {run.run_id}`"):
            delete_learner(store, name)
    abandon(store, run.run_id)
    assert not delete_learner(store, "twin")
    verify(store)


def test_a_long_name_has_room_for_the_mark(store: Store) -> None:
    new_learner(store, "n" * NAME_MOST, "X")
    train(store, "n" * NAME_MOST, "random", games=1, seed=1)
    delete_learner(store, "n" * NAME_MOST)
    name = store.learners_ever()[-1].name
    assert len(name) == NAME_MOST
    with pytest.raises(InvalidPlayer):
        new_learner(store, name, "X")


def test_a_game_against_a_learner_that_is_deleted_meanwhile_teaches_nobody(store: Store) -> None:
    new_learner(store, "new", "X")
    session = Session(store, "new", seed=1)
    delete_learner(store, "new")
    new_learner(store, "other", "X")
    before = Path(store.path).read_bytes()
    with pytest.raises(UnknownLearner, match="deleted meanwhile"):
        play_out(session, random.Random(1))
    assert Path(store.path).read_bytes() == before


def test_the_command_wants_yes_for_one_that_has_learned(trained: Run) -> None:
    ok(trained("new", "eva", "--plays", "O"))
    assert ok(trained("delete", "eva")) == "eva is deleted\n"
    refused(trained("delete", "menace-x"), "menace-x has learned from 500 games, which cannot be recovered; `--yes`")
    assert ok(trained("delete", "menace-x", "--yes")) == "menace-x is deleted; the log keeps its runs and games\n"
    refused(trained("show", ".........", "--learner", "menace-x"), "no machine is called 'menace-x'")
    assert "menace-x" not in ok(trained("learners"))
    assert "menace-x (deleted 1)" in ok(trained("runs"))
    completions = ShellComplete(cli, {}, "menace", "_MENACE_COMPLETE").get_completions(["strength"], "")
    assert [item.value for item in completions] == ["menace-o"]
    ok(trained("verify"))


def test_methods_delete_learners(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db") as db:
        db.selfplay(games=10, seed=1)
        kept = db["menace-x"]
        db["menace-x"].delete()
        db["menace-o"].delete()
        assert list(db) == []
        with pytest.raises(UnknownLearner, match="deleted meanwhile"):
            kept.games  # noqa: B018
