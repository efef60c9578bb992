"""Merge machines that learned on a website, and machines from other databases, into a database."""

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
from menace.learners import algorithm, registry, settings
from menace.learners.machine import Machine, merge_machines
from menace.ledger import learners, runs
from menace.ledger.positions import integer_column, positions_of
from menace.ledger.store import LearnerRow, Store
from menace.ledger.store.connection import UNRELEASED
from menace.site.play_tables import check_size, site_learner_record
from menace.text.wording import counted

FORMAT, VERSION = "menace memory", 1  # static/learner_memory.js writes these values
UNRELEASED_FORMAT = "menace machine"
MAX_FILE_SIZE = 20_000_000  # bytes


def machines_by_fingerprint(store: Store) -> dict[str, Machine]:
    """Return an untrained machine and the database's machines with beads, keyed by their fingerprints in an export.

    Raises:
        InvalidGame: If the game is too large for a site.
    """
    positions = positions_of(store)
    check_size(positions)
    rows = store.learners()
    machines = [learners.new_beginner(positions), *(learners.load_machine(store, positions, row) for row in rows)]
    return {
        str(site_learner_record(machine, BeadNames(positions, machine.naming))["print"]): machine
        for machine in machines
        if machine.has_beads
    }


def learned_on(store: Store, exported: dict[str, Machine], content: bytes) -> tuple[Machine, Machine]:
    """Return the exported machine on which a downloaded file is based, and the file's own machine, which learned more.

    The file contains beads but no settings. The settings come from the exported machine, which is identified by the
    fingerprint in the file.

    Args:
        store: The database from which the site was exported.
        exported: The result of `machines_by_fingerprint`.
        content: The content of the file.

    Raises:
        InvalidPlayer: If `content` is not that of a downloaded file, or if no current machine in the database matches
            the file.
    """
    saved = _parse_download(content)
    base = exported.get(str(saved.get("print")))
    if base is None:
        raise InvalidPlayer(
            f"no current machine in {store.path} matches the exported one; use the database from which the site was"
            " exported, or a backup from before its machines learned more"
        )
    machine = base.copy()
    learned, moves = machine.learned, machine.positions.move_count
    try:
        learned.amount[learned.kept] = _saved_numbers(saved, "weight", moves, settings.MAX_BEADS)[learned.kept]
        learned.count[learned.kept] = _saved_numbers(saved, "picked", moves, learners.MAX_ADDED_GAMES)[learned.kept]
        learned.games += int(integer_column([saved["games"]], "games", 0, learners.MAX_ADDED_GAMES)[0])
        if learned.epsilon is not None:
            learned.state[algorithm.STATE.index("epsilon")] = float(saved["epsilon"])
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise InvalidPlayer(f"that file is damaged ({error}); download it again") from None
    return base, machine


def _parse_download(content: bytes) -> dict[str, Any]:
    try:
        saved = json.loads(content) if len(content) <= MAX_FILE_SIZE else None
    except (ValueError, RecursionError):
        saved = None
    if isinstance(saved, dict) and saved.get("format") == UNRELEASED_FORMAT:
        raise InvalidPlayer(f"that file {UNRELEASED}")
    if not isinstance(saved, dict) or (saved.get("format"), saved.get("version")) != (FORMAT, VERSION):
        raise InvalidPlayer("that file contains no machine downloaded from a site")
    return saved


def _saved_numbers(saved: dict[str, Any], name: str, moves: int, most: int) -> NDArray[np.int64]:
    if len(saved[name]) != moves:
        raise ValueError(f"{name} has not a number for each of {counted(moves, 'move')}")
    return integer_column(saved[name], name, 0, most)


DATABASE = b"SQLite format 3\0"  # the first bytes of a database; see https://sqlite.org/fileformat.html


def merge(store: Store, paths: Sequence[str | os.PathLike[str]]) -> list[LearnerRow]:
    """Import the machines of several files into a database as learners named after the files.

    The new name of a machine from another database combines the file's name and the machine's name in that database.
    Either all of the machines are imported or none are.

    Args:
        store: The database. If `paths` contains downloaded files, the site must have been exported from it.
        paths: Downloaded files, and other databases of the same game.

    Raises:
        InvalidPlayer, InvalidGame, StoreError: If a file is neither a downloaded file nor a database, is for another
            game, or contains a machine that is not from this database. The message names the file.
    """
    taken = {row.name for row in store.learners()}
    machines: list[Machine] = []
    exported: dict[str, Machine] | None = None
    for path in map(Path, paths):
        if _content(path).startswith(DATABASE):
            here = _machines_of(store, path)
        else:
            exported = machines_by_fingerprint(store) if exported is None else exported
            here = {path.stem: _learned_on(store, exported, path)[1]}
        for name, machine in here.items():
            machine.name = registry.free_name_from(name, taken)
            taken.add(machine.name)
            machines.append(machine)
    with store.transaction():
        return [runs.import_machine(store, machine, machine.name) for machine in machines]


def merge_sum(store: Store, paths: Sequence[str | os.PathLike[str]], name: str) -> LearnerRow:
    """Import the machines of several downloaded files as one machine that combines what they have learned.

    Args:
        store: The database from which the site was exported.
        paths: Files that continue the same machine.
        name: The new name.

    Raises:
        InvalidPlayer, StoreError: As in `merge`, and if the files continue different machines, or if the name is not
            allowed or already taken.
    """
    name, exported = registry.check_name(name), machines_by_fingerprint(store)
    pairs = [_learned_on(store, exported, path) for path in map(Path, paths)]
    if not pairs:
        raise InvalidPlayer("there are no files to combine; specify files that were downloaded from a site")
    base = pairs[0][0]
    for path, (other, _) in zip(paths, pairs, strict=True):
        if other is not base:
            raise InvalidPlayer(
                f"{os.fspath(path)}: its machine is {other.name}, and that of {os.fspath(paths[0])} is {base.name}; add"
                " up files of one machine"
            )
    return runs.import_machine(store, merge_machines(base, [machine for _, machine in pairs]), name)


def _content(path: Path) -> bytes:
    """Return the content of a file, but stop reading if the file is too large to be a download."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_SIZE + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from None


def _learned_on(store: Store, exported: dict[str, Machine], path: Path) -> tuple[Machine, Machine]:
    try:
        return learned_on(store, exported, _content(path))
    except InvalidPlayer as error:
        raise InvalidPlayer(f"{path}: {error}") from None


def _machines_of(store: Store, path: Path) -> dict[str, Machine]:
    """Return the machines of another database for the same game, keyed by their new names."""
    if path.samefile(store.path):
        raise InvalidPlayer(f"{path} is the database into which the machines are imported; leave it out")
    with Store.open(path) as other, other.snapshot():
        theirs, ours = (" ".join(file.rules()) for file in (other, store))
        if theirs != ours:
            raise InvalidGame(f"{path} is of {theirs}, and {store.path} of {ours}; take databases of one game")
        return {f"{path.stem}-{row.name}": learners.named_machine(other, row.name) for row in other.learners()}
