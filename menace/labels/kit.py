"""Collect the boxes, rules and colours for building a machine, and define the paper and the grid of the labels.

Lengths are in millimetres. The gaps between labels ensure that an inexact cut does not include the colour of a
neighbouring label. Crop marks between and around the labels are aligned with the edges of the labels, but never touch a
label.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from menace.analysis.bead_names import Bead, BeadNames
from menace.arena.bead_distributions import sampled_distributions
from menace.drawing.boards import Mark
from menace.errors import InvalidPlayer, InvalidSetting
from menace.games.base import DEAD, GAP, STONE, X_WINS, Board, Game, Side, Symmetry, rows_text, suffix_after_cells
from menace.games.positions import Positions
from menace.learners.algorithm import Algorithm, KitRules
from menace.learners.algorithms.beads import BoxSettings
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.ledger.learners import fresh_machine, load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.bead_colours import SCHEMES, Scheme
from menace.text.wording import OPPONENTS, TURNS

# There are enough spare beads of each colour for the share SPARE_SHARE of the copies. SPARE_COPIES copies play
# SPARE_GAMES games each.
SPARE_GAMES, SPARE_COPIES, SPARE_SHARE = 60, 100, 0.9


@dataclass(frozen=True)
class Kit:
    """The data for building a machine from matchboxes.

    Attributes:
        name: the name of the learner.
        plays: the learner's side, `X` or `O`.
        games: the number of games from which the learner has learned.
        algorithm: the learner's algorithm, which provides the printed rules.
        settings: the settings of the algorithm.
        boxes: the learner's boxes with their current beads.
        fresh: the same boxes before the first game.
        names: the names of the learner's beads and moves, with the game.
        longest: the maximum number of moves in a game.
        winning_lengths: a triple (moves, x, o) for each number of moves after which a game can be won; x and o are
            True if X or O can win then.
        has_draws: whether a game can end in a draw.
        pieces: the kinds of pieces, with the maximum number of each kind on the board at once.
        spare: the number of spare beads for each colour, by the colour's index in its scheme.

    >>> kit = load_kit(store, "menace-x", LabelSheet())
    >>> kit.stages, [kit.first_beads(stage) for stage in kit.stages], kit.most_images
    ((1, 2, 3, 4), [4, 3, 2, 1], 8)
    """

    name: str
    plays: Side
    games: int
    algorithm: Algorithm
    settings: BoxSettings
    boxes: tuple[Box, ...]
    fresh: tuple[Box, ...]
    names: BeadNames
    longest: int
    winning_lengths: tuple[tuple[int, bool, bool], ...]
    has_draws: bool = True
    pieces: tuple[tuple[str, int], ...] = ()
    spare: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def rules(self) -> KitRules:
        """The printed rules for playing and teaching the machine.

        Raises:
            InvalidPlayer: if its algorithm has no printed rules.
        """
        if self.algorithm.kit_rules is None:
            raise InvalidPlayer(
                f"machine {self.name} cannot be built, because there are no printed rules for {self.algorithm.name}"
            )
        return self.algorithm.kit_rules(self.settings, self)

    @property
    def game(self) -> Game:
        """The game that the machine plays."""
        return self.names.game

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns of the board."""
        return self.game.shape

    @property
    def columns(self) -> int:
        """The number of columns of the board."""
        return self.shape[1]

    @property
    def side(self) -> int:
        """The machine's side as a number: 0 for X, 1 for O."""
        return self.plays.number

    @property
    def heaps(self) -> tuple[int, ...]:
        """The initial number of stones in each heap, or () if the game has no heaps."""
        return tuple(getattr(self.game, "heaps", ()))

    @cached_property
    def of_cells(self) -> bool:
        """Whether every move of every box is a cell."""
        return all(self.names.marks_cells(box.board, [move.action for move in box.moves]) for box in self.boxes)

    @cached_property
    def by_rows(self) -> bool:
        """Whether boards are written row by row with crosses, noughts and dots."""
        texts = ((suffix_after_cells(self.game, box.board), self.game.pieces(box.board)) for box in self.boxes)
        return all(ending is not None and set(pieces) <= {"X", "O", ""} for ending, pieces in texts)

    @cached_property
    def turned(self) -> bool:
        """Whether the boards that share a box are always rotations and mirror images of each other."""
        return all(symmetry.name in TURNS for symmetry in self.names.rules.symmetries)

    @cached_property
    def mirrored(self) -> bool:
        """Whether the boards that share a box are always mirror images of each other, never rotations."""
        return self.turned and all("mirror" in symmetry.name for symmetry in self.names.rules.symmetries[1:])

    @cached_property
    def stages(self) -> tuple[int, ...]:
        """The stages for which the machine has boxes; stage n is the machine's nth move in a game."""
        return tuple(sorted({box.stage for box in self.boxes}))

    @cached_property
    def most_images(self) -> int:
        """The maximum number of boards that share a box."""
        return max(self.names.rules.image_count(box.board) for box in self.boxes)

    def first_beads(self, stage: int) -> int:
        """Return the number of beads of each colour in a new box of a stage.

        If equivalent moves are not merged, the number applies to each cell that the colour represents.
        """
        beads = self.settings.beads
        return beads[min(stage, len(beads)) - 1]

    def beads(self, box: Box) -> dict[int, Bead]:
        """Return the bead for each action in a box. Raises InvalidSetting if there are too few colours."""
        return self.names.beads(box.board, [move.action for move in box.moves])

    def move_marks(self, box: Box) -> list[Mark]:
        """Return the marks for the moves of a box, as drawn on its board."""
        return [
            Mark(self.game.where(box.board, action), amount=str(bead.number), colour=bead.colour.hex)
            for action, bead in self.beads(box).items()
        ]

    def board_text(self, board: Board) -> str:
        """Return a board in a form that `menace show` accepts, with / between rows if boards are written row by row."""
        if suffix_after_cells(self.game, board) == "":
            return "/".join(rows_text(self.game.pieces(board), self.shape))
        return board

    def images(self, board: Board) -> list[Board]:
        """Return the distinct images of a board under the game's symmetries, starting with the board itself."""
        return list(dict.fromkeys(symmetry.board(board) for symmetry in self.names.rules.symmetries))

    def way_back(self, image: Board, board: Board) -> Symmetry:
        """Return the symmetry that maps an image to a board."""
        return next(symmetry for symmetry in self.names.rules.symmetries if symmetry.board(image) == board)


