"""Export the explorer for a browser tab: the database, a wheel of menace, and a page that runs both in Pyodide."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import zipfile
from importlib import metadata, resources
from pathlib import Path
from tempfile import TemporaryDirectory

from menace.errors import OutputError
from menace.files.output import write_folder
from menace.ledger.store import Store

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"
PAGES = {name: f"lite_{name}" for name in ("index.html", "worker.js", "service_worker.js")}  # and their templates
PROJECT, WHEELS = "matchbox-menace", "matchbox_menace-*-py3-none-any.whl"
COMPILED = {".so", ".pyd", ".pyc"}


def export_lite(
    store: Store, folder: str | os.PathLike[str], wheel: str | os.PathLike[str] | None = None, pyodide: str = PYODIDE
) -> int:
    """Write a folder that can be uploaded to a web host, and return the total size of its files in bytes.

    Args:
        store: the database, which is copied completely, including people's names.
        folder: the path of the folder. An earlier export is replaced.
        wheel: the path of a wheel of menace without a compiled kernel; None builds a wheel from the installed files.
        pyodide: the URL of the Pyodide folder, which must end with a slash.

    Raises:
        OutputError: if there is no such wheel, the wheel is not pure, or the files cannot be written.
    """
    if wheel is not None and not (Path(wheel).match(WHEELS) and Path(wheel).is_file()):
        raise OutputError(f"{wheel} is not a pure wheel of menace; build one with MENACE_PURE=1, or leave out --wheel")
    name, content = _installed_wheel() if wheel is None else (Path(wheel).name, Path(wheel).read_bytes())
    with TemporaryDirectory() as copies:
        store.backup(copy := Path(copies) / "menace.db")
        files = {name: content, "menace.db.gz": gzip.compress(copy.read_bytes(), mtime=0)}
    required = [line.partition(";")[0] for line in metadata.requires(PROJECT) or () if line.endswith('extra == "web"')]
    settings = json.dumps({"pyodide": pyodide, "wheel": name, "required": required})
    for page, template in PAGES.items():
        text = resources.files("menace.site").joinpath("templates", template).read_text("utf-8")
        files[page] = text.replace("SETTINGS", settings).encode()
    write_folder(folder, files, lambda earlier: [path.name for path in earlier.glob(WHEELS)])
    return sum(map(len, files.values()))


def _installed_wheel() -> tuple[str, bytes]:
    """Return the name and the content of a wheel built from the installed files, without the compiled kernel."""
    installed = metadata.distribution(PROJECT)
    name = f"{PROJECT.replace('-', '_')}-{installed.version}"
    files = {
        f"{name}.dist-info/METADATA": str(installed.metadata).encode(),
        f"{name}.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: menace\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}.dist-info/entry_points.txt": (installed.read_text("entry_points.txt") or "").encode(),
    }
    for package in ("menace", "menace.db"):
        root = Path(str(resources.files(package)))
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix not in COMPILED:
                files[f"{package.replace('.', '/')}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    record = f"{name}.dist-info/RECORD"
    lines = [f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    with zipfile.ZipFile(written := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file), content, zipfile.ZIP_DEFLATED)  # with a fixed date
    return f"{name}-py3-none-any.whl", written.getvalue()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
