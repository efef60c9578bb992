"""Write the page about teachers, using the strengths that study.py measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLUE, GREY, SKY, UNBEATEN, VERMILION, cells, in_thousands, new_figure, study, to_percent
from experiments.page import BEADS_AND_VALUES, Page
from experiments.teachers import study as t
from experiments.teachers.study import BEHAVIOUR, GREEDY, KINDS, MARKS, TAUGHT_BY, TEACHERS, Strengths
from menace.analysis.groups import estimate, mean
from menace.games.base import Side

LOST = {
    "random.losses": "lost to random play",
    "optimal.losses": "lost to optimal play",
    "best_response.losses": "lost to the best response",
}
DARK = 55  # percentages above this are written in white
EXACT = (
    (BLUE, "exact: as it trains, exploring, against its teacher"),
    (SKY, "exact: at its best, against its teacher"),
    (VERMILION, "exact: at its best, against the best response"),
)
SAMPLED, SAMPLE = "michie-1963", 200  # the kind of machine and the number of games that the tests repeat
SAMPLED_TEACHERS = ("imperfect:0.1", "optimal", "perfect", "itself")
Runs = Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]  # rewards and values, indexed by teacher
# masks [rates, seeds, marks] of the unbeatable machines, for each (kind, side)
Sweeps = Mapping[tuple[str, Side], NDArray[np.bool_]]
CURVES, LISTED = (500, 1_000, 2_000, 5_000, 10_000, 50_000), (1_000, 10_000, 50_000)  # marks


def made(results: Strengths) -> NDArray[np.int64]:
    """Return the number of kinds of which at least half of the machines are unbeatable, as [sides, teachers]."""
    unbeatable = (results["best_response.losses"][..., GREEDY, :, -1] < UNBEATEN).mean(axis=-1)
    return (unbeatable >= t.HALF).sum(axis=0)


def machines_figure(results: Strengths) -> Figure:
    """Draw the mean share of games that greedy machines lose, for each teacher and kind of machine."""
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
        f"Percentage of games that a machine loses, at its best, after {t.GAMES:,} games with a teacher"
        f" (exact; mean of {t.SEEDS} machines)"
    )
    return figure


def sweep_figure(sweeps: Sweeps) -> Figure:
    """Plot the share of unbeatable machines against the teacher's error rate, with a line for each number of games."""
    figure, axes = new_figure(2, len(t.SWEPT), size=(15, 9), sharex=True, sharey=True)
    places = np.arange(len(t.RATES))
    for (name, side), unbeatable in sweeps.items():
        axis = axes[list(Side).index(side), t.SWEPT.index(name)]
        for mark, shade in zip(CURVES, np.linspace(0.25, 1, len(CURVES)), strict=True):
            shares, colour = unbeatable[..., MARKS.index(mark)].mean(axis=1), colormaps["Blues"](shade)
            axis.plot(places, shares, color=colour, label=f"{mark:,} lessons")
            best = shares.argmax()
            if shares[best] > 0:
                axis.plot(places[best], shares[best], "o", color=colour, markersize=9)
        axis.set_title(f"{name}, {side}")
        axis.set_xticks(places, [f"{rate:g}" for rate in t.RATES])
        to_percent(axis)
    for axis in axes[:, 0]:
        axis.set_ylabel("unbeatable machines")
    for axis in axes[-1]:
        axis.set_xlabel("teacher's rate of error")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=len(CURVES))
    figure.suptitle(f"Unbeatable machines of {t.SWEPT_SEEDS:,}; a dot marks the best rate")
    return figure


def rewards_figure(runs: Runs) -> Figure:
    """Draw the rewards in two runs together with the exact values of the same machines."""
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
    """Return a phrase that names the game after which a run's machine stays unbeatable."""
    beaten = np.flatnonzero(values[:, -1] < -UNBEATEN)
    since = int(beaten[-1] + 1) if len(beaten) else 0
    return f"nobody beats it from game {since * t.STEP:,} on" if since < len(values) else "it can always be beaten"