def load_kit(store: Store, name: str, sheet: LabelSheet) -> Kit:
    """Load the kit for a learner from the database.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if the learner has no boxes, or its algorithm has no printed rules.
        InvalidSetting: if a box has more moves than there are colours, or Michie's scheme is selected for a different
            game.

    >>> kit = load_kit(store, "menace-x", LabelSheet(colours="michie"))
    >>> kit.board_text(kit.boxes[1].board), [bead.colour.name for bead in kit.beads(kit.boxes[1]).values()][:3]
    ('XO./.../...', ['silver', 'black', 'gold'])
    """
    with store.snapshot():
        row, positions = store.learner(name), positions_of(store)
        machine, fresh = load_machine(store, positions, row), fresh_machine(positions, row)
    boxes = machine.matchboxes
    if not boxes:
        raise InvalidPlayer(
            f"machine {name} has no box to label, because it never has a choice; choose a machine with boxes=all"
        )
    kit = Kit(
        name=name,
        plays=row.plays,
        games=row.games,
        algorithm=machine.algorithm,
        settings=machine.settings,
        boxes=boxes,
        fresh=fresh.matchboxes,
        names=BeadNames(positions, row.naming.with_schemes(sheet.colours, sheet.numbering)),
        longest=positions.longest,
        winning_lengths=winning_lengths(positions),
        has_draws=positions.has_draws,
        pieces=count_pieces(positions),
    )
    _ = kit.rules  # raises an error if the algorithm has no printed rules
    return replace(kit, spare=count_spare(fresh, kit.names))


def count_spare(machine: Machine, names: BeadNames) -> dict[int, int]:
    """Return the number of spare beads of each colour for a new machine, by the colour's index in the scheme.

    SPARE_COPIES copies of the machine play SPARE_GAMES games each against optimal play, and as many copies play against
    random play. For each colour, the spare beads are enough for SPARE_SHARE of the copies in both groups.

    Raises:
        InvalidSetting: if a box has more moves than there are colours.
    """
    positions, places = machine.positions, np.full(machine.positions.move_count, -1)
    for box in machine.matchboxes:
        moves = positions.moves_of(box.position_id)
        actions = positions.action[moves.start : moves.stop].tolist()
        beads = names.beads(box.board, actions)
        places[moves.start : moves.stop] = [beads[action].place for action in actions]
    spare = dict.fromkeys(sorted({*places.tolist()} - {-1}), 0)
    for opponent in OPPONENTS.keys() - {"best_response"}:
        (law,) = sampled_distributions(machine, opponent, [SPARE_GAMES], SPARE_COPIES)
        for place, least in spare.items():
            added = (law.piles - machine.learned.amount)[:, places == place].sum(axis=1)
            spare[place] = max(least, math.ceil(np.quantile(added, SPARE_SHARE)))
    return spare


