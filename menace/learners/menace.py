"""MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

    choose: shake the box of the position, draw a bead; its colour is the move
            (an empty box: give up; or put its first beads back, then draw; or pick any cell)
    learn:  after the game, for each box opened: beads of the colour drawn += win, draw or loss,
            not below `floor`, not above kernel.MOST_BEADS; picked += 1

With `pick=favourite` the colour with most beads is taken (equal ones share by their cells), or, with probability
epsilon, one of the colours alike; no box counts as empty then.

With `rewards=length` only a game with a winner teaches, the more the shorter it was and the nearer to its end a colour
was drawn: `length_changes` is the one place that says how much. `picked` counts drawn games all the same.

Source: D. Michie, Trial and Error, Penguin Science Survey 2 (1961), 129-145; `rewards=length`: R. Kaushik,
github.com/riturajkaushik/self-learning-tic-tac-toe (2018), `learn` in tic_tac_toe.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.errors import InvalidSetting
from menace.games.positions import Positions
from menace.learners.base import OWN, Algorithm, Learned, Policy, PolicyKind, Preset, greedy_policy
from menace.learners.settings import bounded, check

RESULTS = ("win", "draw", "loss")  # in the order of `bead_changes`, and of the kernel
MOST_BEADS = 2**26 - 1  # in a pile: the kernel's, which is its own
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
        pick: draw a `bead`, or take the `favourite`.
        epsilon, epsilon_decay, epsilon_least: of `favourite`: how often it explores at first; what that is multiplied
            by after each game; what it does not fall below.
        rewards: beads by `outcome` (win, draw, loss), or by the `length` of the game, whatever win, draw and loss say
            (with `favourite` only).
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
    pick: Literal["bead", "favourite"] = "bead"
    rewards: Literal["outcome", "length"] = "outcome"
    epsilon: float = bounded(0.0, 0, 1)
    epsilon_decay: float = bounded(1.0, 0, 1)
    epsilon_least: float = bounded(0.0, 0, 1)

    def __post_init__(self) -> None:
        check(self)
        if self.pick == "bead" and (self.rewards == "length" or self.epsilon > 0):
            raise InvalidSetting("settings rewards=length and epsilon above 0 need pick=favourite")
        if self.epsilon_least > self.epsilon:
            raise InvalidSetting(f"setting epsilon_least={self.epsilon_least} is above epsilon={self.epsilon}")
        if not self.loss <= self.draw <= self.win:
            raise InvalidSetting(f"setting draw={self.draw} is not between loss={self.loss} and win={self.win}")
        if self.floor > min(self.beads):
            raise InvalidSetting(f"setting floor={self.floor} is above the first beads {min(self.beads)}")

    def fresh(self, positions: Positions, side: int) -> Learned:
        """Fill the boxes. Entries without a box hold the multiplicity, by which the kernel picks there."""
        kept = boxed_positions(self, positions, side)[positions.position_of_move]
        kind = np.int32 if self.pick == "bead" else np.float64  # favourites are compared as values
        amount = np.where(kept, first_beads(self, positions), positions.multiplicity).astype(kind)
        learned = Learned(kept, amount, np.zeros(positions.move_count, np.int64))
        if self.pick == "favourite":
            learned.state[0] = self.epsilon
        return learned

    def policy(self, positions: Positions, side: int, learned: Learned, kind: PolicyKind) -> Policy:
        """Return the shares of beads (`behaviour`), or the colours that have most in their box (`greedy`)."""
        if self.pick == "favourite":
            epsilon = (learned.epsilon or 0.0) if kind == "behaviour" else 0.0
            value = np.where(learned.kept, learned.amount, 0.0)  # without a box all cells are alike
            return greedy_policy(
                positions, side, value, epsilon, exploring=np.where(learned.kept, 1, positions.multiplicity)
            )
        position = positions.position_of_move
        weight = learned.amount
        empty = boxed_positions(self, positions, side) & (positions.sum_over_moves(weight) == 0)
        resigns = (empty & (self.when_empty == "resign")).astype(np.float64)
        if self.when_empty == "restock":
            weight = np.where(empty[position], first_beads(self, positions), weight)
        elif self.when_empty == "random":
            weight = np.where(empty[position], positions.multiplicity, weight)
        if kind == "greedy":
            choosing = learned.kept & ~(empty[position] & (self.when_empty == "random"))
            favourite = weight == positions.most_of_moves(weight)[position]
            weight = np.where(choosing, favourite * positions.multiplicity, weight)
        return Policy(positions, side, ((1.0, weight),), resigns)

    def player(
        self,
        graph: kernel.Graph,
        positions: Positions,
        side: int,
        learned: Learned,
        learns: bool,
        epsilon: float = OWN,
    ) -> kernel.FixedPlayer:
        """Return the machine as the kernel plays it."""
        boxed = boxed_positions(self, positions, side)
        if self.pick == "favourite":
            return self._favourite_player(graph, positions, side, learned, learns, epsilon)
        return kernel.BeadPlayer(
            graph,
            weight=learned.amount,
            total=positions.sum_over_moves(learned.amount).astype(np.int32),
            boxed=boxed.astype(np.int8),
            first_beads=first_beads(self, positions),
            picked=learned.count,
            side=side,
            learns=learns,
            win=self.win,
            draw=self.draw,
            loss=self.loss,
            floor=self.floor,
            when_empty=WHEN_EMPTY[self.when_empty],
        )

    def _favourite_player(
        self,
        graph: kernel.Graph,
        positions: Positions,
        side: int,
        learned: Learned,
        learns: bool,
        epsilon: float,
    ) -> kernel.FixedPlayer:
        boxed = boxed_positions(self, positions, side)
        colours = np.ones(positions.move_count, np.int32)
        return kernel.FavouritePlayer(
            graph,
            total=np.where(boxed, 0, positions.cells).astype(np.int32),
            exploring=kernel.FixedPlayer(graph, colours, positions.sum_over_moves(colours).astype(np.int32)),
            value=learned.amount,
            place=np.arange(positions.move_count, dtype=np.int32),
            count=learned.count,
            state=learned.state,
            side=side,
            learns=learns,
            epsilon=epsilon,
            decay=self.epsilon_decay,
            least=self.epsilon_least,
            decay_first=False,
            first_of_ties=False,
            boxed=boxed.astype(np.int8),
            changes=bead_changes(self, positions.longest).ravel(),
            floor=self.floor,
        )


def boxed_positions(settings: MenaceSettings, positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return [positions], whether the machine has a box for it.

    Michie's own machine left out the positions at X's fourth move in which O has two cells to win on and X none.
    There X has lost whatever it plays, and those are all that it has lost by then: the 17 of docs/facts.md.

    Raises:
        InvalidSetting: if `boxes` is `michie` and the machine does not play X at tic-tac-toe.
    """
    its_own = positions.moved_by(side)
    if settings.boxes == "all":
        return its_own
    choices: NDArray[np.bool_] = its_own & (positions.cells > 1)
    if settings.boxes == "choices":
        return choices
    if side != 0 or len(positions) not in TIC_TAC_TOE_POSITIONS:
        raise InvalidSetting("setting boxes=michie is for a machine that plays X at tic-tac-toe (3x3x3)")
    lost: NDArray[np.bool_] = (positions.ply == 2 * MICHIE_STAGE) & (positions.minimax == -1)
    return choices & ~lost


