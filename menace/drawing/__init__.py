"""Drawings as data: boards as shapes and as SVG, and the layout of the game graph.

It imports `menace.games` and what comes before it. Start with boards.py; game_picture.py lays out the picture of the
whole game.
"""
