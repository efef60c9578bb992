"""Simulate a disk that loses power, for interruptions.py.

The calls are recorded together with their data. After a crash, the disk still contains all data and file names that
were synced. The disk may also contain the unsynced changes to names up to some moment, and any subset of the unsynced
sectors.
"""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512  # the number of bytes that a disk writes atomically
ANSWERS = ".jsonl"  # files to which an exam appends lines
NUMBERS = struct.Struct("<QqQ")


class Call(NamedTuple):
    """A recorded call: its letter in calls.c, an inode, an offset or length, a path, and data or a second path."""

    letter: str
    inode: int
    offset: int
    path: str
    data: bytes


def read_calls(log: Path) -> list[Call]:
    """Read the calls from a log that calls.c has written."""
    content, at, calls = log.read_bytes(), 0, []
    while at < len(content):
        letter = chr(content[at])
        inode, offset, length = NUMBERS.unpack_from(content, at + 1)
        at += 1 + NUMBERS.size
        path = content[at : at + length].decode()
        (size,) = struct.unpack_from("<Q", content, at + length)
        at += length + 8
        calls.append(Call(letter, inode, offset, path, content[at : at + size]))
        at += size
    return calls


@dataclass
class File:
    """The synced content of a file, with the later writes and truncations that a crash may lose."""

    synced: bytearray = field(default_factory=bytearray)
    later: list[Call] = field(default_factory=list)


def apply(content: bytearray, call: Call) -> None:
    """Apply a write or a truncation to `content`."""
    if call.letter == "t":
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
    else:
        content.extend(bytes(max(0, call.offset - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data


class Disk:
    """A folder on a disk: the synced names, later changes to names, and the files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     disk = Disk(Path(name))
    ...     disk.call(Call("o", 1, 0, f"{name}/a", b""))
    ...     disk.call(Call("w", 1, 0, f"{name}/a", b"new"))
    ...     disk.call(Call("f", 1, 0, f"{name}/a", b""))
    ...     disk.names(0), disk.names(1)
    ({}, {'a': File(synced=bytearray(b'new'), later=[])})
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {
            path.stat().st_ino: File(bytearray(path.read_bytes())) for path in folder.rglob("*") if path.is_file()
        }
        self.synced: dict[str, File | None] = {  # folders have None
            str(path.relative_to(folder)): self.files.get(path.stat().st_ino) for path in folder.rglob("*")
        }
        self.later: list[tuple[Call, File | None]] = []

    def call(self, call: Call) -> None:
        """Apply a call."""
        if call.letter == "o":
            self.files[call.inode] = File()
            self.later.append((call, self.files[call.inode]))
        elif call.letter in "umdrl":
            self.later.append((call, None))
        elif call.letter in "wt":
            self.files[call.inode].later.append(call)
        elif call.inode in self.files:  # syncs a file
            file = self.files[call.inode]
            for each in file.later:
                apply(file.synced, each)
            file.later = []
        else:  # syncing a folder on a journalling file system also syncs all earlier changes to names
            self.synced, self.later = self.names(len(self.later)), []

    @property
    def is_synced(self) -> bool:
        """Whether all changes to names and all answers to exams have been synced."""
        return not self.later and not any(
            file.later for name, file in self.synced.items() if file and name.endswith(ANSWERS)
        )

    def names(self, changes: int) -> dict[str, File | None]:
        """Return the files, indexed by name, after the first `changes` unsynced changes to names."""
        names = dict(self.synced)
        for call, file in self.later[:changes]:
            path = str(Path(call.path).relative_to(self.folder))
            if call.letter in "om":
                names[path] = file
            elif call.letter in "ud":
                names.pop(path, None)
            else:
                second = str(Path(call.data.decode()).relative_to(self.folder))
                for old in [old for old in names if old == path or old.startswith(f"{path}/")]:
                    names[second + old[len(path) :]] = names[old] if call.letter == "l" else names.pop(old)
        return names

    def crash(self, chance: random.Random, which: str, target: Path) -> None:
        """Write the files that exist after a crash to a new folder.

        Args:
            chance: the random generator for `some`.
            which: the share of unsynced changes that the crash keeps: `all`, `none` or `some`.
            target: the new folder.
        """
        changes = {"all": len(self.later), "none": 0}.get(which, chance.randint(0, len(self.later)))
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        for name, file in sorted(self.names(changes).items()):
            path = target / name
            if file is None:
                path.mkdir(parents=True, exist_ok=True)
                continue
            content = bytearray(file.synced)
            for call in file.later:
                for part in split_into_sectors(call) if which == "some" else (call,):
                    if which == "all" or (which == "some" and chance.random() < 0.5):  # noqa: PLR2004 - a coin toss
                        apply(content, part)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def split_into_sectors(call: Call) -> Iterator[Call]:
    """Split a call into the parts that the disk writes atomically."""
    if call.letter != "w":
        yield call
        return
    start = 0
    while start < len(call.data):
        end = start + SECTOR - (call.offset + start) % SECTOR
        yield call._replace(offset=call.offset + start, data=call.data[start:end])
        start = end


def is_boundary(call: Call) -> bool:
    """Return whether a call commits a change by removing a journal, renaming or linking a file, or adding an answer."""
    if call.letter == "w":
        return call.path.endswith(ANSWERS)
    return call.letter in "rl" or (call.letter in "ut" and call.path.endswith("-journal"))
