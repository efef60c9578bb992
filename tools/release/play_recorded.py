"""Replay, without NumPy, the matches that try_pyodide.py recorded, and compare the results.

The program runs in the environment to be tested, such as Pyodide. Matches need only Python and the kernel, whereas
commands need all libraries.
"""

from __future__ import annotations

import contextlib
import io
from array import array
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any


class Maker:
    """Creates the kernel's objects and their arguments from a recording, and shares those that were shared."""

    def __init__(self, kernel: ModuleType, arrays: Sequence[Any]) -> None:
        self.kernel, self.arrays = kernel, arrays
        self.objects: dict[int, Any] = {}

    def value(self, spec: Any) -> Any:
        """Return a recorded value: an array, an object or a number."""
        if not isinstance(spec, dict):
            return spec
        if "array" in spec:
            return self.arrays[spec["array"]]
        if "members" in spec:
            return SimpleNamespace(**{name: self.value(member) for name, member in spec["members"].items()})
        number = spec["object"]
        if number not in self.objects:
            arguments = [self.value(argument) for argument in spec["arguments"]]
            named = {name: self.value(argument) for name, argument in spec["named"].items()}
            self.objects[number] = getattr(self.kernel, spec["class"])(*arguments, **named)
        return self.objects[number]


def compare_match(match: dict[str, Any], kernel: ModuleType) -> list[str]:
    """Play a recorded match with an uncompiled kernel, and return all differences from the recording."""
    arrays = [array(kind, values) for kind, values in match["arrays"]]
    made, outcomes = Maker(kernel, arrays), array("q", [0, 0, 0])
    numbers = kernel.RawNumbers(SimpleNamespace(random_raw=iter(match["numbers"]).__next__))
    seats = [made.value(match[name]) for name in ("graph", "x", "o", "record")]
    played = kernel.play_games(*seats, numbers, match["games"], kernel.view(outcomes))
    expected = match["expected"]
    learned = [array(values.typecode, after) for values, after in zip(arrays, expected["learned"], strict=True)]
    same = {
        "numbers used": list(played) == expected["played"],
        "outcomes": list(outcomes) == expected["outcomes"],
        "what was learned": [values.tobytes() for values in arrays] == [values.tobytes() for values in learned],
    }
    return [what for what, is_so in same.items() if not is_so]


def compare_output(commands: list[list[str]], printed: list[str]) -> list[str]:
    """Run commands, and return the lines that differ from the recorded output, ignoring lines that contain seconds."""
    from unittest import mock

    from menace.cli import main

    out = io.StringIO()
    for command in commands:
        with mock.patch("sys.argv", ["menace", *command]), contextlib.redirect_stdout(out):
            try:
                main()
            except SystemExit as end:
                if end.code:
                    raise
    lines = [line for line in out.getvalue().splitlines() if " in " not in line]
    return [line for line in [*lines, *printed] if (line in lines) != (line in printed)]
