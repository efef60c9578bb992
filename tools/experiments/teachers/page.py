"""The page on teachers: its figures, tables and answers, of the strengths that study.py measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLUE, GREY, SKY, UNBEATEN, VERMILION, cells, in_thousands, new_figure, study
from experiments.page import Page
from experiments.teachers import study as t
from experiments.teachers.study import BEHAVIOUR, GREEDY, KINDS, MARKS, TAUGHT_BY, TEACHERS, Strengths
from menace.analysis.groups import estimate, mean
from menace.games.base import Side

LOST = {
    "random.losses": "lost to random play",
    "optimal.losses": "lost to optimal play",
    "best_response.losses": "lost to the best reply",
}
DARK = 55  # percent from which on numbers are written in white
EXACT = (
    (BLUE, "exact: as it trains, exploring, against its teacher"),
    (SKY, "exact: at its best, against its teacher"),
    (VERMILION, "exact: at its best, against the best reply to it"),
)
SAMPLED, SAMPLE, EARLY = "michie-1963", 200, 1_000  # kind and games that the tests play again; games asked afterwards
Runs = Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]  # rewards and values by teacher


def made(results: Strengths) -> NDArray[np.int64]:
    """Return of how many kinds at least half of the machines are unbeatable, at their best; [sides, teachers]."""
    unbeatable = (results["best_response.losses"][..., GREEDY, :, -1] < UNBEATEN).mean(axis=-1)
    return (unbeatable >= t.HALF).sum(axis=0)


def machines_figure(results: Strengths) -> Figure:
    """Draw the mean share of games that machines lose at their best, by teacher and kind."""
    figure, axes = new_figure(2, 3, size=(15, 12.5), sharex=True, sharey=True)
    names = [name.replace(", ", "\n", 1) for name in KINDS]
    for row, side in enumerate(Side):
        for axis, (measure, words) in zip(axes[row], LOST.items(), strict=True):
            percent = 100 * results[measure][:, row, :, GREEDY, :, -1].mean(axis=-1).T
            cells(axis, percent, cmap="Oranges", vmin=0, vmax=100, edgecolors="white")
            for (y, x), value in np.ndenumerate(percent):
                text = f"{value:.0f}" if value == 0 or value >= 1 else "<1"
                colour = "white" if value > DARK else "black"
                axis.text(x, y, text, ha="center", va="center", color=colour, fontsize=12)
            axis.set_title(f"{side}: {words}")
            axis.set_xticks(range(len(KINDS)), names, rotation=90, fontsize=11)
            axis.set_yticks(range(len(TEACHERS)), [f"taught by {name}" for name in TEACHERS])
    figure.suptitle(
        f"Percent of games that a machine loses, at its best, after {t.GAMES:,} games with a teacher"
        f" (exact; mean of {t.SEEDS} machines)"
    )
    return figure


def rewards_figure(runs: Runs) -> Figure:
    """Draw the rewards of runs beside exact values of the same machines."""
    figure, axes = new_figure(1, 2, size=(15, 7), sharey=True)
    for axis, (teacher, (gains, values)) in zip(axes[0], runs.items(), strict=True):
        averages = np.convolve(gains, np.full(t.WINDOW, 1 / t.WINDOW), mode="valid")
        label = f"rewards of its games, moving average of {t.WINDOW}: the textbook's curve"
        axis.plot(np.arange(t.WINDOW, t.SHOWN + 1), averages, color=GREY, linewidth=1, label=label)
        for (colour, words), column in zip(EXACT, values.T, strict=True):
            axis.plot(np.arange(0, t.SHOWN + 1, t.STEP), column, color=colour, label=words)
        axis.set(title=f"Taught by {teacher} play: {fate(values)}", xlabel="games (episodes)", ylim=(-1.05, 1.05))
        in_thousands(axis)
    axes[0, 0].set_ylabel("reward of a game: won 1, drawn 0, lost -1")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.suptitle(f"Two runs of preset {t.TEXTBOOK} as X (epsilon 0.1, seed {t.SEED}), each with one teacher")
    return figure


def fate(values: NDArray[np.float64]) -> str:
    """Say since when nobody beats a run's machine."""
    beaten = np.flatnonzero(values[:, -1] < -UNBEATEN)
    since = int(beaten[-1] + 1) if len(beaten) else 0
    return f"nobody beats it from game {since * t.STEP:,} on" if since < len(values) else "it can be beaten all along"


