"""Compute learning curves of strength and of outcomes, tables of exact strength, and films of practice games."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from menace.analysis.groups import Estimate, Facts, estimate, factor_columns, facts_about, grouped
from menace.arena.exact_strength import Strength, strength_meter
from menace.arena.play import Arena, raw_numbers
from menace.arena.run_schedule import ONE_TWO_FIVE, Marks
from menace.errors import OutputError
from menace.files.tables import Table, Tabular
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.learners.registry import DEFAULT_PRESET
from menace.ledger.learners import load_machine
from menace.ledger.log.blocks import list_lessons, read_log
from menace.ledger.positions import positions_of
from menace.ledger.store import BlockRow, LearnerRow, Store
from menace.ledger.training import POLICIES, measure, shown_marks
from menace.text.wording import MEASURES, OPPONENTS, RESULTS, Measure, command_text, counted, percent

Points: TypeAlias = list[tuple[int, float]]  # pairs of a number of games and a probability, score or value
Counts: TypeAlias = tuple[int, int, int]  # numbers of X wins, draws and O wins

MAX_POINTS = 60  # maximum number of points on a curve; longer curves are thinned out
# The last step has at least this many games and at least this share of all games. A narrower step would be too small to
# see in a figure.
FEWEST, MIN_STEP_SHARE = 20, 0.1


def no_games(db: str, name: str) -> OutputError:
    """Return the error to raise for a learner that has no games to plot.

    >>> print(no_games("menace.db", "novice"))
    machine novice has no games to plot yet; run `menace train novice --against=random`
    """
    training = command_text("train", name, db=db, against="random")
    return OutputError(f"machine {name} has no games to plot yet; run `{training}`")


# The following functions return learners' measured strength.


@dataclass(frozen=True)
class Curve(Tabular):
    """A learner's exact strength after each of several numbers of games.

    Attributes:
        name: the name of the learner.
        policy: the policy that was measured.
        points: the strength, keyed by number of games and then by opponent (`random`, `optimal` or `best_response`).
        facts: facts about the learner, or None if these facts were not requested.

    >>> curve = db["menace-x"].curve()
    >>> for games, opponent, win, draw, loss in curve.rows()[-3:]:
    ...     print(f"after {games} games against {opponent}: wins {win:.1%}, losses {loss:.1%}")
    after 100 games against best_response: wins 1.3%, losses 93.5%
    after 100 games against optimal: wins 0.0%, losses 85.4%
    after 100 games against random: wins 70.9%, losses 18.4%
    """

    name: str
    policy: PolicyName
    points: Mapping[int, Mapping[str, Strength]]
    facts: Facts | None = None

    def __len__(self) -> int:
        return len(self.points)

    @property
    def marks(self) -> Collection[int]:
        """The numbers of games after which the learner was measured."""
        return self.points.keys()

    def against(self, opponent: str, measure: Measure | Literal["value"] = "value") -> Points:
        """Return pairs of a number of games and the learner's strength against an opponent, in the given measure.

        >>> [(games, round(lost, 3)) for games, lost in db["menace-x"].curve().against("optimal", "losses")][:3]
        [(0, 0.764), (1, 0.77), (2, 0.769)]
        """
        return [
            (games, measured(strengths[opponent], measure))
            for games, strengths in self.points.items()
            if opponent in strengths
        ]

    def rows(self) -> list[tuple[Any, ...]]:
        """Return rows with the number of games, the opponent, and the probabilities of a win, a draw and a loss."""
        return [
            (games, opponent, *strength)
            for games, strengths in self.points.items()
            for opponent, strength in strengths.items()
        ]

    def table(self) -> Table:
        """Return the rows as a table with the columns games, opponent, win, draw and loss."""
        return Table(["games", "opponent", *Strength._fields], self.rows())

    def in_words(self) -> Table:
        """Return a human-readable table of the share of games lost to each opponent after each number of games."""
        rows = [
            (f"{games:,}", *(percent(strengths[opponent].loss).strip() for opponent in OPPONENTS))
            for games, strengths in self.points.items()
        ]
        title = f"{self.name} ({self.policy}): {MEASURES['losses']}"
        return Table(("games", *OPPONENTS.values()), rows, title)

    def __repr__(self) -> str:
        if not self.points:
            return f"<{self.name}: not measured yet>"
        games, strengths = list(self.points.items())[-1]
        losses = ", ".join(
            f"{percent(strengths[opponent].loss).strip()} {words}" for opponent, words in OPPONENTS.items()
        )
        return f"<{self.name} ({self.policy}): after {counted(games, 'game')}: {MEASURES['losses']} {losses}>"


def measured(strength: Strength, measure: Measure | Literal["value"]) -> float:
    """Return a measure of the given strength. `value` ranges from -1 to 1, and all other measures range from 0 to 1.

    >>> measured(Strength(win=0.5, draw=0.2, loss=0.3), "losses"), measured(Strength(0.5, 0.2, 0.3), "score")
    (0.3, 0.6)
    """
    if measure == "value":
        return strength.value
    if measure == "score":
        return strength.win + strength.draw / 2
    return dict(zip(RESULTS, strength, strict=True))[measure]


def curve_of(store: Store, row: LearnerRow, policy: PolicyName, marks: Sequence[int] | None = None) -> Curve:
    """Return a learner's measured strength, using the last measurement for each number of games.

    Args:
        store: the database.
        row: the row of the learner.
        policy: the policy that was measured.
        marks: the numbers of games to include; None includes all.

    >>> curve = curve_of(store, store.learner("menace-x"), "greedy")
    >>> list(curve.points)
    [0, 1, 2, 5, 10, 20, 50, 100]
    """
    evaluations = (
        store.evaluations_of(row.learner_id, policy)
        if marks is None
        else store.evaluations_by(row.learner_id, policy, marks)
    )
    gone = {run.options.takes_back for run in store.runs_of_kind("forget")}
    points: dict[int, dict[str, Strength]] = {}
    for at in evaluations:
        if at.block_id not in gone:
            points.setdefault(at.learner_games, {})[at.opponent] = Strength(at.win, at.draw, at.loss)
    return Curve(row.name, policy, dict(sorted(points.items())))


def thinned_curve(store: Store, row: LearnerRow, policy: PolicyName) -> Curve:
    """Return the same curve as `curve_of`, but reduce a long curve to its end points and the points at `shown_marks`.

    The size of the result and the computing time do not grow with the number of measurements.

    >>> row = store.learner("menace-x")
    >>> thinned_curve(store, row, "greedy") == curve_of(store, row, "greedy")
    True
    """
    marks = store.games_measured(row.learner_id, MAX_POINTS + 1)
    if len(marks) > MAX_POINTS:
        marks = shown_marks(marks[0], row.games)
    return curve_of(store, row, policy, marks)


def strengths_of(store: Store, names: Sequence[str], policy: PolicyName = "behaviour") -> list[Curve]:
    """Return the measured strength of learners, with facts about each learner. Learners without games are omitted.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if none of the learners has games.

    >>> [(curve.name, list(curve.points)) for curve in strengths_of(store, ["menace-x"])]
    [('menace-x', [0, 1, 2, 5, 10, 20, 50, 100])]
    """
    with store.copied() as copy:
        curves = [curve_of(copy, copy.learner(name), policy) for name in names]
        measured = [curve for curve in curves if curve.points]
        if not measured:
            raise no_games(store.path, names[0])
        return with_facts(copy, measured)


def with_facts(store: Store, curves: Iterable[Curve]) -> list[Curve]:
    """Return copies of the curves that include facts about the learners."""
    curves = list(curves)
    facts = facts_about(store, [curve.name for curve in curves])
    return [replace(curve, facts=known) for curve, known in zip(curves, facts, strict=True)]


# The following functions count the outcomes of learners' games.


@dataclass(frozen=True)
class OutcomeStep:
    """A step of an outcome curve, which counts the outcomes of some consecutive games of a learner.

    Attributes:
        first, last: the numbers of the first and last game, counted from the first game that the learner learned from.
        counts: the numbers of X wins, draws and O wins, summed over all learners.

    >>> OutcomeStep(1, 100, (60, 30, 10)).shares
    (0.6, 0.3, 0.1)
    """

    first: int
    last: int
    counts: Counts

    @property
    def games(self) -> int:
        """The number of games that each learner played in this step."""
        return self.last - self.first + 1

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts divided by their sum, from 0 to 1."""
        return tuple(count / sum(self.counts) for count in self.counts)


