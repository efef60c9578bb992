"""How the games end that learners learn from: shares of X's wins, draws and O's wins, by games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from menace.errors import OutputError
from menace.ledger.log import lessons_of, read_log
from menace.ledger.marks import next_mark
from menace.ledger.store import BlockRow, Store, undamaged
from menace.plotting.axes import (
    GAMES_LABEL,
    PANELS_MOST,
    Scale,
    end_labels,
    games_axis,
    panel_grid,
    panel_title,
    to_percent,
)
from menace.plotting.legend import LABEL_POINTS, PanelTitles
from menace.plotting.style import OUTCOME_COLOURS, SIZE, new_figure, no_games, styled
from menace.wording import OUTCOMES, counted, ends_of, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEWEST, FEWEST_SHARE = 20, 0.1  # games of a last step; of all games, for a narrower step could not be seen
Counts = tuple[int, int, int]  # games that X won, that were drawn, that O won


@dataclass(frozen=True)
class Step:
    """Some games of a learner, one after the other.

    Attributes:
        first, last: the games' numbers, counted from the first that the learner learned from.
        counts: how many of them X won, were drawn, and O won.

    >>> Step(1, 100, (60, 30, 10)).shares
    (0.6, 0.3, 0.1)
    """

    first: int
    last: int
    counts: Counts

    @property
    def games(self) -> int:
        """How many they are."""
        return self.last - self.first + 1

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts as shares of the games, 0 to 1."""
        return tuple(count / self.games for count in self.counts)


def outcome_steps(store: Store, names: Sequence[str]) -> dict[str, tuple[Step, ...]]:
    """Return the outcomes of all games that learners learned from, against whomever, from each mark to the next.

    A learner that started as a copy has the games of the one that it is a copy of. Few games at the end, `folded`, are
    no step of their own.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if one has no games.
        StoreError: if the log is damaged.

    >>> outcome_steps(store, ["menace-x"])["menace-x"][-1]
    Step(first=51, last=100, counts=(24, 15, 11))
    """
    with store.copied() as copy, undamaged(store.path):
        log = read_log(copy)
        lessons = {name: lessons_of(log, copy.learner(name).learner_id) for name in names}
    found = {name: folded(tuple(steps_of(blocks))) for name, blocks in lessons.items()}
    for name, steps in found.items():
        if not steps:
            raise no_games(store.path, name)
    return found


def steps_of(blocks: Iterable[BlockRow]) -> Iterator[Step]:
    """Yield the outcomes of blocks; a step ends with the block that reaches or passes the next mark.

    >>> [(step.first, step.last) for step in steps_of(store.blocks())]
    [(1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, 50), (51, 100)]
    """
    first, games, counts = 1, 0, (0, 0, 0)
    for block in blocks:
        games += block.games
        counts = (counts[0] + block.x_wins, counts[1] + block.draws, counts[2] + block.o_wins)
        if games >= next_mark(first - 1):
            yield Step(first, games, counts)
            first, counts = games + 1, (0, 0, 0)
    if any(counts):
        yield Step(first, games, counts)


def folded(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps; a last one of few games (FEWEST, or FEWEST_SHARE of all) becomes a part of the one before it.

    >>> folded((Step(1, 100, (60, 30, 10)), Step(101, 101, (0, 0, 1))))
    (Step(first=1, last=101, counts=(60, 30, 11)),)
    """
    if not steps[1:] or steps[-1].games >= max(FEWEST, FEWEST_SHARE * steps[-1].last):
        return steps
    *others, before, few = steps
    (x, draws, o), (more_x, more_draws, more_o) = before.counts, few.counts
    return (*others, Step(before.first, few.last, (x + more_x, draws + more_draws, o + more_o)))


def outcomes_figure(
    found: Mapping[str, Sequence[Step]], scale: Scale = "log", titles: PanelTitles | None = None, draws: bool = True
) -> Figure:
    """Return a panel a learner: stacked shares of the outcomes, by games learned from.

    Args:
        found: of each learner, by name.
        scale: of the games.
        titles: of the panels, see `panel_titles`; None stands for the names.
        draws: whether the game has any.

    Raises:
        OutputError: if there are more than PANELS_MOST learners.
    """
    if len(found) > PANELS_MOST:
        raise OutputError(f"{counted(len(found), 'learner')} are too many for a figure; name {PANELS_MOST} at most")
    titles = titles or PanelTitles("", {name: name for name in found})
    rows, columns = panel_grid(len(found))
    height = max(SIZE[1], 1.2 + 2.8 * rows)
    last = max(steps[-1].last for steps in found.values())
    with styled():
        figure, panels = new_figure(rows, columns, (SIZE[0], height), sharex=True, sharey=True)
        figure.suptitle("How the games end that a learner learns from", x=0.01, ha="left")
        for axes, (name, steps) in zip(panels.flat, found.items(), strict=False):
            _panel(axes, steps, " " if columns == 1 else "\n", height / rows - 0.9, draws)
            panel_title(axes, f"{titles.of[name]}: {counted(steps[-1].last, 'game')}", SIZE[0] / columns)
            games_axis(axes, 0.5, last, columns, scale)
        for axes in panels.flat[len(found) :]:
            axes.set_visible(False)
        for axes in panels.flat[len(found) - columns : len(found)]:  # nothing below them, or an empty place
            axes.tick_params(labelbottom=True)
        below = titles.below(f"{GAMES_LABEL}; on the right, shares of the last step", SIZE[0])
        figure.supxlabel(below, fontsize=LABEL_POINTS)
        figure.supylabel("share of the games", fontsize=13)
        bands, outcomes = panels.flat[0].get_legend_handles_labels()
        figure.legend(bands, outcomes, loc="outside upper right", ncols=len(outcomes))
    return figure


def _panel(axes: Axes, steps: Sequence[Step], between: str, inches: float, draws: bool) -> None:
    edges = [steps[0].first - 0.5, *(step.last + 0.5 for step in steps)]
    names = ends_of(OUTCOMES, draws)
    tops = np.cumsum([ends_of(step.shares, draws) for step in steps], axis=1)
    tops[:, -1] = 1.0
    below = np.zeros(len(steps))
    middles = []
    for outcome, name in enumerate(names):
        top = tops[:, outcome]
        axes.stairs(top, edges, baseline=below, fill=True, color=OUTCOME_COLOURS[name], label=name)
        middles.append(float(below[-1] + top[-1]) / 2)
        below = top
    last = zip(names, ends_of(steps[-1].shares, draws), strict=True)
    texts = [f"{name}{between}{percent(share).strip()}" for name, share in last]
    end_labels(axes, edges[-1], middles, texts, inches, [OUTCOME_COLOURS[name] for name in names])
    axes.set_ylim(0, 1)
    axes.grid(False)
    to_percent(axes.yaxis)
