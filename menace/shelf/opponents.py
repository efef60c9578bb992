"""The fixed opponents of a game, each with how it plays and how strong it is, exactly."""

from __future__ import annotations

from typing import NamedTuple

from menace.arena.evaluation import Strength
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.fixed import fixed_policy, opponents_for
from menace.ledger.marks import measure


class Measured(NamedTuple):
    """A fixed opponent on one side.

    Attributes:
        name: of the opponent.
        line: how it plays.
        plays: its side.
        against: what it achieves, by opponent: `random`, `optimal`, and `best`, the one that exploits it most.

    >>> from menace.games.enumeration import tictactoe
    >>> found = measured_opponents(tictactoe())[0]
    >>> found.name, found.plays.value, [round(share, 3) for share in found.against["best"]]
    ('random', 'X', [0.01, 0.056, 0.934])
    """

    name: str
    line: str
    plays: Side
    against: dict[str, Strength]


def measured_opponents(positions: Positions) -> list[Measured]:
    """Return every fixed opponent that there is in a game, as X and as O; one that changes, as it begins.

    >>> from menace.games.enumeration import tictactoe
    >>> [(found.name, found.plays.value) for found in measured_opponents(tictactoe())][:3]
    [('random', 'X'), ('random', 'O'), ('optimal', 'X')]
    """
    here = opponents_for(positions.title)
    policies = [fixed_policy(name, positions, side.number) for name in here for side in Side]
    return [Measured(policy.name, here[policy.name].line, policy.plays, measure(policy)) for policy in policies]
