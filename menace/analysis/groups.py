"""Groups of learners with common settings, and statistics over their seeds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from menace.arena.run_schedule import ONE_TWO_FIVE
from menace.errors import InvalidSetting
from menace.games.base import Side
from menace.learners.registry import PRESETS
from menace.learners.settings import show
from menace.ledger.learners import settings_of
from menace.ledger.store import HUMAN, NOBODY, LearnerRow, Run, Store

MIN_FAMILY = 3  # minimum number of learners that form a group if they differ only by chance
FACTORS = ("plays", "preset", "against")  # each setting is also a factor
MIN_MARKS = 2  # minimum number of marks that the learners of a group must share
ELSEWHERE = "taught elsewhere"  # the teacher of an imported machine is unknown
COPIED = "copy of "  # followed by the learner's name
MAX_NAME_LENGTH, MAX_LISTED_NAMES = 28, 4  # limits for a group's name


@dataclass(frozen=True)
class Facts:
    """A learner's settings and teachers as text.

    Attributes:
        side: `X` or `O`.
        preset: the preset that supplies its settings.
        settings: all its settings, as text.
        own: the settings that differ from those of the preset.
        taught: the learner's teachers in order, such as `trained against random, then perfect`.
        kin: a key shared by all learners with the same side, algorithm, settings and teachers. Such learners differ
            only by name and chance.
    """

    side: Side
    preset: str
    settings: Mapping[str, str]
    own: frozenset[str]
    taught: str
    kin: tuple[Any, ...]

    def factor(self, name: str) -> str | None:
        """Return the value of a factor: `plays`, `preset`, `against` or a setting; None if there is no such setting.

        >>> (facts,) = facts_about(store, ["menace-x"])
        >>> facts.factor("beads"), facts.factor("plays"), facts.factor("alpha")
        ('4,3,2,1', 'X', None)
        """
        return {"plays": self.side, "preset": self.preset, "against": self.taught}.get(name, self.settings.get(name))


class Named(Protocol):
    """An object that belongs to one learner."""

    @property
    def name(self) -> str:
        """The learner's name."""

    @property
    def facts(self) -> Facts | None:
        """Facts about the learner, or None if these facts were not requested."""

    @property
    def marks(self) -> Collection[int]:
        """The numbers of games after which the learner was measured."""


Member = TypeVar("Member", bound=Named)


def facts_about(store: Store, names: Sequence[str]) -> list[Facts]:
    """Return facts about learners, read in one short transaction. The facts do not include strength.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> [(facts.side, facts.preset) for facts in facts_about(store, ["menace-x", "menace-o"])]
    [('X', 'menace'), ('O', 'menace')]
    """
    with store.snapshot():
        rows = {row.learner_id: row for row in store.learners_and_deleted()}
        learners, runs = [store.learner(name) for name in names], store.runs()
    return [facts_of(learner, runs, rows) for learner in learners]


def facts_of(learner: LearnerRow, runs: Sequence[Run], rows: Mapping[int, LearnerRow]) -> Facts:
    """Return facts about a learner: its side, its settings and its teachers.

    Args:
        learner: the row of the learner.
        runs: the runs of the database, oldest first.
        rows: all learners by id.

    >>> rows = {row.learner_id: row for row in store.learners()}
    >>> facts = facts_of(rows[1], store.runs(), rows)
    >>> facts.side, facts.preset, facts.settings["beads"], sorted(facts.own), facts.taught
    ('X', 'menace', '4,3,2,1', [], 'trained against menace')
    """
    settings = {name: show(value) for name, value in asdict(settings_of(learner)).items()}
    preset = PRESETS.get(learner.preset)
    published = {} if preset is None else {name: show(value) for name, value in asdict(preset.settings).items()}
    own = frozenset(name for name, text in settings.items() if published.get(name) != text)
    taught: list[str] = []
    kin: list[Any] = []
    for run in runs:
        if learner.learner_id in run.taught:
            seats = (run.x_learner_id, run.x_player), (run.o_learner_id, run.o_player)
            _, (opponent_id, text) = learner.plays.x_and_o(*seats)
            opponent = text if opponent_id is None else (rows[opponent_id].algorithm, rows[opponent_id].settings)
            # All runs are given the same marks here, because measuring a learner does not change the learner. Every
            # imported learner has its own key, because its teachers are unknown.
            unlike = learner.learner_id if run.options.imported is not None else None
            kin.append(
                (unlike, run.kind, opponent, run.x_learns, run.o_learns, replace(run.options, marks=ONE_TWO_FIVE))
            )
            taught += _origin_or_teacher(run, text if opponent_id is None else rows[opponent_id].preset, rows)
    family = (learner.plays, learner.algorithm, learner.settings, tuple(kin))
    return Facts(learner.plays, learner.preset, settings, own, _taught_text(taught), family)


