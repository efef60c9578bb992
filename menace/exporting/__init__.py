"""Export the game graph to the file formats of other programs, and boards and matchboxes to HTML.

The modules in this folder may import `menace.analysis` and everything that `menace.analysis` may import. Start with
graphs.py, which needs networkx.
"""
