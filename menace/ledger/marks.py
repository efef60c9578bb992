"""Marks: the numbers of games at which a run's learners are measured."""

from __future__ import annotations

from functools import lru_cache

from menace.arena.evaluation import Strength, against, worst_case
from menace.games.table import TransitionTable
from menace.learners.base import Policy, PolicyKind
from menace.learners.fixed import fixed_policy
from menace.ledger.machines import Learner, load_machine, load_table
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


def measure(table: TransitionTable, machine: Learner, kind: PolicyKind) -> dict[str, Strength]:
    """Return a learner's exact strength against `random`, `optimal`, and `best`, who exploits it most."""
    policy, side = machine.policy(kind), machine.side
    strengths = {name: against(table, policy, _opponent(name, table, 1 - side), side) for name in ("random", "optimal")}
    return {**strengths, "best": worst_case(table, policy, side)}


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


def evaluation_rows(table: TransitionTable, block_id: int, machine: Learner) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for a learner as it stands after a block."""
    learner_id, games = machine.row.learner_id, machine.learned.games
    return [
        EvaluationRow(block_id, learner_id, games, kind, opponent, *strength)
        for kind in POLICIES
        for opponent, strength in measure(table, machine, kind).items()
    ]
