"""Score and beads of the first box, game by game: those of a learner that stopped there, with no point missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused
from ledger import boxes_of, selfplay, train
from playing import play_out
from templates import fresh_database

import menace
from menace.analysis import trajectories
from menace.analysis.groups import each
from menace.analysis.trajectories import Trace, Trajectory, traces_of
from menace.errors import OutputError
from menace.figures.kinds.game_by_game import published_curve, trace_figure
from menace.games.base import Side
from menace.games.positions import Positions
from menace.ledger.learners import fresh_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.runs import copy_learner
from menace.ledger.store import Store
from menace.people.physical import CountDifference, record_count
from menace.people.session import Session

KINDS = ("score", "first-box")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("traces") / "menace.db") as store:
        taught(store, 60)
        train(store, "x", "perfect", games=40, seed=2)
        copy_learner(store, "x", "copy")
        train(store, "copy", "random", games=30, seed=3)
        new_learner(store, "td", "X", "zhang")
        train(store, "td", "random", games=10, seed=4)
        new_learner(store, "fresh", "X")
        yield store


def taught(store: Store, games: int) -> None:
    for side in Side:
        new_learner(store, side.lower(), side)
    selfplay(store, "x", "o", games=games, seed=1)


def trace_of(store: Store, name: str, what: str) -> Trace:
    (trace,) = traces_of(store, [name], what)
    return trace


def first_beads(store: Store, name: str) -> int:
    boxes = boxes_of(store, name)
    return sum(int(move.amount) for box in boxes if box.stage == 1 for move in box.moves)


def score(store: Store, name: str) -> int:
    """Return the score of all games in the database that a learner of that side learned from."""
    side = store.learner(name).plays
    sums = store.rows("SELECT sum(x_wins), sum(draws), sum(o_wins) FROM block")[0]
    return 3 * sums[0 if side is Side.X else 2] + sums[1] - sums[2 if side is Side.X else 0]


@pytest.mark.parametrize("games", [1, 7, 57])
def test_each_point_is_what_a_learner_that_stopped_there_has(store: Store, tmp_path: Path, games: int) -> None:
    with fresh_database(tmp_path / "menace.db") as stopped:
        taught(stopped, games)
        for name in ("x", "o"):
            assert trace_of(store, name, "first-box").values[games] == first_beads(stopped, name)
            assert trace_of(store, name, "score").values[games] == score(stopped, name)


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize(("name", "games"), [("x", 100), ("o", 60), ("copy", 130)])
def test_no_game_is_missed(store: Store, what: str, name: str, games: int) -> None:
    trace = trace_of(store, name, what)
    assert trace.games == tuple(range(games + 1))
    assert trace.every == 1
    steps = {after - before for before, after in itertools.pairwise(trace.values)}
    assert steps <= {3, 1, -1}  # of beads, too: menace's are those of the score


def test_the_ends_are_what_the_database_has_now(store: Store) -> None:
    for name in ("x", "o", "copy"):
        assert trace_of(store, name, "first-box").values[-1] == first_beads(store, name)


@pytest.mark.parametrize("what", KINDS)
def test_a_copy_has_the_games_of_what_it_is_a_copy_of(store: Store, what: str) -> None:
    assert trace_of(store, "copy", what).values[:101] == trace_of(store, "x", what).values


@pytest.mark.parametrize("what", KINDS)
def test_many_games_are_thinned_out_evenly(store: Store, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trace_of(store, "x", what)
    monkeypatch.setattr(trajectories, "POINTS_MOST", 15)
    thin = trace_of(store, "x", what)
    assert thin.every == 7
    assert thin.games == (*range(0, 100, 7), 100)
    assert thin.values == tuple(whole.values[games] for games in thin.games)
    assert "every seventh" in trace_figure([[thin]], what).axes[0].get_xlabel()
    assert "every" not in trace_figure([[whole]], what).axes[0].get_xlabel()


def test_games_with_people_and_counted_beads_are_points(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        new_learner(store, "m", "X")
        play_out(Session(store, "m", seed=1))
        before = first_beads(store, "m")
        box = boxes_of(store, "m")[0]
        record_count(store, "m", [CountDifference(box, 0, int(box.moves[0].amount), 50)])
        trace = trace_of(store, "m", "first-box")
        assert trace.games == (0, 1, 1)
        assert trace.values == (12, before, first_beads(store, "m"))
        assert trace_of(store, "m", "score").values[1] == score(store, "m")


def test_a_game_that_is_taken_back_takes_its_point_and_its_score_along(store: Store, positions: Positions) -> None:
    machine = fresh_machine(positions, store.learner("fresh"))
    trajectory = Trajectory(machine, lambda _, score: score, 1)
    trajectory.mark()
    person, nobody = (store.run(1)._replace(kind=kind, x_learner_id=7, o_learner_id=None) for kind in ("play", "other"))
    for games, run, outcomes in ((1, person, (1, 0, 0)), (2, person, (0, 0, 1)), (1, nobody, (0, 0, 0))):
        machine.learned.games = games
        trajectory.add(run, outcomes)
    assert trajectory.points == [(0, 0), (1, 3)]


def test_the_beads_of_o_are_those_of_all_its_first_boxes(store: Store) -> None:
    positions = positions_of(store)
    assert trace_of(store, "o", "first-box").values[0] == 4 * sum(
        len(positions.moves_of(int(position)))
        for position in set(positions.next_position[: len(positions.moves_of(0))])
    )


@pytest.mark.parametrize("what", KINDS)
def test_lines_are_drawn_as_they_are(store: Store, what: str) -> None:
    traces = traces_of(store, ["x", "o"], what)
    axes = trace_figure(each(traces), what).axes[0]
    assert axes.get_xscale() == "linear"
    for line, trace in zip(axes.lines, traces, strict=True):
        assert np.array_equal(line.get_xdata(), trace.games)
        assert np.array_equal(line.get_ydata(), trace.values)


def test_what_has_nothing_to_draw_is_refused(store: Store) -> None:
    with pytest.raises(OutputError, match="menace train fresh"):
        traces_of(store, ["fresh"], "score")
    with pytest.raises(OutputError, match="machine td has no boxes with beads"):
        traces_of(store, ["x", "td"], "first-box")
    assert trace_of(store, "td", "score").games[-1] == 10


@pytest.mark.parametrize("what", KINDS)
def test_the_command_and_the_notebook_draw_it(trained: Run, what: str) -> None:
    first, second = ok(trained("plot", what, "menace-x", "menace-o", "a.svg")).splitlines()
    assert first.startswith("a.svg: menace-x, ")
    assert second.endswith(" after 500 games")
    ok(trained("plot", what, "menace-x", "menace-o", "b.svg", "--axis", "log"))
    assert Path("a.svg").read_bytes() != Path("b.svg").read_bytes()
    refused(trained("plot", what, "nobody", "c.svg"), "nobody")
    with menace.Database("menace.db") as db:
        db.plot(what, "d.svg", ["menace-x", "menace-o"])
        db["menace-x"].plot(what, "e.svg")
    assert Path("d.svg").read_bytes() == Path("a.svg").read_bytes()


@pytest.mark.parametrize("what", KINDS)
def test_the_printed_curve_lies_under_the_lines(store: Store, what: str) -> None:
    """Read off the figure: it ends after 219 games, of which each was worth an odd number of points."""
    curve = published_curve("1961")
    traces = traces_of(store, ["x"], what)
    dots, line = trace_figure(each(traces), what, published=curve).axes[0].lines
    assert np.array_equal(line.get_xdata(), traces[0].games)
    assert (dots.get_xdata()[0], dots.get_xdata()[-1]) == (0, 219)
    assert dots.get_ydata()[0] == {"score": 0, "first-box": traces[0].values[0]}[what]  # both boxes have 12 beads
    assert dots.get_ydata()[-1] - dots.get_ydata()[0] == 151
    assert all((game - score) % 2 == 0 for game, score in zip(curve.games, curve.score, strict=True))


def test_the_command_lays_it_under_scores_and_first_boxes_alone(trained: Run) -> None:
    ok(trained("plot", "score", "menace-x", "a.svg", "--published", "1961"))
    ok(trained("plot", "score", "menace-x", "b.svg"))
    assert Path("a.svg").read_bytes() != Path("b.svg").read_bytes()
    wrong = trained("plot", "beads", "menace-x", "c.svg", "--published", "1961")
    assert wrong.code == 2
    assert "--published is for `menace plot score|first-box`" in wrong.err
