"""Playing games and measuring players in memory: seeds, the play loop, exact strength and expected beads.

This folder may import `menace.learners` and the folders before it, and nothing that reads a database. Start with
play.py and continue with exact_strength.py.
"""
