"""Write the page on twelve learners, from the strengths that study.py measures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import UNBEATEN, new_figure, percent
from experiments.one_axis import study as o
from experiments.one_axis.study import CASES, LEARNERS, MARKS, MEASURES, NAMES, OPTIMAL, RANDOM, TEACHERS, WORST
from experiments.page import RANGE, Page
from menace.analysis.groups import estimate, interquartile_mean, mean
from menace.figures.panels import draw_end_labels, format_percent, set_games_axis
from menace.games.base import Side

INCHES = 6.2  # height of a panel
Array = NDArray[np.float64]  # strengths, as o.strengths returns them, or some of them


def figure(strengths: Array, teacher: int) -> Figure:
    """Draw wins less losses against the number of games, for the machines of one teacher."""
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
        f"Each machine {list(TEACHERS.values())[teacher]}, playing greedily: interquartile mean of {o.SEEDS} machines,"
        " and the middle half of them"
    )
    return result


def rows(strengths: Array, teacher: int, side: int) -> Iterator[list[str]]:
    """Yield a row for each learner: when half draw, how many draw in the end, and its final strength."""
    for name, first, last in zip(NAMES, o.half_draw(strengths), np.moveaxis(strengths[..., -1], 1, 0), strict=True):
        games, values = first[side, teacher], last[:, side, teacher]
        when = f"{games:,.0f}" if np.isfinite(games) else "-"
        shares = (RANGE.sub("", percent(values[measure])) for measure in range(len(MEASURES)))
        yield [name, when, str((values[OPTIMAL] > -UNBEATEN).sum()), *shares]


# --- answers: what was measured, and the answer by the rules in study.py --------------------------------


def verdict(cases: list[bool]) -> str:
    """Return the answer to a question that all cases decide."""
    return "yes" if all(cases) else f"in {sum(cases)} of {len(cases)} cases" if any(cases) else "no"


def in_cases(values: list[str]) -> str:
    """Return the measurements with the names of their cases."""
    return "; ".join(f"{value} ({case})" for value, case in zip(values, CASES.values(), strict=True))


def changes(gained: Array) -> tuple[int, int]:
    """Return how many rows of gains, [..., seeds], have an interval of their mean above 0, and below 0."""
    intervals = [estimate(row, mean) for row in gained.reshape(-1, gained.shape[-1])]
    return sum(gain.low > 0 for gain in intervals), sum(gain.high < 0 for gain in intervals)


def on_games(strengths: Array) -> tuple[str, str]:
    """Answer whether the others draw with optimal play after fewer games than MENACE."""
    first = o.half_draw(strengths)
    sooner = [int((first[1:, side, teacher] < first[0, side, teacher]).sum()) for teacher, side in CASES]
    others = len(NAMES) - 1
    return in_cases([f"{count} of {others}" for count in sooner]), verdict([count >= o.MOST for count in sooner])


def on_random_play(strengths: Array) -> tuple[str, str]:
    """Answer whether strength against random play ranks learners as the best response does."""
    means = np.round(strengths[..., -1].mean(axis=-1), 9)
    ranks = [[ranked(means[measure, :, side, teacher]) for measure in (RANDOM, WORST)] for teacher, side in CASES]
    correlations = [float(np.corrcoef(*both)[0, 1]) for both in ranks]
    return in_cases([f"{value:.2f}" for value in correlations]), verdict([value >= o.ALIKE for value in correlations])


def ranked(values: Array) -> Array:
    """Return the ranks of values; equal values have their mean rank."""
    return np.array([(values < value).sum() + ((values == value).sum() - 1) / 2 for value in values])


def on_refinements(strengths: Array) -> tuple[str, str]:
    """Answer whether later learners are stronger than those they refine, and whether they draw sooner."""
    later, earlier = (np.array([NAMES.index(pair[which]) for pair in o.PAIRS]) for which in (0, 1))
    gained = strengths[WORST, later, ..., -1] - strengths[WORST, earlier, ..., -1]
    first = o.half_draw(strengths)
    pairs = [changes(gains) for gains in gained]
    (more, fewer), compared = np.sum(pairs, axis=0), len(pairs) * len(CASES)
    told = [f"`{name}` than `{other}` {counts[0]}" for (name, other), counts in zip(o.PAIRS, pairs, strict=True)]
    measured = f"""cases of {len(CASES)} in which the later one is stronger: {", ".join(told)}. Asked afterwards: half
        of the later ones draw with optimal play sooner in {(first[later] < first[earlier]).sum()} of {compared}
        comparisons, and later in {(first[later] > first[earlier]).sum()}"""
    answer = f"""hardly: stronger in {more} of {compared} comparisons and weaker in {fewer}, where chance alone gives
        up to {0.05 * compared:.1f}; by the rule, {"yes" if more > fewer else "no"}"""
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
    """Return the learners that are the first to have half of their machines draw with optimal play."""
    first = o.half_draw(strengths)[:, side, teacher]
    names = " and ".join(f"`{name}`" for name, games in zip(NAMES, first, strict=True) if games == first.min())
    return f"{names} ({first.min():,.0f} games)"


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    strengths = o.strengths()
    came = np.isfinite(o.half_draw(strengths)).sum(axis=0)  # [sides, teachers]
    asked = (on_games, on_random_play, on_refinements, on_itself, on_the_first)
    answers = [answer(strengths) for answer in asked]
    page = Page(folder, "one-axis", "Twelve learners compared by their number of games", "Asked")
    page.summary(
        """How strong do matchboxes, Michie's odds and the learners of textbooks become, and after how many games?""",
        f"""{len(NAMES)} learners with plain settings play X and O. Random play teaches them, or they teach themselves.
        Each of {o.SEEDS} machines plays {o.GAMES:,} games; all strengths are exact.""",
        f"""As X, {came[0, 0]} of {len(NAMES)} learners learn from random play to draw with optimal play, and
        {came[0, 1]} learn it from themselves. As O, only {came[1, 0]} and {came[1, 1]} do. No learner is always ahead
        of all others, and later learners are hardly stronger than those that they refine.""",
    )
    for number, (teacher, words) in enumerate(TEACHERS.items()):
        caption = f"""Each machine {words}. A hollow square marks a dashed line; where lines end together, the order of
            the names means nothing. Against optimal play and the best response nobody can do better than 0."""
        page.figure(figure(strengths, number), teacher, caption)
    header = ("learner", "half draw after", f"draw at the end, of {o.SEEDS}", *MEASURES.values())
    cases = [[case, *row] for (teacher, side), case in CASES.items() for row in rows(strengths, teacher, side)]
    link = page.numbers("learners", ("case", *header), cases)
    (teacher, side), shown = list(CASES.items())[-1]
    page.heading(shown)
    page.table(header, rows(strengths, teacher, side))
    page.text(f"""{link} has the other three cases too. *Half draw after* is the first of 1, 2, 5, 10, ... games after
        which at least half of {o.SEEDS} machines lose no game to optimal play; a dash means not within {o.GAMES:,}
        games. The last three columns are games won less games lost after {o.GAMES:,} games, mean ± standard deviation.
        All machines play greedily.""")
    page.text(f"""The first learners to have half of their machines draw are {come_first(strengths, 0, 0)} as X with
        random play, {come_first(strengths, 1, 0)} as X with themselves, and {come_first(strengths, 1, 1)} as O with
        themselves.""")
    page.heading("Questions and answers")
    page.text("""The rules in the last table were committed before the run. From [teachers](teachers.md) we already knew
        the strength of `menace`, `favourite`, `odds` and `q-learning` after half as many games.""")
    questions = list(zip(o.QUESTIONS, answers, strict=True))
    page.table(
        ("asked", "answer", "measured"),
        [[question.text, answer, measured] for question, (measured, answer) in questions],
    )
    page.heading("What was run")
    page.text("""Each preset is played in a [study](../studies.md), with symmetry. Textbooks' learners share the same
        [plain settings](../learners.md#other-algorithms): alpha 0.1, epsilon 0.1, a win worth 1, a draw 0, a loss -1.
        `favourite` is preset `johnson-2013` and `odds` is `michie-1963`; these two, `menace` and `ucb1` have their own
        sources' numbers. No setting was tuned.""")
    page.text("""Random play gives each learner the same opponent, but seldom punishes a mistake. *Itself* means the
        same preset on the other side, which also learns.""")
    page.text("""`td` and `td-lambda` learn values of positions. They know the values of finished boards before their
        first game, so they take wins at once; the others must see it first. `td-lambda` stores only its own
        afterstates, so it differs from `td` in more than lambda. `favourite` takes the fullest pile and never explores,
        so it keeps playing what won early (our reading).""")
    page.heading("How each question was decided")
    page.table(("asked", "decided by"), [[question.text, question.decided_by] for question in o.QUESTIONS])
    page.write()
