"""Tests of the PDF of labels: each page, rendered as a picture, and a label for every box."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from database_templates import fresh_database, learner_by_hand
from runs import boxes_of, train

import menace
from menace.analysis.bead_names import BeadNames
from menace.drawing.boards import MARK_RADIUS
from menace.errors import InvalidSetting, MissingExtra
from menace.games import get_game
from menace.games.symmetry import SymmetricGame
from menace.labels import LabelSheet, Printed, kit_pdf, labels_pdf, rules, write_labels
from menace.labels.kit import CROP_DISTANCE, FOOTER, HEADER, MARGIN, PAPERS, Kit, load_kit
from menace.labels.label import MIN_FONT_SIZE, arrange, stage_text, tint_of_stage
from menace.labels.pages import INDEX_CELL, NUMBER_BASELINE, bead_counts, cell_side
from menace.labels.pdf import (
    BOLD,
    HEIGHT_OF_CAPITALS,
    INK,
    SMALL,
    contrasting_ink,
    luminance,
    register_fonts,
    shorten,
    split_by_font,
    text_width,
)
from menace.labels.rules import fill_rules, play_rules, teach_rules
from menace.learners.algorithms.beads import MENACE, MenaceSettings, change_text
from menace.learners.box import Box, Move
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.text.bead_colours import Naming, bead_colours

pytestmark = pytest.mark.slow

POINT = 25.4 / 72
STRANGE = 'Ωλ <b>"日"</b> & 🎲 \\ $x =1+1 %s'
MACHINES = {
    "x": ("X", "menace", {}),
    "o": ("O", "menace", {}),
    "m61": ("X", "michie-1961", {}),
    "all": ("X", "menace", {"boxes": "all"}),
    "sunday": ("X", "manchester-sunday", {}),
    "code": ("O", "article-code", {}),
    STRANGE: ("X", "menace", {}),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("labels") / "labels.db") as store:
        for name, (plays, preset, settings) in MACHINES.items():
            learner_by_hand(store, name, plays, preset, settings)
        new_learner(store, "td", "O", "zhang")
        train(store, "x", "random", 200, seed=1)
        yield store


@functools.cache
def make_pdf(store: Store, name: str, sheet: LabelSheet) -> tuple[bytes, Printed]:
    """Return the PDF of the labels for a learner in `store`. Tests must not change it."""
    return labels_pdf(store, name, sheet)


def make_excerpt(store: Store, name: str, sheet: LabelSheet) -> tuple[bytes, Printed]:
    """Return a PDF that contains all other pages and the labels of a few boxes from each stage."""
    kit = load_kit(store, name, sheet)
    return kit_pdf(dataclasses.replace(kit, boxes=kit.boxes[::12], fresh=kit.fresh[::12]), sheet)


def document(store: Store, name: str, sheet: LabelSheet) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(make_pdf(store, name, sheet)[0])


def picture(page: pypdfium2.PdfPage, dots: float) -> np.ndarray[Any, Any]:
    """Return the pixels [rows, columns, 3] of a page, rendered with `dots` pixels per millimetre."""
    return np.asarray(page.render(scale=dots * POINT, rev_byteorder=True).to_numpy())[:, :, :3]


def text_within(page: pypdfium2.PdfPage, box: tuple[float, float, float, float]) -> list[str]:
    """Return the words inside a rectangle (left, bottom, right, top), given in mm."""
    return str(page.get_textpage().get_text_bounded(*(edge / POINT for edge in box))).split()


def colours_around(
    pixels: np.ndarray[Any, Any], dots: float, middle: tuple[float, float], cell: float
) -> Callable[[float, float], tuple[int, ...]]:
    """Return a function that looks up the colour at a given distance from a point.

    The point is given in mm, and the distances (to its right and above it) are given in cells.
    """

    def colour(right: float, up: float) -> tuple[int, ...]:
        across, down = middle[0] + right * cell, middle[1] - up * cell
        return tuple(pixels[int(down * dots), int(across * dots)].tolist())

    return colour


def read_piece(colour: Callable[[float, float], tuple[int, ...]]) -> str:
    """Return the piece in a cell that contains no bead, or `?` if the cell contains something else."""
    white = (255, 255, 255)
    if colour(0, 0) == colour(0.2, 0.2) == colour(-0.2, 0.2) == INK:
        return "X"
    if colour(0, 0) == white and colour(0.28, 0) == colour(0, -0.28) == INK:
        return "O"
    return "." if colour(0, 0) == colour(0.28, 0) == colour(0, -0.28) == white else "?"


def read_board(pixels: np.ndarray[Any, Any], dots: float, corner: tuple[float, float], cell: float) -> str:
    """Read a 3 x 3 board.

    `corner` is the lower left corner of the board, in mm from the upper left corner of the page.
    """
    middles = [(corner[0] + (x + 0.5) * cell, corner[1] - (2.5 - y) * cell) for y in range(3) for x in range(3)]
    return "".join(read_piece(colours_around(pixels, dots, middle, cell)) for middle in middles)


def find_words(page: pypdfium2.PdfPage, pattern: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield each match of a pattern in a page's text, with the match's left, right and lower edges.

    The edges are given in mm from the top left corner of the page.
    """
    text, height = page.get_textpage(), page.get_height()
    for match in re.finditer(pattern, text.get_text_range()):
        bottom = text.get_charbox(match.start())[1]
        left = text.get_charbox(match.start(), loose=True)[
            0
        ]  # the origin of the letter, from which the letter's left side bearing is measured
        right = text.get_charbox(match.end() - 1, loose=True)[2]
        yield match[0], left * POINT, right * POINT, (height - bottom) * POINT


