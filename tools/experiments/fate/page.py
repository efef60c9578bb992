"""The page on when a machine's fate is decided: its figure, table and findings. study.py computes the shares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiments.claims import Finding
from experiments.common import BLUE, GREY, ORANGE, in_thousands, new_figure, to_percent
from experiments.fate import study as f
from experiments.fate.study import FORKS, KINDS, MEASURES, TEACHERS, Fates
from experiments.page import Page

COLOURS = dict(zip(TEACHERS, (BLUE, ORANGE), strict=True))
SAMPLED_FAMILIES, SAMPLED_FORKS, SAMPLED_GAMES = 20, (10, 100), 500  # a small run that the tests repeat


def figure(fates: Fates) -> Figure:
    """Draw the shares against the number of games before the copies, by kind (columns) and measure (rows)."""
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
    """Yield a row for each kind, teacher and measure."""
    for (kind, teacher, measure), shares in fates.items():
        yield [f"`{kind}`", TEACHERS[teacher], measure, *(str(shares[FORKS.index(k)]) for k in SHOWN)]


SHOWN = (1, 10, 100, 1_000)  # forks in the table


def findings(fates: Fates) -> list[Finding]:
    """Judge the claims."""
    urn, first, later = f.CLAIMS
    own, perfect = (fates["menace", teacher, "opening"] for teacher in TEACHERS)
    furthest = max(abs(share.value - f.urn(k)) for k, share in zip(FORKS, own, strict=True))
    beside = (f"k = {k:,}: {own[FORKS.index(k)].value:.2f} beside {f.urn(k):.2f}" for k in SHOWN)
    after = (f"{100 * perfect[FORKS.index(k)].value:.0f} % after {k:,}" for k in (1, 10, f.FIRST))
    cases = [
        tuple(f.decided_after(fates[kind, teacher, measure]) for measure in MEASURES)
        for kind, teacher in product(KINDS, TEACHERS)
    ]
    late = [strength >= f.LATER * opening for opening, strength in cases]
    half = "; ".join(
        f"`{kind}`, {teacher}: "
        + ("no two differ" if np.isnan(fates[kind, teacher, "opening"][-1].value) else f"{opening:,} / {strength:,}")
        for (kind, teacher), (opening, strength) in zip(product(KINDS, TEACHERS), cases, strict=True)
    )
    return [
        urn.judged(f"{'; '.join(beside)}; at most {furthest:.2f} apart", furthest <= f.URN),
        first.judged(", ".join(after), perfect[FORKS.index(f.FIRST)].value >= f.DECIDED),
        later.judged(
            f"half is decided after so many games (opening / strength): {half}",
            all(late),
            f"{sum(late)} of {len(late)} cases",
        ),
    ]


def sample() -> list[str]:
    """Return lines of the page that take a second: the shares in a small run."""
    values = f.played("menace", "perfect", SAMPLED_FORKS, SAMPLED_FAMILIES, SAMPLED_GAMES)
    return [
        f"`menace` taught by a perfect player, {SAMPLED_FAMILIES} families copied after {fork} games, {SAMPLED_GAMES}"
        f" games in all: {measure} {f.share_between(row[..., part])}"
        for fork, row in zip(SAMPLED_FORKS, values, strict=True)
        for measure, part in MEASURES.items()
    ]


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    fates = f.all_fates()
    page = Page(folder, "fate", "When is a machine's fate decided?", "Asked")
    page.claims(findings(fates))
    perfect = fates["menace", "perfect", "opening"]
    last = FORKS[-1]
    undecided = [fates[kind, "itself", "strength"][-1].value for kind in ("td", "q-learning")]
    page.summary(
        """Two machines with the same settings end differently, because chance makes them play different games. After
        how many games is a machine's future decided?""",
        f"""A machine plays k games, then each of {f.COPIES} copies goes on alone to {f.GAMES:,}. The decided share is
        the part of the variance that lies between {f.FAMILIES} such families.""",
        f"""The opening of a MENACE that teaches itself follows Pólya's urn. If a perfect player teaches it, {f.FIRST}
        games decide {100 * perfect[FORKS.index(f.FIRST)].value:.0f} % of its opening. If TD(0) and Q-learning teach
        themselves, {last:,} games decide only {100 * undecided[0]:.0f} and {100 * undecided[1]:.0f} % of their
        strength.""",
    )
    page.figure(
        figure(fates),
        "shares",
        f"""The decided share of the opening (top) and of the strength (bottom); bands are {100 * f.LEVEL:.0f} %
        intervals. No two Q-learners taught by a perfect player differ, so they have no curve.""",
    )
    page.heading("The decided shares")
    page.text("""*Opening*: the probabilities with which X opens in a corner, at an edge and in the centre. *Strength*:
        the exact value against the best response. Both describe the machine as it trains: it draws beads or explores.
        The table shows each share with its 95 % interval.""")
    page.table(("machine", "teacher", "measure", *(f"k = {k:,}" for k in SHOWN)), rows(fates))
    page.text("""`td` and `q-learning` keep forgetting (our reading): their step size never shrinks, so later games
        overwrite earlier lessons. If a perfect player teaches them, nearly all open alike. The wide intervals for `td`
        mean that few of these families differ from the others.""")
    page.heading("How the share is computed")
    page.text(f"""The share is the intraclass correlation of one-way random effects. With the mean square between
        families B and the mean square within families W, it is (B - W) / (B + {f.COPIES - 1} W). Mean squares of the
        opening are summed over the three moves. The interval comes from {f.RESAMPLES:,} resamples of the families. An
        estimate can fall below 0 where the families do not differ.""")
    page.text(f"""Presets `{"`, `".join(KINDS)}` play X, and equivalent boards share a box. *Itself* is the same preset
        as O, which learns and is copied too. The claims and thresholds were committed before the program ran.""")
    page.sample(sample())
    page.write()
