"""menace: Donald Michie's matchbox machine for noughts and crosses, with its training stored in SQLite.

A `Database` stores learners, and its methods correspond to the commands of `menace`. Each module is imported when one
of its names is first used.

    >>> import menace
    >>> x, o = menace.Machine("menace", "X"), menace.Machine("menace", "O")
    >>> menace.play_games(x, o, games=1_000, seed=1).outcomes
    (197, 520, 283)
"""

__version__ = "0.1.0"


def _module_of() -> dict[str, str]:
    """Return a dictionary that maps each public name to its module, as listed in __init__.pyi."""
    import re
    from pathlib import Path

    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"^from (\S+) import (\w+)", stub, re.MULTILINE)}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return ["__version__", *_module_of()]
    if name.startswith("_"):  # Python itself looks up names such as `__path__`
        raise AttributeError(f"module 'menace' has no attribute {name!r}")
    import importlib

    if name not in _module_of():
        raise AttributeError(f"module 'menace' has no attribute {name!r}")
    value = getattr(importlib.import_module(_module_of()[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return ["__version__", *_module_of()]
