"""Define schemes of bead colours and cell numbers, which represent each move by a colour and a number.

Each colour and number belongs to a cell of the canonical board, which is the board shown on a box. The scheme `menace`
numbers cells as the database does, from 0 at the top left. The colours of this scheme are sold in bead shops, and
colour-blind people can distinguish most of them. The remaining colours can be identified by the number beside each
bead. The scheme `michie` describes Michie's original machine. The cells in this scheme are numbered
1 2 3 / 8 0 4 / 7 6 5, and the beads are white lilac silver / black gold green / amber red pink.

Source of `michie`: Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), table 1.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from menace.errors import InvalidSetting
from menace.text.wording import counted


class BeadColour(NamedTuple):
    """A named bead colour.

    Attributes:
        name: the name of the colour.
        rgb: the red, green and blue components for screens and printers, each from 0 to 255.

    >>> BeadColour("sky blue", (100, 190, 240)).hex
    '#64bef0'
    """

    name: str
    rgb: tuple[int, int, int]

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self.rgb)


Scheme: TypeAlias = Literal["menace", "michie"]
SCHEMES: tuple[Scheme, Scheme] = ("menace", "michie")


class Naming(NamedTuple):
    """The schemes that a machine's operator uses to name beads and cells.

    Attributes:
        colours: the scheme of bead colours.
        numbering: the scheme of cell numbers.

    >>> Naming().with_schemes(numbering="michie")
    Naming(colours='menace', numbering='michie')
    """

    colours: Scheme = "menace"
    numbering: Scheme = "menace"

    def with_schemes(self, colours: Scheme | None = None, numbering: Scheme | None = None) -> Naming:
        """Return a copy with the given schemes; None keeps the current scheme."""
        return Naming(colours or self.colours, numbering or self.numbering)


OWN = Naming()
MICHIE = Naming("michie", "michie")


COLOURS: dict[Scheme, tuple[BeadColour, ...]] = {
    "menace": (
        BeadColour("red", (213, 43, 43)),
        BeadColour("orange", (243, 146, 0)),
        BeadColour("yellow", (250, 225, 30)),
        BeadColour("green", (0, 140, 80)),
        BeadColour("white", (255, 255, 255)),
        BeadColour("sky blue", (100, 190, 240)),
        BeadColour("blue", (20, 70, 170)),
        BeadColour("purple", (125, 60, 160)),
        BeadColour("pink", (245, 160, 200)),
        BeadColour("brown", (120, 75, 40)),
        BeadColour("grey", (150, 150, 150)),
        BeadColour("black", (20, 20, 20)),
    ),
    "michie": (
        BeadColour("white", (255, 255, 255)),
        BeadColour("lilac", (190, 150, 220)),
        BeadColour("silver", (180, 185, 190)),
        BeadColour("black", (20, 20, 20)),
        BeadColour("gold", (205, 160, 30)),
        BeadColour("green", (0, 140, 80)),
        BeadColour("amber", (255, 175, 0)),
        BeadColour("red", (213, 43, 43)),
        BeadColour("pink", (245, 160, 200)),
    ),
}
MICHIE_NUMBERS = (1, 2, 3, 8, 0, 4, 7, 6, 5)


def naming_for(title: str, cells: int | None, naming: Naming) -> Naming:
    """Return `naming` if it fits the game, and the default scheme otherwise.

    Michie's schemes cover only nine cells, so other games use the `menace` scheme instead.

    Args:
        title: the game's title.
        cells: the number of cells on the game's board, or None if the game's moves are not cells.
        naming: the schemes that the machine's operator prefers.

    >>> naming_for("tictactoe 3x3x3", 9, MICHIE) == MICHIE, naming_for("tictactoe 4x4x4", 16, MICHIE) == Naming()
    (True, True)
    """
    try:
        check_naming(title, cells, naming)
    except InvalidSetting:
        return Naming()
    return naming


def check_naming(title: str, cells: int | None, naming: Naming) -> None:
    """Check that both schemes exist and fit the game. Takes the same arguments as `naming_for`.

    Raises:
        InvalidSetting: if a scheme is not in SCHEMES, or one of Michie's schemes is used for a game that does not have
            nine cells.

    >>> check_naming("tictactoe 4x4x4", 16, Naming(numbering="michie"))
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: the 'michie' numbering needs nine cells, not 16; use the 'menace' numbering
    """
    for what, scheme in zip(naming._fields, naming, strict=True):
        if scheme not in SCHEMES:
            raise InvalidSetting(f"{what}={scheme!r} is not one of {', '.join(SCHEMES)}")
    if cells is None and naming != Naming():
        raise InvalidSetting(
            f"the 'michie' schemes need a board of nine cells, but the moves of {title} are not cells;"
            " use the 'menace' schemes"
        )
    if cells is not None and naming.colours == "michie":
        bead_colours(cells, naming.colours)
    if cells is not None:
        cell_numbers(cells, naming.numbering)


def bead_colours(cells: int, scheme: Scheme = "menace") -> tuple[BeadColour, ...]:
    """Return the bead colour for each cell.

    Args:
        cells: the number of cells of the board.
        scheme: the scheme of colours.

    Raises:
        InvalidSetting: if the board has more cells than the scheme has colours. Michie's scheme has nine colours.

    >>> [colour.name for colour in bead_colours(9, "michie")]
    ['white', 'lilac', 'silver', 'black', 'gold', 'green', 'amber', 'red', 'pink']
    >>> bead_colours(16, "michie")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: 'michie' has 9 colours, but this board has 16 cells; use the 'menace' colours
    """
    colours = COLOURS[scheme]
    if cells > len(colours) or (scheme == "michie" and cells != len(colours)):
        remedy = "use the 'menace' colours" if scheme == "michie" else "the board is too large for beads"
        raise InvalidSetting(
            f"{scheme!r} has {len(colours)} colours, but this board has {counted(cells, 'cell')}; {remedy}"
        )
    return colours[:cells]


def cell_numbers(cells: int, scheme: Scheme = "menace") -> tuple[int, ...]:
    """Return the number that a scheme assigns to each cell.

    Args:
        cells: the number of cells of the board.
        scheme: the scheme of numbers.

    Raises:
        InvalidSetting: if Michie's scheme is requested for a board that does not have nine cells.

    >>> cell_numbers(9, "menace"), cell_numbers(9, "michie")
    ((0, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 8, 0, 4, 7, 6, 5))
    """
    if scheme == "menace":
        return tuple(range(cells))
    if cells != len(MICHIE_NUMBERS):
        raise InvalidSetting(f"the 'michie' numbering needs nine cells, not {cells}; use the 'menace' numbering")
    return MICHIE_NUMBERS
