"""Grade many submissions (Python files written by strangers), and let them play against each other."""

from __future__ import annotations

import html
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from menace.analysis.grades import Grade
from menace.arena.exact_strength import outcomes_of_pairs
from menace.drawing.boards import board_svg
from menace.errors import InvalidPlayer
from menace.files.output import write_folder
from menace.files.tables import Table, Tabular, html_table, number_text
from menace.games.base import Side
from menace.games.enumeration import without_symmetry
from menace.games.plugins import NAMED
from menace.games.positions import Positions
from menace.learners.opponents.sandbox import Answer, Sandbox, printable
from menace.learners.policy import Policy
from menace.text.wording import OPPONENTS, RESULTS, counted, ends_of, percent

MATRIX = 8  # maximum number of submissions in a league for which the human-readable table shows every result


@dataclass(frozen=True, eq=False)
class Submission:
    """One side of a submission.

    Attributes:
        name: the name of the submission's file without `.py`, or the path as it was given if several files have this
            name.
        plays: the side.
        grade: the grade, or None if the submission could not be graded.
        notes: phrases that say what went wrong and what is unusual.
        illegal: the number of boards on which the submission did not return a legal move and therefore loses.
        league: the mean value against all other submissions, or None if there is no league.
        against: the value against each submission that plays the other side, by name. Empty if there is no league.
    """

    name: str
    plays: Side
    grade: Grade | None = None
    notes: tuple[str, ...] = ()
    illegal: int = 0
    league: float | None = None
    against: dict[str, float] = field(default_factory=dict)


class Submissions(list[Submission], Tabular):
    """The grades of submissions, with a row for each file and side."""

    __repr__ = Tabular.__repr__

    def table(self) -> Table:
        """Return all numbers of every grade and, for a league, the value against each submission."""
        grades = [submission.grade.table() if submission.grade else None for submission in self]
        columns = next((list(grade.columns[2:]) for grade in grades if grade), [])
        names = list(dict.fromkeys(name for submission in self for name in submission.against))
        league = ["league", *(f"against {name}" for name in names)] if names else []
        rows = [
            (
                *(each.name, each.plays, "; ".join(each.notes) or None, each.illegal),
                *(grade.rows[0][2:] if grade else [None] * len(columns)),
                *([each.league, *map(each.against.get, names)] if names else []),
            )
            for each, grade in zip(self, grades, strict=True)
        ]
        return Table(("name", "plays", "note", "illegal", *columns, *league), rows)

    def in_words(self) -> Table:
        """Return the most important numbers, including the results of each pair in a small league."""
        draws = any(each.grade.draws for each in self if each.grade)
        names = list(dict.fromkeys(name for each in self for name in each.against))
        shown, has_notes = names if len(names) <= MATRIX else [], any(each.notes for each in self)
        rows = []
        for each in self:
            cells: list[object] = [None] * (len(OPPONENTS) + 1)
            if each.grade:
                shares = [ends_of(strength, draws) for strength in each.grade.against.values()]
                cells = ["/".join(percent(share).strip().rstrip("%") for share in ends) for ends in shares]
                cells.append(each.grade.erring)
            league = [each.league, *map(each.against.get, shown)] if names else []
            rows.append((each.name, each.plays, *cells, *league, *["; ".join(each.notes)] * has_notes))
        opponents = [words.removeprefix("against ").removeprefix("the ") for words in OPPONENTS.values()]
        more = [*(["league", *shown] if names else []), *["note"] * has_notes]
        title = f"{' / '.join(ends_of(RESULTS, draws))} in percent against three opponents"
        return Table(("submission", "as", *opponents, "errs on", *more), rows, title)


