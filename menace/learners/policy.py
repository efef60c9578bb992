"""Define policies. A policy contains the probability of each of one side's moves in every position."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer, InvalidSetting
from menace.games.base import Board, Side, SideText
from menace.games.enumeration import every_board, tictactoe
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.text.wording import counted

PolicyName: TypeAlias = Literal["behaviour", "greedy"]
POLICY_NAMES = get_args(PolicyName)
Choice: TypeAlias = str | int | Mapping[str, float]  # the name of a move, or weights by name
PolicyFunction: TypeAlias = Callable[[Board], Choice] | Callable[[Board, list[str]], Choice]
Table: TypeAlias = Mapping[Board, Choice]

ASKED_AGAIN = 20
SMALLEST, LARGEST = 1e-300, 1e300  # limits on weights and their sums, which keep all ratios finite
WHOLE = 2**30  # a position's sum of weights after scaling to integers, chosen so that the kernel's sums stay below 2^31


@dataclass(frozen=True, eq=False, repr=False)
class Policy:
    """A player's policy for one side, represented as a mixture of weighted random choices.

    Attributes:
        positions: the game.
        side: 0 for X, 1 for O.
        parts: (probability, weights [moves]) of each component. The probabilities sum to 1, and the weights of a
            position's moves have a positive sum unless the player resigns there.
        resigns: float64 [positions], the probability of resigning.
        name: the name of the player.
        kind: the kind of a machine's policy, `behaviour` (as in training) or `greedy` (always the best move).

    >>> from menace.learners.machine import Machine
    >>> policy = Machine("menace", "X").policy()
    >>> policy
    <menace plays X: behaviour>
    >>> policy.ever_resigns, policy.fractions()[:3]  # the first moves: a corner, an edge, the centre
    (False, [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)])
    """

    positions: Positions
    side: int
    parts: tuple[tuple[float, NDArray[Any]], ...]
    resigns: NDArray[np.float64]
    name: str = "policy"
    kind: PolicyName = "behaviour"

    def __repr__(self) -> str:
        return f"<{self.name} plays {self.plays}: {self.kind}>"

    @classmethod
    def of_weights(cls, positions: Positions, side: int, weights: NDArray[Any], name: str = "policy") -> Policy:
        """Return the policy of a player that never resigns and always draws moves according to weights [moves].

        >>> from menace.games.enumeration import tictactoe
        >>> Policy.of_weights(tictactoe(), 0, tictactoe().multiplicity).probability[:3].round(3).tolist()
        [0.444, 0.444, 0.111]
        """
        return cls(positions, side, ((1.0, weights),), np.zeros(len(positions)), name)

    @classmethod
    def from_weights(
        cls, weights: NDArray[Any], plays: SideText, positions: Positions | None = None, name: str = "policy"
    ) -> Policy:
        """Return the policy that draws moves according to weights [moves] in the order of `positions`.

        Args:
            weights: an array of numbers, 0 or greater for the side's moves.
            plays: `X` or `O`.
            positions: the game; None for tic-tac-toe.
            name: the name of the player.

        Raises:
            InvalidPlayer: if the array has another shape or type, a weight is negative, or a position has no positive
                weight.
        """
        game, side = positions or tictactoe(), Side(plays)
        if weights.shape != (game.move_count,) or weights.dtype.kind not in "bif":
            raise InvalidPlayer(
                f"the weights have the shape {weights.shape} and the type {weights.dtype}; give one number of 0 or more"
                f" for each of the {counted(game.move_count, 'move')} of {game.title}"
            )
        here = game.moved_by(side.number)
        of_side = here[game.position_of_move]
        if not ((weights >= 0) & (weights <= LARGEST))[of_side].all():
            raise InvalidPlayer(
                f"a weight is negative, not a number or above {LARGEST:g}; all weights must be 0 or more"
            )
        weights = np.where(of_side, weights, 0)
        empty = here & (game.sum_over_moves(weights) < SMALLEST)
        if empty.any():
            board = game.boards[int(empty.argmax())]
            raise InvalidPlayer(
                f"board {board} has no move with a positive weight; give at least one move a weight above 0"
            )
        return cls.of_weights(game, side.number, weights, name)

    @classmethod
    def from_table(
        cls, table: Table, plays: SideText, positions: Positions | None = None, name: str = "policy"
    ) -> Policy:
        """Return the policy given by a table of choices, keyed by board.

        On boards that are not in the table, all moves are equally likely.

        Args:
            table: a dictionary that maps each board to the name of a move or to weights by name.
            plays: `X` or `O`.
            positions: the game; None for tic-tac-toe.
            name: the name of the player.

        Raises:
            InvalidPlayer: if the side is not to move on a board, a position occurs twice, or weights are invalid (see
                `from_weights`).
            InvalidBoard: if there is no such board.
            IllegalMove: if there is no such move.

        >>> Policy.from_table({".........": {"0": 3, "4": 1}}, "X").probability[:3].tolist()  # corner, edge, centre
        [0.75, 0.0, 0.25]
        """
        game, side = positions or tictactoe(), Side(plays)
        weights, given = game.multiplicity.astype(np.float64), dict[int, Board]()
        for text, choice in table.items():
            board, position = game.find(text)
            if game.to_move[position] != side.number:
                raise InvalidPlayer(f"it is not {side}'s turn on board {board}; remove this board")
            if position in given:
                raise InvalidPlayer(f"boards {given[position]} and {board} are the same position; remove one of them")
            given[position] = board
            here = game.moves_of(position)
            weights[here.start : here.stop] = 0.0
            for move, weight in _weights_by_name(choice).items():
                action = game.to_canonical(board, game.game.parse_action(board, move))
                weights[game.move_of(position, action)] += weight
        return cls.from_weights(weights, side, game, name)

    @classmethod
    def from_function(cls, function: PolicyFunction, plays: SideText, positions: Positions | None = None) -> Policy:
        """Return the policy of a Python function, which is called once for each position in which its side moves.

        The result is a table, so the kernel plays this policy at full speed. The function is called only for the
        canonical image of each board, and the table uses the answer for all images. If the function treats images of
        the same board differently, the table plays differently from the function. To call the function for every board,
        pass `enumerate_positions(game, "none")`. Alternatively, `menace.grade` calls the function for every board that
        can occur when the function plays.

        Args:
            function: a function that takes a board, or a board and the names of its legal moves. It returns the name of
                a move, or weights by name.
            plays: `X` or `O`.
            positions: the game; None for tic-tac-toe.

        Raises:
            InvalidPlayer: if the function returns no legal move, or weights that are invalid (see `from_weights`). An
                exception raised by the function is passed on, with a note that names the board.

        >>> first = Policy.from_function(lambda board, moves: moves[0], plays="O")
        >>> first.name, first.plays.value
        ('<lambda>', 'O')
        """
        return ask(function, plays, positions).policy

    @classmethod
    def deterministic(cls, positions: Positions, side: int, chosen: NDArray[np.float64]) -> Policy:
        """Return the policy of a deterministic player.

        `chosen` contains 1 for one move in each of the player's positions.

        >>> from menace.games.enumeration import tictactoe
        >>> chosen = np.zeros(tictactoe().move_count)
        >>> chosen[tictactoe().first_move[:-1][tictactoe().moved_by(0)]] = 1  # always plays the first move
        >>> Policy.deterministic(tictactoe(), 0, chosen).probability[:3].tolist()
        [1.0, 0.0, 0.0]
        """
        policy = cls.of_weights(positions, side, chosen)
        policy.__dict__["probability"] = chosen  # the same value that the cached property would compute
        return policy

    def on_every_board(self) -> Policy:
        """Return the same policy on positions without symmetry, in which every board is a separate position.

        >>> policy = Policy.from_table({".........": "0"}, "X").on_every_board()
        >>> policy.probability[:9].tolist()  # a corner
        [0.25, 0.0, 0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 0.25]
        """
        boards, position, move = every_board(self.positions)
        if boards is self.positions:
            return self
        # Integer weights remain integers, so that `fractions` remains exact.
        copies = boards.multiplicity * (np.lcm.reduce(self.positions.multiplicity) // self.positions.multiplicity)[move]
        parts = tuple((share, weights[move] * copies) for share, weights in self.parts)
        return Policy(boards, self.side, parts, self.resigns[position], self.name, self.kind)

    @property
    def plays(self) -> Side:
        """The policy's side, `X` or `O`."""
        return Side.of_number(self.side)

    @cached_property
    def ever_resigns(self) -> bool:
        """Whether the policy resigns in any position."""
        return bool(self.resigns.any())

    @cached_property
    def moves_here(self) -> NDArray[np.bool_]:
        """A boolean array [positions] that is true where the policy's side is to move and may make a move."""
        return self.positions.moved_by(self.side) & (self.resigns < 1)

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weights proportional to `probability` in each position. If there is only one part, these are its weights."""
        return np.asarray(self.parts[0][1], np.float64) if len(self.parts) == 1 else self.probability

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """The probability of each move.

        If the side is to move in a position, the probabilities of its moves sum to 1 minus `resigns`.
        """
        probability = np.zeros(self.positions.move_count)
        for share, weight in self.parts:
            weights = kernel.view(np.asarray(weight, np.float64))
            resigns = kernel.view(self.resigns)
            kernel.add_shares(self.positions.graph, self.side, weights, resigns, share, kernel.view(probability))
        return probability

    def odds(self, board: Board) -> dict[str, float]:
        """Return a dict that maps the name of each move on a board to its probability.

        Equivalent moves are equally likely.

        The probabilities sum to 1 minus the probability of resigning.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            InvalidPlayer: if the policy's side is not to move on the board.

        >>> from menace.learners.machine import Machine
        >>> {name: round(share, 3) for name, share in Machine("menace", "X").odds("XO.......").items()}
        {'2': 0.143, '3': 0.143, '4': 0.143, '5': 0.143, '6': 0.143, '7': 0.143, '8': 0.143}
        """
        positions = self.positions
        board, position = positions.find(board)
        if positions.to_move[position] != self.side:
            raise InvalidPlayer(f"{self.name} plays {self.plays}, but it is not {self.plays}'s turn on board {board}")
        return {
            positions.game.name_of(board, action): float(self.probability[move] / positions.multiplicity[move])
            for action, move in positions.moves_by_action(board).items()
        }

    def choose(self, board: Board, rng: np.random.Generator | None = None) -> str | None:
        """Return the name of a move that is drawn according to `odds`, or None if the policy resigns.

        Args:
            board: the board, in any notation that people use.
            rng: a random generator, or None to create one.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            InvalidPlayer: if the policy's side is not to move on the board, or `rng` is not a generator.

        >>> from menace.games.enumeration import tictactoe
        >>> Policy.from_table({".........": "4"}, "X").choose(".........")
        '4'
        """
        odds = self.odds(board)
        if rng is not None and not hasattr(rng, "random"):
            raise InvalidPlayer(f"{rng!r} is not a random generator; pass `numpy.random.default_rng({rng!r})`")
        share = (rng or np.random.default_rng()).random()
        for name, probability in odds.items():
            share -= probability
            if share < 0:
                return name
        resigns = self.resigns[self.positions.find(board)[1]] > 0
        return None if resigns else max(odds, key=odds.__getitem__)  # rounding errors may leave a remainder of `share`

    @cached_property
    def integer_weights(self) -> NDArray[np.int32]:
        """The policy's weights as integers for the kernel, scaled to `WHOLE` if necessary.

        Raises:
            InvalidPlayer: if the policy may resign, which is possible only for policies of machines.
        """
        if self.ever_resigns:
            raise InvalidPlayer(f"{self.name} may resign, but here a policy must always move; pass the machine itself")
        weights = np.asarray(self.parts[0][1], np.float64)
        whole = len(self.parts) == 1 and (weights == np.floor(weights)).all()
        if not whole or self.positions.sum_over_moves(weights).max() > WHOLE:
            weights = np.rint(self.probability * WHOLE)
        elsewhere = ~self.moves_here[self.positions.position_of_move]
        return np.where(elsewhere, self.positions.multiplicity, weights).astype(np.int32)

    def fractions(self) -> list[Fraction]:
        """Return the exact probabilities as fractions computed from the stored floating-point weights."""
        result = [Fraction(0)] * self.positions.move_count
        for share, weight in self.parts:
            exact = [Fraction(w) for w in weight.tolist()]
            for position in np.flatnonzero(self.moves_here):
                moves = self.positions.moves_of(int(position))
                total = sum((exact[move] for move in moves), Fraction(0))
                for move in moves:
                    result[move] += (1 - Fraction(self.resigns[position])) * Fraction(share) * exact[move] / total
        return result


class Asked(NamedTuple):
    """A Python function's answers for all positions in which its side moves.

    Attributes:
        policy: the function's answers as a policy. On boards for which the function was not called, all moves are
            equally likely.
        positions: the numbers of the positions for which the function was called.
        seconds: the total time of all calls.
    """

    policy: Policy
    positions: list[int]
    seconds: float


def ask(
    function: PolicyFunction, plays: SideText, positions: Positions | None = None, reachable: bool = False
) -> Asked:
    """Call a function once for each position in which its side moves, and return all answers.

    Args:
        function: the function, as for `Policy.from_function`.
        plays: `X` or `O`.
        positions: the game; None for tic-tac-toe.
        reachable: whether to call the function only for positions that its own moves can reach.

    Raises:
        InvalidPlayer: for the same reasons as in `Policy.from_function`.

    >>> first = ask(lambda board, moves: moves[0], "O", reachable=True)
    >>> len(first.positions)
    109
    """
    game, side = positions or tictactoe(), Side(plays).number
    name, takes_moves = getattr(function, "__name__", type(function).__name__), accepts_moves(function)
    own, first, after = (array.tolist() for array in (game.moved_by(side), game.first_move, game.next_position))
    weights, reached = game.multiplicity.astype(np.float64), bytearray([not reachable]) * len(game)
    reached[0], asked, seconds = 1, list[int](), 0.0
    for position in range(len(game)):
        if not reached[position]:
            continue
        moves: Iterable[int] = range(first[position], first[position + 1])
        if own[position]:
            start = time.perf_counter()
            answer = _answer(function, name, takes_moves, game, position)
            seconds += time.perf_counter() - start
            weights[first[position] : first[position + 1]] = list(answer.values())
            moves = [move for move, weight in answer.items() if weight > 0]
            asked.append(position)
        for move in moves if reachable else ():
            reached[after[move]] = 1
    return Asked(Policy.from_weights(weights, plays, game, name), asked, seconds)


def changed_answer(function: PolicyFunction, asked: Asked) -> Board | None:
    """Call a function again for about ASKED_AGAIN boards. Return the first board for which the answer differs, or None.

    >>> chance = np.random.default_rng(1)
    >>> player = lambda board, moves: chance.choice(moves)
    >>> changed_answer(player, ask(player, "X")) is None
    False
    """
    policy, takes_moves = asked.policy, accepts_moves(function)
    for position in asked.positions[:: len(asked.positions) // ASKED_AGAIN + 1]:
        answer = _answer(function, policy.name, takes_moves, policy.positions, position)
        if any(weight != policy.weights[move] for move, weight in answer.items()):
            return policy.positions.boards[position]
    return None


def _answer(function: PolicyFunction, name: str, takes_moves: bool, game: Positions, position: int) -> dict[int, float]:
    """Call a function for a position, and return the weight that the function gives to each move."""
    board, moves = game.boards[position], game.moves_by_name(position)
    try:
        choice = function(board, list(moves)) if takes_moves else function(board)  # type: ignore[call-arg]
    except BaseException as error:
        error.add_note(f"{name} was asked for a move on board {board}")
        raise
    weights = _weights_by_name(choice)
    if not weights.keys() <= moves.keys() or not are_weights(weights):
        raise InvalidPlayer(
            f"{name} returned {choice!r} on board {board}; return one of {', '.join(moves)}, or a dict that"
            " maps these names to weights of 0 or more"
        )
    answer = dict.fromkeys(game.moves_of(position), 0.0)
    for move, weight in weights.items():
        answer[moves[move]] += float(weight)
    return answer


def _weights_by_name(choice: Choice) -> dict[str, float]:
    return {str(move): weight for move, weight in choice.items()} if isinstance(choice, Mapping) else {str(choice): 1.0}


def are_weights(weights: Mapping[str, Any]) -> bool:
    """Return whether every weight is a number from 0 to LARGEST.

    >>> are_weights({"4": 3, "0": 0.5}), are_weights({"4": "3"})
    (True, False)
    """
    return all(isinstance(weight, Real) and 0 <= weight <= LARGEST for weight in weights.values())  # type: ignore[operator]


def accepts_moves(function: PolicyFunction) -> bool:
    """Return whether a function takes a board and its legal moves rather than only a board.

    >>> accepts_moves(lambda board, moves: moves[0]), accepts_moves(lambda board: "4")
    (True, False)
    """
    try:
        inspect.signature(function).bind("", [])
    except (TypeError, ValueError):  # a built-in function may have no signature
        return False
    return True


def check_policy_name(policy: PolicyName) -> None:
    """Check that there is a policy with the given name, `behaviour` or `greedy`.

    Raises:
        InvalidSetting: if the kind does not exist. The message lists the kinds that exist.

    >>> check_policy_name("greedy")
    """
    if policy not in POLICY_NAMES:
        raise InvalidSetting(f"there is no policy {policy!r}; choose {' or '.join(POLICY_NAMES)}")


def best_moves(
    positions: Positions, side: int, value: NDArray[np.float64], first_of_ties: bool = False
) -> NDArray[np.float64]:
    """Return weights for a side's highest-valued moves: the multiplicities of all of them, or 1 for only the first.

    >>> from menace.games.enumeration import tictactoe
    >>> value = np.zeros(tictactoe().move_count)
    >>> (
    ...     best_moves(tictactoe(), 0, value)[:3].tolist(),
    ...     best_moves(tictactoe(), 0, value, first_of_ties=True)[:3].tolist(),
    ... )
    ([4.0, 4.0, 1.0], [1.0, 0.0, 0.0])
    """
    weight = np.zeros(positions.move_count)
    kernel.best_moves(positions.graph, side, first_of_ties, kernel.view(value), kernel.view(weight))
    return weight


def greedy_policy(
    positions: Positions,
    side: int,
    value: NDArray[np.float64],
    epsilon: float,
    first_of_ties: bool = False,
    exploring: NDArray[Any] | None = None,
) -> Policy:
    """Return the policy that explores with probability epsilon and otherwise plays the move with the highest value.

    Args:
        positions: the game.
        side: 0 for X, 1 for O.
        value: the value of each move from the learner's point of view.
        epsilon: the probability of exploring, 0 to 1.
        first_of_ties: whether to play the first of several moves of equal value. Otherwise, one of them is drawn by
            multiplicity.
        exploring: the weights of moves when exploring, or None for the multiplicities.

    >>> from menace.games.enumeration import tictactoe
    >>> value = np.zeros(tictactoe().move_count)
    >>> value[2] = 1.0  # the centre
    >>> greedy_policy(tictactoe(), 0, value, epsilon=0.5).probability[:3].round(3).tolist()
    [0.222, 0.222, 0.556]
    """
    greedy = best_moves(positions, side, value, first_of_ties)
    weight = positions.multiplicity if exploring is None else exploring
    # The kernel explores if a random number below 2^32 is less than floor(epsilon * 2^32).
    share = int(epsilon * 2**32) / 2**32
    parts = ((1.0 - share, greedy), (share, weight)) if share else ((1.0, greedy),)
    return Policy(positions, side, parts, np.zeros(len(positions)))
