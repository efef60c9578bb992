"""Provide the Python API: classes for a database and its learners, with methods that correspond to commands.

The modules in this folder may import from any folder of menace except `menace.explorer` and `menace.cli`. Start with
database_api.py.
"""
