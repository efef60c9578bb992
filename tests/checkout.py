"""The checkout that the tests are in: its root, and which tests its last change can touch."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"


def tests_for_paths(paths: list[str]) -> set[Path]:
    """Return the folders and files of tests that a change of files can touch; paths are relative to the root."""
    return {place for path in paths if (place := tests_for_path(PurePosixPath(path).parts))}


def tests_for_path(parts: tuple[str, ...]) -> Path | None:
    """Return the tests of a file: a test is its own, a file beside the folders of menace/ has those of the package."""
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
    """Return what differs from the commit before the last; nothing where there is no repository, or no git."""
    command = ["git", "-C", str(ROOT), "diff", "--name-only", "HEAD~1"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    except FileNotFoundError:
        return []
