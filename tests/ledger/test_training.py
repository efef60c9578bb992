"""Tests that interrupted, killed, resumed and concurrent runs give the same results as an undisturbed run."""

from __future__ import annotations

import contextlib
import math
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import start_command
from database_templates import fresh_database
from runs import reached_state, resume, selfplay, train, train_alone, use_small_blocks

from menace.analysis import grades
from menace.analysis.position import show
from menace.arena.play import Arena
from menace.errors import DatabaseBusy, InvalidPlayer, InvalidRun, Overwritten, StoreError, UnknownLearner
from menace.ledger import training
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner, rename_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import SelfPlay, abandon, order, unfinished_run
from menace.ledger.store import Store
from menace.ledger.store.sqlite import write_lock
from menace.ledger.training import play_to_end


def another(store: Store, name: str) -> Store:
    return fresh_database(Path(store.path).with_name(name))


def test_strength_is_stored_at_start_marks_and_end(store: Store) -> None:
    selfplay(store, games=1234, seed=1)
    games = sorted({row.learner_games for row in store.evaluations()})
    assert games == [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1234]
    assert len(store.evaluations()) == len(games) * 2 * 2 * 3  # learners, policies, opponents


def test_frozen_learner_does_not_change(store: Store) -> None:
    new_learner(store, "adam", "X", "menace", {"when_empty": "restock", "loss": "-3"})
    new_learner(store, "eva", "O", "menace", {"beads": "1"})
    selfplay(store, "adam", "eva", games=500, seed=1)  # this run empties some boxes of both learners
    before = reached_state(store)
    assert any(beads == 0 for _, _, beads, _ in before["boxes"]["adam"])
    train_alone(store, "eva", "adam", games=2000, seed=2)
    after = reached_state(store)
    assert after["boxes"]["adam"] == before["boxes"]["adam"]
    assert after["boxes"]["eva"] != before["boxes"]["eva"]
    assert dict(after["learners"]) == {"adam": 500, "eva": 2500}
    verify(store)


@pytest.mark.slow
def test_restocking_machines_draw_perfect_opponent_and_resigning_ones_do_not(store: Store) -> None:
    # For 1,000 machines, docs/facts.md says "nearly all" and "most ... within 500 games". Eight machines of each kind
    # are enough here.
    given_up = 0
    for seed in range(8):
        new_learner(store, f"restocks {seed}", "X")
        new_learner(store, f"resigns {seed}", "X", "menace", {"when_empty": "resign"})
        train(store, f"restocks {seed}", "perfect", games=2000, seed=seed)
        train(store, f"resigns {seed}", "perfect", games=500, seed=seed)
        assert grades.strength_of(store, f"restocks {seed}").against["optimal"].draw > 0.9
        given_up += show(store, "." * 9, f"resigns {seed}").box.beads == 0
    assert given_up > 4


@pytest.mark.parametrize(
    ("x", "o", "error"), [("nobody", None, UnknownLearner), ("eva", None, InvalidPlayer), (None, "adam", InvalidPlayer)]
)
def test_invalid_order_writes_nothing(store: Store, x: str | None, o: str | None, error: type[Exception]) -> None:
    new_learner(store, "adam", "X")
    new_learner(store, "eva", "O")
    before = Path(store.path).read_bytes()
    with pytest.raises(error):
        selfplay(store, x, o, games=10)
    with pytest.raises(InvalidPlayer):
        train(store, "adam", "nobody", games=10)
    with pytest.raises(InvalidPlayer):
        train(store, "adam", "imperfect:2", games=10)
    with pytest.raises(InvalidPlayer, match="both play X"):
        train(store, "adam", "adam", games=10)
    for games, seed in ((0, None), (-1, None), (10**13, None), (10, -1), (10, 2**63)):
        with pytest.raises(InvalidRun):
            train(store, "adam", "random", games=games, seed=seed)
    assert Path(store.path).read_bytes() == before


def test_abandoned_run_keeps_learning_and_cannot_be_resumed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    use_small_blocks(monkeypatch)
    ordered = order(store, SelfPlay(games=100_000, seed=1))
    for _, _run in zip(range(15), play_to_end(store, ordered), strict=False):
        pass
    run = abandon(store, ordered.run_id)
    assert 0 < run.games_played == store.learner("menace-x").games < 100_000
    with pytest.raises(InvalidRun, match="was abandoned"):
        resume(store, ordered.run_id)
    with pytest.raises(InvalidRun, match="no run was interrupted"):
        resume(store)
    verify(store)


