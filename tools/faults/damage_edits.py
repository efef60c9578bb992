"""Ways to damage a database: flipped bits, and edits of a base database that contains all kinds of rows.

Both fuzz_damaged_files.py and tests/ledger/test_damage.py use this module.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from menace.learners.opponents.functions import tabulate
from menace.learners.policy import Policy
from menace.ledger import training
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.runs import SelfPlay, Training, copy_learner, import_machine, order
from menace.ledger.store import SCHEMA_VERSION, Store
from menace.ledger.training import Trainer, carry_out
from menace.people.session import Session

GAMES = 40  # the number of games in each run of the base database


@dataclass(frozen=True)
class Edit:
    """A named edit with the SQL that makes it. The SQL runs without any checks."""

    name: str
    sql: str


def make_base(path: Path) -> None:
    """Create a database with all kinds of learners and runs, recorded games and an unfinished run."""
    with create_database(path) as store:
        for name, side, preset in (
            ("td-x", "X", "zhang-random"),
            ("odds-o", "O", "michie-1963-sliding"),
            ("q-o", "O", "q-table"),
            ("fav", "X", "article-code"),
        ):
            new_learner(store, name, side, preset, seed=5)  # type: ignore[arg-type]
        carry_out(store, order(store, SelfPlay(games=GAMES, seed=1)))
        carry_out(store, order(store, SelfPlay("fav", "q-o", GAMES, seed=2, phases="article")))
        carry_out(store, order(store, Training("td-x", "odds-o", GAMES, seed=3)))
        carry_out(store, order(store, Training("menace-o", "random", GAMES, seed=4)))
        for name in ("menace-x", "td-x"):
            _play(store, name)
        copy_learner(store, "menace-x", "menace-y")
        _recount(store)
        run = order(store, SelfPlay(games=GAMES, seed=6, phases="20:1:0.5,20:0:0"))
        trainer = Trainer(store)
        with mock.patch.object(training, "BLOCK_SECONDS", 0.0):  # makes each block a separate commit
            trainer.play_blocks(trainer.play_blocks(run))
        new_learner(store, "odds-x", "X", "michie-1963-hundreds")
        carry_out(store, order(store, Training("odds-x", "random", GAMES, seed=5)))
        lowest = tabulate(Policy.from_function(lambda _board, moves: moves[0], "O"))
        carry_out(store, order(store, Training("odds-x", lowest.name, GAMES, seed=6)))
        new_learner(store, "first", "X", "michie-1961")
        # This run ends when the machine's first box becomes empty.
        carry_out(store, order(store, Training("first", "michie-1961", 10 * GAMES, seed=1)))
        carry_out(store, order(store, Training("first", "optimal", 1, seed=1, continue_when_ruined=True)))
        for name in ("fav", "td-x"):  # recorded entries for moves and for positions
            import_machine(store, named_machine(store, name), f"{name} again")


def _play(store: Store, name: str) -> None:
    """Play a game in which the person always takes the lowest free cell."""
    session = Session(store, name, seed=1)
    while session.game.outcome is None:
        if session.game.persons_turn:
            session.game.make_person_move(session.game.rules.actions(session.game.board)[0])
        else:
            session.game.make_machine_move()
    session.finish()


def _recount(store: Store) -> None:
    from menace.analysis.bead_names import BeadNames
    from menace.ledger.rules import rules_of
    from menace.people.physical import compare_count, record_count
    from menace.text.bead_colours import Naming

    names = BeadNames(rules_of(store), Naming("menace", "menace"))
    comparison = compare_count(store, "menace-x", "box,cell,counted\n1,0,9\n", names)
    record_count(store, "menace-x", comparison.different)


def write_unchecked(path: Path, sql: str) -> None:
    """Run SQL on a database without any checks of values or types, and then restore the schema."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        schema = connection.execute("SELECT rowid, sql FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'").fetchall()
        loose = [(_without_types(text), row) for row, text in schema]
        _write_schema(connection, loose)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in (
            "synchronous = OFF",
            "ignore_check_constraints = ON",
            "foreign_keys = OFF",
            "writable_schema = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(sql)
        known = {row for (row,) in connection.execute("SELECT rowid FROM sqlite_master")}
        changed = dict(connection.execute("SELECT rowid, sql FROM sqlite_master"))
        loosened = {row: text for text, row in loose}
        strict = [(text, row) for row, text in schema if row in known and changed[row] == loosened[row]]
        _write_schema(connection, strict)


def _without_types(sql: str) -> str:
    """Return the SQL of a table without the types and constraints that SQLite checks."""
    sql = re.sub(r"(INTEGER|TEXT|REAL|BLOB|ANY)( +)NOT NULL", r"\1\2", sql)
    return sql.replace(") STRICT, WITHOUT", ") WITHOUT").removesuffix(" STRICT")


def _write_schema(connection: sqlite3.Connection, rows: list[tuple[str, int]]) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.executemany("UPDATE sqlite_master SET sql = ? WHERE rowid = ?", rows)
    version = connection.execute("PRAGMA schema_version").fetchone()[0]
    connection.execute(f"PRAGMA schema_version = {version + 1}")


def flip_bits(path: Path, seed: int) -> None:
    """Flip one to four random bits after the SQLite header of a file, half of them in the part with the most rows."""
    chance = random.Random(seed)  # noqa: S311 - for bits
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 4))):
        content[chance.randrange(100, len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


# SQL expressions for values that are invalid in the column, or invalid together with the rest of the row. The
# placeholder `{c}` stands for the column.
INTEGERS = ("-1", "-80", "0", "{c} + 1", "2147483647", "2147483648", "1000000000", "9223372036854775807")
INTEGERS += ("-9223372036854775807 - 1", "NULL", "'abc'", "''", "1.5", "9e999", "x'ff00'")
REALS = ("-1.0", "2.0", "1e308", "9e999", "-9e999", "5e-324", "NULL", "'abc'", "x'ff'")
TEXTS = ("''", "'bogus'", "NULL", "7", "x'c328'", "CAST(x'c328ff' AS TEXT)", "'a' || char(27) || '[31mred'")
TEXTS += ("char(0)", "replace(hex(zeroblob(200000)), '0', 'x')", "{c} || char(10) || 'x'", "'X'", "'O'", "'...:X'")
JSONS = ("'[]'", "'{{}}'", "'null'", "'7'", "'{{'", "'{{\"phases\": 7}}'", '\'{{"phases": [{{"games": -1}}]}}\'')
JSONS += ("'{{\"copied_from\": [1]}}'", "'{{\"copied_from\": 99}}'", "'{{\"beads\": []}}'", "'{{\"beads\": [1e99]}}'")
JSONS += ('\'{{"phases": [{{"games": 1e300, "x": 7, "o": null}}]}}\'', "replace({c}, '1', '99999999999')")
JSONS += ("replace(hex(zeroblob(60000)), '0', '[')", "replace({c}, '\"', '')", "'{{\"physical\": true}}'")
JSONS += ("replace({c}, '}}', ', \"set_size\": 0}}')", "replace({c}, 'restock', 'restock-colour')")
JSONS += ("replace({c}, 'false', '\"end-first\"')", "'{{\"continue_when_ruined\": null}}'")
JSONS += ('\'{{"imported": {{"games": 1e300, "epsilon": [1]}}}}\'', "replace({c}, 'games', 'set_sum')")
JSONS += ("replace({c}, 'bead', 'beat')", '\'{{"when_empty": ["resign"], "floor": true}}\'')
BLOBS = ("x''", "x'ff'", "NULL", "7", "'abc'", "zeroblob(length({c}))", "zeroblob(200000)", "{c} || x'00000000'")
VALUES = {"INTEGER": INTEGERS, "REAL": REALS, "TEXT": TEXTS, "BLOB": BLOBS, "ANY": (*INTEGERS, *REALS[:6])}


def value_edits(path: Path) -> Iterator[Edit]:
    """Yield edits of a single value in the first, a middle or the last row of every column of every table.

    If a table is empty, these edits change nothing.
    """
    chance = random.Random(0)  # noqa: S311 - for rows
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in sorted(set(tables) - {"sqlite_sequence"}):
            ((rows,),) = connection.execute(f"SELECT count(*) FROM {table}")
            for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                for value in (*VALUES[kind], *(JSONS if column in {"settings", "options"} else ())):
                    row = chance.choice((0, rows // 2, rows - 1)) if rows else 0
                    yield Edit(f"{table}.{column}[{row}] = {value}", _update(connection, table, column, value, row))


def _update(connection: sqlite3.Connection, table: str, column: str, value: str, row: int) -> str:
    """Return SQL that changes the value of one column in row number `row`."""
    info = connection.execute(f"PRAGMA table_info({table})").fetchall()
    keys = [name for _, name, _, _, _, key in info if key] or ["rowid"]
    values = connection.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 1 OFFSET {row}").fetchone() or [0]
    where = " AND ".join(f"{key} = {value!r}" for key, value in zip(keys, values, strict=False))
    return f"UPDATE OR REPLACE {table} SET {column} = {value.format(c=column)} WHERE {where}"


def _schema(kind: str, name: str, old: str, new: str) -> str:
    """Return SQL that edits the stored text of the schema."""
    old, new = (text.replace("'", "''") for text in (old, new))
    return f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE type = '{kind}' AND name = '{name}'"


def _pages(name: str, other: str) -> str:
    """Return SQL that makes a table or an index use the pages of another table or index."""
    page = f"(SELECT rootpage FROM sqlite_master WHERE name = '{other}')"
    return f"UPDATE sqlite_master SET rootpage = {page} WHERE name = '{name}'"


def _swap(name: str, other: str) -> str:
    """Return SQL that swaps the pages of two tables."""
    page = f"(SELECT rootpage FROM page WHERE name = iif(sqlite_master.name = '{name}', '{other}', '{name}'))"
    return (
        "CREATE TEMP TABLE page AS SELECT name, rootpage FROM sqlite_master;"
        f"UPDATE sqlite_master SET rootpage = {page} WHERE name IN ('{name}', '{other}')"
    )


TABLES = ("rules", "position", "move", "learner", "matchbox", "state_value", "action_value", "run", "block", "game")
TABLES += ("move_name", "imported", "change", "adjustment", "evaluation", "policy")
VIEWS = ("moves", "choices", "boxes", "learning_curve", "game_changes")
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x"

# Edits of whole tables, of several rows and of the schema.
EDITS: tuple[Edit, ...] = (
    *(Edit(f"no rows in {table}", f"DELETE FROM {table}") for table in TABLES),
    *(Edit(f"no table {table}", f"DROP TABLE {table}") for table in TABLES),
    *(Edit(f"no view {view}", f"DROP VIEW {view}") for view in VIEWS),
    *(Edit(f"{table} has an extra column", f"ALTER TABLE {table} ADD COLUMN more TEXT") for table in TABLES),
    *(
        Edit(f"{table} is an endless view", f"DROP TABLE {table}; CREATE VIEW {table} AS {ENDLESS} FROM n")
        for table in ("rules", "learner", "run", "position", "matchbox")
    ),
    *(
        Edit(f"{table} lacks a row", f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) / 2 + 1 FROM {table})")
        for table in ("position", "learner", "run", "block", "game")
    ),
    Edit(
        "a missing move",
        "DELETE FROM move WHERE position_id = 7 AND action = (SELECT max(action) FROM move WHERE position_id = 7)",
    ),
    Edit("no moves from the first position", "DELETE FROM move WHERE position_id = 0"),
    Edit("every next position is the first", "UPDATE OR REPLACE move SET next_position_id = 0 WHERE action = 1"),
    Edit("every ply 10^9", "UPDATE position SET ply = 1000000000 WHERE ply = 9"),
    Edit("plies backwards", "UPDATE position SET ply = 9 - ply"),
    Edit("no outcomes", "UPDATE position SET outcome = NULL"),
    Edit("no outcomes, X to move", "UPDATE position SET outcome = NULL, to_move = 'X'"),
    Edit("all positions final", "UPDATE position SET outcome = 'draw', to_move = NULL"),
    Edit("O begins", "UPDATE position SET to_move = iif(to_move = 'X', 'O', 'X') WHERE to_move NOT NULL"),
    Edit(
        "numbers of positions with gaps", "UPDATE position SET position_id = position_id + 1000 WHERE position_id > 300"
    ),
    Edit("multiplicities 2^30", "UPDATE move SET multiplicity = 1073741824"),
    Edit("actions 50 more", "UPDATE move SET action = action + 50"),
    Edit("symmetry none", "UPDATE rules SET symmetry = 'none'"),
    Edit("another variant", "UPDATE rules SET variant = '5x5x5'"),
    Edit("a smaller variant", "UPDATE rules SET variant = '2x2x2'"),
    Edit("two rules", "DROP INDEX rules_has_one_row; INSERT INTO rules VALUES ('tictactoe', '4x4x4', 'full')"),
    Edit("boards are longer", "UPDATE position SET board = board || '...'"),
    Edit("boards in lower case", "UPDATE position SET board = lower(board)"),
    Edit("boards swapped", "UPDATE position SET board = 'x' || board WHERE position_id IN (3, 4)"),
    Edit("all beads -80", "UPDATE matchbox SET beads = -80"),
    Edit("all beads 0", "UPDATE matchbox SET beads = 0"),
    Edit("all beads 2^26 - 1", "UPDATE matchbox SET beads = 67108863"),
    Edit("all beads 2^31 - 1", "UPDATE matchbox SET beads = 2147483647"),
    Edit("all beads 2^32 + 3", "UPDATE matchbox SET beads = 4294967299"),
    Edit("all picked 2^63 - 1", "UPDATE matchbox SET picked = 9223372036854775807"),
    Edit("all odds 0", "UPDATE action_value SET value = 0.0"),
    Edit("all odds negative", "UPDATE action_value SET value = -1.0"),
    Edit("values 1e308", "UPDATE state_value SET value = 1e308"),
    Edit("two values of a move", "UPDATE action_value SET half_difference = 0.5"),
    Edit("infinite values", "UPDATE state_value SET value = 9e999; UPDATE action_value SET value = -9e999"),
    Edit("learners change sides", "UPDATE learner SET plays = iif(plays = 'X', 'O', 'X')"),
    Edit("learners of another algorithm", "UPDATE learner SET algorithm = 'td'"),
    Edit("learners of no algorithm", "UPDATE learner SET algorithm = 'magic'"),
    Edit("learners of a later revision", "UPDATE learner SET revision = 2"),
    Edit("settings empty", "UPDATE learner SET settings = '{}'"),
    Edit("learners renumbered", "UPDATE learner SET learner_id = learner_id + 100"),
    Edit("names of learners as blobs", "UPDATE learner SET name = CAST(name AS BLOB)"),
    Edit("names with escapes", "UPDATE learner SET name = name || char(27) || ']0;title' || char(7)"),
    Edit(
        "names in runs with escapes",
        "UPDATE run SET x_player = char(27) || '[2J', o_player = x_player, started_at = char(27) || 'c'",
    ),
    Edit("presets with escapes", "UPDATE learner SET preset = char(27) || '[2J', created_at = char(27) || 'c'"),
    Edit("all epsilon NULL", "UPDATE learner SET epsilon = NULL, outcome_mean = NULL, outcome_weight = NULL"),
    Edit("all epsilon 0.5", "UPDATE learner SET epsilon = 0.5, outcome_mean = 0.5"),
    Edit("rows of two learners swapped", "UPDATE matchbox SET learner_id = 99 - learner_id"),
    Edit("blocks of 2^63 - 1 games", "UPDATE block SET games = 9223372036854775807"),
    Edit(
        "blocks of 10^12 games",
        "UPDATE block SET games = 1000000000000, x_wins = games, draws = 0, o_wins = 0;"
        " UPDATE run SET games_wanted = 1000000000000, games_played = games_wanted",
    ),
    Edit(
        "blocks used 2^62 numbers",
        "UPDATE block SET numbers = 4611686018427387904, numbers_before = 4611686018427387904",
    ),
    Edit("blocks of another run", "UPDATE block SET run_id = 1"),
    Edit("blocks of no run", "UPDATE block SET run_id = 77"),
    Edit("all blocks end a run", "UPDATE block SET kind = 'ruin'"),
    Edit("blocks that end a run have kind games", "UPDATE block SET kind = 'games' WHERE kind = 'ruin'"),
    Edit("blocks that end a run have games", "UPDATE block SET games = 1, x_wins = 1, numbers = 5 WHERE kind = 'ruin'"),
    Edit("runs that ended go on", "UPDATE run SET options = '{\"continue_when_ruined\": true}', finished_at = NULL"),
    Edit("continue_when_ruined is not a flag", "UPDATE run SET options = '{\"continue_when_ruined\": 1}'"),
    Edit("sets of 10,000 games", "UPDATE learner SET set_games = 10000, set_sum = -10000 WHERE set_games NOT NULL"),
    Edit("sets without a sum", "UPDATE learner SET set_sum = NULL"),
    Edit("schedule opponents", "UPDATE run SET o_player = 'michie-1961', o_learner_id = NULL, o_learns = 0"),
    Edit("schedule opponents of O", "UPDATE run SET x_player = 'michie-1961', x_learner_id = NULL, x_learns = 0"),
    Edit("runs are copies", "UPDATE run SET kind = 'copy'"),
    Edit("runs are imports", "UPDATE run SET kind = 'import'"),
    Edit("imports are trainings", "UPDATE run SET kind = 'train' WHERE kind = 'import'"),
    Edit("imported entries of another learner", "UPDATE imported SET learner_id = 1"),
    Edit("runs are recounts", "UPDATE run SET kind = 'recount'"),
    Edit("runs with people", "UPDATE run SET kind = 'play', o_player = 'human'"),
    Edit("runs unfinished", "UPDATE run SET finished_at = NULL"),
    Edit("runs unfinished, 10^18 games", "UPDATE run SET finished_at = NULL, games_wanted = 1000000000000000000"),
    Edit("runs have played too many games", "UPDATE run SET finished_at = NULL, games_played = games_wanted + 5"),
    Edit("runs without learners", "UPDATE run SET x_learner_id = NULL, o_learner_id = NULL"),
    Edit("runs of one learner on both sides", "UPDATE run SET x_learner_id = 1, o_learner_id = 1"),
    Edit("learners that copy each other", "UPDATE run SET options = '{\"copied_from\": 7}' WHERE kind = 'copy'"),
    Edit("games without a block", "UPDATE game SET block_id = block_id + 1000"),
    Edit("games of wrong moves", "UPDATE game SET actions = '0,0,0'"),
    Edit("games of many moves", "UPDATE game SET actions = replace(hex(zeroblob(5000)), '00', '0,') || '0'"),
    Edit("games of negative moves", "UPDATE game SET actions = '-1,-2,-3,-4,-5'"),
    Edit("games of moves that are not numbers", "UPDATE game SET actions = 'a,b'"),
    Edit("games of a move of many digits", "UPDATE game SET actions = replace(hex(zeroblob(5000)), '0', '9')"),
    Edit("games without flags", "UPDATE game SET learned = '', explored = ''"),
    Edit("strengths against nobody", "UPDATE evaluation SET opponent = 'nobody'"),
    Edit("a trigger that counts", "CREATE TRIGGER t AFTER UPDATE ON matchbox BEGIN UPDATE learner SET games = 0; END"),
    Edit("a trigger that fails", "CREATE TRIGGER t BEFORE INSERT ON block BEGIN SELECT raise(ABORT, 'no'); END"),
    Edit("a table with another definition", _schema("table", "learner", "INTEGER PRIMARY KEY", "INTEGER UNIQUE")),
    Edit("a table that is not SQL", _schema("table", "learner", "CREATE TABLE", "CRATE TABLE")),
    Edit(
        "a table on another's pages",
        _pages("learner", "block"),
    ),
    *(
        Edit(f"pages of {name} and {other} swapped", _swap(name, other))
        for name, other in itertools.combinations(("learner", "run", "block", "game", "change", "rules"), 2)
    ),
    Edit("pages of matchbox and action_value swapped", _swap("matchbox", "action_value")),
    Edit("pages of matchbox and evaluation swapped", _swap("matchbox", "evaluation")),
    Edit("a table on no page", "UPDATE sqlite_master SET rootpage = 99999 WHERE name = 'matchbox'"),
    Edit(
        "an index on another's pages",
        _pages("sqlite_autoindex_position_1", "move"),
    ),
    Edit("a view of escapes", "DROP VIEW boxes; CREATE VIEW boxes AS SELECT char(27) || '[2J' AS learner, 1 AS box"),
    Edit(
        "the schema twice",
        "CREATE TABLE more AS SELECT * FROM learner; CREATE INDEX more_index ON learner (name, plays)",
    ),
    Edit("another schema version", f"PRAGMA user_version = {SCHEMA_VERSION + 1}"),
    Edit("another application", "PRAGMA application_id = 7"),
)
