"""Checks of the laws that every game must obey, for the tests of games written elsewhere.

    from menace.testing import check_game

    def test_chomp():
        check_game(Chomp("3x4"))

Games of a few thousand boards are checked completely. Of larger games a given number of boards is checked: those near
the beginning, and those of games that are played at random to their ends.
"""

from __future__ import annotations

import inspect
import itertools
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, TypeVar

from menace.errors import BrokenGame
from menace.games.base import ArrayRules, Board, Game
from menace.games.contract import LAWS_OF_A_BOARD, LAWS_OF_AN_IMAGE, array_rules, beginning, failed, group
from menace.games.plugins import check_form

T = TypeVar("T")

BOARDS = 1000
SYMMETRIES_MOST = 8  # that are tried on a board
NO_REPEATS, COMES_AGAIN = "no repeats", "it can come up again in the same game"
AN_END, GAME_LONGEST = "an end", 10_000  # moves: many times those of any game whose positions a database can hold
SAMPLE = 12  # boards by which symmetries are compared


class Checked(NamedTuple):
    """How much of a game was checked: how many of its boards, and whether these are all."""

    boards: int
    whole: bool


def check_game(game: Game, boards: int = BOARDS, seed: int = 0) -> Checked:
    """Check that a game obeys all laws of games: menace/games/contract.py has them, each in words.

    Args:
        game: any.
        boards: the most to check, 1 or more.
        seed: of the random sample where a game has more.

    Raises:
        InvalidGame: if it does not have the form of a game.
        BrokenGame: if it breaks a law. The message names the law, and the board and action where it is broken.

    >>> from menace.games import get_game
    >>> check_game(get_game(variant="2x2x2"))
    Checked(boards=29, whole=True)
    """
    chance = random.Random(seed)  # noqa: S311 - no secret
    check_form(game, type(game).__name__)
    _check_law(game, beginning.__name__, game.initial, beginning(game))
    successors: dict[Board, tuple[Board, ...]] = {}  # of each checked board, the boards that follow
    whole = True
    for board in _boards(game, boards, chance):
        if len(successors) == boards:
            whole = False
            break
        for law in LAWS_OF_A_BOARD:
            _check_law(game, law.__name__, board, law(game, board))
        for symmetry in _sample(game.symmetries, SYMMETRIES_MOST, chance):
            for image_law in LAWS_OF_AN_IMAGE:
                _check_law(game, image_law.__name__, board, image_law(game, board, symmetry))
        successors[board] = tuple(game.play(board, action) for action in game.actions(board))
    _check_repeats(game, successors)
    sample = _sample(list(successors), SAMPLE, chance)
    _check_law(game, group.__name__, game.initial, group(game, sample, chance))
    if isinstance(game, ArrayRules):
        _check_law(game, array_rules.__name__, game.initial, array_rules(game, game, list(successors)))
    return Checked(len(successors), whole)


def laws_of(game: Game) -> list[str]:
    """Return the laws that `check_game` checks of a game, each as a sentence.

    >>> from menace.games import get_game
    >>> laws_of(get_game("nim"))[0]
    'X moves first, on a board that is not over.'
    """
    laws = [beginning, *LAWS_OF_A_BOARD, *LAWS_OF_AN_IMAGE, group, *([array_rules] * isinstance(game, ArrayRules))]
    return [*(inspect.getdoc(law) or law.__name__ for law in laws), "No board comes up twice in a game."]


def _boards(game: Game, most: int, chance: random.Random) -> Iterator[Board]:
    """Yield each board that can be reached, once; where there are more than `most`, more than `most` of them."""
    near = list(itertools.islice(_by_breadth(game), most + 1))
    if len(near) <= most:
        yield from near
        return
    visited = dict.fromkeys(near[: (most + 1) // 2])
    yield from list(visited)
    for _ in range(most):
        for board in _random_game(game, chance):
            if board not in visited:
                visited[board] = None
                yield board
    yield from (board for board in near if board not in visited)


def _by_breadth(game: Game) -> Iterator[Board]:
    """Yield each board that can be reached, once: those after fewer moves first."""
    visited = {game.initial: None}
    waiting = deque(visited)
    while waiting:
        board = waiting.popleft()
        yield board
        new = [child for child in dict.fromkeys(_children(game, board)) if child not in visited]
        visited.update(dict.fromkeys(new))
        waiting.extend(new)


def _random_game(game: Game, chance: random.Random) -> list[Board]:
    """Return the boards of a game that is played at random to its end. Raises BrokenGame if it does not end."""
    board = game.initial
    path = {board: None}
    while children := _children(game, board):
        board = chance.choice(children)
        if board in path:
            raise _broken(game, NO_REPEATS, board, COMES_AGAIN)
        if len(path) > GAME_LONGEST:
            raise _broken(game, AN_END, game.initial, f"a game played at random goes on after {GAME_LONGEST:,} moves")
        path[board] = None
    return list(path)


def _children(game: Game, board: Board) -> list[Board]:
    try:
        return [game.play(board, action) for action in game.actions(board)]
    except Exception as error:
        raise _broken(game, "moves", board, failed(error)) from error


def _check_repeats(game: Game, successors: dict[Board, tuple[Board, ...]]) -> None:
    """Raise BrokenGame if a board comes up twice in a game, as far as its boards are known."""
    sorter = TopologicalSorter(successors)
    try:
        sorter.prepare()
    except CycleError as error:
        raise _broken(game, NO_REPEATS, error.args[1][0], COMES_AGAIN) from None


def _sample(items: Sequence[T], most: int, chance: random.Random) -> list[T]:
    """Return all items, or if there are more than `most`, the first and a random sample of the others."""
    return list(items) if len(items) <= most else [items[0], *chance.sample(items[1:], most - 1)]


def _check_law(game: Game, law: str, board: Board, faults: Iterable[str]) -> None:
    """Raise BrokenGame if a law yields a fault, or the game fails while it is checked."""
    try:
        fault = next(iter(faults), None)
    except Exception as error:
        raise _broken(game, law, board, failed(error)) from error
    if fault is not None:
        raise _broken(game, law, board, fault)


def _broken(game: Game, law: str, board: Board, fault: str) -> BrokenGame:
    text = f"{game.name} {game.variant} breaks the law of {law.replace('_', ' ')} on board {board}: {fault}"
    return BrokenGame(" ".join(text.split()))
