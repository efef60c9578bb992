"""The root of the checkout, and the tests that its last change affects."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"


def affected_tests(paths: list[str]) -> set[Path]:
    """Return the test folders and files for a list of changed files, given as paths relative to the root."""
    return {place for path in paths if (place := locate_tests(PurePosixPath(path).parts))}


def locate_tests(parts: tuple[str, ...]) -> Path | None:
    """Return the test folder or test file for a changed file.

    For a test file, return the file itself. The tests for files directly in menace/ are in tests/package.
    """
    match parts:
        case ("tests", *rest):
            return TESTS.joinpath(*rest)
        case ("menace", folder, _, *_):
            return TESTS / folder
        case ("menace", _):
            return TESTS / "package"
        case ("db" | "docs" | "tools" as folder, *_):
            return TESTS / folder
    return None


def changed_paths() -> list[str]:
    """Return the files that differ from the previous commit, or an empty list if git or a repository is missing."""
    command = ["git", "-C", str(ROOT), "diff", "--name-only", "HEAD~1"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    except FileNotFoundError:
        return []
