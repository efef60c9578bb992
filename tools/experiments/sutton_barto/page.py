"""Answer Sutton and Barto's exercises 1.1 to 1.5 with exact measurements of their own program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from experiments.common import STRENGTHS, UNBEATEN, Bench, Machine, mean_cell, seeds_where
from experiments.page import LEAST_TO_MOST, RANGE, VALUES, Page
from experiments.sutton_barto.answers import findings_of_answers
from experiments.sutton_barto.exploration import JUDGED_SEEDS, exploration
from experiments.sutton_barto.figures import greedy_figure, symmetry_figure, teachers_figure
from experiments.sutton_barto.magic_square import MagicSquare
from experiments.sutton_barto.questions import mean_percent, open_exercise
from experiments.sutton_barto.runs import (
    ITSELF,
    MARKS,
    TWENTY,
    Courses,
    O,
    OneSided,
    courses,
    policy_of,
    winning_chances,
    wins_of,
)
from menace.arena.exact_strength import against

HALF: dict[str, Any] = {"draw": 0.5, "drawn_by_other": 0.5}
ONE_SIDED_GAMES = (500, 2_000, 5_000, 20_000, 50_000)
ONE_SIDED_SEEDS = TWENTY[:10]
EARLY, LATE = 1_000, MARKS[-1]
IMPROVED_AFTER = 10_000
SHOWN = ("their program", "symmetry", "a loss worth -1, taught by itself", "symmetry, a draw worth 0.5, from the end")
WINS, LOSSES, TO_OPTIMAL, WORST = STRENGTHS


def strength_rows(runs: dict[str, Courses], games: int) -> list[list[str]]:
    """Return a row with the means of all measures for each course."""
    return [
        [name, *(mean_cell(100 * curves.at(games, measure)) for measure in STRENGTHS)] for name, curves in runs.items()
    ]


def tried(curves: Courses) -> str:
    """Return the share of O's boards from which O has learned."""
    return f"{100 * np.mean([(m.learned.count[m.learned.kept] > 0).mean() for m in curves.machines]):.0f}"


TRIED = "boards learned from"
HEADINGS = ("beats random", "loses to random", "loses to optimal", "loses to best response")


def self_play(page: Page, bench: Bench, best: float) -> Courses:
    """Answer exercise 1.1, and return the courses of the authors' program."""
    runs = {
        "taught by random X (theirs)": courses(),
        "by itself": courses(ITSELF),
        "by optimal X": courses("optimal"),
        "by itself, a draw worth 0.5": courses(ITSELF, **HALF),
        "by itself, a loss worth -1": courses(ITSELF, loss=-1.0),
    }
    open_exercise(page, "1.1")
    page.figure(
        teachers_figure(runs, best),
        "teachers",
        """Exercise 1.1: O's results for each teacher. Lines show means over twenty seeds, and bands show ranges.""",
    )
    rows = strength_rows(runs, LATE)
    for row, curves in zip(rows, runs.values(), strict=True):
        row.append(tried(curves))
    page.table((f"after {LATE:,} games, in percent", *HEADINGS, TRIED), rows)
    theirs, own, safe = runs["taught by random X (theirs)"], runs["by itself"], runs["by itself, a loss worth -1"]

    def otherwise(first: list[Machine], second: list[Machine]) -> str:
        moves = [[m.policy("greedy").parts[0][1] > 0 for m in machines] for machines in (first, second)]
        positions = bench.positions
        mine = positions.moved_by(O)[positions.position_of_move]
        boards = positions.moved_by(O).sum()
        apart = [((a != b) & mine).sum() / 2 / boards for a, b in zip(*moves, strict=True)]
        return mean_percent(np.array(apart))

    page.text(f"""The policy is different: after {LATE:,} games, an O trained by self-play and an O trained by random X
        choose different moves on {otherwise(theirs.machines, own.machines)} of O's boards. For comparison, two runs of
        the authors' program with different seeds choose different moves on
        {otherwise(theirs.machines, theirs.machines[1:] + theirs.machines[:1])} of these boards. Optimal X teaches O
        next to nothing, because O can at best draw, and a draw is worth no more than a loss. If a draw is worth 0.5, O
        and the X that teaches it soon settle on draws, and O is unprepared for other opponents. If a loss is worth -1,
        a draw (0) is worth less than an untried board (0.5), so both sides try everything before they settle on draws.
        With a loss worth -1, O is unbeatable in {seeds_where(safe.at(LATE, WORST) < UNBEATEN)}.""")
    return theirs


