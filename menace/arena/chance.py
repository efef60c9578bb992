"""Chance: seeds, and the stream of random numbers that a run's kernel is handed.

The generator is numpy's PCG64. The state before a block is `PCG64(seed).advance(numbers_before)`, so anyone can
replay a run from its seed.
"""

from __future__ import annotations

import operator
import secrets

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidRun

SEED_BITS = 63  # what fits in an INTEGER of SQLite
# Small enough to stay in cache, and below the 128 KiB from which memory comes fresh from the system each time: fresh
# memory costs several times the generator's own time a number.
BUFFER = 12_288


def new_seed() -> int:
    """Return a seed from the system's own randomness, 0 to 2^63 - 1. The only place that makes one."""
    return secrets.randbits(SEED_BITS)


def check_seed(seed: int) -> int:
    """Return the seed.

    >>> check_seed(1)
    1
    >>> check_seed(-1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: seed -1 is not from 0 to 2^63 - 1
    """
    found = whole_number(seed)
    if found is None or not 0 <= found < 2**SEED_BITS:
        raise InvalidRun(f"seed {seed} is not from 0 to 2^63 - 1" + ("" if found is not None else ", a whole number"))
    return found


def check_games(games: int, most: int) -> int:
    """Return how many games there are to be, as Python's own int.

    >>> check_games(10, most=100)
    10
    """
    found = whole_number(games)
    if found is None:
        raise InvalidRun(f"games={games!r} is not a whole number; give one from 1 to {most:,}")
    if not 1 <= found <= most:
        raise InvalidRun(f"games={games}: a run has from 1 to {most:,} games")
    return found


def whole_number(value: object) -> int | None:
    """Return a whole number of any library as Python's own; None of anything else, True and False too.

    >>> whole_number(np.int64(3)), whole_number(1.0), whole_number(True)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def number_at(seed: int, index: int) -> int:
    """Return one raw number of a run, of those that `Numbers` gives: the one before which `index` were used.

    >>> number_at(1, 10) == int(np.random.PCG64(1).advance(10).random_raw())
    True
    """
    return int(np.random.PCG64(seed).advance(index).random_raw())


def pick_alike(seed: int, index: int, count: int) -> int:
    """Return one of 0 to count - 1, all alike: which of equivalent cells a machine's move takes on a person's board.

    It changes nothing in what is learned, so its numbers are apart from the run's: those of `PCG64(seed).jumped()`,
    picked by their lower half as any pick is.

    >>> [pick_alike(seed=1, index=index, count=4) for index in range(8)]
    [1, 3, 1, 0, 3, 2, 2, 3]
    """
    low = int(np.random.PCG64(seed).jumped().advance(index).random_raw()) & 0xFFFFFFFF
    return (low * count) >> 32


class Numbers:
    """The raw 64-bit numbers of a run, from number `before` on, through a small buffer.

    >>> numbers = Numbers(seed=1, before=0)
    >>> numbers.refill()
    >>> numbers.take(10)
    >>> numbers.refill()
    >>> int(numbers.buffer[0]) == np.random.PCG64(1).advance(10).random_raw()
    True
    """

    def __init__(self, seed: int, before: int) -> None:
        self._generator = np.random.PCG64(seed)
        self._generator.advance(before)
        self.buffer: NDArray[np.uint64] = np.empty(BUFFER, np.uint64)
        self._left = 0  # unused numbers, at the end of the buffer

    def refill(self) -> None:
        """Move the unused numbers to the front of `buffer`, and fill up the rest."""
        self.buffer[: self._left] = self.buffer[BUFFER - self._left :].copy()
        self.buffer[self._left :] = self._generator.random_raw(BUFFER - self._left)
        self._left = BUFFER

    def take(self, used: int) -> None:
        """Count `used` numbers, from the front of `buffer`, as used."""
        self._left -= used
