"""How figures look, and how they are written: the same figure has the same bytes.

Colours are those that colour-blind people can tell apart; sizes are for slides.

Source of the colours: M. Okabe, K. Ito, Color Universal Design (2008), https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from menace.errors import OutputError
from menace.output import file_format, need_extra, write_file

if TYPE_CHECKING:  # matplotlib is loaded when something is drawn
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

FORMATS = ("svg", "png", "pdf")
EXTRA = "plot"

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
GREY = "#767676"
PALE = "#dddddd"  # grids, and what is there without being looked at
LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, BLACK)  # yellow is too pale for a line
DASHES = ("-", "--", ":", "-.")
OUTCOME_COLOURS = {"X wins": BLUE, "draws": PALE, "O wins": ORANGE}

FONT = "DejaVu Sans"  # comes with matplotlib, so that texts are as wide everywhere
SIZE = (12.0, 6.75)  # inches: a slide of 16 to 9
DOTS_AN_INCH = 160
TITLE_POINTS = 13  # size of a panel's title
TITLE_ROOM = 0.8  # of a panel's width, labels and all, that its title may have
ROUNDS_TO_A_TENTH = 0.0005  # a smaller share would show as 0.0 %
GAMES_LABEL = "games learned from (k: thousand, M: million)"
LABEL_POINTS = 12
ADVANCE_SIZE = 64.0  # points, in which letters are measured
PANELS_MOST = 24
CROWDED, POWERS_MOST = 3, 5
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


def figure_format(path: str | os.PathLike[str], wanted: str | None = None) -> str:
    """Return the format that a figure is to have, before it is drawn.

    Raises:
        OutputError: if it is none of FORMATS.
        MissingExtra: if matplotlib is not installed.
    """
    found = file_format(path, FORMATS, wanted)
    need_extra("matplotlib", EXTRA)
    return found


def no_games(name: str) -> OutputError:
    """Return what to raise where a learner has nothing yet that could be plotted."""
    return OutputError(
        f"learner {name} has no games yet; `menace train {shlex.quote(name)} --against random` plays some"
    )


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Within it, figures are made and drawn in the house's style, whatever the user's matplotlibrc says."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def new_figure(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = SIZE, **subplots: Any
) -> tuple[Figure, NDArray[Any]]:
    """Return a figure and its axes [rows, columns], laid out without overlaps. `size` is in inches. Within `styled`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def save(figure: Figure, path: str | os.PathLike[str], wanted: str | None = None) -> bytes:
    """Write a figure, all of it or nothing, and return the bytes.

    Args:
        figure: made within `styled`.
        path: where; `-` is standard output.
        wanted: one of FORMATS; None takes the one that the path ends with.

    Raises:
        OutputError: if the format is none of FORMATS, or the file cannot be written.
        MissingExtra: if matplotlib is not installed.
    """
    content = drawn(figure, figure_format(path, wanted))
    write_file(path, content)
    return content


def drawn(figure: Figure, form: str) -> bytes:
    """Return a figure as the bytes of a file of one of FORMATS."""
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format=form, metadata=NAMELESS[form])
    return buffer.getvalue()


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
    """Return how wide a text is, in points, in letters of `size` points: what its letters advance by."""
    return sum(_advance(character) for character in text) * size


