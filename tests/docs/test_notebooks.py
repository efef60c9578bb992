"""Tests that the outputs in docs/notebooks are up to date and small and contain no local paths."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from typing import Any

import pytest
from checkout import ROOT

from docs import run_notebooks

NOTEBOOKS = sorted(run_notebooks.NOTEBOOKS.glob("*.ipynb"))
MAX_BYTES = 400_000
KINDS = {"text/plain", "text/html", run_notebooks.FIGURE}


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(json.loads(request.param.read_text(encoding="utf-8")), path=request.param)


def outputs(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_cell_has_at_most_one_output(notebook: dict[str, Any]) -> None:
    shown = [outs[0] for outs in outputs(notebook) if outs]
    assert len(shown) == sum(map(len, outputs(notebook)))
    assert {output["output_type"] for output in shown} <= {"execute_result", "stream"}
    data = [output.get("data", {}) for output in shown]
    # each notebook contains a figure and either a table or a board
    assert {kind for kinds in data for kind in kinds} == KINDS
    # Boards need HTML, because text in a proportional font does not align.
    drawn = [kinds for kinds in data if "---+---" in "".join(kinds.get("text/plain", ""))]
    assert [kinds for kinds in drawn if "text/html" not in kinds] == []


def test_notebook_is_small_without_paths_and_with_valid_links(notebook: dict[str, Any]) -> None:
    text = notebook["path"].read_text(encoding="utf-8")
    assert len(text) < MAX_BYTES
    assert re.findall(r"(?<![\w.])/(?:home|root|tmp|work|usr|Users)/", text) == []
    prose = "".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    assert [link for link in re.findall(r"\]\(([^)#:]+)", prose) if not (notebook["path"].parent / link).exists()] == []
    assert f"docs/notebooks/{notebook['path'].name}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_stored_outputs_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("nbclient") is None or importlib.util.find_spec("ipykernel") is None:
        # Only the step `study` of .ci/run installs these packages.
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") == "study" else pytest.skip)("nbclient is not installed")
    assert len(NOTEBOOKS) == 3
    assert (run_notebooks.main(["--check"]), capsys.readouterr().out) == (0, "")
