"""Answer requests in a browser tab, where Python runs in Pyodide; menace/site/templates/lite_worker.js calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from menace.explorer.server.serving import site

HOST = "127.0.0.1:8001"  # makes the security checks treat requests from the tab like requests from this computer
FRAMES = "frame-ancestors 'none'"


class BrowserTab:
    """The explorer in a browser tab.

    Args:
        database: the path of the database file.
        base_url: the path, with a slash at the end, below which a service worker passes requests to this tab.
    """

    def __init__(self, database: str, base_url: str) -> None:
        self.datasette = site([Path(database)], base_url=base_url)

    async def answer(self, method: str, path: str, content_type: str, body: str) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of the response. Pages of the same site may show it in a frame.

        Args:
            method: the HTTP method.
            path: the path and the query of the address, without `base_url`.
            content_type: the Content-Type of the request, which pages of other sites cannot set to JSON.
            body: the body of the request.
        """
        await self.datasette.invoke_startup()
        headers = {"host": HOST, "origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
        headers["content-type"] = content_type
        reply: Any = await self.datasette.client.request(method, path, content=body, headers=headers)
        headers = {name: text.replace(FRAMES, FRAMES.replace("none", "self")) for name, text in reply.headers.items()}
        return reply.status_code, headers, reply.content
