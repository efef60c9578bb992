"""Games: rules and nothing else. `GAMES` registers them by the name that `menace init --game` takes."""

from __future__ import annotations

from collections.abc import Callable

from menace.errors import InvalidGame
from menace.games.base import Game
from menace.games.connect import Connect
from menace.games.hexapawn import Hexapawn
from menace.games.nim import Nim
from menace.games.notakto import Notakto
from menace.games.wild import tictactoe

GAMES: dict[str, Callable[[str], Game]] = {
    "tictactoe": tictactoe,
    "connect": Connect.from_variant,
    "hexapawn": Hexapawn.from_variant,
    "nim": Nim.from_variant,
    "notakto": Notakto.from_variant,
}


def get_game(name: str = "tictactoe", variant: str = "3x3x3") -> Game:
    """Return the rules of a registered game.

    Raises:
        InvalidGame: if there is no such game, or the game has no such variant.

    >>> game = get_game("tictactoe", "4x4x3")
    >>> game.shape, game.initial
    ((4, 4), '................')
    """
    if name not in GAMES:
        raise InvalidGame(f"no game is called {name!r}; there is {', '.join(sorted(GAMES))}")
    return GAMES[name](variant)
