"""Provide the Python API: classes for a database and its learners, with methods that correspond to commands.

This folder imports every folder except `menace.explorer` and `menace.cli`. Start with database_api.py.
"""
