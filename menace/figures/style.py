"""The style of figures, and how they are saved: the same figure gives the same bytes.

The colours are distinguishable by colour-blind people; sizes are for slides.

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
PALE = "#dddddd"  # of grids and of draws
LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, BLACK)  # yellow is too pale for a line
DASHES = ("-", "--", ":", "-.")
OUTCOME_COLOURS = dict(zip(OUTCOMES, (BLUE, PALE, ORANGE), strict=True))

FONT = "DejaVu Sans"  # comes with matplotlib, so that texts are as wide everywhere
SIZE = (12.0, 6.75)  # inches: a slide of 16 to 9
DOTS_AN_INCH = 160
PAGE_WIDTH = 760  # pixels: a notebook's page has no less on a laptop
ADVANCE_SIZE = 64.0  # points, in which letters are measured
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
    "text.parse_math": False,  # a learner may be called $x$
    "svg.hashsalt": "menace",  # else ids are random
    "pdf.fonttype": 42,  # letters stay letters: they can be searched for and edited
    "savefig.dpi": DOTS_AN_INCH,
}
# What would differ from day to day, or from machine to machine.
NAMELESS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def figure_format(path: str | os.PathLike[str]) -> str:
    """Return the format of a figure's file; checked before the figure is drawn.

    Raises:
        OutputError: if it is none of FIGURE_FORMATS.

    >>> figure_format("learner.svg")
    'svg'
    >>> figure_format("a.txt")
    Traceback (most recent call last):
        ...
    menace.errors.OutputError: a.txt has the extension .txt, which is not supported here; use one of .svg, .png, .pdf
    """
    return file_format(path, FIGURE_FORMATS)


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Make and draw figures in the style of menace within this context, whatever the user's matplotlibrc has.

    >>> import matplotlib as mpl
    >>> with styled():
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
    """Return a figure and its axes [rows, columns], laid out without overlaps. `size` is in inches. Within `styled`."""
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def drawn(figure: Figure, form: str) -> bytes:
    """Return a figure as the bytes of a file of one of FIGURE_FORMATS."""
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format=form, metadata=NAMELESS[form])
        figure.set_layout_engine("none")  # laid out once more, it would differ by a hair
    return buffer.getvalue()


def notebook_svg(svg: bytes) -> str:
    """Return a figure's SVG as wide as a notebook's page, where it may be an image or a part of the page.

    >>> notebook_svg(b'<svg width="864pt" height="486pt" viewBox="0 0 864 486">')
    '<svg width="760" height="428" style="max-width: 100%; height: auto" viewBox="0 0 864 486">'
    """

    def sized(size: re.Match[str]) -> str:
        height = PAGE_WIDTH * float(size[2]) / float(size[1])
        return f'width="{PAGE_WIDTH}" height="{height:.0f}" style="max-width: 100%; height: auto"'

    return re.sub(r'width="([\d.]+)pt" height="([\d.]+)pt"', sized, svg.decode(), count=1)


def shown(text: str) -> str:
    r"""Return a text as the figures' font can show it: characters that it lacks become their numbers, as in `\u4e2d`.

    >>> shown("menace-x $1$")
    'menace-x $1$'
    """
    glyphs = _glyphs()
    return "".join(
        character if ord(character) in glyphs else character.encode("ascii", "backslashreplace").decode()
        for character in text
    )


def text_width(text: str, size: float) -> float:
    """Return how wide a text is, in points, in letters of `size` points: the sum of their advances."""
    return sum(_advance(character) for character in text) * size


def wrapped(text: str, size: float, points: float) -> str:
    """Return a text, as `shown`, in lines of at most `points`: broken at spaces, and in words that are too long.

    >>> print(wrapped("three matchbox machines", 12, 80))
    three
    matchbox
    machines
    """
    text = shown(text)
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
    """Return colour and dashes of a line by its number from 0; 28 differ.

    >>> line_style(0), line_style(7)
    ({'color': '#0072B2', 'linestyle': '-'}, {'color': '#0072B2', 'linestyle': '--'})
    """
    colours = len(LINE_COLOURS)
    return {"color": LINE_COLOURS[number % colours], "linestyle": DASHES[number // colours % len(DASHES)]}


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    return frozenset(font_manager.get_font(font_manager.findfont(FONT)).get_charmap())


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """Return how far a character advances in letters of one point."""
    font = font_manager.get_font(font_manager.findfont(FONT))
    font.set_size(ADVANCE_SIZE, 72)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 2**16 / ADVANCE_SIZE
