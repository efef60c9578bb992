"""Drawings of boards as shapes and SVG, and layouts of the game graph.

The modules in this folder may import `menace.games` and everything that `menace.games` may import. Start with
boards.py. game_picture.py computes the layout of a picture that shows a whole game.
"""
