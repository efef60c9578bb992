"""Runs: orders to train, written down before they are carried out (training.py), so that they can be continued."""

from __future__ import annotations

import json

from menace import __version__
from menace.arena.chance import check_games, check_seed, new_seed
from menace.arena.loop import GAMES_MOST
from menace.arena.phases import parse_phases, to_options
from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import Side, SideText
from menace.games.positions import Positions
from menace.learners import DEFAULT_PRESET
from menace.learners.fixed import fixed_weights, is_fixed, opponents_for
from menace.ledger import machines
from menace.ledger.kinds import COPY, EMPTY, SELFPLAY, TRAIN, RunKind
from menace.ledger.marks import evaluation_rows_of
from menace.ledger.positions import positions_of
from menace.ledger.seats import NOBODY, learners_of, taught_by, taught_since
from menace.ledger.store import LearnerRow, RunRow, Store, now


def start_selfplay(
    store: Store,
    x: str | None = None,
    o: str | None = None,
    games: int = 10_000,
    seed: int | None = None,
    phases: str | None = None,
    *,
    go_on: bool = False,
) -> RunRow:
    """Order two learners to play each other and to learn from the same games.

    Args:
        store: the database.
        x: the learner that plays X; None stands for `menace-x`, which is made where it is missing.
        o: the learner that plays O; None stands for `menace-o`, likewise.
        games: how many, 1 to 10^12.
        seed: 0 to 2^63 - 1; None takes one from the system.
        phases: how much the learners explore, as `phases.parse_phases` reads it; None leaves it to them.
        go_on: whether it goes on, with lost games, where a machine has nothing left for its first move; else the run
            ends there.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidRun: before anything is written.

    >>> run = start_selfplay(store, games=500, seed=1)
    >>> run.x_player, run.games_wanted, run.games_played
    ('menace-x', 500, 0)
    """
    games, seed = check_order(games, seed)
    options = to_options(parse_phases(phases, games) if phases is not None else (), go_on=go_on)
    positions = positions_of(store)
    with store.transaction():
        rows = (_learner_or_default(store, positions, x, Side.X), _learner_or_default(store, positions, o, Side.O))
        return add_run(store, positions, SELFPLAY, rows, (True, True), games, seed, options)


def start_training(
    store: Store, name: str, against: str, games: int = 10_000, seed: int | None = None, *, go_on: bool = False
) -> RunRow:
    """Order a learner to learn from games against a fixed opponent, or against a learner, who learns as well.

    Args:
        store: the database.
        name: the learner.
        against: a fixed opponent (`learners.fixed.FIXED`), or a learner of the other side.
        games: how many, 1 to 10^12.
        seed: 0 to 2^63 - 1; None takes one from the system.
        go_on: as in `start_selfplay`.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidRun: before anything is written.

    >>> run = start_training(store, "menace-x", "random", games=500, seed=1)
    >>> run.kind, run.o_player, run.x_learns, run.o_learns
    ('train', 'random', 1, 0)
    """
    return _start_training(store, name, against, games, seed, not is_fixed(against), go_on)


def start_training_alone(
    store: Store, name: str, against: str, games: int = 10_000, seed: int | None = None, *, go_on: bool = False
) -> RunRow:
    """As `start_training`, but the other learner is kept as it is: it plays, and does not learn.

    >>> run = start_training_alone(store, "menace-x", "menace-o", games=500, seed=1)
    >>> run.x_learns, run.o_learns
    (1, 0)
    """
    return _start_training(store, name, against, games, seed, False, go_on)


def _start_training(
    store: Store, name: str, against: str, games: int, seed: int | None, opponent_learns: bool, go_on: bool
) -> RunRow:
    games, seed = check_order(games, seed)
    positions = positions_of(store)
    with store.transaction():
        learner = _made_where_missing(store, positions, name)
        opponent = _opponent(store, positions, learner, against)
        players = learner.plays.x_and_o(learner, opponent)
        learns = learner.plays.x_and_o(True, opponent_learns)
        return add_run(store, positions, TRAIN, players, learns, games, seed, to_options(go_on=go_on))


def copy_learner(store: Store, old: str, new: str) -> LearnerRow:
    """Make a learner that starts from what another has learned, with its settings; the log has it as a run.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or the new name is not allowed or taken.

    >>> row = copy_learner(store, "menace-x", "Adam")
    >>> row.games, store.runs()[-1].kind
    (100, 'copy')
    """
    new = machines.check_name(new)
    positions = positions_of(store)
    with store.transaction():
        machine = machines.load_machine(store, positions, store.learner(old))
        row = machines.add_copy(store, machine, new)
        add_own_run(store, row, COPY, {"copied_from": machine.row.learner_id})
        return row


