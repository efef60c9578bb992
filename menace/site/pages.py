"""Write the pages of an exported site, with their scripts and styles, and the SQL page.

The SQL page contains a copy of the database, and SQLite compiled to WebAssembly.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from menace import __version__
from menace.analysis.bead_names import BeadNames
from menace.analysis.learning_curves import practice_film
from menace.arena.exact_strength import Strength
from menace.drawing.boards import cell_names
from menace.exporting.board_html import bead_colours, group_by_stage, matchbox_html, move_drawing
from menace.games.base import has_pawns
from menace.games.positions import Positions
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.learners.settings import to_json
from menace.ledger.queries import named_queries
from menace.ledger.store import database, sqlite
from menace.site.play_tables import FIRST_PIECE, game_tables, opponents_in
from menace.site.translation import ENGLISH, PARTS, Words
from menace.text.narration import for_scripts, opponent_words
from menace.text.wording import OPPONENTS, RESULTS, VERDICTS, called, ends_of, is_beginner, percent

MAX_CLOSED_BOXES = 12  # maximum number on the home page
MIN_VISIBLE_SHARE = 0.03  # smaller shares of a box's beads are hardly visible
MIN_BEADS, MIN_COLOURS = 30, 3  # a box with fewer beads or colours hardly shows learning
MAX_FAVOURITE_SHARE = 0.85  # with a larger share, the box shows little of the other colours


def sample_boxes_for_home_page(
    machine: Machine, bead_names: BeadNames | None = None, words: Words = ENGLISH
) -> dict[str, Any] | None:
    """Return one open box and several closed boxes for the home page, or None if the machine has no beads.

    The machine's own names for its beads are used unless `bead_names` is given.

    The open box shows what the machine has learned. The open box is the one whose favourite move has the largest share
    of beads, up to a limit, among the boxes with several colours. The bead that comes to rest has the colour of the
    favourite move.

    >>> heap = sample_boxes_for_home_page(Machine("menace", "X"))
    >>> heap["title"], heap["moves"][0]["colour"], len(heap["closed"])
    ('box 1 for .........', '#d52b2b', 12)
    """
    names = bead_names or BeadNames(machine.positions, machine.naming)
    boxes = [box for box in machine.boxes if box.has_beads] if machine.has_beads else []
    if not boxes:
        return None
    box = max(boxes, key=_learning_shown)
    best = max(reversed(box.moves), key=attrgetter("amount"))
    closed = boxes[:: max(1, len(boxes) // MAX_CLOSED_BOXES)][:MAX_CLOSED_BOXES]
    return {
        **box_to_draw(box, names),
        "title": words.told("box_for", number=box.number, board=box.board),
        "drawn": box.moves.index(best),
        "most": best.beads,
        "beads": box.beads,
        "closed": [_board_on_lid(box) for box in closed],
        "clauses": {
            name: text
            for name, text in for_scripts(words.clauses).items()
            if name in _home_page_texts() or name.startswith("colour_")
        },
    }


def film_for_home_page(positions: Positions, words: Words = ENGLISH) -> dict[str, Any] | None:
    """Return the result of `sample_boxes_for_home_page`, with a `film` that shows the open box during practice.

    Each frame contains the number of games played, the amounts in the open box, and the probability of losing to a
    random player. `words` names the game.
    """
    frames = practice_film(positions)
    heap = sample_boxes_for_home_page(frames[-1].machine, words=words)
    if heap is None:
        return None
    film = [
        (frame.games, [move.amount for move in frame.machine.box(heap["board"]).moves], round(frame.loss, 3))
        for frame in frames
    ]
    return {**heap, "film": film, "words": positions.words}


def box_to_draw(box: Box, names: BeadNames) -> dict[str, Any]:
    """Return a box in the form that matchbox.js draws."""
    colours = bead_colours(box, names)
    moves = [
        {
            **move_drawing(box.game, box.board, move.action),
            "amount": move.amount,
            "names": [names.game.name_of(box.board, same) for same in names.rules.actions_for(box.board, move.action)],
            "bead": colours[move.action].name if colours else None,
            "colour": colours[move.action].hex if colours else None,
        }
        for move in box.moves
    ]
    kind = "cell" if names.of_cells else "move"
    return {**_board_on_lid(box), "shape": box.game.shape, "kind": kind, "unit": box.unit, "moves": moves}


def first_box_to_draw(machine: Machine, names: BeadNames, words: Words = ENGLISH) -> dict[str, Any] | None:
    """Return the first box of a machine in the form that matchbox.js draws, or None if it has no beads."""
    box = next(machine.each_box(), None) if machine.has_beads else None
    if box is None:
        return None
    title = words.told("box_for", number=box.number, board=box.board)
    return {**box_to_draw(box, names), "title": title, "drawn": None}


@cache
def _home_page_texts() -> set[str]:
    """Return all texts that the scripts of the home page use, including the names of their placeholders."""
    static = resources.files("menace").joinpath("explorer", "static")
    scripts = [static.joinpath(name).read_text("utf-8") for name in ("matchbox.js", "home.js")]
    return {"language", "bead_one", "game_one", "game_other", "bead_other", *re.findall(r'"(\w+)"', " ".join(scripts))}


def _learning_shown(box: Box) -> tuple[bool, float, int]:
    """Return a sort key for how clearly a box shows learning; larger is better, and earlier boxes win ties."""
    shares = sorted((move.share or 0 for move in box.moves), reverse=True)
    seen = box.beads >= MIN_BEADS and sum(share >= MIN_VISIBLE_SHARE for share in shares) >= MIN_COLOURS
    learned = seen and shares[0] <= MAX_FAVOURITE_SHARE
    return learned, round(shares[0], 2) if learned else 0, -box.position_id


def _board_on_lid(box: Box) -> dict[str, Any]:
    """Return the board on a box."""
    return {"board": box.board, "pieces": box.game.pieces(box.board), "number": box.number}


def results_per_hundred(strength: Strength) -> dict[str, int]:
    """Round wins, draws and losses in a hundred games to integers that add up to 100.

    >>> results_per_hundred(Strength(win=0.856, draw=0.087, loss=0.057))
    {'wins': 85, 'draws': 9, 'loses': 6}
    """
    shares = dict(zip(VERDICTS.values(), (100 * strength.win, 100 * strength.draw, 100 * strength.loss), strict=True))
    games = {word: int(share) for word, share in shares.items()}
    for word in sorted(shares, key=lambda word: games[word] - shares[word])[: 100 - sum(games.values())]:
        games[word] += 1
    return games


SCRIPTS = {
    "learner": ("chance.js", "players.js", "arena.js"),
    "home": ("words.js", "matchbox.js", "home.js"),
    "play": (
        *("clauses.js", "words.js", "drawing.js", "matchbox.js", "motion.js", "board_input.js", "keys.js"),
        *("boards.js", "drawable_boxes.js", "learner_memory.js", "link.js", "game.js"),
        *("site_memory.js", "site_training.js", "site_session.js", "site_source.js"),
        *("raised.js", "play.js", "training.js"),
    ),
    "explore": (
        "clauses.js",
        "words.js",
        "drawing.js",
        "board_input.js",
        "boards.js",
        "learner_memory.js",
        "explore.js",
    ),
    "exam": (
        *("arena.js", "clauses.js", "words.js", "drawing.js", "board_input.js", "boards.js"),
        *("exam.js", "exam_page.js"),
    ),
    "boxes": (
        "clauses.js",
        "words.js",
        "drawing.js",
        "boards.js",
        "drawable_boxes.js",
        "learner_memory.js",
        "boxes.js",
    ),
}
SQL_SCRIPTS = ("words.js", "drawing.js", "sql_page.js")  # the page embeds these scripts
SQL_STYLES = ("menace.css", "site.css", "sql.css")
STYLES = ("menace.css", "matchbox.css", "play.css", "boxes.css", "curves.css", "exam.css")
OWN_STYLE = "site.css"
HOME_STYLE = "home.css"
HOME_STYLES = ("menace.css", "matchbox.css", HOME_STYLE)  # everything that the home page loads
PREVIEW = "preview.png"  # the preview image for links to the site, created by tools/docs/make_screenshots.py
MAX_GAMES = 1_000_000  # the maximum number of games in a run, as in static/site_training.js
CLAUSES = "clauses.js"


@dataclass(frozen=True)
class SiteLearner:
    """A learner on a site, with the data that the learner's pages need.

    Attributes:
        machine: The machine.
        names: The names of its beads and moves.
        slug: Its name in file names.
        game: The slug of its game after a `-`; empty for the first game of a site.
        table: Its data for the scripts.
        boxes: The boxes that contain beads or offer a choice of moves.
        strength: Its exact strength in training, by opponent.
        curve: Its value against random play, for each number of games after which it was measured.
        sql: The name of the page on which visitors query its database; empty if there is no such page.
    """

    machine: Machine
    names: BeadNames
    slug: str
    game: str
    table: dict[str, Any]
    boxes: list[Box]
    strength: Mapping[str, Strength]
    curve: list[tuple[int, float]]
    sql: str = ""

    @property
    def name(self) -> str:
        """The learner's name."""
        return self.machine.name

    @property
    def value_curve(self) -> str:
        """The value curve as JSON for the scripts."""
        return json.dumps([[games, round(value, 4)] for games, value in self.curve])

    @property
    def script(self) -> str:
        """The name of the script that contains the learner's table."""
        return f"machine-{self.slug}.js"

    @property
    def tables(self) -> str:
        """The name of the script that contains the tables of the learner's game."""
        return f"tables{self.game}.js"

    def page(self, name: str) -> str:
        """Return the file name of a page for the learner's game, where `name` is `choose`, `explore` or `exam`."""
        return f"{name}{self.game}.html"

    @property
    def in_words(self) -> dict[str, Any]:
        """The learner's description on the home page."""
        return {
            "name": self.name,
            "plays": self.machine.plays,
            "games": self.machine.learned.games,
            "hundred": results_per_hundred(self.strength["random"]),
            "links": {key: f"{key}-{self.slug}.html" for key in ("play", "boxes")} | {"page": ""},
            "print": self.table["print"] if self.table["learns"] else "",
        }


