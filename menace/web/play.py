"""The page to play a machine: by click, key or typing, with its box open beside the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from menace.errors import UnknownLearner
from menace.games.base import Side
from menace.games.look import is_of_cells
from menace.learners.fixed import check_fixed, is_fixed, opponents_for
from menace.ledger.positions import positions_of
from menace.web import desk
from menace.web.desk import Order, Seat
from menace.web.errors import BadRequest
from menace.web.route import Route
from menace.web.scene import scene_of
from menace.web.staff import staff_of
from menace.web.visit import Visit

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.ledger.store import Store

LONGEST_MOVE = 100  # characters


def told_of(store: Store, player: str) -> dict[str, Any]:
    """Return what the page says before anybody sits down.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player.
    """
    positions = positions_of(store)
    game = positions.game
    row = None
    if is_fixed(player):
        check_fixed(player)
    else:
        row = store.learner(player)
    others = [one.name for one in store.learners() if row is not None and one.plays is not row.plays]
    return {
        "player": player if row is None else row.name,
        "plays": None if row is None else row.plays,
        "games": None if row is None else row.games,
        "preset": None if row is None else row.preset,
        "game": positions.title,
        "shape": game.shape,
        "of_cells": is_of_cells(game, game.initial, game.actions(game.initial)),
        "opponents": [*opponents_for(positions.title), *others] if row is not None else [],
    }


async def play_page(visit: Visit) -> Response:
    """Show the page; its script sits down and plays."""
    told = await _told(visit)
    given = {name: visit.argument(name) for name in ("seed", "as", "name", "greedy", "learning", "step", "guess")}
    sql = f"select * from boxes where learner = '{told['player'].replace(chr(39), chr(39) * 2)}'"
    return await visit.page(
        "play",
        told=told,
        given=given,
        here=visit.path("play", told["player"]),
        box_sql=sql,
        title=f"Play {told['player']}",
    )


async def play_json(visit: Visit) -> Response:
    """Return the same as JSON; or the page of a learner whose name ends so."""
    try:
        return visit.json(await _told(visit))
    except UnknownLearner:
        visit.request.url_vars["player"] += ".json"
        return await play_page(visit)


async def _told(visit: Visit) -> dict[str, Any]:
    staff = staff_of(visit.datasette, visit.file.path)
    return await staff.reader.do(lambda store: told_of(store, visit.part("player")))


async def sitting_json(visit: Visit) -> Response:
    """Return a sitting as it stands, by its token."""
    staff = staff_of(visit.datasette, visit.file.path)
    token = visit.argument("token")
    return visit.json(await staff.clerk.do(lambda store: scene_of(store, staff.desk.seat(store, token))))


async def begin(visit: Visit) -> Response:
    """Sit down to play."""
    order = order_of(await visit.body(), visit.part("player"))
    staff = staff_of(visit.datasette, visit.file.path)
    return visit.json(await staff.clerk.do(lambda store: scene_of(store, staff.desk.sit_down(store, order))))


def order_of(body: dict[str, Any], player: str) -> Order:
    """Return how a person wants to sit down.

    Raises:
        BadRequest, InvalidPlayer: if it cannot be read.
    """
    check_fixed(player)
    name, person = text_of(body, "name") or None, text_of(body, "as") or None
    learns, greedy = body.get("learning", True), body.get("greedy", False)
    if not isinstance(learns, bool) or not isinstance(greedy, bool):
        raise BadRequest("`learning` and `greedy` are true or false")
    side = None if person is None else Side(person)
    return Order(player, side, seed_of(body), name, "greedy" if greedy else "behaviour", learns)


def text_of(body: dict[str, Any], key: str) -> str:
    """Return a text of a request, empty where it has none. Raises BadRequest if it is another thing."""
    found = body.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise BadRequest(f"`{key}` is a text")
    return found


def seed_of(body: dict[str, Any]) -> int | None:
    """Return a seed, which may be a text: numbers of JavaScript end at 2^53. Raises BadRequest if it is none."""
    found = body.get("seed")
    if found is None or found == "":
        return None
    if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) < LONGEST_MOVE:
        return int(found)
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    raise BadRequest("`seed` is a whole number, 0 to 2^63 - 1")


def at_desk(act: Callable[[Seat, dict[str, Any]], None]) -> Callable[[Visit], Any]:
    """Return a handler that does something at a sitting, and answers with how it stands then."""

    async def handler(visit: Visit) -> Response:
        body = await visit.body()
        staff = staff_of(visit.datasette, visit.file.path)

        def job(store: Store) -> dict[str, Any]:
            seat = staff.desk.seat(store, body.get("token"))
            act(seat, body)
            return scene_of(store, seat)

        return visit.json(await staff.clerk.do(job))

    return handler


def _move(seat: Seat, body: dict[str, Any]) -> None:
    text = text_of(body, "move")
    if not text.strip() or len(text) > LONGEST_MOVE:
        raise BadRequest("`move` is the name of a move")
    desk.move(seat, text)


ROUTES = [
    Route("/{database}/play/{player}/sitting.json", sitting_json, None, "a sitting as it stands, by ?token="),
    Route("/{database}/play/{player}/begin", None, begin, "sit down to play"),
    Route("/{database}/play/{player}/move", None, at_desk(_move), "make a move; the machine answers"),
    Route("/{database}/play/{player}/undo", None, at_desk(lambda seat, _: desk.undo(seat)), "take a move back"),
    Route("/{database}/play/{player}/resign", None, at_desk(lambda seat, _: desk.resign(seat)), "give the game up"),
    Route("/{database}/play/{player}/next", None, at_desk(lambda seat, _: desk.another_game(seat)), "another game"),
    Route("/{database}/play/{player}/finish", None, at_desk(lambda seat, _: desk.finish(seat)), "record it after all"),
    Route("/{database}/play/{player}.json", play_json, None, "who can be played, and how"),
    Route("/{database}/play/{player}", play_page, None, "play a machine, with its box open, and let it train"),
]
