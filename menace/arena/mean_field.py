"""The mean field of a machine of beads: what its next game is expected to change, and where that leads, without chance.

    change: of each pile, the chance that its bead is drawn and the game then won, drawn or lost, times what is added
            or taken out then; summed up over all games that can be played
    path:   piles += change, game after game

The change of the next game is exact, whatever the settings: boxes that resign or are restocked, floors and full piles
are in it. The path is an approximation. It is that of a mean machine: each machine moves from where it is, and the mean
of their changes is not the change of their mean, as shares are not linear in beads. The piles of the mean machine are
fractions: of a pile that has less than a loss takes away, a loss takes what is there. So no box of it runs empty, and
what happens at an empty box happens to machines, but not to their mean. (With `restock-colour` a pile of less than one
bead is restocked.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.play import alike_until
from menace.arena.strength import reach, steps
from menace.errors import InvalidPlayer
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_side, fixed_weights, is_fixed
from menace.learners.player import Player, policy_of
from menace.learners.policy import Policy
from menace.learners.registry import ALGORITHMS

STEPS = 1_000  # after so many games a step of the path is longer than a game: this share of the games played

Beads: TypeAlias = NDArray[Any]  # piles, whole numbers of a machine, fractions of the mean machine


def opponent_after(opponent: Player, machine: Machine, games: int) -> Policy:
    """Return how an opponent plays a machine after so many games of a run. A machine plays as it does now.

    Raises:
        InvalidPlayer, InvalidGame: if it cannot play there.
    """
    positions, plays = machine.positions, machine.plays.other
    if not (isinstance(opponent, str) and is_fixed(opponent)):
        return policy_of(opponent, plays, positions)
    check_side(opponent, plays)
    return Policy.of_weights(positions, plays.number, fixed_weights(opponent, positions, games + 1), opponent)


class MeanField:
    """What the next game of a machine that draws beads is expected to change, against an opponent that stays as it is.

    Args:
        machine: whose settings and boxes are asked for, not what it has learned.
        opponent: how the other side plays.

    Raises:
        InvalidPlayer: if the machine's algorithm has no rule for piles.

    >>> machine = Machine("menace", "X")
    >>> field = MeanField(machine, opponent_after("random", machine, games=0))
    >>> field.change(machine.learned.amount)[:3].round(3).tolist()  # of beads for a corner, an edge, the centre
    [0.565, 0.468, 0.647]
    """

    def __init__(self, machine: Machine, opponent: Policy) -> None:
        pile_rule = machine.algorithm.pile_rule
        if pile_rule is None:
            known = " or ".join(algorithm.name for algorithm in ALGORITHMS if algorithm.pile_rule is not None)
            raise InvalidPlayer(
                f"machine {machine.name} has no expected beads: {machine.algorithm.name} has no rule for them; name a"
                f" machine or preset of the algorithm {known}"
            )
        self.machine, self.opponent = machine, opponent
        self.rule = pile_rule(machine.settings, machine.positions)

    @cached_property
    def _ends(self) -> NDArray[np.float64]:
        """[3, positions], 1 where the machine has won, has drawn, has lost."""
        return np.array([self.machine.positions.outcome == self.machine.plays.sign * end for end in (1, 0, -1)], float)

    def refilled(self, beads: Beads) -> Beads:
        """Return [moves], what the machine draws from: its piles, with the first beads in empty boxes that restock."""
        if not self.rule.restocks:
            return beads
        return np.where(self.empty(beads)[self.machine.positions.position_of_move], self.rule.first, beads)

    def empty(self, beads: Beads) -> NDArray[np.bool_]:
        """Return [positions], where it has a box without a bead."""
        sums: NDArray[np.bool_] = self.machine.positions.sum_over_moves(beads) == 0
        return self.machine.boxed & sums

    def policy(self, beads: Beads) -> Policy:
        """Return how the machine plays with these piles [moves], which may be fractions."""
        positions, weights = self.machine.positions, self.refilled(beads)
        empty, resigns = self.empty(weights), np.zeros(len(positions))
        if self.rule.resigns:
            resigns[empty] = 1
        else:
            weights = np.where(empty[positions.position_of_move], positions.multiplicity, weights)
        return Policy(positions, self.machine.side, ((1.0, weights),), resigns)

    def change(self, beads: Beads) -> NDArray[np.float64]:
        """Return [moves], the expected change of each pile in the next game of a machine with these piles."""
        positions, kept = self.machine.positions, self.machine.learned.kept
        where, filled, policy = positions.position_of_move, self.refilled(beads), self.policy(beads)
        reached = reach(*self.machine.plays.x_and_o(policy, self.opponent))[where]
        drawn = np.where(kept & ~self.empty(filled)[where], policy.probability, 0.0)
        # With `credit=last` a bead counts only if none is drawn after it.
        after = policy.probability - drawn if self.rule.last_only else policy.probability
        ends = self._outcomes(after + self.opponent.probability, policy.resigns)[:, positions.next_position]
        changes = np.where(kept, reached * (filled - beads), 0.0)
        for reward, end in zip(self.rule.rewards, ends, strict=True):
            changes += reached * drawn * end * (self.rule.settled(filled, reward, self.rule.first) - filled)
        return changes

    def _outcomes(self, probability: NDArray[np.float64], resigns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return [3, positions], the chances to win, draw and lose from each by moves of these probabilities."""
        chances = self._ends.copy()
        chances[0] += self.opponent.resigns
        chances[2] += resigns
        for step in reversed(steps(self.machine.positions)):
            of_moves = probability[step.moves] * chances[:, step.child]
            chances[:, step.ongoing] += np.add.reduceat(of_moves, step.starts, axis=1)
        return chances


def mean_path(machine: Machine, opponent: Player, marks: Sequence[int]) -> Iterator[NDArray[np.float64]]:
    """Yield the piles [moves] of the mean machine after each number of games in `marks`, which ascend.

    It begins with what the machine has now; the machine itself stays as it is. A step is a game, and after STEPS games
    a thousandth of the games played (Euler's method).

    Raises:
        InvalidPlayer, InvalidGame: if the machine has no expected beads, or there is no such opponent.

    >>> path = mean_path(Machine("menace", "X"), "random", [0, 1, 220])
    >>> [[round(float(pile), 2) for pile in beads[:3]] for beads in path]
    [[4.0, 4.0, 4.0], [4.57, 4.47, 4.65], [131.23, 74.87, 233.36]]
    """
    beads, games, until = machine.learned.amount.astype(np.float64), 0, 0
    for mark in marks:
        while games < mark:
            if games == until:
                field = MeanField(machine, opponent_after(opponent, machine, games))
                until = alike_until((opponent,), games, marks[-1])
            step = min(max(games // STEPS, 1), mark - games, until - games)
            later = np.clip(beads + step * field.change(beads), field.rule.floor, field.rule.most)
            beads = np.where(machine.learned.kept, later, beads)
            games += step
        yield beads
