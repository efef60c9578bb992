"""Messages about missing libraries: the command that installs them, as menace itself was installed."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

import menace
from menace.errors import MissingExtra
from menace.files.optional_libraries import DISTRIBUTION, need_extra


def command(monkeypatch: pytest.MonkeyPatch, path: Path, direct_url: object) -> str:
    """Return the command that is suggested for an installation described by `direct_url.json`."""
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
    assert before == "this needs no_such_library, which is not installed"
    return what


def test_a_library_that_is_there_is_enough() -> None:
    need_extra("json", "plot")


@pytest.mark.parametrize("name", ["menace", "my checkout"])
@pytest.mark.parametrize(("editable", "pip"), [(True, "pip install -e"), (False, "pip install")])
def test_from_a_folder_the_extra_comes_from_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, editable: bool, pip: str
) -> None:
    direct_url = {"url": (tmp_path / name).as_uri(), "dir_info": {"editable": True} if editable else {}}
    assert command(monkeypatch, tmp_path, direct_url) == f'in the folder {tmp_path / name}, type: {pip} ".[plot]"'


@pytest.mark.parametrize("direct_url", [None, {"url": "file:///tmp/menace.whl", "archive_info": {}}])
def test_from_an_index_or_a_wheel_the_extra_comes_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, direct_url: object
) -> None:
    assert command(monkeypatch, tmp_path, direct_url) == 'type: pip install "matchbox-menace[plot]"'


def test_what_was_never_installed_names_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **_: iter(()))
    with pytest.raises(MissingExtra) as raised:
        need_extra("no_such_library", "web")
    assert f'in the folder {Path(menace.__file__).parents[1]}, type: pip install -e ".[web]"' in str(raised.value)


def test_commands_load_where_no_extra_is_installed() -> None:
    """A plain installation has none of these libraries; only the command that needs one may say so."""
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
