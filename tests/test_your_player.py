"""A Python function as a player: from the command line, in files by its table, and where it errs."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from commands import Run, ok, refused
from ledger import learned, resume, train
from templates import fresh_database

from menace.arena.play_loop import play_games
from menace.errors import InvalidPlayer, StoreError, VerificationFailed
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.learners import tabulated_policies
from menace.learners.machine import Machine
from menace.learners.player import policy_of
from menace.learners.policy import Policy
from menace.learners.tabulated_policies import tabulate
from menace.ledger.database_file import open_database
from menace.ledger.runs import Training, order
from menace.ledger.store import Store
from menace.ledger.training import Trainer, carry_out
from menace.ledger.verification import verify

LAST = """
def last(board, moves):
    return moves[-1]

def either(board):
    free = [str(cell) for cell, piece in enumerate(board) if piece == "."]
    return {free[0]: 1, free[-1]: 3}
"""
FAULTS = {
    "fails": ("return 1 / 0", "fails in line 2, fails: ZeroDivisionError: division by zero", "at board X........"),
    "leaves": ("raise SystemExit('so\\nlong')", "fails in line 2, leaves: SystemExit: so long", "at board X........"),
    "nothing": ("return None", "nothing returned None at board X........; return one of 1, 2, 3,"),
    "taken": ("return 0", "taken returned 0 at board X........; return one of 1, 2, 3,"),
    "listed": ("return ['4']", "listed returned ['4'] at board X........"),
    "words": ("return {'4': 'often'}", "words returned {'4': 'often'} at board X........"),
    "negative": ("return {'4': -1, '1': 2}", "negative returned {'4': -1, '1': 2} at board X........"),
    "never": ("return {board.index('.'): 0}", "board X........ has no move with a weight above 0"),
}


@pytest.fixture
def last(tmp_path: Path) -> Path:
    """Return a file with players, in the folder where commands run."""
    file = tmp_path / "my_player.py"
    file.write_text(LAST, encoding="utf-8")
    return file


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with fresh_database(tmp_path / "menace.db") as store:
        yield store


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget every table, as in another process."""
    monkeypatch.setattr(tabulated_policies, "_tables", {})


def last_move(board: str, moves: list[str]) -> str:
    return moves[-1]


