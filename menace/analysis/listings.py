"""List learners, runs, games and boxes as readable text and as records for JSON and CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from menace.arena.run_schedule import json_object
from menace.files.tables import Listing, Table
from menace.games.base import Game, join_names
from menace.ledger.rules import rules_of
from menace.ledger.store import LearnerRow, Run, Store
from menace.text.bead_colours import OWN, Naming
from menace.text.wording import RESULTS

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.analysis.history import GameEntry, Moment
    from menace.arena.exact_strength import Strength
    from menace.learners.box import Box, Move
    from menace.learners.policy import Policy
    from menace.ledger.log.replay import MachineGame


HELD = ("amount", "unit", "share", "picked")
CONTENTS = ("box", "board", "stage", "action", "multiplicity", "move", "colour", *HELD, "verdict")
PLAYERS = ("name", "line", "plays", "opponent", "win", "draw", "loss")
LEARNER_COLUMNS = (
    "name",
    "plays",
    "algorithm",
    "preset",
    "settings",
    "seed",
    "colours",
    "numbering",
    "games",
    "created_at",
)
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
    """Return a record of a learner, with all its settings by name, including those that its preset supplies.

    Raises:
        ValueError: if the stored settings are not a JSON object because the database is damaged.
    """
    return row._asdict() | {"settings": json_object(row.settings, f"learner.settings of {row.name}")}


def learner_records(rows: Iterable[LearnerRow]) -> Table:
    """Return a table with a record for each learner.

    >>> table = learner_records(store.learners())
    >>> table.rows[0][:4], table.rows[0][4]["win"]
    (('menace-x', 'X', 'menace', 'menace'), 3)
    """
    return _table(LEARNER_COLUMNS, map(learner_record, rows))


def learner_table(store: Store) -> Table:
    """Return a row for each learner, policy and opponent, with the learner's current exact strength.

    The first columns are those of `menace learners --json`, followed by one column per setting. A setting is None if
    the algorithm does not have it, and a list is written as text (`4,3,2,1`). The last columns are policy, opponent
    (random, optimal or best_response), and the probabilities wins, draws and losses.

    >>> table = learner_table(store)
    >>> len(table.rows), table.columns[:5], table.columns[-4:]
    (12, ('name', 'plays', 'algorithm', 'preset', 'seed'), ('opponent', 'wins', 'draws', 'losses'))
    """
    from menace.ledger.learners import load_machine  # imported here because these modules import numpy
    from menace.ledger.positions import positions_of
    from menace.ledger.training import POLICIES, measure

    positions, rows = positions_of(store), store.learners()
    records = learner_records(rows)
    place = records.columns.index("settings")
    names = dict.fromkeys(name for record in records.rows for name in record[place])
    columns = (*records.columns[:place], *records.columns[place + 1 :], *names)
    table: list[tuple[Any, ...]] = []
    for row, record in zip(rows, records.rows, strict=True):
        settings = [record[place].get(name) for name in names]
        texts = [",".join(map(str, value)) if isinstance(value, list) else value for value in settings]
        cells = (*record[:place], *record[place + 1 :], *texts)
        machine = load_machine(store, positions, row)
        for policy in POLICIES:
            for opponent, strength in measure(machine.policy(policy)).items():
                table.append((*cells, policy, opponent, *strength))
    return Table((*columns, "policy", "opponent", *RESULTS), table)


def run_record(
    run: Run, learners: Mapping[int, LearnerRow] = MappingProxyType({}), stopped: Collection[int] = frozenset()
) -> dict[str, Any]:
    """Return a record of a run.

    Args:
        run: the run.
        learners: learners by learner_id. They are shown under their current names, and other players under the names
            that they had at the start of the run.
        stopped: the ids of the runs that ended because a first box was empty (`Store.stopped_runs`).

    >>> record = run_record(store.run(1))
    >>> record["x_player"], record["games_played"], record["state"]
    ('menace-x', 100, 'finished')
    """
    x, o = run.names(learners)
    known = {"x_player": x, "o_player": o, "state": state_of(run, stopped), "options": run.options.to_dict()}
    return {column: known[column] if column in known else getattr(run, column) for column in RUNS}


def state_of(run: Run, stopped: Collection[int] = frozenset()) -> str:
    """Return the state of a run: `unfinished` (interrupted or in progress), `finished`, `abandoned` or `stopped`.

    `stopped` contains the ids of runs that ended because a first box was empty.

    >>> run = store.run(1)._replace(games_played=7)
    >>> state_of(store.run(1)), state_of(run), state_of(run, {1})
    ('finished', 'abandoned', 'stopped')
    """
    if run.run_id in stopped:
        return "stopped"
    if run.finished_at is None:
        return "unfinished"
    return "finished" if run.games_played == run.games_wanted else "abandoned"


def _game_record(entry: GameEntry) -> tuple[Any, ...]:
    """Return the columns GAMES of a recorded game. The `actions`, such as `4,0,8`, refer to the actual boards.

    `greedy` is 1 if the learner used its greedy policy. `taken_back` is 1 if the learning was undone.
    """
    recorded, run = entry.recorded, entry.run
    return (
        *(entry.game_id, *entry.players, recorded.outcome, ",".join(map(str, recorded.actions)), recorded.ended_by),
        *(int(entry.greedy), run.x_learns, run.o_learns, int(entry.taken_back)),
        *(run.run_id, entry.block_id, entry.played_at),
    )


def player_records(players: Mapping[Policy, Mapping[str, Strength]]) -> Table:
    """Return the strength of fixed opponents, with a row for each opponent, side, and player that the opponent meets.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.ledger.training import strengths_of_opponents
    >>> player_records(strengths_of_opponents(tictactoe())).rows[0][:4]
    ('random', 'every legal move with equal probability', 'X', 'random')
    """
    from menace.learners.opponents.fixed import fixed_opponent  # imported here because it imports numpy

    rows = [
        (policy.name, fixed_opponent(policy.name).line, policy.plays, opponent, *shares)
        for policy, against in players.items()
        for opponent, shares in against.items()
    ]
    return Table(PLAYERS, rows)


def move_record(move: Move) -> dict[str, Any]:
    """Return a record of a move with its beads or value. The action is canonical, as in the database."""
    return {
        "action": move.action,
        "multiplicity": move.multiplicity,
        "amount": move.amount,
        "share": move.share,
        "picked": move.count,
        "verdict": move.verdict,
    }


def box_record(box: Box) -> dict[str, Any]:
    """Return a record of a box and its moves. `opened` is the number of times that a move was picked from the box.

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


