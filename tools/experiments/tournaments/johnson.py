"""Run Phillip Johnson's program for many machines in parallel; a machine learns from the moves of both sides.

We wrote this program after reading github.com/phillipjohnson/TTT (2013), because its learner differs from menace's. A
coin toss decides who begins each game. Each result changes the machine's beans for its own moves and for its opponent's
moves. As in Johnson's program, each cell of a canonical board has its own pile, even if cells are equivalent. The
opponent is `johnson-2013`, which follows Johnson's nine rules.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from experiments.common import Bench
from experiments.wos.program import ONGOING, Array, pick, tables
from menace.games.enumeration import enumerate_positions
from menace.games.rules.mnk import MNK
from menace.learners.opponents.fixed import johnson_weights
from menace.learners.policy import Policy

# for each free cell of a new box, from BoardState.java; "Only modify if the result will be at least 1"
BEANS, LEAST = 10, 1
GAMES = 100  # the number of games in a tournament, from Game_CvC.java


class Rewards(NamedTuple):
    """The number of beans that the machine gains after a win, a draw and a loss."""

    win: int
    draw: int
    loss: int

    def __str__(self) -> str:
        return ", ".join(f"{beans:+d}" if beans else "0" for beans in self)


AS_DESCRIBED = Rewards(1, 0, -1)  # the first list in the post, "as I found them described online"
BEST = Rewards(2, 1, -1)  # from Johnson's README and GameRound_Automated.java


def rules() -> Array:
    """Return the weights that Johnson's optimal player gives to moves, as an array [boards, cells]."""
    positions = enumerate_positions(MNK(), "none")
    weights = np.zeros((len(positions), 9))
    weights[positions.position_of_move, positions.action] = johnson_weights(positions)
    return weights


class Johnson:
    """Johnson's machines, each of which plays its own tournament.

    Attributes:
        beans: [machines, boxes, cells], for canonical boards of both sides.
    """

    def __init__(self, machines: int, seed: int, rewards: Rewards = AS_DESCRIBED) -> None:
        self.t, self.every, self.rules = tables(), np.arange(machines), rules()
        self.chance = np.random.Generator(np.random.PCG64(seed))
        self.change = np.array([rewards.draw, rewards.win, rewards.loss])  # indexed by the result: 0, 1, -1
        self.beans = np.repeat(BEANS * (self.t.fresh > 0).astype(np.int64)[None], machines, axis=0)

    def fullest(self, board: Array) -> Array:
        """Return the cell with the most beans for each machine; ties are broken at random."""
        piles = self.beans[self.every, self.t.box[board]]
        place = pick(piles == piles.max(axis=1, keepdims=True), self.chance.random(len(board)))
        return self.t.back[board, place]

    def play(self, games: int = GAMES) -> Array:
        """Play games and learn from them. Return the machines' results (1, 0 or -1), as an array [games, machines]."""
        return np.array([self._game() for _ in range(games)])

    def _game(self) -> Array:
        board, moves = np.zeros(len(self.every), np.int64), []
        begins = self.chance.random(len(board)) < 1 / 2
        for ply in range(9):
            on = self.t.outcome[board] == ONGOING
            by_rules = np.where(on[:, None], self.rules[board], 1)
            cell = np.where(
                begins == (ply % 2 == 0), self.fullest(board), pick(by_rules, self.chance.random(len(board)))
            )
            moves.append((self.t.box[board], self.t.there[board, cell], on))
            board = np.where(on, self.t.after[board, cell], board)
        result = np.where(begins, 1, -1) * self.t.outcome[board]
        for box, place, on in moves:
            machine, change = self.every[on], self.change[result[on]]
            beans = self.beans[machine, box[on], place[on]] + change
            changed = beans >= LEAST
            self.beans[machine[changed], box[on][changed], place[on][changed]] = beans[changed]
        return result

    def policy(self, bench: Bench, machine: int, side: int) -> Policy:
        """Return a machine's policy for a side; the bench must not use symmetry."""
        positions = bench.positions
        piles = self.beans[machine][self.t.box[positions.position_of_move]]
        board, action = positions.position_of_move, positions.action
        own = piles[np.arange(len(board)), self.t.there[board, action]]
        return Policy.of_weights(positions, side, (own == piles.max(axis=1)).astype(np.int32))
