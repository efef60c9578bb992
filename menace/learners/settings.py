"""Define, validate and parse the settings of learners.

A settings class is a frozen dataclass with fields of type int, float, bool, `Literal` of strings, or `tuple[int, ...]`.
Each field is created with `setting`, which stores the field's meaning and range as metadata. The class's
`__post_init__` calls `check`.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from menace.errors import InvalidSetting
from menace.text.wording import did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_BEADS = 2**26 - 1  # maximum number of beads in a pile; db/schema.sql and the kernel use the same number


S = TypeVar("S", bound="DataclassInstance")

LONGEST_SHOWN = 60  # maximum number of characters that a message quotes from an invalid value
YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def setting(default: Any, means: str, least: float | None = None, most: float | None = None) -> Any:
    """Return a dataclass field with a default value, a description and an optional range.

    Args:
        default: the default value.
        means: a description of the setting.
        least: the minimum of the number, or of each number in the tuple. If it is given, `most` is required.
        most: the maximum.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> MenaceSettings().floor, describe(MenaceSettings, "floor")  # its field is setting(0, "...", 0, 10_000)
    (0, 'an integer from 0 to 10000')
    """
    bounds = {} if least is None else {"least": least, "most": most}
    return dataclasses.field(default=default, metadata={"means": means, **bounds})


def check(settings: DataclassInstance) -> None:
    """Check the type and the range of every field.

    Raises:
        InvalidSetting: if a field is invalid. The message contains the setting, its value and the allowed values.

    >>> from menace.learners.algorithms.odds import OddsSettings
    >>> OddsSettings(memory=1.5)  # its __post_init__ calls check
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting memory=1.5 is not a number from 0 to 1
    """
    for name, kind in _kinds(type(settings)).items():
        value = getattr(settings, name)
        if not _fits(value, kind, type(settings).__dataclass_fields__[name].metadata):
            raise InvalidSetting(f"setting {name}={_short(show(value))} is not {describe(type(settings), name)}")


def describe(cls: type[DataclassInstance], name: str) -> str:
    """Return a description of a setting's allowed values, such as `an integer from 0 to 1000`.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> [describe(MenaceSettings, name) for name in ("merged", "beads", "boxes")]
    ['yes or no', 'integers from 1 to 10000, separated by commas', 'one of choices, all, michie']
    """
    kind = _kinds(cls)[name]
    bounds = cls.__dataclass_fields__[name].metadata
    between = f" from {bounds['least']:g} to {bounds['most']:g}" if "least" in bounds else ""
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(get_args(kind))
    if get_origin(kind) is tuple:
        return f"integers{between}, separated by commas"
    return {bool: "yes or no", int: "an integer", float: "a number"}[kind] + between


def explain(cls: type[DataclassInstance]) -> dict[str, str]:
    """Return a dictionary that maps each setting's name to its meaning.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> explain(MenaceSettings)["floor"]
    'minimum number of beads in a pile'
    """
    return {field.name: field.metadata["means"] for field in dataclasses.fields(cls)}


def from_assignments(cls: type[S], assignments: Mapping[str, object], base: S | None = None) -> S:
    """Return a copy of `base`, or of the default settings if `base` is None, with some settings replaced.

    Args:
        cls: the class of the settings.
        assignments: new settings by name, as values or as strings (`--set KEY=VALUE`).
        base: the settings in which values are replaced, or None for the default settings.

    Raises:
        InvalidSetting: if a setting is unknown, or its value is not allowed.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> settings = from_assignments(MenaceSettings, {"beads": "8,4,2,1", "merged": "no"})
    >>> settings.beads, settings.merged
    ((8, 4, 2, 1), False)
    """
    kinds = _kinds(cls)
    values = {name: _value(cls, kinds, name, value) for name, value in assignments.items()}
    return dataclasses.replace(base, **values) if base is not None else cls(**values)


def to_json(settings: DataclassInstance) -> str:
    """Return all settings as a JSON object.

    >>> from menace.learners.algorithms.odds import OddsSettings
    >>> to_json(OddsSettings(memory=0.9))[:61]
    '{"growth": 1.025, "steepness": 2.0, "last": 1099511627776.0, '
    """
    return json.dumps(dataclasses.asdict(settings))


def from_json(cls: type[S], text: str) -> S:
    """Return the settings from a JSON object that `to_json` wrote.

    Raises:
        InvalidSetting: if a setting is missing, unknown or out of range.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> from_json(MenaceSettings, to_json(MenaceSettings(beads=(8, 4, 2, 1)))).beads
    (8, 4, 2, 1)
    >>> from_json(MenaceSettings, "[]")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: settings '[]' are not a JSON object
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InvalidSetting(f"settings {text[:LONGEST_SHOWN]!r} are not a JSON object")
    unknown = set(values) - set(_kinds(cls))
    if unknown:
        raise _unknown(cls, min(unknown))
    missing = set(_kinds(cls)) - set(values)
    if missing:
        raise InvalidSetting(f"the setting {min(missing)!r} is missing")
    return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def show(value: object) -> str:
    """Return a value in the form that `--set` accepts.

    >>> show((8, 4, 2, 1)), show(True), show(0.5)
    ('8,4,2,1', 'yes', '0.5')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


@functools.cache
def _kinds(cls: type[DataclassInstance]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _unknown(cls: type[DataclassInstance], name: str) -> InvalidSetting:
    # A description may start with the name that textbooks use for the setting, such as "lambda:". Suggestions also
    # consider this name.
    of_books = {means.partition(":")[0]: known for known, means in explain(cls).items()}
    similar = did_you_mean(of_books.get(name, name), _kinds(cls))
    return InvalidSetting(f"there is no setting {_short(name)!r}; {similar}choose one of {', '.join(_kinds(cls))}")


def _value(cls: type[DataclassInstance], kinds: dict[str, Any], name: str, value: object) -> object:
    if name not in kinds:
        raise _unknown(cls, name)
    if isinstance(value, str):
        return _parse_setting(cls, kinds[name], name, value)
    return tuple(value) if isinstance(value, list) else value


def _parse_setting(cls: type[DataclassInstance], kind: Any, name: str, text: str) -> object:
    try:
        if kind is bool:
            return YES_NO[text.lower()]
        if get_origin(kind) is tuple:
            return tuple(int(item) for item in text.split(","))
        return text if get_origin(kind) is Literal else kind(text)
    except (ValueError, KeyError):
        raise InvalidSetting(f"setting {name}={_short(text)} is not {describe(cls, name)}") from None


def _fits(value: object, kind: Any, bounds: types.MappingProxyType[Any, Any]) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and len(value) > 0 and all(_fits(item, int, bounds) for item in value)
    if kind is bool:
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else int):
        return False
    return "least" not in bounds or bool(bounds["least"] <= value <= bounds["most"])  # the comparison is false for NaN
