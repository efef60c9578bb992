"""Text for people: percentages, bars, sparklines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from menace.cli.terminal_output import limit, pieces, print_records, say
from menace.learners.settings import MOST_BEADS
from menace.tables import latex_table, markdown_table, number_text
from menace.wording import TableForm, counted

if TYPE_CHECKING:
    from menace.tables import Table

BLOCKS = "▁▂▃▄▅▆▇█"
GAP = "  "  # between columns
INDENT = 4  # of columns that are below the others
BAR = 24  # characters of a bar, if there is room
EIGHTHS = " ▏▎▍▌▋▊▉"


def sparkline(shares: Sequence[float]) -> str:
    """Return shares, 0 to 1, as a line of blocks.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(BLOCKS[min(int(share * len(BLOCKS)), len(BLOCKS) - 1)] for share in shares)


def bar(share: float, width: int) -> str:
    """Return a share, 0 to 1, as a bar at most `width` characters long.

    >>> bar(0.5, 4), bar(0.0, 4)
    ('██', '')
    """
    whole, part = divmod(round(share * width * 8), 8)
    return ("█" * whole + EIGHTHS[part]).rstrip()


def full_text(piles: int, owner: str) -> str:
    """Return the warning that piles of a learner are at the cap of beads, with its consequence.

    >>> print(full_text(1, "menace-x"))
    1 pile of menace-x is at the cap of 67,108,863 beads: shares no longer follow what it learns
    """
    verb = "is" if piles == 1 else "are"
    at_cap = f"{counted(piles, 'pile')} of {owner} {verb}"
    return f"{at_cap} at the cap of {MOST_BEADS:,} beads: shares no longer follow what it learns"


def print_table(shown: Table, whole: Table, form: TableForm | None) -> None:
    """Print a table for people to read (None), or in a paper; or all of its numbers for other programs (csv, json)."""
    if form == "csv" or form == "json":  # noqa: PLR1714 - which mypy understands
        print_records(whole, form)
    elif form is None:
        say(table_text(shown))
    else:
        click.echo((latex_table if form == "latex" else markdown_table)(shown), nl=False)


def table_text(content: Table) -> str:
    """Return a table for people, below its title if it has one.

    >>> from menace.tables import Table
    >>> print(table_text(Table(["game", "positions"], [("tictactoe", 765)], "games")))
    games
    <BLANKLINE>
    game       positions
    tictactoe        765
    """
    title = f"{content.title}\n\n" if content.title else ""
    return title + table(content.columns, content.rows)


def table(header: Sequence[str], rows: Sequence[Sequence[object]], room: int | None = None) -> str:
    """Return rows as aligned columns; columns of numbers are aligned to the right.

    Args:
        header: names of the columns.
        rows: their cells.
        room: how long a line may be; None stands for the terminal's width, or no limit without a terminal. Texts are
            wrapped in their columns; columns that still do not fit go below, each row on several lines.

    >>> print(table(["name", "n"], [["a", 5], ["bc", 12]]))
    name   n
    a      5
    bc    12
    """
    header = [_cell(name) for name in header]
    cells = [["" if cell is None else _cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    columns = list(zip(*rows, strict=True)) or [("",)] * len(header)
    right = [all(isinstance(cell, (int, float, type(None))) for cell in column) for column in columns]
    room = limit() if room is None else room
    bands = [range(len(widths))]
    if room is not None and _length(widths) > room:
        least = [max(map(_longest_word, column)) for column in zip(header, *cells, strict=True)]
        narrowed = _narrowed(widths, least, room)
        fits = _length(narrowed) <= room
        widths = narrowed if fits else [min(width, room - INDENT) for width in widths]
        bands = _bands(widths, room)
    lines = []
    for line in (header, *cells):
        for number, band in enumerate(bands):
            parts = [(pieces(line[i], widths[i]), widths[i], right[i]) for i in band]
            lines += [(" " * INDENT if number else "") + text for text in _lines(parts)]
    return "\n".join(lines)


def _longest_word(cell: str) -> int:
    return len(cell) if cell.startswith(" ") else max(map(len, cell.split(" ")))  # a number begins with spaces


def _length(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return widths that fit, narrowing the widest columns first, and none below its least width."""
    narrowed = list(widths)
    while _length(narrowed) > room:
        wide = [i for i in range(len(narrowed)) if narrowed[i] > least[i]]
        if not wide:
            break
        narrowed[max(wide, key=narrowed.__getitem__)] -= 1
    return narrowed


def _bands(widths: Sequence[int], room: int) -> list[range]:
    """Return the ranges of columns that share a line; lines after the first are indented."""
    bands, start = [], 0
    for end in range(1, len(widths) + 1):
        if end == len(widths) or _length(widths[start : end + 1]) > room - (INDENT if start else 0):
            bands.append(range(start, end))
            start = end
    return bands


def _lines(parts: Sequence[tuple[Sequence[str], int, bool]]) -> Iterator[str]:
    """Yield the lines of a row of cells: the pieces of each, its width, whether it is aligned to the right."""
    for number in range(max(len(texts) for texts, _, _ in parts)):
        cells = ((texts[number] if number < len(texts) else "", width, right) for texts, width, right in parts)
        yield GAP.join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in cells).rstrip()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, bytes):
        return value.hex()
    text = str(value)
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
