"""Tests of Python functions as players: on the command line, as stored tables, and in lists of mistakes."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from commands import Run, ok, refused
from playing import play_out
from runs import reached_state, resume, train

from menace.analysis.grades import mistakes, strength
from menace.arena.exact_strength import game_value, reach
from menace.arena.play import play_games
from menace.errors import InvalidPlayer, MenaceError, StoreError, VerificationFailed
from menace.explorer.pages import machines as what_if
from menace.explorer.pages.machines import machine_report
from menace.explorer.pages.play import player_dict
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.learners.machine import Machine
from menace.learners.opponents import functions
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.opponents.functions import tabulate
from menace.learners.player_to_policy import policy_of
from menace.learners.policy import Policy
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order
from menace.ledger.store import Store
from menace.ledger.training import Trainer, carry_out
from menace.notebook.database_api import Database
from menace.people.session import Session

PLAYER_FILE = """
import sys

sys.path = sys.path[1:]  # without the folder of this file

def last(board, moves):
    return moves.pop()

def either(board):
    free = [str(cell) for cell, piece in enumerate(board) if piece == "."]
    return {free[0]: 1, free[-1]: 3}
"""
FAULTS = {
    "fails": ("return 1 / 0", "fails in line 2, fails: ZeroDivisionError: division by zero", "on board X........"),
    "leaves": ("raise SystemExit('so\\nlong')", "fails in line 2, leaves: SystemExit: so long", "on board X........"),
    "cancels": ("raise GeneratorExit", "fails in line 2, cancels: GeneratorExit", "on board X........"),
    "nothing": ("return None", "nothing returned None on board X........; return one of 1, 2, 3,"),
    "taken": ("return 0", "taken returned 0 on board X........; return one of 1, 2, 3,"),
    "listed": ("return ['4']", "listed returned ['4'] on board X........"),
    "words": ("return {'4': 'often'}", "words returned {'4': 'often'} on board X........"),
    "negative": ("return {'4': -1, '1': 2}", "negative returned {'4': -1, '1': 2} on board X........"),
    "never": ("return {board.index('.'): 0}", "board X........ has no move with a positive weight"),
}


@pytest.fixture
def last(tmp_path: Path) -> Path:
    """Write a file with players to the folder in which commands run, and return the path of the file."""
    file = tmp_path / "my_player.py"
    file.write_text(PLAYER_FILE, encoding="utf-8")
    return file


@pytest.fixture
def without_cached_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the cached tables to simulate a different process."""
    monkeypatch.setattr(functions, "_tables", {})


def last_move(board: str, moves: list[str]) -> str:
    return moves[-1]


