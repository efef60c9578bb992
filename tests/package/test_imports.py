"""Tests that imports go in one direction only and that commands import no unused modules."""

from __future__ import annotations

import ast
import subprocess
import sys
from configparser import ConfigParser
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from checkout import ROOT

import menace
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import new_learner

PACKAGE = Path(menace.__file__).parent

# Each part of the package may import only from parts that precede it in this list. A part is either a folder or a file
# directly in menace/.
ROOMS = [
    "errors",
    "text",
    "files",
    "kernel",
    "games",
    "drawing",
    "learners",
    "arena",
    "adapters",
    "ledger",
    "analysis",
    "testing",
    "people",
    "labels",
    "exporting",
    "figures",
    "studies",
    "site",
    "notebook",
    "explorer",
    "cli",
    "__main__",
]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def sources() -> dict[str, ast.Module]:
    # An installed menace contains db/ as a package: a folder of SQL files with an empty __init__.py.
    skipped = {PACKAGE / "__init__.py", PACKAGE / "db" / "__init__.py"}
    files = {module_name(path): path for path in PACKAGE.rglob("*.py") if path not in skipped}
    return {name: ast.parse(path.read_text()) for name, path in sorted(files.items())}


SOURCES = sources()


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inner if name.removeprefix("menace.") in SOURCES}
            names |= modules or {node.module}
    return names


def room(module: str) -> str:
    return module.partition(".")[0]


def menace_imports(name: str) -> set[str]:
    """Return the modules of menace that a module imports, including imports inside functions."""
    return {module.removeprefix("menace.") for module in imported(SOURCES[name]) if module.startswith("menace.")}


def test_every_module_belongs_to_a_listed_folder() -> None:
    assert {room(name) for name in SOURCES} == set(ROOMS)


@pytest.mark.parametrize("place", ROOMS)
def test_folders_import_only_from_earlier_folders(place: str) -> None:
    below = set(ROOMS[: ROOMS.index(place) + 1])
    for name in SOURCES:
        if room(name) == place:
            above = {module for module in menace_imports(name) if room(module) not in below}
            assert not above, f"{name} imports {above}"


def test_pages_import_neither_figures_nor_notebook_objects() -> None:
    of_pages = {name: menace_imports(name) for name in SOURCES if room(name) in {"explorer", "site"}}
    upper = {
        name: {module for module in names if room(module) in {"figures", "notebook"}}
        for name, names in of_pages.items()
    }
    assert not any(upper.values()), upper


def test_imports_are_acyclic() -> None:
    order = TopologicalSorter({name: menace_imports(name) - {name} for name in SOURCES})
    assert set(order.static_order()) == set(SOURCES)  # the message of CycleError contains the cycle, if there is one


def test_only_the_store_imports_sqlite() -> None:
    speak = {name for name, tree in SOURCES.items() if imported(tree) & {"sqlite3", "sqlite_utils"}}
    # Shell completion reads the database each time the user presses Tab, and the explorer's pages read the SQL limits.
    # Neither of the two imports the store, because that import takes too long.
    assert {name for name in speak if not name.startswith("ledger.store")} == {"ledger.read_only_sql"}


