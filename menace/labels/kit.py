"""The data for building a learner's machine from matchboxes: its boxes now and when new, its rules, its colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from menace.analysis.bead_names import Bead, BeadNames
from menace.drawing.boards import Mark
from menace.errors import InvalidPlayer
from menace.games.base import DEAD, GAP, STONE, X_WINS, Board, Game, Side, Symmetry, rows_text, suffix_after_cells
from menace.games.positions import Positions
from menace.labels.sheet import LabelSheet
from menace.learners.algorithm import Algorithm, KitRules
from menace.learners.algorithms.beads import BoxSettings
from menace.learners.box import Box
from menace.ledger.learners import fresh_machine, load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import TURNS


@dataclass(frozen=True)
class Kit:
    """One machine to build.

    Attributes:
        name: of the learner.
        plays: `X` or `O`.
        games: that it has learned from.
        algorithm: how it learns, which says what the rules are.
        settings: those of the algorithm.
        boxes: as they stand.
        fresh: the same boxes before the first game.
        names: of its beads and moves, with the game.
        longest: the most moves in a game.
        lengths: numbers of moves after which a game can be won, with whether X can have won, and whether O.
        has_draws: whether a game can end in a draw.
        pieces: what can stand on the board, with the most that can stand there of each at once.

    >>> kit = kit_of(store, "menace-x", LabelSheet())
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
    lengths: tuple[tuple[int, bool, bool], ...]
    has_draws: bool = True
    pieces: tuple[tuple[str, int], ...] = ()

    @cached_property
    def rules(self) -> KitRules:
        """How to play and teach it.

        Raises:
            InvalidPlayer: if its algorithm has no printed rules.
        """
        if self.algorithm.kit_rules is None:
            raise InvalidPlayer(f"machine {self.name} cannot be built: {self.algorithm.name} has no printed rules")
        return self.algorithm.kit_rules(self.settings, self)

    @property
    def game(self) -> Game:
        """Its rules."""
        return self.names.game

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self.game.shape

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return self.shape[1]

    @property
    def side(self) -> int:
        """0 for X, 1 for O."""
        return self.plays.number

    @property
    def heaps(self) -> tuple[int, ...]:
        """The stones of each heap as the game begins; none in a game without heaps."""
        return tuple(getattr(self.game, "heaps", ()))

    @cached_property
    def of_cells(self) -> bool:
        """Whether the moves of all boxes are cells."""
        return all(self.names.marks_cells(box.board, [move.action for move in box.moves]) for box in self.boxes)

    @cached_property
    def by_rows(self) -> bool:
        """Whether boards are written row by row, in crosses, noughts and dots."""
        texts = ((suffix_after_cells(self.game, box.board), self.game.pieces(box.board)) for box in self.boxes)
        return all(ending is not None and set(pieces) <= {"X", "O", ""} for ending, pieces in texts)

    @cached_property
    def turned(self) -> bool:
        """Whether the boards that share a box are turns and mirror images of each other."""
        return all(symmetry.name in TURNS for symmetry in self.names.rules.symmetries)

    @cached_property
    def mirrored(self) -> bool:
        """Whether they are mirror images alone."""
        return self.turned and all("mirror" in symmetry.name for symmetry in self.names.rules.symmetries[1:])

    @cached_property
    def stages(self) -> tuple[int, ...]:
        """The numbers of the machine's moves that have boxes."""
        return tuple(sorted({box.stage for box in self.boxes}))

    @cached_property
    def most_images(self) -> int:
        """The largest number of images that the board of a box has."""
        return max(self.names.rules.image_count(box.board) for box in self.boxes)

    def first_beads(self, stage: int) -> int:
        """Return the beads of each colour in a new box of a stage; if not merged, for each cell that it stands for."""
        beads = self.settings.beads
        return beads[min(stage, len(beads)) - 1]

    def beads(self, box: Box) -> dict[int, Bead]:
        """Return the beads of a box by action. Raises InvalidSetting if there are too few colours."""
        return self.names.beads(box.board, [move.action for move in box.moves])

    def marks(self, box: Box) -> list[Mark]:
        """Return the moves of a box as its board shows them."""
        return [
            Mark(self.game.where(box.board, action), amount=str(bead.number), colour=bead.colour.hex)
            for action, bead in self.beads(box).items()
        ]

    def board_text(self, board: Board) -> str:
        """Return a board as `menace show` reads it, with / between its rows if it is written by rows."""
        if suffix_after_cells(self.game, board) == "":
            return "/".join(rows_text(self.game.pieces(board), self.shape))
        return board

    def images(self, board: Board) -> list[Board]:
        """Return the different turns and mirror images of a board, itself first."""
        return list(dict.fromkeys(symmetry.board(board) for symmetry in self.names.rules.symmetries))

    def way_back(self, image: Board, board: Board) -> Symmetry:
        """Return the symmetry that carries an image to a board."""
        return next(symmetry for symmetry in self.names.rules.symmetries if symmetry.board(image) == board)


