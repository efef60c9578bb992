"""Tests that files are written atomically, that CSV is safe in spreadsheets, and that pipes may be closed."""

from __future__ import annotations

import csv
import errno
import io
import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ok, refused
from database_templates import fresh_database

from menace.errors import OutputError
from menace.files.output import csv_text, file_format, write_file, write_folder

FULL = Path("/dev/full")


def test_file_is_written_and_replaced_atomically(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"one")
    path.chmod(0o640)
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_old_file_remains_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"old")

    def no_space(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OutputError, match=r"a.txt cannot be written \(No space left on device\); free some space"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("there", [False, True])
def test_failed_rename_does_not_fall_back_to_copying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """Copying could expose a partial file to other programs, and would break hard links to an existing file."""
    path, link = tmp_path / "a.txt", tmp_path / "link"
    if there:
        write_file(path, b"old")
        link.hardlink_to(path)
    before = {file.name: (file.stat().st_ino, file.read_bytes()) for file in tmp_path.iterdir()}

    def refuse(_path: Path, _target: Path) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    for name in ("replace", "rename"):
        monkeypatch.setattr(Path, name, refuse)
        monkeypatch.setattr(os, name, refuse)
    with pytest.raises(OutputError, match=r"a.txt cannot be written \(Invalid cross-device link\); check the folder"):
        write_file(path, b"new")
    assert {file.name: (file.stat().st_ino, file.read_bytes()) for file in tmp_path.iterdir()} == before


def test_interrupt_while_writing_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "a.txt", b"new")
    assert list(tmp_path.iterdir()) == []


def test_path_errors_are_explained(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"there is no folder .*missing for a.txt; create it first"):
        write_file(tmp_path / "missing" / "a.txt", b"")
    with pytest.raises(OutputError, match="is a folder; choose a file in this folder"):
        write_file(tmp_path, b"")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file(tmp_path / ("a" * 300), b"")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file("a\0b", b"")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_full_device_is_explained() -> None:
    with pytest.raises(OutputError, match=r"/dev/full cannot be written \(No space left on device\); free some space"):
        write_file(FULL, b"a")


TABLES = {"one": b"1", "two": b"2"}


def test_folder_is_written_and_replaced_atomically(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    write_folder(folder, {"one": b"old"})
    (folder / "one").chmod(0o640)
    folder.chmod(0o750)
    write_folder(folder, TABLES)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == TABLES
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "one")] == [0o750, 0o640]
    assert [file.name for file in tmp_path.iterdir()] == ["tables"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_folder_respects_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_folder(tmp_path / "tables", TABLES)
        (tmp_path / "usual").mkdir()
    finally:
        os.umask(before)
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o755 for name in ("tables", "usual")}
    assert len(modes) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("call", range(1, 8))
def test_old_folder_remains_if_any_step_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int, there: bool, error: type[BaseException]
) -> None:
    if there:
        write_folder(tmp_path / "tables", {"one": b"old"})
    calls = 0

    def failing(todo: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            nonlocal calls
            calls += 1
            if calls == call:
                raise error(errno.ENOSPC, "No space left on device")
            return todo(*arguments)

        return wrapped

    def write_repeatedly() -> None:
        while calls < call:
            write_folder(tmp_path / "tables", {"one": b"old"} if there else TABLES)
            if not there:
                shutil.rmtree(tmp_path / "tables")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(os.fsync))
        patch.setattr(Path, "rename", failing(Path.rename))
        patch.setattr(Path, "replace", failing(Path.replace))
        with pytest.raises(KeyboardInterrupt if error is KeyboardInterrupt else OutputError):
            write_repeatedly()
        assert calls >= call  # later calls undo the step that failed
    assert {file.name for file in tmp_path.iterdir()} <= {"tables"}
    if there:
        assert (tmp_path / "tables" / "one").read_bytes() == b"old"