def table_of(path: Path) -> list[tuple[str, str, str, bytes]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM policy").fetchall()


def test_run_against_function_is_replayed_without_its_file(
    run: Run, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(run("train", "menace-x", "--against", "./my_player.py:last", "--games", "300", "--seed", "1"))
    ((name, plays, digest, weights),) = table_of(tmp_path / "menace.db")
    assert (name, plays) == (f"last@{digest[:12]}", "O")
    assert digest == hashlib.sha256(b"tictactoe 3x3x3 full O\n" + weights).hexdigest()
    last.unlink()
    monkeypatch.setattr(functions, "_tables", {})
    with open_database(tmp_path / "menace.db") as store:
        assert verify(store).games == 300
        assert store.runs()[0].o_player == name
    machine = Machine("menace", "X")
    play_games(machine, last_move, 300, seed=1)
    assert name in ok(run("runs"))
    with open_database(tmp_path / "menace.db") as store:
        kept = store.learned_rows("matchbox", 1)
    assert [row[2] for row in kept] == machine.learned.amount[machine.learned.kept].tolist()


def test_stored_function_plays_under_name_of_its_table(
    run: Run, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: "quit")
    ok(run("train", "menace-x", "--against", "./my_player.py:last", "--games", "30", "--seed", "1"))
    ((name, *_),) = table_of(tmp_path / "menace.db")
    curriculum = "random:10,{}:10,perfect"
    ok(run("train", "menace-x", "--against", curriculum.format("./my_player.py:last"), "--games", "30", "--seed", "2"))
    assert curriculum.format(name) in ok(run("runs"))
    first = ok(run("evaluate", "menace-x", name, "--fractions"))
    last.unlink()
    assert ok(run("evaluate", "menace-x", "last", "--fractions")) == first  # there is only one table with this name
    ok(run("train", "menace-x", "--against", curriculum.format(name), "--games", "30", "--seed", "2"))
    ok(run("train", "menace-x", "--against", name, "--games", "30", "--seed", "3"))
    assert len(table_of(tmp_path / "menace.db")) == 1
    ok(run("verify"))
    assert f"{name} plays O and never learns; you play X" in ok(run("play", name))


def test_other_process_resumes_run_against_function(
    last: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ordered() -> Training:
        name = tabulate(Policy.from_function(last_move, "O")).name
        return Training("menace-x", name, games=200, seed=5)

    whole = tmp_path / "whole.db"
    shutil.copy(store.path, whole)
    unfinished = Trainer(store)
    unfinished.play_blocks(order(store, ordered()), most=3)
    monkeypatch.setattr(functions, "_tables", {})
    with open_database(store.path) as later:
        resume(later)
        verify(later)
        interrupted = reached_state(later)
    with open_database(whole) as other:
        carry_out(other, order(other, ordered()))
        assert reached_state(other)["boxes"] == interrupted["boxes"]


@pytest.mark.parametrize("name", FAULTS)
def test_invalid_function_is_refused_in_one_line(trained: Run, tmp_path: Path, name: str) -> None:
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
        ("./no.py:last", ("no.py cannot be read", "specify a file and a function, as in ./my_player.py:novice")),
        ("./my_player.py:first", ("my_player.py does not define the function first; it defines last, either",)),
        ("./my_player.py", ("does not name a file and a function; give both, as in ./my_player.py:novice",)),
        ("last@0123456789ab", ("no stored function is called 'last@0123456789ab'",)),
    ],
)
def test_invalid_reference_to_function_is_refused(
    trained: Run, last: Path, reference: str, parts: tuple[str, ...]
) -> None:
    refused(trained("train", "menace-x", "--against", reference), *parts)
    refused(trained("evaluate", "menace-x", reference), *parts)


def test_machine_can_have_name_of_file(trained: Run) -> None:
    ok(trained("new", "adam.py", "--plays", "O"))
    ok(trained("train", "menace-x", "--against", "adam.py", "--games", "10"))
    assert "adam.py plays O" in ok(trained("strength", "adam.py"))
    ok(trained("mistakes", "adam.py", "--plays", "O", "--most", "1"))


def test_failing_function_creates_no_database(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my_player.py").write_text("def fails(board):\n    return board[9]\n", encoding="utf-8")
    refused(run("train", "menace-x", "--against", "./my_player.py:fails"), "IndexError")
    refused(run("play", "./my_player.py:fails"), "IndexError")
    assert not (tmp_path / "menace.db").exists()


def test_table_is_refused_for_other_side_or_game(store: Store) -> None:
    name = tabulate(Policy.from_function(last_move, "O")).name
    assert policy_of(name, "O").name == name
    with pytest.raises(InvalidPlayer, match=f"{name} plays only O, not X"):
        policy_of(name, "X")
    with pytest.raises(InvalidPlayer, match=f"{name} plays only O, not X"):
        train(store, "menace-o", name, games=1)
    with pytest.raises(InvalidPlayer, match=f"{name} plays only O, not X"):
        train(store, "menace-o", f"random:10,{name}", games=1)
    assert store.policies() == []
    plain = enumerate_positions(get_game("tictactoe"), "none")
    with pytest.raises(InvalidPlayer, match="is for tictactoe 3x3x3 full, not tictactoe 3x3x3 none"):
        policy_of(name, "O", plain)


DAMAGES = {
    "another table": "UPDATE policy SET weights = zeroblob(length(weights))",
    "one weight": "UPDATE policy SET weights = heavier(weights)",
    "a table too short": "UPDATE policy SET weights = x'01000000'",
    "another side": "UPDATE policy SET plays = 'X'",
    "another hash": "UPDATE policy SET hash = replace(hash, substr(hash, 20, 1), 'g')",
    "another name": "UPDATE policy SET name = 'first' || substr(name, 5)",
    "no table": "DELETE FROM policy",
    "a run of the other side": "UPDATE run SET x_player = o_player, x_learner_id = NULL, x_learns = 0",
}


@pytest.mark.parametrize("sql", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.usefixtures("without_cached_tables")
def test_changed_table_is_reported_as_damage(store: Store, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    train(store, "menace-x", tabulate(Policy.from_function(last_move, "O")).name, games=20, seed=1)
    store.close()
    with closing(sqlite3.connect(store.path)) as connection:
        # Only one move on X........ has a positive weight, so changing this weight from 1 to 2 has no effect.
        connection.create_function("heavier", 1, lambda weights: weights[:28] + b"\2" + weights[29:])
        connection.execute(sql)
        connection.commit()
    monkeypatch.setattr(functions, "_tables", {})
    with pytest.raises((StoreError, VerificationFailed)), open_database(store.path) as changed:
        verify(changed)


def test_stored_table_equals_original(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def either(board: str) -> dict[str, float]:
        free = [str(cell) for cell, piece in enumerate(board) if piece == "."]
        return {free[0]: 0.1, free[-1]: 0.7} if len(free) > 1 else {free[0]: 1}

    table = tabulate(Policy.from_function(either, "O"))
    train(store, "menace-x", table.name, games=20, seed=1)
    monkeypatch.setattr(functions, "_tables", {})
    with open_database(store.path) as other:
        verify(other)
        again = functions.tabulated(table.name)
    assert (again.weights == table.weights).all()
    assert (again.plays, again.hash, again.game) == (Side.O, table.hash, table.game)
    assert again is not table
    exact = Policy.from_function(either, "O")
    assert abs(policy_of(table.name, "O", tictactoe()).probability - exact.probability).max() < 1e-8


PLAYERS = {
    "a function": lambda side: Policy.from_function(last_move, side),
    "a machine": lambda side: Machine("menace", side).policy(),
    "a resigning machine": lambda side: resigning_machine(side).policy(),
    "a fixed opponent": lambda side: policy_of("imperfect:0.3", side),
    "an optimal opponent": lambda side: policy_of("optimal", side),
}


def resigning_machine(side: Side) -> Machine:
    machine = Machine("menace", side, beads=(1,), win=0, draw=-1, when_empty="resign")
    seats = side.x_and_o(machine, "optimal")
    play_games(*seats, games=20, seed=3)
    assert machine.policy().ever_resigns
    return machine


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("player", PLAYERS.values(), ids=PLAYERS)
def test_costs_of_mistakes_sum_to_strength(player: Callable[[Side], Policy], side: Side) -> None:
    """Optimal opponents make no mistakes, but random opponents do. The test adds up the values of these mistakes."""
    policy = player(side)
    listed, value = mistakes(policy), game_value(policy.positions, policy.side)
    strengths = strength(policy).against
    assert value - sum(m.cost_optimal for m in listed) == pytest.approx(strengths["optimal"].value, abs=1e-12)
    random = fixed_policy("random", policy.positions, side.other.number)
    reached = reach(*side.x_and_o(policy, random))
    gifts = expected_gifts(random, reached)
    result = value - sum(m.cost_random for m in listed) + gifts
    assert result == pytest.approx(strengths["random"].value, abs=1e-12)
    assert list(listed) == sorted(listed, key=lambda m: -m.cost_random)
    assert bool(len(listed)) == (policy.name != "optimal")


def expected_gifts(policy: Policy, reached: Sequence[float]) -> float:
    """Return how much a policy is expected to lose by its own mistakes, given the probability of each position.

    The calculation does not use the code under test.
    """
    positions, total = policy.positions, 0.0
    for position in range(len(positions)):
        if positions.to_move[position] == policy.side:
            for move in positions.moves_of(position):
                lost = int(positions.minimax[position]) - int(positions.minimax[positions.next_position[move]])
                total += reached[position] * float(policy.probability[move]) * lost * policy.plays.sign
    return total


def test_mistakes_command_lists_mistakes_of_function(trained: Run, last: Path) -> None:
    out = ok(trained("mistakes", "./my_player.py:last", "--plays", "o", "--most", "3"))
    assert re.search(r"^last plays O \(behaviour\) and errs on \d+ boards; a game costs it", out)
    assert re.search(r"^X\.{8} +8 +draws +loses +100\.0% +11\.1% +11\.1%$", out, re.MULTILINE)
    assert re.search(r"^and \d+ more mistakes \(--most \d+\)$", out, re.MULTILINE)
    rows = json.loads(ok(trained("mistakes", "./my_player.py:last", "--plays", "O", "--json")))
    assert f"--most {len(rows)}" in out
    assert rows[0]["moves"] is not None
    assert ok(trained("mistakes", "perfect", "--plays", "X")) == "perfect plays X (behaviour) and never errs\n"
    assert "menace-x plays X (greedy)" in ok(trained("mistakes", "menace-x", "--greedy"))
    refused(trained("mistakes", "perfect"), "is a fixed opponent")
    refused(trained("mistakes", "menace-x", "--plays", "O"), "menace-x plays X, not O")
    refused(trained("mistakes", "./my_player.py:last"), "add --plays X or --plays O")


def test_function_is_compared_on_both_sides(trained: Run, last: Path) -> None:
    pairs = json.loads(ok(trained("compare", "menace-x", "./my_player.py:last", "menace-o", "--json")))
    expected = [(x, o) for x in ("menace-x", "last") for o in ("menace-o", "last")]
    assert [(row["x"], row["o"]) for row in pairs] == expected
    out = ok(trained("strength", "./my_player.py:last", "--plays", "O"))
    assert "the player" in out
    assert "machine" not in out


def test_players_command_lists_stored_functions(trained: Run, last: Path) -> None:
    ok(trained("train", "menace-x", "--against", "./my_player.py:last", "--games", "5"))
    last.unlink()
    rows = [row for row in json.loads(ok(trained("players", "--json"))) if row["name"].startswith("last@")]
    # the table gives the same answer for boards that mirror each other
    report = strength(Policy.from_function(last_move, "O"))
    assert [(row["plays"], row["opponent"], row["win"], row["loss"]) for row in rows] == [
        ("O", opponent, pytest.approx(measured.win), pytest.approx(measured.loss))
        for opponent, measured in report.against.items()
    ]
    out = ok(trained("players"))
    assert re.search(r"^last@\w{12} +a function that plays O, as a table$", out, re.MULTILINE)
    assert "last@" not in ok(trained("players", "--game", "tictactoe"))


def test_notebook_database_accepts_function(tmp_path: Path) -> None:
    with Database(tmp_path / "menace.db") as db:
        learner = db.new("adam", "X")
        run = learner.train(last_move, games=50, seed=1)
        assert run.o_player == tabulate(Policy.from_function(last_move, "O")).name
        learner.train({"X........": "4"}, games=50, seed=2, keep=True)
        assert [row.plays for row in db.store.policies()] == [Side.O, Side.O]
        assert db.verify().games == 100
        assert len(learner.mistakes()) > len(learner.mistakes("greedy")) > 0
        table = Policy.from_function(last_move, "O")
        stored = db.evaluate("adam", run.o_player).outcomes
        assert stored == pytest.approx(tuple(db.evaluate("adam", table).outcomes), abs=1e-9)
        assert db.sample("adam", table, games=10, seed=1) == db.sample("adam", run.o_player, games=10, seed=1)
        # the function gives different answers for boards that mirror each other
        exact = db.evaluate("adam", last_move).outcomes
        assert exact != pytest.approx(tuple(stored), abs=1e-3)
        sampled = db.sample("adam", last_move, games=20_000, seed=1)
        assert sampled.shares == pytest.approx(tuple(exact), abs=0.02)
        (tmp_path / "my_player.py").write_text(PLAYER_FILE)
        file = f"{tmp_path / 'my_player.py'}:last"
        assert db.evaluate("adam", file).outcomes == exact
        assert db.play(file).opponent.startswith("last@")
        assert len(db.compare(file)) == 1
        session = db.play(last_move, seed=1)
        session.move("0")
        assert (session.opponent, session.plays, session.game.board) == (run.o_player, "O", "X.......O")
        assert db.play({".........": "4"}, person="O").plays == "X"


def test_serve_command_stores_functions_given_by_player_option(
    trained: Run, last: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr("menace.explorer.server.serving.serve", lambda *arguments: served.append(arguments))
    ok(trained("serve", "--player", "./my_player.py:last"))
    assert len(served) == 1
    listed = ok(trained("players"))
    for side in Side:
        assert re.search(rf"last@[0-9a-f]{{12}} +a function that plays {side}, as a table", listed)
    for player, *parts in (
        ("random", "does not name a file and a function"),
        ("./my_player.py:first", "does not define the function first"),
    ):
        refused(trained("serve", "--player", player), *parts)
    both = trained("serve", "--player", "./my_player.py:last", "--read-only")
    assert both.code == 2
    assert "leave out --player or --read-only" in both.err
    assert len(served) == 1


def test_explorer_offers_stored_functions_and_runs_no_file(last: Path, store: Store, tmp_path: Path) -> None:
    name = tabulate(Policy.from_function(last_move, "O")).name
    train(store, "menace-x", name, games=20, seed=1)
    new_learner(store, "menace-o", "O")
    assert machine_report(store, "menace-x")["fixed"][name] == "a function that plays O, as a table"
    assert name not in machine_report(store, "menace-o")["fixed"]
    assert name in player_dict(store, "menace-x")["opponents"]
    assert player_dict(store, name)["player"] == name
    changed = what_if.changed_copy(store, "menace-x", "other", "", name, 20)
    assert changed is not None
    assert changed.o_player == name
    for refused_name in ("./my_player.py:last", "last@0123456789ab"):
        with pytest.raises(MenaceError):
            what_if.changed_copy(store, "menace-x", "another", "", refused_name, 20)
        with pytest.raises(MenaceError):
            player_dict(store, refused_name)
        with pytest.raises(MenaceError):
            order(store, Training("menace-x", refused_name, games=1))
    with pytest.raises(InvalidPlayer, match="plays only O, not X"):
        what_if.changed_copy(store, "menace-o", "another", "", name, 20)
    assert not store.has_learner("another")
    with pytest.raises(InvalidPlayer, match="plays only O, not X"):
        Session(store, name, person="O")
    session = Session(store, name, seed=1)
    play_out(session)
    assert session.person is Side.X
    store.close()
    with open_database(tmp_path / "menace.db") as again:
        assert verify(again).games == 21


def test_random_choices_are_noted_and_kept_names_are_suggested(run: Run, tmp_path: Path) -> None:
    code = "import random\n\ndef dice(board, moves):\n    return random.choice(moves)\n\n"
    code += "def last(board, moves):\n    return "
    file = tmp_path / "my_player.py"
    for end in ("moves[-1]\n", "moves[0]\n"):
        file.write_text(code + end, encoding="utf-8")
        quiet = run("train", "menace-x", "--against", "./my_player.py:last", "--games", "5")
        assert "note:" not in quiet.err
        ok(quiet)
    refused(run("evaluate", "menace-x", "last"), "'last' can mean last@", " or last@", "choose one of these names")
    refused(run("strength", "last"), "'last' can mean last@", "choose one of these names")
    noted = run("train", "menace-x", "--against", "./my_player.py:dice", "--games", "5")
    assert noted.err.count("note: dice@") == 1
    assert "--repeats" in noted.err
    for arguments in (["strength", "--plays", "O"], ["evaluate", "random"], ["compare", "random"]):
        assert run(*arguments, "./my_player.py:dice").err.count("note: dice makes") == 1
    for command in ("strength", "mistakes"):
        assert ok(run(command, "dice")).startswith("dice@")
    assert "dice@" in run("compare", "menace-x", "dice").out
