"""Compares published answers to exercise 1.1, self-play, with measured results."""

from __future__ import annotations

from typing import Any

from reproductions.common import UNBEATEN, Bench, Claim, percent, raw_numbers, seeds_where, verdict
from reproductions.sutton_barto_runs import PRESET, TWENTY

# Thresholds of the claims.
MOST = 0.9  # of the seeds, where a claim is of what is learned as a rule
SURE = 1 - UNBEATEN
OURS_GAMES = 1_000_000  # "in the long run"; after 100,000 it is the same
TANSEY: dict[str, Any] = {"alpha": 0.99, "epsilon": 0.1}  # of his Agent
TANSEY_GAMES = 10_000  # of his program


class Pairs:
    """X and O of twenty seeds after games against each other, both learning; what they achieve greedily."""

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
        """Say in how many seeds nobody beats them."""
        x, o = (seeds_where(not beaten for beaten in flags) for flags in self.beaten)
        return f"nobody beats X in {x}, O in {o}"

    def share(self) -> float:
        """Return the share of seeds in which nobody beats either."""
        return sum(not x and not o for x, o in zip(*self.beaten, strict=True)) / len(TWENTY)


def claims_of_answers(bench: Bench) -> list[Claim]:
    """Return what others say of self-play."""
    theirs = Pairs(bench, OURS_GAMES)
    tansey = {loss: Pairs(bench, TANSEY_GAMES, loss=loss, **TANSEY) for loss in (0.0, -1.0)}
    program = f"their program, {OURS_GAMES:,} games: "
    his = f"step size {TANSEY['alpha']}, epsilon {TANSEY['epsilon']}, {TANSEY_GAMES:,} games, a loss worth"
    of_most = f"nobody beats either side in {100 * MOST:.0f} % of the seeds"
    return [
        Claim(
            "1.1: in the long run it “would learn the true game-theoretic values of each board state”",
            program + theirs.unbeaten(),
            verdict(theirs.share() >= MOST),
            "julxi.github.io/notes_and_solutions_reinforcement_learning, chapters/01-intro",
            of_most,
        ),
        Claim(
            "1.1: “all games should still end in a draw”",
            f"{program}greedy X and O draw {percent(theirs.drawn)}",
            verdict(min(theirs.drawn) > SURE),
            "allthingsphi.com/nb/reinforcement-learning-sb/chapter-01.html",
            "X and O of a seed draw for sure, in every seed",
        ),
        Claim(
            "1.1: “if you use a loss value of -1, then the agent learns to play the optimal strategy in the minimax"
            " sense”",
            f"{his} -1: {tansey[-1.0].unbeaten()}; worth 0: {tansey[0.0].unbeaten()}",
            verdict(tansey[-1.0].share() >= MOST, f"both in {100 * tansey[-1.0].share():.0f} % of the seeds"),
            "github.com/tansey/rl-tictactoe, README",
            of_most,
        ),
    ]
