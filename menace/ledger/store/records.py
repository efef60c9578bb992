"""Record classes for the rows of each table, and for the options of a run."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from menace.arena.run_schedule import ONE_TWO_FIVE, Marks, Phase, is_marks, is_phase, json_object
from menace.files.output import NO_CHARACTER
from menace.games.base import Outcome, Side
from menace.learners.settings import MAX_BEADS
from menace.text.bead_colours import Naming, Scheme
from menace.text.wording import LONGEST_SHOWN, OPPONENTS, counted

Record = TypeVar("Record", bound=tuple[Any, ...])

MAX_SET = 10_000  # maximum number of outcomes that are summed before a mean is updated with their average
MAX_NUMBER = 2**63 - 1  # the largest integer in SQLite
MAX_COUNT = 2**62  # leaves room below 2^63 for the games of another run
# maximum number of characters in names, dates and similar strings; menace writes far shorter strings
MAX_TEXT_LENGTH = 1_000
MAX_GAME_LENGTH = 10_000  # maximum number of characters in the text of a game's actions


def printable(text: str) -> str:
    r"""Replace the characters of a string that a terminal would interpret or cannot display.

    >>> printable("menace-x"), printable("a\x1b[31mb")
    ('menace-x', 'a\ufffd[31mb')
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else NO_CHARACTER for character in text)


class Column(NamedTuple):
    """The values that a column may contain.

    Attributes:
        fits: a function that returns whether a value is allowed.
        expected: a description of the allowed values.
        convert: a function that converts the text to the record's value; None keeps the text.
    """

    fits: Callable[[Any], bool]
    expected: str
    convert: Callable[[str], Any] | None = None  # raises ValueError for an invalid text


def _whole(least: int, most: int) -> Column:
    return Column(lambda v: type(v) is int and least <= v <= most, f"an integer from {least:,} to {most:,}")


def _real(least: float, most: float) -> Column:
    return Column(lambda v: type(v) in {float, int} and least <= v <= most, f"a number from {least:g} to {most:g}")


def _text(least: int) -> Column:
    """Return a text column whose control characters are escaped on reading, because people see its values."""
    expected = f"text of {least} to {MAX_TEXT_LENGTH} characters"
    return Column(lambda v: type(v) is str and least <= len(v) <= MAX_TEXT_LENGTH, expected, printable)


def _pattern(pattern: str, expected: str) -> Column:
    fits = re.compile(pattern).fullmatch
    return Column(lambda v: type(v) is str and len(v) <= MAX_GAME_LENGTH and fits(v) is not None, expected)


def _choice_column(texts: Collection[str], convert: Callable[[str], Any] | None = None) -> Column:
    return Column(lambda v: type(v) is str and v in texts, f"one of {', '.join(texts)}", convert)


def parsed(parse: Callable[[str], Any]) -> Column:
    """Return a column of text that `parse` converts to values. `parse` must raise ValueError for invalid text."""
    return Column(lambda v: type(v) is str, "text", parse)


@functools.lru_cache(1_000)  # most learners share their settings with other learners
def _is_object(value: object) -> bool:
    try:
        return type(value) is str and json_object(value, "it") is not None
    except ValueError:
        return False


Key: TypeAlias = Annotated[int, _whole(0, MAX_NUMBER)]
Count: TypeAlias = Annotated[int, _whole(0, MAX_COUNT)]
FromOne: TypeAlias = Annotated[int, _whole(1, MAX_COUNT)]
Flag: TypeAlias = Annotated[int, _whole(0, 1)]
Beads: TypeAlias = Annotated[int, _whole(0, MAX_BEADS)]
Verdict: TypeAlias = Annotated[int, _whole(-1, 1)]
Share: TypeAlias = Annotated[float, _real(0, 1.000000001)]
Amount: TypeAlias = Annotated[float, _real(-1e300, 1e300)]  # a number of beads (always an integer) or a learned value
Seed: TypeAlias = Annotated[int, _whole(0, 2**63 - 1)]
Text: TypeAlias = Annotated[str, _text(0)]
Name: TypeAlias = Annotated[str, _text(1)]
Json: TypeAlias = Annotated[str, Column(_is_object, "a JSON object")]  # JSON text that is checked when it is parsed
Actions: TypeAlias = Annotated[str, _pattern(r"([0-9]{1,9}(,[0-9]{1,9})*)?", "numbers of actions, such as 4,0,2")]
RunTypeName: TypeAlias = Literal["selfplay", "train", "copy", "import", "play", "recount", "forget"]
BlockTypeName: TypeAlias = Literal["games", "ruin", "copy", "import", "human", "recount", "forget"]
Flags: TypeAlias = Annotated[str, _pattern(r"[01]*", "a 0 or 1 for each action")]


