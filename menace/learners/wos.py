"""Presets of a thesis that compares MENACE with Q-learning, SARSA and active inference.

Read from its text (chapters 8 and 9) and its program, both in the repository that `THESIS` names.
"""

from __future__ import annotations

from dataclasses import replace

from menace.games.base import Side
from menace.learners.base import Preset
from menace.learners.boxes import TIC_TAC_TOE
from menace.learners.menace import MenaceSettings
from menace.learners.q_learning import QLearningSettings
from menace.learners.sarsa import SarsaSettings

THESIS = (
    "K. Woś, MENACE as a Bayesian Observer, master's thesis, University of Tokyo,"
    " github.com/krzysztofwos/masters-thesis, chapters 8 and 9"
)
BOX = MenaceSettings(boxes="michie", merged=False)
CELLS_APART = (
    " His boxes hold the beads of each cell apart, also of equivalent ones; here these share a pile that is as many"
    " times as high, "
)
VALUES = (
    f"{THESIS}; rewards from src/q_learning/agent.rs: 1, 0.5 for a draw, -1. He keeps equivalent cells apart, and"
    " takes the last of equal ones."
)

WOS_PRESETS = {
    "wos-box": Preset(
        "menace",
        BOX,
        (Side.X,),
        "Woś's MENACE: 287 boxes, restocked when one is empty",
        f"{THESIS}.{CELLS_APART}which plays and learns alike.",
        fits=(TIC_TAC_TOE,),
    ),
    "wos-move": Preset(
        "menace",
        replace(BOX, when_empty="restock-colour"),
        (Side.X,),
        "the same, but each colour that runs out is restocked at once",
        f"{THESIS}, where it is called move-level restock.{CELLS_APART}and is restocked as one. The text adds a single"
        " bead, the program (src/workspace.rs) as many as the move began with; so does this.",
        fits=(TIC_TAC_TOE,),
    ),
    "wos-q-learning": Preset(
        "q-learning",
        QLearningSettings(alpha=0.5, gamma=0.99, draw=0.5, epsilon=0.5, epsilon_decay=0.995, epsilon_least=0.01),
        (Side.X,),
        "Woś's Q-learning, for 5,000 games against one opponent",
        VALUES,
    ),
    "wos-sarsa": Preset(
        "sarsa",
        SarsaSettings(alpha=0.5, gamma=0.99, draw=0.5, epsilon=0.5, epsilon_decay=0.995, epsilon_least=0.01),
        (Side.X,),
        "Woś's SARSA, likewise",
        f"{VALUES} Where X ends the game, his gives the move before the last the reward as well; this does not.",
    ),
}
