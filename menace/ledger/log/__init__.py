"""Read, replay and verify the log, from which all other tables can be rebuilt, and undo its blocks.

This folder may import `menace.ledger.store` and the folders that `menace.ledger` imports. Start with blocks.py and
continue with replay.py.
"""
