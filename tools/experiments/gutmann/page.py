"""Write the page about Gutmann, Vicente, Holler and Panova 2016, whose machines learn position values by self-play."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from experiments.common import UNBEATEN, Bench
from experiments.gutmann.claims import (
    BOOK,
    CODE,
    TEXT,
    Trials,
    both,
    disadvantageous,
    findings,
    lost,
    middle_first,
    middle_reply,
)
from experiments.gutmann.figures import OPENINGS, REPLIES, levels_figure, outcome_figure, states_figure
from experiments.gutmann.runs import (
    BLOCK,
    FAST,
    GAMES,
    HUMAN,
    LEVELS,
    MORE_GAMES,
    NUMBERS,
    SLOW,
    STEP,
    STUCK,
    STUCK_FAST,
    VARIANTS,
    Run,
    falls_short,
    train,
)
from experiments.page import RANGE, VALUES, Page

SEEDS = tuple(range(1, 61))  # there are enough seeds to show that an event occurs in fewer than one in twenty runs
SHORT = {CODE: "program", TEXT: "text", BOOK: "text, but a loss is 0"}


def sample() -> list[str]:
    """Return results for seed 1, which take a second to compute."""
    bench, lines = Bench("none"), []
    for name, numbers in NUMBERS.items():
        for variant in (SLOW,) if name == BOOK else (SLOW, STUCK_FAST):
            run = train(bench, variant, SEEDS[0], numbers, GAMES)
            games = "/".join(map(str, run.outcomes.sum(axis=0).tolist()))
            values = [f"{run.states[what][-1, cell]:.4f}" for what, cell in
                      (("openings", 4), ("centre", 0), ("corner", 4))]  # fmt: skip
            lines.append(f"{SHORT[name]}, {variant[0]}, {variant[1]:g}: {games}; {', '.join(values)}")
    return lines


def trials(bench: Bench, name: str) -> Trials:
    """Play all runs with one set of numbers."""
    numbers = NUMBERS[name]
    variants = dict.fromkeys([*VARIANTS, *((SLOW[0], level) for level in LEVELS)])
    first_value = numbers.get("initial_value", 0.0)
    return Trials(
        {variant: [train(bench, variant, seed, numbers, GAMES) for seed in SEEDS] for variant in variants},
        {variant: [train(bench, variant, seed, numbers, MORE_GAMES) for seed in SEEDS] for variant in (SLOW, FAST)},
        np.array([[falls_short(bench, side, seed, first_value) for seed in SEEDS] for side in ("X", "O")]),
    )


def reproduce(folder: Path) -> None:
    """Play the games, and write the page."""
    bench = Bench("none")
    made = {name: trials(bench, name) for name in (CODE, TEXT)}
    page = Page(folder, "gutmann", "Gutmann et al. 2016: two value functions teach each other", machine=VALUES)
    page.term("*Exploring*: epsilon is 0.02 in claims 8 to 21, and 0 in claims 1 to 7.")
    page.term("*Recorded boards*: those after X's nine openings and nine of O's replies.")
    code, text = (made[name].runs for name in (CODE, TEXT))
    won, (few_won, drawn, _) = (np.mean([run.shares() for run in runs[STUCK]], axis=0) for runs in (text, code))
    opened, replied = (int(judge(code[SLOW])[1].sum()) for judge in (middle_first, middle_reply))
    judged = {name: findings(each) for name, each in made.items()}
    gains = {(name, claim): judged[name][claim - 1].measured.lstrip("+") for name in judged for claim in (18, 19)}
    page.summary(
        f"""In a report of 2016 by Gutmann, Vicente, Holler and Panova, two machines teach each other in {GAMES:,}
        games. The report says that without exploration, the first player wins most games and both players get stuck
        (claims 1 to 7). The report says that with a little exploration, both players learn which first moves are good,
        and become useful opponents (claims 8 to 21). Q-learning, it says, becomes optimal even while exploring very
        often (claim 22).""",
        f"""We repeated each of the report's experiments {len(SEEDS)} times. The program and the text of the report give
        different rewards and initial values, so we judged every claim with both sets. In the table, *a/b* are the
        results with step sizes (*alpha*) of {SLOW[0]} and {FAST[0]}; a single number is for {SLOW[0]}. A claim must
        hold for both unless it says otherwise.""",
        f"""Without exploration, X does not win most games (claim 1: no): it wins {won[0]:.0%} with the text's numbers
        and {few_won:.0%} with the program's ({drawn:.0%} are drawn). With exploration, X learns to open in the middle
        (claim 13) in all {len(SEEDS)} runs with the text's numbers, and in {opened} with the program's numbers. After a
        corner, O learns to prefer the middle to an edge (claim 15) in all {len(SEEDS)} and in {replied} runs,
        respectively. Against an opponent that often errs, exploration adds {gains[CODE, 18]} points to O's score (wins
        minus losses in 100 games) with the program's numbers, but only {gains[TEXT, 18]} points with the text's (claim
        18). X gains at most {gains[TEXT, 19]} points (claim 19: no). Many verdicts depend on the set of numbers, so a
        report should state its rewards exactly.""",
    )
    introduce(page, bench)
    figures(page, made)
    for name, each in judged.items():
        page.claims(each, name)
    write_strengths(folder, made)
    page.sample(sample())
    page.write()


def introduce(page: Page, bench: Bench) -> None:
    """Describe the published experiments and how we repeated them."""
    won = np.mean([train(bench, STUCK, seed, NUMBERS[BOOK], GAMES).shares()[0] for seed in SEEDS])
    page.text(f"""In the report's program (appendix), values start at 0, and a loss is worth -1. A draw is worth 0, or
        -0.1 if the other side moved last. In the report's text, values start at 0.5 (section 3), and "the reward of a
        win is 1, of a loss is -1, and of a tie is 0" (section 4). With Sutton and Barto's numbers (a loss is worth
        0), X wins {100 * won:.0f} percent of the games without exploration, because O has no reason to draw.""")
    page.text(f"""We used the preset `value-function` without symmetry and with seeds {SEEDS[0]} to {SEEDS[-1]}. In
        claims 18 and 19, `{HUMAN}` plays the human's part. We committed the claims and thresholds before these runs,
        but we chose claims 1 to 16 after earlier runs. Claim 22 is a theorem about the limit, so its *no* means only
        that some runs need more games. [gutmann-strength.csv](gutmann-strength.csv) lists the exact losses to the best
        response.""")


def figures(page: Page, made: dict[str, Trials]) -> None:
    """Draw the outcomes, the levels of exploration, and the values of both sides' states."""
    outcomes = {(SHORT[name], v): np.array([run.outcomes for run in each.runs[v]]) for v in VARIANTS
                for name, each in made.items()}  # fmt: skip
    page.figure(
        outcome_figure(outcomes, VARIANTS, STEP, BLOCK),
        "outcomes",
        """Results in each block of a hundred games. Lines show means over the seeds, and bands show one standard
            deviation.""",
    )
    page.figure(
        levels_figure({SHORT[name]: each.runs for name, each in made.items()}, SLOW[0], LEVELS),
        "levels",
        f"""Results with each level of exploration. Each point shows the mean of {len(SEEDS)} machines after {GAMES:,}
        games with alpha 0.2.""",
    )
    runs = made[CODE].runs
    shown = {f"alpha {a}, epsilon {e:g}": runs[a, e] for a, e in (STUCK, SLOW, FAST)}
    for which, lines, caption in (
        ("player-1", OPENINGS, "X's values for its openings, with the program's numbers, as in figures 3, 4a and 5a."),
        ("player-2", REPLIES,
         "O's values for its replies, named after X's opening and the reply, as in figures 3, 4b and 5b."),
    ):  # fmt: skip
        page.figure(states_figure(shown, lines, STEP), which, caption)


