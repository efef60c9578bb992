"""Answer requests without Datasette, so that a server has no handlers except those of its own few pages."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from functools import cache
from importlib.resources import files

from datasette.utils.asgi import Response

from menace.errors import MenaceError
from menace.explorer.server.requests import STATUS, WRONG
from menace.explorer.server.routes import Misdirected
from menace.explorer.server.security import MISDIRECTED, Send, policy

STATIC = "/static/"  # the path of scripts and stylesheets
DRAWING = {"menace.css", "matchbox.css", "play.css", "words.js", "drawing.js", "matchbox.js", "motion.js"}
DRAWING |= {"board_input.js", "swap.js", "forms.js"}  # required by pages with a board and a box
SAFE = {name.decode(): value.decode() for name, value in policy("").items()}
SAFE["content-security-policy"] = re.sub("script-src [^;]*; ", "", SAFE["content-security-policy"])  # no inline scripts
FRESH = {**SAFE, "cache-control": "no-store"}


@cache
def static_file(name: str) -> Response:
    """Return one of the explorer's scripts or stylesheets; the caller checks the name."""
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    text = (files("menace.explorer") / "static" / name).read_text("utf-8")
    return Response(text, headers={**SAFE, "cache-control": "max-age=300"}, content_type=f"{kind}; charset=utf-8")


def json_response(content: object, status: int = 200) -> Response:
    """Return a response with JSON."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return Response(text, status, FRESH, "application/json; charset=utf-8")


async def send_answer(answer: Awaitable[Response], send: Send) -> None:
    """Await a response and send it, or send the error that it raised."""
    try:
        response = await answer
    except Misdirected as error:
        response = json_response({"error": str(error)}, MISDIRECTED)
    except MenaceError as error:
        status = next((STATUS[kind] for kind in STATUS if isinstance(error, kind)), WRONG)
        response = json_response({"error": str(error)}, status)
    await response.asgi_send(send)
