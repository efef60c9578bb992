"""Tests of playing in the browser: sessions, recorded games, access and training."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import playing
import pytest
from browsing import PAGE_HEADERS
from commands import receive_interrupts
from runs import train
from scripts_in_node import draw_with_scripts
from templates import learner_by_hand, trained_bytes

from menace.analysis.grades import strength_of
from menace.analysis.history import recorded_games
from menace.explorer.content import sessions
from menace.explorer.pages.play import PARTS
from menace.explorer.server.requests import LostSession
from menace.explorer.server.served_databases import is_menace_file
from menace.explorer.server.serving import site
from menace.explorer.server.threads_and_caches import Worker
from menace.games import get_game
from menace.games.base import Side
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import load_machine, named_machine, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.session import Session
from menace.text.narration import told
from menace.text.wording import OPPONENTS

T = TypeVar("T")
GAMES = {"hexapawn": "3x3", "nim": "2-3"}


class Page:
    """A stand-in for the script of a page on which a person plays.

    The stand-in keeps the same state and sends the same requests as the script.
    """

    def __init__(self, datasette: Any, player: str) -> None:
        self.datasette, self.base = datasette, f"/-/menace/menace/play/{player}"

    async def get(self, what: str) -> Any:
        return await self.datasette.client.get(self.base + what)

    async def post(self, what: str, headers: dict[str, str] | None = None, **body: Any) -> Any:
        content = json.dumps(body)
        return await self.datasette.client.post(f"{self.base}/{what}", content=content, headers=headers or PAGE_HEADERS)

    async def send(self, what: str, **body: Any) -> dict[str, Any]:
        answer = await self.post(what, **body)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply


def with_page(
    path: Path, act: Callable[[Page], Coroutine[Any, Any, T]], player: str = "menace-x", read_only: bool = False
) -> T:
    async def run() -> T:
        datasette = site([path], read_only)
        await datasette.invoke_startup()
        try:
            return await act(Page(datasette, player))
        finally:
            dismiss(datasette)

    return asyncio.run(run())


def dismiss(datasette: Any) -> None:
    for service in sessions._services.pop(datasette, {}).values():
        service.stop()
        wait([*service.worker.writing, *service.training_job.worker.writing], 1.5)


async def play_out(page: Page, scene: dict[str, Any]) -> dict[str, Any]:
    while scene["outcome"] is None:
        scene = await page.send("move", token=scene["token"], move=scene["moves"][0]["name"])
    return scene


@pytest.mark.slow
@pytest.mark.parametrize("greedy", [False, True])
def test_browser_and_terminal_play_the_same_game(database: Path, tmp_path: Path, greedy: bool) -> None:
    async def act(page: Page) -> dict[str, Any]:
        return await play_out(page, await page.send("begin", seed="7", name="Anna", greedy=greedy))

    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    scene = with_page(database, act)
    with open_database(copy) as store, open_database(database) as second:
        session = Session(store, "menace-x", seed=7, name="Anna", policy="greedy" if greedy else "behaviour")
        playing.play_out(session)
        assert second.games() == store.games()
        assert second.changes() == store.changes()
        assert [run._replace(started_at="", finished_at="") for run in second.runs()] == [
            run._replace(started_at="", finished_at="") for run in store.runs()
        ]
        (row,) = recorded_games(second)
        assert (row.game_id, row.players) == (scene["recorded"], ("menace-x", "Anna"))
        assert (scene["seed"], scene["board"]) == ("7", session.game.board)
        verify(second)


@pytest.mark.parametrize("game", GAMES)
def test_any_game_is_played_and_recorded(tmp_path: Path, game: str) -> None:
    path = tmp_path / "menace.db"
    with create_database(path, game, GAMES[game]) as store:
        new_learner(store, "menace-x", "X")

    async def act(page: Page) -> dict[str, Any]:
        assert (await page.get("")).status_code == 200
        return await play_out(page, await page.send("begin", seed=1))

    scene = with_page(path, act)
    with open_database(path) as store:
        (recorded,) = store.games()
        rules, board = get_game(game, GAMES[game]), get_game(game, GAMES[game]).initial
        for ply, action in zip(scene["plies"], recorded.actions.split(","), strict=True):
            assert (ply["name"], ply["board"]) == (rules.name_of(board, int(action)), board)
            board = rules.play(board, int(action))
        assert scene["board"] == board
        verify(store)


def test_tab_reaches_one_button_of_the_board(database: Path) -> None:
    async def act(page: Page) -> dict[str, Any]:
        return await page.send("begin", **{"as": "O"})

    scene = with_page(database, act)
    crossed = int(scene["plies"][0]["name"])
    before = [""] * 9
    board = draw_with_scripts('menace.buttons(data, data.moves, "The board")', {**scene, "before": before})
    assert board.count("<button") == 9
    assert board.count('tabindex="0"') == 1
    stands = ["X, last move" if cell == crossed else "empty" for cell in range(9)]
    assert re.findall(r'aria-label="(\d, [^"]*)"', board) == [
        f"{cell}, {place}, {stands[cell]}" for cell, place in enumerate(told("nine_cells").split(", "))
    ]
    # cells that contain pieces also have numbers
    assert re.findall(r'class="name"[^>]*>(\d)<', board) == [*"012345678"]
    assert set(re.findall(r'data-says="(\w+) in (\d)"', board)) == {
        (move["verdict"], str(move["ends_in"])) for move in scene["moves"]
    }
    assert board.count('aria-disabled="true"') == 1
    assert len(re.findall(r'data-worth="(?:wins|draws|loses)"', board)) == 8


def test_link_hides_parts_of_the_page(database: Path) -> None:
    async def act(page: Page) -> None:
        whole = (await page.get("")).text
        assert whole.count(" hidden") == (await page.get("?hide=")).text.count(" hidden")
        for part in PARTS:
            less = (await page.get(f"?hide={part}")).text
            with_training = 'id="training"' in less
            assert with_training == (part != "training")
            assert less.count(" hidden") == whole.count(" hidden") + with_training or part == "training"
            assert re.search(rf'value="{part}" checked', less)
        wrong = await page.get("?hide=box,everything")
        assert wrong.status_code == 400
        assert "&#39;everything&#39; cannot be hidden; the parts that can be hidden are box, score" in wrong.text

    with_page(database, act)


def test_undo_resignation_and_next_game_work(database: Path) -> None:
    async def act(page: Page) -> None:
        first = await page.send("begin", seed=3)
        token = first["token"]
        await page.send("move", token=token, move=first["moves"][0]["name"])
        back = await page.send("undo", token=token)
        assert (back["board"], back["plies"]) == (first["board"], first["plies"])
        again = await page.post("undo", token=token)
        assert (again.status_code, again.json()["error"]) == (
            400,
            "you have not moved yet, so there is nothing to undo",
        )
        over = await page.send("resign", token=token)
        assert (over["outcome"], over["score"]) == ("X", {"person": 0, "machine": 1, "draws": 0, "points": [0, 3]})
        assert len(over["changes"]) == 1
        for what, body in {"move": {"move": "0"}, "undo": {}, "resign": {}, "finish": {}}.items():
            answer = await page.post(what, token=token, **body)
            assert answer.status_code == (200 if what == "finish" else 400), what
        second = await page.send("next", token=token)
        assert (second["game"], second["outcome"], second["seed"]) == (2, None, "3")
        assert (await page.get(f"/session.json?token={token}")).json() == second
        third = await play_out(page, second)
        assert len(third["score"]["points"]) == 3

    with_page(database, act)
    with open_database(database) as store:
        assert [row.ended_by for row in store.games()] == ["resignation", "board"]
        assert len({store.block(row.block_id).run_id for row in store.games()}) == 1  # type: ignore[union-attr]
        verify(store)


def test_machine_with_learning_off_does_not_change(database: Path) -> None:
    async def act(page: Page) -> dict[str, Any]:
        return await play_out(page, await page.send("begin", learning=False))

    with open_database(database) as store:
        before = named_machine(store, "menace-x").learned.amount.tolist()
    assert with_page(database, act)["said"].endswith("but no machine learns from it.")
    with open_database(database) as store:
        assert named_machine(store, "menace-x").learned.amount.tolist() == before
        assert len(store.games()) == 1


def test_ruined_machine_is_reported_and_viewing_it_records_no_game(database: Path) -> None:
    with open_database(database) as store:
        new_learner(store, "donald", "X", "michie-1961")
        train(store, "donald", "michie-1961", games=219, seed=2)

    async def act(page: Page) -> dict[str, Any]:
        scene = await page.send("begin")
        resigned = "donald resigned because its box is empty. The game is not recorded: nobody has moved."
        assert scene["said"].endswith(resigned)
        scene = await page.send("next", token=scene["token"])
        assert (scene["recorded"], scene["score"]["person"]) == (None, 0)
        run: dict[str, Any] = (await page.get("/progress.json")).json()["run"]
        return run

    run = with_page(database, act, "donald")
    assert (run["state"], run["why"]) == ("stopped", "no bead is left for the first move of donald")
    with open_database(database) as store:
        assert store.games() == []


def test_a_fixed_opponent_plays_either_side(database: Path) -> None:
    async def act(page: Page) -> None:
        for side, moves in (("X", 9), ("O", 8)):
            scene = await page.send("begin", **{"as": side})
            assert (scene["person"], len(scene["moves"])) == (side, moves)
            assert await play_out(page, scene)

    with_page(database, act, "perfect")


REFUSED: list[tuple[str, str, dict[str, Any], int]] = [
    ("nobody", "begin", {}, 404),
    ("imperfect:2", "begin", {}, 400),
    ("menace-x", "begin", {"as": "X"}, 400),
    ("menace-x", "begin", {"as": "Y"}, 400),
    ("menace-x", "begin", {"as": 1}, 400),
    ("menace-x", "begin", {"name": "menace-o"}, 400),
    ("menace-x", "begin", {"name": ["a"]}, 400),
    ("menace-x", "begin", {"seed": -1}, 400),
    ("menace-x", "begin", {"seed": "9" * 30}, 400),
    ("menace-x", "begin", {"seed": 1.5}, 400),
    ("menace-x", "begin", {"seed": True}, 400),
    ("menace-x", "begin", {"greedy": 1}, 400),
    ("perfect", "begin", {"greedy": True}, 400),
    ("menace-x", "move", {"token": "none", "move": "0"}, 410),
    ("menace-x", "move", {"token": 7}, 400),
    ("menace-x", "train", {"against": "random"}, 400),
    ("menace-x", "train", {"against": "random", "games": 0}, 400),
    ("menace-x", "train", {"against": "random", "games": 1e3}, 400),
    ("menace-x", "train", {"against": "random", "games": 2**31}, 400),
    ("menace-x", "train", {"against": "menace-x", "games": 1}, 400),
    ("menace-x", "train", {"against": "", "games": 1}, 400),
    ("perfect", "train", {"against": "random", "games": 1}, 404),
    ("menace-x", "train/step", {}, 400),
    ("menace-x", "train/step", {"run_id": 99}, 400),
    ("menace-x", "train/resume", {"run_id": 1}, 400),
    ("menace-x", "train/stop", {"run_id": True}, 400),
    ("menace-x", "train/game", {"against": "nobody"}, 400),
]


def test_invalid_action_is_refused_in_one_line_without_changes(database: Path) -> None:
    before = database.read_bytes()

    async def act(page: Page) -> list[Any]:
        return [await Page(page.datasette, player).post(what, **body) for player, what, body, _ in REFUSED]

    answers = with_page(database, act)
    for answer, (player, what, body, status) in zip(answers, REFUSED, strict=True):
        assert answer.status_code == status, (player, what, body, answer.text)
        assert "\n" not in answer.json()["error"]
    assert database.read_bytes() == before


def test_invalid_move_is_refused_and_the_game_continues(database: Path) -> None:
    async def act(page: Page) -> None:
        scene = await page.send("begin", seed=1)
        for move in ("", "  ", "9", "x", "0" * 200, "4,4", None, 4):
            answer = await page.post("move", token=scene["token"], move=move)
            assert answer.status_code == 400, move
            unread = not isinstance(move, str) or not move.strip() or len(move) > 100
            assert answer.json()["error"].startswith(("move is", "move must")) == unread, move
        assert (await page.get(f"/session.json?token={scene['token']}")).json() == scene

    with_page(database, act)


def test_an_expired_session_is_reported(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)

    async def act(page: Page) -> None:
        first, two = await page.send("begin"), await page.send("begin")
        await page.send("move", token=first["token"], move=first["moves"][0]["name"])
        await page.send("begin")  # this replaces `two`, the session that has been idle for the longest time
        gone = await page.post("move", token=two["token"], move="0")
        assert gone.status_code == 410
        assert gone.json()["error"].startswith("this session no longer exists")
        assert (await page.get(f"/session.json?token={first['token']}")).status_code == 200
        database.rename(database.with_name("elsewhere.db"))
        database.write_bytes(trained_bytes(50))  # a different file with the same name
        assert (await page.get(f"/session.json?token={first['token']}")).status_code == 410
        assert (await page.send("begin"))["outcome"] is None

    with_page(database, act)


def test_new_session_never_ends_a_game_in_progress(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 3)

    async def act(page: Page) -> None:
        under_way = []
        for _ in range(3):
            scene = await page.send("begin", seed=2)
            under_way.append(await page.send("move", token=scene["token"], move=scene["moves"][0]["name"]))
            if len(under_way) < 3:
                await page.send("begin")  # the next session replaces this one, in which no move has been made
        assert [scene["outcome"] for scene in under_way] == [None] * 3
        refused = await page.post("begin")
        assert refused.status_code == 503
        assert refused.json()["error"].startswith("3 games are already in progress; finish one")
        for scene in under_way:
            again = await page.send("move", token=scene["token"], move=scene["moves"][0]["name"])
            assert len(again["plies"]) > len(scene["plies"])
        # once the game has been recorded, its session can be replaced
        await page.send("resign", token=under_way[1]["token"])
        assert (await page.send("begin"))["outcome"] is None
        monkeypatch.setattr(sessions, "MAX_IDLE_TIME", -1)  # a day later
        assert (await page.send("begin"))["outcome"] is None

    with_page(database, act)


def test_game_that_cannot_be_recorded_is_recorded_later(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from menace.errors import DatabaseBusy
    from menace.people.session import Session

    finish = Session.finish

    def busy(_: Session) -> Any:
        raise DatabaseBusy("locked")

    async def act(page: Page) -> None:
        scene = await page.send("begin", seed=1)
        monkeypatch.setattr(Session, "finish", busy)
        scene = await page.send("resign", token=scene["token"])
        assert (scene["recorded"], scene["error"]) == (None, "locked")
        assert (await page.post("next", token=scene["token"])).status_code == 503
        monkeypatch.setattr(Session, "finish", finish)
        assert (await page.send("finish", token=scene["token"]))["recorded"] == 1

    with_page(database, act)
    with open_database(database) as store:
        assert len(store.games()) == 1


HOSTILE = """=1+1 "q" 'a' <b>&amp; </b><!-- \\N {{title}} Ж 木"""


@pytest.mark.slow
def test_names_of_machines_are_escaped_in_games(database: Path) -> None:
    with open_database(database) as store:
        learner_by_hand(store, HOSTILE, Side.X)

    async def act(page: Page) -> None:
        shown = await page.get("?name=%3Cb%3E%22&seed=%3Cb%3E&as=%22%3E&step=%27")
        assert shown.status_code == 200
        assert f'data-here="{page.base}"' in shown.text
        assert '<b>"' not in shown.text
        scene = await page.send("begin", seed="1")
        assert scene["player"] == HOSTILE
        over = draw_with_scripts(
            "menace.openBox(data.saw) + data.changes.map(box => menace.changedBox(box)).join()"
            " + menace.scoreCurve(data.player, data.score.points)",
            await play_out(page, scene),
        )
        assert "<b>&" not in shown.text + over
        assert (await page.get("/progress.json")).json()["learner"] == HOSTILE
        assert (await Page(page.datasette, "nobody").get(".json")).status_code == 404

    with_page(database, act, quote(HOSTILE, safe=""))


@pytest.mark.slow
def test_training_during_a_game_keeps_both(database: Path) -> None:
    async def act(page: Page) -> int:
        scene = await page.send("begin", seed=5)
        run = await page.send("train", against="random", games=10**9, seed=1)
        refused = await page.post("train", against="random", games=5)
        assert (refused.status_code, "is in progress" in refused.json()["error"]) == (400, True)
        for _ in range(2):
            scene = await play_out(page, scene)
            scene = await page.send("next", token=scene["token"])
        progress = (await page.get("/progress.json?after=0")).json()
        assert progress["training"] == {"going": True, "here": True, "run_id": run["run_id"], "error": None}
        rested = await page.send("train/pause")
        assert 0 < rested["games_played"] < 10**9
        stepped = await page.send("train/step", run_id=run["run_id"])
        assert stepped["games_played"] > rested["games_played"]
        await page.send("train/resume", run_id=run["run_id"])
        ended = await page.send("train/stop", run_id=run["run_id"])
        assert ended["state"] == "abandoned"
        progress = (await page.get("/progress.json?after=0")).json()
        assert (progress["run"]["state"], progress["training"]["going"]) == ("abandoned", False)
        return int(ended["games_played"])

    played = with_page(database, act)
    with open_database(database) as store:
        assert store.learner("menace-x").games == 50 + 2 + played
        verify(store)


def test_training_on_the_page_is_an_ordinary_run(database: Path, tmp_path: Path) -> None:
    async def act(page: Page) -> None:
        await page.send("train", against="imperfect:0.2", games=300, seed=4)
        for _ in range(200):
            progress = (await page.get("/progress.json?after=0")).json()
            if progress["run"]["state"] == "finished":
                break
            await asyncio.sleep(0.02)
        assert sum(block["games"] for block in progress["blocks"]) == 350
        assert progress["games"] == 350

    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    with_page(database, act)
    with open_database(copy) as store, open_database(database) as trained_here:
        train(store, "menace-x", "imperfect:0.2", games=300, seed=4)
        expected, trained = (named_machine(each, "menace-x").learned for each in (store, trained_here))
        assert trained.amount.tolist() == expected.amount.tolist()
        verify(trained_here)


@pytest.mark.parametrize("player", ["menace-x", "menace-o"])
def test_shown_game_is_the_game_learned_from(database: Path, player: str) -> None:
    def beads(store: Store) -> list[float]:
        amounts: list[float] = named_machine(store, player).learned.amount.tolist()
        return amounts

    async def act(page: Page) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        start = (await page.get("/progress.json")).json()["block"]
        games = [await page.send("train/game", against="random", seed=str(seed)) for seed in range(6)]
        return games, (await page.get(f"/progress.json?after={start}")).json()["blocks"]

    with open_database(database) as store:
        before, rules = beads(store), positions_of(store).game
        games, blocks = with_page(database, act, player)
        changed = sum(beads(store)) - sum(before)
        runs = store.runs()[1:]
        for game, run in zip(games, runs, strict=True):
            board = rules.initial
            for number, ply in enumerate(game["plies"]):
                assert ply["board"] == board
                assert (ply["saw"] is None) == (number % 2 != (player == "menace-o"))
                # the bead is drawn on the cell of its move on the lid
                if ply["saw"] and ply["saw"]["drawn"] is not None:
                    drawn = ply["saw"]["moves"][ply["saw"]["drawn"]]
                    assert drawn["marks"][0]["cells"] == [int(ply["name"])]
                board = rules.play(board, rules.parse_action(board, ply["name"]))
            assert (game["board"], game["outcome"]) == (board, rules.outcome(board))
            block = store.blocks(run.run_id)[-1]
            assert (block.x_wins, block.draws, block.o_wins) == tuple(
                int(game["outcome"] == outcome) for outcome in ("X", "draw", "O")
            )
        own, rival = ("X", "O") if player == "menace-x" else ("O", "X")
        ends = [(block["wins"], block["draws"], block["losses"]) for block in blocks]
        assert ends == [tuple(int(game["outcome"] == end) for end in (own, "draw", rival)) for game in games]
        # The page shows the changes that the database records.
        drawn = [draw_with_scripts("data.map(box => menace.changedBox(box)).join()", game["changes"]) for game in games]
        changes = [text for boxes in drawn for text in re.findall(r'<b class="\w+">([^<]+)</b>', boxes)]
        beads = sum(boxes.count(' comes"') - boxes.count(' goes"') for boxes in drawn)
        assert sum(int(text.replace("\N{MINUS SIGN}", "-")) for text in changes) == beads == changed
        verify(store)


async def boxes_of_o(page: Page) -> Any:
    return (await Page(page.datasette, "menace-o").get("/progress.json")).json()["boxes"]


def test_progress_reports_each_block_once(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(page: Page) -> None:
        start = (await page.get("/progress.json")).json()
        assert (start["blocks"], start["games"], start["more"]) == ([], 50, False)
        assert start["rival"] == {
            "learner": "menace-o",
            "boxes": await boxes_of_o(page),
        }  # the two learners have played against each other
        assert [[move["amount"] for move in box["moves"]] for box in start["boxes"]] == [
            contents["amounts"] for contents in start["contents"]
        ]
        nothing = (await page.get(f"/progress.json?after={start['block']}")).json()
        assert (nothing["blocks"], nothing["contents"], nothing["strength"]) == ([], None, None)
        await page.send("train/game", against="random", seed="1")
        later = (await page.get(f"/progress.json?after={start['block']}&boxes=1000")).json()
        assert [block["games"] for block in later["blocks"]] == [1]
        assert later["games"] == 51
        assert later["boxes"] is None
        assert later["contents"][:12] != start["contents"]
        assert len(later["contents"]) == 304
        assert (await page.get("/progress.json?boxes=1001")).status_code == 400
        assert {*later["strength"][-1]["losses"]} == {*OPPONENTS}
        assert (nothing["rival"], later["rival"]) == (None, None)
        before = await boxes_of_o(page)
        await page.send("train", against="menace-o", games=5, seed="1", paused=True)
        ordered = (await page.get(f"/progress.json?after={later['block']}")).json()
        assert (ordered["rival"]["boxes"], ordered["run"]["active"]) == (before, True)
        with monkeypatch.context() as later_on:
            later_on.setattr(sessions, "ACTIVE_TIME", timedelta(seconds=-2))
            assert (await page.get("/progress.json")).json()["run"]["active"] is False
        await page.send("train/step", run_id=ordered["run"]["run_id"], games=5)
        both = (await page.get(f"/progress.json?after={ordered['block']}")).json()
        assert both["rival"]["boxes"] == await boxes_of_o(page) != before
        assert (both["run"]["o_learns"], both["run"]["active"]) == (1, False)

    with_page(database, act)


def test_run_continues_by_the_requested_number_of_games(database: Path) -> None:
    async def act(page: Page) -> None:
        start = (await page.get("/progress.json")).json()["block"]
        run = (await page.send("train", against="random", games=200, seed=1, paused=True))["run_id"]
        orders = ({"games": 7}, {}, {"games": 57})  # without a number of games, the step ends at the next mark
        played = [(await page.send("train/step", run_id=run, **by))["games_played"] for by in orders]
        game = await page.send("train/game", run_id=run)
        assert [*played, game["run"]["games_played"], game["run"]["state"]] == [7, 10, 67, 68, "unfinished"]
        assert game["plies"][0]["saw"]["board"] == "........."
        blocks = (await page.get(f"/progress.json?after={start}")).json()["blocks"]
        # blocks end at the marks, as in any run
        assert [block["games"] for block in blocks] == [1, 1, 3, 2, 3, 10, 30, 17, 1]
        assert (await page.post("train/step", run_id=run, games=0)).status_code == 400

    with_page(database, act)
    with open_database(database) as store:
        verify(store)


def test_shown_boxes_equal_the_database(database: Path) -> None:
    async def act(page: Page) -> Any:
        return (await page.get("/progress.json")).json()

    reply = with_page(database, act)
    with open_database(database) as store:
        row = store.learner("menace-x")
        machine = load_machine(store, positions_of(store), row)
        for box in reply["boxes"]:
            position = machine.positions.number_of(box["board"])
            beads = {pile.action: pile.beads for pile in store.matchbox(row.learner_id, position)}
            assert {move["action"]: move["amount"] for move in box["moves"]} == beads
        assert len(reply["boxes"]) == 12
        assert reply["boxes"][0]["board"] == "........."


def test_worker_stops_after_the_current_block(database: Path) -> None:
    async def act(page: Page) -> float:
        await page.send("train", against="random", games=10**9, seed=1)
        start = time.monotonic()
        worker = sessions.services_of(page.datasette, database).training_job.worker
        worker.stop()
        wait(list(worker.writing), 1.5)
        assert not worker.writing
        return time.monotonic() - start

    assert with_page(database, act) < 1.4
    with open_database(database) as store:
        (run,) = [run for run in store.runs() if run.finished_at is None]
        verify(store)
        assert store.run(run.run_id).games_played == run.games_played


ENDLESS = """
import asyncio, sys, time
from pathlib import Path
from menace.explorer.content.sessions import Services
services = Services(Path(sys.argv[1]))
query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
slow = services.worker.submit(lambda store: store.rows(query))
asyncio.run(services.training_job.start("menace-x", "random", 100_000_000, 1, False))
while not (slow.running() and services.training_job.run.games_played):
    time.sleep(0.05)
