"""A board to click on: what each cell says, and where it leads; and boards so small that they are links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from menace.exporting.board import amount_text, arrow_path
from menace.games.base import DEAD, GAP, STONE, Board, Game, Where
from menace.games.look import arrow_of
from menace.shelf.position import MoveView
from menace.shelf.svg import board_svg
from menace.wording import counted

STANDS = {"": "empty", STONE: "stone", DEAD: "dead", GAP: "no cell"}  # on a cell, in words
SMALL = 0.4  # of the size that a notebook shows


class Cell(NamedTuple):
    """A cell of a board.

    Attributes:
        piece: what stands on it.
        label: what a screen reader says.
        text: what is written on it, of the move that is made there.
        verdict: of that move; of several the best.
        share: of the choice that it takes, 0 to 1.
        leads_to: the board after the move; None if a click on the cell makes none.
        picks: the cell itself, if a click on it says which piece is to move.
    """

    piece: str
    label: str
    text: str = ""
    verdict: str = ""
    share: float = 0.0
    leads_to: Board | None = None
    picks: int | None = None


class Arrows(NamedTuple):
    """An arrow over a board: its path, and how much of the choice its move takes."""

    path: str
    verdict: str
    share: float


def cells_of(
    game: Game, board: Board, moves: Iterable[MoveView], unit: str | None, picked: int | None = None
) -> list[list[Cell]]:
    """Return a board's rows of cells, with the moves that can be made on them.

    Args:
        game: the rules.
        board: the board.
        moves: from it.
        unit: what the amounts of the moves are; None if they have none.
        picked: the cell whose piece is to move, where several can move to one cell.
    """
    by_action = {action: move for move in moves for action in move.cells}
    where = {action: game.where(board, action) for action in by_action}
    rows, columns = game.shape
    sources = {one.arrow[0] for one in where.values() if one.arrow is not None}
    source = picked if picked in sources else None
    found = []
    for cell, piece in enumerate(game.pieces(board)):
        here = [a for a, one in where.items() if _ends(one) == cell and (source is None or _starts(one) == source)]
        starts = cell in sources or len(here) > 1
        found.append(_cell(game, board, (cell, piece), {a: by_action[a] for a in here}, unit, starts=starts))
    return [found[row * columns : (row + 1) * columns] for row in range(rows)]


def _ends(where: Where) -> int:
    """Return the cell on which a move is made by a click."""
    return where.cells[0] if where.arrow is None else where.arrow[1]


def _starts(where: Where) -> int | None:
    return None if where.arrow is None else where.arrow[0]


def choices(game: Game, board: Board, picked: int | None) -> list[tuple[str, Board]]:
    """Return the moves of a cell that was picked, from it and to it: their names, and the boards after them.

    >>> from menace.games import get_game
    >>> choices(get_game("tictactoe", "3x3x3-wild"), ".........", 4)
    [('X4', '....X....'), ('O4', '....O....')]
    """
    found = []
    for action in game.actions(board) if picked is not None else ():
        where = game.where(board, action)
        if picked in {_ends(where), _starts(where)}:
            found.append((game.name_of(board, action), game.play(board, action)))
    return found


def _cell(
    game: Game, board: Board, what: tuple[int, str], moves: Mapping[int, MoveView], unit: str | None, *, starts: bool
) -> Cell:
    cell, piece = what
    row, column = divmod(cell, game.shape[1])
    stands = STANDS.get(piece, piece)
    said = [f"row {row + 1} column {column + 1}", stands]
    for action, move in moves.items():
        name = game.name_of(board, action)
        said += [] if name == str(cell) else [name]
        said += (
            [] if unit is None else [counted(move.beads, "bead") if unit == "beads" else f"{unit} {move.amount:.4g}"]
        )
        said.append(move.verdict)
    best = min(moves.values(), key=lambda move: (not move.optimal, -(move.share or 0)), default=None)
    return Cell(
        piece=piece,
        label=", ".join(said),
        text="" if unit is None else " ".join(amount_text(move.amount) for move in moves.values()),
        verdict="" if best is None else best.verdict,
        share=sum(move.share or 0.0 for move in moves.values()),
        leads_to=game.play(board, next(iter(moves))) if len(moves) == 1 else None,
        picks=cell if starts else None,
    )


def arrows_of(game: Game, board: Board, moves: Iterable[MoveView]) -> list[Arrows]:
    """Return the arrows of the moves that are shown as such."""
    columns = game.shape[1]
    found = ((move, arrow_of(game.where(board, action), columns)) for move in moves for action in move.cells)
    return [Arrows(arrow_path(arrow), move.verdict, move.share or 0.0) for move, arrow in found if arrow is not None]


def small_svg(game: Game, board: Board) -> str:
    """Return a small picture of a board.

    >>> from menace.games import get_game
    >>> small_svg(get_game(), "X...O....").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="53"')
    True
    """
    return board_svg(game, board, {}, scale=SMALL)
