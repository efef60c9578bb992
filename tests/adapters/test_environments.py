"""Tests that games and players pass the checks of PettingZoo, Gymnasium and OpenSpiel and follow the exact odds."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from checkout import ROOT

import menace
from menace.adapters.board_states import BoardPolicy, BoardStates
from menace.errors import IllegalMove, InvalidPlayer, MissingExtra
from menace.games import GAMES
from menace.games.base import GAP

PAGE = ROOT / "docs" / "adapters.md"
EXAMPLE = re.compile(r"^```python\n((?:(?!```).*\n)*)```\n\n```text\n((?:(?!```).*\n)*)```", re.MULTILINE)


def library(name: str) -> ModuleType:
    """Import and return a module, or skip the test if the module or one of its dependencies is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PettingZoo issues warnings when its own tests load games
            return importlib.import_module(name)
    except (ImportError, MissingExtra) as missing:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)(str(missing))


def adapter(name: str) -> Any:
    return library(f"menace.adapters.{name}")


def near(share: float, expected: float, games: int) -> bool:
    """Return whether a share is within five standard deviations of the expected share.

    A correct share fails this check about once in 1.7 million trials.
    """
    return abs(share - expected) <= 5 * (expected * (1 - expected) / games) ** 0.5 + 1e-12


@pytest.mark.parametrize(
    "case",
    [(name, None) for name in GAMES if name != "connect"]
    + [("tictactoe", "3x3x3-wild"), ("tictactoe", "2x3x3"), ("connect", "3x3x3"), ("nim", "3-3-3")],
    ids=lambda case: "-".join(filter(None, case)),
)
def test_actions_kinds_and_masks_match_all_reachable_boards(case: tuple[str, str | None]) -> None:
    game = menace.get_game(*case)
    positions, boards = menace.enumerate_positions(game), menace.enumerate_positions(game, "none")
    actions = {action for board in boards.boards for action in game.actions(board)}
    kinds = {piece for board in boards.boards for piece in game.pieces(board)} - {"", GAP}
    for numbered in (positions, boards):
        assert numbered.action_count == 1 + max(actions)
        assert set(numbered.piece_kinds) == kinds
        assert len(numbered.piece_kinds) == len(kinds)
    for board in boards.boards:
        mask = positions.action_mask(board)
        assert mask.shape == (positions.action_count,)
        assert tuple(np.flatnonzero(mask)) == game.actions(board)


class Swap(NamedTuple):
    """A symmetry that either swaps `a` and `b` or changes nothing."""

    name: str
    swaps: bool

    def board(self, board: str) -> str:
        return board.translate({97: 98, 98: 97}) if self.swaps else board

    def action(self, action: int) -> int:
        return action ^ self.swaps

    def inverse(self) -> Swap:
        return self


class Letters:
    """A drawn game of one move.

    Actions 0 and 2 place an `a`, actions 1 and 3 place a `b`, and all four are equivalent.
    """

    name, variant, initial, shape = "letters", "1", ".", (1, 1)
    symmetries = Swap("identity", swaps=False), Swap("swap", swaps=True)

    def to_move(self, _board: str) -> str:
        return "X"

    def actions(self, board: str) -> tuple[int, ...]:
        return (0, 1, 2, 3) if board == "." else ()

    def play(self, _board: str, action: int) -> str:
        return "ab"[action % 2]

    def outcome(self, board: str) -> str | None:
        return None if board == "." else "draw"

    def pieces(self, board: str) -> tuple[str, ...]:
        return (board.strip("."),)


@pytest.mark.parametrize("symmetry", ["full", "none"])
def test_actions_and_kinds_of_non_canonical_boards_are_included(symmetry: Any) -> None:
    game: Any = Letters()
    positions = menace.enumerate_positions(game, symmetry)
    assert (positions.action_count, positions.piece_kinds) == (4, ("a", "b"))
    assert (positions.boards[1:], positions.action.tolist()) == (
        (("b",), [0]) if symmetry == "full" else (("b", "a"), [0, 1])
    )


