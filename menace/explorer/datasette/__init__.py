"""Adapt Datasette's pages to menace databases: limit SQL, draw boards in table cells, and provide metadata.

This folder imports `menace.explorer.server` and `menace.ledger`. Start with database.py.
"""
