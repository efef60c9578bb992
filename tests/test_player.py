"""Every player has a policy: machines, fixed opponents, tables by board and arrays of weights give the same one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import menace
from menace.arena.play import Arena, raw_numbers
from menace.arena.strength import best_response, worst_case
from menace.errors import IllegalMove, InvalidBoard, InvalidGame, InvalidPlayer, InvalidSetting, MenaceError
from menace.games import get_game
from menace.games.base import Side, SideText
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import FIXED, fixed_policy
from menace.learners.player import policy_of
from menace.learners.policy import Policy

GAMES = {"tictactoe": None, "hexapawn": "3x3", "nim": "1-2-3", "connect": "3x3x3"}


def positions_of(game: str) -> Positions:
    return enumerate_positions(get_game(game, GAMES[game]))


def tabulated(policy: Policy, image: int) -> dict[str, dict[str, float]]:
    """Return a policy as a table by board: an image of each, and an equal share for each of the equivalent moves."""
    positions, table = policy.positions, {}
    for position in np.flatnonzero(policy.moves_here).tolist():
        symmetry = positions.symmetries[image % len(positions.symmetries)]
        board, weights = symmetry.board(positions.boards[position]), {}
        for move in positions.moves_of(position):
            actions = positions.actions_for(board, int(positions.action[move]))
            for action in actions:
                weights[positions.game.name_of(board, action)] = policy.probability[move] / len(actions)
        table[board] = weights
    return table


@pytest.mark.parametrize(("game", "plays", "image"), [*zip(GAMES, "XOXO", (5, 1, 2, 1), strict=True)])
def test_a_table_on_any_images_of_the_boards_is_the_policy_that_it_was_made_of(
    game: str, plays: SideText, image: int
) -> None:
    positions, side = positions_of(game), Side(plays)
    for player in (Machine("menace", plays, positions), "perfect"):
        policy = policy_of(player, plays, positions)
        for form in (tabulated(policy, image), policy.probability, policy):
            again = policy_of(form, plays, positions)
            assert again.side == side.number
            assert np.allclose(again.probability, policy.probability, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["random", "optimal", "imperfect:0.3"])
def test_strength_best_response_and_evaluation_take_every_form(name: str) -> None:
    positions = tictactoe()
    policy = fixed_policy(name, positions, 1)
    for player in (name, policy, policy.probability, tabulated(policy, 3)):
        report = menace.strength(player, plays="O")
        assert report.worst_case == pytest.approx(worst_case(policy), abs=1e-12)
        assert menace.evaluate("perfect", player).outcomes == pytest.approx(
            menace.evaluate("perfect", name).outcomes, abs=1e-12
        )
        reply = best_response(policy_of(player, "O"))
        assert menace.evaluate(reply, player).outcomes[::-1] == pytest.approx(report.worst_case, abs=1e-12)


def test_boards_that_a_table_leaves_out_are_played_at_random_and_names_are_moves() -> None:
    policy = policy_of({"..X .O. ...": "8", ".........": {"4": 3, "0": 1}}, "X")
    positions = tictactoe()
    random = fixed_policy("random", positions, 0).probability
    assert policy.probability[:3].tolist() == [0.25, 0.0, 0.75]
    position = positions.number_of("..X.O....")
    here = positions.moves_of(position)
    canonical = positions.to_canonical("..X.O....", 8)
    assert {int(positions.action[move]): policy.probability[move] for move in here if policy.probability[move]} == {
        canonical: 1.0
    }
    moves_left_out = [
        move for move in range(positions.move_count) if positions.position_of_move[move] not in {0, position}
    ]
    assert policy.probability[moves_left_out].tolist() == random[moves_left_out].tolist()


@pytest.mark.parametrize(("game", "plays"), [*zip(GAMES, "OXOX", strict=True)])
def test_a_function_that_knows_perfect_play_is_perfect(game: str, plays: SideText) -> None:
    positions, asked = positions_of(game), []
    perfect = fixed_policy("perfect", positions, Side(plays).number)
    table = tabulated(perfect, 0)

    def function(board: str, moves: list[str]) -> dict[str, float]:
        asked.append(board)
        assert moves == [positions.game.name_of(board, action) for action in positions.game.actions(board)]
        return table[board]

    policy = Policy.from_function(function, plays, positions)
    assert np.allclose(policy.probability, perfect.probability, rtol=0, atol=1e-12)
    assert sorted(asked) == sorted(table)  # once each
    assert worst_case(policy).value == pytest.approx(worst_case(perfect).value)


def test_a_function_that_fails_says_on_which_board() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        Policy.from_function(lambda board: board[1 // 0], "X")
    assert caught.value.__notes__ == ["<lambda> was asked for a move at board ........."]


@pytest.mark.parametrize("name", ["random", "perfect", "imperfect:0.3"])
def test_all_forms_of_a_player_play_the_same_games(name: str) -> None:
    policy = fixed_policy(name, tictactoe(), 1)
    learned = []
    table = tabulated(policy, 0)
    for form in (name, policy, np.asarray(policy.parts[0][1])):
        x = Machine("menace", "X")
        played = menace.play_games(x, form, games=500, seed=3)
        learned.append((played, x.learned.amount.tolist()))
    assert learned[0] == learned[1] == learned[2]
    exact = menace.evaluate("perfect", table).outcomes
    counts = menace.play_games("perfect", lambda board: table[board], games=20_000, seed=4).outcomes
    assert np.abs(np.array(counts) / 20_000 - exact).max() < 0.015  # four standard deviations


def test_a_policy_that_resigns_cannot_play_without_its_machine() -> None:
    machine = Machine("michie-1961", "X", beads=(1,))
    menace.play_games(machine, "perfect", games=100, seed=1)
    assert machine.policy().can_resign
    with pytest.raises(InvalidPlayer, match="pass the machine itself"):
        menace.play_games(machine.policy(), "random", games=1)


def test_a_curriculum_is_one_opponent_after_the_other() -> None:
    parts, machine, again = (
        (("random", 70), ("imperfect:0.5", 50), ("perfect", 80)),
        *(Machine("menace", "O") for _ in "ab"),
    )
    numbers = menace.play_games("random:70,imperfect:0.5:50,perfect", machine, games=200, seed=5).numbers
    stream, arena = raw_numbers(5, 0), Arena(tictactoe())
    used = 0
    for name, games in parts:
        player = again.kernel_player(arena.graph)
        used += arena.play(arena.fixed_player(name), player, stream, games, 60.0).numbers
    assert used == numbers
    assert machine.learned.amount.tolist() == again.learned.amount.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("random:0,perfect", "part 'random:0' of a curriculum is not NAME:GAMES"),
        ("random,perfect", "part 'random' of a curriculum is not NAME:GAMES"),
        ("random:5,", "no fixed opponent is called ''"),
        ("random:5,michie-1961", "michie-1961 changes from game to game by itself"),
        ("imperfect:2:5,perfect", "needs a probability from 0 to 1"),
        ("random:5," * 100 + "perfect", "a curriculum of 907 characters is too long"),
        ("imperfect:0,5", "part 'imperfect:0' of a curriculum is not NAME:GAMES"),
    ],
)
def test_wrong_curricula_are_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidPlayer, match=re.escape(words)):
        policy_of(text, "X")


def test_a_comparison_takes_machines_policies_and_names() -> None:
    x, o = Machine("menace", "X"), policy_of("optimal", "O")
    table = menace.compare([x, o, "random"])
    assert menace.compare(x, o, "random") == menace.compare(x, [o, "random"]) == table
    assert set(table) == {("menace", "optimal"), ("menace", "random"), ("random", "optimal"), ("random", "random")}
    assert table["menace", "optimal"] == menace.evaluate(x, "optimal").outcomes

    def first(board: str, moves: list[str]) -> str:
        return moves[0]

    assert menace.compare(x, first)["first", "first"] == menace.evaluate(first, first).outcomes


def without_centre() -> np.ndarray[Any, Any]:
    return np.where(np.arange(tictactoe().move_count) < 3, 0, tictactoe().multiplicity)


@pytest.mark.parametrize(
    ("player", "plays", "error", "words"),
    [
        (7, "X", InvalidPlayer, "7 cannot play here; take a `menace.Machine` (of a learner its `machine()`), a policy"),
        ("./my_player.py:novice", "X", InvalidPlayer, "import it, and hand over the function itself"),
        (Machine("menace", "O"), "X", InvalidPlayer, "menace plays O, not X; name another X"),
        ("nobody", "X", InvalidPlayer, f"choose one of {', '.join(FIXED)}"),
        (np.ones(7), "X", InvalidPlayer, "tictactoe 3x3x3 has 2,096 moves, each with a weight of 0 or more"),
        (np.full(2096, -1), "X", InvalidPlayer, "a weight is negative or not a number; take weights of 0 or more"),
        (np.full(2096, np.nan), "X", InvalidPlayer, "a weight is negative or not a number; take weights of 0 or more"),
        (without_centre(), "X", InvalidPlayer, "board ......... has no move with a weight above 0"),
        ({"X........": "4"}, "X", InvalidPlayer, "X is not to move at board X........; leave it out"),
        ({"X.O......": "4", "O.X......": "4"}, "X", InvalidPlayer, "O.X...... are one position; give one of them"),
        ({"XXXX.....": "4"}, "X", InvalidBoard, "XXXX....."),
        ({".........": "9"}, "X", IllegalMove, "9"),
        ({"X.O......": "0"}, "X", IllegalMove, "action 0 is not legal on X.O......"),
        (lambda board: board.index("X"), "O", InvalidPlayer, "returned 0 at board X........; return one of 1, 2, 3"),
        (lambda _: None, "X", InvalidPlayer, "returned None at board .........; return one of 0, 1, 2"),
        (lambda _: {}, "X", InvalidPlayer, "board ......... has no move with a weight above 0"),
    ],
)
def test_what_cannot_play_is_refused(player: Any, plays: Any, error: type[MenaceError], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        policy_of(player, plays)


def test_games_sides_and_kinds_are_checked() -> None:
    with pytest.raises(InvalidGame, match="take players of one game"):
        policy_of(Machine("menace", "X"), "X", positions_of("hexapawn"))
    with pytest.raises(InvalidSetting, match="no policy is called 'best'"):
        policy_of("random", "X", policy="best")  # type: ignore[arg-type]
    with pytest.raises(InvalidPlayer, match="say which, as in"):
        menace.strength("random")
    with pytest.raises(InvalidPlayer, match="has no name to stand in a table"):
        menace.compare([{".........": "4"}])  # type: ignore[list-item]
    with pytest.raises(InvalidPlayer, match="5 has no name"):
        menace.compare("random", 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidPlayer, match="two players of X have the same name"):
        menace.compare([Machine("menace", "X"), Machine("menace", "X"), "random"])
