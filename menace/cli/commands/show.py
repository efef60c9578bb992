"""Define the read-only commands show, query and runs, and format positions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options, terminal
from menace.files.tables import Table
from menace.text.narration import ended
from menace.text.wording import VALUES, Form, counted, percent, turned

if TYPE_CHECKING:
    from menace.analysis.position import PositionView
    from menace.ledger.store import Store


BAR_COLUMN, MIN_BAR = 5, 6  # the index of the column with bars, and the minimum length of a bar in characters
UNLIMITED = 10_000  # line length in characters if the output has no limit


def position_text(view: PositionView) -> str:
    r"""Describe a position and its moves as text.

    >>> from menace.analysis.position import show
    >>> print(*position_text(show(store, "X...O....")).splitlines()[6:8], sep="\n")
    position 6: X...O...., ply 2, stands for 4 boards
    X to move; under perfect play a draw, 7 plies to the end
    """
    lines = [view.drawing, "", *_facts(view)]
    if view.outcome is not None:
        return "\n".join(lines)
    if view.learner is not None:
        lines += ["", _box_title(view)]
    lines += ["", moves_table(view)]
    if view.box is not None and view.box.full:
        lines += ["", terminal.full_piles_warning(view.box.full, f"{view.learner}'s box")]
    return "\n".join(lines)


def _facts(view: PositionView) -> list[str]:
    boards = f"stands for {counted(view.images, 'board')}"
    turning = "" if view.turning is None else f" ({turned(view.turning)})"
    facts = [f"position {view.position_id}: {view.canonical}{turning}", f"ply {view.ply}", boards]
    if view.outcome is not None:
        return [", ".join([*facts, f"over: {ended(view.outcome)}"])]
    plies = f"{view.plies_to_end} {'ply' if view.plies_to_end == 1 else 'plies'} to the end"
    return [", ".join(facts), f"{view.to_move} to move; under perfect play {VALUES[view.minimax]}, {plies}"]


def _box_title(view: PositionView) -> str:
    if view.box is None:
        reason = f"it plays a random {view.kind}" if view.plays == view.to_move else f"it plays {view.plays}"
        return f"{view.learner} has no box for this position: {reason}"
    box = view.box
    if not box.has_beads:
        return f"what {view.learner} has learned" + (f"; {box.about}" if box.about else "")
    held = counted(box.beads, "bead") if box.beads else "empty"
    return f"{view.learner}'s box {box.number} (stage {box.stage}): {held}"


def moves_table(view: PositionView) -> str:
    """Return a table of the moves in a position, with their results under perfect play and a learner's beads or values.

    Equivalent moves share a row. The column `leads to` shows the board after the first move in the row.

    >>> from menace.analysis.position import show
    >>> print(moves_table(show(store, "X........")))
    cell  for O             leads to
    1 3   loses, a mistake  XO.......
    2 6   loses, a mistake  X.O......
    4     draws             X...O....
    5 7   loses, a mistake  X....O...
    8     loses, a mistake  X.......O
    """
    header = [view.kind, f"for {view.to_move}", "leads to"]
    rows: list[list[Any]] = []
    for move in view.moves:
        verdict = move.verdict + ("" if move.optimal else ", a mistake")
        rows.append([move.text, verdict, move.next_board])
        if view.box is not None:
            share = move.share or 0.0
            rows[-1] += [move.amount, percent(share), share, move.count]
    if view.box is None:
        return terminal.table(header, rows)
    header += [view.box.unit, *(("share", "", "picked") if view.box.has_beads else ("plays it", "", "learned"))]
    room = _bar_length(header, rows)
    return terminal.table(header, [[*row[:BAR_COLUMN], terminal.bar(row[BAR_COLUMN], room), row[-1]] for row in rows])


def _bar_length(header: list[str], rows: list[list[Any]]) -> int:
    """Return the maximum length of bars that leaves room for the other columns, but at least MIN_BAR."""
    beside = terminal.table(header, [[*row[:BAR_COLUMN], "", row[-1]] for row in rows], UNLIMITED)
    left = (terminal.line_limit() or UNLIMITED) - max(map(len, beside.splitlines()))
    return min(terminal.bar_length(terminal.MAX_BAR), max(left, MIN_BAR))


# In the results of named queries, these columns contain only zeros if the game has no draws.
DRAW_COLUMNS = ("draw", "draws", "drawn", "share_drawn", "neither")


@options.command(
    "menace show .........",
    "menace show X...O.... --learner menace-x",
    "menace show 57 --learner menace-x",
    "menace show 'x.. .o. ...'",
    short_help="Show a position, its moves and a machine's box.",
)
@click.argument("board")
@click.option("--learner", metavar="NAME", shell_complete=completion.learners, help="Also show this machine's box.")
@options.with_database
def show(store: Store, board: str, learner: str | None) -> None:
    """Show the position on BOARD and its moves; with --learner, also show the contents of that machine's box.

    BOARD is written as in `menace rules GAME`. For tic-tac-toe, BOARD consists of nine characters, row by row: X, O, or
    . for an empty cell. The board may be rotated or mirrored. With --learner, BOARD can also be the number on the label
    of a box.
    """
    from menace.analysis.position import show as show_position

    terminal.say(position_text(show_position(store, board, learner)))


@options.command(
    "menace query",
    "menace query openings",
    "menace query 'SELECT board, images FROM position WHERE ply = 2' --csv",
    short_help="Run a named query or an SQL statement.",
)
@click.argument("question", metavar="[NAME | SQL]", required=False, shell_complete=completion.questions)
@options.form_options()
@click.option("--timeout", type=float, default=10.0, show_default=True, metavar="SECONDS", help="Time limit.")
@options.database_option
def query(question: str | None, form: Form | None, timeout: float, db: str) -> None:
    """Run a named query or a read-only SQL statement; without an argument, list the named queries.

    If the game has no draws, the table omits the columns about draws, but JSON and CSV contain them.
    """
    from menace.ledger.queries import is_sql, named_queries, query as ask
    from menace.ledger.store import limit_memory

    if question is None:
        answer, draws = Table(["name", "question"], [(named.name, named.title) for named in named_queries()]), True
    else:
        limit_memory()
        with options.open_existing(db) as store:
            answer, draws = ask(store, question, timeout), is_sql(question) or store.has_draws()
    if form is not None:
        terminal.print_records(answer, form)
        return
    kept = [column for column, name in enumerate(answer.columns) if draws or name not in DRAW_COLUMNS]
    rows = [[row[column] for column in kept] for row in answer.rows]
    terminal.say(terminal.table([answer.columns[column] for column in kept], rows) if rows else "no rows")


@options.command("menace runs", "menace runs --json", short_help="List the runs.")
@options.form_options()
@options.with_database
def runs(store: Store, form: Form | None) -> None:
    """List the runs, and show which were interrupted and which are still in progress."""
    from menace.analysis.listings import list_runs

    none = "there are no runs yet; `menace selfplay` or `menace train` starts one"
    terminal.print_report(list_runs(store), form, none)
