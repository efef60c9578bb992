"""What the settings of learners mean, for people who are about to choose some."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from menace.learners.base import Settings


def explained(cls: type[Settings]) -> dict[str, str]:
    """Return, for each setting of a class, what it means and may be.

    >>> from menace.learners.odds import OddsSettings
    >>> explained(OddsSettings)["memory"]
    "Michie's D: how much a result weighs in that mean, as a share of what the next one weighs; a number from 0 to 1"
    """
    from menace.learners.settings import describe, explain

    return {name: f"{text}; {describe(cls, name)}" for name, text in explain(cls).items()}


def sections() -> dict[str, list[tuple[str, str]]]:
    """Return every setting of every algorithm, those of the same algorithms together.

    >>> next(iter(sections()))
    'Settings of menace and favourite'
    """
    from menace.learners.registry import ALGORITHMS

    owners: dict[tuple[str, str], list[str]] = {}
    for algorithm in ALGORITHMS:
        for entry in explained(algorithm.settings).items():
            owners.setdefault(entry, []).append(algorithm.name)
    found: dict[str, list[tuple[str, str]]] = {}
    for entry, names in owners.items():
        *before, last = names
        words = f"{', '.join(before)} and {last}" if before else last
        found.setdefault(f"Settings of {words}", []).append(entry)
    return found


class ExplainsSettings(click.Command):
    """A command whose help explains every setting, as nothing else tells what `--set` takes."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the settings."""
        super().format_options(ctx, formatter)
        for title, rows in sections().items():
            with formatter.section(title):
                formatter.write_dl(rows)
