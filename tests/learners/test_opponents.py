"""Laws of the fixed opponents: their exact weights, the opponent of 1961, and tree search."""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference
from commands import Run, ok, refused
from numpy.typing import NDArray
from oracle import TICTACTOE
from runs import resume, train

from menace import play_games
from menace.arena.exact_strength import against, exploitability, outcomes, strength_against_best_response
from menace.arena.first_box import ruin_risk
from menace.arena.play import Arena, raw_numbers
from menace.errors import InvalidPlayer, VerificationFailed
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import (
    FIXED,
    SCHEDULE,
    FixedOpponent,
    fixed_policy,
    fixed_weights,
    is_fixed,
    is_reserved,
    opponents_for,
)
from menace.learners.opponents.tree_search import SEARCHES, choice_frequencies
from menace.ledger import training
from menace.ledger.database_file import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order
from menace.ledger.training import Trainer
from menace.text.wording import OPPONENTS

IMPERFECT = ["imperfect:0", "imperfect:1", "imperfect:0.1", "imperfect:0.5", "imperfect:1e-3", "imperfect:0.000001"]
SHORT_SEARCHES = ["mcts:1", "mcts:3"]  # `mcts:100` has tests of its own, and takes longer
NAMES = [*(name for name in FIXED if not FIXED[name].fits and name != "mcts:100"), *IMPERFECT, *SHORT_SEARCHES]


def shares(positions: Positions, name: str) -> list[dict[int, Fraction]]:
    """The probabilities of a player's moves, by position."""
    weight = fixed_weights(name, positions)
    probabilities = []
    for position in range(len(positions)):
        moves = positions.moves_of(position)
        total = sum(int(weight[move]) for move in moves)
        probabilities.append({int(positions.action[move]): Fraction(int(weight[move]), total) for move in moves})
    return probabilities


def by_nine_rules(board: str) -> list[int]:
    """The cells that P. Johnson's list gives, rule by rule, from the lines that a side could still fill."""
    mover = TICTACTOE.to_move(board)
    rival, empty = "XO"[mover == "X"], TICTACTOE.empties(board)

    def completing(marks: str, side: str) -> list[int]:
        return [c for c in range(9) if marks[c] == "." and TICTACTOE.has_line(marks[:c] + side + marks[c + 1 :], side)]

    def forking(side: str) -> list[int]:
        return [c for c in empty if len(completing(board[:c] + side + board[c + 1 :], side)) >= 2]

    if not empty:
        return []
    if cells := completing(board, mover) or completing(board, rival) or forking(mover):
        return cells
    if len(empty) == 6 and board[4] == mover and rival * 2 in (board[0] + board[8], board[2] + board[6]):
        return [1, 3, 5, 7]
    if cells := forking(rival) or [c for c in empty if c == 4]:
        return cells
    return [c for c in empty if c in {0, 2, 6, 8}] or empty


@pytest.mark.parametrize("name", ["random", "optimal", "perfect", "defensive", "blocking", "johnson-2013"])
def test_a_fixed_player_moves_as_brute_force_says(positions: Positions, boards: list[str], name: str) -> None:
    cells = {
        "random": TICTACTOE.empties,
        "optimal": TICTACTOE.best_cells,
        "perfect": TICTACTOE.perfect_cells,
        "defensive": lambda board: blocks(board, centre=True),
        "blocking": lambda board: blocks(board, centre=False),
        "johnson-2013": by_nine_rules,
    }[name]
    for board, share in zip(boards, shares(positions, name), strict=True):
        children = TICTACTOE.children(board)
        wanted = dict.fromkeys(share, Fraction(0))
        for cell in cells(board):
            same = [c for c in children if TICTACTOE.canonical(children[c]) == TICTACTOE.canonical(children[cell])]
            wanted[min(same)] += Fraction(1, len(cells(board)))
        assert share == wanted


@pytest.mark.parametrize("name", FIXED)
def test_every_fixed_player_plays(positions: Positions, name: str) -> None:
    arena = Arena(positions)
    played = arena.play(arena.fixed_player("random"), arena.fixed_player(name), raw_numbers(1, 0), 20, math.inf)
    assert sum(played.outcomes) == 20


