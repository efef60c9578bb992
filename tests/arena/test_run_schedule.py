"""Tests of exploration phases, and of the marks at which a run measures its learners."""

from __future__ import annotations

import json
import math
import random
import re
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from runs import reached_state, resume, selfplay, train, use_small_blocks

import menace
from menace.analysis.groups import facts_of
from menace.analysis.learning_curves import MAX_POINTS, curve_of, outcome_steps, thinned_curve
from menace.arena.run_schedule import OWN, Marks, Phase, parse_phases, phase_at
from menace.errors import InvalidRun, VerificationFailed
from menace.games.positions import Positions
from menace.ledger import training
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import load_machine, new_learner
from menace.ledger.log import blocks
from menace.ledger.log.verification import verify
from menace.ledger.runs import SelfPlay, Training, copy_learner, order, unfinished_run
from menace.ledger.store import RunOptions, Store
from menace.ledger.training import evaluation_rows, measure, play_to_end, shown_marks


def one_two_five(number: int) -> bool:
    return str(number).rstrip("0") in {"1", "2", "5"} if number < 10**6 else number % 10**6 == 0


def is_power(number: int, each: int) -> bool:
    """Return whether an integer is 10^(k / each), rounded, for some integer k. Use only integer arithmetic."""
    low, high = (2 * number - 1) ** each, (2 * number + 1) ** each
    k = max(0, math.floor(each * math.log10(number - 0.5)) - 1)
    while 2**each * 10**k < low:
        k += 1
    return 2**each * 10**k < high


LAWS = {
    "1-2-5": one_two_five,
    "every:1": lambda number: number > 0,
    "every:7": lambda number: number % 7 == 0,
    "every:500": lambda number: number % 500 == 0,
    "log:1": lambda number: is_power(number, 1),
    "log:4": lambda number: is_power(number, 4),
    "log:20": lambda number: is_power(number, 20),
    "log:137": lambda number: is_power(number, 137),
    "0": lambda number: number < 0,
    "0,100,220": lambda number: number in {100, 220},
    "3,4,1000": lambda number: number in {3, 4, 1000},
}


@pytest.mark.parametrize("text", LAWS)
def test_marks_follow_their_rule_and_include_both_ends(text: str) -> None:
    marks = Marks.parse(text)
    wanted = [number for number in range(1, 2301) if LAWS[text](number)]
    for games in (1, 2, 100, 220, 999, 1000, 2300):
        assert marks.list_up_to(games) == sorted({0, games, *(mark for mark in wanted if mark < games)})
    for before, mark in pairwise([0, *wanted]):
        assert all(marks.next(games) == mark for games in range(before, mark))
    if marks.kind == "list":
        assert marks.next(marks.numbers[-1]) is None
    assert marks.list_up_to(0) == [0]
    assert str(marks) == text
    assert Marks.parse(str(marks)) == marks


@pytest.mark.parametrize(("text", "number"), [("1-2-5", 1_000_000), ("log:20", 10), ("every:123456789", 123_456_789)])
def test_marks_follow_their_rule_in_long_runs(text: str, number: int) -> None:
    marks, law = Marks.parse(text), {"1-2-5": one_two_five, "log:20": lambda games: is_power(games, 20)}.get(text)
    for games in (10**6 - 1, 10**6, 10**9 + 7, 10**12 - 1):
        mark = marks.next(games)
        assert mark is not None
        assert mark > games
        assert law(mark) if law else mark % number == 0 and mark - games <= number
    assert all(10**power in Marks.parse("log:20").list_up_to(10**12) for power in range(13))


def test_logarithmic_marks_are_evenly_spaced() -> None:
    marks = Marks.parse("log:20").list_up_to(10**9)
    apart = [math.log10(later / earlier) for earlier, later in pairwise(marks) if earlier >= 1000]
    assert len(apart) == 6 * 20
    assert all(abs(step - 1 / 20) < 1e-3 for step in apart)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "marks '' are not 1-2-5, every:500, log:20, or a list such as 0,100,220"),
        ("1-2-4", "are not 1-2-5"),
        ("each:5", "'each:5' are not 1-2-5"),
        ("every:", "are not 1-2-5"),
        ("every:1_000", "are not 1-2-5"),
        ("every:1e3", "are not 1-2-5"),
        ("every:-1", "are not 1-2-5"),
        ("every:0", "marks 'every:0' need a number of 1 or more, as in every:500"),
        ("every:5:6", "are not 1-2-5"),
        ("every:99999999999999", "are not 1-2-5"),
        ("log:0", "need a number of 1 or more"),
        ("log:1001", "marks 'log:1001' are too dense; use at most 1,000 marks per power of ten, as in log:20"),
        ("1,,2", "are not 1-2-5"),
        ("0,²", "are not 1-2-5"),
        ("100,50", "marks '100,50' are not ascending; each mark must be greater than the previous one, as in"),
        ("100,100", "each mark must be greater"),
        (
            ",".join(map(str, range(1001))),
            "1,001 marks are too many for a list, which may contain 1,000; use every:500 or log:20",
        ),
        (500, "marks 500 are not text"),
        (None, "marks None are not text"),
    ],
)
def test_invalid_marks_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRun, match=re.escape(message)):
        Marks.parse(text)


