"""Does a machine that is never punished become perfect? Laslier and Walliser's theorem, set beside exact numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiments.common import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, new_figure
from experiments.laslier_walliser.claims import UNMOVED, LongRuns, Measured, at, both, findings, middle, unmoved
from experiments.laslier_walliser.trials import (
    AT,
    CASES,
    GAMES,
    LATE,
    LONG_AT,
    LONG_CASES,
    LONG_GAMES,
    LONG_SEEDS,
    MICHIE,
    NEVER,
    POSITIVE,
    RESIGNING,
    REWARDS,
    SEEDS,
    UNPUNISHED,
    WORTHLESS,
    Case,
    curves_of,
    long_run,
)
from experiments.page import Page
from menace.games.base import Side
from menace.learners.settings import MOST_BEADS

SAMPLED, SAMPLE_SEEDS = (1000, 10_000), (1, 2)  # marks of the pairs that the tests play again
LATER = LONG_AT[LONG_AT.index(GAMES) :]
COLOURS = {MICHIE: ORANGE, RESIGNING: VERMILION, UNPUNISHED: PURPLE, NEVER: BLUE, POSITIVE: GREEN, WORTHLESS: GREY}


def figure(measured: Measured, long_runs: LongRuns) -> Figure:
    """Draw the medians by games, each machine thin, and dashed what went on."""
    result, axes = new_figure(1, 2, size=(14, 7), sharey=True)
    for side, axis in enumerate(axes[0]):
        for case, colour in COLOURS.items():
            axis.plot(AT, measured[case][side], color=colour, alpha=0.25, linewidth=0.7)
            label = f"{case.numbers}: {case.text}".replace("`", "")
            axis.plot(AT, np.median(measured[case][side], axis=1), color=colour, linewidth=3, label=label)
        for case, runs in long_runs.items():
            for run in runs:
                axis.plot(LATER, run.exploitability[side, -len(LATER) :], "--", color=COLOURS[case], linewidth=1.2)
        axis.set(xscale="log", yscale="log", xlim=(100, LONG_GAMES), ylim=(1e-4, 1.2), xlabel="games (logarithmic)")
        axis.set_xticks([10**power for power in range(2, 9)], ["100", "1k", "10k", "100k", "1M", "10M", "100M"])
        axis.set_title(f"{Side.of_number(side)} that learns from a learner")
        axis.minorticks_off()
    axes[0, 0].set_ylabel("exploitability, exact (logarithmic)")
    result.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return result


def conditions(case: Case) -> list[str]:
    """Return a row: which conditions of the abstract a case has."""
    win, draw, loss = case.rewards
    return [
        case.numbers + (", resigns" if case is RESIGNING else ""),
        "yes" if loss >= 0 else "no: a bead is taken out",
        "yes" if loss > 0 else "no",
        "yes" if win > draw > loss else "no",
        "yes",
        "no",
    ]


def table(page: Page, measured: Measured) -> None:
    """Add what each case came to."""
    looks = [(side, games) for side in Side for games in (LATE, GAMES)]
    header = ("machines", "rewards", *(f"{side}, {games:,}" for side, games in looks), "stand still")
    rows = []
    for case in CASES:
        medians = (middle(at(measured[case], games)[side.number]) for side, games in looks)
        rows.append([case.text, case.numbers, *medians, f"{unmoved(measured[case]).sum()} of {2 * SEEDS}"])
    page.table(header, rows)


def long_rows(long_runs: LongRuns) -> list[list[str]]:
    """Return a row for each pair that went on."""
    rows = []
    for case, runs in long_runs.items():
        for seed, run in enumerate(runs, 1):
            ends = (f"{value:.4f}" for value in run.exploitability[:, -1])
            opened = (f"{some} of {all_of_them}" for some, all_of_them in zip(run.opened, run.boxes, strict=True))
            rows.append([f"{case.numbers}, seed {seed}", *ends, *opened, f"{100 * run.fullest:.0f} %"])
    return rows


def sample() -> list[str]:
    """Return lines of the page that a second suffices for."""
    lines = []
    for case in REWARDS:
        runs = [long_run(case, seed, SAMPLED) for seed in SAMPLE_SEEDS]
        x, o = np.array([run.exploitability[:, -1] for run in runs]).mean(axis=0)
        lines.append(
            f"{case.text} ({case.numbers}), {len(runs)} pairs, {SAMPLED[-1]:,} games: X {x:.6f}, O {o:.6f}; "
            f"{sum(run.opened[0] for run in runs)} boxes of X opened since game {SAMPLED[0]:,}"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    measured = {case: curves_of(case) for case in CASES}
    long_runs = {case: [long_run(case, seed) for seed in range(1, LONG_SEEDS + 1)] for case in LONG_CASES}
    write(folder, measured, long_runs)


def write(folder: Path, measured: Measured, long_runs: LongRuns) -> None:
    """Write the page."""
    page = Page(folder, "laslier-walliser", "Without punishment, does it become perfect?")
    x, o = np.median([run.exploitability[:, -1] for run in long_runs[NEVER]], axis=0)
    unpunished = both(at(measured[UNPUNISHED], GAMES))
    page.summary(
        """In a theorem of 2005, that players of a game of perfect information, who choose each move in proportion to
        what it has paid so far, converge to the subgame-perfect equilibrium.""",
        f"""{len(CASES)} studies of {SEEDS} pairs of machines that learn from each other for {GAMES:,} games, and
        {LONG_SEEDS} pairs of two kinds for {LONG_GAMES:,}; how far each can be exploited is computed exactly.""",
        f"""Without punishment, if a draw pays more than a loss, nearly all machines go on improving, but slowly: with
        {NEVER.numbers} beads the best reply gains {x:.4f} a game on X and {o:.3f} on O after {LONG_GAMES:,} games
        (medians; 0 is perfect, 1 the most); with {UNPUNISHED.numbers}, after {GAMES:,}, {unpunished}. With punishment
        some get stuck early: of {2 * SEEDS} machines with {MICHIE.numbers}, {unmoved(measured[MICHIE]).sum()} have
        stood still since game {LATE:,}, the worst exploitable by {at(measured[MICHIE], GAMES).max():.2f}; of
        {2 * SEEDS} with {NEVER.numbers}, {unmoved(measured[NEVER]).sum()}.""",
    )
    page.claims(findings(measured, long_runs))
    page.figure(
        figure(measured, long_runs),
        "exploitability",
        f"""What the best reply wins a game of machines that learn from each other, by games: thin lines are machines,
        thick ones medians of {SEEDS}, dashed ones the first {LONG_SEEDS} as they went on. Rewards are beads for a win,
        a draw, a loss.""",
    )
    sources(page)
    page.heading("What each kind comes to")
    page.text(f"""Exploitability is what a machine has less than a draw, the value of the game, against the best reply
        to it as it trains, drawing beads: 0 if nobody can beat it, 1 if the best reply always wins. A study
        (`menace.Study`) of each kind has the exact value after 1, 2, 3, 6, 10, ... games, seeds 1 to {SEEDS}.
        A machine stands still if it keeps {100 * UNMOVED:.0f} % or more of what it had after {LATE:,} games. Medians:
        """)
    table(page, measured)
    stays(page, long_runs)
    page.sample(sample())
    page.write()


def sources(page: Page) -> None:
    """Add what was read, and which conditions hold."""
    page.heading("The theorem, and whose conditions hold")
    page.text("""J.-F. Laslier and B. Walliser, A reinforcement learning process in extensive form games, International
        Journal of Game Theory 33 (2005), HAL halshs-00754083. The paper could not be had: its abstract alone was read,
        so nothing here is said of its proof. Claims and thresholds on this page were fixed before its numbers, after
        trials with other pairs. The abstract names four conditions: moves are chosen in
        proportion to the payoff that they have earned; every player learns so; information is perfect; the
        equilibrium is unique. A proportion asks for payoffs that are not negative; whether the proof wants them above
        0, or different for all ends of the game, we do not know, so the table says which hold.""")
    header = ("rewards", "in proportion to what was paid", "all above 0", "all different", "both learn so", "unique")
    page.table(header, [conditions(case) for case in REWARDS])
    page.text("""The equilibrium is unique in no case: all nine openings of tic-tac-toe draw, and among moves that are
        worth as much a machine keeps whatever shares its first games gave it, as in Pólya's urn. All that can be asked
        is that moves which are worth less die out, and exploitability measures just that: it is 0 at each of these
        equilibria. Two more things are not as in a game tree. A box is a position, whatever moves led to it, and with
        symmetry eight boards share one. And a box holds beads before anything was paid. The last four kinds of the
        next table change the one or the other.""")


def stays(page: Page, long_runs: LongRuns) -> None:
    """Add what goes on after ten million games, and what happens to piles."""
    page.heading(f"{LONG_GAMES:,} games")
    page.text(f"""A box counts as opened if a bead was drawn from it in the last nine tenths of the games. Losses that
        take beads away close boxes, for a colour that has run out comes back only when its whole box is restocked, and
        what is not met is not learned. A colour that earns nothing keeps its beads, and is drawn ever more seldom. A
        pile holds {MOST_BEADS:,} beads at most (2^26 - 1), so that a box stays below 2^31. A drawn game adds one bead
        to a colour of the first box: so many games can fill a pile if one colour takes two thirds of them. A full pile
        gains no more while the others of its box do: from there on shares fall back, and the machine is no urn any
        more. A pair whose fullest pile is full has come there.""")
    header = ("pair", "X, exploitability", "O", "boxes of X opened", "of O", "its fullest pile holds")
    page.table(header, long_rows(long_runs))
