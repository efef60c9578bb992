"""Adapters that make games and players available to PettingZoo, Gymnasium and OpenSpiel, and grade players in pytest.

This folder may import `menace.arena` and every folder that `menace.arena` may import. No other folder imports these
libraries. Start with pettingzoo_env.py. pytest imports this package every time it starts, so this file imports nothing.
"""
