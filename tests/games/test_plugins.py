"""Sources of games: menace, installed packages, files given by the user, Python; and the errors of each."""

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
from menace.games import BUILT_IN, GAMES, game_called, get_game, plugins
from menace.games import plugins as python_files
from menace.games.known_counts import known_variants
from menace.ledger.database_file import create_database, open_database
from menace.ledger.rules import rules_of

LARGE = {"connect"}  # in its own variant
BAR = "############:X"


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin without games from outside."""
    monkeypatch.setattr(plugins, "_registered", {})
    monkeypatch.delenv(plugins.FILES, raising=False)


@pytest.fixture
def named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `menace` where menace.db is of Chomp, which MENACE_GAMES names."""
    reference = write_chomp(tmp_path)
    create_database(tmp_path / "menace.db", reference, "2x3").close()
    monkeypatch.setattr(plugins, "_registered", {})
    monkeypatch.setenv(plugins.FILES, reference)
    return run


# Ours.


def test_our_games_are_declared_like_those_of_other_packages() -> None:
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
def test_init_takes_each_games_own_variant(name: str, run: Run, tmp_path: Path) -> None:
    assert f"menace.db: {name} {get_game(name).variant}, " in ok(run("init", "--game", name))
    with open_database(tmp_path / "menace.db") as store:
        assert rules_of(store).game.initial == get_game(name).initial


def test_bad_names_boards_and_variants_are_refused_in_a_line(named: Run) -> None:
    refused(named("init", "--db", "a.db", "--game", "chess"), "there is no game 'chess'", "hexapawn", "MENACE_GAMES")
    refused(named("init", "--db", "a.db", "--game", "nim", "--variant", "3x3x3"), "3x3x3", "3-4-5")
    refused(named("init", "--db", "a.db", "--game", "chomp", "--variant", "9x9"), "variant '9x9' of chomp")
    refused(
        named("init", "--db", "a.db", "--game", "chomp.py"),
        "does not name a file and a class in it",
        "./chomp.py:Chomp",
    )
    refused(named("rules", "chess"), "there is no game 'chess'")
    refused(named("rules", "tictactoe", "9x9x9"), "81 cells")
    refused(named("show", "X........"), "board 'X........'", "######:X")
    refused(named("train", "--db", "menace.db", "--against", "perfect", "nobody"), "nobody")
    assert not Path("a.db").exists()


# Packages.


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where packages are found, as pip would put them."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        del sys.modules[name]


def install(folder: Path, package: str, points: str, program: str = PROGRAM) -> None:
    (folder / f"{package}.py").write_text(program)
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[menace.games]\n{points}\n")


def test_a_game_of_a_package_works_as_ours_do(packages: Path, run: Run) -> None:
    install(packages, "sweets", "chomp = sweets:Chomp")
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
        (
            "chomp = sweets:Chomp",
            PROGRAM.replace('variant="3x4"', "variant"),
            "has no default variant",
        ),
    ],
)
def test_a_broken_game_of_a_package_is_a_line_and_others_go_on(
    points: str, program: str, reason: str, packages: Path, run: Run
) -> None:
    install(packages, "sweets", points, program)
    install(packages, "better", "munch = better:Chomp", PROGRAM.replace('name = "chomp"', 'name = "munch"'))
    refused(run("init", "--game", "chomp"), reason)
    assert ok(run("rules")).count("package") == 2
    ok(run("init", "--game", "munch", "--variant", "2x2", "--db", "munch.db"))
    ok(run("init", "--game", "nim", "--db", "nim.db"))


def test_an_error_of_ours_in_a_package_is_said_as_it_is(packages: Path, run: Run) -> None:
    program = "from menace.errors import InvalidGame\nraise InvalidGame('bring a board')"
    install(packages, "own", "own = own:Own", program)
    refused(run("init", "--game", "own"), "menace: bring a board")


def test_a_variant_is_what_makes_the_same_game_again() -> None:
    """`2x2` and `2` are two texts of one game; a text that makes yet another one is none."""

    def variants(called: dict[str, str]) -> plugins.Factory:
        def make(variant: str = "2") -> Any:
            game = chomp("2x2")
            vars(game)["variant"] = called[variant]
            return game

        return make

    assert plugins.make(variants({"2": "2x2", "2x2": "2x2"}), None, "games.py").variant == "2x2"
    assert plugins.make(variants({"2": "2x2", "2x2": "2x2"}), "2", "games.py").variant == "2x2"
    with pytest.raises(InvalidGame, match="creates a different game"):
        plugins.make(variants({"2": "2x3", "2x3": "2x4", "2x4": "2x4"}), "2", "games.py")


