"""Learners with beads in boxes: MENACE, which draws beads, and the favourite, which takes the fullest colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidSetting
from menace.games.positions import Positions
from menace.games.symmetry import TIC_TAC_TOE
from menace.kernel import loop as kernel
from menace.learners.algorithm import OWN, Algorithm, KitGame, KitRules, Learned, LearnerState, PileRule, Settings
from menace.learners.algorithms.exploration import EPSILON, EPSILON_DECAY, EPSILON_LEAST, check_least, epsilon_of
from menace.learners.policy import Policy, PolicyName, greedy_policy
from menace.learners.settings import MOST_BEADS, setting
from menace.text.wording import counted

MICHIE_STAGE = 3  # stages count from 0: Michie left boxes out at X's fourth move


@dataclass(frozen=True)
class BoxSettings(Settings):
    """Settings of a learner that keeps beads in boxes.

    >>> from menace.learners.algorithms.beads import MenaceSettings
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
    >>> from menace.learners.algorithms.beads import MenaceSettings
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
    >>> from menace.learners.algorithms.beads import MenaceSettings
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
    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> learned = fresh_boxes(MenaceSettings(), tictactoe(), 0, np.int32)
    >>> int(learned.amount[learned.kept].sum()), learned.games  # beads for the 304 boxes
    (1720, 0)
    """
    kept = boxed_positions(settings, positions, side)[positions.position_of_move]
    amount: NDArray[Any] = np.where(kept, first_beads(settings, positions), positions.multiplicity).astype(kind)
    return Learned(kept, amount, np.zeros(positions.move_count, np.int64))


WHEN_EMPTY = {"resign": 0, "restock": 1, "random": 2, "restock-colour": 3}  # the kernel's EMPTY_...


@dataclass(frozen=True)
class MenaceSettings(BoxSettings):
    """MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

        choose: shake the box of the position, draw a bead; its colour is the move
                (an empty box: resign; or put its first beads back, then draw; or pick any cell)
        learn:  after the game, for each box that a bead was drawn from (`credit=last`: the last of them alone):
                beads of the colour drawn += win, draw or loss, not below `floor` or above MOST_BEADS; picked += 1
                (`restock-colour`: if that leaves none of them, the colour's first beads are put back)

    Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963).

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


def _menace_kit(settings: MenaceSettings, game: KitGame) -> KitRules:
    last_only = settings.credit == "last"
    punished = (
        "The last bead is then that of the move before." if last_only else "The other boxes of the game are punished."
    )
    any_move = "any empty cell" if game.of_cells else "any move"
    empty = {
        "resign": f"If the box is empty, the machine resigns and has lost. {punished}",
        "restock": "If the box is empty, put its first beads back as for a fresh machine; then draw.",
        "random": f"If the box is empty, play {any_move}, by lot; this move is not learned from.",
    }
    restock = (
        ["Where that was the last bead of its colour, put the colour's first beads back, as for a fresh machine."]
        if settings.when_empty == "restock-colour"
        else []
    )
    return KitRules(
        draw="Shake the box, and draw one bead without looking. {made}",
        empty=(empty[settings.when_empty],) if settings.when_empty in empty else (),  # else no box is ever empty
        teach=_taught(settings, game, last_change_text if last_only else change_text, restock),
        gained=settings.win,
    )