WRITE_SLOWLY = """
import os, sys, time
from menace.files import output
from pathlib import Path
from typing import Any
fsync = os.fsync
def slow(handle):
    print("writing", flush=True)
    sys.stdin.readline()
    fsync(handle)
os.fsync = slow
target = Path(sys.argv[2])
if sys.argv[1] == "file":
    output.write_file(target, b"whole")
else:
    output.write_folder(target, {"a": b"whole"})
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_only_leftovers_of_killed_processes_are_removed(tmp_path: Path, kind: str) -> None:
    command = [sys.executable, "-c", WRITE_SLOWLY, kind]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    # type: ignore[call-overload]
    killed, alive = (subprocess.Popen([*command, str(tmp_path / name)], **pipes) for name in ("killed", "alive"))
    for process in (killed, alive):
        assert process.stdout.readline() == "writing\n"
    (tmp_path / ".menace-notes").write_text("mine")
    assert len(list(tmp_path.glob(".menace-*.partial"))) == 2
    write_file(tmp_path / "first", b"")
    assert len(list(tmp_path.glob(".menace-*.partial"))) == 2  # both processes are alive
    killed.kill()
    killed.communicate()
    write_file(tmp_path / "second", b"")
    assert len(list(tmp_path.glob(".menace-*.partial"))) == 1
    alive.communicate("\n" * 9)
    assert alive.returncode == 0
    assert {file.name for file in tmp_path.iterdir()} == {".menace-notes", "first", "second", "alive"}
    whole = tmp_path / "alive" / "a" if kind == "folder" else tmp_path / "alive"
    assert whole.read_bytes() == b"whole"


# For each n, this program runs a child process that exits at its n-th call to any of the functions in CALLS, which can
# change a folder. The program prints the content of the folder at that moment and after the next write.
KILLED_AT_EACH_STEP = """
import json, os, shutil, sys
from pathlib import Path
from typing import Any
from menace.files.output import write_file, write_folder

root = Path(sys.argv[1])
CALLS = ("rename", "replace", "mkdir", "rmdir", "unlink", "chmod", "fsync", "open")

def exit_at_last_call(todo, counter, last):
    def wrapped(*arguments, **more):
        counter[0] += 1
        if counter[0] == last:
            os._exit(9)
        return todo(*arguments, **more)
    return wrapped

def content(place):
    return {file.name: file.read_text() for file in place.iterdir()} if place.exists() else None

