"""The compiled module that plays and learns games, its C types, and the report of whether it is compiled.

It imports nothing else from menace. Start with loop.py; loop.pxd declares its C types, and without_cython.py replaces
the `cython` module where Cython is not installed.
"""