SHEETS = [
    LabelSheet(),
    LabelSheet(20, 20),
    LabelSheet(35, 15),  # the front of a drawer
    LabelSheet(36, 53, "letter"),
    LabelSheet(100, 20, colours="michie", numbering="michie"),
]


@pytest.mark.parametrize("paper", PAPERS)
def test_labels_and_crop_marks_stay_inside_margins_without_overlap(paper: Any) -> None:
    widest, highest = LabelSheet(paper=paper).max_width, LabelSheet(paper=paper).max_height
    for width, height in itertools.product((20, 33.3, 50, 90.5, widest), (20, 27, 33, 101.7, highest)):
        sheet = LabelSheet(width, height, paper)
        places = [sheet.corner_of_label(index) for index in range(sheet.labels)]
        room_x, room_y = sheet.paper_size[0] - MARGIN, sheet.paper_size[1] - MARGIN - HEADER
        for line in sheet.crop_marks():
            assert MARGIN - 1e-6 <= min(line.x0, line.x1) <= max(line.x0, line.x1) <= room_x + 1e-6
            assert MARGIN + FOOTER - 1e-6 <= min(line.y0, line.y1) <= max(line.y0, line.y1) <= room_y + 1e-6
            for x, y in places:
                apart_x = max(x - max(line.x0, line.x1), min(line.x0, line.x1) - x - width)
                apart_y = max(y - max(line.y0, line.y1), min(line.y0, line.y1) - y - height)
                assert max(apart_x, apart_y) >= CROP_DISTANCE - 1e-6
        for (x, y), (other_x, other_y) in itertools.combinations(places, 2):
            assert abs(x - other_x) >= width + 2 or abs(y - other_y) >= height + 2


def test_every_label_edge_has_crop_marks_at_both_ends() -> None:
    sheet = LabelSheet()
    lines = sheet.crop_marks()
    for x, y in (sheet.corner_of_label(index) for index in range(sheet.labels)):
        for edge in (y, y + sheet.height):
            level = [line for line in lines if line.y0 == line.y1 == edge]
            assert any(line.x1 == pytest.approx(x - CROP_DISTANCE) for line in level)
            assert any(line.x0 == pytest.approx(x + sheet.width + CROP_DISTANCE) for line in level)
        for edge in (x, x + sheet.width):
            upright = [line for line in lines if line.x0 == line.x1 == edge]
            assert any(line.y1 == pytest.approx(y - CROP_DISTANCE) for line in upright)
            assert any(line.y0 == pytest.approx(y + sheet.height + CROP_DISTANCE) for line in upright)


def test_no_more_labels_would_fit_on_a_page() -> None:
    for paper in PAPERS:
        sheet = LabelSheet(paper=paper)
        assert (sheet.columns + 1) * (sheet.width + 3) - 3 > sheet.max_width
        assert (sheet.rows + 1) * (sheet.height + 3) - 3 > sheet.max_height


