"""Update the copy of sql.js, which is SQLite compiled to WebAssembly, in menace/site/sql_js/.

    python tools/release/update_sql_js.py           the newest version
    python tools/release/update_sql_js.py 1.16.0    a given version

The program downloads the package with npm, and checks it against the hash that the registry publishes. It then
compresses the two files that a page needs, and writes source.toml. Afterwards, run tests/site/test_sql_page.py and
tools/release/walk_in_firefox.py.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "menace" / "site" / "sql_js"
FILES = ("sql-wasm-browser.js", "sql-wasm-browser.wasm")  # the build that does not use Node's file system


def download(version: str, folder: Path) -> tuple[dict[str, str], tarfile.TarFile]:
    """Download the package from npm. Return npm's description of the package, and the open archive.

    Raises:
        ValueError: if the archive does not have the hash that the registry publishes.
    """
    command = ["npm", "pack", f"sql.js@{version}", "--json", "--pack-destination", str(folder)]
    packed = subprocess.run(command, capture_output=True, text=True, check=True)
    (described,) = json.loads(packed.stdout)
    archive = folder / described["filename"]
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if described["integrity"] != f"sha512-{digest}":
        raise ValueError(f"{archive.name} does not have the published hash")
    return described, tarfile.open(archive)


def read(archive: tarfile.TarFile, name: str) -> bytes:
    """Return the content of a file in the package."""
    member = archive.extractfile(f"package/{name}")
    assert member is not None
    return member.read()


def main() -> None:
    """Replace the files in FOLDER."""
    with tempfile.TemporaryDirectory() as folder:
        described, archive = download(sys.argv[1] if sys.argv[1:] else "latest", Path(folder))
        package = json.loads(read(archive, "package.json"))
        record = {
            **{key: package[key] for key in ("name", "version", "license", "homepage")},
            "integrity": described["integrity"],
        }
        hashes = {}
        for name in FILES:
            content = read(archive, f"dist/{name}")
            hashes[name] = hashlib.sha256(content).hexdigest()
            (FOLDER / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        (FOLDER / "LICENSE.txt").write_bytes(read(archive, "LICENSE"))
    lines = ["# The npm package that these files come from. tools/release/update_sql_js.py writes this file."]
    lines += [f"{key} = {json.dumps(value)}" for key, value in record.items()]
    lines += ["", "# SHA-256 of each file before it was compressed.", "[files]"]
    lines += [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in hashes.items()]
    (FOLDER / "source.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{record['name']} {record['version']} is in {FOLDER}")


if __name__ == "__main__":
    main()
