"""The versions of R. Kaushik's program, by its own rules: the first, and what each change does to it."""

from __future__ import annotations

from typing import NamedTuple

from experiments.article import program
from experiments.article.program import Rules
from experiments.common import UNBEATEN, Bench, percent, seeds_where
from experiments.page import Page
from menace.arena.exact_strength import against, strength_against_best_response

GAMES = 10_000
MACHINES = 60  # of each version: enough to say that fewer than one in twenty is so
FIRST_VERSION = "the first version: beads drawn, a box for every board"
VERSIONS = {
    FIRST_VERSION: Rules(shares=False, draws=True),
    "and images of a board share a box": Rules(shares=True, draws=True),
    "and short games change more beads": Rules(shares=True, bonus=True, draws=True),
    "the program's own rules": Rules(shares=True, bonus=True),
    "the same, without the bonus": Rules(shares=True),
    "the same, both at random all the time": Rules(shares=True, bonus=True, random=True),
}
_, SHARED, BONUS_TOO, OWN, *_ = VERSIONS


class Version(NamedTuple):
    """How X plays that has learned by a version of the program: wins against random and losses in its worst case.

    Attributes:
        win, worst: of the fullest cell.
        lost, lost_to_optimal: of a bead drawn, its losses to random and to optimal play.
    """

    win: float
    worst: float
    lost: float
    lost_to_optimal: float


def trained(machines: int = MACHINES, games: int = GAMES) -> dict[str, list[Version]]:
    """Train machines by each version's rules."""
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
    """Say how many cannot be beaten that take the fullest cell."""
    return seeds_where(version.worst < UNBEATEN for version in versions)


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: one machine, few games."""
    games = 100
    return [
        f"{name}, one machine after {games} games: X wins {version.win:.4%} against random, loses {version.worst:.4%} "
        f"in its worst case; drawing it loses {version.lost:.4%} to random"
        for name, (version,) in trained(1, games).items()
    ]


def versions_section(page: Page, versions: dict[str, list[Version]], boxes: list[int]) -> None:
    """Write what the first version comes to, and what each change does to it."""
    page.heading("The first version, and what was changed")
    page.text(f"""Of the first version the post says that both sides drew their beads from one list, with a box for
        every board, and were rewarded as matchboxes are: one bead more or less. Why "it did not work" he says, too:
        that there were too many boards, which was slow (with symmetry {boxes[0]:,} become {boxes[1]}), and that a
        short game was worth no more than a long one. He does not name a third change, which his program has: the
        fullest colour is taken, not a bead drawn, and both sides explore in four phases. Here each change by itself,
        X after {GAMES:,} games, {MACHINES} of each; that the first version began with two beads
        of each colour and always left one, as the program does, is inferred.""")
    page.table(
        ("version", "drawing: loses to random", "loses to optimal", "fullest: wins against random", "unbeaten"),
        [
            (
                name,
                percent(version.lost for version in machines),
                percent(version.lost_to_optimal for version in machines),
                percent((version.win for version in machines), 2),
                unbeaten(machines),
            )
            for name, machines in versions.items()
        ],
    )
