"""A machine: a learner in memory, which plays one side of a game and learns from it, without a database."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from menace.errors import IllegalMove, InvalidGame, InvalidPlayer
from menace.games.base import NUMBER_OF_OUTCOME, Board, Outcome, Side, SideText, actions_of, cell_count
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import OWN, Algorithm, Learned
from menace.learners.box import Box, Move, shares_of
from menace.learners.policy import Policy, PolicyName, check_policy_name
from menace.learners.registry import check_fits, get_preset, preset_settings
from menace.learners.settings import MOST_BEADS
from menace.text.bead_colours import OWN as OWN_NAMING
from menace.text.bead_colours import Naming, naming_for
from menace.text.wording import VERDICTS, counted


@dataclass(eq=False, init=False, repr=False)
class Machine:
    """A machine in memory: made from a preset, before its first game.

    Args:
        preset: where its settings come from; PRESETS has them all.
        plays: its side, `X` or `O`.
        positions: the game; None stands for tic-tac-toe.
        seed: of a random start, 0 to 2^63 - 1; None stands for 0. Used only where the start is random.
        settings: that replace some of the preset's, as values.

    Attributes:
        algorithm: how it learns.
        settings: of that algorithm.
        positions: the game.
        side: 0 for X, 1 for O.
        learned: what it has learned; games change it in place.
        name: what it is called: by its learner's name, its preset, or its algorithm if it was made of settings alone.
        preset: where its settings came from.
        naming: what people call its beads and cells.
        seed: of its random start; None if its start was not random.
        learner_id: of the learner that a database keeps; 0 of any other machine.

    Raises:
        UnknownPreset, InvalidPlayer, InvalidSetting: if preset, side or settings are not allowed, or do not fit the
            game.
        InvalidGame: if `positions` is something else.

    >>> machine = Machine("menace", "X", beads=(8, 4, 2, 1))
    >>> machine
    <menace plays X: 0 games>
    >>> round(float(machine.policy().probability[0]), 3)  # a corner, an edge or the centre
    0.333
    """

    algorithm: Algorithm
    settings: Any
    positions: Positions
    side: int
    learned: Learned
    name: str = ""
    preset: str = ""
    naming: Naming = OWN_NAMING
    seed: int | None = None
    learner_id: int = 0

    def __init__(
        self,
        preset: str,
        plays: SideText,
        positions: Positions | None = None,
        seed: int | None = None,
        **settings: object,
    ) -> None:
        if positions is not None and not isinstance(positions, Positions):
            raise InvalidGame(
                f"{positions!r} is not the positions of a game;"
                " `menace.enumerate_positions(menace.get_game('hexapawn'))` makes them, and a database has them as"
                " `.positions`"
            )
        game = tictactoe() if positions is None else positions
        check_fits(preset, game.title)
        algorithm, values = preset_settings(preset, plays, settings)
        fresh = Machine.fresh(algorithm, values, game, Side(plays).number, seed)
        vars(self).update(vars(fresh), name=preset, preset=preset)
        self.naming = naming_for(game.title, cell_count(game.game), get_preset(preset).naming)

    @classmethod
    def fresh(
        cls, algorithm: Algorithm, settings: Any, positions: Positions, side: int, seed: int | None = None
    ) -> Machine:
        """Return a machine with these settings before its first game.

        Args:
            algorithm: how it learns.
            settings: of that algorithm.
            positions: the game.
            side: 0 for X, 1 for O.
            seed: of a random start, 0 to 2^63 - 1; None stands for 0. Used only where the start is random.

        Raises:
            InvalidSetting: if the settings do not fit the side or the game.
        """
        machine = object.__new__(Machine)
        machine.algorithm, machine.settings, machine.positions, machine.side = algorithm, settings, positions, side
        machine.learned = settings.fresh(positions, side, seed or 0)
        machine.seed = (seed or 0) if settings.seeded else None
        machine.name = algorithm.name
        return machine

    def __repr__(self) -> str:
        return f"<{self.algorithm.name} plays {self.plays}: {counted(self.learned.games, 'game')}>"

    @property
    def plays(self) -> Side:
        """Its side, `X` or `O`."""
        return Side.of_number(self.side)

    def copy(self) -> Self:
        """Return an independent copy, which stays as it is now."""
        copied = copy.copy(self)
        copied.learned = self.learned.copy()
        return copied

    def kernel_player(self, graph: kernel.Graph, *, learns: bool = True, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return the machine as the kernel plays it. It shares what the machine has learned.

        A machine that does not learn may still restock a box while it plays: use a `copy` where nothing may change.

        Args:
            graph: the kernel's view of its game, such as an arena has.
            learns: whether it learns from the games.
            epsilon: 0 to 1, how often it explores, instead of its own epsilon, which then stays as it is; below 0 its
                own. A machine that does not explore never does.
        """
        player: kernel.FixedPlayer = self.settings.player(self, graph, learns, epsilon)
        return player

    def policy(self, kind: PolicyName = "behaviour") -> Policy:
        """Return how it plays now.

        Args:
            kind: `behaviour`, as it trains, or `greedy`, at its best.

        Raises:
            InvalidSetting: if there is no such kind.
        """
        check_policy_name(kind)
        policy: Policy = self.settings.policy(self, kind)
        vars(policy).update(name=self.name, kind=kind)  # nobody else has it yet, and a copy takes as long as the rest
        return policy

    def odds(self, board: Board, policy: PolicyName = "behaviour") -> dict[str, float]:
        """Return how likely it makes each move on a board, by the names of its moves; see `Policy.odds`."""
        return self.policy(policy).odds(board)

    def choose(
        self, board: Board, rng: np.random.Generator | None = None, policy: PolicyName = "behaviour"
    ) -> str | None:
        """Return the name of the move that it makes on a board; None if it resigns; see `Policy.choose`.

        An empty box that is restocked is read as if it were; its beads come back when the game is learned from.
        """
        return self.policy(policy).choose(board, rng)

    def learn(self, moves: Sequence[str | int], outcome: Outcome | None = None) -> Outcome:
        """Learn from a game that was played elsewhere, and return its outcome.

        Args:
            moves: the names of all its moves, both sides', from the first on; or its boards, from the empty one on.
            outcome: `X`, `O` or `draw` of a game that was given up; None if the board says it.

        Raises:
            IllegalMove: if a move is not legal, the game is not over, or the board says another outcome.
            InvalidBoard: if some are boards, and another is none.

        >>> machine = Machine("menace", "X")
        >>> machine.learn(["4", "1", "0", "8", "6", "2", "3"])
        'X'
        >>> machine.box(".........").moves[2].amount
        7
        """
        if outcome not in NUMBER_OF_OUTCOME:
            raise IllegalMove(f"outcome {outcome!r} is not X, O or draw; leave it out where the board says it")
        game = self.positions.game
        actions = list(actions_of(game, moves))
        board = reduce(game.play, actions, game.initial)
        ended = game.outcome(board)
        result = ended or outcome
        if result is None or (outcome is not None and outcome != result):
            raise IllegalMove(
                f"board {board} is {f'won by {ended}' if ended else 'not the end of a game'}; give all moves of a game,"
                " and the outcome of one that was given up"
            )
        self.learn_path(self.positions.path(actions), NUMBER_OF_OUTCOME[result])
        return result

    def learn_path(
        self,
        path: Sequence[tuple[int, int]],
        result: int,
        explored: Sequence[int] | None = None,
        learned: Sequence[int] | None = None,
    ) -> None:
        """Learn from a game.

        Args:
            path: (position, move) of each ply.
            result: 1 if X has won, 0 for a draw, -1 if O has won.
            explored: 0 or 1 a ply, whether a machine explored there; None stands for never.
            learned: 0 or 1 a ply, whether its move is learned from; None stands for always.
        """
        positions, plies = self.positions, len(path)
        of_ply, moves = zip(*path, strict=True) if path else ((), ())
        columns = (of_ply, moves, explored or (0,) * plies, learned or (1,) * plies)
        kinds = (np.int32, np.int32, np.int8, np.int8)
        record = kernel.Record(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))
        end = int(positions.next_position[path[-1][1]]) if path else 0
        kernel.learn_recorded(self.kernel_player(positions.graph), record, self.side, plies, end, result)
        self.learned.games += 1

    @property
    def has_beads(self) -> bool:
        """Whether what it has learned is beads in boxes, not values or odds."""
        return self.algorithm.has_beads

    @property
    def draws_beads(self) -> bool:
        """Whether it draws beads from boxes, as MENACE does, instead of comparing what it has learned."""
        return self.has_beads and self.algorithm.by_share

    # What it has learned stands in entries, which are those of the arrays of `learned`.

    @property
    def keys(self) -> tuple[NDArray[np.int32], ...]:
        """What tells its entries apart: [entries] of positions and, of a machine that learns of moves, of actions."""
        if self.algorithm.of_positions:
            return (np.arange(len(self.positions), dtype=np.int32),)
        return (self.positions.position_of_move, self.positions.action)

    @property
    def boxed(self) -> NDArray[np.bool_]:
        """[positions], where it has something for its moves; values of positions say something wherever it moves."""
        if self.algorithm.of_positions:
            return self.positions.moved_by(self.side)
        boxed: NDArray[np.bool_] = self.positions.sum_over_moves(self.learned.kept) > 0
        return boxed

    def entries_of(self, moves: range) -> NDArray[np.intp]:
        """Return the entry that says what each of some moves is worth."""
        if self.algorithm.of_positions:
            return self.positions.next_position[moves.start : moves.stop].astype(np.intp)
        return np.arange(moves.start, moves.stop)

    def amounts_of(self, entries: NDArray[np.intp]) -> list[float]:
        """Return the amounts in some entries: beads as whole numbers, values and odds as they are."""
        amounts = self.learned.amount[entries]
        values: list[float] = (amounts.astype(np.int64) if self.has_beads else amounts).tolist()
        return values

    def counts_of(self, entries: NDArray[np.intp]) -> list[int]:
        """Return how often some entries were learned from."""
        counts: list[int] = self.learned.count[entries].tolist()
        return counts

    # What it has for a position, to look at.

    def box(self, board: Board) -> Box | None:
        """Return what it has for a board, as people write it; None where it has no box, or is not to move.

        Raises:
            InvalidBoard, UnreachableBoard: if the text is not a board, or one that no game reaches.

        >>> Machine("menace", "X").box(".........")
        box 1 for ......... (12 beads): 0 draws 4 beads 33.3%, 1 draws 4 beads 33.3%, 4 draws 4 beads 33.3%
        """
        _, position_id = self.positions.find(board)
        return self.box_at(position_id)

    def box_at(self, position_id: int) -> Box | None:
        """Return what it has for a position by number; None where it has no box, or is not to move.

        >>> Machine("menace", "X").box_at(0).title, Machine("menace", "O").box_at(0)
        ('box 1 for ......... (12 beads)', None)
        """
        boxed = self.boxed
        if not boxed[position_id]:
            return None
        return self._box(self._shares(), position_id, int(boxed[: position_id + 1].sum()))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box, by position.

        >>> len(Machine("menace", "X").boxes), len(Machine("menace", "O").boxes)
        (304, 289)
        """
        return tuple(self.each_box())

    def each_box(self, position_ids: Iterable[int] | None = None) -> Iterator[Box]:
        """Yield every box, by position, or those of some positions that have one: of a large game, one looks at few.

        >>> (
        ...     next(Machine("menace", "O").each_box()).board,
        ...     [box.number for box in Machine("menace", "X").each_box([0, 4])],
        ... )
        ('X........', [1, 2])
        """
        shares, boxed = self._shares(), self.boxed
        numbers = boxed.cumsum()
        for position_id in boxed.nonzero()[0].tolist() if position_ids is None else position_ids:
            yield self._box(shares, position_id, int(numbers[position_id]))

    @property
    def matchboxes(self) -> tuple[Box, ...]:
        """Every box, of a machine that has beads.

        Raises:
            InvalidPlayer: if it has none: it learns values.

        >>> sum(box.beads for box in Machine("menace", "X").matchboxes)
        1720
        """
        if not self.has_beads:
            raise InvalidPlayer(
                f"machine {self.name} has no matchboxes: {self.algorithm.name} learns values; name one with beads"
            )
        return self.boxes

    def _shares(self) -> NDArray[np.float64] | None:
        """Return [moves], the probability of each; None if beads are drawn: then each box says so itself."""
        return None if self.draws_beads else self.policy().probability

    def _box(self, shares: NDArray[np.float64] | None, position_id: int, number: int) -> Box:
        positions, here = self.positions, self.positions.moves_of(position_id)
        span, entries = slice(here.start, here.stop), self.entries_of(here)
        amounts = self.amounts_of(entries)
        after = positions.next_position[span]
        columns = (
            positions.action[span],
            positions.multiplicity[span],
            after,
            self.plays.sign * positions.minimax[after],
            positions.optimal[span],
        )
        return Box(
            position_id=position_id,
            board=positions.boards[position_id],
            ply=int(positions.ply[position_id]),
            number=number if self.has_beads else None,
            unit=self.algorithm.unit,
            about=self.algorithm.about,
            moves=tuple(
                Move(action, multiplicity, next_position, VERDICTS[result], optimal, amount, share, count)
                for action, multiplicity, next_position, result, optimal, amount, share, count in zip(
                    *(column.tolist() for column in columns),
                    amounts,
                    shares_of(amounts) if shares is None else shares[span].tolist(),
                    self.counts_of(entries),
                    strict=True,
                )
            ),
            game=positions.game,
        )


def merged(base: Machine, machines: Iterable[Machine]) -> Machine:
    """Return a machine with all that several have learned beyond the one that they began as: beads, picks and games.

    Of models this is merging by task arithmetic: to the first weights is added what each of several copies has learned
    beyond them (Ilharco et al., "Editing models with task arithmetic", ICLR 2023, https://arxiv.org/abs/2212.04089).

    A pile stays between the machine's floor and MOST_BEADS. It explores as the one that explores least.

    Args:
        base: of beads, as it was when they began; it stays as it is.
        machines: that learned on from it, with its settings. None has picked a move over 2^61 times.

    >>> base = Machine("menace", "X")
    >>> pupils = [base.copy(), base.copy()]
    >>> for pupil in pupils:
    ...     _ = pupil.learn(["4", "1", "0", "8", "6", "2", "3"])
    >>> base.box(".........").moves[2].amount, merged(base, pupils).box(".........").moves[2].amount
    (4, 10)
    """
    total = base.copy()
    before = base.learned.amount.astype(np.int64)
    beads = before.copy()
    for machine in machines:
        beads += machine.learned.amount.astype(np.int64) - before
        picked = total.learned.count + (machine.learned.count - base.learned.count)
        total.learned.count = np.minimum(picked, 2**62)  # so that the sum of any number of them fits
        total.learned.games += machine.learned.games - base.learned.games
        total.learned.state = np.fmin(total.learned.state, machine.learned.state)  # their epsilon alone
    least = np.minimum(before, base.settings.floor)  # a recount may have left fewer than the floor
    total.learned.amount[:] = np.clip(beads, least, MOST_BEADS)
    return total
