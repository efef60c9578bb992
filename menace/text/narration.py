"""Fills the clauses of text/narration.toml, which describe games in words; scripts of pages use the same clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from menace.text.wording import VERDICTS

RULES_OF, LEARNING_BY = "rules of", "learning by"  # how the names of clauses of two tables begin
BY_TABLE = {"rules": RULES_OF, "learners": LEARNING_BY}


@cache
def clauses() -> dict[str, str]:
    """Return the clauses by their names, without those that only templates say."""
    return {name: clause for name, clause in tables().items() if isinstance(clause, str)}


def flat(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the clauses of a file, with those of its table `site`, and those of BY_TABLE by longer names."""
    clauses: dict[str, Any] = {}
    for name, clause in content.items():
        if not isinstance(clause, dict):
            clauses[name] = clause
        elif name in BY_TABLE:
            clauses |= {f"{BY_TABLE[name]} {owner}": text for owner, text in clause.items()}
        else:
            clauses |= clause
    return clauses


@cache
def all_clauses() -> dict[str, str]:
    """Return all clauses by their names."""
    return flat(tables())


@cache
def tables() -> dict[str, Any]:
    """Return all of the file: the clauses by their names, and `site`, those that only templates say."""
    import tomllib
    from importlib import resources  # takes 7 ms to import, and every command would

    return tomllib.loads(resources.files("menace").joinpath("text/narration.toml").read_text("utf-8"))


def for_scripts(words: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what scripts need: the clauses, also of other words, and `verdicts`, from the best to the worst."""
    spoken = clauses() if words is None else {name: words[name] for name in clauses()}
    return {**spoken, "verdicts": list(VERDICTS.values())}


def told(clause: str, **parts: object) -> str:
    """Return a clause with its parts.

    >>> told("plays", name="Adam", move="4")
    'Adam plays 4'
    """
    return all_clauses()[clause].format(**parts)


def opponent_words(name: str, told: Callable[..., str] = told) -> str:
    """Return what a player that never learns is called beside a board: its name, where there are no other words.

    >>> opponent_words("random"), opponent_words("imperfect:0.1")
    ('a random player', 'imperfect:0.1')
    """
    return told(f"player_{name}") if f"player_{name}" in all_clauses() else name


def opening(clause: str, **parts: object) -> str:
    """Return a clause that begins a sentence.

    >>> opening("you_won"), opening("plays", name="adam", move="4")
    ('You have won', 'adam plays 4')
    """
    text = clauses()[clause]
    return f"{text[0].upper()}{text[1:]}".format(**parts)


def ended(outcome: str, winner: str | None = None) -> str:
    """Return how a game ended.

    Args:
        outcome: `X`, `O` or `draw`.
        winner: the winner's name; None stands for the side.

    >>> ended("draw"), ended("X"), ended("X", "the opponent")
    ('a draw', 'X has won', 'the opponent has won')
    """
    return told("draw") if outcome == "draw" else told("has_won", winner=winner or outcome)


def lesson(recorded: str, name: str, *, learns: bool, changes: bool) -> str:
    """Return whether a game is recorded, and what the machine learns from it.

    Args:
        recorded: that it is recorded, and under which number.
        name: of the machine.
        learns: whether it learns from games.
        changes: whether this game changed anything.

    >>> lesson("recorded as game 3", "Adam", learns=True, changes=True)
    'recorded as game 3; Adam learns from it'
    """
    if not learns:
        return told("not_learned", recorded=recorded)
    return f"{recorded}; {told('learns' if changes else 'changes_nothing', name=name)}"
