"""Games and training jobs of pages, kept on the server.

This folder imports `menace.people` and `menace.ledger`, but no page. Start with open_sessions.py, which keeps the games
and jobs of each file.
"""
