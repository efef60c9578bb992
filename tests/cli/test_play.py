"""Tests of `menace play`, both in a terminal and through a pipe."""

from __future__ import annotations

import io
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace

import pexpect
import pytest
from commands import DROP_PRIVILEGES, Run, ok, receive_interrupts, refused
from database_templates import trained_bytes
from oracle import TICTACTOE
from playing import play_out
from runs import train

from menace.analysis.position import show
from menace.cli.commands.play import hint_text
from menace.cli.dialogue import choice_text
from menace.errors import DatabaseBusy
from menace.games.positions import Positions
from menace.ledger import learners
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner, rename_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import default_opponent
from menace.ledger.store import Store
from menace.people.physical import PhysicalSession
from menace.people.session import Session

pytestmark = pytest.mark.slow

MENACE = [sys.executable, "-m", "menace"]
LOCKED = "menace.db was locked by another program for 30 s; try again later"
PROMPT = r"your move \([XO]\): "
END = r"(you have won|a draw|menace-\w has won); recorded as game (\d+)"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(2000))
    return path


@pytest.fixture
def terminal(database: Path) -> Iterator[pexpect.spawn]:
    """Run `menace play menace-x` in a new terminal."""
    command = [*MENACE, "play", "menace-x", "--seed", "5", "--db", str(database)]
    child = pexpect.spawn(
        command[0],
        command[1:],
        encoding="utf-8",
        timeout=30,
        dimensions=(50, 100),
        cwd="/",
        preexec_fn=receive_interrupts,
    )
    yield child
    child.close(force=True)


def plain(text: str) -> str:
    """Return a text without the terminal's colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def free_cells(text: str) -> list[str]:
    """Return the empty cells of the last board that was printed."""
    drawn = re.findall(r"^ ([XO0-8]) \| ([XO0-8]) \| ([XO0-8]) *\r?$", plain(text), re.MULTILINE)[-3:]
    return [cell for row in drawn for cell in row if cell.isdigit()]


def test_game_in_a_terminal_with_undo_and_interrupt(terminal: pexpect.spawn, database: Path) -> None:
    terminal.expect(PROMPT)
    first = free_cells(terminal.before)
    assert len(first) == 8
    assert "beads in its box are for that move" in terminal.before
    assert "\x1b[1mX" in terminal.before
    terminal.sendline(first[0])
    terminal.expect(PROMPT)
    assert len(free_cells(terminal.before)) == 6
    terminal.sendline("undo")
    terminal.expect(PROMPT)
    assert free_cells(terminal.before) == first
    terminal.sendline("?")
    terminal.expect(PROMPT)
    assert "what menace-x saw before it played" in terminal.before
    assert "changed by" in terminal.before
    terminal.sendline("hint")
    terminal.expect(PROMPT)
    assert "against perfect play" in terminal.before

    # Test that menace does not lock the database while the person is thinking.
    with open_database(database) as store:
        train(store, "menace-o", "random", games=10, seed=1)

    cells = first
    while True:
        terminal.sendline(cells[-1])
        if terminal.expect([PROMPT, END]) == 1:
            break
        cells = free_cells(terminal.before)
    assert terminal.match[2] == "1"
    terminal.expect(r"another game\? \(y/n\): ")
    assert re.search(r"[+-]\d", plain(terminal.before))
    terminal.sendline("y")
    terminal.expect(PROMPT)
    terminal.sendline(free_cells(terminal.before)[0])
    terminal.expect(PROMPT)
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    assert plain(terminal.before).split() == ["^C", "menace:", "interrupted;", "this", "game", "was", "not", "recorded"]
    terminal.wait()
    assert terminal.exitstatus == 130
    with open_database(database) as store:
        (game,) = store.games()
        assert game.game_id == 1
        assert store.learner("menace-x").games == 2001
        verify(store)


def test_person_can_begin_and_type_rows_and_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_answers(monkeypatch, "2,2", "3, 3", "0,1", "4,1", "quit")
    out = ok(run("play", "--as", "X", "--seed", "1"))
    assert out.startswith("created menace.db, a database for tictactoe 3x3x3\n")
    assert "menace-o has learned nothing yet (`menace selfplay` trains it" in out
    assert "menace-o plays O; you play X" in out
    assert "\n 3 | X | 5 \n" in out
    assert out.count("is not a cell") >= 2
    assert "nothing was recorded" in out


def type_answers(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Replace the person's input with the given answers, followed by `quit`."""
    left = iter(answers)
    monkeypatch.setattr("builtins.input", lambda _question: next(left, "quit"))