def table_of(path: Path) -> list[tuple[str, str, str, bytes]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM policy").fetchall()


# In runs.


def test_a_run_against_a_function_is_kept_and_replayed_without_it(
    run: Run, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(run("train", "menace-x", "--against", "./my_player.py:last", "--games", "300", "--seed", "1"))
    ((name, plays, digest, weights),) = table_of(tmp_path / "menace.db")
    assert (name, plays) == (f"last@{digest[:12]}", "O")
    assert digest == hashlib.sha256(b"tictactoe 3x3x3 full O\n" + weights).hexdigest()
    last.unlink()
    monkeypatch.setattr(tabulated_policies, "_tables", {})
    with open_database(tmp_path / "menace.db") as store:
        assert verify(store).games == 300
        assert store.runs()[0].o_player == name
    machine = Machine("menace", "X")
    play_games(machine, last_move, 300, seed=1)
    assert name in ok(run("runs"))
    with open_database(tmp_path / "menace.db") as store:
        kept = store.learned_rows("matchbox", 1)
    assert [row[2] for row in kept] == machine.learned.amount[machine.learned.kept].tolist()


def test_it_plays_by_the_name_of_its_table_from_then_on(
    run: Run, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: "quit")
    ok(run("train", "menace-x", "--against", "./my_player.py:last", "--games", "30", "--seed", "1"))
    first = ok(run("evaluate", "menace-x", "./my_player.py:last", "--fractions"))
    last.unlink()
    ((name, *_),) = table_of(tmp_path / "menace.db")
    assert ok(run("evaluate", "menace-x", name, "--fractions")) == first
    ok(run("train", "menace-x", "--against", f"random:10,{name}:10,perfect", "--games", "30", "--seed", "2"))
    ok(run("train", "menace-x", "--against", name, "--games", "30", "--seed", "3"))
    assert len(table_of(tmp_path / "menace.db")) == 1
    ok(run("verify"))
    assert f"{name} plays O, and never learns; you play X" in ok(run("play", name))


def test_another_process_goes_on_with_an_interrupted_run(
    last: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ordered() -> Training:
        name = tabulate(Policy.from_function(last_move, "O")).name
        return Training("menace-x", name, games=200, seed=5)

    whole = tmp_path / "whole.db"
    shutil.copy(store.path, whole)
    unfinished = Trainer(store)
    unfinished.play_blocks(order(store, ordered()), most=3)
    monkeypatch.setattr(tabulated_policies, "_tables", {})
    with open_database(store.path) as later:
        resume(later)
        verify(later)
        interrupted = learned(later)
    with open_database(whole) as other:
        carry_out(other, order(other, ordered()))
        assert learned(other)["boxes"] == interrupted["boxes"]


# Errors.


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_with_a_function_is_said_in_a_line(trained: Run, tmp_path: Path, name: str) -> None:
    code, *parts = FAULTS[name]
    (tmp_path / "my_player.py").write_text(f"def {name}(board):\n    {code}\n", encoding="utf-8")
    before = (tmp_path / "menace.db").read_bytes()
    reference = f"./my_player.py:{name}"
    commands = ("train", "menace-x", "--against", reference), ("evaluate", "menace-x", reference), ("play", reference)
    for command in (*commands, ("strength", reference, "--plays", "O")):
        refused(trained(*command, *(["--as", "X"] if command[0] == "play" else [])), *parts)
    assert (tmp_path / "menace.db").read_bytes() == before


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("./no.py:last", ("no.py cannot be read", "name a file and its function, as in ./my_player.py:novice")),
        ("./my_player.py:first", ("my_player.py has no function first; it has last, either",)),
        ("./my_player.py", ("does not name a function in a file; write both, as in ./my_player.py:novice",)),
        ("last@0123456789ab", ("no function is kept here as 'last@0123456789ab'",)),
    ],
)
def test_what_names_no_function_is_refused(trained: Run, last: Path, reference: str, parts: tuple[str, ...]) -> None:
    refused(trained("train", "menace-x", "--against", reference), *parts)
    refused(trained("evaluate", "menace-x", reference), *parts)


def test_nothing_is_made_for_a_function_that_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my_player.py").write_text("def fails(board):\n    return board[9]\n", encoding="utf-8")
    refused(run("train", "menace-x", "--against", "./my_player.py:fails"), "IndexError")
    refused(run("play", "./my_player.py:fails"), "IndexError")
    assert not (tmp_path / "menace.db").exists()


def test_a_table_is_for_its_side_and_game_alone(store: Store) -> None:
    name = tabulate(Policy.from_function(last_move, "O")).name
    assert policy_of(name, "O").name == name
    with pytest.raises(InvalidPlayer, match=f"{name} plays O only, not X"):
        policy_of(name, "X")
    with pytest.raises(InvalidPlayer, match=f"{name} plays O only, not X"):
        train(store, "menace-o", name, games=1)
    with pytest.raises(InvalidPlayer, match=f"{name} plays O only, not X"):
        train(store, "menace-o", f"random:10,{name}", games=1)
    assert store.policies() == []
    plain = enumerate_positions(get_game("tictactoe"), "none")
    with pytest.raises(InvalidPlayer, match="is for tictactoe 3x3x3 full, not tictactoe 3x3x3 none"):
        policy_of(name, "O", plain)


# What a file may say.

WRONG = {
    "another table": "UPDATE policy SET weights = zeroblob(length(weights))",
    "a table too short": "UPDATE policy SET weights = x'01000000'",
    "another side": "UPDATE policy SET plays = 'X'",
    "another hash": "UPDATE policy SET hash = replace(hash, substr(hash, 20, 1), 'g')",
    "another name": "UPDATE policy SET name = 'first' || substr(name, 5)",
    "no table": "DELETE FROM policy",
    "a run of the other side": "UPDATE run SET x_player = o_player, x_learner_id = NULL, x_learns = 0",
}


@pytest.mark.parametrize("sql", WRONG.values(), ids=WRONG)
@pytest.mark.usefixtures("elsewhere")
def test_a_file_whose_table_was_changed_is_damaged(store: Store, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    train(store, "menace-x", tabulate(Policy.from_function(last_move, "O")).name, games=20, seed=1)
    store.close()
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(sql)
        connection.commit()
    monkeypatch.setattr(tabulated_policies, "_tables", {})
    with pytest.raises((StoreError, VerificationFailed)), open_database(store.path) as changed:
        verify(changed)


def test_a_table_that_is_written_is_the_table_that_is_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def either(board: str) -> dict[str, float]:
        free = [str(cell) for cell, piece in enumerate(board) if piece == "."]
        return {free[0]: 0.1, free[-1]: 0.7} if len(free) > 1 else {free[0]: 1}

    table = tabulate(Policy.from_function(either, "O"))
    train(store, "menace-x", table.name, games=20, seed=1)
    monkeypatch.setattr(tabulated_policies, "_tables", {})
    with open_database(store.path) as other:
        verify(other)
        again = tabulated_policies.tabulated(table.name)
    assert (again.weights == table.weights).all()
    assert (again.plays, again.hash, again.game) == (Side.O, table.hash, table.game)
    assert again is not table
    exact = Policy.from_function(either, "O")
    assert abs(policy_of(table.name, "O", tictactoe()).probability - exact.probability).max() < 1e-8
