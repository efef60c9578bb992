"""Tests that actions on the Play page change the database, and that no request leaves the computer."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from browsing import checked_page, make_first_move, serving, watched

from menace.games import get_game
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.runs import SelfPlay, order
from menace.ledger.training import Trainer

pytestmark = pytest.mark.slow


@pytest.fixture
def served(database: Path) -> Iterator[str]:
    with serving(database) as home:
        yield home


PHONE = {"width": 375, "height": 800}


@pytest.fixture(scope="module")
def tab(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Any, served: str) -> Iterator[Any]:
    """Return a page that all tests share. Each test has its own server and therefore its own browser storage."""
    tab.set_viewport_size(PHONE)
    with watched(tab, served) as opened:
        yield opened
        opened.goto("about:blank")


@pytest.fixture
def own_page(chromium: Any, served: str) -> Iterator[Any]:
    """Return a page for a single test, which may change the page's clock."""
    with checked_page(chromium, served, viewport=PHONE) as opened:
        opened.clock.install()
        yield opened


def let_poll(page: Any, polls: int) -> None:
    """Advance the page's clock, which must be installed, until the page has received the responses to several polls."""
    sent: list[Any] = []

    def note(request: Any) -> None:
        if "progress.json" in request.url:
            sent.append(request)

    page.on("request", note)
    while len(sent) <= polls:  # the page polls again after it has received the last response
        page.clock.fast_forward(1000)
        page.wait_for_timeout(10)
    page.remove_listener("request", note)


def open_game(page: Any, served: str, query: str) -> None:
    page.goto(f"{served}/menace/play/menace-x?{query}#practice")
    page.click("#more summary")
    page.wait_for_selector("#board button")


def status(page: Any, text: str) -> str:
    page.wait_for_function("text => document.getElementById('status').textContent.includes(text)", arg=text)
    shown: str = page.text_content("#status")
    return shown


def test_game_played_by_keyboard_is_recorded(page: Any, served: str, database: Path) -> None:
    open_game(page, served, "seed=4&name=Anna")
    for cell in "012345678":  # a key for an occupied cell does nothing
        page.keyboard.press(cell)
        page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    text = status(page, "Recorded as game 1")
    with open_database(database) as store:
        (game,) = store.games()
        assert game.outcome == {"You": "O", "Dra": "draw"}.get(text[:3], game.outcome)
        assert len(game.actions.split(",")) == page.locator("#moves li").count()
        assert page.locator(".changed").count() == len({change.ply for change in store.changes()})
        verify(store)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_move_is_shown_before_the_answer_and_reload_restores_the_game(page: Any, served: str) -> None:
    open_game(page, served, "seed=4")
    slow: list[Any] = []
    page.route("**/move", lambda route: slow.append(route))  # noqa: PLW0108 - Playwright needs the wrapper
    page.locator("#board button:not([aria-disabled])").first.click()
    page.wait_for_function("() => document.querySelectorAll('.sent #board .o').length === 1")
    # the page sends the request after it draws the move; if no request arrives, the browser's time limit ends the wait
    while not slow:
        page.wait_for_timeout(10)
    slow.pop().fulfill(status=400, json={"error": "not so"})
    status(page, "Not so.")
    assert page.locator("#board .o").count() == page.locator("#play.sent").count() == 0
    page.unroute("**/move")
    page.locator("#board button:not([aria-disabled])").first.click()
    page.wait_for_selector("#moves li:nth-child(3)", state="attached")
    page.reload()
    page.wait_for_selector("#moves li:nth-child(3)", state="attached")
    page.goto(page.url.removesuffix("#practice"))  # this opens the link again
    page.wait_for_selector("#moves li", state="attached")
    assert page.locator("#moves li").count() == 1


def test_run_of_another_program_is_reported(page: Any, served: str, database: Path) -> None:
    open_game(page, served, "seed=4")
    page.wait_for_selector("#boxes .small-box")
    with open_database(database) as store:
        run = order(store, SelfPlay(games=1000))
        for games in (1, 2, 5):  # a run counts as in progress until five seconds after its last block
            run = Trainer(store).play_blocks(run, most=1)
            told = f"Run {run.run_id} is in progress in another program: {games} of 1,000 games."
            page.keyboard.press("Tab")
            page.wait_for_function("told => document.getElementById('trained').textContent === told", arg=told)
    assert page.locator("#go").is_disabled()
    assert page.text_content("#rival h2") == "The first boxes of menace-o"
    assert page.locator("#rival .small-box").count() == 12