def test_run_cannot_be_shared_by_two_trainers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    use_small_blocks(monkeypatch)
    ordered = order(store, SelfPlay(games=100_000, seed=1))
    first = play_to_end(store, ordered)
    next(first)
    with open_database(store.path) as second:
        second_run = play_to_end(second, unfinished_run(second))
        next(second_run)
        with pytest.raises(InvalidRun, match="another process"):
            next(first)
        next(second_run)
    verify(store)


def test_trainer_reloads_learners_taught_elsewhere(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    use_small_blocks(monkeypatch)
    run = play_to_end(store, order(store, SelfPlay(games=5000, seed=1)))
    next(run)
    with open_database(store.path) as second:
        train(second, "menace-x", "random", games=500, seed=2)
    for _ in run:
        pass
    assert store.learner("menace-x").games == 5500
    verify(store)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("games_wanted = 99", "run 1 has phases that do not cover its 99 games"),
        ("games_wanted = 1000000000001", "run 1 has 0 of 1,000,000,000,001 games"),
        (
            "x_learner_id = 2, o_learner_id = 1",
            "learner 2, which plays X in run 1, is missing or plays the other side",
        ),
    ],
)
def test_invalid_run_is_not_carried_out(store: Store, edit: str, message: str) -> None:
    run = order(store, SelfPlay(games=100, seed=1, phases="50:1:0.5,50:0:0"))
    store.database.execute(f"UPDATE run SET {edit}")
    store.database.commit()
    blocks = store.blocks()
    with pytest.raises(StoreError, match=message):
        training.Trainer(store).play_blocks(store.run(run.run_id))
    assert store.blocks() == blocks


def test_play_blocks_respects_block_and_game_limits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BLOCK_SECONDS", 60.0)
    trainer, run = training.Trainer(store), order(store, SelfPlay(games=100, seed=1))  # marks at 1, 2, 5, 10, 20, 50
    began = len(store.blocks())
    for most, games in ((1, 1), (2, 5), (3, 50)):
        before = len(store.blocks())
        run = trainer.play_blocks(run, most)
        assert (run.games_played, len(store.blocks()) - before) == (games, most)
    assert trainer.play_blocks(run, games=7).games_played == 57
    assert trainer.play_blocks(store.run(run.run_id)).games_played == 100
    assert len(store.blocks()) == began + 1 + 2 + 3 + 1 + 1


def test_error_in_block_rolls_back_database_and_trainer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with another(store, "b.db") as reference:
        selfplay(reference, games=300, seed=1)
    use_small_blocks(monkeypatch)
    trainer = training.Trainer(store)
    run = trainer.play_blocks(order(store, SelfPlay(games=300, seed=1)))

    def fails(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(store, "update_run", fails)
        with pytest.raises(RuntimeError):
            trainer.play_blocks(run)
    while run.finished_at is None:
        run = trainer.play_blocks(run)
    with open_database(reference.path) as reference:
        assert reached_state(store) == reached_state(reference)


def test_short_blocks_share_one_transaction(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def log(of: Store) -> tuple[object, ...]:
        return [row._replace(created_at="") for row in of.blocks()], of.evaluations(), reached_state(of)

    with monkeypatch.context() as patch, another(store, "b.db") as each:
        patch.setattr(training, "BLOCK_SECONDS", 0.0)  # each transaction contains one block
        transactions = len(list(play_to_end(each, order(each, SelfPlay(games=1000, seed=1)))))
        assert transactions == len(each.blocks()) - 1 == 10
        expected = log(each)
    monkeypatch.setattr(training, "BLOCK_SECONDS", 60.0)
    assert len(list(play_to_end(store, order(store, SelfPlay(games=1000, seed=1))))) == 1
    assert log(store) == expected


def test_transaction_excludes_blocks_that_would_not_fit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, game = 0.0, 0.0001  # in simulated time, every game takes the same time
    play = Arena.play

    def played(self: Arena, x: Any, o: Any, numbers: Any, games: int, seconds: float) -> Any:
        nonlocal clock
        batch = min(games, max(1, round(seconds / game)))
        clock += batch * game
        return play(self, x, o, numbers, batch, math.inf)

    monkeypatch.setattr(Arena, "play_until_ruin", played)
    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=lambda: clock, sleep=lambda _: None))
    took, before = [], clock
    for _run in play_to_end(store, order(store, SelfPlay(games=9000, seed=1))):
        took.append(clock - before)
        before = clock
    # The first 1,000 games take 0.1 s, so there is time in the transaction for another block, which ends at the next
    # mark. From game 5,000 on, the time limit determines where blocks end.
    assert took == pytest.approx([0.2, 0.2, 0.1, 0.2, 0.2], abs=2 * game)
    assert max(took) < training.BLOCK_SECONDS + game
    games = [block.games for block in store.blocks()[1:]]
    assert games == pytest.approx([1, 1, 3, 5, 10, 30, 50, 100, 300, 500, 1000, 2000, 1000, 2000, 2000], abs=2)
    assert sum(games) == 9000


