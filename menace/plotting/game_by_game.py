"""Learners game by game: the score that Michie drew, and the beads in the box of the first move.

The database keeps blocks of games; what was between them is played again from the numbers of the log. Of more than
POINTS_MOST games every so many-th is drawn, all alike.

Source of the score: D. Michie, Trial and error, Science Survey 2 (1961), whose figure adds up what the machine was
given: three beads for a win, one for a draw, and one taken away for a loss.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from menace.arena.first_box import beads_left, first_boxes
from menace.arena.loop import Arena
from menace.errors import OutputError
from menace.games.base import Side
from menace.learners.machine import Machine
from menace.ledger.kinds import PLAY
from menace.ledger.log import Log, needed_for, read_log
from menace.ledger.machines import Machines
from menace.ledger.positions import positions_of
from menace.ledger.replay import Part, fresh_machines, replay_parts
from menace.ledger.store import Run, Store, undamaged
from menace.plotting.axes import GAMES_LABEL, Scale, games_axis
from menace.plotting.legend import BAND_FEWEST, Facts, draw_legend, facts_of, legend_of
from menace.plotting.published import PublishedCurve
from menace.plotting.style import GREY, SIZE, line_style, new_figure, no_games, styled
from menace.wording import counted, ordinal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS_MOST = 10_000  # of a line: more than a slide has dots
MILLION = 1_000_000
WIN, DRAW, LOSS = 3, 1, -1
LABELS: dict[str, str] = {"score": "score: 3 a win, 1 a draw, -1 a loss", "first-box": "beads in the first box"}
OF_DRAWS = ", 1 a draw"  # which is left out where a game has none
TITLES: dict[str, str] = {
    "score": "Score, game by game",
    "first-box": "Beads in the box of the first move, game by game (O: in all its boxes for that move)",
}


# A dot a game, as it was printed, under the lines.
PUBLISHED_STYLE: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 4, "linestyle": "none", "zorder": 1}


@dataclass(frozen=True)
class Trace:
    """A number of a learner, game by game.

    Attributes:
        name: of the learner.
        games: that it had learned from, from 0 to what it has now; twice the same where people counted its beads again.
        values: the number after so many.
        every: how many games are from point to point.
        facts: what it is, for the legend.

    >>> trace = traces_of(store, ["menace-x"], "score")[0]
    >>> trace.games[:4], trace.values[:4], trace.every, trace.values[-1]
    ((0, 1, 2, 3), (0, -1, 0, -1), 1, 158)
    """

    name: str
    games: tuple[int, ...]
    values: tuple[int, ...]
    every: int
    facts: Facts


def traces_of(store: Store, names: Sequence[str], what: str) -> list[Trace]:
    """Return the score of learners, or the beads in their first boxes, game by game.

    The score is 3 for each game that the learner learned from and won, 1 for each that was drawn, -1 for each that it
    lost. A learner that plays O has a box for each opening: their beads are added. A learner that started as a copy has
    the games of the one that it is a copy of.

    Args:
        store: the database.
        names: of learners.
        what: `score` or `first-box`.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if one has no games, or no beads or no choice at its first move where these are asked for.
        StoreError: if the log is damaged.

    >>> [trace.values[-1] for trace in traces_of(store, ["menace-x", "menace-o"], "first-box")]
    [170, 90]
    """
    with undamaged(store.path):
        with store.copied() as copy:
            rows = [copy.learner(name) for name in names]
            log, positions = read_log(copy), positions_of(copy)
        for row in rows:
            if not row.games:
                raise no_games(store.path, row.name)
        arena, ids = Arena(positions), [row.learner_id for row in rows]
        machines = fresh_machines(log, arena, needed_for(log, ids))
        if what == "first-box":
            for learner_id in ids:
                _check_first_box(machines[learner_id])
        every = max(1, math.ceil(max(row.games for row in rows) / POINTS_MOST))
        points = _Points(machines, every, beads_left if what == "first-box" else None)
        points.follow(arena, log)
        facts = [facts_of(row, list(log.runs.values()), log.learners) for row in rows]
    return [Trace(row.name, *points.line(row.learner_id), every, one) for row, one in zip(rows, facts, strict=True)]


class _Points:
    """The points of learners while the log is replayed."""

    def __init__(self, machines: Machines, every: int, read: Callable[[Machine], int] | None) -> None:
        self.machines, self.every = machines, every
        self.read = read  # None stands for the score
        self.score: dict[int, int] = defaultdict(int)
        self.games: dict[int, int] = defaultdict(int)
        self.before_people: dict[tuple[int, int], int] = {}  # the score before a game with a person, by learner, games
        self.found = {learner_id: [self._point(learner_id)] for learner_id in machines}

    def follow(self, arena: Arena, log: Log) -> None:
        for part in replay_parts(arena, log, self.machines, self._next):
            for learner_id in self._taught(part.run):
                self._add(learner_id, part)
        for learner_id in self.machines:
            self._mark(learner_id)

    def line(self, learner_id: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        games, values = zip(*self.found[learner_id], strict=True)
        return games, values

    def _taught(self, run: Run) -> Iterator[int]:
        return (learner_id for learner_id in run.taught if learner_id in self.machines)

    def _next(self, run: Run) -> int:
        """Return how many games are left to the next that is a point of somebody."""
        return min(self.every - self.machines[i].learned.games % self.every for i in self._taught(run))

    def _add(self, learner_id: int, part: Part) -> None:
        origin = part.run.options.copied_from
        if origin is not None:
            self.found[learner_id], self.score[learner_id] = list(self.found[origin]), self.score[origin]
            self.games[learner_id] = self.games[origin]
            return
        games = self.machines[learner_id].learned.games
        if part.run.kind == PLAY.name:
            self.before_people[learner_id, games - part.games] = self.score[learner_id]
        elif games < self.games[learner_id]:  # a game with a person was taken back
            self.found[learner_id] = [point for point in self.found[learner_id] if point[0] <= games]
            self.score[learner_id] = self.before_people[learner_id, games]
        self.games[learner_id] = games
        own, other = (0, 2) if self.machines[learner_id].plays is Side.X else (2, 0)
        x_draws_o = part.outcomes
        self.score[learner_id] += WIN * x_draws_o[own] + DRAW * x_draws_o[1] + LOSS * x_draws_o[other]
        if not part.games or self.machines[learner_id].learned.games % self.every == 0:
            self._mark(learner_id)

    def _mark(self, learner_id: int) -> None:
        """Add a point, unless nothing has changed since the last: blocks without games may be of other boxes."""
        if self.found[learner_id][-1] != self._point(learner_id):
            self.found[learner_id].append(self._point(learner_id))

    def _point(self, learner_id: int) -> tuple[int, int]:
        machine = self.machines[learner_id]
        return machine.learned.games, self.score[learner_id] if self.read is None else self.read(machine)


def _check_first_box(machine: Machine) -> None:
    name = machine.name
    if not machine.has_beads:
        raise OutputError(f"learner {name} has no boxes with beads; `menace plot openings {name} OUT` shows its moves")
    if not first_boxes(machine):
        raise OutputError(f"learner {name} has no choice at its first move; name one that has")


def trace_figure(
    found: Sequence[Trace],
    what: str,
    scale: Scale = "linear",
    draws: bool = True,
    published: PublishedCurve | None = None,
) -> Figure:
    """Return a line a learner, by games; of BAND_FEWEST or more that differ by chance alone all are of one colour.

    Args:
        found: as `traces_of` returns them.
        what: `score` or `first-box`.
        scale: of the axis of games.
        draws: whether the game has any.
        published: a curve to lay under them.
    """
    every, families = found[0].every, _families(found)
    legend = legend_of([family[0].facts for family in families], [_names(family) for family in families])
    with styled():
        figure, panels = new_figure(1, 1, SIZE)
        axes, handles, labels = panels[0, 0], [], []
        last = max(trace.games[-1] for trace in found)
        if published is not None:
            last = max(last, published.games[-1])
            handles += axes.plot(published.games, published.values(what), **PUBLISHED_STYLE)
            labels.append(published.label)
        for number, (family, label) in enumerate(zip(families, legend.labels, strict=True)):
            lines = [axes.plot(trace.games, trace.values, **line_style(number))[0] for trace in family]
            handles.append(lines[0])
            labels.append(label + (f" ({counted(len(family), 'learner')})" if len(family) > 1 else ""))
        figure.suptitle(TITLES[what], x=0.01, ha="left")
        games_axis(axes, 0, last, scale=scale)
        axes.set_ylabel(LABELS[what] if draws else LABELS[what].replace(OF_DRAWS, ""))
        axes.yaxis.set_major_formatter(lambda value, _: _tick(value))
        thinned = f"; every {ordinal(every)} is drawn" if every > 1 else ""
        axes.set_xlabel(GAMES_LABEL + thinned)
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def _families(found: Sequence[Trace]) -> list[list[Trace]]:
    by_kin: dict[tuple[Any, ...], list[Trace]] = {}
    for trace in found:
        by_kin.setdefault(trace.facts.kin, []).append(trace)
    whole = {kin for kin, family in by_kin.items() if len(family) >= BAND_FEWEST}
    alone = [[trace] for trace in found if trace.facts.kin not in whole]
    return [by_kin[kin] for kin in by_kin if kin in whole] + alone


def _names(family: Sequence[Trace]) -> str:
    names = [trace.name for trace in family]
    return ", ".join(names) if len(names) <= BAND_FEWEST else f"{names[0]}, {names[1]}, … {names[-1]}"


def _tick(value: float) -> str:
    return f"{value:,g}" if abs(value) < MILLION else f"{value / MILLION:g}M"
