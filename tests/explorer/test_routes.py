"""Tests of the explorer's routes: accepted parameters, refused requests and responses."""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browsing import get, post
from checkout import ROOT
from database_templates import trained_bytes
from faults.commands import POSTS

from menace.explorer.pages import routes
from menace.explorer.server.requests import NEEDED, Route
from menace.explorer.server.serving import site

PARTS = {"database": "menace", "name": "menace-x", "player": "menace-x", "board": quote("XO.......")}
# A valid value for each field that a request can contain. The token of a session is added later.
FIELDS: dict[str, object] = {"as": "O", "name": "Eva", "seed": "1", "greedy": False, "learning": True, "move": "0"}
FIELDS |= {"plays": "X", "against": "random", "games": 1, "paused": True, "run_id": 1, "run": 1, "yes": False}
FIELDS |= {"empty": "", "preset": "menace", "settings": {}, "colours": "menace", "numbering": "menace", "ply": 0}
FIELDS |= {"physical": False, "entries": ["white"], "board": ".........", "number": 1, "counted": {"red": 4}}
QUERY = {"learner": "menace-x", "token": "none", "number": 1}
# An invalid value of each type.
WRONG: dict[Any, object] = {str: 7, int: "x", int | None: "x", bool: "yes", dict[str, object]: [1], list[str]: 7}


def site_in(folder: Path) -> Any:
    path = folder / "menace.db"
    path.write_bytes(trained_bytes(50))
    return site([path])


