"""Run the examples in docstrings.

The examples in each docstring run separately, in an empty directory, with the names of their module. Examples that use
`db` or `store` also get a new database, which is the result of `menace selfplay --games 100 --seed 1` and contains the
tic-tac-toe machines `menace-x` and `menace-o`. `db` is a `menace.Database`, and `store` is the database's attribute
`store`.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
from pathlib import Path

import notakto
import pytest
from database_templates import trained_bytes

import menace
from menace.errors import MissingExtra
from menace.games import get_game

# importing `menace.__main__` would run a command, and the kernel is compiled
EXCLUDED = ("menace.__main__", "menace.kernel.loop")
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(menace.__path__, "menace.")
    if not module.name.startswith("menace.db") and module.name not in EXCLUDED
)
DATABASE_NAMES = re.compile(r"(?<![.\w])(db|store)\b")


@pytest.mark.parametrize("name", ["menace", *MODULES])
def test_examples_of_module_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = doctest.DocTestRunner()
    for number, example in enumerate(find_examples(name)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        run_docstring(runner, example)
    assert runner.failures == 0


def test_examples_of_notakto_run() -> None:
    runner, module = doctest.DocTestRunner(), sys.modules[type(get_game(*notakto.TWO)).__module__]
    examples = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert len(examples) > 1
    for example in examples:
        runner.run(example)
    assert runner.failures == 0


def find_examples(name: str) -> list[doctest.DocTest]:
    """Return the examples of a module as one test per docstring."""
    try:
        module = importlib.import_module(name)
    except MissingExtra as missing:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)(str(missing))
    return doctest.DocTestFinder().find(module)


def run_docstring(runner: doctest.DocTestRunner, test: doctest.DocTest) -> None:
    """Run the examples of one docstring in the current directory."""
    if not any(DATABASE_NAMES.search(example.source) for example in test.examples):
        runner.run(test)
        return
    Path("menace.db").write_bytes(trained_bytes(100))
    with menace.Database("menace.db") as db:
        test.globs |= {"db": db, "store": db.store}
        runner.run(test)


def test_a_third_of_public_definitions_have_examples() -> None:
    public = {f"{name}.{defined}" for name in ["menace", *MODULES, *EXCLUDED] for defined in public_names(name)}
    shown = {test.name for name in ["menace", *MODULES] for test in find_examples(name) if test.examples}
    assert len(public) > 500
    assert len(public & shown) * 3 >= len(public)


def test_doctest_finds_every_example() -> None:
    hidden = []
    for name in ["menace", *MODULES]:
        nodes = ast.walk(ast.parse(module_source(name)))
        documented = [node for node in nodes if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))]
        written = sum((ast.get_docstring(node) or "").count(">>> ") for node in documented)
        if sum(len(test.examples) for test in find_examples(name)) != written:
            hidden.append(name)
    assert hidden == []


def public_names(name: str) -> set[str]:
    """Return the names of the public functions and classes that a module defines."""
    body = ast.parse(module_source(name)).body
    names = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return {name for name in names if not name.startswith("_")}


def module_source(name: str) -> str:
    """Return the source code of a module, even if the module is the compiled kernel."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin)
    return (file.with_name("loop.py") if name == "menace.kernel.loop" else file).read_text(encoding="utf-8")
