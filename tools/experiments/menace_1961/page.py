"""The page menace-1961: MENACE's maiden tournament, claim by claim."""

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
    "resign": "gives up (preset `michie-1961`)",
    "restock": "gets its first beads back",
    "random": "plays any cell",
    "8,4,2,1": "gives up; beads 8, 4, 2, 1",
    "optimal": "gives up; Michie `optimal` otherwise",
}
SHOWN_GAMES = (57, 130, 219)
LOWEST = 2  # beads that the curve leaves in the first box
SAMPLED = 40  # machines that the tests play again

# The claims; the thresholds stand with the tournament.
LEVELS = Claim(
    '"drops one level for a defeat, rises one level for a draw and rises three levels for a victory": so it is the '
    "number of beads in the first box, less twelve",
    "figure 4, caption",
    "the two never differ, after any game of a machine that lived",
    "law",
    noun="machines",
)
ABANDONED = Claim(
    f'game {ABANDONS}: "machine abandons all openings other than" the corner',
    "figure 4",
    "of the machines that have a bead left then, it has beads for the corner alone",
    noun="machines",
)
COURSE = Claim(
    "the course as printed",
    "figure 4",
    f"its curve is within {NEAR:.0f} points of the printed one on average and never below -12, and it opens in a "
    "corner at last",
    noun="machines",
)
CURVE = Claim(
    "the score as printed, whatever the course",
    "figure 4",
    f"{100 * INSIDE:.0f} % of the printed points, give or take {PRINTED.exact}, lie in the band that holds "
    f"{BAND[1] - BAND[0]} % of the machines that lived",
    "number",
)
SLOPE = Claim(
    '"The slope of the line of dots measures the prowess of the machine at any stage"',
    "the matchbox machine",
    f"rank correlation with the exact score, in the median machine, of {PROWESS} against each of three opponents",
    "number",
)


def share(part: float | np.floating, digits: int = 1) -> str:
    """Return a share in percent."""
    return f"{100 * float(part):.{digits}f} %"


def quantiles(values: NDArray[np.int64]) -> str:
    """Return the median, and where the band ends."""
    low, middle, high = np.percentile(values, (BAND[0], 50, BAND[1]))
    return f"{middle:.0f}" + ranged(f"{low:.0f}", f"{high:.0f}")


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, those of equal ones averaged."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation; 0 where one does not change at all."""
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def score_of(strength: Strength) -> float:
    """Return what a game adds to the score of Michie's figure, on average."""
    return 3 * strength.win + strength.draw - strength.loss


