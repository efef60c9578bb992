"""Learning algorithms for beads, odds, values of positions and values of moves, with one file for each family.

This folder imports the kernel and the modules `algorithm`, `policy` and `settings` of learners/, but not the registry,
which imports the algorithms. Start with action_values.py, in which SARSA is a class of ten lines.
"""
