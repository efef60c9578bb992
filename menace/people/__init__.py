"""Games with people, at a screen and at real matchboxes.

It imports `menace.analysis` and what comes before it. Start with game.py, a game in progress; session.py records the
game when it ends.
"""
