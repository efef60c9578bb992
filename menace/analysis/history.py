"""Rebuild a box's history from the log, and replay recorded games with the boxes as they were at that time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

from menace.analysis.position import PositionView, show, show_machine, with_box
from menace.analysis.replayed_learners import read_past
from menace.arena.play import Arena
from menace.errors import InvalidPlayer, StoreError
from menace.games.base import Board, Side
from menace.ledger.learners import Machines
from menace.ledger.log.blocks import IMPORTED, Log, learners_needed_for, list_lessons, read_log, recorded_lessons
from menace.ledger.log.recorded_game import Change, RecordedGame, boards_of, box_is_empty, refilled
from menace.ledger.log.replay import fresh_machines, replay, step_message
from menace.ledger.store import BlockRow, GameRow, Run, Store
from menace.text.wording import ENDED


@dataclass(frozen=True, repr=False)
class Moment:
    """The state of a box after a block changed it. The first moment is the box's initial state.

    Attributes:
        block_id: the block that changed the box; None for the initial state.
        what: a description of the block, such as `run 1: selfplay, games 11 to 20`.
        games: the number of games that the learner had learned from.
        view: the box at that time.
    """

    block_id: int | None
    what: str
    games: int
    view: PositionView

    def __repr__(self) -> str:
        return f"<{self.what}: {self.view.box}>"


@dataclass(frozen=True)
class GameEntry:
    """An entry in the list of recorded games.

    Attributes:
        game_id, block_id: the ids of the game and of the block in which it was recorded.
        run: the run in which it was played.
        players: the current names of X and O.
        recorded: the moves and the end of the game.
        played_at: the time at which the game was finished.
        taken_back: whether the learning from this game was undone.
        greedy: whether the learner used its greedy policy in the game.
    """

    game_id: int
    block_id: int
    run: Run
    players: tuple[str, str]
    recorded: RecordedGame
    played_at: str
    taken_back: bool
    greedy: bool

    @classmethod
    def of(cls, log: Log, block: BlockRow, row: GameRow, *parts: Any) -> Self:
        """Return the entry for a recorded game. `parts` contains the additional fields of a subclass."""
        run, taken_back = log.runs[block.run_id], block.block_id in log.taken_back
        played = (run, run.names(log.learners), RecordedGame.from_row(row), block.created_at)
        return cls(row.game_id, block.block_id, *played, taken_back, run.options.greedy, *parts)


@dataclass(frozen=True)
class RecordedDraw:
    """A recorded game in which a box was used, with the move drawn from the box and the learner's result."""

    game: GameRow
    run: Run
    action: int
    result: str


@dataclass(frozen=True)
class ReplayedPly:
    """One ply of a recorded game.

    Attributes:
        player: the player who moved: a learner, a fixed opponent, or `human`.
        action: the action on `board`; None if the player resigned on this board.
        saw: the learner's box for the board at that time; None if the player is not a learner.
        explored: whether the player explored.
        restocked: whether the learner's box was empty and was restocked with its initial beads.
    """

    board: Board
    side: Side
    player: str
    action: int | None
    saw: PositionView | None
    explored: bool
    restocked: bool


@dataclass(frozen=True)
class ReplayedGame(GameEntry):
    """A recorded game with its plies, its last board, and the changes that the game made to the learner.

    `taken_back` is True if these changes were undone later.
    """

    plies: tuple[ReplayedPly, ...]
    last_board: Board
    changes: tuple[Change, ...]


def box_history(store: Store, board: str, name: str) -> tuple[Moment, ...]:
    """Return the history of a learner's box for a board: its initial state and each later change.

    The history of an imported learner begins with its import. No transaction is open while the log is replayed.

    Raises:
        InvalidBoard, UnreachableBoard, InvalidBox, UnknownLearner: if there is no such board, box or learner.
        InvalidPlayer: if the learner has no box for the board.

    >>> [(moment.what, moment.view.box.beads) for moment in box_history(store, ".........", "menace-x")[:3]]
    [('as it began', 12), ('run 1: selfplay, game 1', 11), ('run 1: selfplay, game 2', 12)]
    """
    view = show(store, board, name)
    if view.box is None:
        raise InvalidPlayer(f"{name} has no box for {view.board}: {_why_no_box(view)}")
    arena, log, (row,) = read_past(store, name)
    learner_id = row.learner_id
    machines = fresh_machines(log, arena, learners_needed_for(log, {learner_id}))

    def current_view() -> PositionView:
        box = machines[learner_id].box_at(view.position_id)
        return view if box is None else with_box(view, box)  # the learner has a box, because `view` contains one

    moments = [Moment(None, "as it began", machines[learner_id].learned.games, current_view())]
    for step in replay(arena, log, machines):
        if learner_id in step.run.taught:
            if step.block.kind == IMPORTED.name:  # the history before the import is unknown
                moments.clear()
            current = current_view()
            if not moments or _contents(current) != _contents(moments[-1].view):
                games = machines[learner_id].learned.games
                moments.append(Moment(step.block.block_id, step_message(log, step), games, current))
    return tuple(moments)


