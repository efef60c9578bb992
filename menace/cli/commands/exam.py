"""Define two commands: `exam` asks a player for moves, and `grade` grades other people's files."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options
from menace.cli.dialogue import ask_for_move, board_drawing, move_example
from menace.cli.terminal import print_records, print_report, progress_bar, say, table_text
from menace.errors import IllegalMove, InvalidPlayer
from menace.games import get_game
from menace.games.base import Side
from menace.text.wording import OPPONENTS, Form, TableForm, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from menace.analysis.exam import Exam
    from menace.learners.opponents.programs import Program

LONGEST_ANSWER = 40  # maximum number of characters kept from an illegal answer


@options.command(
    "menace exam --symmetric --answers me.jsonl",
    "menace exam --plays O --player ./my_player.py:novice",
    'menace exam --command "python3 agent.py" --time-limit 10 --answers agent.jsonl',
    short_help="Grade a person or a program exactly, with as few questions as possible.",
)
@click.option("--plays", default="X", show_default=True, metavar="X|O", help="The side of the player.")
@options.game_options()
@click.option("--symmetric", is_flag=True, help="Assume that the player treats rotated and mirrored boards alike.")
@click.option(
    "--copies",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="With --symmetric: also ask about rotated or mirrored copies of up to N boards, to test whether the "
    "player treats them alike.",
)
@click.option(
    "--answers",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Store the answers in this file; the exam continues after the last stored answer.",
)
@click.option("--player", metavar="FILE.py:FUNCTION", help="Ask a Python function instead of you.")
@click.option(
    "--command",
    "program",
    metavar="TEXT",
    help="Ask a program instead of you, using the program's standard input and output.",
)
@click.option(
    "--time-limit",
    type=options.Seconds(),
    metavar="SECONDS",
    help="Time limit for each answer from a function or program.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="Ask about each board K times; use this if the player makes random choices.",
)
@click.option("--losses", "losses_only", is_flag=True, help="Stop once the losses are decided.")
@options.form_options()
def exam(
    plays: str,
    game: str,
    variant: str | None,
    answers: str | None,
    player: str | None,
    program: str | None,
    time_limit: float | None,
    form: Form | None,
    **settings: Any,
) -> None:
    """Grade a player (you, a Python function or a program) exactly, by asking about as few boards as possible.

    The exam asks only about boards that can be reached with the player's own answers and that can still change the
    result. After each answer, exact bounds on all results are known. The questions that determine the losses come
    first.

    A program reads a line with a board and prints a line with a move. If a program answers with an illegal move,
    exceeds the time limit or exits, it is treated as resigning on this board. The first answer may take an extra 10 s,
    so that the program has time to start.
    """
    from menace.analysis.exam import Exam
    from menace.learners.opponents.programs import Program

    if player is not None and program is not None:
        raise click.UsageError("--player and --command cannot be used together; give one of them")
    if (form is not None or time_limit is not None) and player is None and program is None:
        raise click.UsageError("--json, --csv and --time-limit need a function (--player) or a program (--command)")
    command = None if program is None else _words_of(program)
    taken = Exam(options.parse_side(plays), game, variant, path=answers, **settings)
    tell: Callable[[str], None] = say if form is None else lambda _: None
    if taken.answers:
        tell(f"{answers} contains {counted(len(taken.answers), 'answer')}; the exam continues")
    if player is None and program is None:
        _ask_person(taken)
    else:
        own = [sys.executable, "-m", "menace.learners.opponents.programs", player or "", game]
        with Program(command or [*own, taken.positions.game.variant], time_limit) as asked:
            _ask_program(taken, asked, tell)
    if form is not None:
        print_records(taken.table(), form)
    else:
        say(_result_text(taken, answers))


def _words_of(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"--command {command!r} cannot be read ({error})") from None
    if not words:
        raise click.UsageError("--command is empty; name a program")
    return words


def _ask_person(taken: Exam) -> None:
    """Ask a person about boards until the exam is over or the person quits."""
    rules = taken.positions.game
    example = f"type {move_example(rules)}"

    def undo() -> None:
        raise IllegalMove("answers are kept as they are given")

    say(f"each question is a board on which you play {taken.plays}; {example}, or quit")
    while (board := taken.question()) is not None:
        say(f"\nquestion {len(taken.answers) + 1}\n\n{board_drawing(rules, board)}\n")
        if not ask_for_move(f"your move ({taken.plays})", {"": lambda: example}, undo, partial(taken.answer, board)):
            break
        bounds = taken.bounds()
        say(
            f"you lose {bounds['random', 'loss'].in_percent} of games {OPPONENTS['random']}, and your value"
            f" {OPPONENTS['best_response']} is {bounds['best_response', 'value'].in_numbers}"
        )


def _ask_program(taken: Exam, program: Program, tell: Callable[[str], None]) -> None:
    """Ask a program about boards until the exam is over, and report each result as soon as the answers determine it."""
    from menace.learners.opponents.programs import NoAnswer

    open_results = {name for name, bounds in taken.bounds().items() if not bounds.closed}
    while (board := taken.question()) is not None:
        try:
            choice = program.ask(board)
        except NoAnswer as error:
            taken.resign(board, str(error))
        else:
            try:
                taken.answer(board, choice)
            except (IllegalMove, InvalidPlayer):
                taken.resign(board, f"illegal: {str(choice)[:LONGEST_ANSWER] or 'an empty line'}")
        for (opponent, quantity), bounds in taken.bounds().items():
            if bounds.closed and (opponent, quantity) in open_results:
                open_results.remove((opponent, quantity))
                text = bounds.in_numbers if quantity == "value" else bounds.in_percent
                tell(f"after {counted(len(taken.answers), 'answer')}: {quantity} {OPPONENTS[opponent]} {text}")


def _result_text(taken: Exam, answers: str | None) -> str:
    """Return the grade or its bounds as text, followed by notes. For an unfinished exam, explain how to continue."""
    is_graded = taken.decided and not taken.losses_only
    parts = [table_text(taken.in_words())] if not is_graded or taken.repeats > 1 else []
    parts += [str(taken.grade())] if is_graded else []
    parts += taken.notes
    if not taken.decided:
        parts.append(
            f"the exam is not over; the answers are stored in {answers}, and the same command continues the exam"
            if answers
            else "the exam is not over, and the answers were not saved; next time, save them with `--answers FILE`"
        )
    return "\n".join(["", "\n\n".join(parts)])


@options.command(
    "menace grade submissions/*.py",
    "menace grade submissions/*.py --league --html report/",
    "menace grade ./anna.py:best_move --plays X --symmetric",
    "menace grade submissions/*.py --game hexapawn --with helper.py --csv",
    short_help="Compute exact grades for other people's Python files, in processes with limited resources.",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.files)
@click.option("--plays", default="both", show_default=True, metavar="X|O|both", help="The sides to grade.")
@click.option("--function", metavar="NAME", help="The function to grade.  [default: move, or the only public function]")
@options.game_options("The game.")
@click.option(
    "--symmetric",
    is_flag=True,
    help="Ask about only one of several mirrored or rotated boards, assuming that the files treat these boards alike.",
)
@click.option("--league", is_flag=True, help="Also compute the exact results of every file against every other file.")
@click.option("--html", metavar="FOLDER", shell_complete=completion.files, help="Write a report with boards to FOLDER.")
@click.option(
    "--with", "extra", multiple=True, metavar="FILE", shell_complete=completion.files, help="Copy FILE to each folder."
)
@click.option(
    "--time-limit",
    "seconds",
    type=options.Seconds(),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one move; all moves of one side together may take ten times as long.",
)
@click.option(
    "--memory", type=click.IntRange(50), default=1024, show_default=True, metavar="MB", help="Memory of each process."
)
@options.form_options(**options.PAPER_FORMS)
def grade(
    files: tuple[str, ...],
    plays: str,
    game: str,
    variant: str | None,
    league: bool,
    html: str | None,
    form: TableForm | None,
    **settings: Any,
) -> None:
    """Print exact grades for the players in other people's Python files, with one row for each file and side.

    FILE is a Python file, such as anna.py, or a file and a function, such as anna.py:best_move. Without a function, the
    command grades the function `move`, or the only function of the file whose name does not start with _. The function
    takes a board, or a board and the names of its legal moves, and returns the name of a move.

    Each file runs in its own processes, in an empty folder, with limits on time, memory, files and processes. If a file
    fails, its row contains the reason. The limits do not stop a malicious author; docs/grading.md shows how to run the
    command in a container.
    """
    from menace.analysis.submissions import grade_submissions
    from menace.ledger.create_and_open import positions_within

    sides = list(Side) if plays.lower() == "both" else [options.parse_side(plays)]
    if league and len(sides) == 1:
        raise click.UsageError("--league needs both sides; leave out --plays")
    positions = positions_within(get_game(game, variant))
    with progress_bar(len(files), counted(len(files), "file")) as progress:
        graded = grade_submissions(files, sides, positions, league=league, done=lambda: progress.update(1), **settings)
    if html is not None:
        from menace.analysis.submissions import write_report

        write_report(html, graded)
    print_report(graded, form)
