"""Tests of loading games from menace, installed packages, users' files and Python code, and of the error messages."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from commands import Run, ok, refused
from trial_games import PROGRAM, chomp, chomp_class, write_chomp

import menace
from menace.errors import BrokenGame, InvalidGame, MissingGame, StoreError
from menace.games import BUILT_IN, GAMES, game_called, get_game, known_variants, plugins, plugins as python_files
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.rules import rules_of

LARGE = {"connect"}  # the default variants of these games are large
BAR = "############:X"


@pytest.fixture(autouse=True)
def no_external_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test without any external games."""
    monkeypatch.setattr(plugins, "_registered", {})
    monkeypatch.delenv(plugins.FILES, raising=False)


@pytest.fixture
def run_with_chomp(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a `run` function for a folder whose menace.db is a Chomp database, with Chomp listed in MENACE_GAMES."""
    reference = write_chomp(tmp_path)
    create_database(tmp_path / "menace.db", reference, "2x3").close()
    monkeypatch.setattr(plugins, "_registered", {})
    monkeypatch.setenv(plugins.FILES, reference)
    return run


def test_built_in_games_are_declared_as_entry_points() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lines = setup["options.entry_points"]["menace.games"].split("\n")
    assert dict(line.split(" = ") for line in lines if line) == BUILT_IN
    assert BUILT_IN.keys() == GAMES.keys()
    for name in GAMES:
        game = get_game(name)
        assert game.name == name
        assert get_game(name, game.variant).initial == game.initial
    installed = [name for name, package in plugins.installed_games() if package == "matchbox-menace"]
    assert set(installed) == set(BUILT_IN), "install menace again: `pip install -e .`"


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in GAMES])
def test_init_uses_default_variant_of_each_game(name: str, run: Run, tmp_path: Path) -> None:
    assert f"menace.db: {name} {get_game(name).variant}, " in ok(run("init", "--game", name))
    with open_database(tmp_path / "menace.db") as store:
        assert rules_of(store).game.initial == get_game(name).initial


def test_invalid_names_boards_and_variants_are_refused_in_one_line(run_with_chomp: Run) -> None:
    refused(
        run_with_chomp("init", "--db", "a.db", "--game", "chess"),
        "there is no game 'chess'",
        "hexapawn",
        "MENACE_GAMES",
    )
    refused(run_with_chomp("init", "--db", "a.db", "--game", "nim", "--variant", "3x3x3"), "3x3x3", "3-4-5")
    refused(run_with_chomp("init", "--db", "a.db", "--game", "chomp", "--variant", "9x9"), "variant '9x9' of chomp")
    refused(
        run_with_chomp("init", "--db", "a.db", "--game", "chomp.py"),
        "does not name a file and a class",
        "./chomp.py:Chomp",
    )
    refused(run_with_chomp("rules", "chess"), "there is no game 'chess'")
    refused(run_with_chomp("rules", "tictactoe", "9x9x9"), "81 cells")
    refused(run_with_chomp("show", "X........"), "board 'X........'", "######:X")
    refused(run_with_chomp("train", "--db", "menace.db", "--against", "perfect", "nobody"), "nobody")
    assert not Path("a.db").exists()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder in which Python finds installed packages."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        del sys.modules[name]


def install_package(folder: Path, package: str, points: str, program: str = PROGRAM) -> None:
    (folder / f"{package}.py").write_text(program)
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[menace.games]\n{points}\n")


def test_game_from_package_works_like_built_in_game(packages: Path, run: Run) -> None:
    install_package(packages, "sweets", "chomp = sweets:Chomp")
    assert "menace.db: chomp 3x4, 68 positions" in ok(run("init", "--game", "chomp"))
    assert "chomp 3x4" in ok(run("rules", "chomp"))
    assert "chomp: package sweets" in ok(run("rules"))
    assert "X to move; under perfect play X wins" in ok(run("show", BAR))


@pytest.mark.parametrize(
    ("points", "program", "reason"),
    [
        ("chomp = sweets:Chomp", "import nothing_at_all", "cannot be loaded: ModuleNotFoundError"),
        ("chomp = sweets:Chomp", "class Chomp(", "cannot be loaded: SyntaxError"),
        ("chomp = sweets:Chomp", "raise SystemExit", "cannot be loaded: SystemExit"),
        ("chomp = sweets:Bar", PROGRAM, "cannot be loaded: AttributeError"),
        ("chomp = sweets:__name__", PROGRAM, "which is not callable"),
        (
            "chomp = sweets:Chomp",
            PROGRAM.replace('name = "chomp"', 'name = "bar"'),
            "declares the game 'bar' under the name 'chomp'",
        ),
        ("chomp = sweets:Chomp", PROGRAM.replace('variant="3x4"', "variant"), "has no default variant"),
    ],
)
def test_broken_package_game_is_reported_and_other_games_work(
    points: str, program: str, reason: str, packages: Path, run: Run
) -> None:
    install_package(packages, "sweets", points, program)
    install_package(packages, "better", "munch = better:Chomp", PROGRAM.replace('name = "chomp"', 'name = "munch"'))
    refused(run("init", "--game", "chomp"), reason)
    assert ok(run("rules")).count("package") == 2
    ok(run("init", "--game", "munch", "--variant", "2x2", "--db", "munch.db"))
    ok(run("init", "--game", "nim", "--db", "nim.db"))


def test_menace_error_raised_in_package_is_shown_unchanged(packages: Path, run: Run) -> None:
    program = "from menace.errors import InvalidGame\nraise InvalidGame('bring a board')"
    install_package(packages, "own", "own = own:Own", program)
    refused(run("init", "--game", "own"), "menace: bring a board")


def test_variant_must_recreate_same_game() -> None:
    """Test that `2` may be another name for the variant `2x2`, but that each name must always create the same game."""

    def variants(called: dict[str, str]) -> plugins.Factory:
        def make(variant: str = "2") -> Any:
            game = chomp("2x2")
            vars(game)["variant"] = called[variant]
            return game

        return make

    assert plugins.make(variants({"2": "2x2", "2x2": "2x2"}), None, "games.py").variant == "2x2"
    assert plugins.make(variants({"2": "2x2", "2x2": "2x2"}), "2", "games.py").variant == "2x2"
    with pytest.raises(InvalidGame, match="but a different game when given this variant"):
        plugins.make(variants({"2": "2x3", "2x3": "2x4", "2x4": "2x4"}), "2", "games.py")


def test_ctrl_c_while_loading_game_file_is_not_reported_as_game_error(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        get_game(f"{tmp_path}/slow.py:Slow")


@pytest.mark.parametrize("compiles", [True, False])
def test_loading_game_file_restores_bytecode_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: bool
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", not compiles)
    get_game(write_chomp(tmp_path))
    assert sys.dont_write_bytecode is not compiles
    assert not list(tmp_path.rglob("*.pyc"))


def test_game_name_declared_by_two_packages_is_refused(packages: Path, run: Run) -> None:
    for package in ("sweets", "better"):
        install_package(packages, package, f"chomp = {package}:Chomp")
    refused(run("init", "--game", "chomp"), "two packages contain a game called 'chomp', better and sweets;")


def test_package_cannot_replace_built_in_game(packages: Path, run: Run) -> None:
    install_package(packages, "sweets", "nim = sweets:Chomp")
    assert "nim 3-4-5, 91 positions" in ok(run("init", "--game", "nim"))
    assert "the game nim of the package sweets is ignored" in ok(run("rules"))


def test_init_prints_how_to_set_environment_variable(run: Run, tmp_path: Path) -> None:
    write_chomp(tmp_path)
    printed = ok(run("init", "--game", "./chomp.py:Chomp"))
    assert printed.endswith(f"  export MENACE_GAMES={tmp_path / 'chomp.py'}:Chomp\n")


def test_missing_game_blocks_only_commands_that_need_rules(
    run_with_chomp: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(run_with_chomp("selfplay", "--games", "20", "--seed", "1"))
    monkeypatch.delenv(plugins.FILES)
    assert "18" in ok(run_with_chomp("query", "SELECT count(*) FROM position"))
    for command in (["learners"], ["runs"], ["backup", "copy.db"], ["rename", "menace-x", "adam"]):
        assert ok(run_with_chomp(*command))
    for command in (["show", "######:X"], ["strength", "adam"], ["verify"], ["selfplay"], ["play", "adam"]):
        refused(
            run_with_chomp(*command),
            "the game chomp 2x3, which is not available",
            "MENACE_GAMES=/home/me/chomp.py:Chomp",
            "package",
        )
    monkeypatch.setenv(plugins.FILES, "./chomp.py:Chomp")
    assert ok(run_with_chomp("verify"))


def test_game_files_import_their_own_neighbouring_modules(tmp_path: Path) -> None:
    references = []
    for name in ("munch", "crunch"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.py").write_text(f"NAME = {name!r}\n\n\ndef fail():\n    return 1 // 0\n")
        file = tmp_path / name / "chomp.py"
        references.append(write_chomp(file.parent, **{"import re": "import re\nimport words", '"chomp"': "words.NAME"}))
        file.write_text(f"{file.read_text()}\n\ndef late():\n    from words import NAME\n    return words.fail()\n")
    for _ in range(2):
        assert [get_game(reference).name for reference in references] == ["munch", "crunch"]
        for reference in references:  # changed files are loaded again
            file = Path(reference.partition(":")[0])
            file.write_text(f"{file.read_text()}\n")
    assert {file.name for file in tmp_path.rglob("*") if file.is_dir()} == {"munch", "crunch"}
    with pytest.raises(ZeroDivisionError) as failed:
        python_files.callable_in_file(references[0].replace("Chomp", "late"), "function", "")()
    assert "words.py fails in line 5, fail" in (python_files.plugin_fault(failed.value) or "")


def test_database_cannot_choose_code_to_run(run: Run, tmp_path: Path) -> None:
    """A game name in a database never runs code, even if users may pass that name to menace."""
    (tmp_path / "evil.py").write_text("import pathlib\npathlib.Path('ran').touch()\n" + PROGRAM)
    ok(run("init", "--variant", "2x2x2"))
    for name in ("./evil.py:Chomp", f"{tmp_path}/evil.py:Chomp", "evil:Chomp", "evil"):
        with sqlite3.connect("menace.db") as database:
            database.execute("UPDATE rules SET name = ?", [name])
        database.close()
        refused(run("show", "...."), "which is not available")
        with pytest.raises(MissingGame):
            game_called(name, "2x2")
        with menace.Database("menace.db") as db, pytest.raises(MissingGame):
            db.positions  # noqa: B018 - the access itself is tested
    assert not Path("ran").exists()
    assert get_game("./evil.py:Chomp").name == "chomp"  # a user may name the file
    assert Path("ran").exists()


def test_environment_variable_accepts_several_files(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a:b").mkdir()
    first, second = write_chomp(tmp_path / "a:b"), write_chomp(tmp_path, "munch.py", **{'"chomp"': '"munch"'})
    monkeypatch.setenv(plugins.FILES, os.pathsep.join([first, second, ""]))
    assert plugins.named_files() == [first, second]
    assert {get_game(name).name for name in ("chomp", "munch")} == {"chomp", "munch"}
    monkeypatch.setenv(plugins.FILES, os.pathsep.join([first, second, second.replace("munch.py", "./munch.py")]))
    with pytest.raises(InvalidGame, match="lists two games called 'munch'"):
        get_game("munch")
    for nonsense in ("chomp.py", "chomp:Chomp", "./chomp.py:Chomp extra"):
        monkeypatch.setenv(plugins.FILES, nonsense)
        refused(run("rules", "dots"), "MENACE_GAMES is", "./chomp.py:Chomp")
        assert ok(run("rules", "nim"))  # built-in games do not need the environment variable


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("class Chomp:", "class Chomp", "is not valid Python"),
        ("class Chomp:", "1 / 0\n\n\nclass Chomp:", "fails in line"),
        ("class Chomp:", "raise SystemExit(3)\n\n\nclass Chomp:", "SystemExit"),
        ("class Chomp:", "class Bar:", "does not define the class Chomp; it defines Bar"),
        ("class Chomp:", "Chomp = 3\n\n\nclass Bar:", "does not define the class Chomp; it defines Bar"),
        ('name = "chomp"', 'name = "nim"', "uses the name of the built-in game 'nim'"),
        ('name = "chomp"', 'name = "Chomp!"', "has the name 'Chomp!'"),
        ("def draw", "def drawn", "has no `draw`"),
        ("rows, columns = map", "rows, columns = self, map", "cannot create its default variant: "),
        ("return Side(board[-1])", "return Side(board[7])", "breaks the law of"),
        ("return str(action)", "return 'it'", "breaks the law of names on board ############:X: actions 0 and 1"),
    ],
)
def test_init_reports_broken_game_file_and_creates_no_database(
    old: str, new: str, reason: str, run: Run, tmp_path: Path
) -> None:
    write_chomp(tmp_path, **{old: new})
    refused(run("init", "--game", "./chomp.py:Chomp"), reason)
    assert not (tmp_path / "menace.db").exists()


@pytest.mark.parametrize(
    ("old", "new", "command", "reason"),
    [
        (
            "return str(action)",
            "return names[action]",
            ["show", "######:X"],
            "chomp.py fails in line 50, name_of: NameError",
        ),
        ('left == "#")', 'left == "#" / 2)', ["verify"], "TypeError"),
        ("return Side(board[-1])", "return Side(board[70])", ["show", "######:X"], "to_move: IndexError"),
        ('name = "chomp"', 'name = "munch"', ["show", "######:X"], "chomp.py:Chomp is 'munch'"),
        ("[1-5]x[1-5]", "[1-5]y[1-5]", ["show", "######:X"], "chomp"),
        ("class Chomp:", "class Chomp", ["show", "######:X"], "is not valid Python"),
        ("row or square", "row - 1 or square", ["show", "######:X"], "not match the rules of the game"),
    ],
)
def test_game_file_broken_after_init_is_reported_in_one_line(
    old: str, new: str, command: list[str], reason: str, run_with_chomp: Run, tmp_path: Path
) -> None:
    write_chomp(tmp_path, **{old: new})
    refused(run_with_chomp(*command), reason)
    assert ok(run_with_chomp("query", "SELECT 1 AS one"))


def test_missing_game_file_is_reported_in_one_line(run: Run) -> None:
    refused(run("init", "--game", "./chomp.py:Chomp"), "chomp.py cannot be read (No such file or directory)")


def test_errors_outside_game_files_are_not_plugin_faults() -> None:
    assert python_files.plugin_fault(ValueError("ours")) is None


def test_database_accepts_game_object(tmp_path: Path) -> None:
    path = tmp_path / "chomp.db"
    with menace.Database(path, game=chomp("2x3")) as db:
        db.selfplay(games=30, seed=1)
        assert db.verify().games == 30
        assert db.positions.title == "chomp 2x3"
    with menace.Database(path) as db:  # the game is already registered in this process
        assert db.show("######:X").outcome is None
    plugins._registered.clear()
    with menace.Database(path) as db:
        assert len(db) == 2
        with pytest.raises(MissingGame, match="chomp 2x3, which is not available"):
            db.show("######:X")
    with menace.Database(path, game=chomp("2x3")) as db:
        assert db.show("######:X").outcome is None
    with pytest.raises(StoreError, match=r"the game chomp 2x3 .*, not chomp 3x3"):
        menace.Database(path, game=chomp("3x3"))
    with pytest.raises(InvalidGame, match="has no `"):
        menace.Database(path, game=object())  # type: ignore[arg-type]


def test_database_accepts_game_file_reference(tmp_path: Path) -> None:
    reference = write_chomp(tmp_path)
    with menace.Database(tmp_path / "chomp.db", game=reference, variant="2x2") as db:
        assert db.show("####:X").outcome is None
    plugins._registered.clear()
    with menace.Database(tmp_path / "chomp.db", game=reference) as db:
        assert db.show("####:X").outcome is None
    with pytest.raises(InvalidGame, match="this game object is chomp 2x2, not 3x3"):
        get_game(chomp("2x2"), "3x3")
    assert get_game(GAMES["nim"]("3-4-5")).name == "nim"


def test_no_database_is_created_for_invalid_game(tmp_path: Path) -> None:
    broken = type("Broken", (chomp_class(),), {"name_of": lambda *_: "it"})
    with pytest.raises(BrokenGame, match="both have the name 'it'"):
        create_database(tmp_path / "broken.db", broken("2x2"))
    assert list(tmp_path.iterdir()) == []


def test_rules_command_lists_every_known_variant(run: Run) -> None:
    listed = ok(run("rules"))
    for known in known_variants():
        assert get_game(known.game, known.variant).variant == known.variant
    assert {known.game for known in known_variants()} == set(GAMES)
    assert max(map(len, listed.splitlines())) <= 80
    assert [line.split()[:2] for line in listed.splitlines()[1 : 1 + len(known_variants())]] == [
        list(known[:2]) for known in known_variants()
    ]


@pytest.mark.parametrize("name", GAMES)
def test_rules_command_prints_rules_of_each_game(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    game, printed = get_game(name), ok(run("rules", name))
    assert max(map(len, printed.splitlines())) <= 80
    assert " ".join(game.rules.split()) in " ".join(printed.split())
    for line in game.draw(game.initial).splitlines():
        assert line.rstrip() in printed
    assert game.name_of(game.initial, game.actions(game.initial)[0]) in printed


def test_rules_command_prints_json_and_csv(run: Run) -> None:
    assert '"game": "nim"' in ok(run("rules", "nim", "--json"))
    assert "tictactoe" not in ok(run("rules", "nim", "--json"))
    assert ok(run("rules", "--csv")).splitlines()[:2] == [
        "game,variant,positions,x_boxes,o_boxes,x_choices,o_choices,minimax,perfect,longest",
        "tictactoe,3x3x3,765,304,289,304,280,0,9,9",
    ]
    refused(run("rules", "chess", "--json"), "there is no game 'chess'")
