"""Load games from Python files, installed packages and running programs, and run users' Python files."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import re
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from menace.errors import InvalidGame, MenaceError
from menace.games.base import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


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


# Makes a game of a family from a variant's text; without a text, the family's default variant.
Factory: TypeAlias = Callable[..., Game]

GROUP = "menace.games"  # of entry points
FILES = "MENACE_GAMES"  # the environment variable that names files
EXAMPLE = "./chomp.py:Chomp"
ANYWHERE = "/home/me/chomp.py:Chomp"  # an example that holds in every folder
VALUES = ("name", "variant", "rules", "initial", "shape", "symmetries")
METHODS = ("to_move", "actions", "play", "outcome", "parse", "parse_action", "name_of", "draw", "pieces", "where")
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
VARIANT_MOST = 60  # characters

_registered: dict[tuple[str, str], Game] = {}  # by name and variant


# What has the form of a game. Its laws: menace/testing.py.


def check_form(game: Game, source: str) -> None:
    """Check that an object has all attributes of a game, of the right types. Nothing is played.

    Args:
        game: the object.
        source: its name in messages.

    Raises:
        InvalidGame: if an attribute is missing or of another type. The message says which.

    >>> from menace.games.rules.mnk import MNK
    >>> check_form(MNK(), "tic-tac-toe")
    >>> check_form("chess", "it")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: it has no `name`; a game has what menace.games.base.Game lists
    """
    for name in (*VALUES, *METHODS):
        if not hasattr(game, name):
            raise InvalidGame(f"{source} has no `{name}`; a game has what menace.games.base.Game lists")
    for method in METHODS:
        if not callable(getattr(game, method)):
            raise InvalidGame(f"{source} has a `{method}` that cannot be called; it should be a method")
    name, variant, rules, initial, shape, symmetries = (getattr(game, value) for value in VALUES)
    are_right = (
        (isinstance(name, str) and NAME.fullmatch(name), "a word in small letters"),
        (_is_word(variant) and len(variant) <= VARIANT_MOST, "a text without spaces"),
        (isinstance(rules, str) and rules.strip(), "the rules in words"),
        (_is_word(initial), "a text without spaces"),
        (_is_pair(shape) and min(shape) >= 1, "two whole numbers from 1, (rows, columns)"),
        (isinstance(symmetries, tuple) and symmetries, "a tuple, whose first is the identity"),
    )
    for value, (is_right, wanted) in zip(VALUES, are_right, strict=True):
        if not is_right:
            raise InvalidGame(f"{source} has the {value} {getattr(game, value)!r}; it should be {wanted}")


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value != "" and not re.search(r"\s", value)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and [type(number) for number in value] == [int, int]


def make(factory: Factory, variant: str | None, source: str) -> Game:
    """Make a game from outside, and check that it has the form of a game, and that its variant's text makes it again.

    Args:
        factory: what makes it.
        variant: its text; None stands for the factory's default.
        source: the factory's name in messages.

    Raises:
        InvalidGame: if it cannot be made, or is not a game.
    """
    if variant is None:
        variant = _call_factory(factory, source).variant
    game = _call_factory(factory, source, variant)
    if game.variant != variant and _call_factory(factory, source, game.variant).variant != game.variant:
        raise InvalidGame(
            f"{source} makes a different game when it is given {game.variant!r}, the variant of its own game"
        )
    return game


def _call_factory(factory: Factory, source: str, *variant: str) -> Game:
    if not variant and _needs_a_variant(factory):
        raise InvalidGame(f"{source} has no default variant; name one with --variant")
    try:
        game = factory(*variant)
        check_form(game, source)
    except MenaceError:
        raise
    except Exception as error:  # noqa: BLE001 - any error of foreign code is reported in a line
        of = f"the variant {variant[0]!r}" if variant else "its default variant"
        raise InvalidGame(f"{source} cannot make {of}: {reason(error)}") from None
    return game


def _needs_a_variant(factory: Factory) -> bool:
    with contextlib.suppress(ValueError):  # a callable without a signature reports missing arguments itself
        try:
            inspect.signature(factory).bind()
        except TypeError:
            return True
    return False


def register(game: Game) -> None:
    """Let databases of this game be used in this process, whatever else has its name."""
    _registered[game.name, game.variant] = game


def find(name: str, variant: str | None) -> Game | None:
    """Return a game from outside by its name: registered, in a file of MENACE_GAMES, or in a package; or return None.

    Raises:
        InvalidGame: if there is more than one, or it is broken; or if it is not found and a file of MENACE_GAMES is
            broken.
    """
    if variant is not None and (name, variant) in _registered:
        return _registered[name, variant]
    broken: list[InvalidGame] = []
    in_files = []
    for reference in named_files():
        try:
            if _name_of(reference) == name:
                in_files.append(reference)
        except InvalidGame as error:
            broken.append(error)
    if len(in_files) > 1:
        raise InvalidGame(f"{FILES} names two games called {name!r}, {' and '.join(in_files)}; leave one of them out")
    if in_files:
        return game_in_file(in_files[0], variant)
    # A package may be found twice.
    packages = {point.value: point for point in _entry_points() if point.name == name}
    if len(packages) > 1:
        names = " and ".join(sorted(map(_package, packages.values())))
        raise InvalidGame(f"two packages have a game called {name!r}, {names}; uninstall one of them")
    for point in packages.values():
        source = f"the game {name} of the package {_package(point)}"
        return make(_loaded(point, source), variant, source)
    if broken:
        raise broken[0]
    return None


# In files.


def is_file(text: str) -> bool:
    """Say whether a text names a class in a file, and not a game.

    >>> is_file("./chomp.py:Chomp"), is_file("chomp.py"), is_file("nim")
    (True, True, False)
    """
    return NAMED.fullmatch(text) is not None or text.endswith(".py") or os.sep in text


def named_files() -> list[str]:
    """Return the classes in files that MENACE_GAMES names, each as `./chomp.py:Chomp`.

    Raises:
        InvalidGame: if it cannot be parsed.

    >>> named_files()
    []
    """
    text = os.environ.get(FILES, "")
    matches = list(re.finditer(rf"{NAMED.pattern}(?:{re.escape(os.pathsep)}+|$)", text, re.ASCII))
    if "".join(match[0] for match in matches) != text:
        raise InvalidGame(
            f"{FILES} is {text!r}; it names classes in files, such as {EXAMPLE}, with {os.pathsep} between"
        )
    return [f"{match[1]}:{match[2]}" for match in matches]


def absolute(reference: str) -> str:
    """Return `./chomp.py:Chomp` with the whole path of its file, so that it is found from any folder."""
    path, _, name = reference.rpartition(":")
    return f"{Path(path).absolute()}:{name}"


def names_in_files() -> dict[str, str]:
    """Return the name of each game of MENACE_GAMES, by its reference there. Raises InvalidGame if one is broken."""
    return {reference: _name_of(reference) for reference in named_files()}


def _name_of(reference: str) -> str:
    factory = _factory_in_file(reference)
    name = getattr(factory, "name", None)
    return name if isinstance(name, str) else _call_factory(factory, reference).name


def game_in_file(reference: str, variant: str | None) -> Game:
    """Run a Python file, and return a game of the named class, such as `./chomp.py:Chomp`.

    Raises:
        InvalidGame: if there is no such file or class, the file cannot be run, or it does not make a game.
    """
    return make(_factory_in_file(reference), variant, reference)


def _factory_in_file(reference: str) -> Factory:
    return callable_in_file(reference, "class", EXAMPLE)


# In packages.


def installed() -> list[tuple[str, str]]:
    """Return the games that installed packages declare, including menace, each with its package. None is loaded."""
    return list(dict.fromkeys((point.name, _package(point)) for point in _entry_points()))


def _entry_points() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # takes longer than the rest of a command

    return list(entry_points(group=GROUP))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]


def _loaded(point: EntryPoint, source: str) -> Factory:
    SOURCES[point.module.partition(".")[0]] = source
    try:
        factory: Factory = point.load()
    except MenaceError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
        raise InvalidGame(f"{source} cannot be loaded: {reason(error)}; upgrade or uninstall it") from None
    if not callable(factory):
        raise InvalidGame(f"{source} is {factory!r}, which does not make a game; upgrade or uninstall it")
    return factory
