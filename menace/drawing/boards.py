"""Draw a board and its moves as shapes or SVG, and name the board's cells. All lengths are in units of one cell."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypedDict

from menace.games.base import DEAD, GAP, STONE, Board, Coordinates, Game, MoveMark, RowRules
from menace.text.narration import told

Point: TypeAlias = tuple[float, float]

# The distances of an arrow's start, tip and bead from the centres of the two cells that the arrow connects. The bead is
# drawn near the tip because arrows do not touch there. If the target cell contains a piece, the bead is drawn near the
# start instead.
TAIL, TIP = 0.3, 0.1
BEAD_MIN, BEAD_SHARE, BEAD_MAX = 0.45, 0.32, 0.5  # BEAD_SHARE is a fraction of the arrow's length
SHAFT, HEAD, HEAD_LENGTH = 0.12, 0.25, 0.22  # width of an arrow's shaft, width of its head, and length of its head
PAIR_END = 0.14  # distance from each end of a bar to the nearer cell's centre, so that consecutive bars do not touch
# The horizontal offset of a move from the centre of its cell, for each piece that the move can place.
OFFSETS = {"": 0.0, "X": -0.25, "O": 0.25}
# upward offset and relative size of the chosen piece, and downward offset of the bead below it
PLACED_UP, PLACED_SIZE, PLACED_DOWN = 0.24, 0.5, 0.14
REACH, STONE_RADIUS = 0.28, 0.37  # half the width of a cross or nought, and radius of a stone
STROKE = 0.13  # line width of crosses and noughts
# The distance from the centre of a cell to the edge of its piece, including the line width. A cross fills the square
# around the ends of its lines, and all other pieces are discs.
SQUARE = {"X"}  # pieces that fill a square instead of a disc
EDGES = {"X": REACH, "O": REACH + STROKE / 2, STONE: STONE_RADIUS + STROKE / 2}
# radius of a bead on an empty cell, and of a bead on a piece, which must stay visible
MARK_RADIUS, SMALL_RADIUS = 0.33, 0.25
# radius of a bead below a placed piece, on an arrow, and on a pair
PLACED_RADIUS, ARROW_BEAD, PAIR_BEAD = 0.21, 0.165, 0.24
INNER = 0.56  # size of the inner part of a hollow mark, relative to its cell
LETTERS, LETTERS_WIDTH = 0.7, 1.2  # maximum font size of a piece's letters, and maximum total width
AMOUNT, AMOUNT_SMALL = 0.27, 0.18  # font size of a move's amount, and of the amount if several moves share a cell


class Piece(NamedTuple):
    """The CSS class for a piece on web pages, and the piece's name for use in sentences."""

    style: str
    word: str


PIECES = {
    "": Piece("", "empty"),
    "X": Piece("x", "X"),
    "O": Piece("o", "O"),
    STONE: Piece("stone", "stone"),
    DEAD: Piece("dead", "dead"),
    GAP: Piece("gap", "no cell"),
}


def piece_word(piece: str) -> str:
    """Return a piece's name for use in a sentence.

    >>> piece_word("X"), piece_word(""), piece_word("12")
    ('X', 'empty', '12')
    """
    return PIECES[piece].word if piece in PIECES else piece


class Mark(NamedTuple):
    """The properties that determine how a move is drawn.

    Attributes:
        where: the move's location on the board.
        name: the move's name.
        verdict: the first letter of the move's verdict under perfect play.
        share: the probability of the move, 0 to 1.
        amount: the machine's number of beads or its value, as a short string.
        colour: the colour of the bead or line as `#rrggbb`, or None for no colour or if the medium sets the colour.
        hollow: whether the mark is hollow to distinguish it from another mark of the same colour.
    """

    where: MoveMark
    name: str = ""
    verdict: str = ""
    share: float = 0.0
    amount: str = ""
    colour: str | None = None
    hollow: bool = False


class Look(NamedTuple):
    """The colours (`#rrggbb` or `none`) and line width (in cells) of shapes with a given role."""

    fill: str = "none"
    line: str = "none"
    width: float = 0.0


