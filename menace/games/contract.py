"""Check that a game obeys the laws that every game must obey.

Each law is a function that yields its violations. Board laws apply to every reachable board, and image laws apply to
every image of a reachable board. For games with a few thousand boards, the check covers all boards. For larger games,
the check covers a sample of the given size. Some boards in the sample are near the beginning of the game, and others
come from random games.
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
from menace.games.enumeration import HIGHEST_ACTION, MAX_ACTIONS, MAX_MOVES
from menace.games.plugins import check_form
from menace.text.wording import counted

T = TypeVar("T")

MAX_PAIRS = 256  # maximum number of pairs of symmetries whose products are checked
ENDS_OF_A_PAIR = 2  # number of cells that an arrow or a pair joins
LONGEST_PIECE, LONGEST_NAME, LONGEST_LINE = 3, 40, 80  # maximum lengths, in characters
NO_TEXTS = ("", "nonsense", "\N{SNOWMAN}")  # strings that are neither boards nor moves
BOARDS = 1000
MAX_SYMMETRIES = 8  # maximum number of symmetries to check on each board
NO_REPEATS, CAN_REPEAT = "no repeats", "it can occur again in the same game"
# The maximum length of a random game, in moves, is far above that of any game that a database can store.
TERMINATION, MAX_GAME_LENGTH = "termination", 10_000
SAMPLE = 12  # number of boards on which products of symmetries are compared


def failure_text(error: Exception) -> str:
    """Return a message about an unexpected exception raised by one of the game's methods.

    >>> failure_text(KeyError(3))
    'the game fails with KeyError: 3'
    """
    return f"the game fails with {type(error).__name__}: {error}"


def beginning(game: Game) -> Iterator[str]:
    """X makes the first move, and the initial board is unfinished."""
    if game.outcome(game.initial) is not None:
        yield f"the game is already over before the first move, with the outcome {game.outcome(game.initial)!r}"
    elif game.to_move(game.initial) != Side.X:
        yield "O moves first; X must move first in every game"


def ends(game: Game, board: Board) -> Iterator[str]:
    """A finished game has an outcome and no legal actions; an unfinished game has legal actions and no outcome."""
    outcome, actions = game.outcome(board), game.actions(board)
    if outcome not in (None, *get_args(Outcome)):
        yield f"the outcome is {outcome!r}; expected 'X', 'O', 'draw' or None"
    if outcome is None and not actions:
        yield "the game is not over, but there is no legal action"
    if outcome is not None and actions:
        yield f"the game is over with the outcome {outcome!r}, but action {actions[0]} is still legal"


def actions(game: Game, board: Board) -> Iterator[str]:
    """Each call returns the same actions, which are integers within the limits and in ascending order."""
    actions = game.actions(board)
    if not isinstance(actions, tuple) or not all(type(action) is int for action in actions):
        yield f"the actions are {actions!r}; expected a tuple of integers"
    elif list(actions) != sorted(set(actions)):
        yield f"the actions are {actions}; expected each action once, in ascending order"
    elif actions and not 0 <= actions[0] <= actions[-1] <= HIGHEST_ACTION:
        yield f"the actions range from {actions[0]} to {actions[-1]}; the allowed range is 0 to {HIGHEST_ACTION}"
    elif actions != game.actions(board):
        yield "two calls return different actions"
    initial = game.initial
    after = {max(symmetry.board(game.play(board, action)) for symmetry in game.symmetries) for action in actions}
    if game.initial != initial:
        yield f"`play` changes the initial board from {initial} to {game.initial}; return a new board instead"
    if len(actions) > MAX_ACTIONS or len(after) > MAX_MOVES:
        sizes = f"{counted(len(actions), 'action')} and {counted(len(after), 'move')}"
        yield f"it has {sizes}; the limits are {MAX_ACTIONS} and {MAX_MOVES}"


def boards(_game: Game, board: Board) -> Iterator[str]:
    """Every board is a string without spaces."""
    if not isinstance(board, str) or not board.isprintable() or not board or " " in board:
        yield f"{board!r} is not a string without spaces"


def turns(game: Game, board: Board) -> Iterator[str]:
    """After each move, it is the other side's turn."""
    if game.outcome(board) is not None:
        return
    mover = game.to_move(board)
    if not isinstance(mover, Side):
        yield f"{mover!r} is to move; expected Side.X or Side.O"
        return
    for action in game.actions(board):
        child = game.play(board, action)
        if game.outcome(child) is None and game.to_move(child) != mover.other:
            yield f"after action {action} by {mover}, {game.to_move(child)} is to move again"


