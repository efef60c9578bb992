"""Tests of tools/docs/prose.py and check_prose.py, which find and check all sentences."""

import ast
from pathlib import Path

import pytest

from docs import check_prose, prose


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The exporter writes the file.", None),
        ("Whoever takes the last stone loses.", "'Whoever' (anyone who, whichever player)"),
        ('He wrote "whoever takes the last one loses" in 1962.', None),
        ("The value of today is 3.", "'of today' (current, present)"),
        ("It plays the best reply.", "'best reply' (best response)"),
        ("One " * 40, None),
        ("One " * 41, "41 words"),
        ("`" + "one " * 41 + "` is a quotation.", None),
    ],
)
def test_check_reports_the_reason(text: str, reason: str | None) -> None:
    assert check_prose.find_offence(text) == reason


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Read the log. The replay follows.", ["Read the log.", "The replay follows."]),
        ("It plays well. menace computes its results.", ["It plays well.", "menace computes its results."]),
        ("(See the other page.) pgx is fast.", ["(See the other page.)", "pgx is fast."]),
        ("A loss divides them by n. n counts moves.", ["A loss divides them by n. n counts moves."]),
        ("It measures after 1, 2, 5, ... games of a run.", None),
        ('It writes "..." for each value.', None),
        ("The board X........ has one move.", None),
        ("The authors L. and S. say so on p. xi of it.", None),
        ("Several files, e.g. notebooks and tables, vs. one file, i.e. a database.", None),
        ("You can type ? to see the box.", None),
        ("The file loop.pyx is compiled.", None),
    ],
)
def test_sentences_may_begin_with_a_lower_case_name(text: str, sentences: list[str] | None) -> None:
    assert prose.split_sentences(text) == (sentences or [text])


def test_markdown_paragraphs_exclude_code_tables_and_quotations() -> None:
    text = "# Title\n\nOne.\nStill one.\n\n```sh\ncode\n```\n\n| a | b |\n\n> said\n\n- first\n- second\n"
    found = [(line, " ".join(paragraph.split())) for line, paragraph in prose.markdown_paragraphs(text)]
    assert found == [(3, "One. Still one."), (14, "first"), (15, "second")]


def test_comments_in_consecutive_lines_are_one_paragraph() -> None:
    source = "# One sentence\n# in two lines. A second one.\nx = 1  # beside code\ny = 2  # noqa: F401\n"
    found = [(item.line, item.text) for item in prose.find_comments(Path("x.py"), source)]
    assert found == [(1, "One sentence in two lines."), (1, "A second one."), (3, "beside code")]


def test_messages_exclude_docstrings_and_sql() -> None:
    source = (
        '"""A docstring that is long enough to be one."""\nSQL = "SELECT one, two, three FROM a WHERE many words"\n'
    )
    source += 'raise ValueError(f"there is no machine named {name} in this database")\n'
    found = [item.text for item in prose.find_messages(Path("x.py"), ast.parse(source))]
    assert found == ["there is no machine named ... in this database"]


def test_branches_of_a_template_are_separate() -> None:
    source = "<p>All boxes{% if a %} of {{ name }}{% elif b %} of both\n{% else %} of none{% endif %}.</p>\n"
    source += "{% if c %}end{% endif %}"
    assert list(prose.template_branches(source)) == [
        (1, "<p>All boxes of ...\n.</p>\nend"),
        (1, " of both\n"),
        (2, " of none"),
    ]


def test_comment_lines_of_a_script_are_one_paragraph() -> None:
    source = "// One sentence\n// in two lines.\nlet x = 1; // beside code\n/**\n * Return x.\n */\n  /** Set x. */\n"
    found = [(line, " ".join(text.split())) for line, text in prose.find_script_comments(source)]
    assert found == [(1, "One sentence in two lines."), (4, "Return x."), (7, "Set x.")]


def test_all_three_kinds_are_found_in_the_repository() -> None:
    missing = dict.fromkeys(prose.KINDS, 500)
    for sentence in prose.find_sentences():
        missing[sentence.kind] -= 1
        if max(missing.values()) <= 0:
            return
    pytest.fail(f"too few sentences: {missing}")
