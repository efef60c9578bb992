"""Known variants of games and the results of enumerating them: numbers of positions and boxes, and the value.

The data is in known.csv, which tools/docs/make_rules.py writes and can check.
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache
from typing import NamedTuple

TABLE = "known.csv"


class Known(NamedTuple):
    """The results of enumerating a variant of a game.

    Attributes:
        game: the game's name, as given to `menace init`.
        variant: the variant, as given to `menace init`.
        positions: the number of positions, with symmetry.
        x_boxes: the number of positions in which X has more than one action, each of which is a box of a machine.
        o_boxes: the same for O.
        x_choices: the number of X's boxes whose actions are not all equivalent.
        o_choices: the same for O.
        minimax: the winner under perfect play: 1 (X), 0 (a draw), -1 (O).
        perfect: the length of the game under perfect play, in moves; the winner hurries, the loser delays, and both
            delay in a draw.
        longest: the length of the longest game, in moves.
    """

    game: str
    variant: str
    positions: int
    x_boxes: int
    o_boxes: int
    x_choices: int
    o_choices: int
    minimax: int
    perfect: int
    longest: int


@cache
def known_variants() -> tuple[Known, ...]:
    """Return all known variants, grouped by game.

    >>> known_variants()[0][:7]
    ('tictactoe', '3x3x3', 765, 304, 289, 304, 280)
    """
    text = importlib.resources.files("menace.games").joinpath(TABLE).read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
    return tuple(Known(game, variant, *map(int, numbers)) for game, variant, *numbers in rows)
