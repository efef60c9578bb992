"""Define the paper, the margins and the grid on which labels are printed. Lengths are in millimetres.

Because of the gaps between labels, an inexact cut does not include the colour of a neighbouring label. Crop marks
between and around the labels are aligned with the edges of the labels, but never touch a label.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

from menace.errors import InvalidSetting
from menace.text.bead_colours import SCHEMES, Scheme

Paper: TypeAlias = Literal["a4", "letter"]
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # width, height

MARGIN = 10.0  # home printers leave 3 to 6 mm blank at the sides, and some leave 10 mm or more at the bottom
HEADER = 9.0  # height of the line with the learner's name
FOOTER = 12.0  # height of the ruler
GAP = 3.0  # gap between labels, for crop marks and scissors
CROP_LENGTH = 2.5  # length of a crop mark at the grid's edge
CROP_DISTANCE = 0.5  # distance from a label to the nearest crop mark
# Minimum size of a label. On smaller labels, the numbers on the beads of a 3 x 3 board would be below 4 points.
MIN_WIDTH, MIN_HEIGHT = 20.0, 15.0


class CutLine(NamedTuple):
    """A straight line from (x0, y0) to (x1, y1), measured from the lower left corner of the paper.

    >>> LabelSheet().crop_marks()[0]
    CutLine(x0=24.0, y0=241.5, x1=26.5, y1=241.5)
    """

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class LabelSheet:
    """The settings of printed labels.

    The top of a standard matchbox is about 53 x 36 mm, and the box is 15 mm high. A label of 50 x 33 mm therefore
    leaves a margin of 1.5 mm on every side, and also fits on a slightly smaller box. A label of 35 x 15 mm fits on the
    front of the drawer.

    Attributes:
        width: the width of a label in mm, from 20 to the width of the paper.
        height: the height of a label in mm, from 15 to the height of the paper; a height of 15 mm requires a width of
            about 30 mm.
        paper: `a4` or `letter`, upright.
        colours: the scheme of bead colours from menace/text/bead_colours.py; None selects the learner's own scheme.
        numbering: the numbering scheme of cells; None selects the learner's own scheme.
        worksheets: whether to add worksheets for a lesson.

    >>> LabelSheet().columns, LabelSheet().rows, LabelSheet(paper="letter").rows
    (3, 7, 6)
    """

    width: float = 50.0
    height: float = 33.0
    paper: Paper = "a4"
    colours: Scheme | None = None
    numbering: Scheme | None = None
    worksheets: bool = False

    def __post_init__(self) -> None:
        _check_one_of("paper", self.paper, get_args(Paper))
        _check_one_of("colours", self.colours or SCHEMES[0], SCHEMES)
        _check_one_of("numbering", self.numbering or SCHEMES[0], SCHEMES)
        sides = (
            ("width", self.width, MIN_WIDTH, self.most_width),
            ("height", self.height, MIN_HEIGHT, self.most_height),
        )
        for name, value, least, most in sides:
            if not least <= value <= most:  # also rejects NaN
                fault = f"does not fit on {self.paper}" if value > most else "is too small to read"
                fault = "is not a number" if math.isnan(value) else fault
                raise InvalidSetting(f"a label's {name} of {value:g} mm {fault}; give {least:g} to {most:g} mm")

    @property
    def paper_size(self) -> tuple[float, float]:
        """The width and height of the paper."""
        return PAPERS[self.paper]

    @property
    def room(self) -> tuple[float, float]:
        """The width between the margins, and the height between header and footer."""
        width, height = self.paper_size
        return width - 2 * MARGIN, height - 2 * MARGIN - HEADER - FOOTER

    @property
    def most_width(self) -> float:
        """The maximum width of a label, which leaves space for crop marks on both sides."""
        return round(self.room[0] - 2 * (CROP_DISTANCE + CROP_LENGTH), 3)

    @property
    def most_height(self) -> float:
        """The maximum height of a label, which leaves space for crop marks above and below."""
        return round(self.room[1] - 2 * (CROP_DISTANCE + CROP_LENGTH), 3)

    @property
    def columns(self) -> int:
        """The number of labels in a row."""
        return _count_labels(self.width, self.most_width)

    @property
    def rows(self) -> int:
        """The number of rows of labels."""
        return _count_labels(self.height, self.most_height)

    @property
    def labels(self) -> int:
        """The number of labels on a full page."""
        return self.columns * self.rows

    def place(self, index: int) -> tuple[float, float]:
        """Return the lower left corner of label `index` on its page, counting from 0, row by row from the top.

        The grid is centred and is the same on every page, so a pile of sheets can be cut at once.
        """
        row, column = divmod(index, self.columns)
        return self._lefts()[column], self._bottoms()[row]

    def crop_marks(self) -> tuple[CutLine, ...]:
        """Return the crop marks between the labels and around the grid. Every edge of every label has crop marks."""
        lefts, bottoms = self._lefts(), self._bottoms()
        across = _crop_spans([(left, left + self.width) for left in lefts])
        down = _crop_spans([(bottom, bottom + self.height) for bottom in reversed(bottoms)])
        edges_x = [edge for left in lefts for edge in (left, left + self.width)]
        edges_y = [edge for bottom in bottoms for edge in (bottom, bottom + self.height)]
        return tuple(
            [CutLine(start, y, end, y) for y in edges_y for start, end in across]
            + [CutLine(x, start, x, end) for x in edges_x for start, end in down]
        )

    def _lefts(self) -> list[float]:
        used = self.columns * (self.width + GAP) - GAP
        first = (self.paper_size[0] - used) / 2
        return [first + column * (self.width + GAP) for column in range(self.columns)]

    def _bottoms(self) -> list[float]:
        used = self.rows * (self.height + GAP) - GAP
        room = self.room[1]
        top = MARGIN + FOOTER + room - (room - used) / 2
        return [top - self.height - row * (self.height + GAP) for row in range(self.rows)]


def _count_labels(size: float, room: float) -> int:
    return int((room + GAP + 1e-6) // (size + GAP))


def _crop_spans(labels: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the spans for crop marks in one direction: before, between and after the labels."""
    first, last = labels[0][0], labels[-1][1]
    between = [(end + CROP_DISTANCE, start - CROP_DISTANCE) for (_, end), (start, _) in pairwise(labels)]
    return [
        (first - CROP_DISTANCE - CROP_LENGTH, first - CROP_DISTANCE),
        *between,
        (last + CROP_DISTANCE, last + CROP_DISTANCE + CROP_LENGTH),
    ]


def _check_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidSetting(f"unknown {name} {value!r}; choose one of {', '.join(allowed)}")
