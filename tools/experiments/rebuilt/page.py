"""Write the page about how Michie should have filled his boxes; study.py contains the claims and computations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Finding
from experiments.common import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    UNBEATEN,
    VERMILION,
    Bench,
    new_figure,
    raw_numbers,
    to_percent,
)
from experiments.page import BEADS, MICHIES_BEADS, REFILLED, Page
from experiments.rebuilt import study as r
from experiments.rebuilt.study import (
    CLAIMS,
    EVENING,
    FALLEN,
    LARGE,
    LENGTHS,
    LONG,
    MACHINES,
    MICHIE,
    ONE_BEAD,
    REBUILT,
    SEEDS,
    TEACHERS,
)
from menace.analysis.expected_beads import expect
from menace.analysis.groups import Estimate, estimate, mean
from menace.learners.machine import Machine
from menace.learners.registry import get_preset

MACHINE = f"{BEADS} {MICHIES_BEADS} {REFILLED}"
COLOURS = dict(zip(MACHINES, (ORANGE, GREEN, VERMILION, BLUE), strict=True))
# the other teachers have the same names as on the command line
WORDS = {"perfect": "a perfect player", "random": "random play"}
# X has two in a row, but so does O: only the bead for cell 3 saves the game.
BOARD, SAVES = "O.X.X.O..", "3"
STAGE, CHOICES = 3, 5  # the box is for the machine's third move and has five colours
# the number of machines for `menace expect`, and the numbers of games in the figure
COPIES, WATCHED = 1_000, range(0, 51, 5)
STEPS = range(20, EVENING + 1, 20)  # numbers of games in the figure that shows lost games
# numbers of games after which half of the machines may be unbeatable
HALVES = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
FEWER = SEEDS[:200]  # the seeds of the machines that are measured at the numbers in HALVES
SITTING = 60  # the number of games that fit into an evening with real matchboxes, at three minutes per game
# Machines that need few beads: one of each colour, and the same small reward for a win and for a draw.
THRIFTY = {
    f"one bead, +{gain} for a win or draw": {"beads": (1,), "win": gain, "draw": gain, "loss": -8} for gain in (0, 1, 3)
}
COUNTED = range(100_001, 100_101)  # the seeds of the machines whose beads are counted
SAMPLED = SEEDS[:50]  # the tests train these machines again


def teacher_text(teacher: str) -> str:
    """Return the words that describe a teacher."""
    return WORDS.get(teacher, f"`{teacher}`")


def interval(scores: NDArray[np.float64], digits: int = 1, unit: str = "") -> str:
    """Return the mean score with its 95 % interval."""
    return text_of(estimate(scores, mean), digits, unit)


def text_of(value: Estimate, digits: int = 1, unit: str = "") -> str:
    """Return an estimate as text, such as `15.6 (15.1 to 16.2)`."""
    number, low, high = (f"{round(part, digits) + 0.0:.{digits}f}" for part in value[:3])  # adding 0.0 turns -0 into 0
    return f"{number}{unit} ({low} to {high})" if low != high else f"{number}{unit}"


def mean_text(settings: Mapping[str, Any], teacher: str, games: int, measure: str = "training.losses") -> str:
    """Return the mean score of the machines."""
    return f"{r.scores(settings, teacher, games, measure).mean():.1f}"


# The following functions show why the rebuilt machine works.


def box_course(settings: Mapping[str, Any]) -> list[tuple[int, list[int]]]:
    """Return the beads in the box for BOARD when new, after one and two lost games, and after a drawn game.

    The first number is for the bead of the saving move; the others are for the moves that lose.
    """
    values = {name: settings.get(name, getattr(get_preset("menace").settings, name)) for name in ("beads", *r.REWARDS)}
    fresh = values["beads"][min(STAGE, len(values["beads"])) - 1]
    saves, wrong = fresh, [fresh] * (CHOICES - 1)
    course = [(saves, list(wrong))]
    for lost in range(2):
        wrong[lost] = max(0, wrong[lost] + values["loss"])
        course.append((saves, list(wrong)))
    return [*course, (saves + values["draw"], list(wrong))]


def draw_box(axes: Axes, name: str) -> None:
    """Draw the beads in a box as stacked bars, with the probability of drawing the saving bead above each bar."""
    labels = ("new", "lost\nonce", "lost\ntwice", "then\ndrawn")
    for place, (saves, wrong) in enumerate(box_course(MACHINES[name])):
        axes.bar(place, saves, color=BLUE, width=0.7)
        bottom = saves
        for beads in wrong:
            axes.bar(place, beads, bottom=bottom, color=GREY, edgecolor="white", width=0.7)
            bottom += beads
        axes.text(place, bottom + 0.15, f"{100 * saves / bottom:.0f} %", ha="center", va="bottom")
    axes.set_xticks(range(len(labels)), labels)
    axes.set(title=name, ylim=(0, 12), ylabel="beads in the box")
    axes.grid(visible=False, axis="x")


@cache
def saved(name: str) -> list[float]:
    """Return the expected share of BOARD's saving bead after each number of games in WATCHED."""
    machine = Machine("menace", "X", **MACHINES[name])
    expected = expect(machine, "perfect", WATCHED[-1], ",".join(map(str, WATCHED)), BOARD, COPIES)
    (box,), (laws,) = expected.boxes, expected.laws.values()
    positions, moves = machine.positions, machine.positions.moves_of(box)
    place = positions.action[moves.start : moves.stop].tolist().index(positions.to_canonical(BOARD, int(SAVES)))
    assert len(moves) == CHOICES
    return [float(law.mean_shares_and_deviations(moves)[0][place]) for law in laws]