@dataclass(frozen=True)
class OutcomeCurve:
    """The outcomes of a learner's games, step by step.

    Attributes:
        name: the name of the learner.
        steps: the steps from the learner's first game to its last.
        facts: facts about the learner.
    """

    name: str
    steps: tuple[OutcomeStep, ...]
    facts: Facts | None = None

    @property
    def marks(self) -> Collection[int]:
        """The number of the last game in each step."""
        return [step.last for step in self.steps]


def pooled(curves: Sequence[OutcomeCurve]) -> tuple[OutcomeStep, ...]:
    """Sum the outcomes of several learners. A pooled step ends only where every learner has a step that ends.

    >>> first, second = OutcomeStep(1, 10, (6, 3, 1)), OutcomeStep(11, 20, (5, 5, 0))
    >>> pooled([OutcomeCurve("a", (first, second)), OutcomeCurve("b", (OutcomeStep(1, 20, (12, 6, 2)),))])
    (OutcomeStep(first=1, last=20, counts=(23, 14, 3)),)
    """
    marks = sorted(set(curves[0].marks).intersection(*(curve.marks for curve in curves)))
    steps = []
    for before, last in zip([0, *marks], marks, strict=False):
        within = (step.counts for curve in curves for step in curve.steps if before < step.last <= last)
        x, draws, o = map(sum, zip(*within, strict=True))
        steps.append(OutcomeStep(before + 1, last, (x, draws, o)))
    return tuple(steps)


