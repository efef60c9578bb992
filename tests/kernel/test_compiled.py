"""Tests that the compiled kernel plays the same games as its source and fills the same tables, bit for bit."""

from __future__ import annotations

import configparser
import dataclasses
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from checkout import ROOT
from kernel_games import (
    BEAD_SEATS,
    COVERING_PRESETS,
    SEATS,
    learned_bytes,
    load_uncompiled_kernel,
    machine_of_preset,
    new_machine,
    play,
    raw_numbers,
    source_path,
)

import menace.kernel as kernel_folder
from menace.games.positions import Positions
from menace.kernel import loop as kernel, without_cython
from menace.learners.algorithms.beads import MenaceSettings
from menace.learners.registry import PRESETS

# The kernel uses a single class for all fixed players. They differ only in their weights.
OPPONENTS = [(name, True, -1.0) for name in ("random", "imperfect:0.25", "machine")]
OPPONENTS += [("random", False, -1.0), ("random", True, 0.25)]  # without learning, and with a different epsilon
RULES = ("resign", "restock", "random", "restock-colour")

# Settings that no preset uses.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "zhang": [
        {"epsilon": 0.7, "epsilon_decay": 0.99, "epsilon_least": 0.1, "ties": "first"},
        {"epsilon": 0.5, "from_exploration": True, "draw": 0.25, "loss": -3.0, "alpha": 0.3},
    ],
    "value-function": [{"from_exploration": False, "epsilon": 0.9, "epsilon_first": True, "epsilon_decay": 0.5}],
    "q-table": [
        {"order": "forward", "ties": "random", "gamma": 0.9},
        {"order": "backward", "epsilon": 0.1, "final": "step", "draw": 0.3},
    ],
    "sala": [{"order": "backward", "gamma": 0.7, "final": "set", "epsilon": 0.6}, {"epsilon_decay": 0.9}],
    "michie-1963": [{"growth": 1.5, "last": 3.0}, {"steepness": 1.3, "counts_forced": True}],
    "michie-1963-sliding": [{"memory": 0.5, "growth": 2.0}],
    "michie-1963-hundreds": [{"memory": 0.7, "set_size": 7}],
    "article-code": [
        {"epsilon": 0.8, "epsilon_decay": 0.99, "epsilon_least": 0.2, "floor": 0, "boxes": "all"},
        {"epsilon": 0.3, "rewards": "outcome", "win": 3, "draw": 1, "loss": -2},
    ],
}
CASES = [
    *((*seat, {}) for seat in SEATS),
    *((*seat, {"when_empty": rule}) for seat in BEAD_SEATS if seat[0] in COVERING_PRESETS for rule in RULES),
    *((*seat, changes) for seat in SEATS for changes in VARIANTS.get(seat[0], ())),
]


def test_kernel_source_runs_uncompiled() -> None:
    module = load_uncompiled_kernel()
    assert module.cython is without_cython
    assert module.COMPILED is False
    assert module.__file__ == str(source_path())


def constants(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if name.isupper()}


def test_uncompiled_kernel_has_same_constants_with_cython() -> None:
    cython = pytest.importorskip("cython", reason="Cython is not installed")
    module = ModuleType("kernel_with_cython")
    exec(compile(source_path().read_text(), "kernel/loop.py", "exec"), vars(module))
    assert vars(module)["cython"] is cython
    assert constants(module) == constants(load_uncompiled_kernel())
    assert len(constants(module)) > 10


def build_without_compiler(folder: Path) -> str:
    """Run setup.py in `folder` with a compiler that always fails, and return the C code that Cython generated."""
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    environment = os.environ | {"CC": "/bin/false"}
    built = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return (folder / "build" / "kernel.c").read_text()


@pytest.mark.slow
def test_build_survives_failing_compiler_and_hashes_types(tmp_path: Path) -> None:
    """The test uses a two-line kernel, which Cython translates quickly."""
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "menace" / "kernel").mkdir(parents=True)
    for package in ("menace", "menace/kernel"):
        (tmp_path / package / "__init__.py").touch()
    source, types = (tmp_path / "menace" / "kernel" / name for name in ("loop.py", "loop.pxd"))
    source.write_text('SOURCE_HASH = ""\nlimit = 1\n')
    for kind in ("int", "double"):
        types.write_text(f"cdef {kind} limit\n")
        made = build_without_compiler(tmp_path)  # the file exists only if Cython has run
        assert f"static {kind} __pyx_v_6menace_6kernel_4loop_limit;" in made
        assert hashlib.sha256(source.read_bytes() + types.read_bytes()).hexdigest() in made
    assert not list((tmp_path / "menace").rglob("*.so"))


@pytest.mark.parametrize("name", ["loop.py", "loop.pxd"])
def test_changed_source_or_types_make_compiled_kernel_stale(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "COMPILED", True)
    monkeypatch.setattr(kernel, "SOURCE_HASH", kernel_folder.source_hash())
    assert kernel_folder.kernel_state() == "compiled"
    monkeypatch.setattr(kernel_folder, "SOURCES", [Path(shutil.copy(path, tmp_path)) for path in kernel_folder.SOURCES])
    assert kernel_folder.kernel_state() == "compiled"
    with (tmp_path / name).open("a") as file:
        file.write("# changed\n")
    assert kernel_folder.kernel_state().endswith(f"(delete {Path(kernel.__file__).name} and install again)")


def test_kernel_sources_are_package_data() -> None:
    """Without kernel/loop.pxd, an sdist builds a different kernel, and menace cannot detect a stale kernel."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg")
    data = settings["options.package_data"]["menace.kernel"].split(", ")
    assert [path.name for path in kernel_folder.SOURCES if path.suffix != ".py" and f"*{path.suffix}" not in data] == []


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to go stale")
def test_compiled_kernel_hash_matches_source() -> None:
    source = source_path().read_bytes() + source_path().with_suffix(".pxd").read_bytes()
    assert hashlib.sha256(source).hexdigest() == kernel.SOURCE_HASH


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to compare with")
@pytest.mark.parametrize(("name", "side", "changes"), CASES)
def test_compiled_and_uncompiled_kernels_agree(
    positions: Positions, name: str, side: int, changes: dict[str, Any]
) -> None:
    rule = getattr(PRESETS[name].settings, "when_empty", "resign")
    # these settings quickly empty the boxes
    hard = MenaceSettings(beads=(2, 1), win=1, draw=0, loss=-1, when_empty=rule)
    fresh = machine_of_preset(positions, name, side, **changes)
    for opponent, learns, epsilon in OPPONENTS:
        results = []
        for engine in (kernel, load_uncompiled_kernel()):
            own = dataclasses.replace(fresh, learned=fresh.learned.copy(), learns=learns, epsilon=epsilon)
            rival = new_machine(positions, 1 - side, hard) if opponent == "machine" else opponent
            x, o = (own, rival) if side == 0 else (rival, own)
            played = play(positions, x, o, raw_numbers(11, 1800), 200, engine)
            results.append((dataclasses.astuple(played), learned_bytes(own, rival)))
        assert results[0] == results[1]
        assert (results[0][1][:1] == learned_bytes(fresh)) is not learns


def test_kernel_rejects_none_arguments() -> None:
    """If the kernel did not check for None, the compiled code would read invalid memory."""
    with pytest.raises((TypeError, AttributeError)):
        kernel.play_games(None, None, None, None, None, 1, np.zeros(3, np.int64))
