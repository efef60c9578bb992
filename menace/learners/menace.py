"""MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

    choose: shake the box of the position, draw a bead; its colour is the move
            (an empty box: give up; or put its first beads back, then draw; or pick any cell)
    learn:  after the game, for each box opened: beads of the colour drawn += win, draw or loss,
            not below `floor`, not above kernel.MOST_BEADS; drawn += 1

Source: D. Michie, Trial and Error, Penguin Science Survey 2 (1961), 129-145.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.errors import InvalidSetting
from menace.games.base import ONGOING
from menace.learners.base import Algorithm, Learned, Policy, PolicyKind, Preset
from menace.learners.settings import bounded, check
from menace.table import TransitionTable

WHEN_EMPTY = {"resign": 0, "restock": 1, "random": 2}  # the kernel's EMPTY_...
TIC_TAC_TOE_POSITIONS = (765, 5478)  # with symmetry, and without
MICHIE_STAGE = 3  # stages count from 0: Michie left boxes out at X's fourth move


@dataclass(frozen=True)
class MenaceSettings:
    """Settings of a machine of matchboxes.

    Attributes:
        boxes: which positions have a box: `choices`, more than one empty cell (304 for X, 289 for O); `all` in which
            it is to move (338 for X); `michie`, X's without the 17 at its fourth move that it has lost (287).
        beads: first beads of each colour at its first, second, ... move; the last number repeats.
        merged: equivalent moves share a colour that counts once; if not, once for each equivalent cell.
        win, draw, loss: beads added to each colour drawn, after the game.
        floor: no pile goes below this.
        when_empty: a box without beads `resign`s the game, is `restock`ed with its first beads, or plays at `random`.
    """

    boxes: Literal["choices", "all", "michie"] = "choices"
    beads: tuple[int, ...] = bounded((4, 3, 2, 1), 1, 10_000)
    merged: bool = True
    win: int = bounded(3, 0, 10_000)
    draw: int = bounded(1, -10_000, 10_000)
    loss: int = bounded(-1, -10_000, 0)
    floor: int = bounded(0, 0, 10_000)
    when_empty: Literal["resign", "restock", "random"] = "restock"

    def __post_init__(self) -> None:
        check(self)
        if not self.loss <= self.draw <= self.win:
            raise InvalidSetting(f"setting draw={self.draw} is not between loss={self.loss} and win={self.win}")
        if self.floor > min(self.beads):
            raise InvalidSetting(f"setting floor={self.floor} is above the first beads {min(self.beads)}")


def boxed_positions(settings: MenaceSettings, table: TransitionTable, side: int) -> NDArray[np.bool_]:
    """Return [positions], whether the machine has a box for it.

    Michie's own machine left out the positions at X's fourth move in which O has two cells to win on and X none.
    There X has lost whatever it plays, and those are all that it has lost by then: the 17 (FACTS in the tests).

    Raises:
        InvalidSetting: if `boxes` is `michie` and the machine does not play X at tic-tac-toe.
    """
    its_own = table.moved_by(side)
    if settings.boxes == "all":
        return its_own
    choices: NDArray[np.bool_] = its_own & (table.cells > 1)
    if settings.boxes == "choices":
        return choices
    if side != 0 or table.positions not in TIC_TAC_TOE_POSITIONS:
        raise InvalidSetting("setting boxes=michie is for a machine that plays X at tic-tac-toe (3x3x3)")
    lost: NDArray[np.bool_] = (table.ply == 2 * MICHIE_STAGE) & (table.minimax == -1)
    return choices & ~lost


def first_beads(settings: MenaceSettings, table: TransitionTable) -> NDArray[np.int32]:
    """Return [moves], the beads that a fresh box holds for each move."""
    stage = np.minimum(table.ply // 2, len(settings.beads) - 1)
    beads = np.array(settings.beads, np.int32)[stage][table.position_of_move]
    return beads if settings.merged else beads * table.multiplicity


def fresh(settings: MenaceSettings, table: TransitionTable, side: int) -> Learned:
    """Fill the boxes. Entries without a box hold the multiplicity, by which the kernel picks there."""
    kept = boxed_positions(settings, table, side)[table.position_of_move]
    amount = np.where(kept, first_beads(settings, table), table.multiplicity).astype(np.int32)
    return Learned(kept, amount, np.zeros(table.moves, np.int64))


def policy(settings: MenaceSettings, table: TransitionTable, side: int, learned: Learned, kind: PolicyKind) -> Policy:
    """Return the shares of beads (`behaviour`), or the colours that have most in their box (`greedy`)."""
    position = table.position_of_move
    weight = learned.amount.astype(np.float64)
    empty = boxed_positions(settings, table, side) & (table.sum_over_moves(weight) == 0)
    resigns = np.zeros(table.positions)
    if settings.when_empty == "resign":
        resigns[empty] = 1.0
    elif settings.when_empty == "restock":
        weight = np.where(empty[position], first_beads(settings, table), weight)
    else:
        weight = np.where(empty[position], table.multiplicity, weight)
    if kind == "greedy":
        choosing = learned.kept & ~(empty[position] & (settings.when_empty == "random"))
        favourite = weight == table.most_of_moves(weight)[position]
        weight = np.where(choosing, favourite * table.multiplicity, weight)
    its_own = table.moved_by(side) & (resigns == 0)
    total = np.where(its_own, table.sum_over_moves(weight), 1.0)
    return Policy(np.where(its_own[position], weight / total[position], 0.0), resigns)


def player(
    settings: MenaceSettings,
    table: TransitionTable,
    side: int,
    graph: kernel.Graph,
    learned: Learned,
    learns: bool,
) -> kernel.FixedPlayer:
    """Return the machine as the kernel plays it."""
    boxed = boxed_positions(settings, table, side) & (table.outcome == ONGOING)
    return kernel.BeadPlayer(
        graph,
        learned.amount,
        table.sum_over_moves(learned.amount).astype(np.int32),
        boxed.astype(np.int8),
        first_beads(settings, table),
        learned.count,
        side,
        settings.win,
        settings.draw,
        settings.loss,
        settings.floor,
        WHEN_EMPTY[settings.when_empty],
        learns,
    )


MENACE = Algorithm("menace", "matchbox", MenaceSettings, fresh, policy, player)

SCROGGS = "M. Scroggs, MENACE, github.com/mscroggs/MENACE and www.mscroggs.co.uk/menace"
MANCHESTER = "M. Scroggs, MENACE at Manchester Science Festival 2017, mscroggs.co.uk/blog/45"
MENACE_PRESETS = {
    "menace": Preset(
        "menace",
        MenaceSettings(),
        ("X", "O"),
        "Michie's beads; an empty box gets its first beads back",
        "Beads and rewards: Michie 1961. Restocking is ours: with it nearly every machine learns to draw.",
    ),
    "michie-1961": Preset(
        "menace",
        MenaceSettings(boxes="michie", when_empty="resign"),
        ("X",),
        "the matchbox machine of 1961, 287 boxes",
        "D. Michie, Trial and Error, Penguin Science Survey 2 (1961); the number of boxes: Computer Journal 6 (1963).",
    ),
    "scroggs": Preset(
        "menace",
        MenaceSettings(beads=(8, 4, 2, 1), when_empty="resign"),
        ("X", "O"),
        "the machine of Matthew Scroggs' web page",
        f"{SCROGGS}. The machine for O has the same numbers.",
    ),
    "manchester-saturday": Preset(
        "menace",
        MenaceSettings(beads=(8, 3, 2, 1), when_empty="resign"),
        ("X",),
        "Manchester 2017, first day: 8,3,2,1, merged",
        f"{MANCHESTER}. Resigning is his page's rule.",
    ),
    "manchester-sunday": Preset(
        "menace",
        MenaceSettings(merged=False, when_empty="resign"),
        ("X",),
        "Manchester 2017, second day: 4,3,2,1, not merged",
        f"{MANCHESTER}. Resigning is his page's rule.",
    ),
    "article": Preset(
        "menace",
        MenaceSettings(beads=(10,), win=1, draw=0),
        ("X", "O"),
        "ten beads of each colour, one more for a win, one less for a loss",
        "A blog article on matchboxes. It does not say what an empty box does; restocking is ours.",
    ),
}
