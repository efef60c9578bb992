"""Phases of a run: how they are parsed, and that learners explore by them alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ledger import in_small_blocks, learned, resume, selfplay
from templates import fresh_database

from menace.arena.schedule import OWN, Phase, parse_phases, phase_at
from menace.errors import InvalidRun
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import SelfPlay, order, unfinished_run
from menace.ledger.store import RunOptions, Store
from menace.ledger.training import continue_run


def test_phases_are_read_from_text() -> None:
    assert parse_phases("500:1:1,300:0.1:0", 800) == (Phase(500, 1, 1), Phase(300, 0.1, 0))
    quarters = [(1, 1), (1, 0), (0, 1), (0.3, 0.3)]
    assert parse_phases("article", 10_000) == tuple(Phase(2500, x, o) for x, o in quarters)
    assert [phase.games for phase in parse_phases("article", 7)] == [1, 1, 1, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("500:1:1", "cover 500 games, and the run has 1,000"),
        ("500:1:1,501:0:0", "cover 1,001 games"),
        ("1000:1:1,0:1:1", "every phase needs at least one game"),
        ("2000:1:1,-1000:1:1", "every phase needs at least one game"),
        ("", "'' is not GAMES:X:O"),
        ("articles", "'articles' is not GAMES:X:O"),
        ("1000:1", "'1000:1' is not"),
        ("1000:1:1:1", "is not GAMES"),
        ("1000:1:x", "is not GAMES"),
        ("1e3:1:1", "is not GAMES"),
        ("500:1:1,,500:1:1", "'' is not"),
        ("1000:1.01:0", "is from 0 to 1"),
        ("1000:0:-0.01", "is from 0 to 1"),
        ("1000:nan:0", "is from 0 to 1"),
        ("1000:0:inf", "is from 0 to 1"),
    ],
)
def test_phases_that_do_not_fit_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRun, match=message):
        parse_phases(text, 1000)
    with pytest.raises(InvalidRun):
        parse_phases("article", 3)


def test_phases_come_back_from_the_options_of_a_run() -> None:
    phases = parse_phases("article", 100)
    for options in (RunOptions(phases), RunOptions(phases, continue_when_ruined=True), RunOptions()):
        assert RunOptions.parse(options.to_json()) == options


def test_each_game_has_its_phase() -> None:
    phases = parse_phases("2:1:0,3:0.5:0.25", 5)
    assert [phase_at(phases, games) for games in range(5)] == [(2, (1, 0))] * 2 + [(5, (0.5, 0.25))] * 3
    assert phase_at((), 10**9) == (None, (OWN, OWN))


def new(path: Path, x: str, o: str) -> Store:
    store = fresh_database(path)
    new_learner(store, "adam", "X", x)
    new_learner(store, "eva", "O", o)
    return store


@pytest.mark.parametrize(("x", "o"), [("article-code", "article-code"), ("q-table", "zhang"), ("menace", "sala")])
def test_a_run_of_phases_cut_and_resumed_is_the_run_uncut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, x: str, o: str
) -> None:
    dice, options = random.Random(x), {"games": 600, "seed": 3, "phases": "article"}
    with new(tmp_path / "a.db", x, o) as uncut, new(tmp_path / "b.db", x, o) as cut:
        before = [row.epsilon for row in uncut.learners()]
        selfplay(uncut, "adam", "eva", **options)
        order(cut, SelfPlay("adam", "eva", **options))
        for _ in range(5):
            in_small_blocks(monkeypatch, dice.randint(1, 40))
            for _, _run in zip(range(dice.randint(1, 5)), continue_run(cut, unfinished_run(cut)), strict=False):
                pass
        resume(cut)
        assert learned(cut) == learned(uncut)
        assert [row.epsilon for row in uncut.learners()] == before  # phases do not advance it
        ends, games = set(), 0
        for block in uncut.blocks():
            games += block.games
            ends.add(games)
        assert {150, 300, 450, 600} <= ends
        for store in (cut, uncut):
            assert verify(store).games == 600


def test_phases_change_what_learners_of_values_do_and_machines_of_beads_not_at_all(tmp_path: Path) -> None:
    boxes_by_phase = []
    for number, phases in enumerate((None, "100:0:0", "100:1:1")):
        with new(tmp_path / f"{number}.db", "menace", "menace") as store:
            new_learner(store, "abel", "X", "zhang")
            selfplay(store, "adam", "eva", games=100, seed=1, phases=phases)
            selfplay(store, "abel", "eva", games=100, seed=1, phases=phases)
            boxes = learned(store)["boxes"]
            boxes_by_phase.append((boxes["adam"], boxes["abel"]))
    assert boxes_by_phase[0][0] == boxes_by_phase[1][0] == boxes_by_phase[2][0]
    assert boxes_by_phase[1][1] != boxes_by_phase[2][1]
    assert boxes_by_phase[0][1] != boxes_by_phase[2][1]


def test_phases_that_do_not_cover_a_run_write_nothing(tmp_path: Path) -> None:
    with new(tmp_path / "a.db", "zhang", "zhang") as store:
        with pytest.raises(InvalidRun, match="make them equal"):
            selfplay(store, "adam", "eva", games=100, seed=1, phases="99:1:1")
        assert store.runs() == []
