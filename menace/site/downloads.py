"""Machines that learned on a website: the file that its page downloads (static/kept.js), as a machine in memory."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace.analysis.bead_names import BeadNames
from menace.errors import InvalidPlayer
from menace.learners.algorithm import STATE
from menace.learners.machine import Machine
from menace.learners.settings import MOST_BEADS
from menace.ledger.learners import ADDED_MOST, load_machine
from menace.ledger.store import Store
from menace.ledger.store.connection import UNRELEASED
from menace.ledger.stored_positions import positions_of, whole
from menace.site.play_tables import check_size, learner_table
from menace.wording import counted

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
