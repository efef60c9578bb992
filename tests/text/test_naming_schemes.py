"""Tests of the bead colours and cell numbering that a learner stores and that options override."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from kernel_games import TICTACTOE_PRESETS

from menace.errors import InvalidSetting, VerificationFailed
from menace.labels import LabelSheet
from menace.labels.kit import load_kit
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import copy_learner
from menace.text.bead_colours import MICHIE, OWN, SCHEMES, Naming

pytestmark = pytest.mark.slow

NAMINGS = [Naming(*schemes) for schemes in itertools.product(SCHEMES, SCHEMES)]


def options(naming: Naming) -> list[str]:
    return ["--colours", naming.colours, "--numbering", naming.numbering]


@pytest.mark.parametrize("naming", [MICHIE, Naming("menace", "michie")], ids="-".join)
def test_commands_use_stored_schemes_unless_overridden(
    naming: Naming, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _question: "quit")
    ok(run("new", "adam", "--plays", "X", *options(naming)))
    for command in ("contents", "physical"):
        assert ok(run(command, "adam")) == ok(run(command, "adam", *options(naming)))
        assert ok(run(command, "adam")) != ok(run(command, "adam", *options(OWN)))
    count = ok(run("contents", "adam", "--csv")).splitlines()
    counted = "\n".join([count[0], *(f"{line}4" for line in count[1:4])])
    Path("count.csv").write_text(counted)
    assert "3 of 1,087 piles counted; all counts agree" in ok(run("recount", "adam", "count.csv"))
    ok(run("export", "own/", "--learner", "adam"))
    ok(run("export", "said/", "--learner", "adam", *options(naming)))
    ok(run("export", "ours/", "--learner", "adam", *options(OWN)))
    own, given, ours = (Path(folder, "machine-adam.js").read_text() for folder in ("own", "said", "ours"))
    assert own == given != ours


def test_labels_use_stored_schemes_unless_overridden(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        for naming in NAMINGS:
            new_learner(store, "-".join(naming), "X", colours=naming.colours, numbering=naming.numbering)
        for naming in NAMINGS:
            name = "-".join(naming)
            assert load_kit(store, name, LabelSheet()).names.naming == naming
            assert load_kit(store, name, LabelSheet(colours="michie")).names.naming == naming.with_schemes(
                colours="michie"
            )
            assert load_kit(store, name, LabelSheet(numbering="menace")).names.naming == naming.with_schemes(
                numbering="menace"
            )


@pytest.mark.parametrize("preset", TICTACTOE_PRESETS)
def test_default_schemes_depend_on_preset(preset: str, tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        row = new_learner(store, "a", TICTACTOE_PRESETS[preset].plays[0], preset)
        assert row.naming == (MICHIE if preset.startswith("michie") else OWN)
        half = new_learner(store, "b", TICTACTOE_PRESETS[preset].plays[0], preset, colours="menace", numbering="michie")
        assert half.naming == ("menace", "michie")
        assert copy_learner(store, "b", "c").naming == half.naming
        assert verify(store).learners == 3


@pytest.mark.parametrize("game", ["nim", "hexapawn"])
@pytest.mark.parametrize("option", ["--colours", "--numbering"])
def test_michie_schemes_are_refused_for_other_games(game: str, option: str, run: Run) -> None:
    create_database("menace.db", game, "3-4-5" if game == "nim" else "3x3").close()
    refused(run("new", "adam", "--plays", "X", option, "michie"), "use the 'menace' schemes")
    ok(run("new", "odds", "--plays", "X", "--preset", "michie-1963"))
    ok(run("new", "adam", "--plays", "X"))
    refused(run("contents", "adam", option, "michie"), "use the 'menace' schemes")
    with closing(sqlite3.connect("menace.db")) as file:
        assert set(file.execute("SELECT colours, numbering FROM learner")) == {("menace", "menace")}
    assert "box" in ok(run("contents", "adam"))


def test_unknown_and_unsuitable_schemes_are_refused(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db", "2x4x3") as store:
        with pytest.raises(InvalidSetting, match="colours='pink' is not one of menace, michie"):
            new_learner(store, "a", "X", colours="pink")  # type: ignore[arg-type]
        with pytest.raises(InvalidSetting, match="nine cells, not 8"):
            new_learner(store, "a", "X", numbering="michie")
        assert new_learner(store, "a", "X", "michie-1963").naming == OWN
        verify(store)
        with store.transaction():
            store.database.execute("UPDATE learner SET numbering = 'michie'")
        with pytest.raises(VerificationFailed, match="machine a: the 'michie' numbering needs nine cells"):
            verify(store)
