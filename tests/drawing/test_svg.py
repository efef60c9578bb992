"""Tests that lines, pieces, shades and labels are in the correct places on SVG boards."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import notakto
import pytest
from trial_games import DOMINOES

from menace.drawing.boards import (
    AMOUNT,
    AMOUNT_SMALL,
    CELL,
    LINE,
    LOOKS,
    PIECES,
    PLACED_SIZE,
    REACH,
    STONE_RADIUS,
    STROKE,
    TIP,
    Disc,
    Mark,
    arrow_of,
    board_svg,
    cell_centre,
    outline_of,
    place_of,
    shade,
    shapes_of,
)
from menace.explorer.content.board_inputs import small_svg
from menace.games import get_game
from menace.games.base import DEAD, GAP, STONE, Board, Game, MoveMark

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    ("tictactoe", "3x3x3"),
    ("tictactoe", "2x5x3"),
    ("tictactoe", "3x3x3-wild"),
    notakto.TWO,
    ("hexapawn", "3x4"),
    ("nim", "3-4-5"),
    DOMINOES,
]


def random_game_boards(game: Game) -> Iterator[Board]:
    """Yield the boards of a random game, except for the final one."""
    dice, board = random.Random(1961), game.initial
    while game.outcome(board) is None:
        yield board
        board = game.play(board, dice.choice(list(game.actions(board))))


class Picture:
    """The shapes in an SVG board; coordinates are in cells."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)

    def rectangles(self, fill: str) -> list[tuple[float, ...]]:
        """Return (left, top, right, bottom) of each rectangle with the given fill colour."""
        rectangles = [rect.attrib for rect in self.root.iter(f"{SVG}rect") if rect.attrib["fill"] == fill]
        corners = [(float(rect["x"]), float(rect["y"])) for rect in rectangles]
        sizes = [(float(rect["width"]), float(rect["height"])) for rect in rectangles]
        return [(x, y, x + width, y + height) for (x, y), (width, height) in zip(corners, sizes, strict=True)]

    def paths(self, line: str) -> list[list[tuple[float, ...]]]:
        """Return the points of each open path with the given stroke colour."""
        paths = [path.attrib for path in self.root.iter(f"{SVG}path") if path.attrib["stroke"] == line]
        return [path_points(path["d"]) for path in paths if not path["d"].endswith("Z")]

    def arrows(self) -> list[tuple[str, list[tuple[float, ...]]]]:
        """Return (colour, corners) for each arrow and for each bar that joins a pair of cells."""
        paths = [path.attrib for path in self.root.iter(f"{SVG}path") if path.attrib["fill"] != "none"]
        return [(path["fill"], path_points(path["d"])) for path in paths if path["d"].count("L") in {3, 6}]

    def cross_centres(self, size: float = 1.0) -> list[tuple[float, ...]]:
        """Return the centres of the crosses that have the given relative size."""
        bars = [bar for bar in self.paths(LOOKS["X"].line) if bar[1][0] - bar[0][0] == pytest.approx(2 * REACH * size)]
        middles = [tuple(round((a + b) / 2, 3) for a, b in zip(*bar, strict=True)) for bar in bars]
        assert middles[::2] == middles[1::2]
        return middles[::2]

    def circle_centres(self, radius: float) -> list[tuple[float, ...]]:
        """Return the centres of the circles that have the given radius."""
        circles = [circle.attrib for circle in self.root.iter(f"{SVG}circle")]
        return [(float(c["cx"]), float(c["cy"])) for c in circles if float(c["r"]) == pytest.approx(radius)]

    def texts(self) -> list[tuple[str, float, float, float]]:
        """Return (text, size, x, y) for each text, where x and y are the coordinates of its centre."""
        texts = list(self.root.iter(f"{SVG}text"))
        assert all((t.attrib["text-anchor"], t.attrib["dominant-baseline"]) == ("middle", "central") for t in texts)
        return [(t.text or "", float(t.attrib["font-size"]), float(t.attrib["x"]), float(t.attrib["y"])) for t in texts]


