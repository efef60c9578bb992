"""Build a networkx graph of the game in a database, or of a part of the game, with a learner's beads or values.

Each node is the number of a position. Positions and moves have the columns of the database as attributes, with the same
types. NULL values, such as `to_move` of a final position, are omitted. No attribute is called `value`, `label`, `id`,
`name` or `weight`, because graph viewers use these names for special purposes.

If a learner is given, its own moves have additional attributes. `share` is the current probability of the move. `beads`
and `picked`, or `learned_value` and `updates`, are the stored values. The attribute `visits` of a position is the
number of the learner's visits to it, as far as the learner's counts show. Only games from which the learner has learned
are counted. If the learner stores values of positions, each position also has a `learned_value`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import networkx as nx
import numpy as np

from menace.errors import InvalidPlayer, InvalidSetting
from menace.games.networkx_graph import GameGraph
from menace.learners.box import Move
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine
from menace.ledger.positions import MOVE_COLUMNS, POSITION_COLUMNS, positions_of
from menace.ledger.store import Store
from menace.text.wording import PARTS, Part

# For each part, the sides that keep the minimax value.
OPTIMAL_SIDES: dict[str, str] = {"all": "", "optimal": "XO", "X-optimal": "X", "O-optimal": "O"}


def game_graph(store: Store, part: Part = "all", learner: str | None = None) -> GameGraph:
    """Return the positions and moves of a database as a networkx graph.

    Args:
        store: the database.
        part: the positions to include. `all` includes every position. `optimal` includes those reached when both sides
            keep the minimax value; `X-optimal` and `O-optimal` include those reached when the named side keeps the
            minimax value and the other side plays any moves. `played` includes those that the learner has visited.
        learner: the name of a learner whose beads or values are added to its moves, or None.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if `part` is `played`, and no learner is given or the learner has not learned from any game.
        InvalidSetting: if there is no such part.

    >>> graph = game_graph(store, "optimal", learner="menace-x")
    >>> len(graph), graph.number_of_edges(), graph.nodes[0]["visits"], graph.edges[0, 1]["beads"]
    (125, 210, 100, 16)
    """
    check_part(part)
    with store.copied() as copy:
        if part == "played" and learner is None:
            raise missing_learner_error(copy, "the part 'played'")
        graph = whole_graph(copy)
        if learner is not None:
            _add_machine(graph, load_machine(copy, positions_of(copy), copy.learner(learner)))
    return select_part(graph, part)


def check_part(part: str) -> None:
    """Raise InvalidSetting if there is no part with this name.

    >>> check_part("best")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: unknown part 'best'; choose one of all, optimal, played, X-optimal, O-optimal
    """
    if part not in PARTS:
        raise InvalidSetting(f"unknown part {part!r}; choose one of {', '.join(PARTS)}")


def whole_graph(store: Store) -> GameGraph:
    """Return all positions and moves of a database, without a learner.

    >>> len(whole_graph(store))
    765
    """
    positions_of(store)  # raises an error if the stored positions are not those of the game
    return _build_graph(store, store.positions(), store.all_moves())


def neighbourhood(store: Store, numbers: Collection[int]) -> GameGraph:
    """Return the given positions, the moves from them, and the positions to which these moves lead.

    The function reads only these rows, even in a large game.

    >>> len(neighbourhood(store, [0])), neighbourhood(store, [0]).number_of_edges()
    (4, 3)
    """
    moves = [row for number in sorted(numbers) for row in store.table_rows("move", number, number)]
    ends = sorted({*numbers, *(row[2] for row in moves)})
    return _build_graph(store, (row for number in ends for row in store.table_rows("position", number, number)), moves)


def subgraph(graph: GameGraph, positions: Collection[int]) -> GameGraph:
    """Return the part of a graph that consists of some positions and the moves between them.

    >>> subgraph(whole_graph(store), [0, 1, 3]).edges
    OutEdgeView([(0, 1), (0, 3)])
    """
    return _subgraph(graph, {*positions}, [(a, b) for a, b in graph.edges if a in positions and b in positions])


def add_machine_to_copy(graph: GameGraph, machine: Machine) -> GameGraph:
    """Return a copy of the whole graph, with a machine's beads or values added.

    >>> from menace.ledger.learners import named_machine
    >>> add_machine_to_copy(whole_graph(store), named_machine(store, "menace-x")).edges[0, 1]["beads"]
    16
    """
    copy: GameGraph = graph.copy()
    _add_machine(copy, machine)
    return copy


def select_part(graph: GameGraph, part: Part) -> GameGraph:
    """Return a part of the whole graph (see `game_graph`). Raises InvalidPlayer if the learner has not played.

    >>> len(select_part(whole_graph(store), "optimal"))
    125
    """
    part_graph = _played_part(graph) if part == "played" else _optimal_part(graph, OPTIMAL_SIDES[part])
    part_graph.graph["part"] = part
    return part_graph


def missing_learner_error(store: Store, what: str) -> InvalidPlayer:
    """Return the error for a request, described by `what`, that needs a learner but does not name one.

    >>> print(missing_learner_error(store, "a page"))
    a page needs a machine; name one with --learner (the machines are: menace-x, menace-o)
    """
    names = ", ".join(row.name for row in store.learners())
    known = f"the machines are: {names}" if names else "there are no machines yet"
    return InvalidPlayer(f"{what} needs a machine; name one with --learner ({known})")


def _build_graph(store: Store, positions: Iterable[tuple[Any, ...]], moves: Iterable[tuple[Any, ...]]) -> GameGraph:
    rules = store.rules()
    graph: GameGraph = nx.DiGraph(game=rules.name, variant=rules.variant, symmetry=rules.symmetry)
    for number, *values in positions:
        columns = zip(POSITION_COLUMNS, values, strict=True)
        graph.add_node(number, **{column: value for column, value in columns if value is not None})
    for start, action, end, *values in moves:
        graph.add_edge(start, end, action=action, **dict(zip(MOVE_COLUMNS, values, strict=True)))
    return graph


def _add_machine(graph: GameGraph, machine: Machine) -> None:
    """Add a machine's beads or values to the graph."""
    positions = machine.positions
    graph.graph.update(
        learner=machine.name,
        plays=machine.plays.value,
        algorithm=machine.algorithm.name,
        preset=machine.preset,
        games=machine.learned.games,
    )
    own = np.flatnonzero(positions.moved_by(machine.side)[positions.position_of_move])
    ends = (positions.position_of_move[own].tolist(), positions.next_position[own].tolist())
    for start, end, share in zip(*ends, machine.policy().probability[own].tolist(), strict=True):
        graph[start][end]["share"] = share
    for box in machine.boxes:
        for held in box.moves:
            graph[box.position_id][held.next_position].update(_move_attributes(machine, held))
    _add_visits(graph, machine)


