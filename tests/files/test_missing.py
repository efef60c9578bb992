"""Tests that simulate Windows and missing optional libraries."""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import click.core
import pytest
from commands import Run, ok, refused

import menace
from menace import cli
from menace.cli.commands import database, learners
from menace.errors import MissingExtra, OutputError
from menace.files import atomic, output
from menace.files.optional_libraries import DISTRIBUTION, need_extra
from menace.games import plugins
from menace.games.plugins import NAMED
from menace.ledger.store import sqlite
from menace.text import wording

OPEN = Path("/proc/self/fd")


def pretend_windows(monkeypatch: pytest.MonkeyPatch, *modules: object) -> None:
    """Set `os.name` to its Windows value in the given modules, and disable file locks.

    Other modules keep the original value, because pathlib fails if `os.name` changes.
    """
    for module in modules:
        monkeypatch.setattr(module, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    for module in (atomic, output, sqlite):
        monkeypatch.setattr(module, "WINDOWS", True)
    monkeypatch.setattr(atomic, "fcntl", None)


def open_files_under(path: str) -> list[str]:
    """Return the files that this process has open at the given path or, if the path is a folder, anywhere below it."""
    files = []
    for handle in OPEN.iterdir():
        try:
            files.append(str(handle.readlink()))
        except OSError:  # this handle is the one that lists the directory
            continue
    return [file for file in files if (file == path or file.startswith(f"{path}/")) and not Path(file).is_dir()]


@pytest.fixture
def windows_file_sharing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse, as Windows does, to rename, replace or remove open files and to rename a file to an existing name."""

    def refusing(todo: Callable[..., None]) -> Callable[..., None]:
        def wrapped(path: str | Path, *more: str | Path, dir_fd: int | None = None) -> None:
            folder = Path.cwd() if dir_fd is None else (OPEN / str(dir_fd)).readlink()
            for place in (path, *more):
                assert open_files_under(str(folder / place)) == [], f"{todo.__name__} of an open file"
            assert todo is not rename or not Path(more[0]).exists()
            todo(path, *more, **({} if dir_fd is None else {"dir_fd": dir_fd}))

        return wrapped

    rename = os.rename
    for name in ("rename", "replace", "unlink", "remove"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    monkeypatch.setattr(os, "link", None)
    pretend_windows(monkeypatch)


@pytest.mark.skipif(not OPEN.is_dir(), reason="this system does not list what is open")
def test_open_files_are_not_renamed_replaced_or_removed(begun: Run, windows_file_sharing: None, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text('plays = "X"\npreset = "menace"\nagainst = ["random"]\ngames = 9\nseeds = 2\n')
    out = {
        "selfplay": ["--games", "20", "--seed", "1"],
        "backup": ["copy.db"],
        "export": ["graph.json"],
        "site": ["export", "site/"],
        "tables": ["export", "graph.csv"],
        "plot": ["plot", "strength", "menace-x", "curve.svg"],
        "labels": ["labels", "menace-x", "labels.pdf"],
        "study": ["study", "run", "small.toml", "--workers", "1"],
    }
    for name, words in out.items():
        command = words if words[0] in {"export", "plot", "labels", "study"} else [name, *words]
        for again in range(2 if name in {"export", "site", "tables", "plot"} else 1):
            assert begun(*command).code in {0, None}, (command, again)
            assert open_files_under(str(tmp_path)) == [], command
    assert list(tmp_path.glob(".menace-*")) == []
    refused(begun("backup", "copy.db"), "already exists")


def test_file_in_use_is_retried_and_then_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_windows(monkeypatch)
    monkeypatch.setattr(atomic, "MAX_WAIT_IN_USE", 0.05)
    replace, tries = os.replace, [2]

    def in_use(path: Path, target: Path) -> None:
        tries[0] -= 1
        if tries[0] > 0:
            raise PermissionError(13, "Access is denied")
        replace(path, target)

    monkeypatch.setattr(os, "replace", in_use)
    output.write_file(tmp_path / "a.csv", b"whole")
    assert ((tmp_path / "a.csv").read_bytes(), tries) == (b"whole", [0])
    tries[0] = 1000
    with pytest.raises(OutputError, match=r"Access is denied\); close it in other programs and try again"):
        output.write_file(tmp_path / "a.csv", b"new")
    with pytest.raises(OutputError, match="close it in other programs"):
        output.write_folder(tmp_path / "tables", {"one": b"1"})
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a.csv": b"whole"}


@pytest.mark.parametrize("name", ["nul", "aux.csv", "Con.json", "COM1.svg", "lpt9", "prn .txt", "a:b.csv"])
def test_device_names_are_refused_on_windows_only(
    name: str, begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output.check_file_name(name)
    pretend_windows(monkeypatch)
    for allowed in ("null.csv", "auxiliary.csv", "com10.csv", "a.con", "my.aux"):
        output.check_file_name(allowed)
    with pytest.raises(OutputError, match=r"Windows .*; choose another name"):
        output.write_file(tmp_path / name, b"")
    for command in (["init", "--db", name], ["backup", name]):
        refused(begun(*command), "choose another name")


RUN_WITHOUT_UNIX_MODULES = """
import importlib, os, pkgutil, signal, sys
import click._termui_impl, datasette.app, uvicorn  # theirs are not looked at
for module in ("fcntl", "resource", "termios", "pwd", "grp", "pty", "tty", "readline", "curses"):
    sys.modules[module] = None
for module, names in {
    os: "fork getpgid setsid killpg O_NOFOLLOW O_CLOEXEC",
    signal: "SIGALRM SIGKILL SIGHUP SIGCHLD setitimer alarm",
}.items():
    for name in names.split():
        delattr(module, name)
import menace, menace.cli
missing = []
for found in pkgutil.walk_packages(menace.__path__, "menace."):
    if not found.name.startswith(("menace.adapters", "menace.__main__")):
        importlib.import_module(found.name)
        missing.append(found.name)
menace.cli.sys.argv = ["menace", "selfplay", "--games", "10"]
assert len(missing) > 150
from menace.explorer.datasette import sql_process
from menace.explorer.server import serving
assert serving.max_http_connections() == serving.MAX_CONNECTIONS
sql_process._end_after(60)
sql_process._end_after(0)
from menace.files.output import write_file, write_folder
write_folder("tables", {"one": b"1"})
write_folder("tables", {"one": b"2"})
write_file("one.txt", b"1")
menace.cli.main()
"""


def test_package_works_without_unix_modules(tmp_path: Path) -> None:
    """The test excludes adapters, because they need third-party libraries."""
    done = subprocess.run(
        [sys.executable, "-c", RUN_WITHOUT_UNIX_MODULES], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "10 games" in done.stdout
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db", "one.txt", "tables"}


COMMANDS = """--help|selfplay --games 50|play --help|show .........|show ......... --learner menace-x|strength menace-x
strength menace-x --opponent perfect|compare menace-x menace-o|history ......... --learner menace-x|mistakes menace-x
contents menace-x|runs|games|learners|players|presets michie-1963|rules|rules nim|evaluate menace-x perfect|replay 7
expect menace-x --against random --games 5|verify|show B --learner Łukasz|new Łukasz --plays X|learners
query SELECT('█木')|query SELECT('█木') --csv|train 木 --against random|strength Łukasz|delete Łukasz --yes"""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_commands_work_on_console_with_small_character_set(
    encoding: str, trained: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes, lost = set(), False
    for command in COMMANDS.replace("\n", "|").split("|"):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2)]
        monkeypatch.setattr(sys, "argv", ["menace", *command.split()])
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            with pytest.raises(SystemExit) as ended:
                cli.main()
        codes.add(ended.value.code)
        # type: ignore[attr-defined]
        written = b"".join(stream.buffer.getvalue() for stream in streams if stream.flush() is None)
        assert written, command
        lost |= b"?" in written and not written.isspace()
    assert codes <= {None, 0, 1, 2}
    assert lost


def test_windows_expands_file_patterns_but_not_learner_patterns(
    trained: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "menace-of-old.txt").touch()
    monkeypatch.setattr(click.core, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    assert "menace-o" in ok(trained("export", "site/", "--learner", "men*"))
    for name in ("b.json", "a.json"):
        (tmp_path / name).touch()
    pretend_windows(monkeypatch, learners)
    assert learners._expand_patterns(["*.json", "none.*", "c.json"]) == ["a.json", "b.json", "none.*", "c.json"]


def test_suggested_commands_use_windows_quoting(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_windows(monkeypatch, wording, database)
    assert (
        wording.command_text("show", "menace-x", db=r"C:\me\menace.db") == r"menace show menace-x --db C:\me\menace.db"
    )
    assert wording.command_text("show", "two words", db="x.db") == 'menace show "two words" --db x.db'
    assert database._set_variable_command("MENACE_GAMES", r"C:\a b\chomp.py:Chomp") == (
        r'$env:MENACE_GAMES = "C:\a b\chomp.py:Chomp"   (in the Command Prompt: set MENACE_GAMES=C:\a b\chomp.py:Chomp)'
    )


def test_file_references_accept_drive_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    match = NAMED.fullmatch(r"C:\games\chomp.py:Chomp")
    assert match is not None
    assert match.groups() == (r"C:\games\chomp.py", "Chomp")
    monkeypatch.setattr(plugins.os, "pathsep", ";")
    monkeypatch.setenv("MENACE_GAMES", r"C:\games\chomp.py:Chomp;D:\games/rules/nim.py:Nim")
    assert plugins.named_files() == [r"C:\games\chomp.py:Chomp", r"D:\games/rules/nim.py:Nim"]


def test_closed_pipe_is_recognized_on_windows(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = OSError(22, "Invalid argument")
    assert not cli._is_broken_pipe(gone)
    pretend_windows(monkeypatch, cli)
    assert cli._is_broken_pipe(gone)
    assert not cli._is_broken_pipe(OSError(22, "Invalid argument", "menace.db"))


def test_server_port_is_exclusive_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, SO_REUSEADDR lets another program use the same port; SO_EXCLUSIVEADDRUSE prevents this."""
    from menace.explorer.server.serving import Listener

    wanted: list[tuple[object, ...]] = []
    monkeypatch.setattr(socket.socket, "setsockopt", lambda _self, *option: wanted.append(option))
    Listener().close()
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    Listener().close()
    assert wanted == [(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1), (socket.SOL_SOCKET, -5, 1)]


def test_study_workers_start_without_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import multiprocessing, menace\n"
        "multiprocessing.get_all_start_methods = lambda: ['spawn']\n"
        "if __name__ == '__main__':\n"
        "    study = menace.Study('s.study', grid={'win': [1, 3]}, games=20, seeds=2)\n"
        "    study.run(workers=2)\n    print(study.machines_left())\n"
    )
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


