"""A disk that loses power: what a command wrote, and what of it is there afterwards. Used by interruptions.py.

Calls are recorded with their data. A crash after any of them leaves what was synced, and of what was not synced
anything: of names, the changes up to some moment, in their order; of data, any of the sectors written since.
"""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512  # bytes that a disk writes whole or not at all
NUMBERS = struct.Struct("<QqQ")


class Call(NamedTuple):
    """A recorded call: its letter (calls.c), the inode, an offset or length, a path, data or a second path."""

    letter: str
    inode: int
    offset: int
    path: str
    data: bytes


def read_calls(log: Path) -> list[Call]:
    """Return the calls that were written to a log."""
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
    """A file's content as it is on the disk, and the writes and truncations since, which may not be."""

    synced: bytearray = field(default_factory=bytearray)
    later: list[Call] = field(default_factory=list)


def apply(content: bytearray, call: Call) -> None:
    """Write or truncate."""
    if call.letter == "t":
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
    else:
        content.extend(bytes(max(0, call.offset - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data


class Disk:
    """A folder as calls leave it: the names that are synced, the changes to names since, and the files.

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
        self.synced: dict[str, File | None] = {  # a folder is None
            str(path.relative_to(folder)): self.files.get(path.stat().st_ino) for path in folder.rglob("*")
        }
        self.later: list[tuple[Call, File | None]] = []

    def call(self, call: Call) -> None:
        """Take a call."""
        if call.letter == "o":
            self.files[call.inode] = File()
            self.later.append((call, self.files[call.inode]))
        elif call.letter in "umdrl":
            self.later.append((call, None))
        elif call.letter in "wt":
            self.files[call.inode].later.append(call)
        elif call.inode in self.files:  # a file is synced
            file = self.files[call.inode]
            for each in file.later:
                apply(file.synced, each)
            file.later = []
        else:  # a folder is, and with it the names in it; journalling file systems sync earlier ones, too
            self.synced, self.later = self.names(len(self.later)), []

    @property
    def is_synced(self) -> bool:
        """Whether a crash now would lose no change to names."""
        return not self.later

    def names(self, changes: int) -> dict[str, File | None]:
        """Return the files by name after so many of the changes to names that are not synced."""
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

    def crashed(self, chance: random.Random, which: str, target: Path) -> None:
        """Write what is left after a crash into a new folder.

        Args:
            chance: picks what of the unsynced is there.
            which: `all` or `none` of it, or `some`.
            target: the folder.
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
                for part in sectors(call) if which == "some" else (call,):
                    if which == "all" or (which == "some" and chance.random() < 0.5):  # noqa: PLR2004 - a coin
                        apply(content, part)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def sectors(call: Call) -> Iterator[Call]:
    """Yield the parts of a call that a disk carries out whole."""
    if call.letter != "w":
        yield call
        return
    start = 0
    while start < len(call.data):
        end = start + SECTOR - (call.offset + start) % SECTOR
        yield call._replace(offset=call.offset + start, data=call.data[start:end])
        start = end


def is_boundary(call: Call) -> bool:
    """Say whether a call is one that makes something new hold: a journal goes, or something gets its name."""
    return call.letter in "rl" or (call.letter in "ut" and call.path.endswith("-journal"))
