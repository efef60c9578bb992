"""Check the claims that Michie made in 1963. The claims and thresholds were written before the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import Bench, percent
from experiments.michie_1963.plays import (
    ARROWS,
    EMERGED,
    ENDS,
    MEASURED,
    MOST_LIKELY,
    PRINTED,
    TESTS,
    Course,
    Play,
    digits_of,
    mistakes,
    path_of,
)
from experiments.michie_1963.variation import HIS_A, INFALLIBLE, PATIENCE, STRENGTHS, infallible
from menace.arena.exact_strength import Outcomes

TWO_TO_ONE = (1.5, 2.5)  # "about 2:1": the range for the ratio of wins to losses
# strong reinforcement counts as the cause if weakening it increases the share of infallible machines by this much
CURED = 0.25
NEAR_EXPERT = 0.9  # a player is a near-expert if it draws at least this share of the last hundred plays
EXPERT_LOSES = 0.1  # the maximum share of plays that a near-expert player loses to an expert
BAND = (2.5, 97.5)  # the percentiles between which 95 % of our machines lie
Courses = dict[int, Course]

# Michie saw two runs, so these claims are judged with pairs of our runs. A pair consists of two machines with
# consecutive seeds, measured after as many plays as in Michie's first and second run, respectively.
BIAS = Claim(
    "“an inherent bias in the structure of the game in favour of the opening player, Nought, to the extent of about "
    "2:1”",
    "text, figure 5",
    f"in random play, the ratio of wins to losses is between {TWO_TO_ONE[0]:g}:1 and {TWO_TO_ONE[1]:g}:1, both"
    " exactly and as printed",
    "number",
)
FALLIBLE = {
    figure: Claim(
        text,
        f"text, figure {figure}",
        "neither of two runs is infallible at its end",
        noun="pairs",
    )
    for figure, text in (
        (7, "“neither of the duplicate runs converged to an infallible standard of play”"),
        (8, "“presents essentially similar features”: Cross does not become infallible"),
    )
}
LEARNS = Claim(
    "“presents essentially similar features”: Cross learns",
    "text, figure 8",
    "Cross loses fewer of the last hundred plays than of the first hundred",
    hardly_fails=True,  # at first, the machine moves at random
)
TOO_STRONG, NEVER_RID = (
    {
        figure: Claim(f"“{quoted}” ({who})", place, holds_if, told)
        for figure, who, place in (
            (7, "opener", "text, figure 7"),
            (8, "second player", "our reading"),
        )
    }
    for quoted, holds_if, told in (
        (
            "almost certainly because the reinforcements were too strong",
            f"with some smaller A, the share of infallible machines is at least {100 * CURED:g} points larger",
            "number",
        ),
        (
            "premature conclusions from which it never entirely rid itself",
            f"a machine not infallible after {PATIENCE[0]:,} plays is still not infallible after {PATIENCE[-1]:,}",
            "once",
        ),
    )
)
NEAR_EXPERT_PLAY = Claim(
    "“After a few hundred games the two sides were both producing near-expert play”: they draw, as experts do",
    "text, figure 9",
    f"in both of two runs, at least {100 * NEAR_EXPERT:g} % of the last hundred plays are drawn",
    noun="pairs",
)
OF_AN_EXPERT = Claim(
    "the same against an expert: both sides hold a draw against optimal play",
    "our reading",
    f"after {100 * ENDS[9][0]} plays both sides lose at most {100 * EXPERT_LOSES:g} % of their plays to `optimal`",
)
ARROW = " and ".join(f"{100 * arrow}" for arrow in ARROWS)
EMERGES = Claim(
    "“Standard play begins to emerge”",
    "figure 9, at its arrows",
    f"a play has emerged in both of two runs, after {ARROW} plays respectively",
    noun="pairs",
)
EMERGENT = tuple(
    Claim(f"“{name} play”: {digits}", f"figure 9, {which} run", f"it has emerged after {100 * arrow} plays")
    for name, digits, which, arrow in zip(("Standard", "Emergent"), EMERGED, ("first", "second"), ARROWS, strict=True)
)


def findings(
    bench: Bench, random: Outcomes, courses: Courses, strengths: dict[int, NDArray[np.float64]]
) -> list[Finding]:
    """Check Michie's claims about the program as he ran it."""
    return [
        two_to_one(random),
        *(fallible(claim, courses[figure], figure) for figure, claim in FALLIBLE.items()),
        learns(courses[8]),
        *(too_strong(claim, strengths[figure]) for figure, claim in TOO_STRONG.items()),
        *(never_rid(claim, strengths[figure]) for figure, claim in NEVER_RID.items()),
        near_expert_in_play(courses[9]),
        near_expert_against_one(courses[9]),
        a_play_emerges(courses[9]),
        *(the_play_emerges(claim, bench, courses[9], run) for run, claim in enumerate(EMERGENT)),
    ]


