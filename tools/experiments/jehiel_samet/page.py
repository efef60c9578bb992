"""Whoever can win wins surely from some time on, if a move is worth what its last game paid: exact, in twelve games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np
from matplotlib.figure import Figure

from experiments.common import in_thousands, new_figure, to_percent
from experiments.jehiel_samet.claims import OTHERS, Results, findings, games, sure
from experiments.jehiel_samet.trials import (
    BY_HER,
    GAMES,
    HELD_OUT,
    HER,
    LEARNER,
    MACHINES,
    PAIRS,
    PRESET,
    SOME,
    TEACHERS,
    WON,
    Trial,
    mean_pair,
    trials,
)
from experiments.page import Page
from menace.figures.style import DASHES, LINE_COLOURS
from menace.games.base import Side

SHOWN = (("hexapawn", "3x3"), ("hexapawn", "3x4"), ("hexapawn", "4x4"), ("nim", "21-take3"), ("nim", "3-4-5"))
SAMPLED, SAMPLED_GAMES = 10, (("hexapawn", "3x3"), ("hexapawn", "4x3"), ("nim", "9-take3"))  # that the tests play
TAUGHT_BY = {"random": "random play", "optimal": "optimal play", LEARNER: "a learner like it"}


def missed(trials: Sequence[Trial]) -> str:
    """Return the median of the games that machines did not win until they were sure."""
    reached = [trial.missed for trial in trials if math.isfinite(trial.sure)]
    return f"{median(reached):,.0f}" if reached else "-"


def figure(results: Results) -> Figure:
    """Draw the share of machines that nobody can keep from winning, by games."""
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
    axes[0, 0].set_ylabel("machines that win against everybody")
    result.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return result


def rows(results: Results) -> list[list[str]]:
    """Return a row for each game: games until a win is sure, by teacher."""
    return [
        [
            " ".join(title),
            plays,
            *(games(results.won[title, teacher]) for teacher in TEACHERS),
            games(results.held_out[title]),
        ]
        for title, plays in GAMES.items()
    ]


def sample() -> list[str]:
    """Return lines of the page that a second suffices for."""
    lines = []
    for title in SAMPLED_GAMES:
        for teacher in TEACHERS:
            made = trials(WON[title, teacher], SAMPLED)
            total = sum(trial.sure for trial in made)
            lines.append(f"{' '.join(title)} with {teacher}, {SAMPLED} machines: sure after {total:,.0f} games in all")
    return lines


def play() -> Results:
    """Play everything."""
    return Results(
        {key: trials(case) for key, case in WON.items()},
        {title: trials(case) for title, case in HELD_OUT.items()},
        {name: trials(case) for name, case in OTHERS.items()},
        [mean_pair(seed) for seed in range(1, PAIRS + 1)],
    )


def reproduce(folder: Path) -> None:
    """Play, and write the page."""
    write(folder, play())


def write(folder: Path, results: Results) -> None:
    """Write the page."""
    page = Page(folder, "jehiel-samet", "A move is worth what its last game paid")
    latest = {teacher: max(t.sure for title in GAMES for t in results.won[title, teacher]) for teacher in TEACHERS}
    waited = {key: median(trial.sure for trial in made) for key, made in results.won.items()}
    quickest = sum(min(TEACHERS, key=lambda name: waited[title, name]) == LEARNER for title in GAMES)
    page.summary(
        """In a theorem of 2000, that whoever can win a win-lose game wins surely from some time on, if a move is worth
        what its last game paid, and the move that is worth most is played.""",
        f"""{MACHINES} machines in each of {len(GAMES)} games of hexapawn, Nim and notakto with each of
        {len(TEACHERS)} teachers, until nobody can keep them from winning, exactly; and what other payoffs do.""",
        f"""Taught by random play, the last machine is sure of a win after {latest["random"]:,.0f} games; taught by a
        learner of its own kind, after {latest[LEARNER]:,.0f}. A learner that always loses comes to try everything: in
        {quickest} of {len(GAMES)} games it is the quickest teacher.""",
    )
    page.claims(findings(results))
    page.figure(
        figure(results),
        "sure",
        f"""Share of {MACHINES} machines that win against whatever opponent, by the games that taught them.""",
    )
    sources(page)
    page.heading("Games until a win is sure")
    page.text(f"""Preset `{PRESET}`. After 1, 2, 3, ... games (a mark is 6 % later than the one before) the opponent
        made for the machine plays it, with exact probabilities; a machine is sure of a win when that opponent cannot
        prevent it, and of winning against `perfect` when that player cannot. Medians:""")
    header = ("game", "can win", *(f"taught by {TAUGHT_BY[name]}" for name in TEACHERS), "`perfect`, against it alone")
    page.table(header, rows(results))
    page.text("""The last column asks less, for who always plays the same lines shows nothing else: such a machine wins
        each game with its teacher, and may lose to others.""")
    others(page, results)
    page.sample(sample())
    page.write()


def sources(page: Page) -> None:
    """Add what was read, and the proof."""
    page.heading("The theorem, and whose conditions hold")
    page.text("""P. Jehiel and D. Samet, Learning to play games in extensive form by valuation, arXiv cs/0201021
        (November 2000; Journal of Economic Theory, 2005). Read were its abstract and the beginning of its
        introduction; the rest could not be had, so its proof, its first values, its choice among equal moves and its
        perturbations are not known here. Instead, a proof of ours, which says what it needs. Claims and thresholds on
        this page were fixed before its numbers, after trials with other seeds.""")
    page.text("""A machine values each of its moves, plays one of those that it values most, each with some
        probability, and after a game gives every move that it made what the game paid, win or loss. No first value is
        below a loss. Take a position from which it can win, and assume that from some game on it wins wherever it
        comes to one of those winning positions that follow. There is a move to these. A lost game gives the move that
        it made there the worst value. So it loses there once for each move at most until all of them are worth a loss;
        then any may be drawn, and sooner or later it is the one that leads to those positions. From then on that one is
        worth a win for good, and each other move can lose once more at most. So from some game on it wins from this
        position, too; and so on, back to the first. Positions may be reached in several ways, and boards that are
        alike may share a value: nothing in it asks for a tree. The opponent may do what it likes, but the machine is
        sure only of what it has met.""")
    page.text("""These conditions hold for the preset in win-lose games: values begin at 0, between a loss (-1) and a
        win (1), and equal moves are drawn alike. They hold with a draw for a loss, or for a win. Of three payoffs the
        same proof gives that the worst is avoided, since all moves that paid less than wanted must be worth the same
        for each to be tried again; a win is not promised to who may have settled for a draw.""")


def others(page: Page, results: Results) -> None:
    """Add the other cases."""
    page.heading("Conditions left out, draws, and HER")
    her = trials(BY_HER)
    listed = [
        (f"hexapawn 3x3, O is to win: HER (`{HER}`)", her),
        ("the same, by this rule", results.won[("hexapawn", "3x3"), "random"]),
    ]
    words = {
        "below": "the same, first values -2: below a loss",
        "first": "the same, the first of equal moves",
        "three": "wild tic-tac-toe, X is to win: 1, 0, -1",
        "no draws": "the same: 1, -1, -1",
        **{f"drawn {side}": f"tic-tac-toe, {side} is not to lose: 1, 0, -1" for side in Side},
        **{f"saved {side}": f"the same, {side}: 1, 1, -1" for side in Side},
    }
    listed += [(text, results.others[name]) for name, text in words.items()]
    page.text(f"""All taught by random play; payoffs are those of a win, a draw and a loss. Kinds that may lose again
        what they were sure of, those with 1, 0, -1, are looked at after {SOME:,} games alone, the others until they are
        sure. HER takes away the bead of its last move when it loses, and never puts one back: with a win and a loss
        alone, that is nearly this rule. It forgets what no longer has a bead; here, a box whose moves have all lost
        begins anew.""")
    page.table(
        ("machines", "reach it", "games until then", "missed until then"),
        [[text, f"{sum(sure(came))} of {len(came)}", games(came), missed(came)] for text, came in listed],
    )
