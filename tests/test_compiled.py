"""The compiled kernel does what its source does: the same games, and the same tables to the bit, for every learner."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench import (
    BEAD_SEATS,
    SEATS,
    learned,
    new_machine,
    of_preset,
    play,
    raw_numbers,
    source_path,
    uncompiled_kernel,
)

from menace import kernel
from menace.games.positions import Positions
from menace.learners import PRESETS
from menace.learners.menace import MenaceSettings

OPPONENTS = ("random", "optimal", "perfect", "imperfect:0.25", "machine")
RULES = ("resign", "restock", "random")

# What no preset sets so.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "zhang": [
        {"epsilon": 0.7, "epsilon_decay": 0.99, "epsilon_least": 0.1, "ties": "first"},
        {"epsilon": 0.5, "from_exploration": True, "draw": 0.25, "loss": -3.0, "alpha": 0.3},
    ],
    "value-function": [{"from_exploration": False, "epsilon": 0.9, "epsilon_first": True, "epsilon_decay": 0.5}],
    "q-table": [{"order": "forward", "ties": "random", "gamma": 0.9}, {"epsilon": 0.1, "final": "step", "draw": 0.3}],
    "q-learning": [{"order": "backward", "gamma": 0.7, "final": "set", "epsilon": 0.6}, {"epsilon_decay": 0.9}],
    "michie-1963": [{"growth": 1.5, "last": 3.0}],
    "michie-1963-sliding": [{"memory": 0.5, "growth": 2.0}],
    "article-code": [
        {"epsilon": 0.8, "epsilon_decay": 0.99, "epsilon_least": 0.2, "floor": 0, "boxes": "all"},
        {"epsilon": 0.3, "rewards": "outcome", "win": 3, "draw": 1, "loss": -2},
    ],
}
CASES = [
    *((*seat, {}) for seat in SEATS),
    *((*seat, {"when_empty": rule}) for seat in BEAD_SEATS for rule in RULES),
    *((*seat, changes) for seat in SEATS for changes in VARIANTS.get(seat[0], ())),
]


def test_the_source_runs_uncompiled() -> None:
    module = uncompiled_kernel()
    assert module.cython.compiled is False
    assert module.COMPILED is False
    assert module.__file__ == str(source_path())


@pytest.mark.slow
def test_a_compiler_that_fails_does_not_stop_the_installation(tmp_path: Path) -> None:
    """With a kernel of one line in place of ours, which Cython is done with at once."""
    shutil.copy(Path(__file__).parents[1] / "setup.py", tmp_path)
    (tmp_path / "menace").mkdir()
    (tmp_path / "menace" / "kernel.py").write_text('SOURCE_HASH = ""\n')
    environment = os.environ | {"CC": "/bin/false"}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    built = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert list((tmp_path / "build").glob("*.c")), built.stderr  # the compiler was asked
    assert not list((tmp_path / "menace").glob("*.so"))


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to go stale")
def test_the_compiled_kernel_is_that_of_its_source() -> None:
    assert hashlib.sha256(source_path().read_bytes()).hexdigest() == kernel.SOURCE_HASH


@pytest.mark.skipif(not kernel.COMPILED, reason="no compiled kernel is installed; there is nothing to compare with")
@pytest.mark.parametrize(("name", "side", "changes"), CASES)
def test_the_compiled_kernel_does_what_the_uncompiled_one_does(
    positions: Positions, name: str, side: int, changes: dict[str, Any]
) -> None:
    rule = getattr(PRESETS[name].settings, "when_empty", "resign")
    hard = MenaceSettings(beads=(2, 1), win=1, draw=0, loss=-1, when_empty=rule)  # its boxes are soon empty
    for opponent in OPPONENTS:
        for learns, epsilon in ((True, -1.0), (False, -1.0), (True, 0.25)):
            found = []
            for engine in (kernel, uncompiled_kernel()):
                own = dataclasses.replace(of_preset(positions, name, side, **changes), learns=learns, epsilon=epsilon)
                other = new_machine(positions, 1 - side, hard) if opponent == "machine" else opponent
                x, o = (own, other) if side == 0 else (other, own)
                played = play(positions, x, o, raw_numbers(11, 1800), 200, engine)
                found.append((dataclasses.astuple(played), learned(own, other)))
            assert found[0] == found[1]
            assert (found[0][1][:1] == learned(of_preset(positions, name, side, **changes))) is not learns
