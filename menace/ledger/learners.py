"""Create, load, save, rename, copy and delete the learners of a database, and find players by name."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from menace.arena.play import Arena, check_seed, new_seed
from menace.errors import InvalidGame, InvalidPlayer, InvalidRun, InvalidSetting, RevisionMismatch
from menace.games.base import Side, SideText, cell_count
from menace.games.enumeration import HIGHEST_ACTION
from menace.games.plugins import is_file
from menace.games.positions import Positions, check_same_game
from menace.kernel import loop as kernel
from menace.learners import registry
from menace.learners.algorithm import ARRAYS, STATE, Learned
from menace.learners.machine import Machine
from menace.learners.opponents import functions
from menace.learners.opponents.fixed import check_side, is_fixed, opponents_for
from menace.learners.policy import PolicyFunction
from menace.learners.settings import from_json, to_json
from menace.ledger.positions import ROWS_AT_ONCE, integer_column, number_column, positions_of
from menace.ledger.store import Store, as_corruption, damaged, records
from menace.text.bead_colours import Naming, Scheme, check_naming, naming_for
from menace.text.wording import BEGINNER, counted

# maximum number of games from which an added learner may have learned; it can then learn from as many more
MAX_ADDED_GAMES = records.MAX_COUNT // 2
LACKS_ROWS = "rows of machine {} are missing"


class Machines(dict[int, Machine]):
    """A dictionary of machines by learner_id.

    Attributes:
        earlier: a dictionary from (learner_id, block_id) to the learner's state before a block that was later undone. A
            replay fills this dictionary.
    """

    def __init__(self, machines: Mapping[int, Machine]) -> None:
        super().__init__(machines)
        self.earlier: dict[tuple[int, int], Learned] = {}


def new_learner(
    store: Store,
    name: str,
    plays: SideText,
    preset: str = registry.DEFAULT_PRESET,
    settings: Mapping[str, object] | None = None,
    seed: int | None = None,
    colours: Scheme | None = None,
    numbering: Scheme | None = None,
) -> records.LearnerRow:
    """Create an untrained learner in a transaction.

    Args:
        store: the database.
        name: the name of the learner, which must not be taken.
        plays: its side, `X` or `O`.
        preset: the preset that provides its settings.
        settings: settings that replace those of the preset, as values or as strings from `--set KEY=VALUE`.
        seed: the seed for random initial values, 0 to 2^63 - 1; None takes a seed from the operating system. The seed
            has no effect unless the settings ask for random initial values.
        colours: the naming scheme for its beads (menace/text/bead_colours.py); None selects the preset's scheme if the
            game has Michie's nine cells, otherwise `menace`.
        numbering: the naming scheme for cells; None has the same meaning as for `colours`.

    Raises:
        InvalidPlayer, UnknownPreset, InvalidSetting, InvalidRun: if an argument is not allowed.

    >>> row = new_learner(store, "Adam", "X", "scroggs")
    >>> row.learner_id, row.preset, row.games
    (3, 'scroggs', 0)
    """
    positions = positions_of(store)
    name, side = registry.check_name(name), Side(plays)
    registry.check_fits(preset, positions.title)
    algorithm, values = registry.preset_settings(preset, side, settings or {})
    title, cells = positions.title, cell_count(positions.game)
    check_naming(title, cells, Naming().with_schemes(colours, numbering))
    naming = naming_for(title, cells, registry.get_preset(preset).naming).with_schemes(colours, numbering)
    if not values.needs_seed:
        seed = None
    elif seed is None:
        seed = new_seed()
    else:
        check_seed(seed)
    machine = Machine.fresh(algorithm, values, positions, side.number, seed)
    machine.preset, machine.naming = preset, naming
    with store.transaction():
        store.check_file()
        return add_machine(store, machine, name)


def new_beginner(positions: Positions) -> Machine:
    """Return an untrained in-memory machine for the side that can learn to win.

    >>> from menace.games.enumeration import tictactoe
    >>> new_beginner(tictactoe()).name, new_beginner(tictactoe()).plays
    ('beginner', 'X')
    """
    machine = Machine(registry.DEFAULT_PRESET, positions.winner or Side.X, positions)
    machine.name = BEGINNER
    return machine


def add_machine(store: Store, machine: Machine, name: str) -> records.LearnerRow:
    """Create a learner from a machine in its current state. Must be called within a transaction.

    The function does not check the machine; call `checked` first.

    >>> with store.transaction():
    ...     add_machine(store, Machine("zhang", "X"), "Adam").algorithm
    'td'
    """
    return _insert(
        store,
        machine,
        name=name,
        plays=machine.plays,
        algorithm=machine.algorithm.name,
        revision=machine.algorithm.revision,
        preset=machine.preset,
        settings=to_json(machine.settings),
        seed=machine.seed,
        colours=machine.naming.colours,
        numbering=machine.naming.numbering,
        games=machine.learned.games,
        **machine.learned.moving,
    )


def checked(machine: Machine, positions: Positions) -> Machine:
    """Check all parts of an in-memory machine, and return a copy that a database of this game can store.

    Raises:
        InvalidGame: if the machine belongs to another game.
        InvalidPlayer, InvalidSetting, UnknownPreset: if the object is not a machine, its preset, settings or naming are
            not allowed, or its learned state is impossible for such a machine.

    >>> machine = Machine("menace", "X")
    >>> machine.learned.amount[0] = -1
    >>> checked(machine, machine.positions)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidPlayer: machine menace cannot be stored: beads is -1, not an integer from 0 to 67,108,863
    """
    if not isinstance(machine, Machine):
        raise InvalidPlayer(
            f"{machine!r} is not a machine in memory; create one with `menace.Machine` or a learner's `machine()`"
        )
    theirs, ours = ((game.title, game.symmetry) for game in (machine.positions, positions))
    if theirs != ours:
        raise InvalidGame(
            f"machine {machine.name} plays {theirs[0]} (symmetry {theirs[1]}), but this database contains {ours[0]}"
            f" (symmetry {ours[1]}); create the machine with the `positions` of this database"
        )
    check_same_game(positions, machine.positions)
    registry.check_fits(machine.preset, positions.title)
    algorithm, settings = registry.preset_settings(machine.preset, machine.plays, asdict(machine.settings))
    check_naming(positions.title, cell_count(positions.game), machine.naming)
    kept = Machine.fresh(algorithm, settings, positions, machine.side, machine.seed)
    kept.name, kept.preset, kept.naming = machine.name, machine.preset, machine.naming
    try:
        _check_arrays(machine.learned, kept.learned)
        moving = records.Imported(operator.index(machine.learned.games), **machine.learned.moving)
        for column, value in moving._asdict().items():
            if not records.fits(records.LearnerRow, column, value):
                raise ValueError(f"its {column} cannot be {value}")
        if abs(moving.set_sum or 0) > (moving.set_games or 0):
            raise ValueError(f"its set_sum cannot be {moving.set_sum} if its set_games is {moving.set_games}")
        if max(moving.games, machine.learned.count.max(initial=0)) > MAX_ADDED_GAMES:
            raise ValueError(f"it cannot have learned from more than {counted(MAX_ADDED_GAMES, 'game')}")
        restore(kept, [list(learned_rows(machine, np.flatnonzero(kept.learned.kept)))], moving)
    except (ValueError, TypeError) as error:
        raise InvalidPlayer(f"machine {machine.name} cannot be stored: {error}") from None
    return kept


def _check_arrays(learned: Learned, expected: Learned) -> None:
    """Raise ValueError unless the arrays have the same types and lengths as the `expected` arrays."""
    for name in ("kept", *ARRAYS):
        array, right = getattr(learned, name), getattr(expected, name)
        if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (right.shape, right.dtype):
            raise ValueError(f"learned.{name} is not an array of {right.dtype}, of {counted(len(right), 'entry')}")
    if not np.array_equal(learned.kept, expected.kept):
        raise ValueError("learned.kept does not match its settings")


def _insert(store: Store, machine: Machine, **columns: object) -> records.LearnerRow:
    """Insert a learner with the given columns and a machine's learned state. Must be called within a transaction."""
    learner_id = store.add_learner(**columns)
    rows = learned_rows(machine, np.flatnonzero(machine.learned.kept))
    store.add_learned_rows(machine.algorithm.stored_as, learner_id, rows)
    return store.learner_by_id(learner_id)


