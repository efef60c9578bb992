"""How sure a mean is: Student's interval, with nothing but the standard library.

Sources: Student, The probable error of a mean, Biometrika 6 (1908); the distribution in closed form from M. Abramowitz
and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean, stdev
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean, and between what the true one lies with CONFIDENCE."""

    mean: float
    low: float
    high: float


def interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return mean ± t * s / sqrt(n), s the standard deviation and t Student's quantile with n - 1 degrees of freedom.

    Taken to be: independent values of a normal distribution. Shares near 0 or 1 are not, and the ends may lie outside.

    Args:
        values: two at least.
        confidence: above 0, below 1.

    >>> [round(end, 3) for end in interval([1.0, 2.0, 3.0])]
    [2.0, -0.484, 4.484]
    """
    mean = fmean(values)
    half = t_quantile(len(values) - 1, confidence) * stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


@lru_cache(maxsize=256)
def t_quantile(freedom: int, confidence: float) -> float:
    """Return the t that Student's distribution stays within, on both sides, with probability `confidence`.

    >>> round(t_quantile(4, 0.95), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while within(high, freedom) < confidence:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2


def within(t: float, freedom: int) -> float:
    """Return the probability that Student's distribution gives a number from -t to t.

    Args:
        t: 0 or more.
        freedom: degrees of freedom, 1 or more.
    """
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (k - 1) / k
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
