"""Write the page of rules for filling the boxes, playing, and rewarding or punishing the machine."""

from __future__ import annotations

from itertools import count
from operator import itemgetter

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from menace.drawing.boards import Mark
from menace.games.base import Board, MoveMark, Side
from menace.labels import pdf
from menace.labels.kit import Kit
from menace.labels.pages import list_colours
from menace.text.wording import TURNS, counted, ordinal

KEY_CELL = 11.0  # side of a cell in the picture of numbers and colours, in mm
TIMES = "\N{MULTIPLICATION SIGN}"
IMAGE_WIDTH = 23.7  # width of a rotated board and its caption, in mm
MAX_EXAMPLES = 3  # number of example moves that explain the label
MAX_IMAGES = 14  # maximum number of images of a board that are shown


def rules_story(kit: Kit, width: float) -> list[Flowable]:
    """Return the rules as numbered paragraphs, `width` mm wide, with pictures of colours and of a board's images."""
    story = [pdf.paragraph(f"The rules of this machine, which plays {kit.plays}", pdf.TITLE), *_colour_key(kit, width)]
    story += [pdf.paragraph(f"The game: {kit.names.rules.title}", pdf.SUBTITLE), pdf.paragraph(game_rules(kit))]
    numbers = count(1)
    for title, texts in (("Fill", fill_rules(kit)), ("Play", play_rules(kit)), ("Teach", teach_rules(kit))):
        story.append(pdf.paragraph(title, pdf.SUBTITLE))
        story += [pdf.paragraph(text, pdf.NUMBERED, f"{next(numbers)}.") for text in texts]
    if kit.most_images > 1:
        story += _board_images(kit, width)
    lacking = "".join(dict.fromkeys(pdf.unsupported_characters(kit.name)))
    if lacking:
        codes = ", ".join(f"[U+{ord(character):04X}]" for character in lacking)
        replaced = "replaces a character" if len(lacking) == 1 else "replace characters"
        text = f"In the name of this machine, {codes} {replaced} that the fonts of this PDF lack."
        story.append(pdf.paragraph(text, pdf.NOTE))
    return story


def game_rules(kit: Kit) -> str:
    """Return the rules of the game. If the labels number cells differently, omit the explanation of the notation.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> print(game_rules(load_kit(store, "menace-x", LabelSheet(numbering="michie"))).split("; ")[-1])
    if the board fills up first, the game is a draw.
    """
    rules = kit.game.rules
    return rules.partition(" Write a move ")[0] if kit.of_cells else rules


def fill_rules(kit: Kit) -> list[str]:
    """Return the rules for labelling the boxes and filling them before the first game.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> print(fill_rules(load_kit(store, "menace-x", LabelSheet()))[0].split(". ")[0])
    Stick a label on each of the 304 boxes, and sort the boxes by number
    """
    texts = [_labelling_rule(kit), f"Put into each box {_first_beads_text(kit)}."]
    if not kit.settings.merged:
        texts[1] += f" If {TIMES}2 (or {TIMES}4, ...) is printed beside a mark, put in twice (four times) as many."
    if any(move.multiplicity > 1 for box in kit.boxes for move in box.moves):
        texts[1] += (
            " Cells that are equivalent under a rotation or reflection share one colour; the label marks one of them."
            if kit.of_cells and kit.turned
            else " Moves that are equivalent under a symmetry share one colour; the label marks one of them."
        )
    return texts


def _labelling_rule(kit: Kit) -> str:
    if len(kit.boxes) == 1:
        return "Stick the label on a box; this machine needs only one box."
    text = f"Stick a label on each of the {counted(len(kit.boxes), 'box')}, and sort the boxes by number."
    if len(kit.stages) == 1:
        return text
    first, last = ordinal(kit.stages[0]), ordinal(kit.stages[-1])
    which = f"from the {first} to the {last}"
    return f"{text} The tint and text of a label show which of the machine's moves the box is for, {which}."


def _first_beads_text(kit: Kit) -> str:
    by_stage = [kit.first_beads(stage) for stage in kit.stages]
    if len(set(by_stage)) == 1:
        return f"{counted(by_stage[0], 'bead')} of each colour on the box's label"
    listed = ", ".join(f"{n} for the {ordinal(stage)}" for stage, n in zip(kit.stages, by_stage, strict=True))
    return f"the following number of beads of each colour on the box's label: {listed} move"


def play_rules(kit: Kit) -> list[str]:
    """Return the rules for playing a game.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> print(play_rules(load_kit(store, "menace-o", LabelSheet()))[0])
    You play X and begin; the machine plays O. Take turns.
    """
    opener = "You play X and begin; the machine plays O."
    if kit.plays is Side.X:
        opener = "The machine plays X and begins."
    find = "On the machine's turn, use the index to find the box whose label shows the board on the table."
    if kit.most_images > 1:
        change = "mirror" if kit.mirrored else "rotate or mirror" if kit.turned else "rearrange"
        find += f" You may have to {change} the board in your mind until it looks like the label."
    return [
        f"{opener} Take turns.",
        find,
        kit.rules.draw.format(made=_label_rule(kit)) + " Leave the box open, with the bead in front of it.",
        _no_box_rule(kit),
        *kit.rules.empty,
    ]


def _move_word(kit: Kit) -> str:
    return "cell" if kit.of_cells else "move"


