"""What others tell of a MENACE of theirs: one taught by random moves, and one taught by a perfect player."""

from __future__ import annotations

import math
from statistics import median

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, Bench, middle, percent, raw_numbers, study

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
PERFECT_WINS, NEAR = 40, 10  # games that a perfect player won, "usually", and by how many our median may differ
GAMES = 1_000  # after which a machine that still has beads for its first move loses hardly any more
USUALLY = Claim(
    f"“In my tests the perfect AI usually only gets ~{PERFECT_WINS} wins” before MENACE always draws",
    "github.com/mscroggs/MENACE, pull request 4 (bethune-bryant, 28 December 2017)",
    f"of machines that keep beads for their first move, the median loses within {NEAR} of so many of {GAMES:,} games",
    "number",
)


def findings() -> list[Finding]:
    """Return what they tell beside what ours come to."""
    return [*taught_by_random(), taught_by_optimal()]


def taught_by_optimal() -> Finding:
    """Teach machines of preset `scroggs` by the optimal player, and count the games that it wins."""
    bench, lost, dead = Bench(), [], 0
    for seed in range(1, MACHINES + 1):
        machine = bench.learner("scroggs", "X")
        losses = int(bench.play(machine, "optimal", GAMES, raw_numbers(seed, 0))[2])
        if sum(bench.move_values(machine, ".........").values()):
            lost.append(losses)
        else:
            dead += 1
    return USUALLY.judged(
        f"{middle(lost)} games in the median, of {len(lost)} machines; {dead} more have no bead left",
        abs(median(lost) - PERFECT_WINS) <= NEAR,
        "more" if median(lost) > PERFECT_WINS else "fewer",
    )


def taught_by_random() -> list[Finding]:
    """Teach machines of preset `menace` by random play, and compare."""
    with study(preset="menace", against="random", games=TAUGHT, seeds=MACHINES) as played:
        wins, lost = (played.array(measure)[..., -1].ravel() for measure in ("random.wins", "best_response.losses"))
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
