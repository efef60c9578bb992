"""List all algorithms and presets by name, check the names of learners, and check whether a preset supports a game."""

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
from menace.learners.algorithms import action_values
from menace.learners.algorithms.beads import FAVOURITE, MENACE
from menace.learners.algorithms.odds import ODDS
from menace.learners.algorithms.position_values import TD, TD_LAMBDA
from menace.learners.opponents.fixed import is_reserved
from menace.learners.settings import from_assignments
from menace.text.bead_colours import Naming
from menace.text.wording import counted, did_you_mean, unused_name

MAX_NAME_LENGTH = 60  # maximum number of characters in a name
NAME_SIGNS = " -_."  # characters allowed in names in addition to letters, combining marks and decimal digits


def check_name(name: str) -> str:
    r"""Check a learner's name, and return the name in Unicode normalization form C so that equivalent names match.

    Raises:
        InvalidPlayer: if the name is empty, too long, reserved for another player, or begins like an option, or if it
            contains characters other than letters, digits, spaces and `-_.`.

    >>> check_name("Adam 2.0"), check_name("e\N{COMBINING ACUTE ACCENT}va") == "\xe9va"
    ('Adam 2.0', True)
    """
    if not isinstance(name, str):
        raise InvalidPlayer(f"the name {name!r} is not a string; use quotes, as in 'adam'")
    name = unicodedata.normalize("NFC", name)
    wrong = [character for character in name if not _may_be_in_names(character)]
    reasons = {
        f"is empty; use 1 to {MAX_NAME_LENGTH} characters": not name,
        f"has {counted(len(name), 'character')}; use 1 to {MAX_NAME_LENGTH}": len(name) > MAX_NAME_LENGTH,
        "begins or ends with a space; remove it": name != name.strip(" "),
        f"contains {''.join(wrong[:1])!r}; use only letters, digits, spaces, '-', '_' and '.'": wrong,
        "begins with '-', like an option; use a letter or a digit as the first character": name.startswith("-"),
        "has no letter or digit; add one": not any(map(str.isalnum, name)),
        "is reserved for another kind of player; choose another name": is_reserved(name),
    }
    for reason, holds in reasons.items():
        if holds:
            shown = name if len(name) <= MAX_NAME_LENGTH else f"{name[:MAX_NAME_LENGTH]}..."
            raise InvalidPlayer(f"the name {shown!r} {reason}")
    return name


def free_name_from(text: str, taken: Collection[str]) -> str:
    """Return an unused name without invalid characters, derived from a string such as a file name.

    >>> (
    ...     free_name_from("menace-x-120 (3)", {"menace-x-120 3"}),
    ...     free_name_from("random", set()),
    ...     free_name_from("()", set()),
    ... )
    ('menace-x-120 3-2', 'random-2', 'machine')
    """
    kept = "".join(filter(_may_be_in_names, unicodedata.normalize("NFC", text)))
    stem = kept.strip(NAME_SIGNS)[: MAX_NAME_LENGTH - 10].strip(" ") or "machine"
    return unused_name(stem, taken if is_name(stem) else {*taken, stem}, "-")


def _may_be_in_names(character: str) -> bool:
    """Return whether a character is a letter, a combining mark, a decimal digit, or one of NAME_SIGNS."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd" or character in NAME_SIGNS


def is_name(value: object) -> bool:
    """Return whether a value is a valid name, in normalized form.

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
    action_values.MONTE_CARLO,
    action_values.SARSA,
    action_values.EXPECTED_SARSA,
    action_values.N_STEP_SARSA,
    action_values.Q_LEARNING,
    action_values.DOUBLE_Q_LEARNING,
    action_values.UCB1,
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
    """Return the preset with the given name.

    Raises:
        UnknownPreset: if there is no such preset.

    >>> get_preset("scroggs").settings.beads, get_preset("michie-1961").plays
    ((8, 4, 2, 1), ('X',))
    """
    if name not in PRESETS:
        similar = did_you_mean(name, PRESETS)
        raise UnknownPreset(f"there is no preset {name!r}; {similar}choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def presets_for(title: str) -> dict[str, Preset]:
    """Return the presets that support the game with the given title, starting with those made for this game.

    >>> next(iter(presets_for("hexapawn 3x3"))), "gardner-1962" in presets_for("tictactoe 3x3x3")
    ('gardner-1962', False)
    """
    fitting = {name: preset for name, preset in PRESETS.items() if preset.is_for(title)}
    # For tic-tac-toe, the standard preset comes first.
    return dict(sorted(fitting.items(), key=lambda item: title != TIC_TAC_TOE and not item[1].fits))


def preset_settings(name: str, plays: SideText, assignments: Mapping[str, object]) -> tuple[Algorithm, Any]:
    """Return the algorithm of a preset, and the preset's settings with the given replacements.

    Args:
        name: the name of the preset.
        plays: the side, `X` or `O`.
        assignments: new settings by name, as values or as strings (`--set KEY=VALUE`).

    Raises:
        UnknownPreset: if there is no such preset.
        InvalidPlayer: if there is no such side, or the preset cannot play it.
        InvalidSetting: if a setting is unknown or out of range.

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
    """Check that a preset supports a game.

    Args:
        name: the name of the preset.
        title: the title of the game (`SymmetricGame.title`).

    Raises:
        UnknownPreset: if there is no such preset.
        InvalidSetting: if the preset does not support that game.

    >>> check_fits("gardner-1962", "hexapawn 3x3")
    """
    preset = get_preset(name)
    if not preset.is_for(title):
        game, _, variant = preset.fits[0].partition(" ")
        raise InvalidSetting(
            f"preset {name!r} supports {' and '.join(preset.fits)}, not {title}; create a database for it with"
            f" `menace init --game {game} --variant {variant}`"
        )
