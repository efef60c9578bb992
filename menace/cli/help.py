"""Help that fits the terminal, its examples too."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from menace.cli.terminal import command_lines, pieces


class HelpFormatter(click.HelpFormatter):
    """Writes help as click does, but breaks examples that are too long as a shell takes them."""

    def write_text(self, text: str) -> None:
        r"""Write paragraphs; one that is headed by a line of `\b` keeps its lines, each broken where it is too long."""
        room, indent = self.width - self.current_indent, " " * self.current_indent
        for number, paragraph in enumerate(re.split(r"\n{2,}", text.strip("\n"))):
            if number:
                self.write("\n")
            if not paragraph.startswith("\b\n"):
                super().write_text(paragraph)
                continue
            head, *lines = _joined(paragraph.removeprefix("\b\n").splitlines())
            fold = command_lines if head == "Examples:" else _explained
            for line in (head, *lines):
                self.write("".join(f"{indent}{part}\n" for part in fold(line, room).split("\n")))


def _joined(lines: Sequence[str]) -> list[str]:
    """Join a line that begins with more spaces than a term does to the one that it goes on from."""
    found: list[str] = []
    for line in lines:
        if line.startswith("    ") and found:
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    return found


def _explained(line: str, room: int) -> str:
    """Break a line, whose term, if it has one, stands in a column of its own."""
    found = re.match(r" *\S+ {2,}", line)
    term = found[0] if found else ""
    first, *others = pieces(line.removeprefix(term), room - len(term))
    return "\n".join([term + first, *(" " * len(term) + other for other in others)])


class HelpContext(click.Context):
    """What a command runs in, whose help fits the terminal."""

    formatter_class = HelpFormatter
