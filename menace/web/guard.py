"""Who may write: pages of this site, shown on this machine.

A page of another site can make a browser send requests here. What it cannot do is forge the headers that the browser
itself writes: Host, Origin and Sec-Fetch-Site.
"""

from __future__ import annotations

from collections.abc import Mapping

from menace.web.errors import Refused

LOCAL = {"localhost", "127.0.0.1", "[::1]"}
BODY_MOST = 64 * 1024  # bytes


def check_writer(headers: Mapping[str, str], port: int | None) -> None:
    """Check that a request which is to write comes from a page of this site.

    Args:
        headers: of the request, names in small letters.
        port: that the server listens on; None where it is not known, then the one of Host and Origin must be the same.

    Raises:
        Refused: if it does not, with what was expected.
    """
    host, _, said = headers.get("host", "").rpartition(":")
    if host not in LOCAL or not said.isdigit() or (port is not None and int(said) != port):
        raise Refused("only this machine may write; open the page at http://127.0.0.1 with the server's port")
    if headers.get("origin") != f"http://{headers['host']}":  # to the letter, as browsers write it
        raise Refused("only a page of this site may write: its Origin is another, or missing")
    if headers.get("sec-fetch-site") != "same-origin":
        raise Refused("only a page of this site may write: Sec-Fetch-Site is not same-origin")
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("what is to be written is sent as application/json")