def add_copy(store: Store, row: records.LearnerRow, name: str) -> records.LearnerRow:
    """Create a copy of a learner with its settings and learned state. Must be called within a transaction.

    >>> with store.transaction():
    ...     row = add_copy(store, store.learner("menace-x"), "Adam")
    >>> row.name, row.games
    ('Adam', 100)
    """
    machine = load_machine(store, positions_of(store), row)
    return _insert(store, machine, **{**row._asdict(), "learner_id": None, "name": name, "deleted_at": None})


def rename_learner(store: Store, old: str, new: str) -> None:
    """Rename a learner.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or the new name is not allowed or taken.

    >>> rename_learner(store, "menace-x", "Adam")
    >>> [row.name for row in store.learners()]
    ['Adam', 'menace-o']
    """
    new = registry.check_name(new)
    with store.transaction():
        store.rename_learner(old, new)


def check_untaught(row: records.LearnerRow, way: str) -> None:
    """Raise InvalidRun if a learner has learned from games. `way` tells the user how to delete the learner anyway."""
    if row.games:
        raise InvalidRun(
            f"{row.name} has learned from {counted(row.games, 'game')}, which cannot be recovered; {way} it anyway"
        )


def delete_learner(store: Store, name: str) -> bool:
    """Delete a learner, so that its name can be used again.

    A learner that the log refers to is hidden but stays in the file, because `verify` replays games of the learner, its
    opponents and its copies. Any other learner is removed from the file.

    Returns:
        True if the learner was removed, False if it was hidden.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> delete_learner(store, "menace-x"), [row.name for row in store.learners()]
    (False, ['menace-o'])
    >>> store.learners_and_deleted()[0].name
    'menace-x (deleted 1)'
    """
    with store.transaction():
        row = store.learner(name)
        runs = [run for run in store.runs() if row.learner_id in run.learner_ids]
        for run in runs:
            if run.finished_at is None:
                raise InvalidRun(
                    f"run {run.run_id} of {row.name} is unfinished; `menace resume {run.run_id}` finishes it,"
                    f" and `menace abandon {run.run_id}` ends it now"
                )
        store.check_file()
        if not runs:
            store.remove_learner(row.learner_id)
            return True
        # No learner can take this name, because names must not contain brackets.
        mark = f" (deleted {row.learner_id})"
        store.hide_learner(row.learner_id, row.name[: registry.MAX_NAME_LENGTH - len(mark)] + mark)
        return False