print(flush=True)
time.sleep(60)
"""


def test_ctrl_c_ends_a_slow_query_and_a_long_run(database: Path) -> None:
    """However slow the computer is, the server stops in less time than it took to start.

    If they were not stopped, the query and the run would take minutes.
    """
    begun = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=receive_interrupts,  # noqa: PLW1509 - the function takes no lock
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        start = time.monotonic()
        starting = start - begun
        process.send_signal(signal.SIGINT)
        try:
            _, printed = process.communicate(timeout=30)
        finally:
            process.kill()
        assert time.monotonic() - start < 1.5 + starting
    assert b"KeyboardInterrupt" in printed
    with open_database(database) as store:
        verify(store)


def test_worker_survives_errors(database: Path) -> None:
    worker = Worker(database)

    def wrong(_: Store) -> None:
        raise LostSession("gone")

    with pytest.raises(LostSession):
        worker.submit(wrong).result(10)
    assert worker.submit(lambda store: len(store.runs())).result(10) == 1
    worker.stop()


def test_checking_a_file_releases_no_locks(database: Path) -> None:
    """When a process closes a file, the system releases all of its locks on that file, including SQLite's."""
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    assert is_menace_file(database)
    with open_database(database) as store, store.transaction():
        assert is_menace_file(database)
        process = subprocess.run(
            [sys.executable, "-c", code, str(database)], capture_output=True, text=True, check=False
        )
    assert "database is locked" in process.stderr


