"""What may change hands: pickles and deep copies, threads, and runs that tell how far they are."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import menace
from menace.arena import play
from menace.errors import NotOpenHere, StoreError
from menace.ledger import training
from menace.ledger.store import Run

copied_as = pytest.mark.parametrize(
    "copied", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy], ids=["pickle", "deepcopy"]
)


@copied_as
@pytest.mark.parametrize("preset", ["menace", "zhang", "sala"])
def test_a_copy_of_a_machine_learns_as_the_machine_does(
    preset: str, copied: Callable[[menace.Machine], menace.Machine]
) -> None:
    machine = menace.Machine(preset, "X")
    menace.play_games(machine, "random", games=100, seed=1)
    twin = copied(machine)
    for player in (machine, twin):
        menace.play_games(player, "random", games=100, seed=2)
    assert twin.learned.games == 200
    assert np.array_equal(twin.learned.amount, machine.learned.amount)
    assert menace.strength(twin) == menace.strength(machine)
    with menace.Database(":memory:") as db:
        db.add("twin", twin)
        db.verify()


@copied_as
def test_what_was_measured_and_studies_can_be_copied(copied: Callable[[object], object], tmp_path: Path) -> None:
    machine = menace.Machine("menace", "X")
    strength = menace.strength(machine)
    study = menace.Study(tmp_path / "a.study", games=20, seeds=2)
    values = (strength, strength.against["random"], menace.evaluate(machine, "random"), machine.box("........."))
    for value in values:
        assert copied(value) == value
    assert repr(copied(study)) == repr(study)
    policy = copied(machine.policy())
    assert isinstance(policy, menace.Policy)
    assert menace.strength(policy) == menace.strength(machine.policy())


@copied_as
def test_what_a_database_holds_says_what_can_be_copied_instead(
    copied: Callable[[object], object], database: Path
) -> None:
    with menace.Database(database) as db:
        for value in (db, db["menace-x"], db.play("menace-x")):
            with pytest.raises(
                StoreError, match=rf"{database} is open here, .*: hand over its path, and open it there"
            ):
                copied(value)


def test_a_database_is_for_the_thread_that_opened_it(database: Path) -> None:
    db = menace.Database(database)
    learner, session = db["menace-x"], db.play("menace-x")
    calls: list[Callable[[], object]] = [
        *(lambda: list(db), lambda: db.runs, lambda: db.selfplay(games=1), lambda: db.query("SELECT 1"), db.verify),
        *(lambda: learner.name, lambda: learner.train("random", 1), session.begin, db.close),
    ]
    raised: list[menace.MenaceError] = []

    def call() -> None:
        for each in calls:
            try:
                each()
            except menace.MenaceError as error:
                raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert [type(error) for error in raised] == [NotOpenHere] * len(calls)
    message = (
        "was opened in another thread, and is for that one alone: open it once more here; machines may change threads"
    )
    assert {str(error) for error in raised} == {f"{database} {message}"}
    assert db["menace-x"].games == 50
    db.close()
    with pytest.raises(NotOpenHere, match="is a closed database; open it again"):
        list(db)


def test_machines_of_one_game_play_in_threads_as_they_do_in_turn() -> None:
    def amounts(seed: int) -> bytes:
        machine = menace.Machine("menace", "X")
        menace.play_games(machine, "random", games=20_000, seed=seed)
        return machine.learned.amount.tobytes()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(amounts, range(8))) == [amounts(seed) for seed in range(8)]


class Stop(Exception):
    """What somebody's own function may raise."""


@pytest.mark.parametrize("ordered", ["selfplay", "train", "keep"])
def test_a_run_tells_how_far_it_is_and_can_be_stopped_between_blocks(
    ordered: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
    told: list[tuple[int, int]] = []

    def tell(played: int, games: int) -> None:
        told.append((played, games))
        if len(told) == 3:
            raise Stop

    def order(db: menace.Database, progress: play.Progress | None = None) -> Run:
        if ordered == "selfplay":
            return db.selfplay(games=1000, seed=3, progress=progress)
        return db["menace-x"].train("menace-o", 1000, seed=3, keep=ordered == "keep", progress=progress)

    kept = database.read_bytes()
    with menace.Database(database) as db:
        with pytest.raises(Stop):
            order(db, tell)
        assert (told[-1][0], 1000) == told[-1] == (db.runs[-1].games_played, db.runs[-1].games_wanted)
        assert db.runs[-1].finished_at is None
        assert db["menace-x"].games == 50 + told[-1][0]
        db.resume(progress=tell)
        assert told[-1] == (1000, 1000)
        amounts = db["menace-x"].machine().learned.amount
        db.verify()
    database.write_bytes(kept)
    with menace.Database(database) as db:
        order(db)
        assert np.array_equal(db["menace-x"].machine().learned.amount, amounts)


@pytest.mark.parametrize(("preset", "against"), [("menace", "random"), ("sala", "random:3000,perfect")])
def test_games_in_memory_tell_how_far_they_are(preset: str, against: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    told: list[int] = []
    machines = [menace.Machine(preset, "X") for _ in range(3)]
    menace.play_games(machines[0], against, games=10_000, seed=1)
    played = menace.play_games(machines[1], against, 10_000, seed=1, progress=lambda games, _: told.append(games))
    assert np.array_equal(machines[0].learned.amount, machines[1].learned.amount)
    assert len(told) > 4
    assert told[-1] == played.games == sum(played.outcomes) == 10_000

    def stop(_played: int, _games: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        menace.play_games(machines[2], against, games=10_000, seed=1, progress=stop)
    assert machines[2].learned.games == told[0]
