"""Write the page about Rituraj Kaushik's post on matchboxes and its program, which plays itself in four phases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.article import versions as article_versions
from experiments.article.figures import figure_of
from experiments.article.rewards import PHASES, VARIANTS, WITH, WITHOUT, Run, rewards_section, train
from experiments.article.versions import FIRST_VERSION, GAMES, MACHINES, OWN, SHARED, Version, versions_section
from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, mean_cell, percent, raw_numbers, seeds_where
from experiments.page import BEADS, LEAST_TO_MOST, Page
from menace.games.base import ONGOING

SEEDS = tuple(range(1, 101))  # there are many seeds because the claim is about a share of the seeds
TEACHERS = ("random", "imperfect:0.5", "optimal")
LESSONS = (100, 1_000, 10_000, 100_000)  # the numbers of games that the preset `article` plays against a teacher
LEARNERS, TAUGHT_FEW = SEEDS[:20], SEEDS[:60]
FEW_BEADS = 2  # the number of initial beads of each colour in Kaushik's program; the preset has ten
PERSON = "imperfect:0.5"  # stands in for a fallible person, both as a teacher and as the "human level"

BOX = "On this page, a new box contains two or ten beads of each colour, and no box stays empty."

# The thresholds for the claims.
UNDEFEATABLE = 0.01  # the maximum share of games lost to the teacher or to random play
FEW = LESSONS[0]  # the meaning of "a few games"
PROGRAM = Claim(
    '"an unbeatable self-learning Tic-Tac-Toe AI game" (X, its only side against people)',
    "README.md",
    "greedy X is unbeatable",
)
HUMAN = Claim(
    '"train some matchboxes to play Tic-tac-toe with human level performance just by playing a few games with them" '
    "(preset `article`)",
    "first paragraph",
    f"after {FEW} games with a person (simulated by `{PERSON}`), the machine loses to that person no more often than"
    " another such person does",
)
FIRST = Claim(
    'the first version: "it did not work"',
    "on the program",
    f"after {GAMES:,} games, X loses more than {UNDEFEATABLE:.0%} of its games to random play when it draws beads",
)
WORKED = Claim(
    'with two changes (shared boxes, a bonus for short games) "It worked perfectly this time", "by sampling moves '
    'from the list"',
    "on the program",
    f"after {GAMES:,} games, X loses at most {UNDEFEATABLE:.0%} of its games to random play when it draws beads",
)
BONUS = Claim(
    'it did not work because "There was no "reward" to winning the game in smallest number of moves"',
    "on the program",
    "with the same seed, greedy X is unbeatable with the bonus and beatable without the bonus",
)
BOXES = Claim(
    'matchboxes: "after some point they will become undefeatable" (preset `article`)',
    "on MENACE",
    f"after {GAMES:,} games with each teacher, it loses at most {UNDEFEATABLE:.0%} of its games to that teacher",
    "law",
)
MANY_BEADS = Claim(
    '"this number should be high (say 10 beads of each color)"',
    "Setting up everything",
    f"after {GAMES:,} games with each of {len(TEACHERS)} teachers, machines with ten beads lose less often than"
    f" machines with {FEW_BEADS}, by more than two standard errors, or both lose less than {UNDEFEATABLE:.0%}",
    "number",
)

# The output of `python tools/experiments/article/read_table.py PATH` for experience.dat, which has not changed since
# 2018.
TABLE_WINS, TABLE_BOARDS = 0.989583, 827


def lessons(bench: Bench, teacher: str, seed: int, after: tuple[int, ...] = LESSONS, **settings: object) -> list[float]:
    """Train X with the preset `article`, and return its share of losses to the teacher after each number of games."""
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
    """Judge all claims; for the claim HUMAN, `few` contains the machines' losses, and `level` is PERSON's loss."""
    safe, plain = (np.array([run.worst[-1] < UNBEATEN for run in runs[name]]) for name in (WITH, WITHOUT))
    lost = {teacher: rows[:, LESSONS.index(GAMES)] for teacher, rows in taught.items()}
    first, own = (np.array([each.lost for each in versions[name]]) for name in (FIRST_VERSION, OWN))
    return [
        HUMAN.counted(
            f"the machines lose {percent(few)} of their games; `{PERSON}` in their place loses {100 * level:.1f} %",
            few <= level,
        ),
        BOXES.counted(
            f"taught by random play, the machine loses {percent(lost['random'])} of its games",
            np.max(list(lost.values()), axis=0) <= UNDEFEATABLE,
        ),
        FIRST.counted(f"it loses {percent(first)} of its games to random play", first > UNDEFEATABLE),
        WORKED.counted(
            f"by the program's own rules, it loses {percent(own)} of its games to random play", own <= UNDEFEATABLE
        ),
        BONUS.counted(
            f"X is unbeatable only with the bonus in {(safe & ~plain).sum()} of {len(SEEDS)} runs, and only without the"
            f" bonus in {(plain & ~safe).sum()}, so the bonus has no visible effect",
            safe & ~plain,
        ),
        PROGRAM.counted(
            f"X is unbeatable in {seeds_where(safe)}; the trained X that comes with the program is also unbeatable",
            safe,
        ),
        of_many_beads(taught, few_beads),
    ]


def of_many_beads(many: dict[str, NDArray[np.float64]], few: dict[str, NDArray[np.float64]]) -> Finding:
    """Compare how often machines that start with ten or with two beads of each colour lose to their teachers."""
    mark, held, better = LESSONS.index(GAMES), [], []
    for name in many:
        ten, two = many[name][:, mark], few[name][:, mark]
        error = np.hypot(ten.std(ddof=1), two.std(ddof=1)) / np.sqrt(len(ten))
        held.append(bool(two.mean() - ten.mean() > 2 * error or max(ten.mean(), two.mean()) < UNDEFEATABLE))
        better += [f"`{name}`"] if ten.mean() - two.mean() > 2 * error else []
    return MANY_BEADS.judged(
        f"taught by random play, machines with ten beads lose {many['random'][:, mark].mean():.1%} of their games, and"
        f" machines with {FEW_BEADS} lose {few['random'][:, mark].mean():.1%}",
        all(held),
        f"with {' and '.join(better)} as teachers, fewer beads do better",
    )


def sample() -> list[str]:
    """Return the results for seed 1, which take a second to compute."""
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
    title = "The matchbox article: a program that teaches itself in 10,000 games"
    page = Page(folder, "article", title, machine=f"{BEADS} {BOX}")
    page.term("*`article`*: the preset with the settings of the post's matchboxes (claims 1, 2 and 7).")
    page.term(f"""*`article-code`*: the preset with the settings of the program, used for {len(SEEDS)} pairs of machines
        (claims 5 and 6). This preset simplifies the program in two ways: it treats equivalent cells as one move, and it
        breaks ties at random.""")
    page.term(f"""*The program's own rules*: the program without the two simplifications of `article-code`.
        {MACHINES} machines follow these rules (claims 3 and 4).""")
    page.term("*Draws beads*: a machine chooses each move with a probability proportional to its number of beads.")
    page.term("*Bonus*: the shorter a game is, the more beads the program adds or removes.")
    safe = sum(run.worst[-1] < UNBEATEN for run in runs[WITH])
    lost = [100 * float(np.mean([each.lost for each in versions[name]])) for name in (FIRST_VERSION, SHARED, OWN)]
    page.summary(
        """In a post of 2018, Rituraj Kaushik says that matchboxes soon play as well as people (claim 1) and become
        unbeatable (claim 2). Kaushik's program, which learns by self-play, failed at first (claim 3). The program
        worked once rotated and mirrored boards shared a box and short games earned a bonus (claims 4 to 6).""",
        f"""We trained {len(SEEDS)} pairs of machines with the settings of the program, and {MACHINES} machines with
        each version of the program. To test the matchboxes, we trained machines with ten or {FEW_BEADS} beads of each
        colour against random play and two stronger players. Claims 3 and 4 are about machines that draw beads, and
        claims 5 and 6 are about machines that play greedily.""",
        f"""Matchboxes do not soon play as well as people (claim 1: no), and {FEW_BEADS} beads of each colour are better
        than ten (claim 7: no). The last version of the program often works (claim 4), and {safe} of {len(SEEDS)} greedy
        machines are unbeatable (claim 6). Sharing boxes helped most: losses to random play fell from {lost[0]:.1f}% to
        {lost[1]:.1f}%.""",
    )
    introduce(page, safe, int(sum(each.worst < UNBEATEN for each in versions[OWN])))
    shown = [(run.outcomes, run.worst, run.wins) for run in runs[WITH]], [(r.worst, r.wins) for r in runs[WITHOUT]]
    page.figure(
        figure_of(*shown, PHASES, TABLE_WINS),
        "phases",
        """Results during training (top), X's exact share of wins against random play (middle), and the share of
        unbeatable X machines (bottom). Bands show ranges over the seeds.""",
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


def introduce(page: Page, safe: int, own: int) -> None:
    """Describe the source and our runs; `safe` and `own` are the numbers of unbeatable machines."""
    page.text(f"""We read Rituraj Kaushik's post "How to train matchboxes to play human level tic-tac-toe" (19 September
        2018, riturajkaushik.github.io). We also read the program to which the post links,
        github.com/riturajkaushik/self-learning-tic-tac-toe. The post describes a MENACE with ten beads of each colour.
        The program begins with two beads of each colour and plays the colour with the most beads. After a game, the
        colours that the winner played gain beads, and the colours that the loser played lose beads, but never their
        last bead. A draw changes nothing. The program plays {GAMES:,} games in four equal phases. In the first phase
        both sides move at random, in the second only X does, and in the third only O does. In the last phase, both
        sides explore with probability 0.3. Against people, the program plays X greedily.""")
    page.text(f"""Preset `article-code` follows the same four phases, and we used seeds {SEEDS[0]} to {SEEDS[-1]}. The
        share of unbeatable machines with this preset ({safe} of {len(SEEDS)}) does not differ significantly from the
        share with the program's own rules ({own} of {MACHINES}). We chose `{PERSON}` to represent a human player (claim
        1). We wrote down claim 7 before we knew its result.""")
    page.text(f"""The program comes with a trained table of {TABLE_BOARDS} boards. We measured this table with `python
        tools/experiments/article/read_table.py PATH`. The X player in this table is unbeatable and wins
        {TABLE_WINS:.2%} of its games against random play. The O player loses every game to the best response.""")


def teachers_section(
    page: Page, taught: dict[str, NDArray[np.float64]], unfolded: dict[str, NDArray[np.float64]]
) -> None:
    """Add a table of the games that the preset `article` loses to each teacher, with and without symmetry."""
    page.heading("Matchboxes with ten beads and with two")
    page.text(f"""The machines in the table use preset `article` and play X, with seeds {LEARNERS[0]} to {LEARNERS[-1]}.
        An empty box is refilled with its initial beads. The table shows the exact percentage of games that X loses to
        its teacher.""")
    header = ("teacher", *(f"{games:,} games" for games in LESSONS))
    rows, apart = (
        [(name, *(mean_cell(100 * losses[:, k]) for k in range(len(LESSONS)))) for name, losses in table.items()]
        for table in (taught, unfolded)
    )
    page.table(header, rows)
    page.keep_ranges("With a box for every board", header, apart, LEAST_TO_MOST)