@pytest.mark.parametrize(
    ("sheet", "parts"),
    [
        ({"width": 19.9}, ["width of 19.9 mm", "too small", "20 to 184 mm"]),
        ({"width": 200}, ["width of 200 mm", "20 to 184 mm"]),
        ({"height": 14.9}, ["height of 14.9 mm", "too small", "15 to 250 mm"]),
        ({"height": 251}, ["height of 251 mm", "15 to 250 mm"]),
        ({"height": 240, "paper": "letter"}, ["height of 240 mm", "letter", "15 to 232.4 mm"]),
        ({"width": math.nan}, ["width of nan mm"]),
        ({"height": math.inf}, ["height of inf mm"]),
        ({"width": -50}, ["width of -50 mm"]),
        ({"paper": "a5"}, ["paper 'a5'", "a4, letter"]),
        ({"colours": "pink"}, ["colours 'pink'", "menace, michie"]),
        ({"numbering": "roman"}, ["numbering 'roman'", "menace, michie"]),
    ],
)
def test_unprintable_label_size_is_refused_with_valid_range(sheet: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InvalidSetting) as refused:
        LabelSheet(**sheet)
    for part in parts:
        assert part in str(refused.value)


def test_unreadably_small_board_is_refused() -> None:
    arrange(LabelSheet(20, 20), (3, 3))
    arrange(LabelSheet(20, 20), (3, 4))
    with pytest.raises(InvalidSetting, match=r"each cell of this 1 x 12 board is 1\.\d mm wide, but 3.5 mm"):
        arrange(LabelSheet(20, 20), (1, 12))


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (2, 6), (1, 5), (5, 1), (2, 2)])
def test_board_and_text_do_not_overlap_and_stay_inside_label(shape: tuple[int, int]) -> None:
    sizes = [*itertools.product((30, 50, 77, 184), (30, 33, 60, 250))]
    if shape == (3, 3):
        sizes += itertools.product((35, 40, 60, 184), (15, 16, 17, 20))
    for width, height in sizes:
        sheet = LabelSheet(width, height)
        layout = arrange(sheet, shape)
        left, bottom = layout.board
        right, top = left + layout.cell * shape[1], bottom + layout.cell * shape[0]
        x, y = layout.panel
        assert 1 <= left < right <= width - 1 + 1e-6
        assert 1 <= bottom < top <= height - 1 + 1e-6
        assert 1 <= x < x + layout.panel_size[0] <= width - 1 + 1e-6
        assert 1 <= y < y + layout.panel_size[1] <= height - 1 + 1e-6
        assert x >= right or y + layout.panel_size[1] <= bottom


def test_letters_on_drawer_labels_are_readable(store: Store) -> None:
    sheet, least = LabelSheet(35, 15), 0.95 * MIN_FONT_SIZE * HEIGHT_OF_CAPITALS
    page = document(store, "o", sheet)[0]
    words = [word for kind in ("O's (first|second|third) move", "[0-9] each") for word in find_words(page, kind)]
    assert len(words) == 2 * sheet.labels
    text = page.get_textpage()
    for match in re.finditer("O's|each", text.get_text_range()):
        # a letter that is as high as a capital, such as O or h
        letter = match.end() - 1 if match[0] == "each" else match.start()
        _, bottom, _, top = text.get_charbox(letter)
        assert (top - bottom) * POINT >= least


