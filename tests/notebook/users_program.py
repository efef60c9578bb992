"""A type-annotated program, such as a user might write, that uses every public name of menace.

mypy checks the program together with the package (setup.cfg), and tests/notebook/test_database.py runs the program.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np

import menace


def novice(board: str, moves: list[str]) -> str:
    """Take the centre if it is free; otherwise, take the first free cell."""
    return "4" if board[4] == "." else moves[0]


def receive_progress(played: int, games: int) -> None:
    """Receive reports about the progress of a run."""
    assert 0 < played <= games


def machines() -> menace.Machine:
    """Train a machine in memory, query its boxes and measure its strength."""
    positions: menace.Positions = menace.enumerate_positions(menace.get_game("tictactoe", "3x3x3"))
    machine = menace.Machine("menace", "X", positions, beads=menace.PRESETS["scroggs"].settings.beads)
    played: menace.Played = menace.play_games(machine, novice, games=100, seed=1, progress=receive_progress)
    assert sum(played.outcomes) == machine.learned.games
    chosen: str | None = machine.choose(".........", np.random.default_rng(1))
    assert chosen is None or machine.odds(".........")[chosen] > 0
    box: menace.Box = machine.box(".........")
    moves: tuple[menace.Move, ...] = box.moves
    assert sum(move.beads for move in moves) > 0
    policy: menace.Policy = menace.policy_of(novice, "O", positions)
    report: menace.Grade = menace.strength(machine)
    assert menace.grade(machine).against == report.against
    exam = menace.Exam("O", symmetric=True)
    assert exam.question() is not None
    strength: menace.Strength = report.against["random"]
    met: menace.Matchup = menace.evaluate(machine, policy)
    outcomes: menace.Outcomes = menace.compare([machine, policy])[met.x, met.o]
    assert outcomes == met.outcomes
    assert abs(sum(strength) - 1) < 1e-9
    assert len(menace.mistakes(machine, policy="greedy")) > 0
    assert menace.best_response(machine.policy()).plays == "O"
    assert len(menace.build_graph(positions)) == len(positions)
    return machine


def databases(machine: menace.Machine, file: Path) -> None:
    """Store a machine, train it, play against it and run SQL."""
    with menace.Database(file) as db:
        learner: menace.Learner = db.add("adam", machine)
        learner.train("random", games=100, seed=2)
        curve: menace.StrengthCurve = learner.curve()
        assert next(iter(curve.points)) == 100
        session: menace.Session = db.play(learner, seed=3)
        session.answer()
        while session.game.outcome is None:
            session.move(novice(session.game.board, list(map(str, session.game.rules.actions(session.game.board)))))
        session.finish()
        assert len(db.query("openings").rows) > 0
        assert menace.LabelSheet().paper == "a4"
        with contextlib.suppress(menace.MenaceError):  # adam exists already
            db.add("adam", machine)
        db.verify()


def questions(folder: Path) -> None:
    """Query a database and its learners, and merge another database into it."""
    file, other = folder / "users.db", folder / "other.db"
    with menace.Database(other) as db:
        db.new("eva", "X", preset="ucb1")
    with menace.Database(file) as db:
        merged: list[menace.Learner] = db.merge([other])
        assert [learner.name for learner in merged] == ["other-eva"]
        learner = db["adam"]
        assert learner.expect("random", games=10).machine.plays == "X"
        assert [moment.games for moment in learner.history(".........")]
        box: menace.Box | None = learner.find_box(".........")
        assert box is None or box in learner.boxes
        report: menace.Grade = learner.strength("greedy")
        met: menace.Matchup = db.evaluate(learner, "perfect")
        assert report.plays == "X"
        assert met.outcomes == db.compare([learner, "perfect"])[learner.name, "perfect"]
        assert {run.games_played for run in db.runs} >= {100}
        copied: menace.Learner = learner.copy("abel")
        copied.rename("kain")
        copied.delete()
        db.backup(folder / "backup.db")
        positions: menace.Positions = db.positions
        assert len(positions) == len(db.graph())


def studies(file: Path) -> None:
    """Train and measure many machines of several kinds."""
    study = menace.Study(file, against=novice, games=20, seeds=3)
    study.run()
    assert len(study.table().rows) > 0
    machine: menace.Machine = study.machine(seed=1)
    assert machine.learned.games == 20
    assert study.array("best_response.wins").shape[-2] == 3  # the axis of seeds
    for preset in ("td-lambda", "monte-carlo", "double-q-learning"):
        assert menace.play_games(menace.Machine(preset, "X"), "random", games=9, seed=1).outcomes


def main(folder: Path) -> None:
    """Run all parts."""
    assert menace.__version__
    databases(machines(), folder / "users.db")
    questions(folder)
    studies(folder / "users.study")


if __name__ == "__main__":
    main(Path.cwd())