def why_figure() -> Figure:
    """Draw two boxes during four games, and the expected share of the saving bead."""
    figure, axes = new_figure(1, 3, size=(15, 5.5), width_ratios=(1, 1, 1.5))
    draw_box(axes[0, 0], MICHIE)
    draw_box(axes[0, 1], REBUILT)
    last = axes[0, 2]
    for name in MACHINES:
        last.plot(WATCHED, saved(name), color=COLOURS[name], label=name, marker="o")
    last.set(title="this box in many machines", xlabel="games", ylabel="chance of the saving bead", ylim=(0, 1))
    to_percent(last)
    last.legend(loc="upper left")
    return figure


def losses_figure() -> Figure:
    """Draw the number of lost games against the number of games, with a panel for each teacher."""
    figure, axes = new_figure(1, len(TEACHERS), size=(15, 5.5), sharey=True)
    for axis, teacher in zip(axes[0], TEACHERS, strict=True):
        for name, settings in MACHINES.items():
            lost = [np.zeros(1), *(r.scores(settings, teacher, games) for games in STEPS)]
            axis.plot([0, *STEPS], [scores.mean() for scores in lost], color=COLOURS[name], label=name)
        axis.set(title=f"taught by {teacher_text(teacher).replace('`', '')}", xlabel="games", xlim=(0, EVENING))
    axes[0, 0].set(ylabel="games lost so far", ylim=(0, None))
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


# The following function judges the claims.


