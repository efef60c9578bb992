"""R. Kaushik's post on matchboxes, and its program: 10,000 games in four phases, with and without a length bonus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.arena.best_response import worst_case
from menace.arena.exact_strength import against
from menace.arena.exploration_phases import Phase, parse_phases
from menace.games.base import ONGOING
from menace.learners.favourite_colour import FAVOURITE, FavouriteSettings, bead_changes
from menace.learners.machine import Machine
from menace.learners.registry import get_preset
from reproductions import article_program as program
from reproductions.article_figure import figure_of
from reproductions.claims import Claim, Finding
from reproductions.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where
from reproductions.page import Page

GAMES, STEP = 10_000, 250
PHASES = parse_phases("article", GAMES)
MIXED, RANDOM = parse_phases(f"{GAMES}:0.3:0.3", GAMES), parse_phases(f"{GAMES}:1:1", GAMES)
SEEDS = tuple(range(1, 101))  # cheap, and the claim is about the share of seeds
OF_PROGRAM = SEEDS[:60]  # the program's own rules, in Python
TEACHERS = ("random", "imperfect:0.5", "optimal")
LESSONS = (100, 1_000, 10_000, 100_000)  # games of preset `article` against a teacher
LEARNERS, TAUGHT_FEW = SEEDS[:20], SEEDS[:60]
PERSON = "imperfect:0.5"  # a person who now and then errs, as both "human level" and teacher

# The thresholds.
UNDEFEATABLE = 0.01  # of the games against its teacher, or against random play: it loses no more
FEW = LESSONS[0]  # "a few games"
PROGRAM = Claim(
    '"an unbeatable self-learning Tic-Tac-Toe AI game" (X, the only side that it plays against people)',
    "README.md of the repository",
    "nobody can beat greedy X",
)
HUMAN = Claim(
    '"train some matchboxes to play Tic-tac-toe with human level performance just by playing a few games with them" '
    "(preset `article`)",
    "the post, first paragraph",
    f"after {FEW} games with `{PERSON}` it loses to it no more often than `{PERSON}` does in its place",
)
FIRST = Claim(
    'the first version: "it did not work" (a box for every board, beads drawn, one more or less after a game)',
    "the post, on the program",
    f"after {GAMES:,} games against itself X, drawing, loses more than {UNDEFEATABLE:.0%} of its games to random play",
)
WORKED = Claim(
    'with two changes "It worked perfectly this time" (boards that are alike share a box, a shorter game gives more '
    'beads); the program plays "by sampling moves from the list"',
    "the post, on the program",
    f"after its {GAMES:,} games X, drawing, loses at most {UNDEFEATABLE:.0%} of its games to random play",
)
BONUS = Claim(
    'it did not work because "There was no "reward" to winning the game in smallest number of moves"',
    "the post, on the program",
    "nobody can beat greedy X with such a reward, and somebody can without it, with the same seed",
)
BOXES = Claim(
    'matchboxes: "after some point they will become undefeatable" (preset `article`, drawing beads)',
    "the post, on MENACE",
    f"whoever taught it, after {GAMES:,} games it loses at most {UNDEFEATABLE:.0%} of them to its teacher",
    "law",
)

# What `python tools/read_article_table.py PATH` prints of experience.dat, in the repository of 2018 to this day.
TABLE_WINS, TABLE_DRAWS, TABLE_WORST, TABLE_BOARDS = 0.989583, 0.010417, 0.0, 827


@dataclass(frozen=True)
class DrawsToo(FavouriteSettings):
    """Rewards by length, and `draw` beads for every colour of a drawn game, which the program does not give."""

    def changes(self, longest: int) -> NDArray[np.int32]:
        """Return the beads that games add and take away."""
        changes = bead_changes(self, longest).copy()
        changes[1] = self.draw
        return changes


class Run(NamedTuple):
    """One run: shares of outcomes [looks, 3], how X plays greedily [looks], and how O does when it is over.

    Attributes:
        outcomes: games that X won, that were drawn, and that O won.
        worst: losses of X in its worst case.
        wins: wins of X against random.
        optimal: losses of X against optimal, when it is over.
        worst_o: losses of O in its worst case, when it is over.
        optimal_o: losses of O against optimal, when it is over.
    """

    outcomes: NDArray[np.float64]
    worst: NDArray[np.float64]
    wins: NDArray[np.float64]
    optimal: float
    worst_o: float
    optimal_o: float


def rewards(**changes: Any) -> FavouriteSettings:
    """Return the settings of preset `article-code`, some replaced."""
    settings = get_preset("article-code").settings
    assert isinstance(settings, FavouriteSettings)
    return replace(settings, **changes)


def draws_too(beads: int) -> FavouriteSettings:
    """Return the settings of preset `article-code`, and beads for draws."""
    return DrawsToo(beads=(2,), floor=1, rewards="length", draw=beads)


class Variant(NamedTuple):
    """How beads are given, and who explores when."""

    settings: FavouriteSettings
    phases: tuple[Phase, ...] = PHASES


WITH, WITHOUT = "by length, in four phases (the program)", "one bead, whatever the length"
VARIANTS = {
    WITH: Variant(rewards()),
    WITHOUT: Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1)),
    "by length; a draw adds one": Variant(draws_too(1)),
    "by length; a draw adds three": Variant(draws_too(3)),
    "one bead; a draw adds one": Variant(rewards(rewards="outcome", win=1, draw=1, loss=-1)),
    "by length, ten times the games": Variant(rewards(), parse_phases("article", 10 * GAMES)),
    "by length, both explore with 0.3 all the time": Variant(rewards(), MIXED),
    "one bead, both explore with 0.3 all the time": Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1), MIXED),
    "by length; a draw adds three; both 0.3 all the time": Variant(draws_too(3), MIXED),
    "by length, both at random all the time": Variant(rewards(), RANDOM),
}


def train(bench: Bench, variant: Variant, seed: int, looks: bool = False) -> Run:
    """Let two machines play the phases; look at X on the way if `looks` says so, else at the end."""
    x, o = (Machine.fresh(FAVOURITE, variant.settings, bench.positions, side, None) for side in (0, 1))
    numbers, outcomes, worst, wins = raw_numbers(seed, 0), [], [], []
    for number, phase in enumerate(variant.phases):
        blocks = [STEP] * (phase.games // STEP) if looks else [phase.games]
        for block, games in enumerate(blocks):
            outcomes.append(bench.play(x, o, games, numbers, epsilon=(phase.x, phase.o)) / games)
            if looks or (number, block) == (len(variant.phases) - 1, len(blocks) - 1):
                worst.append(bench.worst(x).loss)
                wins.append(bench.against(x, "random").win)
    losses = bench.against(x, "optimal").loss, bench.worst(o).loss, bench.against(o, "optimal").loss
    return Run(np.array(outcomes), np.array(worst), np.array(wins), *losses)


def unbeaten(losses: NDArray[np.float64]) -> str:
    """Say how many cannot be beaten; `losses` are those in the worst case."""
    return seeds_where(losses < UNBEATEN)


def strength_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return how strong both sides are when the games are over."""
    return (
        name,
        unbeaten(np.array([run.worst[-1] for run in runs])),
        percent((run.wins[-1] for run in runs), 2),
        percent(run.optimal for run in runs),
        unbeaten(np.array([run.worst_o for run in runs])),
        percent(run.optimal_o for run in runs),
    )


