"""Define machines. A machine is a learner in memory that plays one side of a game without a database."""

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
from menace.learners.box import Box, Move, draw_probabilities, found_box
from menace.learners.policy import Policy, PolicyName, check_policy_name
from menace.learners.registry import check_fits, get_preset, preset_settings
from menace.learners.settings import MAX_BEADS
from menace.text.bead_colours import OWN as OWN_NAMING, Naming, naming_for
from menace.text.wording import VERDICTS, counted


@dataclass(eq=False, init=False, repr=False)
class Machine:
    """A machine in memory. A new machine has the settings of a preset and has not played any games.

    Args:
        preset: the name of the preset that provides the settings, one of PRESETS.
        plays: the machine's side, `X` or `O`.
        positions: the game; None for tic-tac-toe.
        seed: the seed of a random initial state, 0 to 2^63 - 1; None for 0. Ignored if the initial state is not random.
        settings: values to use instead of the preset's values.

    Attributes:
        algorithm: the algorithm.
        settings: the settings of the algorithm.
        positions: the game.
        side: 0 for X, 1 for O.
        learned: the learned state, which games change in place.
        name: the name of the learner or preset. A machine created only from settings has the algorithm's name.
        preset: the name of the preset.
        naming: the naming schemes for beads and cells.
        seed: the seed of the random initial state, or None if the initial state is not random.
        learner_id: the id of the learner in a database, or 0 for a machine that does not come from a database.

    Raises:
        UnknownPreset: if there is no such preset.
        InvalidPlayer: if the preset cannot play that side.
        InvalidSetting: if a setting is not allowed or does not fit the game.
        InvalidGame: if `positions` is not a `Positions`.

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
                f"{positions!r} is not a Positions object; create one with"
                " `menace.enumerate_positions(menace.get_game('hexapawn'))`, or use `.positions` of a database"
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
        """Create a machine with the given settings before its first game.

        Args:
            algorithm: the algorithm.
            settings: the settings of the algorithm.
            positions: the game.
            side: 0 for X, 1 for O.
            seed: the seed of a random initial state, 0 to 2^63 - 1; None for 0. Ignored if the initial state is not
                random.

        Raises:
            InvalidSetting: if the settings do not fit the side or the game.
        """
        machine = object.__new__(Machine)
        machine.algorithm, machine.settings, machine.positions, machine.side = algorithm, settings, positions, side
        machine.learned = settings.fresh(positions, side, seed or 0)
        machine.seed = (seed or 0) if settings.needs_seed else None
        machine.name = algorithm.name
        return machine

    def __repr__(self) -> str:
        return f"<{self.algorithm.name} plays {self.plays}: {counted(self.learned.games, 'game')}>"

    @property
    def plays(self) -> Side:
        """The machine's side, `X` or `O`."""
        return Side.of_number(self.side)

    def copy(self) -> Self:
        """Return an independent copy."""
        copied = copy.copy(self)
        copied.learned = self.learned.copy()
        return copied

    def kernel_player(self, graph: kernel.Graph, *, learns: bool = True, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return a kernel player for the machine. The player and the machine share the same learned state.

        Even a player that does not learn may restock boxes while it plays. If the machine must not change, call this
        method on a copy.

        Args:
            graph: the game graph in the form that the kernel uses.
            learns: whether the player learns from its games.
            epsilon: an exploration rate, 0 to 1, to use instead of the machine's own rate, which then does not change.
                A negative number selects the machine's own rate. Machines that do not explore ignore this argument.
        """
        player: kernel.FixedPlayer = self.settings.player(self, graph, learns, epsilon)
        return player

    def policy(self, kind: PolicyName = "behaviour") -> Policy:
        """Return the machine's current policy.

        Args:
            kind: `behaviour`, as in training, or `greedy`, which always plays the best move.

        Raises:
            InvalidSetting: if there is no such kind of policy.
        """
        check_policy_name(kind)
        policy: Policy = self.settings.policy(self, kind)
        # change the new policy in place, because a copy would double the running time
        vars(policy).update(name=self.name, kind=kind)
        return policy

    def odds(self, board: Board, policy: PolicyName = "behaviour") -> dict[str, float]:
        """Return a dict that maps the name of each move on a board to its probability (see `Policy.odds`)."""
        return self.policy(policy).odds(board)

    def choose(
        self, board: Board, rng: np.random.Generator | None = None, policy: PolicyName = "behaviour"
    ) -> str | None:
        """Choose a move on a board and return its name, or None if the machine resigns (see `Policy.choose`).

        If the machine restocks empty boxes, this method treats an empty box as already restocked. The beads are
        actually added when the machine learns from the game.
        """
        return self.policy(policy).choose(board, rng)

    def learn(self, moves: Sequence[str | int], outcome: Outcome | None = None) -> Outcome:
        """Learn from a game that was played elsewhere, and return the outcome of that game.

        Args:
            moves: the names of all moves by both sides, or all boards from the initial board onwards.
            outcome: `X`, `O` or `draw` for a game that ended by resignation; None if the last board determines the
                outcome.

        Raises:
            IllegalMove: if a move is not legal, the game is not over, or the board has another outcome.
            InvalidBoard: if one of the boards is invalid.

        >>> machine = Machine("menace", "X")
        >>> machine.learn(["4", "1", "0", "8", "6", "2", "3"])
        'X'
        >>> machine.box(".........").moves[2].amount
        7
        """
        if outcome not in NUMBER_OF_OUTCOME:
            raise IllegalMove(
                f"outcome {outcome!r} is not X, O or draw; omit it if the last board determines the outcome"
            )
        game = self.positions.game
        actions = list(actions_of(game, moves))
        board = reduce(game.play, actions, game.initial)
        ended = game.outcome(board)
        result = ended or outcome
        if result is None or (outcome is not None and outcome != result):
            raise IllegalMove(
                f"board {board} {f'has the outcome {ended}' if ended else 'is not the end of a game'}; "
                "pass all moves of the game, and the outcome if the game ended by resignation"
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
        """Learn from a game that is specified by its positions and moves.

        Args:
            path: a pair (position, move) for each ply.
            result: 1 if X has won, 0 for a draw, -1 if O has won.
            explored: 1 for each ply at which a machine explored, otherwise 0; None if no machine explored.
            learned: 1 for each ply from which the machine learns, otherwise 0; None for all plies.
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
        """Whether the machine has beads in boxes instead of values or odds."""
        return self.algorithm.has_beads

    @property
    def draws_beads(self) -> bool:
        """Whether the machine draws beads from boxes, as MENACE does, rather than comparing amounts."""
        return self.has_beads and self.algorithm.by_share

    # The following methods read the entries of the arrays in `learned`.

    @property
    def entry_keys(self) -> tuple[NDArray[np.int32], ...]:
        """The keys of the entries: an array of positions and, if entries belong to moves, an array of actions."""
        if self.algorithm.values_positions:
            return (np.arange(len(self.positions), dtype=np.int32),)
        return (self.positions.position_of_move, self.positions.action)

    @property
    def boxed(self) -> NDArray[np.bool_]:
        """A boolean array [positions] that is true for each position in which the machine has entries for its moves.

        A machine with position values has entries for every position in which it is to move.
        """
        if self.algorithm.values_positions:
            return self.positions.moved_by(self.side)
        boxed: NDArray[np.bool_] = self.positions.sum_over_moves(self.learned.kept) > 0
        return boxed

    def entries_of(self, moves: range) -> NDArray[np.intp]:
        """Return, for each of the given moves, the index of the entry that determines its value."""
        if self.algorithm.values_positions:
            return self.positions.next_position[moves.start : moves.stop].astype(np.intp)
        return np.arange(moves.start, moves.stop)

    def amounts_of(self, entries: NDArray[np.intp]) -> list[float]:
        """Return the amounts of the given entries. Beads are integers; values and odds are floats."""
        amounts = self.learned.amount[entries]
        values: list[float] = (amounts.astype(np.int64) if self.has_beads else amounts).tolist()
        return values

    def counts_of(self, entries: NDArray[np.intp]) -> list[int]:
        """Return the number of times that each of the given entries was updated."""
        counts: list[int] = self.learned.count[entries].tolist()
        return counts

    # The following methods return boxes for display.

    def box(self, board: Board) -> Box:
        """Return the box for a board. The board may be written in any notation that people may use.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            InvalidBox: if the machine has no box for the board, or is not to move. `find_box` returns None instead.

        >>> Machine("menace", "X").box(".........")
        box 1 for ......... (12 beads): 0 draws 4 beads 33.3%, 1 draws 4 beads 33.3%, 4 draws 4 beads 33.3%
        """
        return found_box(self.find_box(board), self.name, self.plays, board)

    def find_box(self, board: Board) -> Box | None:
        """Return the box for a board, or None if the machine has no box for this board or is not to move.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
        """
        _, position_id = self.positions.find(board)
        return self.box_at(position_id)

    def box_at(self, position_id: int) -> Box | None:
        """Return the box for the position with the given number, or None if the machine has no box or is not to move.

        >>> Machine("menace", "X").box_at(0).title, Machine("menace", "O").box_at(0)
        ('box 1 for ......... (12 beads)', None)
        """
        boxed = self.boxed
        if not boxed[position_id]:
            return None
        return self._box(self._shares(), position_id, int(boxed[: position_id + 1].sum()))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes of the machine, in the order of their positions.

        >>> len(Machine("menace", "X").boxes), len(Machine("menace", "O").boxes)
        (304, 289)
        """
        return tuple(self.each_box())

    def each_box(self, position_ids: Iterable[int] | None = None) -> Iterator[Box]:
        """Yield the boxes of the given positions, or all boxes, in the order of their positions.

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
        """All boxes of the machine, which must use beads.

        Raises:
            InvalidPlayer: if the machine does not use beads.

        >>> sum(box.beads for box in Machine("menace", "X").matchboxes)
        1720
        """
        if not self.has_beads:
            raise InvalidPlayer(
                f"machine {self.name} has no matchboxes, because {self.algorithm.name} does not use beads; "
                "use a machine with beads"
            )
        return self.boxes

    def _shares(self) -> NDArray[np.float64] | None:
        """Return the probability of each move.

        Return None if the machine draws beads, because boxes then compute the shares.
        """
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
                    draw_probabilities(amounts) if shares is None else shares[span].tolist(),
                    self.counts_of(entries),
                    strict=True,
                )
            ),
            game=positions.game,
        )


