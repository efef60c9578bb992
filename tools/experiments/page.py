"""Write a page in Markdown with an introduction, a summary, a table of claims, figures, terms and details.

A program writes a page like this:

    page = Page(folder, "sala", "Marzio Sala: two tables ...")
    page.summary("who claims what", "what we did", "what we found")
    page.claims(findings)                                      # claims, figures and details can come in any order
    page.figure(figure, "tables", "caption")
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

from experiments.claims import MEANINGS, NO_OR_RARE, Finding, by_verdict

# the form of the ranges that `ranged` produces; tables omit these ranges, and NAME-ranges.csv lists them
RANGE = re.compile(" ⟨([^⟩]*)⟩")
BOUND = re.compile(r" \((above|below|exceptions below) ")  # matches a bound in the text of a verdict
LEAST_TO_MOST = "lowest to highest"
RANGES = ("table", "row", "column", "value", "from", "to", "deviation", "range")  # the header of NAME-ranges.csv

# The first paragraph of each page explains what the machines on the page do.
X_FIRST = "learns noughts and crosses (tic-tac-toe), where X moves first."
BEADS = (
    f"A matchbox machine such as MENACE {X_FIRST} The machine has a matchbox for each position. Each matchbox contains"
    " coloured beads, and each colour stands for a move. To move, the machine draws a bead at random from the box for"
    " the current position. After the game, beads of the drawn colours are added to the boxes that were used, or"
    " removed from them, depending on the result."
)
VALUES = (
    f"Each machine on this page is a program that {X_FIRST} For each position or move, the program stores a value that"
    " estimates the result of the game. The program usually makes the move with the highest value, and it corrects the"
    " values after each move or game."
)
MICHIES_BEADS = (  # describes the boxes of the preset `menace` and of machines with the same boxes
    "In a new MENACE, the first box contains four beads of each colour, and the boxes for later moves contain three,"
    " two or one."
)
REFILLED = "An empty box is refilled with its initial beads."
VALUES_INSTEAD = (
    "Instead of beads, other machines store a value for each position or move; this value estimates the result of the"
    " game. Such machines usually make the move with the highest value, and they correct the values after each move or"
    " game."
)
BEADS_AND_VALUES = f"{BEADS} {MICHIES_BEADS} {REFILLED} {VALUES_INSTEAD}"
HER = (
    "Hexapawn is a game on 3 by 3 squares with three pawns on each side; X moves first. A pawn moves straight ahead by"
    " one square, or captures diagonally. A side wins if it reaches the last row or if the other side cannot move. HER"
    " is a machine that learns to play O. HER has a matchbox for each position, and a new box contains one bead for"
    " each possible move. HER draws a bead at random and makes the move for which the bead stands; at an empty box, HER"
    " resigns. If HER loses, the bead for its last move is removed."
)
# The shared definitions of terms, each with a pattern that matches the uses of the term. Each page explains the terms
# that it uses.
TERMS = {
    "[Bb]est response": "*Best response*: the opponent that does best against a given machine.",
    "[Uu]nbeatable": "*Unbeatable*: a machine that no opponent can beat if the machine always plays its favourite"
    " moves.",
    "[Ee]xploitab": "*Exploitability*: the share of games that the best response wins, minus the share that it loses; 0"
    " is best.",
    "[Gg]reedy|[Gg]reedily": "*Greedy*: always making the move with the most beads or the highest value.",
    "[Ee]psilon": "*Epsilon*: the probability that a machine explores, that is, makes a random move.",
    "[Aa]lpha|[Ss]tep size": "*Alpha* or *step size*: the fraction by which a correction moves a value towards its new"
    " estimate. With an alpha of 1, the estimate replaces the value.",
    "[Ss]elf-play|by itself|by themselves": "*Self-play* or *by itself*: learning from games against another machine"
    " that also learns.",
    "[Pp]reset": "*Preset*: a named set of settings in the package `menace`, such as a machine's initial beads or"
    " values and its rewards.",
    "[Ss]ymmetr": "*Symmetry*: the use of one box or value for all rotated and mirrored copies of a board.",
    "random play|`random`": "*Random play* or `random`: choosing among all legal moves with equal probability.",
    "optimal play|`optimal`": "*Optimal play* or `optimal`: choosing at random among the moves that keep the best"
    " possible result.",
    "perfect player|`perfect`": "*Perfect player* or `perfect`: an optimal player that wins as early and loses as late"
    " as possible.",
    "`imperfect:": "`imperfect:0.5`: a player that makes half of its moves at random and the other half optimally.",
    "[Ss]eed": "*Seed*: a number that determines the random choices in a run.",
    "±": "*±*: the number after this sign is the standard deviation over our runs.",
}


def ranged(least: str, most: str, deviation: str = "") -> str:
    """Mark a range so that paragraphs show it in brackets and tables move it to the CSV file."""
    return f" ⟨{least} to {most}{f', deviation {deviation}' if deviation else ''}⟩"


ID = re.compile(r"""(?:(?<=id=")|(?<=href="#)|(?<=url\(#))[\w.-]+""")
LENGTH = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}|-0(?![.\d])")


def svg(figure: Figure) -> str:
    """Return a figure as SVG that is byte-identical on every computer.

    Matplotlib derives ids from hashes of exact numbers and from positions in the font file, so the function replaces
    them with numbered ids. Matplotlib computes the layout iteratively, so the function rounds lengths to a hundredth of
    a point.
    """
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    ids: dict[str, str] = {}
    text = ID.sub(lambda match: ids.setdefault(match[0], f"i{len(ids)}"), file.getvalue())
    text = LENGTH.sub(lambda match: match[0] if match[0].startswith("scale") else _rounded(match[0]), text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _rounded(length: str) -> str:
    return f"{round(float(length), 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # adding 0.0 turns -0 into 0


def _flat(text: str) -> str:
    """Return the text on a single line, with ranges in brackets."""
    return RANGE.sub(r" (\1)", " ".join(text.split()))


def _rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@dataclass
class Page:
    """A page with its figures and its ranges."""

    folder: Path
    name: str
    title: str
    begins: str = "Claim"  # the label of the first paragraph in the summary: "Claim" or "Question"
    machine: str = BEADS  # the first paragraph
    opening: tuple[str, str, str] = ("", "", "")  # the claim, the method and the result
    words: list[str] = field(default_factory=list)  # terms that are used only on this page
    # findings for each column, keyed by its name, or by "" if there is only one column
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    ranges: list[tuple[str, ...]] = field(default_factory=list)  # the rows of NAME-ranges.csv
    files: list[str] = field(default_factory=list)  # links at the end of the page

    def summary(self, claimed: str, done: str, result: str) -> None:
        """Set the summary, which consists of the claim and its author, the method, and the results."""
        self.opening = (claimed, done, result)

    def term(self, text: str) -> None:
        """Add a term that only this page uses to the list of terms."""
        self.words.append(_flat(text))

    def heading(self, text: str) -> None:
        """Add a heading."""
        self.details.append(f"## {text}")

    def text(self, text: str) -> None:
        """Add a paragraph, joining its lines."""
        self.details.append(_flat(text))

    def numbers(self, which: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
        """Write a table to the file NAME-which.csv, and return a link to the file."""
        file = f"{self.name}-{which}.csv"
        with (self.folder / file).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([header, *rows])
        return f"[{file}]({file})"

    def figure(self, figure: Figure, which: str, caption: str) -> None:
        """Write a figure to NAME-which.svg and show it, with the first sentence of the caption as alternative text."""
        file = f"{self.name}-{which}.svg"
        (self.folder / file).write_text(svg(figure), encoding="utf-8")
        caption = _flat(caption)
        self.figures += [f"![{caption.partition('. ')[0].rstrip('.')}.]({file})", f"*{caption}*"]

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]], ranges: str = LEAST_TO_MOST) -> None:
        """Add a table, and write the ranges in its cells to the CSV file; `ranges` describes the ranges."""
        kept = [list(row) for row in rows]
        self.details.append(_rows(header, [[RANGE.sub("", cell) for cell in row] for row in kept]))
        headings = [part.removeprefix("## ") for part in self.details if part.startswith("## ")]
        self.keep_ranges(headings[-1] if headings else "", header, kept, ranges)

    def keep_ranges(self, table: str, header: Sequence[str], rows: Iterable[Sequence[str]], which: str) -> None:
        """Write the ranges in the given rows to the CSV file, without adding a table."""
        for row in rows:
            for name, cell in zip(header, row, strict=True):
                values = RANGE.split(cell)  # texts and ranges alternate
                for value, least_to_most in zip(values[::2], values[1::2], strict=False):
                    least, most, *deviation = re.split(" to |, deviation ", least_to_most)
                    place = (table, row[0], name, value.strip(" ,;/"))
                    self.ranges.append((*place, least, most, *(deviation or [""]), which))

    def claims(self, findings: Iterable[Finding], column: str = "") -> None:
        """Add findings to the table of claims; name their `column` if the same claims are judged more than once."""
        self.findings.setdefault(column, []).extend(findings)

    def sample(self, lines: Iterable[str], explained: str = "") -> None:
        """Write the results of a small run to NAME-sample.txt; the tests repeat this run to check the code."""
        file = f"{self.name}-sample.txt"
        (self.folder / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.files.append(_flat(f"[{file}]({file}) contains results that the tests recompute. {explained}"))

    def write(self) -> None:
        """Write the page and, if it has ranges, the CSV file that contains them."""
        claimed, done, result = (_flat(RANGE.sub("", text)) for text in self.opening)
        summary = [f"*{self.begins}.* {claimed}", f"*Method.* {done}", f"*Result.* {result}"]
        parts = [*self._claimed()]
        parts += ["## Figures", *self.figures] if self.figures else []
        before = len(parts)
        parts += [] if self.details[0].startswith("## ") else ["## The source and the method"]
        parts += [*self.details, *self._places(), *self._made()]
        text = "\n".join([*summary, *self.words, *parts])
        # a definition on the page replaces the shared one
        own = " ".join(word.partition(":")[0] for word in self.words)
        terms = [
            f"- {term}" for use, term in TERMS.items() if re.search(use, text) and term.partition(":")[0] not in own
        ]
        terms += [f"- {word}" for word in self.words]
        parts[before:before] = ["## Terms", "\n".join(terms)]
        parts = [f"# {self.title}", self.machine, *summary, *parts]
        (self.folder / f"{self.name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")

    def _made(self) -> list[str]:
        """Write the CSV file with the ranges, and list the files and the command that generates the page."""
        for column, findings in self.findings.items():
            measured = [(str(number), finding.measured) for number, finding in enumerate(findings, 1)]
            self.keep_ranges("Claimed and measured", ("claim", column or "measured"), measured, LEAST_TO_MOST)
        file = self.folder / f"{self.name}-ranges.csv"
        file.unlink(missing_ok=True)
        lines = [f"`python tools/experiments/reproduce.py {self.name}` generates this page.", *self.files]
        if self.ranges:
            with file.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream, lineterminator="\n").writerows([RANGES, *self.ranges])
            lines.append(f"[{file.name}]({file.name}) lists the range of each number over our runs.")
        return ["## Files", "\n".join(f"- {line}" for line in lines)]

    def _claimed(self) -> list[str]:
        """Return the verdicts with their meanings, and the table of claims with columns for each set of findings."""
        claims = next(iter(self.findings.values()), [])
        if not claims:
            return []
        header, rows, first = ["", "claim", "holds if"], [], 1
        for number, finding in enumerate(claims, 1):
            same = number > 1 and finding.holds_if() == claims[number - 2].holds_if()
            first = first if same else number
            rows.append([str(number), finding.claim.text, f"as in claim {first}" if same else finding.holds_if()])
        for column, findings in self.findings.items():
            header += [column or "measured", "verdict"]
            for row, finding in zip(rows, findings, strict=True):
                row += [RANGE.sub("", finding.measured), finding.word(short=bool(column))]
        return ["## Claimed and measured", "\n".join(self._verdicts()), _rows(header, rows)]

    def _verdicts(self) -> list[str]:
        """Return a line for each verdict that contains the verdict's meaning and its claims.

        If there are several columns, the line contains the number of claims in each column instead.
        """
        counted = {column: by_verdict(findings) for column, findings in self.findings.items()}
        once = any(finding.claim.told == "once" for findings in self.findings.values() for finding in findings)
        lines = []
        for word, meaning in (MEANINGS | ({"no": NO_OR_RARE} if once else {})).items():
            numbers = {column: words[word] for column, words in counted.items() if word in words}
            texts = [
                f"{len(n)} claim{'s' * (len(n) > 1)} with {name}"
                if name
                else f"claim{'s' * (len(n) > 1)} {', '.join(map(str, n))}"
                for name, n in numbers.items()
            ]
            lines += [f"- *{word}* ({', '.join(texts)}): {meaning}"] if numbers else []
        if any(finding.claim.hardly_fails for findings in self.findings.values() for finding in findings):
            lines.append("- *It can hardly fail*: nearly every result would meet the threshold.")
        words = [finding.word(short=bool(column)) for column, findings in self.findings.items() for finding in findings]
        if any(BOUND.search(word) for word in words):
            lines.append("- A percentage in brackets is a bound that holds for all possible runs with 95 % confidence.")
        lines.append("- The section [Terms](#terms) defines the other words.")
        return lines

    def _places(self) -> list[str]:
        """Return a table that shows where each claim is made; consecutive claims from one place share a row."""
        claims = next(iter(self.findings.values()), [])
        rows = []
        for place, group in groupby(enumerate(claims, 1), lambda numbered: numbered[1].claim.place):
            numbers = [str(number) for number, _ in group]
            rows.append((" to ".join(dict.fromkeys((numbers[0], numbers[-1]))), place))
        return ["## Where each claim is made", _rows(("claim", "place"), rows)] if rows else []
