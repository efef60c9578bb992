"""Studies: many machines from a grid of settings, opponents and seeds, each measured exactly.

It imports `menace.figures` and what comes before it. Start with design.py, the description of a study; runner.py
plays it, and results.py reads what was measured.
"""
