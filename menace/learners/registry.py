"""All algorithms and presets by name, and checks of names and of the game that a preset needs."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Collection, Mapping
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
from menace.learners.opponents.fixed import is_reserved
from menace.learners.settings import from_assignments
from menace.text.bead_colours import Naming
from menace.text.wording import counted, did_you_mean, unused_name

NAME_MOST = 60  # characters
NAME_SIGNS = " -_."  # what a name may have besides letters, their marks, and decimal digits of any script


def check_name(name: str) -> str:
    r"""Return a learner's name in Unicode's normal form C, so that it is found however it is typed.

    Raises:
        InvalidPlayer: if it is empty or too long, has other characters than letters, digits, spaces and `-_.`, looks
            like something else, or means another player.

    >>> check_name("Adam 2.0"), check_name("e\N{COMBINING ACUTE ACCENT}va") == "\xe9va"
    ('Adam 2.0', True)
    """
    if not isinstance(name, str):
        raise InvalidPlayer(f"the name {name!r} is not a text; put it in quotes, such as 'adam'")
    name = unicodedata.normalize("NFC", name)
    wrong = [character for character in name if not _may_be_in_names(character)]
    reasons = {
        f"is empty; a name has 1 to {NAME_MOST} characters": not name,
        f"has {counted(len(name), 'character')}, and a name 1 to {NAME_MOST}; shorten it": len(name) > NAME_MOST,
        "begins or ends with a space; leave it out": name != name.strip(" "),
        f"has {''.join(wrong[:1])!r}, and a name only letters, digits, spaces, '-', '_' and '.'; leave it out": wrong,
        "begins with '-', as options do; begin it with a letter or a digit": name.startswith("-"),
        "has no letter or digit; add one": not any(map(str.isalnum, name)),
        "is a word for another kind of player; choose another": is_reserved(name),
    }
    for reason, holds in reasons.items():
        if holds:
            shown = name if len(name) <= NAME_MOST else f"{name[:NAME_MOST]}..."
            raise InvalidPlayer(f"the name {shown!r} {reason}")
    return name


def name_from(text: str, taken: Collection[str]) -> str:
    """Return a free name made of a text, such as a file's name, without what no name may have.

    >>> name_from("menace-x-120 (3)", {"menace-x-120 3"}), name_from("random", set()), name_from("()", set())
    ('menace-x-120 3-2', 'random-2', 'machine')
    """
    kept = "".join(filter(_may_be_in_names, unicodedata.normalize("NFC", text)))
    stem = kept.strip(NAME_SIGNS)[: NAME_MOST - 10].strip(" ") or "machine"
    return unused_name(stem, taken if is_name(stem) else {*taken, stem}, "-")


def _may_be_in_names(character: str) -> bool:
    """Say whether a character is a letter, a mark on one, a decimal digit, or one of the signs."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd" or character in NAME_SIGNS


def is_name(value: object) -> bool:
    """Say whether a value is a name as menace writes it.

    >>> is_name("Adam"), is_name(" Adam"), is_name(7)
    (True, False, False)
    """
    try:
        return isinstance(value, str) and check_name(value) == value
    except InvalidPlayer:
        return False


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
