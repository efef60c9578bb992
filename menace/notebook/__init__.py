"""The Python API: a database and its learners, with the commands as methods.

It imports every folder except `menace.explorer` and `menace.cli`. Start with database_api.py.
"""
