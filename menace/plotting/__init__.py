"""Figures of what the database says. Nothing of matplotlib is loaded before one is drawn.

figure = strength_figure(kin(measured_strength(store, ["menace-x"])))
save(figure, "strength.svg")
"""

from __future__ import annotations

import importlib
from typing import Any

_MODULE_OF = {
    "bead_map_of": "bead_map",
    "bead_map_figure": "bead_map",
    "openings_of": "openings",
    "openings_figure": "openings",
    "outcome_steps": "outcomes",
    "outcomes_figure": "outcomes",
    "each": "strength",
    "kin": "strength",
    "measured_strength": "strength",
    "strength_figure": "strength",
    "save": "style",
}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'menace.plotting' has no attribute {name!r}")
    return getattr(importlib.import_module(f"menace.plotting.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
