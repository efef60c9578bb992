"""Files of older versions: upgraded to the bit, or left as they were."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ok, refused
from ledger import resume, train
from playing import play_out

from menace.analysis.history_from_log import replay_game
from menace.errors import DatabaseBusy, RevisionMismatch, SchemaMismatch, StoreError
from menace.learners.algorithms.odds import OddsSettings
from menace.learners.registry import PRESETS
from menace.learners.settings import from_json, to_json
from menace.ledger import upgrade as upgrading
from menace.ledger.database_file import open_database
from menace.ledger.learners import settings_of
from menace.ledger.store import SCHEMA_VERSION, Store, locks, migrations
from menace.ledger.store.sql import run_script, shipped_views, sql_file
from menace.ledger.stored_rules import rules_of
from menace.ledger.verification import verify
from menace.people.session import Session

FILES = Path(__file__).parent / "files"
OLDER = range(1, SCHEMA_VERSION)  # every schema that is brought up to date has its file here
EVERY = pytest.mark.parametrize("version", OLDER)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """By schema."""
    folder = tmp_path_factory.mktemp("old")
    for version in OLDER:
        with contextlib.closing(sqlite3.connect(folder / f"{version}.db")) as connection:
            connection.executescript((FILES / f"schema-{version}.sql").read_text())
    return {version: folder / f"{version}.db" for version in OLDER}


@pytest.fixture
def template(templates: dict[int, Path]) -> Path:
    return templates[1]


@pytest.fixture
def old(template: Path, tmp_path: Path) -> Path:
    """Return a file of schema 1."""
    return Path(shutil.copy(template, tmp_path / "menace.db"))


@pytest.fixture
def older(templates: dict[int, Path], tmp_path: Path, version: int) -> Path:
    """Return a file of schema `version`."""
    return Path(shutil.copy(templates[version], tmp_path / "menace.db"))


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return connection.execute(sql).fetchall()


def schema_of(file: Path) -> int:
    ((version,),) = rows(file, "PRAGMA user_version")
    return int(version)


# What is kept from any version to the next, and how it was and is asked for; what algorithms, presets and settings of
# learners become is asked below.
KEPT = {
    "SELECT * FROM rules": None,
    "SELECT * FROM position ORDER BY 1": None,
    "SELECT * FROM move ORDER BY 1, 2": None,
    "SELECT learner_id, name, plays, seed, games, epsilon, outcome_mean, created_at FROM learner ORDER BY 1": None,
    "SELECT * FROM state_value ORDER BY 1, 2": None,
    "SELECT run_id, kind, x_player, o_player, x_learner_id, o_learner_id, x_learns, o_learns, games_wanted,"
    " games_played, seed, version, started_at, finished_at FROM run ORDER BY 1": None,
    "SELECT block_id, run_id, games, x_wins, draws, o_wins, numbers_before, numbers, created_at FROM block"
    " ORDER BY 1": None,
    "SELECT * FROM game ORDER BY 1": None,
    "SELECT * FROM evaluation ORDER BY 1, 2, 3, 4": None,
    "SELECT * FROM sqlite_sequence WHERE name = 'block'": None,
}
ACTION_VALUES = "SELECT learner_id, position_id, action, value, updates FROM action_value ORDER BY 1, 2, 3"
KEPT_FROM = {
    1: {
        "SELECT learner_id, position_id, action, beads, drawn FROM matchbox ORDER BY 1, 2, 3": (
            "SELECT learner_id, position_id, action, beads, picked FROM matchbox ORDER BY 1, 2, 3"
        ),
        ACTION_VALUES: None,
        "SELECT * FROM adjustment ORDER BY 1, 2, 3, 4": None,
    },
    2: {
        "SELECT * FROM matchbox ORDER BY 1, 2, 3": None,
        "SELECT revision FROM learner ORDER BY learner_id": None,
        "SELECT block_id, kind FROM block ORDER BY 1": None,
        "SELECT * FROM change ORDER BY 1, 2, 3": None,
        "SELECT options FROM run ORDER BY run_id": None,
    },
}
KEPT_FROM[1] |= {"SELECT options FROM run ORDER BY run_id": None}
KEPT_FROM[3] = KEPT_FROM[2] | {
    "SELECT block_id, kind FROM block ORDER BY 1": (
        "SELECT block_id, iif(kind = 'ruin', 'empty', kind) FROM block ORDER BY 1"
    ),
    "SELECT options FROM run ORDER BY run_id": (
        "SELECT replace(options, 'continue_when_ruined', 'go_on') FROM run ORDER BY run_id"
    ),
    "SELECT algorithm, preset, settings FROM learner ORDER BY learner_id": None,
}
KEPT_FROM[4] = dict.fromkeys(
    f"SELECT * FROM {table}" for table in ("run", "block", "learner", "matchbox", "change", "adjustment")
)
KEPT_FROM[4] |= {ACTION_VALUES: None}
KEPT_FROM[5] = KEPT_FROM[4] | {"SELECT * FROM policy": None}
KEPT_FROM[6] = KEPT_FROM[5] | {
    "SELECT block_id, learner_id, position_id, action, amount, typeof(amount), updates FROM imported": None
}


@EVERY
def test_everything_is_kept_to_the_bit_and_verified(
    older: Path, version: int, caplog: pytest.LogCaptureFixture
) -> None:
    kept = KEPT | KEPT_FROM[version]
    before = {sql: rows(older, sql) for sql in kept}
    assert all(before.values())
    with open_database(older) as store:
        assert verify(store).learners == len(before[next(sql for sql in kept if "FROM learner" in sql)])
        assert store.damage() == []
    copy = older.with_name(f"menace-schema-{version}.db")
    message = f"{older} was updated to schema {SCHEMA_VERSION}; a copy of the old file is {copy}"
    assert caplog.messages == [message]
    assert {sql: rows(older, now or sql) for sql, now in kept.items()} == before
    # Labels are printed already, and were so by menace's colours and numbers unless options said otherwise.
    assert rows(older, "SELECT DISTINCT colours, numbering FROM learner") == [("menace", "menace")]


def test_blocks_of_schema_1_have_their_kinds(old: Path) -> None:
    open_database(old).close()
    kinds = "SELECT run.kind, block.kind FROM block JOIN run USING (run_id) GROUP BY 1, 2 ORDER BY 1"
    assert rows(old, kinds) == [
        ("copy", "copy"), ("play", "human"), ("recount", "recount"), ("selfplay", "games"), ("train", "games"),
    ]  # fmt: skip


def test_ruin_and_the_option_to_continue_have_their_names_since_schema_4(
    templates: dict[int, Path], tmp_path: Path
) -> None:
    file = Path(shutil.copy(templates[3], tmp_path / "menace.db"))
    ended, continued = "SELECT run_id FROM block WHERE kind = '{}'", "SELECT run_id FROM run WHERE options LIKE '%{}%'"
    before = rows(file, ended.format("empty")), rows(file, continued.format("go_on"))
    assert all(before)
    open_database(file).close()
    assert (rows(file, ended.format("ruin")), rows(file, continued.format("continue_when_ruined"))) == before


@EVERY
def test_moves_have_names_since_schema_6(older: Path) -> None:
    with open_database(older) as store:
        assert store.move_names() == [
            (side, action, first, str(action)) for side, action, first, _ in store.move_names()
        ]
        first = "SELECT to_move, action, min(position_id) FROM move JOIN position USING (position_id) GROUP BY 1, 2"
        assert [row[:3] for row in store.move_names()] == store.rows(first)


def test_the_copy_beside_it_is_the_file_as_it_was(old: Path, template: Path, tmp_path: Path) -> None:
    old.chmod(0o600)
    open_database(old).close()
    copy = tmp_path / "menace-schema-1.db"
    assert sorted(tmp_path.iterdir()) == [copy, old]
    with contextlib.closing(sqlite3.connect(copy)) as copied, contextlib.closing(sqlite3.connect(template)) as right:
        assert list(copied.iterdump()) == list(right.iterdump())
    assert schema_of(copy) == 1
    # The copy can be opened too; its own copy takes another name.
    shutil.copy(copy, old)
    open_database(old).close()
    assert (tmp_path / "menace-schema-1-2.db").exists()


def test_what_games_with_people_changed_is_written_down(old: Path) -> None:
    with open_database(old) as store:
        games = store.games()
        assert len(games) > 5
        game_ids = {row.game_id for row in store.changes()}
        for row in games:
            replayed = replay_game(store, row.game_id)
            assert bool(replayed.changes) == (row.game_id in game_ids)
        _, (count,) = store.query("SELECT count(*) FROM game_changes", 10.0)
        assert count[0] == len(store.changes()) > 10


# What menace of each schema made of its boxes when it went on with the interrupted run of its file: games, and boxes.
RESUMED = {
    1: (500, "7f5075136558f7008df145d919d96e0399d7fb05fe6e948cdfa14dfea1243f7c"),
    2: (300, "4df09e9d5477736b5789ce7ed199429fb39dbdae48f624186183fc7b1c900183"),
    3: (300, "35079f3622e3e6756ea00267e3968403b3e27aa455b17cbd2ca5c9c465d1c7c3"),
    4: (300, "07122a45ade5c0fa4dedc6008ca64de1ded710b4fbcb4fd324db61f03c0b2af0"),
    5: (300, "07122a45ade5c0fa4dedc6008ca64de1ded710b4fbcb4fd324db61f03c0b2af0"),
    6: (300, "b9afaf617fe657a66cecae49cba1091fab549682829af418ab3f1dcdfaff0589"),
}


@EVERY
def test_an_interrupted_run_goes_on_to_the_bits_that_it_would_have_reached(older: Path, version: int) -> None:
    with open_database(older) as store:
        run = resume(store)
        assert (run.games_played, run.seed) == (RESUMED[version][0], 12)
        verify(store)
    matchboxes = rows(older, "SELECT learner_id, position_id, action, beads, picked FROM matchbox ORDER BY 1, 2, 3")
    assert hashlib.sha256(repr(matchboxes).encode()).hexdigest() == RESUMED[version][1]


OF_FAVOURITES = {"rewards", "epsilon", "epsilon_decay", "epsilon_least"}


def renewed_odds(settings: str) -> str:
    """Settings of a learner of odds, which counted a forced move and had no B; a sliding origin's are left alone."""
    values = json.loads(settings)
    if values["origin"] == "sliding":
        return settings
    since = {"steepness": 2.0, "counts_forced": True, "set_size": 1}
    return json.dumps({name: (values | since)[name] for name in ORDER_OF_ODDS})


