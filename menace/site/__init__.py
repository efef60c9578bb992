"""Export of the explorer as static files: pages that need no server, on which machines play and learn in JavaScript.

`play_tables.py` makes the tables that the scripts in static/ play by, `pages.py` the pages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from menace.analysis.bead_names import BeadNames
from menace.analysis.learning_curves import thinned_curve_of
from menace.errors import InvalidPlayer, UnknownLearner
from menace.games.positions import Positions
from menace.ledger.learners import load_machine
from menace.ledger.marks import measure
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.naming_schemes import Scheme
from menace.output_files import write_folder
from menace.site.pages import TABLES, SiteLearner, files_of
from menace.site.play_tables import check_size, game_tables, learner_table
from menace.wording import counted

BOXES_MOST = 5000  # of 3x3x3 without symmetry there are 2,423; a browser shows some thousands with ease
SLUG_MOST = 40  # characters
LIST = "files.txt"  # of a site: the names of its files, so that a later export may replace them
LIST_MOST = 1_000_000  # bytes
OURS = re.compile(
    r"(index|explore|(play|boxes)-[a-z0-9-]+)\.html|(machine-[a-z0-9-]+|[a-z]+)\.js|(style|home)\.css|preview\.png|files\.txt"
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
    store: Store,
    folder: str | os.PathLike[str],
    names: Sequence[str] = (),
    colours: Scheme | None = None,
    numbering: Scheme | None = None,
) -> Site:
    """Export the explorer as static files: learners to look at, to play, and to train in a browser.

    Args:
        store: the database.
        folder: its path; it appears with all files, or not at all. A folder with an earlier site alone is replaced.
        names: of the learners, or patterns (`men*`); if empty, all.
        colours: the scheme of bead colours; None for each learner's own.
        numbering: the scheme of cell numbers, likewise.

    Raises:
        UnknownLearner: if there is no such learner, or none at all.
        InvalidGame: if the game is too large for a site.
        InvalidPlayer: if a learner has more boxes than a page holds.
        InvalidSetting: if Michie's colours or numbers are wanted on another board than his.
    """
    wanted = store.names_like(names) if names else [row.name for row in store.learners()]
    if not wanted:
        raise UnknownLearner(f"there is no machine in {store.path} to show; `menace new` makes one")
    with store.snapshot():
        positions = positions_of(store)
        check_size(positions)
        learners = _site_learners(store, positions, wanted, colours, numbering)
    files = files_of(positions, game_tables(positions), learners)
    files[LIST] = "".join(f"{name}\n" for name in sorted([*files, LIST])).encode()
    write_folder(folder, files, _earlier_files)
    return Site(os.fspath(folder), len(files), sum(map(len, files.values())), tuple(wanted))


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
    store: Store, positions: Positions, names: Sequence[str], colours: Scheme | None, numbering: Scheme | None
) -> list[SiteLearner]:
    rows = [store.learner(name) for name in names]
    machines = [load_machine(store, positions, row) for row in rows]
    measured = [measure(machine.policy()) for machine in machines]
    learners = []
    for row, machine, strengths, slug in zip(rows, machines, measured, _slugs(names), strict=True):
        bead_names = BeadNames(positions, machine.naming.but(colours, numbering))
        boxes = [box for box in machine.boxes if box.has_beads or box.has_choice]
        if len(boxes) > BOXES_MOST:
            raise InvalidPlayer(
                f"machine {row.name} has {counted(len(boxes), 'box')}, more than the {BOXES_MOST:,} that fit on a page;"
                " leave it out, or try a graph or a table, such as .gexf or .csv"
            )
        curve = thinned_curve_of(store, row, "behaviour").against("random")
        table = learner_table(machine, bead_names)
        learners.append(SiteLearner(machine, bead_names, slug, table, boxes, strengths, curve))
    return learners


def _slugs(names: Sequence[str]) -> list[str]:
    """Return slugs of names for file names, which differ also where case is ignored.

    >>> _slugs(["Adam", "adam", "menace x!", "木"])
    ['adam', 'adam-2', 'menace-x', 'machine']
    """
    slugs: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:SLUG_MOST] or "machine"
        slug, number = plain, 1
        while slug in slugs:
            number += 1
            slug = f"{plain}-{number}"
        slugs.append(slug)
    return slugs
