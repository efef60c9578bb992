"""The only code that executes SQL: connections and locks, tables and records, copies and migrations.

This folder may import `menace.games`, `menace.learners` and the folders before them. Start with connection.py and
continue with database.py and tables.py.
"""

from menace.ledger.read_only_sql import limit_memory as limit_memory
from menace.ledger.store.connection import MEMORY as MEMORY
from menace.ledger.store.connection import SCHEMA_VERSION as SCHEMA_VERSION
from menace.ledger.store.connection import SQLITE_VERSION as SQLITE_VERSION
from menace.ledger.store.connection import VERIFY_SAYS_MORE as VERIFY_SAYS_MORE
from menace.ledger.store.connection import as_corruption as as_corruption
from menace.ledger.store.connection import damaged as damaged
from menace.ledger.store.database import Store as Store
from menace.ledger.store.locks import TRAINER_POLL as TRAINER_POLL
from menace.ledger.store.records import HUMAN as HUMAN
from menace.ledger.store.records import MAX_COUNT as MAX_COUNT
from menace.ledger.store.records import MAX_NUMBER as MAX_NUMBER
from menace.ledger.store.records import NOBODY as NOBODY
from menace.ledger.store.records import AdjustmentRow as AdjustmentRow
from menace.ledger.store.records import BlockRow as BlockRow
from menace.ledger.store.records import ChangeRow as ChangeRow
from menace.ledger.store.records import EvaluationRow as EvaluationRow
from menace.ledger.store.records import GameRow as GameRow
from menace.ledger.store.records import Imported as Imported
from menace.ledger.store.records import ImportedRow as ImportedRow
from menace.ledger.store.records import LearnerRow as LearnerRow
from menace.ledger.store.records import MatchboxRow as MatchboxRow
from menace.ledger.store.records import PolicyRow as PolicyRow
from menace.ledger.store.records import Rules as Rules
from menace.ledger.store.records import Run as Run
from menace.ledger.store.records import RunOptions as RunOptions
from menace.ledger.store.records import Seat as Seat
from menace.ledger.store.records import fits as fits
from menace.ledger.store.records import now as now
