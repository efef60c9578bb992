"""Write the page on when a machine's fate is decided, using the shares that study.py computes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from matplotlib.figure import Figure

from experiments.claims import Finding
from experiments.common import BLUE, GREY, ORANGE, in_thousands, new_figure, to_percent
from experiments.fate import study as f
from experiments.fate.study import FORKS, KINDS, MEASURES, TEACHERS, Fates
from experiments.page import BEADS_AND_VALUES, Page

COLOURS = dict(zip(TEACHERS, (BLUE, ORANGE), strict=True))
SAMPLED_FAMILIES, SAMPLED_FORKS, SAMPLED_GAMES = 20, (10, 100), 500  # the tests repeat this small run


def figure(fates: Fates) -> Figure:
    """Plot the shares of the variance against the number of games that a machine played before it was copied.

    The figure has a column for each kind of machine and a row for each measure.
    """
    drawn, axes = new_figure(2, 3, size=(15, 9), sharex=True, sharey=True)
    for (row, measure), (column, kind) in product(enumerate(MEASURES), enumerate(KINDS)):
        axis = axes[row, column]
        for teacher, words in TEACHERS.items():
            values, low, high = zip(*fates[kind, teacher, measure], strict=True)
            axis.fill_between(FORKS, low, high, color=COLOURS[teacher], alpha=0.2, linewidth=0)
            axis.plot(FORKS, values, color=COLOURS[teacher], marker="o", label=words)
        if measure == "opening":
            axis.plot(
                FORKS, [f.urn(k) for k in FORKS], color=GREY, linestyle="--", label=f"Pólya's urn, k / ({f.BEADS} + k)"
            )
        axis.set(title=f"{KINDS[kind]}: {measure}", xscale="log", ylim=(-0.1, 1.05))
        to_percent(axis)
        in_thousands(axis)
    for axis in axes[-1]:
        axis.set_xlabel("games before the copies (k)")
    for axis in axes[:, 0]:
        axis.set_ylabel("decided share of the variance")
    drawn.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    drawn.suptitle(f"How much of a machine after {f.GAMES:,} games was decided by its first k games")
    return drawn


def rows(fates: Fates) -> Iterator[list[str]]:
    """Yield a table row for each kind of machine, teacher and measure."""
    for (kind, teacher, measure), shares in fates.items():
        yield [f"`{kind}`", TEACHERS[teacher], measure, *(str(shares[FORKS.index(k)]) for k in SHOWN)]


SHOWN = (1, 10, 100, 1_000)  # the forks that are shown in the table


def findings(fates: Fates) -> list[Finding]:
    """Check the claims."""
    urn, first, later = f.CLAIMS
    own, perfect = (fates["menace", teacher, "opening"] for teacher in TEACHERS)
    furthest = max(abs(share.value - f.urn(k)) for k, share in zip(FORKS, own, strict=True))
    decided = perfect[FORKS.index(f.FIRST)].value
    cases = [
        tuple(f.decided_after(fates[kind, teacher, measure]) for measure in MEASURES)
        for kind, teacher in product(KINDS, TEACHERS)
    ]
    late = [strength >= f.LATER * opening for opening, strength in cases]
    where = [
        f"`{kind}`, {TEACHERS[teacher]}"
        for (kind, teacher), so in zip(product(KINDS, TEACHERS), late, strict=True)
        if so
    ]
    return [
        urn.judged(f"the difference is at most {furthest:.2f}", furthest <= f.URN),
        first.judged(f"the decided share is {decided:.2f}", decided >= f.DECIDED),
        later.judged(
            f"true only of {' and '.join(where) or 'no case'}",
            all(late),
            f"{sum(late)} of {len(late)} cases",
        ),
    ]


def sample() -> list[str]:
    """Return the shares for a small run, which takes a second to compute."""
    values = f.played("menace", "perfect", SAMPLED_FORKS, SAMPLED_FAMILIES, SAMPLED_GAMES)
    return [
        f"`menace` taught by a perfect player, {SAMPLED_FAMILIES} families copied after {fork} games, {SAMPLED_GAMES}"
        f" games in all: {measure} {f.share_between(row[..., part])}"
        for fork, row in zip(SAMPLED_FORKS, values, strict=True)
        for measure, part in MEASURES.items()
    ]


def reproduce(folder: Path) -> None:
    """Play the games, and write the page."""
    fates = f.all_fates()
    page = Page(folder, "fate", "When is a machine's fate decided?", "Question", BEADS_AND_VALUES)
    page.term("*Opening*: the probabilities with which X opens in a corner, at an edge and in the centre.")
    page.term("*Strength*: the machine's exact result against its best response.")
    page.term(f"""*Pólya's urn*: an urn from which beads are drawn at random. After each draw, the bead is put back
        together with another bead of the same colour. If the urn begins with {f.BEADS} beads, the first k draws decide
        a share of k / ({f.BEADS} + k) of the final mixture.""")
    page.term("*Itself*: an opponent with the same preset that plays O, also learns, and is also copied.")
    page.claims(findings(fates))
    own, perfect = (fates["menace", teacher, "opening"] for teacher in TEACHERS)
    last = FORKS[-1]
    undecided = [fates[kind, "itself", "strength"][-1].value for kind in ("td", "q-learning")]
    page.summary(
        """After how many games is it decided how a machine will open and how strong it will be? We expected that
        self-play decides the opening slowly, as in the lottery called Pólya's urn (claim 1). We also expected a perfect
        teacher to decide the opening in the first games (claim 2), and the strength to be decided much later (claim
        3).""",
        f"""Each of {f.FAMILIES} machines played k games, and {f.COPIES} copies of each machine then continued
        separately until game {f.GAMES:,}. If the copies of a machine are alike at the end, the first k games decided
        its fate. The *decided share* measures this, from 0 (copies of one machine differ as much as different machines)
        to 1 (all copies are identical).""",
        f"""In self-play, {f.FIRST} games decide {100 * own[FORKS.index(f.FIRST)].value:.0f} % of MENACE's opening
        (claim 1: yes); with a perfect teacher, they decide {100 * perfect[FORKS.index(f.FIRST)].value:.0f} % (claim 2:
        yes). The strength is usually not decided much later (claim 3: no). In self-play, however, the strength of two
        methods that store values never settles: {last:,} games decide only {100 * undecided[0]:.0f} % of it for TD(0)
        and {100 * undecided[1]:.0f} % for Q-learning.""",
    )
    page.figure(
        figure(fates),
        "shares",
        f"""The decided share of the opening (top) and of the strength (bottom), with {100 * f.LEVEL:.0f} % intervals as
        bands. All Q-learning machines taught by a perfect player become identical, so they have no curve.""",
    )
    page.heading("The decided shares")
    header, listed = ("machine", "teacher", "measure", *(f"k = {k:,}" for k in SHOWN)), list(rows(fates))
    link = page.numbers("shares", header, listed)
    page.text(
        f"""We measured the opening and the strength of each machine as it played in training, that is, while it drew
        beads or explored. {link} lists the decided shares with their 95 % intervals. A dash means that all machines
        became identical."""
    )
    page.table(header, [[cell.partition(" (")[0] for cell in row] for row in listed])
    page.text("""We think that `td` and `q-learning` forget: their alpha never shrinks, so later games overwrite earlier
        lessons. If a perfect player teaches these machines, nearly all of them open in the same way. The intervals for
        `td` are wide because few *families* (the copies of one machine) differ from the others.""")
    page.heading("How the share is computed")
    page.text(f"""The decided share is the intraclass correlation in a one-way random-effects model. The share is (B -
        W) / (B + {f.COPIES - 1} W), where B is the mean square between families and W is the mean square within
        families. We computed the intervals from {f.RESAMPLES:,} resamples of the families. The estimated share can be
        below 0 if the families do not differ. We committed the claims and thresholds before the program ran.""")
    page.sample(sample())
    page.write()
