"""Laws of the stream of random numbers, and of seeds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from menace.arena import chance
from menace.arena.chance import BUFFER, Numbers, check_seed, new_seed, number_at, pick_alike
from menace.errors import InvalidRun


def expected(seed: int, number: int, count: int) -> list[int]:
    """Numbers `number`, `number + 1`, ... of a seed, by numpy alone."""
    return np.random.PCG64(seed).advance(number).random_raw(count).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 1961, 2**62 + 12_345])
@pytest.mark.parametrize("before", [0, 1, BUFFER, 10**6 + 7, 2**40])
def test_however_many_are_taken_the_next_number_is_the_next_of_the_generator(seed: int, before: int) -> None:
    dice = random.Random(seed ^ before)
    numbers = Numbers(seed, before)
    for used in (0, BUFFER, 1, BUFFER - 1, *dice.choices(range(BUFFER + 1), k=6)):
        numbers.refill()
        assert len(numbers.buffer) == BUFFER
        assert numbers.buffer.tolist() == expected(seed, before, BUFFER)
        numbers.take(used)
        before += used
    numbers.refill()
    assert numbers.buffer.tolist() == expected(seed, before, BUFFER)


def test_a_refill_within_a_refill_loses_nothing() -> None:
    dice, stream = random.Random(1), []
    numbers = Numbers(17, 5)
    while len(stream) < 3 * BUFFER:
        for _ in range(dice.randrange(1, 3)):
            numbers.refill()
        for _ in range(dice.randrange(1, 4)):
            used = dice.randrange(BUFFER // 4)
            start = BUFFER - numbers._left
            stream += numbers.buffer[start : start + used].tolist()
            numbers.take(used)
    assert stream == expected(17, 5, len(stream))


def test_the_buffer_stays_the_same_array() -> None:
    """The kernel keeps a view of it."""
    numbers = Numbers(1, 0)
    buffer = numbers.buffer
    for used in (10, BUFFER, 0):
        numbers.refill()
        numbers.take(used)
        assert numbers.buffer is buffer
    assert buffer.dtype == np.uint64
    assert buffer.flags.c_contiguous


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_a_seed_from_0_to_2_63_less_1_is_taken(seed: int) -> None:
    assert check_seed(seed) == seed
    Numbers(seed, 0).refill()


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, -(2**63)])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(InvalidRun, match=f"seed {seed} is not from 0 to"):
        check_seed(seed)


def test_new_seeds_are_in_range_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = {check_seed(new_seed()) for _ in range(100)}
    assert len(seeds) == 100  # two of 100 are equal once in 2e15 runs
    asked: list[int] = []
    monkeypatch.setattr(chance.secrets, "randbits", lambda bits: asked.append(bits) or 2**bits - 1)
    assert new_seed() == 2**63 - 1
    assert asked == [63]


@pytest.mark.parametrize("seed", [0, 1961, 2**63 - 1])
def test_equivalent_cells_are_picked_by_the_lower_half_of_numbers_of_their_own(seed: int) -> None:
    stream = np.random.PCG64(seed).jumped().random_raw(50).tolist()
    for index, number in enumerate(stream):
        low = number % 2**32
        assert pick_alike(seed, index, 2**32) == low
        for count in (1, 2, 4, 8, 1000):
            assert pick_alike(seed, index, count) == low * count // 2**32
    assert {pick_alike(seed, index, 4) for index in range(50)} == {0, 1, 2, 3}
    assert [number_at(seed, index) for index in range(5)] == expected(seed, 0, 5)
    assert not set(stream) & set(expected(seed, 0, 50))