def illegal_moves(game: Game, board: Board) -> Iterator[str]:
    """Playing an illegal action raises IllegalMove."""
    legal = game.actions(board)
    for action in {-1, 0, max(legal, default=0) + 1, *range(min(legal, default=0))} - set(legal):
        with contextlib.suppress(IllegalMove):
            child = game.play(board, action)
            yield f"action {action} is not legal, but `play` returns {child}; raise IllegalMove instead"


def names(game: Game, board: Board) -> Iterator[str]:
    """Parsing an action's unique name returns the action, and parsing any other text raises IllegalMove."""
    action_of: dict[str, int] = {}
    for action in game.actions(board):
        name = game.name_of(board, action)
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            yield f"action {action} has the name {name!r}; expected one line of at most {LONGEST_NAME} characters"
        elif name in action_of:
            yield f"actions {action_of[name]} and {action} both have the name {name!r}"
        action_of[name] = action
    for name, action in action_of.items():
        if (read := game.parse_action(board, name)) != action:
            yield f"action {action} has the name {name!r}, but this name is parsed as action {read}"
    for text in NO_TEXTS:
        with contextlib.suppress(IllegalMove):
            read = game.parse_action(board, text)
            yield f"the text {text!r} is parsed as action {read}; raise IllegalMove instead"


def reading(game: Game, board: Board) -> Iterator[str]:
    """Parsing the text of a board returns the same board, and parsing any other text raises InvalidBoard."""
    if (read := game.parse(board)) != board:
        yield f"it is parsed as {read!r}"
    for text in NO_TEXTS:
        with contextlib.suppress(InvalidBoard):
            read = game.parse(text)
            yield f"the text {text!r} is parsed as board {read!r}; raise InvalidBoard instead"


def drawing(game: Game, board: Board) -> Iterator[str]:
    """The drawing of a board consists of lines of text that fit into a terminal."""
    drawn = game.draw(board)
    if not isinstance(drawn, str) or not drawn.strip():
        yield f"the drawing is {drawn!r}; expected lines of text"
    elif not all(line.isprintable() and len(line) <= LONGEST_LINE for line in drawn.split("\n")):
        yield f"the drawing contains a line of more than {LONGEST_LINE} characters, or unprintable characters"


def pieces(game: Game, board: Board) -> Iterator[str]:
    """Each cell of the shape contains a piece, which is represented by a short string or an empty string."""
    pieces, (rows, columns) = game.pieces(board), game.shape
    if not isinstance(pieces, tuple) or len(pieces) != rows * columns:
        yield f"the pieces are {pieces!r}; expected a tuple of {rows * columns} strings, one per cell"
        return
    for cell, piece in enumerate(pieces):
        if not isinstance(piece, str) or len(piece) > LONGEST_PIECE or any(map(str.isspace, piece)):
            yield f"cell {cell} contains {piece!r}; expected at most {LONGEST_PIECE} characters"


def places(game: Game, board: Board) -> Iterator[str]:
    """Each move is shown as marked cells, an arrow or a pair of cells, and no two moves have the same location."""
    cells = range(game.shape[0] * game.shape[1])
    action_at: dict[object, int] = {}
    for action in game.actions(board):
        where = game.where(board, action)
        if not isinstance(where, MoveMark) or sum(map(bool, (where.cells, where.arrow, where.pair))) != 1:
            yield f"action {action} is at {where!r}; expected a MoveMark with cells, an arrow or a pair"
            continue
        ends = where.ends
        wrong = [cell for cell in ends or where.cells if cell not in cells]
        if wrong or (ends and (len(ends) != ENDS_OF_A_PAIR or ends[0] == ends[1])):
            yield (
                f"action {action} is at {where!r}; cells are numbered 0 to {cells[-1]}, and an arrow or a pair joins"
                " two different cells"
            )
            continue
        place = _place_of(where)
        if place in action_at:
            both = f"actions {action_at[place]} and {action}"
            yield f"{both} have the same location; give them different first cells, arrows or pairs"
        action_at[place] = action


def _place_of(where: MoveMark) -> object:
    if where.pair is not None:
        return frozenset(where.pair)
    # X is drawn on the left side of the cell, and other pieces on the right side
    return where.arrow or (where.cells[0], where.places and where.places == "X")


