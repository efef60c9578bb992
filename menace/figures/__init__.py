"""Draw figures of learners, and pictures of the game graph, with matplotlib.

Modules in this folder may import the folder exporting/ and every folder that exporting/ may import. Matplotlib is
imported only when a figure is drawn. Start with kinds.py, which lists the kinds of figures, and with `draw_strength` in
curves.py, which reads the numbers of a typical figure.
"""