def fresh_machine(positions: Positions, row: records.LearnerRow) -> Machine:
    """Return a learner's machine as it was before its first game.

    Raises:
        RevisionMismatch: if this version of menace has a different revision of the learner's algorithm, or lacks the
            algorithm.

    >>> fresh_machine(positions_of(store), store.learner("menace-x")).learned.games
    0
    """
    algorithm = registry.LEARNERS.get(row.algorithm)
    if algorithm is None or algorithm.revision != row.revision:
        here = "does not know it" if algorithm is None else f"has revision {algorithm.revision}"
        raise RevisionMismatch(
            f"machine {row.name} uses revision {row.revision} of {row.algorithm}, but this version of menace {here};"
            " use the version that trained the machine (`menace query runs` lists it), or train a new machine"
        )
    settings = settings_of(row)
    try:
        machine = Machine.fresh(algorithm, settings, positions, row.plays.number, row.seed)
    except InvalidSetting as error:
        raise damaged(f"machine {row.name}", f"its settings do not fit this game: {error}") from None
    machine.name, machine.preset, machine.naming, machine.learner_id = row.name, row.preset, row.naming, row.learner_id
    return machine


def settings_of(row: records.LearnerRow) -> Any:
    """Return the settings of a learner whose algorithm is known.

    >>> settings_of(store.learner("menace-x")).beads
    (4, 3, 2, 1)
    """
    try:
        return _settings(row.algorithm, row.settings)
    except InvalidSetting as error:
        raise damaged(f"machine {row.name}", f"its settings cannot be read: {error}") from None


