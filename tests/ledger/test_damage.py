"""Tests that damaged or edited files cause no crash, hang or traceback, and that menace never writes to such files."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import get
from checkout import ROOT
from commands import Run, ok, refused
from database_templates import rows_of_file
from faults.damage_edits import EDITS, make_base, value_edits, write_unchecked
from faults.fuzz_damaged_files import BEADS, CELLS, COMMANDS, COUNT, SLOW
from runs import boxes_of

from menace.analysis import grades
from menace.analysis.history import box_history, recorded_games, replay_game
from menace.analysis.matchups import comparison
from menace.analysis.position import show
from menace.errors import MenaceError, StoreError
from menace.explorer.server.serving import site
from menace.games.base import NO_SIDE
from menace.games.enumeration import check_sound
from menace.games.positions import Positions
from menace.ledger.create_and_open import open_database
from menace.ledger.positions import integer_column, number_column, positions_of
from menace.ledger.runs import Training, order
from menace.ledger.store import records
from menace.ledger.store.records import LearnerRow, RunOptions, printable, read
from menace.ledger.store.sqlite import schema_tables, sql_file
from menace.people.session import Session

pytestmark = pytest.mark.slow

TOOL = ROOT / "tools" / "faults" / "fuzz_damaged_files.py"


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database that has rows in every table. Tests must not write to it."""
    path = tmp_path_factory.mktemp("damage") / "base.db"
    make_base(path)
    return path


@pytest.fixture
def damaged(base: Path, run: Run) -> Iterator[Any]:
    """Return a function that damages menace.db in the working directory by running SQL without any checks."""

    def damage(sql: str) -> Path:
        shutil.copy(base, "menace.db")
        write_unchecked(Path("menace.db"), sql)
        return Path("menace.db")

    return damage


# The trials run in child processes, so that a crash does not end the tests.


