"""Output to the terminal: wrapped text, tables, bars, sparklines and progress."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

from menace.files.tables import latex_table, markdown_table, number_text
from menace.learners.settings import MOST_BEADS
from menace.text.wording import TableForm, counted

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from menace.files.tables import Table
    from menace.text.wording import Form


WIDTH = 80  # where there is no terminal
LEAST = 20  # characters: text is not wrapped to narrower terminals
BROKEN = "\\"  # ends a line that is broken within a word or a command
WORD = r"""(?:'[^']*'|"[^"]*"|\S)+"""  # of a command

STYLE_OR_SPACE = re.compile(r"(\x1b\[\d+m|[\n\t])")  # printed as they are: the styles of a board, and space


def width() -> int:
    """Return the width of printed lines, in characters."""
    return limit() or WIDTH


def bar_room(most: int) -> int:
    """Return the length of bars beside a table: `most`, or less on a narrow terminal, but still visible.

    >>> 6 <= bar_room(24) <= 24
    True
    """
    return min(most, max(most - (WIDTH - width()), 6))


def limit(stream: TextIO | None = None) -> int | None:
    """Return how long a line may be; None if the output is read by programs, which need whole lines.

    Args:
        stream: of the output, None for standard output. A terminal has a width, and so has standard output through a
            pipe if COLUMNS is set; errors through a pipe are always one line.

    >>> limit() is None or limit() >= LEAST
    True
    """
    stream, columns = stream or sys.stdout, os.environ.get("COLUMNS", "")
    if not stream.isatty() and (stream is sys.stderr or not columns.isdigit()):
        return None
    if columns.isdigit() and int(columns):
        return max(int(columns), LEAST)
    with contextlib.suppress(OSError, ValueError):  # the size of the terminal is unknown
        return max(os.get_terminal_size(stream.fileno()).columns or WIDTH, LEAST)
    return WIDTH


def escaped(text: str) -> str:
    r"""Return a line with each character that a terminal would obey, or cannot show, as Python writes it.

    >>> escaped("box\x1b[2J.svg")
    'box\\x1b[2J.svg'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def say(text: str, err: bool = False) -> None:
    """Print text for people, each line wrapped at words if it is longer than the terminal is wide.

    What a terminal would obey, as it can be in the name of a file, is escaped.

    Args:
        text: lines.
        err: whether to print to standard error, as in `click.echo`.
    """
    room = limit(sys.stderr if err else sys.stdout)
    parts = STYLE_OR_SPACE.split(text)
    text = "".join(part if place % 2 else escaped(part) for place, part in enumerate(parts))
    click.echo(text if room is None else "\n".join(wrapped(line, room) for line in text.split("\n")), err=err)


def progress_bar(length: int, label: str) -> ProgressBar[int]:
    """Return a progress bar on standard error, with an estimate of the remaining time; hidden without a terminal."""
    progress: ProgressBar[int] = click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        show_percent=False,
        item_show_func=lambda _: f"{progress.pos:,}/{length:,}",
        width=30,
    )
    return progress


def wrapped(line: str, room: int, hang: int = 2) -> str:
    r"""Wrap a line at words, and break a word that is longer than a line with a backslash.

    Args:
        line: its indentation is kept in all lines.
        room: how long a line may be.
        hang: the further indentation of the lines after the first.

    >>> wrapped("  one two three", 9)
    '  one two\n    three'
    >>> wrapped("abcdefgh", 5, hang=0)
    'abcd\\\nefgh'
    """
    if len(line) <= room:
        return line
    indent = " " * min(len(line) - len(line.lstrip(" ")), room // 2)
    return "\n".join(
        indent + (" " * hang if number else "") + part
        for number, part in enumerate(pieces(line.strip(" "), room - len(indent) - hang, room - len(indent)))
    )


def pieces(text: str, room: int, first: int | None = None) -> list[str]:
    r"""Split a text at words into pieces that fit on lines; an empty text has none.

    Args:
        text: words.
        room: the greatest length of a piece.
        first: that of the first piece, if it differs.

    >>> pieces("one two three", 7), pieces("abcdefgh", 5)
    (['one two', 'three'], ['abcd\\', 'efgh'])
    """
    first = room if first is None else first
    if 0 < len(text) <= first and " " not in text:  # nearly all cells of tables
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= (room if lines[1:] else first):
            lines[-1] += f" {word}"
            continue
        rest = word
        while len(rest) > (most := room if lines else first):
            lines.append(rest[: most - 1] + BROKEN)
            rest = rest[most - 1 :]
        lines.append(rest)
    return lines


def command_lines(command: str, room: int) -> str:
    r"""Break a command as a shell reads it: a line that continues ends in a backslash. Quoted text stays on one line.

    >>> print(command_lines("  menace new adam --plays X", 20))
      menace new adam \
          --plays X
    """
    if len(command) <= room:
        return command
    indent = " " * (len(command) - len(command.lstrip(" ")))
    lines = [indent]
    for word in re.findall(WORD, command):
        if lines[-1].strip() and len(lines[-1]) + len(word) + 3 > room:
            lines.append(f"{indent}    ")
        lines[-1] += word if lines[-1].isspace() or not lines[-1] else f" {word}"
    return f" {BROKEN}\n".join(lines)


def print_records(table: Table, form: Form) -> None:
    """Print a table for other programs, in UTF-8 whatever the terminal's encoding: they expect it.

    Args:
        table: what to print.
        form: `json`, a list of objects, or `csv`, which has its header even without rows; a cell that is a dict, such
            as the settings of a learner, is JSON.
    """
    from menace.files.output import csv_text, json_text, without_controls  # `--help` starts without it

    def cells(row: Sequence[object]) -> list[object]:
        return [without_controls(json.dumps(value) if isinstance(value, Mapping) else value) for value in row]

    columns = table.columns
    text = f"{json_text(columns, table.rows)}\n" if form == "json" else csv_text(columns, map(cells, table.rows))
    click.echo(text.encode(errors="replace"), nl=False)


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

    >>> from menace.files.tables import Table
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
