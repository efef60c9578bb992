"""Tic-tac-toe with its cells numbered by a magic square, as in Sutton and Barto's program.

If all values are equal, the authors' program makes the move with the lowest number, so the numbering affects the
results.
"""

from __future__ import annotations

from functools import cached_property

from menace.games.base import CellSymmetry
from menace.games.rules.mnk import MNK

SQUARE = (2, 9, 4, 7, 5, 3, 6, 1, 8)  # the numbers of the cells, row by row, from TTT.lisp; each row adds up to 15


class MagicSquare(MNK):
    """Tic-tac-toe in which action k takes the cell with the number k + 1.

    >>> sorted(MagicSquare().lines)[0], all(sum(line) == 12 for line in MagicSquare().lines)
    ((0, 4, 8), True)
    """

    name = "magic-square"

    def __init__(self, _: str | None = None) -> None:  # the game has only one variant
        super().__init__()

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The rows, columns and diagonals, in each of which the numbers add up to 15."""
        return tuple(tuple(sorted(SQUARE[cell] - 1 for cell in line)) for line in MNK().lines)

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        """The eight symmetries of the square, as permutations of the numbers."""
        cell_of = [SQUARE.index(number + 1) for number in range(self.longest)]
        return tuple(
            CellSymmetry(symmetry.name, tuple(SQUARE[symmetry.source[cell]] - 1 for cell in cell_of))
            for symmetry in MNK().symmetries
        )
