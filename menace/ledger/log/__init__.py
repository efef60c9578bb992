"""Read, replay and verify the log, from which all other tables can be rebuilt, and undo its blocks.

The modules in this folder may import `menace.ledger.store` and everything that `menace.ledger` may import. Start with
blocks.py and continue with replay.py.
"""
