"""MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

    choose: shake the box of the position, draw a bead; its colour is the move
            (an empty box: resign; or put its first beads back, then draw; or pick any cell)
    learn:  after the game, for each box that a bead was drawn from (`credit=last`: the last of them alone):
            beads of the colour drawn += win, draw or loss, not below `floor`, not above kernel.MOST_BEADS; picked += 1
            (`restock-colour`: if that leaves none of them, the colour's first beads are put back)

Source: D. Michie, Trial and Error, Penguin Science Survey 2 (1961), 129-145.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from menace import kernel
from menace.colours import MICHIE
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.base import BOTH, OWN, Algorithm, Learned, Learner, Preset
from menace.learners.boxes import TIC_TAC_TOE, BoxSettings, boxed_positions, first_beads, fresh_boxes
from menace.learners.policy import Policy, PolicyKind
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

    def policy(self, learner: Learner, kind: PolicyKind) -> Policy:
        """Return the shares of beads (`behaviour`), or the colours that have most in their box (`greedy`)."""
        positions, side, learned = learner.positions, learner.side, learner.learned
        position = positions.position_of_move
        weight = learned.amount
        empty = boxed_positions(self, positions, side) & (positions.sum_over_moves(weight) == 0)
        resigns = (empty & (self.when_empty == "resign")).astype(np.float64)
        if self.when_empty in {"restock", "restock-colour"}:
            weight = np.where(empty[position], first_beads(self, positions), weight)
        elif self.when_empty == "random":
            weight = np.where(empty[position], positions.multiplicity, weight)
        if kind == "greedy":
            choosing = learned.kept & ~(empty[position] & (self.when_empty == "random"))
            favourite = weight == positions.most_of_moves(weight)[position]
            weight = np.where(choosing, favourite * positions.multiplicity, weight)
        return Policy(positions, side, ((1.0, weight),), resigns)

    def player(self, learner: Learner, graph: kernel.Graph, learns: bool, epsilon: float = OWN) -> kernel.FixedPlayer:
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

SCROGGS = "M. Scroggs, MENACE, github.com/mscroggs/MENACE and www.mscroggs.co.uk/menace"
MANCHESTER = "M. Scroggs, MENACE at Manchester Science Festival 2017, mscroggs.co.uk/blog/45"
MICHIE_1961 = "D. Michie, Trial and Error, Penguin Science Survey 2 (1961), pages 129 to 145"
KAUSHIK = "R. Kaushik, How to train matchboxes to play human level tic-tac-toe (2018)"
MENACE_PRESETS = {
    "menace": Preset(
        "menace",
        MenaceSettings(),
        BOTH,
        "Michie's beads; a box that runs empty gets its first beads back",
        f"Beads and rewards: {MICHIE_1961}. Restocking is ours: it never loses its first box for good. What it learns"
        " hangs on its teacher (docs/learners.md).",
    ),
    "michie-1961": Preset(
        "menace",
        MenaceSettings(boxes="michie", when_empty="resign"),
        (Side.X,),
        "the matchbox machine of 1961, 287 boxes",
        f"{MICHIE_1961}; the number of boxes: Computer Journal 6 (1963), doi.org/10.1093/comjnl/6.3.232, which does not"
        " say what an empty box does. Resigning is the rule of those who built it again, Scroggs among them.",
        MICHIE,
        (TIC_TAC_TOE,),
    ),
    "scroggs": Preset(
        "menace",
        MenaceSettings(beads=(8, 4, 2, 1), when_empty="resign"),
        BOTH,
        "the machine of Matthew Scroggs' web page",
        f"{SCROGGS}. The machine for O has the same numbers.",
    ),
    "manchester-saturday": Preset(
        "menace",
        MenaceSettings(beads=(8, 3, 2, 1), when_empty="resign"),
        (Side.X,),
        "Manchester 2017, first day: 8,3,2,1, merged",
        f"{MANCHESTER}. Resigning is his page's rule.",
    ),
    "manchester-sunday": Preset(
        "menace",
        MenaceSettings(merged=False, when_empty="resign"),
        (Side.X,),
        "Manchester 2017, second day: 4,3,2,1, not merged",
        f"{MANCHESTER}. Resigning is his page's rule.",
    ),
    "article": Preset(
        "menace",
        MenaceSettings(beads=(10,), win=1, draw=0),
        BOTH,
        "ten beads of each colour, one more for a win, one less for a loss",
        f"{KAUSHIK}, riturajkaushik.github.io/2018/09/19/self-learning-tictactoe.html. It has a box for every"
        " board, as `menace init --no-symmetry` makes them, and does not say what an empty one does; restocking is"
        " ours.",
    ),
}
