"""Tests of tools/faults/interruptions.py: a short run, and the simulated disk."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT
from faults.commands import READING, WRITING, command_names
from faults.power import Call, Disk, read_calls, split_into_sectors

TOOL = ROOT / "tools" / "faults" / "interruptions.py"


def run_tool(*arguments: str) -> str:
    if sys.platform != "linux" or shutil.which(os.environ.get("CC", "cc")) is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("requires Linux and a C compiler")
    command = [sys.executable, str(TOOL), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_every_command_is_in_one_table() -> None:
    """If this test fails, add the new command to the right table.

    The program tools/faults/interruptions.py checks whether each command writes.
    """
    assert WRITING.keys() | READING.keys() == command_names()
    assert not WRITING.keys() & READING.keys()


@pytest.mark.slow
def test_kills_errors_power_cuts_and_locks_cause_no_faults() -> None:
    some = "^(rename|study run beads|export earlier.csv|games --run)"
    report = run_tool("calls", "power", "moments", "locks", "--max-calls", "3", "--times", "1", "--only", some)
    for kind in ("killed", "disk full", "device failed once", "device failed for good", "power cut", "EXCLUSIVE lock"):
        assert kind in report
    assert "0 faults" in report


def make_disk(folder: Path, *calls: tuple[str, int, int, str, bytes]) -> Disk:
    """Return the simulated disk after `calls`.

    Before these calls, the disk contains a file `a` with 1,024 bytes `a`, whose inode is 1 in the calls.
    """
    (folder / "a").write_bytes(b"a" * 1024)
    made = Disk(folder)
    number = (folder / "a").stat().st_ino
    for letter, inode, offset, name, data in calls:
        second = str(folder / data.decode()).encode() if letter in "rl" else data
        made.call(Call(letter, number if inode == 1 else inode, offset, str(folder / name), second))
    return made


def files_after_crash(made: Disk, which: str, target: Path, seed: int = 0) -> dict[str, bytes]:
    made.crash(random.Random(seed), which, target)
    return {path.name: path.read_bytes() for path in target.iterdir()}


WRITE = ("w", 1, 0, "a", b"b" * 1024)
SYNC, SYNC_FOLDER = ("f", 1, 0, "a", b""), ("f", 0, 0, "", b"")


def test_crash_loses_only_unsynced_data(tmp_path: Path) -> None:
    folder, target = tmp_path / "disk", tmp_path / "left"
    folder.mkdir()
    written = make_disk(folder, WRITE)
    assert files_after_crash(written, "none", target) == {"a": b"a" * 1024}
    assert files_after_crash(written, "all", target) == {"a": b"b" * 1024}
    torn = {files_after_crash(written, "some", target, seed)["a"] for seed in range(40)}
    assert torn == {x * 512 + y * 512 for x in (b"a", b"b") for y in (b"a", b"b")}
    assert files_after_crash(make_disk(folder, WRITE, SYNC), "none", target) == {"a": b"b" * 1024}


def test_crash_loses_names_unless_their_folder_is_synced(tmp_path: Path) -> None:
    folder, target = tmp_path / "disk", tmp_path / "left"
    folder.mkdir()
    renamed = ("o", 9, 0, "b", b""), ("w", 9, 0, "b", b"new"), ("f", 9, 0, "b", b""), ("r", 9, 0, "b", b"a")
    assert files_after_crash(make_disk(folder, *renamed), "none", target) == {"a": b"a" * 1024}
    assert files_after_crash(make_disk(folder, *renamed), "all", target) == {"a": b"new"}
    assert files_after_crash(make_disk(folder, *renamed, SYNC_FOLDER), "none", target) == {"a": b"new"}
    assert files_after_crash(make_disk(folder, ("u", 1, 0, "a", b""), SYNC_FOLDER), "none", target) == {}
    assert files_after_crash(make_disk(folder, *renamed[:2], SYNC_FOLDER), "none", target)["b"] == b""
    assert make_disk(folder, *renamed).is_synced is False


def test_write_is_split_at_sector_boundaries() -> None:
    parts = list(split_into_sectors(Call("w", 1, 500, "a", b"x" * 600)))
    assert [(part.offset, len(part.data)) for part in parts] == [(500, 12), (512, 512), (1024, 76)]


def test_log_of_system_calls_is_parsed(tmp_path: Path) -> None:
    numbers = [value.to_bytes(8, "little") for value in (7, 4096, 2)]
    (tmp_path / "log").write_bytes(b"w" + b"".join(numbers) + b"/a" + (3).to_bytes(8, "little") + b"new")
    assert read_calls(tmp_path / "log") == [Call("w", 7, 4096, "/a", b"new")]
