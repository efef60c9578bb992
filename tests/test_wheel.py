"""tools/check_wheel.py: a wheel that differs from the tree is detected. tools/lowest_versions.py: lowest versions."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parents[1] / "tools"
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
    assert loaded("check_wheel").differences(TREE, wheel) == messages


def loaded(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_each_library_that_users_have_is_constrained_to_its_lowest_version(tmp_path: Path) -> None:
    tool = loaded("lowest_versions")
    setup = tmp_path / "setup.cfg"
    extras = "".join(f"{extra} =\n    {extra}-library[x]>=1.2,<2\n" for extra in tool.EXTRAS)
    setup.write_text(f"[options]\ninstall_requires =\n    click>=8.3\n[options.extras_require]\n{extras}")
    assert tool.constraints(setup) == ["click==8.3", *(f"{extra}-library==1.2" for extra in sorted(tool.EXTRAS))]
    assert {"numpy", "matplotlib", "datasette", "dask"} <= {line.partition("==")[0] for line in tool.constraints()}
