"""The pages of published experiments: what stands on them comes from the code.

All of a page takes minutes (`tools/reproduce.py`). A second of it is run here, and its lines are looked for.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from oracle import TICTACTOE

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


def test_the_program_of_the_thesis_has_the_boxes_and_the_opponents_that_it_tells_of() -> None:
    program = importlib.import_module("reproductions.wos_program")
    tables = program.tables()
    assert [int(tables.has_box[name].sum()) for name in ("michie", "choices")] == [287, 304]
    boards = importlib.import_module("reproductions.killer").boards().boards
    for board, best, block in list(zip(boards, tables.first_best.tolist(), tables.block.tolist(), strict=True))[::9]:
        if "." not in board or any(TICTACTOE.has_line(board, side) for side in "XO"):
            continue
        assert best == min(TICTACTOE.best_cells(board))
        other = "XO"[TICTACTOE.to_move(board) == "X"]
        lost = [c for c in TICTACTOE.empties(board) if TICTACTOE.has_line(board[:c] + other + board[c + 1 :], other)]
        assert block == min(lost, default=-1)


@pytest.mark.parametrize("restock", ["box", "move"])
def test_a_machine_of_the_thesis_always_has_beads_where_its_boxes_are_restocked(restock: str) -> None:
    program = importlib.import_module("reproductions.wos_program")
    machines = program.Matchboxes(20, 1, restock)
    machines.play("optimal", 40)
    boxes = machines.beads[:, machines.boxed]
    fresh = machines.t.fresh[machines.boxed] > 0
    assert machines.alive.all()
    assert (boxes.sum(axis=2) > 0).all()
    assert ((boxes > 0) == fresh).all() == (restock == "move")  # only then each colour has some, too
    assert not boxes[:, ~fresh].any()
