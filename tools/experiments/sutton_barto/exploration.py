"""Exercise 1.4 of Sutton and Barto: what is learned with and without exploratory moves, and the book's claims."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, Machine, seeds_where, spread
from experiments.page import Page
from experiments.sutton_barto.figures import exploration_figure
from experiments.sutton_barto.program import TWENTY, policy_of, winning_chances, wins_of, with_smaller_steps
from experiments.sutton_barto.questions import open_exercise

# Thresholds of the claims.
CLOSE = 0.02  # mean distance of probabilities, boards weighted by how often they were learned from
LESS = 0.001  # the share of games that minimax play wins less
BOOK = "section 1.5"
CONVERGES = Claim(
    "the method “converges, for any fixed opponent, to the true probabilities of winning from each state given optimal "
    "play by our player”",
    BOOK,
    f"against random X, the mean distance is at most {CLOSE}",
    "law",
    hardly_fails=True,  # the book gives the reason
)
OPTIMAL = Claim(
    "“the moves then taken ... are in fact the optimal moves against this (imperfect) opponent”",
    BOOK,
    "against random X, it wins as often as the best player",
    "law",
    hardly_fails=True,
)
NOT_MINIMAX = Claim(
    "“the classical “minimax” solution from game theory is not correct here”",
    BOOK,
    f"against random X, it wins at least {100 * LESS:.1f} % less",
    "number",
)

EXPLORING = 0.1  # epsilon of exercise 1.4: enough to distinguish the two sets
STAGES, FIRST_GAMES = 8, 20_000  # of exercise 1.4: step sizes 0.5, 0.25, ... for 20,000, 40,000, ... games
STAGED_SEEDS = TWENTY[:4]  # of the table
JUDGED_SEEDS = range(1, 61)  # of the claims


def exploration(page: Page, bench: Bench) -> list[Finding]:
    """Answer exercise 1.4, and judge the book's claims about it."""
    positions = bench.positions
    best, exploring = winning_chances(positions), winning_chances(positions, EXPLORING)
    rule = winning_chances(positions, skipped=EXPLORING)
    learned = {
        flag: [
            with_smaller_steps(bench, seed, STAGES, FIRST_GAMES, epsilon=EXPLORING, from_exploration=flag)
            for seed in STAGED_SEEDS
        ]
        for flag in (False, True)
    }

    def distance(machine: Machine, exact: NDArray[np.float64]) -> float:
        weight = machine.learned.count * machine.learned.kept
        return float((weight * np.abs(machine.learned.amount - exact)).sum() / weight.sum())

    epsilons = np.linspace(0, 0.5, 11)
    sets = {
        "by the chances by best play": [best for _ in epsilons],
        "by the chances while exploring": [winning_chances(positions, epsilon) for epsilon in epsilons],
    }
    wins = {
        name: [wins_of(bench, policy_of(positions, v, e)) for v, e in zip(values, epsilons, strict=True)]
        for name, values in sets.items()
    }
    open_exercise(page, "1.4")
    page.text(f"""Epsilon is {EXPLORING}. The step size is 0.5 for {FIRST_GAMES:,} games, then half as large for twice
        as many, {STAGES} times. The table uses seeds {STAGED_SEEDS[0]} to {STAGED_SEEDS[-1]}, and claims 1 and 2 use
        {len(JUDGED_SEEDS)} seeds. Both sets of chances are exact.""")
    page.figure(
        exploration_figure(
            {
                "learned without exploratory moves": learned[False][0],
                "learned with exploratory moves": learned[True][0],
            },
            {"exact chances by best play": best, f"exact chances while exploring ({EXPLORING})": exploring},
            epsilons,
            wins,
        ),
        "exploration",
        f"""What O learned with epsilon {EXPLORING} in seed 1. Left: its values minus the exact chances by best play, on
        a tenth of its boards. Right: what O gains by the chances of an exploring player while it explores.""",
    )
    rows = []
    for flag, machines in learned.items():
        distances = [f"{np.mean([distance(m, exact) for m in machines]):.4f}" for exact in (best, exploring, rule)]
        behaving = np.array([wins_of(bench, policy_of(positions, m.learned.amount, EXPLORING)) for m in machines])
        greedily = np.array([bench.against(m, "random").win for m in machines])
        name = "with exploratory moves" if flag else "without"
        rows.append((name, *distances, f"{100 * behaving.mean():.2f}", f"{100 * greedily.mean():.2f}"))
    header = (
        "learned",
        "best play",
        "while exploring",
        "as the rule weighs",
        "wins exploring (percent)",
        "wins greedy",
    )
    page.table(header, rows)
    at = list(epsilons).index(min(epsilons, key=lambda e: abs(e - EXPLORING)))
    exact_wins = [100 * values[at] for values in wins.values()]
    page.text(f"""The first three columns are mean distances from exact chances, weighted by how often a board was
        learned from. If O learns from exploratory moves, it learns the chances to win *while it goes on exploring*;
        otherwise, those *by best play*. While O explores, the first set wins more, exactly {exact_wins[1]:.2f} %
        instead of {exact_wins[0]:.2f} %, because it avoids boards where a random move is costly. One detail is not in
        the book. O always learns if X ends the game; otherwise, only if O's next move is not exploratory. So its values
        are nearest to chances weighted in this way, which are up to {np.abs(best - rule).max():.3f} lower.""")
    judged = [
        with_smaller_steps(bench, seed, STAGES, FIRST_GAMES, epsilon=EXPLORING, from_exploration=False)
        for seed in JUDGED_SEEDS
    ]
    return findings_of_exploration(bench, judged, [distance(machine, best) for machine in judged])


def findings_of_exploration(bench: Bench, machines: list[Machine], distances: list[float]) -> list[Finding]:
    """Judge what the book says about a player whose step size is reduced."""
    positions = bench.positions
    best = wins_of(bench, policy_of(positions, winning_chances(positions)))
    lost = positions.minimax == 1
    holds = ~lost[positions.next_position] | lost[positions.position_of_move]
    careful = winning_chances(positions, allowed=holds)
    minimax = wins_of(bench, policy_of(positions, np.where(lost, careful - 1, careful)))  # it never gives up a draw
    wins = [bench.against(machine, "random").win for machine in machines]
    return [
        CONVERGES.counted(
            f"mean distance from these probabilities {spread(distances, 4)}",
            (distance <= CLOSE for distance in distances),
        ),
        OPTIMAL.counted(
            f"it wins the most possible, {100 * best:.2f} %, in {seeds_where(w > best - UNBEATEN for w in wins)}",
            (w > best - UNBEATEN for w in wins),
        ),
        NOT_MINIMAX.judged(
            f"the best player that nobody beats wins {100 * minimax:.2f} % against random X, the best of all"
            f" {100 * best:.2f} %",
            best - minimax > LESS,
        ),
    ]