ORDER_OF_ODDS = ("growth", "steepness", "last", "counts_forced", "origin", "memory", "set_size")


def renewed(algorithm: str, preset: str, settings: str) -> tuple[str, str, str]:
    """What a learner made before schema 3 is since: algorithm, preset, settings."""
    if algorithm == "odds":
        return algorithm, preset, renewed_odds(settings)
    if algorithm != "menace":
        return algorithm, preset, settings
    values = json.loads(settings)
    takes = values.pop("pick") == "favourite"
    gone, since = ({"when_empty"}, {}) if takes else (OF_FAVOURITES, {"credit": "all"})
    settings = json.dumps({name: value for name, value in values.items() if name not in gone} | since)
    if takes:
        return "favourite", "article-code", settings
    return "menace", "menace" if preset == "article-code" else preset, settings


@pytest.mark.parametrize("version", [1, 2])
def test_who_takes_the_favourite_is_of_that_algorithm_and_goes_on_to_learn(older: Path, version: int) -> None:
    sql = "SELECT algorithm, preset, settings FROM learner ORDER BY learner_id"
    wanted = [renewed(*row) for row in rows(older, sql)]
    assert {algorithm for algorithm, _, _ in wanted} >= {"menace", "favourite", "td"}
    with open_database(older) as store:
        assert rows(older, sql) == wanted
        for row in store.learners():
            # As a new learner of these settings would be written, so that plots know them to be alike.
            assert to_json(settings_of(row)) == row.settings
            assert PRESETS[row.preset].algorithm == row.algorithm
        taker = next(row for row in store.learners() if row.algorithm == "favourite")
        run = train(store, taker.name, "random", games=30, seed=version)
        assert run.games_played == 30
        play_out(Session(store, taker.name, seed=1))
        verify(store)
        learner = next(row for row in store.learners() if row.name == taker.name)
        assert learner.games == taker.games + 31


