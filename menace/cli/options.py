"""Define options and helper functions that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from menace.cli import completion
from menace.errors import InvalidPlayer
from menace.games import DEFAULT_GAME
from menace.games.base import Side, SideText
from menace.games.plugins import is_file
from menace.text.wording import command_text

if TYPE_CHECKING:
    from menace.learners.policy import PolicyFunction
    from menace.ledger.store import Store


F = TypeVar("F", bound=Callable[..., Any])
CSV_HELP = "Print CSV, with a ' before each cell that a spreadsheet would run as a formula."
PAPER_FORMS = {"latex": "Print a LaTeX table (booktabs).", "markdown": "Print a Markdown table."}


DATABASE_OPTION: dict[str, Any] = {
    "metavar": "PATH",
    "shell_complete": completion.files,
    "envvar": "MENACE_DB",
    "show_default": True,
    "show_envvar": True,
}


def database_option(command: F) -> F:
    """Add the option `--db PATH`, which defaults to the value of MENACE_DB, or else to menace.db."""
    return click.option(
        "--db", default="menace.db", callback=_check_path, help="The database file.", **DATABASE_OPTION
    )(command)


def databases_option(command: F) -> F:
    """Add the repeatable option `--db PATH`, which defaults to the value of MENACE_DB, or else to menace.db."""

    def paths(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> list[str]:
        return [_check_path(context, option, text) for text in texts]

    about = "The database file; for a site, the option may be repeated."
    return click.option(
        "--db", type=SinglePath(), multiple=True, default=["menace.db"], callback=paths, help=about, **DATABASE_OPTION
    )(command)


class SinglePath(click.types.StringParamType):
    """The type of an option whose environment variable contains a single path, which may include colons and spaces."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """Return the single path that an environment variable contains."""
        return [rv]


def _check_path(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """Return the path of the database. Raises BadParameter if the text cannot be a file path."""
    if not text:
        raise click.BadParameter("the path is empty; name a file, or leave out --db")
    if text == ":memory:":
        raise click.BadParameter("a database in memory would be lost when the command ends; name a file")
    return text


def open_existing(path: str) -> Store:
    """Open an existing database for a command."""
    from menace.ledger.create_and_open import open_database  # imported here to keep `--help` fast

    return open_database(path)


def with_database(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option `--db PATH`, and pass the existing database at that path to the command as `store`."""

    @database_option
    @wraps(command)  # keeps the options that earlier decorators added
    def opened(db: str, **options: Any) -> None:
        with open_existing(db) as store:
            command(store, **options)

    return opened


games_option = click.option(
    "--games", type=int, default=10_000, show_default=True, metavar="N", help="Number of games."
)
marks_option = click.option(
    "--marks",
    default="1-2-5",
    show_default=True,
    metavar="TEXT",
    help="When to measure strength: 1-2-5, every:500, log:20 (marks per power of ten), or a list such as 0,100,220.",
)


def against_option(text: str) -> Callable[[F], F]:
    """Return the required option `--against PLAYER`, with the given help."""
    return click.option("--against", required=True, metavar="PLAYER", shell_complete=completion.opponents, help=text)


seed_option = click.option(
    "--seed", type=int, metavar="N", help="Random seed. With the same seed, the same machines play the same games."
)


def form_options(csv_help: str = CSV_HELP, **more: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds `--json` and `--csv` and passes `json`, `csv` or None to the command as `form`.

    Args:
        csv_help: the help for `--csv`.
        more: further output formats and their help, such as PAPER_FORMS.
    """
    helps = {"csv": csv_help, "json": "Print JSON, a list of objects.", **more}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)  # keeps the options that earlier decorators added
        def with_form(**options: Any) -> None:
            forms = [form for form in helps if options.pop(f"as_{form}")]
            if len(forms) > 1:
                raise click.UsageError(f"--{forms[0]} and --{forms[1]} cannot be used together; give one of them")
            command(form=forms[0] if forms else None, **options)

        for form, text in helps.items():
            with_form = click.option(f"--{form}", f"as_{form}", is_flag=True, help=text)(with_form)
        return with_form

    return decorate


def game_options(
    about: str = "The game, or FILE.py:CLASS for your own game.", default: str | None = DEFAULT_GAME
) -> Callable[[F], F]:
    """Return a decorator that adds `--game`, with `about` as its help, and `--variant`."""

    def decorate(command: F) -> F:
        about_variant = "The variant of the game; see `menace rules`."
        command = click.option("--variant", metavar="TEXT", shell_complete=completion.variants, help=about_variant)(
            command
        )
        return click.option(
            "--game", default=default, show_default=bool(default), shell_complete=completion.games, help=about
        )(command)

    return decorate


def greedy_option(about: str = "Make machines always play their best move.") -> Callable[[F], F]:
    """Return a decorator that adds `--greedy`, with `about` as its help, and passes the machines' `policy`."""
    return click.option("--greedy", "policy", flag_value="greedy", default="behaviour", help=about)


def naming_options(command: F, default: str = "the machine's") -> F:
    """Add the options `--colours` and `--numbering`, which select schemes from menace/text/bead_colours.py.

    Args:
        command: the command.
        default: the default, as described in the help.
    """
    schemes = click.Choice(["menace", "michie"], case_sensitive=False)
    help_texts = {
        "colours": "Colours of the beads; michie selects the colours of Michie's own machine.",
        "numbering": "Numbers of the cells; menace counts 0 to 8 row by row, michie 1 2 3 / 8 0 4 / 7 6 5.",
    }
    for name, text in help_texts.items():
        command = click.option(f"--{name}", type=schemes, help=f"{text}  [default: {default}]")(command)
    return command


def format_examples(*lines: str) -> str:
    r"""Return a command's epilog, which lists example command lines.

    >>> format_examples("menace strength menace-x")
    '\x08\nExamples:\n  menace strength menace-x\n'
    """
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines)


