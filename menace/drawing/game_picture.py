"""Layout and colours of the picture of the whole game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from menace.drawing.graph_layout import Edges, Rows, by_ply, ordered, placed, ports
from menace.games import get_game
from menace.games.symmetry import SymmetricGame
from menace.text.wording import counted

if TYPE_CHECKING:
    from menace.games.networkx_graph import GameGraph


Dashes: TypeAlias = "str | tuple[float, tuple[float, ...]]"

WHITE = (1.0, 1.0, 1.0)
# Pale forms of Okabe and Ito's colours, on which the marks can be read: of sky blue, of orange, of yellow.
VALUE_TINTS = {1: "#cfe8f8", 0: "#ffffff", -1: "#fbe3b0"}
RISK = (0.97, 0.74, 0.16)
RISKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # that the key shows
CERTAIN, DOUBTFUL = (0.06, 0.13, 0.20), (0.72, 0.76, 0.80)  # of a learner's moves, by their share
OTHERS, OTHERS_WIDTH = (0.75, 0.75, 0.75, 0.8), 0.7  # the moves of the side that is not the learner's
KEEPS, MISTAKE = (0.13, 0.22, 0.32, 0.75), (0.84, 0.37, 0.0, 0.45)
WIDTH_LEAST, WIDTH_MOST = 0.35, 3.2  # points; a learner's move of share 0, and of share 1
# Points; where nothing is known of it, a move is the wider, the fewer lead to its row: times sqrt(widest row / moves).
PLAIN, PLAIN_LEAST, PLAIN_MOST = 1.2, 0.5, 2.0
DASHED: Dashes = (0.0, (4.0, 3.0))

TITLES = {
    "all": "All of {game}",
    "optimal": "Perfect play at {game}",
    "X-optimal": "All of {game} where X never errs",
    "O-optimal": "All of {game} where O never errs",
    "played": "All of {game} that {learner} has played",
    "around": "Around {board} in {game}",
}
NAME_MOST = 60  # characters of a learner's name


class Stroke(NamedTuple):
    """How a move's line is drawn: colour, width in points, dashes; a higher `above` is drawn later."""

    colour: tuple[float, ...]
    width: float
    dashes: Dashes
    above: int


