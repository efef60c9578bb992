"""Tests of the probability that a machine is ruined (its first box becomes empty), and of how ruin ends training."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from commands import Run
from runs import resume, train

from menace.arena import bead_distributions
from menace.arena.bead_distributions import can_be_ruined, first_move_beads, is_ruined, ruin_risk, ruin_text
from menace.arena.play import Arena, raw_numbers
from menace.errors import InvalidRun, VerificationFailed
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.ledger import training
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order, unfinished_run
from menace.ledger.training import Trainer

SEED = 1  # with this seed, the machine with the `fragile` settings is ruined within 219 games


@pytest.fixture
def fragile(tmp_path: Path) -> Path:
    """Return a database with two machines that resign: adam, Michie's machine for X, and eva, a machine for O."""
    path = tmp_path / "menace.db"
    with create_database(path) as store:
        new_learner(store, "adam", "X", "michie-1961", {})
        new_learner(store, "eva", "O", "scroggs", {"beads": "1"})
    return path


def losses_in_a_row(machine: Machine, opponent: str, games: int, seed: int) -> int | None:
    """Play one game at a time.

    Return the number of games after which the first box is empty, or None if the box never becomes empty.
    """
    arena, numbers = Arena(machine.positions), raw_numbers(seed, 0)
    player, changes = machine.kernel_player(arena.graph), "," in opponent
    for game in range(games):
        if game == 0 or changes:
            seats = machine.plays.x_and_o(player, arena.fixed_player(opponent, game + 1))
        if first_move_beads(machine) == 0:
            return game
        arena.play(*seats, numbers, 1, math.inf)
    return games if first_move_beads(machine) == 0 else None


@pytest.mark.parametrize(("preset", "plays"), [("michie-1961", "X"), ("scroggs", "O")])
def test_kernel_stops_after_game_that_takes_last_bead(positions: Positions, preset: str, plays: str) -> None:
    died = 0
    for seed in range(12):
        beads = (1,) if plays == "O" else (4, 3, 2, 1)
        replayed, machine = (Machine(preset, plays, positions, beads=beads) for _ in range(2))
        expected = losses_in_a_row(replayed, "perfect", 150, seed)
        arena = Arena(positions)
        seats = machine.plays.x_and_o(machine.kernel_player(arena.graph), arena.fixed_player("perfect"))
        numbers = raw_numbers(seed, 0)
        played = arena.play_until_ruin(*seats, numbers, 150, math.inf)
        assert numbers.generator.state == raw_numbers(seed, played.numbers).generator.state
        died += expected is not None and expected < 150
        assert (played.games, played.ruined) == ((150, False) if expected in {None, 150} else (expected, True))
        assert is_ruined(machine) == (expected is not None)
        assert machine.learned.amount.tolist() == replayed.learned.amount.tolist()
    assert died > 0  # otherwise, the test would not check anything


def test_games_of_o_continue_while_one_first_box_has_beads(positions: Positions) -> None:
    machine, arena = Machine("scroggs", "O", positions, beads=(1,)), Arena(positions)
    corner = positions.number_of("X........")
    machine.learned.amount[slice(*positions.first_move[corner : corner + 2])] = 0
    x, o = arena.fixed_player("random"), machine.kernel_player(arena.graph)
    played = arena.play_until_ruin(x, o, raw_numbers(1, 0), 3, math.inf)
    assert (played.games, played.ruined) == (3, False)


@pytest.mark.parametrize(
    "settings", [{"when_empty": "restock"}, {"when_empty": "random"}, {"floor": 1}, {"loss": 0, "draw": 0}]
)
def test_only_resigning_machine_that_loses_beads_can_be_ruined(settings: dict[str, object]) -> None:
    assert can_be_ruined(Machine("michie-1961", "X"))
    assert not can_be_ruined(Machine("michie-1961", "X", **settings))
    assert ruin_text(Machine("michie-1961", "X", **settings), "perfect", 200) is None
    assert not can_be_ruined(Machine("zhang", "X"))


