"""Drawings of boards as shapes and SVG, and layouts of the game graph.

This folder may import `menace.games` and the folders that it may import. Start with boards.py. game_picture.py computes
the layout for the picture of the whole game.
"""