FIRST_VERSION = "the first version: beads drawn, a box for every board"
VERSIONS = {  # whether images of a board share a box, and the rules
    FIRST_VERSION: (False, program.Rules(PHASES, draws=True)),
    "and images of a board share a box": (True, program.Rules(PHASES, draws=True)),
    "and short games change more beads": (True, program.Rules(PHASES, bonus=True, draws=True)),
    "the program's own rules": (True, program.Rules(PHASES, bonus=True)),
    "the same, without the bonus": (True, program.Rules(PHASES)),
    "the same, both at random all the time": (True, program.Rules(RANDOM, bonus=True)),
}
OWN = list(VERSIONS)[3]


class Version(NamedTuple):
    """How X plays that has learned by a version of the program: wins against random and losses in its worst case.

    Attributes:
        win, worst: of the fullest cell.
        lost, lost_to_optimal: of a bead drawn, its losses to random and to optimal play.
    """

    win: float
    worst: float
    lost: float
    lost_to_optimal: float


class Versions:
    """The boards as the versions of the program need them."""

    def __init__(self) -> None:
        self.benches = {True: Bench("full"), False: Bench("none")}
        every = self.benches[False].positions
        self.boards = {shares: program.boards_of(every, bench.positions) for shares, bench in self.benches.items()}

    def run(self, name: str, seed: int) -> Version:
        """Train by a version's rules."""
        shares, rules = VERSIONS[name]
        bench = self.benches[shares]
        boxes = program.train(self.boards[shares], bench.positions, rules, seed)
        fullest, drawn = program.policies(boxes, bench.positions)
        random, optimal = (bench.policy(opponent, 1) for opponent in ("random", "optimal"))
        lost = against(drawn, random).loss, against(drawn, optimal).loss
        return Version(against(fullest, random).win, worst_case(fullest).loss, *lost)