def site_files(games: list[list[SiteLearner]], beginners: list[SiteLearner], words: Words) -> dict[str, bytes]:
    """Return the contents of all files of a site, keyed by name. The same learners always produce the same bytes.

    Args:
        games: The learners of each game, in the order of the home page.
        beginners: For each game, a machine that has learned nothing.
        words: The texts of the pages.
    """
    files = {
        "index.html": _home(games, words),
        "style.css": "\n".join(map(_static_text, [*STYLES, OWN_STYLE])),
        HOME_STYLE: "\n".join(map(_static_text, HOME_STYLES)),
    }
    for name in sorted({name for names in SCRIPTS.values() for name in names}):
        files[name] = _script("menace.clauses", for_scripts(words.clauses)) if name == CLAUSES else _static_text(name)
    for learners, beginner in zip(games, beginners, strict=True):
        positions = learners[0].machine.positions
        tables = {**game_tables(positions), "cells": cell_names(positions.game, words.told)}
        files[learners[0].tables] = _script("menace.tables", tables)
        files[learners[0].page("explore")] = _explore(learners, words)
        files[learners[0].page("exam")] = _exam(learners[0], words)
        files[learners[0].page("choose")] = _choose(beginner, learners[0], words)
        for learner in (*learners, beginner):
            files[f"play-{learner.slug}.html"] = _play(learner, learners, words)
            files[f"boxes-{learner.slug}.html"] = _boxes(learner, words)
            files[learner.script] = _script("(menace.machines ??= [])", learner.table)
    texts = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    return {**texts, PREVIEW: resources.files("menace").joinpath("site", "static", PREVIEW).read_bytes()}


