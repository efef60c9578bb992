"""Tests of imported and merged machines, and of patterns that match the names of learners."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Run, ok, refused
from database_templates import edit, fresh_database
from playing import play_out

import menace
from menace.analysis.bead_names import BeadNames
from menace.analysis.groups import facts_about
from menace.analysis.replayed_learners import trace_learners
from menace.errors import InvalidGame, InvalidPlayer, MenaceError, UnknownLearner, VerificationFailed
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.learners.machine import Machine, merge_machines
from menace.learners.settings import MAX_BEADS
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.site.merge_into_database import MAX_FILE_SIZE
from menace.site.play_tables import site_learner_record

# These presets cover beads, means of outcomes, epsilon, random initial values, values of moves, and odds.
PRESETS = ("menace", "article-code", "zhang-random", "sala", "double-q-learning", "michie-1963-hundreds")
every_kind = pytest.mark.parametrize("preset", PRESETS)


@pytest.fixture
def db(database: Path) -> Iterator[menace.Database]:
    with menace.Database(database) as opened:
        yield opened


def taught(preset: str, games: int = 150, plays: str = "X") -> Machine:
    machine = Machine(preset, plays, seed=7)  # type: ignore[arg-type]
    players = ("random", machine) if plays == "O" else (machine, "random")
    menace.play_games(*players, games=games, seed=1)
    return machine


def assert_same(first: Machine, second: Machine) -> None:
    for name in ("kept", "amount", "count", "state"):
        mask = first.learned.kept if name in {"amount", "count"} else slice(None)
        both = (getattr(machine.learned, name)[mask] for machine in (first, second))
        np.testing.assert_array_equal(*both)
    assert first.learned.games == second.learned.games
    assert (first.settings, first.preset, first.naming, first.seed) == (
        second.settings,
        second.preset,
        second.naming,
        second.seed,
    )


@every_kind
@pytest.mark.parametrize("plays", ["X", "O"])
def test_imported_machine_is_unchanged_and_learns_identically(db: menace.Database, preset: str, plays: str) -> None:
    machine = taught(preset, plays=plays)
    learner = db.add("adam", machine)
    assert_same(learner.machine(), machine)
    assert machine.learner_id == 0  # a machine in memory does not become a stored learner
    players = (machine, "random") if plays == "X" else ("random", machine)
    menace.play_games(*players, games=100, seed=2)
    learner.train("random", games=100, seed=2)
    assert_same(learner.machine(), machine)
    learner.copy("abel")
    added = next(run for run in db.runs if run.kind == "import")
    (block,) = db.store.blocks(added.run_id)
    assert db.verify().learners == 4
    assert db.verify(since=block.block_id).learners == 2
    assert next(iter(learner.curve().points)) == 150


def test_history_of_imported_machine_begins_at_import(db: menace.Database) -> None:
    learner = db.add("adam", taught("menace"))
    learner.train("random", games=20, seed=3)
    first, *_ = learner.history(".........")
    assert (first.what, first.games) == (f"run {db.runs[-2].run_id}: imported", 150)
    (trace,) = trace_learners(db.store, ["adam"], "first-box")
    assert (trace.games[0], trace.games[-1], trace.values[0]) == (
        150,
        170,
        first.view.box.beads if first.view.box else 0,
    )
    for name in ("abel", "cain", "seth"):
        db.add(name, taught("menace"))
    facts = facts_about(db.store, ["adam", "abel", "cain"])
    assert [known.taught for known in facts[:2]] == [
        "taught elsewhere, then trained against random",
        "taught elsewhere",
    ]
    assert facts[1].kin != facts[2].kin  # menace does not know how learners that were taught elsewhere are related


def test_lesson_after_import_can_be_undone_but_import_cannot(db: menace.Database) -> None:
    machine = taught("menace")
    learner = db.add("adam", machine)
    with pytest.raises(MenaceError, match="adam has not learned from a game with a person"):
        learner.forget()
    play_out(db.play("adam", seed=1))
    assert learner.games == 151
    learner.forget()
    assert_same(learner.machine(), machine)
    db.verify()
    learner.delete()
    db.add("adam", machine)
    db.verify()


def changed(edit: Callable[[Machine], None], preset: str = "menace") -> Machine:
    machine = taught(preset, games=10)
    edit(machine)
    return machine


def set_amount(value: Any, dtype: Any = None) -> Callable[[Machine], None]:
    def edit(machine: Machine) -> None:
        learned = machine.learned
        learned.amount = learned.amount.astype(dtype or learned.amount.dtype)
        learned.amount[np.flatnonzero(learned.kept)[0]] = value

    return edit


def set_learned(**values: Any) -> Callable[[Machine], None]:
    return lambda machine: vars(machine.learned).update(values)


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        (lambda: changed(set_amount(-1)), "beads is -1, not an integer"),
        (lambda: changed(set_amount(0.5, float)), "learned.amount is not an array of int32"),
        (lambda: changed(set_amount(np.nan), "zhang"), "nan"),
        (lambda: changed(set_amount(1e9), "zhang"), r"value is 1e\+09"),
        (lambda: changed(set_learned(games=-1)), "its games cannot be -1"),
        (lambda: changed(set_learned(games=2**61 + 1)), "learned from more than 2,305,843,009,213,693,952 games"),
        (lambda: changed(lambda m: m.learned.count.fill(2**62)), "learned from more than"),
        (lambda: changed(lambda m: m.learned.state.put(3, 99.0), "michie-1963-sliding"), "set_sum cannot be 99.0"),
        (lambda: changed(set_learned(games="many")), "'str' object"),
        (lambda: changed(set_learned(kept=np.ones(2096, bool))), "learned.kept does not match its settings"),
        (lambda: changed(set_learned(count=np.zeros(3, np.int64))), "learned.count is not an array of int64"),
        (lambda: changed(lambda m: m.learned.state.fill(2.0), "sala"), "its epsilon cannot be 2.0"),
        (lambda: changed(lambda m: m.learned.state.fill(np.nan), "sala"), "an epsilon .* or lacks one that .* require"),
        (lambda: changed(lambda m: vars(m).update(preset="zhang")), "there is no setting"),
        (lambda: changed(lambda m: vars(m).update(preset="x")), "there is no preset 'x'"),
        (lambda: "menace-x", "'menace-x' is not a machine in memory"),
    ],
)  # fmt: skip
def test_impossible_machine_is_refused_without_writing(
    db: menace.Database, machine: Callable[[], Machine], message: str
) -> None:
    before = db.store.rows("SELECT count(*), max(block_id) FROM block")
    with pytest.raises(MenaceError, match=message):
        db.add("adam", machine())
    assert db.store.rows("SELECT count(*), max(block_id) FROM block") == before
    assert "adam" not in db


def test_other_game_or_taken_name_is_refused(db: menace.Database) -> None:
    machine = Machine("menace", "X", enumerate_positions(menace.get_game(), "none"))
    with pytest.raises(
        InvalidGame, match=r"\(symmetry none\), but this database contains tictactoe 3x3x3 \(symmetry full\)"
    ):
        db.add("adam", machine)
    with pytest.raises(InvalidPlayer, match="already called 'menace-x'"):
        db.add("menace-x", Machine("menace", "X"))
    with pytest.raises(InvalidPlayer, match="choose another"):
        db.add("random", Machine("menace", "X"))


PILE = "position_id = 0 AND action = 0"
OPTIONS = "UPDATE run SET options = json('{}') WHERE kind = 'import'"
EDITS = {
    f"UPDATE imported SET amount = amount + 1 WHERE {PILE}": "the strength of adam",
    f"UPDATE imported SET amount = -1 WHERE {PILE}": "beads is -1",
    f"UPDATE imported SET amount = 1.5 WHERE {PILE}": "beads contains an entry that is not an integer",
    f"UPDATE imported SET updates = 7777 WHERE {PILE}": "learned 7,777 times",
    f"UPDATE imported SET action = NULL WHERE {PILE}": "is damaged",
    f"DELETE FROM imported WHERE {PILE}": "rows of machine adam are missing",
    "DELETE FROM imported": "rows of machine adam are missing",
    "UPDATE imported SET learner_id = 1": "entries of a learner that it does not import",
    "UPDATE imported SET block_id = 2": "rows of machine adam are missing",
    "INSERT INTO imported VALUES (2, 1, 0, 0, 7, 7, NULL)": "block 2 has imported entries, but is not an import",
    OPTIONS.format("{}"): "but its run does not record the earlier games",
    OPTIONS.format('{"imported": {"games": 7}}'): "the strength of adam",
    OPTIONS.format('{"imported": {"games": 150, "epsilon": 0.5}}'): "an epsilon",
    OPTIONS.format('{"imported": {"games": -1}}'): "not what a learner has learned",
    OPTIONS.format('{"imported": {"games": 150, "name": 1}}'): "not what a learner has learned",
    OPTIONS.format('{"imported": []}'): "not what a learner has learned",
    "UPDATE run SET kind = 'copy' WHERE kind = 'import'": "copy|block",
    "UPDATE block SET kind = 'recount' WHERE kind = 'import'": "but its run has blocks of kind import",
    "UPDATE run SET x_learner_id = 1 WHERE kind = 'import'": "entries of a learner that it does not import",
    "UPDATE learner SET created_at = '2020-01-01T00:00:00Z' WHERE name = 'adam'": "was created at 2020",
}


@pytest.mark.parametrize("sql", EDITS)
def test_verify_detects_changes_in_import(database: Path, sql: str) -> None:
    with menace.Database(database) as db:
        db.add("adam", taught("menace"))
        db.verify()
    edit(database, f"PRAGMA ignore_check_constraints = ON; {sql}")
    with menace.Database(database) as db, pytest.raises(VerificationFailed, match=EDITS[sql]):
        db.verify()


def test_history_handles_block_that_undoes_itself(database: Path) -> None:
    with menace.Database(database) as db:
        db.add("adam", taught("menace"))
    edit(database, OPTIONS.format('{"imported": {"games": 150}, "takes_back": 8}'))
    with menace.Database(database) as db:
        assert db["adam"].history(".........")[0].what.endswith("imported, undone later")


def test_verify_detects_learning_before_import(database: Path) -> None:
    with menace.Database(database) as db:
        db.add("adam", taught("menace"))
        db.add("abel", taught("menace"))
    edit(
        database,
        "UPDATE run SET x_learner_id = 3 WHERE x_learner_id = 4;"
        "UPDATE imported SET learner_id = 3 WHERE learner_id = 4",
    )
    with (
        menace.Database(database) as db,
        pytest.raises(VerificationFailed, match="3, which has earlier blocks"),
    ):
        db.verify()


# These files have the same form as those that users download from a page of an exported site
# (static/learner_memory.js).


def download(machine: Machine, exported: Machine, **edits: object) -> bytes:
    """Return the file that is downloaded for a machine that has learned since it was exported."""
    table = site_learner_record(exported, BeadNames(exported.positions, exported.naming))
    moves = range(machine.positions.move_count)
    saved = {
        "format": "menace memory",
        "version": 1,
        "print": table["print"],
        "epsilon": machine.learned.epsilon or 0.0,
    }
    saved |= {"weight": [int(machine.learned.amount[i]) for i in moves], "picked": machine.learned.count.tolist()}
    return json.dumps(saved | {"games": machine.learned.games - exported.learned.games} | edits).encode()


@pytest.mark.parametrize("preset", ["menace", "article-code"])
def test_machine_from_website_is_imported_with_beads(preset: str, trained: Run) -> None:
    with menace.Database("menace.db") as db:
        exported = db.new("pupil", "X", preset).machine()
        machine = exported.copy()
        menace.play_games(machine, "random", games=120, seed=4)
        Path("pupil.json").write_bytes(download(machine, exported))
    assert (
        ok(trained("merge", "pupil.json", "--into", "anna"))
        == f"anna plays X: {machine.algorithm.name}, after 120 games\n"
    )
    ok(trained("verify"))
    with menace.Database("menace.db") as db:
        assert_same(db["anna"].machine(), machine)


def test_invalid_download_is_refused_in_one_line(trained: Run) -> None:
    with menace.Database("menace.db") as db:
        exported = db.new("pupil", "X", "article-code").machine()
    files = {
        b"{": "that file contains no machine downloaded from a site",
        b'{"format": "menace memory", "version": 2}': "that file contains no machine downloaded from a site",
        download(
            exported, exported, format="menace machine"
        ): "that file was written by a version of menace before 0.1.0; the last commit that reads it is 4378f35a",
        download(exported, exported, print="0"): "no current machine in menace.db matches the exported one",
        download(exported, exported, weight=[1, 2]): "weight has not a number for each of 2,096 moves",
        download(exported, exported, picked=[0.5] * 2096): "picked contains an entry that is not an integer",
        download(exported, exported, games=-1): "games is -1",
        download(exported, exported, games="many"): "games contains an entry that is not an integer",
        download(exported, exported, weight=None): "that file is damaged",
        download(exported, exported, epsilon=10**400): "that file is damaged",
        bytes(MAX_FILE_SIZE + 1): "that file contains no machine downloaded from a site",
    }
    for content, message in files.items():
        Path("a.json").write_bytes(content)
        refused(trained("merge", "a.json", "--into", "anna"), message)
    assert "anna" not in ok(trained("learners"))


@pytest.fixture
def class_files(trained: Run) -> tuple[Run, Machine, list[Machine]]:
    """Return a `run` function for a folder with two pupils' files, the exported machine and the pupils' machines."""
    with menace.Database("menace.db") as db:
        exported = db.new("pupil", "X", "menace", beads=(4, 3, 2, 1), floor=1).machine()
    machines = [exported.copy(), exported.copy()]
    for name, machine, seed in zip(("anna", "ben (3)"), machines, (4, 5), strict=True):
        menace.play_games(machine, "perfect", games=60, seed=seed)
        Path(f"{name}.json").write_bytes(download(machine, exported))
    return trained, exported, machines


def test_changes_of_several_files_are_summed_within_limits(class_files: tuple[Run, Machine, list[Machine]]) -> None:
    run, base, machines = class_files
    files = ("anna.json", "ben (3).json")
    assert ok(run("merge", *files, "--into", "class")) == "class plays X: menace, after 120 games\n"
    assert ok(run("merge", *files)).split("\n")[:2] == [
        "anna plays X: menace, after 60 games",
        "ben 3 plays X: menace, after 60 games",
    ]
    ok(run("verify"))
    with menace.Database("menace.db") as db:
        assert_same(db["anna"].machine(), machines[0])
        assert_same(db["ben 3"].machine(), machines[1])
        total = db["class"].machine().learned
        assert [learner.name for learner in db.merge(files[:1])] == ["anna-2"]
    kept = total.kept
    before, *after = (machine.learned.amount.astype(int)[kept] for machine in (base, *machines))
    changes = sum(amount - before for amount in after)
    assert (before + changes < 1).any()  # in some piles, the lower limit of one bead applies
    np.testing.assert_array_equal(total.amount[kept], np.maximum(before + changes, 1))
    np.testing.assert_array_equal(total.count, sum(machine.learned.count for machine in machines))


def test_summed_piles_are_capped_and_epsilon_is_minimum() -> None:
    base = Machine("article-code", "X", epsilon=0.5)
    full, tried = base.copy(), base.copy()
    full.learned.amount[:] = MAX_BEADS
    tried.learned.state[0] = 0.25
    total = merge_machines(base, [full, full, tried]).learned
    assert (total.amount == MAX_BEADS).all()
    assert total.epsilon == 0.25


def test_merge_imports_machines_of_other_databases(trained: Run) -> None:
    shutil.copy("menace.db", "monday.db")
    ok(trained("merge", "monday.db"))
    ok(trained("verify"))
    with menace.Database("menace.db") as db:
        assert list(db)[2:] == ["monday-menace-x", "monday-menace-o"]
        assert_same(db["monday-menace-x"].machine(), db["menace-x"].machine())


def test_unmergeable_files_are_named_and_nothing_is_imported(class_files: tuple[Run, Machine, list[Machine]]) -> None:
    run, *_ = class_files
    Path("torn.json").write_text("{")
    menace.Database("hexapawn.db", "hexapawn").close()
    with menace.Database("menace.db") as db:
        other = db["menace-x"].machine()
        Path("other.json").write_bytes(download(other, other))
        names = list(db)
    cases: dict[tuple[str, ...], str] = {
        ("torn.json",): "torn.json: that file contains no machine downloaded from a site",
        ("none.json",): "none.json cannot be read: No such file or directory",
        (".",): ". cannot be read: Is a directory",
        ("hexapawn.db",): "hexapawn.db is of hexapawn 3x3 full, and menace.db of tictactoe 3x3x3 full",
        ("menace.db",): "menace.db is the database into which the machines are imported",
        ("--into", "class", "other.json"): "other.json: its machine is menace-x, and that of anna.json is pupil",
        ("--into", "class", "hexapawn.db"): "hexapawn.db: that file contains no machine downloaded from a site",
        ("--into", "menace-x"): "already called 'menace-x'",
        ("--into", "-"): "the name '-'",
    }
    for arguments, message in cases.items():
        refused(run("merge", "anna.json", *arguments), message)
    with menace.Database("menace.db") as db:
        assert list(db) == names


NAMES = ("menace-x", "menace-o", "Menace", "td1")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("patterns") / "menace.db") as store:
        for name in NAMES:
            new_learner(store, name, Side.O if name.endswith("o") else Side.X)
        yield store


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["*"], list(NAMES)),
        (["menace-*"], ["menace-x", "menace-o"]),
        (["menace-[!x]", "menace-?"], ["menace-o", "menace-x"]),
        (["td[12]"], ["td1"]),
        (["random", "nobody"], ["random", "nobody"]),  # names to which no pattern applies stay unchanged
    ],
)
def test_pattern_expands_to_matching_learners(store: Store, texts: list[str], names: list[str]) -> None:
    assert store.expand_names(texts) == names


def test_unmatched_pattern_is_refused_with_list_of_learners(store: Store) -> None:
    with pytest.raises(UnknownLearner, match=r"'x\*'.*existing machines: menace-x, menace-o, Menace"):
        store.expand_names(["menace-x", "x*"])
    # the message shows the pattern as it was typed
    with pytest.raises(UnknownLearner, match=r"matches 'x\\\*'; existing"):
        store.expand_names([r"x\*"])


def test_commands_accept_patterns(trained: Run) -> None:
    assert ok(trained("compare", "men*")) == ok(trained("compare", "menace-x", "menace-o"))
    assert "perfect" in ok(trained("compare", "men*-x", "perfect"))
    refused(trained("compare", "z*"), "'z*'", "menace-x, menace-o")
    refused(trained("plot", "outcomes", "z*", "a.svg"), "'z*'", "menace-x, menace-o")
    assert len(ok(trained("plot", "outcomes", "men*", "a.svg")).splitlines()) == 2
    assert trained("plot", "beads", "men*", "b.svg").code == 2  # a bead map can show only a single learner
    with menace.Database("menace.db") as db:
        db.plot("outcomes", "b.svg", ["menace-?"])
    assert Path("b.svg").read_bytes() == Path("a.svg").read_bytes()