def trial(*arguments: str) -> str:
    command = [sys.executable, str(TOOL), *arguments, "--jobs", "2"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


KNOWN = r"^(all beads -80|every next position.*|every ply 10\^9|blocks of 2\^63 - 1 games|infinite values)$"


def test_known_crashes_and_hangs_end_with_one_line() -> None:
    """Each of these edits once caused a segmentation fault, a corrupt heap or a hang."""
    commands = "^(selfplay --games|train td-x|show 57|verify$|evaluate td-x)"
    counts = trial("--edits", KNOWN, "--flips", "0", "--only", commands, "--commands-per-edit", "9")
    assert counts.startswith("25 commands, ")


def test_random_damage_causes_no_faults() -> None:
    report = trial("--edits", r"[gns]s\[0\] =", "--commands-per-edit", "1", "--flips", "4", "--commands-per-flip", "2")
    assert int(report.split()[0]) > 40


GOOD = LearnerRow(
    *(1, "a", "X", "menace", 1, "menace", "{}", None, "menace", "michie", 0, 0.5, None, None, 0.0, 0.0),
    created_at="2026-01-01T00:00:00Z",
)
RECORDS = [
    record
    for record in vars(records).values()
    if isinstance(record, type)
    and hasattr(record, "_fields")
    and record.__name__ not in {"Column", "Phase", "Seat", "Imported"}
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_columns_refuse_bytes_and_infinite_numbers(record: Any) -> None:
    columns = records._columns(record)
    assert [name.split(".")[1] for name, _ in columns] == list(record._fields)
    with pytest.raises(ValueError, match=f"has 0 columns instead of {len(columns)}"):
        read(record, [()])
    for name, (fits, expected, _) in columns:
        assert not fits(b"\xff"), name
        for wrong in (float("inf"), float("-inf"), float("nan"), -1e301, "\x00" * 2_000_000):
            assert not fits(wrong) or (isinstance(wrong, str) and expected == "text"), name
        assert not fits(2**63) or expected.startswith("a number"), name


def test_text_is_made_printable_when_read() -> None:
    (row,) = read(LearnerRow, [GOOD._replace(name="a\x1b[2Jb\u202e", settings='{"a":\n1}')])
    assert row.name == "a\ufffd[2Jb\ufffd"
    assert row.settings == '{"a":\n1}'  # menace parses the JSON text but does not print it
    assert printable("naïve ✓") == "naïve ✓"


def test_numeric_columns_accept_values_in_range() -> None:
    assert integer_column([1, 5], "ply", 0, 5).tolist() == [1, 5]
    assert number_column([0.5, 1], "value", 0, 1).tolist() == [0.5, 1.0]
    assert integer_column([], "ply", 0, 5).size == number_column([], "value", 0, 1).size == 0
    for wrong in (None, "1", b"1", 1.0, -1, 6, 2**62, 2**63):
        with pytest.raises(ValueError, match="ply"):
            integer_column([1, wrong], "ply", 0, 5)
    for wrong in (None, "1", b"1", float("nan"), float("inf"), -0.1, 1.1):
        for values in ([wrong], [0.5, wrong], [wrong, 0.5]):
            with pytest.raises(ValueError, match="value"):
                number_column(values, "value", 0, 1)


@pytest.mark.parametrize("options", ["[]", "null", "{", "[" * 60_000, "7", ""])
def test_options_must_be_json_object(options: str) -> None:
    with pytest.raises(ValueError, match=r"^run\.options is .*, not a JSON object"):
        RunOptions.parse(options)


@pytest.mark.parametrize(
    "options",
    [
        {"greedy": 1}, {"greedy": False}, {"continue_when_ruined": "yes"}, {"physical": None},
        {"unknown": True}, {"phases": []},
        {"copied_from": [1]}, {"copied_from": True}, {"takes_back": "7"}, {"takes_back": 0}, {"takes_back": 2**63},
        {"person": 7}, {"person": ""}, {"person": " Anna"}, {"person": "random"},
        {"phases": 7}, {"phases": "x"}, {"phases": [7]}, {"phases": [{}]}, {"phases": [{"games": 1, "x": 0}]},
        *({"phases": [{"games": g, "x": x, "o": 0}]} for g, x in ((0, 1), (1, 2), (1e3, 1), (True, 1))),
    ],
    ids=str,
)  # fmt: skip
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"run.options has {next(iter(options))}: "):
        RunOptions.parse(json.dumps(options))


def changed(positions: Positions, name: str, index: int, value: int) -> Positions:
    array = getattr(positions, name).copy()
    array[index] = value
    return dataclasses.replace(positions, **{name: array})


@pytest.mark.parametrize(
    "column", ["ply", "to_move", "outcome", "minimax", "plies_to_end", "next_position", "multiplicity"]
)
def test_single_wrong_number_in_graph_is_detected(positions: Positions, column: str) -> None:
    """In a solved graph, all labels except the targets and multiplicities of moves can be derived from the others."""
    chance = np.random.default_rng(1)
    values = getattr(positions, column)
    for index in chance.integers(0, len(values), 20).tolist():
        for value in {int(values[index]) + 1, int(values[index]) - 1, 0, 100} - {int(values[index])}:
            wrong = changed(positions, column, index, value)
            if column in {"next_position", "multiplicity"}:
                try:
                    check_sound(wrong)
                except (ValueError, IndexError):
                    continue
                assert np.all(wrong.next_position > wrong.position_of_move)
                assert np.all(wrong.ply[wrong.next_position] > wrong.ply[wrong.position_of_move])
            else:
                with pytest.raises(ValueError, match=r"position|ply|X is not"):
                    check_sound(wrong)


def test_missing_or_duplicate_move_is_detected(positions: Positions) -> None:
    with pytest.raises(ValueError, match="move 1 repeats an action of its position"):
        check_sound(changed(positions, "action", 1, int(positions.action[0])))
    first = positions.first_move.copy()
    first[len(positions) // 2 :] = first[len(positions) // 2]
    with pytest.raises(ValueError, match="move"):
        check_sound(dataclasses.replace(positions, first_move=first))


def test_first_wrong_ply_is_reported(positions: Positions) -> None:
    for ply in (1, 4):  # after the change, this ply is greater than the previous ply by two
        first = int(np.flatnonzero(positions.ply == ply)[0])
        with pytest.raises(ValueError, match=f"position {first} has a ply that is out of order"):
            check_sound(changed(positions, "ply", first, ply + 1))


def test_graph_starting_with_o_is_refused(positions: Positions) -> None:
    theirs = np.where(positions.to_move == NO_SIDE, NO_SIDE, 1 - positions.to_move).astype(np.int8)
    with pytest.raises(ValueError, match="X is not to move in position 0"):
        check_sound(dataclasses.replace(positions, to_move=theirs))


def test_missing_view_is_recreated_but_missing_table_is_not(run: Run, damaged: Any) -> None:
    damaged("DROP VIEW boxes")
    assert "box" in ok(run("query", "SELECT * FROM boxes"))
    path = damaged("DROP VIEW boxes")
    ok(run("new", "noah", "--plays", "O"))
    assert rows_of_file(path, "SELECT count(*) FROM boxes") > [(0,)]
    damaged("ALTER TABLE learner ADD COLUMN more TEXT")
    refused(run("learners"), "its table learner is missing or has been changed")
    assert len(schema_tables()) == sql_file("schema.sql").count("CREATE TABLE ")


def test_views_are_not_recreated_if_index_lacks_rows(run: Run, damaged: Any) -> None:
    """A flipped bit may explain why a view differs, and `quick_check` does not check indexes."""
    first, second = "block_by_run", "sqlite_autoindex_game_1"
    pages = f"SELECT sum(rootpage) FROM sqlite_master WHERE name IN ('{first}', '{second}')"
    swapped = f"UPDATE sqlite_master SET rootpage = ({pages}) - rootpage WHERE name IN ('{first}', '{second}')"
    path = damaged(f"DROP VIEW boxes; {swapped}")
    before = path.read_bytes()
    refused(run("verify"))
    assert path.read_bytes() == before


def swapped(name: str, second: str) -> str:
    (sql,) = (edit.sql for edit in EDITS if edit.name == f"pages of {name} and {second} swapped")
    return sql


TRAIN = "train menace-x --against random"
UNFINISHED = "UPDATE run SET {} WHERE finished_at IS NULL"
# Each value contains the commands that must refuse the file, and a part of the commands' message.
READERS = {
    "UPDATE game SET actions = 'a,b'": (["games", "replay 1", "forget --yes"], "game.actions is 'a,b', not numbers of"),
    "UPDATE game SET explored = '0a0'": (["games", "replay 1"], "game.explored is '0a0', not a 0 or 1 for each action"),
    "UPDATE game SET actions = replace(hex(zeroblob(5000)), '0', '9')": (["games"], "game.actions is '9999"),
    "UPDATE learner SET settings = '[]'": (["learners", TRAIN, "strength menace-x"], "not a JSON object"),
    "UPDATE learner SET settings = '{\"win\": 9e999}'": (["learners"], "not a JSON object"),
    "UPDATE run SET options = '[1]'": (["runs", "games"], "run.options is '[1]', not a JSON object"),
    "UPDATE learner SET name = CAST(name AS BLOB)": (
        ["selfplay", TRAIN, "labels menace-x a.pdf"],
        "learner.name is b'",
    ),
    swapped("learner", "block"): (["selfplay", TRAIN, "labels menace-x a.pdf", "learners", "play", "verify"], ""),
}
WRITERS = {
    **{
        edit.sql: (["selfplay --games 10"], "damaged")
        for edit in EDITS
        if edit.name.startswith(("no table", "all picked")) or edit.name in {"no rows in position", "no rows in move"}
    },
    # a view that differs from menace's is not recreated in a damaged file
    "DROP VIEW boxes; UPDATE position SET ply = 9 WHERE position_id = 136": (["selfplay"], "damaged"),
    "DROP VIEW boxes; UPDATE matchbox SET beads = -1 WHERE action = 4": (["selfplay"], "damaged"),
    # training would fail halfway, because another learner has negative beads
    "UPDATE matchbox SET beads = -80 WHERE learner_id = 6 AND action = 0": (
        ["train td-x --against random", "new eva --plays O", "resume", "copy td-x a"],
        "CHECK constraint failed in matchbox",
    ),
    # a new learner must not get the id of a missing one
    "DELETE FROM learner WHERE learner_id = 7": (["new eva --plays O"], "refers to a missing row of learner"),
    UNFINISHED.format("games_played = games_wanted + 1"): (["resume"], "damaged"),
    UNFINISHED.format("games_wanted = 1000000000000000"): (["resume"], "damaged"),
    UNFINISHED.format("games_wanted = 1000000"): (["resume"], "damaged"),  # the phases of the run cover fewer games
    UNFINISHED.format("x_learner_id = o_learner_id"): (["resume"], "damaged"),
    UNFINISHED.format("kind = 'play', options = '{}'"): (["resume"], "damaged"),
    UNFINISHED.format("kind = 'magic'"): (["resume"], "damaged"),
}


@pytest.mark.parametrize(("sql", "commands", "message"), [(sql, *rest) for sql, rest in (READERS | WRITERS).items()])
def test_damaged_file_is_refused_and_unchanged(
    sql: str, commands: list[str], message: str, run: Run, damaged: Any
) -> None:
    path = damaged(sql)
    before = path.read_bytes()
    for command in commands:
        refused(run(*command.split()), message)
    assert path.read_bytes() == before


PAGES = ("", ".json", "/menace/machines", "/menace/machines.json", "/menace/machines/menace-x", "/menace/compare")
PAGES += ("/menace/play/menace-x", "/menace/boxes/menace-x", "/menace/explore/X........?learner=menace-x")


@pytest.mark.parametrize("sql", [*READERS, swapped("learner", "block")])
def test_pages_do_not_fail_on_invalid_values(sql: str, damaged: Any) -> None:
    pages = site([damaged(sql)])
    codes = {page: get(pages, page).status_code for page in PAGES}
    assert all(code < 500 for code in codes.values()), codes


# A trigger can change what menace writes, and the log does not show the change.

TRIGGERS = {
    "on a table": "CREATE TRIGGER t AFTER UPDATE ON matchbox BEGIN UPDATE learner SET games = 0; END",
    "of a name like SQLite's": "CREATE TRIGGER sqliteXt AFTER INSERT ON block BEGIN DELETE FROM game; END",
    "behind a reference": """
        CREATE TABLE note (learner_id REFERENCES learner ON DELETE CASCADE);
        INSERT INTO note SELECT learner_id FROM learner;
        CREATE TRIGGER t AFTER DELETE ON note BEGIN UPDATE matchbox SET beads = 7; END""",
}


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_file_with_trigger_is_read_only(trigger: str, run: Run, damaged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = damaged(TRIGGERS[trigger])
    before = path.read_bytes()
    Path("count.csv").write_text(COUNT)
    writers = set()
    for command, arguments in COMMANDS.items():
        if command.startswith((*SLOW, "export", "verify", "evaluate", "strength", "compare", "history", "replay")):
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO(BEADS if command.startswith("physical") else CELLS))
        result = run(*arguments)
        assert path.read_bytes() == before, command
        if "trigger" in result.err:
            writers.add(command.split()[0])
            assert result.code == 1
            assert result.err.splitlines()[-1].startswith("menace: menace.db can be read but not written: its trigger")
            assert "games" not in result.out  # menace does not start a game that it cannot record
    plays = {"selfplay", "train", "resume", "physical", "play"}
    assert writers == plays | {"new", "rename", "copy", "recount", "delete", "abandon"}
    refused(run("verify"), "it has the trigger ", "menace creates no triggers")
    for command in ("learners", "runs", "show .........", "query openings", "games"):
        ok(run(*COMMANDS.get(command, command.split())))


def test_additional_views_indexes_and_tables_are_accepted(run: Run, damaged: Any) -> None:
    damaged(
        "CREATE VIEW mine AS SELECT name FROM learner; CREATE INDEX by_beads ON matchbox (beads);"
        "CREATE TABLE note (text); INSERT INTO note VALUES ('hello')"
    )
    ok(run("train", "menace-x", "--against", "random", "--games", "60", "--seed", "3"))
    assert "hello" in ok(run("query", "SELECT * FROM note"))


def test_invalid_utf8_is_damage(run: Run, damaged: Any) -> None:
    """The error handler must accept errors raised by Python itself, which have no SQLite error code."""
    damaged("UPDATE learner SET name = CAST(x'c328' AS TEXT) WHERE learner_id = 5")
    for command in (["learners"], ["show", ".........", "--learner", "nobody"], ["compare"], ["verify"]):
        refused(run(*command), "damaged", "UTF-8")


def test_name_with_escapes_is_displayed_and_found_without_them(run: Run, damaged: Any) -> None:
    damaged("UPDATE learner SET name = 'ev' || char(27) || ']0;il' WHERE learner_id = 5")
    name = "ev\ufffd]0;il"
    assert name in ok(run("learners"))
    for command in (
        ["strength", name],
        ["show", ".........", "--learner", name],
        ["contents", name, "--csv"],
        ["compare"],
    ):
        assert "\x1b" not in ok(run(*command))
    ok(run("rename", name, "evil"))
    assert "evil" in ok(run("learners"))
    assert "\x1b" not in ok(run("query", "SELECT char(27) || '[2J' AS a", "--csv"))


def test_run_with_damaged_playing_learner_is_refused(damaged: Any) -> None:
    with open_database(damaged("DELETE FROM matchbox WHERE learner_id = 6 AND action = 0")) as store:
        runs = store.runs()
        for alone in (False, True):
            with pytest.raises(StoreError, match="rows of machine menace-o are missing"):
                order(store, Training("td-x", "menace-o", 10, alone=alone))
        assert store.runs() == runs


@pytest.mark.parametrize("beads", [-80, 2**26, 2**31, 2**32 + 3, 2**63 - 1, "'abc'", "NULL", 1.5, "x'ff'"])
def test_beads_are_checked_before_conversion_to_32_bits(beads: object, damaged: Any) -> None:
    row = "learner_id = 5 AND position_id = 0 AND action = 0"
    with open_database(damaged(f"UPDATE matchbox SET beads = {beads} WHERE {row}")) as store:
        for ask in (show, boxes_of, grades.strength_of):
            arguments = [".........", "menace-x"] if ask is show else ["menace-x"]
            with pytest.raises(StoreError, match="beads"):
                ask(store, *arguments)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("UPDATE block SET games = 9223372036854775807 WHERE block_id = 3", "CHECK constraint failed in block"),
        (
            "UPDATE block SET games = 2000000, x_wins = 2000000, draws = 0, o_wins = 0 WHERE block_id = 3",
            "block 3 has 2,000,000 games",
        ),
        ("UPDATE run SET kind = 'magic' WHERE run_id = 1", "CHECK constraint failed in run"),
        ("UPDATE block SET kind = 'human' WHERE block_id = 3", "block 3"),
        ("UPDATE block SET run_id = 99 WHERE block_id = 3", "refers to a missing row of run"),
        ("UPDATE rules SET variant = '5x5x5'", "fewer positions than tictactoe 5x5x5"),
        ("DROP TABLE change", "its table change is missing"),
        ("DROP INDEX block_by_run", "block_by_run is not the table, view or index"),
        ("UPDATE run SET options = '{\"copied_from\": [1]}' WHERE kind = 'copy'", "not the number of a row"),
        ("UPDATE position SET board = board || 'x' WHERE position_id = 9", "position 9"),
    ],
)
def test_verify_reports_damage_quickly(sql: str, message: str, run: Run, damaged: Any) -> None:
    damaged(sql)
    result = run("verify")
    refused(result, message)
    assert "menace verify" not in result.err


