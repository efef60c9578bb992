"""Tests that the JSON and CSV output of commands matches the Python API."""

from __future__ import annotations

import copy
import csv
import io
import json
import random
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from checkout import ROOT
from commands import Result, Run, ok, refused
from database_templates import trained_bytes
from playing import play_out

import menace
from menace.files.output import json_text

pytestmark = pytest.mark.slow

DICTIONARY = ROOT / "db" / "README.md"
MEASURING = ["strength menace-x", "evaluate menace-x random", "compare"]
BOXES = ["history ......... --learner menace-x", "contents menace-x"]
EVERY = ["learners", "runs", "games", *MEASURING, *BOXES]
ON_EMPTY = ["learners", "runs", "games"]


def parse_strict_json(result: Result) -> list[dict[str, Any]]:
    """Parse JSON. Unlike Python's parser, reject NaN and Infinity."""
    rows = json.loads(ok(result), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert isinstance(rows, list)
    return rows


def csv_cell(value: object) -> str:
    """Return a JSON value as it appears in CSV."""
    return "" if value is None else json.dumps(value) if isinstance(value, dict) else str(value)


def checked_json(run: Run, command: str) -> list[dict[str, Any]]:
    """Check that the CSV and JSON outputs of a command have the same content, and return the parsed JSON."""
    rows = parse_strict_json(run(*command.split(), "--json"))
    header, *lines = csv.reader(io.StringIO(ok(run(*command.split(), "--csv")), newline=""))
    for row in rows:
        assert list(row) == header
    assert lines == [[csv_cell(value) for value in row.values()] for row in rows]
    return rows


@cache
def played_bytes() -> bytes:
    """Return a trained database that contains a renamed learner, two games against people and a run with options."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "menace.db"
        path.write_bytes(trained_bytes(500))
        with menace.Database(path) as db:
            db.selfplay("menace-x", "menace-o", games=20, seed=2, phases="10:1:0.5,10:0:0")
            for seed, name in enumerate(["menace-x", "menace-o"]):
                play_out(db.play(name, seed=seed), random.Random(seed))
            db["menace-o"].rename("Zoë")
            db.new("pupil", "X", "zhang", alpha=0.5)
        return path.read_bytes()


@pytest.fixture
def played(run: Run, tmp_path: Path) -> Run:
    (tmp_path / "menace.db").write_bytes(played_bytes())
    return run


@pytest.mark.parametrize("command", EVERY)
def test_data_dictionary_explains_every_column(command: str, trained: Run) -> None:
    with menace.Database() as db:
        play_out(db.play("menace-x", seed=1), random.Random(1))
    explained = set(re.findall(r"`(\w+)`", DICTIONARY.read_text(encoding="utf-8")))
    options = ["--fractions", "--sampled", "9"] if command.startswith("evaluate") else []
    columns = parse_strict_json(trained(*command.split(), *options, "--json"))[0]
    assert {re.sub("^(draw|o_wins)_(?=sampled|error)", "x_wins_", column) for column in columns} <= explained


@pytest.mark.parametrize("command", EVERY)
def test_help_has_example_of_json_or_csv(command: str, run: Run) -> None:
    name = command.split(maxsplit=1)[0]
    examples = ok(run(name, "--help")).split("Examples:")[1]
    assert re.search(rf"menace {name}.* --(json|csv)", examples)


@pytest.mark.parametrize("command", [*EVERY, "query openings"])
def test_json_with_csv_is_refused_before_any_change(command: str, run: Run) -> None:
    result = run(*command.split(), "--json", "--csv")
    assert (result.code, result.out) == (2, "")
    assert "--csv and --json cannot be used together; give one of them" in result.err


@pytest.mark.parametrize("command", ON_EMPTY)
def test_empty_result_prints_empty_list_and_header(command: str, begun: Run) -> None:
    assert parse_strict_json(begun(*command.split(), "--json")) == []
    (header,) = csv.reader(io.StringIO(ok(begun(*command.split(), "--csv"))))
    assert len(header) > 4


@pytest.mark.parametrize("command", EVERY)
def test_db_option_selects_another_database(command: str, played: Run) -> None:
    here = ok(played(*command.split(), "--json"))
    with menace.Database() as db:
        db.backup("other.db")
        db.new("late", "O")
    assert ok(played(*command.split(), "--json", "--db", "other.db")) == here
    refused(played(*command.split(), "--json", "--db", "none.db"), "none.db")


def test_learner_records_have_all_settings(played: Run) -> None:
    records = checked_json(played, "learners")
    with menace.Database() as db:
        rows = [db.store.learner(name) for name in db]
        for row, record in zip(rows, records, strict=True):
            assert record.pop("settings") == json.loads(json.dumps(dict(db[row.name].settings)))
            assert record == {key: getattr(row, key) for key in record}
    assert [record["name"] for record in records] == ["menace-x", "Zoë", "pupil"]
    assert records[2]["preset"] == "zhang"


def test_run_records_match_log_with_current_names(played: Run) -> None:
    records = checked_json(played, "runs")
    with menace.Database() as db:
        for row, record in zip(db.runs, records, strict=True):
            assert record.pop("options") == row.options.to_dict()
            assert (record.pop("x_player"), record.pop("o_player").replace("Zoë", "menace-o")) == (
                row.x_player,
                row.o_player,
            )
            assert record.pop("state") == "finished"
            assert record == {key: getattr(row, key) for key in record}
        columns, rows = db.query("runs").columns, db.query("runs").rows
    again = checked_json(played, "runs")
    shared = [key for key in columns if key in again[0]]
    assert len(shared) == 13
    assert [[record[key] for key in shared] for record in again] == [
        [row[columns.index(key)] for key in shared] for row in reversed(rows)
    ]


def test_game_records_can_be_limited_to_one_learner(played: Run) -> None:
    records = checked_json(played, "games")
    with menace.Database() as db:
        assert [
            (record["game_id"], record["x_player"], record["o_player"], record["actions"]) for record in records
        ] == [(row.game_id, *row.players, ",".join(map(str, row.recorded.actions))) for row in db.games]
        assert [
            (record["run_id"], record["block_id"], record["outcome"], record["created_at"]) for record in records
        ] == [(row.run.run_id, row.block_id, row.recorded.outcome, row.played_at) for row in db.games]
    assert len(records) == 2
    assert (
        checked_json(played, "games --learner Zoë")
        == [record for record in records if "Zoë" in record.values()]
        == records[1:]
    )


def test_strength_records_match_reports_of_both_policies(played: Run) -> None:
    records = checked_json(played, "strength Zoë")
    with menace.Database() as db:
        reports = [db["Zoë"].strength(kind) for kind in ("behaviour", "greedy")]
    expected = [(report, opponent) for report in reports for opponent in report.against]
    assert len(records) == len(expected) == 6
    for record, (report, opponent) in zip(records, expected, strict=True):
        assert (record["name"], record["plays"], record["policy"], record["opponent"]) == (
            "Zoë",
            "O",
            report.policy,
            opponent,
        )
        assert (record["win"], record["draw"], record["loss"]) == report.against[opponent]
        assert record["exploitability"] == report.exploitability
        assert record["line"] == ",".join(map(str, report.actions))
        assert record["line_probability"] == report.line.probability
        assert record["line_ended_by"] == "board"


def test_resignation_in_a_line_is_recorded_and_no_line_is_null() -> None:
    surest = menace.strength(menace.Machine("michie-1961", "X", beads=(1, 1, 1, 1), loss=-1))
    given_up, unbeaten = copy.copy(surest), copy.copy(surest)
    vars(given_up)["line"] = surest.line._replace(resigns=True)  # a cached property
    vars(unbeaten).update(line=None, actions=())
    columns, rows = given_up.table().columns, [*given_up.table().rows, *unbeaten.table().rows]
    ends = [row[columns.index("line_ended_by")] for row in rows]
    assert ends == ["resignation"] * 3 + [None] * 3
    lines = [row[columns.index("line")] for row in rows]
    assert None not in lines[:3]
    assert set(lines[3:]) == {None}


@pytest.mark.parametrize("kind", ["behaviour", "greedy"])
def test_compare_has_one_row_for_each_pair(kind: str, played: Run) -> None:
    greedy = " --greedy" if kind == "greedy" else ""
    for names in [[], ["menace-x", "pupil", "Zoë", "random"]]:
        records = checked_json(played, f"compare {' '.join(names)}{greedy}")
        with menace.Database() as db:
            expected = db.compare(*names, policy=kind)
        assert {
            (record["x"], record["o"]): (record["x_wins"], record["draw"], record["o_wins"]) for record in records
        } == expected
        assert {record["policy"] for record in records} == {kind}
        assert len(records) == len(expected) == (6 if names else 2)


def test_evaluate_matches_compare(played: Run) -> None:
    (record,) = checked_json(played, "evaluate menace-x Zoë --greedy")
    assert [record] == [
        compared for compared in checked_json(played, "compare --greedy") if compared["x"] == "menace-x"
    ]


def test_fractions_are_exact_texts(played: Run) -> None:
    (record,) = checked_json(played, "evaluate random random --fractions")
    fractions = [record[f"{outcome}_fraction"] for outcome in ("x_wins", "draw", "o_wins")]
    assert fractions == ["737/1260", "8/63", "121/420"]
    (record,) = checked_json(played, "evaluate menace-x Zoë --fractions")
    with menace.Database() as db:
        exact = db.evaluate("menace-x", "Zoë").fractions
    for outcome, fraction in exact._asdict().items():
        assert Fraction(record[f"{outcome}_fraction"]) == fraction
        assert record[outcome] == pytest.approx(float(fraction), abs=1e-12)


def test_sample_is_listed_with_exact_probabilities(played: Run) -> None:
    (record,) = checked_json(played, "evaluate menace-x Zoë --sampled 300 --seed 5")
    with menace.Database() as db:
        expected = db.sample("menace-x", "Zoë", 300, seed=5)
    assert (record["games"], record["seed"]) == (300, 5)
    outcomes = ("x_wins", "draw", "o_wins")
    assert tuple(record[f"{outcome}_sampled"] for outcome in outcomes) == expected.shares
    assert tuple(record[f"{outcome}_error"] for outcome in outcomes) == expected.errors
    (record,) = parse_strict_json(played("evaluate", "random", "random", "--sampled", "9", "--fractions", "--json"))
    assert record["x_wins_fraction"] == "737/1260"
    assert 0 <= record["seed"] < 2**63  # the output also reports the seed if the operating system chose it


@pytest.mark.parametrize(("board", "name"), [(".........", "menace-x"), ("........X", "Zoë"), ("2", "menace-x")])
def test_history_has_box_after_every_block_that_changed_it(board: str, name: str, played: Run) -> None:
    records = checked_json(played, f"history {board} --learner {name}")
    with menace.Database() as db:
        moments = db[name].history(board)
        box = db[name].box(board)
        blocks = {row[0]: row[1] for row in db.query("SELECT block_id, created_at FROM block").rows}
        games = db[name].games
    expected = [(moment, move) for moment in moments for move in moment.view.box.moves]
    assert len(records) == len(expected) > 2 * len(box.moves)
    for record, (moment, move) in zip(records, expected, strict=True):
        assert (record["block_id"], record["what"], record["games"]) == (moment.block_id, moment.what, moment.games)
        assert record["block_id"] is None or record["block_id"] in blocks
        assert (record["board"], record["action"], record["multiplicity"]) == (
            box.board,
            move.action,
            move.multiplicity,
        )
        assert (record["amount"], record["unit"]) == (move.amount, "beads")
        assert type(record["amount"]) is int
        assert (record["share"], record["picked"]) == (move.share, move.count)
    assert [record["amount"] for record in records[-len(box.moves) :]] == [move.amount for move in box.moves]
    assert [record["games"] for record in records] == sorted(record["games"] for record in records)
    assert (records[0]["block_id"], records[0]["games"]) == (None, 0)
    assert records[-1]["games"] <= games


def test_history_counts_games_as_the_log_does(played: Run) -> None:
    """Every game opens the first box, so every block changes that box."""
    with menace.Database() as db:
        sql = """
            SELECT block_id, sum(block.games) OVER (ORDER BY block_id) FROM block JOIN run USING (run_id)
            WHERE block.games AND x_learner_id = (SELECT learner_id FROM learner WHERE name = 'menace-x') AND x_learns
        """
        counted = dict(db.query(sql).rows)
    records = parse_strict_json(played("history", ".........", "--learner", "menace-x", "--json"))
    assert {record["block_id"]: record["games"] for record in records[3:]} == counted


def test_parquet_has_settings_and_strength_as_columns(played: Run) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")  # installed by the extra `study`
    with menace.Database() as db:
        db.new("values", "O", "td", alpha=0.25)
        last = db.query("SELECT learner, policy, opponent, win, draw, loss FROM learning_curve ORDER BY block_id").rows
    assert ok(played("learners", "--parquet", "learners.parquet")) == "learners.parquet: 24 rows\n"
    frame = pandas.read_parquet("learners.parquet")
    assert frame.groupby("name").size().to_dict() == dict.fromkeys(("menace-x", "Zoë", "pupil", "values"), 6)
    assert dict(frame.groupby("name").alpha.first().dropna()) == {"pupil": 0.5, "values": 0.25}
    assert dict(frame.groupby("name").beads.first().dropna()) == dict.fromkeys(("menace-x", "Zoë"), "4,3,2,1")
    measured = {tuple(row[:3]): pytest.approx(row[3:]) for row in last}  # the last row of each learner
    columns = ["name", "policy", "opponent", "wins", "draws", "losses"]
    for name, policy, opponent, *shares in frame[columns].itertuples(index=False):
        assert sum(shares) == pytest.approx(1)
        assert name in {"pupil", "values"} or tuple(shares) == measured[name, policy, opponent]
    assert played("learners", "--parquet", "a.parquet", "--csv").code == 2


def test_contents_prints_all_boxes_as_json(played: Run) -> None:
    records = parse_strict_json(
        played("contents", "menace-x", "--json", "--colours", "michie", "--numbering", "michie")
    )
    with menace.Database() as db:
        boxes = db["menace-x"].boxes
        columns = "board, stage, action, multiplicity, amount, unit, share, picked, verdict"
        table = db.query(f"SELECT {columns} FROM choices WHERE learner = 'menace-x' ORDER BY position_id, action")
    assert [[record[column] for column in table.columns] for record in records] == [list(row) for row in table.rows]
    assert [(record["board"], record["action"]) for record in records] == [
        (b.board, m.action) for b in boxes for m in b.moves
    ]
    sheet = csv.DictReader(io.StringIO(ok(played("contents", "menace-x", "--csv", "--colours", "michie"))))
    assert [(str(record["box"]), record["colour"], str(record["amount"])) for record in records] == [
        (line["box"], line["colour"], line["beads"]) for line in sheet
    ]
    assert records[0]["move"] == "1"  # Michie numbered this corner 1
    assert {record["unit"] for record in records} == {"beads"}


@pytest.mark.parametrize("preset", ["zhang", "q-learning", "michie-1963", "article-code"])
def test_contents_and_history_cover_values_and_odds(preset: str, begun: Run) -> None:
    with menace.Database() as db:
        db.new("pupil", "X", preset)
        db["pupil"].train("random", games=30, seed=1)
        boxes, moments = db["pupil"].boxes, db["pupil"].history(".........")
    records = parse_strict_json(begun("contents", "pupil", "--json"))
    expected = [(box, move) for box in boxes for move in box.moves]
    assert len(records) == len(expected) > 100
    for record, (box, move) in zip(records, expected, strict=True):
        assert record["box"] == box.number
        assert (record["box"] is None) == (record["colour"] is None) == (box.unit != "beads")
        assert (record["board"], record["action"], record["amount"]) == (box.board, move.action, move.amount)
        assert (record["unit"], record["share"], record["picked"]) == (box.unit, move.share, move.count)
    amounts = [
        (record["amount"], record["picked"]) for record in checked_json(begun, "history ......... --learner pupil")
    ]
    assert amounts == [(move.amount, move.count) for moment in moments for move in moment.view.box.moves]
    assert len(set(amounts)) > 3
    if preset != "article-code":
        refused(begun("contents", "pupil", "--csv"), "pupil has no matchboxes")


def test_empty_box_has_no_shares(begun: Run) -> None:
    settings = ["beads=1", "win=0", "draw=0", "loss=-1", "when_empty=random"]
    ok(begun("new", "bare", "--plays", "X", *(word for pair in settings for word in ("--set", pair))))
    full = checked_json(begun, "history .........")
    assert [(record["block_id"], record["what"], record["share"]) for record in full] == [
        (None, "as it began", 1 / 3)
    ] * 3
    ok(begun("train", "bare", "--against", "perfect", "--games", "200", "--seed", "1"))
    assert [(record["amount"], record["share"]) for record in checked_json(begun, "history .........")[-3:]] == [
        (0, None)
    ] * 3
    records = parse_strict_json(begun("contents", "bare", "--json"))
    assert [(record["amount"], record["share"]) for record in records if record["board"] == "........."] == [
        (0, None)
    ] * 3


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_invalid_commands_are_refused_in_every_format(form: str, begun: Run) -> None:
    for command in ("strength nobody", "evaluate nobody random", "games --learner nobody", "contents nobody"):
        refused(begun(*command.split(), form), "nobody")
    refused(begun("history", ".........", form), "none yet")
    refused(begun("compare", form), "no player plays X; add")


def test_json_has_no_nan_and_no_control_characters() -> None:
    nasty = 'a\x1b[31m\x9b31m\x7f"\\\n\ud800ß'
    text = json_text(["text", "nan", "list"], [(nasty, float("nan"), {"a": [float("inf"), b"\xff"]})])
    assert json.loads(text) == [{"text": nasty, "nan": None, "list": {"a": [None, "ff"]}}]
    assert "ß" in text.encode().decode()
    assert all(character.isprintable() or character == "\n" for character in text)
    assert json_text(["n"], []) == "[]"
