"""The compiled kernel, and only that; metadata is in setup.cfg.

The extension is optional: where it cannot be built, Python runs menace/kernel/loop.py itself. With MENACE_PURE=1 it
is left out, and so the wheel is one for every platform.
"""

import hashlib
import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("menace/kernel/loop.py")
TYPES = Path("menace/kernel/loop.pxd")  # Cython finds it by the module's name, whatever the copy is called
COPY = Path("build/kernel.py")
PURE = os.environ.get("MENACE_PURE", "") not in {"", "0"}
# One extension for Python 3.11 and all later ones, by their limited API, which those without the lock do not have.
LIMITED = not PURE and not sysconfig.get_config_var("Py_GIL_DISABLED")
# No fused multiply-add: every build gives the same bits. No debugging information, four fifths of the file. Microsoft's
# compiler knows none of these, optimizes anyway, and fuses only where it is told to.
FLAGS = [] if os.name == "nt" else ["-O3", "-ffp-contract=off", "-g0"]


def with_hash() -> str:
    """Copy the kernel's source with a hash of it and of its types written in, so that a stale extension can be told.

    Returns the copy's path. A change of either file changes the copy, so that Cython takes it up again.
    """
    source = SOURCE.read_bytes()
    digest = hashlib.sha256(source + TYPES.read_bytes()).hexdigest()
    COPY.parent.mkdir(exist_ok=True)
    marked = source.replace(b'SOURCE_HASH = ""', f'SOURCE_HASH = "{digest}"'.encode())
    if not COPY.exists() or COPY.read_bytes() != marked:
        COPY.write_bytes(marked)
    return COPY.as_posix()


def extensions() -> list[Extension]:
    """Return the kernel, as C."""
    from Cython.Build import cythonize

    limits = {"define_macros": [("Py_LIMITED_API", "0x030B0000")], "py_limited_api": True} if LIMITED else {}
    made = cythonize(
        [Extension("menace.kernel.loop", [with_hash()], extra_compile_args=FLAGS, **limits)], language_level=3
    )
    for extension in made:
        extension.optional = True  # on what comes back: cythonize() drops it from what goes in
    return made


setup(
    ext_modules=[] if PURE else extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)
