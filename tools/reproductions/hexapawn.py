"""Gardner's HER and the rules of the kits: how many games of hexapawn each loses before nobody can beat it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from menace.arena.responses import best_response
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.kernel import FixedPlayer
from reproductions.common import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    SKY,
    UNBEATEN,
    VERMILION,
    Bench,
    Claim,
    Machine,
    Numbers,
    Page,
    new_figure,
    to_percent,
)

MACHINES = 2000  # of each rule against each opponent; the seeds are 1, 2, ...
GAMES = 1000  # that each plays at most
MARKS = (10, 20, 50, 100, 1000)  # games after which the exact worst case is read
ELSEWHERE = 11.1  # games that a simulation elsewhere lost on average, against random play
MADE = "made"
OPPONENTS = {
    "random": "random play",
    "optimal": "a player of all openings",
    MADE: "the opponent made for it",
}
# What others say of HER: games lost, and games, after which it cannot be beaten.
SAID_LOST, SAID_FEW, SAID_MORE = 11, 20, 40


@dataclass(frozen=True)
class Rule:
    """One way to teach: a preset, what replaces its settings, and how boards share boxes."""

    name: str
    preset: str
    colour: str
    settings: dict[str, Any] = field(default_factory=dict)
    symmetry: SymmetryUse = "full"


RULES = (
    Rule("HER (`gardner-1962`)", "gardner-1962", BLACK),
    Rule("`punish-all`", "punish-all", VERMILION),
    Rule("`plus-minus`", "plus-minus", BLUE),
    Rule("`plus-minus`, all beads", "plus-minus", SKY, {"credit": "all"}),
    Rule("HER, no box where a move is forced", "gardner-1962", GREEN, {"boxes": "choices"}),
    Rule("HER, 37 boxes (no mirror)", "gardner-1962", ORANGE, symmetry="none"),
)


@dataclass
class Course:
    """One machine's games.

    Attributes:
        lost: how many it lost before nobody could beat it, or in all.
        given_up: how many of these it gave up at an empty box.
        safe: after how many games nobody can beat it; infinite if that never came.
        stuck: after how many games it cannot become so any more: X wins whatever it draws from what is left.
        empty: how many of its boxes ran empty.
        gave_up: whether a box of its first move did, so that it resigns at once after that opening.
        worst: [MARKS], the exact probability to lose in the worst case.
    """

    lost: int = 0
    given_up: int = 0
    safe: float = math.inf
    stuck: float = math.inf
    empty: int = 0
    gave_up: bool = False
    worst: list[float] = field(default_factory=list)


def is_lost(positions: Positions, machine: Machine) -> bool:
    """Say whether X can force a win against whatever the machine may draw: it cannot teach itself out of that."""
    beads, value = machine.learned.amount, positions.minimax.astype(np.int64)
    for position in range(len(positions) - 1, -1, -1):
        if positions.to_move[position] < 0:
            continue
        moves = list(positions.moves_of(position))
        after = [int(value[positions.next_position[move]]) for move in moves]
        if positions.to_move[position] == machine.side:
            left = [worth for worth, move in zip(after, moves, strict=True) if beads[move] > 0]
            value[position] = min(left, default=1)
        else:
            value[position] = max(after)
    return bool(value[0] == 1)


def made_for(bench: Bench, machine: Machine) -> FixedPlayer:
    """Return the X that exploits a machine most, as it is now."""
    reply = best_response(bench.positions, machine.policy(), machine.side).parts[0][1].astype(np.int32)
    return FixedPlayer(bench.arena.graph, reply, bench.positions.sum_over_moves(reply).astype(np.int32))


def teach(bench: Bench, rule: Rule, opponent: str, seed: int) -> Course:
    """Let a fresh machine play until nobody can beat it, or it is lost for good, or for GAMES games."""
    machine, numbers, course = bench.learner(rule.preset, "O", **rule.settings), Numbers(seed, 0), Course()
    o = bench.player(machine, True)
    x = made_for(bench, machine) if opponent == MADE else bench.player(opponent, False)
    worst = bench.worst(machine, "behaviour").loss
    for game in range(1, GAMES + 1):
        played = bench.arena.play(x, o, numbers, 1, math.inf)
        lost = played.outcomes[0]
        course.lost += lost
        last = bench.arena.plies[1][played.numbers - 1]  # the move
        course.given_up += int(lost and bench.positions.to_move[bench.positions.next_position[last]] == machine.side)
        if lost or game in MARKS:
            worst = bench.worst(machine, "behaviour").loss
            if worst < UNBEATEN:
                course.safe = game
                break
            if lost and is_lost(bench.positions, machine):
                course.stuck = game
                break
            if lost and opponent == MADE:
                x = made_for(bench, machine)
        if game in MARKS:
            course.worst.append(worst)
    course.worst += [worst] * (len(MARKS) - len(course.worst))
    kept = machine.learned.kept
    beads = bench.positions.sum_over_moves(np.where(kept, machine.learned.amount, 0))
    empty = machine.boxed & (beads == 0)
    course.empty = int(empty.sum())
    course.gave_up = bool((empty & (bench.positions.ply == 1)).any())
    return course


Found = dict[tuple[str, str], list[Course]]  # by rule and opponent


def teach_many(rule: Rule, opponent: str) -> list[Course]:
    """Return what became of the machines of a rule against an opponent."""
    bench = Bench(rule.symmetry, "3x3", "hexapawn")
    return [teach(bench, rule, opponent, seed) for seed in range(1, MACHINES + 1)]


def teach_all() -> Found:
    """Return what became of all machines, on as many cores as there are."""
    cases = [(rule, opponent) for rule in RULES for opponent in OPPONENTS]
    with ProcessPoolExecutor() as pool:
        found = pool.map(teach_many, *zip(*cases, strict=True))
        return {(rule.name, opponent): courses for (rule, opponent), courses in zip(cases, found, strict=True)}


def lost_before_safe(courses: Sequence[Course]) -> list[int]:
    """Return the games lost by those machines that nobody can beat in the end."""
    return [course.lost for course in courses if math.isfinite(course.safe)]


def share(flags: Sequence[bool]) -> str:
    """Return a share in percent."""
    return f"{100 * sum(flags) / len(flags):.1f} %"


def mean_text(values: Sequence[float]) -> str:
    """Return mean ± standard deviation and the range, or a dash where there is none."""
    if len(set(values)) <= 1:
        return f"{values[0]:.0f}" if values else "-"
    return f"{fmean(values):.1f} ± {stdev(values):.1f} ({min(values):.0f} to {max(values):.0f})"


def reached_figure(found: Found) -> Figure:
    """Draw the share of machines that nobody can beat, by games played."""
    figure, axes = new_figure(1, len(OPPONENTS), size=(15, 6), sharey=True)
    games = np.arange(1, GAMES + 1)
    for axis, (opponent, text) in zip(axes[0], OPPONENTS.items(), strict=True):
        for rule in RULES:
            safe = np.sort([course.safe for course in found[rule.name, opponent]])
            shares = np.searchsorted(safe, games, side="right") / len(safe)
            axis.step(games, shares, where="post", color=rule.colour, label=rule.name.replace("`", ""))
        axis.set_xscale("log")
        axis.set_xlabel("games played")
        axis.set_title(f"against {text}")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        to_percent(axis)
    axes[0, 0].set_ylabel("machines that nobody can beat")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def losses_figure(found: Found) -> Figure:
    """Draw how many games HER lost, as shares of the machines."""
    figure, axes = new_figure(1, 1, size=(11, 5.5))
    axis, width = axes[0, 0], 0.28
    for number, (opponent, colour) in enumerate(zip(OPPONENTS, (BLUE, ORANGE, GREEN), strict=True)):
        lost: NDArray[np.int64] = np.array(lost_before_safe(found[RULES[0].name, opponent]))
        counts = np.bincount(lost) / len(lost)
        label = f"against {OPPONENTS[opponent]}: {lost.mean():.1f} on average"
        axis.bar(np.arange(len(counts)) + (number - 1) * width, counts, width, color=colour, label=label)
    axis.axvline(ELSEWHERE, color=BLACK, linestyle="--", label=f"a simulation elsewhere, random play: {ELSEWHERE}")
    axis.set_xlabel("games lost before nobody can beat it")
    axis.set_ylabel("machines")
    axis.grid(visible=False, axis="x")
    to_percent(axis)
    axis.legend()
    return figure


def rule_rows(found: Found, opponent: str) -> list[tuple[str, ...]]:
    """Return the table of the rules against an opponent."""
    rows = []
    for rule in RULES:
        courses = found[rule.name, opponent]
        safe = [course.safe for course in courses if math.isfinite(course.safe)]
        games = f"{median(safe):.0f}, {np.quantile(safe, 0.95):.0f}" if safe else "-"
        rows.append(
            (
                rule.name,
                share([math.isfinite(course.safe) for course in courses]),
                share([math.isfinite(course.stuck) for course in courses]),
                mean_text(lost_before_safe(courses)),
                games,
                share([course.empty > 0 for course in courses]),
                share([course.gave_up for course in courses]),
            )
        )
    return rows


def worst_rows(found: Found, opponent: str) -> list[tuple[str, ...]]:
    """Return the mean over the machines of the exact worst case, by games played."""
    rows = []
    for rule in RULES:
        means = np.array([course.worst for course in found[rule.name, opponent]]).mean(axis=0)
        rows.append((rule.name, *(f"{100 * mean:.1f} %" for mean in means)))
    return rows


def most_losses(rule: Rule) -> int:
    """Return how many games HER can lose at most, whoever plays: each takes a bead of a move that does not win."""
    bench = Bench(rule.symmetry, "3x3", "hexapawn")
    machine, positions = bench.learner(rule.preset, "O", **rule.settings), bench.positions
    loses = machine.learned.kept & (positions.minimax[positions.next_position] != -1)
    return int(machine.learned.amount[loses].sum())


def within(courses: Sequence[Course], games: int) -> str:
    """Return how many machines nobody can beat after so many games."""
    return share([course.safe <= games for course in courses])


def claims(found: Found) -> list[Claim]:
    """Return what others say of HER, beside what was measured."""
    her, careful, made = (found[RULES[0].name, opponent] for opponent in OPPONENTS)
    lost, board = lost_before_safe(her), [course.lost - course.given_up for course in her]
    error = stdev(lost) / math.sqrt(len(lost))
    between = fmean(board) <= ELSEWHERE <= fmean(lost)
    few = [share([course.lost <= SAID_LOST for course in courses]) for courses in (her, careful, made)]
    early, later = (
        f"{within(careful, games)} against the careful player, {within(her, games)} against random play, and"
        f" {within(made, games)} against the opponent made for it are safe after {games} games"
        for games in (SAID_FEW, SAID_MORE)
    )
    return [
        Claim(
            f"lost {ELSEWHERE} games on average against random play (a simulation elsewhere)",
            f"{fmean(lost):.2f} ± {error:.2f} (standard error); not counting those that it resigned at an empty box,"
            f" {fmean(board):.2f}",
            "yes: between the two ways of counting" if between else "nearly",
        ),
        Claim(
            f"close to perfect after losing {SAID_LOST} times (hexapawn-ml.netlify.app)",
            f"that many lost games or fewer were enough for {few[0]} of the machines against random play, for {few[1]}"
            f" against the careful player, for {few[2]} against the opponent made for it",
            "yes, about right on average",
        ),
        Claim(
            f"invincible after ten to {SAID_FEW} games (github.com/hansklav/Hexapawn)",
            early,
            "only if the opponent looks for what it has not learned",
        ),
        Claim(
            f"invincible after 30 to {SAID_MORE} games (pavelanni.dev/texts/matchboxes)",
            f"{later}; against random play the median is {median(course.safe for course in her):.0f} games",
            "the same",
        ),
    ]


def reproduce(folder: Path) -> None:
    """Teach all machines, and write the page."""
    found = teach_all()
    page = Page(folder, "hexapawn", "Hexapawn: how many games HER loses, and what other rules do")
    introduce(page)
    page.heading("Which rule learns soonest, and which gets stuck")
    page.figure(
        reached_figure(found),
        "safe",
        """Share of machines that nobody can beat, by the games that they have played. HER, and HER without boxes
        where a move is forced, share a line.""",
    )
    header = (
        "rule",
        "safe",
        "stuck",
        "games lost until safe",
        "games until safe: median, 95 %",
        "some box ran empty",
        "resigns at its first move",
    )
    for opponent, text in OPPONENTS.items():
        page.text(f"Against {text}; mean ± standard deviation over the machines that became safe (least to most):")
        page.table(header, rule_rows(found, opponent))
    explain(page, found)
    page.heading("Games that HER loses")
    page.figure(
        losses_figure(found), "lost", "How many games HER lost before nobody could beat it, as shares of the machines."
    )
    page.claims(claims(found))
    page.heading("The exact worst case")
    page.text("""The probability of losing to the opponent that exploits the machine most, by games played: computed
        for each machine, then the mean. A machine that is safe has 0 from then on, one that is stuck keeps what it had
        when its games ended.""")
    for opponent, text in OPPONENTS.items():
        page.text(f"Taught by {text}:")
        page.table(("rule", *(f"{mark:,} games" for mark in MARKS)), worst_rows(found, opponent))
    page.write()


def introduce(page: Page) -> None:
    """Say what was played."""
    page.text("""M. Gardner, Mathematical Games, Scientific American 206(3), March 1962 (The Unexpected Hanging, chapter
        8): a machine of matchboxes plays the second side of hexapawn, which can always win. Each box has a bead for
        each arrow on it. After a loss the last bead is taken away; where a box is empty, the machine resigns, and the
        bead of the move before is taken away. A win changes nothing. Kits for classrooms have other rules; `menace
        presets NAME` says whose.""")
    page.text(f"""Here: {MACHINES:,} machines of each rule against each opponent, seeds 1 to {MACHINES:,}, up to
        {GAMES:,} games each. Random play takes any move. The player of all openings is `optimal`: every opening loses
        against the best replies, so it opens equally often with each pawn; and it lets no mistake go unpunished. The
        opponent made for it is the one that exploits the machine most, found again after each game that it lost. After
        each lost game the worst case is computed exactly: a machine is *safe* when nobody can beat it any more, which
        is for good, since no colour that has run out comes back. It is *stuck* when X can force a win against whatever
        it may draw from the beads that are left; its games end there.""")


def explain(page: Page, found: Found) -> None:
    """Say why the rules do what the tables show."""

    def reached(rule: int, which: str, opponent: str = "random") -> str:
        courses = found[RULES[rule].name, opponent]
        return share([math.isfinite(getattr(course, which)) for course in courses])

    most, bound = max(lost_before_safe(found[RULES[0].name, "random"])), most_losses(RULES[0])
    page.text(f"""Against random play HER becomes safe sooner or later, and this can be proved: the box after a winning
        move always holds a winning move again, so that the bead of a winning move is never the last that was drawn in a
        lost game. Each lost game takes one of the {bound} beads that do not win, so that it can lose no more games than
        that, whoever plays; against random play the unluckiest machine lost {most}.""")
    page.text(f"""`punish-all` takes the beads of winning moves too, and there is only one of each: after one loss with
        the only good reply to an opening, that reply is gone. {reached(1, "stuck")} of its machines end stuck against
        random play. `plus-minus` cannot get stuck, for the same reason as HER; but the beads that it has won with
        outnumber those that it should lose, so that it draws these less and less often: {reached(2, "safe")} are safe
        within {GAMES:,} games against random play, and of HER's {reached(0, "safe")}. If all beads of a game are
        rewarded and punished, {reached(3, "stuck")} get stuck.""")
