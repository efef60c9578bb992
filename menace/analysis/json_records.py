"""Records for JSON and CSV: learners, runs, games and boxes as dicts and tables, with the database's names.

Commands, pages and sites all write these; what is measured has a `table` of its own. Players have the names that they
have now. A row is one learner, run, game, pair of players, or move of a box; where it has the settings of a learner, or
the options of a run, the cell is a dict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from menace.arena.exploration_phases import json_object
from menace.ledger.store import LearnerRow, Run
from menace.tables import Table

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.analysis.history_from_log import GameEntry, Moment
    from menace.analysis.strength import Matchup, Sample
    from menace.arena.exact_strength import Strength
    from menace.learners.box import Box, Move
    from menace.learners.policy import Policy

OUTCOMES = ("x_wins", "draw", "o_wins")
HELD = ("amount", "unit", "share", "picked")
CONTENTS = ("box", "board", "stage", "action", "multiplicity", "move", "colour", *HELD, "verdict")
PLAYERS = ("name", "line", "plays", "opponent", "win", "draw", "loss")
LEARNERS = ("name", "plays", "algorithm", "preset", "settings", "seed", "colours", "numbering", "games", "created_at")
HISTORY = ("block_id", "what", "games", "board", "action", "multiplicity", "amount", "unit", "share", "picked")
RUNS = (
    *("run_id", "kind", "x_player", "o_player", "x_learns", "o_learns", "games_wanted", "games_played", "state"),
    *("seed", "options", "version", "started_at", "finished_at"),
)
GAMES = (
    *("game_id", "x_player", "o_player", "outcome", "actions", "ended_by", "greedy", "x_learns", "o_learns"),
    *("taken_back", "run_id", "block_id", "created_at"),
)


def learner_record(row: LearnerRow) -> dict[str, Any]:
    """Return a learner, with all its settings by name, also those that are its preset's.

    Raises:
        ValueError: if settings are not a JSON object, which means that the database is damaged.
    """
    return row._asdict() | {"settings": json_object(row.settings, f"learner.settings of {row.name}")}


def learner_records(rows: Iterable[LearnerRow]) -> Table:
    """Return learners.

    >>> table = learner_records(store.learners())
    >>> table.rows[0][:4], table.rows[0][4]["win"]
    (('menace-x', 'X', 'menace', 'menace'), 3)
    """
    return _table(LEARNERS, map(learner_record, rows))


def run_record(
    run: Run, learners: Mapping[int, LearnerRow] = MappingProxyType({}), stopped: Collection[int] = frozenset()
) -> dict[str, Any]:
    """Return a run.

    Args:
        run: the run.
        learners: by learner_id, which have their current names; other players have those that the run began with.
        stopped: the runs that ended at an empty first box (`Store.stopped_runs`).

    >>> record = run_record(store.run(1))
    >>> record["x_player"], record["games_played"], record["state"]
    ('menace-x', 100, 'finished')
    """
    x, o = run.names(learners)
    known = {"x_player": x, "o_player": o, "state": state_of(run, stopped), "options": run.options.to_dict()}
    return {column: known[column] if column in known else getattr(run, column) for column in RUNS}


def run_records(
    rows: Iterable[Run], learners: Mapping[int, LearnerRow], stopped: Collection[int] = frozenset()
) -> Table:
    """Return runs, see `run_record`.

    >>> learners = {row.learner_id: row for row in store.learners()}
    >>> run_records(store.runs(), learners).rows[0][:9]
    (1, 'selfplay', 'menace-x', 'menace-o', 1, 1, 100, 100, 'finished')
    """
    return _table(RUNS, (run_record(row, learners, stopped) for row in rows))


def state_of(run: Run, stopped: Collection[int] = frozenset()) -> str:
    """Return how a run stands: `unfinished` (interrupted, or under way), `finished`, `abandoned` or `stopped`.

    `stopped` are the numbers of the runs that ended at an empty first box.

    >>> run = store.run(1)._replace(games_played=7)
    >>> state_of(store.run(1)), state_of(run), state_of(run, {1})
    ('finished', 'abandoned', 'stopped')
    """
    if run.run_id in stopped:
        return "stopped"
    if run.finished_at is None:
        return "unfinished"
    return "finished" if run.games_played == run.games_wanted else "abandoned"


def game_record(entry: GameEntry) -> dict[str, Any]:
    """Return a recorded game; its `actions` are those on the actual board, as in the database: `4,0,8`.

    `greedy` is 1 where the learner played its best, `taken_back` where what it learned was taken back.
    """
    x, o = entry.players
    return {
        "game_id": entry.game_id,
        "x_player": x,
        "o_player": o,
        "outcome": entry.recorded.outcome,
        "actions": ",".join(map(str, entry.recorded.actions)),
        "ended_by": entry.recorded.ended_by,
        "greedy": int(entry.greedy),
        "x_learns": entry.run.x_learns,
        "o_learns": entry.run.o_learns,
        "taken_back": int(entry.taken_back),
        "run_id": entry.run.run_id,
        "block_id": entry.block_id,
        "created_at": entry.played_at,
    }


def game_records(entries: Iterable[GameEntry]) -> Table:
    """Return recorded games, see `game_record`."""
    return _table(GAMES, map(game_record, entries))


def player_records(players: Mapping[Policy, Mapping[str, Strength]]) -> Table:
    """Return the strength of fixed opponents: a row for each, its side, and its opponent.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.ledger.marks import measured_opponents
    >>> player_records(measured_opponents(tictactoe())).rows[0][:4]
    ('random', 'every move alike', 'X', 'random')
    """
    from menace.learners.opponents.fixed import fixed_opponent  # numpy

    rows = [
        (policy.name, fixed_opponent(policy.name).line, policy.plays, opponent, *shares)
        for policy, against in players.items()
        for opponent, shares in against.items()
    ]
    return Table(PLAYERS, rows)


def matchup_records(matchup: Matchup, sampled: Sample | None = None, fractions: Sequence[str] = ()) -> Table:
    """Return the row of two players, with more columns.

    Args:
        matchup: the two players.
        sampled: games that they played: `games`, `seed`, and each outcome's share with its standard error.
        fractions: the probabilities without rounding, as text.

    >>> from menace.analysis.strength import evaluate
    >>> matchup_records(evaluate("random", "optimal"), fractions=["0/1", "241/1080", "839/1080"]).columns[3:]
    ['x_wins', 'draw', 'o_wins', 'x_wins_fraction', 'draw_fraction', 'o_wins_fraction']
    """
    table = matchup.table()
    columns, row = list(table.columns), list(table.rows[0])
    if sampled is not None:
        columns += ["games", "seed"]
        row += [sampled.games, sampled.seed]
        for outcome, share, error in zip(OUTCOMES, sampled.shares, sampled.errors, strict=True):
            columns += [f"{outcome}_sampled", f"{outcome}_error"]
            row += [share, error]
    if fractions:
        columns += [f"{outcome}_fraction" for outcome in OUTCOMES]
        row += fractions
    return Table(columns, [row])


def move_record(move: Move) -> dict[str, Any]:
    """Return what a box has for a move; actions are canonical, as in the database."""
    return {
        "action": move.action,
        "multiplicity": move.multiplicity,
        "amount": move.amount,
        "share": move.share,
        "picked": move.count,
        "verdict": move.verdict,
    }


def box_record(box: Box) -> dict[str, Any]:
    """Return a box, with its moves; `opened` is how often a move of it was picked.

    >>> record = box_record(db["menace-x"].box("X...O...."))
    >>> record["number"], record["unit"], record["moves"][0]["amount"]
    (4, 'beads', 3)
    """
    return {
        "number": box.number,
        "position_id": box.position_id,
        "board": box.board,
        "stage": box.stage,
        "unit": box.unit,
        "opened": box.opened,
        "moves": [move_record(move) for move in box.moves],
    }


def _moves(box: Box) -> Iterator[dict[str, Any]]:
    """Yield the moves of a box, each with the facts of the whole box."""
    record = box_record(box)
    for move in record.pop("moves"):
        yield {**record, "box": box.number, **move}


def history_records(moments: Iterable[Moment]) -> Table:
    """Return a row for each move of a box at every moment.

    >>> [row[:5] for row in history_records(db["menace-x"].history(".........")).rows[:2]]
    [(None, 'as it began', 0, '.........', 0), (None, 'as it began', 0, '.........', 1)]
    """
    return _table(
        HISTORY,
        (
            {"block_id": moment.block_id, "what": moment.what, "games": moment.games, **move}
            for moment in moments
            if moment.view.box is not None
            for move in _moves(moment.view.box)
        ),
    )


def content_records(boxes: Iterable[Box], names: BeadNames) -> Table:
    """Return a row for each move of every box, of beads, values and odds alike.

    Args:
        boxes: of a learner; only those that hold beads have a number and colours, else these are None.
        names: what beads and moves are called.

    Raises:
        InvalidSetting: if there are too few colours.
    """

    def named(box: Box) -> Iterator[dict[str, Any]]:
        beads = names.beads(box.board, [move.action for move in box.moves]) if box.has_beads else {}
        for move in _moves(box):
            colour = beads[move["action"]].colour.name if box.has_beads else None
            yield {**move, "move": names.name(box.board, move["action"]), "colour": colour}

    return _table(CONTENTS, (move for box in boxes for move in named(box)))


def _table(columns: Iterable[str], records: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table of some of the columns of records."""
    names = tuple(columns)
    return Table(names, [tuple(record[name] for name in names) for record in records])
