"""A person and a machine who sit down to play: games are recorded, and learned from, when they are finished.

Nothing is written while a game goes on, and no transaction is open while a person thinks. A sitting is one run; each
of its games is one block, committed when it ends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from menace.arena.chance import check_seed, new_seed
from menace.arena.loop import Arena
from menace.errors import IllegalMove, InvalidPlayer
from menace.games.base import Outcome, Side, SideText
from menace.learners.fixed import is_fixed
from menace.learners.machine import Machine
from menace.learners.names import check_name
from menace.learners.policy import PolicyKind
from menace.ledger.kinds import PERSON, PLAY
from menace.ledger.machines import load_machine, save_machine
from menace.ledger.marks import evaluation_rows
from menace.ledger.positions import check_boards, positions_of
from menace.ledger.recording import Change, RecordedGame, change_row, changes, learn_from
from menace.ledger.runs import DEFAULT_LEARNERS, add_run
from menace.ledger.store import HUMAN, LearnerRow, Options, Run, Store
from menace.people.game import Chance, GameUnderWay


@dataclass(frozen=True)
class Finished:
    """A game that was committed.

    Attributes:
        changes: in the machine, by ply, then by cell.
        taught_meanwhile: whether somebody else taught the machine while the game was played.
    """

    game_id: int
    run: Run
    outcome: Outcome
    changes: tuple[Change, ...]
    taught_meanwhile: bool


class Sitting:
    """A person and a machine at a board, for one game or several.

    Attributes:
        opponent: what the machine is called by now.
        person: the person's side.
        name: what the person is called, or None.
        learns: whether the machine learns from the games.
        kind: how it plays: by its `behaviour`, or `greedy`.
        game: the one under way, or finished last.
        finished: whether it is recorded.
        run: None until the first game is finished.
        outcomes: of the games that are recorded, how many ended so.
    """

    def __init__(
        self,
        store: Store,
        opponent: str,
        person: Side,
        learns: bool,
        seed: int | None,
        name: str | None = None,
        kind: PolicyKind = "behaviour",
        physical: bool = False,
    ) -> None:
        """Sit down: see `sit_down` and its like, which say what the arguments mean."""
        self.store = store
        store.check_file()  # a person is told before the game that it could not be recorded
        self._arena = Arena(positions_of(store))
        check_boards(self._arena.positions)
        if kind == "greedy" and is_fixed(opponent):
            raise InvalidPlayer(f"{opponent} is not a learner, and only learners can play greedily; name one")
        self.opponent, self.person, self.learns, self.kind = opponent, person, learns, kind
        self._chance = Chance(new_seed() if seed is None else check_seed(seed))
        self.name = None if name is None else _persons_name(store, name)
        self._options = Options(physical=physical, person=self.name, greedy=kind == "greedy")
        self._row: LearnerRow | None = None  # of a machine that learns
        self.run: Run | None = None
        self.outcomes: Counter[Outcome] = Counter()
        self.begin()

    def begin(self) -> None:
        """Begin a game, against the machine as it stands now.

        Raises:
            StoreError: if the game could not be recorded when it ends.
        """
        self.store.check_writable()
        machine = self.opponent if is_fixed(self.opponent) else self._machine_now()
        self.game = GameUnderWay(self.store, self._arena, self.person, machine, self.learns, self._chance, self.kind)
        self.finished = False

    def _machine_now(self) -> Machine:
        with self.store.snapshot():
            row = self._row or self.store.learner(self.opponent)
            row = self.store.learner_still_there(row.learner_id, row.name)  # whatever it is called by now
            if row.plays is self.person:
                raise InvalidPlayer(f"learner {row.name} plays {row.plays} itself; take the other side")
            machine = load_machine(self.store, self._arena.positions, row)
        self._row, self.opponent = row, row.name
        return machine

    @property
    def plays(self) -> Side:
        """The machine's side."""
        return self.person.other

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self._chance.seed

    def finish(self) -> Finished:
        """Record the game, and let the machine learn from it, in one transaction; then a new one may `begin`.

        The machine learns into its table as it stands now, whoever taught it meanwhile.

        Raises:
            IllegalMove: if the game is not finished.
            UnknownLearner: if the machine was deleted meanwhile.
            StoreError: if the database cannot be written; nothing is, then.
        """
        game, store = self.game, self.store
        if self.finished:
            raise IllegalMove("this game is recorded already; `begin` another")
        recorded, machine = game.recorded(), game.machine
        with store.transaction():
            seat: LearnerRow | str = self.opponent
            if not isinstance(machine, str):
                seat = store.learner_still_there(machine.learner_id, machine.name)
            run = self.run or self._new_run(seat)
            counts = [int(recorded.outcome == outcome) for outcome in ("X", "draw", "O")]
            block_id = store.add_block(run.run_id, PERSON.name, 1, counts, game.chance.numbers, game.numbers)
            game_id = store.add_game(block_id, 1, **recorded.columns())
            changed: tuple[Change, ...] = ()
            meanwhile = False
            if not isinstance(machine, str) and not isinstance(seat, str) and self.learns:
                before = load_machine(store, self._arena.positions, seat)
                changed = self._learn(before, recorded, block_id)
                store.add_changes(change_row(game_id, change) for change in changed)
                meanwhile = before.learned.games != machine.learned.games
            store.extend_run(run.run_id, run.games_played + 1)
            run = store.run(run.run_id)
        self.run, self.finished, self._chance = run, True, game.chance_after
        self.outcomes[recorded.outcome] += 1
        return Finished(game_id, run, recorded.outcome, changed, meanwhile)

    def _new_run(self, seat: LearnerRow | str) -> Run:
        players = self.plays.x_and_o(seat, HUMAN)
        learns = self.plays.x_and_o(self.learns, False)
        return add_run(self.store, self._arena.positions, PLAY, players, learns, 0, self.seed, self._options)

    def _learn(self, before: Machine, recorded: RecordedGame, block_id: int) -> tuple[Change, ...]:
        after = before.copy()
        learn_from(self._arena, after, self.game.path, recorded)
        save_machine(self.store, after, before.learned)
        self.store.add_evaluations(evaluation_rows(block_id, after))
        return changes(self._arena, before, after, recorded)


