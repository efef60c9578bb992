"""Solve noughts and crosses by brute force, as a reference for the tests. This module imports nothing from menace.

Boards are strings of `X`, `O` and `.`. No result depends on symmetry. `Rules` works for any lines on any number of
cells; `TICTACTOE` contains the eight lines and eight symmetries of the game, written by hand. Results are cached, so do
not modify them.

A *chooser* is a function that takes a board and returns a dictionary {cell: probability}. If the probabilities sum to
less than 1, the player resigns with the remaining probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

Chooser = Callable[[str], dict]

# Character i of each string is the number of the board cell that is copied to cell i of the image.
EIGHT_SYMMETRIES = (
    "012345678",  # identity
    "630741852",  # quarter turn clockwise: the left column, read upwards, becomes the top row
    "876543210",  # half turn
    "258147036",  # quarter turn anticlockwise
    "210543876",  # left and right swapped
    "678345012",  # top and bottom swapped
    "036147258",  # rows become columns
    "852741630",  # reflection in the other diagonal
)
EIGHT_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Rules:
    """A game on `cells` cells. The first player to fill a line wins. `maps` contains the symmetries of the board."""

    def __init__(self, cells: int, lines: tuple[tuple[int, ...], ...], maps: tuple[tuple[int, ...], ...]) -> None:
        self.cells, self.lines, self.maps = cells, lines, maps
        self.empty = "." * cells
        self.by_ply = cache(self._by_ply)
        self.children = cache(self._children)
        self.outcome = cache(self._outcome)
        self.canonical = cache(self._canonical)
        self.minimax = cache(self._minimax)
        self.plies_to_end = cache(self._plies_to_end)
        self.cells_by_next = cache(self._cells_by_next)

    def has_line(self, board: str, side: str) -> bool:
        return any(all(board[cell] == side for cell in line) for line in self.lines)

    def _outcome(self, board: str) -> str | None:
        for side in "XO":
            if self.has_line(board, side):
                return side
        return None if "." in board else "draw"

    def to_move(self, board: str) -> str:
        return "XO"[board.count("X") - board.count("O")]

    def empties(self, board: str) -> list[int]:
        return [] if self.outcome(board) else [cell for cell in range(self.cells) if board[cell] == "."]

    def put(self, board: str, cell: int) -> str:
        return board[:cell] + self.to_move(board) + board[cell + 1 :]

    def _children(self, board: str) -> dict[int, str]:
        return {cell: self.put(board, cell) for cell in self.empties(board)}

    def images(self, board: str) -> list[str]:
        return ["".join(board[cell] for cell in cells) for cells in self.maps]

    def _cells_by_next(self, board: str) -> dict[str, list[int]]:
        """Group a board's empty cells by the canonical board that results from a move there."""
        cells: dict[str, list[int]] = {}
        for cell, child in self.children(board).items():
            cells.setdefault(self.canonical(child), []).append(cell)
        return cells

    def winning_cells(self, board: str, side: str) -> list[int]:
        """Return the empty cells on which `side` completes a line."""
        return [cell for cell in self.empties(board) if self.has_line(board[:cell] + side + board[cell + 1 :], side)]

    def _canonical(self, board: str) -> str:
        return max(self.images(board))

    def _by_ply(self) -> list[list[str]]:
        """Return a list with the sorted reachable boards of each ply."""
        plies = [[self.empty]]
        while plies[-1]:
            plies.append(sorted({child for board in plies[-1] for child in self.children(board).values()}))
        return plies[:-1]

    def boards(self) -> Iterator[str]:
        """Return all reachable boards, with each board before the boards that can follow it."""
        return (board for ply in self.by_ply() for board in ply)

    def max_moves(self, board: str, _symmetry: bool) -> int:
        """Return the maximum number of moves that can lead to a board."""
        return self.cells - board.count(".")

    def _minimax(self, board: str) -> int:
        """Return the value for X: 1, 0 or -1."""
        if self.outcome(board):
            return {"X": 1, "draw": 0, "O": -1}[self.outcome(board)]
        values = [self.minimax(child) for child in self.children(board).values()]
        return max(values) if self.to_move(board) == "X" else min(values)

    def best_cells(self, board: str) -> list[int]:
        """Return the moves that keep the value."""
        return [cell for cell, child in self.children(board).items() if self.minimax(child) == self.minimax(board)]

    def _plies_to_end(self, board: str) -> int:
        """Return the number of plies to the end if the winner hurries and the loser delays.

        In a drawn position, both delay.
        """
        if self.outcome(board):
            return 0
        rests = [self.plies_to_end(self.put(board, cell)) for cell in self.best_cells(board)]
        wins = self.minimax(board) == (1 if self.to_move(board) == "X" else -1)
        return 1 + (min(rests) if wins else max(rests))

    def perfect_cells(self, board: str) -> list[int]:
        """Return the moves that win as soon as possible or lose as late as possible.

        In a drawn position, return all moves that keep the value.
        """
        plies_left = self.plies_to_end(board) - 1
        drawn = self.minimax(board) == 0
        return [c for c in self.best_cells(board) if drawn or self.plies_to_end(self.put(board, c)) == plies_left]

    def count_games(self) -> dict[str, int]:
        """Return the number of sequences of moves that end with each outcome."""
        paths = {self.empty: 1}
        ends = {"X": 0, "draw": 0, "O": 0}
        for board in self.boards():
            if self.outcome(board):
                ends[self.outcome(board)] += paths[board]
            for child in self.children(board).values():
                paths[child] = paths.get(child, 0) + paths[board]
        return ends

    def uniform(self, cells: Callable[[str], list[int]]) -> Chooser:
        """Return a chooser that picks uniformly from `cells(board)`."""
        return lambda board: {cell: Fraction(1, len(cells(board))) for cell in cells(board)}

    def play_out(self, x: Chooser, o: Chooser) -> tuple:
        """Return the probabilities of a win for X, a draw and a win for O. A player that resigns loses the game."""
        reach = {self.empty: Fraction(1)}
        ends = {"X": 0, "draw": 0, "O": 0}
        for board in self.boards():
            here = reach.get(board, 0)
            if not here:
                continue
            if self.outcome(board):
                ends[self.outcome(board)] += here
                continue
            side = self.to_move(board)
            chosen = (x if side == "X" else o)(board)
            ends["O" if side == "X" else "X"] += here * (1 - sum(chosen.values()))
            for cell, probability in chosen.items():
                child = self.put(board, cell)
                reach[child] = reach.get(child, 0) + here * probability
        return ends["X"], ends["draw"], ends["O"]

    def best_response_value(self, chooser: Chooser, side: str) -> tuple:
        """Return the highest (expected result, win probability) that a player can achieve against `side`."""
        values: dict[str, tuple] = {}
        for board in reversed(list(self.boards())):
            if self.outcome(board):
                result = 0 if self.outcome(board) == "draw" else 1 if self.outcome(board) != side else -1
                values[board] = (Fraction(result), Fraction(result == 1))
            elif self.to_move(board) != side:
                values[board] = max(values[child] for child in self.children(board).values())
            else:
                chosen = chooser(board)
                resigned = 1 - sum(chosen.values())
                values[board] = tuple(
                    resigned + sum(p * values[self.put(board, cell)][part] for cell, p in chosen.items())
                    for part in (0, 1)
                )
        return values[self.empty]


TICTACTOE = Rules(9, EIGHT_LINES, tuple(tuple(map(int, cells)) for cells in EIGHT_SYMMETRIES))


@cache
def grid_rules(rows: int, columns: int, row_length: int) -> Rules:
    """Return the rules for a game on a grid.

    The function searches for lines and symmetries instead of using formulas.
    """
    where = [(row, column) for row in range(rows) for column in range(columns)]
    lines = set()
    for row, column in where:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                reached = {(row + down * i, column + right * i) for i in range(row_length)}
                if len(reached) == row_length and reached <= set(where):
                    lines.add(tuple(sorted(where.index(cell) for cell in reached)))
    turned = [(columns - 1 - column, row) for row, column in where] if rows == columns else where
    flipped = [(row, columns - 1 - column) for row, column in where]
    upended = [(rows - 1 - row, column) for row, column in where]
    maps = {tuple(range(len(where)))}
    while True:
        steps = [tuple(where.index(cell) for cell in step) for step in (turned, flipped, upended)]
        larger = maps | {tuple(cells[cell] for cell in step) for cells in maps for step in steps}
        if larger == maps:
            return Rules(len(where), tuple(sorted(lines)), tuple(sorted(maps)))
        maps = larger
