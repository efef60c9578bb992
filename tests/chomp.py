"""The game of Chomp as docs/your-own-game.md implements it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from menace.games.base import Game

PAGE = (Path(__file__).parents[1] / "docs" / "your-own-game.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def write_chomp(folder: Path, name: str = "chomp.py", **replaced: str) -> str:
    """Write the page's program, some of its texts replaced, and return how it is named to menace."""
    text = PROGRAM
    for old, new in replaced.items():
        assert text.count(old) >= 1
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")
    return f"{folder / name}:Chomp"


@cache
def chomp_class() -> type:
    """Return the page's class."""
    names: dict[str, type] = {}
    exec(PROGRAM, names)
    return names["Chomp"]


def chomp(variant: str = "3x4") -> Game:
    """Return a game of Chomp."""
    return chomp_class()(variant)
