"""Gardner's HER and the rules of the kits: how many games of hexapawn each loses before nobody can beat it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, median, stdev

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import BLACK, BLUE, GREY, Bench, new_figure, to_percent
from experiments.hexapawn.courses import (
    GAMES,
    MACHINES,
    MARKS,
    OPPONENTS,
    RULES,
    Course,
    CoursesByCase,
    Rule,
    School,
    teach_everybody,
)
from experiments.page import Page, ranged
from menace.games.symmetry import SymmetryUse

# What others say of HER: games lost, and games, after which it cannot be beaten.
SAID_LOST, SAID_FEW, SAID_MORE = 11, 20, 40
# The claims. Who taught their machines is not said: what was seen once is asked of the teacher with whom it is so most.
FEW_LOST = Claim(
    f"“After losing {SAID_LOST} times the AI's game becomes close to perfect”",
    "hexapawn-ml.netlify.app",
    "nobody can beat it after so many losses or fewer, with one of the teachers",
    noun="machines",
)
INVARIABLY = Claim(
    "“After ten to twenty games (of at most eight turns (= four moves) each) s(h)e invariably gets invincible”",
    "github.com/hansklav/Hexapawn, README of 15 June 2023 (f6c8abd)",
    f"nobody can beat it after {SAID_FEW} games, whoever taught it",
    "law",
    noun="machines",
)
SOON = Claim(
    f"“If you teach it correctly, it becomes invincible after 30\N{EN DASH}{SAID_MORE} games”",
    "pavelanni.dev/texts/matchboxes, Time to play and learn",
    f"nobody can beat it after {SAID_MORE} games, with one of the teachers",
    noun="machines",
)
# Two claims of ours. The second only compares two programs of ours, so it can hardly fail, and the page says so.
BEST_TEACHER = Claim(
    "The player who sees the boxes and wins each game as often as he can is the best teacher",
    "our question",
    "no teacher needs fewer games on average, even if he takes, of moves that win equally often, those after which most"
    " games follow",
    "number",
)
NEAR = 3.0  # standard errors
EXACT = Claim(
    f"The exact means agree with the means of our {MACHINES:,} machines",
    "our check, which can hardly fail",
    f"the mean games and losses with random play and with `optimal` differ by at most {NEAR:.0f} standard errors",
    "number",
)
SAMPLED = 40  # machines that the tests teach again


def lost_before_safe(courses: Sequence[Course]) -> list[int]:
    """Return the games lost by those machines that nobody can beat in the end."""
    return [course.lost for course in courses if math.isfinite(course.safe)]


def share(flags: Sequence[bool]) -> str:
    """Return a share in percent."""
    return f"{100 * sum(flags) / len(flags):.1f} %"


def mean_text(values: Sequence[float]) -> str:
    """Return mean ± standard deviation, and the range, or a dash if there are no values."""
    if len(set(values)) <= 1:
        return f"{values[0]:.0f}" if values else "-"
    return f"{fmean(values):.1f} ± {stdev(values):.1f}" + ranged(f"{min(values):.0f}", f"{max(values):.0f}")


def reached_figure(courses: CoursesByCase) -> Figure:
    """Draw the share of machines that nobody can beat, by games played."""
    figure, axes = new_figure(1, len(OPPONENTS), size=(15, 6), sharey=True)
    games = np.arange(1, GAMES + 1)
    for axis, (opponent, text) in zip(axes[0], OPPONENTS.items(), strict=True):
        for rule in RULES:
            safe = np.sort([course.safe for course in courses[rule.name, opponent]])
            shares = np.searchsorted(safe, games, side="right") / len(safe)
            axis.step(
                games, shares, where="post", color=rule.colour, linestyle=rule.line, label=rule.name.replace("`", "")
            )
        axis.set_xscale("log")
        axis.set_xlabel("games played")
        axis.set_title(f"against {text}")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        to_percent(axis)
        for limit, style in ((SAID_FEW, ":"), (SAID_MORE, "-.")):
            axis.axvline(limit, color=GREY, linestyle=style, label=f"said elsewhere: invincible after {limit} games")
    axes[0, 0].set_ylabel("machines that nobody can beat")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def losses_figure(courses: CoursesByCase) -> Figure:
    """Draw how many games HER lost, as shares of the machines, a panel an opponent."""
    figure, axes = new_figure(len(OPPONENTS), 1, size=(11, 8), sharex=True, sharey=True)
    shown: set[int] = set()
    for axis, (opponent, text) in zip(axes[:, 0], OPPONENTS.items(), strict=True):
        lost: NDArray[np.int64] = np.array(lost_before_safe(courses[RULES[0].name, opponent]))
        numbers, counts = np.unique(lost, return_counts=True)
        axis.bar(numbers, counts / len(lost), color=BLUE)
        axis.axvline(SAID_LOST, color=BLACK, linestyle="--", label=f"said elsewhere: after {SAID_LOST}")
        axis.set_title(f"against {text}: {lost.mean():.1f} on average")
        axis.set_ylabel("machines")
        shown = shown | set(numbers.tolist())
        axis.grid(visible=False, axis="x")
        to_percent(axis)
    axes[0, 0].legend()
    axes[-1, 0].set_xticks(sorted(shown))
    axes[-1, 0].set_xlabel("games lost before nobody can beat it")
    return figure


def rule_rows(results: CoursesByCase, opponent: str) -> list[tuple[str, ...]]:
    """Return the table of the rules against an opponent."""
    rows = []
    for rule in RULES:
        courses = results[rule.name, opponent]
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


def worst_rows(results: CoursesByCase, opponent: str) -> list[tuple[str, ...]]:
    """Return the mean over the machines of the exact worst case, by games played."""
    rows = []
    for rule in RULES:
        means = np.array([course.worst for course in results[rule.name, opponent]]).mean(axis=0)
        rows.append((rule.name, *(f"{100 * mean:.1f} %" for mean in means)))
    return rows


def most_losses(rule: Rule) -> int:
    """Return the most games that HER can lose to any opponent: each takes a bead of a move that does not win."""
    bench = Bench(rule.symmetry, "3x3", "hexapawn")
    machine, positions = bench.learner(rule.preset, "O", **rule.settings), bench.positions
    loses = machine.learned.kept & (positions.minimax[positions.next_position] != -1)
    return int(machine.learned.amount[loses].sum())


def by_teacher(results: CoursesByCase, flag: Callable[[Course], bool]) -> tuple[str, list[NDArray[np.bool_]]]:
    """Return in how many of HER's machines something is so, by teacher, as text and as flags of the machines."""
    flags = [np.array([flag(course) for course in results[RULES[0].name, opponent]]) for opponent in OPPONENTS]
    texts = [f"{100 * so.mean():.1f} % with {text}" for so, text in zip(flags, OPPONENTS.values(), strict=True)]
    return ", ".join(texts), flags


