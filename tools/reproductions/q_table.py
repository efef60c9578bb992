"""The course notes with a dictionary of Q values: X learns for 50,000 games against a random O."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.arena.best_response import best_response
from menace.arena.exact_strength import Strength, against, outcomes
from menace.learners.policy import Policy
from reproductions.claims import Claim, Finding
from reproductions.common import (
    BLACK,
    BLUE,
    OUTCOME_COLOURS,
    UNBEATEN,
    Bench,
    band,
    in_thousands,
    new_figure,
    percent,
    raw_numbers,
    seeds_where,
    spread,
)
from reproductions.page import Page
from reproductions.value_boards import EMPTY, draw_board, spread_texts, unbeaten, values_on

GAMES, BINS = 50_000, 100
SEEDS = tuple(range(1, 101))  # cheap, and the claim is about the share of seeds
NOTED = "X.O.XOX.."  # the board of which the notes say what its moves should be worth
CLOSE = 0.1  # as near as this is "close to"
BELOW = f"below their board `{NOTED}`"
# They say what the values should come to be, so that each is a law.
WINS = Claim(
    '"the Q value for move to 3 should be 1" (asked of all moves with which X wins)',
    BELOW,
    "after the last game all that were tried are 1",
    "law",
)
MISSES = Claim(
    '"the Q value for a move other than 8 or 3 will be close to but not exactly -1" (asked of all moves with which X '
    "misses a win, and lets O win in one move)",
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
    """

    outcomes: NDArray[np.int64]
    epsilon: NDArray[np.float64]
    first: NDArray[np.float64]
    winning: NDArray[np.float64]
    missed: NDArray[np.float64]
    random: Strength
    optimal: Strength
    worst: Strength


