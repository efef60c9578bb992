"""Tests of how each medium draws the boards of each game."""

from __future__ import annotations

import io
import itertools
import math
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import notakto
import numpy as np
import pypdfium2
import pytest
from commands import Run, refused
from database_templates import Case, positions_for
from matplotlib.collections import PolyCollection
from runs import selfplay
from trial_games import DOMINOES

from menace.analysis.bead_names import BeadNames, contents_table
from menace.analysis.replayed_learners import openings_of
from menace.drawing.boards import ARROW_BEAD, Line, arrow_of, blocks_of, board_svg, offset, path_of, place_of, shapes_of
from menace.errors import InvalidSetting
from menace.exporting import graphs
from menace.exporting.board_html import Mark, board_html
from menace.exporting.graphs import game_graph
from menace.figures.bead_map import bead_map_figure, load_bead_map
from menace.figures.first_moves import openings_figure
from menace.figures.game_graph import draw
from menace.figures.panels import menace_style
from menace.games import get_game
from menace.games.base import DEAD, GAP, STONE, Game, moves_are_cells
from menace.games.positions import Positions
from menace.labels import LabelSheet, kit_pdf
from menace.labels.kit import load_kit, winning_lengths
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.physical import compare_count
from menace.site import export_site
from menace.testing import check_game
from menace.text.bead_colours import Naming

pytestmark = pytest.mark.slow

CASES = [
    ("tictactoe", "3x3x3"),
    ("tictactoe", "2x3x2"),
    ("hexapawn", "3x3"),
    ("hexapawn", "4x3"),
    ("nim", "3-4-5"),
    ("nim", "9-take4-misere"),
    ("tictactoe", "2x2x2-wild"),
    ("tictactoe", "2x3x2-misere"),
    ("connect", "3x2x2"),
    notakto.ONE,
    DOMINOES,
]
OTHER_GAMES = [("hexapawn", "3x3"), ("nim", "3-4-5")]


@pytest.fixture(params=CASES, ids="-".join)
def positions(request: pytest.FixtureRequest) -> Positions:
    return positions_for(request.param)


@pytest.fixture(scope="module", params=OTHER_GAMES, ids="-".join)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with create_database(tmp_path_factory.mktemp("look") / "look.db", *request.param) as opened:
        selfplay(opened, games=100, seed=1)
        new_learner(opened, "td", "X", "zhang")
        yield opened


