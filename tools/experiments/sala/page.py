"""Write the page about Marzio Sala's post, in which two Q-learners play a million games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import SEEDS, UNBEATEN, Bench, raw_numbers, seeds_where, spread
from experiments.page import LEAST_TO_MOST, VALUES, Page
from experiments.sala.figures import LABELS, greedy_figure, scaled, tables_figure, values_figure
from experiments.value_boards import EMPTY, values_on
from menace.games.symmetry import SymmetryUse

GAMES, STEP, RARER = 1_000_000, 1_000, 20  # the best response is computed at every 20th measurement
FIFTEEN = SEEDS[:15]
SYMMETRIES: tuple[SymmetryUse, ...] = ("none", "full")
CORNER = "X" + "." * 8
OPENINGS = {0: "corner", 1: "edge", 4: "centre"}
REPLIES = {4: "centre", 8: "opposite corner", 2: "other corner", 5: "far edge", 1: "edge beside it"}
SAMPLE = 50_000
LEAST_EPSILONS = (0.5, 0.1, 0.0)  # Sala's minimum epsilon, and two smaller ones
PAIRS = tuple(range(1, 61))  # the seeds used for each minimum epsilon
# the number of games at the end of training, and how many times the players are measured during these games
LAST, LAST_LOOKS = 100_000, 10

# Sala's two printed tables, each divided by its largest value, with NaN in X's cell.
X_PRINTED = np.array([0.97, 0.95, 0.88, 0.84, 1.00, 0.86, 0.91, 0.89, 0.89])
O_PRINTED = np.array([np.nan, 0.00, 0.70, -0.11, 1.00, 0.65, 0.24, 0.59, 0.02])
# The points in Sala's figure at which p1 wins, read to within 2 points. p2 wins once, before point 5, and all other
# games are draws.
P1_WINS = (80, 180, 192, 241, 277, 306, 311, 343, 377, 386, 427, 436, 487, 539, 559, 576, 629, 683, 836, 875, 957)

# The thresholds for the claims.
BEGINNING = 0.05  # "only at the beginning": within this share of the games
NOT_TOO_BAD = 0.8  # "all other choices aren't too bad": at least this share of the largest value
MOST = 0.5  # "most of the games": more than this share
# The next four claims are about the only run in the post.
BEGINS = Claim(
    '"`p2` wins only at the beginning, then it is either drawn or `p1`"',
    "below the training loop",
    f"greedy O never wins at any look after the first {BEGINNING:.0%} of the games",
)
DRAWN = Claim(
    '"We would expect most of the games to be drawn"',
    "below the training loop",
    f"more than {MOST:.0%} of the greedy games are draws",
)
OTHERS = Claim(
    'the corner is the best first move by theory, but "all other choices aren\'t too bad"',
    "at the first table",
    f"the smallest of the nine values is at least {NOT_TOO_BAD:g} times the largest",
)
CENTRE = Claim(
    '"`p2` should select the cell at the center, and it does"',
    "at the second table",
    "the centre has O's highest value",
)

ENSURES = Claim(
    '"We keep a quite large exploration rate of 0.5 to ensure that we don\'t get stuck into local minima"',
    "above the training loop",
    "the pair is not stuck",
    "law",
    "pairs",
)
NEEDED = Claim(
    "our reading: with a smaller exploration rate more pairs get stuck",
    "above the training loop",
    "more pairs are stuck than with 0.5, both with 0.1 and with 0",
    "number",
)


class History(NamedTuple):
    """The measurements for one seed.

    Attributes:
        openings: X's values of the moves on the empty board at every look [looks, 3].
        replies: O's values of its replies to a corner at every look [looks, 5].
        games: results of greedy X against greedy O at every look [looks, 3].
        worst: losses of greedy X and greedy O to their best responses at every RARER-th look [.., 2].
        tables: at the end, X's values of the empty board and O's values after X takes the first corner [2, 9].
    """

    openings: NDArray[np.float64]
    replies: NDArray[np.float64]
    games: NDArray[np.float64]
    worst: NDArray[np.float64]
    tables: NDArray[np.float64]


def watch(bench: Bench, seed: int, games: int = GAMES) -> History:
    """Train both sides, and measure them every thousand games."""
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


def beaten_at_the_end(bench: Bench, epsilon_least: float, seed: int, games: int = GAMES) -> NDArray[np.bool_]:
    """Train a pair, and return an array [checks, 2]: whether greedy X and O are beatable at each of the last checks."""
    x, o = (bench.learner("sala", side, epsilon_least=epsilon_least) for side in ("X", "O"))
    numbers, looks = raw_numbers(seed, 0), []
    bench.play(x, o, games - LAST, numbers)
    for _ in range(LAST_LOOKS):
        bench.play(x, o, LAST // LAST_LOOKS, numbers)
        looks.append([bench.worst(learner).loss > UNBEATEN for learner in (x, o)])
    return np.array(looks)


def findings_of_exploration(beaten: Mapping[float, NDArray[np.bool_]]) -> list[Finding]:
    """Check the claims about exploration; `beaten` maps each minimum epsilon to an array [pairs, looks, sides]."""
    stuck = {least: looks.all(axis=1).any(axis=1) for least, looks in beaten.items()}
    his, *smaller = LEAST_EPSILONS
    few = [f"{least:g}" for least in smaller if stuck[least].sum() <= stuck[his].sum()]
    return [
        ENSURES.counted(f"{stuck[his].sum()} of {len(PAIRS)} pairs are stuck", ~stuck[his]),
        NEEDED.judged(
            "stuck pairs: " + ", ".join(f"{flags.sum()} with {least:g}" for least, flags in stuck.items()),
            not few,
            f"with {' and '.join(few)} no more pairs are stuck",
        ),
    ]


def exploration_rows(beaten: Mapping[float, NDArray[np.bool_]]) -> list[tuple[str, ...]]:
    """Return the numbers of stuck and unbeatable players for each minimum epsilon."""
    rows = []
    for least, looks in beaten.items():
        stuck, safe = looks.all(axis=1).sum(axis=0), (~looks[:, -1]).sum(axis=0)
        rows.append((f"{least:g}", *(str(count) for count in (*stuck, *safe))))
    return rows


def column(runs: list[History], name: str) -> NDArray[np.float64]:
    """Return the measurement `name` for all seeds, as an array [seeds, ...]."""
    return np.array([getattr(run, name) for run in runs])


def findings(runs: Mapping[str, list[History]]) -> list[Finding]:
    """Compare the claims with the measurements without symmetry, as in the post."""
    seeds = runs["none"]
    games, tables = column(seeds, "games"), column(seeds, "tables")
    late = games[:, round(BEGINNING * GAMES / STEP) :]
    lost = late[..., 2].mean(axis=1)
    least = np.nanmin(scaled(tables[:, 0]), axis=1)
    centre = np.nanargmax(tables[:, 1], axis=1) == 4  # noqa: PLR2004 - the middle cell
    drawn = games[..., 1].mean(axis=1)
    return [
        BEGINS.counted(
            f"greedy O then wins {spread(100 * lost, 2)} % of its games",
            lost < UNBEATEN,
        ),
        DRAWN.counted(
            f"{spread(100 * drawn, 2)} % are draws (printed: {100 * (1 - (len(P1_WINS) + 1) * STEP / GAMES):.1f} %)",
            drawn > MOST,
        ),
        OTHERS.counted(
            f"the smallest value is {spread(least, 2)} times the largest (printed: {np.min(X_PRINTED):.2f})",
            least >= NOT_TOO_BAD,
        ),
        CENTRE.counted(f"the centre has O's highest value in {seeds_where(centre)}", centre),
    ]


def table_rows(runs: list[History]) -> list[tuple[str, ...]]:
    """Return a row for each cell, with Sala's values and ours on the same scale."""
    names = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
    tables = scaled(column(runs, "tables"))
    rows = []
    for cell, name in enumerate(names):
        x, o = tables[:, 0, cell], tables[:, 1, cell]
        of_o = ("X", "X") if np.isnan(O_PRINTED[cell]) else (f"{O_PRINTED[cell]:.2f}", spread(o, 2))
        rows.append((name, f"{X_PRINTED[cell]:.2f}", spread(x, 2), *of_o))
    return rows


