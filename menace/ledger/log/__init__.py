"""The log from which every table can be rebuilt: blocks, recorded games, replay, undo and verification.

It imports `menace.ledger.store` and what comes before it. Start with blocks.py and continue with replay.py.
"""
