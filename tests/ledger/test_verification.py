"""Tests that `menace verify` reports every difference between the database and its log."""

from __future__ import annotations

import gc
import random
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from database_templates import edit, fresh_database
from faults.damage_edits import make_base
from runs import selfplay, train, train_alone

import menace
from menace.analysis import grades
from menace.arena.play import Arena
from menace.errors import InvalidRun, RevisionMismatch, StoreError, VerificationFailed
from menace.games.base import Side
from menace.learners.policy import PolicyName
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log import verification
from menace.ledger.log.blocks import Log, read_log, wrong_record
from menace.ledger.log.recorded_game import RecordedGame
from menace.ledger.log.replay import ReplayStep, step_message, wrong_block, wrong_runs
from menace.ledger.log.verification import Verified, _wrong_counts, wrong_sessions, wrong_times
from menace.ledger.positions import positions_of
from menace.ledger.runs import Training, abandon, copy_learner, order
from menace.ledger.store import BlockRow, EvaluationRow, GameRow, connection as store_connection
from menace.people.game import GameUnderWay
from menace.people.session import Session


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with three learners and three runs. In one of the runs, one learner does not learn."""
    path = tmp_path_factory.mktemp("trained") / "menace.db"
    with fresh_database(path) as store:
        new_learner(store, "adam", "X")
        new_learner(store, "eva", "O", "scroggs")
        new_learner(store, "abel", "X", "michie-1961")
        selfplay(store, "adam", "eva", games=300, seed=1)
        train_alone(store, "abel", "eva", games=200, seed=2)
        train(store, "adam", "imperfect:0.5", games=100, seed=3)
    return path


@pytest.fixture
def path(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(trained, tmp_path / "menace.db"))


def verify(path: Path, since: int | None = None) -> Verified:
    with open_database(path) as store:
        return verification.verify(store, since)


def tamper(path: Path, sql: str) -> None:
    assert edit(path, sql) == 1, sql


def test_verify_passes_and_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    report = verify(path)
    assert (report.games, report.learners) == (600, 3)
    with open_database(path) as store:
        assert report.blocks == len(store.blocks())
    assert path.read_bytes() == before


LATER = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 hour')"
FIRST, SECOND = ("position_id = 0 AND action = 0", "position_id = 1 AND action = 4")
A_STRENGTH = "block_id = 5 AND learner_id = 1 AND policy = 'greedy'"


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (f"UPDATE matchbox SET beads = beads + 1 WHERE learner_id = 1 AND {FIRST}", "adam, position 0, action 0"),
        (f"UPDATE matchbox SET beads = beads - 1 WHERE learner_id = 3 AND {FIRST}", "abel, position 0, action 0"),
        (f"UPDATE matchbox SET picked = picked + 1 WHERE learner_id = 2 AND {SECOND}", "eva, position 1, action 4"),
        (f"DELETE FROM evaluation WHERE {A_STRENGTH} AND opponent = 'best_response'", "adam against best_response"),
        ("DELETE FROM block WHERE block_id = 1", "refers to a missing row of block"),
        (
            "INSERT INTO state_value VALUES (1, 0, 0.5, 0)",
            "state_value contains 1 row for learner 1, but should contain 0",
        ),
        ("UPDATE run SET finished_at = NULL WHERE run_id = 1", "run 1 has played all its games, but is not finished"),
        ("UPDATE position SET minimax = 1 WHERE position_id = 0", "position 0 does not match the rules of the game"),
        ("UPDATE position SET board = 'O........' WHERE position_id = 1", "position 1 does not"),
        ("UPDATE position SET images = 8 WHERE position_id = 2", "position 2 does not"),
        ("UPDATE move SET multiplicity = 3 WHERE position_id = 0 AND action = 0", "the moves of position 0 do not"),
        ("UPDATE move_name SET name = 'a1' WHERE action = 0 AND to_move = 'X'", "the names of the moves do not match"),
        ("UPDATE move SET optimal = 0 WHERE position_id = 0 AND action = 4", "the moves of position 0 do not"),
        (f"UPDATE matchbox SET beads = 1866 WHERE learner_id = 1 AND {FIRST}", "position 0, action 0: 1,866 beads"),
        ("UPDATE learner SET games = games + 1 WHERE learner_id = 2", "eva has 301 games, but the log has 300"),
        ("UPDATE learner SET settings = json_set(settings, '$.win', 4) WHERE learner_id = 1", "adam"),
        ("UPDATE block SET draws = draws + 1, games = games + 1 WHERE block_id = 5", "block 5"),
        ("UPDATE block SET x_wins = x_wins + 1, o_wins = o_wins - 1 WHERE block_id = 10", "block 10"),
        ("UPDATE block SET numbers = numbers + 1 WHERE block_id = 5", "block 5"),
        ("UPDATE block SET numbers_before = numbers_before + 1 WHERE block_id = 5", "block 5"),
        ("UPDATE run SET seed = seed + 1 WHERE run_id = 2", "block"),
        ("UPDATE run SET games_played = 299 WHERE run_id = 1", "run 1 has 299 games, but its blocks have 300"),
        ("UPDATE run SET o_player = 'imperfect:0.4' WHERE run_id = 3", "block"),
        (
            f"UPDATE evaluation SET win = win + 0.001, loss = loss - 0.001 WHERE {A_STRENGTH} AND opponent = 'random'",
            "the strength of adam against random after block 5",
        ),
        (
            f"UPDATE evaluation SET learner_games = 17 WHERE {A_STRENGTH} AND opponent = 'optimal'",
            "adam against optimal",
        ),
        ("UPDATE learner SET preset = 'nobody' WHERE learner_id = 1", "adam: there is no preset 'nobody'"),
        ("UPDATE learner SET preset = 'zhang' WHERE learner_id = 1", "adam: its algorithm is menace; preset zhang"),
        ("UPDATE learner SET preset = 'michie-1961' WHERE learner_id = 2", "eva: it plays O; preset michie-1961"),
        ("UPDATE learner SET seed = 4 WHERE learner_id = 1", "adam has a seed, which contradicts its settings"),
        ("UPDATE learner SET seed = NULL WHERE learner_id = 5", "seth has no seed, which contradicts its settings"),
        ("UPDATE learner SET preset = 'menace' WHERE learner_id = 4", "cain is a copy of abel, but its"),
        ("UPDATE learner SET colours = 'menace' WHERE learner_id = 4", "cain is a copy of abel, but its"),
        ("UPDATE learner SET settings = json_set(settings, '$.win', 4) WHERE learner_id = 4", "cain is a copy of abel"),
        (
            "UPDATE learner SET created_at = 'today' WHERE learner_id = 1",
            "adam was created at 'today', which is not in",
        ),
        (f"UPDATE learner SET created_at = {LATER} WHERE learner_id = 4", "cain was created at .*, but its run 4"),
        ("UPDATE block SET created_at = '2025-02-30T00:00:00Z' WHERE block_id = 3", "block 3 was written at '2025"),
        ("UPDATE run SET started_at = '2025-1-1T00:00:00Z' WHERE run_id = 2", "run 2 has the time '2025-1-1T"),
        ("UPDATE run SET finished_at = '' WHERE run_id = 5", "run 5 has the time '', which is not in menace's time"),
        (f"UPDATE run SET started_at = {LATER} WHERE run_id = 1", "run 1 started at .*, but its first block"),
        (f"UPDATE run SET finished_at = {LATER} WHERE run_id = 1", "run 1 finished at .*, but its last block"),
        (f"UPDATE run SET finished_at = {LATER} WHERE run_id = 4", "run 4 finished at .*, but its last block"),
        ("UPDATE run SET finished_at = NULL WHERE run_id = 4", "run 4 has played all its games, but is not finished"),
        ("UPDATE run SET version = 'new' WHERE run_id = 1", "by menace 'new', which is not a version number"),
        ("UPDATE run SET version = '' WHERE run_id = 2", "which is not a version number"),
        ("UPDATE run SET version = '0.1.0-x' WHERE run_id = 5", "which is not a version number"),
        ("UPDATE run SET version = '99.0' WHERE run_id = 4", "run 4 was started by menace 99.0, which is newer"),
        ("UPDATE run SET games_wanted = 0 WHERE run_id = 5", "run 5 of kind train orders no games"),
        ("UPDATE run SET games_wanted = 100000000000001 WHERE run_id = 5", "run 5 has 0 of 100,000,000,000,001 games"),
    ],
)
@pytest.mark.slow
def test_verify_detects_single_change(longer: Path, sql: str, message: str) -> None:
    tamper(longer, sql)
    with pytest.raises(VerificationFailed, match=message):
        verify(longer)


def test_log_of_other_revision_is_refused_by_name(path: Path) -> None:
    tamper(path, "UPDATE learner SET revision = 2 WHERE name = 'adam'")
    message = "machine adam uses revision 2 of menace, but this version of menace has revision 1"
    with pytest.raises(RevisionMismatch, match=message):
        verify(path)
    tamper(path, "UPDATE learner SET revision = 1, algorithm = 'dreams' WHERE name = 'adam'")
    with open_database(path) as store:
        for call in (
            lambda: verification.verify(store),
            lambda: train(store, "adam", "random", games=5),
            lambda: grades.strength_of(store, "adam").against,
            lambda: Session(store, "adam"),
        ):
            with pytest.raises(
                RevisionMismatch, match="uses revision 1 of dreams, but this version of menace does not know"
            ):
                call()


def test_verify_since_checks_later_blocks(path: Path) -> None:
    with open_database(path) as store:
        blocks = store.blocks()
        last_of_first_run = max(block.block_id for block in blocks if block.run_id == 1)
        last_of_second_run = max(block.block_id for block in blocks if block.run_id == 2)
    assert verify(path, last_of_first_run).games == 300
    report = verify(path, last_of_second_run)
    assert (report.games, report.learners) == (100, 2)  # adam and its earlier opponent eva
    assert verify(path, blocks[-1].block_id).games == 0
    with pytest.raises(InvalidRun, match="no block 999"):
        verify(path, 999)


def test_verify_since_ignores_earlier_changes(path: Path) -> None:
    with open_database(path) as store:
        last_of_second_run = max(block.block_id for block in store.blocks() if block.run_id == 2)
    tamper(path, "UPDATE matchbox SET beads = beads + 1 WHERE learner_id = 3 AND position_id = 0 AND action = 4")
    assert verify(path, last_of_second_run).games == 100  # abel has not learned from any games since that run
    tamper(path, "UPDATE matchbox SET beads = beads + 1 WHERE learner_id = 1 AND position_id = 0 AND action = 4")
    with pytest.raises(VerificationFailed, match="adam"):
        verify(path, last_of_second_run)


def test_interleaved_runs_are_replayed_in_log_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from menace.ledger import training

    monkeypatch.setattr("menace.arena.play.GAMES_PER_CALL", 50)
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
    with fresh_database(tmp_path / "menace.db") as store:
        new_learner(store, "adam", "X")
        runs = [
            training.play_to_end(store, order(store, Training("adam", against, games=1000, seed=seed)))
            for seed, against in enumerate(("random", "mcts:2", "imperfect:0.5"))
        ]
        while runs:
            runs = [run for run in runs if next(run, None) is not None]
        run_ids = [block.run_id for block in store.blocks() if block.games]
        assert sum(a != b for a, b in pairwise(run_ids)) > 10
        assert verification.verify(store).games == 3000


@pytest.fixture(scope="module")
def made_longer(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database that also has a copied learner, a learner with random initial values, and an abandoned run."""
    path = Path(shutil.copy(trained, tmp_path_factory.mktemp("longer") / "menace.db"))
    with open_database(path) as store:
        copy_learner(store, "abel", "cain")
        new_learner(store, "seth", "O", "zhang-random", seed=4)
        abandon(store, order(store, Training("abel", "random", games=9, seed=5)).run_id)
    return path


