"""Count the games that hexapawn machines lose before they become unbeatable."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median, stdev

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import BLACK, BLUE, GREY, UNBEATEN, Bench, new_figure, to_percent
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
from experiments.hexapawn.shortest import SEEING, SHORTEST, Contents
from experiments.page import HER, Page
from menace.games.symmetry import SymmetryUse

# The numbers of lost games and of all games after which HER is unbeatable, according to other authors.
SAID_LOST, SAID_FEW, SAID_MORE = 11, 20, 40
# The claims do not name a teacher. A claim based on a single observation by its author is judged with the best of our
# teachers.
FEW_LOST = Claim(
    f"“After losing {SAID_LOST} times the AI's game becomes close to perfect”",
    "hexapawn-ml.netlify.app",
    f"with the best of three teachers, it is unbeatable after at most {SAID_LOST} losses",
    noun="machines",
)
INVARIABLY = Claim(
    "“After ten to twenty games (of at most eight turns (= four moves) each) s(h)e invariably gets invincible”",
    "github.com/hansklav/Hexapawn, README of 15 June 2023 (f6c8abd)",
    f"it is unbeatable after {SAID_FEW} games with each of the three teachers",
    "law",
    noun="seeds",
)
SOON = Claim(
    f"“If you teach it correctly, it becomes invincible after 30\N{EN DASH}{SAID_MORE} games”",
    "pavelanni.dev/texts/matchboxes, Time to play and learn",
    f"with the best of three teachers, it is unbeatable after {SAID_MORE} games",
    noun="machines",
)
# The last two claims are our own. The second of our claims compares two of our own programs, so it can hardly fail.
BEST_TEACHER = Claim(
    "The best response, which sees the boxes and wins each game as often as it can, is the best teacher",
    "our question",
    "no teacher needs fewer games on average, whichever move the best response takes if several win equally often",
    "number",
)
NEAR = 3.0  # in standard errors
EXACT = Claim(
    f"The exact means agree with the means of our {MACHINES:,} machines",
    "our check",
    f"the means with random play and with `optimal` differ by at most {NEAR:.0f} standard errors",
    "number",
    hardly_fails=True,
)
SAMPLED = 40  # the number of machines that the tests train


def lost_before_safe(courses: Sequence[Course]) -> list[int]:
    """Return the number of games that each machine lost before it became unbeatable."""
    return [course.lost for course in courses if math.isfinite(course.safe)]


def share(flags: Sequence[bool]) -> str:
    """Return a share as a percentage."""
    return f"{100 * sum(flags) / len(flags):.1f} %"


def mean_text(values: Sequence[float]) -> str:
    """Return the mean ± the standard deviation, or a dash if there are no values."""
    if len(set(values)) <= 1:
        return f"{values[0]:.0f}" if values else "-"
    return f"{fmean(values):.1f} ± {stdev(values):.1f}"


def reached_figure(courses: CoursesByCase) -> Figure:
    """Draw the share of unbeatable machines against the number of games."""
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
        axis.set_title(f"taught by {text}")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        to_percent(axis)
        for limit, style in ((SAID_FEW, ":"), (SAID_MORE, "-.")):
            axis.axvline(limit, color=GREY, linestyle=style, label=f"claimed elsewhere: {limit} games")
    axes[0, 0].set_ylabel("machines that nobody can beat")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def losses_figure(courses: CoursesByCase) -> Figure:
    """Draw the distribution of the numbers of games that HER loses, with a panel for each opponent."""
    figure, axes = new_figure(len(OPPONENTS), 1, size=(11, 8), sharex=True, sharey=True)
    shown: set[int] = set()
    for axis, (opponent, text) in zip(axes[:, 0], OPPONENTS.items(), strict=True):
        lost: NDArray[np.int64] = np.array(lost_before_safe(courses[RULES[0].name, opponent]))
        numbers, counts = np.unique(lost, return_counts=True)
        axis.bar(numbers, counts / len(lost), color=BLUE)
        axis.axvline(SAID_LOST, color=BLACK, linestyle="--", label=f"claimed elsewhere: {SAID_LOST}")
        axis.set_title(f"taught by {text}: {lost.mean():.1f} on average")
        axis.set_ylabel("machines")
        shown = shown | set(numbers.tolist())
        axis.grid(visible=False, axis="x")
        to_percent(axis)
    axes[0, 0].legend()
    axes[-1, 0].set_xticks(sorted(shown))
    axes[-1, 0].set_xlabel("games lost before nobody can beat it")
    return figure


def rule_row(courses: Sequence[Course]) -> dict[str, str]:
    """Return the measurements for a rule against an opponent, indexed by column."""
    lost, safe = lost_before_safe(courses), [course.safe for course in courses if math.isfinite(course.safe)]
    return {
        "safe": share([math.isfinite(course.safe) for course in courses]),
        "stuck": share([math.isfinite(course.stuck) for course in courses]),
        "games lost until safe": mean_text(lost),
        "games until safe: median, 95 % of the machines": f"{median(safe):.0f}, {np.quantile(safe, 0.95):.0f}"
        if safe
        else "-",
        "with an empty box": share([course.empty > 0 for course in courses]),
        "resigning at the first move": share([course.gave_up for course in courses]),
    }


def number_rows(results: CoursesByCase) -> list[dict[str, str]]:
    """Return the rows of the CSV file, with the measurements for each rule and opponent."""
    rows = []
    for (rule, opponent), courses in results.items():
        lost = lost_before_safe(courses)
        means = np.array([course.worst for course in courses]).mean(axis=0)
        ends = {"fewest games lost": f"{min(lost)}", "most games lost": f"{max(lost)}"} if lost else {}
        losses = {
            f"lost to the best response after {mark}": f"{100 * m:.1f} %" for mark, m in zip(MARKS, means, strict=True)
        }
        rows.append(
            {"rule": rule.replace("`", ""), "taught by": OPPONENTS[opponent], **rule_row(courses)} | ends | losses
        )
    return rows


def most_losses(rule: Rule) -> int:
    """Return the maximum number of games that HER can lose.

    Each lost game removes a bead for a move that does not win.
    """
    bench = Bench(rule.symmetry, "3x3", "hexapawn")
    machine, positions = bench.learner(rule.preset, "O", **rule.settings), bench.positions
    loses = machine.learned.kept & (positions.minimax[positions.next_position] != -1)
    return int(machine.learned.amount[loses].sum())


def by_teacher(results: CoursesByCase, flag: Callable[[Course], bool]) -> tuple[str, list[NDArray[np.bool_]]]:
    """Return a sentence about HER's best and worst teachers, and a mask of machines with `flag` for each teacher."""
    flags = [np.array([flag(course) for course in results[RULES[0].name, opponent]]) for opponent in OPPONENTS]
    (least, worst), *_, (most, best) = sorted(
        (so.mean(), text) for so, text in zip(flags, OPPONENTS.values(), strict=True)
    )
    return f"{100 * most:.1f} % are unbeatable if {best} teaches them, {100 * least:.1f} % if {worst} does", flags


