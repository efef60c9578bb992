"""Legends and panel titles: labels have what differs between learners, and the caption what all of them share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from menace.analysis.learner_families import Facts, Named, factors_of, facts_about, listed
from menace.figures.style import GREY, shown, text_width, wrapped
from menace.ledger.store import Store
from menace.wording import counted

LEGEND_POINTS, CAPTION_POINTS, LABEL_POINTS = 12, 11, 13
ENTRY_POINTS = 60  # for a line beside its label, and the blank between them
ROOM = 0.95  # of a figure's width
LINE_INCHES = 0.27  # height of a line of the legend


@dataclass(frozen=True)
class Legend:
    """The texts of a legend.

    Attributes:
        caption: what all of them share; may be empty.
        labels: for each line what differs, with the name where that is not enough.
    """

    caption: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class PanelTitles:
    """The titles of the panels of several learners.

    Attributes:
        caption: what all of them share; may be empty.
        of: by the learner's name, the title: what differs; the name itself if there is one learner.
    """

    caption: str
    of: Mapping[str, str]

    def below(self, text: str, inches: float) -> str:
        """Return the text below the panels of a figure of a width, with the caption in lines of its own."""
        if not self.caption:
            return text
        return f"{text}\n{wrapped(f'all: {self.caption}', LABEL_POINTS, ROOM * inches * 72)}"


def panel_titles(store: Store, names: Sequence[str]) -> PanelTitles:
    """Return the titles of panels, made like the labels of a legend.

    Raises:
        UnknownLearner: if there is no such learner.
        StoreError: if the database is damaged.

    >>> panel_titles(store, ["menace-x"])
    PanelTitles(caption='', of={'menace-x': 'menace-x'})
    >>> panel_titles(store, ["menace-x", "menace-o"])
    PanelTitles(caption='menace; trained against menace', of={'menace-x': 'plays X', 'menace-o': 'plays O'})
    """
    return _titles(legend_of([[facts] for facts in facts_about(store, names)], names), names)


def titles_of_groups(groups: Sequence[Sequence[Named]], by: Sequence[str] = ()) -> PanelTitles:
    """Return the titles of panels of groups, by what `listed` calls them; see `legend_of_groups`."""
    return _titles(legend_of_groups(groups, by=by), [listed(group) for group in groups])


def _titles(legend: Legend, names: Sequence[str]) -> PanelTitles:
    if len(names) == 1 and legend.labels == (shown(names[0]),):
        return PanelTitles("", {name: name for name in names})
    return PanelTitles(legend.caption, dict(zip(names, legend.labels, strict=True)))


def legend_of(groups: Sequence[Sequence[Facts]], names: Sequence[str], by: Sequence[str] = ()) -> Legend:
    """Return the legend of lines: what differs between their learners, and what all share.

    Args:
        groups: of each line the facts about its learners.
        names: of each line, for those between which nothing differs.
        by: what the groups were made by, if anything was named.

    >>> from dataclasses import replace
    >>> (plain,) = facts_about(store, ["menace-x"])
    >>> other = replace(plain, settings={**plain.settings, "beads": "8,4,2,1"}, own=frozenset({"beads"}))
    >>> legend_of([[plain], [other]], ["a", "b"])
    Legend(caption='plays X; menace; trained against menace', labels=('beads=4,3,2,1', 'beads=8,4,2,1'))
    >>> legend_of([[plain], [plain]], ["a", "b"]).labels
    ('a', 'b')
    """
    shared, differing = factors_of(groups, by)
    labels = [", ".join(_texts(factors)) for factors in differing]
    often = Counter(labels)
    texts = (
        label if label and often[label] == 1 else f"{name}: {label}" if label else name
        for label, name in zip(labels, names, strict=True)
    )
    return Legend("; ".join(_texts(shared)), tuple(map(shown, texts)))


def legend_of_groups(groups: Sequence[Sequence[Named]], about: str = "", by: Sequence[str] = ()) -> Legend:
    """Return the legend of groups of learners, with their sizes; `about` explains the line of a group."""
    names = [listed(group) for group in groups]
    facts = [[member.facts for member in group if member.facts is not None] for group in groups]
    legend = legend_of(facts, names, by) if all(facts) else Legend("", tuple(map(shown, names)))
    sizes = [f" ({counted(len(group), 'machine')})" if len(group) > 1 else "" for group in groups]
    labels = tuple(label + size for label, size in zip(legend.labels, sizes, strict=True))
    return Legend("; ".join(filter(None, (legend.caption, about if any(sizes) else ""))), labels)


def _texts(factors: Mapping[str, str]) -> list[str]:
    words = {"plays": "plays {}", "preset": "{}", "against": "{}"}
    return [words.get(name, name + "={}").format(text) for name, text in factors.items()]


def legend_columns(labels: Sequence[str], inches: float) -> int:
    """Return how many labels fit beside each other in a figure of a width in inches.

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
    legend_box = figure.legend(
        handles,
        [wrapped(label, LEGEND_POINTS, room - ENTRY_POINTS) for label in labels],
        loc="outside lower left",
        ncols=legend_columns(labels, inches),
        title=title or None,
        title_fontsize=CAPTION_POINTS,
        alignment="left",
    )
    legend_box.get_title().set_color(GREY)
