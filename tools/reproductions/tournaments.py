"""Tournaments: beans given and taken singly, two settings of one festival, and an opponent made to spoil MENACE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reproductions.common import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    VERMILION,
    Bench,
    Claim,
    Page,
    new_figure,
    raw_numbers,
    to_percent,
    verdict,
)
from reproductions.killer import BEADS, Scroggs

MACHINES, GAMES = 1000, 100  # tournaments, and games of each
SAID = 66  # games that the optimal player won, the median
NEAR = 3  # games by which a median may differ from that
STEP = 10  # games that are looked at together
LAST = 10  # games of a tournament at whose end nobody should be beaten any more
STOPPED = 0.9  # of the machines
PLAYS_OPTIMALLY = 0.99  # probability of a draw with the optimal player
VISITORS = ("random", "imperfect:0.5", "optimal")
DAY = 200  # games of a day
KILLED, ROUNDS, TESTED = 300, 1000, 100  # machines that meet the killer, games of each, and games afterwards
COLOURS = (BLUE, GREEN, ORANGE, VERMILION, BLACK)


@dataclass(frozen=True)
class Beans:
    """First beads, and what an empty box does."""

    name: str
    beads: tuple[int, ...]
    when_empty: str = "restock"


SUPPOSED = (
    Beans("1 bead of each colour, restocked", (1,)),
    Beans("2 beads, restocked", (2,)),
    Beans("3 beads, restocked", (3,)),
    Beans("4, 3, 2, 1 beads (Michie's), restocked", (4, 3, 2, 1)),
    Beans("4, 3, 2, 1 beads, resigning", (4, 3, 2, 1), "resign"),
    Beans("8, 4, 2, 1 beads (Scroggs'), restocked", (8, 4, 2, 1)),
)
Tournaments = Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]  # lost [machines, steps], drawn afterwards
Killed = Mapping[str, tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]  # results, lost afterwards, dead


def tournament(bench: Bench, beans: Beans, machines: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return [machines, steps], games lost of each STEP, and [machines], exact draws with the optimal player then."""
    lost, drawn = np.zeros((machines, GAMES // STEP), np.int64), np.zeros(machines)
    for machine in range(machines):
        numbers = raw_numbers(machine + 1, 0)
        x = bench.learner("menace", "X", win=1, draw=0, beads=beans.beads, when_empty=beans.when_empty)
        for step in range(GAMES // STEP):
            lost[machine, step] = bench.play(x, "optimal", STEP, numbers)[2]
        drawn[machine] = bench.against(x, "optimal", "behaviour").draw
    return lost, drawn


def day(bench: Bench, preset: str, visitor: str, machines: int) -> tuple[list[float], float, list[float]]:
    """Return games lost of a day and exact draws with the optimal player after it; and the share with no bead left."""
    lost, drawn, dead = [], [], 0
    for seed in range(1, machines + 1):
        x = bench.learner(preset, "X")
        lost.append(bench.play(x, visitor, DAY, raw_numbers(seed, 0))[2] / DAY)
        drawn.append(bench.against(x, "optimal", "behaviour").draw)
        dead += not sum(bench.move_values(x, ".........").values())
    return lost, dead / machines, drawn


def killed(machines: int, games: int) -> Killed:
    """Return the results of Scroggs' machines with either opponent."""
    killed_by = {}
    for name in ("killer", "good"):
        program = Scroggs(machines, 1)
        results = program.play_killer(games) if name == "killer" else program.play_good(games)
        dead = program.is_dead()
        afterwards = (program.play_good(TESTED, learning=False) == -1).mean(axis=0)
        killed_by[name] = (results, afterwards, dead)
    return killed_by


def lost_figure(tournaments: Tournaments) -> Figure:
    """Draw the share of machines that lose each game, and the published median."""
    figure, axes = new_figure(1, 2, size=(14, 6), width_ratios=(3, 2))
    for number, (name, (lost, _)) in enumerate(tournaments.items()):
        shares = lost.mean(axis=0) / STEP
        style = {"color": COLOURS[number % len(COLOURS)], "linestyle": "--" if number >= len(COLOURS) else "-"}
        axes[0, 0].plot(range(STEP, GAMES + 1, STEP), shares, label=name, **style)
        axes[0, 1].hist(lost.sum(axis=1), bins=range(0, GAMES + 5, 4), histtype="step", linewidth=2, **style)
    axes[0, 1].axvline(SAID, color=BLACK, linestyle=":", label=f"printed median, {SAID}")
    axes[0, 0].set(title=f"Games lost, of each {STEP}", xlabel="games played", ylim=(0, 1))
    axes[0, 1].set(title=f"Games lost of {GAMES}", xlabel="games lost", ylabel=f"of {MACHINES:,} machines")
    to_percent(axes[0, 0])
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def killer_figure(killed_by: Killed) -> Figure:
    """Draw wins and losses by game, in windows."""
    figure, axes = new_figure(1, 2, size=(14, 5.5), sharey=True)
    width = 20
    for axis, (name, title) in zip(
        axes[0], (("good", "taught by who plays to win"), ("killer", "taught by the killer")), strict=True
    ):
        results = killed_by[name][0]
        x = np.arange(width, len(results) + 1, width)
        for value, colour, label in ((1, BLUE, "won"), (0, GREEN, "drawn"), (-1, ORANGE, "lost")):
            share = (results == value).mean(axis=1).reshape(-1, width).mean(axis=1)
            axis.plot(x, share, color=colour, label=label if name == "good" else None)
        axis.set(title=f"MENACE, {title}", xlabel="game", ylim=(0, 1))
        to_percent(axis)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def claims(tournaments: Tournaments) -> list[Claim]:
    """Return what the post claims beside what was measured."""
    medians = {name: median(lost.sum(axis=1).tolist()) for name, (lost, _) in tournaments.items()}
    near = [name for name, value in medians.items() if abs(value - SAID) <= NEAR]
    quiet = {
        name: float((lost[:, -(LAST // STEP) :].sum(axis=1) == 0).mean()) for name, (lost, _) in tournaments.items()
    }
    able = {name: float((drawn >= PLAYS_OPTIMALLY).mean()) for name, (_, drawn) in tournaments.items()}
    nearest = min(medians, key=lambda name: abs(medians[name] - SAID))
    place = "letstalkdata.com/2013/04, below its list of beans"
    return [
        Claim(
            f'"The median number of games the optimal player won was {SAID}"',
            "; ".join(f"{name}: {value:.0f}" for name, value in medians.items()),
            f"open: not by his rules; near it with {' and '.join(near) or 'none of these'}",
            place,
            f"with some of these beads the median is within {NEAR} of it",
        ),
        Claim(
            "“it took MENACE 66 losses before it could play optimally”",
            f"after {GAMES} games {100 * able[nearest]:.0f} % of machines do ({nearest}); of all these at most "
            f"{100 * max(able.values()):.0f} %",
            _open(able[nearest] >= STOPPED, "they lose less, not never"),
            place,
            f"with the beads whose median is nearest, {100 * STOPPED:.0f} % draw with a probability of "
            f"{PLAYS_OPTIMALLY}",
        ),
        Claim(
            "the other's rate of wins drops “until the player stops winning all together” (one tournament)",
            f"{100 * quiet[nearest]:.0f} % of machines lose none of the last {LAST} games ({nearest}); of all these at "
            f"most {100 * max(quiet.values()):.0f} %",
            _open(quiet[nearest] >= STOPPED, "not within a hundred games"),
            place,
            f"with the same, {100 * STOPPED:.0f} % of machines lose none of the last {LAST}",
        ),
    ]


def _open(holds: bool, otherwise: str) -> str:
    """Return a verdict on machines of ours, where the source's have other rules."""
    return f"open: not by his rules; of these machines, {verdict(holds, otherwise)}"


def killer_rows(killed_by: Killed) -> list[list[str]]:
    """Return a row for each teacher: the results of the machines that it taught."""
    rows = []
    for name, text in (("good", "who always plays to win"), ("killer", "the killer")):
        results, afterwards, dead = killed_by[name]
        shares = [f"{100 * (results == value).mean():.1f} %" for value in (1, 0, -1)]
        rows.append([text, *shares, f"{100 * dead.mean():.1f} %", f"{100 * afterwards[~dead].mean():.1f} %"])
    return rows


def sample() -> list[str]:
    """Return lines of the page that a second suffices for."""
    bench = Bench()
    lines = []
    for beans in SUPPOSED[3:5]:
        lost, drawn = tournament(bench, beans, 20)
        lines.append(f"{beans.name}, 20 machines: lost {lost.sum(axis=1).mean():.4f}, then draws {drawn.mean():.4f}")
    for preset in ("manchester-saturday", "manchester-sunday"):
        lost_share, _, drawn_share = day(bench, preset, "imperfect:0.5", 10)
        lines.append(f"`{preset}`, 10 machines: lost {fmean(lost_share):.4f}, then draws {fmean(drawn_share):.4f}")
    for name, (results, _, _) in killed(4, 40).items():
        lines.append(
            f"{name}, four machines, 40 games: won {int((results == 1).sum())}, lost {int((results == -1).sum())}"
        )
    return lines


def days(bench: Bench) -> Sequence[Sequence[str]]:
    """Return rows for the two settings of Manchester."""
    rows = []
    for visitor in VISITORS:
        for preset in ("manchester-saturday", "manchester-sunday"):
            lost, dead, drawn = day(bench, preset, visitor, MACHINES)
            rows.append(
                [
                    f"`{visitor}`",
                    f"`{preset}`",
                    f"{100 * fmean(lost):.1f} %",
                    f"{100 * dead:.1f} %",
                    f"{100 * fmean(drawn):.1f} %",
                ]
            )
    return rows


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    beads = ", ".join(map(str, BEADS))
    bench = Bench()
    tournaments = {beans.name: tournament(bench, beans, MACHINES) for beans in SUPPOSED}
    killer = killed(KILLED, ROUNDS)
    page = Page(folder, "tournaments", "Tournaments: single beans, a festival, a killer")
    page.text(f"""How quickly can a computer learn Tic Tac Toe? (P. Johnson, letstalkdata.com/2013/04) gave and took
        one bean a game (+1 for a win, 0 for a draw, -1 for a loss), and let a machine play {GAMES} games with an
        optimal player, {MACHINES:,} times; then he found other rewards to be better.""")
    page.text("""His program can be read (github.com/phillipjohnson/TTT, as of 2 April 2013), and its rules are not
        MENACE's. A box begins with ten beans for each free cell (BoardState.java), and equivalent boards share one. No
        bean is drawn: the cell with most is played, ties at random (ComputerPlayer_Learner.java). A loss that would
        leave a cell with none takes nothing, so that no box is ever empty. A coin decides who begins each game, and
        after it the moves of both sides change the machine's beans, by the machine's own result
        (GameRound_Automated.java); there the rewards are +2 for a win, +1 for a draw, -1 for a loss. His optimal
        player goes by a list (ComputerPlayer_Optimal.java): win, block, fork, keep the other from a fork, centre,
        opposite corner, corner, edge, and chooses alike among the cells that the first of these gives.""")
    page.text(f"""What follows does not play by his rules. It was run when only the post had been read, which does not
        tell them: a machine that draws beads, as MENACE does, always opens, and learns from its own moves, with
        {len(SUPPOSED)} guesses at its first beads and its empty boxes; the optimal player is `optimal`. So his median
        is set beside theirs, and no verdict is given on his machine.""")
    page.figure(lost_figure(tournaments), "lost", f"""Every curve is of {MACHINES:,} machines.""")
    page.claims(claims(tournaments))
    page.text("""What is compared was changed once after a first run, the thresholds were not: what is said of the
        machine is judged by the beads whose median is nearest to his, where it had been by the best of all six, and
        two verdicts went from yes to no. Since his program has been read, all three are open.""")
    page.heading("Single beans")
    page.table(
        ("beads", f"lost of {GAMES}, median (middle half)", "then draws with the optimal player, exact mean"),
        [
            [
                name,
                "{:.0f} ({:.0f} to {:.0f})".format(*np.quantile(lost.sum(axis=1), [0.5, 0.25, 0.75])),
                f"{100 * drawn.mean():.1f} %",
            ]
            for name, (lost, drawn) in tournaments.items()
        ],
    )
    page.heading("Manchester 2017")
    page.text(f"""M. Scroggs showed MENACE at the Manchester Science Festival on two days with two settings
        (docs/facts.md has them, from mscroggs.co.uk/blog/45; the post, with what visitors taught it, could not be
        read for this page, so nothing of it is compared). In the program of those days
        (github.com/mscroggs/MENACE_science_festival, menace/bots/menace.py) a simulated machine begins
        with 9, 3, 2, 1. Here, {DAY} games (ours: how many a day had we do not know) with three kinds of visitors,
        {MACHINES:,} machines of each; `imperfect:0.5` plays any move half the time.""")
    page.table(("visitor", "preset", "lost", "first box empty", "then draws with the optimal player"), days(bench))
    page.heading("The killer")
    page.text(f"""Scroggs' Python program (github.com/mscroggs/MENACEpy, bots/menace_killer.py) has an opponent called
        MENACE killer. A game that MENACE opens on an edge it plays to win; of those opened in a corner or the
        centre, it plays to win the first of every four, and the other three to lose: it takes any cell that
        neither completes nor blocks a row. test_menace_killer.py lets it play {ROUNDS:,} games with a fresh
        MENACE ({beads} beads, resigning), beside a player that always plays to win;
        what came of it is not written down. That its play hangs on the opening and on the number of games
        is why it is no fixed opponent of `menace players`.""")
    page.figure(
        killer_figure(killer),
        "killer",
        f"""{KILLED} machines, in windows of twenty games. Machines with no bead
        left for the first move lose every game.""",
    )
    header = (
        "taught by",
        "won",
        "drawn",
        "lost",
        "first box empty",
        f"then lost of {TESTED} with the former, if not empty",
    )
    page.table(header, killer_rows(killer))
    afterwards = {name: 100 * lost[~dead].mean() for name, (_, lost, dead) in killer.items()}
    page.text(f"""Three games that it loses on purpose pay three beads each into an opening that it then plays to win
        against once, which costs one at most: the machine is paid for corners and the centre, its first box never runs
        empty, and it learns to win against bad play. Then it loses {afterwards["killer"]:.1f} % of games with who
        always plays to win; a machine that this one has taught, and that lived, {afterwards["good"]:.1f} %.""")
    page.sample(sample())
    page.write()
