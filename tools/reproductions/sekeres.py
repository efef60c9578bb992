"""Sekeres 2025: TD(0) from four starts and against a random player, three million games each, all against all.

The learners are Zhang's program to Sutton and Barto's first chapter with epsilon 0.1. All strengths are exact, of
greedy play; every learner meets every other learner of every seed.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.arena.evaluation import outcomes
from menace.games.base import ONGOING, Side
from reproductions.common import SEEDS, UNBEATEN, Bench, Claim, Machine, Numbers, Page, new_figure, percent, seeds_where

GAMES = 3_000_000
OWN_GAMES = 100_000  # of the program as it comes, with its own epsilon
TEN = SEEDS[:10]
EPSILON = 0.1
MINIMAX, AGAINST_RANDOM, RANDOM_ENDS = "zhang-minimax", "against random", "random ends"
SELFPLAY = ("zhang", MINIMAX, "zhang-random", "zhang-no-ties")
NAMES = (*SELFPLAY, AGAINST_RANDOM, RANDOM_ENDS)
NOT_RANDOM = ("zhang", MINIMAX, "zhang-no-ties")  # as X; as O without the last
SURE = 1 - UNBEATEN
DARK = 0.6  # results whose colour wants white letters

Pairs: TypeAlias = dict[int, dict[str, list[Machine]]]  # [seed][name] is X and O


def train(bench: Bench, name: str, seed: int) -> list[Machine]:
    """Return X and O of one kind after all their games."""
    preset = {AGAINST_RANDOM: "zhang", RANDOM_ENDS: "zhang-random"}.get(name, name)
    x, o = (bench.learner(preset, side, 2 * seed + k, epsilon=EPSILON) for k, side in enumerate(Side))
    if name == AGAINST_RANDOM:
        bench.play(x, "random", GAMES, Numbers(seed, 0))
        bench.play("random", o, GAMES, Numbers(seed, 0))
        return [x, o]
    if name == RANDOM_ENDS:  # finished positions too have values at random, and keep them
        over = bench.table.outcome != ONGOING
        for learner in (x, o):
            random = np.random.Generator(np.random.PCG64(1000 + 2 * seed + learner.side))
            learner.learned.amount[over] = random.random(over.sum())
    bench.play(x, o, GAMES, Numbers(seed, 0))
    return [x, o]


def all_against_all(bench: Bench, pairs: Pairs) -> NDArray[np.float64]:
    """Return [X, O, seed of X, seed of O, outcome], the exact probabilities of greedy play."""
    result = np.zeros((len(NAMES), len(NAMES), len(TEN), len(TEN), 3))
    policies = [[[bench.policy(p, p.side) for p in pairs[seed][name]] for seed in TEN] for name in NAMES]
    for place in np.ndindex(result.shape[:-1]):
        i, j, a, b = place
        result[place] = outcomes(bench.table, policies[i][a][0], policies[j][b][1])
    return result


def differences(bench: Bench, pairs: Pairs, name: str, side: int) -> NDArray[np.float64]:
    """Return [seeds, positions that are not over], V less V of the learner from the minimax values, same seed.

    For the latter itself: less its V of the next seed, which says how much is mere chance.
    """
    ongoing = bench.table.outcome == ONGOING
    rows = []
    for k, seed in enumerate(TEN):
        other = TEN[(k + 1) % len(TEN)] if name == MINIMAX else seed
        rows.append(pairs[seed][name][side].learned.amount - pairs[other][MINIMAX][side].learned.amount)
    return np.array(rows)[:, ongoing]


def matrix_figure(games: NDArray[np.float64]) -> Any:
    """Draw the table of all against all: what X may expect, and how often each outcome comes."""
    figure, axes = new_figure(size=(11, 8))
    axis, mean = axes[0, 0], games.mean(axis=(2, 3))
    value = mean[..., 0] - mean[..., 2]
    shown = axis.imshow(value, cmap="PuOr", vmin=-1, vmax=1)
    for i, j in np.ndindex(value.shape):
        win, draw, loss = (round(100 * share) for share in mean[i, j])
        lines = [f"X {win} %"] * (win > 0) + [f"draw {draw} %"] * (draw > 0) + [f"O {loss} %"] * (loss > 0)
        colour = "white" if abs(value[i, j]) > DARK else "black"
        axis.text(j, i, "\n".join(lines), ha="center", va="center", color=colour, fontsize=12)
    labels = [name.replace("-", "-\n", 1).replace(" ", "\n", 1) for name in NAMES]
    axis.set(xticks=range(len(NAMES)), yticks=range(len(NAMES)), xlabel="learner that plays O", ylabel="… that plays X")
    axis.set_xticklabels(labels)
    axis.set_yticklabels(labels)
    axis.grid(visible=False)
    axis.set_title(f"Greedy play after {GAMES:,} games: exact outcomes, mean over all pairs of seeds")
    figure.colorbar(shown, ax=axis, label="expected result of X (win 1, loss -1)", shrink=0.8)
    return figure


def strips_figure(bench: Bench, pairs: Pairs) -> Any:
    """Draw the differences of the estimates, a column a position, as strips; for X and for O."""
    table = bench.table
    ply = table.ply[table.outcome == ONGOING]
    starts = np.searchsorted(ply, np.arange(ply.max() + 2))
    names = [name for name in NAMES if name != MINIMAX]
    figure, axes = new_figure(2, 1, size=(13, 8))
    for side, axis in enumerate(axes[:, 0]):
        strips = np.array([differences(bench, pairs, name, side).mean(axis=0) for name in names])
        shown = axis.imshow(strips, cmap="PuOr", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        axis.set_yticks(range(len(names)), names)
        for start in starts[1:-1]:
            axis.axvline(start - 0.5, color="#444444", linewidth=1)
        for row in range(1, len(names)):
            axis.axhline(row - 0.5, color="white", linewidth=5)
        middles = [(a + b) / 2 for a, b in pairwise(starts[2:])]
        axis.set_xticks(middles, [str(number) for number in range(2, len(middles) + 2)])
        axis.grid(visible=False)
        axis.set_title(
            f"{Side.of_number(side)}'s values, less those of {Side.of_number(side)} trained from the minimax values"
        )
    axes[1, 0].set_xlabel("position, by its number; grouped by ply (0 and 1 are the first four columns)")
    figure.colorbar(shown, ax=axes, label="difference of values, mean over ten seeds", aspect=40)
    return figure


def sure_draws(games: NDArray[np.float64], xs: tuple[str, ...], os: tuple[str, ...]) -> NDArray[np.bool_]:
    """Say for each pair of learners whether they draw for sure."""
    part = games[np.ix_([NAMES.index(x) for x in xs], [NAMES.index(o) for o in os])]
    return np.ravel(part[..., 1] > SURE)


def beatable(bench: Bench, pairs: Pairs) -> list[Claim]:
    """Compare what was said of Zhang's program with the exact worst case: as it comes, and trained for longer."""
    found = []
    own = []
    for seed in TEN:
        x, o = (bench.learner("zhang", side) for side in Side)
        bench.play(x, o, OWN_GAMES, Numbers(seed, 0))
        own.append([x, o])
    label = "the trained greedy player can still be beaten by an opponent made for it"
    for when, trained in (
        (f"{label} (epsilon 0.01, {OWN_GAMES:,} games)", own),
        (f"... (epsilon {EPSILON}, {GAMES:,} games)", [pairs[seed]["zhang"] for seed in TEN]),
    ):
        beaten = [[bench.worst(learner).loss > UNBEATEN for learner in pair] for pair in trained]
        of_x, of_o = (seeds_where(side) for side in zip(*beaten, strict=True))
        holds = "no" if not np.any(beaten) else "yes" if np.all(beaten) else "yes, in some seeds"
        found.append(Claim(when, f"X can be beaten in {of_x}, O in {of_o}", holds))
    return found


