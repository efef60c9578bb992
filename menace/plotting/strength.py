"""How strong learners become: exact probabilities by games, as measured at the marks of their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, TypeAlias

from menace.arena.evaluation import Strength
from menace.learners.policy import PolicyKind
from menace.ledger.store import Store, blocks_taken_back, undamaged
from menace.plotting.axes import GAMES_LABEL, Scale, games_axis, to_percent
from menace.plotting.legend import (
    BAND_FEWEST,
    LINE_INCHES,
    Facts,
    Legend,
    draw_legend,
    facts_of,
    legend_columns,
    legend_of,
)
from menace.plotting.style import SIZE, line_style, new_figure, no_games, shown, styled
from menace.wording import OPPONENTS, RESULTS, Measure, counted, measure_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve: TypeAlias = dict[int, float]  # by games learned from: a probability, or a score, 0 to 1

POLICIES: dict[PolicyKind, str] = {
    "behaviour": "as they train (policy: behaviour)",
    "greedy": "at their best (policy: greedy)",
}
NAME_MOST, LISTED_MOST = 28, 4  # characters of a name, and names, in the legend of a group


@dataclass(frozen=True)
class Measured:
    """What the database says of a learner's strength.

    Attributes:
        strength: by opponent, then by games learned from; the latest, where it was measured twice.
        kin: equal for learners that differ by name and chance alone: same side, algorithm and settings, taught alike.
        facts: what it is, for the legend; None leaves its name.

    >>> learner = measured_strength(store, ["menace-x"])[0]
    >>> {games: round(lost, 3) for games, lost in learner.curve("optimal", "losses").items()}
    {0: 0.764, 1: 0.77, 2: 0.769, 5: 0.764, 10: 0.671, 20: 0.701, 50: 0.794, 100: 0.854}
    """

    name: str
    strength: Mapping[str, Mapping[int, Strength]]
    kin: tuple[Any, ...]
    facts: Facts | None = None

    def curve(self, opponent: str, measure: Measure) -> Curve:
        """Return one number of its strength by games."""
        return {games: measured(found, measure) for games, found in sorted(self.strength[opponent].items())}


def measured(strength: Strength, measure: Measure) -> float:
    """Return what is asked for, 0 to 1.

    >>> measured(Strength(win=0.5, draw=0.2, loss=0.3), "losses"), measured(Strength(0.5, 0.2, 0.3), "score")
    (0.3, 0.6)
    """
    if measure == "score":
        return strength.win + strength.draw / 2
    return dict(zip(RESULTS, strength, strict=True))[measure]


def measured_strength(store: Store, names: Sequence[str], policy: PolicyKind = "behaviour") -> list[Measured]:
    """Return the measured strength of learners.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if one was never measured: it has no run.

    >>> [(learner.name, list(learner.strength["random"])) for learner in measured_strength(store, ["menace-x"])]
    [('menace-x', [0, 1, 2, 5, 10, 20, 50, 100])]
    """
    with store.copied() as copy:
        rows = {row.learner_id: row for row in copy.learners_ever()}
        wanted = [copy.learner(name) for name in names]
        runs, evaluations = copy.runs(), copy.evaluations()
    found: dict[int, dict[str, dict[int, Strength]]] = {}
    with undamaged(store.path):
        gone = blocks_taken_back(runs)
    for row in evaluations:
        if row.policy == policy and row.block_id not in gone:
            curves = found.setdefault(row.learner_id, {opponent: {} for opponent in OPPONENTS})
            curves[row.opponent][row.learner_games] = Strength(row.win, row.draw, row.loss)
    for learner in wanted:
        if learner.learner_id not in found:
            raise no_games(store.path, learner.name)
    with undamaged(store.path):
        facts = [facts_of(learner, runs, rows) for learner in wanted]
    return [
        Measured(learner.name, found[learner.learner_id], one.kin, one)
        for learner, one in zip(wanted, facts, strict=True)
    ]


def facts_about(store: Store, names: Sequence[str]) -> list[Facts]:
    """Return what is known of learners besides their strength, in a short read.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> [(facts.side, facts.preset) for facts in facts_about(store, ["menace-x", "menace-o"])]
    [('X', 'menace'), ('O', 'menace')]
    """
    with store.snapshot():
        rows = {row.learner_id: row for row in store.learners_ever()}
        wanted, runs = [store.learner(name) for name in names], store.runs()
    with undamaged(store.path):
        return [facts_of(learner, runs, rows) for learner in wanted]


def each(found: Sequence[Measured]) -> list[list[Measured]]:
    """Return every learner as a group of its own."""
    return [[learner] for learner in found]


def kin(found: Sequence[Measured]) -> list[list[Measured]]:
    """Return learners that differ by name and chance alone together, where they are BAND_FEWEST; others each alone.

    A median needs games after which all of a group were measured: with fewer than two such marks they stay alone.

    >>> best = {"best": {0: Strength(0, 0, 1), 100: Strength(0, 1, 0)}}
    >>> found = [Measured("a", best, ()), Measured("b", best, ()), Measured("c", best, ())]
    >>> [group_name(group) for group in kin(found)], [group_name(group) for group in kin(found[:2])]
    (['a, b, c: median of 3'], ['a', 'b'])
    """
    families: dict[tuple[Any, ...], list[Measured]] = {}
    for learner in found:
        families.setdefault(learner.kin, []).append(learner)
    groups = []
    for family in families.values():
        whole = len(family) >= BAND_FEWEST and len(_common([learner.strength["best"] for learner in family])) > 1
        groups += [family] if whole else each(family)
    return groups


def _common(curves: Sequence[Mapping[int, object]]) -> list[int]:
    return sorted(set(curves[0]).intersection(*curves[1:]))


def strength_figure(
    groups: Sequence[Sequence[Measured]],
    measure: Measure = "losses",
    opponents: Sequence[str] = tuple(OPPONENTS),
    policy: PolicyKind = "behaviour",
    scale: Scale = "log",
    draws: bool = True,
) -> Figure:
    """Return a panel an opponent: a line for each learner alone; for each group the median, and bands.

    The bands hold half of the group (between its quartiles) and all of it: shares are bounded and rarely normal, so an
    interval of their mean would be wrong.

    Args:
        groups: of learners, as `each` and `kin` return them.
        measure: what is plotted.
        opponents: `random`, `optimal`, `best`.
        policy: which the strength is of; for the title.
        scale: of the axis of games.
        draws: whether the game has any.
    """
    last = max(games for group in groups for learner in group for games in learner.strength["best"])
    first = min(games for group in groups for learner in group for games in learner.strength["best"])
    with styled():
        legend = _legend(groups)
        legend_lines = -(-len(groups) // legend_columns(legend.labels, SIZE[0])) + bool(legend.caption)
        size = (SIZE[0], SIZE[1] + LINE_INCHES * max(0, legend_lines - 3))
        figure, panels = new_figure(1, len(opponents), size, sharex=True, sharey=True)
        figure.suptitle(f"Exact strength of learners, {POLICIES[policy]}", x=0.01, ha="left")
        for axes, opponent in zip(panels.flat, opponents, strict=True):
            for number, (group, label) in enumerate(zip(groups, legend.labels, strict=True)):
                _draw(axes, [learner.curve(opponent, measure) for learner in group], number, label)
            axes.set_title(OPPONENTS[opponent])
            panels_beside = len(opponents) if scale == "linear" else 1  # powers of ten have room
            games_axis(axes, 0 if first < 1 else first, last, panels_beside, scale)
            axes.set_ylim(0, 1.02)
            to_percent(axes.yaxis)
        panels.flat[0].set_ylabel(measure_text(measure, draws))
        panels.flat[len(opponents) // 2].set_xlabel(GAMES_LABEL)
        handles, labels = panels.flat[0].get_legend_handles_labels()
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def _draw(axes: Axes, curves: Sequence[Curve], number: int, label: str) -> None:
    style = line_style(number)
    if len(curves) == 1:
        games, values = zip(*curves[0].items(), strict=True)
    else:
        games = tuple(_common(curves))
        least, lower, values, upper, most = zip(
            *(five_numbers([c[mark] for c in curves]) for mark in games), strict=True
        )
        axes.fill_between(games, least, most, color=style["color"], alpha=0.12, linewidth=0)
        axes.fill_between(games, lower, upper, color=style["color"], alpha=0.25, linewidth=0)
    axes.plot(games, values, label=label, marker="o", markersize=4, clip_on=False, **style)


def five_numbers(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Return the least, the lower quartile, the median, the upper quartile and the most of two values or more.

    Quartiles are linear between values, the least and the most being 0 and 1 (R's default, type 7).

    >>> five_numbers([0.0, 0.1, 0.4, 0.8, 1.0])
    (0.0, 0.1, 0.4, 0.8, 1.0)
    """
    lower, middle, upper = quantiles(values, n=4, method="inclusive")
    return min(values), lower, middle, upper, max(values)


