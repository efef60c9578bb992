"""The game that `menace new-game` writes, whose moves are pairs of cells, under the name of dominoes."""

from __future__ import annotations

from importlib.resources import files

from menace.games.base import Game
from menace.games.new_game import names_in, with_names
from menace.games.plugins import register

DOMINOES = ("dominoes", "3x3")


def dominoes(variant: str) -> Game:
    """Return a game of it."""
    names: dict[str, type] = {}
    text = files("menace.games").joinpath("new_game.txt").read_text(encoding="utf-8")
    exec(with_names(text, names_in("dominoes")), names)
    return names["Dominoes"](variant)


register(dominoes("3x3"))
