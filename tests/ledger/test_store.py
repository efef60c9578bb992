"""Tests of opening, refusing and copying databases.

Foreign files and read-only files must stay unchanged, byte for byte.
"""

from __future__ import annotations

import contextlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from commands import DROP_PRIVILEGES
from database_templates import edit, fresh_database, learner_by_hand
from runs import selfplay, train

import menace
from menace.analysis.position import show
from menace.errors import (
    InvalidPlayer,
    NoDatabase,
    NotOurs,
    QueryFailed,
    SchemaMismatch,
    StoreError,
    UnknownLearner,
    UnknownRun,
)
from menace.games import get_game
from menace.games.symmetry import SymmetricGame
from menace.learners.registry import check_name
from menace.ledger import create_and_open, learners, rules as stored_rules, runs
from menace.ledger.create_and_open import create_database, open_database, open_or_create_database
from menace.ledger.learners import new_learner, rename_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.queries import query
from menace.ledger.runs import copy_learner
from menace.ledger.store import SCHEMA_VERSION, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "menace.db"
    fresh_database(made).close()
    return made


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def other_database(path: Path) -> None:
    edit(path, "CREATE TABLE album (title TEXT)")


def text_file(path: Path) -> None:
    path.write_text("dear diary\n" * 200)


def ours(path: Path, pragma: str) -> None:
    create_database(path).close()
    edit(path, f"PRAGMA {pragma}")


def truncated(path: Path) -> None:
    create_database(path).close()
    path.write_bytes(path.read_bytes()[:5000])


UNRELEASED = f"application_id = {int.from_bytes(b'MNCE', 'big')}"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (text_file, NotOurs, "not an SQLite database"),
        (lambda path: path.write_text("dear diary"), NotOurs, "not an SQLite database"),
        (other_database, NotOurs, "another program's"),
        (
            lambda path: edit(
                path, f"CREATE TABLE t (x); PRAGMA application_id = 12345; PRAGMA user_version = {SCHEMA_VERSION}"
            ),
            NotOurs,
            "another program's",
        ),
        (
            lambda path: ours(path, f"user_version = {SCHEMA_VERSION + 1}"),
            SchemaMismatch,
            "uses the older schema",
        ),
        (lambda path: ours(path, "user_version = 0"), StoreError, r"damaged \(its schema is 0\)"),
        (lambda path: ours(path, UNRELEASED), SchemaMismatch, "0.1.0; the last commit that reads it is 4378f35a$"),
        (truncated, StoreError, "damaged"),
    ],
)
def test_foreign_file_is_refused_and_unchanged(
    tmp_path: Path, make: Callable[[Path], None], error: type[Exception], message: str
) -> None:
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    for opening in (open_database, create_database, open_or_create_database):
        with pytest.raises(error, match=message):
            opening(path)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["file"]


