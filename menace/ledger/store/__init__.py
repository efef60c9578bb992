"""The database: the only folder that speaks SQLite."""

from menace.ledger.limits import bound_memory
from menace.ledger.store.connection import MEMORY, SCHEMA_VERSION, SQLITE_VERSION, VERIFY_SAYS_MORE, damaged, undamaged
from menace.ledger.store.locks import TRAINER_POLL
from menace.ledger.store.rows import (
    COUNT_MOST,
    NUMBER_MOST,
    AdjustmentRow,
    BlockRow,
    ChangeRow,
    EvaluationRow,
    GameRow,
    LearnerRow,
    MatchboxRow,
    Rules,
    now,
)
from menace.ledger.store.run import HUMAN, NOBODY, Options, Run, Seat, blocks_taken_back
from menace.ledger.store.tables import Store

__all__ = [
    "COUNT_MOST",
    "HUMAN",
    "MEMORY",
    "NOBODY",
    "NUMBER_MOST",
    "SCHEMA_VERSION",
    "SQLITE_VERSION",
    "TRAINER_POLL",
    "VERIFY_SAYS_MORE",
    "AdjustmentRow",
    "BlockRow",
    "ChangeRow",
    "EvaluationRow",
    "GameRow",
    "LearnerRow",
    "MatchboxRow",
    "Options",
    "Rules",
    "Run",
    "Seat",
    "Store",
    "blocks_taken_back",
    "bound_memory",
    "damaged",
    "now",
    "undamaged",
]