def test_too_many_marks_are_refused_with_valid_suggestion() -> None:
    marks = Marks.parse("every:7")
    marks.check(700_000)
    with pytest.raises(InvalidRun, match="'every:7' are too many for 700,001 games; use every:8 or more"):
        marks.check(700_001)
    with pytest.raises(InvalidRun, match="use every:10000 or more"):
        Marks.parse("every:1").list_up_to(10**9)
    for text in ("every:10000", "1-2-5", "log:1000", "0"):
        Marks.parse(text).check(10**9)
    Marks().check(10**12)


@pytest.mark.parametrize("side", [0, 1])
def test_evaluation_rows_contain_both_policies_and_three_opponents(
    positions: Positions, tmp_path: Path, side: int
) -> None:
    with create_database(tmp_path / "menace.db") as store:
        machine = load_machine(store, positions, new_learner(store, "a", "XO"[side]))
    learned = machine.learned
    learned.games = 17
    learned.amount[learned.kept] = np.arange(int(learned.kept.sum())) % 5 + 1
    rows = evaluation_rows(8, machine)
    assert [row[:5] for row in rows] == [
        (8, machine.learner_id, 17, kind, opponent)
        for kind in ("behaviour", "greedy")
        for opponent in ("random", "optimal", "best_response")
    ]
    for row in rows:
        assert row[5:] == tuple(measure(machine.policy(row.policy))[row.opponent])  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [0, 1, 12_345])
@pytest.mark.parametrize("last", [12_346, 12_400, 10**6, 987_654_321, 10**12])
def test_shown_marks_contain_ends_and_are_evenly_spaced(first: int, last: int) -> None:
    shown = shown_marks(first, last)
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (first, last)
    assert {first + mark for mark in Marks().list_up_to(10**6) if first + mark < last} <= set(shown)
    assert len(shown) <= 2 + 6 * len(str(last))
    steps = [games - first for games in shown if games - first >= 3]
    assert all(later <= 2 * earlier for earlier, later in pairwise(steps))


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
def test_marks_do_not_affect_learning(tmp_path: Path, preset: str) -> None:
    results, strengths = [], {}
    for number, text in enumerate(TEXTS):
        with begin(tmp_path / f"{number}.db", preset) as store:
            selfplay(store, "adam", "eva", GAMES, seed=7, marks=text)
            for name in ("adam", "eva"):
                for policy in ("behaviour", "greedy"):
                    assert measured(store, name, policy) == Marks.parse(text).list_up_to(store.learner(name).games)
            result = reached_state(store)
            strengths[text] = result.pop("strength")
            results.append(result)
            assert verify(store).games == results[0]["learners"][0][1]
    assert all(result == results[0] for result in results)
    assert all(strengths[text] <= strengths["every:1"] for text in TEXTS)
    assert strengths["0"] < strengths["0,100,220"] < strengths["every:1"]


@pytest.mark.parametrize(
    ("text", "preset"), [("every:70", "zhang"), ("log:7", "q-table"), ("0", "article-code"), ("150,151", "sala")]
)
def test_resumed_run_keeps_marks_and_phases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, preset: str
) -> None:
    dice, options = random.Random(text), {"games": GAMES, "seed": 3, "marks": text, "phases": "140:1:1,160:0:0"}
    with begin(tmp_path / "a.db", preset) as uncut, begin(tmp_path / "b.db", preset) as cut:
        before = [row.epsilon for row in uncut.learners()]
        selfplay(uncut, "adam", "eva", **options)
        order(cut, SelfPlay("adam", "eva", **options))
        for _ in range(3):
            use_small_blocks(monkeypatch, dice.randint(1, 30))
            for _, _run in zip(range(dice.randint(1, 3)), play_to_end(cut, unfinished_run(cut)), strict=False):
                pass
        assert unfinished_run(cut).games_played < GAMES
        resume(cut)
        assert reached_state(cut) == reached_state(uncut)
        assert measured(cut) == Marks.parse(text).list_up_to(GAMES)
        assert [row.epsilon for row in uncut.learners()] == before  # phases do not advance the decay of epsilon
        assert 140 in accumulate(block.games for block in uncut.blocks())
        for store in (cut, uncut):
            assert verify(store).games == GAMES