SHARES = (0.0, 1.0, 0.1, 1 / 3, 0.1 + 0.2, 1e-05, 5e-324, 0)


def settings_before(chance: random.Random) -> str:
    """Settings of a learner `menace` as schema 2 had them, out of the whole of their ranges."""
    values: dict[str, Any] = {
        "boxes": chance.choice(["choices", "all", "michie"]),
        "beads": [chance.randint(1, 10_000) for _ in range(chance.randint(1, 5))],
        "merged": chance.random() < 0.5,
        "win": chance.randint(0, 10_000),
        "draw": chance.randint(-10_000, 10_000),
        "loss": chance.randint(-10_000, 0),
        "floor": chance.randint(0, 10_000),
        "when_empty": chance.choice(["resign", "restock", "random"]),
        "pick": chance.choice(["bead", "favourite"]),
        "rewards": chance.choice(["outcome", "length"]),
    }
    return json.dumps(values | {name: chance.choice(SHARES) for name in sorted(OF_FAVOURITES - {"rewards"})})


ENDS = [("", "fixed"), ("-sliding", "sliding")]


def odds_before(chance: random.Random, origin: str) -> str:
    """Settings of a learner of odds as schema 2 had them, out of the whole of their ranges."""
    growth, last = chance.choice([1.025, chance.uniform(1, 2)]), chance.choice([2.0**40, chance.uniform(1, 2**40)])
    return json.dumps({"growth": growth, "last": last, "origin": origin, "memory": chance.choice(SHARES)})


