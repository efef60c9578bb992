"""Compare published answers to exercise 1.1, self-play, with measured results."""

from __future__ import annotations

from typing import Any

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where
from experiments.sutton_barto.program import PRESET, TWENTY

SURE = 1 - UNBEATEN
OURS_GAMES = 1_000_000  # "in the long run"; the results after 100,000 games are the same
TANSEY: dict[str, Any] = {"alpha": 0.99, "epsilon": 0.1}  # the settings of his Agent
TANSEY_GAMES = 10_000  # the length of his program's training

# Each claim says what happens in every run, so each is a law.
TRUE_VALUES = Claim(
    "1.1: in the long run it “would learn the true game-theoretic values of each board state”",
    "julxi.github.io/notes_and_solutions_reinforcement_learning, chapters/01-intro",
    f"nobody beats either side after {OURS_GAMES:,} games of their program",
    "law",
)
ALL_DRAWN = Claim(
    "1.1: “all games should still end in a draw”",
    "allthingsphi.com/nb/reinforcement-learning-sb/chapter-01.html",
    f"X and O of a seed are sure to draw after {OURS_GAMES:,} games of their program, greedy",
    "law",
)
MINIMAX_PLAY = Claim(
    "1.1: “if you use a loss value of -1, then the agent learns to play the optimal strategy in the minimax sense”",
    "github.com/tansey/rl-tictactoe, README",
    f"nobody beats either side after {TANSEY_GAMES:,} games of his program",
    "law",
)


class Pairs:
    """X and O of twenty seeds after games against each other, and the strength of their greedy play."""

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
        """Return in how many seeds nobody beats them."""
        x, o = (seeds_where(not beaten for beaten in flags) for flags in self.beaten)
        return f"nobody beats X in {x}, O in {o}"

    def safe(self) -> list[bool]:
        """Return for each seed whether nobody beats either side."""
        return [not x and not o for x, o in zip(*self.beaten, strict=True)]


def findings_of_answers(bench: Bench) -> list[Finding]:
    """Judge what other authors say about self-play."""
    theirs = Pairs(bench, OURS_GAMES)
    cells = Bench("none")  # among equal cells, his program takes the first one and theirs takes the lowest number
    tansey = {loss: Pairs(cells, TANSEY_GAMES, loss=loss, **TANSEY) for loss in (0.0, -1.0)}
    his = f"step size {TANSEY['alpha']}, epsilon {TANSEY['epsilon']}, a loss worth"
    return [
        TRUE_VALUES.counted(theirs.unbeaten(), theirs.safe()),
        ALL_DRAWN.counted(f"greedy X and O draw {percent(theirs.drawn)}", (drawn > SURE for drawn in theirs.drawn)),
        MINIMAX_PLAY.counted(
            f"{his} -1: {tansey[-1.0].unbeaten()}; worth 0: {tansey[0.0].unbeaten()}", tansey[-1.0].safe()
        ),
    ]