def test_copy_continues_curve_of_original(tmp_path: Path) -> None:
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


def test_block_has_at_most_a_million_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(tmp_path / "a.db") as store:
        assert blocks.MAX_BLOCK_GAMES == training.MAX_BLOCK_GAMES == 1_000_000
        for module in (blocks, training):
            monkeypatch.setattr(module, "MAX_BLOCK_GAMES", 40)
        train(store, "adam", "random", 100, 1, marks="0")
        assert [block.games for block in store.blocks()] == [0, 40, 40, 20]
        assert measured(store) == [0, 100]
        assert verify(store).games == 100


@pytest.mark.parametrize("text", TEXTS)
def test_marks_are_restored_from_run_options(text: str) -> None:
    options = RunOptions(marks=Marks.parse(text))
    assert RunOptions.parse(options.to_json()) == options
    assert options.to_dict() == ({} if text == "1-2-5" else {"marks": text})
    assert RunOptions.parse("{}").marks == Marks.parse("1-2-5")


@pytest.mark.parametrize("value", [7, None, [], {}, "", "1-2-5", "every:0", "every:07", "0, 7", "9,7", "log:5000"])
def test_unknown_marks_in_options_are_damage(value: Any) -> None:
    with pytest.raises(ValueError, match=r"run.options has marks: .*, not marks in the form that menace writes"):
        RunOptions.parse(json.dumps({"marks": value}))


def test_verify_checks_marks_of_run(tmp_path: Path) -> None:
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
        with pytest.raises(VerificationFailed, match=r"strength of adam .* differs from the replay of the log"):
            after(f"""UPDATE run SET options = '{{"marks": "{text}"}}'""")
    after("""UPDATE run SET options = '{"marks": "30,60,90"}'""")
    with pytest.raises(VerificationFailed, match="marks 'every:1' are too many for 1,000,000 games"):
        after("""UPDATE run SET options = '{"marks": "every:1"}', games_wanted = 1000000""")


@pytest.mark.parametrize(
    ("text", "message"),
    [("every:1", "are too many for 1,000,000 games; use every:10 or more"), ("all", "'all' are not 1-2-5, every:500")],
)
def test_invalid_marks_and_phases_write_nothing(tmp_path: Path, text: str, message: str) -> None:
    with begin(tmp_path / "a.db", "zhang") as store:
        with pytest.raises(InvalidRun, match="make these numbers equal"):
            selfplay(store, "adam", "eva", games=100, seed=1, phases="99:1:1")
        for make in (SelfPlay, lambda **options: Training("adam", "random", **options)):
            with pytest.raises(InvalidRun, match=message):
                order(store, make(games=10**6, marks=text))
        assert store.runs() == []


def test_machines_with_different_marks_share_a_group(tmp_path: Path) -> None:
    with begin(tmp_path / "a.db") as store:
        for number, text in enumerate(("1-2-5", "every:50", "log:20")):
            new_learner(store, f"a{number}", "X")
            train(store, f"a{number}", "random", 100, number, marks=text)
        rows = {row.learner_id: row for row in store.learners()}
        facts = [facts_of(store.learner(f"a{number}"), store.runs(), rows) for number in range(3)]
        assert facts[0].kin == facts[1].kin == facts[2].kin


@pytest.mark.parametrize("text", ["every:20", "log:60", "every:33"])
def test_long_curve_is_thinned_per_power_of_ten(tmp_path: Path, text: str) -> None:
    with begin(tmp_path / "a.db") as store:
        train(store, "adam", "random", 3000, 1, marks=text)
        row = store.learner("adam")
        whole, thinned = curve_of(store, row, "greedy"), thinned_curve(store, row, "greedy")
        assert len(whole) > MAX_POINTS >= len(thinned)
        assert thinned.points.items() <= whole.points.items()
        assert {0, 3000, *(set(Marks().list_up_to(3000)) & set(whole.points))} <= set(thinned.points)
        assert sum(games > 300 for games in thinned.points) >= 6
        steps = outcome_steps(store, ["adam"])["adam"]
        assert {step.last for step in steps} <= set(whole.points)
        assert sum(sum(step.counts) for step in steps) == 3000


