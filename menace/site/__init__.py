"""The explorer as static files: pages that need no server, with a learner in JavaScript.

It imports `menace.exporting` and what comes before it. Start with pages.py; play_tables.py writes the tables by which
the scripts in static/ play.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from menace.analysis.bead_names import BeadNames
from menace.analysis.learning_curves import Curve, thinned_curve_of
from menace.errors import InvalidPlayer, UnknownLearner
from menace.files.output import write_folder
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.ledger.training import measure
from menace.site.pages import SiteLearner, files_of
from menace.site.play_tables import check_size, learner_table
from menace.site.translation import ENGLISH, Words
from menace.text.bead_colours import Scheme
from menace.text.wording import OPPONENTS, counted, unused_name

BOXES_MOST = 5000  # of 3x3x3 without symmetry there are 2,423; a browser shows some thousands with ease
SLUG_MOST = 40  # characters
TABLES = "tables.js"  # of the first game
LIST = "files.txt"  # of a site: the names of its files, so that a later export may replace them
LIST_MOST = 1_000_000  # bytes
OURS = re.compile(
    r"(index|explore|(play|boxes|explore)-[a-z0-9-]+)\.html|((machine|tables)-[a-z0-9-]+|[a-z_]+)\.js|(style|home)\.css"
    r"|preview\.png|files\.txt"
)


@dataclass(frozen=True)
class Site:
    """An exported site.

    Attributes:
        folder: where.
        files: the number of files.
        size: of them all, in bytes.
        names: of the learners.

    >>> site = export_site(store, "site", ["menace-x"])
    >>> site.folder, site.names
    ('site', ('menace-x',))
    """

    folder: str
    files: int
    size: int
    names: tuple[str, ...]


def export_site(
    stores: Store | Sequence[Store],
    folder: str | os.PathLike[str],
    names: Sequence[str] = (),
    colours: Scheme | None = None,
    numbering: Scheme | None = None,
    words: Words = ENGLISH,
) -> Site:
    """Export the explorer as static files: learners to look at, to play, and to train in a browser.

    Those that have beads, and have learned from most games, come first, and so does their game.

    Args:
        stores: the database, or several.
        folder: its path; it appears with all files, or not at all. A folder with an earlier site alone is replaced.
        names: of the learners, or patterns (`men*`); if empty, all.
        colours: the scheme of bead colours; None for each learner's own.
        numbering: the scheme of cell numbers, likewise.
        words: of its pages; `words.translated` reads those of another language.

    Raises:
        UnknownLearner: if there is no such learner, or none at all.
        InvalidGame: if the game is too large for a site.
        InvalidPlayer: if a learner has more boxes than a page holds.
        InvalidSetting: if Michie's colours or numbers are wanted on another board than his.
    """
    databases = [stores] if isinstance(stores, Store) else stores
    learners: list[SiteLearner] = []
    for store, wanted in zip(databases, _wanted(databases, names), strict=True):
        with store.snapshot():
            learners += _site_learners(store, wanted, colours, numbering)
    games = _by_game(learners)
    files = files_of(games, words)
    files[LIST] = "".join(f"{name}\n" for name in sorted([*files, LIST])).encode()
    write_folder(folder, files, _earlier_files)
    shown = tuple(learner.name for learners in games for learner in learners)
    return Site(os.fspath(folder), len(files), sum(map(len, files.values())), shown)


def _wanted(stores: Sequence[Store], names: Sequence[str]) -> list[list[str]]:
    """Return the names of the learners to show of each database; each name or pattern fits in at least one of them."""
    if not any(store.learners() for store in stores):
        paths = " or ".join(store.path for store in stores)
        raise UnknownLearner(f"there is no machine in {paths} to show; `menace new` makes one")
    wanted: list[dict[str, None]] = [{} for _ in stores]
    for name in names or ["*"]:
        missing: list[UnknownLearner] = []
        for store, listed in zip(stores, wanted, strict=True):
            try:
                listed |= {store.learner(like).name: None for like in store.names_like([name])}
            except UnknownLearner as error:
                missing.append(error)
        if len(missing) == len(stores):
            raise missing[0]
    return [list(listed) for listed in wanted]


def _by_game(learners: list[SiteLearner]) -> list[list[SiteLearner]]:
    """Return the learners by game, those to play first first, with the names of their files."""
    ordered = sorted(learners, key=lambda learner: (not learner.machine.has_beads, -learner.machine.learned.games))
    games: dict[tuple[str, str], list[SiteLearner]] = {}
    for learner, slug in zip(ordered, _slugs([learner.name for learner in ordered]), strict=True):
        positions = learner.machine.positions
        games.setdefault((positions.title, positions.symmetry), []).append(replace(learner, slug=slug))
    marks = ["", *(f"-{slug}" for slug in _slugs([title for title, _ in games])[1:])]
    return [
        [replace(learner, game=mark) for learner in listed] for mark, listed in zip(marks, games.values(), strict=True)
    ]


def _earlier_files(folder: Path) -> set[str]:
    """Return the names of the files that an earlier site wrote into a folder.

    A file of that name that is not a site's list must not cost any files, so all its names must be those of a site.
    """
    try:
        with (folder / LIST).open("rb") as file:
            names = set(file.read(LIST_MOST).decode("utf-8", "replace").splitlines())
    except OSError:
        return set()
    return names if TABLES in names and all(map(OURS.fullmatch, names)) else set()


def _site_learners(
    store: Store, names: Sequence[str], colours: Scheme | None, numbering: Scheme | None
) -> list[SiteLearner]:
    positions = positions_of(store)
    check_size(positions)
    learners = []
    for row in map(store.learner, names):
        machine = load_machine(store, positions, row)
        bead_names = BeadNames(positions, machine.naming.with_schemes(colours, numbering))
        boxes = [box for box in machine.boxes if box.has_beads or box.has_choice]
        if len(boxes) > BOXES_MOST:
            raise InvalidPlayer(
                f"machine {row.name} has {counted(len(boxes), 'box')}, more than the {BOXES_MOST:,} that fit on a page;"
                " leave it out, or try a graph or a table, such as .gexf or .csv"
            )
        curve = thinned_curve_of(store, row, "behaviour")
        table = {**learner_table(machine, bead_names), "curve": _losses(curve)}
        strengths, values = measure(machine.policy()), curve.against("random")
        learners.append(SiteLearner(machine, bead_names, "", "", table, boxes, strengths, values))
    return learners


def _losses(curve: Curve) -> list[tuple[float, ...]]:
    """Return the points of a curve that were measured against each opponent: games, and losses against each."""
    points = curve.points.items()
    return [(games, *(by[who].loss for who in OPPONENTS)) for games, by in points if by.keys() >= OPPONENTS.keys()]


def _slugs(names: Sequence[str]) -> list[str]:
    """Return slugs of names for file names, which differ also where case is ignored.

    >>> _slugs(["Adam", "adam", "menace x!", "木"])
    ['adam', 'adam-2', 'menace-x', 'machine']
    """
    slugs: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:SLUG_MOST] or "machine"
        slugs.append(unused_name(plain, slugs, "-"))
    return slugs
