"""Colours of beads and numbers of cells: the schemes by which each bead stands for a move.

Both belong to a cell of the canonical board, which is what stands on a box. `menace` numbers cells as the database
does, 0 from the top left, and uses colours that bead shops sell and that colour-blind people can mostly tell apart
(a number beside each helps where they cannot). `michie` is the first machine's: cells numbered 1 2 3 / 8 0 4 /
7 6 5, beads white lilac silver / black gold green / amber red pink.

Source of `michie`: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), table 1.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from menace.errors import InvalidSetting
from menace.text.wording import counted


class BeadColour(NamedTuple):
    """A colour as people call it, and as screens and printers show it: red, green, blue, each 0 to 255.

    >>> BeadColour("sky blue", (100, 190, 240)).hex
    '#64bef0'
    """

    name: str
    rgb: tuple[int, int, int]

    @property
    def hex(self) -> str:
        """The same as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self.rgb)


Scheme: TypeAlias = Literal["menace", "michie"]
SCHEMES: tuple[Scheme, Scheme] = ("menace", "michie")


class Naming(NamedTuple):
    """How the operator of a machine names beads and cells.

    >>> Naming().but(numbering="michie")
    Naming(colours='menace', numbering='michie')
    """

    colours: Scheme = "menace"
    numbering: Scheme = "menace"

    def but(self, colours: Scheme | None = None, numbering: Scheme | None = None) -> Naming:
        """Return it with other colours or another numbering; None keeps them."""
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
    """Return how beads and cells are named in a game by default: by `naming` if that fits.

    Michie's schemes are of nine cells; in other games `menace` takes their place.

    Args:
        title: of the game.
        cells: of its board; None if its moves are not cells.
        naming: what is usual for the machine.

    >>> naming_for("tictactoe 3x3x3", 9, MICHIE) == MICHIE, naming_for("tictactoe 4x4x4", 16, MICHIE) == Naming()
    (True, True)
    """
    try:
        check_naming(title, cells, naming)
    except InvalidSetting:
        return Naming()
    return naming


def check_naming(title: str, cells: int | None, naming: Naming) -> None:
    """Refuse schemes that do not exist or do not fit the game. Arguments as `naming_for`.

    Raises:
        InvalidSetting: if they are not in SCHEMES, or Michie's and the moves of the game are not nine cells.

    >>> check_naming("tictactoe 4x4x4", 16, Naming(numbering="michie"))
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: the numbers 'michie' are for nine cells, this board has 16; take the numbers 'menace'
    """
    for what, scheme in zip(naming._fields, naming, strict=True):
        if scheme not in SCHEMES:
            raise InvalidSetting(f"{what}={scheme!r} is not one of {', '.join(SCHEMES)}")
    if cells is None and naming != Naming():
        raise InvalidSetting(
            f"the schemes 'michie' are for Michie's nine cells, and the moves of {title} are not cells;"
            " take 'menace' for both"
        )
    if cells is not None and naming.colours == "michie":
        bead_colours(cells, naming.colours)
    if cells is not None:
        cell_numbers(cells, naming.numbering)


def bead_colours(cells: int, scheme: Scheme = "menace") -> tuple[BeadColour, ...]:
    """Return the colour of each cell's beads.

    Raises:
        InvalidSetting: if the scheme has too few colours; Michie's has nine.

    >>> [colour.name for colour in bead_colours(9, "michie")]
    ['white', 'lilac', 'silver', 'black', 'gold', 'green', 'amber', 'red', 'pink']
    >>> bead_colours(16, "michie")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: there are 9 colours in 'michie', this board has 16 cells; take the colours 'menace'
    """
    colours = COLOURS[scheme]
    if cells > len(colours) or (scheme == "michie" and cells != len(colours)):
        remedy = "take the colours 'menace'" if scheme == "michie" else "that is too large a board for beads"
        raise InvalidSetting(
            f"there are {len(colours)} colours in {scheme!r}, this board has {counted(cells, 'cell')}; {remedy}"
        )
    return colours[:cells]


def cell_numbers(cells: int, scheme: Scheme = "menace") -> tuple[int, ...]:
    """Return the number that stands for each cell.

    Raises:
        InvalidSetting: if the scheme is Michie's and the board does not have nine cells.

    >>> cell_numbers(9, "menace"), cell_numbers(9, "michie")
    ((0, 1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 8, 0, 4, 7, 6, 5))
    """
    if scheme == "menace":
        return tuple(range(cells))
    if cells != len(MICHIE_NUMBERS):
        raise InvalidSetting(
            f"the numbers 'michie' are for nine cells, this board has {cells}; take the numbers 'menace'"
        )
    return MICHIE_NUMBERS