def add_own_run(store: Store, row: LearnerRow, kind: RunKind, options: dict[str, object] | None = None) -> int:
    """Write down a run that concerns one learner and no games; return the number of its block. In a transaction.

    >>> with store.transaction():
    ...     block_id = add_own_run(store, store.learner("menace-x"), COPY, {"copied_from": 1})
    >>> store.block(block_id).kind, store.runs()[-1].o_player
    ('copy', 'nobody')
    """
    store.check_file()
    x_player, o_player = row.plays.x_and_o(row.name, NOBODY)
    x_learner_id, o_learner_id = row.plays.x_and_o(row.learner_id, None)
    x_learns, o_learns = row.plays.x_and_o(1, 0)
    run_id = store.add_run(
        kind=kind.name,
        x_player=x_player,
        o_player=o_player,
        x_learner_id=x_learner_id,
        o_learner_id=o_learner_id,
        x_learns=x_learns,
        o_learns=o_learns,
        games_wanted=0,
        games_played=0,
        seed=0,
        options=json.dumps(options or {}),
        version=__version__,
        finished_at=now(),
    )
    return store.add_block(run_id, kind.blocks.name, 0, (0, 0, 0), 0, 0)


def unfinished_run(store: Store, run_id: int | None = None) -> RunRow:
    """Return an interrupted run, the latest if `run_id` is None.

    Raises:
        UnknownRun, InvalidRun: if there is no such run, or it has ended.

    >>> run = start_selfplay(store, games=500, seed=1)
    >>> unfinished_run(store).run_id == run.run_id
    True
    >>> unfinished_run(store, run_id=1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: run 1 is finished; `menace selfplay` or `menace train` starts a new one
    """
    store.check_file()
    if run_id is None:
        interrupted = [run for run in store.runs() if run.finished_at is None]
        if not interrupted:
            raise InvalidRun("no run was interrupted; `menace runs` lists them all")
        return interrupted[-1]
    run = store.run(run_id)
    if run.finished_at is not None:
        ended = "is finished" if run.games_played == run.games_wanted else "was abandoned"
        if run_id in stopped_runs(store):
            ended = "ended at an empty first box"
        raise InvalidRun(f"run {run_id} {ended}; `menace selfplay` or `menace train` starts a new one")
    return run


def stopped_runs(store: Store) -> set[int]:
    """Return the numbers of the runs that ended where a machine had nothing left for its first move.

    >>> stopped_runs(store)
    set()
    """
    return store.runs_ended_by(EMPTY.name)


def taught_meanwhile(store: Store, run: RunRow) -> list[int]:
    """Return the learners of an interrupted run that other runs have taught since, by number.

    They know something else than when it was interrupted, so it will not reach what it would have reached.

    >>> from menace.ledger.training import train
    >>> run = start_selfplay(store, games=500, seed=1)
    >>> trained = train(store, "menace-x", "random", games=50, seed=2)
    >>> taught_meanwhile(store, run)
    [1]
    """
    with store.snapshot():
        return sorted(taught_since(run, store.blocks(), {other.run_id: other for other in store.runs()}))


def abandon(store: Store, run_id: int) -> RunRow:
    """End an interrupted run as it stands. What was learned stays.

    Raises:
        UnknownRun, InvalidRun: if there is no such run, or it has ended.

    >>> run = start_selfplay(store, games=500, seed=1)
    >>> run.finished_at is None, abandon(store, run.run_id).finished_at is None
    (True, False)
    """
    with store.transaction():
        run = unfinished_run(store, run_id)
        store.update_run(run_id, run.games_played, now())
        return store.run(run_id)


def check_order(games: int, seed: int | None, phases: str | None = None) -> tuple[int, int | None]:
    """Return games and seed as Python's own whole numbers.

    Raises:
        InvalidRun: if the games are not from 1 to GAMES_MOST, the seed is none, or the phases do not cover them.

    >>> check_order(games=500, seed=1)
    (500, 1)
    >>> check_order(games=0, seed=1)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: games=0: a run has from 1 to 1,000,000,000,000 games
    """
    if seed is not None:
        seed = check_seed(seed)
    games = check_games(games, GAMES_MOST)
    if phases is not None:
        parse_phases(phases, games)
    return games, seed


def makes_learner(name: str | None, side: SideText) -> bool:
    """Say whether `start_selfplay` makes the learner where it is missing: the default, by name or by silence.

    >>> makes_learner(None, "X"), makes_learner("menace-x", "X"), makes_learner("Adam", "X")
    (True, True, False)
    """
    return name is None or name == default_learner(side)


def is_made_where_missing(name: str) -> bool:
    """Say whether a learner of this name is made where it is missing: it is the default of one of the sides.

    >>> is_made_where_missing("menace-o"), is_made_where_missing("Adam")
    (True, False)
    """
    return any(name == default_learner(side) for side in Side)