def winning_lengths(positions: Positions) -> tuple[tuple[int, bool, bool], ...]:
    """Return the possible lengths of games that each side wins, in the form of `Kit.winning_lengths`.

    >>> from menace.games.enumeration import tictactoe
    >>> winning_lengths(tictactoe())
    ((5, True, False), (6, False, True), (7, True, False), (8, False, True), (9, True, False))
    """
    ways = [1] + [0] * (len(positions) - 1)  # for each position, bit n is set if it can be reached in n moves
    for start, end in zip(positions.position_of_move.tolist(), positions.next_position.tolist(), strict=True):
        ways[end] |= ways[start] << 1
    won = {True: 0, False: 0}  # bit n is set if a game can be won after n moves; the key is True if X wins
    for position, outcome in enumerate(positions.outcome.tolist()):
        if abs(outcome) == X_WINS:
            won[outcome == X_WINS] |= ways[position]
    lengths = (
        (moves, bool(won[True] >> moves & 1), bool(won[False] >> moves & 1)) for moves in range(positions.longest + 1)
    )
    return tuple(length for length in lengths if any(length[1:]))


def count_pieces(positions: Positions) -> tuple[tuple[str, int], ...]:
    """Return the kinds of pieces in a game, with the maximum number of each kind on the board at once.

    >>> from menace.games.enumeration import tictactoe
    >>> count_pieces(tictactoe())
    (('X', 5), ('O', 4))
    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> count_pieces(enumerate_positions(get_game("tictactoe", "3x3x3-wild")))
    (('X', 7), ('O', 7))
    """
    game = positions.game
    if heaps := getattr(game, "heaps", ()):
        return ((STONE, sum(heaps)),)
    most: Counter[str] = Counter()
    for board in positions.boards:
        most |= Counter(game.pieces(board))
    if any(game.where(game.initial, action).places for action in game.actions(game.initial)):
        # In this game, either player may place either mark, and boards with exchanged marks share a box.
        most["X"] = most["O"] = max(most["X"], most["O"])
    if most[DEAD] and most["X"]:
        most["X"] = positions.longest  # a dead board does not show its crosses, so the maximum number of moves is used
    return tuple(
        (piece, number) for piece, number in sorted(most.items(), reverse=True) if piece not in {"", DEAD, GAP}
    )


Paper: TypeAlias = Literal["a4", "letter"]
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # width, height

MARGIN = 10.0  # home printers leave 3 to 6 mm blank at the sides, and some leave 10 mm or more at the bottom
HEADER = 9.0  # height of the line with the learner's name
FOOTER = 12.0  # height of the ruler
LABEL_GAP = 3.0  # gap between labels, for crop marks and scissors
CROP_LENGTH = 2.5  # length of a crop mark at the grid's edge
CROP_DISTANCE = 0.5  # distance from a label to the nearest crop mark
# Minimum size of a label. On smaller labels, the numbers on the beads of a 3 x 3 board would be below 4 points.
MIN_WIDTH, MIN_HEIGHT = 20.0, 15.0


