"""Fixtures that many tests share, and the options and hooks of pytest."""

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
from checkout import changed_paths, tests_for_paths
from commands import Result, Run
from jinja2 import Environment
from jinja2.bccache import Bucket, BytecodeCache
from templates import fresh_bytes, fresh_database, trained_bytes

import menace.ledger.positions
from menace import cli
from menace.games import get_game
from menace.games.base import Game
from menace.games.enumeration import enumerate_positions
from menace.games.networkx_graph import build_graph
from menace.games.positions import Positions
from menace.games.symmetry import SYMMETRY_USES
from menace.ledger.positions import Row, StoredBoards, rows_by_graph
from menace.ledger.store import Store

# Where a commit costs nothing. A disk takes milliseconds for each, and the tests make tens of thousands.
MEMORY = Path("/dev/shm")
POSIX_ALONE = re.compile(r"^import (pexpect|pty|resource|termios)\b", re.MULTILINE)
MEMORY_LEAST = 2 * 2**30  # bytes: containers often have 64 MB, too few


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip files on Windows that need terminals or signals."""
    if os.name != "nt" or collection_path.suffix != ".py":
        return None
    return True if POSIX_ALONE.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what collecting the tests has made, hundreds of thousands of objects.

    It looks less often, too: every 700 objects, as usual, takes a twentieth of all tests' time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()


def pytest_configure() -> None:
    """Put temporary folders into memory where there is enough, unless TMPDIR says where to put them.

    No terminal has a say in what commands print: its width reaches the workers of pytest-xdist as COLUMNS.
    """
    gc.disable()  # until the tests are collected
    os.environ.pop("COLUMNS", None)
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_LEAST:
        os.environ["TMPDIR"] = str(MEMORY)  # for the processes that tests start, too
        tempfile.tempdir = None  # computed anew at the next use


@pytest.fixture(scope="session")
def game() -> Game:
    return get_game()


@pytest.fixture(scope="session")
def by_symmetry(game: Game) -> dict[str, Positions]:
    """Tic-tac-toe's positions by symmetry. Do not write into them."""
    return {symmetry: enumerate_positions(game, symmetry) for symmetry in SYMMETRY_USES}


@pytest.fixture(scope="session")
def graphs(by_symmetry: dict[str, Positions]) -> dict[str, nx.DiGraph]:
    """By symmetry. Do not write into them."""
    return {symmetry: build_graph(positions) for symmetry, positions in by_symmetry.items()}


@pytest.fixture(scope="session")
def positions(by_symmetry: dict[str, Positions]) -> Positions:
    """With symmetry `full`."""
    return by_symmetry["full"]


@pytest.fixture(scope="session")
def boards(by_symmetry: dict[str, Positions]) -> list[str]:
    """The canonical boards, by position."""
    return list(by_symmetry["full"].boards)


@pytest.fixture(scope="session")
def position_of(boards: list[str]) -> dict[str, int]:
    """The position of each canonical board."""
    return {board: position for position, board in enumerate(boards)}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A real browser; for a module, since a loop of its own goes on as long as it is open."""
    with launch_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def axe() -> Callable[..., list[str]]:
    """Return a function that lists the violations on a page: of all rules of axe-core, or of the named ones."""
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
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `menace` with arguments, in an empty directory."""
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
    """The same, in a directory with a database without learners, as `menace init` makes it."""
    (tmp_path / "menace.db").write_bytes(fresh_bytes())
    return run


@pytest.fixture
def trained(run: Run, tmp_path: Path) -> Run:
    """The same, in a directory with a trained database, as `menace selfplay --games 500 --seed 1` leaves it."""
    (tmp_path / "menace.db").write_bytes(trained_bytes(500))
    return run


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open database of one's own, without learners."""
    with fresh_database(tmp_path / "menace.db") as opened:
        yield opened


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A file of one's own, after 50 games."""
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    return path


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file after 50 games, which the tests of a module look at."""
    path = tmp_path_factory.mktemp("shown") / "menace.db"
    path.write_bytes(trained_bytes(50))
    return path


@pytest.fixture(scope="module")
def served(shown: Path) -> Iterator[str]:
    """The address where `menace serve` shows that file."""
    with serving(shown) as home:
        yield home


class CompiledTemplates(BytecodeCache):
    """Jinja's templates, compiled once in all tests: each Datasette has an environment of its own."""

    def __init__(self) -> None:
        self.compiled: dict[tuple[bool, str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.compiled.get(self._key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled[self._key(bucket)] = bucket.code

    def _key(self, bucket: Bucket) -> tuple[bool, str, str]:
        return bucket.environment.is_async, bucket.key, bucket.checksum  # a site's environment is not asynchronous


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Share compiled templates among the environments whose options are the same."""
    begin = functools.partialmethod(Environment.__init__, bytecode_cache=CompiledTemplates())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "__init__", begin)
        yield


LABELLED: dict[tuple[object, ...], tuple[list[Row], list[Row]]] = {}


def labelled(positions: Positions) -> tuple[list[Row], list[Row]]:
    """Return what `rows_by_graph` does, and the same again for the same positions."""
    arrays = [getattr(positions, field.name) for field in dataclasses.fields(positions)[3:]]
    key = (positions.title, tuple(positions.boards), *(array.tobytes() for array in arrays))
    if key not in LABELLED:
        LABELLED[key] = rows_by_graph(positions)
    return LABELLED[key]


CHECKED: set[tuple[object, ...]] = set()
check = StoredBoards._check


def check_once(boards: StoredBoards, position: int) -> None:
    """Check a board of a database, unless the same board, with the same outcome and moves, was right before."""
    positions, moves = boards._positions, boards._positions.moves_of(position)
    actions = positions.action[moves.start : moves.stop].tobytes()
    key = (type(positions.game), positions.title, boards._boards[position], int(positions.outcome[position]), actions)
    if key not in CHECKED:
        check(boards, position)
        CHECKED.add(key)


@pytest.fixture(scope="module", autouse=True)
def labelled_and_checked_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Label and check the same positions once in all tests: it takes longest where a database is made, or played in."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name != "test_doctests.py":  # which looks for examples in the functions themselves
            patch.setattr(menace.ledger.positions, "rows_by_graph", labelled)
            patch.setattr(StoredBoards, "_check", check_once)
        yield


# Datasette leaves its connections to the garbage collector; from Python 3.13 on that is a warning.
LEFT_OPEN = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")


def leaves_open(path: Path) -> bool:
    """Say whether the tests of a file use Datasette."""
    return path.parent.name == "explorer"


@pytest.fixture(scope="module", autouse=True)
def left_open_are_collected(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect them within the file that may leave them: the warning would come in a test of another one."""
    yield
    if sys.version_info >= (3, 13) and leaves_open(request.path):
        gc.collect()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests first that the last change can touch, and mark those that use Datasette."""
    first = tests_for_paths(changed_paths())
    items.sort(key=lambda item: not any(item.path.is_relative_to(place) for place in first))
    for item in items:
        if leaves_open(item.path):
            item.add_marker(LEFT_OPEN)
