"""The command-line interface. Each command parses its arguments, calls one library function and prints the result.

The commands are in commands/. The other files contain the code that commands share: options, output, tab completion and
prompts. Commands and `menace --help` start fast, because only the requested command's module is imported, and the
library is imported only when the command runs.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from menace.cli.terminal import escape_controls, say, split_to_fit, wrap_command
from menace.errors import InvalidGame, MenaceError, OutputError

INTERRUPTED = 130
BROKEN_PIPE = 1  # click's exit code when the reader of a pipe has exited
STANDARD_STREAMS = range(3)
DISK_FULL_ERRORS = {errno.ENOSPC, errno.EDQUOT}
MAX_MESSAGE_LENGTH = 600  # maximum length of an error message, in characters
MAX_SHORT_HELP = 1000  # maximum length of short help, large enough that click wraps the text but never truncates it


class HelpFormatter(click.HelpFormatter):
    """A help formatter that breaks long example commands with a backslash, as a shell expects."""

    def write_text(self, text: str) -> None:
        r"""Write paragraphs. A paragraph that starts with `\b` keeps its line breaks, but long lines are wrapped."""
        room, indent = self.width - self.current_indent, " " * self.current_indent
        for number, paragraph in enumerate(re.split(r"\n{2,}", text.strip("\n"))):
            if number:
                self.write("\n")
            if not paragraph.startswith("\b\n"):
                super().write_text(paragraph)
                continue
            head, *lines = _join_continuation_lines(paragraph.removeprefix("\b\n").splitlines())
            fold = wrap_command if head == "Examples:" else _wrap_definition
            for line in (head, *lines):
                self.write("".join(f"{indent}{part}\n" for part in fold(line, room).split("\n")))


def _join_continuation_lines(lines: Sequence[str]) -> list[str]:
    """Join each continuation line, which is indented by four spaces, to the preceding line."""
    joined: list[str] = []
    for line in lines:
        if line.startswith("    ") and joined:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
    return joined


def _wrap_definition(line: str, room: int) -> str:
    """Wrap a line of the form `term  definition` so that the term stays in its own column."""
    match = re.match(r" *\S+ {2,}", line)
    term = match[0] if match else ""
    first, *rest = split_to_fit(line.removeprefix(term), room - len(term))
    return "\n".join([term + first, *(" " * len(term) + piece for piece in rest)])


class HelpContext(click.Context):
    """A click context that fits the help of a command to the width of the terminal."""

    formatter_class = HelpFormatter


def print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Print the versions of menace, Python and SQLite, and whether the kernel is compiled."""
    if not wanted or context.resilient_parsing:
        return
    import platform

    from menace import __version__
    from menace.kernel import kernel_state
    from menace.ledger.store import SQLITE_VERSION

    parts = [f"kernel {kernel_state()}", f"Python {platform.python_version()}", f"SQLite {SQLITE_VERSION}"]
    click.echo(f"menace {__version__}, {', '.join(parts)}")
    context.exit()


# The sections of the help, in order. Each section maps modules in `commands/` to the names of their commands.
SECTIONS = {
    "Play": {"play": ["play", "games", "replay", "history", "forget"]},
    "Train": {
        "learners": [
            *("selfplay", "train", "resume", "abandon"),
            *("new", "learners", "presets", "rename", "copy", "merge", "delete"),
        ],
    },
    "Explore": {"serve": ["serve"]},
    "Study": {"study": ["study"]},
    "Analyse and export": {
        "show": ["show", "query", "runs"],
        "strength": ["evaluate", "strength", "compare", "players", "mistakes", "expect"],
        "exam": ["exam", "grade"],
        "draw_and_export": ["plot", "picture", "export"],
    },
    "Real matchboxes": {"matchboxes": ["labels", "physical", "contents", "recount"]},
    "Games and the database": {"database": ["rules", "init", "backup", "verify"]},
    "Your own game": {"database": ["new-game", "check"]},
}
MODULES = {name: module for modules in SECTIONS.values() for module, names in modules.items() for name in names}


