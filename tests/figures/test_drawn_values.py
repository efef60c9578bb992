"""Tests that figures show the values in the database, in every format and for every kind of learner."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import itertools
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from checkout import ROOT
from commands import Run, ok, refused
from database_templates import fresh_database, learner_by_hand
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text
from runs import train

import menace
from menace.analysis.groups import each, grouped
from menace.analysis.learning_curves import (
    Curve,
    OutcomeStep,
    merge_short_last_step,
    outcome_steps,
    steps_of,
    strengths_of,
)
from menace.analysis.position import show
from menace.analysis.replayed_learners import openings_of, trace_learners
from menace.arena.exact_strength import Strength
from menace.arena.run_schedule import Marks
from menace.drawing.graph_layout import isotonic_fit
from menace.errors import OutputError, StoreError, UnknownLearner
from menace.figures.bead_map import MapBox, bead_map_figure, load_bead_map
from menace.figures.curves import TRACE_TITLES, outcomes_figure, strength_figure
from menace.figures.first_moves import openings_figure
from menace.figures.kinds import KINDS, OPTIONS, Options, Plotted, plot
from menace.figures.panels import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    OUTCOME_COLOURS,
    PALE,
    VERMILION,
    displayable,
    panel_grid,
    render,
    spread_labels,
)
from menace.games.base import Side
from menace.games.symmetry import SymmetricGame
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.blocks import PLAY
from menace.ledger.positions import positions_of
from menace.ledger.runs import add_run, copy_learner
from menace.ledger.store import Store
from menace.text.wording import FIGURE_FORMATS, OPPONENTS, OUTCOMES, Scale

pytestmark = pytest.mark.slow

PRESETS = {"menace": "boxes", "article-code": "fullest", "zhang": "td", "q-table": "sarsa", "sala": "q"}
PRESETS["michie-1963"] = "odds"
LEARNERS = [f"{name}-{side}" for name in PRESETS.values() for side in Side]
SEEDS = ("s1", "s2", "s3", "s4")
QUARTERS = (0.25, 0.5, 0.75)
# A figure of boxes-X must contain at least this number of pixels in each of these colours.
SEEN = {
    "outcomes": {BLUE: 50_000, ORANGE: 50_000, PALE: 50_000},
    "strength": {BLUE: 2_000},
    "openings": {BLUE: 2_000, ORANGE: 2_000, GREEN: 2_000},
    "score": {BLUE: 2_000},
    "first-box": {BLUE: 2_000},
    "beads": {GREY: 500, VERMILION: 500},
    "expected": {BLUE: 2_000, ORANGE: 1_000, GREEN: 1_000, VERMILION: 20},
}
STRANGE = ["a$x^2$", "<b>\"&\\'", "机器-Ж-ε", "=1+1 %s {0}", "W" * 60, "عربي", "\\alpha$"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with learners for all algorithms and sides, four that differ only by chance, and a copy."""
    with fresh_database(tmp_path_factory.mktemp("plots") / "menace.db") as store:
        for preset, name in PRESETS.items():
            for side in Side:
                new_learner(store, f"{name}-{side}", side, preset)
                train(store, f"{name}-{side}", "random", games=300, seed=7)
        for seed, name in enumerate(SEEDS):
            new_learner(store, name, "X")
            train(store, name, "perfect", games=100, seed=seed)
        train(store, "boxes-X", "perfect", games=30, seed=3)
        copy_learner(store, "boxes-X", "copy")
        train(store, "copy", "random", games=40, seed=2)
        new_learner(store, "other", "X")
        train(store, "other", "random", games=100, seed=9)
        new_learner(store, "fresh", "X")
        yield store


