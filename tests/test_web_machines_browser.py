"""Machines, comparisons and the graph in a real browser: by keyboard and mouse, narrow and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import serving, watched
from templates import trained_bytes

from menace.ledger.database_file import open_database

pytestmark = pytest.mark.slow
PAGES = ("", "/menace/machines", "/menace/machines/menace-x", "/menace/compare", "/menace/graph")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    database = tmp_path_factory.mktemp("served") / "menace.db"
    database.write_bytes(trained_bytes(500))
    with serving(database) as home:
        yield database, home


@pytest.fixture
def page(chromium: Any, served: tuple[Path, str]) -> Iterator[Any]:
    with watched(chromium, served[1]) as opened:
        yield opened


def test_a_machine_is_made_by_keyboard_and_errors_are_shown_beside_it(page: Any, served: tuple[Path, str]) -> None:
    database, home = served
    page.goto(f"{home}/menace/machines")
    page.get_by_label("name", exact=True).fill("Eva")
    page.get_by_label("preset", exact=True).select_option("scroggs")
    beads = page.get_by_label("beads", exact=True)
    page.locator('#set-beads[value="8,4,2,1"]').wait_for()
    assert page.get_by_label("name", exact=True).input_value() == "Eva"
    assert page.evaluate("document.activeElement.id") == "preset"
    beads.fill("8,many")
    beads.press("Enter")
    page.get_by_role("alert").filter(has_text="setting beads=8,many is not whole numbers").wait_for()
    assert beads.get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "set-beads"
    assert (beads.input_value(), page.get_by_label("name", exact=True).input_value()) == ("8,many", "Eva")
    beads.fill("8,5")
    beads.press("Enter")
    page.get_by_role("heading", level=1, name="Eva").wait_for()
    with open_database(database) as store:
        assert '"beads": [8, 5]' in store.learner("Eva").settings


def test_another_world_is_a_copy_that_has_played_and_can_be_deleted(page: Any, served: tuple[Path, str]) -> None:
    database, home = served
    page.goto(f"{home}/menace/machines/menace-x")
    for name, wrong, right in (
        ("name of the copy", "a/b", "exile"),
        ("box to tip out", "nonsense", "........."),
        ("opponent", "nobody", "random"),
        ("games", "0", "2000"),
    ):  # an error is at its field, and said to be its own
        field = page.get_by_label(name, exact=True)
        field.fill(wrong)
        page.get_by_role("button", name="Make the copy").click()
        page.locator(f"#{field.get_attribute('id')}[aria-invalid]").wait_for()
        said = page.locator(f"#{field.get_attribute('aria-describedby').split()[-1]}")
        assert wrong in said.text_content()
        assert said.locator("xpath=..").locator("input").get_attribute("id") == field.get_attribute("id")
        field.fill(right)
    page.get_by_role("button", name="Make the copy").click()
    page.get_by_role("heading", level=1, name="exile").wait_for()
    assert "has learned from 2,500 games" in page.inner_text("main")
    delete = page.get_by_role("button", name="Delete exile")
    delete.click()
    page.get_by_role("alert").filter(has_text="cannot be recovered").wait_for()
    page.get_by_label("yes, although").check()
    delete.click()
    page.get_by_role("heading", level=1, name="Machines").wait_for()
    with open_database(database) as store:
        assert "exile" not in [row.name for row in store.learners()]


def test_the_graph_is_moved_about_in_by_mouse_and_keys(page: Any, served: tuple[Path, str]) -> None:
    page.goto(f"{served[1]}/menace/graph?learner=menace-x")

    def view() -> list[float]:
        return [float(number) for number in page.get_attribute("#graph", "viewBox").split()]

    whole = view()
    page.locator("#graph a").first.focus()
    titles = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        titles.append(page.evaluate("document.activeElement.querySelector('title').textContent"))
    assert [title.split(", ")[1] for title in titles] == ["ply 1", "ply 2", "ply 2", "ply 1", "ply 0"]
    assert page.locator('#graph a[tabindex="0"]').count() == 1
    page.keyboard.press("+")
    page.keyboard.press("+")
    closer = view()
    assert closer[2] == pytest.approx(whole[2] / 2.25)
    box = page.locator("#graph a").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 30, steps=4)
    page.mouse.up()
    dragged = view()
    assert dragged[0] > closer[0] + 10
    assert dragged[1] > closer[1] + 5
    assert dragged[2:] == closer[2:]
    page.wait_for_timeout(200)
    assert "/graph" in page.url  # to drag a board is not to click it
    page.get_by_role("button", name="all").click()
    assert view() == whole
    page.locator("#graph a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served[1]}/menace/explore/.........?learner=menace-x", timeout=5_000)


def test_pages_fit_a_phone_light_and_dark_and_every_field_has_a_label(page: Any, served: tuple[Path, str]) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    unnamed = "!field.labels?.length && field.type !== 'hidden' && !field.ariaLabel && !field.textContent.trim()"
    for path in PAGES:
        page.goto(served[1] + path)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 375, path
        fields = f"[...document.querySelectorAll('input, select, button')].filter(field => {unnamed}).length"
        assert page.evaluate(fields) == 0, path
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (paper == "rgb(248, 244, 235)") == (scheme == "light")


def test_in_an_empty_folder_a_file_is_made_and_the_first_machine_made_and_played(chromium: Any, tmp_path: Path) -> None:
    database = tmp_path / "menace.db"
    with serving(database) as home, watched(chromium, home) as page:
        page.goto(home)
        assert not database.exists()
        page.get_by_role("button", name="Make the first one, and play it").click()
        page.wait_for_url(f"{home}/menace/play/menace-x")
        page.wait_for_selector("#board button")
        page.wait_for_function("() => document.getElementById('status').textContent.includes('Your turn')")
        page.click("#board button:not([aria-disabled])")
        page.wait_for_function("() => document.querySelectorAll('#moves li').length >= 2")
    with open_database(database) as store:
        assert [row.name for row in store.learners()] == ["menace-x"]
