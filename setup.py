"""Compile the kernel. All metadata is in setup.cfg.

The extension is optional: if it cannot be built, Python runs menace/kernel/loop.py instead. If MENACE_PURE is 1, no
extension is built, and the wheel works on every platform.
"""

import hashlib
import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("menace/kernel/loop.py")
TYPES = Path("menace/kernel/loop.pxd")  # Cython finds this file by the name of the module, not of the copy
COPY = Path("build/kernel.py")
PURE = os.environ.get("MENACE_PURE", "") not in {"", "0"}
# With the limited API, one extension works for Python 3.11 and later. Free-threaded Pythons do not support this API.
LIMITED = not PURE and not sysconfig.get_config_var("Py_GIL_DISABLED")
# Without fused multiply-add instructions, all builds produce identical results. Debugging information would take up 80%
# of the file. Microsoft's compiler has none of these options, but it optimizes by default and does not fuse these
# operations.
FLAGS = [] if os.name == "nt" else ["-O3", "-ffp-contract=off", "-g0"]


def copy_with_hash() -> str:
    """Copy the kernel's source, insert a hash of the source and its types, and return the path of the copy.

    The hash shows whether an extension is stale. If either file changes, the hash changes the copy, so that Cython
    compiles the copy again.
    """
    source = SOURCE.read_bytes()
    digest = hashlib.sha256(source + TYPES.read_bytes()).hexdigest()
    COPY.parent.mkdir(exist_ok=True)
    marked = source.replace(b'SOURCE_HASH = ""', f'SOURCE_HASH = "{digest}"'.encode())
    if not COPY.exists() or COPY.read_bytes() != marked:
        COPY.write_bytes(marked)
    return COPY.as_posix()


def extensions() -> list[Extension]:
    """Return the kernel as a C extension."""
    from Cython.Build import cythonize

    limits = {"define_macros": [("Py_LIMITED_API", "0x030B0000")], "py_limited_api": True} if LIMITED else {}
    made = cythonize(
        [Extension("menace.kernel.loop", [copy_with_hash()], extra_compile_args=FLAGS, **limits)], language_level=3
    )
    for extension in made:
        extension.optional = True  # set here because cythonize() does not preserve this attribute
    return made


setup(
    ext_modules=[] if PURE else extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)
