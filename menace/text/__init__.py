"""Text for people, such as plurals, percentages, sentences about games, and names of beads and cells.

The modules in this folder import only `menace.errors`. Start with wording.py. Python code and the scripts of web pages
share the sentences in narration.toml.
"""
