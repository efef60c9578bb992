"""Write the grades of submissions as a folder of HTML pages."""

from __future__ import annotations

import html
import os
import re
from itertools import groupby

from menace.analysis.grades import Grade
from menace.analysis.submissions import Submission, Submissions
from menace.drawing.boards import board_svg
from menace.files.output import write_folder
from menace.files.tables import html_table, number_text
from menace.text.wording import percent

PAGES = "submission-*.html"
STYLE = (
    "body { font: 16px/1.5 sans-serif; margin: 1em auto; max-width: 70em; padding: 0 1em }"
    " table { border-collapse: collapse; display: block; overflow-x: auto } caption { text-align: left }"
    " td, th { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left; vertical-align: top }"
    " td:nth-child(n + 7):last-child { min-width: 20em }"
    " figure { display: inline-block; margin: 0.5em 1em 0.5em 0; max-width: 16em; vertical-align: top }"
)


def write_report(folder: str | os.PathLike[str], submissions: Submissions) -> None:
    """Write to a folder an index with a table of all submissions, and a page for each file.

    Raises:
        OutputError: if the folder contains other files, or cannot be written.
    """
    pages, links = {}, {}
    for number, (name, rows) in enumerate(groupby(submissions, key=lambda each: each.name), 1):
        links[name] = f"submission-{number:04}-{re.sub(r'[^A-Za-z0-9]+', '-', name)[:40]}.html"
        pages[links[name]] = _page(name, f'<p><a href="index.html">All submissions</a></p>{"".join(map(_side, rows))}')
    words = submissions.in_words()
    cells = [[number_text(cell) if isinstance(cell, float) else cell for cell in row] for row in words.rows]
    table = html_table(words.columns, cells, words.title)
    listed = "".join(f'<li><a href="{page}">{html.escape(name)}</a></li>' for name, page in links.items())
    pages["index.html"] = _page("Submissions", f"{table}<h2>Boards and mistakes</h2><ul>{listed}</ul>")
    write_folder(folder, pages, lambda path: [file.name for file in path.glob(PAGES)])


def _page(title: str, body: str) -> bytes:
    title = html.escape(title)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>{body}</body></html>\n"
    ).encode(errors="replace")


def _side(submission: Submission) -> str:
    """Return the notes and the grade for one side of a submission, and a line of play that beats this side."""
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in submission.notes)
    grade = submission.grade
    if grade is None:
        return f"<h2>As {submission.plays}</h2>{notes}"
    against = sorted(submission.against.items(), key=lambda result: result[1])
    values = [(name, number_text(value)) for name, value in against]
    league = html_table(["opponent", "value"], values, "League, from -1 (a loss) to 1 (a win)") if values else ""
    return f"<h2>As {submission.plays}</h2>{notes}{grade._repr_html_()}{_line(grade)}{league}"


def _line(grade: Grade) -> str:
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