def order_of_ties(page: Page, theirs: Courses, drawn: Courses) -> None:
    """Report how the choice among equal moves affects the results."""
    by_cell = courses(game="tictactoe")
    rows = [
        [name, *(mean_cell(100 * curves.at(games, WINS)) for games in (EARLY, IMPROVED_AFTER, LATE))]
        for name, curves in (
            ("the lowest number of a magic square (theirs)", theirs),
            ("the first cell (preset `sutton-barto`)", by_cell),
            ("any of them", drawn),
        )
    ]
    header = ("wins in percent after", *(f"{games:,} games" for games in (EARLY, IMPROVED_AFTER, LATE)))
    link = page.numbers("ties", header, [[RANGE.sub("", cell) for cell in row] for row in rows])
    page.keep_ranges("The order of equal moves", header, rows, LEAST_TO_MOST)
    page.heading("The order of equal moves")
    page.text(f"""The authors' program numbers the cells as in a magic square, 2 9 4 / 7 5 3 / 6 1 8. Among moves of
        equal value, the program takes the cell with the lowest number. All values are equal at first, so the order of
        equal moves matters for the first {EARLY:,} games. {link} compares three such orders.""")


def symmetries(page: Page, bench: Bench, folded: Bench, theirs: Courses, best: float) -> None:
    """Answer exercise 1.2."""
    by_symmetry = {
        "a value for each board (theirs)": theirs,
        "equivalent boards share one": courses(symmetry="full"),
        "for each board, ties at random": courses(ties="random"),
        "shared, ties at random": courses(symmetry="full", ties="random"),
    }
    school = OneSided(bench, folded)
    names = ("a value for each board", "equivalent boards share one")
    runs = {
        name: np.array(
            [
                [school.wins(school.teach(seed, games, name == names[1])) for games in ONE_SIDED_GAMES]
                for seed in ONE_SIDED_SEEDS
            ]
        )
        for name in names
    }
    chances = school.best()
    most = float(against(policy_of(bench.positions, chances), school.x).win)
    open_exercise(page, "1.2")
    page.figure(
        symmetry_figure(by_symmetry, best, runs, ONE_SIDED_GAMES, most),
        "symmetry",
        """Exercise 1.2: one value for all equivalent boards. Half of the time, one-sided X takes the free cell with the
        lowest number, and otherwise it takes any free cell.""",
    )
    early = [mean_percent(curves.at(EARLY, WINS)) for curves in by_symmetry.values()]
    apart = school.apart()
    page.table(
        ("wins against one-sided X in percent after", *(f"{games:,} games" for games in ONE_SIDED_GAMES)),
        [[name, *(mean_cell(100 * run[:, k]) for k in range(len(ONE_SIDED_GAMES)))] for name, run in runs.items()],
    )
    page.text(f"""With symmetry, O stores {len(folded.positions)} values instead of {len(bench.positions):,}. After
        {EARLY:,} games, O wins {early[1]} of its games against random play with symmetry, and {early[0]} without
        it.""")
    page.text(f"""Against one-sided X, the exact probabilities of winning from equivalent boards differ by
        {apart.mean():.3f} on average, and by up to {apart.max():.2f}. A player that uses one value for all equivalent
        boards learns sooner, but cannot learn the differences between them. The best possible player wins
        {100 * most:.1f} % of its games against one-sided X.""")


def greedy_play(page: Page, theirs: Courses, best: float) -> None:
    """Answer exercise 1.3."""
    by_step = {
        "step size 0.5 (theirs)": {
            "epsilon 0": courses(epsilon=0.0),
            "0.01 (theirs)": theirs,
            "0.1": courses(epsilon=0.1),
        },
        "step size 0.1": {f"epsilon {epsilon:g}": courses(alpha=0.1, epsilon=epsilon) for epsilon in (0.0, 0.01, 0.1)},
    }
    open_exercise(page, "1.3")
    page.figure(
        greedy_figure(by_step, best),
        "greedy",
        """Exercise 1.3: greedy play, with large steps (left) and with small steps (right).""",
    )
    rows = []
    for title, by_epsilon in by_step.items():
        for name, curves in by_epsilon.items():
            early, late = curves.at(EARLY, WINS), curves.at(LATE, WINS)
            rows.append((f"{title}, {name}", mean_cell(100 * early), mean_cell(100 * late), tried(curves)))
    page.table(("wins in percent after", f"{EARLY:,} games", f"{LATE:,} games", TRIED), rows)
    large, small = (list(by_epsilon.values()) for by_epsilon in by_step.values())
    gap = [100 * (curves[0].at(LATE, WINS).mean() - curves[-1].at(LATE, WINS).mean()) for curves in (large, small)]
    page.text(f"""If O never explores, its share of wins after {LATE:,} games changes by {gap[0]:+.1f} points with large
        steps, and by {gap[1]:+.1f} points with small steps, compared with epsilon 0.1. With large steps, O abandons a
        move as soon as the move has lost, so it tries enough moves against random X. With small steps, O keeps any move
        that is good enough.""")