def teacher_rows(results: Strengths) -> Iterator[list[str]]:
    """Yield a row for each teacher: kinds that it makes unbeatable, and mean losses over all kinds, X / O."""
    for teacher, number in TAUGHT_BY.items():
        lost = [100 * results[measure][:, :, number, GREEDY, :, -1].mean(axis=(0, 2)) for measure in LOST]
        unbeatable = [f"{kinds} of {len(KINDS)}" for kinds in made(results)[:, number]]
        yield [teacher, *unbeatable, *(f"{x:.1f} / {o:.1f} %" for x, o in lost)]


def games_rows(results: Strengths) -> Iterator[list[str]]:
    """Yield a row for each kind: the fewest games, as X and as O, at its best; and as it trains."""
    for name, lost in zip(KINDS, results["best_response.losses"], strict=True):
        asked = ((GREEDY, t.HALF), (GREEDY, t.NEARLY_ALL), (BEHAVIOUR, t.HALF))
        firsts = [t.quickest(lost_by[:, policy], share) for policy, share in asked for lost_by in lost]
        yield [name, *(f"{first[0]:,} ({first[1]})" if first else "-" for first in firsts)]


def fewest(results: Strengths, side: int) -> str:
    """Return the fewest games after which half of the machines of any kind are unbeatable, and which kind it is."""
    firsts = [t.quickest(lost[side, :, GREEDY], t.HALF) for lost in results["best_response.losses"]]
    games, name = min((first[0], name) for first, name in zip(firsts, KINDS, strict=True) if first)
    return f"{games:,} as {list(Side)[side]} (`{name}`)"


# --- answers: what was measured, and what follows by the rule that was written before --------------------------------


def on_random_moves(results: Strengths) -> tuple[str, str]:
    """Answer whether random moves alone teach perfect play."""
    x, o = (results["best_response.losses"][0, :, TAUGHT_BY["random"], GREEDY, :, -1] < UNBEATEN).sum(axis=-1)
    kinds = made(results)[:, TAUGHT_BY["random"]]
    measured = f"of {t.SEEDS} machines of `menace` {x} are unbeatable as X, {o} as O"
    return measured, f"{kinds[0]} of {len(KINDS)} kinds learn it as X, {kinds[1]} as O"


def on_curricula(results: Strengths) -> tuple[str, str]:
    """Answer whether the teacher decides how well a machine draws with the optimal player."""
    drawn = results["optimal.draws"][:, :, :, BEHAVIOUR, :, MARKS.index(t.WOS_GAMES)]
    gained = drawn[:, :, TAUGHT_BY["optimal"]] - drawn[:, :, TAUGHT_BY["Woś's curriculum"]]
    gains = [estimate(scores, mean) for scores in gained.reshape(-1, t.SEEDS)]
    more, fewer = sum(gain.low > 0 for gain in gains), sum(gain.high < 0 for gain in gains)
    value, low, high = (100 * share for share in gains[0][:3])
    measured = f"{value:+.1f} points ({low:.1f} to {high:.1f}, n = {t.SEEDS}) by the optimal player alone"
    decided = "yes" if low > 0 or high < 0 else "it is not to be seen"
    return measured, f"{decided}; of all {len(gains)} kinds and sides {more} draw more by it, {fewer} less"


def on_strong(results: Strengths, measure: str, low: float, high: float) -> tuple[str, str]:
    """Answer whether machines that score from `low` to less than `high` are unbeatable."""
    score, lost = (results[name][..., GREEDY, :, -1] for name in (measure, "best_response.losses"))
    worst = lost[(low <= score) & (score < high)]
    beaten = int((worst >= UNBEATEN).sum())
    answer = "no" if beaten >= t.HALF * len(worst) else f"yes, but for {beaten:,}"
    return f"of {len(worst):,} such machines {beaten:,} can be beaten", answer


