"""The exact law of a machine's boxes: a Markov chain whose states are the contents of all its boxes.

    law: of each contents, its probability; after a game, the sum over all games that the machine and its opponent can
         play from there, and what it learns from each

The first box alone is no Markov chain, unless nothing comes after it: whether its bead is rewarded depends on the boxes
after it, and they change, too. So the state is all boxes, and the law of the first one is read off from theirs. That
holds for every machine that draws beads. It can be computed where boxes have few contents: for some games in small
games, and for any number where beads are only ever taken out (Gardner's HER, the cups of Nim).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.mean_field import MeanField, opponent_after
from menace.arena.play_loop import Arena, alike_until
from menace.arena.randomness import raw_numbers
from menace.arena.ruin import can_be_ruined, first_boxes
from menace.errors import InvalidRun
from menace.games.base import ONGOING
from menace.learners.machine import Machine
from menace.learners.player import Player

CONTENTS_MOST = 20_000  # that are followed: some milliseconds each

Contents: TypeAlias = bytes  # int32 [moves], the piles of all boxes
Law: TypeAlias = dict[Contents, float]
Drawn: TypeAlias = tuple[int, ...]  # the moves whose beads a game has drawn


class BeadLaw(NamedTuple):
    """The law of a machine's boxes after some games: exact, or of some copies of it that have played them.

    Attributes:
        piles: int32 [contents, moves], what its boxes may have.
        probability: [contents], of each; they sum to 1.

    >>> law = BeadLaw(np.array([[3, 1], [1, 3]], np.int32), np.array([0.5, 0.5]))
    >>> law.mean.tolist(), [shares.tolist() for shares in law.shares(range(2))]
    ([2.0, 2.0], [[0.5, 0.5], [0.25, 0.25]])
    """

    piles: NDArray[np.int32]
    probability: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """[moves], the mean of each pile."""
        mean: NDArray[np.float64] = self.probability @ self.piles
        return mean

    def shares(self, moves: range) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means and standard deviations of the shares of a box's moves, where it has beads; else NaN."""
        piles = self.piles[:, moves.start : moves.stop]
        filled = piles.sum(axis=1) > 0
        if not filled.any():
            return np.full(len(moves), np.nan), np.full(len(moves), np.nan)
        weights = self.probability[filled] / self.probability[filled].sum()
        shares = piles[filled] / piles[filled].sum(axis=1, keepdims=True)
        mean = weights @ shares
        return mean, np.sqrt(weights @ (shares - mean) ** 2).round(12)  # rounding errors are no deviation

    def ruined(self, machine: Machine) -> float:
        """Return the probability that a machine is ruined; 0 of one that cannot be."""
        first = [move for position in first_boxes(machine) for move in machine.positions.moves_of(position)]
        return float(self.probability[self.piles[:, first].sum(axis=1) == 0].sum()) if can_be_ruined(machine) else 0.0


def bead_laws(machine: Machine, opponent: Player, marks: Sequence[int]) -> Iterator[BeadLaw]:
    """Yield the law of a machine's boxes after each number of games in `marks`, which ascend.

    Raises:
        InvalidPlayer, InvalidGame: as `mean_path`.
        InvalidRun: if there are more than CONTENTS_MOST contents.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> her = Machine("punish-all", "O", enumerate_positions(get_game("hexapawn")))
    >>> [(len(law.probability), round(law.ruined(her), 4)) for law in bead_laws(her, "optimal", [0, 1, 5, 10, 20])]
    [(1, 0.0), (15, 0.0), (374, 0.0123), (374, 0.1994), (374, 0.6008)]
    """
    law, games, until = {machine.learned.amount.tobytes(): 1.0}, 0, 0
    for mark in marks:
        while games < mark:
            if games == until:
                step = _Step(MeanField(machine, opponent_after(opponent, machine, games)))
                until = alike_until((opponent,), games, marks[-1])
            law, games = step.after_game(law), games + 1
        piles = np.array([np.frombuffer(contents, np.int32) for contents in law])
        yield BeadLaw(piles, np.array(list(law.values())))


