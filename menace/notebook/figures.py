"""Figures for notebooks: what `menace plot` draws."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from menace.arena.evaluation import Strength
from menace.errors import MissingExtra, OutputError
from menace.extras import need_extra
from menace.learners.policy import PolicyKind
from menace.ledger.patterns import names_like
from menace.ledger.store import Store
from menace.plotting.bead_map import bead_map_figure, bead_map_of
from menace.plotting.game_by_game import TITLES, trace_figure, traces_of
from menace.plotting.legend import panel_titles
from menace.plotting.openings import openings_figure, openings_of
from menace.plotting.outcomes import outcome_steps, outcomes_figure
from menace.plotting.strength import Measured, kin, measured_strength, strength_figure
from menace.plotting.style import drawn, figure_format, save
from menace.wording import FIGURES, OPPONENTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(store: Store, kind: str, path: str | os.PathLike[str], names: Sequence[str]) -> None:
    """Draw learners as a figure, and write the file.

    Args:
        store: the database.
        kind: one of FIGURES; a map of beads is of one learner.
        path: where; it ends with `.svg`, `.png` or `.pdf`.
        names: of the learners, or patterns of names.

    Raises:
        OutputError: if there is no such kind or format, there is nothing to draw, or the file cannot be written.
        UnknownLearner: if there is no such learner.
        MissingExtra: if matplotlib is not installed.
    """
    if kind not in FIGURES:
        raise OutputError(f"no figure is called {kind!r}; choose one of {', '.join(FIGURES)}")
    figure_format(path)
    names = names_like(store, names)
    if kind == "beads" and len(names) != 1:
        raise OutputError(f"a map of beads shows one learner, not {len(names)}; plot them one at a time")
    save(_figure(store, kind, names), path)


def _figure(store: Store, kind: str, names: Sequence[str]) -> Figure:
    if kind == "outcomes":
        titles = panel_titles(store, names)
        return outcomes_figure(outcome_steps(store, names), titles=titles, draws=store.has_draws())
    if kind == "strength":
        return strength_figure(kin(measured_strength(store, names)), draws=store.has_draws())
    if kind == "openings":
        return openings_figure(openings_of(store, names), titles=panel_titles(store, names))
    if kind in TITLES:
        return trace_figure(traces_of(store, names, kind), kind, draws=store.has_draws())
    return bead_map_figure(bead_map_of(store, names[0]))


def curve_svg(name: str, points: Mapping[int, Mapping[str, Strength]], kind: PolicyKind) -> str | None:
    """Return the strength of a learner by games as SVG; None where matplotlib is not installed, or there is none.

    Args:
        name: of the learner.
        points: strength by games learned from, then by opponent.
        kind: the policy that was measured.
    """
    if not points:
        return None
    by_opponent = {who: {games: found[who] for games, found in points.items()} for who in OPPONENTS}
    try:
        need_extra("matplotlib", "plot")
        figure = strength_figure([[Measured(name, by_opponent, ())]], policy=kind)
    except MissingExtra:
        return None
    return drawn(figure, "svg").decode()
