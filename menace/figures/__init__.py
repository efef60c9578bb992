"""Figures of learners, and pictures of the game graph, drawn with matplotlib.

A module here may import every folder up to exporting/; kind.py and kinds/ do not import matplotlib or numpy until a
figure is drawn. Start with kinds/strength.py, a typical kind of figure, and kind.py, which defines FigureKind.
"""
