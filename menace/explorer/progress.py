"""How a machine comes on: its blocks since a page asked last, boxes that it opens first, and its strength by games.

The database is the bus: what is shown is what any program may have written there. Reads are short, and what four pages
ask for is found once.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from menace.analysis.records import run_record
from menace.analysis.series import thinned_curve_of
from menace.explorer.scene_records import shown_record
from menace.games.positions import Positions
from menace.ledger.learners import load_machine
from menace.ledger.store import BlockRow, LearnerRow, Run, Store
from menace.ledger.stored_positions import positions_of
from menace.ledger.training import ruined_text
from menace.wording import RESULTS

BLOCKS_MOST = 100  # of one answer, in some 8 kB; who was away for longer asks again
BOXES_MOST = 12


def progress_of(store: Store, name: str, after: int | None, cache: dict[str, Any]) -> dict[str, Any]:
    """Return what became of a learner after a block.

    Args:
        store: the database.
        name: of the learner.
        after: the number of a block; None asks for how it stands alone. `boxes` and `strength` are there if there is
            anything new, and no more blocks to ask for.
        seen: what was found last, which is kept as long as nothing is new.

    Raises:
        UnknownLearner: if there is no such learner.
        DatabaseBusy: if others hold the lock for long.
    """
    with store.snapshot():
        row = store.learner(name)
        latest = store.latest_block(row.learner_id)
        blocks = [] if after is None else store.blocks_after(row.learner_id, after, BLOCKS_MOST)
        run = store.latest_run(row.learner_id)
        last = blocks[-1].block_id if blocks else after
        more = last is not None and last < latest
        key = (row.learner_id, row.games, latest)
        positions = _positions(store, cache)
        machine = None if more or cache.get("key") == key else load_machine(store, positions, row)
    if machine is not None:
        boxed = machine.boxed.nonzero()[0][:BOXES_MOST].tolist()
        boxes = [box for number in boxed if (box := machine.box_at(number)) is not None]
        cache.update(key=key, boxes=[shown_record(box) for box in boxes], strength=_curve(store, row))
    is_new = not more and (after is None or blocks)
    return {
        "learner": row.name,
        "plays": row.plays,
        "has_draws": positions.has_draws,
        "games": row.games,
        "block": latest if last is None else last,
        "more": more,
        "blocks": [_block(block, row) for block in blocks if block.games],
        "run": None if run is None else _run(store, run, cache),
        **{what: cache[what] if is_new else None for what in ("boxes", "strength")},
    }


def _positions(store: Store, cache: dict[str, Any]) -> Positions:
    """Return the positions, which are those of before as long as the connection and the rules are.

    A store forgets them whenever somebody else writes, which a trainer does several times a second.
    """
    of = (store, store.rules())
    if cache.get("of") != of:
        cache.update(of=of, positions=positions_of(store))
    positions: Positions = cache["positions"]
    return positions


def run_json(run: Run, stopped: Collection[int] = frozenset()) -> dict[str, Any]:
    """Return a run for scripts, whose numbers end at 2^53: the seed is a text."""
    return {**run_record(run, stopped=stopped), "seed": str(run.seed)}


def _run(store: Store, run: Run, cache: dict[str, Any]) -> dict[str, Any]:
    """Return a run, and why it ended by itself before its games were played; None if it did not."""
    stopped: set[int] = set()
    why: str | None = None
    if run.finished_at is not None and run.games_played < run.games_wanted:
        if cache.get("ended", (None,))[0] != run.run_id:
            stopped = store.stopped_runs()
            cache["ended"] = run.run_id, stopped, ruined_text(store, run) if run.run_id in stopped else None
        _, stopped, why = cache["ended"]
    return {**run_json(run, stopped), "why": why}


def _block(block: BlockRow, row: LearnerRow) -> dict[str, int]:
    own, others = row.plays.x_and_o(block.x_wins, block.o_wins)
    return {
        "block": block.block_id,
        "games": block.games,
        **dict(zip(RESULTS, (own, block.draws, others), strict=True)),
    }


def _curve(store: Store, row: LearnerRow) -> list[dict[str, Any]]:
    points = thinned_curve_of(store, row, "behaviour").points
    return [
        {"games": games, "losses": {who: strength.loss for who, strength in strengths.items()}}
        for games, strengths in points.items()
    ]