def findings(results: CoursesByCase) -> list[Finding]:
    """Return what others say of HER, beside what was measured."""
    few_lost, enough = by_teacher(results, lambda course: course.lost <= SAID_LOST and math.isfinite(course.safe))
    few, early = by_teacher(results, lambda course: course.safe <= SAID_FEW)
    more, later = by_teacher(results, lambda course: course.safe <= SAID_MORE)
    middle = median(course.safe for course in results[RULES[0].name, "random"])
    unbeaten = "nobody can beat, after"
    return [
        FEW_LOST.counted(f"{unbeaten} {SAID_LOST} losses: {few_lost}", max(enough, key=np.sum)),
        INVARIABLY.counted(f"{unbeaten} {SAID_FEW} games: {few}", np.all(early, axis=0)),
        SOON.counted(
            f"{unbeaten} {SAID_MORE} games: {more}; with random play the median is {middle:.0f} games",
            max(later, key=np.sum),
        ),
    ]


def sample() -> list[str]:
    """Teach a few machines of each rule."""
    lines = []
    for rule in RULES:
        courses = School(rule, "random").teach_all(SAMPLED)
        worst = fmean(course.worst[1] for course in courses)
        lines.append(
            f"{rule.name}, the first {SAMPLED} machines, random play: {sum(course.lost for course in courses)} games"
            f" lost, {sum(math.isfinite(course.safe) for course in courses)} safe, worst case after {MARKS[1]} games"
            f" {100 * worst:.4f} %"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Teach all machines, and write the page."""
    results = teach_everybody()
    page = Page(folder, "hexapawn", "Hexapawn: how many games HER loses, and what other rules do")
    lost = lost_before_safe(results[RULES[0].name, "random"])
    page.summary(
        "By several who built Gardner's machine, after how many games or losses nobody can beat it any more.",
        f"{MACHINES:,} machines of each of {len(RULES)} rules against each of {len(OPPONENTS)} opponents.",
        f"""By Gardner's rule every machine ends where nobody can beat it: against random play after
        {fmean(lost):.1f} lost games on average, and after {max(lost)} at most. Rules that take beads of winning moves
        get stuck.""",
    )
    introduce(page)
    page.figure(
        reached_figure(results),
        "safe",
        "Share of machines that nobody can beat, by the games that they have played.",
    )
    page.heading("Which rule learns soonest, and which gets stuck")
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
        page.text(f"Against {text}; mean ± standard deviation over the machines that became safe:")
        page.table(header, rule_rows(results, opponent))
    explain(page, results)
    page.figure(
        losses_figure(results),
        "lost",
        "How many games HER lost before nobody could beat it, as shares of the machines.",
    )
    page.claims(findings(results))
    page.heading("The exact worst case")
    page.text("""The probability of losing to the opponent that exploits the machine most, by games played: computed
        for each machine, then the mean. A machine that is safe has 0 from then on, one that is stuck keeps what it had
        when its games ended.""")
    for opponent, text in OPPONENTS.items():
        page.text(f"Taught by {text}:")
        page.table(("rule", *(f"{mark:,} games" for mark in MARKS)), worst_rows(results, opponent))
    page.sample(sample())
    page.write()


def boxes_by_move(symmetry: SymmetryUse) -> str:
    """Return how many boxes HER has for its first, second and third move."""
    bench = Bench(symmetry, "3x3", "hexapawn")
    machine = bench.learner(RULES[0].preset, "O")
    plies, counts = np.unique(bench.positions.ply[machine.boxed], return_counts=True)
    assert plies.tolist() == [1, 3, 5]
    return "{}, {} and {}".format(*counts)


def introduce(page: Page) -> None:
    """Say what was played."""
    every, paired = (boxes_by_move(symmetry) for symmetry in ("none", "full"))
    page.text(f"""M. Gardner, Mathematical Games, Scientific American 206(3), March 1962 (The Unexpected Hanging,
        chapter 8): a machine of matchboxes plays the second side of hexapawn, which can always win.
        His 24 boxes, 2, 11 and 11 for its first to third move as one who built it tells
        (pavelanni.dev/texts/matchboxes), are neither a box for each board ({every}) nor one for each pair of mirror
        images ({paired}), as here; which he left out or kept apart we do not know, and his curve of HER's first fifty
        games we have not seen. Each box has a bead for each arrow on it. After a loss the last bead is taken away;
        where a box is empty, the machine resigns, and the bead of the move before is taken away.
        A win changes nothing. Kits for classrooms have other rules; `menace
        presets NAME` says whose.""")
    page.text(f"""Here: {MACHINES:,} machines of each rule against each opponent, seeds 1 to {MACHINES:,}, up to
        {GAMES:,} games each. Random play takes any move. The player of all openings is `optimal`: every opening loses
        against the best replies, so it opens equally often with each pawn; and it lets no mistake go unpunished. The
        opponent made for it is the one that exploits the machine most, found again after each game that it lost. After
        each lost game the worst case is computed exactly: a machine is *safe* when nobody can beat it any more, which
        is for good, since no colour that has run out comes back. It is *stuck* when X can force a win against whatever
        it may draw from the beads that are left; its games end there.""")


def explain(page: Page, results: CoursesByCase) -> None:
    """Say why the rules do what the tables show."""

    def reached(rule: int, which: str, opponent: str = "random") -> str:
        courses = results[RULES[rule].name, opponent]
        return share([math.isfinite(getattr(course, which)) for course in courses])

    most, bound = max(lost_before_safe(results[RULES[0].name, "random"])), most_losses(RULES[0])
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
