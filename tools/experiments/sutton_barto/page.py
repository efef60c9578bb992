"""Sutton and Barto's exercises 1.1 to 1.5, answered by what their own program for tic-tac-toe does, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from experiments.common import STRENGTHS, UNBEATEN, Bench, Machine, percent, seeds_where
from experiments.page import Page
from experiments.sutton_barto.answers import findings_of_answers
from experiments.sutton_barto.exploration import EXPLORING, exploration
from experiments.sutton_barto.figures import greedy_figure, symmetry_figure, teachers_figure
from experiments.sutton_barto.magic_square import MagicSquare
from experiments.sutton_barto.program import (
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
from experiments.sutton_barto.questions import mean_percent, open_exercise
from menace.arena.exact_strength import against

HALF: dict[str, Any] = {"draw": 0.5, "drawn_by_other": 0.5}
ONE_SIDED_GAMES = (500, 2_000, 5_000, 20_000, 50_000)
ONE_SIDED_SEEDS = TWENTY[:10]
EARLY, LATE = 1_000, MARKS[-1]
IMPROVED_AFTER = 10_000
SAMPLE_SEEDS = TWENTY[:2]
WINS, LOSSES, TO_OPTIMAL, WORST = STRENGTHS


def strength_rows(runs: dict[str, Courses], games: int) -> list[list[str]]:
    """Return a row a course: the means of all that is measured."""
    return [
        [name, *(mean_percent(curves.at(games, measure)) for measure in STRENGTHS)] for name, curves in runs.items()
    ]


def tried(curves: Courses) -> str:
    """Return the share of O's boards that it learned from."""
    return f"{100 * np.mean([(m.learned.count[m.learned.kept] > 0).mean() for m in curves.machines]):.0f} %"


TRIED = "of its boards learned from"
HEADINGS = ("wins against random", "loses to random", "loses to optimal", "loses at worst")


def self_play(page: Page, bench: Bench, best: float) -> Courses:
    """Answer exercise 1.1; return the courses of their program."""
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
        """1.1 Self-play: what O achieves, by who teaches it. Taught by itself, it loses no more to optimal X
        only where a loss is worth -1. Lines: the mean of twenty seeds; bands: all of them.""",
    )
    rows = strength_rows(runs, LATE)
    for row, curves in zip(rows, runs.values(), strict=True):
        row.append(tried(curves))
    page.table((f"O after {LATE:,} games", *HEADINGS, TRIED), rows)
    theirs, own, safe = runs["taught by random X (theirs)"], runs["by itself"], runs["by itself, a loss worth -1"]

    def otherwise(first: list[Machine], second: list[Machine]) -> str:
        moves = [[m.policy("greedy").parts[0][1] > 0 for m in machines] for machines in (first, second)]
        positions = bench.positions
        mine = positions.moved_by(O)[positions.position_of_move]
        boards = positions.moved_by(O).sum()
        apart = [((a != b) & mine).sum() / 2 / boards for a, b in zip(*moves, strict=True)]
        return mean_percent(np.array(apart))

    page.text(f"""Yes. On {otherwise(theirs.machines, own.machines)} of O's {bench.positions.moved_by(O).sum():,} boards
        the two choose otherwise after {LATE:,} games; two seeds of their own program do so on
        {otherwise(theirs.machines, theirs.machines[1:] + theirs.machines[:1])}. Random X teaches it to win against
        random play, and it loses to optimal X in {mean_percent(theirs.at(LATE, TO_OPTIMAL))} of the games.
        Taught by itself it wins less often against random play, which does not answer as it expects, and loses to
        optimal X in {mean_percent(own.at(LATE, TO_OPTIMAL))}. Optimal X teaches it next to nothing: O can hope
        for a draw only, which is worth no more than a loss. Let a draw be worth 0.5, and O and its X soon agree on
        draws: it has then learned from fewer boards, and meets the others unprepared. Let a loss be worth -1 and a draw
        0, which is less than the 0.5 that every board is worth at first: then they try all before they agree, and after
        {LATE:,} games nobody beats O in {seeds_where(safe.at(LATE, WORST) < UNBEATEN)}.""")
    return theirs