def teacher_rows(results: Strengths) -> Iterator[list[str]]:
    """Yield a row for each teacher: how many kinds of machine it makes unbeatable, and the machines' mean losses."""
    for teacher, number in TAUGHT_BY.items():
        lost = [100 * results[measure][:, :, number, GREEDY, :, -1].mean(axis=(0, 2)) for measure in LOST]
        unbeatable = [str(kinds) for kinds in made(results)[:, number]]
        yield [teacher, *unbeatable, *(f"{share:.1f}" for shares in lost for share in shares)]


def games_rows(results: Strengths) -> Iterator[list[str]]:
    """Yield a row for each kind, with the numbers of games until half and nearly all of its machines are unbeatable."""
    for name, lost in zip(KINDS, results["best_response.losses"], strict=True):
        firsts = [t.quickest(side[:, GREEDY], share) for share in (t.HALF, t.NEARLY_ALL) for side in lost]
        yield [name, *(f"{first[0]:,} ({first[1]})" if first else "-" for first in firsts)]


def best(unbeatable: NDArray[np.bool_], games: int) -> tuple[float, float]:
    """Return the best error rate after `games` games, and the share of machines that it makes unbeatable."""
    shares = unbeatable[..., MARKS.index(games)].mean(axis=1)
    return t.RATES[shares.argmax()], float(shares.max())


def sweep_rows(sweeps: Sweeps) -> Iterator[list[str]]:
    """Yield a row for each kind and side: the best error rates and the shares of machines that they make unbeatable."""
    for (name, side), unbeatable in sweeps.items():
        firsts = [best(unbeatable, games) for games in LISTED]
        yield [f"`{name}`, {side}", *(f"{rate:g}: {100 * share:.1f} %" if share else "-" for rate, share in firsts)]


# The following functions answer the questions according to the rules in study.py.


def on_sweep(sweeps: Sweeps) -> tuple[str, str]:
    """Determine whether a teacher that gives more lessons should err less often."""
    falls = {f"`{name}`, {side}": t.Fall.of(unbeatable) for (name, side), unbeatable in sweeps.items()}
    lower = sum(fall.late < fall.early for fall in falls.values())
    return (
        f"the best rate is lower in {lower} of {len(falls)} cases",
        f"yes in {sum(f.proved for f in falls.values())} cases",
    )


def on_random_moves(results: Strengths) -> tuple[str, str]:
    """Determine whether random moves alone teach perfect play."""
    x, o = (results["best_response.losses"][0, :, TAUGHT_BY["random"], GREEDY, :, -1] < UNBEATEN).sum(axis=-1)
    kinds = made(results)[:, TAUGHT_BY["random"]]
    measured = f"of {t.SEEDS} machines with preset `menace`, {x} are unbeatable as X and {o} as O"
    return measured, f"{kinds[0]} of {len(KINDS)} kinds learn it as X, and {kinds[1]} as O"


def on_curricula(results: Strengths) -> tuple[str, str]:
    """Determine whether the choice of teacher affects how often a machine draws with the optimal player."""
    drawn = results["optimal.draws"][:, :, :, BEHAVIOUR, :, MARKS.index(t.WOS_GAMES)]
    gained = drawn[:, :, TAUGHT_BY["optimal"]] - drawn[:, :, TAUGHT_BY["Woś's curriculum"]]
    value, low, high = (100 * share for share in estimate(gained[0, 0], mean)[:3])
    measured = f"the optimal player alone adds {value:.1f} points ({low:.1f} to {high:.1f})"
    decided = "yes" if low > 0 or high < 0 else "no difference is visible"
    return measured, decided


def on_strong(results: Strengths, measure: str, low: float, high: float) -> tuple[str, str]:
    """Determine whether machines with `low` <= score < `high` are unbeatable."""
    score, lost = (results[name][..., GREEDY, :, -1] for name in (measure, "best_response.losses"))
    worst = lost[(low <= score) & (score < high)]
    beaten = int((worst >= UNBEATEN).sum())
    answer = "no" if beaten >= t.HALF * len(worst) else f"yes, with {beaten:,} exceptions"
    return f"{beaten:,} of {len(worst):,} such machines can be beaten", answer


