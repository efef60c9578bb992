"""Games between machines, which are not recorded: replayed on demand, move by move, from the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from menace.arena.play_loop import Arena
from menace.errors import InvalidRun
from menace.games.base import Board, Outcome
from menace.ledger.block_types import GAMES, run_type
from menace.ledger.log_reader import needed_for, read_log
from menace.ledger.recorded_game import last_game
from menace.ledger.replay import fresh_machines, replay_parts
from menace.ledger.store import Run, Store
from menace.ledger.stored_positions import positions_of
from menace.wording import counted

GAMES_MOST = 10_000  # that are returned at a time


@dataclass(frozen=True)
class MachineGame:
    """A game of a run, between machines or with a fixed opponent.

    Attributes:
        number: within the run, from 1.
        moves: their names, on boards that stand for all their images.
        boards: before each move, and after the last.
        explored: for each move, whether its player explored.
        outcome: `X`, `O` or `draw`.
        resigned: whether it ended because the side to move had an empty box.
    """

    number: int
    moves: tuple[str, ...]
    boards: tuple[Board, ...]
    explored: tuple[bool, ...]
    outcome: Outcome
    resigned: bool


def games_of_run(store: Store, run_id: int, first: int = 1, count: int = 1) -> list[MachineGame]:
    """Return some games of a run as they were played, by replaying what taught its machines until then.

    Args:
        store: the database.
        run_id: of a run of games between machines.
        first: number of the first game, from 1.
        count: how many, at most; the run may have fewer.

    Raises:
        UnknownRun: if there is no such run.
        InvalidRun: if its games are no machines', or it has not so many.

    >>> [game.moves for game in games_of_run(store, 1, first=2)]
    [('4', '0', '8', '1', '3', '6', '7', '5', '2')]
    """
    run = store.run(run_id)
    if run_type(run).blocks is not GAMES:
        raise InvalidRun(f"run {run_id} is of kind {run.kind}: `menace games` lists games with people")
    if not 1 <= first <= run.games_played or not 1 <= count <= GAMES_MOST:
        raise InvalidRun(
            f"run {run_id} has played {counted(run.games_played, 'game')}; name them from 1 to {run.games_played:,},"
            f" and {GAMES_MOST:,} at a time at most"
        )
    last = min(first + count - 1, run.games_played)
    return list(_replayed(store, run, first, last))


def _replayed(store: Store, run: Run, first: int, last: int) -> Iterator[MachineGame]:
    log, arena = read_log(store), Arena(positions_of(store))
    machines, played = fresh_machines(log, arena, needed_for(log, set(run.learner_ids))), 0

    def at_a_time(other: Run) -> int:
        if other.run_id != run.run_id:
            return other.games_wanted
        return max(first - 1 - played, 1)

    for part, outcomes in replay_parts(arena, log, machines, at_a_time):
        if part.run_id != run.run_id:
            continue
        played += sum(outcomes)
        if played >= first:
            yield _game(arena, played)
        if played >= last:
            return


def _game(arena: Arena, number: int) -> MachineGame:
    """Return the game that the arena's record holds."""
    recorded, boards = last_game(arena)
    explored = tuple(map(bool, recorded.explored))
    names = tuple(map(arena.positions.game.name_of, boards, recorded.actions))
    resigned = recorded.ended_by == "resignation"
    return MachineGame(number, names, tuple(boards), explored, recorded.outcome, resigned)
