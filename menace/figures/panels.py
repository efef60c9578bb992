"""Draw the panels of figures: grids, axes, labels at the ends of lines, legends, and curves with bands."""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation, blended_transform_factory
from numpy.typing import NDArray

from menace.analysis.groups import Facts, Group, Named, factors_of, group_text
from menace.drawing.graph_layout import isotonic_fit
from menace.errors import OutputError
from menace.text.wording import OUTCOMES, Scale, counted, games_text

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
GREY = "#767676"
PALE = "#dddddd"  # the colour of grid lines and of draws
LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, BLACK)  # yellow is too pale for a line
DASHES = ("-", "--", ":", "-.")
OUTCOME_COLOURS = dict(zip(OUTCOMES, (BLUE, PALE, ORANGE), strict=True))

FONT = "DejaVu Sans"  # this font is included in matplotlib, so text has the same width on every computer
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
    "text.parse_math": False,  # a learner's name, such as $x$, is not a formula
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
    rows: int = 1, columns: int = 1, size: tuple[float, float] = SIZE, title: str = "", **subplots: Any
) -> tuple[Figure, NDArray[Any]]:
    """Create a figure and its axes, an array [rows, columns]; labels and axes do not overlap.

    Call this within `menace_style`.

    Args:
        rows: the number of rows of axes.
        columns: the number of columns of axes.
        size: the width and height in inches.
        title: the title of the figure.
        subplots: further arguments of `Figure.subplots`.
    """
    figure = Figure(figsize=size, layout="constrained")
    if title:
        figure.suptitle(title, x=0.01, ha="left")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def render(figure: Figure, form: str) -> bytes:
    """Render a figure as the bytes of a file in one of FIGURE_FORMATS."""
    buffer = io.BytesIO()
    with menace_style():
        figure.savefig(buffer, format=form, metadata=METADATA[form])
        figure.set_layout_engine("none")  # computing the layout again would change it slightly
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
    r"""Escape characters that the figures' font does not contain, as in `\u4e2d`.

    >>> displayable("menace-x $1$")
    'menace-x $1$'
    """
    glyphs = _glyphs()
    return "".join(
        character if ord(character) in glyphs else character.encode("ascii", "backslashreplace").decode()
        for character in text
    )


def text_width(text: str, size: float) -> float:
    """Return the width of text, in points, at a font size of `size` points."""
    return sum(_advance_width(character) for character in text) * size


def wrap_text(text: str, size: float, points: float) -> str:
    """Make text `displayable`, and wrap it into lines of at most `points` points. Long words are split.

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


TITLE_POINTS = 13  # font size of a panel's title
MAX_TITLE_WIDTH = 0.8  # maximum width of a panel's title, relative to the panel including its labels
LABEL_POINTS = 12  # font size of labels
MAX_PANELS = 24
CROWDED_PANELS, MAX_POWERS = 3, 5
GAMES_LABEL = "games learned from (k: thousand, M: million)"


def spread_labels(wanted: Sequence[float], gap: float, edge: float = 0.0) -> list[float]:
    """Return heights for labels, as close as possible to the wanted heights but at least `gap` apart.

    Args:
        wanted: heights, 0 to 1, in any order. Among equal heights, the first becomes the lowest.
        gap: the minimum distance, 0 or more.
        edge: the minimum distance from 0 and 1; if there are too many labels, they extend beyond 1.

    >>> spread_labels([0.5, 0.5, 0.9], 0.2)
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    levels = isotonic_fit(wanted[place] - rank * gap for rank, place in enumerate(order))
    highest = 1 - edge - (len(wanted) - 1) * gap
    heights = [0.0] * len(wanted)
    for rank, (place, level) in enumerate(zip(order, levels, strict=True)):
        heights[place] = round(max(min(level, highest), edge) + rank * gap, 12)
    return heights


