"""Statistics of seeds against their definitions, counted out."""

from __future__ import annotations

import itertools
import random
import statistics

import numpy as np
import pytest

from menace.analysis import groups
from menace.analysis.groups import Group, estimate, interquartile_mean, intervals, mean, probability_above


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 30, 101])
def test_the_interquartile_mean_leaves_a_quarter_out_at_each_end(count: int) -> None:
    dice = random.Random(count)
    rows = [[dice.choice([0.0, 0.25, dice.random()]) for _ in range(count)] for _ in range(20)]
    cut = count // 4
    by_hand = [statistics.fmean(sorted(row)[cut : count - cut]) for row in rows]
    assert interquartile_mean(np.array(rows)) == pytest.approx(by_hand, abs=1e-15)
    assert mean(np.array(rows)) == pytest.approx([statistics.fmean(row) for row in rows], abs=1e-15)


@pytest.mark.parametrize("sizes", [(1, 1), (5, 8), (30, 20)])
def test_the_probability_to_be_above_counts_all_pairs_and_ties_half(sizes: tuple[int, int]) -> None:
    dice = random.Random(1)
    for values in (2, 5, 1000):
        first, second = ([dice.randrange(values) / values for _ in range(size)] for size in sizes)
        pairs = list(itertools.product(first, second))
        by_hand = sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs)
        above = probability_above(np.array(first), np.array(second))
        assert above == pytest.approx(by_hand, abs=1e-15)
        assert above + probability_above(np.array(second), np.array(first)) == pytest.approx(1)


def test_the_interval_is_that_of_a_bootstrap_written_out() -> None:
    scores, generator = np.random.default_rng(2).random(17), np.random.default_rng(0)
    resampled = [
        statistics.fmean(sorted(scores[chosen])[4:13]) for chosen in generator.integers(0, 17, (groups.RESAMPLES, 17))
    ]
    interval = estimate(scores)
    assert interval.value == pytest.approx(statistics.fmean(sorted(scores)[4:13]))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(resampled, [0.025, 0.975])))
    assert interval.n == 17


def test_it_does_not_depend_on_how_many_are_resampled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(2).random(50)
    whole = estimate(scores)
    for at_once in (1, 777, 10_000):
        monkeypatch.setattr(groups, "AT_ONCE", at_once)
        assert estimate(scores) == whole


def test_intervals_cover_the_mean_of_the_whole_as_often_as_they_say() -> None:
    """Of 400 samples; where 94 % cover it, under 88 % happens by chance in a run of 10^5, and the seed is fixed."""
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        interval = estimate(generator.exponential(size=60), mean)
        covered += interval.low <= 1 <= interval.high
    assert 0.88 * 400 <= covered <= 0.98 * 400


def test_a_group_has_the_marks_that_all_of_its_machines_have() -> None:
    curves = [[(0, 0.5), (5, 1.0), (10, 0.25)], [(0, 0.5), (10, 0.75)]]
    group = Group.of(curves, {"win": 1}, intervals)
    assert (group.games, group.label) == ((0, 10), "win=1")
    assert group.scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert [interval.value for interval in group.estimates] == [0.5, 0.5]
    assert Group.of(curves).label == "all machines"
    assert Group.of([curves[0][:1], curves[1][1:]]).games == ()
