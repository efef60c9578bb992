"""Compare a wheel with the tree that it was built from: the same files, to the byte, and a compiled kernel.

    python tools/check_wheel.py dist/matchbox_menace-0.1.0-....whl

Exits 1, and says what differs: a package that setup.cfg does not name, data that it leaves out, a file of an old build.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
COMPILED = re.compile(r"menace/kernel\.[\w-]+\.(so|pyd)")


def of_tree() -> dict[str, bytes]:
    """Return what the package has under version control, by its name in the wheel: db/ is menace/db there."""
    listed = subprocess.run(["git", "ls-files", "menace", "db"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = listed.stdout.splitlines()
    return {name if name.startswith("menace/") else f"menace/{name}": (ROOT / name).read_bytes() for name in names}


def of_wheel(path: Path) -> dict[str, bytes]:
    """Return what the wheel installs, without what installers read."""
    with ZipFile(path) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}


def differences(tree: dict[str, bytes], wheel: dict[str, bytes]) -> list[str]:
    """Return the differences of a wheel from the tree, a line each; empty if it is right."""
    compiled = [name for name in wheel if COMPILED.fullmatch(name)]
    lines = [] if len(compiled) == 1 else [f"it has {len(compiled)} compiled kernels, not one"]
    lines += [f"{name} is missing" for name in sorted(tree.keys() - wheel.keys())]
    lines += [f"{name} is not in the tree" for name in sorted(wheel.keys() - tree.keys() - {*compiled})]
    both = sorted(tree.keys() & wheel.keys())
    return lines + [f"{name} is another file" for name in both if tree[name] != wheel[name]]


def main() -> int:
    """Check the wheel that is named on the command line."""
    lines = differences(of_tree(), of_wheel(Path(sys.argv[1])))
    print("".join(f"{sys.argv[1]}: {line}\n" for line in lines), end="")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
