"""Enumerate every reachable position of a game and the moves between them, and solve the game backwards.

`check_sound` checks that a game graph from a file is safe to use, because the kernel does not check indices.
`check_sound` checks properties that the graphs of all games share, in a few passes over whole arrays. Only `verify`
checks that a graph belongs to the game named in its database.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidGame
from menace.games import get_game
from menace.games.base import NO_SIDE, NUMBER_OF_OUTCOME, ONGOING, ArrayRules, Board, Game, Side
from menace.games.positions import Positions, TextBoards
from menace.games.symmetry import SymmetricGame, SymmetryUse
from menace.text.wording import counted


def solve(positions: Positions) -> None:
    """Solve the game backwards, ply by ply, and write the solution to `minimax` and `plies_to_end`.

    >>> from menace.games.enumeration import enumerate_positions
    >>> from menace.games.rules.mnk import MNK
    >>> positions = enumerate_positions(MNK(3, 3, 2))  # X wins with its second move
    >>> positions.minimax[:] = 0
    >>> solve(positions)
    >>> int(positions.minimax[0]), int(positions.plies_to_end[0])
    (1, 3)
    """
    over = positions.to_move < 0
    minimax, plies_to_end = positions.minimax, positions.plies_to_end
    minimax[over] = positions.outcome[over]
    plies_to_end[over] = 0
    for mover, (here, moves) in reversed(list(zip(positions.movers, positions.plies, strict=True))):
        ongoing = np.flatnonzero(~over[here]) + here.start
        starts = positions.first_move[ongoing] - moves.start
        sign = Side.of_number(mover).sign
        child = positions.next_position[moves]
        value = sign * minimax[child]
        best = np.maximum.reduceat(value, starts)
        minimax[ongoing] = sign * best
        # The winner prefers a short game, and everyone else prefers a long one. Moves that lose value are ignored.
        owner_best = np.repeat(best, np.diff(np.append(starts, len(value))))
        preference = np.where(owner_best == 1, -1, 1) * plies_to_end[child]
        preference[value != owner_best] = -(2**30)
        plies_to_end[ongoing] = 1 + np.abs(np.maximum.reduceat(preference, starts))


# These limits keep two sums for each board below 2^31: the number of beads in MAX_MOVES piles of the maximum size, and
# the sum of MAX_ACTIONS weights of the maximum size in opponents/fixed.py.
MAX_MOVES, MAX_ACTIONS = 31, 180
HIGHEST_ACTION = 2**31 - 1
MOST_BOARDS = 1_000_000  # a function is called for every single board only in games with at most this many boards


@dataclass(frozen=True)
class Walk:
    """Parallel lists with one entry per position, in the order of discovery, starting with the initial position.

    Attributes:
        boards: the canonical boards.
        images: the number of distinct images of each board.
        to_move: 0 (X), 1 (O) or -1 (the game is over).
        outcome: the outcomes as numbers.
        moves: (action, next position, multiplicity) for each move, in ascending order of action. The lowest action
            represents all equivalent actions.

    >>> from menace.games.rules.mnk import MNK
    >>> walked = walk(SymmetricGame(MNK(2, 2, 2)), None)
    >>> walked.boards, walked.images
    (['....', 'X...', 'XO..', 'X..O', 'XXO.', 'XO.X'], [1, 4, 8, 4, 8, 4])
    """

    boards: list[Board] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    to_move: list[int] = field(default_factory=list)
    outcome: list[int] = field(default_factory=list)
    moves: list[list[tuple[int, int, int]]] = field(default_factory=list)


def walk(rules: SymmetricGame, limit: int | None) -> Walk:
    """Find every position that is reachable from the initial board.

    Args:
        rules: the game, with the symmetries under which boards are equivalent.
        limit: the maximum number of positions, or None for no limit.

    Raises:
        InvalidGame: if there are more than `limit` positions, O moves first, a player moves twice in a row, or an
            unfinished board has no moves or too many.

    >>> from menace.games.rules.mnk import MNK
    >>> [len(walk(SymmetricGame(MNK(2, 2, 2), symmetry), None).boards) for symmetry in ("full", "none")]
    [6, 29]
    """
    game, walked = rules.game, Walk()
    numbers: dict[Board, int] = {}  # maps each board found so far to its position number

    def number_of(board: Board) -> int:
        number = numbers.get(board)
        if number is None:
            canonical = rules.canonical(board)
            number = numbers.get(canonical, len(walked.boards))
            numbers[board] = numbers[canonical] = number
            if number == len(walked.boards):
                _add(walked, rules, canonical, limit)
        return number

    if number_of(game.initial) == 0 and walked.to_move[0] != 0:
        raise InvalidGame(f"{game.name} {game.variant} does not begin with a move by X, as every game must")
    for number, board in enumerate(walked.boards):  # the list grows during the loop
        # `moves` maps each next position to the lowest action that leads there and the number of actions that lead
        # there.
        moves: dict[int, tuple[int, int]] = {}
        for action in game.actions(board) if walked.to_move[number] >= 0 else ():
            child = number_of(game.play(board, action))
            lowest, multiplicity = moves.get(child, (action, 0))
            moves[child] = (min(lowest, action), multiplicity + 1)
        walked.moves.append(sorted((action, child, count) for child, (action, count) in moves.items()))
        _check_moves(walked, game, number)
    return walked


def _add(walked: Walk, rules: SymmetricGame, board: Board, limit: int | None) -> None:
    game = rules.game
    if limit is not None and len(walked.boards) >= limit:
        raise over_limit(game, limit, len(walked.boards) + 1)
    outcome = game.outcome(board)
    walked.boards.append(board)
    walked.images.append(rules.image_count(board))
    walked.outcome.append(NUMBER_OF_OUTCOME[outcome])
    walked.to_move.append(Side(game.to_move(board)).number if outcome is None else NO_SIDE)


def over_limit(game: Game, limit: int, reached: int) -> InvalidGame:
    """Return the error for a game with more than `limit` positions if the search stopped after `reached` positions.

    >>> from menace.games import get_game
    >>> str(over_limit(get_game(), 500, 501)).split(",")[0]
    'tictactoe 3x3x3 has more than 500 positions'
    """
    return InvalidGame(
        f"{game.name} {game.variant} has more than {limit:,} positions, which is the limit; the search stopped after"
        f" {counted(reached, 'position')}"
    )


def _check_moves(walked: Walk, game: Game, number: int) -> None:
    """Raise InvalidGame if the moves from an unfinished position violate the order of turns or exceed the limits."""
    side, moves = walked.to_move[number], walked.moves[number]
    if side < 0:
        return
    mover, where = Side.of_number(side), f"on board {walked.boards[number]} of {game.name} {game.variant}"
    if not moves:
        raise InvalidGame(f"{where}, {mover} has no legal move, but the game is not over")
    actions = sum(count for _, _, count in moves)
    if len(moves) > MAX_MOVES or actions > MAX_ACTIONS:
        raise InvalidGame(
            f"{where}, there are {counted(actions, 'action')} and {counted(len(moves), 'move')}; "
            f"the limits are {MAX_ACTIONS} and {MAX_MOVES}"
        )
    if moves[0][0] < 0 or moves[-1][0] > HIGHEST_ACTION:
        raise InvalidGame(
            f"{where}, actions range from {moves[0][0]} to {moves[-1][0]}; the allowed range is 0 to {HIGHEST_ACTION}"
        )
    for _, child, _ in moves:
        if walked.to_move[child] == side:
            raise InvalidGame(
                f"{where}, {mover} moves to board {walked.boards[child]}, where {mover} is to move again; "
                "sides must alternate"
            )


def longest_paths(game: Game, walked: Walk) -> list[int]:
    """Return, for each position, the length in moves of the longest path from the initial board.

    Raises:
        InvalidGame: if a board can occur twice in a game.

    >>> from menace.games.rules.mnk import MNK
    >>> game = MNK(2, 2, 2)
    >>> longest_paths(game, walk(SymmetricGame(game), None))
    [0, 1, 2, 2, 3, 3]
    """
    ply = [0] * len(walked.boards)
    ways = [0] * len(walked.boards)  # number of moves to each position from positions with an unknown ply
    for moves in walked.moves:
        for _, child, _ in moves:
            ways[child] += 1
    known = [] if ways[0] else [0]
    for number in known:  # the list grows during the loop
        for _, child, _ in walked.moves[number]:
            ply[child] = max(ply[child], ply[number] + 1)
            ways[child] -= 1
            if not ways[child]:
                known.append(child)
    if len(known) < len(ply):
        raise InvalidGame(
            f"{game.name} {game.variant} can return to board {_repeated(walked, ways)}, but menace supports only games"
            " in which no board occurs twice"
        )
    return ply


def _repeated(walked: Walk, ways: list[int]) -> Board:
    """Return a board that can occur twice in a game.

    Every position with a nonzero count in `ways` must have a predecessor with a nonzero count.
    """
    before = {
        child: number
        for number, moves in enumerate(walked.moves)
        if ways[number]
        for _, child, _ in moves
        if ways[child]
    }
    number = next(iter(before))
    for _ in before:  # after this many steps backwards, the position must be on a cycle
        number = before[number]
    return walked.boards[number]


BOARDS_AT_ONCE = 10_000  # number of boards to decode at a time
ACTION_BITS = 6  # number of bits for an action; 6 are enough because a 64-bit code represents at most 32 cells
LAST_ACTION = 2**ACTION_BITS - 1
CODES_AT_ONCE = 2**14  # number of codes for which images are computed at a time


class CodedBoards(Sequence[Board]):
    """A sequence of boards, stored as eight-byte codes and decoded on access.

    >>> game = get_game()
    >>> boards = CodedBoards(game, np.array([game.encode("XO......."), game.encode("X...O....")], np.uint64))
    >>> boards[1], len(boards), boards.index("X...O....")
    ('X...O....', 2, 1)
    """

    def __init__(self, rules: ArrayRules, codes: NDArray[np.uint64]) -> None:
        self._rules, self._codes = rules, codes

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Board]: ...
    def __getitem__(self, index: int | slice) -> Board | Sequence[Board]:
        if isinstance(index, slice):
            return self._rules.decode(self._codes[index])
        return self._rules.decode(self._codes[[index]])[0]

    def __iter__(self) -> Iterator[Board]:
        for start in range(0, len(self), BOARDS_AT_ONCE):
            yield from self[start : start + BOARDS_AT_ONCE]

    def __len__(self) -> int:
        return len(self._codes)

    @functools.cached_property
    def _ascending_order(self) -> NDArray[np.intp]:
        return np.argsort(self._codes)

    def index(self, board: object, *_: SupportsIndex) -> int:
        """Return the index of a board.

        Raises:
            ValueError: if the board is not in the sequence.
        """
        code = np.uint64(self._rules.encode(str(board)))
        rank = np.searchsorted(self._codes, code, sorter=self._ascending_order)
        number = int(self._ascending_order[rank % len(self)])
        if self._codes[number] != code:
            raise ValueError(f"{board} is not among the boards")
        return number


def enumerate_positions(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """Enumerate and solve all reachable positions, using the game's array rules if they exist.

    Args:
        game: the rules.
        symmetry: `full` if all images of a board belong to the same position; `none` if each board is a separate
            position.
        limit: the maximum number of positions, or None for no limit.

    Raises:
        InvalidGame: if there are more than `limit` positions, `symmetry` is unknown, a board can occur twice in a game,
            or the sides do not alternate.

    >>> from menace.games import get_game
    >>> len(enumerate_positions(get_game()))
    765
    """
    if isinstance(game, ArrayRules):
        return _enumerate_codes(game, game, symmetry, limit)
    return enumerate_by_text(game, symmetry, limit)


@functools.cache
def tictactoe() -> Positions:
    """Return the positions of tic-tac-toe, counting symmetric boards once. Callers must not change this shared object.

    >>> positions = tictactoe()
    >>> positions.boards[:4]
    ['.........', 'X........', '.X.......', '....X....']
    """
    return enumerate_positions(get_game())


@functools.lru_cache(maxsize=8)
def without_symmetry(positions: Positions) -> Positions:
    """Return the positions of a game in which every board is a separate position.

    Callers must not change this shared object.

    If the game has more than MOST_BOARDS boards, the function returns positions that combine symmetric boards instead.

    >>> len(without_symmetry(tictactoe()))
    5478
    """
    if positions.symmetry == "none" or int(positions.images.sum()) > MOST_BOARDS:
        return positions
    return enumerate_positions(positions.game, "none")


@functools.lru_cache(maxsize=4)
def every_board(positions: Positions) -> tuple[Positions, NDArray[np.intp], NDArray[np.intp]]:
    """Return the result of `without_symmetry`, with arrays that map its boards and moves to those of `positions`.

    >>> boards, position, move = every_board(tictactoe())
    >>> position[:4].tolist(), move[:4].tolist()
    ([0, 1, 2, 1], [0, 1, 0, 1])
    """
    boards = without_symmetry(positions)
    if boards is positions:
        return positions, np.arange(len(positions)), np.arange(positions.move_count)
    position = np.array([positions.number_of(board) for board in boards.boards], np.intp)
    pairs, count = (positions.position_of_move, positions.next_position), len(positions)
    keys = pairs[0].astype(np.int64) * count + pairs[1]
    order = np.argsort(keys)
    wanted = position[boards.position_of_move].astype(np.int64) * count + position[boards.next_position]
    return boards, position, order[np.searchsorted(keys[order], wanted)]


def enumerate_by_text(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    """Enumerate positions using only the text rules.

    This function works for every game, but is slower than the array rules. The arguments and errors are the same as for
    `enumerate_positions`.

    >>> positions = enumerate_by_text(get_game(variant="2x2x2"))
    >>> positions.boards, int(positions.minimax[0])  # X wins
    (('....', 'X...', 'XO..', 'X..O', 'XXO.', 'XO.X'), 1)
    """
    walked = walk(SymmetricGame(game, symmetry), limit)
    ply = longest_paths(game, walked)
    order = sorted(range(len(ply)), key=walked.boards.__getitem__, reverse=True)
    order.sort(key=ply.__getitem__)
    number = np.empty(len(ply), np.int32)
    number[order] = np.arange(len(ply), dtype=np.int32)
    moves = np.array([move for old in order for move in walked.moves[old]], np.int32).reshape(-1, 3)
    return _solved(
        Positions(
            game,
            symmetry,
            boards=TextBoards(walked.boards[old] for old in order),
            ply=np.array(ply, np.int32)[order],
            to_move=np.array(walked.to_move, np.int8)[order],
            outcome=np.array(walked.outcome, np.int8)[order],
            images=np.array(walked.images, np.int32)[order],
            minimax=np.empty(len(ply), np.int32),
            plies_to_end=np.empty(len(ply), np.int32),
            first_move=np.cumsum([0, *(len(walked.moves[old]) for old in order)], dtype=np.int32),
            action=moves[:, 0].copy(),
            next_position=number[moves[:, 1]],
            multiplicity=moves[:, 2].copy(),
        )
    )


def _solved(positions: Positions) -> Positions:
    solve(positions)
    return positions


def _enumerate_codes(game: Game, rules: ArrayRules, symmetry: SymmetryUse, limit: int | None) -> Positions:
    """Enumerate positions ply by ply. All paths to a board must have the same length."""
    plies: list[tuple[NDArray[Any], ...]] = []
    branches: list[tuple[NDArray[Any], ...]] = []
    symmetries = len(SymmetricGame(game, symmetry).symmetries)
    codes = _canonical_codes(rules, np.array([rules.encode(game.initial)], np.uint64), symmetries)
    count = 0
    while codes.size:
        if limit is not None and count + codes.size > limit:
            raise over_limit(game, limit, count + codes.size)
        outcome = rules.outcomes(codes)
        ply = np.full(codes.size, len(plies), np.int32)
        to_move = _to_move(game, rules, codes, outcome)
        branch, children = _branch(rules, codes, outcome, symmetries, first_child=count + codes.size)
        plies.append((codes, ply, to_move, outcome, _count_images(rules, codes, symmetries)))
        branches.append(branch)
        count += codes.size
        codes = children
    codes, ply, to_move, outcome, images = _concatenate_columns(plies)
    counts, action, next_position, multiplicity = _concatenate_columns(branches)
    first_move = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    action, multiplicity = action.astype(np.int32), multiplicity.astype(np.int32)
    return _solved(
        Positions(
            game,
            symmetry,
            boards=CodedBoards(rules, codes),
            ply=ply,
            to_move=to_move,
            outcome=outcome,
            images=images,
            minimax=np.empty(count, np.int32),
            plies_to_end=np.empty(count, np.int32),
            first_move=first_move,
            action=action,
            next_position=next_position,
            multiplicity=multiplicity,
        )
    )


def _concatenate_columns(parts: list[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """Concatenate the columns of all parts, and clear the list `parts` to save memory."""
    columns = [list(column) for column in reversed(list(zip(*parts, strict=True)))]
    parts.clear()
    return [np.concatenate(columns.pop()) for _ in range(len(columns))]


def _to_move(game: Game, rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the side to move on each board of one ply, with NO_SIDE for finished boards."""
    to_move = np.full(codes.size, NO_SIDE, np.int8)
    ongoing = outcome == ONGOING
    if ongoing.any():
        to_move[ongoing] = Side(game.to_move(rules.decode(codes[ongoing][:1])[0])).number
    return to_move


