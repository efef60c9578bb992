"""A person and a machine at a board: games that are played by turns, recorded and learned from when they are finished.

Nothing is written while a game goes on, and no transaction is open while a person thinks. A sitting is one run; each
of its games is one block, committed when it ends. The machine plays by its behaviour, as it stood when the game began.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from menace import kernel
from menace.arena.chance import check_seed, new_seed, number_at, pick_alike
from menace.arena.loop import Arena
from menace.errors import IllegalMove, InvalidPlayer, StoreError
from menace.games.base import Board, Game, Outcome, Side, SideText
from menace.games.positions import Positions
from menace.learners.fixed import is_fixed
from menace.ledger.kinds import PERSON, PLAY
from menace.ledger.machines import Learner, load_machine, save_machine
from menace.ledger.marks import evaluation_rows
from menace.ledger.positions import check_boards, positions_of
from menace.ledger.recording import Change, RecordedGame, box_is_empty, change_row, changes, learn_from
from menace.ledger.runs import add_run
from menace.ledger.seats import HUMAN
from menace.ledger.store import LearnerRow, RunRow, Store, check_writable
from menace.shelf.position import PositionView, show_machine


@dataclass(frozen=True)
class Ply:
    """One move of a game under way.

    Attributes:
        board: before the move, as it looks to the person.
        action: the cell on that board.
        position, move: the same as the table numbers them.
        by_machine: whether the machine made it.
        numbers: how many random numbers it used, 0 or 1.
        explored, learned: 0 or 1, as the record has them.
        saw: what a learner that made it saw, or None.
        restocked: whether its box was empty, and got its first beads back.
    """

    board: Board
    action: int
    position: int
    move: int
    by_machine: bool
    numbers: int
    explored: int = 0
    learned: int = 1
    saw: PositionView | None = None
    restocked: bool = False


@dataclass(frozen=True)
class Finished:
    """A game that was committed.

    Attributes:
        changes: in the machine, by ply, then by cell.
        taught_meanwhile: whether somebody else taught the machine while the game was played.
    """

    game_id: int
    run: RunRow
    outcome: Outcome
    changes: tuple[Change, ...]
    taught_meanwhile: bool


class Sitting:
    """A person and a machine at a board, for one game or several."""

    def __init__(self, store: Store, opponent: str, person: Side, learns: bool, seed: int | None, options: str) -> None:
        """Sit down: see `sit_down` and its like, which say what the arguments mean."""
        self.store = store
        store.check_file()  # a person is told before the game that it could not be recorded
        self.arena = Arena(positions_of(store))
        check_boards(self.positions)
        self.opponent, self.person, self.learns = opponent, person, learns
        self.plays = person.other
        self.seed = new_seed() if seed is None else check_seed(seed)
        self.options = options
        self._row: LearnerRow | None = None  # of a machine that learns
        self.run: RunRow | None = None  # until the first game is finished
        self._numbers = 0  # used by the games before
        self._turns = 0  # of the machine in the games before
        self.begin()

    def begin(self) -> None:
        """Begin a game, against the machine as it stands now.

        Raises:
            StoreError: if the game could not be recorded when it ends.
        """
        check_writable(self.store)
        self.plies: list[Ply] = []
        self.resigned = self.finished = False
        self.machine: Learner | None = None
        if not is_fixed(self.opponent):
            with self.store.snapshot():
                row = self._row or self.store.learner(self.opponent)
                row = self.store.learner_by_id(row.learner_id)  # whatever it is called by now
                if row.plays == self.person:
                    raise InvalidPlayer(f"learner {row.name} plays {row.plays} itself; take the other side")
                self.machine = load_machine(self.store, self.arena.positions, row)
            self._row, self.opponent = row, row.name
        self._seat()

    def _seat(self) -> None:
        """Give the machine a copy of its boxes to play from: what it does to them counts only in the end."""
        if self.machine is None:
            self.player = self.arena.fixed_player(self.opponent)
            return
        self.at_board = self.machine.copy()
        self.player = self.at_board.sit(self.arena.graph, learns=self.learns)

    @property
    def positions(self) -> Positions:
        """The positions of the game."""
        return self.arena.positions

    @property
    def game(self) -> Game:
        """Its rules."""
        return self.positions.game

    # The game as it stands.

    @property
    def board(self) -> Board:
        """The board."""
        if not self.plies:
            return self.game.initial
        return self.game.play(self.plies[-1].board, self.plies[-1].action)

    @property
    def position(self) -> int:
        """The position of the board, as the table numbers it."""
        return int(self.positions.next_position[self.plies[-1].move]) if self.plies else 0

    @property
    def outcome(self) -> Outcome | None:
        """Who has won, or `draw`; None while the game goes on."""
        return self.person.outcome if self.resigned else self.game.outcome(self.board)

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to move. Not checked: that the game goes on."""
        return Side.after(len(self.plies)) is self.person

    @property
    def _used(self) -> int:
        return sum(ply.numbers for ply in self.plies)

    # Moves.

    def person_moves(self, action: int) -> Ply:
        """Make the person's move.

        Raises:
            IllegalMove: if the cell is not empty.
        """
        board = self.board
        self.game.play(board, action)  # refuses it
        return self._add(Ply(board, action, self.position, self._move(action), False, 0))

    def machine_moves(self) -> Ply | None:
        """Let the machine move, by the next number of its run; None if it resigns."""
        number = number_at(self.seed, self._numbers + self._used)
        ply, position = len(self.plies), self.position
        move = kernel.make_move(self.arena.graph, self.player, self.arena.record, ply, position, number)
        if move < 0:
            self.resigned = True
            return None
        explored, learned = (int(column[ply]) for column in self.arena.plies[2:])
        cells = self.positions.actions_for(self.board, int(self.positions.action[move]))
        turn = self._turns + sum(ply.by_machine for ply in self.plies)
        return self._machine_made(move, cells[pick_alike(self.seed, turn, len(cells))], 1, explored, learned)

    def bead_drawn(self, action: int) -> Ply:
        """Make the move of a bead that rolled out of the real box; `action` is on the canonical board.

        Raises:
            IllegalMove: if that box holds no such bead.
        """
        positions, learned = self.arena.positions, self.at_board.learned
        move = positions.move_of(self.position, action)
        if not learned.kept[move] or not learned.amount[move]:
            raise IllegalMove(f"the box for {self.board} holds no bead for cell {action}; count it again")
        # As on the box that lies open: the cell that its board marks, turned to where it lies on the actual board.
        turn = self.positions.symmetry_to_canonical(self.board).inverse()
        return self._machine_made(move, turn.action(action), 0, 0, 1)

    def restock(self) -> None:
        """Put the first beads back into the empty box of the board."""
        kernel.refill(self.player, self.position)

    def _machine_made(self, move: int, cell: int, numbers: int, explored: int, learned: int) -> Ply:
        board, position = self.board, self.position
        if self.machine is None:
            return self._add(Ply(board, cell, position, move, True, numbers, explored, learned))
        saw = show_machine(self.store, board, self.at_board)
        restocked = box_is_empty(self.machine, position) and not box_is_empty(self.at_board, position)
        return self._add(Ply(board, cell, position, move, True, numbers, explored, learned, saw, restocked))

    def _move(self, action: int) -> int:
        wanted = self.positions.to_canonical(self.board, action)
        return self.positions.move_of(self.position, wanted)

    def _add(self, ply: Ply) -> Ply:
        self.plies.append(ply)
        if self.positions.boards[self.position] != self.positions.canonical(self.board):
            raise StoreError(
                f"{self.store.path} is damaged (a move on {ply.board} leads elsewhere); go back to a backup of it"
            )
        return ply

    def take_back(self) -> Ply:
        """Take the last ply back, whoever made it, and return it.

        Raises:
            IllegalMove: if there is none.
        """
        if not self.plies:
            raise IllegalMove("nobody has moved yet; there is nothing to take back")
        self.resigned = False
        last = self.plies.pop()
        self._seat()
        for ply in self.plies:
            if ply.restocked:
                kernel.refill(self.player, ply.position)
        return last

    def undo(self) -> None:
        """Take the person's last move back, with what the machine answered.

        Raises:
            IllegalMove: if the person has not moved.
        """
        if all(ply.by_machine for ply in self.plies):
            raise IllegalMove("you have not moved yet; there is nothing to take back")
        while self.take_back().by_machine:
            pass

    # The end.

    def recorded(self) -> RecordedGame:
        """Return the finished game as it is recorded.

        Raises:
            IllegalMove: if it is not finished.
        """
        outcome = self.outcome
        if outcome is None:
            raise IllegalMove(f"the game at {self.board} is not finished; only finished games are recorded")
        return RecordedGame(
            actions=tuple(ply.action for ply in self.plies),
            explored=tuple(ply.explored for ply in self.plies),
            learned=tuple(ply.learned for ply in self.plies),
            ended_by="resignation" if self.resigned else "board",
            outcome=outcome,
        )

    def finish(self) -> Finished:
        """Record the game, and let the machine learn from it, in one transaction; then a new one may `begin`.

        The machine learns into its table as it stands now, whoever taught it meanwhile.

        Raises:
            IllegalMove: if the game is not finished.
            StoreError: if the database cannot be written; nothing is, then.
        """
        recorded = self.recorded()
        store, positions = self.store, self.arena.positions
        with store.transaction():
            seat: LearnerRow | str = self.opponent
            if self.machine is not None:
                seat = store.learner_by_id(self.machine.row.learner_id)
            run = self.run or self._new_run(seat)
            counts = [int(recorded.outcome == outcome) for outcome in ("X", "draw", "O")]
            block_id = store.add_block(run.run_id, PERSON.name, 1, counts, self._numbers, self._used)
            game_id = store.add_game(block_id, 1, **recorded.columns())
            changed: tuple[Change, ...] = ()
            meanwhile = False
            if not isinstance(seat, str) and self.learns:
                before = load_machine(store, positions, seat)
                changed = self._learn(before, recorded, block_id)
                store.add_changes(change_row(game_id, change) for change in changed)
                meanwhile = self.machine is not None and before.learned.games != self.machine.learned.games
            store.extend_run(run.run_id, run.games_played + 1)
            run = store.run(run.run_id)
        self.run, self.finished = run, True
        self._numbers += self._used
        self._turns += sum(ply.by_machine for ply in self.plies)
        return Finished(game_id, run, recorded.outcome, changed, meanwhile)

    def _new_run(self, seat: LearnerRow | str) -> RunRow:
        players = self.plays.x_and_o(seat, HUMAN)
        learns = self.plays.x_and_o(self.learns, False)
        positions = self.arena.positions
        return add_run(self.store, positions, PLAY, players, learns, 0, self.seed, self.options)

    def path(self) -> list[tuple[int, int]]:
        """Return the plies so far as (position, move), as the table numbers them."""
        return [(ply.position, ply.move) for ply in self.plies]

    def _learn(self, before: Learner, recorded: RecordedGame, block_id: int) -> tuple[Change, ...]:
        after = before.copy()
        learn_from(self.arena, after, self.path(), recorded)
        save_machine(self.store, after, before.learned)
        self.store.add_evaluations(evaluation_rows(block_id, after))
        return changes(self.arena, before, after, recorded)


