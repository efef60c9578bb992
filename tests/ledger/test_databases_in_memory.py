"""Tests that databases in memory behave like files and leave no files behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run

import menace
from menace.errors import StoreError
from menace.ledger.store import MEMORY


def learned(db: menace.Database) -> object:
    return db.query("SELECT learner_id, position_id, action, beads, picked FROM matchbox").rows


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_memory_database_learns_as_file_and_leaves_no_files(folder: Path) -> None:
    def taught(path: str) -> menace.Database:
        db = menace.Database(path)
        db.selfplay(games=500, seed=3)
        db["menace-x"].train("random", games=300, seed=4)
        db["menace-x"].copy("twin").rename("brother")
        session = db.play("menace-o", seed=5)
        while session.game.outcome is None:
            session.game.make_person_move(session.game.board.index("."))
            if session.game.outcome is None:
                session.game.make_machine_move()
        session.finish()
        return db

    with taught(MEMORY) as db, taught("file.db") as file:
        assert learned(db) == learned(file)
        assert list(db) == list(file)
        assert db.verify() == file.verify()
        assert db.compare() == file.compare()
        assert repr(db) == repr(file).replace("file.db", MEMORY)
        db["menace-o"].forget()
        db["brother"].delete()
        db.verify()
        db.plot("score", "score.svg", ["menace-x"])
        db.picture("picture.svg")
        db.export("game.csv")
        db.backup("kept.db")
        with menace.Database("kept.db") as kept:
            assert learned(kept) == learned(db)
    assert sorted(file.name for file in folder.iterdir()) == ["file.db", "game", "kept.db", "picture.svg", "score.svg"]
    with pytest.raises(StoreError, match="closed"):
        db.selfplay()


def test_memory_databases_are_independent(folder: Path) -> None:
    (folder / MEMORY).write_text("mine")
    with menace.Database(MEMORY, "hexapawn") as hexapawn, menace.Database(MEMORY) as tictactoe:
        hexapawn.new("HER", "O")
        assert (list(hexapawn), list(tictactoe)) == (["HER"], [])
        assert (len(hexapawn.positions), len(tictactoe.positions)) == (71, 765)
    assert (folder / MEMORY).read_text() == "mine"


def test_commands_refuse_memory_database(run: Run) -> None:
    result = run("selfplay", "--db", MEMORY)
    assert result.code == 2
    assert "a database in memory would be lost when the command ends; name a file" in result.err
