"""The course notes with a dictionary of Q values: X learns for 50,000 games against a random O."""

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
    new_figure,
    percent,
    raw_numbers,
    seeds_where,
    spread,
    study,
)
from experiments.page import Page
from experiments.value_boards import EMPTY, draw_board, unbeaten, values_on
from menace.arena.exact_strength import Strength
from menace.games.rules.mnk import MNK

GAMES, BINS = 50_000, 100
SEEDS = tuple(range(1, 1001))  # cheap, and how many cannot be beaten is a share near 1
OTHERS, DRAWN = SEEDS[:300], 100  # of the learners that differ; how many seeds the figure of the empty board shows
NOTED = "X.O.XOX.."  # the board of which the notes say what its moves should be worth
# The boards whose values the notes print at the end, as far as they come up in games: the first two follow one game,
# the others another, if the board is cleared before it.
PRINTED = ("XO.......", "XO.OX....", "X...O....", "XOX.O....", "XOXOO..X.", "XOXOOXOX.")
CLOSE = 0.1  # as near as this is "close to"
FACTOR = 2  # "about": not so many times more or less
BELOW = f"below their board `{NOTED}`"
WIN = Claim(
    '"the Q value for move to 3 should be 1"', BELOW, "computed from the rules, against random play, it is 1", "number"
)
SKILL = Claim(
    '"the other moves might have Q values close to -1, depending on the skill of Player O"',
    BELOW,
    f"computed from the rules, 1 and 7 are within {CLOSE} of -1 against an O that takes every win, and not against "
    "random play",
    "number",
)
MISS = Claim(
    '"we will be using a random player for O, so the Q value for a move other than 8 or 3 will be close to but not '
    'exactly -1"',
    BELOW,
    f"computed from the rules, with X playing on perfectly, 1 and 7 are within {CLOSE} of -1, but not -1",
    "number",
)
SIZE = Claim(
    '"the Q table will contain about" 20,000 times 9 "values or about 200,000"',
    "on the size of the table",
    f"after {GAMES:,} games a dictionary has them to within a factor of {FACTOR}, on average",
    "number",
)
ENTRIES = 200_000
# What the notes say of one board should then be learned on others, too: a law.
WINS = Claim(
    "our reading: then every move that wins for X is worth 1, on boards that come up",
    BELOW,
    "after the last game the values of all that were tried are 1",
    "law",
)
MISSES = Claim(
    "our reading: then every move with which X misses a win, and lets O win in one move, is worth nearly -1",
    BELOW,
    f"most of those that were tried are within {CLOSE} of -1",
    "law",
)
KINDS = {"centre": (4,), "corners": (0, 2, 6, 8), "edges": (1, 3, 5, 7)}
# The same program in another year, as a student's copy of it has it.
LATER: dict[str, Any] = {"alpha": 0.5, "epsilon_decay": 0.999, "ties": "random"}
LATER_GAMES = 10_000


@dataclass(frozen=True)
class Run:
    """One run: outcomes [bins, 3], epsilon [bins], Q of moves, and exact strength when it is over.

    Attributes:
        first: Q of the empty board [9].
        winning: Q of the moves that win at once, as far as X has tried them.
        missed: the same of those that do not, where one would, and that let O win with its next move.
        printed: Q of the boards PRINTED [boards, 9], NaN where there is a mark.
        entries: how many moves have been tried, so that they are in the dictionary.
    """

    outcomes: NDArray[np.int64]
    epsilon: NDArray[np.float64]
    first: NDArray[np.float64]
    winning: NDArray[np.float64]
    missed: NDArray[np.float64]
    printed: NDArray[np.float64]
    entries: int
    random: Strength
    worst: Strength


def train(bench: Bench, seed: int, games: int = GAMES, bins: int = BINS, **settings: Any) -> Run:
    """Let one learner learn."""
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
    """Say which moves win for X, and which do not, where one would, and let O win with its next move."""
    positions = bench.positions
    came_from, leads_to = positions.position_of_move, positions.next_position
    wins = positions.moved_by(0)[came_from] & (positions.outcome[leads_to] == 1)
    could_win, o_could_win = np.zeros((2, len(positions)), np.bool_)
    could_win[came_from[wins]] = True
    o_could_win[came_from[positions.outcome[leads_to] == -1]] = True
    return wins, could_win[came_from] & ~wins & o_could_win[leads_to]