def outcome_steps(store: Store, names: Sequence[str]) -> dict[str, tuple[OutcomeStep, ...]]:
    """Return the outcomes of all games that learners learned from, against all opponents, in steps between marks.

    The outcomes for a copied learner begin with the games of its original. A short last step is merged into the step
    before it (see `merge_short_last_step`).

    Raises:
        UnknownLearner: if there is no such learner.

    >>> outcome_steps(store, ["menace-x"])["menace-x"][-1]
    OutcomeStep(first=51, last=100, counts=(24, 15, 11))
    """
    with store.copied() as copy:
        log = read_log(copy)
        lessons = {name: list_lessons(log, copy.learner(name).learner_id) for name in names}
    steps_by_name = {name: merge_short_last_step(tuple(steps_of(blocks))) for name, blocks in lessons.items()}
    for name, steps in steps_by_name.items():
        if not steps:
            raise no_games(store.path, name)
    return steps_by_name


def steps_of(blocks: Iterable[BlockRow], marks: Marks = ONE_TWO_FIVE) -> Iterator[OutcomeStep]:
    """Group consecutive blocks into steps, and yield each step's outcomes.

    A step ends with the block that reaches or passes a mark.

    Figures use the default marks instead of the runs' own marks, because shares of very few games are mostly noise.

    >>> [(step.first, step.last) for step in steps_of(store.blocks())]
    [(1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, 50), (51, 100)]
    """
    first, games, counts = 1, 0, (0, 0, 0)
    for block in blocks:
        games += block.games
        counts = (counts[0] + block.x_wins, counts[1] + block.draws, counts[2] + block.o_wins)
        mark = marks.next(first - 1)
        if mark is not None and games >= mark:
            yield OutcomeStep(first, games, counts)
            first, counts = games + 1, (0, 0, 0)
    if any(counts):
        yield OutcomeStep(first, games, counts)


def merge_short_last_step(steps: tuple[OutcomeStep, ...]) -> tuple[OutcomeStep, ...]:
    """Merge the last step into the step before it if the last step is short.

    The last step is short if it has fewer than FEWEST games, or less than MIN_STEP_SHARE of all games.

    >>> merge_short_last_step((OutcomeStep(1, 100, (60, 30, 10)), OutcomeStep(101, 101, (0, 0, 1))))
    (OutcomeStep(first=1, last=101, counts=(60, 30, 11)),)
    """
    if not steps[1:] or steps[-1].games >= max(FEWEST, MIN_STEP_SHARE * steps[-1].last):
        return steps
    *earlier, before, few = steps
    (x, draws, o), (more_x, more_draws, more_o) = before.counts, few.counts
    return (*earlier, OutcomeStep(before.first, few.last, (x + more_x, draws + more_draws, o + more_o)))


