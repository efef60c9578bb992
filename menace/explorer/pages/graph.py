"""Serve the Graph page, which shows the game graph, or a part of it such as perfect play, and a learner's choices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from datasette.utils.asgi import Response

from menace.analysis.position import draws_beads, show
from menace.drawing.boards import LOOKS, Text, path_of, shapes_of, shapes_svg
from menace.drawing.game_picture import VALUE_TINTS, Place, Sheet, arrange, paint
from menace.drawing.graph_layout import by_ply
from menace.errors import InvalidBoard, InvalidPlayer, InvalidSetting
from menace.explorer.server.requests import WRONG, Request, get
from menace.explorer.server.threads_and_caches import LARGE, LIBRARY
from menace.games.networkx_graph import GameGraph
from menace.games.positions import Positions
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.wording import VALUES

MAX_POSITIONS = 2_000  # browsers draw this many positions quickly; for a larger graph, only the first plies are drawn
MAX_FIRST_POSITIONS = 400  # maximum number of positions in these first plies
MAX_NEIGHBOURS = 150  # maximum number of positions two moves after the board; if there are more, all are omitted
MARGIN = 12  # margin around all boards, in points
OTHER_LOOKS = {role: LOOKS[role] for role in ("dead", "stone", "letters")}
STARTS = 1  # number of searches for a layout with few crossings; a single search is fast, and good enough for a screen
_graphs: WeakKeyDictionary[Positions, GameGraph] = WeakKeyDictionary()


def graph_drawing(store: Store, part: Any, learner: str | None, board: str = "") -> dict[str, Any]:
    """Return part of the game graph, or a board and its neighbours, with colours and a layout.

    If the part is too large for a page, the result contains only the plies up to `last`; otherwise `last` is None.

    Raises:
        InvalidSetting, UnknownLearner: as in `game_graph`.
        InvalidBoard, UnreachableBoard: if the text is not a board of the game.
        InvalidPlayer: if the part requires a learner that has played and none is given, or if only rows are read
            because the game is large, and the rows do not determine the learner's choices.

    >>> drawing = graph_drawing(store, "optimal", "menace-x")
    >>> len(drawing["graph"]), len(drawing["sheet"].places), drawing["paint"].title
    (125, 125, "Perfect play at noughts and crosses, and menace-x's choices")
    >>> [node["board"] for _, node in graph_drawing(store, "all", None, "XX.OO....")["graph"].nodes(data=True)][:3]
    ['XX.O.....', 'XX..O....', 'XX.OO....']
    """
    from menace.exporting.graphs import add_machine_to_copy, check_part, neighbourhood, select_part, subgraph

    check_part(part)
    if part == "played" and learner is None:
        raise InvalidPlayer("the part 'played' shows the positions that a machine has played, so also choose a machine")
    count = store.position_count()
    near = _neighbours(store, board) if board else list(range(min(MAX_FIRST_POSITIONS, count)))
    by_rows = count > LARGE or (count > MAX_POSITIONS and (bool(board) or part == "all"))
    whole = neighbourhood(store, near) if by_rows else _whole_graph(store)
    if learner is not None:
        whole = (
            _add_boxes(store, whole, learner)
            if by_rows
            else add_machine_to_copy(whole, LIBRARY.learner(store, learner))
        )
    graph, last = subgraph(whole, near) if board else select_part(whole, part), None
    if board:
        graph.graph |= {"part": "around", "board": board}
    elif by_rows or len(graph) > MAX_POSITIONS:
        graph = subgraph(graph, _positions_of_first_plies(graph, whole.nodes[near[-1]]["ply"] if by_rows else None))
        last = max(node["ply"] for _, node in graph.nodes(data=True))
    game = rules_of(store).game
    sheet = _layout(tuple(map(tuple, by_ply(graph).values())), tuple(graph.edges), game.shape)
    return {"graph": graph, "paint": paint(graph, whole), "sheet": sheet, "game": game, "last": last}


def _positions_of_first_plies(graph: GameGraph, before: int | None) -> list[int]:
    """Return the positions before ply `before`, omitting the last plies if there are too many positions."""
    numbers: list[int] = []
    for ply, row in by_ply(graph).items():
        if ply == before or len(numbers) + len(row) > MAX_FIRST_POSITIONS:
            break
        numbers += row
    return numbers


def _neighbours(store: Store, text: str) -> list[int]:
    """Return a position, its predecessors, and the positions up to two moves later (or one if there are too many)."""
    here = show(store, text).position_id
    near = {here, *store.positions_before(here)}
    after = _next_positions(store, {here})
    twice = _next_positions(store, after)
    return sorted(near | after | (twice if len(twice) <= MAX_NEIGHBOURS else set()))


def _next_positions(store: Store, numbers: set[int]) -> set[int]:
    return {row[2] for number in numbers for row in store.table_rows("move", number, number)}


def _add_boxes(store: Store, graph: GameGraph, name: str) -> GameGraph:
    """Return a graph with a learner's choices, which are computed from the stored rows of its boxes."""
    row = store.learner(name)
    if not draws_beads(store, row):
        raise InvalidPlayer(f"in a game of this size, the page draws only machines with beads, but {row.name} has none")
    graph.graph.update(learner=row.name, plays=row.plays.value, games=row.games)
    for start in list(graph):
        piles = {pile.action: pile for pile in store.matchbox(row.learner_id, start)} if graph[start] else {}
        beads = sum(pile.beads for pile in piles.values())
        for end, move in graph[start].items() if piles else ():
            pile = piles[move["action"]]
            move.update(share=pile.beads / max(beads, 1), beads=pile.beads, picked=pile.picked)
            for number in (start, end):
                graph.nodes[number]["visits"] = graph.nodes[number].get("visits", 0) + pile.picked
    return graph


