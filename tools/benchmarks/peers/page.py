"""Write measurements as a Markdown table and as the page docs/development/peers.md."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Sequence
from importlib import metadata
from statistics import median
from typing import Any

from benchmarks.peers.measuring import Measured, Row

LIBRARIES = ("matchbox-menace", "numpy", "open_spiel", "pettingzoo", "jax", "jaxlib", "pgx", "matchbox-rl")
INSTALL = ".venv/bin/pip install --quiet -e '.[bench]'"
COMMAND = ".venv/bin/python tools/benchmarks/measure_peers.py"
HEADINGS = ("work", "program", "time of one", "per second", "time relative to menace, median (minimum to maximum)")
MICRO, MILLI = 1e-6, 1e-3

Record = dict[str, Any]  # a JSON object


def versions() -> dict[str, str]:
    """Return the versions of Python and the libraries. The version of a library that is not installed is `missing`."""
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "missing"
    return found


def record(measured: Sequence[tuple[Row, list[Measured]]], rounds: int, seconds: float) -> Record:
    """Return the measurements as a JSON object with the seconds per unit of each round, program and row."""
    rows = [
        {
            "title": row.title,
            "thing": row.thing,
            "counts": row.counts,
            "programs": [
                {"name": p.entry.name, "seconds": p.seconds, "missing": p.missing, "why": p.entry.why} for p in programs
            ],
        }
        for row, programs in measured
    ]
    return {"versions": versions(), "rounds": rounds, "seconds": seconds, "rows": rows}


def ratios(row: Record, program: Record) -> tuple[float, float, float]:
    """Divide a program's times by ours, and return the minimum, median and maximum over all rounds."""
    pairs = zip(program["seconds"], row["programs"][0]["seconds"], strict=True)
    values = [theirs / ours for theirs, ours in pairs]
    return min(values), median(values), max(values)


def format_duration(seconds: float) -> str:
    """Format a time in seconds, milliseconds or microseconds.

    >>> format_duration(8.2e-8), format_duration(0.0042), format_duration(8.4)
    ('0.082 µs', '4.2 ms', '8.4 s')
    """
    for unit, name in ((1.0, "s"), (MILLI, "ms")):
        if seconds >= unit:
            return f"{format_significant(seconds / unit)} {name}"
    return f"{format_significant(seconds / MICRO)} µs"


def format_significant(value: float) -> str:
    """Format a number with three significant figures.

    >>> format_significant(0.08214), format_significant(1.5), format_significant(12345.6)
    ('0.0821', '1.5', '12,300')
    """
    return f"{float(f'{value:.3g}'):,.10g}"


def table(measured: Record) -> str:
    """Return the Markdown table. Ratios of programs that are faster than ours are bold."""
    lines = [f"| {' | '.join(HEADINGS)} |", "|---|---|---|---|---|"]
    for row in measured["rows"]:
        for number, program in enumerate(row["programs"]):
            title = row["title"] if number == 0 else ""
            lines.append(f"| {title} | {program['name']} | {' | '.join(_cells(row, program, number == 0))} |")
    return "\n".join(lines)


def _cells(row: Record, program: Record, ours: bool) -> tuple[str, str, str]:
    if not program["seconds"]:
        return (program["missing"], "", "")
    middle = median(program["seconds"])
    least, ratio, most = ratios(row, program)
    text = f"{format_significant(ratio)} ({format_significant(least)} to {format_significant(most)})"
    return (
        format_duration(middle),
        format_significant(1 / middle),
        "" if ours else f"**{text}**" if ratio < 1 and not is_ours(program) else text,
    )


def list_faster_programs(measured: Record) -> list[str]:
    """Return a line with the reason for each program whose median time is below ours."""
    return [
        f"- {row['title']}, {program['name']}: {format_significant(ratios(row, program)[1])} of our time; "
        f"{program['why'] or 'the reason is unknown'}."
        for row in measured["rows"]
        for program in row["programs"]
        if program["seconds"] and not is_ours(program) and ratios(row, program)[1] < 1
    ]


def is_ours(program: Record) -> bool:
    """Return whether a program is one of ours."""
    return str(program["name"]).startswith(("menace", "`menace"))


INTRODUCTION = """
This page compares the speed of `menace` with that of other programs that do the same work: textbook programs,
OpenSpiel, PettingZoo, pgx, matchbox-rl and C. It is for people who choose a library. These commands regenerate the
page in about ten minutes on a quiet machine:
"""
METHOD = """
All programs of a row run alternately on one core, and the times are processor times of all their threads. A ratio
compares two times of one round; times and ratios are medians of {rounds} rounds, with the minimum and the maximum
in brackets. Absolute times are for a shared machine and mean little. Programs in **bold** are faster than menace.
Only the rows *from the shell* include work that is done once (imports, compiling, tables of positions). Learners
continue from round to round. A program that has played more games, as ours has, therefore has better players, whose
games are longer.
"""
PICTURE = (
    "![Games per second of our programs and of others, on a scale on which each step is a factor of ten.]"
    "(../pictures/measured/peers.svg)"
)
OTHERS = """
The textbook programs are ours, written from their descriptions (tools/benchmarks/peers/) with the data structures
and library calls that these name. The library matchbox-rl has no games: it receives boards as text, and boxes with
beads for the free cells, and it uses no symmetry. The library pgx uses its fastest random generator; all its games
take nine steps, because a batch lasts as long as its longest game. OpenSpiel and PettingZoo are used as in their
own examples. OpenSpiel computes NashConv over histories, and menace over positions.
"""


def page(measured: Record) -> str:
    """Return the page docs/development/peers.md."""
    rounds, seconds = measured["rounds"], measured["seconds"]
    command = f"{INSTALL}\n{COMMAND} --rounds {rounds} --seconds {seconds:g} --write"
    titles: dict[str, list[str]] = {}
    for row in measured["rows"]:
        titles.setdefault(f"(a {row['thing']}). {row['counts']}", []).append(row["title"])
    counts = "\n".join(f"- **{'; '.join(rows)}** {text}" for text, rows in titles.items())
    installed = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    parts = [
        "# Speed compared with other programs",
        wrap(INTRODUCTION),
        f"```sh\n{command}\n```",
        wrap(METHOD.format(rounds=rounds)),
        PICTURE,
        table(measured),
        "## The rows",
        counts,
        wrap(OTHERS),
        "## Where others are faster",
        "\n".join(list_faster_programs(measured)) or "Nowhere.",
        "## Versions",
        wrap(f"{installed}."),
    ]
    return "\n\n".join(parts) + "\n"


def wrap(text: str) -> str:
    """Wrap a paragraph at 120 characters."""
    return textwrap.fill(" ".join(text.split()), 120, break_on_hyphens=False, break_long_words=False)
