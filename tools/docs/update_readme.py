"""Run the commands shown in README.md and docs/*.md, and write their output below them.

    python tools/docs/update_readme.py [PAGE...]          write all pages, or the given ones
    python tools/docs/update_readme.py [PAGE...] --check  change nothing; exit 1 with a diff if a page is out of date

The commands on a page run in order in an empty folder. The commands use the `menace` that is installed for the Python
interpreter that runs this file. Only measured and estimated times may differ from those on the page.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.transcripts import find_pages, update_page

TIMING = re.compile(
    r"in [\d.]+ s: [\d,]+ games a second \(\w+ kernel\)|about [\d.]+ (s|min|h) on 1 core|solved in [\d.]+ s"
)


def diff_page(page: Path) -> str:
    """Return a diff between a page and the current output of its commands, or "" if the page is up to date."""
    text = page.read_text(encoding="utf-8")
    lines = [TIMING.sub("", version).splitlines() for version in (text, update_page(text))]
    return "\n".join(difflib.unified_diff(*lines, page.name, "what the commands print", lineterm=""))


def main(arguments: list[str] | None = None) -> int:
    """Update or check pages, and return the exit code.

    Args:
        arguments: The arguments. The default is those of the command line.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="pages to update (default: all)")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a page is out of date")
    wanted = parser.parse_args(arguments)
    paths = wanted.pages or find_pages()
    if not wanted.check:
        for page in paths:
            page.write_text(update_page(page.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    differences = [text for page in paths if (text := diff_page(page))]
    print("\n".join(differences), end="")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
