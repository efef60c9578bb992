"""Options of figures: their types and choices, the kinds of figure that have them, and the check of a request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from menace.wording import FIGURES, MEASURES, OPPONENTS, PUBLISHED

if TYPE_CHECKING:
    from menace.learners.policy import PolicyName
    from menace.wording import Measure


Scale: TypeAlias = Literal["linear", "log"]  # of an axis of games


class FigureOptions(TypedDict, total=False):
    """Options of a figure; None, False and empty stand for the default.

    Attributes:
        policy: of `strength`: learners as they train (`behaviour`, the default), or at their best (`greedy`).
        opponent: of `strength`: one or several of OPPONENTS; else all three.
        measure: of `strength`: one of MEASURES; else losses.
        by: of GROUPING: settings, or `plays`, `preset`, `against`, one or several, that learners of a group have in
            common; else those that differ by chance alone share a line or panel where they are three or more.
        apart: of GROUPING: a line or panel for each learner, even where several could share one.
        axis: of all but `beads`: `linear` or `log`; else linear for `score` and `first-box`, log for the others.
        against: of `expected`: who teaches the learner, as `menace expect --against` takes it; else `random`.
        games: of `expected`: up to how many; else 1,000.
        stage: of `beads`: only its move of a number from 1, or of several; else all.
        published: of `score` and `first-box`: the name of a printed curve to draw under them, `1961`.
    """

    policy: PolicyName | None
    opponent: str | Sequence[str]
    measure: Measure | None
    by: str | Sequence[str]
    apart: bool
    axis: Scale | None
    stage: int | Sequence[int]
    published: str | None
    against: str | None
    games: int | None


GROUPING = ("outcomes", "strength", "score", "first-box")  # kinds of figure that show groups of learners
OF_ONE = {"beads": "a map", "expected": "a figure of expected beads"}  # kinds of figure that show one learner
CHOICES: dict[str, Collection[str]] = {
    "policy": ("behaviour", "greedy"),
    "opponent": tuple(OPPONENTS),
    "measure": tuple(MEASURES),
    "axis": ("linear", "log"),
    "published": PUBLISHED,
}
# The kinds of figure that have each option.
OPTIONS = {name: ["strength"] for name in ("policy", "opponent", "measure")} | {
    "by": list(GROUPING),
    "apart": list(GROUPING),
    "stage": ["beads"],
    "against": ["expected"],
    "games": ["expected"],
    "published": ["score", "first-box"],
    "axis": [kind for kind in FIGURES if kind != "beads"],
}


def several(value: Any) -> tuple[Any, ...]:
    """Return the values of an option: none, one, or several, each once.

    >>> several(None), several("best"), several(["best", "random", "best"])
    ((), ('best',), ('best', 'random'))
    """
    if value is None or value is False:
        return ()
    return tuple(dict.fromkeys([value] if isinstance(value, str | int) else value))


def split_by(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return what groups are made by, from one text or several, with commas between names.

    >>> split_by(None), split_by("alpha, epsilon"), split_by(["alpha", "epsilon,preset"])
    ((), ('alpha', 'epsilon'), ('alpha', 'epsilon', 'preset'))
    """
    return several([name.strip() for text in several(value) for name in str(text).split(",") if name.strip()])


def refusal(kind: str, options: FigureOptions, names: Sequence[str] | None = None) -> str | None:
    """Return why a figure cannot be drawn, in words; None if it can.

    Args:
        kind: of the figure.
        options: of the figure.
        names: of the learners; None if they are not known yet.

    Raises:
        TypeError: if no figure has an option of such a name.

    >>> refusal("outcomes", {"policy": "greedy"})
    '--policy is for `menace plot strength`, not for outcomes'
    >>> refusal("strength", {"policy": "greedy"})
    """
    if kind not in FIGURES:
        return f"no figure is called {kind!r}; choose one of {', '.join(FIGURES)}"
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"no figure has an option {name!r}; there are {', '.join(OPTIONS)}")
        if several(value) and kind not in OPTIONS[name]:
            return f"--{name} is for `menace plot {'|'.join(OPTIONS[name])}`, not for {kind}"
        for choice in several(value):
            if name in CHOICES and choice not in CHOICES[name]:
                return f"unknown {name} {choice!r}; choose one of {', '.join(CHOICES[name])}"
    if options.get("apart") and options.get("by"):
        return "--apart draws each machine by itself, and --by groups them; choose one of these"
    if kind in OF_ONE and names is not None and len(names) != 1:
        return f"{OF_ONE[kind]} shows one machine, not {len(names)}; plot them one at a time"
    return None if names is None or names else "there is no machine to be drawn; `menace new` makes one"
