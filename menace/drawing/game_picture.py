"""Compute the layout and colours of a picture that shows a whole game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from menace.drawing.graph_layout import Edges, Rows, by_ply, order_rows, place_nodes, ports
from menace.games import get_game
from menace.games.symmetry import SymmetricGame
from menace.text.wording import counted

if TYPE_CHECKING:
    from menace.games.networkx_graph import GameGraph


Dashes: TypeAlias = "str | tuple[float, tuple[float, ...]]"

WHITE = (1.0, 1.0, 1.0)
# White for draws, and sky blue and orange from Okabe and Ito's palette, lightened so that pieces remain legible.
VALUE_TINTS = {1: "#cfe8f8", 0: "#ffffff", -1: "#fbe3b0"}
RISK = (0.97, 0.74, 0.16)
RISKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # levels of risk shown in the key
CERTAIN, DOUBTFUL = (0.06, 0.13, 0.20), (0.72, 0.76, 0.80)  # line colours for moves with probabilities 1 and 0
OTHERS, OTHERS_WIDTH = (0.75, 0.75, 0.75, 0.8), 0.7  # line colour and width for moves of the learner's opponent
KEEPS, MISTAKE = (0.13, 0.22, 0.32, 0.75), (0.84, 0.37, 0.0, 0.45)
MIN_WIDTH, MAX_WIDTH = 0.35, 3.2  # line widths, in points, for a learner's moves with probabilities 0 and 1
# Line widths, in points, for pictures without a learner. Rows with fewer moves have wider lines: the width is PLAIN *
# sqrt(most moves in any row / moves in this row).
PLAIN, PLAIN_MIN, PLAIN_MAX = 1.2, 0.5, 2.0
DASHED: Dashes = (0.0, (4.0, 3.0))

TITLES = {
    "all": "All of {game}",
    "optimal": "Perfect play at {game}",
    "X-optimal": "All of {game} where X never errs",
    "O-optimal": "All of {game} where O never errs",
    "played": "All of {game} that {learner} has played",
    "around": "Around {board} in {game}",
}
MAX_NAME_LENGTH = 60  # maximum length of a learner's name in a title


class Stroke(NamedTuple):
    """The colour, width (in points) and dash pattern of a line that represents a move.

    Strokes with a higher `above` are drawn on top.
    """

    colour: tuple[float, ...]
    width: float
    dashes: Dashes
    above: int


@dataclass(frozen=True)
class Paint:
    """The colours, line styles and texts of a picture.

    Attributes:
        title: the title.
        subtitle: the subtitle.
        description: the description for screen readers.
        tints: the background colour for each position.
        strokes: the line style for each move.
        values: the distinct minimax values of the positions. If there is only one value, tints show risks instead.
        learner: the learner's name in the form to display, or None.
        mistakes: whether any move is a mistake.
        of_cells: whether the initial board is empty and each move is a cell.
    """

    title: str
    subtitle: str
    description: str
    tints: dict[int, str]
    strokes: dict[tuple[int, int], Stroke]
    values: tuple[int, ...]
    learner: str | None
    mistakes: bool
    of_cells: bool

    @property
    def random_player(self) -> str:
        """The words for a player that moves at random."""
        return "a player that picks a random empty cell" if self.of_cells else "a player that picks a random move"


def paint(graph: GameGraph, whole: GameGraph, shown: Callable[[str], str] = str) -> Paint:
    """Return the colours, line styles and texts for the part of the game that the picture shows.

    Args:
        graph: the part to draw.
        whole: the whole game with the same learner, which is needed because risks include moves out of the drawn part.
        shown: a function that replaces those characters of the learner's name that are missing from the font.

    >>> from menace.exporting.graphs import game_graph
    >>> part = game_graph(store, "optimal")
    >>> painted = paint(part, whole=game_graph(store))
    >>> painted.title, painted.mistakes
    ('Perfect play at noughts and crosses', False)
    """
    name = graph.graph.get("learner")
    learner = None if name is None else shortened(shown(name))
    values = tuple(sorted({node["minimax"] for _, node in graph.nodes(data=True)}, reverse=True))
    tints = {
        position: VALUE_TINTS[node["minimax"]] if len(values) > 1 else risk_tint(mistake_probability(whole, position))
        for position, node in graph.nodes(data=True)
    }
    mistakes = any(not move["optimal"] for *_, move in graph.edges(data=True))
    widths = _plain_widths(graph)
    strokes = {
        (start, end): _stroke(move, widths[graph.nodes[start]["ply"]], learner)
        for start, end, move in graph.edges(data=True)
    }
    return Paint(*_words(graph, learner), tints, strokes, values, learner, mistakes, _is_tictactoe(graph))


def mistake_probability(whole: GameGraph, position: int) -> float:
    """Return the probability, 0 to 1, that the next move is a mistake.

    If the picture shows a learner, the learner's current policy determines this probability. The probability is 0 where
    the learner's opponent moves. If the picture shows no learner, every action is equally likely.

    >>> from menace.exporting.graphs import game_graph
    >>> graph = game_graph(store)
    >>> mistake_probability(graph, 0), mistake_probability(graph, store.position("X........")["position_id"])
    (0.0, 0.875)
    """
    moves = whole[position].values()
    if whole.graph.get("learner") is not None:
        return float(sum(move["share"] for move in moves if "share" in move and not move["optimal"]))
    cells = sum(move["multiplicity"] for move in moves)
    return float(sum(move["multiplicity"] for move in moves if not move["optimal"]) / max(1, cells))


def risk_tint(chance: float) -> str:
    """Return the background colour for the given risk of a mistake, which ranges from 0 (white) to 1.

    >>> risk_tint(0), risk_tint(0.5), risk_tint(1)
    ('#ffffff', '#fbde94', '#f7bd29')
    """
    return _hex(_interpolate(WHITE, RISK, chance))


def move_width(share: float) -> float:
    """Return a move's line width in points, which increases linearly with probability from MIN_WIDTH to MAX_WIDTH.

    >>> move_width(0), move_width(1)
    (0.35, 3.2)
    """
    return MIN_WIDTH + share * (MAX_WIDTH - MIN_WIDTH)


def move_colour(share: float, optimal: bool) -> tuple[float, ...]:
    """Return a move's line colour: dark for likely moves, pale for unlikely moves, and vermilion for mistakes.

    >>> move_colour(0.25, optimal=True), move_colour(0.25, optimal=False)
    ((0.39, 0.445, 0.5), (0.84, 0.37, 0.0, 0.5125))
    """
    return _interpolate(DOUBTFUL, CERTAIN, share**0.5) if optimal else (*MISTAKE[:3], 0.35 + 0.65 * share)


def _plain_widths(graph: GameGraph) -> dict[int, float]:
    """Return, for each ply, the line width in points of the moves from that ply in a picture without a learner."""
    widest = max(map(len, by_ply(graph).values()))
    moves = Counter(graph.nodes[start]["ply"] for start, _ in graph.edges)
    return {
        ply: min(PLAIN_MAX, max(PLAIN_MIN, PLAIN * (widest / count) ** 0.5)) for ply, count in sorted(moves.items())
    }


def _stroke(move: dict[str, Any], plain: float, learner: str | None) -> Stroke:
    keeps = bool(move["optimal"])
    if "share" in move:
        return Stroke(move_colour(move["share"], keeps), move_width(move["share"]), "-", 2)
    if learner is not None:
        return Stroke(OTHERS, min(plain, OTHERS_WIDTH), "-", 0)
    return Stroke(KEEPS, plain, "-", 1) if keeps else Stroke(MISTAKE, 0.8 * plain, DASHED, 0)


def shortened(name: str) -> str:
    """Return the name, truncated if it is too long for a title.

    >>> len(shortened("n" * 100)), shortened("menace-x")
    (60, 'menace-x')
    """
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


def _is_tictactoe(graph: GameGraph) -> bool:
    return bool(graph.graph["game"] == "tictactoe")


def _words(graph: GameGraph, learner: str | None) -> tuple[str, str, str]:
    """Return the picture's title, subtitle and description."""
    facts = graph.graph
    game = f"{facts['game']} {facts['variant']}"
    if _is_tictactoe(graph):
        game = SymmetricGame(get_game("tictactoe", facts["variant"])).words
    title = TITLES[facts["part"]].format(game=game, learner=learner, board=facts.get("board"))
    if learner is not None and facts["part"] != "played":
        title += f", and {learner}'s choices"
    subtitle = f"{counted(len(graph), 'position')}, {counted(graph.number_of_edges(), 'move')}"
    if facts["symmetry"] == "full":
        alike = "rotations and reflections" if _is_tictactoe(graph) else "images by symmetry"
        boards = sum(node["images"] for _, node in graph.nodes(data=True))
        if boards > len(graph):  # if both numbers are equal, the identity is the only symmetry of the game
            subtitle += f"; each position represents all of its {alike} ({counted(boards, 'board')} in total)"
    if learner is not None:
        subtitle += f"; the machine plays {facts['plays']} and has learned from {counted(facts['games'], 'game')}"
    first = "the empty board" if _is_tictactoe(graph) else "the first board"
    rows = f"Each row contains the boards after the same number of moves, starting with {first}; lines represent moves."
    description = f"{title}: {subtitle}. {rows}"
    return title, subtitle, description