def sampled_laws(machine: Machine, opponent: Player, marks: Sequence[int], machines: int) -> Iterator[BeadLaw]:
    """Yield the same of copies of a machine that play the games, with the seeds 1, 2, 3, ...

    Of a fresh machine the copies are the machines of a study, to the bit.

    >>> next(sampled_laws(Machine("menace", "X"), "random", [220], machines=100)).shares(range(3))[0].round(2).tolist()
    [0.29, 0.21, 0.5]
    """
    arena = Arena(machine.positions)
    player = opponent if isinstance(opponent, str) else opponent_after(opponent, machine, 0)
    copies = [machine.copy() for _ in range(machines)]
    numbers, games = [raw_numbers(seed, 0) for seed in range(1, machines + 1)], 0
    for mark in marks:
        while games < mark:
            until = alike_until((player,), games, mark)
            other = arena.kernel_player(player, games + 1)
            for copy, own in zip(copies, numbers, strict=True):
                seats = machine.plays.x_and_o(arena.kernel_player(copy), other)
                arena.play(*seats, own, until - games, math.inf)
            games = until
        yield BeadLaw(np.array([copy.learned.amount for copy in copies]), np.full(machines, 1 / machines))


class _Step:
    """A game of the chain, against an opponent that stays as it is."""

    def __init__(self, field: MeanField) -> None:
        self.field = field
        self._laws: dict[Contents, Law] = {}

    def after_game(self, law: Law) -> Law:
        """Return the law after one more game.

        Raises:
            InvalidRun: if there are more than CONTENTS_MOST contents.
        """
        later: Law = {}
        for contents, probability in law.items():
            if contents not in self._laws:
                self._laws[contents] = self._learned(np.frombuffer(contents, np.int32))
            for after, share in self._laws[contents].items():
                later[after] = later.get(after, 0.0) + probability * share
            if max(len(later), len(self._laws)) > CONTENTS_MOST:
                raise InvalidRun(
                    f"the boxes of {self.field.machine.name} can have more than {CONTENTS_MOST:,} contents by then, too"
                    " many for their exact law; ask for fewer games, or for machines that play them"
                )
        return later

    def _learned(self, beads: NDArray[np.int32]) -> Law:
        field, law, positions = self.field, Law(), self.field.machine.positions
        refilled, rule = field.refilled(beads), field.rule
        for (drawn, result), probability in self._games(beads).items():
            after = beads.copy()
            for move in drawn:  # a box that was drawn from was refilled, if it was empty
                here = slice(*positions.first_move[(at := positions.position_of_move[move]) : at + 2])
                after[here] = refilled[here]
            learned = list(drawn[-1:] if rule.last_only else drawn)
            after[learned] = rule.settled(after[learned], rule.rewards[1 - result], rule.first[learned])
            contents = after.tobytes()
            law[contents] = law.get(contents, 0.0) + probability
        return law

    def _games(self, beads: NDArray[np.int32]) -> dict[tuple[Drawn, int], float]:
        """Return the probability of each game, by the beads that it draws, and 1, 0 or -1: won, drawn or lost."""
        field, machine, positions = self.field, self.field.machine, self.field.machine.positions
        policy, opponent = field.policy(beads), field.opponent
        odds, resigns = policy.probability + opponent.probability, opponent.resigns - policy.resigns
        draws = machine.learned.kept & ~field.empty(field.refilled(beads))[positions.position_of_move]
        ways: dict[int, dict[Drawn, float]] = {0: {(): 1.0}}  # by position, the beads that are drawn until there
        games: dict[tuple[Drawn, int], float] = {}
        while ways:
            position = min(ways)  # all moves lead to higher numbers
            here, outcome = ways.pop(position), int(positions.outcome[position])
            ends, result = 1.0, machine.plays.sign * outcome
            if outcome == ONGOING:
                ends, result = abs(resigns[position]), int(np.sign(resigns[position]))
                for move in filter(odds.item, positions.moves_of(position)):
                    after = ways.setdefault(int(positions.next_position[move]), {})
                    for drawn, probability in here.items():
                        key = (*drawn, move) if draws[move] else drawn
                        after[key] = after.get(key, 0.0) + probability * odds[move]
            if ends:
                for drawn, probability in here.items():
                    games[drawn, result] = games.get((drawn, result), 0.0) + probability * ends
        return games
