"""Opponents that never learn: named fixed opponents, and Python functions converted to tables.

This folder imports games/ and the module `policy` of learners/, but no learning algorithm. Start with fixed.py, which
lists all fixed opponents.
"""
