"""The progress of a machine in training: the blocks since the last poll of a page, its first boxes, and its strength.

It is read from the database, so that any program may train the machine. Reads are short, and results are cached for all
pages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from menace.analysis.bead_names import BeadNames
from menace.analysis.learning_curves import thinned_curve
from menace.analysis.listings import run_record
from menace.explorer.content.json_for_scripts import shown_record
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import BlockRow, LearnerRow, Run, Store, now
from menace.ledger.training import ruined_text
from menace.text.wording import RESULTS

MAX_BLOCKS = 100  # in one response of about 8 kB; a page that missed more blocks polls again
DEFAULT_BOXES = 12  # the number of boxes that a page shows unless it requests more
MAX_BOXES = 1000
ACTIVE_TIME = timedelta(seconds=5)  # a run is active for this time after its last block


def training_progress(
    store: Store, name: str, after: int | None, cache: dict[str, Any], boxes: int = DEFAULT_BOXES
) -> dict[str, Any]:
    """Return the progress of a learner since a block.

    The result has `contents` and `strength` if anything is new and no blocks remain.

    Args:
        store: the database.
        name: the name of the learner.
        after: the number of a block; None for only the current state, with `boxes`.
        cache: results of earlier calls for this learner, which are reused while nothing is new.
        boxes: the maximum number of first boxes.

    Raises:
        UnknownLearner: if there is no such learner.
        DatabaseBusy: if other programs hold the lock for too long.
    """
    with store.snapshot():
        row = store.learner(name)
        latest = store.latest_block(row.learner_id)
        blocks = [] if after is None else store.blocks_after(row.learner_id, after, MAX_BLOCKS)
        run = store.latest_run(row.learner_id)
        last = blocks[-1].block_id if blocks else after
        more = last is not None and last < latest
        latest_block = store.block(latest)
        rival = None if run is None else _rival(store, run, row)
        key = (row.learner_id, row.games, latest, rival and (rival.name, store.latest_block(rival.learner_id)))
        positions = positions_of(store)
        is_known = more or cache.get("key") == key
        machines = [] if is_known else [load_machine(store, positions, each) for each in (row, rival) if each]
    if machines:
        cache.update(key=key, machine=machines[0], strength=_curve(store, row), contents={}, rival=None)
    if machines and rival is not None:
        boxes_of_rival = _boxes(machines[1], BeadNames(positions, rival.naming), DEFAULT_BOXES)
        cache["rival"] = {"learner": rival.name, "boxes": boxes_of_rival}
    is_new = not more and (after is None or blocks)
    return {
        "learner": row.name,
        "plays": row.plays,
        "has_draws": positions.has_draws,
        "games": row.games,
        "block": latest if last is None else last,
        "more": more,
        "blocks": [_block(block, row) for block in blocks if block.games],
        "run": None if run is None else _run(store, run, latest_block, cache),
        "boxes": _boxes(cache["machine"], BeadNames(positions, row.naming), boxes) if after is None else None,
        "contents": _contents(cache, boxes) if is_new else None,
        "rival": cache["rival"] if is_new else None,
        "strength": cache["strength"] if is_new else None,
    }


def _rival(store: Store, run: Run, row: LearnerRow) -> LearnerRow | None:
    """Return the learner against which a learner trained in a run, or None if there was none or it was deleted."""
    _, rival_id = row.plays.x_and_o(run.x_learner_id, run.o_learner_id)
    rival = None if rival_id is None else store.learner_by_id(rival_id)
    return None if rival is None or rival.deleted_at else rival


def _boxes(machine: Machine, names: BeadNames, most: int) -> list[dict[str, Any]]:
    return [shown_record(box, names) for box in islice(machine.each_box(), most)]


def _contents(cache: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """Return the contents of a machine's first boxes, computed once for all pages with the same number of boxes."""
    machine, known = cache["machine"], cache["contents"]
    if most not in known:
        known[most] = [
            {"amounts": [move.amount for move in box.moves], "shares": [move.share for move in box.moves]}
            for box in islice(machine.each_box(), most)
        ]
    contents: list[dict[str, Any]] = known[most]
    return contents


def run_json(run: Run, stopped: Collection[int] = frozenset()) -> dict[str, Any]:
    """Return a run as a record for scripts. The seed is a text, because JavaScript numbers are exact only to 2^53."""
    return {**run_record(run, stopped=stopped), "seed": str(run.seed)}


def _run(store: Store, run: Run, latest: BlockRow | None, cache: dict[str, Any]) -> dict[str, Any]:
    """Return a run as a record; `latest` is the last block of the learner in training."""
    stopped: set[int] = set()
    why: str | None = None
    if run.finished_at is not None and run.games_played < run.games_wanted:
        if cache.get("ended", (None,))[0] != run.run_id:
            stopped = store.stopped_runs()
            cache["ended"] = run.run_id, stopped, ruined_text(store, run) if run.run_id in stopped else None
        _, stopped, why = cache["ended"]
    return {**run_json(run, stopped), "why": why, "active": _is_active(run, latest)}


def _is_active(run: Run, latest: BlockRow | None) -> bool:
    """Return whether a run has just committed a block. Times are texts with seconds, which sort in time order."""
    if run.finished_at is not None or latest is None or latest.run_id != run.run_id:
        return False
    return (datetime.now(UTC) - ACTIVE_TIME).isoformat() < latest.created_at <= now()


def _block(block: BlockRow, row: LearnerRow) -> dict[str, int]:
    own, others = row.plays.x_and_o(block.x_wins, block.o_wins)
    return {
        "block": block.block_id,
        "games": block.games,
        **dict(zip(RESULTS, (own, block.draws, others), strict=True)),
    }


def _curve(store: Store, row: LearnerRow) -> list[dict[str, Any]]:
    points = thinned_curve(store, row, "behaviour").points
    return [
        {"games": games, "losses": {who: strength.loss for who, strength in strengths.items()}}
        for games, strengths in points.items()
    ]
