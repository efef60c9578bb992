"""Compare Michie's written account of the tournament with his figure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from experiments.claims import Claim, Finding
from menace.figures.curves import PublishedCurve, published_curve
from menace.learners.opponents.fixed import PRINTED_GAMES

PRINTED = published_curve("1961")
# the games at which the machine abandons all openings except the corner and Michie introduces variant 1
SETTLED = (18, 22)
COPES = 150  # the play after which Michie could do no better than draw
REPLIES_FROM = (COPES, 187, 203, PRINTED_GAMES)  # the first game in which Michie tried each of his later replies
RUN, LOST = 10, 8  # "8 defeats in 10 successive games": a defeat gives 3 points, and any other game gives at least -1
DRAW = 1  # in points
LEAST = 3 * LOST - (RUN - LOST)
WHERE = "Michie, quoted by David Levy"
# We compare Michie's account with the printed curve for the same tournament, not with our machines.
SETTLING = Claim(
    '"By the end of the first 20 plays the machine was settling into a stereotyped line which ensured a draw in face '
    "of 'best strategy'\"",
    WHERE,
    f"in games {SETTLED[0] + 1} to {SETTLED[1]} the score rises by {DRAW} per game (a draw),"
    f" within {PRINTED.exact} points",
    "printed",
)
NO_BETTER = Claim(
    f'after {COPES} plays "I could not get a better average result against it than a draw"',
    WHERE,
    f"with every reply that he tried, the score rises by at least {DRAW} per game",
    "printed",
)
DEFEATS = Claim(
    f'he went back to "best strategy" or gave up "after sustaining {LOST} defeats in {RUN} successive games"',
    WHERE,
    f"in some sequence of {RUN} games the score rises by {LEAST} ({LOST} wins and 2 losses of MENACE), within"
    f" {PRINTED.exact} points",
    "printed",
)


def account(curve: PublishedCurve) -> list[Finding]:
    """Compare Michie's account with the printed curve, interpolated between its dots."""
    score = np.interp(np.arange(PRINTED_GAMES + 1), curve.games, curve.score)
    rise = score[SETTLED[1]] - score[SETTLED[0]]
    slopes = [(score[b] - score[a]) / (b - a) for a, b in pairwise(REPLIES_FROM)]
    steepest = (score[RUN:] - score[:-RUN]).max()
    return [
        SETTLING.judged(
            f"the score rises by {rise:.0f} in these {SETTLED[1] - SETTLED[0]} games",
            bool(abs(rise - DRAW * (SETTLED[1] - SETTLED[0])) <= curve.exact),
        ),
        NO_BETTER.judged(f"the score rises by at least {min(slopes):.1f} per game", bool(min(slopes) >= DRAW)),
        DEFEATS.judged(
            f"the score rises by up to {steepest:.0f} in {RUN} games", bool(steepest >= LEAST - curve.exact)
        ),
    ]