class CutLine(NamedTuple):
    """A straight line from (x0, y0) to (x1, y1); coordinates are measured from the lower left corner of the paper.

    >>> LabelSheet().crop_marks()[0]
    CutLine(x0=24.0, y0=241.5, x1=26.5, y1=241.5)
    """

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class LabelSheet:
    """The settings of printed labels.

    The top of a standard matchbox is about 53 x 36 mm, and the box is 15 mm high. A label of 50 x 33 mm therefore
    leaves a margin of 1.5 mm on every side, and also fits on a slightly smaller box. A label of 35 x 15 mm fits on the
    front of the drawer.

    Attributes:
        width: the width of a label in mm, from 20 to the width of the paper.
        height: the height of a label in mm, from 15 to the height of the paper; a height of 15 mm requires a width of
            about 30 mm.
        paper: `a4` or `letter`, upright.
        colours: the scheme of bead colours from menace/text/bead_colours.py; None selects the learner's own scheme.
        numbering: the numbering scheme of cells; None selects the learner's own scheme.
        worksheets: whether to add worksheets for a lesson.

    >>> LabelSheet().columns, LabelSheet().rows, LabelSheet(paper="letter").rows
    (3, 7, 6)
    """

    width: float = 50.0
    height: float = 33.0
    paper: Paper = "a4"
    colours: Scheme | None = None
    numbering: Scheme | None = None
    worksheets: bool = False

    def __post_init__(self) -> None:
        _check_one_of("paper", self.paper, get_args(Paper))
        _check_one_of("colours", self.colours or SCHEMES[0], SCHEMES)
        _check_one_of("numbering", self.numbering or SCHEMES[0], SCHEMES)
        sides = (
            ("width", self.width, MIN_WIDTH, self.max_width),
            ("height", self.height, MIN_HEIGHT, self.max_height),
        )
        for name, value, least, most in sides:
            if not least <= value <= most:  # also rejects NaN
                fault = f"does not fit on {self.paper}" if value > most else "is too small to read"
                fault = "is not a number" if math.isnan(value) else fault
                raise InvalidSetting(f"a label's {name} of {value:g} mm {fault}; give {least:g} to {most:g} mm")

    @property
    def paper_size(self) -> tuple[float, float]:
        """The width and height of the paper."""
        return PAPERS[self.paper]

    @property
    def room(self) -> tuple[float, float]:
        """The width between the margins, and the height between header and footer."""
        width, height = self.paper_size
        return width - 2 * MARGIN, height - 2 * MARGIN - HEADER - FOOTER

    @property
    def max_width(self) -> float:
        """The maximum width of a label, which leaves space for crop marks on both sides."""
        return round(self.room[0] - 2 * (CROP_DISTANCE + CROP_LENGTH), 3)

    @property
    def max_height(self) -> float:
        """The maximum height of a label, which leaves space for crop marks above and below."""
        return round(self.room[1] - 2 * (CROP_DISTANCE + CROP_LENGTH), 3)

    @property
    def columns(self) -> int:
        """The number of labels in a row."""
        return _count_labels(self.width, self.max_width)

    @property
    def rows(self) -> int:
        """The number of rows of labels."""
        return _count_labels(self.height, self.max_height)

    @property
    def labels(self) -> int:
        """The number of labels on a full page."""
        return self.columns * self.rows

    def corner_of_label(self, index: int) -> tuple[float, float]:
        """Return the lower left corner of a label on a page.

        Labels are numbered from 0, row by row from the top. The grid is centred and is the same on every page, so a
        pile of sheets can be cut together.
        """
        row, column = divmod(index, self.columns)
        return self._lefts()[column], self._bottoms()[row]

    def crop_marks(self) -> tuple[CutLine, ...]:
        """Return the crop marks between the labels and around the grid. Every edge of every label has crop marks."""
        lefts, bottoms = self._lefts(), self._bottoms()
        across = _crop_spans([(left, left + self.width) for left in lefts])
        down = _crop_spans([(bottom, bottom + self.height) for bottom in reversed(bottoms)])
        edges_x = [edge for left in lefts for edge in (left, left + self.width)]
        edges_y = [edge for bottom in bottoms for edge in (bottom, bottom + self.height)]
        return tuple(
            [CutLine(start, y, end, y) for y in edges_y for start, end in across]
            + [CutLine(x, start, x, end) for x in edges_x for start, end in down]
        )

    def _lefts(self) -> list[float]:
        used = self.columns * (self.width + LABEL_GAP) - LABEL_GAP
        first = (self.paper_size[0] - used) / 2
        return [first + column * (self.width + LABEL_GAP) for column in range(self.columns)]

    def _bottoms(self) -> list[float]:
        used = self.rows * (self.height + LABEL_GAP) - LABEL_GAP
        room = self.room[1]
        top = MARGIN + FOOTER + room - (room - used) / 2
        return [top - self.height - row * (self.height + LABEL_GAP) for row in range(self.rows)]


def _count_labels(size: float, room: float) -> int:
    return int((room + LABEL_GAP + 1e-6) // (size + LABEL_GAP))


def _crop_spans(labels: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the ranges in one direction that crop marks cover: before, between and after the labels."""
    first, last = labels[0][0], labels[-1][1]
    between = [(end + CROP_DISTANCE, start - CROP_DISTANCE) for (_, end), (start, _) in pairwise(labels)]
    return [
        (first - CROP_DISTANCE - CROP_LENGTH, first - CROP_DISTANCE),
        *between,
        (last + CROP_DISTANCE, last + CROP_DISTANCE + CROP_LENGTH),
    ]


def _check_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidSetting(f"unknown {name} {value!r}; choose one of {', '.join(allowed)}")
