"""Write templates for a user's own game and the test of that game.

The template for the game implements Domineering under the given name.
"""

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
    """Write a game and a test of that game into a folder.

    Args:
        name: the name of the game, in lower case. The file and the class are named after it.
        folder: the folder for the two files. Neither file may exist yet.

    Returns:
        a reference to the game's class in the form that menace accepts, and the path of the test.

    Raises:
        InvalidGame: if the name cannot be used for a game, a file or a class.
        OutputError: if one of the files already exists, or cannot be written.

    >>> write_new_game("small-hex", Path())
    ('./small_hex.py:SmallHex', PosixPath('test_small_hex.py'))
    """
    names = template_names(name)
    module = names["MODULE"]
    if not NAME.fullmatch(name) or not name[0].isalpha() or keyword.iskeyword(module):
        raise InvalidGame(f"{name!r} cannot be the name of a game; use a lower-case word such as small-hex")
    if name in GAMES or module in {*sys.stdlib_module_names, "menace"}:
        raise InvalidGame(f"{name!r} is the name of a built-in game or a Python module; choose another name")
    texts = {folder / f"{module}.py": "new_game.txt", folder / f"test_{module}.py": "new_game_test.txt"}
    for path in texts:
        if path.exists():
            raise OutputError(f"{path} already exists; choose another name, or delete it first")
    for path, template in texts.items():
        text = files(__package__).joinpath(template).read_text(encoding="utf-8")
        write_file(path, fill_template(text, names).encode())
    game, test = texts
    return f"{folder / '.'}/{game.name}:{names['CLASS']}", test


def template_names(name: str) -> dict[str, str]:
    """Return a replacement for each placeholder in the templates, given the name of a game.

    >>> template_names("small-hex")
    {'NAME': 'small-hex', 'MODULE': 'small_hex', 'CLASS': 'SmallHex'}
    """
    module = name.replace("-", "_")
    return {"NAME": name, "MODULE": module, "CLASS": "".join(map(str.capitalize, module.split("_")))}


def fill_template(template: str, names: dict[str, str]) -> str:
    """Return the text of a template with its placeholders replaced.

    >>> fill_template("class CLASS:", template_names("small-hex"))
    'class SmallHex:'
    """
    return re.sub("|".join(names), lambda match: names[match[0]], template)
