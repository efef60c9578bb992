"""Tests of the files in which studies are stored: documented columns, refused files and use with Datasette."""

from __future__ import annotations

import asyncio
import importlib.resources
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import DROP_PRIVILEGES
from database_templates import edit, fresh_bytes

import menace
from menace import Study
from menace.errors import MenaceError, NotOurs, RevisionMismatch, SchemaMismatch, StoreError
from menace.ledger.store.study_file import StudyFile, _columns

README = importlib.resources.files("menace.db").joinpath("README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.study"
    Study(path, grid={"win": [1, 3]}, policies=["behaviour", "greedy"], games=20, seeds=5).run(workers=1)
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """Return the path of a copy that a test may change."""
    return Path(shutil.copy(made, tmp_path / "a.study"))


UNRELEASED = f"PRAGMA application_id = {int.from_bytes(b'MNCS', 'big')}"


def refused_unchanged(path: Path, kind: type[MenaceError], message: str) -> None:
    """Check that every way of opening the file refuses it with a one-line message and leaves it unchanged."""
    before = path.read_bytes()
    for call in (lambda: Study.open(path), lambda: Study(path, games=20, seeds=6).run(workers=1)):
        with pytest.raises(kind, match=message) as error:
            call()
        assert "\n" not in str(error.value)
        assert str(path) in str(error.value)
    assert path.read_bytes() == before


def test_study_starts_in_file_of_an_interrupted_start(made: Path, tmp_path: Path) -> None:
    """The file contains only unused pages, as if its creation had been interrupted and rolled back by SQLite."""
    path = tmp_path / "b.study"
    edit(path, "CREATE TABLE t (x); DROP TABLE t")
    assert path.stat().st_size > 0
    study = Study(path, grid={"win": [1, 3]}, policies=["behaviour", "greedy"], games=20, seeds=5)
    assert study.machines_left() == 10
    with pytest.raises(NotOurs, match="is empty; `menace study run` turns it into a study"):
        Study.open(path)
    assert study.machine(1, win=1).learned.games == 20
    study.run(workers=1)
    assert study.table() == Study.open(made).table()


def test_every_study_column_is_documented(made: Path) -> None:
    section = README.partition("## Studies")[2]
    documented = {
        name: re.findall(r"^\| `(\w+)` \| (\w+)", body, re.MULTILINE)
        for name, body in re.findall(r"^#### `(\w+)`\n(.*?)(?=^#|\Z)", section, re.DOTALL | re.MULTILINE)
    }
    with StudyFile.open(made) as file:
        tables = [name for (name,) in file.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
        for table in tables:
            columns = file.rows(f"PRAGMA table_info({table})")
            if table == "measurement":  # one row of the page describes all other columns
                assert [column[1] for column in columns[3:]] == [
                    name for place in range(10) for name in _columns(place)
                ]
                columns = columns[:3]
            assert [name for name, _ in documented[table]] == [column[1] for column in columns]
            for (_, kind), column in zip(documented[table], columns, strict=True):
                assert kind == column[2] or not column[2]
    assert sorted(tables) == sorted(documented)


@pytest.mark.parametrize(
    ("spoil", "kind", "message"),
    [
        (lambda path: path.write_bytes(fresh_bytes()), NotOurs, "is not a study; choose a study's file"),
        (lambda path: path.write_bytes(b"a text\n" * 100), NotOurs, "is not an SQLite database"),
        (lambda path: path.unlink() or edit(path, "CREATE TABLE t(a)"), NotOurs, "choose a study's file"),
        (lambda path: edit(path, "PRAGMA user_version = 3"), SchemaMismatch, "has study schema 3, .*upgrade menace"),
        (lambda path: edit(path, UNRELEASED), SchemaMismatch, "the last commit that reads it is 4378f35a$"),
        (lambda path: path.write_bytes(path.read_bytes()[:3000]), StoreError, "is damaged"),
    ],
    ids=["a menace database", "text", "another program's", "newer", "unreleased", "cut"],
)
def test_files_that_are_not_studies_are_refused(
    spoil: Callable[[Path], object], kind: type[MenaceError], message: str, path: Path
) -> None:
    spoil(path)
    refused_unchanged(path, kind, message)


@pytest.mark.parametrize(
    "design",
    ["[]", "{}", '{"games": "many"}', '{"grid": 3}', '{"fruit": 1}', '{"against": [{"policy": "0", "name": "f"}]}'],
)
def test_impossible_designs_are_refused(design: str, path: Path) -> None:
    edit(path, f"PRAGMA ignore_check_constraints = ON; UPDATE study SET design = '{design}'")
    if design == "{}":  # an empty design is valid and uses only defaults
        assert Study.open(path).machines_left() == 100
        return
    with pytest.raises(MenaceError) as error:
        Study.open(path)
    assert "\n" not in str(error.value)


def test_study_without_design_is_refused(path: Path) -> None:
    edit(path, "DELETE FROM study")
    with pytest.raises(StoreError, match="a study without a design; `menace study run` adds one"):
        Study.open(path)


def test_closed_study_releases_its_file(made: Path) -> None:
    with StudyFile.open(made) as file:
        assert file.rows("SELECT count(*) FROM study") == [(1,)]
    with pytest.raises(StoreError, match="is closed"):
        file.rows("SELECT count(*) FROM study")


def test_empty_file_becomes_a_study(tmp_path: Path) -> None:
    (tmp_path / "a.study").touch()
    assert Study(tmp_path / "a.study", games=3, seeds=3).run(workers=1).machines_left() == 0


@pytest.mark.parametrize("place", ["nowhere/a.study", ".", "menace.db-journal"])
def test_unusable_paths_are_refused(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("menace.db").write_bytes(fresh_bytes())
    with pytest.raises(MenaceError) as error:
        Study(place, games=3, seeds=3).run(workers=1)
    assert "\n" not in str(error.value)


def test_read_only_study_can_be_shown_but_not_run(path: Path) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    code = f"""{DROP_PRIVILEGES}
import menace
study = menace.Study.open({str(path)!r})
print(study.machines_left(), len(study.table().rows))
study = menace.Study({str(path)!r}, games=20, seeds=6)
try:
    study.run(workers=1)
except menace.MenaceError as error:
    print(error)
"""
    try:
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    finally:
        path.parent.chmod(0o755)
    assert run.stderr == ""
    assert run.stdout.splitlines() == ["0 360", f"{path} is read-only; change its permissions, or use a copy of it"]


def test_machines_of_another_revision_are_refused(path: Path) -> None:
    edit(path, "UPDATE setting SET revision = 99")
    before = path.read_bytes()
    study = Study.open(path)
    for call in (lambda: study.run(workers=1), lambda: study.machine(1, win=3)):
        with pytest.raises(
            RevisionMismatch, match="machines of menace revision 99, but this menace has revision 1, which learns"
        ):
            call()
    assert path.read_bytes() == before
    assert len(study.table().rows) == 360  # measurements are kept


def test_stored_setting_contains_all_values(made: Path) -> None:
    """If a preset changes later, machines with its new values belong to a new setting."""
    with StudyFile.open(made) as file:
        definitions = [row.definition for row in file.settings()]
        versions = file.rows("SELECT DISTINCT versions, host FROM chunk")
    machine = Study.open(made).machine(1, win=3)
    for name, value in vars(machine.settings).items():
        assert f'"{name}": ' in definitions[1], value
    assert [versions_.startswith(f"menace {menace.__version__}, numpy ") for versions_, _ in versions] == [True]
    assert versions[0][1]


def test_equal_settings_written_differently_are_one(tmp_path: Path) -> None:
    def numbers(**options: Any) -> list[int]:
        study = Study(tmp_path / "a.study", preset="td", games=5, seeds=2, **options).run(workers=1)
        with StudyFile.open(study.path) as file:
            return [row.setting_id for row in file.settings()]

    assert numbers(alpha=1) == [1]
    assert numbers(alpha=1.0) == [1]
    assert numbers(grid={"alpha": [1, 0.5]}) == [1, 2]
    assert numbers(grid={"preset": ["td"]}, alpha=0.5) == [1, 2]


def test_view_matches_table(made: Path) -> None:
    study = Study.open(made)
    with StudyFile.open(made) as file:
        view = file.rows(
            "SELECT settings ->> 'win', against, seed, games, opponent, policy, wins, draws, losses FROM strengths"
            " WHERE preset = 'menace' AND plays = 'X'"
        )
        assert file.rows("PRAGMA integrity_check") == [("ok",)]
        assert file.rows("PRAGMA foreign_key_check") == []
    assert set(view) == {tuple(row) for row in study.table().rows}
    assert len(view) == len(study.table().rows)


@pytest.mark.parametrize("text", ["[]", "3", "{", "null"])
def test_design_and_definitions_are_json_objects(text: str, path: Path) -> None:
    for change_of in ("study SET design", "setting SET definition"):
        with pytest.raises(sqlite3.IntegrityError, match="json_valid"):
            edit(path, f"UPDATE {change_of} = '{text}'")


def test_datasette_opens_a_study(made: Path) -> None:
    datasette = pytest.importorskip("datasette.app")

    async def look() -> list[Any]:
        server = datasette.Datasette([str(made)])
        await server.invoke_startup()
        pages = ["/", "/a", "/a/strength", "/a/strengths?opponent=best_response"]
        answers = [(await server.client.get(page)).status_code for page in pages]
        rows = (await server.client.get("/a/strengths.json?_shape=array&opponent=best_response&games=20")).json()
        return [answers, len(rows), rows[0]["against"]]

    assert asyncio.run(look()) == [[200] * 4, 20, "random"]
