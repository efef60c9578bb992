"""Known variants of games, with the results of enumerating them (positions, boxes, value).

known.csv has them; tools/docs/make_rules.py makes it, and can check it.
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache
from typing import NamedTuple

TABLE = "known.csv"


class Known(NamedTuple):
    """A variant of a game.

    Attributes:
        game, variant: as `menace init` takes them.
        positions: how many there are, with symmetry.
        x_boxes, o_boxes: in how many of them X or O has more than one action: the boxes of a machine.
        x_choices, o_choices: in how many of these the actions are not all equivalent, so that there is a real choice.
        minimax: who wins by perfect play: 1 (X), 0 (nobody), -1 (O).
        perfect: how many moves that game lasts: the winner hurries, the loser delays, in a draw both do.
        longest: the most moves that a game can last.
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
    """Return them, game by game.

    >>> known_variants()[0][:7]
    ('tictactoe', '3x3x3', 765, 304, 289, 304, 280)
    """
    text = importlib.resources.files("menace.games").joinpath(TABLE).read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
    return tuple(Known(game, variant, *map(int, numbers)) for game, variant, *numbers in rows)
