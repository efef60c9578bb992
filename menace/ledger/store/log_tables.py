"""SQL of the tables of the log: runs, blocks, games with people and their changes, recounts, strengths."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from numbers import Integral

from menace.errors import UnknownGame, UnknownRun
from menace.ledger.store.connection import Connection, damaged
from menace.ledger.store.rows import (
    COUNT_MOST,
    NUMBER_MOST,
    AdjustmentRow,
    BlockRow,
    ChangeRow,
    EvaluationRow,
    GameRow,
    ImportedRow,
    PolicyRow,
    now,
)
from menace.ledger.store.run_record import Run
from menace.ledger.store.sql import insert, insert_row, marks


class LogTables(Connection):
    """Reads and writes the tables of the log."""

    # Runs and blocks.

    def runs(self) -> list[Run]:
        """Return every run, the oldest first."""
        return self.read(Run, "SELECT * FROM run ORDER BY run_id")

    def runs_of(self, kind: str) -> list[Run]:
        """Return every run of a kind, such as `forget`, the oldest first."""
        return self.read(Run, "SELECT * FROM run WHERE kind = ? ORDER BY run_id", kind)

    def run(self, run_id: int) -> Run:
        """Return a run."""
        row = self.read_first(Run, "SELECT * FROM run WHERE run_id = ?", run_id) if _is_number(run_id) else None
        if row is None:
            raise UnknownRun(f"there is no run {run_id}; `menace runs` lists them")
        return row

    def add_run(self, **columns: object) -> int:
        """Insert a run, started now, and return its id. Within a transaction."""
        return insert_row(self.database, "run", {**columns, "started_at": now()})

    def update_run(self, run_id: int, games_played: int, finished_at: str | None) -> None:
        """Write how far a run has come. Within a transaction."""
        sql = "UPDATE run SET games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games_played, finished_at, run_id])

    def policies(self) -> list[PolicyRow]:
        """Return every player that is kept as a table of weights.

        >>> store.policies()
        []
        """
        return self.read(PolicyRow, "SELECT * FROM policy ORDER BY name")

    def add_policy(self, row: PolicyRow) -> None:
        """Keep a player as a table of weights, if it is not kept yet. Within a transaction."""
        self.database.execute(f"INSERT OR IGNORE INTO policy VALUES ({marks(len(row))})", list(row))

    def blocks(self, run_id: int | None = None) -> list[BlockRow]:
        """Return the blocks of a run, or of all, in the order of the log."""
        where, parameters = ("", []) if run_id is None else ("WHERE run_id = ?", [run_id])
        return self.read(BlockRow, f"SELECT * FROM block {where} ORDER BY block_id", *parameters)

    def stopped_runs(self) -> set[int]:
        """Return the ids of the runs that ended because a machine had no bead left for its first move.

        >>> store.stopped_runs()
        set()
        """
        return {run_id for (run_id,) in self.rows("SELECT DISTINCT run_id FROM block WHERE kind = 'ruin'")}

    def latest_block(self, learner_id: int) -> int:
        """Return the id of the last block of the runs in which a learner plays, 0 if there is none."""
        sql = """SELECT coalesce(max((SELECT max(block_id) FROM block WHERE block.run_id = run.run_id)), 0)
                 FROM run WHERE x_learner_id = ? OR o_learner_id = ?"""
        return int(self.rows(sql, learner_id, learner_id)[0][0])

    def blocks_after(self, learner_id: int, block_id: int, most: int) -> list[BlockRow]:
        """Return the first `most` blocks after a block, in runs in which a learner plays, in the log's order."""
        sql = """SELECT block.* FROM block JOIN run USING (run_id)
                 WHERE block_id > ? AND (x_learner_id = ? OR o_learner_id = ?) ORDER BY block_id LIMIT ?"""
        return self.read(BlockRow, sql, block_id, learner_id, learner_id, most)

    def latest_run(self, learner_id: int) -> Run | None:
        """Return the latest run in which a learner trains, or has trained."""
        sql = """SELECT * FROM run WHERE ((x_learner_id = ? AND x_learns) OR (o_learner_id = ? AND o_learns))
                 AND kind IN ('selfplay', 'train') ORDER BY run_id DESC LIMIT 1"""
        return self.read_first(Run, sql, learner_id, learner_id)

    def block(self, block_id: int) -> BlockRow | None:
        """Return a block, or None if there is no such block."""
        return self.read_first(BlockRow, "SELECT * FROM block WHERE block_id = ?", block_id)

    def add_block(
        self, run_id: int, kind: str, games: int, outcomes: Sequence[int], numbers_before: int, numbers: int
    ) -> int:
        """Append a block to the log, now, and return its id. Within a transaction.

        `outcomes` are the games that X won, that were drawn, and that O won.
        """
        row = [run_id, kind, games, *outcomes, numbers_before, numbers, now()]
        return int(self.database.execute(f"INSERT INTO block VALUES (NULL, {marks(9)})", row).lastrowid or 0)

    def numbers_used(self, run_id: int) -> int:
        """Return how many random numbers a run has used so far."""
        sql = "SELECT coalesce(sum(numbers), 0) FROM block WHERE run_id = ?"
        ((total,),) = self.rows(sql, run_id)
        if type(total) is not int or not 0 <= total <= COUNT_MOST:
            raise damaged(self.path, f"the numbers of run {run_id} add up to {total}")
        return total

    def extend_run(self, run_id: int, games: int) -> None:
        """Write that a run of a person's games now has `games`, all wanted and played. Within a transaction."""
        sql = "UPDATE run SET games_wanted = ?, games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games, games, now(), run_id])

    # Games with people, and beads that people counted.

    def games(self) -> list[GameRow]:
        """Return every recorded game, the oldest first."""
        return self.read(GameRow, "SELECT * FROM game ORDER BY game_id")

    def game(self, game_id: int) -> GameRow:
        """Return a recorded game."""
        row = self.read_first(GameRow, "SELECT * FROM game WHERE game_id = ?", game_id) if _is_number(game_id) else None
        if row is None:
            raise UnknownGame(f"there is no recorded game {game_id}; `menace games` lists them")
        return row

    def add_game(self, block_id: int, number: int, **columns: str) -> int:
        """Insert the record of a game, and return its id. Within a transaction."""
        return insert_row(self.database, "game", {"block_id": block_id, "number": number, **columns})

    def changes(self) -> list[ChangeRow]:
        """Return what recorded games changed, in the order of the games."""
        return self.read(ChangeRow, "SELECT * FROM change ORDER BY game_id, learner_id, ply, action")

    def add_changes(self, rows: Iterable[ChangeRow]) -> None:
        """Insert what a recorded game changed. Within a transaction."""
        self.database.executemany(f"INSERT INTO change VALUES ({marks(8)})", rows)

    def adjustments(self) -> list[AdjustmentRow]:
        """Return every pile that a person counted again, in the order of the log."""
        sql = "SELECT * FROM adjustment ORDER BY block_id, learner_id, position_id, action"
        return self.read(AdjustmentRow, sql)

    def add_adjustments(self, rows: Iterable[AdjustmentRow]) -> None:
        """Insert piles that a person counted again. Within a transaction."""
        self.database.executemany(f"INSERT INTO adjustment VALUES ({marks(6)})", rows)

    def imported(self) -> list[ImportedRow]:
        """Return every entry that learners brought with them, in the order of the log, by position, then by action."""
        return self.read(ImportedRow, "SELECT * FROM imported ORDER BY block_id, position_id, action")

    def add_imported(self, rows: Iterable[Sequence[object]]) -> None:
        """Insert what learners brought with them. Within a transaction."""
        insert(self.database, "imported", len(ImportedRow._fields), rows)

    def add_evaluations(self, rows: Iterable[EvaluationRow]) -> None:
        """Insert exact strengths. Within a transaction."""
        self.database.executemany(f"INSERT INTO evaluation VALUES ({marks(8)})", rows)

    def latest_evaluation(self, learner_id: int, policy: str) -> dict[str, tuple[float, float, float]]:
        """Return the shares of wins, draws and losses of a learner when it was measured last, by opponent."""
        sql = """SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? AND block_id = (
                     SELECT max(block_id) FROM evaluation WHERE learner_id = ?)"""
        rows = self.read(EvaluationRow, sql, learner_id, policy, learner_id)
        return {row.opponent: (row.win, row.draw, row.loss) for row in rows}

    def evaluations_of(self, learner_id: int, policy: str) -> list[EvaluationRow]:
        """Return every exact strength of a learner, in the order of the log."""
        sql = "SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? ORDER BY block_id, opponent"
        return self.read(EvaluationRow, sql, learner_id, policy)

    def evaluations_by(self, learner_id: int, policy: str, games: Sequence[int]) -> list[EvaluationRow]:
        """Return the last exact strengths of a learner at or before each of these numbers of games."""
        sql = """SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? AND learner_games IN (
                     SELECT (SELECT max(learner_games) FROM evaluation WHERE learner_id = ? AND learner_games <= value)
                     FROM json_each(?))
                 ORDER BY block_id, opponent"""
        return self.read(EvaluationRow, sql, learner_id, policy, learner_id, json.dumps(games))

    def games_measured(self, learner_id: int, most: int) -> list[int]:
        """Return the numbers of games after which a learner was measured, the first `most` of them."""
        sql = "SELECT DISTINCT learner_games FROM evaluation WHERE learner_id = ? ORDER BY learner_games LIMIT ?"
        return [games for (games,) in self.rows(sql, learner_id, most)]

    def evaluations(self) -> list[EvaluationRow]:
        """Return every exact strength, in the order of the log."""
        sql = "SELECT * FROM evaluation ORDER BY block_id, learner_id, policy, opponent"
        return self.read(EvaluationRow, sql)


def _is_number(value: object) -> bool:
    """Say whether a value can be the id of a row, which in SQLite is below 2^63."""
    return isinstance(value, Integral) and abs(int(value)) <= NUMBER_MOST
