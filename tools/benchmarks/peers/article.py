"""Matchboxes as lists of beads, searched one after the other, as an article describes them in Python.

Written here anew, from the article on matchboxes that play tic-tac-toe (its program is R. Kaushik's, 2018): a list
has each board once for all its rotations and reflections, with two beads for each free cell; a board is looked for
from the list's beginning, compared with all eight images of each entry; both sides play from the one list, with
probability 0.3 (the last of its four phases) any cell that has a bead, else the cell with most; after a win the
winner's cells get beads and the loser's lose them, down to one, the more the shorter the game and the nearer to its
end.

Boards beyond a won game, which its program generates, too, are left out: it searches faster for that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

EPSILON = 0.3
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
FIRST_BEADS = [0, 0, 1, 1, 4, 4]
TURN, FLIP = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
Board = list[int]  # nine cells: 1 for X, 2 for O, 0 for none


def _images() -> Iterator[tuple[int, ...]]:
    for image in (tuple(range(9)), FLIP):
        for _ in range(4):
            yield image
            image = tuple(image[cell] for cell in TURN)  # noqa: PLW2901 - turned on


IMAGES = tuple(_images())  # of each: which cell of a board stands on each cell


def winner(board: Sequence[int]) -> int:
    """Return who has three in a row, or 0."""
    for a, b, c in LINES:
        if board[a] != 0 and board[a] == board[b] == board[c]:
            return board[a]
    return 0


def fitting(stored: Board, board: Board) -> tuple[int, ...] | None:
    """Return the image by which a stored board is a board, or None."""
    for image in IMAGES:
        if all(board[cell] == mark for cell, mark in zip(image, stored, strict=True)):
            return image
    return None


class Textbook:
    """The list of boards with their beads, from which both sides play."""

    def __init__(self) -> None:
        self.boxes: list[tuple[Board, list[int]]] = [([0] * 9, list(FIRST_BEADS))]
        seen = {min(tuple(board[cell] for cell in image) for image in IMAGES) for board, _ in self.boxes}
        for board, _ in self.boxes:  # which grows meanwhile
            for cell in (cell for cell in range(9) if board[cell] == 0):
                after = [*board[:cell], 1 if board.count(0) % 2 else 2, *board[cell + 1 :]]
                key = min(tuple(after[cell] for cell in image) for image in IMAGES)
                if key not in seen and not winner(after) and 0 in after:
                    seen.add(key)
                    self.boxes.append((after, [cell for cell in range(9) if after[cell] == 0 for _ in range(2)]))

    def find(self, board: Board) -> tuple[list[int], tuple[int, ...]]:
        """Return the beads of a board, and which of its cells each of theirs is."""
        for stored, beads in self.boxes:
            image = fitting(stored, board)
            if image is not None:
                return beads, image
        raise LookupError(board)

    def pick(self, board: Board, epsilon: float) -> int:
        """Choose a cell."""
        beads, image = self.find(board)
        colours = list(set(beads))
        explored = random.choice(colours)  # noqa: S311
        best = max(colours, key=beads.count)
        return image[best if random.random() > epsilon else explored]  # noqa: S311

    def play(self) -> list[int]:
        """Play one game, and learn from it; return the cells that were taken."""
        board, boards, played = [0] * 9, [], []
        while not winner(board) and 0 in board:
            boards.append(board)
            played.append(self.pick(board, EPSILON))
            board = list(board)
            board[played[-1]] = 1 + (len(played) - 1) % 2
        if winner(board):
            self.learn(boards, played)
        return played

    def learn(self, boards: list[Board], played: list[int]) -> None:
        """Add and remove beads after a game with a winner, who made its last move."""
        length = len(played)
        for ply, (board, cell) in enumerate(zip(boards, played, strict=True)):
            beads, image = self.find(board)
            bead, count = image.index(cell), (9 - length) // 2 + (10 - length + ply) // 2
            if (length - ply) % 2 == 1:
                beads += [bead] * count
            else:
                for _ in range(min(count, beads.count(bead) - 1)):
                    beads.remove(bead)

    def choose(self, board: Sequence[int]) -> int:
        """Return the cell that it likes best; of the board's nine cells X's are 1, O's 2, free ones 0."""
        return self.pick(list(board), epsilon=0)
