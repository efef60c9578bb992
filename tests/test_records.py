"""What commands print for other programs: JSON and CSV that say what the Python API says."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import pytest
from commands import Result, Run, ok, refused
from test_play import play_out

import menace
from menace.output import json_text

EVERY = ["learners", "runs", "games"]
ON_EMPTY = ["learners", "runs", "games"]


def objects(result: Result) -> list[dict[str, Any]]:
    """Read JSON; NaN and Infinity, which Python would take, are none."""
    found = json.loads(ok(result), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert isinstance(found, list)
    return found


def cell_of(value: object) -> str:
    """What a value of JSON is in CSV."""
    return "" if value is None else json.dumps(value) if isinstance(value, dict) else str(value)


def both(run: Run, command: str) -> list[dict[str, Any]]:
    """Return what a command says as JSON; as CSV it says the same."""
    found = objects(run(*command.split(), "--json"))
    header, *lines = csv.reader(io.StringIO(ok(run(*command.split(), "--csv")), newline=""))
    for row in found:
        assert list(row) == header
    assert lines == [[cell_of(value) for value in row.values()] for row in found]
    return found


@pytest.fixture
def played(trained: Run) -> Run:
    """A trained database where a learner was renamed, two games were played with people, and a run has options."""
    with menace.Database() as db:
        db.selfplay("menace-x", "menace-o", games=20, seed=2, phases="10:1:0.5,10:0:0")
        for seed, name in enumerate(["menace-x", "menace-o"]):
            play_out(db.play(name, seed=seed), random.Random(seed))
        db["menace-o"].rename("Zoë")
        db.new("pupil", "X", "zhang", alpha=0.5)
    return trained


@pytest.mark.parametrize("command", EVERY)
def test_json_and_csv_exclude_each_other_before_anything_is_done(command: str, run: Run) -> None:
    result = run(*command.split(), "--json", "--csv")
    assert (result.code, result.out) == (2, "")
    assert "--csv and --json exclude each other" in result.err


@pytest.mark.parametrize("command", ON_EMPTY)
def test_where_there_is_nothing_there_is_an_empty_list_and_a_header(command: str, begun: Run) -> None:
    assert objects(begun(*command.split(), "--json")) == []
    (header,) = csv.reader(io.StringIO(ok(begun(*command.split(), "--csv"))))
    assert len(header) > 4


@pytest.mark.parametrize("command", EVERY)
def test_another_database_is_named_as_ever(command: str, played: Run) -> None:
    here = ok(played(*command.split(), "--json"))
    with menace.Database() as db:
        db.backup("other.db")
        db.new("late", "O")
    assert ok(played(*command.split(), "--json", "--db", "other.db")) == here
    refused(played(*command.split(), "--json", "--db", "none.db"), "none.db")


def test_learners_have_all_their_settings(played: Run) -> None:
    found = both(played, "learners")
    with menace.Database() as db:
        rows = [db[name].row for name in db]
        for row, one in zip(rows, found, strict=True):
            assert one.pop("settings") == json.loads(json.dumps(db[row.name].settings))
            assert one == {key: getattr(row, key) for key in one}
    assert [one["name"] for one in found] == ["menace-x", "Zoë", "pupil"]
    assert found[2]["preset"] == "zhang"


def test_runs_are_those_of_the_log_under_the_names_of_now(played: Run) -> None:
    found = both(played, "runs")
    with menace.Database() as db:
        for row, one in zip(db.runs, found, strict=True):
            assert one.pop("options") == json.loads(row.options)
            assert (one.pop("x_player"), one.pop("o_player").replace("Zoë", "menace-o")) == (row.x_player, row.o_player)
            assert one.pop("state") == "finished"
            assert one == {key: getattr(row, key) for key in one}
        columns, rows = db.query("runs").columns, db.query("runs").rows
    again = both(played, "runs")
    shared = [key for key in columns if key in again[0]]
    assert len(shared) == 13
    assert [[one[key] for key in shared] for one in again] == [
        [row[columns.index(key)] for key in shared] for row in reversed(rows)
    ]


def test_games_are_the_recorded_ones_of_all_or_of_one(played: Run) -> None:
    found = both(played, "games")
    with menace.Database() as db:
        assert [(one["game_id"], one["x_player"], one["o_player"], one["actions"]) for one in found] == [
            (row.game.game_id, *row.players, row.game.actions) for row in db.games
        ]
        assert [(one["run_id"], one["block_id"], one["outcome"], one["created_at"]) for one in found] == [
            (row.run.run_id, row.game.block_id, row.game.outcome, row.played_at) for row in db.games
        ]
    assert len(found) == 2
    assert both(played, "games --learner Zoë") == [one for one in found if "Zoë" in one.values()] == found[1:]


def test_json_has_nothing_that_json_cannot_say_or_a_terminal_obeys() -> None:
    nasty = 'a\x1b[31m\x9b31m\x7f"\\\n\ud800ß'
    text = json_text(["text", "nan", "list"], [(nasty, float("nan"), {"a": [float("inf"), b"\xff"]})])
    assert json.loads(text) == [{"text": nasty, "nan": None, "list": {"a": [None, "ff"]}}]
    assert "ß" in text.encode().decode()
    assert all(character.isprintable() or character == "\n" for character in text)
    assert json_text(["n"], []) == "[]"