def test_observation_has_own_pieces_first_and_excludes_gaps() -> None:
    states = BoardStates.of_game()
    seen = states.of("XX.O.....").seen_by
    assert seen["X"][0].tolist() == [[1, 0], [1, 0], [0, 0]]
    assert seen["O"][0].tolist() == [[0, 1], [0, 1], [0, 0]]
    assert seen["X"][1, 0].tolist() == [0, 1]
    assert (seen["O"] == seen["X"][:, :, ::-1]).all()
    boards = BoardStates.of_game("notakto", "2")
    assert boards.positions.piece_kinds == ("X", "#")
    assert not boards.initial.seen_by["O"].any()


def test_board_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.adapters.board_states.KEPT", 5)
    states = BoardStates(menace.enumerate_positions(menace.get_game()))
    policy = BoardPolicy(menace.policy_of("random", "X"))
    random = np.random.default_rng(1)
    for _ in range(10):
        state = states.initial
        while state.outcome is None:
            if state.to_move == "X":
                policy.choose(state.board, random)
            state = states.after(state, int(random.choice(state.actions)))
            assert max(len(states.states), len(policy.odds_of), len(policy.sums_of)) <= 5
    with pytest.raises(IllegalMove):
        states.after(states.of("X........"), 0)


def test_policy_choices_follow_odds_on_every_image() -> None:
    machine = menace.Machine("menace", "O")
    menace.play_games(menace.Machine("menace", "X"), machine, games=500, seed=1)
    policy, random = BoardPolicy(machine.policy()), np.random.default_rng(2)
    for board in ("X........", "........X", "....X....", ".OX.X...."):
        odds = {machine.positions.game.name_of(board, action): p for action, p in policy.odds(board).items()}
        assert odds == machine.odds(board)
        drawn = [policy.choose(board, random) for _ in range(2_000)]
        assert all(near(drawn.count(action) / 2_000, share, 2_000) for action, share in policy.odds(board).items())


@pytest.mark.parametrize(
    ("needed", "module"),
    [("pettingzoo", "pettingzoo_env"), ("gymnasium", "gymnasium_env"), ("pyspiel", "openspiel_game")],
)
def test_missing_library_error_names_extra(needed: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, needed, None)
    monkeypatch.delitem(sys.modules, f"menace.adapters.{module}", raising=False)
    with pytest.raises(MissingExtra, match=rf"this feature needs {needed}, which is not installed.*\[rl\]"):
        importlib.import_module(f"menace.adapters.{module}")


@pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo's own games also cause these warnings
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_api_checks_pass(game: str) -> None:
    tests, module, pettingzoo = library("pettingzoo.test"), adapter("pettingzoo_env"), library("pettingzoo")
    with contextlib.redirect_stdout(io.StringIO()):
        tests.api_test(pettingzoo.make("aec", f"menace/{game}-v0"), num_cycles=200)
    tests.seed_test(lambda: module.env(game), num_cycles=100)


