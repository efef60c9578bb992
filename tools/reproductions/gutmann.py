"""Gutmann, Vicente, Holler and Panova 2016: values of positions, learned from 3,000 games of self-play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.arena.evaluation import Strength
from reproductions.common import (
    BLUE,
    GREEN,
    ORANGE,
    OUTCOME_COLOURS,
    PURPLE,
    SEEDS,
    SKY,
    UNBEATEN,
    VERMILION,
    Bench,
    Claim,
    Numbers,
    Page,
    in_thousands,
    new_figure,
    percent,
    seeds_where,
    spread,
    to_percent,
)

GAMES, STEP, BLOCK = 3000, 20, 100  # values are read every 20 games, outcomes counted by 100
LATE = 1000  # the last games, in which learning should have settled
VARIANTS = [(0.2, 0.02), (0.8, 0.02), (0.2, 0.0), (0.8, 0.0)]  # alpha, epsilon
OPENINGS = {"centre": ((4,), VERMILION), "corner": ((0, 2, 6, 8), BLUE), "edge": ((1, 3, 5, 7), ORANGE)}
REPLIES = {
    "centre": ((4,), VERMILION),
    "square beside it": ((1, 3), ORANGE),
    "next corner": ((2, 6), SKY),
    "far edge": ((5, 7), GREEN),
    "opposite corner": ((8,), PURPLE),
}
Cells = Mapping[str, tuple[tuple[int, ...], str]]


@dataclass(frozen=True)
class Run:
    """One run: outcomes [steps, 3], values of openings and replies [steps, 9 cells], worst cases when it is over."""

    outcomes: NDArray[np.int64]
    openings: NDArray[np.float64]
    replies: NDArray[np.float64]
    worst_x: Strength
    worst_o: Strength

    def lead(self, games: int = BLOCK) -> NDArray[np.int64]:
        """Return X's wins less O's, by so many games."""
        lead = self.outcomes[:, 0] - self.outcomes[:, 2]
        return np.add.reduceat(lead, np.arange(0, len(lead), games // STEP))

    def drawn_late(self) -> float:
        """Return the share of draws in the last games."""
        return float(self.outcomes[-LATE // STEP :, 1].sum() / LATE)

    def volatility(self) -> float:
        """Return how far the values of the openings move within 20 games, in the last games."""
        return float(np.abs(np.diff(self.openings[-LATE // STEP :], axis=0)).mean())


def train(bench: Bench, alpha: float, epsilon: float, seed: int, games: int = GAMES) -> Run:
    """Let two learners play each other."""
    numbers = Numbers(seed, 0)
    x, o = (bench.learner("value-function", side, alpha=alpha, epsilon=epsilon) for side in ("X", "O"))
    opened = [bench.position("." * cell + "X" + "." * (8 - cell)) for cell in range(9)]
    replied = [bench.position("X" + "." * (cell - 1) + "O" + "." * (8 - cell)) for cell in range(1, 9)]
    outcomes, openings, replies = [], [], []
    for _ in range(games // STEP):
        outcomes.append(bench.play(x, o, STEP, numbers))
        openings.append(x.learned.amount[opened])
        replies.append(np.append(np.nan, o.learned.amount[replied]))
    return Run(np.array(outcomes), np.array(openings), np.array(replies), bench.worst(x), bench.worst(o))


def of_class(values: NDArray[np.float64], cells: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the mean value of equivalent cells."""
    mean: NDArray[np.float64] = values[..., list(cells)].mean(axis=-1)
    return mean


def outcome_figure(runs: Mapping[tuple[float, float], list[Run]]) -> Figure:
    """Draw the shares of outcomes by a hundred games."""
    figure, axes = new_figure(2, 2, (12, 8), sharex=True, sharey=True)
    games = np.arange(BLOCK, GAMES + 1, BLOCK)
    for ax, (alpha, epsilon) in zip(axes.flat, VARIANTS, strict=True):
        counts = np.array([run.outcomes for run in runs[alpha, epsilon]])
        shares = counts.reshape(len(SEEDS), len(games), -1, 3).sum(axis=2) / BLOCK
        for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
            mean, deviation = shares[..., number].mean(axis=0), shares[..., number].std(axis=0, ddof=1)
            low, high = np.clip((mean - deviation, mean + deviation), 0, 1)
            ax.fill_between(games, low, high, color=colour, alpha=0.2, linewidth=0)
            ax.plot(games, mean, color=colour, label=label)
        ax.set_title(f"alpha {alpha}, epsilon {epsilon:g}")
        ax.set_ylim(-0.02, 1.02)
        to_percent(ax)
        in_thousands(ax)
    figure.supylabel("share of 100 games")
    figure.supxlabel("games played")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    return figure


