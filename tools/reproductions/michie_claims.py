"""Michie 1963, claim by claim in his words. The thresholds were written before the run."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import Outcomes
from reproductions.common import Bench, Claim, percent, verdict
from reproductions.michie_plays import (
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
from reproductions.michie_variation import HIS_A, INFALLIBLE, PATIENCE, STRENGTHS, infallible

TWO_TO_ONE = (1.5, 2.5)  # wins to losses that are "about 2:1"
AS_LIKELY_AS_NOT = 0.5  # of two runs like his, that both are as he says
CURED = 0.25  # of all machines: how many more a weaker reinforcement must make infallible to have been the cause
NEVER_RID = 0.5  # of the machines that were fallible, how many must be so still
NEAR_EXPERT = 0.9  # drawn, of the last hundred plays
EXPERT_LOSES = 0.1  # how often who plays nearly as an expert may lose to one
MOST = 0.5  # of the machines, to be called what usually happens
BAND = (2.5, 97.5)  # percentiles of our machines between which 95 % of them lie
Courses = dict[int, Course]


def claims(bench: Bench, random: Outcomes, courses: Courses, strengths: dict[int, NDArray[np.float64]]) -> list[Claim]:
    """Return what he claims of the program as it was run, beside what was measured."""
    return [
        two_to_one(random),
        fallible(courses[7], 7, "“neither of the duplicate runs converged to an infallible standard of play”"),
        fallible(courses[8], 8, "“presents essentially similar features”: Cross does not become infallible"),
        learns(courses[8]),
        *(too_strong(strengths[figure], figure) for figure in (7, 8)),
        *(never_rid(strengths[figure], figure) for figure in (7, 8)),
        near_expert_in_play(courses[9]),
        near_expert_against_one(courses[9]),
        a_play_emerges(courses[9]),
        *(the_play_emerges(bench, courses[9], run) for run in (0, 1)),
    ]


def two_to_one(random: Outcomes) -> Claim:
    """Judge the bias of the game."""
    exact = random.x_wins / random.o_wins
    wins, lost = (sum(test[k] for test in TESTS.values()) for k in (0, 1))
    low, high = TWO_TO_ONE
    return Claim(
        "“an inherent bias in the structure of the game in favour of the opening player, Nought, to the extent of about"
        " 2:1”",
        f"exactly {exact:.2f}:1; printed {wins}:{lost}, which is {wins / lost:.2f}:1",
        verdict(low <= exact <= high and low <= wins / lost <= high),
        "text to figure 5",
        f"between {low:g}:1 and {high:g}:1, exactly and as printed",
    )


def fallible(course: Course, figure: int, claim: str) -> Claim:
    """Judge whether both of two runs like his stay fallible."""
    lost = {end: exact[:, MEASURED[figure]] for end, exact in course.exact.items()}
    shares = [float((lost[end] < INFALLIBLE).mean()) for end in ENDS[figure]]
    both = (1 - shares[0]) * (1 - shares[1])
    each = zip(ENDS[figure], shares, strict=True)
    text = " and ".join(f"{100 * share:.1f} % after {100 * end:,} plays" for end, share in each)
    last = lost[max(lost)]
    return Claim(
        claim,
        f"infallible are {text}, so both of two runs stay fallible with probability {both:.2f}; they lose"
        f" {percent(last)} of their plays against random play, exactly",
        verdict(both >= AS_LIKELY_AS_NOT, "more often one of two or both come to be infallible"),
        f"text to figure {figure}",
        f"two runs are both fallible with probability {AS_LIKELY_AS_NOT:g} or more; infallible: loses less than"
        f" {100 * INFALLIBLE:g} %",
    )


def learns(course: Course) -> Claim:
    """Judge whether the second player learns, as the first does."""
    first, last = (course.shares[:, hundred, 0] for hundred in (0, -1))
    share = float((last < first).mean())
    return Claim(
        "“presents essentially similar features”: Cross learns",
        f"loses {percent(first)} of the first hundred plays, {percent(last)} of the last; less in {100 * share:.1f} %"
        " of the machines",
        verdict(share >= MOST),
        "text to figure 8",
        f"it loses less of the last hundred than of the first in {100 * MOST:g} % of the machines or more",
    )


def too_strong(losses: NDArray[np.float64], figure: int) -> Claim:
    """Judge whether weaker reinforcements make the machines infallible."""
    shares, lost = infallible(losses)[:, -1], losses[:, :, -1].mean(axis=1)
    his = STRENGTHS.index(HIS_A)
    best = int(shares[:his].argmax())
    most = int(lost.argmin())
    who = {7: "opener", 8: "second player"}[figure]
    return Claim(
        f"“almost certainly because the reinforcements were too strong” ({who})",
        f"after {PATIENCE[-1]:,} plays {100 * shares[his]:.0f} % are infallible with A = {HIS_A:g}, and with weaker"
        f" ones at most {100 * shares[best]:.0f} %, with A = {STRENGTHS[best]:g}; on average they lose"
        f" {100 * lost[his]:.2f} % with his A, and least, {100 * lost[most]:.2f} %, with A = {STRENGTHS[most]:g}",
        verdict(
            float(shares[best] - shares[his]) >= CURED,
            f"weaker ones make at most {100 * max(shares[best] - shares[his], 0):.0f} points more of them infallible",
        ),
        "text to figure 7",
        f"some smaller A makes {100 * CURED:g} points more of the machines infallible",
    )


def never_rid(losses: NDArray[np.float64], figure: int) -> Claim:
    """Judge whether who is fallible stays so."""
    early, late = (losses[STRENGTHS.index(HIS_A), :, column] >= INFALLIBLE for column in (0, -1))
    share = float(late[early].mean())
    who = {7: "opener", 8: "second player"}[figure]
    return Claim(
        f"“premature conclusions from which it never entirely rid itself” ({who})",
        f"of the machines that are fallible after {PATIENCE[0]:,} plays {100 * share:.0f} % still are after"
        f" {PATIENCE[-1]:,}; all of them then lose {percent(losses[STRENGTHS.index(HIS_A), :, -1])}",
        verdict(share >= NEVER_RID),
        "text to figure 7",
        f"{100 * NEVER_RID:g} % of them or more",
    )


def near_expert_in_play(course: Course) -> Claim:
    """Judge the two by what Michie saw: their plays."""
    drawn = [course.shares[:, end - 1, 1] for end in ENDS[9]]
    shares = [float((drawn_then >= NEAR_EXPERT).mean()) for drawn_then in drawn]
    printed = [reached[-1] - wins[-1] for wins, reached in PRINTED[9]]
    text = "; ".join(
        f"after {100 * end} plays {percent(drawn_then)}, {100 * NEAR_EXPERT:g} % or more"
        f" in {100 * share:.1f} % of the pairs"
        f" (printed {as_printed} %)"
        for end, drawn_then, share, as_printed in zip(ENDS[9], drawn, shares, printed, strict=True)
    )
    return Claim(
        "“After a few hundred games the two sides were both producing near-expert play”: they draw, as experts do",
        f"drawn in the last hundred: {text}",
        verdict(min(shares) >= MOST, f"not yet after {100 * ENDS[9][int(np.argmin(shares))]} plays"),
        "text to figure 9",
        f"in {100 * MOST:g} % of the pairs or more, {100 * NEAR_EXPERT:g} % of the last hundred is drawn",
    )


def near_expert_against_one(course: Course) -> Claim:
    """Judge the two by an expert: exactly."""
    lost = course.to_optimal[ENDS[9][0]]
    both = float((lost <= EXPERT_LOSES).all(axis=1).mean())
    return Claim(
        "the same, asked of an expert: both hold a draw against optimal play, too",
        f"after {100 * ENDS[9][0]} plays the first player loses {percent(lost[:, 0])} to it, the second"
        f" {percent(lost[:, 1])}; both at most {100 * EXPERT_LOSES:g} % in {100 * both:.1f} % of the pairs",
        verdict(both >= MOST, "each knows the other's plays, not an expert's"),
        "our reading",
        f"in {100 * MOST:g} % of the pairs or more, both lose at most {100 * EXPERT_LOSES:g} % to the optimal player",
    )


def a_play_emerges(course: Course) -> Claim:
    """Judge whether the plays of a pair become one play."""
    shares, whole = (
        [float(np.mean([getattr(play, which) >= MOST_LIKELY for play in course.plays[end]])) for end in ENDS[9]]
        for which in ("probability", "whole")
    )
    text = ", ".join(
        f"after {100 * end} plays in {100 * share:.1f} % of the pairs ({100 * to_the_end:.1f} % if followed to its last"
        " move)"
        for end, share, to_the_end in zip(ENDS[9], shares, whole, strict=True)
    )
    return Claim(
        "“Standard play begins to emerge”",
        f"one play comes more often than all others together {text}",
        verdict(min(shares) >= MOST, "most pairs still vary their play"),
        "figure 9",
        f"so in {100 * MOST:g} % of the pairs or more after {100 * ENDS[9][0]} plays, and after {100 * ENDS[9][1]}",
    )


def the_play_emerges(bench: Bench, course: Course, run: int) -> Claim:
    """Judge whether his own emergent play is one of ours."""
    end, printed = ENDS[9][run], path_of(bench, EMERGED[run])
    ours = [play for play in course.plays[end] if play.probability >= MOST_LIKELY]
    same, likeliest = (sum(play.path == printed for play in plays) for plays in (ours, course.plays[end]))
    different = len({play.path for play in ours})
    return Claim(
        f"“{('Standard play', 'Emergent play')[run]}”: {EMERGED[run]}",
        f"in {same} of {len(course.plays[end]):,} pairs after {100 * end} plays, among {different} different plays that"
        f" emerge (the likeliest play of {likeliest}, counting those where it is still rarer than the others together);"
        f" mistakes in it under perfect play: {mistakes(bench, printed)}",
        verdict(same > 0, "it is not among ours"),
        f"figure 9, {('first', 'second')[run]} run",
        "it emerges in a pair of ours, too",
    )


def commonest(bench: Bench, plays: list[Play], most: int = 6) -> list[list[str]]:
    """Return the plays that emerge most often, as rows of a table."""
    ours = Counter(play.path for play in plays if play.probability >= MOST_LIKELY)
    his = [path_of(bench, digits) for digits in EMERGED]
    rows = []
    for path, count in ours.most_common(most):
        named = [digits for digits, his_path in zip(EMERGED, his, strict=True) if path == his_path]
        end = {1: "Nought wins", 0: "drawn", -1: "Cross wins"}[int(bench.positions.minimax[path[-1]])]
        share = f"{100 * count / len(plays):.1f} %"
        rows.append([digits_of(bench, path), ", ".join(named) or "-", share, end, str(mistakes(bench, path))])
    return rows


def within(course: Course, figure: int) -> tuple[int, int]:
    """Return how many of the printed numbers lie within the band of 95 % of our machines, and of how many."""
    inside = total = 0
    for wins, held in PRINTED[figure]:
        for printed, ours in ((wins, course.shares[:, :, 0]), (held, course.won_or_drawn())):
            low, high = np.percentile(100 * ours[:, : len(printed)], BAND, axis=0)
            # A number that was read off may be one off.
            inside += int(((low - 1 <= np.array(printed)) & (np.array(printed) <= high + 1)).sum())
            total += len(printed)
    return inside, total