def sample_images(positions: Positions) -> Iterator[tuple[Game, str]]:
    few = max(1, len(positions) * len(positions.symmetries) // 1500)
    for number, board in enumerate(positions.boards):
        for symmetry in positions.symmetries[number % few :: few]:
            yield positions.game, symmetry.board(board)


def test_pieces_and_moves_are_consistent(positions: Positions) -> None:
    check_game(positions.game, boards=50, seed=1)


def test_move_changes_only_marked_cells(positions: Positions) -> None:
    """Pieces change only on the cells that a move marks or at the ends of the move's arrow.

    If a heap has too many stones for its row, a move changes only the number displayed in the row.
    """
    for game, board in sample_images(positions):
        for action in game.actions(board):
            where = game.where(board, action)
            both = zip(game.pieces(board), game.pieces(game.play(board, action)), strict=True)
            changed = {cell for cell, (before, after) in enumerate(both) if before != after}
            if game.name == "nim":
                assert {cell // game.shape[1] for cell in changed} == {cell // game.shape[1] for cell in where.cells}
                continue
            assert changed == set(where.cells or where.ends or ())


def test_moves_are_cells_only_in_games_that_place_one_kind_of_mark(positions: Positions) -> None:
    game = positions.game
    marks = game.name == "tictactoe" and "wild" not in game.variant
    assert moves_are_cells(game, game.initial, game.actions(game.initial)) == (marks or game.variant == "1")


@pytest.mark.parametrize("case", [("hexapawn", "3x3"), ("hexapawn", "4x3")])
def test_arrow_beads_do_not_overlap(case: Case) -> None:
    for game, board in sample_images(positions_for(case)):
        pieces, columns = game.pieces(board), game.shape[1]
        arrows = [arrow_of(game.where(board, action), pieces, columns) for action in game.actions(board)]
        for first, second in itertools.combinations(arrows, 2):
            assert first is not None
            assert second is not None
            assert math.dist(first.bead, second.bead) > 2 * ARROW_BEAD


def test_moves_have_unique_colours_and_are_found_by_any_name(store: Store) -> None:
    names = BeadNames(positions_of(store), Naming())
    for box in named_machine(store, "menace-o").matchboxes:
        beads = names.beads(box.board, [move.action for move in box.moves])
        assert [bead.number for bead in beads.values()] == list(range(1, len(beads) + 1))
        assert len({bead.colour for bead in beads.values()}) == len(beads)
        for action, bead in beads.items():
            for text in (bead.colour.name, str(bead.number), bead.name):
                assert names.bead(box.board, text) == action
            assert names.describe(box.board, action) == f"{bead.colour.name} ({bead.name})"
            assert names.action(box.board, bead.name) == action


def test_contents_table_is_accepted_as_a_count(store: Store) -> None:
    machine = named_machine(store, "menace-x")
    names = BeadNames(machine.positions, Naming())
    table = contents_table(machine.matchboxes, names)
    header, rows = table.columns, table.rows
    assert "move" in header
    assert "cell" not in header
    lines = [",".join(header), *(",".join(map(str, row)) for row in rows)]
    same = compare_count(store, "menace-x", "\n".join(lines), names)
    assert (same.counted, same.different) == (len(rows), [])
    named = ["box,move,counted", *(f"{row[0]},{row[3]},{row[5]}" for row in rows)]
    assert compare_count(store, "menace-x", "\n".join(named), names) == same
    recounted = [",".join(map(str, (*row[:5], row[5] + 1, *row[6:]))) for row in rows]
    changed = compare_count(store, "menace-x", "\n".join([lines[0], *recounted]), names)
    assert [difference.counted - difference.beads for difference in changed.different] == [1] * len(rows)


@pytest.mark.parametrize("naming", [Naming("michie"), Naming(numbering="michie")])
def test_michies_schemes_are_refused_for_moves_that_are_not_cells(store: Store, naming: Naming) -> None:
    with pytest.raises(InvalidSetting, match=r"the moves of (hexapawn|nim) .* are not cells; use the 'menace' schemes"):
        load_kit(store, "menace-x", LabelSheet(colours=naming.colours, numbering=naming.numbering))


def test_box_with_more_moves_than_colours_is_refused(run: Run) -> None:
    with create_database("menace.db", "nim", "3-4-6") as store:
        new_learner(store, "x", "X")
        export_site(store, "site")  # colours are not needed to export a site
    for command in (["labels", "x", "x.pdf"], ["contents", "x"], ["physical", "x"]):
        refused(run(*command), "6-4-3:X has 13 different moves, but there are only 12 bead colours")
    assert not Path("x.pdf").exists()


def test_every_box_has_label_with_bead_numbers(store: Store) -> None:
    sheet = LabelSheet()
    kit = load_kit(store, "menace-o", sheet)
    content, printed = kit_pdf(kit, sheet)
    pages = [page.get_textpage() for page in pypdfium2.PdfDocument(content)]
    assert printed.labels == len(kit.boxes)
    height = sheet.paper_size[1]
    for index, box in enumerate(kit.boxes):
        number, place = divmod(index, sheet.labels)
        (x, y), point = sheet.corner_of_label(place), 25.4 / 72
        corners = (x / point, y / point, (x + sheet.width) / point, (y + sheet.height) / point)
        words = pages[number].get_text_bounded(*corners).split()
        assert height > y > 0
        assert {str(box.number), box.board, *(str(bead.number) for bead in kit.beads(box).values())} <= set(words)


def test_winning_lengths_match_brute_force(positions: Positions) -> None:
    game, wanted = positions.game, set()
    here, moves = {game.initial}, 0
    while here:
        wanted |= {(moves, game.outcome(board)) for board in here} - {(moves, None), (moves, "draw")}
        here, moves = {game.play(board, action) for board in here for action in game.actions(board)}, moves + 1
    lengths = winning_lengths(positions)
    assert {(n, side) for n, *won in lengths for side, has in zip("XO", won, strict=True) if has} == wanted


def test_bead_map_shades_moves_by_share(store: Store) -> None:
    game = positions_of(store).game
    for name in ("menace-o", "td"):
        shown = load_bead_map(store, name)
        for box in shown.boxes:
            assert [where for where, _ in box.moves] == [game.where(box.board, a) for a in game.actions(box.board)]
            assert sum(share for _, share in box.moves) == pytest.approx(0 if box.empty else 1)
        figure = bead_map_figure(shown)
        shaded = {artist.get_gid(): artist for artist in figure.findobj(PolyCollection) if artist.get_gid()}
        wanted = [share for box in shown.boxes for _, share in box.moves if share]
        drawn = shaded["arrows" if game.name == "hexapawn" else "shares"]
        assert np.asarray(drawn.get_array()).tolist() == wanted


def test_openings_figure_names_moves(store: Store) -> None:
    game = positions_of(store).game
    shown = openings_of(store, ["menace-o"])[:4]
    for opening in shown:
        assert not opening.of_cells
        assert opening.pieces == game.pieces(opening.board)
        for names, cells in zip(opening.names, opening.cells, strict=True):
            assert list(names) == [game.name_of(opening.board, cell) for cell in cells]
    figure = openings_figure(shown)
    texts = {text.get_text().split(":")[0] for axes in figure.axes for text in axes.texts}
    assert {opening.name_of(0) for opening in shown} <= texts


def test_picture_contains_game_title(store: Store) -> None:
    with menace_style():
        drawn = draw(store, "optimal")
    texts = [text.get_text() for text in drawn.figure.axes[0].texts]
    assert f"Perfect play at {positions_of(store).title}" in texts
    assert "the first board" in texts
    assert not any("tic-tac-toe" in text or "empty" in text for text in texts)


def test_dot_labels_contain_pieces(store: Store) -> None:
    game = positions_of(store).game
    text = graphs.dot(game_graph(store), game).decode()
    stone = {"hexapawn": 'label="O O O\\n. . .\\nX X X"', "nim": 'label="5 ● ● ● ● ●\\n4 ● ● ● ● .\\n3 ● ● ● . ."'}
    assert stone[game.name] in text


WILD = get_game("tictactoe", "3x3x3-wild")
TWO_BOARDS = get_game(*notakto.TWO)
NIM = get_game("nim", "3-4-5")
FIRST_BOARD_DEAD = "#########/X........:O"


def marked_board_html(game: Game, board: str) -> str:
    marks = [
        Mark(game.where(board, action), game.name_of(board, action), "wins", 0.5, str(action))
        for action in game.actions(board)
    ]
    return board_html(game.pieces(board), game.shape, marks)


def test_two_moves_on_one_cell_are_side_by_side() -> None:
    for board in ("X........", "XO.XX...."):
        pieces = WILD.pieces(board)
        places = [place_of(WILD.where(board, action), pieces, 3) for action in WILD.actions(board)]
        assert len(set(places)) == len(places)
        for x, o in zip(WILD.actions(board)[::2], WILD.actions(board)[1::2], strict=True):
            (left, up), (right, down) = (place_of(WILD.where(board, action), pieces, 3) for action in (x, o))
            assert (up, right - left) == (down, 0.5)
            assert int(left) == int(right) == (x // 2) % 3
            assert offset(WILD.where(board, x)) == -offset(WILD.where(board, o)) < 0


def test_cell_with_two_moves_shows_both_signs_in_html_and_svg() -> None:
    shown = marked_board_html(WILD, "X........")
    signs = re.findall(r'<span class="put (first|second) w"[^>]*title="([XO][0-8])"><b>([XO])</b>([0-9]+)', shown)
    assert signs == [
        ("first" if sign == "X" else "second", f"{sign}{cell}", sign, str(2 * cell + number))
        for cell, (number, sign) in product(range(1, 9), enumerate("XO"))
    ]
    svg = board_svg(WILD, "X........", {2: "two", 3: "three"}, {2: 0.5})
    assert re.findall(">([^<]*)</text>", svg) == ["two", "three"]
    # The paths are the grid lines, a frame, and two crosses of two lines each. The circle is a nought.
    assert (svg.count("<path"), svg.count("<circle")) == (4 + 1 + 2 * 2, 1)


@pytest.mark.parametrize(("game", "board"), [(TWO_BOARDS, "XX......./X........:O"), (NIM, NIM.initial)])
def test_html_and_svg_draw_same_line_through_cells_of_move(game: Game, board: str) -> None:
    lines = re.findall(r'<path class=span d="([^"]*)"/>', marked_board_html(game, board))
    marks = [Mark(game.where(board, action)) for action in game.actions(board)]
    shapes = shapes_of(game.pieces(board), game.shape, marks)
    assert lines == [path_of(shape) for shape in shapes if isinstance(shape, Line) and shape.role == "span"]
    assert lines
    assert "<tfoot" not in marked_board_html(game, board)


def test_html_and_svg_separate_boards_and_fill_dead_ones() -> None:
    pieces = TWO_BOARDS.pieces(FIRST_BOARD_DEAD)
    assert blocks_of(pieces, TWO_BOARDS.shape) == [(0, 3), (4, 7)]
    assert (pieces.count(DEAD), pieces.count(GAP), pieces.count("X")) == (9, 3, 1)
    shown = marked_board_html(TWO_BOARDS, FIRST_BOARD_DEAD)
    assert (shown.count("<td class=dead>"), shown.count("<td class=gap>"), shown.count("<td")) == (9, 3, 21)
    svg = board_svg(TWO_BOARDS, FIRST_BOARD_DEAD, {})
    assert svg.count('fill="white"') == 2  # one frame for each board
    assert len(re.findall(r'<rect x="\d+" y="\d+" width="1" height="1"', svg)) == 9
    assert GAP not in re.sub("<[^>]*>", "", svg)
    assert DEAD not in re.sub("<[^>]*>", "", svg)


def test_figures_draw_nothing_between_boards() -> None:
    from menace.drawing.game_picture import Place
    from menace.figures.boards import DEAD_COLOUR, BoardDrawing, draw_boards, draw_key
    from menace.figures.panels import menace_style, new_figure

    with menace_style():
        _, panels = new_figure(1, 2, (4, 2))
        sheet, key = panels.flat
        draw_boards(
            sheet,
            [BoardDrawing(TWO_BOARDS.pieces(FIRST_BOARD_DEAD), Place(0, 0, 70, 30), "white", False)],
            TWO_BOARDS.shape,
        )
        draw_key(
            key,
            TWO_BOARDS.pieces(FIRST_BOARD_DEAD),
            TWO_BOARDS.shape,
            [Mark(TWO_BOARDS.where(FIRST_BOARD_DEAD, 10), amount="10", colour="red")],
            8,
        )
    filled = {patch.get_facecolor(): patch for patch in sheet.patches if patch.get_fill()}
    dead = next(patch for colour, patch in filled.items() if colour == _rgba(DEAD_COLOUR))
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


def test_pdf_leaves_gap_white_and_fills_dead_board_grey() -> None:
    from pypdfium2 import PdfDocument
    from reportlab.pdfgen.canvas import Canvas

    from menace.labels.pdf import POINT, draw_board, register_fonts

    register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(70 / POINT, 30 / POINT))
    canvas.scale(1 / POINT, 1 / POINT)
    draw_board(canvas, TWO_BOARDS.pieces(FIRST_BOARD_DEAD), TWO_BOARDS.shape, (0, 0), 10)
    canvas.showPage()
    canvas.save()
    image = PdfDocument(file.getvalue())[0].render(scale=2).to_pil().convert("L")
    wide, high = image.size

    def shade(x: float, y: float) -> int:
        return int(image.getpixel((int(x * wide / 7), int(y * high / 3))))

    assert {shade(x + 0.5, y + 0.5) for x in range(3) for y in range(3)} == {205}
    assert {shade(3.5, y / 10) for y in range(2, 28)} == {255}  # no line crosses the gap
    assert {shade(4 + x + 0.5, y + 0.5) for x in range(1, 3) for y in range(3)} == {255}
    assert shade(4.5, 0.5) < 50  # the cross


@pytest.mark.parametrize(("variant", "board"), [("21-take3", "19:O"), ("3-4-5", "3-0-2:X"), ("3-4-5", "0-0-1:O")])
def test_nim_rows_show_heap_size_and_stones(variant: str, board: str) -> None:
    game = get_game("nim", variant)
    pieces, (rows, columns) = game.pieces(board), game.shape
    heaps = board[:-2].split("-")
    assert [pieces[row * columns] for row in range(rows)] == heaps
    for action in game.actions(board):
        taken, _, heap = game.name_of(board, action).partition(" from heap ")
        cells = game.where(board, action).cells
        assert len(cells) == int(taken)
        assert {pieces[cell] for cell in cells} == {STONE}
        # the number of stones from the start of the row up to this cell
        assert cells[0] == (int(heap) - 1) * columns + int(taken)
    drawn = game.draw(board).splitlines()
    assert [line.count(STONE) for line in drawn] == list(map(int, heaps))
    assert [line.split()[-1] for line in drawn] == heaps
    assert max(map(len, get_game("nim", "99").draw("99:X").splitlines())) < 80
