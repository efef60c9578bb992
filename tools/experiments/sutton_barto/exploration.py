"""Answer exercise 1.4 of Sutton and Barto, about learning from exploratory moves, and judge the book's claims."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, Machine, seeds_where, spread
from experiments.page import Page
from experiments.sutton_barto.figures import exploration_figure
from experiments.sutton_barto.questions import open_exercise
from experiments.sutton_barto.runs import TWENTY, policy_of, winning_chances, wins_of, with_smaller_steps

# Thresholds for the claims.
CLOSE = 0.02  # the mean distance of probabilities, in which each board counts as often as it was learned from
LESS = 0.001  # the share of games that minimax play wins is lower by at least this
BOOK = "section 1.5"
CONVERGES = Claim(
    "the method “converges, for any fixed opponent, to the true probabilities of winning from each state given optimal "
    "play by our player”",
    BOOK,
    f"against random X, the mean distance from these probabilities is at most {CLOSE}",
    "law",
    hardly_fails=True,  # the book gives the reason for this
)
OPTIMAL = Claim(
    "“the moves then taken ... are in fact the optimal moves against this (imperfect) opponent”",
    BOOK,
    "against random X, greedy O wins as often as the best player",
    "law",
    hardly_fails=True,
)
NOT_MINIMAX = Claim(
    "“the classical “minimax” solution from game theory is not correct here”",
    BOOK,
    f"against random X, the best unbeatable player wins at least {100 * LESS:.1f} % fewer games than the best player",
    "number",
)

EXPLORING = 0.1  # the epsilon for exercise 1.4, which is large enough to distinguish the two sets of probabilities
STAGES, FIRST_GAMES = 8, 20_000  # for exercise 1.4: step sizes 0.5, 0.25, ... for 20,000, 40,000, ... games
STAGED_SEEDS = TWENTY[:4]  # the seeds for the table
JUDGED_SEEDS = range(1, 61)  # the seeds for the claims


def distance(machine: Machine, exact: NDArray[np.float64]) -> float:
    """Return the mean distance of values from exact ones, weighted by the number of updates of each board."""
    weight = machine.learned.count * machine.learned.kept
    return float((weight * np.abs(machine.learned.amount - exact)).sum() / weight.sum())


def taught(bench: Bench, seeds: Iterable[int], from_exploration: bool) -> list[Machine]:
    """Return machines that learned with progressively smaller steps."""
    return [
        with_smaller_steps(bench, seed, STAGES, FIRST_GAMES, epsilon=EXPLORING, from_exploration=from_exploration)
        for seed in seeds
    ]


def exploration(page: Page, bench: Bench) -> list[Finding]:
    """Answer exercise 1.4, and judge the book's claims about it."""
    positions = bench.positions
    best, exploring = winning_chances(positions), winning_chances(positions, EXPLORING)
    learned = {flag: taught(bench, STAGED_SEEDS, flag) for flag in (False, True)}
    epsilons = np.linspace(0, 0.5, 11)
    sets = {
        "by the chances by best play": [best for _ in epsilons],
        "by the chances while exploring": [winning_chances(positions, epsilon) for epsilon in epsilons],
    }
    wins = {
        name: [wins_of(bench, policy_of(positions, v, e)) for v, e in zip(values, epsilons, strict=True)]
        for name, values in sets.items()
    }
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
        f"""What O learned with epsilon {EXPLORING} and seed 1. The left panel shows O's values minus the exact
        probabilities of winning with best play, for a tenth of O's boards. The right panel shows how much an exploring
        player gains if it uses the probabilities of winning while exploring.""",
    )
    at = list(epsilons).index(min(epsilons, key=lambda e: abs(e - EXPLORING)))
    answer(page, bench, learned, [100 * values[at] for values in wins.values()])
    judged = taught(bench, JUDGED_SEEDS, False)
    return findings_of_exploration(bench, judged, [distance(machine, best) for machine in judged])


def answer(page: Page, bench: Bench, learned: dict[bool, list[Machine]], exact_wins: list[float]) -> None:
    """Add the answer; `exact_wins` are an exploring player's wins with each set of probabilities, in percent."""
    positions = bench.positions
    best, exploring = winning_chances(positions), winning_chances(positions, EXPLORING)
    open_exercise(page, "1.4")
    page.text(f"""Epsilon is {EXPLORING}. Training has {STAGES} stages. The first stage has {FIRST_GAMES:,} games with
        step size 0.5. Each later stage has twice as many games as the previous stage, and half its step size. The table
        uses seeds {STAGED_SEEDS[0]} to {STAGED_SEEDS[-1]}, and claims 1 and 2 use {len(JUDGED_SEEDS)} seeds.""")
    rows = []
    for flag, machines in learned.items():
        distances = [f"{np.mean([distance(m, exact) for m in machines]):.4f}" for exact in (best, exploring)]
        behaving = np.array([wins_of(bench, policy_of(positions, m.learned.amount, EXPLORING)) for m in machines])
        greedily = np.array([bench.against(m, "random").win for m in machines])
        name = "with exploratory moves" if flag else "without"
        rows.append((name, *distances, f"{100 * behaving.mean():.2f}", f"{100 * greedily.mean():.2f}"))
    header = (
        "learned",
        "distance from best play",
        "distance from exploring play",
        "wins while exploring (percent)",
        "wins when greedy",
    )
    page.table(header, rows)
    page.text(f"""The distances are the mean differences between the learned values and the exact probabilities of
        winning. If O learns from exploratory moves, it learns how likely it is to win *while it goes on exploring*.
        Otherwise, O learns how likely it is to win *with best play*. While O explores, it wins more games with the
        first set of probabilities (exactly {exact_wins[1]:.2f} % instead of {exact_wins[0]:.2f} %), because it then
        avoids boards where a random move is costly.""")


def findings_of_exploration(bench: Bench, machines: list[Machine], distances: list[float]) -> list[Finding]:
    """Judge what the book says about a player whose step size is reduced over time."""
    positions = bench.positions
    best = wins_of(bench, policy_of(positions, winning_chances(positions)))
    lost = positions.minimax == 1
    holds = ~lost[positions.next_position] | lost[positions.position_of_move]
    careful = winning_chances(positions, allowed=holds)
    # this player never gives up a draw
    minimax = wins_of(bench, policy_of(positions, np.where(lost, careful - 1, careful)))
    wins = [bench.against(machine, "random").win for machine in machines]
    return [
        CONVERGES.counted(
            spread(distances, 4),
            (distance <= CLOSE for distance in distances),
        ),
        OPTIMAL.counted(
            f"it wins {100 * best:.2f} %, the maximum, in {seeds_where(w > best - UNBEATEN for w in wins)}",
            (w > best - UNBEATEN for w in wins),
        ),
        NOT_MINIMAX.judged(
            f"it wins {100 * minimax:.2f} %, and the best player {100 * best:.2f} %",
            best - minimax > LESS,
        ),
    ]
