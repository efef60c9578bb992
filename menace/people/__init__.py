"""Games with people, at a screen and at real matchboxes.

This folder may import `menace.analysis` and the folders before it. Start with game.py, which contains a game in
progress; session.py records the game when it ends.
"""
