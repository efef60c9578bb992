"""The course notes with a dictionary of Q values: X learns for 50,000 games against a random O."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.arena.evaluation import Strength, against
from menace.arena.responses import best_response
from menace.learners.base import Policy, no_resigning
from reproductions.common import (
    BLACK,
    OUTCOME_COLOURS,
    SEEDS,
    UNBEATEN,
    Bench,
    Claim,
    Numbers,
    Page,
    band,
    in_thousands,
    new_figure,
    percent,
    seeds_where,
    spread,
    to_percent,
)

GAMES, BINS = 50_000, 100
EMPTY, CENTRE = "." * 9, 4
KINDS = {"centre": (4,), "corners": (0, 2, 6, 8), "edges": (1, 3, 5, 7)}


@dataclass(frozen=True)
class Run:
    """One run: outcomes [bins, 3], epsilon [bins], Q of the empty board [9], and exact strength when it is over."""

    outcomes: NDArray[np.int64]
    epsilon: NDArray[np.float64]
    first: NDArray[np.float64]
    random: Strength
    optimal: Strength
    worst: Strength


def train(bench: Bench, seed: int, **settings: Any) -> Run:
    """Let one learner learn."""
    x, numbers = bench.learner("q-table", "X", **settings), Numbers(seed, 0)
    outcomes, epsilon = [], []
    for _ in range(BINS):
        outcomes.append(bench.play(x, "random", GAMES // BINS, numbers))
        epsilon.append(x.learned.epsilon)
    first = np.array(list(bench.move_values(x, EMPTY).values()))
    strengths = bench.against(x, "random"), bench.against(x, "optimal"), bench.worst(x)
    return Run(np.array(outcomes), np.array(epsilon), first, *strengths)


def best_after(bench: Bench, cell: int) -> Strength:
    """Return the most that X can achieve against random when it opens with a cell."""
    other = bench.policy("random", 1)
    weight = best_response(bench.table, other, 1).parts[0][1].copy()
    moves = bench.table.moves_of(0)
    weight[moves] = bench.table.action[moves] == cell
    x = Policy(bench.table, 0, ((1.0, weight),), no_resigning(bench.table))
    return against(bench.table, x, other, 0)


def outcome_figure(runs: list[Run]) -> Figure:
    """Draw the outcomes in 100 bins beside epsilon."""
    figure, axes = new_figure(1, 1, (12, 6.5))
    ax = axes[0, 0]
    games = np.arange(1, BINS + 1) * (GAMES // BINS)
    shares = np.array([run.outcomes for run in runs]) / (GAMES // BINS)
    for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
        band(ax, games, shares[..., number], colour, label)
    ax.plot(games, runs[0].epsilon, color=BLACK, linestyle="--", label="epsilon")
    ax.set_ylim(0, 1.01)
    to_percent(ax)
    in_thousands(ax)
    ax.set_xlabel("games played")
    ax.set_ylabel(f"share of {GAMES // BINS} games; epsilon")
    ax.legend(loc="center right")
    return figure


def board_figure(runs: list[Run]) -> Figure:
    """Draw the values of the empty board as a board."""
    figure, axes = new_figure(1, 1, (7.5, 6.5))
    ax = axes[0, 0]
    values = np.array([run.first for run in runs])
    mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
    image = ax.imshow(mean.reshape(3, 3), cmap="cividis", vmin=0.8, vmax=1.0)
    for cell in range(9):
        dark = mean[cell] < 0.9  # noqa: PLR2004 - the middle of the scale
        text = f"{mean[cell]:.3f}\n± {deviation[cell]:.3f}"
        ax.text(cell % 3, cell // 3, text, ha="center", va="center", size=17, color="white" if dark else "black")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    for line in (0.5, 1.5):
        ax.axhline(line, color="white", linewidth=4)
        ax.axvline(line, color="white", linewidth=4)
    figure.colorbar(image, label="Q of X's first move (a win is 1)", shrink=0.85)
    return figure


def worst_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return exact strength: wins against random, losses against optimal and in the worst case."""
    worst = [run.worst.loss for run in runs]
    return (
        name,
        percent((run.random.win for run in runs), 2),
        percent((run.random.loss for run in runs), 2),
        percent(run.optimal.loss for run in runs),
        percent(worst),
        seeds_where(loss < UNBEATEN for loss in worst),
    )


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench, folded = Bench("none"), Bench("full")
    runs = [train(bench, seed) for seed in SEEDS]
    forward = [train(bench, seed, order="forward") for seed in SEEDS]
    symmetric = [train(folded, seed) for seed in SEEDS]
    ideal = bench.ideal("random")
    last = np.array([run.outcomes[-2:].sum(axis=0) for run in runs]) / (2 * GAMES // BINS)
    wins = [run.random.win for run in runs]
    centre = [run.first.argmax() == CENTRE for run in runs]
    worst = [run.worst.loss for run in runs]
    page = Page(folder, "q-table", "Course notes: a dictionary of Q values against a random opponent")
    page.text("""The notes (C. Anderson, CS 440, Colorado State University, "Reinforcement Learning for Two-Player
        Games") keep the values of X's moves in a dictionary, 0 at first, and let X play 50,000 games against an O at
        random. X takes the move of highest value (the first of equals), or with probability epsilon any move;
        epsilon is multiplied by 0.9999 before each game. A winning move's value is set to 1 and a drawing one's to 0,
        after O's win it moves by rho = 0.2 towards -1, and the move before moves by rho towards this one's.""")
    page.text(f"""Here: preset `q-table`, every board a position of its own (no symmetry), as theirs; seeds
        {SEEDS[0]} to {SEEDS[-1]}. Intervals are mean ± standard deviation over the seeds (least to most). Their program
        updates while it plays, so that a game's end reaches its last two moves only; the preset goes back through all
        of them. With `order=forward` an end reaches the last move alone: theirs is between the two.""")
    page.heading("Outcomes beside epsilon")
    page.figure(
        outcome_figure(runs),
        "outcomes",
        f"""Shares of outcomes in {BINS} bins of {GAMES // BINS} games: the
        mean of all seeds, and the range from the least to the most; dashed: epsilon.""",
    )
    page.heading("The values of the empty board")
    page.figure(
        board_figure(runs),
        "empty-board",
        """Q of X's nine first moves after the last game, mean ± standard
        deviation over the seeds. Equivalent squares differ: each is learned for itself, and hardly any is tried
        once epsilon is small.""",
    )
    values = np.array([run.first for run in runs])
    page.table(
        ("opening", "Q (mean of the kind)", "exactly: the most X can win less lose", "and win"),
        [
            (kind, spread(values[:, list(cells)].mean(axis=1)), f"{best.value:.4f}", f"{best.win:.2%}")
            for kind, cells in KINDS.items()
            for best in [best_after(bench, cells[0])]
        ],
    )
    page.claims(
        [
            Claim("it learns to win nearly always (against random)",
                  f"its last {2 * GAMES // BINS:,} games: won {percent(last[:, 0])}; playing greedily, exactly: won "
                  f"{percent(wins, 2)}, where {ideal.win:.2%} is the most that is possible", "yes"),
            Claim("the outcomes follow epsilon",
                  f"won: {percent(r.outcomes[0, 0] * BINS / GAMES for r in runs)} in the first bin, "
                  f"{percent(r.outcomes[-1, 0] * BINS / GAMES for r in runs)} in the last", "yes"),
            Claim("Q of the empty board says which opening is best (against random)",
                  f"highest for the centre in {seeds_where(centre)}; exactly, the best is a corner (table above)",
                  "**no**: the opening that is ahead is played, and the others keep old values"),
            Claim("so it plays well (what a reader may think)",
                  f"the opponent made for it beats it in {percent(worst)} of the games; nobody can beat it in "
                  f"{seeds_where(loss < UNBEATEN for loss in worst)}",
                  "mostly, though it never met a good player; with symmetry in every seed"),
        ]
    )  # fmt: skip
    page.heading("How good it is, exactly")
    page.text("""The trained learner, playing greedily: computed, not sampled. The worst case is the opponent made for
        it.""")
    header = (
        "learner",
        "wins against random",
        "loses to random",
        "loses to optimal",
        "loses in its worst case",
        "unbeaten",
    )
    page.table(header, [worst_row(*row) for row in (
        ("preset `q-table`", runs), ("with `order=forward`", forward), ("with symmetry", symmetric))])  # fmt: skip
    page.write()
