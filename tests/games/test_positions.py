"""Tests of canonical boards, enumeration and the labelled graph against brute force and published counts."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from types import SimpleNamespace

import networkx as nx
import notakto
import numpy as np
import pytest
from database_templates import Case, positions_for
from trial_games import BruteForce, brute_force

from menace.errors import IllegalMove, InvalidGame
from menace.games import get_game
from menace.games.base import DRAW, O_WINS, ONGOING, OUTCOME_OF_NUMBER, X_WINS, ArrayRules, Game
from menace.games.enumeration import CodedBoards, enumerate_by_text, enumerate_positions
from menace.games.networkx_graph import build_graph
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.ledger.positions import from_rows, rows_by_arrays, rows_by_graph


def tictactoe_case(size: str) -> Case:
    return "tictactoe", size


TICTACTOE = tictactoe_case("3x3x3")
SIZES = ["3x3x3", "1x1x1", "1x3x2", "1x8x2", "2x2x2", "4x2x2", "2x4x3", "3x3x2", "1x7x3", "3x2x3"]
SMALL = [
    ("nim", "2-3"),
    ("nim", "3-4-5"),
    ("nim", "21-take3"),
    ("nim", "9-take4-misere"),
    ("nim", "1-2-2-misere"),
    ("hexapawn", "3x3"),
    ("hexapawn", "4x2"),
    ("hexapawn", "4x3"),
    ("tictactoe", "2x3x2-misere"),
    ("tictactoe", "2x2x2-wild"),
    ("tictactoe", "1x5x3-wild-misere"),
    ("connect", "2x3x2"),
    ("connect", "3x3x3"),
    notakto.ONE,
]
EVEN = {("hexapawn", "3x3"), ("hexapawn", "4x2")}
UNEVEN = [case for case in SMALL if case not in EVEN and case[0] in {"nim", "hexapawn", "notakto"}]
Labelled = tuple[BruteForce, Positions, nx.DiGraph]


@pytest.mark.parametrize("case", [TICTACTOE, *SMALL], ids="-".join)
def test_moves_map_to_and_from_canonical_board(case: Case) -> None:
    """Moves that lead to the same position are equivalent.

    The lowest of these actions on the canonical board represents the others.
    """
    rules, game = brute_force(case), get_game(*case)
    symmetric = SymmetricGame(game)
    for board in rules.boards():
        home, children = rules.canonical(board), rules.children(board)
        assert symmetric.canonical(board) == symmetric.symmetry_to_canonical(board).board(board) == home
        assert SymmetricGame(game, "none").canonical(board) == board
        equals: dict[str, list[int]] = {}
        for action, child in children.items():
            equals.setdefault(rules.canonical(child), []).append(action)
        for reached, actions in equals.items():
            (carried,) = {symmetric.to_canonical(board, action) for action in actions}
            assert rules.canonical(game.play(home, carried)) == reached
            assert symmetric.actions_for(board, carried) == tuple(sorted(actions))
            assert board != home or carried == min(actions)
            assert {symmetric.equivalent_actions(board, action) for action in actions} == {tuple(sorted(actions))}


@pytest.mark.parametrize("case", [TICTACTOE, *SMALL], ids="-".join)
def test_symmetries_commute_with_playing(case: Case) -> None:
    rules, game = brute_force(case), get_game(*case)
    for symmetry, board in itertools.product(game.symmetries, rules.boards()):
        image = symmetry.board(board)
        assert symmetry.inverse().board(image) == board
        carried = {symmetry.action(action): symmetry.board(child) for action, child in rules.children(board).items()}
        assert carried == rules.children(image)
        assert {symmetry.inverse().action(action) for action in carried} == set(rules.children(board))


def test_unknown_symmetry_is_refused(game: Game) -> None:
    with pytest.raises(InvalidGame, match="symmetry 'half' is neither 'full' nor 'none'"):
        SymmetricGame(game, "half").canonical("." * 9)  # type: ignore[arg-type]
    with pytest.raises(InvalidGame, match="symmetry 'half' is neither 'full' nor 'none'"):
        enumerate_positions(game, "half")  # type: ignore[arg-type]


def test_moves_map_to_themselves_without_symmetry(game: Game) -> None:
    for board in itertools.islice(brute_force(TICTACTOE).boards(), 0, None, 25):
        for action in game.actions(board):
            assert SymmetricGame(game, "none").to_canonical(board, action) == action
            assert SymmetricGame(game, "none").actions_for(board, action) == (action,)


def test_illegal_moves_cannot_be_mapped(game: Game) -> None:
    for board, action in [("X........", 0), ("........X", 8), (".........", 9), (".........", -1), ("XXX.OO...", 8)]:
        with pytest.raises(IllegalMove):
            SymmetricGame(game).to_canonical(board, action)
        with pytest.raises(IllegalMove):
            SymmetricGame(game).equivalent_actions(board, action)
    with pytest.raises(IllegalMove):
        SymmetricGame(game).actions_for("........X", 0)  # cell 0 of the canonical board X........ is taken


@pytest.mark.parametrize("case", UNEVEN)
def test_some_boards_occur_at_different_plies(case: Case) -> None:
    assert any(len(ways) > 1 for ways in brute_force(case).ways.values())


ON_ARRAYS = [
    *map(tictactoe_case, [*SIZES[:8], "2x5x3", "1x9x3", "3x3x3-misere"]),
    ("connect", "3x4x3"),
    ("connect", "2x5x2"),
]


@pytest.mark.parametrize("case", ON_ARRAYS, ids="-".join)
@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.slow
def test_text_and_array_enumeration_give_same_positions(case: Case, symmetry: str) -> None:
    game = get_game(*case)
    assert isinstance(game, ArrayRules)
    on_arrays, on_text = (find(game, symmetry) for find in (enumerate_positions, enumerate_by_text))
    assert isinstance(on_arrays.boards, CodedBoards)  # shows that the array rules were used
    assert list(on_arrays.boards) == list(on_text.boards)
    for column in fields(Positions)[3:]:
        values, wanted = getattr(on_arrays, column.name), getattr(on_text, column.name)
        assert values.dtype == wanted.dtype == (np.int8 if column.name in ("to_move", "outcome") else np.int32)
        assert values.tolist() == wanted.tolist(), column.name


@pytest.mark.parametrize("enumerated", [enumerate_positions, enumerate_by_text])
def test_number_of_finds_every_image_and_no_other_board(enumerated: Callable[[Game], Positions]) -> None:
    positions = enumerated(get_game("tictactoe", "3x3x2"))
    for number, board in enumerate(positions.boards):
        for symmetry in positions.symmetries:
            assert positions.number_of(symmetry.board(board)) == number
    for unreached in ("XXXXXXXXX", "OOOOOOOOO", "O........", "XX.......", "nonsense!"):
        with pytest.raises(LookupError, match=f"has no position {unreached}"):
            positions.number_of(unreached)


def test_coded_boards_support_sequence_operations(by_symmetry: dict[str, Positions]) -> None:
    boards = by_symmetry["full"].boards
    assert len(boards) == len(by_symmetry["full"]) == 765
    assert list(boards[1:4]) == ["X........", ".X.......", "....X...."]
    assert boards[-1] == boards[764]
    assert "XX......." not in boards
    with pytest.raises(IndexError):
        boards[765]


def test_tictactoe_matches_published_counts(by_symmetry: dict[str, Positions]) -> None:
    full, none = by_symmetry["full"], by_symmetry["none"]
    assert np.bincount(none.ply).tolist() == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert np.bincount(full.ply).tolist() == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert (len(none), len(full), full.move_count) == (5478, 765, 2096)
    assert Counter(full.outcome.tolist()) == {X_WINS: 91, O_WINS: 44, DRAW: 3, ONGOING: 765 - 138}
    assert Counter(full.minimax.tolist()) == {1: 412, -1: 202, 0: 151}


def count_paths(positions: Positions, weighed: bool) -> Counter:
    """Count the games that end in each outcome. If requested, weight each move by its multiplicity."""
    paths, ends = [1] + [0] * (len(positions) - 1), Counter()
    for position in range(len(positions)):
        for move in positions.moves_of(position):
            times = int(positions.multiplicity[move]) if weighed else 1
            paths[positions.next_position[move]] += paths[position] * times
        ends[OUTCOME_OF_NUMBER[int(positions.outcome[position])]] += paths[position]
    del ends[None]
    return ends


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_tictactoe_has_255168_games(by_symmetry: dict[str, Positions], symmetry: str) -> None:
    assert count_paths(by_symmetry[symmetry], weighed=True) == {"X": 131184, "O": 77904, "draw": 46080}
    assert sum(brute_force(TICTACTOE).count_games().values()) == 255168


def test_tictactoe_has_26830_games_up_to_symmetry(by_symmetry: dict[str, Positions]) -> None:
    assert sum(count_paths(by_symmetry["full"], weighed=False).values()) == 26830


def test_enumeration_stops_at_position_limit(game: Game) -> None:
    assert len(enumerate_positions(game, limit=765)) == 765
    for limit in (764, 1, 0):
        with pytest.raises(InvalidGame, match=f"tictactoe 3x3x3 has more than {limit} positions"):
            enumerate_positions(game, limit=limit)
    with pytest.raises(InvalidGame, match=r"more than 20 positions, which is the limit; .* stopped after 54"):
        enumerate_positions(game, limit=20)  # the first four plies have 1, 3, 12 and 38 positions
    hexapawn = get_game("hexapawn", "4x3")  # this variant uses the text rules
    assert len(enumerate_positions(hexapawn, limit=507)) == 507
    for limit in (506, 100, 1):
        with pytest.raises(InvalidGame, match=rf"hexapawn 4x3 has more than {limit} .* stopped after {limit + 1}"):
            enumerate_positions(hexapawn, limit=limit)


def test_enumeration_stops_before_expanding_largest_ply() -> None:
    start = time.process_time()
    with pytest.raises(InvalidGame, match="more than 100,000 positions"):
        enumerate_positions(get_game("tictactoe", "5x5x5"), limit=100_000)
    assert time.process_time() - start < 2.0


LABELS = ("ply", "to_move", "outcome", "minimax", "plies_to_end")
TABLE_COLUMNS = (*LABELS, "images", "first_move", "action", "next_position", "multiplicity")


@pytest.fixture(
    scope="module",
    params=itertools.product([*map(tictactoe_case, SIZES), *SMALL], ["full", "none"]),
    ids=lambda param: "-".join((*param[0], param[1])),
)
def labelled(request: pytest.FixtureRequest) -> Labelled:
    """Return the brute-force rules, the positions and the graph of a game, with or without symmetry."""
    case, symmetry = request.param
    positions = positions_for(case, symmetry)
    return brute_force(case), positions, build_graph(positions)


def test_positions_match_brute_force_ordered_by_longest_path(labelled: Labelled) -> None:
    rules, positions, _ = labelled
    name = rules.canonical if positions.symmetry == "full" else str
    longest: dict[str, int] = {}
    for board, ways in rules.ways.items():
        longest[name(board)] = max(longest.get(name(board), 0), *ways)
    wanted = sorted(sorted(longest, reverse=True), key=longest.__getitem__)
    assert [positions.boards[p] for p in range(len(positions))] == list(positions.boards) == wanted
    assert positions.ply.tolist() == [longest[board] for board in wanted]
    assert positions.to_move.tolist() == [-1 if rules.outcome(b) else "XO".index(rules.to_move(b)) for b in wanted]
    outcomes = [OUTCOME_OF_NUMBER[int(positions.outcome[p])] for p in range(len(wanted))]
    assert outcomes == [rules.outcome(board) for board in wanted]


def test_moves_and_multiplicities_match_brute_force(labelled: Labelled) -> None:
    rules, positions, _ = labelled
    name = rules.canonical if positions.symmetry == "full" else str
    assert (positions.first_move[0], positions.first_move[-1]) == (0, len(positions.action))
    assert (positions.next_position > positions.position_of_move).all()
    for position in range(len(positions)):
        groups: dict[str, list[int]] = {}
        for action, child in rules.children(positions.boards[position]).items():
            groups.setdefault(name(child), []).append(action)
        columns = positions.next_position, positions.action, positions.multiplicity
        moves = [[int(column[move]) for column in columns] for move in positions.moves_of(position)]
        wanted = sorted(([b, min(a), len(a)] for b, a in groups.items()), key=lambda move: move[1])
        assert [[positions.boards[child], *rest] for child, *rest in moves] == wanted


@pytest.mark.parametrize("case", [TICTACTOE, *SMALL], ids="-".join)
def test_game_count_matches_brute_force(case: Case) -> None:
    assert +count_paths(positions_for(case), weighed=True) == +Counter(brute_force(case).count_games())


def test_position_labels_match_brute_force(labelled: Labelled) -> None:
    rules, positions, graph = labelled
    assert sorted(graph) == list(range(len(positions)))
    for position, node in graph.nodes(data=True):
        board = node["board"]
        outcome = rules.outcome(board)
        assert node == {
            "board": positions.boards[position],
            "ply": rules.max_moves(board, positions.symmetry == "full"),
            "to_move": None if outcome else rules.to_move(board),
            "outcome": outcome,
            "images": len(set(rules.images(board))) if positions.symmetry == "full" else 1,
            "minimax": rules.minimax(board),
            "plies_to_end": rules.plies_to_end(board),
        }


def test_move_labels_match_brute_force(labelled: Labelled) -> None:
    rules, positions, graph = labelled
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
        assert sorted(cells) == sorted(rules.empties(node["board"]))


def test_graph_attributes_have_plain_types(labelled: Labelled) -> None:
    _, positions, graph = labelled
    assert graph.graph == {
        "game": positions.game.name,
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


def test_graph_and_arrays_give_same_rows(labelled: Labelled) -> None:
    _, positions, _ = labelled
    nodes, edges = rows_by_graph(positions)
    assert [list(rows) for rows in rows_by_arrays(positions)] == [nodes, edges]
    assert {type(value) for row in edges for value in row} <= {int}


def test_positions_survive_round_trip_through_rows(labelled: Labelled) -> None:
    _, positions, _ = labelled
    nodes, edges = rows_by_graph(positions)
    read = from_rows(positions, [nodes[:1], nodes[1:]], [[edge[:4] for edge in edges]])
    for column in TABLE_COLUMNS:
        written, stored = getattr(positions, column), getattr(read, column)
        assert written.dtype == stored.dtype == (np.int8 if column in ("to_move", "outcome") else np.int32), column
        assert written.tolist() == stored.tolist(), column
        assert written.flags.c_contiguous, column
        assert stored.flags.c_contiguous, column
    assert list(read.boards) == list(positions.boards)


def test_derived_columns_match_graph(labelled: Labelled) -> None:
    rules, positions, graph = labelled
    assert (len(positions), positions.move_count) == (len(graph), graph.number_of_edges())
    assert positions.longest == max(ply for _, ply in graph.nodes(data="ply"))
    for position, node in graph.nodes(data=True):
        moves = positions.moves_of(position)
        edges = graph[position]
        assert {int(positions.next_position[m]): bool(positions.optimal[m]) for m in moves} == {
            child: bool(edge["optimal"]) for child, edge in edges.items()
        }
        assert {int(positions.position_of_move[m]) for m in moves} <= {position}
        assert positions.action_counts[position] == len(rules.empties(node["board"]))
        assert [bool(positions.moved_by(side)[position]) for side in (0, 1)] == [node["to_move"] == s for s in "XO"]
    for ply, (here, moves) in enumerate(positions.plies):
        assert set(positions.ply[here].tolist()) == {ply}
        assert positions.position_of_move[moves].tolist() == [
            p for p in range(here.start, here.stop) for _ in positions.moves_of(p)
        ]
    assert sum(moves.stop - moves.start for _, moves in positions.plies) == positions.move_count


def test_sum_over_moves_matches_sum_for_each_position(by_symmetry: dict[str, Positions]) -> None:
    positions = by_symmetry["full"]
    amounts = np.random.default_rng(1).integers(1, 1000, positions.move_count).astype(np.float64)
    for position in range(len(positions)):
        own = [float(amounts[move]) for move in positions.moves_of(position)]
        assert positions.sum_over_moves(amounts)[position] == sum(own)


def test_plies_to_end_assume_winner_hurries_and_loser_delays(graphs: dict[str, nx.DiGraph]) -> None:
    plies_to_end = {node["board"]: node["plies_to_end"] for _, node in graphs["full"].nodes(data=True)}
    assert plies_to_end["........."] == 9
    assert plies_to_end["XX.OO...."] == 1  # X wins immediately, although it could also win later
    assert plies_to_end["XOO.X...."] == 1
    assert plies_to_end["XX.OX.O.."] == 2  # O blocks one row, and X completes the other


def test_piece_kinds_begin_with_x_and_o() -> None:
    identity = SimpleNamespace(board=lambda board: board)
    game = SimpleNamespace(pieces=tuple)
    positions = SimpleNamespace(boards=["OX", "#O", "X+"], game=game, symmetries=[identity])
    assert Positions.piece_kinds.func(positions) == ("X", "O", "#", "+")  # type: ignore[attr-defined]