@dataclass(frozen=True)
class Paint:
    """Colours, widths and words of a picture.

    Attributes:
        title, subtitle, description: texts.
        tints: of each position.
        strokes: of each move.
        values: that positions have, under perfect play; if there is only one, tints are risks.
        learner: as `shown`, and shortened, or None.
        mistakes: whether some of the moves are mistakes.
        of_cells: whether the game begins on an empty board, and its moves are cells.
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
    def anybody(self) -> str:
        """A player who picks moves at random, in words."""
        return "a player who picks any empty cell" if self.of_cells else "a player who picks any move"


def paint(graph: GameGraph, whole: GameGraph, shown: Callable[[str], str] = str) -> Paint:
    """Return how a part of the game is painted.

    Args:
        graph: the part.
        whole: the whole game, with the same learner: a move that leaves the part is a risk too.
        shown: the learner's name, as the font of a picture can show it.

    >>> from menace.exporting.learner_graph import game_graph
    >>> part = game_graph(store, "optimal")
    >>> painted = paint(part, whole=game_graph(store))
    >>> painted.title, painted.mistakes
    ('Perfect play at noughts and crosses', False)
    """
    name = graph.graph.get("learner")
    learner = None if name is None else shortened(shown(name))
    values = tuple(sorted({node["minimax"] for _, node in graph.nodes(data=True)}, reverse=True))
    tints = {
        position: VALUE_TINTS[node["minimax"]] if len(values) > 1 else risk_tint(risk(whole, position))
        for position, node in graph.nodes(data=True)
    }
    mistakes = any(not move["optimal"] for *_, move in graph.edges(data=True))
    widths = _plain_widths(graph)
    strokes = {
        (start, end): _stroke(move, widths[graph.nodes[start]["ply"]], learner)
        for start, end, move in graph.edges(data=True)
    }
    return Paint(*_words(graph, learner), tints, strokes, values, learner, mistakes, _is_tictactoe(graph))


def risk(whole: GameGraph, position: int) -> float:
    """Return how likely the side to move gives away the position's value, 0 to 1.

    A learner where it is to move as it plays now; a learner's opponent never, for its moves are not at issue; without
    a learner, who picks any empty cell.

    >>> from menace.exporting.learner_graph import game_graph
    >>> graph = game_graph(store)
    >>> risk(graph, 0), risk(graph, store.position("X........")["position_id"])
    (0.0, 0.875)
    """
    moves = whole[position].values()
    if whole.graph.get("learner") is not None:
        return float(sum(move["share"] for move in moves if "share" in move and not move["optimal"]))
    cells = sum(move["multiplicity"] for move in moves)
    return float(sum(move["multiplicity"] for move in moves if not move["optimal"]) / max(1, cells))


def risk_tint(chance: float) -> str:
    """Return the tint of a risk, 0 (white) to 1.

    >>> risk_tint(0), risk_tint(0.5), risk_tint(1)
    ('#ffffff', '#fbde94', '#f7bd29')
    """
    return _hex(_between(WHITE, RISK, chance))


def width_of(share: float) -> float:
    """Return how wide a learner's move is drawn, in points: evenly from WIDTH_LEAST to WIDTH_MOST.

    >>> width_of(0), width_of(1)
    (0.35, 3.2)
    """
    return WIDTH_LEAST + share * (WIDTH_MOST - WIDTH_LEAST)


def colour_of(share: float, optimal: bool) -> tuple[float, ...]:
    """Return the colour of a learner's move: the likelier, the darker; mistakes are vermilion.

    >>> colour_of(0.25, optimal=True), colour_of(0.25, optimal=False)
    ((0.39, 0.445, 0.5), (0.84, 0.37, 0.0, 0.5125))
    """
    return _between(DOUBTFUL, CERTAIN, share**0.5) if optimal else (*MISTAKE[:3], 0.35 + 0.65 * share)


def _plain_widths(graph: GameGraph) -> dict[int, float]:
    """Return how wide the moves from each ply are drawn, where nothing is known of them."""
    widest = max(map(len, by_ply(graph).values()))
    moves = Counter(graph.nodes[start]["ply"] for start, _ in graph.edges)
    return {
        ply: min(PLAIN_MOST, max(PLAIN_LEAST, PLAIN * (widest / count) ** 0.5)) for ply, count in sorted(moves.items())
    }


def _stroke(move: dict[str, Any], plain: float, learner: str | None) -> Stroke:
    keeps = bool(move["optimal"])
    if "share" in move:
        return Stroke(colour_of(move["share"], keeps), width_of(move["share"]), "-", 2)
    if learner is not None:
        return Stroke(OTHERS, min(plain, OTHERS_WIDTH), "-", 0)
    return Stroke(KEEPS, plain, "-", 1) if keeps else Stroke(MISTAKE, 0.8 * plain, DASHED, 0)


def shortened(name: str) -> str:
    """Return a name as a title has room for it; characters that the font lacks may have made it long.

    >>> len(shortened("n" * 100)), shortened("menace-x")
    (60, 'menace-x')
    """
    return name if len(name) <= NAME_MOST else f"{name[: NAME_MOST - 1]}…"


def _is_tictactoe(graph: GameGraph) -> bool:
    return bool(graph.graph["game"] == "tictactoe")


def _words(graph: GameGraph, learner: str | None) -> tuple[str, str, str]:
    """Return title, subtitle and description."""
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
        if boards > len(graph):  # a game may have no symmetry but the identity
            subtitle += f"; each position stands for its {alike}, {counted(boards, 'board')} in all"
    if learner is not None:
        subtitle += f"; the machine plays {facts['plays']}, and has learned from {counted(facts['games'], 'game')}"
    first = "the empty board" if _is_tictactoe(graph) else "the first board"
    description = f"{title}: {subtitle}. Small boards in rows by the moves made, from {first}; lines are moves."
    return title, subtitle, description


def _between(a: tuple[float, ...], b: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple(round(x + (y - x) * share, 4) for x, y in zip(a, b, strict=True))


def _hex(colour: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


Point: TypeAlias = tuple[float, float]

SLIDE = (864.0, 486.0)  # 16 to 9
SLIDE_MOST = 26  # boards in the widest row of a slide
PAPER = 2**0.5  # width to height of a poster
POSTER_PITCH, POSTER_MARGINS = 15.5, 1.09  # from board to board in a poster's widest row; its width, margins included
TEXT_GROWTH = 0.75  # texts grow less than the sheet
MARGIN, LEFT, TOP, BOTTOM = 16.0, 106.0, 56.0, 43.0  # LEFT has room for the labels of the rows, TOP for the title
BOARD_LEAST = 20.0  # how wide a board is to be, if there is room
SLIDE_FILLED, POSTER_FILLED = 0.63, 0.45  # how much of an even share of the height a row takes at most
ONE_TIER, TWO_TIERS = 0.66, 0.7  # width of a board in what is there for it
TIERED = 1.5
TIER_GAP = 0.35  # between two tiers, in heights of a board
BEND = 0.3  # of a gap: how far a curve is pulled up and down; alike for all, so that two cross once or never
FAN = 0.6  # how much of a board's edge, or of a channel, moves use


class Place(NamedTuple):
    """Where a board stands.

    >>> Place(left=100, top=50, width=30, height=30).middle
    115.0
    """

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where its middle is, from the left."""
        return self.left + self.width / 2