def write_strengths(folder: Path, made: dict[str, Trials]) -> None:
    """Write a CSV file that shows how often claims 13 to 15 hold in other runs, and how strong the machines are."""
    header = ("numbers, alpha, games", "13", "14", "15", "X loses; unbeatable", "O loses; unbeatable")
    shown, other = [], []
    for name, each in made.items():
        for alpha, epsilon in VARIANTS:
            row = _row(f"{SHORT[name]}, {alpha}", each.runs[alpha, epsilon], explored=epsilon > 0)
            if (alpha, epsilon) == SLOW:
                shown.append(row)
            else:
                other.append((f"{row[0]}, epsilon {epsilon:g}", *row[1:]))
        for alpha, epsilon in (SLOW, FAST):
            row = _row(f"{SHORT[name]}, {alpha}, {MORE_GAMES:,}", each.long[alpha, epsilon])
            (shown if alpha == SLOW[0] else other).append(row)
    symmetric = [train(Bench("full"), SLOW, seed, NUMBERS[CODE], GAMES) for seed in SEEDS]
    other.append(_row(f"program, {SLOW[0]}, symmetry", symmetric, explored=False))
    rows = [[RANGE.sub("", cell) for cell in row] for row in (header, *shown, *other)]
    with (folder / "gutmann-strength.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def _row(name: str, runs: list[Run], explored: bool = True) -> tuple[str, ...]:
    """Return a row with the numbers of runs in which claims 13 to 15 hold, and with the strength of both sides."""
    judges = (middle_first, disadvantageous, middle_reply)
    held = (", ".join(str(int(judge(runs, last)[1].sum())) for last in (False, True)) for judge in judges)
    strength = (f"{both([each])}; {int((each < UNBEATEN).sum())}" for each in lost(runs))
    return (name, *(held if explored else ("",) * len(judges)), *strength)
