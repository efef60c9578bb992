"""Report which kernel runs: compiled, uncompiled, or compiled from a different version of the source."""

from __future__ import annotations

import hashlib
from pathlib import Path

from menace.kernel import loop as kernel

SOURCES = tuple(Path(__file__).with_name(name) for name in ("loop.py", "loop.pxd"))


def source_hash() -> str:
    """Return the SHA-256 of loop.py followed by loop.pxd, in hexadecimal."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()


def kernel_state() -> str:
    """Return a description of the kernel that runs."""
    if not kernel.COMPILED:
        return "not compiled (Python runs it, about a hundred times slower)"
    if source_hash() != kernel.SOURCE_HASH:
        # The file must be deleted because Python prefers one built for its own version to the abi3 file that is
        # installed.
        file = Path(kernel.__file__).name
        return f"compiled from a different loop.py or loop.pxd (delete {file} and install again)"
    return "compiled"
