"""Send random requests to every address of the explorer."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from browsing import HOME, PAGE_HEADERS

from menace.explorer.content.sessions import services_of
from menace.explorer.pages import routes
from menace.explorer.server.requests import Route
from menace.explorer.server.security import MAX_BODY_SIZE
from menace.explorer.server.serving import site

BIG = "x" * 10_000
PARTS = [
    *("menace", "menace-x", "menace-o", "random", "optimal", "imperfect:0.1", "imperfect:1e999", "imperfect:nan"),
    *(".........", "XO.......", "XX.OO....", "XXXXXXXXX", "X", "XOXOXO...:X", "3-4-5:X", "1", "0", "-1", "1e999"),
    *(str(2**63), str(2**64), "9" * 5_000, "..", "../../etc/passwd", "%2e%2e", "%00", "\0", "a\0b", "\r\n", "\n", " "),
    *("%", "%zz", "%ED%A0%80", "%FF%FE", "~", "~2E", "~ZZ", "\u202e", "é", "\U0001f4a9", "'", "\"'><script>", "';--"),
    *("{{7*7}}", "{}", "[]", "true", "null", "NaN", "٣", "²", ".json", "history", "menace-x.json", BIG, "?" * 200, "#"),
]
VALUES: list[Any] = [
    *PARTS,
    *(None, True, False, 0, 1, 2, 3, -1, 1e308, -0.5, 2**31, 2**63 - 1, 2**63, 2**64, 10**400, float("inf")),
    *(float("nan"), "\ud800", "", [], {}, [[]], {"": None}, ["menace-x"], {"name": "x"}, [0] * 5_000),
]
ARGUMENTS = ("after", "token", "learner", "line", "set", "pick", "from", "board", "show", "colour", "at", "since")
ARGUMENTS += ("draw", "part", "preset", "name", "seed", "as", "greedy", "learning", "step", "guess", "_", "opponent")
KEYS = ("name", "as", "seed", "learning", "greedy", "against", "games", "paused", "run_id", "token", "move", "run")
KEYS += ("empty", "yes", "plays", "preset", "settings", "colours", "numbering", "ply", "cell", "action", "")
DEEP = b'{"name":' * 20_000
BODIES = [b"", b"null", b"[]", b"{", b"\xff\xff", b'"x"', b"1e999", DEEP, b"[" * 60_000]
BODIES += [b"{" + b" " * MAX_BODY_SIZE + b"}"]


def address(route: Route, chance: random.Random) -> str:
    """Return an address for a route, with random path components and a random query."""

    def part(name: str) -> str:
        likely = {"database": "menace", "board": "........."}.get(name, "menace-x")
        text = likely if chance.random() < 0.6 else chance.choice(PARTS)
        return text if "%" in text else quote(text, safe="" if chance.random() < 0.8 else "/.~")

    filled = re.sub(r"{(\w+)}", lambda match: part(match[1]), route.path)
    given = [(chance.choice(ARGUMENTS), chance.choice(PARTS)) for _ in range(chance.choice((0, 0, 1, 2, 5)))]
    return HOME + filled + ("?" + urlencode(given + given[:1]) if given else "")


def body(chance: random.Random) -> bytes:
    """Return a random request body, usually an object with valid keys and random values."""
    if chance.random() < 0.2:
        return chance.choice(BODIES)
    sent = {chance.choice(KEYS): chance.choice(VALUES) for _ in range(chance.randrange(6))}
    likely = {"name": f"n{chance.randrange(99)}", "games": 3, "plays": "X", "as": "O", "against": "random", "run": 1}
    likely |= {"token": "TOKEN", "move": str(chance.randrange(1, 10)), "run_id": 1}
    return json.dumps({**{key: value for key, value in likely.items() if chance.random() < 0.5}, **sent}).encode()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def attack(path: Path, seed: int, requests: int) -> list[str]:
    """Send random requests, and return the errors found in the responses."""
    chance, datasette, wrong = random.Random(seed), site([path]), []
    await datasette.invoke_startup()
    job, token, all_routes = services_of(datasette, path).training_job, "", routes()
    for _ in range(requests):
        route = chance.choice(all_routes)
        if route.path.startswith("/{database}/graph") and chance.random() < 0.8:
            continue  # skipped, because this route is the slowest
        method = "POST" if route.method == "POST" else chance.choice(("GET", "HEAD"))
        where, sent = address(route, chance), body(chance) if method == "POST" else b""
        if b"TOKEN" in sent:
            sent = sent.replace(b"TOKEN", token.encode())
        before = digest(path)
        answer = await datasette.client.request(method, where, content=sent, headers=PAGE_HEADERS)
        if answer.status_code >= 500 or "Traceback" in answer.text:
            wrong.append(f"{method} {where[:300]} {sent[:300]!r}: {answer.status_code} {answer.text[:300]}")
        if method != "POST" and digest(path) != before:
            wrong.append(f"{method} {where[:300]} changed the file")
        await job.pause()  # otherwise, background training would write to the file during later requests
        if where.endswith("/begin") and answer.status_code == 200:
            token = answer.json()["token"]
    return wrong
