"""Tests that a box names and orders its moves in the same way as the board beside it, in every game."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import notakto
import numpy as np
import pytest
from scripts_in_node import draw_with_scripts
from trial_games import DOMINOES

from menace.analysis.bead_names import BeadNames
from menace.analysis.board_report import images
from menace.analysis.position import show_machine
from menace.drawing.boards import cell_names, strokes
from menace.explorer.content.board_inputs import cells_of
from menace.explorer.content.records import move_records, played_record, seen_record
from menace.exporting.board_html import amount_text
from menace.games import get_game
from menace.games.base import GAP
from menace.learners.machine import Machine
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.store import Store
from menace.site.pages import _environment

pytestmark = pytest.mark.slow

# The symmetries of these games rotate or reflect the board, or permute heaps or boards.
VARIANTS = [
    "tictactoe 3x3x3",
    "tictactoe 3x3x3-wild",
    "connect 3x3x3",
    "hexapawn 3x3",
    "nim 1-2-3",
    " ".join(notakto.ONE),
    " ".join(DOMINOES),
]
POSITIONS, IMAGES = 12, 6  # the numbers of positions and of images that the tests check


@pytest.fixture(scope="module", params=VARIANTS)
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Machine]]:
    """Return a machine whose moves all have different numbers of beads, and its database file."""
    with create_database(tmp_path_factory.mktemp("board") / "menace.db", get_game(*request.param.split())) as store:
        new_learner(store, "adam", "X")
        named = named_machine(store, "adam")
        named.learned.amount[:] = np.arange(1, len(named.learned.amount) + 1)
        yield store, named


def boards(machine: Machine) -> Iterator[tuple[int, str]]:
    boxed = machine.boxed.nonzero()[0].tolist()
    for position in boxed[:: max(len(boxed) // POSITIONS, 1)]:
        for board in images(machine.positions, machine.positions.boards[position], IMAGES):
            yield position, board


def test_open_box_is_oriented_like_the_board(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    positions, game = adam.positions, adam.positions.game
    for position, board in boards(adam):
        view = show_machine(store, board, adam)
        assert view.box is not None
        assert view.seen_box is not None
        beads = {move.action: move.amount for move in view.box.moves}
        cells = [cell for move in view.moves for cell in move.cells]
        assert sorted(cells) == sorted(game.actions(board))
        assert [move.cells[0] for move in view.moves] == sorted(move.cells[0] for move in view.moves)
        for move, seen_move in zip(view.moves, view.seen_box.moves, strict=True):
            assert (seen_move.action, seen_move.amount) == (min(move.cells), move.amount)
            for cell in move.cells:
                assert beads[positions.to_canonical(board, cell)] == move.amount
        assert (view.seen_box.board, view.box.board) == (board, positions.boards[position])


def test_open_box_uses_the_move_names_and_order_of_the_board(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    names = BeadNames(adam.positions, adam.naming)
    views = [show_machine(store, board, adam) for _, board in boards(adam)]
    records = [seen_record(view, names, None) for view in views]
    for view, drawn in zip(views, draw_with_scripts("data.map(menace.openBox)", records), strict=True):
        if len(view.moves) == 1 and len(view.moves[0].cells) == 1:
            continue  # in this case, the page says that the move is the only one
        assert f" for {html.escape(view.board)} (" in drawn
        rows = re.findall(r'<span class="name">(.*?)</span></th><td>(?:<i [^>]*></i> )?([\d,]+) beads?<', drawn)
        assert rows == [(html.escape(move.text), f"{move.beads:,}") for move in view.moves]


def test_first_and_last_cells_of_moves_are_clickable(machine: tuple[Store, Machine]) -> None:
    store, adam = machine
    game = adam.positions.game
    shown = [board for _, board in boards(adam)]
    records = [{**played_record(game, board), "moves": move_records(store, board)} for board in shown]
    for board, drawn in zip(
        shown, draw_with_scripts("data.map(board => menace.buttons(board, board.moves, 'A'))", records), strict=True
    ):
        still = {int(cell) for cell in re.findall(r'data-cell="(\d+)"[^>]*aria-disabled', drawn)}
        where = [game.where(board, action) for action in game.actions(board)]
        open_cells = {cell for cells in where for cell in (cells.ends or cells.cells[:1])}
        assert open_cells == {int(cell) for cell in re.findall(r'data-cell="(\d+)"', drawn)} - still
        assert drawn.count("<path") == sum(cells.ends is not None for cells in where)


@pytest.mark.parametrize(
    ("variant", "board", "beside", "names", "struck"),
    [
        ("tictactoe 3x3x3", "XXXOO....", "", "012345678", 1),
        ("tictactoe 3x3x3-wild", "O...O...O", "", "012345678", 1),
        ("tictactoe 3x3x3", "XXOXO.O..", "", "012345678", 1),
        ("tictactoe 4x4x3", "XXXXOOO.........", "", "0123456789101112131415", 3),
        ("connect 3x3x3", "......X..", "123", "", 0),
        ("hexapawn 3x3", "OOO...XXX:X", "321abc", "", 0),
        (" ".join(notakto.TWO), "#########/.........:X", "", "a0a1a2b0b1b2a3a4a5b3b4b5a6a7a8b6b7b8", 0),
        ("nim 1-2-3", "1-2-3:X", "", "", 0),
    ],
)
def test_python_and_scripts_agree_on_cell_names_and_strokes(
    variant: str, board: str, beside: str, names: str, struck: int
) -> None:
    game = get_game(*variant.split())
    boards = _environment().get_template("menace_board.html").module
    pages = boards.board_table(cells_of(game, board, [], None), "A", lambda _: {}, struck=strokes(game, board))
    drawn = draw_with_scripts("menace.buttons(data, [], 'A')", played_record(game, board))
    assert len(strokes(game, board)) == struck
    for text in (pages, drawn):
        assert re.findall(r'class="struck" d="([^"]*)"', text) == strokes(game, board)
        assert "".join(re.findall(r'class="name" aria-hidden="true">(\w+)<', text)) == names
        assert sorted(re.findall(r'class="(?:rank|file)" aria-hidden="true">(\w)<', text)) == sorted(beside)
    assert re.findall(r'aria-label="([^"]*)"', pages) == re.findall(r'aria-label="([^"]*)"', drawn)
    assert len({*cell_names(game)["places"]} - {""}) == sum(piece != GAP for piece in game.pieces(board))


BEADS = [0, 1, 9999, 10000, 26123, 999_499, 999_500, 1_234_567, 1_250_000, 4_073_000, 9_949_999, 9_950_000, 2**31]
VALUES = [0.0, 0.5, -0.51234, 9.999, 10.0, 12.5, 26123.4, 1e-9, -0.00025, 3e-10, 0.0005]


def test_amounts_have_at_most_five_characters_in_python_and_scripts() -> None:
    amounts = [*BEADS, *map(int, np.geomspace(1, 9e18, 200)), *VALUES, *map(float, np.geomspace(1e-9, 1e9, 100))]
    scripts = "data.map(([amount, unit]) => menace.amountText(amount, unit))"
    units = ["beads" if isinstance(amount, int) else "value" for amount in amounts]
    texts = [amount_text(amount) for amount in amounts]
    assert draw_with_scripts(scripts, [*zip(amounts, units, strict=True)]) == texts
    assert max(map(len, texts)) == 5
    assert texts[3:8] == ["10k", "26k", "999k", "1.0M", "1.2M"]
