"""Tests of the explorer's pages in a real browser: keyboard, mouse, content security policy and accessibility."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import checked_page, make_first_move, serving
from database_templates import trained_bytes
from runs import selfplay

from menace.analysis.history import box_history
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(chromium: Any, served: str) -> Iterator[Any]:
    with checked_page(chromium, served, viewport={"width": 375, "height": 800}) as opened:
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
    page.keyboard.press("End")
    goes_to(page, "X...O...X")
    page.keyboard.press("Home")
    goes_to(page, ".........")
    page.keyboard.press("ArrowRight")
    goes_to(page, "X........")
    page.keyboard.press("ArrowLeft")
    goes_to(page, ".........")
    page.keyboard.press("ArrowRight")
    goes_to(page, "X........")
    # The Tab key reaches only one button of the board, and the arrow keys move between the cells.
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
    page.go_back()  # this leaves the Explore page instead of stepping back through its boards
    page.wait_for_url("**/machines")


def test_slider_shows_earlier_boxes_and_search_keeps_the_time(page: Any, served: str, shown: Path) -> None:
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


def test_film_plays_to_the_end_and_arrow_keys_move_between_boxes(page: Any, served: str) -> None:
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


@pytest.fixture(scope="module")
def served_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    database = tmp_path_factory.mktemp("served") / "menace.db"
    database.write_bytes(trained_bytes(500))
    with serving(database) as home:
        yield database, home


@pytest.fixture
def own_page(chromium: Any, served_file: tuple[Path, str]) -> Iterator[Any]:
    with checked_page(chromium, served_file[1]) as opened:
        yield opened


def test_machine_is_created_by_keyboard_and_errors_appear_at_their_fields(
    own_page: Any, served_file: tuple[Path, str]
) -> None:
    database, home = served_file
    own_page.goto(f"{home}/menace/machines")
    own_page.get_by_label("name", exact=True).fill("Eva")
    own_page.get_by_label("preset", exact=True).select_option("scroggs")
    beads = own_page.get_by_label("beads", exact=True)
    own_page.locator('#set-beads[value="8,4,2,1"]').wait_for()
    assert own_page.get_by_label("name", exact=True).input_value() == "Eva"
    assert own_page.evaluate("document.activeElement.id") == "preset"
    beads.fill("8,many")
    beads.press("Enter")
    own_page.get_by_role("alert").filter(has_text="setting beads=8,many is not integers").wait_for()
    assert beads.get_attribute("aria-invalid") == "true"
    assert own_page.evaluate("document.activeElement.id") == "set-beads"
    assert (beads.input_value(), own_page.get_by_label("name", exact=True).input_value()) == ("8,many", "Eva")
    beads.fill("8,5")
    beads.press("Enter")
    own_page.get_by_role("heading", level=1, name="Eva").wait_for()
    with open_database(database) as store:
        assert '"beads": [8, 5]' in store.learner("Eva").settings


def test_change_the_world_creates_a_trained_copy_that_can_be_deleted(
    own_page: Any, served_file: tuple[Path, str]
) -> None:
    database, home = served_file
    own_page.goto(f"{home}/menace/machines/menace-x")
    fields = {"name of the copy": "exile", "box to empty": ".........", "opponent": "random", "games": "2000"}
    for name, value in fields.items():
        own_page.get_by_label(name, exact=True).fill(value)
    own_page.get_by_role("button", name="Create the copy").click()
    own_page.get_by_role("heading", level=1, name="exile").wait_for()
    assert "has learned from 2,500 games" in own_page.inner_text("main")
    delete = own_page.get_by_role("button", name="Delete exile")
    delete.click()
    own_page.get_by_role("alert").filter(has_text="cannot be recovered").wait_for()
    own_page.get_by_label("yes, delete it").check()
    delete.click()
    own_page.get_by_role("heading", level=1, name="Machines").wait_for()
    with open_database(database) as store:
        assert "exile" not in [row.name for row in store.learners()]


def test_pages_name_their_axes_and_explain_only_what_they_show(chromium: Any, served_kinds: str) -> None:
    with checked_page(chromium, served_kinds, viewport={"width": 1280, "height": 800}) as page:
        page.goto(f"{served_kinds}/menace/explore/XX.OO....?learner=menace-x")
        assert "(W: win" not in page.inner_text("main")
        page.goto(f"{served_kinds}/hexapawn/explore/OOO...XXX:X?learner=menace-x")
        assert "Each arrow also shows" in page.inner_text("main")
        assert "(W: win, L: loss" in page.inner_text("main")
        page.goto(f"{served_kinds}/menace/compare")
        name = "share of games won minus share of games lost"
        assert name in page.text_content(".curves")
        page.goto(f"{served_kinds}/menace/machines/menace-x")
        assert name in page.text_content(".curves")
        key = page.locator("figcaption .key").last.bounding_box()
        assert key["y"] < page.locator(".curves").bounding_box()["y"] < 400
        page.goto(f"{served_kinds}/menace/boxes/menace-x")
        cell = page.locator('.sleeve td[style*="--bead"]').first
        look = "[getComputedStyle(cell).fontSize, getComputedStyle(cell).backgroundImage.includes('radial-gradient')]"
        assert cell.evaluate(f"cell => {look}") == ["0px", True]
        assert page.locator(".drawer .hole").count() == page.locator(".drawer").count() > 0
        assert "block" not in page.inner_text(".finders")
        page.click("text=what has changed")
        page.wait_for_selector("#since")
        assert "block" not in page.inner_text(".finders")
        page.select_option("#since", index=1)
        page.click("text=Compare >> nth=-1")
        page.wait_for_url("**since=*")


def test_graph_is_moved_and_zoomed_with_mouse_and_keys(own_page: Any, served_file: tuple[Path, str]) -> None:
    own_page.goto(f"{served_file[1]}/menace/graph?learner=menace-x")

    def view() -> list[float]:
        return [float(number) for number in own_page.get_attribute("#graph", "viewBox").split()]

    whole = view()
    own_page.locator("#graph a").first.focus()
    titles = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp"):
        own_page.keyboard.press(key)
        titles.append(own_page.evaluate("document.activeElement.querySelector('title').textContent"))
    assert [title.split(", ")[1] for title in titles] == ["ply 1", "ply 2", "ply 2", "ply 1", "ply 0"]
    assert own_page.locator('#graph a[tabindex="0"]').count() == 1
    own_page.keyboard.press("+")
    own_page.keyboard.press("+")
    closer = view()
    assert closer[2] == pytest.approx(whole[2] / 2.25)
    box = own_page.locator("#graph a").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    own_page.mouse.move(x, y)
    own_page.mouse.down()
    own_page.mouse.move(x - 60, y - 30, steps=4)
    own_page.mouse.up()
    dragged = view()
    assert dragged[0] > closer[0] + 10
    assert dragged[1] > closer[1] + 5
    assert dragged[2:] == closer[2:]
    own_page.wait_for_timeout(200)
    assert "/graph" in own_page.url  # dragging a board must not open it
    own_page.get_by_role("button", name="all").click()
    assert view() == whole
    own_page.locator("#graph a").first.focus()
    own_page.keyboard.press("+")
    own_page.keyboard.press("+")
    own_page.keyboard.press("-")
    assert view()[2] == pytest.approx(whole[2] / 1.5)
    own_page.keyboard.press("0")
    assert view() == whole
    own_page.keyboard.press("Enter")
    own_page.wait_for_url(f"{served_file[1]}/menace/explore/.........?learner=menace-x", timeout=5_000)


OURS = [
    "",
    "/menace/play/menace-x?seed=1",
    "/nothing",
]  # the other tests in this file open all other pages and also report violations of the policy
THEIRS = ["/", "/menace", "/menace?sql=select+1", "/menace/learner", "/menace/learner/1", "/menace/block?_facet=run_id"]
THEIRS += ["/menace/position/0", "/menace/strength", "/nothing", "/menace/nothing", "/menace?sql=wrong", "/-/versions"]
SMUGGLED = "<script>window.smuggled = 1</script><img src=x onerror='window.smuggled = 2'><a href='javascript:1'>a</a>"
EDITOR = ".CodeMirror, .cm-editor"  # in Datasette 0.65 and 1.0
BLOCKED = "Content Security Policy"


def test_no_page_violates_the_content_policy(chromium: Any, served: str) -> None:
    root = served.removesuffix("/-/menace")
    with checked_page(chromium, served) as page:
        for below in OURS:
            page.goto(served + below)
            page.wait_for_load_state("networkidle") if "/play/" not in below else page.wait_for_selector("#board")
        for below, width in itertools.product(THEIRS, (1200, 400)):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(root + below)
            click_what_has_a_script_inside(page)


def click_what_has_a_script_inside(page: Any) -> None:
    for button in page.query_selector_all("[onclick]"):  # Datasette 1.0 has one such button
        if button.is_visible():
            button.click()


def test_datasettes_menu_and_its_sql_editor_work(chromium: Any, served: str) -> None:
    with checked_page(chromium, served) as page:
        page.goto(served.removesuffix("/-/menace") + "/menace?sql=select+name+from+learner+order+by+name")
        page.click("details.nav-menu summary")
        assert page.locator("details.nav-menu").evaluate("menu => menu.open")
        page.click("h1")  # Datasette's script closes the menu after this click
        page.wait_for_function("() => !document.querySelector('details.nav-menu').open")
        editor, text = page.locator(EDITOR), f"document.querySelector('{EDITOR}').innerText"
        before = editor.inner_text()
        page.click("#sql-format")
        page.wait_for_function(f"before => {text} !== before", arg=before)
        editor.click()
        page.keyboard.press("Shift+Enter")  # this submits the form
        page.wait_for_url("**sql=select%0*")
        page.goto(served.removesuffix("/-/menace") + "/menace/learner")
        page.locator("th svg.dropdown-menu-icon").first.click()
        page.wait_for_selector(".dropdown-menu:visible")


def test_injected_scripts_do_not_run(chromium: Any, served: str) -> None:
    """The test simulates pages that do not escape data."""
    for address in (served, served.removesuffix("/-/menace") + "/menace"):
        context = chromium.new_context()
        page, messages = context.new_page(), []
        page.on("console", lambda message, messages=messages: messages.append(message.text))

        def smuggle(route: Any) -> None:
            answer = route.fetch()
            text = answer.text().replace("</h1>", f"</h1>{SMUGGLED}", 1)
            assert SMUGGLED in text
            route.fulfill(response=answer, body=text)

        page.route(address, smuggle)
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.smuggled") is None
        assert sum(BLOCKED in text for text in messages) == 2
        context.close()


PHONE, WIDE = {"width": 375, "height": 800}, {"width": 1000, "height": 800}
SERVE = """
import sys
from pathlib import Path
from menace.explorer.server.serving import serve
serve([Path(name) for name in sys.argv[1:]], 0, False, lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def served_kinds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve databases of three games and a file without learners from a single server."""
    folder = tmp_path_factory.mktemp("axe")
    (folder / "menace.db").write_bytes(trained_bytes(50))
    with open_database(folder / "menace.db") as store:
        new_learner(store, "zhang", "X", "zhang")
    for name, game, variant in (("hexapawn", "hexapawn", "3x3"), ("nim", "nim", "1-2-3")):
        with create_database(folder / f"{name}.db", game, variant) as store:
            selfplay(store, games=20, seed=1)
    create_database(folder / "empty.db", "nim", "1-2-3").close()
    files = [str(folder / f"{name}.db") for name in ("menace", "hexapawn", "nim", "empty")]
    with subprocess.Popen([sys.executable, "-c", SERVE, *files], stdout=subprocess.PIPE, text=True, cwd="/") as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def play_to_the_end(page: Any) -> None:
    """Make the first possible move until the game is over, and open every collapsed part of the page."""
    page.click("#more summary")
    page.wait_for_selector("#board button")
    while page.evaluate("document.getElementById('learned').hidden"):
        make_first_move(page)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")


def look(page: Any) -> None:
    """Leave the page unchanged, so that it is checked in its initial state."""


def begin(page: Any) -> None:
    """Wait until the board appears, and show the values of all moves."""
    if page.url.endswith("#practice"):
        page.click("#more summary")
    page.wait_for_selector("#board button")
    page.keyboard.down("h")


def answer_boards(page: Any) -> None:
    """Make the first possible move on every board of an exam."""
    page.wait_for_selector("#board button")
    while not page.evaluate("document.getElementById('exam').classList.contains('over')"):
        page.locator("#list button, #board button:not([aria-disabled])").last.click()
    assert page.locator("#status").text_content().startswith("You can be beaten")


def sheet(page: Any) -> None:
    """Open the list of keyboard shortcuts."""
    page.keyboard.press("?")


PAPER = "getComputedStyle(document.body).backgroundColor"
# These pages use the same colours as the other pages, so they are checked in only one of the two modes.
SAME_COLOURS = ("/hexapawn", "/nim", "/empty", "/menace/play/perfect", "/menace/boxes/zhang", "/menace/machines/nobody")
PAGES_WITH_AXE: list[tuple[str, Callable[[Any], object]]] = [
    ("", sheet),
    ("", look),
    ("/menace/play/menace-x?seed=1#practice", look),
    ("/menace/play/menace-x?seed=3#practice", begin),
    ("/menace/play/menace-x?seed=2&name=Anna#practice", play_to_the_end),
    ("/menace/play/perfect?seed=1", look),
    ("/menace/exam", answer_boards),
    ("/hexapawn/exam", answer_boards),
    ("/menace/explore/XX.OO....", look),
    ("/menace/explore/XX.OO....?set=1", look),
    ("/menace/explore/XX.XX....", look),
    ("/menace/explore/........./history?learner=menace-x", look),
    ("/menace/boxes/menace-x?colour=change&board=XX.OO....", look),
    ("/menace/boxes/zhang?show=losing", look),
    ("/menace/machines", look),
    ("/menace/machines/menace-x", look),
    ("/menace/compare", look),
    ("/menace/graph?learner=menace-x", look),
    ("/menace/machines/nobody", look),
    ("/hexapawn/play/menace-o?seed=1", begin),
    ("/hexapawn/explore/OOO...XXX:X", look),
    ("/hexapawn/boxes/menace-x?colour=beads", look),
    ("/nim/play/menace-x?seed=1", begin),
    ("/empty/machines", look),
    ("/empty/compare", look),
]


def test_axe_finds_no_violations_on_any_page(chromium: Any, served_kinds: str, axe: Callable[..., list[str]]) -> None:
    wrong = []
    with checked_page(chromium, served_kinds, viewport=PHONE, reduced_motion="reduce") as page:
        for address, act in PAGES_WITH_AXE:
            page.set_viewport_size(PHONE)
            page.emulate_media(color_scheme="light")
            page.goto(served_kinds + address)
            act(page)
            light = page.evaluate(PAPER)
            if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
                wrong.append(f"{address}: wider than a phone")
            wrong += [f"{address}: {violation}" for violation in axe(page)]
            page.set_viewport_size(WIDE)
            page.emulate_media(color_scheme="dark")
            if not address.startswith(SAME_COLOURS):
                wrong += [f"{address}, dark: {violation}" for violation in axe(page, "color-contrast")]
                if page.evaluate(PAPER) == light:
                    wrong.append(f"{address}: light in the dark")
        assert wrong == []
        # Make sure that axe actually examines the page.
        page.evaluate("document.querySelector('h1').style.color = '#333'; document.documentElement.lang = ''")
        assert {violation.partition(":")[0] for violation in axe(page)} >= {"color-contrast", "html-has-lang"}
