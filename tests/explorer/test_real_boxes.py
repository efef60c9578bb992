"""Tests that real matchboxes stay correct if the operator simply follows the instructions on the Play page."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import checked_page, get, post, serving

from menace.explorer.server.serving import site
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.people.physical import emptied, operators_names, record_count

GAMES = {
    "tictactoe": ("3x3x3", "X", "scroggs"),
    "hexapawn": ("3x3", "O", "gardner-1962"),
    "nim": ("10-take3-misere", "X", "nim-cups"),
}
HERE = "/menace/play/real"
Boxes = dict[int, dict[str, int]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return create(tmp_path / "menace.db", "tictactoe")


def create(path: Path, game: str) -> Path:
    variant, side, preset = GAMES[game]
    with create_database(path, game, variant) as store:
        new_learner(store, "real", side, preset)  # type: ignore[arg-type]
    return path


def boxes_in(path: Path) -> Boxes:
    with open_database(path) as store:
        machine = named_machine(store, "real")
        names = operators_names(machine)
        verify(store)
    return {
        box.number or 0: {names.describe(box.board, move.action): move.beads for move in box.moves}
        for box in machine.matchboxes
    }


class Operator:
    """An operator with real boxes, who sees only the data that the page shows."""

    def __init__(self, datasette: Any, boxes: Boxes, seed: int = 1) -> None:
        self.datasette, self.boxes, self.chance = datasette, boxes, random.Random(seed)
        self.scene = self.send("begin", physical=True, name="Anna")

    def send(self, what: str, **body: Any) -> dict[str, Any]:
        answer = post(self.datasette, f"{HERE}/{what}", body)
        assert answer.status_code == 200, answer.text
        self.scene = answer.json()
        self.obey(self.scene["said"])
        return self.scene

    def obey(self, said: list[str]) -> None:
        for number in re.findall(r"remove the initial beads from box (\d+) again", "\n".join(said)):
            self.boxes[int(number)] = dict.fromkeys(self.boxes[int(number)], 0)

    def enter(self, text: str, **more: Any) -> dict[str, Any]:
        return self.send("move", token=self.scene["token"], move=text, **more)

    def next_entry(self) -> str:
        box = self.scene["box"]
        if box is None:
            return str(self.chance.choice(self.scene["moves"])["name"])
        real = self.boxes[box["number"]]
        for text in box["says"]:
            if "put its initial beads back" in text:
                assert not any(real.values())
                real.update({bead: int(beads) for beads, bead in re.findall(r"(\d+) ([a-z ]+ \([^)]+\))", text)})
        assert [real[bead] for bead in box["beads"]] == [move["amount"] for move in box["moves"]]
        (row,) = self.chance.choices(range(len(real)), [real[bead] for bead in box["beads"]])
        return str(box["moves"][row]["bead"])

    def play(self, undoing: float = 0.0) -> None:
        """Play and record one game, and change the real boxes accordingly."""
        while self.scene["outcome"] is None:
            if self.scene["entries"] and self.chance.random() < undoing:
                self.send("undo", token=self.scene["token"])
            else:
                self.enter(self.next_entry())
        self.send("finish", token=self.scene["token"])
        assert self.scene["todo"][0].startswith("put each bead back")
        for text in self.scene["todo"][1:]:
            # type: ignore[union-attr]
            number, verb, beads, bead = re.fullmatch(r"box (\d+) \(\S+\): (add|remove) (\d+) (.*)", text).groups()
            self.boxes[int(number)][bead] += int(beads) if verb == "add" else -int(beads)
        self.send("next", token=self.scene["token"])


@pytest.mark.parametrize("game", GAMES)
def test_operator_keeps_boxes_and_database_in_step(tmp_path: Path, game: str) -> None:
    path = create(tmp_path / "menace.db", game)
    operator = Operator(site([path]), boxes_in(path), seed=3)
    for _ in range(12):
        operator.play(undoing=0.1)
        assert operator.boxes == boxes_in(path)
    with open_database(path) as store:
        assert len(store.games()) == 12


def test_empty_box_is_restocked_and_emptied_again_by_undo(tmp_path: Path) -> None:
    path = tmp_path / "menace.db"
    with create_database(path, "tictactoe", "3x3x3") as store:
        new_learner(store, "real", "X", "menace")
        record_count(store, "real", emptied(named_machine(store, "real").matchboxes[0]))
    operator = Operator(site([path]), boxes_in(path))
    cells = {"red": 0, "orange": 1, "white": 4}
    for _ in range(2):
        first = operator.next_entry()  # puts the initial beads into the box
        assert sum(operator.boxes[1].values()) == 12
        operator.enter(first)
        assert operator.send("undo", token=operator.scene["token"])["said"] == [
            f"real's move {cells[first]} is undone; put its bead back",
            "remove the initial beads from box 1 again, because the box was empty",
        ]
        assert not any(operator.boxes[1].values())
    operator.play()
    assert operator.boxes == boxes_in(path)


def test_repeated_request_changes_nothing(path: Path) -> None:
    operator = Operator(site([path]), boxes_in(path))
    operator.enter("white", ply=0)
    assert operator.enter("0", ply=0)["plies"] == 1
    operator.enter("0", ply=1)
    assert operator.enter("0", ply=1)["entries"] == ["white", "0"]


def test_game_continues_after_the_server_restarts(path: Path) -> None:
    operator = Operator(site([path]), boxes_in(path))
    for entry in ("white", "8", "pink"):
        scene = operator.enter(entry)
    operator.datasette = site([path])
    assert get(operator.datasette, f"{HERE}/session.json?token={scene['token']}").status_code == 410
    again = operator.send("begin", physical=True, entries=scene["entries"], board=scene["board"])
    assert (again["entries"], again["board"], again["said"]) == (scene["entries"], scene["board"], [])
    other = operator.send("begin", physical=True, entries=scene["entries"], board=".........")
    assert other["said"][0] == "the boxes have changed during this game, so the game begins again"
    assert other["plies"] == 0


def test_recount_changes_a_box_and_keeps_the_game(path: Path) -> None:
    operator = Operator(site([path]), boxes_in(path))
    operator.enter("white")
    scene = operator.enter("8")
    sky = next(move for move in scene["box"]["moves"] if move["bead"] == "sky blue")
    shown = get(operator.datasette, f"{HERE}/matchboxes/box.json?number=8").json()
    assert shown["beads"] == scene["box"]["beads"] == ["orange (1)", "yellow (2)", "sky blue (5)", "pink (8)"]
    counted = {move["bead"]: move["amount"] for move in shown["moves"]} | {"sky blue": "0", "pink": 7}
    order = {"number": 8, "counted": counted, "token": scene["token"]}
    said = [post(operator.datasette, f"{HERE}/matchboxes/recount", order).json()["said"] for _ in range(2)]
    assert said == ["the count of box 8 is recorded as block 1", "the count of box 8 agrees with the database"]
    scene = get(operator.datasette, f"{HERE}/session.json?token={scene['token']}").json()
    assert [move["amount"] for move in scene["box"]["moves"]] == [sky["amount"], 4, 0, 7]
    assert scene["entries"] == ["white", "8"]
    refused = post(operator.datasette, f"{HERE}/move", {"token": scene["token"], "move": "sky blue"}).json()["error"]
    assert refused.startswith("box 8 should not contain a sky blue (5) bead, only 4 orange (1), 4 yellow (2), 7 pink")
    assert boxes_in(path)[8]["pink (8)"] == 7
    for wrong, error in (
        ({"number": 8, "counted": {"pink": "many"}}, "'many' is not a number of beads"),
        ({"number": 400, "counted": {"pink": 1}}, "'400' is not a box"),
        ({"number": 8, "counted": {"mauve": 1}}, "'mauve' is not a bead"),
    ):
        assert error in post(operator.datasette, f"{HERE}/matchboxes/recount", wrong).json()["error"]


def test_page_refuses_machines_without_beads_and_is_linked_from_play(path: Path) -> None:
    with open_database(path) as store:
        new_learner(store, "zhang", "O", "zhang")
    datasette = site([path])
    assert "does not draw beads" in get(datasette, "/menace/play/zhang/matchboxes").text
    assert "/play/zhang/matchboxes" not in get(datasette, "/menace/play/zhang").text
    assert f'{HERE}/matchboxes">Real matchboxes</a>' in get(datasette, HERE).text
    assert 'id="real"' in get(datasette, f"{HERE}/matchboxes").text
    assert 'id="real"' not in get(site([path], read_only=True), f"{HERE}/matchboxes").text
    assert "boxes are numbered 1 to 304" in get(datasette, f"{HERE}/matchboxes/box.json?number=305").text


def test_numbers_follow_the_machines_scheme(tmp_path: Path) -> None:
    path = tmp_path / "menace.db"
    with create_database(path, "tictactoe", "3x3x3") as store:
        new_learner(store, "real", "X", "michie-1961")
    operator = Operator(site([path]), boxes_in(path))
    scene = operator.enter("gold")
    assert scene["said"] == ["real plays cell 0"]
    assert scene["cells"]["names"] == ["1", "2", "3", "8", "0", "4", "7", "6", "5"]
    assert scene["cells"]["places"][4] == "0, centre"
    assert sorted(move["name"] for move in scene["moves"]) == [*"12345678"]


@pytest.fixture
def phone(chromium: Any) -> Callable[[str], Any]:
    return lambda home: checked_page(chromium, home, viewport={"width": 375, "height": 667})


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_game_on_a_phone_survives_reload_and_restart(tmp_path: Path, phone: Callable[[str], Any], game: str) -> None:
    path = create(tmp_path / "menace.db", game)

    def entries(page: Any) -> int:
        return int(page.evaluate("() => JSON.parse(Object.values(localStorage)[0]).scene.entries.length"))

    def tap(page: Any) -> None:
        """Tap the first bead or move, and wait until the page has accepted it."""
        before = entries(page)
        if page.locator("[data-bead]").count():
            page.locator("[data-bead]:not(.none)").first.click()
        elif page.locator("#list button").count():
            page.locator("#list button").first.click()
        else:
            page.locator("#board button:not([aria-disabled])").first.click()
            if page.locator("#board .target").count():
                page.locator("#board .target").first.click()
        page.wait_for_function("n => JSON.parse(Object.values(localStorage)[0]).scene.entries.length > n", arg=before)

    with serving(path) as home, phone(home) as page:
        page.goto(f"{home}/menace/play/real/matchboxes")
        page.wait_for_selector("#real:not([hidden])")
        for _ in range(2):
            tap(page)
        page.reload()
        page.wait_for_selector("#real:not([hidden])")
        assert entries(page) == 2
        page.route("**/session.json*", lambda route: route.fulfill(status=410, json={"error": "the server restarted"}))
        token = page.evaluate("() => JSON.parse(Object.values(localStorage)[0]).scene.token")
        page.reload()
        page.wait_for_function("old => JSON.parse(Object.values(localStorage)[0]).scene.token !== old", arg=token)
        assert entries(page) == 2
        page.unroute("**/session.json*")
        page.click("#undo")
        page.wait_for_function("() => JSON.parse(Object.values(localStorage)[0]).scene.entries.length === 1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        while page.locator("#record").is_hidden():
            tap(page)
        page.click("#record")
        page.wait_for_selector("#todo li")
        page.locator("#todo input").first.check()
        page.reload()
        page.wait_for_selector("#todo :checked")
        assert page.text_content("#next") == "Another game"
    with open_database(path) as store:
        verify(store)
        assert len(store.games()) == 1
