"""Print to the terminal: wrapped text, tables, bars, sparklines and progress bars."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

from menace.files.tables import latex_table, markdown_table, number_text
from menace.learners.settings import MAX_BEADS
from menace.text.wording import OPPONENTS, RESULTS, TableForm, counted, ends_of, percent

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from menace.files.tables import Table, Tabular
    from menace.text.wording import Form


WIDTH = 80  # width of the output in characters if there is no terminal
MIN_WIDTH = 20  # minimum width in characters, even on a narrower terminal
BREAK_SIGN = "\\"  # ends a line that is broken within a word or command
WORD = r"""(?:'[^']*'|"[^"]*"|\S)+"""  # a word in a command

STYLE_OR_SPACE = re.compile(r"(\x1b\[\d+m|[\n\t])")  # not escaped: terminal styles, line breaks and tabs


def output_width() -> int:
    """Return the width of printed lines, in characters."""
    return line_limit() or WIDTH


def bar_length(most: int) -> int:
    """Return the length, in characters, of the bars beside a table: `most`, or less if the terminal is narrow.

    The length is at least 6, so that bars stay visible.

    >>> 6 <= bar_length(24) <= 24
    True
    """
    return min(most, max(most - (WIDTH - output_width()), 6))


def line_limit(stream: TextIO | None = None) -> int | None:
    """Return the maximum line length in characters, or None if a program reads the output and needs unbroken lines.

    Args:
        stream: the output stream; None for standard output. On a terminal, the limit is its width. Through a pipe, only
            standard output is limited, and only if COLUMNS is set.

    >>> line_limit() is None or line_limit() >= MIN_WIDTH
    True
    """
    stream, columns = stream or sys.stdout, os.environ.get("COLUMNS", "")
    if not stream.isatty() and (stream is sys.stderr or not columns.isdigit()):
        return None
    if columns.isdigit() and int(columns):
        return max(int(columns), MIN_WIDTH)
    with contextlib.suppress(OSError, ValueError):  # the terminal's size may be unknown
        return max(os.get_terminal_size(stream.fileno()).columns or WIDTH, MIN_WIDTH)
    return WIDTH


def escape_controls(text: str) -> str:
    r"""Escape control and unprintable characters as Python's repr() does.

    >>> escape_controls("box\x1b[2J.svg")
    'box\\x1b[2J.svg'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def say(text: str, err: bool = False) -> None:
    """Print text for people, wrapping lines that do not fit on the terminal.

    Control characters are escaped because they can occur in file names.

    Args:
        text: one or more lines.
        err: whether to print to standard error.
    """
    room = line_limit(sys.stderr if err else sys.stdout)
    parts = STYLE_OR_SPACE.split(text)
    text = "".join(part if place % 2 else escape_controls(part) for place, part in enumerate(parts))
    click.echo(text if room is None else "\n".join(wrap_line(line, room) for line in text.split("\n")), err=err)


def progress_bar(length: int, label: str) -> ProgressBar[int]:
    """Return a progress bar on standard error that estimates the remaining time.

    The bar is hidden if standard error is not a terminal.

    Args:
        length: the number of steps.
        label: the text in front of the bar.
    """
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


def wrap_line(line: str, room: int, hang: int = 2) -> str:
    r"""Wrap a line at spaces. A backslash shows where a word that is longer than a line is broken.

    Args:
        line: the line; its indentation is repeated on all lines.
        room: the maximum length of a line, in characters.
        hang: the additional indentation of all lines except the first, in characters.

    >>> wrap_line("  one two three", 9)
    '  one two\n    three'
    >>> wrap_line("abcdefgh", 5, hang=0)
    'abcd\\\nefgh'
    """
    if len(line) <= room:
        return line
    indent = " " * min(len(line) - len(line.lstrip(" ")), room // 2)
    return "\n".join(
        indent + (" " * hang if number else "") + part
        for number, part in enumerate(split_to_fit(line.strip(" "), room - len(indent) - hang, room - len(indent)))
    )


def split_to_fit(text: str, room: int, first: int | None = None) -> list[str]:
    r"""Split text at spaces into pieces that each fit on a line; empty text has no pieces.

    Args:
        text: the words.
        room: the maximum length of a piece, in characters.
        first: the maximum length of the first piece; None if it is the same as `room`.

    >>> split_to_fit("one two three", 7), split_to_fit("abcdefgh", 5)
    (['one two', 'three'], ['abcd\\', 'efgh'])
    """
    first = room if first is None else first
    if 0 < len(text) <= first and " " not in text:  # fast path for nearly all table cells
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= (room if lines[1:] else first):
            lines[-1] += f" {word}"
            continue
        rest = word
        while len(rest) > (most := room if lines else first):
            lines.append(rest[: most - 1] + BREAK_SIGN)
            rest = rest[most - 1 :]
        lines.append(rest)
    return lines


def wrap_command(command: str, room: int) -> str:
    r"""Wrap a command line so that a shell can still parse it, with a backslash at each break but none in quoted text.

    >>> print(wrap_command("  menace new adam --plays X", 20))
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
    return f" {BREAK_SIGN}\n".join(lines)