def train(bench: Bench, seed: int, games: int = GAMES, bins: int = BINS, **settings: Any) -> Run:
    """Let one learner learn."""
    x, numbers = bench.learner("q-table", "X", **settings), raw_numbers(seed, 0)
    outcomes, epsilon = [], []
    for _ in range(bins):
        outcomes.append(bench.play(x, "random", games // bins, numbers))
        epsilon.append(x.learned.epsilon)
    strengths = bench.against(x, "random"), bench.against(x, "optimal"), bench.worst(x)
    tried = x.learned.count > 0
    values = (values_on(bench, x, EMPTY), *(x.learned.amount[which & tried] for which in wins_and_misses(bench)))
    return Run(np.array(outcomes), np.array(epsilon), *values, *strengths)


def wins_and_misses(bench: Bench) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which moves win for X, and which do not, where one would, and let O win with its next move."""
    positions = bench.positions
    came_from, leads_to = positions.position_of_move, positions.next_position
    wins = positions.moved_by(0)[came_from] & (positions.outcome[leads_to] == 1)
    could_win, o_could_win = np.zeros((2, len(positions)), np.bool_)
    could_win[came_from[wins]] = True
    o_could_win[came_from[positions.outcome[leads_to] == -1]] = True
    return wins, could_win[came_from] & ~wins & o_could_win[leads_to]


def exact_values(bench: Bench) -> NDArray[np.float64]:
    """Return [moves], what each of X is worth against random play, if X then plays as well as it can."""
    opponent = bench.policy("random", 1)
    reply = best_response(opponent)
    shares = np.array([outcomes(reply, opponent, position) for position in range(len(opponent.positions))])
    return (shares[:, 0] - shares[:, 2])[bench.positions.next_position]


def best_after(bench: Bench, cell: int) -> Strength:
    """Return the most that X can achieve against random when it opens with a cell."""
    opponent = bench.policy("random", 1)
    weight = best_response(opponent).parts[0][1].copy()
    moves = bench.positions.moves_of(0)
    weight[moves] = bench.positions.action[moves] == cell
    x = Policy.of_weights(bench.positions, 0, weight)
    return against(x, opponent)


def findings(bench: Bench, runs: list[Run]) -> list[Finding]:
    """Set what the notes say of one board beside what is learned on boards like it."""
    wins, misses = wins_and_misses(bench)
    exact = exact_values(bench)[misses]
    near = [float((run.missed <= CLOSE - 1).mean()) for run in runs]
    return [
        WINS.counted(
            f"of {wins.sum():,} such moves {np.mean([len(run.winning) for run in runs]):,.0f} were tried, on average",
            ((run.winning == 1).all() for run in runs),
        ),
        MISSES.counted(
            f"of {misses.sum():,} such moves {np.mean([len(run.missed) for run in runs]):,.0f} were tried, on average; "
            f"of these so near {percent(near)}, their mean {spread(run.missed.mean() for run in runs)}; exactly, if X "
            f"plays on as well as it can, so near {(exact <= CLOSE - 1).mean():.1%}, the mean {exact.mean():.3f}",
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


def board_figure(runs: list[Run]) -> Figure:
    """Draw the values of the empty board as a board."""
    figure, axes = new_figure(1, 1, (7, 6.5))
    values = np.array([run.first for run in runs])
    draw_board(axes[0, 0], values.mean(axis=0), spread_texts(values, 3), 0.8, 1.0)
    return figure


def strength_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return exact strength: against random, losses to optimal and in the worst case."""
    return (
        name,
        percent((run.random.win for run in runs), 2),
        percent((run.random.loss for run in runs), 2),
        percent(run.optimal.loss for run in runs),
        percent(run.worst.loss for run in runs),
        unbeaten(run.worst for run in runs),
    )


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
    bench, folded = Bench("none"), Bench("full")
    runs = [train(bench, seed) for seed in SEEDS]
    page = Page(folder, "q-table", "Course notes: a dictionary of Q values against a random opponent")
    page.summary(
        "In course notes, that a move which wins comes to be worth 1, and one that misses a win about -1.",
        f"{len(SEEDS)} learners of preset `q-table`, as in the notes: X plays {GAMES:,} games against an O at random.",
        f"""It then wins {percent((run.random.win for run in runs), 2)} of its games against random play, where
        {bench.ideal("random").win:.2%} is the most, and {sum(run.worst.loss < UNBEATEN for run in runs)} of
        {len(runs)} cannot be beaten. What misses a win is learned to be worth little less than a draw: O at random
        overlooks its chance.""",
    )
    introduce(page)
    page.claims(findings(bench, runs))
    page.text(f"""On that board, `{NOTED}`, they take X to be the one who moves. It has three marks there and O two, so
        that where X begins it is O's turn, and their program never asks for these values: the sentences are asked of
        boards like it. If X could move there, it would win with 3 or with 8; after another move O at random takes 8,
        and wins, in one game of three, and else X wins with its next move, if it has learned to. So the move would be
        worth 1/3 against random play, and -1 only against an O that sees its chance. These two claims were added, with
        their thresholds, after a first run of the rest.""")
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
    openings(page, bench, runs)
    page.heading("How good it is, exactly")
    page.text("""The trained learner, playing greedily: computed, not sampled. The worst case is the opponent made for
        it. It never met a good player.""")
    rows = [
        strength_row("preset `q-table`, the notes' order (`order=end-first`)", runs),
        *(strength_row(f"`order={o}`", [train(bench, s, bins=1, order=o) for s in SEEDS])
          for o in ("backward", "forward")),
        strength_row("the notes' order, ties at random", [train(bench, s, bins=1, ties="random") for s in SEEDS]),
        strength_row("the notes' order, with symmetry", [train(folded, s, bins=1) for s in SEEDS]),
        strength_row(f"the later year: {LATER_GAMES:,} games, rho 0.5, epsilon times 0.999, ties at random",
                     [train(bench, s, LATER_GAMES, 1, **LATER) for s in SEEDS]),
    ]  # fmt: skip
    header = ("learner", "wins against random", "loses to random", "loses to optimal", "loses in its worst case",
              "unbeaten")  # fmt: skip
    page.table(header, rows)
    page.sample(sample())
    page.write()


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
        their figure is drawn from our runs, and of the values that they print after it they say nothing. What they do
        say is of one board, before anything is learned.""")
    page.text(f"""Here: preset `q-table`, every board a position of its own (no symmetry), as theirs; seeds
        {SEEDS[0]} to {SEEDS[-1]}. Intervals are mean ± standard deviation over the seeds.""")


def openings(page: Page, bench: Bench, runs: list[Run]) -> None:
    """Write the values of the empty board."""
    page.heading("The values of the empty board")
    page.figure(
        board_figure(runs),
        "empty-board",
        """Q of X's nine first moves after the last game, mean ± standard deviation over the seeds. Equivalent squares
        differ: each is learned for itself, and hardly any is tried once epsilon is small.""",
    )
    values = np.array([run.first for run in runs])
    page.table(
        ("opening", "Q (mean of the kind)", "exactly: the most X can win less lose", "and win"),
        [
            (kind, spread(values[:, list(cells)].mean(axis=1)), f"{best.value:.4f}", f"{best.win:.2%}")
            for kind, cells in KINDS.items()
            for best in [best_after(bench, cells[0])]
        ],
    )
    centre = seeds_where(values.argmax(axis=1) == KINDS["centre"][0])
    page.text(f"""Q is highest for the centre in {centre}, though against random play a corner is best: the opening that
        is ahead is played, and the others keep the values of days when all was tried.""")