def on_learning_together(results: Strengths) -> tuple[str, str]:
    """Determine whether machines that learn by playing each other become experts."""
    lost = results["optimal.losses"][:, :, TAUGHT_BY["itself"], GREEDY, :, -1].mean(axis=-1)
    kinds = (lost <= t.EXPERT).sum(axis=0)
    x, o = 100 * lost[list(KINDS).index("michie-1963")]
    measured = f"`michie-1963` loses {x:.1f} % as X and {o:.1f} % as O"
    return measured, f"{kinds[0]} of {len(KINDS)} kinds do so as X, and {kinds[1]} as O"


def on_rewards(results: Strengths) -> tuple[str, str]:
    """Determine whether a curve of rewards shows that a machine can be beaten."""
    won, lost, worst = (
        results[measure][list(KINDS).index(t.TEXTBOOK), 0, TAUGHT_BY["random"], policy]
        for measure, policy in (
            ("random.wins", BEHAVIOUR),
            ("random.losses", BEHAVIOUR),
            ("best_response.losses", GREEDY),
        )
    )
    gained = won - lost
    shown = MARKS.index(t.SHOWN)
    beaten = worst >= t.HALF
    rise, needed = (gained[:, -1] - gained[:, shown]).mean(), round(t.HALF * t.SEEDS)
    measured = f"""the mean reward rises by {rise:.3f}; {beaten[:, shown].sum()} of {t.SEEDS} machines lose half of
        their games, and {needed} would decide the question"""
    hidden = rise < t.LEVEL and beaten[:, shown].sum() >= needed
    return " ".join(measured.split()), "no" if hidden else "open by this rule"


def answer_rows(results: Strengths, sweeps: Sweeps) -> Iterator[list[str]]:
    """Yield a row for each question."""
    answers = (
        on_sweep(sweeps),
        on_random_moves(results),
        on_curricula(results),
        on_strong(results, "optimal.draws", t.DRAWS, np.inf),
        on_strong(results, "random.losses", -np.inf, t.INFALLIBLE),
        on_learning_together(results),
        on_rewards(results),
    )
    for question, (measured, answer) in zip((t.SWEEP, *t.QUESTIONS), answers, strict=True):
        yield [f"{question.text} ({question.source})", question.decided_by, answer, measured]


# The following functions write the page.


def sample() -> list[str]:
    """Return a machine's losses to the best response for a few teachers, which take a second to compute."""
    with study(**t.design(SAMPLED, Side.X, SAMPLE, 2)) as played:
        lost = 100 * played.array("best_response.losses")[:, GREEDY, -1, -1]
    shares = (f"{teacher} {lost[TAUGHT_BY[teacher]]:.4f}" for teacher in SAMPLED_TEACHERS)
    return [f"`{SAMPLED}`, X, {SAMPLE} games, seed 2, % lost to the best response: {', '.join(shares)}"]


def tables(page: Page, results: Strengths, sweeps: Sweeps, unbeatable: int, lines: int) -> None:
    """Add the tables, and explain the terms in them."""
    page.heading("The best rate of error")
    fallen = [f"`{name}` as {side}" for (name, side), flags in sweeps.items() if t.Fall.of(flags).proved]
    page.text(f"""The table shows which rate of error makes the largest share of {t.SWEPT_SEEDS:,} machines unbeatable
        after 1,000, 10,000 and 50,000 games, and how large this share is. For {len(fallen)} of the {len(sweeps)}
        machines in the table ({" and ".join(fallen) or "none"}), we could show that the best rate falls with more
        games.""")
    page.table(("machine", *(f"{games:,}" for games in LISTED)), sweep_rows(sweeps))
    page.heading("Results with nine teachers")
    page.text(f"""The first two columns show for how many of the {len(KINDS)} kinds at least half of the machines are
        unbeatable after {t.GAMES:,} games. The other columns show the mean percentages of games that greedy machines
        lose as X and as O. We think that a perfect teacher shows its pupils too few different games. Woś's curriculum
        is `{TEACHERS["Woś's curriculum"]}`, and the rising curriculum is `{TEACHERS["rising curriculum"]}`.""")
    page.table(
        ("taught by", "unbeatable as X", "as O", *(f"{lost}, {side}" for lost in LOST.values() for side in Side)),
        teacher_rows(results),
    )
    header = [f"{share}, {side}" for share in ("half", f"{100 * t.NEARLY_ALL:.0f} %") for side in Side]
    link = page.numbers("games", ("machine", *header), games_rows(results))
    page.text(f"""For each kind, {link} lists the number of games after which half, or {100 * t.NEARLY_ALL:.0f} %, of
        {t.SEEDS} machines are unbeatable, and the quickest teacher. *Unbeatable* here means that the greedy machine
        loses fewer than one in 10^9 games to the best response, which maximises wins minus losses. An opponent that
        accepts losses can still beat {lines} of the {unbeatable:,} unbeatable machines taught by `imperfect:0.1`.""")
    page.heading("Questions and answers")
    page.text(f"""We committed the rules in the second column before the run. The rules refer to greedy machines after
        {t.GAMES:,} games.""")
    page.table(("question", "rule", "answer", "measured"), answer_rows(results, sweeps))


