"""What is done at the marks of a run (arena/marks.py): the measuring of exact strength; and which marks are shown."""

from __future__ import annotations

from collections.abc import Sequence

from menace.arena.exact_strength import Strength
from menace.arena.strength_of_many import measuring
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent, fixed_policy, opponents_for
from menace.learners.policy import Policy, PolicyName
from menace.ledger.store import EvaluationRow

POLICIES: tuple[PolicyName, PolicyName] = ("behaviour", "greedy")


def shown_marks(first: int, last: int) -> list[int]:
    """Return the numbers of games at which a long curve is shown: its ends, and six in each power of ten between.

    They are evenly apart to a logarithmic scale, as curves are drawn, and 1-2-5 up to a million are among them.

    >>> shown_marks(0, 40), shown_marks(100, 112)
    ([0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40], [100, 101, 102, 103, 105, 107, 110, 112])
    """
    steps = {half * 10**power // 2 for power in range(19) for half in (2, 3, 4, 6, 10, 14)}
    return sorted({first, last} | {first + step for step in steps if first + step < last})


def measure(policy: Policy) -> dict[str, Strength]:
    """Return the exact strength of a policy against `random`, `optimal`, and `best`, the best response to it.

    >>> from menace.learners.machine import Machine
    >>> strengths = measure(Machine("menace", "X").policy())
    >>> {opponent: round(strength.win, 3) for opponent, strength in strengths.items()}
    {'random': 0.607, 'optimal': 0.0, 'best': 0.02}
    """
    return measuring(policy.positions, policy.side).of_policy(policy)._asdict()


def measured_opponents(positions: Positions, kept: Sequence[str] = ()) -> dict[Policy, dict[str, Strength]]:
    """Return the strength of every fixed opponent of a game, as X and as O; one that changes, as it begins.

    Args:
        positions: the game.
        kept: the names of tables that are to be measured, too, as what they play (tabulated_policies.py).

    >>> from menace.games.enumeration import tictactoe
    >>> [(policy.name, policy.plays.value) for policy in measured_opponents(tictactoe())][:3]
    [('random', 'X'), ('random', 'O'), ('optimal', 'X')]
    """
    opponents = [*opponents_for(positions.title, len(positions)).values(), *map(fixed_opponent, kept)]
    policies = [
        fixed_policy(opponent.name, positions, side.number)
        for opponent in opponents
        for side in Side
        if opponent.plays in {None, side}
    ]
    return {policy: measure(policy) for policy in policies}


def evaluation_rows(block_id: int, machine: Machine) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for a learner as it stands after a block.

    >>> from menace.ledger.learners import named_machine
    >>> rows = evaluation_rows(8, named_machine(store, "menace-x"))
    >>> len(rows), rows[0].policy, rows[0].opponent, rows[0].learner_games
    (6, 'behaviour', 'random', 100)
    """
    policies = map(machine.policy, POLICIES)
    return [
        EvaluationRow(block_id, machine.learner_id, machine.learned.games, policy.kind, opponent, *strength)
        for policy in policies
        for opponent, strength in measure(policy).items()
    ]
