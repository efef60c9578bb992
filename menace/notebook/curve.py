"""The exact strength of a learner by games, as it was measured at the marks of its runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from menace.arena.evaluation import Strength
from menace.learners.policy import PolicyKind
from menace.ledger.marks import shown_marks
from menace.ledger.store import EvaluationRow, LearnerRow, Store, blocks_taken_back, undamaged
from menace.tables import frame, html_table
from menace.wording import MEASURES, OPPONENTS, counted, percent

if TYPE_CHECKING:
    import pandas as pd

POINTS_MOST = 60  # of a curve that is shown whole


@dataclass(frozen=True)
class Curve:
    """Strength by games.

    Attributes:
        name: of the learner.
        kind: the policy that was measured.
        points: by games learned from, then by opponent: `random`, `optimal`, and `best`, its worst case.

    >>> curve = db["menace-x"].curve()
    >>> for games, opponent, win, draw, loss in curve.rows()[-3:]:
    ...     print(f"after {games} games against {opponent}: wins {win:.1%}, losses {loss:.1%}")
    after 100 games against best: wins 1.3%, losses 93.5%
    after 100 games against optimal: wins 0.0%, losses 85.4%
    after 100 games against random: wins 70.9%, losses 18.4%
    """

    name: str
    kind: PolicyKind
    points: Mapping[int, Mapping[str, Strength]]

    def __len__(self) -> int:
        return len(self.points)

    def rows(self) -> list[tuple[Any, ...]]:
        """Return a row for each time and opponent: games, opponent, and the shares of wins, draws and losses."""
        return [(games, who, *one) for games, found in self.points.items() for who, one in found.items()]

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas DataFrame with the columns games, opponent, win, draw, loss.

        Raises:
            MissingExtra: if pandas is not installed.
        """
        return frame(["games", "opponent", *Strength._fields], self.rows())

    def __repr__(self) -> str:
        if not self.points:
            return f"<{self.name}: not measured yet>"
        games, found = list(self.points.items())[-1]
        losses = ", ".join(f"{percent(found[who].loss).strip()} {words}" for who, words in OPPONENTS.items())
        return f"<{self.name} ({self.kind}): after {counted(games, 'game')}: {MEASURES['losses']} {losses}>"

    def _repr_html_(self) -> str:
        """Return a figure, or a table where matplotlib is not installed."""
        figure = self._repr_svg_()
        if figure is not None:
            return figure[figure.index("<svg") :]
        header = ["games", *(f"{MEASURES['losses']} {words}" for words in OPPONENTS.values())]
        rows = [[f"{n:,}", *(percent(found[who].loss) for who in OPPONENTS)] for n, found in self.points.items()]
        return html_table(header, rows)

    def _repr_svg_(self) -> str | None:
        """Return a figure, None where matplotlib is not installed."""
        from menace.notebook.figures import curve_svg

        return curve_svg(self.name, self.points, self.kind)


def curve_of(store: Store, row: LearnerRow, kind: PolicyKind) -> Curve:
    """Return the measured strength of a learner; the latest, where it was measured twice after as many games.

    >>> curve = curve_of(store, store.learner("menace-x"), "greedy")
    >>> list(curve.points)
    [0, 1, 2, 5, 10, 20, 50, 100]
    """
    return _curve(store, row, kind, store.evaluations_of(row.learner_id, kind))


def thinned_curve_of(store: Store, row: LearnerRow, kind: PolicyKind) -> Curve:
    """Return what `curve_of` does, of a long curve few points: the first, the last, and some at `shown_marks` between.

    It takes as long for a learner that was measured a million times, and is as long to send.

    >>> row = store.learner("menace-x")
    >>> thinned_curve_of(store, row, "greedy") == curve_of(store, row, "greedy")
    True
    """
    measured = store.games_measured(row.learner_id, POINTS_MOST + 1)
    if len(measured) > POINTS_MOST:
        measured = shown_marks(measured[0], row.games)
    return _curve(store, row, kind, store.evaluations_by(row.learner_id, kind, measured))


def _curve(store: Store, row: LearnerRow, kind: PolicyKind, evaluations: Iterable[EvaluationRow]) -> Curve:
    points: dict[int, dict[str, Strength]] = {}
    with undamaged(store.path):
        gone = blocks_taken_back(store.runs_of("forget"))
    for found in evaluations:
        if found.block_id not in gone:
            points.setdefault(found.learner_games, {})[found.opponent] = Strength(found.win, found.draw, found.loss)
    return Curve(row.name, kind, dict(sorted(points.items())))
