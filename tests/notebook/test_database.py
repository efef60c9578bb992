"""Tests of the Python API: the methods of a database, machines without a file, and reprs."""

from __future__ import annotations

import dataclasses
import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import users_program
from commands import Run, ok
from database_templates import trained_bytes

import menace
from menace.errors import (
    IllegalMove,
    InvalidBox,
    InvalidGame,
    InvalidPlayer,
    InvalidRun,
    InvalidSetting,
    MissingExtra,
    OutputError,
    QueryFailed,
    StoreError,
    UnknownLearner,
)
from menace.figures.kinds import KINDS, OPTIONS
from menace.figures.panels import notebook_svg
from menace.files.tables import Tabular
from menace.games.enumeration import enumerate_positions
from menace.games.symmetry import SymmetricGame
from menace.ledger.learners import named_machine

pytestmark = pytest.mark.slow

NAMES_MOST = 31


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[menace.Database]:
    with menace.Database(tmp_path_factory.mktemp("notebook") / "menace.db") as opened:
        opened.selfplay(games=1000, seed=1)
        yield opened


def test_public_names_are_one_short_list() -> None:
    names = menace.__all__
    assert len(names) <= NAMES_MOST
    assert sorted(set(names)) == sorted(names) == sorted(dir(menace))
    for name in names:
        assert getattr(menace, name) is not None
    everything: dict[str, object] = {}
    exec("from menace import *", everything)
    assert set(names) <= set(everything)


def test_public_names_have_examples_and_are_used_in_users_program(tmp_path: Path) -> None:
    program = Path(users_program.__file__).read_text()
    assert [name for name in menace.__all__ if f"menace.{name}" not in program] == []
    users_program.main(tmp_path)
    classes_and_functions = [name for name in menace.__all__ if callable(getattr(menace, name))]
    assert [name for name in classes_and_functions if ">>>" not in (getattr(menace, name).__doc__ or "")] == []


def test_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'menace' has no attribute 'selfpaly'"):
        menace.selfpaly  # type: ignore[attr-defined]  # noqa: B018


def test_example_in_readme_runs(db: menace.Database) -> None:
    assert list(db) == ["menace-x", "menace-o"]
    assert len(db) == 2
    assert "menace-x" in db
    assert "adam" not in db
    learner = db["menace-x"]
    assert (learner.name, learner.plays, learner.games) == ("menace-x", "X", 1000)
    assert learner.settings["beads"] == (4, 3, 2, 1)
    box = learner.box("XX.OO....")
    assert box is not None
    assert box.board == SymmetricGame(menace.get_game()).canonical("XX.OO....")
    assert learner.box(box.number or 0) == box
    assert learner.find_box("X........") is None  # O is to move
    with pytest.raises(InvalidBox, match=r"plays X and has no box for board X.*`find_box`"):
        learner.box("X........")
    assert box in learner.boxes
    assert learner.history("XX.OO....")[-1].view.box == box
    assert db.show("XX.OO....", "menace-x").box == box
    assert db.query("SELECT count(*) AS n FROM position").to_frame()["n"].tolist() == [765]
    assert list(db.runs) == [db.runs[0]]
    assert db.verify().learners == 2
    assert len(db.positions) == len(db.graph()) == 765


