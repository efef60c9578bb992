"""Apply a game's symmetries to find equivalent boards and actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from menace.errors import IllegalMove, InvalidBoard, InvalidGame
from menace.games.base import Board, Game, NamedInWords, OrbitRules, Symmetry

SymmetryUse: TypeAlias = Literal["full", "none"]
SYMMETRY_USES: tuple[SymmetryUse, SymmetryUse] = ("full", "none")
CACHED_BOARDS = 1_000  # maximum number of boards for which a game caches the moves
TIC_TAC_TOE = "tictactoe 3x3x3"  # the title of tic-tac-toe


@dataclass(frozen=True)
class SymmetricGame:
    """A game, together with the choice of whether to use its symmetries. All methods use the text rules.

    Attributes:
        game: the rules.
        symmetry: `full` if all images of a board belong to the same position; `none` if each board is a separate
            position.

    Raises:
        InvalidGame: if `symmetry` is neither `full` nor `none`.

    >>> from menace.games import get_game
    >>> rules = SymmetricGame(get_game())
    >>> rules.canonical("....O...X")
    'X...O....'
    >>> rules.to_canonical("....O...X", 7), rules.actions_for("....O...X", 1)
    (1, (5, 7))
    """

    game: Game
    symmetry: SymmetryUse = "full"

    def __post_init__(self) -> None:
        if self.symmetry not in SYMMETRY_USES:
            raise InvalidGame(f"symmetry {self.symmetry!r} is neither 'full' nor 'none'")

    @property
    def title(self) -> str:
        """The game's name and variant, such as `tictactoe 3x3x3`."""
        return f"{self.game.name} {self.game.variant}"

    @property
    def words(self) -> str:
        """The game's display name, such as `noughts and crosses`, or its identifier if it has no display name.

        >>> from menace.games import get_game
        >>> [SymmetricGame(get_game(*game)).words for game in (("tictactoe", "4x4x3-misere"), ("connect",), ("nim",))]
        ['misère noughts and crosses on 4x4, 3 in a row', 'connect 3', 'nim']
        """
        return self.game.words if isinstance(self.game, NamedInWords) else self.game.name

    @property
    def heading(self) -> str:
        """The game's display name with a capital first letter."""
        return self.words[0].upper() + self.words[1:]

    @cached_property
    def symmetries(self) -> Sequence[Symmetry]:
        """The symmetries that make boards equivalent: either all symmetries of the game or only the identity."""
        return self.game.symmetries if self.symmetry == "full" else self.game.symmetries[:1]

    @cached_property
    def _orbits(self) -> OrbitRules | None:
        """The game's own rules for canonical boards, or None if the game defines none or `symmetry` is `none`."""
        return self.game if self.symmetry == "full" and isinstance(self.game, OrbitRules) else None

    def symmetry_to_canonical(self, board: Board) -> Symmetry:
        """Return a symmetry that maps a board to its canonical board. The game may choose any such symmetry.

        Raises:
            InvalidBoard: if `board` is not a board. Some invalid strings are not detected.
        """
        try:
            if self._orbits is not None:
                return self._orbits.carrier(board)
            return max(self.symmetries, key=lambda symmetry: symmetry.board(board))
        except (AttributeError, LookupError, TypeError):
            raise self._no_board(board) from None

    def _no_board(self, board: Board) -> InvalidBoard:
        return InvalidBoard(f"{board!r} is not a board of {self.title}, such as {self.game.initial!r}")

    def canonical(self, board: Board) -> Board:
        """Return the canonical board, which is the image of `board` whose text sorts last.

        Raises:
            InvalidBoard: if `board` is not a board. Some invalid strings are not detected.
        """
        try:
            if self._orbits is not None:
                return self._orbits.carrier(board).board(board)
            return max([symmetry.board(board) for symmetry in self.symmetries])
        except (AttributeError, LookupError, TypeError):
            raise self._no_board(board) from None

    def image_count(self, board: Board) -> int:
        """Return the number of distinct images of a board.

        >>> from menace.games import get_game
        >>> SymmetricGame(get_game()).image_count("....O...X")
        4
        """
        if self._orbits is not None:
            return self._orbits.image_count(board)
        return len({symmetry.board(board) for symmetry in self.symmetries})

    def canonical_after(self, board: Board) -> Mapping[int, Board]:
        """Return the canonical board after each action on `board`. The results of recent boards are cached.

        >>> from menace.games import get_game
        >>> dict(SymmetricGame(get_game()).canonical_after("XO.OX.OX."))
        {2: 'XOXOX.OX.', 5: 'XOOOXX.X.', 8: 'XXO.XO.OX'}
        """
        after = self._canonical_after.get(board)
        if after is None:
            play = self.game.play
            after = {action: self.canonical(play(board, action)) for action in self.game.actions(board)}
            if len(self._canonical_after) >= CACHED_BOARDS:
                self._canonical_after.clear()
            self._canonical_after[board] = after
        return after

    @cached_property
    def _canonical_after(self) -> dict[Board, dict[int, Board]]:
        return {}

    def equivalent_actions(self, board: Board, action: int) -> tuple[int, ...]:
        """Return, in ascending order, all actions on `board` that lead to the same position as `action`.

        Raises:
            IllegalMove: if `action` is not legal on `board`.
        """
        after = self.canonical_after(board)
        wanted = after[action] if action in after else self.canonical(self.game.play(board, action))
        return tuple(other for other, canonical in after.items() if canonical == wanted)

    def to_canonical(self, board: Board, action: int) -> int:
        """Return the action on the canonical board that corresponds to `action`.

        If several actions are equivalent, return the lowest.

        Raises:
            InvalidBoard: if `board` is not a board.
            IllegalMove: if `action` is not legal on `board`.
        """
        carry = self.symmetry_to_canonical(board)
        if action not in self.game.actions(board):
            raise IllegalMove(
                f"action {action} is not legal on {board}; the legal actions are {self.game.actions(board)}"
            )
        return self.equivalent_actions(carry.board(board), carry.action(action))[0]

    def actions_for(self, board: Board, action: int) -> tuple[int, ...]:
        """Return, in ascending order, the actions on `board` that `action` on the canonical board represents.

        Raises:
            IllegalMove: if `action` is not legal on the canonical board.
        """
        back = self.symmetry_to_canonical(board).inverse()
        return self.equivalent_actions(board, back.action(action))
