"""Draw the figures for menace-1961: scores, beads in the first box, and exact strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, new_figure
from experiments.menace_1961.tournament import ABANDONS, BAND, CORNER, PRINTED, STAGES, Tournament
from menace.learners.opponents.fixed import PRINTED_GAMES, SCHEDULE

GAMES = np.arange(PRINTED_GAMES + 1)
DYING_SHOWN = 40
WORST_DAYS = 60  # in games
OTHERWISE_PRINTED = {203: "*", 218: "†"}  # footnote marks beside the replies; page.py explains them


def printed_dots(axes: Axes, values: Sequence[int], label: str = "printed, 1961") -> None:
    """Draw the printed curve as dots, with one dot for each game."""
    axes.plot(PRINTED.games, values, ".", color=BLACK, markersize=7, label=label, zorder=5)


def _band(axes: Axes, scores: NDArray[np.int64], colour: str, label: str) -> None:
    low, middle, high = np.percentile(scores, (BAND[0], 50, BAND[1]), axis=0)
    axes.fill_between(GAMES, low, high, color=colour, alpha=0.22, linewidth=0)
    axes.plot(GAMES, middle, color=colour, label=label)


def curves(tournament: Tournament) -> Figure:
    """Draw the scores of surviving machines for each opening, of machines that died, and of the printed curve."""
    figure, panels = new_figure(1, 1, size=(13, 7.5))
    axes = panels[0, 0]
    corner = tournament.alive & (tournament.opens == CORNER)
    elsewhere = tournament.alive & ~corner
    for label, which, colour in (
        ("lived, opens elsewhere", elsewhere, BLUE),
        ("lived, opens in a corner", corner, GREEN),
    ):
        _band(axes, tournament.score[which], colour, f"{label} ({int(which.sum())})")
    dead = np.flatnonzero(~tournament.alive)
    for number, machine in enumerate(dead[:DYING_SHOWN]):
        end = int(tournament.lived[machine])
        label = f"died ({len(dead)}; {DYING_SHOWN} shown)" if number == 0 else None
        axes.plot(GAMES[: end + 1], tournament.score[machine, : end + 1], color=ORANGE, linewidth=0.7, label=label)
        axes.plot(end, tournament.score[machine, end], "x", color=ORANGE, markersize=6)
    printed_dots(axes, PRINTED.score)
    top = axes.get_ylim()[1]
    for game, variant in SCHEDULE:
        axes.axvline(game, color=GREY, linewidth=0.8, linestyle=":")
        axes.text(game + 1, top, f"v{variant}{OTHERWISE_PRINTED.get(game, '')}", color=GREY, fontsize=12, va="top")
    axes.set(xlim=(0, PRINTED_GAMES + 9), xlabel="games", ylabel="3 a win, 1 a draw, -1 a defeat, added up")
    axes.legend(loc="upper left", bbox_to_anchor=(0.04, 0.94))
    return figure


def first_box(four: Tournament, eight: Tournament) -> Figure:
    """Draw the beads in Michie's first box, and the share of our machines whose first box still contains beads."""
    figure, panels = new_figure(1, 2, size=(14, 6))
    axes = panels[0, 0]
    values = np.array(PRINTED.values("first-box"))
    axes.fill_between(PRINTED.games, values - PRINTED.exact, values + PRINTED.exact, color=GREY, alpha=0.2, linewidth=0)
    printed_dots(axes, values.tolist(), "printed, 1961: the curve and 12 beads")
    axes.axhline(0, color=ORANGE, linewidth=1.5)
    axes.axvline(ABANDONS, color=GREY, linewidth=0.8, linestyle=":")
    axes.set(
        xlim=(-1, WORST_DAYS + 1),
        ylim=(-2, 23),
        yticks=range(0, 21, 4),
        xlabel="games",
        ylabel="beads in the first box",
    )
    axes.set_title("Michie's own first box (grey: as exactly as it was read)")
    axes.legend(loc="upper left")
    axes = panels[0, 1]
    for label, tournament, colour, line in (
        ("4 beads of each colour, as Michie", four, BLUE, "-"),
        ("8, as on Scroggs' page", eight, PURPLE, "--"),
    ):
        lasting = np.array([(tournament.lived > game).mean() for game in GAMES])
        axes.plot(GAMES, lasting, color=colour, linestyle=line, label=label)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set(xlim=(0, PRINTED_GAMES), ylim=(0, 1.02), xlabel="games")
    axes.set_title("Machines of ours with a bead left in it")
    axes.legend(loc="lower right")
    return figure


def strength(scores: dict[str, NDArray[np.float64]], slope: NDArray[np.float64]) -> Figure:
    """Draw the exact scores of machines near the printed curve, the slopes of their curves and the printed slopes.

    Args:
        scores: for each opponent, the exact expected points per game [machines, stages].
        slope: the points per game in the preceding games [machines, stages].
    """
    figure, panels = new_figure(1, len(scores) + 1, size=(15, 5.5), sharey=True)
    printed = np.interp(np.array([(at - 20, at) for at in STAGES]), PRINTED.games, PRINTED.score)
    titles = [f"exactly, against {name}" for name in scores] + ["slope: the 20 games before"]
    for axes, title, values in zip(panels[0], titles, [*scores.values(), slope], strict=True):
        low, middle, high = np.percentile(values, (25, 50, 75), axis=0)
        axes.fill_between(STAGES, low, high, color=GREEN, alpha=0.22, linewidth=0)
        axes.plot(STAGES, middle, color=GREEN, marker="o", label="machines near the printed curve")
        axes.set(title=title, xlabel="games")
    panels[0, -1].plot(STAGES, (printed[:, 1] - printed[:, 0]) / 20, "k.--", label="printed, 1961")
    panels[0, 0].set_ylabel("points a game (3, 1, -1)")
    panels[0, -1].legend(loc="lower right")
    return figure
