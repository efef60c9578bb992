"""Lines of blocks that fit the terminal: where a run has too many steps, neighbouring ones share a column."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

from menace.cli.terminal import width
from menace.cli.text import sparkline
from menace.ledger.marks import MARKS_STEP

LEAST = 20  # columns between texts that leave none: enough for a million games at their marks
POWERS = range(14)  # of ten, up to more games than anybody plays
# Ends of columns, the finer first, and how they are said.
SERIES: list[tuple[str, list[int]]] = [
    ("1, 2, 5, 10, ...", [step * 10**power for power in POWERS for step in (1, 2, 5)]),
    ("1, 10, 100, ...", [10**power for power in POWERS]),
]


def columns(ends: Sequence[int], room: int) -> tuple[list[int], str]:
    """Pool the steps of a run into columns.

    Args:
        ends: the number of games up to the end of each step, ascending.
        room: how many columns there may be. A column for each power of ten is the fewest.

    Returns:
        The index of each column's last step, and up to how many games the columns are, in words.

    >>> columns([1, 2, 5, 10, 20], 5), columns([1, 2, 5, 10, 20], 4)
    (([0, 1, 2, 3, 4], '1, 2, 5, 10, ...'), ([0, 3, 4], '1, 10, 100, ...'))
    """
    if len(ends) <= room:
        return list(range(len(ends))), SERIES[0][0] if ends[-1] <= 2 * MARKS_STEP else "1, 2, 5, ..., each million"
    found = [(_pooled(ends, marks), words) for words, marks in SERIES]
    return next((pair for pair in found if len(pair[0]) <= room), found[-1])


def _pooled(ends: Sequence[int], marks: Sequence[int]) -> list[int]:
    """Return the index of the last step up to each mark."""
    column_of = [bisect_left(marks, end) for end in ends]
    return [index for index, (one, other) in enumerate(pairwise([*column_of, -1])) if one != other]


def line_of_shares(ends: Sequence[int], counts: Sequence[int], room: int) -> str:
    """Return the share of the games of each column that were counted, as blocks.

    Args:
        ends: as `columns` has them.
        counts: how many games of each step.
        room: as `columns` has it.

    >>> line_of_shares([10, 20, 30, 40], [1, 4, 7, 10], room=20)
    '▁▄▆█'
    """
    last, _words = columns(ends, room)
    shares = []
    for before, end in pairwise([-1, *last]):
        games = ends[end] - (ends[before] if before >= 0 else 0)
        shares.append(sum(counts[before + 1 : end + 1]) / games)
    return sparkline(shares)


def line_of_values(ends: Sequence[int], values: Sequence[float], room: int) -> str:
    """Return the value, 0 to 1, at the end of each column as blocks. Arguments as `line_of_shares`.

    >>> line_of_values([1, 2, 5, 10], [0.1, 0.4, 0.6, 0.9], room=20)
    '▁▄▅█'
    """
    return sparkline([values[index] for index in columns(ends, room)[0]])


def fitted(before: str, line: Callable[[int], str], after: str) -> str:
    """Return a line of blocks between two texts, handed the room that they leave it, but at least LEAST.

    >>> fitted("games lost ", lambda room: str(room), " of 80")
    'games lost 63 of 80'
    """
    return f"{before}{line(max(width() - len(before) - len(after), LEAST))}{after}"
