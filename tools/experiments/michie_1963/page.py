"""Michie 1963: the Pegasus program: its figures and claims, its sliding origin, and the map of A, B and D."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.common import (
    BLACK,
    BLUE,
    GREY,
    VERMILION,
    Bench,
    new_figure,
    percent,
    raw_numbers,
    to_percent,
)
from experiments.michie_1963.claims import BAND, commonest, findings, within
from experiments.michie_1963.plays import (
    EMERGED,
    ENDS,
    LEARNS,
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
    seats,
)
from experiments.michie_1963.variation import (
    A_VALUES,
    B_VALUES,
    D_VALUES,
    INFALLIBLE,
    MAP_MACHINES,
    MAP_PLAYS,
    PATIENT,
    STRENGTHS,
    best_of,
    by_strength,
    map_figure,
    map_of_a_and_b,
    map_of_a_and_d,
    measured,
    strength_figure,
)
from experiments.page import Page
from menace.arena.exact_strength import outcomes
from menace.learners.opponents.fixed import fixed_policy

MACHINES = 1000  # of each experiment, seeds 1 to 1000
FEWER = 150  # of each other variant
FORMULA = 1.025**128  # what M_1 would be by the formula
COUNTED = "michie-1963, the forced ninth move counted"
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "michie-1963": ("michie-1963", {}),
    COUNTED: ("michie-1963", {"counts_forced": True}),
    f"michie-1963, M_1 = {FORMULA:.1f}": ("michie-1963", {"last": FORMULA}),
    "michie-1963-sliding": ("michie-1963-sliding", {}),
    "michie-1963-hundreds": ("michie-1963-hundreds", {}),
}
Variants = dict[str, dict[int, Course]]


def figure_of_plays(courses: dict[int, Course], random: tuple[float, float]) -> Figure:
    """Draw his figures 7 to 9, each in two panels: what the first player won, and what it won or drew."""
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
    """Draw what was printed as points."""
    for run, (both, marker, colour) in enumerate(zip(PRINTED[number], "os", (VERMILION, BLACK), strict=True)):
        plays = 100 * (np.arange(len(both[row])) + 1)
        label = f"printed, {('first', 'second')[run]} run"
        axis.plot(plays, np.array(both[row]) / 100, marker, color=colour, markersize=8, fillstyle="none", label=label,
                  markeredgewidth=2)  # fmt: skip


def random_rows(bench: Bench) -> list[list[str]]:
    """Return random play exactly, and as printed."""
    rows = []
    for name, text in ((RANDOM, "over essentially distinct moves"), ("random", "over cells")):
        result = outcomes(*(fixed_policy(name, bench.positions, side) for side in (0, 1)))
        shares = (result.x_wins, result.o_wins, result.draw)
        rows.append([f"exactly, alike {text} (`{name}`)", *(f"{100 * share:.1f}" for share in shares)])
    rows += [[f"figure 5, test {test}", *map(str, counts)] for test, counts in TESTS.items()]
    return rows


def within_rows(variants: Variants) -> list[list[str]]:
    """Return how many printed numbers lie within our bands, with the ninth move counted and not."""
    rows = []
    for name in ("michie-1963", COUNTED):
        inside = [within(variants[name][number], number) for number in PRINTED]
        share = sum(count for count, _ in inside) / sum(total for _, total in inside)
        rows.append([name, *(f"{count} of {total}" for count, total in inside), f"{100 * share:.0f} %"])
    return rows


def variant_rows(variants: Variants) -> list[list[str]]:
    """Return the results of each variant in the three experiments, a row each."""
    rows = []
    for name, courses in variants.items():
        cells = [name]
        for number, end in ((7, 2), (8, 0)):
            lost = courses[number].exact[max(ENDS[number])][:, end]
            cells += [percent(lost), f"{100 * (lost < INFALLIBLE).mean():.1f} %"]
        last = max(ENDS[9])
        drawn = courses[9].exact[last][:, 1]
        emerged = np.mean([play.probability >= MOST_LIKELY for play in courses[9].plays[last]])
        rows.append([*cells, percent(drawn), f"{100 * emerged:.1f} %"])
    return rows


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: the first seed."""
    bench, lines = Bench(), []
    for name, (preset, settings) in VARIANTS.items():
        for number, learns in LEARNS.items():
            x, o = seats(bench, learns, preset, **settings)
            bench.play(x, o, 1000, raw_numbers(1, 0))
            shares = bench.outcomes(x, o, "behaviour")
            text = " / ".join(f"{100 * share:.4f}" for share in shares)
            lines.append(f"{name}, {WHO[number]}, seed 1, after 1,000 plays: X wins / draws / O wins {text} %")
    shares_of_ends = measured(bench, (200,), "michie-1963", growth=1.01, steepness=1.5)[0]
    lines.append(f"A = 1.01, B = 1.5, after 200 plays: {', '.join(f'{100 * share:.4f} %' for share in shares_of_ends)}")
    return lines


