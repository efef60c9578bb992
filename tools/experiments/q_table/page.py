"""Write the page about the course notes, where X stores Q values in a dictionary and plays against a random O."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import (
    BLACK,
    BLUE,
    GREY,
    OUTCOME_COLOURS,
    STRENGTHS,
    UNBEATEN,
    Bench,
    band,
    in_thousands,
    mean_cell,
    new_figure,
    raw_numbers,
    seeds_where,
    spread,
    study,
)
from experiments.page import VALUES, Page
from experiments.value_boards import EMPTY, draw_board, unbeaten, values_on
from menace.arena.exact_strength import Strength
from menace.games.rules.mnk import MNK

GAMES, BINS = 50_000, 100
SEEDS = tuple(range(1, 1001))  # there are many seeds because the share of unbeatable learners is close to 1
OTHERS, DRAWN = SEEDS[:300], 100  # the seeds for the variants, and the number of seeds in the figure of the empty board
NOTED = "X.O.XOX.."  # the board for which the notes give values
# The boards whose values are printed at the end of the notes, except unreachable ones. The first two boards come
# from one game. If the board is then cleared, the others come from another game.
PRINTED = ("XO.......", "XO.OX....", "X...O....", "XOX.O....", "XOXOO..X.", "XOXOOXOX.")
CLOSE = 0.1  # "close to" means within this distance
FACTOR = 2  # "about" means within this factor
BELOW = f"below their board `{NOTED}`"
WIN = Claim('"the Q value for move to 3 should be 1"', BELOW, "computed from the rules, the value is 1", "number")
SKILL = Claim(
    '"the other moves might have Q values close to -1, depending on the skill of Player O"',
    BELOW,
    f"both misses (cells 1, 7) are within {CLOSE} of -1 if O takes every win, but not if it plays at random",
    "number",
)
MISS = Claim(
    '"we will be using a random player for O, so the Q value for a move other than 8 or 3 will be close to but not '
    'exactly -1"',
    BELOW,
    f"against random play, the values of cells 1 and 7 are within {CLOSE} of -1, but not equal to -1",
    "number",
)
SIZE = Claim(
    '"the Q table will contain about" 20,000 times 9 "values or about 200,000"',
    "on the size of the table",
    f"after {GAMES:,} games the average number of entries is within a factor of {FACTOR} of this number",
    "number",
)
ENTRIES = 200_000
# The notes discuss one board; if their claims are right, they also hold for similar boards.
WINS = Claim(
    "our reading: on all boards, every winning move of X is worth 1",
    BELOW,
    "in the end, all moves of this kind that were tried have the value 1",
    "law",
)
MISSES = Claim(
    "our reading: on all boards, a move that misses a win and lets O win at once is worth nearly -1",
    BELOW,
    f"in the end, most moves of this kind that were tried have values within {CLOSE} of -1",
    "law",
)
KINDS = {"centre": (4,), "corners": (0, 2, 6, 8), "edges": (1, 3, 5, 7)}
CELLS = "A board is written as its nine cells, row by row, with a dot for a free cell. Cells are numbered from 0 to 8."
# The same program in a later year's version, from a student's copy.
LATER: dict[str, Any] = {"alpha": 0.5, "epsilon_decay": 0.999, "ties": "random"}
LATER_GAMES = 10_000


@dataclass(frozen=True)
class Run:
    """One run: outcomes [bins, 3], epsilon [bins], values of moves, and exact strength at the end.

    Attributes:
        first: values of the moves on the empty board [9].
        winning: values of the moves that win at once and that X has tried.
        missed: values of the tried moves that miss such a win and let O win with its next move.
        printed: values on the boards PRINTED [boards, 9], NaN where there is a mark.
        entries: the number of moves in the dictionary, which are those that X has tried.
        random: strength against random play.
        best_response: strength against the best response.
    """

    outcomes: NDArray[np.int64]
    epsilon: NDArray[np.float64]
    first: NDArray[np.float64]
    winning: NDArray[np.float64]
    missed: NDArray[np.float64]
    printed: NDArray[np.float64]
    entries: int
    random: Strength
    best_response: Strength


def train(bench: Bench, seed: int, games: int = GAMES, bins: int = BINS, **settings: Any) -> Run:
    """Train one learner, and return its results."""
    x, numbers = bench.learner("q-table", "X", **settings), raw_numbers(seed, 0)
    outcomes, epsilon = [], []
    for _ in range(bins):
        outcomes.append(bench.play(x, "random", games // bins, numbers))
        epsilon.append(x.learned.epsilon)
    strengths = bench.against(x, "random"), bench.worst(x)
    tried = x.learned.count > 0
    values = (values_on(bench, x, EMPTY), *(x.learned.amount[which & tried] for which in wins_and_misses(bench)))
    printed = np.array([values_on(bench, x, board) for board in PRINTED])
    return Run(np.array(outcomes), np.array(epsilon), *values, printed, int(tried.sum()), *strengths)


def wins_and_misses(bench: Bench) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return a mask of X's winning moves, and a mask of the moves that miss a win and let O win immediately."""
    positions = bench.positions
    came_from, leads_to = positions.position_of_move, positions.next_position
    wins = positions.moved_by(0)[came_from] & (positions.outcome[leads_to] == 1)
    could_win, o_could_win = np.zeros((2, len(positions)), np.bool_)
    could_win[came_from[wins]] = True
    o_could_win[came_from[positions.outcome[leads_to] == -1]] = True
    return wins, could_win[came_from] & ~wins & o_could_win[leads_to]


