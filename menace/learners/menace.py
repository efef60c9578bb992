"""MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

    choose: shake the box of the position, draw a bead; its colour is the move
            (an empty box: resign; or put its first beads back, then draw; or pick any cell)
    learn:  after the game, for each box that a bead was drawn from (`credit=last`: the last of them alone):
            beads of the colour drawn += win, draw or loss, not below `floor`, not above kernel.MOST_BEADS; picked += 1
            (`restock-colour`: if that leaves none of them, the colour's first beads are put back)

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from menace import kernel
from menace.games.positions import Positions
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState
from menace.learners.bead_boxes import BoxSettings, boxed_positions, first_beads, fresh_boxes
from menace.learners.policy import Policy, PolicyName
from menace.learners.settings import MOST_BEADS, setting

WHEN_EMPTY = {"resign": 0, "restock": 1, "random": 2, "restock-colour": 3}  # the kernel's EMPTY_...


@dataclass(frozen=True)
class MenaceSettings(BoxSettings):
    """Settings of a machine of matchboxes.

    >>> settings = MenaceSettings(beads=(8, 4, 2, 1), when_empty="resign")  # Scroggs' machine
    >>> settings.win, settings.draw, settings.loss
    (3, 1, -1)
    """

    when_empty: Literal["resign", "restock", "random", "restock-colour"] = setting(
        "restock",
        "a box without beads resigns the game, is restocked with its first beads, or plays at random; with"
        " restock-colour none is ever without, as each colour that runs out gets its first beads back at once",
    )
    credit: Literal["all", "last"] = setting(
        "all",
        "which beads of a game are rewarded or punished: all, or only the last that was drawn; from a box that is empty"
        " and resigns none is drawn, so the last is the bead of the move before",
    )

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Fill the boxes."""
        return fresh_boxes(self, positions, side, np.int32)

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the shares of beads (`behaviour`), or the colours that have most in their box (`greedy`)."""
        positions, side, learned = learner.positions, learner.side, learner.learned
        weight, resigns = np.zeros(positions.move_count), np.zeros(len(positions))
        read = (learned.amount, learned.kept.view(np.int8), first_beads(self, positions))
        beads, boxed, first, to_weight, to_resigns = map(kernel.view, (*read, weight, resigns))
        when_empty, favourite = WHEN_EMPTY[self.when_empty], policy == "greedy"
        kernel.bead_weights(positions.graph, side, beads, boxed, first, when_empty, favourite, to_weight, to_resigns)
        return Policy(positions, side, ((1.0, weight),), resigns)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the machine as the kernel plays it; it does not explore."""
        positions, learned = learner.positions, learner.learned
        return kernel.BeadPlayer(
            graph,
            weight=learned.amount,
            total=positions.sum_over_moves(learned.amount).astype(np.int32),
            boxed=boxed_positions(self, positions, learner.side).astype(np.int8),
            first_beads=first_beads(self, positions),
            picked=learned.count,
            side=learner.side,
            learns=learns,
            win=self.win,
            draw=self.draw,
            loss=self.loss,
            floor=self.floor,
            when_empty=WHEN_EMPTY[self.when_empty],
            last_only=self.credit == "last",
        )


MENACE = Algorithm("menace", "matchbox", MenaceSettings, amounts=(0, MOST_BEADS), by_share=True)
