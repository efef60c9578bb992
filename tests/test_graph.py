"""Laws of the labelled graph and of the arrays: both equal brute force without symmetry."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from oracle import Rules, family

from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.graph import build_graph
from menace.games.positions import Positions
from menace.ledger.positions import from_rows, rows_by_arrays, rows_by_graph

SIZES = [(3, 3, 3), (1, 1, 1), (1, 3, 2), (1, 8, 2), (2, 2, 2), (4, 2, 2), (2, 4, 3), (3, 3, 2), (1, 7, 3), (3, 2, 3)]
LABELS = ("ply", "to_move", "outcome", "minimax", "plies_to_end")
TABLE_COLUMNS = (*LABELS, "images", "first_move", "action", "next_position", "multiplicity")


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
            "board": positions.boards[position],
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


def test_the_arrays_have_the_labels_of_the_graph(case: Case) -> None:
    _, positions, graph = case
    assert positions.minimax.tolist() == [value for _, value in sorted(graph.nodes(data="minimax"))]
    assert positions.plies_to_end.tolist() == [plies for _, plies in sorted(graph.nodes(data="plies_to_end"))]


def test_the_rows_of_a_game_are_those_of_graph_and_arrays_alike(case: Case) -> None:
    _, positions, _ = case
    nodes, edges = rows_by_graph(positions)
    assert [list(rows) for rows in rows_by_arrays(positions)] == [nodes, edges]
    assert {type(value) for row in edges for value in row} <= {int}


def test_positions_read_from_rows_are_those_that_were_written(case: Case) -> None:
    _, positions, _ = case
    nodes, edges = rows_by_graph(positions)
    read = from_rows(positions, [nodes[:1], nodes[1:]], [[edge[:4] for edge in edges]])
    for column in TABLE_COLUMNS:
        written, stored = getattr(positions, column), getattr(read, column)
        assert written.dtype == stored.dtype == (np.int8 if column in ("to_move", "outcome") else np.int32), column
        assert written.tolist() == stored.tolist(), column
        assert written.flags.c_contiguous, column
        assert stored.flags.c_contiguous, column
    assert list(read.boards) == list(positions.boards)


def test_what_the_table_derives_is_what_the_graph_says(case: Case) -> None:
    rules, positions, graph = case
    assert (len(positions), positions.move_count) == (len(graph), graph.number_of_edges())
    assert positions.longest == max(ply for _, ply in graph.nodes(data="ply"))
    for position, node in graph.nodes(data=True):
        moves = positions.moves_of(position)
        edges = graph[position]
        assert {int(positions.next_position[m]): bool(positions.optimal[m]) for m in moves} == {
            child: bool(edge["optimal"]) for child, edge in edges.items()
        }
        assert {int(positions.position_of_move[m]) for m in moves} <= {position}
        assert positions.cells[position] == len(rules.empties(node["board"]))
        assert [bool(positions.moved_by(side)[position]) for side in (0, 1)] == [node["to_move"] == s for s in "XO"]
    for ply, (here, moves) in enumerate(positions.plies):
        assert set(positions.ply[here].tolist()) == {ply}
        assert positions.position_of_move[moves].tolist() == [
            p for p in range(here.start, here.stop) for _ in positions.moves_of(p)
        ]
    assert sum(moves.stop - moves.start for _, moves in positions.plies) == positions.move_count


def test_the_sum_over_moves_is_that_of_each_position(by_symmetry: dict[str, Positions]) -> None:
    positions = by_symmetry["full"]
    amounts = np.random.default_rng(1).integers(1, 1000, positions.move_count).astype(np.float64)
    for position in range(len(positions)):
        own = [float(amounts[move]) for move in positions.moves_of(position)]
        assert positions.sum_over_moves(amounts)[position] == sum(own)


def test_the_values_of_the_positions_are_the_published_counts(graphs: dict[str, nx.DiGraph]) -> None:
    assert Counter(value for _, value in graphs["full"].nodes(data="minimax")) == {1: 412, -1: 202, 0: 151}
    assert graphs["full"].number_of_edges() == 2096
    assert (len(graphs["full"]), len(graphs["none"])) == (765, 5478)


def test_the_winner_hurries_the_loser_delays_and_in_a_drawn_position_both_delay(graphs: dict[str, nx.DiGraph]) -> None:
    plies_to_end = {node["board"]: node["plies_to_end"] for _, node in graphs["full"].nodes(data=True)}
    assert plies_to_end["........."] == 9
    assert plies_to_end["XX.OO...."] == 1  # X wins at once, though it could win later
    assert plies_to_end["XOO.X...."] == 1
    assert plies_to_end["XX.OX.O.."] == 2  # O to move has lost: it blocks one row, and X completes the other
