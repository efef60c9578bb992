"""Record class of a run: its players, and its options, which are parsed once when they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, Self

from menace.arena.exploration_phases import Phase, is_phase, json_object
from menace.arena.marks import ONE_TWO_FIVE, Marks, is_marks
from menace.games.base import Side
from menace.ledger.store.rows import (
    NUMBER_MOST,
    Count,
    Flag,
    Key,
    LearnerRow,
    Name,
    RunTypeName,
    Seed,
    Text,
    fits,
    parsed,
)
from menace.wording import LONGEST_SHOWN, counted

NOBODY = "nobody"  # on the other side of a run without games
HUMAN = "human"  # the player of a run with a person, on that person's side


class Seat(NamedTuple):
    """One side of a run.

    Attributes:
        player: the name at that time: a learner's, a fixed opponent's, `human` or `nobody`.
        learner_id: of a learner, else None.
        learns: whether the learner learns from the games.
    """

    player: str
    learner_id: int | None
    learns: bool


class Imported(NamedTuple):
    """What a learner had learned elsewhere, beside the rows of `imported`: as the columns of `learner` say it."""

    games: int
    epsilon: float | None = None
    outcome_mean: float | None = None
    outcome_weight: float | None = None
    set_sum: float | None = None
    set_games: float | None = None


@dataclass(frozen=True)
class RunOptions:
    """Options of a run, stored as a JSON object of those that differ from the defaults.

    Attributes:
        phases: which set how much the learners explore; empty if their settings do.
        continue_when_ruined: whether games go on, and are lost, after a machine's first box is empty.
        copied_from: the learner_id that a run of kind `copy` copies.
        imported: what a learner that a run of kind `import` brought in had learned from how many games.
        takes_back: the block_id that a run of kind `forget` takes back.
        physical: whether the machine's beads are drawn from real boxes.
        greedy: whether the learner always plays its best against a person.
        person: the name that the person gave.
        marks: after how many games its learners are measured.

    >>> RunOptions(continue_when_ruined=True).to_json(), RunOptions.parse('{"copied_from": 1}').copied_from
    ('{"continue_when_ruined": true}', 1)
    """

    phases: tuple[Phase, ...] = ()
    continue_when_ruined: bool = False
    copied_from: int | None = None
    imported: Imported | None = None
    takes_back: int | None = None
    physical: bool = False
    greedy: bool = False
    person: str | None = None
    marks: Marks = ONE_TWO_FIVE

    @classmethod
    @lru_cache(maxsize=1024)  # the log of a file repeats few of them
    def parse(cls, text: str) -> Self:
        """Return the options that a file holds.

        Raises:
            ValueError: if menace does not write such options.

        >>> RunOptions.parse('{"greedy": 7}')
        Traceback (most recent call last):
            ...
        ValueError: run.options has greedy: 7, not true
        """
        values = json_object(text, "run.options")
        for name, value in values.items():
            is_valid, expected = _CHECKS.get(name, _UNKNOWN)
            if not is_valid(value):
                raise ValueError(f"run.options has {name}: {str(value)[:LONGEST_SHOWN]}, not {expected}")
        if "phases" in values:
            values["phases"] = tuple(Phase(**phase) for phase in values["phases"])
        if "imported" in values:
            values["imported"] = Imported(**values["imported"])
        if "marks" in values:
            values["marks"] = Marks.parse(values["marks"])
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["phases"] = [phase._asdict() for phase in self.phases]
        if self.imported is not None:
            values["imported"] = {name: value for name, value in self.imported._asdict().items() if value is not None}
        values["marks"] = str(self.marks) if self.marks != ONE_TWO_FIVE else None
        return {name: value for name, value in values.items() if value}

    def to_json(self) -> str:
        """Return it as the file keeps it."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def _is_name(value: object) -> bool:
    from menace.learners.name_checks import is_name  # only files with people's games need this import

    return is_name(value)


