"""The database: the only folder that speaks SQLite."""

from menace.store.connection import SCHEMA_VERSION, SQLITE_VERSION, TRAINER_POLL, undamaged
from menace.store.probe import check_writable
from menace.store.query import bound_memory
from menace.store.rows import (
    MOST_BEADS,
    AdjustmentRow,
    BlockRow,
    ChangeRow,
    EvaluationRow,
    GameRow,
    LearnerRow,
    Rules,
    RunRow,
    now,
)
from menace.store.tables import Store

__all__ = [
    "MOST_BEADS",
    "SCHEMA_VERSION",
    "SQLITE_VERSION",
    "TRAINER_POLL",
    "AdjustmentRow",
    "BlockRow",
    "ChangeRow",
    "EvaluationRow",
    "GameRow",
    "LearnerRow",
    "Rules",
    "RunRow",
    "Store",
    "bound_memory",
    "check_writable",
    "now",
    "undamaged",
]
