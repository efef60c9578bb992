"""Marks: the numbers of games at which a run's learners are measured, and what is measured: exact strength."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from menace.arena.evaluation import Strength, strengths
from menace.arena.responses import best_responses
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.fixed import fixed_policy, is_fixed, opponents_for
from menace.learners.machine import Machine
from menace.learners.policy import Policy, PolicyKind
from menace.ledger.store import EvaluationRow
from menace.wording import OPPONENTS

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


def shown_marks(first: int, last: int) -> list[int]:
    """Return the numbers of games at which a long curve is shown: its ends, and six in each power of ten between.

    They are evenly apart to a logarithmic scale, as curves are drawn, and all marks below a million are among them.

    >>> shown_marks(0, 40), shown_marks(100, 112)
    ([0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40], [100, 101, 102, 103, 105, 107, 110, 112])
    """
    steps = {half * 10**power // 2 for power in range(19) for half in (2, 3, 4, 6, 10, 14)}
    return sorted({first, last} | {first + step for step in steps if first + step < last})


def measure(policy: Policy) -> dict[str, Strength]:
    """Return the exact strength of a policy against `random`, `optimal`, and `best`, who exploits it most.

    >>> from menace.learners.machine import Machine
    >>> found = measure(Machine("menace", "X").policy())
    >>> {opponent: round(strength.win, 3) for opponent, strength in found.items()}
    {'random': 0.607, 'optimal': 0.0, 'best': 0.02}
    """
    return measure_all([policy])[0]


def measure_all(policies: Sequence[Policy]) -> list[dict[str, Strength]]:
    """Return what `measure` returns for each policy: in less time for all at once.

    >>> from menace.learners.machine import Machine
    >>> fresh = measure_all([Machine("menace", side).policy("greedy") for side in ("X", "O")])
    >>> [round(found["optimal"].loss, 3) for found in fresh]
    [0.777, 0.968]
    """
    replies: dict[Policy, Policy] = {}
    for side in Side:
        of_side = [policy for policy in policies if policy.plays is side]
        replies |= zip(of_side, best_responses(of_side), strict=True)
    pairs = [(policy, opponent) for policy in policies for opponent in (*_opponents(policy), replies[policy])]
    found = iter(strengths(pairs))
    return [{name: next(found) for name in OPPONENTS} for _ in policies]


def measured_opponents(positions: Positions) -> dict[Policy, dict[str, Strength]]:
    """Return what every fixed opponent that there is in a game achieves, as X and as O; one that changes, as it begins.

    >>> from menace.games.enumeration import tictactoe
    >>> [(policy.name, policy.plays.value) for policy in measured_opponents(tictactoe())][:3]
    [('random', 'X'), ('random', 'O'), ('optimal', 'X')]
    """
    policies = [fixed_policy(name, positions, side.number) for name in opponents_for(positions.title) for side in Side]
    return dict(zip(policies, measure_all(policies), strict=True))


def _opponents(policy: Policy) -> list[Policy]:
    """Return the fixed opponents that a policy is measured against."""
    return [_opponent(name, policy.positions, policy.plays.other) for name in OPPONENTS if is_fixed(name)]


@lru_cache(maxsize=16)
def _opponent(name: str, positions: Positions, side: Side) -> Policy:
    return fixed_policy(name, positions, side.number)


def evaluation_rows(block_id: int, machine: Machine) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for a learner as it stands after a block.

    >>> from menace.ledger.machines import named_machine
    >>> rows = evaluation_rows(8, named_machine(store, "menace-x"))
    >>> len(rows), rows[0].policy, rows[0].opponent, rows[0].learner_games
    (6, 'behaviour', 'random', 100)
    """
    return evaluation_rows_of([(block_id, machine)])


def evaluation_rows_of(marks: Sequence[tuple[int, Machine]]) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for several learners, or one at several times, each after a block.

    >>> from menace.ledger.machines import named_machine
    >>> learners = [named_machine(store, name) for name in ("menace-x", "menace-o")]
    >>> len(evaluation_rows_of([(8, learner) for learner in learners]))
    12
    """
    policies = [machine.policy(kind) for _, machine in marks for kind in POLICIES]
    owners = [mark for mark in marks for _ in POLICIES]
    return [
        EvaluationRow(block_id, machine.learner_id, machine.learned.games, policy.kind, opponent, *strength)
        for (block_id, machine), policy, measured in zip(owners, policies, measure_all(policies), strict=True)
        for opponent, strength in measured.items()
    ]
