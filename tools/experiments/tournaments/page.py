"""Write the page about tournaments: Johnson's program, two days of a festival, and the MENACE killer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLUE, GREEN, ORANGE, Bench, new_figure, raw_numbers, to_percent
from experiments.page import Page
from experiments.tournaments import other_authors
from experiments.tournaments.johnson import AS_DESCRIBED, BEST, GAMES
from experiments.tournaments.johnson_claims import (
    MACHINES,
    OPTIMAL,
    RULES,
    figure,
    findings,
    rules_section,
    section,
    tournaments,
)
from experiments.tournaments.killer import Scroggs
from menace.arena.exact_strength import strength_against_best_response

VISITORS = ("random", "imperfect:0.5", OPTIMAL)
DAY = 200  # the number of games in a day
# the numbers of machines that play the killer, of each machine's games, and of test games afterwards
KILLED, ROUNDS, TESTED = 300, 1000, 100
# arrays of results, of shares of games lost afterwards, and of flags for machines with an empty first box
Killed = Mapping[str, tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]


def day(bench: Bench, preset: str, visitor: str, machines: int) -> tuple[list[float], float, list[float]]:
    """Return the shares of games lost in a day, the share of empty first boxes, and the exact draws afterwards."""
    lost, drawn, dead = [], [], 0
    for seed in range(1, machines + 1):
        x = bench.learner(preset, "X")
        lost.append(bench.play(x, visitor, DAY, raw_numbers(seed, 0))[2] / DAY)
        drawn.append(bench.against(x, OPTIMAL, "behaviour").draw)
        dead += not sum(bench.move_values(x, ".........").values())
    return lost, dead / machines, drawn


def killed(machines: int, games: int) -> Killed:
    """Return the results of Scroggs' machines with each teacher."""
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
    for name, text in (("good", "always plays to win"), ("killer", "killer")):
        results, afterwards, dead = killed_by[name]
        shares = [f"{100 * (results == value).mean():.1f}" for value in (1, 0, -1)]
        rows.append([text, *shares, f"{100 * dead.mean():.1f}", f"{100 * afterwards[~dead].mean():.1f}"])
    return rows


def days(bench: Bench) -> list[list[str]]:
    """Return a row for each visitor, with the shares of losses, empty first boxes and draws on both days."""
    rows = []
    for visitor in VISITORS:
        cells = []
        for preset in ("manchester-saturday", "manchester-sunday"):
            lost, dead, drawn = day(bench, preset, visitor, MACHINES)
            cells.append([f"{100 * share:.1f}" for share in (fmean(lost), dead, fmean(drawn))])
        rows.append([f"`{visitor}`", *(cell for pair in zip(*cells, strict=True) for cell in pair)])
    return rows


def reproduce(folder: Path) -> None:
    """Play the games, and write the page."""
    bench, each = Bench(), Bench("none")
    played = {rewards: tournaments(each, rewards, MACHINES) for rewards in (AS_DESCRIBED, BEST)}
    killer = killed(KILLED, ROUNDS)
    page = Page(folder, "tournaments", "Tournaments: beans, a festival and a killer")
    page.term("""*Johnson's player* or *his player*: the player in Johnson's program that he calls optimal. The player
        `optimal` in the package `menace` is truly optimal. Johnson's machine uses *beans* instead of beads.""")
    page.term("*+1, 0, -1*: the numbers of beans added after a win, a draw and a loss.")
    best = played[BEST].drawn.mean(axis=0)
    lost = 100 * strength_against_best_response(each.policy(RULES, 1)).loss
    page.summary(
        """Phillip Johnson wrote in 2013 that a matchbox machine loses 66 of 100 games to an optimal player (claim 1)
        and then plays optimally itself (claims 2 and 3). He says that the machine never wins (claim 4), and that it
        loses fewer games with other rewards (claim 5). Other authors report how often their machines win, lose or draw
        (claims 6 to 8).""",
        f"""With each of two lists of rewards, we played {MACHINES:,} tournaments of {GAMES} games by the rules of
        Johnson's program. We also simulated a festival where visitors played MENACE, and an opponent that was designed
        to mislead MENACE.""",
        f"""Johnson's machine loses about as often as he says (claim 1: yes), but most machines do not play optimally
        after {GAMES} games (claim 2: no). Some machines do win (claim 4: no), because Johnson's optimal player is not
        optimal: as O, it loses {lost:.0f} % of its games to the best response. With the better rewards, machines that
        play O draw {100 * best[0, 1]:.0f} % of their games against this player, but only {100 * best[1, 1]:.0f} %
        against a truly optimal player.""",
    )
    page.figure(
        figure(played),
        "lost",
        f"""Games lost in {MACHINES:,} tournaments with each list of rewards.""",
    )
    page.claims([*findings(played), *other_authors.findings()])
    section(page, played)
    page.text("""The rules of the program in claims 6 and 7 were unavailable, so we used preset `menace` for these
        claims. For claim 8 we used preset `scroggs`.""")
    rules_section(page, each)
    festival_section(page, bench)
    killer_section(page, killer)
    page.write()


def festival_section(page: Page, bench: Bench) -> None:
    """Add the results of two days in Manchester."""
    page.heading("Manchester 2017")
    page.text(f"""Matthew Scroggs showed MENACE on two days of the Manchester Science Festival (mscroggs.co.uk/blog/45).
        On Saturday, the boxes for MENACE's first to fourth moves began with 8, 3, 2 and 1 beads of each colour, and
        equivalent cells shared a colour. MENACE “learned more quickly than we had expected”, so on Sunday the boxes
        began with 4, 3, 2 and 1 beads, and each cell had its own colour. For each day, we simulated {MACHINES:,}
        machines (presets `manchester-saturday` and `manchester-sunday`) that played {DAY} games against each of three
        kinds of visitors. At an empty box, a machine resigns. The table shows the results in percent.""")
    columns = ("lost", "first box empty", f"then draws with `{OPTIMAL}`")
    page.table(("visitor", *(cell for column in columns for cell in (f"{column}, Saturday", "Sunday"))), days(bench))


def killer_section(page: Page, killer: Killed) -> None:
    """Add the results against the MENACE killer."""
    page.heading("The MENACE killer")
    page.text(f"""Scroggs' program (github.com/mscroggs/MENACEpy) contains an opponent called the MENACE killer. If
        MENACE opens on an edge, the killer plays to win. Otherwise, the killer plays to win in one game out of four,
        and to lose in the other three. When it plays to lose, the killer takes any cell that neither completes nor
        blocks a row. Each of {KILLED} new MENACEs, which resign at an empty box, played {ROUNDS:,} games against its
        teacher. Without learning any more, each MENACE then played {TESTED} games against a player that always plays to
        win. The last column shows the share of these {TESTED} games that MENACE lost, for machines whose first box was
        not empty. All numbers are percentages.""")
    page.figure(
        killer_figure(killer),
        "killer",
        f"""Results of {KILLED} machines with each teacher.""",
    )
    page.table(("taught by", "won", "drawn", "lost", "first box empty", "then lost"), killer_rows(killer))
    page.text("""Each game that the killer loses on purpose adds three beads for MENACE's opening, and every fourth game
        removes at most one. MENACE therefore keeps beads for its first move, but it learns only to beat bad play.""")
