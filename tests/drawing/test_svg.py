"""Boards as SVG: every line, piece, shade and text lies where its game says, within a picture of the right size."""

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


def boards_of_a_game(game: Game) -> Iterator[Board]:
    """Yield the boards of a game by chance, all but the last."""
    dice, board = random.Random(1961), game.initial
    while game.outcome(board) is None:
        yield board
        board = game.play(board, dice.choice(list(game.actions(board))))


class Picture:
    """What an SVG draws, in cells."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)

    def rectangles(self, fill: str) -> list[tuple[float, ...]]:
        """Return (left, top, right, bottom) of the rectangles of a colour."""
        rectangles = [rect.attrib for rect in self.root.iter(f"{SVG}rect") if rect.attrib["fill"] == fill]
        corners = [(float(rect["x"]), float(rect["y"])) for rect in rectangles]
        sizes = [(float(rect["width"]), float(rect["height"])) for rect in rectangles]
        return [(x, y, x + width, y + height) for (x, y), (width, height) in zip(corners, sizes, strict=True)]

    def paths(self, line: str) -> list[list[tuple[float, ...]]]:
        """Return the points of the open lines of a colour."""
        paths = [path.attrib for path in self.root.iter(f"{SVG}path") if path.attrib["stroke"] == line]
        return [points(path["d"]) for path in paths if not path["d"].endswith("Z")]

    def arrows(self) -> list[tuple[str, list[tuple[float, ...]]]]:
        """Return (colour, corners) of the arrows, and of the bars of pairs."""
        paths = [path.attrib for path in self.root.iter(f"{SVG}path") if path.attrib["fill"] != "none"]
        return [(path["fill"], points(path["d"])) for path in paths if path["d"].count("L") in {3, 6}]

    def crosses(self, size: float = 1.0) -> list[tuple[float, ...]]:
        """Return the middles of the crosses of a size."""
        bars = [bar for bar in self.paths(LOOKS["X"].line) if bar[1][0] - bar[0][0] == pytest.approx(2 * REACH * size)]
        middles = [tuple(round((a + b) / 2, 3) for a, b in zip(*bar, strict=True)) for bar in bars]
        assert middles[::2] == middles[1::2]
        return middles[::2]

    def rounds(self, radius: float) -> list[tuple[float, ...]]:
        """Return the middles of the circles of a size."""
        circles = [circle.attrib for circle in self.root.iter(f"{SVG}circle")]
        return [(float(c["cx"]), float(c["cy"])) for c in circles if float(c["r"]) == pytest.approx(radius)]

    def texts(self) -> list[tuple[str, float, float, float]]:
        """Return (text, size, x, y) of what is written, x and y of its middle."""
        texts = list(self.root.iter(f"{SVG}text"))
        assert all((t.attrib["text-anchor"], t.attrib["dominant-baseline"]) == ("middle", "central") for t in texts)
        return [(t.text or "", float(t.attrib["font-size"]), float(t.attrib["x"]), float(t.attrib["y"])) for t in texts]


def points(path: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, point.split())) for point in path[1:].rstrip("Z").split("L")]


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_frames_lines_and_pieces_are_those_of_the_cells(name: str, variant: str) -> None:
    game = get_game(name, variant)
    rows, columns = game.shape
    for board in boards_of_a_game(game):
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
        # Between two cells that touch there is one line, and there are no others.
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
        assert picture.crosses() == at["X"]
        assert picture.rounds(REACH) == at.get("O", [])
        assert [(text, x, y) for text, _, x, y in picture.texts()] == [
            (piece, *cell_centre(n, columns)) for n, piece in enumerate(pieces) if piece not in PIECES
        ]
        dead = [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in at.get(DEAD, [])]
        assert picture.rectangles(LINE) == dead


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_what_is_known_of_a_move_stands_where_the_move_is(name: str, variant: str) -> None:
    game = get_game(name, variant)
    for board in boards_of_a_game(game):
        actions = list(game.actions(board))
        shares = {action: number / len(actions) for number, action in enumerate(actions)}
        picture = Picture(board_svg(game, board, {action: f"<{action}>" for action in actions}, shares))
        places = {action: place_of(game.where(board, action), game.pieces(board), game.shape[1]) for action in actions}
        written = {text: (size, x, y) for text, size, x, y in picture.texts() if text.startswith("<")}
        for action in actions[1:]:  # the first has a share of 0
            where, colour = game.where(board, action), shade(shares[action])
            arrow = arrow_of(where, game.pieces(board), game.shape[1])
            if arrow is not None:
                outline = [pytest.approx(corner, abs=1e-3) for corner in outline_of(arrow)]
                assert outline in [corners for fill, corners in picture.arrows() if fill == colour]
                continue
            x, y = places[action]
            half = 0.25 if where.places else 0.5  # two moves on one cell share it
            assert pytest.approx((x - half, y - 0.5, x + half, y + 0.5)) in picture.rectangles(colour)
        for action, (x, y) in places.items():
            size, text_x, text_y = written[f"<{action}>"]
            puts = game.where(board, action).places
            if puts:  # its sign above the text, both within the cell
                signs = picture.crosses(PLACED_SIZE) if puts == "X" else picture.rounds(REACH * PLACED_SIZE)
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
        ("X", 1.0, REACH * 2**0.5),  # where a line of the cross ends
    ],
)
def test_an_arrow_ends_at_the_edge_of_a_piece_and_its_head_is_clear_of_its_bead(
    piece: str, aside: float, edge: float
) -> None:
    taken = (0.5 + aside, 0.5)
    pieces = [piece if cell_centre(cell, 2) == taken else "" for cell in range(4)]
    mark = Mark(MoveMark(arrow=(2, pieces.index(piece))))
    shapes = shapes_of(pieces, (2, 2), [mark])
    ((_, _, left, tip, right, _, _),) = [shape.points for shape in shapes if shape.role == "arrow"]
    ((bead, radius),) = [(shape.points[0], shape.radius) for shape in shapes if isinstance(shape, Disc) and shape.mark]
    assert math.dist(tip, taken) == pytest.approx(edge)
    assert (tip[0] - 0.5) == pytest.approx(aside * (1.5 - tip[1]))  # on the way from middle to middle
    if edge > TIP:
        neck = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
        assert math.dist(bead, tip) >= math.dist(neck, tip) + radius - 1e-5


def test_shades_go_from_white_to_dark_and_pages_have_their_own_ink() -> None:
    assert shade(0) == "#ffffff"
    assert sorted((shade(share / 10) for share in range(11)), reverse=True) == [
        shade(share / 10) for share in range(11)
    ]
    assert "var(" not in board_svg(get_game(), "XO.......", {})
    assert small_svg(get_game(), "XO.......").count("var(--ink, ") == 3  # two bars and a round