def merge_machines(base: Machine, machines: Iterable[Machine]) -> Machine:
    """Return a machine that combines what several copies of a machine have learned: their beads, counts and games.

    For neural networks, the same method is called task arithmetic: the changes that each copy has learned are added to
    the initial weights. Source: Ilharco et al., "Editing models with task arithmetic", ICLR 2023,
    https://arxiv.org/abs/2212.04089.

    Every pile remains between the machine's floor and MAX_BEADS. The new machine has the lowest epsilon of all copies.

    Args:
        base: a machine with beads, in the state from which the copies were made. It is not changed.
        machines: the copies after further games, with the same settings. No copy may have picked a move more than 2^61
            times.

    >>> base = Machine("menace", "X")
    >>> pupils = [base.copy(), base.copy()]
    >>> for pupil in pupils:
    ...     _ = pupil.learn(["4", "1", "0", "8", "6", "2", "3"])
    >>> base.box(".........").moves[2].amount, merge_machines(base, pupils).box(".........").moves[2].amount
    (4, 10)
    """
    total = base.copy()
    before = base.learned.amount.astype(np.int64)
    beads = before.copy()
    for machine in machines:
        beads += machine.learned.amount.astype(np.int64) - before
        picked = total.learned.count + (machine.learned.count - base.learned.count)
        total.learned.count = np.minimum(picked, 2**62)  # this limit prevents overflows in later sums
        total.learned.games += machine.learned.games - base.learned.games
        # for a machine with beads, the state consists only of epsilon
        total.learned.state = np.fmin(total.learned.state, machine.learned.state)
    least = np.minimum(before, base.settings.floor)  # a recount may have left a pile below the floor
    total.learned.amount[:] = np.clip(beads, least, MAX_BEADS)
    return total
