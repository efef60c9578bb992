"""Read and write study files, which contain settings and measured strengths. A study file is not a menace database."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from menace.errors import EmptyDatabase, NoDatabase, NotOurs, SchemaMismatch, StoreError
from menace.files.output import check_file_name
from menace.ledger.store.connection import STUDY_ID, check_released, connect, translate_errors
from menace.ledger.store.records import now
from menace.ledger.store.sqlite import POLL, has_tables, read_lock, run_script, sql_file, write_lock
from menace.ledger.store.tables import MAX_PARAMETERS, marks

SCHEMA_VERSION = 1
SHARES = 6  # number of columns with shares in `strength`: wins and losses against three opponents
MAX_ROWS = (MAX_PARAMETERS - 1) // SHARES  # maximum number of rows for one machine


class SettingRow(NamedTuple):
    """A row of the table `setting`."""

    setting_id: int
    definition: str
    algorithm: str
    revision: int


class ChunkRow(NamedTuple):
    """A row of the table `chunk`, without its number and time."""

    setting_id: int
    first_seed: int
    last_seed: int
    machines: int
    seconds: float
    host: str
    versions: str
    error: str | None


class StrengthRows(NamedTuple):
    """Rows of `strength` for machines with the same setting, in the order of the table's key.

    All machines have the same marks and policies.

    Attributes:
        seeds: the seeds of the machines, ascending.
        keys: (games, greedy) of each machine's rows, ascending.
        values: [machines][keys * SHARES], the shares.
    """

    seeds: Sequence[int]
    keys: Sequence[tuple[int, int]]
    values: Sequence[list[float]]


class StudyFile:
    """An open file of a study.

    >>> with StudyFile.open_or_create("beads.study") as file:
    ...     file.write_design("{}"), file.design()
    (None, '{}')
    """

    def __init__(self, database: sqlite3.Connection, path: str) -> None:
        self.database = database
        self.path = path

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open an existing file.

        Raises:
            NoDatabase, EmptyDatabase: if the file does not exist or is empty, for example after an interrupted start.
            NotOurs, SchemaMismatch, StoreError: if the file is not a study, has an unsupported version, or cannot be
                used. Nothing is written to the file then.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise NoDatabase(f"there is no study {name}; create one with `menace study run`")
        if Path(name).is_dir():
            raise StoreError(f"{name} is a directory; choose a study's file inside it")
        return cls._connected(name, "rw")

    @classmethod
    def open_or_create(cls, path: str | os.PathLike[str]) -> Self:
        """Open a file, or create it if it does not exist."""
        name = os.fspath(path)
        if Path(name).is_dir():
            return cls.open(name)
        check_file_name(name)
        if not Path(name).absolute().parent.is_dir():
            raise StoreError(f"there is no folder {Path(name).absolute().parent}; create it first")
        return cls._connected(name, "rwc")

    @classmethod
    def _connected(cls, name: str, mode: str) -> Self:
        with translate_errors(name):
            database = connect(name, mode)
        try:
            file = cls(database, name)
            with translate_errors(name):
                if mode == "rwc":
                    file._create()
                file._check()
        except BaseException:
            database.close()
            raise
        return file

    def _create(self) -> None:
        """Create the tables if the file is empty. A rollback can leave an empty file."""
        if self._is_made():
            return
        with write_lock(self.database, POLL):
            if not self._is_made():
                run_script(self.database, sql_file("study.sql"))
                self.database.execute(f"PRAGMA application_id = {STUDY_ID}")
                self.database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _is_made(self) -> bool:
        ((application_id,),) = self.rows("PRAGMA application_id")
        return bool(application_id or has_tables(self.database))

    def _check(self) -> None:
        if not self._is_made():
            raise EmptyDatabase(f"{self.path} is empty; `menace study run` turns it into a study")
        ((application_id,),) = self.rows("PRAGMA application_id")
        ((version,),) = self.rows("PRAGMA user_version")
        check_released(self.path, application_id)
        if application_id != STUDY_ID:
            raise NotOurs(f"{self.path} is not a study; choose a study's file, such as beads.study")
        if version != SCHEMA_VERSION:
            raise SchemaMismatch(
                f"{self.path} has schema {version} for studies, but this version of menace uses schema "
                f"{SCHEMA_VERSION}; upgrade menace"
            )

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with translate_errors(self.path), read_lock(self.database):
            return self.database.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with translate_errors(self.path), write_lock(self.database, POLL):
            yield

    def design(self) -> str:
        """Return the last design that was run, as JSON. Raises StoreError if the file contains no design."""
        designs = self.rows("SELECT design FROM study")
        if not designs:
            raise StoreError(f"{self.path} is a study without a design; `menace study run` adds one")
        return str(designs[0][0])

    def write_design(self, design: str) -> None:
        """Store a design in place of the previous one."""
        with self._transaction():
            self.database.execute("INSERT OR REPLACE INTO study VALUES (1, ?)", [design])

    def policies(self) -> dict[str, tuple[str, bytes]]:
        """Return the descriptions and weights of unnamed opponents, by hash."""
        return {digest: (name, weights) for digest, name, weights in self.rows("SELECT * FROM policy")}

    def add_policy(self, digest: str, name: str, weights: bytes) -> None:
        """Store the weights of an unnamed opponent."""
        with self._transaction():
            self.database.execute("INSERT OR IGNORE INTO policy VALUES (?, ?, ?)", [digest, name, weights])

    def settings(self) -> list[SettingRow]:
        """Return all settings, including those whose machines have not been trained."""
        return [SettingRow(*row) for row in self.rows("SELECT * FROM setting ORDER BY setting_id")]

    def add_settings(self, settings: Iterable[tuple[str, str, int]]) -> None:
        """Add settings, given as (definition, algorithm, revision), unless the file already contains them."""
        with self._transaction():
            self.database.executemany(
                "INSERT OR IGNORE INTO setting(definition, algorithm, revision) VALUES (?, ?, ?)", settings
            )

    def seeds_done(self, setting_id: int, seeds: range, marks: Sequence[int], greedy: Sequence[int]) -> set[int]:
        """Return the seeds of machines that have been measured at all given marks with all given policies."""
        sql = """SELECT seed FROM strength WHERE setting_id = ? AND seed BETWEEN ? AND ?
                 AND games IN (SELECT value FROM json_each(?)) AND greedy IN (SELECT value FROM json_each(?))
                 GROUP BY seed HAVING count(*) = ?"""
        each = len(marks) * len(greedy)
        parameters = setting_id, seeds.start, seeds.stop - 1, json.dumps(marks), json.dumps(greedy), each
        return {seed for (seed,) in self.rows(sql, *parameters)}

    def strengths(
        self, setting_id: int, seeds: range, greedy: int, columns: str, marks: Sequence[int]
    ) -> list[tuple[Any, ...]]:
        """Return a setting's rows (games, seed, columns...) at the given marks, sorted by games and seed."""
        sql = f"""SELECT games, seed, {columns} FROM strength WHERE setting_id = ? AND seed BETWEEN ? AND ?
                  AND greedy = ? AND games IN (SELECT value FROM json_each(?)) ORDER BY games, seed"""
        return self.rows(sql, setting_id, seeds.start, seeds.stop - 1, greedy, json.dumps(marks))

    def write(self, chunks: Sequence[tuple[ChunkRow, StrengthRows]]) -> None:
        """Write chunks and their rows of `strength` in one transaction. Rows that already exist are allowed."""
        time = now()
        with self._transaction():
            for chunk, strengths in chunks:
                self.database.execute(
                    "INSERT INTO chunk(setting_id, first_seed, last_seed, machines, seconds, host, versions, error,"
                    f" written_at) VALUES ({marks(9)})",
                    [*chunk, time],
                )
                self._write_strengths(chunk.setting_id, strengths)

    def _write_strengths(self, setting_id: int, strengths: StrengthRows) -> None:
        """Write rows in key order, machine by machine, which takes half as long as writing them mark by mark."""
        seeds, keys, values = strengths
        for start in range(0, len(keys), MAX_ROWS):
            sql = _replacement(setting_id, tuple(keys[start : start + MAX_ROWS]))
            span = slice(SHARES * start, SHARES * (start + MAX_ROWS))
            self.database.executemany(sql, ((seed, *shares[span]) for seed, shares in zip(seeds, values, strict=True)))

    def scores(self, games: int, measure: str) -> dict[str, dict[int, float]]:
        """Return a dictionary from each setting's definition to its machines' scores by seed."""
        sql = (
            "SELECT definition, seed, value FROM score JOIN setting USING (setting_id) WHERE games = ? AND measure = ?"
        )
        scores: dict[str, dict[int, float]] = {}
        for definition, seed, value in self.rows(sql, games, measure):
            scores.setdefault(definition, {})[seed] = value
        return scores

    def add_scores(self, games: int, measure: str, scores: Iterable[tuple[str, dict[int, float]]]) -> None:
        """Store the scores of machines by seed, given the definitions of their existing settings."""
        sql = "REPLACE INTO score SELECT setting_id, ?, ?, ?, ? FROM setting WHERE definition = ?"
        with self._transaction():
            for definition, by_seed in scores:
                rows = [(games, measure, seed, value, definition) for seed, value in by_seed.items()]
                self.database.executemany(sql, rows)

    def failures(self, games: int) -> list[tuple[int, int, int, str]]:
        """Return (setting, first seed, last seed, error) for each failed chunk, newest first.

        Chunks whose first machine has since been measured after `games` games are omitted.
        """
        sql = """SELECT setting_id, first_seed, last_seed, error FROM chunk
                  WHERE error IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM strength
                         WHERE strength.setting_id = chunk.setting_id AND seed = first_seed AND games = ?)
                 ORDER BY chunk_id DESC"""
        return self.rows(sql, games)


@functools.lru_cache(maxsize=16)
def _replacement(setting_id: int, keys: tuple[tuple[int, int], ...]) -> str:
    """Return the statement that writes a machine's rows. Its parameters are the machine's seed and shares."""
    # SQLite gives a bare ? the next number after the highest number used so far
    rows = (f"({setting_id}, ?1, {games}, {greedy}, {marks(SHARES)})" for games, greedy in keys)
    return f"REPLACE INTO strength VALUES {', '.join(rows)}"