@lru_cache(maxsize=64)
def _settings(algorithm: str, text: str) -> Any:
    """Parse settings into a frozen object. Results are cached, because many learners share the same settings."""
    return from_json(registry.LEARNERS[algorithm].settings, text)


def load_machine(store: Store, positions: Positions, row: records.LearnerRow) -> Machine:
    """Return a learner's machine, with the learned state loaded from the database.

    Raises:
        StoreError: if rows are missing, contain invalid values, or should not be there.

    >>> load_machine(store, positions_of(store), store.learner("menace-o")).learned.games
    100
    """
    with as_corruption(store.path):
        machine = fresh_machine(positions, row)
        restore(machine, store.learned_batches(machine.algorithm.stored_as, row.learner_id, ROWS_AT_ONCE), row)
    return machine


def restore(
    machine: Machine, batches: Iterable[Sequence[tuple[Any, ...]]], moving: records.LearnerRow | records.Imported
) -> None:
    """Check a learned state and load it into a machine. The check is needed because the kernel does not check its data.

    Args:
        machine: a new machine with the learner's settings.
        batches: batches of rows as `learned_rows` yields them.
        moving: the columns that change with the learner's games.

    Raises:
        ValueError: if rows are missing, contain invalid values, or should not be there.

    >>> machine, other = named_machine(store, "menace-x"), Machine("menace", "X")
    >>> rows = list(learned_rows(machine, np.flatnonzero(machine.learned.kept)))
    >>> restore(other, [rows], records.Imported(games=100))
    >>> other.learned.games, bool((other.learned.amount == machine.learned.amount).all())
    (100, True)
    """
    learned = machine.learned
    kept, filled = np.flatnonzero(learned.kept), 0
    for batch in batches:
        _fill(machine, kept[filled : filled + len(batch)], batch)
        filled += len(batch)
    if filled != len(kept):
        raise ValueError(LACKS_ROWS.format(machine.name))
    state = np.array([getattr(moving, name) for name in STATE], np.float64)  # None becomes NaN
    if np.any(np.isnan(state) != np.isnan(learned.state)):
        raise ValueError(
            f"machine {machine.name} has an epsilon or a mean of outcomes that its settings do not use,"
            " or lacks one that its settings require"
        )
    learned.state[:] = state
    learned.games = moving.games


def load_machines(store: Store, positions: Positions, learner_ids: Iterable[int]) -> Machines:
    """Return a dictionary from learner_id to machine.

    Raises StoreError if one is missing or damaged, as `load_machine` does.

    >>> [machine.name for machine in load_machines(store, positions_of(store), [1, 2]).values()]
    ['menace-x', 'menace-o']
    """
    return Machines({i: load_machine(store, positions, store.learner_by_id(i)) for i in learner_ids})


def named_machine(store: Store, name: str) -> Machine:
    """Return the machine of the learner with the given name, in its current state.

    Raises:
        UnknownLearner: if there is no such learner.
        StoreError: as for `load_machine`.

    >>> box = named_machine(store, "menace-x").learned.amount[:3]
    >>> box.tolist()  # beads for the first moves, four of each before
    [16, 1, 153]
    """
    with store.snapshot():
        return load_machine(store, positions_of(store), store.learner(name))