def test_ctrl_c_while_a_file_runs_is_no_fault_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        get_game(f"{tmp_path}/slow.py:Slow")


@pytest.mark.parametrize("compiles", [True, False])
def test_whether_python_keeps_bytecode_is_as_it_was_after_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: bool
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", not compiles)
    get_game(write_chomp(tmp_path))
    assert sys.dont_write_bytecode is not compiles
    assert not list(tmp_path.rglob("*.pyc"))


def test_two_packages_with_a_game_of_one_name_are_told_apart_by_nobody(packages: Path, run: Run) -> None:
    for package in ("sweets", "better"):
        install(packages, package, f"chomp = {package}:Chomp")
    refused(run("init", "--game", "chomp"), "two packages contain a game called 'chomp', better and sweets;")


def test_no_package_takes_the_name_of_a_game_of_ours(packages: Path, run: Run) -> None:
    install(packages, "sweets", "nim = sweets:Chomp")
    assert "nim 3-4-5, 91 positions" in ok(run("init", "--game", "nim"))
    assert "the game nim of the package sweets is ignored" in ok(run("rules"))


# Files.


def test_every_command_knows_the_game_that_menace_games_names(named: Run) -> None:
    ok(named("selfplay", "--games", "50", "--seed", "1"))
    for command in (["show", "######:X"], ["strength", "menace-x"], ["verify"], ["rules", "chomp"]):
        assert ok(named(*command))


def test_init_says_how_to_name_the_file(run: Run, tmp_path: Path) -> None:
    write_chomp(tmp_path)
    said = ok(run("init", "--game", "./chomp.py:Chomp"))
    assert said.endswith(f"  export MENACE_GAMES={tmp_path / 'chomp.py'}:Chomp\n")


def test_without_the_game_rows_are_read_and_the_rest_says_which_is_missing(
    named: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(named("selfplay", "--games", "20", "--seed", "1"))
    monkeypatch.delenv(plugins.FILES)
    assert "18" in ok(named("query", "SELECT count(*) FROM position"))
    for command in (["learners"], ["runs"], ["backup", "copy.db"], ["rename", "menace-x", "adam"]):
        assert ok(named(*command))
    for command in (["show", "######:X"], ["strength", "adam"], ["verify"], ["selfplay"], ["play", "adam"]):
        refused(
            named(*command),
            "the game chomp 2x3, which is not available",
            "MENACE_GAMES=/home/me/chomp.py:Chomp",
            "package",
        )
    monkeypatch.setenv(plugins.FILES, "./chomp.py:Chomp")
    assert ok(named("verify"))


def test_a_file_imports_its_neighbours_and_those_of_a_name_are_kept_apart(tmp_path: Path) -> None:
    references = []
    for name in ("munch", "crunch"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.py").write_text(f"NAME = {name!r}\n\n\ndef fail():\n    return 1 // 0\n")
        file = tmp_path / name / "chomp.py"
        references.append(write_chomp(file.parent, **{"import re": "import re\nimport words", '"chomp"': "words.NAME"}))
        file.write_text(f"{file.read_text()}\n\ndef late():\n    from words import NAME\n    return words.fail()\n")
    for _ in range(2):
        assert [get_game(reference).name for reference in references] == ["munch", "crunch"]
        for reference in references:  # as if they were new
            file = Path(reference.partition(":")[0])
            file.write_text(f"{file.read_text()}\n")
    assert {file.name for file in tmp_path.rglob("*") if file.is_dir()} == {"munch", "crunch"}
    with pytest.raises(ZeroDivisionError) as failed:
        python_files.callable_in_file(references[0].replace("Chomp", "late"), "function", "")()
    assert "words.py fails in line 5, fail" in (python_files.plugin_fault(failed.value) or "")


def test_a_database_never_says_what_code_to_run(run: Run, tmp_path: Path) -> None:
    """Not even if the file holds a name that a person could give."""
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
    assert get_game("./evil.py:Chomp").name == "chomp"  # which a person names
    assert Path("ran").exists()


def test_several_files_are_named_with_the_sign_of_paths_between(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        assert ok(run("rules", "nim"))  # ours need none of it


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("class Chomp:", "class Chomp", "is not valid Python"),
        ("class Chomp:", "1 / 0\n\n\nclass Chomp:", "fails in line"),
        ("class Chomp:", "raise SystemExit(3)\n\n\nclass Chomp:", "SystemExit"),
        ("class Chomp:", "class Bar:", "has no class Chomp; it has Bar"),
        ("class Chomp:", "Chomp = 3\n\n\nclass Bar:", "has no class Chomp; it has Bar"),
        ('name = "chomp"', 'name = "nim"', "has the name 'nim' of a built-in game"),
        ('name = "chomp"', 'name = "Chomp!"', "has the name 'Chomp!'"),
        ("def draw", "def drawn", "has no `draw`"),
        ("rows, columns = map", "rows, columns = self, map", "cannot create its default variant: "),
        ("return Side(board[-1])", "return Side(board[7])", "breaks the law of"),
        ("return str(action)", "return 'it'", "breaks the law of names on board ############:X: actions 0 and 1"),
    ],
)
def test_a_broken_file_is_a_line_and_no_database(old: str, new: str, reason: str, run: Run, tmp_path: Path) -> None:
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
        ("row or square", "row - 1 or square", ["show", "######:X"], "not what the rules produce"),
    ],
)
def test_a_file_that_was_broken_later_is_a_line(
    old: str, new: str, command: list[str], reason: str, named: Run, tmp_path: Path
) -> None:
    write_chomp(tmp_path, **{old: new})
    refused(named(*command), reason)
    assert ok(named("query", "SELECT 1 AS one"))


