"""M. Sala's page on Q-learning: a million games of Q-learner against Q-learner, looked at every thousand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reproductions.common import (
    BLUE,
    GREY,
    ORANGE,
    SEEDS,
    UNBEATEN,
    Bench,
    Claim,
    Numbers,
    Page,
    band,
    in_thousands,
    new_figure,
    seeds_where,
    spread,
    to_percent,
)

GAMES, STEP = 1_000_000, 1_000
EMPTY, CORNER = "." * 9, "X" + "." * 8
OPENINGS = {0: "corner", 1: "edge", 4: "centre"}
REPLIES = {4: "centre", 8: "opposite corner", 2: "other corner", 5: "far edge", 1: "edge beside it"}
BIN = 20  # looks that the figure of greedy play joins


class History(NamedTuple):
    """What was seen of one seed, at every look.

    Attributes:
        openings: X's values of the empty board's moves, [looks, 3].
        replies: O's values of its replies to a corner, [looks, 5].
        games: outcomes of greedy X against greedy O, [looks, 3].
        losses: how often X and O lose in their worst case, greedy, [looks, 2].
    """

    openings: NDArray[np.float64]
    replies: NDArray[np.float64]
    games: NDArray[np.float64]
    losses: NDArray[np.float64]


def watch(bench: Bench, seed: int) -> History:
    """Train both sides, and look every thousand games."""
    x, o = bench.learner("sala", "X"), bench.learner("sala", "O")
    numbers, looks = Numbers(seed, 0), []
    for _ in range(GAMES // STEP):
        bench.play(x, o, STEP, numbers)
        openings, replies = bench.move_values(x, EMPTY), bench.move_values(o, CORNER)
        looks.append(
            (
                [openings[action] for action in OPENINGS],
                [replies[action] for action in REPLIES],
                bench.outcomes(x, o),
                [bench.worst(learner).loss for learner in (x, o)],
            )
        )
    return History(*(np.array(column) for column in zip(*looks, strict=True)))


def values_figure(names: dict[int, str], values: NDArray[np.float64], title: str) -> Any:
    """Draw values [seeds, looks, moves] over the games, a panel a move, at looks that are evenly spread by ratio."""
    figure, axes = new_figure(1, len(names), size=(14, 4.5), sharey=True)
    looks = np.unique(np.geomspace(1, values.shape[1], 60).astype(int)) - 1
    for k, (axis, name) in enumerate(zip(axes[0], names.values(), strict=True)):
        for other in range(len(names)):
            axis.plot((looks + 1) * STEP, values[:, looks, other].mean(axis=0), color="#bbbbbb", linewidth=1)
        band(axis, (looks + 1) * STEP, values[:, looks, k], BLUE, name)
        axis.set(title=name, xscale="log", xlim=(STEP, GAMES), xticks=[10**3, 10**4, 10**5, 10**6])
        axis.set_xticklabels(["1k", "10k", "100k", "1M"])
        axis.minorticks_off()
    axes[0, 0].set_ylabel("value Q")
    figure.suptitle(title, fontsize=15)
    figure.supxlabel("games (logarithmic)", fontsize=13)
    return figure


def greedy_figure(games: NDArray[np.float64], losses: NDArray[np.float64]) -> Any:
    """Draw how often greedy X against greedy O is drawn, and the share of learners that nobody can beat."""
    figure, axes = new_figure(size=(11, 6))
    axis = axes[0, 0]
    at = (np.arange(GAMES // STEP // BIN) + 0.5) * BIN * STEP
    unbeaten = losses < UNBEATEN
    for label, shown, colour, style in (
        ("X: nobody can beat it", unbeaten[..., 0], BLUE, "--"),
        ("draws, X against O", games[..., 1], GREY, "-"),
        ("O: nobody can beat it", unbeaten[..., 1], ORANGE, "-."),
    ):
        axis.plot(at, shown.reshape(-1, len(at), BIN).mean(axis=(0, 2)), color=colour, linestyle=style, label=label)
    axis.set_title(f"Greedy play, looked at every {STEP:,} games (exact)")
    axis.set(xlabel=f"games (a point: {BIN} looks of each of {len(losses)} seeds)", ylabel="share", xlim=(0, GAMES))
    axis.set_ylim(0.6, 1.01)
    axis.legend(loc="lower right")
    to_percent(axis)
    in_thousands(axis)
    return figure


def best_is(values: NDArray[np.float64], names: dict[int, str], name: str) -> NDArray[np.bool_]:
    """Say where the move of that name has the highest value; `values` [..., moves]."""
    best: NDArray[np.bool_] = values.argmax(axis=-1) == list(names.values()).index(name)
    return best


def verdict(flags: NDArray[np.bool_]) -> str:
    """Say whether something holds in every seed, or in how many."""
    return "yes" if flags.all() else "no: in no seed" if not flags.any() else f"no: in {seeds_where(flags)}"


def claims(openings: NDArray[np.float64], replies: NDArray[np.float64], games: NDArray[np.float64]) -> list[Claim]:
    """Compare what was claimed with what was seen."""
    reply, opening = best_is(replies, REPLIES, "centre"), best_is(openings, OPENINGS, "centre")
    ever_since = [1 + int(np.flatnonzero(~row).max(initial=-1)) for row in reply]
    found = (
        f"at the end {seeds_where(reply[:, -1])}; for good after {max(ever_since) * STEP:,} games in the slowest seed"
    )
    draws = games[:, GAMES // STEP // 2 :, 1] > 1 - UNBEATEN
    return [
        Claim("answering a corner, the centre is best (O's values)", found, verdict(reply[:, -1])),
        Claim(
            "the same read for the empty board: the centre is best (X's values)",
            f"at the end {seeds_where(opening[:, -1])}; the corner is best in "
            f"{seeds_where(best_is(openings, OPENINGS, 'corner')[:, -1])}",
            verdict(opening[:, -1]),
        ),
        Claim(
            "greedy play after training is drawn (what perfect play would be)",
            f"{100 * draws.mean():.1f} % of the measurements in the second half; at the end"
            f" {seeds_where(draws[:, -1])}",
            "yes" if draws.all() else "no: nearly always",
        ),
    ]


def reproduce(folder: Path) -> None:
    """Train, look, and write the page."""
    bench = Bench()
    openings, replies, games, losses = (
        np.array(column) for column in zip(*(watch(bench, s) for s in SEEDS), strict=True)
    )
    page = Page(folder, "sala", "Q-learning on both sides")
    page.text("""M. Sala's page Tic-Tac-Toe with Q-Learning (marziosala.github.io/tic-tac-toe) lets two tables of move
        values play each other: alpha 0.1; epsilon from 1, times 0.9999 a game, not below 0.5; rewards 1, 0 and -1; the
        target of a move is the best value at the learner's own next turn; ties at random. It trains for a million
        games, plays greedily after every thousand, and reads from the table that the centre is the best answer to a
        corner.""")
    page.heading("How it is reproduced")
    page.text(f"""Preset `sala` for X and O, learning from the same {GAMES:,} games, seeds {SEEDS[0]} to
        {SEEDS[-1]}, with symmetry. After every {STEP:,} games the greedy policies are measured: not by playing, but by
        the exact probabilities of X against O, and of each against the opponent made for it.""")
    page.figure(
        values_figure(OPENINGS, openings, "X's values of the three openings"),
        "openings",
        "Blue: mean of all seeds, the band holds all of them; grey: the means of the other moves.",
    )
    page.figure(
        values_figure(REPLIES, replies, "O's values of its replies to a corner"),
        "replies",
        "Likewise. X has the corner at the top left; the far edges are those that do not touch it.",
    )
    page.figure(
        greedy_figure(games, losses),
        "greedy",
        "Alpha stays at 0.1 and epsilon at 0.5, so the values never settle: now and then a greedy move is a wrong one.",
    )
    page.claims(claims(openings, replies, games))
    page.text("""Values are high for both sides because each learns what its moves are worth against an opponent that
        moves at random half the time, which is not what they are worth against a good one: under perfect play all
        three openings, and the centre in answer to a corner, are worth 0, and the other answers lose.""")
    page.heading("Values after a million games")
    rows = [(f"X opens: {name}", spread(openings[:, -1, k])) for k, name in enumerate(OPENINGS.values())]
    rows += [(f"O answers a corner: {name}", spread(replies[:, -1, k])) for k, name in enumerate(REPLIES.values())]
    page.table(("move", "value: mean ± standard deviation (range)"), rows)
    page.heading("Exact worst case")
    half = losses[:, GAMES // STEP // 2 :] < UNBEATEN
    page.table(
        ("greedy learner", "nobody can beat it at the end", "... in the measurements of the second half"),
        [(n, seeds_where(half[:, -1, s]), f"{100 * half[..., s].mean():.1f} %") for s, n in enumerate("XO")],
    )
    page.write()
