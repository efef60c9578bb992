"""Where games are played: the kernel's view of the table, the players of a run, and the loop that feeds numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from menace import kernel
from menace.chance import Numbers
from menace.machines import Machine
from menace.phases import json_object
from menace.players import fixed_weights
from menace.store import RunRow
from menace.table import TransitionTable

# Games that use no numbers (a first box that resigns) must end a call in time too.
GAMES_A_CALL = 4096

NOBODY = "nobody"  # on the other side of a copy or a recount
HUMAN = "human"  # the player of a run with a person, on that person's side

Machines: TypeAlias = Mapping[int, Machine]  # by learner_id


@dataclass(frozen=True)
class Played:
    """What was played: games, random numbers used, and games that X won, that were drawn, that O won."""

    games: int
    numbers: int
    outcomes: tuple[int, int, int]


class Arena:
    """A transition table, ready for the kernel."""

    def __init__(self, table: TransitionTable) -> None:
        self.table = table
        self.graph = kernel.Graph(
            table.first_move, table.next_position, table.multiplicity, table.outcome, table.cells, table.longest
        )
        # Position, move, explored, learned of each ply: the kernel writes them, and reads what is written here.
        self.plies = tuple(np.zeros(table.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8))
        self.record = kernel.Record(*self.plies)

    def players(
        self, run: RunRow, machines: Machines, epsilon: tuple[float, float]
    ) -> tuple[kernel.FixedPlayer, kernel.FixedPlayer]:
        """Return X and O of a run; to play them changes what the machines that learn in it have learned.

        `epsilon` is what a phase says for X and for O, or below 0 where it says nothing (phases.py).
        """
        return (
            self._player(run.x_player, run.x_learner_id, run.x_learns, machines, epsilon[0]),
            self._player(run.o_player, run.o_learner_id, run.o_learns, machines, epsilon[1]),
        )

    def _player(
        self, text: str, learner_id: int | None, learns: int, machines: Machines, epsilon: float
    ) -> kernel.FixedPlayer:
        if learner_id is None:
            return self.fixed_player(text)
        machine = machines[learner_id]
        # A learner that is kept from learning may restock a box while it plays; nothing of that must stay.
        learned = machine.learned if learns else machine.learned.copy()
        player = machine.algorithm.player
        return player(machine.settings, self.table, machine.side, self.graph, learned, bool(learns), epsilon)

    def fixed_player(self, text: str) -> kernel.FixedPlayer:
        """Return a fixed opponent. Raises InvalidPlayer if `text` names none."""
        weight = fixed_weights(text, self.table)
        return kernel.FixedPlayer(self.graph, weight, self.table.sum_over_moves(weight).astype(np.int32))

    def play(
        self, x: kernel.FixedPlayer, o: kernel.FixedPlayer, numbers: Numbers, games: int, seconds: float
    ) -> Played:
        """Play `games` games, or fewer if `seconds` have passed."""
        outcomes = np.zeros(3, np.int64)
        counts, buffer = kernel.view(outcomes), kernel.view(numbers.buffer)
        played = used = 0
        end = time.perf_counter() + seconds
        while played < games:
            numbers.refill()
            some = min(games - played, GAMES_A_CALL)
            more, taken = kernel.play_games(self.graph, x, o, self.record, buffer, 0, len(buffer), some, counts)
            numbers.take(taken)
            played += more
            used += taken
            if time.perf_counter() > end:
                break
        x_wins, draws, o_wins = outcomes.tolist()
        return Played(played, used, (x_wins, draws, o_wins))


def learners_of(run: RunRow) -> list[int]:
    """Return the numbers of the learners that play in a run, or of the one that it copies."""
    seats = (run.x_learner_id, run.o_learner_id, copied_from(run))
    return [learner_id for learner_id in seats if learner_id is not None]


def copied_from(run: RunRow) -> int | None:
    """Return the number of the learner that a run of kind `copy` starts another from."""
    learner_id: int | None = options_of(run).get("copied_from")
    if learner_id is not None and type(learner_id) is not int:
        raise ValueError(f"run {run.run_id} says that it copied {learner_id!r}, which is no learner's number")
    return learner_id


def taught_by(run: RunRow) -> list[int]:
    """Return the numbers of the learners that learn in a run."""
    seats = ((run.x_learner_id, run.x_learns), (run.o_learner_id, run.o_learns))
    return [learner_id for learner_id, learns in seats if learner_id is not None and learns]


def machine_side(run: RunRow) -> int:
    """Return the side that the machine plays in a run with a person: 0 for X, 1 for O."""
    return 0 if run.o_player == HUMAN else 1


def is_physical(run: RunRow) -> bool:
    """Say whether a run's machine draws real beads from real boxes."""
    return bool(options_of(run).get("physical"))


def options_of(run: RunRow) -> dict[str, Any]:
    """Return the options of a run.

    Raises:
        ValueError: if they are no JSON object, which only damage explains.
    """
    return json_object(run.options)
