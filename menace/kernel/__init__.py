"""The kernel, which plays games and learns from them, and a function that checks whether the kernel is compiled.

This folder does not import any other part of menace. Start with loop.py. loop.pxd declares the C types for loop.py, and
without_cython.py replaces the `cython` module if Cython is not installed.
"""

from __future__ import annotations

from pathlib import Path

SOURCES = tuple(Path(__file__).with_name(name) for name in ("loop.py", "loop.pxd"))


def source_hash() -> str:
    """Return the SHA-256 hash of loop.py followed by loop.pxd, in hexadecimal."""
    import hashlib

    return hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()


def kernel_state() -> str:
    """Return a description of the kernel that is in use."""
    from menace.kernel import loop as kernel

    if not kernel.COMPILED:
        return "not compiled (about a hundred times slower)"
    if source_hash() != kernel.SOURCE_HASH:
        # The user must delete this file because Python prefers a file built for its own version over the installed abi3
        # file.
        file = Path(kernel.__file__).name
        return f"compiled from a different loop.py or loop.pxd (delete {file} and install again)"
    return "compiled"