def test_every_folder_is_a_package_of_the_distribution() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    folders = {".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("*.py")}
    assert setup["options"]["packages"].split() == sorted(folders | {"menace.db"})


def test_only_algorithms_depend_on_their_table() -> None:
    compare = {
        name
        for name, tree in SOURCES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if (isinstance(side, ast.Attribute) and side.attr == "stored_as")
        or (isinstance(side, ast.Name) and side.id == "stored_as")
    }
    assert compare == {"learners.algorithm"}


def test_only_graph_modules_import_networkx() -> None:
    assert [name for name, tree in SOURCES.items() if "networkx" in imported(tree)] == [
        "exporting.graphs",
        "games.networkx_graph",
    ]


# Commands that only read rows do not need these libraries.
HEAVY = {"numpy", "sqlite_utils", "pandas", "networkx", "cython", "matplotlib", "menace.kernel.loop", "menace.testing"}


STORE = {"numpy", "networkx", "sqlite_utils", "cython", "menace.ledger.store", "menace.kernel.loop"}
# Each command, together with the modules that it must not import. One process runs most of the commands in this order.
# The command `show` has its own process, because `--help` imports the files of all commands.
UNWANTED = {
    "--help": STORE,
    "show --help": STORE,
    "plot --help": {"numpy", "matplotlib", "sqlite_utils", "menace.ledger.store"},
    (SHOW := "show X........ --learner eva --db a.db"): HEAVY
    | {"menace.ledger.learners", "importlib.metadata", "menace.games.rules.nim", "menace.games.rules.hexapawn"}
    | {"menace.cli.commands.learners", "menace.cli.commands.study"},
    "query 'SELECT 1 AS one' --db a.db": HEAVY,
    "query biggest-boxes --db a.db": HEAVY,
    "runs --db a.db": HEAVY,
    "runs --json --db a.db": HEAVY,
    "learners --json --db a.db": HEAVY,
    "backup copy.db --db a.db": HEAVY,
    # imports algorithms to print how settings differ from the preset
    "learners --db a.db": HEAVY - {"numpy", "menace.kernel.loop"},
    # inserts a row with sqlite_utils
    "new adam --plays X --db a.db": {"pandas", "networkx", "matplotlib"},
}
LOADED = """
import shlex, sys
sys.argv[0] = "menace"
from menace.cli import main
for line in sys.stdin:
    sys.argv[1:] = shlex.split(line)
    try:
        main()
    except SystemExit as ended:
        assert not ended.code
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("lines", [[line for line in UNWANTED if line != SHOW], [SHOW]], ids=["most", "show"])
def test_commands_do_not_import_unused_libraries(lines: list[str], tmp_path: Path) -> None:
    with create_database(tmp_path / "a.db") as store:
        new_learner(store, "eva", "O")
    command = [sys.executable, "-c", LOADED]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True, cwd=tmp_path)
    loaded = [set(line.split()) for line in run.stderr.splitlines()]
    assert all("menace.cli" in modules for modules in loaded)
    for line, modules in zip(lines, loaded, strict=True):
        assert not modules & UNWANTED[line], line


def test_importing_menace_imports_no_submodules() -> None:
    code = "import sys; before = {*sys.modules}; import menace; print(*{*sys.modules} - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["menace"]


def test_querying_a_database_imports_no_slow_libraries(tmp_path: Path) -> None:
    create_database(tmp_path / "menace.db").close()
    code = (
        "import sys, menace; db = menace.Database(sys.argv[1])\n"
        "db.runs.in_words(), db.query('runs'), db.show('X........'), list(db); print(*sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "menace.db")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "menace.notebook.database_api" in loaded
    unwanted = {"asyncio", "multiprocessing", "menace.cli", "menace.figures", "menace.studies", "menace.explorer"}
    assert not loaded & (HEAVY | unwanted | {"pyarrow", "scipy", "reportlab", "datasette", "jinja2"})


def test_inserting_a_row_neither_imports_nor_hides_pandas(tmp_path: Path) -> None:
    code = (
        "import importlib.util, sys, menace\n"
        "menace.Database(sys.argv[1]).new('eva', 'X')\n"
        "assert 'sqlite_utils' in sys.modules and 'pandas' not in sys.modules\n"
        "importlib.util.find_spec('pandas')"  # raises ValueError if an entry of sys.modules is None
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "menace.db")], check=True)


def test_every_public_name_exists_and_has_an_example() -> None:
    for name in menace.__all__:
        assert getattr(menace, name) is not None
    functions = [name for name in menace.__all__ if callable(getattr(menace, name))]
    assert [name for name in functions if ">>> " not in (getattr(menace, name).__doc__ or "")] == []
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(menace, "nonsense")  # noqa: B009