def order_of_ties(page: Page, theirs: Courses, drawn: Courses) -> None:
    """Say what the order of equal moves decides."""
    by_cell = courses(game="tictactoe")
    rows = [
        [name, *(percent(curves.at(games, WINS)) for games in (EARLY, IMPROVED_AFTER, LATE))]
        for name, curves in (
            ("the lowest number of a magic square (theirs)", theirs),
            ("the first cell (preset `sutton-barto`)", by_cell),
            ("any of them", drawn),
        )
    ]
    page.heading("The order of equal moves")
    page.text(f"""Of moves of equal value their program takes the lowest number, and its cells are numbered as a magic
        square, 2 9 4 / 7 5 3 / 6 1 8. So do all runs here. At first all boards are worth the same, so that the order
        decides the first {EARLY:,} games, and hardly any later:""")
    page.table(("of equal moves O takes", *(f"wins, {games:,} games" for games in (EARLY, IMPROVED_AFTER, LATE))), rows)


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
        """1.2. One-sided X takes the first free cell half of the time (in the order of their numbers), and else any.
        Lines: means over the seeds; bands: all of them.""",
    )
    early = [mean_percent(curves.at(EARLY, WINS)) for curves in by_symmetry.values()]
    late = [mean_percent(curves.at(LATE, WINS)) for curves in by_symmetry.values()]
    apart = school.apart()
    page.table(
        ("wins against one-sided X after", *(f"{games:,} games" for games in ONE_SIDED_GAMES)),
        [[name, *(mean_percent(run[:, k]) for k in range(len(ONE_SIDED_GAMES)))] for name, run in runs.items()],
    )
    page.text(f"""A table of {len(folded.positions)} positions instead of {len(bench.positions):,} boards: after
        {EARLY:,} games it wins {early[1]} against random play instead of {early[0]}; after {LATE:,} {late[1]} instead
        of {late[0]}, since then its large step size limits it, not its experience. A part of the early gain is the
        order of equal moves: where they are drawn at random, it is {early[3]} instead of {early[2]}.
        [symmetry.md](symmetry.md) has other learners. Against an opponent that is not the same in equivalent positions
        these are not worth the same: the
        exact chances to win from equivalent boards differ by up to {apart.max():.2f}, and by {apart.mean():.3f} on
        average. Who shares a value then learns sooner, and cannot learn the rest: the most that can be won is
        {100 * most:.1f} %.""")


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
        """1.3 Greedy play: with large steps (left) who never explores wins most in the end, with small steps (right)
        least. Lines: the mean of twenty seeds; bands: all of them.""",
    )
    rows = []
    for title, by_epsilon in by_step.items():
        for name, curves in by_epsilon.items():
            early, late = curves.at(EARLY, WINS), curves.at(LATE, WINS)
            rows.append((f"{title}, {name}", percent(early), percent(late), tried(curves)))
    page.table(("O", f"wins, {EARLY:,} games", f"wins, {LATE:,} games", TRIED), rows)
    large, small = (list(by_epsilon.values()) for by_epsilon in by_step.values())
    gap = [100 * (curves[0].at(LATE, WINS).mean() - curves[-1].at(LATE, WINS).mean()) for curves in (large, small)]
    page.text(f"""Either. After {LATE:,} games the greedy player's wins less those of the player that explores a tenth
        of the time are {gap[0]:+.1f} percentage points with their step size, and {gap[1]:+.1f} with a step size of 0.1.
        Large steps forget, so that a move that lost lately is dropped and another is tried, and random X leads it
        everywhere: that explores enough. With small steps a move that is good enough is never dropped, and a better one
        never tried. The greedy player learns from fewer boards in both.""")