@cache
def worth(board: str, cell: int, skill: int = 0) -> Fraction:
    """Return the value of X's move (wins minus losses) if X plays perfectly from then on.

    With probability `skill`, O wins if it can; otherwise, it plays at random. The function does not check the number of
    marks, so it also accepts boards that no game can reach.
    """
    after = board[:cell] + "X" + board[cell + 1 :]
    if has_line(after, "X"):
        return Fraction(1)
    free = [c for c, mark in enumerate(after) if mark == "."]
    replies = [after[:c] + "O" + after[c + 1 :] for c in free]
    won = [has_line(reply, "O") for reply in replies]
    values = [Fraction(-1) if wins else best(reply, skill) for wins, reply in zip(won, replies, strict=True)]
    at_random = sum(values, Fraction(0)) / max(len(values), 1)
    return at_random - skill * any(won) * (1 + at_random)


def best(board: str, skill: int = 0) -> Fraction:
    """Return the value of X's best move, or 0 if there is no move."""
    return max((worth(board, cell, skill) for cell, mark in enumerate(board) if mark == "."), default=Fraction(0))


def has_line(board: str, mark: str) -> bool:
    """Return whether a player has three marks in a row."""
    return any(all(board[cell] == mark for cell in line) for line in MNK().lines)


def findings(bench: Bench, runs: list[Run]) -> list[Finding]:
    """Compare the claims with the rules and with the values learned on similar boards."""
    wins, _ = wins_and_misses(bench)
    near = [float((run.missed <= CLOSE - 1).mean()) for run in runs]
    noted = {cell: worth(NOTED, cell) for cell, mark in enumerate(NOTED) if mark == "."}
    missing = {cell: value for cell, value in noted.items() if value != 1}
    against_skill = {cell: worth(NOTED, cell, 1) for cell in missing}
    farthest, nearest = max(against_skill.values()), min(missing.values())
    entries = fmean(run.entries for run in runs)
    return [
        WIN.judged(f"exactly {noted[3]}", noted[3] == 1),
        SKILL.judged(
            f"both are worth {farthest} against an O that takes every win, and {nearest} against random play",
            farthest <= CLOSE - 1 < nearest,
        ),
        MISS.judged(
            f"both are worth {nearest}",
            all(-1 < value <= CLOSE - 1 for value in missing.values()),
            "a random O misses its win in two of three games, and then X wins",
        ),
        SIZE.judged(
            f"{entries:,.0f} on average",
            ENTRIES / FACTOR <= entries <= ENTRIES * FACTOR,
            f"X has only {bench.positions.moved_by(0)[bench.positions.position_of_move].sum():,} moves on all boards",
        ),
        WINS.counted(
            f"on average, {fmean(len(run.winning) for run in runs):,.0f} of {wins.sum():,} such moves were tried",
            ((run.winning == 1).all() for run in runs),
        ),
        MISSES.counted(
            f"their mean value is {spread(run.missed.mean() for run in runs)}",
            (share > 1 / 2 for share in near),
        ),
    ]


