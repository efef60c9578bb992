"""Tests of playing in the browser: sessions, recorded games, access and training."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import wait
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import playing
import pytest
from browsing import get, post
from commands import receive_interrupts
from database_templates import learner_by_hand, trained_bytes
from runs import train
from scripts_in_node import draw_with_scripts

from menace.analysis.grades import strength_of
from menace.analysis.history import recorded_games
from menace.errors import DatabaseBusy
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

GAMES = {"hexapawn": "3x3", "nim": "2-3"}


class Page:
    """A stand-in for the script of a page on which a person plays.

    The stand-in keeps the same state and sends the same requests as the script.
    """

    def __init__(self, path: Path, player: str = "menace-x", read_only: bool = False) -> None:
        self.datasette, self.base = site([path], read_only), f"/menace/play/{player}"

    def get(self, what: str = "") -> Any:
        return get(self.datasette, self.base + what)

    def post(self, what: str, **body: Any) -> Any:
        return post(self.datasette, f"{self.base}/{what}", body)

    def send(self, what: str, **body: Any) -> dict[str, Any]:
        answer = self.post(what, **body)
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply

    def progress(self, after: int | None = None) -> dict[str, Any]:
        reply: dict[str, Any] = self.get(f"/progress.json{'' if after is None else f'?after={after}'}").json()
        return reply

    def play_out(self, scene: dict[str, Any]) -> dict[str, Any]:
        while scene["outcome"] is None:
            scene = self.send("move", token=scene["token"], move=scene["moves"][0]["name"])
        return scene


@pytest.fixture
def page(database: Path) -> Page:
    return Page(database)


@pytest.fixture(autouse=True)
def stop_services() -> Iterator[None]:
    """Stop the workers of the test's servers."""
    yield
    for services in [each for served in sessions._services.values() for each in served.values()]:
        services.stop()
        wait([*services.worker.writing, *services.training_job.worker.writing], 1.5)
    sessions._services.clear()


@pytest.mark.slow
@pytest.mark.parametrize("greedy", [False, True])
def test_browser_and_terminal_play_the_same_game(page: Page, database: Path, tmp_path: Path, greedy: bool) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    scene = page.play_out(page.send("begin", seed="7", name="Anna", greedy=greedy))
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

    page = Page(path)
    assert page.get().status_code == 200
    scene = page.play_out(page.send("begin", seed=1))
    with open_database(path) as store:
        (recorded,) = store.games()
        rules, board = get_game(game, GAMES[game]), get_game(game, GAMES[game]).initial
        for ply, action in zip(scene["plies"], recorded.actions.split(","), strict=True):
            assert (ply["name"], ply["board"]) == (rules.name_of(board, int(action)), board)
            board = rules.play(board, int(action))
        assert scene["board"] == board
        verify(store)


def test_tab_reaches_one_button_of_the_board(page: Page) -> None:
    scene = page.send("begin", **{"as": "O"})
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


def test_link_hides_parts_of_the_page(page: Page) -> None:
    whole = page.get().text
    assert whole.count(" hidden") == page.get("?hide=").text.count(" hidden")
    for part in PARTS:
        less = page.get(f"?hide={part}").text
        with_training = 'id="training"' in less
        assert with_training == (part != "training")
        assert less.count(" hidden") == whole.count(" hidden") + with_training or part == "training"
        assert re.search(rf'value="{part}" checked', less)
    wrong = page.get("?hide=box,everything")
    assert wrong.status_code == 400
    assert "&#39;everything&#39; cannot be hidden; the parts that can be hidden are box, score" in wrong.text


