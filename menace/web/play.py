"""The page to play a machine: by click, key or typing, with its box open beside the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from menace.games.base import Side
from menace.games.look import is_of_cells, shortened
from menace.learners.fixed import check_fixed, is_fixed, opponents_for
from menace.ledger.positions import positions_of
from menace.shelf.records import learner_record
from menace.web import desk
from menace.web.asked import Argument, flag, number, text
from menace.web.curves import key_svg
from menace.web.desk import Order, Seat
from menace.web.errors import BadRequest
from menace.web.links import sql_of
from menace.web.route import Handler, Route
from menace.web.scene import scene_of
from menace.web.staff import staff_of
from menace.web.training import GAMES_MOST
from menace.web.visit import Visit
from menace.wording import OPPONENTS

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.learners.policy import PolicyKind
    from menace.ledger.store import Store

LONGEST_MOVE = 100  # characters
PARTS = {  # of the page, which a link can leave out
    "box": "what it saw",
    "score": "the score",
    "worth": "what moves are worth",
    "changes": "what a game changed",
    "undo": "undo",
    "resign": "resign",
    "type": "typing a move",
    "explore": "the way to Explore",
    "training": "training",
    "settings": "how to play",
}


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
        "learner": None if row is None else learner_record(row),
        "game": positions.title,
        "shape": game.shape,
        "of_cells": is_of_cells(game, game.initial, game.actions(game.initial)),
        "opponents": [*opponents_for(positions.title), *others] if row is not None else [],
    }


async def play_page(visit: Visit) -> Response:
    """Show the page; its script sits down and plays."""
    told = await _told(visit)
    given = {name: visit.argument(name) for name in GIVEN}
    return await visit.page(
        "play",
        told=told,
        given=given,
        here=visit.path("play", told["player"]),
        box_sql=sql_of(visit, "SELECT * FROM boxes WHERE learner = :name", name=told["player"]),
        parts=PARTS,
        hidden=hidden_of(given["hide"]),
        key=key_svg,
        opponents=list(OPPONENTS.values()),
        games_most=GAMES_MOST,
        title=f"Play {told['player']}",
    )


def hidden_of(text: str) -> list[str]:
    """Return the parts of the page that a link leaves out.

    Raises:
        BadRequest: if one is none.

    >>> hidden_of("box,score"), hidden_of("")
    (['box', 'score'], [])
    """
    found = [part for part in text.split(",") if part]
    for part in found:
        if part not in PARTS:
            raise BadRequest(
                f"{shortened(part)} is no part of the page that can be hidden; hide some of {', '.join(PARTS)}"
            )
    return found


async def play_json(visit: Visit) -> Response:
    """Return the same as JSON."""
    return visit.json(await _told(visit))


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


def order_of(body: Mapping[str, Any], player: str) -> Order:
    """Return how a person wants to sit down.

    Raises:
        BadRequest, InvalidPlayer: if it cannot be read.
    """
    check_fixed(player)
    name, person = text(body, "name", "") or None, text(body, "as", "") or None
    side = None if person is None else Side(person)
    kind: PolicyKind = "greedy" if flag(body, "greedy") else "behaviour"
    return Order(player, side, number(body, "seed"), name, kind, flag(body, "learning", default=True))


def at_desk(act: Callable[[Seat, Mapping[str, Any]], None]) -> Handler:
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


def _move(seat: Seat, body: Mapping[str, Any]) -> None:
    made = text(body, "move")
    if not made.strip() or len(made) > LONGEST_MOVE:
        raise BadRequest("move is the name of a move, of 100 characters at most")
    desk.move(seat, made)


SCENE = (
    "token player plays person name kind learns seed game board outcome recorded error said plies moves drawn resigned"
    " score html"
)


def _at(act: str, handler: Handler, summary: str, **body: Argument) -> Route:
    """Return the address at which something is done at a sitting."""
    return Route(
        f"/{{database}}/play/{{player}}/{act}", None, handler, summary, body={**TOKEN, **body}, gives=SCENE, others=GONE
    )


SEED = Argument("integer", "of its moves, 0 to 2^63 - 1, as a number or a text; one from the system if it is missing")
ORDER = {
    "as": Argument("string", "the side of who plays, X or O; needed against a fixed opponent alone, else X"),
    "name": Argument("string", "of who plays, kept with the games"),
    "seed": SEED,
    "greedy": Argument("boolean", "whether it plays what it has most for"),
    "learning": Argument("boolean", "whether it learns from the games; it does if it is missing"),
}
GIVEN = {
    **{key: one._replace(kind="string") for key, one in ORDER.items()},
    "greedy": Argument("string", "1: it plays what it has most for"),
    "learning": Argument("string", "0: it does not learn from the games"),
    "step": Argument("string", "1: its turn is shown step by step: draw, move, reward"),
    "guess": Argument("string", "1: who plays guesses which bead it will draw"),
    "hide": Argument("string", f"parts of the page that it leaves out, between commas: {', '.join(PARTS)}"),
}
TOKEN = {"token": Argument("string", "of the sitting, as `begin` has said it", True)}
GONE = {"410": "the sitting is gone: the server was started again, or others needed the room"}
MOVE = Argument("string", "the name of a move, as people write it", True)
ROUTES = [
    Route(
        "/{database}/play/{player}/sitting.json",
        sitting_json,
        None,
        "a sitting as it stands",
        TOKEN,
        others=GONE,
        gives=SCENE,
    ),
    Route("/{database}/play/{player}/begin", None, begin, "sit down to play", body=ORDER, gives=SCENE),
    _at("move", at_desk(_move), "make a move; the machine answers", move=MOVE),
    _at("undo", at_desk(lambda seat, _: desk.undo(seat)), "take a move back"),
    _at("resign", at_desk(lambda seat, _: desk.resign(seat)), "resign: the machine has won"),
    _at("next", at_desk(lambda seat, _: desk.another_game(seat)), "another game"),
    _at("finish", at_desk(lambda seat, _: desk.finish(seat)), "record a game after all"),
    Route(
        "/{database}/play/{player}.json",
        play_json,
        None,
        "who can be played, and how",
        gives="player learner game shape of_cells opponents",
    ),
    Route("/{database}/play/{player}", play_page, None, "play a machine, with its box open, and let it train", GIVEN),
]
