"""Provide shell completion for learners, players, presets, named queries, games, files and functions in Python files.

click generates the shell script (`_MENACE_COMPLETE=bash_source menace`) and completes commands and options. Each public
completer in this module is the `shell_complete` function of an argument. A completer receives the context, the
parameter and the text typed so far, and returns the possible completions.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from menace.games import DEFAULT_GAME, known_variants
from menace.text.wording import counted

if TYPE_CHECKING:
    from menace.ledger.read_only_sql import LearnerName

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_learners_of(side: Literal["X", "O"] | None, fixed: bool = False) -> Completer:
    """Return a completer for learners.

    Args:
        side: the side that the learners play; None for both.
        fixed: whether to offer fixed opponents as well.
    """

    def complete(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        return _matching([*_learners(context, side), *(_fixed_opponents() if fixed else ())], typed)

    return complete


def add_functions(complete: Completer) -> Completer:
    """Extend a completer to offer functions in Python files, as in `./my_player.py:novice`, after a path is typed."""

    def complete_with_functions(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        items = complete(context, parameter, typed)
        if items or not (os.sep in typed or typed.startswith(".")):
            return items
        return _matching(map(CompletionItem, functions_in_files(typed)), typed) or files(context, parameter, typed)

    return complete_with_functions


def functions_in_files(typed: str) -> list[str]:
    """Return the public functions of the Python files whose paths start with `typed`. The files are parsed, not run.

    >>> functions_in_files("./no such file")
    []
    """
    import ast

    folder, separator, start = typed.partition(":")[0].rpartition(os.sep)
    references: list[str] = []
    for file in sorted(Path(folder + separator).glob("*.py")):
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            body = ast.parse(file.read_bytes()).body if file.name.startswith(start) else []
            names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
            path = f"{folder}{separator}{file.name}"
            references += [f"{path}:{name}" for name in names if not name.startswith("_")]
    return references


def complete_players_of(side: Literal["X", "O"]) -> Completer:
    """Return a completer for all players that can play a side: learners, fixed opponents and functions in files."""
    return add_functions(complete_learners_of(side, fixed=True))


learners = complete_learners_of(None)
players, learners_and_functions = add_functions(complete_learners_of(None, fixed=True)), add_functions(learners)


@add_functions
def opponents(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer opponents for the learner NAME on the command line: fixed opponents, and learners for the other side."""
    # While an option's value is being completed, click has not yet parsed the words before the option.
    words = [context.params.get("name"), *context.args]
    side = next((row.plays for row in _learners_of_file(context) if row.name in words), None)
    other = {"X": "O", "O": "X"}.get(side or "")
    return _matching([*_learners(context, other), *_fixed_opponents()], typed)


def presets(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the presets with their summaries."""
    from menace.learners.registry import PRESETS

    return _matching([CompletionItem(name, help=preset.summary) for name, preset in PRESETS.items()], typed)


def questions(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the named queries with their titles."""
    from menace.ledger.queries import named_queries

    return _matching([CompletionItem(named.name, help=named.title) for named in named_queries()], typed)


def games(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the known games; if no name matches, let the shell offer files."""
    names = dict.fromkeys(known.game for known in known_variants())
    return _matching(map(CompletionItem, names), typed) or [CompletionItem(typed, type="file")]


def variants(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the known variants of the game on the command line, each with its number of positions."""
    game = context.params.get("name") or context.params.get("game") or DEFAULT_GAME
    return _matching(
        (
            CompletionItem(known.variant, help=counted(known.positions, "position"))
            for known in known_variants()
            if known.game == game
        ),
        typed,
    )


def files(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Let the shell offer files."""
    return [CompletionItem(typed, type="file")]


def learners_and_file(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer learners that are not yet on the command line; if none match, let the shell offer files."""
    named = context.params.get(parameter.name or "") or ()
    items = [item for item in learners(context, parameter, typed) if item.value not in named]
    return items or files(context, parameter, typed)


def _learners(context: click.Context, side: str | None = None) -> list[CompletionItem]:
    return [
        CompletionItem(row.name, help=f"plays {row.plays}: {row.preset}, {counted(row.games, 'game')}")
        for row in _learners_of_file(context)
        if side in {None, row.plays}
    ]


def _learners_of_file(context: click.Context) -> list[LearnerName]:
    from menace.ledger.read_only_sql import list_learner_names

    return list_learner_names(_database(context))


def _fixed_opponents() -> Iterable[CompletionItem]:
    from menace.learners.opponents.fixed import FIXED

    return [CompletionItem(name, help=f"a fixed opponent: {opponent.line}") for name, opponent in FIXED.items()]


def _database(context: click.Context) -> str:
    """Return the database named in the typed part of the command line, or the default database."""
    given = context.params.get("db")
    if given and context.get_parameter_source("db") is ParameterSource.COMMANDLINE:
        return str(given if isinstance(given, str) else given[-1])
    return os.environ.get("MENACE_DB") or "menace.db"


def _matching(items: Iterable[CompletionItem], typed: str) -> list[CompletionItem]:
    return [item for item in items if str(item.value).startswith(typed)]