def first_beads(settings: MenaceSettings, positions: Positions) -> NDArray[np.int32]:
    """Return [moves], the beads that a fresh box holds for each move."""
    stage = np.minimum(positions.ply // 2, len(settings.beads) - 1)  # its own moves before this one, by the longest way
    beads = np.array(settings.beads, np.int32)[stage][positions.position_of_move]
    return beads if settings.merged else beads * positions.multiplicity


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


def bead_changes(settings: MenaceSettings, longest: int) -> NDArray[np.int32]:
    """Return the beads by which a colour changes that was drawn in a game, before `floor`.

    Returns:
        [3, longest + 1, longest]: by result (RESULTS), by the moves played in the game, and by the ply of the pick.
    """
    if settings.rewards == "length":
        won = length_changes(longest)
        return np.stack((won, np.zeros_like(won), -won))
    by_result = np.array([getattr(settings, result) for result in RESULTS], np.int32)
    return np.tile(by_result[:, np.newaxis, np.newaxis], (1, longest + 1, longest))


MENACE = Algorithm("menace", "matchbox", MenaceSettings, amounts=(0, MOST_BEADS))

SCROGGS = "M. Scroggs, MENACE, github.com/mscroggs/MENACE and www.mscroggs.co.uk/menace"
MANCHESTER = "M. Scroggs, MENACE at Manchester Science Festival 2017, mscroggs.co.uk/blog/45"
MICHIE_1961 = "D. Michie, Trial and Error, Penguin Science Survey 2 (1961)"
KAUSHIK = "R. Kaushik, How to train matchboxes to play human level tic-tac-toe (2018)"
MENACE_PRESETS = {
    "menace": Preset(
        "menace",
        MenaceSettings(),
        ("X", "O"),
        "Michie's beads; an empty box gets its first beads back",
        f"Beads and rewards: {MICHIE_1961}. Restocking is ours: with it nearly every machine learns to draw.",
    ),
    "michie-1961": Preset(
        "menace",
        MenaceSettings(boxes="michie", when_empty="resign"),
        ("X",),
        "the matchbox machine of 1961, 287 boxes",
        f"{MICHIE_1961}; the number of boxes: Computer Journal 6 (1963), doi.org/10.1093/comjnl/6.3.232.",
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
        f"{KAUSHIK}, riturajkaushik.github.io/2018/09/19/self-learning-tictactoe.html. It does not say what an empty"
        " box does; restocking is ours.",
    ),
    "article-code": Preset(
        "menace",
        MenaceSettings(beads=(2,), floor=1, pick="favourite", rewards="length"),
        ("X", "O"),
        "the program of that article: takes the fullest colour; a shorter game teaches more",
        "R. Kaushik, github.com/riturajkaushik/self-learning-tic-tac-toe (2018). It trains in phases, which say how"
        " much it explores: `--phases article`.",
    ),
}