def claims(games: NDArray[np.float64]) -> list[Claim]:
    """Compare what was claimed with all against all."""
    found = []
    for claim, xs, os in (
        ("of the four in self-play, all but -random draw every game (not -no-ties as O)", NOT_RANDOM, NOT_RANDOM[:2]),
        ("the one trained against a random player as X too", (AGAINST_RANDOM,), NOT_RANDOM[:2]),
        ("the one trained against a random player as O too", NOT_RANDOM, (AGAINST_RANDOM,)),
    ):
        sure = sure_draws(games, xs, os)
        holds = "yes" if sure.all() else "no: not with every partner" if sure.any() else "no"
        found.append(Claim(claim, f"{sure.sum()} of {sure.size} pairs are certain to draw", holds))
    others = [NAMES.index(name) for name in NOT_RANDOM[:2]]
    for name, label in (
        ("zhang-random", "-random loses every game, read as the start from Uniform[0,1)"),
        (RANDOM_ENDS, "... with the finished positions at random too (a guess of ours)"),
        (AGAINST_RANDOM, "... read as the one trained against a random player"),
    ):
        me = NAMES.index(name)
        as_x = games[me, others].mean(axis=(0, 2))[:, 2]
        as_o = games[others, me].mean(axis=(0, 1))[:, 0]
        losses = [*as_x, *as_o]
        holds = "yes" if min(losses) > SURE else "no: it loses none" if max(losses) < UNBEATEN else "no: not every game"
        found.append(Claim(label, f"lost as X {percent(as_x)}; as O {percent(as_o)}", holds))
    return found


