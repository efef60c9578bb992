"""Play a game between a person and a machine: make and undo moves, and track the board and the outcome.

The game is not recorded, and the machine does not learn from it, until the session finishes the game.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from menace.analysis.position import PositionView, show_machine
from menace.arena.play import Arena, pick_uniformly, raw_numbers
from menace.errors import IllegalMove
from menace.games.base import Board, Game, Outcome, Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.ledger.log.recorded_game import RecordedGame, box_is_empty
from menace.ledger.store import Store, damaged


@dataclass(frozen=True)
class Ply:
    """A move in a game in progress.

    Attributes:
        board: the actual board before the move.
        action: the action on that board.
        position, move: the index of the board's position, and of the move, in the arrays of the game's positions.
        by_machine: whether the machine made the move.
        numbers: the number of random numbers used for the move, 0 or 1.
        explored, learned: 0 or 1, as stored in the record.
        saw: the position before the move, with the learner's box, or None.
        restocked: whether the box was empty and was restocked with its initial beads.
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


class Chance(NamedTuple):
    """The state of a session's random number generator before a game.

    Attributes:
        seed: the seed of the run.
        numbers: the number of random numbers used in earlier games of the run.
        turns: the number of moves that the machine made in those games.
    """

    seed: int
    numbers: int = 0
    turns: int = 0


