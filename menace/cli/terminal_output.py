"""Output to the terminal: its width, text wrapped to it, and commands broken as a shell reads them.

Tables for other programs are printed unwrapped, as JSON or CSV.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from menace.tables import Table
    from menace.wording import Form

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
    bar: ProgressBar[int] = click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        show_percent=False,
        item_show_func=lambda _: f"{bar.pos:,}/{length:,}",
        width=30,
    )
    return bar


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
    from menace.output_files import csv_text, json_text, without_controls  # `--help` starts without it

    def cells(row: Sequence[object]) -> list[object]:
        return [without_controls(json.dumps(value) if isinstance(value, Mapping) else value) for value in row]

    columns = table.columns
    text = f"{json_text(columns, table.rows)}\n" if form == "json" else csv_text(columns, map(cells, table.rows))
    click.echo(text.encode(errors="replace"), nl=False)
