"""Prepare boards for pages: boards whose cells are buttons for moves, and boards whose pieces can be edited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from menace.analysis.board_report import images
from menace.analysis.position import MoveView
from menace.drawing.boards import PAGE_LOOKS, PIECES, Point, arrow_of, board_svg, cell_names, piece_word
from menace.errors import InvalidBoard
from menace.exporting.board_html import amount_text, arrow_path
from menace.games.base import DEAD, EMPTY, GAP, Board, Game, MoveMark, suffix_after_cells
from menace.games.positions import Positions
from menace.text.narration import told
from menace.text.wording import counted

SMALL_SCALE = 0.4  # the scale of a small board relative to a board in a notebook

Distances: TypeAlias = Mapping[int, int]  # for each action, the moves left in the game, including that action

NOT_CLICKABLE = {"type": "button", "aria-disabled": "true"}  # the attributes of a cell that cannot be clicked


class Cell(NamedTuple):
    """A cell of a board.

    Attributes:
        piece: the piece on it.
        number: its index, row by row, counting from 0.
        label: the accessible name.
        name: its name, if moves are cells.
        rank, file: the names of its row and column if they are shown beside the cell.
        text: the text on it, which is the amount of the move made there.
        verdict: the verdict on that move, or on the best of several moves; empty if it is not shown.
        share: the probability of the move, from 0 to 1.
        ends_in: the number of moves to the end of the game after that move; None if it is not shown.
        leads_to: the board after the move; None if a click on the cell makes no move.
        picks: the number of the cell if a click on it selects the piece to move; otherwise None.
    """

    piece: str
    label: str
    text: str = ""
    verdict: str = ""
    share: float = 0.0
    leads_to: Board | None = None
    picks: int | None = None
    ends_in: int | None = None
    name: str = ""
    rank: str = ""
    file: str = ""
    number: int = 0

    @property
    def piece_kind(self) -> str:
        """The piece's style in `PIECES` (`gap` if there is no cell), or an empty string if the piece is a letter."""
        return PIECES[self.piece].style if self.piece in PIECES else ""


class Arrows(NamedTuple):
    """An arrow or bar drawn over a board, with its path, its text, and the verdict and probability of its move."""

    path: str
    verdict: str
    ends_in: int | None
    share: float = 0.0
    text: str = ""
    text_at: Point = (0, 0)


def cells_of(
    game: Game,
    board: Board,
    moves: Iterable[MoveView],
    unit: str | None,
    picked: int | None = None,
    distances: Distances = MappingProxyType({}),
) -> list[list[Cell]]:
    """Return the rows of a board's cells; each cell includes the moves that a click on it can make.

    Args:
        game: the rules.
        board: the board.
        moves: the moves on the board.
        unit: the unit of the amounts of the moves; None if the moves have no amounts.
        picked: the number of the selected cell: its piece is to move, or it is the first cell of a pair.
        distances: the numbers of moves to the end of the game; empty if they are not shown.
    """
    by_action = {action: move for move in moves for action in move.cells}
    where = {action: game.where(board, action) for action in by_action}
    sources = {cell for mark in where.values() for cell in mark.pair or (mark.arrow or ())[:1]}
    source = picked if picked in sources else None
    cells = []
    for cell in range(len(game.pieces(board))):
        here = [action for action, mark in where.items() if _makes_move(mark, cell, source)]
        shown = _cell(game, board, cell, {action: by_action[action] for action in here}, unit, distances)
        cells.append(shown._replace(picks=cell if cell in sources or len(here) > 1 else None))
    return _rows(game, cells)


def cells_with(game: Game, pieces: Sequence[str], empty: str = PIECES[""].word) -> list[list[Cell]]:
    """Return rows of cells for a board whose pieces change when clicked. The board need not be reachable.

    Args:
        game: the rules.
        pieces: the piece on each cell.
        empty: the label of a cell without a piece.

    >>> from menace.games import get_game
    >>> cells_with(get_game(), "XOX......")[0][1].label
    '1, top edge, O, change'
    """
    return _rows(game, [Cell(piece, f"{piece_word(piece) if piece else empty}, change") for piece in pieces])


def _rows(game: Game, cells: Sequence[Cell]) -> list[list[Cell]]:
    """Arrange cells in rows, add the names shown on and beside the cells, and add each cell's location to its label."""
    names, columns = cell_names(game), game.shape[1]
    ranks, files = names["coordinates"]
    named = [
        cell._replace(number=number, name=name, label=f"{place}, {cell.label}")
        for number, (cell, name, place) in enumerate(zip(cells, names["names"], names["places"], strict=True))
    ]
    rows = [named[start : start + columns] for start in range(0, len(named), columns)]
    for row, rank in zip(rows, ranks, strict=False):
        row[0] = row[0]._replace(rank=rank)
    rows[-1][: len(files)] = [cell._replace(file=file) for cell, file in zip(rows[-1], files, strict=False)]
    return rows