def along_the_way(
    bench: Bench, tournament: Tournament, seeds: list[int]
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Return what machines would score exactly at each stage, and the slope before it, both [machines, stages].

    The exact scores are by opponent.
    """
    rows: dict[str, list[list[float]]] = {"random": [], "perfect": [], "the best reply": []}
    positions = bench.positions
    fixed = {name: fixed_policy(name, positions, Side.O.number) for name in ("random", "perfect")}
    for seed in seeds:
        machines = play_one(bench, RULES["resign"], seed, STAGES)[4]
        policies = [machine.policy("behaviour") for machine in machines]
        for name, opponent in fixed.items():
            rows[name].append([score_of(against(policy, opponent)) for policy in policies])
        rows["the best reply"].append([score_of(strength_against_best_response(policy)) for policy in policies])
    at = np.array(STAGES)
    scores = tournament.score[[seed - 1 for seed in seeds]]
    slope = (scores[:, at] - scores[:, at - SLOPE_GAMES]) / SLOPE_GAMES
    return {name: np.array(values) for name, values in rows.items()}, slope


def rule_rows(tournaments: dict[str, Tournament]) -> list[list[str]]:
    """Return the results of the machines of each rule, a row each."""
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
    """Return the mean outcomes of machines that did all that is printed, beside the printed ones."""
    rows = [["printed, 1961 (counted from the dots, about)", "1", *map(str, PRINTED_OUTCOMES)]]
    for name, means in mean_outcomes(tournaments).items():
        which = tournaments[name].as_printed
        cells = [f"{value:.0f}" for value in means]
        rows.append([f"Michie `{RULES[name].otherwise}` otherwise", str(int(which.sum())), *cells])
    return rows


def mean_outcomes(tournaments: dict[str, Tournament]) -> dict[str, NDArray[np.float64]]:
    """Return the games won, drawn and lost by machines that did all that is printed, by how Michie plays otherwise."""
    return {
        name: tournaments[name].outcomes[tournaments[name].as_printed].mean(axis=0) for name in ("resign", "optimal")
    }


def outcome_gaps(tournaments: dict[str, Tournament]) -> dict[str, float]:
    """Return how many games these means are from the printed ones, added up."""
    return {name: float(np.abs(m - np.array(PRINTED_OUTCOMES)).sum()) for name, m in mean_outcomes(tournaments).items()}


def correlations(scores: dict[str, NDArray[np.float64]], slope: NDArray[np.float64]) -> dict[str, float]:
    """Return the rank correlation of slope and exact score over the stages, in the median machine, by opponent."""
    return {
        name: float(np.median([rank_correlation(*pair) for pair in zip(values, slope, strict=True)]))
        for name, values in scores.items()
    }


def findings(tournaments: dict[str, Tournament], larger: Tournament, slopes: dict[str, float]) -> list[Finding]:
    """Compare what is printed with what was measured."""
    resigning = tournaments["resign"]
    started = np.flatnonzero(resigning.alive)
    off = np.abs(resigning.in_first_box[started] - resigning.score[started] - FIRST_BEADS).max(axis=1)
    here = larger.lived > ABANDONS
    inside = resigning.inside(resigning.alive)
    return [
        LEVELS.counted(f"the two differ by at most {off.max()}", off == 0),
        ABANDONED.counted(
            f"{share(larger.abandoned[here].mean())} of the machines have beads for the corner alone",
            larger.abandoned[here],
        ),
        COURSE.counted(f"{share(larger.as_printed.mean())} of the machines do all that is printed", larger.as_printed),
        CURVE.judged(
            f"{share(inside)} of the printed points lie in the band of 90 % of our machines", inside >= INSIDE
        ),
        SLOPE.judged(
            "rank correlation with exact strength: "
            + ", ".join(f"{value:.2f} against {name}" for name, value in slopes.items()),
            min(slopes.values()) >= PROWESS,
            "it measures the machine and the opponent's replies together",
        ),
        *account(PRINTED),
    ]


def of_an_empty_box(tournaments: dict[str, Tournament]) -> str:
    """Say which rule for an empty box fits the printed curve better."""
    shares = {name: float(tournaments[name].as_printed.mean()) for name in ("resign", "restock")}
    better = max(shares, key=lambda name: shares[name])
    ratio = shares[better] / max(min(shares.values()), 1 / MACHINES)
    return (
        f"the machine that {NAMES[better]} fits better"
        if ratio >= FITS_BETTER
        else f"neither rule is as printed {FITS_BETTER:g} times as often as the other; the figure does not decide"
    )


def sample() -> list[str]:
    """Return what the first machines did, for the tests to repeat."""
    tournament = play_all(Bench(), RULES["resign"], range(1, SAMPLED + 1))
    mean, died = tournament.score[tournament.alive].mean(axis=0), tournament.lived[~tournament.alive]
    return [
        f"of machines 1 to {SAMPLED}, {int(tournament.alive.sum())} lived",
        f"games after which the first boxes of the others were empty: mean {died.mean():.4f}",
        *(f"mean score of those that lived after game {game}: {mean[game]:.4f}" for game in SHOWN_GAMES),
    ]


def lived_text(tournament: Tournament) -> str:
    """Return how likely it was to live, knowing more and more of what is printed."""
    two = tournament.in_first_box[:, ABANDONS] == LOWEST
    parts = {
        "of all machines": np.full(len(two), True),
        f"of those with two beads left after game {ABANDONS}": two,
        "of those with two, both for the corner": two & tournament.abandoned,
    }
    return "; ".join(
        f"{share(alive.mean())} {words} ({int(alive.sum()):,} of {alive.size:,})"
        for words, alive in ((words, tournament.alive[which]) for words, which in parts.items())
    )


def corner_gap(tournament: Tournament) -> float:
    """Return how far the median of the machines that lived and open in a corner is from the printed one."""
    middle = np.median(tournament.score[tournament.alive & (tournament.opens == CORNER)], axis=0)
    return float(np.abs(middle[list(PRINTED.games)] - np.array(PRINTED.score)).mean())


def introduce(page: Page) -> None:
    """Say what was printed, and what is ours."""
    page.text(f"""{PAPER}, figure 4, after *Trial and Error*, Penguin Science Survey 2 (1961), p. 139: the matchbox
        machine's maiden tournament, {PRINTED_GAMES} games against Michie himself. Printed are a dot a game, and along
        the top what he replied to the machine's opening in a corner, from which game on: the centre (v0), from game 22
        the opposite corner (v1), 58 the centre, 77 the edge beside (v2), 105 the next corner (v3), 131 an edge away
        (v4), 187 the opposite corner, 203 the centre "but with subvariants", 218 "best strategy". The dots were read
        off by a program, to {PRINTED.exact} points.""")
    page.heading("How it is reproduced")
    page.text(f"""Preset `michie-1961` against the fixed opponent `michie-1961`, {MACHINES:,} machines of each rule,
        seeds 1 to {MACHINES:,}; {MORE_MACHINES:,} for what few machines do. Ours, because it is not printed: against
        other openings and after his reply Michie is a perfect player, who wins as soon and loses as late as he can and
        chooses alike among equals, the subvariants included; and a machine gives up at an empty box, which costs the
        game. One whose first box is empty has nothing left to play by: it *died*. By hand:
        `menace new adam --plays X --preset michie-1961`, `menace train adam --against michie-1961 --games 219`, and
        `menace plot score adam adam.svg --published 1961`.""")


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
        "By Michie, how the first matchbox machine fared in 219 games against him, as a curve and in words.",
        f"{MACHINES:,} machines of each rule, {MORE_MACHINES:,} of his, against an opponent that replies as he did.",
        f"""{share(larger.alive.mean())} of the machines live through it, and {share(larger.as_printed.mean())} do all
        that is printed: its score is ordinary, its course is rare.""",
    )
    introduce(page)
    page.figure(
        curves(resigning),
        "curves",
        f"""The printed curve over {MACHINES:,} machines: medians, and bands that hold {BAND[1] - BAND[0]} % of those
        that lived; dotted lines are Michie's changes of reply (* from 203 on "but with subvariants",
        † from 218 on "best strategy").""",
    )
    page.claims(findings(tournaments, larger, correlations(scores, slope)))
    page.heading("In his own words")
    page.text("""Michie told how he played, in words that D. Levy quotes (Robots Unlimited, at what-when-how.com; *Trial
        and Error* itself could not be had): 220 games in two sessions of eight hours, with "theoretically unsound
        variations" after the first twenty, and always by "what tactics I judged to be the most hopeful". What he says
        of their course can be held against the figure, which has 219 dots, between which the curve is drawn
        straight. A second witness, who quotes *Trial and Error* (everything2.com/title/menace), tells the beads and
        rewards as the paper of 1963 does, 220 games in two days, that after 17 of them all openings but the corner were
        abandoned (the figure's note stands at game 18), and that it drew consistently after the twentieth.""")
    page.heading("How near it came to its end")
    beads = dict(zip(PRINTED.games, PRINTED.values("first-box"), strict=True))
    at, again = beads[ABANDONS], ", ".join(str(game) for game in beads if game > ABANDONS and beads[game] == LOWEST)
    page.figure(
        first_box(resigning, tournaments["8,4,2,1"]),
        "first-box",
        "Left: twelve beads and the printed score. Right: the machines that have a bead left for their first move.",
    )
    page.text(f"""After game {ABANDONS} the curve stands at {at - FIRST_BEADS}, so that {at} beads were left, both for
        the corner. Each game adds one, adds three or takes one, so that after an even number of games the number of
        beads is even: two, then, or four if the dot was read too low; with none the tournament would have been over. It
        was as low again after games {again}.""")
    died_after = np.median(resigning.lived[~resigning.alive])
    page.text(f"""How likely was it that Michie's machine lived? {lived_text(larger)}. Those that die do so after
        {died_after:.0f} games in the median. With eight beads of each colour at the first move,
        as on M. Scroggs' page, {share(tournaments["8,4,2,1"].alive.mean())} live; but they learn more slowly.""")
    lived = resigning.opens[resigning.alive]
    page.text(f"""Of the machines with four of each colour that live, {share((lived == CENTRE).mean())} open in the
        centre at last, where Michie's changes of reply never come up: they hold the draw, and their curves rise by one
        a game, above the printed one. Only {share((lived == CORNER).mean())} open in a corner, as his did; their median
        lies {corner_gap(resigning):.1f} points from the printed curve on average.""")
    page.heading("Which rule for an empty box")
    page.text(f"""What became of the machines when any box runs empty. Scores are of those that lived, the
        median; *near* is within {NEAR:.0f} points of the printed curve on average; *as printed* is near,
        never below -12, and opening in a corner at last.""")
    header = ["an empty box ...", "lived", "died after (median)", "opens corner, edge, centre"]
    page.table(
        [*header, *(f"after {game}" for game in SHOWN_GAMES), "below -12", "near", "as printed"],
        rule_rows(tournaments),
        f"The band that holds {BAND[1] - BAND[0]} %",
    )
    page.text(f"""With first beads put back a curve can sink below -12, and its machine has all openings again, which
        Michie's had abandoned: what is printed at game 18 speaks for a box that was never filled up. The paper says
        nothing of an empty box, and his never ran empty, so that nobody can know what he would have done:
        {of_an_empty_box(tournaments)}.""")
    page.heading("Won, drawn and lost")
    page.text("""Means of the machines that did as printed, by how Michie plays where nothing is printed. After v1 to v4
        every move of his loses; `perfect` loses as late as it can, `optimal` takes any of them.""")
    page.table(["", "machines", "won", "drawn", "lost"], outcome_rows(tournaments))
    gaps = outcome_gaps(tournaments)
    closest = min(gaps, key=lambda name: gaps[name])
    page.text(f"""Nearer to what was printed: `{RULES[closest].otherwise}` otherwise, by the sum of the three
        differences ({", ".join(f"{gap:.0f} for {RULES[name].otherwise}" for name, gap in gaps.items())}). So Michie may
        have let lines go that cost nothing more.""")
    page.heading("Exact strength along the way")
    page.text(f"""Of the {len(seeds)} machines of {MORE_MACHINES:,} that did as printed, after every {SLOPE_GAMES}
        games: the points a game that they would get, exactly, against random play, a perfect player, and the reply made
        for them; and the slope of their curves in the games before.""")
    page.figure(
        strength(scores, slope),
        "strength",
        "Median machine, and the middle half. Right: the slope of their curves, and of the printed one.",
    )
    page.sample(sample())
    page.write()
