"""Tests of a kiosk: the machine that visitors teach, the server's responses, and the page in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from browsing import MALFORMED_BODIES, PAGE_HEADERS, WRITERS, answered_requests, ask, checked_page, scope_of, serving
from click.testing import CliRunner

from menace.cli import cli
from menace.errors import StoreError
from menace.explorer.kiosk import FILES, Exhibit, Kiosk, today
from menace.explorer.server.serving import site
from menace.ledger.create_and_open import open_database, open_or_create_database
from menace.ledger.learners import named_machine, new_beginner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.ledger.training import measure

MUSEUM = Path("museum.db")
EXHIBIT = "menace.explorer.kiosk"
LABELS = "cells => cells.map(cell => cell.dataset.label)"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_or_create_database(tmp_path / MUSEUM) as opened:
        yield opened


def make_move(exhibit: Exhibit, store: Store) -> dict[str, Any]:
    """Make the first legal move, and return the data that the page then shows."""
    seen = exhibit.view(store)
    exhibit.move(store, seen["turn"], len(seen["scene"]["plies"]), seen["scene"]["moves"][0]["name"])
    return exhibit.view(store)


def beads_of(store: Store) -> int:
    """Return the number of beads in the current machine's boxes."""
    machine = named_machine(store, f"kiosk-{today()}") if store.learners() else new_beginner(positions_of(store))
    return sum(int(move.amount) for box in machine.each_box() for move in box.moves)


def play_game(exhibit: Exhibit, store: Store, visit: bool = True) -> dict[str, Any]:
    exhibit.begin(store, exhibit.view(store)["turn"], visit)
    seen = exhibit.view(store)
    while seen["scene"]["outcome"] is None:
        seen = make_move(exhibit, store)
    return seen


def test_visitors_teach_one_machine_and_the_sentence_is_exact(store: Store) -> None:
    exhibit = Exhibit(daily=True)
    assert (
        exhibit.view(store)["taught"]
        == "Nobody has taught this machine yet. It loses 27 of 100 games against random moves."
    )
    assert store.learners() == []
    losses = [measure(new_beginner(positions_of(store)).policy())["random"].loss]
    for games in (2, 1, 3):
        for game in range(games):
            before = beads_of(store)
            own = play_game(exhibit, store, visit=not game)["own"]
            (row,) = store.learners()
            losses.append(measure(named_machine(store, row.name).policy())["random"].loss)
            now = beads_of(store)
            moved = (
                f"Your game put {now - before} beads into" if now > before else f"You took {before - now} beads out of"
            )
            assert own == f"{moved} its boxes."
    assert (row.name, row.games) == (f"kiosk-{today()}", 6)
    now = round(100 * losses[-1])
    loses, then = ("It still loses", "") if now == 27 else ("At first, it lost", f"; now it loses {now}")
    taught = f"Since this morning, 3 visitors have taught it. {loses} 27 of 100 games against random moves{then}."
    assert exhibit.view(store)["taught"] == taught
    assert exhibit.view(store)["visitor"] == 3
    verify(store)


def test_sentence_counts_no_visitor_who_left_during_a_game(store: Store) -> None:
    exhibit = Exhibit(daily=False)
    for _ in range(3):
        exhibit.begin(store, exhibit.view(store)["turn"], visit=True)
        make_move(exhibit, store)
    assert exhibit.view(store)["taught"].startswith("Nobody")
    play_game(exhibit, store)
    assert exhibit.view(store)["taught"].startswith("Since this morning, 1 visitor has taught it.")
    assert len(store.games()) == len(store.runs()) == 1