def looks(ink: str, rule: str, width: float, **overrides: Look) -> dict[str, Look]:
    """Return the look of every role except `bead`.

    Args:
        ink: the colour of pieces and letters.
        rule: the colour of the grid.
        width: the line width of the grid, in cells.
        overrides: looks that replace the defaults.
    """
    ruled = dict.fromkeys(("grid", "frame", "span", "arrow"), Look(line=rule, width=width))
    drawn = dict.fromkeys(("X", "O", "line"), Look(line=ink, width=STROKE))
    filled = {"ground": Look("white"), "share": Look(), "dead": Look(rule), "stone": Look(rule)}
    return ruled | drawn | filled | dict.fromkeys(("letters", "amount"), Look(ink)) | overrides


class Line(NamedTuple):
    """An open or closed line through points. `scale` is the line's width relative to other lines with the same role."""

    role: str
    points: tuple[Point, ...]
    mark: Mark | None = None
    scale: float = 1.0
    closed: bool = False


class Disc(NamedTuple):
    """A disc around a point, or a ring if the role has no fill colour."""

    role: str
    points: tuple[Point]
    radius: float
    mark: Mark | None = None
    scale: float = 1.0


class Text(NamedTuple):
    """Text that is centred on a point. `size` is the font size."""

    role: str
    points: tuple[Point]
    text: str
    size: float
    mark: Mark | None = None
    scale: float = 1.0


Shape: TypeAlias = Line | Disc | Text


def shapes_of(pieces: Sequence[str], shape: tuple[int, int], marks: Sequence[Mark] = ()) -> list[Shape]:
    """Return the shapes of a board and its marked moves.

    The roles for the board are `ground`, `share` (a marked cell or half of it), `inner` (the inner part of a marked
    cell), `dead` (a cell that can no longer be used), `grid` and `frame`. The roles for pieces are `X`, `O`, `stone`
    and `letters`. The roles for moves are `span` (a line through all cells of a mark), `arrow` (an arrow or the bar
    across a pair), `bead` and `amount`.

    Args:
        pieces: the content of each cell, as returned by `Game.pieces`.
        shape: the number of rows and columns.
        marks: the moves to mark.

    >>> [shape.role for shape in shapes_of(("X", ""), (1, 2), [Mark(MoveMark((1,)))])]
    ['ground', 'share', 'inner', 'grid', 'frame', 'X', 'X', 'bead', 'amount']
    """
    rows, columns = shape
    boards = [(left, 0, right, rows) for left, right in blocks_of(pieces, shape)]
    shapes: list[Shape] = [box("ground", *board) for board in boards]
    shapes += [shape for mark in marks for shape in _shares(mark, pieces, columns)]
    dead = [divmod(cell, columns) for cell, piece in enumerate(pieces) if piece == DEAD]
    shapes += [box("dead", x, y, x + 1, y + 1) for y, x in dead]
    for left, _, right, _ in boards:
        shapes += [Line("grid", ((x, 0), (x, rows))) for x in range(left + 1, right)]
        shapes += [Line("grid", ((left, y), (right, y))) for y in range(1, rows)]
    shapes += [box("frame", *board) for board in boards]
    for cell, piece in enumerate(pieces):
        shapes += shapes_of_piece(piece, cell_centre(cell, columns)) if piece else ()
    for mark in marks:
        if len(mark.where.cells) > 1:
            shapes.append(Line("span", tuple(cell_centre(cell, columns) for cell in mark.where.cells), mark))
    for mark in marks:
        shapes += _shapes_of_mark(mark, pieces, columns)
    return shapes


