"""Whether an object has the form of a game: all that a game says, of the right kinds. Its laws: menace/testing.py."""

from __future__ import annotations

import re

from menace.errors import InvalidGame
from menace.games.base import Game

METHODS = ("to_move", "actions", "play", "outcome", "parse", "parse_action", "name_of", "draw", "pieces", "where")
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
VARIANT_MOST = 60  # characters


def check_form(game: Game, source: str) -> None:
    """Check that an object has what a game has. Nothing is played.

    Args:
        game: what is to be one.
        source: what it is called in messages.

    Raises:
        InvalidGame: if something is missing, or of another kind. The message says what.

    >>> from menace.games.mnk import MNK
    >>> check_form(MNK(), "tic-tac-toe")
    >>> check_form("chess", "it")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: it has no `name`; a game has what menace.games.base.Game lists
    """
    for name in ("name", "variant", "rules", "initial", "shape", "symmetries", *METHODS):
        if not hasattr(game, name):
            raise InvalidGame(f"{source} has no `{name}`; a game has what menace.games.base.Game lists")
    wrong = next((method for method in METHODS if not callable(getattr(game, method))), None)
    if wrong is not None:
        raise InvalidGame(f"{source} has a `{wrong}` that cannot be called; it should be a method")
    _check(
        isinstance(game.name, str) and NAME.fullmatch(game.name), source, "name", game.name, "a word in small letters"
    )
    _check(_is_word(game.variant, VARIANT_MOST), source, "variant", game.variant, "a text without spaces")
    _check(isinstance(game.rules, str) and game.rules.strip(), source, "rules", game.rules, "the rules in words")
    _check(_is_word(game.initial), source, "initial", game.initial, "a text without spaces")
    _check(_is_shape(game.shape), source, "shape", game.shape, "two whole numbers from 1, (rows, columns)")
    _check(
        isinstance(game.symmetries, tuple) and len(game.symmetries) > 0,
        source,
        "symmetries",
        game.symmetries,
        "a tuple, whose first is the identity",
    )


def _check(holds: object, source: str, what: str, found: object, wanted: str) -> None:
    if not holds:
        raise InvalidGame(f"{source} has the {what} {found!r}; it should be {wanted}")


def _is_word(found: object, most: int | None = None) -> bool:
    is_word = isinstance(found, str) and found.isprintable() and found != "" and not re.search(r"\s", found)
    return is_word and (most is None or len(str(found)) <= most)


def _is_shape(found: object) -> bool:
    return (
        isinstance(found, tuple)
        and len(found) == 2  # noqa: PLR2004 - rows and columns
        and all(isinstance(number, int) and number >= 1 for number in found)
    )
