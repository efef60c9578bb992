"""The figure for the matchbox article: outcomes, wins against random play, and unbeatable machines."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from experiments.common import (
    BLACK,
    BLUE,
    GREY,
    OUTCOME_COLOURS,
    UNBEATEN,
    VERMILION,
    band,
    in_thousands,
    new_figure,
    to_percent,
)
from menace.arena.run_schedule import Phase

NAMES = ("both at random", "X at random", "O at random", "both 0.3")


def figure_of(
    with_bonus: list[tuple[Any, Any, Any]], without: list[tuple[Any, Any]], phases: tuple[Phase, ...], printed: float
) -> Figure:
    """Draw the figure.

    Args:
        with_bonus: for each seed, the shares of outcomes [looks, 3], X's losses to its best response [looks], and its
            wins against random play [looks].
        without: the losses and wins without the bonus.
        phases: the phases of the run.
        printed: the share of games that the table of the program wins against random play.
    """
    figure, axes = new_figure(3, 1, (12, 12.5), sharex=True)
    outcomes, worst, wins = (np.array(column) for column in zip(*with_bonus, strict=True))
    other_worst, other_wins = (np.array(column) for column in zip(*without, strict=True))
    total = sum(phase.games for phase in phases)
    games = np.linspace(0, total, outcomes.shape[1] + 1)[1:]
    above, middle, below = axes[:, 0]
    for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
        band(above, games, outcomes[..., number], colour, label)
    band(middle, games, wins, BLUE, "with the bonus for short games")
    middle.plot(games, other_wins.mean(axis=0), color=VERMILION, linestyle="-.", label="without")
    middle.axhline(printed, color=BLACK, linestyle="--", label=f"the program's own table: {printed:.2%}")
    for losses, colour, style in ((worst, BLUE, "-"), (other_worst, VERMILION, "-.")):
        below.plot(games, (losses < UNBEATEN).mean(axis=0), color=colour, linestyle=style)
    above.set_ylabel(f"share of {games[0]:.0f} games, as trained")
    middle.set_ylabel("greedy X wins against random")
    below.set_ylabel("share of seeds: nobody beats X")
    below.set_xlabel("games played")
    end = 0
    for phase, name in zip(phases, NAMES, strict=True):
        above.text(end + phase.games / 2, 1.04, name, ha="center", color=GREY)
        end += phase.games
        for ax in axes.flat:
            ax.axvline(end, color=GREY, linewidth=1, linestyle=":")
    for ax in axes.flat:
        ax.set_ylim(-0.02, 1.02)
        ax.set_xlim(0, total)
        to_percent(ax)
        in_thousands(ax)
    middle.set_ylim(0.7, 1.01)
    above.legend(loc="center", bbox_to_anchor=(0.63, 0.5))
    middle.legend(loc="lower right")
    return figure