SOME, ALL, NONE = {True, False}, {True}, {False}


@pytest.mark.parametrize(
    ("plays", "opponent", "games", "settings", "emptied"),
    [
        ("X", "perfect", 60, {"beads": (4, 3, 2, 1)}, SOME),
        ("O", "perfect", 25, {"beads": (1,)}, SOME),
        ("X", "random:10,perfect", 60, {"beads": (2, 1), "win": 1}, SOME),  # an opponent that changes during training
        ("X", "imperfect:0.5", 150, {"beads": (1,), "win": 1, "draw": 0}, SOME),
        # The first box can still become empty after early wins.
        ("X", "imperfect:0.4", 150, {"beads": (1,), "win": 3, "draw": -1}, SOME),
        ("X", "imperfect:0.2", 200, {"beads": (1,), "win": 40, "draw": -1}, SOME),
        # In these cases, each game removes one of 3 beads, one of 240 beads, or two of 6 beads.
        *(("X", "perfect", games, {"beads": (1,), "draw": -1}, ALL if games > 2 else NONE) for games in (1, 2, 3, 4)),
        *(("X", "perfect", games, {"beads": (80,), "draw": -1}, ALL if games > 239 else NONE) for games in (239, 240)),
        *(("X", "perfect", n, {"beads": (2,), "draw": -2, "loss": -2}, ALL if n > 2 else NONE) for n in (2, 3, 4)),
    ],
)
def test_ruin_risk_matches_games_played_one_by_one(
    positions: Positions,
    monkeypatch: pytest.MonkeyPatch,
    plays: str,
    opponent: str,
    games: int,
    settings: dict[str, object],
    emptied: set[bool],
) -> None:
    machine, fates = Machine("scroggs", plays, positions, **settings), []
    monkeypatch.setattr(bead_distributions, "TRIALS_FEWEST", 1)
    for seed in range(1, 26):
        fates.append(losses_in_a_row(machine.copy(), opponent, games, seed) is not None)
        monkeypatch.setattr(bead_distributions, "TRIALS", seed)
        assert ruin_risk(machine, opponent, games) == bead_distributions.RuinRisk(seed, sum(fates), games)
    assert set(fates) == emptied


def test_ruin_risk_keeps_machines_and_detects_certain_ruin(positions: Positions) -> None:
    doomed = Machine("michie-1961", "X", positions, beads=(1,), draw=-1)
    before = doomed.learned.amount.copy()
    assert ruin_text(doomed, "perfect", 300) == (
        "of 500 copies of it that play 300 games against perfect, all run out of beads for their first move"
    )
    assert (doomed.learned.amount == before).all()
    assert ruin_text(doomed, "perfect", 2) == (  # the three beads last for more than two games
        "of 500 copies of it that play 2 games against perfect, none runs out of beads for its first move"
    )
    rival = Machine("scroggs", "O", positions)
    assert "against eva, " in (ruin_text(doomed, rival, 9, called="eva") or "")
    assert (rival.learned.amount == Machine("scroggs", "O", positions).learned.amount).all()


def test_training_stops_at_empty_first_box_and_logs_it(fragile: Path) -> None:
    with open_database(fragile) as store:
        run = train(store, "adam", "perfect", games=219, seed=SEED)
        died = losses_in_a_row(Machine("michie-1961", "X"), "perfect", 219, SEED)
        assert run.games_played == died
        assert died is not None
        assert run.finished_at is not None
        assert store.stopped_runs() == {run.run_id}
        assert store.blocks()[-1].kind == "ruin"
        assert store.latest_evaluation(1, "behaviour")["random"][2] == 1.0
        assert is_ruined(named_machine(store, "adam"))
        with pytest.raises(InvalidRun, match="ended because a first box was empty"):
            unfinished_run(store, run.run_id)
        verify(store)
        # A ruined machine loses all further games and learns nothing from them.
        rest_of_run = train(store, "adam", "perfect", games=7, seed=2, continue_when_ruined=True)
        assert (rest_of_run.games_played, store.blocks()[-1].o_wins) == (7, 2)  # starting at the mark at game 5
        verify(store)


