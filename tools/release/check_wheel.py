"""Compare a wheel or an sdist byte for byte with the tree from which it was built.

    python tools/release/check_wheel.py dist/matchbox_menace-0.1.0-cp311-abi3-....whl
    python tools/release/check_wheel.py dist/matchbox_menace-0.1.0.tar.gz

A wheel contains the package and a kernel that matches the wheel's name. The kernel is either for all Python versions
(abi3) or for a free-threaded Python (such as cp314t); a py3-none-any wheel contains no kernel. An sdist contains all
files under version control.

The program prints all differences, such as missing packages or files left over from an old build, and exits with 1 if
there are any. It requires git and the source tree.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
ALL_PYTHONS, NO_LOCK = r"abi3\.so|pyd", r"cpython-\d+td?-[\w-]+\.so|cp\d+t-\w+\.pyd"
GENERATED = r"PKG-INFO|setup\.cfg|matchbox_menace\.egg-info/.*"  # files that setuptools adds to an sdist


def list_tree(*folders: str) -> dict[str, bytes]:
    """Return the files under version control in the given folders, or in the whole tree."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name: (ROOT / name).read_bytes() for name in listed.stdout.split("\0")[:-1]}


def list_wheel(path: Path) -> dict[str, bytes]:
    """Return the files that the wheel installs, without the wheel's metadata."""
    with ZipFile(path) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}


def list_sdist(path: Path) -> dict[str, bytes]:
    """Return the files in the folder of an sdist."""
    with tarfile.open(path) as sdist:
        files = {member.name.partition("/")[2]: sdist.extractfile(member) for member in sdist if member.isfile()}
        return {name: file.read() for name, file in files.items() if file is not None}


def exclude_generated(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files, except those that setuptools adds or rewrites."""
    return {name: content for name, content in files.items() if not re.fullmatch(GENERATED, name)}


def list_differences(tree: dict[str, bytes], made: dict[str, bytes]) -> list[str]:
    """Return a line for each difference between the tree and a distribution that was built from the tree."""
    lines = [f"{name} is missing" for name in sorted(tree.keys() - made.keys())]
    lines += [f"{name} is not in the tree" for name in sorted(made.keys() - tree.keys())]
    return lines + [f"{name} is another file" for name in sorted(tree.keys() & made.keys()) if tree[name] != made[name]]


def wheel_differences(tree: dict[str, bytes], wheel: dict[str, bytes], name: str) -> list[str]:
    """Return the differences between the tree and a wheel. The compiled kernel is in the wheel, but not in the tree.

    Args:
        tree: The files under version control in menace/ and db/.
        wheel: The files that the wheel installs. It installs db/ as menace/db.
        name: The wheel's file name, such as `matchbox_menace-0.1.0-cp311-abi3-linux_x86_64.whl`.
    """
    tree = {name if name.startswith("menace/") else f"menace/{name}": content for name, content in tree.items()}
    abi = name.split("-")[-2]
    kind = ALL_PYTHONS if abi == "abi3" else NO_LOCK
    kernels = [file for file in wheel if re.fullmatch(rf"menace/kernel/loop\.({kind})", file)]
    wanted = 0 if abi == "none" else 1
    lines = [] if len(kernels) == wanted else [f"it has {len(kernels)} compiled kernels that fit {abi}, not {wanted}"]
    return lines + list_differences(tree, {file: wheel[file] for file in wheel if wanted == 0 or file not in kernels})


def main() -> int:
    """Check the file that is named on the command line."""
    path = Path(sys.argv[1])
    if path.suffix == ".whl":
        lines = wheel_differences(list_tree("menace", "db"), list_wheel(path), path.name)
    else:
        lines = list_differences(*map(exclude_generated, (list_tree(), list_sdist(path))))
    print("".join(f"{path}: {line}\n" for line in lines), end="")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
