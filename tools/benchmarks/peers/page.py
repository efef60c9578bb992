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
    """Return the versions of Python and of the libraries.

    For a library that is not installed, the version is `missing`.
    """
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "missing"
    return found


def record(measured: Sequence[tuple[Row, list[Measured]]], rounds: int, seconds: float) -> Record:
    """Return the measurements as a JSON object that contains the seconds per unit for each round, program and row."""
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
    """Divide another program's times by ours, and return the minimum, median and maximum ratio over all rounds."""
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
    """Return the Markdown table. Ratios for programs that are faster than ours are printed in bold."""
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
    """Return a table row, with an explanation, for each program that has a shorter median time than ours."""
    return [
        f"| {row['title']} | {program['name']} | {format_significant(ratios(row, program)[1])} | "
        f"{program['why'] or 'The reason is unknown.'} |"
        for row in measured["rows"]
        for program in row["programs"]
        if program["seconds"] and not is_ours(program) and ratios(row, program)[1] < 1
    ]


def is_ours(program: Record) -> bool:
    """Return whether a program is one of ours."""
    return str(program["name"]).startswith(("menace", "`menace"))


INTRODUCTION = """
This page compares the speed of `menace` with the speed of textbook programs, OpenSpiel, PettingZoo, pgx, matchbox-rl
and C programs. It is for people choosing a library. The following commands regenerate the page in about ten minutes:
"""
METHOD = """
The programs in each row of the table take turns on one core. All times are processor times and include all threads.
Each ratio compares two times from the same round. The table shows medians of {rounds} rounds, with the minimum and
the maximum in brackets. A ratio in **bold** shows that a program is faster than menace. Absolute times vary, because
the computer is shared. Only the rows *From the shell* include the time for imports, compilation and tables of
positions. Learners keep what they have learned from one round to the next. The programs that use menace play more
games, so their learners improve more and their games last longer.
"""
PICTURE = (
    "![Games per second of our programs and of others, on a scale on which each step is a factor of ten.]"
    "(../pictures/measured/peers.svg)"
)
OTHERS = """
We wrote the textbook programs (tools/benchmarks/peers/) from descriptions of the algorithms, with the same data
structures and library calls. The library matchbox-rl does not include games, so our program passes boards and boxes
to it as strings, without symmetry. The library pgx uses its fastest random generator. All games in pgx take nine
steps, because a batch ends with its longest game. The programs for OpenSpiel and PettingZoo are based on the example
programs of these libraries. OpenSpiel computes NashConv over histories, and menace computes it over positions.
"""


def page(measured: Record) -> str:
    """Return the page docs/development/peers.md."""
    rounds, seconds = measured["rounds"], measured["seconds"]
    command = f"{INSTALL}\n{COMMAND} --rounds {rounds} --seconds {seconds:g} --write"
    titles: dict[str, list[str]] = {}
    for row in measured["rows"]:
        titles.setdefault(f"{row['thing']} | {row['counts']}", []).append(row["title"])
    counts = [f"| {'; '.join(rows)} | {text} |" for text, rows in titles.items()]
    installed = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    parts = [
        "# Speed compared with other programs",
        wrap(INTRODUCTION),
        f"```sh\n{command}\n```",
        wrap(METHOD.format(rounds=rounds)),
        PICTURE,
        table(measured),
        "## Work in each row",
        "\n".join(["| work | unit | description |", "|---|---|---|", *counts]),
        wrap(OTHERS),
        "## Where others are faster",
        "\n".join(
            ["| work | program | share of our time | reason |", "|---|---|---|---|", *list_faster_programs(measured)]
        ),
        "## Versions",
        wrap(f"{installed}."),
    ]
    return "\n\n".join(parts) + "\n"


def wrap(text: str) -> str:
    """Wrap a paragraph at 120 characters."""
    return textwrap.fill(" ".join(text.split()), 120, break_on_hyphens=False, break_long_words=False)
