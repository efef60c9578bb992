"""Export the explorer as static pages, which work without a server and run the learner in JavaScript.

This folder may import `menace.exporting` and any folder that `menace.exporting` may import. Start with pages.py.
play_tables.py writes the tables that the scripts in static/ use to play.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from menace.analysis import bead_names, learning_curves
from menace.errors import InvalidPlayer, UnknownLearner
from menace.files.output import write_folder
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine, new_beginner
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.ledger.store.database import Published
from menace.ledger.training import measure
from menace.site import play_tables, translation
from menace.site.pages import SiteLearner, database_page, site_files
from menace.text.bead_colours import Scheme
from menace.text.wording import BEGINNER, OPPONENTS, counted, unused_name

MAX_BOXES = 5000  # 3x3x3 without symmetry has 2,423 boxes; browsers easily show a few thousand
MAX_SLUG_LENGTH = 40  # characters
TABLES = "tables.js"  # the tables of the first game
LIST = "files.txt"  # the file that lists a site's files, so that a later export can replace them
MAX_LIST_SIZE = 1_000_000  # bytes
OURS = re.compile(
    r"(index|choose|explore|exam|sql|(play|boxes|choose|explore|exam|sql)-[a-z0-9-]+)\.html|((machine|tables)-[a-z0-9-]+|[a-z_]+)\.js|(style|home)\.css"
    r"|preview\.png|files\.txt"
)


@dataclass(frozen=True)
class Site:
    """An exported site.

    Attributes:
        folder: The path of its folder.
        files: The number of files.
        size: The total size in bytes.
        names: The names of its learners.
        sql_pages: For each page on which visitors query a database with SQL, its name, its size in bytes and the
            database.

    >>> site = export_site(store, "site", ["menace-x"])
    >>> site.folder, site.names
    ('site', ('menace-x',))
    """

    folder: str
    files: int
    size: int
    names: tuple[str, ...]
    sql_pages: tuple[tuple[str, int, Published], ...] = ()


def export_site(
    stores: Store | Sequence[Store],
    folder: str | os.PathLike[str],
    names: Sequence[str] = (),
    colours: Scheme | None = None,
    numbering: Scheme | None = None,
    words: translation.Words = translation.ENGLISH,
    published: Sequence[Published] = (),
) -> Site:
    """Export the explorer as static pages on which visitors inspect learners, play against them and train them.

    Learners with beads come first, sorted by decreasing number of games. Games appear in the order of their first
    learners. Within a game, machines for the side that wins under perfect play come first.

    Args:
        stores: One or more databases.
        folder: The path of the folder. It is written completely or not at all. A folder that contains only an earlier
            site is replaced.
        names: The names of learners, or patterns such as `men*`; if empty, all learners are exported.
        colours: The scheme of bead colours; None selects each learner's own scheme.
        numbering: The scheme of cell numbers; None selects each learner's own scheme.
        words: The texts of the site's pages. `translation.translated` reads texts in another language.
        published: A copy of each database, made by `published_copy`, that visitors can query. If empty, visitors cannot
            query databases.

    Raises:
        UnknownLearner: If a learner does not exist, or there are none.
        InvalidGame: If the game is too large for a site.
        InvalidPlayer: If a learner has more boxes than a page can show.
        InvalidSetting: If Michie's colours or numbers are requested for a different board.
    """
    databases = [stores] if isinstance(stores, Store) else stores
    learners: list[SiteLearner] = []
    pages = [f"sql-{slug}.html" for slug in _slugs([Path(copy.path).stem for copy in published])]
    pages = ["sql.html", *pages[1:]] if published else [""] * len(databases)
    for store, wanted, page in zip(databases, _wanted(databases, names), pages, strict=True):
        with store.snapshot():
            found = _site_learners(store, wanted, colours, numbering)
            learners += [replace(learner, sql=page) for learner in found]
    games = _by_game(learners)
    slugs = {learner.slug for listed in games for learner in listed}
    beginners = []
    for best, *_ in games:
        slugs.add(slug := unused_name(BEGINNER, slugs, "-"))
        beginner = _site_learner(new_beginner(best.machine.positions), colours, numbering)
        beginners.append(replace(beginner, slug=slug, game=best.game, sql=best.sql))
    files = site_files(games, beginners, words)
    of_pages = {
        learner.sql: learner for listed in games for learner in listed
    }  # a database without machines has no page
    copies = [(page, copy) for page, copy in zip(pages, published, strict=False) if page in of_pages]
    files |= {page: database_page(copy, of_pages[page], words) for page, copy in copies}
    sql_pages = tuple((page, len(files[page]), copy) for page, copy in copies)
    files[LIST] = "".join(f"{name}\n" for name in sorted([*files, LIST])).encode()
    write_folder(folder, files, _earlier_files)
    shown = tuple(learner.name for learners in games for learner in learners)
    return Site(os.fspath(folder), len(files), sum(map(len, files.values())), shown, sql_pages)


def _wanted(stores: Sequence[Store], names: Sequence[str]) -> list[list[str]]:
    """Return the names of the learners to show from each database; every pattern must match at least one name."""
    if not any(store.learners() for store in stores):
        paths = " or ".join(store.path for store in stores)
        raise UnknownLearner(f"there is no machine to show in {paths}; create one with `menace new`")
    wanted: list[dict[str, None]] = [{} for _ in stores]
    for name in names or ["*"]:
        missing: list[UnknownLearner] = []
        for store, listed in zip(stores, wanted, strict=True):
            try:
                listed |= {store.learner(like).name: None for like in store.expand_names([name])}
            except UnknownLearner as error:
                missing.append(error)
        if len(missing) == len(stores):
            raise missing[0]
    return [list(listed) for listed in wanted]


def _by_game(learners: list[SiteLearner]) -> list[list[SiteLearner]]:
    """Group the learners by game in the order of the home page, and give each learner a file name."""
    ordered = sorted(learners, key=lambda learner: (not learner.machine.has_beads, -learner.machine.learned.games))
    games: dict[tuple[str, str], list[SiteLearner]] = {}
    for learner, slug in zip(ordered, _slugs([learner.name for learner in ordered]), strict=True):
        positions = learner.machine.positions
        games.setdefault((positions.title, positions.symmetry), []).append(replace(learner, slug=slug))
    marks = ["", *(f"-{slug}" for slug in _slugs([title for title, _ in games])[1:])]

    def later(learner: SiteLearner) -> tuple[bool, bool]:
        machine = learner.machine
        return not machine.has_beads, machine.plays is not machine.positions.winner

    return [
        [replace(learner, game=mark) for learner in sorted(listed, key=later)]
        for mark, listed in zip(marks, games.values(), strict=True)
    ]


def _earlier_files(folder: Path) -> set[str]:
    """Return the names of the files that an earlier export wrote into a folder.

    A file named LIST might belong to another program, and a user's files must never be lost. Therefore, the list may
    contain only file names that sites use.
    """
    try:
        with (folder / LIST).open("rb") as file:
            names = set(file.read(MAX_LIST_SIZE).decode("utf-8", "replace").splitlines())
    except OSError:
        return set()
    return names if TABLES in names and all(map(OURS.fullmatch, names)) else set()


def _site_learners(
    store: Store, names: Sequence[str], colours: Scheme | None, numbering: Scheme | None
) -> list[SiteLearner]:
    positions = positions_of(store)
    play_tables.check_size(positions)
    learners = []
    for row in map(store.learner, names):
        machine, curve = load_machine(store, positions, row), learning_curves.thinned_curve(store, row, "behaviour")
        learners.append(_site_learner(machine, colours, numbering, curve))
    return learners


def _site_learner(
    machine: Machine, colours: Scheme | None, numbering: Scheme | None, curve: learning_curves.Curve | None = None
) -> SiteLearner:
    names = bead_names.BeadNames(machine.positions, machine.naming.with_schemes(colours, numbering))
    boxes = [box for box in machine.boxes if box.has_beads or box.has_choice]
    if len(boxes) > MAX_BOXES:
        raise InvalidPlayer(
            f"machine {machine.name} has {counted(len(boxes), 'box')}, more than the {MAX_BOXES:,} that fit on a page;"
            " leave it out, or export a graph or table in a format such as .gexf or .csv"
        )
    table = {**play_tables.site_learner_record(machine, names), "curve": _losses(curve) if curve else []}
    values = curve.against("random") if curve else []
    return SiteLearner(machine, names, "", "", table, boxes, measure(machine.policy()), values)


def _losses(curve: learning_curves.Curve) -> list[tuple[float, ...]]:
    """Return the numbers of games and the losses at the points of a curve that have a value for every opponent."""
    points = curve.points.items()
    return [(games, *(by[who].loss for who in OPPONENTS)) for games, by in points if by.keys() >= OPPONENTS.keys()]


def _slugs(names: Sequence[str]) -> list[str]:
    """Convert names to slugs for use in file names; the slugs are distinct even if case is ignored.

    >>> _slugs(["Adam", "adam", "menace x!", "木"])
    ['adam', 'adam-2', 'menace-x', 'machine']
    """
    slugs: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:MAX_SLUG_LENGTH] or "machine"
        slugs.append(unused_name(plain, slugs, "-"))
    return slugs
