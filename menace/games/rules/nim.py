"""The rules of Nim. A move takes any number of stones from one heap, and the player who takes the last stone wins.

Variants are heap sizes such as `3-4-5`, or `21-take3` if a move may take at most three stones. If `-misere` is added,
the player who takes the last stone loses.

Source: Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import NamedTuple

from menace.errors import InvalidBoard
from menace.games.base import STONE, Board, MoveMark, Outcome, Side, same_name_on_every_board, shortened
from menace.games.text_game_base import TextGame, invalid_variant
from menace.text.wording import VERDICTS, counted

STONES_SHOWN = 60  # maximum number of stones drawn on a line
MAX_HEAPS = 8  # 8 heaps have up to 40,320 equivalent orders


class Order(NamedTuple):
    """A permutation of heaps that moves the heap at index `source[i]` to index `i`. Each heap has `most` actions.

    >>> order = Order((1, 2, 0), 5)
    >>> order.name, order.board("3-4-5:X"), order.action(0), order.inverse().board("4-5-3:X")
    ('heaps in the order 2, 3, 1', '4-5-3:X', 10, '3-4-5:X')
    """

    source: tuple[int, ...]
    most: int

    @property
    def name(self) -> str:
        return "heaps in the order " + ", ".join(str(heap + 1) for heap in self.source)

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""
        heaps = board[:-2].split("-")
        return "-".join([heaps[heap] for heap in self.source]) + board[-2:]

    def action(self, action: int) -> int:
        """Map `action` on a board to the corresponding action on the board's image."""
        heap, less = divmod(action, self.most)
        return self.source.index(heap) * self.most + less

    def inverse(self) -> Order:
        """Return the inverse symmetry."""
        return Order(tuple(self.source.index(heap) for heap in range(len(self.source))), self.most)


