"""The examples in docstrings run.

Each is run by itself, in an empty directory, with the names of its module. Where it says `db` or `store`, it is given a
database of its own too, as `menace selfplay --games 100 --seed 1` leaves it: tic-tac-toe, and the learners `menace-x`
and `menace-o`. `db` is the `menace.Database`, `store` its `store`.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from templates import trained_bytes

import menace

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(menace.__path__, "menace.")
    if not module.name.startswith("menace.db") and module.name not in {"menace.__main__", "menace.kernel"}
)
GIVEN = re.compile(r"(?<![.\w])(db|store)\b")


@pytest.mark.parametrize("name", ["menace", *MODULES])
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = doctest.DocTestRunner()
    for number, example in enumerate(doctest.DocTestFinder().find(importlib.import_module(name))):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        run(runner, example)
    assert runner.failures == 0


def run(runner: doctest.DocTestRunner, test: doctest.DocTest) -> None:
    """Run the examples of one docstring, in the current directory."""
    if not any(GIVEN.search(example.source) for example in test.examples):
        runner.run(test)
        return
    Path("menace.db").write_bytes(trained_bytes(100))
    with menace.Database("menace.db") as db:
        test.globs |= {"db": db, "store": db.store}
        runner.run(test)


def test_there_are_examples() -> None:
    found = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(len(test.examples) for tests in found for test in tests) > 60
