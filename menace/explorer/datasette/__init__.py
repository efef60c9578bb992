"""Datasette's own pages for menace databases: SQL with limits, boards in table cells, and metadata.

This folder imports `menace.explorer.server` and `menace.ledger`. Start with database.py.
"""
