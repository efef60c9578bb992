"""Boards that fall apart, dead boards, and two moves on one cell, as each medium draws them."""

from __future__ import annotations

import io
import re
from itertools import product

import notakto
import pytest

from menace.drawing.boards import Line, blocks_of, board_svg, offset, path_of, place_of, shapes_of
from menace.exporting.board_html import Mark, board_html
from menace.games import get_game
from menace.games.base import DEAD, GAP, STONE, Game

WILD = get_game("tictactoe", "3x3x3-wild")
TWO = get_game(*notakto.TWO)
NIM = get_game("nim", "3-4-5")
KILLED = "#########/X........:O"  # the first of two boards is dead


def html(game: Game, board: str) -> str:
    marks = [
        Mark(game.where(board, action), game.name_of(board, action), "wins", 0.5, str(action))
        for action in game.actions(board)
    ]
    return board_html(game.pieces(board), game.shape, marks)


def test_two_moves_on_one_cell_stand_side_by_side() -> None:
    for board in ("X........", "XO.XX...."):
        pieces = WILD.pieces(board)
        places = [place_of(WILD.where(board, action), pieces, 3) for action in WILD.actions(board)]
        assert len(set(places)) == len(places)
        for x, o in zip(WILD.actions(board)[::2], WILD.actions(board)[1::2], strict=True):
            (left, up), (right, down) = (place_of(WILD.where(board, action), pieces, 3) for action in (x, o))
            assert (up, right - left) == (down, 0.5)
            assert int(left) == int(right) == (x // 2) % 3
            assert offset(WILD.where(board, x)) == -offset(WILD.where(board, o)) < 0


def test_a_cell_of_two_moves_shows_both_signs_on_a_page_and_in_a_notebook() -> None:
    shown = html(WILD, "X........")
    signs = re.findall(r'<span class="put (first|second) w"[^>]*title="([XO][0-8])"><b>([XO])</b>([0-9]+)', shown)
    assert signs == [
        ("first" if sign == "X" else "second", f"{sign}{cell}", sign, str(2 * cell + number))
        for cell, (number, sign) in product(range(1, 9), enumerate("XO"))
    ]
    svg = board_svg(WILD, "X........", {2: "two", 3: "three"}, {2: 0.5})
    assert re.findall(">([^<]*)</text>", svg) == ["two", "three"]
    assert (svg.count("<path"), svg.count("<circle")) == (4 + 1 + 2 * 2, 1)  # lines, frame and two crosses; a nought


@pytest.mark.parametrize(("game", "board"), [(TWO, "XX......./X........:O"), (NIM, NIM.initial)])
def test_a_line_goes_through_the_cells_of_a_move_that_marks_several_on_a_page_as_in_a_picture(
    game: Game, board: str
) -> None:
    lines = re.findall(r'<path class=span d="([^"]*)"/>', html(game, board))
    marks = [Mark(game.where(board, action)) for action in game.actions(board)]
    shapes = shapes_of(game.pieces(board), game.shape, marks)
    assert lines == [path_of(shape) for shape in shapes if isinstance(shape, Line) and shape.role == "span"]
    assert lines
    assert "<tfoot" not in html(game, board)


def test_boards_stand_apart_and_dead_ones_are_filled() -> None:
    pieces = TWO.pieces(KILLED)
    assert blocks_of(pieces, TWO.shape) == [(0, 3), (4, 7)]
    assert (pieces.count(DEAD), pieces.count(GAP), pieces.count("X")) == (9, 3, 1)
    shown = html(TWO, KILLED)
    assert (shown.count("<td class=dead>"), shown.count("<td class=gap>"), shown.count("<td")) == (9, 3, 21)
    svg = board_svg(TWO, KILLED, {})
    assert svg.count('fill="white"') == 2  # a frame for each board
    assert len(re.findall(r'<rect x="\d+" y="\d+" width="1" height="1"', svg)) == 9
    assert GAP not in re.sub("<[^>]*>", "", svg)
    assert DEAD not in re.sub("<[^>]*>", "", svg)


def test_figures_leave_the_gap_out() -> None:
    from menace.drawing.picture import Place
    from menace.figures.boards import DEAD_GROUND, BoardDrawing, draw_boards, draw_key
    from menace.figures.style import new_figure, styled

    with styled():
        _, panels = new_figure(1, 2, (4, 2))
        sheet, key = panels.flat
        draw_boards(sheet, [BoardDrawing(TWO.pieces(KILLED), Place(0, 0, 70, 30), "white", False)], TWO.shape)
        draw_key(key, TWO.pieces(KILLED), TWO.shape, [Mark(TWO.where(KILLED, 10), amount="10", colour="red")], 8)
    filled = {patch.get_facecolor(): patch for patch in sheet.patches if patch.get_fill()}
    dead = next(patch for colour, patch in filled.items() if colour == _rgba(DEAD_GROUND))
    assert dead.get_path().get_extents().bounds == (0, 0, 30, 30)
    paths = [path for patch in key.patches for path in patch.get_path().to_polygons(closed_only=False)]
    assert not any(max(path[:, 0]) > 3 and min(path[:, 0]) < 4 for path in paths)  # nothing in the gap
    (mine,) = [patch for patch in key.patches if patch.get_facecolor() == _rgba("red")]
    assert mine.get_path().get_extents().bounds == (5, 0, 1, 1)
    assert [text.get_text() for text in key.texts] == ["10"]
    assert {text.get_text() for text in sheet.texts} == set()


def _rgba(colour: str) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return to_rgba(colour)  # type: ignore[no-any-return]


def test_on_paper_the_gap_is_paper_and_a_dead_board_is_grey() -> None:
    from pypdfium2 import PdfDocument
    from reportlab.pdfgen.canvas import Canvas

    from menace.labels.canvas import POINT, draw_board, register_fonts

    register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(70 / POINT, 30 / POINT))
    canvas.scale(1 / POINT, 1 / POINT)
    draw_board(canvas, TWO.pieces(KILLED), TWO.shape, (0, 0), 10)
    canvas.showPage()
    canvas.save()
    image = PdfDocument(file.getvalue())[0].render(scale=2).to_pil().convert("L")
    wide, high = image.size

    def shade(x: float, y: float) -> int:
        return int(image.getpixel((int(x * wide / 7), int(y * high / 3))))

    assert {shade(x + 0.5, y + 0.5) for x in range(3) for y in range(3)} == {205}
    assert {shade(3.5, y / 10) for y in range(2, 28)} == {255}  # no line through it
    assert {shade(4 + x + 0.5, y + 0.5) for x in range(1, 3) for y in range(3)} == {255}
    assert shade(4.5, 0.5) < 50  # the cross


@pytest.mark.parametrize(("variant", "board"), [("21-take3", "19:O"), ("3-4-5", "3-0-2:X"), ("3-4-5", "0-0-1:O")])
def test_a_heap_is_a_cup_with_its_number_and_what_can_be_taken(variant: str, board: str) -> None:
    game = get_game("nim", variant)
    pieces, (rows, columns) = game.pieces(board), game.shape
    heaps = board[:-2].split("-")
    assert [pieces[row * columns] for row in range(rows)] == heaps
    for action in game.actions(board):
        taken, _, heap = game.name_of(board, action).partition(" from heap ")
        cells = game.where(board, action).cells
        assert len(cells) == int(taken)
        assert {pieces[cell] for cell in cells} == {STONE}
        assert cells[0] == (int(heap) - 1) * columns + int(taken)  # so many stones up to there
    drawn = game.draw(board).splitlines()
    assert [line.count(STONE) for line in drawn] == list(map(int, heaps))
    assert [line.split()[-1] for line in drawn] == heaps
    assert max(map(len, get_game("nim", "99").draw("99:X").splitlines())) < 80