def test_curve_matches_database_and_current_learner(db: menace.Database) -> None:
    for name in db:
        curve = db[name].curve()
        assert list(curve.points) == [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        for who, report in db[name].strength().against.items():
            assert curve.points[1000][who] == pytest.approx(report)
        frame = curve.to_frame()
        assert frame.columns.tolist() == ["games", "opponent", "win", "draw", "loss"]
        assert len(frame) == 3 * len(curve)
        assert np.allclose(frame[["win", "draw", "loss"]].sum(axis=1), 1)


def test_learners_are_created_trained_copied_and_renamed(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db") as db:
        adam = db.new("adam", "X", beads=(8, 4, 2, 1), when_empty="resign")
        assert adam.settings["beads"] == (8, 4, 2, 1)
        assert repr(adam) == "<adam plays X: menace, 0 games>"
        adam.train("random", games=100, seed=1)
        copy = adam.copy("abel")
        assert [box.moves for box in copy.boxes] == [box.moves for box in adam.boxes]
        db.new("eva", "O", "zhang", alpha=0.25)
        adam.train("eva", games=10, seed=2, keep=True)
        assert (adam.games, db["eva"].games) == (110, 0)
        adam.rename("cain")
        assert adam.name == "cain"
        assert list(db) == ["cain", "abel", "eva"]
        assert db.evaluate("cain", "eva").outcomes == db.compare()["cain", "eva"]
        assert db.compare(["cain", "eva"]) == db.compare("cain", db["eva"])
        assert db.sample("cain", "random", 100, seed=1).games == 100
        db.backup(tmp_path / "copy.db")
        assert (tmp_path / "copy.db").exists()


def test_errors_match_command_line(db: menace.Database, tmp_path: Path) -> None:
    with pytest.raises(UnknownLearner, match="no machine is called 'adam'"):
        db["adam"]
    with pytest.raises(InvalidSetting, match=r"setting beads=4\.5 is not integers"):
        db.new("adam", "X", beads=4.5)
    with pytest.raises(InvalidSetting, match="there is no setting 'bead'"):
        db.new("adam", "X", bead=4)
    with pytest.raises(InvalidPlayer, match="'Y'"):
        db.new("adam", "Y")  # type: ignore[arg-type]
    with pytest.raises(InvalidBox, match="1 to 304"):
        db["menace-x"].box(305)
    with pytest.raises(InvalidRun, match="games=0"):
        db.selfplay(games=0)
    with pytest.raises(QueryFailed):
        db.query("DELETE FROM run")
    with pytest.raises(StoreError, match=r"contains the game tictactoe 3x3x3 \(symmetry full\), not tictactoe 3x4x3"):
        menace.Database(db.store.path, "tictactoe", "3x4x3")
    with pytest.raises(StoreError, match=r"not hexapawn 3x3 \(symmetry full\)"):
        menace.Database(db.store.path, "hexapawn")
    with pytest.raises(OutputError, match="no figure is called 'bars'"):
        db.plot("bars", tmp_path / "x.svg")
    with pytest.raises(OutputError, match="shows one machine, not 2"):
        db.plot("beads", tmp_path / "x.svg")


def test_new_database_may_be_for_another_game(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "small.db", "tictactoe", "2x2x2", "none") as db:
        assert db.positions.title == "tictactoe 2x2x2"
    with menace.Database(tmp_path / "small.db") as db:
        assert db.positions.symmetry == "none"


@pytest.mark.parametrize(("x", "o"), [("menace", "zhang"), ("q-table", "menace"), ("michie-1963", "article-code")])
def test_games_in_memory_match_run_with_same_seed(x: str, o: str, tmp_path: Path) -> None:
    machines = menace.Machine(x, "X", seed=5), menace.Machine(o, "O", seed=5)
    played = menace.play_games(*machines, games=3000, seed=7)
    with menace.Database(tmp_path / "menace.db") as db:
        db.new("x", "X", x, seed=5)
        db.new("o", "O", o, seed=5)
        run = db.selfplay("x", "o", games=3000, seed=7)
        assert (played.games, run.games_played) == (3000, 3000)
        for name, machine in zip("xo", machines, strict=True):
            kept = named_machine(db.store, name).learned
            assert np.array_equal(kept.amount, machine.learned.amount)
            assert np.array_equal(kept.count, machine.learned.count)
            assert np.array_equal(kept.state, machine.learned.state, equal_nan=True)
            assert kept.games == machine.learned.games == 3000


def test_players_that_cannot_play_each_other_are_refused() -> None:
    x, o = menace.Machine("menace", "X"), menace.Machine("menace", "O")
    with pytest.raises(InvalidPlayer, match="plays O cannot play X"):
        menace.play_games(o, x)
    with pytest.raises(InvalidPlayer, match="there is no fixed opponent 'randon'"):
        menace.play_games(x, "randon")
    small = enumerate_positions(menace.get_game("tictactoe", "2x2x2"))
    with pytest.raises(InvalidGame, match="use players for the same game"):
        menace.play_games(x, menace.Machine("menace", "O", small))
    for games in (0, 10**12 + 1):
        with pytest.raises(InvalidRun, match=f"games={games}"):
            menace.play_games(x, o, games=games)
    with pytest.raises(InvalidRun):
        menace.play_games(x, o, seed=-1)


def test_machine_has_strength_and_boxes_of_its_learner(db: menace.Database) -> None:
    machine = db["menace-x"].machine()
    assert menace.strength(machine) == db["menace-x"].strength()
    assert menace.strength(machine, "greedy") == db["menace-x"].strength("greedy")
    assert machine.box(".........") == db["menace-x"].box(".........") == machine.box_at(0)
    met = menace.evaluate(machine, "random")
    assert met.outcomes == db.evaluate("menace-x", "random").outcomes
    assert [float(share) for share in met.fractions] == pytest.approx(met.outcomes)


def test_reprs_have_few_lines(db: menace.Database) -> None:
    learner = db["menace-x"]
    shown = {
        "database": (db, "machines: menace-x, menace-o"),
        "learner": (learner, "<menace-x plays X: menace, 1,000 games>"),
        "machine": (learner.machine(), "menace plays X"),
        "box": (learner.box("........."), "box 1 for ........."),
        "strength": (learner.strength(), "against the best response"),
        "curve": (learner.curve(), "after 1,000 games"),
        "meeting": (db.evaluate("menace-x", "menace-o"), "menace-x against menace-o"),
        "answer": (db.query("SELECT position_id FROM position"), "765 rows"),
        "run": (db.runs[0], "<run 1: selfplay, menace-x (X) and menace-o (O), 1,000 games, seed 1>"),
        "position": (db.show("X...O....", "menace-x"), "menace-x has box"),
        "moment": (learner.history(".........")[1], "run 1: selfplay"),
        "positions": (db.positions, "tictactoe 3x3x3: 765 positions"),
    }
    for what, (value, excerpt) in shown.items():
        assert excerpt in repr(value), what
        assert len(repr(value).splitlines()) <= 25, what
        assert max(map(len, repr(value).splitlines())) <= 250, what


def test_tables_and_pictures_are_well_formed(db: menace.Database) -> None:
    learner = db["menace-x"]
    box = learner.box("X...O....")
    assert box is not None
    query = db.query("SELECT '<b>' AS b")
    for value in (db.show("X...O....", "menace-x"), box, learner.strength(), learner.curve(), query):
        ET.fromstring(f"<div>{value._repr_html_()}</div>")
    assert "<td>&lt;b&gt;</td>" in query._repr_html_()
    board = ET.fromstring(box._repr_svg_())
    texts = [text.text for text in board.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [str(move.beads) for move in box.moves]  # the pieces are shapes, not text
    assert ET.fromstring(learner.curve()._repr_svg_() or "").tag.endswith("svg")


@pytest.mark.parametrize(
    ("command", "table"),
    [
        ("runs", lambda db: db.runs),
        ("games", lambda db: db.games),
        ("games --run 1 --count 3", lambda db: db.games_of(1, count=3)),
        ("compare", lambda db: db.compare()),
        ("evaluate menace-x random", lambda db: db.evaluate("menace-x", "random")),
        ("history ......... --learner menace-x", lambda db: db["menace-x"].history(".........")),
        ("mistakes menace-x", lambda db: db["menace-x"].mistakes()),
    ],
)
def test_tables_match_command_output(run: Run, command: str, table: Callable[[menace.Database], Tabular]) -> None:
    Path("menace.db").write_bytes(trained_bytes(50))
    with menace.Database("menace.db") as db:
        db.play("menace-o", seed=1).move("4").resign().finish()
        shown = table(db)
        columns = shown.to_frame().columns.tolist()
        html = shown._repr_html_() or ""
    records = json.loads(ok(run(*command.split(), "--json")))
    assert shown.table().records() == records  # enumeration members and tuples equal their JSON values
    assert columns == list(records[0])
    printed = ok(run(*command.split()))
    cells = [cell for row in shown.in_words().rows[:3] for cell in row if cell is not None]
    assert [cell for cell in cells if str(cell) not in printed] == []
    assert ET.fromstring(f"<div>{html}</div>").find(".//td") is not None


def test_displayed_figure_matches_saved_figure(tmp_path: Path) -> None:
    with menace.Database(":memory:", "tictactoe", "2x2x2") as db:
        db.selfplay(games=100, seed=1)
        learner = db["menace-x"]
        figure = learner.plot("score")
        learner.plot("score", tmp_path / "score.svg")
        assert figure._repr_svg_() == figure._repr_svg_() == notebook_svg((tmp_path / "score.svg").read_bytes())
        assert figure.figure.canvas.manager is None  # pyplot figures have a manager and would be displayed twice
        assert figure.table is not None
        assert figure.table.to_frame()["games"].max() == 100
        assert db.picture()._repr_svg_().count("<svg") == 1
        assert learner.labels()._repr_pdf_().startswith(b"%PDF")
    assert list(tmp_path.iterdir()) == [tmp_path / "score.svg"]


def test_unfinished_game_shows_board_turn_and_moves(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db", "hexapawn") as db:
        db.selfplay(games=10, seed=1)
        session = db.play("menace-o", seed=1)
        assert repr(session).endswith("you are to move, with X: a1-a2 b1-b2 c1-c2")
        session.move("a1-a2")
        assert len(session.game.plies) == 2
        session.undo()
        session.game.make_person_move("b1-b2")
        assert repr(session).splitlines()[-1].startswith("menace-o is to move, with O: ")
        drawn, state = ET.fromstring(f"<div>{session._repr_html_()}</div>")
        assert (drawn.get("aria-label"), state.text) == (session.game.board, repr(session).splitlines()[-1])
        session.answer().resign().finish()
        assert repr(session).endswith("menace-o plays O; O has won, recorded as game 1")


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("outcomes", {"axis": "linear"}, "--axis linear"),
        ("strength", {"policy": "greedy", "measure": "score"}, "--policy greedy --measure score"),
        ("strength", {"apart": True}, "--apart"),
        ("strength", {"opponent": ["best_response", "random"]}, "--opponent best_response --opponent random"),
        ("strength", {"opponent": "optimal"}, "--opponent optimal"),
        ("score", {"published": "1961", "axis": "log"}, "--published 1961 --axis log"),
        ("beads", {"stage": 1}, "--stage 1"),
        ("beads", {"stage": [2, 3]}, "--stage 2 --stage 3"),
    ],
)
def test_figures_accept_every_option_of_the_command(run: Run, kind: str, options: Any, words: str) -> None:
    Path("menace.db").write_bytes(trained_bytes(50))
    ok(run("plot", kind, "menace-x", "command.svg", *words.split()))
    with menace.Database("menace.db") as db:
        db.plot(kind, "database.svg", ["menace-x"], **options)
    assert Path("database.svg").read_bytes() == Path("command.svg").read_bytes()


def test_learner_figure_matches_database_figure(db: menace.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr("menace.figures.kinds.plot", lambda *arguments: calls.append(arguments))
    db.plot("beads", "a.svg", ["menace-x"], stage=1)
    db["menace-x"].plot("beads", "a.svg", stage=1)
    assert calls[0] == calls[1]


def test_wrong_figure_options_raise_messages_of_the_command(run: Run) -> None:
    Path("menace.db").write_bytes(trained_bytes(50))
    options = {name: (*option.choices, 1)[0] for name, (option, _) in OPTIONS.items()}
    with menace.Database("menace.db") as db:
        for name, (_, kinds) in OPTIONS.items():
            for kind in set(KINDS) - set(kinds):
                with pytest.raises(OutputError) as refusal:
                    db["menace-x"].plot(kind, "a.svg", **{name: options[name]})
                words = [] if name == "apart" else [str(options[name])]
                assert str(refusal.value) in run("plot", kind, "menace-x", "a.svg", f"--{name}", *words).err
        with pytest.raises(OutputError, match="unknown measure 'loss'; choose one of losses, wins, draws, score"):
            db.plot("strength", "a.svg", measure="loss")
        with pytest.raises(TypeError, match="no figure has an option 'colour'"):
            db.plot("strength", "a.svg", colour="red")
    with menace.Database("empty.db") as db, pytest.raises(OutputError, match="there is no machine to draw"):
        db.plot("outcomes", "a.svg")
    assert list(Path().glob("*.svg")) == []


def test_missing_extras_are_named(db: menace.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="needs pandas, which is not installed"):
        db.query("SELECT 1").to_frame()
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    assert db["menace-x"].curve()._repr_svg_() is None
    for kind in KINDS:
        with pytest.raises(MissingExtra, match="needs matplotlib, which is not installed"):
            db.plot(kind, tmp_path / "figure.svg", ["menace-x"])
    with pytest.raises(MissingExtra, match="needs matplotlib, which is not installed"):
        db.picture(tmp_path / "picture.svg")


def test_training_does_not_import_figures_or_commands(tmp_path: Path) -> None:
    code = "import sys, menace; menace.Database(sys.argv[1]).selfplay(games=10); print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "menace.db")], capture_output=True, text=True, check=True
    )
    assert not {"matplotlib", "reportlab", "menace.cli"} & set(run.stdout.split())


def test_records_are_frozen() -> None:
    records = (menace.Box, menace.Move, menace.Grade, menace.Matchup, menace.StrengthCurve)
    assert all(record.__dataclass_params__.frozen for record in records)
    assert {field.name for field in dataclasses.fields(menace.Move)} >= {"action", "amount", "share", "count"}


def test_learner_can_be_passed_instead_of_its_name(db: menace.Database) -> None:
    x, o = db["menace-x"], db["menace-o"]
    assert (
        db.evaluate(x, o).outcomes
        == db.evaluate("menace-x", "menace-o").outcomes
        == db.compare(x, o)["menace-x", "menace-o"]
    )
    assert db.show("." * 9, x).box == x.box("." * 9)
    assert x == db["menace-x"] != o
    assert len({x, db["menace-x"]}) == 1
    assert db.evaluate(x.machine(), o).outcomes == db.compare(x.machine().policy(), o)["menace-x", "menace-o"]
    assert db.evaluate(x, o).outcomes == db.evaluate(x.machine().policy().probability, o).outcomes
    for wrong in (3, None, ["menace-x"]):
        with pytest.raises(InvalidPlayer, match="is not a player"):
            db.evaluate(wrong, "random")  # type: ignore[arg-type]
        with pytest.raises(InvalidPlayer, match="is not a player"):
            db.play(wrong)  # type: ignore[arg-type]


def test_numpy_integers_are_accepted_and_fractions_refused(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db") as db:
        run = db.selfplay(games=np.int64(10), seed=np.int64(1))  # type: ignore[arg-type]
        assert (run.games_played, run.seed) == (10, 1)
        for games in (10.5, 10.0, "10", None, True):
            for play in (
                lambda games: db.selfplay(games=games),
                lambda games: db.sample("menace-x", "menace-o", games),
                lambda games: menace.play_games("random", "random", games=games),
            ):
                with pytest.raises(InvalidRun, match="is not an integer"):
                    play(games)
        with pytest.raises(InvalidRun, match="seed"):
            db.selfplay(games=1, seed=1.5)  # type: ignore[arg-type]


def test_unknown_policy_is_refused(db: menace.Database) -> None:
    machine = db["menace-x"].machine()
    for ask in (
        lambda: menace.strength(machine, "greed"),  # type: ignore[arg-type]
        lambda: menace.evaluate("random", "random", "greed"),  # type: ignore[arg-type]
        lambda: db["menace-x"].curve("greed"),  # type: ignore[arg-type]
        lambda: db.compare(policy="greed"),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidSetting, match="there is no policy 'greed'; choose behaviour or greedy"):
            ask()


def test_session_alternates_turns_and_records_once(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "menace.db") as db:
        db.selfplay(games=10, seed=1)
        session = db.play("menace-x", seed=6)
        with pytest.raises(IllegalMove, match="it is the machine's turn"):
            session.game.make_person_move(0)
        session.game.make_machine_move()
        with pytest.raises(IllegalMove, match="it is the person's turn"):
            session.game.make_machine_move()
        with pytest.raises(IllegalMove, match="is not an action"):
            session.game.make_person_move(0.0)  # type: ignore[arg-type]
        while session.game.outcome is None:
            if session.game.persons_turn:
                action = session.game.rules.actions(session.game.board)[0]
                session.game.make_person_move(np.int64(action))  # type: ignore[arg-type]
            else:
                session.game.make_machine_move()
        with pytest.raises(IllegalMove, match="is over"):
            session.game.make_machine_move()
        session.finish()
        with pytest.raises(IllegalMove, match="already recorded"):
            session.finish()
        assert len(db.games) == 1
        db.verify()
