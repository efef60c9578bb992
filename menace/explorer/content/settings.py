"""Presets and settings as records for forms and JSON: each setting with its meaning, range and value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from menace.analysis.records import learner_record
from menace.learners.registry import LEARNERS, PRESETS
from menace.learners.settings import describe, explain, show
from menace.ledger.store import LearnerRow

YES_NO = ("yes", "no")


def settings_dict(values: Any) -> list[dict[str, Any]]:
    """Return a record for each setting: its name, value as text, meaning, range, and choices if it has any.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> settings = settings_dict(MenaceSettings())
    >>> settings[1]["name"], settings[1]["value"], settings[1]["may_be"]
    ('beads', '4,3,2,1', 'whole numbers from 1 to 10000, separated by commas')
    >>> settings[2]["name"], settings[2]["choices"]
    ('merged', ['yes', 'no'])
    """
    kinds = get_type_hints(type(values))
    return [
        {
            "name": name,
            "value": show(getattr(values, name)),
            "means": means,
            "may_be": describe(type(values), name),
            "choices": _choices(kinds[name]),
        }
        for name, means in explain(type(values)).items()
    ]


def _choices(kind: Any) -> list[str] | None:
    if kind is bool:
        return list(YES_NO)
    return [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else None


def preset_dict(name: str) -> dict[str, Any]:
    """Return a preset as a record, with its name, colours, numbering, unit and settings."""
    preset = PRESETS[name]
    made = {"name": name, "unit": LEARNERS[preset.algorithm].unit, "settings": settings_dict(preset.settings)}
    return vars(preset) | preset.naming._asdict() | made


def changed_settings(values: Mapping[str, Any], preset: str) -> dict[str, str]:
    """Return the preset's values of those settings in which a learner differs from its preset."""
    if preset not in PRESETS:
        return {}
    published = {setting["name"]: setting["value"] for setting in settings_dict(PRESETS[preset].settings)}
    return {name: published[name] for name, value in values.items() if published.get(name, value) != value}


def machine_dict(row: LearnerRow) -> dict[str, Any]:
    """Return a learner's row as a record, with its settings, and its preset's values where they differ."""
    record = learner_record(row)
    texts = {
        name: show(tuple(value) if isinstance(value, list) else value) for name, value in record["settings"].items()
    }
    return {
        **record,
        "known": row.algorithm in LEARNERS,
        "instead_of": changed_settings(texts, row.preset),
        "texts": texts,
    }
