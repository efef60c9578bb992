"""What a source claims, set beside what was measured: claims, verdicts and findings.

A page's claims and thresholds are constants of its program. They are committed before its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Word: TypeAlias = Literal["yes", "no", "ordinary", "open"]
Told: TypeAlias = Literal["once", "law", "number"]

RARE = 0.05  # of our runs: a source that saw once what fewer of them show is contradicted
ENOUGH = 59  # runs: if none of so many shows it, fewer than RARE do so, with 95 % confidence
MISSED = 0.05  # the probability that a bound is wrong


def bound(runs: int) -> float:
    """Return the share below which something is, with 95 % confidence, that none of some runs shows.

    >>> round(bound(10), 2), round(bound(ENOUGH), 3)
    (0.26, 0.05)
    """
    return float(1 - MISSED ** (1 / runs))


@dataclass(frozen=True)
class Verdict:
    """A verdict in a word, and what it rests on."""

    word: Word
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else self.word


def verdict(holds: bool, otherwise: str = "") -> Verdict:
    """Return `yes`, or `no` and what is so instead: for what is computed exactly, or is a mean."""
    return Verdict("yes") if holds else Verdict("no", otherwise)


def seen_once(shown: int, runs: int, noun: str = "runs") -> Verdict:
    """Return the verdict on what an author saw once, which some of our runs show.

    >>> str(seen_once(0, 10)), str(seen_once(18, 20)), str(seen_once(0, 100))  # doctest: +NORMALIZE_WHITESPACE
    ('open: 0 of 10 of our runs, which leaves up to 26 %', 'ordinary: 18 of 20 of our runs',
     'no: 0 of 100 of our runs, so below 3 %')
    """
    count = f"{shown:,} of {runs:,} of our {noun}"
    if shown / runs >= RARE:
        return Verdict("ordinary", count + (f", so above {_rest(bound(runs))}" if shown == runs else ""))
    if runs < ENOUGH:
        return Verdict("open", count + (f", which leaves up to {_percent(bound(runs))}" if not shown else ""))
    return Verdict("no", count + (f", so below {_percent(bound(runs))}" if not shown else ""))


def law(kept: int, runs: int, noun: str = "runs") -> Verdict:
    """Return the verdict on what is said to be always so: one run in which it is not decides.

    >>> str(law(20, 20)), str(law(19, 20))
    ('yes: 20 of 20 of our runs, so exceptions are below 14 %', 'no: 19 of 20 of our runs')
    """
    count = f"{kept:,} of {runs:,} of our {noun}"
    return (
        Verdict("no", count)
        if kept < runs
        else Verdict("yes", f"{count}, so exceptions are below {_percent(bound(runs))}")
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def _rest(share: float) -> str:
    """Return what is left of a whole, as exactly as `_percent` gives the share."""
    return f"{100 - float(f'{100 * share:.2g}'):g} %"


@dataclass(frozen=True)
class Claim:
    """What a source claims.

    Attributes:
        text: in the source's words: a short quotation in quotation marks, or in short without them.
        place: where the source says so: a page, a figure, a slide, a file.
        holds_if: the threshold, in words made from the constant that the code compares with.
        told: what its author saw `once`; a `law`, which is said to be always so; or a `number` that we compute.
        noun: what is counted, of what was seen once and of laws.
        hardly_fails: whether hardly any result would miss the threshold; the verdict then says so.
    """

    text: str
    place: str
    holds_if: str
    told: Told = "once"
    noun: str = "runs"
    hardly_fails: bool = False

    def threshold(self) -> str:
        """Return the threshold, after how the source saw it."""
        return {"once": "seen once: ", "law": "law: ", "number": ""}[self.told] + self.holds_if

    def counted(self, measured: str, runs: Iterable[bool]) -> Finding:
        """Judge it by the runs that are as it says."""
        flags = [bool(run) for run in runs]
        judge = law if self.told == "law" else seen_once
        return Finding(self, measured, judge(sum(flags), len(flags), self.noun))

    def judged(self, measured: str, holds: bool, otherwise: str = "") -> Finding:
        """Judge a number."""
        return Finding(self, measured, verdict(holds, otherwise))


@dataclass(frozen=True)
class Finding:
    """A claim, what was measured, and the verdict."""

    claim: Claim
    measured: str
    verdict: Verdict

    def word(self, short: bool = False) -> str:
        """Return the verdict with its counts; `short` leaves out what the counts bound."""
        text = str(self.verdict).partition(" of our ")[0] if short else str(self.verdict)
        if not self.claim.hardly_fails:
            return text
        return f"{text}; it can hardly fail" if ":" in text else f"{text}: it can hardly fail"


def tally(findings: Iterable[Finding]) -> str:
    """Return how many claims have which verdict, and the numbers of those that have `no` or `open`."""
    words = [finding.verdict.word for finding in findings]
    texts = []
    for word in ("yes", "ordinary", "no", "open"):
        numbers = [str(number) for number, given in enumerate(words, 1) if given == word]
        named = f" ({', '.join(numbers)})" if word in {"no", "open"} else ""
        if numbers:
            texts.append(f"{len(numbers)} *{word}*{named}")
    return f"{len(words)} claims: {', '.join(texts)}."