@pytest.fixture(scope="module")
def pictures(store: Store) -> dict[str, bytes]:
    """Return a figure of each kind for boxes-X, as an array of pixels."""
    return {kind: render(plotted(store, kind, "boxes-X"), "png") for kind in KINDS}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make commands write empty figures, because drawing is slow and these tests check only the printed output."""
    monkeypatch.setattr("menace.figures.panels.render", lambda *_: b"")


def plotted_of(store: Store, kind: str, names: Sequence[str], options: Options) -> Plotted:
    return plot(store, kind, None, names, options)


def plotted(store: Store, kind: str, name: str, scale: Scale | None = "log") -> Figure:
    """Draw a figure of the given kind for one learner, using few boxes and games if possible."""
    if kind == "expected" and not name.startswith("boxes"):
        name = "s1"  # this figure is available only for machines with beads
    few = {"stage": [1, 2], "games": 50, "axis": scale}
    options = {option.name: few[option.name] for option in KINDS[kind].options if option.name in few}
    return plotted_of(store, kind, [name], options).figure


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


@pytest.mark.parametrize("name", [*LEARNERS, "copy"])
def test_outcomes_include_all_games_of_a_learner(store: Store, name: str) -> None:
    steps = outcome_steps(store, [name])[name]
    assert [step.first for step in steps] == [1, *(step.last + 1 for step in steps[:-1])]
    assert steps[-1].last == store.learner(name).games
    if name in LEARNERS:
        sql = """SELECT sum(x_wins), sum(draws), sum(o_wins) FROM block JOIN run USING (run_id)
                 JOIN learner ON learner_id IN (x_learner_id, o_learner_id) WHERE name = ?"""
        assert tuple(map(sum, zip(*(step.counts for step in steps), strict=True))) == store.rows(sql, name)[0]
    assert all(sum(step.counts) == step.last - step.first + 1 for step in steps)
    assert all(math.isclose(sum(step.shares), 1) for step in steps)


def test_steps_end_at_marks_and_continue_across_runs(store: Store) -> None:
    assert [step.last for step in outcome_steps(store, ["q-X"])["q-X"]] == Marks().list_up_to(300)[1:]
    assert [step.last for step in outcome_steps(store, ["boxes-X"])["boxes-X"]][-2:] == [200, 330]
    ends = [step.last for step in outcome_steps(store, ["copy"])["copy"]]
    assert ends[-2:] == [200, 370]
    first = outcome_steps(store, ["boxes-X"])["boxes-X"][:-1]
    assert outcome_steps(store, ["copy"])["copy"][: len(first)] == first


def test_step_ends_with_the_block_that_passes_a_mark(store: Store) -> None:
    blocks = [block for block in store.blocks() if block.games]
    played = [blocks[0]._replace(games=3, x_wins=3, draws=0, o_wins=0)] * 3
    assert [(step.first, step.last) for step in steps_of(played)] == [(1, 3), (4, 6), (7, 9)]


def test_drawn_outcomes_match_steps(store: Store) -> None:
    by_learner = outcome_steps(store, ["boxes-X", "td-O", "odds-X"])
    figure = outcomes_figure(by_learner)
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert len(panels) == len(by_learner)
    for axes, (name, steps) in zip(panels, by_learner.items(), strict=True):
        assert axes.get_title(loc="left") == f"{name}: {steps[-1].last} games"
        stairs = {patch.get_label(): patch.get_data() for patch in axes.patches}
        for outcome, label in enumerate(OUTCOMES):
            tops, edges, bottoms = stairs[label]
            assert np.allclose(tops - bottoms, [step.shares[outcome] for step in steps])
            assert np.allclose(edges[1:] - 0.5, [step.last for step in steps])
            last = f"{100 * steps[-1].shares[outcome]:.1f}%"
            assert f"{label}\n{last}" in [text.get_text() for text in axes.texts]


def test_outcomes_have_same_colours_in_bands_and_legend(store: Store) -> None:
    figure = outcomes_figure(outcome_steps(store, ["boxes-X"]))
    (axes,), (legend,) = figure.axes, figure.legends
    wanted = {"X wins": "#0072b2", "draws": "#dddddd", "O wins": "#e69f00"}
    assert {name: mpl.colors.to_hex(colour) for name, colour in OUTCOME_COLOURS.items()} == wanted
    named = [text.get_text() for text in legend.get_texts()]
    for patches, names in ((axes.patches, OUTCOMES), (legend.get_patches(), named)):
        colours = [mpl.colors.to_hex(patch.get_facecolor()) for patch in patches]
        assert dict(zip(names, colours, strict=True)) == wanted
    squares = [mpl.colors.to_hex(text.get_color()) for text in axes.texts if text.get_text() == "■"]
    assert squares == list(wanted.values())


def test_short_last_step_is_merged_into_the_previous_one() -> None:
    many, few = OutcomeStep(1, 100, (60, 30, 10)), OutcomeStep(101, 119, (0, 0, 19))
    assert merge_short_last_step((many, few)) == (OutcomeStep(1, 119, (60, 30, 29)),)
    assert merge_short_last_step((many, OutcomeStep(101, 120, (0, 0, 20)))) == (many, OutcomeStep(101, 120, (0, 0, 20)))
    assert merge_short_last_step((few,)) == (few,)
    assert merge_short_last_step(()) == ()
    narrow = (OutcomeStep(1, 1000, (1000, 0, 0)), OutcomeStep(1001, 1100, (0, 0, 100)))
    # 20 games are less than a tenth of all games, so the step is too narrow to be visible in the figure
    assert len(merge_short_last_step(narrow)) == 1


def test_labels_are_beside_bands_after_one_game_with_a_person(tmp_path: Path, run: Run) -> None:
    database = tmp_path / "one.db"
    with fresh_database(database) as store:
        learner = new_learner(store, "a", "X")
        train(store, "a", "random", games=200, seed=1)
        positions = positions_of(store)
        with store.transaction():
            human = add_run(store, positions, PLAY, (learner, "human"), (True, False), 1, 1)
            store.add_block(human.run_id, "human", 1, (0, 0, 1), 0, 0)
        (axes,) = outcomes_figure(outcome_steps(store, ["a"])).axes
        wins = sum(step.counts[0] for step in outcome_steps(store, ["a"])["a"])
    written = {text.get_text().split(" ")[0]: text.get_position()[1] for text in axes.texts}
    for patch, key in zip(axes.patches, ("X", "draws", "O"), strict=True):
        tops, edges, bottoms = patch.get_data()
        assert edges[-1] - edges[-2] == 101
        assert abs(written[key] - (tops[-1] + bottoms[-1]) / 2) < 0.06
    printed = ok(run("plot", "outcomes", "a", "a.svg", "--db", str(database)))
    assert "of the last 101 games" in printed
    assert f"{wins / 201:.1%} of all 201 games" in printed
    assert "a: 201 games" in texts(axes.get_figure())


@pytest.mark.usefixtures("begun")
def test_single_game_is_described_in_the_singular(run: Run) -> None:
    ok(run("new", "a", "--plays", "X"))
    ok(run("train", "a", "--against", "random", "--games", "1", "--seed", "1"))
    for kind in KINDS:
        printed = ok(run("plot", kind, "a", "a.svg", *(["--games", "1"] if kind == "expected" else [])))
        assert not re.search(r"\b1 games", printed + Path("a.svg").read_text())
        assert kind == "beads" or printed.endswith("1 game\n")


@pytest.mark.parametrize("policy", ["behaviour", "greedy"])
@pytest.mark.parametrize(
    ("measure", "column"), [("losses", "loss"), ("wins", "win"), ("draws", "draw"), ("score", "win + draw / 2")]
)
def test_strength_lines_match_database(store: Store, policy: Any, measure: Any, column: str) -> None:
    figure = strength_figure(each(strengths_of(store, LEARNERS, policy)), measure)
    sql = f"""SELECT games, {column} FROM learning_curve WHERE learner = ? AND policy = ? AND opponent = ?
              GROUP BY games HAVING block_id = max(block_id) ORDER BY games"""
    for axes, opponent in zip(figure.axes, OPPONENTS, strict=True):
        assert axes.get_title(loc="left") == OPPONENTS[opponent]
        for name, line in zip(LEARNERS, axes.lines, strict=True):
            assert np.allclose(line.get_xydata(), store.rows(sql, name, policy, opponent), rtol=0, atol=1e-15)
    assert any(policy in text for text in texts(figure))


def test_learners_that_differ_only_by_chance_share_a_line(store: Store) -> None:
    strengths = strengths_of(store, ["boxes-X", *SEEDS, "copy"])
    assert [[learner.name for learner in group] for group in grouped(strengths)] == [["boxes-X"], list(SEEDS), ["copy"]]
    assert [len(group) for group in grouped(strengths_of(store, SEEDS[:2]))] == [1, 1]
    taught_by_another = grouped(strengths_of(store, ["other", *SEEDS]))
    assert [len(group) for group in taught_by_another] == [1, 4]
    facts = strengths[1].facts
    assert facts is not None
    changed = dataclasses.replace(strengths[1], facts=dataclasses.replace(facts, kin=("X", "menace", "other settings")))
    assert len(grouped([changed, *strengths[2:5]])) == 2


def test_documentation_says_which_figures_group_learners(store: Store) -> None:
    """In some figures, learners that differ only by chance share a line or a panel.

    In other figures, each learner has its own panel.
    """
    strength = strength_figure(grouped(strengths_of(store, SEEDS)))
    assert {len(axes.lines) for axes in strength.axes} == {1}
    for kind in TRACE_TITLES:
        assert len(plotted_of(store, kind, SEEDS, {}).figure.axes[0].lines) == 1
        assert len(plotted_of(store, kind, SEEDS, {"apart": True}).figure.axes[0].lines) == len(SEEDS)
    assert len(plotted_of(store, "outcomes", SEEDS, {}).figure.axes) == 1
    assert len(plotted_of(store, "outcomes", SEEDS, {"apart": True}).figure.axes) == len(SEEDS)
    panels = [axes for axes in openings_figure(openings_of(store, SEEDS)).axes if axes.get_ylabel()]
    assert len(panels) == len(SEEDS)  # the panels without the keys beside them
    page = " ".join((ROOT / "docs" / "plots.md").read_text(encoding="utf-8").split())
    assert "`strength`, `score` and `first-box` draw the median" in page
    assert "`outcomes` adds up the games of a group in one panel" in page
    assert "`openings` draws a panel for each machine" in page


def test_median_is_computed_at_marks_shared_by_all(store: Store) -> None:
    strengths = strengths_of(store, SEEDS)
    short = dataclasses.replace(strengths[0], points={games: strengths[0].points[games] for games in (0, 5)})
    figure = strength_figure([[short, *strengths[1:]]])
    assert list(figure.axes[0].lines[0].get_xdata()) == [0, 5]
    single = dataclasses.replace(strengths[0], points={0: strengths[0].points[0]})
    assert len(grouped([single, *strengths[1:]])) == 4


def test_bands_span_half_and_all_of_the_learners(store: Store) -> None:
    strengths = strengths_of(store, SEEDS)
    axes = strength_figure([strengths], "losses", ["best_response"]).axes[0]
    (line,) = axes.lines
    everyone, half = axes.collections
    for games, middle in line.get_xydata():
        values = sorted(curve.points[int(games)]["best_response"].loss for curve in strengths)
        assert math.isclose(middle, (values[1] + values[2]) / 2)
        lower, upper = values[0] + 0.75 * (values[1] - values[0]), values[2] + 0.25 * (values[3] - values[2])
        wanted = {half: (lower, upper), everyone: (values[0], values[-1])}
        for band, ends in wanted.items():
            corners = [(float(x), float(y)) for x, y in band.get_paths()[0].vertices]
            for end in ends:
                assert any(x == games and math.isclose(y, end, abs_tol=1e-9) for x, y in corners)
                assert 0 <= end <= 1
    figure = axes.get_figure()
    assert "s1, s2, s3, s4 (4 machines)" in texts(figure)
    assert any("bands: half of them, all of them" in text for text in texts(figure))


def test_more_than_two_bands_span_half_and_have_edges(store: Store) -> None:
    names = ["boxes-X", "copy", "boxes-X", "s1", "s2", "s3", "other", "fullest-X"]
    curves = strengths_of(store, names)
    pairs = [curves[:2], curves[2:4], curves[4:6], curves[6:]]
    for groups, bands in ((pairs[:2], 4), (pairs[:3], 3)):
        axes = strength_figure(groups, opponents=["best_response"]).axes[0]
        assert len(axes.lines) == len(groups)
        assert len(axes.collections) == bands
        edged = [band for band in axes.collections if band.get_linewidth()[0] > 0]
        assert len(edged) == (0 if len(groups) == 2 else 3)
        about = "bands: half of them, all of them" if len(groups) == 2 else "band: half of them"
        assert any(text.endswith(about) for text in texts(axes.get_figure()))


def read_csv(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_has_numbers_of_the_figure(store: Store, run: Run) -> None:
    ok(run("plot", "strength", "td-X", "s?", "a.csv", "--db", store.path))
    rows = read_csv("a.csv")
    assert ",".join(rows[0]) == "machines,preset,against,opponent,measure,games,value,low,high,n"
    assert {(row["machines"], row["preset"], row["n"]) for row in rows} == {
        ("td-X", "zhang", "1"),
        ("s1, s2, s3, s4", "menace", "4"),
    }
    curves = strengths_of(store, SEEDS)
    expected = [
        (opponent, str(games), *np.quantile([curve.points[games][opponent].loss for curve in curves], QUARTERS))
        for opponent in OPPONENTS
        for games in curves[0].points
    ]
    (trace,) = trace_learners(store, ["s1"], "score")
    shared = [row for row in rows if row["n"] == "4"]
    for row, (opponent, games, *numbers) in zip(shared, expected, strict=True):
        assert (row["opponent"], row["games"], row["measure"]) == (opponent, games, "losses")
        assert [float(row[name]) for name in ("low", "value", "high")] == pytest.approx(numbers)
    ok(run("plot", "score", "s1", "score.csv", "--db", store.path))
    assert [(int(row["games"]), float(row["value"])) for row in read_csv("score.csv")] == trace.points
    ok(run("plot", "openings", "s1", "openings.csv", "--db", store.path))
    shares = read_csv("openings.csv")
    assert sum(float(row["value"]) for row in shares if row["games"] == "100") == pytest.approx(1)
    refused(run("plot", "beads", "s1", "beads.csv", "--db", store.path), "menace contents NAME --csv")
    assert not Path("beads.csv").exists()


def test_group_outcomes_sum_all_its_games(store: Store, run: Run) -> None:
    printed = ok(run("plot", "outcomes", "s?", "a.csv", "--db", store.path))
    rows = read_csv("a.csv")
    steps = outcome_steps(store, SEEDS)
    titles = texts(plotted_of(store, "outcomes", SEEDS, {}).figure)
    last = [steps[name][-1].counts for name in SEEDS]
    for row, counts in zip(rows[-3:], zip(*last, strict=True), strict=True):
        assert float(row["value"]) == pytest.approx(sum(counts) / sum(map(sum, last)))
        assert (row["first"], row["games"], row["n"]) == ("51", "100", "4")
    wins = sum(step.counts[0] for name in SEEDS for step in steps[name]) / 400
    assert f"{wins:.1%} of all 100 games" in printed
    assert any(text.endswith("(4 machines): 100 games each") for text in titles)


def test_command_and_python_group_by_a_setting(store: Store, run: Run) -> None:
    for kind in ("strength", "score", "outcomes"):
        words = ["plot", kind, "s1", "s2", "td-X", "a.csv", "--by", "preset", "--db", store.path]
        first, second = ok(run(*words)).splitlines()
        assert first.startswith("a.csv: preset=menace: ")
        assert second.startswith("a.csv: td-X, ")
        assert {(row["preset"], row["n"]) for row in read_csv("a.csv")} == {("menace", "2"), ("zhang", "1")}
        with menace.Database(store.path) as db:
            db.plot(kind, "b.csv", ["s1", "s2", "td-X"], by="preset")
        assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    both = run("plot", "score", "s1", "a.svg", "--by", "win", "--apart", "--db", store.path)
    assert "choose one of the two" in both.err
    unknown = run("plot", "strength", "s1", "a.svg", "--by", "alpha", "--db", store.path)
    refused(unknown, "no machine here has the factor 'alpha'")


@pytest.mark.parametrize("name", [*LEARNERS, "copy"])
def test_openings_end_with_current_box(store: Store, name: str) -> None:
    openings = openings_of(store, [name])
    assert len(openings) == (1 if store.learner(name).plays == "X" else 3)
    for opening in openings:
        view = show(store, opening.board, name)
        assert [move.cells for move in view.moves] == list(opening.cells)
        assert opening.games[0] == 0
        assert opening.games[-1] == store.learner(name).games
        by_share = name.partition("-")[0] in {"boxes", "odds", "copy"}
        assert opening.amounts[-1] == tuple(move.share if by_share else move.amount for move in view.moves)


def test_opening_axis_names_its_unit(store: Store, tmp_path: Path) -> None:
    def unit(opened: Store, name: str) -> str:
        return openings_of(opened, [name])[0].unit

    with fresh_database(tmp_path / "menace.db") as favourites:
        new_learner(favourites, "favourite", "X", "article-code")
        train(favourites, "favourite", "random", games=2, seed=1)
        # This learner plays the move with the most beads, so the shares of its beads are not probabilities.
        assert unit(favourites, "favourite") == "beads"
    assert unit(store, "boxes-X") == "share of the box's beads"
    assert unit(store, "odds-X") == "probability of the move"
    assert unit(store, "td-X") == "value of the move"


def test_intermediate_openings_match_a_learner_stopped_there(store: Store, tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as stopped:
        new_learner(stopped, "boxes-O", "O")
        for position, before in enumerate(openings_of(store, ["boxes-O"])):
            assert before.amounts[0] == tuple(move.share for move in show(stopped, before.board, "boxes-O").moves), (
                position
            )
        train(stopped, "boxes-O", "random", games=50, seed=7)
        for before in openings_of(store, ["boxes-O"]):
            amounts = before.amounts[before.games.index(50)]
            assert amounts == tuple(move.share for move in show(stopped, before.board, "boxes-O").moves)


def test_copy_has_openings_of_its_original(store: Store) -> None:
    (copy,), (original,) = openings_of(store, ["copy"]), openings_of(store, ["boxes-X"])
    assert copy.games[: len(original.games)] == original.games
    assert copy.amounts[: len(original.games)] == original.amounts
    assert copy.games[-1] == 370


def test_drawn_openings_match_data(store: Store) -> None:
    openings = openings_of(store, ["boxes-O", "q-X"])
    panels = [axes for axes in openings_figure(openings).axes if axes.lines]
    assert len(panels) == len(openings) == 4
    for axes, opening in zip(panels, openings, strict=True):
        for move, line in enumerate(axes.lines):
            assert list(line.get_xdata()) == list(opening.games)
            drawn_amounts = [None if np.isnan(y) else y for y in np.asarray(line.get_ydata())]
            assert drawn_amounts == [amounts[move] for amounts in opening.amounts]


def test_key_cells_have_colours_of_their_lines(store: Store) -> None:
    (opening,) = openings_of(store, ["boxes-X"])
    figure = openings_figure([opening])
    lines, key = figure.axes[0].lines, figure.axes[1]
    for move, cells in enumerate(opening.cells):
        for cell in cells:
            middle = (cell % 3 + 0.5, cell // 3 + 0.5)
            there = [patch for patch in key.patches if patch.get_path().contains_point(middle)]
            assert mpl.colors.to_hex(lines[move].get_color()) in {
                mpl.colors.to_hex(patch.get_facecolor()) for patch in there
            }


def shares_of(box: MapBox) -> list[float]:
    """Return the share of each cell in a tic-tac-toe box. Each move marks one cell."""
    shares = {where.cells: share for where, share in box.moves}
    return [shares.get((cell,), 0.0) for cell in range(9)]


@pytest.mark.parametrize("name", ["boxes-X", "boxes-O"])
def test_bead_map_has_beads_of_every_box(store: Store, name: str) -> None:
    rows = store.rows("SELECT board, action, share FROM choices WHERE learner = ? ORDER BY 1, 2", name)
    bead_map = load_bead_map(store, name)
    assert len(bead_map.boxes) == {"boxes-X": 304, "boxes-O": 289}[name]
    assert [box.number for box in bead_map.boxes] == list(range(1, len(bead_map.boxes) + 1))
    boxes = {box.board: shares_of(box) for box in bead_map.boxes}
    assert set(boxes) == {board for board, _, _ in rows}
    game = menace.get_game()
    for board, action, share in rows:
        cells = SymmetricGame(game).equivalent_actions(board, action)
        assert [boxes[board][cell] for cell in cells] == pytest.approx([(share or 0) / len(cells)] * len(cells))
    assert all(sum(shares_of(box)) == pytest.approx(0 if box.empty else 1) for box in bead_map.boxes)
    assert all(
        share == 0 for box in bead_map.boxes for cell, share in enumerate(shares_of(box)) if box.board[cell] != "."
    )


@pytest.mark.parametrize("name", ["td-X", "q-O", "odds-X"])
def test_bead_map_without_boxes_shows_probabilities(store: Store, name: str) -> None:
    bead_map = load_bead_map(store, name)
    assert not bead_map.machine.has_beads
    for box in bead_map.boxes[::20]:
        view = show(store, box.board, name)
        assert view.position_id == box.number
        for move in view.moves:
            assert sum(shares_of(box)[cell] for cell in move.cells) == pytest.approx(move.share)


def test_bead_map_shades_cells_by_share_and_hatches_empty_boxes(store: Store) -> None:
    bead_map = load_bead_map(store, "boxes-X")
    emptied = tuple(box._replace(moves=()) if box.number % 100 == 0 else box for box in bead_map.boxes)
    bead_map = bead_map._replace(boxes=emptied)
    figure = bead_map_figure(bead_map)
    shades, hatched = figure.findobj(PolyCollection)
    assert list(shades.get_array()) == [share for box in bead_map.boxes for share in shares_of(box) if share]
    shaded = [(box.number, cell) for box in bead_map.boxes for cell, share in enumerate(shares_of(box)) if share]
    assert cells_shaded(figure, shades) == shaded
    assert shades.get_clim() == (0, 1)
    assert len(hatched.get_paths()) == sum(box.empty for box in bead_map.boxes) >= 3
    written = texts(figure)
    assert {"its first move: 1 box", "its fourth move: 183 boxes", "1", "304"} <= set(written)
    assert any("hatched" in text for text in written)


def cells_shaded(figure: Figure, shades: PolyCollection) -> list[tuple[int, int]]:
    """Return the box and the cell of each shaded square. The number of a box is below its lower left corner."""
    corners = {text.get_position(): int(text.get_text()) for text in figure.axes[0].texts if text.get_text().isdigit()}
    cells = []
    for path in shades.get_paths():
        (left, top), (right, bottom) = path.vertices.min(axis=0), path.vertices.max(axis=0)
        size = right - left
        assert bottom - top == pytest.approx(size)
        for column, row in itertools.product(range(3), range(3)):
            at = (left - column * size, bottom + (2 - row) * size + 0.15 * size)
            cells += [(number, 3 * row + column) for corner, number in corners.items() if math.dist(at, corner) < 0.1]
    return cells


def test_bead_map_can_be_limited_to_stages(store: Store) -> None:
    boxes = load_bead_map(store, "boxes-X", [1, 3]).boxes
    assert {box.stage for box in boxes} == {1, 3}
    assert len(boxes) == 1 + 108
    with pytest.raises(OutputError, match="stage 9"):
        load_bead_map(store, "boxes-X", [9])


@pytest.mark.parametrize(("kind", "form"), [*((kind, "svg") for kind in KINDS), ("outcomes", "pdf")])
def test_figure_bytes_are_reproducible_and_differ_between_learners(store: Store, kind: str, form: str) -> None:
    """The test `test_user_style_is_neither_used_nor_changed` compares pixels."""
    first, again, different = (render(plotted(store, kind, name), form) for name in ("boxes-X", "boxes-X", "fullest-X"))
    assert first == again != different
    assert not any(word in first for word in (b"Matplotlib v", b"CreationDate", b"dc:date"))


@pytest.mark.parametrize("kind", KINDS)
def test_figure_contains_expected_colours(pictures: dict[str, bytes], kind: str) -> None:
    pixels = imread(BytesIO(pictures[kind]))[:, :, :3]
    for colour, fewest in SEEN.get(kind, {BLUE: 500}).items():
        same = (abs(pixels - mpl.colors.to_rgb(colour)) < 0.01).all(axis=2)
        assert same.sum() >= fewest, (colour, same.sum())


@pytest.mark.parametrize(
    ("kind", "scale"),
    [(kind, "log") for kind in KINDS] + [(kind, "linear") for kind in KINDS if kind in OPTIONS["axis"][1]],
)
def test_texts_are_not_cut_off_and_do_not_overlap(
    store: Store, kind: str, scale: Scale, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_texts: list[Text] = []
    draw = Text.draw
    monkeypatch.setattr(Text, "draw", lambda text, renderer: (drawn_texts.append(text), draw(text, renderer)))
    figure = plotted(store, kind, "boxes-O", scale)
    figure.draw_without_rendering()
    boxes = [(text, text.get_window_extent()) for text in dict.fromkeys(drawn_texts) if text.get_text().strip()]
    assert len(boxes) > 8
    for text, box in boxes:
        assert box.x0 >= -1, text
        assert box.y0 >= -1, text
        assert box.x1 <= figure.bbox.width + 1, text
        assert box.y1 <= figure.bbox.height + 1, text
    for number, (text, box) in enumerate(boxes):
        for neighbour, beside in boxes[number + 1 :]:
            wide = min(box.x1, beside.x1) - max(box.x0, beside.x0)
            tall = min(box.y1, beside.y1) - max(box.y0, beside.y0)
            assert wide <= 1 or tall <= 1, (text, neighbour)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in OPTIONS["axis"][1]])
def test_axis_of_games_can_be_linear_or_logarithmic(store: Store, kind: str) -> None:
    usual = "linear" if kind in TRACE_TITLES else "symlog"
    for option, scale in ((None, usual), ("linear", "linear"), ("log", "symlog")):
        panels = [axes for axes in plotted(store, kind, "boxes-X", option).axes if axes.lines or len(axes.patches) == 3]
        panels = [axes for axes in panels if axes.axison]  # triangles have no axis
        assert {axes.get_xscale() for axes in panels} == {scale}


def test_files_have_the_format_of_their_ending(store: Store, tmp_path: Path) -> None:
    figure = plotted_of(store, "strength", ["boxes-X"], {})
    for name in ("a.svg", "a.pdf", "a.PNG"):
        figure.save(tmp_path / name)
    assert ET.fromstring((tmp_path / "a.svg").read_text()).tag.endswith("svg")
    assert (tmp_path / "a.svg").read_bytes() == render(figure.figure, "svg")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    pixels = imread(tmp_path / "a.PNG")
    assert pixels.shape[:2] == (1080, 1920)


def test_user_style_is_neither_used_nor_changed(store: Store, pictures: dict[str, bytes]) -> None:
    with mpl.rc_context({"font.size": 40, "figure.facecolor": "red", "savefig.dpi": 30}):
        before = dict(mpl.rcParams)
        assert render(plotted(store, "outcomes", "boxes-X"), "png") == pictures["outcomes"]
        assert dict(mpl.rcParams) == before


def test_csv_and_help_work_without_matplotlib(trained: Run) -> None:
    for name in ("a", "b", "c"):
        ok(trained("new", name, "--plays", "X"))
        ok(trained("train", name, "--against", "random", "--games", "5", "--seed", "1"))
    commands = [["plot", "--help"], ["strength", "?", "--by", "win"], ["plot", "strength", "?", "a.csv"]]
    commands += [["plot", "strength", "a", "a.svg"]]
    code = f"""