def improvements(page: Page, folded: Bench, theirs: Courses) -> None:
    """Answer exercise 1.5."""
    runs = {
        "their program": theirs,
        "symmetry": courses(symmetry="full"),
        "a draw worth 0.5": courses(**HALF),
        "a loss worth -1": courses(loss=-1.0),
        "a loss worth -1, taught by itself": courses(ITSELF, loss=-1.0),
        "step size 0.1": courses(alpha=0.1),
        "first values 1, so that all is tried": courses(initial_value=1.0),
        "it learns all boards of a game, from its end": courses(backup="all"),
        "exploration from 0.5, less by a thousandth a game": courses(epsilon=0.5, epsilon_decay=0.999),
        "symmetry, a draw worth 0.5, from the end": courses(symmetry="full", backup="all", **HALF),
    }
    open_exercise(page, "1.5")
    page.table((f"O after {IMPROVED_AFTER:,} games", *HEADINGS), strength_rows(runs, IMPROVED_AFTER))
    after = {name: curves.at(IMPROVED_AFTER, WINS).mean() for name, curves in runs.items()}
    most = max(after, key=lambda name: after[name])
    safest = min(runs, key=lambda name: runs[name].at(IMPROVED_AFTER, LOSSES).mean())
    page.text(f"""Means of twenty seeds. Most wins: {most} ({100 * after[most]:.1f} %); fewest losses to random play:
        {safest} ({mean_percent(runs[safest].at(IMPROVED_AFTER, LOSSES))}). The better way is to compute: the
        game has {len(folded.positions)} positions, and from its ends back the best answer to an opponent that is known,
        or minimax play if it is not, takes one pass and no game at all.""")


def sample() -> list[str]:
    """Return what their program and its variant that learns from exploration achieve in two seeds."""
    bench, lines = Bench("none", game=MagicSquare()), []
    settings: dict[str, dict[str, Any]] = {
        "theirs": {},
        f"it learns from exploration, epsilon {EXPLORING}": {"from_exploration": True, "epsilon": EXPLORING},
    }
    runs = {name: courses(seeds=len(SAMPLE_SEEDS), **changes) for name, changes in settings.items()}
    for number, seed in enumerate(SAMPLE_SEEDS):
        for name, curves in runs.items():
            wins, losses = (100 * curves.at(IMPROVED_AFTER, measure)[number] for measure in (WINS, LOSSES))
            lines.append(
                f"{name}, seed {seed}, after {IMPROVED_AFTER:,} games: O wins {wins:.4f} % against random"
                f" play, loses {losses:.4f} %"
            )
    chances = 100 * winning_chances(bench.positions, EXPLORING)[0]
    lines.append(
        f"the exact chance of O to win against random play while it explores with {EXPLORING}: {chances:.4f} %"
    )
    return lines


def reproduce(folder: Path) -> None:
    """Run what the exercises ask for, and write the page."""
    bench, folded = (Bench(symmetry, game=MagicSquare()) for symmetry in ("none", "full"))
    best = wins_of(bench, policy_of(bench.positions, winning_chances(bench.positions)))
    page = Page(folder, "sutton-barto", "Sutton and Barto, exercises 1.1 to 1.5, measured")
    page.summary(
        "In the book, what its first player learns against a fixed opponent; by others, what it learns by self-play.",
        f"""The five exercises of its first chapter, with the authors' own program: {len(TWENTY)} runs of each variant,
        of 1.4 fewer, and strengths computed exactly.""",
        """Against a fixed opponent it learns what the book says; by self-play it does not learn perfect play, as a draw
        is worth no more to it than a loss.""",
    )
    page.text("""R. Sutton and A. Barto, Reinforcement Learning: An Introduction (2nd edition, 2018), ask five questions
        about the tic-tac-toe player of their first chapter. They have no printed answers; these are what the player
        does. It is their own program (incompleteideas.net/book/code/TTT.lisp, preset `sutton-barto`): O learns values
        of
        the boards that its moves lead to, against random X, with step size 0.5 and epsilon 0.01; a draw is worth as
        little as a loss, and exploratory moves teach nothing. The book itself gives no numbers for step size and
        epsilon. The questions are told in short.""")
    page.text(f"""Every board is a value of its own unless said otherwise; seeds {TWENTY[0]} to {TWENTY[-1]}. All
        strengths are exact, of greedy play where nothing else is said: against random X, against `optimal` X, and at
        worst, against the X made for it. The most that O can win against random X is {100 * best:.2f} %.""")
    theirs = self_play(page, bench, best)
    order_of_ties(page, theirs, courses(ties="random"))
    symmetries(page, bench, folded, theirs, best)
    greedy_play(page, theirs, best)
    findings = exploration(page, bench)
    improvements(page, folded, theirs)
    page.claims([*findings, *findings_of_answers(bench)])
    page.sample(sample())
    page.write()
