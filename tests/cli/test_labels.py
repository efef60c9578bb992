"""Tests of the output and errors of `menace labels`."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest
from commands import Run, ok, refused


@pytest.mark.slow
def test_labels_creates_machines_writes_pdf_and_prints_its_contents(run: Run, tmp_path: Path) -> None:
    out = ok(run("labels", "menace-x", "x.pdf"))
    pages = "304 labels on 15 pages, followed by a board, index, shopping list and rules; 20 pages in all"
    assert out == f"x.pdf: {pages}; print it at 100 %\n"
    assert len(pypdfium2.PdfDocument(tmp_path / "x.pdf")) == 20
    words = ["--paper", "Letter", "--width", "40", "--height", "30", "--colours", "Michie", "--numbering", "michie"]
    out = ok(run("labels", "menace-o", "o.pdf", *words))  # case-insensitive
    assert "o.pdf: 289 labels on " in out
    pdf = pypdfium2.PdfDocument(tmp_path / "o.pdf")
    assert pdf[0].get_size() == pytest.approx((612, 792))
    assert "lilac" in pdf[len(pdf) - 1].get_textpage().get_text_range()
    assert re.findall(r"^(\S+) ", ok(run("learners")), re.MULTILINE)[1:] == ["menace-x", "menace-o"]


def test_worksheets_follow_the_rules(run: Run, tmp_path: Path) -> None:
    ok(run("init", "--game", "hexapawn"))
    ok(run("new", "her", "--plays", "O", "--preset", "gardner-1962"))
    plain = ok(run("labels", "her", "plain.pdf"))
    refused(run("labels", "her", "no/x.pdf"), "no folder")
    ok(run("new", "td", "--plays", "O", "--preset", "zhang"))
    refused(run("labels", "td", "x.pdf"), "no matchboxes")
    assert {file.name for file in tmp_path.iterdir()} == {"menace.db", "plain.pdf"}
    out = ok(run("labels", "her", "her.pdf", "--worksheets"))
    assert "a board, index, shopping list and rules; 5 pages" in plain
    assert "a board, index, shopping list, rules and worksheets; 7 pages" in out
    pdf = pypdfium2.PdfDocument(tmp_path / "her.pdf")
    texts = [pdf[page].get_textpage().get_text_range() for page in (5, 6)]
    assert ["Worksheet: " in text for text in texts] == [True, True]
    assert "22" in texts[0]
    assert "What surprised us" in texts[1]


def test_characters_that_fonts_lack_are_reported(run: Run) -> None:
    ok(run("init", "--variant", "1x3x3"))
    ok(run("new", "日本", "--plays", "X"))
    assert "shown as [U+...]" in ok(run("labels", "日本", "x.pdf"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["export", "a.GEXF", "--part", "x-optimal"],
        ["export", "a.JSON"],
        ["picture", "a.SVG", "--part", "Optimal"],
        ["plot", "strength", "menace-x", "a.PDF", "--policy", "Greedy"],
    ],
)
def test_parts_and_formats_are_case_insensitive(command: list[str], trained: Run) -> None:
    assert ok(trained(*command))
