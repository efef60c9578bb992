"""What P. Johnson's post says of his thousand tournaments, and what those played by his rules come to."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from experiments.claims import Claim, Finding
from experiments.common import BLACK, BLUE, ORANGE, Bench, new_figure, percent, raw_numbers, to_percent
from experiments.page import Page, ranged
from experiments.tournaments.johnson import AS_DESCRIBED, BEST, GAMES, Johnson, Rewards
from experiments.wos.program import Array
from menace.arena.exact_strength import Strength, against, strength_against_best_response

RULES = "johnson-2013"  # his player, of fixed opponents
MACHINES = 1000  # tournaments
SAID = 66  # games that the optimal player won, the median
NEAR = 3  # games by which a median may differ from that
STEP = 10  # games that are looked at together, and at whose end nobody should be beaten any more
PLAYS_OPTIMALLY = 0.99  # probability of a draw with his player, on either side
HALF = 0.5  # of the machines, where something is said of them on average

POST = "letstalkdata.com/2013/04, below its list of beans"
MEDIAN = Claim(
    f'"The median number of games the optimal player won was {SAID}"',
    POST,
    f"with {AS_DESCRIBED}, the median is within {NEAR} of it",
    "number",
)
OPTIMALLY = Claim(
    f'"This means on average it took MENACE {SAID} losses before it could play optimally"',
    POST,
    f"with {AS_DESCRIBED}, after the tournament half of the machines draw with a probability of {PLAYS_OPTIMALLY} or "
    "more on either side, exactly",
    "number",
)
STOPS = Claim(
    '"the winrate slowly drops until the player stops winning all together" (one tournament)',
    POST,
    f"with {AS_DESCRIBED}, it wins none of the last {STEP} games",
    noun="tournaments",
)
NEVER_WINS = Claim(
    '"it will never win against an optimal teacher" (asked of his own)',
    "letstalkdata.com/2013/04, above its list of beans",
    "with either list of beans, the machine wins no game",
    "law",
    noun="tournaments",
)
MOST_EFFECTIVE = Claim(
    f'"found these to be the most effective" ({BEST})',
    "letstalkdata.com/2013/04, and README of his program",
    f"the median is lower than with {AS_DESCRIBED}",
    "number",
)


class Tournaments(NamedTuple):
    """Machines by one list of beans.

    Attributes:
        results: [games, machines], 1, 0, -1.
        drawn: [machines, sides], exact draws with his player afterwards, as X and as O.
    """

    results: Array
    drawn: Array

    @property
    def lost(self) -> Array:
        """[machines], games that his player won."""
        return (self.results == -1).sum(axis=0)


def tournaments(bench: Bench, rewards: Rewards, machines: int) -> Tournaments:
    """Play the tournaments of machines, and measure them; the bench has no symmetry."""
    program = Johnson(machines, 1, rewards)
    results = program.play()
    rivals = [bench.policy(RULES, 1 - side) for side in (0, 1)]
    drawn = [
        [against(program.policy(bench, machine, side), rivals[side]).draw for side in (0, 1)]
        for machine in range(machines)
    ]
    return Tournaments(results, np.array(drawn))


def findings(bench: Bench, played: dict[Rewards, Tournaments]) -> list[Finding]:
    """Return what the post claims beside what was measured."""
    first, best = played[AS_DESCRIBED], played[BEST]
    medians = {rewards: median(results.lost.tolist()) for rewards, results in played.items()}
    text = "the median is " + ", ".join(f"{value:g} with {rewards}" for rewards, value in medians.items())
    able = {
        rewards: float((results.drawn >= PLAYS_OPTIMALLY).all(axis=1).mean()) for rewards, results in played.items()
    }
    wins = [(results.results == 1).any(axis=0) for results in played.values()]
    beaten = strength_against_best_response(bench.policy(RULES, 1)).loss
    return [
        MEDIAN.judged(text, abs(medians[AS_DESCRIBED] - SAID) <= NEAR),
        OPTIMALLY.judged(
            "optimal after the tournament are "
            + ", ".join(f"{100 * share:.1f} % of the machines with {beans}" for beans, share in able.items()),
            able[AS_DESCRIBED] >= HALF,
            "they lose less, not never",
        ),
        STOPS.counted(
            f"it wins {percent((first.results[-STEP:] == -1).mean(axis=0))} of the last {STEP}, with {BEST} "
            f"{percent((best.results[-STEP:] == -1).mean(axis=0))}",
            (first.results[-STEP:] != -1).all(axis=0),
        ),
        NEVER_WINS.counted(
            f"machines win {100 * np.mean([results.results == 1 for results in played.values()]):.2f} % of the games; "
            f"who plays X best wins {100 * beaten:.0f} % of the games against his player, exactly",
            ~np.concatenate(wins),
        ),
        MOST_EFFECTIVE.judged(text, medians[BEST] < medians[AS_DESCRIBED]),
    ]


def figure(played: dict[Rewards, Tournaments]) -> Figure:
    """Draw the share of machines that lose each game, and how many games they lose, with the published median."""
    result, axes = new_figure(1, 2, size=(14, 5.5), width_ratios=(3, 2))
    for (rewards, tournament), colour in zip(played.items(), (BLUE, ORANGE), strict=True):
        shares = (tournament.results == -1).mean(axis=1)
        axes[0, 0].plot(range(1, GAMES + 1), shares, color=colour, label=f"beans {rewards}")
        axes[0, 1].hist(tournament.lost, bins=range(0, GAMES + 4, 3), histtype="step", linewidth=2, color=colour)
    axes[0, 1].axvline(SAID, color=BLACK, linestyle=":", label=f"printed median, {SAID}")
    axes[0, 0].set(title="Tournaments in which his player wins this game", xlabel="game", ylim=(0, 1))
    axes[0, 1].set(
        title=f"Games of {GAMES} that his player wins", xlabel="games", ylabel=f"of {MACHINES:,} tournaments"
    )
    to_percent(axes[0, 0])
    result.legend(loc="outside lower center", ncols=3)
    return result


def section(page: Page, played: dict[Rewards, Tournaments]) -> None:
    """Tell of his program, and write what it comes to."""
    page.heading("His program")
    page.text(f"""P. Johnson tells of his program in a post (How quickly can a computer learn Tic Tac Toe?,
        letstalkdata.com/2013/04), and it can be read (github.com/phillipjohnson/TTT, of 2013). A box begins with ten
        beans for each free cell (BoardState.java), and equivalent boards share one. No bean is drawn: the cell with
        most is played, ties at random (ComputerPlayer_Learner.java). A loss that would leave a cell with none takes
        nothing, so that no box is ever empty. A coin decides who begins each game, and after it the moves of both sides
        change the machine's beans, by the machine's own result (GameRound_Automated.java). The post's first beans are
        {AS_DESCRIBED} for a win, a draw and a loss, its best ones {BEST}.
        `tools/experiments/tournaments/johnson.py` plays so:
        {MACHINES:,} tournaments of {GAMES} games with each list.""")
    page.text("""Preset `johnson-2013` has the same boxes and beans in menace, where X and O are two machines and each
        learns from its own moves alone; it is played here with either side against the same player.""")
    rows = [row(f"his program, beans {rewards}", tournament.lost) for rewards, tournament in played.items()]
    draws = [tuple(percent(tournament.drawn[:, side]) for side in (0, 1)) for tournament in played.values()]
    bench = Bench()
    for rewards in played:
        for side, name in enumerate("XO"):
            lost, drawn = in_menace(bench, name, rewards, MACHINES)
            rows.append(row(f"`johnson-2013`, plays {name}, beans {rewards}", lost))
            draws.append((percent(drawn), "-") if side == 0 else ("-", percent(drawn)))
    header = ("machine", f"lost of {GAMES}, median", "then draws, exactly, as X", "as O")
    page.table(header, [(*cells, *both) for cells, both in zip(rows, draws, strict=True)], "Middle half, and all")


def row(name: str, lost: Iterable[int]) -> tuple[str, str]:
    """Return a name, and the median of the games lost with the middle half."""
    low, middle, high = np.quantile(np.array(lost), [0.25, 0.5, 0.75])
    return name, f"{middle:g}" + ranged(f"{low:g}", f"{high:g}")


def in_menace(bench: Bench, side: str, rewards: Rewards, machines: int) -> tuple[Array, Array]:
    """Return [machines], games lost of a tournament by preset `johnson-2013`, and exact draws afterwards."""
    lost, drawn = np.zeros(machines, np.int64), np.zeros(machines)
    for seed in range(1, machines + 1):
        machine = bench.learner("johnson-2013", side, **rewards._asdict())
        players = (machine, RULES) if side == "X" else (RULES, machine)
        lost[seed - 1] = bench.play(*players, GAMES, raw_numbers(seed, 0))[2 if side == "X" else 0]
        drawn[seed - 1] = bench.against(machine, RULES).draw
    return lost, drawn


def rules_section(page: Page, bench: Bench) -> None:
    """Write how strong his player is, exactly."""
    page.heading("How good his player is")
    page.text("""His optimal player goes by a list (ComputerPlayer_Optimal.java; `johnson-2013` of `menace players`):
        win, block, fork, an edge between two corners of the other side's, keep the other side from a fork, centre,
        opposite corner, corner, edge, and chooses alike among the cells that the first of these gives. Exactly, what it
        wins, draws and loses:""")
    rows = []
    for side, name in enumerate("XO"):
        policy = bench.policy(RULES, side)
        strengths = [against(policy, bench.policy(rival, 1 - side)) for rival in ("random", "optimal")]
        rows.append([name, *map(shares, (*strengths, strength_against_best_response(policy)))])
    page.table(("plays", "against random", "against optimal", "against the best reply"), rows)
    page.text("""As X nobody beats it. As O it loses where X opens in the centre, O takes a corner, and X the corner
        opposite: X then has four cells that fork, O takes any of them, and two of them lose.""")


def shares(strength: Strength) -> str:
    """Return wins, draws and losses in percent."""
    return " / ".join(f"{100 * share:.1f}" for share in (strength.win, strength.draw, strength.loss)) + " %"