def reproduce(folder: Path) -> None:
    """Play, compare, and write the page."""
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
    inside = [within(variants["michie-1963"][number], number) for number in PRINTED]
    page.summary(
        "By Michie, what his program for a Pegasus computer learned in six runs of up to a thousand plays.",
        f"{MACHINES:,} runs of each of his experiments, and his promised map of its parameters.",
        f"""{sum(count for count, _ in inside)} of {sum(total for _, total in inside)} numbers of his figures are
        ordinary ones of ours. Two machines that learned together draw with each other, and the second player still
        loses to an expert.""",
    )
    _write_plays(page, bench, variants, (random.x_wins, random.x_wins + random.draw))
    page.claims(findings(bench, random, variants["michie-1963"], strengths))
    _write_notes(page, bench, variants)
    page.heading("Too strong?")
    page.text(f"""A alone is varied; B = 2 and an infinite M_1 stay. Of {PATIENT} machines of each kind, how many are
        infallible, that is, lose less than {100 * INFALLIBLE:g} % of their plays to random play, exactly.""")
    page.figure(
        strength_figure(strengths),
        "strength",
        f"""Infallible machines by A, after so many plays, of {PATIENT}
        each.""",
    )
    _write_variants(page, variants)
    _write_maps(page, bench)
    page.sample(sample())
    page.write()


def _write_plays(page: Page, bench: Bench, variants: Variants, random: tuple[float, float]) -> None:
    page.text("""D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963): a program for
        a Pegasus 2 takes the place of the matchboxes. After a play it multiplies the odds p / (1 - p) of its moves by
        M_n after a win and divides them after a loss; n counts back from the end of the play, and
        M_n = A^(B^(8-n)) with A = 1.025 and B = 2. We read it in the transcription and the scanned figures at
        github.com/krzysztofwos/masters-thesis (resources/MENACE); the numbers of figures 7 to 9 are read off by eye,
        to 1 to 2 percent.""")
    page.heading("Random play (figure 5)")
    page.text(f"""He prints two hundred plays, as numbers of squares (1 2 3 / 8 0 4 / 7 6 5). They open in the centre, a
        corner, an edge {OPENINGS["centre"]}, {OPENINGS["corner"]} and {OPENINGS["edge"]} times: random means alike over
        *essentially distinct* moves, and so does our opponent `{RANDOM}`.""")
    page.table(("random play, in percent", "Nought wins", "Cross wins", "drawn"), random_rows(bench))
    page.heading("How it is reproduced")
    page.text(f"""Preset `michie-1963`; {MACHINES:,} machines of each experiment, seeds 1 to {MACHINES:,}, for as many
        plays as his: figure 7 has runs of 1,000 and 800 plays, figure 8 two of 1,000, figure 9 of 600 and 800.
        Percentages are counted from the plays themselves, by hundreds, as he did; what is called exact is computed from
        the machine as it then plays. Nought, who opens, is X in this package, and Cross is O.""")
    page.text(f"""Where it may differ: M_1 is infinite in his plot; here it is 2^40, as no weight falls below 2^-40 of
        its position's sum. That the forced ninth move is not counted in n is an inference: he says that an opening move
        may stand “as much as eight moves from the end”, and prints no ninth move, not even in `02417856 +`
        (figure 5), which Nought wins with it. The setting `counts_forced` counts it. A third variant caps M_1 at
        {FORMULA:.1f}, its value by the formula. Figure 6 is said to hold for “Figs. 6-8”; we take it that 7 to 9 are
        meant.""")
    page.figure(
        figure_of_plays(variants["michie-1963"], random),
        "plays",
        """His figures 7 to 9: points are his, read
        off; the band holds 95 % of our machines at each hundred.""",
    )
    page.text(f"""How many of the printed numbers lie within the band of {BAND[1] - BAND[0]:g} % (give or take one
        percent, since they were read off), which {MACHINES:,} machines make, {FEWER} where the
        ninth move is counted:""")
    rows = within_rows(variants)
    page.table(("setting", *(f"figure {number}" for number in PRINTED), "together"), rows)
    shares = [float(row[-1].split()[0]) for row in rows]
    decided = "speak for the one with more" if min(shares) < BAND[1] - BAND[0] else "do not decide it"
    page.text(f"""Not counted and counted, {" and ".join(row[-1] for row in rows)} of the numbers lie within: the
        figures {decided}.""")


