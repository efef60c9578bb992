"""Adapters that make games and players available to PettingZoo, Gymnasium and OpenSpiel.

This folder may import `menace.arena` and the folders above it. No other folder imports these libraries. Start with
pettingzoo_env.py.
"""