@pytest.mark.parametrize(
    "column", ["run.options", "learner.settings", "learner.epsilon", "game.actions", "block.games"]
)
def test_null_values_raise_menace_errors(column: str, base: Path, damaged: Any) -> None:
    for edit in [edit for edit in value_edits(base) if edit.name.startswith(f"{column}[")][::4]:
        path = damaged(edit.sql)
        for ask in (recorded_games, lambda store: comparison(store, []), lambda s: replay_game(s, 1)):
            with contextlib.suppress(MenaceError), open_database(path) as store:
                ask(store)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("games = 9223372036854775807", "block.games is 9223372036854775807"),
        ("games = 1000001, x_wins = 1000001, draws = 0, o_wins = 0", "block 3 has 1,000,001 games"),
        ("numbers_before = -1", "block.numbers_before is -1"),
        ("run_id = 99", "run 99, which is missing"),
        ("kind = 'magic'", "block.kind is 'magic', not one of"),
    ],
)
def test_log_with_invalid_block_is_not_replayed(sql: str, message: str, damaged: Any) -> None:
    path = damaged(f"UPDATE block SET {sql} WHERE block_id = 3")
    with open_database(path) as store, pytest.raises(StoreError, match=message):
        box_history(store, ".........", "menace-x")


def test_shown_position_is_checked_against_rules(run: Run, damaged: Any) -> None:
    for sql in (
        "UPDATE position SET minimax = -minimax - 1 WHERE position_id = 1",
        "UPDATE position SET outcome = 'X', to_move = NULL WHERE position_id = 1",
        "UPDATE move SET optimal = 1 - optimal WHERE position_id = 1",
        "UPDATE move SET multiplicity = 7 WHERE position_id = 1 AND optimal = 1",
        "DELETE FROM move WHERE position_id = 1 AND action = (SELECT max(action) FROM move WHERE position_id = 1)",
    ):
        damaged(sql)
        refused(run("show", "X........"), "damaged", "not match the rules of the game")