def verdict_text(verdict: str, ends_in: int | None) -> str:
    """Return the verdict on a move as text, with the number of moves to the end of the game if that number is known."""
    return verdict if ends_in is None else told("ends_in", verdict=verdict, moves=ends_in)


def _makes_move(where: MoveMark, cell: int, source: int | None) -> bool:
    """Return whether a click on a cell makes a move; `source` is the selected cell, or None."""
    if where.pair is not None:
        return cell in where.pair and (source is None or {cell, source} == {*where.pair})
    start, end = where.arrow or where.cells[:1] * 2
    return cell == end and source in {None, start}


def choices(game: Game, board: Board, picked: int | None) -> list[tuple[str, Board]]:
    """Return the name of each move from or to a selected cell, and the board after that move.

    >>> from menace.games import get_game
    >>> choices(get_game("tictactoe", "3x3x3-wild"), ".........", 4)
    [('X4', '....X....'), ('O4', '....O....')]
    """
    moves = []
    for action in game.actions(board) if picked is not None else ():
        where = game.where(board, action)
        if picked in (where.ends or where.cells[:1]):
            moves.append((game.name_of(board, action), game.play(board, action)))
    return moves


def _cell(
    game: Game, board: Board, cell: int, moves: Mapping[int, MoveView], unit: str | None, distances: Distances
) -> Cell:
    """Return a cell; `moves` maps actions to the moves that clicking the cell makes."""
    piece = game.pieces(board)[cell]
    parts = [piece_word(piece)]
    for action, move in moves.items():
        name = game.name_of(board, action)
        parts += [name] if name != str(cell) else []
        parts += [counted(move.beads, "bead") if unit == "beads" else f"{unit} {move.shown_amount:.4g}"] if unit else []
        parts.append(verdict_text(move.verdict, distances.get(move.action)))
    # Equivalent moves to the same cell share the same beads. Beads for a pair of cells are shown between the two cells.
    alike = list(dict.fromkeys(move for action, move in moves.items() if game.where(board, action).pair is None))
    drawn = Cell(
        piece=piece,
        label=", ".join(parts),
        text=" ".join(amount_text(move.amount) for move in alike) if unit else "",
        share=sum(move.share or 0.0 for move in alike),
        leads_to=game.play(board, next(iter(moves))) if len(moves) == 1 else None,
    )
    if not alike:
        return drawn
    best = min(alike, key=lambda move: (not move.optimal, -(move.share or 0)))
    return drawn._replace(verdict=best.verdict, ends_in=distances.get(best.action))


def arrows_of(
    game: Game, board: Board, moves: Iterable[MoveView], unit: str | None, distances: Distances = MappingProxyType({})
) -> list[Arrows]:
    """Return the arrows and bars for moves; if `unit` is given, each bar shows its move's amount."""
    pieces, columns = game.pieces(board), game.shape[1]
    arrows = []
    for move in moves:
        for action in move.cells:
            arrow = arrow_of(game.where(board, action), pieces, columns)
            if arrow is not None:
                text = "" if arrow.has_head or unit is None else amount_text(move.amount)
                ends_in = distances.get(move.action)
                arrows.append(Arrows(arrow_path(arrow), move.verdict, ends_in, move.share or 0.0, text, arrow.bead))
    return arrows


def small_svg(game: Game, board: Board) -> str:
    """Return a small picture of a board.

    >>> from menace.games import get_game
    >>> small_svg(get_game(), "X...O....").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="53"')
    True
    """
    return board_svg(game, board, {}, scale=SMALL_SCALE, looks=PAGE_LOOKS)


MAX_SAMPLED_POSITIONS = 300  # number of positions searched to find which pieces occur in a game
MAX_IMAGES = 24  # maximum number of equivalent boards that are checked for each position
BETWEEN_ROWS = re.compile(r"[\s/]")
ENDINGS = {"", ":X", ":O"}


@lru_cache(maxsize=4)
def known_pieces(positions: Positions) -> tuple[tuple[str, ...], ...]:
    """Return the possible pieces on each cell. The empty string, for no piece, comes first, and X comes before O.

    >>> from menace.games.enumeration import tictactoe
    >>> known_pieces(tictactoe())[4]
    ('', 'X', 'O')
    """
    columns = list(zip(*(pieces for _, pieces in _sampled_boards(positions)), strict=True))
    if suffix_after_cells(positions.game, positions.game.initial) is not None:  # any piece may be on any cell
        columns = [tuple(chain.from_iterable(columns))] * len(columns)
    return tuple(("", *sorted({*column} - {"", GAP, DEAD}, reverse=True)) for column in columns)