def sit_down(
    store: Store,
    opponent: str,
    person: SideText | None = None,
    seed: int | None = None,
    name: str | None = None,
    kind: PolicyKind = "behaviour",
) -> Sitting:
    """Sit a person down to play a machine, which learns from every game that is finished.

    Args:
        store: the database.
        opponent: a learner, or a fixed opponent (which never learns).
        person: the person's side; None stands for the one that a learner does not play, or X.
        seed: of the machine's moves, 0 to 2^63 - 1; None takes one from the system.
        name: of the person, which is kept with the games: as learners' names are, and no learner's. None keeps none.
        kind: how a learner plays: by its `behaviour`, which draws or explores, or `greedy`, what it has most for. It
            learns from the games alike.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidRun: if there is no such player, it plays the person's side, a fixed
            opponent is to be greedy, the name is not allowed, or the seed is none.
        StoreError: if the database cannot be written.
    """
    return Sitting(store, opponent, _side(store, opponent, person), not is_fixed(opponent), seed, name, kind)


def sit_down_without_learning(
    store: Store,
    opponent: str,
    person: SideText | None = None,
    seed: int | None = None,
    name: str | None = None,
    kind: PolicyKind = "behaviour",
) -> Sitting:
    """As `sit_down`, but the machine is kept as it is: games are recorded, and not learned from."""
    return Sitting(store, opponent, _side(store, opponent, person), False, seed, name, kind)


def sit_down_at_boxes(store: Store, name: str, seed: int | None = None, person_name: str | None = None) -> Sitting:
    """As `sit_down`, for a machine of real matchboxes: beads that roll out of them say its moves (`bead_drawn`).

    Raises:
        InvalidPlayer: if the learner draws no beads, or the name of the person is not allowed.
    """
    row = store.learner(name)
    sitting = Sitting(store, name, _side(store, name, None), True, seed, person_name, physical=True)
    if not sitting.game.at_board.draws_beads:
        raise InvalidPlayer(f"learner {row.name} does not draw beads from boxes; name one that does")
    return sitting


def _persons_name(store: Store, name: str) -> str:
    """Return the name of a person as it is kept. Raises InvalidPlayer if it is not allowed, or a learner's.

    The learners that are made where they are missing are to have their names, too.
    """
    name = check_name(name)
    if store.has_learner(name) or name in DEFAULT_LEARNERS:
        raise InvalidPlayer(f"the name {name!r} is a learner's; give the person another")
    return name


def _side(store: Store, opponent: str, person: SideText | None) -> Side:
    if is_fixed(opponent):
        return Side.X if person is None else Side(person)
    row = store.learner(opponent)
    free = row.plays.other
    if person is not None and Side(person) is not free:
        raise InvalidPlayer(f"learner {row.name} plays {row.plays} itself; play {free}, or against another")
    return free
