"""Serve the Play page, where people play against a machine or watch it train."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis import listings, position
from menace.errors import UnknownLearner
from menace.explorer.content import drawable_boxes, sessions
from menace.explorer.server.requests import BadRequest, Request, get, post
from menace.explorer.server.security import Refused
from menace.games.base import Side, moves_are_cells, shortened
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_fixed, fixed_opponent, is_fixed
from menace.learners.policy import PolicyName
from menace.ledger import learners
from menace.ledger.positions import positions_of
from menace.ledger.store import LearnerRow, Run, Store
from menace.people.physical import PhysicalSession, compare_count, operators_names, record_count
from menace.people.session import Session
from menace.site.translation import ENGLISH, PARTS
from menace.text.narration import for_scripts, opponent_words, told
from menace.text.wording import BEGINNER, OPPONENTS, called, is_beginner, unused_name

MAX_NUMBER = 2**63 - 1  # the largest block number that SQLite can store
MAX_GAMES = 1_000_000_000  # maximum number of games in a run that a page starts; this many take a quarter of an hour
POLL_TIMEOUT = 0.5  # seconds that a poll waits for another program to commit

PLAY = "/{database}/play/{player}"
TRAIN = f"{PLAY}/train"
TEACH = "/{database}/beginner"  # a machine that exists only in memory until the person's first move


@get("/{database}/play/{player}/progress.json")
async def progress(request: Request, after: int | None = None, boxes: int = sessions.DEFAULT_BOXES) -> dict[str, Any]:
    """Return the progress that a learner has made since a given block."""
    if not 1 <= boxes <= sessions.MAX_BOXES:
        raise BadRequest(f"boxes={boxes} is out of range; give a number from 1 to {sessions.MAX_BOXES:,}")
    services, name = sessions.services_for(request), request.part("player")
    cache, block = services.progress_cache(name), None if after is None else min(after, MAX_NUMBER)
    record = await services.worker.do(
        lambda store: sessions.training_progress(store, name, block, cache, boxes), POLL_TIMEOUT
    )
    return {**record, "training": services.training_job.state(record["run"])}


@post(TRAIN)
async def start(
    request: Request, against: str, games: int, seed: int | None = None, paused: bool = False
) -> dict[str, Any]:
    """Start a run. If `paused` is true, the run is only stored, so that `step` or `resume` can play it later."""
    if games > MAX_GAMES:
        raise BadRequest(f"games={games:,} are too many for one run; enter at most {MAX_GAMES:,}")
    job = sessions.services_for(request).training_job
    return sessions.run_json(await job.start(request.part("player"), against, games, seed, paused))


@post(f"{TRAIN}/pause")
async def pause(request: Request) -> dict[str, Any]:
    """Pause the run after the current block."""
    run = await sessions.services_for(request).training_job.pause()
    if run is None:
        raise BadRequest("there is no run to pause")
    return sessions.run_json(run)


def _add_training_action(name: str, act: Callable[[sessions.TrainingJob, int], Awaitable[Run]]) -> None:
    """Add a route for an action on a run; the route's only parameter is the number of the run."""

    @post(f"{TRAIN}/{name}")
    async def handler(request: Request, run_id: int) -> dict[str, Any]:
        return sessions.run_json(await act(sessions.services_for(request).training_job, run_id))


_add_training_action("resume", sessions.TrainingJob.resume)
_add_training_action("stop", sessions.TrainingJob.stop)


@post(f"{TRAIN}/step")
async def step(request: Request, run_id: int, games: int | None = None) -> dict[str, Any]:
    """Play one block of a paused run or, if `games` is given, at most that many games within a fifth of a second."""
    if games is not None and games < 1:
        raise BadRequest(f"games={games} is too few; enter 1 or more")
    return sessions.run_json(await sessions.services_for(request).training_job.step(run_id, games))


@post(f"{TRAIN}/game")
async def train_one_game(
    request: Request, against: str = "", seed: int | None = None, run_id: int | None = None
) -> dict[str, Any]:
    """Play the next game of an unfinished run or of a new one-game run, and return the game move by move."""
    return await sessions.services_for(request).training_job.play_one_game(
        request.part("player"), run_id, against, seed
    )


MAX_MOVE_LENGTH = 100  # the maximum number of characters in the name of a move


def player_dict(store: Store, player: str | None) -> dict[str, Any]:
    """Return the data that the page shows before a session begins; if `player` is None, describe a beginner.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player.
    """
    positions = positions_of(store)
    game = positions.game
    row: LearnerRow | Machine | None = None
    learner: dict[str, Any] | None = None
    if player is None:
        row = learners.new_beginner(positions)
        learner = {"plays": row.plays, "games": 0, "settings": asdict(row.settings)}
    elif is_fixed(player):
        fixed_opponent(player)
    else:
        row = store.learner(player)
        learner = listings.learner_record(row)
    others = [
        other.name
        for other in store.learners()
        if row is not None and other.plays is not row.plays and not is_beginner(other.name)
    ]
    return {
        "player": player if row is None else row.name,
        "learner": learner,
        "game": positions.title,
        "words": positions.words,
        "rules": game.rules,
        "shape": game.shape,
        "side": None if row is None else ENGLISH.side(game.name, row.plays),
        "has_draws": positions.has_draws,
        "winner": positions.winner,
        "of_cells": moves_are_cells(game, game.initial, game.actions(game.initial)),
        "opponents": [*learners.opponents_of_side(store, positions.title, row.plays.other), *others]
        if row is not None
        else [],
    }


