"""Check access to the server, and set security headers."""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import Any, TypeAlias
from urllib.parse import unquote_plus

from datasette.utils.asgi import Response
from jinja2.ext import Extension
from markupsafe import Markup

from menace.errors import MenaceError

_NONCE: ContextVar[str] = ContextVar("nonce", default="")
_SCRIPT = re.compile(r"<script(?=[\s>])")
_HANDLER = b64encode(sha256(b"openColumnChooser()").digest()).decode()  # Datasette 1.0's inline handler


class Refused(MenaceError):
    """A request that is not allowed to write, or that comes from a page on another site."""


class Misdirected(Refused):
    """A request whose Host header does not name this computer."""


@contextmanager
def new_nonce() -> Iterator[str]:
    """Yield a random nonce that is added to pages rendered within the context; a nested context has its own nonce."""
    nonce = secrets.token_urlsafe(16)
    token = _NONCE.set(nonce)
    try:
        yield nonce
    finally:
        _NONCE.reset(token)


def policy(nonce: str) -> dict[bytes, bytes]:
    """Return headers that allow content only from this server and stop other sites from showing the page in a frame.

    Args:
        nonce: the nonce of the response's scripts.
    """
    content = (
        "default-src 'self'; "
        f"script-src 'self' 'nonce-{nonce}' 'unsafe-hashes' 'sha256-{_HANDLER}'; "
        "img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
        "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    )
    return {
        b"content-security-policy": content.encode(),
        b"x-content-type-options": b"nosniff",
        b"referrer-policy": b"same-origin",
    }


class ScriptNonces(Extension):
    """A Jinja extension that adds the response's nonce, if there is one, to each script tag in a template."""

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        environment.globals["script_nonce"] = _attribute

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """Add a call that inserts the nonce to each script tag in a template's source, and return the source."""
        return _SCRIPT.sub("<script{{ script_nonce() }}", source)


def _attribute() -> Markup:
    nonce = _NONCE.get()
    return Markup(' nonce="{}"').format(nonce) if nonce else Markup()


Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
LOCAL = ("localhost", HOST, "[::1]")
HTTP_PORT = 80  # addresses omit this default port
MAX_BODY_SIZE = 64 * 1024  # bytes
REFUSED, MISDIRECTED, FAILED = 403, 421, 500
MAX_SPACES = 300

_SPACES = re.compile(rf"\s{{{MAX_SPACES + 1}}}")
_HOST = re.compile(f"(?:{'|'.join(map(re.escape, LOCAL))})(?::([0-9]{{1,5}}))?")


def headers_of(scope: Scope) -> dict[str, str]:
    """Return a request's headers, indexed by lower-case name.

    If a header is repeated, its values are joined, so that the header never matches a rule.
    """
    headers: dict[str, str] = {}
    for key, value in scope["headers"]:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return headers


def check_origin(method: str, headers: Mapping[str, str]) -> None:
    """Check that a request names this computer as its host and was not sent by a page on another site.

    Other sites may link to the explorer, because only the person who follows the link sees the response. Old browsers
    and other programs do not send Sec-Fetch-Site; their requests are accepted if the Host is correct.

    Args:
        method: the HTTP method.
        headers: the headers, with names in lower case.

    Raises:
        Misdirected: if the Host is not a name of this computer.
        Refused: if a page of another site sent the request, and the request is not a click on a link.
    """
    if not _HOST.fullmatch(headers.get("host", "")):
        raise Misdirected("this server accepts requests only from this computer, at one of its own host names")
    if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return
    how = method, headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    if how not in {("GET", "navigate", "document"), ("HEAD", "navigate", "document")}:
        raise Refused("pages on other sites may link to this address, but may not load it in any other way")


def check_query(query_string: bytes) -> None:
    """Check that the query string does not take long to parse.

    Datasette uses a regular expression to skip comments before a statement. Skipping a comment takes time quadratic in
    the number of spaces after it, and blocks the server: 8,000 spaces take 6 s.

    Raises:
        Refused: if there are more than MAX_SPACES spaces in a row.
    """
    if _SPACES.search(unquote_plus(query_string.decode("latin-1"))):
        raise Refused(f"this address has more than {MAX_SPACES} spaces in a row; remove them")


def explain_foreign_request(headers: Mapping[str, str], port: int | None, client: str | None) -> str:
    """Return an error message if a request was not sent by this computer to one of its own host names, or "" otherwise.

    The arguments are the same as for `check_writer`.
    """
    if client is None or not _is_loopback(client):
        return f"only this computer may write, but the request comes from {client or 'an unknown address'}"
    host = _HOST.fullmatch(headers.get("host", ""))
    if host is None:
        return f"only this computer may write, but the Host header is none of {', '.join(LOCAL)}"
    if port is not None and int(host[1] or HTTP_PORT) != port:
        return f"only pages served by this server may write, but the port in the Host header is not {port}"
    return ""


def check_writer(headers: Mapping[str, str], port: int | None, client: str | None) -> None:
    """Check that a write request was sent by a page of this site on this computer.

    Args:
        headers: the headers of the request, with names in lower case.
        port: the port on which the server listens. If it is None (unknown), Host and Origin must have the same port.
        client: the address of the client; None if it is not known, as with a Unix socket.

    Raises:
        Refused: if it was not. The message says what was expected.
    """
    if elsewhere := explain_foreign_request(headers, port, client):
        raise Refused(elsewhere)
    if headers.get("origin") != f"http://{headers['host']}":  # browsers send exactly this text
        raise Refused("only pages of this site may write, but the Origin header is wrong or missing")
    if headers.get("sec-fetch-site") != "same-origin":
        raise Refused("only pages of this site may write, but the Sec-Fetch-Site header is not same-origin")
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("write requests must be sent as application/json")


def _is_loopback(client: str) -> bool:
    try:
        address = ip_address(client)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:  # an IPv6 server sees IPv4 clients in this form
        return address.ipv4_mapped.is_loopback
    return address.is_loopback


def guarded(app: App, ours: str, local: bool) -> App:
    """Wrap an ASGI application to set security headers and, if `local` is true, reject requests from other computers.

    Args:
        app: the server's application.
        ours: the root path of the explorer's pages.
        local: whether the server accepts requests only from this computer. If so, the headers are set on all responses.
            Otherwise, they are set only on the explorer's responses, and the server itself controls access.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (local or scope["path"].startswith(ours)):
            await app(scope, receive, send)
            return
        with new_nonce() as nonce:
            reply = _Reply(send, policy(nonce))
            try:
                if local:
                    check_origin(scope["method"], headers_of(scope))
                    check_query(scope.get("query_string", b""))
                await app(scope, receive, reply)
            except Misdirected as error:
                await _send_line(reply, MISDIRECTED, f"{error}; open {_home(scope, ours)}")
            except Refused as error:
                await _send_line(reply, REFUSED, str(error))
            except Exception:
                if not reply.begun:
                    await _send_line(reply, FAILED, "the server could not respond because of an internal error")
                raise  # so that the server logs it

    return answer


class _Reply:
    """A function that sends a response with security headers, which replace other headers with the same names."""

    def __init__(self, send: Send, headers: Mapping[bytes, bytes]) -> None:
        self.send, self.headers, self.begun = send, headers, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            others = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in self.headers]
            message = {**message, "headers": [*others, *self.headers.items()]}
        await self.send(message)


async def _send_line(send: Send, status: int, line: str) -> None:
    await Response.text(f"{line}\n", status).asgi_send(send)


def _home(scope: Scope, ours: str) -> str:
    port = (scope.get("server") or (None, None))[1]
    return f"http://{HOST}{f':{port}' if port else ''}{ours}"
