"""Tests of greedy play against a person, in which the learner makes its best moves and learns as usual."""

from __future__ import annotations

import json
import random

import pytest
from commands import Run, ok, refused
from playing import play_to_the_end
from runs import train

from menace.analysis.bead_names import BeadNames
from menace.arena.play import Arena, raw_numbers
from menace.errors import InvalidPlayer, StoreError, VerificationFailed
from menace.kernel import loop as kernel
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.physical import compare_count, record_count
from menace.people.session import Session
from menace.text.bead_colours import Naming

pytestmark = pytest.mark.slow

GREEDY_TRIED = ["menace", "zhang", "q-learning", "michie-1963", "article-code", "value-function"]


@pytest.mark.parametrize("preset", GREEDY_TRIED)
def test_greedy_learner_takes_highest_amount_and_log_verifies(preset: str, store: Store) -> None:
    chance = random.Random(3)
    new_learner(store, "p", "X", preset)
    train(store, "p", "random", games=300, seed=1)
    session = Session(store, "p", seed=2, policy="greedy")
    taught = 0
    for _ in range(12):
        play_to_the_end(session.game, chance)
        best = session.game.at_board.copy().policy("greedy").probability
        for ply in session.game.plies[::2]:
            assert not ply.explored
            assert best[ply.move] > 0
        taught += bool(session.finish().changes)
        session.begin()
    assert taught > 6
    assert store.learner("p").games == 312
    verify(store)


@pytest.mark.parametrize("preset", ["zhang", "q-learning", "article-code"])
def test_greedy_learner_matches_kernel_without_exploration(preset: str, store: Store) -> None:
    """The expected moves are those that the kernel's greedy policy makes with the same random numbers."""
    chance = random.Random(4)
    new_learner(store, "p", "O", preset)
    train(store, "p", "random", games=300, seed=1)
    session = Session(store, "p", seed=2, policy="greedy", learns=False)
    for _ in range(12):
        play_to_the_end(session.game, chance)
        game = session.game
        arena, machine = Arena(game.positions), game.at_board.copy()
        player = machine.kernel_player(arena.graph, learns=False, epsilon=0.0)
        for turn, ply in enumerate(game.plies[1::2]):
            numbers = raw_numbers(session.seed, game.chance.numbers + turn)
            assert ply.move == kernel.make_move(arena.graph, player, arena.record, 2 * turn + 1, ply.position, numbers)
        session.finish()
        session.begin()


@pytest.mark.parametrize("when_empty", ["resign", "restock", "random"])
def test_greedy_play_handles_empty_box_as_usual(when_empty: str, store: Store) -> None:
    """In a game that begins with an empty box, greedy play changes and restocks the same beads as ordinary play."""
    for name in ("greedy", "behaviour"):
        new_learner(store, name, "X", settings={"when_empty": when_empty})
        boxes = BeadNames(positions_of(store), Naming())
        empty = "box,cell,beads\n1,0,0\n1,1,0\n1,4,0\n"
        record_count(store, name, compare_count(store, name, empty, boxes).different)
        session = Session(store, name, seed=1, policy=name)
        first = session.game.make_machine_move()
        if when_empty == "resign":
            assert first is None
        else:
            assert first is not None
            assert (first.restocked, first.learned) == (when_empty == "restock", int(when_empty == "restock"))
        play_to_the_end(session.game, random.Random(1))
        recorded = session.game.recorded()
        assert recorded.ended_by == ("resignation" if when_empty == "resign" else "board")
        session.finish()
    verify(store)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE game SET explored = '1' || substr(explored, 2)", "a learner with a greedy policy cannot explore"),
        ("UPDATE run SET options = '{\"greedy\": 7}'", "run.options has greedy: 7, not true"),
    ],
)
def test_verify_detects_edited_greedy_game(change: str, message: str, store: Store) -> None:
    new_learner(store, "p", "X", "zhang")
    session = Session(store, "p", seed=2, policy="greedy")
    play_to_the_end(session.game, random.Random(1))
    session.finish()
    verify(store)
    with store.transaction():
        store.database.execute(f"{change} WHERE run_id = {session.run.run_id}" if "run SET" in change else change)
    with pytest.raises((VerificationFailed, StoreError), match=message):
        verify(store)


def test_only_learners_can_play_greedily(store: Store) -> None:
    with pytest.raises(InvalidPlayer, match="perfect is not a machine"):
        Session(store, "perfect", policy="greedy")


@pytest.mark.usefixtures("begun")
def test_command_announces_greedy_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X", "--preset", "zhang"))
    ok(run("new", "eva", "--plays", "X"))
    for name in ("adam", "eva"):
        answers = iter([*"876543210876543210", "n"])
        monkeypatch.setattr("builtins.input", lambda _question, answers=answers: next(answers))
        out = ok(run("play", name, "--greedy", "--seed", "1"))
        assert f"{name} plays X, always with its best move" in out
        assert ", tied with 2 of its other moves\n" in out
        assert "of the time" not in out
    listed = ok(run("games"))
    assert listed.count("adam, greedy") == listed.count("eva, greedy") == 1
    assert [game["greedy"] for game in json.loads(ok(run("games", "--json")))] == [1, 1]
    for game_id, name in (("1", "adam"), ("2", "eva")):
        out = ok(run("replay", game_id))
        assert f"game {game_id}: {name}, greedy (X) against human (O)" in out
        assert ", tied with 2 of its other moves\n" in out
        assert "of the time" not in out
    refused(run("play", "perfect", "--greedy"), "perfect is not a machine")
