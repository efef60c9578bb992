"""Presets of the machines for smaller games that people build: Gardner's HER, and kits for classrooms.

All are of the algorithm `menace`, with a bead for each arrow: what a lost game takes away is never put back, so that a
box may run empty, and the machine then resigns where it comes to that box.
"""

from __future__ import annotations

from dataclasses import replace

from menace.games.base import Side
from menace.learners.base import BOTH, Preset
from menace.learners.menace import MenaceSettings

HEXAPAWN = ("hexapawn 3x3",)
NIM_10 = ("nim 10-take3-misere",)  # ten in a row, one to three at a time, who takes the last loses

HER = MenaceSettings(boxes="all", beads=(1,), win=0, draw=0, loss=-1, when_empty="resign", credit="last")
GARDNER_1962 = (
    "M. Gardner, Mathematical Games: How to build a game-learning machine and then teach it to play and to win,"
    " Scientific American 206(3), March 1962; again in The Unexpected Hanging and Other Mathematical Diversions (1969),"
    " chapter 8"
)
QUEENSLAND = "University of Queensland, www.maths.uq.edu.au/ClubInfinity/Newsletters/11/McMatch2.html"
CHALKDUST = "O. Child's MENACE in Chalkdust 3, issuu.com/chalkdust/docs/chalkdust-issue-03/22"
AI_UNPLUGGED = "A. Lindner and S. Seegerer, AI Unplugged, monkeys and crocodiles, www.aiunplugged.org/swedish.pdf"
IMAGINARY = "IMAGINARY, Build your own AI, www.i-am.ai/build-your-own-ai.html"
PITT = "PITT, Pupils vs machine, pitt.lu/module/pupils-vs-machine/5-4-materialien"

KIT_PRESETS = {
    "gardner-1962": Preset(
        "menace",
        HER,
        (Side.O,),
        "Gardner's HER: a loss costs the last bead; an empty box resigns",
        f"{GARDNER_1962}. That an empty box costs the bead of the move before is as in a kit: {QUEENSLAND}."
        " Gardner's 24 boxes are 19 here, because boards that mirror each other share one.",
        fits=HEXAPAWN,
    ),
    "punish-all": Preset(
        "menace",
        replace(HER, credit="all"),
        (Side.O,),
        "HER, but a loss costs every bead of the game",
        f"MENACE's rule for a lost game, as people build it ({CHALKDUST}), with Gardner's boxes: for those who take"
        " away every bead that was drawn in a lost game. Wins add none, and all else is as in gardner-1962, too.",
        fits=HEXAPAWN,
    ),
    "plus-minus": Preset(
        "menace",
        replace(HER, win=1),
        (Side.O,),
        "HER, but a win adds a bead of the last colour",
        f"{AI_UNPLUGGED}: a win adds one of the last colour; after a loss the last one is eaten. It does not say what"
        " an empty box does; that it resigns is Gardner's rule.",
        fits=HEXAPAWN,
    ),
    "nim-cups": Preset(
        "menace",
        replace(HER, boxes="choices"),
        BOTH,
        "nine paper cups for ten pencils; a loss costs the last slip",
        f"{IMAGINARY}: cups 10 to 2 with slips 1, 2 and 3; who takes the last pencil loses. The same cups, retold at"
        " angebote.smz-stuttgart.de/mod/page/view.php?id=1667, keep their last slip for good. Here a cup may run empty"
        f" and resign, which costs the slip of the move before, as in a kit with eight pencils: {PITT}.",
        fits=NIM_10,
    ),
}
