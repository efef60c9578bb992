"""Learning algorithms, one file for each family: beads, odds, values of positions, and values of moves.

They import `algorithm`, `policy` and `settings` from learners/, and the kernel, but not the registry, which lists them.
Start with action_values.py, where SARSA is a class of ten lines.
"""
