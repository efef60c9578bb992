"""Runs Python files of people, which have games and players, each named with its class or function after a colon.

A file may import its neighbours, the modules of its folder.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from menace.errors import InvalidGame

NAMED = re.compile(r"(.+?\.py):([A-Za-z_]\w*)", re.ASCII)
MODULES = "menace_game_"  # prefix of the module names of files, before a number

SOURCES: dict[str, str] = {}  # names in messages of code from outside, by module name
_imported: dict[Path, dict[str, types.ModuleType]] = {}  # by folder: modules that files there imported, by name


def callable_in_file(reference: str, kind: str, example: str) -> Callable[..., Any]:
    """Run a Python file, and return the class or function that `reference` names after a colon.

    Args:
        reference: such as `./chomp.py:Chomp`.
        kind: `class` or `function`, for messages.
        example: likewise.

    Raises:
        InvalidGame: if there is no such file, class or function, or the file cannot be run.
    """
    match = NAMED.fullmatch(reference)
    if match is None:
        raise InvalidGame(f"{reference!r} does not name a {kind} in a file; write both, as in {example}")
    path = Path(match[1])
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidGame(
            f"{path} cannot be read ({error.strerror}); name a file and its {kind}, as in {example}"
        ) from None
    module = _run(str(path), str(path.absolute()), source)
    named: Callable[..., Any] | None = getattr(module, match[2], None)
    if not callable(named):  # nothing of that name, or something else
        names = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        raise InvalidGame(f"{path} has no {kind} {match[2]}; it has {', '.join(names) or 'none'}")
    return named


@cache
def _run(shown: str, path: str, source: bytes) -> types.ModuleType:
    """Run a file once, as long as its text stays the same. No compiled copy is left beside it."""
    module = types.ModuleType(f"{MODULES}{len(SOURCES)}")
    module.__file__ = path
    SOURCES[module.__name__] = shown
    sys.modules[module.__name__] = module  # dataclasses look it up
    try:
        with _neighbours(Path(path).parent, Path(shown).parent):
            exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - the user named it
    except SyntaxError as error:
        file = Path(shown).with_name(Path(error.filename or path).name)
        raise InvalidGame(f"{file} is not Python that can be run: {error.msg}, line {error.lineno}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as above
        raise InvalidGame(plugin_fault(error) or f"{shown} cannot be run: {reason(error)}") from None
    return module


@contextlib.contextmanager
def _neighbours(folder: Path, shown: Path) -> Iterator[None]:
    """Let a file import modules of its folder. Those of the same name in the folders of other files are kept apart.

    What a file imports while it runs comes from its own folder first. What its functions import later comes from there
    only if no installed module and no neighbour of another file has the name.
    """
    own = _imported.setdefault(folder, {})
    for modules in _imported.values():
        for name in modules:
            sys.modules.pop(name, None)
    sys.modules.update(own)
    before, compiles = set(sys.modules), not sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()  # a neighbour may be new
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = not compiles
        with contextlib.suppress(ValueError):  # the file may have changed the path
            sys.path.remove(str(folder))
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
        for name in set(sys.modules) - before:
            place, file = Path(*name.split(".")), getattr(sys.modules[name], "__file__", None) or ""
            if Path(file) in {folder / f"{place}.py", folder / place / "__init__.py"}:
                own[name] = sys.modules[name]
                SOURCES[name.partition(".")[0]] = str(shown / Path(file).relative_to(folder))


def plugin_fault(error: BaseException) -> str | None:
    """Return in a line where code from outside failed; None if the error was not raised in such code.

    >>> plugin_fault(ValueError("ours")) is None
    True
    """
    import traceback

    fault = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        source = SOURCES.get(frame.f_globals.get("__name__", "").partition(".")[0])
        if source is not None:
            fault = f"{source} fails in line {line}, {frame.f_code.co_name}: {reason(error)}"
    return fault


def reason(error: BaseException) -> str:
    """Return what an error is, in a line.

    >>> reason(KeyError(3))
    'KeyError: 3'
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
