"""Play games in memory, and compute the exact strength of players and the expected numbers of beads in boxes.

This folder may import `menace.learners` and every folder that `menace.learners` may import, but no module that reads a
database. Start with play.py and continue with exact_strength.py.
"""
