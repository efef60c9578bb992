"""Functions for atomic file writing, output formats, tables, and optional libraries.

The modules in this folder import only `menace.errors` and `menace.text`. Start with atomic.py, which writes every file.
"""