def test_a_learner_whose_mean_was_another_is_refused_by_name(old: Path) -> None:
    sliding = '{"growth": 1.025, "last": 1099511627776.0, "origin": "sliding", "memory": 0.98}'
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE learner SET settings = ?, outcome_mean = 0.5 WHERE algorithm = 'odds'", (sliding,))
        connection.commit()
    with open_database(old) as store:
        assert store.damage() == []
        with pytest.raises(
            RevisionMismatch, match=r"machine michie-1963 learns by revision 1 of odds.* has revision 2"
        ):
            verify(store)


def test_the_step_to_schema_3_knows_all_settings_that_there_could_be() -> None:
    chance = random.Random(3)
    presets = [*PRESETS]
    before = [("menace", chance.choice(presets), settings_before(chance)) for _ in range(500)]
    before += [("q-learning", preset, "{}") for preset in ("q-learning", "sala")]
    before += [("odds", f"michie-1963{end}", odds_before(chance, origin)) for end, origin in (ENDS * 20)]
    before += [("td", "zhang", '{"pick": "favourite"}'), ("menace", "menace", '{"beads":[4]}'), ("menace", "x", "[]")]
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript((FILES / "schema-2.sql").read_text())
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.execute("DELETE FROM learner")
        connection.executemany(
            "INSERT INTO learner (name, plays, algorithm, revision, preset, settings, games, created_at)"
            " VALUES (?, 'X', ?, 1, ?, ?, 0, '')",
            [(str(number), *row) for number, row in enumerate(before)],
        )
        run_script(connection, sql_file("migrations/3.sql"))
        after = connection.execute("SELECT algorithm, preset, settings FROM learner ORDER BY learner_id").fetchall()
        revisions = connection.execute(
            "SELECT revision FROM learner WHERE algorithm = 'odds' ORDER BY learner_id"
        ).fetchall()
    assert after[:500] == [renewed(*row) for row in before[:500]]
    assert after[500:502] == [("q-learning", "sala", "{}")] * 2  # the plain settings have the name now
    assert after[502:542] == [renewed(*row) for row in before[502:542]]
    assert revisions == [(2,), (1,)] * 20  # the mean of a sliding origin was another
    assert all(to_json(from_json(OddsSettings, text)) == text for _, _, text in after[502:542:2])
    assert after[542:] == before[542:]  # others', and what no menace has written


