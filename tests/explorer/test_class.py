"""Tests of a lesson for a class, and of attacks on the lesson's server, which other computers can reach."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browsing import (
    HOME,
    MALFORMED_BODIES,
    PAGE_HEADERS,
    WRITERS,
    answered_requests,
    ask,
    checked_page,
    launch_browser,
    printed_by_server,
    scope_of,
)

from menace.errors import InvalidPlayer, InvalidRun
from menace.explorer.classroom.lesson import Cards, Lesson, Pupil, add_up, tournament
from menace.explorer.classroom.server import FILES, TEACHER, Classroom, Limit
from menace.explorer.server.requests import LostSession, TooManySessions
from menace.explorer.server.security import Refused
from menace.explorer.server.serving import own_address, site
from menace.ledger.create_and_open import open_database, open_or_create_database
from menace.ledger.learners import named_machine
from menace.ledger.log.verification import verify
from menace.ledger.store import Store


@pytest.fixture
def class_store(tmp_path: Path) -> Iterator[Store]:
    with open_or_create_database(tmp_path / "class.db") as opened:
        yield opened


def joined(lesson: Lesson, store: Store, *names: str) -> list[Pupil]:
    return [lesson.pupil(lesson.join(store, lesson.choices.code, name)) for name in names]


def play_game(lesson: Lesson, store: Store, pupil: Pupil) -> None:
    """Play one game, making the first legal move each time."""
    lesson.next_game(store, pupil, pupil.turn)
    assert pupil.scene is not None
    while pupil.scene["outcome"] is None:
        lesson.move(store, pupil, pupil.turn, len(pupil.scene["plies"]), pupil.scene["moves"][0]["name"])


def test_each_pupil_trains_a_separate_machine(class_store: Store) -> None:
    lesson = Lesson(class_store)
    anna, ben = joined(lesson, class_store, "Anna", "Ben")
    lesson.change_phase(class_store, "play")
    for pupil in (anna, ben, anna):
        play_game(lesson, class_store, pupil)
    games = {row.name: (row.plays.value, row.games) for row in class_store.learners()}
    assert games == {"menace-x": ("X", 0), "menace-o": ("O", 0), "Anna-x": ("X", 2), "Ben-o": ("O", 1)}
    assert (len(anna.games), len(ben.games)) == (2, 1)
    verify(class_store)


def test_all_pupils_teach_one_machine_after_a_switch(class_store: Store) -> None:
    lesson = Lesson(class_store)
    lesson.choose(class_store, ["menace-o"])
    pupils = joined(lesson, class_store, "Anna", "Ben")
    lesson.change_phase(class_store, "play")
    lesson.choose(class_store, ["menace-o"], together=True)
    for pupil in pupils:
        lesson.next_game(class_store, pupil, "")
    for pupil in pupils:  # both games begin before one of them ends
        play_game(lesson, class_store, pupil)
    assert class_store.learner("class-o").games == 2
    assert class_store.learner("Anna-o").games == 0
    verify(class_store)


def test_repeated_requests_neither_lose_nor_double_a_game(class_store: Store) -> None:
    lesson = Lesson(class_store)
    (anna,) = joined(lesson, class_store, "Anna")
    lesson.change_phase(class_store, "play")
    lesson.next_game(class_store, anna, "")
    lesson.next_game(class_store, anna, "")
    first = anna.turn
    assert anna.scene is not None
    while anna.scene["outcome"] is None:
        ply, move = len(anna.scene["plies"]), anna.scene["moves"][0]["name"]
        for _ in range(3):
            lesson.move(class_store, anna, anna.turn, ply, move)
    assert len(class_store.games()) == 1
    for _ in range(3):
        lesson.next_game(class_store, anna, first)
    second = anna.turn
    lesson.move(class_store, anna, first, len(anna.scene["plies"]), "0")
    assert second != first
    assert len(class_store.games()) == 1
    assert all(ply["by_machine"] for ply in anna.scene["plies"])
    play_game(lesson, class_store, anna)
    lesson.next_game(class_store, anna, first)  # this repeats a request that belongs to an earlier game
    assert anna.turn == second


def test_lesson_continues_after_the_process_was_killed(class_store: Store) -> None:
    lesson = Lesson(class_store)
    token = lesson.join(class_store, lesson.choices.code, "Anna")
    lesson.change_phase(class_store, "play")
    play_game(lesson, class_store, lesson.pupil(token))
    again = Lesson(class_store)  # only the file remains
    anna = again.pupil(token)
    assert (again.choices, anna.games) == (lesson.choices, lesson.pupil(token).games)
    play_game(again, class_store, anna)
    assert class_store.learner("Anna-x").games == len(anna.games) == 2
    again.change_phase(class_store, "over")
    after = Lesson(class_store)
    assert after.pupils == {}
    with pytest.raises(LostSession):
        after.pupil(token)


def test_pause_and_end_stop_every_move(class_store: Store) -> None:
    lesson = Lesson(class_store)
    (anna,) = joined(lesson, class_store, "Anna")
    lesson.next_game(class_store, anna, "")
    assert anna.scene is None  # the teacher has not started the lesson yet
    lesson.change_phase(class_store, "play")
    lesson.next_game(class_store, anna, "")
    assert anna.scene is not None
    plies = len(anna.scene["plies"])
    for phase in ("paused", "over"):
        lesson.change_phase(class_store, phase)
        lesson.move(class_store, anna, anna.turn, plies, anna.scene["moves"][0]["name"])
        assert len(anna.scene["plies"]) == plies
    with pytest.raises(InvalidRun, match="the lesson is over"):
        lesson.change_phase(class_store, "play")
    with pytest.raises(LostSession):
        joined(lesson, class_store, "Ben")


@pytest.mark.parametrize("name", ["", " ", "Anna", "anna", "menace-x", "human", "<b>", "a" * 21, "--help", "a\nb"])
def test_nicknames_are_checked(class_store: Store, name: str) -> None:
    lesson = Lesson(class_store)
    joined(lesson, class_store, "Anna")
    with pytest.raises(InvalidPlayer):
        joined(lesson, class_store, name)
    assert list(lesson.pupils) == ["Anna"]


def test_released_pupil_comes_back_and_a_removed_one_does_not(class_store: Store) -> None:
    lesson = Lesson(class_store)
    token = lesson.join(class_store, lesson.choices.code, "Anna")
    lesson.release(class_store, "Anna")
    with pytest.raises(LostSession):
        lesson.pupil(token)
    (anna,) = joined(lesson, class_store, "Anna")
    assert anna is lesson.pupils["Anna"]
    lesson.release(class_store, "Anna", remove=True)
    assert Lesson(class_store).pupils == {}


def test_file_contains_no_token(class_store: Store) -> None:
    lesson = Lesson(class_store)
    token = lesson.join(class_store, lesson.choices.code, "Anna")
    assert token.encode() not in Path(class_store.path).read_bytes()


def test_summed_machine_and_tournament_are_exact(class_store: Store) -> None:
    lesson = Lesson(class_store)
    pupils = joined(lesson, class_store, *"abcd")
    lesson.change_phase(class_store, "play")
    for pupil in pupils * 2:
        play_game(lesson, class_store, pupil)
    result = tournament(lesson, class_store)
    assert {entry["plays"] for entry in result["ranked"]} == {"X", "O"}
    assert {(row, *cells) for row, cells in result["table"].items()} == {("a-x", "b-o", "d-o"), ("c-x", "b-o", "d-o")}
    assert sum(entry["points"] for entry in result["ranked"]) == pytest.approx(2)
    assert [(entry["name"], entry["games"]) for entry in add_up(lesson, class_store)] == [("sum-x", 4), ("sum-o", 4)]
    fresh, total = (named_machine(class_store, name).learned.amount for name in ("menace-x", "sum-x"))
    learned = [named_machine(class_store, name).learned.amount - fresh for name in ("a-x", "c-x")]
    assert (total == (fresh + sum(learned)).clip(min=0)).all()
    cards = Cards()
    shown = cards.all(class_store, lesson)
    assert [(card["pupil"], card["games"]) for card in shown] == [("a", 2), ("b", 2), ("c", 2), ("d", 2)]
    curve = cards.curve()
    assert [games for games, _ in curve] == list(range(9))
    assert [curve[place][1] for place in (0, -1)] == [
        pytest.approx(sum(card[name] for card in shown) / 4) for name in ("start", "loss")
    ]
    verify(class_store)


# Attacks from a different computer on the network.

ADDRESS = own_address()
PORT = 8002


def of_pupil(method: str, path: str, headers: dict[str, str], client: str = "192.168.1.7") -> dict[str, Any]:
    return scope_of(method, path, headers, client, (ADDRESS, PORT))


OWN = {"host": f"{ADDRESS}:{PORT}", "origin": f"http://{ADDRESS}:{PORT}", "content-type": "application/json"}


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    open_or_create_database(tmp_path / "class.db").close()
    datasette = site([tmp_path / "class.db"])
    asyncio.run(datasette.invoke_startup())
    room = Classroom(tmp_path / "class.db", datasette.render_template)
    room.by_client = room.by_pupil = Limit(1e6, 1e6)
    yield room
    room.worker.stop()


def enter(room: Classroom, name: str) -> dict[str, str]:
    body = json.dumps({"code": room.lesson.choices.code, "name": name}).encode()
    status, _, content = ask(room.for_pupils, of_pupil("POST", "/join", OWN), body)
    assert status == 200, content
    return {**OWN, "x-pupil": json.loads(content)["token"]}


ALLOWED = {("GET", "/"), ("GET", "/state"), ("POST", "/join"), ("POST", "/next"), ("POST", "/move")}
ALLOWED |= {("GET", f"/static/{name}") for name in FILES}


def test_only_the_pages_of_the_class_answer(classroom: Classroom) -> None:
    pupil, before = enter(classroom, "Anna"), classroom.lesson.choices.phase
    statuses = answered_requests(
        classroom.for_pupils, ALLOWED, "class", lambda method, path: of_pupil(method, path, pupil)
    )
    assert statuses.keys() == ALLOWED
    assert set(statuses.values()) <= {200, 400, 403, 503}
    assert classroom.lesson.choices.phase == before


FORGED_HOSTS = ["evil.example", f"localhost:{PORT}", f"127.0.0.1:{PORT}", ADDRESS, f"{ADDRESS}.:{PORT}", ""]
FORGED_ORIGINS = ["http://evil.example", "null", "", f"http://{ADDRESS}:{PORT}/", f"https://{ADDRESS}:{PORT}"]
FORGED: list[tuple[dict[str, str], int]] = [
    ({"host": f"evil.example:{PORT}", "origin": f"http://evil.example:{PORT}"}, 421),
    *(({"host": host}, 421) for host in FORGED_HOSTS),
    *(({"origin": origin}, 403) for origin in FORGED_ORIGINS),
    *(({"sec-fetch-site": site}, 403) for site in ("cross-site", "same-site")),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
    *(({"content-type": kind}, 403) for kind in ("text/plain", "application/x-www-form-urlencoded")),
]


@pytest.mark.parametrize(("changed", "expected"), FORGED)
def test_forged_headers_are_refused(classroom: Classroom, changed: dict[str, str], expected: int) -> None:
    pupil = enter(classroom, "Anna")
    classroom.worker.submit(lambda store: classroom.lesson.change_phase(store, "play")).result()
    for path, body in (("/next", b'{"turn": ""}'), ("/join", b'{"code": "AAAA", "name": "Eve"}')):
        status, _, _ = ask(classroom.for_pupils, of_pupil("POST", path, {**pupil, **changed}), body)
        assert status == expected
    assert classroom.lesson.pupils["Anna"].session is None


def test_pupil_cannot_move_for_another_pupil(classroom: Classroom) -> None:
    anna, eve = enter(classroom, "Anna"), enter(classroom, "Eve")
    classroom.worker.submit(lambda store: classroom.lesson.change_phase(store, "play")).result()
    _, _, content = ask(classroom.for_pupils, of_pupil("POST", "/next", anna), b"{}")
    state = json.loads(content)
    move = {"turn": state["turn"], "ply": len(state["scene"]["plies"]), "move": state["scene"]["moves"][0]["name"]}
    key = classroom.lesson.pupils["Anna"].key
    for token in (eve["x-pupil"], "", key, "Anna", anna["x-pupil"][:-1], anna["x-pupil"] + "x", "x" * 5000):
        ask(classroom.for_pupils, of_pupil("POST", "/move", {**eve, "x-pupil": token}), json.dumps(move).encode())
        _, _, seen = ask(classroom.for_pupils, of_pupil("GET", "/state", {**eve, "x-pupil": token}))
        assert json.loads(seen).get("name") in {"Eve", None}
    assert json.loads(ask(classroom.for_pupils, of_pupil("GET", "/state", anna))[2]) == state
    assert anna["x-pupil"].encode() not in content


def test_malformed_bodies_change_nothing(classroom: Classroom) -> None:
    pupil = enter(classroom, "Anna")
    for path, body in product(("/join", "/next", "/move"), MALFORMED_BODIES):
        status, _, content = ask(classroom.for_pupils, of_pupil("POST", path, pupil), body)
        assert status == 400, (path, body, content)
    assert list(classroom.lesson.pupils) == ["Anna"]
    assert classroom.lesson.pupils["Anna"].session is None


def test_class_codes_cannot_be_guessed_and_requests_are_limited(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("menace.explorer.classroom.server.time", SimpleNamespace(monotonic=lambda: now[0]))
    pupil = enter(classroom, "Anna")
    classroom.by_client, classroom.by_pupil = Limit(100, 300), Limit(5, 20)
    right = json.dumps({"code": classroom.lesson.choices.code, "name": "Eve"}).encode()
    wrong = [json.dumps({"code": "----", "name": "Eve"}).encode()] * 40
    statuses = [ask(classroom.for_pupils, of_pupil("POST", "/join", OWN), body)[0] for body in (*wrong, right)]
    assert statuses[:30] == [403] * 30
    assert set(statuses[30:]) == {503}
    assert ask(classroom.for_pupils, of_pupil("POST", "/join", OWN, "192.168.1.8"), right)[0] == 200
    states = [ask(classroom.for_pupils, of_pupil("GET", "/state", pupil, f"10.0.0.{n}"))[0] for n in range(40)]
    assert states[0] == 200
    assert states[-1] == 503
    pages = [ask(classroom.for_pupils, of_pupil("GET", "/nothing", OWN, "192.168.1.9"))[0] for _ in range(600)]
    assert pages[-1] == 503
    now[0] += 3.0
    assert ask(classroom.for_pupils, of_pupil("GET", "/nothing", OWN, "192.168.1.9"))[0] == 404


def test_number_of_pupils_in_a_class_is_limited(class_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.explorer.classroom.lesson.MAX_PUPILS", 2)
    lesson = Lesson(class_store)
    joined(lesson, class_store, "Anna", "Ben")
    with pytest.raises(TooManySessions):
        joined(lesson, class_store, "Eve")
    with pytest.raises(Refused):
        lesson.join(class_store, "", "Eve")


@pytest.mark.parametrize(("changed", "client", "expected"), WRITERS)
def test_only_the_teacher_can_change_the_phase_of_a_lesson(
    classroom: Classroom, changed: dict[str, str], client: str, expected: int
) -> None:
    async def explorer(*_: object) -> None:
        raise AssertionError

    scope = scope_of("POST", f"{TEACHER}/phase", {**PAGE_HEADERS, **changed}, client)
    status, _, _ = ask(classroom.for_teacher(explorer), scope, b'{"phase": "play"}')
    assert status == expected
    assert classroom.lesson.phase == ("play" if expected == 200 else "lobby")


def test_class_pages_do_not_exist_without_a_class(database: Path) -> None:
    async def look(path: str) -> int:
        datasette = site([database])
        await datasette.invoke_startup()
        return int((await datasette.client.get(path)).status_code)

    assert [asyncio.run(look(path)) for path in (TEACHER, f"{TEACHER}/state.json", "/join")] == [404] * 3


@contextmanager
def lesson_served(database: Path) -> Iterator[tuple[str, str, str]]:
    """Serve a class, and yield the address of the teacher's page, that of the pupils' page, and the class code."""
    with printed_by_server(database, "--class") as lines:
        teacher, told = next(lines).split()[0], next(lines).split()
        yield teacher, told[2], told[-1]


@pytest.mark.skipif(own_address() == "127.0.0.1", reason="this computer has no other address")
def test_other_computers_reach_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "true")
    with lesson_served(tmp_path / "class.db") as (teacher, home, _):
        address, port = home.removeprefix("http://").strip("/").split(":")
        explorer = int(teacher.removeprefix("http://127.0.0.1:").partition("/")[0])
        assert address == ADDRESS
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address, explorer), timeout=5)
        with closing(http.client.HTTPConnection(address, int(port), timeout=10)) as connection:
            for path in (HOME, TEACHER, "/class", "/-/databases.json", "/class.db"):
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 404
        with socket.create_connection((address, int(port)), timeout=30) as long:
            long.sendall(b"GET / HTTP/1.1\r\nx: " + b"y" * 200_000)
            assert b" 4" in long.recv(99)


# The sizes, in screen pixels, of the letters that an audience has to read.
SIZES_OF_LETTERS = """
    parts => parts.filter(part => [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .map(part => parseFloat(getComputedStyle(part).fontSize) * (part.ownerSVGElement?.getScreenCTM().a ?? 1))
"""
SCROLLED_SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


@pytest.mark.slow
def test_pupil_plays_in_a_browser_and_the_teacher_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, axe: Callable[..., list[str]]
) -> None:
    monkeypatch.setenv("BROWSER", "true")
    chance, database = random.Random(1), tmp_path / "class.db"
    with (
        lesson_served(database) as (teacher, home, code),
        launch_browser() as chromium,
        checked_page(chromium, teacher) as screen,
        checked_page(chromium, home) as phone,
    ):
        screen.goto(teacher)
        phone.goto(home)
        phone.fill("[name=code]", code.lower())
        phone.fill("[name=name]", "Anna")
        phone.click("#join button")
        screen.wait_for_selector("#names :text('Anna')")
        screen.click("#begin")
        phone.wait_for_selector("#stage button")
        phone.reload()
        phone.wait_for_selector("#stage button")
        while not phone.locator("#next:visible").count():
            cells = phone.locator("#stage button[data-cell]:not([aria-disabled])").all()
            if cells:
                chance.choice(cells).click()
            phone.wait_for_timeout(100)
        screen.wait_for_selector("#count:text('1 pupil, 1 game')")
        screen.wait_for_selector("#play-X .card :text('Anna')")
        headline = " ".join(screen.inner_text("#headline").split())
        assert re.fullmatch(
            r"The class.s machines now win or draw \d+ of 100 games"
            r" against a player who only guesses \(73 at the beginning\)",
            headline,
        )
        assert screen.locator("#join-here svg").is_visible()
        for size in ((1280, 800), (1920, 1080)):
            screen.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            screen.wait_for_timeout(1200)  # the page rearranges the cards after each poll
            assert screen.evaluate(SCROLLED_SIZE) == [*size]
            assert screen.locator(".card svg").bounding_box()["width"] > size[1] / 4
            assert min(screen.eval_on_selector_all("#live *", SIZES_OF_LETTERS)) >= 20
        assert axe(screen) == axe(phone) == []

        def show_three_machines(route: Any) -> None:
            answer = route.fetch()
            state = answer.json()
            now = {"Ada": 0.4, "Ben": 0.1, "Cem": 0.2}
            state["cards"] = [{**state["cards"][0], "pupil": name, "start": 0.5, "loss": now[name]} for name in now]
            route.fulfill(response=answer, json=state)

        screen.route("**/state.json", show_three_machines)
        screen.wait_for_function("() => document.querySelectorAll('div.card').length === 3")
        cards = sorted(screen.locator("div.card").all(), key=lambda card: [*map(card.bounding_box().get, "yx")])
        assert [card.inner_text().split()[-3:] for card in cards] == [
            ["Ben", "+40", "90"],
            ["Cem", "+30", "80"],
            ["Ada", "+10", "60"],
        ]
        assert "Ben\N{RIGHT SINGLE QUOTATION MARK}s machine has improved most" in screen.inner_text("#most")
        screen.unroute("**/state.json")
        screen.click("#pause")
        phone.wait_for_selector("[data-phase=paused]")
    with open_database(database) as store:
        assert len(store.games()) == store.learner("Anna-x").games == 1
        verify(store)
