"""Read, check and label the positions of a database."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidBoard
from menace.games.base import NUMBER_OF_OUTCOME, NUMBER_OF_SIDE, OUTCOME_OF_NUMBER, TEXT_OF_SIDE, Board, has_fixed_names
from menace.games.enumeration import HIGHEST_ACTION, MAX_ACTIONS, check_sound
from menace.games.positions import Positions, TextBoards
from menace.games.symmetry import SymmetricGame
from menace.learners.opponents.functions import restore
from menace.ledger.rules import checked_moves, rules_of
from menace.ledger.store import Store, as_corruption

Row: TypeAlias = tuple[Any, ...]
Reader: TypeAlias = Callable[[str, Sequence[Any]], NDArray[Any]]  # converts the values of a named column

# Labels for games with more positions are computed with arrays, because a graph of Python objects would need too much
# memory.
MAX_GRAPH_POSITIONS = 100_000
ROWS_AT_ONCE = 50_000  # number of rows of a large game to read, write or compare at a time

POSITION_COLUMNS = ("board", "ply", "to_move", "outcome", "images", "minimax", "plies_to_end")
MOVE_COLUMNS = ("multiplicity", "minimax", "optimal")


def positions_of(store: Store) -> Positions:
    """Return the positions of a database. Raises StoreError if the rows do not match the game.

    >>> positions = positions_of(store)
    >>> len(positions), positions.title, positions.symmetry
    (765, 'tictactoe 3x3x3', 'full')
    """
    positions_cache = store.positions_cache
    positions = store.cached(
        "the positions",
        lambda: _load_positions(store) if positions_cache is None else positions_cache(store, _load_positions),
    )
    store.cached("the policies", lambda: restore_policies(store, positions))
    return positions


def _load_positions(store: Store) -> Positions:
    rules = rules_of(store)
    with as_corruption(store.path):
        first = store.position(rules.canonical(rules.game.initial))
        checked_moves(store, first)
        positions = from_rows(rules, store.position_rows(ROWS_AT_ONCE), store.move_rows(ROWS_AT_ONCE))
        check_sound(positions)
    return replace(positions, boards=StoredBoards(store.path, positions))


def from_rows(rules: SymmetricGame, position_rows: Iterable[list[Row]], move_rows: Iterable[list[Row]]) -> Positions:
    """Return positions built from batches of rows.

    Args:
        rules: the game.
        position_rows: (number, board, ply, to_move, outcome, images, minimax, plies_to_end) for each position, sorted
            by number.
        move_rows: (position, action, next position, multiplicity) for each move, sorted by position and action.

    Raises:
        ValueError, LookupError: if a value has the wrong type or is out of range. games/enumeration.py checks that
            values are consistent.

    >>> positions = from_rows(rules_of(store), store.position_rows(1000), store.move_rows(1000))
    >>> len(positions), positions.move_count
    (765, 2096)
    """
    nodes = _columns(
        "position",
        position_rows,
        {
            "position_id": _whole(0, HIGHEST_ACTION),
            "board": lambda _, values: np.array(values, object),
            "ply": _whole(0, HIGHEST_ACTION),
            "to_move": lambda _, values: np.array([NUMBER_OF_SIDE[text] for text in values], np.int8),
            "outcome": lambda _, values: np.array([NUMBER_OF_OUTCOME[text] for text in values], np.int8),
            "images": _whole(1, HIGHEST_ACTION),
            "minimax": _whole(-1, 1),
            "plies_to_end": _whole(0, HIGHEST_ACTION),
        },
    )
    number, boards = nodes.pop("position_id"), TextBoards(nodes.pop("board").tolist())
    if not np.array_equal(number, np.arange(len(number))):
        raise ValueError("its positions are not numbered 0, 1, 2 and so on")
    edges = _columns(
        "move",
        move_rows,
        {
            "position_id": _whole(0, len(number) - 1),
            "action": _whole(0, HIGHEST_ACTION),
            "next_position": _whole(0, len(number) - 1),
            "multiplicity": _whole(1, MAX_ACTIONS),
        },
    )
    start = edges.pop("position_id")
    first_move = np.searchsorted(start, np.arange(len(number) + 1)).astype(np.int32)
    return Positions(rules.game, rules.symmetry, boards=boards, first_move=first_move, **nodes, **edges)


def integer_column(values: Sequence[Any], name: str, least: int, most: int) -> NDArray[np.int64]:
    """Check a column of integers from SQLite, and return it as an array.

    Args:
        values: the values of the column.
        name: the name of the column, for messages.
        least: the minimum value.
        most: the maximum value.

    Raises:
        ValueError: if a value is invalid. The message contains the column and its allowed values.

    >>> integer_column([4, 3, 2], "beads", 0, 100).tolist()
    [4, 3, 2]
    >>> integer_column([4, -3, 2], "beads", 0, 100)
    Traceback (most recent call last):
        ...
    ValueError: beads is -3, not an integer from 0 to 100
    """
    try:
        column = np.frombuffer(array("q", values), np.int64) if values else np.zeros(0, np.int64)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} contains an entry that is not an integer") from None
    if column.size and not least <= column.min() <= column.max() <= most:
        wrong = column[(column < least) | (column > most)][0]
        raise ValueError(f"{name} is {wrong}, not an integer from {least:,} to {most:,}")
    return column


def number_column(values: Sequence[Any], name: str, least: float, most: float) -> NDArray[np.float64]:
    """Check a column of numbers as `integer_column` does, and return it as an array of doubles.

    >>> number_column([0.5, 1], "value", 0, 1).tolist()
    [0.5, 1.0]
    >>> number_column([0.5, "one"], "value", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: value contains an entry that is not a number
    """
    try:
        column = np.frombuffer(array("d", values), np.float64) if values else np.zeros(0)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} contains an entry that is not a number") from None
    if column.size and not (least <= column.min() and column.max() <= most):
        wrong = column[~((column >= least) & (column <= most))][0]
        raise ValueError(f"{name} is {wrong:g}, not a number from {least:g} to {most:g}")
    return column


def _whole(least: int, most: int) -> Reader:
    return lambda name, values: integer_column(values, name, least, most).astype(np.int32)


def _columns(what: str, batches: Iterable[list[Row]], readers: Mapping[str, Reader]) -> dict[str, NDArray[Any]]:
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in readers}
    for batch in batches:
        for (name, reader), column in zip(readers.items(), zip(*batch, strict=True), strict=True):
            parts[name].append(reader(name, column))
    if not parts[next(iter(readers))]:
        raise ValueError(f"it contains no {what}s")
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def check_boards(positions: Positions) -> None:
    """Check every board of a database, unless the game is so large that the check would take minutes.

    Raises:
        StoreError: if a board is invalid, as for `StoredBoards`.
    """
    if len(positions) <= MAX_GRAPH_POSITIONS:
        for _ in positions.boards:
            pass


class StoredBoards(Sequence[Board]):
    """The boards of a database, each of which is checked when it is first read.

    Reading a board raises StoreError if the board is invalid, or does not match the outcome and moves of its position.

    >>> boards = positions_of(store).boards
    >>> isinstance(boards, StoredBoards), boards[1]
    (True, 'X........')
    """

    def __init__(self, path: str, positions: Positions) -> None:
        """Initialise the boards of `positions` from the file at `path`."""
        self._path, self._positions, self._boards = path, positions, positions.boards
        self._checked = np.zeros(len(positions), np.bool_)

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Board]: ...
    def __getitem__(self, index: int | slice) -> Board | Sequence[Board]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if not self._checked[index]:
            with as_corruption(self._path):
                self._check(index % len(self))
            self._checked[index] = True
        return self._boards[index]

    def __len__(self) -> int:
        return len(self._boards)

    def index(self, board: object, *_: SupportsIndex) -> int:
        """Return the number of a board. Raises ValueError if the board does not exist."""
        number = self._boards.index(board)
        self[number]  # checks the board
        return number

    def _check(self, position: int) -> None:
        positions, board = self._positions, self._boards[position]
        game, moves = positions.game, positions.moves_of(position)
        try:
            fits = game.parse(board) == board
            fits = fits and NUMBER_OF_OUTCOME[game.outcome(board)] == positions.outcome[position]
            fits = fits and set(positions.action[moves.start : moves.stop].tolist()) <= set(game.actions(board))
        except InvalidBoard as error:
            raise ValueError(f"position {position} has no board: {error}") from None
        if not fits:
            raise ValueError(f"position {position} has a board that does not match its outcome and moves")


def position_rows(positions: Positions) -> tuple[Iterable[Row], Iterable[Row]]:
    """Return the labelled rows of the tables `position` and `move`, with columns in the order of the database.

    The networkx graph provides the labels. If there are more than MAX_GRAPH_POSITIONS positions, the labels are
    computed lazily from arrays.

    >>> from menace.games.enumeration import tictactoe
    >>> of_positions, of_moves = position_rows(tictactoe())
    >>> next(iter(of_positions)), next(iter(of_moves))
    ((0, '.........', 0, 'X', None, 1, 0, 9), (0, 0, 1, 4, 0, 1))
    """
    return rows_by_graph(positions) if len(positions) <= MAX_GRAPH_POSITIONS else rows_by_arrays(positions)


def rows_by_graph(positions: Positions) -> tuple[list[Row], list[Row]]:
    """Return the result of `position_rows`, with labels from the networkx graph.

    >>> from menace.games.enumeration import tictactoe
    >>> rows, _ = rows_by_graph(tictactoe())
    >>> rows[0]
    (0, '.........', 0, 'X', None, 1, 0, 9)
    """
    from menace.games.networkx_graph import build_graph  # imported here because only this function needs networkx

    graph = build_graph(positions)
    nodes = [(number, *(node[column] for column in POSITION_COLUMNS)) for number, node in graph.nodes(data=True)]
    edges = [
        (start, edge["action"], end, *(edge[column] for column in MOVE_COLUMNS))
        for start, end, edge in graph.edges(data=True)
    ]
    return nodes, edges


def rows_by_arrays(positions: Positions) -> tuple[Iterator[Row], Iterator[Row]]:
    """Return the result of `position_rows`, with labels from arrays.

    >>> from menace.games.enumeration import tictactoe
    >>> _, of_moves = rows_by_arrays(tictactoe())
    >>> next(of_moves)  # position, action, next position, multiplicity, minimax, optimal
    (0, 0, 1, 4, 0, 1)
    """
    return _rows_of_positions(positions), _rows_of_moves(positions)


def move_name_rows(positions: Positions) -> Iterator[Row]:
    """Yield a `move_name` row for each action's first position and each position where the action's name changes.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> list(move_name_rows(enumerate_positions(get_game("hexapawn", "3x3"))))[:3]
    [('X', 19, 0, 'a1-a2'), ('X', 22, 0, 'b1-b2'), ('O', 3, 1, 'b3xa2')]
    """
    name_of, names = positions.game.name_of, dict[tuple[int, int], str]()
    moves = _first_moves(positions) if has_fixed_names(positions.game) else np.arange(positions.move_count)
    of_move = positions.position_of_move[moves]
    columns = (of_move, positions.action[moves], positions.to_move[of_move])
    for position, action, side in zip(*(column.tolist() for column in columns), strict=True):
        name = name_of(positions.boards[position], action)
        if names.get((side, action)) != name:
            names[side, action] = name
            yield TEXT_OF_SIDE[side], action, position, name


def _first_moves(positions: Positions) -> NDArray[np.intp]:
    """Return the index of each side's first move for each action, in ascending order."""
    actions = int(positions.action.max(initial=0)) + 1
    first = np.full(2 * actions, -1)
    for start in reversed(range(0, positions.move_count, ROWS_AT_ONCE)):
        moves = np.arange(start, min(start + ROWS_AT_ONCE, positions.move_count))[::-1]
        side = positions.to_move[positions.position_of_move[moves]]
        # moves are visited from last to first, so the earliest move overwrites all later ones
        first[side * actions + positions.action[moves]] = moves
    return np.sort(first[first >= 0])


def _rows_of_positions(positions: Positions) -> Iterator[Row]:
    for start in range(0, len(positions), ROWS_AT_ONCE):
        here = slice(start, min(start + ROWS_AT_ONCE, len(positions)))
        columns = (positions.ply, positions.to_move, positions.outcome, positions.images)
        ply, to_move, outcome, images = (column[here].tolist() for column in columns)
        yield from zip(
            range(here.start, here.stop),
            positions.boards[here],
            ply,
            [TEXT_OF_SIDE[side] for side in to_move],
            [OUTCOME_OF_NUMBER[number] for number in outcome],
            images,
            positions.minimax[here].tolist(),
            positions.plies_to_end[here].tolist(),
            strict=True,
        )


def _rows_of_moves(positions: Positions) -> Iterator[Row]:
    for start in range(0, positions.move_count, ROWS_AT_ONCE):
        here = slice(start, start + ROWS_AT_ONCE)
        child = positions.next_position[here]
        columns = (positions.position_of_move[here], positions.action[here], child, positions.multiplicity[here])
        labels = (positions.minimax[child], positions.optimal[here].astype(np.int8))
        yield from zip(*(column.tolist() for column in (*columns, *labels)), strict=True)


def restore_policies(store: Store, positions: Positions) -> None:
    """Register the players that a database stores as tables, for this process only.

    Raises StoreError if a table is damaged.

    >>> from menace.games.enumeration import tictactoe
    >>> restore_policies(store, tictactoe())  # this database has no such players
    """
    with as_corruption(store.path):
        for row in store.policies():
            restore(*row, positions)
