"""Files and tables: atomic writing, output formats, tables for people and programs, and optional libraries.

It imports only `menace.errors` and `menace.text`. Start with atomic.py, which writes every file.
"""
