"""The first page: the served databases, their games, and their learners with strength and curve."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.learning_curves import Curve, thinned_curve
from menace.analysis.listings import learner_record
from menace.analysis.strength_reports import measured_strength
from menace.errors import MenaceError
from menace.explorer.content.curves import curve_points
from menace.explorer.datasette.database import serve_file
from menace.explorer.server.requests import Request
from menace.explorer.server.routes import get, post
from menace.explorer.server.served_databases import files_of, is_ours, missing_file
from menace.explorer.server.threads_and_caches import LARGE, LIBRARY
from menace.games.base import Side
from menace.learners.machine import Machine
from menace.learners.registry import DEFAULT_PRESET, LEARNERS
from menace.ledger.database_file import open_or_create_database
from menace.ledger.learners import new_learner
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.runs import default_learner
from menace.ledger.store import LearnerRow, Store
from menace.site.pages import heap_of, of_hundred
from menace.site.translation import ENGLISH

MEASURED_MOST = 40  # learners whose exact strength is computed; of more, the strength at their last mark is shown


def file_report(store: Store) -> dict[str, Any]:
    """Return the report on a database: its game, and each learner with its exact strength and curve.

    `best` is the machine to play first: among those with beads, or else among all, the one that has learned from most
    games, of several the oldest; None if there is none.
    """
    rules, rows = rules_of(store), store.learners()
    known = [row for row in rows if _is_known(row)]
    exact = store.position_count() <= LARGE and len(known) <= MEASURED_MOST
    best = _best(known)
    return {
        "game": rules.title,
        "words": rules.words,
        "heading": rules.heading,
        "rules": rules.game.rules,
        "first": rules.game.initial,
        "best": best,
        "heap": _heap(store, best, rows),
        "learners": [_learner_record(store, row, exact if row in known else None) for row in rows],
        "recorded": len(store.games()),
        "names": {side: default_learner(side) for side in Side},
    }


def _best(rows: Sequence[LearnerRow]) -> LearnerRow | None:
    return max(rows, key=lambda row: (LEARNERS[row.algorithm].has_beads, row.games), default=None)


def _heap(store: Store, best: LearnerRow | None, rows: Sequence[LearnerRow]) -> dict[str, Any] | None:
    """Return boxes to draw: of the machine to play first, or, where there is no machine at all, of a new one."""
    if best is None:
        return None if rows else heap_of(Machine(DEFAULT_PRESET, "X", positions_of(store)))
    return heap_of(LIBRARY.learner(store, best.name))


def _is_known(row: LearnerRow) -> bool:
    return row.algorithm in LEARNERS and LEARNERS[row.algorithm].revision == row.revision


def _strength(store: Store, row: LearnerRow, exact: bool, curve: Curve) -> dict[str, Any] | None:
    """Return the exact strength of a learner as it is, or at the last mark of its curve if that would take long."""
    if not exact and not curve.points:
        return None
    against, exploitability = (
        measured_strength(LIBRARY.learner(store, row.name).policy())
        if exact
        else (curve.points[max(curve.points)], None)
    )
    values = {who: strength.value for who, strength in against.items()}
    return {**values, "hundred": of_hundred(against["random"]), "exploitability": exploitability}


def _learner_record(store: Store, row: LearnerRow, exact: bool | None) -> dict[str, Any]:
    """Return a learner with its curve, and its strength: see `_strength`; None for one that is not known."""
    curve = thinned_curve(store, row, "behaviour")
    strength = None if exact is None else _strength(store, row, exact, curve)
    return {**learner_record(row), "strength": strength, "curve": curve_points(curve.against("random"))}


async def file_reports(request: Request) -> list[dict[str, Any]]:
    """Return a report on every menace database that the client may see."""
    records: list[dict[str, Any]] = []
    for file in files_of(request.datasette):
        own = Request(request.datasette, request.http)
        own.file = file
        if not await own.may_look():
            continue
        try:
            records.append({"request": own, "file": file, **await own.ask(file_report)})
        except MenaceError as error:
            records.append({"request": own, "file": file, "error": str(error)})
    return records


@get("")
async def home(request: Request) -> Response:
    """Show every menace database that is served, or how to make the first one."""
    missing = missing_file(request.datasette)
    if missing and is_ours(missing.path):  # another program has made it
        serve_file(request.datasette, missing)
        missing = None
    files = await file_reports(request)
    first = next((file for file in files if file.get("best")), None) or next(
        (file for file in files if file.get("learners") == [] and not file["request"].read_only), None
    )
    words = first["words"] if first else "noughts and crosses"
    heap = first and first["heap"]
    if missing:
        heap = await asyncio.to_thread(lambda: heap_of(Machine(DEFAULT_PRESET, "X")))
    return await request.page(
        "home",
        files=files,
        first=first,
        missing=missing,
        words=words,
        about=ENGLISH.about(words),
        heap=heap,
        title="A heap of matchboxes that learns",
        inside=first and first["request"],
    )


@post("")
async def make_first(request: Request, plays: str = "X") -> dict[str, str]:
    """Make the database that `menace serve` has not found, with one machine, and serve it."""
    side, file = Side(plays), request.file

    def made() -> str:
        with open_or_create_database(file.path) as store:
            return new_learner(store, default_learner(side), side).name

    name = await asyncio.to_thread(made)
    request.file = serve_file(request.datasette, file)
    return {"name": name, "address": request.path("play", name)}


def _of_best(page: str) -> None:
    """Register the address of a page without a machine: it leads to that of the machine to play first."""

    @get(f"/{{database}}/{page}")
    async def of_best(request: Request) -> Response:
        best = await request.ask(lambda store: _best([row for row in store.learners() if _is_known(row)]))
        return Response.redirect(request.path("machines") if best is None else request.path(page, best.name))


_of_best("play")
_of_best("boxes")


@get(".json")
async def home_json(request: Request) -> list[dict[str, Any]]:
    """Return every menace database that is served, with its game and its learners."""
    records: list[dict[str, Any]] = []
    for record in await file_reports(request):
        about: dict[str, Any] = {"database": record["file"].name, "read_only": record["request"].read_only}
        about |= {key: value for key, value in record.items() if key in {"game", "recorded", "error"}}
        records.append({**about, "learners": record.get("learners", [])})
    return records
