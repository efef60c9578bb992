"""The tables of the game: its rules, positions and moves. Rows in, rows out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from menace.ledger.store.connection import Connection, damaged, undamaged
from menace.ledger.store.rows import (
    MoveRow,
    PositionRow,
    Rules,
)
from menace.wording import counted


class GameTables(Connection):
    """What a database says of its game."""

    def rules(self) -> Rules:
        """Return the game of this database."""
        found = self.read(Rules, "SELECT name, variant, symmetry FROM rules")
        if len(found) != 1:
            raise damaged(self.path, f"it says {counted(len(found), 'game')}, not one")
        return found[0]

    def position_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of all positions by number, `size` at a time. Not checked (positions.py)."""
        return self.batches("SELECT * FROM position ORDER BY position_id", size)

    def move_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield (position, action, next position, multiplicity) of all, `size` at a time. Not checked."""
        columns = "position_id, action, next_position_id, multiplicity"
        return self.batches(f"SELECT {columns} FROM move ORDER BY position_id, action", size)

    def table_rows(self, table: Literal["position", "move"], first: int, last: int) -> list[tuple[Any, ...]]:
        """Return the rows of some positions, every column, of a table of the game. Not checked."""
        return self.rows(f"SELECT * FROM {table} WHERE position_id BETWEEN ? AND ?", first, last)

    def position_count(self) -> int:
        """Return how many positions there are."""
        return int(self.rows("SELECT count(*) FROM position")[0][0])

    def move_count(self) -> int:
        """Return how many moves there are."""
        return int(self.rows("SELECT count(*) FROM move")[0][0])

    def has_draws(self) -> bool:
        """Say whether a game can end in a draw. Such ends are mostly late ones: these are looked at first."""
        return bool(self.rows("SELECT 1 FROM position WHERE outcome = 'draw' ORDER BY position_id DESC LIMIT 1"))

    def positions(self) -> list[PositionRow]:
        """Return every position, in the order of their numbers."""
        return self.read(PositionRow, "SELECT * FROM position ORDER BY position_id")

    def all_moves(self) -> list[MoveRow]:
        """Return every move, by position, then by action."""
        return self.read(MoveRow, "SELECT * FROM move ORDER BY position_id, action")

    def position(self, board: str) -> dict[str, Any]:
        """Return the row of a canonical board.

        Raises:
            StoreError: if the database lacks it, which only damage explains.
        """
        row = self.find_position(board)
        if row is None:
            raise damaged(self.path, f"it has no position {board}")
        return row

    def find_position(self, board: str) -> dict[str, Any] | None:
        """Return the row of a canonical board, or None."""
        for row in self.read(PositionRow, "SELECT * FROM position WHERE board = ?", board):
            return row._asdict()
        return None

    def moves(self, position_id: int) -> list[dict[str, Any]]:
        """Return the moves of a position by action, each with the next board. Raises StoreError if that is gone."""
        sql = """SELECT position.* FROM position JOIN move ON next_position_id = position.position_id
                 WHERE move.position_id = ? ORDER BY action"""
        moves = self.read(MoveRow, "SELECT * FROM move WHERE position_id = ? ORDER BY action", position_id)
        with undamaged(self.path):
            after = self.read(PositionRow, sql, position_id)
            return [{**move._asdict(), "next_board": next_.board} for move, next_ in zip(moves, after, strict=True)]