@dataclass(frozen=True)
class PlayParams:
    """The parameters of the page, which the page's script reads from the address.

    Attributes:
        as_: the person's side, X or O, against a fixed opponent.
        name: the person's name, which is stored with the games.
        seed: the seed of the machine's moves.
        greedy: `1` if the machine always makes its best move.
        learning: `0` if the machine does not learn from the games.
        step: `1` to show the machine's turn step by step: draw, move, reward.
        guess: `1` to let the person guess which bead the machine will draw.
        present: `1` to show one section at a time in large type, selected with arrow or page keys.
        hide: the parts of the page to hide (see PARTS), separated by commas.
    """

    as_: str = ""
    name: str = ""
    seed: str = ""
    greedy: str = ""
    learning: str = ""
    step: str = ""
    guess: str = ""
    present: str = ""
    hide: str = ""


@get(PLAY)
async def play_page(request: Request, params: PlayParams) -> Response:
    """Show the Play page; its script begins a session."""
    try:
        return await _page(request, params, request.part("player"))
    except UnknownLearner:
        if not is_beginner(request.part("player")):
            raise
        return Response.redirect(request.path("beginner", new=1))  # the learner was deleted


@get(TEACH)
async def beginner_page(request: Request, params: PlayParams) -> Response:
    """Show the Play page with this browser's beginner, which is stored when the person makes the first move."""
    return await _page(request, params, None)


async def _page(request: Request, params: PlayParams, name: str | None) -> Response:
    record = await _player(request, name)
    player, learner = record["player"], record["learner"]
    opponents = [
        (name, opponent_words(name) if is_fixed(name) else told("both_learn", name=name))
        for name in record["opponents"]
    ]
    context: dict[str, Any] = {**record, "opponents": opponents}
    variant = await request.ask(lambda store: suggest_variant(store, player)) if learner and name else None
    hidden = parse_hidden_parts(params.hide)
    return await request.page(
        "play",
        here=request.path("beginner") if name is None else request.path("play", player),
        beginner=is_beginner(player),
        clauses=for_scripts(),
        plays=learner["plays"] if learner else "",
        learns=learner is not None,
        read_only=request.read_only and name is not None,
        parts=PARTS,
        hidden=[*hidden, "training"] if request.read_only and name is None else hidden,
        real=bool(variant and variant["real"]),
        measured=[(who, told(f"against_{who}")) for who in OPPONENTS],
        called=called(player),
        any_mistakes=True,
        max_games=MAX_GAMES,
        games_at_first=10_000,
        variant=variant and {**variant, "address": request.path("play", variant["name"])},
        title=f"Play {called(player)}",
        **context,
    )


def parse_hidden_parts(text: str) -> list[str]:
    """Return the parts of the page that the address asks to hide.

    Raises:
        BadRequest: if a part does not exist.

    >>> parse_hidden_parts("box,score"), parse_hidden_parts("")
    (['box', 'score'], [])
    """
    hidden = [part for part in text.split(",") if part]
    for part in hidden:
        if part not in PARTS:
            raise BadRequest(f"{shortened(part)} cannot be hidden; the parts that can be hidden are {', '.join(PARTS)}")
    return hidden


def suggest_variant(store: Store, player: str) -> dict[str, Any]:
    """Return initial values for the form that creates a variant of a player, and whether it can use `real` boxes."""
    row = store.learner(player)
    name = unused_name(player, {row.name for row in store.learners()}, "-")
    return {**drawable_boxes.machine_dict(row), "name": name, "real": position.draws_beads(store, row)}


@get("/{database}/play/{player}.json")
async def play_json(request: Request) -> dict[str, Any]:
    """Return the players that a person can play against, and their options, as JSON."""
    return await _player(request, request.part("player"))


async def _player(request: Request, player: str | None) -> dict[str, Any]:
    return await sessions.services_for(request).worker.do(lambda store: player_dict(store, player), POLL_TIMEOUT)


@get(f"{TEACH}/session.json")
@get(f"{PLAY}/session.json")
async def session_json(request: Request, token: str) -> dict[str, Any]:
    """Return the state of the session with the given token."""
    return await _in_session(request, token)


