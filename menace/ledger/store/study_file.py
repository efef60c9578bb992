"""Read and write study files, which contain settings and measured strengths. A study file is not a menace database."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from menace.errors import EmptyDatabase, NotOurs, SchemaMismatch, StoreError
from menace.files.output import check_file_name
from menace.ledger.store.connection import STUDY_ID, OpenFile, check_released, connect, translate_errors
from menace.ledger.store.records import now
from menace.ledger.store.sqlite import POLL, has_tables, retry_while_locked, run_script, sql_file, write_lock
from menace.ledger.store.tables import marks
from menace.text.wording import OPPONENTS, RESULTS

SCHEMA_VERSION = 1
SHARES = 6  # number of shares for each mark: wins and losses against three opponents
PLACES = 10  # maximum number of marks in a row of `measurement`


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
    """Measurements of machines with the same setting, the same marks and the same policies.

    Attributes:
        seeds: the seeds of the machines, ascending.
        keys: (games, greedy) for each mark and policy.
        values: [machines][keys * SHARES], the shares.
    """

    seeds: Sequence[int]
    keys: Sequence[tuple[int, int]]
    values: Sequence[list[float]]


class StudyFile(OpenFile):
    """An open file of a study.

    >>> with StudyFile.open_or_create("beads.study") as file:
    ...     file.write_design("{}"), file.design()
    (None, '{}')
    """

    MISSING = "there is no study {}; create one with `menace study run`"
    KIND = "a study's file"

    def __init__(self, database: sqlite3.Connection, path: str, patience: float | None = None) -> None:
        super().__init__(database, path, patience)
        ((application_id,),) = self.rows("PRAGMA application_id")
        ((version,),) = self.rows("PRAGMA user_version")
        if not application_id and not has_tables(database):
            raise EmptyDatabase(f"{path} is empty; `menace study run` turns it into a study")
        check_released(path, application_id)
        if application_id != STUDY_ID:
            raise NotOurs(f"{path} is not a study; choose a study's file, such as beads.study")
        if version != SCHEMA_VERSION:
            raise SchemaMismatch(
                f"{path} has study schema {version}, but this version uses schema {SCHEMA_VERSION}; upgrade menace"
            )

    @classmethod
    def open_or_create(cls, path: str | os.PathLike[str]) -> Self:
        """Open a file, or create it if it does not exist."""
        name = os.fspath(path)
        if not Path(name).is_dir():
            check_file_name(name)
            if not Path(name).absolute().parent.is_dir():
                raise StoreError(f"there is no folder {Path(name).absolute().parent}; create it first")
            with translate_errors(name), contextlib.closing(connect(name, "rwc")) as database:
                _create_tables(database)
        return cls.open(name)

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
        wanted = set(itertools.product(marks, greedy))
        found = {list_id: wanted.intersection(keys) for list_id, keys in self._lists().items()}
        sql = """SELECT list_id, seed FROM measurement
                 WHERE list_id IN (SELECT value FROM json_each(?)) AND setting_id = ? AND seed BETWEEN ? AND ?"""
        useful = json.dumps([list_id for list_id, keys in found.items() if keys])
        done: dict[int, set[tuple[int, int]]] = {}
        for list_id, seed in self.rows(sql, useful, setting_id, seeds.start, seeds.stop - 1):
            done[seed] = done[seed] | found[list_id] if seed in done else found[list_id]
        return {seed for seed, keys in done.items() if keys == wanted}

    def _lists(self) -> dict[int, list[tuple[int, int]]]:
        """Return a dictionary from the id of each list of marks to the list's (games, greedy) pairs."""
        lists: dict[int, list[tuple[int, int]]] = {}
        for list_id, games, greedy in self.rows("SELECT list_id, games, greedy FROM mark ORDER BY list_id, place"):
            lists.setdefault(list_id, []).append((games, greedy))
        return lists

    def strengths(
        self, setting_id: int, seeds: range, greedy: int, columns: str, marks: Sequence[int]
    ) -> list[tuple[Any, ...]]:
        """Return a setting's rows (games, seed, columns...) at the given marks, sorted by games and seed."""
        sql = f"""SELECT games, seed, {columns} FROM strength WHERE setting_id = ? AND seed BETWEEN ? AND ?
                  AND greedy = ? AND games IN (SELECT value FROM json_each(?)) ORDER BY games, seed"""
        return self.rows(sql, setting_id, seeds.start, seeds.stop - 1, greedy, json.dumps(marks))

    def write(self, chunks: Sequence[tuple[ChunkRow, StrengthRows]]) -> None:
        """Write chunks and their measurements in one transaction. Existing measurements may be written again."""
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
        """Write one row for each machine and list of marks.

        A row for each mark would take twice as long, because SQLite checks and inserts rows one by one.
        """
        seeds, keys, values = strengths
        for start in range(0, len(keys), PLACES):
            part = list(keys[start : start + PLACES])
            list_id = self._list_of(part, setting_id, seeds)
            span = slice(SHARES * start, SHARES * (start + len(part)))
            self.database.executemany(
                _replace_statement(len(part)),
                ((setting_id, list_id, seed, *shares[span]) for seed, shares in zip(seeds, values, strict=True)),
            )

    def _list_of(self, keys: list[tuple[int, int]], setting_id: int, seeds: Sequence[int]) -> int:
        """Return the id of the list `keys`, and clear the machines' measurements at its marks in all other lists."""
        lists = self._lists()
        list_id = next((number for number, known in lists.items() if known == keys), len(lists) + 1)
        if list_id not in lists:
            rows = [(list_id, place, *key) for place, key in enumerate(keys)]
            self.database.executemany(f"INSERT INTO mark VALUES ({marks(4)})", rows)
        for other, known in lists.items():
            for place in [place for place, key in enumerate(known) if other != list_id and key in keys]:
                self.database.execute(
                    f"UPDATE measurement SET ({', '.join(_columns(place))}) = ({', '.join(['NULL'] * SHARES)})"
                    " WHERE list_id = ? AND setting_id = ? AND seed IN (SELECT value FROM json_each(?))",
                    [other, setting_id, json.dumps(list(seeds))],
                )
        return list_id

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

        Omit chunks whose first machine has by now been measured at `games` games.
        """
        sql = """SELECT setting_id, first_seed, last_seed, error FROM chunk
                  WHERE error IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM strength
                         WHERE strength.setting_id = chunk.setting_id AND seed = first_seed AND games = ?)
                 ORDER BY chunk_id DESC"""
        return self.rows(sql, games)


def _create_tables(database: sqlite3.Connection) -> None:
    """Create the tables if the file is empty. A rollback can leave an empty file."""

    def is_made() -> bool:
        return database.execute("PRAGMA application_id").fetchone() != (0,) or has_tables(database)

    if not retry_while_locked(is_made):
        with write_lock(database, POLL):
            if not is_made():
                run_script(database, sql_file("study.sql"))
                database.execute(f"PRAGMA application_id = {STUDY_ID}")
                database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


@functools.cache
def _replace_statement(places: int) -> str:
    """Return the SQL statement that writes a row with `places` marks to `measurement`."""
    columns = ", ".join(name for place in range(places) for name in _columns(place))
    return f"REPLACE INTO measurement(setting_id, list_id, seed, {columns}) VALUES ({marks(3 + SHARES * places)})"


def _columns(place: int) -> list[str]:
    """Return the names of the columns in `measurement` for the mark at `place` in a list."""
    return [f"{opponent}_{result}_{place}" for opponent in OPPONENTS for result in RESULTS[::2]]
