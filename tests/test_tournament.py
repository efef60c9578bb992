"""The opponent of 1961: Michie's replies depend on the number of the game, wherever a run is cut."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok
from ledger import resume, train

from menace import play_games
from menace.arena.first_box import ruin_risk
from menace.arena.play import Arena, raw_numbers
from menace.errors import InvalidPlayer, VerificationFailed
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import FIXED, fixed_weights
from menace.learners.opponents.published import SCHEDULE
from menace.ledger import training
from menace.ledger.database_file import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order
from menace.ledger.training import Trainer

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
