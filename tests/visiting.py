"""Asking a Datasette for pages of ours, and writing as a page of ours does."""

from __future__ import annotations

import asyncio
import json
from typing import Any

HOME = "/-/menace"
OURS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}


def get(datasette: Any, address: str, **headers: str) -> Any:
    """Return what is answered to who asks for an address below our root."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        return await datasette.client.get(HOME + address, headers=headers)

    return asyncio.run(answer())


def post(datasette: Any, address: str, body: object, headers: dict[str, str] | None = None) -> Any:
    """Return what is answered to who writes to an address below our root, as a page of ours."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await datasette.client.post(HOME + address, content=content, headers=headers or OURS)

    return asyncio.run(answer())
