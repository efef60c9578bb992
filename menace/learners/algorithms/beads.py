"""Learning algorithms that use beads in boxes.

MENACE draws a bead, while the `favourite` algorithm plays the most common colour.
"""

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
from menace.learners.settings import MAX_BEADS, setting
from menace.text.wording import counted

MICHIE_STAGE = 3  # the stage at which Michie omitted boxes: X's fourth move, because stages are counted from 0


@dataclass(frozen=True)
class BoxSettings(Settings):
    """Settings shared by all learners with beads in boxes.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> MenaceSettings(win=1, draw=2)  # settings validate themselves
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting draw=2 is not between loss=-1 and win=1
    """

    boxes: Literal["choices", "all", "michie"] = setting(
        "choices",
        "positions that have a box: choices, those with more than one move (in tic-tac-toe 304 for X, 289 for O); all"
        " in which it is to move (338 for X); or michie, as choices for X in tic-tac-toe but without the 17 lost"
        " positions at its fourth move (287)",
    )
    beads: tuple[int, ...] = setting(
        (4, 3, 2, 1),
        "initial beads of each colour at the machine's first, second, ... move; the last number repeats",
        1,
        10_000,
    )
    merged: bool = setting(
        True,
        "yes: a colour shared by equivalent moves gets its initial beads once; no: once for each of these moves",
    )
    win: int = setting(3, "beads added after a win for each colour played", 0, 10_000)
    draw: int = setting(1, "beads added after a draw for each colour played", -10_000, 10_000)
    loss: int = setting(
        -1,
        "beads added after a loss for each colour played; a negative number removes beads",
        -10_000,
        10_000,
    )
    floor: int = setting(0, "minimum number of beads in a pile", 0, 10_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.loss <= self.draw <= self.win:
            raise InvalidSetting(f"setting draw={self.draw} is not between loss={self.loss} and win={self.win}")
        if self.floor > min(self.beads):
            raise InvalidSetting(f"setting floor={self.floor} is above the initial beads {min(self.beads)}")


def boxed_positions(settings: BoxSettings, positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return a boolean array [positions] that is true where the machine has a box.

    At X's fourth move, Michie's own machine had no boxes for positions in which O threatens to win on two cells and X
    cannot win immediately. X cannot avoid a loss in these positions. docs/facts.md lists these 17 lost positions.

    Raises:
        InvalidSetting: if `boxes` is `michie` and the machine does not play X in tic-tac-toe.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> which = [MenaceSettings(boxes=boxes) for boxes in ("choices", "all", "michie")]
    >>> [int(boxed_positions(settings, tictactoe(), side=0).sum()) for settings in which]
    [304, 338, 287]
    """
    own_turns = positions.moved_by(side)
    if settings.boxes == "all":
        return own_turns
    choices: NDArray[np.bool_] = own_turns & (positions.action_counts > 1)
    if settings.boxes == "choices":
        return choices
    if side != 0 or positions.title != TIC_TAC_TOE:
        raise InvalidSetting("setting boxes=michie requires a machine that plays X in tic-tac-toe (3x3x3)")
    lost: NDArray[np.bool_] = (positions.ply == 2 * MICHIE_STAGE) & (positions.minimax == -1)
    return choices & ~lost


@lru_cache(maxsize=16)
def initial_beads(settings: BoxSettings, positions: Positions) -> NDArray[np.int32]:
    """Return the initial number of beads for each move. Callers must not modify this cached array.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> [initial_beads(MenaceSettings(merged=merged), tictactoe())[:3].tolist() for merged in (True, False)]
    [[4, 4, 4], [16, 16, 4]]
    """
    # the number of moves that the machine has already made on the longest path to the position
    stage = np.minimum(positions.ply // 2, len(settings.beads) - 1)
    beads = np.array(settings.beads, np.int32)[stage][positions.position_of_move]
    return beads if settings.merged else beads * positions.multiplicity


def untrained_boxes(settings: BoxSettings, positions: Positions, side: int, kind: type[np.generic]) -> Learned:
    """Return the initial state.

    Entries without a box contain the multiplicity of the move, which the kernel uses as a weight.

    Args:
        settings: the settings, which determine the boxes and their beads.
        positions: the game.
        side: 0 for X, 1 for O.
        kind: the number type that the kernel player uses for beads.

    Raises:
        InvalidSetting: if the `boxes` setting does not allow the side or the game.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> learned = untrained_boxes(MenaceSettings(), tictactoe(), 0, np.int32)
    >>> int(learned.amount[learned.kept].sum()), learned.games  # the total number of beads in 304 boxes
    (1720, 0)
    """
    kept = boxed_positions(settings, positions, side)[positions.position_of_move]
    amount: NDArray[Any] = np.where(kept, initial_beads(settings, positions), positions.multiplicity).astype(kind)
    return Learned(kept, amount, np.zeros(positions.move_count, np.int64))


WHEN_EMPTY = {"resign": 0, "restock": 1, "random": 2, "restock-colour": 3}  # the values of the kernel's EMPTY constants


@dataclass(frozen=True)
class MenaceSettings(BoxSettings):
    """MENACE: Donald Michie's Matchbox Educable Noughts And Crosses Engine.

        choose: draw a bead at random from the position's box; its colour is the move
                (if the box is empty: resign; or put its initial beads back, then draw; or play at random)
        learn:  after the game, for each box that a bead was drawn from (`credit=last`: only the last of them):
                beads of the colour drawn += win, draw or loss, clipped to the range from `floor` to MAX_BEADS;
                picked += 1
                (`restock-colour`: if no bead of the colour is left, put the colour's initial beads back)

    Source: Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963).

    >>> settings = MenaceSettings(beads=(8, 4, 2, 1), when_empty="resign")  # Scroggs' machine
    >>> settings.win, settings.draw, settings.loss
    (3, 1, -1)
    """

    when_empty: Literal["resign", "restock", "random", "restock-colour"] = setting(
        "restock",
        "what happens at an empty box: the machine resigns (resign), the box gets its initial beads back (restock), or"
        " the machine plays at random (random). With restock-colour, no box is ever empty, because each colour that"
        " runs out gets its initial beads back at once",
    )
    credit: Literal["all", "last"] = setting(
        "all",
        "which beads of a game are rewarded or punished: all, or only the last one drawn (if the machine resigns at an"
        " empty box, the bead for its previous move)",
    )

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which all boxes contain their initial beads."""
        return untrained_boxes(self, positions, side, np.int32)

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that draws beads (`behaviour`) or plays the colour with the most beads (`greedy`)."""
        positions, side = learner.positions, learner.side
        weight, resigns = np.zeros(positions.move_count), np.zeros(len(positions))
        written = kernel.view(weight), kernel.view(resigns)
        kernel.bead_weights(positions.graph, side, self.drawn_boxes(learner), policy == "greedy", *written)
        return Policy(positions, side, ((1.0, weight),), resigns)

    def drawn_boxes(self, learner: LearnerState) -> kernel.Boxes:
        """Return the beads in the form that the kernel uses. The result and the learner share the same arrays."""
        learned, first = learner.learned, initial_beads(self, learner.positions)
        return kernel.Boxes(learned.amount, learned.kept.view(np.int8), first, WHEN_EMPTY[self.when_empty])

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner. This player does not explore."""
        positions, learned = learner.positions, learner.learned
        return kernel.BeadPlayer(
            graph,
            weight=learned.amount,
            total=positions.sum_over_moves(learned.amount).astype(np.int32),
            boxed=boxed_positions(self, positions, learner.side).astype(np.int8),
            first_beads=initial_beads(self, positions),
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
        "The last bead drawn is then the bead for the machine's previous move."
        if last_only
        else "The boxes opened earlier in the game are punished."
    )
    any_move = "any empty cell" if game.of_cells else "any move"
    empty = {
        "resign": f"If the box is empty, the machine resigns and loses. {punished}",
        "restock": "If the box is empty, put its initial beads back as for a new machine; then draw.",
        "random": f"If the box is empty, play {any_move} at random; the machine does not learn from this move.",
    }
    restock = (
        ["If a box has no beads of a colour left, put the colour's initial beads back, as for a new machine."]
        if settings.when_empty == "restock-colour"
        else []
    )
    return KitRules(
        draw="Shake the box and draw one bead without looking. {made}",
        # With restock-colour, no box can be empty.
        empty=(empty[settings.when_empty],) if settings.when_empty in empty else (),
        teach=_teaching_lines(settings, game, last_bead_change_text if last_only else change_text, restock),
    )


def _teaching_lines(
    settings: BoxSettings, game: KitGame, text: Callable[[int], str], more: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the printed rules for open boxes if only the result of a game determines how the boxes change."""
    return (
        f"The machine has won: {text(settings.win)}",
        *([f"A draw: {text(settings.draw)}"] if game.has_draws else []),
        f"The machine has lost: {text(settings.loss)}",
        *more,
        _close_boxes(settings.floor),
    )


def change_text(beads: int) -> str:
    """Return the rule for every open box if all drawn beads are rewarded or punished.

    Args:
        beads: the change in the number of beads of the drawn bead's colour.

    >>> change_text(3)
    'in each open box, put the bead back and add 3 beads of its colour.'
    """
    if beads > 0:
        return f"in each open box, put the bead back and add {counted(beads, 'bead')} of its colour."
    if beads == 0:
        return "in each open box, put the bead back."
    return f"in each open box, keep the bead out{_more_removed(beads)}."


def last_bead_change_text(beads: int) -> str:
    """Return the rule for the open boxes if only the last bead drawn is rewarded or punished.

    Args:
        beads: the change in the number of beads of the drawn bead's colour.

    >>> last_bead_change_text(-1)
    'do not put back the last bead drawn; put every other bead back into its box.'
    """
    back = "in each open box, put the bead back"
    if beads > 0:
        return f"{back}; to the box of the last bead drawn, add {counted(beads, 'bead')} of that bead's colour."
    if beads == 0:
        return f"{back}."
    return f"do not put back the last bead drawn{_more_removed(beads)}; put every other bead back into its box."


def _more_removed(beads: int) -> str:
    more = counted(-beads - 1, "more bead")
    return f", and remove {more} of its colour, or all that are left" if beads < -1 else ""


def _close_boxes(floor: int) -> str:
    kept = f"In each box, always leave at least {counted(floor, 'bead')} of each colour on the box's label."
    return "Then close all boxes; they are ready for the next game." + (f" {kept}" if floor else "")


def _menace_on_site(settings: MenaceSettings, learner: LearnerState) -> dict[str, Any]:
    return {
        "kind": "beads",
        "learns": True,
        "boxed": boxed_positions(settings, learner.positions, learner.side),
        "first_beads": initial_beads(settings, learner.positions).tolist(),
        **{key: getattr(settings, key) for key in ("win", "draw", "loss", "floor", "when_empty")},
        "last_only": settings.credit == "last",
    }


def _menace_pile_rule(settings: MenaceSettings, positions: Positions) -> PileRule:
    return PileRule(
        initial_beads(settings, positions),
        (settings.win, settings.draw, settings.loss),
        settings.floor,
        MAX_BEADS,
        last_only=settings.credit == "last",
        resigns=settings.when_empty == "resign",
        restocks=settings.when_empty in {"restock", "restock-colour"},
        restocks_piles=settings.when_empty == "restock-colour",
    )


def _credited(settings: MenaceSettings) -> Literal["all", "last"]:
    return settings.credit  # not a lambda, because machines are pickled with their algorithm


MENACE = Algorithm(
    "menace",
    "matchbox",
    MenaceSettings,
    words="To move, it shakes the box of the position{alike} and plays the move of the bead that rolls into the corner."
    " If it wins, its boxes get more beads of the colours that it played; if it loses, they lose one of each.",
    kit_rules=_menace_kit,
    site_rule=_menace_on_site,
    pile_rule=_menace_pile_rule,
    rewarded=_credited,
    amounts=(0, MAX_BEADS),
    by_share=True,
)


RESULTS = ("win", "draw", "loss")  # in the same order as in `bead_changes` and in the kernel


@dataclass(frozen=True)
class FavouriteSettings(BoxSettings):
    """The favourite, which learns like MENACE but plays the colour with the most beads instead of drawing a bead.

        choose: with probability epsilon, any colour of the box with equal probability; else the colour with the most
                beads, ties by multiplicity; in a box without beads all colours are equal
        learn:  after the game, for each box opened: beads of the colour played += win, draw or loss,
                clipped to the range from `floor` to MAX_BEADS; picked += 1; then
                epsilon *= epsilon_decay, but not below epsilon_least

    With `rewards=length`, only won and lost games change the numbers of beads. `length_changes` computes these changes,
    which are larger for shorter games and for later moves. `picked` also counts picks in drawn games.

    Source: Kaushik, github.com/riturajkaushik/self-learning-tic-tac-toe (2018), `learn` in tic_tac_toe.py.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("article-code", "X")
    >>> machine.settings == FavouriteSettings(beads=(2,), floor=1, rewards="length"), machine.draws_beads
    (True, False)
    """

    rewards: Literal["outcome", "length"] = setting(
        "outcome",
        "whether the number of beads added depends on the outcome (settings win, draw and loss) or on the length of "
        "the game (which ignores win, draw and loss)",
    )
    epsilon: float = setting(0.0, EPSILON, 0, 1)
    epsilon_decay: float = setting(1.0, EPSILON_DECAY, 0, 1)
    epsilon_least: float = setting(0.0, EPSILON_LEAST, 0, 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self.epsilon, self.epsilon_least)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which all boxes contain their initial beads."""
        learned = untrained_boxes(self, positions, side, np.float64)  # the kernel compares piles like values
        learned.state[0] = self.epsilon
        return learned

    def changes(self, longest: int) -> NDArray[np.int32]:
        """Return the result of `bead_changes` for a game."""
        return bead_changes(self, longest)

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that plays the colour with the most beads. The `behaviour` policy also explores."""
        learned, positions = learner.learned, learner.positions
        value = np.where(learned.kept, learned.amount, 0.0)  # without a box, all moves in a position have equal amounts
        exploring = np.where(learned.kept, 1, positions.multiplicity)
        return greedy_policy(positions, learner.side, value, epsilon_of(learner, policy), exploring=exploring)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner. If `epsilon` is 0 or more, it replaces the learner's own epsilon."""
        positions, learned = learner.positions, learner.learned
        boxed = boxed_positions(self, positions, learner.side)
        colours = np.ones(positions.move_count, np.int32)
        return kernel.FavouritePlayer(
            graph,
            total=np.where(boxed, 0, positions.action_counts).astype(np.int32),
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
    """Return how many beads of a colour `rewards=length` adds after a win or removes after a loss.

    This number is the sum of two terms, each of which is divided by two and rounded down. The first term is the number
    of moves in the longest possible game minus the number of moves in the game played. The second term is the number of
    moves in the longest possible game minus the number of moves after the pick. Instead of the number of moves in the
    longest possible game, Kaushik's program uses two constants: 10, the number of boards in a full game of tic-tac-toe,
    and 9, the number of cells. For tic-tac-toe, this function returns the same numbers as Kaushik's program. The
    numbers are never negative in any game, so a winner never loses beads.

    Args:
        longest: the length of the longest game, in moves.

    Returns:
        int32 [longest + 1, longest], indexed by the number of moves in the game and the ply of the pick, counting from
        0. Entries for plies after the end of the game are 0.

    >>> length_changes(9)[5].tolist()
    [4, 5, 5, 6, 6, 0, 0, 0, 0]
    """
    moves = np.arange(longest + 1, dtype=np.int32)[:, np.newaxis]
    ply = np.arange(longest, dtype=np.int32)
    changes = (longest - moves) // 2 + (longest - (moves - 1 - ply)) // 2
    return np.where(ply < moves, changes, 0).astype(np.int32)


def bead_changes(settings: FavouriteSettings, longest: int) -> NDArray[np.int32]:
    """Return the change in the number of beads of each colour played; `floor` has not been applied yet.

    Returns:
        int32 [3, longest + 1, longest], indexed by result (RESULTS), number of moves in the game, and ply of the pick.

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
        f" (But with probability {settings.epsilon:g} at first, multiplied by {settings.epsilon_decay:g} after each"
        f" game down to {settings.epsilon_least:g}, choose one of the box's colours at random.)"
    )
    return KitRules(
        draw=f"Play the colour with the most beads in the box; decide ties at random by their {word}s. {{made}}"
        + (explore if settings.epsilon > 0 else ""),
        empty=("If the box is empty, choose one of the colours on its label at random.",),
        teach=_teaching_lines_by_length(settings, game)
        if settings.rewards == "length"
        else _teaching_lines(settings, game, change_text),
    )


def _teaching_lines_by_length(settings: FavouriteSettings, game: KitGame) -> tuple[str, ...]:
    won = bead_changes(settings, game.longest)[0]
    lines = []
    for moves, *_ in game.winning_lengths:
        changes = ", ".join(f"{change:+d}" for change in won[moves, game.side : moves : 2].tolist())
        lines.append(f"after {counted(moves, 'move')} {changes}")
    won_text = (
        "The machine has won: put every bead back, and add beads of the same colours. The numbers of beads for the"
        " machine's 1st, 2nd, ... move depend on the length of the game:"
    )
    lost_text = (
        "The machine has lost: put every bead back, then remove as many beads of each colour as a win of the same"
        " length would have added."
    )
    return (
        *(["A draw: put every bead back."] if game.has_draws else []),
        f"{won_text} {'; '.join(lines)}.",
        lost_text,
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
    words="Each box stands for one position{alike}. To move, the machine opens the box of the position and plays the"
    " colour with the most beads. After the game, beads are added to the boxes that it opened, or removed from them.",
    kit_rules=_favourite_kit,
    site_rule=_favourite_on_site,
    pile_rule=None,
    rewarded=_rewarded_favourites,
    amounts=(0, MAX_BEADS),
)
