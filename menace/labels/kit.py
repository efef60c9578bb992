"""Collect the boxes, rules and colours for building a machine from matchboxes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from menace.analysis.bead_names import Bead, BeadNames
from menace.arena.first_box import sampled_distributions
from menace.drawing.boards import Mark
from menace.errors import InvalidPlayer
from menace.games.base import DEAD, GAP, STONE, X_WINS, Board, Game, Side, Symmetry, rows_text, suffix_after_cells
from menace.games.positions import Positions
from menace.labels.sheet import LabelSheet
from menace.learners.algorithm import Algorithm, KitRules
from menace.learners.algorithms.beads import BoxSettings
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.ledger.learners import fresh_machine, load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import OPPONENTS, TURNS

# The spare beads of each colour are enough for SPARE_SHARE of the SPARE_COPIES copies, each of which plays SPARE_GAMES
# games.
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
        lengths: a triple (moves, x, o) for each number of moves after which a game can be won; x and o are True if X or
            O can win then.
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
    lengths: tuple[tuple[int, bool, bool], ...]
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
        """The initial number of stones in each heap; empty in a game without heaps."""
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
        """Return the beads of a box by action. Raises InvalidSetting if there are too few colours."""
        return self.names.beads(box.board, [move.action for move in box.moves])

    def marks(self, box: Box) -> list[Mark]:
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
        lengths=winning_lengths(positions),
        has_draws=positions.has_draws,
        pieces=count_pieces(positions),
    )
    _ = kit.rules  # raises an error if the algorithm has no printed rules
    return replace(kit, spare=count_spare(fresh, kit.names))


def count_spare(machine: Machine, names: BeadNames) -> dict[int, int]:
    """Return the number of spare beads for each colour of a new machine, by the colour's index in its scheme.

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
    """Return the numbers of moves after which each side can win, in the form of `Kit.lengths`.

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
        # Either player may place either mark, and boards with exchanged marks share a box.
        most["X"] = most["O"] = max(most["X"], most["O"])
    if most[DEAD] and most["X"]:
        most["X"] = positions.longest  # a dead board does not show its crosses, so the maximum number of moves is used
    return tuple(
        (piece, number) for piece, number in sorted(most.items(), reverse=True) if piece not in {"", DEAD, GAP}
    )