def draw_panel_title(axes: Axes, text: str, inches: float) -> None:
    """Write a panel's title, wrapped if necessary. Call this within `menace_style`.

    Args:
        axes: the axes of the panel.
        text: the title.
        inches: the width of the panel with its labels.
    """
    axes.set_title(wrap_text(text, TITLE_POINTS, MAX_TITLE_WIDTH * inches * 72), fontsize=TITLE_POINTS)


def panel_grid(panels: int) -> tuple[int, int]:
    """Return the number of rows and of columns in a grid of panels. Up to four panels use at most two columns.

    >>> panel_grid(1), panel_grid(3), panel_grid(5)
    ((1, 1), (2, 2), (2, 3))
    """
    columns = min(panels, 2 if panels <= 2 * 2 else CROWDED_PANELS)
    return -(-panels // columns), columns


def draw_end_labels(
    axes: Axes, ends: float, wanted: Sequence[float], texts: Sequence[str], inches: float, colours: Sequence[str]
) -> None:
    """Write labels, without overlaps, at the ends of lines or bands. A square in the line's colour precedes each label.

    Args:
        axes: the axes, whose x axis is already set up.
        ends: the x coordinate of all ends.
        wanted: the heights of the ends, 0 to 1 of the axes.
        texts: the labels, which all have the same number of lines.
        inches: the approximate height of the axes.
        colours: the colours of the squares. The square for a repeated colour, which represents a dashed line, is
            hollow.
    """
    tall = LABEL_POINTS * (1 + texts[0].count("\n")) / 72
    figure = axes.get_figure()
    assert figure is not None
    at = blended_transform_factory(axes.transData, axes.transAxes)
    near, far = (at + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans) for points in (6, 20))
    heights = spread_labels(wanted, 1.3 * tall / inches, 0.5 * tall / inches)
    for number, (height, text, colour) in enumerate(zip(heights, texts, colours, strict=True)):
        axes.text(ends, height, text, transform=far, va="center", fontsize=LABEL_POINTS, linespacing=1)
        square = "□" if colour in colours[:number] else "■"
        axes.text(ends, height, square, transform=near, va="center", fontsize=LABEL_POINTS, color=colour)


def format_percent(axis: Axis) -> None:
    """Label an axis of shares from 0 to 1 in percent."""
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")


