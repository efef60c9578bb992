"""The compiled kernel, and only that; metadata is in setup.cfg.

The extension is optional: where it cannot be built, Python runs menace/kernel.py itself.
"""

import hashlib
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Path("menace/kernel.py")
TYPES = Path("menace/kernel.pxd")  # Cython finds it by the module's name, whatever the copy is called
COPY = Path("build/kernel.py")
FLAGS = ["-O3", "-ffp-contract=off"]  # no fused multiply-add: every build gives the same bits


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


extensions = cythonize([Extension("menace.kernel", [with_hash()], extra_compile_args=FLAGS)], language_level=3)
for extension in extensions:
    extension.optional = True  # on what comes back: cythonize() drops it from what goes in

setup(ext_modules=extensions)
