"""Who is who in a figure: learners are told apart by what differs between them; what all share is said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from menace.games.base import Side
from menace.learners.registry import PRESETS
from menace.learners.settings import show
from menace.ledger.machines import settings_of
from menace.ledger.store import HUMAN, NOBODY, LearnerRow, Run, Store, undamaged
from menace.plotting.style import GREY, shown, text_width, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAND_FEWEST = 3  # learners that differ by chance alone and are shown as one
COPIED = "copy of "  # then the learner's name
LEGEND_POINTS, CAPTION_POINTS, LABEL_POINTS = 12, 11, 13
ENTRY_POINTS = 60  # of a line beside its label, and of what is blank between them
ROOM = 0.95  # of a figure's width
LINE_INCHES = 0.27  # height of a line of the legend


@dataclass(frozen=True)
class Facts:
    """What a learner is, in words, and what it is but for chance.

    Attributes:
        side: `X` or `O`.
        preset: that its settings come from.
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


@dataclass(frozen=True)
class Legend:
    """What is said of the lines of a figure.

    Attributes:
        caption: what all of them share, empty if that is nothing.
        labels: one a line: what differs, with the name where that is not enough.
    """

    caption: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class PanelTitles:
    """What the panels of several learners are called.

    Attributes:
        caption: what all of them share, empty if that is nothing.
        of: the title, by the learner's name: what differs; the name itself where there is one learner.
    """

    caption: str
    of: Mapping[str, str]

    def below(self, text: str, inches: float) -> str:
        """Return the text below the panels of a figure so wide, with what all of them share in lines of its own."""
        if not self.caption:
            return text
        return f"{text}\n{wrapped(f'all: {self.caption}', LABEL_POINTS, ROOM * inches * 72)}"


def panel_titles(store: Store, names: Sequence[str]) -> PanelTitles:
    """Return what panels are called, as a legend tells lines apart.

    Raises:
        UnknownLearner: if there is no such learner.
        StoreError: if the database is damaged.

    >>> panel_titles(store, ["menace-x"])
    PanelTitles(caption='', of={'menace-x': 'menace-x'})
    >>> panel_titles(store, ["menace-x", "menace-o"])
    PanelTitles(caption='menace; trained against menace', of={'menace-x': 'plays X', 'menace-o': 'plays O'})
    """
    with undamaged(store.path), store.copied() as copy:
        rows = {row.learner_id: row for row in copy.learners_ever()}
        found, runs = [copy.learner(name) for name in names], copy.runs()
        if len(found) == 1:
            return PanelTitles("", {name: name for name in names})
        legend = legend_of([facts_of(row, runs, rows) for row in found], [row.name for row in found])
    return PanelTitles(legend.caption, dict(zip(names, legend.labels, strict=True)))


def facts_of(learner: LearnerRow, runs: Sequence[Run], rows: Mapping[int, LearnerRow]) -> Facts:
    """Return what a learner is, and who taught it how.

    Args:
        learner: whom.
        runs: of the database, the first first.
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
            _, (other, text) = learner.plays.x_and_o(*seats)
            opponent = text if other is None else (rows[other].algorithm, rows[other].settings)
            kin.append((run.kind, opponent, run.x_learns, run.o_learns, run.options))
            taught += _teachers(run, text if other is None else rows[other].preset, rows)
    what = (learner.plays, learner.algorithm, learner.settings, tuple(kin))
    return Facts(learner.plays, learner.preset, settings, own, _taught_text(taught), what)


def _taught_text(taught: Sequence[str]) -> str:
    """Return who taught a learner, each once in a row: `trained against random, then perfect`."""
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


def legend_of(facts: Sequence[Facts], names: Sequence[str]) -> Legend:
    """Return what is said of lines: what differs between their learners, and what all share.

    Args:
        facts: of each line; of learners that share a line, of one of them.
        names: of each line, for where nothing differs.

    >>> from dataclasses import replace
    >>> rows = {row.learner_id: row for row in store.learners()}
    >>> one = facts_of(rows[1], store.runs(), rows)
    >>> other = replace(one, settings={**one.settings, "beads": "8,4,2,1"}, own=frozenset({"beads"}))
    >>> legend_of([one, other], ["a", "b"])
    Legend(caption='plays X; menace; trained against menace', labels=('beads=4,3,2,1', 'beads=8,4,2,1'))
    >>> legend_of([one, one], ["a", "b"]).labels
    ('a', 'b')
    """
    parts = [_parts(one, facts) for one in facts]
    shared = set(parts[0]).intersection(*parts[1:])
    caption = "; ".join(part for part in parts[0] if part in shared)
    labels = [", ".join(part for part in own if part not in shared) for own in parts]
    often = Counter(labels)
    told = (
        label if label and often[label] == 1 else f"{name}: {label}" if label else name
        for label, name in zip(labels, names, strict=True)
    )
    return Legend(caption, tuple(map(shown, told)))


def _parts(one: Facts, everybody: Sequence[Facts]) -> list[str]:
    """Return what is to be said of a learner: of its settings those that differ from their preset in anybody."""
    alike = [other for other in everybody if other.preset == one.preset]
    told = [name for name in one.settings if any(name in other.own for other in alike)]
    parts = [f"plays {one.side}", one.preset, *(f"{name}={one.settings[name]}" for name in told), one.taught]
    return [part for part in parts if part]


def legend_columns(labels: Sequence[str], inches: float) -> int:
    """Return how many labels have room beside each other in a figure so wide.

    >>> legend_columns(["a", "b"], 12), legend_columns(["a long label, as they often are, " * 3] * 2, 12)
    (2, 1)
    """
    widest = max(text_width(label, LEGEND_POINTS) for label in labels) + ENTRY_POINTS
    return max(1, min(len(labels), int(ROOM * inches * 72 / widest)))


def draw_legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], caption: str) -> None:
    """Write the legend below the panels, under a line of what all share. Within `styled`."""
    inches = float(figure.get_size_inches()[0])
    room = ROOM * inches * 72
    title = wrapped(caption, CAPTION_POINTS, room)
    found = figure.legend(
        handles,
        [wrapped(label, LEGEND_POINTS, room - ENTRY_POINTS) for label in labels],
        loc="outside lower left",
        ncols=legend_columns(labels, inches),
        title=title or None,
        title_fontsize=CAPTION_POINTS,
        alignment="left",
    )
    found.get_title().set_color(GREY)
