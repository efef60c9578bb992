"""The command that lists where a player errs: mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.options import database_option, examples, form_options, opened
from menace.cli.player_arguments import player_and_side, plays_option
from menace.cli.tables_and_bars import table
from menace.cli.terminal_output import print_records, say
from menace.wording import Form, counted

if TYPE_CHECKING:
    from menace.analysis.mistakes import Mistakes


@click.command(
    short_help="List the moves by which a player gives something away.",
    epilog=examples(
        "menace mistakes menace-x",
        "menace mistakes ./my_player.py:novice --plays O",
        "menace mistakes random --plays X --most 5",
        "menace mistakes menace-x --greedy --csv",
    ),
)
@click.argument("name", shell_complete=completion_candidates.learners_and_functions)
@plays_option
@click.option("--greedy", is_flag=True, help="Let a machine play its best: most beads, or highest value.")
@click.option(
    "--most", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="How many to list at most."
)
@form_options()
@database_option
def mistakes(name: str, plays: str | None, greedy: bool, most: int, form: Form | None, db: str) -> None:
    """List where NAME errs: boards that it may come to, and moves there that give a win or a draw away.

    NAME is a machine, or with --plays a fixed opponent, or a function in a Python file of yours, as
    ./my_player.py:novice. What costs it most against random play comes first. JSON and CSV have all mistakes.
    """
    from menace.analysis.mistakes import mistakes_of

    with opened(db) as store:
        name, side = player_and_side(store, name, plays)
        listed = mistakes_of(store, name, "greedy" if greedy else "behaviour", side)
    if form is not None:
        print_records(listed.table(), form)
    else:
        say(_mistakes_text(listed, most))


def _mistakes_text(listed: Mistakes, most: int) -> str:
    from menace.analysis.mistakes import HEADER

    if not len(listed):
        return listed.title
    rows = [mistake.row for mistake in listed.all[:most]]
    more = f"\nand {counted(len(listed) - most, 'more mistake')} (--most {len(listed)})" if len(listed) > most else ""
    return f"{listed.title}\n\n{table(HEADER, rows)}{more}"
