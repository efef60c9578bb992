"""The page Graph: the game graph, or a part of it such as perfect play, with a learner's choices."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeAlias, TypedDict
from weakref import WeakKeyDictionary

from datasette.utils.asgi import Response

from menace.drawing.export_layout import by_ply
from menace.drawing.picture_colours import VALUE_TINTS, paint
from menace.drawing.picture_layout import Sheet, arranged
from menace.errors import InvalidGame, InvalidPlayer, InvalidSetting
from menace.explorer.graph_svg import graph_svg
from menace.explorer.read_cache import LIBRARY
from menace.explorer.request import WRONG, Request
from menace.explorer.route import get
from menace.explorer.sql_links import sql_of
from menace.games.graph import GameGraph
from menace.games.positions import Positions
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.ledger.stored_rules import rules_of
from menace.wording import PARTS, VALUES, counted

POSITIONS_MOST = 2_000  # that a browser draws in reasonable time
GAME_MOST = 100_000  # positions of a game of which a part is drawn
STARTS = 1  # of the search for few crossings: as good as several for a picture on a screen, in a third of the time
_graphs: WeakKeyDictionary[Positions, GameGraph] = WeakKeyDictionary()
PART_TITLES = {
    "optimal": "perfect play",
    "all": "all positions",
    "X-optimal": "X never errs",
    "O-optimal": "O never errs",
    "played": "where the machine has been",
}


def graph_drawing(store: Store, part: Any, learner: str | None) -> dict[str, Any]:
    """Return a part of the game graph, with its colours and layout.

    Raises:
        InvalidSetting, UnknownLearner: as `game_graph`.
        InvalidPlayer: if the part needs a learner that has played, and none is given.
        InvalidGame: if there are too many positions.

    >>> drawing = graph_drawing(store, "optimal", "menace-x")
    >>> len(drawing["graph"]), len(drawing["sheet"].places), drawing["paint"].title
    (125, 125, "Perfect play at noughts and crosses, and menace-x's choices")
    """
    from menace.exporting.game_graph import check_part, part_of, with_machine

    check_part(part)
    if part == "played" and learner is None:
        raise InvalidPlayer("the part 'played' is where a machine has been: choose one of them, too")
    count = store.position_count()
    if count > GAME_MOST:
        raise InvalidGame(f"a page draws parts of games of {GAME_MOST:,} positions at most; ask `menace export`")
    _check_room(part, count if part == "all" else 0)  # before anything is built
    whole, game = _whole_graph(store), rules_of(store).game
    if learner is not None:
        whole = with_machine(whole, LIBRARY.learner(store, learner))
    graph = part_of(whole, part)
    _check_room(part, len(graph))
    return {"graph": graph, "paint": paint(graph, whole), "sheet": _sheet(graph, game.shape), "game": game}


def _check_room(part: str, positions: int) -> None:
    if positions > POSITIONS_MOST:
        smaller = "'played'" if part == "optimal" else "'optimal' or 'played'"
        raise InvalidGame(
            f"the part {part!r} has {counted(positions, 'position')}, a page has room for {POSITIONS_MOST:,};"
            f" take {smaller}; `menace export` writes it as a file"
        )


def _whole_graph(store: Store) -> GameGraph:
    """Return the whole graph, which is cached with its positions unless it is large."""
    from menace.exporting.game_graph import whole_graph

    positions = positions_of(store)
    graph = _graphs.get(positions)
    if graph is None:
        with store.copied() as copied:
            graph = whole_graph(copied)
        if len(graph) <= POSITIONS_MOST:
            _graphs[positions] = graph
    return graph


def _sheet(graph: GameGraph, shape: tuple[int, int]) -> Sheet:
    return _arranged(tuple(map(tuple, by_ply(graph).values())), tuple(graph.edges), shape)


@lru_cache(maxsize=8)
def _arranged(rows: tuple[tuple[int, ...], ...], edges: tuple[tuple[int, int], ...], shape: tuple[int, int]) -> Sheet:
    """Return the layout, which is slow to compute, and the same for all learners."""
    return arranged([list(row) for row in rows], edges, shape, STARTS)


Whose: TypeAlias = Annotated[str, "whose choices the moves show"]
Which: TypeAlias = Annotated[str, f"which positions: {', '.join(PARTS)}; optimal if it is missing"]


@get("/{database}/graph", "a part of the game as a picture, each board a link")
async def graph(request: Request, part: Which = "optimal", learner: Whose = "") -> Response:
    """Show the graph, each board a link."""
    # The form is shown even if no picture can be drawn.
    names = await request.ask(lambda store: [row.name for row in store.learners()])
    form: dict[str, Any] = {"parts": PART_TITLES, "part": part, "learner": learner, "names": names}
    try:
        drawing = await request.ask(lambda store: graph_drawing(store, part, learner or None))
    except (InvalidGame, InvalidPlayer, InvalidSetting) as error:
        return await request.page("graph", WRONG, title="Graph", problem=str(error), **form)
    ends = {"learner": learner} if learner else {}
    painted = drawing["paint"]
    return await request.page(
        "graph",
        title=painted.title,
        subtitle=painted.subtitle,
        drawn=graph_svg(drawing, request.boards(**ends)),
        painted=painted,
        several=len(painted.values) > 1,
        tints=VALUE_TINTS,
        words=VALUES,
        query=request.http.query_string,
        machine=request.path("machines", learner) if learner else "",
        sql=sql_of(
            request,
            "SELECT position.board, move.action, next.board AS next_board, move.minimax, move.optimal"
            " FROM move JOIN position USING (position_id)"
            " JOIN position AS next ON next.position_id = move.next_position_id",
        ),
        **form,
    )


class GraphRecord(TypedDict):
    """Positions with their columns, and moves from position to position."""

    part: str
    learner: str | None
    positions: list[dict[str, Any]]
    moves: list[dict[str, Any]]


@get("/{database}/graph.json", "positions and moves of a part of the game")
async def graph_json(request: Request, part: Which = "optimal", learner: Whose = "") -> GraphRecord:
    """Return the graph."""
    drawing = await request.ask(lambda store: graph_drawing(store, part, learner or None))
    shown = drawing["graph"]
    return {
        "part": part,
        "learner": learner or None,
        "positions": [{"position_id": number, **node} for number, node in shown.nodes(data=True)],
        "moves": [
            {"position_id": start, "next_position_id": end, **edge} for start, end, edge in shown.edges(data=True)
        ],
    }
