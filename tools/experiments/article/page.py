"""R. Kaushik's post on matchboxes and its program: 10,000 games in four phases, with and without a length bonus."""

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
    versions_section,
)
from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where, spread
from experiments.page import LEAST_TO_MOST, Page
from menace.games.base import ONGOING

SEEDS = tuple(range(1, 101))  # many, because the claim is about the share of seeds
TEACHERS = ("random", "imperfect:0.5", "optimal")
LESSONS = (100, 1_000, 10_000, 100_000)  # numbers of games of preset `article` against a teacher
LEARNERS, TAUGHT_FEW = SEEDS[:20], SEEDS[:60]
FEW_BEADS = 2  # of each colour, beside the ten of the preset; his program begins with two, too
PERSON = "imperfect:0.5"  # represents a person who sometimes errs: the teacher and the "human level"

# The thresholds.
UNDEFEATABLE = 0.01  # the largest share of losses to its teacher or to random play
FEW = LESSONS[0]  # the meaning of "a few games"
PROGRAM = Claim(
    '"an unbeatable self-learning Tic-Tac-Toe AI game" (X, its only side against people)',
    "README.md",
    "nobody can beat greedy X",
)
HUMAN = Claim(
    '"train some matchboxes to play Tic-tac-toe with human level performance just by playing a few games with them" '
    "(preset `article`)",
    "first paragraph",
    f"after {FEW} games against `{PERSON}` it loses to it no more often than `{PERSON}` does",
)
FIRST = Claim(
    'the first version: "it did not work"',
    "on the program",
    f"after {GAMES:,} games X, drawing, loses more than {UNDEFEATABLE:.0%} of its games to random play",
)
WORKED = Claim(
    'with two changes (shared boxes, a bonus for short games) "It worked perfectly this time", "by sampling moves '
    'from the list"',
    "on the program",
    f"after {GAMES:,} games X, drawing, loses at most {UNDEFEATABLE:.0%} of its games to random play",
)
BONUS = Claim(
    'it did not work because "There was no "reward" to winning the game in smallest number of moves"',
    "on the program",
    "with the same seed, nobody can beat greedy X with the bonus, and somebody can without it",
)
BOXES = Claim(
    'matchboxes: "after some point they will become undefeatable" (preset `article`)',
    "on MENACE",
    f"with each teacher, after {GAMES:,} games it loses at most {UNDEFEATABLE:.0%} of its games to the teacher",
    "law",
)
MANY_BEADS = Claim(
    '"this number should be high (say 10 beads of each color)"',
    "Setting up everything",
    f"after {GAMES:,} games ten beads lose less often than {FEW_BEADS} to each of {len(TEACHERS)} teachers, by more "
    f"than two standard errors, or both lose less than {UNDEFEATABLE:.0%}",
    "number",
)

# The output of `python tools/experiments/article/read_table.py PATH` for experience.dat, unchanged since 2018.
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
    """Compare the claims with the measurements; `few` and `level` are the losses of machines and people in HUMAN."""
    safe, plain = (np.array([run.worst[-1] < UNBEATEN for run in runs[name]]) for name in (WITH, WITHOUT))
    lost = {teacher: rows[:, LESSONS.index(GAMES)] for teacher, rows in taught.items()}
    first, own = (np.array([each.lost for each in versions[name]]) for name in (FIRST_VERSION, OWN))
    return [
        HUMAN.counted(
            f"after {FEW} games against `{PERSON}` it loses {percent(few)} of its games to it; `{PERSON}` itself "
            f"loses {100 * level:.1f} %",
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
            f"nobody can beat X in {seeds_where(safe)} with the bonus, in {seeds_where(plain)} without",
            safe & ~plain,
        ),
        PROGRAM.counted(f"nobody can beat it in {seeds_where(safe)}, nor the table that comes with it", safe),
        of_many_beads(taught, few_beads),
    ]


def of_many_beads(many: dict[str, NDArray[np.float64]], few: dict[str, NDArray[np.float64]]) -> Finding:
    """Compare machines with ten and with two beads of each colour by their losses to their teachers."""
    mark, texts, held, better = LESSONS.index(GAMES), [], [], []
    for name in many:
        ten, two = many[name][:, mark], few[name][:, mark]
        error = np.hypot(ten.std(ddof=1), two.std(ddof=1)) / np.sqrt(len(ten))
        held.append(bool(two.mean() - ten.mean() > 2 * error or max(ten.mean(), two.mean()) < UNDEFEATABLE))
        better += [f"`{name}`"] if ten.mean() - two.mean() > 2 * error else []
        texts.append(f"{name} {ten.mean():.1%} and {two.mean():.1%}")
    return MANY_BEADS.judged(
        f"after {GAMES:,} games it loses with ten and with {FEW_BEADS} beads: " + "; ".join(texts),
        all(held),
        f"with {' and '.join(better)} fewer beads do better",
    )