def _write_notes(page: Page, bench: Bench, variants: Variants) -> None:
    page.heading("How it is judged")
    page.text("""Thresholds stand in the module and were written before the run; that what he saw in two runs is judged
        by pairs of ours was settled later, where half of them had been asked for, and that standard play is looked for
        at the arrows of figure 9, where it had been at the end of each run. His second run against random Cross, as
        printed, lost none of its last 400 plays: *infallible* must mean more to him than a few hundred plays without a
        loss, and so it does here.""")
    page.heading("The plays that emerge")
    end = min(ENDS[9])
    page.text(f"""The likeliest play of a pair after {100 * end} plays, if it comes more often than all others together;
        up to symmetry, squares that are alike by the lowest number (his {EMERGED[0]} is
        {digits_of(bench, path_of(bench, EMERGED[0]))} so). A play is followed until its outcome is certain whatever
        comes: that is where both of his end as printed, one after eight moves and one after seven, and where drawn
        plays of figure 5 do (`1042653`). (A first run followed plays to their last move. His second play then emerged
        in no pair, since its eighth move is indifferent, and two verdicts above were the other way. What is measured
        was changed to his print, the thresholds were not.) Each of his two is one of many plays: where the verdict on
        it is *no*, most runs have another play or none yet. The six commonest:""")
    header = ("play", "printed", "of all pairs", "end", "mistakes")
    page.table(header, commonest(bench, variants["michie-1963"][9].plays[end]))


def _write_variants(page: Page, variants: Variants) -> None:
    page.heading("The forced ninth move, M_1, and the sliding origin")
    page.text(f"""The sliding origin (table 3) is the improvement that he announced, without a run: results count from
        mu, the weighted mean of those before, and no claim is judged by it. After 1, 10 and 50 wins mu is .505, .918
        and .989 with D = 0.98, which is ours; he gives none. That the play in hand is not in mu is our reading of “past
        plays”, for which V_0 = 0 gives a value before the first. (The transcription's text has table 3 with another
        exponent; the scan has the weights that sum to 1.) `michie-1963-hundreds` takes the mean by sets of a hundred
        plays, as his program did. After {100 * max(ENDS[7]):,} plays, and {100 * max(ENDS[9])} where both learn;
        {MACHINES:,} machines of the first, {FEWER} of the others; exactly, as they then play:""")
    header = ("variant", "opener loses to random", "infallible", "second player loses to random", "infallible",
              "both learn: drawn", "a play has emerged")  # fmt: skip
    page.table(header, variant_rows(variants))


def _write_maps(page: Page, bench: Bench) -> None:
    page.heading("A, B and D: the map that he promised")
    page.text(f"""“The next paper of this series will describe the effects upon learning performance which result from
        the systematic variation of these parameters.” Here it is done: each number is exact for a machine as it then
        plays, and the mean of {MAP_MACHINES} machines, after {MAP_PLAYS[0]:,} and {MAP_PLAYS[1]:,} plays; M_1 is
        infinite throughout. Framed: his A and B.""")
    of_b, of_d = map_of_a_and_b(bench), map_of_a_and_d(bench)
    page.figure(
        map_figure(of_b, "B", B_VALUES, 2.0),
        "a-b",
        """Fixed origin: A and B. Light is good; the frame is what
        Michie ran.""",
    )
    page.figure(map_figure(of_d, "D", D_VALUES, None), "a-d", """Sliding origin, B = 2: A and D. Light is good.""")
    rows = []
    for name, losses, columns in (
        ("A and B, fixed origin", of_b, B_VALUES),
        ("A and D, sliding origin", of_d, D_VALUES),
    ):
        for row, plays in enumerate(MAP_PLAYS):
            best = [best_of(losses, row, measure, columns) for measure in range(3)]
            texts = [f"{100 * value:.1f} % at A = {a:g}, {name[6]} = {column:g}" for a, column, value in best]
            rows.append([name, f"{plays:,}", *texts])
    page.text("""Where each map is best:""")
    page.table(("map", "plays", "opener loses least", "second player loses least", "both draw most"), rows)


__all__ = ["A_VALUES", "STRENGTHS", "reproduce", "sample"]
