"""Write the page about Woś's thesis on MENACE, Q-learning and SARSA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import BLACK, ORANGE, SKY, measured, new_figure
from experiments.page import BEADS, MICHIES_BEADS, VALUES_INSTEAD, Page
from experiments.wos.conditions import (
    ALONE,
    BOX,
    FILTER,
    LONG,
    MOVE,
    NONE,
    OURS,
    PRINTED,
    Q_BLOCKING,
    SARSA_BLOCKING,
    Condition,
)
from experiments.wos.program import Array, Matchboxes, Program, Values

TEN = 10  # the number of machines in the thesis
MACHINES, LEARNERS = 1000, 100  # the numbers of our machines that use matchboxes and that use values
TESTED = 100  # the number of games against the optimal player after training
BAND = 0.95  # a printed mean agrees with ours if it is within this central share of the means of ten of our machines
WIDE = 25.0  # if the band of means is wider than this many percentage points, the claim can hardly fail
SEED = 1
NEAR = 2.0  # means that differ by at most this many standard errors agree
EXTREME = 10.0  # in percent
COLLAPSED = 50.0  # a machine has collapsed if it draws less than this percentage of games
AIF = (88.1, 3.9)  # the printed values for instrumental active inference, trained only by the optimal player
COMPLETED = 6  # the number of the thesis's ten machines without restocking that finished

# The thesis measured ten machines for each claim, whereas we judge the claims with larger samples.
AGREES = {
    condition: Claim(
        f"{condition.name}: {condition.printed[0]} ± {condition.printed[1]} % drawn",
        "table " + ("9.3" if condition is FILTER else "9.4" if condition in {MOVE, NONE} else "9.1"),
        f"the printed mean is in the band (it can hardly fail if the band is wider than {WIDE:.0f} points)",
        "number",
    )
    for condition in PRINTED
    if condition.printed is not None
}
DID_NOT_FINISH = Claim(
    "MENACE, no restock: four of ten machines did not finish",
    "chapter 9, Restock Strategy",
    f"six of ten is within {NEAR:.0f} standard errors of our share of machines that finish",
    "number",
)
ADVANTAGE = Claim(
    '"the Michie filter offering a modest advantage in sample efficiency"',
    "chapter 9, State Filter",
    "machines with the Michie filter (claim 1) draw more often than machines without it (claim 2), by more than"
    f" {NEAR:.0f} standard errors",
    "number",
)
MATCHES, MATCHES_ALONE = (
    Claim(
        text,
        "chapter 9, Summary of Empirical Findings",
        f"the two means differ by at most {AIF[1]} points, the printed standard deviation",
        "number",
    )
    for text in (
        "MENACE “matches the strongest instrumental Active Inference baselines”: MENACE after the mixed curriculum",
        "the same, but MENACE after the optimal player alone, which trained the baselines",
    )
)
POSITIVE = Claim(
    '"Dirichlet prior keeps all action probabilities strictly positive"',
    "chapter 9, Key Finding 3",
    "no box has lost all beads for a move",
    "law",
    noun="machines",
)
COLLAPSES = Claim(
    "after the defensive player alone, Q-learning and SARSA “frequently collapse”, and MENACE avoids that",
    "chapter 9, Key Finding 3 and summary, 3",
    "fewer than half as many MENACE machines collapse as Q-learning and SARSA machines",
    "number",
)
EMPTY = "The machines on this page differ in what they do at an empty box."
LABELS = ("our machines: higher bars for more machines", "our mean", "printed mean ± SD (cut at 0 and 100)")
DrawShares = Mapping[str, NDArray[np.float64]]  # percentages of games drawn by the machines that finished


def trained(condition: Condition, machines: int, games: int | None = None) -> Program:
    """Return the program after its whole curriculum, or after `games` games with each opponent in the curriculum."""
    off = condition.off_policy
    program: Program = (
        Matchboxes(machines, SEED, condition.restock, condition.boxes) if off is None else Values(machines, SEED, off)
    )
    for rival, number in condition.runs:
        program.play(rival, number if games is None else games)
    return program


def draws(program: Program) -> NDArray[np.float64]:
    """Return the percentage of games drawn with the optimal player, for each machine that finished."""
    outcomes = program.play("optimal", TESTED, learning=False)
    share: NDArray[np.float64] = 100 * outcomes[program.alive, 1] / TESTED
    return share


def in_menace(condition: Condition, machines: int) -> NDArray[np.float64]:
    """Return the exact percentage of draws with `optimal` for machines of this package after the same curriculum."""
    curriculum = ",".join(f"{rival}:{games}" for rival, games in condition.runs)
    shares = measured(
        "optimal.draws",
        preset=condition.preset,
        against=curriculum.rpartition(":")[0],  # the last opponent plays all remaining games
        games=sum(games for _, games in condition.runs),
        seeds=machines,
        **dict(condition.settings),
    )
    return 100 * shares[:, -1]


def means_of(count: int, shares: NDArray[np.float64]) -> tuple[float, float]:
    """Return an interval that contains the mean of `count` random machines of ours with probability BAND."""
    chance = np.random.Generator(np.random.PCG64(SEED))
    means = chance.choice(shares, (10_000, count)).mean(axis=1)
    low, high = np.quantile(means, [(1 - BAND) / 2, (1 + BAND) / 2])
    return float(low), float(high)


def pair(shares: Sequence[float] | NDArray[np.float64]) -> str:
    """Return the mean and the standard deviation."""
    return f"{fmean(shares):.1f} ± {stdev(shares):.1f}"


def error_of(shares: NDArray[np.float64]) -> float:
    """Return the standard error of a mean."""
    return float(shares.std(ddof=1) / np.sqrt(len(shares)))


def figure(drawn: DrawShares) -> Figure:
    """Draw the distribution of our machines' draws beside the printed means."""
    result, axes = new_figure(size=(12, 6.5))
    axis, shown = axes[0, 0], (*PRINTED, *OURS)
    for row, condition in enumerate(shown):
        labels = LABELS if row == 0 else (None,) * len(LABELS)
        values = drawn[condition.name]
        draws, machines = np.unique(values, return_counts=True)
        half = 0.28 * machines / machines.max()
        axis.vlines(draws, row - half, row + half, color=SKY, linewidth=5, label=labels[0])
        axis.plot(values.mean(), row, "|", color=BLACK, markersize=24, markeredgewidth=3, label=labels[1])
        if condition.printed is not None:
            mean, sd = condition.printed
            ends = [[min(sd, mean)], [min(sd, 100 - mean)]]
            axis.errorbar(mean, row + 0.38, xerr=ends, fmt="D", color=ORANGE, markersize=8, capsize=4, label=labels[2])
    axis.axvline(
        AIF[0],
        color=ORANGE,
        linestyle="--",
        linewidth=1.5,
        label=f"printed for active inference, optimal alone: {AIF[0]}",
    )
    axis.set_yticks(range(len(shown)), [condition.name for condition in shown])
    axis.invert_yaxis()
    axis.set(xlim=(-2, 102), xlabel=f"draws in {TESTED} games against the optimal player, percent")
    axis.set_title("Draws after training: our machines and the thesis")
    result.legend(loc="outside lower center", ncols=2)
    return result


