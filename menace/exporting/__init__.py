"""Export the game graph to the file formats of other programs, and boards and matchboxes to HTML.

This folder imports `menace.analysis` and folders that `menace.analysis` may import. Start with graphs.py, which
needs networkx.
"""
