"""Record orders for runs, which training.py carries out, and resume or end interrupted runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from menace import __version__
from menace.arena.play import MAX_GAMES, check_games, check_seed, new_seed
from menace.arena.run_schedule import Marks, parse_phases
from menace.errors import InvalidPlayer, InvalidRun
from menace.games.base import Side, SideText
from menace.games.plugins import is_file
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_weights, is_fixed
from menace.learners.registry import check_name
from menace.ledger import learners
from menace.ledger.learners import opponents_of_side, store_policies
from menace.ledger.log.blocks import COPY, IMPORT, SELFPLAY, TRAIN, RunType
from menace.ledger.positions import positions_of
from menace.ledger.store import NOBODY, Imported, LearnerRow, Run, RunOptions, Store, now
from menace.ledger.training import evaluation_rows
from menace.text.wording import did_you_mean

DEFAULT_GAMES = 10_000
# the names of learners that are created when they are first needed
DEFAULT_LEARNERS: Mapping[str, Side] = {"menace-x": Side.X, "menace-o": Side.O}
NO_OPTIONS = RunOptions()
# the players of X and O: learners, or the names of other players
Players: TypeAlias = tuple[LearnerRow | str, LearnerRow | str]


def default_learner(side: SideText) -> str:
    """Return the name of the default learner for a side.

    >>> default_learner("X"), default_learner("O")
    ('menace-x', 'menace-o')
    """
    return f"menace-{side.lower()}"


@dataclass(frozen=True)
class SelfPlay:
    """An order for two learners to play each other and learn from the same games.

    Attributes:
        x: the learner for X; None selects `menace-x`, which is created if it is missing.
        o: the learner for O; None selects `menace-o`, which is created if it is missing.
        games: the number of games, 1 to 10^12.
        seed: the seed, 0 to 2^63 - 1; None takes a seed from the operating system.
        phases: the exploration phases in the form that `parse_phases` accepts; None uses the learners' own settings.
        continue_when_ruined: whether the run continues, with games that the machine loses, after the box for its first
            move is empty. Otherwise, the run ends.
        marks: the numbers of games after which the learners are measured, in the form that `Marks.parse` accepts.

    Raises:
        InvalidRun: if games, seed, phases or marks are out of range.
    """

    x: str | None = None
    o: str | None = None
    games: int = DEFAULT_GAMES
    seed: int | None = None
    phases: str | None = None
    continue_when_ruined: bool = False
    marks: str = "1-2-5"

    def __post_init__(self) -> None:
        _check(self)

    @property
    def creates_its_learners(self) -> bool:
        """Whether the order can be carried out in a database without learners."""
        return self.x in {None, default_learner("X")} and self.o in {None, default_learner("O")}

    def options(self) -> RunOptions:
        """Return the options of the run."""
        return RunOptions(
            parse_phases(self.phases, self.games) if self.phases is not None else (),
            continue_when_ruined=self.continue_when_ruined,
            marks=Marks.parse(self.marks),
        )

    def add_to(self, store: Store, positions: Positions) -> Run:
        """Record the order. Must be called within a transaction.

        Raises:
            UnknownLearner, InvalidPlayer: if a player does not exist or cannot play its side.
        """
        x = _learner_or_default(store, self.x, Side.X)
        o = _learner_or_default(store, self.o, Side.O)
        return add_run(store, positions, SELFPLAY, (x, o), (True, True), self.games, self.seed, self.options())


@dataclass(frozen=True)
class Training:
    """An order for a learner to learn from games against a fixed opponent or a learner for the other side.

    Attributes:
        learner: the name of the learner. If the default learner of a side is missing, it is created.
        against: a fixed opponent (`learners.fixed.FIXED`) or a learner.
        games, seed, continue_when_ruined, marks: as in `SelfPlay`.
        alone: whether an opponent that is a learner plays without learning.

    Raises:
        InvalidRun: if games, seed or marks are out of range.
    """

    learner: str
    against: str
    games: int = DEFAULT_GAMES
    seed: int | None = None
    continue_when_ruined: bool = False
    alone: bool = False
    marks: str = "1-2-5"

    def __post_init__(self) -> None:
        _check(self)

    @property
    def creates_its_learners(self) -> bool:
        """Whether the order can be carried out in a database without learners."""
        side = DEFAULT_LEARNERS.get(self.learner)
        if side is None:
            return False
        return is_fixed(self.against) or is_file(self.against) or self.against == default_learner(side.other)

    def options(self) -> RunOptions:
        """Return the options of the run."""
        return RunOptions(continue_when_ruined=self.continue_when_ruined, marks=Marks.parse(self.marks))

    def add_to(self, store: Store, positions: Positions) -> Run:
        """Record the order. Must be called within a transaction.

        Raises:
            UnknownLearner, InvalidPlayer: if a player does not exist or cannot play its side.
        """
        learner = get_or_create_learner(store, self.learner)
        opponent = _opponent(store, positions, learner, self.against)
        players = learner.plays.x_and_o(learner, opponent)
        learns = learner.plays.x_and_o(True, not isinstance(opponent, str) and not self.alone)
        return add_run(store, positions, TRAIN, players, learns, self.games, self.seed, self.options())


def _check(run_order: SelfPlay | Training) -> None:
    """Check an order, and convert its number of games and its seed to Python ints."""
    object.__setattr__(run_order, "games", check_games(run_order.games, MAX_GAMES))
    object.__setattr__(run_order, "seed", None if run_order.seed is None else check_seed(run_order.seed))
    run_order.options().marks.check(run_order.games)


def order(store: Store, run_order: SelfPlay | Training) -> Run:
    """Record an order, so that `training.carry_out` can carry it out.

    Raises:
        UnknownLearner, InvalidPlayer: if a player does not exist or cannot play its side. In this case, nothing is
            written.

    >>> run = order(store, SelfPlay(games=500, seed=1))
    >>> run.x_player, run.games_wanted, run.games_played
    ('menace-x', 500, 0)
    >>> run = order(store, Training("menace-x", "random", games=500, seed=1))
    >>> run.kind, run.o_player, run.x_learns, run.o_learns
    ('train', 'random', 1, 0)
    """
    positions = positions_of(store)
    with store.transaction():
        return run_order.add_to(store, positions)


def copy_learner(store: Store, old: str, new: str) -> LearnerRow:
    """Create a copy of a learner with its settings and everything that it has learned.

    The copy is recorded in the log as a run.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or the new name is not allowed or taken.

    >>> row = copy_learner(store, "menace-x", "Adam")
    >>> row.games, store.runs()[-1].kind
    (100, 'copy')
    """
    new = check_name(new)
    with store.transaction():
        origin = store.learner(old)
        row = learners.add_copy(store, origin, new)
        add_own_run(store, row, COPY, RunOptions(copied_from=origin.learner_id))
        return row


def import_machine(store: Store, machine: Machine, name: str) -> LearnerRow:
    """Create a learner from an in-memory machine.

    The log stores everything that the machine has already learned in the new learner's first run.

    Raises:
        InvalidPlayer, InvalidGame, InvalidSetting, UnknownPreset: if the name is not allowed or already taken, or this
            database cannot store the machine.

    >>> row = import_machine(store, Machine("menace", "X"), "Adam")
    >>> row.games, store.runs()[-1].kind
    (0, 'import')
    """
    name, positions = check_name(name), positions_of(store)
    machine = learners.checked(machine, positions)
    with store.transaction():
        row = learners.add_machine(store, machine, name)
        machine.name, machine.learner_id = row.name, row.learner_id
        imported = Imported(row.games, **machine.learned.moving)
        block_id = add_own_run(store, row, IMPORT, RunOptions(imported=imported))
        store.add_imported(
            (block_id, row.learner_id, position, *(*rest, None, None)[:1], amount, count, *(*rest, None, None)[1:2])
            for position, *rest, amount, count in learners.learned_rows(machine, machine.learned.kept.nonzero()[0])
        )
        store.add_evaluations(evaluation_rows(block_id, machine))
    return row


def add_own_run(store: Store, row: LearnerRow, kind: RunType, options: RunOptions = NO_OPTIONS) -> int:
    """Insert a run with one learner and no games, and return its block's id. Must be called within a transaction.

    >>> with store.transaction():
    ...     block_id = add_own_run(store, store.learner("menace-x"), COPY, RunOptions(copied_from=1))
    >>> store.block(block_id).kind, store.runs()[-1].o_player
    ('copy', 'nobody')
    """
    players: Players = row.plays.x_and_o(row, NOBODY)
    _, block_id = _insert(store, kind, players, row.plays.x_and_o(True, False), 0, 0, options, now())
    return block_id


def _insert(
    store: Store,
    kind: RunType,
    players: Players,
    learns: tuple[bool, bool],
    games: int,
    seed: int,
    options: RunOptions,
    finished_at: str | None,
) -> tuple[int, int]:
    """Insert a run and its first block, and return both ids."""
    store.check_file()
    columns: dict[str, object] = {}
    for side, player, learned in zip("xo", players, learns, strict=True):
        name, learner_id = (player, None) if isinstance(player, str) else (player.name, player.learner_id)
        columns |= {f"{side}_player": name, f"{side}_learner_id": learner_id, f"{side}_learns": int(learned)}
    run_id = store.add_run(
        kind=kind.name,
        **columns,
        games_wanted=games,
        games_played=0,
        seed=seed,
        options=options.to_json(),
        version=__version__,
        finished_at=finished_at,
    )
    return run_id, store.add_block(run_id, kind.blocks.name, 0, (0, 0, 0), 0, 0)


def unfinished_run(store: Store, run_id: int | None = None) -> Run:
    """Return an interrupted run, or the latest interrupted run if `run_id` is None.

    Raises:
        UnknownRun, InvalidRun: if there is no such run, or it is already finished.

    >>> run = order(store, SelfPlay(games=500, seed=1))
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
            raise InvalidRun("no run was interrupted; `menace runs` lists all runs")
        return interrupted[-1]
    run = store.run(run_id)
    if run.finished_at is not None:
        ended = "is finished" if run.games_played == run.games_wanted else "was abandoned"
        if run_id in store.stopped_runs():
            ended = "ended because a first box was empty"
        raise InvalidRun(f"run {run_id} {ended}; `menace selfplay` or `menace train` starts a new one")
    return run