@pytest.fixture(scope="module")
def datasette(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a server to which tests send only requests that do not write."""
    return site_in(tmp_path_factory.mktemp("routes"))


@pytest.fixture
def own(tmp_path: Path) -> Any:
    """Return a server for a single test, which writes to the database. No other test may depend on its data."""
    return site_in(tmp_path)


def address(route: Route) -> str:
    return re.sub(r"{(\w+)}", lambda part: PARTS[part[1]], route.path)


READING = [route for route in routes() if route.method == "GET"]
WRITING = [route for route in routes() if route.method == "POST"]


@pytest.mark.parametrize("route", READING, ids=lambda route: route.path)
def test_addresses_accept_their_parameters_and_answer_in_their_format(datasette: Any, route: Route) -> None:
    query = "&".join(f"{name}={value}" for name, value in {**QUERY, "unknown": 1}.items())
    answer = get(datasette, f"{address(route)}?{query}")
    # Two of the addresses redirect to a board or a machine. The token does not belong to any session.
    status = {"explore": 302, "boxes": 302, "session.json": 410}.get(route.path.rpartition("/")[2], 200)
    assert answer.status_code == status
    formats = {".json": "application/json", ".svg": "image/svg+xml"}
    wanted = next((kind for ending, kind in formats.items() if route.path.endswith(ending)), "text/html")
    assert status == 302 or answer.headers["content-type"].startswith(wanted)
    params = [param for param in inspect.signature(route.handler).parameters.values() if param.name != "store"][1:]
    if [param.name for param in params] == ["params"]:
        params = list(
            inspect.signature(vars(sys.modules[route.handler.__module__])[params[0].annotation]).parameters.values()
        )
    assert [param.name.rstrip("_") for param in params] == list(route.takes)


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.path)
def test_parameters_are_checked_by_type(own: Any, route: Route) -> None:
    token = post(own, "/menace/play/menace-x/begin", {"seed": 1}).json()["token"]
    body = {**FIELDS, "token": token}
    for name, param in route.takes.items():
        answer = post(own, address(route), {**body, name: WRONG[param.kind]})
        assert answer.status_code == 400, name
        assert answer.json()["error"].startswith(f"{name} is "), name
        if param.default is NEEDED:
            missing = {key: value for key, value in body.items() if key != name}
            assert post(own, address(route), missing).json() == {"error": f"{name} is missing; enter a value"}
    assert post(own, address(route), body).status_code < 500


# The keys in each JSON response that is read by scripts or other programs.
LEARNER = "name plays algorithm preset settings seed colours numbering games created_at"
ROW = f"{LEARNER} learner_id revision epsilon outcome_mean outcome_weight set_sum set_games"
RUN = """run_id kind x_player o_player x_learns o_learns games_wanted games_played state seed options version started_at
    finished_at"""
BOARD = "board shape pieces cells"
SCENE = f"""{BOARD} token player plays person name policy learns seed game outcome recorded error said plies moves drawn
    saw changes resigned score unsaved lessons first_box"""
ACTS = ("begin", "move", "undo", "resign", "finish", "next")
KEYS = {
    ".json": "database read_only game recorded learners",
    "/beginner/session.json": SCENE,
    "/boxes/{name}.json": "learner at last what counts boxes",
    "/compare.json": "learners policy opponent curves families pairs two differences",
    "/exam.json": """title shape draws verdicts cells of_cells graph players boards start home canonical kinds pieces
        looks moves""",
    "/explore/{board}.json": """board canonical position_id ply to_move outcome images minimax plies_to_end moves
        learners ways_on exact recorded before equivalent line best""",
    "/explore/{board}/history.json": "block_id what games board action multiplicity amount unit share picked",
    "/graph.json": "part learner board last positions moves",
    "/machines.json": LEARNER,
    "/machines/{name}.json": f"{ROW} instead_of strength curves unfinished_runs",
    "/play/{player}.json": "player learner game words rules shape side has_draws winner of_cells opponents",
    "/play/{player}/progress.json": """learner plays has_draws games block more blocks run boxes contents rival strength
        training""",
    "/play/{player}/session.json": SCENE,
    "/play/{player}/matchboxes/box.json": "number position_id board stage unit opened moves shape pieces beads",
    "/play/{player}/matchboxes/recount": "said",
    "/prospect.json": "games prospects",
    "": "name address",
    "/machines": "name address",
    "/machines/{name}/abandon": "name address run",
    "/machines/{name}/copy": "name address",
    "/machines/{name}/delete": "name address gone",
    "/machines/{name}/rename": "name address",
    "/machines/{name}/resume": "name address run more",
    "/machines/{name}/world": "name address run more",
    **dict.fromkeys([f"{page}/{act}" for page in ("/play/{player}", "/beginner") for act in ACTS], SCENE),
    **dict.fromkeys([f"/play/{{player}}/train{act}" for act in ("", "/step", "/resume", "/pause", "/stop")], RUN),
    "/play/{player}/train/game": f"{BOARD} run plies outcome said changes",
}


def check_keys(path: str, answer: Any) -> None:
    """Check that a response, or its first entry if it is a list, has exactly the documented keys."""
    assert answer.status_code == 200, answer.text
    content = answer.json()
    found = content[0] if isinstance(content, list) else content
    assert found.keys() == set(KEYS[path.removeprefix("/{database}")].split()), path


READING_JSON = [route for route in READING if route.path.endswith(".json")]


@pytest.mark.parametrize("route", READING_JSON, ids=lambda route: route.path)
def test_json_answers_have_their_keys(datasette: Any, route: Route) -> None:
    token = post(datasette, "/menace/play/menace-x/begin", {"seed": 1}).json()["token"]
    query = "&".join(f"{name}={value}" for name, value in {**QUERY, "token": token}.items() if name in route.takes)
    check_keys(route.path, get(datasette, f"{address(route)}?{query}"))


def test_empty_answers_have_their_keys(own: Any) -> None:
    """In each of these responses, the box, the last block, the machine in the database or the outcome is missing."""
    post(own, "/menace/machines", {"name": "Anna", "plays": "X", "preset": "q-learning"})
    for path, where in (
        ("/play/{player}.json", "/play/optimal.json"),
        ("/play/{player}/progress.json", "/play/Anna/progress.json"),
        ("/play/{player}/progress.json", "/play/menace-x/progress.json?after=0"),
        ("/machines/{name}.json", "/machines/Anna.json"),
        ("/boxes/{name}.json", "/boxes/Anna.json"),
        ("/explore/{board}.json", "/explore/XXXOO.....json"),
        ("/explore/{board}/history.json", "/explore/........./history.json?learner=Anna"),
        ("/compare.json", "/compare.json?learner=Anna"),
        ("/graph.json", "/graph.json?part=all"),
    ):
        check_keys(path, get(own, f"/menace{where}"))
    for player in ("optimal", "Anna"):
        check_keys("/play/{player}/begin", post(own, f"/menace/play/{player}/begin", {"as": "O", "name": "Eva"}))


def test_unreadable_file_is_listed_with_its_error(own: Any, tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(b"no database")
    (record,) = get(own, ".json").json()
    assert record.keys() == {"database", "read_only", "error", "learners"}


def test_answers_to_writes_have_their_keys(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    datasette, names = site([tmp_path / "menace.db"]), {}
    by_path = {route.path.removeprefix("/{database}"): route for route in WRITING}
    assert set(by_path) == {path for path, _ in POSTS}
    for path, body in POSTS:
        route = by_path[path]
        where = address(route).replace("menace-x", "Twin") if path.endswith("delete") else address(route)
        answer = post(datasette if where else site([tmp_path / "missing.db"]), where, {**names, **body})
        check_keys(path, answer)
        reply = answer.json()
        names |= {name: reply[name] for name in ("token", "run_id") if name in reply}


def test_no_address_has_two_handlers() -> None:
    patterns = [(route.method, route.pattern) for route in routes()]
    assert len(patterns) == len(set(patterns))


def test_documentation_lists_every_json_address() -> None:
    page = (ROOT / "docs" / "development" / "explorer.md").read_text()
    page = (
        page.replace("/DB", "/{database}")
        .replace("/NAME", "/{name}")
        .replace("play/{name}", "play/{player}")
        .replace("/BOARD", "/{board}")
    )
    paths = {route.path for route in routes() if route.path.endswith(".json")}
    assert [path for path in sorted(paths) if f"`{path}`" not in page] == []


@pytest.mark.parametrize(
    "page", [route for route in READING if not route.path.endswith((".json", ".svg"))], ids=lambda route: route.path
)
def test_every_page_links_to_a_working_sql_query(datasette: Any, page: Route) -> None:
    query = "" if "learner" not in page.takes else "?learner=menace-x"
    shown = get(datasette, address(page) + query)
    if shown.status_code == 302:  # this page redirects to another page, which has its own link
        return
    links = [unescape(link) for link in re.findall(r'href="(/menace[^"]*[?&]sql=[^"]*)"', shown.text)]
    assert links, page.path

    async def answered(link: str) -> Any:
        return await datasette.client.get(link)

    for link in links:
        answer = asyncio.run(answered(link))
        assert answer.status_code == 200, link
        assert "<tbody>" in answer.text, link  # the page shows the rows that the query returns
