"""Game rules, symmetries, solved positions, and game plugins.

This folder may import `menace.errors`, `menace.text`, `menace.files` and `menace.kernel`. Start with base.py, which
defines the interface of a game, and continue with rules/. `GAMES` below contains the built-in games. `known_variants`
reads the properties of all known variants from known.csv. tools/docs/make_rules.py generates and checks known.csv.
"""

from __future__ import annotations

import contextlib
import importlib
import operator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from menace.errors import InvalidGame, MissingGame
from menace.games import plugins
from menace.games.base import Game
from menace.text.wording import did_you_mean

DEFAULT_GAME = "tictactoe"

# setup.cfg also declares these games as entry points, as every package that provides games must do. This dictionary
# repeats the entry points because reading them takes longer than running most commands. Each game is loaded on first
# use.
BUILT_IN = {
    "tictactoe": "menace.games.rules.wild:tictactoe",
    "connect": "menace.games.rules.connect:Connect.from_variant",
    "hexapawn": "menace.games.rules.hexapawn:Hexapawn.from_variant",
    "nim": "menace.games.rules.nim:Nim.from_variant",
}


def _load_built_in(reference: str, *variant: str) -> Game:
    module, _, names = reference.partition(":")
    game: Game = operator.attrgetter(names)(importlib.import_module(module))(*variant)
    return game


GAMES: dict[str, plugins.Factory] = {name: partial(_load_built_in, reference) for name, reference in BUILT_IN.items()}


def get_game(name: str | Game = DEFAULT_GAME, variant: str | None = None) -> Game:
    """Return the rules of a game, given the game's name or a game object.

    Args:
        name: the name of a game that is built in, comes from an installed package, or is defined in a file listed in
            MENACE_GAMES. This can also be a class in a file, such as `./chomp.py:Chomp` (the file is run), or a game
            object, which is checked and returned.
        variant: the variant; None selects the game's default.

    Raises:
        InvalidGame: if there is no such game, the game has no such variant, or the game is broken.

    >>> game = get_game("tictactoe", "4x4x3")
    >>> game.shape, game.initial
    ((4, 4), '................')
    >>> get_game().variant
    '3x3x3'
    """
    if not isinstance(name, str):
        game, source = name, type(name).__name__
        plugins.check_form(game, source)
        if variant not in (None, game.variant):
            raise InvalidGame(f"this game object is {game.name} {game.variant}, not {variant}; omit the variant")
    elif plugins.is_file(name):
        game, source = plugins.game_in_file(name, variant), name
    else:
        return game_called(name, variant)
    if game.name in GAMES and not _is_built_in(game):
        raise InvalidGame(f"{source} uses the name of the built-in game {game.name!r}; choose another name")
    return game


def _is_built_in(game: Game) -> bool:
    with contextlib.suppress(InvalidGame):
        return type(GAMES[game.name](game.variant)) is type(game)
    return False


def game_called(name: str, variant: str | None = None) -> Game:
    """Return the rules of the game named in a database.

    This function runs only files that are listed in MENACE_GAMES.

    Raises:
        MissingGame: if no game has that name.
        InvalidGame: if the game has no such variant, or is broken.

    >>> game_called("tictactoe", "3x3x3") == get_game()
    True
    """
    if name in GAMES:
        return GAMES[name]() if variant is None else GAMES[name](variant)
    game = plugins.find(name, variant)
    if game is None:
        raise MissingGame(
            f"there is no game {name!r}; {did_you_mean(name, GAMES)}choose one of {', '.join(sorted(GAMES))}, a game"
            f" from an installed package, or a file such as {plugins.EXAMPLE}, listed in {plugins.FILES}"
        )
    if game.name != name:
        raise InvalidGame(f"the package declares the game {game.name!r} under the name {name!r}; upgrade the package")
    return game


class Known(NamedTuple):
    """Properties of a game variant that were computed by enumerating its positions.

    Attributes:
        game: the game's name, as given to `menace init`.
        variant: the variant, as given to `menace init`.
        positions: the number of positions, counting equivalent boards as one.
        x_boxes: the number of boxes of a machine that plays X, which are the positions in which X has more than one
            action.
        o_boxes: the number of boxes of a machine that plays O, counted in the same way.
        x_choices: the number of X's boxes whose actions are not all equivalent.
        o_choices: the number of O's boxes whose actions are not all equivalent.
        minimax: the result under perfect play, which is 1 (X wins), 0 (a draw) or -1 (O wins).
        perfect: the length of the game in moves under perfect play, in which the winner shortens the game, the loser
            prolongs it, and both prolong a draw.
        longest: the length of the longest game, in moves.
    """

    game: str
    variant: str
    positions: int
    x_boxes: int
    o_boxes: int
    x_choices: int
    o_choices: int
    minimax: int
    perfect: int
    longest: int


@cache
def known_variants() -> tuple[Known, ...]:
    """Return all known variants, grouped by game.

    >>> known_variants()[0][:7]
    ('tictactoe', '3x3x3', 765, 304, 289, 304, 280)
    """
    _, *lines = Path(__file__).with_name("known.csv").read_text(encoding="utf-8").splitlines()
    rows = (line.split(",") for line in lines)
    return tuple(Known(game, variant, *map(int, numbers)) for game, variant, *numbers in rows)
