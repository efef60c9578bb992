"""A board as an SVG: every line, piece, shade and text lies where its game says, within a picture of the right size."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from menace.games import get_game
from menace.games.base import DEAD, GAP, Board, Game
from menace.games.look import arrow_of, place_of
from menace.games.svg import CELL, LINE, PIECE, SHADE, SMALL, TEXT, board_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    ("tictactoe", "3x3x3"),
    ("tictactoe", "2x5x3"),
    ("tictactoe", "3x3x3-wild"),
    ("notakto", "2"),
    ("hexapawn", "3x4"),
    ("nim", "3-4-5"),
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
        self.lines = [line for line in self.root.iter(f"{SVG}line") if "marker-end" not in line.attrib]
        self.arrows = [line for line in self.root.iter(f"{SVG}line") if "marker-end" in line.attrib]

    def rectangles(self, fill: str) -> list[tuple[float, ...]]:
        """Return (left, top, right, bottom) of the rectangles of a colour."""
        found = [rect.attrib for rect in self.root.iter(f"{SVG}rect") if rect.attrib["fill"] == fill]
        corners = [(float(rect.get("x", 0)), float(rect.get("y", 0))) for rect in found]
        sizes = [(float(rect["width"]), float(rect["height"])) for rect in found]
        return [
            (x / CELL, y / CELL, (x + width) / CELL, (y + height) / CELL)
            for (x, y), (width, height) in zip(corners, sizes, strict=True)
        ]

    def texts(self) -> list[tuple[str, int, float, float]]:
        """Return (text, size in pixels, x, y) of what is written, x and y of its middle."""
        found = list(self.root.iter(f"{SVG}text"))
        assert all((t.attrib["text-anchor"], t.attrib["dominant-baseline"]) == ("middle", "central") for t in found)
        return [
            (t.text or "", int(t.attrib["font-size"]), float(t.attrib["x"]) / CELL, float(t.attrib["y"]) / CELL)
            for t in found
        ]


def ends(line: ET.Element) -> tuple[float, ...]:
    return tuple(float(line.attrib[name]) / CELL for name in ("x1", "y1", "x2", "y2"))


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_frames_lines_and_pieces_are_those_of_the_cells(name: str, variant: str) -> None:
    game = get_game(name, variant)
    rows, columns = game.shape
    for board in boards_of_a_game(game):
        picture, pieces = Picture(board_svg(game, board, {}, scale=1.5)), game.pieces(board)
        size = [round(1.5 * CELL * cells) for cells in (columns, rows)]
        assert [int(picture.root.attrib[key]) for key in ("width", "height")] == size
        assert picture.root.attrib["viewBox"] == f"0 0 {CELL * columns} {CELL * rows}"
        frames, lines = picture.rectangles("white"), [ends(line) for line in picture.lines]
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
        cells = [(piece, divmod(cell, columns)) for cell, piece in enumerate(pieces)]
        written = [(piece, PIECE, x + 0.5, y + 0.5) for piece, (y, x) in cells if piece not in {"", GAP, DEAD}]
        assert picture.texts() == written
        assert picture.rectangles(LINE) == [(x, y, x + 1, y + 1) for piece, (y, x) in cells if piece == DEAD]


@pytest.mark.parametrize(("name", "variant"), GAMES)
def test_what_is_known_of_a_move_stands_where_the_move_is(name: str, variant: str) -> None:
    game = get_game(name, variant)
    for board in boards_of_a_game(game):
        actions = list(game.actions(board))
        shares = {action: number / len(actions) for number, action in enumerate(actions)}
        picture = Picture(board_svg(game, board, {action: f"<{action}>" for action in actions}, shares))
        places = {action: place_of(game.where(board, action), game.shape[1]) for action in actions}
        written = {text: (size, x, y) for text, size, x, y in picture.texts() if text.startswith("<")}
        shades = picture.rectangles(SHADE)
        middles = [pytest.approx(((left + right) / 2, (top + down) / 2), abs=1e-4) for left, top, right, down in shades]
        assert middles == [places[action] for action in actions[1:]]  # the first has a share of 0
        assert [
            float(opacity) for opacity in re.findall(r'fill-opacity="([^"]+)"', ET.tostring(picture.root).decode())
        ] == [pytest.approx(0.6 * share, abs=0.0051) for share in list(shares.values())[1:]]
        for action, (left, top, right, down) in zip(actions[1:], shades, strict=True):
            apart = 2 if game.where(board, action).puts else 1  # two moves on one cell share it
            assert (right - left, down - top) == pytest.approx(((CELL - 2) / CELL / apart, (CELL - 2) / CELL))
        for action, (x, y) in places.items():
            size, text_x, text_y = written[f"<{action}>"]
            puts = game.where(board, action).puts
            if puts:  # its sign above the text, both within the cell
                (sign_y,) = [at for text, _, at_x, at in picture.texts() if (text, at_x, int(at)) == (puts, x, int(y))]
                assert (size, text_x) == (SMALL, x)
                assert int(y) < sign_y - TEXT / CELL / 2 < sign_y + TEXT / CELL / 2 < text_y - SMALL / CELL / 2
                assert text_y + SMALL / CELL / 2 < int(y) + 1
            else:
                assert (size, text_x, text_y) == (TEXT, pytest.approx(x, abs=1e-4), pytest.approx(y, abs=1e-4))
        arrows = [arrow_of(game.where(board, action), game.shape[1]) for action in actions]
        assert [ends(line) for line in picture.arrows] == [
            pytest.approx((*arrow.start, *arrow.tip), abs=1e-4) for arrow in arrows if arrow
        ]
        assert all(line.attrib["marker-end"] == "url(#tip)" for line in picture.arrows)
        assert picture.root.find(f"{SVG}defs/{SVG}marker[@id='tip']") is not None