def brute_distinct(board: str) -> dict[str, list[int]]:
    """The cells of a board that lead to the same class, by its canonical board."""
    classes: dict[str, list[int]] = {}
    for cell, child in TICTACTOE.children(board).items():
        classes.setdefault(TICTACTOE.canonical(child), []).append(cell)
    return classes


def test_random_distinct_picks_classes_of_moves_alike(positions: Positions, boards: list[str]) -> None:
    for board, share in zip(boards, shares(positions, "random-distinct"), strict=True):
        classes = brute_distinct(board)
        assert share == {min(cells): Fraction(1, len(classes)) for cells in classes.values()}
    assert (
        list(shares(positions, "random-distinct")[0].values()) == [Fraction(1, 3)] * 3
    )  # a corner, an edge, the centre


def test_random_distinct_is_random_where_no_symmetry_joins_moves(by_symmetry: dict[str, Positions]) -> None:
    without = by_symmetry["none"]
    assert shares(without, "random-distinct") == shares(without, "random")


@functools.cache
def brute_outcomes(board: str) -> tuple[Fraction, Fraction, Fraction]:
    """How often X wins, nobody, and O from a board on, if both pick classes of moves alike: carried back from ends."""
    outcome = TICTACTOE.outcome(board)
    if outcome is not None:
        return tuple(Fraction(outcome == end) for end in ("X", "draw", "O"))
    after = [brute_outcomes(child) for child in brute_distinct(board)]
    return tuple(sum(column) / len(after) for column in zip(*after, strict=True))


def test_random_play_of_1963_is_as_its_figures_have_it(positions: Positions) -> None:
    wanted = brute_outcomes("." * 9)
    assert [round(float(share), 3) for share in wanted] == [0.593, 0.132, 0.274]
    policies = [fixed_policy("random-distinct", positions, side) for side in (0, 1)]
    assert outcomes(*policies) == pytest.approx([float(share) for share in wanted], rel=1e-12)
    # His program before its first play is that: its odds are even.
    for side, policy in enumerate(policies):
        assert Machine("michie-1963", "XO"[side], positions).policy().fractions() == policy.fractions()


def blocks(board: str, centre: bool) -> list[int]:
    """The cells that a player takes who blocks a row, else takes the centre, if he cares for it, else any."""
    rival = "XO"[TICTACTOE.to_move(board) == "X"]
    empties = TICTACTOE.empties(board)
    threats = [cell for cell in empties if TICTACTOE.has_line(board[:cell] + rival + board[cell + 1 :], rival)]
    return threats or ([4] if centre and 4 in empties else empties)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["3x3x3", "2x2x2", "3x3x2", "2x4x3"])
def test_weights_are_whole_and_their_sums_positive_and_small(name: str, variant: str) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    weight = fixed_weights(name, positions)
    assert weight.dtype == np.int32
    assert (weight >= 0).all()
    sums = positions.sum_over_moves(weight)
    moved = positions.moved_by(0) | positions.moved_by(1)
    assert sums[moved].min() > 0
    assert sums.max() < 2**31
    for side in (0, 1):
        policy = fixed_policy(name, positions, side)
        own = positions.moved_by(side)
        assert np.allclose(positions.sum_over_moves(policy.probability), own, rtol=0, atol=1e-12)
        mine = own[positions.position_of_move]
        assert np.allclose(policy.probability[mine], (weight / np.maximum(sums, 1)[positions.position_of_move])[mine])
        assert not policy.resigns.any()


@pytest.mark.parametrize("name", IMPERFECT)
@pytest.mark.slow
def test_imperfect_is_exactly_the_mixture_of_random_and_perfect(by_symmetry: dict[str, Positions], name: str) -> None:
    probability = Fraction(round(65536 * float(name.split(":")[1])), 65536)
    for positions in by_symmetry.values():
        for mixed, random, perfect in zip(
            shares(positions, name), shares(positions, "random"), shares(positions, "perfect"), strict=True
        ):
            assert mixed == {a: probability * random[a] + (1 - probability) * perfect[a] for a in mixed}