def reproduce(folder: Path) -> None:
    """Train the machines, and write the page."""
    results, unbeatable, lines = t.all_strengths()
    sweeps = {(name, side): t.sweep(name, side) for name in t.SWEPT for side in Side}
    runs = {teacher: t.rewards(teacher) for teacher in ("random", "perfect")}
    page = Page(folder, "teachers", "Which teacher makes a machine unbeatable?", "Question", BEADS_AND_VALUES)
    page.term(
        "*Rate of error*: the share of the teacher's moves that are random. The rate of error of `imperfect:0.1`"
        " is 0.1."
    )
    page.term("*Lesson*: a game against the teacher.")
    page.term("*Kind*: machines with the same preset, in some cases with changed settings.")
    page.term("*Itself*: an opponent with the same preset that plays the other side and also learns.")
    page.term("""*`novice`*: the short program on the page [A player of your own](../your-own-player.md). *Blocking* is
        a player that blocks rows and otherwise plays any cell.""")
    kinds = dict(zip(TEACHERS, made(results).T.tolist(), strict=True))
    best_rates = [best(unbeatable, LISTED[1])[0] for unbeatable in sweeps.values()]
    page.summary(
        """Which teacher makes a machine unbeatable, and how often should a teacher make a mistake? These two questions,
        and five others in the table below, arose from the results on other pages.""",
        f"""In one study, the teacher was a perfect player that made some moves at random; the share of random moves is
        its *rate of error*. With each of {len(t.RATES)} rates of error, the teacher taught {t.SWEPT_SEEDS:,} machines
        of each of {len(t.SWEPT)} kinds (presets such as `menace`) on each side. In another study, {len(TEACHERS)}
        teachers, from random play to a machine that also learns, taught {t.SEEDS} machines of each of {len(KINDS)}
        kinds.""",
        f"""The best teacher plays well but makes mistakes: after {LISTED[1]:,} games, the best rate of error is
        {min(best_rates):g} to {max(best_rates):g}. In the other study, a teacher with a rate of error of 0.1 makes X
        unbeatable for {kinds["imperfect:0.1"][0]} of {len(KINDS)} kinds of machines, and O for
        {kinds["imperfect:0.1"][1]} kinds. A perfect teacher makes X unbeatable for only {kinds["perfect"][0]} kind, and
        random play makes O unbeatable for {kinds["random"][1]} kinds, because it does not punish most mistakes.""",
    )
    page.figure(
        sweep_figure(sweeps),
        "sweep",
        "The share of unbeatable machines against the teacher's rate of error, for several numbers of lessons.",
    )
    page.figure(
        machines_figure(results),
        "machines",
        "Machines taught by random or perfect play do well against the same kind of play, but mostly lose to the best"
        " response.",
    )
    page.figure(
        rewards_figure(runs),
        "rewards",
        f"""The rewards in two runs, and the exact values of the same machines. On the right, the curve of rewards is
        level, but in a hundred games the best response wins {-100 * runs["perfect"][1][-1, -1]:.0f} more games than it
        loses.""",
    )
    tables(page, results, sweeps, unbeatable, lines)
    page.sample(sample())
    page.write()
