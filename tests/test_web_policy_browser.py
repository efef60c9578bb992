"""The content security policy in a real browser: our scripts and Datasette's run, injected ones do not."""

from __future__ import annotations

import http.server
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from browsing import REBOUND, watched

pytestmark = pytest.mark.slow

OURS = ["", "/menace/play/menace-x?seed=1", "/nothing"]  # test_web_axe.py opens all others, and hears of it, too
THEIRS = ["/", "/menace", "/menace?sql=select+1", "/menace/learner", "/menace/learner/1", "/menace/block?_facet=run_id"]
THEIRS += ["/menace/position/0", "/menace/strength", "/nothing", "/menace/nothing", "/menace?sql=wrong", "/-/versions"]
SMUGGLED = "<script>window.smuggled = 1</script><img src=x onerror='window.smuggled = 2'><a href='javascript:1'>a</a>"
EDITOR = ".CodeMirror, .cm-editor"  # of Datasette 0.65, and 1.0
BLOCKED = "Content Security Policy"


def test_no_page_breaks_the_policy(chromium: Any, served: str) -> None:
    root = served.removesuffix("/-/menace")
    with watched(chromium, served) as page:
        for below in OURS:
            page.goto(served + below)
            page.wait_for_load_state("networkidle") if "/play/" not in below else page.wait_for_selector("#board")
        for below, width in itertools.product(THEIRS, (1200, 400)):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(root + below)
            click_what_has_a_script_inside(page)


def click_what_has_a_script_inside(page: Any) -> None:
    for button in page.query_selector_all("[onclick]"):  # Datasette 1.0 has one
        if button.is_visible():
            button.click()


def test_datasettes_menu_and_its_sql_editor_work(chromium: Any, served: str) -> None:
    with watched(chromium, served) as page:
        page.goto(served.removesuffix("/-/menace") + "/menace?sql=select+name+from+learner+order+by+name")
        page.click("details.nav-menu summary")
        assert page.locator("details.nav-menu").evaluate("menu => menu.open")
        page.click("h1")  # Datasette's script closes it
        page.wait_for_function("() => !document.querySelector('details.nav-menu').open")
        editor, text = page.locator(EDITOR), f"document.querySelector('{EDITOR}').innerText"
        before = editor.inner_text()
        page.click("#sql-format")
        page.wait_for_function(f"before => {text} !== before", arg=before)
        editor.click()
        page.keyboard.press("Shift+Enter")  # asks it, by a form
        page.wait_for_url("**sql=select%0*")
        page.goto(served.removesuffix("/-/menace") + "/menace/learner")
        page.locator("th svg.dropdown-menu-icon").first.click()
        page.wait_for_selector(".dropdown-menu:visible")


def test_a_script_that_was_smuggled_into_a_page_does_not_run(chromium: Any, served: str) -> None:
    """As if some page wrote data out as they are: Datasette's and ours."""
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


@contextmanager
def another_site(page: str) -> Iterator[str]:
    """Serve a page as another site, which a browser distinguishes by its host name."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_a_page_of_another_site_may_link_here_and_nothing_else(chromium: Any, served: str) -> None:
    table = served.removesuffix("/-/menace") + "/menace/learner"
    tried = f'<img src="{table}.csv"><script src="{table}.json"></script><iframe src="{table}"></iframe>'
    tried += f'<object data="{table}.json"></object><link rel=stylesheet href="{served}"><a href="{table}">go</a>'
    with another_site(f"<!doctype html><title>elsewhere</title>{tried}") as site:
        context = chromium.new_context()
        page, statuses = context.new_page(), []
        page.on(
            "response",
            lambda response: (
                urlsplit(response.url).netloc == urlsplit(served).netloc
                and statuses.append((response.url, response.status))
            ),
        )
        page.goto(site)
        page.wait_for_load_state("networkidle")
        page.evaluate("address => fetch(address, {mode: 'no-cors'}).catch(() => null)", f"{table}.json")
        assert len(statuses) >= 3  # chromium does not tell of the others, whose kind it sees is wrong
        assert {status for _, status in statuses} == {403}
        page.click("text=go")
        page.wait_for_url(table)
        assert "menace-x" in page.content()
        context.close()


def test_a_name_that_is_made_to_lead_here_shows_nothing(chromium: Any, served: str) -> None:
    """DNS rebinding."""
    context = chromium.new_context()
    page = context.new_page()
    answer = page.goto(f"http://{REBOUND}:{urlsplit(served).port}/-/menace")
    assert answer.status == 421
    assert page.inner_text("body").strip().endswith(f"open {served}")
    context.close()
