"""Test the export of the explorer for a browser tab: its files, and its page with a stand-in for Pyodide."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import checked_page, serve_files
from commands import Run, ok
from database_templates import trained_bytes

from menace.ledger.create_and_open import open_database

# Each address returns a page with the expected parts, except that the first address redirects to another page.
PYODIDE = """
const bytes = (text) => new TextEncoder().encode(text);
function answer(base, method, path, type, body) {
  if (path === "/-/menace") return [302, { location: `${base}-/menace/home?x=1` }, bytes("")];
  const kind = method === "POST" ? "application/json" : "text/html";
  return [200, { "content-type": kind }, bytes(JSON.stringify([method, path, type, body]))];
}
export async function loadPyodide() {
  const globals = new Map();
  const python = async () => async (...request) =>
    ({ toJs: () => answer(globals.get("base_url"), ...request), destroy() {} });
  return { globals, loadPackage: async () => {}, runPythonAsync: python, FS: { readFile: () => bytes("changed") } };
}
"""


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    ok(run("export", "lite/", "--lite", "--pyodide", "pyodide/"))
    return tmp_path / "lite"


@pytest.fixture
def home(folder: Path) -> Iterator[str]:
    (folder / "pyodide").mkdir()
    (folder / "pyodide" / "pyodide.mjs").write_text(PYODIDE)
    with serve_files(folder.parent) as host:
        yield f"{host}/lite/"


def test_database_is_copied_and_the_earlier_export_replaced(folder: Path, run: Run) -> None:
    (copy := folder.parent / "copy.db").write_bytes(gzip.decompress((folder / "menace.db.gz").read_bytes()))
    with open_database(copy) as store:
        assert store.learner("menace-x").games == 50
    (wheel,) = folder.glob("*.whl")
    older = wheel.rename(folder / "matchbox_menace-0.0.9-py3-none-any.whl")
    assert "names of people" in ok(run("export", "lite/", "--lite", "--wheel", str(older)))
    assert [path.name for path in folder.glob("*.whl")] == [older.name]
    assert '"pyodide": "https://' in (folder / "worker.js").read_text()


@pytest.mark.slow
def test_wheel_contains_menace_without_the_compiled_kernel(folder: Path, tmp_path: Path) -> None:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    record = next(content.decode() for name, content in files.items() if name.endswith("RECORD"))
    for line in record.splitlines()[:-1]:
        name, digest, size = line.rsplit(",", 2)
        hashed = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).decode().rstrip("=")
        assert (digest, int(size)) == (f"sha256={hashed}", len(files[name])), name
    assert {"menace/py.typed", "menace/db/schema.sql", "menace/explorer/static/play.js"} <= files.keys()
    assert not [name for name in files if name.endswith((".so", ".pyc"))]
    install = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", tmp_path / "new", wheel]
    subprocess.run(install, check=True, capture_output=True)
    program = "import menace, menace.db, menace.kernel.loop; print(menace.__file__, menace.kernel.loop.COMPILED)"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "new")}
    shown = subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True, text=True)
    assert shown.stdout.split() == [str(tmp_path / "new" / "menace" / "__init__.py"), "False"]
    points = (next((tmp_path / "new").glob("*.dist-info")) / "entry_points.txt").read_text()
    assert "menace = menace.explorer" in points


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["site/", "--wheel", "x.whl"], 2, "apply only to --lite"),
        (["lite/", "--lite", "--learner", "menace-x"], 2, "one whole database"),
        (["lite", "--lite"], 1, "with / for a site"),
        (["lite/", "--lite", "--wheel", "menace.db"], 1, "not a pure wheel"),
        (["lite/", "--lite", "--wheel", "matchbox_menace-1-py3-none-any.whl"], 1, "not a pure wheel"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, run: Run, options: list[str], code: int, words: str) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    result = run("export", *options)
    assert (result.code, words in result.err) == (code, True), result
    assert not (tmp_path / "lite").exists()


@pytest.mark.slow
def test_service_worker_passes_requests_to_python(chromium: Any, home: str) -> None:
    with checked_page(chromium, home, accept_downloads=True) as page:
        page.goto(home)
        framed = page.frame_locator("iframe")
        framed.get_by_text('["GET","/-/menace/home?x=1","",""]').wait_for()  # after a redirect
        (frame,) = [frame for frame in page.frames if frame.parent_frame is not None]
        assert frame.url == f"{home}app/-/menace/home?x=1"
        options = "{method: 'POST', headers: {'content-type': 'application/json'}, body: '{\"games\": 1}'}"
        sent = frame.evaluate(f"fetch('/lite/app/-/menace/menace/a%20b#c', {options}).then((reply) => reply.json())")
        assert sent == ["POST", "/-/menace/menace/a%20b", "application/json", '{"games": 1}']
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the database").click()
        assert download.value.suggested_filename == "menace.db"
        assert download.value.path().read_bytes() == b"changed"

        other = page.context.new_page()
        other.goto(home)
        other.get_by_text("already open in another tab").wait_for()
        other.goto(f"{home}app/-/menace/home")  # a page of the explorer in its own browser tab
        other.get_by_text('["GET","/-/menace/home","",""]').wait_for()
        page.close()
        other.goto(f"{home}app/-/menace/home")  # without Python, this is the first page
        other.frame_locator("iframe").get_by_text("home?x=1").wait_for()
        assert other.url == home


@pytest.mark.slow
def test_page_says_why_it_could_not_be_started(chromium: Any, home: str, folder: Path) -> None:
    (folder / "pyodide" / "pyodide.mjs").write_text(
        "export const loadPyodide = async () => { throw Error('no Python'); };"
    )
    context = chromium.new_context()
    page = context.new_page()
    page.goto(home)
    page.get_by_text("The explorer could not be started: Error: no Python").wait_for()
    context.close()