@cache
def worth(board: str, cell: int, skill: int = 0) -> Fraction:
    """Return the value of X's move if X then plays perfectly: wins less losses.

    O takes a win if it can with probability `skill`, and otherwise plays at random. The function counts no marks, so it
    also accepts boards that no game reaches.
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
    """Say whether a mark has three in a row."""
    return any(all(board[cell] == mark for cell in line) for line in MNK().lines)


def findings(bench: Bench, runs: list[Run]) -> list[Finding]:
    """Set what the notes say of one board beside what follows from the rules, and what is learned on boards like it."""
    wins, misses = wins_and_misses(bench)
    near = [float((run.missed <= CLOSE - 1).mean()) for run in runs]
    noted = {cell: worth(NOTED, cell) for cell, mark in enumerate(NOTED) if mark == "."}
    missing = {cell: value for cell, value in noted.items() if value != 1}
    against_skill = {cell: worth(NOTED, cell, 1) for cell in missing}
    farthest, nearest = max(against_skill.values()), min(missing.values())
    entries = fmean(run.entries for run in runs)
    return [
        WIN.judged(f"exactly {noted[3]}", noted[3] == 1),
        SKILL.judged(
            "exactly " + "; ".join(f"{against_skill[cell]} and {missing[cell]} for {cell}" for cell in missing),
            farthest <= CLOSE - 1 < nearest,
        ),
        MISS.judged(
            "exactly " + ", ".join(f"{value} for {cell}" for cell, value in missing.items()),
            all(-1 < value <= CLOSE - 1 for value in missing.values()),
            "O at random overlooks its chance in two games of three, and then X wins",
        ),
        SIZE.judged(
            f"{entries:,.0f} on average, of {bench.positions.moved_by(0)[bench.positions.position_of_move].sum():,} "
            "moves that X can come to have",
            ENTRIES / FACTOR <= entries <= ENTRIES * FACTOR,
            "most boards of nine such cells cannot come up, or not with X to move",
        ),
        WINS.counted(
            f"of {wins.sum():,} such moves {fmean(len(run.winning) for run in runs):,.0f} were tried, on average",
            ((run.winning == 1).all() for run in runs),
        ),
        MISSES.counted(
            f"of {misses.sum():,} such moves {fmean(len(run.missed) for run in runs):,.0f} were tried, on average; of "
            f"these so near {percent(near)}, their mean {spread(run.missed.mean() for run in runs)}",
            (share > 1 / 2 for share in near),
        ),
    ]


def outcome_figure(runs: list[Run]) -> Figure:
    """Draw the notes' three panels: the mean outcome of a bin, what its games came to, and epsilon."""
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
    """Draw each square's value, a dot a seed, whether it is the one that is played, and what it is worth."""
    figure, axes = new_figure(1, 1, (12, 6))
    ax, values = axes[0, 0], np.array([run.first for run in runs])
    played = values.argmax(axis=1)
    squares = [cell for cells in KINDS.values() for cell in cells]
    places = np.linspace(-0.3, 0.3, len(runs))
    for column, cell in enumerate(squares):
        for chosen, colour, label in ((False, GREY, "not the highest"), (True, BLUE, "the highest of its learner")):
            which = (played == cell) == chosen
            ax.plot(column + places[which], values[which, cell], ".", color=colour, label=None if column else label)
        exact = float(worth(EMPTY, cell))
        ax.hlines(exact, column - 0.4, column + 0.4, color=BLACK, label=None if column else "what it is worth, exactly")
    kinds = [kind.removesuffix("s") for kind, cells in KINDS.items() for _ in cells]
    ax.set_xticks(range(len(squares)), [f"{kind}\n{cell}" for kind, cell in zip(kinds, squares, strict=True)])
    ax.set_ylabel("Q after the last game")
    figure.legend(loc="outside upper left", ncols=3)
    return figure