def shapes_of_piece(piece: str, at: Point, size: float = 1.0, mark: Mark | None = None) -> list[Shape]:
    """Return the shapes of a piece. The result is empty for dead cells and gaps.

    Args:
        piece: the piece.
        at: the centre of the piece.
        size: the size of the piece relative to a piece on a board.
        mark: the mark to which the piece belongs, if any.

    >>> shapes_of_piece("O", (0.5, 0.5))
    [Disc(role='O', points=((0.5, 0.5),), radius=0.28, mark=None, scale=1.0)]
    """
    x, y = at
    reach = REACH * size
    if piece == "X":
        ends = ((x - reach, y - reach), (x + reach, y + reach)), ((x - reach, y + reach), (x + reach, y - reach))
        return [Line("X", points, mark, size) for points in ends]
    if piece == "O":
        return [Disc("O", (at,), reach, mark, size)]
    if piece == STONE:
        return [Disc("stone", (at,), STONE_RADIUS * size, mark, size)]
    if piece in {DEAD, GAP}:
        return []
    return [Text("letters", (at,), piece, min(LETTERS, LETTERS_WIDTH / len(piece)) * size, mark, size)]


def _shares(mark: Mark, pieces: Sequence[str], columns: int) -> list[Shape]:
    if not mark.where.cells:
        return []
    (x, y), half = place_of(mark.where, pieces, columns), 0.25 if mark.where.places else 0.5
    boxes = (("share", half, 0.5), ("inner", INNER * half, INNER * 0.5))
    return [box(role, x - wide, y - high, x + wide, y + high, mark) for role, wide, high in boxes]


def _shapes_of_mark(mark: Mark, pieces: Sequence[str], columns: int) -> list[Shape]:
    shapes: list[Shape] = []
    (x, y), radius, size = place_of(mark.where, pieces, columns), ARROW_BEAD, AMOUNT
    arrow = arrow_of(mark.where, pieces, columns)
    if arrow is not None:
        shapes.append(Line("arrow", outline_of(arrow), mark, closed=True))
        radius = ARROW_BEAD if arrow.has_head else PAIR_BEAD
    else:
        radius = SMALL_RADIUS if pieces[mark.where.cells[0]] else MARK_RADIUS
    if mark.where.places:
        shapes += shapes_of_piece(mark.where.places, (x, y - PLACED_UP), PLACED_SIZE, mark)
        y, radius, size = y + PLACED_DOWN, PLACED_RADIUS, AMOUNT_SMALL
    return [*shapes, Disc("bead", ((x, y),), radius, mark), Text("amount", ((x, y),), mark.amount, size, mark)]


def box(role: str, left: float, top: float, right: float, bottom: float, mark: Mark | None = None) -> Line:
    """Return a rectangle as a closed line."""
    return Line(role, ((left, top), (right, top), (right, bottom), (left, bottom)), mark, closed=True)


class Arrow(NamedTuple):
    """The geometry of an arrow between two cells or of a bar across a pair of cells: both ends and the bead position.

    Bars have no head.

    >>> arrow = arrow_of(MoveMark(arrow=(6, 0)), [""] * 9, 3)  # upwards along the left side of a board
    >>> arrow.start, arrow.tip
    ((0.5, 2.2), (0.5, 0.6))
    """

    start: Point
    tip: Point
    bead: Point
    has_head: bool = True


def cell_centre(cell: int, columns: int) -> Point:
    """Return the centre of a cell.

    >>> cell_centre(5, 3)
    (2.5, 1.5)
    """
    row, column = divmod(cell, columns)
    return column + 0.5, row + 0.5


