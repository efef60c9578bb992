"""Draw figures of learners, and pictures of the game graph, with matplotlib.

Modules in this folder may import the folder exporting/ and every folder that exporting/ may import. kind.py and kinds/
import matplotlib and numpy only when a figure is drawn. Start with kinds/strength.py, which defines a typical kind of
figure, and with kind.py, which defines the class FigureKind.
"""
