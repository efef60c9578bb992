"""Check two other authors' claims about their MENACE, trained against random moves and a perfect player."""

from __future__ import annotations

import math
from statistics import median

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, raw_numbers, study
from experiments.tournaments.johnson_claims import mean

TAUGHT = 10_000  # the number of training games; the author says about 10,000
WON, OF = 4757, 5353  # the numbers of games that the author's trained program won and played
MACHINES = 200
ERRORS = 2  # our share agrees with the author's if they differ by at most this many standard errors
WHERE = "cs.stackexchange.com/questions/167260"
SHARE = WON / OF
AS_HIS = Claim(
    "“it won 4757 out of 5353” against random moves, after ≈10,000 games",
    WHERE,
    f"it wins the same share of its games against random play as the author's machine ({100 * SHARE:.1f} %), to within"
    f" {ERRORS} standard errors",
    noun="machines",
)
NOT_PERFECT = Claim(
    "“but it still looses often against me”",
    WHERE,
    "it is beatable",
    noun="machines",
)
# the number of games that a perfect player "usually" won, and the maximum difference of our median from it
PERFECT_WINS, NEAR = 40, 10
GAMES = 1_000  # after this many games, a machine that still has beads for its first move hardly ever loses
USUALLY = Claim(
    f"“In my tests the perfect AI usually only gets ~{PERFECT_WINS} wins” before MENACE always draws",
    "github.com/mscroggs/MENACE, pull request 4 (2017)",
    f"among machines that keep beads for their first move, the median machine loses {PERFECT_WINS} ± {NEAR} of"
    f" {GAMES:,} games to `optimal`",
    "number",
)


def findings() -> list[Finding]:
    """Check the claims of both authors."""
    return [*taught_by_random(), taught_by_optimal()]


def taught_by_optimal() -> Finding:
    """Train machines of the preset `scroggs` against the optimal player, and count the games that this player wins."""
    bench, lost, dead = Bench(), [], 0
    for seed in range(1, MACHINES + 1):
        machine = bench.learner("scroggs", "X")
        losses = int(bench.play(machine, "optimal", GAMES, raw_numbers(seed, 0))[2])
        if sum(bench.move_values(machine, ".........").values()):
            lost.append(losses)
        else:
            dead += 1
    return USUALLY.judged(
        f"of {len(lost)} such machines, the median machine loses {median(lost):g} games; the other {dead} machines have"
        " no bead left for their first move",
        abs(median(lost) - PERFECT_WINS) <= NEAR,
        "more" if median(lost) > PERFECT_WINS else "fewer",
    )


def taught_by_random() -> list[Finding]:
    """Train machines of the preset `menace` against random play, and compare the results."""
    with study(preset="menace", against="random", games=TAUGHT, seeds=MACHINES) as played:
        wins, lost = (played.array(measure)[..., -1].ravel() for measure in ("random.wins", "best_response.losses"))
    error = math.sqrt(SHARE * (1 - SHARE) / OF)
    return [
        AS_HIS.counted(
            f"it wins {mean(wins)} %",
            (abs(win - SHARE) <= ERRORS * error for win in wins),
        ),
        NOT_PERFECT.counted(
            f"it loses {mean(lost)} % of its games to the best response", (loss > UNBEATEN for loss in lost)
        ),
    ]