class Rules(NamedTuple):
    """The only row of the table `rules`.

    >>> store.rules()
    Rules(name='tictactoe', variant='3x3x3', symmetry='full')
    """

    name: Name
    variant: Name
    symmetry: Literal["full", "none"]


class PositionRow(NamedTuple):
    """A row of the table `position`.

    >>> store.positions()[1]
    PositionRow(position_id=1, board='X........', ply=1, to_move='O', outcome=None, images=4, minimax=0, plies_to_end=8)
    """

    position_id: Key
    board: Name
    ply: Count
    to_move: Literal["X", "O"] | None  # the game graph and other programs use the same values
    outcome: Outcome | None
    images: FromOne
    minimax: Verdict
    plies_to_end: Count


class MoveRow(NamedTuple):
    """A row of the table `move`.

    >>> store.all_moves()[0]
    MoveRow(position_id=0, action=0, next_position_id=1, multiplicity=4, minimax=0, optimal=1)
    """

    position_id: Key
    action: Count
    next_position_id: Key
    multiplicity: FromOne
    minimax: Verdict
    optimal: Flag


class MatchboxRow(NamedTuple):
    """A row of the table `matchbox`, without the learner's id.

    >>> [row.beads for row in store.matchbox(learner_id=1, position_id=0)]
    [16, 1, 153]
    """

    position_id: Key
    action: Count
    beads: Beads
    picked: Count


class LearnerRow(NamedTuple):
    """A row of the table `learner`.

    >>> row = store.learner("menace-x")
    >>> row.plays, row.algorithm, row.games
    ('X', 'menace', 100)
    """

    learner_id: Key
    name: Name
    plays: Side
    algorithm: Name
    revision: Count
    preset: Text
    settings: Json
    seed: Seed | None
    colours: Scheme
    numbering: Scheme
    games: Count
    epsilon: Annotated[float, _real(0, 1)] | None
    outcome_mean: Annotated[float, _real(-1, 1)] | None
    outcome_weight: Annotated[float, _real(1, MAX_COUNT)] | None
    set_sum: Annotated[float, _real(-MAX_SET, MAX_SET)] | None
    set_games: Annotated[float, _real(0, MAX_SET)] | None
    created_at: Text
    deleted_at: Text | None = None

    @property
    def naming(self) -> Naming:
        """The naming schemes for the learner's beads and cells."""
        return Naming(self.colours, self.numbering)


class BlockRow(NamedTuple):
    """A row of the table `block`.

    >>> [block.games for block in store.blocks()]
    [0, 1, 1, 3, 5, 10, 30, 50]
    """

    block_id: Key
    run_id: Key
    kind: BlockTypeName
    games: Count
    x_wins: Count
    draws: Count
    o_wins: Count
    numbers_before: Count
    numbers: Count
    created_at: Text


class GameRow(NamedTuple):
    """A row of the table `game`."""

    game_id: Key
    block_id: Key
    number: Count
    actions: Actions
    explored: Flags
    learned: Flags
    ended_by: Literal["board", "resignation"]
    outcome: Outcome


class ChangeRow(NamedTuple):
    """A row of the table `change`."""

    game_id: Key
    learner_id: Key
    ply: Count
    position_id: Key
    action: Count | None
    before: Amount
    put_back: Count
    after: Amount


class AdjustmentRow(NamedTuple):
    """A row of the table `adjustment`."""

    block_id: Key
    learner_id: Key
    position_id: Key
    action: Count
    beads_before: Beads
    beads_after: Beads


