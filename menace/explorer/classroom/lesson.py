"""Manage a lesson: the pupils, the machines they teach, the teacher's choices, and the results.

Everything except games in progress is stored in the database, so a lesson can continue after the server has been
killed. All methods with a `store` argument run in the same worker thread. Nothing is written while a pupil is thinking
about a move.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from statistics import fmean
from typing import Any

from menace.analysis.matchups import comparison
from menace.errors import InvalidPlayer, InvalidRun
from menace.explorer.content.drawable_boxes import load_bead_names, record_with_boxes, shown_record
from menace.explorer.server import requests, security
from menace.games.base import Side
from menace.learners.machine import merge_machines
from menace.learners.opponents.fixed import STANDARD
from menace.learners.registry import check_name
from menace.ledger import learners, runs, training
from menace.ledger.positions import positions_of
from menace.ledger.store import LearnerRow, Store
from menace.ledger.store.database import games_of_person, last_lesson, last_run, save_lesson
from menace.people.session import Session
from menace.text.wording import unused_name

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
CODE_LENGTH, MAX_PUPILS, MAX_NICKNAME = 4, 60, 20
LONGEST = timedelta(hours=12)  # a lesson ends after this long, even if the teacher has not ended it


def digest(token: str) -> str:
    """Return the hash of a pupil's token.

    The database stores only this hash, so that nobody who reads the file can play as the pupil.
    """
    return sha256(token.encode()).hexdigest()


@dataclass
class Pupil:
    """A pupil.

    Attributes:
        name: the nickname.
        key: the digest of the token; empty if the pupil may come back with the code and the nickname.
        learner_id: the pupil's own machine, once it exists.
        turn: a random identifier of the current game, which makes a repeated request for the next game harmless.
        round: the round in which the current game began.
        scene: the view of the current game that the pupil's page shows.
        games: the results of the pupil's games, see `games_of_person`.
    """

    name: str
    key: str
    learner_id: int | None = None
    turn: str = ""
    round: int = 0
    session: Session | None = None
    scene: dict[str, Any] | None = None
    games: list[tuple[str, float | None]] = field(default_factory=list)


@dataclass
class Choices:
    """The stored state of a lesson, without its pupils.

    Attributes:
        code: the code with which pupils join.
        machines: the names of the machines that are copied, at most one for each side.
        together: whether all pupils who play the same side share one machine.
        phase: `lobby` until the teacher begins, then `play` or `paused`, and `over` at the end.
        round: the number of times that the teacher has started a game for everybody.
        first_run: the last run before the lesson.
        started_at: when the lesson started, UTC.
        shared: the ids of the machines that all pupils share, by original.
        copied: the number of games that each original had learned from when it was copied.
    """

    code: str
    machines: list[str]
    first_run: int
    started_at: str
    together: bool = False
    phase: str = "lobby"
    round: int = 1
    shared: dict[str, int] = field(default_factory=dict)
    copied: dict[str, int] = field(default_factory=dict)


class Lesson:
    """A lesson with its pupils.

    Attributes:
        choices: the stored state.
        pupils: the pupils by nickname, in the order in which they joined.
    """

    def __init__(self, store: Store) -> None:
        """Continue the last lesson in a database, or start a new lesson if the last one is over."""
        self.pupils: dict[str, Pupil] = {}
        last = last_lesson(store)
        self._id = None if last is None else last[0]
        if last is not None:
            saved = last[1]
            pupils = saved.pop("pupils")
            self.choices = Choices(**saved)
            self.pupils = {name: Pupil(name, key, learner_id) for name, key, learner_id in pupils}
            for pupil in self.pupils.values():
                pupil.games = games_of_person(store, pupil.name, self.choices.first_run)
        if last is None or self.phase == "over":
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            self._id, self.pupils = None, {}
            machines, started = _first_machine_of_each_side(store), datetime.now(UTC).isoformat()
            self.choices = Choices(code, machines, last_run(store), started)
            self.save(store)

    def save(self, store: Store) -> None:
        """Store the lesson in a transaction."""
        pupils = [(pupil.name, pupil.key, pupil.learner_id) for pupil in self.pupils.values()]
        self._id = save_lesson(store, self._id, {**asdict(self.choices), "pupils": pupils})

    @property
    def phase(self) -> str:
        """`lobby`, `play`, `paused` or `over`."""
        late = datetime.now(UTC) - datetime.fromisoformat(self.choices.started_at) > LONGEST
        return "over" if late else self.choices.phase

    # Pupils.

    def join(self, store: Store, code: str, name: str) -> str:
        """Add a pupil, or let a released pupil back in, and return the pupil's token.

        Raises:
            Refused: if the code is wrong.
            InvalidPlayer: if the nickname is not allowed or is taken.
            TooManySessions, LostSession: if the class is full, or the lesson is over.
        """
        if not secrets.compare_digest(code.strip().upper().encode(), self.choices.code.encode()):
            raise security.Refused("this is not the code for this lesson; read the code on the board again")
        if self.phase == "over":
            raise requests.LostSession("the lesson is over")
        name = check_name(name.strip())
        if len(name) > MAX_NICKNAME:
            raise InvalidPlayer(f"this nickname has more than {MAX_NICKNAME} characters; choose a shorter one")
        pupil = next((pupil for pupil in self.pupils.values() if pupil.name.casefold() == name.casefold()), None)
        if (pupil is None and store.has_learner(name)) or (pupil is not None and pupil.key):
            raise InvalidPlayer(f"somebody is already called {name!r}; choose another nickname, or ask your teacher")
        if pupil is None and len(self.pupils) >= MAX_PUPILS:
            raise requests.TooManySessions(f"the class already has {MAX_PUPILS} pupils")
        token = secrets.token_urlsafe(18)
        pupil = pupil or self.pupils.setdefault(name, Pupil(name, ""))
        pupil.key = digest(token)
        self.save(store)
        return token

    def pupil(self, token: str) -> Pupil:
        """Return the pupil with the given token. Raises LostSession if no pupil has this token."""
        key = digest(token)
        for pupil in list(self.pupils.values()):  # the worker thread may be adding a pupil at the same time
            if pupil.key and secrets.compare_digest(pupil.key, key):
                return pupil
        raise requests.LostSession("you are not in this lesson; join it with the code on the board")

    def view(self, pupil: Pupil) -> dict[str, Any]:
        """Return the data that a pupil's page shows. The data is in memory, so the database is not read."""
        choices = self.choices
        shown = {"name": pupil.name, "phase": self.phase, "together": choices.together, "games": pupil.games}
        return {**shown, "turn": pupil.turn, "go": pupil.round < choices.round, "scene": pupil.scene}

    def next_game(self, store: Store, pupil: Pupil, turn: str = "") -> None:
        """Begin a pupil's next game if the current one is over. A repeated request changes nothing."""
        session = pupil.session
        if self.phase != "play" or turn != pupil.turn or (session is not None and session.game.outcome is None):
            return
        if session is not None and session.finished is None and session.game.plies:
            session.finish()  # raises an error if the game still cannot be recorded
        row = self._machine(store, pupil)
        machine = None if session is None else session.game.machine
        if session is None or session.store is not store or getattr(machine, "learner_id", None) != row.learner_id:
            session = pupil.session = Session(store, row.name, name=pupil.name)
        else:
            session.begin()
        pupil.turn, pupil.round = secrets.token_hex(8), self.choices.round
        self._show(store, pupil, session.answer())

    def move(self, store: Store, pupil: Pupil, turn: str, ply: int, move: str) -> None:
        """Make a pupil's move, and record the game if it ends. A repeated request changes nothing.

        Raises:
            IllegalMove: if the move is not legal.
        """
        session = pupil.session
        if session is not None and session.store is not store:  # the file was replaced
            pupil.session = pupil.scene = session = None
            pupil.turn = ""
        if self.phase != "play" or session is None or (turn, ply) != (pupil.turn, len(session.game.plies)):
            return
        if session.game.outcome is None:
            self._show(store, pupil, session.move(move))

    def _show(self, store: Store, pupil: Pupil, session: Session) -> None:
        session.record()
        if session.finished is not None:
            pupil.games = games_of_person(store, pupil.name, self.choices.first_run)
        pupil.scene = record_with_boxes(store, session)

    # Machines.

    def _machine(self, store: Store, pupil: Pupil) -> LearnerRow:
        """Return the machine that a pupil plays against, first copying it from an original if necessary."""
        choices, number = self.choices, list(self.pupils).index(pupil.name)
        own = None if pupil.learner_id is None else store.learner_by_id(pupil.learner_id)
        side = None if own is None else own.plays
        originals = [store.learner(name) for name in choices.machines]
        origin = next((row for row in originals if row.plays is side), originals[number % len(originals)])
        if not choices.together:
            if own is None:
                own = self._copy(store, origin, f"{pupil.name}-{origin.plays.lower()}")
                pupil.learner_id = own.learner_id
                self.save(store)
            return own
        if origin.name not in choices.shared:
            choices.shared[origin.name] = self._copy(store, origin, f"class-{origin.plays.lower()}").learner_id
            self.save(store)
        return store.learner_by_id(choices.shared[origin.name])

    def _copy(self, store: Store, origin: LearnerRow, name: str) -> LearnerRow:
        self.choices.copied.setdefault(origin.name, origin.games)
        taken = {row.name for row in store.learners()} | set(self.pupils)
        return runs.copy_learner(store, origin.name, unused_name(name, taken, "-"))

    def machines(self, store: Store) -> Iterator[tuple[str, LearnerRow]]:
        """Yield the lesson's machines, each with the name of its pupil; machines that all pupils share come first."""
        for learner_id in self.choices.shared.values():
            yield "everybody", store.learner_by_id(learner_id)
        for pupil in self.pupils.values():
            if pupil.learner_id is not None:
                yield pupil.name, store.learner_by_id(pupil.learner_id)

    # The teacher's choices.

    def choose(self, store: Store, machines: list[str], together: bool = False) -> None:
        """Choose which machines to copy, and whether the pupils share one copy or each pupil gets a separate one.

        Raises:
            InvalidRun: if there is no machine, or pupils are already teaching copies of other machines.
            InvalidPlayer, UnknownLearner: if two machines play the same side, or one does not exist.
        """
        rows = [store.learner(name) for name in machines if name]
        if not rows:
            raise InvalidRun("choose at least one machine")
        if len({row.plays for row in rows}) < len(rows):
            raise InvalidPlayer("choose at most one machine for each side")
        names = [row.name for row in rows]
        if self.choices.copied and names != self.choices.machines:
            raise InvalidRun("pupils are already teaching copies of these machines; end the lesson to choose others")
        self.choices.machines, self.choices.together = names, together
        self.save(store)

    def change_phase(self, store: Store, phase: str) -> None:
        """Begin, pause, continue or end the lesson.

        A lesson cannot return to the lobby, and it cannot continue after it has ended.
        """
        if self.phase == "over" or phase not in {"play", "paused", "over"}:
            raise InvalidRun("the lesson is over; restart the command to begin another one")
        with store.transaction():
            for pupil in self.pupils.values() if phase == "play" else ():
                self._machine(store, pupil)  # pupils are still in the lobby, so no request has to wait for the copies
            self.choices.phase = phase
            self.save(store)

    def next_round(self, store: Store) -> None:
        """Begin the next game for every pupil whose current game is over."""
        self.choices.round += 1
        self.save(store)

    def release(self, store: Store, name: str, remove: bool = False) -> None:
        """Let a pupil join again with the same nickname, or remove the pupil but keep the pupil's machine."""
        if name not in self.pupils:
            raise InvalidPlayer(f"there is no pupil {name!r}")
        self.pupils[name].key = ""
        if remove:
            del self.pupils[name]
        self.save(store)


