"""The page of rules: how to fill the boxes, play, and reward or punish, in plain words, from the learner's settings."""

from __future__ import annotations

from itertools import count
from operator import itemgetter

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from menace.drawing.boards import Mark
from menace.games.base import Board, MoveMark, Side
from menace.labels.canvas import (
    BOLD,
    INK,
    LEADING_BODY,
    NOTE,
    NUMBERED,
    SUBTITLE,
    TEXT,
    TITLE,
    PageDrawing,
    draw_board,
    paragraph,
    stroke,
    table,
    unwritten,
)
from menace.labels.kit import Kit
from menace.labels.pages import colours_of
from menace.text.wording import TURNS, counted, ordinal

KEY_CELL = 11.0  # mm, in the picture of numbers and colours
TIMES = "\N{MULTIPLICATION SIGN}"
FIELD = 23.7  # mm, for a turned board and its caption
EXAMPLES = 3  # moves that say how the label shows one
TURNS_MOST = 14  # images of a box's board that are shown


def rules_story(kit: Kit, width: float) -> list[Flowable]:
    """Return the rules, `width` mm wide, as numbered paragraphs, with pictures of the colours and a board's turns."""
    story = [paragraph(f"The rules of this machine, which plays {kit.plays}", TITLE), *_key(kit, width)]
    story += [paragraph(f"The game: {kit.names.rules.title}", SUBTITLE), paragraph(game_rules(kit))]
    numbers = count(1)
    for title, texts in (("Fill", fill_rules(kit)), ("Play", play_rules(kit)), ("Teach", teach_rules(kit))):
        story.append(paragraph(title, SUBTITLE))
        story += [paragraph(text, NUMBERED, f"{next(numbers)}.") for text in texts]
    if kit.most_images > 1:
        story += _turns(kit, width)
    lacking = "".join(dict.fromkeys(unwritten(kit.name)))
    if lacking:
        codes = ", ".join(f"[U+{ord(character):04X}]" for character in lacking)
        text = f"In the name of this machine, {codes} stands for a character that the fonts here cannot write."
        story.append(paragraph(text, NOTE))
    return story


def game_rules(kit: Kit) -> str:
    """Return the rules of the game; how the database writes a move is left out where the labels have their own numbers.

    >>> from menace.labels.kit import kit_of
    >>> from menace.labels.sheet import LabelSheet
    >>> print(game_rules(kit_of(store, "menace-x", LabelSheet(numbering="michie"))).split("; ")[-1].split(".")[0])
    if the board fills up first, the game is a draw
    """
    rules = kit.game.rules
    return rules.partition(" Write a move ")[0] if kit.of_cells else rules


def fill_rules(kit: Kit) -> list[str]:
    """Return the rules for labelling the boxes and filling them before the first game.

    >>> from menace.labels.kit import kit_of
    >>> from menace.labels.sheet import LabelSheet
    >>> print(fill_rules(kit_of(store, "menace-x", LabelSheet()))[0].split(". ")[0])
    Stick a label on each of the 304 boxes, and sort them by number
    """
    texts = [_sticking(kit), f"Put into each box {_first_beads(kit)}."]
    if not kit.settings.merged:
        texts[1] += f" Where {TIMES}2 (or {TIMES}4, ...) stands by a mark, put in twice (four times) as many."
    if any(move.multiplicity > 1 for box in kit.boxes for move in box.moves):
        texts[1] += (
            " Cells that are alike by a turn or a mirror share one colour; the label marks one of them."
            if kit.of_cells and kit.turned
            else " Moves that are alike by a symmetry share one colour; the label marks one of them."
        )
    return texts


def _sticking(kit: Kit) -> str:
    if len(kit.boxes) == 1:
        return "Stick the label on a box; this machine needs only one."
    text = f"Stick a label on each of the {counted(len(kit.boxes), 'box')}, and sort them by number."
    if len(kit.stages) == 1:
        return text
    first, last = ordinal(kit.stages[0]), ordinal(kit.stages[-1])
    return f"{text} Tint and words say for which of the machine's moves a box is, from its {first} to its {last}."


def _first_beads(kit: Kit) -> str:
    by_stage = [kit.first_beads(stage) for stage in kit.stages]
    if len(set(by_stage)) == 1:
        return f"{counted(by_stage[0], 'bead')} of every colour that its label shows"
    listed = ", ".join(f"{n} for the {ordinal(stage)}" for stage, n in zip(kit.stages, by_stage, strict=True))
    return f"as many beads of every colour that its label shows: {listed} move"


def play_rules(kit: Kit) -> list[str]:
    """Return the rules for playing a game.

    >>> from menace.labels.kit import kit_of
    >>> from menace.labels.sheet import LabelSheet
    >>> print(play_rules(kit_of(store, "menace-o", LabelSheet()))[0])
    You play X, and begin; the machine plays O. Take turns.
    """
    opener = "You play X, and begin; the machine plays O."
    if kit.plays is Side.X:
        opener = "The machine plays X, and begins."
    find = "The machine's move: find the box whose label shows the board on the table (the index helps)."
    if kit.most_images > 1:
        change = "mirror" if kit.mirrored else "turn or mirror" if kit.turned else "rearrange"
        find += f" You may have to {change} the board in your mind until it looks like the label."
    return [
        f"{opener} Take turns.",
        find,
        kit.rules.draw.format(made=_move_made(kit)) + " Leave the box open, with a bead of that colour before it.",
        _without_box(kit),
        *kit.rules.empty,
    ]


