"""Learning algorithms that use beads, odds, position values or move values. Each file contains one family.

This folder imports the kernel and three modules of learners/: `algorithm`, `policy` and `settings`. The folder must not
import the registry, because the registry imports the algorithms. Start with action_values.py, where SARSA is a class of
ten lines.
"""
