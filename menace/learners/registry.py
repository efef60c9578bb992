"""The registry of learning algorithms (`LEARNERS`) and of presets, their named settings (`PRESETS`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from menace.errors import InvalidPlayer, InvalidSetting, UnknownPreset
from menace.games.base import Side, SideText
from menace.games.symmetry import TIC_TAC_TOE
from menace.learners.algorithm import Algorithm, Preset
from menace.learners.algorithms.action_values import (
    DOUBLE_Q_LEARNING,
    EXPECTED_SARSA,
    MONTE_CARLO,
    N_STEP_SARSA,
    Q_LEARNING,
    SARSA,
    UCB1,
)
from menace.learners.algorithms.beads import FAVOURITE, MENACE
from menace.learners.algorithms.odds import ODDS
from menace.learners.algorithms.position_values import TD, TD_LAMBDA
from menace.learners.settings import from_assignments
from menace.naming_schemes import Naming
from menace.wording import did_you_mean

ALGORITHMS = (
    MENACE,
    FAVOURITE,
    TD,
    TD_LAMBDA,
    MONTE_CARLO,
    SARSA,
    EXPECTED_SARSA,
    N_STEP_SARSA,
    Q_LEARNING,
    DOUBLE_Q_LEARNING,
    UCB1,
    ODDS,
)
LEARNERS: dict[str, Algorithm] = {algorithm.name: algorithm for algorithm in ALGORITHMS}
DEFAULT_PRESET = "menace"


def _read_presets() -> dict[str, Preset]:
    with Path(__file__).with_name("presets.toml").open("rb") as file:
        table = tomllib.load(file)
    return {name: _preset(table["works"], entry) for name, entry in table["presets"].items()}


def _preset(works: Mapping[str, str], entry: Mapping[str, Any]) -> Preset:
    read = {
        "settings": from_assignments(LEARNERS[entry["algorithm"]].settings, entry.get("settings", {})),
        "source": entry["source"].format_map(works),
        "plays": tuple(map(Side, entry.get("plays", Side))),
        "naming": Naming(**entry.get("naming", {})),
        "fits": tuple(entry.get("fits", ())),
    }
    return Preset(**{**entry, **read})


PRESETS = _read_presets()


def get_preset(name: str) -> Preset:
    """Return a preset.

    Raises:
        UnknownPreset: if there is no preset of that name.

    >>> get_preset("scroggs").settings.beads, get_preset("michie-1961").plays
    ((8, 4, 2, 1), ('X',))
    """
    if name not in PRESETS:
        similar = did_you_mean(name, PRESETS)
        raise UnknownPreset(f"no preset is called {name!r}; {similar}choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def presets_for(title: str) -> dict[str, Preset]:
    """Return the presets that a game can have, those made for it first.

    >>> next(iter(presets_for("hexapawn 3x3"))), "gardner-1962" in presets_for("tictactoe 3x3x3")
    ('gardner-1962', False)
    """
    fitting = {name: preset for name, preset in PRESETS.items() if preset.is_for(title)}
    # Of tic-tac-toe the plain machine comes first.
    return dict(sorted(fitting.items(), key=lambda item: title != TIC_TAC_TOE and not item[1].fits))


def preset_settings(name: str, plays: SideText, assignments: Mapping[str, object]) -> tuple[Algorithm, Any]:
    """Return a preset's algorithm and its settings, some of them replaced by values, or by texts (`--set KEY=VALUE`).

    Raises:
        UnknownPreset: if there is no such preset.
        InvalidPlayer: if there is no such side, or the preset does not play it.
        InvalidSetting: if a setting is unknown or out of its range.

    >>> algorithm, settings = preset_settings("menace", "X", {"beads": "8,4,2,1"})
    >>> algorithm.name, settings.beads, settings.win
    ('menace', (8, 4, 2, 1), 3)
    """
    preset = get_preset(name)
    if Side(plays) not in preset.plays:
        raise InvalidPlayer(f"preset {name!r} plays {' or '.join(preset.plays)}, not {plays}")
    algorithm = LEARNERS[preset.algorithm]
    return algorithm, from_assignments(algorithm.settings, assignments, preset.settings)


def check_fits(name: str, title: str) -> None:
    """Refuse a preset that is for other games.

    Args:
        name: of the preset.
        title: of the game, as `SymmetricGame.title` has it.

    Raises:
        UnknownPreset: if there is no such preset.
        InvalidSetting: if it is not for that game.

    >>> check_fits("gardner-1962", "hexapawn 3x3")
    """
    preset = get_preset(name)
    if not preset.is_for(title):
        game, _, variant = preset.fits[0].partition(" ")
        raise InvalidSetting(
            f"preset {name!r} is for {' and '.join(preset.fits)}, not {title}; a database of it is made by"
            f" `menace init --game {game} --variant {variant}`"
        )
