"""Parse a run's schedule, which defines its exploration phases and the marks at which learners are measured."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Self, TypeAlias

from menace.errors import InvalidRun
from menace.text.wording import LONGEST_SHOWN, counted

MAX_MARKS = 100_000  # maximum number of marks in a run, except for 1-2-5
MAX_LISTED = 1_000  # maximum number of marks in a comma-separated list
MAX_MARKS_PER_POWER = 1_000  # maximum number of `log` marks per power of ten
MAX_STEP = 1_000_000  # maximum number of games between consecutive 1-2-5 marks

Kind: TypeAlias = Literal["1-2-5", "every", "log", "list"]
FORMS = "1-2-5, every:500, log:20, or a list such as 0,100,220"
_NUMBER: Final = re.compile(r" *[0-9]{1,13} *")  # up to 13 digits, because a run has at most 10^12 games


@dataclass(frozen=True)
class Marks:
    """The marks of a run. Use `parse` to create this object from text.

    Attributes:
        kind: `1-2-5` (0, 1, 2, 5, 10 and so on to 1,000,000, then every 1,000,000), `every`, `log` or `list`.
        numbers: for `every`, the number of games between two marks; for `log`, the number of marks in each power of
            ten; for `list`, the marks. Empty for `1-2-5`.

    >>> Marks.parse("1-2-5") == Marks(), str(Marks.parse("every:500")), str(Marks.parse("0, 100, 220"))
    (True, 'every:500', '0,100,220')
    """

    kind: Kind = "1-2-5"
    numbers: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse marks from text.

        Args:
            text: `1-2-5`, `every:N`, `log:N` (N marks in each power of ten), or ascending numbers separated by commas.

        Raises:
            InvalidRun: if the text does not have one of these forms, or there are too many marks.

        >>> Marks.parse("log:4").list_up_to(150)
        [0, 1, 2, 3, 6, 10, 18, 32, 56, 100, 150]
        >>> Marks.parse("all")
        Traceback (most recent call last):
            ...
        menace.errors.InvalidRun: marks 'all' are not 1-2-5, every:500, log:20, or a list such as 0,100,220
        """
        if text == "1-2-5":
            return cls()
        if not isinstance(text, str):
            raise InvalidRun(f"marks {str(text)[:LONGEST_SHOWN]} are not text: {FORMS}")
        word, colon, rest = text.partition(":")
        if colon and word in {"every", "log"}:
            (number,) = _parse_numbers(text, [rest])
            if number < 1:
                raise InvalidRun(f"marks {text!r} need a number of 1 or more, as in every:500 or log:20")
            if word == "log" and number > MAX_MARKS_PER_POWER:
                raise InvalidRun(
                    f"marks {text!r} are too dense; use at most {MAX_MARKS_PER_POWER:,} marks per power of ten, as in"
                    " log:20"
                )
            return cls("log" if word == "log" else "every", (number,))
        numbers = _parse_numbers(text, text.split(","))
        if list(numbers) != sorted(set(numbers)):
            raise InvalidRun(
                f"marks {text[:LONGEST_SHOWN]!r} are not ascending; "
                "each mark must be greater than the previous one, as in 0,100,220"
            )
        if len(numbers) > MAX_LISTED:
            raise InvalidRun(
                f"{counted(len(numbers), 'mark')} are too many for a list, which may contain {MAX_LISTED:,}; "
                "use every:500 or log:20"
            )
        return cls("list", numbers)

    def __str__(self) -> str:
        numbers = ",".join(map(str, self.numbers))
        return {"1-2-5": self.kind, "list": numbers}.get(self.kind, f"{self.kind}:{numbers}")

    def next(self, games: int) -> int | None:
        """Return the first mark greater than `games`, or None if the list contains no more marks.

        >>> [Marks().next(games) for games in (0, 5, 999_999, 3_000_000)]
        [1, 10, 1000000, 4000000]
        >>> Marks.parse("every:500").next(500), Marks.parse("100,220").next(100), Marks.parse("100,220").next(220)
        (1000, 220, None)
        """
        if self.kind == "1-2-5":
            if games >= MAX_STEP:
                return _next_multiple(games, MAX_STEP)
            power: int = 10 ** (len(str(games)) - 1)
            return next(step * power for step in (1, 2, 5, 10) if step * power > games)
        if self.kind == "every":
            return _next_multiple(games, *self.numbers)
        if self.kind == "log":
            return _next_power(games, *self.numbers)
        later = bisect_right(self.numbers, games)
        return self.numbers[later] if later < len(self.numbers) else None

    def list_up_to(self, games: int) -> list[int]:
        """Return the marks for a run of `games` games, including 0 and the end of the run.

        Raises:
            InvalidRun: as in `check`.

        >>> Marks().list_up_to(220)
        [0, 1, 2, 5, 10, 20, 50, 100, 200, 220]
        """
        self.check(games)
        marks = [0]
        while marks[-1] < games:
            marks.append(min(self.next(marks[-1]) or games, games))
        return marks

    def check(self, games: int) -> None:
        """Raise InvalidRun if a run of `games` games would have more than MAX_MARKS marks. `1-2-5` is always accepted.

        >>> Marks.parse("every:1").check(10**9)
        Traceback (most recent call last):
            ...
        menace.errors.InvalidRun: marks 'every:1' are too many for 1,000,000,000 games; use every:10000 or more
        """
        if self.kind == "every" and games > MAX_MARKS * self.numbers[0]:
            least = -(-games // MAX_MARKS)
            raise InvalidRun(f"marks '{self}' are too many for {counted(games, 'game')}; use every:{least} or more")


ONE_TWO_FIVE: Final = Marks()  # the default marks


def is_marks(value: object) -> bool:
    """Return whether a JSON value describes marks in the form that menace stores.

    The default, `1-2-5`, is not stored.

    >>> is_marks("every:500"), is_marks("every:0500"), is_marks("1-2-5")
    (True, False, False)
    """
    try:
        return isinstance(value, str) and str(Marks.parse(value)) == value != str(ONE_TWO_FIVE)
    except InvalidRun:
        return False


def _parse_numbers(text: str, parts: list[str]) -> tuple[int, ...]:
    if not all(map(_NUMBER.fullmatch, parts)):
        raise InvalidRun(f"marks {text[:LONGEST_SHOWN]!r} are not {FORMS}")
    return tuple(map(int, parts))


def _next_multiple(games: int, step: int) -> int:
    return (games // step + 1) * step


def _next_power(games: int, each: int) -> int:
    """Return the first number greater than `games` that is a power 10^(k / each), rounded to an integer.

    The result is the first power above `games` + 1/2, rounded to an integer. No such power is exactly `games` + 1/2:
    otherwise 10^k would be (`games` + 1/2)^each, which is not an integer.
    """
    # importing this takes 1.5 ms, and few runs need it
    from decimal import ROUND_CEILING, Context, Decimal

    # Decimal logarithms and powers are the same on every platform. With floats, `verify` could compute different marks
    # on another platform.
    context = Context(prec=40)
    logarithm = context.log10(context.add(games, Decimal("0.5")))
    k = context.multiply(logarithm, Decimal(each)).to_integral_value(ROUND_CEILING)
    return round(context.power(Decimal(10), context.divide(k, Decimal(each))))


OWN = -1.0  # makes the kernel use the learner's own epsilon

# The exploration rates of X and O in each quarter of a run, taken from the program in a blog article about matchboxes.
NAMED: dict[str, tuple[tuple[float, float], ...]] = {"article": ((1, 1), (1, 0), (0, 1), (0.3, 0.3))}


class Phase(NamedTuple):
    """A number of games, and the exploration rates (epsilons) of X and O during those games.

    >>> parse_phases("500:1:0.1,500:0:0", games=1000)[1]
    Phase(games=500, x=0.0, o=0.0)
    """

    games: int
    x: float
    o: float


def parse_phases(text: str, games: int) -> tuple[Phase, ...]:
    """Parse phases from text.

    Args:
        text: `article`, or comma-separated phases of the form `GAMES:X:O`, such as `500:1:1,500:0.1:0.1`.
        games: the number of games in the run. The phases must add up to this number.

    Raises:
        InvalidRun: if the text does not have one of these forms, or the phases do not add up to `games`.

    >>> [phase.games for phase in parse_phases("article", games=1000)]
    [250, 250, 250, 250]
    >>> parse_phases("500:1:1", games=1000)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: phases '500:1:1' cover 500 games, but the run has 1,000; make these numbers equal
    """
    if text in NAMED:
        quarters = NAMED[text]
        each = games // len(quarters)
        lengths = [each] * (len(quarters) - 1) + [games - each * (len(quarters) - 1)]
        phases = tuple(Phase(length, x, o) for length, (x, o) in zip(lengths, quarters, strict=True))
    else:
        phases = tuple(_parse_phase(part) for part in text.split(","))
    if any(phase.games < 1 for phase in phases):
        raise InvalidRun(f"phases {text!r} do not fit into {counted(games, 'game')}; every phase needs at least 1 game")
    covered = sum(phase.games for phase in phases)
    if covered != games:
        raise InvalidRun(
            f"phases {text!r} cover {counted(covered, 'game')}, but the run has {games:,}; make these numbers equal"
        )
    return phases


def _parse_phase(part: str) -> Phase:
    try:
        games, x, o = part.split(":")
        phase = Phase(int(games), float(x), float(o))
    except ValueError:
        raise InvalidRun(
            f"phase {part!r} must have the form GAMES:X:O, such as 500:1:0.1, or be the word article"
        ) from None
    if not all(math.isfinite(epsilon) and 0 <= epsilon <= 1 for epsilon in (phase.x, phase.o)):
        raise InvalidRun(f"phase {part!r} has an epsilon outside the range 0 to 1")
    return phase


def is_phase(value: object) -> bool:
    """Return whether a JSON value is a phase.

    >>> is_phase({"games": 500, "x": 1, "o": 0.1}), is_phase({"games": 0, "x": 1, "o": 1})
    (True, False)
    """
    if not isinstance(value, dict) or set(value) != set(Phase._fields):
        return False
    games, *epsilons = (value[name] for name in Phase._fields)
    return type(games) is int and games >= 1 and all(type(e) in {int, float} and 0 <= e <= 1 for e in epsilons)


def json_object(text: str, what: str) -> dict[str, Any]:
    """Parse text from a file as JSON, and return the object.

    Args:
        text: the JSON text.
        what: a description of the text, for error messages.

    Raises:
        ValueError: if the text is not a JSON object, or contains a value that JSON cannot write back, such as an
            infinite number or an unpaired surrogate. Only damaged files contain such values.

    >>> json_object('{"physical": true}', "run.options")
    {'physical': True}
    >>> json_object("[]", "run.options")
    Traceback (most recent call last):
        ...
    ValueError: run.options is '[]', not a JSON object
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"{what} is {text[:LONGEST_SHOWN]!r}, not a JSON object")
    return value


def phase_at(phases: tuple[Phase, ...], games: int) -> tuple[int | None, tuple[float, float]]:
    """Return the number of games at the end of the current phase, and the exploration rates of X and O in this phase.

    Args:
        phases: the phases of the run. An empty tuple stands for a single endless phase in which learners use their own
            epsilon.
        games: the number of games played so far in the run.

    >>> phases = parse_phases("500:1:0.1,500:0:0", games=1000)
    >>> phase_at(phases, 499), phase_at(phases, 500)
    ((500, (1.0, 0.1)), (1000, (0.0, 0.0)))
    """
    end = 0
    for phase in phases:
        end += phase.games
        if games < end:
            return end, (phase.x, phase.o)
    return None, (OWN, OWN)