def arrow_of(where: MoveMark, pieces: Sequence[str], columns: int) -> Arrow | None:
    """Return the arrow or bar for a move, or None if the move marks cells instead.

    For a capture, the arrow ends at the edge of the captured piece.

    >>> arrow_of(MoveMark(arrow=(3, 0)), ["", "", "", "X"], 3)
    Arrow(start=(0.5, 1.2), tip=(0.5, 0.6), bead=(0.5, 0.95), has_head=True)
    >>> arrow_of(MoveMark(arrow=(3, 0)), ["O", "", "", "X"], 3)
    Arrow(start=(0.5, 1.2), tip=(0.5, 0.845), bead=(0.5, 1.23), has_head=True)
    >>> arrow_of(MoveMark(pair=(3, 0)), ["", "", "", ""], 3)
    Arrow(start=(0.5, 1.36), tip=(0.5, 0.64), bead=(0.5, 1.0), has_head=False)
    """
    if where.ends is None:
        return None
    (x, y), (to_x, to_y) = (cell_centre(cell, columns) for cell in where.ends)
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5

    def at(length: float) -> Point:
        return round(x + length / long * (to_x - x), 6), round(y + length / long * (to_y - y), 6)

    if where.pair is not None:
        return Arrow(at(PAIR_END), at(long - PAIR_END), at(long / 2), has_head=False)
    edge = _edge(pieces[where.ends[1]], (to_x - x) / long, (to_y - y) / long)
    tip = long - (edge or TIP)
    bead = min(TAIL + ARROW_BEAD, tip - HEAD_LENGTH - ARROW_BEAD)
    if not edge:
        bead = long - min(max(BEAD_MIN, BEAD_SHARE * long), BEAD_MAX)
    return Arrow(at(TAIL), at(tip), at(bead))


def _edge(piece: str, x: float, y: float) -> float:
    """Return the distance from the centre of a cell to the edge of its piece in the direction of a unit vector."""
    if piece in {"", DEAD, GAP}:
        return 0.0
    edge = EDGES.get(piece, LETTERS / 2)
    return edge / max(abs(x), abs(y)) if piece in SQUARE else edge


def outline_of(arrow: Arrow) -> tuple[Point, ...]:
    """Return the four corners of a bar, or the seven corners of an arrow (the fourth corner is the tip)."""
    (x, y), (tip_x, tip_y) = arrow.start, arrow.tip
    long = ((tip_x - x) ** 2 + (tip_y - y) ** 2) ** 0.5
    along_x, along_y = (tip_x - x) / long, (tip_y - y) / long
    neck_x, neck_y = tip_x - HEAD_LENGTH * along_x, tip_y - HEAD_LENGTH * along_y

    def beside(at_x: float, at_y: float, width: float) -> Point:
        return at_x - along_y * width / 2, at_y + along_x * width / 2

    if not arrow.has_head:
        return (beside(x, y, SHAFT), beside(tip_x, tip_y, SHAFT), beside(tip_x, tip_y, -SHAFT), beside(x, y, -SHAFT))
    half = [beside(x, y, SHAFT), beside(neck_x, neck_y, SHAFT), beside(neck_x, neck_y, HEAD)]
    opposite = [beside(neck_x, neck_y, -HEAD), beside(neck_x, neck_y, -SHAFT), beside(x, y, -SHAFT)]
    return (*half, (tip_x, tip_y), *opposite)


def place_of(where: MoveMark, pieces: Sequence[str], columns: int) -> Point:
    """Return the point at which to draw a move's bead, number or share.

    >>> place_of(MoveMark(cells=(4,)), [""] * 9, 3), place_of(MoveMark(arrow=(3, 0)), [""] * 9, 3)
    ((1.5, 1.5), (0.5, 0.95))
    """
    arrow = arrow_of(where, pieces, columns)
    if arrow is not None:
        return arrow.bead
    x, y = cell_centre(where.cells[0], columns)
    return x + offset(where), y


def offset(where: MoveMark) -> float:
    """Return a move's horizontal offset from the centre of its cell, negative for X and positive for other pieces.

    >>> offset(MoveMark((4,))), offset(MoveMark((4,), places="X")), offset(MoveMark((4,), places="O"))
    (0.0, -0.25, 0.25)
    """
    return OFFSETS.get(where.places, OFFSETS["O"])