def test_resumed_run_ends_at_same_game(fragile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
    with open_database(fragile) as store:
        ordered = order(store, Training("adam", "perfect", games=219, seed=SEED))
        run = Trainer(store).play_blocks(ordered)
        assert run.finished_at is None
        run = resume(store)
        assert run.games_played == losses_in_a_row(Machine("michie-1961", "X"), "perfect", 219, SEED)
        verify(store)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("block SET kind = 'games' WHERE kind = 'ruin'", "the strength of adam"),
        ("run SET finished_at = NULL", "run 1 ends with block \\d+, but is not marked as ended"),
        (
            "run SET options = '{\"continue_when_ruined\": true}'",
            "run 1 ends with block \\d+, but is not marked as ended",
        ),
        ("run SET finished_at = '2031-01-01T00:00:00Z'", "its last block was written at"),
        ("block SET kind = 'ruin' WHERE block_id = 3", "says"),
    ],
)
def test_verify_detects_wrong_ruin_records(fragile: Path, edit: str, message: str) -> None:
    with open_database(fragile) as store:
        train(store, "adam", "perfect", games=219, seed=SEED)
        store.database.execute(f"UPDATE {edit}")
        store.database.commit()
        with pytest.raises(VerificationFailed, match=message):
            verify(store)


def test_verify_detects_ruin_with_beads_left(fragile: Path) -> None:
    with open_database(fragile) as store:
        run = train(store, "adam", "random", games=5, seed=SEED)
        store.database.execute("UPDATE run SET games_wanted = 9")
        store.add_block(run.run_id, "ruin", 0, (0, 0, 0), store.numbers_used(run.run_id), 0)
        store.database.commit()
        with pytest.raises(VerificationFailed, match="the log shows that some beads were left"):
            verify(store)


@pytest.mark.parametrize(
    ("emptied", "end"),
    [
        (0, "none runs out of beads for its first move"),
        (1, "1 runs out of beads for its first move"),
        (2, "2 run out of beads for their first move"),
        (50, "all run out of beads for their first move"),
    ],
)
def test_ruin_sentence_agrees_in_number(monkeypatch: pytest.MonkeyPatch, emptied: int, end: str) -> None:
    monkeypatch.setattr(
        bead_distributions, "ruin_risk", lambda *_: bead_distributions.RuinRisk(trials=50, ruined=emptied, games=1)
    )
    machine = Machine("michie-1961", "X")
    beginning = "of 50 copies of it that play"
    assert ruin_text(machine, "defensive", 1) == f"{beginning} 1 game against defensive, {end}"
    assert ruin_text(machine, "optimal", 9) == f"{beginning} the first 1 game against optimal play, {end}"


def test_commands_warn_before_and_report_after_ruin(run: Run) -> None:
    out = run("new", "adam", "--plays", "X", "--preset", "michie-1961").out.splitlines()
    assert out[1].startswith("of 500 copies of it that play 200 games against optimal play, ")
    assert len(run("new", "safe", "--plays", "X").out.splitlines()) == 1
    out = run("train", "adam", "--against", "perfect", "--games", "219", "--seed", str(SEED)).out
    died = losses_in_a_row(Machine("michie-1961", "X"), "perfect", 219, SEED)
    assert out.splitlines()[0].startswith("adam: of 500 copies of it that play 219 games against perfect, ")
    assert f"{died} of 219 games" in out
    assert (
        "the run stopped early: no bead is left for the first move of adam (--go-on counts the remaining games as lost)"
        in out
    )
    assert "stopped" in run("runs").out
    again = run("train", "adam", "--against", "perfect", "--games", "9").out
    assert again.startswith("adam: no bead is left for the machine's first move")
    assert "0 of 9 games" in again
    assert "9 games, seed 3" in run("train", "adam", "--against", "perfect", "--games=9", "--seed=3", "--go-on").out
