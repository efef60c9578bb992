"""A coach: lets a machine train while pages look on, as fast as it goes or game by game.

What is trained is an ordinary run, written down before it is carried out: to pause is to leave it unfinished, to resume
is to go on with it, to stop is to end it as it stands. One run of a file goes on at a time.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from menace.errors import InvalidRun, MenaceError
from menace.web.clerk import Clerk

if TYPE_CHECKING:
    from menace.arena.loop import Arena
    from menace.games.base import Board, Outcome
    from menace.learners.machine import Machine
    from menace.ledger.recording import Change, RecordedGame
    from menace.ledger.store import BlockRow, Run, Store
    from menace.shelf.position import PositionView

Ending: TypeAlias = Literal["board", "resignation"]


@dataclass(frozen=True)
class ShownPly:
    """A ply of a game between machines.

    Attributes:
        board: before it.
        action: on that board.
        saw: what the learner that is trained saw; None of its opponent.
    """

    board: Board
    action: int
    saw: PositionView | None


@dataclass(frozen=True)
class ShownGame:
    """A game of training, move by move.

    Attributes:
        run: of this one game.
        plies: from the first on.
        recorded: the same as a record, with its outcome.
        last_board: after the last ply.
        changes: in the learner that is trained.
    """

    run: Run
    plies: tuple[ShownPly, ...]
    recorded: RecordedGame
    last_board: Board
    changes: tuple[Change, ...]


class Coach:
    """Who trains machines of a file, in the thread of a clerk.

    Attributes:
        clerk: whose thread it is.
        run: that was gone on with last, as it stood after its last transaction.
        error: what ended it, if something did.
    """

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._going: Future[None] | None = None

    @property
    def is_going(self) -> bool:
        """Whether a run goes on now."""
        return self._going is not None and not self._going.done()

    async def order(self, name: str, against: str, games: int, seed: int | None) -> Run:
        """Order a run as `menace train` does; nothing of it is played yet.

        Raises:
            InvalidRun: if another goes on.
            MenaceError: as `runs.order`.
        """
        from menace.ledger.runs import Training
        from menace.ledger.runs import order as order_run

        self._check_idle()
        self.error = None
        it = Training(name, against, games, seed)
        run = self.run = await self.clerk.do(lambda store: order_run(store, it))
        return run

    async def start(self, name: str, against: str, games: int, seed: int | None) -> Run:
        """Order a run, and let it go on. Raises as `order`."""
        run = await self.order(name, against, games, seed)
        self._go_on(run)
        return run

    async def resume(self, run_id: int) -> Run:
        """Let a run that was paused go on.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, it has ended, or another goes on.
        """
        self._check_idle()
        run = await self._unfinished(run_id)
        self._go_on(run)
        return run

    async def step(self, run_id: int) -> Run:
        """Play one block of a run that is paused.

        Raises:
            UnknownRun, InvalidRun: as `resume`.
        """
        from menace.ledger.training import Trainer

        self._check_idle()
        run = await self._unfinished(run_id)
        self.error = None
        self.run = await self.clerk.do(lambda store: Trainer(store).play_blocks(run, most=1))
        return self.run

    async def pause(self) -> Run | None:
        """Let the run rest after the block under way, and return it as it stands then."""
        import asyncio

        self._pause.set()
        going = self._going
        if going is not None:
            await asyncio.wait([asyncio.wrap_future(going)])
        return self.run

    async def stop(self, run_id: int) -> Run:
        """End a run as it stands.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        from menace.ledger.runs import abandon

        if self.run is not None and self.run.run_id == run_id:
            await self.pause()
        self.run = await self.clerk.do(lambda store: abandon(store, run_id))
        return self.run

    async def game(self, name: str, against: str, seed: int | None) -> ShownGame:
        """Let a learner train in one game, a run of its own, and return its moves.

        Raises:
            InvalidRun: if a run goes on.
            MenaceError: as `runs.order`.
        """
        self._check_idle()
        self.error = None
        return await self.clerk.do(lambda store: shown_game(store, name, against, seed))

    def _check_idle(self) -> None:
        if self.is_going and self.run is not None:
            raise InvalidRun(f"run {self.run.run_id} goes on; pause it or end it first")

    async def _unfinished(self, run_id: int) -> Run:
        from menace.ledger.runs import unfinished_run

        return await self.clerk.do(lambda store: unfinished_run(store, run_id))

    def _go_on(self, run: Run) -> None:
        self._check_idle()  # somebody else may have been first, while we asked
        self.run, self.error = run, None
        self._pause.clear()
        self._going = self.clerk.hand(lambda store: self._carry_out(store, run))

    def _carry_out(self, store: Store, run: Run) -> None:
        from menace.ledger.training import continue_run

        try:
            for state in continue_run(store, run):
                self.run = state
                if self._pause.is_set() or self.clerk.leaving.is_set():
                    break
        except MenaceError as error:
            self.error = str(error)


def shown_game(store: Store, name: str, against: str, seed: int | None) -> ShownGame:
    """Let a learner train in one game, as a run of its own, and return it move by move.

    What is shown of the learner's boxes is right as long as nobody teaches it while the game is played.

    Raises:
        MenaceError: as `runs.order`.
    """
    from menace.ledger.machines import load_machine
    from menace.ledger.positions import positions_of
    from menace.ledger.recording import changes
    from menace.ledger.runs import Training, order
    from menace.ledger.training import Trainer

    # A machine that has nothing left for its first move is shown resigning.
    run = order(store, Training(name, against, games=1, seed=seed, go_on=True))
    before = load_machine(store, positions_of(store), store.learner(name))
    trainer = Trainer(store)
    run = trainer.play_blocks(run)
    after = load_machine(store, before.positions, store.learner(name))
    recorded, boards = _last_game(trainer.arena, store.blocks(run.run_id)[-1])
    plies = tuple(
        ShownPly(board, action, _seen(store, before, board, number, recorded, trainer.arena))
        for number, (board, action) in enumerate(zip(boards, recorded.actions, strict=False))
    )
    return ShownGame(run, plies, recorded, boards[-1], changes(trainer.arena, before, after, recorded))


def _seen(
    store: Store, before: Machine, board: Board, ply: int, recorded: RecordedGame, arena: Arena
) -> PositionView | None:
    from menace.games.base import Side
    from menace.ledger.recording import refilled
    from menace.shelf.position import show_machine

    if Side.after(ply) is not before.plays:
        return None
    path = arena.positions.path(recorded.actions[: ply + 1])
    return show_machine(store, board, refilled(arena, before, path))


def _last_game(arena: Arena, block: BlockRow) -> tuple[RecordedGame, list[Board]]:
    """Return the game that an arena played last, on boards as they lie when each move takes the first of its cells.

    `block` is its own. A move uses one number, to resign uses none.
    """
    from menace.ledger.recording import RecordedGame

    positions, game = arena.positions, arena.positions.game
    boards, actions = [game.initial], []
    for move in arena.plies[1][: block.numbers].tolist():
        actions.append(positions.actions_for(boards[-1], int(positions.action[move]))[0])
        boards.append(game.play(boards[-1], actions[-1]))
    explored, learned = (tuple(map(int, column[: block.numbers])) for column in arena.plies[2:])
    outcome: Outcome = "X" if block.x_wins else "O" if block.o_wins else "draw"
    ended_by: Ending = "board" if game.outcome(boards[-1]) is not None else "resignation"
    return RecordedGame(tuple(actions), explored, learned, ended_by, outcome), boards