import sys
sys.modules["matplotlib"] = None
from menace.cli import main
for command in {commands}:
    sys.argv = ["menace", *command]
    try:
        main()
    except SystemExit as ended:
        print("code", ended.code or 0)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line for line in run.stdout.splitlines() if line.startswith("code")] == ["code 0"] * 3 + ["code 1"]
    assert "Traceback" not in run.stderr
    assert "needs matplotlib, which is not installed" in run.stderr
    assert len(Path("a.csv").read_text().splitlines()) > 3
    completing = os.environ | {"_MENACE_COMPLETE": "bash_complete", "COMP_WORDS": "menace plot s", "COMP_CWORD": "2"}
    code = "import sys; sys.modules['matplotlib'] = None; sys.argv = ['menace']; from menace.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=completing)
    assert run.stdout.split() == ["plain,strength", "plain,score"], run.stderr


def test_documentation_lists_every_kind_of_figure() -> None:
    page = (ROOT / "docs" / "plots.md").read_text("utf-8")
    table = page.split("| `menace plot ...` | what it draws |\n|---|---|\n")[1].split("\n\n")[0]
    assert table.splitlines() == [f"| `{kind.name}` | {kind.help} |" for kind in KINDS.values()]


def test_unusual_names_are_shown_unchanged(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        for name in STRANGE:
            learner_by_hand(store, name, "X")
            train(store, name, "random", games=5, seed=1)
        figures = [outcomes_figure(outcome_steps(store, STRANGE)), openings_figure(openings_of(store, STRANGE))]
        figures += [strength_figure(each(strengths_of(store, STRANGE)), opponents=["best_response"])]
        for figure, form in zip(figures, FIGURE_FORMATS, strict=True):
            assert render(figure, form)
            assert not any(text.get_parse_math() for text in figure.findobj(Text) if "$" in text.get_text())
            joined = "\n".join(texts(figure)).replace("\n", "")
            assert [name for name in STRANGE if displayable(name) not in joined] == []
        for name in STRANGE:
            assert f"{displayable(name)} plays X: 5 games" in texts(bead_map_figure(load_bead_map(store, name, [1])))


def test_characters_that_the_font_lacks_are_escaped() -> None:
    assert displayable("机-Ж") == r"\u673a-Ж"


def test_labels_are_spaced_in_order() -> None:
    generator = np.random.default_rng(1)
    for _ in range(200):
        wanted = generator.random(generator.integers(1, 9)).round(1).tolist()
        heights = spread_labels(wanted, 0.1, 0.02)
        order = np.argsort(wanted, kind="stable")
        placed = np.array(heights)[order]
        assert (np.diff(placed) >= 0.1 - 1e-9).all()
        assert placed[0] >= 0.02 - 1e-9
        assert placed[-1] <= 0.98 + 1e-9
    assert spread_labels([0.2, 0.8], 0.1) == [0.2, 0.8]


def test_pooled_values_are_isotonic_regression() -> None:
    """The expected values come from the minimax formula for isotonic regression."""
    generator = np.random.default_rng(2)
    for _ in range(100):
        values = generator.integers(0, 6, generator.integers(1, 8)).tolist()
        for place, mean in enumerate(isotonic_fit(values)):
            means = [[fmean(values[a : b + 1]) for b in range(place, len(values))] for a in range(place + 1)]
            assert mean == pytest.approx(max(map(min, means)))


def test_panel_grid_has_place_for_every_panel() -> None:
    for panels in range(1, 25):
        rows, columns = panel_grid(panels)
        assert rows * columns >= panels > (rows - 1) * columns


def test_learner_without_games_is_refused(store: Store) -> None:
    for read in (outcome_steps, strengths_of, openings_of):
        with pytest.raises(OutputError, match="menace train fresh"):
            read(store, ["fresh"] if read is strengths_of else ["boxes-X", "fresh"])
        with pytest.raises(UnknownLearner, match="nobody"):
            read(store, ["nobody"])
    assert len(load_bead_map(store, "fresh").boxes) == 304


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("openings", "odds"),
        ("openings", "td"),
        ("beads", "boxes"),
        ("beads", "q"),
        ("outcomes", "q"),
        ("strength", "q"),
    ],
)
def test_plot_writes_a_file_for_each_unit_of_amounts(run: Run, store: Store, kind: str, name: str) -> None:
    options = ["--stage", "1", "--stage", "2"] if kind == "beads" else []
    (line,) = ok(run("plot", kind, f"{name}-X", "a.svg", *options, "--db", store.path)).splitlines()
    assert line.startswith(f"a.svg: {name}-X")
    assert ET.fromstring(Path("a.svg").read_text()) is not None


