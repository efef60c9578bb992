"""Isotonic regression (pooling adjacent violators), which places labels and boards without overlap."""

from __future__ import annotations

from collections.abc import Iterable


def pooled(values: Iterable[float]) -> list[float]:
    """Return the numbers nearest to `values` (least squares) that never fall, by pooling adjacent violators.

    To keep a distance d between neighbours, take n * d from the nth before, and add it again.

    Source: M. Ayer and others, An empirical distribution function for sampling with incomplete information, Annals of
    Mathematical Statistics 26 (1955).

    >>> pooled([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    blocks: list[tuple[float, int]] = []  # mean and size of those that share their mean
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] > mean:
            previous, count = blocks.pop()
            mean, size = (mean * size + previous * count) / (size + count), size + count
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]