@post(f"{TEACH}/begin")
@post(f"{PLAY}/begin")
async def begin(
    request: Request,
    entries: list[str],
    as_: str = "",
    name: str = "",
    seed: int | None = None,
    greedy: bool = False,
    learning: bool = True,
    physical: bool = False,
    board: str = "",
) -> dict[str, Any]:
    """Begin a session; see `PlayParams`.

    If `physical` is true, the boxes are real matchboxes. To continue a game in progress, pass its recorded `entries`,
    which are replayed, and the `board` after those entries.
    """
    player = None if request.section == "beginner" else request.part("player")
    if player is not None:
        check_fixed(player)
    policy: PolicyName = "greedy" if greedy else "behaviour"
    person = Side(as_) if as_ else None
    services = sessions.services_for(request)

    def job(store: Store) -> str:
        if physical and player is not None:
            session = PhysicalSession(store, player, seed, name or None)
            if entries:
                session.repeat(entries, board)
            return services.sessions.add(session)
        opponent = learners.new_beginner(positions_of(store)) if player is None else player
        return services.sessions.add(Session(store, opponent, person, seed, name or None, policy, learning))

    token = await services.worker.do(job)
    return await _in_session(request, token, lambda session: session.answer())


async def _in_session(request: Request, token: str, act: Callable[[Session], object] | None = None) -> dict[str, Any]:
    """Perform an action in a session, record the game if the action ends it, and return the session's state."""
    services = sessions.services_for(request)

    def job(store: Store) -> dict[str, Any]:
        session = services.sessions.session(store, token)
        if act is not None:
            if request.read_only and not session.is_unsaved:
                raise Refused("this file is read-only here; you can play only against a beginner, which is not stored")
            act(session)
            if session.is_unsaved and session.is_under_way and not request.read_only:
                session.keep(unused_name(BEGINNER, {row.name for row in store.learners_and_deleted()}, "-"))
            session.record()
        if isinstance(session, PhysicalSession):
            return drawable_boxes.physical_record(store, token, session)
        return drawable_boxes.session_record(store, token, session)

    return await services.worker.do(job)


@post(f"{TEACH}/move")
@post(f"{PLAY}/move")
async def make_move(request: Request, token: str, move: str, ply: int | None = None) -> dict[str, Any]:
    """Make the person's move. If `ply` is given but differs from the number of moves so far, nothing changes."""

    def act(session: Session) -> None:
        if ply is None or ply == len(session.game.plies):
            session.move(move)

    if not move.strip() or len(move) > MAX_MOVE_LENGTH:
        raise BadRequest("move must be the name of a move, with at most 100 characters")
    return await _in_session(request, token, act)


def _add_session_action(name: str, act: Callable[[Session], object]) -> None:
    """Add a route for an action in a session; the route's only parameter is the session's token."""

    @post(f"{TEACH}/{name}")
    @post(f"{PLAY}/{name}")
    async def handler(request: Request, token: str) -> dict[str, Any]:
        return await _in_session(request, token, act)


_add_session_action("undo", lambda session: session.undo())
_add_session_action("resign", Session.resign)
_add_session_action("next", lambda session: session.next_game())
_add_session_action("finish", lambda session: session.finished or session.finish())


REAL = f"{PLAY}/matchboxes"


@get(REAL)
async def matchboxes_page(request: Request) -> Response:
    """Show the Play page in its mode for machines made of real matchboxes."""
    machine = await request.ask(lambda store: learners.named_machine(store, request.part("player")))
    operators_names(machine)  # raises an error if the machine cannot be built from real matchboxes
    return await request.page(
        "real_boxes",
        title=f"Real matchboxes: {machine.name}",
        here=request.path("play", machine.name),
        clauses=for_scripts(),
        boxes=len(machine.matchboxes),
        player=machine.name,
    )


@get(f"{REAL}/box.json")
def real_box(request: Request, store: Store, number: int) -> dict[str, Any]:
    """Return a box as it appears on its label, with the operator's names for its beads."""
    machine = learners.named_machine(store, request.part("player"))
    names, boxes = operators_names(machine), machine.matchboxes
    if not 1 <= number <= len(boxes):
        raise BadRequest(f"number={number} is not a box; boxes are numbered 1 to {len(boxes)}")
    return drawable_boxes.physical_box(boxes[number - 1], names)


@post(f"{REAL}/recount")
async def recount(request: Request, number: int, counted: dict[str, object], token: str = "") -> dict[str, str]:
    """Record how many real beads of each colour a box contains, and continue the session's game with these beads."""
    services = sessions.services_for(request)

    def job(store: Store) -> str:
        session = services.sessions.session(store, token) if token else None
        machine = learners.named_machine(store, request.part("player"))
        rows = "".join(f"{number},{colour},{beads}\n" for colour, beads in counted.items())
        comparison = compare_count(store, machine.name, f"box,colour,counted\n{rows}", operators_names(machine))
        if not comparison.different:
            return f"the count of box {number} agrees with the database"
        block_id = record_count(store, machine.name, comparison.different)
        if isinstance(session, PhysicalSession) and session.finished is None:
            session.repeat(session.operator_entries, session.game.board)
        return f"the count of box {number} is recorded as block {block_id}"

    return {"said": await services.worker.do(job)}