def _taught_text(taught: Sequence[str]) -> str:
    """Return a learner's teachers, without consecutive repeats, as in `trained against random, then perfect`."""
    in_turn = [text for text, before in zip(taught, [None, *taught], strict=False) if text != before]
    trained = next((place for place, text in enumerate(in_turn) if not text.startswith((COPIED, ELSEWHERE))), None)
    return ", then ".join(f"trained against {text}" if place == trained else text for place, text in enumerate(in_turn))


def _origin_or_teacher(run: Run, opponent: str, rows: Mapping[int, LearnerRow]) -> Iterator[str]:
    origin = run.options.copied_from
    if origin is not None:
        yield f"{COPIED}{rows[origin].name}"
    elif run.options.imported is not None:
        yield ELSEWHERE
    elif opponent != NOBODY:
        phases = ",".join(f"{phase.games}:{phase.x:g}:{phase.o:g}" for phase in run.options.phases)
        yield ("a person" if opponent == HUMAN else opponent) + (f" in phases {phases}" if phases else "")


def each(members: Sequence[Member]) -> list[list[Member]]:
    """Put each learner into a separate group."""
    return [[member] for member in members]


def grouped(members: Sequence[Member], by: Sequence[str] = (), marks: int = MIN_MARKS) -> list[list[Member]]:
    """Group learners by common factors, and split any group whose learners share too few marks.

    Args:
        members: one object per learner, with facts about that learner.
        by: the factors, in addition to the side, that the members of a group share (see `Facts.factor`). If empty,
            MIN_FAMILY or more learners that differ only by name and chance form a group, and every other learner forms
            a group of one.
        marks: the minimum number of marks that the members of a group must share.

    Raises:
        InvalidSetting: if no learner has a factor with the given name.

    >>> from menace.analysis.learning_curves import strengths_of
    >>> from dataclasses import replace
    >>> (curve,) = strengths_of(store, ["menace-x"])
    >>> [group_name(group) for group in grouped([replace(curve, name=name) for name in "abc"])]
    ['a, b, c: median of 3']
    >>> [group_name(group) for group in grouped([replace(curve, name=name) for name in "ab"])]
    ['a', 'b']
    >>> [group_name(group, ["win"]) for group in grouped([replace(curve, name=name) for name in "ab"], ["win"])]
    ['win=3: median of 2']
    """
    facts = [member.facts for member in members if member.facts is not None]
    for name in by:
        if all(known.factor(name) is None for known in facts):
            there = dict.fromkeys(setting for known in facts for setting in known.settings)
            raise InvalidSetting(f"no machine here has the factor {name!r}; group by {', '.join([*FACTORS, *there])}")
    by_key: dict[object, list[Member]] = {}
    for member in members:
        known = member.facts
        key = known and ((known.side, *map(known.factor, by)) if by else known.kin)
        by_key.setdefault(key, []).append(member)
    groups = []
    for group in by_key.values():
        common = set(group[0].marks).intersection(*(member.marks for member in group))
        groups += [group] if len(group) >= (1 if by else MIN_FAMILY) and len(common) >= marks else each(group)
    return groups