def sit_down(store: Store, opponent: str, person: SideText | None = None, seed: int | None = None) -> Sitting:
    """Sit a person down to play a machine, which learns from every game that is finished.

    Args:
        store: the database.
        opponent: a learner, or a fixed opponent (which never learns).
        person: the person's side; None stands for the one that a learner does not play, or X.
        seed: of the machine's moves, 0 to 2^63 - 1; None takes one from the system.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidRun: if there is no such player, it plays the person's side, or the seed
            is none.
        StoreError: if the database cannot be written.
    """
    return Sitting(store, opponent, _side(store, opponent, person), not is_fixed(opponent), seed, "{}")


def sit_down_without_learning(
    store: Store, opponent: str, person: SideText | None = None, seed: int | None = None
) -> Sitting:
    """As `sit_down`, but the machine is kept as it is: games are recorded, and not learned from."""
    return Sitting(store, opponent, _side(store, opponent, person), False, seed, "{}")


def sit_down_at_boxes(store: Store, name: str, seed: int | None = None) -> Sitting:
    """As `sit_down`, for a machine of real matchboxes: beads that roll out of them say its moves (`bead_drawn`).

    Raises:
        InvalidPlayer: if the learner draws no beads.
    """
    row = store.learner(name)
    sitting = Sitting(store, name, _side(store, name, None), True, seed, json.dumps({"physical": True}))
    if not sitting.at_board.draws_beads:
        raise InvalidPlayer(f"learner {row.name} does not draw beads from boxes; name one that does")
    return sitting


def _side(store: Store, opponent: str, person: SideText | None) -> Side:
    if is_fixed(opponent):
        return Side.X if person is None else Side(person)
    row = store.learner(opponent)
    free = row.plays.other
    if person is not None and Side(person) is not free:
        raise InvalidPlayer(f"learner {row.name} plays {row.plays} itself; play {free}, or against another")
    return free
