"""The compiled module that plays and learns games, its C types, and the report of whether it is compiled.

It imports nothing else from menace. Start with loop.py; loop.pxd declares its C types, and without_cython.py replaces
the `cython` module where Cython is not installed.
"""

from __future__ import annotations

from pathlib import Path

SOURCES = tuple(Path(__file__).with_name(name) for name in ("loop.py", "loop.pxd"))


def source_hash() -> str:
    """Return the SHA-256 of loop.py followed by loop.pxd, in hexadecimal."""
    import hashlib

    return hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()


def kernel_state() -> str:
    """Return a description of the kernel that runs."""
    from menace.kernel import loop as kernel

    if not kernel.COMPILED:
        return "not compiled (Python runs it, about a hundred times slower)"
    if source_hash() != kernel.SOURCE_HASH:
        # The file must be deleted because Python prefers one built for its own version to the abi3 file that is
        # installed.
        file = Path(kernel.__file__).name
        return f"compiled from a different loop.py or loop.pxd (delete {file} and install again)"
    return "compiled"
