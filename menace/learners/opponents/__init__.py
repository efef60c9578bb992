"""Opponents that never learn, which are the named fixed opponents and Python functions converted to tables.

This folder imports games/ and the module learners/policy.py, but no learning algorithm. Start with fixed.py, which
lists all fixed opponents.
"""
