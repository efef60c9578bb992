"""Families of learners that differ only by name and chance, and facts about each learner besides its strength."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol, TypeVar

from menace.arena.marks import ONE_TWO_FIVE
from menace.games.base import Side
from menace.learners.registry import PRESETS
from menace.learners.settings import show
from menace.ledger.learners import settings_of
from menace.ledger.store import HUMAN, NOBODY, LearnerRow, Run, Store

FAMILY_FEWEST = 3  # learners that differ by chance alone and are shown as one
COPIED = "copy of "  # then the learner's name
NAME_MOST, LISTED_MOST = 28, 4  # characters of a name, and names, in the name of a group


@dataclass(frozen=True)
class Facts:
    """Facts about a learner, in words, and what it has in common with others of its family.

    Attributes:
        side: `X` or `O`.
        preset: the one that its settings come from.
        settings: all of them, as text.
        own: the settings that are not the preset's.
        taught: by whom, in order: `trained against random, then perfect`.
        kin: equal for learners that differ by name and chance alone: same side, algorithm and settings, taught alike.
    """

    side: Side
    preset: str
    settings: Mapping[str, str]
    own: frozenset[str]
    taught: str
    kin: tuple[Any, ...]


class Named(Protocol):
    """Anything that belongs to one learner."""

    @property
    def name(self) -> str:
        """The learner's name."""

    @property
    def facts(self) -> Facts | None:
        """Facts about the learner; None where they were not requested."""


Member = TypeVar("Member", bound=Named)


def facts_about(store: Store, names: Sequence[str]) -> list[Facts]:
    """Return facts about learners besides their strength, in a short read.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> [(facts.side, facts.preset) for facts in facts_about(store, ["menace-x", "menace-o"])]
    [('X', 'menace'), ('O', 'menace')]
    """
    with store.snapshot():
        rows = {row.learner_id: row for row in store.learners_ever()}
        learners, runs = [store.learner(name) for name in names], store.runs()
    return [facts_of(learner, runs, rows) for learner in learners]


def facts_of(learner: LearnerRow, runs: Sequence[Run], rows: Mapping[int, LearnerRow]) -> Facts:
    """Return facts about a learner: what it is, and how it was taught.

    Args:
        learner: its row.
        runs: of the database, the oldest first.
        rows: all learners, by number.

    >>> rows = {row.learner_id: row for row in store.learners()}
    >>> facts = facts_of(rows[1], store.runs(), rows)
    >>> facts.side, facts.preset, facts.settings["beads"], sorted(facts.own), facts.taught
    ('X', 'menace', '4,3,2,1', [], 'trained against menace')
    """
    settings = {name: show(value) for name, value in asdict(settings_of(learner)).items()}
    preset = PRESETS.get(learner.preset)
    published = {} if preset is None else {name: show(value) for name, value in asdict(preset.settings).items()}
    own = frozenset(name for name, text in settings.items() if published.get(name) != text)
    taught: list[str] = []
    kin: list[Any] = []
    for run in runs:
        if learner.learner_id in run.taught:
            seats = (run.x_learner_id, run.x_player), (run.o_learner_id, run.o_player)
            _, (opponent_id, text) = learner.plays.x_and_o(*seats)
            opponent = text if opponent_id is None else (rows[opponent_id].algorithm, rows[opponent_id].settings)
            # How often a learner was measured changes nothing in it.
            kin.append((run.kind, opponent, run.x_learns, run.o_learns, replace(run.options, marks=ONE_TWO_FIVE)))
            taught += _teachers(run, text if opponent_id is None else rows[opponent_id].preset, rows)
    family = (learner.plays, learner.algorithm, learner.settings, tuple(kin))
    return Facts(learner.plays, learner.preset, settings, own, _taught_text(taught), family)


def _taught_text(taught: Sequence[str]) -> str:
    """Return who taught a learner, without repetitions in a row: `trained against random, then perfect`."""
    in_turn = [text for text, before in zip(taught, [None, *taught], strict=False) if text != before]
    trained = next((place for place, text in enumerate(in_turn) if not text.startswith(COPIED)), None)
    return ", then ".join(f"trained against {text}" if place == trained else text for place, text in enumerate(in_turn))


def _teachers(run: Run, opponent: str, rows: Mapping[int, LearnerRow]) -> Iterator[str]:
    origin = run.options.copied_from
    if origin is not None:
        yield f"{COPIED}{rows[origin].name}"
    elif opponent != NOBODY:
        phases = ",".join(f"{phase.games}:{phase.x:g}:{phase.o:g}" for phase in run.options.phases)
        yield ("a person" if opponent == HUMAN else opponent) + (f" in phases {phases}" if phases else "")


def each(members: Sequence[Member]) -> list[list[Member]]:
    """Return every learner as a group of its own."""
    return [[member] for member in members]


def families(
    members: Sequence[Member], may_share: Callable[[list[Member]], bool] = lambda _family: True
) -> list[list[Member]]:
    """Group learners that differ only by name and chance, where there are FAMILY_FEWEST or more; others stay alone.

    Args:
        members: of several learners, with their facts.
        may_share: whether a family can be shown as one; else its learners stay alone, too.

    >>> from menace.analysis.learning_curves import strengths_of
    >>> from dataclasses import replace
    >>> (curve,) = strengths_of(store, ["menace-x"])
    >>> [group_name(group) for group in families([replace(curve, name=name) for name in "abc"])]
    ['a, b, c: median of 3']
    >>> [group_name(group) for group in families([replace(curve, name=name) for name in "ab"])]
    ['a', 'b']
    """
    by_kin: dict[object, list[Member]] = {}
    for member in members:
        by_kin.setdefault(member.facts and member.facts.kin, []).append(member)
    groups = []
    for family in by_kin.values():
        groups += [family] if len(family) >= FAMILY_FEWEST and may_share(family) else each(family)
    return groups


def group_name(group: Sequence[Named]) -> str:
    """Return the name of a single learner, or of a group: `m1, m2, … m5: median of 5`.

    >>> from menace.analysis.learning_curves import Curve
    >>> group_name([Curve(f"m{number}", "behaviour", {}) for number in range(1, 6)])
    'm1, m2, … m5: median of 5'
    """
    return listed(group) if len(group) == 1 else f"{listed(group)}: median of {len(group)}"


def listed(group: Sequence[Named]) -> str:
    """Return the names in a group, of many the first two and the last; that of a single learner in full."""
    names = [member.name for member in group]
    if len(names) == 1:
        return names[0]
    short = [name if len(name) <= NAME_MOST else f"{name[: NAME_MOST - 1]}…" for name in names]
    return ", ".join(short) if len(short) <= LISTED_MOST else f"{short[0]}, {short[1]}, … {short[-1]}"
