"""Runs the site's and the explorer's scripts in Node."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from menace.site import play_tables
from menace.site.pages import SCRIPTS
from menace.text.narration import for_scripts


def by_node(script: str, data: object) -> Any:
    """Return the output of a script that node runs after the site's scripts."""
    node = shutil.which("node")
    if node is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("node is not installed")
    static = resources.files("menace.site").joinpath("static")
    whole = "\n".join([*(static.joinpath(name).read_text("utf-8") for name in SCRIPTS["learner"]), script])
    command = [str(node), "-e", whole]
    ran = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ran.stdout)


def drawn_by_scripts(drawing: str, data: object) -> Any:
    """Return what a page's scripts draw, as JavaScript says it, from data that are `data`."""
    static = resources.files("menace.explorer").joinpath("static")
    web = "".join(static.joinpath(name).read_text("utf-8") for name in ("words.js", "drawing.js", "matchbox.js"))
    given = 'const data = JSON.parse(require("fs").readFileSync(0, "utf8"));'
    clauses = f"menace.clauses = {json.dumps(for_scripts())};"
    return by_node(f"{web}{clauses}{given}console.log(JSON.stringify({drawing}));", data)


def scripts(*names: str) -> str:
    rooms = [Path(play_tables.__file__).parents[1] / room / "static" for room in ("site", "explorer")]
    texts = (next(room / name for room in rooms if (room / name).exists()).read_text("utf-8") for name in names)
    return f"(globalThis.menace ??= {{}}).clauses = {json.dumps(for_scripts())};{''.join(texts)}"


# The words of its pages, in another language.


def in_capitals(text: str) -> str:
    """text/narration.toml as it would be in a language of capital letters."""
    return re.sub(
        r'(?m)^(\w+ = ")(.*)(")$',
        lambda line: line[1] + re.sub(r"[^{}]+(?![^{]*\})", lambda words: words[0].upper(), line[2]) + line[3],
        text,
    )
