"""Learning algorithms for beads, odds, values of positions and values of moves, with one file per family.

This folder imports the kernel and the modules `algorithm`, `policy` and `settings` of learners/. It must not import the
registry, which imports the algorithms. Start with action_values.py, where SARSA is a class of ten lines.
"""
