"""Write the page menace-1961, about MENACE's first tournament."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

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
from experiments.page import BEADS, MICHIES_BEADS, Page, ranged
from menace.arena.exact_strength import Strength, against, strength_against_best_response
from menace.figures.curves import FIRST_BEADS
from menace.games.base import Side
from menace.learners.opponents.fixed import PRINTED_GAMES, fixed_policy

PAPER = "Donald Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963)"
RESIGNS = "A machine that reaches an empty box resigns and loses the game."
NAMES = {
    "resign": "resigns (preset `michie-1961`)",
    "restock": "refills it",
    "random": "plays any cell",
    "8,4,2,1": "resigns; beads 8, 4, 2, 1",
    "optimal": "resigns; Michie otherwise `optimal`",
}
REPLIES = [
    ["v0", "the centre", "1, 58, 203"],
    ["v1", "the opposite corner", "22, 187"],
    ["v2", "the adjacent edge", "77"],
    ["v3", "an adjacent corner", "105"],
    ["v4", "a far edge", "131"],
]
SHOWN_GAMES = (57, 130, 219)
# the arrays returned by `along_the_way`
Strengths: TypeAlias = tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]
LOWEST = 2  # the minimum number of beads in the first box, according to the curve
SAMPLED = 40  # the number of machines that the tests replay

# The claims; their thresholds are in tournament.py.
COURSE = Claim(
    "the printed course: a machine follows the curve and opens in a corner at the end",
    "figure 4",
    "the machine plays *as printed*",
    noun="machines",
)
CURVE = Claim(
    "the printed scores, whatever the machine's course",
    "figure 4",
    f"at least {100 * INSIDE:.0f} % of the printed points, read to within {PRINTED.exact} points, are "
    f"among the middle {BAND[1] - BAND[0]} % of the surviving machines",
    "number",
)
LEVELS = Claim(
    '"drops one level for a defeat, rises one level for a draw and rises three levels for a victory", so the curve'
    " shows the number of beads in the first box minus the initial twelve",
    "figure 4, caption",
    "the two numbers never differ",
    "law",
    noun="surviving machines",
    hardly_fails=True,
)
ABANDONED = Claim(
    f'game {ABANDONS}: "machine abandons all openings other than" the corner',
    "figure 4",
    f"after game {ABANDONS} the first box contains beads for the corner only",
    noun=f"machines left after game {ABANDONS}",
)
SLOPE = Claim(
    '"The slope of the line of dots measures the prowess of the machine at any stage"',
    "the matchbox machine",
    f"for the median machine, the rank correlation between slope and exact strength is at least {PROWESS}, against each"
    " of random play, a perfect player and the machine's best response",
    "number",
)


def share(part: float | np.floating, digits: int = 1) -> str:
    """Return a share as a percentage."""
    return f"{100 * float(part):.{digits}f} %"


def quantiles(values: NDArray[np.int64]) -> str:
    """Return the median, followed by the limits of the band."""
    low, middle, high = np.percentile(values, (BAND[0], 50, BAND[1]))
    return f"{middle:.0f}" + ranged(f"{low:.0f}", f"{high:.0f}")


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value. Equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation, or 0 if one of the two arrays is constant."""
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def score_of(strength: Strength) -> float:
    """Return the mean change per game of the score that Michie's figure shows."""
    return 3 * strength.win + strength.draw - strength.loss


def along_the_way(bench: Bench, tournament: Tournament, seeds: list[int]) -> Strengths:
    """Return the exact scores against each opponent, and the slopes up to each score, as arrays [machines, stages]."""
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
        opens = (share((tournament.opens[lived] == opening).mean(), 0) for opening in (CORNER, EDGE, CENTRE))
        rows.append(
            [
                NAMES[name],
                share(lived.mean()),
                f"{np.median(died):.0f}" if len(died) else "-",
                *opens,
                *(quantiles(tournament.score[lived][:, game]) for game in SHOWN_GAMES),
                share((tournament.score.min(axis=1) < -FIRST_BEADS).mean()),
                share(tournament.near.mean()),
                share(tournament.as_printed.mean()),
            ]
        )
    return rows