def blocks_of(pieces: Sequence[str], shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the left and right edges of each board in a drawing, from left to right.

    Most drawings show only one board.

    >>> blocks_of(("", "X", "|", "", "", "|"), (1, 6))
    [(0, 2), (3, 5)]
    """
    columns = shape[1]
    here = {cell % columns for cell, piece in enumerate(pieces) if piece != GAP}
    lefts = [column for column in sorted(here) if column - 1 not in here]
    return list(zip(lefts, [column + 1 for column in sorted(here) if column + 1 not in here], strict=True))


MAX_NAME_LENGTH = 3  # maximum length of a cell name that is drawn in the cell's corner
NINE = (3, 3)  # the only board size whose cells have names such as "top left corner"
BEYOND = 0.3  # length by which a stroke extends beyond the centres of its end cells


class CellNames(TypedDict):
    """The names of the cells on a game's board.

    Attributes:
        names: the name of each cell if moves are cells, otherwise "" for each cell.
        places: the name and a description of the position of each cell.
        coordinates: the names of the rows, from the top, and the names of the columns.
        lines: the lines of cells that win or lose the game.
    """

    names: tuple[str, ...]
    places: tuple[str, ...]
    coordinates: tuple[tuple[str, ...], tuple[str, ...]]
    lines: tuple[tuple[int, ...], ...]


def cell_names(game: Game, told: Callable[..., str] = told) -> CellNames:
    """Return the names of the cells on a game's board.

    Args:
        game: the game.
        told: a function that returns a clause, in English or in another language, with its placeholders replaced.

    >>> from menace.games import get_game
    >>> cell_names(get_game())["places"][:2], cell_names(get_game("hexapawn", "3x3"))["places"][0]
    (('0, top left corner', '1, top edge'), 'a3')
    """
    pieces = game.pieces(game.initial)
    names = ("",) * len(pieces) if isinstance(game, Coordinates) else _names(game, pieces)
    rows, columns = game.coordinates if isinstance(game, Coordinates) else ((), ())
    squares = [column + row for row in rows for column in columns]
    places = squares or [
        f"{name}, {_cell_text(game, pieces, cell, told)}".lstrip(", ") for cell, name in enumerate(names)
    ]
    return {
        "names": names,
        "places": tuple(places),
        "coordinates": (rows, columns),
        "lines": game.lines if isinstance(game, RowRules) else (),
    }


def _names(game: Game, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the short names of the cells.

    The short name of a cell is the name of the move on the initial board that marks only this cell.
    """
    names = [""] * len(pieces)
    for action in game.actions(game.initial):
        where = game.where(game.initial, action)
        name = game.name_of(game.initial, action).removeprefix(where.places)
        if len(where.cells) == 1 and len(name) <= MAX_NAME_LENGTH:
            names[where.cells[0]] = name
    return tuple(names)


def _cell_text(game: Game, pieces: Sequence[str], cell: int, told: Callable[..., str]) -> str:
    """Return a description of a cell's position, such as "top left corner" on a 3 x 3 board, or its row and column."""
    rows, columns = game.shape
    row, column = divmod(cell, columns)
    width = pieces.index(GAP) if GAP in pieces else columns
    if (rows, width) != NINE:
        return told("row_and_column", row=row + 1, column=column + 1)
    return (*told("nine_cells").split(", "), "")[9 if pieces[cell] == GAP else width * row + column % (width + 1)]


def strokes(game: Game, board: Board) -> list[str]:
    """Return the `d` attributes of SVG paths that draw strokes through completed lines, in units of cells.

    >>> from menace.games import get_game
    >>> strokes(get_game(), "XXXOO...."), strokes(get_game(), "XX.OO....")
    (['M0.2 0.5L2.8 0.5'], [])
    """
    pieces, columns = game.pieces(board), game.shape[1]
    lines = game.lines if isinstance(game, RowRules) else ()
    made = [line for line in lines if pieces[line[0]] and {pieces[cell] for cell in line} == {pieces[line[0]]}]
    return [_stroke(line, columns) for line in made]


def _stroke(line: Sequence[int], columns: int) -> str:
    (x, y), (to_x, to_y) = cell_centre(line[0], columns), cell_centre(line[-1], columns)
    right, down = (BEYOND * ((end > start) - (end < start)) for start, end in ((x, to_x), (y, to_y)))
    return f"M{x - right:g} {y - down:g}L{to_x + right:g} {to_y + down:g}"


CELL = 44  # size of a cell in pixels
INK, LINE = "#222", "#888"
SHADE, DARKEST = (31, 119, 180), 0.6  # the colour for shares, and its opacity for a share of 1
LOOKS = looks(INK, LINE, 1 / CELL)
# The explorer's pages set these CSS variables for light mode and for dark mode.
PAGE_LOOKS = LOOKS | {role: LOOKS[role]._replace(line=f"var(--ink, {INK})") for role in "XO"}
FONT = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'


def board_svg(
    game: Game,
    board: Board,
    texts: Mapping[int, str],
    shares: Mapping[int, float] | None = None,
    scale: float = 1.0,
    looks: Mapping[str, Look] = LOOKS,
) -> str:
    """Draw a board as SVG.

    Args:
        game: the rules.
        board: the board.
        texts: the text to show for each action.
        shares: the probability of each action, 0 to 1. Higher probabilities get a darker background.
        scale: a factor for the size, greater than 0.
        looks: the look of each role that is drawn.

    >>> from menace.games import get_game
    >>> board_svg(get_game(), "X...O....", {1: "0.5"}).count("<text")
    1
    """
    rows, columns = game.shape
    shares = {action: share for action, share in (shares or {}).items() if share > 0}
    marks = [
        Mark(game.where(board, action), share=shares.get(action, 0.0), amount=texts.get(action, ""))
        for action in {**shares, **texts}
    ]
    size = f'width="{columns * CELL * scale:.0f}" height="{rows * CELL * scale:.0f}" viewBox="0 0 {columns} {rows}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{html.escape(board)}">'
        f"{shapes_svg(shapes_of(game.pieces(board), game.shape, marks), looks)}</svg>"
    )


