"""Tests of the fixed opponents: their exact weights, `michie-1961`, and tree search."""

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
from menace.arena.play import Arena, raw_numbers
from menace.errors import InvalidPlayer
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
from menace.learners.opponents.monte_carlo_search import SEARCHES, choice_frequencies
from menace.ledger import training
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order
from menace.ledger.training import Trainer
from menace.text.wording import OPPONENTS

IMPERFECT = ["imperfect:0", "imperfect:1", "imperfect:0.1", "imperfect:0.5", "imperfect:1e-3", "imperfect:0.000001"]
SHORT_SEARCHES = ["mcts:1", "mcts:3"]  # a separate test covers `mcts:100`, which takes longer
NAMES = [*(name for name in FIXED if not FIXED[name].fits and name != "mcts:100"), *IMPERFECT, *SHORT_SEARCHES]


def shares(positions: Positions, name: str) -> list[dict[int, Fraction]]:
    """Return the probabilities of the player's actions at each position."""
    weight = fixed_weights(name, positions)
    probabilities = []
    for position in range(len(positions)):
        moves = positions.moves_of(position)
        total = sum(int(weight[move]) for move in moves)
        probabilities.append({int(positions.action[move]): Fraction(int(weight[move]), total) for move in moves})
    return probabilities


def johnson_cells(board: str) -> list[int]:
    """Return the cells chosen by the first rule in Johnson's list that applies."""
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
def test_fixed_player_weights_match_brute_force(positions: Positions, boards: list[str], name: str) -> None:
    cells = {
        "random": TICTACTOE.empties,
        "optimal": TICTACTOE.best_cells,
        "perfect": TICTACTOE.perfect_cells,
        "defensive": lambda board: blocking_cells(board, centre=True),
        "blocking": lambda board: blocking_cells(board, centre=False),
        "johnson-2013": johnson_cells,
    }[name]
    for board, share in zip(boards, shares(positions, name), strict=True):
        children = TICTACTOE.children(board)
        wanted = dict.fromkeys(share, Fraction(0))
        for cell in cells(board):
            same = [c for c in children if TICTACTOE.canonical(children[c]) == TICTACTOE.canonical(children[cell])]
            wanted[min(same)] += Fraction(1, len(cells(board)))
        assert share == wanted


def test_random_distinct_chooses_uniformly_among_distinct_moves(positions: Positions, boards: list[str]) -> None:
    for board, share in zip(boards, shares(positions, "random-distinct"), strict=True):
        classes = TICTACTOE.cells_by_next(board)
        assert share == {min(cells): Fraction(1, len(classes)) for cells in classes.values()}
    # one share each for a corner, an edge and the centre
    assert list(shares(positions, "random-distinct")[0].values()) == [Fraction(1, 3)] * 3


def test_random_distinct_equals_random_without_symmetry(by_symmetry: dict[str, Positions]) -> None:
    without = by_symmetry["none"]
    assert shares(without, "random-distinct") == shares(without, "random")


