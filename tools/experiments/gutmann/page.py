"""Gutmann, Vicente, Holler and Panova 2016: values of positions, learned from 3,000 games of self-play."""

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
from experiments.gutmann.program import (
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
from experiments.page import RANGE, Page

SEEDS = tuple(range(1, 61))  # if none of them shows something, fewer than one run in twenty shows it
SHORT = {CODE: "program", TEXT: "text", BOOK: "text, but a loss is 0"}


def sample() -> list[str]:
    """Return lines of the page that take a second to compute: seed 1."""
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
    page = Page(folder, "gutmann", "Gutmann, Vicente, Holler and Panova: two value functions teach each other")
    code, text = (made[name].runs for name in (CODE, TEXT))
    drawn, won = (np.mean([run.shares()[which] for run in runs[STUCK]]) for which, runs in ((1, code), (0, text)))
    page.summary(
        f"""In a report, two value functions play {GAMES:,} games against each other. The first player wins most games
        if nobody explores. A little exploration teaches both which first moves are good.""",
        f"""We repeated each setting {len(SEEDS)} times. The report's program and its text state different numbers, so
        we judge every claim with both.""",
        f"""The two sets of numbers are two experiments: if nobody explores and alpha is 0.2, the program's numbers give
        {drawn:.0%} draws, and the text's give X {won:.0%} wins. With the program's numbers, exploration helps O against
        an opponent that often errs, but not X.""",
    )
    introduce(page, bench)
    figures(page, made)
    for name, each in made.items():
        page.claims(findings(each), name)
    more_games(page, made)
    page.sample(sample())
    page.write()


def introduce(page: Page, bench: Bench) -> None:
    """Describe what was published, and how it is repeated."""
    wins = [
        np.mean([train(bench, variant, seed, NUMBERS[BOOK], GAMES).shares()[0] for seed in SEEDS])
        for variant in (STUCK, STUCK_FAST)
    ]
    page.text("""Each program keeps a value for every position after its own moves. It plays the move of highest value
        or, with probability epsilon, any move. At its next turn it moves the last value towards the new one by the
        fraction alpha.""")
    page.text("""In the program (appendix), values start at 0, and a loss is worth -1. A draw is worth 0, or -0.1 if the
        other side moved last. In the text, values start at 0.5 (section 3), and "the reward of a win is 1, of a loss is
        -1, and of a tie is 0" (section 4).""")
    page.text(f"""In Sutton and Barto's book (1998, chapter 1), a loss is worth 0, like a draw. X then wins
        {100 * wins[0]:.1f}/{100 * wins[1]:.1f} percent without exploration, because O has no reason to draw.""")
    page.text(f"""We use preset `value-function` without symmetry, and seeds {SEEDS[0]} to {SEEDS[-1]}. Numbers are
        means: shares and values of games in percent, differences in points. Numbers separated by / are for alpha 0.2
        and 0.8, and a claim must hold with both. Claims 13 to 15, 17 to 19 and 21 use 0.2. Greedy strength is exact.
        *Unbeaten* means that the best response never wins. `{HUMAN}`, half of whose moves are random, represents a
        human.""")
    page.text("""Claims and thresholds were committed before these numbers, claims 1 to 16 after earlier runs. Claim 22
        is a theorem about the limit; its *no* means that some runs needed more games than we allow.""")


def figures(page: Page, made: dict[str, Trials]) -> None:
    """Draw the outcomes, the levels of exploration, and the values of both sides' states."""
    outcomes = {(SHORT[name], v): np.array([run.outcomes for run in each.runs[v]]) for v in VARIANTS
                for name, each in made.items()}  # fmt: skip
    page.figure(
        outcome_figure(outcomes, VARIANTS, STEP, BLOCK),
        "outcomes",
        """Outcomes in each hundred games. Lines are means over the seeds, and bands show one standard deviation.
        Without exploration (below), the program's numbers (left) soon give almost only draws.""",
    )
    page.figure(
        levels_figure({SHORT[name]: each.runs for name, each in made.items()}, SLOW[0], LEVELS),
        "levels",
        f"""Levels of exploration. Each point is the mean of {len(SEEDS)} machines after {GAMES:,} games with alpha
        0.2.""",
    )
    runs = made[CODE].runs
    shown = {f"alpha {a}, epsilon {e:g}": runs[a, e] for a, e in (STUCK, SLOW, FAST)}
    for which, lines, caption in (
        ("player-1", OPENINGS, "X's openings. Values are with the program's numbers, as in figures 3, 4a and 5a."),
        ("player-2", REPLIES,
         "O's replies. Lines are named by X's opening and the reply, as in figures 3, 4b and 5b."),
    ):  # fmt: skip
        page.figure(states_figure(shown, lines, STEP), which, caption)


def more_games(page: Page, made: dict[str, Trials]) -> None:
    """Write how often the sentences on the centre hold in other runs, and how strong the machines are."""
    page.heading("Other readings, more games and symmetry")
    page.text("""The table counts the runs in which claims 13 to 15 hold for the mean and the last value (epsilon 0.02).
        It also shows each side's losses to its best response, and its unbeaten machines.
        [gutmann-strength.csv](gutmann-strength.csv) also has alpha 0.8, epsilon 0 and symmetry.""")
    header = ("numbers, alpha, games", "13", "14", "15", "X loses; unbeaten", "O loses; unbeaten")
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
    page.table(header, shown)
    rows = [[RANGE.sub("", cell) for cell in row] for row in (header, *shown, *other)]
    with (page.folder / "gutmann-strength.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def _row(name: str, runs: list[Run], explored: bool = True) -> tuple[str, ...]:
    """Return a row: in how many runs the sentences on the centre hold, and how strong both sides are."""
    judges = (middle_first, disadvantageous, middle_reply)
    held = (", ".join(str(int(judge(runs, last)[1].sum())) for last in (False, True)) for judge in judges)
    strength = (f"{both([each])}; {int((each < UNBEATEN).sum())}" for each in lost(runs))
    return (name, *(held if explored else ("",) * len(judges)), *strength)
