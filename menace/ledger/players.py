"""Players that a database keeps as tables of weights, such as Python functions: read, written, and listed."""

from __future__ import annotations

from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.opponents.fixed import check_side, opponents_for
from menace.learners.opponents.functions import line_of, names_within, restore, tabulated
from menace.ledger.store import PolicyRow, Store, as_corruption


def restore_policies(store: Store, positions: Positions) -> None:
    """Let this process know the players that a database keeps as tables. Raises StoreError if one is damaged.

    >>> from menace.games.enumeration import tictactoe
    >>> restore_policies(store, tictactoe())  # there is none
    """
    with as_corruption(store.path):
        for row in store.policies():
            restore(*row, positions)


def keep_policies(store: Store, player: str, side: Side) -> None:
    """Write down the tables that a fixed opponent's name refers to. Within a transaction.

    Raises:
        InvalidPlayer: if it plays the other side, or this process does not know a table.

    >>> with store.transaction():
    ...     keep_policies(store, "random:10,perfect", Side.X)  # refers to none
    """
    tables = [tabulated(name) for name in names_within(player)]
    if tables:
        check_side(player, side)
    for table in tables:
        store.add_policy(PolicyRow(table.name, table.plays, table.hash, table.weights.astype("<i4").tobytes()))


def opponents_of_side(store: Store, title: str, plays: Side) -> dict[str, str]:
    """Return a line on each player that never learns and can play a side, by name: fixed opponents, and kept tables.

    Args:
        store: the database.
        title: of its game.
        plays: the side.

    >>> list(opponents_of_side(store, "hexapawn 3x3", Side.O))[:2]
    ['random', 'optimal']
    """
    fixed = {name: opponent.line for name, opponent in opponents_for(title, store.position_count()).items()}
    return fixed | {row.name: line_of(plays) for row in store.policies() if row.plays is plays}