@functools.cache
def exact_outcomes(board: str) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities of an X win, a draw and an O win if both sides choose uniformly among distinct moves."""
    outcome = TICTACTOE.outcome(board)
    if outcome is not None:
        return tuple(Fraction(outcome == end) for end in ("X", "draw", "O"))
    after = [exact_outcomes(child) for child in TICTACTOE.cells_by_next(board)]
    return tuple(sum(column) / len(after) for column in zip(*after, strict=True))


def test_random_distinct_reproduces_figures_of_1963(positions: Positions) -> None:
    wanted = exact_outcomes("." * 9)
    assert [round(float(share), 3) for share in wanted] == [0.593, 0.132, 0.274]
    policies = [fixed_policy("random-distinct", positions, side) for side in (0, 1)]
    assert outcomes(*policies) == pytest.approx([float(share) for share in wanted], rel=1e-12)
    # Before its first game, Michie's program has equal odds for all moves, so its policy equals that of
    # `random-distinct`.
    for side, policy in enumerate(policies):
        assert Machine("michie-1963", "XO"[side], positions).policy().fractions() == policy.fractions()


def blocking_cells(board: str, centre: bool) -> list[int]:
    """Return the cells that block a line.

    If there are none, return the centre (if `centre` is true) or all empty cells.
    """
    rival = "XO"[TICTACTOE.to_move(board) == "X"]
    empties = TICTACTOE.empties(board)
    return TICTACTOE.winning_cells(board, rival) or ([4] if centre and 4 in empties else empties)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["3x3x3", "2x2x2", "3x3x2", "2x4x3"])
def test_weights_are_nonnegative_integers_with_bounded_sums(name: str, variant: str) -> None:
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
def test_imperfect_is_exact_mixture_of_random_and_perfect(positions: Positions, name: str) -> None:
    probability = Fraction(round(65536 * float(name.split(":")[1])), 65536)
    parts = (shares(positions, player) for player in (name, "random", "perfect"))
    for mixed, random, perfect in zip(*parts, strict=True):
        assert mixed == {a: probability * random[a] + (1 - probability) * perfect[a] for a in mixed}


@pytest.mark.parametrize(
    "text", ["imperfect:", "imperfect:-0.1", "imperfect:1.1", "imperfect:nan", "imperfect:inf", "imperfect:x"]
)
def test_imperfect_refuses_invalid_probability(positions: Positions, text: str) -> None:
    assert is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"player '{text}' needs a probability from 0 to 1"):
        fixed_weights(text, positions)
    with pytest.raises(InvalidPlayer, match="needs a probability"):
        fixed_policy(text, positions, 0)


@pytest.mark.parametrize("text", ["", "Random", "imperfect", "best_response", "human", "menace-x", "perfect "])
def test_unknown_fixed_player_is_refused(positions: Positions, text: str) -> None:
    assert not is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"there is no fixed opponent '{text}'; .*choose one of random, optimal"):
        fixed_weights(text, positions)


def first_action_weights(positions: Positions) -> NDArray[np.int32]:
    """Return the weights of a player that always chooses the first action."""
    weight = np.zeros(positions.move_count, np.int32)
    weight[positions.first_move[:-1][positions.to_move >= 0]] = 1
    return weight


def test_opponent_for_one_game_is_refused_in_others(positions: Positions, monkeypatch: pytest.MonkeyPatch) -> None:
    hexapawn = enumerate_positions(get_game("hexapawn"))
    monkeypatch.setitem(
        FIXED, "first", FixedOpponent("first", "the first cell", first_action_weights, fits=(positions.title,))
    )
    assert is_fixed("first")
    assert is_reserved("First")
    assert "first" in opponents_for(positions.title, len(positions))
    assert "first" not in opponents_for(hexapawn.title, len(hexapawn))
    assert np.array_equal(fixed_weights("first", positions), first_action_weights(positions))
    with pytest.raises(
        InvalidPlayer, match=r"^player .first. supports tictactoe 3x3x3, not hexapawn 3x3; choose one of random, opt"
    ):
        fixed_weights("first", hexapawn)


def test_opponent_can_change_with_game_number(positions: Positions, monkeypatch: pytest.MonkeyPatch) -> None:
    random, optimal = (FIXED[name].weights for name in ("random", "optimal"))
    changing = FixedOpponent("changing", "by the game", first_action_weights, later=((3, random), (5, optimal)))
    monkeypatch.setitem(FIXED, "changing", changing)
    for game, weights in enumerate(
        [first_action_weights, first_action_weights, random, random, optimal, optimal], start=1
    ):
        assert np.array_equal(fixed_weights("changing", positions, game), weights(positions)), game


@pytest.mark.parametrize("game", [[], ["--game", "hexapawn"]], ids=["tictactoe", "hexapawn"])
def test_players_command_lists_exact_strength(run: Run, game: list[str]) -> None:
    """The values in the list equal those computed separately for each policy, and the list fits into 80 columns."""
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


def test_players_command_refuses_large_or_unknown_game(run: Run) -> None:
    refused(run("players", "--game", "chess"), "there is no game 'chess'")
    refused(run("players", "--variant", "9x9x9"), "81 cells")


def test_names_of_fixed_players_are_reserved() -> None:
    for name in ("random", "optimal", "perfect", "imperfect", "imperfect:0.1", "imperfect:", "best_response", "human"):
        assert is_reserved(name), name
    for name in ("menace-x", "randomly", "Anna", "imperfection"):
        assert not is_reserved(name), name
    assert all(is_fixed(name) for name in NAMES)


NAME = "michie-1961"
# The numbers printed above the figure: numbers of games, and the cells of O's replies to an X in the top left corner.
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
MANY_BEADS = {"beads": (30, 3, 2, 1)}  # enough beads to keep the machine from being ruined


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_michie_1961_follows_printed_replies_to_corner(by_symmetry: dict[str, Positions], symmetry: str) -> None:
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
            # The opponent differs from a perfect player only in its reply to an opening in a corner.
            changed = set(positions.position_of_move[weights != perfect].tolist())
            assert {positions.boards[number].count(".") for number in changed} <= {8}
            assert all(positions.boards[number][4] == "." for number in changed)
            assert not any("X" in positions.boards[number][1::2] for number in changed)
            assert (positions.sum_over_moves(weights) > 0).tolist() == (positions.action_counts > 0).tolist()


def train_game_by_game(positions: Positions, games: int, seed: int) -> Machine:
    """Return a machine that is trained one game at a time, each time against the weights for that game's number."""
    machine, arena, numbers = Machine(NAME, "X", positions, **MANY_BEADS), Arena(positions), raw_numbers(seed, 0)
    seat = machine.kernel_player(arena.graph)
    for game in range(1, games + 1):
        arena.play(seat, arena.fixed_player(NAME, game), numbers, 1, math.inf)
    return machine