def test_lock_wait_times_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.ledger.store.sqlite.WRITERS_PATIENCE", 0.2)
    with open_database(store.path) as second_store, second_store.transaction():
        start = time.monotonic()
        with pytest.raises(DatabaseBusy, match="locked by another program"):
            new_learner(store, "adam", "X")
        assert 0.2 <= time.monotonic() - start < 2.0


SMALL_BLOCKS = """
import sys, menace
from menace.ledger import training
training.BLOCK_SECONDS, training.MIN_REST = 0.0, 0.0005
menace.Database(sys.argv[1]).resume()
"""


@pytest.mark.slow
def test_run_killed_four_times_gives_identical_result(store: Store) -> None:
    games, chance = 500_000, random.Random(3)
    with another(store, "b.db") as uncut:
        selfplay(uncut, games=games, seed=5)
        ordered = order(store, SelfPlay(games=games, seed=5))
        command = [sys.executable, "-c", SMALL_BLOCKS, store.path]
        kills = progress = 0
        while kills < 4:
            process = subprocess.Popen(command)
            games_before = store.run(ordered.run_id).games_played
            while store.run(ordered.run_id).games_played == games_before:  # this loop waits for the first block
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            progress += store.run(ordered.run_id).games_played > games_before
        run = store.run(ordered.run_id)
        assert progress == 4
        assert run.games_played < games
        assert run.finished_at is None
        resume(store)
        assert reached_state(store) == reached_state(uncut)
        verify(store)


@pytest.mark.slow
def test_third_writer_waits_less_than_a_second(store: Store) -> None:
    games = 3_000_000
    new_learner(store, "adam", "X")
    new_learner(store, "eva", "O")
    new_learner(store, "third", "X")
    code = "import sys, menace; menace.Database(sys.argv[1])['adam'].train({}, games={}, seed=1)"
    commands = [
        code.format("'eva'", games),
        code.format("'random'", games),  # adam also learns from this run
    ]
    processes = [subprocess.Popen([sys.executable, "-c", command, store.path]) for command in commands]
    waits = []
    while any(process.poll() is None for process in processes):
        start = time.monotonic()
        rename_learner(store, "third", "third again")
        rename_learner(store, "third again", "third")
        waits.append((time.monotonic() - start) / 2)
        time.sleep(0.03)
    assert [process.returncode for process in processes] == [0, 0]
    assert len(waits) > 10
    assert max(waits) < 1.0
    assert {row.name: row.games for row in store.learners()} == {"adam": 2 * games, "eva": games, "third": 0}
    report = verify(store)
    assert report.games == 2 * games


