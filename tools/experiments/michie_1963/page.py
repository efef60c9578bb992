"""Write the page about Michie 1963: the Pegasus program, its sliding origin, and a map of its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.common import BLACK, BLUE, GREY, VERMILION, Bench, mean_cell, new_figure, to_percent
from experiments.michie_1963.claims import BAND, commonest, findings, within
from experiments.michie_1963.plays import (
    EMERGED,
    ENDS,
    MOST_LIKELY,
    OPENINGS,
    PRINTED,
    RANDOM,
    TESTS,
    WHO,
    Course,
    course,
    digits_of,
    path_of,
)
from experiments.michie_1963.variation import (
    B_VALUES,
    D_VALUES,
    INFALLIBLE,
    MAP_MACHINES,
    MAP_PLAYS,
    PATIENT,
    best_of,
    by_strength,
    map_figure,
    map_of_a_and_b,
    map_of_a_and_d,
    strength_figure,
)
from experiments.page import LEAST_TO_MOST, RANGE, Page
from menace.arena.exact_strength import outcomes
from menace.learners.opponents.fixed import fixed_policy

MACHINES = 1000  # the number of machines in each experiment, with seeds 1 to 1000
FEWER = 150  # the number of machines for each of the other variants
FORMULA = 1.025**128  # the value of M_1 according to the formula
COUNTED = "michie-1963, ninth move counted"
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "michie-1963": ("michie-1963", {}),
    COUNTED: ("michie-1963", {"counts_forced": True}),
    f"michie-1963, M_1 = {FORMULA:.1f}": ("michie-1963", {"last": FORMULA}),
    "michie-1963-sliding": ("michie-1963-sliding", {}),
    "michie-1963-hundreds": ("michie-1963-hundreds", {}),
}
Variants = dict[str, dict[int, Course]]


def figure_of_plays(courses: dict[int, Course], random: tuple[float, float]) -> Figure:
    """Draw Michie's figures 7 to 9, each with a panel for the first player's wins and a panel for its wins or draws."""
    figure, axes = new_figure(2, 3, size=(16, 10), sharey=True)
    for column, (number, games) in enumerate(courses.items()):
        wins = games.shares[:, :, 0]
        for row, (ours, name) in enumerate(((wins, "wins"), (games.won_or_drawn(), "wins or draws"))):
            axis = axes[row, column]
            plays = 100 * (np.arange(ours.shape[1]) + 1)
            low, high = np.percentile(ours, BAND, axis=0)
            axis.fill_between(
                plays, low, high, color=BLUE, alpha=0.25, linewidth=0, label="ours: 95 % of 1,000 machines"
            )
            axis.plot(plays, np.median(ours, axis=0), color=BLUE, label="ours: median")
            axis.axhline(random[row], color=GREY, linestyle="--", label="random play, exactly")
            _printed(axis, number, row)
            axis.set(
                title=f"Figure {number}: {WHO[number]}\nfirst player {name}",
                ylim=(-0.02, 1.02),
                xlim=(50, plays[-1] + 50),
            )
            axis.set(xlabel="plays (each point: the hundred that ends there)" if row else "")
            to_percent(axis)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def _printed(axis: Axes, number: int, row: int) -> None:
    """The printed numbers are drawn as points."""
    for run, (both, marker, colour) in enumerate(zip(PRINTED[number], "os", (VERMILION, BLACK), strict=True)):
        plays = 100 * (np.arange(len(both[row])) + 1)
        label = f"printed, {('first', 'second')[run]} run"
        axis.plot(plays, np.array(both[row]) / 100, marker, color=colour, markersize=8, fillstyle="none", label=label,
                  markeredgewidth=2)  # fmt: skip


def random_rows(bench: Bench) -> list[list[str]]:
    """Return the exact and the printed results of random play."""
    rows = []
    for name, text in ((RANDOM, "over essentially distinct moves"), ("random", "over cells")):
        result = outcomes(*(fixed_policy(name, bench.positions, side) for side in (0, 1)))
        shares = (result.x_wins, result.o_wins, result.draw)
        rows.append([f"exactly, {text} (`{name}`)", *(f"{100 * share:.1f}" for share in shares)])
    rows += [[f"figure 5, test {test}", *map(str, counts)] for test, counts in TESTS.items()]
    return rows


def within_rows(variants: Variants) -> list[list[str]]:
    """Return the number of printed values within our bands, with and without the ninth move."""
    rows = []
    for name in ("michie-1963", COUNTED):
        inside = [within(variants[name][number], number) for number in PRINTED]
        share = sum(count for count, _ in inside) / sum(total for _, total in inside)
        rows.append([name, *(f"{count} of {total}" for count, total in inside), f"{100 * share:.0f} %"])
    return rows


def variant_rows(variants: Variants) -> list[list[str]]:
    """Return a row for each variant with its results in the three experiments."""
    rows = []
    for name, courses in variants.items():
        cells = [name]
        for number, end in ((7, 2), (8, 0)):
            lost = courses[number].exact[max(ENDS[number])][:, end]
            cells += [mean_cell(100 * lost), f"{100 * (lost < INFALLIBLE).mean():.1f}"]
        last = max(ENDS[9])
        drawn = courses[9].exact[last][:, 1]
        emerged = np.mean([play.probability >= MOST_LIKELY for play in courses[9].plays[last]])
        rows.append([*cells, mean_cell(100 * drawn), f"{100 * emerged:.1f}"])
    return rows


def reproduce(folder: Path) -> None:
    """Play the games, compare the results, and write the page."""
    bench = Bench()
    variants = {
        name: {
            number: course(bench, number, MACHINES if name == "michie-1963" else FEWER, preset, **settings)
            for number in PRINTED
        }
        for name, (preset, settings) in VARIANTS.items()
    }
    random = outcomes(*(fixed_policy(RANDOM, bench.positions, side) for side in (0, 1)))
    strengths = by_strength(bench)
    page = Page(folder, "michie-1963", "Michie 1963: the Pegasus program")
    page.term("*Play*: a game, in Michie's words. The *opener* is Nought, our X; the *second player* is Cross.")
    page.term("""*Odds*: p / (1 - p), where p is the probability of a move. A win multiplies the odds by a factor, and a
        loss divides them by this factor. A larger A changes the odds more (stronger *reinforcement*).""")
    page.term("*Infallible*: losing less than 0.1 % of the plays against random play.")
    page.term("""*Emerged*: a play has emerged if a pair of machines plays it more often than all other plays together.
        The digits of a play are its squares, in the order in which they are taken.""")
    page.term(f"""*Pair*: two runs, because Michie ran each experiment twice. Claims 5 to 8 use {PATIENT} machines that
        play more games.""")
    inside = [within(variants["michie-1963"][number], number) for number in PRINTED]
    page.summary(
        """In 1963 Donald Michie described six runs of a program for the Pegasus computer, which stores the odds of each
        move instead of beads. He says that neither the opener nor the second player became infallible (claims 2 to 4),
        because reinforcement was too strong (claims 5 to 8). Two programs that learned together became near-experts
        (claims 9 and 10) and settled on standard games, or *plays* (claims 11 to 13).""",
        f"""We repeated each of Michie's three experiments {MACHINES:,} times. We also drew the map of the program's
        parameters that he promised but did not publish.""",
        f"""Nearly all of Michie's results are typical: {sum(count for count, _ in inside)} of his
        {sum(total for _, total in inside)} printed numbers are within the range of the middle 95 % of our runs. Weaker
        reinforcement would have helped the opener (claim 5: yes), but not the second player (claim 6: no). Two machines
        that learned together draw with each other (claim 9), but the second player, which has met only one opponent,
        loses to an expert (claim 10: no).""",
    )
    _write_plays(page, bench, variants, (random.x_wins, random.x_wins + random.draw))
    page.claims(findings(bench, random, variants["michie-1963"], strengths))
    _write_notes(page, bench, variants)
    page.figure(
        strength_figure(strengths),
        "strength",
        f"""The share of infallible machines for each value of A. Each point shows {PATIENT} machines with B = 2 and an
        infinite M_1.""",
    )
    _write_variants(page, variants)
    _write_maps(page, bench)
    page.write()


def _write_plays(page: Page, bench: Bench, variants: Variants, random: tuple[float, float]) -> None:
    page.text("""The source is Donald Michie, Experiments on the mechanization of game-learning, Computer Journal 6
        (1963). In Michie's paper, a program replaces the matchboxes. After a win the program multiplies the odds p / (1
        - p) of its moves by M_n, and after a loss it divides them by M_n. Here n counts back from the end of the play,
        and M_n = A^(B^(8-n)) with A = 1.025 and B = 2, so the odds of later moves change more. We read the numbers in
        figures 7 to 9 by eye, to within 1 or 2 percent, from a copy at github.com/krzysztofwos/masters-thesis
        (resources/MENACE).""")
    link = page.numbers("random", ("random play, in percent", "Nought wins", "Cross wins", "drawn"), random_rows(bench))
    page.text(f"""In random play (his figure 5), the program opened in the centre {OPENINGS["centre"]} times, in a
        corner {OPENINGS["corner"]} times and at an edge {OPENINGS["edge"]} times. The program therefore chose with
        equal probability among *essentially distinct* moves, like our opponent `{RANDOM}`, and not among all cells.
        {link} compares the exact and the printed results of random play.""")
    page.heading("How it is reproduced")
    page.text(f"""We used preset `michie-1963` with seeds 1 to {MACHINES:,}. We made two choices: we used 2^40 for M_1,
        which is infinite in Michie's plot, and we left the forced ninth move out of n. Michie says that an opening move
        stands “as much as eight moves from the end”, and he never prints a ninth move, not even in `02417856 +`. The
        variants in the last section make the opposite choices.""")
    page.figure(
        figure_of_plays(variants["michie-1963"], random),
        "plays",
        """Plays won and drawn in Michie's figures 7 to 9. The points show Michie's numbers, and the band contains the
        middle 95 % of our machines.""",
    )
    not_counted, counted = (row[4] for row in within_rows(variants))
    page.text(f"""The band that contains the middle {BAND[1] - BAND[0]:g} % of our machines contains {not_counted} of
        the printed numbers, or {counted} if the ninth move is counted. Michie's figures therefore do not show which
        choice is right.""")


def _write_notes(page: Page, bench: Bench, variants: Variants) -> None:
    page.text("""We wrote down the thresholds before the run. Later we made two more decisions: to compare what Michie
        saw in two runs with pairs of our runs, and to look for standard play at the points that arrows mark in figure
        9.""")
    page.heading("The plays that emerge")
    end = min(ENDS[9])
    rows, perfect = commonest(bench, variants["michie-1963"][9].plays[end])
    page.text(f"""We name equivalent squares by their lowest number, so Michie's play {EMERGED[0]} becomes
        {digits_of(bench, path_of(bench, EMERGED[0]))}. We end a play when its outcome is certain. In our first run,
        plays continued to the last move, and two of the verdicts were different. The table shows the six plays that
        are most frequent after {100 * end} games. Of these six plays, {perfect} are drawn without a mistake.""")
    page.table(("play", "printed", "percent of pairs"), rows)


def _write_variants(page: Page, variants: Variants) -> None:
    page.heading("Variants, and the map that he promised")
    header = ("in percent", "opener loses to random", "infallible", "second player loses to random", "infallible",
              "both learn: drawn", "a play has emerged")  # fmt: skip
    rows = variant_rows(variants)
    page.keep_ranges("Variants", header, rows, LEAST_TO_MOST)
    link = page.numbers("variants", header, [[RANGE.sub("", cell) for cell in row] for row in rows])
    page.text(f"""Michie announced a *sliding origin* (table 3) but did not test it. With a sliding origin, a result
        counts as good or bad relative to the weighted mean of past results; we set the weight D to 0.98. {link} lists
        the exact results of this and other variants after {100 * max(ENDS[7]):,} plays, or after {100 * max(ENDS[9])}
        plays if both sides learn.""")


def _write_maps(page: Page, bench: Bench) -> None:
    of_b, of_d = map_of_a_and_b(bench), map_of_a_and_d(bench)
    page.figure(
        map_figure(of_b, "B", B_VALUES, 2.0),
        "a-b",
        "Losses and draws for different values of A and B, with a fixed origin. Light cells are good, and the frame"
        " marks Michie's choice.",
    )
    page.figure(
        map_figure(of_d, "D", D_VALUES, None),
        "a-d",
        "Losses and draws for different values of A and D, with a sliding origin and B = 2. Light cells are good.",
    )
    rows = []
    for name, losses, columns in (
        ("A, B: fixed origin", of_b, B_VALUES),
        ("A, D: sliding origin", of_d, D_VALUES),
    ):
        for row, plays in enumerate(MAP_PLAYS):
            best = [best_of(losses, row, measure, columns) for measure in range(3)]
            texts = [f"{100 * value:.1f} ({a:g}, {column:g})" for a, column, value in best]
            rows.append([name, f"{plays:,}", *texts])
    link = page.numbers("best", ("map", "plays", "opener loses", "second player loses", "both draw"), rows)
    page.text(f"""Michie promised “the systematic variation of these parameters” for his next paper. The last two
        figures show such maps: each number is the exact mean of {MAP_MACHINES} machines, with an infinite M_1. {link}
        lists the best cells.""")