def _static_text(name: str) -> str:
    """Return the text of one of the site's scripts or stylesheets; some of these files are shared with the explorer."""
    own, shared = (resources.files("menace").joinpath(room, "static", name) for room in ("site", "explorer"))
    return (own if own.is_file() else shared).read_text("utf-8")


def _script(target: str, content: object) -> str:
    """Return a script that contains data. A page that is opened as a file can load scripts, but not JSON."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    statement = f"{target}.push({text})" if target.endswith(")") else f"{target} = {text}"
    return f"globalThis.menace ??= {{}};\n{statement};\n"


@cache
def _environment() -> Environment:
    """Return a Jinja environment with the site's templates and the templates shared with the explorer."""
    folders = [resources.files("menace").joinpath(room, "templates") for room in ("site", "explorer")]
    return Environment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )


def _page(
    template: str,
    words: Words,
    /,
    title: str,
    files: Iterable[str],
    learner: SiteLearner | None = None,
    **parts: object,
) -> str:
    """Render a complete page.

    The page uses classic scripts, because modules do not load when a page is opened as a file.
    """
    spoken = {"told": words.told, "counted": words.counted, "rules": words.rules}
    own = learner or parts.get("best")
    pawns = isinstance(own, SiteLearner) and has_pawns(own.machine.positions.game)
    context = {
        "title": title,
        "section": template,
        "scripts": list(files),
        "learner": learner,
        "pawns": pawns,
        **spoken,
    }
    return _environment().get_template(f"{template}.html").render(context | parts)