def test_undo_resignation_and_next_game_work(page: Page, database: Path) -> None:
    first = page.send("begin", seed=3)
    token = first["token"]
    page.send("move", token=token, move=first["moves"][0]["name"])
    back = page.send("undo", token=token)
    assert (back["board"], back["plies"]) == (first["board"], first["plies"])
    again = page.post("undo", token=token)
    assert (again.status_code, again.json()["error"]) == (400, "you have not moved yet, so there is nothing to undo")
    over = page.send("resign", token=token)
    assert (over["outcome"], over["score"]) == ("X", {"person": 0, "machine": 1, "draws": 0, "points": [0, 3]})
    assert len(over["changes"]) == 1
    for what, body in {"move": {"move": "0"}, "undo": {}, "resign": {}, "finish": {}}.items():
        answer = page.post(what, token=token, **body)
        assert answer.status_code == (200 if what == "finish" else 400), what
    second = page.send("next", token=token)
    assert (second["game"], second["outcome"], second["seed"]) == (2, None, "3")
    assert page.get(f"/session.json?token={token}").json() == second
    third = page.play_out(second)
    assert len(third["score"]["points"]) == 3
    with open_database(database) as store:
        assert [row.ended_by for row in store.games()] == ["resignation", "board"]
        assert len({store.block(row.block_id).run_id for row in store.games()}) == 1  # type: ignore[union-attr]
        verify(store)


def test_machine_with_learning_off_does_not_change(page: Page, database: Path) -> None:
    with open_database(database) as store:
        before = named_machine(store, "menace-x").learned.amount.tolist()
    assert page.play_out(page.send("begin", learning=False))["said"].endswith("but no machine learns from it.")
    with open_database(database) as store:
        assert named_machine(store, "menace-x").learned.amount.tolist() == before
        assert len(store.games()) == 1


def test_ruined_machine_is_reported_and_viewing_it_records_no_game(database: Path) -> None:
    with open_database(database) as store:
        new_learner(store, "donald", "X", "michie-1961")
        train(store, "donald", "michie-1961", games=219, seed=2)

    page = Page(database, "donald")
    scene = page.send("begin")
    resigned = "You have won. donald has no bead left for this board, so it gives up."
    assert scene["said"].endswith(f"{resigned} The game is not recorded: nobody has moved.")
    scene = page.send("next", token=scene["token"])
    assert (scene["recorded"], scene["score"]["person"]) == (None, 0)
    run = page.progress()["run"]
    assert (run["state"], run["why"]) == ("stopped", "no bead is left for the first move of donald")
    with open_database(database) as store:
        assert store.games() == []


def test_a_fixed_opponent_plays_either_side(database: Path) -> None:
    page = Page(database, "perfect")
    for side, moves in (("X", 9), ("O", 8)):
        scene = page.send("begin", **{"as": side})
        assert (scene["person"], len(scene["moves"])) == (side, moves)
        assert page.play_out(scene)


REFUSED: list[tuple[str, str, dict[str, Any], int]] = [
    ("nobody", "begin", {}, 404),
    ("imperfect:2", "begin", {}, 400),
    ("menace-x", "begin", {"as": "X"}, 400),
    ("menace-x", "begin", {"as": "Y"}, 400),
    ("menace-x", "begin", {"name": "menace-o"}, 400),
    ("menace-x", "begin", {"seed": -1}, 400),
    ("menace-x", "begin", {"seed": "9" * 30}, 400),
    ("perfect", "begin", {"greedy": True}, 400),
    ("menace-x", "move", {"token": "none", "move": "0"}, 410),
    ("menace-x", "train", {"against": "random", "games": 0}, 400),
    ("menace-x", "train", {"against": "random", "games": 2**31}, 400),
    ("menace-x", "train", {"against": "menace-x", "games": 1}, 400),
    ("menace-x", "train", {"against": "", "games": 1}, 400),
    ("perfect", "train", {"against": "random", "games": 1}, 404),
    ("menace-x", "train/step", {"run_id": 99}, 400),
    ("menace-x", "train/resume", {"run_id": 1}, 400),
    ("menace-x", "train/game", {"against": "nobody"}, 400),
]


def test_invalid_action_is_refused_in_one_line_without_changes(page: Page, database: Path) -> None:
    before = database.read_bytes()
    answers = [post(page.datasette, f"/menace/play/{player}/{what}", body) for player, what, body, _ in REFUSED]
    for answer, (player, what, body, status) in zip(answers, REFUSED, strict=True):
        assert answer.status_code == status, (player, what, body, answer.text)
        assert "\n" not in answer.json()["error"]
    assert database.read_bytes() == before


