"""Shared fixtures, and hooks of pytest."""

from __future__ import annotations

import dataclasses
import functools
import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from browsing import launch_browser, serving
from checkout import affected_tests, changed_paths
from commands import Result, Run
from database_templates import fresh_bytes, fresh_database, trained_bytes
from jinja2 import Environment
from jinja2.bccache import Bucket, BytecodeCache

import menace.ledger.positions
from menace import cli
from menace.games import enumeration, get_game
from menace.games.base import Game
from menace.games.enumeration import enumerate_positions
from menace.games.networkx_graph import build_graph
from menace.games.positions import Positions
from menace.games.symmetry import SYMMETRY_USES, SymmetryUse
from menace.ledger.log import verification
from menace.ledger.positions import Row, StoredBoards, rows_by_graph
from menace.ledger.store import Store
from menace.site import play_tables

# This file system is kept in memory. The tests make tens of thousands of commits, each of which would take milliseconds
# on a disk.
MEMORY = Path("/dev/shm")
POSIX_IMPORT = re.compile(r"^import (pexpect|pty|resource|termios)\b", re.MULTILINE)
MIN_MEMORY = 2 * 2**30  # in bytes; the 64 MB that many containers provide are not enough


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """On Windows, skip the test files that need terminals or signals."""
    if os.name != "nt" or collection_path.suffix != ".py":
        return None
    return True if POSIX_IMPORT.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_finish() -> None:
    """Exclude the objects created by test collection from garbage collection.

    Test collection creates hundreds of thousands of objects. Also run garbage collection less often, because by default
    it runs every 700 objects and takes 5% of the tests' time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()


def pytest_configure() -> None:
    """Put temporary folders in memory if enough memory is available and TMPDIR is not set.

    Remove COLUMNS, which would pass the width of the terminal on to the workers of pytest-xdist. Remove
    PYTHONDONTWRITEBYTECODE, which would make each of the hundreds of processes that tests start compile all modules
    again.
    """
    gc.disable()  # until pytest_collection_finish
    os.environ.pop("COLUMNS", None)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MIN_MEMORY:
        os.environ["TMPDIR"] = str(MEMORY)  # also for processes that tests start
        tempfile.tempdir = None  # recomputed at the next use


@pytest.fixture(scope="session")
def game() -> Game:
    return get_game()


@pytest.fixture(scope="session")
def by_symmetry(game: Game) -> dict[str, Positions]:
    """Return the positions of tic-tac-toe for each type of symmetry. Do not modify them."""
    return {symmetry: enumerate_positions(game, symmetry) for symmetry in SYMMETRY_USES}


@pytest.fixture(scope="session")
def graphs(by_symmetry: dict[str, Positions]) -> dict[str, nx.DiGraph]:
    """Return the game graph of tic-tac-toe for each type of symmetry. Do not modify it."""
    return {symmetry: build_graph(positions) for symmetry, positions in by_symmetry.items()}


@pytest.fixture(scope="session")
def positions(by_symmetry: dict[str, Positions]) -> Positions:
    """Return tic-tac-toe's positions with symmetry `full`."""
    return by_symmetry["full"]


@pytest.fixture(scope="session")
def boards(by_symmetry: dict[str, Positions]) -> list[str]:
    """Return a list of the canonical boards, indexed by position."""
    return list(by_symmetry["full"].boards)


@pytest.fixture(scope="session")
def position_of(boards: list[str]) -> dict[str, int]:
    """Return a dictionary from canonical boards to positions."""
    return {board: position for position, board in enumerate(boards)}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Yield a real browser that the tests of one module share.

    The browser's event loop runs until the browser is closed.
    """
    with launch_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def axe() -> Callable[..., list[str]]:
    """Return a function that lists a page's violations of the given axe-core rules, or of all rules by default."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("axe-playwright-python is not installed")

    def violations(page: Any, *rules: str) -> list[str]:
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = {"type": "rule", "values": list(rules)}
        wrong = Axe().run(page, options=options).response["violations"]
        return [
            f"{violation['id']}: {violation['help']}: {node['html'][:200]}"
            for violation in wrong
            for node in violation["nodes"]
        ]

    return violations


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for temporary files, so that a test can check that none are left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `menace` with the given arguments in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MENACE_DB", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["menace", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Result(ended.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def begun(run: Run, tmp_path: Path) -> Run:
    """Return a `run` function for a directory that contains a new database without learners."""
    (tmp_path / "menace.db").write_bytes(fresh_bytes())
    return run


