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

SOURCES: dict[str, str] = {}  # names of external code in messages, by module name
_imported: dict[Path, dict[str, types.ModuleType]] = {}  # for each folder, the modules that its files imported, by name


def callable_in_file(reference: str, kind: str, example: str) -> Callable[..., Any]:
    """Run a Python file, and return the class or function that `reference` names after a colon.

    Args:
        reference: a file and a name, such as `./chomp.py:Chomp`.
        kind: `class` or `function`, for messages.
        example: an example of a reference, for messages.

    Raises:
        InvalidGame: if there is no such file, class or function, or the file cannot be run.
    """
    match = NAMED.fullmatch(reference)
    if match is None:
        raise InvalidGame(f"{reference!r} does not name a file and a {kind} in it; write both, as in {example}")
    path = Path(match[1])
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidGame(
            f"{path} cannot be read ({error.strerror}); name a file and a {kind} in it, as in {example}"
        ) from None
    module = _run(str(path), str(path.absolute()), source)
    named: Callable[..., Any] | None = getattr(module, match[2], None)
    if not callable(named):  # the name is missing or refers to another kind of object
        names = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        raise InvalidGame(f"{path} has no {kind} {match[2]}; it has {', '.join(names) or 'none'}")
    return named


@cache
def _run(shown: str, path: str, source: bytes) -> types.ModuleType:
    """Run a file, once for each version of its text, and return its module. No bytecode file is written."""
    module = types.ModuleType(f"{MODULES}{len(SOURCES)}")
    module.__file__ = path
    SOURCES[module.__name__] = shown
    sys.modules[module.__name__] = module  # dataclasses look the module up there
    try:
        with _import_from_folder(Path(path).parent, Path(shown).parent):
            exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - the user named the file
    except SyntaxError as error:
        file = Path(shown).with_name(Path(error.filename or path).name)
        raise InvalidGame(f"{file} is not valid Python: {error.msg}, line {error.lineno}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - any error of external code is reported
        raise InvalidGame(plugin_fault(error) or f"{shown} cannot be run: {reason(error)}") from None
    return module


@contextlib.contextmanager
def _import_from_folder(folder: Path, shown: Path) -> Iterator[None]:
    """Let a file import modules from its folder, apart from modules of the same name in folders of other files.

    Imports made while the file runs are looked up in its own folder first. Later imports, inside its functions, find a
    module of the folder only if no installed module and no module beside another file has the same name.
    """
    own = _imported.setdefault(folder, {})
    for modules in _imported.values():
        for name in modules:
            sys.modules.pop(name, None)
    sys.modules.update(own)
    before, compiles = set(sys.modules), not sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()  # a module in the folder may be new
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = not compiles
        with contextlib.suppress(ValueError):  # the file may have changed sys.path
            sys.path.remove(str(folder))
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
        for name in set(sys.modules) - before:
            place, file = Path(*name.split(".")), getattr(sys.modules[name], "__file__", None) or ""
            if Path(file) in {folder / f"{place}.py", folder / place / "__init__.py"}:
                own[name] = sys.modules[name]
                SOURCES[name.partition(".")[0]] = str(shown / Path(file).relative_to(folder))


def plugin_fault(error: BaseException) -> str | None:
    """Return one line that says where external code failed, or None if the error was not raised in such code.

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
    """Return the type and message of an exception in one line.

    >>> reason(KeyError(3))
    'KeyError: 3'
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


# A factory makes a game from the text of its variant, or its default variant without a text.
Factory: TypeAlias = Callable[..., Game]

GROUP = "menace.games"  # the group of entry points
FILES = "MENACE_GAMES"  # the environment variable that lists files
EXAMPLE = "./chomp.py:Chomp"
ANYWHERE = "/home/me/chomp.py:Chomp"  # an example that is valid in every folder
VALUES = ("name", "variant", "rules", "initial", "shape", "symmetries")
METHODS = ("to_move", "actions", "play", "outcome", "parse", "parse_action", "name_of", "draw", "pieces", "where")
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MAX_VARIANT_LENGTH = 60  # in characters

_registered: dict[tuple[str, str], Game] = {}  # registered games by name and variant


# The form of a game. Its laws are checked by menace/testing.py.


def check_form(game: Game, source: str) -> None:
    """Check that an object has all attributes of a game, with the right types. No moves are played.

    Args:
        game: the object.
        source: its name in messages.

    Raises:
        InvalidGame: if an attribute is missing or has another type. The message names it.

    >>> from menace.games.rules.mnk import MNK
    >>> check_form(MNK(), "tic-tac-toe")
    >>> check_form("chess", "it")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: it has no `name`; menace.games.base.Game lists what a game needs
    """
    for name in (*VALUES, *METHODS):
        if not hasattr(game, name):
            raise InvalidGame(f"{source} has no `{name}`; menace.games.base.Game lists what a game needs")
    for method in METHODS:
        if not callable(getattr(game, method)):
            raise InvalidGame(f"{source} has a `{method}` that is not a method")
    name, variant, rules, initial, shape, symmetries = (getattr(game, value) for value in VALUES)
    are_right = (
        (isinstance(name, str) and NAME.fullmatch(name), "a word in lower case"),
        (_is_word(variant) and len(variant) <= MAX_VARIANT_LENGTH, "a text without spaces"),
        (isinstance(rules, str) and rules.strip(), "the rules in words"),
        (_is_word(initial), "a text without spaces"),
        (_is_pair(shape) and min(shape) >= 1, "a pair of positive integers, (rows, columns)"),
        (isinstance(symmetries, tuple) and symmetries, "a tuple that starts with the identity"),
    )
    for value, (is_right, wanted) in zip(VALUES, are_right, strict=True):
        if not is_right:
            raise InvalidGame(f"{source} has the {value} {getattr(game, value)!r}; it should be {wanted}")


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value != "" and not re.search(r"\s", value)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and [type(number) for number in value] == [int, int]


def make(factory: Factory, variant: str | None, source: str) -> Game:
    """Create a game with an external factory, and check its form and that its variant's text creates it again.

    Args:
        factory: creates the game.
        variant: the text of the variant; None for the factory's default.
        source: the factory's name in messages.

    Raises:
        InvalidGame: if the game cannot be created, or is not a game.
    """
    if variant is None:
        variant = _call_factory(factory, source).variant
    game = _call_factory(factory, source, variant)
    if game.variant != variant and _call_factory(factory, source, game.variant).variant != game.variant:
        raise InvalidGame(
            f"{source} creates a different game when it is given {game.variant!r}, its game's own variant"
        )
    return game


def _call_factory(factory: Factory, source: str, *variant: str) -> Game:
    if not variant and _requires_variant(factory):
        raise InvalidGame(f"{source} has no default variant; name one with --variant")
    try:
        game = factory(*variant)
        check_form(game, source)
    except MenaceError:
        raise
    except Exception as error:  # noqa: BLE001 - any error of external code is reported in one line
        made = f"the variant {variant[0]!r}" if variant else "its default variant"
        raise InvalidGame(f"{source} cannot create {made}: {reason(error)}") from None
    return game


def _requires_variant(factory: Factory) -> bool:
    with contextlib.suppress(ValueError):  # a callable without a signature reports missing arguments itself
        try:
            inspect.signature(factory).bind()
        except TypeError:
            return True
    return False


def register(game: Game) -> None:
    """Make a game available by its name in this process; it takes precedence over other games of that name."""
    _registered[game.name, game.variant] = game


def find(name: str, variant: str | None) -> Game | None:
    """Return an external game by its name, or None if there is none.

    Registered games come first, then games in files listed in MENACE_GAMES, then games of installed packages.

    Raises:
        InvalidGame: if there is more than one game of that name, or it is broken; or if it was not found and a file
            listed in MENACE_GAMES is broken.
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
        raise InvalidGame(f"{FILES} lists two games called {name!r}, {' and '.join(in_files)}; remove one of them")
    if in_files:
        return game_in_file(in_files[0], variant)
    # The same package may be found twice.
    packages = {point.value: point for point in _entry_points() if point.name == name}
    if len(packages) > 1:
        names = " and ".join(sorted(map(_package, packages.values())))
        raise InvalidGame(f"two packages contain a game called {name!r}, {names}; uninstall one of them")
    for point in packages.values():
        source = f"the game {name} from the package {_package(point)}"
        return make(_load(point, source), variant, source)
    if broken:
        raise broken[0]
    return None


# Games in files.


def is_file(text: str) -> bool:
    """Return whether a text names a class in a file rather than a game.

    >>> is_file("./chomp.py:Chomp"), is_file("chomp.py"), is_file("nim")
    (True, True, False)
    """
    return NAMED.fullmatch(text) is not None or text.endswith(".py") or os.sep in text


def named_files() -> list[str]:
    """Return the classes in files that MENACE_GAMES lists, each in the form `./chomp.py:Chomp`.

    Raises:
        InvalidGame: if the variable cannot be parsed.

    >>> named_files()
    []
    """
    text = os.environ.get(FILES, "")
    matches = list(re.finditer(rf"{NAMED.pattern}(?:{re.escape(os.pathsep)}+|$)", text, re.ASCII))
    if "".join(match[0] for match in matches) != text:
        raise InvalidGame(
            f"{FILES} is {text!r}; it lists classes in files, such as {EXAMPLE}, separated by {os.pathsep}"
        )
    return [f"{match[1]}:{match[2]}" for match in matches]


def with_absolute_path(reference: str) -> str:
    """Return a reference such as `./chomp.py:Chomp` with the absolute path of its file."""
    path, _, name = reference.rpartition(":")
    return f"{Path(path).absolute()}:{name}"


def names_in_files() -> dict[str, str]:
    """Return the names of the games listed in MENACE_GAMES, by reference.

    Raises:
        InvalidGame: if one of them is broken.
    """
    return {reference: _name_of(reference) for reference in named_files()}


def _name_of(reference: str) -> str:
    factory = _factory_in_file(reference)
    name = getattr(factory, "name", None)
    return name if isinstance(name, str) else _call_factory(factory, reference).name


def game_in_file(reference: str, variant: str | None) -> Game:
    """Run a Python file, and return a game of the class named by a reference such as `./chomp.py:Chomp`.

    Args:
        reference: the file and the class.
        variant: the text of the variant; None for the default.

    Raises:
        InvalidGame: if there is no such file or class, the file cannot be run, or the class does not create a game.
    """
    return make(_factory_in_file(reference), variant, reference)


def _factory_in_file(reference: str) -> Factory:
    return callable_in_file(reference, "class", EXAMPLE)


# Games in packages.


def installed_games() -> list[tuple[str, str]]:
    """Return the games declared by installed packages, including menace, with their packages, without loading them."""
    return list(dict.fromkeys((point.name, _package(point)) for point in _entry_points()))


def _entry_points() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # importing this takes longer than the rest of a command

    return list(entry_points(group=GROUP))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]


def _load(point: EntryPoint, source: str) -> Factory:
    SOURCES[point.module.partition(".")[0]] = source
    try:
        factory: Factory = point.load()
    except MenaceError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any error of external code is reported
        raise InvalidGame(f"{source} cannot be loaded: {reason(error)}; upgrade or uninstall it") from None
    if not callable(factory):
        raise InvalidGame(f"{source} is {factory!r}, which is not callable; upgrade or uninstall it")
    return factory
