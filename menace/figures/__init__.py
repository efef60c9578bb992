"""Figures of learners, and the game as a picture, drawn with matplotlib.

A module here may import everything up to exporting/; kind.py and kinds/ do not import matplotlib or numpy until a
figure is drawn. Start with kinds/strength.py, one kind of figure, and kind.py, which defines what a kind is.
"""
