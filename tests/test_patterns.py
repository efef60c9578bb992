"""Patterns stand for the machines whose names match, in every command that takes several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Run, ok, refused
from templates import fresh_database

import menace
from menace.errors import UnknownLearner
from menace.games.base import Side
from menace.ledger.learners import new_learner
from menace.ledger.store import Store

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
        (["random", "nobody"], ["random", "nobody"]),  # who they are is for others to say
    ],
)
def test_a_pattern_is_all_learners_that_it_fits(store: Store, texts: list[str], names: list[str]) -> None:
    assert store.names_like(texts) == names


def test_a_pattern_that_fits_nobody_is_refused_with_those_that_there_are(store: Store) -> None:
    with pytest.raises(UnknownLearner, match=r"'x\*'.*there are: menace-x, menace-o, Menace"):
        store.names_like(["menace-x", "x*"])
    with pytest.raises(UnknownLearner, match=r"matches 'x\\\*'; there"):  # as it was typed
        store.names_like([r"x\*"])


def test_commands_take_patterns(trained: Run) -> None:
    assert ok(trained("compare", "men*")) == ok(trained("compare", "menace-x", "menace-o"))
    assert "perfect" in ok(trained("compare", "men*-x", "perfect"))
    refused(trained("compare", "z*"), "'z*'", "menace-x, menace-o")
    refused(trained("plot", "outcomes", "z*", "a.svg"), "'z*'", "menace-x, menace-o")
    assert len(ok(trained("plot", "outcomes", "men*", "a.svg")).splitlines()) == 2
    assert trained("plot", "beads", "men*", "b.svg").code == 2  # a map shows one learner
    with menace.Database("menace.db") as db:
        db.plot("outcomes", "b.svg", ["menace-?"])
    assert Path("b.svg").read_bytes() == Path("a.svg").read_bytes()
