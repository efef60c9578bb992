"""Run the commands in docs/your-own-game.md as a reader would, write their output, and make the pictures.

    python tools/docs/make_tutorial.py          write the page and its pictures
    python tools/docs/make_tutorial.py --check  change nothing; exit 1 and print what is out of date

The program saves the Python code on the page as chomp.py. The commands run in the same folder, in order, with
MENACE_GAMES set as on the page. The picture of the labels shows the upper half of the first sheet.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.make_pictures import same_picture
from docs.transcripts import BLOCK, TYPED, open_shell
from docs.update_readme import TIMING

PAGE = Path(__file__).parents[2] / "docs" / "your-own-game.md"
PICTURES = PAGE.with_suffix("")
PYTHON = re.compile(r"(?<=```python\n).*?(?=```)", re.DOTALL)
SCALE = 1.25  # pixels for each point
# the left, upper, right and lower edges of the part of the sheet that appears in the picture
SHEET_AREA = (84, 70, 664, 590)
# the allowed mean difference in grey levels (0 to 255), because libraries smooth edges differently
MAX_DIFFERENCE = 2.0


def page_program(page: str) -> str:
    """Return the Python program on the page."""
    (source,) = PYTHON.findall(page)
    return source


def make_page(page: str) -> tuple[str, str, bytes]:
    """Return the page with new output, the picture of the game as SVG, and the picture of the labels as PNG."""
    with open_shell(80) as shell:
        Path("chomp.py").write_text(page_program(page), encoding="utf-8")
        os.environ["MENACE_GAMES"] = "./chomp.py:Chomp"  # the original value is restored when the context ends

        def rerun(block: re.Match[str]) -> str:
            printed = [f"$ {command}\n{shell(command)}" for command in TYPED.findall(block[0])]
            return "\n".join(re.sub(r"[ \t]+$", "", part, flags=re.MULTILINE) for part in printed)

        text = BLOCK.sub(rerun, page)
        return text, Path("chomp.svg").read_text(encoding="utf-8"), crop_first_sheet(Path("chomp-labels.pdf"))


def crop_first_sheet(path: Path) -> bytes:
    """Return the part of a PDF's first page that appears in the picture, as PNG."""
    import pypdfium2

    image = pypdfium2.PdfDocument(path)[0].render(scale=SCALE).to_pil()
    image = image.crop(SHEET_AREA)
    file = io.BytesIO()
    image.quantize(256).save(file, "PNG", optimize=True)
    return file.getvalue()


def same_image(old: bytes, new: bytes) -> bool:
    """Return whether two PNG files show the same picture."""
    from PIL import Image

    a, b = (np.asarray(Image.open(io.BytesIO(data)).convert("L"), float) for data in (old, new))
    return a.shape == b.shape and float(np.abs(a - b).mean()) < MAX_DIFFERENCE


def main() -> int:
    """Write or check the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if anything is out of date")
    check = parser.parse_args().check
    old = PAGE.read_text(encoding="utf-8")
    page, picture, labels = make_page(old)
    picture_file, labels_file = PICTURES / "chomp.svg", PICTURES / "chomp-labels.png"
    if not check:
        PICTURES.mkdir(exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")
        picture_file.write_text(picture, encoding="utf-8")
        labels_file.write_bytes(labels)
        return 0
    lines = [TIMING.sub("", text).splitlines() for text in (old, page)]
    differences = list(difflib.unified_diff(*lines, PAGE.name, "what the commands print", lineterm=""))
    if not same_picture(picture, picture_file.read_text(encoding="utf-8")):
        differences.append(f"{picture_file.name} is out of date")
    if not same_image(labels, labels_file.read_bytes()):
        differences.append(f"{labels_file.name} is out of date")
    print("".join(f"{line}\n" for line in differences), end="")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