class ImportedRow(NamedTuple):
    """A row of the table `imported`. `learners.restore` checks that the row is valid for its learner."""

    block_id: Key
    learner_id: Key
    position_id: Key
    action: Count | None
    amount: Amount
    updates: Count
    half_difference: Annotated[float, _real(-1e300, 1e300)] | None


class PolicyRow(NamedTuple):
    """A row of the table `policy`. `tabulated_policies.restore` checks the hash of the weights."""

    name: Name
    plays: Side
    hash: Name
    weights: Annotated[bytes, Column(lambda v: type(v) is bytes and len(v) % 4 == 0, "bytes, four for each move")]


class EvaluationRow(NamedTuple):
    """A row of the table `evaluation`.

    >>> row = store.evaluations()[0]
    >>> row.learner_games, row.policy, row.opponent, round(row.win, 3)
    (0, 'behaviour', 'best_response', 0.02)
    """

    block_id: Key
    learner_id: Key
    learner_games: Count
    policy: Literal["behaviour", "greedy"]
    opponent: Annotated[str, _choice_column(OPPONENTS)]
    win: Share
    draw: Share
    loss: Share


def read(record: type[Record], rows: Iterable[Sequence[Any]]) -> list[Record]:
    """Return database rows as records.

    Args:
        record: one of the record classes.
        rows: values in the order of the record's columns.

    Raises:
        ValueError: if a value is invalid. The message contains the column and the value.

    >>> read(MatchboxRow, [(0, 4, 7, 1)])
    [MatchboxRow(position_id=0, action=4, beads=7, picked=1)]
    >>> read(MatchboxRow, [(0, 4, -7, 1)])
    Traceback (most recent call last):
        ...
    ValueError: matchbox.beads is -7, not an integer from 0 to 67,108,863
    """
    columns = _columns(record)
    converters = [(number, column.convert) for number, (_, column) in enumerate(columns) if column.convert is not None]
    records = []
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"{record.__name__} has {counted(len(row), 'column')} instead of {len(columns)}")
        values = list(row)
        for value, (name, column) in zip(row, columns, strict=True):
            if not column.fits(value):
                raise ValueError(f"{name} is {repr(value)[:LONGEST_SHOWN]}, not {column.expected}")
        for number, convert in converters:
            if values[number] is not None:
                values[number] = convert(values[number])
        records.append(record(*values))
    return records


def fits(record: type[Record], column: str, value: object) -> bool:
    """Return whether a value is allowed in a column of a record.

    >>> fits(MatchboxRow, "beads", 7), fits(MatchboxRow, "beads", 0.5), fits(MatchboxRow, "colour", 7)
    (True, False, False)
    """
    columns = {name.partition(".")[2]: kept for name, kept in _columns(record)}
    return column in columns and columns[column].fits(value)


@functools.cache
def _columns(record: type[Any]) -> list[tuple[str, Column]]:
    """Return the name and the `Column` of each column of a record."""
    table = record.__name__.removesuffix("Row").lower()
    hints = get_type_hints(record, include_extras=True)
    return [(f"{table}.{name}", _column(hint)) for name, hint in hints.items()]


def _column(hint: Any) -> Column:
    if hint is Side:
        return _choice_column([side.value for side in Side], Side)
    if get_origin(hint) is Literal:
        return _choice_column(get_args(hint))
    kind, kept, *_ = get_args(hint)
    if kept is NoneType:
        column = _column(kind)
        return column._replace(fits=lambda v: v is None or column.fits(v), expected=f"{column.expected}, or nothing")
    return cast(Column, kept)


def now() -> str:
    """Return the current time in the database's form: ISO 8601 in UTC, with a precision of one second.

    >>> datetime.fromisoformat(now()).tzinfo is UTC
    True
    """
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


NOBODY = "nobody"  # the name stored for a side that is not used, in a run without games
HUMAN = "human"  # the name stored for a person's side


class Seat(NamedTuple):
    """One side of a run.

    Attributes:
        player: the player's name when the run began: a learner, a fixed opponent, `human` or `nobody`.
        learner_id: the id of a learner, or None for other players.
        learns: whether the learner learns from the games.
    """

    player: str
    learner_id: int | None
    learns: bool


