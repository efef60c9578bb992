"""Laws of the fixed opponents, exactly and for every position: their weights are whole numbers."""

from __future__ import annotations

import functools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from commands import Run, ok, refused
from numpy.typing import NDArray
from oracle import TICTACTOE

from menace.arena.play import Arena, raw_numbers
from menace.arena.strength import against, outcomes, worst_case
from menace.errors import InvalidPlayer
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import (
    FIXED,
    FixedOpponent,
    fixed_policy,
    fixed_weights,
    is_fixed,
    is_reserved,
    opponents_for,
)
from menace.text.wording import OPPONENTS

IMPERFECT = ["imperfect:0", "imperfect:1", "imperfect:0.1", "imperfect:0.5", "imperfect:1e-3", "imperfect:0.000001"]
SEARCHES = ["mcts:1", "mcts:3"]  # `mcts:100` has tests of its own, and takes longer
NAMES = [*(name for name in FIXED if not FIXED[name].fits and name != "mcts:100"), *IMPERFECT, *SEARCHES]


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


@pytest.mark.parametrize("text", ["", "Random", "imperfect", "best", "human", "menace-x", "perfect "])
def test_who_is_no_fixed_player_is_refused(positions: Positions, text: str) -> None:
    assert not is_fixed(text)
    with pytest.raises(InvalidPlayer, match=f"no fixed opponent is called '{text}'; .*choose one of random, optimal"):
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
            worst_case(policy)
            if row["opponent"] == "best"
            else against(policy, fixed_policy(row["opponent"], positions, 1 - side))
        )
        assert [row["win"], row["draw"], row["loss"]] == pytest.approx(list(wanted))
        assert row["line"] == player.line
        assert f"{player.name} " in text
        assert player.line in text


def test_the_list_of_players_refuses_a_game_that_is_too_large_or_unknown(run: Run) -> None:
    refused(run("players", "--game", "chess"), "no game is called 'chess'")
    refused(run("players", "--variant", "9x9x9"), "81 cells")


def test_names_of_players_are_no_names_for_learners() -> None:
    for name in ("random", "optimal", "perfect", "imperfect", "imperfect:0.1", "imperfect:", "best", "human"):
        assert is_reserved(name), name
    for name in ("menace-x", "randomly", "Anna", "imperfection"):
        assert not is_reserved(name), name
    assert all(is_fixed(name) for name in NAMES)