GROUP_COLUMNS = ("games", "games_most", "policy", "opponent", "measure", *Estimate._fields)


def group_strengths(store: Store, names: Sequence[str], by: Sequence[str] = ()) -> Table:
    """Return the current exact strength of groups of learners, in rows sorted by policy, group, opponent and result.

    The columns that distinguish the groups are followed by GROUP_COLUMNS. GROUP_COLUMNS are the smallest and largest
    numbers of games that the group's learners have learned from, the policy, the opponent, the result, its probability,
    and the interval.

    Args:
        store: the database.
        names: the names of learners.
        by: the factors that the learners of a group share (see `groups.grouped`). If empty, three or more learners that
            differ only by chance and have learned from the same number of games form a group, and every other learner
            forms a group of one.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidSetting: if no learner has a factor with the given name.

    >>> table = group_strengths(store, ["menace-x", "menace-o"])
    >>> table.columns[:3], len(table.rows)
    (('machines', 'plays', 'games'), 36)
    >>> [table.rows[0][place] for place in (0, 1, 2, 4, 5, 6)], round(table.rows[0][7], 3)
    (['menace-x', 'X', 100, 'behaviour', 'random', 'wins'], 0.709)
    """
    with store.copied() as copy:
        positions = positions_of(copy)
        machines = [load_machine(copy, positions, copy.learner(name)) for name in names]
        by_policy = [
            with_facts(copy, [Curve(m.name, policy, {m.learned.games: measure(m.policy(policy))}) for m in machines])
            for policy in POLICIES
        ]
    groups = [group for curves in by_policy for group in grouped(curves, by, marks=0 if by else 1)]
    columns, cells = factor_columns(groups, by)
    rows = []
    for group, own in zip(groups, cells, strict=True):
        games = [mark for curve in group for mark in curve.marks]
        for opponent in OPPONENTS:
            scores = np.array([strengths[opponent] for curve in group for strengths in curve.points.values()]).T
            for result, shares in zip(RESULTS, map(estimate, scores), strict=True):
                rows.append((*own, min(games), max(games), group[0].policy, opponent, result, *shares))
    return Table((*columns, *GROUP_COLUMNS), rows)


GAMES = 10_000
SEED = 1
FRAMES = Marks.parse("log:12")


@dataclass(frozen=True)
class Frame:
    """A machine after a number of games, with its probability of losing to a random player at that point."""

    games: int
    machine: Machine
    loss: float


@lru_cache(maxsize=4)
def practice_film(positions: Positions) -> tuple[Frame, ...]:
    """Return the frames of a film in which a new machine plays the side that can learn to win.

    >>> from menace.games.enumeration import tictactoe
    >>> film = practice_film(tictactoe())
    >>> film[0].games, film[-1].games, round(film[0].loss, 2), film[-1].loss < 0.1
    (0, 10000, 0.27, True)
    """
    return film_of(Machine(DEFAULT_PRESET, positions.winner or Side.X, positions))


def film_of(original: Machine) -> tuple[Frame, ...]:
    """Return the frames of a film in which a copy of a machine plays against a new machine that also learns."""
    positions, machine = original.positions, original.copy()
    arena, stream = Arena(positions), raw_numbers(SEED, 0)
    pair = machine.plays.x_and_o(machine, Machine(DEFAULT_PRESET, machine.plays.other, positions))
    meter = strength_meter(positions, machine.side)
    frames: list[Frame] = []
    for mark in FRAMES.list_up_to(GAMES):
        games = mark - (frames[-1].games if frames else 0)
        if games:
            x, o = (arena.kernel_player(player) for player in pair)
            arena.play(x, o, stream, games, math.inf)
            for player in pair:
                player.learned.games += games
        frames.append(Frame(mark, machine.copy(), meter.measure(machine).random.loss))
    return tuple(frames)
