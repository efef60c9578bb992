"""The fixed opponents of a game, each with how it plays and how strong it is, exactly."""

from __future__ import annotations

from typing import NamedTuple

from menace.arena.evaluation import Strength, strengths
from menace.arena.responses import best_responses
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.fixed import fixed_policy, is_fixed, opponents_for
from menace.wording import OPPONENTS


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
    sides = [_by_name(positions, list(here), side) for side in Side]
    return [
        Measured(name, one.line, side, found[name])
        for name, one in here.items()
        for side, found in zip(Side, sides, strict=True)
    ]


def _by_name(positions: Positions, names: list[str], side: Side) -> dict[str, dict[str, Strength]]:
    """Return for each opponent what it achieves on a side, by who is against it."""
    policies = [fixed_policy(name, positions, side.number) for name in names]
    others = [fixed_policy(name, positions, side.other.number) for name in OPPONENTS if is_fixed(name)]
    replies = zip(policies, best_responses(positions, policies, side.number), strict=True)
    pairs = [(policy, other) for policy, best in replies for other in (*others, best)]
    found = iter(strengths(positions, pairs, side.number))
    return {name: {who: next(found) for who in OPPONENTS} for name in names}
