"""The fixed opponent `mcts:N`: the search that its module describes, move for move, and better with more playouts."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
import reference
from oracle import TICTACTOE

from menace.arena.strength import against, exploitability
from menace.errors import InvalidPlayer
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_policy, fixed_weights, opponents_for
from menace.learners.opponents.tree_search import SEARCHES, frequencies


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
def test_the_table_counts_what_searches_by_the_textbook_choose(
    positions: Positions, position_of: dict[str, int], board: str
) -> None:
    playouts, position = 30, position_of[TICTACTOE.canonical(board)]
    raw = np.random.PCG64(position).random_raw((playouts + 1) * 9 * SEARCHES).reshape(playouts + 1, 9, SEARCHES)
    wanted = Counter(
        searched(
            positions.boards[position], playouts, [iter(raw[playout, :, search].tolist()) for playout in range(31)]
        )
        for search in range(SEARCHES)
    )
    weights = frequencies(positions, playouts)
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
        ("mcts:1000", "3x3x3", "at most 250 positions, and tictactoe 3x3x3 has 765; take mcts:326 at most"),
        (
            "random:9,mcts:200",
            "3x3x3-wild",
            "at most 1,250 positions, and tictactoe 3x3x3-wild has 1,359; take mcts:183",
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