class GameUnderWay:
    """A game in progress. The machine plays from a copy of its boxes taken when the game began.

    Attributes:
        arena: the positions, in the form that the kernel uses.
        chance: the state of the random number generator when the game began.
        person: the person's side.
        machine: the learner as it was when the game began, or the name of a fixed opponent.
        policy: the learner's policy, `behaviour` or `greedy`, which does not affect what the learner learns from a
            game.
        at_board: the copy of the learner that plays this game. Changes to this copy's boxes are not saved.
        plies: the plies played so far.
        resigned: whether the machine has resigned.
        person_resigned: whether the person has resigned.
    """

    at_board: Machine

    def __init__(
        self,
        store: Store,
        arena: Arena,
        person: Side,
        machine: Machine | str,
        learns: bool,
        chance: Chance,
        policy: PolicyName = "behaviour",
    ) -> None:
        self.person, self.machine, self.policy = person, machine, policy
        self.plies: list[Ply] = []
        self.resigned = self.person_resigned = False
        self.arena, self.chance = arena, chance
        self._store, self._learns = store, learns
        self._set_up_player()

    def _set_up_player(self) -> None:
        if isinstance(self.machine, str):
            self._player = self.arena.fixed_player(self.machine)
            return
        self.at_board = self.machine.copy()
        self._player = self.at_board.kernel_player(self.arena.graph, learns=self._learns)

    @property
    def positions(self) -> Positions:
        """The positions of the game."""
        return self.arena.positions

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return self.positions.game

    # The following properties describe the state of the game.

    @property
    def board(self) -> Board:
        """The current board."""
        if not self.plies:
            return self.rules.initial
        return self.rules.play(self.plies[-1].board, self.plies[-1].action)

    @property
    def position(self) -> int:
        """The index of the board's position."""
        return int(self.positions.next_position[self.plies[-1].move]) if self.plies else 0

    @property
    def outcome(self) -> Outcome | None:
        """The winner, or `draw`; None while the game is in progress."""
        if self.person_resigned:
            return self.person.other.outcome
        return self.person.outcome if self.resigned else self.rules.outcome(self.board)

    @property
    def persons_turn(self) -> bool:
        """Whether the game is not over and it is the person's turn."""
        return Side.after(len(self.plies)) is self.person

    @property
    def numbers(self) -> int:
        """The number of random numbers used in the game so far."""
        return sum(ply.numbers for ply in self.plies)

    @property
    def chance_after(self) -> Chance:
        """The state of the random number generator before the next game of the run."""
        seed, numbers, turns = self.chance
        return Chance(seed, numbers + self.numbers, turns + sum(ply.by_machine for ply in self.plies))

    @property
    def path(self) -> list[tuple[int, int]]:
        """The plies so far, as pairs of indices: (position, move)."""
        return [(ply.position, ply.move) for ply in self.plies]

    # The following methods make and undo moves.

    def make_person_move(self, action: int | str) -> Ply:
        """Make the person's move, given as an action or by its name.

        Raises:
            IllegalMove: if it is not the person's turn, or there is no such move.
        """
        self.check_turn(of_person=True)
        board = self.board
        try:
            action = self.rules.parse_action(board, action) if isinstance(action, str) else operator.index(action)
        except TypeError:
            actions = ", ".join(map(str, self.rules.actions(board)))
            raise IllegalMove(f"{action!r} is not an action; give one of these integers: {actions}") from None
        self.rules.play(board, action)  # raises an error if the move is illegal
        move = self.positions.move_of(self.position, self.positions.to_canonical(board, action))
        return self._add(Ply(board, action, self.position, move, False, 0))

    def resign_person(self) -> None:
        """Let the person resign, so that the machine wins the game.

        Raises:
            IllegalMove: if it is not the person's turn, or no move has been made, so that the machine could learn
                nothing.
        """
        self.check_turn(of_person=True)
        if not self.plies:
            raise IllegalMove("no move has been made yet, so there is no game to resign")
        self.person_resigned = True

    def make_machine_move(self) -> Ply | None:
        """Make the machine's move, chosen with the run's next random number.

        Return the move, or None if the machine resigns.

        Raises:
            IllegalMove: if it is not the machine's turn.
        """
        self.check_turn(of_person=False)
        seed, numbers, turn = self.chance_after
        ply, position = len(self.plies), self.position
        player = self._player if self.policy == "behaviour" else self._greedy_player()
        move = -1
        if player is not None:
            stream = raw_numbers(seed, numbers)
            move = kernel.make_move(self.arena.graph, player, self.arena.record, ply, position, stream)
        if move < 0:
            self.resigned = True
            return None
        explored, learned = (int(column[ply]) for column in self.arena.plies[2:])
        if player is not self._player and box_is_empty(self.at_board, position):
            learned = 0  # no bead was drawn
        cells = self.positions.actions_for(self.board, int(self.positions.action[move]))
        return self._machine_made(move, cells[pick_uniformly(seed, turn, len(cells))], 1, explored, learned)

    def _greedy_player(self) -> kernel.FixedPlayer | None:
        """Restock an empty box, and return the kernel player for the greedy policy, or None if the machine resigns."""
        self.restock()
        policy = self.at_board.policy("greedy")
        if policy.resigns[self.position]:
            return None
        ((_, weight),) = policy.parts
        weight = weight.astype(np.int32)
        return kernel.FixedPlayer(self.arena.graph, weight, self.positions.sum_over_moves(weight).astype(np.int32))

    def play_drawn_bead(self, action: int) -> Ply:
        """Make the move for the bead that the person drew from the real box. `action` refers to the canonical board.

        Raises:
            IllegalMove: if the box contains no such bead.
        """
        learned = self.at_board.learned
        move = self.positions.move_of(self.position, action)
        if not learned.kept[move] or not learned.amount[move]:
            raise IllegalMove(f"the box for {self.board} contains no bead for cell {action}; count its beads again")
        # Map the move from the box's board to the actual board.
        turn = self.positions.symmetry_to_canonical(self.board).inverse()
        return self._machine_made(move, turn.action(action), 0, 0, 1)

    def check_turn(self, of_person: bool) -> None:
        """Raise IllegalMove if the game is over or it is the other player's turn."""
        if self.outcome is not None:
            raise IllegalMove(f"the game at {self.board} is over; record it or begin another")
        if self.persons_turn != of_person:
            whose = "the person" if self.persons_turn else "the machine"
            raise IllegalMove(f"it is {whose}'s turn on {self.board}")

    def restock(self) -> None:
        """If the current board's box is empty and the machine restocks boxes, put the initial beads back."""
        kernel.refill(self._player, self.position)

    def _machine_made(self, move: int, cell: int, numbers: int, explored: int, learned: int) -> Ply:
        board, position = self.board, self.position
        if isinstance(self.machine, str):
            return self._add(Ply(board, cell, position, move, True, numbers, explored, learned))
        view = show_machine(self._store, board, self.at_board)
        restocked = box_is_empty(self.machine, position) and not box_is_empty(self.at_board, position)
        return self._add(Ply(board, cell, position, move, True, numbers, explored, learned, view, restocked))

    def _add(self, ply: Ply) -> Ply:
        self.plies.append(ply)
        if self.positions.boards[self.position] != self.positions.canonical(self.board):
            raise damaged(self._store.path, f"a move on {ply.board} leads to a different board")
        return ply

    def take_back(self) -> Ply:
        """Undo and return the last ply, regardless of which player made it.

        Raises:
            IllegalMove: if no move has been made.
        """
        if not self.plies:
            raise IllegalMove("no move has been made yet, so there is nothing to undo")
        self.resigned = self.person_resigned = False
        last = self.plies.pop()
        self._set_up_player()
        for ply in self.plies:
            if ply.restocked:
                kernel.refill(self._player, ply.position)
        return last

    def undo(self) -> None:
        """Undo the person's last move and the machine's reply to it.

        Raises:
            IllegalMove: if the person has not moved.
        """
        if all(ply.by_machine for ply in self.plies):
            raise IllegalMove("you have not moved yet, so there is nothing to undo")
        while self.take_back().by_machine:
            pass

    # The following method records the game.

    def recorded(self) -> RecordedGame:
        """Return the record of the finished game.

        Raises:
            IllegalMove: if the game is not finished.
        """
        outcome = self.outcome
        if outcome is None:
            raise IllegalMove(f"the game at {self.board} is not finished, and only finished games can be recorded")
        return RecordedGame(
            actions=tuple(ply.action for ply in self.plies),
            explored=tuple(ply.explored for ply in self.plies),
            learned=tuple(ply.learned for ply in self.plies),
            ended_by="resignation" if self.resigned or self.person_resigned else "board",
            outcome=outcome,
        )