def print_records(table: Table, form: Form) -> None:
    """Print a table for other programs, always in UTF-8.

    Args:
        table: the table.
        form: `json` to print a list of objects; `csv` to print a header and the rows, with dicts as JSON.
    """
    from menace.files.output import csv_text, json_text, without_controls  # imported here to keep `--help` fast

    def cells(row: Sequence[object]) -> list[object]:
        return [without_controls(json.dumps(value) if isinstance(value, Mapping) else value) for value in row]

    columns = table.columns
    text = f"{json_text(columns, table.rows)}\n" if form == "json" else csv_text(columns, map(cells, table.rows))
    click.echo(text.encode(errors="replace"), nl=False)


BLOCKS = "▁▂▃▄▅▆▇█"
GAP = "  "  # the gap between columns
INDENT = 4  # indentation, in characters, of columns that continue a row on another line
MAX_BAR = 24  # maximum length of a bar, in characters
EIGHTHS = " ▏▎▍▌▋▊▉"


def sparkline(shares: Sequence[float]) -> str:
    """Return shares from 0 to 1 as a line of block characters, with one character for each share.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(BLOCKS[min(int(share * len(BLOCKS)), len(BLOCKS) - 1)] for share in shares)


def bar(share: float, width: int) -> str:
    """Return a share from 0 to 1 as a bar of at most `output_width` characters.

    >>> bar(0.5, 4), bar(0.0, 4)
    ('██', '')
    """
    whole, part = divmod(round(share * width * 8), 8)
    return ("█" * whole + EIGHTHS[part]).rstrip()


def full_piles_warning(piles: int, owner: str) -> str:
    """Return a warning that some of a learner's piles are full, with an explanation of the consequences.

    Args:
        piles: the number of full piles.
        owner: the name of the learner, or a phrase for its box.

    >>> print(full_piles_warning(1, "menace-x"))
    1 pile of menace-x is at the maximum of 67,108,863 beads, so shares no longer reflect what the machine learns
    """
    full = f"{counted(piles, 'pile')} of {owner} {'is' if piles == 1 else 'are'} at the maximum of {MAX_BEADS:,} beads"
    return f"{full}, so shares no longer reflect what the machine learns"


def print_table(shown: Table, whole: Table, form: TableForm | None) -> None:
    """Print a table in the given format, or for people if `form` is None.

    Args:
        shown: the table for people, LaTeX and Markdown, with rounded numbers.
        whole: the table for CSV and JSON, with all columns and digits.
        form: None, `csv`, `json`, `latex` or `markdown`.
    """
    if form == "csv" or form == "json":  # noqa: PLR1714 - mypy narrows the type only in this form
        print_records(whole, form)
    elif form is None:
        say(table_text(shown))
    else:
        click.echo((latex_table if form == "latex" else markdown_table)(shown), nl=False)


def print_report(report: Tabular, form: TableForm | None, none: str = "") -> None:
    """Print a report in the given format, or for people if `form` is None.

    Args:
        report: the report; only the table that is printed is computed.
        form: None, `csv`, `json`, `latex` or `markdown`.
        none: the text for people if the report is empty; an empty string to print its table.
    """
    if form == "csv" or form == "json":  # noqa: PLR1714 - mypy narrows the type only in this form
        print_records(report.table(), form)
    elif none and not report:
        say(none)
    else:
        shown = report.in_words()
        print_table(shown, shown, form)


def strength_table(
    heading: str, measured: Iterable[tuple[str, Mapping[str, Sequence[float]]]], draws: bool
) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of strengths, with a row for each entry and opponent.

    Args:
        heading: the heading of the entries.
        measured: the text of each entry, and its shares of wins, draws and losses by opponent.
        draws: whether the game can end in a draw.
    """
    rows = [
        [text, words, *(percent(share) for share in ends_of(strengths[opponent], draws))]
        for text, strengths in measured
        for opponent, words in OPPONENTS.items()
    ]
    return [heading, "", *(f"{result:>6}" for result in ends_of(RESULTS, draws))], rows