async def win_or_lose(page: Page) -> dict[str, Any]:
    """Begin a session, and play the first game."""
    return await play_out(page, await page.send("begin", seed="3"))


def learner_names(path: Path) -> list[str]:
    with open_database(path) as store:
        return [row.name for row in store.learners()]


def test_beginner_is_stored_at_the_first_move_and_every_browser_has_its_own(database: Path) -> None:
    there = learner_names(database)

    async def act(page: Page) -> list[dict[str, Any]]:
        page.base = "/-/menace/menace/beginner"
        assert (await page.get("")).status_code == 200
        scene = await page.send("begin", seed="3")
        assert (await page.post("move", token=scene["token"], move="nowhere")).status_code == 400
        assert learner_names(database) == there
        assert (scene["unsaved"], scene["lessons"]) == (True, [])
        moved = await page.send("move", token=scene["token"], move=scene["moves"][0]["name"])
        assert (moved["unsaved"], moved["player"]) == (False, "beginner")
        other = await win_or_lose(page)
        page.base = "/-/menace/menace/play/beginner"
        return [await play_out(page, moved), other]

    first, other = with_page(database, act)
    assert (first["player"], other["player"]) == ("beginner", "beginner-2")
    assert learner_names(database) == [*there, "beginner", "beginner-2"]
    results = {"draw": "draw", first["person"]: "win"}
    with open_database(database) as store:
        verify(store)
        for scene in (first, other):
            ((result, loss, games),) = scene["lessons"]
            strength = strength_of(store, scene["player"]).against["random"]
            assert (result, loss, games) == (results.get(scene["outcome"], "loss"), pytest.approx(strength.loss), 1)
            assert scene["changes"]
            assert store.learner(scene["player"]).games == 1


