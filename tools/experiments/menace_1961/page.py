"""The page menace-1961: the claims about MENACE's first tournament."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import Bench
from experiments.menace_1961.account import account
from experiments.menace_1961.figures import curves, first_box, strength
from experiments.menace_1961.tournament import (
    ABANDONS,
    BAND,
    CENTRE,
    CORNER,
    EDGE,
    FITS_BETTER,
    INSIDE,
    MACHINES,
    MORE_MACHINES,
    NEAR,
    PRINTED,
    PRINTED_OUTCOMES,
    PROWESS,
    RULES,
    SLOPE_GAMES,
    STAGES,
    Tournament,
    play_all,
    play_one,
)
from experiments.page import Page, ranged
from menace.arena.exact_strength import Strength, against, strength_against_best_response
from menace.figures.kinds.game_by_game import FIRST_BEADS
from menace.games.base import Side
from menace.learners.opponents.fixed import PRINTED_GAMES, fixed_policy

PAPER = "D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963)"
NAMES = {
    "resign": "resigns (preset `michie-1961`)",
    "restock": "gets its first beads back",
    "random": "plays any cell",
    "8,4,2,1": "resigns; beads 8, 4, 2, 1",
    "optimal": "resigns; Michie otherwise `optimal`",
}
SHOWN_GAMES = (57, 130, 219)
LOWEST = 2  # beads left in the first box, by the curve
SAMPLED = 40  # machines that the tests repeat

# The claims; tournament.py has the thresholds.
LEVELS = Claim(
    '"drops one level for a defeat, rises one level for a draw and rises three levels for a victory": so the '
    "curve is the number of beads in the first box, less twelve",
    "figure 4, caption",
    "the two never differ for a machine that survives",
    "law",
    noun="machines",
)
ABANDONED = Claim(
    f'game {ABANDONS}: "machine abandons all openings other than" the corner',
    "figure 4",
    "a machine that has a bead left then has beads for the corner only",
    noun="machines",
)
COURSE = Claim(
    "the course as printed",
    "figure 4",
    f"the curve is within {NEAR:.0f} points of the printed one on average and never below -12, and the machine opens "
    "in a corner at the end",
    noun="machines",
)
CURVE = Claim(
    "the score as printed, for any course",
    "figure 4",
    f"{100 * INSIDE:.0f} % of the printed points, within {PRINTED.exact} points, are in the band of "
    f"{BAND[1] - BAND[0]} % of the surviving machines",
    "number",
)
SLOPE = Claim(
    '"The slope of the line of dots measures the prowess of the machine at any stage"',
    "the matchbox machine",
    f"in the median machine the rank correlation with the exact score is {PROWESS} against each of three opponents",
    "number",
)


def share(part: float | np.floating, digits: int = 1) -> str:
    """Return a share in percent."""
    return f"{100 * float(part):.{digits}f} %"


def quantiles(values: NDArray[np.int64]) -> str:
    """Return the median, with the ends of the band as its range."""
    low, middle, high = np.percentile(values, (BAND[0], 50, BAND[1]))
    return f"{middle:.0f}" + ranged(f"{low:.0f}", f"{high:.0f}")


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value; equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation, or 0 if one of the two is constant."""
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def score_of(strength: Strength) -> float:
    """Return the mean change of the score in Michie's figure per game."""
    return 3 * strength.win + strength.draw - strength.loss


