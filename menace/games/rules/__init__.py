"""The rules of the built-in games, one family of games per file.

These files import other modules of `menace.games` and the folders that it imports. Start with nim.py, the shortest
file; mnk.py and wild.py contain tic-tac-toe.
"""
