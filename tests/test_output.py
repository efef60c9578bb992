"""Files are complete or not there; tables are harmless; readers may go when they have read enough."""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run, ok, refused

import menace
from menace.errors import MissingExtra, OutputError
from menace.output import csv_text, file_format, need_extra, write_file

FULL = Path("/dev/full")


def test_a_file_is_written_and_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"one")
    path.chmod(0o640)
    write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_what_was_there_stays_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"old")

    def no_space(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OutputError, match=r"a.txt cannot be written \(No space left on device\); make room"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_an_interrupt_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "a.txt", b"new")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_a_directory_and_a_long_name_are_explained(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"there is no folder .*missing for a.txt; make it first"):
        write_file(tmp_path / "missing" / "a.txt", b"")
    with pytest.raises(OutputError, match="is a directory; name a file in it"):
        write_file(tmp_path, b"")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file(tmp_path / ("a" * 300), b"")
    with pytest.raises(OutputError, match="cannot be written"):
        write_file("a\0b", b"")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_device_is_explained() -> None:
    with pytest.raises(OutputError, match=r"/dev/full cannot be written \(No space left on device\); make room"):
        write_file(FULL, b"a")


def test_a_link_keeps_pointing_and_a_pipe_is_written_to(tmp_path: Path) -> None:
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


def test_the_format_is_the_ending_unless_one_is_asked_for() -> None:
    formats = ("svg", "png")
    assert file_format("a.SVG", formats) == "svg"
    assert file_format("a.svg", formats, "png") == "png"
    assert file_format("-", formats, ".PNG") == "png"
    for path, wanted in (("a", None), ("a.gif", None), ("-", None), ("a.svg", "gif")):
        with pytest.raises(OutputError, match=r"svg, \.?png"):
            file_format(path, formats, wanted)


def test_a_missing_library_is_named_with_what_installs_it() -> None:
    need_extra("json", "plot")
    with pytest.raises(MissingExtra, match=r"pip install 'matchbox-menace\[plot\]'"):
        need_extra("no_such_library", "plot")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0"])
def test_a_text_that_a_spreadsheet_would_run_is_made_harmless(text: str) -> None:
    ((header,), (cell,)) = csv.reader(io.StringIO(csv_text([text], [(text,)]), newline=""))
    assert header == cell == f"'{text}"


def test_numbers_and_texts_come_back_as_they_were() -> None:
    rows = [(-1, 0.5, 'a "quoted"\nline', "a,b", "", None, "ΑΒΓ", "a=b", " =1")]
    (found,) = csv.reader(io.StringIO(csv_text([], rows).removeprefix("\n")))
    assert found == ["-1", "0.5", 'a "quoted"\nline', "a,b", "", "", "ΑΒΓ", "a=b", " =1"]


def test_query_makes_its_csv_harmless_too(trained: Run) -> None:
    ok(trained("rename", "menace-x", "=1+1"))
    assert ok(trained("query", "SELECT name FROM learner ORDER BY 1", "--csv")) == "name\n'=1+1\nmenace-o\n"


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_a_reader_that_closes_the_pipe_ends_the_command_quietly(form: list[str], tmp_path: Path) -> None:
    database = tmp_path / "menace.db"
    with menace.create_database(database) as store:
        menace.selfplay(store, games=50, seed=1)
    more_than_a_pipe_holds = "SELECT a.* FROM move AS a, move AS b LIMIT 100000"
    command = [sys.executable, "-m", "menace", "query", more_than_a_pipe_holds, *form, "--db", str(database)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=buffered)
    assert run.stdout is not None
    assert run.stderr is not None
    assert len(run.stdout.read(20)) == 20
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    assert run.wait() == 1


def test_a_full_disk_and_a_missing_folder_are_one_line_of_every_command(trained: Run) -> None:
    for command in (
        ["labels", "menace-x", "missing/a.pdf"],
        ["plot", "outcomes", "menace-x", "missing/a.svg"],
        ["export", "missing/a.gexf"],
        ["export", "missing/a.html", "--learner", "menace-x"],
        ["picture", "missing/a.svg"],
    ):
        refused(trained(*command), "there is no folder")
