"""Playing games and measuring players in memory: seeds, the play loop, exact strength and expected beads.

It imports `menace.learners` and what comes before it, but nothing that reads a database. Start with play.py and
continue with exact_strength.py.
"""