def printed_figure(runs: list[Run]) -> Figure:
    """Draw the boards whose values the notes print: in each free cell what is learned, and what is exact."""
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
    """Return exact strength: against random, losses to optimal and in the worst case, of the study of a learner."""
    design = {"symmetry": "none", **design}
    with study(preset="q-table", games=games, marks=str(games), seeds=seeds, policies="greedy", **design) as played:
        wins, losses, to_optimal, worst = (played.array(measure)[..., -1].ravel() for measure in STRENGTHS)
    unbeaten = seeds_where(worst < UNBEATEN)
    return (name, percent(wins, 2), percent(losses, 2), percent(to_optimal), percent(worst), unbeaten)


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: seed 1."""
    bench, lines = Bench("none"), []
    for order in ("end-first", "backward", "forward"):
        run = train(bench, SEEDS[0], bins=1, order=order)
        x, drawn, o = run.outcomes[0].tolist()
        lines.append(
            f"order={order}, seed {SEEDS[0]}: X won {x:,}, {drawn:,} drawn, O won {o:,}; Q of the centre "
            f"{run.first[4]:.4f}, of the first corner {run.first[0]:.4f}; greedy it wins {run.random.win:.4%} against "
            f"random"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Run it, and write the page."""
    bench = Bench("none")
    runs = [train(bench, seed) for seed in SEEDS]
    page = Page(folder, "q-table", "Course notes: a dictionary of Q values against a random opponent")
    page.summary(
        f"""In course notes, before anything is learned: on their board `{NOTED}` a winning move should be worth 1, and
        one that misses the win nearly -1.""",
        f"""Their board, exactly, from the rules; then {len(SEEDS):,} learners of preset `q-table`, as in the notes: X
        plays {GAMES:,} games against an O at random.""",
        f"""On that board missing the win is worth exactly +{worth(NOTED, 1)} against random play, and the board cannot
        come up with X to move: X has three marks there, O two. A learner learns what moves are worth against *its*
        opponent. It then wins {percent((run.random.win for run in runs), 2)} of its games against random play, where
        {bench.ideal("random").win:.2%} is the most, and nobody can beat {unbeaten(run.worst for run in runs)}.""",
    )
    introduce(page)
    page.claims(findings(bench, runs))
    page.figure(
        outcome_figure(runs),
        "outcomes",
        f"""{BINS} bins of {GAMES // BINS} games: the mean outcome, how the games ended, and epsilon; lines are the mean
        of all seeds, bands the range from the least to the most.""",
    )
    page.heading("Games won")
    last = np.array([run.outcomes[-2:].sum(axis=0) for run in runs]) / (2 * GAMES // BINS)
    page.text(f"""Won: {percent(run.outcomes[0, 0] * BINS / GAMES for run in runs)} of the first bin,
        {percent(last[:, 0])} of the last {2 * GAMES // BINS:,} games. Playing greedily it then wins
        {percent((run.random.win for run in runs), 2)} of its games against random play, exactly;
        {bench.ideal("random").win:.2%} is the most that is possible.""")
    board_by_board(page, runs)
    openings(page, runs)
    strengths(page, runs)
    page.sample(sample())
    page.write()


def strengths(page: Page, runs: list[Run]) -> None:
    """Write how good learners are that differ in one thing."""
    page.heading("How good it is, exactly")
    page.text(f"""The trained learner, playing greedily: computed, not sampled. The worst case is the opponent made for
        it. It never met a good player. The first row is of {len(SEEDS):,} seeds, the others of {len(OTHERS)}. (Of
        the first {DRAWN} alone it is {unbeaten(run.worst for run in runs[:DRAWN])}: a hundred say little of a share so
        near to 1.)""")
    rows = [
        strength_row("preset `q-table`, the notes' order (`order=end-first`)", seeds=len(SEEDS)),
        *(strength_row(f"`order={order}`", order=order) for order in ("backward", "forward")),
        strength_row("the notes' order, ties at random", ties="random"),
        strength_row("the notes' order, with symmetry", symmetry="full"),
        strength_row(
            f"the later year: {LATER_GAMES:,} games, rho 0.5, epsilon times 0.999, ties at random", LATER_GAMES, **LATER
        ),
    ]
    header = ("learner", "wins against random", "loses to random", "loses to optimal", "loses in its worst case",
              "unbeaten")  # fmt: skip
    page.table(header, rows)


def board_by_board(page: Page, runs: list[Run]) -> None:
    """Write what the board is worth of which the notes speak, and the values along the games that they print."""
    page.heading("Their board, and others")
    page.text(f"""On their board `{NOTED}` they take X to be the one who moves. It has three marks there and O two, so
        that where X begins it is O's turn, and their program never asks for these values. If X could move there, it
        would win with 3 or with 8. After 1 or 7 O at random takes 8, and wins, in one game of three; else X wins with
        its next move. So the move is worth 2/3 - 1/3 = +{worth(NOTED, 1)}. It is worth -1 only against an O
        that sees its chance, and no such O is met here: a value is of a move *and* of an opponent. The claims on that
        board, and on the size of the table, were added after first runs of the rest.""")
    page.figure(
        printed_figure(runs),
        "boards",
        f"""The boards whose values the notes print at the end, along two games (`.` is free; the cells are numbered 0
        to 8). In each free cell what X has learned for a move there, the mean of {len(runs):,} seeds, and in brackets
        what it is worth exactly, against random play. Moves that are never tried stay at 0.""",
    )
    page.text("""The notes change one board from print to print, and, as they stand, do not clear it after the second.
        Then O has more marks than X on two of the boards, and all their values are 0, since nothing can be learned
        there; the figure has the board cleared. A move that wins is at 1 as soon as it has been tried. The others are
        behind: they are moved by the games of an X that at first explores all the time, and most boards seldom come up
        once it has settled on an opening.""")


def introduce(page: Page) -> None:
    """Write what the notes do, and how it is done again."""
    page.text("""The notes (C. Anderson, CS 440, Colorado State University, "Reinforcement Learning for Two-Player
        Games") keep the values of X's moves in a dictionary, 0 at first, and let X play 50,000 games against an O at
        random. X takes the move of highest value (the first of equals), or with probability epsilon any move;
        epsilon is multiplied by 0.9999 before each game. A winning move's value is set to 1 and a drawing one's to 0,
        after O's win it moves by rho = 0.2 towards -1, and the move before moves by rho towards this one's.""")
    page.text("""Each turn, what the move itself has ended is learned first, then the move before moves towards this
        one's value. So a game's end reaches its last two moves at once, and the others see what the next one was worth
        before: `order=end-first`. Of a later year there is a copy of the program in a student's public files, with
        10,000 games, rho = 0.5, 0.999, and ties at random; it is run as well. The notes stand without their outputs:
        their figure is drawn from our runs, and so are the values that they print after it.""")
    page.text(f"""Here: preset `q-table`, every board a position of its own (no symmetry), as theirs; seeds
        {SEEDS[0]} to {SEEDS[-1]:,}. Intervals are mean ± standard deviation over the seeds.""")


def openings(page: Page, runs: list[Run]) -> None:
    """Write the values of the empty board."""
    page.heading("The values of the empty board")
    page.figure(
        opening_figure(runs[:DRAWN]),
        "empty-board",
        f"""Q of X's nine first moves after the last game: a dot is a learner, of seeds {SEEDS[0]} to {DRAWN}. Only the
        opening that it plays (blue) is known well; the others keep values of days when nearly all moves were
        random.""",
    )
    values = np.array([run.first for run in runs])
    page.table(
        ("opening", "Q (mean of the kind)", "exactly: the most X can win less lose"),
        [
            (kind, spread(values[:, list(cells)].mean(axis=1)), f"{float(worth(EMPTY, cells[0])):.4f}")
            for kind, cells in KINDS.items()
        ],
    )
    centre = seeds_where(values.argmax(axis=1) == KINDS["centre"][0])
    page.text(f"""Q is highest for the centre in {centre}, though against random play a corner is best: the opening that
        is ahead is played, and the others keep the values of days when all was tried.""")
