"""The database: the only folder that speaks SQLite."""

from menace.store.connection import SCHEMA_VERSION, SQLITE_VERSION, TRAINER_POLL, undamaged
from menace.store.rows import BlockRow, EvaluationRow, LearnerRow, Rules, RunRow, now
from menace.store.tables import Store

__all__ = [
    "SCHEMA_VERSION",
    "SQLITE_VERSION",
    "TRAINER_POLL",
    "BlockRow",
    "EvaluationRow",
    "LearnerRow",
    "Rules",
    "RunRow",
    "Store",
    "now",
    "undamaged",
]