def is_training_of_defaults(name: str, against: str) -> bool:
    """Say whether `start_training` finds or makes all that it needs in a database without learners.

    >>> is_training_of_defaults("menace-x", "random"), is_training_of_defaults("menace-x", "menace-x")
    (True, False)
    """
    return any(
        name == default_learner(side) and (is_fixed(against) or makes_learner(against, side.other)) for side in Side
    )


def learner_made_where_missing(store: Store, name: str) -> LearnerRow:
    """Return a learner; the default of a side is made where it is missing.

    Raises:
        UnknownLearner: if there is no other learner of that name.

    >>> learner_made_where_missing(store, "menace-x").games
    100
    """
    if store.has_learner(name):
        return store.learner(name)
    positions = positions_of(store)
    with store.transaction():  # asks once more: somebody else may have made it meanwhile
        return _made_where_missing(store, positions, name)


def default_learner(side: SideText) -> str:
    """Return the name of the learner that `start_selfplay` makes for a side.

    >>> default_learner("X"), default_learner("O")
    ('menace-x', 'menace-o')
    """
    return f"menace-{side.lower()}"


def default_opponent(store: Store, person: SideText | None) -> LearnerRow:
    """Return the learner that plays a person who named none; it is made where it is missing.

    Michie's machine began, so that a person who does not say otherwise plays O.

    >>> default_opponent(store, None).name, default_opponent(store, "X").name
    ('menace-x', 'menace-o')
    """
    side = Side(person).other if person else Side.X
    return learner_made_where_missing(store, default_learner(side))


def _made_where_missing(store: Store, positions: Positions, name: str) -> LearnerRow:
    if not store.has_learner(name):
        for side in Side:
            if name == default_learner(side):
                return machines.add_learner(store, positions, name, side, DEFAULT_PRESET, {})
    return store.learner(name)


def _learner_or_default(store: Store, positions: Positions, name: str | None, side: Side) -> LearnerRow:
    row = _made_where_missing(store, positions, default_learner(side) if name is None else name)
    if row.plays != side:
        raise InvalidPlayer(f"learner {row.name} plays {row.plays}, not {side}; name one that plays {side}")
    return row


def _opponent(store: Store, positions: Positions, learner: LearnerRow, against: str) -> LearnerRow | str:
    if is_fixed(against):
        fixed_weights(against, positions)  # refuses a P that is none, and who is not for this game
        return against
    if not store.has_learner(against) and not makes_learner(against, learner.plays.other):
        names = ", ".join(row.name for row in store.learners() if row.plays != learner.plays) or "none yet"
        raise InvalidPlayer(
            f"unknown opponent {against!r}; name one of {', '.join(opponents_for(positions.title))},"
            f" or a learner that plays {learner.plays.other} ({names})"
        )
    row = _made_where_missing(store, positions, against)
    if row.plays == learner.plays:
        raise InvalidPlayer(f"learners {learner.name} and {against} both play {row.plays}; take one for each side")
    return row


def add_run(
    store: Store,
    positions: Positions,
    kind: RunKind,
    players: tuple[LearnerRow | str, LearnerRow | str],
    learns: tuple[bool, bool],
    games: int,
    seed: int | None,
    options: str = "{}",
) -> RunRow:
    """Write an order down, with the block that it begins with. Within a transaction.

    >>> positions, x = positions_of(store), store.learner("menace-x")
    >>> with store.transaction():
    ...     run = add_run(store, positions, TRAIN, (x, "random"), (True, False), games=500, seed=1)
    >>> run.x_player, run.o_player, store.blocks(run.run_id)[0].games
    ('menace-x', 'random', 0)
    """
    store.check_file()
    names = [player if isinstance(player, str) else player.name for player in players]
    learner_ids = [None if isinstance(player, str) else player.learner_id for player in players]
    run_id = store.add_run(
        kind=kind.name,
        x_player=names[0],
        o_player=names[1],
        x_learner_id=learner_ids[0],
        o_learner_id=learner_ids[1],
        x_learns=int(learns[0]),
        o_learns=int(learns[1]),
        games_wanted=games,
        games_played=0,
        seed=new_seed() if seed is None else seed,
        options=options,
        version=__version__,
    )
    # A block without games carries the learners' strength before the first one.
    run = store.run(run_id)
    block_id = store.add_block(run_id, kind.blocks.name, 0, (0, 0, 0), 0, 0)
    # Those that only play are looked at, too: nothing is ordered of a damaged one.
    loaded = {
        number: machines.load_machine(store, positions, store.learner_by_id(number)) for number in learners_of(run)
    }
    store.add_evaluations(evaluation_rows_of([(block_id, loaded[number]) for number in taught_by(run)]))
    return run
