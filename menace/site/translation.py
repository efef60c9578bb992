"""Provide the texts of a site's pages, in English or from a translated copy of text/narration.toml."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from menace.errors import OutputError
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS
from menace.text.narration import LEARNING_BY, RULES_OF, all_clauses, flat

PLACEHOLDER = re.compile(r"\{(\w+)\}")
PARTS = (  # parts of the Play page that a link can hide
    *("box", "score", "worth", "changes", "undo", "resign", "type", "explore", "training", "settings"),
)


def translated(path: str | os.PathLike[str]) -> Words:
    """Return the texts of a translated copy of text/narration.toml. Texts that the copy omits stay English.

    Raises:
        OutputError: If the file cannot be read or is not TOML, or if it contains an unknown name or a text with
            different placeholders.
    """
    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise OutputError(f"{os.fspath(path)} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise OutputError(f"{os.fspath(path)} is not valid TOML: {error}") from None
    ours = {**all_clauses(), **{f"{LEARNING_BY} {name}": algorithm.words for name, algorithm in LEARNERS.items()}}
    theirs = flat(content)
    for name, clause in theirs.items():
        wrong = _wrong(clause, ours.get(name, "" if name.startswith(RULES_OF) else None))
        if wrong is not None:
            raise OutputError(f"{os.fspath(path)}: {name} {wrong}")
    return Words({**all_clauses(), **theirs})


def _wrong(clause: Any, ours: str | None) -> str | None:
    """Return the reason why a translated clause cannot replace the English one, or None if it can."""
    if ours is None:
        return "is not a name in menace/text/narration.toml; leave it out"
    if not isinstance(clause, str) or not clause.strip():
        return "is not a text in quotes"
    names, wanted = (sorted(set(PLACEHOLDER.findall(text))) for text in (clause, ours))
    if names != wanted or set("{}") & set(PLACEHOLDER.sub("", clause)):
        filled = " and ".join(f"{{{name}}}" for name in wanted) or "nothing in braces"
        return f"must have {filled}, as in {json.dumps(ours, ensure_ascii=False)}"
    return None


@dataclass(frozen=True)
class Words:
    """The texts of a site's pages.

    Attributes:
        clauses: The texts by their names in text/narration.toml.

    >>> Words().told("box_other", count=304)
    '304 boxes'
    """

    clauses: Mapping[str, str] = field(default_factory=all_clauses)

    def told(self, clause: str, **parts: object) -> str:
        """Return text with its placeholders filled in."""
        return self.clauses[clause].format(**parts)

    def counted(self, number: int, noun: str) -> str:
        """Return a number followed by its noun.

        >>> Words().counted(1, "game"), Words().counted(1200, "bead")
        ('1 game', '1,200 beads')
        """
        return self.told(f"{noun}_{'one' if number == 1 else 'other'}", count=f"{number:,}")

    def side(self, game: str, side: str) -> str:
        """Describe the pieces of a side in the game with the given name.

        >>> Words().side("hexapawn", "O"), Words().side("tictactoe", "O")
        ('the pawns at the top', 'O')
        """
        return self.clauses.get(f"side_{game}_{side}", side)

    def rules(self, positions: Positions) -> str:
        """Return the rules of a game."""
        return self.clauses.get(f"{RULES_OF} {positions.title}", positions.game.rules)

    def introduction(self, machine: Machine, of_cells: bool) -> str:
        """Describe how a learner plays and learns; `of_cells` is True if the moves are cells."""
        algorithm, alike = machine.algorithm, ""
        if machine.has_beads and len(machine.positions.symmetries) > 1:
            alike = self.told("alike_cells" if of_cells else "alike_moves")
        how = self.clauses.get(f"{LEARNING_BY} {algorithm.name}", algorithm.words).format(alike=alike)
        begins = self.told("matchboxes" if machine.has_beads else "no_boxes_learned")
        return " ".join([begins, how, *self._worth(machine)])

    def _worth(self, machine: Machine) -> list[str]:
        """Return a sentence about the reward for each result, or nothing if rewards also depend on something else."""
        settings, rewarded = machine.settings, machine.algorithm.rewarded(machine.settings)
        if rewarded is None:
            return []
        names = ("win", "draw", "loss")
        signs = {name: f"{getattr(settings, name):+d}".replace("-", "\N{MINUS SIGN}") for name in names}
        last, draws = "_last" if rewarded == "last" else "", machine.positions.has_draws
        return [self.told(f"worth{last}{'' if draws else '_no_draws'}", **signs)]


ENGLISH = Words()