def test_read_only_server_plays_a_beginner_in_memory(database: Path) -> None:
    before = database.read_bytes()

    async def act(page: Page) -> dict[str, Any]:
        page.base = "/-/menace/menace/beginner"
        assert "training" not in re.findall(r'id="(\w+)"', (await page.get("")).text)
        scene = await win_or_lose(page)
        assert scene["unsaved"]
        assert scene["changes"]
        again = await play_out(page, await page.send("next", token=scene["token"]))
        page.base = "/-/menace/menace/play/menace-x"
        assert (await page.post("begin")).status_code == 403
        assert (await page.post("undo", token=scene["token"])).status_code == 403
        return again

    assert len(with_page(database, act, read_only=True)["lessons"]) == 2
    assert database.read_bytes() == before


def test_beginner_plays_the_side_that_can_learn_to_win(tmp_path: Path) -> None:
    for (game, variant), side in zip(GAMES.items(), "OX", strict=True):
        create_database(tmp_path / f"{game}.db", game, variant).close()

        async def act(page: Page, base: str = f"/-/menace/{game}/beginner") -> str:
            first = (await page.datasette.client.get("/-/menace")).text  # offers to create the first machine
            page.base = base
            plays: str = (await page.send("begin"))["plays"]
            assert f'name="plays" value="{plays}"' in first
            return plays

        assert with_page(tmp_path / f"{game}.db", act) == side


def test_page_of_a_deleted_beginner_leads_to_a_new_one(database: Path) -> None:
    async def act(page: Page) -> tuple[int, str]:
        answer = await page.get("")
        return answer.status_code, answer.headers["location"]

    assert with_page(database, act, "beginner-7") == (302, "/-/menace/menace/beginner?new=1")