@pytest.fixture
def longer(made_longer: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_longer, tmp_path / "longer.db"))


def test_verify_accepts_copies_random_starts_and_abandoned_runs(longer: Path) -> None:
    assert verify(longer).learners == 5


def test_verify_accepts_earlier_versions(longer: Path) -> None:
    for version in ("0.0.9", "0.1.0.dev3", "0.1.0rc1", menace.__version__):
        tamper(longer, f"UPDATE run SET version = '{version}' WHERE run_id = 1")
        verify(longer)


SESSIONS = [("adam", "behaviour"), ("eva", "greedy"), ("optimal", "behaviour"), ("random", "behaviour")]


def play_games(path: Path, opponent: str, policy: PolicyName, *, learns: bool = True, seed: int = 3) -> int:
    """Play three games, each with an undone move, while the machine also learns from other games."""
    chance = random.Random(seed)
    with open_database(path) as store:
        session = Session(store, opponent, seed=seed, policy=policy, learns=learns)
        for number in range(3):
            game = play_out_but_once_taken_back(session, chance)
            if number == 1:
                train(store, "adam", "random", games=20, seed=9)
                train(store, "eva", "random", games=20, seed=9)
            assert game.outcome is not None
            session.finish()
            if number < 2:
                session.begin()
        assert session.run is not None
        return session.run.run_id


