"""Tests of `menace new-game`, of `menace check`, and of moves that consist of two cells."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run, ok, refused
from scripts_in_node import load_scripts, run_in_node
from trial_games import dominoes

from menace.analysis.position import show
from menace.drawing.boards import PAIR_BEAD, Disc, Mark, shapes_of
from menace.explorer.content.board_inputs import arrows_of, cells_of, choices
from menace.exporting.board_html import board_html, move_drawing
from menace.games.enumeration import enumerate_positions
from menace.ledger import create_and_open
from menace.ledger.create_and_open import create_database

GAME = dominoes("3x3")
BOARDS = [board for board in enumerate_positions(GAME, "none").boards if GAME.actions(board)]


def test_generated_game_obeys_laws_and_passes_its_tests(run: Run, tmp_path: Path) -> None:
    assert ok(run("new-game", "small-hex")).endswith("try next: menace check ./small_hex.py:SmallHex\n")
    printed = ok(run("check", "./small_hex.py:SmallHex", "2x2", "3x3"))
    assert "small-hex 2x2 obeys the laws of games on 3 boards (all)\n" in printed
    assert (
        "small-hex 3x3 obeys the laws of games on 49 boards (all)\n  14 positions up to symmetry, 18 moves" in printed
    )
    assert "\n  After each move, it is the other side's turn.\n" in printed
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tested = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "5 passed" in tested.stdout, tested.stdout + tested.stderr


def test_new_game_refuses_existing_files_and_reserved_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "test_hex.py").write_text("mine")
    refused(run("new-game", "hex"), "test_hex.py already exists")
    assert ([path.name for path in tmp_path.iterdir()], (tmp_path / "test_hex.py").read_text()) == (
        ["test_hex.py"],
        "mine",
    )
    for name in ("nim", "random", "menace"):
        refused(run("new-game", name), "choose another")
    for name in ("Hex", "../hex", "2048", "class", ""):
        refused(run("new-game", name), "cannot be the name of a game")


def test_check_reports_broken_law_and_excessive_size(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new-game", "hex"))
    file = tmp_path / "hex.py"
    monkeypatch.setattr(create_and_open, "MAX_POSITIONS_BY_TEXT", 13)
    refused(run("check", "./hex.py:Hex"), "hex 3x3 has more than 13 positions")
    file.write_text(file.read_text().replace('":" + side.other', '":" + side'))
    refused(run("check", "./hex.py:Hex"), "breaks the law of turns on board .........:X: after action 0 by X")
    refused(run("check", "./hex.py:Go"), "does not define the class Go")


def test_pair_beads_lie_between_cells_without_touching() -> None:
    for board in BOARDS:
        marks = [Mark(GAME.where(board, action)) for action in GAME.actions(board)]
        beads = [shape for shape in shapes_of(GAME.pieces(board), GAME.shape, marks) if shape.role == "bead"]
        for bead, mark in zip(beads, marks, strict=True):
            assert isinstance(bead, Disc)
            assert mark.where.pair is not None
            ((x, y),) = bead.points
            (top, left), (bottom, right) = (divmod(cell, 3) for cell in mark.where.pair)
            assert (x, y, bead.radius) == ((left + right + 1) / 2, (top + bottom + 1) / 2, PAIR_BEAD)
        for first, second in itertools.combinations(beads, 2):
            assert math.dist(first.points[0], second.points[0]) > 2 * PAIR_BEAD


def test_html_draws_and_names_pair_bars() -> None:
    marks = [Mark(GAME.where(GAME.initial, 0), "0-3", "wins", 0.5, "7")]
    drawn = board_html(GAME.pieces(GAME.initial), GAME.shape, marks)
    assert 'd="M0.5 0.64L0.5 1.36"' in drawn
    assert drawn.count("<td") == 9 + 1
    assert "0-3 <b>7</b>" in drawn


def test_pair_move_on_explore_page_can_start_at_either_cell(tmp_path: Path) -> None:
    with create_database(tmp_path / "menace.db", GAME) as store:
        views = [show(store, board) for board in BOARDS]
    for view in views:
        board = view.board
        arrows = arrows_of(GAME, board, view.moves, "beads")
        assert len(arrows) == len(GAME.actions(board))
        cells = list(itertools.chain(*cells_of(GAME, board, view.moves, None)))
        for action, (first, second) in itertools.product(GAME.actions(board), [(0, 1), (1, 0)]):
            pair = GAME.where(board, action).pair
            assert pair is not None
            start, end = pair[first], pair[second]
            after = GAME.play(board, action)
            if cells[start].leads_to is not None:  # only one move includes this cell
                assert cells[start].leads_to == after
                continue
            assert cells[start].picks == start
            assert (GAME.name_of(board, action), after) in choices(GAME, board, start)
            then = list(itertools.chain(*cells_of(GAME, board, view.moves, None, start)))
            assert then[end].leads_to == after


def test_pair_move_on_play_page_can_start_at_either_cell() -> None:
    moves = [move_drawing(GAME, GAME.initial, action) | {"verdict": "wins"} for action in GAME.actions(GAME.initial)]
    script = """
      const moves = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const place = { addEventListener() {}, closest: () => null, querySelectorAll: () => [] };
      menace.clauses = { where_to: "", which_one: "", no_move: "", verdicts: ["wins"] };
      menace.opening = menace.phrase = () => "";
      const chosen = (...clicks) => {
        const made = [];
        const hands = new menace.BoardInput(place, { onMove: move => made.push(move.name), onMessage() {} });
        hands.moves = moves;
        clicks.forEach(cell => hands.choose(cell));
        return made;
      };
      const both = ({ cells: [a, b] }) => [chosen(a), chosen(b), chosen(a, b), chosen(b, a)];
      const pairs = [moves.map(both), chosen(0, 8)];
      moves.unshift({ name: "4", cells: [4], arrow: null, path: null, verdict: "wins" });
      console.log(JSON.stringify([...pairs, chosen(4), chosen(4, 4), chosen(4, 1)]));
    """
    made, *others = run_in_node(
        "globalThis.document = { addEventListener() {} };"
        + load_scripts("words.js", "drawing.js", "board_input.js")
        + script,
        moves,
    )
    assert made == [[[], [], [move["name"]], [move["name"]]] for move in moves]
    assert others == [[], [], ["4"], ["1-4"]]  # a move of one cell needs two clicks if the cell is also part of a pair
