"""Make the pictures in docs/pictures/*.svg by running the commands shown on the pages.

    python tools/docs/make_pictures.py          write them
    python tools/docs/make_pictures.py --check  change nothing; exit with 1 and print which are out of date

Pictures are compared element by element; numbers may differ by up to one pixel, and ids are ignored. The reason is that
different versions of the drawing library may round differently and choose different ids.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import zip_longest
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.transcripts import open_shell

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEEDS = range(1, 6)
COMMANDS = [
    "menace selfplay --games 200000 --seed 1",
    "menace picture perfect-play.svg --learner menace-x",
    *(f"menace new perfect{seed} --plays X" for seed in SEEDS),
    *(f"menace new random{seed} --plays X" for seed in SEEDS),
    *(f"menace train perfect{seed} --against perfect --games 20000 --seed {seed}" for seed in SEEDS),
    *(f"menace train random{seed} --against random --games 20000 --seed {seed}" for seed in SEEDS),
    "menace plot strength 'perfect*' 'random*' learning.svg",
    "menace new adam --plays X",
    *(f"menace plot expected adam expected-{teacher}.svg --against {teacher}" for teacher in ("perfect", "random")),
    "menace study run beads.toml",  # of docs/
    "menace study plot beads.study beads.svg --by against --by draw",
]
PIXEL = 1.0
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
NAMES = re.compile(r"#[\w-]+")  # matches references to other elements, and colours


def make_pictures() -> dict[str, str]:
    """Run the commands in an empty folder, and return the pictures, indexed by file name."""
    with open_shell(80) as shell:
        for command in COMMANDS:
            shell(command)
        return {file.name: file.read_text(encoding="utf-8") for file in sorted(Path().glob("*.svg"))}


def same_picture(old: str, new: str) -> bool:
    """Return whether two SVG files draw the same picture."""
    elements = zip_longest(*(ET.fromstring(text).iter() for text in (old, new)))  # noqa: S314 - our own pictures
    return all(a is not None and b is not None and _same_element(a, b) for a, b in elements)


def _same_element(a: ET.Element, b: ET.Element) -> bool:
    if a.tag != b.tag or (a.text or "").strip() != (b.text or "").strip() or a.attrib.keys() != b.attrib.keys():
        return False
    return all(_same_text(a.attrib[key], b.attrib[key]) for key in a.attrib if key != "id")


def _same_text(a: str, b: str) -> bool:
    """Compare two SVG attributes. Words must be equal, numbers may differ by up to a pixel, and ids are ignored."""
    links = "url(#" in a or a.startswith("#")
    a, b = (NAMES.sub("#", text) if links else text for text in (a, b))
    if NUMBER.sub("0", a) != NUMBER.sub("0", b):
        return False
    return all(abs(float(x) - float(y)) <= PIXEL for x, y in zip(NUMBER.findall(a), NUMBER.findall(b), strict=True))


def main() -> int:
    """Write or check the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a picture is out of date")
    check = parser.parse_args().check
    pictures = make_pictures()
    if not check:
        PICTURES.mkdir(exist_ok=True)
        for name, text in pictures.items():
            (PICTURES / name).write_text(text, encoding="utf-8")
        return 0
    there = {file.name: file.read_text(encoding="utf-8") for file in PICTURES.glob("*.svg")}
    old = [name for name in sorted({*pictures, *there}) if not _same(pictures.get(name), there.get(name))]
    print("".join(f"docs/pictures/{name} is out of date; python tools/docs/make_pictures.py\n" for name in old), end="")
    return 1 if old else 0


def _same(old: str | None, new: str | None) -> bool:
    return old is not None and new is not None and same_picture(old, new)


if __name__ == "__main__":
    sys.exit(main())