def play_out_but_once_taken_back(session: Session, chance: random.Random) -> GameUnderWay:
    game, undone = session.game, False
    while game.outcome is None:
        if not game.persons_turn:
            game.make_machine_move()
        elif len(game.plies) >= 3 and not undone:
            game.undo()
            undone = True
        else:
            game.make_person_move(chance.choice(game.rules.actions(game.board)))
    return game


@pytest.mark.parametrize("learns", [True, False])
@pytest.mark.parametrize(("opponent", "policy"), SESSIONS)
def test_verify_checks_session_moves_against_seed(path: Path, opponent: str, policy: PolicyName, learns: bool) -> None:
    run_id = play_games(path, opponent, policy, learns=learns)
    verify(path)
    refused = []
    for seed in (0, 1, 2, 4, 5, 2**63 - 1):
        with open_database(path) as store:
            log, arena = read_log(store), Arena(positions_of(store))
            log.runs[run_id] = log.runs[run_id]._replace(seed=seed)
            refused.append(bool(list(wrong_sessions(arena, log))))
    # The second player encounters few symmetric boards, so it may choose the same cells with other seeds.
    assert all(refused) if opponent != "eva" else sum(refused) >= 2
    tamper(path, f"UPDATE run SET seed = {refused.index(True)} WHERE run_id = {run_id}")
    with pytest.raises(VerificationFailed, match="the machine's moves do not follow from the seed of the run"):
        verify(path)


