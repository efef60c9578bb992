"""Write the page about Jehiel and Samet, whose players value each move by its most recent payoff."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import numpy as np
from matplotlib.figure import Figure

from experiments.common import Bench, in_thousands, new_figure, to_percent
from experiments.jehiel_samet.claims import OTHERS, Results, findings, reached, sure
from experiments.jehiel_samet.trials import (
    BY_HER,
    GAMES,
    HELD_OUT,
    HER,
    LEARNER,
    MACHINES,
    PAIR_GAMES,
    PAIRS,
    PRESET,
    RIVALS,
    SOME,
    TEACHERS,
    WON,
    Trial,
    alone,
    mean_pair,
    trials,
)
from experiments.page import Page
from menace.figures.panels import DASHES, LINE_COLOURS
from menace.games.base import Side

MACHINE = (
    "A machine on this page is a program that learns to play a game. The machine gives each move a value: the payoff of"
    " the last game in which it made this move. The payoff is, for example, 1 for a win and -1 for a loss. The machine"
    " always makes a move with the highest value. X moves first, and O moves second."
)
SHOWN = (("hexapawn", "3x3"), ("hexapawn", "3x4"), ("hexapawn", "4x4"), ("nim", "21-take3"), ("nim", "3-4-5"))
TAUGHT_BY = {"random": "random play", "optimal": "optimal play", LEARNER: "a learner of its kind"}


def needed(trials: Sequence[Trial]) -> str:
    """Return the median number of games after which machines became sure of reaching their goal."""
    return f"{median(reached(trials)):,.0f}" if reached(trials) else "-"


def missed(trials: Sequence[Trial]) -> str:
    """Return the median number of games in which machines missed their goal before they were sure of reaching it."""
    counts = [trial.missed for trial in trials if math.isfinite(trial.sure)]
    return f"{median(counts):,.0f}" if counts else "-"


def figure(results: Results) -> Figure:
    """Draw the share of machines that are sure to win against the number of games."""
    result, axes = new_figure(1, len(TEACHERS), size=(15, 6), sharey=True)
    for axis, teacher in zip(axes[0], TEACHERS, strict=True):
        for title, colour, dashes in zip(SHOWN, LINE_COLOURS, DASHES * 2, strict=False):
            came = np.sort([trial.sure for trial in results.won[title, teacher]])
            shares = np.arange(1, len(came) + 1) / len(came)
            label = " ".join(title) + f", {GAMES[title]} can win"
            axis.step(came, shares, where="post", color=colour, linestyle=dashes, linewidth=2.5, label=label)
        axis.set(xscale="log", xlim=(3, SOME), ylim=(0, 1.02), xlabel="games (logarithmic)")
        axis.set_title(f"taught by {TAUGHT_BY[teacher]}")
        in_thousands(axis)
        to_percent(axis)
        axis.minorticks_off()
    axes[0, 0].set_ylabel("machines that are sure of a win")
    result.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return result


def rows(results: Results) -> list[list[str]]:
    """Return a row for each game, with the median number of games until machines are sure to win with each teacher."""
    return [
        [
            f"{' '.join(title)}, {plays}",
            *(needed(results.won[title, teacher]) for teacher in TEACHERS),
            needed(results.held_out[title]),
        ]
        for title, plays in GAMES.items()
    ]


def play() -> Results:
    """Play all trials."""
    return Results(
        {key: trials(case) for key, case in WON.items()},
        {title: trials(case) for title, case in HELD_OUT.items()},
        {name: trials(case) for name, case in OTHERS.items()},
        [mean_pair(seed) for seed in range(1, PAIRS + 1)],
        {(rival, side): alone(rival, side) for rival in RIVALS for side in Side},
    )


def write_data(folder: Path, results: Results, listed: Iterable[tuple[str, Sequence[Trial]]]) -> None:
    """Write the minimum, median and maximum number of games in every case to a CSV file."""
    cases = [(" ".join(title), TAUGHT_BY[teacher], trials) for (title, teacher), trials in results.won.items()]
    cases += [(" ".join(title), "perfect", trials) for title, trials in results.held_out.items()]
    cases += [(text, TAUGHT_BY["random"], trials) for text, trials in listed]
    with (folder / "jehiel-samet.csv").open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerow(("machines", "taught by", "trials", "sure", "least games", "median games", "most games"))
        for text, teacher, trials in cases:
            came = reached(trials)
            numbers = (f"{number:.0f}" for number in (min(came), median(came), max(came))) if came else ("", "", "")
            written.writerow((text.replace("`", ""), teacher, len(trials), len(came), *numbers))


def reproduce(folder: Path) -> None:
    """Play the games, and write the page."""
    write(folder, play(), trials(BY_HER))


def write(folder: Path, results: Results, her: Sequence[Trial]) -> None:
    """Write the page."""
    page = Page(folder, "jehiel-samet", "A move is worth what its last game paid", machine=MACHINE)
    page.term("""*Sure*: a machine is sure to win if even its best response cannot prevent the win. If the teacher is
        `perfect`, it is enough that this player cannot prevent the win.""")
    page.term("*Win-lose game*: a game with two payoffs and without draws.")
    page.term("""*Wild tic-tac-toe*: tic-tac-toe in which both sides choose X or O for each mark. The first player can
        force a win.""")
    page.term("*Subgame perfect equilibrium*: perfect play by both sides from every position.")
    page.term(
        "*Individually rational payoff*: the payoff that a player can force. In tic-tac-toe, this payoff is 0, the"
        " payoff of a draw."
    )
    page.summary(
        """Philippe Jehiel and Dov Samet proved in 2000 that this way of valuing moves makes a machine sure to win a
        game without draws if its side can force a win (claims 1 and 2). They say that in a game with draws, a player
        must value its moves by average payoffs instead (claims 4, 8 and 9). We also test the conditions of the proof
        (claims 3 and 5 to 7).""",
        f"""We trained {MACHINES} machines with each of {len(TEACHERS)} teachers: random play, optimal play, and a
        learner of the same kind. The games were {len(GAMES)} variants of hexapawn, Nim and notakto (tic-tac-toe in
        which both sides play X). We counted the games until no opponent could prevent the machine's win.""",
        """All nine claims hold. Without draws, every machine became sure to win, because machines abandon losing moves
        but keep a move that always wins. With draws, some machines fail (claim 4), but machines that average their
        payoffs get at least a draw (claims 8 and 9).""",
    )
    page.claims(findings(results))
    page.figure(
        figure(results),
        "sure",
        f"""The share of {MACHINES} machines that are sure to win, against the number of games.""",
    )
    sources(page)
    page.heading("Games until a win is sure")
    latest = {teacher: max(t.sure for title in GAMES for t in results.won[title, teacher]) for teacher in TEACHERS}
    waited = {key: median(trial.sure for trial in made) for key, made in results.won.items()}
    quickest = sum(min(TEACHERS, key=lambda name: waited[title, name]) == LEARNER for title in GAMES)
    page.text(f"""The machines have preset `{PRESET}`, with initial values of 0. In the column `perfect`, a machine is
        sure to win only against that player, which is also its teacher. The table shows the median numbers of games;
        the [CSV file](jehiel-samet.csv) also lists the minimum and the maximum.""")
    header = ("game and winner", *(TAUGHT_BY[name] for name in TEACHERS), "`perfect`")
    page.table(header, rows(results))
    page.text(f"""The best teacher is a learner of the same kind, which is the quickest teacher in {quickest} of
        {len(GAMES)} games. Such a teacher always loses in the end, so it tries everything, and the machine meets every
        reply. With this teacher, the last machine became sure to win after {latest[LEARNER]:,.0f} games; with random
        play as the teacher, it took {latest["random"]:,.0f} games.""")
    listed = others(page, results, her)
    write_data(folder, results, listed)
    averages(page, results)
    page.write()