def _taught(
    settings: BoxSettings, game: KitGame, text: Callable[[int], str], more: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the rules for the open boxes if the result of the game alone says what changes."""
    return (
        f"The machine has won: {text(settings.win)}",
        *([f"A draw: {text(settings.draw)}"] if game.has_draws else []),
        f"The machine has lost: {text(settings.loss)}",
        *more,
        _close_boxes(settings.floor),
    )


def change_text(beads: int) -> str:
    """Return the rule for each open box, given the change of its colour's beads.

    >>> change_text(3)
    'in each open box, put the bead back and add 3 beads of its colour.'
    """
    if beads > 0:
        return f"in each open box, put the bead back and add {counted(beads, 'bead')} of its colour."
    if beads == 0:
        return "in each open box, put the bead back."
    extra = (
        f", and take out {counted(-beads - 1, 'bead')} more of its colour, if there are that many" if beads < -1 else ""
    )
    return f"in each open box, keep the bead out{extra}."


def last_change_text(beads: int) -> str:
    """Return the rule for the open boxes if only the bead that was drawn last is rewarded or punished.

    >>> last_change_text(-1)
    'keep out the bead that was drawn last; in each other open box, put the bead back.'
    """
    back = "in each open box, put the bead back"
    if beads > 0:
        return f"{back}; to the one that was drawn last add {counted(beads, 'bead')} of its colour."
    if beads == 0:
        return f"{back}."
    extra = f", and take {counted(-beads - 1, 'bead')} more of its colour, as far as there are" if beads < -1 else ""
    return f"keep out the bead that was drawn last{extra}; in each other open box, put the bead back."


def _close_boxes(floor: int) -> str:
    kept = (
        f" Always leave at least {counted(floor, 'bead')} of each colour that its label shows in a box."
        if floor
        else ""
    )
    return f"Then close all boxes; they are ready for the next game.{kept}"


def _menace_on_site(settings: MenaceSettings, learner: LearnerState) -> dict[str, Any]:
    return {
        "kind": "beads",
        "learns": True,
        "boxed": boxed_positions(settings, learner.positions, learner.side),
        "first_beads": first_beads(settings, learner.positions).tolist(),
        **{key: getattr(settings, key) for key in ("win", "draw", "loss", "floor", "when_empty")},
        "last_only": settings.credit == "last",
    }


def _menace_piles(settings: MenaceSettings, positions: Positions) -> PileRule:
    return PileRule(
        first_beads(settings, positions),
        (settings.win, settings.draw, settings.loss),
        settings.floor,
        MOST_BEADS,
        last_only=settings.credit == "last",
        resigns=settings.when_empty == "resign",
        restocks=settings.when_empty in {"restock", "restock-colour"},
        restocks_piles=settings.when_empty == "restock-colour",
    )


def _credited(settings: MenaceSettings) -> Literal["all", "last"]:
    return settings.credit


MENACE = Algorithm(
    "menace",
    "matchbox",
    MenaceSettings,
    words="To move, it shakes the box of the position{alike} and plays the coloured bead that comes to rest in the"
    " corner. If it wins, its boxes get more beads of the colours that it played; if it loses, they lose one of each.",
    kit_rules=_menace_kit,
    site_rule=_menace_on_site,
    pile_rule=_menace_piles,
    rewarded=_credited,
    amounts=(0, MOST_BEADS),
    by_share=True,
)


RESULTS = ("win", "draw", "loss")  # in the order of `bead_changes`, and of the kernel


@dataclass(frozen=True)
class FavouriteSettings(BoxSettings):
    """The favourite: beads in boxes, as MENACE has them, but the colour with most beads is taken, not drawn.

        choose: with probability epsilon any of the box's colours alike; else the colour with most beads, equal ones by
                their cells; no box counts as empty, without beads all its colours are equal
        learn:  after the game, for each box opened: beads of the colour taken += win, draw or loss,
                not below `floor` or above MOST_BEADS; picked += 1; then
                epsilon *= epsilon_decay, raised to epsilon_least

    With `rewards=length` only a game with a winner teaches, the more the shorter it was and the nearer to its end a
    colour was taken: `length_changes` is the one place that says how much. `picked` counts drawn games all the
    same.

    Source: R. Kaushik, github.com/riturajkaushik/self-learning-tic-tac-toe (2018), `learn` in tic_tac_toe.py.

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


def _favourite_kit(settings: FavouriteSettings, game: KitGame) -> KitRules:
    word = "cell" if game.of_cells else "move"
    explore = (
        f" (But in a share {settings.epsilon:g} of its moves at first, times {settings.epsilon_decay:g} after each"
        f" game, down to {settings.epsilon_least:g}, pick one of the box's colours by lot.)"
    )
    won = bead_changes(settings, game.longest)[0]
    by_length = [(moves, won[moves, game.side : moves : 2], can[game.side]) for moves, *can in game.lengths]
    return KitRules(
        draw=f"Take the colour that the box has most of; of equal ones draw lots by their {word}s. {{made}}"
        + (explore if settings.epsilon > 0 else ""),
        empty=("If the box is empty, all its colours are equal: draw lots.",),
        teach=_taught_by_length(settings, game)
        if settings.rewards == "length"
        else _taught(settings, game, change_text),
        gained=max((int(changes.max(initial=0)) for _, changes, wins in by_length if wins), default=0),
    )


def _taught_by_length(settings: FavouriteSettings, game: KitGame) -> tuple[str, ...]:
    won = bead_changes(settings, game.longest)[0]
    lines = []
    for moves, *_ in game.lengths:
        changes = ", ".join(f"{change:+d}" for change in won[moves, game.side : moves : 2].tolist())
        lines.append(f"after {counted(moves, 'move')} {changes}")
    added = (
        "The machine has won: put every bead back, and add to its colour, for the machine's 1st, 2nd, ... move of a"
        " game that was over"
    )
    return (
        *(["A draw: put every bead back."] if game.has_draws else []),
        f"{added} {'; '.join(lines)}.",
        "The machine has lost: put every bead back, and take as many out as a win of the same length would add.",
        _close_boxes(settings.floor),
    )


def _favourite_on_site(settings: FavouriteSettings, learner: LearnerState) -> dict[str, Any]:
    return {
        "kind": "favourite",
        "learns": True,
        "boxed": boxed_positions(settings, learner.positions, learner.side),
        "changes": bead_changes(settings, learner.positions.longest).ravel().tolist(),
        "floor": settings.floor,
        "decay": settings.epsilon_decay,
        "least": settings.epsilon_least,
        "explores_alike": True,
        "first_of_ties": False,
    }


def _rewarded_favourites(settings: FavouriteSettings) -> Literal["all"] | None:
    return "all" if settings.rewards == "outcome" else None


FAVOURITE = Algorithm(
    "favourite",
    "matchbox",
    FavouriteSettings,
    words="Each box stands for one position{alike}. To move, the machine opens the box of the position and takes the"
    " colour with the most beads. After the game, beads are added to the boxes that were opened, or taken out.",
    kit_rules=_favourite_kit,
    site_rule=_favourite_on_site,
    pile_rule=None,
    rewarded=_rewarded_favourites,
    amounts=(0, MOST_BEADS),
)
