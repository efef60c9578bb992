"""Reports which kernel runs: compiled, uncompiled, or compiled from a source that has changed since."""

from __future__ import annotations

import hashlib
from pathlib import Path

from menace.kernel import loop as kernel

SOURCES = tuple(Path(__file__).with_name(name) for name in ("loop.py", "loop.pxd"))


def source_hash() -> str:
    """Return the SHA-256 of menace/kernel/loop.py and kernel/loop.pxd, one after the other, in hexadecimal."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()


def kernel_state() -> str:
    """Return in words which kernel runs."""
    if not kernel.COMPILED:
        return "not compiled (Python runs it, about a hundred times slower)"
    if source_hash() != kernel.SOURCE_HASH:
        # Deleted, since a file of this Python's own wins over one for all Pythons, which is what is installed.
        file = Path(kernel.__file__).name
        return f"compiled from another loop.py or loop.pxd than the ones here (delete {file}, and install again)"
    return "compiled"
