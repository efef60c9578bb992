"""Play games against people, on a screen or with real matchboxes.

The modules in this folder may import `menace.analysis` and everything that `menace.analysis` may import. Start with
game.py, which represents a game in progress, and continue with session.py, which records the game when it ends.
"""
