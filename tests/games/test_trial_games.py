"""Games other than tic-tac-toe, whose boards recur after different numbers of moves, through all the code."""

from __future__ import annotations

import dataclasses
import itertools
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from operator import xor
from pathlib import Path

import networkx as nx
import notakto
import numpy as np
import pytest
from bench import SEATS, learned, new_machine, of_preset, play, raw_numbers, uncompiled_kernel
from playing import play_out
from runs import boxes_of, resume, selfplay, train
from runs import learned as everything_learned
from templates import Case, positions_for
from trial_games import Made, brute

import menace
from menace.analysis.history import replay_game
from menace.analysis.replayed_learners import openings_of
from menace.analysis.strength_reports import strength_of
from menace.arena import exact_strength
from menace.errors import InvalidGame, InvalidSetting
from menace.games import GAMES, get_game
from menace.games.base import OUTCOME_OF_NUMBER
from menace.games.enumeration import HIGHEST_ACTION, enumerate_positions
from menace.games.networkx_graph import build_graph
from menace.games.symmetry import SymmetricGame
from menace.kernel import loop as kernel
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.registry import PRESETS
from menace.ledger.database_file import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.queries import query
from menace.ledger.runs import SelfPlay, order
from menace.ledger.store import Store
from menace.ledger.training import continue_run
from menace.people.session import Session

pytestmark = pytest.mark.slow

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
KEPT = [("nim", "21-take3"), ("nim", "3-4-5"), ("hexapawn", "4x3")]  # in databases
EVEN = {("hexapawn", "3x3"), ("hexapawn", "4x2")}
UNEVEN = [case for case in SMALL if case not in EVEN and case[0] in {"nim", "hexapawn", "notakto"}]
# Every algorithm; and MENACE, of which most is shown, at every game.
ALGORITHMS = ("zhang", "value-function", "q-table", "sala", "michie-1963", "scroggs")
TAUGHT = [*zip(ALGORITHMS, itertools.cycle(KEPT), strict=False), *(("menace", case) for case in KEPT)]
NOT_FOR_ALL = {"michie-1961"}  # a preset for tic-tac-toe alone


# The facts.


def test_hexapawn_on_three_rows_has_71_positions_and_the_second_player_wins() -> None:
    for symmetry, o_moves, x_moves in (("full", [2, 10, 7], [18, 14]), ("none", [37], [33])):
        positions = positions_for(("hexapawn", "3x3"), symmetry)
        choice = positions.cells > 1
        by_ply = Counter(positions.ply[positions.to_move == 1].tolist())
        if symmetry == "full":
            assert len(positions) == 71
            assert [by_ply[ply] for ply in (1, 3, 5)] == o_moves
            assert by_ply.total() == 19
            assert int((choice & (positions.to_move == 1)).sum()) == 17
            assert [int((positions.to_move == 0).sum()), int((choice & (positions.to_move == 0)).sum())] == x_moves
        else:
            assert [by_ply.total()] == o_moves
            assert [int((positions.to_move == 0).sum())] == x_moves
        assert positions.minimax[0] == -1


def test_one_heap_of_21_has_42_positions_and_who_leaves_a_multiple_of_four_wins() -> None:
    for case, winner, remainder in (
        (("nim", "21-take3"), 1, 0),
        (("nim", "21-take3-misere"), -1, 1),
    ):
        positions = positions_for(case)
        assert len(positions) == 42
        assert positions.minimax[0] == winner
        for position in np.flatnonzero(positions.to_move >= 0).tolist():
            heap = int(positions.boards[position].split(":")[0])
            assert (positions.minimax[position] == (1, -1)[int(positions.to_move[position])]) == (heap % 4 != remainder)


@pytest.mark.parametrize("heaps", ["3-4-5", "1-2-3", "2-2", "1-3-6", "4-4-1"])
def test_who_moves_wins_at_nim_unless_the_heaps_xor_to_nothing(heaps: str) -> None:
    for symmetry in ("full", "none"):
        positions = positions_for(("nim", heaps), symmetry)
        for position in range(len(positions)):
            board, side = positions.boards[position].split(":")
            wins = reduce(xor, map(int, board.split("-"))) != 0
            assert positions.minimax[position] == (1 if (side == "X") == wins else -1)


# The enumeration, against brute force.


