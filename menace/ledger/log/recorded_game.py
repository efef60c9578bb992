"""Represent recorded games, with their actions on the actual boards and the changes that they made to machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from menace.arena.play import Arena
from menace.errors import IllegalMove
from menace.games.base import NUMBER_OF_OUTCOME, Board, Game, Outcome, Side
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.ledger.store import ChangeRow, GameRow
from menace.text.wording import counted


@dataclass(frozen=True)
class RecordedGame:
    """A finished game.

    Attributes:
        actions: the actions on the actual board, from the first ply.
        explored: for each ply, 1 if a machine explored, otherwise 0.
        learned: for each ply, 1 if machines learn from the move, otherwise 0.
        ended_by: `board` if the game ended under its rules, or `resignation` if the side to move resigned.
        outcome: `X`, `O` or `draw`.

    >>> RecordedGame((4, 0, 2), (0, 0, 0), (1, 1, 1), "resignation", "X").columns()
    {'actions': '4,0,2', 'explored': '000', 'learned': '111', 'ended_by': 'resignation', 'outcome': 'X'}
    """

    actions: tuple[int, ...]
    explored: tuple[int, ...]
    learned: tuple[int, ...]
    ended_by: Literal["board", "resignation"]
    outcome: Outcome

    def columns(self) -> dict[str, str]:
        """Return the game as database columns."""
        return {
            "actions": ",".join(map(str, self.actions)),
            "explored": "".join(map(str, self.explored)),
            "learned": "".join(map(str, self.learned)),
            "ended_by": self.ended_by,
            "outcome": self.outcome,
        }

    @classmethod
    def from_row(cls, row: GameRow) -> RecordedGame:
        """Read a game from a database row, without checking that the game follows the rules."""
        actions = tuple(int(action) for action in row.actions.split(",")) if row.actions else ()
        explored, learned = (tuple(int(flag) for flag in flags) for flags in (row.explored, row.learned))
        return cls(actions, explored, learned, row.ended_by, row.outcome)


def last_game(arena: Arena) -> tuple[RecordedGame, list[Board]]:
    """Return an arena's last game and its boards. Each move is represented by the first of its equivalent cells."""
    positions, game = arena.positions, arena.positions.game
    boards, actions = [game.initial], list[int]()
    _, moves, *flags = (column[: arena.record.plies].tolist() for column in arena.plies)
    for move in moves:
        actions.append(positions.actions_for(boards[-1], int(positions.action[move]))[0])
        boards.append(game.play(boards[-1], actions[-1]))
    explored, learned = map(tuple, flags)
    outcome = game.outcome(boards[-1])
    if outcome is not None:
        return RecordedGame(tuple(actions), explored, learned, "board", outcome), boards
    winner = Side.after(len(actions)).other.outcome
    return RecordedGame(tuple(actions), explored, learned, "resignation", winner), boards


def boards_of(game: Game, recorded: RecordedGame) -> list[Board]:
    """Return the boards of a game, from the initial board to the last.

    Raises:
        IllegalMove: if the game does not follow the rules or does not end as recorded.

    >>> from menace.games import get_game
    >>> boards_of(get_game(), RecordedGame((4, 0, 2), (0,) * 3, (1,) * 3, "resignation", "X"))
    ['.........', '....X....', 'O...X....', 'O.X.X....']
    """
    boards = [game.initial]
    for action in recorded.actions:
        boards.append(game.play(boards[-1], action))
    plies = len(recorded.actions)
    flags = (recorded.explored, recorded.learned)
    if any(len(column) != plies or not set(column) <= {0, 1} for column in flags):
        raise IllegalMove(f"a game of {counted(plies, 'move')} must have a flag, 0 or 1, for each move")
    over = game.outcome(boards[-1])
    if recorded.ended_by == "resignation":
        ends = over is None and recorded.outcome == Side.after(plies).other
    else:
        ends = over == recorded.outcome
    if not ends:
        raise IllegalMove(
            f"the game cannot end on board {boards[-1]} by {recorded.ended_by} with the outcome {recorded.outcome}"
        )
    return boards


def learn_from(machine: Machine, path: list[tuple[int, int]], recorded: RecordedGame) -> None:
    """Let a machine learn from a recorded game; `path` contains a pair (position, move) for each ply of the game.

    >>> from menace.ledger.learners import named_machine
    >>> machine = named_machine(store, "menace-x")
    >>> before = int(machine.learned.amount[2])
    >>> game = RecordedGame((4, 0, 2), (0,) * 3, (1,) * 3, "resignation", "X")
    >>> learn_from(machine, machine.positions.path(game.actions), game)
    >>> int(machine.learned.amount[2]) - before  # beads added for the centre after a win
    3
    """
    machine.learn_path(path, NUMBER_OF_OUTCOME[recorded.outcome], recorded.explored, recorded.learned)