@pytest.mark.slow
def test_a_file_that_is_killed_at_any_moment_is_the_old_or_the_new_one(old: Path, template: Path) -> None:
    code = f"from menace.ledger.database_file import open_database; open_database({str(old)!r}).close()"
    before = rows(template, "SELECT * FROM matchbox")
    dice, schemas = random.Random(1), set()
    for _ in range(4):
        shutil.copy(template, old)
        process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not list(old.parent.glob("*schema-1*")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(dice.random() * 0.06)
        process.send_signal(signal.SIGKILL)
        process.wait()
        schemas.add(schema_of(old))
        if schema_of(old) == 1:
            assert rows(old, "SELECT * FROM matchbox") == before
        with open_database(old) as store:
            assert store.damage() == []
            assert verify(store).learners == 8
        for copy in old.parent.glob("*schema-1*"):
            copy.unlink()
    assert 1 in schemas  # at least one kill came in time


def test_whatever_goes_wrong_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = old.read_bytes()
    for failure in (KeyboardInterrupt(), StoreError("no"), MemoryError()):

        def fail(_store: Store, _found: int, failure: BaseException = failure) -> None:
            raise failure

        monkeypatch.setattr(upgrading, "_complete", fail)
        with pytest.raises(type(failure)):
            open_database(old)
        assert old.read_bytes() == before
        assert list(old.parent.iterdir()) == [old]


def test_two_processes_that_open_an_old_file_both_succeed(old: Path) -> None:
    code = f"from menace.ledger.database_file import open_database; open_database({str(old)!r}).close()"
    processes = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    errors = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], errors
    assert sum("was updated to schema" in error for error in errors) == 1
    assert len(list(old.parent.iterdir())) == 2