@pytest.mark.parametrize("case", UNEVEN)
def test_equal_boards_come_up_after_different_numbers_of_moves(case: Case) -> None:
    assert any(len(ways) > 1 for ways in brute(case).ways.values())


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", SMALL)
def test_positions_are_those_of_brute_force_numbered_by_the_longest_way(case: Case, symmetry: str) -> None:
    rules, positions = brute(case), positions_for(case, symmetry)
    name = rules.canonical if symmetry == "full" else str
    longest: dict[str, int] = {}
    for board, ways in rules.ways.items():
        longest[name(board)] = max(longest.get(name(board), 0), *ways)
    wanted = sorted(sorted(longest, reverse=True), key=longest.__getitem__)
    assert [positions.boards[p] for p in range(len(positions))] == list(positions.boards) == wanted
    assert positions.ply.tolist() == [longest[board] for board in wanted]
    assert positions.to_move.tolist() == [-1 if rules.outcome(b) else "XO".index(rules.to_move(b)) for b in wanted]
    assert [OUTCOME_OF_NUMBER[int(positions.outcome[p])] for p in range(len(wanted))] == [
        rules.outcome(board) for board in wanted
    ]
    images = [len(set(rules.images(board))) if symmetry == "full" else 1 for board in wanted]
    assert positions.images.tolist() == images
    assert (positions.next_position > positions_for(case, symmetry).position_of_move).all()


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", SMALL)
def test_moves_are_those_of_brute_force_with_their_multiplicities(case: Case, symmetry: str) -> None:
    rules, positions = brute(case), positions_for(case, symmetry)
    name = rules.canonical if symmetry == "full" else str
    for position in range(len(positions)):
        groups: dict[str, list[int]] = {}
        for action, child in rules.children(positions.boards[position]).items():
            groups.setdefault(name(child), []).append(action)
        moves_read = [
            (
                positions.boards[int(positions.next_position[m])],
                int(positions.action[m]),
                int(positions.multiplicity[m]),
            )
            for m in positions.moves_of(position)
        ]
        assert moves_read == sorted(((b, min(a), len(a)) for b, a in groups.items()), key=lambda move: move[1])


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", SMALL)
def test_graph_and_table_are_labelled_as_brute_force_labels_the_boards(case: Case, symmetry: str) -> None:
    rules, positions = brute(case), positions_for(case, symmetry)
    graph = build_graph(positions)
    assert nx.is_directed_acyclic_graph(graph)
    for position, node in graph.nodes(data=True):
        value = rules.minimax(node["board"]), rules.plies_to_end(node["board"])
        assert (node["minimax"], node["plies_to_end"]) == value
        assert (positions.minimax[position], positions.plies_to_end[position]) == value
        assert node["ply"] == positions.ply[position]
        assert node["to_move"] == ("X", "O", None)[int(positions.to_move[position])]
    for ply, (mover, (here, moves)) in enumerate(zip(positions.movers, positions.plies, strict=True)):
        assert set(positions.ply[here].tolist()) == {ply}
        assert set(positions.to_move[here].tolist()) <= {mover, -1}
        assert moves.stop > moves.start


@pytest.mark.parametrize("case", SMALL)
def test_moves_are_carried_between_a_board_and_its_canonical_one(case: Case) -> None:
    rules, game = brute(case), get_game(*case)
    for board in rules.boards():
        home = SymmetricGame(game).canonical(board)
        assert home == rules.canonical(board)
        for action, child in rules.children(board).items():
            carried = game.play(home, SymmetricGame(game).to_canonical(board, action))
            assert rules.canonical(carried) == rules.canonical(child)


@pytest.mark.parametrize("case", SMALL)
def test_to_play_and_then_to_carry_is_to_carry_and_then_to_play(case: Case) -> None:
    rules, game = brute(case), get_game(*case)
    for symmetry, board in itertools.product(game.symmetries, rules.boards()):
        image = symmetry.board(board)
        assert symmetry.inverse().board(image) == board
        carried = {symmetry.action(action): symmetry.board(child) for action, child in rules.children(board).items()}
        assert carried == rules.children(image)
        assert {symmetry.inverse().action(action) for action in carried} == set(rules.children(board))