step, code = 0, 9
while code == 9:
    step += 1
    place = root / str(step)
    place.mkdir()
    (place / "mine.txt").write_text("mine")
    write_folder(place / "tables", {"one": b"old", "gone": b"old"})
    child = os.fork()
    if not child:
        counter = [0]
        for name in CALLS:
            setattr(os, name, exit_at_last_call(getattr(os, name), counter, step))
        write_folder(place / "tables", {"one": b"new", "two": b"new"}, lambda _: ["gone"])
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    killed = content(place / "tables")
    write_file(place / "next.txt", b"")
    print(json.dumps([killed, content(place / "tables"), sorted(file.name for file in place.iterdir())]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork, nor locks to tell what a kill left")
def test_kill_at_any_step_preserves_old_or_new_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED_AT_EACH_STEP, str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    old, new = {"one": "old", "gone": "old"}, {"one": "new", "two": "new"}
    steps = [json.loads(line) for line in printed.splitlines()]
    assert all(killed in (old, new, None) for killed, _, _ in steps)
    assert None in [killed for killed, _, _ in steps]  # between the two renames
    assert all(later == (new if killed == new else old) for killed, later, _ in steps)
    assert all(names == ["mine.txt", "next.txt", "tables"] for _, _, names in steps)
    assert steps[0][0] == old
    assert steps[-1][0] == new


def create_leftovers_of_kill(place: Path) -> Path:
    """Create the files that are left if a process is killed between the two renames of the folder `tables`.

    Return the path of the partially written folder.
    """
    partial = place / ".menace-0123456789abcdef.partial"
    for folder, content in ((partial / "new", b"new"), (partial / "old" / "tables", b"old")):
        folder.mkdir(parents=True)
        (folder / "one").write_bytes(content)
    return partial


def test_recovery_does_not_overwrite_newly_created_folder(tmp_path: Path) -> None:
    partial = create_leftovers_of_kill(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine").write_bytes(b"mine")
    write_file(tmp_path / "next", b"")
    assert (tmp_path / "tables" / "mine").read_bytes() == b"mine"
    assert (partial / "old" / "tables" / "one").read_bytes() == b"old"
    shutil.rmtree(tmp_path / "tables")
    write_folder(tmp_path / "tables", {"one": b"newest"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()] == [
        ("next", b""),
        ("one", b"newest"),
    ]


def test_earlier_files_are_listed_after_recovery(tmp_path: Path) -> None:
    """Earlier files are listed only after recovery, because the list is in the recovered folder."""
    create_leftovers_of_kill(tmp_path)
    write_folder(tmp_path / "tables", {"two": b"2"}, lambda folder: [file.name for file in folder.iterdir()])
    assert [file.name for file in (tmp_path / "tables").iterdir()] == ["two"]


def test_file_added_during_rewrite_is_preserved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "tables", TABLES)
    sync = os.fsync

    def add(handle: int) -> None:
        (tmp_path / "tables" / "mine.txt").write_text("mine")
        sync(handle)

    monkeypatch.setattr(os, "fsync", add)
    with pytest.raises(OutputError, match=r"tables contains mine.txt, which menace did not write"):
        write_folder(tmp_path / "tables", {"one": b"new"}, lambda _: TABLES)
    assert {file.name: file.read_text() for file in (tmp_path / "tables").iterdir()} == {
        "one": "1",
        "two": "2",
        "mine.txt": "mine",
    }
    assert [file.name for file in tmp_path.iterdir()] == ["tables"]


def test_concurrent_writers_do_not_interfere(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for turn in range(30):
            write_file(tmp_path / f"{number}", b"%d" % turn)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {f"{n}": b"29" for n in range(8)}


def test_private_file_stays_private_while_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, modes = tmp_path / "a", []
    write_file(path, b"old")
    path.chmod(0o600)
    sync = os.fsync

    def record_modes(handle: int) -> None:
        modes.extend(stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir())
        sync(handle)

    monkeypatch.setattr(os, "fsync", record_modes)
    opened = os.open

    def record_new_file_mode(*arguments: object, **options: object) -> int:
        handle = opened(*arguments, **options)  # type: ignore[arg-type]
        modes.append(stat.S_IMODE(os.fstat(handle).st_mode) if arguments[0] != tmp_path else 0o600)
        return handle

    monkeypatch.setattr(os, "open", record_new_file_mode)
    write_file(path, b"new")
    assert len(modes) > 3
    assert set(modes) == {0o600}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.fixture
def file_operations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that records subsequent sync, rename and link operations in order."""
    noted: list[str] = []
    sync = os.fsync

    def note_sync(handle: int) -> None:
        noted.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def note(owner: Any, name: str, word: str) -> None:
        own = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda path, target: noted.append(word) or own(path, target))

    monkeypatch.setattr(os, "fsync", note_sync)
    note(Path, "replace", "renamed")
    note(Path, "rename", "renamed")
    note(os, "link", "named")
    return noted


def test_folder_is_synced_after_rename(tmp_path: Path, file_operations: list[str]) -> None:
    write_file(tmp_path / "a", b"")
    assert file_operations == ["file", "renamed", "folder"]
    file_operations.clear()
    write_folder(tmp_path / "b", {"c": b""})
    assert file_operations == ["file", "renamed", "folder", "renamed", "folder"]


def test_backup_is_synced_before_naming_and_folder_after(tmp_path: Path, file_operations: list[str]) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        file_operations.clear()
        store.backup(tmp_path / "backup.db")
    assert file_operations == ["file", "named", "folder"]


@pytest.mark.parametrize("ending", ["-journal", "-WAL"])
@pytest.mark.parametrize("command", [["backup"]], ids=" ".join)
@pytest.mark.slow
def test_file_names_reserved_by_sqlite_are_refused(
    trained: Run, tmp_path: Path, command: list[str], ending: str
) -> None:
    before = {file.name for file in tmp_path.iterdir()}
    for database in ("menace.db", "none.db"):
        refused(trained(command[0], f"{database}{ending}", *command[1:]), f"{database}{ending} is a name that SQLite")
        Path("link").symlink_to(f"{database}{ending}")
        Path("link").unlink()
        refused(trained("init", "--db", f"{database}{ending}"), "is a name that SQLite")
    assert {file.name for file in tmp_path.iterdir()} == before


def test_writing_follows_symlinks_and_supports_pipes(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_file(pipe, b"through")
    assert reader.communicate()[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_file_format_is_determined_by_extension() -> None:
    formats = ("svg", "png")
    assert file_format("a.SVG", formats) == "svg"
    for path in ("a", "a.gif", "-"):
        with pytest.raises(OutputError, match=r"svg, \.?png"):
            file_format(path, formats)


FORMULA_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"  # the last four signs are full-width


@pytest.mark.parametrize("text", [*(f"{sign}1" for sign in FORMULA_SIGNS), "=cmd|' /C calc'!A0"])
def test_csv_escapes_formulas(text: str) -> None:
    ((header,), (cell,)) = csv.reader(io.StringIO(csv_text([text], [(text,)]), newline=""))
    assert header == cell == f"'{text}"


def test_csv_escapes_formulas_for_every_separator() -> None:
    """Spreadsheets separate cells at commas, semicolons or tabs, depending on the locale."""
    befores = ("", ";", "x;", ';"', "x;'", "\t", "a\t", "\r", "x\n", "x\r\n", ";;", "a,b;")
    for before, sign, separator in itertools.product(befores, FORMULA_SIGNS, ",;\t"):
        text = csv_text(["a"], [(f"{before}{sign}1+1", 5), ("b", f"{before}{sign}1")])
        cells = itertools.chain(*csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        wrong = [cell for cell in cells if cell.lstrip("\"'").startswith(sign) and not cell.startswith("'")]
        assert wrong == [], (before, sign, separator)


def test_csv_preserves_numbers_and_ordinary_text() -> None:
    rows = [(-1, 0.5, 'a "quoted"\nline', "a,b", "", None, "ΑΒΓ", "a=b", " =1", "a; b")]
    (cells,) = csv.reader(io.StringIO(csv_text([], rows).removeprefix("\n")))
    assert cells == ["-1", "0.5", 'a "quoted"\nline', "a,b", "", "", "ΑΒΓ", "a=b", " =1", "a; b"]


def test_query_csv_escapes_formulas(trained: Run) -> None:
    printed = ok(trained("query", "SELECT '=' || plays AS side FROM learner ORDER BY 1", "--csv"))
    assert printed == "side\n'=O\n'=X\n"


LARGE_QUERY = "SELECT a.* FROM move AS a, move AS b LIMIT 20000"
WRITE_TO_STDOUT = [["query", LARGE_QUERY], ["query", LARGE_QUERY, "--csv"], ["contents", "menace-x", "--json"]]


@pytest.mark.slow
@pytest.mark.parametrize("words", WRITE_TO_STDOUT, ids=lambda words: f"{words[0]} {words[-1]}")
def test_closed_pipe_ends_command_quietly(words: list[str], shown: Path) -> None:
    command = [sys.executable, "-m", "menace", *words, "--db", str(shown)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=buffered)
    assert run.stdout is not None
    assert run.stderr is not None
    assert len(run.stdout.read(20)) == 20
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    assert run.wait() == 1


WRITE_A_FILE = [
    (["labels", "menace-x"], "pdf"),
    (["plot", "outcomes", "menace-x"], "svg"),
    (["export"], "gexf"),
    (["picture"], "svg"),
]


@pytest.mark.parametrize(("words", "form"), WRITE_A_FILE)
@pytest.mark.slow
def test_unwritable_output_is_reported_in_one_line(words: list[str], form: str, trained: Run) -> None:
    before = Path("menace.db").read_bytes()
    refused(trained(*words, f"missing/a.{form}"), "there is no folder")
    if FULL.exists():
        Path(f"full.{form}").symlink_to(FULL)
        refused(trained(*words, f"full.{form}"), f"full.{form} cannot be written (No space left")
    Path(f"link.{form}").symlink_to("menace.db")
    refused(trained(*words, f"link.{form}"), "is a database, which would be lost; choose another file")
    assert Path("menace.db").read_bytes() == before


def test_table_export_does_not_overwrite_database(trained: Run) -> None:
    Path("a").mkdir()
    ok(trained("backup", "a/moves.csv"))
    before = Path("a/moves.csv").read_bytes()
    refused(trained("export", "a.csv"), "a/moves.csv is a database")
    assert Path("a/moves.csv").read_bytes() == before
    assert not Path("a/positions.csv").exists()


def test_control_characters_in_file_names_are_escaped(trained: Run) -> None:
    for name, shown in (("\x1b[2J", "\\x1b[2J"), ("\x7f\u202e", "\\x7f\\u202e")):
        assert ok(trained("export", f"{name}.json")).startswith(f"{shown}.json: 765 positions")
