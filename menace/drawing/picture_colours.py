"""Colours and line widths of the picture of the game, and what they mean.

A board's tint says what is at stake. Where all positions of a picture have the same value, as in perfect play, it is
how likely the side to move is to throw that value away: a player who picks any empty cell, or the learner where it is
to move. Where values differ, it is the value. A move's line says whether it keeps the value, and with a learner how
likely the learner plays it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from menace.drawing.export_layout import by_ply
from menace.games import get_game
from menace.games.symmetry import SymmetricGame
from menace.wording import counted

if TYPE_CHECKING:
    from menace.games.graph import GameGraph

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

    >>> from menace.exporting.game_graph import game_graph
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

    >>> from menace.exporting.game_graph import game_graph
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