class Row(NamedTuple):
    """A row of boards: its tiers and the strip that they take up."""

    top: float
    height: float
    board: tuple[float, float]
    tiers: int

    @property
    def bottom(self) -> float:
        """Where it ends, from the top."""
        return self.top + self.height


@dataclass(frozen=True)
class Sheet:
    """Where everything stands.

    Attributes:
        width, height: of the sheet.
        text: how many times larger its texts are than a slide's.
        rows: strips, from the top.
        places: of each board.
        moves: of each edge, six points: the start, the end of a straight piece, two that pull a cubic Bezier curve,
            its end, and the end of another straight piece.
    """

    width: float
    height: float
    text: float
    rows: tuple[Row, ...]
    places: dict[int, Place]
    moves: dict[tuple[int, int], tuple[Point, ...]]


def arranged(rows: Rows, edges: Edges, shape: tuple[int, int], starts: int | None = None) -> Sheet:
    """Return the sheet of a game.

    Args:
        rows: positions of each ply, in any order.
        edges: moves, from a row to the next.
        shape: rows and columns of a board.
        starts: of the search for few crossings, as `ordered` takes it.

    >>> rows, moves = [[0], [*range(1, 30)]], [(0, node) for node in range(1, 30)]
    >>> sheet = arranged(rows, moves, (3, 3))
    >>> [row.tiers for row in sheet.rows], round(sheet.width / sheet.height, 3)
    ([1, 2], 1.414)
    """
    width, height, tiered, filled = _kind(max(map(len, rows)))
    text = (width / SLIDE[0]) ** TEXT_GROWTH
    inner = width - (LEFT + MARGIN) * text
    most = filled * (height - (TOP + BOTTOM) * text) / len(rows) * shape[1] / shape[0]
    strips = [_strip(len(row), inner, shape, most, tiered) for row in rows]
    in_order = ordered(rows, edges, starts)
    distances = [_distance(strip, len(row), inner) for strip, row in zip(strips, rows, strict=True)]
    x = {node: LEFT * text + at for node, at in placed(in_order, edges, distances, inner).items()}
    strips = _stacked(strips, _travels(rows, edges, x), TOP * text, height - BOTTOM * text)
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
    """Return width and height of a slide or poster, TIERED or 0, and how much of its share a row may fill."""
    if widest <= SLIDE_MOST:
        return *SLIDE, 0.0, SLIDE_FILLED
    width = max(SLIDE[0], POSTER_PITCH * POSTER_MARGINS * widest)
    return width, width / PAPER, TIERED, POSTER_FILLED


def _strip(boards: int, width: float, shape: tuple[int, int], most: float, tiered: float) -> Row:
    """Return a row's tiers and sizes, for the time being at the top.

    Args:
        boards: how many there are.
        width: of the row.
        shape: rows and columns of a board.
        most: how wide its boards may be, so that they are not too tall; in two tiers less.
        tiered: a row has two tiers, where one would make its boards less than this times BOARD_LEAST wide.
    """
    pitch, tiers = width / boards, 1
    board = min(most, ONE_TIER * pitch)
    in_two = min(TWO_TIERS * most, TWO_TIERS * 2 * pitch)
    if board < min(in_two, tiered * BOARD_LEAST):
        tiers, board = 2, in_two
    tall = board * shape[0] / shape[1]
    return Row(0.0, tall * (tiers + (tiers - 1) * TIER_GAP), (board, tall), tiers)


def _distance(strip: Row, boards: int, width: float) -> float:
    """Return the least distance between the middles of neighbours: some air, as long as there is room."""
    return min(width / boards, 1.75 * strip.board[0] / strip.tiers)


def _fan(strip: Row, distance: float) -> float:
    """Return how far the moves of a board may fan out: along its edge, and in the channel through the other tier."""
    board = strip.board[0]
    return FAN * (board if strip.tiers == 1 else 2 * distance - board)


def _travels(rows: Rows, edges: Edges, x: dict[int, float]) -> list[float]:
    """Return how far the moves below each row but the last go sideways, in all."""
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    far = [0.0 for _ in rows]
    for start, end in edges:
        far[row_of[start]] += abs(x[start] - x[end])
    return far[:-1]


def _stacked(strips: list[Row], travels: list[float], top: float, bottom: float) -> list[Row]:
    """Return the rows one below the other; the more moves go sideways, the taller is the gap that they have."""
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
    """Return where a row's board of a number stands: neighbours in different tiers."""
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