def grade_submissions(
    files: Sequence[str],
    plays: Sequence[Side],
    positions: Positions,
    *,
    symmetric: bool = False,
    function: str | None = None,
    seconds: float = 10,
    memory: int = 1024,
    extra: Sequence[str] = (),
    league: bool = False,
    done: Callable[[], object] = lambda: None,
) -> Submissions:
    """Run each file in separate processes with limits, and return the grade of each side.

    To detect submissions that change their answers, each question is asked twice, in two processes and in opposite
    orders.

    Args:
        files: the files, each with or without a function, as in `anna.py` or `anna.py:best_move`.
        plays: the sides.
        positions: the game.
        symmetric: whether to assume that all submissions treat mirrored and rotated boards alike.
        function: the name of the function, or None for `move` or the only public function.
        seconds: the time limit for one move; all moves of a side may take ten times as long.
        memory: the memory limit in megabytes.
        extra: files to copy into the folder of each submission.
        league: whether to let all submissions play against each other.
        done: a function that is called after each file.

    Raises:
        InvalidPlayer: if a file does not exist.
    """
    game = positions if symmetric else without_symmetry(positions)
    named: dict[str, tuple[Path, str | None]] = {}
    for text in files:
        match = NAMED.fullmatch(text)
        named[text] = (Path(match[1]), match[2]) if match else (Path(text), function)
    for path in [*(path for path, _ in named.values()), *map(Path, extra)]:
        if not path.is_file():
            raise InvalidPlayer(f"there is no file {path}; give Python files, as in `menace grade submissions/*.py`")
    stems = [printable(path.stem) for path, _ in named.values()]
    names = [printable(text) if stems.count(stem) > 1 else stem for text, stem in zip(named, stems, strict=True)]
    copied, stop = tuple(map(Path, extra)), threading.Event()

    def rows_of(name: str, path: Path, chosen: str | None) -> list[Submission]:
        boxes = [Sandbox(path, chosen, seconds, memory, copied, stop) for _ in range(2)]
        with boxes[0], boxes[1]:
            rows = [_row(name, side, game, symmetric, *boxes) for side in plays]
        printed, notes = boxes[0].printed, list[str]()  # these values are complete only after the processes have ended
        if printed:
            notes.append(f"prints {counted(printed, 'byte')}, which are discarded")
        if os.name != "posix":
            notes.append("time is its only limit on this system")
        return [replace(row, notes=(*row.notes, *notes)) for row in rows]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            jobs = [pool.submit(rows_of, name, *file) for name, file in zip(names, named.values(), strict=True)]
            for _ in as_completed(jobs):
                done()
        except BaseException:  # Ctrl-C ends all submissions
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    rows = [row for job in jobs for row in job.result()]
    return Submissions(_with_league(rows) if league else rows)


def _row(name: str, side: Side, game: Positions, symmetric: bool, first: Sandbox, second: Sandbox) -> Submission:
    """Ask a submission for one side's moves, and return its grade, or the reason why it cannot be graded."""
    try:
        first.start_clock()
        first.ask([])  # load the file first, so that the time per move does not include loading
        start = time.perf_counter()
        answers, policy = _ask_reachable(name, first, game, side)
        seconds = (time.perf_counter() - start) / len(answers)
        second.start_clock()
        asked = list(reversed(answers))
        again = dict(zip(asked, _ask(second, game, asked), strict=True))
    except InvalidPlayer as error:
        return Submission(name, side, notes=(str(error),))
    illegal = [position for position, answer in answers.items() if isinstance(answer, str)]
    changed = [
        position
        for position, answer in answers.items()  # two errors count as equal
        if answer != again[position] and isinstance(answer, dict) | isinstance(again[position], dict)
    ]
    if changed:
        then = " and ".join(_answer_text(table[changed[0]]) for table in (answers, again))
        boards = f"{len(changed):,} of {counted(len(answers), 'board')}"
        note = f"gives different answers on {boards}, for example {then} at {game.boards[changed[0]]}"
        return Submission(name, side, notes=(note,))
    notes: tuple[str, ...] = ()
    if illegal:
        example, boards = illegal[0], f"{len(illegal):,} of {counted(len(answers), 'board')}"
        notes = (f"no legal move on {boards}, where it loses: {answers[example]} at {game.boards[example]}",)
    return Submission(name, side, Grade(policy, symmetric, tuple(answers), seconds), notes, len(illegal))


def _ask_reachable(name: str, sandbox: Sandbox, game: Positions, side: Side) -> tuple[dict[int, Answer], Policy]:
    """Ask a submission ply by ply about all positions that its own moves can reach, and return its policy and answers.

    The policy resigns on boards for which an answer is not legal.
    """
    weights, resigns, answers = game.multiplicity.astype(np.float64), np.zeros(len(game)), dict[int, Answer]()
    reached = np.arange(len(game)) == 0
    for mover, (here, moves) in zip(game.movers, game.plies, strict=True):
        if mover == side.number:
            asked = (np.flatnonzero(reached[here] & (game.to_move[here] == mover)) + here.start).tolist()
            for position, answer in zip(asked, _ask(sandbox, game, asked), strict=True):
                answers[position] = answer
                own = game.moves_of(position)
                weights[own.start : own.stop] *= isinstance(answer, str)
                resigns[position] = isinstance(answer, str)
                for move, weight in answer.items() if isinstance(answer, dict) else ():
                    weights[game.moves_by_name(position)[move]] += weight
        before = game.position_of_move[moves]
        reached[game.next_position[moves][reached[before] & (resigns[before] == 0) & (weights[moves] > 0)]] = True
    return answers, Policy(game, side.number, ((1.0, weights),), resigns, name)


