"""The blog article on matchboxes, and its program: 10,000 games in four phases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.arena.evaluation import Outcomes, Strength
from menace.arena.phases import parse_phases
from reproductions.common import (
    BLUE,
    GREY,
    ORANGE,
    OUTCOME_COLOURS,
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
    to_percent,
)

GAMES, STEP = 10_000, 100
SEEDS = tuple(range(1, 101))  # cheap, and it is the share of seeds that is asked for
PHASES = parse_phases("article", GAMES)
NAMES = ("both at random", "X at random", "O at random", "both 0.3")


@dataclass(frozen=True)
class Run:
    """One run: outcomes and X's and O's losses in the worst case [steps, ...], and exact strength when it is over."""

    outcomes: NDArray[np.int64]
    losses: NDArray[np.float64]
    worst: tuple[Strength, Strength]
    random: tuple[Strength, Strength]
    optimal: tuple[Strength, Strength]
    each_other: Outcomes


def train(bench: Bench, seed: int) -> Run:
    """Let two machines play the four phases."""
    x, o = bench.learner("article-code", "X"), bench.learner("article-code", "O")
    numbers, outcomes, losses = Numbers(seed, 0), [], []
    for phase in PHASES:
        for _ in range(phase.games // STEP):
            outcomes.append(bench.play(x, o, STEP, numbers, epsilon=(phase.x, phase.o)))
            losses.append((bench.worst(x).loss, bench.worst(o).loss))

    def against(opponent: str) -> tuple[Strength, Strength]:
        return bench.against(x, opponent), bench.against(o, opponent)

    worst = (bench.worst(x), bench.worst(o))
    return Run(np.array(outcomes), np.array(losses), worst, against("random"), against("optimal"), bench.outcomes(x, o))


def figure_of(runs: list[Run]) -> Figure:
    """Draw the outcomes of training, and below how many machines nobody can beat."""
    figure, axes = new_figure(2, 1, (12, 9), sharex=True)
    games = np.arange(STEP, GAMES + 1, STEP)
    shares = np.array([run.outcomes for run in runs]) / STEP
    for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
        band(axes[0, 0], games, shares[..., number], colour, label)
    unbeaten = (np.array([run.losses for run in runs]) < UNBEATEN).mean(axis=0)
    for side, colour, style in ((0, BLUE, "-"), (1, ORANGE, "--")):
        axes[1, 0].plot(games, unbeaten[:, side], color=colour, linestyle=style, label="XO"[side])
    axes[0, 0].set_ylabel(f"share of {STEP} games, as trained")
    axes[1, 0].set_ylabel("share of seeds that nobody can beat")
    axes[1, 0].set_xlabel("games played")
    end = 0
    for phase, name in zip(PHASES, NAMES, strict=True):
        axes[0, 0].text(end + phase.games / 2, 1.03, name, ha="center", color=GREY)
        end += phase.games
        for ax in axes.flat:
            ax.axvline(end, color=GREY, linewidth=1, linestyle=":")
    for ax in axes.flat:
        ax.set_ylim(-0.02, 1.01)
        ax.set_xlim(0, GAMES)
        to_percent(ax)
        in_thousands(ax)
        ax.legend(loc="upper left")
    return figure


def rows_of(name: str, runs: list[Run]) -> list[tuple[str, ...]]:
    """Return the exact strength of both sides."""

    def row(side: int) -> tuple[str, ...]:
        losses = [run.worst[side].loss for run in runs]
        return (
            f"{'XO'[side]}, {name}",
            percent(run.random[side].loss for run in runs),
            percent(run.optimal[side].loss for run in runs),
            percent(losses),
            seeds_where(loss < UNBEATEN for loss in losses),
        )

    return [row(0), row(1)]


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench = Bench("full")
    runs = [train(bench, seed) for seed in SEEDS]
    boards = Bench("none")
    apart = [train(boards, seed) for seed in SEEDS[:20]]
    page = Page(folder, "article", "The matchbox article: 10,000 games in four phases")
    page.text("""R. Kaushik's blog article (2018) trains matchboxes "with human level performance", and its program
        (github.com/riturajkaushik/self-learning-tic-tac-toe) calls itself unbeatable. A box begins with two beads of
        each colour. Against people it takes the colour that has most. After a game with a winner, the winner's colours
        gain and the loser's lose beads (one is left), more in a short game and more near its end. It plays 10,000
        games against itself: a quarter with both sides at random, a quarter with X alone at random, a quarter with O
        alone, and a quarter in which both explore with probability 0.3.""")
    page.text(f"""Here: preset `article-code` for X and for O, phases `article`, symmetry as theirs (one box for all
        images of a board), seeds {SEEDS[0]} to {SEEDS[-1]}. Intervals are mean ± standard deviation over the seeds
        (least to most). Where squares of a box are equivalent, theirs have a colour each, ours one for all, and of
        equal piles theirs takes the lowest square, ours any: so we also measure it with a box for every board ("no
        symmetry", seeds {SEEDS[0]} to {SEEDS[19]}), where nothing is shared.""")
    page.figure(
        figure_of(runs),
        "phases",
        """Above: shares of outcomes by a hundred games, the mean of all seeds and
        the range. Below: in how many seeds nobody can beat the machine as it would play against people (greedily),
        computed exactly.""",
    )
    first, second = ([run.worst[side].loss for run in runs] for side in (0, 1))
    optimal = [[run.optimal[side].loss for run in runs] for side in (0, 1)]
    drawn = [run.each_other.draw for run in runs]
    page.claims(
        [
            Claim("human level, as X", f"loses {percent(optimal[0])} of its games to a player who makes no mistakes; "
                  f"to nobody at all in {seeds_where(loss < UNBEATEN for loss in first)}",
                  "**only in part**: it depends on the seed"),
            Claim("human level, as O", f"loses {percent(optimal[1])} of its games to a player who makes no mistakes",
                  "**no**"),
            Claim("unbeatable", f"its worst case: X loses {percent(first)}, O {percent(second)}; nobody can beat X in "
                  f"{seeds_where(loss < UNBEATEN for loss in first)}, O in "
                  f"{seeds_where(loss < UNBEATEN for loss in second)}", "**no**"),
            Claim("(for comparison) the two, playing greedily against each other", f"drawn: {percent(drawn)}",
                  "players without a mistake would draw every game"),
        ]
    )  # fmt: skip
    page.heading("How good they are, exactly")
    page.text("""The trained machine, taking the colour with most beads: computed, not sampled. `optimal` makes no
        mistakes, and picks evenly among the moves that are not mistakes; the worst case is the opponent made for the
        machine.""")
    page.table(
        ("machine", "loses to random", "loses to optimal", "loses in its worst case", "unbeaten"),
        rows_of("with symmetry", runs) + rows_of("no symmetry", apart),
    )
    page.text("""Verdict: a draw teaches these machines nothing. So a good defence, which ends in draws, gains no beads,
        and what is learned is to beat a random opponent. X, who can attack, is hard to beat; O is not.""")
    page.write()