@pytest.mark.usefixtures("begun")
def test_help_lists_inputs_that_all_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_answers(monkeypatch, "help", "quit")
    out = ok(run("play", "perfect"))
    listing = out.split("you can type:\n")[1].split("\n\n")[0].splitlines()
    typed = [re.split(r"  +", line.strip())[0] for line in listing]
    words = [word for entry in typed for word in entry.split(", ") if word not in {"this", "a cell"}]
    assert {"?", "hint", "undo", "quit", "help", "h", "u", "q"} <= set(words)
    for word in [word for word in words if word[0] in "?hu"]:
        type_answers(monkeypatch, "4", word)
        assert "is not a cell" not in ok(run("play", "perfect", "--seed", "1")), word
    type_answers(monkeypatch, "?")
    assert "you can type" not in ok(run("play", "perfect"))  # here ? shows the box


@pytest.mark.usefixtures("begun")
def test_score_is_printed_after_each_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter("012345678" * 100)
    games = iter("yyyyyn")
    monkeypatch.setattr("builtins.input", lambda question: next(games if question.startswith("another") else answers))
    out = ok(run("play", "random", "--seed", "3"))
    counts = {"you have won": 0, "random has won": 0, "a draw": 0}
    for ended in re.findall(r"^(you have won|random has won|a draw); recorded.*\n\nscore: (.*)$", out, re.MULTILINE):
        counts[ended[0]] += 1
        you, random, draws = counts.values()
        assert ended[1] == f"you {you}, random {random}, {draws} draw{'' if draws == 1 else 's'}"
    assert sum(counts.values()) == 6
    assert len([count for count in counts.values() if count]) > 1


@pytest.mark.usefixtures("begun")
def test_name_of_person_is_stored_with_games(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    for name in (["--name", "Anna"], ["--name", "e\N{COMBINING ACUTE ACCENT}va"], []):
        type_answers(monkeypatch, *"876543210876543210", "n")
        out = ok(run("play", "adam", "--seed", "1", *name))
    assert "score: you" in out
    listed = ok(run("games")).splitlines()[1:]
    assert [line.split()[2] for line in listed] == ["Anna", "\xe9va", "human"]
    assert "adam (X) against Anna (O)" in ok(run("replay", "1"))
    assert ". Anna (O) plays" in ok(run("replay", "1"))
    assert "Anna" in ok(run("runs"))
    people = ok(run("query", "people", "--csv")).splitlines()
    assert sorted(line.split(",")[0] for line in people) == ["", "Anna", "person", "\xe9va"]
    ok(run("verify"))


@pytest.mark.usefixtures("begun")
def test_operator_stores_name_of_opponent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "real", "--plays", "O"))
    with open_database("menace.db") as store:
        session = PhysicalSession(store, "real", person="Anna")
        play_out(session)
    assert ok(run("games")).splitlines()[1].split()[1:3] == ["Anna", "real"]
    type_answers(monkeypatch)
    assert "real plays O, Anna X\n" in ok(run("physical", "real", "--name", "Anna"))
    refused(run("physical", "real", "--name", "real"), "a machine already has the name 'real'")


