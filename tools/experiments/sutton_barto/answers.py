"""Judge published answers to exercise 1.1, which is about self-play."""

from __future__ import annotations

from typing import Any

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where
from experiments.sutton_barto.runs import PRESET, TWENTY

SURE = 1 - UNBEATEN
OURS_GAMES = 1_000_000  # stands for "in the long run"; the verdicts are the same after 100,000 games
TANSEY: dict[str, Any] = {"alpha": 0.99, "epsilon": 0.1, "loss": -1.0}  # the settings of Agent in Tansey's program
TANSEY_GAMES = 10_000  # the number of games for which Tansey's program trains

# Each claim says what happens in every run, so all of them have the kind `law`.
TRUE_VALUES = Claim(
    "1.1: in the long run it “would learn the true game-theoretic values of each board state”",
    "julxi.github.io/notes_and_solutions_reinforcement_learning, chapters/01-intro",
    f"after {OURS_GAMES:,} games of the authors' program, X and O are unbeatable",
    "law",
)
ALL_DRAWN = Claim(
    "1.1: “all games should still end in a draw”",
    "allthingsphi.com/nb/reinforcement-learning-sb/chapter-01.html",
    f"after {OURS_GAMES:,} games of the authors' program, greedy X and O are sure to draw",
    "law",
)
MINIMAX_PLAY = Claim(
    "1.1: “if you use a loss value of -1, then the agent learns to play the optimal strategy in the minimax sense”",
    "github.com/tansey/rl-tictactoe, README",
    f"after {TANSEY_GAMES:,} games of his program, X and O are unbeatable",
    "law",
)


class Pairs:
    """The strength of greedy X and O after games against each other, for twenty seeds."""

    def __init__(self, bench: Bench, games: int, **settings: Any) -> None:
        self.drawn: list[float] = []
        self.beaten: tuple[list[bool], list[bool]] = ([], [])
        for seed in TWENTY:
            x, o = (bench.learner(PRESET, side, **settings) for side in ("X", "O"))
            bench.play(x, o, games, raw_numbers(seed, 0))
            self.drawn.append(bench.outcomes(x, o).draw)
            for flags, learner in zip(self.beaten, (x, o), strict=True):
                flags.append(bench.worst(learner).loss > UNBEATEN)

    def unbeaten(self) -> str:
        """Return the number of seeds for which X is unbeatable and the number for which O is."""
        x, o = (seeds_where(not beaten for beaten in flags) for flags in self.beaten)
        return f"X is unbeatable in {x}, O in {o}"

    def safe(self) -> list[bool]:
        """Return, for each seed, whether X and O are both unbeatable."""
        return [not x and not o for x, o in zip(*self.beaten, strict=True)]


def findings_of_answers(bench: Bench) -> list[Finding]:
    """Judge what other authors say about self-play."""
    theirs = Pairs(bench, OURS_GAMES)
    # among equal cells, Tansey's program takes the first, and the authors' program takes the one with the lowest number
    cells = Bench("none")
    tansey = Pairs(cells, TANSEY_GAMES, **TANSEY)
    return [
        TRUE_VALUES.counted(theirs.unbeaten(), theirs.safe()),
        ALL_DRAWN.counted(f"greedy X and O draw {percent(theirs.drawn)}", (drawn > SURE for drawn in theirs.drawn)),
        MINIMAX_PLAY.counted(tansey.unbeaten(), tansey.safe()),
    ]