def agrees(condition: Condition, claim: Claim, drawn: DrawShares) -> Finding:
    """Check whether a group of our machines of the same size could have the printed mean."""
    assert condition.printed is not None
    mean = condition.printed[0]
    count = COMPLETED if condition is NONE else TEN
    low, high = means_of(count, drawn[condition.name])
    return replace(claim, hardly_fails=high - low > WIDE).judged(
        f"ours {pair(drawn[condition.name])} %; the band is {low:.1f} to {high:.1f} %",
        low <= mean <= high,
        f"{mean} is {'below' if mean < low else 'above'} that",
    )


def matches(claim: Claim, ours: NDArray[np.float64]) -> Finding:
    """Check whether our machines draw as often as the baselines in the thesis."""
    return claim.judged(
        f"MENACE draws {pair(ours)} %, the baselines {AIF[0]} ± {AIF[1]} %",
        bool(abs(ours.mean() - AIF[0]) <= AIF[1]),
        "MENACE draws more" if ours.mean() > AIF[0] else "MENACE draws less",
    )


def findings(drawn: DrawShares, empty: Array, share_collapsed: Mapping[str, float]) -> list[Finding]:
    """Check all claims; `empty` contains the number of moves without beads for each machine."""
    box, filtered, alone = (drawn[case.name] for case in (BOX, FILTER, ALONE))
    gain, error = box.mean() - filtered.mean(), float(np.hypot(error_of(box), error_of(filtered)))
    survived = len(drawn[NONE.name]) / MACHINES
    assert BOX.printed is not None
    assert FILTER.printed is not None
    printed = BOX.printed[0] - FILTER.printed[0]
    of_values = min(share_collapsed[Q_BLOCKING.name], share_collapsed[SARSA_BLOCKING.name])
    return [
        *(agrees(condition, claim, drawn) for condition, claim in AGREES.items()),
        DID_NOT_FINISH.judged(
            f"{100 * (1 - survived):.0f} % of {MACHINES:,} machines did not",
            abs(TEN * survived - COMPLETED) <= NEAR * float(np.sqrt(TEN * survived * (1 - survived))),
        ),
        ADVANTAGE.judged(
            f"the difference is {gain:+.2f} points, with a standard error of {error:.2f} (printed: +{printed:.1f})",
            gain > NEAR * error,
            "no difference is visible" if abs(gain) <= NEAR * error else "they draw less",
        ),
        matches(MATCHES, box),
        matches(MATCHES_ALONE, alone),
        POSITIVE.counted(
            f"after the mixed curriculum, a machine has lost all beads for {empty.mean():.0f} moves on average, because"
            " only empty boxes are restocked",
            empty == 0,
        ),
        COLLAPSES.judged(
            f"collapsed: MENACE {100 * share_collapsed[LONG.name]:.0f} %, Q-learning and SARSA at least"
            f" {100 * of_values:.0f} %",
            share_collapsed[LONG.name] < of_values / 2,
            "MENACE collapses as often",
        ),
    ]