def _move_records(box: Box) -> Iterator[dict[str, Any]]:
    """Yield a record for each move of a box. Each record repeats the columns of the box."""
    record = box_record(box)
    for move in record.pop("moves"):
        yield {**record, "box": box.number, **move}


def content_records(boxes: Iterable[Box], names: BeadNames) -> Table:
    """Return a table with a row for each move of every box. Boxes may contain beads, values or odds.

    Args:
        boxes: the boxes of a learner. If they do not contain beads, their numbers and colours are None.
        names: the names of beads and moves.

    Raises:
        InvalidSetting: if there are too few colours.
    """

    def named(box: Box) -> Iterator[dict[str, Any]]:
        beads = names.beads(box.board, [move.action for move in box.moves]) if box.has_beads else {}
        for move in _move_records(box):
            colour = beads[move["action"]].colour.name if box.has_beads else None
            yield {**move, "move": names.name(box.board, move["action"]), "colour": colour}

    return _table(CONTENTS, (move for box in boxes for move in named(box)))


def _table(columns: Iterable[str], records: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table of the given columns of the records."""
    names = tuple(columns)
    return Table(names, [tuple(record[name] for name in names) for record in records])


LEARNERS = ("name", "plays", "algorithm", "preset", "games", "but with")
RUN_HEADINGS = ("run", "kind", "X", "O", "games", "state", "started", "seed")  # a seed can be long, so it comes last
GAME_HEADINGS = ("game", "X", "O", "outcome", "moves", "ended by", "learned", "played")
MACHINE_GAME_HEADINGS = ("game", "outcome", "moves", "ended by", "explored at")


def list_learners(store: Store) -> Listing[LearnerRow]:
    """List all learners in a database.

    >>> list_learners(store).in_words().rows[0]
    ('menace-x', 'X', 'menace', 'menace', 100, '')
    """
    rows = store.learners()

    def in_words() -> Table:
        return Table(LEARNERS, [(r.name, r.plays, r.algorithm, r.preset, r.games, _changes_text(r)) for r in rows])

    return Listing(rows, lambda: learner_records(rows), in_words)


def _changes_text(row: LearnerRow) -> str:
    """Return, as text, the settings that differ from the learner's preset, or a note if the algorithm is unknown."""
    from menace.learners.registry import LEARNERS as ALGORITHMS, PRESETS
    from menace.learners.settings import show
    from menace.ledger.learners import settings_of

    if row.algorithm not in ALGORITHMS:
        return "unknown to this version of menace"
    values: Any = settings_of(row)
    published = PRESETS[row.preset].settings if row.preset in PRESETS else None
    names = [f.name for f in fields(values) if getattr(values, f.name) != getattr(published, f.name, None)]
    settings = [f"{name}={show(getattr(values, name))}" for name in names]
    usual = PRESETS[row.preset].naming if row.preset in PRESETS else OWN
    return " ".join([*settings, *naming_words(row, usual)])


def naming_words(row: LearnerRow, usual: Naming) -> list[str]:
    """Return a learner's naming schemes for beads and cells, omitting any that are the same as in `usual`.

    >>> naming_words(store.learner("menace-x"), OWN)
    []
    """
    pairs = zip(row.naming._asdict().items(), usual, strict=True)
    return [f"{key}={scheme}" for (key, scheme), expected in pairs if scheme != expected]


def list_runs(store: Store) -> Listing[Run]:
    """List all runs in a database, oldest first.

    >>> list_runs(store).in_words().rows[0][:6]
    (1, 'selfplay', 'menace-x', 'menace-o', 100, 'finished')
    """
    runs, learners = store.runs(), {row.learner_id: row for row in store.learners_and_deleted()}
    stopped = store.stopped_runs()

    def in_words() -> Table:
        rows = [
            (
                *(run.run_id, run.kind, *run.names(learners), _games_text(run), state_of(run, stopped)),
                *(run.started_at[:16].replace("T", " "), run.seed),
            )
            for run in runs
        ]
        return Table(RUN_HEADINGS, rows)

    return Listing(runs, lambda: _table(RUNS, (run_record(run, learners, stopped) for run in runs)), in_words)


def _games_text(run: Run) -> str | int:
    """Return, as text, the number of games played in a run, followed by the planned number if it is larger."""
    of_all = f"{run.games_played} of {run.games_wanted}"
    return run.games_played if run.games_played == run.games_wanted else of_all


def list_games(store: Store, learner: str | None = None) -> Listing[GameEntry]:
    """List the recorded games of one learner or of all learners, oldest first.

    Raises:
        UnknownLearner: if there is no such learner.

    """
    from menace.analysis.history import recorded_games

    games, rules = recorded_games(store, learner), rules_of(store).game

    def in_words() -> Table:
        rows = [
            (
                *(entry.game_id, *players_in_words(entry), entry.recorded.outcome),
                *(_moves_text(names_of_moves(rules, entry.recorded.actions)), entry.recorded.ended_by),
                *(_learned_text(entry), entry.played_at),
            )
            for entry in games
        ]
        return Table(GAME_HEADINGS, rows)

    return Listing(games, lambda: Table(GAMES, list(map(_game_record, games))), in_words)


def list_games_of_run(store: Store, run_id: int, first: int = 1, count: int = 1) -> Listing[MachineGame]:
    """List some games of a run as they were played.

    Takes the same arguments and raises the same errors as `games_of_run`.

    >>> list_games_of_run(store, 1, first=2).table().records()[0]["moves"]
    '4,0,8,1,3,6,7,5,2'
    """
    from menace.ledger.log.replay import games_of_run

    games = games_of_run(store, run_id, first, count)
    rows = [
        (
            *(game.number, game.outcome, _moves_text(game.moves)),
            "resignation" if game.resigned else "board",
            ",".join(str(ply) for ply, explored in enumerate(game.explored, start=1) if explored),
        )
        for game in games
    ]
    columns = [name.replace(" ", "_") for name in MACHINE_GAME_HEADINGS]
    return Listing(games, lambda: Table(columns, rows), lambda: Table(MACHINE_GAME_HEADINGS, rows))


def list_history(store: Store, board: str, learner: str) -> Listing[Moment]:
    """List the history of a learner's box. Takes the same arguments and raises the same errors as `box_history`.

    >>> list_history(store, ".........", "menace-x").in_words().rows[1]
    (2, 'run 1: selfplay, game 1', 4, 3, 4)
    """
    from menace.analysis.history import box_history

    moments = box_history(store, board, learner)

    def in_words() -> Table:
        view = moments[0].view
        unit = "beads" if view.box is not None and view.box.has_beads else "values"
        title = f"{unit} of {learner} for each {view.kind} of this board"
        rows = [(moment.block_id, moment.what, *(move.amount for move in moment.view.moves)) for moment in moments]
        return Table(("block", "what changed it", *(move.text for move in view.moves)), rows, title)

    def records() -> Table:
        boxes = ((moment, moment.view.box) for moment in moments if moment.view.box is not None)
        return _table(HISTORY, (vars(moment) | move for moment, box in boxes for move in _move_records(box)))

    return Listing(moments, records, in_words)


def names_of_moves(game: Game, actions: Sequence[int]) -> list[str]:
    """Return the names of consecutive moves from the first board of a game.

    >>> from menace.games import get_game
    >>> names_of_moves(get_game("hexapawn"), [19])
    ['a1-a2']
    """
    board, names = game.initial, []
    for action in actions:
        names.append(game.name_of(board, action))
        board = game.play(board, action)
    return names


def players_in_words(entry: GameEntry) -> tuple[str, str]:
    """Return the names of X and O in a recorded game, adding `greedy` to the name of a greedy learner."""
    ids = (entry.run.x_learner_id, entry.run.o_learner_id)
    x, o = (
        f"{name}, greedy" if entry.greedy and learner_id is not None else name
        for name, learner_id in zip(entry.players, ids, strict=True)
    )
    return x, o


def _moves_text(names: Sequence[str]) -> str:
    return ",".join(names) if all(map(str.isdecimal, names)) else join_names(names)


def _learned_text(entry: GameEntry) -> str:
    if entry.taken_back:
        return "taken back"
    return "yes" if entry.run.x_learns or entry.run.o_learns else "no"