def set_games_axis(axes: Axes, first: float, last: int, panels: int = 1, scale: Scale = "log") -> None:
    """Set up the x axis to show numbers of games from `first` to `last`.

    Args:
        axes: the axes to change.
        first: the first number of games, 0 or more.
        last: the last number of games.
        panels: the number of panels in a row. With CROWDED or more panels, a linear axis has fewer labels, and a
            logarithmic axis with more than MAX_POWERS powers of ten labels every second power.
        scale: `log` or `linear`.

    >>> from matplotlib.figure import Figure
    >>> axes = Figure().subplots()
    >>> set_games_axis(axes, 0, 100_000)
    >>> [axes.xaxis.get_major_formatter()(tick) for tick in axes.get_xticks()]
    ['0', '1', '10', '100', '1k', '10k', '100k']
    >>> set_games_axis(axes, 100, 100)  # a curve of one point
    >>> axes.get_xlim() == (0, 100)
    True
    """
    if first == last:  # an imported machine may have been measured only once
        first = 0
    if scale == "linear":
        axes.set_xscale("linear")
        axes.xaxis.set_major_formatter(lambda value, _: games_text(value))
        axes.locator_params(axis="x", integer=True, nbins=12 // min(panels, CROWDED_PANELS))
        axes.set_xlim(min(first, 0.5), max(last, 2))
        return
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    powers = [10**power for power in range(len(str(last)))]
    powers = powers[::2] if panels >= CROWDED_PANELS and len(powers) > MAX_POWERS else powers
    axes.set_xticks([0, *powers] if first == 0 else powers, minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: games_text(value))
    axes.set_xlim(first, max(last, 2))


LEGEND_POINTS, CAPTION_POINTS, BELOW_POINTS = 12, 11, 13
ENTRY_POINTS = 60  # width of a sample line in the legend, including the space around the sample
TEXT_WIDTH = 0.95  # maximum width of text, relative to the figure
LINE_INCHES = 0.27  # height of a line of the legend, in inches


@dataclass(frozen=True)
class Legend:
    """The text of a legend.

    Attributes:
        caption: a description of what all lines have in common; may be empty.
        labels: a description of what distinguishes each line, with the line's name if the description is not unique.
    """

    caption: str
    labels: tuple[str, ...]

    def below(self, text: str, names: Sequence[str], inches: float) -> str:
        """Return the text to write below panels whose titles are the labels: `text` and the caption.

        The caption is omitted if the title of the only panel is the learner's name.

        Args:
            text: the text that precedes the caption.
            names: the name of each panel's learner or group.
            inches: the width of the figure.
        """
        if not self.caption or self.labels == (displayable(names[0]),):
            return text
        return f"{text}\n{wrap_text(f'all: {self.caption}', BELOW_POINTS, TEXT_WIDTH * inches * 72)}"


def make_legend(groups: Sequence[Sequence[Facts]], names: Sequence[str], by: Sequence[str] = ()) -> Legend:
    """Return a legend that says how each line's learners differ from the others, and what all learners share.

    Args:
        groups: for each line, the facts about its learners.
        names: the name of each line, which is used if nothing else distinguishes the line.
        by: the names of the factors by which machines were grouped, if any.

    >>> from dataclasses import replace
    >>> from menace.analysis.groups import facts_about
    >>> (plain,) = facts_about(store, ["menace-x"])
    >>> other = replace(plain, settings={**plain.settings, "beads": "8,4,2,1"}, own=frozenset({"beads"}))
    >>> make_legend([[plain], [other]], ["a", "b"])
    Legend(caption='plays X; menace; trained against menace', labels=('beads=4,3,2,1', 'beads=8,4,2,1'))
    >>> make_legend([[plain], [plain]], ["a", "b"]).labels
    ('a', 'b')
    """
    shared, differing = factors_of(groups, by)
    labels = [", ".join(_factor_labels(factors)) for factors in differing]
    often = Counter(labels)
    texts = (
        label if label and often[label] == 1 else f"{name}: {label}" if label else name
        for label, name in zip(labels, names, strict=True)
    )
    return Legend("; ".join(_factor_labels(shared)), tuple(map(displayable, texts)))


def make_group_legend(groups: Sequence[Sequence[Named]], about: str = "", by: Sequence[str] = ()) -> Legend:
    """Return the legend for groups of learners, including the sizes of the groups. `about` explains a group's line."""
    names = [group_text(group) for group in groups]
    facts = [[member.facts for member in group if member.facts is not None] for group in groups]
    legend = make_legend(facts, names, by) if all(facts) else Legend("", tuple(map(displayable, names)))
    sizes = [f" ({counted(len(group), 'machine')})" if len(group) > 1 else "" for group in groups]
    labels = tuple(label + size for label, size in zip(legend.labels, sizes, strict=True))
    return Legend("; ".join(filter(None, (legend.caption, about if any(sizes) else ""))), labels)


def _factor_labels(factors: Mapping[str, str]) -> list[str]:
    words = {"plays": "plays {}", "preset": "{}", "against": "{}"}
    return [words.get(name, name + "={}").format(text) for name, text in factors.items()]


def legend_columns(labels: Sequence[str], inches: float) -> int:
    """Return the number of labels that fit side by side in a figure that is `inches` wide.

    >>> legend_columns(["a", "b"], 12), legend_columns(["a long label, as they often are, " * 3] * 2, 12)
    (2, 1)
    """
    widest = max(text_width(label, LEGEND_POINTS) for label in labels) + ENTRY_POINTS
    return max(1, min(len(labels), int(TEXT_WIDTH * inches * 72 / widest)))


def draw_legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], caption: str) -> None:
    """Draw the legend and its caption below the panels. Call this within `menace_style`."""
    inches = float(figure.get_size_inches()[0])
    room = TEXT_WIDTH * inches * 72
    title = wrap_text(caption, CAPTION_POINTS, room)
    legend_box = figure.legend(
        handles,
        [wrap_text(label, LEGEND_POINTS, room - ENTRY_POINTS) for label in labels],
        loc="outside lower left",
        ncols=legend_columns(labels, inches),
        title=title or None,
        title_fontsize=CAPTION_POINTS,
        alignment="left",
    )
    legend_box.get_title().set_color(GREY)


