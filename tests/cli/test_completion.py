"""Tests of shell completion, both through click and in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from database_templates import fresh_database, trained_bytes

from menace.cli import cli
from menace.learners.opponents import fixed as fixed_opponents
from menace.learners.registry import PRESETS
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.queries import named_queries
from menace.ledger.read_only_sql import list_learner_names
from menace.ledger.store import Store

FIXED = [*fixed_opponents.FIXED]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, whose menace.db contains menace-x, menace-o and eva, a learner for O."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MENACE_DB", raising=False)
    (tmp_path / "menace.db").write_bytes(trained_bytes(100))
    with open_database(tmp_path / "menace.db") as store:
        new_learner(store, "eva", "O")
    return tmp_path


def complete_line(line: str) -> list[str]:
    """Return the completions that menace suggests for the last word of a command line."""
    *words, typed = line.split(" ")
    items = ShellComplete(cli, {}, "menace", "_MENACE_COMPLETE").get_completions(words, typed)
    return [f"<{item.type}>" if item.type != "plain" else item.value for item in items]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("st", ["strength", "study"]),
        ("strength ", ["menace-x", "menace-o", "eva"]),
        ("strength m", ["menace-x", "menace-o"]),
        ("compare --g", ["--greedy"]),
        ("play ", ["menace-x", "menace-o", "eva", *FIXED]),
        ("evaluate ", ["menace-x", *FIXED]),
        ("evaluate menace-x ", ["menace-o", "eva", *FIXED]),
        ("compare menace-x e", ["eva"]),
        ("selfplay --x ", ["menace-x"]),
        ("selfplay --o e", ["eva"]),
        ("train eva --against ", ["menace-x", *FIXED]),
        ("train menace-x --against ", ["menace-o", "eva", *FIXED]),
        ("train --against ", ["menace-x", "menace-o", "eva", *FIXED]),
        ("show ......... --learner e", ["eva"]),
        ("history ......... --learner e", ["eva"]),
        ("forget e", ["eva"]),
        ("rename e", ["eva"]),
        ("copy e", ["eva"]),
        ("physical e", ["eva"]),
        ("contents e", ["eva"]),
        ("labels e", ["eva"]),
        ("labels eva ", ["<file>"]),
        ("recount eva ", ["<file>"]),
        ("backup ", ["<file>"]),
        ("plot outcomes ", ["menace-x", "menace-o", "eva"]),
        ("plot outcomes menace-x ", ["menace-o", "eva"]),
        ("plot outcomes eva out", ["<file>"]),
        ("picture out.svg --learner e", ["eva"]),
        ("export out.json --learner e", ["eva"]),
        ("show --db ", ["<file>"]),
        ("init --game t", ["tictactoe"]),
        ("init --game ./ch", ["<file>"]),
        ("init --variant 3x4", ["3x4x3"]),
        ("init --game hexapawn --variant 3", ["3x3", "3x4"]),
        ("rules ni", ["nim"]),
        ("rules nim 21", ["21-take3", "21-take3-misere"]),
    ],
)
@pytest.mark.usefixtures("here")
def test_completion_offers_matching_words(line: str, expected: list[str]) -> None:
    assert complete_line(line) == expected


def test_completion_offers_functions_after_a_path(here: Path) -> None:
    (here / "mine.py").write_text("def novice(board): ...\n\ndef _row(): ...\n\ndef master(board): 1 / 0\n")
    (here / "broken.py").write_text("def x(:")
    both = ["./mine.py:novice", "./mine.py:master"]
    for line in ("play ./", "compare menace-x ./mi", "train menace-x --against ./mine.py", "strength ./mine.py:"):
        assert complete_line(line) == both, line
    assert complete_line("mistakes ./mine.py:no") == both[:1]
    assert complete_line("evaluate ./b") == ["<file>"]
    assert complete_line("rename ./m") == []


@pytest.mark.usefixtures("here")
def test_completion_offers_presets_and_queries() -> None:
    assert complete_line("new adam --plays X --preset ") == list(PRESETS)
    assert complete_line("query ") == [named.name for named in named_queries()]
    assert complete_line("query be") == [named.name for named in named_queries() if named.name.startswith("be")]


def test_completion_reads_database_from_option_or_environment(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fresh_database(here / "a b#1.db") as store:
        new_learner(store, "adam", "X")
    for line in ("strength --db {} ", "show ......... --db {} --learner ", "train --db {} --against a"):
        *words, typed = line.split(" ")
        words = [word.format(here / "a b#1.db") for word in words]
        items = ShellComplete(cli, {}, "menace", "_MENACE_COMPLETE").get_completions(words, typed)
        assert [item.value for item in items if item.value not in FIXED] == ["adam"]
    monkeypatch.setenv("MENACE_DB", "a b#1.db")
    assert complete_line("strength ") == ["adam"]
    assert complete_line("strength --db menace.db ") == ["menace-x", "menace-o", "eva"]


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + bytes(84)])
def test_unreadable_file_offers_no_learners_and_is_unchanged(content: bytes | None, here: Path) -> None:
    Path("menace.db").unlink()
    if content is not None:
        Path("menace.db").write_bytes(content)
    assert complete_line("strength ") == []
    assert complete_line("play ") == FIXED
    assert list_learner_names(here) == []  # `here` is a folder
    assert [file.name for file in here.iterdir()] == ([] if content is None else ["menace.db"])
    assert content is None or Path("menace.db").read_bytes() == content


def test_learners_are_offered_while_database_is_locked_for_writing(here: Path) -> None:
    with open_database(here / "menace.db") as store, store.transaction():
        assert complete_line("strength e") == ["eva"]


def test_names_with_shell_characters_are_not_offered(here: Path) -> None:
    with open_database(here / "menace.db") as store:
        _rename(store, "eva", "e\nrm")
    assert complete_line("strength e") == []


def _rename(store: Store, old: str, new: str) -> None:
    with store.transaction():
        store.database.execute("UPDATE learner SET name = ? WHERE name = ?", [new, old])


@pytest.mark.parametrize(
    ("words", "answer", "unwanted"),
    [
        ("menace str", "plain,strength\n", {"sqlite3", "numpy"}),
        ("menace strength e", "plain,eva\n", {"sqlite_utils", "numpy"}),
        ("menace query biggest", "plain,biggest-boxes\n", {"sqlite_utils", "sqlite3", "numpy"}),
        ("menace new a --preset scr", "plain,scroggs\n", {"sqlite_utils", "sqlite3"}),
        ("menace rules tic", "plain,tictactoe\n", {"sqlite_utils", "sqlite3", "numpy", "importlib.metadata"}),
    ],
)
@pytest.mark.usefixtures("here")
def test_completion_does_not_import_slow_libraries(words: str, answer: str, unwanted: set[str]) -> None:
    code = (
        "import sys; sys.argv[0] = 'menace'\n"
        "from menace.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    variables = {"_MENACE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-c", code]
    completed = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)
    assert completed.stdout == answer
    assert not set(completed.stderr.split()) & unwanted


def test_every_learner_preset_and_query_argument_is_completed() -> None:
    """Any new command with an argument of one of these names needs a completer."""
    free = {
        ("new", "name"),
        ("new-game", "name"),
        ("rename", "new_name"),
        ("copy", "new_name"),
    }  # these arguments accept new names
    wanted = {"name", "names", "old", "learner", "x", "o", "against", "preset", "question"}
    for name, command in cli.commands.items():
        for parameter in command.params:
            if (
                parameter.name in wanted
                and (name, parameter.name) not in free
                and not getattr(parameter, "is_flag", False)
            ):
                assert parameter._custom_shell_complete is not None, (name, parameter.name)