def _whole_graph(store: Store) -> GameGraph:
    """Return the whole graph, which is cached with the positions unless it is large."""
    from menace.exporting.graphs import whole_graph

    positions = positions_of(store)
    graph = _graphs.get(positions)
    if graph is None:
        with store.copied() as copied:
            graph = whole_graph(copied)
        if len(graph) <= MAX_POSITIONS:
            _graphs[positions] = graph
    return graph


@lru_cache(maxsize=8)
def _layout(rows: tuple[tuple[int, ...], ...], edges: tuple[tuple[int, int], ...], shape: tuple[int, int]) -> Sheet:
    """Return the layout, which is cached because it is slow to compute and is the same for all learners."""
    return arrange([list(row) for row in rows], edges, shape, STARTS)


@get("/{database}/graph")
async def graph(request: Request, part: str = "optimal", learner: str = "", board: str = "") -> Response:
    """Show the graph, in which each board is a link."""
    # The page shows the form even if no picture can be drawn.
    names = await request.ask(lambda store: [row.name for row in store.learners()])
    form: dict[str, Any] = {"part": part, "learner": learner, "board": board, "names": names}
    try:
        drawing = await request.ask(lambda store: graph_drawing(store, part, learner or None, board.strip()))
    except (InvalidBoard, InvalidPlayer, InvalidSetting) as error:
        return await request.page("graph", WRONG, title="Graph", problem=str(error), **form)
    ends = {"learner": learner} if learner else {}
    painted = drawing["paint"]
    return await request.page(
        "graph",
        title=painted.title,
        **drawing,
        address_of=request.boards(**ends),
        strokes=sorted(painted.strokes.items(), key=lambda drawn: (drawn[1].above, drawn[1].width)),
        view_box=_view_box,
        grid_path=_grid_path,
        pieces_of=lambda board: _pieces_svg(tuple(drawing["game"].pieces(board)), drawing["game"].shape[1]),
        move_svg=_move_svg,
        several=len(painted.values) > 1,
        tints=VALUE_TINTS,
        words=VALUES,
        query=request.http.query_string,
        machine=request.path("machines", learner) if learner else "",
        **form,
    )


def _view_box(places: Collection[Place]) -> str:
    """Return the `viewBox` of a picture around all boards."""
    left, top = min(place.left for place in places) - MARGIN, min(place.top for place in places) - MARGIN
    right = max(place.left + place.width for place in places) + MARGIN
    bottom = max(place.top + place.height for place in places) + MARGIN
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


def _grid_path(shape: tuple[int, int]) -> str:
    """Return the grid lines of a board as the `d` attribute of a path."""
    lines = (line for line in shapes_of([""] * (shape[0] * shape[1]), shape) if line.role == "grid")
    return "".join(path_of(line) for line in lines if not isinstance(line, Text))


@lru_cache(maxsize=4_000)  # enough for two graphs of the maximum size
def _pieces_svg(pieces: tuple[str, ...], columns: int) -> str:
    """Return the pieces of a board as SVG: X and O as one path, other pieces as shapes."""
    shapes = shapes_of(pieces, (len(pieces) // columns, columns))
    paths = "".join(path_of(shape) for shape in shapes if shape.role in {"X", "O"} and not isinstance(shape, Text))
    return (f'<path d="{paths}"/>' if paths else "") + shapes_svg(shapes, OTHER_LOOKS)


def _move_svg(points: Sequence[tuple[float, float]], stroke: Any) -> str:
    """Return the SVG line for a move from one board to the next."""
    start, bend, *curve, end = points
    red, green, blue, alpha = (*stroke.colour, 1.0)[:4]
    colour = f"rgb({red * 255:.0f} {green * 255:.0f} {blue * 255:.0f})"
    path = f"M{_point(start)}L{_point(bend)}C{' '.join(map(_point, curve))}L{_point(end)}"
    dashes = "" if isinstance(stroke.dashes, str) else f' stroke-dasharray="{" ".join(map(str, stroke.dashes[1]))}"'
    return f'<path d="{path}" color="{colour}" stroke-opacity="{alpha:.2g}" stroke-width="{stroke.width:.2f}"{dashes}/>'


def _point(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


@get("/{database}/graph.json")
def graph_json(_: Request, store: Store, part: str = "optimal", learner: str = "", board: str = "") -> dict[str, Any]:
    """Return the graph as JSON."""
    drawing = graph_drawing(store, part, learner or None, board.strip())
    shown = drawing["graph"]
    return {
        "part": part,
        "learner": learner or None,
        "board": board or None,
        "last": drawing["last"],
        "positions": [{"position_id": number, **node} for number, node in shown.nodes(data=True)],
        "moves": [
            {"position_id": start, "next_position_id": end, **edge} for start, end, edge in shown.edges(data=True)
        ],
    }
