"""Load games from Python files and from installed packages, register games at run time, and run users' Python files."""

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
MODULES = "menace_game_"  # prefix of generated module names, followed by a number

SOURCES: dict[str, str] = {}  # maps each module name to a description of its code, for messages
# maps each folder to the modules that files in this folder have imported
_imported: dict[Path, dict[str, types.ModuleType]] = {}


def callable_in_file(reference: str, kind: str, example: str) -> Callable[..., Any]:
    """Run a Python file, and return the class or function named after the colon in `reference`.

    Args:
        reference: a file and a name, such as `./chomp.py:Chomp`.
        kind: `class` or `function`, for use in messages.
        example: an example reference, for use in messages.

    Raises:
        InvalidGame: if there is no such file, class or function, or the file cannot be run.
    """
    match = NAMED.fullmatch(reference)
    if match is None:
        raise InvalidGame(f"{reference!r} does not name a file and a {kind}; give both, as in {example}")
    path = Path(match[1])
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InvalidGame(
            f"{path} cannot be read ({error.strerror}); specify a file and a {kind}, as in {example}"
        ) from None
    module = _run_file(str(path), str(path.absolute()), source)
    named: Callable[..., Any] | None = getattr(module, match[2], None)
    if not callable(named):  # the file does not define the name, or the object is not callable
        names = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        raise InvalidGame(f"{path} does not define the {kind} {match[2]}; it defines {', '.join(names) or 'none'}")
    return named


