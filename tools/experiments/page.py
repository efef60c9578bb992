"""A page in markdown: three lines, the table of claims, figures, and details, with its figures beside it.

page = Page(folder, "sala", "M. Sala: two tables ...")
page.summary("what is claimed", "what is done", "what came out")
page.claims(findings)                                      # the parts can be added in any order but
page.figure(figure, "tables", "caption")                   # among those of a kind
page.write()
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from experiments.claims import Finding, tally

RANGE = re.compile(" ⟨([^⟩]*)⟩")  # as `ranged` writes it: cells of tables do without, a second table has it
LEAST_TO_MOST = "From the least to the most"
HOW_JUDGED = """*Ordinary*: its author saw it once, and at least one in twenty of our runs shows it. *No*: fewer show
    it, of at least 59 runs; or one run breaks what is said to hold always; or a number misses its threshold. *Yes*:
    every run keeps it, or the number meets its threshold. The counts stand beside the verdict, the thresholds in the
    last table."""


def ranged(least: str, most: str) -> str:
    """Return a range as a page's cells have it: beside its mean in text, in a table of its own beside a table."""
    return f" ⟨{least} to {most}⟩"


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
    findings: list[Finding] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

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
        self.figures += [f"![{caption}]({file})", f"*{caption}*"]

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]], ranges: str = LEAST_TO_MOST) -> None:
        """Add a table to the details, and below it another of its ranges, if it has any; `ranges` says of what."""
        kept = [list(row) for row in rows]
        self.details.append(_rows(header, [[RANGE.sub("", cell) for cell in row] for row in kept]))
        self._ranges(header, kept, ranges)

    def _ranges(self, header: Sequence[str], rows: Sequence[Sequence[str]], which: str) -> None:
        shown = [0, *(k for k in range(1, len(header)) if any(RANGE.search(row[k]) for row in rows))]
        ranges = [[row[0], *("; ".join(RANGE.findall(row[k])) for k in shown[1:])] for row in rows]
        ranges = [row for row in ranges if any(row[1:])]
        if ranges:
            self.details += [f"{which}:", _rows([header[k] for k in shown], ranges)]

    def claims(self, findings: Iterable[Finding]) -> None:
        """Add the table of what was claimed beside what was measured."""
        self.findings += findings

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
        verdicts = f"{tally(self.findings)} " if self.findings else ""
        parts = [f"# {self.title}", f"*{self.begins}.* {claimed}", f"*Done.* {done}", f"*Found.* {verdicts}{result}"]
        made = f"Made by `python tools/experiments/reproduce.py {self.name}`, which computes every number on it."
        parts += [*self._claimed(), _flat(f"{HOW_JUDGED if self.findings else ''} {made}")]
        parts += ["## Figures", *self.figures] if self.figures else []
        parts += [] if self.details[0].startswith("## ") else ["## The source, and what was run"]
        text = "\n\n".join([*parts, *self.details, *self._judged()]) + "\n"
        (self.folder / f"{self.name}.md").write_text(text, encoding="utf-8")

    def _numbered(self) -> list[list[str]]:
        return [[str(number), *finding.row()] for number, finding in enumerate(self.findings, 1)]

    def _claimed(self) -> list[str]:
        header = ("", "claim", "where", "measured", "verdict")
        rows = [[RANGE.sub("", cell) for cell in row[:3] + row[4:]] for row in self._numbered()]
        return ["## Claimed and measured", _rows(header, rows)] if rows else []

    def _judged(self) -> list[str]:
        header = ("claim", "holds if", "measured, from the least to the most, in the order of the first table")
        rows = [[row[0], row[3], "; ".join(RANGE.findall(row[4]))] for row in self._numbered()]
        columns = len(header) if any(row[-1] for row in rows) else 2
        table = _rows(header[:columns], [row[:columns] for row in rows])
        return ["## How each claim was judged", table] if rows else []