def kit_of(store: Store, name: str, sheet: LabelSheet) -> Kit:
    """Return the data to print for a learner.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has no boxes, or its algorithm has no printed rules.
        InvalidSetting: if a box has more moves than there are colours, or its game is not Michie's.

    >>> kit = kit_of(store, "menace-x", LabelSheet(colours="michie"))
    >>> kit.board_text(kit.boxes[1].board), [bead.colour.name for bead in kit.beads(kit.boxes[1]).values()][:3]
    ('XO./.../...', ['silver', 'black', 'gold'])
    """
    with store.snapshot():
        row, positions = store.learner(name), positions_of(store)
        machine = load_machine(store, positions, row)
    boxes = machine.matchboxes
    if not boxes:
        raise InvalidPlayer(f"machine {name} has no box to label: it never has a choice; name another, or boxes=all")
    kit = Kit(
        name=name,
        plays=row.plays,
        games=row.games,
        algorithm=machine.algorithm,
        settings=machine.settings,
        boxes=boxes,
        fresh=fresh_machine(positions, row).matchboxes,
        names=BeadNames(positions, row.naming.with_schemes(sheet.colours, sheet.numbering)),
        longest=positions.longest,
        lengths=won_after(positions),
        has_draws=positions.has_draws,
        pieces=pieces_of(positions),
    )
    _ = kit.rules  # raises if there are none
    for box in boxes:
        kit.beads(box)  # raises for a box of too many colours before anything is drawn
    return kit


def won_after(positions: Positions) -> tuple[tuple[int, bool, bool], ...]:
    """Return the numbers of moves after which a game can be won, and by whom, as `Kit.lengths`.

    >>> from menace.games.enumeration import tictactoe
    >>> won_after(tictactoe())
    ((5, True, False), (6, False, True), (7, True, False), (8, False, True), (9, True, False))
    """
    ways = [1] + [0] * (len(positions) - 1)  # for each position, a bit for each number of moves that leads there
    for start, end in zip(positions.position_of_move.tolist(), positions.next_position.tolist(), strict=True):
        ways[end] |= ways[start] << 1
    won = {True: 0, False: 0}  # by whether X has won
    for position, outcome in enumerate(positions.outcome.tolist()):
        if abs(outcome) == X_WINS:
            won[outcome == X_WINS] |= ways[position]
    lengths = (
        (moves, bool(won[True] >> moves & 1), bool(won[False] >> moves & 1)) for moves in range(positions.longest + 1)
    )
    return tuple(length for length in lengths if any(length[1:]))


def pieces_of(positions: Positions) -> tuple[tuple[str, int], ...]:
    """Return the pieces that a game is played with, with the most that can stand on the board of each at once.

    >>> from menace.games.enumeration import tictactoe
    >>> pieces_of(tictactoe())
    (('X', 5), ('O', 4))
    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> pieces_of(enumerate_positions(get_game("tictactoe", "3x3x3-wild")))
    (('X', 7), ('O', 7))
    """
    game = positions.game
    if heaps := getattr(game, "heaps", ()):
        return ((STONE, sum(heaps)),)
    most: Counter[str] = Counter()
    for board in positions.boards:
        most |= Counter(game.pieces(board))
    if any(game.where(game.initial, action).places for action in game.actions(game.initial)):
        most["X"] = most["O"] = max(most["X"], most["O"])  # either player puts either; a board may share its box
    if most[DEAD] and most["X"]:
        most["X"] = positions.longest  # a dead board shows none of its crosses
    return tuple(
        (piece, number) for piece, number in sorted(most.items(), reverse=True) if piece not in {"", DEAD, GAP}
    )
