"""The explorer's addresses equal their OpenAPI description, and the other way round."""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
from html import unescape
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import Any, NotRequired, TypedDict
from urllib.parse import quote

import pytest
from browsing import HOME, get, post
from templates import trained_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from fault_commands import POSTS

from menace.explorer.openapi import description, schema_of
from menace.explorer.params import NEEDED
from menace.explorer.route import Route
from menace.explorer.routes import routes
from menace.explorer.server import site
from menace.games.base import Side

PARTS = {"database": "menace", "name": "menace-x", "player": "menace-x", "board": quote("XO.......")}
# A value of each field that is sent anywhere; the token is that of a session.
FIELDS: dict[str, object] = {
    "as": "O",
    "name": "Eva",
    "seed": "1",
    "greedy": False,
    "learning": True,
    "move": "0",
    "plays": "X",
    "against": "random",
    "games": 1,
    "paused": True,
    "run_id": 1,
    "run": 1,
    "yes": False,
    "empty": "",
    "preset": "menace",
    "settings": {},
    "colours": "menace",
    "numbering": "menace",
}
QUERY = {"learner": "menace-x", "token": "none"}
WRONG: dict[str, object] = {"string": 7, "integer": "x", "boolean": "yes", "object": [1]}  # by kind


class SmallRecord(TypedDict):
    side: Side
    games: int | None
    best: NotRequired[list[float]]


def site_in(folder: Path) -> Any:
    path = folder / "menace.db"
    path.write_bytes(trained_bytes(50))
    return site([path])


@pytest.fixture(scope="module")
def datasette(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """To read of."""
    return site_in(tmp_path_factory.mktemp("openapi"))


@pytest.fixture
def own(tmp_path: Path) -> Any:
    """To write to: what one test renames, another would look for."""
    return site_in(tmp_path)


def address(route: Route) -> str:
    return re.sub(r"{(\w+)}", lambda part: PARTS[part[1]], route.path)


READING = [route for route in routes() if route.method == "GET"]
WRITING = [route for route in routes() if route.method == "POST"]


@pytest.mark.parametrize("route", READING, ids=lambda route: route.path)
def test_an_address_takes_its_parameters_and_leaves_others(datasette: Any, route: Route) -> None:
    query = "&".join(f"{name}={value}" for name, value in {**QUERY, "unknown": 1}.items() if name != "token")
    assert get(datasette, f"{address(route)}?{query}").status_code < 500
    params = [param for param in inspect.signature(route.handler).parameters.values() if param.name != "store"][1:]
    if [param.name for param in params] == ["params"]:
        params = list(
            inspect.signature(vars(sys.modules[route.handler.__module__])[params[0].annotation]).parameters.values()
        )
    assert [param.name.rstrip("_") for param in params] == list(route.takes)


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.path)
def test_what_is_sent_is_read_by_its_type(own: Any, route: Route) -> None:
    token = post(own, "/menace/play/menace-x/begin", {"seed": 1}).json()["token"]
    body = {**FIELDS, "token": token}
    for name, param in route.takes.items():
        answer = post(own, address(route), {**body, name: WRONG[param.kind]})
        assert answer.status_code == 400, name
        assert answer.json()["error"].startswith(f"{name} is "), name
        if param.default is NEEDED:
            missing = {key: value for key, value in body.items() if key != name}
            assert post(own, address(route), missing).json() == {"error": f"{name} is missing; type one"}
    assert post(own, address(route), body).status_code < 500


JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (NoneType,),
    "array": (list,),
    "object": (dict,),
}


def errors(value: Any, schema: dict[str, Any], where: str = "it") -> list[str]:
    """Return where a value is not what a schema says. Of an object with properties, it has no others."""
    if "anyOf" in schema:
        return min((errors(value, each, where) for each in schema["anyOf"]), key=len)
    if "type" in schema and type(value) not in JSON_TYPES[schema["type"]]:
        return [f"{where} is {value!r}, no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where} is {value!r}, none of {schema['enum']}"]
    if isinstance(value, list):
        return [error for item in value for error in errors(item, schema.get("items", {}), f"{where}[]")]
    if not isinstance(value, dict):
        return []
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    missing = [f"{where} has no {name}" for name in schema.get("required", []) if name not in value]
    unknown = [f"{where} has {name}" for name in value if properties and name not in properties]
    inner = [errors(item, properties.get(name, others or {}), f"{where}.{name}") for name, item in value.items()]
    return missing + unknown + list(chain.from_iterable(inner))


def check_conforms(route: Route, answer: Any) -> None:
    """Check that an answer has what the description says, and nothing else."""
    assert answer.status_code == 200, answer.text
    operation = description([route])["paths"][HOME + route.path][route.method.lower()]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert "properties" in schema.get("items", schema) or route.path == "/openapi.json"
    assert errors(answer.json(), schema) == [], route.path


READING_JSON = [route for route in READING if route.path.endswith(".json")]