def _is_imported(value: object) -> bool:
    if not isinstance(value, dict) or "games" not in value or not set(value) <= set(Imported._fields):
        return False
    return all(fits(LearnerRow, name, number) for name, number in value.items())


_Check = tuple[Callable[[Any], bool], str]
_UNKNOWN: _Check = (lambda _: False, "an option of a run")
_TRUE: _Check = (lambda value: value is True, "true")
_ROW: _Check = (lambda value: type(value) is int and 0 < value <= NUMBER_MOST, "the number of a row")
_CHECKS: Mapping[str, _Check] = {
    "phases": (lambda value: isinstance(value, list) and value != [] and all(map(is_phase, value)), "phases"),
    "continue_when_ruined": _TRUE,
    "copied_from": _ROW,
    "imported": (_is_imported, "what a learner has learned from"),
    "takes_back": _ROW,
    "physical": _TRUE,
    "greedy": _TRUE,
    "marks": (is_marks, "marks as menace writes them"),
    "person": (_is_name, "a name as menace writes it"),
}


class Run(NamedTuple):
    """A row of `run`.

    >>> run = store.run(1)
    >>> run.kind, run.x_player, run.o_player, run.games_played, run.seed
    ('selfplay', 'menace-x', 'menace-o', 100, 1)
    >>> run.learner_ids, run.taught, run._replace(o_learns=0).taught
    ([1, 2], [1, 2], [1])
    """

    run_id: Key
    kind: RunTypeName
    x_player: Name
    o_player: Name
    x_learner_id: Key | None
    o_learner_id: Key | None
    x_learns: Flag
    o_learns: Flag
    games_wanted: Count
    games_played: Count
    seed: Seed
    options: Annotated[RunOptions, parsed(RunOptions.parse)]
    version: Text
    started_at: Text
    finished_at: Text | None

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """X and O."""
        return (
            Seat(self.x_player, self.x_learner_id, bool(self.x_learns)),
            Seat(self.o_player, self.o_learner_id, bool(self.o_learns)),
        )

    @property
    def taught(self) -> list[int]:
        """The learner_id of each learner that learns in it."""
        return [seat.learner_id for seat in self.seats if seat.learner_id is not None and seat.learns]

    @property
    def learner_ids(self) -> list[int]:
        """The learner_id of each learner that plays in it, and of its original if it is a copy."""
        ids = (*(seat.learner_id for seat in self.seats), self.options.copied_from)
        return [learner_id for learner_id in ids if learner_id is not None]

    @property
    def opponents(self) -> list[str]:
        """Its players that are not learners of the database."""
        return [seat.player for seat in self.seats if seat.learner_id is None]

    @property
    def machine_side(self) -> Side:
        """The side that the machine plays against a person."""
        return Side.X if self.o_player == HUMAN else Side.O

    def names(self, learners: Mapping[int, LearnerRow]) -> tuple[str, str]:
        """Return the current names of X and O: learners may have been renamed; people have the name that they gave.

        Learners that are not in `learners` have the names with which the run began.

        >>> learners = {row.learner_id: row for row in store.learners()}
        >>> learners[1] = learners[1]._replace(name="Adam")
        >>> store.run(1).names(learners), store.run(1).x_player
        (('Adam', 'menace-o'), 'menace-x')
        """
        people = {HUMAN: self.options.person or HUMAN}
        x, o = (
            people.get(seat.player, seat.player)
            if seat.learner_id is None or seat.learner_id not in learners
            else learners[seat.learner_id].name
            for seat in self.seats
        )
        return x, o

    def __repr__(self) -> str:
        played = f"{self.games_played:,} of {counted(self.games_wanted, 'game')}" if self.finished_at is None else ""
        games = played or counted(self.games_played, "game")
        return (
            f"<run {self.run_id}: {self.kind}, {self.x_player} (X) and {self.o_player} (O), {games}, seed {self.seed}>"
        )
