"""The command that draws the game to hang on a wall: picture."""

from __future__ import annotations

import click

from menace.cli import completion
from menace.cli.options import database_option, examples
from menace.cli.terminal import say
from menace.wording import FIGURE_FORMATS, PARTS, Part, counted


@click.command(
    short_help="Draw the game as a picture to hang on a wall.",
    epilog=examples(
        "menace picture perfect-play.svg",
        "menace picture menace-x.png --learner menace-x",
        "menace picture poster.pdf --part all",
        "menace picture played.svg --part played --learner menace-o",
    ),
)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--part",
    type=click.Choice(PARTS, case_sensitive=False),
    default="optimal",
    show_default=True,
    help="Which positions: those of perfect play, all, those where only X or only O never errs, or where a learner has "
    "been.",
)
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion.learners,
    help="Draw each move as wide as it is likely to play it.",
)
@click.option(
    "--to",
    type=click.Choice(FIGURE_FORMATS, case_sensitive=False),
    help="The format, if the ending of OUT does not give it.",
)
@database_option
def picture(out: str, part: Part, learner: str | None, to: str | None, db: str) -> None:
    """Draw every position as a small board, a row for each number of moves made, and every move as a line.

    OUT is a file that ends with .svg, .png or .pdf, or `-` for standard output. `--part optimal` fits a slide; `--part
    all` is a poster to be printed large. Tints say how risky a position is (where all have the same value, as in
    perfect play), or who wins under perfect play.
    """
    from menace.ledger.database import open_database
    from menace.output import STDOUT
    from menace.plotting.picture import picture as draw

    with open_database(db) as store:
        drawn = draw(store, out, part, learner, to)
    if out != STDOUT:
        say(f"{out}: {counted(drawn.positions, 'position')}, {counted(drawn.moves, 'move')}")