def test_imperfect_0_is_perfect_and_imperfect_1_is_random(positions: Positions) -> None:
    assert shares(positions, "imperfect:0") == shares(positions, "perfect")
    assert shares(positions, "imperfect:1") == shares(positions, "random")
    assert shares(positions, "imperfect:0.5") not in (shares(positions, "random"), shares(positions, "perfect"))


def test_perfect_wins_soonest_and_loses_latest_and_optimal_only_keeps_the_value(
    positions: Positions, position_of: dict[str, int]
) -> None:
    wins, loses = position_of["OX..XO..."], position_of["XO..X...."]  # X to move wins on 7; O to move can but block 8
    perfect, optimal = shares(positions, "perfect"), shares(positions, "optimal")
    assert {action for action, share in perfect[wins].items() if share} == {7}
    assert {action for action, share in optimal[wins].items() if share} == {2, 6, 7}
    assert {action for action, share in perfect[loses].items() if share} == {8}
    assert all(optimal[loses].values())


@pytest.mark.parametrize(
    "text",
    ["imperfect:", "imperfect:-0.1", "imperfect:1.1", "imperfect:nan", "imperfect:inf", "imperfect:x"],
)
def test_a_probability_out_of_range_is_refused(positions: Positions, text: str) -> None:
    assert is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"player '{text}' needs a probability from 0 to 1"):
        fixed_weights(text, positions)
    with pytest.raises(InvalidPlayer, match="needs a probability"):
        fixed_policy(text, positions, 0)


@pytest.mark.parametrize("text", ["", "Random", "imperfect", "best_response", "human", "menace-x", "perfect "])
def test_who_is_no_fixed_player_is_refused(positions: Positions, text: str) -> None:
    assert not is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"there is no fixed opponent '{text}'; .*choose one of random, optimal"):
        fixed_weights(text, positions)


def corner(positions: Positions) -> NDArray[np.int32]:
    """Weights by which a player takes the first action that there is."""
    weight = np.zeros(positions.move_count, np.int32)
    weight[positions.first_move[:-1][positions.to_move >= 0]] = 1
    return weight


