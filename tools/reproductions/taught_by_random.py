"""What was asked at cs.stackexchange.com of a MENACE that has played random moves alone."""

from __future__ import annotations

import math

from reproductions.claims import Claim, Finding
from reproductions.common import UNBEATEN, Bench, percent, raw_numbers

TAUGHT = 10_000  # games, about, as he says
WON, OF = 4757, 5353  # games that his program won afterwards, and played
MACHINES = 200
ERRORS = 2  # standard errors of his count, within which ours is as his
WHERE = "cs.stackexchange.com/questions/167260"
SHARE = WON / OF
AS_HIS = Claim(
    "“it won 4757 out of 5353” against random moves, after ≈10,000 games",
    WHERE,
    f"it wins {100 * SHARE:.1f} % of its games with random play, exactly, give or take {ERRORS} standard errors of his",
    noun="machines",
)
NOT_PERFECT = Claim(
    "“but it still looses often against me”",
    WHERE,
    "the opponent made for it wins sometimes",
    noun="machines",
)


def findings() -> list[Finding]:
    """Teach machines of preset `menace` by random play, and compare."""
    bench, wins, lost = Bench(), [], []
    for seed in range(1, MACHINES + 1):
        machine = bench.learner("menace", "X")
        bench.play(machine, "random", TAUGHT, raw_numbers(seed, 0))
        wins.append(bench.against(machine, "random", "behaviour").win)
        lost.append(bench.worst(machine, "behaviour").loss)
    error = math.sqrt(SHARE * (1 - SHARE) / OF)
    return [
        AS_HIS.counted(
            f"after {TAUGHT:,} games preset `menace` wins {percent(wins)}",
            (abs(win - SHARE) <= ERRORS * error for win in wins),
        ),
        NOT_PERFECT.counted(
            f"to the opponent made for it, it then loses {percent(lost)}", (loss > UNBEATEN for loss in lost)
        ),
    ]
