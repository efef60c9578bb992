"""The security headers of responses, and the nonce that marks the scripts that may run.

Datasette's pages have inline scripts. A nonce is random and belongs to one response: the policy in the header names
it, and each script of a template carries it. It is inserted into the source of a template before any data are, so a
script that is injected as data has none, and does not run.
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
    """Yield a random nonce, which pages rendered within the context carry, except in nested contexts."""
    nonce = secrets.token_urlsafe(16)
    token = _NONCE.set(nonce)
    try:
        yield nonce
    finally:
        _NONCE.reset(token)


def policy(nonce: str) -> dict[bytes, bytes]:
    """Return security headers: content comes from this server alone, and no other page may frame it.

    Args:
        nonce: of the response's scripts.
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
    """Adds the nonce of the response to each script tag of a template, if there is one."""

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        environment.globals["script_nonce"] = _attribute

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """Return the source of a template with a call for the nonce in each script tag."""
        return _SCRIPT.sub("<script{{ script_nonce() }}", source)


def _attribute() -> Markup:
    nonce = _NONCE.get()
    return Markup(' nonce="{}"').format(nonce) if nonce else Markup()
