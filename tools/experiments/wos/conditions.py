"""List the machines in Woś's tables and two machines of ours, with their curricula and the printed shares of draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.wos.program import Rival

Curriculum = Sequence[tuple[Rival, int]]

MIXED: Curriculum = (("random", 200), ("blocking", 100), ("optimal", 200))


@dataclass(frozen=True)
class Condition:
    """A row of a table in the thesis.

    Attributes:
        name: its name on our page.
        printed: the printed mean and standard deviation of the draws, in percent.
        runs: the curriculum.
        preset, settings: the same machine in menace.
        restock, boxes: settings of MENACE only.
        off_policy: True for Q-learning, False for SARSA, None for MENACE.
    """

    name: str
    printed: tuple[float, float] | None
    runs: Curriculum
    preset: str
    restock: str = "box"
    boxes: str = "michie"
    off_policy: bool | None = None
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def is_of_values(self) -> bool:
        """Whether the machine uses Q-learning or SARSA."""
        return self.off_policy is not None


BOX, FILTER, MOVE, NONE = (
    Condition("MENACE, restock a box", (84.5, 8.1), MIXED, "wos-box"),
    Condition("MENACE, 304 boxes", (82.4, 6.0), MIXED, "wos-box", boxes="choices", settings=(("boxes", "choices"),)),
    Condition("MENACE, restock a move", (67.1, 5.9), MIXED, "wos-move", restock="move"),
    Condition(
        "MENACE, no restock", (88.5, 6.0), MIXED, "wos-box", restock="none", settings=(("when_empty", "resign"),)
    ),
)
Q_RANDOM, Q_BLOCKING, SARSA_RANDOM, SARSA_BLOCKING = (
    Condition("Q-learning, random", (98.0, 1.2), (("random", 5000),), "wos-q-learning", off_policy=True),
    Condition("Q-learning, defensive", (10.2, 30.9), (("blocking", 5000),), "wos-q-learning", off_policy=True),
    Condition("SARSA, random", (97.9, 1.9), (("random", 5000),), "wos-sarsa", off_policy=False),
    Condition("SARSA, defensive", (20.5, 40.3), (("blocking", 5000),), "wos-sarsa", off_policy=False),
)
ALONE = Condition("MENACE, optimal alone", None, (("optimal", 500),), "wos-box")
LONG = Condition("MENACE, defensive alone, 5,000 games", None, (("blocking", 5000),), "wos-box")
PRINTED = (BOX, FILTER, MOVE, NONE, Q_RANDOM, Q_BLOCKING, SARSA_RANDOM, SARSA_BLOCKING)
OURS = (ALONE, LONG)