def test_a_file_that_is_not_there_is_a_line(run: Run) -> None:
    refused(run("init", "--game", "./chomp.py:Chomp"), "chomp.py cannot be read (No such file or directory)")


def test_our_own_errors_are_not_taken_for_a_games() -> None:
    assert python_files.plugin_fault(ValueError("ours")) is None


# From Python.


def test_python_passes_a_game_object_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "chomp.db"
    with menace.Database(path, game=chomp("2x3")) as db:
        db.selfplay(games=30, seed=1)
        assert db.verify().games == 30
        assert db.positions.title == "chomp 2x3"
    with menace.Database(path) as db:  # it is registered in this process
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


def test_python_names_a_file_too(tmp_path: Path) -> None:
    reference = write_chomp(tmp_path)
    with menace.Database(tmp_path / "chomp.db", game=reference, variant="2x2") as db:
        assert db.show("####:X").outcome is None
    plugins._registered.clear()
    with menace.Database(tmp_path / "chomp.db", game=reference) as db:
        assert db.show("####:X").outcome is None
    with pytest.raises(InvalidGame, match="the game is chomp 2x2, not 3x3"):
        get_game(chomp("2x2"), "3x3")
    assert get_game(GAMES["nim"]("3-4-5")).name == "nim"


def test_a_game_that_breaks_a_law_makes_no_database(tmp_path: Path) -> None:
    broken = type("Broken", (chomp_class(),), {"name_of": lambda *_: "it"})
    with pytest.raises(BrokenGame, match="both have the name 'it'"):
        create_database(tmp_path / "broken.db", broken("2x2"))
    assert list(tmp_path.iterdir()) == []


# What is printed of them.


def test_the_table_of_variants_is_listed_and_each_can_be_made(run: Run) -> None:
    listed = ok(run("rules"))
    for known in known_variants():
        assert get_game(known.game, known.variant).variant == known.variant
    assert {known.game for known in known_variants()} == set(GAMES)
    assert max(map(len, listed.splitlines())) <= 80
    assert [line.split()[:2] for line in listed.splitlines()[1 : 1 + len(known_variants())]] == [
        list(known[:2]) for known in known_variants()
    ]


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_each_game_are_printed(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    game, printed = get_game(name), ok(run("rules", name))
    assert max(map(len, printed.splitlines())) <= 80
    assert " ".join(game.rules.split()) in " ".join(printed.split())
    for line in game.draw(game.initial).splitlines():
        assert line.rstrip() in printed
    assert game.name_of(game.initial, game.actions(game.initial)[0]) in printed


def test_rules_are_there_for_programs_too(run: Run) -> None:
    assert '"game": "nim"' in ok(run("rules", "nim", "--json"))
    assert "tictactoe" not in ok(run("rules", "nim", "--json"))
    assert ok(run("rules", "--csv")).splitlines()[:2] == [
        "game,variant,positions,x_boxes,o_boxes,x_choices,o_choices,minimax,perfect,longest",
        "tictactoe,3x3x3,765,304,289,304,280,0,9,9",
    ]
    refused(run("rules", "chess", "--json"), "there is no game 'chess'")