def outside(runs: list[History]) -> str:
    """Return a sentence with the number of printed values that are outside the range of our values."""
    tables = scaled(column(runs, "tables"))
    low, high = tables.min(axis=0) - 0.005, tables.max(axis=0) + 0.005  # the values are printed with two digits
    printed = np.array([X_PRINTED, O_PRINTED])
    count = int(((printed < low) | (printed > high)).sum())
    return f"Only {count} of the {int((~np.isnan(printed)).sum())} printed values is outside the range of our values"


def strength_rows(runs: Mapping[str, list[History]]) -> list[tuple[str, ...]]:
    """Return the number of unbeatable players and the share of draws, with and without symmetry."""
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
    """Return results for the first games with seed 1, which take a second to compute."""
    lines = []
    for symmetry in SYMMETRIES:
        bench = Bench(symmetry)
        x, o = bench.learner("sala", "X"), bench.learner("sala", "O")
        won = bench.play(x, o, SAMPLE, raw_numbers(FIFTEEN[0], 0)).tolist()
        first, reply = values_on(bench, x, EMPTY), values_on(bench, o, CORNER)
        lines.append(
            f"{LABELS[symmetry]}, seed {FIFTEEN[0]}, {SAMPLE:,} games: X won {won[0]:,}, drew {won[1]:,}, O won "
            f"{won[2]:,}; X's corner {first[0]:.4f}, centre {first[4]:.4f}; O's centre {reply[4]:.4f}, edge "
            f"{reply[1]:.4f}"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Train and measure the players, and write the page."""
    runs = {symmetry: [watch(Bench(symmetry), seed) for seed in FIFTEEN] for symmetry in SYMMETRIES}
    page = Page(folder, "sala", "Marzio Sala: two tables of Q-learning play each other", machine=VALUES)
    page.term("*`p1`, `p2`*: the post's names for X and O.")
    page.term(f"*Look*: a measurement of the greedy players, made every {STEP:,} games.")
    page.term(
        f"*Stuck*: a pair is stuck if one of its machines is beatable at each of {LAST_LOOKS} looks during the last"
        f" {LAST:,} games."
    )
    beaten = {
        least: np.array([beaten_at_the_end(Bench("none"), least, seed) for seed in PAIRS]) for least in LEAST_EPSILONS
    }
    stuck = {least: looks.all(axis=1).any(axis=1).sum() for least, looks in beaten.items()}
    page.summary(
        """Marzio Sala's post of 2020 describes two Q-learning players that play each other, each with its own table of
        values. The post says that O soon stops winning, that most games are drawn (claims 1 and 2), and that certain
        moves have high values (claims 3 and 4). According to the post, exploring half of the time keeps both players
        from getting stuck (claim 5), so less exploration should be worse (claim 6).""",
        f"""We let {len(FIFTEEN)} pairs of machines with preset `sala` play {GAMES:,} games each, and measured them
        every {STEP:,} games. To vary the exploration, we let {len(PAIRS)} more pairs play with each of three minimum
        values of epsilon, the probability of a random move.""",
        f"""The only run in the post is typical: most of our runs show the same results (claims 1 to 4). Exploring half
        of the time keeps the players from getting stuck (claim 5: yes). Less exploration is not worse (claim 6: no):
        exploring a tenth of the time also keeps them from getting stuck. If epsilon falls to 0, {stuck[0.0]} of
        {len(PAIRS)} pairs get stuck, because the players then no longer try other moves.""",
    )
    page.text(f"""We read the post "Tic-Tac-Toe with Q-Learning" (1 March 2020, marziosala.github.io/tic-tac-toe), its
        program and its figure. Alpha is 0.1, and the rewards are 1, 0 and -1. Epsilon begins at 1, is multiplied by
        0.9999 after each game, and never falls below 0.5. At the end, the post prints X's values on the empty board,
        and O's values after X takes a corner. Every {STEP:,} games, Sala's program plays one greedy game; we computed
        the result of such a game exactly.""")
    learned = column(runs["none"], "tables")
    page.figure(
        tables_figure((X_PRINTED, O_PRINTED), (learned[:, 0], learned[:, 1])),
        "tables",
        f"""The printed tables (above) and ours (below). The values in each table are divided by the largest value. Our
        values are means ± standard deviations over {len(FIFTEEN)} seeds, without symmetry.""",
    )
    page.keep_ranges("His two tables", ("cell", "X: printed", "X: ours", "O: printed", "O: ours"),
                     table_rows(runs["none"]), LEAST_TO_MOST)  # fmt: skip
    figures(page, runs)
    page.claims([*findings(runs), *findings_of_exploration(beaten)])
    tables(page, runs, beaten)
    page.sample(sample())
    page.write()


def tables(page: Page, runs: Mapping[str, list[History]], beaten: Mapping[float, NDArray[np.bool_]]) -> None:
    """Add the tables about exploration and strength."""
    page.heading("How much exploration is needed")
    page.text(f"""Each row shows {len(PAIRS)} pairs without symmetry. We committed the claims before we had the
        results.""")
    header = ("epsilon at least", "X stuck", "O stuck", "X unbeatable at the end", "O unbeatable at the end")
    page.table(header, exploration_rows(beaten))
    page.heading("Values and strength")
    page.text(f"""{outside(runs["none"])}. The learned values are too high, because half of the opponent's moves are
        random. Equivalent cells get different values, because the tables learn them separately. Under perfect play, all
        openings are worth 0. In reply to a corner, the centre is worth 0, and all other moves lose.""")
    header = ("greedy player", "unbeatable at the end", "unbeatable in the second half", "draws there")
    page.table(header, strength_rows(runs))


def figures(page: Page, runs: Mapping[str, list[History]]) -> None:
    """Add the figures of greedy play and of the values during training."""
    games, worst = ({s: column(seeds, name) for s, seeds in runs.items()} for name in ("games", "worst"))
    page.figure(
        greedy_figure(games, worst, P1_WINS, STEP),
        "greedy",
        """Wins in greedy play (above) and the share of unbeatable players (below). Lines show means over the seeds for
        every fifty looks, and the band shows the range. Dots show X's wins in the post's only run.""",
    )
    for which, names, caption in (
        ("openings", OPENINGS, "X's values for its openings, with symmetry: means and ranges over the seeds."),
        ("replies", REPLIES, "O's values for its replies to a corner, with symmetry."),
    ):
        page.figure(
            values_figure(names, column(runs["full"], which), STEP),
            which,
            caption,
        )
