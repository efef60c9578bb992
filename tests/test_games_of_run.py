"""Games between machines are played again from the log: any of them, as it was."""

from __future__ import annotations

from collections import Counter

import pytest
from commands import Run, ok, refused

import menace
from menace.errors import InvalidRun, UnknownRun
from menace.games.base import Side


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> menace.Database:
    database = menace.Database(tmp_path_factory.mktemp("games") / "games.db")
    database.new("ted", "O", "td", epsilon=0.5)
    database.new("mia", "X", "scroggs", beads=(1,))
    database.selfplay(games=300, seed=1)
    database.selfplay(x="menace-x", o="ted", games=200, seed=2, phases="100:1:1,100:0.1:0")
    database["mia"].train("random:5,perfect", games=100, seed=4)
    return database


@pytest.mark.parametrize("run_id", [1, 2, 3])
def test_all_games_of_a_run_are_legal_and_end_as_its_blocks_say(db: menace.Database, run_id: int) -> None:
    game, record = menace.get_game(), db.store.run(run_id)
    replayed = db.games_of(run_id, count=10_000)
    assert [played.number for played in replayed] == list(range(1, record.games_played + 1))
    blocks = [block for block in db.store.blocks() if block.run_id == run_id]
    counts = Counter(played.outcome for played in replayed)
    assert [counts[outcome] for outcome in ("X", "draw", "O")] == [
        sum(getattr(block, name) for block in blocks) for name in ("x_wins", "draws", "o_wins")
    ]
    for played in replayed:
        board = game.initial
        for move, before in zip(played.moves, played.boards, strict=False):
            assert board == before
            board = game.play(board, game.parse_action(board, move))
        assert board == played.boards[-1]
        over = game.outcome(board)
        assert played.outcome == (Side.after(len(played.moves)).other.outcome if played.resigned else over)
        assert played.resigned == (over is None)
        assert len(played.explored) == len(played.moves)
    if run_id == 2:
        assert any(any(played.explored) for played in replayed[:100])
        assert not any(any(played.explored[1::2]) for played in replayed[100:])  # the second phase
    if run_id == 3:
        assert any(played.resigned for played in replayed)


def test_a_game_is_the_same_alone_and_among_others_and_later_games_change_nothing(db: menace.Database) -> None:
    replayed = db.games_of(2, count=200)
    for number in (1, 2, 100, 101, 137, 200):
        assert db.games_of(2, first=number) == [replayed[number - 1]]
    assert db.games_of(db.store.run(2), first=199, count=50) == replayed[198:]


def test_runs_and_numbers_that_there_are_not_are_refused(db: menace.Database) -> None:
    for first, count in ((0, 1), (301, 1), (1, 0), (1, 10_001)):
        with pytest.raises(InvalidRun, match="run 1 has played 300 games; name them from 1 to 300"):
            db.games_of(1, first, count)
    with pytest.raises(UnknownRun):
        db.games_of(9)


def test_the_command_prints_them(db: menace.Database, run: Run) -> None:
    options = ("--db", str(db.store.path))
    lines = ok(run("games", "--run", "2", "--first", "137", "--count", "2", "--csv", *options)).splitlines()
    assert lines[0] == "game,outcome,moves,ended_by,explored_at"
    assert lines[1].startswith("137,")
    refused(run("games", "--run", "1", "--first", "301", *options), "run 1 has played 300 games")
