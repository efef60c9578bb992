"""Learners, runs, games and histories as lists that are also tables: what the commands that list them print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from menace.analysis.json_records import game_records, history_records, learner_records, run_records, state_of
from menace.games.base import Game
from menace.games.boards_as_text import joined
from menace.ledger.store import LearnerRow, Run, Store
from menace.ledger.stored_rules import rules_of
from menace.naming_schemes import OWN, Naming
from menace.tables import Listing, Table

if TYPE_CHECKING:  # runs are listed without numpy
    from menace.analysis.history_from_log import GameEntry, Moment, ReplayedGame
    from menace.ledger.games_of_run import MachineGame

LEARNERS = ("name", "plays", "algorithm", "preset", "games", "but with")
RUNS = ("run", "kind", "X", "O", "games", "state", "started", "seed")  # a seed can be long
GAMES = ("game", "X", "O", "outcome", "moves", "ended by", "learned", "played")
MACHINE_GAMES = ("game", "outcome", "moves", "ended by", "explored at")


def list_learners(store: Store) -> Listing[LearnerRow]:
    """Return every learner.

    >>> list_learners(store).in_words().rows[0]
    ('menace-x', 'X', 'menace', 'menace', 100, '')
    """
    rows = store.learners()

    def in_words() -> Table:
        return Table(LEARNERS, [(r.name, r.plays, r.algorithm, r.preset, r.games, _changes_text(r)) for r in rows])

    return Listing(rows, lambda: learner_records(rows), in_words)


def _changes_text(row: LearnerRow) -> str:
    """Return the settings of a learner that are not its preset's; those of an unknown algorithm are not listed."""
    from menace.learners.registry import LEARNERS as ALGORITHMS
    from menace.learners.registry import PRESETS
    from menace.learners.settings import show
    from menace.ledger.learners import settings_of

    if row.algorithm not in ALGORITHMS:
        return "what this menace does not know"
    values: Any = settings_of(row)
    published = PRESETS[row.preset].settings if row.preset in PRESETS else None
    names = [f.name for f in fields(values) if getattr(values, f.name) != getattr(published, f.name, None)]
    settings = [f"{name}={show(getattr(values, name))}" for name in names]
    usual = PRESETS[row.preset].naming if row.preset in PRESETS else OWN
    return " ".join([*settings, *naming_words(row, usual)])


def naming_words(row: LearnerRow, usual: Naming) -> list[str]:
    """Return the naming schemes of a learner's beads and cells that are not the usual ones.

    >>> naming_words(store.learner("menace-x"), OWN)
    []
    """
    pairs = zip(row.naming._asdict().items(), usual, strict=True)
    return [f"{key}={scheme}" for (key, scheme), expected in pairs if scheme != expected]


def list_runs(store: Store) -> Listing[Run]:
    """Return every run, the oldest first.

    >>> list_runs(store).in_words().rows[0][:6]
    (1, 'selfplay', 'menace-x', 'menace-o', 100, 'finished')
    """
    runs, learners = store.runs(), {row.learner_id: row for row in store.learners_ever()}
    stopped = store.stopped_runs()

    def in_words() -> Table:
        rows = [
            (
                *(run.run_id, run.kind, *run.names(learners), _games_text(run), state_of(run, stopped)),
                *(run.started_at[:16].replace("T", " "), run.seed),
            )
            for run in runs
        ]
        return Table(RUNS, rows)

    return Listing(runs, lambda: run_records(runs, learners, stopped), in_words)


def _games_text(run: Run) -> str | int:
    """Return how many games a run played, with the total if it is more."""
    of_all = f"{run.games_played} of {run.games_wanted}"
    return run.games_played if run.games_played == run.games_wanted else of_all


def list_games(store: Store, learner: str | None = None) -> Listing[GameEntry]:
    """Return the recorded games, of one learner or of all, the oldest first. Raises UnknownLearner if there is none."""
    from menace.analysis.history_from_log import recorded_games

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
        return Table(GAMES, rows)

    return Listing(games, lambda: game_records(games), in_words)


def list_games_of_run(store: Store, run_id: int, first: int = 1, count: int = 1) -> Listing[MachineGame]:
    """Return some games of a run as they were played. Arguments and errors are those of `games_of_run`.

    >>> list_games_of_run(store, 1, first=2).table().records()[0]["moves"]
    '4,0,8,1,3,6,7,5,2'
    """
    from menace.ledger.games_of_run import games_of_run

    games = games_of_run(store, run_id, first, count)
    rows = [
        (
            *(game.number, game.outcome, _moves_text(game.moves)),
            "resignation" if game.resigned else "board",
            ",".join(str(ply) for ply, explored in enumerate(game.explored, start=1) if explored),
        )
        for game in games
    ]
    columns = [name.replace(" ", "_") for name in MACHINE_GAMES]
    return Listing(games, lambda: Table(columns, rows), lambda: Table(MACHINE_GAMES, rows))


def list_history(store: Store, board: str, learner: str) -> Listing[Moment]:
    """Return the history of a learner's box. Arguments and errors are those of `box_history`.

    >>> list_history(store, ".........", "menace-x").in_words().rows[1]
    (2, 'run 1: selfplay, game 1', 4, 3, 4)
    """
    from menace.analysis.history_from_log import box_history

    moments = box_history(store, board, learner)

    def in_words() -> Table:
        view = moments[0].view
        unit = "beads" if view.box is not None and view.box.has_beads else "values"
        title = f"{unit} of {learner} for each {view.kind} of this board"
        rows = [(moment.block_id, moment.what, *(move.amount for move in moment.view.moves)) for moment in moments]
        return Table(("block", "what changed it", *(move.text for move in view.moves)), rows, title)

    return Listing(moments, lambda: history_records(moments), in_words)


def names_of_moves(game: Game, actions: Sequence[int]) -> list[str]:
    """Return the names of the moves of a game, from its first board.

    >>> from menace.games import get_game
    >>> names_of_moves(get_game("hexapawn"), [19])
    ['a1-a2']
    """
    board, names = game.initial, []
    for action in actions:
        names.append(game.name_of(board, action))
        board = game.play(board, action)
    return names


def players_in_words(entry: GameEntry | ReplayedGame) -> tuple[str, str]:
    """Return X and O of a recorded game, and of a learner whether it played greedily."""
    ids = (entry.run.x_learner_id, entry.run.o_learner_id)
    x, o = (
        f"{name}, greedy" if entry.greedy and learner_id is not None else name
        for name, learner_id in zip(entry.players, ids, strict=True)
    )
    return x, o


def _moves_text(names: Sequence[str]) -> str:
    return ",".join(names) if all(map(str.isdecimal, names)) else joined(names)


def _learned_text(entry: GameEntry) -> str:
    if entry.taken_back:
        return "taken back"
    return "yes" if entry.run.x_learns or entry.run.o_learns else "no"