@pytest.mark.parametrize("route", READING_JSON, ids=lambda route: route.path)
def test_what_is_read_conforms_to_its_schema(datasette: Any, route: Route) -> None:
    token = post(datasette, "/menace/play/menace-x/begin", {"seed": 1}).json()["token"]
    query = "&".join(f"{name}={value}" for name, value in {**QUERY, "token": token}.items() if name in route.takes)
    check_conforms(route, get(datasette, f"{address(route)}?{query}"))


def test_what_is_absent_conforms_to_the_schema_as_well(own: Any, tmp_path: Path) -> None:
    """Without a box, a last block, a machine of the database, an outcome; and a file that cannot be read."""
    by_path = {(route.method, route.path.removeprefix("/{database}")): route for route in routes()}
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
        check_conforms(by_path["GET", path], get(own, f"/menace{where}"))
    for player in ("optimal", "Anna"):
        begun = post(own, f"/menace/play/{player}/begin", {"as": "O", "name": "Eva"})
        check_conforms(by_path["POST", "/play/{player}/begin"], begun)
    (tmp_path / "menace.db").write_bytes(b"no database")
    check_conforms(next(route for route in READING if route.path == ".json"), get(own, ".json"))


def test_a_schema_refuses_what_it_does_not_say() -> None:
    schema = schema_of(SmallRecord)
    assert errors({"side": "X", "games": None}, schema) == []
    for wrong in ({"side": "X"}, {"side": "Z", "games": 1}, {"side": "X", "games": True}, {"side": "X", "games": "1"}):
        assert len(errors(wrong, schema)) == 1, wrong
    assert errors({"side": "O", "games": 1, "best": [1, 2.5], "won": 1}, schema) == ["it has won"]
    assert errors([{"side": "O", "games": 1, "best": ["a"]}], schema_of(list[SmallRecord])) == [
        "it[].best[] is 'a', no number"
    ]


def test_the_answer_to_what_is_written_conforms_to_its_schema(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    datasette, names = site([tmp_path / "menace.db"]), {}
    by_path = {route.path.removeprefix("/{database}"): route for route in WRITING}
    assert set(by_path) == {path for path, _ in POSTS}
    for path, body in POSTS:
        route = by_path[path]
        where = address(route).replace("menace-x", "Twin") if path.endswith("delete") else address(route)
        answer = post(datasette if where else site([tmp_path / "missing.db"]), where, {**names, **body})
        check_conforms(route, answer)
        reply = answer.json()
        names |= {name: reply[name] for name in ("token", "run_id") if name in reply}


def test_the_openapi_description_has_every_address_and_each_part_of_it(datasette: Any) -> None:
    description = get(datasette, "/openapi.json").json()
    assert description["openapi"].startswith("3.1")
    methods = {(path, method) for path, operations in description["paths"].items() for method in operations}
    assert methods == {(HOME + route.path, route.method.lower()) for route in routes()}
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            parts = [each["name"] for each in operation["parameters"] if each["in"] == "path"]
            assert parts == re.findall(r"{(\w+)}", path)
            assert operation["summary"]
            assert ("requestBody" in operation) == (method == "post")


def test_two_routes_of_one_address_are_not_described_as_one() -> None:
    described = [(route.method, route.path) for route in routes()]
    assert len(described) == len(set(described)) == sum(map(len, description(routes())["paths"].values()))


def test_every_address_answers_what_its_description_says(datasette: Any) -> None:
    filled = {"database": "menace", "name": "adam", "player": "adam", "board": quote("XO.......")}
    for path, operations in get(datasette, "/openapi.json").json()["paths"].items():
        if "get" not in operations:
            continue
        address = re.sub(r"{(\w+)}", lambda part: filled[part[1]], path).removeprefix(HOME)
        response = get(datasette, address)
        (kind,) = operations["get"]["responses"]["200"]["content"]
        if response.status_code == 200:
            assert response.headers["content-type"].startswith(kind), path
        else:
            assert str(response.status_code) in operations["get"]["responses"], path


def test_the_page_on_the_explorer_tells_of_every_address_for_programs() -> None:
    page = (Path(__file__).parents[1] / "docs" / "development" / "explorer.md").read_text()
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
def test_every_page_links_to_the_query_behind_it_and_it_answers(datasette: Any, page: Route) -> None:
    query = "" if "learner" not in page.takes else "?learner=menace-x"
    shown = get(datasette, address(page) + query)
    if shown.status_code == 302:  # it leads to a page that has its own
        return
    links = [unescape(link) for link in re.findall(r'href="(/menace[^"]*[?&]sql=[^"]*)"', shown.text)]
    assert links, page.path

    async def answered(link: str) -> Any:
        return await datasette.client.get(link)

    for link in links:
        answer = asyncio.run(answered(link))
        assert answer.status_code == 200, link
        assert "<tbody>" in answer.text, link  # rows of it