def suggested_command(monkeypatch: pytest.MonkeyPatch, path: Path, direct_url: object) -> str:
    """Return the command that is suggested for an installation whose `direct_url.json` has the given content."""
    information = path / "matchbox_menace-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: 0.1.0\n")
    if direct_url is not None:
        (information / "direct_url.json").write_text(json.dumps(direct_url))
    distributions = list(importlib.metadata.distributions(name=DISTRIBUTION, path=[str(path)]))
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **_: iter(distributions))
    with pytest.raises(MissingExtra) as raised:
        need_extra("no_such_library", "plot")
    before, what = str(raised.value).split("; ")
    assert before == "this feature needs no_such_library, which is not installed"
    return what


def test_installed_library_is_accepted() -> None:
    need_extra("json", "plot")


@pytest.mark.parametrize("name", ["menace", "my checkout"])
@pytest.mark.parametrize(("editable", "pip"), [(True, "pip install -e"), (False, "pip install")])
def test_extra_is_installed_from_source_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, editable: bool, pip: str
) -> None:
    direct_url = {"url": (tmp_path / name).as_uri(), "dir_info": {"editable": True} if editable else {}}
    assert (
        suggested_command(monkeypatch, tmp_path, direct_url)
        == f'in the folder {tmp_path / name}, type: {pip} ".[plot]"'
    )


@pytest.mark.parametrize("direct_url", [None, {"url": "file:///tmp/menace.whl", "archive_info": {}}])
def test_extra_is_installed_by_name_for_index_or_wheel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, direct_url: object
) -> None:
    assert suggested_command(monkeypatch, tmp_path, direct_url) == 'type: pip install "matchbox-menace[plot]"'


def test_uninstalled_package_suggests_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **_: iter(()))
    with pytest.raises(MissingExtra) as raised:
        need_extra("no_such_library", "web")
    assert f'in the folder {Path(menace.__file__).parents[1]}, type: pip install -e ".[web]"' in str(raised.value)


def test_commands_load_without_extras() -> None:
    """A plain installation does not include these optional libraries.

    A command may report a missing library only if the command needs the library.
    """
    code = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"matplotlib", "reportlab", "datasette", "pandas"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from menace.cli import cli
print(len(cli.commands))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(run.stdout) > 30
