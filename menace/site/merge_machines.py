"""Merge machines into a database: machines that learned on a website, and machines of other databases."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace.analysis.bead_names import BeadNames
from menace.errors import InvalidGame, InvalidPlayer, StoreError
from menace.learners.algorithm import STATE
from menace.learners.machine import Machine, merge_machines
from menace.learners.registry import check_name, free_name_from
from menace.learners.settings import MOST_BEADS
from menace.ledger.learners import ADDED_MOST, load_machine, named_machine
from menace.ledger.positions import positions_of, whole
from menace.ledger.runs import import_machine
from menace.ledger.store import LearnerRow, Store
from menace.ledger.store.connection import UNRELEASED
from menace.site.play_tables import check_size, learner_table
from menace.text.wording import counted

FORMAT, VERSION = "menace memory", 1  # as static/kept.js writes them
UNRELEASED_FORMAT = "menace machine"
FILE_MOST = 20_000_000  # bytes


def exported_machines(store: Store) -> dict[str, Machine]:
    """Return the machines of beads of a database by the fingerprints that they have on a site that is exported now.

    Raises:
        InvalidGame: if no site has so large a game.
    """
    positions = positions_of(store)
    check_size(positions)
    machines = [load_machine(store, positions, row) for row in store.learners()]
    return {
        str(learner_table(machine, BeadNames(positions, machine.naming))["print"]): machine
        for machine in machines
        if machine.has_beads
    }


def learned_on(store: Store, exported: dict[str, Machine], content: bytes) -> tuple[Machine, Machine]:
    """Return the machine that a downloaded file was exported from, and that of the file, as it learned on.

    The file has its beads, but not its settings: those are of the machine of the database that was exported, which is
    told by its fingerprint.

    Args:
        store: the database that the site was made from.
        exported: what `exported_machines` returns.
        content: of the file.

    Raises:
        InvalidPlayer: if it is not such a file, or no machine of the database, as it is now, was exported as that one.
    """
    saved = _read(content)
    base = exported.get(str(saved.get("print")))
    if base is None:
        raise InvalidPlayer(
            f"no machine of {store.path}, as it is now, was exported as that one; take the database that the site was"
            " made from, or a backup of it from before its machines learned on"
        )
    machine = base.copy()
    learned, moves = machine.learned, machine.positions.move_count
    try:
        learned.amount[learned.kept] = _numbers(saved, "weight", moves, MOST_BEADS)[learned.kept]
        learned.count[learned.kept] = _numbers(saved, "picked", moves, ADDED_MOST)[learned.kept]
        learned.games += int(whole([saved["games"]], "games", 0, ADDED_MOST)[0])
        if learned.epsilon is not None:
            learned.state[STATE.index("epsilon")] = float(saved["epsilon"])
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise InvalidPlayer(f"that file is damaged ({error}); download it again") from None
    return base, machine


def _read(content: bytes) -> dict[str, Any]:
    try:
        saved = json.loads(content) if len(content) <= FILE_MOST else None
    except (ValueError, RecursionError):
        saved = None
    if isinstance(saved, dict) and saved.get("format") == UNRELEASED_FORMAT:
        raise InvalidPlayer(f"that file {UNRELEASED}")
    if not isinstance(saved, dict) or (saved.get("format"), saved.get("version")) != (FORMAT, VERSION):
        raise InvalidPlayer("that is not a file of a machine, as the page of an exported site downloads it")
    return saved


def _numbers(saved: dict[str, Any], name: str, moves: int, most: int) -> NDArray[np.int64]:
    if len(saved[name]) != moves:
        raise ValueError(f"{name} has not a number for each of {counted(moves, 'move')}")
    return whole(saved[name], name, 0, most)


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
            machine.name = free_name_from(name, taken)
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
    return import_machine(store, merge_machines(base, [machine for _, machine in pairs]), name)


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
