"""Write the page about twelve learners, using the strengths that study.py measures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import UNBEATEN, new_figure, percent
from experiments.page import BEADS_AND_VALUES, RANGE, Page
from experiments.twelve_learners import study as o
from experiments.twelve_learners.study import CASES, LEARNERS, MARKS, MEASURES, NAMES, OPTIMAL, RANDOM, TEACHERS, WORST
from menace.analysis.groups import estimate, interquartile_mean, mean
from menace.figures.panels import draw_end_labels, format_percent, set_games_axis
from menace.games.base import Side

INCHES = 6.2  # the height of a panel in inches
Array = NDArray[np.float64]  # strengths as returned by `o.strengths`, or a part of them


def figure(strengths: Array, teacher: int) -> Figure:
    """Plot wins minus losses against the number of games, for the machines of one teacher."""
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
    """Yield a row for each learner, with its final strength and the number of games until half of its machines draw."""
    for name, first, last in zip(NAMES, o.half_draw(strengths), np.moveaxis(strengths[..., -1], 1, 0), strict=True):
        games, values = first[side, teacher], last[:, side, teacher]
        when = f"{games:,.0f}" if np.isfinite(games) else "-"
        shares = (RANGE.sub("", percent(values[measure])) for measure in range(len(MEASURES)))
        yield [name, when, str((values[OPTIMAL] > -UNBEATEN).sum()), *shares]


def half_draw_rows(strengths: Array) -> Iterator[list[str]]:
    """Yield a row for each learner, with the number of games until it draws with optimal play in each case."""
    for name, first in zip(NAMES, o.half_draw(strengths), strict=True):
        games = [first[side, teacher] for teacher, side in CASES]
        yield [name, *(f"{each:,.0f}" if np.isfinite(each) else "-" for each in games)]


# The following functions answer the questions according to the rules in study.py.


def verdict(cases: list[bool]) -> str:
    """Combine the answers for all cases into a single answer."""
    return "yes" if all(cases) else f"mixed: yes in {sum(cases)} of {len(cases)} cases" if any(cases) else "no"


def in_cases(values: list[str]) -> str:
    """Return the measurements of every case as one line of text."""
    return "random play: X {}, O {}; self-play: X {}, O {}".format(*values)


def changes(gained: Array) -> tuple[int, int]:
    """Count the rows of gains [..., seeds] with a mean above 0, and those with a mean below 0, at 95 % confidence."""
    intervals = [estimate(row, mean) for row in gained.reshape(-1, gained.shape[-1])]
    return sum(gain.low > 0 for gain in intervals), sum(gain.high < 0 for gain in intervals)


def on_games(strengths: Array) -> tuple[str, str]:
    """Determine whether the other learners draw with optimal play after fewer games than MENACE."""
    first = o.half_draw(strengths)
    sooner = [int((first[1:, side, teacher] < first[0, side, teacher]).sum()) for teacher, side in CASES]
    others = len(NAMES) - 1
    return in_cases([f"{count} of {others}" for count in sooner]), verdict([count >= o.MOST for count in sooner])


def on_random_play(strengths: Array) -> tuple[str, str]:
    """Determine whether results against random play and against the best response rank learners similarly."""
    means = np.round(strengths[..., -1].mean(axis=-1), 9)
    ranks = [[ranked(means[measure, :, side, teacher]) for measure in (RANDOM, WORST)] for teacher, side in CASES]
    correlations = [float(np.corrcoef(*both)[0, 1]) for both in ranks]
    return in_cases([f"{value:.2f}" for value in correlations]), verdict([value >= o.ALIKE for value in correlations])


def ranked(values: Array) -> Array:
    """Return the ranks of values; equal values share their mean rank."""
    return np.array([(values < value).sum() + ((values == value).sum() - 1) / 2 for value in values])


def on_refinements(strengths: Array) -> tuple[str, str]:
    """Determine whether learners are stronger than the earlier learners that they refine."""
    later, earlier = (np.array([NAMES.index(pair[which]) for pair in o.PAIRS]) for which in (0, 1))
    gained = strengths[WORST, later, ..., -1] - strengths[WORST, earlier, ..., -1]
    pairs = [changes(gains) for gains in gained]
    (more, fewer), compared = np.sum(pairs, axis=0), len(pairs) * len(CASES)
    measured = (
        f"stronger in {more} of {compared} comparisons and weaker in {fewer}; if all were equally strong, about"
        f" {0.05 * compared:.0f} would differ by chance"
    )
    return measured, f"{'yes' if more > fewer else 'no'} by this rule, but such a small difference may be due to chance"


def on_itself(strengths: Array) -> tuple[str, str]:
    """Determine whether machines learn more from self-play than from random play."""
    gained = strengths[WORST, ..., -1][:, :, 1] - strengths[WORST, ..., -1][:, :, 0]
    counts = {side: changes(gained[:, side.number]) for side in Side}
    measured = "; ".join(f"{side}: {more} more, {fewer} less" for side, (more, fewer) in counts.items())
    answers = [f"{'yes' if more >= o.MOST > fewer else 'no'} as {side}" for side, (more, fewer) in counts.items()]
    return measured, ", ".join(answers)


def on_the_first(strengths: Array) -> tuple[str, str]:
    """Determine whether any learner is the best in all cases."""
    means = np.round(strengths[WORST, ..., -1].mean(axis=-1), 9)
    first = [{NAMES[k] for k in np.flatnonzero(case == case.max())} for case in (means[:, s, t] for t, s in CASES)]
    ahead = set.intersection(*first)
    most = max(sum(name in case for case in first) for name in NAMES)
    return f"no learner is first in more than {most} of {len(CASES)} cases", "yes" if len(ahead) == 1 else "no"


# The following functions write the page.


def answer(page: Page, strengths: Array) -> None:
    """Add the questions with their answers, the settings, and the rules for an answer."""
    page.heading("Questions and answers")
    page.text("""We committed the rules in the second column before the run.""")
    asked = (on_games, on_random_play, on_refinements, on_itself, on_the_first)
    answers = [on_question(strengths) for on_question in asked]
    questions = list(zip(o.QUESTIONS, answers, strict=True))
    page.table(
        ("asked", "decided by", "answer", "measured"),
        [[question.text, question.decided_by, answer, measured] for question, (measured, answer) in questions],
    )
    page.heading("What was run")
    page.text("""All learners were trained in [studies](../studies.md), with rotated and mirrored boards merged into one
        position. The textbooks' learners have the same [plain settings](../learners.md#other-algorithms): alpha and
        epsilon are 0.1, and a win is worth 1, a draw 0 and a loss -1. `menace`, `favourite` (preset `johnson-2013`),
        `odds` (preset `michie-1963`) and `ucb1` use the numbers from their sources. We did not tune any setting.""")
    page.text("""`td` and `td-lambda` know the values of finished boards before their first game, so they make winning
        moves from the start. The other learners must win once before they know that a move wins. `td-lambda` also
        stores fewer positions than `td`. We think that `favourite` keeps playing the moves that won early, because it
        plays the move with the most beads and never explores. We do not know why O learns so much less from random play
        than X does.""")


def reproduce(folder: Path) -> None:
    """Train the machines, and write the page."""
    strengths = o.strengths()
    first = o.half_draw(strengths)
    came = np.isfinite(first).sum(axis=0)  # [sides, teachers]
    page = Page(
        folder,
        "twelve-learners",
        "Twelve learners compared: how strong, and after how many games?",
        "Question",
        BEADS_AND_VALUES,
    )
    page.term("*`menace`, `favourite`, `odds`*: matchboxes; `favourite` plays the move with the most beads.")
    page.term("*`td`, `td-lambda`*: temporal-difference learning of a value for each position.")
    page.term("""*`monte-carlo`, `sarsa`, `q-learning` and the others*: learning [a value for each
        move](../learners.md#other-algorithms), as in Sutton and Barto's textbook.""")
    page.term("""*Refine*: `td-lambda` refines `td`, `n-step-sarsa` and `expected-sarsa` refine `sarsa`, and
        `double-q-learning` refines `q-learning`.""")
    page.term("*Case*: a combination of a side (X or O) and a teacher (random play or the learner itself).")
    page.term(f"""*Draw*: a learner draws with optimal play if at least half of its {o.SEEDS} machines never lose to
        optimal play when they play greedily.""")
    page.term(
        "*Exact*: computed from the probabilities of all moves in all positions, and not estimated from a sample of"
        " games."
    )
    page.term("*Result*: the percentage of games won minus the percentage of games lost.")
    page.term(
        "*Rank correlation*: a number that is 1 if two measures rank the learners in the same order, and 0 if the two"
        " orders are unrelated."
    )
    page.summary(
        "How strong do matchboxes and the learning algorithms of textbooks become, and after how many games?",
        f"""We compared {len(NAMES)} learners in four cases: as X and as O, taught by random play and by self-play. In
        each case, {o.SEEDS} machines of each learner played {o.GAMES:,} games, and we computed their exact strength at
        several points.""",
        f"""As X, nearly all learners become strong: {came[0, 0]} of {len(NAMES)} learn to draw with optimal play if
        random play teaches them, and {came[0, 1]} by self-play. As O, only {came[1, 0]} learner learns this from random
        play, which does not punish most mistakes, and {came[1, 1]} learners learn it by self-play. No learner is the
        best in every case, and the textbooks' later learners are hardly stronger than those that they refine.""",
    )
    for number, (teacher, words) in enumerate(TEACHERS.items()):
        caption = f"""Each machine was {words}; the curves show games won minus games lost. A hollow square next to a
            name means that the learner's line is dashed. Against optimal play and against the best response,
            the maximum is 0."""
        page.figure(figure(strengths, number), teacher, caption)
    header = ("learner", "half draw after", f"draw at the end, of {o.SEEDS}", *MEASURES.values())
    cases = [[case, *row] for (teacher, side), case in CASES.items() for row in rows(strengths, teacher, side)]
    link = page.numbers("learners", ("case", *header), cases)
    page.heading("After how many games does each learner draw with optimal play?")
    page.text(f"""We measured the machines after 1, 2, 5, 10, ... games. A dash means more than {o.GAMES:,} games.
        {link} also lists the results after {o.GAMES:,} games with their standard deviations.""")
    page.table(("learner", *CASES.values()), half_draw_rows(strengths))
    answer(page, strengths)
    page.write()
