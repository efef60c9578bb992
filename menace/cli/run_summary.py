"""Print the summary of a run: outcomes over time, the first box, exact strength, and commands to try next."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise

from menace.analysis.learning_curves import steps_of
from menace.analysis.position import show
from menace.arena.run_schedule import MAX_STEP, ONE_TWO_FIVE, Marks
from menace.cli import terminal
from menace.games.base import Board, Side
from menace.kernel import loop as kernel
from menace.learners import registry, settings
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import BlockRow, Run, Store
from menace.ledger.training import ruined_text
from menace.text.wording import OUTCOMES, command_text, counted, ends_of, percent

MIN_LINE = 20  # minimum length of a line of block characters; a run of a million games has fewer marks than this
POWERS = range(14)  # powers of ten; every run has fewer than 10^14 games
# Each column ends at a number from one of these series. Each series has a description; the finest series comes first.
SERIES: list[tuple[str, list[int]]] = [
    ("1, 2, 5, 10, ...", [step * 10**power for power in POWERS for step in (1, 2, 5)]),
    ("1, 10, 100, ...", [10**power for power in POWERS]),
]


def pool_steps(ends: Sequence[int], room: int, marks: Marks = ONE_TWO_FIVE) -> tuple[list[int], str]:
    """Group the steps of a run into the columns of a line of block characters.

    Args:
        ends: the number of games up to the end of each step, ascending.
        room: the maximum number of columns; one column per power of ten is the minimum.
        marks: the marks of the run.

    Returns:
        The index of the last step in each column, and a description of where the columns end.

    >>> pool_steps([1, 2, 5, 10, 20], 5), pool_steps([1, 2, 5, 10, 20], 4)
    (([0, 1, 2, 3, 4], '1, 2, 5, 10, ...'), ([0, 3, 4], '1, 10, 100, ...'))
    """
    own = marks != ONE_TWO_FIVE
    if len(ends) <= room:
        words = SERIES[0][0] if ends[-1] <= 2 * MAX_STEP else "1, 2, 5, ..., each million"
        return list(range(len(ends))), "its marks" if own else words
    pools = [(_last_step_of_each(ends, last), f"about {words}" if own else words) for words, last in SERIES]
    return next((pair for pair in pools if len(pair[0]) <= room), pools[-1])


def _last_step_of_each(ends: Sequence[int], marks: Sequence[int]) -> list[int]:
    """Return the index of the last step that ends at or before each mark."""
    column_of = [bisect_left(marks, end) for end in ends]
    return [index for index, (column, following) in enumerate(pairwise([*column_of, -1])) if column != following]


def share_blocks(ends: Sequence[int], counts: Sequence[float], room: int) -> str:
    """Return a line of block characters that shows, for each column, the share of games that were counted.

    Args:
        ends: the number of games up to the end of each step, ascending.
        counts: the number of counted games in each step.
        room: the maximum number of columns.

    >>> share_blocks([10, 20, 30, 40], [1, 4, 7, 10], room=20)
    '▁▄▆█'
    """
    last, _words = pool_steps(ends, room)
    shares = []
    for before, end in pairwise([-1, *last]):
        games = ends[end] - (ends[before] if before >= 0 else 0)
        shares.append(sum(counts[before + 1 : end + 1]) / games)
    return terminal.sparkline(shares)


def value_blocks(ends: Sequence[int], values: Sequence[float], room: int) -> str:
    """Return a line of block characters that shows the value, from 0 to 1, at the end of each column.

    Args:
        ends: the number of games up to each value, ascending.
        values: the values.
        room: the maximum number of columns.

    >>> value_blocks([1, 2, 5, 10], [0.1, 0.4, 0.6, 0.9], room=20)
    '▁▄▅█'
    """
    return terminal.sparkline([values[index] for index in pool_steps(ends, room)[0]])


def fit_line(before: str, line: Callable[[int], str], after: str) -> str:
    """Put a line of blocks between two texts. The line fits the terminal, but its length is at least MIN_LINE.

    Args:
        before: the text on the left.
        line: returns a line of blocks of at most the given length.
        after: the text on the right.

    >>> fit_line("games lost ", lambda room: str(room), " of 80")
    'games lost 63 of 80'
    """
    return f"{before}{line(max(terminal.output_width() - len(before) - len(after), MIN_LINE))}{after}"


def summary(store: Store, run: Run, games: int, seconds: float) -> str:
    """Return the summary of a finished run.

    Args:
        store: the database.
        run: the run.
        games: the number of games that this process played.
        seconds: the time in seconds that these games took.
    """
    rows = {learner_id: store.learner_by_id(learner_id) for learner_id in run.learner_ids}
    names = [rows[learner_id].name for learner_id in run.taught]
    x, o = run.names(rows)
    kind = "compiled" if kernel.COMPILED else "uncompiled"
    parts = [
        f"run {run.run_id}: {x} (X) against {o} (O), {_games_text(run)}, seed {run.seed}",
        *_stopped_text(store, run),
        *_outcomes_text(store.blocks(run.run_id), positions_of(store).has_draws, run.options.marks),
        *_first_box_text(store, names[:1]),
        _strength_text(store, names),
        *_full_piles_text(store, names),
        (
            f"{counted(games, 'game')} in {seconds:.2f} s: {counted(round(games / seconds), 'game')} a second"
            f" ({kind} kernel)"
        ),
        _suggested_commands_text(store, names),
    ]
    return "\n\n".join(parts)


def _games_text(run: Run) -> str:
    of_all = f"{run.games_played:,} of " if run.games_played < run.games_wanted else ""
    return f"{of_all}{counted(run.games_wanted, 'game')}"


def _stopped_text(store: Store, run: Run) -> Iterator[str]:
    if run.run_id in store.stopped_runs():
        yield f"the run stopped early: {ruined_text(store, run)} (--go-on counts the remaining games as lost)"


def _outcomes_text(blocks: list[BlockRow], draws: bool, marks: Marks = ONE_TWO_FIVE) -> Iterator[str]:
    """Yield a description of the outcomes over time if there were any games."""
    steps = [step.counts for step in steps_of(blocks, marks)]
    if not steps:
        return
    ends = list(accumulate(map(sum, steps)))
    starts = [f"  {name:10}  " for name in OUTCOMES]
    room = terminal.output_width() - len(starts[0]) - len(_shares_text(1, 1, ends[-1]))
    last, words = pool_steps(ends, room, marks)
    final = steps[last[-2] + 1 :] if last[1:] else steps
    lines = [f"outcomes      {counted(ends[-1], 'game')}, in columns up to {words}"]
    for i, start in ends_of(list(enumerate(starts)), draws):
        counts = [step[i] for step in steps]
        shares = (sum(counts) / ends[-1], sum(counts[-len(final) :]) / sum(map(sum, final)))
        lines.append(start + share_blocks(ends, counts, room) + _shares_text(*shares, sum(map(sum, final))))
    yield "\n".join(lines)


def _shares_text(overall: float, last: float, games: int) -> str:
    return f"  {percent(overall)} of all, {percent(last)} of the last {games:,}"


def _first_board(store: Store, name: str) -> Board:
    """Return the first board on which a learner moves: the initial board, or the board after X's first listed move."""
    board = rules_of(store).game.initial
    moves = show(store, board).moves
    return board if store.learner(name).plays is Side.X or not moves else show(store, moves[0].next_board).canonical