def outcome_rows(tournaments: dict[str, Tournament]) -> list[list[str]]:
    """Return rows with the printed outcomes and with the mean outcomes of the machines that reproduce the figure."""
    rows = [["printed, 1961 (counted roughly from the dots)", "1", *map(str, PRINTED_OUTCOMES)]]
    for name, means in mean_outcomes(tournaments).items():
        which = tournaments[name].as_printed
        cells = [f"{value:.0f}" for value in means]
        rows.append([f"Michie otherwise `{RULES[name].otherwise}`", str(int(which.sum())), *cells])
    return rows


def mean_outcomes(tournaments: dict[str, Tournament]) -> dict[str, NDArray[np.float64]]:
    """Return the mean wins, draws and losses of the machines that reproduce the figure, for two opponents."""
    return {
        name: tournaments[name].outcomes[tournaments[name].as_printed].mean(axis=0) for name in ("resign", "optimal")
    }


def outcome_gaps(tournaments: dict[str, Tournament]) -> dict[str, float]:
    """Return the sum of absolute differences between the mean outcomes and the printed numbers."""
    return {name: float(np.abs(m - np.array(PRINTED_OUTCOMES)).sum()) for name, m in mean_outcomes(tournaments).items()}


def correlations(scores: dict[str, NDArray[np.float64]], slope: NDArray[np.float64]) -> dict[str, float]:
    """Return, for each opponent, the median over the machines of the rank correlation between slope and exact score."""
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
    low, high = np.percentile(resigning.score[resigning.alive, PRINTED.games[-1]], BAND)
    return [
        COURSE.counted(f"{share(larger.as_printed.mean())} of the machines reproduce it", larger.as_printed),
        CURVE.judged(
            f"{share(inside)} of the printed points are; after game {PRINTED_GAMES} the middle 90 % are {low:.0f} to"
            f" {high:.0f}, and the printed score is {PRINTED.score[-1]:.0f}",
            inside >= INSIDE,
        ),
        LEVELS.counted(f"the two numbers differ by at most {off.max()} beads", off == 0),
        ABANDONED.counted(
            f"{share(larger.abandoned[here].mean())} of the remaining machines have beads for the corner only",
            larger.abandoned[here],
        ),
        SLOPE.judged(
            f"the three correlations are between {min(slopes.values()):.2f} and {max(slopes.values()):.2f}",
            min(slopes.values()) >= PROWESS,
            "the slope also depends on how well Michie replies",
        ),
        *account(PRINTED),
    ]


def of_an_empty_box(tournaments: dict[str, Tournament]) -> str:
    """Return a sentence about which rule for an empty box fits the printed curve better."""
    shares = {name: float(tournaments[name].as_printed.mean()) for name in ("resign", "restock")}
    better = max(shares, key=lambda name: shares[name])
    ratio = shares[better] / max(min(shares.values()), 1 / MACHINES)
    return (
        f"The machine that {NAMES[better]} fits better."
        if ratio >= FITS_BETTER
        else (
            "Michie's figure does not decide between the first two rules. With the second rule, many more machines are"
            " near the curve, but most of their curves fall below -12. About the same share of machines therefore plays"
            " *as printed* with both rules (last column). We would have preferred one of the two rules if its share had"
            " been at least twice that of the other."
        )
    )


def sample() -> list[str]:
    """Return the results for the first few machines. The tests recompute these results."""
    tournament = play_all(Bench(), RULES["resign"], range(1, SAMPLED + 1))
    mean, died = tournament.score[tournament.alive].mean(axis=0), tournament.lived[~tournament.alive]
    return [
        f"{int(tournament.alive.sum())} of machines 1 to {SAMPLED} survived",
        f"mean games until the first boxes of the others were empty: {died.mean():.4f}",
        *(f"mean score of the survivors after game {game}: {mean[game]:.4f}" for game in SHOWN_GAMES),
    ]


def lived_text(tournament: Tournament) -> str:
    """Describe the shares of survivors among all machines and among the machines that match the figure at game 18."""
    two = tournament.in_first_box[:, ABANDONS] == LOWEST
    alive = tournament.alive
    return (
        f"Of all our machines, {share(alive.mean())} survive. Of the machines with two beads left after game"
        f" {ABANDONS}, {share(alive[two].mean())} survive. Of the machines whose two beads are both for the corner,"
        f" only {share(alive[two & tournament.abandoned].mean())} survive"
    )


