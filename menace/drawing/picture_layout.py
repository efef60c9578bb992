"""Layout of the sheet for the picture of the game: its size, the place of each board and the route of each move.

Lengths are points (1/72 inch), from the top left corner, y downwards. A few positions a row make a slide; more make a
poster of the shape of DIN paper, whose widest rows have two tiers, so that boards may be twice as wide. Moves leave a
board downwards, and bend in the empty strip between two rows alone; to or from the far tier they run straight through
the channel between two boards of the near one. So no move runs through a board; only in games whose equal boards come
up after different numbers of moves some skip a row, and run behind the boards there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from menace.drawing.layers import Edges, Rows, ordered, placed, ports

Point: TypeAlias = tuple[float, float]

SLIDE = (864.0, 486.0)  # 16 to 9
SLIDE_MOST = 26  # boards in the widest row of a slide
PAPER = 2**0.5  # width to height of a poster
POSTER_PITCH, POSTER_MARGINS = 15.5, 1.09  # from board to board in a poster's widest row; its width, margins included
TEXT_GROWTH = 0.75  # texts grow less than the sheet
MARGIN, LEFT, TOP, BOTTOM = 16.0, 106.0, 56.0, 43.0  # LEFT has room for the labels of the rows, TOP for the title
BOARD_LEAST = 20.0  # how wide a board is to be, if there is room
SLIDE_FILLED, POSTER_FILLED = 0.63, 0.45  # how much of an even share of the height a row takes at most
ONE_TIER, TWO_TIERS = 0.66, 0.7  # width of a board in what is there for it
TIERED = 1.5
TIER_GAP = 0.35  # between two tiers, in heights of a board
BEND = 0.3  # of a gap: how far a curve is pulled up and down; alike for all, so that two cross once or never
FAN = 0.6  # how much of a board's edge, or of a channel, moves use


class Place(NamedTuple):
    """Where a board stands.

    >>> Place(left=100, top=50, width=30, height=30).middle
    115.0
    """

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where its middle is, from the left."""
        return self.left + self.width / 2


class Row(NamedTuple):
    """A row of boards: its tiers and the strip that they take up."""

    top: float
    height: float
    board: tuple[float, float]
    tiers: int

    @property
    def bottom(self) -> float:
        """Where it ends, from the top."""
        return self.top + self.height


@dataclass(frozen=True)
class Sheet:
    """Where everything stands.

    Attributes:
        width, height: of the sheet.
        text: how many times larger its texts are than a slide's.
        rows: strips, from the top.
        places: of each board.
        moves: of each edge, six points: the start, the end of a straight piece, two that pull a cubic Bezier curve,
            its end, and the end of another straight piece.
    """

    width: float
    height: float
    text: float
    rows: tuple[Row, ...]
    places: dict[int, Place]
    moves: dict[tuple[int, int], tuple[Point, ...]]


def arranged(rows: Rows, edges: Edges, shape: tuple[int, int], starts: int | None = None) -> Sheet:
    """Return the sheet of a game.

    Args:
        rows: positions of each ply, in any order.
        edges: moves, from a row to the next.
        shape: rows and columns of a board.
        starts: of the search for few crossings, as `ordered` takes it.

    >>> rows, moves = [[0], [*range(1, 30)]], [(0, node) for node in range(1, 30)]
    >>> sheet = arranged(rows, moves, (3, 3))
    >>> [row.tiers for row in sheet.rows], round(sheet.width / sheet.height, 3)
    ([1, 2], 1.414)
    """
    width, height, tiered, filled = _kind(max(map(len, rows)))
    text = (width / SLIDE[0]) ** TEXT_GROWTH
    inner = width - (LEFT + MARGIN) * text
    most = filled * (height - (TOP + BOTTOM) * text) / len(rows) * shape[1] / shape[0]
    strips = [_strip(len(row), inner, shape, most, tiered) for row in rows]
    in_order = ordered(rows, edges, starts)
    distances = [_distance(strip, len(row), inner) for strip, row in zip(strips, rows, strict=True)]
    x = {node: LEFT * text + at for node, at in placed(in_order, edges, distances, inner).items()}
    strips = _stacked(strips, _travels(rows, edges, x), TOP * text, height - BOTTOM * text)
    places = {
        node: _place(x[node], strip, number)
        for row, strip in zip(in_order, strips, strict=True)
        for number, node in enumerate(row)
    }
    fans = {
        node: _fan(strip, distance)
        for row, strip, distance in zip(rows, strips, distances, strict=True)
        for node in row
    }
    moves = _routed(rows, edges, strips, places, ports(edges, x, fans))
    return Sheet(width, height, text, tuple(strips), places, moves)


