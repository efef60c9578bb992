"""Machines of several files taken into a database: what pages of a site downloaded, and other databases."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from menace.errors import InvalidGame, InvalidPlayer, StoreError
from menace.learners.machine import Machine, merged
from menace.learners.name_checks import check_name, name_from
from menace.ledger.learners import named_machine
from menace.ledger.runs import import_machine
from menace.ledger.store import LearnerRow, Store
from menace.site.downloads import FILE_MOST, exported_machines, learned_on

DATABASE = b"SQLite format 3\0"  # how a database begins: https://sqlite.org/fileformat.html


def merge(store: Store, paths: Sequence[str | os.PathLike[str]]) -> list[LearnerRow]:
    """Take each machine of several files into a database, as a learner called by its file.

    A machine of a database is called by the file and by its name there. All come in, or none.

    Args:
        store: the database, from which the site was made if there are files that its pages downloaded.
        paths: of downloaded files, and of other databases of the same game.

    Raises:
        InvalidPlayer, InvalidGame, StoreError: if a file is neither, or of another game, or its machine is not one of
            this database; the message names the file.
    """
    taken = {row.name for row in store.learners()}
    machines: list[Machine] = []
    exported: dict[str, Machine] | None = None
    for path in map(Path, paths):
        if _content(path).startswith(DATABASE):
            here = _machines_of(store, path)
        else:
            exported = exported_machines(store) if exported is None else exported
            here = {path.stem: _learned_on(store, exported, path)[1]}
        for name, machine in here.items():
            machine.name = name_from(name, taken)
            taken.add(machine.name)
            machines.append(machine)
    with store.transaction():
        return [import_machine(store, machine, machine.name) for machine in machines]


def merge_sum(store: Store, paths: Sequence[str | os.PathLike[str]], name: str) -> LearnerRow:
    """Take the machines of several downloaded files into a database as one: what all have learned, added up.

    Args:
        store: the database that the site was made from.
        paths: of files that learned on from the same machine.
        name: a new one.

    Raises:
        InvalidPlayer, StoreError: as `merge`, and if the files went on from different machines, or the name is not
            allowed or taken.
    """
    name, exported = check_name(name), exported_machines(store)
    pairs = [_learned_on(store, exported, path) for path in map(Path, paths)]
    if not pairs:
        raise InvalidPlayer("there are no files to add up; name some that a page of a site downloaded")
    base = pairs[0][0]
    for path, (other, _) in zip(paths, pairs, strict=True):
        if other is not base:
            raise InvalidPlayer(
                f"{os.fspath(path)}: its machine is {other.name}, and that of {os.fspath(paths[0])} is {base.name}; add"
                " up files of one machine"
            )
    return import_machine(store, merged(base, [machine for _, machine in pairs]), name)


def _content(path: Path) -> bytes:
    """Return the content of a file, or as much of it as tells that it is no download."""
    try:
        with path.open("rb") as file:
            return file.read(FILE_MOST + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from None


def _learned_on(store: Store, exported: dict[str, Machine], path: Path) -> tuple[Machine, Machine]:
    try:
        return learned_on(store, exported, _content(path))
    except InvalidPlayer as error:
        raise InvalidPlayer(f"{path}: {error}") from None


def _machines_of(store: Store, path: Path) -> dict[str, Machine]:
    """Return the machines of another database, of the same game, by the names that they are to have."""
    if path.samefile(store.path):
        raise InvalidPlayer(f"{path} is the database that the machines are taken into; leave it out")
    with Store.open(path) as other, other.snapshot():
        theirs, ours = (" ".join(file.rules()) for file in (other, store))
        if theirs != ours:
            raise InvalidGame(f"{path} is of {theirs}, and {store.path} of {ours}; take databases of one game")
        return {f"{path.stem}-{row.name}": named_machine(other, row.name) for row in other.learners()}
