"""Opponents that never learn: fixed opponents by name, and Python functions converted to tables.

They import `policy` from learners/, and games/, but no learning algorithm. Start with fixed.py, which lists all fixed
opponents and contains a function for each.
"""
