"""All code that executes SQL: connections and locks, tables and records, copies and migrations.

The modules in this folder may import `menace.games`, `menace.learners` and everything that these two may import. Start
with connection.py and continue with database.py and tables.py.
"""

from menace.ledger.read_only_sql import limit_memory as limit_memory
from menace.ledger.store.connection import (
    MEMORY as MEMORY,
    SCHEMA_VERSION as SCHEMA_VERSION,
    SQLITE_VERSION as SQLITE_VERSION,
    VERIFY_SAYS_MORE as VERIFY_SAYS_MORE,
    as_corruption as as_corruption,
    damaged as damaged,
)
from menace.ledger.store.database import Store as Store
from menace.ledger.store.records import (
    HUMAN as HUMAN,
    MAX_COUNT as MAX_COUNT,
    MAX_NUMBER as MAX_NUMBER,
    NOBODY as NOBODY,
    AdjustmentRow as AdjustmentRow,
    BlockRow as BlockRow,
    ChangeRow as ChangeRow,
    EvaluationRow as EvaluationRow,
    GameRow as GameRow,
    Imported as Imported,
    ImportedRow as ImportedRow,
    LearnerRow as LearnerRow,
    MatchboxRow as MatchboxRow,
    PolicyRow as PolicyRow,
    Rules as Rules,
    Run as Run,
    RunOptions as RunOptions,
    Seat as Seat,
    fits as fits,
    now as now,
)
from menace.ledger.store.sqlite import TRAINER_POLL as TRAINER_POLL