@dataclass(frozen=True)
class Nim(TextGame):
    """Nim with the given heaps. A move takes at most `most` stones. In misère play, taking the last stone loses.

    The text of a board consists of its heaps and the side to move. Action `heap * most + n - 1` takes `n` stones.

    Attributes:
        heaps: the number of stones in each heap.
        most: the maximum number of stones that a move may take.
        misere: whether the player who takes the last stone loses.
        written: the variant as it was written.

    >>> game = Nim.from_variant("3-4-5")
    >>> game.name_of("3-4-5:X", 1), game.play("3-4-5:X", 1), game.outcome("0-0-0:O")
    ('2 from heap 1', '1-4-5:O', 'X')
    """

    heaps: tuple[int, ...]
    most: int
    misere: bool
    written: str

    name = "nim"

    @classmethod
    def from_variant(cls, variant: str = "3-4-5") -> Nim:
        """Create the game for a variant such as `3-4-5`, `21-take3` or `21-take3-misere`.

        Raises:
            InvalidGame: if the text does not have this form.
        """
        match = re.fullmatch(r"([1-9][0-9]?(?:-[1-9][0-9]?)*)(?:-take([1-9][0-9]?))?(-misere)?", variant, re.ASCII)
        heaps = tuple(map(int, match[1].split("-"))) if match else ()
        if match is None or len(heaps) > MAX_HEAPS:
            raise invalid_variant(
                "nim",
                variant,
                f"HEAP-HEAP-... (1 to {MAX_HEAPS} heaps of 1 to 99 stones), optionally followed by -takeN (take at"
                " most N stones at a time) and -misere, such as 3-4-5 or 21-take3-misere",
            )
        return cls(heaps, min(int(match[2] or 99), max(heaps)), match[3] is not None, variant)

    @property
    def variant(self) -> str:
        return self.written

    @property
    def rules(self) -> str:
        *before, last = (*map(str, self.heaps[:-1]), counted(self.heaps[-1], "stone"))
        there = f"There are heaps of {', '.join(before)} and {last}." if before else f"There is a heap of {last}."
        stones = "any number of stones" if self.most >= max(self.heaps) else f"at most {counted(self.most, 'stone')}"
        return (
            f"{there} X and O take turns to take {stones} from one heap. The player who takes the last stone of all"
            f" {VERDICTS[-1 if self.misere else 1]}. Write a move in words, such as 2 from heap 1."
        )

    @property
    def initial(self) -> Board:
        return "-".join(map(str, self.heaps)) + ":X"

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.heaps), 1 + self.most

    # The rules.

    def outcome(self, board: Board) -> Outcome | None:
        if board[:-2].strip("0-"):
            return None
        mover = self.to_move(board)
        return mover.outcome if self.misere else mover.other.outcome

    def children(self, board: Board) -> dict[int, Board]:
        heaps, end, children = board[:-2].split("-"), f":{self.to_move(board).other}", {}
        for heap, size in enumerate(heaps):
            before, after = "".join([f"{stones}-" for stones in heaps[:heap]]), "-".join(["", *heaps[heap + 1 :]]) + end
            for taken in range(1, min(int(size), self.most) + 1):
                children[heap * self.most + taken - 1] = f"{before}{int(size) - taken}{after}"
        return children

    # Symmetry. The order of the heaps does not matter.

    @cached_property
    def symmetries(self) -> tuple[Order, ...]:
        return tuple(Order(source, self.most) for source in itertools.permutations(range(len(self.heaps))))

    def carrier(self, board: Board) -> Order:
        """Return the permutation that sorts the heaps in descending text order, as on the canonical board."""
        heaps = board[:-2].split("-")
        return Order(tuple(sorted(range(len(heaps)), key=heaps.__getitem__, reverse=True)), self.most)

    def image_count(self, board: Board) -> int:
        """Return the number of distinct orders of the heaps."""
        alike = Counter(board[:-2].split("-")).values()
        return factorial(len(self.heaps)) // prod(map(factorial, alike))

    # Notation and display.

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        heap, less = divmod(action, self.most)
        return f"{less + 1} from heap {heap + 1}"

    def names_of(self, board: Board, action: int) -> tuple[str, ...]:
        """Return all names of an action. If there is only one heap, the number of stones is also a valid name."""
        name = self.name_of(board, action)
        return (name, name.partition(" ")[0]) if len(self.heaps) == 1 else (name,)

    def read(self, text: str) -> str:
        """Parse heaps that are separated by `-`, `,` or spaces."""
        heaps = re.split(r"\s*[-,]\s*|\s+", text.strip())
        if not all(re.fullmatch(r"[0-9]{1,4}", heap, re.ASCII) for heap in heaps) or len(heaps) != len(self.heaps):
            heaps_of = counted(len(self.heaps), "heap")
            raise InvalidBoard(f"board {shortened(text)} is not {heaps_of}, such as {self.initial}")
        return "-".join(str(int(heap)) for heap in heaps)

    def impossible(self, board: Board) -> str | None:
        heaps = sorted(map(int, board[:-2].split("-")))
        if not _fits(heaps, sorted(self.heaps)):
            return f"cannot be reached from {self.initial[:-2]} by taking stones"
        taken, mover = sum(self.heaps) - sum(heaps), self.to_move(board)
        if not taken and mover is not Side.X:
            return "is the initial board, on which X moves first"
        if Side.after(taken) is not mover and not self._taken_at_once(heaps):
            return f"has {mover} to move, but the number of stones taken is {taken}, and each move takes exactly one"
        return None

    def _taken_at_once(self, heaps: list[int]) -> bool:
        """Return whether, for some order of the heaps, one move could have taken two or more of the missing stones."""
        return self.most > 1 and any(
            first - heap > 1 and _fits(_without(heaps, heap), _without(self.heaps, first))
            for heap, first in itertools.product(set(heaps), set(self.heaps))
        )

    def pieces(self, board: Board) -> tuple[str, ...]:
        """Return one row per heap, showing the heap's size and the stones that one move can take."""
        rows = []
        for size in map(int, board[:-2].split("-")):
            stones = min(size, self.most)
            rows += [str(size), *[STONE] * stones, *[""] * (self.most - stones)]
        return tuple(rows)

    def draw(self, board: Board) -> str:
        """Return one line of text per heap, with the heap's size and as many stones as fit on the line."""
        sizes = list(map(int, board[:-2].split("-")))
        names = [f"heap {number + 1}  " if len(sizes) > 1 else "" for number in range(len(sizes))]
        room = min(max(self.heaps), STONES_SHOWN)
        rows = (f"{STONE * min(size, room):<{room}}" for size in sizes)
        return "\n".join(f"{name}{row}  {size}" for name, row, size in zip(names, rows, sizes, strict=True))

    def where(self, board: Board, action: int) -> MoveMark:
        """Mark the stones that the move takes, with the label on the last stone."""
        heap, less = divmod(action, self.most)
        first = heap * self.shape[1] + 1
        return MoveMark(tuple(range(first + less, first - 1, -1)))


def _fits(heaps: list[int], first: list[int]) -> bool:
    """Return whether each heap is no larger than the initial heap at the same index.

    Both lists must be ascending.
    """
    return all(heap <= size for heap, size in zip(heaps, first, strict=True))


def _without(heaps: tuple[int, ...] | list[int], heap: int) -> list[int]:
    rest = sorted(heaps)
    rest.remove(heap)
    return rest
