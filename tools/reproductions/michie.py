"""Michie 1963: the Pegasus program, figures 7 to 9: one side learning against random play, and both learning."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.games.base import Side
from reproductions.common import (
    OUTCOME_COLOURS,
    SEEDS,
    UNBEATEN,
    Bench,
    Claim,
    Machine,
    Numbers,
    Page,
    band,
    in_thousands,
    new_figure,
    percent,
    seeds_where,
    to_percent,
)

HUNDREDS = 20
LONG = 100_000  # plays of the longer training, for the worst case
EXPERIMENTS = {"first player learns": (True, False), "second player learns": (False, True), "both learn": (True, True)}
RARELY = 0.01
FORMULA = 1.025**128  # what M_1 would be by the formula
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "michie-1963": ("michie-1963", {}),
    "michie-1963-sliding": ("michie-1963-sliding", {}),
    f"michie-1963, M_1 = {FORMULA:.1f}": ("michie-1963", {"last": FORMULA}),
}
START = {0: Fraction(737, 1260) + Fraction(8, 63), 1: Fraction(121, 420) + Fraction(8, 63)}  # random play


class Course(NamedTuple):
    """One variant in one experiment, all seeds.

    Attributes:
        shares: of X's wins, draws and O's wins, [seeds, hundreds, 3], counted as they were played.
        learners: after these plays, [seeds][those that learn].
        later: the same after LONG plays.
    """

    shares: NDArray[np.float64]
    learners: list[list[Machine]]
    later: list[list[Machine]]


def run(bench: Bench, variant: str, learns: tuple[bool, bool]) -> Course:
    """Train afresh with every seed."""
    preset, settings = VARIANTS[variant]
    shares, learners, later = [], [], []
    for seed in SEEDS:
        x, o = (
            bench.learner(preset, side, **settings) if learning else "random"
            for side, learning in zip(Side, learns, strict=True)
        )
        numbers = Numbers(seed, 0)
        shares.append([bench.play(x, o, 100, numbers) / 100 for _ in range(HUNDREDS)])
        trained = [player for player in (x, o) if isinstance(player, Machine)]
        learners.append([learner.copy() for learner in trained])
        bench.play(x, o, LONG - 100 * HUNDREDS, numbers)
        later.append(trained)
    return Course(np.array(shares), learners, later)


def figure(courses: dict[str, dict[str, Course]]) -> Any:
    """Draw the percentages by hundred plays: a row a preset, a column an experiment."""
    names = list(courses)[:2]
    result, axes = new_figure(len(names), len(EXPERIMENTS), size=(14, 9), sharex=True, sharey=True)
    plays = (np.arange(HUNDREDS) + 1) * 100
    for row, name in zip(axes, names, strict=True):
        for axis, (experiment, course) in zip(row, courses[name].items(), strict=True):
            for k, (outcome, colour) in enumerate(OUTCOME_COLOURS.items()):
                band(axis, plays, course.shares[..., k], colour, outcome, linestyle=("-", "--", "-.")[k])
            axis.set_title(f"{name}\n{experiment}", fontsize=13)
            axis.set(ylim=(0, 1), xlim=(100, 100 * HUNDREDS), xticks=[500, 1000, 1500])
            to_percent(axis)
            in_thousands(axis)
    axes[0, 0].legend(loc="center right")
    result.supxlabel("plays (each point: the hundred that ends there)", fontsize=13)
    return result


def held(course: Course, side: int) -> NDArray[np.float64]:
    """Return [seeds, hundreds], the share of plays that a side won or drew."""
    return course.shares[..., 1] + course.shares[..., 0 if side == 0 else 2]


def claims(courses: dict[str, dict[str, Course]]) -> list[Claim]:
    """Compare the shape of the figures with what was measured."""
    found = []
    for name in list(courses)[:2]:
        for experiment, side in (("first player learns", 0), ("second player learns", 1)):
            shares = held(courses[name][experiment], side)
            better = shares[:, -1] > shares[:, 0]
            found.append(
                Claim(
                    f"{name}, {experiment}: it improves, to a high percentage of wins and draws",
                    f"won or drawn in the first hundred {percent(shares[:, 0])}, in the last {percent(shares[:, -1])};"
                    f" higher in {seeds_where(better)}",
                    "yes" if better.all() and shares[:, -1].min() > float(START[side]) else "not in every seed",
                )
            )
        draws = courses[name]["both learn"].shares[..., 1]
        found.append(
            Claim(
                f"{name}, both learn: they come to draw",
                f"drawn in the first hundred {percent(draws[:, 0])}, in the last {percent(draws[:, -1])}",
                "yes" if draws[:, -1].min() > draws[:, 0].max() else "not in every seed",
            )
        )
    return found


def strength_rows(bench: Bench, courses: dict[str, dict[str, Course]]) -> list[list[str]]:
    """Return the exact strength of every learner, a row each."""
    rows: list[list[str]] = []
    for name, experiments in courses.items():
        for experiment, course in experiments.items():
            for k, learner in enumerate(course.learners[0]):
                learners, later = ([seed[k] for seed in group] for group in (course.learners, course.later))
                losses = [bench.worst(one, "behaviour").loss for one in learners]
                safe = [bench.worst(one, "behaviour").loss < RARELY for one in later]
                greedy = [bench.worst(one).loss < UNBEATEN for one in later]
                lost = [bench.against(one, "random", "behaviour").loss for one in learners]
                cells = [name, experiment, learner.plays, percent(lost), percent(losses)]
                rows.append([*cells, seeds_where(safe), seeds_where(greedy)])
    return rows


def reproduce(folder: Path) -> None:
    """Train, compare, and write the page."""
    bench = Bench()
    courses = {name: {e: run(bench, name, learns) for e, learns in EXPERIMENTS.items()} for name in VARIANTS}
    page = Page(folder, "michie-1963", "Michie 1963: the Pegasus program")
    page.text("""D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963): a program for
        a Pegasus 2 takes the place of the matchboxes. After a play it multiplies the odds p / (1 - p) of its moves by
        M_n after a win and divides them after a loss; n counts back from the end, and M_n = 1.025^(2^(8-n)). In its
        improved form (table 3) outcomes count from their own sliding mean. Figures 7 to 9 show percentages of outcomes
        by hundred plays: Nought learning against random play, Cross learning against random play, and both
        learning.""")
    page.heading("How it is reproduced")
    page.text(f"""Presets `michie-1963` and `michie-1963-sliding`, {100 * HUNDREDS:,} plays, seeds {SEEDS[0]} to
        {SEEDS[-1]}, with symmetry; percentages are counted from the plays themselves, as Michie did, since the program
        changes while it plays. In this package X is whoever moves first, so the experiments are named by who moves
        first, not by Nought and Cross. M_1 is infinite in the paper's plot; here it is 2^40, as no weight falls below
        2^-40 of its position's sum. A third variant caps M_1 at {FORMULA:.1f}, its value by the formula. The decay of
        the sliding mean, 0.98, is ours.""")
    page.figure(figure(courses), "plays", "Mean of all seeds by hundred plays; the bands hold all of them.")
    page.claims(claims(courses))
    page.text(f"""The paper's own percentages are not known to us, so the comparison is by shape only; that both come
        to draw when both learn is our reading of that shape, and a *high percentage* is taken as: in every seed above
        that of random play. For comparison: random play wins or draws {100 * float(START[0]):.1f} % for the first
        player and {100 * float(START[1]):.1f} % for the second.""")
    page.heading("Exact worst case")
    page.text(f"""As the learners stand after {100 * HUNDREDS:,} plays, exactly: how often they lose as they play (by
        their odds) against random and against the opponent made for them. After {LONG:,} plays: in how many seeds that
        opponent wins less than one game in a hundred, and in how many it can never beat greedy play (the likeliest
        move).""")
    header = ("variant", "experiment", "learner", "loses to random", "loses at worst")
    page.table(
        (*header, f"at worst below 1 % after {LONG:,}", f"greedy unbeaten after {LONG:,}"),
        strength_rows(bench, courses),
    )
    page.text("""So the high percentages are those against random play. The opponent made for the learner still beats
        most of them: whoever learned from random play was never shown the answers, and O that learned from X knows only
        X's own line of play. Only X that learned from O becomes safe, and the cap on M_1 changes none of this.""")
    page.write()
