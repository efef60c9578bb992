"""Compares Michie's account of the tournament with what his figure shows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from menace.figures.published_curves import PublishedCurve
from menace.learners.tournament_1961 import PRINTED_GAMES
from reproductions.common import Page, verdict

SETTLED = (18, 22)  # games: all openings but the corner abandoned; variant 1 introduced
COPES = 150  # plays, after which he could get no better than draws
REPLIES_FROM = (COPES, 187, 203, PRINTED_GAMES)  # the replies that he tried after that
RUN, LOST = 10, 8  # "8 defeats in 10 successive games"; each gives the machine 3 points, another at least -1
DRAW = 1  # point
SETTLING = '"By the end of the first 20 plays the machine was settling into a stereotyped line which ensured a draw'


def account(page: Page, curve: PublishedCurve) -> None:
    """Compare his account with the printed curve."""
    score = np.interp(np.arange(PRINTED_GAMES + 1), curve.games, curve.score)
    rise = score[SETTLED[1]] - score[SETTLED[0]]
    slopes = [(score[b] - score[a]) / (b - a) for a, b in pairwise(REPLIES_FROM)]
    steepest = (score[RUN:] - score[:-RUN]).max()
    least = 3 * LOST - (RUN - LOST)
    page.heading("In his own words")
    page.text("""Michie told how he played, in words that D. Levy quotes (Robots Unlimited, at what-when-how.com; *Trial
        and Error* itself could not be had): 220 games in two sessions of eight hours, with "theoretically unsound
        variations" after the first twenty, and always by "what tactics I judged to be the most hopeful". What he says
        of their course can be held against the figure, which has 219 dots, between which the curve is drawn
        straight.""")
    page.table(
        ("he says", "holds if", "printed", "holds?"),
        [
            (
                f"{SETTLING} in face of 'best strategy'\"",
                f"games {SETTLED[0] + 1} to {SETTLED[1]} are drawn, give or take {curve.exact} points",
                f"{rise:+.0f} in {SETTLED[1] - SETTLED[0]} games",
                verdict(abs(rise - DRAW * (SETTLED[1] - SETTLED[0])) <= curve.exact),
            ),
            (
                f'after {COPES} plays "I could not get a better average result against it than a draw"',
                "it gains a point a game or more, whichever reply he tried",
                ", ".join(f"{slope:.1f}" for slope in slopes) + " a game",
                verdict(min(slopes) >= DRAW),
            ),
            (
                (
                    f'he went back to "best strategy" or gave up "after sustaining {LOST} defeats in {RUN} successive '
                    'games"'
                ),
                f"some {RUN} games bring it {least} points, give or take {curve.exact}",
                f"at most {steepest:.0f}",
                verdict(steepest >= least - curve.exact),
            ),
        ],
    )
