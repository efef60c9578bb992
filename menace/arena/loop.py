"""Where games are played: the kernel's view of a game, and the loop that feeds it numbers."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from menace import kernel
from menace.arena.chance import Numbers
from menace.games.positions import Positions
from menace.learners.fixed import fixed_weights

# Games that use no numbers (a first box that resigns) must end a call in time too.
GAMES_A_CALL = 4096


@dataclass(frozen=True)
class Played:
    """What was played: games, random numbers used, and games that X won, that were drawn, that O won."""

    games: int
    numbers: int
    outcomes: tuple[int, int, int]


class Arena:
    """The positions of a game, ready for the kernel."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.graph = kernel.Graph(
            positions.first_move,
            positions.next_position,
            positions.multiplicity,
            positions.outcome,
            positions.cells,
            positions.longest,
        )
        # Position, move, explored, learned of each ply: the kernel writes them, and reads what is written here.
        self.plies = tuple(np.zeros(positions.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8))
        self.record = kernel.Record(*self.plies)

    def fixed_player(self, text: str) -> kernel.FixedPlayer:
        """Return a fixed opponent. Raises InvalidPlayer if `text` names none."""
        weight = fixed_weights(text, self.positions)
        return kernel.FixedPlayer(self.graph, weight, self.positions.sum_over_moves(weight).astype(np.int32))

    def play(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, numbers: Numbers, games: int, seconds: float
    ) -> Played:
        """Play `games` games, or fewer if `seconds` have passed."""
        outcomes = np.zeros(3, np.int64)
        counts, buffer = kernel.view(outcomes), kernel.view(numbers.buffer)
        played = used = 0
        end = time.perf_counter() + seconds
        while played < games:
            numbers.refill()
            some = min(games - played, GAMES_A_CALL)
            more, taken = kernel.play_games(self.graph, x, o, self.record, buffer, 0, len(buffer), some, counts)
            numbers.take(taken)
            played += more
            used += taken
            if time.perf_counter() > end:
                break
        x_wins, draws, o_wins = outcomes.tolist()
        return Played(played, used, (x_wins, draws, o_wins))
