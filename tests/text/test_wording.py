"""Tests of formatted numbers, of wording that must be defined in only one place, and of clauses."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pytest
from scripts_in_node import draw_with_scripts

import menace
from menace.learners.opponents.fixed import FIXED
from menace.site.translation import ENGLISH
from menace.text import wording
from menace.text.narration import clauses, opening, tables, told
from menace.text.wording import OPPONENTS, ORDINALS, counted, ordinal, percent

PACKAGE = Path(menace.__file__).parent
NAMES = (
    tuple(FIXED),
    wording.OPPONENTS,
    wording.OUTCOMES,
    wording.RESULTS,
    wording.MEASURES,
    wording.FIGURE_FORMATS,
    wording.EXPORT_FORMATS,
    wording.PARTS,
)
PHRASES = {
    wording.VALUES[1],
    wording.VALUES[-1],
    *wording.OPPONENTS.values(),
    *wording.MEASURES.values(),
    *wording.EXPORT_FORMATS.values(),
}
WORDS = {  # a sentence may contain these words, but no string may consist of only one of them
    *wording.VALUES.values(),
    *wording.VERDICTS.values(),
    *wording.STAKES.values(),
    *wording.ENDED.values(),
    "has won",
} - set(wording.MEASURES)  # these words are also values of an option

ALLOWED_PLURALS = {  # plurals after a value that is not a number or is always greater than 1
    "{mover} moves",
    "{x} wins",
    "{of} beads",
    "{self.boards} boards",
    "{kit.most_images} boards",  # printed only for numbers greater than 1
    "{len(kit.stages)} boxes",  # printed only for numbers greater than 1
    "{most} games",
    "{most} characters",
    "{limit} positions",
}

MIN_ROUNDED, MAX_ROUNDED = 0.0005, 0.9995  # the smallest and largest shares that are rounded to 0.1%
SHARES = [
    *np.linspace(0, 1, 2001).tolist(),
    *(10.0**-power for power in range(17)),
    *(1 - 10.0**-power for power in range(1, 12)),
]


def test_percent_has_six_characters_and_is_accurate() -> None:
    for share in SHARES:
        text = percent(share)
        assert len(text) == 6
        if "<" in text:
            assert 0 < share < 0.001
        elif ">" in text:
            assert 0.999 < share < 1
        else:
            assert abs(float(text.rstrip("%")) / 100 - share) <= 0.0005 + 1e-15
        assert (text == "  0.0%") == (share == 0)
        assert (text == "100.0%") == (share == 1)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (MIN_ROUNDED, "  0.1%"),
        (math.nextafter(MIN_ROUNDED, 0), " <0.1%"),
        (0.0014, "  0.1%"),
        (5e-324, " <0.1%"),
        (0.0, "  0.0%"),
        (MAX_ROUNDED, ">99.9%"),
        (math.nextafter(MAX_ROUNDED, 0), " 99.9%"),
        (0.9986, " 99.9%"),
        (1 - 1e-11, ">99.9%"),
        (1 - 1e-13, "100.0%"),  # this sum of doubles differs from 1 only by rounding errors
        (math.nextafter(1, 0), "100.0%"),
        (1.0, "100.0%"),
        (math.nextafter(1, 2), "100.0%"),
    ],
)
def test_percent_rounds_at_its_limits(share: float, text: str) -> None:
    assert percent(share) == text


def test_counted_uses_singular_only_for_one() -> None:
    assert counted(0, "game") == "0 games"
    assert counted(1, "box") == "1 box"
    assert counted(-1, "bead") == "-1 beads"
    assert counted(1_234_567, "box") == "1,234,567 boxes"


def test_ordinals_have_correct_suffixes() -> None:
    assert [ordinal(number) for number in range(1, 11)] == list(ORDINALS)
    endings = {1: "st", 2: "nd", 3: "rd"}
    for number in range(11, 1000):
        ending = "th" if number // 10 % 10 == 1 else endings.get(number % 10, "th")
        assert ordinal(number) == f"{number}{ending}"
    assert ordinal(0) == "0th"


def repeated_wording(tree: ast.Module) -> Iterator[str]:
    """Yield the words and lists in a module that are already defined in the module `wording`."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            text = node.value.strip()
            yield from sorted({phrase for phrase in PHRASES if phrase in text} | ({text} & WORDS))
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            items = {str(item.value).strip() for item in node.elts if isinstance(item, ast.Constant)}
            yield from (", ".join(sorted(items & set(names))) for names in NAMES if len(items & set(names)) > 1)


@pytest.mark.parametrize(
    ("code", "again"),
    [
        ('A = "how a game ended: X wins"', ["X wins"]),
        ('A = {"best_response": "against the best response"}', ["against the best response"]),
        ('A = f"over: {who} has won"', ["has won"]),
        ('A = {1: "win", -1: "loses"}', ["loses"]),
        ('def f():\n    "Say who has won."\n    return ["svg"], (1, "losses")', []),
    ],
)
def test_repeated_wording_is_detected(code: str, again: list[str]) -> None:
    assert list(repeated_wording(ast.parse(code))) == again


@pytest.mark.parametrize("names", NAMES, ids=lambda names: next(iter(names)))
def test_repeated_word_lists_are_detected(names: Collection[str]) -> None:
    subset = sorted(names)[:2]
    assert ", ".join(subset) in list(repeated_wording(ast.parse(f"A = {['more', *subset]}")))


def test_no_module_repeats_wording() -> None:
    modules = {
        str(path.relative_to(PACKAGE)): again
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name != "wording.py" and (again := list(repeated_wording(ast.parse(path.read_text("utf-8")))))
    }
    assert modules == {}


