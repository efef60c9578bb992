"""The log from which every table can be rebuilt: blocks, recorded games, replay, undo and verification.

This folder may import `menace.ledger.store` and the folders before it. Start with blocks.py and continue with
replay.py.
"""
