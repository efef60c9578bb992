"""Page tournaments: Johnson's program, two days of a festival, and an opponent designed to spoil MENACE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import (
    BLUE,
    GREEN,
    ORANGE,
    Bench,
    new_figure,
    raw_numbers,
    to_percent,
)
from experiments.page import Page
from experiments.tournaments import told_of_menace
from experiments.tournaments.johnson import AS_DESCRIBED, BEST
from experiments.tournaments.johnson_claims import (
    MACHINES,
    NEAR,
    OPTIMAL,
    RULES,
    figure,
    findings,
    rules_section,
    section,
    tournaments,
)
from experiments.tournaments.killer import BEADS, Scroggs
from menace.arena.exact_strength import worst_case

VISITORS = ("random", "imperfect:0.5", OPTIMAL)
DAY = 200  # games in a day
KILLED, ROUNDS, TESTED = 300, 1000, 100  # machines that meet the killer, their games, and games in the test afterwards
Killed = Mapping[str, tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]  # results, lost afterwards, dead


def day(bench: Bench, preset: str, visitor: str, machines: int) -> tuple[list[float], float, list[float]]:
    """Return the share of games lost in a day, the share of machines with no bead left, and exact draws afterwards."""
    lost, drawn, dead = [], [], 0
    for seed in range(1, machines + 1):
        x = bench.learner(preset, "X")
        lost.append(bench.play(x, visitor, DAY, raw_numbers(seed, 0))[2] / DAY)
        drawn.append(bench.against(x, OPTIMAL, "behaviour").draw)
        dead += not sum(bench.move_values(x, ".........").values())
    return lost, dead / machines, drawn


def killed(machines: int, games: int) -> Killed:
    """Return the results of Scroggs' machines with each opponent."""
    killed_by = {}
    for name in ("killer", "good"):
        program = Scroggs(machines, 1)
        results = program.play_killer(games) if name == "killer" else program.play_good(games)
        dead = program.is_dead()
        afterwards = (program.play_good(TESTED, learning=False) == -1).mean(axis=0)
        killed_by[name] = (results, afterwards, dead)
    return killed_by


def killer_figure(killed_by: Killed) -> Figure:
    """Draw the shares of wins, draws and losses against the number of games."""
    figure, axes = new_figure(1, 2, size=(14, 5.5), sharey=True)
    width = 20
    for axis, (name, title) in zip(
        axes[0], (("good", "taught by a player that plays to win"), ("killer", "taught by the killer")), strict=True
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


def killer_rows(killed_by: Killed) -> list[list[str]]:
    """Return a row for each teacher."""
    rows = []
    for name, text in (("good", "the player that always plays to win"), ("killer", "the killer")):
        results, afterwards, dead = killed_by[name]
        shares = [f"{100 * (results == value).mean():.1f} %" for value in (1, 0, -1)]
        rows.append([text, *shares, f"{100 * dead.mean():.1f} %", f"{100 * afterwards[~dead].mean():.1f} %"])
    return rows


def days(bench: Bench) -> Sequence[Sequence[str]]:
    """Return a row for each visitor and each day in Manchester."""
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
    bench, each = Bench(), Bench("none")
    played = {rewards: tournaments(each, rewards, MACHINES) for rewards in (AS_DESCRIBED, BEST)}
    killer = killed(KILLED, ROUNDS)
    page = Page(folder, "tournaments", "Tournaments: beans, a festival and a killer")
    best = played[BEST].drawn.mean(axis=0)
    page.summary(
        """A post of 2013 says that a machine with beans loses 66 of its first 100 games to an optimal player, and fewer
        with other rewards. Other authors report how often their MENACE wins after training.""",
        f"""We played {MACHINES:,} tournaments by the rules of his program with each list of rewards. We also simulated
        two days of a festival, and the opponent that M. Scroggs calls MENACE killer.""",
        f"""The median of lost games is within {NEAR} of his. His player is not optimal: the best response beats it in
        {100 * worst_case(each.policy(RULES, 1)).loss:.0f} % of the games when it plays O, and machines that draw
        {100 * best[0, 1]:.0f} % of their games as O with it draw only {100 * best[1, 1]:.0f} % with `{OPTIMAL}`.""",
    )
    page.figure(
        figure(played),
        "lost",
        f"""{MACHINES:,} tournaments with each list of beans: the share that lose each game, and the number of games
        that each tournament loses.""",
    )
    page.claims([*findings(each, played), *told_of_menace.findings()])
    section(page, played)
    rules_section(page, each)
    festival_section(page, bench)
    page.heading("Other authors' machines")
    page.text(f"""The author of claims 6 and 7 ({told_of_menace.WHERE}) asks whether random moves alone can teach
        perfect play. The rules of his program were unavailable, so we used {told_of_menace.MACHINES} machines of preset
        `menace`. Claim 8 comes from the author of the perfect player on Scroggs' page, so we used preset `scroggs`
        against `{OPTIMAL}`.""")
    killer_section(page, killer)
    page.write()


def festival_section(page: Page, bench: Bench) -> None:
    """Add the two days in Manchester."""
    page.heading("Manchester 2017")
    page.text(f"""M. Scroggs showed MENACE on two days of the Manchester Science Festival (mscroggs.co.uk/blog/45). On
        Saturday it began with 8, 3, 2, 1 beads and one colour for equivalent cells. Because it “learned more quickly
        than we had expected”, it began again on Sunday with 4, 3, 2, 1 beads and a colour for each cell. It played
        “around 300 games” on the two days; how many on each is unknown, and his data were unavailable. We simulated
        {DAY} games with three kinds of visitors, and {MACHINES:,} machines for each; `imperfect:0.5` makes half of its
        moves at random.""")
    header = ("visitor", "preset", "lost", "first box empty", f"then draws with `{OPTIMAL}`")
    page.table(header, days(bench))


def killer_section(page: Page, killer: Killed) -> None:
    """Add the MENACE killer."""
    beads = ", ".join(map(str, BEADS))
    page.heading("The MENACE killer")
    page.text(f"""Scroggs' Python program (github.com/mscroggs/MENACEpy, bots/menace_killer.py) contains an opponent
        called MENACE killer. If MENACE opens on an edge, the killer plays to win. Otherwise it plays one game in four
        to win, and three to lose: it then takes any cell that neither completes nor blocks a row. Its test plays
        {ROUNDS:,} games with a new MENACE ({beads} beads, resigning) but records no result. The killer's moves depend
        on the number of games, so it is not a fixed opponent in `menace players`.""")
    page.figure(
        killer_figure(killer),
        "killer",
        f"""{KILLED} machines, in windows of twenty games. Machines without beads for the first move lose every
        game.""",
    )
    good = "the player that always plays to win"
    header = ("taught by", "won", "drawn", "lost", "first box empty", f"then loses of {TESTED} games with {good}")
    page.table(header, killer_rows(killer))
    page.text("""The last column leaves out machines whose first box is empty. The three games that the killer loses on
        purpose add three beads each to an opening, and the fourth removes at most one. MENACE therefore never runs out
        of beads for its first move, but it learns to win against bad play.""")
