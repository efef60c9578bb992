"""Which kernel runs: compiled, uncompiled, or compiled from another source than the one that is here."""

from __future__ import annotations

import hashlib
from pathlib import Path

from menace import kernel


def source_hash() -> str:
    """Return the SHA-256 of menace/kernel.py as it stands, in hexadecimal."""
    return hashlib.sha256(Path(__file__).with_name("kernel.py").read_bytes()).hexdigest()


def kernel_state() -> str:
    """Say in words which kernel runs."""
    if not kernel.COMPILED:
        return "not compiled (Python runs it, about a hundred times slower)"
    if source_hash() != kernel.SOURCE_HASH:
        return "compiled from another kernel.py than the one here (install again)"
    return "compiled"
