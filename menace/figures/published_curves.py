"""Published learning curves, to be drawn under those of machines.

    1961    the matchbox machine's first tournament: 219 games against Michie, one dot for each game

published-1961.csv has `game` and `score`, read off the printed figure by a program, for every second game or so: exact
to 2 or 3 points. Each win put three beads into every open box, each draw one, and each defeat took one away, so that
the score is also the beads in the first box, less the twelve that it began with.

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figure 4, reproduced
there from Trial and error, Penguin Science Survey 2 (1961), p. 139.
"""

from __future__ import annotations

import csv
import importlib.resources
from dataclasses import dataclass

FIRST_BEADS = 12  # in the box of the first move: four each for a corner, an edge and the centre


@dataclass(frozen=True)
class PublishedCurve:
    """A curve that was printed.

    Attributes:
        label: its name in a legend.
        games: from 0 on, ascending.
        score: 3 for each win so far, 1 for each draw, -1 for each loss.
        exact: how far a score may be off.
    """

    label: str
    games: tuple[int, ...]
    score: tuple[int, ...]
    exact: int

    def values(self, what: str) -> tuple[int, ...]:
        """Return the `score`, or the beads in the `first-box`, which follow from it.

        >>> curve = published_curve("1961")
        >>> curve.values("score")[0], curve.values("first-box")[0]
        (0, 12)
        """
        return self.score if what == "score" else tuple(score + FIRST_BEADS for score in self.score)


LABELS = {"1961": "Michie 1961, as printed"}


def published_curve(name: str) -> PublishedCurve:
    """Return a published curve by its name, one of LABELS.

    >>> curve = published_curve("1961")
    >>> curve.games[-1], curve.score[-1], min(curve.score)
    (219, 151, -10)
    """
    text = importlib.resources.files("menace.figures").joinpath(f"published-{name}.csv").read_text("utf-8")
    rows = [(int(row["game"]), int(row["score"])) for row in csv.DictReader(text.splitlines())]
    games, score = zip(*rows, strict=True)
    return PublishedCurve(LABELS[name], games, score, exact=3)
