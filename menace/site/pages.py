"""The pages of an exported site, and the scripts and styles that they load."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from typing import Any
from urllib.parse import quote

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
from menace.site.play_tables import opponents_in
from menace.wording import OPPONENTS, RESULTS, counted, ends_of, ordinal, percent

SCRIPTS = {
    "learner": ("chance.js", "players.js", "arena.js"),
    "home": ("drawing.js", "kept.js", "home.js"),
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
SHARED = ("drawing.js", "matchbox.js", "hands.js")  # shared with the served explorer, as the styles are
STYLES = ("menace.css", "matchbox.css", "play.css", "boxes.css", "curves.css")
OWN_STYLE = "site.css"
TABLES = "tables.js"
TELLING = "telling.js"
MINUS = "\N{MINUS SIGN}"


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
    def script(self) -> str:
        """The name of the script with its table."""
        return f"machine-{self.slug}.js"


def files_of(positions: Positions, tables: dict[str, Any], learners: list[SiteLearner]) -> dict[str, bytes]:
    """Return every file of a site by name. The same learners give the same bytes."""
    files = {
        "index.html": _home(positions, learners),
        "explore.html": _explore(learners),
        "style.css": "\n".join(map(_static, [*STYLES, OWN_STYLE])),
        TABLES: _script("menace.tables", tables),
    }
    for name in sorted({name for names in SCRIPTS.values() for name in names}):
        files[name] = _script("menace.clauses", for_scripts()) if name == TELLING else _static(name)
    for learner in learners:
        files[f"play-{learner.slug}.html"] = _play(learner, learners)
        files[f"boxes-{learner.slug}.html"] = _boxes(learner)
        files[learner.script] = _script("(menace.machines ??= [])", learner.table)
    return {name: text.encode("utf-8", "replace") for name, text in files.items()}


def _static(name: str) -> str:
    room = "explorer" if name in {*SHARED, *STYLES} else "site"
    return resources.files("menace").joinpath(room, "static", name).read_text("utf-8")


def _script(target: str, content: object) -> str:
    """Return a script that holds data: a page that is opened as a file may load scripts, but no JSON."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    statement = f"{target}.push({text})" if target.endswith(")") else f"{target} = {text}"
    return f"globalThis.menace ??= {{}};\n{statement};\n"


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with its placeholders replaced by HTML."""
    text = resources.files("menace.site").joinpath("templates", f"{template}.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], text)


def _page(template: str, title: str, nav: str, files: Iterable[str], parts: Mapping[str, str]) -> str:
    """Return a whole page; its scripts are classic ones, which load also from a file."""
    scripts = "\n".join(f'<script defer src="{html.escape(name)}"></script>' for name in files)
    content = _filled(template, parts)
    return _filled("base", {"title": html.escape(title), "nav": nav, "scripts": scripts, "content": content})


def _nav(learner: SiteLearner) -> str:
    name = html.escape(learner.name)
    return f'<a href="play-{learner.slug}.html">Play {name}</a><a href="boxes-{learner.slug}.html">Boxes of {name}</a>'


def _home(positions: Positions, learners: list[SiteLearner]) -> str:
    measured = {who: f"value {OPPONENTS[who]}" for who in OPPONENTS if who != "optimal"}
    parts = {
        "rules": html.escape(positions.game.rules),
        "heads": "".join(f'<th scope="col" class="number">{text}</th>' for text in measured.values()),
        "machines": "".join(_line(learner, measured) for learner in learners),
        "first": f'<a class="button" href="play-{learners[0].slug}.html">Play {html.escape(learners[0].name)}</a> ',
        "version": __version__,
    }
    return _page("home", f"Matchboxes: {positions.title}", "", SCRIPTS["home"], parts)


def _line(learner: SiteLearner, measured: Mapping[str, str]) -> str:
    name = html.escape(learner.name)
    values = "".join(
        f'<td class="number" data-is="{text}">{learner.strength[who].value:+.4f}</td>' for who, text in measured.items()
    )
    curve = html.escape(json.dumps([[games, round(value, 4)] for games, value in learner.curve]))
    here = f' <small data-print="{learner.table["print"]}"></small>' if learner.machine.has_beads else ""
    shown = f' data-is="so far" data-curve="{curve}"' if len(learner.curve) > 1 else ""
    links = f'<a href="play-{learner.slug}.html" aria-label="play {name}">play</a>'
    links += f' <a href="boxes-{learner.slug}.html" aria-label="boxes of {name}">boxes</a>'
    return (
        f'<tr><th scope="row">{name}</th><td class="go">{links}</td><td data-is="plays">{learner.machine.plays}</td>'
        f'<td class="number" data-is="games learned"><span>{learner.machine.learned.games:,}{here}</span></td>'
        f'<td class="so-far"{shown}></td>{values.replace("-0.", MINUS + "0.").replace("-1.", MINUS + "1.")}</tr>'
    )


def _play(learner: SiteLearner, learners: list[SiteLearner]) -> str:
    machine = learner.machine
    others = [other for other in learners if other.machine.plays is not machine.plays and other.machine.has_beads]
    parts = {
        "game": html.escape(machine.positions.title),
        "name": html.escape(learner.name),
        "slug": learner.slug,
        "print": learner.table["print"],
        "preset": html.escape(machine.preset),
        "plays": machine.plays,
        "games": counted(machine.learned.games, "game"),
        "learning": "" if machine.has_beads else " Here it plays as it was exported: it learns values, not beads.",
    }
    options = [f'<option value="{name}">{name}</option>' for name in opponents_in(machine.positions)]
    options += [
        f'<option value="{other.table["print"]}">{html.escape(other.name)} (both learn)</option>' for other in others
    ]
    parts["training"] = _filled("training", {"opponents": "".join(options)}) if machine.has_beads else ""
    data = [TABLES, learner.script, *(other.script for other in others)]
    return _page("play", f"Play {learner.name}", _nav(learner), [*data, *SCRIPTS["learner"], *SCRIPTS["play"]], parts)


def _explore(learners: list[SiteLearner]) -> str:
    data = [TABLES, *(learner.script for learner in learners)]
    return _page("explore", "Explore", "", [*data, *SCRIPTS["learner"], *SCRIPTS["explore"]], {})


def _boxes(learner: SiteLearner) -> str:
    machine, draws = learner.machine, learner.machine.positions.has_draws
    beads = '<label><input type="checkbox" id="by-colour"> colours of beads</label>'
    stages = [(stage, list(boxes)) for stage, boxes in groupby(learner.boxes, key=lambda box: box.stage)]
    parts = {
        "introduction": html.escape(words.introduction(machine, learner.names.of_cells)),
        "facts": "".join(
            f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(fact)}</dd></div>"
            for name, fact in words.facts(machine, learner.boxes).items()
        ),
        "results": "".join(f'<th scope="col" class="number">{result}</th>' for result in ends_of(RESULTS, draws)),
        "strength": "".join(_strength_row(text, learner.strength[who], draws) for who, text in OPPONENTS.items()),
        "settings": "".join(
            f'<tr><th scope="row">{html.escape(name)}</th><td>{html.escape(value)}</td></tr>'
            for name, value in words.settings_dict(machine).items()
        ),
        "all": f"All {'boxes' if machine.has_beads else 'positions'}",
        "legend": html.escape(words.legend(learner.boxes, learner.names)) if learner.boxes else "",
        "by_colour": beads if learner.table["colours"] else "",
        "read": ", ".join(ends_of(("green wins", "yellow draws", "red loses"), draws)),
        "links": " ".join(
            f'<span><a href="#stage-{stage}">{ordinal(stage)} move</a> <small>{words.stage_count(boxes)}</small></span>'
            for stage, boxes in stages
        ),
        "print": learner.table["print"],
        "stages": "".join(_stage(learner, stage, boxes) for stage, boxes in stages),
    }
    files = [TABLES, learner.script, *SCRIPTS["learner"], *SCRIPTS["boxes"]]
    return _page("boxes", words.title(machine), _nav(learner), files, parts)


def _strength_row(text: str, strength: Strength, draws: bool) -> str:
    shares = "".join(
        f'<td class="number">{html.escape(percent(share).strip())}</td>' for share in ends_of(strength, draws)
    )
    return f'<tr><th scope="row">{html.escape(text)}</th>{shares}</tr>'


def _stage(learner: SiteLearner, stage: int, boxes: list[Box]) -> str:
    heading = f"<h3>Its {ordinal(stage)} move <small>{words.stage_count(boxes)}</small></h3>"
    tables = "".join(
        _box(learner, box, number) for number, box in enumerate(boxes, start=learner.boxes.index(boxes[0]) + 1)
    )
    return f'<section id="stage-{stage}">{heading}<div class="shelf">{tables}</div></section>'


def _box(learner: SiteLearner, box: Box, number: int) -> str:
    game, board = learner.names.game, html.escape(box.board)
    link = f"explore.html#board={quote(box.board)}"
    total = f" <small>{counted(box.beads, 'bead')}</small>" if box.has_beads else ""
    caption = f'<caption><a href="{link}">{number}</a>{total}</caption>'
    rows = board_html(game.pieces(box.board), game.shape, marks_of(box, learner.names))
    return f'<table class="box" data-board="{board}">{caption}{rows}</table>'


def marks_of(box: Box, names: BeadNames) -> list[Mark]:
    """Return the marks of a box's moves on its board."""
    colours = colours_of(box, names)
    return [mark_of(box, move, colours.get(move.action)) for move in box.moves]
