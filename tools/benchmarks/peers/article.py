"""Matchboxes as described in an article: beads in a list of boards that is searched linearly.

We wrote this program from Kaushik's article about matchboxes that play tic-tac-toe (2018). Of all rotations and
reflections of a board, the list contains only one, which starts with two beads for each free cell. To find a board, the
program goes through the list and compares the board with all eight images of each entry. Both sides use the same list.
With probability 0.3, as in the last of the article's four phases, a side chooses a random cell that has a bead;
otherwise, it chooses the cell with the most beads. After a win, the program adds beads to the winner's cells and
removes beads from the loser's, leaving at least one. The shorter the game, and the closer a move is to its end, the
more beads are added or removed.

The article's program also stores boards that can occur only after a game has been won. This program omits such boards,
so it searches faster.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

EPSILON = 0.3
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
FIRST_BEADS = [0, 0, 1, 1, 4, 4]
TURN, FLIP = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
Board = list[int]  # nine cells, each of which is 1 for X, 2 for O or 0 if free


def _images() -> Iterator[tuple[int, ...]]:
    for image in (tuple(range(9)), FLIP):
        for _ in range(4):
            yield image
            image = tuple(image[cell] for cell in TURN)  # noqa: PLW2901 - the next rotation


IMAGES = tuple(_images())  # maps each cell of an image to a cell of the board


def winner(board: Sequence[int]) -> int:
    """Return the player that has three in a row, or 0 if neither has."""
    for a, b, c in LINES:
        if board[a] != 0 and board[a] == board[b] == board[c]:
            return board[a]
    return 0


def matching_image(stored: Board, board: Board) -> tuple[int, ...] | None:
    """Return the image that maps a stored board to `board`, or None if there is no such image."""
    for image in IMAGES:
        if all(board[cell] == mark for cell, mark in zip(image, stored, strict=True)):
            return image
    return None


class Textbook:
    """The list of boards and beads that both sides use."""

    def __init__(self) -> None:
        self.boxes: list[tuple[Board, list[int]]] = [([0] * 9, list(FIRST_BEADS))]
        seen = {min(tuple(board[cell] for cell in image) for image in IMAGES) for board, _ in self.boxes}
        for board, _ in self.boxes:  # the loop below appends to this list
            for cell in (cell for cell in range(9) if board[cell] == 0):
                after = [*board[:cell], 1 if board.count(0) % 2 else 2, *board[cell + 1 :]]
                key = min(tuple(after[cell] for cell in image) for image in IMAGES)
                if key not in seen and not winner(after) and 0 in after:
                    seen.add(key)
                    self.boxes.append((after, [cell for cell in range(9) if after[cell] == 0 for _ in range(2)]))

    def find(self, board: Board) -> tuple[list[int], tuple[int, ...]]:
        """Return the beads on a stored board, and the image that maps its cells to those of `board`."""
        for stored, beads in self.boxes:
            image = matching_image(stored, board)
            if image is not None:
                return beads, image
        raise LookupError(board)

    def pick(self, board: Board, epsilon: float) -> int:
        """Choose a cell epsilon-greedily with the given epsilon, and return it."""
        beads, image = self.find(board)
        colours = list(set(beads))
        explored = random.choice(colours)  # noqa: S311
        best = max(colours, key=beads.count)
        return image[best if random.random() > epsilon else explored]  # noqa: S311

    def play(self) -> list[int]:
        """Play one game, learn from it, and return the cells in the order in which they were taken."""
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
        """Add and remove beads after a game. The player that made the last move has won."""
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
        """Return the preferred cell on a board of nine cells, each of which is 1 for X, 2 for O or 0 if free."""
        return self.pick(list(board), epsilon=0)