@pytest.fixture
def trained(run: Run, tmp_path: Path) -> Run:
    """Return a `run` function for a directory with the database that `menace selfplay --games 500 --seed 1` creates."""
    (tmp_path / "menace.db").write_bytes(trained_bytes(500))
    return run


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Yield an open database without learners, for a single test."""
    with fresh_database(tmp_path / "menace.db") as opened:
        yield opened


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database file after 50 games, for a single test."""
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    return path


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database file after 50 games, shared by the tests of a module. The tests must not write to the file."""
    path = tmp_path_factory.mktemp("shown") / "menace.db"
    path.write_bytes(trained_bytes(50))
    return path


@pytest.fixture(scope="module")
def served(shown: Path) -> Iterator[str]:
    """Yield the address at which `menace serve` serves the database file `shown`."""
    with serving(shown) as home:
        yield home


class CompiledTemplates(BytecodeCache):
    """A cache of compiled Jinja templates, shared by the environments of all Datasette instances."""

    def __init__(self) -> None:
        self.compiled: dict[tuple[bool, str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.compiled.get(self._key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled[self._key(bucket)] = bucket.code

    def _key(self, bucket: Bucket) -> tuple[bool, str, str]:
        return (
            bucket.environment.is_async,
            bucket.key,
            bucket.checksum,
        )  # the environment of an exported site is not asynchronous


@pytest.fixture(scope="session", autouse=True)
def share_compiled_templates() -> Iterator[None]:
    """Share compiled templates between Jinja environments."""
    begin = functools.partialmethod(Environment.__init__, bytecode_cache=CompiledTemplates())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "__init__", begin)
        yield


def key_of(positions: Positions) -> tuple[object, ...]:
    """Return a key that is the same for equal positions of the same game."""
    arrays = [getattr(positions, field.name) for field in dataclasses.fields(positions)[3:]]
    return (type(positions.game), positions.title, tuple(positions.boards), *(array.tobytes() for array in arrays))


LABEL_CACHE: dict[tuple[object, ...], tuple[list[Row], list[Row]]] = {}


def label_once(positions: Positions) -> tuple[list[Row], list[Row]]:
    """Return the result of `rows_by_graph`, cached for equal positions."""
    key = key_of(positions)
    if key not in LABEL_CACHE:
        LABEL_CACHE[key] = rows_by_graph(positions)
    return LABEL_CACHE[key]


SITE_CACHE: dict[tuple[object, ...], Any] = {}


def cache_by_positions(tabulate: Callable[..., Any], limit: str = "") -> Callable[..., Any]:
    """Return a function that caches a site's tables by its arguments and by the size limit, which a test may change."""

    def once(*arguments: Any) -> Any:
        keys = [key_of(given) if isinstance(given, Positions) else given for given in arguments]
        key = (tabulate.__name__, *keys, limit and getattr(play_tables, limit))
        if key not in SITE_CACHE:
            SITE_CACHE[key] = tabulate(*arguments)
        return SITE_CACHE[key]

    return once


board_tables_once = cache_by_positions(play_tables.board_tables, "MAX_BOARDS")
weights_once = cache_by_positions(play_tables.fixed_weights)


ENUMERATED: dict[tuple[object, ...], Positions] = {}


# Two games with the same class and variant have the same rules. `wraps` keeps the docstring, which one of the tests
# requires.
@functools.wraps(enumerate_positions)
def enumerate_once(game: Game, symmetry: SymmetryUse = "full", limit: int | None = None) -> Positions:
    key = type(game), game.name, game.variant, symmetry, limit
    if key not in ENUMERATED:
        ENUMERATED[key] = enumerate_positions(game, symmetry, limit)
    return ENUMERATED[key]


CHECKED_BOARDS: set[tuple[object, ...]] = set()
check = StoredBoards._check


def check_once(boards: StoredBoards, position: int) -> None:
    """Check a board in a database unless an equal board with the same outcome and moves has already been checked."""
    positions, moves = boards._positions, boards._positions.moves_of(position)
    actions = positions.action[moves.start : moves.stop].tobytes()
    key = (type(positions.game), positions.title, boards._boards[position], int(positions.outcome[position]), actions)
    if key not in CHECKED_BOARDS:
        check(boards, position)
        CHECKED_BOARDS.add(key)


@pytest.fixture(scope="module", autouse=True)
def label_and_check_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Enumerate, label, check and tabulate positions only once for each distinct game.

    These steps account for most of the time that it takes to create or verify a database or to export a site.
    """
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name != "test_doctests.py":  # test_doctests.py looks for examples in these functions
            patch.setattr(menace.ledger.positions, "rows_by_graph", label_once)
            patch.setattr(StoredBoards, "_check", check_once)
            patch.setattr(enumeration, "enumerate_positions", enumerate_once)
            patch.setattr(verification, "enumerate_positions", enumerate_once)
            patch.setattr(play_tables, "board_tables", board_tables_once)
            patch.setattr(play_tables, "fixed_weights", weights_once)
        yield


# Datasette does not close its database connections. Since Python 3.13, a warning is issued when an open connection is
# garbage-collected.
IGNORE_UNCLOSED = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")


def uses_datasette(path: Path) -> bool:
    """Return whether the tests in a file use Datasette."""
    return path.parent.name == "explorer"


@pytest.fixture(scope="module", autouse=True)
def collect_unclosed_connections(request: pytest.FixtureRequest) -> Iterator[None]:
    """Garbage-collect open connections after the last test in a file, so that no warning appears in the next file."""
    yield
    if sys.version_info >= (3, 13) and uses_datasette(request.path):
        gc.collect()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the tests that the last change affects to the front, and mark tests that use Datasette."""
    first = affected_tests(changed_paths())
    items.sort(key=lambda item: not any(item.path.is_relative_to(place) for place in first))
    for item in items:
        if uses_datasette(item.path):
            item.add_marker(IGNORE_UNCLOSED)
