"""Machines: the presets and a form for a new one, and a page for each, where it is renamed, copied or deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from menace.arena.phases import json_object
from menace.colours import SCHEMES
from menace.errors import InvalidRun
from menace.games.base import Side
from menace.games.look import cells_of
from menace.learners import DEFAULT_PRESET, LEARNERS, PRESETS, check_fits, get_preset
from menace.learners.fixed import FIXED, opponents_for
from menace.learners.settings import show
from menace.ledger.deletion import delete_learner
from menace.ledger.machines import NAME_MOST, new_learner, rename_learner, settings_of
from menace.ledger.positions import positions_of
from menace.ledger.rulebook import rules_of
from menace.ledger.runs import abandon as abandon_run
from menace.ledger.runs import copy_learner
from menace.notebook.curve import curve_of
from menace.shelf.contests import strength_of
from menace.shelf.records import learner_records, strength_records
from menace.web import world
from menace.web.asked import flag, number, table, text
from menace.web.curves import curves_svg, key_svg, points_of
from menace.web.links import json_address, named, sql_of
from menace.web.presets import changed, preset_told, presets_for, settings_told
from menace.web.route import Argument, Route
from menace.web.visit import Visit
from menace.wording import OPPONENTS, counted

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.ledger.store import LearnerRow, Store

EXACT_MOST = 100_000  # positions of a game whose strength is computed while a page waits
COPY_MOST = NAME_MOST - 5  # characters of a name, of which a copy's is made
NINE = 9  # cells, for which Michie's colours and numbers are


# All of them, and a new one.


def everything(store: Store) -> dict[str, Any]:
    """Return what the page of all machines says of a file."""
    rules = rules_of(store)
    return {
        "game": rules.title,
        "presets": {name: preset_told(name, preset) for name, preset in presets_for(rules.title).items()},
        "learners": [machine_told(row) for row in store.learners()],
        "schemes": list(SCHEMES) if cells_of(rules.game) == NINE else ["menace"],
    }


def machine_told(row: LearnerRow) -> dict[str, Any]:
    """Return a learner's row, with its settings, and what its preset says where they differ."""
    values = json_object(row.settings, f"the settings of {row.name}")
    told = {**row._asdict(), "settings": values, "known": row.algorithm in LEARNERS}
    texts = {name: show(tuple(one) if isinstance(one, list) else one) for name, one in values.items()}
    return {**told, "instead_of": changed(texts, row.preset), "texts": texts}