def final_boards(path: Path, outcome: str) -> list[str]:
    return [
        board for (board,) in rows_of_file(path, f"SELECT board FROM position WHERE outcome = '{outcome}' ORDER BY 1")
    ]


def swap_boards_sql(board: str, second: str) -> str:
    """Return an SQL statement that swaps the boards of two positions."""
    return (
        f"UPDATE position SET board = 'swapped' WHERE board = '{board}';"
        f"UPDATE position SET board = '{board}' WHERE board = '{second}';"
        f"UPDATE position SET board = '{second}' WHERE board = 'swapped'"
    )


@pytest.mark.parametrize(("first", "second"), [("X", "O"), ("X", "draw"), ("O", "draw")])
def test_swapped_final_boards_are_detected(first: str, second: str, run: Run, damaged: Any) -> None:
    """menace refuses to read such a board, because its outcome contradicts the stored outcome of the position."""
    chance = np.random.default_rng(1)
    for _ in range(2):
        path = damaged("")
        pair = [str(chance.choice(final_boards(path, outcome))) for outcome in (first, second)]
        path = damaged(swap_boards_sql(*pair))
        message = "has a board that does not match its outcome and moves"
        with open_database(path) as store:
            positions = positions_of(store)
            # type: ignore[attr-defined]
            wrong = [number for number, board in enumerate(positions.boards._boards) if board in pair]
            for number in wrong:
                with pytest.raises(StoreError, match=f"position {number} {message}"):
                    positions.boards[number]
            assert all(positions.boards[n] for n in range(len(positions)) if n not in wrong)
            with pytest.raises(StoreError, match=message):
                Session(store, "menace-x")
        refused(run("verify"), f"position {min(wrong)} does not match the rules of the game")
        for board in pair:
            refused(run("show", board), "damaged")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE rules SET variant = '3x3x2'",
        "UPDATE rules SET symmetry = 'none'",
        "UPDATE position SET board = 'O' || board WHERE position_id = 5",
        # this learner does not play, but because it is damaged, the game cannot be recorded
        "UPDATE matchbox SET beads = -1 WHERE learner_id = 6",
    ],
)
def test_play_is_refused_on_graph_of_another_game(sql: str, damaged: Any) -> None:
    with open_database(damaged(sql)) as store, pytest.raises(StoreError, match="damaged"):
        Session(store, "menace-x")


def test_positions_of_valid_file_match_game(base: Path, positions: Positions) -> None:
    with open_database(base) as store:
        loaded = positions_of(store)
    assert all(
        np.array_equal(getattr(loaded, f.name), getattr(positions, f.name)) for f in dataclasses.fields(positions)[3:]
    )