@lru_cache(maxsize=4)
def _sampled_boards(positions: Positions) -> tuple[tuple[Board, tuple[str, ...]], ...]:
    """Return each board of a small game, or of an evenly spaced sample from a large game, together with its pieces."""
    step = -(-len(positions) // MAX_SAMPLED_POSITIONS)
    boards = chain.from_iterable(images(positions, canonical, MAX_IMAGES) for canonical in positions.boards[::step])
    return tuple((board, positions.game.pieces(board)) for board in boards)


def drawable_board(positions: Positions, text: str) -> Board | None:
    """Convert text to a board, even one that no game reaches; return None if the board cannot be drawn.

    >>> from menace.games.enumeration import tictactoe
    >>> drawable_board(tictactoe(), "xx. xx. ..."), drawable_board(tictactoe(), "abc")
    ('XX.XX....', None)
    """
    game, board = positions.game, BETWEEN_ROWS.sub("", text).upper()
    try:
        return game.parse(text)
    except (InvalidBoard, ValueError, IndexError):
        pass  # the rules reject the board, but it may still be drawable
    try:
        ending, usual = suffix_after_cells(game, board), suffix_after_cells(game, game.initial)
    except (ValueError, IndexError):
        return None
    if ending not in ENDINGS or usual is None or len(ending or "") != len(usual):
        return None
    pieces, (rows, columns) = game.pieces(board), game.shape
    known = {GAP, DEAD}.union(*known_pieces(positions))
    return board if len(pieces) == rows * columns and set(pieces) <= known else None


def piece_after_click(known: tuple[str, ...], piece: str) -> str:
    """Return the piece that replaces `piece` when its cell is clicked; an unknown piece is removed.

    >>> piece_after_click(("", "X", "O"), "X"), piece_after_click(("", "X", "O"), "O")
    ('O', '')
    """
    return known[(known.index(piece) + 1) % len(known)] if piece in known else ""


def with_next_piece(positions: Positions, board: Board, cell: int) -> Board:
    """Return a copy of a board with the next piece on a cell.

    Clicking adds X to an empty cell, turns X into O, and removes O.

    In games whose boards are written cell by cell, nothing else changes. In other games, such as Nim, the result is the
    game's most similar board with the new piece on that cell.

    >>> from menace.games.enumeration import tictactoe
    >>> with_next_piece(tictactoe(), "X........", 0), with_next_piece(tictactoe(), "O........", 0)
    ('O........', '.........')
    """
    before = positions.game.pieces(board)
    if before[cell] == GAP:
        return board
    wanted = list(before)
    wanted[cell] = piece_after_click(known_pieces(positions)[cell], before[cell])
    changed = _with_character(positions, board, wanted, cell)
    if changed is not None:
        return changed
    return board if before[cell] == DEAD else _most_similar(positions, board, wanted, cell)


def _with_character(positions: Positions, board: Board, wanted: list[str], cell: int) -> Board | None:
    """Return a board whose text differs in one character, so that only the given cell and dead cells change."""
    for place, character in _alternatives(positions, len(board), wanted[cell] or EMPTY):
        changed = board[:place] + character + board[place + 1 :]
        try:
            pieces = positions.game.pieces(changed)
        except (ValueError, IndexError):
            continue
        alike = len(pieces) == len(wanted) and all(
            piece == wanted_piece or (DEAD in {piece, wanted_piece} and number != cell)
            for number, (piece, wanted_piece) in enumerate(zip(pieces, wanted, strict=True))
        )
        if alike and changed != board:
            return changed
    return None


@lru_cache(maxsize=64)
def _alternatives(positions: Positions, length: int, piece: str) -> tuple[tuple[int, str], ...]:
    """Return, for each index in a board's text, the characters that can represent the piece there."""
    boards = [board for board, _ in _sampled_boards(positions) if len(board) == length]
    itself = [piece] if any(piece in board for board in boards) else []
    characters_by_place = [{*written} for written in zip(*boards, strict=True)] or [set() for _ in range(length)]
    return tuple(
        (place, character)
        for place, characters in enumerate(characters_by_place)
        for character in dict.fromkeys([*itself, *sorted(characters)])
    )


def _most_similar(positions: Positions, board: Board, wanted: list[str], cell: int) -> Board:
    """Return the most similar board that has the wanted piece, preferably one with the same side to move."""

    def difference(look: tuple[Board, tuple[str, ...]]) -> tuple[int, bool]:
        return sum(piece != wanted_piece for piece, wanted_piece in zip(look[1], wanted, strict=True)), look[0][
            -1
        ] != board[-1]

    having = (look for look in _sampled_boards(positions) if look[1][cell] == wanted[cell])
    return min(having, key=difference, default=(board, ()))[0]


def with_other_side(board: Board) -> Board | None:
    """Return a board with the other side to move, or None if the pieces determine the side to move.

    >>> with_other_side("3-4-5:X"), with_other_side(".........")
    ('3-4-5:O', None)
    """
    pieces, sign, side = board.partition(":")
    return f"{pieces}:{'O' if side == 'X' else 'X'}" if sign else None