def corner_gap(tournament: Tournament) -> float:
    """Return the mean distance between the printed curve and the median of the survivors that open in a corner."""
    middle = np.median(tournament.score[tournament.alive & (tournament.opens == CORNER)], axis=0)
    return float(np.abs(middle[list(PRINTED.games)] - np.array(PRINTED.score)).mean())


def introduce(page: Page) -> None:
    """Describe the source and our runs."""
    page.text(f"""The source is {PAPER}. Figure 4 shows one dot for each game. The figure first appeared in *Trial and
        Error*, Penguin Science Survey 2 (1961), p. 139. Each box that the machine uses in a game gains three beads
        after a win, gains one after a draw, and loses one after a loss. We read the dots with a program, with an error
        of at most {PRINTED.exact} points. The paper numbers Michie's replies to the corner opening as follows:""")
    page.table(["reply", "Michie's move", "from game"], REPLIES)
    page.text("""From game 203 Michie played v0 "but with subvariants", and from game 218 "best strategy". Our opponent
        makes the replies in the table in the same games as Michie, and it plays perfectly where the paper prints no
        reply.""")
    page.text("""With preset `michie-1961`, the box for the machine's first turn begins with 4 beads for each move. The
        boxes for the machine's second, third and fourth turns begin with 3, 2 and 1 beads for each move. The paper does
        not say what happens at an empty box; resigning is the rule of later rebuilders.""")
    page.text("""David Levy (Robots Unlimited, at what-when-how.com) quotes Michie; *Trial and Error* itself was
        unavailable. Claims 6 to 8 compare Michie's words with his own figure, and the two agree.""")


def write_end(page: Page, larger: Tournament, resigning: Tournament) -> None:
    """Describe how close Michie's machine and our machines came to an empty first box."""
    page.heading("How near the machine was to its end")
    beads = dict(zip(PRINTED.games, PRINTED.values("first-box"), strict=True))
    at, again = beads[ABANDONS], [str(game) for game in beads if game > ABANDONS and beads[game] == LOWEST]
    page.text(f"""After game {ABANDONS} the curve is at {at - FIRST_BEADS}, so the first box contained only {at} beads,
        both for the corner. After game {ABANDONS}, the first box contains only corner beads in few of our machines
        (claim 4: no). The curve returns to {at - FIRST_BEADS} after games {", ".join(again[:-1])} and {again[-1]}.
        {lived_text(larger)}.""")
    lived = resigning.opens[resigning.alive]
    page.text(f"""At the end, {share((lived == CENTRE).mean())} of our survivors open in the centre. The machines that
        open in the centre never meet Michie's new replies to the corner, so most of their curves rise above the printed
        curve. Only {share((lived == CORNER).mean())} of the survivors open in a corner, as Michie's machine did. The
        median curve of the survivors that open in a corner differs from the printed curve by
        {corner_gap(resigning):.1f} points on average.""")


def write_rules(page: Page, tournaments: dict[str, Tournament]) -> None:
    """Compare the rules for an empty box."""
    page.heading("The rule for an empty box")
    page.text(f"""The paper does not say what the machine does at an empty box, so this table compares three rules and
        two other changes. Each row is for {MACHINES:,} machines, so the shares differ slightly from those above; scores
        are medians over the survivors. In the fourth row, the boxes begin with 8, 4, 2 and 1 beads for each move
        instead of 4, 3, 2 and 1. In the last row, our opponent plays as `optimal` instead of `perfect` where the paper
        prints no reply. {of_an_empty_box(tournaments)}""")
    header = [
        "at an empty box, the machine ...",
        "survived",
        "died after (median)",
        "opens in a corner",
        "at an edge",
        "in the centre",
    ]
    page.table(
        [*header, *(f"after {game}" for game in SHOWN_GAMES), "below -12", "near", "as printed"],
        rule_rows(tournaments),
        f"middle {BAND[1] - BAND[0]} % of the machines",
    )