def improvements(page: Page, folded: Bench, theirs: Courses) -> None:
    """Answer exercise 1.5."""
    runs = {
        "their program": theirs,
        "symmetry": courses(symmetry="full"),
        "a draw worth 0.5": courses(**HALF),
        "a loss worth -1": courses(loss=-1.0),
        "a loss worth -1, taught by itself": courses(ITSELF, loss=-1.0),
        "step size 0.1": courses(alpha=0.1),
        "first values 1": courses(initial_value=1.0),
        "learning from the end of a game": courses(backup="all"),
        "epsilon from 0.5, times 0.999 a game": courses(epsilon=0.5, epsilon_decay=0.999),
        "symmetry, a draw worth 0.5, from the end": courses(symmetry="full", backup="all", **HALF),
    }
    open_exercise(page, "1.5")
    header, rows = (f"after {IMPROVED_AFTER:,} games, in percent", *HEADINGS), strength_rows(runs, IMPROVED_AFTER)
    link = page.numbers("improvements", header, [[RANGE.sub("", cell) for cell in row] for row in rows])
    page.keep_ranges("1.5 Other improvements", header, [row for row in rows if row[0] not in SHOWN], LEAST_TO_MOST)
    page.table(header, [row for row in rows if row[0] in SHOWN])
    page.text(f"""{link} lists more variants of the program. A better way is to compute the best response to a known
        opponent, or perfect play, in one pass over the {len(folded.positions)} positions.""")


def reproduce(folder: Path) -> None:
    """Run the experiments for the exercises, and write the page."""
    bench, folded = (Bench(symmetry, game=MagicSquare()) for symmetry in ("none", "full"))
    best = wins_of(bench, policy_of(bench.positions, winning_chances(bench.positions)))
    page = Page(folder, "sutton-barto", "Sutton and Barto, exercises 1.1 to 1.5, measured", machine=VALUES)
    page.summary(
        """Richard Sutton and Andrew Barto say that the program in their book's first chapter learns the best play
        against a fixed opponent (claims 1 and 2). The best play against one opponent is not the same as perfect play
        (claim 3). Readers of the book say that the program learns perfect play by self-play (claims 4 and 5), or at
        least if a loss is worth -1 (claim 6).""",
        f"""We answered the five exercises of the book's first chapter with the authors' program. We ran each variant of
        the program {len(TWENTY)} times, or {len(JUDGED_SEEDS)} times for claims 1 and 2.""",
        """Against a fixed opponent, the program learns what the book says (claims 1 to 3: yes). By self-play, O does
        not learn perfect play, because a draw is worth no more than a loss (claims 4 and 5: no). If a loss is worth -1,
        the program does learn perfect play, but in some runs 10,000 games are too few (claim 6: no).""",
    )
    page.text("""The exercises are from Richard Sutton and Andrew Barto's book Reinforcement Learning: An Introduction
        (2nd edition, 2018), which contains no answers. We ran the authors' program
        (incompleteideas.net/book/code/TTT.lisp, preset `sutton-barto`). This program plays O against random X, and
        learns the values of the boards after its own moves, with step size 0.5 and epsilon 0.01. A win is worth 1, and
        a draw or a loss is worth 0. The program does not learn from exploratory moves.""")
    page.text(f"""Unless stated otherwise, every board has its own value, and the seeds are {TWENTY[0]} to {TWENTY[-1]}.
        The tables show the results of greedy O against random X, against `optimal` X, and against its best response;
        *theirs* marks the authors' program. O can win at most {100 * best:.2f} % of its games against random X.""")
    theirs = self_play(page, bench, best)
    order_of_ties(page, theirs, courses(ties="random"))
    symmetries(page, bench, folded, theirs, best)
    greedy_play(page, theirs, best)
    findings = exploration(page, bench)
    improvements(page, folded, theirs)
    page.claims([*findings, *findings_of_answers(bench)])
    page.write()
