"""Games from outside: in a file that a person names, in a package that is installed, or handed over by a program.

A person names a file by `./chomp.py:Chomp`, to `menace init`, and to all commands by MENACE_GAMES. A package names its
games by entry points of the group `menace.games`. A database has the name of its game alone: it never says what to run.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from menace.errors import InvalidGame, MenaceError
from menace.games.base import Game
from menace.games.form import check_form

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# What makes a game of a family from its variant's text; without one, the variant that the family takes by itself.
Maker: TypeAlias = Callable[..., Game]

GROUP = "menace.games"  # of entry points
FILES = "MENACE_GAMES"  # the environment variable that names files
EXAMPLE = "./chomp.py:Chomp"
NAMED = re.compile(r"(.+?\.py):([A-Za-z_]\w*)", re.ASCII)
MODULES = "menace_game_"  # what modules of files are called, before a number

_sources: dict[str, str] = {}  # what code from outside is called in messages, by its module's name
_handed: dict[tuple[str, str], Game] = {}  # by name and variant


def later(reference: str) -> Maker:
    """Return what makes a game of ours; its module is loaded when a game is made.

    Args:
        reference: as in an entry point, `menace.games.mnk:MNK.from_variant`.

    >>> later("menace.games.mnk:MNK.from_variant")("2x2x2").initial
    '....'
    """

    def maker(*variant: str) -> Game:
        module, _, names = reference.partition(":")
        found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
        game: Game = found(*variant)
        return game

    return maker


def is_file(text: str) -> bool:
    """Say whether this is to name a class in a file, and not a game.

    >>> is_file("./chomp.py:Chomp"), is_file("chomp.py"), is_file("nim")
    (True, True, False)
    """
    return NAMED.fullmatch(text) is not None or text.endswith(".py") or os.sep in text


def named_files() -> list[str]:
    """Return the classes in files that MENACE_GAMES names, each as `./chomp.py:Chomp`.

    Raises:
        InvalidGame: if it cannot be taken apart.

    >>> named_files()
    []
    """
    text = os.environ.get(FILES, "")
    found = list(re.finditer(rf"{NAMED.pattern}(?:{re.escape(os.pathsep)}+|$)", text, re.ASCII))
    if "".join(match[0] for match in found) != text:
        raise InvalidGame(
            f"{FILES} is {text!r}; it names classes in files, such as {EXAMPLE}, with {os.pathsep} between"
        )
    return [f"{match[1]}:{match[2]}" for match in found]


def maker_in_file(reference: str) -> Maker:
    """Run a file of Python, and return what makes its games.

    Args:
        reference: `./chomp.py:Chomp`, the file and what it is called there.

    Raises:
        InvalidGame: if there is no such file or class, or the file cannot be run.
    """
    found = NAMED.fullmatch(reference)
    if found is None:
        raise InvalidGame(f"{reference!r} does not name a class in a file; write both, as in {EXAMPLE}")
    path = Path(found[1])
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidGame(
            f"{path} cannot be read ({error.strerror}); name a file and its class, as in {EXAMPLE}"
        ) from None
    module = _run(str(path), str(path.absolute()), source)
    maker: Maker | None = getattr(module, found[2], None)
    if maker is None or not callable(maker):
        there = [name for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__]
        raise InvalidGame(f"{path} has no class {found[2]}; it has {', '.join(there) or 'none'}")
    return maker


@cache
def _run(shown: str, path: str, source: bytes) -> types.ModuleType:
    """Run a file once, as long as its text stays the same. No compiled copy is left beside it."""
    module = types.ModuleType(f"{MODULES}{len(_sources)}")
    module.__file__ = path
    _sources[module.__name__] = shown
    sys.modules[module.__name__] = module  # dataclasses ask for it
    try:
        exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - the person named it
    except SyntaxError as error:
        raise InvalidGame(f"{shown} is not Python that can be run: {error.msg}, line {error.lineno}") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever another's code does, it is told in a line
        raise InvalidGame(blamed(error) or f"{shown} cannot be run: {_reason(error)}") from None
    return module


def make(maker: Maker, variant: str | None, source: str) -> Game:
    """Make a game from outside, and see that it has the form of one, and that its variant's text makes it again.

    Args:
        maker: what makes it.
        variant: its text; None stands for the variant that the maker takes by itself.
        source: what the maker is called in messages.

    Raises:
        InvalidGame: if it cannot be made, or is no game.
    """
    if variant is None:
        variant = make_by_itself(maker, source).variant
    game = _made(maker, source, variant)
    if game.variant != variant and _made(maker, source, game.variant).variant != game.variant:
        raise InvalidGame(
            f"{source} makes a different game when it is given {game.variant!r}, the variant of its own game"
        )
    return game


def make_by_itself(maker: Maker, source: str) -> Game:
    """Make the game of the variant that a maker takes by itself.

    Raises:
        InvalidGame: if it takes none, or what it makes is no game.
    """
    try:
        inspect.signature(maker).bind()
    except TypeError:
        raise InvalidGame(f"{source} has no default variant; name one with --variant") from None
    except ValueError:
        pass  # what has no signature says itself what it wants
    return _made(maker, source)


def _made(maker: Maker, source: str, *variant: str) -> Game:
    try:
        game = maker(*variant)
        check_form(game, source)
    except MenaceError:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        of = f"the variant {variant[0]!r}" if variant else "its default variant"
        raise InvalidGame(f"{source} cannot make {of}: {_reason(error)}") from None
    return game


def hand_over(game: Game) -> None:
    """Let databases of this game be used in this process, whatever else has its name."""
    _handed[game.name, game.variant] = game


def find(name: str, variant: str | None) -> Game | None:
    """Return a game from outside by its name: handed over, in a file of MENACE_GAMES, or in a package; None if none is.

    Raises:
        InvalidGame: if there is more than one, or it is broken; or none is found, and a file of MENACE_GAMES is broken.
    """
    if variant is not None and (name, variant) in _handed:
        return _handed[name, variant]
    broken: InvalidGame | None = None
    in_files = {}
    for reference in named_files():
        try:
            if _name_of(reference) == name:
                in_files[reference] = maker_in_file(reference)
        except InvalidGame as error:
            broken = broken or error
    if len(in_files) > 1:
        raise InvalidGame(f"{FILES} names two games called {name!r}, {' and '.join(in_files)}; leave one of them out")
    for reference, maker in in_files.items():
        return make(maker, variant, reference)
    found = _in_packages(name)
    if found is not None:
        return make(_loaded(found), variant, _called(found))
    if broken is not None:
        raise broken
    return None


def _name_of(reference: str) -> str:
    maker = maker_in_file(reference)
    name = getattr(maker, "name", None)
    return name if isinstance(name, str) else make_by_itself(maker, reference).name


def names_in_files() -> dict[str, str]:
    """Return what each of MENACE_GAMES is called, by how it is named there. Raises InvalidGame if one is broken."""
    return {reference: _name_of(reference) for reference in named_files()}


def installed() -> list[tuple[str, str]]:
    """Return the games that installed packages declare, menace among them, each with its package. None is loaded."""
    return list(dict.fromkeys((point.name, _package(point)) for point in _entry_points()))


def _entry_points() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # which takes longer than a command needs otherwise

    return list(entry_points(group=GROUP))


def _in_packages(name: str) -> EntryPoint | None:
    points = {point.value: point for point in _entry_points() if point.name == name}  # a package may be found twice
    if len(points) > 1:
        packages = " and ".join(sorted(_package(point) for point in points.values()))
        raise InvalidGame(f"two packages have a game called {name!r}, {packages}; uninstall one of them")
    return next(iter(points.values()), None)


def _loaded(point: EntryPoint) -> Maker:
    _sources[point.module.partition(".")[0]] = _called(point)
    try:
        maker = point.load()
    except MenaceError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever another's code does, it is told in a line
        raise InvalidGame(f"{_called(point)} cannot be loaded: {_reason(error)}; upgrade or uninstall it") from None
    if not callable(maker):
        raise InvalidGame(f"{_called(point)} is {maker!r}, which does not make a game; upgrade or uninstall it")
    found: Maker = maker
    return found


def _called(point: EntryPoint) -> str:
    return f"the game {point.name} of the package {_package(point)}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]


def blamed(error: BaseException) -> str | None:
    """Return in a line where code from outside went wrong; None if it is not at the end of what was called.

    >>> blamed(ValueError("ours")) is None
    True
    """
    import traceback

    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        source = _source_of(frame.f_globals.get("__name__", ""))
        if source is not None:
            found = f"{source} fails in line {line}, {frame.f_code.co_name}: {_reason(error)}"
    return found


def _source_of(module: str) -> str | None:
    return _sources.get(module) or _sources.get(module.partition(".")[0])


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
