"""Options and helpers that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from menace.cli.shared import completion
from menace.errors import InvalidPlayer
from menace.text.wording import command_text

if TYPE_CHECKING:
    from menace.games.base import Side, SideText
    from menace.ledger.store import Store


F = TypeVar("F", bound=Callable[..., Any])
CSV_HELP = "Print CSV; a cell that a spreadsheet would run gets a ' in front."
PAPER_FORMS = {"latex": "Print LaTeX (booktabs).", "markdown": "Print Markdown."}  # of tables


DATABASE: dict[str, Any] = {
    "metavar": "PATH",
    "shell_complete": completion.files,
    "envvar": "MENACE_DB",
    "show_default": True,
    "show_envvar": True,
}


def database_option(command: F) -> F:
    """Add `--db PATH`, else MENACE_DB, else menace.db."""
    return click.option("--db", default="menace.db", callback=_path, help="The database.", **DATABASE)(command)


def databases_option(command: F) -> F:
    """Add `--db PATH`, which may be repeated, else MENACE_DB, else menace.db."""

    def paths(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> list[str]:
        return [_path(context, option, text) for text in texts]

    about = "The database. For a site: may be repeated."
    return click.option(
        "--db", type=OnePath(), multiple=True, default=["menace.db"], callback=paths, help=about, **DATABASE
    )(command)


class OnePath(click.types.StringParamType):
    """A path; an environment variable has one, whatever signs it has."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """Return the paths in an environment variable."""
        return [rv]


def _path(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """Return the path of the database. Raises BadParameter if no file can have it."""
    if not text:
        raise click.BadParameter("the path is empty; name a file, or leave --db out")
    if text == ":memory:":
        raise click.BadParameter("a database in memory is gone when the command ends; name a file")
    return text


def opened(path: str) -> Store:
    """Open the database of a command that needs an existing one."""
    from menace.ledger.database_file import open_database  # `--help` starts without it

    return open_database(path)


games_option = click.option("--games", type=int, default=10_000, show_default=True, metavar="N", help="How many games.")
marks_option = click.option(
    "--marks",
    default="1-2-5",
    show_default=True,
    metavar="TEXT",
    help="After how many games to measure: 1-2-5, every:500, log:20 (in a power of ten), or 0,100,220.",
)
seed_option = click.option(
    "--seed", type=int, metavar="N", help="The same seed and the same machines give the same games."
)


def form_options(csv_help: str = CSV_HELP, **more: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds `--json` and `--csv`, passed to the command as `form`: `json`, `csv`, or None.

    Args:
        csv_help: the help of `--csv`.
        more: forms that the command has besides, with their help, such as PAPER_FORMS.
    """
    helps = {"csv": csv_help, "json": "Print JSON: a list of objects.", **more}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)  # keeps the other options
        def with_form(**options: Any) -> None:
            forms = [form for form in helps if options.pop(f"as_{form}")]
            if len(forms) > 1:
                raise click.UsageError(f"--{forms[0]} and --{forms[1]} cannot be used together; give one of them")
            command(form=forms[0] if forms else None, **options)

        for form, text in helps.items():
            with_form = click.option(f"--{form}", f"as_{form}", is_flag=True, help=text)(with_form)
        return with_form

    return decorate


def naming_options(command: F, default: str = "the machine's") -> F:
    """Add `--colours` and `--numbering`, the schemes of menace/text/bead_colours.py; the help names their default."""
    schemes = click.Choice(["menace", "michie"], case_sensitive=False)
    help_texts = {
        "colours": "Colours of beads; michie are those of the first machine.",
        "numbering": "Numbers of cells; menace is 0 to 8 row by row, michie 1 2 3 / 8 0 4 / 7 6 5.",
    }
    for name, text in help_texts.items():
        command = click.option(f"--{name}", type=schemes, help=f"{text}  [default: {default}]")(command)
    return command


def examples(*lines: str) -> str:
    r"""Return the epilog of a command with examples.

    >>> examples("menace strength menace-x")
    '\x08\nExamples:\n  menace strength menace-x\n'
    """
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines)


def one_word(command: str, words: Sequence[str], file: str, db: str, *before: str) -> click.UsageError:
    """Return the error for a command that needs a learner and a file, and got at most one word.

    Args:
        command: its name.
        words: the words that were given.
        file: a file for the example.
        db: the database.
        before: words before the learner.

    >>> one_word("labels", ["menace-x"], "labels.pdf", "menace.db").message
    'the file is missing after menace-x, as in `menace labels menace-x labels.pdf`'
    """
    word = "".join(words)
    if not word:
        return click.UsageError("the machine and the file are missing")
    is_file = PurePath(word).suffix.removeprefix(".").isalpha()
    example = command_text(command, *before, "menace-x" if is_file else word, file, db=db)
    missing = f"the machine is missing before {word}" if is_file else f"the file is missing after {word}"
    return click.UsageError(f"{missing}, as in `{example}`")


def side(text: str, hint: str = "--plays") -> Side:
    """Read X or O.

    >>> side("x")
    'X'
    """
    from menace.games.base import Side

    try:
        return Side(text.upper())
    except InvalidPlayer:
        raise click.BadParameter(f"{text!r} is neither X nor O", param_hint=hint) from None


def assignments(pairs: tuple[str, ...]) -> dict[str, str]:
    """Split `KEY=VALUE` texts.

    >>> assignments(("beads=8,4,2,1", "win = 3"))
    {'beads': '8,4,2,1', 'win': '3'}
    """
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r} is not KEY=VALUE, such as beads=8,4,2,1", param_hint="--set")
        values[key.strip()] = value.strip()
    return values


plays_option = click.option(
    "--plays", metavar="X|O", help="Its side; of a machine it is known.  [default: the machine's]"
)


def check_function(db: str, text: str, plays: SideText) -> None:
    """Raise InvalidPlayer if a text names a function in a file that cannot play in a database yet to be made.

    So none is made for it. In one that is there, `player_name` says so.

    >>> check_function("new.db", "random", "X")
    """
    from menace.games.plugins import is_file

    if not is_file(text):
        return
    from menace.games.enumeration import tictactoe
    from menace.learners.opponents.functions import tabulate_functions
    from menace.ledger.database_file import is_vacant

    if is_vacant(db):
        tabulate_functions(text, plays, tictactoe())


def player_and_side(store: Store, name: str, plays: str | None) -> tuple[str, Side | None]:
    """Return a player's name, a function's by its table, and the side that was asked for, or is the only one.

    Raises:
        InvalidPlayer: if it could play either side, and none was asked for.

    >>> player_and_side(store, "random", "o"), player_and_side(store, "menace-x", None)
    (('random', 'O'), ('menace-x', None))
    """
    from menace.games.plugins import is_file
    from menace.learners.opponents.fixed import fixed_opponent, is_fixed
    from menace.ledger.function_players import player_name
    from menace.ledger.positions import positions_of

    asked = None if plays is None else side(plays)
    if asked is None and is_file(name) and not store.has_learner(name):
        raise InvalidPlayer(f"{name} can play either side; say which with --plays X or --plays O")
    if asked is not None:
        name = player_name(store, name, asked)
    if asked is None and is_fixed(name):
        positions_of(store)  # which knows the functions that it keeps
        asked = fixed_opponent(name).plays
        if asked is None:
            raise InvalidPlayer(
                f"{name!r} is a fixed opponent, which can play either side; say which with --plays X or --plays O"
                " (`menace players` says how it plays)"
            )
    return name, asked
