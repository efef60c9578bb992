"""Tests that each page's list of keyboard shortcuts matches the documentation, and that the shortcuts work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browsing import checked_page, get
from checkout import ROOT

from menace.explorer.server.serving import site

EXPLAINED = ROOT / "docs" / "development" / "explorer.md"
PAGES = {
    "Home": "",
    "Play": "/menace/play/menace-x",
    "How good are you?": "/menace/exam",
    "Explore": "/menace/explore/XX.OO....",
    "Explore, setting pieces": "/menace/explore/XX.XX....?set=1",
    "Boxes": "/menace/boxes/menace-x",
    "Machines": "/menace/machines",
    "Compare": "/menace/compare",
    "Graph": "/menace/graph",
}
SHEET = "document.getElementById('keys').open"


@pytest.fixture
def page(chromium: Any, served: str) -> Iterator[Any]:
    with checked_page(chromium, served, viewport={"width": 1000, "height": 700}) as opened:
        yield opened


def strip_tags(html: str) -> str:
    """Return the text of an HTML document, without tags or repeated spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def listed_keys(page: str) -> list[tuple[str, str, str]]:
    """Return the groups, keys and effects listed as keyboard shortcuts on a page."""
    sheet = page[page.index('<dialog id="keys"') :].partition("</dialog>")[0]
    entries = []
    for group, keys in re.findall(r"<h3>(.*?)</h3>\s*<dl>(.*?)</dl>", sheet, re.DOTALL):
        rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", keys, re.DOTALL)
        entries += [(strip_tags(group), strip_tags(pressed), strip_tags(does)) for pressed, does in rows]
    return entries


def documented_keys() -> dict[str, list[tuple[str, str, str]]]:
    """Return the groups, keys and effects for each page, as listed in the table in docs/development/explorer.md."""
    section = EXPLAINED.read_text(encoding="utf-8").partition("\n## Keys\n")[2].partition("\n## ")[0]
    keys: dict[str, list[tuple[str, str, str]]] = {}
    for line in section.splitlines():
        if line.startswith("|") and not line.startswith(("| page", "|--")):
            pages, group, pressed, does = (cell.strip() for cell in line.strip("|").split("|"))
            keys.setdefault(pages, []).append((group, pressed.replace("`", ""), does))
    return keys


def test_every_page_lists_the_documented_keys(shown: Path) -> None:
    documented, datasette = documented_keys(), site([shown])
    everywhere = documented.pop("every page")
    assert documented.keys() < PAGES.keys()
    for name, address in PAGES.items():
        page = get(datasette, address).text
        assert listed_keys(page) == documented.get(name, []) + everywhere, name
        assert '<button type="button" id="show-keys" aria-keyshortcuts="?"' in page
        assert not re.search(r"<button[^>]*>[^<]*<kbd>", page), name  # the key must not be part of a button's name


@pytest.mark.slow
def test_key_list_opens_closes_and_blocks_other_keys(page: Any, served: str) -> None:
    page.goto(f"{served}/menace/play/menace-x?seed=1")
    page.wait_for_selector("#board button")
    page.keyboard.press("0")  # a move that the test can undo
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 3")
    page.keyboard.press("?")
    assert page.evaluate(SHEET)
    for key in ("u", "n", "m", "h", "1"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Escape")
    assert not page.evaluate(SHEET)
    page.keyboard.press("?")
    page.keyboard.press("?")
    assert not page.evaluate(SHEET)
    page.click("header summary")
    page.click("#show-keys")
    page.click("#keys button")
    assert not page.evaluate(SHEET)
    assert page.evaluate("document.activeElement.id") == "show-keys"
    # Keys typed into a text field trigger no shortcuts, and keys pressed with Ctrl, Alt or Meta go to the browser.
    page.keyboard.press("m")
    page.keyboard.type("un?h0")
    assert (page.evaluate(SHEET), page.input_value("#move")) == (False, "un?h0")
    page.locator("#worth").focus()
    for held in ("Control", "Alt", "Meta"):
        page.keyboard.press(f"{held}+u")
    page.wait_for_timeout(200)
    assert page.locator("#moves li").count() == 3
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 1")


@pytest.mark.slow
def test_keys_of_the_play_page_work(page: Any, served: str) -> None:
    page.goto(f"{served}/menace/play/menace-x?seed=1&step=1&guess=1")

    def wait_for_status(text: str) -> None:
        page.wait_for_function("text => document.getElementById('status').textContent.includes(text)", arg=text)

    crosses = "document.querySelectorAll('#board .x').length"
    drawn = "document.querySelectorAll('#box .drawn').length"
    wait_for_status("Which bead will it draw?")
    assert (page.evaluate(crosses), page.evaluate(drawn)) == (0, 0)
    page.keyboard.press("1")
    wait_for_status("takes ")
    assert "Correct guesses" in page.text_content("#guessed")
    assert (page.evaluate(crosses), page.evaluate(drawn)) == (0, 2)
    page.keyboard.press("s")
    wait_for_status("Your turn")
    assert page.evaluate(crosses) == 1
    label = "document.querySelector('#board button:not([aria-disabled])').getAttribute('aria-label')"
    plain = page.evaluate(label)
    assert plain.endswith("empty")
    page.keyboard.down("h")
    assert page.get_attribute("#worth", "aria-pressed") == "true"
    assert re.fullmatch(r", (wins|draws|loses) in \d", page.evaluate(label).removeprefix(plain))
    page.keyboard.up("h")
    assert (page.get_attribute("#worth", "aria-pressed"), page.evaluate(label)) == ("false", plain)
    page.keyboard.press("r")
    wait_for_status("Resign?")
    page.keyboard.press("r")
    wait_for_status("The game is over")
    page.keyboard.press("s")
    wait_for_status("Recorded as game 1")
    page.keyboard.press("n")
    wait_for_status("Which bead will it draw?")
    page.goto(f"{served}/menace/play/menace-x?seed=2")
    wait_for_status("Your turn")
    page.locator('#board button[data-cell="0"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") == "4"
    free = page.evaluate("document.querySelector('#board button:not([aria-disabled])').dataset.cell")
    page.keyboard.press(free)
    page.wait_for_function("() => document.querySelectorAll('#moves li').length === 3")


@pytest.mark.slow
def test_keys_search_boards_and_draw_them(page: Any, served: str) -> None:
    page.goto(f"{served}/menace/explore/X...O....")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "typed"
    page.keyboard.press("/")
    assert page.input_value("#typed") == "/"
    page.goto(f"{served}/menace/boxes/menace-x")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "wanted"
    page.locator("#draw-0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("draw=%2C%2C%2C%2CX"))
