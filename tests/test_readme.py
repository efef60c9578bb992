"""README.md: its commands run as a newcomer types them, and print what it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.slow
def test_the_walk_runs_and_prints_what_the_readme_shows() -> None:
    assert len(re.findall(r"^\$ ", "".join(blocks("console")), re.MULTILINE)) >= 8
    check = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "update_readme.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout) == (0, ""), check.stdout + check.stderr


@pytest.mark.slow
def test_the_pictures_are_shown_and_up_to_date() -> None:
    shown = set(re.findall(r"\]\(docs/pictures/([^)]+)\)", README))
    assert shown == {file.name for file in (ROOT / "docs" / "pictures").iterdir()}
    assert len(shown) == 2
    check = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make_pictures.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout) == (0, ""), check.stdout + check.stderr


@pytest.mark.slow
def test_the_python_examples_run(tmp_path: Path) -> None:
    examples = blocks("python")
    assert len(examples) == 2
    for example in examples:
        subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.slow
def test_the_commands_of_the_shell_blocks_run(tmp_path: Path) -> None:
    """Those of the walk have been typed before: there are menace-x and menace-o. Nobody answers questions."""
    lines = [line for line in "".join(blocks("sh")).splitlines() if line.startswith("menace ")]
    assert len(lines) >= 8
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in ["menace selfplay --games 500 --seed 1", *lines]:
        run = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, ""), line


def test_every_command_is_in_the_table() -> None:
    from menace.cli import cli

    table = README[README.index("| command |") : README.index("All take `--db")]
    assert [name for name in cli.commands if not re.search(rf"[` ]{name}[` ]", table)] == []


def test_ci_runs_the_very_test_command() -> None:
    (command,) = [line for line in "".join(blocks("sh")).splitlines() if "pytest" in line]
    script = (ROOT / ".ci" / "run").read_text()
    assert "grep -m1 -- '-m pytest' README.md" in script
    assert shlex.split(command)[-3:] == ["-m", "pytest", "--quiet"]


def test_links_lead_somewhere() -> None:
    """Those to files and folders, in every page; their headings are not looked at."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("db/*.md"), *ROOT.glob("docs/**/*.md")]
    assert len(pages) >= 10
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) >= 30
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []
