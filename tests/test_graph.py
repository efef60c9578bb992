"""Laws of the labelled graph and of the flat table: both say what brute force without symmetry says."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from oracle import Rules, family

from menace.games import get_game
from menace.games.graph import build_graph
from menace.games.positions import Positions, enumerate_positions
from menace.games.table import TransitionTable

SIZES = [(3, 3, 3), (1, 1, 1), (1, 3, 2), (1, 8, 2), (2, 2, 2), (4, 2, 2), (2, 4, 3), (3, 3, 2), (1, 7, 3), (3, 2, 3)]
LABELS = ("ply", "to_move", "outcome", "minimax", "plies_to_end")
TABLE_COLUMNS = (*LABELS, "first_move", "action", "next_position", "multiplicity")


@pytest.fixture(scope="module", params=[(size, use) for size in SIZES for use in ("full", "none")], ids=str)
def case(request: pytest.FixtureRequest) -> tuple[Rules, Positions, nx.DiGraph]:
    """Brute force, positions and graph of a game, with and without symmetry."""
    size, symmetry = request.param
    positions = enumerate_positions(get_game("tictactoe", "x".join(map(str, size))), symmetry)
    return family(*size), positions, build_graph(positions)


Case = tuple[Rules, Positions, nx.DiGraph]


def test_a_position_is_labelled_as_brute_force_labels_its_board(case: Case) -> None:
    rules, positions, graph = case
    assert sorted(graph) == list(range(len(positions)))
    for position, node in graph.nodes(data=True):
        board = node["board"]
        outcome = rules.outcome(board)
        assert node == {
            "board": positions.board(position),
            "ply": rules.cells - board.count("."),
            "to_move": None if outcome else rules.to_move(board),
            "outcome": outcome,
            "images": len(set(rules.images(board))) if positions.symmetry == "full" else 1,
            "minimax": rules.minimax(board),
            "plies_to_end": rules.plies_to_end(board),
        }


def test_a_move_is_labelled_as_brute_force_labels_its_cells(case: Case) -> None:
    rules, positions, graph = case
    for position, node in graph.nodes(data=True):
        name = rules.canonical if positions.symmetry == "full" else str
        cells: dict[int, int] = {}
        for _, child, edge in graph.out_edges(position, data=True):
            here = [c for c, b in rules.children(node["board"]).items() if name(b) == graph.nodes[child]["board"]]
            cells |= dict.fromkeys(here, child)
            assert edge == {
                "action": min(here),
                "multiplicity": len(here),
                "minimax": rules.minimax(graph.nodes[child]["board"]),
                "optimal": int(set(here) <= set(rules.best_cells(node["board"]))),
            }
        assert sorted(cells) == rules.empties(node["board"])


def test_attributes_are_plain_numbers_and_texts(case: Case) -> None:
    _, positions, graph = case
    assert graph.graph == {
        "game": "tictactoe",
        "variant": positions.game.variant,
        "symmetry": positions.symmetry,
    }
    text = {"board", "to_move", "outcome"}
    for node, attributes in graph.nodes(data=True):
        assert type(node) is int
        for name, value in attributes.items():
            assert type(value) in ((str, type(None)) if name in text else (int,)), name
    for _, child, attributes in graph.edges(data=True):
        assert type(child) is int
        assert {type(value) for value in attributes.values()} == {int}


def test_the_graph_has_no_cycle_and_every_position_is_reached(case: Case) -> None:
    _, _, graph = case
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.descendants(graph, 0) | {0} == set(graph)
    assert all(child > parent for parent, child in graph.edges)


def rows_of(graph: nx.DiGraph) -> tuple[list[tuple], list[tuple]]:
    """What the database keeps of positions and of moves."""
    positions = [(position, *(graph.nodes[position][label] for label in LABELS)) for position in range(len(graph))]
    moves = [(p, e["action"], child, e["multiplicity"]) for p, child, e in graph.edges(data=True)]
    return positions, sorted(moves)


def test_the_table_has_the_labels_of_the_graph_whichever_way_it_is_made(case: Case) -> None:
    _, positions, graph = case
    solved, read = TransitionTable.from_positions(positions), TransitionTable.from_rows(*rows_of(graph))
    for column in TABLE_COLUMNS:
        one, other = getattr(solved, column), getattr(read, column)
        assert one.dtype == other.dtype == (np.int8 if column in ("to_move", "outcome") else np.int32), column
        assert one.tolist() == other.tolist(), column
        assert one.flags.c_contiguous, column
        assert other.flags.c_contiguous, column


def test_what_the_table_derives_is_what_the_graph_says(case: Case) -> None:
    rules, positions, graph = case
    table = TransitionTable.from_positions(positions)
    assert (table.positions, table.moves) == (len(graph), graph.number_of_edges())
    assert table.longest == max(ply for _, ply in graph.nodes(data="ply"))
    for position, node in graph.nodes(data=True):
        moves = table.moves_of(position)
        edges = graph[position]
        assert {int(table.next_position[m]): bool(table.optimal[m]) for m in moves} == {
            child: bool(edge["optimal"]) for child, edge in edges.items()
        }
        assert {int(table.position_of_move[m]) for m in moves} <= {position}
        assert table.cells[position] == len(rules.empties(node["board"]))
        assert [bool(table.moved_by(side)[position]) for side in (0, 1)] == [node["to_move"] == s for s in "XO"]
    for ply, (here, moves) in enumerate(table.plies):
        assert set(table.ply[here].tolist()) == {ply}
        assert table.position_of_move[moves].tolist() == [
            p for p in range(here.start, here.stop) for _ in table.moves_of(p)
        ]
    assert sum(moves.stop - moves.start for _, moves in table.plies) == table.moves


def test_the_most_and_the_sum_over_moves_are_those_of_each_position(tables: dict[str, TransitionTable]) -> None:
    table = tables["full"]
    amounts = np.random.default_rng(1).integers(1, 1000, table.moves).astype(np.float64)
    for position in range(table.positions):
        own = [float(amounts[move]) for move in table.moves_of(position)]
        assert table.sum_over_moves(amounts)[position] == sum(own)
        assert table.most_of_moves(amounts)[position] == max(own, default=0)


def test_the_values_of_the_positions_are_the_published_counts(graphs: dict[str, nx.DiGraph]) -> None:
    assert Counter(value for _, value in graphs["full"].nodes(data="minimax")) == {1: 412, -1: 202, 0: 151}
    assert graphs["full"].number_of_edges() == 2096
    assert (len(graphs["full"]), len(graphs["none"])) == (765, 5478)


def test_the_winner_hurries_the_loser_delays_and_in_a_drawn_position_both_delay(graphs: dict[str, nx.DiGraph]) -> None:
    rest = {node["board"]: node["plies_to_end"] for _, node in graphs["full"].nodes(data=True)}
    assert rest["........."] == 9
    assert rest["XX.OO...."] == 1  # X wins at once, though it could win later
    assert rest["XOO.X...."] == 1
    assert rest["XX.OX.O.."] == 2  # O to move has lost: it blocks one row, and X completes the other
