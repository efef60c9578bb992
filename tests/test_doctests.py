"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import menace

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(menace.__path__, "menace.")
    if not module.name.startswith("menace.db") and module.name not in {"menace.__main__", "menace.kernel"}
)


@pytest.mark.parametrize("name", ["menace", *MODULES])
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    found = [doctest.testmod(importlib.import_module(name)).attempted for name in MODULES]
    assert sum(found) > 15