def on_learning_together(results: Strengths) -> tuple[str, str]:
    """Answer whether machines that learn together become experts."""
    lost = results["optimal.losses"][:, :, TAUGHT_BY["itself"], GREEDY, :, -1].mean(axis=-1)
    kinds = (lost <= t.EXPERT).sum(axis=0)
    x, o = 100 * lost[list(KINDS).index("michie-1963")]
    measured = f"`michie-1963` loses {x:.1f} % as X, {o:.1f} % as O (n = {t.SEEDS})"
    return measured, f"{kinds[0]} of {len(KINDS)} kinds do as X, {kinds[1]} as O"


def on_rewards(results: Strengths) -> tuple[str, str]:
    """Answer whether a curve of rewards shows that a machine can be beaten."""
    won, lost, worst = (
        results[measure][list(KINDS).index(t.TEXTBOOK), 0, TAUGHT_BY["random"], policy]
        for measure, policy in (
            ("random.wins", BEHAVIOUR),
            ("random.losses", BEHAVIOUR),
            ("best_response.losses", GREEDY),
        )
    )
    gained, variance = won - lost, won + lost - (won - lost) ** 2
    shown, early = MARKS.index(t.SHOWN), MARKS.index(EARLY)
    beaten = worst >= t.HALF
    deviation = np.sqrt(variance[:, shown] / t.WINDOW).mean()
    rise, needed = (gained[:, -1] - gained[:, shown]).mean(), round(t.HALF * t.SEEDS)
    measured = f"""it rises by {rise:.3f}, and {beaten[:, shown].sum()} of {t.SEEDS} lose half ({needed} would decide).
        Asked afterwards: their mean reward is {gained[beaten[:, shown], shown].mean():.3f}, that of the others
        {gained[~beaten[:, shown], shown].mean():.3f}, and a moving average of {t.WINDOW} games has a standard
        deviation of {deviation:.3f}; after {EARLY:,} games {beaten[:, early].sum()} lose half"""
    hidden = rise < t.LEVEL and beaten[:, shown].sum() >= needed
    return " ".join(measured.split()), "no" if hidden else "open, by this rule"


def answer_rows(results: Strengths) -> Iterator[list[str]]:
    """Yield a row for each question."""
    answers = (
        on_random_moves(results),
        on_curricula(results),
        on_strong(results, "optimal.draws", t.DRAWS, np.inf),
        on_strong(results, "random.losses", -np.inf, t.INFALLIBLE),
        on_learning_together(results),
        on_rewards(results),
    )
    for question, (measured, answer) in zip(t.QUESTIONS, answers, strict=True):
        yield [question.text, answer, measured, question.decided_by, question.source]


