"""Execute the notebooks in docs/notebooks as a reader would, and store their outputs.

    python tools/docs/run_notebooks.py          execute them and write their outputs
    python tools/docs/run_notebooks.py --check  change nothing; exit 1 and print what is out of date

The program requires nbclient, ipykernel, and the extras `notebook` and `plot`. Each notebook runs in an empty folder.
Times and the version of Python are removed from the outputs, because they depend on the computer. Text and tables are
compared character by character. The program checks only that figures exist, because the bytes of a figure depend on the
version of matplotlib.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
MAX_CELL_SECONDS = 120  # for one cell
FIGURE = "image/svg+xml"


def execute_notebook(path: Path) -> str:
    """Execute a notebook, and return the content of its file with the new outputs.

    Raises nbclient.exceptions.CellExecutionError.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=MAX_CELL_SECONDS, resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata = {}
    notebook.metadata.language_info = {"name": "python"}
    return str(nbformat.writes(notebook)) + "\n"


def comparable_lines(file: str) -> list[str]:
    """Return those lines of a notebook's file that do not depend on the computer or on matplotlib."""
    notebook: dict[str, Any] = json.loads(file)
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if FIGURE in output.get("data", {}):
                output["data"][FIGURE] = "a figure"
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True).splitlines()


def diff_notebook(path: Path, new: str) -> list[str]:
    """Return a diff between a notebook's file and its newly executed version."""
    old = path.read_text(encoding="utf-8")
    return list(difflib.unified_diff(comparable_lines(old), comparable_lines(new), path.name, "executed", lineterm=""))


def main(arguments: list[str] | None = None) -> int:
    """Write or check the notebooks. Return 1 if the check finds a notebook that is out of date."""
    parser = argparse.ArgumentParser(description="Execute the notebooks of docs/notebooks.")
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args(arguments).check
    outdated = False
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        new = execute_notebook(path)
        if not check:
            path.write_text(new, encoding="utf-8")
        elif changed := diff_notebook(path, new):
            print(*changed, sep="\n")
            outdated = True
    return int(outdated)


if __name__ == "__main__":
    sys.exit(main())
