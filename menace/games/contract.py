"""The contract of games: the laws that every game must obey, and the check of a game against them.

Each law is a function that yields what breaks it. Laws of a board are checked on every board that the game reaches,
laws of an image on every image of these boards, too. Games of a few thousand boards are checked completely. For
larger games, a given number of boards is checked: boards near the beginning, and boards from games played at random
to their ends.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, TypeVar, get_args

from menace.errors import BrokenGame, IllegalMove, InvalidBoard
from menace.games.base import NUMBER_OF_OUTCOME, ArrayRules, Board, Game, MoveMark, Outcome, Side, Symmetry
from menace.games.enumeration import ACTIONS_MOST, HIGHEST_ACTION, MOVES_MOST
from menace.games.plugins import check_form

T = TypeVar("T")

PAIRS_MOST = 256  # of symmetries, whose products are looked at
ENDS = 2  # of an arrow or a pair
LONGEST_PIECE, LONGEST_NAME, LONGEST_LINE = 3, 40, 80  # characters
NO_TEXTS = ("", "nonsense", "\N{SNOWMAN}")  # neither boards nor moves
BOARDS = 1000
SYMMETRIES_MOST = 8  # that are tried on a board
NO_REPEATS, COMES_AGAIN = "no repeats", "it can come up again in the same game"
AN_END, GAME_LONGEST = "an end", 10_000  # moves: many times those of any game whose positions a database can hold
SAMPLE = 12  # boards by which symmetries are compared


def failed(error: Exception) -> str:
    """Return the message for an unexpected error of a game's method.

    >>> failed(KeyError(3))
    'the game fails with KeyError: 3'
    """
    return f"the game fails with {type(error).__name__}: {error}"


def beginning(game: Game) -> Iterator[str]:
    """X moves first, on a board that is not over."""
    if game.outcome(game.initial) is not None:
        yield f"the game is over before the first move, with {game.outcome(game.initial)!r}"
    elif game.to_move(game.initial) != Side.X:
        yield "O moves first; X does in every game"


def ends(game: Game, board: Board) -> Iterator[str]:
    """A game that is over has an outcome and no moves; one that goes on has moves and no outcome."""
    outcome, actions = game.outcome(board), game.actions(board)
    if outcome not in (None, *get_args(Outcome)):
        yield f"its outcome is {outcome!r}; it should be 'X', 'O', 'draw' or None"
    if outcome is None and not actions:
        yield "nobody has won, it is not a draw, and yet there is no move"
    if outcome is not None and actions:
        yield f"it is over with {outcome!r}, and yet there is still action {actions[0]}"


def actions(game: Game, board: Board) -> Iterator[str]:
    """Actions are numbers in ascending order, always the same, and not too many."""
    actions = game.actions(board)
    if not isinstance(actions, tuple) or not all(type(action) is int for action in actions):
        yield f"its actions are {actions!r}; they should be a tuple of whole numbers"
    elif list(actions) != sorted(set(actions)):
        yield f"its actions are {actions}; each should be there once, in ascending order"
    elif actions and not 0 <= actions[0] <= actions[-1] <= HIGHEST_ACTION:
        yield f"its actions go from {actions[0]} to {actions[-1]}; they should be from 0 to {HIGHEST_ACTION}"
    elif actions != game.actions(board):
        yield "its actions are different when they are asked for again"
    initial = game.initial
    after = {max(symmetry.board(game.play(board, action)) for symmetry in game.symmetries) for action in actions}
    if game.initial != initial:
        yield f"play changes the game: its initial board was {initial}, and is {game.initial}; return another board"
    if len(actions) > ACTIONS_MOST or len(after) > MOVES_MOST:
        yield f"it has {len(actions)} actions and {len(after)} different moves, at most {ACTIONS_MOST} and {MOVES_MOST}"


def boards(_game: Game, board: Board) -> Iterator[str]:
    """A board is a text without spaces."""
    if not isinstance(board, str) or not board.isprintable() or not board or " " in board:
        yield f"{board!r} is not a text without spaces"


def turns(game: Game, board: Board) -> Iterator[str]:
    """The turn passes with each move."""
    if game.outcome(board) is not None:
        return
    mover = game.to_move(board)
    if not isinstance(mover, Side):
        yield f"{mover!r} is to move; it should be Side.X or Side.O"
        return
    for action in game.actions(board):
        child = game.play(board, action)
        if game.outcome(child) is None and game.to_move(child) != mover.other:
            yield f"after action {action} by {mover}, {game.to_move(child)} is to move again"


def illegal_moves(game: Game, board: Board) -> Iterator[str]:
    """What is no legal action is refused with IllegalMove."""
    legal = game.actions(board)
    for action in {-1, 0, max(legal, default=0) + 1, *range(min(legal, default=0))} - set(legal):
        with contextlib.suppress(IllegalMove):
            child = game.play(board, action)
            yield f"action {action} is not legal, but is played, and leads to {child}; raise IllegalMove instead"


def names(game: Game, board: Board) -> Iterator[str]:
    """Each move has a name of its own, which is read back as that move; other texts are no moves."""
    action_of: dict[str, int] = {}
    for action in game.actions(board):
        name = game.name_of(board, action)
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            yield f"action {action} is called {name!r}; a name should be one line of at most {LONGEST_NAME} characters"
        elif name in action_of:
            yield f"actions {action_of[name]} and {action} are both called {name!r}"
        action_of[name] = action
    for name, action in action_of.items():
        if (read := game.parse_action(board, name)) != action:
            yield f"action {action} is called {name!r}, which is read as {read}"
    for text in NO_TEXTS:
        with contextlib.suppress(IllegalMove):
            read = game.parse_action(board, text)
            yield f"the text {text!r} is read as action {read}; raise IllegalMove instead"


def reading(game: Game, board: Board) -> Iterator[str]:
    """A board is read back as itself; other texts are no boards."""
    if (read := game.parse(board)) != board:
        yield f"it is read as {read!r}"
    for text in NO_TEXTS:
        with contextlib.suppress(InvalidBoard):
            read = game.parse(text)
            yield f"the text {text!r} is read as board {read!r}; raise InvalidBoard instead"


def drawing(game: Game, board: Board) -> Iterator[str]:
    """A board is drawn as lines that fit a terminal."""
    drawn = game.draw(board)
    if not isinstance(drawn, str) or not drawn.strip():
        yield f"it is drawn as {drawn!r}; that should be lines of text"
    elif not all(line.isprintable() and len(line) <= LONGEST_LINE for line in drawn.split("\n")):
        yield f"it is drawn with a line of over {LONGEST_LINE} characters, or with characters that cannot be printed"


def pieces(game: Game, board: Board) -> Iterator[str]:
    """Each cell of the shape has a piece, a short text, or an empty one."""
    pieces, (rows, columns) = game.pieces(board), game.shape
    if not isinstance(pieces, tuple) or len(pieces) != rows * columns:
        yield f"its pieces are {pieces!r}; there should be a tuple of {rows * columns}, one for each cell"
        return
    for cell, piece in enumerate(pieces):
        if not isinstance(piece, str) or len(piece) > LONGEST_PIECE or any(map(str.isspace, piece)):
            yield f"on cell {cell} there is {piece!r}; a piece should be a text of at most {LONGEST_PIECE} characters"


def places(game: Game, board: Board) -> Iterator[str]:
    """Each move marks cells of the board, or is an arrow or a pair of two, and has a place of its own."""
    cells = range(game.shape[0] * game.shape[1])
    action_at: dict[object, int] = {}
    for action in game.actions(board):
        where = game.where(board, action)
        if not isinstance(where, MoveMark) or sum(map(bool, (where.cells, where.arrow, where.pair))) != 1:
            yield f"action {action} is at {where!r}; it should be a MoveMark with cells, or with an arrow, or a pair"
            continue
        ends = where.ends
        wrong = [cell for cell in ends or where.cells if cell not in cells]
        if wrong or (ends and (len(ends) != ENDS or ends[0] == ends[1])):
            yield (
                f"action {action} is at {where!r}; cells go from 0 to {cells[-1]}, and an arrow joins two of them, as a"
                " pair does"
            )
            continue
        place = _place_of(where)
        if place in action_at:
            both = f"actions {action_at[place]} and {action}"
            yield f"{both} have the same place; the first cell, the arrow, or the pair should differ"
        action_at[place] = action


def _place_of(where: MoveMark) -> object:
    if where.pair is not None:
        return frozenset(where.pair)
    return where.arrow or (where.cells[0], where.places and where.places == "X")  # X stands at the left, others right


def carrying(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """To carry and then to play is to play and then to carry; images have the same outcome and side to move."""
    image, by = symmetry.board(board), f"by {symmetry.name!r}"
    if game.outcome(image) != game.outcome(board):
        yield f"its outcome is {game.outcome(board)!r}, and that of its image {image} {by} {game.outcome(image)!r}"
        return
    if game.outcome(board) is None and game.to_move(image) != game.to_move(board):
        yield f"{game.to_move(board)} is to move, and on its image {image} {by} {game.to_move(image)}"
    carried = {action: symmetry.action(action) for action in game.actions(board)}
    if sorted(carried.values()) != list(game.actions(image)):
        yield f"its actions are carried {by} to {sorted(carried.values())}; {image} has {list(game.actions(image))}"
        return
    for action, there in carried.items():
        then, first = symmetry.board(game.play(board, action)), game.play(image, there)
        if then != first:
            yield f"action {action} and then {by} leads to {then}, {by} and then action {there} to {first}"


def undoing(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """The inverse of a symmetry undoes it, on boards and on actions."""
    back, by = symmetry.inverse(), f"{symmetry.name!r}"
    if (again := back.board(symmetry.board(board))) != board:
        yield f"{by} and its inverse carry it to {again}"
    for action in game.actions(board):
        if (returned := back.action(symmetry.action(action))) != action:
            yield f"{by} and its inverse carry action {action} to {returned}"


def images(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """An image is a board as any other: it is read, drawn, and its moves have names and places."""
    image = symmetry.board(board)
    there = f"on its image {image} by {symmetry.name!r}, "
    for law in (boards, reading, names, drawing, pieces, places):
        try:
            yield from (f"{there}{fault}" for fault in law(game, image))
        except Exception as error:  # noqa: BLE001 - a game's own fault is reported with the board
            yield f"{there}{failed(error)}"


LAWS_OF_A_BOARD = (boards, actions, ends, turns, illegal_moves, names, reading, drawing, pieces, places)
LAWS_OF_AN_IMAGE = (carrying, undoing, images)


def group(game: Game, sample: Sequence[Board], chance: random.Random) -> Iterator[str]:
    """Symmetries are a group: the identity comes first, and two of them one after the other are one of them."""
    numbers = sorted({action for board in sample for action in game.actions(board)})

    def done(*symmetries: Symmetry) -> tuple[tuple[Board, ...], tuple[int, ...]]:
        """Return what symmetries do one after the other: to the boards of the sample, and to actions."""
        carried, moved = list(sample), list(numbers)
        for symmetry in symmetries:
            carried, moved = [symmetry.board(board) for board in carried], [symmetry.action(n) for n in moved]
        return tuple(carried), tuple(moved)

    first = game.symmetries[0]
    if done(first) != done():
        yield f"the first symmetry, {first.name!r}, is not the identity"
    known = {done(symmetry) for symmetry in game.symmetries}
    pairs = (
        list(itertools.product(game.symmetries, repeat=2))
        if len(game.symmetries) ** 2 <= PAIRS_MOST
        else [(chance.choice(game.symmetries), chance.choice(game.symmetries)) for _ in range(PAIRS_MOST)]
    )
    for inner, outer in pairs:
        if done(inner, outer) not in known:
            yield f"{inner.name!r} and then {outer.name!r} together are not one of its symmetries"


def array_rules(game: Game, rules: ArrayRules, boards: Sequence[Board]) -> Iterator[str]:
    """The rules on arrays, where a game brings them, say what the rules on text say."""
    import numpy as np

    codes = np.array([rules.encode(board) for board in boards], np.uint64)
    if rules.decode(codes) != list(boards):
        yield "a board's code is not decoded to the board"
    order = sorted(range(len(boards)), key=boards.__getitem__)
    if np.any(np.diff(codes[order].astype(object)) <= 0):
        yield "codes do not compare as the texts of boards do"
    outcomes = [NUMBER_OF_OUTCOME[game.outcome(board)] for board in boards]
    for board, text, array in zip(boards, outcomes, rules.outcomes(codes).tolist(), strict=True):
        if text != array:
            yield f"the outcome of {board} is {text} by text and {array} by arrays"
    for board, column in zip(boards, rules.images(codes).T, strict=True):
        if rules.decode(column) != [symmetry.board(board) for symmetry in game.symmetries]:
            yield f"the images of {board} are different by arrays"
    for board, code in zip(boards, codes, strict=True):
        if game.outcome(board) is not None:
            continue
        by_array = rules.successors(np.array([code], np.uint64))
        moves = list(zip(by_array.action.tolist(), rules.decode(by_array.code), strict=True))
        if moves != [(action, game.play(board, action)) for action in game.actions(board)]:
            yield f"the moves on {board} are different by arrays"


class Checked(NamedTuple):
    """How much of a game was checked: how many of its boards, and whether these are all."""

    boards: int
    whole: bool


def check_game(game: Game, boards: int = BOARDS, seed: int = 0) -> Checked:
    """Check that a game obeys all laws of games; `laws_of` lists them.

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
