"""Count the games of self-play until a machine is unbeatable, with and without symmetry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import BLUE, ORANGE, SEEDS, UNBEATEN, measured, new_figure
from experiments.page import BEADS_AND_VALUES, Page, ranged
from menace.arena.run_schedule import Marks
from menace.games.base import Side
from menace.games.symmetry import SYMMETRY_USES, SymmetryUse

FIFTEEN = SEEDS[:15]  # there is an odd number of seeds, so that the median is one of the marks
_, *AT = Marks().list_up_to(1_000_000)
NEVER_AT = 5 * AT[-1]  # where the figure shows, on the x axis, machines that can still be beaten after training
PRESETS = ("menace", "zhang", "q-table", "sala", "value-function", "michie-1963")
LABELS = {"full": "with symmetry (765 positions)", "none": "without (5,478 boards)"}
COLOURS = {"full": BLUE, "none": ORANGE}
DESIGN: Mapping[str, Any] = {
    "grid": {"symmetry": SYMMETRY_USES, "plays": ("X", "O")},
    "games": AT[-1],
    "seeds": len(FIFTEEN),
    "policies": "greedy",
}
UnbeatenFlags: TypeAlias = dict[tuple[str, SymmetryUse], NDArray[Any]]  # the values are arrays [sides, seeds, marks]


def unbeaten(preset: str) -> UnbeatenFlags:
    """Return whether each machine of a preset that learns by self-play is unbeatable at each mark."""
    losses = measured("best_response.losses", preset=preset, against={"preset": preset}, **DESIGN)[..., 1:]
    return {(preset, symmetry): flags for symmetry, flags in zip(SYMMETRY_USES, losses < UNBEATEN, strict=True)}


def first_marks(flags: NDArray[np.bool_]) -> list[float]:
    """Return the first mark at which each seed's machine is unbeatable, or infinity if there is none.

    `flags` is an array [seeds, marks].
    """
    return [float(AT[row.argmax()]) if row.any() else math.inf for row in flags]


def games_text(games: float, later: str) -> str:
    """Return a number of games as text, or the text `later` if the number is infinite."""
    return f"{games:,.0f}" if math.isfinite(games) else later


def cell(flags: NDArray[np.bool_]) -> str:
    """Return the median over the seeds, with its range."""
    first = first_marks(flags)
    late = f"not within {AT[-1]:,}"
    if math.isinf(min(first)):
        return late
    return games_text(median(first), late) + ranged(games_text(min(first), late), games_text(max(first), "later"))


def figure(results: UnbeatenFlags) -> Any:
    """Draw the medians with and without symmetry in pairs, and each seed as a small dot."""
    result, axes = new_figure(1, 2, size=(14, 6.5), sharey=True)
    for side, axis in enumerate(axes[0]):
        for row, preset in enumerate(PRESETS):
            medians = []
            for shift, symmetry in zip((-0.16, 0.16), SYMMETRY_USES, strict=True):
                first = np.minimum(first_marks(results[preset, symmetry][side]), NEVER_AT)
                medians.append(float(np.median(first)))
                jitter = row + shift + np.linspace(-0.09, 0.09, len(first))
                axis.plot(first, jitter, ".", color=COLOURS[symmetry], alpha=0.5, markersize=9, markeredgewidth=0)
            axis.plot(medians, [row - 0.16, row + 0.16], color="#888888", linewidth=1.5)
            for shift, symmetry, games in zip((-0.16, 0.16), SYMMETRY_USES, medians, strict=True):
                marker = {"full": "o", "none": "D"}[symmetry]
                label = LABELS[symmetry] if row == 0 else None
                axis.plot(games, row + shift, marker, color=COLOURS[symmetry], markersize=12, label=label)
        axis.axvspan(2 * AT[-1], 12 * AT[-1], color="#eeeeee", zorder=0)
        axis.set(
            title=f"Greedy {Side.of_number(side)}",
            xscale="log",
            xlim=(0.7, 12 * AT[-1]),
            xlabel="games of self-play (logarithmic)",
        )
        axis.set_xticks([*(10**power for power in range(7)), NEVER_AT])
        axis.set_xticklabels(["1", "10", "100", "1k", "10k", "100k", "1M", "later"])
        axis.minorticks_off()
    axes[0, 0].set_yticks(range(len(PRESETS)), PRESETS)
    axes[0, 0].invert_yaxis()
    result.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    result.suptitle("Games until nobody can beat the greedy machine: median (large) and each seed (small)", fontsize=15)
    return result


def medians(results: UnbeatenFlags, preset: str, side: int) -> tuple[float, float]:
    """Return the median numbers of games with and without symmetry."""
    full, none = (median(first_marks(results[preset, symmetry][side])) for symmetry in SYMMETRY_USES)
    return full, none


def ratio(full: float, none: float) -> str:
    """Return the ratio of the number of games needed without symmetry to the number needed with symmetry."""
    if not math.isfinite(full):
        return "-"
    return f"{none / full:.3g} times" if math.isfinite(none) else f"more than {AT[-1] / full:.3g} times"


def reproduce(folder: Path) -> None:
    """Train the machines, measure them, and write the page."""
    results = {key: flags for preset in PRESETS for key, flags in unbeaten(preset).items()}
    page = Page(folder, "symmetry", "How many games does symmetry save?", machine=BEADS_AND_VALUES)
    both = [medians(results, preset, side) for preset in PRESETS for side in (0, 1)]
    ratios = [none / full for full, none in both if math.isfinite(full) and math.isfinite(none)]
    beyond = [
        f"{ratio(full, none).removesuffix(' times')} for `{preset}` as {side}"
        for (preset, side), (full, none) in zip(product(PRESETS, Side), both, strict=True)
        if math.isfinite(full) and not math.isfinite(none)
    ]
    page.summary(
        """We know of no published answer. We guessed that machines need 7.2 times as many games without symmetry,
        because they then have to learn 5,478 boards instead of 765 positions.""",
        f"""We trained machines with {len(PRESETS)} presets by self-play, with and without symmetry, in {len(FIFTEEN)}
        runs of {AT[-1]:,} games each. `menace` uses beads, and `michie-1963`, Michie's program, stores odds. The others
        store values: `zhang` (Zhang), `q-table` (Anderson), `sala` (Sala) and `value-function` (Gutmann).""",
        f"""Without symmetry, machines need {min(ratios):.3g} to {max(ratios):.3g} times as many games to become
        unbeatable in the {len(ratios)} of {len(both)} comparisons in which both do. The median factor is
        {median(ratios):.3g}, so our guess is roughly right. The factor is {" and ".join(beyond)}. So symmetry saves at
        least half of the training.""",
    )
    page.text(f"""We trained the machines in [studies](../studies.md), which repeat the training with seeds {FIFTEEN[0]}
        to {FIFTEEN[-1]}. After 1, 2, 5, 10, ... games (the *marks*), we computed the exact result of the greedy machine
        against its best response. The table shows the first mark at which the best response never wins (the median over
        the seeds). The marks are too far apart for precise ratios.""")
    page.figure(
        figure(results),
        "games",
        f"""Games until the machines are unbeatable, with and without symmetry. Small symbols show single seeds, large
        symbols show medians, and the grey area means more than {AT[-1]:,} games.""",
    )
    tables(page, results)
    page.write()


def tables(page: Page, results: UnbeatenFlags) -> None:
    """Add the numbers of games until machines are unbeatable, and the numbers of unbeatable machines."""
    page.heading("Games until the machine is unbeatable")
    rows = []
    for preset in PRESETS:
        for side, name in enumerate(Side):
            cells = [cell(results[preset, symmetry][side]) for symmetry in SYMMETRY_USES]
            rows.append([f"{preset}, {name}", *cells, ratio(*medians(results, preset, side))])
    page.table(("preset, side", "with symmetry", "without", "without / with"), rows)
    page.heading(f"Unbeatable machines out of {len(FIFTEEN)} after {AT[-1]:,} games")
    page.text("""A machine that was once unbeatable may become beatable again, because it keeps learning.""")
    rows = []
    for preset in PRESETS:
        counts = [results[preset, symmetry][side, :, -1].sum() for symmetry in SYMMETRY_USES for side in (0, 1)]
        rows.append([preset, *(str(count) for count in counts)])
    page.table(("preset", "X, with", "O, with", "X, without", "O, without"), rows)
