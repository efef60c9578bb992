"""The pages of published experiments: what stands on them comes from the code.

All of a page takes minutes (`tools/reproduce.py`). A second of it is run here, and its lines are looked for.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"
PAGES = Path(__file__).parents[1] / "docs" / "reproductions"
sys.path.insert(0, str(TOOLS))
pytest.importorskip("matplotlib")

from reproduce import REPRODUCTIONS  # noqa: E402


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_small_run_gives_the_lines_of_the_page(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    lines = importlib.import_module(f"reproductions.{REPRODUCTIONS[name]}").sample()
    assert lines
    for line in lines:
        assert f"\n- {line}\n" in page


def test_there_is_no_page_besides() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(REPRODUCTIONS)