def reproduce(folder: Path) -> None:
    """Train, compare, and write the page."""
    bench = Bench()
    pairs: Pairs = {seed: {name: train(bench, name, seed) for name in NAMES} for seed in TEN}
    games = all_against_all(bench, pairs)
    page = Page(folder, "sekeres", "Sekeres 2025: one algorithm from different starts")
    page.text("""G. Sekeres' lecture slides (2025) train S. Zhang's program for chapter 1 of Sutton and Barto, TD(0)
        over all positions of a game, from different values: 0.5 everywhere, the minimax values, numbers at random, and
        with a draw worth as little as a loss; and against a random player. Then each plays all the others, and their
        values are compared.""")
    page.heading("How it is reproduced")
    page.text(f"""Presets `zhang`, `zhang-minimax`, `zhang-random` and `zhang-no-ties`, X against O of the same preset,
        with epsilon {EPSILON} and {GAMES:,} games; *against random* is `zhang`, each side trained against `random`.
        *Random ends* is ours: `zhang-random` whose finished positions too have values at random, which never change,
        so that winning may be worth less than losing. Seeds {TEN[0]} to {TEN[-1]}, with symmetry. Each X then meets
        each O of every seed, both greedy, {len(TEN) ** 2} pairs an entry; probabilities are exact, nothing is
        sampled.""")
    page.figure(matrix_figure(games), "matrix", "All against all: X's learner by row, O's by column.")
    page.claims([*claims(games), *beatable(bench, pairs)])
    page.text("""The claim about *-random* does not hold for values at random where games go on: three million games
        wash them out. It nearly comes true if the values of finished games are random too and stay so; then it never
        learns what a win is. What we have of the slides does not say which was meant. As O, a draw worth nothing makes
        *-no-ties* careless, since O can hope for little more than a draw. With its own epsilon and a hundred thousand
        games Zhang's player can be beaten in some seeds only, and trained as here in none.""")
    page.heading("Exact worst case")
    page.text("Greedy play against the opponent made for it; a learner is unbeaten if that opponent never wins.")
    rows = []
    for name in NAMES:
        worst = [[bench.worst(pairs[seed][name][side]).loss for seed in TEN] for side in (0, 1)]
        rows.append([name] + [text for w in worst for text in (seeds_where(x < UNBEATEN for x in w), percent(w))])
    page.table(("learner", "X unbeaten", "X loses at worst", "O unbeaten", "O loses at worst"), rows)
    page.heading("Differences of their values")
    page.figure(
        strips_figure(bench, pairs),
        "values",
        """Every position that is not over is a column: purple, the learner expects more than the one trained from the
        minimax values, orange less. Against a random player both sides hope for too much.""",
    )
    page.text(
        "Mean absolute difference over these positions; the first row compares two seeds of the same learner: chance"
        " alone."
    )
    rows = []
    for name in (MINIMAX, *(name for name in NAMES if name != MINIMAX)):
        found = [np.abs(differences(bench, pairs, name, side)).mean(axis=1) for side in (0, 1)]
        label = f"{name}, next seed" if name == MINIMAX else name
        rows.append([label, *(f"{f.mean():.3f} ({f.min():.3f} to {f.max():.3f})" for f in found)])
    page.table(("learner", "mean difference, X", "mean difference, O"), rows)
    page.write()