def _kind(widest: int) -> tuple[float, float, float, float]:
    """Return width and height of a slide or poster, TIERED or 0, and how much of its share a row may fill."""
    if widest <= SLIDE_MOST:
        return *SLIDE, 0.0, SLIDE_FILLED
    width = max(SLIDE[0], POSTER_PITCH * POSTER_MARGINS * widest)
    return width, width / PAPER, TIERED, POSTER_FILLED


def _strip(boards: int, width: float, shape: tuple[int, int], most: float, tiered: float) -> Row:
    """Return a row's tiers and sizes, for the time being at the top.

    Args:
        boards: how many there are.
        width: of the row.
        shape: rows and columns of a board.
        most: how wide its boards may be, so that they are not too tall; in two tiers less.
        tiered: a row has two tiers, where one would make its boards less than this times BOARD_LEAST wide.
    """
    pitch, tiers = width / boards, 1
    board = min(most, ONE_TIER * pitch)
    in_two = min(TWO_TIERS * most, TWO_TIERS * 2 * pitch)
    if board < min(in_two, tiered * BOARD_LEAST):
        tiers, board = 2, in_two
    tall = board * shape[0] / shape[1]
    return Row(0.0, tall * (tiers + (tiers - 1) * TIER_GAP), (board, tall), tiers)


def _distance(strip: Row, boards: int, width: float) -> float:
    """Return the least distance between the middles of neighbours: some air, as long as there is room."""
    return min(width / boards, 1.75 * strip.board[0] / strip.tiers)


def _fan(strip: Row, distance: float) -> float:
    """Return how far the moves of a board may fan out: along its edge, and in the channel through the other tier."""
    board = strip.board[0]
    return FAN * (board if strip.tiers == 1 else 2 * distance - board)


def _travels(rows: Rows, edges: Edges, x: dict[int, float]) -> list[float]:
    """Return how far the moves below each row but the last go sideways, in all."""
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    far = [0.0 for _ in rows]
    for start, end in edges:
        far[row_of[start]] += abs(x[start] - x[end])
    return far[:-1]


def _stacked(strips: list[Row], travels: list[float], top: float, bottom: float) -> list[Row]:
    """Return the rows one below the other; the more moves go sideways, the taller is the gap that they have."""
    free = bottom - top - sum(strip.height for strip in strips)
    weights = np.cbrt(np.array(travels) + 1.0)
    weights += weights.max(initial=0.0) / 3
    gaps = [*(free * weights / weights.sum()).tolist(), 0.0] if travels else [0.0]
    stacked = []
    for strip, gap in zip(strips, gaps, strict=True):
        stacked.append(strip._replace(top=top))
        top += strip.height + gap
    return stacked


def _place(x: float, strip: Row, number: int) -> Place:
    """Return where a row's board of a number stands: neighbours in different tiers."""
    board, tall = strip.board
    return Place(x - board / 2, strip.top + number % strip.tiers * (1 + TIER_GAP) * tall, board, tall)


def _routed(
    rows: Rows, edges: Edges, strips: list[Row], places: dict[int, Place], ends: tuple[list[float], list[float]]
) -> dict[tuple[int, int], tuple[Point, ...]]:
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    moves: dict[tuple[int, int], tuple[Point, ...]] = {}
    for (start, end), leaves, reaches in zip(edges, *ends, strict=True):
        upper, lower = strips[row_of[start]].bottom, strips[row_of[end]].top
        bend, board = BEND * (lower - upper), places[start]
        moves[start, end] = (
            (leaves, board.top + board.height),
            (leaves, upper),
            (leaves, upper + bend),
            (reaches, lower - bend),
            (reaches, lower),
            (reaches, places[end].top),
        )
    return moves