def of_two_runs(
    first: Sequence[bool] | NDArray[np.bool_], second: Sequence[bool] | NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether `first` is true for each machine and `second` is true for the machine with the next seed."""
    both: NDArray[np.bool_] = np.asarray(first) & np.roll(second, -1)
    return both


def two_to_one(random: Outcomes) -> Finding:
    """Measure how strongly the game favours the first player."""
    exact = random.x_wins / random.o_wins
    wins, lost = (sum(test[k] for test in TESTS.values()) for k in (0, 1))
    low, high = TWO_TO_ONE
    return BIAS.judged(
        f"exactly {exact:.2f}:1; printed {wins / lost:.2f}:1",
        low <= exact <= high and low <= wins / lost <= high,
    )


def fallible(claim: Claim, course: Course, figure: int) -> Finding:
    """Check whether neither of two runs produces an infallible machine."""
    lost = [course.exact[end][:, MEASURED[figure]] for end in ENDS[figure]]
    end = max(ENDS[figure])
    last = course.exact[end][:, MEASURED[figure]]
    return claim.counted(
        f"after {100 * end:,} plays, {100 * (last < INFALLIBLE).mean():.1f} % of the machines are infallible",
        of_two_runs(*(losses >= INFALLIBLE for losses in lost)),
    )


def learns(course: Course) -> Finding:
    """Check whether the second player learns, as the first player does."""
    first, last = (course.shares[:, hundred, 0] for hundred in (0, -1))
    measured = (
        f"Cross loses {100 * first.mean():.1f} % of the first hundred plays and {100 * last.mean():.1f} % of the last"
    )
    return LEARNS.counted(measured, last < first)


def too_strong(claim: Claim, losses: NDArray[np.float64]) -> Finding:
    """Check whether weaker reinforcement makes the machines infallible."""
    shares = infallible(losses)[:, -1]
    his = STRENGTHS.index(HIS_A)
    best = int(shares[:his].argmax())
    return claim.judged(
        f"infallible after {PATIENCE[-1]:,} plays: {100 * shares[his]:.0f} % with his A = {HIS_A:g}, and"
        f" {100 * shares[best]:.0f} % with A = {STRENGTHS[best]:g}",
        float(shares[best] - shares[his]) >= CURED,
        f"at most {100 * max(shares[best] - shares[his], 0):.0f} points more",
    )


def never_rid(claim: Claim, losses: NDArray[np.float64]) -> Finding:
    """Check whether fallible machines stay fallible."""
    his = losses[STRENGTHS.index(HIS_A)]
    early, late = (his[:, column] >= INFALLIBLE for column in (0, -1))
    return claim.counted(f"{100 * late[early].mean():.0f} % of such machines are still not infallible", late[early])


def near_expert_in_play(course: Course) -> Finding:
    """Judge the two machines by the results of their plays against each other, which Michie could see."""
    drawn = [course.shares[:, end - 1, 1] for end in ENDS[9]]
    printed = [reached[-1] - wins[-1] for wins, reached in PRINTED[9]]
    text = "; ".join(
        f"after {100 * end} plays {100 * drawn_then.mean():.1f} % (printed {as_printed} %)"
        for end, drawn_then, as_printed in zip(ENDS[9], drawn, printed, strict=True)
    )
    near = of_two_runs(*(drawn_then >= NEAR_EXPERT for drawn_then in drawn))
    return NEAR_EXPERT_PLAY.counted(f"drawn {text}", near)


def near_expert_against_one(course: Course) -> Finding:
    """Judge the two machines by their exact results against optimal play."""
    lost = course.to_optimal[ENDS[9][0]]
    return OF_AN_EXPERT.counted(
        f"the second player loses {percent(lost[:, 1])} of its plays",
        (lost <= EXPERT_LOSES).all(axis=1),
    )


def a_play_emerges(course: Course) -> Finding:
    """Check whether a single play dominates between two machines at the arrows in figure 9."""
    emerged = {
        look: np.array([play.probability >= MOST_LIKELY for play in plays]) for look, plays in course.plays.items()
    }
    text = " and ".join(f"in {100 * emerged[look].mean():.1f} % of runs after {100 * look} plays" for look in ARROWS)
    return EMERGES.counted(
        text,
        of_two_runs(*(emerged[arrow] for arrow in ARROWS)),
    )


def the_play_emerges(claim: Claim, bench: Bench, course: Course, run: int) -> Finding:
    """Check whether the play that emerged in Michie's runs also emerges in ours, after the same number of plays."""
    printed = path_of(bench, EMERGED[run])

    def emerged(look: int) -> list[bool]:
        return [play.probability >= MOST_LIKELY and play.path == printed for play in course.plays[look]]

    different = len({play.path for play in course.plays[ARROWS[run]] if play.probability >= MOST_LIKELY})
    at_arrow = emerged(ARROWS[run])
    return claim.counted(
        f"it has emerged in {100 * np.mean(at_arrow):.1f} % of runs; {different} plays have emerged in some run",
        at_arrow,
    )


def commonest(bench: Bench, plays: list[Play], most: int = 6) -> tuple[list[list[str]], int]:
    """Return table rows with the plays that emerge most often, and how many of them are draws without mistakes."""
    ours = Counter(play.path for play in plays if play.probability >= MOST_LIKELY)
    his = [path_of(bench, digits) for digits in EMERGED]
    rows, perfect = [], 0
    for path, count in ours.most_common(most):
        named = [digits for digits, his_path in zip(EMERGED, his, strict=True) if path == his_path]
        perfect += bench.positions.minimax[path[-1]] == 0 and not mistakes(bench, path)
        rows.append([digits_of(bench, path), ", ".join(named) or "-", f"{100 * count / len(plays):.1f}"])
    return rows, int(perfect)


def within(course: Course, figure: int) -> tuple[int, int]:
    """Return how many printed values are within the band of 95 % of our machines, and how many there are in total."""
    inside = total = 0
    for wins, held in PRINTED[figure]:
        for printed, ours in ((wins, course.shares[:, :, 0]), (held, course.won_or_drawn())):
            low, high = np.percentile(100 * ours[:, : len(printed)], BAND, axis=0)
            # A number read from a figure by eye may be off by one.
            inside += int(((low - 1 <= np.array(printed)) & (np.array(printed) <= high + 1)).sum())
            total += len(printed)
    return inside, total
