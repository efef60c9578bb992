"""Answers to questions about machines, as data: boxes, histories, strength, mistakes, curves and tables.

This folder may import `menace.ledger` and the folders before it, and draws and prints nothing. Start with position.py,
which describes a board with its moves and a machine's box.
"""