def write_outcomes(page: Page, tournaments: dict[str, Tournament]) -> None:
    """Compare the numbers of games won, drawn and lost with the printed dots."""
    page.heading("Games won, drawn and lost")
    page.text(f"""Each row shows the mean numbers of games for those of the first {MACHINES:,} machines that reproduce
        the figure. After replies v1 to v4, Michie's position is lost. In such a position, `perfect` loses as late as
        possible, and `optimal` makes any move.""")
    page.table(["", "machines", "won", "drawn", "lost"], outcome_rows(tournaments))
    gaps = outcome_gaps(tournaments)
    closest = min(gaps, key=lambda name: gaps[name])
    page.text(f"""The numbers with `{RULES[closest].otherwise}` are closer to the printed numbers: the differences add
        up to {gaps[closest]:.0f} games, compared with {max(gaps.values()):.0f} games for `perfect`.""")


def draw_figures(page: Page, tournaments: dict[str, Tournament], strengths: Strengths) -> None:
    """Add the figures."""
    resigning, (scores, slope) = tournaments["resign"], strengths
    page.figure(
        curves(resigning),
        "curves",
        f"""The printed curve and the curves of {MACHINES:,} of our machines. Lines show medians of the survivors, and
        bands contain {BAND[1] - BAND[0]} % of them. Dotted lines mark the games at which Michie changed his reply (*
        "but with subvariants", † "best strategy").""",
    )
    page.figure(
        first_box(resigning, tournaments["8,4,2,1"]),
        "first-box",
        "Beads in the first box of Michie's machine (left), and the share of our machines whose first box still"
        " contains a bead (right).",
    )
    page.figure(
        strength(scores, slope),
        "strength",
        f"""Exact points per game for the {len(slope)} machines that reproduce the figure, and the slopes of their
        curves. Lines show medians, and bands contain the middle half of the machines.""",
    )


def reproduce(folder: Path) -> None:
    """Play all tournaments, compare the results, and write the page."""
    bench = Bench()
    larger = play_all(bench, RULES["resign"], range(1, MORE_MACHINES + 1))
    tournaments = {"resign": larger.first(MACHINES)}
    tournaments |= {name: play_all(bench, RULES[name], range(1, MACHINES + 1)) for name in list(RULES)[1:]}
    strengths = along_the_way(bench, larger, (np.flatnonzero(larger.as_printed) + 1).tolist())
    page = Page(folder, "menace-1961", "MENACE's maiden tournament, 1961", machine=f"{BEADS} {MICHIES_BEADS} {RESIGNS}")
    page.term("""*Score*: the number of points that MENACE has won. A win adds 3 points, a draw adds 1, and a loss
        subtracts 1. The first box begins with 12 beads, 4 for each opening (corner, edge, centre), so it is empty when
        the score is -12. The *curve* shows the score after each game.""")
    page.term("""*Slope*: the mean change in score per game over the last 20 games. The *exact strength* is the
        expected change per game.""")
    page.term(
        "*Rank correlation*: a number that is 1 if two quantities rank the games in the same order, and 0 if the two"
        " orders are unrelated."
    )
    page.term(f"*Near*: within {NEAR:.0f} points of the printed curve on average.")
    page.term(
        "*As printed*: a machine plays as printed if its curve is near the printed curve and never below -12, and if"
        " it opens in a corner at the end."
    )
    page.summary(
        f"""In 1961 Donald Michie played {PRINTED_GAMES} games against MENACE, the first matchbox machine, and printed a
        curve of its score after each game. Our main question is whether other machines with the same rules follow the
        whole curve (claim 1), or at least get similar scores (claim 2). We also test what Michie says about the curve
        (claims 3 to 8).""",
        f"""We let {MORE_MACHINES:,} machines with preset `michie-1961` play against an opponent that replies as Michie
        did. A machine *dies* when its first box becomes empty; the others *survive*. Claims 1, 4 and 5 use all
        machines, and claims 2 and 3 use the first {MACHINES:,}.""",
        f"""No: only {share(larger.as_printed.mean())} of the machines follow the whole curve, although nearly every
        single score on the curve is typical (claim 2: yes). Only {share(larger.alive.mean())} of the machines survive,
        and most survivors open in the centre. The score does show the number of beads in the first box (claim 3: yes),
        but the curve's slope is a poor measure of strength (claim 5: no).""",
    )
    introduce(page)
    draw_figures(page, tournaments, strengths)
    page.claims(findings(tournaments, larger, correlations(*strengths)))
    write_end(page, larger, tournaments["resign"])
    write_rules(page, tournaments)
    write_outcomes(page, tournaments)
    page.sample(sample())
    page.write()
