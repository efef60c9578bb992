"""Tests that the legends and titles of figures name the differences between learners and their common properties."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from database_templates import fresh_database
from matplotlib.figure import Figure
from matplotlib.text import Text
from runs import selfplay, train

from menace.analysis.groups import facts_of, grouped
from menace.analysis.learning_curves import outcome_steps, strengths_of
from menace.analysis.replayed_learners import openings_of, trace_learners
from menace.errors import InvalidSetting
from menace.figures.curves import outcomes_figure, strength_figure, trace_figure
from menace.figures.first_moves import openings_figure
from menace.figures.panels import LINE_COLOURS, Legend, make_group_legend, make_legend
from menace.games.base import Side
from menace.ledger.learners import new_learner
from menace.ledger.runs import copy_learner
from menace.ledger.store import Store

GAMES = 20


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database of learners that differ in their beads, teacher, preset or side, or only by chance."""
    with fresh_database(tmp_path_factory.mktemp("legends") / "menace.db") as store:
        for seed in range(1, 4):
            new_learner(store, f"same{seed}", "X")
            train(store, f"same{seed}", "random", GAMES, seed)
        learners = {"many": ("menace", {"beads": "8,4,2,1"}), "td": ("zhang", {}), "fast": ("zhang", {"alpha": "0.3"})}
        for name, (preset, settings) in learners.items():
            new_learner(store, name, "X", preset, settings)
            train(store, name, "random", GAMES, seed=1)
        for name in ("strict", "second"):
            new_learner(store, name, "X")
            train(store, name, "perfect", GAMES, seed=1)
        train(store, "second", "random", GAMES, seed=1)
        for side in Side:
            new_learner(store, f"pair-{side}", side)
        selfplay(store, "pair-X", "pair-O", games=GAMES, seed=1)
        copy_learner(store, "td", "copy")
        train(store, "copy", "random", GAMES, seed=1)
        yield store


@pytest.mark.parametrize("kind", ["outcomes", "openings"])
def test_panel_titles_name_differences(store: Store, kind: str) -> None:
    def written(*names: str) -> tuple[list[str], list[str]]:
        titles = legend(store, *names)
        if kind == "outcomes":
            figure = outcomes_figure(outcome_steps(store, names), titles=titles)
        else:
            figure = openings_figure(openings_of(store, names), titles=titles)
        panels = [axes.get_title(loc="left").removesuffix(f": {GAMES} games") for axes in figure.axes]
        labels = [text.get_text() for text in figure.findobj(Text, include_self=False)]
        return [title for title in panels if title], "\n".join(labels).splitlines()

    assert written("same1", "many")[0] == ["beads=4,3,2,1", "beads=8,4,2,1"]
    assert "all: plays X; menace; trained against random" in written("same1", "many")[1]
    assert written("same1", "same2")[0] == ["same1", "same2"]
    assert written("td")[0] == ["td"]
    assert not any(line.startswith("all: ") for line in written("td")[1])


def legend(store: Store, *names: str) -> Legend:
    rows = {row.learner_id: row for row in store.learners()}
    return make_legend([[facts_of(store.learner(name), store.runs(), rows)] for name in names], names)


@pytest.mark.parametrize(
    ("names", "caption", "labels"),
    [
        (("same1", "many"), "plays X; menace; trained against random", ("beads=4,3,2,1", "beads=8,4,2,1")),
        (("same1", "strict"), "plays X; menace", ("trained against random", "trained against perfect")),
        (("second", "strict"), "plays X; menace", ("trained against perfect, then random", "trained against perfect")),
        (("same1", "td"), "plays X; trained against random", ("menace", "zhang")),
        (
            ("td", "fast", "same1"),
            "plays X; trained against random",
            ("zhang, alpha=0.1", "zhang, alpha=0.3", "menace"),
        ),
        (("pair-X", "pair-O"), "menace; trained against menace", ("plays X", "plays O")),
        (("td", "copy"), "plays X; zhang", ("trained against random", "copy of td, then trained against random")),
        # The legend shows names if the properties do not distinguish all learners.
        (("same1", "same2"), "plays X; menace; trained against random", ("same1", "same2")),
        (("td",), "plays X; zhang; trained against random", ("td",)),
        (("many",), "plays X; menace; beads=8,4,2,1; trained against random", ("many",)),
        (("same1", "same2", "td"), "plays X; trained against random", ("same1: menace", "same2: menace", "zhang")),
    ],
)
def test_labels_have_differences_and_caption_has_common_facts(
    store: Store, names: tuple[str, ...], caption: str, labels: tuple[str, ...]
) -> None:
    assert legend(store, *names) == Legend(caption, labels)


def test_labels_are_unique(store: Store) -> None:
    names = [row.name for row in store.learners()]
    assert len(set(legend(store, *names).labels)) == len(names)


def texts(figure: Figure) -> set[str]:
    return {text.get_text() for text in figure.findobj(Text)}


def test_figures_contain_the_legend(store: Store) -> None:
    names = ["same1", "same2", "same3", "many"]
    strength = texts(strength_figure(grouped(strengths_of(store, names))))
    score = texts(trace_figure(grouped(trace_learners(store, names, "score")), "score"))
    for labels in (strength, score):
        assert {"beads=4,3,2,1 (3 machines)", "beads=8,4,2,1"} <= labels
        assert any(text.startswith("plays X; menace; trained against random") for text in labels)
        assert not any("same1" in text for text in labels)


def test_three_scores_that_differ_only_by_chance_share_a_line(store: Store) -> None:
    def colours(*names: str) -> list[str]:
        figure = trace_figure(grouped(trace_learners(store, names, "score")), "score")
        return [line.get_color() for line in figure.axes[0].lines]

    assert colours("same1", "same2", "same3", "many") == list(LINE_COLOURS[:2])
    assert colours("same2", "same3", "many") == list(LINE_COLOURS[:3])


@pytest.mark.parametrize(
    ("names", "by", "caption", "labels"),
    [
        (
            ("same1", "strict", "many"),
            ("beads",),
            "plays X; menace",
            ("beads=4,3,2,1 (2 machines)", "beads=8,4,2,1, trained against random"),
        ),
        (("same1", "same2", "td"), ("preset",), "plays X; trained against random", ("menace (2 machines)", "zhang")),
        (("td", "fast"), ("win",), "plays X; zhang; win=1.0; trained against random", ("td, fast (2 machines)",)),
        (("pair-X", "pair-O"), ("win",), "menace; win=3; trained against menace", ("plays X", "plays O")),
        (
            ("strict", "same1", "many"),
            ("against",),
            "plays X; menace",
            ("beads=4,3,2,1, trained against perfect", "trained against random (2 machines)"),
        ),
    ],
)
def test_groups_follow_by_and_legend_names_common_settings(
    store: Store, names: tuple[str, ...], by: tuple[str, ...], caption: str, labels: tuple[str, ...]
) -> None:
    assert make_group_legend(grouped(strengths_of(store, names), by), by=by) == Legend(caption, labels)


def test_grouping_by_unknown_setting_is_refused(store: Store) -> None:
    with pytest.raises(InvalidSetting, match="no machine here has the factor 'alpha'; group by plays, preset, "):
        grouped(strengths_of(store, ["same1"]), ["alpha"])
    assert len(grouped(strengths_of(store, ["same1", "td"]), ["alpha"])) == 2