MAX_LINES = 20  # maximum number of machines drawn for each group, chosen at even intervals
MAX_STYLES = len(LINE_COLOURS) * len(DASHES)  # number of distinct line styles
MAX_GROUPS = 7  # with more groups, there is a separate panel for each value of the last factor
MAX_WHOLE_BANDS = 2  # a panel with more groups has no bands that span all machines
CROWDED_GAMES = 10_000_000  # with this many games or more, labels at all powers of ten would overlap in narrow panels
MAX_DOTS = 200  # curves with more points are drawn without dots
CAPTION = "interquartile mean of a group's machines, its 95 % bootstrap interval, and some individual machines"
ONLY_CHANCE = "that differ by chance alone"
# The style of a published curve. The curve is drawn behind the lines, with one dot for each game.
PUBLISHED_STYLE: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 4, "linestyle": "none", "zorder": 1}

Dots = tuple[str, Sequence[int], Sequence[float]]  # label, games, values


def describe_bands(sizes: Sequence[int], by: Sequence[str]) -> str:
    """Return an explanation of the bands that `curves_figure` draws for groups of the given sizes.

    >>> describe_bands([3, 1], [])
    'median of machines that differ by chance alone; bands: half of them, all of them'
    >>> describe_bands([3, 3, 3], ["alpha"])
    'median of machines with the same alpha; band: half of them'
    """
    bands = "bands: half of them, all of them" if _has_whole_bands(sizes) else "band: half of them"
    alike = f"with the same {', '.join(by)}" if by else ONLY_CHANCE
    return f"median of machines {alike}; {bands}"


def _has_whole_bands(sizes: Sequence[int]) -> bool:
    return sum(size > 1 for size in sizes) <= MAX_WHOLE_BANDS