def test_an_opponent_for_one_game_is_offered_and_played_there_alone(
    positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    hexapawn = enumerate_positions(get_game("hexapawn"))
    monkeypatch.setitem(FIXED, "first", FixedOpponent("first", "the first cell", corner, fits=(positions.title,)))
    assert is_fixed("first")
    assert is_reserved("First")
    assert "first" in opponents_for(positions.title, len(positions))
    assert "first" not in opponents_for(hexapawn.title, len(hexapawn))
    assert np.array_equal(fixed_weights("first", positions), corner(positions))
    with pytest.raises(
        InvalidPlayer, match=r"^player .first. is for tictactoe 3x3x3, not hexapawn 3x3; choose one of random, opt"
    ):
        fixed_weights("first", hexapawn)


def test_an_opponent_may_change_with_the_number_of_the_game(
    positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, optimal = (FIXED[name].weights for name in ("random", "optimal"))
    changing = FixedOpponent("changing", "by the game", corner, later=((3, random), (5, optimal)))
    monkeypatch.setitem(FIXED, "changing", changing)
    for game, weights in enumerate([corner, corner, random, random, optimal, optimal], start=1):
        assert np.array_equal(fixed_weights("changing", positions, game), weights(positions)), game


@pytest.mark.parametrize("game", [[], ["--game", "hexapawn"]], ids=["tictactoe", "hexapawn"])
def test_the_list_of_players_says_what_each_is_worth(run: Run, game: list[str]) -> None:
    """The figures are those that evaluate and the measures of a policy give one by one, and all of it fits."""
    positions = enumerate_positions(get_game(*game[1:]))
    text = ok(run("players", *game))
    assert max(map(len, text.splitlines())) <= 80
    rows = json.loads(ok(run("players", *game, "--json")))
    assert list(dict.fromkeys(row["name"] for row in rows)) == list(opponents_for(positions.title, len(positions)))
    assert len(rows) == 2 * len(OPPONENTS) * len(opponents_for(positions.title, len(positions)))
    for row in rows:
        player, side = FIXED[row["name"]], "XO".index(row["plays"])
        policy = fixed_policy(player.name, positions, side)
        wanted = (
            strength_against_best_response(policy)
            if row["opponent"] == "best_response"
            else against(policy, fixed_policy(row["opponent"], positions, 1 - side))
        )
        assert [row["win"], row["draw"], row["loss"]] == pytest.approx(list(wanted))
        assert row["line"] == player.line
        assert f"{player.name} " in text
        assert player.line in text


def test_the_list_of_players_refuses_a_game_that_is_too_large_or_unknown(run: Run) -> None:
    refused(run("players", "--game", "chess"), "there is no game 'chess'")
    refused(run("players", "--variant", "9x9x9"), "81 cells")


def test_names_of_players_are_no_names_for_learners() -> None:
    for name in ("random", "optimal", "perfect", "imperfect", "imperfect:0.1", "imperfect:", "best_response", "human"):
        assert is_reserved(name), name
    for name in ("menace-x", "randomly", "Anna", "imperfection"):
        assert not is_reserved(name), name
    assert all(is_fixed(name) for name in NAMES)


# The opponent of 1961: Michie's replies depend on the number of the game, wherever a run is cut.


NAME = "michie-1961"
# As printed above the figure: games, and where O stands after X at the top left.
PRINTED = [
    (range(1, 22), {4}),
    (range(22, 58), {8}),
    (range(58, 77), {4}),
    (range(77, 105), {1, 3}),
    (range(105, 131), {2, 6}),
    (range(131, 187), {5, 7}),
    (range(187, 203), {8}),
    (range(203, 240), {4}),
]
PROOF = {"beads": (30, 3, 2, 1)}  # so many that the machine lives


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_a_corner_is_answered_as_printed_and_all_else_perfectly(
    by_symmetry: dict[str, Positions], symmetry: str
) -> None:
    positions = by_symmetry[symmetry]
    corner = positions.number_of("X........")
    moves = positions.moves_of(corner)
    perfect = fixed_weights("perfect", positions)
    for games, cells in PRINTED:
        for game in (games[0], games[-1]):
            weights = fixed_weights(NAME, positions, game)
            taken = {
                cell
                for move in moves
                if weights[move]
                for cell in positions.actions_for("X........", int(positions.action[move]))
            }
            assert taken == cells
            # In the orbit of the corner alone he differs from a perfect player.
            changed = set(positions.position_of_move[weights != perfect].tolist())
            assert {positions.boards[number].count(".") for number in changed} <= {8}
            assert all(positions.boards[number][4] == "." for number in changed)
            assert not any("X" in positions.boards[number][1::2] for number in changed)
            assert (positions.sum_over_moves(weights) > 0).tolist() == (positions.cells > 0).tolist()


def test_he_plays_tic_tac_toe_alone() -> None:
    with pytest.raises(InvalidPlayer, match="is for tictactoe 3x3x3, not tictactoe 3x3x3-misere"):
        fixed_weights(NAME, enumerate_positions(get_game("tictactoe", "3x3x3-misere")))


def by_hand(positions: Positions, games: int, seed: int) -> Machine:
    """Play game by game, each with the table that is printed for it."""
    machine, arena, numbers = Machine(NAME, "X", positions, **PROOF), Arena(positions), raw_numbers(seed, 0)
    seat = machine.kernel_player(arena.graph)
    for game in range(1, games + 1):
        arena.play(seat, arena.fixed_player(NAME, game), numbers, 1, math.inf)
    return machine


def test_games_in_memory_and_runs_follow_the_schedule_wherever_they_are_cut(
    positions: Positions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = by_hand(positions, 219, seed=4).learned.amount
    machine = Machine(NAME, "X", positions, **PROOF)
    play_games(machine, NAME, games=219, seed=4)
    assert np.array_equal(machine.learned.amount, expected)
    with create_database(tmp_path / "menace.db") as store:
        for name in ("adam", "abel"):
            new_learner(store, name, "X", NAME, PROOF)
        run = train(store, "adam", NAME, games=219, seed=4)
        assert np.array_equal(named_machine(store, "adam").learned.amount, expected)
        ends = np.cumsum([block.games for block in store.blocks(run.run_id)])
        assert {game - 1 for game, _ in SCHEDULE} <= set(ends.tolist())
        monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
        state = order(store, Training("abel", NAME, games=219, seed=4))
        while state.games_played < 60:  # in another part than that in which it began
            state = Trainer(store).play_blocks(state)
        assert state.finished_at is None
    with open_database(tmp_path / "menace.db") as store:
        resume(store)
        assert np.array_equal(named_machine(store, "abel").learned.amount, expected)
        verify(store)


def test_verify_finds_a_run_against_another_opponent(tmp_path: Path) -> None:
    with create_database(tmp_path / "menace.db") as store:
        new_learner(store, "adam", "X", NAME, PROOF)
        train(store, "adam", "perfect", games=60, seed=4)
        store.database.execute("UPDATE run SET o_player = ?", [NAME])
        store.database.commit()
        with pytest.raises(VerificationFailed, match="block"):
            verify(store)


def test_the_ruin_risk_depends_on_the_number_of_the_game(positions: Positions) -> None:
    """Of one corner alone, his lost replies from game 22 on are won, and the centre is not."""
    machine = Machine(NAME, "X", positions, beads=(2, 30, 20, 10))
    early, late = (ruin_risk(machine, NAME, 12, before) for before in (0, 140))
    assert early is not None
    assert late is not None
    perfect = ruin_risk(machine, "perfect", 12)
    assert early == perfect  # variant 0 is the perfect reply
    assert late.ruined < early.ruined


def test_the_command_trains_against_him(run: Run) -> None:
    run("new", "adam", "--plays", "X", "--preset", NAME, "--set", "beads=30,3,2,1")
    assert "adam (X) against michie-1961 (O), 40 games" in run("train", "adam", f"--against={NAME}", "--games=40").out
    ok(run("verify"))
    assert FIXED[NAME].line in ok(run("players"))
    assert "100.0" in ok(run("compare", "adam", NAME))  # against himself: as in his first game, and his last


# The fixed opponent `mcts:N`: the search that its module describes, move for move, and better with more
# playouts.


def picked(weights: dict[int, int], number: int) -> int:
    place = ((number % 2**32) * sum(weights.values())) >> 32
    for action, weight in weights.items():
        place -= weight
        if place < 0:
            return action
    raise AssertionError(weights)


def searched(root: str, playouts: int, numbers: list[Iterator[int]]) -> int:
    """The move that one search of a board chooses, by the textbook; `numbers` are those of each playout."""
    tree: dict[tuple[int, ...], dict[int, list[float]]] = {(): {}}  # actions from the root -> action -> visits, results

    def most(board: str, value: dict[int, float]) -> dict[int, int]:
        return {a: m for a, m in reference.multiplicities(board, True).items() if value[a] == max(value.values())}

    def bound(node: dict[int, list[float]], action: int) -> float:
        if action not in node:
            return math.inf
        visits, results = node[action]
        return results / visits + math.sqrt(2 * math.log(sum(m for m, _ in node.values())) / visits)

    for playout in range(playouts):
        board, path, made = root, (), []
        while TICTACTOE.outcome(board) is None:
            moves = reference.moves(board, True)
            if path in tree:
                action = picked(most(board, {a: bound(tree[path], a) for a in moves}), next(numbers[playout]))
                made.append((path, action, TICTACTOE.to_move(board)))
            else:
                action = picked(reference.multiplicities(board, True), next(numbers[playout]))
            board, path = moves[action][0], (*path, action)
        outcome = TICTACTOE.outcome(board)
        for node, action, side in made:
            visits, results = tree[node].get(action, [0, 0.0])
            tree[node][action] = [visits + 1, results + (0.5 if outcome == "draw" else float(outcome == side))]
        tree.setdefault((*made[-1][0], made[-1][1]), {})
    rank = {action: tuple(tree[()].get(action, (0, 0.0))) for action in reference.moves(root, True)}
    return picked(most(root, rank), next(numbers[playouts]))


@pytest.mark.parametrize("board", ["." * 9, "X........", "XO..X....", "XOX......", "XOXO..OX."])
@pytest.mark.parametrize("number", [0, 2])
def test_the_table_counts_what_searches_by_the_textbook_choose(
    positions: Positions, position_of: dict[str, int], board: str, number: int
) -> None:
    playouts, position = 30, position_of[TICTACTOE.canonical(board)]
    seed = position + number * len(positions)
    raw = np.random.PCG64(seed).random_raw((playouts + 1) * 9 * SEARCHES).reshape(playouts + 1, 9, SEARCHES)
    wanted = Counter(
        searched(
            positions.boards[position], playouts, [iter(raw[playout, :, search].tolist()) for playout in range(31)]
        )
        for search in range(SEARCHES)
    )
    weights = choice_frequencies(positions, playouts, number)
    table = {int(positions.action[move]): int(weights[move]) for move in positions.moves_of(position)}
    assert {action: weight for action, weight in table.items() if weight} == wanted


def test_one_playout_plays_at_random_and_more_play_better() -> None:
    hexapawn = enumerate_positions(get_game("hexapawn"))
    names = ["mcts:1", "mcts:10", "mcts:100"]
    beaten = [[exploitability(fixed_policy(name, hexapawn, side)) for name in names] for side in (0, 1)]
    assert beaten[1][0] > beaten[1][1] > beaten[1][2] == 0  # O wins with perfect play
    assert beaten[0] == [0, 0, 0]  # X loses whatever it does


def test_a_hundred_playouts_win_where_they_can_at_once_and_most_games_with_random_play(positions: Positions) -> None:
    weights = fixed_weights("mcts:100", positions)
    wins = positions.outcome[positions.next_position] == 1 - 2 * positions.to_move[positions.position_of_move]
    at_once = positions.sum_over_moves(wins)[positions.position_of_move] > 0
    assert at_once.sum() > 500
    assert (weights[at_once & ~positions.optimal] == 0).all()
    for side, share in ((0, 0.98), (1, 0.87)):
        policy = fixed_policy("mcts:100", positions, side)
        assert against(policy, fixed_policy("random", positions, 1 - side)).win > share
    assert exploitability(fixed_policy("mcts:100", positions, 0)) == 0


def test_forced_moves_are_not_searched() -> None:
    nim = enumerate_positions(get_game("nim", "3-take1"))
    assert fixed_weights("mcts:5", nim).tolist() == nim.multiplicity.tolist()


def test_its_table_is_the_same_to_the_bit_everywhere() -> None:
    weights = fixed_weights("mcts:50", enumerate_positions(get_game("nim", "3-4-5-misere")))
    assert hashlib.sha256(weights.astype("<i4").tobytes()).hexdigest()[:12] == "433cf4107107"


@pytest.mark.parametrize(
    "text", ["mcts:", "mcts:0", "mcts:-1", "mcts:1001", "mcts:1.5", "mcts:²", "mcts:" + "9" * 5000]
)
def test_a_number_of_playouts_out_of_range_is_refused(positions: Positions, text: str) -> None:
    with pytest.raises(InvalidPlayer, match=r"needs a number of playouts from 1 to 1,000, such as mcts:100$"):
        fixed_weights(text, positions)


@pytest.mark.parametrize(
    ("text", "variant", "message"),
    [
        ("mcts:1000", "3x3x3", "at most 250 positions, but tictactoe 3x3x3 has 765; use at most mcts:326"),
        (
            "random:9,mcts:200",
            "3x3x3-wild",
            "at most 1,250 positions, but tictactoe 3x3x3-wild has 1,359; use at most mcts:183",
        ),
    ],
)
def test_a_game_that_takes_long_to_search_is_refused_with_what_is_possible(
    text: str, variant: str, message: str
) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    with pytest.raises(InvalidPlayer, match=f"{text}.*{message}"):
        fixed_weights(text, positions)


def test_it_is_offered_where_it_can_play() -> None:
    assert "mcts:100" in opponents_for("tictactoe 3x3x3", 765)
    assert "mcts:100" not in opponents_for("tictactoe 4x4x4", 1_217_977)
