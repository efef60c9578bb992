"""Rows of the database, as records: the columns of each table in their order, and what each may hold.

Every row that menace uses comes through `read`, which takes no more on trust than SQLite does: files are edited with
the checks off, and bits flip. What a column may hold stands beside its name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from menace.arena.phases import json_object
from menace.colours import Naming, Scheme
from menace.games.base import Outcome, Side
from menace.learners.settings import MOST_BEADS
from menace.output import NO_CHARACTER
from menace.wording import OPPONENTS, counted

Record = TypeVar("Record", bound=tuple[Any, ...])

SET_MOST = 10_000  # outcomes of a set that enter a mean at once
COUNT_MOST = 2**62  # so that a game, or a run of them, more is still below 2^63
LONGEST_TEXT = 1_000  # characters of a name, a date and the like; names that menace gives are far shorter
LONGEST_GAME = 10_000  # characters of its actions
LONGEST_SHOWN = 40  # characters of a wrong value, in a message


class Range(NamedTuple):
    """What a number lies in, both ends included."""

    least: float
    most: float


def printable(text: str) -> str:
    r"""Return a text with what a terminal would obey, or cannot show, replaced.

    >>> printable("menace-x"), printable("a\x1b[31mb")
    ('menace-x', 'a\ufffd[31mb')
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else NO_CHARACTER for character in text)


Key: TypeAlias = Annotated[int, Range(0, 2**63 - 1)]
Count: TypeAlias = Annotated[int, Range(0, COUNT_MOST)]
Flag: TypeAlias = Annotated[int, Range(0, 1)]
Beads: TypeAlias = Annotated[int, Range(0, MOST_BEADS)]
Verdict: TypeAlias = Annotated[int, Range(-1, 1)]
Share: TypeAlias = Annotated[float, Range(0, 1.000000001)]
Amount: TypeAlias = Annotated[float, Range(-1e300, 1e300)]  # beads, which are whole, or a value
Seed: TypeAlias = Annotated[int, Range(0, 2**63 - 1)]
Text: TypeAlias = Annotated[str, Range(0, LONGEST_TEXT)]  # shown to people, so without control characters
Name: TypeAlias = Annotated[str, Range(1, LONGEST_TEXT)]
Json: TypeAlias = Annotated[str, "a JSON object"]  # as it stands: whoever parses it checks what is in it
Actions: TypeAlias = Annotated[str, re.compile(r"([0-9]{1,9}(,[0-9]{1,9})*)?"), "numbers of actions, such as 4,0,2"]
RunKindName: TypeAlias = Literal["selfplay", "train", "copy", "play", "recount", "forget"]
BlockKindName: TypeAlias = Literal["games", "empty", "copy", "human", "recount", "forget"]
Flags: TypeAlias = Annotated[str, re.compile(r"[01]*"), "a 0 or 1 for each action"]


class Rules(NamedTuple):
    """The row of `rules`.

    >>> store.rules()
    Rules(name='tictactoe', variant='3x3x3', symmetry='full')
    """

    name: Name
    variant: Name
    symmetry: Literal["full", "none"]


class PositionRow(NamedTuple):
    """A row of `position`.

    >>> store.positions()[1]
    PositionRow(position_id=1, board='X........', ply=1, to_move='O', outcome=None, images=4, minimax=0, plies_to_end=8)
    """

    position_id: Key
    board: Name
    ply: Count
    to_move: Literal["X", "O"] | None  # as a graph has it, and other programs
    outcome: Outcome | None
    images: Annotated[int, Range(1, COUNT_MOST)]
    minimax: Verdict
    plies_to_end: Count


class MoveRow(NamedTuple):
    """A row of `move`.

    >>> store.all_moves()[0]
    MoveRow(position_id=0, action=0, next_position_id=1, multiplicity=4, minimax=0, optimal=1)
    """

    position_id: Key
    action: Count
    next_position_id: Key
    multiplicity: Annotated[int, Range(1, COUNT_MOST)]
    minimax: Verdict
    optimal: Flag


class MatchboxRow(NamedTuple):
    """A row of `matchbox`, of a learner that is known.

    >>> [row.beads for row in store.matchbox(learner_id=1, position_id=0)]
    [16, 1, 153]
    """

    position_id: Key
    action: Count
    beads: Beads
    picked: Count


