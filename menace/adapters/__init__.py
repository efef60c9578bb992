"""Adapters that make games and players available to PettingZoo, Gymnasium and OpenSpiel, and grades to pytest.

This folder may import `menace.arena` and the folders that it may import. No other folder imports these libraries. Start
with pettingzoo_env.py. pytest imports this folder at every start, so this file does not import anything.
"""
