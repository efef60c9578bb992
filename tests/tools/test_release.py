"""Tests that workflows, wheels and the lowest versions of libraries match setup.cfg and the source tree."""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
from configparser import ConfigParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from checkout import ROOT
from kernel_games import load_uncompiled_kernel
from release import check_wheel, lowest_versions, play_recorded, try_pyodide

import menace

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOSTED = [*WORKFLOWS, *(ROOT / name for name in (".readthedocs.yaml", "CITATION.cff", "Dockerfile"))]
SETUP = ConfigParser()
SETUP.read(ROOT / "setup.cfg")
PYTHONS = re.findall(r":: Python :: (3\.\d+)", SETUP["metadata"]["classifiers"])


def load_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in load_yaml(workflow)["jobs"].values() for step in job["steps"]]


def test_workflow_runs_on_all_supported_pythons() -> None:
    matrix = load_yaml(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_programs_exist(workflow: Path) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+(\.\d+)*|release/v1)", name)] == []
    run = "\n".join(step.get("run", "") for step in steps(workflow))
    assert [path for path in re.findall(r"(?:tools|\.ci)/[\w./]+", run) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("path", HOSTED, ids=lambda path: path.name)
def test_extras_exist_and_files_contain_no_addresses(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"(?:\.|\*\.whl\)|extra_requirements: )\[([\w, ]+)\]", text)
    extras = {extra.strip() for names in named for extra in names.split(",")}
    assert extras <= set(SETUP["options.extras_require"])
    assert bool(extras) == (path.name not in {"CITATION.cff", "release.yml"})
    assert re.findall(r"https?://\S+", text) == []


def test_citation_has_this_version() -> None:
    cited = load_yaml(ROOT / "CITATION.cff")
    assert (cited["version"], cited["license"]) == (menace.__version__, SETUP["metadata"]["license"])


def test_second_script_is_named_after_the_distribution() -> None:
    scripts = dict(line.split(" = ") for line in SETUP["options.entry_points"]["console_scripts"].split("\n")[1:])
    assert set(scripts) == {"menace", SETUP["metadata"]["name"]}
    assert len(set(scripts.values())) == 1


@pytest.mark.parametrize("name", ["menace", "zhang"])
def test_recorded_match_is_replayed_without_numpy_and_changes_are_detected(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_pyodide, "GAMES", 50)
    match = next(match for match in try_pyodide.MATCHES if match.x == name)
    recorded = json.loads(json.dumps(try_pyodide.record_match(match)))
    assert play_recorded.compare_match(recorded, load_uncompiled_kernel()) == []
    recorded["expected"]["outcomes"][0] += 1
    recorded["expected"]["learned"][-5][0] += 1
    assert play_recorded.compare_match(recorded, load_uncompiled_kernel()) == ["outcomes", "what was learned"]


TREE = {"menace/__init__.py": b"1", "menace/kernel/loop.py": b"2", "menace/kernel/loop.pxd": b"", "db/schema.sql": b"3"}
WHEEL = {name.replace("db/", "menace/db/"): content for name, content in TREE.items()}
ABI3, PURE = "matchbox_menace-0.1.0-cp311-abi3-linux_x86_64.whl", "matchbox_menace-0.1.0-py3-none-any.whl"
WINDOWS, NO_LOCK = ABI3.replace("linux_x86_64", "win_amd64"), ABI3.replace("cp311-abi3", "cp314-cp314t")
ONE_PYTHON = ABI3.replace("abi3", "cp311")
KERNEL = {"menace/kernel/loop.abi3.so": b"\x7fELF"}
OF_311, OF_314T = (
    "menace/kernel/loop.cpython-311-x86_64-linux-gnu.so",
    "menace/kernel/loop.cpython-314t-x86_64-linux-gnu.so",
)


@pytest.mark.parametrize(
    ("name", "wheel", "messages"),
    [
        (ABI3, {**WHEEL, **KERNEL}, []),
        (WINDOWS, {**WHEEL, "menace/kernel/loop.pyd": b"MZ"}, []),
        (NO_LOCK, {**WHEEL, OF_314T: b"\x7fELF"}, []),
        (PURE, WHEEL, []),
        (ABI3, WHEEL, ["it has 0 compiled kernels that fit abi3, not 1"]),
        (PURE, {**WHEEL, **KERNEL}, ["menace/kernel/loop.abi3.so is not in the tree"]),
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
        (ABI3, {**WHEEL, **KERNEL, "menace/kernel/loop.pyd": b""}, ["it has 2 compiled kernels that fit abi3, not 1"]),
        (ABI3, {**WHEEL, **KERNEL, "menace/db/schema.sql": b"4"}, ["menace/db/schema.sql is another file"]),
        (ABI3, {**WHEEL, **KERNEL, "menace/old.py": b""}, ["menace/old.py is not in the tree"]),
        (
            ABI3,
            {"menace/__init__.py": b"1", "menace/kernel/loop.py": b"2", **KERNEL},
            ["menace/db/schema.sql is missing", "menace/kernel/loop.pxd is missing"],
        ),
    ],
)
def test_wheel_differences_are_reported(name: str, wheel: dict[str, bytes], messages: list[str]) -> None:
    assert check_wheel.wheel_differences(TREE, wheel, name) == messages


def write_sdist(files: dict[str, bytes], path: Path) -> Path:
    with tarfile.open(path, "w:gz") as sdist:
        for name, content in files.items():
            member = tarfile.TarInfo(f"matchbox_menace-0.1.0/{name}")
            member.size = len(content)
            sdist.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
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
def test_sdist_differences_are_reported(
    changes: dict[str, bytes],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write_sdist({**TREE, **changes}, tmp_path / "matchbox_menace-0.1.0.tar.gz")
    monkeypatch.setattr(check_wheel, "list_tree", lambda *_: {**TREE, "setup.cfg": b"# a comment\n[metadata]"})
    monkeypatch.setattr(sys, "argv", ["check_wheel.py", str(path)])
    assert check_wheel.main() == bool(message)
    assert capsys.readouterr().out == (message and f"{path}: {message}")


def test_check_wheel_ignores_the_dist_info_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / PURE
    with ZipFile(path, "w") as wheel:
        for name, content in {**WHEEL, "matchbox_menace-0.1.0.dist-info/RECORD": b""}.items():
            wheel.writestr(name, content)
    monkeypatch.setattr(check_wheel, "list_tree", lambda *_: {**TREE, "menace/new.py": b""})
    monkeypatch.setattr(sys, "argv", ["check_wheel.py", str(path)])
    assert check_wheel.main() == 1
    assert capsys.readouterr().out == f"{path}: menace/new.py is missing\n"


def test_every_lower_bound_is_a_constraint(tmp_path: Path) -> None:
    setup = tmp_path / "setup.cfg"
    extras = "".join(f"{extra} =\n    {extra}-library[x]>=1.2,<2\n" for extra in lowest_versions.EXTRAS)
    setup.write_text(f"[options]\ninstall_requires =\n    click>=8.3\n[options.extras_require]\n{extras}")
    wanted = ["click==8.3", *(f"{extra}-library==1.2" for extra in sorted(lowest_versions.EXTRAS))]
    assert lowest_versions.constraints(setup) == wanted


def test_all_our_libraries_have_a_constraint() -> None:
    names = {line.partition("==")[0] for line in lowest_versions.constraints()}
    assert {"click", "numpy", "matplotlib", "reportlab", "datasette", "pandas", "dask", "gymnasium"} <= names
