"""Tests of histories that are computed from the log: boxes, recorded games, and traces with one point per game."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from kernel_games import COVERING_PRESETS, TICTACTOE_PRESETS
from playing import play_out
from runs import boxes_of, selfplay, train

import menace
from menace.analysis import replayed_learners
from menace.analysis.bead_names import BeadNames
from menace.analysis.groups import each
from menace.analysis.history import box_history, recorded_draws, replay_game
from menace.analysis.position import PositionView, show
from menace.analysis.replayed_learners import Trace, Trajectory, trace_learners
from menace.errors import InvalidRun, OutputError, UnknownRun
from menace.figures.curves import published_curve, trace_figure
from menace.games.base import Side
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.ledger.learners import fresh_machine, new_learner
from menace.ledger.log.blocks import learners_needed_for, read_log
from menace.ledger.log.replay import ReplayStep, step_message
from menace.ledger.positions import positions_of
from menace.ledger.runs import copy_learner
from menace.ledger.store import BlockRow, Store
from menace.people.physical import CountDifference, compare_count, record_count
from menace.people.session import Session


def contents(view: PositionView) -> list[tuple[object, ...]]:
    return [(move.cells, move.amount, move.count) for move in view.moves]


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in COVERING_PRESETS if "X" in TICTACTOE_PRESETS[name].plays])
def test_history_matches_past_states(preset: str, store: Store) -> None:
    """Train the machine, let it play people and copy it in turn, and remember the box after each step."""
    new_learner(store, "pupil", "X", preset, seed=9 if preset == "zhang-random" else None)
    new_learner(store, "other", "O", "zhang")
    contents_by_time = [contents(show(store, ".........", "pupil"))]

    def look() -> None:
        now = contents(show(store, ".........", "pupil"))
        if now != contents_by_time[-1]:
            contents_by_time.append(now)

    for seed in range(4):
        train(store, "pupil", "other", games=1, seed=seed)
        look()
        play_out(Session(store, "pupil", seed=seed), random.Random(seed))
        look()
    copy_learner(store, "pupil", "twin")
    train(store, "twin", "random", games=20, seed=1)
    assert len(contents_by_time) > 3
    moments = box_history(store, ".........", "pupil")
    assert [contents(moment.view) for moment in moments] == contents_by_time
    people = {moment.what for moment in moments if moment.what.endswith("with a person")}
    assert people <= {f"game {number}, with a person" for number in range(1, 5)}
    twin = box_history(store, ".........", "twin")
    assert contents(twin[-1].view) == contents(show(store, ".........", "twin"))
    assert contents(twin[1].view) == contents_by_time[-1]


class Blocks(list[BlockRow]):
    """A list of blocks that counts how many times it is iterated over."""

    begun = 0

    def __iter__(self) -> Iterator[BlockRow]:
        self.begun += 1
        return super().__iter__()


def test_block_descriptions_take_constant_time(store: Store) -> None:
    """An earlier version took time quadratic in the number of blocks."""
    train(store, "menace-x", "random", games=200, seed=1)
    log = read_log(store)
    log = replace(log, blocks=Blocks(log.blocks))
    steps = [ReplayStep(log.runs[block.run_id], block, games_before=0, wrong=[]) for block in log.blocks]
    assert len({step_message(log, step) for step in steps}) > 7
    assert log.blocks.begun == 2  # one iteration builds the steps, and the other finds undone blocks


def test_history_uses_requested_board(store: Store) -> None:
    new_learner(store, "eva", "O")
    train(store, "eva", "random", games=50, seed=1)
    for board in ("X........", "........X"):
        last = box_history(store, board, "eva")[-1].view
        assert last.board == board
        assert contents(last) == contents(show(store, board, "eva"))


def test_replayed_game_shows_past_boxes(store: Store) -> None:
    new_learner(store, "adam", "X")
    plies_by_game, learned = {}, {}
    for seed in range(5):
        session = Session(store, "adam", seed=seed)
        finished = play_out(session, random.Random(seed))
        plies_by_game[finished.game_id] = list(session.game.plies)
        learned[finished.game_id] = finished.changes
        train(store, "adam", "random", games=30, seed=seed)
    for game_id, plies in plies_by_game.items():
        replayed = replay_game(store, game_id)
        assert [ply.action for ply in replayed.plies] == [ply.action for ply in plies]
        assert [ply.board for ply in replayed.plies] == [ply.board for ply in plies]
        boxes = [ply.saw for ply in replayed.plies]
        assert [None if box is None else contents(box) for box in boxes] == [
            None if ply.saw is None else contents(ply.saw) for ply in plies
        ]
        assert {ply.player for ply in replayed.plies} == {"adam", "human"}
        assert replayed.changes == learned[game_id] != ()


@pytest.mark.slow
def test_recorded_draws_match_games_that_reached_the_box(store: Store) -> None:
    new_learner(store, "adam", "X")
    train(store, "adam", "random", games=10, seed=1)
    session = Session(store, "adam", seed=1)
    expected: dict[int, list[tuple[int, int]]] = {}
    for seed in range(20):
        finished = play_out(session, random.Random(seed))
        for ply in session.game.plies:
            if ply.by_machine:
                action = int(session.game.arena.positions.action[ply.move])
                expected.setdefault(ply.position, []).append((finished.game_id, action))
        session.begin()
    learner_id = store.learner("adam").learner_id
    for position, games in expected.items():
        draws = recorded_draws(store, learner_id, position)
        assert [(draw.game.game_id, draw.action) for draw in draws] == games
        for draw in draws:
            assert draw.result == {"X": "won", "draw": "drew", "O": "lost"}[draw.game.outcome]
    assert recorded_draws(store, learner_id + 1, 0) == []


def test_game_that_finds_a_box_empty_does_not_change_it(store: Store) -> None:
    row = new_learner(store, "adam", "X", "menace", {"when_empty": "random"})
    with store.transaction():
        store.update_learned_rows("matchbox", row.learner_id, [(0, action, 0, 0) for action in (0, 1, 4)])
    session = Session(store, "adam", seed=1)
    play_out(session, random.Random(1))
    assert recorded_draws(store, row.learner_id, 0) == []
    later = session.game.plies[2]
    assert len(recorded_draws(store, row.learner_id, later.position)) == 1


def test_replay_needs_only_the_learner_and_its_teachers(store: Store) -> None:
    for name, side in (("a", "X"), ("b", "O"), ("c", "X"), ("d", "O")):
        new_learner(store, name, side)
    train(store, "a", "b", games=5, seed=1)
    train(store, "c", "random", games=5, seed=1)
    with store.snapshot():
        log = read_log(store)
    numbers = {row.name: row.learner_id for row in log.learners.values()}
    assert learners_needed_for(log, {numbers["a"]}) == {numbers["a"], numbers["b"]}
    assert learners_needed_for(log, {numbers["c"]}) == {numbers["c"]}
    assert learners_needed_for(log, {numbers["d"]}) == {numbers["d"]}


def test_recount_adds_a_moment_to_the_history_of_a_box(store: Store) -> None:
    new_learner(store, "adam", "X")
    names = BeadNames(SymmetricGame(menace.get_game()), menace.text.bead_colours.Naming())
    comparison = compare_count(store, "adam", "box,cell,beads\n1,4,77\n", names)
    block_id = record_count(store, "adam", comparison.different)
    moments = box_history(store, ".........", "adam")
    assert [moment.block_id for moment in moments] == [None, block_id]
    assert [move.beads for move in moments[-1].view.moves] == [4, 4, 77]


def test_history_commands_print_text(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([*"876543210876543210", *"nnnn"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    ok(trained("play", "menace-x", "--seed", "2"))
    out = ok(trained("games"))
    assert out.splitlines()[0].split() == ["game", "X", "O", "outcome", "moves", "ended", "by", "learned", "played"]
    assert "menace-x" in out
    assert (
        ok(trained("games", "--learner", "menace-o")) == "there are no recorded games yet; `menace play` starts one\n"
    )
    replayed = ok(trained("replay", "1"))
    assert "1. menace-x (X) plays" in replayed
    assert "2. human (O) plays" in replayed
    assert "beads in its box are for that move" in replayed
    printed = ok(trained("history", ".........", "--learner", "menace-x"))
    assert "as it began" in printed
    assert "run 1: selfplay, games" in printed
    assert "game 1, with a person" in printed
    refused(trained("replay", "2"), "no recorded game 2")
    refused(trained("history", "X........", "--learner", "menace-x"), "menace-x has no box for X........")
    refused(trained("games", "--learner", "nobody"), "no machine is called")


def test_history_selects_only_machine_to_move(trained: Run) -> None:
    for board, name in ((".........", "menace-x"), ("X........", "menace-o")):
        assert ok(trained("history", board)) == ok(trained("history", board, "--learner", name))
    refused(trained("history", "57"), "name the owner of the box with --learner; the machines are: menace-x, menace-o")
    refused(trained("history", "OOO......"), "OOO......", "0 X and 3 O")
    refused(trained("history", "XXXOO...."), "no machine has a box for XXXOO...., because the game is over")
    ok(trained("new", "adam", "--plays", "X"))
    refused(trained("history", "........."), "with --learner; the machines to play X are: menace-x, adam")
    ok(trained("history", "X........"))


KINDS = ("score", "first-box")


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("traces") / "menace.db") as traced:
        taught(traced, 60)
        train(traced, "x", "perfect", games=40, seed=2)
        copy_learner(traced, "x", "copy")
        train(traced, "copy", "random", games=30, seed=3)
        new_learner(traced, "td", "X", "zhang")
        train(traced, "td", "random", games=10, seed=4)
        new_learner(traced, "fresh", "X")
        yield traced


def taught(traced: Store, games: int) -> None:
    for side in Side:
        new_learner(traced, side.lower(), side)
    selfplay(traced, "x", "o", games=games, seed=1)


def trace_of(traced: Store, name: str, what: str) -> Trace:
    (trace,) = trace_learners(traced, [name], what)
    return trace


def first_beads(traced: Store, name: str) -> int:
    boxes = boxes_of(traced, name)
    return sum(int(move.amount) for box in boxes if box.stage == 1 for move in box.moves)


def score(traced: Store, name: str) -> int:
    """Return the total score of all games from which a learner for `side` learned."""
    side = traced.learner(name).plays
    sums = traced.rows("SELECT sum(x_wins), sum(draws), sum(o_wins) FROM block")[0]
    return 3 * sums[0 if side is Side.X else 2] + sums[1] - sums[2 if side is Side.X else 0]


@pytest.mark.parametrize("games", [1, 7, 57])
def test_trace_points_match_shorter_training(traced: Store, tmp_path: Path, games: int) -> None:
    with fresh_database(tmp_path / "menace.db") as stopped:
        taught(stopped, games)
        for name in ("x", "o"):
            assert trace_of(traced, name, "first-box").values[games] == first_beads(stopped, name)
            assert trace_of(traced, name, "score").values[games] == score(stopped, name)


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize(("name", "games"), [("x", 100), ("o", 60), ("copy", 130)])
def test_trace_includes_every_game(traced: Store, what: str, name: str, games: int) -> None:
    trace = trace_of(traced, name, what)
    assert trace.games == tuple(range(games + 1))
    assert trace.every == 1
    steps = {after - before for before, after in itertools.pairwise(trace.values)}
    assert steps <= {3, 1, -1}  # the bead counts change by the same amount as the score


def test_trace_ends_match_database(traced: Store) -> None:
    for name in ("x", "o", "copy"):
        assert trace_of(traced, name, "first-box").values[-1] == first_beads(traced, name)


@pytest.mark.parametrize("what", KINDS)
def test_trace_of_copy_includes_original(traced: Store, what: str) -> None:
    assert trace_of(traced, "copy", what).values[:101] == trace_of(traced, "x", what).values


@pytest.mark.parametrize("what", KINDS)
def test_long_trace_is_thinned_evenly(traced: Store, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trace_of(traced, "x", what)
    monkeypatch.setattr(replayed_learners, "MAX_POINTS", 15)
    thin = trace_of(traced, "x", what)
    assert thin.every == 7
    assert thin.games == (*range(0, 100, 7), 100)
    assert thin.values == tuple(whole.values[games] for games in thin.games)
    assert "every seventh" in trace_figure([[thin]], what).axes[0].get_xlabel()
    assert "every" not in trace_figure([[whole]], what).axes[0].get_xlabel()


def test_games_with_people_and_recounts_are_points(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as traced:
        new_learner(traced, "m", "X")
        play_out(Session(traced, "m", seed=1))
        before = first_beads(traced, "m")
        box = boxes_of(traced, "m")[0]
        record_count(traced, "m", [CountDifference(box, 0, int(box.moves[0].amount), 50)])
        trace = trace_of(traced, "m", "first-box")
        assert trace.games == (0, 1, 1)
        assert trace.values == (12, before, first_beads(traced, "m"))
        assert trace_of(traced, "m", "score").values[1] == score(traced, "m")


def test_undo_removes_point_and_score(traced: Store, positions: Positions) -> None:
    machine = fresh_machine(positions, traced.learner("fresh"))
    trajectory = Trajectory(machine, lambda _, score: score, 1)
    trajectory.mark()
    person, nobody = (
        traced.run(1)._replace(kind=kind, x_learner_id=7, o_learner_id=None) for kind in ("play", "other")
    )
    for games, run, outcomes in ((1, person, (1, 0, 0)), (2, person, (0, 0, 1)), (1, nobody, (0, 0, 0))):
        machine.learned.games = games
        trajectory.add(run, outcomes)
    assert trajectory.points == [(0, 0), (1, 3)]


def test_first_box_beads_of_o_sum_all_openings(traced: Store) -> None:
    positions = positions_of(traced)
    assert trace_of(traced, "o", "first-box").values[0] == 4 * sum(
        len(positions.moves_of(int(position)))
        for position in set(positions.next_position[: len(positions.moves_of(0))])
    )


@pytest.mark.parametrize("what", KINDS)
def test_trace_lines_are_drawn_unchanged(traced: Store, what: str) -> None:
    traces = trace_learners(traced, ["x", "o"], what)
    axes = trace_figure(each(traces), what).axes[0]
    assert axes.get_xscale() == "linear"
    for line, trace in zip(axes.lines, traces, strict=True):
        assert np.array_equal(line.get_xdata(), trace.games)
        assert np.array_equal(line.get_ydata(), trace.values)


def test_trace_without_data_is_refused(traced: Store) -> None:
    with pytest.raises(OutputError, match="menace train fresh"):
        trace_learners(traced, ["fresh"], "score")
    with pytest.raises(OutputError, match="machine td does not use beads"):
        trace_learners(traced, ["x", "td"], "first-box")
    assert trace_of(traced, "td", "score").games[-1] == 10


@pytest.mark.parametrize("what", KINDS)
def test_published_curve_is_drawn_below_lines(traced: Store, what: str) -> None:
    """Read the published curve from the figure.

    The curve ends after 219 games, and each game changed the score by an odd number.
    """
    curve = published_curve("1961")
    traces = trace_learners(traced, ["x"], what)
    dots, line = trace_figure(each(traces), what, published=curve).axes[0].lines
    assert np.array_equal(line.get_xdata(), traces[0].games)
    assert (dots.get_xdata()[0], dots.get_xdata()[-1]) == (0, 219)
    assert dots.get_ydata()[0] == {"score": 0, "first-box": traces[0].values[0]}[what]  # both boxes have 12 beads
    assert dots.get_ydata()[-1] - dots.get_ydata()[0] == 151
    assert all((game - score) % 2 == 0 for game, score in zip(curve.games, curve.score, strict=True))


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> menace.Database:
    database = menace.Database(tmp_path_factory.mktemp("games") / "games.db")
    database.new("ted", "O", "td", epsilon=0.5)
    database.new("mia", "X", "scroggs", beads=(1,))
    database.selfplay(games=300, seed=1)
    database.selfplay(x="menace-x", o="ted", games=200, seed=2, phases="100:1:1,100:0.1:0")
    database["mia"].train("random:5,perfect", games=100, seed=4)
    return database


@pytest.mark.parametrize("run_id", [1, 2, 3])
def test_replayed_games_are_legal_and_match_blocks(db: menace.Database, run_id: int) -> None:
    game, record = menace.get_game(), db.store.run(run_id)
    replayed = db.games_of(run_id, count=10_000)
    assert [played.number for played in replayed] == list(range(1, record.games_played + 1))
    blocks = [block for block in db.store.blocks() if block.run_id == run_id]
    counts = Counter(played.outcome for played in replayed)
    assert [counts[outcome] for outcome in ("X", "draw", "O")] == [
        sum(getattr(block, name) for block in blocks) for name in ("x_wins", "draws", "o_wins")
    ]
    for played in replayed:
        board = game.initial
        for move, before in zip(played.moves, played.boards, strict=False):
            assert board == before
            board = game.play(board, game.parse_action(board, move))
        assert board == played.boards[-1]
        over = game.outcome(board)
        assert played.outcome == (Side.after(len(played.moves)).other.outcome if played.resigned else over)
        assert played.resigned == (over is None)
        assert len(played.explored) == len(played.moves)
    if run_id == 2:
        assert any(any(played.explored) for played in replayed[:100])
        assert not any(any(played.explored[1::2]) for played in replayed[100:])  # the second phase
    if run_id == 3:
        assert any(played.resigned for played in replayed)


def test_replayed_game_is_independent_of_range(db: menace.Database) -> None:
    replayed = db.games_of(2, count=200)
    for number in (1, 2, 100, 101, 137, 200):
        assert db.games_of(2, first=number) == [replayed[number - 1]]
    assert db.games_of(db.store.run(2), first=199, count=50) == replayed[198:]


def test_unknown_runs_and_game_numbers_are_refused(db: menace.Database) -> None:
    for first, count in ((0, 1), (301, 1), (1, 0), (1, 10_001)):
        with pytest.raises(InvalidRun, match="run 1 has 300 games; choose games from 1 to 300"):
            db.games_of(1, first, count)
    with pytest.raises(UnknownRun):
        db.games_of(9)


def test_command_prints_games_of_run(db: menace.Database, run: Run) -> None:
    options = ("--db", str(db.store.path))
    lines = ok(run("games", "--run", "2", "--first", "137", "--count", "2", "--csv", *options)).splitlines()
    assert lines[0] == "game,outcome,moves,ended_by,explored_at"
    assert lines[1].startswith("137,")
    refused(run("games", "--run", "1", "--first", "301", *options), "run 1 has 300 games")