def test_directory_missing_file_and_missing_folder_are_reported(tmp_path: Path) -> None:
    for opening in (open_database, create_database, open_or_create_database):
        with pytest.raises(StoreError, match="is a directory"):
            opening(tmp_path)
    with pytest.raises(NoDatabase, match="there is no database"):
        open_database(tmp_path / "missing.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        create_database(tmp_path / "no folder" / "menace.db")
    assert names_in(tmp_path) == []


def test_existing_database_is_not_recreated(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is already a menace database"):
        create_database(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("script", ["", "CREATE TABLE album (title); DROP TABLE album"])
def test_empty_file_becomes_database(tmp_path: Path, script: str) -> None:
    (tmp_path / "e.db").touch()
    edit(tmp_path / "e.db", script)
    with pytest.raises(NotOurs, match="empty database"):
        open_database(tmp_path / "e.db")
    with open_or_create_database(tmp_path / "e.db") as store:
        assert store.position_count() == 765


def test_moved_database_is_reported(path: Path) -> None:
    with open_database(path) as store:
        path.rename(path.with_name("elsewhere.db"))
        with pytest.raises(StoreError, match="moved or deleted"):
            new_learner(store, "adam", "X")


def test_unusual_file_names_work(tmp_path: Path) -> None:
    for name in ("a b.db", "50%.db", "what?.db", "mode=ro&x#y.db", "naïve.db", "'quoted'.db"):
        create_database(tmp_path / name).close()
        with open_database(tmp_path / name) as store:
            new_learner(store, "adam", "X")
        assert (tmp_path / name).stat().st_size > 100_000
    assert len(names_in(tmp_path)) == 6


# Root can write to any file, so the program runs as a different user if the tests run as root.
def test_read_only_database_can_be_read_but_not_written(path: Path) -> None:
    with open_database(path) as store:
        new_learner(store, "adam", "X")
    path.chmod(0o444)
    before = path.read_bytes()
    path.parent.chmod(0o555)
    code = DROP_PRIVILEGES + (
        "import sys, menace\n"
        "db = menace.Database(sys.argv[1])\n"
        "assert db['adam'].box('.........').beads == 12\n"
        "try:\n    db.new('eva', 'O')\n"
        "except menace.MenaceError as error:\n    print(error)"
    )
    try:
        run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    finally:
        path.parent.chmod(0o755)
    assert run.stderr == ""
    assert run.stdout.strip() == f"{path} is read-only; change its permissions, or use a copy of it"
    assert path.read_bytes() == before


def test_full_disk_leaves_no_partial_database(tmp_path: Path) -> None:
    """In this process, files can be at most 50,000 bytes long."""
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (50_000, 50_000))
    command = [sys.executable, "-m", "menace", "selfplay", "--db", str(tmp_path / "menace.db")]
    run = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert (run.returncode, len(run.stderr.splitlines())) == (1, 1)
    assert "cannot be written" in run.stderr
    assert names_in(tmp_path) == []


def test_backup_is_complete_when_it_appears(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with open_database(path) as store:
        selfplay(store, games=100, seed=1)
        store.backup(copy)
        with open_database(copy) as copied:
            assert verify(copied).games == 100
        text_file(tmp_path / "diary")
        (tmp_path / "link").symlink_to("nowhere")
        before = {file: file.read_bytes() for file in (copy, path, tmp_path / "diary")}
        for taken in (copy, path, tmp_path / "diary", tmp_path / "link"):
            with pytest.raises(StoreError, match="already exists"):
                store.backup(taken)
        with pytest.raises(StoreError, match="no folder"):
            store.backup(tmp_path / "no folder" / "copy.db")
        assert {file: file.read_bytes() for file in before} == before
    assert names_in(tmp_path) == ["copy.db", "diary", "link", "menace.db"]


def test_damaged_database_is_not_backed_up(path: Path, tmp_path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-8000:-4000] = b"\xff" * 4000
    path.write_bytes(content)
    with open_database(path) as store, pytest.raises(StoreError, match="damaged"):
        store.backup(tmp_path / "copy.db")
    assert names_in(tmp_path) == ["menace.db"]


@pytest.mark.slow
def test_backup_is_consistent_during_training(path: Path, tmp_path: Path) -> None:
    code = "import sys, menace; menace.Database(sys.argv[1]).selfplay(games=1_000_000, seed=1)"
    process = subprocess.Popen([sys.executable, "-c", code, str(path)])
    copies = 0
    with open_database(path) as store:
        while process.poll() is None:
            copies += 1
            store.backup(tmp_path / f"copy {copies}.db")
            with open_database(tmp_path / f"copy {copies}.db") as copied:
                copied_games = verify(copied).games
                assert copied_games in {0, *(run.games_played for run in copied.runs())}
    assert process.returncode == 0
    assert copies > 1


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM position", "more than read"),
        ("UPDATE learner SET games = 5 RETURNING games", "more than read"),
        ("CREATE TABLE t (x)", "more than read"),
        ("ATTACH 'other.db' AS other", "more than read"),
        ("PRAGMA user_version = 9", "more than read"),
        ("SELECT '\ud800'", "text that cannot be encoded"),
        ("PRAGMA query_only = 0", "more than read"),
        ("VACUUM INTO 'other.db'", "more than read"),
        ("BEGIN IMMEDIATE", "more than read"),
        ("SELECT load_extension('x')", "SQLite says|more than read"),
        ("SELEC 1", "SQLite says"),
        ("SELECT nonsense FROM position", "no such column"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT ?", "SQLite says"),
        ("-- nothing", "returns no rows"),
    ],
)
def test_query_is_read_only(path: Path, sql: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    before = path.read_bytes()
    with open_database(path) as store:
        with pytest.raises(QueryFailed, match=message):
            query(store, sql)
        assert query(store, "SELECT count(*) AS n FROM position").rows == [(765,)]
        new_learner(store, "adam", "X")  # the same connection can write again afterwards
    assert len(path.read_bytes()) > len(before)
    assert names_in(path.parent) == ["menace.db"]


def test_query_allows_table_valued_functions_but_not_schema_changes(path: Path) -> None:
    with open_database(path) as store:
        new_learner(store, "adam", "X")
        sql = "SELECT value FROM learner, json_each(learner.settings) WHERE key = 'win'"
        assert query(store, sql).rows == [(3,)]
        assert len(query(store, "SELECT * FROM pragma_table_info('rules')").rows) == 3
        with pytest.raises(QueryFailed):
            query(store, "UPDATE sqlite_master SET sql = 'CREATE TABLE x (y)'")
        assert query(store, "SELECT sql FROM sqlite_master WHERE name = 'rules'").rows[0][0] != "CREATE TABLE x (y)"


def test_query_allows_reading_pragmas(path: Path) -> None:
    with open_database(path) as store:
        assert query(store, "PRAGMA integrity_check").rows == [("ok",)]
        assert query(store, "PRAGMA user_version").rows == [(SCHEMA_VERSION,)]
        assert query(store, "SELECT 1 AS a, 2 AS a, 3 AS a_2").columns == ["a", "a_2", "a_2_2"]
        for limit in (0, -1, float("nan"), float("inf")):
            with pytest.raises(QueryFailed, match="time limit"):
                query(store, "SELECT 1 AS one", limit)


NO_NAMES = {
    "": "'' is empty; use 1 to 60 characters",
    "a" * 61: "has 61 characters; use 1 to 60",
    " adam": "begins or ends with a space; remove it",
    "adam ": "begins or ends with a space; remove it",
    "a:b": "'a:b' contains ':'; use only letters, digits, spaces, '-', '_' and '.'",
    "O'Brien": r"""contains "'"; use only""",
    "a\nb": r"contains '\\n'; use only",
    "a\N{NO-BREAK SPACE}b": r"contains '\\xa0'; use only",
    "a\N{ZERO WIDTH SPACE}b": r"contains '\\u200b'; use only",
    "x\N{SUPERSCRIPT TWO}": "contains '\N{SUPERSCRIPT TWO}'; use only",
    "=1+1": "contains '='; use only",
    "1; DROP TABLE learner": "contains ';'; use only",
    "\udcff": r"contains '\\udcff'; use only",
    "-x": "begins with '-', like an option; use a letter or a digit as the first character",
    ".........": "has no letter or digit; add one",
    "\N{COMBINING ACUTE ACCENT}": "has no letter or digit; add one",
    "random": "is reserved for another kind of player; choose another name",
    "Human": "is reserved for another kind of player; choose another name",
    "best_response": "is reserved for another kind of player; choose another name",
}
NAMES = ("éva", "Eva 2.0_b-c", "57", ".x", "日本", "اختبار", "हिन्दी १", "a" * 60)


def test_learner_names_are_validated(path: Path) -> None:
    with open_database(path) as store:
        new_learner(store, "adam", "X")
        for name, reason in NO_NAMES.items():
            for make in (new_learner, rename_learner, copy_learner):
                with pytest.raises(InvalidPlayer, match=reason):
                    make(store, *((name, "O") if make is new_learner else ("adam", name)))
            assert [row.name for row in store.learners()] == ["adam"]
        with pytest.raises(InvalidPlayer, match="a machine is already called 'adam'"):
            new_learner(store, "adam", "O")
        for name in NAMES:
            rename_learner(store, store.learners()[0].name, name)
            assert store.learner(name).learner_id == 1
        with pytest.raises(UnknownLearner, match=f"no machine is called 'adam'; existing machines: {'a' * 60}"):
            store.learner("adam")


def test_names_allow_letters_marks_digits_and_some_signs() -> None:
    # All characters below U+3400, which cover most scripts, and every seventh character from there on.
    for number in [*range(0x3400), *range(0x3400, sys.maxunicode + 1, 7)]:
        character = chr(number)
        kind = unicodedata.category(character)
        try:
            fits = check_name(f"a{character}b") == unicodedata.normalize("NFC", f"a{character}b")
        except InvalidPlayer:
            fits = False
        assert fits == (kind in {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd"} or character in " -_."), number


def test_accented_name_matches_in_any_normal_form(path: Path) -> None:
    composed, apart = "\xe9va", "e\N{COMBINING ACUTE ACCENT}va"
    with open_database(path) as store:
        assert new_learner(store, apart, "O").name == composed
        assert store.learner(apart) == store.learner(composed)
        for taken in (apart, composed):
            with pytest.raises(InvalidPlayer, match="already"):
                new_learner(store, taken, "X")
            rename_learner(store, apart, taken)
            assert [row.name for row in store.learners()] == [composed]
        assert copy_learner(store, "\xe9va", "e\N{COMBINING GRAVE ACCENT}va").name == "\xe8va"


def test_finding_a_name_takes_the_same_steps_among_many_learners(path: Path) -> None:
    steps = []
    with open_database(path) as store:
        new_learner(store, "\xe9va", "X")
        columns = "plays, algorithm, revision, preset, settings, colours, numbering, created_at"
        for numbers in (range(5), range(5, 2000)):
            with store.transaction():
                for number in numbers:
                    sql = f"INSERT INTO learner (name, {columns}) SELECT ?, {columns} FROM learner WHERE learner_id = 1"
                    store.database.execute(sql, [f"m{number:04}"])
            ticks: list[None] = []
            store.database.set_progress_handler(lambda ticks=ticks: ticks.append(None), 1)  # type: ignore[misc]
            with store.transaction():
                for name in ("m0004", "\xe9va", "e\N{COMBINING ACUTE ACCENT}va"):
                    assert store.has_learner(name)
                    assert store.learner(name).name == unicodedata.normalize("NFC", name)
                for name in ("eve", "e\x1bve", "\ud800"):  # SQLite does not accept the last string as a parameter
                    assert not store.has_learner(name)
            store.database.set_progress_handler(None, 0)
            steps.append(len(ticks))
    assert steps[1] < 1.5 * steps[0]


def test_names_changed_by_another_program_are_found_as_displayed(path: Path) -> None:
    with open_database(path) as store:
        new_learner(store, "adam", "X")
        assert not store.has_learner("e\ufffdve")
        assert not store.has_learner("e\x1bve")
        edit(path, "UPDATE learner SET name = 'e' || char(27) || 've'")
        assert store.has_learner("e\ufffdve")
        assert store.learner("e\ufffdve").learner_id == 1
        assert not store.has_learner("e\x1bve")
        edit(path, "UPDATE learner SET name = CAST(x'c328' AS TEXT)")
        with pytest.raises(StoreError, match="UTF-8"):
            store.has_learner("adam")


ODD_NAMES = ["-x", "=1+1", "a:b", "O'Brien", "e\N{COMBINING ACUTE ACCENT}va", "random", "\N{GAME DIE}"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_unusual_stored_name_can_be_used_and_renamed(path: Path, name: str) -> None:
    with open_database(path) as store:
        learner_by_hand(store, name, "X")
        train(store, name, "random", games=10, seed=1)
        assert store.learner(name).games == 10
        copy_learner(store, name, "twin")
        rename_learner(store, name, "\xe9va")
        assert [row.name for row in store.learners()] == ["\xe9va", "twin"]
        with pytest.raises(UnknownRun, match="no run 5"):
            store.run(5)


def test_store_accepts_external_connection(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert Store(connection, str(path)).rules().variant == "3x3x3"
    foreign = path.parent / "other.db"
    other_database(foreign)
    with contextlib.closing(sqlite3.connect(foreign)) as connection, pytest.raises(NotOurs):
        Store(connection, str(foreign))


@pytest.mark.slow
def test_other_variant_is_played_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with create_database(tmp_path / "small.db", variant="2x5x3") as store:
        selfplay(store, games=20, seed=1)
        assert verify(store).games == 20
        assert show(store, "." * 10, "menace-x").box.beads > 0
    monkeypatch.setattr(create_and_open, "MAX_POSITIONS", 4054)
    with pytest.raises(menace.MenaceError, match="more than 4,054 positions"):
        create_database(tmp_path / "large.db", variant="2x5x3")
    assert not (tmp_path / "large.db").exists()


@pytest.mark.slow
def test_concurrent_creation_of_database_succeeds(tmp_path: Path) -> None:
    path = tmp_path / "menace.db"
    command = [sys.executable, "-m", "menace", "selfplay", "--games", "2000", "--db", str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd="/") for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with open_database(path) as store:
        assert [row.games for row in store.learners()] == [6000, 6000]
        assert verify(store).games == 6000
    shutil.rmtree(tmp_path)


DAMAGE = "PRAGMA ignore_check_constraints = ON; UPDATE matchbox SET beads = -80 WHERE action = 0;"


def damage_past_sqlite(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    edit(copy, DAMAGE)
    content, header = bytearray(copy.read_bytes()), path.read_bytes()[:100]
    # SQLite compares these bytes to detect changes
    content[24:40], content[92:96] = header[24:40], header[92:96]
    with path.open("r+b", buffering=0) as file:
        file.write(content)


@pytest.mark.parametrize("how", ["another", "past SQLite", "the same"])
def test_file_is_checked_again_after_external_write(path: Path, how: str) -> None:
    with open_database(path) as store:
        new_learner(store, "adam", "X")
        table = positions_of(store)
        new_learner(store, "abel", "X")
        # menace's own writes do not change the positions, so menace does not read the positions again
        assert positions_of(store) is table
        match how:
            case "another":
                edit(path, DAMAGE)
            case "past SQLite":
                damage_past_sqlite(path)
            case _:
                store.database.executescript(f"{DAMAGE} PRAGMA ignore_check_constraints = OFF")
        with pytest.raises(StoreError, match="CHECK constraint failed in matchbox"):
            new_learner(store, "eva", "O")
        assert positions_of(store) is not table


def test_failed_transaction_leaves_no_cache(path: Path) -> None:
    with open_database(path) as store:
        with contextlib.suppress(InvalidPlayer), store.transaction():
            table = positions_of(store)
            check_name("")
        assert positions_of(store) is not table


def test_nested_transaction_ends_with_outer(path: Path) -> None:
    with open_database(path) as store:
        with contextlib.suppress(InvalidPlayer), store.transaction():
            new_learner(store, "adam", "X")  # new_learner starts a transaction if none is open
            check_name("")
        assert not store.has_learner("adam")
        with store.transaction():
            new_learner(store, "adam", "X")
    with open_database(path) as store:
        assert store.has_learner("adam")


@pytest.mark.parametrize("is_made", [True, False])
def test_default_machine_can_be_created_concurrently(
    path: Path, monkeypatch: pytest.MonkeyPatch, is_made: bool
) -> None:
    own = learners.new_learner

    def too_late(store: Store, name: str, plays: str) -> None:
        if is_made:
            own(store, name, plays)
        raise InvalidPlayer("another program was quicker")

    monkeypatch.setattr(learners, "new_learner", too_late)
    with fresh_database(path.with_name("new.db")) as store:
        if is_made:
            assert runs.get_or_create_learner(store, "menace-x").name == "menace-x"
        else:
            with pytest.raises(InvalidPlayer, match="another program was quicker"):
                runs.get_or_create_learner(store, "menace-x")
        with pytest.raises(UnknownLearner):
            runs.get_or_create_learner(store, "adam")


def test_board_missing_from_file_is_damage() -> None:
    """The rules have changed since the file was created and now allow the board, so the file counts as damaged."""
    rules = SymmetricGame(get_game())
    assert stored_rules._is_reached(rules, "X........", most=765)
    assert not stored_rules._is_reached(rules, "XXX......", most=765)
    assert stored_rules._is_reached(rules, "XXX......", most=764)
