"""Laws of canonical boards, the enumeration and the labelled graph, and the published counts of tic-tac-toe."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import fields

import networkx as nx
import numpy as np
import pytest
from oracle import TICTACTOE, Rules, family

from menace.errors import IllegalMove, InvalidGame
from menace.games import get_game
from menace.games.base import DRAW, O_WINS, ONGOING, OUTCOME_OF_NUMBER, TEXT_OF_SIDE, X_WINS, ArrayRules, Game
from menace.games.enumeration import CodedBoards, enumerate_by_text, enumerate_positions
from menace.games.networkx_graph import build_graph
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.ledger.positions import from_rows, rows_by_arrays, rows_by_graph

BOARDS = list(TICTACTOE.boards())
VARIANTS = [(1, 1, 1), (1, 3, 2), (1, 8, 2), (2, 2, 2), (4, 2, 2), (2, 4, 3), (3, 3, 2)]


def moves_of(positions: Positions, position: int) -> range:
    return range(int(positions.first_move[position]), int(positions.first_move[position + 1]))


# Canonical boards.


def test_the_canonical_board_is_the_image_whose_text_sorts_last(game: Game) -> None:
    for board in BOARDS:
        canonical = SymmetricGame(game).canonical(board)
        assert canonical == TICTACTOE.canonical(board)
        assert SymmetricGame(game).canonical(canonical) == canonical
        assert SymmetricGame(game).symmetry_to_canonical(board).board(board) == canonical
        assert SymmetricGame(game, "none").canonical(board) == board


def test_all_images_of_a_board_have_one_canonical_board(game: Game) -> None:
    for board in {TICTACTOE.canonical(board) for board in BOARDS}:
        assert {SymmetricGame(game).canonical(image) for image in TICTACTOE.images(board)} == {board}


def test_an_unknown_symmetry_is_refused(game: Game) -> None:
    with pytest.raises(InvalidGame, match="symmetry 'half' is neither 'full' nor 'none'"):
        SymmetricGame(game, "half").canonical("." * 9)  # type: ignore[arg-type]
    with pytest.raises(InvalidGame, match="symmetry 'half' is neither 'full' nor 'none'"):
        enumerate_positions(game, "half")  # type: ignore[arg-type]


# Carrying moves between a board and its canonical one.


@pytest.mark.slow
def test_equivalent_moves_part_the_legal_moves_by_the_position_that_they_lead_to(game: Game) -> None:
    symmetric = SymmetricGame(game)
    for board in BOARDS:
        canonical = {action: TICTACTOE.canonical(child) for action, child in TICTACTOE.children(board).items()}
        for action, wanted in canonical.items():
            same = tuple(beside for beside, reached in canonical.items() if reached == wanted)
            assert symmetric.equivalent_actions(board, action) == same
    assert SymmetricGame(game, "none").equivalent_actions("." * 9, 2) == (2,)
    assert SymmetricGame(game).equivalent_actions("." * 9, 2) == (0, 2, 6, 8)


@pytest.mark.slow
def test_a_move_carried_to_the_canonical_board_and_back_is_one_of_its_equals(game: Game) -> None:
    symmetric = SymmetricGame(game)
    for board in BOARDS:
        home, children = TICTACTOE.canonical(board), TICTACTOE.children(board)
        stands_for: dict[int, set[int]] = {}
        for action, child in children.items():
            carried = symmetric.to_canonical(board, action)
            stands_for.setdefault(carried, set()).add(action)
            assert TICTACTOE.canonical(TICTACTOE.put(home, carried)) == TICTACTOE.canonical(child)
        for carried, actions in stands_for.items():
            assert symmetric.actions_for(board, carried) == tuple(sorted(actions))
            if board == home:
                assert carried == min(actions)  # the lowest of its equals stands for all


def test_without_symmetry_every_move_stands_for_itself(game: Game) -> None:
    for board in BOARDS[::25]:
        for action in TICTACTOE.children(board):
            assert SymmetricGame(game, "none").to_canonical(board, action) == action
            assert SymmetricGame(game, "none").actions_for(board, action) == (action,)


def test_no_illegal_move_is_carried(game: Game) -> None:
    for board, action in [("X........", 0), ("........X", 8), (".........", 9), (".........", -1), ("XXX.OO...", 8)]:
        with pytest.raises(IllegalMove):
            SymmetricGame(game).to_canonical(board, action)
        with pytest.raises(IllegalMove):
            SymmetricGame(game).equivalent_actions(board, action)
    with pytest.raises(IllegalMove):
        SymmetricGame(game).actions_for("........X", 0)  # on the canonical board, X........, cell 0 is taken


# The enumeration.


def test_every_position_of_brute_force_is_found_in_order(by_symmetry: dict[str, Positions]) -> None:
    positions = by_symmetry["full"]
    wanted = [sorted({TICTACTOE.canonical(board) for board in ply}, reverse=True) for ply in TICTACTOE.by_ply()]
    assert [positions.boards[p] for p in range(len(positions))] == [board for ply in wanted for board in ply]
    assert positions.ply.tolist() == [ply for ply, boards in enumerate(wanted) for _ in boards]
    positions = by_symmetry["none"]
    assert [positions.boards[p] for p in range(len(positions))] == [b for p in TICTACTOE.by_ply() for b in p[::-1]]
    assert [by_symmetry["full"].boards[p] for p in range(4)] == [".........", "X........", ".X.......", "....X...."]


@pytest.mark.parametrize("size", [(3, 3, 3), *VARIANTS])
@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_moves_lead_where_the_rules_lead_with_their_multiplicities(size: tuple[int, int, int], symmetry: str) -> None:
    rules = family(*size)
    positions = enumerate_positions(get_game("tictactoe", "x".join(map(str, size))), symmetry)  # type: ignore[arg-type]
    name = rules.canonical if symmetry == "full" else str
    assert {positions.boards[p] for p in range(len(positions))} == {name(board) for board in rules.boards()}
    assert (positions.first_move[0], positions.first_move[-1]) == (0, len(positions.action))
    for position in range(len(positions)):
        board = positions.boards[position]
        moves = moves_of(positions, position)
        assert [int(action) for action in positions.action[moves]] == sorted(positions.action[moves].tolist())
        groups: dict[str, list[int]] = {}
        for action, child in rules.children(board).items():
            groups.setdefault(name(child), []).append(action)
        read = {
            positions.boards[int(positions.next_position[m])]: (
                int(positions.action[m]),
                int(positions.multiplicity[m]),
            )
            for m in moves
        }
        assert read == {child: (min(actions), len(actions)) for child, actions in groups.items()}
        assert len(read) == len(moves)  # no two moves to the same next position
        assert all(positions.next_position[m] > position for m in moves)
        assert int(positions.images[position]) == (len(set(rules.images(board))) if symmetry == "full" else 1)
        assert OUTCOME_OF_NUMBER[int(positions.outcome[position])] == rules.outcome(board)
        assert TEXT_OF_SIDE[int(positions.to_move[position])] == (
            None if rules.outcome(board) else rules.to_move(board)
        )
        assert int(positions.ply[position]) == rules.cells - board.count(".")


@pytest.mark.parametrize("size", [(3, 3, 3), *VARIANTS, (2, 5, 3), (1, 9, 3)])
@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.slow
def test_the_rules_on_text_and_on_arrays_give_the_same_positions(size: tuple[int, int, int], symmetry: str) -> None:
    game = get_game("tictactoe", "x".join(map(str, size)))
    assert isinstance(game, ArrayRules)
    on_arrays, on_text = (find(game, symmetry) for find in (enumerate_positions, enumerate_by_text))
    assert isinstance(on_arrays.boards, CodedBoards)  # so it was found on arrays
    assert list(on_arrays.boards) == list(on_text.boards)
    for column in fields(Positions)[3:]:
        values, wanted = getattr(on_arrays, column.name), getattr(on_text, column.name)
        assert values.dtype == wanted.dtype == (np.int8 if column.name in ("to_move", "outcome") else np.int32)
        assert values.tolist() == wanted.tolist(), column.name


@pytest.mark.parametrize("enumerated", [enumerate_positions, enumerate_by_text])
def test_every_position_is_found_by_each_of_its_images_and_no_other_board_is(
    enumerated: Callable[[Game], Positions],
) -> None:
    positions = enumerated(get_game("tictactoe", "3x3x2"))
    for number, board in enumerate(positions.boards):
        for symmetry in positions.symmetries:
            assert positions.number_of(symmetry.board(board)) == number
    for unreached in ("XXXXXXXXX", "OOOOOOOOO", "O........", "XX.......", "nonsense!"):
        with pytest.raises(LookupError, match=f"has no position {unreached}"):
            positions.number_of(unreached)


def test_coded_boards_are_a_sequence(by_symmetry: dict[str, Positions]) -> None:
    boards = by_symmetry["full"].boards
    assert len(boards) == len(by_symmetry["full"]) == 765
    assert list(boards[1:4]) == ["X........", ".X.......", "....X...."]
    assert boards[-1] == boards[764]
    assert "XX......." not in boards
    with pytest.raises(IndexError):
        boards[765]


def test_positions_with_symmetry_are_the_boards_folded(by_symmetry: dict[str, Positions]) -> None:
    full, none = by_symmetry["full"], by_symmetry["none"]
    folded = Counter(TICTACTOE.canonical(none.boards[p]) for p in range(len(none)))
    assert {full.boards[p]: int(full.images[p]) for p in range(len(full))} == folded
    assert int(full.images.sum()) == len(none) == 5478
    assert set(none.images.tolist()) == set(none.multiplicity.tolist()) == {1}
    edges = Counter()
    for position in range(len(none)):
        for move in moves_of(none, position):
            child = none.boards[int(none.next_position[move])]
            edges[TICTACTOE.canonical(none.boards[position]), TICTACTOE.canonical(child)] += 1
    assert edges == {
        (full.boards[p], full.boards[int(full.next_position[m])]): int(full.images[p] * full.multiplicity[m])
        for p in range(len(full))
        for m in moves_of(full, p)
    }


@pytest.mark.parametrize("size", [(3, 4, 3), (2, 5, 3)])
def test_a_larger_board_folds_too(size: tuple[int, int, int]) -> None:
    game = get_game("tictactoe", "x".join(map(str, size)))
    full, none = enumerate_positions(game), enumerate_positions(game, "none")
    assert int(full.images.sum()) == len(none)
    assert (np.bincount(full.ply, full.images) == np.bincount(none.ply)).all()


# The published counts.


def test_the_counts_by_ply_are_the_published_ones(by_symmetry: dict[str, Positions]) -> None:
    assert np.bincount(by_symmetry["none"].ply).tolist() == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert np.bincount(by_symmetry["full"].ply).tolist() == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert len(by_symmetry["none"]) == 5478
    assert len(by_symmetry["full"]) == 765


def test_there_are_138_finished_positions_and_2096_moves(by_symmetry: dict[str, Positions]) -> None:
    outcome = by_symmetry["full"].outcome
    assert Counter(outcome.tolist()) == {X_WINS: 91, O_WINS: 44, DRAW: 3, ONGOING: 765 - 138}
    assert len(by_symmetry["full"].action) == len(by_symmetry["full"].multiplicity) == 2096


def count_paths(positions: Positions, weighed: bool) -> Counter:
    """Count the games by outcome: as paths, or each move as often as its multiplicity."""
    paths, ends = [1] + [0] * (len(positions) - 1), Counter()
    for position in range(len(positions)):
        for move in moves_of(positions, position):
            times = int(positions.multiplicity[move]) if weighed else 1
            paths[positions.next_position[move]] += paths[position] * times
        ends[OUTCOME_OF_NUMBER[int(positions.outcome[position])]] += paths[position]
    del ends[None]
    return ends


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_there_are_255168_games(by_symmetry: dict[str, Positions], symmetry: str) -> None:
    assert count_paths(by_symmetry[symmetry], weighed=True) == {"X": 131184, "O": 77904, "draw": 46080}
    assert sum(TICTACTOE.count_games().values()) == 255168


def test_there_are_26830_games_up_to_symmetry(by_symmetry: dict[str, Positions]) -> None:
    assert sum(count_paths(by_symmetry["full"], weighed=False).values()) == 26830


# The limit.


def test_more_positions_than_the_limit_are_refused(game: Game) -> None:
    assert len(enumerate_positions(game, limit=765)) == 765
    for limit in (764, 1, 0):
        with pytest.raises(InvalidGame, match=f"tictactoe 3x3x3 has more than {limit} positions"):
            enumerate_positions(game, limit=limit)
    with pytest.raises(InvalidGame, match=r"more than 20 positions, the most that fit here: .* when 54 were reached"):
        enumerate_positions(game, limit=20)  # 1, 3, 12 and 38 by ply


def test_a_game_over_the_limit_is_refused_before_its_largest_ply_is_expanded() -> None:
    start = time.process_time()
    with pytest.raises(InvalidGame, match="more than 100,000 positions"):
        enumerate_positions(get_game("tictactoe", "5x5x5"), limit=100_000)
    assert time.process_time() - start < 2.0


# Laws of the labelled graph and of the arrays: both equal brute force without symmetry.


SIZES = [(3, 3, 3), (1, 1, 1), (1, 3, 2), (1, 8, 2), (2, 2, 2), (4, 2, 2), (2, 4, 3), (3, 3, 2), (1, 7, 3), (3, 2, 3)]
LABELS = ("ply", "to_move", "outcome", "minimax", "plies_to_end")
TABLE_COLUMNS = (*LABELS, "images", "first_move", "action", "next_position", "multiplicity")


@pytest.fixture(scope="module", params=[(size, use) for size in SIZES for use in ("full", "none")], ids=str)
def case(request: pytest.FixtureRequest) -> tuple[Rules, Positions, nx.DiGraph]:
    """Brute force, positions and graph of a game, with and without symmetry."""
    size, symmetry = request.param
    positions = enumerate_positions(get_game("tictactoe", "x".join(map(str, size))), symmetry)
    return family(*size), positions, build_graph(positions)


GraphCase = tuple[Rules, Positions, nx.DiGraph]


def test_a_position_is_labelled_as_brute_force_labels_its_board(case: GraphCase) -> None:
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


def test_a_move_is_labelled_as_brute_force_labels_its_cells(case: GraphCase) -> None:
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


def test_attributes_are_plain_numbers_and_texts(case: GraphCase) -> None:
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


def test_the_graph_has_no_cycle_and_every_position_is_reached(case: GraphCase) -> None:
    _, _, graph = case
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.descendants(graph, 0) | {0} == set(graph)
    assert all(child > parent for parent, child in graph.edges)


def test_the_arrays_have_the_labels_of_the_graph(case: GraphCase) -> None:
    _, positions, graph = case
    assert positions.minimax.tolist() == [value for _, value in sorted(graph.nodes(data="minimax"))]
    assert positions.plies_to_end.tolist() == [plies for _, plies in sorted(graph.nodes(data="plies_to_end"))]


def test_the_rows_of_a_game_are_those_of_graph_and_arrays_alike(case: GraphCase) -> None:
    _, positions, _ = case
    nodes, edges = rows_by_graph(positions)
    assert [list(rows) for rows in rows_by_arrays(positions)] == [nodes, edges]
    assert {type(value) for row in edges for value in row} <= {int}


def test_positions_read_from_rows_are_those_that_were_written(case: GraphCase) -> None:
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


def test_what_the_table_derives_is_what_the_graph_says(case: GraphCase) -> None:
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