def sample() -> list[str]:
    """Return lines of the page that take a second: seed 1."""
    bench, seed, lines = Bench(), SEEDS[0], []
    for name, settings in VARIANTS.items():
        run = train(bench, settings, seed)
        lines.append(f"{name}: {run.wins[-1]:.4%}, {run.worst[-1]:.4%}, {run.optimal_o:.4%}")
    x = bench.learner("article", "X")
    bench.play(x, "random", GAMES, raw_numbers(seed, 0))
    loss = bench.against(x, "random", "behaviour").loss
    return [
        f"seed {seed}: X wins against random, X loses to its best response, O loses to optimal",
        *lines,
        *article_versions.sample(),
        f"preset article, seed {seed}, {GAMES:,} games against random: loses {loss:.4%} to it",
    ]


def reproduce(folder: Path) -> None:
    """Run the experiment, and write the page."""
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
    mark = LESSONS.index(GAMES)
    beads = [f"{rows['random'][:, mark].mean():.1%}" for rows in (taught, two)]
    page.summary(
        """A post says that matchboxes reach human level after a few games. Its program, which plays itself, failed at
        first and became unbeatable with two changes.""",
        f"""{len(SEEDS)} pairs of machines play by the program's rules, with and without its bonus for short games.
        {MACHINES} machines play by the rules of each of its versions. Fixed players train matchboxes with ten and with
        {FEW_BEADS} beads of each colour.""",
        f"""After {GAMES:,} games the first version loses {lost[0]} of its games to random play, {lost[1]} with boxes
        shared by symmetric boards, and {lost[2]} if it also has the bonus. Nobody can beat {safe[0]} of {len(SEEDS)}
        machines of the published program, or {safe[1]} without the bonus. Matchboxes with ten beads lose {beads[0]} of
        their games to random play, their teacher; with {FEW_BEADS} beads they lose {beads[1]}.""",
    )
    introduce(page)
    shown = [(run.outcomes, run.worst, run.wins) for run in runs[WITH]], [(r.worst, r.wins) for r in runs[WITHOUT]]
    page.figure(
        figure_of(*shown, PHASES, TABLE_WINS),
        "phases",
        """Outcomes in training (above), X's exact wins against random play (middle) and the share of unbeatable X
        (below). Bands are ranges over the seeds.""",
    )
    level = bench.outcomes(PERSON, PERSON).o_wins
    few = np.array([lessons(bench, PERSON, seed, (FEW,))[0] for seed in TAUGHT_FEW])
    page.claims(findings(few, level, runs, taught, two, versions))
    boxes = [int((b.positions.outcome == ONGOING).sum()) for b in (each, bench)]
    versions_section(page, versions, boxes)
    rewards_section(page, runs, apart)
    teachers_section(page, taught | {f"{name}, {FEW_BEADS} beads": losses for name, losses in two.items()}, unfolded)
    page.sample(sample())
    page.write()


def introduce(page: Page) -> None:
    """Describe the source and our runs."""
    page.text("""We read R. Kaushik's post "How to train matchboxes to play human level tic-tac-toe" (19 September 2018,
        riturajkaushik.github.io) and its repository, github.com/riturajkaushik/self-learning-tic-tac-toe. The post
        first describes MENACE with ten beads of each colour (preset `article`), then a program with two. The program
        plays the fullest colour. The winner's colours gain beads, and the loser's lose beads down to one. They change
        more in a short game and near its end; a draw changes nothing. The program plays itself 10,000 times. Both sides
        move at random in the first quarter, X in the second and O in the third; in the last, both explore with
        probability 0.3. Against people it plays X greedily (`start_human_play`).""")
    page.text(f"""Preset `article-code` plays both sides in phases `article`, with seeds {SEEDS[0]} to {SEEDS[-1]}. It
        merges equivalent cells and breaks ties at random. The program does neither, so {MACHINES} machines also play by
        its own rules. Claim 7 was committed before its result.""")
    page.text(f"""The repository includes a trained table of {TABLE_BOARDS} boards, which `python
        tools/experiments/article/read_table.py PATH` measures. Its X wins {TABLE_WINS:.2%} of its games against random
        play, draws the others, and loses {TABLE_WORST:.0%} to its best response. Its O can be beaten in every game.""")


def teachers_section(
    page: Page, taught: dict[str, NDArray[np.float64]], unfolded: dict[str, NDArray[np.float64]]
) -> None:
    """Add the results of preset `article` with each teacher, and without symmetry."""
    page.heading("Matchboxes with ten beads and with two")
    page.text(f"""Preset `article` plays X and draws beads, with seeds {LEARNERS[0]} to {LEARNERS[-1]}. An empty box
        gets its first beads back. The table shows the exact losses to the teacher, a fixed player, in percent.""")
    header = ("teacher", *(f"{games:,} games" for games in LESSONS))
    rows, apart = (
        [(name, *(spread(100 * losses[:, k], 1) for k in range(len(LESSONS)))) for name, losses in table.items()]
        for table in (taught, unfolded)
    )
    page.table(header, rows)
    page.keep_ranges("With a box for every board", header, apart, LEAST_TO_MOST)
    late = [f"{losses[:, LESSONS.index(GAMES)].mean():.1%} ({name})" for name, losses in unfolded.items()]
    page.text(f"With ten beads and a box for every board, the losses after {GAMES:,} games are {', '.join(late)}.")
