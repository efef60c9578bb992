"""A page in Markdown: three paragraphs, the table of claims, the figures and the details.

page = Page(folder, "sala", "M. Sala: two tables ...")
page.summary("what is claimed", "what is done", "what came out")
page.claims(findings)                                      # the kinds of parts can be added in any order
page.figure(figure, "tables", "caption")
page.write()                                               # also writes the ranges of the means to a CSV file
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from experiments.claims import Finding, tally

RANGE = re.compile(" ⟨([^⟩]*)⟩")  # as written by `ranged`; the ranges in tables go to a CSV file
RANGE_PARTS = re.compile(" to |, deviation ")
FIRST_SENTENCE = re.compile(r".*?\w{3}(?=\. )|.*")
HOW_JUDGED = """*Ordinary*: its author saw it once, and at least one in twenty of our runs shows it. *No*: fewer show
    it, of at least 59 runs; or one run breaks what is said to hold always; or a number misses its threshold. *Yes*:
    every run keeps it, or the number meets its threshold. The counts stand beside the verdict, the thresholds in the
    last table."""


def ranged(least: str, most: str, deviation: str = "") -> str:
    """Return a range for a text, which shows it in brackets, or for a cell of a table, which leaves it out."""
    return f" ⟨{least} to {most}{f', deviation {deviation}' if deviation else ''}⟩"


ID = re.compile(r"""(?:(?<=id=")|(?<=href="#)|(?<=url\(#))[\w.-]+""")
LENGTH = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}|-0(?![.\d])")


def svg(figure: Figure) -> str:
    """Return a figure as SVG, the same to the byte wherever it is drawn.

    Matplotlib makes ids from hashes of numbers to their last bit, and from places in the font's file; they are counted
    instead. Lengths, which are laid out by an iteration, are rounded to a hundredth of a point.
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
    """Return a text on one line, with its ranges in brackets."""
    return RANGE.sub(r" (\1)", " ".join(text.split()))


def _rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@dataclass
class Page:
    """A page and its figures."""

    folder: Path
    name: str
    title: str
    begins: str = "Claimed"  # the word of its first line: what a source claimed, or what we "Asked"
    opening: tuple[str, str, str] = ("", "", "")  # claimed, done, found
    findings: dict[str, list[Finding]] = field(default_factory=dict)  # by the name of their column, or ""
    figures: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    ranges: list[tuple[str, str, str, str]] = field(default_factory=list)  # table, row, column, range

    def summary(self, claimed: str, done: str, result: str) -> None:
        """Say in a sentence or two each what is claimed, what was done, and what came out besides the verdicts."""
        self.opening = (claimed, done, result)

    def heading(self, text: str) -> None:
        """Add a heading to the details."""
        self.details.append(f"## {text}")

    def text(self, text: str) -> None:
        """Add a paragraph, whose lines are joined, to the details."""
        self.details.append(_flat(text))

    def figure(self, figure: Figure, which: str, caption: str) -> None:
        """Write a figure to NAME-which.svg, and show it with its caption."""
        file = f"{self.name}-{which}.svg"
        (self.folder / file).write_text(svg(figure), encoding="utf-8")
        caption = _flat(caption)
        short = FIRST_SENTENCE.match(caption)
        assert short
        self.figures += [f"![{short[0].rstrip('.')}]({file})", f"*{caption}*"]

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Add a table to the details; the ranges in its cells go to the CSV file."""
        kept = [list(row) for row in rows]
        heading = next((part[3:] for part in reversed(self.details) if part.startswith("## ")), "")
        self.details.append(_rows(header, [[RANGE.sub("", cell) for cell in row] for row in kept]))
        for row in kept:
            self._keep_ranges(heading, row[0], dict(zip(header[1:], row[1:], strict=True)))

    def _keep_ranges(self, table: str, row: str, cells: Mapping[str, str]) -> None:
        self.ranges += [(table, row, column, text) for column, cell in cells.items() for text in RANGE.findall(cell)]

    def claims(self, findings: Iterable[Finding], column: str = "") -> None:
        """Add claims beside what was measured; `column` is needed if the same claims are judged more than once."""
        self.findings.setdefault(column, []).extend(findings)

    def sample(self, lines: Iterable[str]) -> None:
        """Add what a small run gives, which the tests repeat: as long as it stands here, the page is of this code."""
        self.heading("Repeated by the tests")
        self.text(
            "A small part of what was run, the same in every run. The tests run it again and look for these lines."
        )
        self.details.append("\n".join(f"- {line}" for line in lines))

    def write(self) -> None:
        """Write the page."""
        claimed, done, result = (_flat(RANGE.sub("", text)) for text in self.opening)
        parts = [f"# {self.title}", f"*{self.begins}.* {claimed}", f"*Done.* {done}"]
        parts += [f"*Found.* {self._verdicts()}{result}", *self._claimed()]
        judged = self._judged()
        made = f"Made by `python tools/experiments/reproduce.py {self.name}`, which computes every number on it."
        if self.ranges:
            file = f"{self.name}-ranges.csv"
            made += f" [{file}]({file}) contains the minimum and maximum of each mean in the tables."
            with (self.folder / file).open("w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(("table", "row", "column", "least", "most", "deviation"))
                writer.writerows((*place, *RANGE_PARTS.split(text), "")[:6] for *place, text in self.ranges)
        parts += [_flat(f"{HOW_JUDGED if self.findings else ''} {made}")]
        parts += ["## Figures", *self.figures] if self.figures else []
        parts += [] if self.details[0].startswith("## ") else ["## The source, and what was run"]
        (self.folder / f"{self.name}.md").write_text(
            "\n\n".join([*parts, *self.details, *judged]) + "\n", encoding="utf-8"
        )

    def _verdicts(self) -> str:
        """Return the counts of the verdicts, for each column if there are several."""
        tallies = {column: tally(findings) for column, findings in self.findings.items()}
        if "" in tallies or not tallies:
            return "".join(f"{text} " for text in tallies.values())
        claims = next(iter(tallies.values())).partition(": ")[0]
        counts = (f"with {column}, {text.partition(': ')[2].rstrip('.')}" for column, text in tallies.items())
        return f"{claims}: {'; '.join(counts)}. "

    def _claimed(self) -> list[str]:
        """Return the table of claims, with a column of measurements and one of verdicts for each set of findings."""
        if not self.findings:
            return []
        columns = [(column or "measured", "verdict") for column in self.findings]
        rows = []
        for number, judged in enumerate(zip(*self.findings.values(), strict=True), 1):
            measured = {name: finding.measured for (name, _), finding in zip(columns, judged, strict=True)}
            self._keep_ranges("Claimed and measured", str(number), measured)
            cells = [(RANGE.sub("", finding.measured), finding.word(len(judged) > 1)) for finding in judged]
            claim = judged[0].claim
            rows.append([str(number), claim.text, claim.place, *(text for pair in cells for text in pair)])
        header = ("", "claim", "where", *(text for pair in columns for text in pair))
        return ["## Claimed and measured", _rows(header, rows)]

    def _judged(self) -> list[str]:
        """Return the table of thresholds."""
        claims = [finding.claim for finding in next(iter(self.findings.values()), [])]
        rows = [(str(number), claim.threshold()) for number, claim in enumerate(claims, 1)]
        return ["## How each claim was judged", _rows(("claim", "holds if"), rows)] if rows else []
