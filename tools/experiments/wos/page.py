"""Woś's thesis: MENACE by its filter and its way to restock, and what Q-learning and SARSA learn from one opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import BLACK, ORANGE, SKY, measured, new_figure
from experiments.page import Page
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

TEN = 10  # machines of his
MACHINES, LEARNERS = 1000, 100  # of ours: of matchboxes, and of values
TESTED = 100  # games against the optimal player, afterwards
BAND = 0.95  # of the means of ten of our machines, within which a printed mean agrees
WIDE = 25.0  # percent: if the means of our machines spread over more than this, the claim can hardly fail
SEED = 1
NEAR = 2.0  # standard errors of a mean, or of a difference, within which two are alike
EXTREME = 10.0  # percent
COLLAPSED = 50.0  # percent of games drawn, below which a run has collapsed
AIF = (88.1, 3.9)  # his instrumental active inference, trained on the optimal player alone
COMPLETED = 6  # of his ten machines without restocking

# The claims: numbers of ten machines, judged by our many.
AGREES = {
    condition: Claim(
        f"{condition.name}: {condition.printed[0]} ± {condition.printed[1]} % drawn",
        "table " + ("9.3" if condition is FILTER else "9.4" if condition in {MOVE, NONE} else "9.1"),
        f"the printed mean is within the middle {100 * BAND:.0f} % of means of as many of ours as of his; this can"
        f" hardly fail if that band is wider than {WIDE:.0f} points",
        "number",
    )
    for condition in PRINTED
    if condition.printed is not None
}
DID_NOT_FINISH = Claim(
    "four of ten machines without restocking did not finish",
    "chapter 9, Restock Strategy",
    f"six of ten is within {NEAR:.0f} standard errors of ours",
    "number",
)
ADVANTAGE = Claim(
    '"the Michie filter offering a modest advantage in sample efficiency"',
    "chapter 9, State Filter",
    f"the difference is more than {NEAR:.0f} standard errors",
    "number",
)
MATCHES, MATCHES_ALONE = (
    Claim(
        text,
        "chapter 9, Summary of Empirical Findings",
        f"the means differ by at most the printed {AIF[1]}",
        "number",
    )
    for text in (
        "MENACE “matches the strongest instrumental Active Inference baselines”, each by its curriculum",
        "the same, all trained on the optimal player alone, as those were",
    )
)
POSITIVE = Claim(
    '"Dirichlet prior keeps all action probabilities strictly positive"',
    "chapter 9, Key Finding 3",
    "no colour is without beads",
    "law",
    noun="machines",
)
COLLAPSES = Claim(
    "trained on the defensive player alone, Q-learning and SARSA “frequently collapse”, and MENACE avoids that",
    "chapter 9, Key Finding 3 and summary, 3",
    "MENACE, which he did not train so, collapses less than half as often",
    "number",
)
LABELS = ("machines of ours: the higher, the more of them", "mean of ours", "printed, mean ± SD (cut at 0 and 100)")
DrawShares = Mapping[str, NDArray[np.float64]]  # draws in percent of those machines that came to the end


def trained(condition: Condition, machines: int, games: int | None = None) -> Program:
    """Return his program after its curriculum, or after that many games with each opponent of it."""
    off = condition.off_policy
    program: Program = (
        Matchboxes(machines, SEED, condition.restock, condition.boxes) if off is None else Values(machines, SEED, off)
    )
    for rival, number in condition.runs:
        program.play(rival, number if games is None else games)
    return program


def draws(program: Program) -> NDArray[np.float64]:
    """Return draws in percent of games with the optimal player, of each machine that came to the end."""
    outcomes = program.play("optimal", TESTED, learning=False)
    share: NDArray[np.float64] = 100 * outcomes[program.alive, 1] / TESTED
    return share


def in_menace(condition: Condition, machines: int) -> NDArray[np.float64]:
    """Return exact draws in percent against `optimal` of machines of menace, trained by the same curriculum."""
    curriculum = ",".join(f"{rival}:{games}" for rival, games in condition.runs)
    shares = measured(
        "optimal.draws",
        preset=condition.preset,
        against=curriculum.rpartition(":")[0],  # the last is met to the end
        games=sum(games for _, games in condition.runs),
        seeds=machines,
        **dict(condition.settings),
    )
    return 100 * shares[:, -1]


def means_of(count: int, shares: NDArray[np.float64]) -> tuple[float, float]:
    """Return between which values the mean of so many of our machines lies, with probability BAND."""
    chance = np.random.Generator(np.random.PCG64(SEED))
    means = chance.choice(shares, (10_000, count)).mean(axis=1)
    low, high = np.quantile(means, [(1 - BAND) / 2, (1 + BAND) / 2])
    return float(low), float(high)


def pair(shares: Sequence[float] | NDArray[np.float64]) -> str:
    """Return mean and standard deviation."""
    return f"{fmean(shares):.1f} ± {stdev(shares):.1f}"


def error_of(shares: NDArray[np.float64]) -> float:
    """Return the standard error of a mean."""
    return float(shares.std(ddof=1) / np.sqrt(len(shares)))


def figure(drawn: DrawShares) -> Figure:
    """Draw how many machines of ours came to each number of draws, and on it what is printed."""
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
        AIF[0], color=ORANGE, linestyle="--", linewidth=1.5, label=f"printed: active inference, optimal alone, {AIF[0]}"
    )
    axis.set_yticks(range(len(shown)), [condition.name for condition in shown])
    axis.invert_yaxis()
    axis.set(xlim=(-2, 102), xlabel=f"games of {TESTED} drawn against the optimal player, percent")
    axis.set_title("Draws after training: every machine, and the thesis")
    result.legend(loc="outside lower center", ncols=2)
    return result


def agrees(condition: Condition, claim: Claim, drawn: DrawShares) -> Finding:
    """Say whether a printed mean is one that ten of our machines could have had."""
    assert condition.printed is not None
    mean = condition.printed[0]
    count = COMPLETED if condition is NONE else TEN
    low, high = means_of(count, drawn[condition.name])
    return claim.judged(
        f"ours {pair(drawn[condition.name])} %; means of {count} of them from {low:.1f} to {high:.1f}",
        low <= mean <= high,
        f"{mean} is {'below' if mean < low else 'above'} that",
    )


def matches(claim: Claim, ours: NDArray[np.float64]) -> Finding:
    """Say whether machines of ours draw as often as his of active inference."""
    return claim.judged(
        f"MENACE draws {pair(ours)} %, they {AIF[0]} ± {AIF[1]} %",
        bool(abs(ours.mean() - AIF[0]) <= AIF[1]),
        "it draws more" if ours.mean() > AIF[0] else "it draws less",
    )


def findings(drawn: DrawShares, empty: Array, share_collapsed: Mapping[str, float]) -> list[Finding]:
    """Return the thesis' claims beside what was measured; `empty` counts each machine's colours without beads."""
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
            f"{100 * (1 - survived):.0f} % of {MACHINES:,} did not",
            abs(TEN * survived - COMPLETED) <= NEAR * float(np.sqrt(TEN * survived * (1 - survived))),
        ),
        ADVANTAGE.judged(
            f"{gain:+.2f} points after as many games, standard error {error:.2f}; printed +{printed:.1f}",
            gain > NEAR * error,
            "nothing to be seen" if abs(gain) <= NEAR * error else "the other way",
        ),
        matches(MATCHES, box),
        matches(MATCHES_ALONE, alone),
        POSITIVE.counted(
            f"after the curriculum with boxes restocked, {empty.mean():.0f} colours of a machine have no bead (mean): "
            "a colour runs out long before its box does",
            empty == 0,
        ),
        COLLAPSES.judged(
            ", ".join(f"{name}: {100 * share:.0f} %" for name, share in share_collapsed.items())
            + f" of machines draw less than {COLLAPSED:.0f} %",
            share_collapsed[LONG.name] < of_values / 2,
        ),
    ]


def sample() -> list[str]:
    """Return lines of the page that a second suffices for."""
    lines = []
    for condition in (BOX, MOVE, SARSA_BLOCKING):
        shares = ", ".join(f"{share:.4f}" for share in draws(trained(condition, 4, games=20)))
        lines.append(f"{condition.name}, four machines, 20 games a teacher: drawn {shares} %")
    return lines + [
        f"`{condition.preset}`, seed 1: drawn {in_menace(condition, 1)[0]:.4f} %"
        for condition in (BOX, MOVE, Q_BLOCKING)
    ]


def rows(drawn: DrawShares, exact: DrawShares) -> list[list[str]]:
    """Return a row for each condition: printed, ten, all, and in menace."""
    return [
        [
            condition.name,
            "-" if condition.printed is None else f"{condition.printed[0]} ± {condition.printed[1]}",
            pair(drawn[condition.name][:TEN]),
            f"{pair(drawn[condition.name])} ({len(drawn[condition.name]):,})",
            pair(exact[condition.name]),
        ]
        for condition in (*PRINTED, *OURS)
    ]


def reproduce(folder: Path) -> None:
    """Train, test, and write the page."""
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
    page = Page(folder, "wos", "Woś 2025: filters, restocking, and one teacher")
    page.summary(
        """In a thesis, that MENACE draws as often with an optimal player as agents of active inference do, that boxes
        without lost positions learn faster, and that Q-learning and SARSA collapse where one player alone teaches them;
        from ten machines of each kind.""",
        f"{MACHINES:,} machines of matchboxes and {LEARNERS} of values of each kind, by his program written again.",
        f"""His printed means are those that ten of ours could have had. What divides MENACE from his other machines is
        whom it is trained by: {pair(drawn[ALONE.name])} % drawn after the optimal player alone,
        {pair(drawn[BOX.name])} % after his mixed curriculum.""",
    )
    introduce(page)
    page.figure(
        figure(drawn),
        "draws",
        f"""How many of our machines came to each share: of {MACHINES:,} of matchboxes, and {LEARNERS} of values. The
        thesis' means and standard deviations are of ten machines.""",
    )
    page.claims(findings(drawn, empty, collapsed))
    page.heading("Draws against the optimal player, percent")
    page.text("""What is compared was changed once after a first run, the thresholds were not: the printed mean without
        restocking is of the six machines that finished, so it stands beside means of six of ours; judged beside single
        machines the verdict had been no.""")
    page.table(
        ("machine", "printed", "ten, as he ran them", "all of ours (how many)", "in menace, exact"), rows(drawn, exact)
    )
    conclude(page, drawn, exact)
    page.sample(sample())
    page.write()