def sources(page: Page) -> None:
    """Add the parts of the source that we have read, and our proof."""
    page.heading("The theorem and its conditions")
    page.text("""The source is Philippe Jehiel and Dov Samet, Learning to play games in extensive form by valuation,
        arXiv cs/0201021 (Journal of Economic Theory, 2005). We read only the abstract and the start of the
        introduction. We fixed the claims and thresholds before we computed the results, but after trials with other
        seeds.""")
    page.text("""Our own proof shows that the theorem needs two conditions: no initial value is below that of a loss,
        and the machine chooses at random among the moves with the highest value. Near the end of the game, each loss
        gives the machine's last move the value of a loss. Sooner or later, the machine therefore chooses a move that
        wins, and this move keeps its value. The same argument then applies to earlier positions, back to the first one.
        With three payoffs, the argument shows only that the machine avoids the worst payoff.""")


def others(page: Page, results: Results, her: Sequence[Trial]) -> list[tuple[str, Sequence[Trial]]]:
    """Add other cases (without one of the conditions, with draws, and HER), and return them with descriptions."""
    page.heading("Without the conditions, with draws, and HER")
    words = {
        "below": "hexapawn 3x3, O wins: initial values -2, below a loss",
        "first": "hexapawn 3x3, O wins: the first of equal moves",
        "three": "wild tic-tac-toe, X wins: 1, 0, -1",
        "no draws": "wild tic-tac-toe, X wins: 1, -1, -1",
        **{f"drawn {side}": f"tic-tac-toe, {side} does not lose: 1, 0, -1" for side in Side},
        **{f"saved {side}": f"tic-tac-toe, {side} does not lose: 1, 1, -1" for side in Side},
    }
    listed = [(f"hexapawn 3x3, O wins: HER (`{HER}`)", her)]
    listed.append(("hexapawn 3x3, O wins: this rule", results.won[("hexapawn", "3x3"), "random"]))
    listed += [(text, results.others[name]) for name, text in words.items()]
    page.text(f"""All machines in the table learned from random play. In the first column, three numbers in a row are
        the payoffs of a win, a draw and a loss. With the payoffs 1, 0, -1, we measured the machines only after {SOME:,}
        games. The last column shows in how many games the machine missed its goal before it became sure of reaching it.
        HER follows nearly the same rule: it removes the bead for its last move after a loss, and never adds a bead.""")
    page.table(
        ("machines and goal", "sure", "games until then", "missed until then"),
        [[text, f"{sum(sure(came))}/{len(came)}", needed(came), missed(came)] for text, came in listed],
    )
    return listed


def averages(page: Page, results: Results) -> None:
    """Add the results of machines that average their payoffs, measured against fixed opponents."""
    page.heading("Averages of payoffs, against fixed opponents")
    bench = Bench()
    table = []
    for rival in RIVALS:
        payoffs = [(np.mean(results.alone[rival, side]), bench.ideal(rival, side.number).value) for side in Side]
        table.append([f"`{rival}`", *(f"{payoff:.4f}" for pair in payoffs for payoff in pair)])
    header = ("opponent", *(f"{side}{what}" for side in Side for what in ("", ", best response")))
    link = page.numbers("averages", header, table)
    page.text(f"""The machines in this section value a move by the average of its payoffs. In tic-tac-toe, both sides
        can force a draw. On each side, {PAIRS} machines learned from each of {len(RIVALS)} fixed opponents for
        {PAIR_GAMES:,} games with epsilon 0.1. {link} lists the machines' mean exact payoffs, and the payoff of the best
        response to each opponent. We did not test opponents that adapt to the machine.""")
