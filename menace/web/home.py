"""The first page: games, their learners, how strong they are, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from menace.errors import MenaceError
from menace.ledger.positions import positions_of
from menace.shelf.contests import strength_of
from menace.shelf.records import learner_records
from menace.web.files import files_of
from menace.web.route import Route
from menace.web.visit import Visit

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.ledger.store import Store


def overview(store: Store) -> dict[str, Any]:
    """Return what the first page says of a file: its game, and each learner with its exact strength."""
    learners = []
    for row in store.learners():
        report = strength_of(store, row.name)
        learners.append({"name": row.name, "plays": row.plays, "preset": row.preset, "games": row.games})
        learners[-1]["strength"] = report
    return {"game": positions_of(store).title, "learners": learners, "recorded": len(store.games())}


async def home(visit: Visit) -> Response:
    """Show every database of menace that is served."""
    found: list[dict[str, Any]] = []
    for file in files_of(visit.datasette):
        own = Visit(visit.datasette, visit.request)
        own.file = file
        if not await own.may_look():
            continue
        try:
            found.append({"visit": own, "file": file, **await own.ask(overview)})
        except MenaceError as error:
            found.append({"visit": own, "file": file, "error": str(error)})
    return await visit.page("home", files=found, title="Matchboxes")


async def learners_json(visit: Visit) -> Response:
    """Return the learners of a file, as `menace learners --json` does."""
    table = await visit.ask(lambda store: learner_records(store.learners()))
    return visit.json([dict(zip(table.columns, row, strict=True)) for row in table.rows])


ROUTES = [
    Route("", home, None, "games and learners, and what to do next"),
    Route("/{database}/learners.json", learners_json, None, "the learners of a file"),
]