class Imported(NamedTuple):
    """The columns that change as an imported learner plays. The table `imported` stores all other values."""

    games: int
    epsilon: float | None = None
    outcome_mean: float | None = None
    outcome_weight: float | None = None
    set_sum: float | None = None
    set_games: float | None = None


@dataclass(frozen=True)
class RunOptions:
    """The options of a run. The database stores the options that differ from their defaults as a JSON object.

    Attributes:
        phases: the exploration phases; empty if the learners' settings apply.
        continue_when_ruined: whether the run continues, with games that the machine loses, after the box for its first
            move is empty.
        copied_from: the learner_id of the original in a run of kind `copy`.
        imported: the state of the imported learner in a run of kind `import`.
        takes_back: the block_id of the undone block in a run of kind `forget`.
        physical: whether a person draws the machine's beads from real boxes.
        greedy: whether the learner uses its greedy policy against a person.
        person: the person's name.
        marks: the numbers of games after which the learners are measured.

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
    @lru_cache(maxsize=1024)  # most runs in a file share the same options
    def parse(cls, text: str) -> Self:
        """Parse the options from a file.

        Raises:
            ValueError: if the options do not have the form that menace writes.

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
        """Return the options that differ from the defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["phases"] = [phase._asdict() for phase in self.phases]
        if self.imported is not None:
            values["imported"] = {name: value for name, value in self.imported._asdict().items() if value is not None}
        values["marks"] = str(self.marks) if self.marks != ONE_TWO_FIVE else None
        return {name: value for name, value in values.items() if value}

    def to_json(self) -> str:
        """Return the options in the form stored in the file."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def _is_name(value: object) -> bool:
    from menace.learners.registry import is_name  # imported here because only files with people's games need it

    return is_name(value)


def _is_imported(value: object) -> bool:
    if not isinstance(value, dict) or "games" not in value or not set(value) <= set(Imported._fields):
        return False
    return all(fits(LearnerRow, name, number) for name, number in value.items())


_Check = tuple[Callable[[Any], bool], str]
_UNKNOWN: _Check = (lambda _: False, "an option of a run")
_TRUE: _Check = (lambda value: value is True, "true")
_ROW: _Check = (lambda value: type(value) is int and 0 < value <= MAX_NUMBER, "the number of a row")
_CHECKS: Mapping[str, _Check] = {
    "phases": (lambda value: isinstance(value, list) and value != [] and all(map(is_phase, value)), "phases"),
    "continue_when_ruined": _TRUE,
    "copied_from": _ROW,
    "imported": (_is_imported, "what a learner has learned from"),
    "takes_back": _ROW,
    "physical": _TRUE,
    "greedy": _TRUE,
    "marks": (is_marks, "marks in the form that menace writes"),
    "person": (_is_name, "a name as menace writes it"),
}


class Run(NamedTuple):
    """A row of the table `run`.

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
        """The run's sides X and O, each with its player."""
        return (
            Seat(self.x_player, self.x_learner_id, bool(self.x_learns)),
            Seat(self.o_player, self.o_learner_id, bool(self.o_learns)),
        )

    @property
    def taught(self) -> list[int]:
        """The learner_id of every learner trained in this run."""
        return [seat.learner_id for seat in self.seats if seat.learner_id is not None and seat.learns]

    @property
    def learner_ids(self) -> list[int]:
        """The learner_id of every learner that plays in this run, or of the original if the run copies a learner."""
        ids = (*(seat.learner_id for seat in self.seats), self.options.copied_from)
        return [learner_id for learner_id in ids if learner_id is not None]

    @property
    def players_without_learners(self) -> list[str]:
        """The players of this run that are not learners of the database."""
        return [seat.player for seat in self.seats if seat.learner_id is None]

    @property
    def machine_side(self) -> Side:
        """The side that the machine plays against a person."""
        return Side.X if self.o_player == HUMAN else Side.O

    def names(self, learners: Mapping[int, LearnerRow]) -> tuple[str, str]:
        """Return the current names of X and O. Learners may have been renamed; people keep the names that they entered.

        A learner that is not in `learners` has the name that it had when the run began.

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
