"""The rules of the built-in games, one family of games in each file.

These files import the other modules of `menace.games` but no other package. Start with nim.py, which is the shortest;
mnk.py and wild.py contain tic-tac-toe.
"""
