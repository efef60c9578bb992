"""Compute data about machines: boxes, histories, strength, mistakes, curves and tables.

This folder may import `menace.ledger` and every folder that `menace.ledger` may import. No module of this folder draws
or prints anything. Start with position.py, which describes a board, its moves and a machine's box.
"""
