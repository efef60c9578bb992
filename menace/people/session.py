"""Let a person play games against a machine, record each finished game, and let the machine learn from it.

Nothing is written during a game, so no transaction is open while the person thinks. A session is recorded as one run.
Each game is one block, which is committed when the game ends.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from menace.arena.play import Arena, check_seed, new_seed
from menace.drawing.boards import board_svg
from menace.errors import IllegalMove, InvalidPlayer, StoreError, UnknownLearner
from menace.games.base import Outcome, Side, SideText, join_names, moves_are_cells
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import check_side, fixed_opponent, is_fixed
from menace.learners.policy import PolicyName
from menace.learners.registry import check_name
from menace.ledger.learners import add_machine, load_machine, save_machine
from menace.ledger.log.blocks import PERSON, PLAY
from menace.ledger.log.recorded_game import Change, RecordedGame, change_row, changes, learn_from
from menace.ledger.positions import check_boards, positions_of
from menace.ledger.runs import DEFAULT_LEARNERS, add_run
from menace.ledger.store import HUMAN, LearnerRow, Run, RunOptions, Store
from menace.ledger.training import evaluation_rows, measure
from menace.people.game import Chance, GameUnderWay
from menace.text.narration import ended

MAX_LESSONS = 200  # maximum number of games in a session's `lessons`


@dataclass(frozen=True)
class Finished:
    """A recorded game, and the changes that the machine made when it learned from it.

    Attributes:
        changes: the changes to the machine, sorted by ply and cell.
        taught_meanwhile: whether the machine learned from other games while this one was being played.
    """

    game_id: int
    outcome: Outcome
    changes: tuple[Change, ...]
    taught_meanwhile: bool


class Session:
    """A session of one or more games between a person and a machine.

    The methods of `game` make individual moves. `move`, `undo` and `next_game` also make the machine's next move.

    Attributes:
        opponent: the current name of the machine.
        person: the person's side.
        name: the person's name, or None.
        learns: whether the machine learns from the games.
        policy: how the machine plays, `behaviour` or `greedy`.
        game: the current game, in progress or over.
        finished: the result of the current game, once it is recorded.
        not_recorded: the reason if the current game could not be recorded, otherwise None.
        run: the run; None until the first game is finished.
        outcomes: the number of recorded games with each outcome.
        score: the machine's score after each recorded game. The score starts at 0; a win adds 3, a draw adds 1, and a
            loss subtracts 1.
        machine: the machine in its current state, or the name of a fixed opponent.
        lessons: for each of the machine's latest games against people, the outcome and, after that game, the
            probability that the machine loses to a random player and the number of games from which it has learned;
            empty if the machine does not learn.

    >>> session = db.play("menace-o", seed=1)
    >>> session.move("4").move("0").game.board, session.resign().finish().outcome
    ('X.O.X...O', 'O')
    """

    def __init__(
        self,
        store: Store,
        opponent: str | Machine,
        person: SideText | None = None,
        seed: int | None = None,
        name: str | None = None,
        policy: PolicyName = "behaviour",
        learns: bool = True,
        physical: bool = False,
    ) -> None:
        """Begin a session and its first game.

        Args:
            store: the database.
            opponent: a learner, a fixed opponent (which never learns), or a machine in memory that is not stored in the
                database until `keep`.
            person: the person's side; None selects the side that a learner does not play, or X.
            seed: the random seed for the machine's moves, 0 to 2^63 - 1; None uses one from the operating system.
            name: the person's name, which is recorded with the games. It follows the rules for learners' names but must
                not be the name of a learner. None records no name.
            policy: the policy of a learner: `behaviour`, which draws or explores, or `greedy`, which plays the move
                with the highest amount. The policy does not affect what the learner learns from a game.
            learns: whether a learner learns from every finished game. All finished games are recorded in any case.
            physical: whether the machine's boxes are real matchboxes.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if there is no such player, the player plays the person's side,
                the policy of a fixed opponent is `greedy`, or the name or the seed is not allowed.
            StoreError: if the database cannot be written.
        """
        self._unsaved = opponent if isinstance(opponent, Machine) else None
        opponent = opponent if isinstance(opponent, str) else opponent.name
        self.person = self._unsaved.plays.other if self._unsaved else _side(store, opponent, person)
        self.store = store
        store.check_file()  # report damage before the game begins, not when the game is recorded
        self._arena = Arena(positions_of(store))
        check_boards(self._arena.positions)
        fixed = self._unsaved is None and is_fixed(opponent)
        if policy == "greedy" and fixed:
            raise InvalidPlayer(f"{opponent} is not a machine, and only machines can play greedily; name a machine")
        self.opponent, self.learns, self.policy = opponent, learns and not fixed, policy
        self._chance = Chance(new_seed() if seed is None else check_seed(seed))
        self.name = None if name is None else _persons_name(store, name)
        self._options = RunOptions(physical=physical, person=self.name, greedy=policy == "greedy")
        self._row: LearnerRow | None = None  # the row of a machine that learns
        self.run: Run | None = None
        self.outcomes: Counter[Outcome] = Counter()
        self.score = [0]
        self.begin()
        self.lessons: list[tuple[Outcome, float, int]] = []
        if self._row and self.learns:
            self.lessons = [*store.lessons(self._row.learner_id, MAX_LESSONS)]

    def begin(self) -> None:
        """Discard any unfinished game, and begin a game against the machine in its current state.

        Raises:
            StoreError: if it would be impossible to record the game at its end.
        """
        machine: Machine | str | None = self._unsaved
        if machine is None:
            self.store.check_writable()
            machine = self.opponent if is_fixed(self.opponent) else self._machine_now()
        self.machine = machine
        self.game = GameUnderWay(self.store, self._arena, self.person, machine, self.learns, self._chance, self.policy)
        self.finished: Finished | None = None
        self.not_recorded: str | None = None

    def _machine_now(self) -> Machine:
        with self.store.snapshot():
            row = self._row or self.store.learner(self.opponent)
            row = self.store.learner_if_not_deleted(row.learner_id, row.name)  # the machine may have been renamed
            if row.plays is self.person:
                raise InvalidPlayer(f"machine {row.name} plays {row.plays}; take the other side")
            machine = load_machine(self.store, self._arena.positions, row)
        self._row, self.opponent = row, row.name
        return machine

    @property
    def is_unsaved(self) -> bool:
        """Whether the machine exists only in memory, so that nothing is recorded."""
        return self._unsaved is not None

    def keep(self, name: str) -> None:
        """Store the machine in the database if it exists only in memory; the current game continues.

        Raises:
            StoreError: if the database cannot be written.
        """
        machine = self._unsaved
        if machine is None:
            return
        with self.store.transaction():
            self._row = add_machine(self.store, machine, name)
        machine.learner_id, machine.name, self.opponent, self._unsaved = self._row.learner_id, name, name, None

    def progress(self) -> dict[str, Any]:
        """Return the arguments for `continue_run`, including the moves of any game that is not yet recorded."""
        plies = [] if self.finished else [ply.action for ply in self.game.plies]
        return {"run_id": self.run and self.run.run_id, "chance": list(self._chance), "plies": plies}

    def continue_run(self, run_id: int | None, chance: Sequence[int], plies: Sequence[int]) -> bool:
        """Continue another process's run and its unfinished game, and return whether this was possible.

        The run cannot be continued if the machine has changed since the game began and would now make different moves.
        """
        self.run, self._chance = None if run_id is None else self.store.run(run_id), Chance(*chance)
        self.begin()
        for action in plies:
            ply = self.game.make_person_move(action) if self.game.persons_turn else self.game.make_machine_move()
            if ply is None or ply.action != action:
                return False
        return True

    @property
    def plays(self) -> Side:
        """The machine's side."""
        return self.person.other

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self._chance.seed

    @property
    def is_under_way(self) -> bool:
        """Whether the person has moved in a game that is not yet recorded."""
        return self.finished is None and any(not ply.by_machine for ply in self.game.plies)

    def __repr__(self) -> str:
        return f"{self.game.rules.draw(self.game.board)}\n{self._state}"

    def _repr_html_(self) -> str:
        rules, board = self.game.rules, self.game.board
        actions = rules.actions(board) if self.game.outcome is None else []
        texts = {action: str(action) for action in actions if moves_are_cells(rules, board, actions)}
        return f"{board_svg(rules, board, texts)}<p>{html.escape(self._state)}</p>"

    @property
    def _state(self) -> str:
        """A description of the side to move and its legal moves or, if the game is over, of the result."""
        game = self.game
        if game.outcome is not None:
            recorded = "" if self.finished is None else f", recorded as game {self.finished.game_id}"
            return f"{self.opponent} plays {self.plays}; {ended(game.outcome)}{recorded}"
        who = "you are" if game.persons_turn else f"{self.opponent} is"
        names = [game.rules.name_of(game.board, action) for action in game.rules.actions(game.board)]
        return f"{who} to move, with {self.person if game.persons_turn else self.plays}: {join_names(names)}"

    def move(self, text: str) -> Self:
        """Make the person's move, given by its name, and the machine's reply; return the session.

        Raises:
            IllegalMove: if the move is not legal, or it is not the person's turn.

        >>> db.play("menace-o", seed=1).move("4").game.board
        '..O.X....'
        """
        self.game.make_person_move(text)
        return self.answer()

    def answer(self) -> Self:
        """If it is the machine's turn, make the machine's move; return the session."""
        if self.game.outcome is None and not self.game.persons_turn:
            self.game.make_machine_move()
        return self

    def undo(self) -> Self:
        """Undo the person's last move and the machine's reply to it; return the session.

        Raises:
            IllegalMove: if there is no such move, or the game is recorded.
        """
        if self.finished is not None:
            raise IllegalMove("this game is over and recorded, so its moves cannot be undone")
        self.game.undo()
        self.not_recorded = None
        return self

    def resign(self) -> Self:
        """Let the person resign, so that the machine wins the game; return the session.

        Raises:
            IllegalMove: if it is not the person's turn, or no move has been made.
        """
        self.game.resign_person()
        return self

    def next_game(self) -> Self:
        """Record the last game if it is over, and begin another.

        If the machine plays X, it makes the first move. Return the session.

        Raises:
            StoreError: if the finished game or the next one cannot be recorded.
        """
        if self.game.outcome is not None and self.game.plies and self.finished is None:
            self.finish()
        self.begin()
        return self.answer()

    def record(self) -> None:
        """Record the game if it is over and not yet recorded. If recording fails, set `not_recorded` to the reason."""
        if self.game.outcome is None or self.finished is not None:
            return
        if not self.game.plies:  # a game without moves is not recorded, even if the machine resigned at its first move
            self.not_recorded = "nobody has moved"
            return
        try:
            self.finish()
        except (StoreError, UnknownLearner) as error:
            self.not_recorded = str(error)

    def finish(self) -> Finished:
        """Record the game and let the machine learn from it, in one transaction. To play again, call `begin`.

        If the machine learned from other games during this game, the changes from those games are kept.

        Raises:
            IllegalMove: if the game is not finished.
            UnknownLearner: if the machine was deleted during the game.
            StoreError: if the database cannot be written. In that case nothing is recorded.
        """
        game, store = self.game, self.store
        if self.finished is not None:
            raise IllegalMove("this game is already recorded; `begin` another")
        recorded, machine = game.recorded(), game.machine
        if self._unsaved is not None:
            before, self._unsaved = self._unsaved, self._unsaved.copy()
            learn_from(self._unsaved, game.path, recorded)
            changed = changes(self._arena, before, self._unsaved, recorded)
            self.machine = self._unsaved
            return self._finished(Finished(sum(self.outcomes.values()) + 1, recorded.outcome, changed, False))
        with store.transaction():
            seat: LearnerRow | str = self.opponent
            if not isinstance(machine, str):
                seat = store.learner_if_not_deleted(machine.learner_id, machine.name)
            run = self.run or self._new_run(seat)
            counts = [int(recorded.outcome == outcome) for outcome in ("X", "draw", "O")]
            block_id = store.add_block(run.run_id, PERSON.name, 1, counts, game.chance.numbers, game.numbers)
            game_id = store.add_game(block_id, 1, **recorded.columns())
            changed = ()
            meanwhile = False
            if not isinstance(machine, str) and not isinstance(seat, str) and self.learns:
                before = load_machine(store, self._arena.positions, seat)
                changed = self._learn(before, recorded, block_id)
                store.add_changes(change_row(game_id, change) for change in changed)
                meanwhile = before.learned.games != machine.learned.games
            store.extend_run(run.run_id, run.games_played + 1)
            run = store.run(run.run_id)
        self.run = run
        finished = self._finished(Finished(game_id, recorded.outcome, changed, meanwhile))
        if self.learns and self._row:
            self.lessons = [*store.lessons(self._row.learner_id, MAX_LESSONS)]
        return finished

    def _finished(self, finished: Finished) -> Finished:
        """Add a finished game to the session's totals, and return it."""
        self._chance, self.not_recorded, self.finished = self.game.chance_after, None, finished
        self.outcomes[finished.outcome] += 1
        points = {self.plays.outcome: 3, "draw": 1}.get(finished.outcome, -1)  # points as in Michie's figure
        self.score.append(self.score[-1] + points)
        if self._unsaved is not None:
            loss = measure(self._unsaved.policy())["random"].loss
            lesson = finished.outcome, loss, self._unsaved.learned.games
            self.lessons = [*self.lessons, lesson][-MAX_LESSONS:]
        return finished

    def _new_run(self, seat: LearnerRow | str) -> Run:
        players = self.plays.x_and_o(seat, HUMAN)
        learns = self.plays.x_and_o(self.learns, False)
        return add_run(self.store, self._arena.positions, PLAY, players, learns, 0, self.seed, self._options)

    def _learn(self, before: Machine, recorded: RecordedGame, block_id: int) -> tuple[Change, ...]:
        after = before.copy()
        learn_from(after, self.game.path, recorded)
        save_machine(self.store, after, before.learned)
        self.machine = after
        self.store.add_evaluations(evaluation_rows(block_id, after))
        return changes(self._arena, before, after, recorded)


def _persons_name(store: Store, name: str) -> str:
    """Return a person's name in the form in which the database stores it.

    Raises:
        InvalidPlayer: if the name is not allowed, or is the name of a learner or a default learner.
    """
    name = check_name(name)
    if store.has_learner(name) or name in DEFAULT_LEARNERS:
        raise InvalidPlayer(f"a machine already has the name {name!r}; give the person another name")
    return name


def _side(store: Store, opponent: str, person: SideText | None) -> Side:
    if is_fixed(opponent):
        positions_of(store)  # load the functions that the database stores
        plays = fixed_opponent(opponent).plays
        side = (plays.other if plays else Side.X) if person is None else Side(person)
        check_side(opponent, side.other)
        return side
    row = store.learner(opponent)
    free = row.plays.other
    if person is not None and Side(person) is not free:
        raise InvalidPlayer(f"machine {row.name} plays {row.plays}; play {free}, or choose another opponent")
    return free
