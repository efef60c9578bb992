"""Run the commands of the pages that show them (README.md, docs/*.md), and write what they print beneath them.

    python tools/docs/update_readme.py [PAGE...]          write the pages anew, or those that are named
    python tools/docs/update_readme.py [PAGE...] --check  change nothing; exit 1 with a diff where one is out of date

A page's commands run in their order, in an empty folder, with the `menace` that belongs to this Python. Only the time
that a run took, or may take, may differ.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.transcripts import pages, updated

TIMING = re.compile(
    r"in [\d.]+ s: [\d,]+ games a second \(\w+ kernel\)|about [\d.]+ (s|min|h) on 1 core|solved in [\d.]+ s"
)


def difference(page: Path) -> str:
    """Return how a page differs from what its commands print, as a diff; nothing if it is up to date."""
    text = page.read_text(encoding="utf-8")
    lines = [TIMING.sub("", version).splitlines() for version in (text, updated(text))]
    return "\n".join(difflib.unified_diff(*lines, page.name, "what the commands print", lineterm=""))


def main(arguments: list[str] | None = None) -> int:
    """Update or check pages.

    Args:
        arguments: those of the command line, unless given.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="all that show commands, unless named")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a page is out of date")
    wanted = parser.parse_args(arguments)
    paths = wanted.pages or pages()
    if not wanted.check:
        for page in paths:
            page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    differences = [text for page in paths if (text := difference(page))]
    print("\n".join(differences), end="")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