def set_day(monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    monkeypatch.setattr(f"{EXHIBIT}.today", lambda: date(2030, 5, day))


def test_each_day_has_its_machine_and_all_machines_stay(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    exhibit = Exhibit(daily=True)
    for day, games in ((1, 2), (2, 1), (3, 0)):
        set_day(monkeypatch, day)
        for _ in range(games):
            play_game(exhibit, store)
    assert exhibit.view(store)["taught"].startswith("Nobody has taught this machine yet")
    assert {row.name: row.games for row in store.learners()} == {"kiosk-2030-05-01": 2, "kiosk-2030-05-02": 1}


def test_game_that_goes_on_after_midnight_teaches_the_machine_of_the_day_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    exhibit = Exhibit(daily=True)
    set_day(monkeypatch, 1)
    exhibit.begin(store)
    set_day(monkeypatch, 2)
    while make_move(exhibit, store)["scene"]["outcome"] is None:
        pass
    play_game(exhibit, store, visit=False)
    assert {row.name: row.games for row in store.learners()} == {"kiosk-2030-05-01": 1, "kiosk-2030-05-02": 1}
    verify(store)


def test_game_of_the_day_before_does_not_continue_in_the_morning(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in (2, 1):  # the other machine exists already
        set_day(monkeypatch, day)
        Exhibit(daily=True).begin(store)
    assert Exhibit(daily=True).view(store)["scene"] is not None
    set_day(monkeypatch, 2)
    assert Exhibit(daily=True).view(store)["scene"] is None


def test_single_kiosk_machine_is_shown_with_its_first_day(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    exhibit = Exhibit(daily=False)
    first = today()
    play_game(exhibit, store)
    set_day(monkeypatch, 2)
    assert play_game(exhibit, store)["taught"].startswith(f"Since {first.day} {first:%B}, 2 visitors have taught it.")
    assert [(row.name, row.games) for row in store.learners()] == [("kiosk", 2)]


@pytest.mark.parametrize("games", [0, 1])
def test_game_continues_in_another_process_after_each_move(store: Store, games: int) -> None:
    """After each move, the database is the only file. The same visitor has already played `games` games."""
    exhibit = Exhibit(daily=True)
    for game in range(games):
        play_game(exhibit, store, visit=not game)
    exhibit.begin(store, exhibit.view(store)["turn"], visit=not games)
    seen = exhibit.view(store)
    while seen["scene"]["outcome"] is None:
        exhibit = Exhibit(daily=True)
        again = exhibit.view(store)
        for key in ("board", "plies", "saw", "opened", "moves", "seed"):
            assert again["scene"][key] == seen["scene"][key] or key == "seed"
        assert again["turn"] == seen["turn"]
        seen = make_move(exhibit, store)
    assert Exhibit(daily=True).view(store)["scene"] is None  # a finished game is not played twice
    assert [run.games_played for run in store.runs()] == [games + 1]
    verify(store)


def test_game_is_dropped_if_its_machine_would_now_make_other_moves(store: Store) -> None:
    exhibit = Exhibit(daily=False)
    exhibit.begin(store)
    (ply,) = exhibit.view(store)["scene"]["plies"]
    first = 8 if ply["name"] != "8" else 0
    with store.transaction():
        sql = "UPDATE lesson SET state = json_set(state, '$.plies[0]', ?)"
        store.database.execute(sql, [first])
    again = Exhibit(daily=False)
    assert again.view(store)["scene"] is None
    play_game(again, store)
    verify(store)


def test_failed_write_loses_neither_the_game_nor_its_move(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    exhibit = Exhibit(daily=True)
    exhibit.begin(store)
    seen = make_move(exhibit, store)

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    while seen["scene"]["outcome"] is None:
        with monkeypatch.context() as broken:
            broken.setattr(f"{EXHIBIT}.save_lesson", fail)
            with pytest.raises(StoreError):
                make_move(exhibit, store)
        assert exhibit.view(store)["scene"]["board"] == seen["scene"]["board"]
        assert store.games() == []
        seen = make_move(exhibit, store)
    assert len(store.games()) == 1
    verify(store)


def test_repeated_requests_neither_lose_nor_double_a_game(store: Store) -> None:
    exhibit = Exhibit(daily=True)
    exhibit.begin(store)
    seen = exhibit.view(store)
    for turn in ("", "x"):
        exhibit.begin(store, turn, visit=True)
    assert exhibit.view(store) == seen
    while (scene := exhibit.view(store)["scene"])["outcome"] is None:
        for _ in range(3):
            exhibit.move(store, seen["turn"], len(scene["plies"]), scene["moves"][0]["name"])
    for _ in range(2):
        exhibit.begin(store, seen["turn"])
    assert len(exhibit.view(store)["scene"]["plies"]) == 1
    assert len(store.games()) == 1


def test_film_shows_the_practice_of_a_copy_and_changes_nothing(store: Store) -> None:
    exhibit = Exhibit(daily=True)
    empty = Path(store.path).read_bytes()
    exhibit.film(store)
    assert Path(store.path).read_bytes() == empty
    play_game(exhibit, store)
    taught = Path(store.path).read_bytes()
    film = exhibit.film(store)
    assert Path(store.path).read_bytes() == taught
    first, last = film["frames"][0], film["frames"][-1]
    assert first == [[move["amount"] for move in box["moves"]] for box in film["boxes"]]
    boxes = islice(named_machine(store, exhibit.name).each_box(), len(first))
    assert first == [[move.amount for move in box.moves] for box in boxes]
    assert sum(last[0]) > 1000


# The server's responses.


@pytest.fixture
def kiosk(tmp_path: Path) -> Iterator[Kiosk]:
    open_or_create_database(tmp_path / MUSEUM).close()
    datasette = site([tmp_path / MUSEUM])
    asyncio.run(datasette.invoke_startup())
    served = Kiosk(tmp_path / MUSEUM, True, datasette.render_template)
    yield served
    served.worker.stop()


ALLOWED = {("GET", "/"), ("GET", "/state"), ("GET", "/film"), ("POST", "/begin"), ("POST", "/move")}
ALLOWED |= {("GET", f"/static/{name}") for name in FILES}


def test_only_the_page_of_the_kiosk_answers(kiosk: Kiosk) -> None:
    statuses = answered_requests(
        kiosk.app, ALLOWED, "museum", lambda method, path: scope_of(method, path, PAGE_HEADERS)
    )
    assert statuses.keys() == ALLOWED
    assert set(statuses.values()) <= {200, 400}
    page = ask(kiosk.app, scope_of("GET", "/", PAGE_HEADERS))[2]
    assert b"<a " not in page
    assert b"http:" not in page.replace(b"http://www.w3.org/2000/svg", b"")


@pytest.mark.parametrize(("changed", "client", "expected"), WRITERS)
def test_only_a_page_of_the_kiosk_on_this_computer_plays(
    kiosk: Kiosk, changed: dict[str, str], client: str, expected: int
) -> None:
    status, _, _ = ask(kiosk.app, scope_of("POST", "/begin", {**PAGE_HEADERS, **changed}, client), b"{}")
    assert status == expected
    with open_database(kiosk.worker.path) as store:
        assert len(store.learners()) == (expected == 200)


def test_malformed_bodies_change_nothing(kiosk: Kiosk) -> None:
    before = kiosk.worker.path.read_bytes()
    for path, body in product(("/begin", "/move"), MALFORMED_BODIES):
        status, _, content = ask(kiosk.app, scope_of("POST", path, PAGE_HEADERS), body)
        assert (status, path) == (400, path), (body, content)
    assert kiosk.worker.path.read_bytes() == before


@pytest.mark.parametrize("option", ["--class", "--read-only", "--host=0.0.0.0", "--player=x.py:f"])
def test_kiosk_is_served_alone(option: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["serve", "--kiosk", option, "--db", str(tmp_path / MUSEUM)])
    assert result.exit_code == 2
    assert "--kiosk cannot be combined with" in result.output


# The page in a browser.


def touch_a_cell(page: Any) -> None:
    """Touch the first free cell if it is the visitor's turn."""
    page.wait_for_timeout(700)
    for cell in page.locator("#stage button[data-cell]:not([aria-disabled])").all()[:1]:
        cell.tap()


def wait_for_pieces(page: Any, pieces: int) -> None:
    shown = page.locator("#stage :is(.x, .o)")
    shown.nth(pieces - 1).wait_for()
    assert shown.count() == pieces


@pytest.mark.slow
def test_visitor_plays_and_the_film_starts_after_a_minute_without_a_touch(
    chromium: Any, tmp_path: Path, axe: Callable[..., list[str]]
) -> None:
    database = tmp_path / MUSEUM
    with serving(database, "--kiosk") as home, checked_page(chromium, home, has_touch=True) as page:
        page.clock.install()
        page.goto(home)
        page.wait_for_selector("#wall .matchbox")
        unused = database.read_bytes()
        page.clock.run_for(20_000)  # longer than the whole film
        page.wait_for_selector("#wall .matchbox")
        assert axe(page) == []
        assert database.read_bytes() == unused
        page.touchscreen.tap(900, 300)  # the board will appear at this point, but this touch only ends the film
        page.wait_for_selector("#stage button")
        assert page.locator("#stage .last").count() == 1
        touch_a_cell(page)
        wait_for_pieces(page, 3)
        page.clock.fast_forward(40_000)
        assert page.is_visible("#game")
        board = page.locator("#stage button").evaluate_all(LABELS)
        page.reload()
        page.wait_for_selector("#stage button")
        assert page.locator("#stage button").evaluate_all(LABELS) == board
        touch_a_cell(page)
        wait_for_pieces(page, 5)  # the machine may have won by chance
        page.clock.fast_forward(40_000)
        assert page.is_visible("#game")
        during = database.read_bytes()
        page.clock.fast_forward(61_000)
        page.wait_for_selector("#wall .matchbox")
        assert page.is_hidden("#game")
        assert database.read_bytes() == during
        page.touchscreen.tap(400, 300)
        wait_for_pieces(page, 1)  # a new game
        while page.is_hidden("#next"):
            page.clock.run_for(600)
            touch_a_cell(page)
        page.clock.run_for(3_000)
        page.wait_for_selector("#changed .changed")
        assert axe(page) == []
        assert page.inner_text("#game .taught").startswith("Since this morning, ")
        assert page.inner_text("#then").startswith("You are visitor ")
        page.tap("#next")
        page.wait_for_selector("#anew:visible")
    with open_database(database) as store:
        assert [row.games for row in store.learners()] == [len(store.games())]
        verify(store)
