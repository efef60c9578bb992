"""The pages of an exported site, and the scripts and styles that they load."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from menace import __version__
from menace.analysis.bead_names import BeadNames
from menace.arena.exact_strength import Strength
from menace.exporting.board_html import Mark, board_html
from menace.exporting.move_marks_html import colours_of, mark_of
from menace.game_narration import for_scripts
from menace.games.positions import Positions
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.site import words
from menace.site.first_page import about, heap_of, of_hundred
from menace.site.play_tables import opponents_in
from menace.wording import OPPONENTS, RESULTS, counted, ends_of, ordinal, percent

SCRIPTS = {
    "learner": ("chance.js", "players.js", "arena.js"),
    "home": ("drawing.js", "matchbox.js", "kept.js", "home.js"),
    "play": (
        "telling.js",
        "drawing.js",
        "matchbox.js",
        "hands.js",
        "boards.js",
        "kept.js",
        "game.js",
        "play.js",
        "train.js",
    ),
    "explore": ("telling.js", "drawing.js", "hands.js", "boards.js", "kept.js", "explore.js"),
    "boxes": ("drawing.js", "boards.js", "kept.js", "boxes.js"),
}
SHARED = ("drawing.js", "matchbox.js", "hands.js", "home.js")  # shared with the served explorer, as the styles are
STYLES = ("menace.css", "matchbox.css", "play.css", "boxes.css", "curves.css")
OWN_STYLE = "site.css"
HOME_STYLE = "home.css"
HOME_STYLES = ("menace.css", "matchbox.css", HOME_STYLE)  # all that the first page loads
PREVIEW = "preview.png"  # which a link to the site is shown with; tools/make_preview.py draws it
TABLES = "tables.js"
TELLING = "telling.js"


@dataclass(frozen=True)
class SiteLearner:
    """A learner of a site.

    Attributes:
        machine: the learner.
        names: of its beads and moves.
        slug: its name in file names.
        table: its data for the scripts.
        boxes: those where it has a choice, or beads.
        strength: exact, as it trains, by opponent.
        curve: its value against random play, by games learned from.
    """

    machine: Machine
    names: BeadNames
    slug: str
    table: dict[str, Any]
    boxes: list[Box]
    strength: Mapping[str, Strength]
    curve: list[tuple[int, float]]

    @property
    def name(self) -> str:
        """Its name."""
        return self.machine.name

    @property
    def value_curve(self) -> str:
        """Its curve for the scripts, as JSON."""
        return json.dumps([[games, round(value, 4)] for games, value in self.curve])

    @property
    def script(self) -> str:
        """The name of the script with its table."""
        return f"machine-{self.slug}.js"


def files_of(positions: Positions, tables: dict[str, Any], learners: list[SiteLearner]) -> dict[str, bytes]:
    """Return every file of a site by name. The same learners give the same bytes."""
    files = {
        "index.html": _home(positions, learners),
        "explore.html": _explore(learners),
        "style.css": "\n".join(map(_static, [*STYLES, OWN_STYLE])),
        HOME_STYLE: "\n".join(map(_static, HOME_STYLES)),
        TABLES: _script("menace.tables", tables),
    }
    for name in sorted({name for names in SCRIPTS.values() for name in names}):
        files[name] = _script("menace.clauses", for_scripts()) if name == TELLING else _static(name)
    for learner in learners:
        files[f"play-{learner.slug}.html"] = _play(learner, learners)
        files[f"boxes-{learner.slug}.html"] = _boxes(learner)
        files[learner.script] = _script("(menace.machines ??= [])", learner.table)
    texts = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    return {**texts, PREVIEW: resources.files("menace").joinpath("site", "static", PREVIEW).read_bytes()}


def _static(name: str) -> str:
    room = "explorer" if name in {*SHARED, *STYLES, HOME_STYLE} else "site"
    return resources.files("menace").joinpath(room, "static", name).read_text("utf-8")


def _script(target: str, content: object) -> str:
    """Return a script that holds data: a page that is opened as a file may load scripts, but no JSON."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    statement = f"{target}.push({text})" if target.endswith(")") else f"{target} = {text}"
    return f"globalThis.menace ??= {{}};\n{statement};\n"


@cache
def _environment() -> Environment:
    """Return the templates of the site, and those that it shares with the explorer."""
    folders = [resources.files("menace").joinpath(room, "templates") for room in ("site", "explorer")]
    return Environment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )


