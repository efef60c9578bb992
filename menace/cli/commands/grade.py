"""Define the command grade, which grades other people's players."""

from __future__ import annotations

import click

from menace.cli.shared import completion
from menace.cli.shared.options import PAPER_FORMS, Seconds, form_options, format_examples, parse_side
from menace.cli.shared.terminal import print_table, progress_bar
from menace.text.wording import TableForm, counted


@click.command(
    short_help="Grade other people's Python files exactly, each in a process with limits.",
    epilog=format_examples(
        "menace grade submissions/*.py",
        "menace grade submissions/*.py --league --html report/",
        "menace grade ./anna.py:best_move --plays X --symmetric",
        "menace grade submissions/*.py --game hexapawn --with helper.py --csv",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.files)
@click.option("--plays", default="both", show_default=True, metavar="X|O|both", help="The sides to grade.")
@click.option("--function", metavar="NAME", help="The function.  [default: move, or the only public function]")
@click.option("--game", shell_complete=completion.games, help="The game.  [default: tictactoe]")
@click.option(
    "--variant", metavar="TEXT", shell_complete=completion.variants, help="The variant of the game; see `menace rules`."
)
@click.option(
    "--symmetric",
    is_flag=True,
    help="Assume that the files treat mirrored and rotated boards alike, and ask for one board of each kind.",
)
@click.option("--league", is_flag=True, help="Also compute the exact results of all files against each other.")
@click.option("--html", metavar="FOLDER", shell_complete=completion.files, help="Write a report with boards to FOLDER.")
@click.option(
    "--with", "extra", multiple=True, metavar="FILE", shell_complete=completion.files, help="Copy FILE to each folder."
)
@click.option(
    "--time-limit",
    type=Seconds(),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for one move; all moves of a side may take ten times as long.",
)
@click.option(
    "--memory", type=click.IntRange(50), default=1024, show_default=True, metavar="MB", help="Memory of each process."
)
@form_options(**PAPER_FORMS)
def grade(
    files: tuple[str, ...],
    plays: str,
    function: str | None,
    game: str | None,
    variant: str | None,
    symmetric: bool,
    league: bool,
    html: str | None,
    extra: tuple[str, ...],
    time_limit: float,
    memory: int,
    form: TableForm | None,
) -> None:
    """Print exactly how good the players in other people's Python files are: a row for each file and side.

    FILE is a Python file, such as anna.py, or a file and a function, such as anna.py:best_move. Without a function, the
    command grades the function `move`, or the only function of the file whose name does not start with _. The function
    takes a board, or a board and the names of its legal moves, and returns the name of a move.

    Each file runs in processes of its own, in an empty folder, with limits on time, memory, files and processes. A file
    that fails gets a row that says why. The limits do not stop a malicious author: docs/grading.md shows how to run the
    command in a container.
    """
    from menace.analysis.submissions import grade_submissions
    from menace.games import DEFAULT_GAME, get_game
    from menace.games.base import Side
    from menace.ledger.create_and_open import positions_within

    sides = list(Side) if plays.lower() == "both" else [parse_side(plays)]
    if league and len(sides) == 1:
        raise click.UsageError("--league needs both sides; leave out --plays")
    positions = positions_within(get_game(game or DEFAULT_GAME, variant))
    with progress_bar(len(files), counted(len(files), "file")) as progress:
        graded = grade_submissions(
            files,
            sides,
            positions,
            symmetric=symmetric,
            function=function,
            seconds=time_limit,
            memory=memory,
            extra=extra,
            league=league,
            done=lambda: progress.update(1),
        )
    if html is not None:
        from menace.analysis.submissions import write_report

        write_report(html, graded)
    print_table(graded.in_words(), graded.table(), form)