def curves_figure(
    panels: Mapping[str, Sequence[Group]],
    legend: Legend,
    title: str,
    words: str,
    *,
    scale: Scale = "log",
    columns: int | None = None,
    thin: bool = False,
    dotted: bool = True,
    published: Dots | None = None,
) -> Figure:
    """Draw a figure with a line for each group, and with a band if the group contains several machines.

    The band shows the interval of the group's estimates. Behind the band are thin lines for some machines or, in a
    figure with few groups, a paler band that spans all machines.

    Args:
        panels: the groups of each panel by the panel's title. Every panel contains the same number of groups, at least
            one.
        legend: the legend of the groups.
        title: the title of the figure.
        words: a description of what was measured.
        scale: the scale of the games axis.
        columns: the number of columns of panels; None selects the number from `panel_grid`.
        thin: whether machines of a group are drawn as thin lines.
        dotted: whether short curves have a dot at each mark.
        published: a published curve to draw as dots below the lines.
    """
    rows, columns = panel_grid(len(panels)) if columns is None else (-(-len(panels) // columns), columns)
    groups = [group for members in panels.values() for group in members]
    games = [group.games for group in groups if group.games] + ([published[1]] if published else [])
    lines = -(-len(legend.labels) // legend_columns(legend.labels, SIZE[0])) + bool(legend.caption)
    height = SIZE[1] * (1 if rows == 1 else 0.8 * rows) + LINE_INCHES * max(0, lines - 3)
    with menace_style():
        figure, all_axes = new_figure(rows, columns, (SIZE[0], height), title, sharex=True, sharey=True)
        for axes in all_axes.flat[len(panels) :]:
            axes.remove()
        for axes, (heading, members) in zip(all_axes.flat, panels.items(), strict=False):
            if published is not None:
                axes.plot(*published[1:], label=published[0], **PUBLISHED_STYLE)
            whole = _has_whole_bands([group.scores.shape[-1] for group in members])
            for number, (label, group) in enumerate(zip(legend.labels, members, strict=False)):
                _draw(axes, group, number, label, "lines" if thin else "band" if whole else "", dotted)
            axes.set_title(heading)
            last = max(own[-1] for own in games)
            beside = columns if scale == "linear" or last >= CROWDED_GAMES else 1
            set_games_axis(axes, min(own[0] for own in games), last, beside, scale)
            format_percent(axes.yaxis)
        all_axes.flat[0].set_ylabel(words)
        all_axes[-1, columns // 2 if rows == 1 else 0].set_xlabel(GAMES_LABEL)
        handles, labels = all_axes.flat[0].get_legend_handles_labels()
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def groups_figure(groups: Sequence[Group], words: str, about: str = "") -> Figure:
    """Draw a study's groups, with some machines of each group as thin lines.

    Args:
        groups: one or more groups, each measured at its marks.
        words: a description of what was measured.
        about: a description of what all machines have in common.

    Raises:
        OutputError: if a panel would need more lines than there are distinct styles.
    """
    panels = _panels(groups)
    most = max(map(len, panels.values()))
    if most > MAX_STYLES:
        raise OutputError(
            f"a panel would have {counted(most, 'line')}, but only {MAX_STYLES} are distinguishable; name fewer factors"
        )
    labels = tuple(label for label, _ in max(panels.values(), key=len))
    members = {title: [group for _, group in labelled] for title, labelled in panels.items()}
    title = words[0].upper() + words[1:] + (f": {about}" if about else "")
    return curves_figure(members, Legend(CAPTION, labels), title, words, thin=True)


def _panels(groups: Sequence[Group]) -> dict[str, list[tuple[str, Group]]]:
    """Return a dictionary that maps each panel's title to the panel's groups and their labels."""
    names = tuple(groups[0].factors)
    if len(groups) <= MAX_GROUPS or len(names) == 1:
        return {"": [(f"{group.label} (n = {group.scores.shape[-1]:,})", group) for group in groups]}
    panels: dict[str, list[tuple[str, Group]]] = {}
    for group in groups:
        *inner, outer = group.factors.items()
        label = ", ".join(f"{name}={value}" for name, value in inner) + f" (n = {group.scores.shape[-1]:,})"
        panels.setdefault(f"{outer[0]} {outer[1]}", []).append((label, group))
    return panels


def _draw(axes: Axes, group: Group, number: int, label: str, machines: str, dotted: bool) -> None:
    style, games, size = line_style(number), np.array(group.games), group.scores.shape[-1]
    value, low, high, _ = np.array(group.estimates).reshape(-1, 4).T
    if size > 1:
        if machines == "lines":
            drawn = group.scores[:, np.unique(np.linspace(0, size - 1, MAX_LINES).astype(int))]
            thin = [np.column_stack([games, column]) for column in drawn.T]
            axes.add_collection(LineCollection(thin, colors=style["color"], alpha=0.15, linewidths=0.6))
        elif machines == "band":
            least, most = group.scores.min(axis=-1), group.scores.max(axis=-1)
            axes.fill_between(games, least, most, color=style["color"], alpha=0.12, linewidth=0)
        if machines:
            axes.fill_between(games, low, high, color=style["color"], alpha=0.25, linewidth=0.8 * (machines == "lines"))
        else:  # edges make overlapping bands distinguishable
            pale = to_rgba(style["color"], 0.1)
            axes.fill_between(games, low, high, facecolor=pale, edgecolor=style["color"], linewidth=0.8)
    dots = "o" if dotted and len(games) <= MAX_DOTS else "none"
    axes.plot(games, value, label=label, marker=dots, markersize=4, clip_on=False, **style)