def _first_box_text(store: Store, names: list[str]) -> Iterator[str]:
    """Yield a description of each learner's box for its first move."""
    for name in names:
        board = _first_board(store, name)
        view = show(store, board, name)
        box = view.box
        if box is None:
            continue
        shares = [move.share or 0.0 for move in view.moves]
        length = terminal.bar_length(terminal.MAX_BAR)
        rows = [
            [move.text, move.verdict, move.amount, percent(share), terminal.bar(share, length)]
            for move, share in zip(view.moves, shares, strict=True)
        ]
        empty = ": empty" if box.has_beads and not box.beads else ""
        title = f"the box of {name} for" if box.has_beads else f"what {name} has learned for"
        header = [f"{view.kind}s", "", box.unit, "share", ""]
        yield f"{title} {board}{empty}\n" + _indented(header, rows)


def _strength_text(store: Store, names: list[str]) -> str:
    # every run ends with an evaluation
    measured = ((name, store.latest_evaluation(store.learner(name).learner_id, "behaviour")) for name in names)
    return "exact strength\n" + _indented(*terminal.strength_table("learner", measured, store.has_draws()))


def _full_piles_text(store: Store, names: list[str]) -> Iterator[str]:
    """If any piles are full, yield one message that warns about every learner with full piles."""
    lines = []
    for learner in map(store.learner, names):
        algorithm = registry.LEARNERS[learner.algorithm]
        if algorithm.has_beads:
            rows = store.learned_rows(algorithm.stored_as, learner.learner_id)
            piles = sum(beads == settings.MAX_BEADS for *_, beads, _ in rows)
            lines += [terminal.full_piles_warning(piles, learner.name)] if piles else []
    if lines:
        yield "\n".join(lines)


def _suggested_commands_text(store: Store, names: list[str]) -> str:
    commands = [
        command_text("show", _first_board(store, names[0]), db=store.path, learner=names[0]),
        command_text("strength", names[0], db=store.path),
        command_text("query", "favourite-loses", db=store.path),
    ]
    room = terminal.line_limit()
    lines = (f"  {command}" for command in commands)
    return "\n".join(["try next:", *(lines if room is None else (terminal.wrap_command(line, room) for line in lines))])


def _indented(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    room = terminal.line_limit()
    text = terminal.table(header, rows, None if room is None else room - 2)
    return "\n".join(f"  {line}" for line in text.splitlines())