def free_name(taken: set[str], preset: str, side: str) -> str:
    """Return a name that no machine has.

    >>> free_name({"menace-x", "menace-x 2"}, "menace", "X")
    'menace-x 3'
    """
    wanted = f"{preset}-{side.lower()}"
    names = (wanted if turn == 1 else f"{wanted} {turn}" for turn in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def copy_name(taken: set[str], name: str) -> str:
    """Return a name for a copy, that no machine has.

    >>> copy_name({"adam", "adam 2"}, "adam")
    'adam 3'
    """
    names = (f"{name[:COPY_MOST]} {turn}" for turn in range(2, len(taken) + 3))
    return next(name for name in names if name not in taken)


async def machines(visit: Visit) -> Response:
    """Show all machines, and the form for a new one, with the settings of a preset."""
    found = await visit.ask(everything)
    chosen = visit.argument("preset", next(iter(found["presets"])))
    preset = get_preset(chosen)
    check_fits(chosen, found["game"])
    taken = {one["name"] for one in found["learners"]}
    name = free_name(taken, chosen, preset.plays[0])
    return await visit.page(
        "machines",
        title="Machines",
        chosen=found["presets"][chosen],
        name=visit.argument("name", name),
        may_be_random=any(one["name"] == "initial" for one in found["presets"][chosen]["settings"]),
        address_of=lambda one: named(visit, "machines", one),
        sql=sql_of(visit, "SELECT name, plays, preset, settings, games FROM learner WHERE deleted_at IS NULL"),
        **found,
    )


async def machines_json(visit: Visit) -> Response:
    """Return all machines, as `menace learners --json` does."""
    found = await visit.ask(lambda store: learner_records(store.learners()))
    return visit.json([dict(zip(found.columns, row, strict=True)) for row in found.rows])


async def presets_json(visit: Visit) -> Response:
    """Return the presets that the game can have, each setting explained."""
    return visit.json(list((await visit.ask(everything))["presets"].values()))


async def make(visit: Visit) -> Response:
    """Make a machine that has learned nothing yet."""
    body = await visit.body()
    name, plays, preset = text(body, "name"), text(body, "plays"), text(body, "preset", DEFAULT_PRESET)
    settings, seed = table(body, "settings"), number(body, "seed")
    schemes: list[Any] = [text(body, key, "") or None for key in ("colours", "numbering")]
    row = await visit.ask(lambda store: new_learner(store, name, Side(plays), preset, settings, seed, *schemes))
    return _made(visit, row.name)


def _made(visit: Visit, name: str, **more: object) -> Response:
    return visit.json({"name": name, "address": named(visit, "machines", name), **more})


# One of them.


def about(store: Store, name: str) -> dict[str, Any]:
    """Return what the page of a machine says: its settings, strength and curve, and the runs that are not finished."""
    row = store.learner(name)
    known = row.algorithm in LEARNERS
    exact = known and store.position_count() <= EXACT_MOST
    curve = curve_of(store, row, "behaviour")
    return {
        "machine": machine_told(row),
        "told": settings_told(settings_of(row)) if known else [],
        "preset": preset_told(row.preset, PRESETS[row.preset]) if row.preset in PRESETS else None,
        "report": strength_of(store, row.name) if exact else None,
        "has_draws": exact and positions_of(store).has_draws,
        "curves": {words: points_of(curve, who) for who, words in OPPONENTS.items()},
        "runs": world.unfinished_runs(store, row.name),
        "first": rules_of(store).game.initial,
        "fixed": opponents_for(rules_of(store).title),
        "others": [one.name for one in store.learners() if one.plays != row.plays],
        "has_beads": known and LEARNERS[row.algorithm].has_beads,
        "taken": {one.name for one in store.learners()},
    }


async def machine(visit: Visit) -> Response:
    """Show one machine."""
    name = visit.part("name")
    found = await visit.ask(lambda store: about(store, name))
    name = found["machine"]["name"]
    curves = found["curves"]
    return await visit.page(
        "machine",
        title=name,
        here=named(visit, "machines", name),
        json_address=json_address(visit, "machines", name),
        links={kind: named(visit, kind, name) for kind in ("play", "boxes")},
        copy_name=copy_name(found.pop("taken"), name),
        drawn=curves_svg(curves, f"value of {name} by games learned from") if any(curves.values()) else "",
        key=key_svg,
        counted=counted,
        games=world.GAMES,
        sql=sql_of(visit, "SELECT * FROM learner WHERE name = :name", name=name),
        **found,
    )


async def machine_json(visit: Visit) -> Response:
    """Return one machine: its row, settings, exact strength and curve."""
    name = visit.part("name")
    found = await visit.ask(lambda store: about(store, name))
    report, row = found["report"], found["machine"]
    strengths = strength_records([report] if report else [])
    kept = {key: value for key, value in row.items() if key not in {"texts", "known", "deleted_at"}}
    return visit.json(
        {
            **kept,
            "strength": [dict(zip(strengths.columns, one, strict=True)) for one in strengths.rows],
            "curves": {words: [{"games": n, "value": v} for n, v in one] for words, one in found["curves"].items()},
            "unfinished_runs": [run.run_id for run in found["runs"]],
        }
    )


async def rename(visit: Visit) -> Response:
    """Give a machine another name."""
    body = await visit.body()
    new, old = text(body, "name"), visit.part("name")

    def renamed(store: Store) -> str:
        number_of = store.learner(old).learner_id
        rename_learner(store, old, new)
        return store.learner_by_id(number_of).name

    return _made(visit, await visit.ask(renamed))


async def copy(visit: Visit) -> Response:
    """Start a machine from what another has learned."""
    body = await visit.body()
    new, old = text(body, "name"), visit.part("name")
    row = await visit.ask(lambda store: copy_learner(store, old, new))
    return _made(visit, row.name)


async def delete(visit: Visit) -> Response:
    """Delete a machine; one that has learned from games only if the page says yes."""
    body = await visit.body()
    yes, name = flag(body, "yes"), visit.part("name")

    def deleted(store: Store) -> bool:
        row = store.learner(name)
        if row.games and not yes:
            raise InvalidRun(
                f"{row.name} has learned from {counted(row.games, 'game')}, which cannot be recovered;"
                " say yes to delete it anyway"
            )
        return delete_learner(store, row.name)

    gone = await visit.ask(deleted)
    return visit.json({"name": name, "address": visit.path("machines"), "gone": gone})


async def change(visit: Visit) -> Response:
    """Make a copy in another world: a box tipped out, or another opponent."""
    body = await visit.body()
    new, old, games = text(body, "name"), visit.part("name"), number(body, "games")
    wanted = world.World(
        text(body, "empty", "").strip() or None,
        text(body, "against", "").strip() or None,
        world.GAMES if games is None else games,
    )
    return await _trained(visit, lambda store: world.change(store, old, new, wanted), lambda _: new)


async def resume(visit: Visit) -> Response:
    """Carry an unfinished run of a machine on, for a second."""
    run_id, name = number(await visit.body(), "run"), visit.part("name")
    return await _trained(visit, lambda store: world.run_of(store, name, run_id or 0), lambda _: name)


async def _trained(visit: Visit, ordered: Callable[[Store], Any], name_of: Callable[[Any], str]) -> Response:
    def carried(store: Store) -> tuple[str, Any]:
        run = ordered(store)
        return store.learner(name_of(run)).name, run and world.carried_on(store, run)

    name, run = await visit.ask(carried)
    return _made(visit, name, **world.run_told(run), more=named(visit, "machines", name) + "/resume")


async def abandon(visit: Visit) -> Response:
    """End an unfinished run of a machine as it stands."""
    run_id, name = number(await visit.body(), "run"), visit.part("name")
    run = await visit.ask(lambda store: abandon_run(store, world.run_of(store, name, run_id or 0).run_id))
    return _made(visit, name, **world.run_told(run))


NAME = {"name": Argument("string", "the new name", True)}
RUN = {"run": Argument("integer", "the number of an unfinished run of it", True)}
NEW = {
    **NAME,
    "plays": Argument("string", "its side, X or O", True),
    "preset": Argument("string", "where its settings come from; menace if it is missing"),
    "settings": Argument("object", "settings that replace the preset's, by name; values or texts"),
    "seed": Argument("integer", "of a random start, 0 to 2^63 - 1"),
    "colours": Argument("string", "of its beads, menace or michie; the preset's if it is missing"),
    "numbering": Argument("string", "of cells, likewise"),
}
WORLD = {
    **NAME,
    "empty": Argument("string", "a board, whose box is tipped out"),
    "against": Argument("string", f"an opponent, who does not learn: {', '.join(FIXED)}, or a machine"),
    "games": Argument("integer", f"that it plays against it, at most {world.GAMES_MOST:,}; {world.GAMES:,} if missing"),
}
PAGE = {
    "preset": Argument("string", "whose settings the form begins with"),
    "name": Argument("string", "that the form begins with"),
}
ROUTES = [
    Route("/{database}/presets.json", presets_json, None, "the presets for the game, each setting explained"),
    Route("/{database}/machines.json", machines_json, None, "the machines of a file"),
    Route("/{database}/machines", machines, make, "the machines of a file, and a form for a new one", PAGE, NEW),
    Route("/{database}/machines/{name}/rename", None, rename, "give a machine another name", body=NAME),
    Route("/{database}/machines/{name}/copy", None, copy, "start a machine from what another has learned", body=NAME),
    Route(
        "/{database}/machines/{name}/delete",
        None,
        delete,
        "delete a machine",
        body={"yes": Argument("boolean", "whether to delete one that has learned from games")},
    ),
    Route("/{database}/machines/{name}/world", None, change, "copy a machine into another world", body=WORLD),
    Route("/{database}/machines/{name}/resume", None, resume, "carry a run of a machine on for a second", body=RUN),
    Route("/{database}/machines/{name}/abandon", None, abandon, "end a run of a machine as it stands", body=RUN),
    Route("/{database}/machines/{name}.json", machine_json, None, "a machine: settings, strength and curve"),
    Route("/{database}/machines/{name}", machine, None, "a machine, to be renamed, copied, changed or deleted"),
]
