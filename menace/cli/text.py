"""Text for people: percentages, bars, sparklines and tables."""

from __future__ import annotations

from collections.abc import Sequence

from menace.ledger.store.rows import MOST_BEADS

BLOCKS = "▁▂▃▄▅▆▇█"
SMALLEST_SHOWN = 0.00005  # what four decimals would show as 0
EIGHTHS = " ▏▎▍▌▋▊▉"


def sparkline(shares: Sequence[float]) -> str:
    """Return shares, 0 to 1, as a line of blocks.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(BLOCKS[min(int(share * len(BLOCKS)), len(BLOCKS) - 1)] for share in shares)


def bar(share: float, width: int) -> str:
    """Return a share, 0 to 1, as a bar at most `width` characters long.

    >>> bar(0.5, 4), bar(0.0, 4)
    ('██', '')
    """
    whole, part = divmod(round(share * width * 8), 8)
    return ("█" * whole + EIGHTHS[part]).rstrip()


def full_text(piles: int, owner: str) -> str:
    """Say that some of a learner's piles can hold no more beads, and what follows from it.

    >>> print(full_text(1, "menace-x"))
    1 pile of menace-x is at the cap of 67,108,863 beads: shares no longer follow what it learns
    """
    at_cap = f"1 pile of {owner} is" if piles == 1 else f"{piles:,} piles of {owner} are"
    return f"{at_cap} at the cap of {MOST_BEADS:,} beads: shares no longer follow what it learns"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as aligned columns; columns of numbers are aligned to the right.

    >>> print(table(["name", "n"], [["a", 5], ["bc", 12]]))
    name   n
    a      5
    bc    12
    """
    header = [_cell(name) for name in header]
    cells = [["" if cell is None else _cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    columns = list(zip(*rows, strict=True)) or [("",)] * len(header)
    right = [all(isinstance(cell, (int, float, type(None))) for cell in column) for column in columns]
    lines = []
    for line in (header, *cells):
        parts = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True))
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < SMALLEST_SHOWN else f"{value:.4f}"
    if isinstance(value, bytes):
        return value.hex()
    text = str(value)
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