@pytest.mark.parametrize("case", SMALL)
def test_there_are_as_many_games_as_brute_force_walks(case: Case) -> None:
    rules, positions = brute(case), positions_for(case)
    paths, ends = [1] + [0] * (len(positions) - 1), Counter()
    for position in range(len(positions)):
        for move in positions.moves_of(position):
            paths[positions.next_position[move]] += paths[position] * int(positions.multiplicity[move])
        ends[OUTCOME_OF_NUMBER[int(positions_for(case).outcome[position])]] += paths[position]
    del ends[None]
    assert +ends == +Counter(rules.count_games())


# Games that are refused.


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ({"1:X": ("2:O",), "2:O": ("3:X",), "3:X": ("4:O", "9:O"), "4:O": ("3:X",)}, r"come back to board (3:X|4:O);"),
        ({"1:X": ("2:O", "5:O"), "2:O": ("1:X",)}, r"come back to board (1:X|2:O);"),
        ({"1:X": ("1:X",)}, r"board 1:X of made 1 X moves, and again on board 1:X"),
        (
            {"1:X": ("2:O", "3:X"), "2:O": ("4:X",), "3:X": ("5:O",)},
            r"board 1:X of made 1 X moves, and again on .* 3:X",
        ),
        ({"1:O": ("2:X",)}, r"made 1 does not begin with a move by X"),
        ({"1:X": ("2:O",), "2:O": ()}, r"board 2:O of made 1 nobody has won, and O has no move"),
        ({"1:X": tuple(f"{n}:O" for n in range(2, 34))}, r"there are 32 actions and 32 different moves; .* 180 and 31"),
        ({"1:X": ("2:O",) * 181}, r"there are 181 actions and 1 different moves; the most are 180 and 31"),
    ],
)
def test_a_game_that_cannot_be_played_here_is_refused_in_one_line(tree: dict, reason: str) -> None:
    with pytest.raises(InvalidGame, match=reason) as refused:
        enumerate_positions(Made(tree))
    assert "made 1" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("action", [-1, HIGHEST_ACTION + 1])
def test_a_game_whose_actions_are_no_numbers_of_a_file_is_refused(action: int) -> None:
    game = Made({"1:X": ("2:O",)})
    game.children = lambda _: {action: "2:O"}  # type: ignore[method-assign]
    with pytest.raises(InvalidGame, match=f"actions go from {action} to {action}; they are from 0 to {HIGHEST_ACTION}"):
        enumerate_positions(game)
    game.children = lambda _: {0: "2:O", HIGHEST_ACTION: "3:O"}  # type: ignore[method-assign]
    assert enumerate_positions(game).action.tolist() == [0, HIGHEST_ACTION]


def test_a_board_that_follows_a_cycle_is_not_reported_to_repeat() -> None:
    tail = {f"{n}:{'OX'[n % 2]}": (f"{n + 1}:{'OX'[(n + 1) % 2]}",) for n in range(3, 9)}
    with pytest.raises(InvalidGame, match=r"made 1 can come back to board (1:X|2:O);"):
        enumerate_positions(Made({"1:X": ("2:O",), "2:O": ("3:X", "1:X"), **tail}))


def test_a_game_of_too_many_positions_is_refused_and_says_how_many_were_reached() -> None:
    game = get_game("hexapawn", "4x3")
    assert len(enumerate_positions(game, limit=507)) == 507
    for limit in (506, 100, 1):
        with pytest.raises(InvalidGame, match=rf"hexapawn 4x3 has more than {limit} .* when {limit + 1} were reached"):
            enumerate_positions(game, limit=limit)


def test_no_file_is_made_of_a_game_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "made", lambda _: Made({"1:X": ("2:O",), "2:O": ("1:X",)}))
    with pytest.raises(InvalidGame, match="can come back to board"):
        create_database(tmp_path / "made.db", "made", "1")
    assert list(tmp_path.iterdir()) == []


# Play in memory.


@pytest.mark.parametrize("symmetry", ["full", "none"])
@pytest.mark.parametrize("case", SMALL)
def test_fixed_players_have_the_outcomes_of_brute_force(case: Case, symmetry: str) -> None:
    rules, positions = brute(case), positions_for(case, symmetry)
    cells = {"random": rules.empties, "optimal": rules.best_cells, "perfect": rules.perfect_cells}
    for names in itertools.product(cells, repeat=2):
        wanted = rules.play_out(*(rules.uniform(cells[name]) for name in names))
        policies = [fixed_policy(name, positions, side) for side, name in enumerate(names)]
        assert exact_strength.exact_outcomes(*policies) == wanted
        assert exact_strength.outcomes(*policies) == pytest.approx(list(map(float, wanted)), abs=1e-12)


