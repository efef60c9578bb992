"""Marks of a run's own: its learners are measured there, and learn what they would with any others."""

from __future__ import annotations

import json
import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ok, refused
from ledger import in_small_blocks, learned, resume, selfplay, train
from templates import fresh_database

import menace
from menace.analysis.groups import facts_of
from menace.analysis.learning_curves import POINTS_MOST, curve_of, outcome_steps, thinned_curve_of
from menace.arena.schedule import Marks
from menace.errors import InvalidRun, VerificationFailed
from menace.ledger import training
from menace.ledger.database_file import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log import blocks
from menace.ledger.log.verification import verify
from menace.ledger.runs import SelfPlay, Training, copy_learner, order, unfinished_run
from menace.ledger.store import RunOptions, Store
from menace.ledger.training import continue_run

TEXTS = ("1-2-5", "every:1", "every:70", "log:20", "0", "0,100,220", "7,8,9,1000")
GAMES = 300


def begin(path: Path, preset: str = "menace") -> Store:
    store = fresh_database(path)
    new_learner(store, "adam", "X", preset)
    new_learner(store, "eva", "O", preset)
    return store


def measured(store: Store, name: str = "adam", policy: str = "behaviour") -> list[int]:
    return [*curve_of(store, store.learner(name), policy).points]  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", ["menace", "article-code", "q-table"])
def test_marks_change_nothing_in_what_is_learned(tmp_path: Path, preset: str) -> None:
    results, strengths = [], {}
    for number, text in enumerate(TEXTS):
        with begin(tmp_path / f"{number}.db", preset) as store:
            selfplay(store, "adam", "eva", GAMES, seed=7, marks=text)
            for name in ("adam", "eva"):
                for policy in ("behaviour", "greedy"):
                    assert measured(store, name, policy) == Marks.parse(text).upto(store.learner(name).games)
            result = learned(store)
            strengths[text] = result.pop("strength")
            results.append(result)
            assert verify(store).games == results[0]["learners"][0][1]
    assert all(result == results[0] for result in results)
    assert all(strengths[text] <= strengths["every:1"] for text in TEXTS)
    assert strengths["0"] < strengths["0,100,220"] < strengths["every:1"]


@pytest.mark.parametrize("text", ["every:70", "log:7", "0", "150,151"])
def test_a_run_cut_and_resumed_goes_on_with_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    dice, options = random.Random(text), {"games": GAMES, "seed": 3, "marks": text, "phases": "140:1:1,160:0:0"}
    with begin(tmp_path / "a.db", "zhang") as uncut, begin(tmp_path / "b.db", "zhang") as cut:
        selfplay(uncut, "adam", "eva", **options)
        order(cut, SelfPlay("adam", "eva", **options))
        for _ in range(3):
            in_small_blocks(monkeypatch, dice.randint(1, 30))
            for _, _run in zip(range(dice.randint(1, 3)), continue_run(cut, unfinished_run(cut)), strict=False):
                pass
        assert unfinished_run(cut).games_played < GAMES
        resume(cut)
        assert learned(cut) == learned(uncut)
        assert measured(cut) == Marks.parse(text).upto(GAMES)
        assert verify(cut).games == GAMES


def test_a_copy_goes_on_from_the_curve_of_its_run(tmp_path: Path) -> None:
    with begin(tmp_path / "a.db") as store:
        train(store, "adam", "random", 200, 1, marks="every:60")
        copy_learner(store, "adam", "abel")
        train(store, "abel", "random", 100, 2, marks="50")
        train(store, "adam", "random", 100, 2)
        assert measured(store, "abel") == [200, 250, 300]
        assert measured(store) == [0, 60, 120, 180, 200, 201, 202, 205, 210, 220, 250, 300]
        assert curve_of(store, store.learner("abel"), "greedy").points.items() <= (
            curve_of(store, store.learner("adam"), "greedy").points.items()
        )
        assert verify(store).games == 400


def test_a_block_has_a_million_games_at_most_however_far_apart_the_marks_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(tmp_path / "a.db") as store:
        assert blocks.BLOCK_GAMES_MOST == training.BLOCK_GAMES_MOST == 1_000_000
        for module in (blocks, training):
            monkeypatch.setattr(module, "BLOCK_GAMES_MOST", 40)
        train(store, "adam", "random", 100, 1, marks="0")
        assert [block.games for block in store.blocks()] == [0, 40, 40, 20]
        assert measured(store) == [0, 100]
        assert verify(store).games == 100


@pytest.mark.parametrize("text", TEXTS)
def test_marks_come_back_from_the_options_of_a_run(text: str) -> None:
    options = RunOptions(marks=Marks.parse(text))
    assert RunOptions.parse(options.to_json()) == options
    assert options.to_dict() == ({} if text == "1-2-5" else {"marks": text})
    assert RunOptions.parse("{}").marks == Marks.parse("1-2-5")


