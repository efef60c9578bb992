"""docs/notebooks: what their cells show is up to date, each picture once, and nothing of the computer that made it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from typing import Any

import pytest
from checkout import ROOT

from docs import make_notebooks

NOTEBOOKS = sorted(make_notebooks.NOTEBOOKS.glob("*.ipynb"))
LARGEST = 400_000  # bytes
KINDS = {"text/plain", "text/html", make_notebooks.FIGURE}


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(json.loads(request.param.read_text(encoding="utf-8")), path=request.param)


def outputs(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_a_cell_shows_one_thing_and_a_picture_once(notebook: dict[str, Any]) -> None:
    shown = [outs[0] for outs in outputs(notebook) if outs]
    assert len(shown) == sum(map(len, outputs(notebook)))
    assert {output["output_type"] for output in shown} <= {"execute_result", "stream"}
    data = [output.get("data", {}) for output in shown]
    assert {kind for kinds in data for kind in kinds} == KINDS  # a figure, and a table or a board, in each notebook
    # A board as text is crooked where letters are not equally wide.
    drawn = [kinds for kinds in data if "---+---" in "".join(kinds.get("text/plain", ""))]
    assert [kinds for kinds in drawn if "text/html" not in kinds] == []


def test_it_is_small_has_no_paths_and_its_links_lead_somewhere(notebook: dict[str, Any]) -> None:
    text = notebook["path"].read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert re.findall(r"(?<![\w.])/(?:home|root|tmp|work|usr|Users)/", text) == []
    prose = "".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    assert [link for link in re.findall(r"\]\(([^)#:]+)", prose) if not (notebook["path"].parent / link).exists()] == []
    assert f"docs/notebooks/{notebook['path'].name}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_cells_show_what_is_kept_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("nbclient") is None or importlib.util.find_spec("ipykernel") is None:
        # Only the step of .ci/run that is for this file has them.
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") == "study" else pytest.skip)("nbclient is not installed")
    assert len(NOTEBOOKS) == 3
    assert (make_notebooks.main(["--check"]), capsys.readouterr().out) == (0, "")