def exact_means() -> dict[str, tuple[float, float]]:
    """Return the exact mean numbers of games and of lost games until HER is unbeatable, for each teacher."""
    contents = Contents()
    return {teacher: contents.games_and_losses(teacher) for teacher in ("random", "optimal", *SEEING)}


def errors_from_exact(results: CoursesByCase, exact: Mapping[str, tuple[float, float]]) -> list[float]:
    """Return how far, in standard errors, the machines' mean numbers of games and losses are from the exact means."""
    errors = []
    for teacher in ("random", "optimal"):
        courses = results[RULES[0].name, teacher]
        for values, mean in zip(([c.safe for c in courses], [c.lost for c in courses]), exact[teacher], strict=True):
            errors.append(abs(fmean(values) - mean) / (stdev(values) / math.sqrt(len(values))))
    return errors


def findings(results: CoursesByCase, exact: Mapping[str, tuple[float, float]]) -> list[Finding]:
    """Check all claims."""
    few_lost, enough = by_teacher(results, lambda course: course.lost <= SAID_LOST and math.isfinite(course.safe))
    few, early = by_teacher(results, lambda course: course.safe <= SAID_FEW)
    more, later = by_teacher(results, lambda course: course.safe <= SAID_MORE)
    always = np.all(early, axis=0)
    least, best, worst = (exact[teacher][0] for teacher in SEEING)
    errors = errors_from_exact(results, exact)
    return [
        FEW_LOST.counted(few_lost, max(enough, key=np.sum)),
        INVARIABLY.counted(
            f"{few}; with some seeds all three machines are" if always.any() else f"{few}; with no seed all three are",
            always,
        ),
        SOON.counted(more, max(later, key=np.sum)),
        BEST_TEACHER.judged(
            f"it needs {best:.3f} games, the fewest possible, but {worst:.3f} with a bad choice among equally good"
            " moves",
            worst - least < UNBEATEN,
            "its choice among equally good moves matters" if best - least < UNBEATEN else "another teacher is better",
        ),
        EXACT.judged(f"at most {max(errors):.1f} standard errors apart", max(errors) <= NEAR),
    ]