@pytest.mark.parametrize("value", [7, None, [], {}, "", "1-2-5", "every:0", "every:07", "0, 7", "9,7", "log:5000"])
def test_marks_that_menace_does_not_write_are_damage(value: Any) -> None:
    with pytest.raises(ValueError, match=r"run.options has marks: .*, not marks as menace writes them"):
        RunOptions.parse(json.dumps({"marks": value}))


def test_verify_holds_a_run_to_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with begin(path) as store:
        train(store, "adam", "random", 100, 1, marks="every:30")

    def after(sql: str) -> None:
        with open_database(path) as store:
            with store.transaction():
                store.database.execute(sql)
            verify(store)

    after("UPDATE run SET options = options")
    for text in ("every:60", "30", "log:1"):
        with pytest.raises(VerificationFailed, match=r"strength of adam .* is not what the log gives"):
            after(f"""UPDATE run SET options = '{{"marks": "{text}"}}'""")
    after("""UPDATE run SET options = '{"marks": "30,60,90"}'""")
    with pytest.raises(VerificationFailed, match="marks 'every:1' of 1,000,000 games are too many"):
        after("""UPDATE run SET options = '{"marks": "every:1"}', games_wanted = 1000000""")


@pytest.mark.parametrize(
    ("text", "message"),
    [("every:1", "of 1,000,000 games are too many: take every:10 or more"), ("all", "'all' are not 1-2-5, every:500")],
)
def test_marks_that_cannot_be_are_refused_before_anything_is_written(tmp_path: Path, text: str, message: str) -> None:
    with begin(tmp_path / "a.db") as store:
        for make in (SelfPlay, lambda **options: Training("adam", "random", **options)):
            with pytest.raises(InvalidRun, match=message):
                order(store, make(games=10**6, marks=text))
        assert store.runs() == []


def test_machines_that_were_measured_otherwise_differ_by_chance_alone(tmp_path: Path) -> None:
    with begin(tmp_path / "a.db") as store:
        for number, text in enumerate(("1-2-5", "every:50", "log:20")):
            new_learner(store, f"a{number}", "X")
            train(store, f"a{number}", "random", 100, number, marks=text)
        rows = {row.learner_id: row for row in store.learners()}
        facts = [facts_of(store.learner(f"a{number}"), store.runs(), rows) for number in range(3)]
        assert facts[0].kin == facts[1].kin == facts[2].kin


@pytest.mark.parametrize("text", ["every:20", "log:60", "every:33"])
def test_a_long_curve_of_any_marks_is_thinned_to_some_in_each_power_of_ten(tmp_path: Path, text: str) -> None:
    with begin(tmp_path / "a.db") as store:
        train(store, "adam", "random", 3000, 1, marks=text)
        row = store.learner("adam")
        whole, thinned = curve_of(store, row, "greedy"), thinned_curve_of(store, row, "greedy")
        assert len(whole) > POINTS_MOST >= len(thinned)
        assert thinned.points.items() <= whole.points.items()
        assert {0, 3000} <= set(thinned.points)
        assert sum(games > 300 for games in thinned.points) >= 6
        steps = outcome_steps(store, ["adam"])["adam"]
        assert {step.last for step in steps} <= set(whole.points)
        assert sum(sum(step.counts) for step in steps) == 3000


def test_python_takes_marks(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "a.db") as db:
        assert str(db.selfplay(games=40, seed=1, marks="every:15").options.marks) == "every:15"
        assert [*db["menace-x"].curve().points] == [0, 15, 30, 40]
        assert str(db["menace-x"].train("random", 40, 1, marks="0,7").options.marks) == "0,7"
        db["menace-x"].train("menace-o", 40, 1, keep=True, marks="0")
        assert [*db["menace-x"].curve().points] == [0, 15, 30, 40, 47, 80, 120]
        with pytest.raises(InvalidRun, match="marks 500 are not text"):
            db.selfplay(marks=500)  # type: ignore[arg-type]


def test_commands_take_marks_and_say_where_columns_end(run: Run) -> None:
    out = ok(run("selfplay", "--games", "1000", "--seed", "1", "--marks", "every:200"))
    assert "1,000 games, a column up to each of its marks\n" in out
    out = ok(run("train", "menace-x", "--against", "random", "--games", "1000", "--marks", "every:7"))
    assert "1,000 games, a column up to each of about 1, 2, 5, 10, ...\n" in out
    ok(run("verify"))
    with open_database("menace.db") as store:
        ends = [list(accumulate(block.games for block in store.blocks(run_id))) for run_id in (1, 2)]
        assert {200, 400, 600, 800, 1000} <= set(ends[0])
        assert {*range(7, 1000, 7), 1000} <= set(ends[1])
    error = run("train", "menace-x", "--against", "random", "--marks", "each:5")
    refused(error, "marks 'each:5' are not 1-2-5, every:500, log:20, or a list such as 0,100,220")
