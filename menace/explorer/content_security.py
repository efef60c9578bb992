"""What a browser may do with an answer, as its headers say, and the nonce by which it knows the scripts that are meant.

The scripts of Datasette's pages stand within them. A nonce is a number of one answer: the policy in the header names
it, and each script of a template carries it. It is put into the templates' sources, before any data are: what somebody
has smuggled into a page as data has none, and does not run.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import Any

from jinja2.ext import Extension
from markupsafe import Markup

_NONCE: ContextVar[str] = ContextVar("nonce", default="")
_SCRIPT = re.compile(r"<script(?=[\s>])")
_HANDLER = b64encode(sha256(b"openColumnChooser()").digest()).decode()  # Datasette 1.0's one script in an attribute


@contextmanager
def new_nonce() -> Iterator[str]:
    """Give a nonce that nobody can guess; pages that are made meanwhile have it, but for those of answers within."""
    nonce = secrets.token_urlsafe(16)
    token = _NONCE.set(nonce)
    try:
        yield nonce
    finally:
        _NONCE.reset(token)


def policy(nonce: str) -> dict[bytes, bytes]:
    """Return the headers of an answer: everything comes from this server, and no page shows ours in a frame.

    Args:
        nonce: of its scripts.
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
    """Gives each script that stands in a template the nonce of the answer, where it has one."""

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        environment.globals["script_nonce"] = _attribute

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """Return the source of a template with the nonce asked for in each script's tag."""
        return _SCRIPT.sub("<script{{ script_nonce() }}", source)


def _attribute() -> Markup:
    nonce = _NONCE.get()
    return Markup(' nonce="{}"').format(nonce) if nonce else Markup()
