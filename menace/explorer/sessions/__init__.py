"""Manage the games and training jobs that pages run on the server.

This folder imports `menace.people` and `menace.ledger`, but it does not import any page. Start with open_sessions.py,
which manages the games and jobs of each file.
"""
