"""Train many machines from a grid of settings, opponents and seeds, and measure each machine exactly.

This folder may import `menace.figures` and the folders above it. Start with design.py, which describes a study.
runner.py runs a study, and results.py reads the measurements.
"""