def _first_machine_of_each_side(store: Store) -> list[str]:
    """Return the first machine for each side; if the file contains no machines, create the two default ones."""
    if not store.learners():
        for name in ("menace-x", "menace-o"):
            runs.get_or_create_learner(store, name)
    return list({row.plays: row.name for row in reversed(store.learners())}.values())[::-1]


RANDOM = "random"
MAX_POINTS = 200  # in the curve


class Cards:
    """The cards on the teacher's page, one for each machine.

    A card is recomputed only after its machine has learned from a game.
    """

    def __init__(self) -> None:
        self._cards: dict[int, dict[str, Any]] = {}

    def all(self, store: Store, lesson: Lesson, seconds: float = math.inf) -> list[dict[str, Any]]:
        """Return a card for each machine of a lesson.

        After `seconds`, no more cards are computed until the next call, so that pupils' requests do not have to wait.
        """
        end, rows = time.monotonic() + seconds, list(lesson.machines(store))
        return [{"pupil": pupil, **card} for pupil, row in rows if (card := self._card(store, row, end))]

    def _card(self, store: Store, row: LearnerRow, end: float) -> dict[str, Any] | None:
        card = self._cards.get(row.learner_id)
        if (card is None or card["all"] != row.games) and time.monotonic() < end:
            machine = learners.load_machine(store, positions_of(store), row)
            names, box = load_bead_names(store, row), next(islice(machine.each_box(), 1), None)
            loss = training.measure(machine.policy())[RANDOM].loss
            rows = [each for each in store.evaluations_of(row.learner_id, "behaviour") if each.opponent == RANDOM]
            first, start = (rows[0].learner_games, rows[0].loss) if rows else (row.games, loss)
            # Each run also measures the machine before the run's first game.
            later = {
                each.learner_games: (each.block_id, each.loss) for each in reversed(rows) if each.learner_games > first
            }
            card = {"machine": row.name, "plays": row.plays, "all": row.games, "first": first, "loss": loss}
            card |= {"box": box and shown_record(box, names), "start": start, "curve": sorted(later.values())}
            self._cards[row.learner_id] = card
        if card is None:
            return None
        shown = {name: card[name] for name in ("machine", "plays", "start", "loss", "box")}
        return {**shown, "games": card["all"] - card["first"]}

    def curve(self) -> list[tuple[int, float]]:
        """Return the machines' average probability of losing to a random player after each game of the class."""
        cards = list(self._cards.values())
        now = [card["start"] for card in cards]
        points = [(0, fmean(now))] if cards else []
        steps = sorted((*step, number) for number, card in enumerate(cards) for step in card["curve"])
        for games, (_, loss, number) in enumerate(steps, start=1):
            now[number] = loss
            points.append((games, fmean(now)))
        step = -(-len(points) // MAX_POINTS) or 1
        return [*points[:-1:step], *points[-1:]]


def tournament(lesson: Lesson, store: Store) -> dict[str, Any]:
    """Return the exact results of every X machine against every O machine in a lesson.

    If all machines play the same side, they play against the standard opponents instead. Each result is an expected
    score, where a win counts one point and a draw counts half a point.
    """
    pupils = {row.name: pupil for pupil, row in lesson.machines(store)}
    plays = {row.name: row.plays for _, row in lesson.machines(store)}
    sides = set(plays.values())
    if not sides:
        raise InvalidRun("there are no machines yet; begin the lesson first")
    others = [] if len(sides) == len(Side) else list(STANDARD)
    own = Side.X if Side.X in sides else Side.O
    table: dict[str, dict[str, float]] = {}
    points: dict[str, list[float]] = {name: [] for name in pupils}
    for (x, o), outcomes in comparison(store, [*pupils, *others]).items():
        of_x = outcomes.x_wins + outcomes.draw / 2
        if x in points:
            points[x].append(of_x)
        if o in points:
            points[o].append(1 - of_x)
        row, column = (x, o) if own is Side.X else (o, x)
        if row in pupils:
            table.setdefault(row, {})[column] = own.x_and_o(of_x, 1 - of_x)[0]
    ranked = sorted(((fmean(got), name) for name, got in points.items() if got), reverse=True)
    return {
        "pupils": pupils,
        "own": own,
        "ranked": [{"machine": name, "plays": plays[name], "points": got} for got, name in ranked],
        "columns": list(next(iter(table.values()), {})),
        "table": table,
    }


def add_up(lesson: Lesson, store: Store) -> list[dict[str, Any]]:
    """Merge what the pupils' machines have learned into one new machine for each side, and return the new machines.

    Raises:
        InvalidRun: if there are no machines, or if an original has learned from more games since it was copied.
        InvalidPlayer: if the machines have no beads.
    """
    made: list[dict[str, Any]] = []
    ids = {pupil.learner_id for pupil in lesson.pupils.values()} - {None}
    for name, games in lesson.choices.copied.items():
        base = learners.named_machine(store, name)
        if base.learned.games != games:
            raise InvalidRun(f"{name} has learned since the lesson began, so its copies cannot be combined")
        if not base.has_beads:
            raise InvalidPlayer(f"{name} has no beads, so its copies cannot be combined")
        rows = [row for _, row in lesson.machines(store) if row.learner_id in ids and row.plays is base.plays]
        if rows:
            copies = [learners.load_machine(store, positions_of(store), row) for row in rows]
            new = unused_name(f"sum-{base.plays.lower()}", {row.name for row in store.learners()}, "-")
            total = merge_machines(base, copies)
            row, loss = runs.import_machine(store, total, new), training.measure(total.policy())[RANDOM].loss
            made.append({"name": row.name, "plays": row.plays, "games": row.games, "loss": loss})
    if not made:
        raise InvalidRun("no pupil has a machine yet, so there are no machines to combine")
    return made