def lessons(bench: Bench, teacher: str, seed: int, after: tuple[int, ...] = LESSONS) -> list[float]:
    """Teach preset `article`, X, and return how often it loses to its teacher after so many games."""
    x, numbers, played, losses = bench.learner("article", "X"), raw_numbers(seed, 0), 0, []
    for games in after:
        bench.play(x, teacher, games - played, numbers)
        played = games
        losses.append(bench.against(x, teacher, "behaviour").loss)
    return losses


def findings(
    few: NDArray[np.float64],
    level: float,
    runs: dict[str, list[Run]],
    taught: dict[str, NDArray[np.float64]],
    versions: dict[str, list[Version]],
) -> list[Finding]:
    """Set what was claimed beside what was measured: `few` of HUMAN, `level` how often a person loses to a person."""
    safe, plain = (np.array([run.worst[-1] < UNBEATEN for run in runs[name]]) for name in (WITH, WITHOUT))
    lost = {teacher: rows[:, LESSONS.index(GAMES)] for teacher, rows in taught.items()}
    first, own = (np.array([run.lost for run in versions[name]]) for name in (FIRST_VERSION, OWN))
    return [
        HUMAN.counted(f"it loses {percent(few)}; `{PERSON}` in its place {level:.1%}", few <= level),
        BOXES.counted(
            f"after {GAMES:,} games it loses to its teacher: "
            + "; ".join(f"{name} {percent(losses)}" for name, losses in lost.items()),
            np.max(list(lost.values()), axis=0) <= UNDEFEATABLE,
        ),
        FIRST.counted(f"it loses {percent(first)}", first > UNDEFEATABLE),
        WORKED.counted(f"it loses {percent(own)}", own <= UNDEFEATABLE),
        BONUS.counted(
            f"nobody can beat X in {seeds_where(safe)} with it, in {seeds_where(plain)} without; it wins against "
            f"random {percent((r.wins[-1] for r in runs[WITH]), 2)} with, "
            f"{percent((r.wins[-1] for r in runs[WITHOUT]), 2)} without",
            safe & ~plain,
        ),
        PROGRAM.counted(
            f"nobody can beat it in {seeds_where(safe)}; the table that comes with it: nobody can beat it", safe
        ),
    ]


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: seed 1."""
    bench, seed = Bench(), SEEDS[0]
    versions, lines = Versions(), []
    for name, settings in VARIANTS.items():
        run = train(bench, settings, seed)
        lines.append(f"{name}, seed {seed}: X wins {run.wins[-1]:.4%} against random, loses {run.worst[-1]:.4%} in its "
                     f"worst case; O loses {run.optimal_o:.4%} to optimal")  # fmt: skip
    for name in VERSIONS:
        win, worst, lost, _ = versions.run(name, seed)
        lines.append(f"{name}, seed {seed}: X wins {win:.4%} against random, loses {worst:.4%} in its worst case; "
                     f"drawing it loses {lost:.4%} to random")  # fmt: skip
    x = bench.learner("article", "X")
    bench.play(x, "random", GAMES, raw_numbers(seed, 0))
    loss = bench.against(x, "random", "behaviour").loss
    return [*lines, f"preset article, seed {seed}, {GAMES:,} games against random: loses {loss:.4%} to it"]


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench, each = Bench("full"), Bench("none")
    runs = {n: [train(bench, v, seed, n in (WITH, WITHOUT)) for seed in SEEDS] for n, v in VARIANTS.items()}
    apart = {n: [train(each, VARIANTS[n], seed) for seed in LEARNERS] for n in (WITH, WITHOUT)}
    trained = Versions()
    versions = {name: [trained.run(name, seed) for seed in OF_PROGRAM] for name in VERSIONS}
    taught = {name: np.array([lessons(bench, name, seed) for seed in LEARNERS]) for name in TEACHERS}
    unfolded = {name: np.array([lessons(each, name, seed) for seed in LEARNERS]) for name in TEACHERS}
    page = Page(folder, "article", "The matchbox article: a program that teaches itself in 10,000 games")
    safe = [sum(run.worst[-1] < UNBEATEN for run in runs[name]) for name in (WITH, WITHOUT)]
    fullest = np.array([run.worst for run in versions[list(VERSIONS)[2]]])
    lost = [f"{np.mean([run.lost for run in versions[name]]):.1%}" for name in list(VERSIONS)[:3]]
    page.summary(
        """In a post, that matchboxes play at human level after a few games; that a program which draws its beads and
        plays itself at first did not work; and that with two changes it does, so that nobody can beat it.""",
        f"""{len(SEEDS)} pairs of machines by the program's rules, with and without its bonus for short games;
        {len(OF_PROGRAM)} by each of its versions; then preset `article`, taught by fixed players.""",
        f"""After {GAMES:,} games the first version, drawing its beads, loses {lost[0]} of its games to random play;
        {lost[1]} if boards that are alike share a box, which the post did to be fast; {lost[2]} if short games teach
        more, too. Then nobody can beat its fullest colours in {unbeaten(fullest)}. The program as published takes the
        fullest colour while it learns, in four phases, and is weaker: nobody can beat {safe[0]} of {len(SEEDS)}, and
        {safe[1]} without that bonus.""",
    )
    introduce(page)
    shown = [(run.outcomes, run.worst, run.wins) for run in runs[WITH]], [(r.worst, r.wins) for r in runs[WITHOUT]]
    page.figure(
        figure_of(*shown, PHASES, TABLE_WINS),
        "phases",
        """Above: what came of the games, by 250, the mean of all seeds and the range. Middle: how often X, greedy, wins
        against random play, exactly: the mean of the seeds, and the range with the bonus; dashed: the table that comes
        with the program. Below: in how many seeds nobody can beat X.""",
    )
    level = bench.outcomes(PERSON, PERSON).o_wins
    few = np.array([lessons(bench, PERSON, seed, (FEW,))[0] for seed in TAUGHT_FEW])
    page.claims(findings(few, level, runs, taught, versions))
    boxes = [int((b.positions.outcome == ONGOING).sum()) for b in (each, bench)]
    versions_section(page, versions, boxes)
    rewards_section(page, runs, apart)
    teachers_section(page, taught | {f"{name}, a box for every board": rows for name, rows in unfolded.items()})
    page.sample(sample())
    page.write()


def introduce(page: Page) -> None:
    """Write what was published, and how it is done again."""
    page.text("""Read: R. Kaushik's post "How to train matchboxes to play human level tic-tac-toe" (19 September 2018,
        riturajkaushik.github.io), and the repository that it names, github.com/riturajkaushik/self-learning-tic-tac-toe
        (README.md, tic_tac_toe.py, and the table that it learned, experience.dat). The post's first half is MENACE with
        ten beads of each colour, one more or less after a game: preset `article`. Its second half is a program: two
        beads of each colour, and the colour with most is taken. After a game with a winner the winner's colours gain
        and the loser's lose beads (one is left), more in a short game and more near its end; a draw teaches nothing. It
        plays 10,000 games against itself: a quarter with both sides at random, a quarter with X alone at random, a
        quarter with O alone, and a quarter in which both explore with probability 0.3. Against people the program plays
        X only, and greedily (`start_human_play`; the post has it that beads are sampled): so that is what is
        judged.""")
    page.heading("The table that comes with it")
    page.text(f"""`python tools/read_article_table.py PATH` reads it (it is not taken over) and computes, exactly:
        {TABLE_BOARDS} boards with boxes, a box for each of the 338 positions in which X is to move and the 289 of O.
        Its X wins {TABLE_WINS:.2%} of its games against random play and draws the others, and nobody can beat it: its
        worst case loses {TABLE_WORST:.0%}. Its O, which the program never plays against people, could be beaten in
        every game.""")
    page.heading("How it is reproduced")
    page.text(f"""Preset `article-code` for X and for O, phases `article`, one box for all images of a board, seeds
        {SEEDS[0]} to {SEEDS[-1]}. Where squares of a box are equivalent, the program's have a colour each, ours one for
        all; of equal piles the program takes the lowest square, ours any. So its own rules are run too, seeds
        {OF_PROGRAM[0]} to {OF_PROGRAM[-1]} (tools/reproductions/article_program.py). Intervals are mean ± standard
        deviation over the seeds.""")


def versions_section(page: Page, versions: dict[str, list[Version]], boxes: list[int]) -> None:
    """Write what the first version comes to, and what each change does to it."""
    page.heading("The first version, and what was changed")
    page.text(f"""Of the first version the post says that both sides drew their beads from one list, with a box for
        every board, and were rewarded as matchboxes are: one bead more or less. Why "it did not work" he says, too:
        that there were too many boards, which was slow (with symmetry {boxes[0]:,} become {boxes[1]}), and that a
        short game was worth no more than a long one. He does not name a third change, which his program has: the
        fullest colour is taken, not a bead drawn, and both sides explore in four phases. Here each change by itself,
        X after {GAMES:,} games, seeds {OF_PROGRAM[0]} to {OF_PROGRAM[-1]}; that the first version began with two beads
        of each colour and always left one, as the program does, is inferred.""")
    page.table(
        ("version", "drawing: loses to random", "loses to optimal", "fullest: wins against random", "unbeaten"),
        [
            (
                name,
                percent(run.lost for run in seeds),
                percent(run.lost_to_optimal for run in seeds),
                percent((run.win for run in seeds), 2),
                unbeaten(np.array([run.worst for run in seeds])),
            )
            for name, seeds in versions.items()
        ],
    )


def rewards_section(page: Page, runs: dict[str, list[Run]], apart: dict[str, list[Run]]) -> None:
    """Write what each way of rewarding and of exploring comes to."""
    page.heading("What makes the difference")
    page.text("""Exactly, the machines as they are after the last game, greedy: how many X nobody can beat, what it wins
        against random play and loses to optimal play; then O, which only its own kind ever meets.""")
    rows = [strength_row(name, strengths) for name, strengths in runs.items()]
    rows += [strength_row(f"{name}, a box for every board", strengths) for name, strengths in apart.items()]
    header = ("games", "X unbeaten", "X wins against random", "X loses to optimal", "O unbeaten", "O loses to optimal")
    page.table(header, rows)
    phases, mixed, random = (
        f"{np.mean([run.worst[-1] < UNBEATEN for run in runs[name]]):.0%}"
        for name in (WITH, "by length, both explore with 0.3 all the time", "by length, both at random all the time")
    )
    page.text(f"""The bonus makes X win a few games in a hundred more, and no harder to beat. That a draw teaches
        nothing is not the cause of what is weak: beads for draws help in the four phases and harm where both explore
        all the time. The phases are: of the X whose games both sides explored to the end with 0.3 nobody can beat
        {mixed}, of those who saw nothing but random moves {random}, of the program's {phases}. What X has
        learned in the first quarter it loses in the second (figure), in which it moves at random and O always replies
        with its favourite: its boxes are rewarded for what beats that one reply. (tic_tac_toe.py has two lines,
        commented out, that would let both play at random to the end.) O, who must draw where X makes no mistake, is
        weak however it is rewarded.""")


def teachers_section(page: Page, taught: dict[str, NDArray[np.float64]]) -> None:
    """Write the results of preset `article` with each teacher."""
    page.heading("The first half: ten beads, one more or less")
    page.text(f"""Preset `article`, X, drawing beads; a person teaches it in the post, here a fixed player. It loses to
        its teacher, exactly, after so many games (seeds {LEARNERS[0]} to {LEARNERS[-1]}). The post has a box for every
        board; here equivalent boards share one, except in the last rows. An empty box gets its first beads back,
        which the post does not say.""")
    header = ("teacher", *(f"{games:,} games" for games in LESSONS))
    rows = [(name, *(percent(losses[:, k]) for k in range(len(LESSONS)))) for name, losses in taught.items()]
    page.table(header, rows)
