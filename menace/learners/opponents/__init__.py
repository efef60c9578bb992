"""Opponents that never learn: fixed opponents, which have names, and Python functions, which are converted to tables.

This folder imports games/ and learners/policy.py, but no learning algorithms. Start with fixed.py, which lists all
fixed opponents.
"""
