"""Write the page about reinforcement without punishment, which tests a theorem published in 2005."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiments.common import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, new_figure
from experiments.laslier_walliser.claims import CONFIDENCE, UNMOVED, LongRuns, Measured, at, findings, interval, unmoved
from experiments.laslier_walliser.trials import (
    AT,
    CASES,
    EARLY,
    FEW_PAIRS,
    GAMES,
    LATE,
    LONG_AT,
    LONG_CASES,
    LONG_GAMES,
    LONG_PAIRS,
    MICHIE,
    MORE_PAIRS,
    NEVER,
    PAIRS,
    POSITIVE,
    RESIGNING,
    REWARDS,
    UNPUNISHED,
    WORTHLESS,
    Case,
    curves_of,
    play_pairs,
)
from experiments.page import BEADS, MICHIES_BEADS, Page
from menace.games.base import Side
from menace.learners.settings import MAX_BEADS

MACHINE = (
    f"{BEADS} {MICHIES_BEADS} Most machines on this page have the same boxes as MENACE, and an empty box is refilled"
    " with its initial beads."
)
DRAWN = 12  # the number of pairs from each case that the figure shows as thin lines
LATER = LONG_AT[LONG_AT.index(GAMES) :]
COLOURS = {MICHIE: ORANGE, RESIGNING: VERMILION, UNPUNISHED: PURPLE, NEVER: BLUE, POSITIVE: GREEN, WORTHLESS: GREY}


def figure(measured: Measured, long_runs: LongRuns) -> Figure:
    """Plot exploitability against the number of games, with thick lines for medians and dashed lines for long runs."""
    result, axes = new_figure(1, 2, size=(14, 7), sharey=True)
    for side, axis in enumerate(axes[0]):
        for case, colour in COLOURS.items():
            axis.plot(AT, measured[case][side, :, :DRAWN], color=colour, alpha=0.25, linewidth=0.7)
            label = f"{case.numbers}: {case.text}".replace("`", "")
            axis.plot(AT, np.median(measured[case][side], axis=1), color=colour, linewidth=3, label=label)
        for case, runs in long_runs.items():
            for run in runs:
                axis.plot(LATER, run.exploitability[side, -len(LATER) :], "--", color=COLOURS[case], linewidth=1.2)
        axis.set(xscale="log", yscale="log", xlim=(100, LONG_GAMES), ylim=(1e-4, 1.2), xlabel="games (logarithmic)")
        axis.set_xticks([10**power for power in range(2, 9)], ["100", "1k", "10k", "100k", "1M", "10M", "100M"])
        axis.set_title(f"{Side.of_number(side)}, taught by a learner")
        axis.minorticks_off()
    axes[0, 0].set_ylabel("exploitability, exact (logarithmic)")
    result.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return result


def write_data(folder: Path, measured: Measured) -> None:
    """Write the median, its interval and the range to a CSV file, for every case, side and power of ten."""
    with (folder / "laslier-walliser.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("machines", "rewards", "side", "games", "pairs", "median", "low", "high", "least", "most"))
        for case, curves in measured.items():
            for side in Side:
                for games in (EARLY, LATE, GAMES):
                    values = at(curves, games)[side.number]
                    numbers = (np.median(values), *interval(values), values.min(), values.max())
                    shown = (f"{number:.6f}" for number in numbers)
                    rows.writerow((case.text.replace("`", ""), case.numbers, side, games, len(values), *shown))


def conditions(case: Case) -> list[str]:
    """Return a row that shows which conditions of the theorem a case satisfies."""
    win, draw, loss = case.rewards
    return [
        case.numbers,
        "yes" if loss >= 0 else "no: a loss removes a bead",
        "yes" if loss > 0 else "no",
        "yes" if win > draw > loss else "no",
    ]


def table(page: Page, measured: Measured) -> None:
    """Add the medians of each case."""
    looks = [(side, games) for side in Side for games in (LATE, GAMES)]
    header = ("machines", "rewards", *(f"{side}, {games // 10**6}M" for side, games in looks), "stand still")
    rows = []
    for case in CASES:
        medians = (f"{np.median(at(measured[case], games)[side.number]):.3f}" for side, games in looks)
        rows.append([case.text, case.numbers, *medians, f"{unmoved(measured[case]).sum()} of {2 * case.pairs}"])
    page.table(header, rows)


def long_rows(long_runs: LongRuns) -> list[list[str]]:
    """Return a row for each pair in the long runs."""
    rows = []
    for case, runs in long_runs.items():
        for seed, run in enumerate(runs, 1):
            ends = (f"{value:.4f}" for value in run.exploitability[:, -1])
            opened = (f"{some}/{total}" for some, total in zip(run.opened, run.boxes, strict=True))
            rows.append([f"{case.numbers}; seed {seed}", *ends, *opened, f"{100 * run.fullest:.0f} %"])
    return rows


def reproduce(folder: Path) -> None:
    """Play the games, and write the page."""
    measured = {case: curves_of(runs) for case, runs in play_pairs(CASES).items()}
    write(folder, measured, play_pairs(LONG_CASES, LONG_PAIRS, LONG_AT))


def write(folder: Path, measured: Measured, long_runs: LongRuns) -> None:
    """Write the page."""
    page = Page(folder, "laslier-walliser", "Does learning without punishment lead to perfect play?", machine=MACHINE)
    page.term("""*3, 1, -1*: the numbers of beads added after a win, a draw and a loss. *Punishment* means that a loss
        removes a bead.""")
    page.term("*Pair*: an X and an O that learn from each other. An *equilibrium* is perfect play by both sides.")
    page.term("*Kind*: a combination of rewards and a rule for the boxes.")
    page.summary(
        """Jean-François Laslier and Bernard Walliser proved in 2005 that players converge to perfect play if they
        choose moves in proportion to their payoffs so far (claim 1). Beads follow this rule if they are never removed,
        so machines without punishment should become perfect (claims 2, 3 and 8). We also ask whether machines with
        punishment stop improving (claims 4 and 5), and whether small differences between rewards slow learning (claims
        6 and 7).""",
        f"""Pairs of machines of {len(CASES)} kinds learned by playing {GAMES:,} games against each other; the kinds
        differ in their rewards and boxes. We computed the exact exploitability of each machine, which is the share of
        games that the best response wins minus the share that it loses.""",
        f"""Without punishment, machines keep improving, but slowly (claims 2 and 3: no), and not every pair becomes
        perfect (claim 8: no); claim 1 remains open. With punishment ({MICHIE.numbers}), many machines stop improving
        (claims 4 and 5: yes), because they no longer open many of their boxes. A reward for a loss slows learning
        (claim 6: yes); if a draw pays no more than a loss, O does not learn to draw (claim 7: yes).""",
    )
    page.claims(findings(measured, long_runs))
    page.figure(
        figure(measured, long_runs),
        "exploitability",
        f"""Exploitability against the number of games. Thick lines show medians, thin lines show the first {DRAWN}
        pairs, and dashed lines show the {LONG_PAIRS} pairs that continued to {LONG_GAMES:,} games.""",
    )
    sources(page)
    page.heading("Results by kind of machine")
    page.text(f"""A reward for a loss slows learning, because it makes the payoffs proportionally closer to each other.
        The table shows the median exploitability after 1 and 10 million games, for machines that draw beads as in
        training. A machine *stands still* if it keeps at least {100 * UNMOVED:.0f} % of its exploitability from game
        {LATE:,} to game {GAMES:,}; claims 4 and 5 use a weaker condition. There are {MORE_PAIRS} pairs of each kind
        with punishment, {FEW_PAIRS} pairs of each of the last four kinds, and {PAIRS} pairs of each other kind. The
        [CSV file](laslier-walliser.csv) also contains the {100 * CONFIDENCE:.0f} % confidence intervals.""")
    table(page, measured)
    write_data(folder, measured)
    long_section(page, long_runs)
    page.write()


def sources(page: Page) -> None:
    """Describe the source, and add the table of conditions."""
    page.heading("The theorem and its conditions")
    page.text("""The source is Jean-François Laslier and Bernard Walliser, A reinforcement learning process in extensive
        form games, International Journal of Game Theory 33 (2005), HAL halshs-00754083. We read only the abstract,
        because the paper was unavailable. We fixed the claims and thresholds before we computed the results, but after
        trials with other pairs.""")
    page.text("""The abstract names four conditions: players choose moves in proportion to their total payoffs, every
        player learns in this way, information is perfect, and the equilibrium (the perfect play of both sides) is
        unique. The proof may also need payoffs above 0, or different payoffs for different results. The table shows
        which rewards satisfy these conditions:""")
    header = ("rewards", "in proportion to what was paid", "all above 0", "all different")
    page.table(header, [conditions(case) for case in REWARDS if case is not RESIGNING])
    page.text("""The equilibrium is never unique, because all nine openings of tic-tac-toe lead to a draw. The theorem
        can therefore predict only that bad moves disappear. Our machines also differ from the theorem's players:
        different sequences of moves can lead to the same box, and boxes contain beads before the first payoff. The last
        four kinds in the next table vary the number of initial beads and the sharing of boxes.""")


def long_section(page: Page, long_runs: LongRuns) -> None:
    """Add the long runs, and explain their limitations."""
    page.heading(f"{LONG_GAMES:,} games")
    page.text(f"""Three pairs of each of two kinds continued to 100,000,000 games. A box counts as opened if a bead was
        drawn from it in the last nine tenths of the games. With punishment, many boxes are no longer opened. A move
        without beads returns only when its whole box is empty and is restocked, and a machine learns nothing about
        positions that it no longer reaches. A pile (the beads of one move) contains at most {MAX_BEADS:,} beads. Once a
        pile is full, the machine no longer follows the rule of the theorem.""")
    header = ("rewards, seed", "exploitability, X", "O", "boxes opened, X", "O", "fullest pile")
    page.table(header, long_rows(long_runs))
