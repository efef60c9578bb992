"""The store of a menace database: connections and locks, tables and rows, migrations."""

from menace.ledger.sql_limits import bound_memory as bound_memory
from menace.ledger.store.connection import MEMORY as MEMORY
from menace.ledger.store.connection import SCHEMA_VERSION as SCHEMA_VERSION
from menace.ledger.store.connection import SQLITE_VERSION as SQLITE_VERSION
from menace.ledger.store.connection import VERIFY_SAYS_MORE as VERIFY_SAYS_MORE
from menace.ledger.store.connection import as_corruption as as_corruption
from menace.ledger.store.connection import damaged as damaged
from menace.ledger.store.locks import TRAINER_POLL as TRAINER_POLL
from menace.ledger.store.rows import COUNT_MOST as COUNT_MOST
from menace.ledger.store.rows import NUMBER_MOST as NUMBER_MOST
from menace.ledger.store.rows import AdjustmentRow as AdjustmentRow
from menace.ledger.store.rows import BlockRow as BlockRow
from menace.ledger.store.rows import ChangeRow as ChangeRow
from menace.ledger.store.rows import EvaluationRow as EvaluationRow
from menace.ledger.store.rows import GameRow as GameRow
from menace.ledger.store.rows import LearnerRow as LearnerRow
from menace.ledger.store.rows import MatchboxRow as MatchboxRow
from menace.ledger.store.rows import PolicyRow as PolicyRow
from menace.ledger.store.rows import Rules as Rules
from menace.ledger.store.rows import now as now
from menace.ledger.store.run_record import HUMAN as HUMAN
from menace.ledger.store.run_record import NOBODY as NOBODY
from menace.ledger.store.run_record import Run as Run
from menace.ledger.store.run_record import RunOptions as RunOptions
from menace.ledger.store.run_record import Seat as Seat
from menace.ledger.store.store import Store as Store
