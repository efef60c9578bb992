"""The distribution of a machine's boxes after some games, exact, sampled or as a mean, and the fate of its first box.

    law: of each contents, its probability; after a game, the sum over all games that the machine and its opponent can
         play from there, and what it learns from each

The first box alone is no Markov chain, unless nothing comes after it: whether its bead is rewarded depends on the boxes
after it, and they change, too. So the state of the chain is the contents of all boxes, and the law of the first one is
read off from theirs. That holds for every machine that draws beads. The exact law can be computed where boxes have few
contents: for some games in small games, and for any number where beads are only ever taken out (Gardner's HER, the cups
of Nim). Elsewhere copies of the machine play the games.

Beads for the first move are only lost by playing it. Once none is left, a machine that resigns at an empty box is
ruined (as in gambler's ruin): it resigns before it has moved, so it cannot learn any more. On M. Scroggs' page it then
"refuses to play".

Source: M. Scroggs, MENACE, github.com/mscroggs/MENACE (menace.js, play_menace).

The mean field says what the next game is expected to change, and where that leads, without chance.

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

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import reach, steps
from menace.arena.play import Arena, alike_until, raw_numbers
from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import ONGOING, Side
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_side, fixed_weights, is_fixed
from menace.learners.player import Player, policy_of
from menace.learners.policy import Policy
from menace.learners.registry import ALGORITHMS
from menace.text.wording import OPPONENTS, counted

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


CONTENTS_MOST = 20_000  # that are followed: some milliseconds each

# Games in which a new machine is tried, against optimal play; Michie's played 219.
GAMES_AHEAD = 200
# The share of ruined copies is then within 0.045 of the probability, 19 times out of 20. Python runs the kernel a
# hundred times slower.
TRIALS = 500 if kernel.COMPILED else 50
# Copies try only the beginning of longer runs: a machine that survives it has boxes of hundreds of beads.
GAMES_TRIED = 1_000 if kernel.COMPILED else 100
MOVES_IN_ALL = 2_000_000  # of all copies: in larger games fewer are made
TRIALS_FEWEST = 50

Contents: TypeAlias = bytes  # int32 [moves], the piles of all boxes
Law: TypeAlias = dict[Contents, float]
Drawn: TypeAlias = tuple[int, ...]  # the moves whose beads a game has drawn


def first_boxes(machine: Machine) -> list[int]:
    """Return where a machine's first move is a choice: at the start, or after each opening.

    >>> first_boxes(Machine("menace", "X")), first_boxes(Machine("menace", "O"))
    ([0], [1, 2, 3])
    """
    positions = machine.positions
    openings = positions.next_position[: positions.first_move[1]]  # position 0 has the first moves
    first = [0] if machine.plays is Side.X else sorted(openings.tolist())
    return [position for position in first if len(positions.moves_of(position)) > 1]


def beads_left(machine: Machine) -> int:
    """Return all beads for a machine's first move: of X in one box, of O in a box an opening.

    >>> beads_left(Machine("menace", "X")), beads_left(Machine("menace", "O"))
    (12, 48)
    """
    boxes = (machine.positions.moves_of(position) for position in first_boxes(machine))
    return sum(int(machine.learned.amount[moves.start : moves.stop].sum()) for moves in boxes)


def can_be_ruined(machine: Machine) -> bool:
    """Say whether a machine can be ruined: it resigns at an empty box, and loses beads that nothing restores.

    >>> can_be_ruined(Machine("michie-1961", "X")), can_be_ruined(Machine("menace", "X"))
    (True, False)
    """
    if machine.algorithm.pile_rule is None:
        return False
    rule = machine.algorithm.pile_rule(machine.settings, machine.positions)
    return rule.resigns and rule.floor == 0 and rule.rewards[-1] < 0 and bool(first_boxes(machine))


def is_ruined(machine: Machine) -> bool:
    """Say whether a machine is ruined: it would resign at its first move, whatever its opponent plays.

    >>> machine = Machine("michie-1961", "X")
    >>> machine.learned.amount[:3] = 0
    >>> is_ruined(machine), is_ruined(Machine("michie-1961", "X"))
    (True, False)
    """
    return can_be_ruined(machine) and beads_left(machine) == 0


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


def sampled_laws(
    machine: Machine,
    opponent: Player,
    marks: Sequence[int],
    machines: int,
    before: int = 0,
    rival_learns: bool = False,
) -> Iterator[BeadLaw]:
    """Yield the same for copies of a machine that play the games, with the seeds 1, 2, 3, ...

    For a fresh machine the copies are the machines of a study, to the bit.

    Args:
        machine: the machine to copy.
        opponent: its opponent.
        marks: the numbers of games, ascending.
        machines: the number of copies.
        before: the number of games already played in the run, for a fixed opponent that changes during a run.
        rival_learns: whether an opponent that is a machine learns, too; each copy then plays its own copy of it.

    >>> next(sampled_laws(Machine("menace", "X"), "random", [220], machines=100)).shares(range(3))[0].round(2).tolist()
    [0.29, 0.21, 0.5]
    """
    arena = Arena(machine.positions)
    player = opponent if isinstance(opponent, str) else opponent_after(opponent, machine, 0)
    copies = [machine.copy() for _ in range(machines)]
    rivals = [opponent.copy() for _ in copies] if rival_learns and isinstance(opponent, Machine) else None
    numbers, games = [raw_numbers(seed, 0) for seed in range(1, machines + 1)], 0
    for mark in marks:
        while games < mark:
            until = alike_until((player,), before + games, before + mark) - before
            other = arena.kernel_player(player, before + games + 1)
            for number, (copy, own) in enumerate(zip(copies, numbers, strict=True)):
                against = arena.kernel_player(rivals[number]) if rivals else other
                seats = machine.plays.x_and_o(arena.kernel_player(copy), against)
                arena.play(*seats, own, until - games, math.inf)
            games = until
        yield BeadLaw(np.array([copy.learned.amount for copy in copies]), np.full(machines, 1 / machines))


def ruin_text(
    machine: Machine, opponent: Machine | str, games: int, before: int = 0, called: str | None = None
) -> str | None:
    """Return in a sentence how likely a machine is to run out of beads for its first move; None if it cannot.

    Args:
        machine: that learns.
        opponent: a fixed one, or a machine, which learns as well.
        games: to play, 1 or more.
        before: games of the run that are played already, for a fixed opponent that changes during a run.
        called: the opponent's name, if it is a machine.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_text(Machine("michie-1961", "X"), "random", games=10)
    'of 500 copies of it that play 10 games against random play, none runs out of beads for its first move'
    """
    if is_ruined(machine):
        return "no bead is left for its first move, so it resigns before it has moved"
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
    """How many copies of a machine are ruined.

    Attributes:
        trials: how many copies there are.
        ruined: how many of them are ruined in the end.
        games: how many games each of them plays.
    """

    trials: int
    ruined: int
    games: int


def ruin_risk(machine: Machine, opponent: Machine | str, games: int, before: int = 0) -> RuinRisk | None:
    """Return how many of TRIALS copies of a machine are ruined; None if it cannot be ruined, or the game is too large.

    The machine and its opponent stay as they are. Each copy plays `games` games, at most GAMES_TRIED. All copies
    together take about a quarter of a second.

    Args:
        machine: the machine that learns.
        opponent: a fixed opponent, or a machine, which learns as well.
        games: the number of games to play, 1 or more.
        before: the number of games already played in the run, for a fixed opponent that changes during a run.

    Raises:
        InvalidPlayer: if there is no such opponent.

    >>> ruin_risk(Machine("michie-1961", "X"), "random", games=10)
    RuinRisk(trials=500, ruined=0, games=10)
    """
    trials, games = min(TRIALS, MOVES_IN_ALL // machine.positions.move_count), min(games, GAMES_TRIED)
    if trials < TRIALS_FEWEST or not can_be_ruined(machine):
        return None
    law = next(sampled_laws(machine, opponent, [games], trials, before, rival_learns=True))
    return RuinRisk(trials, round(law.ruined(machine) * trials), games)


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