def test_a_newer_file_an_ancient_one_and_a_locked_one_are_refused(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, message in ((SCHEMA_VERSION + 1, "newer than this menace's .*; upgrade menace"), (0, "older than")):
        with contextlib.closing(sqlite3.connect(old)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        before = old.read_bytes()
        with pytest.raises(SchemaMismatch, match=message):
            open_database(old)
        assert old.read_bytes() == before
    monkeypatch.setattr(locks, "WRITERS_PATIENCE", 0.1)
    with contextlib.closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 1")
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy):
            open_database(old)
    assert list(old.parent.iterdir()) == [old]


def test_a_command_says_in_a_line_that_it_brought_a_file_up_to_date(run: Run, template: Path) -> None:
    shutil.copy(template, "menace.db")
    command = [sys.executable, "-m", "menace", "learners"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr == (
        f"menace.db was updated to schema {SCHEMA_VERSION}; a copy of the old file is menace-schema-1.db\n"
    )
    assert "renamed copy" in result.stdout
    ok(run("verify"))


def test_an_old_file_in_a_folder_that_cannot_be_written_is_refused_with_the_reason(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()

    def no_folder(_name: str, _version: int) -> Path:
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr(migrations, "_copy_beside", no_folder)
    message = r"an older menace made .*, so it must be updated first; but no copy .* \(Permission denied\): put it into"
    with pytest.raises(StoreError, match=message):
        open_database(old)
    assert old.read_bytes() == before


@pytest.mark.parametrize("gone", ["VIEW boxes", "INDEX block_by_run", "VIEW learning_curve"])
def test_an_old_file_that_lacks_a_view_or_an_index_has_it_again(old: Path, gone: str) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.execute(f"DROP {gone}")
    with open_database(old) as store:
        assert store.damage() == []


def test_what_people_added_to_an_old_file_is_kept(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.executescript(
            "CREATE INDEX mine ON matchbox (beads); CREATE INDEX lost ON matchbox (drawn);"
            "CREATE TABLE note (text); INSERT INTO note VALUES ('hello'); CREATE VIEW notes AS SELECT text FROM note;"
            "CREATE TRIGGER noted AFTER INSERT ON game BEGIN INSERT INTO note VALUES ('a game'); END;"
            "CREATE TRIGGER counts AFTER UPDATE ON learner BEGIN UPDATE matchbox SET beads = 7; END;"
        )
    open_database(old).close()
    names = {name for (name,) in rows(old, "SELECT name FROM sqlite_master")}
    assert {"mine", "note", "notes", "noted", "counts"} <= names
    assert "lost" not in names  # the column has another name now
    assert rows(old, "SELECT text FROM notes") == [("hello",)]  # no trigger ran while the file was updated
    for name in ("noted", "counts"):
        with open_database(old) as store, pytest.raises(StoreError, match="trigger"):
            train(store, "menace-x", "random", 10, seed=1)
        with contextlib.closing(sqlite3.connect(old)) as connection:
            connection.execute(f"DROP TRIGGER {name}")
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.executescript("DROP INDEX mine; DROP VIEW notes; DROP TABLE note")
    with open_database(old) as store:
        verify(store)


def test_a_file_that_cannot_be_written_is_asked_with_the_views_of_today(old: Path) -> None:
    open_database(old).close()
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.executescript("DROP VIEW boxes; CREATE VIEW boxes AS SELECT 1 AS one")
    with Store.open(old) as store:  # as it is opened where its views cannot be refreshed
        assert len(store.query("SELECT box, stage, opened FROM boxes WHERE learner = 'menace-x'", 9)[1]) > 3
        with store.copied() as copy:
            assert copy.damage() == []
    assert rows(old, "SELECT * FROM boxes") == [(1,)]


def test_references_are_checked_before_an_update_is_committed(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE block SET run_id = 77 WHERE kind = 'adjustment'")
        connection.commit()
    before = old.read_bytes()
    monkeypatch.setattr(upgrading, "_complete", lambda *_: None)
    with pytest.raises(StoreError, match=r"a row of .* refers to a row of .* that is gone"):
        open_database(old)
    assert old.read_bytes() == before


def test_an_updated_file_is_no_larger_than_it_must_be(old: Path) -> None:
    size = old.stat().st_size
    open_database(old).close()
    assert rows(old, "PRAGMA freelist_count") == [(0,)]
    assert old.stat().st_size < 1.4 * size  # the tables that later schemas added are a page each, and one each index


@EVERY
@pytest.mark.parametrize("settings", ["[]", "{", '{"pick": ["bead"]}', '{"pick": "beat"}'])
def test_a_damaged_old_file_is_refused_in_a_line(
    run: Run, templates: dict[int, Path], version: int, settings: str
) -> None:
    shutil.copy(templates[version], "menace.db")
    with contextlib.closing(sqlite3.connect("menace.db")) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE game SET actions = '0,0,0'")
        connection.execute("UPDATE learner SET settings = ?", (settings,))
        connection.commit()
        before = list(connection.iterdump())
    refused(run("learners"))
    # What the step itself trips over leaves the file as it was; what it does not look at stands in the copy.
    copy = Path(f"menace-schema-{version}.db")
    assert copy.exists() == (version >= 2 and settings != "{")
    with contextlib.closing(sqlite3.connect(copy if copy.exists() else "menace.db")) as connection:
        assert list(connection.iterdump()) == before


def test_views_are_brought_up_to_date_and_other_things_are_left_alone(old: Path) -> None:
    with open_database(old) as store:
        board = rules_of(store).game.initial
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.executescript("DROP VIEW boxes; CREATE VIEW boxes AS SELECT 1 AS box; DROP VIEW game_changes;")
        connection.execute("CREATE VIEW mine AS SELECT 2 AS two")
    with open_database(old) as store:
        assert store.query(f"SELECT board FROM boxes WHERE learner = 'menace-x' AND board = '{board}'", 9)[1]
        assert store.query("SELECT two FROM mine", 9)[1] == [(2,)]
        assert store.damage() == ["mine is not the table, view or index that menace makes"]
        stored = dict(store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name <> 'mine'"))
        assert stored == shipped_views()
