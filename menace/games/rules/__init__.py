"""The rules of the built-in games, with one family of games in each file.

This folder may import other modules of `menace.games` and the folders that `menace.games` imports. Start with nim.py.
Tic-tac-toe is in mnk.py and wild.py.
"""