def test_invalid_move_is_refused_and_the_game_continues(page: Page) -> None:
    scene = page.send("begin", seed=1)
    for move in ("", "  ", "9", "x", "0" * 200, "4,4", None, 4):
        answer = page.post("move", token=scene["token"], move=move)
        assert answer.status_code == 400, move
        unread = not isinstance(move, str) or not move.strip() or len(move) > 100
        assert answer.json()["error"].startswith(("move is", "move must")) == unread, move
    assert page.get(f"/session.json?token={scene['token']}").json() == scene


def test_an_expired_session_is_reported(page: Page, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)

    first, two = page.send("begin"), page.send("begin")
    page.send("move", token=first["token"], move=first["moves"][0]["name"])
    page.send("begin")  # this replaces `two`, the session that has been idle for the longest time
    gone = page.post("move", token=two["token"], move="0")
    assert gone.status_code == 410
    assert gone.json()["error"].startswith("this session no longer exists")
    assert page.get(f"/session.json?token={first['token']}").status_code == 200
    database.rename(database.with_name("elsewhere.db"))
    database.write_bytes(trained_bytes(50))  # a different file with the same name
    assert page.get(f"/session.json?token={first['token']}").status_code == 410
    assert page.send("begin")["outcome"] is None


def test_new_session_never_ends_a_game_in_progress(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 3)

    under_way = []
    for _ in range(3):
        scene = page.send("begin", seed=2)
        under_way.append(page.send("move", token=scene["token"], move=scene["moves"][0]["name"]))
        if len(under_way) < 3:
            page.send("begin")  # the next session replaces this one, in which no move has been made
    assert [scene["outcome"] for scene in under_way] == [None] * 3
    refused = page.post("begin")
    assert refused.status_code == 503
    assert refused.json()["error"].startswith("3 games are already in progress; finish one")
    for scene in under_way:
        again = page.send("move", token=scene["token"], move=scene["moves"][0]["name"])
        assert len(again["plies"]) > len(scene["plies"])
    # once the game has been recorded, its session can be replaced
    page.send("resign", token=under_way[1]["token"])
    assert page.send("begin")["outcome"] is None
    monkeypatch.setattr(sessions, "MAX_IDLE_TIME", -1)  # a day later
    assert page.send("begin")["outcome"] is None