def _fill(machine: Machine, entries: NDArray[np.intp], rows: Sequence[tuple[Any, ...]]) -> None:
    """Copy rows into the entries of a new machine. Raises ValueError if the rows do not match the entries."""
    learned, (least, most) = machine.learned, machine.algorithm.amounts
    *keys, amounts, counts = zip(*rows, strict=True)
    halves = keys.pop() if machine.algorithm.values_moves else ()
    key_columns = [integer_column(column, "a key", 0, HIGHEST_ACTION) for column in keys]
    if not all(map(np.array_equal, key_columns, (key[entries] for key in machine.entry_keys))):
        raise ValueError(LACKS_ROWS.format(machine.name))
    if machine.has_beads:
        learned.amount[entries] = integer_column(amounts, "beads", int(least), int(most))
    else:
        learned.amount[entries] = number_column(amounts, "value", least, most)
    if len(learned.half_difference):
        learned.half_difference[entries] = number_column(halves, "half a difference", least, most)
    elif any(half is not None for half in halves):
        raise ValueError(
            f"machine {machine.name} has two values for a move, but {machine.algorithm.name} stores only one"
        )
    learned.count[entries] = integer_column(counts, "a count", 0, records.MAX_COUNT)


def save_machine(store: Store, machine: Machine, before: Learned) -> None:
    """Write the parts of a machine's learned state that differ from `before`. Must be called within a transaction.

    >>> machine = named_machine(store, "menace-x")
    >>> before = machine.learned.copy()
    >>> machine.learned.amount[0] += 1
    >>> with store.transaction():
    ...     save_machine(store, machine, before)
    >>> int(named_machine(store, "menace-x").learned.amount[0] - before.amount[0])
    1
    """
    learned = machine.learned
    rows = learned_rows(machine, np.flatnonzero(learned.differs(before)))
    store.update_learned_rows(machine.algorithm.stored_as, machine.learner_id, rows)
    store.update_learner(machine.learner_id, learned.games, learned.moving)


def learned_rows(machine: Machine, entries: NDArray[np.intp]) -> Iterator[tuple[Any, ...]]:
    """Yield the given entries as rows of their database table.

    >>> list(learned_rows(Machine("menace", "X"), np.arange(3)))  # position, action, beads, picked
    [(0, 0, 4, 0), (0, 1, 4, 0), (0, 4, 4, 0)]
    """
    for start in range(0, len(entries), ROWS_AT_ONCE):
        here = entries[start : start + ROWS_AT_ONCE]
        keys = [key[here].tolist() for key in machine.entry_keys]
        if machine.algorithm.values_moves:
            halves = machine.learned.half_difference
            keys.append(halves[here].tolist() if len(halves) else [None] * len(here))
        yield from zip(*keys, machine.amounts_of(here), machine.counts_of(here), strict=True)


def players(
    arena: Arena, run: records.Run, machines: Machines, epsilon: tuple[float, float], games: int = 0
) -> tuple[kernel.FixedPlayer, kernel.FixedPlayer]:
    """Return the kernel players for X and O in a run. Playing games updates the machines that learn in the run.

    Args:
        arena: the arena of the game.
        run: the run.
        machines: the run's learners by id.
        epsilon: the exploration rates of X and O in the current phase. A negative number selects the learner's own
            rate.
        games: the number of games already played in the run, which matters because some opponents change their policy
            during a run.

    >>> machines = {row.learner_id: named_machine(store, row.name) for row in store.learners()}
    >>> run, arena = store.run(1)._replace(o_player="random", o_learner_id=None), Arena(machines[1].positions)
    >>> [type(player).__name__ for player in players(arena, run, machines, epsilon=(-1.0, -1.0))]
    ['BeadPlayer', 'FixedPlayer']
    """

    def player(seat: records.Seat, epsilon: float) -> kernel.FixedPlayer:
        if seat.learner_id is None:
            return arena.fixed_player(seat.player, games + 1)
        # A learner that does not learn in the run may still restock a box while it plays. Such changes must not be
        # saved.
        machine = machines[seat.learner_id] if seat.learns else machines[seat.learner_id].copy()
        return machine.kernel_player(arena.graph, learns=seat.learns, epsilon=epsilon)

    x, o = map(player, run.seats, epsilon)
    return x, o


