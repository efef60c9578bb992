"""Drawings as data: boards as shapes and as SVG, and layouts of the game graph.

It imports `menace.games` and the folders above it. Start with boards.py; game_picture.py lays out the picture of the
whole game.
"""