def _interpolate(a: tuple[float, ...], b: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple(round(x + (y - x) * share, 4) for x, y in zip(a, b, strict=True))


def _hex(colour: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


Point: TypeAlias = tuple[float, float]

SLIDE = (864.0, 486.0)  # size of a slide in points, 16:9
MAX_SLIDE_ROW = 26  # maximum number of boards in a row of a slide
PAPER = 2**0.5  # width-to-height ratio of a poster
# distance in points between boards in a poster's widest row, and the poster's width relative to that row
POSTER_PITCH, POSTER_MARGINS = 15.5, 1.09
TEXT_GROWTH = 0.75  # text size grows with this power of the sheet's size
# margins in points; LEFT leaves room for the labels of rows, and TOP for the title
MARGIN, LEFT, TOP, BOTTOM = 16.0, 106.0, 56.0, 43.0
MIN_BOARD = 20.0  # minimum width of a board in points, unless there is too little room in its row
# maximum height of a row, relative to its height if all rows were equally high
SLIDE_FILLED, POSTER_FILLED = 0.63, 0.45
# width of a board as a fraction of the available width, with one tier and with two tiers
ONE_TIER, TWO_TIERS = 0.66, 0.7
TIERED = 1.5
TIER_GAP = 0.35  # gap between two tiers, relative to the height of a board
# The vertical positions of a curve's control points, relative to the gap. All curves use the same values because this
# ensures that any two curves cross at most once.
BEND = 0.3
FAN = 0.6  # fraction of a board's edge, or of a channel, over which lines may spread out


class Place(NamedTuple):
    """The rectangle, in points, that a board occupies on the sheet.

    >>> Place(left=100, top=50, width=30, height=30).middle
    115.0
    """

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The x coordinate of the centre."""
        return self.left + self.width / 2


class Row(NamedTuple):
    """The vertical position, the board size and the number of tiers for a row of boards."""

    top: float
    height: float
    board: tuple[float, float]
    tiers: int

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower edge."""
        return self.top + self.height


@dataclass(frozen=True)
class Sheet:
    """The positions of all elements on the sheet, in points.

    Attributes:
        width: the width of the sheet.
        height: the height of the sheet.
        text: the text size relative to the text size on a slide.
        rows: the rows, from top to bottom.
        places: the rectangle of each board.
        moves: six points for each edge. These are its start, the end of a straight segment, two control points of a
            cubic Bezier curve, the end of the curve, and the end of a second straight segment.
    """

    width: float
    height: float
    text: float
    rows: tuple[Row, ...]
    places: dict[int, Place]
    moves: dict[tuple[int, int], tuple[Point, ...]]


def arrange(rows: Rows, edges: Edges, shape: tuple[int, int], starts: int | None = None) -> Sheet:
    """Compute the layout of the sheet for a game.

    Args:
        rows: the positions of each ply, in any order.
        edges: the moves. Each one leads from one row to the next.
        shape: the number of rows and columns of a board.
        starts: the number of starts of the search for orders with few crossings (see `order_rows`).

    >>> rows, moves = [[0], [*range(1, 30)]], [(0, node) for node in range(1, 30)]
    >>> sheet = arrange(rows, moves, (3, 3))
    >>> [row.tiers for row in sheet.rows], round(sheet.width / sheet.height, 3)
    ([1, 2], 1.414)
    """
    width, height, tiered, filled = _kind(max(map(len, rows)))
    text = (width / SLIDE[0]) ** TEXT_GROWTH
    inner = width - (LEFT + MARGIN) * text
    most = filled * (height - (TOP + BOTTOM) * text) / len(rows) * shape[1] / shape[0]
    strips = [_strip(len(row), inner, shape, most, tiered) for row in rows]
    in_order = order_rows(rows, edges, starts)
    distances = [_distance(strip, len(row), inner) for strip, row in zip(strips, rows, strict=True)]
    x = {node: LEFT * text + at for node, at in place_nodes(in_order, edges, distances, inner).items()}
    strips = _stack_rows(strips, _travels(rows, edges, x), TOP * text, height - BOTTOM * text)
    places = {
        node: _place(x[node], strip, number)
        for row, strip in zip(in_order, strips, strict=True)
        for number, node in enumerate(row)
    }
    fans = {
        node: _fan(strip, distance)
        for row, strip, distance in zip(rows, strips, distances, strict=True)
        for node in row
    }
    moves = _routed(rows, edges, strips, places, ports(edges, x, fans))
    return Sheet(width, height, text, tuple(strips), places, moves)


def _kind(widest: int) -> tuple[float, float, float, float]:
    """Return the sheet's width and height, the tier factor (TIERED or 0), and the maximum row height as a fraction."""
    if widest <= MAX_SLIDE_ROW:
        return *SLIDE, 0.0, SLIDE_FILLED
    width = max(SLIDE[0], POSTER_PITCH * POSTER_MARGINS * widest)
    return width, width / PAPER, TIERED, POSTER_FILLED


def _strip(boards: int, width: float, shape: tuple[int, int], most: float, tiered: float) -> Row:
    """Return a row with its number of tiers and its sizes. The caller must set the row's vertical position.

    Args:
        boards: the number of boards.
        width: the width of the row.
        shape: the number of rows and columns of a board.
        most: the maximum width of a board in a row with one tier. It also limits the height of the row.
        tiered: the row gets two tiers if the boards in a single tier would be narrower than this factor times
            MIN_BOARD.
    """
    pitch, tiers = width / boards, 1
    board = min(most, ONE_TIER * pitch)
    in_two = min(TWO_TIERS * most, TWO_TIERS * 2 * pitch)
    if board < min(in_two, tiered * MIN_BOARD):
        tiers, board = 2, in_two
    tall = board * shape[0] / shape[1]
    return Row(0.0, tall * (tiers + (tiers - 1) * TIER_GAP), (board, tall), tiers)


def _distance(strip: Row, boards: int, width: float) -> float:
    """Return the minimum distance between the centres of adjacent boards.

    The distance includes a gap if there is room for one.
    """
    return min(width / boards, 1.75 * strip.board[0] / strip.tiers)


def _fan(strip: Row, distance: float) -> float:
    """Return the width over which lines spread out at the edge of a board, or in the channel through the other tier."""
    board = strip.board[0]
    return FAN * (board if strip.tiers == 1 else 2 * distance - board)


def _travels(rows: Rows, edges: Edges, x: dict[int, float]) -> list[float]:
    """Return, for each row except the last, the total horizontal distance that the moves below the row cover."""
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    far = [0.0 for _ in rows]
    for start, end in edges:
        far[row_of[start]] += abs(x[start] - x[end])
    return far[:-1]


def _stack_rows(strips: list[Row], travels: list[float], top: float, bottom: float) -> list[Row]:
    """Stack the rows from top to bottom.

    The gap between two rows is taller if the moves across it cover a greater horizontal distance.
    """
    free = bottom - top - sum(strip.height for strip in strips)
    weights = np.cbrt(np.array(travels) + 1.0)
    weights += weights.max(initial=0.0) / 3
    gaps = [*(free * weights / weights.sum()).tolist(), 0.0] if travels else [0.0]
    stacked = []
    for strip, gap in zip(strips, gaps, strict=True):
        stacked.append(strip._replace(top=top))
        top += strip.height + gap
    return stacked


def _place(x: float, strip: Row, number: int) -> Place:
    """Return the rectangle of a board. Consecutive boards in a row alternate between the row's tiers."""
    board, tall = strip.board
    return Place(x - board / 2, strip.top + number % strip.tiers * (1 + TIER_GAP) * tall, board, tall)


def _routed(
    rows: Rows, edges: Edges, strips: list[Row], places: dict[int, Place], ends: tuple[list[float], list[float]]
) -> dict[tuple[int, int], tuple[Point, ...]]:
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    moves: dict[tuple[int, int], tuple[Point, ...]] = {}
    for (start, end), leaves, reaches in zip(edges, *ends, strict=True):
        upper, lower = strips[row_of[start]].bottom, strips[row_of[end]].top
        bend, board = BEND * (lower - upper), places[start]
        moves[start, end] = (
            (leaves, board.top + board.height),
            (leaves, upper),
            (leaves, upper + bend),
            (reaches, lower - bend),
            (reaches, lower),
            (reaches, places[end].top),
        )
    return moves
