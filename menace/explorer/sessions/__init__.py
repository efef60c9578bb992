"""Keep the games and training jobs of pages on the server.

This folder imports `menace.people` and `menace.ledger`, but it does not import any page. Start with open_sessions.py,
which keeps the games and jobs of each file.
"""
