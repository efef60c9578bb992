"""The favourite: beads in boxes, as MENACE has them, but the colour with most beads is taken, not drawn.

    choose: with probability epsilon any of the box's colours alike; else the colour with most beads, equal ones by
            their cells; no box counts as empty, without beads all its colours are equal
    learn:  after the game, for each box opened: beads of the colour taken += win, draw or loss,
            not below `floor`, not above kernel.MOST_BEADS; picked += 1; then
            epsilon *= epsilon_decay, raised to epsilon_least

With `rewards=length` only a game with a winner teaches, the more the shorter it was and the nearer to its end a colour
was taken: `length_changes` is the one place that says how much. `picked` counts drawn games all the same.

Source: R. Kaushik, github.com/riturajkaushik/self-learning-tic-tac-toe (2018), `learn` in tic_tac_toe.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.positions import Positions
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState
from menace.learners.bead_boxes import BoxSettings, boxed_positions, fresh_boxes
from menace.learners.epsilon_greedy import EPSILON, EPSILON_DECAY, EPSILON_LEAST, check_least, epsilon_of
from menace.learners.policy import Policy, PolicyName, greedy_policy
from menace.learners.settings import MOST_BEADS, setting

RESULTS = ("win", "draw", "loss")  # in the order of `bead_changes`, and of the kernel


@dataclass(frozen=True)
class FavouriteSettings(BoxSettings):
    """Settings of a machine that takes the fullest colour.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("article-code", "X")
    >>> machine.settings == FavouriteSettings(beads=(2,), floor=1, rewards="length"), machine.draws_beads
    (True, False)
    """

    rewards: Literal["outcome", "length"] = setting(
        "outcome",
        "beads by outcome (win, draw, loss), or by the length of the game, whatever win, draw and loss say",
    )
    epsilon: float = setting(0.0, EPSILON, 0, 1)
    epsilon_decay: float = setting(1.0, EPSILON_DECAY, 0, 1)
    epsilon_least: float = setting(0.0, EPSILON_LEAST, 0, 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self.epsilon, self.epsilon_least)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Fill the boxes."""
        learned = fresh_boxes(self, positions, side, np.float64)  # favourites are compared as values
        learned.state[0] = self.epsilon
        return learned

    def changes(self, longest: int) -> NDArray[np.int32]:
        """Return the beads that games add and take away, as `bead_changes` says."""
        return bead_changes(self, longest)

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the colours that have most in their box, and in `behaviour` how it explores."""
        learned, positions = learner.learned, learner.positions
        value = np.where(learned.kept, learned.amount, 0.0)  # without a box all cells are alike
        exploring = np.where(learned.kept, 1, positions.multiplicity)
        return greedy_policy(positions, learner.side, value, epsilon_of(learner, policy), exploring=exploring)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the machine as the kernel plays it; an epsilon of 0 or more overrides its own."""
        positions, learned = learner.positions, learner.learned
        boxed = boxed_positions(self, positions, learner.side)
        colours = np.ones(positions.move_count, np.int32)
        return kernel.FavouritePlayer(
            graph,
            total=np.where(boxed, 0, positions.cells).astype(np.int32),
            exploring=kernel.FixedPlayer(graph, colours, positions.sum_over_moves(colours).astype(np.int32)),
            value=learned.amount,
            place=np.arange(positions.move_count, dtype=np.int32),
            count=learned.count,
            state=learned.state,
            side=learner.side,
            learns=learns,
            epsilon=epsilon,
            decay=self.epsilon_decay,
            least=self.epsilon_least,
            decay_first=False,
            first_of_ties=False,
            boxed=boxed.astype(np.int8),
            changes=self.changes(positions.longest).ravel(),
            floor=self.floor,
        )


def length_changes(longest: int) -> NDArray[np.int32]:
    """Return the beads that `rewards=length` adds to a colour after a won game, and takes away after a lost one.

    Half of the moves by which the game was shorter than the longest one, and half of what is left of a longest game
    when the moves made after the pick are taken off; each rounded down. Kaushik's program counts boards: 10 and 9 in
    it are the boards of a game of tic-tac-toe that fills the board, and its cells. Here both follow from the game's
    longest, so that no game makes a winner lose beads, and tic-tac-toe has his numbers.

    Args:
        longest: the most moves in a game.

    Returns:
        [longest + 1, longest], by the moves played in the game, and by the ply of the pick, from 0; 0 where the game
        was over by then.

    >>> length_changes(9)[5].tolist()
    [4, 5, 5, 6, 6, 0, 0, 0, 0]
    """
    moves = np.arange(longest + 1, dtype=np.int32)[:, np.newaxis]
    ply = np.arange(longest, dtype=np.int32)
    changes = (longest - moves) // 2 + (longest - (moves - 1 - ply)) // 2
    return np.where(ply < moves, changes, 0).astype(np.int32)


def bead_changes(settings: FavouriteSettings, longest: int) -> NDArray[np.int32]:
    """Return the beads by which a colour changes that was taken in a game, before `floor`.

    Returns:
        [3, longest + 1, longest]: by result (RESULTS), by the moves played in the game, and by the ply of the pick.

    >>> bead_changes(FavouriteSettings(win=3, draw=1, loss=-1), longest=9)[:, 5, 0].tolist()  # for X's first move
    [3, 1, -1]
    """
    if settings.rewards == "length":
        won = length_changes(longest)
        return np.stack((won, np.zeros_like(won), -won))
    by_result = np.array([getattr(settings, result) for result in RESULTS], np.int32)
    return np.tile(by_result[:, np.newaxis, np.newaxis], (1, longest + 1, longest))


FAVOURITE = Algorithm("favourite", "matchbox", FavouriteSettings, amounts=(0, MOST_BEADS))
