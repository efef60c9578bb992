"""What is said before training: how likely a learner is to run out of beads for its first move."""

from __future__ import annotations

from menace.arena.first_box import is_spent, prospect_text
from menace.learners.machine import Machine
from menace.ledger.machines import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Run, Store


def outlook(store: Store, run: Run) -> list[str]:
    """Return a sentence on each learner of a run that could run out of beads for its first move, before or during it.

    Args:
        store: the database.
        run: that is to be carried out, or to go on.

    Raises:
        StoreError: if what a learner has learned is damaged.

    >>> run = store.run(1)
    >>> outlook(store, run)  # their boxes get their first beads back
    []
    """
    machines = _machines(store, run)
    (x, o), found = run.seats, []
    for (_, learner_id, learns), (other, other_id, _) in ((x, o), (o, x)):
        if learner_id is not None and learns:
            opponent = other if other_id is None else machines[other_id]
            left = run.games_wanted - run.games_played
            text = prospect_text(machines[learner_id], opponent, left, run.games_played, called=other) if left else None
            if text is not None:
                found.append(f"{machines[learner_id].name}: {text}")
    return found


def spent_text(store: Store, run: Run) -> str | None:
    """Return why a run ended before its games were played: whose boxes for the first move are empty; None if none are.

    >>> spent_text(store, store.run(1)) is None
    True
    """
    names = [machine.name for machine in _machines(store, run).values() if is_spent(machine)]
    return f"no bead is left for the first move of {' and '.join(names)}" if names else None


def _machines(store: Store, run: Run) -> dict[int, Machine]:
    """Return the learners of a run, by number."""
    positions = positions_of(store)
    return {i: load_machine(store, positions, store.learner_by_id(i)) for i in run.learner_ids}
