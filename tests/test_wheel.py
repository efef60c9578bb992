"""tools/check_wheel.py: a wheel that differs from the tree is detected."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "check_wheel.py"
TREE = {"menace/__init__.py": b"1", "menace/kernel.py": b"2", "menace/kernel.pxd": b"", "menace/db/schema.sql": b"3"}
KERNEL = {"menace/kernel.cpython-311-x86_64-linux-gnu.so": b"\x7fELF"}


@pytest.mark.parametrize(
    ("wheel", "messages"),
    [
        ({**TREE, **KERNEL}, []),
        (TREE, ["it has 0 compiled kernels, not one"]),
        ({**TREE, **KERNEL, "menace/kernel.cp313-win_amd64.pyd": b""}, ["it has 2 compiled kernels, not one"]),
        ({**TREE, **KERNEL, "menace/db/schema.sql": b"4"}, ["menace/db/schema.sql is another file"]),
        ({**TREE, **KERNEL, "menace/old.py": b""}, ["menace/old.py is not in the tree"]),
        (
            {"menace/__init__.py": b"1", "menace/kernel.py": b"2", **KERNEL},
            ["menace/db/schema.sql is missing", "menace/kernel.pxd is missing"],
        ),
    ],
)
def test_differences_are_reported(wheel: dict[str, bytes], messages: list[str]) -> None:
    spec = importlib.util.spec_from_file_location("check_wheel", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.differences(TREE, wheel) == messages