def findings() -> list[Finding]:
    """Judge the claims."""

    def many(kept: list[bool], measured: str, things: str = "teachers") -> tuple[str, bool, str]:
        return measured, all(kept), f"true for {sum(kept)} of {len(kept)} {things}"

    def true_if(kept: list[bool]) -> str:
        names = [teacher_text(teacher) for teacher, holds in zip(TEACHERS, kept, strict=True) if holds]
        return f"true if the teacher is {' or '.join(names)}; the [table](#results-of-both-machines) shows the numbers"

    def compared(one: str, other: str, games: int = EVENING, teacher: str = "perfect", measure: str = "") -> str:
        numbers = [
            r.scores(MACHINES[name], teacher, games, measure or "training.losses").mean() for name in (one, other)
        ]
        return "{:.1f} and {:.1f}".format(*numbers)

    few = [r.difference(REBUILT, MICHIE, teacher, games).high < 0 for teacher, games in product(TEACHERS, LENGTHS)]
    beads = [r.difference(ONE_BEAD, MICHIE, teacher, EVENING).high < 0 for teacher in TEACHERS]
    both = [r.difference(LARGE, REBUILT, teacher, EVENING).low > 0 for teacher in TEACHERS]
    ratios = {
        (teacher, games): r.scores(MACHINES[REBUILT], teacher, games).mean()
        / r.scores(r.searched(teacher, games, "training.losses"), teacher, games).mean()
        for teacher, games in product(TEACHERS, LENGTHS)
    }
    (worst_teacher, worst_games), ratio = max(ratios.items(), key=lambda item: item[1])
    price = [r.difference(REBUILT, MICHIE, teacher, LONG, FALLEN).low > 0 for teacher in TEACHERS]
    pairs = [[r.unbeatable(MACHINES[name], teacher, LONG) for name in (REBUILT, MICHIE)] for teacher in TEACHERS]
    soon = [estimate(one - other, mean).low > 0 for one, other in pairs]
    changes = [(one, other) for one, other in product(TEACHERS, TEACHERS) if one != other]
    moved = [estimate(r.moved(MACHINES[REBUILT], *pair) - r.moved(MACHINES[MICHIE], *pair), mean) for pair in changes]
    worst = max(moved)
    where = " after ".join(teacher_text(teacher) for teacher in reversed(changes[moved.index(worst)]))
    return [
        CLAIMS["few"].judged(
            *many(few, f"perfect player, {EVENING} games: {compared(REBUILT, MICHIE)} lost", "teachers and lengths")
        ),
        CLAIMS["beads"].judged(*many(beads, f"perfect player: {compared(ONE_BEAD, MICHIE)} lost")),
        CLAIMS["both"].judged(*many(both, f"perfect player: {compared(LARGE, REBUILT)} lost")),
        CLAIMS["near"].judged(
            *many(
                [ratio <= r.NEAR for ratio in ratios.values()],
                f"at most {ratio:.2f} times ({teacher_text(worst_teacher)}, {worst_games:,} games)",
                "searches",
            )
        ),
        CLAIMS["price"].judged(*many(price, true_if(price))),
        CLAIMS["soon"].judged(*many(soon, true_if(soon))),
        CLAIMS["moved"].judged(
            *many(
                [change.high < 0 for change in moved],
                f"it loses at least {-worst.value:.1f} games fewer ({where})",
                "pairs of teachers",
            )
        ),
    ]


# The following functions make the tables.


