"""A page in Markdown: a summary of three lines, the table of claims, figures and details.

A program writes it in this way:

    page = Page(folder, "sala", "M. Sala: two tables ...")
    page.summary("what is claimed", "what is done", "what came out")
    page.claims(findings)                                      # parts of different kinds can be added in any order;
    page.figure(figure, "tables", "caption")                   # parts of one kind appear in the order of the calls
    page.write()                                               # writes sala.md and sala-ranges.csv beside the figures
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from matplotlib.figure import Figure

from experiments.claims import Finding, tally

RANGE = re.compile(" ⟨([^⟩]*)⟩")  # as `ranged` writes it; tables drop it, and NAME-ranges.csv lists it
LEAST_TO_MOST = "lowest to highest"
VERDICTS = (
    "*Ordinary*: at least one in twenty of our runs shows it ([verdicts](../experiments.md#verdicts)). The last table"
    " gives the thresholds."
)
RANGES = ("table", "row", "column", "value", "from", "to", "deviation", "range")  # the header of NAME-ranges.csv


def ranged(least: str, most: str, deviation: str = "") -> str:
    """Return a range in the form that pages recognise: text shows it in brackets, tables move it to the CSV file."""
    return f" ⟨{least} to {most}{f', deviation {deviation}' if deviation else ''}⟩"


ID = re.compile(r"""(?:(?<=id=")|(?<=href="#)|(?<=url\(#))[\w.-]+""")
LENGTH = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}|-0(?![.\d])")


def svg(figure: Figure) -> str:
    """Return a figure as SVG that has the same bytes on every computer.

    Matplotlib derives ids from hashes of exact numbers and from positions in the font file; counted ids replace them.
    Matplotlib lays out lengths iteratively; they are rounded to a hundredth of a point.
    """
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    ids: dict[str, str] = {}
    text = ID.sub(lambda match: ids.setdefault(match[0], f"i{len(ids)}"), file.getvalue())
    text = LENGTH.sub(lambda match: match[0] if match[0].startswith("scale") else _rounded(match[0]), text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _rounded(length: str) -> str:
    return f"{round(float(length), 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # + 0.0 makes a 0 of -0


def _flat(text: str) -> str:
    """Return the text on one line, with ranges in brackets."""
    return RANGE.sub(r" (\1)", " ".join(text.split()))


def _rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@dataclass
class Page:
    """A page, its figures and its ranges."""

    folder: Path
    name: str
    title: str
    begins: str = "Claimed"  # the first word: what a source "Claimed", or what we "Asked"
    opening: tuple[str, str, str] = ("", "", "")  # claimed, done, found
    findings: dict[str, list[Finding]] = field(default_factory=dict)  # by the name of their column, or ""
    figures: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    ranges: list[tuple[str, ...]] = field(default_factory=list)  # the rows of NAME-ranges.csv

    def summary(self, claimed: str, done: str, result: str) -> None:
        """Set the three lines at the top: the claim, the method, and the results apart from the counted verdicts."""
        self.opening = (claimed, done, result)

    def heading(self, text: str) -> None:
        """Add a heading."""
        self.details.append(f"## {text}")

    def text(self, text: str) -> None:
        """Add a paragraph, with its lines joined."""
        self.details.append(_flat(text))

    def numbers(self, which: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
        """Write a table to NAME-which.csv, and return a link to it."""
        file = f"{self.name}-{which}.csv"
        with (self.folder / file).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([header, *rows])
        return f"[{file}]({file})"

    def figure(self, figure: Figure, which: str, caption: str) -> None:
        """Write a figure to NAME-which.svg, and show it with its caption, whose first sentence describes it."""
        file = f"{self.name}-{which}.svg"
        (self.folder / file).write_text(svg(figure), encoding="utf-8")
        caption = _flat(caption)
        self.figures += [f"![{caption.partition('. ')[0].rstrip('.')}.]({file})", f"*{caption}*"]

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]], ranges: str = LEAST_TO_MOST) -> None:
        """Add a table; the ranges in its cells go to the CSV file, where `ranges` says what they span."""
        kept = [list(row) for row in rows]
        self.details.append(_rows(header, [[RANGE.sub("", cell) for cell in row] for row in kept]))
        headings = [part.removeprefix("## ") for part in self.details if part.startswith("## ")]
        self.keep_ranges(headings[-1] if headings else "", header, kept, ranges)

    def keep_ranges(self, table: str, header: Sequence[str], rows: Iterable[Sequence[str]], which: str) -> None:
        """Write the ranges in the given rows to the CSV file only."""
        for row in rows:
            for name, cell in zip(header, row, strict=True):
                values = RANGE.split(cell)  # texts and ranges in turn
                for value, least_to_most in zip(values[::2], values[1::2], strict=False):
                    least, most, *deviation = re.split(" to |, deviation ", least_to_most)
                    place = (table, row[0], name, value.strip(" ,;/"))
                    self.ranges.append((*place, least, most, *(deviation or [""]), which))

    def claims(self, findings: Iterable[Finding], column: str = "") -> None:
        """Add findings to the table of claims; name their `column` if the same claims are judged more than once."""
        self.findings.setdefault(column, []).extend(findings)

    def sample(self, lines: Iterable[str], explained: str = "") -> None:
        """Add lines from a small run, which the tests repeat to show that this code made the page."""
        self.heading("Repeated by the tests")
        self.text(f"The tests run a small part again and compare these lines. {explained}")
        self.details.append("\n".join(f"- {line}" for line in lines))

    def write(self) -> None:
        """Write the page, and the CSV file of its ranges if it has any."""
        claimed, done, result = (_flat(RANGE.sub("", text)) for text in self.opening)
        parts = [
            f"# {self.title}",
            f"*{self.begins}.* {claimed}",
            f"*Done.* {done}",
            f"*Found.* {self._tally()}{result}",
        ]
        parts += [*self._claimed(), self._made()]
        parts += ["## Figures", *self.figures] if self.figures else []
        parts += [] if self.details[0].startswith("## ") else ["## The source and the method"]
        text = "\n\n".join([*parts, *self.details, *self._judged()]) + "\n"
        (self.folder / f"{self.name}.md").write_text(text, encoding="utf-8")

    def _made(self) -> str:
        """Say how to read the verdicts, where the ranges are, and which command makes the page."""
        judged = VERDICTS if self.findings else ""
        for column, findings in self.findings.items():
            measured = [(str(number), finding.measured) for number, finding in enumerate(findings, 1)]
            self.keep_ranges("Claimed and measured", ("claim", column or "measured"), measured, LEAST_TO_MOST)
        file = self.folder / f"{self.name}-ranges.csv"
        file.unlink(missing_ok=True)
        spread = ""
        if self.ranges:
            with file.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream, lineterminator="\n").writerows([RANGES, *self.ranges])
            spread = f"[{file.name}]({file.name}) lists the ranges over the seeds."
        return _flat(f"{judged} {spread} `python tools/experiments/reproduce.py {self.name}` makes this page.")

    def _tally(self) -> str:
        """Return the counts of the verdicts, for each column if there are several."""
        tallies = {column: tally(findings) for column, findings in self.findings.items()}
        if "" in tallies or not tallies:
            return "".join(f"{text} " for text in tallies.values())
        claims = next(iter(tallies.values())).partition(": ")[0]
        counts = (f"with {column}, {text.partition(': ')[2].rstrip('.')}" for column, text in tallies.items())
        return f"{claims}: {'; '.join(counts)}. "

    def _numbered(self) -> list[list[str]]:
        """Return the number, the claim, the place and the threshold of each claim."""
        claims = next(iter(self.findings.values()), [])
        return [[str(number), *finding.row()[:3]] for number, finding in enumerate(claims, 1)]

    def _claimed(self) -> list[str]:
        """Return the table of claims, with a column of measurements and one of verdicts for each set of findings."""
        header = ["", "claim", "where"]
        rows = [row[:3] for row in self._numbered()]
        for column, findings in self.findings.items():
            header += [column or "measured", "verdict"]
            for row, finding in zip(rows, findings, strict=True):
                row += [RANGE.sub("", finding.measured), finding.word(short=bool(column))]
        return ["## Claimed and measured", _rows(header, rows)] if rows else []

    def _judged(self) -> list[str]:
        """Return the table of thresholds; consecutive claims with the same threshold share a row."""
        rows = []
        for threshold, group in groupby(self._numbered(), lambda row: row[3]):
            numbers = [row[0] for row in group]
            rows.append((" to ".join(dict.fromkeys((numbers[0], numbers[-1]))), threshold))
        return ["## How each claim was judged", _rows(("claim", "holds if"), rows)] if rows else []
