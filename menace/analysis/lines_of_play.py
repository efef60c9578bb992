"""Find lines of play on actual boards, such as a line to a given board or the best continuation from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import most_likely_refutation
from menace.errors import IllegalMove
from menace.games.base import Board
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.learners.machine import Machine
from menace.ledger.store import GameRow

MAX_IMAGES = 100  # maximum number of boards on a page; heaps in Nim can be ordered in up to 40,320 ways


class LineOfPlay(NamedTuple):
    """Consecutive boards and the moves between them.

    Attributes:
        boards: the boards. There is one more board than there are actions.
        actions: the actions that lead from each board to the next.

    >>> LineOfPlay(("X..", "XO."), (1,)).actions
    (1,)
    """

    boards: tuple[Board, ...]
    actions: tuple[int, ...]


class Refutation(NamedTuple):
    """A line of play that beats a machine.

    Attributes:
        way: the boards and actions of the line.
        probability: the probability that the machine plays its own moves in the line.
        resigns: whether the machine resigns at the end of the line.
    """

    way: LineOfPlay
    probability: float
    resigns: bool


def play_on_boards(positions: Positions, board: Board, moves: Iterable[int]) -> LineOfPlay:
    """Play consecutive moves from a board, and return the line of play. Moves are given by their indices.

    If several actions are equivalent, the lowest is played. The caller must ensure that the first move belongs to the
    board's position.

    >>> from menace.games.enumeration import tictactoe
    >>> play_on_boards(tictactoe(), "........X", [tictactoe().moves_of(1)[0]])  # beside X
    LineOfPlay(boards=('........X', '.....O..X'), actions=(5,))
    """
    game, boards, actions = positions.game, [board], list[int]()
    for move in moves:
        after = int(positions.next_position[move])
        children = ((action, game.play(boards[-1], action)) for action in game.actions(boards[-1]))
        action, child = next(found for found in children if positions.number_of(found[1]) == after)
        actions.append(action)
        boards.append(child)
    return LineOfPlay(tuple(boards), tuple(actions))


def line_to(positions: Positions, board: Board) -> LineOfPlay:
    """Return a line from the first board to `board` itself, through the lowest-numbered preceding positions.

    Raises:
        LookupError: if the board cannot be reached.

    >>> from menace.games.enumeration import tictactoe
    >>> line_to(tictactoe(), ".X..O....").boards
    ('.........', '.X.......', '.X..O....')
    """
    position, moves = positions.number_of(board), []
    while position:
        move = int(np.flatnonzero(positions.next_position == position)[0])
        moves.append(move)
        position = int(positions.position_of_move[move])
    line = play_on_boards(positions, positions.game.initial, reversed(moves))
    there = positions.symmetry_to_canonical(line.boards[-1])
    back = positions.symmetry_to_canonical(board).inverse()
    boards = tuple(back.board(there.board(step)) for step in line.boards)
    return LineOfPlay(boards, tuple(back.action(there.action(action)) for action in line.actions))


def principal_variation(positions: Positions, board: Board) -> LineOfPlay:
    """Return the line of perfect play from a board. If several moves are equally good, the lowest is played.

    The winner hurries and the loser delays. If the game is a draw, both players delay. The line therefore has
    `plies_to_end` moves.

    >>> from menace.games.enumeration import tictactoe
    >>> principal_variation(tictactoe(), "XX.OO....").boards
    ('XX.OO....', 'XXXOO....')
    """
    position, moves = positions.number_of(board), []
    while len(here := positions.moves_of(position)):
        left = positions.plies_to_end[position] - 1
        moves.append(
            next(m for m in here if positions.optimal[m] and positions.plies_to_end[positions.next_position[m]] == left)
        )
        position = int(positions.next_position[moves[-1]])
    return play_on_boards(positions, board, moves)


def refutation(machine: Machine, board: Board) -> Refutation | None:
    """Return the line from a board that is most likely to beat a machine's training policy, or None if no line can.

    >>> from menace.learners.machine import Machine
    >>> line = refutation(Machine("menace", "O"), "XX.OO....")
    >>> line.way.boards, line.probability
    (('XX.OO....', 'XXXOO....'), 1.0)
    """
    positions = machine.positions
    line = most_likely_refutation(machine.policy(), positions.number_of(board))
    return (
        None
        if line is None
        else Refutation(play_on_boards(positions, board, line.moves), line.probability, line.resigns)
    )


def line_through(rules: SymmetricGame, boards: Sequence[Board]) -> LineOfPlay:
    """Return the line of play through consecutive boards, after finding the action between each pair of boards.

    Raises:
        IllegalMove: if no move leads from a board to the next one.

    >>> from menace.games.enumeration import tictactoe
    >>> line_through(tictactoe(), ("X........", "X...O....")).actions
    (4,)
    """
    game, actions = rules.game, []
    for board, after in pairwise(boards):
        move = next((action for action in game.actions(board) if game.play(board, action) == after), None)
        if move is None:
            raise IllegalMove(f"no legal move leads from {board} to {after}")
        actions.append(move)
    return LineOfPlay(tuple(boards), tuple(actions))


def images(rules: SymmetricGame, board: Board, most: int = MAX_IMAGES) -> tuple[Board, ...]:
    """Return up to `most` boards that belong to the same position as `board`, in descending order.

    >>> from menace.games.enumeration import tictactoe
    >>> images(tictactoe(), "........X")
    ('X........', '..X......', '......X..', '........X')
    """
    boards: set[Board] = set()
    for symmetry in rules.symmetries:
        boards.add(symmetry.board(board))
        if len(boards) == most:
            break
    return tuple(sorted(boards, reverse=True))


def boards_before(positions: Positions, board: Board) -> tuple[Board, ...]:
    """Return the boards from which a move leads to `board` itself. The result is empty for the first board.

    >>> from menace.games.enumeration import tictactoe
    >>> boards_before(tictactoe(), "XX..O....")
    ('X...O....', '.X..O....')
    """
    game, position = positions.game, positions.number_of(board)
    before = np.unique(positions.position_of_move[np.flatnonzero(positions.next_position == position)])
    boards = [image for number in before.tolist() for image in images(positions, positions.boards[number])]
    return tuple(
        earlier for earlier in boards if any(game.play(earlier, action) == board for action in game.actions(earlier))
    )


def ways_on(positions: Positions) -> NDArray[np.float64]:
    """Return the number of ways to continue the game from each position. Counts below 2^53 are exact.

    >>> from menace.games.enumeration import tictactoe
    >>> f"{ways_on(tictactoe())[0]:,.0f}"  # Henry Bottomley, https://www.se16.info/hgb/tictactoe.htm
    '255,168'
    """
    ways = np.where(positions.to_move < 0, 1.0, 0.0)
    for here, moves in reversed(positions.plies):
        weights = positions.multiplicity[moves] * ways[positions.next_position[moves]]
        sums = np.bincount(positions.position_of_move[moves] - here.start, weights, minlength=here.stop - here.start)
        ways[here] += sums
    return ways


def games_through(rules: SymmetricGame, games: Sequence[GameRow], board: Board) -> list[GameRow]:
    """Return the recorded games that reached a board or one of its images.

    >>> from menace.games.enumeration import tictactoe
    >>> games_through(tictactoe(), store.games(), "X........")
    []
    """
    game, wanted = rules.game, rules.canonical(board)
    boards = set(images(rules, wanted))
    many = len(boards) == MAX_IMAGES

    def passed_through(row: GameRow) -> bool:
        here = game.initial
        for action in [None, *map(int, filter(None, row.actions.split(",")))]:
            here = here if action is None else game.play(here, action)
            if here in boards or (many and rules.canonical(here) == wanted):
                return True
        return False

    return [row for row in games if passed_through(row)]