def along_the_way(
    bench: Bench, tournament: Tournament, seeds: list[int]
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Return the exact score against each opponent at each stage, and the slope before it, [machines, stages] each."""
    rows: dict[str, list[list[float]]] = {"random": [], "perfect": [], "its best response": []}
    positions = bench.positions
    fixed = {name: fixed_policy(name, positions, Side.O.number) for name in ("random", "perfect")}
    for seed in seeds:
        machines = play_one(bench, RULES["resign"], seed, STAGES)[4]
        policies = [machine.policy("behaviour") for machine in machines]
        for name, opponent in fixed.items():
            rows[name].append([score_of(against(policy, opponent)) for policy in policies])
        rows["its best response"].append([score_of(strength_against_best_response(policy)) for policy in policies])
    at = np.array(STAGES)
    scores = tournament.score[[seed - 1 for seed in seeds]]
    slope = (scores[:, at] - scores[:, at - SLOPE_GAMES]) / SLOPE_GAMES
    return {name: np.array(values) for name, values in rows.items()}, slope


def rule_rows(tournaments: dict[str, Tournament]) -> list[list[str]]:
    """Return one row of results for each rule."""
    rows = []
    for name, tournament in tournaments.items():
        lived, died = tournament.alive, tournament.lived[~tournament.alive]
        opens = [share((tournament.opens[lived] == opening).mean(), 0) for opening in (CORNER, EDGE, CENTRE)]
        rows.append(
            [
                NAMES[name],
                share(lived.mean()),
                f"{np.median(died):.0f}" if len(died) else "-",
                ", ".join(opens),
                *(quantiles(tournament.score[lived][:, game]) for game in SHOWN_GAMES),
                share((tournament.score.min(axis=1) < -FIRST_BEADS).mean()),
                share(tournament.near.mean()),
                share(tournament.as_printed.mean()),
            ]
        )
    return rows


def outcome_rows(tournaments: dict[str, Tournament]) -> list[list[str]]:
    """Return the printed outcomes and the mean outcomes of machines that did all that is printed."""
    rows = [["printed, 1961 (counted roughly from the dots)", "1", *map(str, PRINTED_OUTCOMES)]]
    for name, means in mean_outcomes(tournaments).items():
        which = tournaments[name].as_printed
        cells = [f"{value:.0f}" for value in means]
        rows.append([f"Michie otherwise `{RULES[name].otherwise}`", str(int(which.sum())), *cells])
    return rows


def mean_outcomes(tournaments: dict[str, Tournament]) -> dict[str, NDArray[np.float64]]:
    """Return the mean games won, drawn and lost by machines that did as printed, for two versions of Michie."""
    return {
        name: tournaments[name].outcomes[tournaments[name].as_printed].mean(axis=0) for name in ("resign", "optimal")
    }


def outcome_gaps(tournaments: dict[str, Tournament]) -> dict[str, float]:
    """Return the sum of the differences between these means and the printed numbers."""
    return {name: float(np.abs(m - np.array(PRINTED_OUTCOMES)).sum()) for name, m in mean_outcomes(tournaments).items()}


def correlations(scores: dict[str, NDArray[np.float64]], slope: NDArray[np.float64]) -> dict[str, float]:
    """Return the median machine's rank correlation of slope and exact score for each opponent."""
    return {
        name: float(np.median([rank_correlation(*pair) for pair in zip(values, slope, strict=True)]))
        for name, values in scores.items()
    }


def findings(tournaments: dict[str, Tournament], larger: Tournament, slopes: dict[str, float]) -> list[Finding]:
    """Compare the printed results with our measurements."""
    resigning = tournaments["resign"]
    started = np.flatnonzero(resigning.alive)
    off = np.abs(resigning.in_first_box[started] - resigning.score[started] - FIRST_BEADS).max(axis=1)
    here = larger.lived > ABANDONS
    inside = resigning.inside(resigning.alive)
    return [
        LEVELS.counted(f"the two differ by at most {off.max()}", off == 0),
        ABANDONED.counted(
            f"{share(larger.abandoned[here].mean())} of the machines have beads for the corner only",
            larger.abandoned[here],
        ),
        COURSE.counted(f"{share(larger.as_printed.mean())} of the machines do all that is printed", larger.as_printed),
        CURVE.judged(
            f"{share(inside)} of the printed points are in the band of 90 % of our machines", inside >= INSIDE
        ),
        SLOPE.judged(
            "rank correlation with exact strength: "
            + ", ".join(f"{value:.2f} against {name}" for name, value in slopes.items()),
            min(slopes.values()) >= PROWESS,
            "it measures the machine and its opponent together",
        ),
        *account(PRINTED),
    ]


def of_an_empty_box(tournaments: dict[str, Tournament]) -> str:
    """Return a sentence on the rule for an empty box that fits the printed curve better."""
    shares = {name: float(tournaments[name].as_printed.mean()) for name in ("resign", "restock")}
    better = max(shares, key=lambda name: shares[name])
    ratio = shares[better] / max(min(shares.values()), 1 / MACHINES)
    return (
        f"The machine that {NAMES[better]} fits better."
        if ratio >= FITS_BETTER
        else f"The figure does not decide: neither rule does as printed {FITS_BETTER:g} times as often as the other."
    )


def sample() -> list[str]:
    """Return results of the first machines, which the tests repeat."""
    tournament = play_all(Bench(), RULES["resign"], range(1, SAMPLED + 1))
    mean, died = tournament.score[tournament.alive].mean(axis=0), tournament.lived[~tournament.alive]
    return [
        f"{int(tournament.alive.sum())} of machines 1 to {SAMPLED} survived",
        f"mean games until the first boxes of the others were empty: {died.mean():.4f}",
        *(f"mean score of the survivors after game {game}: {mean[game]:.4f}" for game in SHOWN_GAMES),
    ]


def lived_text(tournament: Tournament) -> str:
    """Return the shares of survivors among machines that agree with more and more of the figure."""
    two = tournament.in_first_box[:, ABANDONS] == LOWEST
    parts = {
        "of all machines": np.full(len(two), True),
        f"of machines with two beads left after game {ABANDONS}": two,
        "of machines with two beads for the corner": two & tournament.abandoned,
    }
    return ", ".join(
        f"{share(alive.mean())} {words} ({int(alive.sum()):,} of {alive.size:,})"
        for words, alive in ((words, tournament.alive[which]) for words, which in parts.items())
    )


def corner_gap(tournament: Tournament) -> float:
    """Return the mean distance from the printed curve to the median of the survivors that open in a corner."""
    middle = np.median(tournament.score[tournament.alive & (tournament.opens == CORNER)], axis=0)
    return float(np.abs(middle[list(PRINTED.games)] - np.array(PRINTED.score)).mean())


def introduce(page: Page) -> None:
    """Describe the source and our runs."""
    page.text(f"""{PAPER}, figure 4, shows {PRINTED_GAMES} games against Michie himself, with one dot for each game. It
        repeats *Trial and Error*, Penguin Science Survey 2 (1961), p. 139. Notes give his reply to the corner opening:
        v0, the centre. It is v1, the opposite corner, from game 22 and v0 again from 58. It is v2, the adjacent edge,
        from 77; v3, an adjacent corner, from 105; v4, a far edge, from 131. It is v1 from 187, v0 "but with
        subvariants" from 203, and "best strategy" from 218. A program read the dots to within {PRINTED.exact}
        points.""")
    page.text("""Preset `michie-1961` plays against the fixed opponent `michie-1961`. Where nothing is printed, two
        rules are ours. Our Michie plays perfectly: he wins as soon and loses as late as he can, and chooses evenly
        among equals. A machine loses at an empty box, because it resigns; if its first box is empty, it *died*.""")


def reproduce(folder: Path) -> None:
    """Play all tournaments, compare, and write the page."""
    bench = Bench()
    larger = play_all(bench, RULES["resign"], range(1, MORE_MACHINES + 1))
    tournaments = {"resign": larger.first(MACHINES)}
    tournaments |= {name: play_all(bench, RULES[name], range(1, MACHINES + 1)) for name in list(RULES)[1:]}
    seeds = (np.flatnonzero(larger.as_printed) + 1).tolist()
    scores, slope = along_the_way(bench, larger, seeds)
    resigning = tournaments["resign"]
    page = Page(folder, "menace-1961", "MENACE's maiden tournament, 1961")
    page.summary(
        f"""Michie printed the first matchbox machine's score in {PRINTED_GAMES} games against him, and described the
        tournament in words.""",
        f"""{MACHINES:,} machines for each of {len(RULES)} rules play against an opponent that replies as Michie did.
        Preset `michie-1961` has {MORE_MACHINES:,}.""",
        f"""Of the preset's machines, {share(larger.alive.mean())} survive and {share(larger.as_printed.mean())}
        reproduce all that is printed. His machine's score is ordinary; its course is rare.""",
    )
    introduce(page)
    page.figure(
        curves(resigning),
        "curves",
        f"""The printed curve and {MACHINES:,} machines of ours. Lines are medians of the survivors, and bands contain
        {BAND[1] - BAND[0]} % of them. Dotted lines mark Michie's changes of reply (* "but with subvariants", † "best
        strategy").""",
    )
    page.claims(findings(tournaments, larger, correlations(scores, slope)))
    page.text("""D. Levy (Robots Unlimited, at what-when-how.com) quotes Michie; *Trial and Error* itself was
        unavailable. Claims 6 to 8 compare his words with his own figure. We ran nothing for them, so their verdict is
        *consistent*.""")
    page.heading("How near the machine was to its end")
    beads = dict(zip(PRINTED.games, PRINTED.values("first-box"), strict=True))
    at, again = beads[ABANDONS], ", ".join(str(game) for game in beads if game > ABANDONS and beads[game] == LOWEST)
    page.figure(
        first_box(resigning, tournaments["8,4,2,1"]),
        "first-box",
        "Beads in Michie's first box (left), and the share of our machines with a bead left in theirs (right).",
    )
    page.text(f"""After game {ABANDONS} the curve is at {at - FIRST_BEADS}, so {at} beads were left, both for the
        corner. (Each game changes the number by +1, +3 or -1, so it is even then: two, or four if the dot was read too
        low.) The curve was as low again after games {again}.""")
    page.text(f"""The survivors are {lived_text(larger)}.""")
    lived = resigning.opens[resigning.alive]
    page.text(f"""With four beads of each colour {share((lived == CENTRE).mean())} of the survivors open in the centre
        at the end. They never meet Michie's changes of reply, so their curves rise above the printed one. Only
        {share((lived == CORNER).mean())} open in a corner, as his machine did; their median is
        {corner_gap(resigning):.1f} points from the printed curve on average.""")
    page.heading("The rule for an empty box")
    page.text(f"""Scores are medians over the survivors. *Near* means within {NEAR:.0f} points of the printed curve on
        average. *As printed* means near, never below -12, and opening in a corner at the end.""")
    header = ["an empty box ...", "survived", "died after (median)", "opens corner, edge, centre"]
    page.table(
        [*header, *(f"after {game}" for game in SHOWN_GAMES), "below -12", "near", "as printed"],
        rule_rows(tournaments),
        f"middle {BAND[1] - BAND[0]} % of the machines",
    )
    page.text(f"""If first beads are put back, a curve can fall below -12, and openings return that Michie's machine had
        abandoned at game 18. The paper does not mention empty boxes. {of_an_empty_box(tournaments)}""")
    page.heading("Games won, drawn and lost")
    page.text("""The rows show means over the machines that did as printed. After v1 to v4 all of Michie's moves lose:
        `perfect` loses as late as possible; `optimal` plays any move.""")
    page.table(["", "machines", "won", "drawn", "lost"], outcome_rows(tournaments))
    gaps = outcome_gaps(tournaments)
    closest = min(gaps, key=lambda name: gaps[name])
    page.text(f"""`{RULES[closest].otherwise}` is closer: its differences add up to {gaps[closest]:.0f} games, and the
        other's to {max(gaps.values()):.0f}. Michie may have played carelessly in lost positions.""")
    page.figure(
        strength(scores, slope),
        "strength",
        f"""Exact points per game of the {len(seeds)} machines that did as printed, and the slopes of their curves.
        Lines are medians, and bands contain the middle half.""",
    )
    page.sample(sample())
    page.write()