def introduce(page: Page) -> None:
    """Say what the thesis does, and what is run here."""
    page.text("""K. Woś, MENACE as a Bayesian Observer, master's thesis, University of Tokyo
        (github.com/krzysztofwos/masters-thesis), trains MENACE, agents of active inference, Q-learning and SARSA, and
        lets each play 100 games against an optimal player, as X, ten machines of each. Its chapter 8 says how, its
        program is beside it; the numbers are those of tables 9.1, 9.3 and 9.4.""")
    page.heading("What his program does, and his text does not say")
    page.text("""Read in its source. The optimal player always takes the *first* of the best cells, by number: what a
        machine meets in training is exactly what it meets in the test. The defensive player blocks, and otherwise plays
        any cell; the text gives it the centre as well (here `blocking` and `defensive`). The mixed curriculum is 200
        games with a random player, 100 with the defensive one and 200 with the optimal one. A restocked move gets back
        as many beads as it began with, where the text says a single one. Every cell of a box has its own beads, also
        equivalent ones. Q-learning and SARSA go on exploring in the test, with a probability of 0.01.""")
    page.heading("What is run here")
    page.text("""His program, written again from these rules (`tools/experiments/wos/program.py`), with beads and
        values for each cell on all 5,478 boards; and menace itself, presets `wos-box`, `wos-move`, `wos-q-learning` and
        `wos-sarsa`, whose `optimal` picks alike among the best cells, measured exactly instead of by 100 games. Left
        out are his agents of active inference, which menace does not have.""")


def conclude(page: Page, drawn: DrawShares, exact: DrawShares) -> None:
    """Say what follows."""
    alone, mixed = drawn[ALONE.name], drawn[BOX.name]
    page.heading("What the curriculum decides")
    page.text(f"""MENACE's row and that of active inference are of different curricula, as the thesis says itself.
        MENACE trained on the optimal player alone, for as many games, draws {pair(alone)} % against it, and
        {pair(mixed)} % after the mixed one: of its 500 games then only 200 are with the player that it is tested by.
        Against an optimal player that picks alike among the best cells, the same two are {pair(exact[ALONE.name])} %
        and {pair(exact[BOX.name])} %.""")
    values = drawn[Q_BLOCKING.name]
    extreme = 100 * float(((values < EXTREME) | (values > 100 - EXTREME)).mean())
    page.text(f"""That Q-learning draws about a tenth of its games after the defensive player, with a standard deviation
        of three times that, is one number for two kinds of machines: a greedy player meets a player without chance, so
        that it draws nearly always or nearly never: {extreme:.0f} % of ours draw below {EXTREME:.0f} % or above
        {100 - EXTREME:.0f} % of their games. Ten such machines have a mean that is mostly a matter of luck.""")