def rows(drawn: DrawShares, exact: DrawShares) -> list[list[str]]:
    """Return a row for each condition with the printed draws, our machines' draws, and the exact draws in menace."""
    return [
        [
            condition.name,
            "-" if condition.printed is None else f"{condition.printed[0]} ± {condition.printed[1]}",
            f"{pair(drawn[condition.name])} ({len(drawn[condition.name]):,})",
            pair(exact[condition.name]),
        ]
        for condition in (*PRINTED, *OURS)
    ]


def reproduce(folder: Path) -> None:
    """Train and test the machines, and write the page."""
    drawn: dict[str, NDArray[np.float64]] = {}
    exact: dict[str, NDArray[np.float64]] = {}
    empty = np.zeros(MACHINES)
    for condition in (*PRINTED, *OURS):
        few = condition.is_of_values or condition is LONG
        program = trained(condition, LEARNERS if few else MACHINES)
        drawn[condition.name] = draws(program)
        exact[condition.name] = in_menace(condition, LEARNERS if few else MACHINES)
        if condition is BOX and isinstance(program, Matchboxes):
            gone = (program.beads == 0) & (program.t.fresh > 0) & program.boxed[:, None]
            empty = gone.sum(axis=(1, 2))
    collapsed = {case.name: float((drawn[case.name] < COLLAPSED).mean()) for case in (Q_BLOCKING, SARSA_BLOCKING, LONG)}
    machine = f"{BEADS} {MICHIES_BEADS} {EMPTY} {VALUES_INSTEAD}"
    page = Page(folder, "wos", "Woś 2025: filters, restocking and training by one opponent", machine=machine)
    page.term("""*Mixed curriculum*: 200 games against a random player, 100 against the *defensive* player, and 200
        against the optimal player. The defensive player blocks rows and otherwise plays any cell. In the table, MENACE
        is trained with the mixed curriculum unless stated otherwise.""")
    page.term("""*Restock*: an empty box (*restock a box*) or a move without beads (*restock a move*) is refilled with
        its initial beads. With *no restock*, a machine that reaches an empty box stops for good.""")
    page.term(
        "*Michie filter*: a rule that omits boxes for lost positions. Without this filter, there are *304 boxes*."
    )
    page.term("*Random, defensive*: the only player that trained a Q-learning or SARSA machine, for 5,000 games.")
    page.term(
        "*Baselines*: the agents in the thesis that use active inference; an *instrumental* agent seeks only good"
        " results."
    )
    page.term(f"*Collapse*: drawing less than {COLLAPSED:.0f} % of the games against the optimal player.")
    page.term("*Dirichlet prior*: the initial beads, interpreted as a prior belief about the moves.")
    page.term(f"""*Band*: the range that contains the middle {100 * BAND:.0f} % of the mean results of groups of our
        machines. Each group has as many machines as the thesis had.""")
    judged = findings(drawn, empty, collapsed)
    agreeing = sum(finding.verdict.word == "yes" for finding in judged[: len(AGREES)])
    page.summary(
        """A thesis by Krzysztof Woś reports how often machines of several kinds draw with an optimal player (claims 1
        to 9). The thesis says that MENACE draws as often as agents that use active inference, a theory from
        neuroscience (claims 11 and 12). The thesis also says that machines that learn values collapse (seldom draw with
        the optimal player) after training by a defensive player, but that MENACE does not (claim 14).""",
        f"""We rewrote Woś's program. We trained {MACHINES:,} machines of each kind that uses matchboxes, and {LEARNERS}
        of each kind that uses values (Q-learning and SARSA).""",
        f"""The printed numbers are right: {agreeing} of {len(AGREES)} means (claims 1 to 8: yes) and a share of
        machines (claim 9: yes) agree with ours. MENACE draws as often as the agents after mixed training, by a
        random, a defensive and an optimal player (claim 11: yes), but more often after training by the optimal player
        alone (claim 12: no). MENACE also collapses after training by the defensive player (claim 14: no), and its boxes
        can lose all beads for a move (claim 13: no). So methods can be compared only after the same training.""",
    )
    header = ("machine", "printed", "ours, percent drawn (machines)", "in menace, exact")
    introduce(page, page.numbers("draws", header, rows(drawn, exact)))
    page.figure(
        figure(drawn),
        "draws",
        f"""Draws against the optimal player. There are {MACHINES:,} machines of each kind with matchboxes, and
        {LEARNERS} of each kind with values. The printed means and standard deviations are for ten machines.""",
    )
    page.claims(judged)
    page.text("""The printed mean covers the six machines that finished. For claim 4, we compare it with the means of
        groups of six of our machines. We chose this comparison after a first run, in which another comparison gave the
        verdict *no*.""")
    conclude(page, drawn, exact)
    page.write()