def exact_lines(exact: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return the exact means as lines of text."""
    return [f"{teacher}, mean: {games:.4f} games, {losses:.4f} lost" for teacher, (games, losses) in exact.items()]


def sample() -> list[str]:
    """Return the results of a few machines for each rule, and the exact means, which take a few seconds to compute."""
    lines = []
    for rule in RULES:
        courses = School(rule, "random").teach_all(SAMPLED)
        worst = fmean(course.worst[1] for course in courses)
        lines.append(
            f"{rule.name}: {sum(course.lost for course in courses)} lost,"
            f" {sum(math.isfinite(course.safe) for course in courses)} safe, {100 * worst:.4f} %"
        )
    return [*lines, *exact_lines(exact_means())]


def reproduce(folder: Path) -> None:
    """Train all machines, and write the page."""
    results, exact = teach_everybody(), exact_means()
    page = Page(folder, "hexapawn", "Hexapawn: after how many games is HER unbeatable?", machine=HER)
    page.term("""*Unbeatable* or *safe*: X cannot win, whichever beads the machine draws. Once HER is unbeatable, it
        stays unbeatable, because its rule never adds a bead.""")
    page.term("*Stuck*: X can win whichever beads the machine draws. We stop training a machine that is stuck.")
    page.term("""*With an empty box*: at least one box is empty at the end. If the empty box is for O's first move, the
        machine is *resigning at the first move*.""")
    lost = lost_before_safe(results[RULES[0].name, "random"])
    page.summary(
        """Three authors of programs or kits say when HER becomes unbeatable: after 11 losses (claim 1), always after 20
        games (claim 2), or after 40 games with a good teacher (claim 3). They do not say exactly who the teacher is. We
        also ask whether the best response is the best teacher (claim 4).""",
        f"""We tested {len(RULES)} kinds of machines: HER, three machines with other rules, and two with other sets of
        boxes. For each kind, {MACHINES:,} machines learned from each of {len(OPPONENTS)} teachers: random play, optimal
        play, and the best response. We also computed exactly how many games HER needs with the quickest possible
        teacher, and checked this computation (claim 5).""",
        f"""HER always becomes unbeatable: after {exact["random"][0]:.0f} games on average if random play teaches HER,
        and after {exact[SHORTEST][0]:.1f} games with the quickest possible teacher. If the best response teaches HER,
        11 losses (claim 1) or 40 games (claim 3) are usually enough; 20 games are not always enough (claim 2: no). The
        best response is not always the quickest teacher, because it can choose badly among moves that win equally often
        (claim 4: no).""",
    )
    introduce(page)
    page.figure(
        reached_figure(results),
        "safe",
        """The share of unbeatable machines against the number of games. The curves of HER (black) and of HER without
        boxes for forced moves (green) nearly coincide.""",
    )
    page.figure(losses_figure(results), "lost", "The number of games that HER lost before it became unbeatable.")
    page.claims(findings(results, exact))
    course(page, exact, max(lost))
    compare_rules(page, results)
    page.sample(sample())
    page.write()


def boxes_by_move(symmetry: SymmetryUse) -> str:
    """Return the number of boxes for each of HER's three moves."""
    bench = Bench(symmetry, "3x3", "hexapawn")
    machine = bench.learner(RULES[0].preset, "O")
    plies, counts = np.unique(bench.positions.ply[machine.boxed], return_counts=True)
    assert plies.tolist() == [1, 3, 5]
    return "{}, {} and {}".format(*counts)


def introduce(page: Page) -> None:
    """Describe the source and our runs."""
    every, paired = (boxes_by_move(symmetry) for symmetry in ("none", "full"))
    page.text(f"""Martin Gardner described HER in Scientific American 206(3), March 1962 (The Unexpected Hanging,
        chapter 8). O can always win hexapawn. If HER reaches an empty box, it resigns and loses the bead for its
        previous move. A win changes nothing. Mirror images share a box, so HER has {paired} boxes for its first to
        third moves; otherwise it would have {every}. Gardner had 24 boxes (2, 11 and 11, according to
        pavelanni.dev/texts/matchboxes), and we do not know how he counted. The other rules come from classroom kits;
        `menace presets NAME` names the sources.""")
    page.text(f"""The seeds are 1 to {MACHINES:,}, and each machine plays at most {GAMES:,} games. Every opening of X
        loses, so `optimal` opens with each pawn equally often. We computed the best response again after each game that
        HER lost.""")


def course(page: Page, exact: Mapping[str, tuple[float, float]], unluckiest: int) -> None:
    """Add the exact means, and the proof that HER becomes safe."""
    bound = most_losses(RULES[0])
    page.heading("The shortest course for HER")
    page.text(f"""There are {2**bound:,} combinations of beads that HER may have lost. For each combination, we used
        dynamic programming to compute the mean number of games that HER still needs
        (tools/experiments/hexapawn/shortest.py). The table shows the means for a new HER.""")
    rows = [[teacher, f"{games:.4f}", f"{losses:.4f}"] for teacher, (games, losses) in exact.items()]
    page.table(("teacher", "games", "lost games"), rows)
    page.text("""The last three teachers in the table know the contents of the boxes.""")
    page.text(f"""HER always becomes safe. After a winning move of HER, X cannot prevent the win, so the next box always
        contains another winning move. HER therefore never loses right after a winning move, and keeps the beads for all
        winning moves. HER has {bound} other beads and loses one of them in each lost game, so HER loses at most {bound}
        games. The unluckiest of {MACHINES:,} machines taught by random play did lose {unluckiest} games.""")


def compare_rules(page: Page, results: CoursesByCase) -> None:
    """Add the table of rules, and explain why some machines get stuck."""
    rows = number_rows(results)
    columns = list(rows[0])
    link = page.numbers("rules", columns, [[row.get(column, "") for column in columns] for row in rows])
    page.heading("Which rules get stuck")
    page.text(f"""After a lost game, `punish-all` removes all beads that were drawn, and `plus-minus` removes only the
        last one. After a won game, `plus-minus` adds one bead. The machines in the table were taught by random play.
        Means and standard deviations are for the safe machines. {link} also contains the results for the other two
        teachers, and the exact probability that the best response wins.""")
    shown = [(rule, rule_row(results[rule.name, "random"])) for rule in RULES]
    page.table(("rule", *shown[0][1]), [[rule.name, *cells.values()] for rule, cells in shown])

    def reached(rule: int, which: str) -> str:
        return share([math.isfinite(getattr(course, which)) for course in results[RULES[rule].name, "random"]])

    page.text(f"""`punish-all` also removes the beads for winning moves, and each box begins with only one bead for each
        move. Once the bead for the only good reply to an opening is gone, the machine is stuck; this happens to
        {reached(1, "stuck")} of the machines. `plus-minus` changes only the bead for the last move, so it cannot get
        stuck, unlike the variant that changes all beads drawn in a game. However, `plus-minus` adds beads for winning
        moves, so the machine draws its bad beads less and less often. Only {reached(2, "safe")} of these machines are
        safe within {GAMES:,} games.""")