@dataclass(frozen=True)
class Change:
    """The change that a game made to one entry of a machine's state.

    Attributes:
        learner_id: the id of the learner.
        ply: the number of earlier moves in the game.
        position_id: the position of `board`, which is the game's board at that ply.
        action: the action on the canonical board; None for the value of the position itself.
        cells: the equivalent cells of `board`; None for the value of the position itself.
        before, after: the number of beads or the value before and after the game.
        put_back: the number of beads added to restock an empty box before learning. The difference between `before` and
            `after` includes these beads.
    """

    learner_id: int
    ply: int
    board: Board
    position_id: int
    action: int | None
    cells: tuple[int, ...] | None
    before: float
    after: float
    put_back: int


def changes(arena: Arena, before: Machine, after: Machine, recorded: RecordedGame) -> tuple[Change, ...]:
    """Return the changes that a recorded game made to a machine, sorted by ply and cell.

    Args:
        arena: the arena for the game.
        before: the machine before it learned from the game.
        after: the machine after it learned from the game.
        recorded: the game.

    >>> from menace.ledger.learners import named_machine
    >>> before = named_machine(store, "menace-x")
    >>> arena, after = Arena(before.positions), before.copy()
    >>> game = RecordedGame((4, 0, 2), (0,) * 3, (1,) * 3, "resignation", "X")
    >>> learn_from(after, arena.positions.path(game.actions), game)
    >>> [(change.board, change.cells, change.after - change.before) for change in changes(arena, before, after, game)]
    [('.........', (4,), 3), ('O...X....', (2, 6), 3)]
    """
    positions = arena.positions
    boards = boards_of(positions.game, recorded)
    path = positions.path(recorded.actions)
    restocked = refilled(arena, before, path).learned.amount
    # A position's ply is the length of the longest path to the position, so the ply in this game may be smaller.
    ply_of = {0: 0} | {int(positions.next_position[move]): ply for ply, (_, move) in enumerate(path, start=1)}
    result = []
    old, new, keys = before.learned, after.learned, before.entry_keys
    for entry in np.flatnonzero(new.kept & (new.amount != old.amount)).tolist():
        position, *actions = (int(key[entry]) for key in keys)
        ply = ply_of[position]
        action = actions[0] if actions else None
        cells = None if action is None else positions.actions_for(boards[ply], action)
        amounts = (old.amount[entry].item(), new.amount[entry].item())
        put_back = 0 if action is None else int(restocked[entry] - old.amount[entry])
        learner_id = before.learner_id
        result.append(Change(learner_id, ply, boards[ply], position, action, cells, *amounts, put_back))
    return tuple(result)


def change_row(game_id: int, change: Change) -> ChangeRow:
    """Return a recorded game's change as a database row.

    >>> change = Change(1, 0, ".........", position_id=0, action=4, cells=(4,), before=4, after=7, put_back=0)
    >>> change_row(1, change)
    ChangeRow(game_id=1, learner_id=1, ply=0, position_id=0, action=4, before=4, put_back=0, after=7)
    """
    key = (change.learner_id, change.ply, change.position_id, change.action)
    return ChangeRow(game_id, *key, change.before, change.put_back, change.after)


def refilled(arena: Arena, machine: Machine, path: list[tuple[int, int]]) -> Machine:
    """Return a copy of the machine in which empty boxes along a path are restocked, if its settings require this.

    >>> from menace.ledger.learners import named_machine
    >>> machine = named_machine(store, "menace-x")
    >>> machine.learned.amount[:3] = 0  # the first box is empty
    >>> refilled(Arena(machine.positions), machine, [(0, 0)]).learned.amount[:3].tolist()
    [4, 4, 4]
    """
    copy = machine.copy()
    player = copy.kernel_player(arena.graph)
    for position, _ in path[copy.side :: 2]:
        kernel.refill(player, position)
    return copy


def box_is_empty(machine: Machine, position_id: int) -> bool:
    """Return whether a machine's box for a position exists and is empty.

    >>> from menace.ledger.learners import named_machine
    >>> machine = named_machine(store, "menace-x")
    >>> box_is_empty(machine, 0)
    False
    >>> machine.learned.amount[:3] = 0
    >>> box_is_empty(machine, 0)
    True
    """
    moves, learned = machine.positions.moves_of(position_id), machine.learned
    return machine.draws_beads and any(learned.kept[m] for m in moves) and not any(learned.amount[m] for m in moves)
