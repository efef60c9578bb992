"""Read and write the table of lessons and kiosks. Their games and machines are in the log."""

from __future__ import annotations

import json
from typing import Any

from menace.ledger.store.database import Store

GAMES = """SELECT game.outcome, run.x_learner_id IS NULL, evaluation.loss
           FROM run JOIN block USING (run_id) JOIN game USING (block_id)
           LEFT JOIN evaluation ON evaluation.block_id = block.block_id AND policy = 'behaviour' AND opponent = 'random'
           WHERE run.run_id > ? AND run.kind = 'play' AND json_extract(run.options, '$.person') = ? ORDER BY game_id"""


VISITS = """SELECT count(*), min(started_at) FROM run
            WHERE kind = 'play' AND games_played > 0 AND ? IN (x_learner_id, o_learner_id)"""


def last_lesson(store: Store, having: str = "code") -> tuple[int, dict[str, Any]] | None:
    """Return the id and the state of the last row whose state contains the key `having`, or None if there is none."""
    sql = "SELECT * FROM lesson WHERE json_extract(state, '$.' || ?) IS NOT NULL ORDER BY lesson_id DESC LIMIT 1"
    rows = store.rows(sql, having)
    return (rows[0][0], json.loads(rows[0][1])) if rows else None


def save_lesson(store: Store, lesson_id: int | None, state: dict[str, Any]) -> int:
    """Store the state of a lesson or kiosk in a transaction, and return its id. If `lesson_id` is None, add a row."""
    with store.transaction():
        sql = "INSERT OR REPLACE INTO lesson VALUES (?, ?)"
        return int(store.database.execute(sql, [lesson_id, json.dumps(state, ensure_ascii=False)]).lastrowid or 0)


def games_of_person(store: Store, name: str, after_run: int) -> list[tuple[str, float | None]]:
    """Return the result of each of a person's games after a run, and the machine's probability of losing to `random`.

    The result is `win`, `draw` or `loss` for the person. The probability is measured after the game, and is None if no
    machine learned from the game.
    """
    results = {"draw": "draw", True: "win", False: "loss"}
    rows = store.rows(GAMES, after_run, name)
    return [(results[outcome if outcome == "draw" else (outcome == "X") == is_x], loss) for outcome, is_x, loss in rows]


def visits(store: Store, learner_id: int) -> tuple[int, str | None]:
    """Return the number of runs in which people have played against a learner, and when the first run began."""
    number, since = store.rows(VISITS, learner_id)[0]
    return int(number), since


def last_run(store: Store) -> int:
    """Return the id of the last run, or 0 if there is none."""
    return int(store.rows("SELECT coalesce(max(run_id), 0) FROM run")[0][0])