def _home(games: list[list[SiteLearner]], words: Words) -> str:
    best = games[0][0]
    return _page(
        "home",
        words,
        words.told("heap"),
        SCRIPTS["home"],
        best=best,
        heap=film_for_home_page(best.machine.positions, words) if best.machine.has_beads else None,
        games=games,
        version=__version__,
    )


def _choose(beginner: SiteLearner, best: SiteLearner, words: Words) -> str:
    listed = [beginner, *([best] if best.machine.learned.games else [])]
    opponents = [
        {
            "name": called(learner.name),
            "games": learner.machine.learned.games,
            "address": f"play-{learner.slug}.html",
            "box": first_box_to_draw(learner.machine, learner.names, words),
        }
        for learner in listed
    ]
    title, clauses = words.told("choose_machine"), for_scripts(words.clauses)
    return _page("choose", words, title, SCRIPTS["home"], best=best, opponents=opponents, clauses=clauses)


def _play(learner: SiteLearner, learners: list[SiteLearner], words: Words) -> str:
    machine = learner.machine
    others = [other for other in learners if other.machine.plays is not machine.plays and other.table["learns"]]
    return _page(
        "play",
        words,
        words.told("title_play", name=called(learner.name)),
        [learner.tables, learner.script, *(other.script for other in others), *SCRIPTS["learner"], *SCRIPTS["play"]],
        learner,
        version=__version__,
        explore=learner.page("explore"),
        exam=learner.page("exam"),
        player=learner.name,
        called=called(learner.name),
        beginner=is_beginner(learner.name),
        plays=machine.plays,
        side=words.side(machine.positions.game.name, machine.plays),
        has_draws=machine.positions.has_draws,
        learns=learner.table["learns"],
        of_cells=learner.names.of_cells,
        read_only=False,
        variant=None,
        parts=PARTS,
        hidden=[],
        measured=[(who, words.told(f"against_{who}")) for who in OPPONENTS],
        opponents=[
            *((name, opponent_words(name, words.told)) for name in opponents_in(machine.positions)),
            *((other.table["print"], words.told("both_learn", name=other.name)) for other in others),
        ],
        any_mistakes=False,  # a site contains the tables of its opponents
        max_games=MAX_GAMES,
        games_at_first=1000,
    )


def database_page(published: database.Published, learner: SiteLearner, words: Words) -> bytes:
    """Return the page on which visitors query the published database of a learner. The page needs no other file."""
    content = sql_content(published, learner.machine.positions, learner.page("explore"))
    data = [_script("menace.clauses", for_scripts(words.clauses)), _script("menace.sql", content["data"])]
    inline = [text.replace("<", r"\u003c") for text in data] + [_static_text(name) for name in SQL_SCRIPTS]
    style = "\n".join(map(_static_text, SQL_STYLES))
    return _page(
        "sql", words, words.told("title_sql"), (), best=learner, inline=inline, style=style, **content
    ).encode()


def _explore(learners: list[SiteLearner], words: Words) -> str:
    data = [learners[0].tables, *(learner.script for learner in learners)]
    files = [*data, *SCRIPTS["learner"], *SCRIPTS["explore"]]
    results = ends_of(map(words.told, RESULTS), learners[0].machine.positions.has_draws)
    return _page("explore", words, words.told("to_explore"), files, best=learners[0], results=results)


def _exam(learner: SiteLearner, words: Words) -> str:
    alike = len(learner.machine.positions.symmetries) > 1
    files = [learner.tables, *SCRIPTS["exam"]]
    return _page("exam", words, words.told("to_exam"), files, best=learner, alike=alike, clauses=None)