def _label_rule(kit: Kit) -> str:
    """Explain how labels show the move for each bead. If moves are not cells, add examples from the first box."""
    if kit.of_cells:
        return "The bead's colour shows which cell on the label to play."
    box = kit.boxes[0]
    where = kit.game.where(box.board, box.moves[0].action)
    shown = "The mark of the bead's colour on the label shows the move to play"
    if where.arrow:
        shown = "Move along the arrow of the bead's colour on the label, and capture any piece at the arrow's end"
    elif kit.heaps:
        shown = "The label marks a stone with the bead's colour; take this stone and all stones to its left in the row"
    elif where.places:
        shown = "The label shows a sign above the mark of the bead's colour; place this sign in that cell"
    beads = [f"{bead.colour.name} is {bead.name}" for bead in kit.beads(box).values()]
    return f"{shown}. In box {box.number}, {', '.join(beads[:MAX_EXAMPLES])}."


def _no_box_rule(kit: Kit) -> str:
    settings = kit.settings
    if settings.boxes == "all":
        return "Every board on which the machine moves has a box."
    if settings.boxes == "michie":
        return (
            "If only one cell is left, there is no box; play that cell. There is also no box if O threatens to win in"
            " two cells at the machine's 4th move; the machine has lost, so play any cell."
        )
    return f"If only one {_move_word(kit)} is left, there is no box; play that {_move_word(kit)}."


def teach_rules(kit: Kit) -> list[str]:
    """Return the rules for changing the open boxes after a game.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> for rule in teach_rules(load_kit(store, "menace-x", LabelSheet()))[:3]:
    ...     print(rule)
    The machine has won: in each open box, put the bead back and add 3 beads of its colour.
    A draw: in each open box, put the bead back and add 1 bead of its colour.
    The machine has lost: in each open box, keep the bead out.
    """
    return list(kit.rules.teach)


def _colour_key(kit: Kit, width: float) -> list[Flowable]:
    """Return a list of numbers and colours. If moves are cells, a picture of the cells is beside the list."""
    named = list_colours(kit)
    names = [f"{number}  {colour.name}" for _, colour, number in sorted(named, key=itemgetter(2))]
    lines = -(-len(names) // 3)
    side = min(KEY_CELL, 60 / kit.columns) if kit.of_cells else 0.0
    room = width - side * kit.columns - 8 if kit.of_cells else width
    columns = [names[line::lines] for line in range(lines)]
    words = pdf.table(
        columns, [room / 3] * 3, 1.5 * pdf.TEXT, ("FONT", (0, 0), (-1, -1), pdf.BOLD, 10), spaceAfter=4 * mm
    )
    if not kit.of_cells:
        return [pdf.paragraph("Numbers and colours of the beads:"), words]

    def paint(canvas: Canvas) -> None:
        marks = [Mark(MoveMark((cell,)), amount=str(number), colour=colour.hex) for cell, colour, number in named]
        pdf.draw_board(canvas, [""] * len(named), kit.shape, (0, 0), side, marks)

    board = pdf.PageDrawing(side * kit.columns, side * kit.shape[0], paint)
    texts = [pdf.paragraph("Cell numbers and bead colours:"), words]
    top = ("VALIGN", (0, 0), (-1, -1), "TOP")
    return [pdf.table([[board, texts]], [width - room, room], None, top, spaceAfter=4 * mm)]


def _board_images(kit: Kit, width: float) -> list[Flowable]:
    """Return the images of a box's board, each with the symmetry that maps it to the label."""
    box = max(kit.boxes, key=lambda box: (kit.names.rules.image_count(box.board), -box.position_id))
    images = kit.images(box.board)
    shown = images[:MAX_IMAGES]
    per_row = max(1, int(width // IMAGE_WIDTH))
    title = f"All these boards belong to box {box.number}"
    if len(images) > len(shown):
        title += f", and {len(images) - len(shown):,} more"
    text = "Only the first board is on the label. The other captions say how to transform a board into the first board."
    cells = [_board_image(kit, image, box.board) for image in shown]
    rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
    look = [(part, (0, 0), (-1, -1), value) for part, value in (("LEFTPADDING", 0.6 * mm), ("VALIGN", "TOP"))]
    turns = pdf.table(rows, [IMAGE_WIDTH] * per_row, None, *look, spaceAfter=2 * mm)
    return [pdf.paragraph(title, pdf.SUBTITLE), pdf.paragraph(text, pdf.LEADING_BODY), turns]


def _board_image(kit: Kit, image: Board, board: Board) -> list[Flowable]:
    cell = min((IMAGE_WIDTH - 8) / kit.columns, 18 / kit.shape[0])
    width, height = cell * kit.columns, cell * kit.shape[0]

    def paint(canvas: Canvas) -> None:
        pdf.draw_board(canvas, kit.game.pieces(image), kit.shape, (0, 0), cell)
        if image == board:
            pdf.set_stroke(canvas, pdf.INK, 0.16 * cell)
            canvas.rect(0, 0, width, height, stroke=1, fill=0)

    name = "identity" if image == board else kit.way_back(image, board).name
    return [pdf.PageDrawing(width, height, paint), pdf.paragraph(TURNS[name][0] if name in TURNS else name, pdf.NOTE)]
