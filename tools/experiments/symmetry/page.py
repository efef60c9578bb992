"""The benefit of symmetry: games of self-play until the greedy learner is unbeatable, on 765 positions and on 5,478."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import BLUE, ORANGE, SEEDS, UNBEATEN, Bench, measured, new_figure, raw_numbers
from experiments.page import Page, ranged
from menace.arena.marks_and_phases import Marks
from menace.games.base import Side
from menace.games.symmetry import SYMMETRY_USES, SymmetryUse

FIFTEEN = SEEDS[:15]  # an odd number, so that a median is a mark
_, *AT = Marks().list_up_to(1_000_000)
SAMPLE = 2000  # games of the run that the tests repeat
NEVER_AT = 5 * AT[-1]  # where the figure shows what did not come in time
PRESETS = ("menace", "zhang", "q-table", "sala", "value-function", "michie-1963")
LABELS = {"full": "with symmetry (765 positions)", "none": "without (5,478)"}
COLOURS = {"full": BLUE, "none": ORANGE}
DESIGN: Mapping[str, Any] = {
    "grid": {"symmetry": SYMMETRY_USES, "plays": ("X", "O")},
    "games": AT[-1],
    "seeds": len(FIFTEEN),
    "policies": "greedy",
}
UnbeatenFlags: TypeAlias = dict[tuple[str, SymmetryUse], NDArray[Any]]  # [preset, symmetry] is [2, seeds, marks]


def unbeaten(preset: str) -> UnbeatenFlags:
    """Return [sides, seeds, marks], by preset and symmetry, whether nobody can beat machines that teach each other."""
    losses = measured("best_response.losses", preset=preset, against={"preset": preset}, **DESIGN)[..., 1:]
    return {(preset, symmetry): flags for symmetry, flags in zip(SYMMETRY_USES, losses < UNBEATEN, strict=True)}


def first_marks(flags: NDArray[np.bool_]) -> list[float]:
    """Return each seed's first mark at which nobody can beat it, or infinity; `flags` is [seeds, marks]."""
    return [float(AT[row.argmax()]) if row.any() else math.inf for row in flags]


def games_text(games: float, later: str) -> str:
    """Return a number of games, or `later` if it is infinite."""
    return f"{games:,.0f}" if math.isfinite(games) else later


def cell(flags: NDArray[np.bool_]) -> str:
    """Return the median over the seeds and the range."""
    first = first_marks(flags)
    late = f"not within {AT[-1]:,}"
    if math.isinf(min(first)):
        return f"{late}, in any seed"
    return games_text(median(first), late) + ranged(games_text(min(first), late), games_text(max(first), "later"))


def figure(results: UnbeatenFlags) -> Any:
    """Draw the medians in pairs, and every seed as a small dot."""
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
    result.suptitle("Games until nobody can beat the greedy learner: median (large) and every seed", fontsize=15)
    return result


def medians(results: UnbeatenFlags, preset: str, side: int) -> tuple[float, float]:
    """Return the median games with symmetry and without."""
    full, none = (median(first_marks(results[preset, symmetry][side])) for symmetry in SYMMETRY_USES)
    return full, none


def ratio(full: float, none: float) -> str:
    """Return how many times as many games it takes without symmetry."""
    if not math.isfinite(full):
        return "-"
    return f"{none / full:.3g} times" if math.isfinite(none) else f"more than {AT[-1] / full:.3g} times"


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: the first seed after SAMPLE games."""
    lines = []
    for preset in PRESETS:
        for symmetry in SYMMETRY_USES:
            bench, numbers = Bench(symmetry), raw_numbers(FIFTEEN[0], 0)
            x, o = (bench.learner(preset, side) for side in Side)
            bench.play(x, o, SAMPLE, numbers)
            loss = [100 * bench.against(learner, "random", "behaviour").loss for learner in (x, o)]
            lines.append(
                f"{preset}, {LABELS[symmetry]}, seed {FIFTEEN[0]}, after {SAMPLE:,} games: X loses {loss[0]:.4f} % to "
                f"random play, O {loss[1]:.4f} %"
            )
    return lines


def reproduce(folder: Path) -> None:
    """Train, look, and write the page."""
    results = {key: flags for preset in PRESETS for key, flags in unbeaten(preset).items()}
    page = Page(folder, "symmetry", "What symmetry buys")
    both = [medians(results, preset, side) for preset in PRESETS for side in (0, 1)]
    ratios = [none / full for full, none in both if math.isfinite(full) and math.isfinite(none)]
    beyond = [
        f"for `{preset}` as {side} it is {ratio(full, none)}"
        for (preset, side), (full, none) in zip(product(PRESETS, Side), both, strict=True)
        if math.isfinite(full) and not math.isfinite(none)
    ]
    page.summary(
        "Nothing that we know of: a guess would be that symmetry saves a factor near 5,478 / 765 = 7.2.",
        f"""{len(PRESETS)} presets against themselves, {AT[-1]:,} games, with symmetry and without, {len(FIFTEEN)} runs
        of each.""",
        f"""Until nobody can beat a machine, where both medians were reached, it takes {min(ratios):.3g} to
        {max(ratios):.3g} times as many games without symmetry, {median(ratios):.3g} times in the median;
        {", ".join(beyond)}.""",
    )
    page.text("""Rotations and reflections carry 5,478 boards into 765 positions, and Michie's matchboxes of 1961
        already share what they learn among them. We know of no published measure of what that is worth, so there is no
        claim to compare; a guess would be a factor near 5,478 / 765 = 7.2.""")
    page.heading("How it is measured")
    page.text(f"""In a [study](../studies.md) each preset plays X and O against itself, both learning, with symmetry and
        without, where every board is its own position, seeds {FIFTEEN[0]} to {FIFTEEN[-1]}, {AT[-1]:,} games. At 1, 2,
        5, 10, ... games its greedy policy is set against the opponent made for it (exact probabilities); an entry is
        the first of these marks at which that opponent never wins, the median over the seeds. `q-table` learns here in
        self-play too, and boxes of `menace` hold as many beads of each colour with symmetry as without, so without it
        they hold more.""")
    page.figure(
        figure(results), "games", "Small dots: seeds; large: their median; on grey: not within the million games."
    )
    page.heading("Games until nobody can beat it")
    rows = []
    for preset in PRESETS:
        for side, name in enumerate(Side):
            cells = [cell(results[preset, symmetry][side]) for symmetry in SYMMETRY_USES]
            rows.append([f"{preset}, {name}", *cells, ratio(*medians(results, preset, side))])
    page.table(("preset, side", "with symmetry", "without", "without / with"), rows)
    page.text(f"""Where both medians were reached, it takes {min(ratios):.3g} to {max(ratios):.3g} times as many games
        without symmetry, {median(ratios):.3g} times in the median: the guess is of the right size, and marks that go
        1, 2, 5, 10 cannot say it more precisely.""")
    page.heading(f"Seeds in which nobody can beat it after {AT[-1]:,} games")
    page.text("""A learner that was unbeatable once may be beatable later, since it goes on learning.""")
    rows = []
    for preset in PRESETS:
        counts = [results[preset, symmetry][side, :, -1].sum() for symmetry in SYMMETRY_USES for side in (0, 1)]
        rows.append([preset, *(f"{count} of {len(FIFTEEN)}" for count in counts)])
    page.table(("preset", "X, with", "O, with", "X, without", "O, without"), rows)
    page.sample(sample())
    page.write()
