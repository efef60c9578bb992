"""Check the claims in Phillip Johnson's post using 1,000 tournaments that follow the rules of his program."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from experiments.claims import Claim, Finding
from experiments.common import BLACK, BLUE, ORANGE, Bench, new_figure, raw_numbers, to_percent
from experiments.page import Page
from experiments.tournaments.johnson import AS_DESCRIBED, BEST, GAMES, Johnson, Rewards
from experiments.wos.program import Array
from menace.arena.exact_strength import Strength, against, strength_against_best_response

RULES, OPTIMAL = "johnson-2013", "optimal"  # fixed opponents: Johnson's player, and one that plays optimally
MACHINES = 1000  # the number of tournaments, each with its own machine
SAID = 66  # the median number of games that Johnson's player won
NEAR = 3  # the number of games by which our median may differ from Johnson's
STEP = 10  # the number of games at the end of a tournament, none of which a machine should lose
PLAYS_OPTIMALLY = 0.99  # the minimum probability of a draw on each side
HALF = 0.5  # the minimum share of the machines for a claim about the average machine

POST = "post, below its list"
MEDIAN = Claim(
    f'"The median number of games the optimal player won was {SAID}"',
    POST,
    f"with {AS_DESCRIBED}, our median is within {NEAR} of his",
    "number",
)
OPTIMALLY = Claim(
    f'"This means on average it took MENACE {SAID} losses before it could play optimally"',
    POST,
    f"with {AS_DESCRIBED}, at least half of the machines then draw with his player with a probability of "
    f"{PLAYS_OPTIMALLY} or more on each side",
    "number",
)
STOPS = Claim(
    '"the winrate slowly drops until the player stops winning all together"',
    POST,
    f"with {AS_DESCRIBED}, his player wins none of the last {STEP} games of a tournament",
    noun="tournaments",
)
NEVER_WINS = Claim(
    '"it will never win against an optimal teacher": with his player as the teacher',
    "post, above its list",
    "the machine wins no game with either list of rewards",
    "law",
    noun="tournaments",
)
MOST_EFFECTIVE = Claim(
    f'"found these to be the most effective" ({BEST})',
    "post, README",
    f"our median is lower than with {AS_DESCRIBED}",
    "number",
)


NINE_RULES = """\
1. Complete a row.
2. Block a row of the other side.
3. Fork: threaten two rows.
4. If there are only three marks, the player's in the centre and the other side's in opposite corners, take an edge.
5. Take a cell on which the other side could fork.
6. Take the centre.
7. If the other side has a corner and the opposite corner is free, take any free corner.
8. Take any free corner.
9. Take any free edge."""


class Tournaments(NamedTuple):
    """Tournaments that use one list of beans.

    Attributes:
        results: [games, machines], 1, 0 or -1.
        drawn: [machines, rivals, sides], the exact probability of a draw after the tournament: with his player and with
            `optimal`, as X and as O.
    """

    results: Array
    drawn: Array

    @property
    def lost(self) -> Array:
        """The number of games that Johnson's player won, as an array [machines]."""
        return (self.results == -1).sum(axis=0)


def tournaments(bench: Bench, rewards: Rewards, machines: int) -> Tournaments:
    """Play a tournament with each machine, and measure the machines; the bench must not use symmetry."""
    program = Johnson(machines, 1, rewards)
    results = program.play()
    rivals = [[bench.policy(rival, 1 - side) for side in (0, 1)] for rival in (RULES, OPTIMAL)]
    players = ([program.policy(bench, machine, side) for side in (0, 1)] for machine in range(machines))
    drawn = [
        [[against(own, rival).draw for own, rival in zip(player, by_side, strict=True)] for by_side in rivals]
        for player in players
    ]
    return Tournaments(results, np.array(drawn))


def findings(played: dict[Rewards, Tournaments]) -> list[Finding]:
    """Check the claims in the post."""
    first = played[AS_DESCRIBED]
    medians = {rewards: median(results.lost.tolist()) for rewards, results in played.items()}
    able = float((first.drawn[:, 0] >= PLAYS_OPTIMALLY).all(axis=1).mean())
    wins = [(results.results == 1).any(axis=0) for results in played.values()]
    return [
        MEDIAN.judged(f"our median is {medians[AS_DESCRIBED]:g}", abs(medians[AS_DESCRIBED] - SAID) <= NEAR),
        OPTIMALLY.judged(
            f"{100 * able:.1f} % of the machines draw that often",
            able >= HALF,
            "most machines still lose",
        ),
        STOPS.counted(
            f"his player wins {mean((first.results[-STEP:] == -1).mean(axis=0))} % of these games",
            (first.results[-STEP:] != -1).all(axis=0),
        ),
        NEVER_WINS.counted(
            f"the machines do win {100 * np.mean([results.results == 1 for results in played.values()]):.2f} % of the"
            " games, because his player makes mistakes as O",
            ~np.concatenate(wins),
        ),
        MOST_EFFECTIVE.judged(
            f"our median is {medians[BEST]:g} instead of {medians[AS_DESCRIBED]:g}",
            medians[BEST] < medians[AS_DESCRIBED],
        ),
    ]


