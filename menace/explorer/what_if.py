"""What-if experiments: a copy of a machine with an emptied box, or trained against another opponent."""

from __future__ import annotations

import time

from menace.errors import InvalidPlayer, InvalidRun
from menace.ledger.learners import named_machine
from menace.ledger.runs import Training, copy_learner, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import continue_run
from menace.people.recount import CountDifference, emptied, record_count

SECONDS = 1.0  # that a request trains; the page sends another until the run is finished
GAMES_MOST = 1_000_000  # of a run that a page starts; `menace train` takes more
GAMES = 10_000


def changed_copy(
    store: Store, name: str, new: str, empty: str = "", against: str = "", games: int = GAMES
) -> Run | None:
    """Make a changed copy of a learner; return its first run, not yet played, if it gets an opponent.

    The copy is made only if the changes are valid.

    Args:
        store: the database.
        name: of the learner.
        new: the name of the copy.
        empty: the board whose box is emptied; an empty text for none.
        against: the opponent of the copy, which does not learn; an empty text for none.
        games: that they play.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidBeads, InvalidRun, InvalidBoard: if there is no such learner, the new name
            is not allowed or taken, it has no such box, or cannot play that opponent.

    >>> run = changed_copy(store, "menace-x", "exile", "X.O......", "optimal", 50)
    >>> train_for(store, run).games_played, store.learner("exile").games
    (50, 150)
    >>> store.learner("menace-x").games
    100
    """
    if games > GAMES_MOST:
        raise InvalidRun(f"games={games:,} are too many for a page; `menace train` plays more")
    tipped = _tipped(store, name, empty) if empty else []
    with store.transaction():
        copied = copy_learner(store, name, new).name
        if tipped:
            record_count(store, copied, tipped)
        return order(store, Training(copied, against, games, alone=True)) if against else None


def _tipped(store: Store, name: str, board: str) -> list[CountDifference]:
    machine = named_machine(store, name)
    if not machine.has_beads:
        raise InvalidPlayer(f"{name} has no matchboxes to tip out: {machine.algorithm.name} learns values")
    box = machine.box(board)
    if box is None:
        raise InvalidPlayer(f"{name} has no box for {board}; name a board on which it is to move and can choose")
    return emptied(box)


def train_for(store: Store, run: Run, seconds: float = SECONDS) -> Run:
    """Train for some time, at least one block, and return the run.

    >>> run = order(store, Training("menace-x", "random", games=50, seed=1))
    >>> train_for(store, run).finished_at is None
    False
    """
    end = time.monotonic() + seconds
    for state in continue_run(store, run):
        run = state
        if time.monotonic() >= end:
            break
    return run


def run_of(store: Store, name: str, run_id: int) -> Run:
    """Return an unfinished run of a learner.

    Raises:
        UnknownLearner, UnknownRun, InvalidRun: if there is no such run, or it is another learner's.
    """
    run = unfinished_run(store, run_id)
    if store.learner(name).learner_id not in run.learner_ids:
        raise InvalidRun(f"run {run_id} is not {name}'s; its own are on its page")
    return run
