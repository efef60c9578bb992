"""Patterns that stand for learners: `men*`, as in file names."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from menace.errors import UnknownLearner
from menace.ledger.store import Store

WILD = frozenset("*?[")


def names_like(store: Store, texts: Sequence[str]) -> list[str]:
    """Return the names that some names and patterns stand for, each once; what is not a pattern stays as it is.

    Args:
        store: the database.
        texts: names, or patterns: `*` stands for any letters, `?` for one, `[xo]` for one of some. A learner of
            exactly that name comes first: then the text is not a pattern.

    Raises:
        UnknownLearner: if a pattern fits no learner; the message names those that there are.

    >>> names_like(store, ["menace-?", "menace-x", "random"])
    ['menace-x', 'menace-o', 'random']
    """
    names: list[str] = []
    there = [row.name for row in store.learners()] if any(WILD & set(text) for text in texts) else []
    for text in texts:
        if not WILD & set(text) or store.has_learner(text):
            names.append(text)
            continue
        found = [name for name in there if fnmatchcase(name, text)]
        if not found:
            listed = ", ".join(there) or "none yet"
            raise UnknownLearner(f"no learner's name matches {text!r}; there are: {listed} (`menace new` makes one)")
        names += found
    return list(dict.fromkeys(names))
