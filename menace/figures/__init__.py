"""Figures of learners, and the game as a picture, drawn with matplotlib.

A module here may import everything up to exporting/; kind.py and kinds/ import matplotlib and numpy only when a figure
is drawn. Start with kinds/strength.py, which is one kind of figure, and kind.py, which says what a kind is.
"""