def test_ctrl_c_stops_run_after_current_block(store: Store) -> None:
    command = [sys.executable, "-m", "menace", "selfplay", "--games", "1000000000", "--seed", "1", "--db", store.path]
    with start_command(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not any(run.games_played for run in store.runs()):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert output == ""
    assert len(errors.splitlines()) == 1
    assert f"`menace resume 1 --db {store.path}` continues the run" in errors
    run = unfinished_run(store)
    assert f"interrupted after {run.games_played:,} of 1,000,000,000 games" in errors
    verify(store)


def written_over(path: Path, content: bytes) -> None:
    """Overwrite the file in place, as `cp` does."""
    with path.open("r+b", buffering=0) as file:
        file.write(content)
        file.truncate()


def another_database(store: Store) -> bytes:
    """Return a different database, in which run 1 is in the same state as in `store`."""
    with another(store, "other.db") as second_store:
        trainer = training.Trainer(second_store)
        trainer.play_blocks(order(second_store, SelfPlay(games=100_000, seed=9)))
    return Path(second_store.path).read_bytes()


def same_count_of_changes(store: Store) -> bytes:
    """Return a different database with a header that SQLite cannot distinguish from the original."""
    content = another_database(store)
    header = Path(store.path).read_bytes()[:100]
    # SQLite compares bytes 24 to 39, and bytes 92 to 95 repeat the count (SQLite's file format, section 1.3).
    return content[:24] + header[24:28] + content[28:92] + header[92:96] + content[96:]


def earlier_backup(store: Store) -> bytes:
    """Return a copy of the database in the state before the trainer's last block."""
    return Path(store.path).with_name("backup.db").read_bytes()


OTHER_FILES = {
    "another database": another_database,
    "one with the same count of changes": same_count_of_changes,
    "an earlier backup": earlier_backup,
    "nothing": lambda _: b"",
    "a text": lambda _: b"dear diary\n" * 50_000,
    "half of it": lambda store: Path(store.path).read_bytes()[:131_072],
    "zeros": lambda store: bytes(Path(store.path).stat().st_size),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_trainer_detects_overwritten_file(store: Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    use_small_blocks(monkeypatch)
    path, trainer = Path(store.path), training.Trainer(store)
    run = trainer.play_blocks(order(store, SelfPlay(games=100_000, seed=1)))
    if name == "an earlier backup":
        store.backup(path.with_name("backup.db"))
        run = trainer.play_blocks(run)
    content = OTHER_FILES[name](store)
    written_over(path, content)
    for _ in range(2):
        with pytest.raises(StoreError) as refused:
            trainer.play_blocks(run)
        assert len(str(refused.value).splitlines()) == 1
        if "database" in name or "backup" in name or name == "nothing":
            assert f"{path} no longer contains run 1 in this state" in str(refused.value)
        assert path.read_bytes() == content


@pytest.mark.parametrize("when", ["while it plays", "before it commits"])
def test_current_block_is_not_written_to_overwritten_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    use_small_blocks(monkeypatch)
    path, trainer = Path(store.path), training.Trainer(store)
    run = trainer.play_blocks(order(store, SelfPlay(games=100_000, seed=1)))
    content = same_count_of_changes(store)
    place, name = (training, "players") if when == "while it plays" else (Store, "update_run")
    original = getattr(place, name)

    def overwriting(*arguments: object) -> object:
        written_over(path, content)
        return original(*arguments)

    monkeypatch.setattr(place, name, overwriting)
    with pytest.raises(Overwritten, match="was overwritten by another file during a transaction"):
        trainer.play_blocks(run)
    assert path.read_bytes() == content


def test_large_transaction_writes_only_at_commit(store: Store) -> None:
    before = Path(store.path).read_bytes()
    with contextlib.suppress(RuntimeError), store.transaction():
        for number in range(3000):  # about 6 MB, which is far more than SQLite's default page cache
            store.database.execute("CREATE TABLE IF NOT EXISTS large (text)")
            store.database.execute("INSERT INTO large VALUES (?)", ["x" * 2000 + str(number)])
        assert Path(store.path).read_bytes() == before
        raise RuntimeError


def test_trainer_continues_after_file_is_restored(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    use_small_blocks(monkeypatch)
    path, trainer = Path(store.path), training.Trainer(store)
    run = trainer.play_blocks(order(store, SelfPlay(games=1000, seed=1)))
    written_over(path, path.read_bytes())
    while run.finished_at is None:
        run = trainer.play_blocks(run)
    verify(store)


def test_command_reports_overwritten_file_in_one_line(store: Store) -> None:
    content = another_database(store)
    command = [sys.executable, "-m", "menace", "selfplay", "--games", "1000000000", "--seed", "1", "--db", store.path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
    while not any(run.games_played for run in store.runs()):
        assert process.poll() is None
        time.sleep(0.01)
    # nothing can prevent the file from being overwritten during the millisecond that a commit takes
    with write_lock(store.database, 0.001):
        written_over(Path(store.path), content)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert len(errors.splitlines()) == 1
    assert "was overwritten" in errors
    assert "continues" not in errors
    assert Path(store.path).read_bytes() == content
