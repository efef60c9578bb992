"""The clauses that describe games: each is used, none is missing, and scripts fill them as Python does."""

from __future__ import annotations

import re
from pathlib import Path

from test_site_learner import drawn_by_scripts

import menace
from menace.site.words import ENGLISH
from menace.text.narration import clauses, opening, tables, told
from menace.text.wording import OPPONENTS

PACKAGE = Path(menace.__file__).parent
SOURCES = [path.read_text("utf-8") for kind in ("py", "js", "html") for path in sorted(PACKAGE.rglob(f"*.{kind}"))]
# How names begin that site/words.py and its templates put together.
COMPOSED = ("against_", "by_", "worth", "cell_", "arrow_", "pair_", "piece_", "player_")
# Likewise of those that templates and scripts put together.
NAMED = r"(to|colour|part|verdict|kind|unit|on_cell|step)_\w+|\w+_(one|other)"
ASKED = re.compile(r"""(?<!def )\b(?:told|opening|paragraph)\(\s*"(\w+)"(?! ~)""")


def test_every_clause_is_used_somewhere_and_none_is_missing() -> None:
    for clause in ENGLISH.clauses:
        assert (
            any(f'"{clause}"' in source or f"'{clause}'" in source for source in SOURCES)
            or clause.startswith(COMPOSED)
            or re.fullmatch(NAMED, clause)
        ), clause
    used = {clause for source in SOURCES for clause in ASKED.findall(source)}
    assert len(used) > 30
    assert used <= {*ENGLISH.clauses}
    assert {*clauses()} & {*tables()["site"]} == set()


def test_strength_is_put_in_the_same_words_by_pages_and_commands() -> None:
    assert {who: told(f"against_{who}") for who in OPPONENTS} == OPPONENTS


def test_scripts_fill_clauses_as_python_does() -> None:
    parts = {part: f"{part} & {{name}}" for clause in clauses().values() for part in re.findall(r"\{(\w+)\}", clause)}
    assert set("".join(clauses().values())) & set("<>&") == set()  # a page may take a clause as HTML
    drawn = drawn_by_scripts(
        "data.clauses.map(clause => [menace.phrase(clause, data.parts), menace.opening(clause, data.parts)])",
        {"clauses": [*clauses()], "parts": parts},
    )
    assert drawn == [[told(clause, **parts), opening(clause, **parts)] for clause in clauses()]
