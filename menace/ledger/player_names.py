"""The names of players in runs and reports: functions in Python files are called by their tables."""

from __future__ import annotations

from collections.abc import Sequence

from menace.games.base import Side, SideText
from menace.games.plugins import is_file
from menace.learners.opponents.functions import named_by_tables, tabulate_file
from menace.ledger.players import keep_policies
from menace.ledger.positions import positions_of
from menace.ledger.store import Store


def player_name(store: Store, text: str, plays: SideText) -> str:
    """Return a player's name; a function in a file, such as `./my_player.py:novice`, is run, and named by its table.

    Functions may be parts of a curriculum, too.

    >>> player_name(store, "random", "X")
    'random'
    """
    if not is_file(text) or store.has_learner(text):  # a machine may be called adam.py
        return text
    return named_by_tables(text, plays, positions_of(store))


def player_names(store: Store, texts: Sequence[str]) -> list[str]:
    """Return players' names, each once; a function in a file plays both sides, by a table for each.

    >>> player_names(store, ["random", "menace-*", "random"])
    ['random', 'menace-*']
    """
    return list(dict.fromkeys(player_name(store, text, side) for text in texts for side in Side))


def keep_functions(store: Store, references: Sequence[str]) -> None:
    """Write down the tables of functions in files, of each for both sides, so that pages offer them.

    Raises:
        InvalidPlayer: if one is no function in a file, or fails; then nothing is written.

    >>> keep_functions(store, [])
    """
    positions = positions_of(store)
    names = [(tabulate_file(text, side, positions).name, side) for text in references for side in Side]
    with store.transaction():
        for name, side in names:
            keep_policies(store, name, side)