def wrapped(text: str, size: float, points: float) -> str:
    """Return a text, as `shown`, in lines of at most `points`: broken at spaces, and in words that are too long."""
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
    """Return colour and dashes of a line by its number from 0; 28 differ."""
    colours = len(LINE_COLOURS)
    return {"color": LINE_COLOURS[number % colours], "linestyle": DASHES[number // colours % len(DASHES)]}


def apart(wanted: Sequence[float], gap: float, edge: float = 0.0) -> list[float]:
    """Return heights for labels, as near to those wanted as they can be without being closer than `gap`.

    Args:
        wanted: heights, 0 to 1, in any order; of equal ones the first becomes the lowest.
        gap: 0 or more.
        edge: how near to 0 or 1 a label may stand; where there are too many, they stand beyond 1.

    >>> apart([0.5, 0.5, 0.9], 0.2)
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    groups: list[tuple[float, int]] = []  # mean and size of those that touch: pooling adjacent violators
    for rank, place in enumerate(order):
        level, size = wanted[place] - rank * gap, 1
        while groups and groups[-1][0] >= level:
            before, more = groups.pop()
            level, size = (before * more + level * size) / (more + size), more + size
        groups.append((level, size))
    highest = 1 - edge - (len(wanted) - 1) * gap
    levels = [max(min(level, highest), edge) for level, size in groups for _ in range(size)]
    heights = dict(zip(order, levels, strict=True))
    return [round(heights[place] + order.index(place) * gap, 12) for place in range(len(wanted))]


def panel_title(axes: Axes, text: str, inches: float) -> None:
    """Write a panel's title, in lines if need be. `inches`: how wide the panel is with its labels. Within `styled`."""
    axes.set_title(wrapped(text, TITLE_POINTS, TITLE_ROOM * inches * 72), fontsize=TITLE_POINTS)


def panel_grid(panels: int) -> tuple[int, int]:
    """Return rows and columns for so many panels: up to four stand in pairs, more in threes.

    >>> panel_grid(1), panel_grid(3), panel_grid(5)
    ((1, 1), (2, 2), (2, 3))
    """
    columns = min(panels, 2 if panels <= 2 * 2 else CROWDED)
    return -(-panels // columns), columns


def end_labels(
    axes: Axes, ends: float, wanted: Sequence[float], texts: Sequence[str], inches: float, lines: Sequence[int] = ()
) -> None:
    """Write texts beside the ends of lines, none over another.

    Args:
        axes: whose x axis is made.
        ends: x of all ends.
        wanted: heights, 0 to 1 of the axes.
        texts: of one line or several, all of as many.
        inches: height of the axes, about.
        lines: numbers of the lines, as `line_style` counts them: squares before the texts have their colours, and are
            hollow where the lines are dashed; none for no squares.
    """
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    tall = LABEL_POINTS * (1 + texts[0].count("\n")) / 72
    figure = axes.get_figure()
    assert figure is not None
    at = blended_transform_factory(axes.transData, axes.transAxes)
    near, far = (at + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans) for points in (6, 20))
    heights = apart(wanted, 1.3 * tall / inches, 0.5 * tall / inches)
    for height, text in zip(heights, texts, strict=True):
        where = far if lines else near
        axes.text(ends, height, text, transform=where, va="center", fontsize=LABEL_POINTS, linespacing=1)
    for height, number in zip(heights, lines, strict=False):
        square, colour = "■" if number < len(LINE_COLOURS) else "□", line_style(number)["color"]
        axes.text(ends, height, square, transform=near, va="center", fontsize=LABEL_POINTS, color=colour)


def to_percent(axis: Axis) -> None:
    """Show an axis of shares, 0 to 1, in percent."""
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")


def percent_text(share: float) -> str:
    """Return a share, 0 to 1, in percent; what is neither 0 nor 1 never looks like it.

    >>> percent_text(0.25), percent_text(0.99999), percent_text(0.00001)
    ('25.0 %', '> 99.9 %', '< 0.1 %')
    """
    if 0 < share < ROUNDS_TO_A_TENTH:
        return "< 0.1 %"
    if 1 - ROUNDS_TO_A_TENTH <= share < 1 - 1e-12:
        return "> 99.9 %"
    return f"{share:.1%}".replace("%", " %")


def games_axis(axes: Axes, first: float, last: int, panels: int = 1) -> None:
    """Make the x axis one of games, each power of ten as wide as the next, from `first` (0 is shown, too) to `last`.

    Of more than POWERS_MOST powers every second is named, where there are CROWDED panels or more beside each other.
    """
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    powers = [10**power for power in range(len(str(last)))]
    powers = powers[::2] if panels >= CROWDED and len(powers) > POWERS_MOST else powers
    axes.set_xticks([0, *powers] if first == 0 else powers, minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: games_text(value))
    axes.set_xlim(first, max(last, 2))


def games_text(games: float) -> str:
    """Return a power of ten as an axis says it.

    >>> [games_text(games) for games in (0, 100, 1_000, 100_000, 1_000_000)]
    ['0', '100', '1k', '100k', '1M']
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games / size:g}{letter}"
    return f"{games:g}"


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont(FONT)).get_charmap())


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """Return how far a character advances in letters of one point."""
    from matplotlib import font_manager

    font = font_manager.get_font(font_manager.findfont(FONT))
    font.set_size(ADVANCE_SIZE, 72)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 2**16 / ADVANCE_SIZE
