"""Help that fits the terminal, its examples too."""

from __future__ import annotations

import click

from menace.cli.terminal import command_lines


class HelpFormatter(click.HelpFormatter):
    """Writes help as click does, but breaks examples that are too long as a shell takes them."""

    def write_text(self, text: str) -> None:
        r"""Write paragraphs; one that is headed by a line of `\b` keeps its lines."""
        if not text.startswith("\b\n"):
            super().write_text(text)
            return
        room, indent = self.width - self.current_indent, " " * self.current_indent
        for line in text.removeprefix("\b\n").splitlines():
            for part in command_lines(line, room).split("\n"):
                self.write(f"{indent}{part}\n")


class HelpContext(click.Context):
    """What a command runs in, whose help fits the terminal."""

    formatter_class = HelpFormatter