def middle_curve(group: Sequence[Measured], opponent: str, measure: Measure) -> Curve:
    """Return the curve of a learner alone, or the median of a group's, where all of it were measured.

    >>> ended = [Strength(0.2, 0.5, 0.3), Strength(0.4, 0.5, 0.1), Strength(0.3, 0.5, 0.2)]
    >>> middle_curve([Measured("m", {"best": {100: found}}, ()) for found in ended], "best", "losses")
    {100: 0.2}
    """
    curves = [learner.curve(opponent, measure) for learner in group]
    return {games: median(curve[games] for curve in curves) for games in _common(curves)}


def group_name(group: Sequence[Measured]) -> str:
    """Return the name of a learner alone, or of a group: `m1, m2, … m5: median of 5`.

    >>> group_name([Measured(f"m{number}", {}, ()) for number in range(1, 6)])
    'm1, m2, … m5: median of 5'
    """
    return group[0].name if len(group) == 1 else f"{_listed(group)}: median of {len(group)}"


def _listed(group: Sequence[Measured]) -> str:
    names = [learner.name for learner in group]
    short = [name if len(name) <= NAME_MOST else f"{name[: NAME_MOST - 1]}…" for name in names]
    return ", ".join(short) if len(short) <= LISTED_MOST else f"{short[0]}, {short[1]}, … {short[-1]}"


def _legend(groups: Sequence[Sequence[Measured]]) -> Legend:
    """Return what differs between groups; how many learners are a group, and what its bands are."""
    facts = [group[0].facts for group in groups]
    known = [one for one in facts if one is not None]
    names = [group[0].name if len(group) == 1 else _listed(group) for group in groups]
    legend = legend_of(known, names) if len(known) == len(facts) else Legend("", tuple(map(shown, names)))
    sizes = [f" ({counted(len(group), 'learner')})" if len(group) > 1 else "" for group in groups]
    labels = tuple(label + size for label, size in zip(legend.labels, sizes, strict=True))
    bands = "median of learners that differ by chance alone; bands: half of them, all of them" if any(sizes) else ""
    return Legend("; ".join(filter(None, (legend.caption, bands))), labels)
