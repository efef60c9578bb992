"""Fill in the clauses from text/narration.toml that describe games in words.

Scripts of web pages use the same clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from menace.text.wording import VERDICTS

RULES_OF, LEARNING_BY = "rules of", "learning by"  # the prefixes that `flat` adds to clauses from two tables
BY_TABLE = {"rules": RULES_OF, "learners": LEARNING_BY}


@cache
def clauses() -> dict[str, str]:
    """Return a dictionary of the clauses that describe games, excluding those that only page templates use."""
    return {name: clause for name, clause in tables().items() if isinstance(clause, str)}


def flat(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return all clauses of a parsed file in one dictionary.

    Clauses from the tables in BY_TABLE get a prefix. Clauses from other tables, such as `site`, keep their names.
    """
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
    """Return a dictionary of all clauses, including those that only page templates use."""
    return flat(tables())


@cache
def tables() -> dict[str, Any]:
    """Return the parsed file as a dictionary of clauses and of tables such as `site`."""
    import tomllib
    from importlib import resources  # imported here; otherwise, every command would start 7 ms later

    return tomllib.loads(resources.files("menace").joinpath("text/narration.toml").read_text("utf-8"))


def for_scripts(words: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the clauses that scripts of web pages need, and `verdicts` in order from best to worst.

    Args:
        words: translated clauses by name; None for English.
    """
    spoken = clauses() if words is None else {name: words[name] for name in clauses()}
    return {**spoken, "verdicts": list(VERDICTS.values())}


def told(clause: str, **parts: object) -> str:
    """Return a clause with its placeholders replaced.

    Args:
        clause: the clause's name.
        parts: the values of its placeholders.

    >>> told("plays", name="Adam", move="4")
    'Adam plays 4'
    """
    return all_clauses()[clause].format(**parts)


def opponent_words(name: str, told: Callable[..., str] = told) -> str:
    """Return the description of a fixed opponent to show beside a board, or the name if there is no description.

    Args:
        name: the opponent's name.
        told: a function that returns a clause, in English or in another language, with its placeholders replaced.

    >>> opponent_words("random"), opponent_words("imperfect:0.1")
    ('a random player', 'imperfect:0.1')
    """
    return told(f"player_{name}") if f"player_{name}" in all_clauses() else name


def opening(clause: str, **parts: object) -> str:
    """Return a clause with its placeholders replaced, capitalized to begin a sentence unless it starts with a name.

    >>> opening("you_won"), opening("plays", name="adam", move="4")
    ('You have won', 'adam plays 4')
    """
    text = clauses()[clause]
    return f"{text[0].upper()}{text[1:]}".format(**parts)


def ended(outcome: str, winner: str | None = None) -> str:
    """Return a phrase for the result of a game.

    Args:
        outcome: `X`, `O` or `draw`.
        winner: the winner's name; None to name the side.

    >>> ended("draw"), ended("X"), ended("X", "the opponent")
    ('a draw', 'X has won', 'the opponent has won')
    """
    return told("draw") if outcome == "draw" else told("has_won", winner=winner or outcome)


def lesson(recorded: str, name: str, *, learns: bool, changes: bool) -> str:
    """Return a phrase that says whether a game is recorded and whether the machine learns from it.

    Args:
        recorded: a clause that says whether the game is recorded and, if so, under which number.
        name: the machine's name.
        learns: whether the machine learns from games.
        changes: whether this game changed anything in the machine.

    >>> lesson("recorded as game 3", "Adam", learns=True, changes=True)
    'recorded as game 3; Adam learns from it'
    """
    if not learns:
        return told("not_learned", recorded=recorded)
    return f"{recorded}; {told('learns' if changes else 'changes_nothing', name=name)}"