def test_resumed_run_follows_schedule_of_michie_1961(
    positions: Positions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = train_game_by_game(positions, 219, seed=4).learned.amount
    machine = Machine(NAME, "X", positions, **MANY_BEADS)
    play_games(machine, NAME, games=219, seed=4)
    assert np.array_equal(machine.learned.amount, expected)
    with create_database(tmp_path / "menace.db") as store:
        for name in ("adam", "abel"):
            new_learner(store, name, "X", NAME, MANY_BEADS)
        run = train(store, "adam", NAME, games=219, seed=4)
        assert np.array_equal(named_machine(store, "adam").learned.amount, expected)
        ends = np.cumsum([block.games for block in store.blocks(run.run_id)])
        assert {game - 1 for game, _ in SCHEDULE} <= set(ends.tolist())
        monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
        state = order(store, Training("abel", NAME, games=219, seed=4))
        while state.games_played < 60:  # the schedule changes once during these games
            state = Trainer(store).play_blocks(state)
        assert state.finished_at is None
    with open_database(tmp_path / "menace.db") as store:
        resume(store)
        assert np.array_equal(named_machine(store, "abel").learned.amount, expected)
        verify(store)


def test_commands_accept_michie_1961(run: Run) -> None:
    run("new", "adam", "--plays", "X", "--preset", NAME, "--set", "beads=30,3,2,1")
    assert "adam (X) against michie-1961 (O), 40 games" in run("train", "adam", f"--against={NAME}", "--games=40").out
    ok(run("verify"))
    assert FIXED[NAME].line in ok(run("players"))
    # michie-1961 can also play against itself, with both its first and its last replies.
    assert "100.0" in ok(run("compare", "adam", NAME))


def choice(weights: dict[int, int], number: int) -> int:
    return reference.pick(number % 2**32, weights)


def search_move(root: str, playouts: int, numbers: list[Iterator[int]]) -> int:
    """Return the action that a textbook tree search chooses. `numbers` contains the random numbers for each playout."""
    # For each sequence of actions from the root, the number of visits and the sum of results of each next action.
    tree: dict[tuple[int, ...], dict[int, list[float]]] = {(): {}}

    def best_actions(board: str, value: dict[int, float]) -> dict[int, int]:
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
                action = choice(best_actions(board, {a: bound(tree[path], a) for a in moves}), next(numbers[playout]))
                made.append((path, action, TICTACTOE.to_move(board)))
            else:
                action = choice(reference.multiplicities(board, True), next(numbers[playout]))
            board, path = moves[action][0], (*path, action)
        outcome = TICTACTOE.outcome(board)
        for node, action, side in made:
            visits, results = tree[node].get(action, [0, 0.0])
            tree[node][action] = [visits + 1, results + (0.5 if outcome == "draw" else float(outcome == side))]
        tree.setdefault((*made[-1][0], made[-1][1]), {})
    rank = {action: tuple(tree[()].get(action, (0, 0.0))) for action in reference.moves(root, True)}
    return choice(best_actions(root, rank), next(numbers[playouts]))


@pytest.mark.parametrize("board", ["." * 9, "X........", "XO..X....", "XOX......", "XOXO..OX."])
@pytest.mark.parametrize("number", [0, 2])
def test_mcts_table_matches_textbook_search(
    positions: Positions, position_of: dict[str, int], board: str, number: int
) -> None:
    playouts, position = 30, position_of[TICTACTOE.canonical(board)]
    seed = position + number * len(positions)
    raw = np.random.PCG64(seed).random_raw((playouts + 1) * 9 * SEARCHES).reshape(playouts + 1, 9, SEARCHES)
    wanted = Counter(
        search_move(
            positions.boards[position], playouts, [iter(raw[playout, :, search].tolist()) for playout in range(31)]
        )
        for search in range(SEARCHES)
    )
    weights = choice_frequencies(positions, playouts, number)
    table = {int(positions.action[move]): int(weights[move]) for move in positions.moves_of(position)}
    assert {action: weight for action, weight in table.items() if weight} == wanted


def test_mcts_improves_with_more_playouts() -> None:
    hexapawn = enumerate_positions(get_game("hexapawn"))
    names = ["mcts:1", "mcts:10", "mcts:100"]
    beaten = [[exploitability(fixed_policy(name, hexapawn, side)) for name in names] for side in (0, 1)]
    assert beaten[1][0] > beaten[1][1] > beaten[1][2] == 0  # O wins with perfect play
    assert beaten[0] == [0, 0, 0]  # as X, every player loses to the best response


def test_mcts_100_takes_immediate_wins_and_beats_random(positions: Positions) -> None:
    weights = fixed_weights("mcts:100", positions)
    wins = positions.outcome[positions.next_position] == 1 - 2 * positions.to_move[positions.position_of_move]
    at_once = positions.sum_over_moves(wins)[positions.position_of_move] > 0
    assert at_once.sum() > 500
    assert (weights[at_once & ~positions.optimal] == 0).all()
    for side, share in ((0, 0.98), (1, 0.87)):
        policy = fixed_policy("mcts:100", positions, side)
        assert against(policy, fixed_policy("random", positions, 1 - side)).win > share
    assert exploitability(fixed_policy("mcts:100", positions, 0)) == 0


def test_mcts_does_not_search_forced_moves() -> None:
    nim = enumerate_positions(get_game("nim", "3-take1"))
    assert fixed_weights("mcts:5", nim).tolist() == nim.multiplicity.tolist()


def test_mcts_table_has_fixed_checksum() -> None:
    weights = fixed_weights("mcts:50", enumerate_positions(get_game("nim", "3-4-5-misere")))
    assert hashlib.sha256(weights.astype("<i4").tobytes()).hexdigest()[:12] == "433cf4107107"


@pytest.mark.parametrize(
    "text", ["mcts:", "mcts:0", "mcts:-1", "mcts:1001", "mcts:1.5", "mcts:²", "mcts:" + "9" * 5000]
)
def test_mcts_refuses_invalid_number_of_playouts(positions: Positions, text: str) -> None:
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
def test_mcts_refuses_large_game_and_names_limit(text: str, variant: str, message: str) -> None:
    positions = enumerate_positions(get_game("tictactoe", variant))
    with pytest.raises(InvalidPlayer, match=f"{text}.*{message}"):
        fixed_weights(text, positions)


def test_mcts_is_offered_only_for_small_games() -> None:
    assert "mcts:100" in opponents_for("tictactoe 3x3x3", 765)
    assert "mcts:100" not in opponents_for("tictactoe 4x4x4", 1_217_977)
