"""Run the uncompiled kernel, or all of menace, under Pyodide in Node, and compare it with the compiled kernel.

    MENACE_PURE=1 python -m pip wheel --no-deps --wheel-dir dist .
    npm install --prefix /tmp/pyodide pyodide
    python tools/release/try_pyodide.py [--whole] /tmp/pyodide/node_modules/pyodide dist/...-none-any.whl

Both kernels play each match from tools/benchmarks/kernel.py, starting with new tables and using the same random
numbers. The results and the tables must be identical. The comparison needs only Pyodide's npm package and does not need
NumPy.

With `--whole`, Pyodide also runs commands that train, verify and measure, and the output of these commands must be
identical. For these commands, Pyodide downloads NumPy and other libraries from its own distribution.

The program exits with 1 if there are any differences. It requires Node and a compiled kernel.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from menace.games.enumeration import tictactoe
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.kernel import MATCHES, SEED, Match

from release.play_recorded import Maker

GAMES = 200  # the number of games in each match
COMMANDS = (
    ["selfplay", "--games", "200", "--seed", "1"],
    ["verify"],
    ["query", "openings"],
    ["strength", "menace-x"],
)
# type codes for arrays that are created without NumPy
KINDS = {"int32": "i", "int8": "b", "int64": "q", "float64": "d"}
OF_GRAPH = (
    "first_move",
    "next_position",
    "next_or_end",
    "multiplicity",
    "outcome",
    "to_move",
    "action_counts",
    "longest",
)


class Recorder:
    """A replacement for the kernel module that records each object's class and arguments as JSON."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.made = 0

    def __getattr__(self, name: str) -> Any:
        if not isinstance(getattr(kernel, name), type):
            return getattr(kernel, name)

        def make(*arguments: Any, **named: Any) -> dict[str, Any]:
            self.made += 1
            values = {key: self.spec(value) for key, value in named.items()}
            return {"object": self.made, "class": name, "arguments": list(map(self.spec, arguments)), "named": values}

        return make

    def spec(self, value: Any) -> Any:
        """Return an argument as JSON, in which each array is represented by its index in `arrays`."""
        if isinstance(value, Positions):
            return {"members": {name: self.spec(getattr(value, name)) for name in OF_GRAPH}}
        if isinstance(value, np.ndarray):
            numbers = [number for number, array in enumerate(self.arrays) if array is value]
            if not numbers:
                self.arrays.append(value)
            return {"array": numbers[0] if numbers else len(self.arrays) - 1}
        return value.item() if isinstance(value, np.generic) else value


def record_match(match: Match) -> dict[str, Any]:
    """Record a match, and return its initial state and its results."""
    positions, recorder = tictactoe(), Recorder()
    graph = recorder.Graph(positions)
    kinds = (np.int32, np.int32, np.int8, np.int8)
    record = recorder.Record(*(np.zeros(positions.longest, kind) for kind in kinds))
    x, o = (make_player(name, side, positions, graph, recorder) for side, name in enumerate((match.x, match.o)))
    begun = [(KINDS[array.dtype.name], array.tolist()) for array in recorder.arrays]
    made, outcomes = Maker(kernel, recorder.arrays), np.zeros(3, np.int64)
    numbers = kernel.RawNumbers(np.random.PCG64(SEED))
    played = kernel.play_games(*map(made.value, (graph, x, o, record)), numbers, GAMES, kernel.view(outcomes))
    return {
        "name": str(match),
        "games": GAMES,
        "numbers": np.random.PCG64(SEED).random_raw(played[1]).tolist(),
        "arrays": begun,
        "graph": graph,
        "x": x,
        "o": o,
        "record": record,
        "expected": {
            "played": list(played),
            "outcomes": outcomes.tolist(),
            "learned": [array.tolist() for array in recorder.arrays],
        },
    }


def make_player(name: str, side: int, positions: Positions, graph: Any, recorder: Recorder) -> Any:
    """Return a new player for a preset, or for `random`."""
    if name == "random":
        return recorder.FixedPlayer(graph, positions.multiplicity, positions.action_counts)
    preset = PRESETS[name]
    with contextlib.ExitStack() as stack:
        for module_name, module in tuple(sys.modules.items()):
            if module_name.startswith("menace.learners.") and hasattr(module, "kernel"):
                stack.enter_context(mock.patch.object(module, "kernel", recorder))
        return Machine.fresh(LEARNERS[preset.algorithm], preset.settings, positions, side).kernel_player(graph)


def run_commands() -> list[str]:
    """Run the commands in the current Python, and return their output without lines that contain seconds."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [[sys.executable, "-m", "menace", *command] for command in COMMANDS]
        outputs = [subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True).stdout for run in runs]
    return [line for line in "".join(outputs).splitlines() if " in " not in line]


def main() -> int:
    """Run the comparisons, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", action="store_true", help="also run commands")
    parser.add_argument("pyodide", type=Path, help="the folder of the npm package `pyodide`")
    parser.add_argument("wheel", type=Path, help="a wheel without a compiled kernel")
    options = parser.parse_args()
    if not kernel.COMPILED:
        sys.exit("the kernel is not compiled here; see CONTRIBUTING.md")
    commands = {"commands": COMMANDS, "printed": run_commands()} if options.whole else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording.json"
        path.write_text(json.dumps({"matches": [record_match(match) for match in MATCHES], **commands}))
        paths = (Path(__file__).with_name("try_pyodide.mjs"), options.pyodide, options.wheel, path)
        run = ["node", *(str(path.resolve()) for path in paths), "whole" if options.whole else "kernel"]
        return subprocess.run(run, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
