"""Walks every position that a game's rules on text reach, and computes the longest path to each.

Positions are joined whatever way led to them: equal boards may come up after different numbers of moves. A board is
carried to its canonical one when it is first met.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from menace.errors import InvalidGame
from menace.games.base import NO_SIDE, NUMBER_OF_OUTCOME, Board, Game, Side
from menace.games.symmetry import SymmetricGame

# Of one board. A box of as many piles, each as full as the kernel lets it be, holds less than 2^31 beads; and as many
# actions, each as heavy as players.py makes them, weigh less than 2^31.
MOVES_MOST, ACTIONS_MOST = 31, 180
HIGHEST_ACTION = 2**31 - 1


@dataclass(frozen=True)
class Walk:
    """Positions in the order in which they were found, the initial one first: parallel lists, one entry a position.

    Attributes:
        boards: canonical.
        images: how many different images the board has.
        to_move: 0 (X), 1 (O) or -1 (the game is over), by the rules.
        outcome: as numbers.
        moves: (action, next position, multiplicity), by action; of equivalent actions the lowest stands for all.

    >>> from menace.games.mnk import MNK
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
    """Find every position that is reached from the initial board.

    Args:
        rules: of the game, with the symmetries that join boards to one position.
        limit: the most positions to find, or None for as many as there are.

    Raises:
        InvalidGame: if there are more than `limit`; O moves first, or a player moves twice running; or a board has no
            moves, or too many, while the game goes on.

    >>> from menace.games.mnk import MNK
    >>> [len(walk(SymmetricGame(MNK(2, 2, 2), symmetry), None).boards) for symmetry in ("full", "none")]
    [6, 29]
    """
    game, walked = rules.game, Walk()
    numbers: dict[Board, int] = {}  # of every board that was met, the number of its position

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
        raise InvalidGame(f"{game.name} {game.variant} does not begin with a move by X, as every game here does")
    for number, board in enumerate(walked.boards):  # which grows meanwhile
        moves: dict[int, tuple[int, int]] = {}  # by next position: the lowest action, and how many
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
    """Return the error that a game has more positions than `limit`; `reached` of them when that was seen.

    >>> from menace.games import get_game
    >>> str(over_limit(get_game(), 500, 501)).split(",")[0]
    'tictactoe 3x3x3 has more than 500 positions'
    """
    return InvalidGame(
        f"{game.name} {game.variant} has more than {limit:,} positions, the most that fit here: the search was ended"
        f" when {reached:,} were reached"
    )


def _check_moves(walked: Walk, game: Game, number: int) -> None:
    """Raise InvalidGame unless the position's moves, if it is not over, are such as players and boxes can have."""
    side, moves = walked.to_move[number], walked.moves[number]
    if side < 0:
        return
    mover, where = Side.of_number(side), f"on board {walked.boards[number]} of {game.name} {game.variant}"
    if not moves:
        raise InvalidGame(f"{where} nobody has won, and {mover} has no move; a game must be over by then")
    actions = sum(count for _, _, count in moves)
    if len(moves) > MOVES_MOST or actions > ACTIONS_MOST:
        raise InvalidGame(
            f"{where} there are {actions} actions and {len(moves)} different moves;"
            f" the most are {ACTIONS_MOST} and {MOVES_MOST}"
        )
    if moves[0][0] < 0 or moves[-1][0] > HIGHEST_ACTION:
        raise InvalidGame(
            f"{where} actions go from {moves[0][0]} to {moves[-1][0]}; they are from 0 to {HIGHEST_ACTION}"
        )
    for _, child, _ in moves:
        if walked.to_move[child] == side:
            raise InvalidGame(
                f"{where} {mover} moves, and again on board {walked.boards[child]}; the turn must pass with each move"
            )


def longest_ways(game: Game, walked: Walk) -> list[int]:
    """Return the most moves that can have been made when each position is reached.

    Raises:
        InvalidGame: if a board can come up twice in a game.

    >>> from menace.games.mnk import MNK
    >>> game = MNK(2, 2, 2)
    >>> longest_ways(game, walk(SymmetricGame(game), None))
    [0, 1, 2, 2, 3, 3]
    """
    ply = [0] * len(walked.boards)
    ways = [0] * len(walked.boards)  # moves to the position, from positions whose own ply is not known yet
    for moves in walked.moves:
        for _, child, _ in moves:
            ways[child] += 1
    known = [] if ways[0] else [0]
    for number in known:  # which grows meanwhile
        for _, child, _ in walked.moves[number]:
            ply[child] = max(ply[child], ply[number] + 1)
            ways[child] -= 1
            if not ways[child]:
                known.append(child)
    if len(known) < len(ply):
        raise InvalidGame(
            f"{game.name} {game.variant} can come back to board {_repeated(walked, ways)};"
            " only games in which no board comes up twice can be played here"
        )
    return ply


def _repeated(walked: Walk, ways: list[int]) -> Board:
    """Return a board of a circle: of the positions left with `ways` to them, each follows another that is left."""
    before = {
        child: number
        for number, moves in enumerate(walked.moves)
        if ways[number]
        for _, child, _ in moves
        if ways[child]
    }
    number = next(iter(before))
    for _ in before:  # as many steps back end on a circle
        number = before[number]
    return walked.boards[number]
