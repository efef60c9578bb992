"""The page on twelve learners: its figures, tables and answers, of the strengths that study.py measures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import UNBEATEN, new_figure, percent
from experiments.one_axis import study as o
from experiments.one_axis.study import CASES, LEARNERS, MARKS, MEASURES, NAMES, OPTIMAL, RANDOM, TEACHERS, WORST, sample
from experiments.page import RANGE, Page
from menace.analysis.groups import estimate, interquartile_mean, mean
from menace.figures.panels import draw_end_labels, format_percent, set_games_axis
from menace.games.base import Side

INCHES = 6.2  # height of a panel
Array = NDArray[np.float64]  # strengths, as o.strengths returns them, or some of them


def figure(strengths: Array, teacher: int) -> Figure:
    """Draw what machines of a teacher win less what they lose, by games."""
    result, axes = new_figure(len(MEASURES), len(Side), size=(16, 3 * INCHES + 1), sharex=True, sharey="row")
    for (measure, side), axis in np.ndenumerate(axes):
        values = np.moveaxis(strengths[measure, :, side, teacher, :, 1:], 1, -1)
        bands, lines = np.quantile(values, [0.25, 0.75], axis=-1), interquartile_mean(values)
        colours = [colour for _, colour, _ in LEARNERS.values()]
        for line, low, high, (_, colour, dashes) in zip(lines, *bands, LEARNERS.values(), strict=True):
            axis.fill_between(MARKS[1:], low, high, color=colour, alpha=0.08, linewidth=0)
            axis.plot(MARKS[1:], line, color=colour, linestyle=dashes)
        axis.set_title(f"{Side.of_number(side)}, {list(MEASURES.values())[measure]}")
        set_games_axis(axis, 1, o.GAMES)
        format_percent(axis.yaxis)
        bottom, top = axis.set_ylim(*((-0.4, 1.02) if measure == RANDOM else (-1.02, 0.02)))
        draw_end_labels(axis, o.GAMES, ((lines[:, -1] - bottom) / (top - bottom)).tolist(), NAMES, INCHES, colours)
    result.supylabel("games won less games lost")
    result.supxlabel("games learned from (logarithmic)")
    result.suptitle(
        f"Each machine {list(TEACHERS.values())[teacher]}; at its best, exactly measured:"
        f" interquartile mean of {o.SEEDS}, and the middle half of them"
    )
    return result


def rows(strengths: Array, teacher: int, side: int) -> Iterator[list[str]]:
    """Yield a row for each learner: when half draw, how many do at the end, and its strength there."""
    for name, first, last in zip(NAMES, o.half_draw(strengths), np.moveaxis(strengths[..., -1], 1, 0), strict=True):
        games, values = first[side, teacher], last[:, side, teacher]
        when = f"{games:,.0f}" if np.isfinite(games) else "-"
        shares = (RANGE.sub("", percent(values[measure])) for measure in range(len(MEASURES)))
        yield [name, when, str((values[OPTIMAL] > -UNBEATEN).sum()), *shares]


# --- answers: what was measured, and what follows by the rule that was written before --------------------------------


def verdict(cases: list[bool]) -> str:
    """Return the answer where all cases decide."""
    return "yes" if all(cases) else f"in {sum(cases)} of {len(cases)} cases" if any(cases) else "no"


def in_cases(values: list[str]) -> str:
    """Return what was measured in each case."""
    return "; ".join(f"{value} ({case})" for value, case in zip(values, CASES.values(), strict=True))


def changes(gained: Array) -> tuple[int, int]:
    """Return how many rows of gains, [..., seeds], are above 0 by the interval of their mean, and how many below."""
    intervals = [estimate(row, mean) for row in gained.reshape(-1, gained.shape[-1])]
    return sum(gain.low > 0 for gain in intervals), sum(gain.high < 0 for gain in intervals)


def on_games(strengths: Array) -> tuple[str, str]:
    """Answer whether the others draw with optimal play in fewer games than MENACE."""
    first = o.half_draw(strengths)
    sooner = [int((first[1:, side, teacher] < first[0, side, teacher]).sum()) for teacher, side in CASES]
    others = len(NAMES) - 1
    return in_cases([f"{count} of {others}" for count in sooner]), verdict([count >= o.MOST for count in sooner])


def on_random_play(strengths: Array) -> tuple[str, str]:
    """Answer whether strength against random play orders learners as the best reply does."""
    means = np.round(strengths[..., -1].mean(axis=-1), 9)
    ranks = [[ranked(means[measure, :, side, teacher]) for measure in (RANDOM, WORST)] for teacher, side in CASES]
    correlations = [float(np.corrcoef(*both)[0, 1]) for both in ranks]
    return in_cases([f"{value:.2f}" for value in correlations]), verdict([value >= o.ALIKE for value in correlations])


def ranked(values: Array) -> Array:
    """Return ranks, of equal values their mean rank."""
    return np.array([(values < value).sum() + ((values == value).sum() - 1) / 2 for value in values])


def on_refinements(strengths: Array) -> tuple[str, str]:
    """Answer whether later learners are stronger than those they refine; and, asked afterwards, whether sooner so."""
    later, earlier = (np.array([NAMES.index(pair[which]) for pair in o.PAIRS]) for which in (0, 1))
    gained = strengths[WORST, later, ..., -1] - strengths[WORST, earlier, ..., -1]
    first = o.half_draw(strengths)
    pairs = [changes(gains) for gains in gained]
    (more, fewer), compared = np.sum(pairs, axis=0), len(pairs) * len(CASES)
    told = [f"`{name}` than `{other}` {counts[0]}" for (name, other), counts in zip(o.PAIRS, pairs, strict=True)]
    measured = f"""stronger, of {len(CASES)} cases: {", ".join(told)}. Asked afterwards: half of its machines draw with
        optimal play sooner in {(first[later] < first[earlier]).sum()} of {compared}, later in
        {(first[later] > first[earlier]).sum()}"""
    answer = f"""hardly: in {more} of {compared} comparisons, weaker in {fewer}, and up to {0.05 * compared:.1f} would
        differ by chance alone; by the rule, {"yes" if more > fewer else "no"}"""
    return " ".join(measured.split()), " ".join(answer.split())


def on_itself(strengths: Array) -> tuple[str, str]:
    """Answer whether machines learn more from themselves than from random play."""
    gained = strengths[WORST, ..., -1][:, :, 1] - strengths[WORST, ..., -1][:, :, 0]
    counts = {side: changes(gained[:, side.number]) for side in Side}
    measured = "; ".join(f"{side}: {more} more, {fewer} less" for side, (more, fewer) in counts.items())
    answers = [f"{'yes' if more >= o.MOST > fewer else 'no'} as {side}" for side, (more, fewer) in counts.items()]
    return measured, ", ".join(answers)


def on_the_first(strengths: Array) -> tuple[str, str]:
    """Answer whether one learner is ahead of all others."""
    means = np.round(strengths[WORST, ..., -1].mean(axis=-1), 9)
    first = [{NAMES[k] for k in np.flatnonzero(case == case.max())} for case in (means[:, s, t] for t, s in CASES)]
    ahead = set.intersection(*first)
    return in_cases([" and ".join(sorted(names)) for names in first]), "yes" if len(ahead) == 1 else "no"


# --- the page --------------------------------------------------------------------------------------------------------


def come_first(strengths: Array, teacher: int, side: int) -> str:
    """Return the learners of which half of the machines draw with optimal play after the fewest games."""
    first = o.half_draw(strengths)[:, side, teacher]
    names = " and ".join(f"`{name}`" for name, games in zip(NAMES, first, strict=True) if games == first.min())
    return f"{names} ({first.min():,.0f} games)"


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    strengths = o.strengths()
    came = np.isfinite(o.half_draw(strengths)).sum(axis=0)  # [sides, teachers]
    asked = (on_games, on_random_play, on_refinements, on_itself, on_the_first)
    answers = [answer(strengths) for answer in asked]
    page = Page(folder, "one-axis", "One axis: twelve learners by the games that they learn from", "Asked")
    page.summary(
        """Matchboxes, Michie's odds and what textbooks teach, each with plain settings: which of them becomes how
        strong, and after how many games?""",
        f"""A study: {len(NAMES)} learners as X and as O, taught by random play and by themselves, {o.SEEDS} machines
        of each, {o.GAMES:,} games, every strength exact.""",
        f"""Counted are the learners of which half of the machines come to draw with optimal play. As X: {came[0, 0]} of
        {len(NAMES)} taught by random play, first {come_first(strengths, 0, 0)}; {came[0, 1]} taught by themselves,
        first {come_first(strengths, 1, 0)}. As O: {came[1, 0]} taught by random play; {came[1, 1]} taught by
        themselves, first {come_first(strengths, 1, 1)}. Is one ahead of all others in all four cases?
        {answers[4][1].capitalize()}. Are later learners stronger than those they refine?
        {answers[2][1].capitalize()}.""",
    )
    for number, (teacher, words) in enumerate(TEACHERS.items()):
        caption = f"""Each machine {words}. Lines that end together are named in any order; a hollow square is a dashed
            line. Against optimal play and the best reply nobody can do better than 0."""
        page.figure(figure(strengths, number), teacher, caption)
    for (teacher, side), case in CASES.items():
        page.heading(case)
        header = ("learner", "half draw after", f"draw at the end, of {o.SEEDS}", *MEASURES.values())
        page.table(header, rows(strengths, teacher, side))
    page.text(f"""*Half draw after*: the first of the marks 1, 2, 5, 10, ... games at which at least half of {o.SEEDS}
        machines lose nothing to optimal play; some lose again later; a dash where they do not within {o.GAMES:,}.
        The last three columns are games won less games lost after {o.GAMES:,} games, mean ± standard deviation over
        machines. All is *at their best* (greedy): what a machine has most for, without exploration.""")
    page.heading("Asked")
    page.text("""What decides was written before the run, in a commit of its own. *Cases* are X and O, taught by random
        play and by itself. What `menace`, `favourite`, `odds` and `q-learning` do was known from the page
        [teachers](teachers.md), after half as many games and of more seeds.""")
    table = [
        [question.text, answer, measured, question.decided_by, question.source]
        for question, (measured, answer) in zip(o.QUESTIONS, answers, strict=True)
    ]
    page.table(("asked", "answer", "measured", "decided by", "source"), table)
    page.heading("What was run")
    page.text("""A [study](../studies.md) of each preset, seeds from 1 on, equivalent boards sharing a box. Those of
        textbooks have the same [plain settings](../learners.md#other-algorithms) as far as they have them at all: alpha
        0.1, epsilon 0.1, a win worth 1, a draw 0, a loss -1. `favourite` is preset `johnson-2013`, `odds` is
        `michie-1963`; these, `menace` and `ucb1` have the numbers of their own sources. No setting was tuned: another
        alpha is another line.""")
    page.text("""Two teachers, since no one compares all: random play gives each learner the same opponent, so that
        only the learner differs, but an opponent that seldom punishes a mistake; *itself*, the same preset on the other
        side, which learns, too, is how MENACE's machines and textbooks' programs learn from each other, and there a
        learner is also a teacher.""")
    page.text("""Values of positions (`td`, `td-lambda`) know what a finished board is worth before their first game,
        and so take a win at once; all others must have seen it. `td-lambda` keeps those of its own afterstates alone,
        which is not its lambda alone beside `td`. `favourite` takes the fullest pile and never explores:
        what won early it goes on playing (our reading).""")
    page.sample(sample())
    page.write()
