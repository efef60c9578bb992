"""The command line: each command parses, calls one function of the library, and prints.

Nothing of the library is imported before a command runs, so that `menace --help` starts fast.
"""

from __future__ import annotations

import sys

import click

from menace.cli import database, learners, play, questions, strength
from menace.errors import MenaceError

INTERRUPTED = 130


def print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Print the versions that matter, and which kernel runs."""
    if not wanted or context.resilient_parsing:
        return
    import platform

    from menace import __version__
    from menace.build import kernel_state
    from menace.store import SQLITE_VERSION

    parts = [f"kernel {kernel_state()}", f"Python {platform.python_version()}", f"SQLite {SQLITE_VERSION}"]
    click.echo(f"menace {__version__}, {', '.join(parts)}")
    context.exit()


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  menace selfplay                               make a database, and watch a machine learn
  menace show ......... --learner menace-x      look into its first matchbox
  menace query                                  questions to ask
""",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the version, and whether the kernel is compiled.",
)
def cli() -> None:
    """Donald Michie's matchbox machine that learns noughts and crosses, on SQLite.

    The database is --db PATH, else MENACE_DB, else menace.db in this directory.
    """


for module in (database, play, learners, questions, strength):
    for command in module.COMMANDS:
        cli.add_command(command)


def main() -> None:
    """Run the command line; one line on standard error for whatever goes wrong, and never a traceback for bad input."""
    try:
        sys.exit(cli.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except MenaceError as error:
        click.echo(f"menace: {error}", err=True)
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        click.echo("menace: interrupted", err=True)
        sys.exit(INTERRUPTED)