class LazyCommands(Mapping[str, click.Command]):
    """A mapping from names to commands that imports a command's module only when the command is looked up."""

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)

    def __getitem__(self, name: str) -> click.Command:
        members = vars(importlib.import_module(f"{__name__}.commands.{MODULES[name]}")).values()
        command = next(member for member in members if isinstance(member, click.Command) and member.name == name)
        command.context_class = HelpContext
        return command


# The commands that `menace` shows when it is called without arguments.
FIRST_COMMANDS = ("selfplay", "play", "show .........", "strength menace-x", "serve --open")


class SectionedGroup(click.Group):
    """The group of all commands, which lists its commands by section."""

    context_class = HelpContext

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the arguments, and turn Ctrl-C into click.Abort."""
        with _abort_on_interrupt():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn Ctrl-C into click.Abort."""
        with _abort_on_interrupt():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Write the name and short help of every command, grouped by section."""
        longest = max(map(len, self.commands))
        for title, modules in SECTIONS.items():
            names = [name for listed in modules.values() for name in listed]
            rows = [(f"{name:{longest}}", self.commands[name].get_short_help_str(MAX_SHORT_HELP)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)

    def get_introduction(self, context: click.Context) -> str:
        """Return the text that `menace` prints without arguments, with commands to try first and ways to get help."""
        formatter = context.make_formatter()
        formatter.write_text((self.help or "").partition("\n\n")[0])
        with formatter.section("Start with"):
            helps = [self.commands[typed.split()[0]].get_short_help_str(MAX_SHORT_HELP) for typed in FIRST_COMMANDS]
            formatter.write_dl([(f"menace {typed}", text) for typed, text in zip(FIRST_COMMANDS, helps, strict=True)])
        with formatter.section(f"All {len(self.commands)} commands"):
            formatter.write_dl(
                [("menace --help", "List all commands."), ("menace COMMAND --help", "Explain one command.")]
            )
        return formatter.getvalue().rstrip("\n")


@click.group(
    cls=SectionedGroup,
    commands=LazyCommands(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  # create a database and train two machines
  menace selfplay
  # play against one of them
  menace play
  # look into its first matchbox
  menace show ......... --learner menace-x
""",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the versions of menace, Python and SQLite, and whether the kernel is compiled.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Train, measure and play against Donald Michie's matchbox machine, which learns noughts and crosses.

    The machine also learns other small games. All data is stored in one SQLite file, selected by --db or the
    environment variable MENACE_DB. The default is menace.db in the current directory.
    """
    if context.invoked_subcommand is None:
        click.echo(cli.get_introduction(context))


def main() -> None:
    """Run the command line.

    Each error is printed as a single line on standard error; invalid input never causes a traceback.
    """
    try:
        _replace_closed_streams()
        _replace_unprintable_characters()
        with _report_plugin_faults():
            # On Windows, click would otherwise expand patterns for machine names, such as men*, into file names.
            code = cli.main(standalone_mode=False, windows_expand_args=False)
        sys.stdout.flush()
        sys.exit(code)
    except click.ClickException as error:
        fail(f"{_usage_error_text(error)} (see --help)", error.exit_code)
    except MenaceError as error:
        fail(str(error), 1)
    except (click.Abort, KeyboardInterrupt) as error:
        if sys.stderr.isatty():
            click.echo(err=True)  # end the line on which the terminal shows ^C
        fail(f"interrupted; {error}" if str(error) else "interrupted", INTERRUPTED)
    except OSError as error:
        _discard_output()
        if _is_broken_pipe(error):
            sys.exit(BROKEN_PIPE)
        where = f": {error.filename}" if error.filename else ""
        todo = (
            "free some space"
            if error.errno in DISK_FULL_ERRORS
            else "check that the file exists and that you have permission to use it"
        )
        fail(f"{error.strerror or error}{where}; {todo}", 1)
    except UnicodeError:
        fail("a file or an argument is not valid UTF-8; save it as UTF-8", 1)
    except MemoryError:
        fail("not enough memory; try a smaller game or fewer games", 1)


def _is_broken_pipe(error: OSError) -> bool:
    """Return whether an error means that the program reading the output has exited. On Windows, the error is EINVAL."""
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def _usage_error_text(error: click.ClickException) -> str:
    """Return the message for an invalid command line, with a suggestion if one is available."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    if isinstance(error, click.NoSuchOption):
        return _unknown_option_text(error, context)
    takes_words = any(isinstance(parameter, click.Argument) for parameter in context.command.params)
    if error.format_message().startswith("Got unexpected extra argument") and not takes_words:
        return f"{error.format_message()}; to choose a database, use `{context.command_path} --db PATH`"
    return error.format_message()