@pytest.mark.usefixtures("undrawn")
def test_plot_prints_summary_of_figure(run: Run, store: Store) -> None:
    sql = """SELECT loss FROM learning_curve
             WHERE learner = 'td-X' AND policy = ? AND opponent = 'best_response' AND games = 300"""
    at_end = store.rows(sql, "greedy")[0][0]
    assert len(ok(run("plot", "openings", "td-O", "a.svg", "--db", store.path)).splitlines()) == 3
    out = ok(run("plot", "strength", "td-X", "a.svg", "--policy", "greedy", "--db", store.path))
    assert "games lost against the best response" in out
    assert f"{100 * at_end:.1f}% at 300 games" in out
    assert "median of 4" in ok(run("plot", "strength", *SEEDS, "a.svg", "--db", store.path))
    left = run("plot", "strength", "td-X", "fresh", "a.svg", "--db", store.path)
    assert left.err == "machines omitted because they have no games yet: fresh\n"
    assert left.out.startswith("a.svg: td-X, games lost")
    assert len(ok(run("plot", "strength", *SEEDS, "a.svg", "--apart", "--db", store.path)).splitlines()) == 4


def test_damaged_log_prints_one_line(run: Run, store: Store) -> None:
    shutil.copy(store.path, "a.db")
    with contextlib.closing(sqlite3.connect("a.db")) as connection, connection:
        connection.execute("DELETE FROM run WHERE run_id = 1")
    for kind in ("outcomes", "openings"):
        refused(run("plot", kind, "td-X", "a.svg", "--db", "a.db"), "damaged", "menace verify")
    with open_database("a.db") as damaged, pytest.raises(StoreError):
        openings_of(damaged, ["td-X"])


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("kind", KINDS)
def test_plot_errors_are_one_line(trained: Run, kind: str) -> None:
    refused(trained("plot", kind, "menace-x", "a.jpg"), "a.jpg", "svg", "png", "pdf")
    refused(trained("plot", kind, "menace-x", "a"), "svg", "png", "pdf")
    refused(trained("plot", kind, "nobody", "a.svg"), "nobody", "menace-x, menace-o")
    refused(trained("plot", kind, "menace-x", "missing/a.svg"), "no folder", "missing")
    refused(trained("plot", kind, "menace-x", "a.svg", "--db", "none.db"), "none.db")
    assert list(Path().glob("*.svg")) == []