def outcome_figure(runs: list[Run]) -> Figure:
    """Draw the three panels that appear in the notes: mean outcomes, results and epsilon, for each bin of games."""
    figure, axes = new_figure(3, 1, (12, 11), sharex=True)
    size = GAMES // BINS
    games = np.arange(1, BINS + 1) * size
    counts = np.array([run.outcomes for run in runs])
    band(axes[0, 0], games, (counts[..., 0] - counts[..., 2]) / size, BLUE, "mean outcome")
    for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
        band(axes[1, 0], games, counts[..., number], colour, label)
    axes[2, 0].plot(games, runs[0].epsilon, color=BLACK)
    axes[0, 0].set_ylabel("mean outcome\n(1: X wins, -1: O wins)")
    axes[1, 0].set_ylabel(f"games in a bin of {size}")
    axes[2, 0].set_ylabel("epsilon")
    axes[2, 0].set_xlabel("games played")
    axes[1, 0].legend(loc="center right")
    in_thousands(axes[2, 0])
    return figure


def opening_figure(runs: list[Run]) -> Figure:
    """Draw the value of each square as a dot for each seed, with the learner's choice and the exact value."""
    figure, axes = new_figure(1, 1, (12, 6))
    ax, values = axes[0, 0], np.array([run.first for run in runs])
    played = values.argmax(axis=1)
    squares = [cell for cells in KINDS.values() for cell in cells]
    places = np.linspace(-0.3, 0.3, len(runs))
    for column, cell in enumerate(squares):
        for chosen, colour, label in ((False, GREY, "not the highest"), (True, BLUE, "the learner's highest")):
            which = (played == cell) == chosen
            ax.plot(column + places[which], values[which, cell], ".", color=colour, label=None if column else label)
        exact = float(worth(EMPTY, cell))
        ax.hlines(exact, column - 0.4, column + 0.4, color=BLACK, label=None if column else "exact value")
    kinds = [kind.removesuffix("s") for kind, cells in KINDS.items() for _ in cells]
    ax.set_xticks(range(len(squares)), [f"{kind}\n{cell}" for kind, cell in zip(kinds, squares, strict=True)])
    ax.set_ylabel("Q after the last game")
    figure.legend(loc="outside upper left", ncols=3)
    return figure


def printed_figure(runs: list[Run]) -> Figure:
    """Draw the boards printed in the notes, with the learned and the exact value in each free cell."""
    figure, axes = new_figure(2, 3, (12, 8.8), gridspec_kw={"wspace": 0.08, "hspace": 0.08})
    learned = np.array([run.printed for run in runs]).mean(axis=0)
    for ax, board, values in zip(axes.flat, PRINTED, learned, strict=True):
        texts = [
            mark if mark != "." else f"{values[cell]:.2f}\n({float(worth(board, cell)):.2f})"
            for cell, mark in enumerate(board)
        ]
        draw_board(ax, values, texts, -1, 1)
        ax.set_facecolor("#eeeeee")
        ax.set_title(f"`{board}`")
    return figure


