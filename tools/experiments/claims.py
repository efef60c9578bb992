"""Represent a source's claims, our verdicts on them, and the findings shown on pages.

Each page's claims and thresholds are constants in its program and were committed before any results. The section
"Verdicts" in docs/experiments.md explains the verdicts to readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Word: TypeAlias = Literal["yes", "no", "reproduced", "open", "consistent"]
Told: TypeAlias = Literal["once", "law", "number", "printed"]

RARE = 0.05  # if an event that an author saw once occurs in a smaller share of our runs, the verdict is "no"
ENOUGH = 59  # if an event occurs in none of this many runs, its probability is below RARE with 95 % confidence
MISSED = 0.05  # the probability that a bound is wrong
MEANINGS: dict[Word, str] = {
    "yes": "the claim holds.",
    "reproduced": f"the author saw the effect once, and at least {100 * RARE:.0f} % of our runs show it, too. A single"
    " run is unlikely to show a rarer effect.",
    "consistent": "the claim agrees with a curve printed in the source; we ran nothing.",
    "no": "the claim does not hold.",
    "open": "our runs do not decide the claim.",
}

NO_OR_RARE = f"the claim does not hold, or fewer than {100 * RARE:.0f} % of our runs reproduce it."


def bound(runs: int) -> float:
    """Return a 95 % upper confidence bound for the probability of an event that occurred in none of the runs.

    >>> round(bound(10), 2), round(bound(ENOUGH), 3)
    (0.26, 0.05)
    """
    return float(1 - MISSED ** (1 / runs))


@dataclass(frozen=True)
class Verdict:
    """A one-word verdict, together with its evidence."""

    word: Word
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else self.word


def verdict(holds: bool, otherwise: str = "", told: Told = "number") -> Verdict:
    """Return the verdict on a numerical claim: `yes`, or `no` with the true number.

    If the claim holds but was only compared with a printed curve, the verdict is `consistent`, because none of our runs
    confirm the claim.

    >>> str(verdict(True)), str(verdict(True, told="printed")), str(verdict(False, "it is 3", "printed"))
    ('yes', 'consistent', 'no: it is 3')
    """
    if not holds:
        return Verdict("no", otherwise)
    return Verdict("consistent" if told == "printed" else "yes")


def seen_once(shown: int, runs: int, noun: str = "runs") -> Verdict:
    """Return the verdict on an event that an author saw once and that occurs in `shown` of our runs.

    >>> str(seen_once(0, 10)), str(seen_once(18, 20)), str(seen_once(0, 100))  # doctest: +NORMALIZE_WHITESPACE
    ('open: 0 of 10 runs (below 26 %)', 'reproduced: 18 of 20 runs', 'no: 0 of 100 runs (below 3 %)')
    """
    count = _count(shown, runs, noun)
    if shown / runs >= RARE:
        return Verdict("reproduced", count + (f" (above {_rest(bound(runs))})" if shown == runs else ""))
    return Verdict("open" if runs < ENOUGH else "no", count + ("" if shown else f" (below {_percent(bound(runs))})"))


def law(kept: int, runs: int, noun: str = "runs") -> Verdict:
    """Return the verdict on a claim that something always happens. A single exception refutes such a claim.

    >>> str(law(20, 20)), str(law(19, 20))
    ('yes: all 20 runs (exceptions below 14 %)', 'no: 19 of 20 runs')
    """
    count = _count(kept, runs, noun)
    return (
        Verdict("no", count) if kept < runs else Verdict("yes", f"{count} (exceptions below {_percent(bound(runs))})")
    )


def _count(shown: int, runs: int, noun: str) -> str:
    return f"all {runs:,} {noun}" if shown == runs else f"{shown:,} of {runs:,} {noun}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def _rest(share: float) -> str:
    """Return the difference from 100 %, with the same precision as `_percent`."""
    return f"{100 - float(f'{100 * share:.2g}'):g} %"


@dataclass(frozen=True)
class Claim:
    """A claim made by a source.

    Attributes:
        text: the claim, as a short quotation in quotation marks or as a summary without them.
        place: the place in the source: a page, a figure, a slide or a file.
        holds_if: the threshold in words, with the constant that the code compares the result with.
        told: `once` if the author saw it in one run or a few, `law` if the source says that it is always true, `number`
            if we compute it, `printed` if we only compare it with a curve that the source prints.
        noun: the things that are counted, for claims of the kinds `once` and `law`.
        hardly_fails: whether nearly every result would meet the threshold; the verdict then says so.
    """

    text: str
    place: str
    holds_if: str
    told: Told = "once"
    noun: str = "runs"
    hardly_fails: bool = False

    def counted(self, measured: str, runs: Iterable[bool]) -> Finding:
        """Judge the claim by the number of our runs that agree with it."""
        flags = [bool(run) for run in runs]
        judge = law if self.told == "law" else seen_once
        return Finding(self, measured, judge(sum(flags), len(flags), self.noun))

    def judged(self, measured: str, holds: bool, otherwise: str = "") -> Finding:
        """Judge a claim whose kind is `number` or `printed`."""
        return Finding(self, measured, verdict(holds, otherwise, self.told))


@dataclass(frozen=True)
class Finding:
    """A claim, together with the measurement and the verdict."""

    claim: Claim
    measured: str
    verdict: Verdict

    def holds_if(self) -> str:
        """Return the threshold as text."""
        prefixes = {"law": f"in all {self.claim.noun}: ", "printed": "printed curve: "}
        return prefixes.get(self.claim.told, "") + self.claim.holds_if

    def word(self, short: bool = False) -> str:
        """Return the verdict as text. If `short` is true, the text omits the noun and the bound."""
        text = str(self.verdict).partition(f" {self.claim.noun}")[0] if short else str(self.verdict)
        if not self.claim.hardly_fails:
            return text
        return f"{text}; it can hardly fail" if ":" in text else f"{text}: it can hardly fail"


def by_verdict(findings: Iterable[Finding]) -> dict[Word, list[int]]:
    """Return a dictionary that maps each verdict to the numbers of the claims with this verdict, counting from 1."""
    numbers: dict[Word, list[int]] = {}
    for number, finding in enumerate(findings, 1):
        numbers.setdefault(finding.verdict.word, []).append(number)
    return numbers
