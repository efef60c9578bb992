"""Run the commands of README.md's console blocks, and write what they print beneath them.

    python tools/update_readme.py           write README.md anew
    python tools/update_readme.py --check   change nothing; exit 1 with a diff where it is out of date

The commands run in their order, in an empty directory, with the `menace` that belongs to this Python. Only the time
that a run took may differ.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
TIMING = re.compile(r"in [\d.]+ s: [\d,]+ games a second \(\w+ kernel\)")


def shell(command: str, folder: str) -> str:
    """Return what a command prints; its errors end this program."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if name != "MENACE_DB"}
    environment |= {"PATH": path, "COLUMNS": "80"}  # as on a terminal
    run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return run.stdout.decode()


def updated(text: str) -> str:
    """Return the text with fresh output in its console blocks."""
    with tempfile.TemporaryDirectory() as folder:

        def rerun(block: re.Match[str]) -> str:
            commands = re.findall(r"^\$ (.*)$", block[0], re.MULTILINE)
            printed = [f"$ {command}\n{shell(command, folder)}" for command in commands]
            return "\n".join(re.sub(r"[ \t]+$", "", part, flags=re.MULTILINE) for part in printed)

        return BLOCK.sub(rerun, text)


def main() -> int:
    """Update or check README.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where it is out of date")
    arguments = parser.parse_args()
    old = README.read_text(encoding="utf-8")
    new = updated(old)
    if not arguments.check:
        README.write_text(new, encoding="utf-8")
        return 0
    lines = [TIMING.sub("", text).splitlines() for text in (old, new)]
    difference = list(difflib.unified_diff(*lines, "README.md", "what the commands print", lineterm=""))
    print("\n".join(difference), end="")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
