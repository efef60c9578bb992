"""Draw figures of learners and pictures of the game graph with matplotlib.

The modules in this folder may import `menace.exporting` and everything that `menace.exporting` may import. Matplotlib
is imported only when a figure is drawn. Start with kinds.py, which lists the kinds of figures, and `draw_strength` in
curves.py, which computes the data of a typical figure.
"""