def path_points(path: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, point.split())) for point in path[1:].rstrip("Z").split("L")]


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_frames_lines_and_pieces_match_cells(name: str, variant: str) -> None:
    game = get_game(name, variant)
    rows, columns = game.shape
    for board in random_game_boards(game):
        picture, pieces = Picture(board_svg(game, board, {}, scale=1.5)), game.pieces(board)
        size = [round(1.5 * CELL * cells) for cells in (columns, rows)]
        assert [int(picture.root.attrib[key]) for key in ("width", "height")] == size
        assert picture.root.attrib["viewBox"] == f"0 0 {columns} {rows}"
        frames, lines = picture.rectangles("white"), [(*start, *end) for start, end in picture.paths(LINE)]
        here = [any(pieces[row * columns + column] != GAP for row in range(rows)) for column in range(columns)]
        framed = [
            [(top, bottom) for left, top, right, bottom in frames if left < x + 0.5 < right] for x in range(columns)
        ]
        assert framed == [[(0, rows)] if there else [] for there in here]
        assert sum(right - left for left, _, right, _ in frames) == sum(here)
        # Exactly one line separates adjacent cells, and the board contains no other lines.
        joints = [column + 1 for column, both in enumerate(pairwise(here)) if all(both)]
        upright = [(x, end) for x, start, to, end in lines if (x, start) == (to, 0)]
        assert upright == [(x, rows) for x in joints]
        level = [(x, y, to) for x, y, to, end in lines if y == end]
        assert Counter((x, y) for left, y, to in level for x in range(int(left), int(to))) == Counter(
            (x, y) for x in range(columns) for y in range(1, rows) if here[x]
        )
        assert all(start in {left for left, *_ in frames} for start, _, _ in level)
        assert len(upright) + len(level) == len(lines)
        at = {
            piece: [cell_centre(n, columns) for n, sign in enumerate(pieces) if sign == piece]
            for piece in {*pieces, "X"}
        }
        assert picture.cross_centres() == at["X"]
        assert picture.circle_centres(REACH) == at.get("O", [])
        assert [(text, x, y) for text, _, x, y in picture.texts()] == [
            (piece, *cell_centre(n, columns)) for n, piece in enumerate(pieces) if piece not in PIECES
        ]
        dead = [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in at.get(DEAD, [])]
        assert picture.rectangles(LINE) == dead


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_amounts_shades_and_signs_are_at_their_moves(name: str, variant: str) -> None:
    game = get_game(name, variant)
    for board in random_game_boards(game):
        actions = list(game.actions(board))
        shares = {action: number / len(actions) for number, action in enumerate(actions)}
        picture = Picture(board_svg(game, board, {action: f"<{action}>" for action in actions}, shares))
        places = {action: place_of(game.where(board, action), game.pieces(board), game.shape[1]) for action in actions}
        written = {text: (size, x, y) for text, size, x, y in picture.texts() if text.startswith("<")}
        for action in actions[1:]:  # the share of the first action is 0
            where, colour = game.where(board, action), shade(shares[action])
            arrow = arrow_of(where, game.pieces(board), game.shape[1])
            if arrow is not None:
                outline = [pytest.approx(corner, abs=1e-3) for corner in outline_of(arrow)]
                assert outline in [corners for fill, corners in picture.arrows() if fill == colour]
                continue
            x, y = places[action]
            half = 0.25 if where.places else 0.5  # two moves on the same cell get half each
            assert pytest.approx((x - half, y - 0.5, x + half, y + 0.5)) in picture.rectangles(colour)
        for action, (x, y) in places.items():
            size, text_x, text_y = written[f"<{action}>"]
            puts = game.where(board, action).places
            if puts:  # the sign is above the text, and both fit into the cell
                signs = (
                    picture.cross_centres(PLACED_SIZE) if puts == "X" else picture.circle_centres(REACH * PLACED_SIZE)
                )
                (sign_y,) = [at for at_x, at in signs if (at_x, int(at)) == (pytest.approx(x), int(y))]
                assert (size, text_x) == (AMOUNT_SMALL, x)
                reach = REACH * PLACED_SIZE
                assert int(y) < sign_y - reach < sign_y + reach < text_y - AMOUNT_SMALL / 2
                assert text_y + AMOUNT_SMALL / 2 < int(y) + 1
            else:
                assert (size, text_x, text_y) == (AMOUNT, pytest.approx(x, abs=1e-4), pytest.approx(y, abs=1e-4))
        several = [game.where(board, action).cells for action in actions if len(game.where(board, action).cells) > 1]
        spans = [line for line in picture.paths(LINE) if {x % 1 for x, _ in line} == {0.5}]
        assert spans == [[cell_centre(cell, game.shape[1]) for cell in cells] for cells in several]


@pytest.mark.parametrize(
    ("piece", "aside", "edge"),
    [
        ("", 0.0, TIP),
        (DEAD, 0.0, TIP),
        ("O", 0.0, REACH + STROKE / 2),
        ("O", 1.0, REACH + STROKE / 2),
        (STONE, 0.0, STONE_RADIUS + STROKE / 2),
        ("X", 0.0, REACH),
        ("X", 1.0, REACH * 2**0.5),  # the end of one line of the cross
    ],
)
def test_arrow_ends_at_edge_of_piece_and_head_clears_bead(piece: str, aside: float, edge: float) -> None:
    taken = (0.5 + aside, 0.5)
    pieces = [piece if cell_centre(cell, 2) == taken else "" for cell in range(4)]
    mark = Mark(MoveMark(arrow=(2, pieces.index(piece))))
    shapes = shapes_of(pieces, (2, 2), [mark])
    ((_, _, left, tip, right, _, _),) = [shape.points for shape in shapes if shape.role == "arrow"]
    ((bead, radius),) = [(shape.points[0], shape.radius) for shape in shapes if isinstance(shape, Disc) and shape.mark]
    assert math.dist(tip, taken) == pytest.approx(edge)
    assert (tip[0] - 0.5) == pytest.approx(aside * (1.5 - tip[1]))  # on the line between the two cell centres
    if edge > TIP:
        neck = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
        assert math.dist(bead, tip) >= math.dist(neck, tip) + radius - 1e-5


def test_shades_darken_with_share_and_pages_use_css_ink() -> None:
    assert shade(0) == "#ffffff"
    assert sorted((shade(share / 10) for share in range(11)), reverse=True) == [
        shade(share / 10) for share in range(11)
    ]
    assert "var(" not in board_svg(get_game(), "XO.......", {})
    assert small_svg(get_game(), "XO.......").count("var(--ink, ") == 3  # two lines of the cross and one circle
