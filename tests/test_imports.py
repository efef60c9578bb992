"""The house: imports point one way, and commands start without what they do not use."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import menace

PACKAGE = Path(menace.__file__).parent

# A module imports only from lines above its own.
HOUSE = [
    {"errors"},
    {"partials", "colours", "wording"},
    {"output"},
    {"games.base"},
    {"games.mnk", "games.walk"},
    {"games"},
    {"positions"},
    {"naming"},
    {"graph", "table"},
    {"soundness"},
    {"kernel", "chance", "phases", "learners.settings"},
    {"learners.base", "build"},
    {"learners.exploration"},
    {"learners.menace", "learners.td", "learners.action_values", "learners.odds"},
    {"learners.sarsa", "learners.q_learning"},
    {"learners"},
    {"players"},
    {"evaluation", "store.rows", "store.copy", "store.query"},
    {"store.connection"},
    {"store.schema"},
    {"store.tables", "store.probe"},
    {"store.migrations"},
    {"store"},
    {"rulebook", "queries"},
    {"machines"},
    {"arena", "marks", "matchbox"},
    {"recording", "log"},
    {"kinds"},
    {"replay", "boxes", "chronicle"},
    {"upgrade"},
    {"database"},
    {"runs", "contests"},
    {"training", "verification", "play", "history", "recount"},
    {"physical"},
    {"labels.sheet", "labels.lettering"},
    {"labels.kit", "labels.board"},
    {"labels.page", "labels.label"},
    {"labels.index", "labels.shopping"},
    {"labels.rules"},
    {"labels"},
    {"exporting.game_graph", "exporting.shelf"},
    {"exporting.layout", "exporting.page"},
    {"exporting.dot"},
    {"exporting.formats"},
    {"exporting"},
    {"plotting.style", "plotting.intervals", "plotting.pooling"},
    {"plotting.axes", "plotting.layers"},
    {"plotting.sheet"},
    {"plotting.boards", "plotting.paint"},
    {"plotting.key"},
    {"plotting.outcomes", "plotting.strength", "plotting.openings", "plotting.bead_map", "plotting.picture"},
    {"plotting"},
    {"cli.options", "cli.text", "cli.dialogue"},
    {"cli.columns", "cli.position"},
    {"cli.summary"},
    {"cli.play"},
    {
        "cli.boxes",
        "cli.database",
        "cli.exporting",
        "cli.games",
        "cli.labels",
        "cli.learners",
        "cli.physical",
        "cli.picture",
        "cli.plotting",
        "cli.questions",
        "cli.strength",
        "cli.training",
    },
    {"cli"},
    {"__main__"},
]
FLOOR = {module: floor for floor, modules in enumerate(HOUSE) for module in modules}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def sources() -> dict[str, ast.Module]:
    # An installed menace has db/ inside; it is SQL, with an empty __init__.py.
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


def test_every_module_has_its_floor_in_the_house() -> None:
    assert set(SOURCES) == set(FLOOR)


@pytest.mark.parametrize("name", SOURCES)
def test_imports_point_one_way(name: str) -> None:
    for other in imported(SOURCES[name]):
        if other.startswith("menace."):
            assert FLOOR[other.removeprefix("menace.")] < FLOOR[name], f"{name} imports {other}"


@pytest.mark.parametrize("name", [name for name in SOURCES if not name.startswith("store")])
def test_only_the_store_speaks_sqlite(name: str) -> None:
    assert not imported(SOURCES[name]) & {"sqlite3", "sqlite_utils"}


def test_only_the_graph_needs_networkx() -> None:
    assert [name for name, tree in SOURCES.items() if "networkx" in imported(tree)] == [
        "exporting.formats",
        "exporting.game_graph",
        "graph",
    ]


@pytest.mark.parametrize(
    ("command", "unwanted"),
    [
        (["--help"], {"numpy", "networkx", "sqlite_utils", "cython", "menace.store", "menace.kernel"}),
        (["show", "--help"], {"numpy", "networkx", "sqlite_utils", "cython", "menace.store", "menace.kernel"}),
        (["show", "X........"], {"networkx", "cython", "menace.kernel", "menace.table", "matplotlib"}),
        (["query", "SELECT 1 AS one"], {"networkx", "cython", "menace.kernel", "menace.table"}),
    ],
)
def test_a_command_starts_without_what_it_does_not_use(command: list[str], unwanted: set[str], tmp_path: Path) -> None:
    database = tmp_path / "menace.db"
    menace.create_database(database).close()
    code = (
        "import sys; sys.argv[0] = 'menace'\n"
        "from menace.cli import main\n"
        "try:\n    main()\nfinally:\n    print('loaded:', *sys.modules, file=sys.stderr)"
    )
    arguments = [sys.executable, "-c", code, *command]
    if "--help" not in command:
        arguments += ["--db", str(database)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split("loaded:")[1].split())
    assert "menace.cli" in loaded
    assert not loaded & unwanted


def test_nothing_is_loaded_by_importing_menace() -> None:
    code = "import sys, menace; print(*[m for m in sys.modules if m.startswith('menace.') or m == 'numpy'])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_every_name_that_menace_offers_is_there_and_documented() -> None:
    for name in menace.__all__:
        assert getattr(menace, name) is not None
    functions = [name for name in menace.__all__ if callable(getattr(menace, name))]
    assert [name for name in functions if not getattr(menace, name).__doc__] == []
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(menace, "nonsense")  # noqa: B009
