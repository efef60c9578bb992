"""What is there for hosted services and for releases: it agrees with setup.cfg, and with the tree."""

from __future__ import annotations

import json
import re
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from bench import uncompiled_kernel

import menace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import play_recorded  # noqa: E402 - what is tested
import try_pyodide  # noqa: E402

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOSTED = [*WORKFLOWS, *(ROOT / name for name in (".readthedocs.yaml", "CITATION.cff", "Dockerfile"))]
SETUP = ConfigParser()
SETUP.read(ROOT / "setup.cfg")
PYTHONS = re.findall(r":: Python :: (3\.\d+)", SETUP["metadata"]["classifiers"])


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in loaded(workflow)["jobs"].values() for step in job["steps"]]


def test_tests_run_on_all_pythons_that_are_promised() -> None:
    matrix = loaded(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_what_is_run_is_there(workflow: Path) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+(\.\d+)*|release/v1)", name)] == []
    run = "\n".join(step.get("run", "") for step in steps(workflow))
    assert [path for path in re.findall(r"(?:tools|\.ci)/[\w.]+", run) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("path", HOSTED, ids=lambda path: path.name)
def test_the_extras_are_there_and_no_address_is_made_up(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"(?:\.|\*\.whl\)|extra_requirements: )\[([\w, ]+)\]", text)
    extras = {extra.strip() for names in named for extra in names.split(",")}
    assert extras <= set(SETUP["options.extras_require"])
    assert bool(extras) == (path.name not in {"CITATION.cff", "release.yml"})
    assert re.findall(r"https?://\S+", text) == []


def test_the_citation_is_of_this_version() -> None:
    cited = loaded(ROOT / "CITATION.cff")
    assert (cited["version"], cited["license"]) == (menace.__version__, SETUP["metadata"]["license"])


def test_the_second_script_is_named_as_the_distribution() -> None:
    scripts = dict(line.split(" = ") for line in SETUP["options.entry_points"]["console_scripts"].split("\n")[1:])
    assert set(scripts) == {"menace", SETUP["metadata"]["name"]}
    assert len(set(scripts.values())) == 1


@pytest.mark.parametrize("name", ["menace", "zhang"])
def test_a_recorded_match_is_played_again_without_numpy_and_a_changed_one_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_pyodide, "GAMES", 50)
    match = next(match for match in try_pyodide.MATCHES if match.x == name)
    recorded = json.loads(json.dumps(try_pyodide.recorded(match)))
    assert play_recorded.differences(recorded, uncompiled_kernel()) == []
    recorded["expected"]["outcomes"][0] += 1
    recorded["expected"]["learned"][-5][0] += 1
    assert play_recorded.differences(recorded, uncompiled_kernel()) == ["outcomes", "what was learned"]
