"""The rules of the built-in games. Each file contains one family of games.

This folder may import other modules of `menace.games` and every folder that `menace.games` may import. Start with
nim.py. Tic-tac-toe is in mnk.py and wild.py.
"""
