"""Tests that each folder of the package has a test folder, and that its tests run first after a change."""

from __future__ import annotations

from pathlib import Path

from checkout import ROOT, TESTS, affected_tests

import menace


def test_every_folder_of_menace_has_a_test_folder() -> None:
    folders = {path.parent.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")}
    assert {path.parent.name for path in Path(menace.__file__).parent.glob("*/__init__.py")} <= folders


def test_no_folder_of_tests_has_more_than_25_files() -> None:
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert max(len(list(folder.glob("*.py"))) for folder in folders) <= 25


def test_tests_of_changed_folders_run_first() -> None:
    assert affected_tests(["menace/games/nim.py", "README.md", ".ci/run"]) == {TESTS / "games"}
    assert affected_tests(["menace/explorer/pages/home.py"]) == {TESTS / "explorer"}
    assert affected_tests(["menace/errors.py", "tests/learners/test_box.py"]) == {
        TESTS / "package",
        TESTS / "learners" / "test_box.py",
    }
    assert affected_tests(["db/views.sql", "docs/sql.md", "tools/docs/transcripts.py"]) == {
        TESTS / name for name in ("db", "docs", "tools")
    }
    assert affected_tests([]) == set()
    assert (ROOT / "setup.cfg").exists()