# --- the page --------------------------------------------------------------------------------------------------------


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: what two machines of each teacher lose."""
    with study(**t.design(SAMPLED, Side.X, SAMPLE, 2)) as played:
        lost = played.array("best_response.losses")[:, GREEDY, :, -1]
    return [
        f"{SAMPLED}, X, after {SAMPLE} games with {teacher}: seeds 1 and 2 lose {100 * one:.4f} % and"
        f" {100 * two:.4f} % to the best reply"
        for teacher, (one, two) in zip(TEACHERS, lost, strict=True)
    ]


def tables(page: Page, results: Strengths, unbeatable: int, lines: int) -> None:
    """Add the tables and what their words mean."""
    page.heading("Teachers")
    page.text(f"""Of how many kinds at least half of the machines are unbeatable, at their best, after {t.GAMES:,}
        games; and how many games they lose, X / O, mean of {len(KINDS)} kinds of {t.SEEDS} machines. What a teacher
        never does it does not teach (our reading): the perfect player leads into few positions, random moves into all,
        but they seldom punish a mistake. A novice without chance plays few games, again and again.""")
    page.table(("taught by", "unbeatable as X", "as O", *LOST.values()), teacher_rows(results))
    page.heading("How few games")
    page.text(f"""Games until half, and {100 * t.NEARLY_ALL:.0f} %, of {t.SEEDS} machines are unbeatable, with the
        teacher that comes first: the first of the marks 1, 2, 5, 10, ... at which so many are (some are beatable again
        later); a dash where it takes more than {t.GAMES:,} games with any teacher.""")
    shares = ("half, at its best", f"{100 * t.NEARLY_ALL:.0f} %, at its best", "half, as it trains")
    header = [f"{share}, {side}" for share in shares for side in Side]
    page.table(("machine", *header), games_rows(results))
    page.text(f"""*Unbeatable*: the best reply, which makes wins less losses as many as can be, wins nothing: exactly,
        or less than once in 10^9 games, since odds of `michie-1963` never fall to 0. Who takes a gamble that costs him
        more may still win a game: so it is with {lines} of the {unbeatable:,} unbeatable machines that `imperfect:0.1`
        taught. *At its best*: it plays what it has most for (greedy). *As it trains* (behaviour): it draws beads, or
        explores; `zhang` and `q-learning` explore for good, so that they always lose sometimes.""")
    page.heading("Asked by Woś, Michie and others")
    page.text(f"""What decides was written before the run, in a commit of its own; what was asked afterwards is said.
        Each source's conditions are named, ours are those of this page, {t.GAMES:,} games unless said; what the sources
        measured is on their own pages. Random play finds a sure win against a machine without chance in at least one of
        9 x 7 x 5 x 3 = 945 games, so that who loses fewer than {100 * t.INFALLIBLE:g} % to it has hardly any gap.""")
    page.table(("asked", "answer", "measured", "decided by", "where, and of what"), answer_rows(results))
    page.heading("What was run")
    page.text(f"""`menace.Study` with the presets named, {t.SEEDS} seeds from 1 on, equivalent boards sharing a box.
        `novice` is the function of [a player of your own](../your-own-player.md), *itself* the same preset on the other
        side, which learns, too. Woś's curriculum is `{TEACHERS["Woś's curriculum"]}`, his {t.WOS_GAMES} games and then
        more of the last; the rising one `{TEACHERS["rising curriculum"]}`. The curve of rewards is a run of one
        machine, which is that of seed {t.SEED} in the study; the exact curves are
        that machine's, every {t.STEP} games.""")


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    results, unbeatable, lines = t.all_strengths()
    runs = {teacher: t.rewards(teacher) for teacher in ("random", "perfect")}
    page = Page(folder, "teachers", "Teachers: which of them makes which machine", "Asked")
    drawn, lost = (
        results[measure][list(KINDS).index(t.TEXTBOOK), 0, TAUGHT_BY["perfect"], GREEDY, :, -1]
        for measure in ("optimal.draws", "best_response.losses")
    )
    hollow = int(((drawn >= t.DRAWS) & (lost >= t.HALF)).sum())
    kinds = dict(zip(TEACHERS, made(results).T.tolist(), strict=True))
    page.summary(
        """Woś and Michie compare machines that others taught. Which teacher makes which machine, after how few games
        does nobody beat it, and does a curve of rewards show that?""",
        f"""A study: {len(KINDS)} kinds of machines as X and as O, {len(TEACHERS)} teachers, {t.SEEDS} machines of
        each, {t.GAMES:,} games, every strength exact.""",
        f"""The best teacher plays perfectly and now and then errs: `imperfect:0.1` makes
        {kinds["imperfect:0.1"][0]} of {len(KINDS)} kinds unbeatable as X, {kinds["imperfect:0.1"][1]} as O; the perfect
        player {kinds["perfect"][0]} and {kinds["perfect"][1]}, random moves {kinds["random"][0]} and
        {kinds["random"][1]}. The fewest games are {fewest(results, 0)} and {fewest(results, 1)}. Rewards need not show
        it: of {t.SEEDS} `{t.TEXTBOOK}` machines that the perfect player taught as X, {hollow} draw with optimal play,
        at their best, and lose half of their games or more to the best reply.""",
    )
    page.figure(
        machines_figure(results),
        "machines",
        """Who learned from random play beats random play; who learned from perfect play draws with it; most of
        them lose to the best reply. `scroggs` resigns at an empty box: as O nearly always, once it was taught by who
        hardly errs.""",
    )
    page.figure(
        rewards_figure(runs),
        "rewards",
        f"""What a curve of rewards hides: a machine at its best is better than its exploring games (the gap between the
        blue lines), and may be far worse against others (red). Left it can be beaten for long after the curve is
        level; right the curve is level, and the best reply wins {-100 * runs["perfect"][1][-1, -1]:.0f} games of a
        hundred more than it loses.""",
    )
    tables(page, results, unbeatable, lines)
    page.sample(sample())
    page.write()
