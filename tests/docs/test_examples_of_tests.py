"""Tests that the pytest examples on documentation pages pass, and that they fail as shown if a bug is planted."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

from docs import planted_bugs, transcripts

pytestmark = pytest.mark.slow
GRADING = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
ADAPTERS = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
TIME = re.compile(r"^[\d,]+ µs for each move$", re.MULTILINE)


def write_programs(page: str, folder: Path) -> None:
    """Save the programs on a page that begin with a comment containing a file name."""
    for block in transcripts.code_blocks(page, "python"):
        if named := re.match(r"# (\w+\.py)\n", block):
            (folder / named[1]).write_text(block, encoding="utf-8")


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(folder)}
    )


@pytest.mark.parametrize(
    ("page", "library", "file", "passed"),
    [
        (GRADING, "menace", "test_q_learner.py", 3),
        (ADAPTERS, "gymnasium", "test_agent.py", 2),
        (ADAPTERS, "pyspiel", "test_openspiel.py", 1),
    ],
    ids=["a textbook's learner", "gymnasium", "openspiel"],
)
def test_tests_of_page_pass(page: str, library: str, file: str, passed: int, tmp_path: Path) -> None:
    try:
        importlib.import_module(library)
    except ImportError as missing:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)(str(missing))
    write_programs(page, tmp_path)
    run = run_pytest(tmp_path, file)
    assert f"{passed} passed" in run.stdout, run.stdout + run.stderr


def test_page_shows_what_a_failing_test_prints(tmp_path: Path) -> None:
    write_programs(GRADING, tmp_path)
    (tmp_path / "q_learner.py").write_text(planted_bugs.program("a diagonal is missing"), encoding="utf-8")
    run = run_pytest(tmp_path, "test_q_learner.py::test_q_learner_never_errs[O]")
    assert "1 failed" in run.stdout, run.stdout + run.stderr
    printed = "\n".join(re.findall(r"^E +(\S.*)$", run.stdout, re.MULTILINE))
    (shown,) = (block for block in transcripts.code_blocks(GRADING, "text") if "AssertionError" in block)
    without_spaces = "\n".join(line.strip() for line in shown.splitlines() if line.strip())
    assert TIME.sub("", without_spaces) == TIME.sub("", printed)
