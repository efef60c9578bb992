"""Run the scripts of exported sites and of the explorer in Node."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from menace.site import play_tables
from menace.site.pages import SCRIPTS
from menace.text.narration import for_scripts


def run_in_node(script: str, data: object) -> Any:
    """Run the site's scripts and then `script` in Node, with `data` as input, and return the parsed JSON output."""
    node = shutil.which("node")
    if node is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("node is not installed")
    whole = "\n".join([*script_texts(SCRIPTS["learner"]), script])
    command = [str(node), "-e", whole]
    ran = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ran.stdout)


def draw_with_scripts(expression: str, data: object) -> Any:
    """Return the value of a JavaScript expression that draws `data` using the scripts of a page."""
    static = resources.files("menace.explorer").joinpath("static")
    web = "".join(static.joinpath(name).read_text("utf-8") for name in ("words.js", "drawing.js", "matchbox.js"))
    read_data = 'const data = JSON.parse(require("fs").readFileSync(0, "utf8"));'
    clauses = f"menace.clauses = {json.dumps(for_scripts())};"
    return run_in_node(f"{web}{clauses}{read_data}console.log(JSON.stringify({expression}));", data)


def script_texts(names: Iterable[str]) -> list[str]:
    """Return the source texts of scripts of the site or of the explorer."""
    rooms = [Path(play_tables.__file__).parents[1] / room / "static" for room in ("site", "explorer")]
    return [next(room / name for room in rooms if (room / name).exists()).read_text("utf-8") for name in names]


def load_scripts(*names: str) -> str:
    return f"(globalThis.menace ??= {{}}).clauses = {json.dumps(for_scripts())};{''.join(script_texts(names))}"


def capitalize_narration(text: str) -> str:
    """Return text/narration.toml with all words in capitals, as a stand-in for a translation."""
    return re.sub(
        r'(?m)^(\w+ = ")(.*)(")$',
        lambda line: line[1] + re.sub(r"[^{}]+(?![^{]*\})", lambda words: words[0].upper(), line[2]) + line[3],
        text,
    )
