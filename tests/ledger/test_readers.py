"""Tests that reading a database never blocks games.

Long computations read from a copy of the database, and writers are willing to wait longer than the longest read takes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playing import play_out
from runs import selfplay

from menace.analysis import history, learning_curves, replayed_learners
from menace.analysis.matchups import comparison
from menace.errors import DatabaseBusy, QueryFailed, StoreError
from menace.exporting.graphs import game_graph
from menace.figures import game_graph as graph_figure
from menace.ledger import queries, read_only_sql
from menace.ledger.create_and_open import create_database, open_database, open_or_create_database
from menace.ledger.learners import new_learner
from menace.ledger.log import verification
from menace.ledger.store import Store, sqlite
from menace.people.session import Session

pytestmark = pytest.mark.slow

ENDLESS = "SELECT count(*) FROM move AS a, move AS b, move AS c, move AS d"  # this query runs until it is stopped


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("readers") / "menace.db"
    with create_database(path) as store:
        selfplay(store, games=300, seed=1)
        play_a_game(store)
    return path


@pytest.fixture
def store(template: Path, tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "menace.db"
    shutil.copy(template, path)
    with open_database(path) as opened:
        yield opened


def play_a_game(store: Store) -> None:
    """Play as X against menace-o, always choosing the first free cell, and record the game."""
    play_out(Session(store, "menace-o", "X", seed=1))


def can_be_written(path: str) -> bool:
    """Return whether the database can be locked for writing."""
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            return False
        return True


READERS: dict[str, Callable[[Store], object]] = {
    "verify": verification.verify,
    "history": lambda store: history.box_history(store, ".........", "menace-x"),
    "replay": lambda store: history.replay_game(store, 1),
    "games": history.recorded_games,
    "graph": lambda store: game_graph(store, "all", "menace-x"),
    "picture": lambda store: graph_figure.draw(store, "optimal", "menace-x"),
    "plot outcomes": lambda store: learning_curves.outcome_steps(store, ["menace-x"]),
    "plot strength": lambda store: learning_curves.strengths_of(store, ["menace-x"]),
    "plot openings": lambda store: replayed_learners.openings_of(store, ["menace-x"]),
    "compare": lambda store: comparison(store, []),
}


@pytest.mark.parametrize("name", READERS)
def test_long_reads_use_copy_and_hold_no_lock(store: Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rows, free = Store.rows, []

    def look(self: Store, sql: str, *parameters: object) -> list[tuple[object, ...]]:
        if self.is_copy:
            free.append(can_be_written(store.path))
        return rows(self, sql, *parameters)

    monkeypatch.setattr(Store, "rows", look)
    READERS[name](store)
    assert len(free) >= 3
    assert all(free)


def test_copy_matches_file_and_is_read_only(store: Store) -> None:
    learners = store.learners()
    with store.copied() as copied:
        new_learner(store, "adam", "X")
        assert copied.learners() == learners
        assert copied.damage() == []
        with copied.copied() as again:
            assert again is copied
        with pytest.raises(StoreError, match="read-only"):
            new_learner(copied, "eva", "O")
    assert [row.name for row in store.learners()] == ["menace-x", "menace-o", "adam"]


def test_large_file_is_copied(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "CACHE", 8192)
    monkeypatch.setattr(sqlite, "PAGES_PER_STEP", 1)
    with store.copied() as copied:
        assert copied.damage() == []
        assert copied.table_rows("move", 0, 764) == store.table_rows("move", 0, 764)


def test_slow_copy_is_aborted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "MAX_READ_SECONDS", 0.0)
    with pytest.raises(DatabaseBusy, match="takes longer than 0 s"), store.copied():
        pass
    with pytest.raises(DatabaseBusy, match="takes longer than 0 s"):
        store.backup(Path(store.path).with_name("copy.db"))
    assert can_be_written(store.path)
    assert [file.name for file in Path(store.path).parent.iterdir()] == ["menace.db"]


@pytest.mark.parametrize(("late", "given_up"), [(0.0, False), (0.001, True)])
def test_copy_time_limit_is_exact(store: Store, monkeypatch: pytest.MonkeyPatch, late: float, given_up: bool) -> None:
    # the first call returns the start time, and each later call returns the time limit plus `late`
    clock = iter([1000.0])
    monkeypatch.setattr(sqlite.time, "monotonic", lambda: next(clock, 1000.0 + sqlite.MAX_READ_SECONDS + late))
    with contextlib.closing(sqlite3.connect(":memory:")) as target:
        if given_up:
            with pytest.raises(DatabaseBusy, match="takes longer than 20 s"):
                sqlite.copy_pages(store.database, target)
        else:
            sqlite.copy_pages(store.database, target)
            assert target.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not list a process's files")
@pytest.mark.parametrize(("mebibytes", "in_memory"), [(50, True), (70, False)])
def test_private_copy_stays_in_memory_up_to_64_mib(mebibytes: int, in_memory: bool) -> None:
    def files() -> int:  # the names of SQLite's temporary files contain `etilqs`
        return sum("etilqs" in str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())

    with contextlib.closing(sqlite3.connect(":memory:")) as source:
        source.execute("CREATE TABLE page AS SELECT zeroblob(?) AS zeros", (mebibytes * 2**20,))
        before = files()
        with contextlib.closing(sqlite.private_copy(source)):
            assert (files() == before) == in_memory


def test_writer_patience_exceeds_read_limit() -> None:
    assert sqlite.WRITERS_PATIENCE >= 4 * sqlite.MAX_READ_SECONDS
    assert sqlite.PATIENCE > sqlite.MAX_READ_SECONDS


def test_slow_query_does_not_block_others(store: Store) -> None:
    begun = threading.Event()

    def ask() -> None:
        with open_database(store.path) as own:
            begun.set()
            with contextlib.suppress(QueryFailed):
                queries.query(own, ENDLESS, time_limit=1.5)

    reader = threading.Thread(target=ask)
    reader.start()
    begun.wait()
    time.sleep(0.2)
    start = time.monotonic()
    play_a_game(store)
    assert reader.is_alive()
    assert time.monotonic() - start < 1.0
    reader.join()


def test_writer_waits_until_slow_reader_has_finished(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.1)
    with contextlib.closing(sqlite3.connect(store.path, check_same_thread=False)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM position").fetchall()
        threading.Timer(0.5, reader.rollback).start()
        new_learner(store, "adam", "X")
    assert store.has_learner("adam")


@contextlib.contextmanager
def locked_by_another(path: str) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.parametrize("opening", [open_database, open_or_create_database, create_database])
def test_exclusive_lock_is_waited_for_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, opening: Callable[[str], Store]
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.5)
    with locked_by_another(store.path):
        start = time.monotonic()
        with pytest.raises(DatabaseBusy, match=r"locked by another program for 0\.5 s"):
            opening(store.path)
        assert 0.5 <= time.monotonic() - start < 0.9


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Send Ctrl-C after the given number of seconds."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, previous)


def test_ctrl_c_stops_backup_of_locked_source(store: Store) -> None:
    target = Path(store.path).with_name("copy.db")
    with locked_by_another(store.path), interrupted_after(0.3):
        start, busy = time.monotonic(), time.process_time()
        with pytest.raises(KeyboardInterrupt):
            store.backup(target)
        assert time.monotonic() - start < 1.0
        assert time.process_time() - busy < 0.25  # the process sleeps
    assert [file.name for file in target.parent.iterdir()] == ["menace.db"]


def test_ctrl_c_stops_backup_during_copy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PAGES_PER_STEP", 1)
    looks = iter(range(9))
    monotonic = time.monotonic

    def clock() -> float:
        if next(looks, None) == 5:
            signal.raise_signal(signal.SIGINT)
        return monotonic()

    monkeypatch.setattr(sqlite.time, "monotonic", clock)
    with interrupted_after(60), pytest.raises(KeyboardInterrupt):
        store.backup(Path(store.path).with_name("copy.db"))
    assert [file.name for file in Path(store.path).parent.iterdir()] == ["menace.db"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o400])
def test_backup_never_has_more_permissions_than_file(store: Store, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    folder, modes = Path(store.path).parent, set()
    (folder / "menace.db").chmod(mode)
    pages = sqlite.copy_pages

    def look(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
        pages(source, target)
        modes.update(
            (path.name, stat.S_IMODE(path.stat().st_mode)) for path in folder.rglob("*") if path.name != "menace.db"
        )

    monkeypatch.setattr(sqlite, "copy_pages", look)
    store.backup(folder / "new.db")
    assert stat.S_IMODE((folder / "new.db").stat().st_mode) == mode
    assert len(modes) == 2  # the first call creates a private folder, and the second creates the copy in that folder
    assert all(permissions & 0o077 == 0 for _, permissions in modes)


KILLED_BACKUP = """
import os, sys
from menace.ledger.create_and_open import open_database
from menace.ledger.store import sqlite
sqlite.copy_pages = lambda *_: os.kill(os.getpid(), 9)
open_database(sys.argv[1]).backup(sys.argv[2])
"""


def test_next_backup_removes_leftovers_of_killed_one(store: Store) -> None:
    folder = Path(store.path).parent
    subprocess.run([sys.executable, "-c", KILLED_BACKUP, store.path, str(folder / "copy.db")], check=False)
    assert len(list(folder.iterdir())) == 2
    store.backup(folder / "copy.db")
    assert {file.name for file in folder.iterdir()} == {"menace.db", "copy.db"}


def test_backup_does_not_replace_new_file(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    target, pages = Path(store.path).with_name("copy.db"), sqlite.copy_pages

    def slowly(*connections: sqlite3.Connection) -> None:
        pages(*connections)
        target.write_text("somebody's")

    monkeypatch.setattr(sqlite, "copy_pages", slowly)
    with pytest.raises(StoreError, match="already exists"):
        store.backup(target)
    assert target.read_text() == "somebody's"


def test_backup_works_without_hard_links(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    target = Path(store.path).with_name("copy.db")
    monkeypatch.setattr(os, "link", without_links)
    store.backup(target)
    with open_database(target) as copied:
        assert copied.rows("SELECT * FROM position") == store.rows("SELECT * FROM position")
    assert {file.name for file in target.parent.iterdir()} == {"menace.db", "copy.db"}


def test_commit_settings_survive_power_cut(store: Store, tmp_path: Path) -> None:
    with create_database(tmp_path / "new.db") as made:
        for opened in (store, made):
            assert opened.rows("PRAGMA synchronous") == [(3,)]  # EXTRA
            assert opened.rows("PRAGMA journal_mode") == [("delete",)]


LONG_STEP = "SELECT length(trim(replace(hex(zeroblob(40000)),'0','a'), replace(hex(zeroblob(40000)),'0','b')||'a'))"
LONG_TEXT = "SELECT instr(printf('%.*c',400000000,'a'), printf('%.*c',4000,'a')||'b')"
LARGE_BLOBS = """WITH RECURSIVE r(n, b) AS (
    SELECT 1, zeroblob(200000000) UNION ALL SELECT n + 1, zeroblob(200000000) FROM r LIMIT 5) SELECT b FROM r"""
MANY_BLOBS = LARGE_BLOBS.replace("200000000", "999000").replace("LIMIT 5", "")
SORTED_BLOBS = f"{MANY_BLOBS} ORDER BY random()"
DOUBLINGS = "WITH t0 AS (SELECT 1 AS a)" + "".join(
    f", t{i} AS (SELECT * FROM t{i - 1} UNION ALL SELECT * FROM t{i - 1})" for i in range(1, 28)
)


@pytest.mark.parametrize("sql", [LONG_STEP, LONG_TEXT, ENDLESS])
def test_ctrl_c_and_time_limit_stop_any_query(store: Store, sql: str) -> None:
    for limit, error, reaction in (
        (0.3, QueryFailed, 2 * read_only_sql.GRACE),
        (60, KeyboardInterrupt, 2 * read_only_sql.GRACE),
    ):
        start = time.monotonic()
        with interrupted_after(0.3 if limit == 60 else 60), pytest.raises(error):
            queries.query(store, sql, time_limit=limit)
        assert time.monotonic() - start < 0.3 + reaction + 0.5
    assert can_be_written(store.path)


def test_command_ends_while_query_still_runs(store: Store) -> None:
    command = [sys.executable, "-m", "menace", "query", LONG_STEP, "--timeout", "0.5", "--db", store.path]
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=30)
    assert time.monotonic() - start < 10  # this step of the query takes 50 s
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "menace: the query took longer than 0.5 s; simplify it, or increase --timeout\n"


def test_query_works_without_threads(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Pyodide, the `threading` module exists but cannot start threads."""

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(read_only_sql.threading.Thread, "start", start)
    assert queries.query(store, "SELECT 1 + 1 AS two").rows == [(2,)]
    with pytest.raises(QueryFailed, match=r"the query took longer than 0\.1 s"):
        queries.query(store, ENDLESS, time_limit=0.1)


# Print the peak memory use of the command. The value that `wait4` returns would also include the memory of the parent
# process.
MOST_MEMORY = """
import atexit, re, sys
from pathlib import Path
from menace.__main__ import main
def most():
    print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
atexit.register(most)
main()
"""


@pytest.mark.parametrize("sql", [LARGE_BLOBS, MANY_BLOBS, SORTED_BLOBS, f"{DOUBLINGS} SELECT count(*) FROM t27"])
def test_query_memory_is_limited(store: Store, sql: str) -> None:
    command = [sys.executable, "-c", MOST_MEMORY, "query", sql, "--timeout", "1", "--db", store.path]
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/", check=False)
    assert ended.returncode == 1
    message, most = ended.stderr.splitlines()
    assert message.startswith("menace: ")
    assert int(most) < 700 * 1024  # KiB


def test_too_long_text_is_reported(store: Store) -> None:
    with pytest.raises(QueryFailed, match="a string or blob of more than 1,000,000 bytes"):
        queries.query(store, "SELECT zeroblob(1000001)")
    assert queries.query(store, "SELECT length(zeroblob(900000))").rows == [(900_000,)]


def test_answer_rows_and_size_are_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_only_sql, "MAX_ROWS", 765)
    monkeypatch.setattr(read_only_sql, "MAX_ANSWER_SIZE", 8_000_000)
    assert len(queries.query(store, "SELECT * FROM position").rows) == 765
    with pytest.raises(QueryFailed, match="more than 765 rows; reduce it with WHERE, LIMIT"):
        queries.query(store, "SELECT 1 FROM move")
    assert len(queries.query(store, "SELECT zeroblob(500000) FROM move LIMIT 16").rows) == 16
    with pytest.raises(QueryFailed, match="larger than 8 MB; select fewer rows or columns"):
        queries.query(store, "SELECT zeroblob(500000) FROM move LIMIT 17")


@pytest.mark.parametrize(
    "call",
    [
        "load_extension('x')",
        "load_extension('x', 'y')",
        "fts3_tokenizer('simple')",
        "FTS3_Tokenizer('simple', x'00')",
        "sqlite_log(1, 'x')",
    ],
)
def test_functions_outside_database_are_denied(store: Store, call: str) -> None:
    name = call.partition("(")[0]
    known = {row[0] for row in store.rows("SELECT name FROM pragma_function_list")}
    if name.lower() not in known:
        pytest.skip(f"this SQLite has no {name}")
    with pytest.raises(QueryFailed, match=f"more than read .*{name}"):
        queries.query(store, f"SELECT {call}")