def _unknown_option_text(error: click.NoSuchOption, context: click.Context) -> str:
    """Return the message for an unknown option. If the option follows a command, suggest similar options."""
    from difflib import get_close_matches

    if context.parent is None:
        return f"No such option {error.option_name!r} before the command; put options after the command"
    options = {option for parameter in context.command.params for option in parameter.opts}
    if error.option_name == "--format" and {"--csv", "--json"} <= options:
        return f"No such option {error.option_name!r}; use --csv or --json"
    # click's suggestions must be filtered, because click also compares the leading dashes, which all options share.
    word = error.option_name.lstrip("-")
    similar = [option for option in error.possibilities or () if get_close_matches(word, [option.lstrip("-")])]
    # The wording of click's own message depends on its version.
    guess = f". Did you mean {' or '.join(map(repr, sorted(similar)))}?" if similar else ""
    return f"No such option {error.option_name!r}{guess}"


@contextlib.contextmanager
def _report_plugin_faults() -> Iterator[None]:
    """Raise InvalidGame for an error in the code of a user's game, because such code counts as input."""
    try:
        yield
    except (MenaceError, click.ClickException, click.Abort):
        raise
    except Exception as error:
        from menace.games.plugins import plugin_fault

        fault = plugin_fault(error)
        if fault is None:
            raise
        raise InvalidGame(fault) from error


@contextlib.contextmanager
def _abort_on_interrupt() -> Iterator[None]:
    """Keep click from printing an empty line on Ctrl-C, because the line would also appear in logs."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.Abort from None


def _replace_closed_streams() -> None:
    """Replace closed standard streams with the null device. Raises OutputError if standard output was closed."""
    nothing = Path(os.devnull)
    while (number := os.open(nothing, os.O_RDWR)) in STANDARD_STREAMS:
        pass  # otherwise, the next file opened would get the descriptor of a standard stream
    os.close(number)
    if sys.stdin is None:
        sys.stdin = nothing.open(encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = nothing.open("w", encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = nothing.open("w", encoding="utf-8")
        raise OutputError("standard output is closed; redirect it to a file, or to /dev/null to discard it")


def _replace_unprintable_characters() -> None:
    """Print question marks instead of characters that the terminal cannot encode, such as block characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _discard_output() -> None:
    """Discard the rest of the output. Python would otherwise try to print the rest at exit and report an error."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def fail(message: str, code: int) -> NoReturn:
    """Print an error as one line on standard error, wrapped on a terminal, and exit with `code`.

    Line breaks in the message become spaces, control characters are escaped, and a long message is truncated.
    """
    line = " ".join(message.split())
    shown = escape_controls(line)
    if len(shown) > MAX_MESSAGE_LENGTH:
        shown = f"{shown[:MAX_MESSAGE_LENGTH]} ..."
    with contextlib.suppress(OSError):
        say(f"menace: {shown}", err=True)
    sys.exit(code)