def _page(template: str, title: str, files: Iterable[str], learner: SiteLearner | None = None, **parts: object) -> str:
    """Return a whole page; its scripts are classic ones, which load also from a file."""
    context = {"title": title, "section": template, "scripts": list(files), "learner": learner, "counted": counted}
    return _environment().get_template(f"{template}.html").render(context | parts)


def best_of(learners: list[SiteLearner]) -> SiteLearner:
    """Return the learner to play first: one with beads, if there is any, that has learned from most games."""
    return max(learners, key=lambda learner: (learner.machine.has_beads, learner.machine.learned.games))


def _home(positions: Positions, learners: list[SiteLearner]) -> str:
    best = best_of(learners)
    return _page(
        "home",
        "A heap of matchboxes that learns",
        SCRIPTS["home"],
        best=best,
        heap=heap_of(best.machine, best.names),
        words=positions.words,
        heading=positions.heading,
        about=about(positions.words),
        game=positions.title,
        rules=positions.game.rules,
        machines=[
            {
                "name": learner.name,
                "plays": learner.machine.plays,
                "games": learner.machine.learned.games,
                "hundred": of_hundred(learner.strength["random"]),
                "links": {key: f"{key}-{learner.slug}.html" for key in ("play", "boxes")} | {"page": ""},
                "print": learner.table["print"] if learner.machine.has_beads else "",
            }
            for learner in learners
        ],
        version=__version__,
    )


def _play(learner: SiteLearner, learners: list[SiteLearner]) -> str:
    machine = learner.machine
    others = [other for other in learners if other.machine.plays is not machine.plays and other.machine.has_beads]
    return _page(
        "play",
        f"Play {learner.name}",
        [TABLES, learner.script, *(other.script for other in others), *SCRIPTS["learner"], *SCRIPTS["play"]],
        learner,
        opponents=opponents_in(machine.positions),
        others=others,
    )


def _explore(learners: list[SiteLearner]) -> str:
    data = [TABLES, *(learner.script for learner in learners)]
    return _page("explore", "Explore", [*data, *SCRIPTS["learner"], *SCRIPTS["explore"]], best=best_of(learners))


def _boxes(learner: SiteLearner) -> str:
    machine, draws = learner.machine, learner.machine.positions.has_draws
    stages = [(stage, list(boxes)) for stage, boxes in groupby(learner.boxes, key=lambda box: box.stage)]
    shares = {text: ends_of(learner.strength[who], draws) for who, text in OPPONENTS.items()}
    return _page(
        "boxes",
        words.title(machine),
        [TABLES, learner.script, *SCRIPTS["learner"], *SCRIPTS["boxes"]],
        learner,
        introduction=words.introduction(machine, learner.names.of_cells),
        facts=words.facts(machine, learner.boxes),
        results=ends_of(RESULTS, draws),
        strength={text: [percent(share).strip() for share in ends] for text, ends in shares.items()},
        settings=words.settings_dict(machine),
        legend=words.legend(learner.boxes, learner.names) if learner.boxes else "",
        read=", ".join(ends_of(("green wins", "yellow draws", "red loses"), draws)),
        stages=[
            {
                "stage": stage,
                "move": f"{ordinal(stage)} move",
                "count": words.stage_count(boxes),
                "tables": [_box(learner, box, learner.boxes.index(boxes[0]) + at + 1) for at, box in enumerate(boxes)],
            }
            for stage, boxes in stages
        ],
    )


def _box(learner: SiteLearner, box: Box, number: int) -> Markup:
    game, board = learner.names.game, html.escape(box.board)
    link = f"explore.html#board={quote(box.board)}"
    total = f" <small>{counted(box.beads, 'bead')}</small>" if box.has_beads else ""
    caption = f'<caption><a href="{link}">{number}</a>{total}</caption>'
    rows = board_html(game.pieces(box.board), game.shape, marks_of(box, learner.names))
    return Markup(f'<table class="box" data-board="{board}">{caption}{rows}</table>')  # noqa: S704 - all escaped


def marks_of(box: Box, names: BeadNames) -> list[Mark]:
    """Return the marks of a box's moves on its board."""
    colours = colours_of(box, names)
    return [mark_of(box, move, colours.get(move.action)) for move in box.moves]
