"""menace: Donald Michie's matchbox machine that learns noughts and crosses, on SQLite.

    >>> import menace
    >>> store = menace.open_or_create_database("menace.db")  # doctest: +SKIP
    >>> run = menace.selfplay(store, games=10_000, seed=1)  # doctest: +SKIP
    >>> menace.show(store, "X...O....", "menace-x").box.moves[0].beads  # doctest: +SKIP

What the commands call, loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes milliseconds to load in which nothing of ours hears Ctrl-C yet
if TYPE_CHECKING:
    from typing import Any

    from menace.arena.evaluation import Strength
    from menace.errors import MenaceError
    from menace.exporting import export
    from menace.exporting.game_graph import game_graph
    from menace.games import get_game
    from menace.games.enumeration import enumerate_positions
    from menace.games.graph import build_graph
    from menace.games.positions import Positions
    from menace.labels import write_labels
    from menace.learners import PRESETS
    from menace.ledger.database import create_database, open_database, open_or_create_database
    from menace.ledger.machines import new_learner, rename_learner
    from menace.ledger.marks import exact_strength
    from menace.ledger.positions import positions_of
    from menace.ledger.queries import named_queries, query
    from menace.ledger.runs import abandon, copy_learner
    from menace.ledger.store import Store
    from menace.ledger.training import resume, selfplay, train, train_alone
    from menace.ledger.verification import Verified, verify
    from menace.people.play import sit_down, sit_down_without_learning
    from menace.people.recount import compare_count, record_count
    from menace.shelf.box import boxes_of
    from menace.shelf.contests import compare, evaluate, evaluate_exactly, sample, strength
    from menace.shelf.history import box_history, recorded_games, replay_game
    from menace.shelf.position import show

__version__ = "0.1.0"

_MODULE_OF = {
    "boxes_of": "shelf.box",
    "compare": "shelf.contests",
    "evaluate": "shelf.contests",
    "evaluate_exactly": "shelf.contests",
    "sample": "shelf.contests",
    "strength": "shelf.contests",
    "create_database": "ledger.database",
    "open_database": "ledger.database",
    "open_or_create_database": "ledger.database",
    "MenaceError": "errors",
    "Strength": "arena.evaluation",
    "export": "exporting",
    "game_graph": "exporting.game_graph",
    "get_game": "games",
    "build_graph": "games.graph",
    "box_history": "shelf.history",
    "recorded_games": "shelf.history",
    "replay_game": "shelf.history",
    "write_labels": "labels",
    "PRESETS": "learners",
    "positions_of": "ledger.positions",
    "new_learner": "ledger.machines",
    "rename_learner": "ledger.machines",
    "exact_strength": "ledger.marks",
    "show": "shelf.position",
    "sit_down": "people.play",
    "sit_down_without_learning": "people.play",
    "enumerate_positions": "games.enumeration",
    "named_queries": "ledger.queries",
    "query": "ledger.queries",
    "compare_count": "people.recount",
    "record_count": "people.recount",
    "abandon": "ledger.runs",
    "copy_learner": "ledger.runs",
    "Store": "ledger.store",
    "Positions": "games.positions",
    "resume": "ledger.training",
    "selfplay": "ledger.training",
    "train": "ledger.training",
    "train_alone": "ledger.training",
    "Verified": "ledger.verification",
    "verify": "ledger.verification",
}

__all__ = [
    "PRESETS",
    "MenaceError",
    "Positions",
    "Store",
    "Strength",
    "Verified",
    "__version__",
    "abandon",
    "box_history",
    "boxes_of",
    "build_graph",
    "compare",
    "compare_count",
    "copy_learner",
    "create_database",
    "enumerate_positions",
    "evaluate",
    "evaluate_exactly",
    "exact_strength",
    "export",
    "game_graph",
    "get_game",
    "named_queries",
    "new_learner",
    "open_database",
    "open_or_create_database",
    "positions_of",
    "query",
    "record_count",
    "recorded_games",
    "rename_learner",
    "replay_game",
    "resume",
    "sample",
    "selfplay",
    "show",
    "sit_down",
    "sit_down_without_learning",
    "strength",
    "train",
    "train_alone",
    "verify",
    "write_labels",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'menace' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"menace.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
