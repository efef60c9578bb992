"""M. Sala's post on Q-learning: a million games of Q-learner against Q-learner, looked at every thousand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import SEEDS, UNBEATEN, Bench, raw_numbers, seeds_where, spread
from experiments.page import Page
from experiments.sala.figures import LABELS, greedy_figure, scaled, tables_figure, values_figure
from experiments.value_boards import EMPTY, values_on
from menace.games.symmetry import SymmetryUse

GAMES, STEP, RARER = 1_000_000, 1_000, 20  # the worst case is computed at every 20th look
FIFTEEN = SEEDS[:15]
SYMMETRIES: tuple[SymmetryUse, ...] = ("none", "full")
CORNER = "X" + "." * 8
OPENINGS = {0: "corner", 1: "edge", 4: "centre"}
REPLIES = {4: "centre", 8: "opposite corner", 2: "other corner", 5: "far edge", 1: "edge beside it"}
SAMPLE = 50_000
LEAST_EPSILONS = (0.5, 0.1, 0.0)  # his, and two smaller ones
PAIRS = tuple(range(1, 61))  # seeds for each of them
LAST, LAST_LOOKS = 100_000, 10  # games at the end, and how often the players are looked at in them

# His two tables, divided by their greatest value, as printed; NaN where X is.
X_PRINTED = np.array([0.97, 0.95, 0.88, 0.84, 1.00, 0.86, 0.91, 0.89, 0.89])
O_PRINTED = np.array([np.nan, 0.00, 0.70, -0.11, 1.00, 0.65, 0.24, 0.59, 0.02])
# The looks at which p1 wins in his figure, read off to 2 looks; p2 wins once, before look 5; all others are drawn.
P1_WINS = (80, 180, 192, 241, 277, 306, 311, 343, 377, 386, 427, 436, 487, 539, 559, 576, 629, 683, 836, 875, 957)

# The thresholds.
BEGINNING = 0.05  # of the games: "only at the beginning"
NOT_TOO_BAD = 0.8  # of the greatest value: "all other choices aren't too bad"
MOST = 0.5  # "most of the games": more than this share
# All of it he tells of one run.
BEGINS = Claim(
    '"`p2` wins only at the beginning, then it is either drawn or `p1`"',
    "below the training loop, with its figure",
    f"after {BEGINNING:.0%} of the games greedy O wins at no look",
)
DRAWN = Claim(
    '"We would expect most of the games to be drawn"',
    "below the training loop, with its figure",
    f"more than {MOST:.0%} of the looks are drawn",
)
OTHERS = Claim(
    "of X's first moves the corner is the best by theory; \"all other choices aren't too bad\"",
    "at the first table",
    f"the least of the nine values is at least {NOT_TOO_BAD:g} of the greatest",
)
CENTRE = Claim(
    '"`p2` should select the cell at the center, and it does"',
    "at the second table",
    "the centre has O's greatest value",
)
# A greedy player is stuck if it can be beaten at every look at the last games.
STUCK = f"somebody can beat a greedy player of the pair at each of {LAST_LOOKS} looks at the last {LAST:,} games"
ENSURES = Claim(
    '"We keep a quite large exploration rate of 0.5 to ensure that we don\'t get stuck into local minima"',
    "above the training loop",
    f"no pair is stuck ({STUCK})",
    "law",
    "pairs",
)
NEEDED = Claim(
    "our reading: with a smaller exploration rate more pairs get stuck",
    "above the training loop",
    "both with epsilon not below 0.1 and with epsilon not below 0, more pairs are stuck than with 0.5",
    "number",
)


class History(NamedTuple):
    """The measurements of one seed.

    Attributes:
        openings: X's values of the empty board's moves at every look [looks, 3].
        replies: O's values of its replies to a corner [looks, 5].
        games: outcomes of greedy X against greedy O [looks, 3].
        worst: how often X and O lose in their worst case, greedy, at every RARER-th look [.., 2].
        tables: X's values of the empty board, and O's of the board with X in the first corner, at the end [2, 9].
    """

    openings: NDArray[np.float64]
    replies: NDArray[np.float64]
    games: NDArray[np.float64]
    worst: NDArray[np.float64]
    tables: NDArray[np.float64]


def watch(bench: Bench, seed: int, games: int = GAMES) -> History:
    """Train both sides, and look every thousand games."""
    x, o = bench.learner("sala", "X"), bench.learner("sala", "O")
    numbers, looks, worst = raw_numbers(seed, 0), [], []
    for look in range(1, games // STEP + 1):
        bench.play(x, o, STEP, numbers)
        openings, replies = bench.move_values(x, EMPTY), bench.move_values(o, bench.positions.canonical(CORNER))
        looks.append(([openings[a] for a in OPENINGS], [replies[a] for a in REPLIES], bench.outcomes(x, o)))
        if look % RARER == 0:
            worst.append([bench.worst(learner).loss for learner in (x, o)])
    columns = (np.array(column) for column in zip(*looks, strict=True))
    return History(*columns, np.array(worst), np.array([values_on(bench, x, EMPTY), values_on(bench, o, CORNER)]))


def stuck(bench: Bench, epsilon_least: float, seed: int, games: int = GAMES) -> tuple[bool, bool]:
    """Train a pair, and return whether X and O are stuck at the end, each for itself."""
    x, o = (bench.learner("sala", side, epsilon_least=epsilon_least) for side in ("X", "O"))
    numbers, free = raw_numbers(seed, 0), [False, False]
    bench.play(x, o, games - LAST, numbers)
    for _ in range(LAST_LOOKS):
        bench.play(x, o, LAST // LAST_LOOKS, numbers)
        free = [safe or bench.worst(learner).loss < UNBEATEN for safe, learner in zip(free, (x, o), strict=True)]
    return not free[0], not free[1]


def findings_of_exploration(pairs: Mapping[float, NDArray[np.bool_]]) -> list[Finding]:
    """Judge what he says of exploration by the pairs that got stuck, [pairs, X and O] for each least epsilon."""
    either = {least: flags.any(axis=1) for least, flags in pairs.items()}
    counts = {least: int(flags.sum()) for least, flags in either.items()}
    his, *smaller = LEAST_EPSILONS
    return [
        ENSURES.counted(f"stuck: X in {pairs[his][:, 0].sum()}, O in {pairs[his][:, 1].sum()} pairs", ~either[his]),
        NEEDED.judged(
            "stuck: " + ", ".join(f"{count} of {len(PAIRS)} with {least:g}" for least, count in counts.items()),
            all(counts[least] > counts[his] for least in smaller),
        ),
    ]


def column(runs: list[History], name: str) -> NDArray[np.float64]:
    """Return the measurements of all seeds [seeds, ...]."""
    return np.array([getattr(run, name) for run in runs])


def findings(runs: Mapping[str, list[History]]) -> list[Finding]:
    """Compare the claims with the measurements: every board for itself, as his."""
    seeds = runs["none"]
    games, tables = column(seeds, "games"), column(seeds, "tables")
    late = games[:, round(BEGINNING * GAMES / STEP) :]
    wins, lost = (late[..., side].mean(axis=1) for side in (0, 2))
    least = np.nanmin(scaled(tables[:, 0]), axis=1)
    centre = np.nanargmax(tables[:, 1], axis=1) == 4  # noqa: PLR2004 - the middle cell
    drawn = games[..., 1].mean(axis=1)
    opening = [OPENINGS_OF[int(cell)] for cell in np.nanargmax(tables[:, 0], axis=1)]
    kinds = ", ".join(f"the {name}'s in {opening.count(name)}" for name in dict.fromkeys(OPENINGS.values()))
    return [
        BEGINS.counted(
            f"after the first {BEGINNING:.0%} of the games greedy O wins in {spread(100 * lost, 2)} % of the looks, "
            f"X in {spread(100 * wins, 2)} %",
            lost < UNBEATEN,
        ),
        DRAWN.counted(
            f"drawn: {spread(100 * drawn, 2)} % of the looks; in his figure about "
            f"{100 * (1 - (len(P1_WINS) + 1) * STEP / GAMES):.1f} %",
            drawn > MOST,
        ),
        OTHERS.counted(
            f"the least of the nine values is {spread(least, 2)} of the greatest (printed: {np.min(X_PRINTED):.2f}); "
            f"the greatest is {kinds} of {len(seeds)} seeds",
            least >= NOT_TOO_BAD,
        ),
        CENTRE.counted(f"the centre has O's greatest value in {seeds_where(centre)}", centre),
    ]


OPENINGS_OF = {cell: "centre" if cell == 4 else "edge" if cell % 2 else "corner" for cell in range(9)}  # noqa: PLR2004


def table_rows(runs: list[History]) -> list[tuple[str, ...]]:
    """Return his two tables beside ours, cell by cell; ours are scaled as his."""
    names = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
    tables = scaled(column(runs, "tables"))
    rows = []
    for cell, name in enumerate(names):
        x, o = tables[:, 0, cell], tables[:, 1, cell]
        of_o = ("X", "X") if np.isnan(O_PRINTED[cell]) else (f"{O_PRINTED[cell]:.2f}", spread(o, 2))
        rows.append((name, f"{X_PRINTED[cell]:.2f}", spread(x, 2), *of_o))
    return rows


def outside(runs: list[History]) -> str:
    """Say how many of the printed values lie outside of ours."""
    tables = scaled(column(runs, "tables"))
    low, high = tables.min(axis=0) - 0.005, tables.max(axis=0) + 0.005  # printed with two digits
    printed = np.array([X_PRINTED, O_PRINTED])
    count = int(((printed < low) | (printed > high)).sum())
    return f"Outside the range of ours: {count} of the {int((~np.isnan(printed)).sum())} printed values"


def strength_rows(runs: Mapping[str, list[History]]) -> list[tuple[str, ...]]:
    """Return how many cannot be beaten, and how greedy play ends, with and without symmetry."""
    rows = []
    for symmetry, seeds in runs.items():
        games, worst = column(seeds, "games"), column(seeds, "worst") < UNBEATEN
        half = worst[:, worst.shape[1] // 2 :]
        drawn = games[:, GAMES // STEP // 2 :, 1].mean()
        for side, name in enumerate("XO"):
            rows.append((f"{name}, {LABELS[symmetry]}", seeds_where(worst[:, -1, side]),
                         f"{100 * half[..., side].mean():.1f} %", f"{100 * drawn:.1f} %"))  # fmt: skip
    return rows


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: seed 1, the first games."""
    lines = []
    for symmetry in SYMMETRIES:
        bench = Bench(symmetry)
        x, o = bench.learner("sala", "X"), bench.learner("sala", "O")
        won = bench.play(x, o, SAMPLE, raw_numbers(FIFTEEN[0], 0)).tolist()
        first, reply = values_on(bench, x, EMPTY), values_on(bench, o, CORNER)
        lines.append(
            f"{LABELS[symmetry]}, seed {FIFTEEN[0]}, {SAMPLE:,} games: X won {won[0]:,}, {won[1]:,} drawn, O won "
            f"{won[2]:,}; X's corner {first[0]:.4f}, centre {first[4]:.4f}; O's centre {reply[4]:.4f}, edge "
            f"{reply[1]:.4f}"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Train, look, and write the page."""
    runs = {symmetry: [watch(Bench(symmetry), seed) for seed in FIFTEEN] for symmetry in SYMMETRIES}
    page = Page(folder, "sala", "M. Sala: two tables of Q-learning play each other")
    unbeaten = (column(runs["none"], "worst")[:, -1] < UNBEATEN).sum(axis=0)
    page.summary(
        "In a post, that two tables of Q-learning soon draw most games, and which moves come to be worth most.",
        f"{len(FIFTEEN)} pairs of preset `sala`, {GAMES:,} games each, looked at every {STEP:,} games.",
        f"""What he tells of one run is ordinary. In the end nobody can beat X in {unbeaten[0]} of {len(FIFTEEN)} runs,
        and O in {unbeaten[1]}; all values stay too high, since each side learns from an opponent that moves at random
        half the time.""",
    )
    page.text("""Read: M. Sala's post "Tic-Tac-Toe with Q-Learning" (1 March 2020, marziosala.github.io/tic-tac-toe; in
        the repository marziosala/marziosala.github.io with its program, its printed tables and its figure). Two tables
        of move values play each other: alpha 0.1; epsilon from 1, times 0.9999 a game, not below 0.5; rewards 1, 0 and
        -1; the target of a move is the best value at the learner's own next turn; ties at random. After a million games
        he prints the table of the first move, and O's after X in the first corner; on the way, every thousand games,
        the two play one game without exploring.""")
    page.text(f"""Here: preset `sala` for X and O, every board for itself, as his, and with symmetry; seeds
        {FIFTEEN[0]} to {FIFTEEN[-1]}. After every {STEP:,} games greedy X against greedy O is computed, not played; at
        every {RARER}th of these looks each against the opponent made for it. (His looks are a game after ours: at
        games 1, 1,001, ...)""")
    tables = column(runs["none"], "tables")
    page.figure(
        tables_figure((X_PRINTED, O_PRINTED), (tables[:, 0], tables[:, 1])),
        "tables",
        f"""Above what he prints, below ours, every board for itself: mean ± standard deviation of {len(FIFTEEN)} seeds.
        All are divided by their greatest value, as his are; X is in the first corner on the right.""",
    )
    page.heading("His two tables")
    page.table(("cell", "X: printed", "X: ours", "O: printed", "O: ours"), table_rows(runs["none"]))
    page.text(f"""{outside(runs["none"])}. Equivalent cells differ in his table as in ours: each is learned for itself,
        with a step of 0.1 that never settles. The centre has the greatest of his nine first values, but he does not say
        that it is best.""")
    figures(page, runs)
    pairs = {least: np.array([stuck(Bench("none"), least, seed) for seed in PAIRS]) for least in LEAST_EPSILONS}
    page.claims([*findings(runs), *findings_of_exploration(pairs)])
    page.heading("How good they are, exactly")
    page.text("""Values are high for both sides because each learns what its moves are worth against an opponent that
        moves at random half the time, which is not what they are worth against a good one: under perfect play all
        openings, and the centre in answer to a corner, are worth 0, and the other answers lose.""")
    page.table(
        (
            "greedy learner",
            "nobody can beat it at the end",
            "... at the looks of the second half",
            "drawn, second half",
        ),
        strength_rows(runs),
    )
    page.sample(sample())
    page.write()


def figures(page: Page, runs: Mapping[str, list[History]]) -> None:
    """Draw greedy play, and the values as they are learned."""
    games, worst = ({s: column(seeds, name) for s, seeds in runs.items()} for name in ("games", "worst"))
    page.figure(
        greedy_figure(games, worst, P1_WINS, STEP),
        "greedy",
        """Above: how often greedy X beats greedy O, by fifty looks: the mean of the seeds, and the range of what is
        done as his; dots: the wins of p1 in his figure, one run. Below: how many nobody can beat. Alpha stays at 0.1
        and epsilon at 0.5, so the values never settle: now and then a greedy move is a wrong one.""",
    )
    for which, names, caption in (
        ("openings", OPENINGS, "X's values of its openings, with symmetry."),
        ("replies", REPLIES, "O's values of its replies to a corner, with symmetry; far edges do not touch it."),
    ):
        page.figure(
            values_figure(names, column(runs["full"], which), STEP),
            which,
            f"{caption} The mean of all seeds and the range; grey: the means of the other moves.",
        )
