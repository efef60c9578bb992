"""tools/check_wheel.py: a wheel or an sdist that differs from the tree is detected."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import check_wheel  # noqa: E402 - what is tested

TREE = {"menace/__init__.py": b"1", "menace/kernel/loop.py": b"2", "menace/kernel/loop.pxd": b"", "db/schema.sql": b"3"}
WHEEL = {name.replace("db/", "menace/db/"): content for name, content in TREE.items()}
ABI3, PURE = "matchbox_menace-0.1.0-cp311-abi3-linux_x86_64.whl", "matchbox_menace-0.1.0-py3-none-any.whl"
WINDOWS, NO_LOCK = ABI3.replace("linux_x86_64", "win_amd64"), ABI3.replace("cp311-abi3", "cp314-cp314t")
ONE_PYTHON = ABI3.replace("abi3", "cp311")
KERNEL = {"menace/kernel.abi3.so": b"\x7fELF"}
OF_311, OF_314T = "menace/kernel.cpython-311-x86_64-linux-gnu.so", "menace/kernel.cpython-314t-x86_64-linux-gnu.so"


@pytest.mark.parametrize(
    ("name", "wheel", "messages"),
    [
        (ABI3, {**WHEEL, **KERNEL}, []),
        (WINDOWS, {**WHEEL, "menace/kernel.pyd": b"MZ"}, []),
        (NO_LOCK, {**WHEEL, OF_314T: b"\x7fELF"}, []),
        (PURE, WHEEL, []),
        (ABI3, WHEEL, ["it has 0 compiled kernels that fit abi3, not 1"]),
        (PURE, {**WHEEL, **KERNEL}, ["menace/kernel.abi3.so is not in the tree"]),
        (
            ABI3,
            {**WHEEL, OF_311: b"\x7fELF"},
            ["it has 0 compiled kernels that fit abi3, not 1", f"{OF_311} is not in the tree"],
        ),
        (
            ONE_PYTHON,
            {**WHEEL, OF_311: b"\x7fELF"},
            ["it has 0 compiled kernels that fit cp311, not 1", f"{OF_311} is not in the tree"],
        ),
        (ABI3, {**WHEEL, **KERNEL, OF_311: b"\x7fELF"}, [f"{OF_311} is not in the tree"]),
        (ABI3, {**WHEEL, **KERNEL, "menace/kernel.pyd": b""}, ["it has 2 compiled kernels that fit abi3, not 1"]),
        (ABI3, {**WHEEL, **KERNEL, "menace/db/schema.sql": b"4"}, ["menace/db/schema.sql is another file"]),
        (ABI3, {**WHEEL, **KERNEL, "menace/old.py": b""}, ["menace/old.py is not in the tree"]),
        (
            ABI3,
            {"menace/__init__.py": b"1", "menace/kernel/loop.py": b"2", **KERNEL},
            ["menace/db/schema.sql is missing", "menace/kernel/loop.pxd is missing"],
        ),
    ],
)
def test_differences_of_a_wheel_are_reported(name: str, wheel: dict[str, bytes], messages: list[str]) -> None:
    assert check_wheel.wheel_differences(TREE, wheel, name) == messages


def sdist_of(files: dict[str, bytes], path: Path) -> Path:
    with tarfile.open(path, "w:gz") as sdist:
        for name, content in files.items():
            member = tarfile.TarInfo(f"matchbox_menace-0.1.0/{name}")
            member.size = len(content)
            sdist.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {
                "PKG-INFO": b"Name: matchbox-menace",
                "setup.cfg": b"[metadata]",
                "matchbox_menace.egg-info/SOURCES.txt": b"",
            },
            "",
        ),
        ({"db/schema.sql": b"4"}, "db/schema.sql is another file\n"),
        ({"build/kernel.py": b""}, "build/kernel.py is not in the tree\n"),
    ],
)
def test_differences_of_an_sdist_are_reported(
    changes: dict[str, bytes],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = sdist_of({**TREE, **changes}, tmp_path / "matchbox_menace-0.1.0.tar.gz")
    monkeypatch.setattr(check_wheel, "of_tree", lambda *_: {**TREE, "setup.cfg": b"# a comment\n[metadata]"})
    monkeypatch.setattr(sys, "argv", ["check_wheel.py", str(path)])
    assert check_wheel.main() == bool(said)
    assert capsys.readouterr().out == (said and f"{path}: {said}")


def test_a_wheel_is_read_without_what_installers_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / PURE
    with ZipFile(path, "w") as wheel:
        for name, content in {**WHEEL, "matchbox_menace-0.1.0.dist-info/RECORD": b""}.items():
            wheel.writestr(name, content)
    monkeypatch.setattr(check_wheel, "of_tree", lambda *_: {**TREE, "menace/new.py": b""})
    monkeypatch.setattr(sys, "argv", ["check_wheel.py", str(path)])
    assert check_wheel.main() == 1
    assert capsys.readouterr().out == f"{path}: menace/new.py is missing\n"
