"""Who sits in a run: its learners and other players, at the arena, and what its options say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from menace import kernel
from menace.arena.loop import Arena
from menace.arena.phases import json_object
from menace.errors import InvalidPlayer
from menace.games.base import Side
from menace.ledger.machines import Learner, check_name
from menace.ledger.store import BlockRow, LearnerRow, RunRow

NOBODY = "nobody"  # on the other side of a copy or a recount
HUMAN = "human"  # the player of a run with a person, on that person's side

Machines: TypeAlias = Mapping[int, Learner]  # by learner_id


def players(
    arena: Arena, run: RunRow, machines: Machines, epsilon: tuple[float, float], games: int = 0
) -> tuple[kernel.FixedPlayer, kernel.FixedPlayer]:
    """Return X and O of a run; to play them changes what the machines that learn in it have learned.

    `epsilon` is what a phase says for X and for O, or below 0 where it says nothing (phases.py); `games` of the run are
    played, for a fixed opponent that does not play alike in all of them.

    >>> from menace.ledger.machines import named_machine
    >>> machines = {row.learner_id: named_machine(store, row.name) for row in store.learners()}
    >>> run, arena = store.run(1)._replace(o_player="random", o_learner_id=None), Arena(machines[1].positions)
    >>> [type(player).__name__ for player in players(arena, run, machines, epsilon=(-1.0, -1.0))]
    ['BeadPlayer', 'FixedPlayer']
    """
    return (
        _player(arena, run.x_player, run.x_learner_id, run.x_learns, machines, epsilon[0], games),
        _player(arena, run.o_player, run.o_learner_id, run.o_learns, machines, epsilon[1], games),
    )


def _player(
    arena: Arena, text: str, learner_id: int | None, learns: int, machines: Machines, epsilon: float, games: int
) -> kernel.FixedPlayer:
    if learner_id is None:
        return arena.fixed_player(text, games + 1)
    # A learner that is kept from learning may restock a box while it plays; nothing of that must stay.
    machine = machines[learner_id] if learns else machines[learner_id].copy()
    return machine.sit(arena.graph, learns=bool(learns), epsilon=epsilon)


def fixed_in(run: RunRow) -> list[str]:
    """Return the names of the players of a run that are no learners of the database.

    >>> fixed_in(store.run(1)), fixed_in(store.run(1)._replace(o_player="random", o_learner_id=None))
    ([], ['random'])
    """
    seats = ((run.x_player, run.x_learner_id), (run.o_player, run.o_learner_id))
    return [text for text, learner_id in seats if learner_id is None]


def learners_of(run: RunRow) -> list[int]:
    """Return the numbers of the learners that play in a run, or of the one that it copies.

    >>> learners_of(store.run(1))
    [1, 2]
    """
    seats = (run.x_learner_id, run.o_learner_id, copied_from(run))
    return [learner_id for learner_id in seats if learner_id is not None]


def copied_from(run: RunRow) -> int | None:
    """Return the number of the learner that a run of kind `copy` starts another from.

    >>> copied_from(store.run(1)._replace(kind="copy", options='{"copied_from": 1}')), copied_from(store.run(1))
    (1, None)
    """
    learner_id: int | None = options_of(run).get("copied_from")
    if learner_id is not None and type(learner_id) is not int:
        raise ValueError(f"run {run.run_id} says that it copied {learner_id!r}, which is not a learner's number")
    return learner_id


def takes_back(run: RunRow) -> int | None:
    """Return the number of the block that a run of kind `forget` takes back.

    >>> takes_back(store.run(1)._replace(kind="forget", options='{"takes_back": 7}')), takes_back(store.run(1))
    (7, None)
    """
    block_id: int | None = options_of(run).get("takes_back")
    if block_id is not None and type(block_id) is not int:
        raise ValueError(f"run {run.run_id} says that it took back {block_id!r}, which is not a block's number")
    return block_id


def taught_by(run: RunRow) -> list[int]:
    """Return the numbers of the learners that learn in a run.

    >>> taught_by(store.run(1)), taught_by(store.run(1)._replace(o_learns=0))
    ([1, 2], [1])
    """
    seats = ((run.x_learner_id, run.x_learns), (run.o_learner_id, run.o_learns))
    return [learner_id for learner_id, learns in seats if learner_id is not None and learns]


def machine_side(run: RunRow) -> Side:
    """Return the side that the machine plays in a run with a person.

    >>> machine_side(store.run(1)._replace(o_player=HUMAN))
    'X'
    """
    return Side.X if run.o_player == HUMAN else Side.O


def is_physical(run: RunRow) -> bool:
    """Say whether a run's machine draws real beads from real boxes.

    >>> is_physical(store.run(1)), is_physical(store.run(1)._replace(options='{"physical": true}'))
    (False, True)
    """
    return bool(options_of(run).get("physical"))


def is_greedy(run: RunRow) -> bool:
    """Say whether the learner of a run with a person played its best each time.

    Raises:
        ValueError: if the options say something else than yes, which only damage explains.

    >>> is_greedy(store.run(1)), is_greedy(store.run(1)._replace(options='{"greedy": true}'))
    (False, True)
    """
    return _says(run, "greedy")


def goes_on(run: RunRow) -> bool:
    """Say whether a run goes on where a machine has nothing left for its first move; those games are lost.

    Raises:
        ValueError: if the options say something else than yes, which only damage explains.

    >>> goes_on(store.run(1)), goes_on(store.run(1)._replace(options='{"go_on": true}'))
    (False, True)
    """
    return _says(run, "go_on")


def _says(run: RunRow, option: str) -> bool:
    found = options_of(run).get(option, False)
    if not isinstance(found, bool):
        raise ValueError(f"run {run.run_id} says {option}: {found!r}, which is neither true nor false")
    return found


def blocks_taken_back(runs: Iterable[RunRow]) -> set[int]:
    """Return the numbers of the blocks that were taken back later.

    >>> blocks_taken_back([store.run(1)._replace(kind="forget", options='{"takes_back": 7}'), store.run(1)])
    {7}
    """
    return {named for run in runs if (named := takes_back(run)) is not None}


def person_of(run: RunRow) -> str | None:
    """Return the name that the person of a run gave, or None.

    Raises:
        ValueError: if it is not a name, which only damage explains.

    >>> person_of(store.run(1)._replace(options='{"person": "Anna"}')), person_of(store.run(1))
    ('Anna', None)
    """
    name = options_of(run).get("person")
    if name is None:
        return None
    try:
        if isinstance(name, str) and check_name(name) == name:
            return name
    except InvalidPlayer:
        pass
    raise ValueError(f"run {run.run_id} says that {name!r} played in it, which is not a name as menace writes it")


def options_of(run: RunRow) -> dict[str, Any]:
    """Return the options of a run.

    Raises:
        ValueError: if they are no JSON object, which only damage explains.

    >>> options_of(store.run(1)._replace(options='{"physical": true}'))
    {'physical': True}
    """
    return json_object(run.options)


def names_now(run: RunRow, learners: Mapping[int, LearnerRow]) -> tuple[str, str]:
    """Return what X and O of a run are called: learners by the names that they have now, people by the one they gave.

    >>> learners = {row.learner_id: row for row in store.learners()}
    >>> learners[1] = learners[1]._replace(name="Adam")
    >>> names_now(store.run(1), learners), store.run(1).x_player
    (('Adam', 'menace-o'), 'menace-x')
    >>> names_now(store.run(1)._replace(o_player=HUMAN, o_learner_id=None, options='{"person": "Anna"}'), learners)
    ('Adam', 'Anna')
    """
    person = person_of(run) or HUMAN
    seats = ((run.x_player, run.x_learner_id), (run.o_player, run.o_learner_id))
    x, o = (
        learners[learner_id].name if learner_id is not None else person if text == HUMAN else text
        for text, learner_id in seats
    )
    return x, o


def taught_since(run: RunRow, blocks: Iterable[BlockRow], runs: Mapping[int, RunRow]) -> set[int]:
    """Return the learners of a run that other runs have taught since its last block.

    >>> run, other = store.run(1), store.run(1)._replace(run_id=2, o_learns=0)
    >>> block = store.blocks()[-1]._replace(run_id=2)
    >>> taught_since(run, [*store.blocks(), block], {1: run, 2: other})
    {1}
    """
    found: set[int] = set()
    for block in blocks:
        if block.run_id == run.run_id:
            found.clear()
        else:
            found |= set(taught_by(run)) & set(taught_by(runs[block.run_id]))
    return found
