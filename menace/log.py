"""The log of blocks as the database held it at one moment: what replay.py lets learners learn again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from menace.arena import learners_of, taught_by
from menace.games.base import Game
from menace.positions import SymmetryUse
from menace.rulebook import game_of, symmetry_of
from menace.store import AdjustmentRow, BlockRow, ChangeRow, GameRow, LearnerRow, RunRow, Store

Row = TypeVar("Row")


@dataclass(frozen=True)
class Log:
    """The log as the database held it at one moment.

    Attributes:
        runs: by number.
        blocks: in their order.
        games: recorded games, by block.
        changes: what each recorded game changed, by game.
        adjustments: piles that people counted again, by block.
        learners: by number.
    """

    game: Game
    symmetry: SymmetryUse
    runs: dict[int, RunRow]
    blocks: list[BlockRow]
    games: dict[int, list[GameRow]]
    changes: dict[int, list[ChangeRow]]
    adjustments: dict[int, list[AdjustmentRow]]
    learners: dict[int, LearnerRow]


def read_log(store: Store) -> Log:
    """Read the log. Within a snapshot or a transaction, if what else is read is to fit it."""
    return Log(
        game=game_of(store),
        symmetry=symmetry_of(store),
        runs={run.run_id: run for run in store.runs()},
        blocks=store.blocks(),
        games=_by_number(store.games(), "block_id"),
        changes=_by_number(store.changes(), "game_id"),
        adjustments=_by_number(store.adjustments(), "block_id"),
        learners={row.learner_id: row for row in store.learners()},
    )


def _by_number(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(getattr(row, column), []).append(row)
    return found


def needed_for(log: Log, learner_ids: Iterable[int]) -> set[int]:
    """Return these learners with all who played in a run that taught one of them: whom a replay needs."""
    needed = set(learner_ids)
    while True:
        more = {i for run in log.runs.values() if set(taught_by(run)) & needed for i in learners_of(run)}
        if more <= needed:
            return needed
        needed |= more