@pytest.mark.usefixtures("begun")
def test_names_of_people_and_machines_are_distinct(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_answers(monkeypatch, *"876543210876543210", "n")
    ok(run("play", "random", "--as", "X", "--name", "Anna", "--seed", "1"))
    ok(run("new", "adam", "--plays", "X"))
    for words in (["new", "Anna", "--plays", "X"], ["rename", "adam", "Anna"], ["copy", "adam", "Anna"]):
        refused(run(*words), "a person who has played is called 'Anna'; choose another name for the machine")
    for name in ("adam", "menace-x", "menace-o"):  # selfplay creates them
        refused(run("play", "random", "--name", name), f"a machine already has the name {name!r}")
    ok(run("selfplay", "--games", "5"))
    ok(run("rename", "adam", "Ann"))


@pytest.mark.parametrize("name", ["", "adam", "random", "human", "-x", "a\x1b[2J", "x" * 61, " Anna"])
@pytest.mark.usefixtures("begun")
def test_invalid_person_name_is_refused_before_the_game(name: str, run: Run) -> None:
    ok(run("new", "adam", "--plays", "X"))
    refused(run("play", "adam", f"--name={name}"), "name")
    assert "no recorded games" in ok(run("games"))


@pytest.mark.parametrize(
    "options", ['{"person": 7}', '{"person": "\x1b[2J"}', '{"person": ["Anna"]}', '{"person": ""}']
)
@pytest.mark.usefixtures("begun")
def test_damaged_name_is_reported_as_damaged_file(options: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_answers(monkeypatch, *"012345678")
    ok(run("play", "perfect", "--name", "Anna", "--seed", "1"))
    with sqlite3.connect("menace.db") as connection:
        connection.execute("UPDATE run SET options = ? WHERE kind = 'play'", [options.replace("\x1b", "\\u001b")])
    for command in (["games"], ["replay", "1"], ["runs"], ["verify"]):
        refused(run(*command), "damaged", "not a name")
    ok(run("query", "people"))


def test_same_seed_gives_same_replies(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outs = []
    for seed in ("4", "4", "6"):
        type_answers(monkeypatch, *"012345678" * 2)
        outs.append(re.sub(r"game \d", "game", ok(trained("play", "--no-learning", "--seed", seed))))
    assert outs[0] == outs[1] != outs[2]
    assert "\x1b" not in outs[0]  # only terminals display marks in bold


@pytest.mark.parametrize("learner", ["zhang", "sala", "michie-1963", "article-code", "menace"])
@pytest.mark.usefixtures("begun")
def test_every_algorithm_explains_its_move_and_lesson(learner: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "pupil", "--plays", "X", "--preset", learner))
    type_answers(monkeypatch, *"?012345678", "n", *"nnnnnnn")
    out = ok(run("play", "pupil", "--seed", "1"))
    saws = ["beads in its box are for that move"] if learner == "menace" else ["of the time", "it explores"]
    assert any(draw_text in out for draw_text in saws)
    assert "pupil learns from it:" in out
    assert re.search(r"^[XO.]{9} ", out, re.MULTILINE)
    ok(run("verify"))


def test_fixed_opponents_can_be_played_and_learn_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_answers(monkeypatch, *"?0?12345678", *"nnnnnnn")
    out = ok(run("play", "perfect", "--seed", "1"))
    assert "perfect has not moved yet" in out
    assert "perfect plays O and never learns" in out
    assert "what perfect saw before it played" in out
    assert "but no machine learns from it" in out
    assert "perfect" in ok(run("games"))
    ok(run("verify"))


def test_failed_recording_can_be_retried(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test locks the database when the game ends, and unlocks it before the recording is retried."""
    refusals = []

    def answer(question: str) -> str:
        if question.startswith("try again"):
            refusals.append(question)
            allowed[0] = len(refusals) > 1
            return "y"
        if question.startswith("another"):
            return "n"
        return next(cells)

    def transaction(self: Store, poll: float = 0.001) -> AbstractContextManager[None]:
        if not allowed[0]:
            raise DatabaseBusy(LOCKED)
        return locked(self, poll)

    allowed, cells, locked = [False], iter("0123456780123456780123456780"), Store.transaction
    monkeypatch.setattr(Store, "transaction", transaction)
    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, fileno=lambda: -1))
    result = trained("play", "menace-x", "--seed", "1")
    assert result.code in {0, None}
    assert len(refusals) == 2
    assert result.err.count("the game is not recorded: menace.db was locked") == 2
    assert "recorded as game 1" in result.out
    ok(trained("verify"))


@pytest.mark.parametrize("command", ["play", "physical"])
def test_failed_recording_through_a_pipe_exits_with_an_error(
    command: str, trained: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recording is not retried through a pipe, because the next `y` in the input may answer a different question."""

    def transaction(_self: Store, _poll: float = 0.001) -> AbstractContextManager[None]:
        raise DatabaseBusy(LOCKED)

    monkeypatch.setattr(Store, "transaction", transaction)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*"012345678" * 9, "y", "y"])))
    result = trained(command, "menace-x")
    assert result.code == 1
    assert result.err == f"the game is not recorded: {LOCKED}\n"
    assert "try again" not in result.out
    assert "another game" not in result.out
    assert "nothing was recorded" in result.out
    with open_database("menace.db") as store:
        assert not store.games()


