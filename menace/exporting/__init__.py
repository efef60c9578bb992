"""Export the game graph to the file formats of other programs, and boards and matchboxes to HTML.

This folder imports `menace.analysis` and folders that `menace.analysis` may import. networkx and the modules that write
files are loaded only when a file is written. Start with learner_graph.py and continue with graph_formats.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from menace.files.output import file_format, write_file, write_folder
from menace.text.wording import EXPORT_FORMATS, Part

if TYPE_CHECKING:
    from menace.games.networkx_graph import GameGraph
    from menace.ledger.store import Store


@dataclass(frozen=True)
class Exported:
    """A summary of an export.

    Attributes:
        files: the paths of the files that were written.
        positions: the number of positions in the files.
        moves: the number of moves in the files.

    >>> export(store, "perfect.dot", "optimal")
    Exported(files=('perfect.dot',), positions=125, moves=210)
    """

    files: tuple[str, ...]
    positions: int
    moves: int


def export(
    store: Store,
    path: str | os.PathLike[str],
    part: Part = "all",
    learner: str | None = None,
) -> Exported:
    """Write the game graph to a file.

    Args:
        store: the database.
        path: the file, whose extension selects the format. With `graph.csv`, positions.csv and moves.csv are written to
            a folder `graph`.
        part: the positions to include, as in `game_graph`.
        learner: the name of a learner whose beads or values are added to its moves, or None.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if `part` is `played`, and no learner is given or the learner has not learned from any game.
        InvalidSetting: if there is no such part.
        OutputError: if the format is unknown, or the file cannot be written.

    >>> export(store, "perfect.csv", "optimal").files
    ('perfect/positions.csv', 'perfect/moves.csv')
    """
    form = file_format(path, tuple(EXPORT_FORMATS))
    from menace.exporting.learner_graph import game_graph

    graph = game_graph(store, part, learner)
    files = _write(store, graph, form, os.fspath(path))
    return Exported(files, len(graph), graph.number_of_edges())


def _write(store: Store, graph: GameGraph, form: str, path: str) -> tuple[str, ...]:
    """Write the graph in the given format, and return the paths of the files."""
    from menace.exporting import graph_formats
    from menace.ledger.rules import rules_of

    if form == "csv":
        folder = Path(path).with_suffix("") if Path(path).suffix.lower() == ".csv" else Path(path)
        tables = {f"{name}.csv": table for name, table in graph_formats.csv_tables(graph).items()}
        write_folder(folder, tables)
        return tuple(str(folder / name) for name in tables)
    writers: dict[str, Callable[[GameGraph], bytes]] = {
        "dot": lambda drawn: graph_formats.dot(drawn, rules_of(store).game),
        "gexf": graph_formats.gexf,
        "graphml": graph_formats.graphml,
        "json": graph_formats.node_link_json,
    }
    write_file(path, writers[form](graph))
    return (path,)