def value_figure(runs: Mapping[tuple[float, float], list[Run]], what: str, classes: Cells) -> Figure:
    """Draw the values of one run's nine (eight) moves, and below the means of all seeds, by kind of move."""
    figure, axes = new_figure(2, 2, (12, 8), sharex=True, sharey="row")
    games = np.arange(STEP, GAMES + 1, STEP)
    for column, (alpha, epsilon) in enumerate(VARIANTS[:2]):
        values = np.array([getattr(run, what) for run in runs[alpha, epsilon]])
        for label, (cells, colour) in classes.items():
            axes[0, column].plot(games, values[0][:, list(cells)], color=colour, linewidth=1.2)
            axes[1, column].plot(games, of_class(values, cells).mean(axis=0), color=colour, label=label)
        axes[0, column].set_title(f"alpha {alpha}: each square, seed {SEEDS[0]}")
        axes[1, column].set_title(f"alpha {alpha}: mean of {len(SEEDS)} seeds")
        in_thousands(axes[1, column])
    figure.supylabel("value to the learner (a win is 1, a loss -1)")
    figure.supxlabel("games played")
    figure.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(classes))
    return figure


def by_kind(runs: list[Run], what: str, kind: str, classes: Cells, last: bool = False) -> NDArray[np.float64]:
    """Return [seeds], the value of a kind of move: its mean over the games, or what it was after the last one."""
    values = np.array([of_class(getattr(run, what), classes[kind][0]) for run in runs])
    return values[:, -1] if last else values.mean(axis=1)


def centre_claim(runs: list[Run], last: bool) -> str:
    """Return the values of the three kinds of openings, and how often the centre is the best."""
    values = {kind: by_kind(runs, "openings", kind, OPENINGS, last) for kind in OPENINGS}
    best = values["centre"] > np.maximum(values["corner"], values["edge"])
    return "; ".join(f"{kind} {spread(v)}" for kind, v in values.items()) + f"; centre best in {seeds_where(best)}"


def claims(runs: Mapping[tuple[float, float], list[Run]], long: list[Run]) -> list[Claim]:
    """Set what was claimed beside what was measured."""
    slow, fast, stuck, stuck_fast = (runs[variant] for variant in VARIANTS)
    beside = "square beside it"

    def ahead(some: list[Run]) -> str:
        totals = [run.lead(GAMES)[0] / GAMES for run in some]
        return f"{percent(totals)}, in {np.mean([run.lead() > 0 for run in some]):.0%} of the hundreds of games"

    def replies(some: list[Run]) -> str:
        better = by_kind(some, "replies", "centre", REPLIES) > by_kind(some, "replies", beside, REPLIES)
        values = [spread(by_kind(some, "replies", kind, REPLIES)) for kind in ("centre", beside)]
        return f"centre {values[0]}, beside {values[1]}; centre better in {seeds_where(better)}"

    return [
        Claim("X wins more throughout", f"X's wins less O's: alpha 0.2 {ahead(slow)}; alpha 0.8 {ahead(fast)}",
              "yes over a run; not in every hundred games"),
        Claim("without exploration both get stuck",
              f"the last {LATE:,} games all drawn: alpha 0.2 in {seeds_where(r.drawn_late() == 1 for r in stuck)}, "
              f"alpha 0.8 in {seeds_where(r.drawn_late() == 1 for r in stuck_fast)} (drawn "
              f"{percent([r.drawn_late() for r in stuck_fast])}); with exploration drawn "
              f"{percent([r.drawn_late() for r in slow])} and {percent([r.drawn_late() for r in fast])}",
              "yes, for alpha 0.2; with 0.8 some seeds break free again"),
        Claim("alpha 0.8 is more volatile",
              f"values of openings move within {STEP} games by {spread([r.volatility() for r in slow], 4)} (0.2) and "
              f"{spread([r.volatility() for r in fast], 4)} (0.8); more with 0.8 in "
              f"{seeds_where(b.volatility() > a.volatility() for a, b in zip(slow, fast, strict=True))}", "yes"),
        Claim("the centre is a little better for X (alpha 0.2, mean over the run)", centre_claim(slow, last=False),
              "mostly; the differences are small"),
        Claim("the same, after the last game", centre_claim(slow, last=True), "**no**"),
        Claim("the same, with alpha 0.8, mean over the run", centre_claim(fast, last=False), "**no**"),
        Claim("the same, with alpha 0.2 and ten times the games, mean over the run",
              centre_claim(long, last=False), "yes"),
        Claim("answering a corner, the centre is better than the square beside it (alpha 0.2)", replies(slow), "yes"),
        Claim("the same, with alpha 0.8", replies(fast), "yes"),
    ]  # fmt: skip


