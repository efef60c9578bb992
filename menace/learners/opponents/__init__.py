"""Opponents that never learn: fixed opponents by name, and Python functions turned into tables.

They import from learners/ (`policy`) and from games/, but no learning algorithm. Start with fixed.py, which lists them
all and has a function for each.
"""
