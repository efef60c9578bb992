"""Play games in memory, and measure players by exact strength and expected beads.

This folder may import `menace.learners` and the folders that it may import, but no module that reads a database. Start
with play.py and continue with exact_strength.py.
"""
