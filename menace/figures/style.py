"""Define the style of figures, and save figures so that the same figure always produces the same bytes.

Colour-blind people can distinguish the colours. The sizes are suitable for slides.

Source of the colours: M. Okabe, K. Ito, Color Universal Design (2008), https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.files.output import file_format
from menace.text.wording import FIGURE_FORMATS, OUTCOMES

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
GREY = "#767676"
PALE = "#dddddd"  # the colour of grids and draws
LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, BLACK)  # yellow is too pale for a line
DASHES = ("-", "--", ":", "-.")
OUTCOME_COLOURS = dict(zip(OUTCOMES, (BLUE, PALE, ORANGE), strict=True))

FONT = "DejaVu Sans"  # this font is included in matplotlib, so texts have the same width on every computer
SIZE = (12.0, 6.75)  # the size of a 16:9 slide, in inches
DOTS_PER_INCH = 160
PAGE_WIDTH = 760  # width of a notebook's page on a small laptop, in pixels
ADVANCE_SIZE = 64.0  # font size at which letters are measured, in points
STYLE: dict[Any, Any] = {
    "font.family": FONT,
    "font.size": 13,
    "axes.titlesize": 14,
    "axes.titlelocation": "left",
    "axes.labelsize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "figure.titlesize": 16,
    "figure.constrained_layout.h_pad": 0.08,
    "figure.constrained_layout.w_pad": 0.08,
    "grid.color": PALE,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 12,
    "lines.linewidth": 2,
    "text.parse_math": False,  # learners may have names such as $x$
    "svg.hashsalt": "menace",  # makes ids reproducible
    "pdf.fonttype": 42,  # keeps text searchable and editable
    "savefig.dpi": DOTS_PER_INCH,
}
# This metadata is removed because it depends on the date or the computer.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def figure_format(path: str | os.PathLike[str]) -> str:
    """Return the format of a figure's file. Call this function before drawing, so that errors are reported early.

    Raises:
        OutputError: if the format is not in FIGURE_FORMATS.

    >>> figure_format("learner.svg")
    'svg'
    >>> figure_format("a.txt")
    Traceback (most recent call last):
        ...
    menace.errors.OutputError: a.txt has the extension .txt, which is not supported here; use one of .svg, .png, .pdf
    """
    return file_format(path, FIGURE_FORMATS)


@contextlib.contextmanager
def menace_style() -> Iterator[None]:
    """Create and draw figures in menace's style within this context, regardless of the user's matplotlibrc.

    >>> import matplotlib as mpl
    >>> with menace_style():
    ...     mpl.rcParams["svg.hashsalt"]
    'menace'
    """
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def new_figure(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = SIZE, **subplots: Any
) -> tuple[Figure, NDArray[Any]]:
    """Create a figure and its axes [rows, columns], which do not overlap. Call this within `menace_style`.

    Args:
        rows: the number of rows of axes.
        columns: the number of columns of axes.
        size: the width and height in inches.
        subplots: further arguments of `Figure.subplots`.
    """
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def render(figure: Figure, form: str) -> bytes:
    """Render a figure as the bytes of a file in one of FIGURE_FORMATS."""
    buffer = io.BytesIO()
    with menace_style():
        figure.savefig(buffer, format=form, metadata=METADATA[form])
        figure.set_layout_engine("none")  # a second layout would differ slightly
    return buffer.getvalue()


def notebook_svg(svg: bytes) -> str:
    """Set the width of an SVG figure to the width of a notebook's page.

    >>> notebook_svg(b'<svg width="864pt" height="486pt" viewBox="0 0 864 486">')
    '<svg width="760" height="428" style="max-width: 100%; height: auto" viewBox="0 0 864 486">'
    """

    def sized(size: re.Match[str]) -> str:
        height = PAGE_WIDTH * float(size[2]) / float(size[1])
        return f'width="{PAGE_WIDTH}" height="{height:.0f}" style="max-width: 100%; height: auto"'

    return re.sub(r'width="([\d.]+)pt" height="([\d.]+)pt"', sized, svg.decode(), count=1)


def displayable(text: str) -> str:
    r"""Escape the characters of a text that the figures' font does not contain, as in `\u4e2d`.

    >>> displayable("menace-x $1$")
    'menace-x $1$'
    """
    glyphs = _glyphs()
    return "".join(
        character if ord(character) in glyphs else character.encode("ascii", "backslashreplace").decode()
        for character in text
    )


def text_width(text: str, size: float) -> float:
    """Return the width of a text in points at a font size of `size` points."""
    return sum(_advance_width(character) for character in text) * size


def wrap_text(text: str, size: float, points: float) -> str:
    """Make a text `displayable`, and wrap it to lines of at most `points` points. Long words are split.

    >>> print(wrap_text("three matchbox machines", 12, 80))
    three
    matchbox
    machines
    """
    text = displayable(text)
    if text_width(text, size) <= points:
        return text
    lines, line = [], ""
    for character in text:
        if line and text_width(line + character, size) > points:
            head, _, tail = line.rpartition(" ")
            full, line = (head, tail) if head else (line, "")
            lines.append(full)
        line += character
    return "\n".join([*lines, line])


def line_style(number: int) -> dict[str, Any]:
    """Return the colour and dash pattern for line `number` (counting from 0); the first 28 combinations are distinct.

    >>> line_style(0), line_style(7)
    ({'color': '#0072B2', 'linestyle': '-'}, {'color': '#0072B2', 'linestyle': '--'})
    """
    colours = len(LINE_COLOURS)
    return {"color": LINE_COLOURS[number % colours], "linestyle": DASHES[number // colours % len(DASHES)]}


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    return frozenset(font_manager.get_font(font_manager.findfont(FONT)).get_charmap())


@lru_cache(maxsize=4096)
def _advance_width(character: str) -> float:
    """Return the advance width of a character at a font size of one point."""
    font = font_manager.get_font(font_manager.findfont(FONT))
    font.set_size(ADVANCE_SIZE, 72)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 2**16 / ADVANCE_SIZE
