"""Tests of the explorer on a system without threads and processes, such as a browser tab."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

from menace.explorer.pages import routes

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).with_name("without_threads.py")


def test_every_route_answers_without_threads_and_processes(tmp_path: Path) -> None:
    folders = (ROOT / "tests", ROOT / "tests" / "explorer", ROOT / "tools")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
    command = [sys.executable, PROGRAM, tmp_path]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    requested = [(method, path.partition("?")[0]) for method, path, *_ in answers]
    for route in routes():
        assert any(method == route.method and re.match(route.pattern, path) for method, path in requested), route.path

    by_status: dict[int, list[tuple[str, str]]] = {}
    for _, path, status, text in answers:
        by_status.setdefault(status, []).append((path.partition("?")[0].rpartition("/")[2], text))
    assert by_status.keys() == {200, 302, 400}
    # these addresses redirect to a machine or a board
    assert [page for page, _ in by_status[302]] == ["boxes", "explore"]
    reasons = [text for _, text in by_status[400]]
    for reason, words in zip(reasons, ("must be a SELECT", "took too long", "more than 1,000,000 bytes"), strict=True):
        assert words in reason