def worst_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return how often each side loses to the opponent made for it, and in how many seeds to nobody."""
    sides = ([run.worst_x.loss for run in runs], [run.worst_o.loss for run in runs])
    return (name, *(text for side in sides for text in (percent(side), seeds_where(w < UNBEATEN for w in side))))


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench, folded = Bench("none"), Bench("full")
    runs = {variant: [train(bench, *variant, seed) for seed in SEEDS] for variant in VARIANTS}
    long = [train(bench, *VARIANTS[0], seed, 10 * GAMES) for seed in SEEDS]
    rows = [worst_row(f"alpha {a}, epsilon {e:g}", runs[a, e]) for a, e in VARIANTS]
    rows += [worst_row("alpha 0.2, epsilon 0.02, ten times the games", long)]
    with_symmetry = [train(folded, *VARIANTS[0], seed) for seed in SEEDS]
    rows += [worst_row("alpha 0.2, epsilon 0.02, with symmetry", with_symmetry)]
    page = Page(folder, "gutmann", "Gutmann, Vicente, Holler and Panova: two value functions teach each other")
    page.text("""The authors (2016) let two programs play 3,000 games of noughts and crosses against each other. Each
        keeps a value for every position that its own moves lead to, 0 at first and 1 where it has won, and takes the
        move of highest value, or with probability epsilon any move. At its turn the value of the last position moves
        by alpha towards the next one's; -1 where it lost, -0.1 where the other's move drew the game.""")
    page.text(f"""Here: preset `value-function` for X and for O, every board a position of its own (no symmetry), as
        theirs; alpha 0.2 and 0.8, epsilon 0.02 and 0; seeds {SEEDS[0]} to {SEEDS[-1]}. Intervals are mean ± standard
        deviation over the seeds (least to most).""")
    page.heading("Outcomes (figures 1 to 3)")
    page.figure(
        outcome_figure(runs),
        "outcomes",
        """Shares of X's wins, draws and O's wins by a hundred games: the
        mean of all seeds, and one standard deviation. Without exploration (below) nearly all games are soon drawn.""",
    )
    page.heading("What X thinks of its openings (figure 4)")
    page.figure(
        value_figure(runs, "openings", OPENINGS),
        "openings",
        """Values of X's nine openings, by kind. Above one run: each
        square is learned for itself, and with alpha 0.8 one game moves it nearly all the way.""",
    )
    page.heading("What O thinks of its replies to a corner (figure 5)")
    page.figure(
        value_figure(runs, "replies", REPLIES),
        "replies",
        """Values of O's eight replies to X in a corner, by kind
        of square. Any reply but the centre loses against good play, and O's values find out.""",
    )
    page.claims(claims(runs, long))
    page.heading("How good they are, exactly")
    page.text("""How often the trained learner, playing greedily, loses to the opponent made for it: computed, not
        sampled. 0 % means that nobody can beat it.""")
    page.table(("settings", "X loses", "X unbeaten", "O loses", "O unbeaten"), rows)
    page.text("""Verdict: games that are all drawn prove little. Without exploration X ends in a line in which nobody
        can beat it: O, to which a draw by X's move is worth less than what it has never tried, has tried every reply to
        it. X is content with the draw and tries nothing, so O knows that line alone, and whoever leaves that line can
        beat O. The centre's lead is real, but 3,000 games are too few to see it in the values that are left at the
        end.""")
    page.write()