class LearnerRow(NamedTuple):
    """A row of `learner`.

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
    epsilon: Annotated[float, Range(0, 1)] | None
    outcome_mean: Annotated[float, Range(-1, 1)] | None
    outcome_weight: Annotated[float, Range(1, COUNT_MOST)] | None
    set_sum: Annotated[float, Range(-SET_MOST, SET_MOST)] | None
    set_games: Annotated[float, Range(0, SET_MOST)] | None
    created_at: Text
    deleted_at: Text | None = None

    @property
    def naming(self) -> Naming:
        """How its beads and cells are called."""
        return Naming(self.colours, self.numbering)


class BlockRow(NamedTuple):
    """A row of `block`.

    >>> [block.games for block in store.blocks()]
    [0, 1, 1, 3, 5, 10, 30, 50]
    """

    block_id: Key
    run_id: Key
    kind: BlockKindName
    games: Count
    x_wins: Count
    draws: Count
    o_wins: Count
    numbers_before: Count
    numbers: Count
    created_at: Text


class GameRow(NamedTuple):
    """A row of `game`."""

    game_id: Key
    block_id: Key
    number: Count
    actions: Actions
    explored: Flags
    learned: Flags
    ended_by: Literal["board", "resignation"]
    outcome: Outcome


class ChangeRow(NamedTuple):
    """A row of `change`."""

    game_id: Key
    learner_id: Key
    ply: Count
    position_id: Key
    action: Count | None
    before: Amount
    put_back: Count
    after: Amount


class AdjustmentRow(NamedTuple):
    """A row of `adjustment`."""

    block_id: Key
    learner_id: Key
    position_id: Key
    action: Count
    beads_before: Beads
    beads_after: Beads


class EvaluationRow(NamedTuple):
    """A row of `evaluation`.

    >>> row = store.evaluations()[0]
    >>> row.learner_games, row.policy, row.opponent, round(row.win, 3)
    (0, 'behaviour', 'best', 0.02)
    """

    block_id: Key
    learner_id: Key
    learner_games: Count
    policy: Literal["behaviour", "greedy"]
    opponent: Annotated[str, tuple(OPPONENTS)]
    win: Share
    draw: Share
    loss: Share


Check: TypeAlias = Callable[[Any], bool]
Converter: TypeAlias = Callable[[str], Any]  # raises ValueError


def read(record: type[Record], rows: Iterable[Sequence[Any]]) -> list[Record]:
    """Return rows of the database as records.

    Args:
        record: one of the classes above.
        rows: values in the order of its columns.

    Raises:
        ValueError: naming the column and the value that no menace has written there.

    >>> read(MatchboxRow, [(0, 4, 7, 1)])
    [MatchboxRow(position_id=0, action=4, beads=7, picked=1)]
    >>> read(MatchboxRow, [(0, 4, -7, 1)])
    Traceback (most recent call last):
        ...
    ValueError: matchbox.beads is -7, not a whole number from 0 to 67,108,863
    """
    columns, converters = _columns(record)
    found = []
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"{record.__name__} has {counted(len(row), 'column')} instead of {len(columns)}")
        for value, (name, fits, expected) in zip(row, columns, strict=True):
            if not fits(value):
                raise _unfit(value, name, expected)
        found.append(record(*_converted(row, converters)))
    return found


def read_column(record: type[Record], column: str, values: Iterable[Any]) -> list[Any]:
    """Return values of one column of a record. Raises ValueError as `read`.

    >>> read_column(MatchboxRow, "beads", [4, 0])
    [4, 0]
    """
    name, fits, expected = _columns(record)[0][record._fields.index(column)]  # type: ignore[attr-defined]
    found = list(values)
    for value in found:
        if not fits(value):
            raise _unfit(value, name, expected)
    return found


def _unfit(value: object, name: str, expected: str) -> ValueError:
    return ValueError(f"{name} is {repr(value)[:LONGEST_SHOWN]}, not {expected}")


def _converted(row: Sequence[Any], converters: Mapping[int, Converter]) -> Sequence[Any]:
    """Return a row whose texts may be shown, with the objects that stand as text in the database."""
    converted = list(row)
    for column, convert in converters.items():
        if row[column] is not None:
            converted[column] = convert(row[column])
    return converted


@functools.cache
def _columns(record: type[Any]) -> tuple[list[tuple[str, Check, str]], dict[int, Converter]]:
    """Return (name, check, what it may be) of each column of a record, and the converters by column."""
    hints = get_type_hints(record, include_extras=True)
    table = record.__name__.removesuffix("Row").lower()
    columns: list[tuple[str, Check, str]] = []
    converters: dict[int, Converter] = {}
    for number, (name, hint) in enumerate(hints.items()):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType] if NoneType in get_args(hint) else [hint]
        kind = kinds[0]
        fits, expected = _check_of(kind)
        if kind is not hint:
            fits, expected = _or_none(fits), f"{expected}, or nothing"
        columns.append((f"{table}.{name}", fits, expected))
        if kind is Side:
            converters[number] = Side
        elif get_origin(kind) is Annotated and callable(get_args(kind)[1]):
            converters[number] = get_args(kind)[1]
        elif get_origin(kind) is Annotated and get_args(kind)[0] is str and kind != Json:
            converters[number] = printable
    return columns, converters


def _or_none(fits: Check) -> Check:
    return lambda value: value is None or fits(value)


def _check_of(kind: Any) -> tuple[Check, str]:
    """Return how a value of a column is checked, and what it may be in words."""
    if kind is Side:
        plain, limits = str, tuple(side.value for side in Side)
    else:
        plain, limits, *words = (str, get_args(kind)) if get_origin(kind) is Literal else get_args(kind)
    if isinstance(limits, re.Pattern):
        return lambda v: type(v) is str and len(v) <= LONGEST_GAME and limits.fullmatch(v) is not None, words[0]
    if isinstance(limits, str) or callable(limits):  # what converts a text checks it, too
        expected = limits if isinstance(limits, str) else "text"
        return lambda value: type(value) is str and (callable(limits) or _is_object(value)), expected
    if not isinstance(limits, Range):
        return lambda value: type(value) is str and value in limits, f"one of {', '.join(limits)}"
    least, most = limits
    if plain is str:
        return lambda v: type(v) is str and least <= len(v) <= most, f"text of {least:g} to {most:g} characters"
    if plain is int:
        return lambda v: type(v) is int and least <= v <= most, f"a whole number from {least:,} to {most:,}"
    return lambda v: type(v) in {float, int} and least <= v <= most, f"a number from {least:g} to {most:g}"


@functools.lru_cache(1_000)  # most learners have the settings of others
def _is_object(text: str) -> bool:
    try:
        json_object(text, "it")
    except ValueError:
        return False
    return True


def now() -> str:
    """Return the time as the database keeps it: UTC, ISO 8601, to the second.

    >>> datetime.fromisoformat(now()).tzinfo is UTC
    True
    """
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
