"""Seeds, and the stream of raw random numbers that the kernel consumes in a run.

The generator is numpy's PCG64. The state before a block is `PCG64(seed).advance(numbers_before)`, so a run can be
replayed from its seed.
"""

from __future__ import annotations

import operator
import secrets

import numpy as np

from menace import kernel
from menace.errors import InvalidRun

SEED_BITS = 63  # what fits in an INTEGER of SQLite


def new_seed() -> int:
    """Return a seed from the system's randomness, 0 to 2^63 - 1. The only function that makes seeds."""
    return secrets.randbits(SEED_BITS)


def check_seed(seed: int) -> int:
    """Return the seed, as Python's own int.

    >>> check_seed(1)
    1
    >>> check_seed(-1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: seed -1 is not from 0 to 2^63 - 1
    """
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**SEED_BITS:
        raise InvalidRun(f"seed {seed} is not from 0 to 2^63 - 1" + ("" if number is not None else ", a whole number"))
    return number


def check_games(games: int, most: int) -> int:
    """Return the number of games, as Python's own int.

    >>> check_games(10, most=100)
    10
    """
    count = whole_number(games)
    if count is None:
        raise InvalidRun(f"games={games!r} is not a whole number; give one from 1 to {most:,}")
    if not 1 <= count <= most:
        raise InvalidRun(f"games={games}: a run has from 1 to {most:,} games")
    return count


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


def pick_alike(seed: int, index: int, count: int) -> int:
    """Return 0 to count - 1, equally likely: which of equivalent cells a machine's move takes on a person's board.

    It changes nothing in what is learned, so its numbers are apart from the run's: those of `PCG64(seed).jumped()`,
    picked by their lower half as any pick is.

    >>> [pick_alike(seed=1, index=index, count=4) for index in range(8)]
    [1, 3, 1, 0, 3, 2, 2, 3]
    """
    low = int(np.random.PCG64(seed).jumped().advance(index).random_raw()) & 0xFFFFFFFF
    return (low * count) >> 32


def raw_numbers(seed: int, before: int) -> kernel.RawNumbers:
    """Return the raw 64-bit numbers of a run, from number `before` on, as the kernel takes them one by one."""
    return kernel.RawNumbers(np.random.PCG64(seed).advance(before))
