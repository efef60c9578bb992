"""Gutmann, Vicente, Holler and Panova 2016: values of positions, learned from 3,000 games of self-play."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from experiments.claims import tally
from experiments.common import UNBEATEN, Bench, percent, seeds_where
from experiments.gutmann.claims import (
    BOOK,
    CODE,
    TEXT,
    Runs,
    by_numbers,
    disadvantageous,
    findings,
    middle_first,
    middle_reply,
)
from experiments.gutmann.figures import OPENINGS, REPLIES, draws_figure, outcome_figure, states_figure
from experiments.gutmann.program import BLOCK, FAST, GAMES, NUMBERS, SLOW, STEP, STUCK, STUCK_FAST, VARIANTS, Run, train
from experiments.page import Page

SEEDS = tuple(range(1, 61))  # of which none says that fewer than one run in twenty shows it


def worst_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return how often each side loses to the opponent made for it, and in how many seeds to nobody."""
    sides = [[run.worst[side].loss for run in runs] for side in (0, 1)]
    return (name, *(text for side in sides for text in (percent(side), seeds_where(w < UNBEATEN for w in side))))


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: seed 1."""
    bench, lines = Bench("none"), []
    for name, numbers in NUMBERS.items():
        for variant in VARIANTS:
            run = train(bench, variant, SEEDS[0], numbers, GAMES)
            x, draw, o = run.outcomes.sum(axis=0).tolist()
            values = [f"{run.states[what][-1, cell]:.4f}" for what, cell in
                      (("openings", 4), ("centre", 0), ("corner", 4))]  # fmt: skip
            lines.append(
                f"{name}, alpha {variant[0]}, epsilon {variant[1]:g}, seed {SEEDS[0]}: X won {x}, {draw} drawn, "
                f"O won {o}; at the end X's centre {values[0]}, O's corner after it {values[1]}, O's centre after a "
                f"corner {values[2]}"
            )
    return lines


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench = Bench("none")
    runs = {
        name: {variant: [train(bench, variant, seed, numbers, GAMES) for seed in SEEDS] for variant in VARIANTS}
        for name, numbers in NUMBERS.items()
    }
    code, text = runs[CODE], runs[TEXT]
    long = [train(bench, SLOW, seed, NUMBERS[CODE], 10 * GAMES) for seed in SEEDS]
    page = Page(folder, "gutmann", "Gutmann, Vicente, Holler and Panova: two value functions teach each other")
    drawn, won = (
        np.mean([run.shares()[which] for run in seeds]) for which, seeds in ((1, code[STUCK]), (0, text[STUCK]))
    )
    middle = [middle_first(seeds)[1].sum() for seeds in (code[SLOW], long)]
    unbeaten = [sum(run.worst[side].loss < UNBEATEN for run in code[SLOW]) for side in (0, 1)]
    page.summary(
        f"""In a report, that of {GAMES:,} games between two value functions the first player wins most, and both get
        stuck, if nobody explores; and that a little exploration teaches both which first moves are good.""",
        f"""{len(SEEDS)} runs of each of its four settings, with the numbers of its program and with those of its text,
        which differ.""",
        f"""That is with the program's numbers, as in the table; with those of the text, {tally(by_numbers(text))} Which
        numbers are used matters more than what the report varies: without exploration, with alpha 0.2, {drawn:.0%} of
        the games are drawn with the program's, and X wins {won:.0%} with the text's. {GAMES:,} games are few: with the
        program's numbers, exploration and alpha 0.2, the middle is then X's best opening in {middle[0]} of {len(SEEDS)}
        runs, and nobody can beat X in {unbeaten[0]}, O in {unbeaten[1]}; after ten times as many games the middle is
        best in {middle[1]}.""",
    )
    introduce(page)
    figures(page, code, text)
    page.claims(findings(code))
    decides(page, runs)
    readings(page, code, long)
    strengths(page, code, text, long)
    page.sample(sample())
    page.write()


def strengths(page: Page, code: Runs, text: Runs, long: list[Run]) -> None:
    """Write how good both sides are when the games are over."""
    page.heading("How good they are, exactly")
    page.text("""How often the trained learner, playing greedily, loses to the opponent made for it: computed, not
        sampled. 0 % means that nobody can beat it.""")
    rows = [worst_row(f"alpha {a}, epsilon {e:g}", code[a, e]) for a, e in VARIANTS]
    rows += [worst_row("alpha 0.2, epsilon 0.02, ten times the games", long)]
    symmetric = [train(Bench("full"), SLOW, seed, NUMBERS[CODE], GAMES) for seed in SEEDS]
    rows += [worst_row("alpha 0.2, epsilon 0.02, with symmetry", symmetric)]
    rows += [worst_row(f"alpha {a}, epsilon {e:g}, the text's numbers", text[a, e]) for a, e in VARIANTS[:2]]
    page.table(("settings", "X loses", "X unbeaten", "O loses", "O unbeaten"), rows)
    page.text("""Games that are all drawn prove little. Without exploration X ends in a line in which nobody can beat
        it: O, to which a draw by X's move is worth less than what it has never tried, has tried every reply to it. X is
        content with the draw and tries nothing, so O knows that line alone, and whoever leaves that line can beat
        O.""")


def decides(page: Page, runs: Mapping[str, Runs]) -> None:
    """Write what the two sets of numbers come to, and how the claims were changed."""
    page.heading("What decides")
    wins = [[run.shares()[0] for run in runs[BOOK][variant]] for variant in (STUCK, STUCK_FAST)]
    page.text(f"""The report's two sets of numbers are two experiments. With the program's, where a state begins at 0
        and a loss is -1, nearly all games are soon drawn if nobody explores. With the text's, where every state begins
        half-way to a win, X then wins nearly half of the games, and draws come sooner with the smaller alpha, but in
        the end more with the larger one; below, what is said of games, judged by these. X wins most games only where a
        draw is worth as little as a loss, as in the book ({percent(wins[0])} with alpha 0.2, {percent(wins[1])} with
        0.8): then O has no reason to draw.""")
    findings_of_text = by_numbers(runs[TEXT])
    page.table(
        ("with the text's numbers", "measured", "verdict"),
        [(finding.claim.text, finding.measured, str(finding.verdict)) for finding in findings_of_text],
    )
    page.text("""Where nothing is said of the numbers, they are the program's. The claims are committed before these
        numbers, but not before all runs: they were changed when the report itself had been read, when what its
        authors saw once came to be judged by how many of our runs show it, and when the nine states of each side that
        their program records took the place of all states of a kind. *Much more volatile* got its threshold, and
        *constantly higher* the word constantly, on the way. The sentences on the middle stand before the report speaks
        of the higher alpha; how often they hold with that, the next section says.""")


def readings(page: Page, code: Runs, long: list[Run]) -> None:
    """Write how often the three sentences on values hold where they are read in other ways."""
    page.heading("The same of the last values, and of more games")
    page.text("""In how many seeds the sentences on the middle hold (all with epsilon 0.02), if not the mean of the run
        is compared but the value after the last game; and in ten times as many games.""")
    ways = [
        *((f"alpha {v[0]}, {name}", code[v], last) for v in (SLOW, FAST)
          for name, last in (("mean of the run", False), ("after the last game", True))),
        *((f"alpha 0.2, ten times the games, {name}", long, last)
          for name, last in (("mean of the run", False), ("after the last game", True))),
    ]  # fmt: skip
    header = (
        "values",
        "the middle is X's best opening",
        "after it O's are below 0",
        "O's middle is best after a corner",
    )
    judges = (middle_first, disadvantageous, middle_reply)
    page.table(header, [(name, *(seeds_where(judge(runs, last)[1]) for judge in judges)) for name, runs, last in ways])


def introduce(page: Page) -> None:
    """Write what was published, and how it is done again."""
    page.text("""The authors (2016) let two programs play 3,000 games of noughts and crosses against each other. Each
        keeps a value for every position that its own moves lead to, and takes the move of highest value, or with
        probability epsilon any move. At its turn the value of the last position moves by alpha towards the next one's;
        1 where it has won, and what a loss and a draw are worth where the other has ended the game.""")
    page.text("""Their text and their program differ. In the text a position begins at 0.5 ("We initialized at 0.5",
        section 3) and "the reward of a win is 1, of a loss is -1, and of a tie is 0" (section 4). In the program
        (appendix) a position begins at 0, a loss is worth -1, and a draw 0, or -0.1 where the other's move drew. A
        book that they name (R. Sutton and A. Barto, Reinforcement Learning, 1998, chapter 1) begins at 0.5, too, but
        its loss is worth as little as a draw, 0. All three are run. Of the report's figures we have the captions
        alone, so its printed curves are not compared. Which values they show, the program says: X's nine openings, and
        nine replies of O, four to a corner, three to an edge and two to the middle.""")
    page.text(f"""Here: preset `value-function` for X and for O, which has the program's numbers, every board a position
        of its own (no symmetry), as theirs; alpha 0.2 and 0.8, epsilon 0.02 and 0; seeds {SEEDS[0]} to {SEEDS[-1]}.
        Intervals are mean ± standard deviation over the seeds.""")


def figures(page: Page, code: Runs, text: Runs) -> None:
    """Draw the outcomes, and the values of both sides' states."""
    outcomes = {(name, v): np.array([r.outcomes for r in runs[v]]) for v in VARIANTS
                for name, runs in (("program", code), ("text", text))}  # fmt: skip
    page.figure(
        outcome_figure(outcomes, VARIANTS, STEP, BLOCK),
        "outcomes",
        """Shares of X's wins, draws and O's wins by a hundred games: the mean of all seeds, and one standard deviation.
        Left with the program's numbers: without exploration (below) nearly all games are soon drawn. Right with the
        text's: X wins about half of the games, and with alpha 0.8 draws overtake its wins late.""",
    )
    page.figure(
        draws_figure(outcomes, VARIANTS, STEP),
        "draws",
        """Games drawn so far: the mean of all seeds, and the range. With the program's numbers exploration, not alpha,
        makes the difference; with the text's alpha does, and the smaller one draws sooner.""",
    )
    shown = {f"alpha {a}, epsilon {e:g}": code[a, e] for a, e in (STUCK, SLOW, FAST)}
    for which, lines, caption in (
        ("player-1", OPENINGS,
         """Values of X's nine openings: figures 3, 4a and 5a of the report, from left to right. Without exploration
         they soon stand still; with it the middle is ahead at first; with alpha 0.8 one game moves a value nearly
         all the way."""),
        ("player-2", REPLIES,
         """Values of the nine replies of O that the report's program records, named by X's opening and the reply:
         figures 3, 4b and 5b. After an opening in the middle (dotted) an edge is worst; after a corner (solid) the
         middle is best."""),
    ):  # fmt: skip
        page.figure(states_figure(shown, lines, STEP), which, caption)