def test_input_typed_ahead_does_not_answer_the_retry_question(terminal: pexpect.spawn, database: Path) -> None:
    """The file is missing when the game ends, but exists again when the recording is retried.

    The first `y` was typed as the answer to a different question.
    """
    terminal.expect(PROMPT)
    database.rename(database.with_name("away.db"))
    cells = free_cells(terminal.before)
    while True:
        terminal.send(f"{cells[-1]}\ny\n")
        if terminal.expect([PROMPT, r"the game is not recorded:\s+\S+\s+was\s+moved\s+or\s+deleted"]) == 1:
            break
        cells = free_cells(terminal.before)
        terminal.expect(PROMPT)  # because `y` is not a cell
    terminal.expect(r"try again\? \(y/n\): ")
    database.with_name("away.db").rename(database)
    assert terminal.expect([pexpect.TIMEOUT, END, "was moved", "nothing was recorded"], timeout=0.5) == 0
    terminal.sendline("y")
    terminal.expect(END)
    terminal.expect("another game")
    terminal.sendline("n")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0


READ_ONLY = DROP_PRIVILEGES + "from menace.cli import main\nmain()"


@pytest.mark.parametrize(("command", "file", "folder"), [("play", 0o444, 0o777), ("physical", 0o666, 0o555)])
def test_unwritable_file_is_reported_before_the_game(command: str, file: int, folder: int, database: Path) -> None:
    database.chmod(file)
    database.parent.chmod(folder)
    before = (database.read_bytes(), database.stat().st_mtime_ns)
    arguments = [sys.executable, "-c", READ_ONLY, command, "menace-x", "--db", str(database)]
    run = subprocess.run(arguments, input="4\n", capture_output=True, text=True, check=False, cwd="/")
    assert (run.returncode, run.stdout) == (1, "")
    assert len(run.stderr.splitlines()) == 1
    assert str(database) in run.stderr
    assert "permissions" in run.stderr
    assert (database.read_bytes(), database.stat().st_mtime_ns) == before
    assert [path.name for path in database.parent.iterdir()] == [database.name]


def test_write_check_changes_nothing_and_does_not_wait(database: Path) -> None:
    with open_database(database) as store, open_database(database) as second_store:
        before, version = database.read_bytes(), store.version()
        store.check_writable()
        with second_store.transaction():
            store.check_writable()
        assert store.version() == version
    assert database.read_bytes() == before


def test_default_machine_created_by_another_process_is_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("init"))
    load, made = learners.positions_of, []

    def meanwhile(store: Store) -> Positions:
        if not made:
            made.append(True)
            with open_database("menace.db") as second_store:
                new_learner(second_store, "menace-x", "X")
        return load(store)

    monkeypatch.setattr(learners, "positions_of", meanwhile)
    with open_database("menace.db") as store:
        assert default_opponent(store, None).name == "menace-x"
    assert made


def test_machine_renamed_during_a_game_continues(database: Path) -> None:
    with open_database(database) as store:
        session = Session(store, "menace-x", seed=1)
        rename_learner(store, "menace-x", "adam")
        for _ in range(2):
            play_out(session)
            session.begin()
        assert session.opponent == "adam"
        assert store.learner("adam").games == 2002


