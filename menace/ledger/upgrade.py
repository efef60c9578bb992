"""Upgrading an older database: the steps in SQL, and the columns that only a replay of the log can fill."""

from __future__ import annotations

import logging
import os
from dataclasses import replace

from menace.arena.play_loop import Arena
from menace.errors import DatabaseBusy, NotOurs, SchemaMismatch, StoreError
from menace.ledger.block_types import PERSON
from menace.ledger.log_reader import needed_for, read_log
from menace.ledger.recorded_game import change_row
from menace.ledger.replay import fresh_machines, lessons
from menace.ledger.store import SCHEMA_VERSION, Store
from menace.ledger.store.migrations import upgrade as upgrade_file
from menace.ledger.stored_positions import move_name_rows, positions_of

LOGGER = logging.getLogger("menace")
LACKS_CHANGES = 1  # the last schema without `change`
LACKS_MOVE_NAMES = 5  # the last schema without `move_name`


def upgrade(path: str | os.PathLike[str]) -> None:
    """Upgrade an older database, and log where the copy of the old file is.

    Raises:
        SchemaMismatch, NotOurs, StoreError: as `store.migrations.upgrade`; the file is as it was, then.
    """
    try:
        copy = upgrade_file(path, _complete)
    except (SchemaMismatch, NotOurs, DatabaseBusy):
        raise
    except StoreError as error:
        raise StoreError(f"an older menace made {path}, so it must be updated first; but {error}") from error
    except OSError as error:
        raise StoreError(
            f"an older menace made {path}, so it must be updated first; but no copy of it can be kept beside it"
            f" ({error.strerror}): put it into a folder that can be written"
        ) from None
    if copy is not None:
        LOGGER.warning("%s was updated to schema %d; a copy of the old file is %s", path, SCHEMA_VERSION, copy)


def _complete(store: Store, old_schema: int) -> None:
    """Write what SQL alone cannot know: the names of moves, and into a file of schema 1 what each game changed."""
    if old_schema <= LACKS_MOVE_NAMES:
        store.add_move_names(move_name_rows(positions_of(store)))
    if old_schema <= LACKS_CHANGES:
        _add_changes(store)


def _add_changes(store: Store) -> None:
    """Write what each recorded game changed."""
    log = read_log(store)
    block_by_run = {block.run_id: block.block_id for block in log.blocks if block.kind == PERSON.name and block.games}
    learner_ids = {learner_id for run_id in block_by_run for learner_id in log.runs[run_id].taught}
    if not learner_ids:
        return
    shortened = replace(log, blocks=[b for b in log.blocks if b.block_id <= max(block_by_run.values())])
    arena = Arena(positions_of(store))
    machines = fresh_machines(log, arena, needed_for(log, learner_ids))
    for game_id, changed in lessons(arena, shortened, machines):
        store.add_changes(change_row(game_id, change) for change in changed)
