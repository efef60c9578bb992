"""Train a machine for each combination of settings, opponents and seeds in a grid, and measure each machine exactly.

The modules in this folder may import `menace.figures` and everything that `menace.figures` may import. Start with
design.py, which describes a study. runner.py runs a study, and results.py reads the measurements.
"""