def test_python_api_accepts_marks(tmp_path: Path) -> None:
    with menace.Database(tmp_path / "a.db") as db:
        assert str(db.selfplay(games=40, seed=1, marks="every:15").options.marks) == "every:15"
        assert [*db["menace-x"].curve().points] == [0, 15, 30, 40]
        assert str(db["menace-x"].train("random", 40, 1, marks="0,7").options.marks) == "0,7"
        db["menace-x"].train("menace-o", 40, 1, keep=True, marks="0")
        assert [*db["menace-x"].curve().points] == [0, 15, 30, 40, 47, 80, 120]
        with pytest.raises(InvalidRun, match="marks 500 are not text"):
            db.selfplay(marks=500)  # type: ignore[arg-type]


def test_commands_accept_marks_and_describe_columns(run: Run) -> None:
    out = ok(run("selfplay", "--games", "1000", "--seed", "1", "--marks", "every:200"))
    assert "1,000 games, in columns up to its mark" in out
    out = ok(run("train", "menace-x", "--against", "random", "--games", "1000", "--marks", "every:7"))
    assert "1,000 games, in columns up to about 1, 2, 5, 10, ..." in out
    ok(run("verify"))
    with open_database("menace.db") as store:
        ends = [list(accumulate(block.games for block in store.blocks(run_id))) for run_id in (1, 2)]
        assert {200, 400, 600, 800, 1000} <= set(ends[0])
        assert {*range(7, 1000, 7), 1000} <= set(ends[1])
    error = run("train", "menace-x", "--against", "random", "--marks", "each:5")
    refused(error, "marks 'each:5' are not 1-2-5, every:500, log:20, or a list such as 0,100,220")


def test_phases_are_read_from_text() -> None:
    assert parse_phases("500:1:1,300:0.1:0", 800) == (Phase(500, 1, 1), Phase(300, 0.1, 0))
    quarters = [(1, 1), (1, 0), (0, 1), (0.3, 0.3)]
    assert parse_phases("article", 10_000) == tuple(Phase(2500, x, o) for x, o in quarters)
    assert [phase.games for phase in parse_phases("article", 7)] == [1, 1, 1, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("500:1:1", "cover 500 games, but the run has 1,000"),
        ("500:1:1,501:0:0", "cover 1,001 games"),
        ("1000:1:1,0:1:1", "every phase needs at least 1 game"),
        ("2000:1:1,-1000:1:1", "every phase needs at least 1 game"),
        ("", "'' must have the form GAMES:X:O"),
        ("articles", "'articles' must have the form GAMES:X:O"),
        ("1000:1", "'1000:1' must have"),
        ("1000:1:1:1", "must have the form GAMES"),
        ("1000:1:x", "must have the form GAMES"),
        ("1e3:1:1", "must have the form GAMES"),
        ("500:1:1,,500:1:1", "'' must have"),
        ("1000:1.01:0", "has an epsilon outside the range 0 to 1"),
        ("1000:0:-0.01", "has an epsilon outside the range 0 to 1"),
        ("1000:nan:0", "has an epsilon outside the range 0 to 1"),
        ("1000:0:inf", "has an epsilon outside the range 0 to 1"),
    ],
)
def test_invalid_phases_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRun, match=message):
        parse_phases(text, 1000)
    with pytest.raises(InvalidRun):
        parse_phases("article", 3)


def test_phases_are_restored_from_run_options() -> None:
    phases = parse_phases("article", 100)
    for options in (RunOptions(phases), RunOptions(phases, continue_when_ruined=True), RunOptions()):
        assert RunOptions.parse(options.to_json()) == options


def test_each_game_is_assigned_to_its_phase() -> None:
    phases = parse_phases("2:1:0,3:0.5:0.25", 5)
    assert [phase_at(phases, games) for games in range(5)] == [(2, (1, 0))] * 2 + [(5, (0.5, 0.25))] * 3
    assert phase_at((), 10**9) == (None, (OWN, OWN))


def test_phases_affect_value_learners_but_not_bead_machines(tmp_path: Path) -> None:
    boxes_by_phase = []
    for number, phases in enumerate((None, "100:0:0", "100:1:1")):
        with begin(tmp_path / f"{number}.db") as store:
            new_learner(store, "abel", "X", "zhang")
            selfplay(store, "adam", "eva", games=100, seed=1, phases=phases)
            selfplay(store, "abel", "eva", games=100, seed=1, phases=phases)
            boxes = reached_state(store)["boxes"]
            boxes_by_phase.append((boxes["adam"], boxes["abel"]))
    assert boxes_by_phase[0][0] == boxes_by_phase[1][0] == boxes_by_phase[2][0]
    assert boxes_by_phase[1][1] != boxes_by_phase[2][1]
    assert boxes_by_phase[0][1] != boxes_by_phase[2][1]
