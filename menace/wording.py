"""Numbers in words: percentages, counts and ordinals, the same in the terminal, on labels, pages and figures.

And commands, as they are suggested.
"""

from __future__ import annotations

import os
import shlex

ROUNDS_TO_A_TENTH = 0.0005  # a smaller share would show as 0.0%
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage in six characters; what is neither 0 nor 1 never looks like it.

    >>> percent(0.25), percent(1.0), percent(0.99999), percent(0.00001)
    (' 25.0%', '100.0%', '>99.9%', ' <0.1%')
    """
    if 0 < share < ROUNDS_TO_A_TENTH:
        return " <0.1%"
    if 1 - ROUNDS_TO_A_TENTH <= share < 1 - 1e-12:
        return ">99.9%"
    return f"{share:6.1%}"


def counted(number: int, noun: str) -> str:
    """Return how many there are of something.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "box")
    ('1 game', '1,200 games', '2 boxes')
    """
    plural = f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def ordinal(number: int) -> str:
    """Return which one it is, counted from 1.

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('first', '12th', '23rd')
    """
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def command_text(*words: str, db: str, **options: str) -> str:
    """Return a command as a person can type it, on the same database.

    Args:
        words: the command, then its arguments.
        db: the database's path; it goes without saying where it is the one that the command takes anyway.
        options: values by the names of options.

    >>> command_text("show", ".........", db="my own.db", learner="menace-x")
    "menace show ......... --learner=menace-x --db 'my own.db'"
    >>> command_text("strength", "-x", db="menace.db")
    'menace strength -- -x'
    """
    command, *arguments = words
    given = [f"--{name}={value}" for name, value in options.items()]
    if db != (os.environ.get("MENACE_DB") or "menace.db"):
        given += [f"--db={db}"] if db.startswith("-") else ["--db", db]
    if any(argument.startswith("-") for argument in arguments):
        return shlex.join(["menace", command, *given, "--", *arguments])
    return shlex.join(["menace", command, *arguments, *given])