def settings_cells(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return table cells with the beads and rewards of a machine."""
    return ", ".join(map(str, settings["beads"])), *(str(settings[name]) for name in r.REWARDS)


def best_rows() -> Iterator[list[str]]:
    """Yield the settings found by each search for few losses, with their score and other scores.

    The score is measured on fresh seeds.
    """
    for teacher, games in product(TEACHERS, LENGTHS):
        found = r.searched(teacher, games, "training.losses")
        others = (mean_text(MACHINES[name], teacher, games) for name in (REBUILT, MICHIE))
        scored = interval(r.scores(found, teacher, games))
        yield [teacher_text(teacher), f"{games:,}", *settings_cells(found), scored, *others]


@cache
def half_unbeatable(settings: tuple[tuple[str, Any], ...], teacher: str) -> str:
    """Return the first number of games in HALVES after which enough machines are unbeatable."""
    for games in HALVES:
        if (r.scores(dict(settings), teacher, games, FALLEN, FEWER) < UNBEATEN).mean() >= r.SOON:
            return f"{games:,}"
    return f"more than {HALVES[-1]:,}"


def soonest_rows() -> Iterator[list[str]]:
    """Yield the settings found by the searches for strong machines, and when half of the machines are unbeatable."""
    for teacher in TEACHERS:
        found = r.searched(teacher, EVENING, FALLEN)
        shown = (found, MACHINES[REBUILT], MACHINES[MICHIE])
        halves = (half_unbeatable(tuple(settings.items()), teacher) for settings in shown)
        yield [teacher_text(teacher), *settings_cells(found), *halves]


def price_rows(names: tuple[str, ...], exact: bool) -> Iterator[list[str]]:
    """Yield a row for each teacher and machine; with `exact`, the rows contain intervals."""
    for teacher, name in product(TEACHERS, names):
        settings = MACHINES[name]
        lost = [r.scores(settings, teacher, games) for games in LENGTHS]
        strengths = [
            100 * r.scores(settings, teacher, games, measure)
            for games, measure in product((EVENING, LONG), ("random.losses", FALLEN))
        ]
        safe = 100 * r.unbeatable(settings, teacher, LONG)
        moved = np.mean([r.moved(settings, teacher, then) for then in TEACHERS if then != teacher], axis=0)
        cells = [interval(scores) if exact else f"{scores.mean():.1f}" for scores in (*lost, *strengths, safe, moved)]
        yield [teacher_text(teacher), name, *cells]


PRICES = (
    "teacher",
    "machine",
    *(f"lost of {games:,}" for games in LENGTHS),
    *(f"% lost to {rival} after {games:,}" for games in (EVENING, LONG) for rival in ("random play", "best response")),
    f"% unbeatable after {LONG:,}",
    f"lost of next {EVENING} with another teacher",
)


@cache
def contents(name: str, teacher: str, games: int) -> tuple[float, float, float]:
    """Return the mean numbers of beads in all boxes and in the fullest box after some games, and of lost games."""
    settings, bench, counts = {**MACHINES, **THRIFTY}[name], Bench(), []
    for seed in COUNTED:
        machine = bench.learner("menace", "X", **settings)
        lost = bench.play(machine, teacher, games, raw_numbers(seed, 0))[2]
        beads = machine.learned.amount * machine.learned.kept
        counts.append((beads.sum(), machine.positions.sum_over_moves(beads).max(), lost))
    total, fullest, losses = np.mean(counts, axis=0).tolist()
    return total, fullest, losses


def bead_rows() -> Iterator[list[str]]:
    """Yield the number of beads that each machine needs, and the number of games that it loses."""
    for name in (MICHIE, ONE_BEAD, REBUILT, *THRIFTY):
        settings = {**MACHINES, **THRIFTY}[name]
        before = r.beads(settings, TEACHERS[0], SEEDS[:1])[0]
        sums = [contents(name, "perfect", games) for games in (SITTING, EVENING)]
        cells = [f"{number:,.0f}" for total, fullest, _ in sums for number in (total, fullest)]
        losses = [f"{lost:.1f}" for *_, lost in sums]
        yield [name, f"{before:,}", *cells, *losses]


# The following functions write the page.


def sample() -> list[str]:
    """Return the results for a few machines, which take a second to compute."""
    lines = []
    for name, settings in MACHINES.items():
        lost = r.scores(settings, "perfect", EVENING, seeds=SAMPLED)
        worst = r.scores(settings, "perfect", EVENING, FALLEN, SAMPLED)
        lines.append(
            f"{name}: {lost.mean():.2f} of {EVENING} games lost to `perfect`, {100 * worst.mean():.2f} % to the best"
            f" response, {r.beads(settings, 'perfect', SAMPLED[:5])} beads"
        )
    return lines


def reproduce(folder: Path) -> None:
    """Search, train machines, and write the page."""
    page = Page(folder, "rebuilt", "The machine that Michie should have built", "Question", MACHINE)
    lost = {name: mean_text(settings, "perfect", EVENING) for name, settings in MACHINES.items()}
    page.term("""*Michie's machine*: 4, 3, 2 and 1 beads of each colour in the boxes for its first to fourth moves; +3
        beads for a win, +1 for a draw, -1 for a loss.""")
    page.term(f"""*The rebuilt machine* (preset `rebuilt`): one bead of each colour in every box; +{r.REWARDS["win"]}
        beads for a win, +{r.REWARDS["draw"]} for a draw, {r.REWARDS["loss"]} for a loss. A loss nearly always removes
        all beads of the drawn colours. In both machines, an empty box is refilled with its initial beads.""")
    page.term("*Teacher*: the player that plays O against the machine while it learns.")
    page.claims(findings())
    page.summary(
        """Would MENACE lose fewer games with other numbers of beads and other rewards than those that Michie chose? We
        tested this while the machine learns (claims 1 to 4), after 2,000 games (claims 5 and 6), and with a new teacher
        (claim 7).""",
        f"""Our *rebuilt machine* starts with one bead of each colour and has larger rewards; we compared {len(SEEDS):,}
        of these machines with {len(SEEDS):,} of Michie's. For each of {len(TEACHERS)} teachers and {len(LENGTHS) + 1}
        aims, such as few lost games of 220, a program also searched for the best beads and rewards. Each search tried
        2,560 of 11 billion combinations.""",
        f"""Yes: against a perfect player, Michie's machine loses {lost[MICHIE]} of its first {EVENING} games, and the
        rebuilt machine only {lost[REBUILT]} (claims 1 to 3: yes). The rebuilt machine also loses fewer games to a new
        teacher (claim 7: yes). However, one machine does not suit all aims (claim 4: no): with some teachers, Michie's
        machine is harder to beat after 2,000 games.""",
    )
    page.figure(
        why_figure(),
        "why",
        f"""One box during four games (left and middle), and the same box in {COPIES:,} machines (right). O has both
        left corners, so X must play between them; the blue bead stands for this move. The percentages are the chances
        of drawing the blue bead. Left and middle: the beads in a new box, after one and two lost games, and then after
        a drawn game. Right: the mean chance in machines taught by a perfect player, as computed by `menace expect
        --board {BOARD} --machines {COPIES}`.""",
    )
    page.figure(
        losses_figure(),
        "losses",
        f"""Games lost so far with each of four teachers. Each curve shows the mean of {len(SEEDS):,} machines.""",
    )
    explain(page)
    show_searches(page)
    show_price(page)
    count_beads(page)
    page.sample(sample())
    page.write()


def explain(page: Page) -> None:
    """Explain why one bead is better than four."""
    at = {name: f"{100 * saved(name)[list(WATCHED).index(20)]:.0f} %" for name in MACHINES}
    late = {name: f"{100 * saved(name)[-1]:.0f} %" for name in MACHINES}
    (_, new), *_, (saves, wrong) = box_course(MACHINES[REBUILT])
    (_, many), *_, (michie, others) = box_course(MACHINES[MICHIE])
    page.heading("Why one bead is better than four")
    page.text(f"""The box in the figure has {CHOICES} colours, and only one of them saves the game. Michie's box
        contains two beads of each colour. A lost game removes one bead of a wrong colour, but the second bead can still
        be drawn, so the machine can repeat the mistake. Michie's machine can therefore lose up to {sum(many)} games at
        this box before only the right colour is left. The rebuilt machine has one bead of each colour in this box, so
        it makes each mistake only once and can lose at most {sum(new)} games. A lost game also removes the beads for
        the right moves before the mistake, but this harm is smaller than the benefit.""")
    page.text(f"""After a draw, Michie adds one bead, and the chance of the right move rises to
        {share_text(michie, others)}. The rebuilt machine gains five beads, so the chance of the right move rises to
        {share_text(saves, wrong)}, and the machine usually repeats the game that it did not lose. After 20 games, the
        mean chance of the right move is {at[REBUILT]} in the rebuilt machine and {at[MICHIE]} in Michie's machine.
        After {WATCHED[-1]} games the two chances are similar ({late[REBUILT]} and {late[MICHIE]}), because the rebuilt
        machine has learned to avoid this position.""")
    page.text("""A machine with few beads settles on its moves quickly, which is good if it can trust the results.
        Against a perfect player, every lost game contains a mistake and no drawn game does. Random play does not punish
        every mistake, so the results of games against it are less reliable. Starting with one bead also helps against
        random play, but less.""")


def share_text(saves: int, wrong: list[int]) -> str:
    """Return the probability of drawing the saving bead."""
    return f"{100 * saves / (saves + sum(wrong)):.0f} %"


def show_searches(page: Page) -> None:
    """Add the settings that the searches find."""
    page.heading("The best settings for each teacher and aim")
    page.text(f"""The first table lists the settings that lost the fewest games. The column *beads* shows the numbers of
        beads of each colour in the boxes for the first to fourth moves. The last three columns show the mean numbers of
        games lost by machines with these settings (with a 95 % interval), by the rebuilt machine and by Michie's
        machine. `menace study search docs/rebuilt.toml` repeats one of these
        [searches](../studies.md#searching-settings). The searches used seeds 1 to {r.SEARCHED["seeds"]}, and all scores
        are for seeds {SEEDS[0]:,} to {SEEDS[-1]:,}.""")
    page.table(("teacher", "games", "beads", *r.REWARDS, "lost", "rebuilt", "Michie's"), list(best_rows()))
    page.text("""With all teachers, nearly all of the best boxes start with one bead of each colour. We think that a
        draw should add no bead against random play, because most of these games are won and a draw is a bad result.""")
    page.text(f"""The second table lists the settings whose machines lost least often to the best response after
        {EVENING} games, when they played their favourite moves. We tested {len(FEWER)} machines at {len(HALVES)}
        points, after {HALVES[0]} to {HALVES[-1]:,} games. The last three columns show the first of these points at
        which half of the machines were unbeatable.""")
    header = ("teacher", "beads", *r.REWARDS, "half unbeatable", "rebuilt", "Michie's")
    page.table(header, list(soonest_rows()))
    page.text("""For this aim, many beads are better. We think that a machine with few beads soon repeats one game, so
        its other boxes learn nothing.""")


def show_price(page: Page) -> None:
    """Add the costs of rebuilding the machine in other situations."""
    page.heading("Results of both machines")
    link = page.numbers("machines", PRICES, price_rows(tuple(MACHINES), exact=True))
    page.text(f"""The table shows the mean numbers of games that machines lose while they learn. The table also shows
        how often machines that play their favourite moves lose, and how many machines are unbeatable. In the last
        column, one of the other three teachers takes over after {EVENING} games. {link} lists the results of all four
        kinds of machines, with 95 % intervals.""")
    page.table(PRICES, list(price_rows((MICHIE, REBUILT), exact=False)))


def count_beads(page: Page) -> None:
    """Add the numbers of beads that one has to buy."""
    rows = list(bead_rows())
    cheapest = next(row for row in rows if row[0] == next(iter(THRIFTY)))
    page.heading("How many beads to buy")
    page.text(f"""You can play about {SITTING} games with real matchboxes in an evening; Michie played {EVENING} games.
        The table shows the mean number of beads in {len(COUNTED)} machines taught by a perfect player, and in the
        fullest box of each. A matchbox holds about 300 beads.""")
    header = (
        "machine",
        "new",
        *(f"{what} after {games}" for games in (SITTING, EVENING) for what in ("beads", "fullest box")),
        *(f"lost of {games}" for games in (SITTING, EVENING)),
    )
    page.table(header, rows)
    page.text(f"""The cheapest machine needs {cheapest[1]} beads, because no bead is ever added. This machine still
        loses only {cheapest[-1]} of {EVENING} games. After an evening of games, the beads of the rebuilt machine still
        fit into its boxes. A machine that gains 3 beads for a win or draw needs fewer beads. `menace labels` lists the
        beads to buy; see [Building the machine](../building.md).""")