def factors_of(
    groups: Sequence[Sequence[Facts]], by: Sequence[str] = ()
) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the factors shared by all learners and, for each group, the additional factors shared by its learners.

    A setting is omitted if every learner uses its preset's value, unless `by` names the setting.

    >>> (facts,) = facts_about(store, ["menace-x"])
    >>> factors_of([[facts], [replace(facts, side=Side.O)]], ["win"])[0]
    {'preset': 'menace', 'win': '3', 'against': 'trained against menace'}
    >>> factors_of([[facts], [replace(facts, side=Side.O)]], ["win"])[1]
    [{'plays': 'X'}, {'plays': 'O'}]
    """
    changed: dict[str, set[str]] = {}
    for facts in chain.from_iterable(groups):
        changed.setdefault(facts.preset, {*by}).update(facts.own)
    within = [_common([_factors(facts, changed[facts.preset]) for facts in group]) for group in groups]
    shared = _common(within)
    return shared, [{name: text for name, text in own.items() if name not in shared} for own in within]


def factor_columns(
    groups: Sequence[Sequence[Named]], by: Sequence[str] = ()
) -> tuple[tuple[str, ...], list[tuple[str | None, ...]]]:
    """Return the columns that distinguish the groups and, for each group, a row with its learners and column values.

    >>> from menace.analysis.learning_curves import strengths_of
    >>> factor_columns(each(strengths_of(store, ["menace-x", "menace-o"])), ["win"])
    (('machines', 'win', 'plays'), [('menace-x', '3', 'X'), ('menace-o', '3', 'O')])
    """
    shared, differing = factors_of([[member.facts for member in group if member.facts] for group in groups], by)
    names = tuple(dict.fromkeys(chain(by, *differing)))
    cells = [tuple((shared | factors).get(name) for name in names) for factors in differing]
    return ("machines", *names), [(group_text(group), *own) for group, own in zip(groups, cells, strict=True)]


def _factors(facts: Facts, settings: Collection[str]) -> dict[str, str]:
    chosen = {name: text for name, text in facts.settings.items() if name in settings}
    factors = {"plays": facts.side, "preset": facts.preset, **chosen, "against": facts.taught}
    return {name: str(text) for name, text in factors.items() if text}


def _common(factors: Sequence[dict[str, str]]) -> dict[str, str]:
    return {name: text for name, text in factors[0].items() if all(own.get(name) == text for own in factors)}


def group_name(group: Sequence[Named], by: Sequence[str] = (), what: str = "median") -> str:
    """Name a group after its only learner or its grouping values, or with a list such as `m1, m2, … m5: median of 5`.

    Args:
        group: the members of the group.
        by: the factors by which the learners were grouped.
        what: the statistic that is shown for the group.

    >>> from menace.analysis.learning_curves import Curve
    >>> group_name([Curve(f"m{number}", "behaviour", {}) for number in range(1, 6)])
    'm1, m2, … m5: median of 5'
    """
    if len(group) == 1:
        return group[0].name
    facts = group[0].facts
    values = [f"{name}={facts.factor(name)}" for name in by] if facts else []
    return f"{', '.join(values) or group_text(group)}: {what} of {len(group)}"


def group_text(group: Sequence[Named]) -> str:
    """List the names of a group's learners: all names if there are few, otherwise the first two and the last."""
    names = [member.name for member in group]
    if len(names) == 1:
        return names[0]
    short = [name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…" for name in names]
    return ", ".join(short) if len(short) <= MAX_LISTED_NAMES else f"{short[0]}, {short[1]}, … {short[-1]}"


RESAMPLES = 1_000
AT_ONCE = 2**20  # maximum number of resampled scores in one array
LEVEL = 0.95


class Estimate(NamedTuple):
    """A statistic over `n` seeds, with its 95% percentile bootstrap interval or its quartiles (`low` and `high`)."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}, n = {self.n:,})"


def interquartile_mean(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean along the last axis after removing a quarter of the seeds (rounded down) at each end.

    >>> float(interquartile_mean(np.array([0.0, 1.0, 2.0, 300.0])))
    1.5
    """
    count = scores.shape[-1]
    cut = count // 4
    parted = np.partition(scores, [cut, count - cut - 1], axis=-1) if cut else scores
    middle: NDArray[np.float64] = parted[..., cut : count - cut].mean(axis=-1)
    return middle


def estimate(
    scores: NDArray[Any], statistic: Callable[[NDArray[Any]], NDArray[Any]] = interquartile_mean, seed: int = 0
) -> Estimate:
    """Return a statistic over seeds, with a bootstrap interval computed from RESAMPLES resamples of the seeds.

    Args:
        scores: the scores, as an array [seeds].
        statistic: a function that reduces the last axis of an array.
        seed: the random seed for resampling. The same scores and seed always give the same interval.

    >>> round(estimate(np.arange(100.0)).value, 1)
    49.5
    """
    generator, rows = np.random.default_rng(seed), max(1, AT_ONCE // len(scores))
    sizes = [min(rows, RESAMPLES - start) for start in range(0, RESAMPLES, rows)]
    resampled = [statistic(scores[generator.integers(0, len(scores), (size, len(scores)))]) for size in sizes]
    low, high = np.quantile(np.concatenate(resampled), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(statistic(scores)), float(low), float(high), len(scores))


def middle_half(scores: NDArray[Any]) -> tuple[Estimate, ...]:
    """Return the median of the scores at each mark, with the lower and upper quartiles.

    Quartiles are interpolated linearly between scores (R's default, type 7).

    Args:
        scores: the scores, as an array [marks, machines].

    >>> middle_half(np.array([[0.0, 0.1, 0.4, 0.8, 1.0]]))
    (Estimate(value=0.4, low=0.1, high=0.8, n=5),)
    """
    lower, middle, upper = np.quantile(scores, [0.25, 0.5, 0.75], axis=-1).tolist()
    return tuple(Estimate(*numbers, scores.shape[-1]) for numbers in zip(middle, lower, upper, strict=True))


def intervals(scores: NDArray[Any]) -> tuple[Estimate, ...]:
    """Return the interquartile mean at each mark with its bootstrap interval."""
    return tuple(map(estimate, scores))


def probability_above(scores: NDArray[Any], others: NDArray[Any]) -> float:
    """Return the probability that a score exceeds one of `others`; a tie counts as half (Mann-Whitney U as a share).

    >>> probability_above(np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    0.875
    """
    ordered = np.sort(others)
    below, not_above = (np.searchsorted(ordered, scores, side) for side in ("left", "right"))
    return float((below + not_above).mean() / 2 / len(others))


def mean(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean along the last axis."""
    return np.asarray(scores.mean(axis=-1))


@dataclass(frozen=True)
class Group:
    """A group of machines that a figure shows as a single curve.

    Attributes:
        factors: the factors that all the machines share, by name.
        games: the numbers of games, as an array [marks].
        scores: the scores, as an array [marks, machines].
        estimates: for each mark, the median with the quartiles, or the interquartile mean with its interval.
    """

    factors: dict[str, Any]
    games: tuple[int, ...]
    scores: NDArray[np.float64]
    estimates: tuple[Estimate, ...]

    @property
    def label(self) -> str:
        """The names and values of the factors on one line."""
        return ", ".join(f"{name}={value}" for name, value in self.factors.items()) or "all machines"

    def rows(self, *cells: object) -> list[tuple[object, ...]]:
        """Return one row per mark: `cells`, followed by the number of games and the estimate."""
        return [(*cells, games, *numbers) for games, numbers in zip(self.games, self.estimates, strict=True)]

    @classmethod
    def of(
        cls,
        curves: Sequence[Sequence[tuple[int, float]]],
        factors: Mapping[str, Any] = MappingProxyType({}),
        statistic: Callable[[NDArray[Any]], tuple[Estimate, ...]] = middle_half,
    ) -> Self:
        """Combine machines into a group.

        The group contains only the marks at which all machines were measured. If a machine has two points at the same
        mark, the later point is used. A group of one machine keeps all its points.

        Args:
            curves: for each of one or more machines, pairs of a number of games and the score after it.
            factors: the factors that all the machines share.
            statistic: the statistic for each mark, `middle_half` or `intervals`.

        >>> group = Group.of([[(0, 0.5), (10, 0.25)], [(0, 0.5), (10, 0.75), (20, 1.0)]])
        >>> group.games, group.estimates[1][:3]
        ((0, 10), (0.5, 0.375, 0.625))
        """
        if len(curves) > 1:
            by_games = [dict(curve) for curve in curves]
            marks = [games for games in by_games[0] if all(games in curve for curve in by_games)]
            curves = [[(games, curve[games]) for games in marks] for curve in by_games]
        scores = np.array([[score for _, score in curve] for curve in curves], np.float64).T
        return cls(dict(factors), tuple(games for games, _ in curves[0]), scores, statistic(scores))