def test_site_scripts_do_not_repeat_verdicts() -> None:
    for script in sorted((PACKAGE / "site" / "static").glob("*.js")):
        for word in {*wording.VERDICTS.values(), *wording.RESULTS}:
            assert f'"{word}"' not in script.read_text("utf-8"), script.name


# Strings such as `{games:,} games` are errors, because they may print "1 games". The test checks all nouns that are
# passed to `counted`. A plural noun may follow a constant, because every constant is greater than 1.
COUNTED_NOUN = re.compile(r"""\bcounted\((?:[^()"']|\([^()]*\))*,\s*["']([a-z]+)["']""")
IN_SCRIPTS = r"""(?:\$\{{(?:[^{{}}]|{{[^{{}}]*}})*}}|}}}}|</\w+>|\+\s*["'`])\s+(?:{plurals})\b"""
IN_FORMATS = r"\{{\w*(?::,)?}} (?:{plurals})\b"


def counted_plurals() -> str:
    """Return a regular expression that matches the plural of every noun that is passed to `counted`."""
    texts = (path.read_text("utf-8") for kind in ("py", "js", "html") for path in PACKAGE.rglob(f"*.{kind}"))
    nouns = {noun for text in texts for noun in COUNTED_NOUN.findall(text)}
    assert {"game", "bead", "box", "position", "time"} <= nouns
    return "|".join(sorted(counted(2, noun).removeprefix("2 ") for noun in nouns))


def fixed_plurals(code: str, plurals: str) -> Iterator[str]:
    """Yield the strings in a module in which a plural follows a number that may be 1."""
    tree = ast.parse(code)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    begins, formats = re.compile(rf" (?:{plurals})\b"), re.compile(IN_FORMATS.format(plurals=plurals))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for number, text in itertools.pairwise(node.values):
                if isinstance(number, ast.FormattedValue) and isinstance(text, ast.Constant):
                    value, following = ast.unparse(number.value), str(text.value)
                    if begins.match(following) and not re.fullmatch(r"(?:\w+\.)*[A-Z_]+|len\([A-Z_]+\)", value):
                        yield f"{{{value}}}{begins.match(following)[0]}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield from formats.findall(node.value)


def test_no_text_has_fixed_plural_after_count() -> None:
    plurals = counted_plurals()
    assert list(
        fixed_plurals('A = f"{n:,} games and {MAX_GAMES:,} games", f"{a} of {b(1)} boxes", "{n} games"', plurals)
    ) == ["{n} games", "{b(1)} boxes", "{n} games"]
    in_scripts = re.compile(IN_SCRIPTS.format(plurals=plurals))
    for text in ("`${number(n)} games`", "{{ games }} games", "<b>{{games}}</b> games", 'n + " games"'):
        assert in_scripts.search(text), text
    modules = {
        str(path.relative_to(PACKAGE)): again
        for path in sorted(PACKAGE.rglob("*.py"))
        if (again := [text for text in fixed_plurals(path.read_text("utf-8"), plurals) if text not in ALLOWED_PLURALS])
    }
    for path in sorted([*PACKAGE.rglob("*.js"), *PACKAGE.rglob("*.html")]):
        if again := in_scripts.findall(path.read_text("utf-8")):
            modules[str(path.relative_to(PACKAGE))] = again
    assert modules == {}


SOURCES = [path.read_text("utf-8") for kind in ("py", "js", "html") for path in sorted(PACKAGE.rglob(f"*.{kind}"))]
# site/translation.py and its templates combine these prefixes with other text to form the names of clauses.
COMPOSED_PREFIXES = (
    "against_",
    "by_",
    "worth",
    "cell_",
    "arrow_",
    "pair_",
    "piece_",
    "player_",
    "exam_",
    "lesson_",
)
# Other templates and scripts form names of clauses that match this pattern.
COMPOSED_PATTERN = r"(to|colour|part|verdict|kind|unit|on_cell|step|side)_\w+|\w+_(one|other)"
CLAUSE_CALL = re.compile(r"""(?<!def )\b(?:told|opening|paragraph)\(\s*"(\w+)"(?! ~)""")


def test_every_clause_is_used_and_every_used_clause_exists() -> None:
    for clause in ENGLISH.clauses:
        assert (
            any(f'"{clause}"' in source or f"'{clause}'" in source for source in SOURCES)
            or clause.startswith(COMPOSED_PREFIXES)
            or re.fullmatch(COMPOSED_PATTERN, clause)
        ), clause
    used = {clause for source in SOURCES for clause in CLAUSE_CALL.findall(source)}
    assert len(used) > 30
    assert used <= {*ENGLISH.clauses}
    assert {*clauses()} & {*tables()["site"]} == set()


def test_pages_and_commands_name_opponents_consistently() -> None:
    assert {who: told(f"against_{who}") for who in OPPONENTS} == OPPONENTS


def test_scripts_and_python_fill_clauses_identically() -> None:
    parts = {part: f"{part} & {{name}}" for clause in clauses().values() for part in re.findall(r"\{(\w+)\}", clause)}
    assert set("".join(clauses().values())) & set("<>&") == set()  # a page may insert a clause as HTML
    drawn = draw_with_scripts(
        "data.clauses.map(clause => [menace.phrase(clause, data.parts), menace.opening(clause, data.parts)])",
        {"clauses": [*clauses()], "parts": parts},
    )
    assert drawn == [[told(clause, **parts), opening(clause, **parts)] for clause in clauses()]
