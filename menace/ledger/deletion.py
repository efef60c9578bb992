"""Deleting learners: out of everybody's sight, while the log keeps what it needs to be replayed."""

from __future__ import annotations

from menace.errors import InvalidRun
from menace.learners.names import NAME_MOST
from menace.ledger.store import Store


def delete_learner(store: Store, name: str) -> bool:
    """Delete a learner; its name can be given again.

    One that the log names stays in the file, out of everybody's sight: `verify` replays what it learned, what others
    learned from it, and copies of it. Any other is gone.

    Returns:
        whether it is gone; else the log still has it.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidRun: if a run of it is unfinished.

    >>> delete_learner(store, "menace-x"), [row.name for row in store.learners()]
    (False, ['menace-o'])
    >>> store.learners_ever()[0].name
    'menace-x (deleted 1)'
    """
    with store.transaction():
        row = store.learner(name)
        runs = [run for run in store.runs() if row.learner_id in run.learner_ids]
        for run in runs:
            if run.finished_at is None:
                raise InvalidRun(
                    f"run {run.run_id} of {row.name} is unfinished; `menace resume {run.run_id}` finishes it,"
                    f" `menace abandon {run.run_id}` ends it where it stands"
                )
        store.check_file()
        if not runs:
            store.remove_learner(row.learner_id)
            return True
        # No name may have brackets, so this one is free, and no learner can take it.
        mark = f" (deleted {row.learner_id})"
        store.hide_learner(row.learner_id, row.name[: NAME_MOST - len(mark)] + mark)
        return False