def test_game_that_cannot_be_recorded_is_recorded_later(
    page: Page, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = Session.finish

    def busy(_: Session) -> Any:
        raise DatabaseBusy("locked")

    scene = page.send("begin", seed=1)
    monkeypatch.setattr(Session, "finish", busy)
    scene = page.send("resign", token=scene["token"])
    assert (scene["recorded"], scene["error"]) == (None, "locked")
    assert page.post("next", token=scene["token"]).status_code == 503
    monkeypatch.setattr(Session, "finish", finish)
    assert page.send("finish", token=scene["token"])["recorded"] == 1
    with open_database(database) as store:
        assert len(store.games()) == 1


HOSTILE = """=1+1 "q" 'a' <b>&amp; </b><!-- \\N {{title}} Ж 木"""


@pytest.mark.slow
def test_names_of_machines_are_escaped_in_games(database: Path) -> None:
    with open_database(database) as store:
        learner_by_hand(store, HOSTILE, Side.X)

    page = Page(database, quote(HOSTILE, safe=""))
    shown = page.get("?name=%3Cb%3E%22&seed=%3Cb%3E&as=%22%3E&step=%27")
    assert shown.status_code == 200
    assert f'data-here="/-/menace{page.base}"' in shown.text
    assert '<b>"' not in shown.text
    scene = page.send("begin", seed="1")
    assert scene["player"] == HOSTILE
    over = draw_with_scripts(
        "menace.openBox(data.saw) + data.changes.map(box => menace.changedBox(box)).join()"
        " + menace.scoreCurve(data.player, data.score.points)",
        page.play_out(scene),
    )
    assert "<b>&" not in shown.text + over
    assert page.progress()["learner"] == HOSTILE
    assert get(page.datasette, "/menace/play/nobody.json").status_code == 404


@pytest.mark.slow
def test_training_during_a_game_keeps_both(page: Page, database: Path) -> None:
    scene = page.send("begin", seed=5)
    run = page.send("train", against="random", games=10**9, seed=1)
    refused = page.post("train", against="random", games=5)
    assert (refused.status_code, "is in progress" in refused.json()["error"]) == (400, True)
    for _ in range(2):
        scene = page.play_out(scene)
        scene = page.send("next", token=scene["token"])
    progress = page.progress(0)
    assert progress["training"] == {"going": True, "here": True, "run_id": run["run_id"], "error": None}
    rested = page.send("train/pause")
    assert 0 < rested["games_played"] < 10**9
    stepped = page.send("train/step", run_id=run["run_id"])
    assert stepped["games_played"] > rested["games_played"]
    page.send("train/resume", run_id=run["run_id"])
    ended = page.send("train/stop", run_id=run["run_id"])
    assert ended["state"] == "abandoned"
    progress = page.progress(0)
    assert (progress["run"]["state"], progress["training"]["going"]) == ("abandoned", False)
    played = int(ended["games_played"])
    with open_database(database) as store:
        assert store.learner("menace-x").games == 50 + 2 + played
        verify(store)


def test_training_on_the_page_is_an_ordinary_run(page: Page, database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    page.send("train", against="imperfect:0.2", games=300, seed=4)
    for _ in range(200):
        progress = page.progress(0)
        if progress["run"]["state"] == "finished":
            break
        time.sleep(0.02)
    assert sum(block["games"] for block in progress["blocks"]) == 350
    assert progress["games"] == 350
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

    with open_database(database) as store:
        before, rules = beads(store), positions_of(store).game
        page = Page(database, player)
        start = page.progress()["block"]
        games = [page.send("train/game", against="random", seed=str(seed)) for seed in range(6)]
        blocks = page.progress(start)["blocks"]
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


def boxes_of_o(page: Page) -> Any:
    return get(page.datasette, "/menace/play/menace-o/progress.json").json()["boxes"]


def test_progress_reports_each_block_once(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    start = page.progress()
    assert (start["blocks"], start["games"], start["more"]) == ([], 50, False)
    assert start["rival"] == {
        "learner": "menace-o",
        "boxes": boxes_of_o(page),
    }  # the two learners have played against each other
    assert [[move["amount"] for move in box["moves"]] for box in start["boxes"]] == [
        contents["amounts"] for contents in start["contents"]
    ]
    nothing = page.progress(start["block"])
    assert (nothing["blocks"], nothing["contents"], nothing["strength"]) == ([], None, None)
    page.send("train/game", against="random", seed="1")
    later = page.get(f"/progress.json?after={start['block']}&boxes=1000").json()
    assert [block["games"] for block in later["blocks"]] == [1]
    assert later["games"] == 51
    assert later["boxes"] is None
    assert later["contents"][:12] != start["contents"]
    assert len(later["contents"]) == 304
    assert page.get("/progress.json?boxes=1001").status_code == 400
    assert {*later["strength"][-1]["losses"]} == {*OPPONENTS}
    assert (nothing["rival"], later["rival"]) == (None, None)
    before = boxes_of_o(page)
    page.send("train", against="menace-o", games=5, seed="1", paused=True)
    ordered = page.progress(later["block"])
    assert (ordered["rival"]["boxes"], ordered["run"]["active"]) == (before, True)
    with monkeypatch.context() as later_on:
        later_on.setattr(sessions, "ACTIVE_TIME", timedelta(seconds=-2))
        assert page.progress()["run"]["active"] is False
    page.send("train/step", run_id=ordered["run"]["run_id"], games=5)
    both = page.progress(ordered["block"])
    assert both["rival"]["boxes"] == boxes_of_o(page) != before
    assert (both["run"]["o_learns"], both["run"]["active"]) == (1, False)


def test_run_continues_by_the_requested_number_of_games(page: Page, database: Path) -> None:
    start = page.progress()["block"]
    run = page.send("train", against="random", games=200, seed=1, paused=True)["run_id"]
    orders = ({"games": 7}, {}, {"games": 57})  # without a number of games, the step ends at the next mark
    played = [page.send("train/step", run_id=run, **by)["games_played"] for by in orders]
    game = page.send("train/game", run_id=run)
    assert [*played, game["run"]["games_played"], game["run"]["state"]] == [7, 10, 67, 68, "unfinished"]
    assert game["plies"][0]["saw"]["board"] == "........."
    blocks = page.progress(start)["blocks"]
    # blocks end at the marks, as in any run
    assert [block["games"] for block in blocks] == [1, 1, 3, 2, 3, 10, 30, 17, 1]
    assert page.post("train/step", run_id=run, games=0).status_code == 400
    with open_database(database) as store:
        verify(store)


def test_shown_boxes_equal_the_database(page: Page, database: Path) -> None:
    reply = page.progress()
    with open_database(database) as store:
        row = store.learner("menace-x")
        machine = load_machine(store, positions_of(store), row)
        for box in reply["boxes"]:
            position = machine.positions.number_of(box["board"])
            beads = {pile.action: pile.beads for pile in store.matchbox(row.learner_id, position)}
            assert {move["action"]: move["amount"] for move in box["moves"]} == beads
        assert len(reply["boxes"]) == 12
        assert reply["boxes"][0]["board"] == "........."


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

    The query and the run would take minutes if the server did not stop them.
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


def learner_names(path: Path) -> list[str]:
    with open_database(path) as store:
        return [row.name for row in store.learners()]


def test_beginner_is_stored_at_the_first_move_and_every_browser_has_its_own(page: Page, database: Path) -> None:
    there = learner_names(database)

    page.base = "/menace/beginner"
    assert page.get().status_code == 200
    scene = page.send("begin", seed="3")
    assert page.post("move", token=scene["token"], move="nowhere").status_code == 400
    assert learner_names(database) == there
    assert (scene["unsaved"], scene["lessons"]) == (True, [])
    moved = page.send("move", token=scene["token"], move=scene["moves"][0]["name"])
    assert (moved["unsaved"], moved["player"]) == (False, "beginner")
    other = page.play_out(page.send("begin", seed="3"))
    page.base = "/menace/play/beginner"
    first = page.play_out(moved)
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

    page = Page(database, read_only=True)
    page.base = "/menace/beginner"
    assert "training" not in re.findall(r'id="(\w+)"', page.get().text)
    scene = page.play_out(page.send("begin", seed="3"))
    assert scene["unsaved"]
    assert scene["changes"]
    again = page.play_out(page.send("next", token=scene["token"]))
    page.base = "/menace/play/menace-x"
    assert page.post("begin").status_code == 403
    assert page.post("undo", token=scene["token"]).status_code == 403
    assert len(again["lessons"]) == 2
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("game", "side", "role", "person"),
    [
        ("hexapawn", "O", "Beginner plays the pawns at the top;", "you play the pawns at the bottom."),
        ("nim", "X", "Beginner plays first;", "you play second."),
    ],
)
def test_beginner_plays_the_side_that_can_learn_to_win(
    tmp_path: Path, game: str, side: str, role: str, person: str
) -> None:
    create_database(tmp_path / "menace.db", game, GAMES[game]).close()
    page = Page(tmp_path / "menace.db")
    assert re.findall('name="plays" value="(.)"', get(page.datasette, "").text)[0] == side  # the first page offers it
    page.base = "/menace/beginner"
    scene = page.send("begin")
    assert (scene["plays"], scene["said"]) == (side, f"Your turn: {person}")
    text = page.get().text
    assert role in text
    assert '<span class="draw">' not in text
    opponent = get(page.datasette, "/menace/play/perfect").text
    assert (f'value="{side}" selected' in opponent) == (side == "O")  # otherwise the first option is selected


def test_page_of_a_deleted_beginner_leads_to_a_new_one(database: Path) -> None:
    page = Page(database, "beginner-7")
    answer = page.get()
    assert (answer.status_code, answer.headers["location"]) == (302, "/-/menace/menace/beginner?new=1")
