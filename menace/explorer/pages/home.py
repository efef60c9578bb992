"""Serve the home page, the page for choosing an opponent, and the page "How good are you?".

The home page shows the served databases and their games, and their learners' strengths and curves. The page "How good
are you?" is an exam that runs in the person's browser and uses the game's tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis import bead_names, grades, learning_curves, listings
from menace.errors import InvalidGame, MenaceError
from menace.explorer.content.curves import curve_points
from menace.explorer.datasette.database import serve_file
from menace.explorer.server import served_databases, threads_and_caches
from menace.explorer.server.requests import Request, get, post
from menace.games.base import Side, has_pawns
from menace.games.enumeration import tictactoe
from menace.learners.registry import LEARNERS
from menace.ledger import create_and_open, learners, runs
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import LearnerRow, Store
from menace.site import pages, play_tables
from menace.text.narration import for_scripts, told
from menace.text.wording import called, is_beginner

MAX_MEASURED = 40  # with more learners, the page shows each learner's strength at its last mark


def file_report(store: Store) -> dict[str, Any]:
    """Return a report on a database, with its game and with each learner's exact strength and curve.

    `best` is the suggested machine to play against first, or None. Machines with beads take precedence, then machines
    of the side that wins under perfect play, then those that have learned from the most games. Ties go to the oldest
    machine.
    """
    rules, rows = rules_of(store), store.learners()
    known = [row for row in rows if _has_known_algorithm(row) and not is_beginner(row.name)]
    exact = store.position_count() <= threads_and_caches.LARGE and len(known) <= MAX_MEASURED
    best, positions = _best(store, known), positions_of(store)
    winner = positions.winner or Side.X
    records = [_learner_record(store, row, exact if row in known else None) for row in rows]
    return {
        "game": rules.title,
        "heading": rules.heading,
        "rules": rules.game.rules,
        "pawns": has_pawns(rules.game),
        "first": rules.game.initial,
        "best": best,
        "heap": pages.film_for_home_page(positions) if len(positions) <= threads_and_caches.LARGE else None,
        "learners": records,
        "shown": [record for record in records if not is_beginner(record["name"])],
        "recorded": len(store.games()),
        "names": {side: runs.default_learner(side) for side in (winner, winner.other)},
    }


def _best(store: Store, rows: Sequence[LearnerRow]) -> LearnerRow | None:
    winner = positions_of(store).winner
    return max(rows, key=lambda row: (LEARNERS[row.algorithm].has_beads, row.plays == winner, row.games), default=None)


def _has_known_algorithm(row: LearnerRow) -> bool:
    return row.algorithm in LEARNERS and LEARNERS[row.algorithm].revision == row.revision


def _strength(store: Store, row: LearnerRow, exact: bool, curve: learning_curves.Curve) -> dict[str, Any] | None:
    """Return a learner's exact current strength or, if `exact` is False, its strength at the last mark of its curve."""
    if not exact and not curve.points:
        return None
    grade = grades.Grade(threads_and_caches.LIBRARY.learner(store, row.name).policy()) if exact else None
    against = grade.against if grade else curve.points[max(curve.points)]
    exploitability = grade.exploitability if grade else None
    values = {who: strength.value for who, strength in against.items()}
    return {**values, "hundred": pages.results_per_hundred(against["random"]), "exploitability": exploitability}


def _learner_record(store: Store, row: LearnerRow, exact: bool | None) -> dict[str, Any]:
    """Return a record of a learner with its curve and its strength, which is None if unknown (see `_strength`)."""
    curve = learning_curves.thinned_curve(store, row, "behaviour")
    strength = None if exact is None else _strength(store, row, exact, curve)
    return {**listings.learner_record(row), "strength": strength, "curve": curve_points(curve.against("random"))}


async def file_reports(request: Request) -> list[dict[str, Any]]:
    """Return a report on every menace database that the client may see."""
    records: list[dict[str, Any]] = []
    for file in served_databases.menace_files(request.datasette):
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
    """Show every served menace database, or explain how to create the first one."""
    missing = served_databases.missing_file(request.datasette)
    if missing and served_databases.is_menace_file(missing.path):  # another program has created the file
        serve_file(request.datasette, missing)
        missing = None
    files = await file_reports(request)
    first = next((file for file in files if file.get("best")), None) or next(
        (file for file in files if file.get("learners") == [] and not file["request"].read_only), None
    )
    heap = first and first["heap"]
    if missing:
        heap = await threads_and_caches.in_thread(lambda: pages.film_for_home_page(tictactoe()))
    return await request.page(
        "home",
        files=files,
        first=first,
        missing=missing,
        heap=heap,
        pawns=bool(first and first["pawns"]),
        title="A heap of matchboxes that learns",
        inside=first and first["request"],
    )


@post("")
async def make_first(request: Request, plays: str = "X") -> dict[str, str]:
    """Create the missing database with one machine in it, and start serving the database."""
    side, file = Side(plays), request.file

    def create_first_machine() -> str:
        with create_and_open.open_or_create_database(file.path) as store:
            return learners.new_learner(store, runs.default_learner(side), side).name

    name = await threads_and_caches.in_thread(create_first_machine)
    request.file = serve_file(request.datasette, file)
    return {"name": name, "address": request.path("play", name)}


@get("/{database}/boxes")
async def boxes(request: Request) -> Response:
    """Redirect to the Boxes page of the suggested opponent."""
    best = await request.ask(_best_known)
    return Response.redirect(request.path("machines") if best is None else request.path("boxes", best.name))


def _best_known(store: Store) -> LearnerRow | None:
    return _best(store, [row for row in store.learners() if _has_known_algorithm(row) and not is_beginner(row.name)])


@get("/{database}/play")
async def choose(request: Request) -> Response:
    """Offer a choice between a beginner (the default) and the machine that has practised, each with its first box."""

    def opponents(store: Store) -> list[dict[str, Any]]:
        best = _best_known(store)
        machines = [
            learners.new_beginner(positions_of(store)),
            *([threads_and_caches.LIBRARY.learner(store, best.name)] if best and best.games else []),
        ]
        return [
            {
                "name": called(machine.name),
                "games": machine.learned.games,
                "address": request.path("play", machine.name) if turn else request.path("beginner"),
                "box": pages.first_box_to_draw(machine, bead_names.BeadNames(machine.positions, machine.naming)),
            }
            for turn, machine in enumerate(machines)
        ]

    listed = await request.ask(opponents)
    return await request.page("choose", opponents=listed, clauses=for_scripts(), title=told("choose_machine"))


@get(".json")
async def home_json(request: Request) -> list[dict[str, Any]]:
    """Return every served menace database as JSON, with its game and its learners."""
    records: list[dict[str, Any]] = []
    for record in await file_reports(request):
        about: dict[str, Any] = {"database": record["file"].name, "read_only": record["request"].read_only}
        about |= {key: value for key, value in record.items() if key in {"game", "recorded", "error"}}
        records.append({**about, "learners": record.get("learners", [])})
    return records


@get("/{database}/exam")
async def exam(request: Request) -> Response:
    """Show the page "How good are you?"."""
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
    """Return the tables that the page needs for its game."""
    if store.position_count() > play_tables.MAX_POSITIONS:
        raise InvalidGame(
            f"this page supports games with at most {play_tables.MAX_POSITIONS:,} positions; use `menace exam`"
        )
    return play_tables.game_tables(positions_of(store), every=False)