def _branch(
    rules: ArrayRules, codes: NDArray[np.uint64], outcome: NDArray[np.int8], symmetry_count: int, first_child: int
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.uint64]]:
    """Return the moves from one ply and the codes of the resulting positions.

    The columns contain the number of moves from each position, and the action, next position and multiplicity of each
    move.
    """
    ongoing = np.flatnonzero(outcome == ONGOING)
    parent, action, code = rules.successors(codes[ongoing])
    children, rank = np.unique(_canonical_codes(rules, code, symmetry_count), return_inverse=True)
    del code  # free the memory used by millions of codes
    rank = children.size - 1 - rank  # sort in descending order
    parent, action, rank, multiplicity = _merge_moves(parent, action, rank)
    counts = np.bincount(ongoing[parent], minlength=codes.size)
    next_position = (first_child + rank).astype(np.int32)
    # A code has 64 bits, of which 16 store the action.
    return (counts, action.astype(np.int16), next_position, multiplicity.astype(np.int16)), children[::-1]


def _merge_moves(
    parent: NDArray[np.int64], action: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Merge all moves from a position to the same next position into one move.

    Keep the lowest action, and store the number of merged moves.

    Each move is packed into a 64-bit number because sorting such numbers is several times faster than an indirect sort.

    Returns:
        The arrays `parent`, `action`, `rank` and `multiplicity` [merged moves], sorted by parent and then by action.
    """
    ranks = int(rank.max()).bit_length() if rank.size else 0
    moves = np.sort((parent << ranks | rank) << ACTION_BITS | action)
    starts = np.flatnonzero(np.diff(moves >> ACTION_BITS, prepend=-1))
    multiplicity = np.diff(starts, append=moves.size)
    moves = moves[starts]
    parent, rank, action = moves >> ranks + ACTION_BITS, moves >> ACTION_BITS & (1 << ranks) - 1, moves & LAST_ACTION
    moves = np.sort(((parent << ACTION_BITS | action) << ranks | rank) << ACTION_BITS | multiplicity)
    multiplicity, moves = moves & LAST_ACTION, moves >> ACTION_BITS
    rank, moves = moves & (1 << ranks) - 1, moves >> ranks
    return moves >> ACTION_BITS, moves & LAST_ACTION, rank, multiplicity


def _canonical_codes(rules: ArrayRules, codes: NDArray[np.uint64], symmetry_count: int) -> NDArray[np.uint64]:
    if symmetry_count == 1:
        return codes
    canonical = np.empty_like(codes)
    for here in _cache_sized_slices(codes):
        rules.images(codes[here]).max(axis=0, out=canonical[here])
    return canonical


def _cache_sized_slices(codes: NDArray[np.uint64]) -> Iterator[slice]:
    """Yield slices of codes, each small enough that all images of its boards fit into the processor's cache."""
    for start in range(0, codes.size, CODES_AT_ONCE):
        yield slice(start, start + CODES_AT_ONCE)


def _count_images(rules: ArrayRules, codes: NDArray[np.uint64], symmetry_count: int) -> NDArray[np.int32]:
    """Count the distinct images of each board.

    The count is the order of the symmetry group divided by the order of the board's stabiliser.
    """
    if symmetry_count == 1:
        return np.ones(codes.size, np.int32)
    images = np.empty(codes.size, np.int32)
    for here in _cache_sized_slices(codes):
        # On a board that is one cell wide, some symmetries are equal. Equal symmetries multiply both orders by the same
        # factor, so the quotient is still correct.
        images[here] = symmetry_count // (rules.images(codes[here]) == codes[here]).sum(axis=0)
    return images


def check_sound(positions: Positions) -> None:
    """Check all properties of positions that the kernel, the learners and the evaluation rely on.

    Raises:
        ValueError: if a position or move violates a property. The message identifies the first violation.

    >>> from dataclasses import replace
    >>> from menace.games.enumeration import tictactoe
    >>> check_sound(tictactoe())
    >>> check_sound(replace(tictactoe(), minimax=np.ones(765, np.int32)))
    Traceback (most recent call last):
        ...
    ValueError: position 337 is over, but its value does not match its outcome
    """
    over = positions.outcome != ONGOING
    _check_positions(positions, over)
    _check_rows_of_moves(positions)
    _check_labels(positions, over)
    actions = positions.sum_over_moves(positions.multiplicity)
    many = (np.diff(positions.first_move) > MAX_MOVES) | (actions > MAX_ACTIONS)
    _refuse("position", np.flatnonzero(many), "has too many moves")


def _check_positions(positions: Positions, over: NDArray[np.bool_]) -> None:
    ply = positions.ply
    step = np.diff(ply)
    _refuse("position", np.flatnonzero((step < 0) | (step > 1)) + 1, "has a ply that is out of order")
    _refuse("position", np.flatnonzero((ply == 0) != (np.arange(len(positions)) == 0)), "is at an impossible ply")
    _refuse(
        "position",
        np.flatnonzero((positions.to_move == NO_SIDE) != over),
        "is over but has a side to move, or is not over but has no side to move",
    )
    moves = np.diff(positions.first_move)
    _refuse("position", np.flatnonzero((moves == 0) != over), "is over but has moves, or is not over but has no moves")
    if over[0] or positions.to_move[0] != 0:
        raise ValueError("X is not to move in position 0")
    # Evaluation works ply by ply, so the same side must be to move in all positions of a ply.
    mover = np.full(int(ply[-1]) + 1, NO_SIDE)
    mover[ply[~over]] = positions.to_move[~over]
    _refuse("position", np.flatnonzero(~over & (mover[ply] != positions.to_move)), "has the wrong side to move")


def _check_rows_of_moves(positions: Positions) -> None:
    position, child = positions.position_of_move, positions.next_position
    _refuse("move", np.flatnonzero((child <= position) | (child >= len(positions))), "leads to no later position")
    _refuse("move", np.flatnonzero(positions.ply[child] <= positions.ply[position]), "does not lead to a higher ply")
    _refuse("move", np.flatnonzero(positions.to_move[child] == positions.to_move[position]), "does not pass the turn")
    follows = (np.diff(position) > 0) | (np.diff(positions.action) > 0)
    _refuse("move", np.flatnonzero(~follows) + 1, "repeats an action of its position")


def _check_labels(positions: Positions, over: NDArray[np.bool_]) -> None:
    """Raise an error if the minimax values or the distances to the end differ from those under perfect play."""
    right = replace(positions, minimax=positions.minimax.copy(), plies_to_end=positions.plies_to_end.copy())
    solve(right)
    value, distance = right.minimax != positions.minimax, right.plies_to_end != positions.plies_to_end
    _refuse("position", np.flatnonzero(over & (value | distance)), "is over, but its value does not match its outcome")
    _refuse("position", np.flatnonzero(value), "does not have the value of its best move")
    _refuse("position", np.flatnonzero(distance), "has the wrong distance to the end")


def _refuse(what: str, wrong: NDArray[np.intp], why: str) -> None:
    if wrong.size:
        raise ValueError(f"{what} {wrong[0]} {why}")