@pytest.mark.slow
def test_verify_accepts_sessions_with_many_seeds(path: Path) -> None:
    """Verification must accept the actual seed of every session."""
    for seed in range(5):
        for opponent, policy in SESSIONS:
            play_games(path, opponent, policy, seed=seed)
    verify(path)


# db/README.md says that verification cannot detect these changes.
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE learner SET preset = 'scroggs' WHERE learner_id = 1",  # this preset uses the same algorithm
        f"UPDATE learner SET created_at = {LATER} WHERE learner_id = 1",
        f"UPDATE run SET finished_at = {LATER} WHERE run_id = 5",  # a run may be abandoned at any time
        "UPDATE run SET finished_at = NULL WHERE run_id = 5",
        "UPDATE run SET games_wanted = 10 WHERE run_id = 5",  # this run has no phases
        # the clock may have been set back in the meantime
        "UPDATE block SET created_at = '2001-01-01T00:00:00Z' WHERE block_id = 3",
        "UPDATE learner SET name = 'noah' WHERE learner_id = 1",
    ],
)
def test_verify_accepts_changes_menace_could_have_written(longer: Path, sql: str) -> None:
    tamper(longer, sql)
    assert verify(longer).games == 600


def test_wrong_strength_is_reported_before_later_block(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    least = "(SELECT min(learner_id) FROM evaluation WHERE block_id = 20)"
    row = f"block_id = 20 AND learner_id = {least} AND policy = 'greedy' AND opponent = 'random'"
    tamper(path, f"UPDATE evaluation SET win = loss, loss = win WHERE {row}")
    tamper(path, "UPDATE block SET x_wins = o_wins, o_wins = x_wins WHERE block_id = 21")
    with pytest.raises(VerificationFailed, match="after block 20 differs from the replay of the log"):
        verify(path)


def test_invalid_strength_is_reported_wherever_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_connection, "STREAMED_AT_ONCE", 3)
    row = "block_id = 20 AND learner_id = 1 AND policy = 'greedy' AND opponent = 'random'"
    tamper(path, f"UPDATE evaluation SET learner_games = {2**63 - 1} WHERE {row}")
    with open_database(path) as store:
        last = store.blocks()[-1].block_id
    for since in (None, 25, last):
        with pytest.raises(VerificationFailed, match=r"evaluation\.learner_games is 9223372036854775807"):
            verify(path, since)


