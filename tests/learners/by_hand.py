"""Short games for calculations by hand, and a class that finds positions by their boards."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from kernel_games import SeatedMachine, find_numbers, machine_of_preset, play

from menace.games.positions import Positions

S = [".........", "X........", "X..O.....", "XX.O.....", "XX.OO....", "XXXOO...."]
WON, LOST, DRAWN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 4, 8, 1, 7, 6, 2, 5, 3)


class Board:
    """The positions of tic-tac-toe, not merged by symmetry, with a dictionary from boards to positions."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.position = {board: position for position, board in enumerate(positions.boards)}

    def move(self, board: str, cell: int) -> int:
        return next(m for m in self.positions.moves_of(self.position[board]) if self.positions.action[m] == cell)

    def learner(self, name: str, side: int = 0, **changes: Any) -> SeatedMachine:
        return machine_of_preset(self.positions, name, side, **changes)

    def play(
        self, x: SeatedMachine | str, o: SeatedMachine | str, cells: tuple[int, ...], exploring: Collection[int] = ()
    ) -> list:
        """Play the given moves, exploring only at the plies in `exploring`, and return the numbers of outcomes."""
        return play(self.positions, x, o, find_numbers(self.positions, x, o, cells, exploring), 1).outcomes

    def values(self, machine: SeatedMachine, *boards: str) -> list[float]:
        return [float(machine.learned.amount[self.position[board]]) for board in boards]

    def counts(self, machine: SeatedMachine, *boards: str) -> list[int]:
        return [int(machine.learned.count[self.position[board]]) for board in boards]

    def q(self, machine: SeatedMachine, *moves: tuple[str, int]) -> list[float]:
        return [float(machine.learned.amount[self.move(*move)]) for move in moves]


def near(*decimals: float) -> Any:
    return pytest.approx(decimals, rel=0, abs=1e-15)


def step(value: float, alpha: float, target: float) -> float:
    return value + alpha * (target - value)
