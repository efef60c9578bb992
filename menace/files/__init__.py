"""Functions for atomic file writing, output formats, tables, and optional libraries.

This folder imports only `menace.errors` and `menace.text`. Start with atomic.py, which writes every file.
"""