def taught_meanwhile(store: Store, run: Run) -> list[int]:
    """Return the ids of the learners in an interrupted run that other runs have trained since this run began.

    Because these learners have changed, resuming the run gives a different result from an uninterrupted run.

    >>> from menace.ledger.training import carry_out
    >>> run = order(store, SelfPlay(games=500, seed=1))
    >>> trained = carry_out(store, order(store, Training("menace-x", "random", games=50, seed=2)))
    >>> taught_meanwhile(store, run)
    [1]
    """
    with store.snapshot():
        runs, learner_ids = {row.run_id: row for row in store.runs()}, set[int]()
        for block in store.blocks():
            if block.run_id == run.run_id:
                learner_ids.clear()
            else:
                learner_ids.update(set(run.taught).intersection(runs[block.run_id].taught))
        return sorted(learner_ids)


def abandon(store: Store, run_id: int) -> Run:
    """End an interrupted run, and keep everything that its learners have learned.

    >>> run = order(store, SelfPlay(games=500, seed=1))
    >>> run.finished_at is None, abandon(store, run.run_id).finished_at is None
    (True, False)
    """
    with store.transaction():
        run = unfinished_run(store, run_id)
        store.update_run(run_id, run.games_played, now())
        return store.run(run_id)


def get_or_create_learner(store: Store, name: str) -> LearnerRow:
    """Return a learner by name. If a default learner is missing, create it.

    Raises:
        UnknownLearner: if there is no such learner, and the name is not that of a default learner.

    >>> get_or_create_learner(store, "menace-x").games
    100
    """
    if not store.has_learner(name) and name in DEFAULT_LEARNERS:
        try:
            return learners.new_learner(store, name, DEFAULT_LEARNERS[name])
        except InvalidPlayer:
            if not store.has_learner(name):  # another program may have created the learner in the meantime
                raise
    return store.learner(name)


