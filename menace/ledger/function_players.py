"""Resolve players that a database stores as tables of weights, such as players written as Python functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from menace.errors import InvalidPlayer
from menace.games.base import Side, SideText
from menace.games.plugins import is_file
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_side, is_fixed, opponents_for
from menace.learners.opponents.functions import (
    description_of_table,
    function_in_file,
    tabulate_file,
    tabulate_functions,
    tabulated,
    tabulated_names,
)
from menace.learners.policy import PolicyFunction
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import PolicyRow, Store

P = TypeVar("P")


def store_policies(store: Store, player: str, side: Side) -> None:
    """Store the tables to which a fixed opponent's name refers. Must be called within a transaction.

    Raises:
        InvalidPlayer: if the player plays the other side, or one of its tables is not registered in this process.

    >>> with store.transaction():
    ...     store_policies(store, "random:10,perfect", Side.X)  # refers to no tables
    """
    tables = [tabulated(name) for name in tabulated_names(player)]
    if tables:
        check_side(player, side)
    for table in tables:
        store.add_policy(PolicyRow(table.name, table.plays, table.hash, table.weights.astype("<i4").tobytes()))


def opponents_of_side(store: Store, title: str, plays: Side) -> dict[str, str]:
    """Return the descriptions of all fixed opponents and stored tables that can play a side, keyed by name.

    Args:
        store: the database.
        title: the title of the database's game.
        plays: the side.

    >>> list(opponents_of_side(store, "hexapawn 3x3", Side.O))[:2]
    ['random', 'optimal']
    """
    fixed = {name: opponent.line for name, opponent in opponents_for(title, store.position_count()).items()}
    return fixed | {row.name: description_of_table(plays) for row in store.policies() if row.plays is plays}


def player_name(store: Store, text: str, plays: SideText | None) -> str:
    """Return the name of the player that a user specified as `text`.

    A function in a file, such as `./my_player.py:novice`, is run, and the name of the resulting table is returned. A
    curriculum may also contain functions. A bare function name, such as `novice`, selects the only stored table of that
    function for this side. `plays` may be None if `text` is a name; the table may then be for either side.

    Raises:
        InvalidPlayer: if the database contains several such tables; the message names them.

    >>> player_name(store, "random", "X")
    'random'
    """
    if store.has_learner(text):  # a machine may be named adam.py
        return text
    if plays is not None and is_file(text):
        return tabulate_functions(text, plays, positions_of(store))
    tables = [] if is_fixed(text) else [row.name for row in store.policies() if plays in {None, row.plays}]
    kept = [name for name in tables if name.startswith(f"{text}@")]
    if len(kept) > 1:
        raise InvalidPlayer(f"{text!r} may be {' or '.join(kept)}; choose one of these names")
    return kept[0] if kept else text


def player_or_function(store: Store, text: str, plays: SideText) -> str | PolicyFunction:
    """Return a function in a file as an object, so that it can be measured exactly, or a name as `player_name` does.

    >>> player_or_function(store, "random", "X")
    'random'
    """
    if not is_file(text) or "," in text or store.has_learner(text):
        return player_name(store, text, plays)
    return function_in_file(text)


def store_functions(store: Store, references: Sequence[str]) -> None:
    """Store tables for functions in Python files, for both sides, so that pages offer these players.

    Raises:
        InvalidPlayer: if a reference is not a function in a file, or the function fails. Nothing is written in these
            cases.

    >>> store_functions(store, [])
    """
    positions = positions_of(store)
    names = [(tabulate_file(text, side, positions).name, side) for text in references for side in Side]
    with store.transaction():
        for name, side in names:
            store_policies(store, name, side)


def loaded_player(store: Store, positions: Positions, player: P) -> P | Machine:
    """Return the machine of a learner, given its name, in its current state. Return any other player unchanged.

    >>> loaded_player(store, positions_of(store), "random")
    'random'
    """
    if not isinstance(player, str) or is_fixed(player):
        return player
    return load_machine(store, positions, store.learner(player))
