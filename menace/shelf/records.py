"""What is known as tables for other programs, their columns called as the database calls them.

Players stand under the names that they have now. A row is one learner, run, game, pair of players, or move of a box;
where a row has the settings of a learner, or the options of a run, the cell is a dict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from menace.arena.phases import json_object
from menace.ledger.seats import names_now, options_of
from menace.ledger.store import LearnerRow, RunRow
from menace.tables import Table

if TYPE_CHECKING:
    from menace.shelf.history import RecordedRow

LEARNERS = ("name", "plays", "algorithm", "preset", "settings", "seed", "games", "created_at")
RUNS = (
    *("run_id", "kind", "x_player", "o_player", "x_learns", "o_learns", "games_wanted", "games_played", "state"),
    *("seed", "options", "version", "started_at", "finished_at"),
)
GAMES = (
    *("game_id", "x_player", "o_player", "outcome", "actions", "ended_by", "x_learns", "o_learns"),
    *("run_id", "block_id", "created_at"),
)


def learner_records(rows: Iterable[LearnerRow]) -> Table:
    """Return learners, each with all its settings, also those that are its preset's.

    Raises:
        ValueError: if settings are no JSON object, which only damage explains.

    >>> table = learner_records(store.learners())
    >>> table.rows[0][:4], table.rows[0][4]["win"]
    (('menace-x', 'X', 'menace', 'menace'), 3)
    """
    return _table(
        LEARNERS,
        (row._asdict() | {"settings": json_object(row.settings, f"the settings of {row.name}")} for row in rows),
    )


def run_records(rows: Iterable[RunRow], learners: Mapping[int, LearnerRow]) -> Table:
    """Return runs.

    Args:
        rows: the runs.
        learners: by learner_id.

    Raises:
        ValueError: if options are no JSON object, which only damage explains.

    >>> learners = {row.learner_id: row for row in store.learners()}
    >>> run_records(store.runs(), learners).rows[0][:9]
    (1, 'selfplay', 'menace-x', 'menace-o', 1, 1, 100, 100, 'finished')
    """
    found = []
    for row in rows:
        x, o = names_now(row, learners)
        now = {"x_player": x, "o_player": o, "state": state_of(row), "options": options_of(row)}
        found.append(row._asdict() | now)
    return _table(RUNS, found)


def state_of(run: RunRow) -> str:
    """Return how a run stands: `unfinished` (interrupted, or under way), `finished` or `abandoned`.

    >>> state_of(store.run(1)), state_of(store.run(1)._replace(games_played=7))
    ('finished', 'abandoned')
    """
    if run.finished_at is None:
        return "unfinished"
    return "finished" if run.games_played == run.games_wanted else "abandoned"


def game_records(rows: Iterable[RecordedRow]) -> Table:
    """Return recorded games; their `actions` are those on the actual board, as in the database: `4,0,8`."""
    found = []
    for row in rows:
        x, o = row.players
        now = {"x_player": x, "o_player": o, "created_at": row.played_at}
        found.append(row.run._asdict() | row.game._asdict() | now)
    return _table(GAMES, found)


def _table(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> Table:
    """Return some columns of records that may have more."""
    return Table(columns, [tuple(record[column] for column in columns) for record in records])
