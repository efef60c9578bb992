"""Adapters for PettingZoo, Gymnasium and OpenSpiel, and a pytest fixture that grades players.

The modules in this folder may import `menace.arena` and everything that `menace.arena` may import. No other folder
imports PettingZoo, Gymnasium or OpenSpiel. Start with pettingzoo_env.py. pytest imports this package every time it
starts, so this file imports nothing.
"""