def test_tictactoe_matches_pettingzoo_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test that random games have the same masks, observations, rewards and final states in both libraries.

    PettingZoo numbers cells by column.
    """
    library("pettingzoo")
    # PettingZoo imports pygame but uses it only for drawing
    monkeypatch.setitem(sys.modules, "pygame", ModuleType("pygame"))
    theirs, ours = library("pettingzoo.classic.tictactoe.tictactoe").env(), adapter("pettingzoo_env").env()
    random, by_columns = np.random.default_rng(1), np.arange(9).reshape(3, 3).T.ravel()
    for _ in range(100):
        theirs.reset()
        ours.reset()
        while theirs.agents:
            assert theirs.agent_selection == ours.agent_selection
            (seen, *rest), (own, *own_rest) = theirs.last(), ours.last()
            assert rest == own_rest
            assert (own["observation"] == seen["observation"].transpose(1, 0, 2)).all()
            over = any(rest[1:3])
            if not over:
                assert (own["action_mask"] == seen["action_mask"][by_columns]).all()
            action = None if over else int(random.choice(np.flatnonzero(own["action_mask"])))
            ours.step(action)
            theirs.step(None if action is None else int(by_columns[action]))
        assert ours.agents == []


def test_illegal_move_loses_or_raises_without_wrappers() -> None:
    module, pettingzoo = adapter("pettingzoo_env"), library("pettingzoo")
    env = pettingzoo.make("aec", "menace/tictactoe-v0", render_mode="ansi")
    env.reset()
    env.step(4)
    assert env.render() == menace.get_game().draw("....X....")
    env.step(4)
    assert env.rewards == {"player_1": 0, "player_2": -1}
    assert all(env.terminations.values())
    bare = module.GameEnv()
    bare.reset()
    bare.step(4)
    with pytest.raises(IllegalMove):
        bare.step(4)
    assert bare.render() is None


def test_observations_are_copies_and_waiting_agent_has_no_actions() -> None:
    bare = adapter("pettingzoo_env").GameEnv()
    bare.reset()
    assert not bare.observe("player_2")["action_mask"].any()
    seen = bare.observe("player_1")
    seen["observation"][:] = 7
    seen["action_mask"][:] = 7
    assert bare.observe("player_1")["observation"].max() == 0
    assert bare.observe("player_1")["action_mask"].max() == 1


def first_legal(_board: str, moves: list[str]) -> str:
    return moves[0]


def trained(plays: Any) -> menace.Machine:
    x, o = menace.Machine("menace", "X"), menace.Machine("menace", "O")
    menace.play_games(x, o, games=300, seed=1)
    return x if plays == "X" else o


def opponents(plays: Any) -> Iterator[tuple[str, Any]]:
    yield "name", "perfect"
    yield "machine", trained(plays)
    yield "policy", trained(plays).policy("greedy")
    yield "function", first_legal


def make_environment(game: str, **options: Any) -> Any:
    """Create an environment with `gymnasium.make`, which imports the module that registers the environment."""
    gymnasium = library("gymnasium")
    adapter("gymnasium_env")
    return gymnasium.make(f"menace.adapters.gymnasium_env:menace/{game}-v0", **options)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plays", ["X", "O"])
def test_gymnasium_checks_pass(game: str, plays: str) -> None:
    checker = library("gymnasium.utils.env_checker")
    checker.check_env(make_environment(game, plays=plays, opponent="random").unwrapped)


@pytest.mark.parametrize("kind", ["name", "machine", "policy", "function"])
@pytest.mark.parametrize("plays", ["X", "O"])
def test_600_games_match_exact_odds(plays: str, kind: str) -> None:
    other = "O" if plays == "X" else "X"
    opponent = dict(opponents(other))[kind]
    env, random = make_environment("tictactoe", plays=plays, opponent=opponent), np.random.default_rng(1)
    rewards = []
    for number in range(600):
        _, info = env.reset(seed=1 if number == 0 else None)
        over = False
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, _, info = env.step(action)
        rewards.append(reward)
    policy = menace.policy_of(opponent, other)  # the environment plays from the function's table
    pair = ("random", policy) if plays == "X" else (policy, "random")
    odds = menace.evaluate(*pair).outcomes
    expected = {1.0: odds.x_wins, 0.0: odds.draw, -1.0: odds.o_wins}
    sign = 1.0 if plays == "X" else -1.0
    assert all(near(rewards.count(sign * reward) / 600, share, 600) for reward, share in expected.items())


def test_resigning_machine_loses() -> None:
    machine = menace.Machine("menace", "O", when_empty="resign")
    machine.learned.amount[:] = 0
    env = adapter("gymnasium_env").SideEnv(opponent=machine)
    env.reset()
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["board"]) == (1.0, True, "....X....")
    with pytest.raises(library("gymnasium").error.ResetNeeded):
        env.step(0)


def test_opponent_for_wrong_side_is_refused() -> None:
    module = adapter("gymnasium_env")
    with pytest.raises(InvalidPlayer, match="plays X, not O"):
        module.SideEnv(plays="X", opponent=menace.Machine("menace", "X"))
    with pytest.raises(InvalidPlayer):
        module.SideEnv(opponent="nobody")


@pytest.mark.parametrize("text", [f"menace_{name}" for name in GAMES] + ["menace_nim(variant='1-2-3')"])
def test_openspiel_checks_pass(text: str) -> None:
    adapter("openspiel_game")
    pyspiel = library("pyspiel")
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_numeric_variant_needs_no_quotes_in_dict() -> None:
    adapter("openspiel_game")
    game = library("pyspiel").load_game("menace_nim", {"variant": "7"})
    assert (str(game), game.num_distinct_actions()) == ("menace_nim(variant='7')", 7)


def nash_conv_by_positions(positions: menace.Positions, x: Any, o: Any) -> float:
    """Return the sum of the two players' losses against their best responses, as computed by menace."""
    policies = menace.policy_of(x, "X", positions), menace.policy_of(o, "O", positions)
    worst = [menace.strength(policy).against_best_response for policy in policies]
    return sum(case.loss - case.win for case in worst)