@pytest.mark.parametrize("case", SMALL)
def test_the_best_response_reaches_what_brute_force_reaches(case: Case) -> None:
    rules, positions = brute(case), positions_for(case)
    for side, name in itertools.product((0, 1), ("random", "optimal")):
        chooser = rules.uniform({"random": rules.empties, "optimal": rules.best_cells}[name])
        result, wins = rules.best_against(chooser, "XO"[side])
        worst = exact_strength.worst_case(fixed_policy(name, positions, side))
        assert (-worst.value, worst.loss) == pytest.approx((float(result), float(wins)), abs=1e-12)
        line = exact_strength.most_likely_refutation(fixed_policy(name, positions, side))
        assert (line is None) == (wins == 0)
        assert line is None or 0 < line.probability <= float(wins) + 1e-12


@pytest.mark.parametrize("case", [("nim", "3-4-5"), ("hexapawn", "4x3")])
def test_a_learner_that_resigns_is_evaluated_as_it_plays(case: Case) -> None:
    positions, games = positions_for(case), 4000
    settings = dataclasses.replace(PRESETS["scroggs"].settings, beads=(1,), draw=0, win=1)
    x, o = (new_machine(positions, side, settings) for side in (0, 1))
    play(positions, x, o, raw_numbers(5, 300 * positions.longest), 300)
    policies = [machine.policy() for machine in (x, o)]
    assert max(policy.resigns.max() for policy in policies) == 1
    exact = exact_strength.exact_outcomes(*policies)
    assert sum(exact) == 1
    assert list(exact_strength.outcomes(*policies)) == pytest.approx(list(map(float, exact)), abs=1e-12)
    kept = [dataclasses.replace(machine, learns=False) for machine in (x, o)]
    played = play(positions, *kept, raw_numbers(6, games * positions.longest), games)
    for share, count in zip(exact, played.outcomes, strict=True):  # 5 standard deviations: 1 false alarm in 10^6
        assert abs(count - games * share) <= 5 * float(games * share * (1 - share)) ** 0.5 + Fraction(1, 10**6)


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to compare with")
@pytest.mark.parametrize(("name", "side"), [seat for seat in SEATS if seat[0] not in NOT_FOR_ALL])
def test_the_compiled_kernel_plays_them_to_the_bits_of_the_uncompiled_one(name: str, side: int) -> None:
    for case in (("nim", "3-4-5"), ("hexapawn", "4x3")):
        results = []
        for engine in (kernel, uncompiled_kernel()):
            try:
                own, rival = (
                    of_preset(positions_for(case), name, side),
                    of_preset(positions_for(case), "menace", 1 - side),
                )
            except InvalidSetting:
                pytest.skip(f"{name} is for other games")
            x, o = (own, rival) if side == 0 else (rival, own)
            played = play(positions_for(case), x, o, raw_numbers(11, 1200), 100, engine)
            results.append((dataclasses.astuple(played), learned(own, rival)))
        assert results[0] == results[1]
        assert results[0][1] != learned(of_preset(positions_for(case), name, side), rival)


# In a database.


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Path]:
    """A database without learners for each game."""
    folder = tmp_path_factory.mktemp("games")
    paths = {case: folder / f"{'-'.join(case)}.db" for case in KEPT}
    for case, path in paths.items():
        create_database(path, *case).close()
    return paths


@pytest.fixture(params=KEPT, ids="-".join)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture
def store(case: Case, files: dict[Case, Path], tmp_path: Path) -> Iterator[Store]:
    with open_database(shutil.copy(files[case], tmp_path)) as opened:
        yield opened


def test_the_database_gives_back_the_table(case: Case, store: Store) -> None:
    positions, read = positions_for(case), positions_of(store)
    for column in dataclasses.fields(positions)[3:]:
        expected, stored = getattr(positions, column.name), getattr(read, column.name)
        assert expected.dtype == stored.dtype, column.name
        assert expected.tolist() == stored.tolist(), column.name
    assert list(positions_of(store).boards) == list(positions_for(case).boards)
    assert verify(store).blocks == 0


