"""Appearance of boards by game: labels, tables, figures and pages of games other than m,n,k."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import notakto
import numpy as np
import pypdfium2
import pytest
from commands import Run, refused
from dominoes import DOMINOES
from ledger import selfplay
from matplotlib.collections import PolyCollection

from menace.analysis.bead_names import BeadNames, contents_header, contents_rows
from menace.analysis.trajectories import openings_of
from menace.drawing.boards import ARROW_BEAD, arrow_of, place_of
from menace.errors import InvalidSetting
from menace.exporting import formats
from menace.exporting.game_graph import game_graph
from menace.figures.kinds.beads import bead_map_figure, bead_map_of
from menace.figures.kinds.openings import openings_figure
from menace.figures.picture import draw
from menace.figures.style import styled
from menace.games import get_game
from menace.games.base import Game, is_of_cells
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.labels import LabelSheet, kit_pdf, labels_pdf
from menace.labels.kit import kit_of, won_after
from menace.labels.pages import bead_counts
from menace.ledger.database_file import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.physical import compare_count
from menace.site import export_site
from menace.text.naming_schemes import Naming

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
OTHERS = [("hexapawn", "3x3"), ("nim", "3-4-5")]

Case = tuple[str, str]


@cache
def positions_for(case: Case) -> Positions:
    return enumerate_positions(get_game(*case))


@pytest.fixture(params=CASES, ids="-".join)
def positions(request: pytest.FixtureRequest) -> Positions:
    return positions_for(request.param)


@pytest.fixture(scope="module", params=OTHERS, ids="-".join)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with create_database(tmp_path_factory.mktemp("look") / "look.db", *request.param) as opened:
        selfplay(opened, games=100, seed=1)
        new_learner(opened, "td", "X", "zhang")
        yield opened


# What a game says.


def boards_of(positions: Positions) -> Iterator[tuple[Game, str]]:
    few = max(
        1, len(positions) * len(positions.symmetries) // 4000
    )  # of two boards of notakto there are 150,000 images
    for number, board in enumerate(positions.boards):
        for symmetry in positions.symmetries[number % few :: few]:
            yield positions.game, symmetry.board(board)


def test_each_cell_has_its_piece_and_each_move_its_place_and_name(positions: Positions) -> None:
    for game, board in boards_of(positions):
        cells, actions = math.prod(game.shape), game.actions(board)
        assert len(game.pieces(board)) == cells
        assert not any(piece.isspace() or len(piece) > 3 for piece in game.pieces(board))
        wheres = [game.where(board, action) for action in actions]
        for where in wheres:
            assert bool(where.cells) != (where.ends is not None)
            assert set(where.cells) | set(where.ends or ()) <= set(range(cells))
        assert len({(place_of(where, game.pieces(board), game.shape[1]), where.places) for where in wheres}) == len(
            actions
        )
        names = [game.name_of(board, action) for action in actions]
        assert [game.parse_action(board, name) for name in names] == list(actions)
        assert len(set(names)) == len(names)
        assert game.draw(board)


def test_what_a_move_changes_is_where_it_is_seen(positions: Positions) -> None:
    """The pieces that come, go or change are on the cells that a move marks, or at the ends of its arrow.

    Of a heap that has more stones than can be taken a move changes the number alone, which is in the same row.
    """
    for game, board in boards_of(positions):
        for action in game.actions(board):
            where = game.where(board, action)
            both = zip(game.pieces(board), game.pieces(game.play(board, action)), strict=True)
            changed = {cell for cell, (before, after) in enumerate(both) if before != after}
            if game.name == "nim":
                assert {cell // game.shape[1] for cell in changed} == {cell // game.shape[1] for cell in where.cells}
                continue
            assert changed == set(where.cells or where.ends or ())


def test_only_marks_on_cells_are_moves_that_are_cells(positions: Positions) -> None:
    game = positions.game
    marks = game.name == "tictactoe" and "wild" not in game.variant
    assert is_of_cells(game, game.initial, game.actions(game.initial)) == (marks or game.variant == "1")


@pytest.mark.parametrize("case", [("hexapawn", "3x3"), ("hexapawn", "4x3")])
def test_beads_on_arrows_do_not_lie_over_each_other(case: Case) -> None:
    for game, board in boards_of(positions_for(case)):
        pieces, columns = game.pieces(board), game.shape[1]
        arrows = [arrow_of(game.where(board, action), pieces, columns) for action in game.actions(board)]
        for first, second in itertools.combinations(arrows, 2):
            assert first is not None
            assert second is not None
            assert math.dist(first.bead, second.bead) > 2 * ARROW_BEAD


# Beads.


def test_each_move_of_a_box_has_a_colour_of_its_own_and_is_found_by_all_its_names(store: Store) -> None:
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


def test_contents_can_be_counted_again(store: Store) -> None:
    machine = named_machine(store, "menace-x")
    names, boxes = BeadNames(machine.positions, Naming()), machine.matchboxes
    header, rows = contents_header(boxes, names), list(contents_rows(boxes, names))
    assert "move" in header
    assert "cell" not in header
    lines = [",".join(header), *(",".join(map(str, row)) for row in rows)]
    same = compare_count(store, "menace-x", "\n".join(lines), names)
    assert (same.counted, same.different) == (len(rows), [])
    named = ["box,move,counted", *(f"{row[0]},{row[3]},{row[5]}" for row in rows)]
    assert compare_count(store, "menace-x", "\n".join(named), names) == same
    recounted = [",".join(map(str, (*row[:5], row[5] + 1, *row[6:]))) for row in rows]  # type: ignore[operator]
    changed = compare_count(store, "menace-x", "\n".join([lines[0], *recounted]), names)
    assert [difference.counted - difference.beads for difference in changed.different] == [1] * len(rows)


@pytest.mark.parametrize("naming", [Naming("michie"), Naming(numbering="michie")])
def test_michies_schemes_are_of_his_cells(store: Store, naming: Naming) -> None:
    with pytest.raises(InvalidSetting, match=r"the moves of (hexapawn|nim) .* are not cells; take 'menace'"):
        kit_of(store, "menace-x", LabelSheet(colours=naming.colours, numbering=naming.numbering))


def test_a_box_of_more_moves_than_colours_is_refused_in_one_line(run: Run) -> None:
    with create_database("menace.db", "nim", "3-4-6") as store:
        new_learner(store, "x", "X")
        export_site(store, "site")  # a site does without colours
    for command in (["labels", "x", "x.pdf"], ["contents", "x"], ["physical", "x"]):
        refused(run(*command), "6-4-3:X has 13 different moves, more than the 12 colours of beads")
    assert not Path("x.pdf").exists()


# Labels.


def test_every_box_has_a_label_with_the_numbers_of_its_beads(store: Store) -> None:
    sheet = LabelSheet()
    kit = kit_of(store, "menace-o", sheet)
    content, printed = kit_pdf(kit, sheet)
    pages = [page.get_textpage() for page in pypdfium2.PdfDocument(content)]
    assert printed.labels == len(kit.boxes)
    height = sheet.paper_size[1]
    for index, box in enumerate(kit.boxes):
        number, place = divmod(index, sheet.labels)
        (x, y), point = sheet.place(place), 25.4 / 72
        corners = (x / point, y / point, (x + sheet.width) / point, (y + sheet.height) / point)
        words = pages[number].get_text_bounded(*corners).split()
        assert height > y > 0
        assert {str(box.number), box.board, *(str(bead.number) for bead in kit.beads(box).values())} <= set(words)


def test_the_other_pages_speak_of_the_game_that_it_is(store: Store) -> None:
    text = " ".join(
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(labels_pdf(store, "menace-o")[0])
    )
    text = " ".join(text.split())
    assert positions_of(store).game.rules in text
    assert "in a row wins" not in text
    assert "empty cell" not in text or "hexapawn" in text  # X, O and empty cells order its boards
    counts = bead_counts(kit_of(store, "menace-o", LabelSheet()))
    boxes = named_machine(store, "menace-o").matchboxes
    assert sum(count.now for count in counts) == sum(box.beads for box in boxes)
    assert sum(count.boxes for count in counts) == sum(len(box.moves) for box in boxes)


def test_games_that_are_won_last_as_long_as_brute_force_finds(positions: Positions) -> None:
    game, wanted = positions.game, set()
    here, moves = {game.initial}, 0
    while here:
        wanted |= {(moves, game.outcome(board)) for board in here} - {(moves, None), (moves, "draw")}
        here, moves = {game.play(board, action) for board in here for action in game.actions(board)}, moves + 1
    lengths = won_after(positions)
    assert {(n, side) for n, *won in lengths for side, has in zip("XO", won, strict=True) if has} == wanted


# Figures.


def test_a_map_shades_every_move_by_its_share(store: Store) -> None:
    game = positions_of(store).game
    for name in ("menace-o", "td"):
        shown = bead_map_of(store, name)
        for box in shown.boxes:
            assert [where for where, _ in box.moves] == [game.where(box.board, a) for a in game.actions(box.board)]
            assert sum(share for _, share in box.moves) == pytest.approx(0 if box.empty else 1)
        figure = bead_map_figure(shown)
        shaded = {artist.get_gid(): artist for artist in figure.findobj(PolyCollection) if artist.get_gid()}
        wanted = [share for box in shown.boxes for _, share in box.moves if share]
        drawn = shaded["arrows" if game.name == "hexapawn" else "shares"]
        assert np.asarray(drawn.get_array()).tolist() == wanted


def test_openings_name_their_moves_and_show_them(store: Store) -> None:
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


def test_the_picture_calls_the_game_by_its_name(store: Store) -> None:
    with styled():
        drawn = draw(store, "optimal")
    texts = [text.get_text() for text in drawn.figure.axes[0].texts]
    assert f"Perfect play at {positions_of(store).title}" in texts
    assert "the first board" in texts
    assert not any("tic-tac-toe" in text or "empty" in text for text in texts)


def test_dot_draws_the_pieces(store: Store) -> None:
    game = positions_of(store).game
    text = formats.dot(game_graph(store), game).decode()
    stone = {"hexapawn": 'label="O O O\\n. . .\\nX X X"', "nim": 'label="5 ● ● ● ● ●\\n4 ● ● ● ● .\\n3 ● ● ● . ."'}
    assert stone[game.name] in text
