"""Phases of a run: games in which the learners explore as much as the phase says, not as they would themselves."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

from menace.errors import InvalidRun
from menace.wording import LONGEST_SHOWN, counted

OWN = -1.0  # what the kernel takes for a learner's own epsilon

# The blog article on matchboxes, its program: epsilon of X and of O in each quarter of a run.
NAMED: dict[str, tuple[tuple[float, float], ...]] = {"article": ((1, 1), (1, 0), (0, 1), (0.3, 0.3))}


class Phase(NamedTuple):
    """Some games of a run, and the epsilon with which X and O play them.

    >>> parse_phases("500:1:0.1,500:0:0", games=1000)[1]
    Phase(games=500, x=0.0, o=0.0)
    """

    games: int
    x: float
    o: float


def parse_phases(text: str, games: int) -> tuple[Phase, ...]:
    """Read phases: `article`, or `GAMES:X:O` separated by commas, such as `500:1:1,500:0.1:0.1`.

    >>> [phase.games for phase in parse_phases("article", games=1000)]
    [250, 250, 250, 250]
    >>> parse_phases("500:1:1", games=1000)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: phases '500:1:1' cover 500 games, and the run has 1,000; make them equal
    """
    if text in NAMED:
        quarters = NAMED[text]
        each = games // len(quarters)
        lengths = [each] * (len(quarters) - 1) + [games - each * (len(quarters) - 1)]
        phases = tuple(Phase(length, x, o) for length, (x, o) in zip(lengths, quarters, strict=True))
    else:
        phases = tuple(_parse_phase(part) for part in text.split(","))
    if any(phase.games < 1 for phase in phases):
        raise InvalidRun(f"phases {text!r} of {counted(games, 'game')}: every phase needs at least one game")
    covered = sum(phase.games for phase in phases)
    if covered != games:
        raise InvalidRun(
            f"phases {text!r} cover {counted(covered, 'game')}, and the run has {games:,}; make them equal"
        )
    return phases


def _parse_phase(part: str) -> Phase:
    try:
        games, x, o = part.split(":")
        phase = Phase(int(games), float(x), float(o))
    except ValueError:
        raise InvalidRun(f"phase {part!r} is not GAMES:X:O, such as 500:1:0.1 (or name the phases: article)") from None
    if not all(math.isfinite(epsilon) and 0 <= epsilon <= 1 for epsilon in (phase.x, phase.o)):
        raise InvalidRun(f"phase {part!r}: the epsilon of X and of O is from 0 to 1")
    return phase


def is_phase(value: object) -> bool:
    """Say whether a JSON value is a phase.

    >>> is_phase({"games": 500, "x": 1, "o": 0.1}), is_phase({"games": 0, "x": 1, "o": 1})
    (True, False)
    """
    if not isinstance(value, dict) or set(value) != set(Phase._fields):
        return False
    games, *epsilons = (value[name] for name in Phase._fields)
    return type(games) is int and games >= 1 and all(type(e) in {int, float} and 0 <= e <= 1 for e in epsilons)


def json_object(text: str, what: str) -> dict[str, Any]:
    """Return the JSON object in a text that was read from a file.

    Args:
        text: the JSON.
        what: its name in the message.

    Raises:
        ValueError: if it is not an object, or one that cannot be written again (an infinite number, half a
            character), which only damage explains.

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
    """Return where the phase ends in which the next game is played, and the epsilon of X and of O in it.

    Args:
        phases: of the run; an empty tuple stands for one endless phase, in which learners explore by their own epsilon.
        games: how many the run has played.

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
