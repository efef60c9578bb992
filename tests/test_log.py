"""A log that menace cannot have written: what is said of each thing that is wrong in it."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from damage_edits import make_base

from menace.errors import StoreError
from menace.games.base import Side
from menace.ledger.database_file import open_database
from menace.ledger.log.blocks import Log, read_log, wrong_record
from menace.ledger.log.recorded_game import RecordedGame
from menace.ledger.log.replay import wrong_block, wrong_runs
from menace.ledger.log.verification import _wrong_counts, wrong_times


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with runs of every kind but one. Do not write into it."""
    path = tmp_path_factory.mktemp("log") / "base.db"
    make_base(path)
    return path


@pytest.fixture(scope="module")
def log(base: Path) -> Log:
    with open_database(base) as store:
        return read_log(store)


HAVE_A_SEED, CAN_BE_UNFINISHED = {"selfplay", "train", "play"}, {"selfplay", "train"}


def test_only_runs_that_play_have_a_seed_and_only_those_between_machines_can_be_unfinished(log: Log) -> None:
    kinds = {run.kind: run for run in log.runs.values()}
    kinds["forget"] = kinds["recount"]._replace(kind="forget")
    assert kinds.keys() == HAVE_A_SEED | {"copy", "import", "recount", "forget"}
    for kind, run in kinds.items():
        whole = run._replace(games_wanted=run.games_played, seed=0)
        seeded, unfinished = whole._replace(seed=5), whole._replace(games_wanted=run.games_played + 1)
        said = [list(wrong_runs(replace(log, runs={1: of_kind}))) for of_kind in (whole, seeded, unfinished)]
        of_seed = (
            [] if kind in HAVE_A_SEED else [f"run {run.run_id} of kind {kind} has options or a seed that it should"]
        )
        of_games = [] if kind in CAN_BE_UNFINISHED else [f"run {run.run_id} wants "]
        for messages, right in zip(said, ([], of_seed, of_games), strict=True):
            assert len(messages) == len(right), (kind, messages)
            assert all(map(str.startswith, messages, right))


def test_only_blocks_of_a_kind_have_rows_of_that_kind(log: Log) -> None:
    """Recorded games, adjustments and imported entries are moved to the first block of each other kind."""
    kinds = {block.kind: block for block in log.blocks[::-1]}
    assert kinds.keys() == {"games", "human", "copy", "recount", "ruin", "import"}
    rows = {
        "human": ("games", "is of no person's games, and has recorded ones"),
        "recount": ("adjustments", "is of no recount, and has adjustments"),
        "import": ("imported", "is of no import, and has imported entries"),
    }
    for kind, block in kinds.items():
        assert not list(wrong_block(log, block)), kind
        for own, (name, message) in rows.items():
            moved = replace(log, **{name: {block.block_id: next(iter(getattr(log, name).values()))}})
            assert (f"block {block.block_id} {message}" in list(wrong_block(moved, block))) == (kind != own)


def test_a_run_without_any_block_has_lost_the_one_that_it_began_with(log: Log) -> None:
    without = replace(log, blocks=[block for block in log.blocks if block.run_id != 1])
    assert [message for message in _wrong_counts(without) if message.startswith("run 1 ")] == [
        "run 1 has 40 games; its blocks have 0",
        "run 1 has lost the block that it began with",
    ]
    assert not list(wrong_times(without))


def test_a_person_resigns_after_the_first_move_and_a_machine_without_a_bead_before_it(log: Log) -> None:
    run = next(run for run in log.runs.values() if run.kind == "play")
    nothing = RecordedGame((), (), (), "resignation", "O")
    assert run.machine_side is Side.X
    assert wrong_record(log, run, nothing) is None
    x, o = run.seats
    swapped = run._replace(x_player=o.player, x_learner_id=None, o_player=x.player, o_learner_id=x.learner_id)
    assert swapped.machine_side is Side.O
    assert wrong_record(log, swapped, nothing) == "a person does not resign before the first move"


def test_a_recorded_game_is_written_in_one_way(log: Log) -> None:
    (block_id, (row,)), *_ = log.games.items()
    block = next(block for block in log.blocks if block.block_id == block_id)
    for actions in (f"0{row.actions}", f" {row.actions}", row.actions.replace(",", " , ")):
        other = replace(log, games={block_id: [row._replace(actions=actions)]})
        assert list(wrong_block(other, block)) == [
            f"recorded game {row.game_id}: it is not written as menace writes it"
        ]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM block WHERE kind = 'human'", "a recorded game is of block [0-9]+, which is gone"),
        ("DELETE FROM run WHERE kind = 'copy'", "block [0-9]+ is of run 7, which is gone"),
        (
            "UPDATE run SET options = json_set(options, '$.copied_from', 99) WHERE kind = 'copy'",
            "run 7 is a copy of learner 99, who is gone",
        ),
    ],
)
def test_what_a_log_refers_to_is_there(base: Path, tmp_path: Path, sql: str, message: str) -> None:
    path = tmp_path / "menace.db"
    path.write_bytes(base.read_bytes())
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()
    with open_database(path) as store, pytest.raises(StoreError, match=message):
        read_log(store)
