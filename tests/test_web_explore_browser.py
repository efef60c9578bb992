"""Explore and Boxes in a real browser: keys step through a line, the slider goes back, nothing leaves the host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import watched

from menace.analysis.history import box_history
from menace.ledger.database_file import open_database

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(chromium: Any, served: str) -> Iterator[Any]:
    with watched(chromium, served, viewport={"width": 375, "height": 800}) as opened:
        yield opened


def goes_to(page: Any, board: str) -> None:
    page.wait_for_url(f"**/explore/{board}?*")
    page.wait_for_selector(f'table[aria-label="Board {board}"]')


def test_keys_step_through_a_line_and_set_the_next_move(page: Any, served: str) -> None:
    page.goto(f"{served}/menace/machines")
    page.goto(f"{served}/menace/explore/X...O....?line=.........,X........,X...O....,X...O...X")
    page.keyboard.press("ArrowRight")
    goes_to(page, "X...O...X")
    page.keyboard.press("Home")
    goes_to(page, ".........")
    page.keyboard.press("ArrowRight")
    goes_to(page, "X........")
    # Tab reaches one button of the board; in it the arrow keys go from cell to cell.
    assert page.locator('[data-board] button[tabindex="0"]').count() == 1
    page.locator("#cell-0").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "cell-4"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    goes_to(page, "X....O...")
    assert page.evaluate("document.activeElement.id") == "cell-5"
    assert "X to move" in page.text_content("#spoken")
    page.go_back()  # out of Explore, not through its boards
    page.wait_for_url("**/machines")


def test_the_slider_shows_boxes_as_they_were_and_a_drawing_keeps_the_time(page: Any, served: str, shown: Path) -> None:
    with open_database(shown) as store:
        moments = box_history(store, ".........", "menace-x")
    page.goto(f"{served}/menace/boxes/menace-x")
    page.locator("#at").focus()
    page.keyboard.press("Home")
    page.wait_for_url("**/menace-x?at=0")
    first = moments[0].view.box
    assert first is not None
    text = f"() => document.querySelector('.box caption small').textContent === '{first.beads} beads'"
    page.wait_for_function(text)
    page.wait_for_function("() => document.querySelector('#draw-0').form.elements.at?.value === '0'")
    page.locator("#draw-0").click()
    page.wait_for_url("**draw=X*")
    assert "at=0" in page.url
    assert page.locator("[role=status]").text_content().startswith("After 0 games")


def test_the_film_runs_to_now_and_arrows_go_from_box_to_box(page: Any, served: str) -> None:
    page.goto(f"{served}/menace/boxes/menace-x")
    page.locator("#at").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**at=*")
    page.locator("#film").focus()
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelectorAll('.lit').length")
    assert page.get_attribute("#film", "aria-pressed") == "true"
    page.wait_for_url("**/menace-x")
    page.wait_for_selector('#film[aria-pressed="false"]')
    assert page.text_content("#after").endswith(", now")
    assert page.locator('#shelf a[tabindex="0"]').count() == 1
    page.locator("#shelf a").first.focus()
    page.keyboard.press("ArrowRight")
    second = page.locator("#shelf a").nth(1)
    assert second.get_attribute("tabindex") == "0"
    assert second.evaluate("link => link === document.activeElement")


@pytest.mark.parametrize(
    "address", ["explore/XX.OO....", "boxes/menace-x", "explore/XX.XX....", "explore/.........?set=1"]
)
def test_no_page_is_wider_than_a_phone(page: Any, served: str, address: str) -> None:
    page.goto(f"{served}/menace/{address}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