@pytest.mark.parametrize(("preset", "case"), TAUGHT, indirect=["case"])
@pytest.mark.slow
def test_learners_learn_from_machines_and_people_and_the_log_gives_it_again(
    preset: str, case: Case, store: Store
) -> None:
    for side in "XO":
        new_learner(store, f"pupil-{side}", side, preset)
    before = everything_learned(store)["boxes"]
    selfplay(store, "pupil-X", "pupil-O", games=50, seed=1)
    train(store, "pupil-O", "imperfect:0.5", games=20, seed=2)
    chance = random.Random(3)
    for side in "XO":
        session = Session(store, f"pupil-{side}", seed=4)
        for _ in range(4):
            finished = play_out(session, chance)
            for change in finished.changes:
                assert change.board == (
                    session.game.plies[change.ply].board if change.ply < len(session.game.plies) else session.game.board
                )
                if change.cells is not None:
                    # Michie's program divides the other weights of the position, too.
                    assert session.game.plies[change.ply].action in change.cells or preset == "michie-1963"
                    assert set(change.cells) <= set(session.game.rules.actions(change.board))
                assert session.game.positions.number_of(change.board) == change.position_id
            session.begin()
        report = strength_of(store, f"pupil-{side}")
        assert len(report.boards) == len(report.actions) + 1
    after = everything_learned(store)["boxes"]
    assert all(after[name] != before[name] for name in before)
    assert verify(store).games == 50 + 20 + 8
    for number in range(1, 9):
        replayed = replay_game(store, number)
        assert replayed.plies[0].board == get_game(*case).initial
        assert [ply.side for ply in replayed.plies] == list(
            itertools.islice(itertools.cycle("XO"), len(replayed.plies))
        )
        assert all((ply.saw is None) == (ply.player == "human") for ply in replayed.plies)


def test_an_interrupted_run_goes_on_to_the_same_bits(
    store: Store, files: dict[Case, Path], case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("menace.arena.play.GAMES_A_CALL", 97)
    with open_database(shutil.copy(files[case], tmp_path / "other.db")) as whole:
        selfplay(whole, games=700, seed=9)
        wanted = everything_learned(whole)
    monkeypatch.setattr("menace.ledger.training.BLOCK_SECONDS", 0.0)
    run = order(store, SelfPlay(games=700, seed=9))
    for _ in itertools.islice(continue_run(store, run), 5):
        pass
    resume(store)
    assert everything_learned(store) == wanted
    assert verify(store).games == 700


def test_a_changed_position_is_seen(case: Case, store: Store) -> None:
    path = store.path
    with open_database(path) as second_store, second_store.transaction():
        second_store.database.execute(
            "UPDATE position SET ply = ply + 2 WHERE position_id = (SELECT max(position_id) FROM position)"
        )
    with pytest.raises(menace.MenaceError, match="is not what the rules give"):
        verify(store)


def test_the_first_decisions_of_o_are_its_answers_to_all_openings(case: Case, store: Store) -> None:
    selfplay(store, games=20, seed=1)
    rules = brute(case)
    openings = {rules.canonical(board) for board in rules.children(rules.empty).values()}
    wanted = {board for board in openings if len({rules.canonical(b) for b in rules.children(board).values()}) > 1}
    assert {opening.board for opening in openings_of(store, ["menace-o"])} == wanted
    assert {opening.board for opening in openings_of(store, ["menace-x"])} == {rules.canonical(rules.empty)}
    answers = query(store, "replies")
    boards = {row[answers.columns.index("opening")] for row in answers.rows}
    assert boards == {board for board in openings if len(rules.children(board)) > 1}


def test_boxes_stand_by_the_longest_way_and_their_stage_is_the_learners_own_move(case: Case, store: Store) -> None:
    positions = positions_of(store)
    for side, name in enumerate("XO"):
        new_learner(store, name, name)
        boxes = boxes_of(store, name)
        assert [box.ply for box in boxes] == sorted(box.ply for box in boxes)
        for box in boxes:
            own = [ply for ply in range(box.ply) if ply % 2 == side]  # of the longest way there
            assert box.stage == len(own) + 1
            assert positions.to_move[box.position_id] == side