@pytest.mark.parametrize("text", ["menace_hexapawn", "menace_nim(variant='1-2-3')", "menace_tictactoe(variant=2x3x3)"])
def test_exploitability_matches_openspiel(text: str) -> None:
    module, pyspiel = adapter("openspiel_game"), library("pyspiel")
    exploitability = library("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game(text)
    positions = game.states.positions
    x, o = menace.Machine("menace", "X", positions), menace.Machine("menace", "O", positions)
    menace.play_games(x, o, games=20, seed=1)
    for pair in (("random", "random"), (x, o)):
        theirs = exploitability.nash_conv(game, module.PlayerPolicy(game, *pair))
        assert theirs == pytest.approx(nash_conv_by_positions(positions, *pair), abs=1e-12)
        assert theirs > 0


def test_nash_conv_of_uniform_play_matches_openspiel() -> None:
    """The expected value was computed by OpenSpiel for its own tic-tac-toe (docs/development/peers.md)."""
    positions = menace.enumerate_positions(menace.get_game())
    assert nash_conv_by_positions(positions, "random", "random") == pytest.approx(1.9196593915, abs=5e-11)


def test_machine_bots_follow_odds() -> None:
    module, pyspiel = adapter("openspiel_game"), library("pyspiel")
    play = library("open_spiel.python.algorithms.evaluate_bots").evaluate_bots
    game, x, o = pyspiel.load_game("menace_tictactoe"), trained("X"), trained("O")
    bots = [module.PlayerBot(x, "X", seed=1), module.PlayerBot(o, "O", seed=2)]
    returns = [play(game.new_initial_state(), bots, None)[0] for _ in range(400)]
    odds = menace.evaluate(x, o).outcomes
    assert near(returns.count(1.0) / 400, odds.x_wins, 400)
    assert near(returns.count(-1.0) / 400, odds.o_wins, 400)
    policy, action = bots[0].step_with_policy(game.new_initial_state())
    assert action in dict(policy)
    assert {str(cell): share for cell, share in policy} == x.odds(".........")


def test_bot_moves_randomly_instead_of_resigning() -> None:
    module, pyspiel = adapter("openspiel_game"), library("pyspiel")
    machine = menace.Machine("menace", "X", when_empty="resign")
    machine.learned.amount[:] = 0
    bot, state = module.PlayerBot(machine, "X"), pyspiel.load_game("menace_tictactoe").new_initial_state()
    assert dict(bot.get_policy(state)) == pytest.approx(dict.fromkeys(range(9), 1 / 9))
    assert len({bot.step(state) for _ in range(100)}) == 9


def test_policy_requires_menace_game() -> None:
    module, pyspiel = adapter("openspiel_game"), library("pyspiel")
    with pytest.raises(InvalidPlayer, match="is not one of menace's games"):
        module.PlayerPolicy(pyspiel.load_game("tic_tac_toe"), "random", "random")


@pytest.mark.parametrize(
    ("program", "printed"), EXAMPLE.findall(PAGE.read_text(encoding="utf-8")), ids=lambda text: str(len(text))
)
def test_examples_of_page_print_documented_output(program: str, printed: str) -> None:
    for line in program.splitlines():
        if imports := re.match(r"(?:import|from) (gymnasium|pettingzoo|pyspiel|menace\.adapters\.\w+)\b", line):
            library(imports[1])
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, "an example", "exec"), {"__name__": "__main__"})
    assert output.getvalue() == printed