def test_plot_refuses_options_of_other_kinds(trained: Run) -> None:
    """Other options are tested by `test_wrong_figure_options_raise_messages_of_the_command`."""
    for words in (
        "beads menace-x a.svg --axis linear",
        "beads menace-x menace-o a.svg",
        "outcomes a.svg",
        "nonsense menace-x a.svg",
    ):
        result = trained("plot", *words.split())
        assert result.code == 2
        assert len(result.err.splitlines()) == 1


def test_plot_without_matplotlib_prints_installation_hint(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    refused(trained("plot", "outcomes", "menace-x", "a.svg"), "matplotlib", 'pip install -e ".[plot]"')


@pytest.mark.parametrize("options", [["--variant", "2x2x2"], ["--variant", "2x4x3"], ["--no-symmetry"]])
def test_other_games_are_plotted_or_refused(run: Run, options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("init", *options))
    ok(run("selfplay", "--games", "20", "--seed", "1"))
    ok(run("plot", "beads", "menace-x", "a.svg", "--stage", "2"))
    monkeypatch.setattr("menace.figures.bead_map.MAX_BOXES", 2)
    refused(run("plot", "beads", "menace-x", "b.svg"), "at most 2;", "--stage")
    if "2x2x2" in options:
        refused(run("plot", "openings", "menace-x", "b.svg"), "only one first move")
    else:
        ok(run("plot", "openings", "menace-x", "a.svg"))


def test_curve_with_many_points_has_no_dots() -> None:
    def marker(points: int) -> object:
        strength = dict.fromkeys(OPPONENTS, Strength(0.5, 0.2, 0.3))
        figure = strength_figure([[Curve("a", "behaviour", dict.fromkeys(range(points), strength))]])
        return figure.axes[0].get_lines()[0].get_marker()

    assert (marker(200), marker(201)) == ("o", "none")