@pytest.mark.parametrize("size", [(1280, 800), (375, 812)])
def test_practice_shows_a_sentence_a_curve_and_a_large_box(page: Any, served: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{served}/menace/play/menace-x?seed=1#practice")
    box = page.locator("#first-box svg")
    box.wait_for()
    page.wait_for_function("() => document.getElementById('status').textContent.includes('Your turn')")
    assert page.evaluate("scrollY") == 0
    assert re.fullmatch(r"MENACE lost \d+ of 100 games .* now loses \d+\.", page.inner_text("#at-first"))
    assert page.locator("#curve svg").is_visible()
    assert box.bounding_box()["width"] > 300
    if size[0] > 1000:
        assert page.locator("#go").bounding_box()["y"] < size[1] - 50
    before = box.inner_html()
    page.click("#go")
    page.wait_for_function("before => document.querySelector('#first-box svg').innerHTML !== before", arg=before)
    behind = ("#status", "#board", "#box", "#boxes", "#trained", "#wdl", "#score", "[name=speed]", "#typed")
    assert [part for part in behind if page.locator(part).is_visible()] == []
    page.click("#more summary")
    assert [part for part in behind if not page.locator(part).is_visible()] == []
    assert page.text_content("#status").strip() == "MENACE is practising."
    page.click("#go")
    status(page, "Your turn")
    page.click("text=Back to your game")
    assert page.locator("#board").is_visible()
    assert not page.locator("#go").is_visible()


def test_changed_boxes_are_in_one_row_and_their_meaning_is_in_words(page: Any, served: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{served}/menace/play/menace-x?seed=4")
    page.wait_for_selector("#board button")
    assert page.locator("#board").bounding_box()["width"] > 500
    play_a_game(page)
    boxes = [box.bounding_box() for box in page.locator(".changed svg").all()]
    assert len(boxes) > 2
    assert len({(round(box["y"]), round(box["width"])) for box in boxes}) == 1
    parts = (".at-side", "#worth", ".how-good", ".changed small >> nth=0")
    assert not any(page.locator(part).is_visible() for part in parts)
    page.click("#all")
    assert all(page.locator(part).is_visible() for part in parts)
    often = r"more often: (\d+) to (\d+)|less often: (\d+) to (\d+)|(about as often|no longer): \d+ to \d+"
    change = rf".*, ({often}) times in 100"
    for small in page.locator(".changed small").all():
        shares = re.fullmatch(change, small.inner_text())
        assert shares, small.inner_text()
        assert int(shares[2] or 0) <= int(shares[3] or 0)
        assert int(shares[4] or 0) >= int(shares[5] or 0)


def play_a_game(page: Any) -> None:
    """Make the first possible move until the game is over."""
    while not page.locator("#play.over").count():
        make_first_move(page)


def test_beginner_visibly_learns_and_its_page_can_be_reopened(page: Any, served: str, database: Path) -> None:
    page.goto(f"{served}/menace/beginner")
    page.wait_for_selector("#board button")
    assert not page.locator("#watch").is_visible()  # the beginner is not stored until the first move is made
    play_a_game(page)
    page.wait_for_url("**/play/beginner")
    headline, *details = page.inner_text("#means").split("\n")
    assert re.fullmatch(r"It will play the .*(more|less) often\.|It will not play the .* again\.", headline)
    often, better = r"(It now does so in \d of 10 games instead of \d\. ?)?", r"(The .* would have (won|drawn).*\.)?"
    assert re.fullmatch(often + better, " ".join(details).replace("\N{NO-BREAK SPACE}", " "))
    assert re.match(
        r"Your game put \d+ beads into|You took \d+ beads out of", page.inner_text("#status").split("\n")[1]
    )
    assert page.locator(".changed.most").count() == 1
    page.click("#next")
    page.wait_for_selector("#play:not(.over)")
    play_a_game(page)
    dots = page.locator("#lessons li")
    assert dots.count() == 2
    assert all(0 < float(dot.rpartition(" ")[2]) < 100 for dot in dots.all_text_contents())
    assert page.inner_text("#lessons p").startswith("Beginner now loses ")
    page.goto(f"{served}/menace/play")
    page.wait_for_selector("text=Yours has learned from 2 games")
    page.click("a:text('Teach it')")
    page.wait_for_url("**/play/beginner")
    page.wait_for_selector("#lessons li", state="attached")
    page.click("text=A new beginner")
    page.wait_for_selector(".unsaved #board button")
    assert page.inner_text("#games") == "0 games"
    with open_database(database) as store:
        assert [row.name for row in store.learners()][-1] == "beginner"


def test_result_with_a_beginner_is_shared_as_link_and_picture(chromium: Any, served: str, tmp_path: Path) -> None:
    with checked_page(chromium, served, accept_downloads=True) as page:
        page.goto(f"{served}/menace/beginner?seed=3")
        page.wait_for_selector("#challenges li")
        assert page.locator("#challenges li").all_inner_texts() == [
            "How many games until the machine no longer loses to you?",
            "Who raises the best machine in 20 games?",
        ]
        assert not page.locator("#show-raised").is_visible()
        play_a_game(page)
        page.wait_for_selector("#challenges b", state="attached")
        loss = page.inner_text("#lessons li").rpartition(" ")[2].split()[-1]
        first, best = page.locator("#challenges b").all_inner_texts()
        won = page.locator("#lessons li.win").count()
        assert first == ("Not after 1 game." if won else "It took 1 game.")
        assert best == "Game 1 of 20."
        boards = page.locator("#moves li").count() + 1
        page.click("#all")
        page.click("#show-raised")
        for kind in ("svg", "png"):
            with page.expect_download() as waiting:
                page.click(f"#save-{kind}")
            waiting.value.save_as(tmp_path / f"picture.{kind}")
        link = page.get_attribute("#raised-link", "href")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    svg = ET.parse(tmp_path / "picture.svg").getroot()
    texts = ["".join(text.itertext()) for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "A beginner, raised in 1 game" in texts
    assert any(text.startswith(f"It loses {loss} games of 100 against a random player.") for text in texts)
    grids = [path for path in svg.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "grid"]
    assert len(grids) > boards
    with checked_page(chromium, served) as page:
        page.goto(link)
        page.wait_for_selector("#raised[open] svg")
        assert page.inner_text("#raised-said") == "Somebody raised this machine. Can you raise a better one?"
        assert page.locator("#raised circle:is(.win, .draw, .loss)").count() == 1
        page.click("#raised form button")
        page.goto(f"{served}/menace/beginner#raised=e30")
        page.wait_for_selector("#raised[open]")
        assert page.inner_text("#raised-said").startswith("This link is damaged or incomplete")


def test_first_page_shows_practice_while_it_happens(chromium: Any, served: str) -> None:
    with checked_page(chromium, served, reduced_motion="reduce") as page:
        page.goto(served)
        page.wait_for_selector(".open .bead")
        assert page.locator("#practise").is_enabled()
        page.click("#shake")
        page.wait_for_selector(".open .drawn")
        page.click("#practise")
        page.wait_for_function(
            "document.querySelector('figcaption').textContent.includes('beads in this box are yellow')"
        )
        assert "85%" in page.inner_text(".open")
        page.click("#shake")
        page.wait_for_selector(".open .drawn")


def test_pawn_moves_by_two_clicks_and_explore_link_follows(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "pawns.db"
    with create_database(path, get_game("hexapawn", "3x3")) as store:
        new_learner(store, "her", "O")
    with serving(path) as home, checked_page(chromium, home) as page:
        page.goto(home)
        page.wait_for_selector(".open polygon.pawn-x")
        page.goto(f"{home}/pawns/play/her?seed=1&hide=training,worth")
        page.wait_for_selector("#board button")
        pawn = page.locator("#board .x").first
        assert pawn.evaluate("pawn => getComputedStyle(pawn).clipPath").startswith("polygon(36% 38%")
        assert page.locator("#board .arrows path").count() == 3
        assert not page.locator("#list button").first.is_visible()
        page.click('#board [data-cell="6"]')
        status(page, "Where to? a1-a2")
        assert page.locator("#board .target").count() == 1
        page.click('#board [data-cell="3"]')
        status(page, "her plays ")
        assert page.text_content("#moves li") == "you: a1-a2"
        assert page.locator("#training").count() == 0
        page.keyboard.down("h")
        assert page.locator(".shows-worth").count() == 0
        page.click("#explore")
        page.wait_for_selector('table[aria-label^="Board "]')
        page.wait_for_load_state("load")  # from this moment on, the script handles keys
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector('table[aria-label="Board OOOX...XX:O"]')


def at_speed(page: Any, speed: int) -> None:
    """Set the speed: 0 means one move per second, 1 to 4 mean 1 to 1,000 games per second, and 5 means full speed."""
    page.fill("[form=train][name=speed]", str(speed))


def test_training_updates_boxes_and_can_be_paused_at_any_speed(page: Any, served: str, database: Path) -> None:
    open_game(page, served, "seed=1")
    page.wait_for_selector("#boxes .small-box")
    assert page.text_content("#curve .hue-0 title").startswith("against random play: ")  # as in the legend
    page.eval_on_selector("[form=train][name=games]", "field => { field.value = 1000000000; }")
    for speed in (2, 3, 4, 5):
        before = page.inner_html("#boxes")
        at_speed(page, speed)
        page.click("#go")
        page.wait_for_function("before => document.getElementById('boxes').innerHTML !== before", arg=before)
        page.wait_for_selector("#wdl .wins")
        assert page.text_content("#go") == "Pause"
        page.click("#go")
        page.wait_for_function("() => document.getElementById('go').textContent === 'Go on'")
    page.click("#end")
    page.wait_for_function("() => document.getElementById('trained').textContent.includes(' ended after ')")
    page.wait_for_timeout(700)
    # The widths of the bar's segments are proportional to the numbers of results.
    parts, width = page.locator("#wdl .parts i").all(), page.locator("#wdl .parts").bounding_box()["width"]
    widths = [(part.get_attribute("class"), (part.bounding_box() or {"width": 0.0})["width"]) for part in parts]
    spans = page.locator("#wdl span").all()
    counts = {part.get_attribute("class"): int(part.text_content().split()[1].replace(",", "")) for part in spans}
    assert [name for name, _ in widths] == [*counts] == ["wins", "draws", "losses"]
    for name, part in widths:
        assert part == pytest.approx(width * counts[name] / sum(counts.values()), abs=0.5), name
    with open_database(database) as store:
        positions = positions_of(store)
        first = store.matchbox(1, 0)
        fills = page.evaluate(
            "[...document.querySelectorAll('#boxes .small-box:first-child .beads .bead :first-child')]"
            ".map(circle => circle.getAttribute('fill'))"
        )
        each = int("".join(re.findall(r"\d", page.text_content("#each"))) or 1)
        drawn = [max(1, round(pile.beads / each)) for pile in first if pile.beads]
        assert sorted(Counter(fills).values()) == sorted(drawn)
        assert positions.boards[0] == "." * 9
        assert f"{store.learner('menace-x').games:,} games" == page.text_content("#games")
        verify(store)


def test_training_error_is_shown_until_the_next_request(own_page: Any, served: str) -> None:
    page = own_page
    open_game(page, served, "seed=1")
    page.wait_for_selector("#boxes .small-box")
    page.select_option("[form=train][name=against]", "imperfect:0.1")
    page.eval_on_selector("#train", "form => { form.noValidate = true; }")
    page.fill("[form=train][name=p]", "7")
    page.click("#go")
    page.wait_for_function("() => document.getElementById('trained').textContent.includes('imperfect:7')")
    let_poll(page, 2)
    assert "needs a probability from 0 to 1" in page.text_content("#trained")


def test_games_are_shown_one_by_one_and_a_paused_run_continues(page: Any, served: str, database: Path) -> None:
    open_game(page, served, "seed=1")
    page.wait_for_selector("#boxes .small-box")
    page.eval_on_selector("[form=train][name=games]", "field => { field.value = 50; }")
    at_speed(page, 1)
    page.click("#go")
    page.wait_for_function("() => document.getElementById('status').textContent.includes('learns from it')")
    assert page.locator("#changes .comes, #changes .goes").count() > 0 or "draw" in page.text_content("#status")
    page.click("#go")
    page.wait_for_function("() => document.getElementById('trained').textContent.includes('is paused: ')")
    text = page.text_content("#trained")
    page.wait_for_timeout(1300)
    assert page.text_content("#trained") == text
    assert "you play O" in page.text_content("#status")  # the page shows the person's game again
    page.click("#one-block")
    page.wait_for_function("text => document.getElementById('trained').textContent !== text", arg=text)
    page.click("#one-game")
    at_speed(page, 5)
    page.wait_for_function("() => !document.getElementById('go').disabled")
    if page.text_content("#go") == "Go on":
        page.click("#go")
    page.wait_for_function("() => document.getElementById('games').textContent === '100 games'", timeout=20_000)
    with open_database(database) as store:
        assert store.learner("menace-x").games == 100
        verify(store)


def test_all_boxes_are_shown_and_a_variant_is_created(page: Any, served: str, database: Path) -> None:
    open_game(page, served, "seed=1")
    page.wait_for_selector("#boxes .small-box")
    page.click("#all-boxes")
    page.wait_for_function("() => document.querySelectorAll('#boxes .small-box').length === 304")
    page.fill("[name='settings.win']", "7")
    page.click("text=Play menace-x-2")
    page.wait_for_url("**/play/menace-x-2")
    with open_database(database) as store:
        made, like = (json.loads(store.learner(name).settings) for name in ("menace-x-2", "menace-x"))
        assert made == {**like, "win": 7}
        assert store.learner("menace-x-2").games == 0


# The times at which the page polls for training progress, in milliseconds on the page's clock, and the number of
# responses.
COUNT_POLLS = """
    window.polls = [];
    window.answers = 0;
    const send = window.fetch;
    window.fetch = async (address, ...more) => {
      const isPoll = String(address).includes("progress.json");
      if (isPoll) window.polls.push(Date.now());
      const answer = await send(address, ...more);
      if (isPoll) window.answers += 1;
      return answer;
    };
"""


def polls_after(page: Any, count: int) -> list[int]:
    """Advance a page's paused clock until the page has polled `count` times, and return the times of the polls."""
    while len(times := page.evaluate("window.polls")) < count:
        while page.evaluate("window.answers < window.polls.length"):
            page.wait_for_timeout(10)
        page.wait_for_timeout(10)
        page.clock.fast_forward(100)
    return list(times)


def test_idle_page_polls_less_often_until_an_action(own_page: Any, served: str) -> None:
    page = own_page
    page.add_init_script(COUNT_POLLS)
    open_game(page, served, "seed=1")
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 0.1)
    before = len(page.evaluate("window.polls"))
    first, second, third = polls_after(page, before + 3)[before:]
    assert third - second > 1.5 * (second - first)  # the waits between the page's polls are 0.5, 1, 2, 4 and 8 seconds
    page.keyboard.press("Tab")
    pressed = page.evaluate("Date.now()")
    # otherwise, the interval would be twice as long
    assert polls_after(page, before + 4)[-1] - pressed < 0.6 * (third - second)


def test_a_hidden_page_does_not_poll(own_page: Any, served: str) -> None:
    page = own_page
    page.add_init_script(COUNT_POLLS)
    open_game(page, served, "seed=1")
    page.wait_for_selector("#boxes .small-box")
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    page.wait_for_timeout(300)
    before = len(page.evaluate("window.polls"))
    for _ in range(10):
        page.clock.fast_forward(1000)
    page.wait_for_timeout(100)
    assert len(page.evaluate("window.polls")) == before
    page.evaluate(hide, False)
    page.wait_for_timeout(300)
    assert len(page.evaluate("window.polls")) == before + 1


def test_unreachable_server_is_reported_until_it_answers(chromium: Any, served: str) -> None:
    with contextlib.closing(chromium.new_context()) as context:  # requests may fail in this browser context
        page = context.new_page()
        page.clock.install()
        open_game(page, served, "seed=1")
        page.wait_for_selector("#boxes .small-box")
        silent = "id => document.getElementById(id).textContent.includes('he server does not answer')"
        for what, act in (("trained", lambda: page.keyboard.press("Tab")), ("status", lambda: page.click("#next"))):
            page.route("**/menace/play/**", lambda route: route.abort())
            let_poll(page, 2)  # the page now polls less often, and pressing a key makes it poll immediately
            act()
            page.wait_for_function(silent, arg=what, timeout=10_000)
            page.unroute("**/menace/play/**")
            page.wait_for_function(f"id => !({silent})(id)", arg=what, timeout=10_000)
        assert "Your turn" in page.text_content("#status")