@pytest.mark.parametrize(
    ("name", "boxes", "sheet"), [("o", 289, LabelSheet(35, 15)), ("all", 338, LabelSheet())], ids=str
)
def test_every_box_has_one_label_with_number_stage_and_board(
    store: Store, name: str, boxes: int, sheet: LabelSheet
) -> None:
    content, printed = make_pdf(store, name, sheet)
    pdf = pypdfium2.PdfDocument(content)
    kit = load_kit(store, name, sheet)
    assert (printed.labels, len(kit.boxes), printed.pages) == (boxes, boxes, len(pdf))
    assert printed.label_pages == -(-boxes // sheet.labels)
    for index in range(printed.label_pages * sheet.labels):
        page, place = divmod(index, sheet.labels)
        x, y = sheet.corner_of_label(place)
        words = text_within(pdf[page], (x, y, x + sheet.width, y + sheet.height))
        if index >= boxes:
            assert words == []
            continue
        box = kit.boxes[index]
        assert box.number == index + 1
        numbers = [str(bead.number) for bead in kit.beads(box).values()]
        if not kit.settings.merged:
            numbers += [f"\N{MULTIPLICATION SIGN}{move.multiplicity}" for move in box.moves if move.multiplicity > 1]
        put_in = max(move.beads // (1 if kit.settings.merged else move.multiplicity) for move in kit.fresh[index].moves)
        wanted = [str(box.number), *stage_text(kit, box.stage).split(), kit.board_text(box.board), *numbers]
        wanted += [f"{put_in:,}", "each", *(["box"] if sheet == LabelSheet() else [])]
        assert sorted(words) == sorted(wanted)


@pytest.mark.parametrize("sheet", [SHEETS[0], SHEETS[2], SHEETS[4]], ids=str)
def test_label_cells_show_pieces_and_beads_of_the_box(store: Store, sheet: LabelSheet) -> None:
    """The pixels of a cell show a cross, a nought, a mark in the colour of its beads, or nothing."""
    name, dots = "o", 10.0
    kit, pdf = load_kit(store, name, sheet), document(store, name, sheet)
    arrangement = arrange(sheet, kit.shape)
    height = sheet.paper_size[1]
    page_shown, pixels = -1, np.empty(0)
    for box in kit.boxes[:: 1 if sheet.labels > 30 else 7]:
        page, place = divmod(box.number - 1, sheet.labels)
        if page != page_shown:
            page_shown, pixels = page, picture(pdf[page], dots)
        x, y = (a + b for a, b in zip(sheet.corner_of_label(place), arrangement.board, strict=True))
        for cell, content in enumerate(box.board):
            row, column = divmod(cell, 3)
            middle = (x + (column + 0.5) * arrangement.cell, height - y - (2.5 - row) * arrangement.cell)
            colour = colours_around(pixels, dots, middle, arrangement.cell)
            if content != ".":
                assert read_piece(colour) == content
            elif cell in {move.action for move in box.moves}:
                rgb = kit.beads(box)[cell].colour.rgb
                assert colour(0.78 * MARK_RADIUS, 0) == colour(-0.78 * MARK_RADIUS, 0) == rgb
                # the outline makes even white beads visible
                assert colour(0, 0.97 * MARK_RADIUS) != (255, 255, 255)
            else:
                assert read_piece(colour) == "."
        corner = (height - sheet.corner_of_label(place)[1] - 1.2, sheet.corner_of_label(place)[0] + sheet.width / 2)
        assert tuple(pixels[int(corner[0] * dots), int(corner[1] * dots)].tolist()) == tint_of_stage(box.stage)


@pytest.mark.parametrize(
    ("name", "sheet"),
    [*zip([*MACHINES][2:], SHEETS, strict=True), *(("by hand", sheet) for sheet in (SHEETS[0], SHEETS[1], SHEETS[3]))],
)
def test_margins_and_label_edges_are_blank(store: Store, name: str, sheet: LabelSheet) -> None:
    content, printed = kit_pdf(make_kit(), sheet) if name == "by hand" else make_excerpt(store, name, sheet)
    # the pages contain labels, the board, the index, the shopping list and the rules
    pdf, dots = pypdfium2.PdfDocument(content), 5.0
    edge = int((MARGIN - 0.3) * dots)  # the margin leaves room for the width of the lines
    for number in (0, printed.label_pages, printed.label_pages + 1, printed.pages - 2, printed.pages - 1):
        pixels = picture(pdf[number], dots)
        for strip in (pixels[:edge], pixels[-edge:], pixels[:, :edge], pixels[:, -edge:]):
            assert strip.min() == 255
    pixels, height = picture(pdf[0], dots), sheet.paper_size[1]
    for place in range(min(sheet.labels, printed.labels)):
        x, y = sheet.corner_of_label(place)
        upper, lower = (height - y - sheet.height) * dots, (height - y) * dots
        label = pixels[math.ceil(upper) : int(lower), math.ceil(x * dots) : int((x + sheet.width) * dots)]
        assert (label[[0, -1]] == 255).all()
        assert (label[:, [0, -1]] == 255).all()


def test_every_page_has_name_number_and_50_mm_ruler(store: Store) -> None:
    sheet, dots = LabelSheet(paper="letter"), 10.0
    pdf = document(store, "x", sheet)
    for number, page in enumerate(pdf, start=1):
        assert page.get_size() == pytest.approx((612, 792))
        header = text_within(page, (0, sheet.paper_size[1] - MARGIN - HEADER, *sheet.paper_size))
        assert header == ["x", "page", str(number), "of", str(len(pdf))]
        footer = " ".join(text_within(page, (0, 0, sheet.paper_size[0], MARGIN + FOOTER)))
        assert "50 mm" in footer
        assert "100 %" in footer
    row = picture(pdf[0], dots)[int((sheet.paper_size[1] - MARGIN - 4.5) * dots)].sum(axis=1)
    (dark,) = np.nonzero(row[: int(100 * dots)] < 300)
    assert (dark[-1] - dark[0]) / dots == pytest.approx(50, abs=0.4)


def test_index_lists_every_box_once_in_alphabetical_order(store: Store) -> None:
    for name in ("m61", "o"):
        sheet = LabelSheet()
        printed, kit = make_pdf(store, name, sheet)[1], load_kit(store, name, sheet)
        pdf = document(store, name, sheet)
        words: list[str] = []
        for number in range(printed.label_pages + 1, printed.pages - 2):
            words += text_within(pdf[number], (0, MARGIN + FOOTER, *sheet.paper_size))
        for box in kit.boxes:
            assert str(box.number) in words
        index = [word for word in words if word.isdigit()]
        assert len(set(index)) == len(kit.boxes)
        order = str.maketrans("XO.", "abc")
        for stage in kit.stages:
            boards = [box.board.translate(order) for box in kit.boxes if box.stage == stage]
            assert boards == sorted(boards)


def test_index_boards_are_above_their_box_numbers(store: Store) -> None:
    name = "o"
    content, printed = make_pdf(store, name, LabelSheet())
    pdf, dots = pypdfium2.PdfDocument(content), 12.0
    kit = load_kit(store, name, LabelSheet())
    boards = {}
    for number in range(printed.label_pages + 1, printed.pages - 2):
        pixels = picture(pdf[number], dots)
        for text, left, right, bottom in find_words(pdf[number], r"(?<![^\s])\d+(?=( \d+)*\s*(\r\n|$))"):
            if bottom < MARGIN + HEADER:
                continue  # the number of pages
            corner = (
                (left + right) / 2 - 1.5 * INDEX_CELL,
                bottom - NUMBER_BASELINE,
            )
            boards[int(text)] = read_board(pixels, dots, corner, INDEX_CELL)
    assert boards == {box.number: box.board for box in kit.boxes}


def test_boards_of_a_box_are_its_rotations_and_mirror_images(store: Store) -> None:
    content, printed = make_pdf(store, "x", LabelSheet())
    page, dots = pypdfium2.PdfDocument(content)[printed.pages - 1], 12.0
    pixels, kit, cell = picture(page, dots), load_kit(store, "x", LabelSheet()), (rules.IMAGE_WIDTH - 8) / 3
    ((_, left, _, bottom),) = find_words(page, "as on the label")
    corner = bottom - 1.4 * SMALL
    shown = [read_board(pixels, dots, (left + place * rules.IMAGE_WIDTH, corner), cell) for place in range(8)]
    assert len(set(shown)) == 8
    assert set(shown) == set(kit.images(shown[0]))
    assert shown[0] == kit.boxes[1].board


def test_label_shows_alphabetically_first_image_of_the_board(store: Store) -> None:
    kit = load_kit(store, "x", LabelSheet())
    order = str.maketrans("XO.", "abc")
    for box in kit.boxes:
        images = kit.images(box.board)
        assert min(image.translate(order) for image in images) == box.board.translate(order)
        assert all(kit.way_back(image, box.board).board(image) == box.board for image in images)


@pytest.mark.parametrize(("name", "sheet"), [("x", LabelSheet(paper="letter")), ("m61", SHEETS[4])], ids=str)
def test_board_cells_have_numbers_and_colours_of_labels(store: Store, name: str, sheet: LabelSheet) -> None:
    kit, dots = load_kit(store, name, sheet), 5.0
    page = document(store, name, sheet)[make_pdf(store, name, sheet)[1].label_pages]
    pixels, middles, side = picture(page, dots), {}, cell_side(kit, *sheet.room)
    for text, left, right, bottom in find_words(page, r"(?<=[\r\n ])[0-9](?=[\r\n ])"):
        if MARGIN + HEADER < bottom < sheet.paper_size[1] - MARGIN - FOOTER:
            middles[int(text)] = (left + right) / 2, bottom - 3
    assert set(middles) == set(kit.names.numbers_of_cells)
    for cell, number in enumerate(kit.names.numbers_of_cells):
        (x, y), (first_x, first_y) = middles[number], middles[kit.names.numbers_of_cells[0]]
        assert (x - first_x, y - first_y) == pytest.approx((cell % 3 * side, cell // 3 * side), abs=1)
        assert colours_around(pixels, dots, (x, y), 1)(4, 0) == kit.names.colours_of_cells[cell].rgb


def test_beads_to_buy_match_published_machines(store: Store) -> None:
    counts = bead_counts(load_kit(store, "x", LabelSheet()))
    assert sum(count.boxes for count in counts) == 1087
    assert sum(count.fresh for count in counts) == 1720
    assert [count.colour.name for count in counts][:2] == ["red", "orange"]


@pytest.mark.parametrize("name", MACHINES)
def test_present_beads_match_boxes(store: Store, name: str) -> None:
    kit = load_kit(store, name, LabelSheet())
    counts = bead_counts(kit)
    assert sum(count.now for count in counts) == sum(box.beads for box in boxes_of(store, name))
    assert sum(count.fresh for count in counts) == sum(box.beads for box in kit.fresh)
    assert (sum(count.now for count in counts) == sum(count.fresh for count in counts)) == (kit.games == 0)


@pytest.mark.parametrize("name", ["x", "sunday", "code"])
def test_spare_beads_suffice_for_nine_of_ten_machines(store: Store, name: str) -> None:
    """Test that at least one opponent makes a machine need as many spare beads as are listed.

    The number of beads added in each colour depends on the opponent.
    """
    plays, preset, settings = MACHINES[name]
    counts = {count.place: count.spare for count in bead_counts(load_kit(store, name, LabelSheet()))}
    enough: dict[int, list[tuple[float, float]]] = {place: [] for place in counts}
    for opponent in ("optimal", "random"):
        added, fresh = [], colours_of(menace.Machine(preset, plays, **settings))
        for seed in range(1, 101):
            machine = menace.Machine(preset, plays, **settings)
            menace.play_games(*machine.plays.x_and_o(machine, opponent), games=60, seed=seed)
            added.append(colours_of(machine) - fresh)
        for place, spare in counts.items():
            needed = np.array([of_machine[place] for of_machine in added])
            enough[place].append(((needed <= spare).mean(), (needed < spare).mean()))
    for place, shares in enough.items():
        assert min(share for share, _ in shares) >= 0.9
        assert counts[place] == 0 or min(share for _, share in shares) <= 0.9


def colours_of(machine: menace.Machine) -> np.ndarray[Any, Any]:
    """Return the number of beads for each cell, given that every cell has its own colour."""
    kept = machine.learned.kept
    return np.bincount(machine.positions.action[kept], machine.learned.amount[kept], 9).astype(int)


def test_shopping_list_prints_bead_counts(store: Store) -> None:
    printed, pdf = make_pdf(store, "x", LabelSheet())[1], document(store, "x", LabelSheet())
    text = pdf[printed.pages - 2].get_textpage().get_text_range().split()
    for count in bead_counts(load_kit(store, "x", LabelSheet())):
        line = [f"{number:,}" for number in (count.boxes, count.fresh, count.spare, count.to_buy, count.now)]
        assert set(line) <= set(text)
        assert count.colour.name.split()[0] in text
    assert {"1,087", "1,720", "304", "108", "183"} <= set(text)


@pytest.mark.parametrize(
    ("beads", "text"),
    [
        (3, "put the bead back and add 3 beads of its colour."),
        (1, "put the bead back and add 1 bead of its colour."),
        (0, "put the bead back."),
        (-1, "keep the bead out."),
        (-2, "keep the bead out, and remove 1 more bead of its colour, or all that are left."),
        (-3, "keep the bead out, and remove 2 more beads of its colour, or all that are left."),
    ],
)
def test_bead_change_is_described_as_manual_operation(beads: int, text: str) -> None:
    assert change_text(beads) == f"in each open box, {text}"


def test_rules_follow_settings_of_the_learner(store: Store) -> None:
    def printed_rules(name: str, **changes: Any) -> str:
        kit = load_kit(store, name, LabelSheet())
        kit = dataclasses.replace(kit, settings=dataclasses.replace(kit.settings, **changes))
        return " ".join([*fill_rules(kit), *play_rules(kit), *teach_rules(kit)])

    assert "4 for the first, 3 for the second, 2 for the third, 1 for the fourth move" in printed_rules("x")
    assert "the box is for, from the first to the fourth." in printed_rules("x")
    assert "5 beads of each colour on the box's label" in printed_rules("x", beads=(5,))
    assert "4 for the first, 2 for the second, 2 for the third, 2 for the fourth move" in printed_rules(
        "x", beads=(4, 2)
    )
    assert "initial beads back" in printed_rules("x")
    assert "resigns" in printed_rules("m61")
    assert "O threatens to win in two cells at the machine's 4th move" in " ".join(printed_rules("m61").split())
    assert "any empty cell" in printed_rules("x", when_empty="random")
    assert "If the box is empty" not in printed_rules("x", when_empty="restock-colour")
    assert "no beads of a colour left, put the colour's initial beads back" in printed_rules(
        "x", when_empty="restock-colour"
    )
    assert "no beads of a colour left" not in printed_rules("x")
    assert "plays X and begins" in printed_rules("x")
    assert "You play X" in printed_rules("o")
    assert "only one cell is left" in printed_rules("x")
    assert "has a box" in printed_rules("all")
    assert "twice" in printed_rules("sunday")
    assert "twice" not in printed_rules("x")
    for floor, beads in ((1, "1 bead"), (2, "2 beads")):
        kept = f"In each box, always leave at least {beads} of each colour on the box's label."
        assert kept in printed_rules("x", floor=floor, beads=(4, 3, 2))
    assert "at least" not in printed_rules("x")
    assert "add 7 beads" in printed_rules("x", win=7)
    last = printed_rules("m61", credit="last", win=2, draw=0, loss=-3)
    assert "The last bead drawn is then the bead for the machine's previous move." in last
    assert "won: in each open box, put the bead back; to the box of the last bead drawn, add 2 beads" in last
    assert "lost: do not put back the last bead drawn, and remove 2 more beads of its colour, or all" in last
    assert "last bead drawn" not in printed_rules("m61")
    assert "the colour with the most beads in the box" in printed_rules("code")
    assert "choose one of the box's colours at random" in printed_rules("code", epsilon=0.25)
    assert "after 5 moves +5, +6" in printed_rules("code")


@pytest.mark.parametrize(
    ("game", "variant", "text"),
    [
        (
            "hexapawn",
            "3x3",
            "Move along the arrow of the bead's colour on the label, and capture any piece at the arrow's end.",
        ),
        (
            "nim",
            "2-3",
            "The label marks a stone with the bead's colour; take this stone and all stones to its left in the row.",
        ),
        (
            "tictactoe",
            "2x2x2-wild",
            "The label shows a sign above the mark of the bead's colour; place this sign in that cell.",
        ),
        (
            "connect",
            "2x2x2",
            "The mark of the bead's colour on the label shows the move to play. In box 1, red is column 1.",
        ),
    ],
)
def test_rules_explain_marks_on_labels(game: str, variant: str, text: str, tmp_path: Path) -> None:
    with create_database(tmp_path / "a.db", game=game, variant=variant) as store:
        new_learner(store, "a", "X", settings={"boxes": "all"})
        assert text in " ".join(play_rules(load_kit(store, "a", LabelSheet())))


def test_names_in_any_script_appear_in_title_and_header(store: Store) -> None:
    content, printed = make_excerpt(store, STRANGE, LabelSheet())
    pdf = pypdfium2.PdfDocument(content)
    assert pdf.get_metadata_value("Title") == STRANGE
    assert printed.unwritten == "日🎲"
    header = " ".join(text_within(pdf[0], (0, 297 - MARGIN - HEADER, 150, 297)))
    assert header == STRANGE.replace("日", "[U+65E5]").replace("🎲", "[U+1F3B2]")
    last = pdf[len(pdf) - 1].get_textpage().get_text_range()
    assert "[U+65E5], [U+1F3B2] replace characters that the fonts" in last


def test_unsupported_characters_are_replaced_by_unicode_numbers() -> None:
    register_fonts()
    assert "".join(text for _, text in split_by_font("e\u0301\u05d0\u0928", BOLD)) == "é[U+05D0][U+0928]"
    long = shorten("W" * 60, BOLD, 3.5, 50)
    assert long.endswith("…")
    assert 40 < text_width(long, BOLD, 3.5) <= 50
    assert shorten("menace-x", BOLD, 3.5, 50) == "menace-x"


def test_numbers_are_readable_on_every_bead_colour() -> None:
    for scheme, colours in (("menace", bead_colours(12)), ("michie", bead_colours(9, "michie"))):
        for colour in colours:
            light, dark = sorted([luminance(colour.rgb), luminance(contrasting_ink(colour.rgb))], reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (scheme, colour)


def test_pdf_bytes_are_the_same_in_another_process(store: Store, tmp_path: Path) -> None:
    content = make_pdf(store, "x", LabelSheet())[0]
    code = (
        "import sys\nfrom menace.labels import write_labels\nfrom menace.ledger.create_and_open import open_database\n"
        "with open_database(sys.argv[1]) as store: write_labels(store, 'x', sys.argv[2])"
    )
    command = [sys.executable, "-c", code, str(store.path), str(tmp_path / "x.pdf")]
    subprocess.run(command, check=True, env={"PYTHONHASHSEED": "7"})
    assert (tmp_path / "x.pdf").read_bytes() == content


def test_file_has_the_returned_bytes(store: Store, tmp_path: Path) -> None:
    printed = write_labels(store, "o", tmp_path / "o.pdf", LabelSheet(paper="letter"))
    content, same = make_pdf(store, "o", LabelSheet(paper="letter"))
    assert (tmp_path / "o.pdf").read_bytes() == content
    assert printed == dataclasses.replace(same, content=content)


def test_missing_reportlab_prints_installation_hint(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r'pip install -e "\.\[print\]"'):
        labels_pdf(store, "x")


def make_kit() -> Kit:
    """Return a kit for 3x4x3 with a few boxes, two-digit cell numbers and five-digit box numbers."""
    game = get_game("tictactoe", "3x4x3")
    boards = ["............", "X..........O", "XO.....X...O", "XOOX...X...O", "XOOXXOOX...."]
    boxes = tuple(
        Box(
            stage,
            board,
            2 * stage,
            10_000 + 3 * stage,
            "beads",
            tuple(Move(cell, 1, 0, "wins", True, 4, 0.1) for cell, content in enumerate(board) if content == "."),
            game,
        )
        for stage, board in enumerate(boards)
    )
    settings = MenaceSettings(merged=False)
    names = BeadNames(SymmetricGame(game), Naming())
    return Kit("big", "X", 0, MENACE, settings, boxes, boxes, names, 12, ((5, True, False),), True)


def test_labels_are_printed_for_three_by_four_boards() -> None:
    kit, sheet = make_kit(), LabelSheet(30, 25)
    content, printed = kit_pdf(kit, sheet)
    pdf = pypdfium2.PdfDocument(content)
    for index, box in enumerate(kit.boxes):
        x, y = sheet.corner_of_label(index)
        words = text_within(pdf[0], (x, y, x + sheet.width, y + sheet.height))
        assert {str(box.number), *(str(move.action) for move in box.moves)} <= set(words)
    assert printed.labels == 5


def test_machine_with_one_box_is_described_in_the_singular(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "a.db", variant="1x3x3") as store:
        new_learner(store, "a", "X", settings={"floor": "1"})
        content, printed = labels_pdf(store, "a")
    assert (printed.labels, printed.label_pages) == (1, 1)
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)]
    text = " ".join(" ".join(pages).split())
    assert "Stick the label on a box" in text
    assert "Spare beads: " in text
    for wrong in (
        "1 boxes",
        "1 ways",
        "1 games",
        "the first to the first",
        "rotate or mirror the board",
        "belong to box",
    ):
        assert wrong not in text
    assert "share one colour" in text  # the two ends of the board are equivalent


@pytest.mark.parametrize("variant", ["2x2x2", "1x5x3", "5x1x3"])
@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_small_boards_with_and_without_symmetry_are_printed(variant: str, symmetry: Any, tmp_path: Path) -> None:
    with fresh_database(tmp_path / "a.db", variant=variant, symmetry=symmetry) as store:
        new_learner(store, "a", "X", settings={"boxes": "all"})
        content, printed = labels_pdf(store, "a")
        assert printed.labels == len(boxes_of(store, "a"))
        text = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content))
        assert ("share one box" in " ".join(text.split())) == (symmetry == "full")
        with pytest.raises(InvalidSetting):
            labels_pdf(store, "a", LabelSheet(colours="michie"))


@pytest.mark.parametrize("paper", PAPERS)
def test_stage_headings_repeat_and_are_followed_by_boxes(store: Store, paper: Any) -> None:
    sheet = LabelSheet(paper=paper)
    for name in ("x", "o"):
        printed, pdf = make_pdf(store, name, sheet)[1], document(store, name, sheet)
        kit, shown = load_kit(store, name, sheet), ""
        for number in range(printed.label_pages + 1, printed.pages - 2):
            lines = pdf[number].get_textpage().get_text_range().replace(kit.name, "", 1).splitlines()
            lines = [line for line in lines if "mm" not in line and "page" not in line and line.strip("0 ")]
            assert re.fullmatch(r"[0-9 ]+", lines[-1])  # a line of box numbers, not a heading
            if shown:
                assert lines[0].split(":")[0] in {f"{shown}, continued", *(stage_text(kit, n) for n in kit.stages)}
            shown = [line for line in lines if "move" in line][-1].split(":")[0].removesuffix(", continued")
        assert shown == stage_text(kit, kit.stages[-1])
