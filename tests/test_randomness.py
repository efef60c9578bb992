"""Laws of the stream of random numbers, and of seeds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from menace.arena import play
from menace.arena.play import Arena, check_seed, new_seed, pick_alike, raw_numbers
from menace.errors import InvalidRun
from menace.games.enumeration import tictactoe


def expected(seed: int, number: int, count: int) -> list[int]:
    """Numbers `number`, `number + 1`, ... of a seed, by numpy alone."""
    return np.random.PCG64(seed).advance(number).random_raw(count).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 1961, 2**62 + 12_345])
@pytest.mark.parametrize("before", [0, 1, 10**6 + 7, 2**40])
def test_however_many_are_taken_the_next_number_is_the_next_of_the_generator(seed: int, before: int) -> None:
    """A game of fixed players takes one number a move, and leaves the stream where the next game begins."""
    arena = Arena(tictactoe())
    x, o = arena.fixed_player("random"), arena.fixed_player("random")
    numbers = raw_numbers(seed, before)
    for _ in range(50):
        before += arena.play(x, o, numbers, 3, math.inf).numbers
        assert numbers.generator.state == np.random.PCG64(seed).advance(before).state


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_a_seed_from_0_to_2_63_less_1_is_taken(seed: int) -> None:
    assert check_seed(seed) == seed
    assert raw_numbers(seed, 0).generator.random_raw() == expected(seed, 0, 1)[0]


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, -(2**63)])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(InvalidRun, match=f"seed {seed} is not from 0 to"):
        check_seed(seed)


def test_new_seeds_are_in_range_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = {check_seed(new_seed()) for _ in range(100)}
    assert len(seeds) == 100  # two of 100 are equal once in 2e15 runs
    bits_asked: list[int] = []
    monkeypatch.setattr(play.secrets, "randbits", lambda bits: bits_asked.append(bits) or 2**bits - 1)
    assert new_seed() == 2**63 - 1
    assert bits_asked == [63]


@pytest.mark.parametrize("seed", [0, 1961, 2**63 - 1])
def test_equivalent_cells_are_picked_by_the_lower_half_of_numbers_of_their_own(seed: int) -> None:
    stream = np.random.PCG64(seed).jumped().random_raw(50).tolist()
    for index, number in enumerate(stream):
        low = number % 2**32
        assert pick_alike(seed, index, 2**32) == low
        for count in (1, 2, 4, 8, 1000):
            assert pick_alike(seed, index, count) == low * count // 2**32
    assert {pick_alike(seed, index, 4) for index in range(50)} == {0, 1, 2, 3}
    assert not set(stream) & set(expected(seed, 0, 50))
