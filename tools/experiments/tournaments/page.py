"""Tournaments: beans given and taken singly, two settings of one festival, and an opponent made to spoil MENACE."""

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
    RULES,
    figure,
    findings,
    rules_section,
    section,
    tournaments,
)
from experiments.tournaments.killer import BEADS, Scroggs
from menace.arena.exact_strength import strength_against_best_response

VISITORS = ("random", "imperfect:0.5", "optimal")
DAY = 200  # games of a day
KILLED, ROUNDS, TESTED = 300, 1000, 100  # machines that meet the killer, games of each, and games afterwards
Killed = Mapping[str, tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]  # results, lost afterwards, dead


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
    for preset in ("manchester-saturday", "manchester-sunday"):
        lost_share, _, drawn_share = day(bench, preset, "imperfect:0.5", 10)
        lines.append(f"`{preset}`, 10 machines: lost {fmean(lost_share):.4f}, then draws {fmean(drawn_share):.4f}")
    for rewards in (AS_DESCRIBED, BEST):
        tournament = tournaments(Bench("none"), rewards, 10)
        lines.append(
            f"his program, beans {rewards}, 10 machines: lost {tournament.lost.mean():.4f}, then draws "
            f"{tournament.drawn.mean():.4f}"
        )
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
    each = Bench("none")
    played = {rewards: tournaments(each, rewards, MACHINES) for rewards in (AS_DESCRIBED, BEST)}
    killer = killed(KILLED, ROUNDS)
    page = Page(folder, "tournaments", "Tournaments: beans, a festival, a killer")
    page.summary(
        "In a post of 2013, that a machine with beans loses 66 of its first 100 games with an optimal player, and less "
        "by other rewards; by others, what machines come to that random moves or a perfect player teach.",
        f"{MACHINES:,} tournaments by his program's rules, written again; two settings of a festival; an odd opponent.",
        f"""By his rules the median is within {NEAR} of what he printed. His player is not quite optimal: as O it can be
        beaten in {100 * strength_against_best_response(each.policy(RULES, 1)).loss:.0f} % of the games.""",
    )
    page.figure(
        figure(played),
        "lost",
        f"""{MACHINES:,} tournaments with each list of beans, by his rules: how many are lost, by game and in all.""",
    )
    page.claims([*findings(each, played), *told_of_menace.findings()])
    section(page, played)
    rules_section(page, each)
    page.heading("Manchester 2017")
    page.text(f"""M. Scroggs showed MENACE at the Manchester Science Festival on two days with two settings
        (mscroggs.co.uk/blog/45, read as it stands under mscroggs.co.uk/blog/tags/Matt%20Parker): first 8, 3, 2, 1
        beads and one colour for equivalent cells, and since it “learned more quickly than we had expected”, it began
        afresh the next day with 4, 3, 2, 1 and a colour for each cell. It played “around 300 games” on both. His plots
        of the beads in the first box, and his data, could not be had, so nothing of them is compared. In the program of
        those days (github.com/mscroggs/MENACE_science_festival, menace/bots/menace.py) a simulated machine begins with
        9, 3, 2, 1. Here, {DAY} games (ours: how many a day had we do not know) with three kinds of visitors,
        {MACHINES:,} machines of each; `imperfect:0.5` plays any move half the time.""")
    page.table(("visitor", "preset", "lost", "first box empty", "then draws with the optimal player"), days(bench))
    page.heading("Machines of others")
    page.text(f"""A question ({told_of_menace.WHERE}) tells of a program that won {told_of_menace.WON:,} of
        {told_of_menace.OF:,} games against random moves, and asks whether random moves alone could ever teach it
        perfect play. Its rules could not be had; here it is preset `menace`, “exactly like the one Michie designed” but
        for boxes that run empty, {told_of_menace.MACHINES} machines. Who gave Scroggs' page its perfect player tells
        how often that wins; here it is preset `scroggs`, as on his page, against `optimal`. (A comment of Scroggs' own
        on it, of 7 January 2020 under his post on MENACE, could not be had.)""")
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