def _move_word(kit: Kit) -> str:
    return "cell" if kit.of_cells else "move"


def _move_made(kit: Kit) -> str:
    """Return how the label shows the move of a bead; where it is no cell, with moves of the first box."""
    if kit.of_cells:
        return "Its colour says which cell of the label to play."
    box = kit.boxes[0]
    where = kit.game.where(box.board, box.moves[0].action)
    shown = "The mark of its colour on the label is the move to play"
    if where.arrow:
        shown = "Follow the arrow of its colour on the label; what stands where it ends is taken"
    elif kit.heaps:
        shown = "On the label its colour is on a stone: take that one, and those to its left in that row"
    elif where.places:
        shown = "The mark of its colour on the label is below a sign: put that sign there"
    beads = [f"{bead.colour.name} is {bead.name}" for bead in kit.beads(box).values()]
    return f"{shown}. In box {box.number}, {', '.join(beads[:EXAMPLES])}."


def _without_box(kit: Kit) -> str:
    settings = kit.settings
    if settings.boxes == "all":
        return "Every board on which the machine moves has a box."
    if settings.boxes == "michie":
        return (
            "There is no box where one cell is left: play it. Nor is there one where the machine has lost by its 4th"
            " move, O having two cells to win on: play any cell."
        )
    return f"There is no box where only one {_move_word(kit)} is left: play it."


def teach_rules(kit: Kit) -> list[str]:
    """Return the rules for the open boxes after a game.

    >>> from menace.labels.kit import kit_of
    >>> from menace.labels.sheet import LabelSheet
    >>> for rule in teach_rules(kit_of(store, "menace-x", LabelSheet()))[:3]:
    ...     print(rule)
    The machine has won: in each open box, put the bead back and add 3 beads of its colour.
    A draw: in each open box, put the bead back and add 1 bead of its colour.
    The machine has lost: in each open box, keep the bead out.
    """
    return list(kit.rules.teach)


def _key(kit: Kit, width: float) -> list[Flowable]:
    """Return the numbers and colours with their names; where moves are cells, beside a picture of the cells."""
    named = colours_of(kit)
    names = [f"{number}  {colour.name}" for _, colour, number in sorted(named, key=itemgetter(2))]
    lines = -(-len(names) // 3)
    side = min(KEY_CELL, 60 / kit.columns) if kit.of_cells else 0.0
    room = width - side * kit.columns - 8 if kit.of_cells else width
    columns = [names[line::lines] for line in range(lines)]
    words = table(columns, [room / 3] * 3, 1.5 * TEXT, ("FONT", (0, 0), (-1, -1), BOLD, 10), spaceAfter=4 * mm)
    if not kit.of_cells:
        return [paragraph("Numbers and colours of the beads:"), words]

    def paint(canvas: Canvas) -> None:
        marks = [Mark(MoveMark((cell,)), amount=str(number), colour=colour.hex) for cell, colour, number in named]
        draw_board(canvas, [""] * len(named), kit.shape, (0, 0), side, marks)

    board = PageDrawing(side * kit.columns, side * kit.shape[0], paint)
    texts = [paragraph("Numbers of the cells, and colours of the beads:"), words]
    top = ("VALIGN", (0, 0), (-1, -1), "TOP")
    return [table([[board, texts]], [width - room, room], None, top, spaceAfter=4 * mm)]


def _turns(kit: Kit, width: float) -> list[Flowable]:
    """Return the images of a box's board, and how to turn each to the label."""
    box = max(kit.boxes, key=lambda box: (kit.names.rules.image_count(box.board), -box.position_id))
    images = kit.images(box.board)
    shown = images[:TURNS_MOST]
    per_row = max(1, int(width // FIELD))
    title = f"All these boards belong to box {box.number}"
    if len(images) > len(shown):
        title += f", and {len(images) - len(shown):,} more"
    text = "Only the first is on its label. Below each of the others stands what turns it into that one."
    cells = [_turn(kit, image, box.board) for image in shown]
    rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
    look = [(part, (0, 0), (-1, -1), value) for part, value in (("LEFTPADDING", 0.6 * mm), ("VALIGN", "TOP"))]
    turns = table(rows, [FIELD] * per_row, None, *look, spaceAfter=2 * mm)
    return [paragraph(title, SUBTITLE), paragraph(text, LEADING_BODY), turns]


def _turn(kit: Kit, image: Board, board: Board) -> list[Flowable]:
    cell = min((FIELD - 8) / kit.columns, 18 / kit.shape[0])
    width, height = cell * kit.columns, cell * kit.shape[0]

    def paint(canvas: Canvas) -> None:
        draw_board(canvas, kit.game.pieces(image), kit.shape, (0, 0), cell)
        if image == board:
            stroke(canvas, INK, 0.16 * cell)
            canvas.rect(0, 0, width, height, stroke=1, fill=0)

    name = "identity" if image == board else kit.way_back(image, board).name
    return [PageDrawing(width, height, paint), paragraph(TURNS[name][0] if name in TURNS else name, NOTE)]