@cache
def _run_file(shown: str, path: str, source: bytes) -> types.ModuleType:
    """Run a file if its text has changed since the last run, and return its module. No bytecode is written."""
    module = types.ModuleType(f"{MODULES}{len(SOURCES)}")
    module.__file__ = path
    SOURCES[module.__name__] = shown
    sys.modules[module.__name__] = module  # dataclasses look up the module in sys.modules
    try:
        with _import_from_folder(Path(path).parent, Path(shown).parent):
            exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - the user chose the file
    except SyntaxError as error:
        file = Path(shown).with_name(Path(error.filename or path).name)
        raise InvalidGame(f"{file} is not valid Python: {error.msg} in line {error.lineno}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - external code can raise any error
        raise InvalidGame(plugin_fault(error) or f"{shown} cannot be run: {reason(error)}") from None
    return module


@contextlib.contextmanager
def _import_from_folder(folder: Path, shown: Path) -> Iterator[None]:
    """Let a file import modules from its own folder, even if other folders contain modules with the same names.

    While the file runs, imports search the file's own folder first. If a function in the file imports a module from
    this folder only when it is called, the name of the module must be unique. No installed module, and no module in
    another file's folder, may have the same name.
    """
    own = _imported.setdefault(folder, {})
    for modules in _imported.values():
        for name in modules:
            sys.modules.pop(name, None)
    sys.modules.update(own)
    before, compiles = set(sys.modules), not sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()  # the folder may contain a new module
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
    """Return a line that shows where external code failed, or None if the error did not come from external code.

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
    """Return the type and message of an exception on one line.

    >>> reason(KeyError(3))
    'KeyError: 3'
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


# A factory is called with the text of a variant and returns a game. Without an argument, a factory returns the game in
# its default variant.
Factory: TypeAlias = Callable[..., Game]

GROUP = "menace.games"  # the group of entry points for games
FILES = "MENACE_GAMES"  # the environment variable that lists game files
EXAMPLE = "./chomp.py:Chomp"
ANYWHERE = "/home/me/chomp.py:Chomp"  # an example that does not depend on the current folder
VALUES = ("name", "variant", "rules", "initial", "shape", "symmetries")
METHODS = ("to_move", "actions", "play", "outcome", "parse", "parse_action", "name_of", "draw", "pieces", "where")
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MAX_VARIANT_LENGTH = 60  # maximum number of characters in a variant's text

_registered: dict[tuple[str, str], Game] = {}  # registered games by name and variant


# These functions check the form of a game. menace/testing.py checks the laws that a game must obey.


def check_form(game: Game, source: str) -> None:
    """Check that an object has all attributes of a game, with the right types. This check does not play any moves.

    Args:
        game: the object.
        source: a description of the object for messages.

    Raises:
        InvalidGame: if an attribute is missing or has the wrong type. The message names the attribute.

    >>> from menace.games.rules.mnk import MNK
    >>> check_form(MNK(), "tic-tac-toe")
    >>> check_form("chess", "it")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidGame: it has no `name`; menace.games.base.Game lists the attributes of a game
    """
    for name in (*VALUES, *METHODS):
        if not hasattr(game, name):
            raise InvalidGame(f"{source} has no `{name}`; menace.games.base.Game lists the attributes of a game")
    for method in METHODS:
        if not callable(getattr(game, method)):
            raise InvalidGame(f"{source} has an attribute `{method}` that is not a method")
    name, variant, rules, initial, shape, symmetries = (getattr(game, value) for value in VALUES)
    are_right = (
        (isinstance(name, str) and NAME.fullmatch(name), "a lower-case word"),
        (_is_word(variant) and len(variant) <= MAX_VARIANT_LENGTH, "a text without spaces"),
        (isinstance(rules, str) and rules.strip(), "the rules in words"),
        (_is_word(initial), "a text without spaces"),
        (_is_pair(shape) and min(shape) >= 1, "a pair of positive integers, (rows, columns)"),
        (isinstance(symmetries, tuple) and symmetries, "a tuple that starts with the identity"),
    )
    for value, (is_right, wanted) in zip(VALUES, are_right, strict=True):
        if not is_right:
            raise InvalidGame(f"{source} has the {value} {getattr(game, value)!r}; expected {wanted}")


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value != "" and not re.search(r"\s", value)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and [type(number) for number in value] == [int, int]


def make(factory: Factory, variant: str | None, source: str) -> Game:
    """Create a game with an external factory.

    Check the game's form, and check that the factory recreates the game from its variant.

    Args:
        factory: the callable that creates the game.
        variant: the text of the variant; None selects the factory's default.
        source: a description of the factory for messages.

    Raises:
        InvalidGame: if the factory fails, or the result is not a game.
    """
    if variant is None:
        variant = _call_factory(factory, source).variant
    game = _call_factory(factory, source, variant)
    if game.variant != variant and _call_factory(factory, source, game.variant).variant != game.variant:
        raise InvalidGame(
            f"{source} creates a game with the variant {game.variant!r}, but a different game when given this variant"
        )
    return game


def _call_factory(factory: Factory, source: str, *variant: str) -> Game:
    if not variant and _requires_variant(factory):
        raise InvalidGame(f"{source} has no default variant; choose one with --variant")
    try:
        game = factory(*variant)
        check_form(game, source)
    except MenaceError:
        raise
    except Exception as error:  # noqa: BLE001 - external code can raise any error
        made = f"the variant {variant[0]!r}" if variant else "its default variant"
        raise InvalidGame(f"{source} cannot create {made}: {reason(error)}") from None
    return game


def _requires_variant(factory: Factory) -> bool:
    # if the signature is unknown, a call without a required argument raises an error anyway
    with contextlib.suppress(ValueError):
        try:
            inspect.signature(factory).bind()
        except TypeError:
            return True
    return False


def register(game: Game) -> None:
    """Make a game available under its name in this process.

    The game takes precedence over other games with the same name.
    """
    _registered[game.name, game.variant] = game


def find(name: str, variant: str | None) -> Game | None:
    """Return the external game with the given name, or None if there is no such game.

    Registered games are searched first, then files listed in MENACE_GAMES, then installed packages.

    Raises:
        InvalidGame: if several games have that name, if the game is broken, or if no game was found and a file listed
            in MENACE_GAMES is broken.
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
    # Python may list the same package twice.
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


# Load games from files.


def is_file(text: str) -> bool:
    """Return whether `text` refers to a class in a file rather than to a game by name.

    >>> is_file("./chomp.py:Chomp"), is_file("chomp.py"), is_file("nim")
    (True, True, False)
    """
    return NAMED.fullmatch(text) is not None or text.endswith(".py") or os.sep in text


def named_files() -> list[str]:
    """Return the references to classes that MENACE_GAMES lists, such as `./chomp.py:Chomp`.

    Raises:
        InvalidGame: if the variable cannot be parsed.

    >>> named_files()
    []
    """
    text = os.environ.get(FILES, "")
    matches = list(re.finditer(rf"{NAMED.pattern}(?:{re.escape(os.pathsep)}+|$)", text, re.ASCII))
    if "".join(match[0] for match in matches) != text:
        raise InvalidGame(
            f"{FILES} is {text!r}; it must list classes in files, such as {EXAMPLE}, separated by {os.pathsep}"
        )
    return [f"{match[1]}:{match[2]}" for match in matches]


def with_absolute_path(reference: str) -> str:
    """Convert the file in a reference such as `./chomp.py:Chomp` to an absolute path."""
    path, _, name = reference.rpartition(":")
    return f"{Path(path).absolute()}:{name}"


def names_in_files() -> dict[str, str]:
    """Return the names of the games to which MENACE_GAMES refers.

    Raises:
        InvalidGame: if one of the games is broken.
    """
    return {reference: _name_of(reference) for reference in named_files()}


def _name_of(reference: str) -> str:
    factory = _factory_in_file(reference)
    name = getattr(factory, "name", None)
    return name if isinstance(name, str) else _call_factory(factory, reference).name


def game_in_file(reference: str, variant: str | None) -> Game:
    """Run the Python file named in a reference such as `./chomp.py:Chomp`, and return a game created with the class.

    Args:
        reference: the file and the class.
        variant: the text of the variant; None selects the default.

    Raises:
        InvalidGame: if there is no such file or class, the file cannot be run, or the class does not create a game.
    """
    return make(_factory_in_file(reference), variant, reference)


def _factory_in_file(reference: str) -> Factory:
    return callable_in_file(reference, "class", EXAMPLE)


# Load games from packages.


def installed_games() -> list[tuple[str, str]]:
    """Return the entry points of games in all installed packages, including menace. The games are not loaded."""
    return list(dict.fromkeys((point.name, _package(point)) for point in _entry_points()))


def _entry_points() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # this import takes longer than most commands

    return list(entry_points(group=GROUP))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]


def _load(point: EntryPoint, source: str) -> Factory:
    SOURCES[point.module.partition(".")[0]] = source
    try:
        factory: Factory = point.load()
    except MenaceError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - external code can raise any error
        raise InvalidGame(f"{source} cannot be loaded: {reason(error)}; upgrade or uninstall it") from None
    if not callable(factory):
        raise InvalidGame(f"{source} is {factory!r}, which is not callable; upgrade or uninstall it")
    return factory
