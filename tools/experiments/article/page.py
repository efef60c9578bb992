"""R. Kaushik's post on matchboxes, and its program: 10,000 games in four phases, with and without a length bonus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.article import versions as article_versions
from experiments.article.figures import figure_of
from experiments.article.rewards import PHASES, VARIANTS, WITH, WITHOUT, Run, rewards_section, train
from experiments.article.versions import (
    BONUS_TOO,
    FIRST_VERSION,
    GAMES,
    MACHINES,
    OWN,
    SHARED,
    Version,
    unbeaten,
    versions_section,
)
from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where
from experiments.page import Page
from menace.games.base import ONGOING

SEEDS = tuple(range(1, 101))  # cheap, and the claim is about the share of seeds
TEACHERS = ("random", "imperfect:0.5", "optimal")
LESSONS = (100, 1_000, 10_000, 100_000)  # games of preset `article` against a teacher
LEARNERS, TAUGHT_FEW = SEEDS[:20], SEEDS[:60]
FEW_BEADS = 2  # of each colour, beside the ten of the preset; his program begins with two, too
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
MANY_BEADS = Claim(
    'of each colour "this number should be high (say 10 beads of each color)" (preset `article`, drawing beads)',
    "the post, Setting up everything",
    f"after {GAMES:,} games with each of {len(TEACHERS)} teachers ten beads lose less often to the teacher than "
    f"{FEW_BEADS} do, by more than two standard errors, or both lose less than {UNDEFEATABLE:.0%}",
    "number",
)

# What `python tools/experiments/article/read_table.py PATH` prints of experience.dat, unchanged since 2018.
TABLE_WINS, TABLE_DRAWS, TABLE_WORST, TABLE_BOARDS = 0.989583, 0.010417, 0.0, 827


def lessons(bench: Bench, teacher: str, seed: int, after: tuple[int, ...] = LESSONS, **settings: object) -> list[float]:
    """Train preset `article` as X, and return its share of losses to its teacher after each number of games."""
    x, numbers, played, losses = bench.learner("article", "X", **settings), raw_numbers(seed, 0), 0, []
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
    few_beads: dict[str, NDArray[np.float64]],
    versions: dict[str, list[Version]],
) -> list[Finding]:
    """Set what was claimed beside what was measured: `few` of HUMAN, `level` how often a person loses to a person."""
    safe, plain = (np.array([run.worst[-1] < UNBEATEN for run in runs[name]]) for name in (WITH, WITHOUT))
    lost = {teacher: rows[:, LESSONS.index(GAMES)] for teacher, rows in taught.items()}
    first, own = (np.array([each.lost for each in versions[name]]) for name in (FIRST_VERSION, OWN))
    return [
        HUMAN.counted(
            f"after {FEW} games with `{PERSON}` the machine loses {percent(few)} of its games to it; "
            f"`{PERSON}` in the machine's place loses {100 * level:.1f} %",
            few <= level,
        ),
        BOXES.counted(
            f"after {GAMES:,} games it loses to its teacher: "
            + "; ".join(f"{name} {percent(losses)}" for name, losses in lost.items()),
            np.max(list(lost.values()), axis=0) <= UNDEFEATABLE,
        ),
        FIRST.counted(f"it loses {percent(first)} of its games to random play", first > UNDEFEATABLE),
        WORKED.counted(f"it loses {percent(own)} of its games to random play", own <= UNDEFEATABLE),
        BONUS.counted(
            f"nobody can beat X in {seeds_where(safe)} with it, in {seeds_where(plain)} without; it wins against "
            f"random {percent((r.wins[-1] for r in runs[WITH]), 2)} with, "
            f"{percent((r.wins[-1] for r in runs[WITHOUT]), 2)} without",
            safe & ~plain,
        ),
        PROGRAM.counted(
            f"nobody can beat it in {seeds_where(safe)}; the table that comes with it: nobody can beat it", safe
        ),
        of_many_beads(taught, few_beads),
    ]


def of_many_beads(many: dict[str, NDArray[np.float64]], few: dict[str, NDArray[np.float64]]) -> Finding:
    """Compare machines with ten and with two beads of each colour by their losses to their teachers."""
    mark, texts, held = LESSONS.index(GAMES), [], []
    for name in many:
        ten, two = many[name][:, mark], few[name][:, mark]
        error = np.hypot(ten.std(ddof=1), two.std(ddof=1)) / np.sqrt(len(ten))
        held.append(bool(two.mean() - ten.mean() > 2 * error or max(ten.mean(), two.mean()) < UNDEFEATABLE))
        texts.append(f"{name} {percent(ten)} with ten, {percent(two)} with {FEW_BEADS}")
    return MANY_BEADS.judged(f"after {GAMES:,} games it loses to its teacher: " + "; ".join(texts), all(held))


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: seed 1."""
    bench, seed, lines = Bench(), SEEDS[0], []
    for name, settings in VARIANTS.items():
        run = train(bench, settings, seed)
        lines.append(f"{name}, seed {seed}: X wins {run.wins[-1]:.4%} against random, loses {run.worst[-1]:.4%} in its "
                     f"worst case; O loses {run.optimal_o:.4%} to optimal")  # fmt: skip
    x = bench.learner("article", "X")
    bench.play(x, "random", GAMES, raw_numbers(seed, 0))
    loss = bench.against(x, "random", "behaviour").loss
    return [
        *lines,
        *article_versions.sample(),
        f"preset article, seed {seed}, {GAMES:,} games against random: loses {loss:.4%} to it",
    ]


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench, each = Bench("full"), Bench("none")
    runs = {n: [train(bench, v, seed, n in (WITH, WITHOUT)) for seed in SEEDS] for n, v in VARIANTS.items()}
    apart = {n: [train(each, VARIANTS[n], seed) for seed in LEARNERS] for n in (WITH, WITHOUT)}
    versions = article_versions.trained()
    taught = {name: np.array([lessons(bench, name, seed) for seed in LEARNERS]) for name in TEACHERS}
    unfolded = {name: np.array([lessons(each, name, seed) for seed in LEARNERS]) for name in TEACHERS}
    two = {name: np.array([lessons(bench, name, s, beads=(FEW_BEADS,)) for s in LEARNERS]) for name in TEACHERS}
    page = Page(folder, "article", "The matchbox article: a program that teaches itself in 10,000 games")
    safe = [sum(run.worst[-1] < UNBEATEN for run in runs[name]) for name in (WITH, WITHOUT)]
    lost = [f"{np.mean([each.lost for each in versions[name]]):.1%}" for name in (FIRST_VERSION, SHARED, BONUS_TOO)]
    page.summary(
        """In a post, that matchboxes play at human level after a few games; that a program which draws its beads and
        plays itself at first did not work; and that with two changes it does, so that nobody can beat it.""",
        f"""{len(SEEDS)} pairs of machines by the program's rules, with and without its bonus for short games;
        {MACHINES} by each of its versions; then preset `article`, taught by fixed players.""",
        f"""After {GAMES:,} games the first version, drawing its beads, loses {lost[0]} of its games to random play;
        {lost[1]} if boards that are alike share a box, which the post did to be fast; {lost[2]} if short games teach
        more, too. Then nobody can beat its fullest colours in {unbeaten(versions[BONUS_TOO])}. The program as published
        takes the fullest colour while it learns, in four phases, and is weaker: nobody can beat {safe[0]} of
        {len(SEEDS)}, and {safe[1]} without that bonus.""",
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
    page.claims(findings(few, level, runs, taught, two, versions))
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
    page.text(f"""`python tools/experiments/article/read_table.py PATH` reads it (it is not taken over) and computes,
        exactly: {TABLE_BOARDS} boards with boxes, a box for each of the 338 positions in which X is to move and the 289
        of O.
        Its X wins {TABLE_WINS:.2%} of its games against random play and draws the others, and nobody can beat it: its
        worst case loses {TABLE_WORST:.0%}. Its O, which the program never plays against people, could be beaten in
        every game.""")
    page.heading("How it is reproduced")
    page.text(f"""Preset `article-code` for X and for O, phases `article`, one box for all images of a board, seeds
        {SEEDS[0]} to {SEEDS[-1]}. Where squares of a box are equivalent, the program's have a colour each, ours one for
        all; of equal piles the program takes the lowest square, ours any. So its own rules are run too, by
        {MACHINES} machines that draw from one generator (tools/experiments/article/program.py). Intervals are mean ±
        standard deviation over the seeds.""")


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