def figure(played: dict[Rewards, Tournaments]) -> Figure:
    """Draw the share of machines that lose each game, and the number of games that each machine loses."""
    result, axes = new_figure(1, 2, size=(14, 5.5), width_ratios=(3, 2))
    for (rewards, tournament), colour in zip(played.items(), (BLUE, ORANGE), strict=True):
        shares = (tournament.results == -1).mean(axis=1)
        axes[0, 0].plot(range(1, GAMES + 1), shares, color=colour, label=f"beans {rewards}")
        axes[0, 1].hist(tournament.lost, bins=range(0, GAMES + 4, 3), histtype="step", linewidth=2, color=colour)
    axes[0, 1].axvline(SAID, color=BLACK, linestyle=":", label=f"printed median, {SAID}")
    axes[0, 0].set(title="Share of tournaments in which his player wins a game", xlabel="game", ylim=(0, 1))
    axes[0, 1].set(
        title=f"Games that his player wins, of {GAMES}", xlabel="games", ylabel=f"tournaments, of {MACHINES:,}"
    )
    to_percent(axes[0, 0])
    result.legend(loc="outside lower center", ncols=3)
    return result


def section(page: Page, played: dict[Rewards, Tournaments]) -> None:
    """Describe Johnson's program, and add its results."""
    page.heading("Johnson's program")
    page.text(f"""Phillip Johnson describes his program in a post of 2013 (letstalkdata.com/2013/04; source:
        github.com/phillipjohnson/TTT). A box begins with ten beans for each free cell, and equivalent boards share a
        box. The machine plays the cell with the most beans. A loss never removes the last bean of a cell, so no box is
        ever empty. A coin toss decides who begins each game, and the machine learns from the moves of both sides. The
        post first uses {AS_DESCRIBED} beans for a win, a draw and a loss, and finally {BEST}.""")
    page.text(f"""Preset `johnson-2013` has the same boxes and beans, but X and O are two machines, and each learns only
        from its own moves. The column *lost* shows the median number of lost games out of {GAMES}. The other columns
        show the exact percentages of games that a trained machine draws with Johnson's player and with `{OPTIMAL}`.""")
    rows = [
        (f"his program, {rewards}", lost_of(tournament.lost), *map(mean, tournament.drawn.reshape(-1, 4).T))
        for rewards, tournament in played.items()
    ]
    bench = Bench()
    for rewards in played:
        (x_lost, x_drawn), (o_lost, o_drawn) = (in_menace(bench, side, rewards, MACHINES) for side in "XO")
        draws = [mean(drawn[:, rival]) for rival in (0, 1) for drawn in (x_drawn, o_drawn)]
        rows.append((f"preset, {rewards}", f"X {lost_of(x_lost)}, O {lost_of(o_lost)}", *draws))
    headers = (f"{rival}, {side}" for rival in ("draws with his player", f"draws with `{OPTIMAL}`") for side in "XO")
    page.table(("machine", "lost", *headers), rows)


def lost_of(lost: Array) -> str:
    """Return the median number of lost games."""
    return f"{np.median(lost):g}"


def mean(drawn: Array) -> str:
    """Return the mean share of draws in percent, and its standard deviation over the machines."""
    return f"{100 * drawn.mean():.1f} ± {100 * drawn.std(ddof=1):.1f}"


def in_menace(bench: Bench, side: str, rewards: Rewards, machines: int) -> tuple[Array, Array]:
    """Play tournaments of the preset `johnson-2013`, and return the results.

    The results are the lost games [machines] and the exact draws [machines, rivals].
    """
    lost, drawn = np.zeros(machines, np.int64), np.zeros((machines, 2))
    for seed in range(1, machines + 1):
        machine = bench.learner("johnson-2013", side, **rewards._asdict())
        players = (machine, RULES) if side == "X" else (RULES, machine)
        lost[seed - 1] = bench.play(*players, GAMES, raw_numbers(seed, 0))[2 if side == "X" else 0]
        drawn[seed - 1] = [bench.against(machine, rival).draw for rival in (RULES, OPTIMAL)]
    return lost, drawn


def rules_section(page: Page, bench: Bench) -> None:
    """Add the exact strength of Johnson's player."""
    page.heading("The strength of Johnson's player")
    page.text("""Johnson's player (ComputerPlayer_Optimal.java; `johnson-2013` in `menace players`) applies the first of
        these rules that allows a move. If the rule allows several cells, the player chooses one of them at random:""")
    page.details.append(NINE_RULES)
    page.text("""The table shows the exact percentages of games that Johnson's player wins, draws and loses.""")
    rows = []
    for side, name in enumerate("XO"):
        policy = bench.policy(RULES, side)
        strengths = {f"`{rival}`": against(policy, bench.policy(rival, 1 - side)) for rival in ("random", OPTIMAL)}
        strengths["best response"] = strength_against_best_response(policy)
        rows += [[name, rival, *shares(strength)] for rival, strength in strengths.items()]
    page.table(("plays", "against", "wins", "draws", "loses"), rows)
    page.text("""As O, Johnson's player can lose if X opens in the centre, O takes a corner, and X takes the opposite
        corner. X can then fork on four cells. Rule 5 makes O take one of these four cells, and two of them lose. As X,
        Johnson's player always opens in the centre. We think that machines that draw with this player lose to a truly
        optimal player because they have met too few openings.""")


def shares(strength: Strength) -> list[str]:
    """Return wins, draws and losses in percent."""
    return [f"{100 * share:.1f}" for share in (strength.win, strength.draw, strength.loss)]
