"""Marks: the numbers of games at which a run's learners are measured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from menace.arena.evaluation import Strength, best_response, strengths
from menace.games.table import TransitionTable
from menace.learners.base import Policy, PolicyKind
from menace.learners.fixed import fixed_policy
from menace.ledger.machines import Machine, load_machine, load_table
from menace.ledger.store import EvaluationRow, Store

MARKS: tuple[int, ...] = tuple(step * 10**power for power in range(6) for step in (1, 2, 5))
MARKS_STEP = 1_000_000
POLICIES: tuple[PolicyKind, PolicyKind] = ("behaviour", "greedy")


def next_mark(games: int) -> int:
    """Return the first mark after `games`: 1, 2, 5, 10, ... 500,000, 1,000,000, and then every 1,000,000.

    >>> next_mark(0), next_mark(5), next_mark(999_999), next_mark(3_000_000)
    (1, 10, 1000000, 4000000)
    """
    for mark in MARKS:
        if mark > games:
            return mark
    return (games // MARKS_STEP + 1) * MARKS_STEP


def measure(table: TransitionTable, machine: Machine, kind: PolicyKind) -> dict[str, Strength]:
    """Return a learner's exact strength against `random`, `optimal`, and `best`, who exploits it most."""
    return measure_all(table, machine, (kind,))[kind]


def measure_all(
    table: TransitionTable, machine: Machine, kinds: Sequence[PolicyKind] = POLICIES
) -> dict[PolicyKind, dict[str, Strength]]:
    """Return what `measure` returns for each kind of policy, in less time."""
    side = machine.side
    fixed = {name: _opponent(name, table, 1 - side) for name in ("random", "optimal")}
    policies = [machine.policy(table, kind) for kind in kinds]
    pairs = [(one, other) for one in policies for other in (*fixed.values(), best_response(table, one, side))]
    found = iter(strengths(table, pairs, side))
    return {kind: {name: next(found) for name in (*fixed, "best")} for kind in kinds}


@lru_cache(maxsize=16)
def _opponent(name: str, table: TransitionTable, side: int) -> Policy:
    return fixed_policy(name, table, side)


def exact_strength(store: Store, name: str, kind: PolicyKind = "behaviour") -> dict[str, Strength]:
    """Return a learner's exact strength as it stands, against `random`, `optimal` and `best`.

    Raises:
        UnknownLearner: if there is no such learner.
    """
    with store.snapshot():
        table = load_table(store)
        machine = load_machine(store, table, store.learner(name))
    return measure(table, machine, kind)


def evaluation_rows(table: TransitionTable, block_id: int, machine: Machine) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for a learner as it stands after a block."""
    learner_id, games = machine.row.learner_id, machine.learned.games
    return [
        EvaluationRow(block_id, learner_id, games, kind, opponent, *strength)
        for kind, measured in measure_all(table, machine).items()
        for opponent, strength in measured.items()
    ]
