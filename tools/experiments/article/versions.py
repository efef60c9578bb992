"""Train machines according to the rules of each version of Kaushik's program."""

from __future__ import annotations

from typing import NamedTuple

from experiments.article import program
from experiments.article.program import Rules
from experiments.common import UNBEATEN, Bench, mean_cell
from experiments.page import Page
from menace.arena.exact_strength import against, strength_against_best_response

GAMES = 10_000
# the number of machines for each version: enough to show that an event occurs in fewer than 5 % of runs
MACHINES = 60
FIRST_VERSION = "first version"
VERSIONS = {
    FIRST_VERSION: Rules(shares=False, draws=True),
    "with shared boxes": Rules(shares=True, draws=True),
    "with shared boxes and bonus": Rules(shares=True, bonus=True, draws=True),
    "the program's own rules": Rules(shares=True, bonus=True),
    "the same without the bonus": Rules(shares=True),
    "the same, always random in training": Rules(shares=True, bonus=True, random=True),
}
_, SHARED, BONUS_TOO, OWN, *_ = VERSIONS


class Version(NamedTuple):
    """The strength of an X machine trained by one version of the program.

    Attributes:
        win: wins against random play, playing greedily.
        worst: losses to the best response, playing greedily.
        lost: losses to random play, drawing beads.
        lost_to_optimal: losses to optimal play, drawing beads.
    """

    win: float
    worst: float
    lost: float
    lost_to_optimal: float


def trained(machines: int = MACHINES, games: int = GAMES) -> dict[str, list[Version]]:
    """Train machines according to the rules of each version."""
    benches = {True: Bench("full"), False: Bench("none")}
    boards = {shares: program.boards_of(benches[False].positions, b.positions) for shares, b in benches.items()}
    versions: dict[str, list[Version]] = {}
    for name, rules in VERSIONS.items():
        random, optimal = (benches[rules.shares].policy(opponent, 1) for opponent in ("random", "optimal"))
        versions[name] = []
        for beads in program.train(boards[rules.shares], rules, machines, games):
            fullest, drawn = program.policies(boards[rules.shares], beads)
            lost = against(drawn, random).loss, against(drawn, optimal).loss
            versions[name].append(
                Version(against(fullest, random).win, strength_against_best_response(fullest).loss, *lost)
            )
    return versions


def unbeaten(versions: list[Version]) -> str:
    """Return the number of machines that are unbeatable when they play greedily."""
    return f"{sum(version.worst < UNBEATEN for version in versions)} of {len(versions)}"


def sample() -> list[str]:
    """Return the strength of one machine for each version after a few games; this takes a second."""
    games = 100
    return [
        f"one machine, {games} games: wins against random, losses to best response; drawing: losses to random",
        *(
            f"{name}: {version.win:.4%}, {version.worst:.4%}, {version.lost:.4%}"
            for name, (version,) in trained(1, games).items()
        ),
    ]


def versions_section(page: Page, versions: dict[str, list[Version]], boxes: list[int]) -> None:
    """Add the table of versions."""
    page.heading("The first version and its changes")
    page.text(f"""In the first version, both sides drew beads, and every board had its own box. A game added or removed
        one bead of each colour that was drawn. The post gives two reasons why "it did not work": the {boxes[0]:,}
        boards made the program slow, and there was no extra reward for a short game. When rotated and mirrored boards
        share a box, {boxes[1]} boards remain. Sharing boxes was meant only to save time, but it helped most, probably
        because each box then learns from more games. Each row shows {MACHINES} machines after {GAMES:,} games. We
        inferred the initial and minimum numbers of beads in these versions. We think that more machines of the first
        three versions are unbeatable because these versions have no phases and draw beads while they learn.""")
    page.table(
        (
            "version, in percent",
            "draws beads: loses to random play",
            "draws beads: loses to optimal play",
            "greedy: wins against random play",
            "greedy: unbeatable",
        ),
        [
            (
                name,
                mean_cell(100 * version.lost for version in machines),
                mean_cell(100 * version.lost_to_optimal for version in machines),
                mean_cell((100 * version.win for version in machines), 2),
                unbeaten(machines),
            )
            for name, machines in versions.items()
        ],
    )
