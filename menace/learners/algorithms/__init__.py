"""Learning algorithms, one file for each family: beads, odds, values of positions, and values of moves.

They import from learners/ (`algorithm`, `policy` and `settings`) and from the kernel, but not the registry, which lists
them. Start with action_values.py: there, SARSA is a class of ten lines.
"""
