"""Write a game to begin from, with its test: Domineering under the user's own name."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

from menace.errors import InvalidGame, OutputError
from menace.files.output import write_file
from menace.games import GAMES
from menace.games.plugins import NAME


def write_new_game(name: str, folder: Path) -> tuple[str, Path]:
    """Write a game and its test into a folder, and return how the game is named to menace, and the test's path.

    Args:
        name: of the game, in small letters; its file and its class are called after it.
        folder: where; both files must be new.

    Raises:
        InvalidGame: if no game, file or class can be called so.
        OutputError: if one of the files is there already, or cannot be written.

    >>> write_new_game("small-hex", Path())
    ('./small_hex.py:SmallHex', PosixPath('test_small_hex.py'))
    """
    names = names_in(name)
    module = names["MODULE"]
    if not NAME.fullmatch(name) or not name[0].isalpha() or keyword.iskeyword(module):
        raise InvalidGame(f"{name!r} cannot be the name of a game; write a word in small letters, such as small-hex")
    if name in GAMES or module in {*sys.stdlib_module_names, "menace"}:
        raise InvalidGame(f"{name!r} is the name of a game of menace or of a module of Python; take another")
    texts = {folder / f"{module}.py": "new_game.txt", folder / f"test_{module}.py": "new_game_test.txt"}
    for path in texts:
        if path.exists():
            raise OutputError(f"{path} is there already; take another name, or delete it first")
    for path, template in texts.items():
        text = files(__package__).joinpath(template).read_text(encoding="utf-8")
        write_file(path, with_names(text, names).encode())
    game, test = texts
    return f"{folder / '.'}/{game.name}:{names['CLASS']}", test


def names_in(name: str) -> dict[str, str]:
    """Return what stands for the names in a template.

    >>> names_in("small-hex")
    {'NAME': 'small-hex', 'MODULE': 'small_hex', 'CLASS': 'SmallHex'}
    """
    module = name.replace("-", "_")
    return {"NAME": name, "MODULE": module, "CLASS": "".join(map(str.capitalize, module.split("_")))}


def with_names(template: str, names: dict[str, str]) -> str:
    """Return a template with names filled in.

    >>> with_names("class CLASS:", names_in("small-hex"))
    'class SmallHex:'
    """
    return re.sub("|".join(names), lambda match: names[match[0]], template)
