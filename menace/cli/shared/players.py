"""Players as people name them on the command line: of a side, and functions in Python files of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli.shared.options import side
from menace.errors import InvalidPlayer

if TYPE_CHECKING:
    from menace.games.base import Side, SideText
    from menace.ledger.store import Store

plays_option = click.option(
    "--plays", metavar="X|O", help="Its side; of a machine it is known.  [default: the machine's]"
)


def check_function(db: str, text: str, plays: SideText) -> None:
    """Raise InvalidPlayer if a text names a function in a file that cannot play in a database yet to be made.

    So none is made for it. In one that is there, `player_name` says so.

    >>> check_function("new.db", "random", "X")
    """
    from menace.games.plugins import is_file

    if not is_file(text):
        return
    from menace.games.enumeration import tictactoe
    from menace.learners.opponents.functions import named_by_tables
    from menace.ledger.database_file import is_vacant

    if is_vacant(db):
        named_by_tables(text, plays, tictactoe())


def player_and_side(store: Store, name: str, plays: str | None) -> tuple[str, Side | None]:
    """Return a player's name, a function's by its table, and the side that was asked for, or is the only one.

    Raises:
        InvalidPlayer: if it could play either side, and none was asked for.

    >>> player_and_side(store, "random", "o"), player_and_side(store, "menace-x", None)
    (('random', 'O'), ('menace-x', None))
    """
    from menace.games.plugins import is_file
    from menace.learners.opponents.fixed import fixed_opponent, is_fixed
    from menace.ledger.player_names import player_name
    from menace.ledger.positions import positions_of

    asked = None if plays is None else side(plays)
    if asked is None and is_file(name) and not store.has_learner(name):
        raise InvalidPlayer(f"{name} can play either side; say which with --plays X or --plays O")
    if asked is not None:
        name = player_name(store, name, asked)
    if asked is None and is_fixed(name):
        positions_of(store)  # which knows the functions that it keeps
        asked = fixed_opponent(name).plays
        if asked is None:
            raise InvalidPlayer(
                f"{name!r} is a fixed opponent, which can play either side; say which with --plays X or --plays O"
                " (`menace players` says how it plays)"
            )
    return name, asked