def test_missing_game_record_has_no_number(path: Path) -> None:
    with open_database(path) as store:
        log = read_log(store)
    block = log.blocks[1]._replace(kind="human")
    game = GameRow(7, block.block_id, 1, "4,0,2", "000", "111", "resignation", "X")
    step = ReplayStep(log.runs[block.run_id], block, 0, [])
    said = [step_message(replace(log, games=games), step) for games in ({block.block_id: [game]}, {})]
    assert said == ["game 7, with a person", "a game with a person"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with every kind of run except one. Tests must not write to it."""
    path = tmp_path_factory.mktemp("log") / "base.db"
    make_base(path)
    return path


@pytest.fixture(scope="module")
def log(base: Path) -> Log:
    with open_database(base) as store:
        return read_log(store)


HAVE_A_SEED, CAN_BE_UNFINISHED = {"selfplay", "train", "play"}, {"selfplay", "train"}


def test_seed_and_unfinished_state_depend_on_run_kind(log: Log) -> None:
    kinds = {run.kind: run for run in log.runs.values()}
    kinds["forget"] = kinds["recount"]._replace(kind="forget")
    assert kinds.keys() == HAVE_A_SEED | {"copy", "import", "recount", "forget"}
    for kind, run in kinds.items():
        whole = run._replace(games_wanted=run.games_played, seed=0)
        seeded, unfinished = whole._replace(seed=5), whole._replace(games_wanted=run.games_played + 1)
        said = [list(wrong_runs(replace(log, runs={1: of_kind}))) for of_kind in (whole, seeded, unfinished)]
        of_seed = [] if kind in HAVE_A_SEED else [f"run {run.run_id} of kind {kind} has the wrong options or seed"]
        of_games = [] if kind in CAN_BE_UNFINISHED else [f"run {run.run_id} should have "]
        for messages, right in zip(said, ([], of_seed, of_games), strict=True):
            assert len(messages) == len(right), (kind, messages)
            assert all(map(str.startswith, messages, right))


def test_rows_belong_to_blocks_of_matching_kind(log: Log) -> None:
    """The test assigns recorded games, adjustments and imported entries to the first block of every other kind."""
    kinds = {block.kind: block for block in log.blocks[::-1]}
    assert kinds.keys() == {"games", "human", "copy", "recount", "ruin", "import"}
    rows = {
        "human": ("games", "has recorded games, but is not a block of games with people"),
        "recount": ("adjustments", "has adjustments, but is not a recount"),
        "import": ("imported", "has imported entries, but is not an import"),
    }
    for kind, block in kinds.items():
        assert not list(wrong_block(log, block)), kind
        for own, (name, message) in rows.items():
            moved = replace(log, **{name: {block.block_id: next(iter(getattr(log, name).values()))}})
            assert (f"block {block.block_id} {message}" in list(wrong_block(moved, block))) == (kind != own)


def test_verification_keeps_few_rows_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training adds rows for blocks and strengths."""
    monkeypatch.setattr(store_connection, "STREAMED_AT_ONCE", 3)
    living: list[int] = []
    is_measured = verification._is_measured

    def counting(step: ReplayStep) -> bool:
        living.append(sum(type(row) in {BlockRow, EvaluationRow} for row in gc.get_objects()))
        return is_measured(step)

    monkeypatch.setattr(verification, "_is_measured", counting)
    with open_database(path) as store:
        gc.collect()
        others = sum(type(row) in {BlockRow, EvaluationRow} for row in gc.get_objects())
        rows = len(store.blocks()) + len(store.evaluations())
        verification.verify(store)
    assert max(living) - others < 40 < rows / 2


def test_run_without_blocks_is_reported(log: Log) -> None:
    without = replace(log, blocks=[block for block in log.blocks if block.run_id != 1])
    assert [message for message in _wrong_counts(without) if message.startswith("run 1 ")] == [
        "run 1 has 40 games, but its blocks have 0",
        "run 1 is missing its first block",
    ]
    assert not list(wrong_times(without))


def test_only_machines_resign_before_the_first_move(log: Log) -> None:
    run = next(run for run in log.runs.values() if run.kind == "play")
    nothing = RecordedGame((), (), (), "resignation", "O")
    assert run.machine_side is Side.X
    assert wrong_record(log, run, nothing) is None
    x, o = run.seats
    swapped = run._replace(x_player=o.player, x_learner_id=None, o_player=x.player, o_learner_id=x.learner_id)
    assert swapped.machine_side is Side.O
    assert wrong_record(log, swapped, nothing) == "a person cannot resign before the first move"


def test_recorded_game_has_single_representation(log: Log) -> None:
    (block_id, (row,)), *_ = log.games.items()
    block = next(block for block in log.blocks if block.block_id == block_id)
    for actions in (f"0{row.actions}", f" {row.actions}", row.actions.replace(",", " , ")):
        other = replace(log, games={block_id: [row._replace(actions=actions)]})
        assert list(wrong_block(other, block)) == [
            f"recorded game {row.game_id}: its columns differ from those that menace writes"
        ]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM block WHERE kind = 'human'", "a recorded game belongs to block [0-9]+, which is missing"),
        ("DELETE FROM run WHERE kind = 'copy'", "block [0-9]+ belongs to run 7, which is missing"),
        (
            "UPDATE run SET options = json_set(options, '$.copied_from', 99) WHERE kind = 'copy'",
            "run 7 copies learner 99, which is missing",
        ),
    ],
)
def test_missing_log_references_are_reported(base: Path, tmp_path: Path, sql: str, message: str) -> None:
    path = Path(shutil.copy(base, tmp_path / "menace.db"))
    edit(path, sql)
    with open_database(path) as store, pytest.raises(StoreError, match=message):
        read_log(store)