def _move_attributes(machine: Machine, move: Move) -> dict[str, float]:
    """Return the learned attributes of a move; attributes of positions are not included."""
    if machine.has_beads:
        return {"beads": move.beads, "picked": move.count}
    counts = {} if machine.algorithm.values_positions else {"updates": move.count}
    return {"learned_value": move.amount, **counts}


def _add_visits(graph: GameGraph, machine: Machine) -> None:
    """Add the visits. Each count of a position is one visit; each count of a move is a visit to both its positions."""
    positions, learned = machine.positions, machine.learned
    entries = np.flatnonzero(learned.kept)
    counts = machine.counts_of(entries)
    if machine.algorithm.values_positions:
        for position, value, count in zip(entries.tolist(), machine.amounts_of(entries), counts, strict=True):
            graph.nodes[position].update(learned_value=value, visits=count)
        return
    ends = (positions.position_of_move[entries].tolist(), positions.next_position[entries].tolist())
    for start, end, count in zip(*ends, counts, strict=True):
        for position in (start, end):
            node = graph.nodes[position]
            node["visits"] = node.get("visits", 0) + count


def _optimal_part(graph: GameGraph, optimal_sides: str) -> GameGraph:
    """Return the part that is reached from the first board if the sides in `optimal_sides` keep the minimax value."""

    def allowed(start: int, edge: dict[str, Any]) -> bool:
        return edge["optimal"] == 1 or graph.nodes[start]["to_move"] not in optimal_sides

    reached = {0}
    moves = []
    for start in graph:  # children have larger numbers than their parents
        if start in reached:
            edges = [(start, end) for end, edge in graph[start].items() if allowed(start, edge)]
            reached.update(end for _, end in edges)
            moves += edges
    return _subgraph(graph, reached, moves)


def _played_part(graph: GameGraph) -> GameGraph:
    """Return the positions that the machine visited, and the moves between them.

    Of the machine's own moves, only those that it learned from are included.
    """
    visited = {position for position, node in graph.nodes(data=True) if node.get("visits", 0) > 0}
    if not visited:
        name = graph.graph["learner"]
        raise InvalidPlayer(
            f"machine {name} has not learned from any game yet, so the part 'played' is empty; train it first"
        )
    moves = [
        (start, end)
        for start, end, edge in graph.edges(data=True)
        if start in visited and end in visited and edge.get("picked", edge.get("updates", 1)) > 0
    ]
    return _subgraph(graph, visited, moves)


def _subgraph(graph: GameGraph, positions: set[int], moves: list[tuple[int, int]]) -> GameGraph:
    """Return a part of a graph and keep its order; networkx's own `subgraph` uses the order of a set."""
    result: GameGraph = nx.DiGraph(**graph.graph)
    result.add_nodes_from((position, node) for position, node in graph.nodes(data=True) if position in positions)
    result.add_edges_from((start, end, graph[start][end]) for start, end in moves)
    return result
