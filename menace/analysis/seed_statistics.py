"""Statistics of seeds: what one machine does is exact, so that which seed it had is all that varies.

R. Agarwal and others, Deep Reinforcement Learning at the Edge of the Statistical Precipice (2021): interquartile means,
bootstrap intervals over runs and probabilities of improvement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
AT_ONCE = 2**20  # scores that are resampled in one array
LEVEL = 0.95


class Estimate(NamedTuple):
    """A statistic of `n` seeds, with its percentile bootstrap interval of 95 %, or the ends of their middle half."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}, n = {self.n:,})"


def interquartile_mean(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean of the middle half, along the last axis; a quarter of the seeds, rounded down, goes at each end.

    >>> float(interquartile_mean(np.array([0.0, 1.0, 2.0, 300.0])))
    1.5
    """
    count = scores.shape[-1]
    cut = count // 4
    parted = np.partition(scores, [cut, count - cut - 1], axis=-1) if cut else scores
    middle: NDArray[np.float64] = parted[..., cut : count - cut].mean(axis=-1)
    return middle


def estimate(
    scores: NDArray[Any], statistic: Callable[[NDArray[Any]], NDArray[Any]] = interquartile_mean, seed: int = 0
) -> Estimate:
    """Return a statistic of the scores of seeds, with its interval by resampling the seeds RESAMPLES times.

    Args:
        scores: [seeds].
        statistic: of the last axis.
        seed: of the resampling, so that the same scores have the same interval.

    >>> round(estimate(np.arange(100.0)).value, 1)
    49.5
    """
    generator, rows = np.random.default_rng(seed), max(1, AT_ONCE // len(scores))
    sizes = [min(rows, RESAMPLES - start) for start in range(0, RESAMPLES, rows)]
    resampled = [statistic(scores[generator.integers(0, len(scores), (size, len(scores)))]) for size in sizes]
    low, high = np.quantile(np.concatenate(resampled), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(statistic(scores)), float(low), float(high), len(scores))


def middle_half(scores: NDArray[Any]) -> tuple[Estimate, ...]:
    """Return of each mark the median of the scores, and the quartiles, between which half of them are.

    Quartiles are interpolated linearly between scores (R's default, type 7).

    Args:
        scores: [marks, machines].

    >>> middle_half(np.array([[0.0, 0.1, 0.4, 0.8, 1.0]]))
    (Estimate(value=0.4, low=0.1, high=0.8, n=5),)
    """
    lower, middle, upper = np.quantile(scores, [0.25, 0.5, 0.75], axis=-1).tolist()
    return tuple(Estimate(*numbers, scores.shape[-1]) for numbers in zip(middle, lower, upper, strict=True))


def intervals(scores: NDArray[Any]) -> tuple[Estimate, ...]:
    """Return for each mark the interquartile mean with its bootstrap interval; `scores` are [marks, machines]."""
    return tuple(map(estimate, scores))


def probability_above(scores: NDArray[Any], others: NDArray[Any]) -> float:
    """Return how likely a score is above one of the others, a tie counting half (Mann and Whitney's U, as a share).

    >>> probability_above(np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    0.875
    """
    ordered = np.sort(others)
    below, not_above = (np.searchsorted(ordered, scores, side) for side in ("left", "right"))
    return float((below + not_above).mean() / 2 / len(others))


def mean(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean along the last axis."""
    return np.asarray(scores.mean(axis=-1))


@dataclass(frozen=True)
class Group:
    """Machines that are drawn as one.

    Attributes:
        factors: what they have in common, by name.
        games: [marks].
        scores: [marks, machines].
        estimates: of each mark: the median with the middle half, or the interquartile mean with its interval.
    """

    factors: dict[str, Any]
    games: tuple[int, ...]
    scores: NDArray[np.float64]
    estimates: tuple[Estimate, ...]

    @property
    def label(self) -> str:
        """Its factors in a line."""
        return ", ".join(f"{name}={value}" for name, value in self.factors.items()) or "all machines"

    def rows(self, *cells: object) -> list[tuple[object, ...]]:
        """Return a row for each mark: `cells`, then games and the estimate."""
        return [(*cells, games, *numbers) for games, numbers in zip(self.games, self.estimates, strict=True)]

    @classmethod
    def of(
        cls,
        curves: Sequence[Sequence[tuple[int, float]]],
        factors: Mapping[str, Any] = MappingProxyType({}),
        statistic: Callable[[NDArray[Any]], tuple[Estimate, ...]] = middle_half,
    ) -> Self:
        """Return machines as a group.

        Only marks at which all machines were measured count, and of two points at one mark the later. A single
        machine keeps all its points.

        Args:
            curves: of each machine, its scores by games; at least one.
            factors: what the machines have in common.
            statistic: of each mark: `middle_half` or `intervals`.

        >>> group = Group.of([[(0, 0.5), (10, 0.25)], [(0, 0.5), (10, 0.75), (20, 1.0)]])
        >>> group.games, group.estimates[1][:3]
        ((0, 10), (0.5, 0.375, 0.625))
        """
        if len(curves) > 1:
            by_games = [dict(curve) for curve in curves]
            marks = [games for games in by_games[0] if all(games in curve for curve in by_games)]
            curves = [[(games, curve[games]) for games in marks] for curve in by_games]
        scores = np.array([[score for _, score in curve] for curve in curves], np.float64).T
        return cls(dict(factors), tuple(games for games, _ in curves[0]), scores, statistic(scores))