def _why_no_box(view: PositionView) -> str:
    if view.outcome is not None:
        return "the game is over on this board"
    return (
        f"it plays {view.plays}"
        if view.plays != view.to_move
        else "it moves at random on this board, or has only one move there"
    )


def _contents(view: PositionView) -> list[tuple[object, ...]]:
    return [(move.amount, move.count) for move in view.moves]


def recorded_draws(store: Store, learner_id: int, position_id: int) -> list[RecordedDraw]:
    """Return, oldest first, the recorded games that taught a learner and in which the learner drew from a box.

    For a copied learner, the result includes the games that the original had played before it was copied. Undone games
    are excluded.
    """
    arena, log, _ = read_past(store)
    return [
        draw
        for block in list_lessons(log, learner_id)
        for row in log.games.get(block.block_id, [])
        for draw in _draws(arena, log.runs[block.run_id], row, position_id)
    ]


def _draws(arena: Arena, run: Run, row: GameRow, position_id: int) -> Iterator[RecordedDraw]:
    recorded = RecordedGame.from_row(row)
    path = arena.positions.path(recorded.actions)
    for ply, (position, move) in enumerate(path):
        if position == position_id and recorded.learned[ply]:
            won = 0 if recorded.outcome == "draw" else 1 if recorded.outcome == Side.after(ply) else -1
            yield RecordedDraw(row, run, int(arena.positions.action[move]), ENDED[won])


def recorded_games(store: Store, name: str | None = None) -> list[GameEntry]:
    """Return the recorded games of one learner or of all learners, oldest first.

    Raises:
        UnknownLearner: if there is no such learner.
    """
    with store.copied() as copy:
        log, learner_id = read_log(copy), None if name is None else copy.learner(name).learner_id
    return [
        GameEntry.of(log, block, row)
        for block in log.blocks
        for row in log.games.get(block.block_id, [])
        if learner_id is None or learner_id in log.runs[block.run_id].learner_ids
    ]


def replay_game(store: Store, game_id: int) -> ReplayedGame:
    """Return a recorded game ply by ply, with the machines' boxes as they were at the time, rebuilt from the log.

    Raises:
        StoreError: if the recorded moves break the rules of the game.

    >>> session = db.play("menace-x", seed=1)
    >>> game = session.game
    >>> while game.outcome is None:  # the person takes the first empty cell
    ...     ply = game.make_person_move(game.board.index(".")) if game.persons_turn else game.make_machine_move()
    >>> finished = session.finish()
    >>> replayed = replay_game(store, finished.game_id)
    >>> [ply.action for ply in replayed.plies], replayed.last_board
    ([4, 0, 8, 1, 5, 2], 'OOO.XX..X')
    """
    row = store.game(game_id)
    arena, log, _ = read_past(store)
    block = next(block for block in log.blocks if block.block_id == row.block_id)
    run = log.runs[block.run_id]
    machines = fresh_machines(log, arena, learners_needed_for(log, run.learner_ids))
    earlier = [past for past in log.blocks if past.block_id < block.block_id]
    for _ in replay(arena, replace(log, blocks=earlier), machines):
        pass
    recorded = RecordedGame.from_row(row)
    boards = _boards(store, log, recorded, game_id)
    plies = tuple(_replayed_plies(store, arena, log, run, recorded, boards, machines))
    changed = dict(recorded_lessons(arena, log, run, block, machines)).get(game_id, ())
    return ReplayedGame.of(log, block, row, plies, boards[-1], changed)


def _replayed_plies(
    store: Store, arena: Arena, log: Log, run: Run, recorded: RecordedGame, boards: list[Board], machines: Machines
) -> Iterator[ReplayedPly]:
    path = arena.positions.path(recorded.actions)
    turns = [*recorded.actions, *([None] if recorded.ended_by == "resignation" else [])]
    for ply, action in enumerate(turns):
        player = run.names(log.learners)[ply % 2]
        learner_id = (run.x_learner_id, run.o_learner_id)[ply % 2]
        explored = action is not None and bool(recorded.explored[ply])
        saw, restocked = None, False
        if learner_id is not None:
            before = machines[learner_id]
            machine = refilled(arena, before, path[: ply + 1])
            saw = show_machine(store, boards[ply], machine)
            empty = action is not None and box_is_empty(before, path[ply][0])
            restocked = empty and saw.box is not None and saw.box.beads > 0
        yield ReplayedPly(boards[ply], Side.after(ply), player, action, saw, explored, restocked)


def _boards(store: Store, log: Log, recorded: RecordedGame, game_id: int) -> list[Board]:
    try:
        return boards_of(log.rules.game, recorded)
    except ValueError as error:
        raise StoreError(f"{store.path}: recorded game {game_id} is damaged ({error}); run `menace verify`") from None