def _boxes(learner: SiteLearner, words: Words) -> str:
    machine, draws = learner.machine, learner.machine.positions.has_draws
    numbers = count(1)
    shares = {words.told(f"against_{who}"): ends_of(learner.strength[who], draws) for who in OPPONENTS}
    return _page(
        "boxes",
        words,
        words.told("title_boxes" if machine.has_beads else "title_values", name=machine.name),
        [learner.tables, learner.script, *SCRIPTS["learner"], *SCRIPTS["boxes"]],
        learner,
        introduction=words.introduction(machine, learner.names.of_cells),
        machine=machine,
        results=ends_of(map(words.told, RESULTS), draws),
        strength={text: [percent(share).strip() for share in ends] for text, ends in shares.items()},
        settings={"algorithm": machine.algorithm.name, **json.loads(to_json(machine.settings))},
        merged=any(move.multiplicity > 1 for box in learner.boxes for move in box.moves),
        read=ends_of(map(words.told, ("green", "yellow", "red")), draws),
        stages=[
            {
                "stage": stage.number,
                "count": words.counted(len(stage.boxes), "box" if machine.has_beads else "position"),
                "each": stage.each,
                "tables": [_box(learner, box, words, next(numbers), stage.each) for box in stage.boxes],
            }
            for stage in group_by_stage(learner.boxes)
        ],
    )


def _box(learner: SiteLearner, box: Box, words: Words, number: int, each: int) -> Markup:
    total = f" <small>{html.escape(words.counted(box.beads, 'bead'))}</small>" if box.has_beads else ""
    caption = f'<a href="{learner.page("explore")}#board={quote(box.board)}">{number}</a>{total}'
    board = f' data-board="{html.escape(box.board)}"'
    return Markup(matchbox_html(box, learner.names, caption, each, attributes=board))  # noqa: S704 - all escaped


MAX_SQL_PAGE_SIZE = 1_600_000  # the maximum size in bytes; larger pages load slowly on phones
ENGINE, MODULE = "sql-wasm-browser.js.gz", "sql-wasm-browser.wasm.gz"  # from tools/release/update_sql_js.py


def sql_content(published: database.Published, positions: Positions, explore: str) -> dict[str, Any]:
    """Return the values that the page's template needs.

    Args:
        published: The published copy of the database.
        positions: The positions of its game.
        explore: The name of the page to which boards in query results link.
    """
    folder = resources.files("menace").joinpath("site", "sql_js")
    packed = {
        "engine": folder.joinpath(ENGINE).read_bytes(),
        "module": folder.joinpath(MODULE).read_bytes(),
        "database": gzip.compress(published.content, mtime=0),
    }
    kinds: dict[str, int] = {}
    pieces = (piece for board in positions.boards for piece in positions.game.pieces(board))
    return {
        "replaced": published.replaced,
        "source": tomllib.loads(folder.joinpath("source.toml").read_text("utf-8")),
        "licence": folder.joinpath("LICENSE.txt").read_text("utf-8"),
        "schema": _schema(sqlite.sql_file("schema.sql")) + _schema(sqlite.sql_file("views.sql")),
        "packed": {name: base64.b64encode(content).decode() for name, content in packed.items()},
        "data": {
            "questions": [{"name": named.name, **_explained(named.sql)} for named in named_queries()],
            "explore": explore,
            "file": Path(published.path).name,
            "shape": positions.game.shape,
            "boards": list(positions.boards),
            "pieces": "".join(chr(FIRST_PIECE + kinds.setdefault(piece, len(kinds))) for piece in pieces),
            "kinds": list(kinds),
        },
    }


def _explained(text: str) -> dict[str, str]:
    r"""Split a named query into its title, its explanation and its SQL.

    >>> _explained("-- A title?\n-- One line,\n-- and another.\nSELECT 1;\n")
    {'title': 'A title?', 'why': 'One line, and another.', 'sql': 'SELECT 1;'}
    """
    comment, sql = re.fullmatch(r"((?:--[^\n]*\n)*)(.*)", text.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
    title, *why = (line.removeprefix("--").strip() for line in comment.splitlines())
    return {"title": title, "why": " ".join(why), "sql": sql}


def _schema(text: str) -> list[tuple[str, str, str]]:
    r"""Return the name, the description and the SQL of each table and view in a script.

    >>> _schema("-- Below.\nCREATE VIEW one AS\nSELECT 1;\n")
    [('one', 'Below.', 'CREATE VIEW one AS\nSELECT 1;')]
    """
    statement = r"(?ms)^((?:--[^\n]*\n)*)(CREATE (?:TABLE|VIEW) (\w+)(?: \(\s*-- ([^\n]*))?.*?;)$"
    found = re.findall(statement, text)
    about = [inside or " ".join(re.sub("(?m)^--", "", above).split()) for above, _, _, inside in found]
    return [(name, text.replace("`", ""), sql) for text, (_, sql, name, _) in zip(about, found, strict=True)]
