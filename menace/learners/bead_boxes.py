"""Base of learners with beads in boxes: which positions have a box, and the beads that it starts with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidSetting
from menace.games.positions import Positions
from menace.learners.algorithm import Learned, Settings
from menace.learners.settings import setting

TIC_TAC_TOE = "tictactoe 3x3x3"
MICHIE_STAGE = 3  # stages count from 0: Michie left boxes out at X's fourth move


@dataclass(frozen=True)
class BoxSettings(Settings):
    """Settings of a learner that keeps beads in boxes.

    >>> from menace.learners.menace import MenaceSettings
    >>> MenaceSettings(win=1, draw=2)  # which checks itself
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting draw=2 is not between loss=-1 and win=1
    """

    boxes: Literal["choices", "all", "michie"] = setting(
        "choices",
        "which positions have a box: choices, those with more than one move (in tic-tac-toe 304 for X, 289 for O); all"
        " in which it is to move (338 for X); michie, for X at tic-tac-toe, leaves out the 17 at its fourth move that"
        " it has lost (287)",
    )
    beads: tuple[int, ...] = setting(
        (4, 3, 2, 1),
        "first beads of each colour at its first, second, ... move; the last number repeats",
        1,
        10_000,
    )
    merged: bool = setting(
        True,
        "whether the colour that equivalent moves share counts once, or once for each of those moves",
    )
    win: int = setting(3, "beads added to each colour played, after a win", 0, 10_000)
    draw: int = setting(1, "beads added to each colour played, after a draw", -10_000, 10_000)
    loss: int = setting(
        -1,
        "beads added to each colour played, after a loss; below 0, that many are taken out",
        -10_000,
        10_000,
    )
    floor: int = setting(0, "no pile falls below this", 0, 10_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.loss <= self.draw <= self.win:
            raise InvalidSetting(f"setting draw={self.draw} is not between loss={self.loss} and win={self.win}")
        if self.floor > min(self.beads):
            raise InvalidSetting(f"setting floor={self.floor} is above the first beads {min(self.beads)}")


def boxed_positions(settings: BoxSettings, positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return [positions], whether the machine has a box for it.

    Michie's own machine left out the positions at X's fourth move in which O has two cells to win on and X none.
    There X has lost whatever it plays, and those are all that it has lost by then: the 17 of docs/facts.md.

    Raises:
        InvalidSetting: if `boxes` is `michie` and the machine does not play X at tic-tac-toe.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.menace import MenaceSettings
    >>> which = [MenaceSettings(boxes=boxes) for boxes in ("choices", "all", "michie")]
    >>> [int(boxed_positions(settings, tictactoe(), side=0).sum()) for settings in which]
    [304, 338, 287]
    """
    its_own = positions.moved_by(side)
    if settings.boxes == "all":
        return its_own
    choices: NDArray[np.bool_] = its_own & (positions.cells > 1)
    if settings.boxes == "choices":
        return choices
    if side != 0 or positions.title != TIC_TAC_TOE:
        raise InvalidSetting("setting boxes=michie is for a machine that plays X at tic-tac-toe (3x3x3)")
    lost: NDArray[np.bool_] = (positions.ply == 2 * MICHIE_STAGE) & (positions.minimax == -1)
    return choices & ~lost


@lru_cache(maxsize=16)
def first_beads(settings: BoxSettings, positions: Positions) -> NDArray[np.int32]:
    """Return [moves], the beads that a fresh box holds for each move: the same array each time. Do not write into it.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.menace import MenaceSettings
    >>> [first_beads(MenaceSettings(merged=merged), tictactoe())[:3].tolist() for merged in (True, False)]
    [[4, 4, 4], [16, 16, 4]]
    """
    stage = np.minimum(positions.ply // 2, len(settings.beads) - 1)  # its own moves before this one, by the longest way
    beads = np.array(settings.beads, np.int32)[stage][positions.position_of_move]
    return beads if settings.merged else beads * positions.multiplicity


def fresh_boxes(settings: BoxSettings, positions: Positions, side: int, kind: type[np.generic]) -> Learned:
    """Fill the boxes. Entries without a box hold the multiplicity, by which the kernel picks there.

    Args:
        settings: which boxes there are, and their beads.
        positions: the game.
        side: 0 for X, 1 for O.
        kind: the numbers that the kernel's player counts beads in.

    Raises:
        InvalidSetting: if the boxes do not fit the side or the game.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.menace import MenaceSettings
    >>> learned = fresh_boxes(MenaceSettings(), tictactoe(), 0, np.int32)
    >>> int(learned.amount[learned.kept].sum()), learned.games  # beads for the 304 boxes
    (1720, 0)
    """
    kept = boxed_positions(settings, positions, side)[positions.position_of_move]
    amount: NDArray[Any] = np.where(kept, first_beads(settings, positions), positions.multiplicity).astype(kind)
    return Learned(kept, amount, np.zeros(positions.move_count, np.int64))
