"""Studies: many machines from a grid of settings, opponents and seeds, each measured exactly.

It imports `menace.figures` and the folders above it. Start with design.py, the description of a study; runner.py runs
it, and results.py reads the measurements.
"""
