"""Histories of boxes from the log, and replays of recorded games with the beads of the time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from bench import EVERY_WORD, FOR_TICTACTOE
from commands import Run, ok, refused
from ledger import train
from playing import play_out

import menace
from menace.analysis.bead_names import BeadNames
from menace.analysis.history import box_history, recorded_draws, replay_game
from menace.analysis.position import PositionView, show
from menace.games.symmetry import SymmetricGame
from menace.ledger.learners import new_learner
from menace.ledger.log.blocks import needed_for, read_log
from menace.ledger.log.replay import ReplayStep, step_message
from menace.ledger.runs import copy_learner
from menace.ledger.store import BlockRow, Store
from menace.people.physical import compare_count, record_count
from menace.people.session import Session


def contents(view: PositionView) -> list[tuple[object, ...]]:
    return [(move.cells, move.amount, move.count) for move in view.moves]


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in EVERY_WORD if "X" in FOR_TICTACTOE[name].plays])
def test_each_moment_is_what_the_database_held_then(preset: str, store: Store) -> None:
    """Interleave training, people and copies, and write down the box after each step."""
    new_learner(store, "pupil", "X", preset, seed=9 if preset == "zhang-random" else None)
    new_learner(store, "other", "O", "zhang")
    contents_by_time = [contents(show(store, ".........", "pupil"))]

    def look() -> None:
        now = contents(show(store, ".........", "pupil"))
        if now != contents_by_time[-1]:
            contents_by_time.append(now)

    for seed in range(4):
        train(store, "pupil", "other", games=1, seed=seed)
        look()
        play_out(Session(store, "pupil", seed=seed), random.Random(seed))
        look()
    copy_learner(store, "pupil", "twin")
    train(store, "twin", "random", games=20, seed=1)
    assert len(contents_by_time) > 3
    moments = box_history(store, ".........", "pupil")
    assert [contents(moment.view) for moment in moments] == contents_by_time
    people = {moment.what for moment in moments if moment.what.endswith("with a person")}
    assert people <= {f"game {number}, with a person" for number in range(1, 5)}
    twin = box_history(store, ".........", "twin")
    assert contents(twin[-1].view) == contents(show(store, ".........", "twin"))
    assert contents(twin[1].view) == contents_by_time[-1]


class Blocks(list[BlockRow]):
    """Blocks that count how often somebody begins to go through them."""

    begun = 0

    def __iter__(self) -> Iterator[BlockRow]:
        self.begun += 1
        return super().__iter__()


def test_words_for_a_block_do_not_take_longer_the_more_there_are(store: Store) -> None:
    """Each history of 100,000 blocks took their square."""
    train(store, "menace-x", "random", games=200, seed=1)
    log = read_log(store)
    log = replace(log, blocks=Blocks(log.blocks))
    steps = [ReplayStep(log.runs[block.run_id], block, games_before=0, wrong=[]) for block in log.blocks]
    assert len({step_message(log, step) for step in steps}) > 7
    assert log.blocks.begun == 2  # to make the steps, and to see what was taken back


def test_a_box_is_shown_as_the_board_that_was_asked_for(store: Store) -> None:
    new_learner(store, "eva", "O")
    train(store, "eva", "random", games=50, seed=1)
    for board in ("X........", "........X"):
        last = box_history(store, board, "eva")[-1].view
        assert last.board == board
        assert contents(last) == contents(show(store, board, "eva"))


def test_a_box_that_is_none_is_refused(store: Store) -> None:
    new_learner(store, "eva", "O")
    with pytest.raises(menace.MenaceError, match="eva has no box for"):
        box_history(store, ".........", "eva")


def test_a_replayed_game_shows_the_boxes_as_they_were_then(store: Store) -> None:
    new_learner(store, "adam", "X")
    plies_by_game, learned = {}, {}
    for seed in range(5):
        session = Session(store, "adam", seed=seed)
        finished = play_out(session, random.Random(seed))
        plies_by_game[finished.game_id] = list(session.game.plies)
        learned[finished.game_id] = finished.changes
        train(store, "adam", "random", games=30, seed=seed)
    for game_id, plies in plies_by_game.items():
        replayed = replay_game(store, game_id)
        assert [ply.action for ply in replayed.plies] == [ply.action for ply in plies]
        assert [ply.board for ply in replayed.plies] == [ply.board for ply in plies]
        boxes = [ply.saw for ply in replayed.plies]
        assert [None if box is None else contents(box) for box in boxes] == [
            None if ply.saw is None else contents(ply.saw) for ply in plies
        ]
        assert {ply.player for ply in replayed.plies} == {"adam", "human"}
        assert replayed.changes == learned[game_id] != ()


@pytest.mark.slow
def test_the_recorded_games_of_a_box_are_those_that_came_by(store: Store) -> None:
    new_learner(store, "adam", "X")
    train(store, "adam", "random", games=10, seed=1)
    session = Session(store, "adam", seed=1)
    expected: dict[int, list[tuple[int, int]]] = {}
    for seed in range(20):
        finished = play_out(session, random.Random(seed))
        for ply in session.game.plies:
            if ply.by_machine:
                action = int(session.game.arena.positions.action[ply.move])
                expected.setdefault(ply.position, []).append((finished.game_id, action))
        session.begin()
    learner_id = store.learner("adam").learner_id
    for position, games in expected.items():
        draws = recorded_draws(store, learner_id, position)
        assert [(draw.game.game_id, draw.action) for draw in draws] == games
        for draw in draws:
            assert draw.result == {"X": "won", "draw": "drew", "O": "lost"}[draw.game.outcome]
    assert recorded_draws(store, learner_id + 1, 0) == []


def test_a_game_that_passed_an_empty_box_by_taught_it_nothing(store: Store) -> None:
    row = new_learner(store, "adam", "X", "menace", {"when_empty": "random"})
    with store.transaction():
        store.update_learned_rows("matchbox", row.learner_id, [(0, action, 0, 0) for action in (0, 1, 4)])
    session = Session(store, "adam", seed=1)
    play_out(session, random.Random(1))
    assert recorded_draws(store, row.learner_id, 0) == []
    later = session.game.plies[2]
    assert len(recorded_draws(store, row.learner_id, later.position)) == 1


def test_a_replay_needs_all_who_taught_and_nobody_else(store: Store) -> None:
    for name, side in (("a", "X"), ("b", "O"), ("c", "X"), ("d", "O")):
        new_learner(store, name, side)
    train(store, "a", "b", games=5, seed=1)
    train(store, "c", "random", games=5, seed=1)
    with store.snapshot():
        log = read_log(store)
    numbers = {row.name: row.learner_id for row in log.learners.values()}
    assert needed_for(log, {numbers["a"]}) == {numbers["a"], numbers["b"]}
    assert needed_for(log, {numbers["c"]}) == {numbers["c"]}
    assert needed_for(log, {numbers["d"]}) == {numbers["d"]}


def test_a_recount_is_a_moment_of_its_own(store: Store) -> None:
    new_learner(store, "adam", "X")
    names = BeadNames(SymmetricGame(menace.get_game()), menace.text.naming_schemes.Naming())
    comparison = compare_count(store, "adam", "box,cell,beads\n1,4,77\n", names)
    block_id = record_count(store, "adam", comparison.different)
    moments = box_history(store, ".........", "adam")
    assert [moment.block_id for moment in moments] == [None, block_id]
    assert [move.beads for move in moments[-1].view.moves] == [4, 4, 77]


def test_the_commands_say_it_in_words(trained: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(
        ["8", "7", "6", "5", "4", "3", "2", "1", "0", "8", "7", "6", "5", "4", "3", "2", "1", "0", "n", "n", "n", "n"]
    )
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    ok(trained("play", "menace-x", "--seed", "2"))
    out = ok(trained("games"))
    assert out.splitlines()[0].split() == ["game", "X", "O", "outcome", "moves", "ended", "by", "learned", "played"]
    assert "menace-x" in out
    assert ok(trained("games", "--learner", "menace-o")) == "no recorded games yet; `menace play` plays one\n"
    replayed = ok(trained("replay", "1"))
    assert "1. menace-x (X) plays" in replayed
    assert "2. human (O) plays" in replayed
    assert "beads in its box are for that" in replayed
    printed = ok(trained("history", ".........", "--learner", "menace-x"))
    assert "as it began" in printed
    assert "run 1: selfplay, games" in printed
    assert "game 1, with a person" in printed
    refused(trained("replay", "2"), "no recorded game 2")
    refused(trained("history", "X........", "--learner", "menace-x"), "menace-x has no box for X........")
    refused(trained("games", "--learner", "nobody"), "no machine is called")


def test_a_history_is_of_the_only_machine_that_moves_on_the_board(trained: Run) -> None:
    for board, name in ((".........", "menace-x"), ("X........", "menace-o")):
        assert ok(trained("history", board)) == ok(trained("history", board, "--learner", name))
    refused(trained("history", "57"), "say whose box it is with --learner; there are: menace-x, menace-o")
    refused(trained("history", "OOO......"), "OOO......", "0 X and 3 O")
    refused(trained("history", "XXXOO...."), "no machine has a box for XXXOO....: the game is over there")
    ok(trained("new", "adam", "--plays", "X"))
    refused(trained("history", "........."), "with --learner; there are to play X: menace-x, adam")
    ok(trained("history", "X........"))
