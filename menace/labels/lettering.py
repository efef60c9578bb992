"""Fonts and text of the PDF: fonts that are embedded, and substitutes for characters that they lack.

The fonts are reportlab's own Bitstream Vera, which has Latin scripts. Names may be in any script: characters that
Vera lacks are taken from DejaVu Sans, Vera's extension by Greek, Cyrillic and more, if matplotlib is installed.
What neither can show properly (letters from right to left, accents apart from their letters, pictures) is shown by
its number in Unicode, such as [U+4E2D].

Sizes are in millimetres, like all lengths on the page.
"""

from __future__ import annotations

import functools
import importlib.util
import unicodedata
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal, TypeAlias
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PLAIN, BOLD, OTHER = "menace-plain", "menace-bold", "menace-other"
POINT = 25.4 / 72  # mm
HEIGHT_OF_CAPITALS = 0.73  # of the font's size
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
LEFT_TO_RIGHT = frozenset({"L", "EN", "ES", "ET", "CS", "WS", "ON"})  # classes of the Unicode bidirectional algorithm

Align: TypeAlias = Literal["left", "centre", "right"]


def register_fonts() -> None:
    """Register the fonts with reportlab. To be called before the other functions of this module."""
    files = {PLAIN: "Vera.ttf", BOLD: "VeraBd.ttf", OTHER: _dejavu()}
    for name, file in files.items():
        if file is not None and name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, file))


def _dejavu() -> str | None:
    """Return the file of DejaVu Sans in matplotlib, without importing it, or None."""
    spec = importlib.util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
    return str(file) if file.is_file() else None


@functools.lru_cache(maxsize=1000)
def pieces(text: str, font: str) -> list[tuple[str, str]]:
    """Split a text into parts (font, text), to be written one after another.

    >>> register_fonts()
    >>> pieces("box 中", PLAIN)
    [('menace-plain', 'box [U+4E2D]')]
    """
    written = ((font_for(character, font), character) for character in unicodedata.normalize("NFC", text))
    shown = ((used or font, character if used else f"[U+{ord(character):04X}]") for used, character in written)
    return [(used, "".join(map(itemgetter(1), part))) for used, part in groupby(shown, itemgetter(0))]


def markup(text: str, font: str) -> str:
    """Return a text as markup for a reportlab paragraph in `font`.

    >>> register_fonts()
    >>> markup("X & <O>", PLAIN)
    'X &amp; &lt;O&gt;'
    """
    parts = ((used, escape(piece)) for used, piece in pieces(text, font))
    return "".join(piece if used == font else f'<font name="{used}">{piece}</font>' for used, piece in parts)


@functools.lru_cache(maxsize=1000)
def font_for(character: str, font: str) -> str | None:
    """Return the font for a character: `font` if it has it, or None if no font has.

    >>> register_fonts()
    >>> font_for("é", BOLD), font_for("中", BOLD)
    ('menace-bold', None)
    """
    if unicodedata.bidirectional(character) not in LEFT_TO_RIGHT or unicodedata.category(character)[0] == "M":
        return None
    known = pdfmetrics.getRegisteredFontNames()
    for name in (font, OTHER):
        if name in known and ord(character) in pdfmetrics.getFont(name).face.charToGlyph:  # type: ignore[attr-defined]
            return name
    return None


def unwritten(text: str) -> str:
    """Return the characters of a text that no font has, which are shown by their numbers.

    >>> register_fonts()
    >>> unwritten("Zoë 中文")
    '中文'
    """
    return "".join(character for character in unicodedata.normalize("NFC", text) if font_for(character, PLAIN) is None)


def width_of(text: str, font: str, size: float) -> float:
    """Return the width of a text.

    >>> register_fonts()
    >>> round(width_of("box 12", PLAIN, 10), 1), round(width_of("box 12", BOLD, 10), 1)
    (34.3, 37.9)
    """
    return sum(float(pdfmetrics.stringWidth(piece, used, size)) for used, piece in pieces(text, font))


def shortened(text: str, font: str, size: float, most: float) -> str:
    """Return as much of a text as fits into a width, with an ellipsis if it is cut.

    >>> register_fonts()
    >>> shortened("the machine of matchboxes", PLAIN, 10, 60)
    'the mach…'
    """
    if width_of(text, font, size) <= most:
        return text
    kept = len(text)
    while kept and width_of(text[:kept] + ELLIPSIS, font, size) > most:
        kept -= 1
    return text[:kept].rstrip() + ELLIPSIS


def size_to_fit(text: str, font: str, most: float, size: float) -> float:
    """Return `size`, or less if the text is to be no wider than `most`.

    >>> register_fonts()
    >>> round(size_to_fit("quarter turn", PLAIN, 30, 10), 2), size_to_fit("1", PLAIN, 30, 10)
    (4.92, 10)
    """
    return min(size, size * most / width_of(text, font, size))


def write(canvas: Canvas, x: float, y: float, text: str, font: str, size: float, align: Align = "left") -> None:
    """Write a line of text, its baseline at `y`, in the canvas' fill colour."""
    if align != "left":
        x -= width_of(text, font, size) * (0.5 if align == "centre" else 1.0)
    for used, piece in pieces(text, font):
        canvas.setFont(used, size)
        canvas.drawString(x, y, piece)
        x += canvas.stringWidth(piece, used, size)
