"""Compute the distribution of a machine's bead counts after a number of games, and the risk of an empty first box.

    distribution: the probability of each possible state of the boxes. Each possible game moves a share of that
    probability to the state that results from learning from the game.

This module computes the exact distribution, a distribution sampled from copies of the machine, and a mean-field
approximation. The contents of all boxes form a Markov chain for every machine that draws beads. The contents of the
first box alone do not form a Markov chain, because the other boxes also change and affect whether a bead from the first
box is rewarded. The distribution of the first box is therefore a marginal of the joint distribution. An exact
distribution is feasible only if the boxes have few possible states. Boxes have few states in the first few rounds of a
small game, or if beads are only ever removed, as in Gardner's HER and the cups for Nim. If there are too many states,
many copies of the machine play the games, and the distribution is estimated from these copies.

A machine can lose beads for its first move only by playing that move. A machine that resigns at an empty box is ruined
once it has no beads left for its first move, as in gambler's ruin. A ruined machine resigns before its first move and
can never learn again. Scroggs' page says that a ruined machine "refuses to play".

Source: Scroggs, MENACE, github.com/mscroggs/MENACE (menace.js, play_menace).

The mean-field approximation computes a path by repeatedly applying the expected change over the next game.

    change: for each pile, the sum over all results of the probability that its bead is drawn and the game has that
    result, times the number of beads added or removed for that result.
    path:   piles += change, game after game

The expected change over the next game is exact for all settings. The calculation accounts for resignations at empty
boxes, restocked boxes, floors and full piles. The path is only approximate, because it follows a single mean machine
whereas real machines drift apart. The average change of real machines is not the change of the average machine, because
a move's probability is not a linear function of the numbers of beads. The piles of the mean machine need not be
integers. A loss never removes more beads than a pile contains, so no box of the mean machine ever becomes empty. The
approximation therefore does not show the effect of empty boxes. With `restock-colour`, a pile with less than one bead
is restocked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import moves_by_ply, reach
from menace.arena.play import Arena, next_opponent_change, raw_numbers
from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import ONGOING, Side
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_side, fixed_weights, is_fixed
from menace.learners.player_to_policy import Player, policy_of
from menace.learners.policy import Policy
from menace.learners.registry import ALGORITHMS
from menace.text.wording import OPPONENTS, counted

STEPS = 1_000  # after STEPS games, each step covers 1/STEPS of the games played so far

Beads: TypeAlias = NDArray[Any]  # the piles, which are integers for a real machine and floats for the mean machine


def opponent_policy_after(opponent: Player, machine: Machine, games: int) -> Policy:
    """Return the policy that a machine's opponent plays after `games` games of a run.

    If the opponent is itself a machine, it plays its current policy.

    Raises:
        InvalidPlayer, InvalidGame: if the opponent cannot play the other side of the machine's game.
    """
    positions, plays = machine.positions, machine.plays.other
    if not (isinstance(opponent, str) and is_fixed(opponent)):
        return policy_of(opponent, plays, positions)
    check_side(opponent, plays)
    return Policy.of_weights(positions, plays.number, fixed_weights(opponent, positions, games + 1), opponent)


class MeanField:
    """The expected change in a machine's beads over its next game against an opponent with a fixed policy.

    Args:
        machine: the machine, whose settings and boxes are used, but not its current beads.
        opponent: the policy of the other side.

    Raises:
        InvalidPlayer: if the machine's algorithm does not define a rule for piles.

    >>> machine = Machine("menace", "X")
    >>> field = MeanField(machine, opponent_policy_after("random", machine, games=0))
    >>> field.expected_change(machine.learned.amount)[:3].round(3).tolist()  # for a corner, an edge and the centre
    [0.565, 0.468, 0.647]
    """

    def __init__(self, machine: Machine, opponent: Policy) -> None:
        pile_rule = machine.algorithm.pile_rule
        if pile_rule is None:
            known = " or ".join(algorithm.name for algorithm in ALGORITHMS if algorithm.pile_rule is not None)
            raise InvalidPlayer(
                f"cannot compute the expected beads of {machine.name}, because its algorithm, {machine.algorithm.name},"
                f" does not use beads; use a machine or preset with the algorithm {known}"
            )
        self.machine, self.opponent = machine, opponent
        self.rule = pile_rule(machine.settings, machine.positions)

    @cached_property
    def _ends(self) -> NDArray[np.float64]:
        """An array [3, positions] whose rows mark won, drawn and lost positions with 1, and other positions with 0."""
        return np.array([self.machine.positions.outcome == self.machine.plays.sign * end for end in (1, 0, -1)], float)

    def refilled(self, beads: Beads) -> Beads:
        """Return the piles from which the machine draws after restocking empty boxes, as an array [moves]."""
        if not self.rule.restocks:
            return beads
        return np.where(self.empty(beads)[self.machine.positions.position_of_move], self.rule.first, beads)

    def empty(self, beads: Beads) -> NDArray[np.bool_]:
        """Return a boolean array [positions] that is true where the machine's box is empty."""
        sums: NDArray[np.bool_] = self.machine.positions.sum_over_moves(beads) == 0
        return self.machine.boxed & sums

    def policy(self, beads: Beads) -> Policy:
        """Return the policy of a machine with the given piles. The piles need not be integers."""
        positions, weights = self.machine.positions, self.refilled(beads)
        empty, resigns = self.empty(weights), np.zeros(len(positions))
        if self.rule.resigns:
            resigns[empty] = 1
        else:
            weights = np.where(empty[positions.position_of_move], positions.multiplicity, weights)
        return Policy(positions, self.machine.side, ((1.0, weights),), resigns)

    def expected_change(self, beads: Beads) -> NDArray[np.float64]:
        """Return the expected change in each pile over the next game, for a machine with the given piles."""
        positions, kept = self.machine.positions, self.machine.learned.kept
        where, filled, policy = positions.position_of_move, self.refilled(beads), self.policy(beads)
        reached = reach(*self.machine.plays.x_and_o(policy, self.opponent))[where]
        drawn = np.where(kept & ~self.empty(filled)[where], policy.probability, 0.0)
        # With `credit=last`, only the last bead drawn in the game counts.
        after = policy.probability - drawn if self.rule.last_only else policy.probability
        ends = self._outcomes(after + self.opponent.probability, policy.resigns)[:, positions.next_position]
        changes = np.where(kept, reached * (filled - beads), 0.0)
        for reward, end in zip(self.rule.rewards, ends, strict=True):
            changes += reached * drawn * end * (self.rule.settled(filled, reward, self.rule.first) - filled)
        return changes

    def _outcomes(self, probability: NDArray[np.float64], resigns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of winning, drawing and losing from each position, as an array [3, positions]."""
        chances = self._ends.copy()
        chances[0] += self.opponent.resigns
        chances[2] += resigns
        for step in reversed(moves_by_ply(self.machine.positions)):
            of_moves = probability[step.moves] * chances[:, step.child]
            chances[:, step.ongoing] += np.add.reduceat(of_moves, step.starts, axis=1)
        return chances


def mean_path(machine: Machine, opponent: Player, marks: Sequence[int]) -> Iterator[NDArray[np.float64]]:
    """Yield the piles of the mean machine after each number of games in `marks`. The marks must be in ascending order.

    The path starts from a copy of the machine's current piles; the machine itself is not changed. The path is computed
    by Euler's method with a step of one game. After STEPS games, each step covers a thousandth of the games played so
    far.

    Raises:
        InvalidPlayer, InvalidGame: if the machine does not use beads, or the opponent does not exist or cannot play the
            game.

    >>> path = mean_path(Machine("menace", "X"), "random", [0, 1, 220])
    >>> [[round(float(pile), 2) for pile in beads[:3]] for beads in path]
    [[4.0, 4.0, 4.0], [4.57, 4.47, 4.65], [131.23, 74.87, 233.36]]
    """
    beads, games, until = machine.learned.amount.astype(np.float64), 0, 0
    for mark in marks:
        while games < mark:
            if games == until:
                field = MeanField(machine, opponent_policy_after(opponent, machine, games))
                until = next_opponent_change((opponent,), games, marks[-1])
            step = min(max(games // STEPS, 1), mark - games, until - games)
            later = np.clip(beads + step * field.expected_change(beads), field.rule.floor, field.rule.most)
            beads = np.where(machine.learned.kept, later, beads)
            games += step
        yield beads


MAX_CONTENTS = 20_000  # maximum number of possible states of the boxes; each state takes a few milliseconds to process

# The number of games that a new machine plays in a trial against optimal play. Michie's machine played 219 games.
GAMES_AHEAD = 200
# With this number of copies, the fraction of ruined copies is within 0.045 of the true probability in 19 of 20 cases.
# The uncompiled kernel is a hundred times slower, so trials with that kernel use fewer copies.
TRIALS = 500 if kernel.COMPILED else 50
# Copies play only the beginning of a long run, because machines that survive it have hundreds of beads in their boxes.
MAX_TRIAL_GAMES = 1_000 if kernel.COMPILED else 100
MAX_TOTAL_MOVES = 2_000_000  # maximum product of the number of copies and the number of moves in the game graph
TRIALS_FEWEST = 50

Contents: TypeAlias = bytes  # the piles of all boxes: an int32 array [moves] converted to bytes
Law: TypeAlias = dict[Contents, float]
Drawn: TypeAlias = tuple[int, ...]  # the moves for which a machine drew a bead during a game


def first_choice_positions(machine: Machine) -> list[int]:
    """Return the positions in which a machine chooses its first move.

    X chooses its first move in the initial position, and O in one of the positions after X's first move.

    >>> first_choice_positions(Machine("menace", "X")), first_choice_positions(Machine("menace", "O"))
    ([0], [1, 2, 3])
    """
    positions = machine.positions
    openings = positions.next_position[: positions.first_move[1]]  # the moves from position 0 are the openings
    first = [0] if machine.plays is Side.X else sorted(openings.tolist())
    return [position for position in first if len(positions.moves_of(position)) > 1]


def first_move_beads(machine: Machine) -> int:
    """Return the number of beads for a machine's first move.

    X has one box for its first move, and O has one box for each opening.

    >>> first_move_beads(Machine("menace", "X")), first_move_beads(Machine("menace", "O"))
    (12, 48)
    """
    boxes = (machine.positions.moves_of(position) for position in first_choice_positions(machine))
    return sum(int(machine.learned.amount[moves.start : moves.stop].sum()) for moves in boxes)


def can_be_ruined(machine: Machine) -> bool:
    """Return whether a machine can be ruined.

    A machine can be ruined if it resigns at empty boxes and the boxes for its first move can permanently lose beads.

    >>> can_be_ruined(Machine("michie-1961", "X")), can_be_ruined(Machine("menace", "X"))
    (True, False)
    """
    if machine.algorithm.pile_rule is None:
        return False
    rule = machine.algorithm.pile_rule(machine.settings, machine.positions)
    return rule.resigns and rule.floor == 0 and rule.rewards[-1] < 0 and bool(first_choice_positions(machine))


def is_ruined(machine: Machine) -> bool:
    """Return whether a machine is ruined, which means that it resigns before its first move against every opponent.

    >>> machine = Machine("michie-1961", "X")
    >>> machine.learned.amount[:3] = 0
    >>> is_ruined(machine), is_ruined(Machine("michie-1961", "X"))
    (True, False)
    """
    return can_be_ruined(machine) and first_move_beads(machine) == 0


class BeadDistribution(NamedTuple):
    """The distribution of the states of a machine's boxes, either exact or sampled from copies of the machine.

    Attributes:
        piles: the possible states of the boxes, as an array int32 [states, moves].
        probability: the probability of each possible state, as an array [states] with the sum 1.

    >>> law = BeadDistribution(np.array([[3, 1], [1, 3]], np.int32), np.array([0.5, 0.5]))
    >>> law.mean.tolist(), [shares.tolist() for shares in law.mean_shares_and_deviations(range(2))]
    ([2.0, 2.0], [[0.5, 0.5], [0.25, 0.25]])
    """

    piles: NDArray[np.int32]
    probability: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean number of beads in each pile, as an array [moves]."""
        mean: NDArray[np.float64] = self.probability @ self.piles
        return mean

    def mean_shares_and_deviations(self, moves: range) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean and standard deviation of each move's share of its box.

        Both are NaN if the box is always empty. States in which the box is empty are excluded.
        """
        piles = self.piles[:, moves.start : moves.stop]
        filled = piles.sum(axis=1) > 0
        if not filled.any():
            return np.full(len(moves), np.nan), np.full(len(moves), np.nan)
        weights = self.probability[filled] / self.probability[filled].sum()
        shares = piles[filled] / piles[filled].sum(axis=1, keepdims=True)
        mean = weights @ shares
        # rounding errors alone must not produce a positive deviation
        return mean, np.sqrt(weights @ (shares - mean) ** 2).round(12)

    def ruin_probability(self, machine: Machine) -> float:
        """Return the probability that the given machine is ruined, or 0 if it cannot be ruined."""
        first = [move for position in first_choice_positions(machine) for move in machine.positions.moves_of(position)]
        return float(self.probability[self.piles[:, first].sum(axis=1) == 0].sum()) if can_be_ruined(machine) else 0.0


def exact_distributions(machine: Machine, opponent: Player, marks: Sequence[int]) -> Iterator[BeadDistribution]:
    """Yield the exact distribution of a machine's boxes after each number of games in `marks`.

    The marks must be in ascending order.

    Raises:
        InvalidPlayer, InvalidGame: for the same reasons as in `mean_path`.
        InvalidRun: if the boxes have more than MAX_CONTENTS possible states.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> her = Machine("punish-all", "O", enumerate_positions(get_game("hexapawn")))
    >>> [
    ...     (len(law.probability), round(law.ruin_probability(her), 4))
    ...     for law in exact_distributions(her, "optimal", [0, 1, 5, 10, 20])
    ... ]
    [(1, 0.0), (15, 0.0), (374, 0.0123), (374, 0.1994), (374, 0.6008)]
    """
    law, games, until = {machine.learned.amount.tobytes(): 1.0}, 0, 0
    for mark in marks:
        while games < mark:
            if games == until:
                step = _Step(MeanField(machine, opponent_policy_after(opponent, machine, games)))
                until = next_opponent_change((opponent,), games, marks[-1])
            law, games = step.after_game(law), games + 1
        piles = np.array([np.frombuffer(contents, np.int32) for contents in law])
        yield BeadDistribution(piles, np.array(list(law.values())))


def sampled_distributions(
    machine: Machine,
    opponent: Player,
    marks: Sequence[int],
    machines: int,
    before: int = 0,
    rival_learns: bool = False,
) -> Iterator[BeadDistribution]:
    """Yield the sampled distribution of a machine's boxes after each number of games in `marks`.

    The sample consists of copies of the machine with the seeds 1, 2, 3 and so on. Copies of a new machine are
    identical, bit for bit, to the machines in a study.

    Args:
        machine: the machine to copy.
        opponent: the machine's opponent.
        marks: the numbers of games, ascending.
        machines: the number of copies.
        before: the number of games already played in the run, for opponents that change their policy during a run.
        rival_learns: whether an opponent that is a machine also learns. Each copy of the machine then plays its own
            copy of the opponent.

    >>> (law,) = sampled_distributions(Machine("menace", "X"), "random", [220], machines=100)
    >>> law.mean_shares_and_deviations(range(3))[0].round(2).tolist()
    [0.29, 0.21, 0.5]
    """
    arena = Arena(machine.positions)
    player = opponent if isinstance(opponent, str) else opponent_policy_after(opponent, machine, 0)
    copies = [machine.copy() for _ in range(machines)]
    rivals = [opponent.copy() for _ in copies] if rival_learns and isinstance(opponent, Machine) else None
    numbers, games = [raw_numbers(seed, 0) for seed in range(1, machines + 1)], 0
    for mark in marks:
        while games < mark:
            until = next_opponent_change((player,), before + games, before + mark) - before
            other = arena.kernel_player(player, before + games + 1)
            for number, (copy, own) in enumerate(zip(copies, numbers, strict=True)):
                against = arena.kernel_player(rivals[number]) if rivals else other
                seats = machine.plays.x_and_o(arena.kernel_player(copy), against)
                arena.play(*seats, own, until - games, math.inf)
            games = until
        yield BeadDistribution(np.array([copy.learned.amount for copy in copies]), np.full(machines, 1 / machines))


def ruin_text(
    machine: Machine, opponent: Machine | str, games: int, before: int = 0, called: str | None = None
) -> str | None:
    """Return a sentence about a machine's risk of running out of beads for its first move, or None if there is no risk.

    Args:
        machine: the machine that learns.
        opponent: a fixed opponent, or a machine, which also learns.
        games: the number of games to play, 1 or more.
        before: the number of games already played in the run, for an opponent that changes its policy during a run.
        called: the name to use for an opponent that is a machine.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_text(Machine("michie-1961", "X"), "random", games=10)
    'of 500 copies of it that play 10 games against random play, none runs out of beads for its first move'
    """
    if is_ruined(machine):
        return "no bead is left for the machine's first move, so it resigns before it can move"
    risk = ruin_risk(machine, opponent, games, before)
    if risk is None:
        return None
    name = opponent if isinstance(opponent, str) else called or "the other machine"
    first = "the first " if risk.games < games else ""
    how_many = {0: "none", risk.trials: "all"}.get(risk.ruined, f"{risk.ruined}")
    run_out = "runs out of beads for its" if risk.ruined <= 1 else "run out of beads for their"
    return (
        f"of {risk.trials} copies of it that play {first}{counted(risk.games, 'game')}"
        f" {OPPONENTS.get(name, f'against {name}')}, {how_many} {run_out} first move"
    )


class RuinRisk(NamedTuple):
    """The result of a trial with copies of a machine.

    Attributes:
        trials: the number of copies.
        ruined: the number of copies that are ruined at the end.
        games: the number of games that each copy plays.
    """

    trials: int
    ruined: int
    games: int


def ruin_risk(machine: Machine, opponent: Machine | str, games: int, before: int = 0) -> RuinRisk | None:
    """Return how many of TRIALS copies of a machine are ruined, or None if there was no trial.

    The function skips the trial if the machine cannot be ruined or the game is too large.

    The machine and its opponent are not changed. Each copy plays `games` games, but at most MAX_TRIAL_GAMES. A trial
    takes about a quarter of a second.

    Args:
        machine: the machine that learns.
        opponent: a fixed opponent, or a machine, which also learns.
        games: the number of games to play, 1 or more.
        before: the number of games already played in the run, for an opponent that changes its policy during a run.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_risk(Machine("michie-1961", "X"), "random", games=10)
    RuinRisk(trials=500, ruined=0, games=10)
    """
    trials, games = min(TRIALS, MAX_TOTAL_MOVES // machine.positions.move_count), min(games, MAX_TRIAL_GAMES)
    if trials < TRIALS_FEWEST or not can_be_ruined(machine):
        return None
    law = next(sampled_distributions(machine, opponent, [games], trials, before, rival_learns=True))
    return RuinRisk(trials, round(law.ruin_probability(machine) * trials), games)


class _Step:
    """A step of the Markov chain, in which the machine plays one game against an opponent with a fixed policy."""

    def __init__(self, field: MeanField) -> None:
        self.field = field
        self._laws: dict[Contents, Law] = {}

    def after_game(self, law: Law) -> Law:
        """Return the distribution after one more game.

        Raises:
            InvalidRun: if the boxes have more than MAX_CONTENTS possible states.
        """
        later: Law = {}
        for contents, probability in law.items():
            if contents not in self._laws:
                self._laws[contents] = self._learned(np.frombuffer(contents, np.int32))
            for after, share in self._laws[contents].items():
                later[after] = later.get(after, 0.0) + probability * share
            if max(len(later), len(self._laws)) > MAX_CONTENTS:
                raise InvalidRun(
                    f"the boxes of {self.field.machine.name} can have more than {MAX_CONTENTS:,} different contents,"
                    " too many for the exact distribution; use fewer games, or sample machines instead"
                )
        return later

    def _learned(self, beads: NDArray[np.int32]) -> Law:
        field, law, positions = self.field, Law(), self.field.machine.positions
        refilled, rule = field.refilled(beads), field.rule
        for (drawn, result), probability in self._game_probabilities(beads).items():
            after = beads.copy()
            for move in drawn:  # an empty box is restocked before a bead is drawn from it
                here = slice(*positions.first_move[(at := positions.position_of_move[move]) : at + 2])
                after[here] = refilled[here]
            learned = list(drawn[-1:] if rule.last_only else drawn)
            after[learned] = rule.settled(after[learned], rule.rewards[1 - result], rule.first[learned])
            contents = after.tobytes()
            law[contents] = law.get(contents, 0.0) + probability
        return law

    def _game_probabilities(self, beads: NDArray[np.int32]) -> dict[tuple[Drawn, int], float]:
        """Return the probability of each combination of a result and the beads drawn.

        The result is 1 for a win, 0 for a draw and -1 for a loss.
        """
        field, machine, positions = self.field, self.field.machine, self.field.machine.positions
        policy, opponent = field.policy(beads), field.opponent
        odds, resigns = policy.probability + opponent.probability, opponent.resigns - policy.resigns
        draws = machine.learned.kept & ~field.empty(field.refilled(beads))[positions.position_of_move]
        # `ways` maps each position to the probability of each sequence of beads drawn on the way to that position.
        ways: dict[int, dict[Drawn, float]] = {0: {(): 1.0}}
        games: dict[tuple[Drawn, int], float] = {}
        while ways:
            position = min(ways)  # every move leads to a higher-numbered position
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