def default_opponent(store: Store, person: SideText | None) -> LearnerRow:
    """Return the default learner for a game with a person. If the learner is missing, create it.

    A person plays O by default, because Michie's machine played first.

    >>> default_opponent(store, None).name, default_opponent(store, "X").name
    ('menace-x', 'menace-o')
    """
    side = Side(person).other if person else Side.X
    return get_or_create_learner(store, default_learner(side))


def taught_side(store: Store, run_order: Training) -> Side:
    """Return the side of an order's learner, even if the learner does not exist yet.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> taught_side(store, Training("menace-o", "random"))
    'O'
    """
    name = run_order.learner
    return (
        DEFAULT_LEARNERS[name]
        if name in DEFAULT_LEARNERS and not store.has_learner(name)
        else store.learner(name).plays
    )


def _learner_or_default(store: Store, name: str | None, side: Side) -> LearnerRow:
    row = get_or_create_learner(store, default_learner(side) if name is None else name)
    if row.plays != side:
        raise InvalidPlayer(f"machine {row.name} plays {row.plays}, not {side}; choose a machine that plays {side}")
    return row


def _opponent(store: Store, positions: Positions, learner: LearnerRow, against: str) -> LearnerRow | str:
    if is_fixed(against):
        # raises an error for an invalid P, or for an opponent that cannot play the game
        fixed_weights(against, positions)
        return against
    if not store.has_learner(against) and against != default_learner(learner.plays.other):
        machines = [row.name for row in store.learners() if row.plays != learner.plays]
        fixed = opponents_of_side(store, positions.title, learner.plays.other)
        raise InvalidPlayer(
            f"unknown opponent {against!r}; {did_you_mean(against, [*fixed, *machines])}choose one of "
            f"{', '.join(fixed)}, or a machine that plays {learner.plays.other} ({', '.join(machines) or 'none yet'})"
        )
    row = get_or_create_learner(store, against)
    if row.plays == learner.plays:
        raise InvalidPlayer(
            f"machines {learner.name} and {against} both play {row.plays}; choose a machine for each side"
        )
    return row


def add_run(
    store: Store,
    positions: Positions,
    kind: RunType,
    players: Players,
    learns: tuple[bool, bool],
    games: int,
    seed: int | None,
    options: RunOptions = NO_OPTIONS,
) -> Run:
    """Insert a run of games with its first block. Must be called within a transaction.

    >>> positions, x = positions_of(store), store.learner("menace-x")
    >>> with store.transaction():
    ...     run = add_run(store, positions, TRAIN, (x, "random"), (True, False), games=500, seed=1)
    >>> run.x_player, run.o_player, store.blocks(run.run_id)[0].games
    ('menace-x', 'random', 0)
    """
    for side, player in zip(Side, players, strict=True):
        if isinstance(player, str):
            store_policies(store, player, side)
    # The first block has no games; it records the learners' strengths before the first game.
    run_id, block_id = _insert(store, kind, players, learns, games, new_seed() if seed is None else seed, options, None)
    run = store.run(run_id)
    # Load all learners, even those that do not learn, so that no run begins with a damaged learner.
    loaded = learners.load_machines(store, positions, run.learner_ids)
    for learner_id in run.taught:
        store.add_evaluations(evaluation_rows(block_id, loaded[learner_id]))
    return run