def _ask(sandbox: Sandbox, game: Positions, asked: list[int]) -> list[Answer]:
    return sandbox.ask([(game.boards[position], list(game.moves_by_name(position))) for position in asked])


def _answer_text(answer: Answer) -> str:
    if isinstance(answer, str):
        return answer
    return " ".join(f"{move}" if len(answer) == 1 else f"{move}: {weight:g}" for move, weight in answer.items())


def _with_league(rows: Sequence[Submission]) -> list[Submission]:
    """Return copies of the submissions that include their values against each other."""
    against: dict[Submission, dict[str, float]] = {row: {} for row in rows}
    xs, os_ = ([row for row in rows if row.grade and row.plays is side] for side in Side)
    results = outcomes_of_pairs(*([row.grade.player for row in side if row.grade] for side in (xs, os_))) if xs else []
    for (x, o), result in zip(itertools.product(xs, os_), itertools.chain.from_iterable(results), strict=True):
        against[x][o.name] = result.x_wins - result.o_wins
        against[o][x.name] = result.o_wins - result.x_wins
    others = {row: [value for name, value in against[row].items() if name != row.name] for row in rows}
    return [
        replace(row, league=sum(others[row]) / len(others[row]) if others[row] else None, against=against[row])
        for row in rows
    ]


REPORT_PAGES = "submission-*.html"
REPORT_STYLE = (
    "body { font: 16px/1.5 sans-serif; margin: 1em auto; max-width: 70em; padding: 0 1em }"
    " table { border-collapse: collapse; display: block; overflow-x: auto } caption { text-align: left }"
    " td, th { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left; vertical-align: top }"
    " td:nth-child(n + 7):last-child { min-width: 20em }"
    " figure { display: inline-block; margin: 0.5em 1em 0.5em 0; max-width: 16em; vertical-align: top }"
)


def write_report(folder: str | os.PathLike[str], submissions: Submissions) -> None:
    """Write an index with a table of all submissions, and a page for each file, to a folder.

    Raises:
        OutputError: if the folder contains other files, or cannot be written.
    """
    pages, links = {}, {}
    for number, (name, rows) in enumerate(groupby(submissions, key=lambda each: each.name), 1):
        links[name] = f"submission-{number:04}-{re.sub(r'[^A-Za-z0-9]+', '-', name)[:40]}.html"
        pages[links[name]] = _report_page(
            name, f'<p><a href="index.html">All submissions</a></p>{"".join(map(_report_side, rows))}'
        )
    words = submissions.in_words()
    cells = [[number_text(cell) if isinstance(cell, float) else cell for cell in row] for row in words.rows]
    table = html_table(words.columns, cells, words.title)
    listed = "".join(f'<li><a href="{page}">{html.escape(name)}</a></li>' for name, page in links.items())
    pages["index.html"] = _report_page("Submissions", f"{table}<h2>Boards and mistakes</h2><ul>{listed}</ul>")
    write_folder(folder, pages, lambda path: [file.name for file in path.glob(REPORT_PAGES)])


def _report_page(title: str, body: str) -> bytes:
    title = html.escape(title)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{REPORT_STYLE}</style></head>'
        f"<body><h1>{title}</h1>{body}</body></html>\n"
    ).encode(errors="replace")


def _report_side(submission: Submission) -> str:
    """Return the notes and the grade for one side of a submission, and a line of play that beats this side."""
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in submission.notes)
    grade = submission.grade
    if grade is None:
        return f"<h2>As {submission.plays}</h2>{notes}"
    against = sorted(submission.against.items(), key=lambda result: result[1])
    values = [(name, number_text(value)) for name, value in against]
    league = html_table(["opponent", "value"], values, "League, from -1 (a loss) to 1 (a win)") if values else ""
    return f"<h2>As {submission.plays}</h2>{notes}{grade._repr_html_()}{_report_line(grade)}{league}"


def _report_line(grade: Grade) -> str:
    """Return the boards of the most likely line that beats a player."""
    if grade.line is None:
        return ""
    game, figures = grade.player.positions.game, []
    captions = ["the first board", *(f"after {move}" for move in grade.moves)]
    for board, caption in zip(grade.boards, captions, strict=True):
        figures.append(f"<figure>{board_svg(game, board, {})}<figcaption>{html.escape(caption)}</figcaption></figure>")
    end = f" Then {grade.plays} has no legal move and loses." if grade.line.resigns else ""
    likely = percent(grade.line.probability).strip()
    return f"<h3>A line that beats it</h3><p>It plays its moves of this line in {likely} of games.{end}</p>" + "".join(
        figures
    )