@pytest.mark.usefixtures("begun")
def test_hint_matches_brute_force(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """For three games, the test checks every board on which it is the person's turn."""
    with open_database("menace.db") as store:
        for game in ("401", "0", "810", "04", "12504"):
            board = "." * 9
            for ply, cell in enumerate(map(int, game)):
                board = board[:cell] + "XO"[ply % 2] + board[cell + 1 :]
            side = "XO"[len(game) % 2]
            hints: dict[str, list[int]] = {}
            for cell in TICTACTOE.empties(board):
                value = TICTACTOE.minimax(TICTACTOE.put(board, cell)) * (1 if side == "X" else -1)
                hints.setdefault({1: "win", 0: "draw", -1: "lose"}[value], []).append(cell)
            text = hint_text(store, board)
            for result, cells in hints.items():
                assert re.search(rf"\b{' '.join(map(str, cells))} {result}s?\b", text), (board, text)


def test_move_explanation_has_numbers_of_the_box(database: Path) -> None:
    with open_database(database) as store:
        session = Session(store, "menace-x", seed=5)
        ply = session.game.make_machine_move()
        assert ply is not None
        (move,) = (move for move in show(store, ".........", "menace-x").moves if ply.action in move.cells)
        total = sum(move.beads for move in show(store, ".........", "menace-x").moves)
        line = choice_text(ply.saw, ply.action, 0, 0)
        assert f"{move.beads:,} of the {total:,} beads" in line
        assert f"({100 * move.beads / total:.1f}%)" in line


@pytest.mark.parametrize(
    ("counted", "sentence"),
    [
        ("1,0,1\n1,1,0", "the only bead in its box is for that move (100.0%)"),
        ("1,0,1\n1,1,1", "1 of the 2 beads in its box is"),
    ],
)
@pytest.mark.usefixtures("begun")
def test_single_bead_is_described_in_the_singular(
    counted: str, sentence: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(run("new", "adam", "--plays", "X"))
    Path("count.csv").write_text(f"box,cell,beads\n{counted}\n1,4,0\n")
    ok(run("recount", "adam", "count.csv", "--yes"))
    type_answers(monkeypatch)
    assert sentence in ok(run("play", "adam", "--seed", "3"))
    title = "1 bead\n" if "only" in sentence else "2 beads\n"
    assert f"adam's box 1 (stage 1): {title}" in ok(run("show", ".........", "--learner", "adam"))
    assert "strength of 1 machine agrees" in ok(run("verify"))


@pytest.mark.usefixtures("begun")
def test_restocked_box_is_described_in_play_and_replay(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    Path("count.csv").write_text("box,cell,beads\n1,0,0\n1,1,0\n1,4,0\n")
    ok(run("recount", "adam", "count.csv", "--yes"))
    type_answers(monkeypatch, *"876543210876543210876543210", "n")
    out = ok(run("play", "adam", "--seed", "3"))
    sentence = (
        "the box was empty, so its initial beads have been put back:"
        " 4 of the 12 beads in its box are for that move (33.3"
    )
    assert sentence in out
    assert "put back" in out.split("learns from it:")[1].splitlines()[1]
    replayed = ok(run("replay", "1"))
    assert sentence in replayed
    assert re.search(r"^4 +draws +\S+ +4 +33.3%", replayed, re.MULTILINE)
    lesson = replayed.split("; adam learned from it:\n")[1]
    assert "put back" in lesson
    assert out.split("; adam learns from it:\n")[1].startswith(lesson)
    assert "; no machine learned from it" in _replay_of_a_game_that_taught_nobody(run, monkeypatch)


def _replay_of_a_game_that_taught_nobody(run: Run, monkeypatch: pytest.MonkeyPatch) -> str:
    type_answers(monkeypatch, *"876543210876543210876543210", "n")
    ok(run("play", "adam", "--no-learning", "--seed", "3"))
    return ok(run("replay", "2"))


@pytest.mark.usefixtures("begun")
def test_latest_ten_games_of_a_box_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    with open_database("menace.db") as store:
        session = Session(store, "adam", seed=1)
        for _ in range(12):
            play_out(session)
            session.begin()
    ok(run("copy", "adam", "twin"))
    for name in ("adam", "twin"):
        type_answers(monkeypatch, "?", "quit")
        out = ok(run("play", name))
        listed = re.findall(r"^ +(\d+) +(?:4|0 2 6 8|1 3 5 7) +(?:won|drew|lost)", out, re.MULTILINE)
        assert listed == [str(game) for game in range(12, 2, -1)]
        assert "changed by 12 games with people, the latest 10 of which are" in out


@pytest.mark.usefixtures("begun")
def test_games_between_machines_are_mentioned_for_values(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for preset, machines in (
        ("q-table", "20 games between machines"),
        ("td", "games between machines (which are not recorded"),
    ):
        ok(run("new", preset, "--plays", "X", "--preset", preset))
        for changed_by in ("no game has changed this box", f"changed by {machines}"):
            type_answers(monkeypatch, "?")
            assert changed_by in ok(run("play", preset))
            ok(run("train", preset, "--against", "random", "--games", "20", "--seed", "1"))


@pytest.mark.usefixtures("begun")
def test_current_name_is_shown_after_a_rename(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    type_answers(monkeypatch, *"876543210876543210", "n", *"nnnn")
    ok(run("play", "adam", "--seed", "1"))
    ok(run("rename", "adam", "eve"))
    assert "eve" in ok(run("games", "--learner", "eve"))
    assert "adam" not in ok(run("games"))
    assert "1. eve (X) plays" in ok(run("replay", "1"))


@pytest.mark.usefixtures("begun")
def test_type_ahead_does_not_answer_another_game_question(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    answered = []

    def answer(question: str) -> str:
        if question.startswith("another"):
            answered.append(question)
            return ["5", "", "maybe", "n"][len(answered) - 1]
        return next(cells)

    cells = iter("876543210876543210")
    monkeypatch.setattr("builtins.input", answer)
    assert "recorded as game 1" in ok(run("play", "adam", "--seed", "1"))
    assert len(answered) == 4