def command(*lines: str, epilog: str = "", **attributes: Any) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that makes a command whose help ends with examples.

    Args:
        lines: the command lines of the examples.
        epilog: text before the examples.
        attributes: other arguments of `click.command`.
    """
    return click.command(epilog=epilog + format_examples(*lines), **attributes)


def missing_argument_error(command: str, words: Sequence[str], file: str, db: str, *before: str) -> click.UsageError:
    """Return the error for a command that needs a learner and a file but was given at most one argument.

    Args:
        command: the name of the command.
        words: the words that were given, at most one.
        file: a file name for the example.
        db: the path of the database.
        before: arguments that precede the learner in the example.

    >>> missing_argument_error("labels", ["menace-x"], "labels.pdf", "menace.db").message
    'the file is missing after menace-x, as in `menace labels menace-x labels.pdf`'
    """
    word = "".join(words)
    if not word:
        return click.UsageError("the machine and the file are missing")
    is_file = PurePath(word).suffix.removeprefix(".").isalpha()
    example = command_text(command, *before, "menace-x" if is_file else word, file, db=db)
    missing = f"the machine is missing before {word}" if is_file else f"the file is missing after {word}"
    return click.UsageError(f"{missing}, as in `{example}`")


def parse_side(text: str, hint: str = "--plays") -> Side:
    """Parse `X` or `O`, in upper or lower case.

    Raises BadParameter for any other text, with `hint` as the option's name.

    >>> parse_side("x")
    'X'
    """
    try:
        return Side(text.upper())
    except InvalidPlayer:
        raise click.BadParameter(f"{text!r} is neither X nor O", param_hint=hint) from None


def parse_assignments(pairs: tuple[str, ...]) -> dict[str, str]:
    """Split texts of the form `KEY=VALUE` into a dict. Raises BadParameter if a text has no equals sign.

    >>> parse_assignments(("beads=8,4,2,1", "win = 3"))
    {'beads': '8,4,2,1', 'win': '3'}
    """
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r} is not KEY=VALUE, such as beads=8,4,2,1", param_hint="--set")
        values[key.strip()] = value.strip()
    return values


plays_option = click.option("--plays", metavar="X|O", help="The side that NAME plays.  [default: the machine's side]")


def check_function(db: str, text: str, plays: SideText) -> None:
    """Raise InvalidPlayer if `text` names a function in a file that cannot play in a database about to be created.

    Call this function before the database is created, so that no file is left behind after an error. For an existing
    database, `player_name` makes the same check.

    >>> check_function("new.db", "random", "X")
    """
    if not is_file(text):
        return
    from menace.games.enumeration import tictactoe
    from menace.learners.opponents.functions import tabulate_functions
    from menace.ledger.create_and_open import is_missing_or_empty

    if is_missing_or_empty(db):
        tabulate_functions(text, plays, tictactoe())


class Seconds(click.FloatRange):
    """A time limit in seconds, at most a day."""

    def __init__(self) -> None:
        super().__init__(0.01, 86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; `nan` is an error."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail("nan is not a number of seconds", param, ctx)
        return seconds


def print_notes_on_chance(names: Iterable[str]) -> None:
    """Print a note about each given player that was found to make random choices."""
    from menace.learners.opponents.functions import note_on_chance, varying

    for name in dict.fromkeys(names):
        if name in varying:
            click.echo(note_on_chance(name, varying[name]), err=True)


def resolve_player(store: Store, name: str, plays: str | None) -> tuple[str | PolicyFunction, Side | None]:
    """Return a player and its side, which is None if the player is a learner and no side is given.

    A function in a file is returned as a function, and other players are returned as names.

    Raises:
        InvalidPlayer: if the player can play either side, and `plays` is None.

    >>> resolve_player(store, "random", "o"), resolve_player(store, "menace-x", None)
    (('random', 'O'), ('menace-x', None))
    """
    from menace.learners.opponents.fixed import fixed_opponent, is_fixed
    from menace.ledger.learners import player_name, player_or_function
    from menace.ledger.positions import positions_of

    if plays is not None:
        return player_or_function(store, name, parse_side(plays)), parse_side(plays)
    if is_file(name) and not store.has_learner(name):
        raise InvalidPlayer(f"{name} can play either side; add --plays X or --plays O")
    name = player_name(store, name, None)
    if not is_fixed(name):
        return name, None
    positions_of(store)  # register the functions that the database contains
    side = fixed_opponent(name).plays
    if side is None:
        raise InvalidPlayer(
            f"{name!r} is a fixed opponent, which can play either side; add --plays X or --plays O"
            " (`menace players` describes it)"
        )
    return name, side