def equivariance(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """Symmetries commute with moves, and every image of a board has the same outcome and the same side to move."""
    image, by = symmetry.board(board), f"by {symmetry.name!r}"
    if game.outcome(image) != game.outcome(board):
        yield f"its outcome is {game.outcome(board)!r}, but its image {image} {by} has {game.outcome(image)!r}"
        return
    if game.outcome(board) is None and game.to_move(image) != game.to_move(board):
        yield f"{game.to_move(board)} is to move, but on its image {image} {by} {game.to_move(image)} is"
    carried = {action: symmetry.action(action) for action in game.actions(board)}
    if sorted(carried.values()) != list(game.actions(image)):
        yield f"its actions are mapped {by} to {sorted(carried.values())}, but {image} has {list(game.actions(image))}"
        return
    for action, there in carried.items():
        then, first = symmetry.board(game.play(board, action)), game.play(image, there)
        if then != first:
            yield f"action {action} mapped {by} leads to {then}, but action {there} on the image leads to {first}"


def inverses(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """The inverse of a symmetry undoes the symmetry, both on boards and on actions."""
    back, by = symmetry.inverse(), f"{symmetry.name!r}"
    if (again := back.board(symmetry.board(board))) != board:
        yield f"{by} and its inverse map it to {again}"
    for action in game.actions(board):
        if (returned := back.action(symmetry.action(action))) != action:
            yield f"{by} and its inverse map action {action} to {returned}"


def images(game: Game, board: Board, symmetry: Symmetry) -> Iterator[str]:
    """All images of a board also obey the board laws, such as the laws for parsing, drawing and naming moves."""
    image = symmetry.board(board)
    there = f"on its image {image} by {symmetry.name!r}, "
    for law in (boards, reading, names, drawing, pieces, places):
        try:
            yield from (f"{there}{fault}" for fault in law(game, image))
        except Exception as error:  # noqa: BLE001 - the game's own error is reported with the board
            yield f"{there}{failure_text(error)}"


LAWS_OF_A_BOARD = (boards, actions, ends, turns, illegal_moves, names, reading, drawing, pieces, places)
LAWS_OF_AN_IMAGE = (equivariance, inverses, images)


def group(game: Game, sample: Sequence[Board], chance: random.Random) -> Iterator[str]:
    """The symmetries form a group: the first is the identity, and the product of any two is also a symmetry."""
    numbers = sorted({action for board in sample for action in game.actions(board)})

    def apply_all(*symmetries: Symmetry) -> tuple[tuple[Board, ...], tuple[int, ...]]:
        """Return the images of the sampled boards and of all actions under the given symmetries, applied in order."""
        carried, moved = list(sample), list(numbers)
        for symmetry in symmetries:
            carried, moved = [symmetry.board(board) for board in carried], [symmetry.action(n) for n in moved]
        return tuple(carried), tuple(moved)

    first = game.symmetries[0]
    if apply_all(first) != apply_all():
        yield f"the first symmetry, {first.name!r}, is not the identity"
    known = {apply_all(symmetry) for symmetry in game.symmetries}
    pairs = (
        list(itertools.product(game.symmetries, repeat=2))
        if len(game.symmetries) ** 2 <= MAX_PAIRS
        else [(chance.choice(game.symmetries), chance.choice(game.symmetries)) for _ in range(MAX_PAIRS)]
    )
    for inner, outer in pairs:
        if apply_all(inner, outer) not in known:
            yield f"{inner.name!r} followed by {outer.name!r} is not one of the game's symmetries"


def array_rules(game: Game, rules: ArrayRules, boards: Sequence[Board]) -> Iterator[str]:
    """The array rules, if the game has any, agree with its text rules."""
    import numpy as np

    codes = np.array([rules.encode(board) for board in boards], np.uint64)
    if rules.decode(codes) != list(boards):
        yield "decoding the code of a board does not return the board"
    order = sorted(range(len(boards)), key=boards.__getitem__)
    if np.any(np.diff(codes[order].astype(object)) <= 0):
        yield "codes do not sort in the same order as their boards"
    outcomes = [NUMBER_OF_OUTCOME[game.outcome(board)] for board in boards]
    for board, text, array in zip(boards, outcomes, rules.outcomes(codes).tolist(), strict=True):
        if text != array:
            yield f"the outcome of {board} is {text} in the text rules but {array} in the array rules"
    for board, column in zip(boards, rules.images(codes).T, strict=True):
        if rules.decode(column) != [symmetry.board(board) for symmetry in game.symmetries]:
            yield f"the text rules and the array rules give different images of {board}"
    for board, code in zip(boards, codes, strict=True):
        if game.outcome(board) is not None:
            continue
        by_array = rules.successors(np.array([code], np.uint64))
        moves = list(zip(by_array.action.tolist(), rules.decode(by_array.code), strict=True))
        if moves != [(action, game.play(board, action)) for action in game.actions(board)]:
            yield f"the text rules and the array rules give different moves on {board}"


class Checked(NamedTuple):
    """The number of boards that were checked, and whether these were all the boards of the game."""

    boards: int
    whole: bool


def check_game(game: Game, boards: int = BOARDS, seed: int = 0) -> Checked:
    """Check that a game obeys all laws that `laws_of` lists.

    Args:
        game: the game.
        boards: the maximum number of boards to check, 1 or more.
        seed: the seed for the random sample of boards in larger games.

    Raises:
        InvalidGame: if the object does not implement the interface of a game.
        BrokenGame: if the game breaks a law. The message names the law, the board and the action.

    >>> from menace.games import get_game
    >>> check_game(get_game(variant="2x2x2"))
    Checked(boards=29, whole=True)
    """
    chance = random.Random(seed)  # noqa: S311 - not used for secrets
    check_form(game, type(game).__name__)
    _check_law(game, beginning.__name__, game.initial, beginning(game))
    successors: dict[Board, tuple[Board, ...]] = {}  # for each checked board, the boards that are one move away
    whole = True
    for board in _sample_boards(game, boards, chance):
        if len(successors) == boards:
            whole = False
            break
        for law in LAWS_OF_A_BOARD:
            _check_law(game, law.__name__, board, law(game, board))
        for symmetry in _sample(game.symmetries, MAX_SYMMETRIES, chance):
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
    """Return a sentence for each law that `check_game` checks for the game.

    >>> from menace.games import get_game
    >>> laws_of(get_game("nim"))[0]
    'X makes the first move, and the initial board is unfinished.'
    """
    laws = [beginning, *LAWS_OF_A_BOARD, *LAWS_OF_AN_IMAGE, group, *([array_rules] * isinstance(game, ArrayRules))]
    return [*(inspect.getdoc(law) or law.__name__ for law in laws), "No board occurs twice in a game."]


def _sample_boards(game: Game, most: int, chance: random.Random) -> Iterator[Board]:
    """Yield every reachable board once. If there are more than `most` boards, yield only a sample of them."""
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
    """Yield every reachable board once, in ascending order of the minimum number of moves needed to reach the board."""
    visited = {game.initial: None}
    waiting = deque(visited)
    while waiting:
        board = waiting.popleft()
        yield board
        new = [child for child in dict.fromkeys(_children(game, board)) if child not in visited]
        visited.update(dict.fromkeys(new))
        waiting.extend(new)


def _random_game(game: Game, chance: random.Random) -> list[Board]:
    """Return the boards of a random game, from the initial board to the final board.

    Raises:
        BrokenGame: if the game does not end.
    """
    board = game.initial
    path = {board: None}
    while children := _children(game, board):
        board = chance.choice(children)
        if board in path:
            raise _broken(game, NO_REPEATS, board, CAN_REPEAT)
        if len(path) > MAX_GAME_LENGTH:
            raise _broken(game, TERMINATION, game.initial, f"a random game is not over after {MAX_GAME_LENGTH:,} moves")
        path[board] = None
    return list(path)


def _children(game: Game, board: Board) -> list[Board]:
    try:
        return [game.play(board, action) for action in game.actions(board)]
    except Exception as error:
        raise _broken(game, "moves", board, failure_text(error)) from error


def _check_repeats(game: Game, successors: dict[Board, tuple[Board, ...]]) -> None:
    """Raise BrokenGame if the successors found so far show that a board can occur twice in a game."""
    sorter = TopologicalSorter(successors)
    try:
        sorter.prepare()
    except CycleError as error:
        raise _broken(game, NO_REPEATS, error.args[1][0], CAN_REPEAT) from None


def _sample(items: Sequence[T], most: int, chance: random.Random) -> list[T]:
    """Return all items or, if there are more than `most`, the first item and a random sample of the others."""
    return list(items) if len(items) <= most else [items[0], *chance.sample(items[1:], most - 1)]


def _check_law(game: Game, law: str, board: Board, faults: Iterable[str]) -> None:
    """Raise BrokenGame if the game violates a law or raises an exception during the check."""
    try:
        fault = next(iter(faults), None)
    except Exception as error:
        raise _broken(game, law, board, failure_text(error)) from error
    if fault is not None:
        raise _broken(game, law, board, fault)


def _broken(game: Game, law: str, board: Board, fault: str) -> BrokenGame:
    text = f"{game.name} {game.variant} breaks the law of {law.replace('_', ' ')} on board {board}: {fault}"
    return BrokenGame(" ".join(text.split()))