def table_text(content: Table) -> str:
    """Return a table as text for people, below its title if there is one.

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
    """Format rows as aligned columns; columns of numbers are right-aligned.

    Text that does not fit is wrapped within its column. If the columns still do not fit, each row continues on
    additional lines.

    Args:
        header: the names of the columns.
        rows: the cells.
        room: the maximum length of a line in characters; None for the width of the terminal, or no limit without one.

    >>> print(table(["name", "n"], [["a", 5], ["bc", 12]]))
    name   n
    a      5
    bc    12
    """
    header = [_cell_text(name) for name in header]
    cells = [["" if cell is None else _cell_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    columns = list(zip(*rows, strict=True)) or [("",)] * len(header)
    right = [all(isinstance(cell, (int, float, type(None))) for cell in column) for column in columns]
    room = line_limit() if room is None else room
    bands = [range(len(widths))]
    if room is not None and _total_width(widths) > room:
        least = [max(map(_longest_word, column)) for column in zip(header, *cells, strict=True)]
        narrowed = _narrow_columns(widths, least, room)
        fits = _total_width(narrowed) <= room
        widths = narrowed if fits else [min(width, room - INDENT) for width in widths]
        bands = _group_columns(widths, room)
    lines = []
    for line in (header, *cells):
        for number, band in enumerate(bands):
            parts = [(split_to_fit(line[i], widths[i]), widths[i], right[i]) for i in band]
            lines += [(" " * INDENT if number else "") + text for text in _row_lines(parts)]
    return "\n".join(lines)


def _longest_word(cell: str) -> int:
    return len(cell) if cell.startswith(" ") else max(map(len, cell.split(" ")))  # padded numbers start with a space


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _narrow_columns(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return column widths that fit into `room`. The widest column shrinks first, but never below its `least` width."""
    narrowed = list(widths)
    while _total_width(narrowed) > room:
        wide = [i for i in range(len(narrowed)) if narrowed[i] > least[i]]
        if not wide:
            break
        narrowed[max(wide, key=narrowed.__getitem__)] -= 1
    return narrowed


def _group_columns(widths: Sequence[int], room: int) -> list[range]:
    """Group columns into ranges that each fit on one line; all lines except the first are indented."""
    bands, start = [], 0
    for end in range(1, len(widths) + 1):
        if end == len(widths) or _total_width(widths[start : end + 1]) > room - (INDENT if start else 0):
            bands.append(range(start, end))
            start = end
    return bands


def _row_lines(parts: Sequence[tuple[Sequence[str], int, bool]]) -> Iterator[str]:
    """Yield the lines of one row. Each part contains a cell's lines, its width, and whether it is right-aligned."""
    for number in range(max(len(texts) for texts, _, _ in parts)):
        cells = ((texts[number] if number < len(texts) else "", width, right) for texts, width, right in parts)
        yield GAP.join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in cells).rstrip()


def _cell_text(value: object) -> str:
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, bytes):
        return value.hex()
    text = str(value)
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