def strength_row(name: str, games: int = GAMES, seeds: int = len(OTHERS), **design: Any) -> tuple[str, ...]:
    """Return a row for one variant, with its exact strength against random, optimal and best-response opponents."""
    design = {"symmetry": "none", **design}
    with study(preset="q-table", games=games, marks=str(games), seeds=seeds, policies="greedy", **design) as played:
        wins, losses, to_optimal, worst = (played.array(measure)[..., -1].ravel() for measure in STRENGTHS)
    unbeaten = seeds_where(worst < UNBEATEN)
    measured = ((wins, 2), (losses, 2), (to_optimal, 1), (worst, 1))
    shares = (mean_cell(100 * share, digits) for share, digits in measured)
    return (name, *shares, unbeaten)


def sample() -> list[str]:
    """Return results for seed 1, which take a second to compute."""
    bench, lines = Bench("none"), []
    for order in ("end-first", "backward", "forward"):
        run = train(bench, SEEDS[0], bins=1, order=order)
        x, drawn, o = run.outcomes[0].tolist()
        lines.append(
            f"order={order}, seed {SEEDS[0]}: X won {x:,}, drew {drawn:,}, O won {o:,}; centre {run.first[4]:.4f}, "
            f"first corner {run.first[0]:.4f}; greedy wins against random {run.random.win:.4%}"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Run the experiment, and write the page."""
    bench = Bench("none")
    runs = [train(bench, seed) for seed in SEEDS]
    page = Page(
        folder,
        "q-table",
        "Course notes: a dictionary of Q values against a random opponent",
        machine=f"{VALUES} {CELLS}",
    )
    page.term(
        "*Q value*: the learned value of a move. A move that is sure to win is worth 1, and a move that is sure to"
        " lose is worth -1."
    )
    page.summary(
        f"""Charles Anderson's course notes explain Q-learning, which gives each move a value, on the board `{NOTED}`,
        where X moves although it has one mark too many. The notes say that a winning move is worth 1 (claim 1), and
        that a move that misses the win is worth nearly -1, "depending on the skill of Player O" (claims 2 and 3). The
        table of values should contain about 200,000 entries (claim 4).""",
        f"""We computed the values on this board from the rules of the game. We then trained {len(SEEDS):,} learners
        (preset `q-table`) as X for {GAMES:,} games each against a random O, as in the notes.""",
        f"""A winning move is worth 1, on this board and on others (claims 1 and 5: yes). A move that misses the win is
        worth {worth(NOTED, 1, 1)} if O takes every win (claim 2: yes), but +{worth(NOTED, 1)} against a random O (claim
        3: no). The table is much smaller than the notes say (claim 4: no), and
        {unbeaten(run.best_response for run in runs).partition(" ")[0]} of {len(SEEDS):,} learners become unbeatable as
        X, although they met only random play.""",
    )
    introduce(page)
    page.claims(findings(bench, runs))
    page.figure(
        outcome_figure(runs),
        "outcomes",
        f"""Results and epsilon in {BINS} bins of {GAMES // BINS} games. Lines show means over the seeds, and bands show
        ranges.""",
    )
    board_by_board(page, runs)
    openings(page, runs)
    strengths(page, runs)
    page.sample(sample())
    page.write()


def introduce(page: Page) -> None:
    """Describe the notes and our runs."""
    page.text("""The source is Charles Anderson, "Reinforcement Learning for Two-Player Games", CS 440, Colorado State
        University. X stores the values of its moves in a dictionary; all values begin at 0. X plays the move with the
        highest value or, with probability epsilon, a random move. Epsilon is multiplied by 0.9999 before each game. The
        value of a winning move becomes 1, and the value of a move that ends the game in a draw becomes 0. If O wins
        with its next move, the value of X's move moves 20 % of the way towards -1. Otherwise, the value moves 20 % of
        the way towards the value of X's next move.""")
    page.text(f"""The notes contain no outputs, so all figures and values are from our runs, with seeds {SEEDS[0]} to
        {SEEDS[-1]:,} and without symmetry.""")


def board_by_board(page: Page, runs: list[Run]) -> None:
    """Describe the values on the board discussed in the notes, and on the boards printed in the notes."""
    page.heading("Their board, and others")
    needed = (worth(NOTED, 1) + 1 - Fraction(str(CLOSE))) / (worth(NOTED, 1) - worth(NOTED, 1, 1))
    page.text(f"""On `{NOTED}`, X wins by taking cell 3 or 8. If X takes cell 1 or 7 instead, a random O takes cell 8
        and wins in one of three games. In the other games, X wins with its next move. The move to cell 1 or 7 is
        therefore worth 2/3 - 1/3 = +{worth(NOTED, 1)}. If O takes a win with probability s and otherwise plays at
        random, the value of this move is within {CLOSE} of -1 only if s is at least {float(needed):.1%}. In a real game
        it is never X's turn on this board, because X has three marks and O has two.""")
    page.figure(
        printed_figure(runs),
        "boards",
        f"""Learned values, with the exact values against random play in brackets, on the boards that the notes print at
        the end. Learned values are means over {len(runs):,} seeds; moves that are never tried keep the value 0.""",
    )
    page.text(f"""The notes list the values of the positions in two games, but do not clear the board between the games;
        our figure does clear it. A winning move has the value 1 as soon as it has been tried. The other values come
        mostly from early games, in which X explored, because few later games reach the boards in the figure. We added
        the claims about the size of the table and about the board `{NOTED}` after our first runs. We committed each
        claim to the repository before we knew its result.""")


def openings(page: Page, runs: list[Run]) -> None:
    """Add the values for the empty board."""
    page.heading("The values of the empty board")
    page.figure(
        opening_figure(runs[:DRAWN]),
        "empty-board",
        f"""Learned values of X's first moves, one dot for each of {DRAWN} learners. Only the opening that the learner
        prefers (blue) has an accurate value. The other values come from games in which nearly all moves were
        random.""",
    )
    values = np.array([run.first for run in runs])
    page.table(
        ("opening", "learned value (mean of its kind)", "exact value"),
        [
            (kind, spread(values[:, list(cells)].mean(axis=1)), f"{float(worth(EMPTY, cells[0])):.4f}")
            for kind, cells in KINDS.items()
        ],
    )
    centre = seeds_where(values.argmax(axis=1) == KINDS["centre"][0])
    page.text(
        f"""The centre has the highest learned value in {centre}, although a corner is best against random play."""
    )


def strengths(page: Page, runs: list[Run]) -> None:
    """Add the strength of several variants of the learner."""
    last = np.array([run.outcomes[-2:].sum(axis=0) for run in runs]) / (2 * GAMES // BINS)
    page.heading("Exact strength")
    page.text(f"""While learning, X wins {100 * np.mean([run.outcomes[0, 0] * BINS / GAMES for run in runs]):.0f} % of
        the first {GAMES // BINS} games and {100 * last[:, 0].mean():.0f} % of the last {2 * GAMES // BINS:,}. The table
        shows the exact strength of greedy X. The first row is for {len(SEEDS):,} seeds, and the other rows are for
        {len(OTHERS)}. `order` is the order in which the values of a game's moves are corrected. *The later year* is a
        student's copy of the program from a later year of the course, with {LATER_GAMES:,} games and other
        settings.""")
    rows = [
        strength_row("the notes (`order=end-first`)", seeds=len(SEEDS)),
        *(strength_row(f"`order={order}`", order=order) for order in ("backward", "forward")),
        strength_row("random choice among ties", ties="random"),
        strength_row("with symmetry", symmetry="full"),
        strength_row("the later year", LATER_GAMES, **LATER),
    ]
    header = ("in percent", "wins against random", "loses to random", "loses to optimal", "loses to best response",
              "unbeatable")  # fmt: skip
    page.table(header, rows)