def introduce(page: Page, link: str) -> None:
    """Describe the source and our runs; `link` points to a file with the draws of all machines."""
    page.text("""The source is Krzysztof Woś, MENACE as a Bayesian Observer, master's thesis, University of Tokyo
        (github.com/krzysztofwos/masters-thesis), tables 9.1, 9.3 and 9.4. After training, each machine plays 100 games
        as X against an optimal player.""")
    page.text(f"""We also read Woś's program, in which the optimal player always takes the *first* of the best cells.
        {link} lists all results, including the exact shares of draws for menace's presets `wos-box`, `wos-move`,
        `wos-q-learning` and `wos-sarsa`.""")


def conclude(page: Page, drawn: DrawShares, exact: DrawShares) -> None:
    """Describe the effect of the curriculum, and explain why claims 6 and 8 can hardly fail."""
    page.heading("What the curriculum decides")
    page.text(f"""In the mixed curriculum, only 200 of 500 games are against the player that tests the machine. The
        player `optimal` in the package `menace` chooses among the best cells at random. MENACE draws
        {pair(exact[ALONE.name])} % of its games against `optimal` if only `optimal` trained it, and
        {pair(exact[BOX.name])} % after the mixed curriculum. We calculated each machine's share exactly, and ± shows
        the spread between machines.""")
    values = drawn[Q_BLOCKING.name]
    extreme = (values < EXTREME) | (values > 100 - EXTREME)
    share = "All" if extreme.all() else f"{extreme.mean():.0%}"
    page.text(f"""A machine trained by the defensive player draws nearly always or nearly never, because the player that
        tests it makes no random moves. {share} of our Q-learning machines with this teacher draw less than
        {EXTREME:.0f} % or more than {100 - EXTREME:.0f} % of their games. The mean result of ten such machines depends
        mostly on luck, so the band is wide. We think that many machines collapse because the defensive player shows
        them too few of the moves that the optimal player makes.""")
