"""Compute data about machines: boxes, histories, strength, mistakes, curves and tables.

The modules in this folder may import `menace.ledger` and everything that `menace.ledger` may import. No module in this
folder draws or prints anything. Start with position.py, which describes a board, its moves and a machine's box.
"""