def shapes_svg(shapes: Iterable[Shape], looks: Mapping[str, Look] = LOOKS) -> str:
    """Return shapes as SVG elements in units of cells. Shapes whose role has no look are omitted."""
    return "".join(_element(shape, looks[shape.role]) for shape in shapes if shape.role in looks)


def _element(shape: Shape, look: Look) -> str:
    if isinstance(shape, Text):
        ((x, y),) = shape.points
        at = f'x="{x:g}" y="{y:g}" font-size="{shape.size:.3g}" fill="{look.fill}" {FONT}'
        return f"<text {at}>{html.escape(shape.text)}</text>" if shape.text else ""
    share = shape.mark.share if shape.mark is not None else 0.0
    if shape.role == "share" and not share:
        return ""
    fill = shade(share) if shape.role in {"share", "arrow"} else look.fill
    line = "" if look.line == "none" else f' stroke="{look.line}" stroke-width="{look.width * shape.scale:.3g}"'
    style = f'fill="{fill}"{line}'
    if isinstance(shape, Disc):
        ((x, y),) = shape.points
        return f'<circle cx="{x:g}" cy="{y:g}" r="{shape.radius:g}" {style}/>'
    if shape.role in {"ground", "share", "dead"}:
        (left, top), _, (right, bottom), _ = shape.points
        return f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" {style}/>'
    return f'<path d="{path_of(shape)}" {style}/>'


def shade(share: float) -> str:
    """Return the colour for a share from 0 to 1. The greater the share, the darker the colour.

    >>> shade(0), shade(1)
    ('#ffffff', '#79add2')
    """
    return "#" + "".join(f"{round(255 - DARKEST * share * (255 - part)):02x}" for part in SHADE)


def path_of(shape: Line | Disc) -> str:
    """Return the `d` attribute of an SVG path for a shape.

    >>> path_of(Line("grid", ((1, 0), (1, 3)))), path_of(Disc("O", ((0.5, 0.5),), 0.28))
    ('M1 0L1 3', 'M0.22 0.5a0.28 0.28 0 1 0 0.56 0a0.28 0.28 0 1 0 -0.56 0')
    """
    if isinstance(shape, Disc):
        ((x, y),), radius = shape.points, shape.radius
        arc = f"a{radius:g} {radius:g} 0 1 0 "
        return f"M{x - radius:g} {y:g}{arc}{2 * radius:g} 0{arc}{-2 * radius:g} 0"
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in shape.points) + ("Z" if shape.closed else "")
