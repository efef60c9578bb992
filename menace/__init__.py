"""menace: Donald Michie's matchbox machine that learns noughts and crosses, on SQLite.

    >>> import menace
    >>> store = menace.open_or_create_database("menace.db")  # doctest: +SKIP
    >>> run = menace.selfplay(store, games=10_000, seed=1)  # doctest: +SKIP
    >>> menace.show(store, "X...O....", "menace-x").moves[0].beads  # doctest: +SKIP

What the commands call, loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes milliseconds to load in which nothing of ours hears Ctrl-C yet
if TYPE_CHECKING:
    from typing import Any

    from menace.boxes import boxes_of
    from menace.contests import compare, evaluate, evaluate_exactly, sample, strength
    from menace.database import create_database, open_database, open_or_create_database
    from menace.errors import MenaceError
    from menace.evaluation import Strength
    from menace.exporting import export
    from menace.exporting.game_graph import game_graph
    from menace.games import get_game
    from menace.graph import build_graph
    from menace.history import box_history, recorded_games, replay_game
    from menace.labels import write_labels
    from menace.learners import PRESETS
    from menace.machines import load_table, new_learner, rename_learner
    from menace.marks import exact_strength
    from menace.matchbox import show
    from menace.play import sit_down, sit_down_without_learning
    from menace.positions import canonical, enumerate_positions
    from menace.queries import named_queries, query
    from menace.recount import compare_count, record_count
    from menace.runs import abandon, copy_learner
    from menace.store import Store
    from menace.table import TransitionTable
    from menace.training import resume, selfplay, train, train_alone
    from menace.verification import Verified, verify

__version__ = "0.1.0"

_MODULE_OF = {
    "boxes_of": "boxes",
    "compare": "contests",
    "evaluate": "contests",
    "evaluate_exactly": "contests",
    "sample": "contests",
    "strength": "contests",
    "create_database": "database",
    "open_database": "database",
    "open_or_create_database": "database",
    "MenaceError": "errors",
    "Strength": "evaluation",
    "export": "exporting",
    "game_graph": "exporting.game_graph",
    "get_game": "games",
    "build_graph": "graph",
    "box_history": "history",
    "recorded_games": "history",
    "replay_game": "history",
    "write_labels": "labels",
    "PRESETS": "learners",
    "load_table": "machines",
    "new_learner": "machines",
    "rename_learner": "machines",
    "exact_strength": "marks",
    "show": "matchbox",
    "sit_down": "play",
    "sit_down_without_learning": "play",
    "canonical": "positions",
    "enumerate_positions": "positions",
    "named_queries": "queries",
    "query": "queries",
    "compare_count": "recount",
    "record_count": "recount",
    "abandon": "runs",
    "copy_learner": "runs",
    "Store": "store",
    "TransitionTable": "table",
    "resume": "training",
    "selfplay": "training",
    "train": "training",
    "train_alone": "training",
    "Verified": "verification",
    "verify": "verification",
}

__all__ = [
    "PRESETS",
    "MenaceError",
    "Store",
    "Strength",
    "TransitionTable",
    "Verified",
    "__version__",
    "abandon",
    "box_history",
    "boxes_of",
    "build_graph",
    "canonical",
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
    "load_table",
    "named_queries",
    "new_learner",
    "open_database",
    "open_or_create_database",
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
