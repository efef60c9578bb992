"""Serve the page "How good are you?", an exam that runs in the person's browser and uses the tables of the game."""

from __future__ import annotations

from typing import Any

from datasette.utils.asgi import Response

from menace.errors import InvalidGame
from menace.explorer.server.requests import Request
from menace.explorer.server.routes import get
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.site.play_tables import MAX_POSITIONS, game_tables
from menace.text.narration import for_scripts, told


@get("/{database}/exam")
async def exam(request: Request) -> Response:
    """Show the page."""
    rules = await request.ask(rules_of)
    return await request.page(
        "exam",
        title=told("to_exam"),
        rules=rules.game.rules,
        alike=len(rules.symmetries) > 1,
        clauses=for_scripts(),
    )


@get("/{database}/exam.json")
def exam_json(_: Request, store: Store) -> dict[str, Any]:
    """Return the tables of the game that the page needs."""
    if store.position_count() > MAX_POSITIONS:
        raise InvalidGame(f"this page supports games with at most {MAX_POSITIONS:,} positions; use `menace exam`")
    return game_tables(positions_of(store), every=False)