P = TypeVar("P")


def store_policies(store: Store, player: str, side: Side) -> None:
    """Store the tables that a fixed opponent's name refers to. Must be called within a transaction.

    Raises:
        InvalidPlayer: if the player plays the other side, or one of its tables is not registered in this process.

    >>> with store.transaction():
    ...     store_policies(store, "random:10,perfect", Side.X)  # refers to no tables
    """
    tables = [functions.tabulated(name) for name in functions.tabulated_names(player)]
    if tables:
        check_side(player, side)
    for table in tables:
        store.add_policy(records.PolicyRow(table.name, table.plays, table.hash, table.weights.astype("<i4").tobytes()))


def opponents_of_side(store: Store, title: str, plays: Side) -> dict[str, str]:
    """Return the descriptions of all fixed opponents and stored tables that can play a side, as a dictionary by name.

    Args:
        store: the database.
        title: the title of the database's game.
        plays: the side.

    >>> list(opponents_of_side(store, "hexapawn 3x3", Side.O))[:2]
    ['random', 'optimal']
    """
    fixed = {name: opponent.line for name, opponent in opponents_for(title, store.position_count()).items()}
    return fixed | {row.name: functions.description_of_table(plays) for row in store.policies() if row.plays is plays}


def player_name(store: Store, text: str, plays: SideText | None) -> str:
    """Return the name of the player that a user specified as `text`.

    A function in a file, such as `./my_player.py:novice`, is run, and the name of the resulting table is returned. A
    curriculum may also contain functions. A bare function name, such as `novice`, selects the only stored table of that
    function for this side. If `text` is a name, `plays` may be None, and the table may then be for either side.

    Raises:
        InvalidPlayer: if the database contains several such tables; the message names them.

    >>> player_name(store, "random", "X")
    'random'
    """
    if store.has_learner(text):  # a machine may be named adam.py
        return text
    if plays is not None and is_file(text):
        return functions.tabulate_functions(text, plays, positions_of(store))
    tables = [] if is_fixed(text) else [row.name for row in store.policies() if plays in {None, row.plays}]
    kept = [name for name in tables if name.startswith(f"{text}@")]
    if len(kept) > 1:
        raise InvalidPlayer(f"{text!r} can mean {' or '.join(kept)}; choose one of these names")
    return kept[0] if kept else text


def player_or_function(store: Store, text: str, plays: SideText) -> str | PolicyFunction:
    """Return a function in a file, so that it can be measured exactly, or else the name given by `player_name`.

    >>> player_or_function(store, "random", "X")
    'random'
    """
    if not is_file(text) or "," in text or store.has_learner(text):
        return player_name(store, text, plays)
    return functions.function_in_file(text)


def store_functions(store: Store, references: Sequence[str]) -> None:
    """Store the tables of functions in Python files for both sides, so that pages offer these players.

    Raises:
        InvalidPlayer: if a reference is not a function in a file, or the function fails. Nothing is written in these
            cases.

    >>> store_functions(store, [])
    """
    positions = positions_of(store)
    names = [(functions.tabulate_file(text, side, positions).name, side) for text in references for side in Side]
    with store.transaction():
        for name, side in names:
            store_policies(store, name, side)


def loaded_player(store: Store, positions: Positions, player: P) -> P | Machine:
    """Return the named learner's machine in its current state. Return any other player unchanged.

    >>> loaded_player(store, positions_of(store), "random")
    'random'
    """
    if not isinstance(player, str) or is_fixed(player):
        return player
    return load_machine(store, positions, store.learner(player))
